"""Blocks on a Dask cluster: the same bits whatever becomes of workers, an error where nothing can go on."""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from types import SimpleNamespace

import joblib
import numpy as np
import pytest

import chancecorr as cc
from chancecorr.indices import Index, IndexEvaluationError
from chancecorr.sampling import workers
from tests.simulated import simulate, task_of

dask = pytest.importorskip("dask", reason="the extra `dask` is not installed")
distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")

MARGINS = cc.Margins([30, 30, 40], [20, 45, 35])


def in_a_worker():
    return multiprocessing.parent_process() is not None


def slow_largest_cell(labels_true, labels_pred):
    return float(np.bincount(labels_true * 3 + labels_pred).max())


def ends_its_worker(labels_true, labels_pred):
    if in_a_worker():
        os._exit(1)
    return 1.0


def raises_in_a_worker(labels_true, labels_pred):
    if in_a_worker():
        raise ValueError("no such luck")
    return 1.0


def napping(labels_true, labels_pred):
    time.sleep(0.01)
    return 1.0


def task(function, name="mine"):
    return task_of([Index(name=name, function=function, needs="labels")], MARGINS, 11)


def bits(results):
    return {name: (values.tobytes(), counts.tobytes()) for name, (values, counts) in results.items()}


@contextlib.contextmanager
def cluster_of(n_workers, *, processes=True, **options):
    """A cluster and its client, while the active backend of joblib is Dask."""
    with (
        distributed.LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            processes=processes,
            dashboard_address=":0",
            silence_logs=50,
            **options,
        ) as cluster,
        distributed.Client(cluster) as client,
        joblib.parallel_config(backend="dask"),
    ):
        yield cluster, client


@contextlib.contextmanager
def seconds_at_most(limit, record=lambda *_: None):
    """An interrupt after so many seconds, so that what hangs fails, and a check of the time."""
    late = threading.Timer(2 * limit, os.kill, (os.getpid(), signal.SIGINT))
    late.start()
    began = time.monotonic()
    try:
        yield
    finally:
        late.cancel()
    seconds = time.monotonic() - began
    record("seconds_to_the_error", seconds)
    assert seconds < limit


def meanwhile(action, after):
    timer = threading.Timer(after, action)
    timer.start()
    return timer


@pytest.fixture(scope="module")
def two_workers():
    """A cluster of two worker processes."""
    with cluster_of(2) as (cluster, _):
        yield cluster


@pytest.mark.slow
class TestWorkers:
    @pytest.fixture(autouse=True)
    def dask_is_active(self, two_workers):
        with joblib.parallel_config(backend="dask"):
            yield

    def test_same_bits(self):
        expected = bits(simulate(task(slow_largest_cell), 12_000, n_jobs=1))
        assert bits(simulate(task(slow_largest_cell), 12_000, block_size=1000)) == expected

    def test_all_blocks_come_once_and_in_their_order(self):
        backend, _ = joblib.parallel.get_active_backend()
        blocks = [(7 * place, 7) for place in range(500)]
        asked = backend, lambda first, n_tables: (first, n_tables), iter(blocks), ["mine"]
        assert list(workers.evaluate_on_cluster(*asked)) == blocks

    def test_an_index_that_raises(self):
        with pytest.raises(IndexEvaluationError, match=r"'mine' failed on the table \[\[.*no such luck"):
            simulate(task(raises_in_a_worker), 12_000, block_size=100)

    def test_an_interrupt_ends_the_call_at_once(self):
        sent = []

        def interrupt():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        meanwhile(interrupt, 0.5)
        with seconds_at_most(20), pytest.raises(KeyboardInterrupt):
            simulate(task(napping), 100_000, block_size=20)
        assert time.monotonic() - sent[0] < 2.0

    def test_same_bits_when_a_worker_is_killed_in_the_middle(self, two_workers, monkeypatch):
        combine, combined = workers.combine, []

        def kill_one_after_the_first_results(*given):
            combine(*given)
            combined.append(given)
            if len(combined) == 3:
                nanny = two_workers.workers[0]
                nanny.close_gracefully()  # starts no other worker
                os.kill(nanny.pid, signal.SIGKILL)

        expected = bits(simulate(task(slow_largest_cell), 12_000, n_jobs=1))
        monkeypatch.setattr(workers, "combine", kill_one_after_the_first_results)
        assert bits(simulate(task(slow_largest_cell), 12_000, block_size=500)) == expected

    def test_an_index_that_ends_its_worker_is_named(self, two_workers, monkeypatch, record_property):
        monkeypatch.setattr(two_workers.scheduler, "allowed_failures", 0)
        with (
            seconds_at_most(40, record_property),
            pytest.raises(IndexEvaluationError, match=r"Dask workers were lost .* 'mine'.* memory"),
        ):
            simulate(task(ends_its_worker), 12_000, block_size=500)


@pytest.mark.slow
class TestNothingCanGoOn:
    def test_all_workers_are_closed(self, monkeypatch, record_property):
        monkeypatch.setattr(workers, "NO_WORKER_SECONDS", 1.0)
        expected = r"must have workers; the scheduler \S+ has had none for 1 seconds. Start workers."
        with cluster_of(1, processes=False) as (cluster, _), seconds_at_most(20, record_property):
            meanwhile(lambda: cluster.scale(0), 0.5)
            with pytest.raises(TimeoutError, match=expected):
                simulate(task(napping), 100_000, block_size=20)

    def test_the_client_is_closed_while_it_waits(self, monkeypatch):
        """In the moment between the end of a wait and the question whether there are workers."""

        def wait(future, timeout):
            raise TimeoutError

        monkeypatch.setattr("distributed.wait", wait)
        with pytest.raises(ConnectionError):
            workers._wait_for(None, SimpleNamespace(scheduler=None))

    def test_the_cluster_is_closed(self, record_property):
        with cluster_of(1, processes=False) as (cluster, _), seconds_at_most(20, record_property):
            closing = meanwhile(cluster.close, 0.5)
            with pytest.raises(ConnectionError, match="The Dask scheduler is lost"):
                simulate(task(napping), 100_000, block_size=20)
            closing.join(timeout=20)
