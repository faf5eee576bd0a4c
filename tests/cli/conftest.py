"""Commands are run in an empty folder."""

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder as the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
