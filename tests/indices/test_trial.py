"""A user's index is tried as Python before its machine code is trusted; its errors name it and the place."""

import subprocess
import sys

import numpy as np
import pytest

import chancecorr as cc

TABLE = [[3, 1, 2], [2, 4, 0]]
LARGE = [[4 * 10**6, 10**6], [2 * 10**6, 3 * 10**6]]


RARELY_BEYOND = """
import chancecorr as cc

def rarely(table, row_totals, column_totals):
    return table[0, 10**9] if table[0, 0] > 24 else table[0, 0]

index = cc.indices.Index(name="rarely", function=rarely, needs="table")
try:
    cc.null_distribution(cc.Margins([50, 50, 50], [50, 50, 50]), index, method="monte-carlo", rng=0)
except cc.indices.IndexEvaluationError as error:
    print(error)
"""


def with_import(table, row_totals, column_totals):
    import math

    return math.sqrt(table[0, 0])


def with_global(table, row_totals, column_totals):
    global last_table
    last_table = table
    return float(table[0, 0])


def with_class(table, row_totals, column_totals):
    class Corner:
        value = float(table[0, 0])

    return Corner.value


def own(function, needs="table", **about):
    return cc.indices.Index(name="mine", function=function, needs=needs, **about)


def next_column(table, row_totals, column_totals):
    total = 0.0
    for j in range(column_totals.size):
        total += table[row_totals.size - 1, j + 1]
    return total


def cube(table, row_totals, column_totals):
    n = row_totals.sum()
    return (table**2).sum() / n**3


LOGARITHMS = np.log(np.arange(1.0, 6.0))


def beyond_a_list(x, row, column, n):
    return x * LOGARITHMS[int(x)]


class TestFaults:
    @pytest.mark.heavy
    def test_reading_beyond_the_table(self):
        text = r"'mine' failed on the table \[\[.*\]\]: IndexError: index is out of bounds"
        for call in (cc.score_table, lambda table, index: cc.adjust_table(table, index=index, rng=0)):
            with pytest.raises(cc.indices.IndexEvaluationError, match=text):
                call(TABLE, own(next_column))

    @pytest.mark.heavy
    def test_reading_beyond_the_table_on_rare_tables_only(self):
        """The trial sees none of them; the process ended with a segmentation fault."""
        done = subprocess.run(
            [sys.executable, "-c", RARELY_BEYOND], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-500:]
        assert "Index 'rarely' failed" in done.stdout
        assert "IndexError" in done.stdout

    @pytest.mark.heavy
    def test_a_number_beyond_all_floats(self):
        with pytest.raises(cc.indices.IndexEvaluationError, match="it gave 0 compiled, and inf as Python"):
            cc.score_table(TABLE, own(lambda table, row_totals, column_totals: 10**400))

    @pytest.mark.heavy
    def test_whole_numbers_that_wrap_around(self):
        assert cc.score_table(TABLE, own(cube)) == pytest.approx(34 / 12**3)
        text = "compiled, and 3e-08 as Python on floats; whole numbers beyond 64 bits wrap"
        with pytest.raises(cc.indices.IndexEvaluationError, match=text):
            cc.score_table(LARGE, own(cube))

    def test_a_list_that_is_too_short_for_the_cell(self):
        assert cc.score_table([[3, 1], [2, 4]], own(beyond_a_list, "cells")) > 0
        with pytest.raises(cc.indices.IndexEvaluationError, match=r"on the table .*IndexError"):
            cc.score_table([[40, 0], [2, 11]], own(beyond_a_list, "cells"))
        with pytest.raises(cc.indices.IndexEvaluationError, match="IndexError"):
            cc.null_distribution(cc.Margins([40, 13], [42, 11]), own(beyond_a_list, "cells"))


class TestWhatPasses:
    @pytest.mark.parametrize("function", [with_import, with_global, with_class])
    @pytest.mark.heavy
    def test_statements_that_numba_does_not_know_run_as_python(self, function):
        with pytest.warns(
            RuntimeWarning, match="'mine' could not be compiled and runs as Python, far slower"
        ):
            score = cc.adjust_table(TABLE, own(function), rng=0)
        assert score.observed == function(np.array(TABLE), None, None)


@pytest.mark.parametrize("error", [ValueError("no"), StopIteration(), RuntimeError("own"), KeyError("k")])
def test_any_error_names_the_index_and_the_table(error):
    """StopIteration, too, which a context manager made of a generator would let through."""

    def broken(x, y):
        raise error

    index = cc.indices.Index(name="broken", function=broken, needs="labels")
    with pytest.raises(
        cc.indices.IndexEvaluationError, match=r"Index 'broken' failed on the table .*\[2, 1\]"
    ) as caught:
        cc.score_table([[2, 1], [0, 3]], index)
    assert caught.value.__cause__ is error
