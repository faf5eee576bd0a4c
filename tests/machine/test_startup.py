"""What a new process loads, and when: Numba at the first call of a kernel, SciPy and others where needed."""

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest

import chancecorr as cc

LATER = {
    "numba", "llvmlite", "scipy", "joblib", "cloudpickle", "rich", "argparse", "pandas", "matplotlib",
    "jinja2", "narwhals", "polars", "pyarrow", "hashlib",
}  # fmt: skip
"""Packages that are imported where they are needed."""

ROOMS = {"chancecorr.catalogue", "chancecorr.prototypes", "chancecorr.report"}
"""Those that no other uses are loaded when asked for."""


def new_process(code, **surroundings):
    """What a new process prints."""
    surroundings = os.environ | {"PYTHONPATH": str(Path(cc.__file__).parents[1])} | surroundings
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=surroundings, cwd="/", capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


STAGES = """
import sys
import chancecorr as cc

def loaded():
    print(*sys.modules)

loaded()
cc.contingency_table(["a", None], [0, 1.5], missing="drop")
table = cc.ContingencyTable([[30, 15, 5], [10, 25, 15], [8, 12, 30]])
for index in cc.PUBLISHED_INDICES:  # several at once have intervals, and SciPy for their quantiles
    cc.adjust_table(table, index, method="analytic")
cc.null_distribution(table.margins, index="jaccard", method="analytic")
cc.score_table(table, "rand")
loaded()
margins = cc.Margins([2, 1], [1, 2])
cc.sampling.permutation.plan_sampler(margins)
loaded()
cc.sample_tables(margins, 1)
loaded()
"""


@pytest.mark.slow
def test_packages_are_loaded_where_they_are_needed():
    """NumPy by the import, without its random numbers; Numba by many tables, and not by the first."""
    imported, answered, planned, drawn = (set(line.split()) for line in new_process(STAGES).splitlines())
    assert {"chancecorr", "numpy"} <= imported
    assert "numpy.random" not in imported
    assert imported & (LATER | ROOMS) == set()
    assert answered & LATER == planned & LATER == set()
    assert "numba" not in drawn


def test_the_version_is_known_all_the_same():
    assert cc.__version__ == importlib.metadata.version("chancecorr")
    with pytest.raises(AttributeError, match="'chancecorr' has no attribute '__versions__'"):
        _ = cc.__versions__


THE_HOST = """
import gc, json, os, signal, sys, threading, warnings
import numpy

hooks = []
os.register_at_fork = lambda **given: hooks.append(given)

def state():
    handlers = {str(number): repr(signal.getsignal(number)) for number in signal.valid_signals()}
    wakeup = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(wakeup)
    tracing = repr((sys.gettrace(), sys.getprofile(), threading.gettrace(), threading.getprofile()))
    hooks_of_python = repr((sys.unraisablehook, sys.excepthook, sys.displayhook, threading.excepthook))
    collector = repr((gc.isenabled(), gc.get_threshold(), gc.callbacks))
    shown = repr((warnings.filters, warnings.showwarning))
    others = repr((numpy.geterr(), sorted(os.environ), sys.meta_path, sys.getrecursionlimit()))
    return [handlers, wakeup, tracing, hooks_of_python, collector, shown, threading.active_count(), others]

before = state()
sys.argv = ["chancecorr"]
import chancecorr as cc

after = state()
given = [pair for each in hooks for pair in each.items()]
own = [when for when, hook in given if str(getattr(hook, "__module__", "")).startswith("chancecorr")]
print([k for k, pair in enumerate(zip(before, after)) if pair[0] != pair[1]], own)
"""


@pytest.mark.slow
def test_the_import_leaves_the_host_program_as_it_was():
    """Signals, threads, forks, tracing, hooks, the collector and filters of warnings."""
    assert new_process(THE_HOST) == "[] []\n"


WITHOUT = """
import sys, numba.core.caching, numba.core.event
del numba.core.event
sys.modules["numba.core.event"] = None
numba.core.caching.Cache.cache_path = property(lambda self: self.gone)
from chancecorr.sampling.kernels.streams import fill_permutations
import numpy as np
out = np.zeros((1, 5), dtype=np.int64)
fill_permutations(np.uint64(1), 0, out)
print(sorted(out[0].tolist()))
"""
"""Events and names of the cache are what a later Numba may no longer have."""


@pytest.mark.slow
def test_kernels_run_on_a_numba_without_its_inner_parts():
    command, surroundings = [sys.executable, "-c", WITHOUT], os.environ | {"CHANCECORR_KERNELS": "compiled"}
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)
    assert done.stdout == "[0, 1, 2, 3, 4]\n", done.stderr


MISSING = """
import sys
import chancecorr as cc
before = set(sys.modules)
print(hasattr(cc, "consensus_matrixx"), getattr(cc, "typo", None), len(set(sys.modules) - before))
try:
    cc.consensus_matrix
except AttributeError as error:
    print(error)
"""


def test_an_unknown_name_imports_nothing_until_its_error_is_shown():
    """`hasattr` imported 71 modules."""
    first, second = new_process(MISSING).splitlines()
    assert first == "False None 0"
    assert second.endswith("It is `chancecorr.ensembles.consensus_matrix`.")
