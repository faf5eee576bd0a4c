"""The check of default p-values: its truths against sums over all tables in fractions, and a small run."""

import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.laws.enumeration import pair_sum_law
from experiments.checks import default_p_values as check


@pytest.mark.parametrize("name", check.OF_LARGEST)
def test_tail_of_the_free_cell(name):
    size, rng = check.OF_LARGEST[name], np.random.default_rng(5)
    for _ in range(40):
        x, y, z, w = rng.integers(0, 40, 4).tolist()
        n, r, c = x + y + z + w, x + y, x + z
        ways = [
            math.comb(r, k) * math.comb(n - r, c - k)
            for k in range(max(0, r + c - n), min(r, c) + 1)
            if size(k, r - k, c - k, n - r - c + k) >= size(x, y, z, w)
        ]
        truth = float(Fraction(sum(ways), math.comb(n, c)))
        assert check.tail_of_free_cell(cc.ContingencyTable([[x, y], [z, w]]), size) == pytest.approx(truth)


def test_between_bonferroni():
    """Three pairs of 15 objects: P(one or more in common) by the sums is that of the law."""
    table = cc.ContingencyTable(np.diag([2] * 5 + [1] * 20))
    p, half = check.between_bonferroni(table)
    truth = cc.null_distribution(table.margins, "rand").p_value(1.0)
    assert abs(p - truth) <= half + 1e-12 * truth


@pytest.mark.heavy
def test_a_small_run(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["default_p_values", "--margins", "9", "--seed", "3"])
    monkeypatch.setattr(check, "OTHER_TABLES", 20_000)
    monkeypatch.setattr(check, "pair_sum_law", lambda margins, budget: pair_sum_law(margins, budget=0.5))
    check.main()
    printed = capsys.readouterr().out
    assert "missed" not in printed
    assert {line.split("  ")[0].strip() for line in printed.splitlines()} >= {*check.KINDS, "all"}
