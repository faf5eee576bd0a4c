"""Blocks in processes of joblib's backend "multiprocessing": an error when a process is lost, and no hang."""

import multiprocessing
import os
import signal
import threading
import time

import joblib
import pytest

import chancecorr as cc
from tests.simulated import simulate, task_of

MARGINS = cc.Margins([30, 30, 40], [20, 45, 35])


def in_a_worker():
    return multiprocessing.parent_process() is not None


def ends_its_process(labels_true, labels_pred):
    if in_a_worker():
        os._exit(1)
    return 1.0


def raises_in_a_worker(labels_true, labels_pred):
    if in_a_worker():
        raise ValueError("no such luck")
    return 1.0


def napping(labels_true, labels_pred):
    time.sleep(0.001)
    return 1.0


def run(function, n_tables=20_000):
    task = task_of([cc.Index(name="mine", function=function, needs="labels")], MARGINS, 11)
    with joblib.parallel_config(backend="multiprocessing"):
        return simulate(task, n_tables, n_jobs=2, block_size=100)


@pytest.fixture
def children():
    """The processes that this one starts; none may be left, and after a minute all are killed."""
    before = set(multiprocessing.active_children())

    def started():
        return set(multiprocessing.active_children()) - before

    watchdog = threading.Timer(60.0, lambda: [child.kill() for child in started()])
    watchdog.start()
    yield started
    watchdog.cancel()
    deadline = time.monotonic() + 10.0
    while started() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not started()


@pytest.mark.heavy
class TestLosses:
    def test_an_index_that_ends_its_process_is_named(self, children):
        with pytest.raises(cc.IndexEvaluationError, match=r"process was lost while it evaluated 'mine'"):
            run(ends_its_process)

    def test_a_process_that_is_killed(self, children, record_property):
        killed = []

        def kill_one():
            while not children():
                time.sleep(0.01)
            time.sleep(0.3)
            killed.append(time.monotonic())
            os.kill(children().pop().pid, signal.SIGKILL)

        threading.Thread(target=kill_one).start()
        with pytest.raises(cc.IndexEvaluationError, match="process was lost"):
            run(napping)
        record_property("seconds_to_the_error", time.monotonic() - killed[0])

    def test_an_index_that_raises(self, children):
        with pytest.raises(cc.IndexEvaluationError, match=r"'mine' failed on the table .*no such luck"):
            run(raises_in_a_worker)

    def test_an_interrupt(self, children):
        threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            run(napping)
        assert time.monotonic() - began < 5.0
