"""All are slow tests; where a set of data is left out, as in the sdist, tests that need it are skipped."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from experiments.common import runs
from experiments.common.data import FOLDER

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """Mark all of this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def in_this_process(monkeypatch):
    """Units are evaluated by a thread: a worker process imports for longer than a small run takes."""
    monkeypatch.setattr(runs, "worker_processes", ThreadPoolExecutor)


def skipping():
    """Run a part of a test, and skip the test where a set of data is missing."""
    try:
        return (yield)
    except FileNotFoundError as error:
        if (FOLDER / "sipu").exists() or "Restore it from the repository" not in str(error):
            raise
        pytest.skip(str(error))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup():
    """Fixtures, which read most of the data."""
    return (yield from skipping())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    """The test itself."""
    return (yield from skipping())
