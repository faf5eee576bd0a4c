"""Little work runs as Python, much as machine code, and nobody sees which."""

import importlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from chancecorr import list_indices
from chancecorr.machine import tiers
from chancecorr.machine.kernel import forecast_kernel, import_compiler

EXAMPLE = """
import sys
import chancecorr as cc
truth = ["cat"] * 5 + ["dog"] * 5 + ["owl"] * 5
found = [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 1]
scores = cc.adjust(truth, found, ["rand", "nmi_sum", "irm"], rng=1)
simulated = cc.adjust(truth * 40, found * 40, ["purity"], method="monte-carlo", rng=1)
print(bool(sys.modules.get("numba")), [(s.expected, s.p_value, *s.interval()) for s in scores.values()],
      [(s.expected, s.std, s.p_value) for s in simulated.values()],
      [cc.score([0, 1, 2] * 100, found * 20, index)
       for index in ("reduced_nmi", "dirichlet_reduced_information")])
"""


def run(script, folder, **more):
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": str(folder), **more}
    done = subprocess.run([sys.executable, "-c", script], env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done


@pytest.mark.heavy
def test_little_work_waits_for_no_compiler_and_gives_the_bits_of_machine_code(tmp_path):
    done = run(EXAMPLE, tmp_path)
    as_python, *answer = done.stdout.split(" ", 1)
    assert (as_python, done.stderr) == ("False", "")  # and no warning of words that wrap around
    as_machine_code = {"CHANCECORR_KERNELS": "compiled"}
    compiled, *same = run(EXAMPLE, tmp_path / "other", **as_machine_code).stdout.split(" ", 1)
    assert (compiled, same) == ("True", answer)
    without = run("import sys; sys.modules['numba'] = None" + EXAMPLE, tmp_path, **as_machine_code)
    assert without.stdout.split(" ", 1) == ["False", *answer]
    assert without.stderr.count("RuntimeWarning: chancecorr cannot import Numba") == 1


BITS = """
import json, os, sys
sys.path.insert(0, ".")
from tests.golden import bits
kept = json.loads(bits.FILE.read_text())
for name in bits.MARGINS:
    assert bits.tables_and_pair_sums(name) == kept["margins"][name], name
for name in ("small, oblong", *["paper, balanced"] * (os.environ["CHANCECORR_KERNELS"] == "compiled")):
    for model in bits.MODELS:
        assert bits.every_kind(name, model) == kept["models"][f"{name}, {model}"], (name, model)
"""


@pytest.mark.heavy
@pytest.mark.parametrize(
    "way",
    [
        {"CHANCECORR_KERNELS": "python"},
        {"CHANCECORR_KERNELS": "compiled", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
    ],
    ids=["Python", "compiled for a processor without vectors"],
)
def test_both_ways_give_the_bits_that_are_kept(tmp_path, way):
    run(BITS, tmp_path, **way)


def test_seconds_to_compile_are_those_of_functions_of_the_package():
    for name in tiers._read_seconds_to_compile():
        module, function = f"chancecorr.{name}".split(".<locals>")[0].rsplit(".", 1)
        assert hasattr(importlib.import_module(module), function) or function in list_indices(), name


@pytest.mark.heavy
def test_what_was_compiled_ahead_is_known_to_the_next_process(tmp_path):
    call = "import chancecorr as cc; cc.score([0, 0, 1, 1], [0, 0, 1, 1], 'purity')"
    run(call, tmp_path, CHANCECORR_KERNELS="compiled")
    known = "from chancecorr.machine import tiers; print(tiers.find_seconds('purity by apply_to_tables'))"
    assert run(known, tmp_path).stdout == "inf\n"


@pytest.fixture
def clean(monkeypatch, tmp_path):
    file = tmp_path / "kept" / "seconds.json"
    for name, value in {"_added": {}, "_forecast": {}, "_find_file": lambda: file, "FORCED": ""}.items():
        monkeypatch.setattr(tiers, name, value)
    import_compiler()  # to import it takes seconds, too
    tiers._read_kept.cache_clear()
    yield file
    tiers._read_kept.cache_clear()


def test_seconds_add_up_over_calls_and_processes(clean, monkeypatch):
    assert tiers.runs_as_python("k", 0.6)
    tiers.add_seconds("k", 0.6)
    assert tiers.runs_as_python("k", 0.3)
    tiers._keep(os.getpid())
    assert json.loads(clean.read_text()) == {"k": 0.6}
    tiers._added.clear()  # as in another process
    tiers._forecast.clear()
    tiers._read_kept.cache_clear()
    assert tiers.find_seconds("k") == 0.6
    assert not tiers.runs_as_python("k", 0.5)
    assert not tiers.runs_as_python("k", 0.0)  # from now on there is machine code
    tiers._keep(os.getpid())
    tiers._added.clear()
    tiers._read_kept.cache_clear()
    monkeypatch.delitem(sys.modules, "chancecorr.machine.compiler", raising=False)
    assert tiers.runs_as_python("k", 0.1)  # in less than it takes to load it
    tiers.add_seconds("k", 0.3)
    assert not tiers.runs_as_python("k", 0.2)


def test_what_calls_have_taken_corrects_the_forecast(clean):
    assert tiers.runs_as_python("k", 0.1)
    tiers.add_seconds("k", 0.5)
    assert tiers.runs_as_python("k", 0.05)
    assert not tiers.runs_as_python("k", 0.2)  # which will take some four times as long


def test_what_lies_ahead_counts_once_calls_have_taught_something(clean):
    assert tiers.runs_as_python("k", 0.01, times=1000.0)
    tiers.add_seconds("k", 0.01)
    assert tiers.runs_as_python("k", 0.01, times=20.0)
    assert not tiers.runs_as_python("k", 0.01, times=1000.0)
    with tiers.first_of(7.0):
        assert tiers.count_times_ahead() == 7.0
        with tiers.first_of(3.0):
            assert tiers.count_times_ahead() == 21.0
    assert tiers.count_times_ahead() == 1.0


@pytest.mark.parametrize("text", ["", "[]", '{"k": "long"}', "\0"])
def test_a_damaged_file_counts_for_nothing(clean, text):
    clean.parent.mkdir()
    clean.write_text(text)
    assert tiers.runs_as_python("k", 0.3)


def test_nothing_is_written_of_little_or_by_a_child(clean):
    tiers.add_seconds("k", tiers.LEAST_SECONDS_KEPT / 2)
    tiers._keep(os.getpid())
    tiers.add_seconds("k", 1.0)
    tiers._keep(os.getpid() + 1)
    assert not clean.exists()


@forecast_kernel(lambda numbers: 4e8 * numbers.size)
def add_up(numbers):
    total = 0
    for number in numbers:
        total += add_one(number)
    return total


@forecast_kernel(lambda number: 1.0)
def add_one(number):
    return number + 1


@pytest.mark.heavy
def test_a_kernel_is_compiled_when_more_lies_ahead_than_compiling_takes(clean):
    assert add_up(np.arange(1)) == 1
    assert "dispatcher" not in vars(add_one)  # within a kernel as Python others are called as Python
    assert add_up(np.arange(1000)) == 500_500
    assert add_up.dispatcher.signatures
