"""The hash of the kernels changes with them, with all that they use, and with nothing else."""

import ast
import importlib
import inspect
import os
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import chancecorr as cc
from chancecorr.machine.compiling import hash_of_kernels, list_modules_of_kernels

PACKAGE = Path(cc.__file__).parent


def hash_in(folder):
    """Hash of the kernels of a copy of the package, in a new process that has imported it."""
    code = "import chancecorr.machine.compiling as sources; print(sources.hash_of_kernels())"
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


@pytest.mark.slow
def test_the_hash_is_known_from_the_import_on_and_wherever_the_package_is(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "chancecorr", ignore=shutil.ignore_patterns("__pycache__"))
    for module in pkgutil.walk_packages(cc.__path__, "chancecorr."):
        if module.name != "chancecorr.__main__":
            importlib.import_module(module.name)
    assert hash_in(tmp_path) == hash_of_kernels()


KERNELS = [
    "exact/kernels/hypergeometric.py", "sampling/kernels/tables.py", "exact/kernels/additive.py",
    "machine/kernel.py", "machine/compiler.py",
]  # fmt: skip


@pytest.mark.parametrize("file", KERNELS)
def test_a_changed_kernel_changes_the_hash_and_another_file_does_not(monkeypatch, file):
    before, changed, read = hash_of_kernels(), [], pkgutil.get_data

    def read_changed(package, name):
        return read(package, name) + b"#" * (PACKAGE.parent.joinpath(*package.split("."), name) in changed)

    monkeypatch.setattr(pkgutil, "get_data", read_changed)
    changed += [PACKAGE / "correction" / "adjust.py", PACKAGE / "indices" / "registry.py"]
    assert hash_of_kernels() == before
    changed.append(PACKAGE / file)
    assert hash_of_kernels() != before


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


@pytest.mark.slow
def test_all_that_compiled_functions_take_from_other_files_is_part_of_the_hash():
    covered = {file_of(module) for module in list_modules_of_kernels()}
    taken = {each.__qualname__: {*taken_from_other_files(each)} for each in compiled_functions()}
    files = set.union(*taken.values())
    assert files >= {PACKAGE / "sampling/kernels/streams.py", PACKAGE / "exact/kernels/hypergeometric.py"}
    assert {name: files - covered for name, files in taken.items() if files - covered} == {}
