"""The folder of the compile cache changes with the kernels, all that they use, and nothing else."""

import ast
import importlib
import inspect
import os
import pkgutil
import shutil
from pathlib import Path

import pytest

import chancecorr as cc
from experiments.common.compile_cache import KEPT_FOLDERS, compile_cache_folder, compile_key, kernel_files

PACKAGE = Path(cc.__file__).parent


@pytest.fixture
def root(tmp_path):
    """A repository with a copy of the package, to be changed."""
    shutil.copytree(PACKAGE, tmp_path / "chancecorr", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def add_line(path):
    path.write_text(path.read_text(encoding="utf-8") + "# a remark\n", encoding="utf-8")


NEW_ENTRY = '''
from chancecorr.indices.registry import register_index


@register_index("dummy", needs="table", formula="0", range=(0.0, 1.0))
def dummy(table, row_totals, column_totals):
    """An index that counts nothing."""
    return 0.0
'''


def test_a_new_index_leaves_the_key(root):
    before = compile_key(root / "chancecorr")
    (root / "chancecorr" / "indices" / "dummy.py").write_text(NEW_ENTRY, encoding="utf-8")
    assert compile_key(root / "chancecorr") == before


@pytest.mark.parametrize("file", ["correction/adjust.py", "indices/registry.py", "cli/commands.py"])
def test_a_file_without_kernels_leaves_the_key(root, file):
    before = compile_key(root / "chancecorr")
    add_line(root / "chancecorr" / file)
    assert compile_key(root / "chancecorr") == before


@pytest.mark.parametrize(
    "file",
    [
        "null/kernels/hypergeometric.py",
        "null/kernels/objects.py",
        "null/kernels/workspace.py",
        "exact/moments/kernels/additive.py",
        "compiled.py",
        "machine_code.py",
    ],
)
def test_a_changed_kernel_changes_the_key(root, file):
    before = compile_key(root / "chancecorr")
    add_line(root / "chancecorr" / file)
    assert compile_key(root / "chancecorr") != before


def test_a_renamed_kernel_file_changes_the_key(root):
    before = compile_key(root / "chancecorr")
    (root / "chancecorr" / "null" / "kernels" / "dealing.py").rename(
        root / "chancecorr" / "null" / "kernels" / "shuffling.py"
    )
    assert compile_key(root / "chancecorr") != before


def test_the_key_does_not_depend_on_where_the_repository_is(root):
    assert compile_key(root / "chancecorr") == compile_key(PACKAGE)


# What compiled functions take from other files


def compiled_functions():
    """Kernels, and the functions of the indices that Numba compiles: all are plain functions underneath."""
    found = set()
    for module in pkgutil.walk_packages(cc.__path__, "chancecorr."):
        if module.name != "chancecorr.__main__":
            members = vars(importlib.import_module(module.name)).values()
            found |= {member.py_func for member in members if hasattr(member, "py_func")}
            if ".kernels." in module.name:  # some are compiled with a signature, at their first use
                found |= {member for member in members if inspect.isfunction(member)}
    for index in map(cc.get_index, cc.list_indices()):
        if index.needs in ("table", "cells"):
            found.add(getattr(index.function, "py_func", index.function))
    return {function for function in found if function.__module__.startswith("chancecorr.")}


def taken_from_other_files(function):
    """Files of the package from which a function takes names that it uses: kernels, and constants too."""
    names = set(inspect.getclosurevars(function).globals)
    for statement in ast.parse(Path(inspect.getfile(function)).read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom) and statement.module.startswith("chancecorr"):
            for alias in statement.names:
                if (alias.asname or alias.name) in names:
                    try:  # a module of a folder, or a name in a module
                        yield file_of(f"{statement.module}.{alias.name}")
                    except ModuleNotFoundError:
                        yield file_of(statement.module)


def file_of(module):
    return Path(importlib.import_module(module).__file__)


def test_all_that_compiled_functions_take_from_other_files_is_part_of_the_key():
    covered = set(kernel_files(PACKAGE))
    taken = {
        (function.__qualname__, file)
        for function in compiled_functions()
        for file in taken_from_other_files(function)
    }
    assert {file for _, file in taken} >= {
        PACKAGE / "null" / "kernels" / "streams.py",
        PACKAGE / "null" / "kernels" / "hypergeometric.py",
    }
    assert {(name, file.name) for name, file in taken if file not in covered} == set()


# Folders


def test_few_folders_stay_and_the_one_in_use_among_them(root):
    used = []
    for age in range(KEPT_FOLDERS + 2):
        folder = compile_cache_folder(root)
        (folder / "machine_code").touch()
        assert compile_cache_folder(root) == folder
        os.utime(folder, (1e9 + age, 1e9 + age))
        used.append(folder)
        add_line(root / "chancecorr" / "compiled.py")
    assert len(set(used)) == KEPT_FOLDERS + 2
    assert sorted((root / ".cache").iterdir()) == sorted(used[-KEPT_FOLDERS:])
    assert (used[-1] / "machine_code").exists()


def test_a_folder_used_again_is_no_longer_the_oldest(root):
    first = compile_cache_folder(root)
    os.utime(first, (1e9, 1e9))
    compiled = root / "chancecorr" / "compiled.py"
    original = compiled.read_text(encoding="utf-8")
    for age in range(1, KEPT_FOLDERS):
        add_line(compiled)
        os.utime(compile_cache_folder(root), (1e9 + age, 1e9 + age))
    changed = compiled.read_text(encoding="utf-8")
    compiled.write_text(original, encoding="utf-8")
    assert compile_cache_folder(root) == first
    compiled.write_text(changed + "# another state\n", encoding="utf-8")
    compile_cache_folder(root)
    assert first.exists()


def test_other_things_in_the_cache_stay(root):
    (root / ".cache" / "kept").mkdir(parents=True)
    for _ in range(KEPT_FOLDERS + 1):
        add_line(root / "chancecorr" / "compiled.py")
        compile_cache_folder(root)
    assert (root / ".cache" / "kept").exists()
