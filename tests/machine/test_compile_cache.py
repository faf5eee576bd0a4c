"""A folder for each state of the kernels: few stay, and the one in use among them."""

import os

import pytest

from tests import compile_cache
from tests.compile_cache import KEPT_FOLDERS, compile_cache_folder


@pytest.fixture
def state(monkeypatch):
    """The hash of the kernels, to be changed."""
    state = ["0"]
    monkeypatch.setattr(compile_cache, "hash_of_kernels", lambda: state[0])
    return state


def test_few_folders_stay_and_the_one_in_use_among_them(state, tmp_path):
    used = []
    for age in range(KEPT_FOLDERS + 2):
        state[0] = str(age)
        folder = compile_cache_folder(tmp_path)
        (folder / "machine_code").touch()
        assert compile_cache_folder(tmp_path) == folder
        os.utime(folder, (1e9 + age, 1e9 + age))
        used.append(folder)
    assert len(set(used)) == KEPT_FOLDERS + 2
    assert sorted((tmp_path / ".cache").iterdir()) == sorted(used[-KEPT_FOLDERS:])
    assert (used[-1] / "machine_code").exists()
