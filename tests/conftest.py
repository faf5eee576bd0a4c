"""What every test needs before Numba is imported."""

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest

from tests.compile_cache import compile_cache_folder

if "NUMBA_CACHE_DIR" not in os.environ:  # the parallel workers of one run inherit it
    try:
        os.environ["NUMBA_CACHE_DIR"] = str(compile_cache_folder(Path(__file__).resolve().parents[1]))
    except OSError:  # this user may only read the checkout: all is compiled for this run
        os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="chancecorr-tests-")
        atexit.register(shutil.rmtree, os.environ["NUMBA_CACHE_DIR"], ignore_errors=True)

os.environ.setdefault("OMP_NUM_THREADS", "1")  # more, in each process of a run, wait for each other

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs" / "_ext"))  # what makes the site

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell has it for what it runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


LONGEST = {"test_compiling.py", "test_compiled.py", "test_amorim_study.py", "test_franti_study.py"}
"""Files with the longest tests, which begin first: at the end no process waits for another."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Put the longest first."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish():
    """Modules and collected tests stay to the end: no collection of garbage goes over them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def record_property(record_property):
    """As pytest has it, also for NumPy's numbers, which do not go from one process of a run to another."""

    def record(name, value):
        record_property(name, value.item() if hasattr(value, "item") else value)

    return record
