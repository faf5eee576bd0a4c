"""The same bits for any workers, blocks and backend; progress, interruption, and indices that fail."""

import itertools
import math
import multiprocessing
import os
import re
import sys
import threading
import time
import tracemalloc

import joblib
import numpy as np
import pytest

import chancecorr as cc
from chancecorr.indices import Index, IndexEvaluationError
from chancecorr.sampling import permutation, workers
from chancecorr.sampling import task as tasks
from chancecorr.sampling.permutation import draw_pair_sums, plan_sampler
from chancecorr.sampling.seeding import make_seed
from tests import simulated
from tests.sampling.fits import COMPILED
from tests.simulated import simulate

MARGINS = cc.Margins([30, 30, 40], [20, 45, 35])


def largest_cell(table, row_totals, column_totals):
    return table.max() / row_totals.sum()


def entropy_term(n_ij, row, column, n):
    return -n_ij / n * math.log(n_ij / n)


def share_in_place(labels_true, labels_pred):
    return (labels_true == labels_pred).mean()


KINDS = [
    cc.get_index("jaccard"),
    Index(name="joint_entropy", function=entropy_term, needs="cells"),
    Index(name="largest_cell", function=largest_cell, needs="table"),
    Index(name="share_in_place", function=share_in_place, needs="labels"),
]


def task_of(indices=KINDS, margins=MARGINS, seed=11):
    return simulated.task_of(indices, margins, seed)


def joint_bits(**options):
    """Bytes of values, control variates and counts; T is tallied with the values."""
    found = simulated.joint(simulated.task_of(KINDS, MARGINS, 11, centre=3400), 12_000, **options)
    return {name: [None if x is None else x.tobytes() for x in each[:3]] for name, each in found.items()}


def bits(results):
    return {name: (x.tobytes(), counts.tobytes(), x.dtype.str) for name, (x, counts) in results.items()}


@pytest.fixture(scope="module")
def reference():
    return bits(simulate(task_of(), 12_000))


class TestSameBits:
    @pytest.mark.slow
    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_blocks_and_threads(self, reference, monkeypatch, n_jobs):
        joint = joint_bits()
        for block_size in (100, 5000, 12_000):
            assert bits(simulate(task_of(), 12_000, n_jobs=n_jobs, block_size=block_size)) == reference
            assert joint_bits(n_jobs=n_jobs, block_size=block_size) == joint
        monkeypatch.setattr(permutation, "CELLS_IN_CACHE", 1000)
        assert bits(simulate(task_of(), 12_000)) == reference
        assert joint_bits() == joint

    @pytest.mark.slow
    def test_processes(self, reference):
        with joblib.parallel_config(backend="loky"):
            assert bits(simulate(task_of(), 12_000, n_jobs=2, block_size=1000)) == reference


def test_values_are_those_of_the_sampled_tables():
    tables = cc.sample_tables(MARGINS, 500, rng=11)
    results = simulate(task_of(), 500)
    naive = {
        "jaccard": [cc.score_table(table, "jaccard") for table in tables],
        "joint_entropy": [-sum(x / 100 * math.log(x / 100) for x in table.ravel() if x) for table in tables],
        "largest_cell": [table.max() / 100 for table in tables],
        # The labels come in the order of the cells: equal numbers where row and column number are equal.
        "share_in_place": [np.trace(table) / 100 for table in tables],
    }
    for name, expected in naive.items():
        values, counts = results[name]
        np.testing.assert_allclose(np.repeat(values, counts), np.sort(expected), rtol=1e-12)


def ends_its_process(labels_true, labels_pred):
    if multiprocessing.parent_process() is not None:
        os._exit(1)
    return 1.0


CELLS_OF_A_NOTEBOOK = {
    "labels": """
def helper():
    return {value}

def mine(labels_true, labels_pred):
    return helper()
""",
    "table": """
def mine(table, row_totals, column_totals):
    return {value}
""",
}


class TestProcesses:
    def test_a_backend_that_waits_for_ever_after_a_loss_is_refused(self):
        with (
            joblib.parallel_config(backend="multiprocessing", n_jobs=2),
            pytest.raises(ValueError, match=r"^`backend` of joblib must .* got \"multiprocessing\"\. Use"),
        ):
            cc.null_distribution(MARGINS, "jaccard", method="monte-carlo", n_tables=400_000, rng=1)

    @pytest.mark.slow
    @pytest.mark.parametrize(("needs", "n_tables"), [("labels", 20_000), ("table", 100_000)])  # shared out
    def test_cells_of_a_notebook_that_are_run_again(self, needs, n_tables, capfd):
        """The workers live on, and do not answer with the function that they know."""
        names = {"__name__": "__main__"}
        for value in (1.0, 2.0):
            exec(CELLS_OF_A_NOTEBOOK[needs].format(value=value), names)
            task = task_of([Index(name="mine", function=names["mine"], needs=needs)])
            with joblib.parallel_config(backend="loky"):
                values, counts = simulate(task, n_tables, n_jobs=2)["mine"]
            assert (values.tolist(), counts.tolist()) == ([value], [n_tables])
        assert capfd.readouterr().err == ""

    @pytest.mark.slow
    def test_an_index_that_ends_its_process_is_named(self):
        task = task_of([Index(name="mine", function=ends_its_process, needs="labels")])
        message = r"^Processes failed while they evaluated 'mine'\. .*terminated.*memory.*$"
        with joblib.parallel_config(backend="loky"), pytest.raises(IndexEvaluationError, match=message):
            simulate(task, 12_000, n_jobs=2, block_size=100)


class TestBlocksByTime:
    """An index that takes a millisecond, of which the sampler's forecast knows nothing."""

    def slow(self, calls, seconds=0.001):
        def napping(labels_true, labels_pred):
            calls.append(threading.get_ident())
            time.sleep(seconds)
            return (labels_true == labels_pred).mean()

        return task_of([Index(name="napping", function=napping, needs="labels")])

    @pytest.mark.parametrize(("is_timed", "wanted"), [(True, [1, 5, 5, 5, 4]), (False, [8, 8, 4])])
    def test_a_users_function_is_timed_on_the_first_table_alone(self, is_timed, wanted, monkeypatch):
        clock, blocks = [0.0], []

        def evaluate(first, count):
            clock[0] += count * 2e-2
            blocks.append((first, count))

        monkeypatch.setattr(workers, "read_clock", lambda: clock[0])
        how = {"names": "mine", "size": 8, "is_timed": is_timed}
        workers.evaluate_in_blocks(evaluate, lambda _: None, range(3, 23), **how)
        assert [count for _, count in blocks] == wanted
        assert [first for first, _ in blocks] == list(itertools.accumulate(wanted[:-1], initial=3))

    @pytest.mark.slow
    def test_blocks_are_short_and_no_table_is_evaluated_twice(self, monkeypatch, record_property):
        blocks, calls = [], []
        evaluate = workers.evaluate_block
        monkeypatch.setattr(workers, "evaluate_block", lambda *b: blocks.append(evaluate(*b)) or blocks[-1])
        found = simulate(self.slow(calls), 400, n_jobs=2)
        assert len(calls) == sum(block.n_tables for block in blocks) == 400
        # 0.4 s or more of work in blocks of 0.1 s: at most 100 tables each
        largest = max(block.n_tables for block in blocks)
        record_property("largest_block", largest)
        assert largest <= 100
        assert len(blocks) >= 4
        assert bits(found)["napping"] == bits(simulate(task_of([KINDS[3]]), 400))["share_in_place"]


def test_a_run_is_alone_unless_workers_were_asked_for_or_configured():
    """Scikit-learn imports joblib, which then has one worker."""
    assert not workers._has_workers(None)
    assert not workers._has_workers(1)
    assert workers._has_workers(2)
    with joblib.parallel_config(n_jobs=2):
        assert workers._has_workers(None)
        assert not workers._has_workers(1)


class TestProgress:
    def simulate_slowly(self, monkeypatch, progress):
        monkeypatch.setattr(workers, "PROGRESS_AFTER_SECONDS", 0.0)
        return simulate(task_of([KINDS[0]]), 3000, block_size=500, progress=progress)

    def test_shown_when_asked_for(self, monkeypatch, capsys):
        self.simulate_slowly(monkeypatch, True)
        out, err = capsys.readouterr()
        assert (out, "3000" in err) == ("", True)

    @pytest.mark.skipif(not COMPILED, reason="uncompiled, all work is long")
    def test_shown_on_a_terminal_for_long_work_only(self, monkeypatch, capsys):
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        simulate(task_of([KINDS[0]]), 3000, block_size=500)
        assert capsys.readouterr().err == ""
        self.simulate_slowly(monkeypatch, None)
        assert "3000" in capsys.readouterr().err

    def test_a_map_keeps_the_order_and_counts_what_is_done(self, capsys):
        items = [0.02, 0.0, 0.01, 0.0]
        how = {"unit": "naps", "progress": True}
        assert workers.map_in_threads(lambda wait: time.sleep(wait) or wait, items, 2, **how) == items
        assert re.search(r"naps.*4/4|4/4.*naps", capsys.readouterr().err)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_tables(record_property):
    """The tally of many blocks holds distinct T only: at most (T_max - T_min) / 2 of them, 16 bytes each."""

    def peak(n_tables):
        tracemalloc.start()
        try:
            null = cc.null_distribution(margins, method="monte-carlo", n_tables=n_tables, rng=1)
            return tracemalloc.get_traced_memory()[1], null.counts.sum()
        finally:
            tracemalloc.stop()

    margins = cc.Margins([24, 24, 32], [24, 24, 32])
    peak(1000)
    few, many = peak(2 * tasks.MOST_TABLES_A_BLOCK), peak(20 * tasks.MOST_TABLES_A_BLOCK)
    assert many[1] == 20 * tasks.MOST_TABLES_A_BLOCK
    assert many[0] < 1.5 * few[0]
    record_property("peak_mib", many[0] / 2**20)
    record_property("growth", many[0] / few[0])


class TestIndicesThatFail:
    def failing(self, needs, function):
        return task_of([Index(name="mine", function=function, needs=needs)])

    def test_pairs_function_that_raises_names_index_counts_and_table(self):
        sums = draw_pair_sums(plan_sampler(MARGINS), make_seed(11), 0, 1000)
        threshold = (int(np.quantile(sums, 0.9)) - 100) // 2

        def fussy(a, b, c, d):
            if (a > threshold).any():
                raise ArithmeticError("too much agreement")
            return a

        with pytest.raises(IndexEvaluationError, match=r"'mine' failed on .* a=\d+.*too much") as caught:
            simulate(self.failing("pairs", fussy), 1000)
        table = np.array(eval(str(caught.value).split("The table: ")[1].rstrip(".")))
        assert (table.sum(axis=1) == MARGINS.row_totals).all()
        assert (int((table**2).sum()) - 100) // 2 > threshold

    def test_pairs_function_that_is_not_elementwise(self):
        with pytest.raises(IndexEvaluationError, match="'mine' must work elementwise"):
            simulate(self.failing("pairs", lambda a, b, c, d: a if a > b else b), 100)

    @pytest.mark.slow
    @pytest.mark.parametrize("needs", ["table", "cells", "labels"])
    def test_one_that_raises(self, needs):
        def of_labels(labels_true, labels_pred):
            if labels_true[0] == 0:
                raise ValueError("no such luck")

        def of_table(table, row_totals, column_totals):
            if table[0, 0] >= 0:
                raise ValueError("no such luck")
            return 0.0

        def of_cell(n_ij, row, column, n):
            if n_ij > 0:
                raise ValueError("no such luck")
            return 0.0

        raising = {"table": of_table, "cells": of_cell, "labels": of_labels}[needs]
        with pytest.raises(IndexEvaluationError, match=r"'mine' failed on the table \[\[.*no such luck"):
            simulate(self.failing(needs, raising), 100)

    @pytest.mark.skipif(not COMPILED, reason="of what Numba cannot compile")
    @pytest.mark.filterwarnings("ignore:Index 'mine' could not be compiled:RuntimeWarning")
    @pytest.mark.parametrize("needs", ["table", "cells", "labels", "pairs"])
    def test_one_that_returns_something_other_than_a_number(self, needs):
        for value in ("seven", None, 1j, (1.0, 2.0)):
            with pytest.raises(IndexEvaluationError, match=r"'mine' failed on .*number"):
                simulate(self.failing(needs, lambda *arguments, value=value: value), 100)
