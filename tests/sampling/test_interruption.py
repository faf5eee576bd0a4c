"""Ctrl-C in the library: KeyboardInterrupt comes soon, and all works as before afterwards."""

import _thread
import threading
import time

import joblib
import pytest

import chancecorr as cc
from chancecorr.exact import enumeration
from chancecorr.machine.kernel import run_in_background
from chancecorr.sampling import workers
from tests.interruption import interrupted, telling
from tests.simulated import task_of

MARGINS = cc.Margins([30, 30, 40], [20, 45, 35])

SOON = 15.0
"""Seconds in which a process must end; it takes 1 or so where the machine has nothing else to do."""

SLOW = """
import numpy as np
import chancecorr as cc

def slow(table, rows, columns):  # tens of milliseconds of compiled code
    total = 0.0
    for i in range(1_000_000):
        total += np.sin(total + i)
    return total * 0.0 + table.max()

MARGINS = cc.Margins([30, 30, 40], [20, 45, 35])
compiled = cc.indices.Index(name="slow", function=slow, needs="table")
"""

AFTERWARDS = """
except KeyboardInterrupt:
    law = cc.null_distribution(MARGINS, "jaccard", method="monte-carlo", n_tables=2000, rng=1, n_jobs=2)
    print(law.mean.hex(), flush=True)
"""

SAMPLING = "cc.null_distribution(MARGINS, compiled, method='monte-carlo', n_tables=10**6, rng=1, n_jobs={})"
LAW = "cc.null_distribution(cc.Margins([52, 53, 54, 55], [52, 54, 54, 54]), 'jaccard', method='exact')"

PHASES = {
    "sampling, 1 worker": ("sampling.workers", "evaluate_block", 3, SAMPLING.format(1)),
    "sampling, 2 threads": ("sampling.workers", "evaluate_block", 3, SAMPLING.format(2)),
    "law": ("exact.enumeration", "run_in_background", 1, LAW),
}
"""A function, which of its calls begins the phase, and a call that takes minutes from there on.

LLVM loses an interrupt that comes while it compiles. At the third block of two threads one has ended its
first, and so all is compiled.
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "phase",  # one worker: as a command in the ordinary run
    ["sampling, 2 threads", "law", pytest.param("sampling, 1 worker", marks=pytest.mark.long)],
)
def test_in_every_phase(phase, record_property):
    module, name, begun, call = PHASES[phase]
    program = f"{SLOW}{telling(f'chancecorr.{module}', name, begun)}\ntry:\n    {call}{AFTERWARDS}"
    code, out, err, seconds = interrupted(program)
    law = cc.null_distribution(MARGINS, "jaccard", method="monte-carlo", n_tables=2000, rng=1)
    assert (code, out, err) == (0, f"{law.mean.hex()}\n", "")
    record_property("seconds_to_the_end", seconds)
    assert seconds < SOON


def interrupt_after(seconds):
    threading.Timer(seconds, _thread.interrupt_main).start()


@pytest.mark.slow
def test_an_interrupt_ends_the_wait_for_the_background():
    end = threading.Event()
    interrupt_after(0.2)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_in_background(lambda: end.wait(30.0))
    assert time.monotonic() - began < 10.0
    end.set()


@pytest.mark.parametrize("method", ["dynamic-programming", "enumeration"])
def test_the_bits_of_a_law_are_the_same_in_the_background(monkeypatch, method):
    margins, calls = cc.Margins([12, 13, 14], [12, 13, 14]), []
    plain = enumeration.compute_pair_sum_law(margins, method=method)
    monkeypatch.setattr(enumeration, "WORK_IN_BACKGROUND", 0.0)
    monkeypatch.setattr(enumeration, "run_in_background", lambda *f: calls.append(f) or run_in_background(*f))
    law = enumeration.compute_pair_sum_law(margins, method=method)
    assert calls
    assert law.probabilities.tobytes() == plain.probabilities.tobytes()


@pytest.mark.slow
def test_threads_count_no_further_tables_when_nobody_waits(monkeypatch):
    evaluate, counted = workers.evaluate_block, []
    monkeypatch.setattr(workers, "evaluate_block", lambda *b: counted.append(1) or evaluate(*b))
    task = task_of([cc.get_index("jaccard")], MARGINS, 1)
    interrupt_after(1.0)
    with pytest.raises(KeyboardInterrupt), joblib.parallel_config(backend="threading"):
        workers.map_in_threads(
            lambda _: workers.count_tables(task, {}, 0, 10**10, block_size=1000), range(2), 2
        )
    time.sleep(1.0)
    before = len(counted)
    assert before > 0
    time.sleep(0.5)
    assert len(counted) == before
