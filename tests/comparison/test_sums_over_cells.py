"""Scores of sums over cells of many pairs at once, against those of one pair after the other."""

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.comparison import pairwise as module
from chancecorr.exact import additive as sums_over_cells

NAMES = [
    name
    for name in cc.indices.list_indices()
    if cc.indices.get_index(name).needs == "cells" and cc.indices.get_index(name).can_be_adjusted
]

NOT_AFFINE = {"contingency_coefficient", "cramer_v", "dom_q2", "nmi_joint", "nvi_joint", "tschuprow_t"}
"""Roots, quotients and the like of a sum."""


def clusterings(n=60):
    rng = np.random.default_rng(5)
    found = {"one": np.zeros(n, dtype=int), "alone": np.arange(n)}
    return found | {f"c{k}": rng.integers(0, k, n) for k in (2, 5, 9)} | {"equal": np.arange(n) % 3}


@pytest.mark.parametrize("name", NAMES)
def test_all_at_once_equal_one_by_one(name, monkeypatch):
    asked = {"index": name, "n_tables": 20, "rng": 1}
    shares = []

    def at_once(*arguments):
        found = sums_over_cells.score_sums_of_pairs(*arguments)
        shares.append(found[2].mean())
        return found

    monkeypatch.setattr(module, "score_sums_of_pairs", at_once)
    found = cc.pairwise(clusterings(), **asked)
    monkeypatch.setattr(module, "score_sums_of_pairs", lambda *_: None)
    expected = cc.pairwise(clusterings(), **asked)
    assert bool(shares[0] == 1.0) is (name not in NOT_AFFINE)
    for field in ("observed", "expected", "best", "adjusted"):
        one_by_one = getattr(expected, field)
        # scores near 0 are differences of numbers of the size of the best value, each rounded
        np.testing.assert_allclose(getattr(found, field), one_by_one, rtol=1e-13, atol=1e-13, err_msg=field)


def test_in_one_of_two_directions():
    found = cc.pairwise(clusterings(), index="homogeneity")
    for first, second in (("c5", "c9"), ("c9", "c5")):
        alone = cc.adjust(clusterings()[first], clusterings()[second], "homogeneity")
        assert found[first, second] == pytest.approx(alone.adjusted, rel=1e-13)


def test_what_would_take_too_much_is_left_to_one_by_one(monkeypatch):
    expected = cc.pairwise(clusterings(), index="nmi_sum").adjusted
    index, codes = cc.indices.get_index("nmi_sum"), np.zeros((2, 60), dtype=np.uint8)
    sizes = [np.array([60])] * 2
    pairs = np.array([0]), np.array([1])
    assert sums_over_cells.score_sums_of_pairs(index, codes, sizes, pairs, 1.0) is not None
    assert sums_over_cells.score_sums_of_pairs(index, codes, sizes, pairs, 0.0) is None
    monkeypatch.setattr(sums_over_cells, "MOST_CELLS_COUNTED", 100)
    np.testing.assert_allclose(cc.pairwise(clusterings(), index="nmi_sum").adjusted, expected, rtol=1e-13)
