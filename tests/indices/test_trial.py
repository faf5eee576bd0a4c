"""A user's index runs as it is, its whole numbers checked; its errors name it and the place."""

import numba
import numpy as np
import pytest

import chancecorr as cc

TABLE = [[3, 1, 2], [2, 4, 0]]
LARGE = [[4 * 10**6, 10**6], [2 * 10**6, 3 * 10**6]]


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


SHORT, NEXT = own(beyond_a_list, "cells"), cc.ContingencyTable([[40, 0], [2, 11]])
BEYOND = r"'mine' failed on the table \[\[.*\]\]: IndexError: index 3 is out of bounds"
FAULTS = {
    "beyond the table": (lambda: cc.score_table(TABLE, own(next_column)), BEYOND),
    "beyond the table, adjusted": (lambda: cc.adjust_table(TABLE, index=own(next_column), rng=0), BEYOND),
    "beyond all floats": (lambda: cc.score_table(TABLE, own(lambda *_: 10**400)), "Error: int too large"),
    "wrapped around": (
        lambda: cc.score_table(LARGE, own(cube)),
        "and 3e-08 on floats; whole numbers beyond 64",
    ),
    "a list too short": (lambda: cc.score_table(NEXT.counts, SHORT), r"on the table .*IndexError"),
    "a list too short for a law": (lambda: cc.null_distribution(NEXT.margins, SHORT), "IndexError"),
}


@pytest.mark.parametrize(("call", "text"), FAULTS.values(), ids=FAULTS)
def test_faults(call, text):
    assert cc.score_table(TABLE, own(cube)) == pytest.approx(34 / 12**3)
    assert cc.score_table([[3, 1], [2, 4]], SHORT) > 0
    with pytest.raises(cc.indices.IndexEvaluationError, match=text):
        call()


@pytest.mark.slow
def test_statements_that_numba_does_not_know_run_as_python():
    def with_import(x, row, column, n):
        import math

        return math.sqrt(x)

    with pytest.warns(RuntimeWarning, match="'mine' could not be compiled and runs as Python, far slower"):
        score = cc.adjust_table(TABLE, own(with_import, "cells"), rng=0)
    assert score.observed == pytest.approx(np.sqrt(TABLE).sum(), rel=1e-15)


@pytest.mark.slow
def test_machine_code_that_the_user_has_made_is_called():
    compiled = numba.njit(lambda table, row_totals, column_totals: (table**2).sum() / row_totals.sum() ** 2)
    both = own(compiled.py_func), own(compiled)
    ours, theirs = (cc.adjust_table(TABLE, each, method="monte-carlo", rng=0) for each in both)
    assert ours.expected == theirs.expected
    assert compiled.signatures


@pytest.mark.parametrize("error", [ValueError("no"), StopIteration(), RuntimeError("own"), KeyError("k")])
def test_any_error_names_the_index_and_the_table(error):
    """StopIteration, too, which a context manager made of a generator would let through."""

    def broken(x, y):
        raise error

    index = cc.indices.Index(name="broken", function=broken, needs="labels")
    failed = r"Index 'broken' failed on the table .*\[2, 1\]"
    with pytest.raises(cc.indices.IndexEvaluationError, match=failed) as caught:
        cc.score_table([[2, 1], [0, 3]], index)
    assert caught.value.__cause__ is error
