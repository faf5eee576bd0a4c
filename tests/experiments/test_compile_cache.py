"""A folder for each state of the kernels: few stay, and the one in use among them."""

import os
import shutil
from pathlib import Path

import pytest

import chancecorr as cc
from experiments.common.compile_cache import KEPT_FOLDERS, compile_cache_folder

PACKAGE = Path(cc.__file__).parent


@pytest.fixture
def root(tmp_path):
    """A repository with a copy of the package, to be changed."""
    shutil.copytree(PACKAGE, tmp_path / "chancecorr", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def add_line(path):
    path.write_text(path.read_text(encoding="utf-8") + "# a remark\n", encoding="utf-8")


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
