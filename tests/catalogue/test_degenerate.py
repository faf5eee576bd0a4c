"""Every index by every method on degenerate tables: an answer or a refusal, and never a warning.

pytest makes errors of warnings, so that a division by zero that nobody caught fails here.
"""

import contextlib
import math

import pytest

import chancecorr as cc
from chancecorr.chance.options import METHODS

pytestmark = pytest.mark.heavy

DEGENERATE = [
    [[0]],
    [[0, 0], [0, 0]],
    [[1]],
    [[1], [1]],
    [[2, 1, 1]],
    [[5, 1], [0, 0]],
    [[1, 1, 1], [0, 0, 0]],
    [[1, 0], [0, 1]],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[2, 0], [0, 2]],
    [[3, 0], [0, 1]],
    [[1, 1], [1, 1]],
]


@pytest.mark.parametrize("table", DEGENERATE, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_an_answer_or_a_refusal(table, method):
    options = {"n_tables": 20, "rng": 1} if method not in ("analytic", "exact") else {}
    names = cc.list_indices()
    if method == "analytic":  # where one index has no moments from the margins, all of them are refused
        scores = {}
        for name in names:
            with contextlib.suppress(ValueError):
                scores[name] = cc.adjust_table(table, index=name, method=method)
    else:
        scores = cc.adjust_table(table, index=names, method=method, **options)
        assert list(scores) == names
    for name, score in scores.items():
        assert math.isfinite(score.adjusted) or score.remark, name
        assert score.to_dict()["index"] == name
        low, high = cc.get_index(name).range
        assert math.isnan(score.expected) or low - 1e-12 <= score.expected <= high + 1e-12, name
