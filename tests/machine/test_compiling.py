"""Little work runs as Python, much as machine code, and nobody sees which."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from chancecorr.machine import compiling
from chancecorr.machine.kernel import expect, forecast_kernel

ROOT = Path(__file__).resolve().parents[2]

EXAMPLE = """
import sys
import chancecorr as cc
truth = ["cat"] * 5 + ["dog"] * 5 + ["owl"] * 5
found = [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 1]
scores = cc.adjust(truth, found, ["rand", "nmi_sum", "irm"], rng=1)
simulated = cc.adjust(truth * 40, found * 40, ["purity"], method="monte-carlo", n_tables=5_000, rng=1)
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


@pytest.mark.slow
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


@pytest.mark.parametrize("word", ["Compiled", "PYTHON", "numba", "1"])
def test_a_misspelt_way_of_kernels_is_told_once(word, tmp_path):
    done = run(
        "import chancecorr; chancecorr.adjust([0, 1, 1], [0, 0, 1])", tmp_path, CHANCECORR_KERNELS=word
    )
    said = f"`CHANCECORR_KERNELS` must be python or compiled; got {word!r}, which is ignored."
    assert done.stderr.count("CHANCECORR_KERNELS") == done.stderr.count(said) == 1


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


@pytest.mark.slow
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


@forecast_kernel(lambda numbers: 4e8 * numbers.size)
def add_up(numbers):
    total = 0
    for number in numbers:
        total += add_one(number)
    return total


@forecast_kernel(lambda number: 1.0)
def add_one(number):
    return number + 1


@pytest.fixture
def clean(monkeypatch, tmp_path):
    """Nothing spent, no machine code in the folder that is yielded, and Numba not imported yet."""
    folder = tmp_path / "kept"
    folder.mkdir()
    settings = {"_spent": {}, "FORCED": "", "IS_SWITCHED_OFF": False, "list_code_folders": lambda: (folder,)}
    for name, value in settings.items():
        monkeypatch.setattr(compiling, name, value)
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setattr(compiling, "has_numba", lambda: True)
    return folder


def test_seconds_add_up_over_calls(clean):
    assert compiling.runs_as_python("k", 0.6)
    compiling.add_seconds("k", 0.6)
    assert compiling.runs_as_python("k", 0.3)
    assert not compiling.runs_as_python("k", 0.5)
    assert not compiling.runs_as_python("k", 0.0)  # from now on there is machine code
    assert compiling.runs_as_python("other", 0.9)


def test_a_call_that_takes_longer_is_compiled_at_once(clean):
    assert not compiling.runs_as_python("k", compiling.SECONDS_AS_PYTHON[0])


def test_machine_code_on_disk_is_loaded_sooner(clean, monkeypatch):
    (clean / "k.nbi").touch()
    before, after = compiling.SECONDS_TO_LOAD
    assert compiling.runs_as_python("k", 0.9 * before)
    assert compiling.runs_as_python("k and other", 0.5, "k", "other")  # one of its parts is to be compiled
    monkeypatch.setitem(sys.modules, "numba", sys)  # which takes the most of the time
    assert not compiling.runs_as_python("k", 0.9 * before)
    assert compiling.runs_as_python("again", 0.9 * after, "k")
    assert not compiling.runs_as_python("more", compiling.SECONDS_AS_PYTHON[1])


def test_what_is_expected_counts_before_it_is_spent(clean):
    assert add_up(np.arange(1)) == 1
    assert "dispatcher" not in vars(add_one)  # within a kernel as Python others are called as Python
    expect(add_up, 0.5)
    assert add_up.runs_as_python(0.1)
    expect(add_up, 1.5)
    assert not add_up.runs_as_python(0.0)


def test_code_of_another_environment_is_not_taken_for_ones_own(tmp_path):
    show = "from chancecorr.machine import compiling; print(*compiling.list_code_folders(), sep='\\n')"
    folders = {run(show, tmp_path).stdout}
    numba = tmp_path / "elsewhere" / "numba"
    numba.mkdir(parents=True)
    (numba / "__init__.py").touch()
    path = os.pathsep.join([str(numba.parent), str(ROOT)])
    folders.add(run(show, tmp_path, PYTHONPATH=path).stdout)
    assert len(folders) == 2


@pytest.mark.slow
def test_a_kernel_is_compiled_once_it_has_spent_its_seconds(tmp_path):
    script = """
import time, sys
import numpy as np
from chancecorr.machine.kernel import forecast_kernel
from chancecorr.sampling.kernels.streams import fill_permutations
out, as_python = np.empty((400, 300), dtype=np.int64), 0
for _ in range(20):
    began = time.process_time()
    fill_permutations(np.uint64(1), 0, out)
    as_python += "numba" not in sys.modules
print(as_python)
"""
    first = int(run(script, tmp_path).stdout)
    assert 1 <= first < 20  # 0.4 s each by forecast
    assert int(run(script, tmp_path).stdout) == 0  # there is machine code
