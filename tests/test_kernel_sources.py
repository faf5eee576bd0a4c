"""The hash of the kernels changes with them, with all that they use, and with nothing else."""

import ast
import importlib
import inspect
import pkgutil
import shutil
from pathlib import Path

import pytest

import chancecorr as cc
from chancecorr.kernel_sources import hash_of_kernels, kernel_files

PACKAGE = Path(cc.__file__).parent


@pytest.fixture
def package(tmp_path):
    """A copy of the package, to be changed."""
    copy = tmp_path / "chancecorr"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def add_line(path):
    path.write_text(path.read_text(encoding="utf-8") + "# a remark\n", encoding="utf-8")


NEW_ENTRY = '''
from chancecorr.indices.registry import register_index


@register_index("dummy", needs="table", formula="0", range=(0.0, 1.0))
def dummy(table, row_totals, column_totals):
    """An index that counts nothing."""
    return 0.0
'''


def test_a_new_index_leaves_the_hash(package):
    before = hash_of_kernels(package)
    (package / "indices" / "dummy.py").write_text(NEW_ENTRY, encoding="utf-8")
    assert hash_of_kernels(package) == before


@pytest.mark.parametrize("file", ["correction/adjust.py", "indices/registry.py", "cli/commands.py"])
def test_a_file_without_kernels_leaves_the_hash(package, file):
    before = hash_of_kernels(package)
    add_line(package / file)
    assert hash_of_kernels(package) == before


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
def test_a_changed_kernel_changes_the_hash(package, file):
    before = hash_of_kernels(package)
    add_line(package / file)
    assert hash_of_kernels(package) != before


def test_a_renamed_kernel_file_changes_the_hash(package):
    before = hash_of_kernels(package)
    (package / "null" / "kernels" / "dealing.py").rename(package / "null" / "kernels" / "shuffling.py")
    assert hash_of_kernels(package) != before


def test_the_hash_does_not_depend_on_where_the_repository_is(package):
    assert hash_of_kernels(package) == hash_of_kernels(PACKAGE)


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


def test_all_that_compiled_functions_take_from_other_files_is_part_of_the_hash():
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
