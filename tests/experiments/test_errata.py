"""Numbers of the page of errata, computed again, and their arithmetic by other ways."""

import itertools
import math
import re
from fractions import Fraction
from importlib.metadata import version

import numpy as np
import pytest

import chancecorr as cc
from experiments import errata
from experiments.common.kept import ROOT
from tests.naive import all_tables, pair_counts, table_probability

PAGE = " ".join((ROOT / "docs" / "errata.md").read_text(encoding="utf-8").split())
CLAIMS = list(errata.list_claims())
PACKAGES = {
    "sklearn": "scikit-learn", "clusim": "clusim", "genieclust": "genieclust", "expected": "scikit-learn",
}  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: re.sub(r"[^\w.]+", "-", claim.heading))
def test_both_numbers_stand_on_the_page(claim):
    for prefix, package in PACKAGES.items():
        if claim.heading.startswith(f"`{prefix}") and f"{package} {version(package)} " not in PAGE:
            pytest.skip(f"the page is about another version of {package} than {version(package)}")
    wrong, right = (errata.show_number(number, claim.digits) for number in claim.compute())
    assert wrong != right
    start = PAGE.index(claim.heading)
    entry = PAGE[start : PAGE.index(" - **", start)]
    for number in (wrong, right):
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d])", entry)


@pytest.mark.parametrize("labels", [errata.ONE_CLUSTER, errata.SINGLETONS])
def test_identical_trivial_clusterings_by_arithmetic(labels):
    """No formula has a value where every pair is together in both, or apart in both."""
    a, b, c, d = pair_counts(labels, labels)
    assert b == c == a * d == 0
    for name in ("adjusted_rand", "rand", "fowlkes_mallows", "jaccard", "pair_sets_index"):
        assert cc.score(labels, labels, name) == 1.0


@pytest.mark.parametrize(("rows", "columns"), [((4, 2, 1), (3, 2, 2)), ((4, 3), (3, 2, 2))])
def test_the_variance_of_pairs_of_pairs_is_wrong(rows, columns):
    """The right one over all tables, in fractions."""
    n, values = sum(rows), {}
    for table in all_tables(rows, columns):
        T = sum(x * x for row in table for x in row)
        rand = 1 - Fraction(sum(x * x for x in rows + columns) - 2 * T, n * (n - 1))
        values[table] = rand, table_probability(table)
    mean = sum(p * x for x, p in values.values())
    variance = sum(p * x * x for x, p in values.values()) - mean**2
    wrong, right = errata.compare_variances(rows, columns)
    assert right == pytest.approx(float(variance), rel=1e-12)
    assert abs(wrong / right - 1) > 0.1


@pytest.mark.parametrize("index", ["adjusted_rand", *errata.EGANET_METHODS.values()])
def test_only_larger_values_are_counted(index):
    """Of 20 orders of three labels among six, two have each cluster whole, and the same value as the data."""
    orders = list(itertools.combinations(range(6), 3))
    values = [cc.score([0, 0, 0, 1, 1, 1], [k in order for k in range(6)], index) for order in orders]
    observed = values[orders.index((0, 1, 2))]
    better = [value <= observed if cc.get_index(index).best == 0 else value >= observed for value in values]
    larger = sum(value > observed for value in values)
    assert sum(better) == 2
    assert errata.compare_strict_p_value(index) == pytest.approx((larger / 20, 2 / 20))


def test_the_variance_by_chance_is_that_of_no_interval():
    """It is the same whether the clusterings are equal or each cluster is spread over the others."""
    equal, spread = cc.adjust_table([[4, 0], [0, 4]]), cc.adjust_table([[2, 2], [2, 2]])
    assert spread.adjusted < 0.0 < equal.adjusted == 1.0
    assert equal.std == spread.std > 0.0


def test_the_balanced_index_is_not_0_by_chance():
    """Its rows are scaled to their mean and cut, and put into the formula as if they were counts."""
    rows, columns = (30, 6, 3), (20, 19)
    mean, right = 0.0, 0.0
    for table in all_tables(rows, columns):
        p = float(table_probability(table))
        scales = [1.0 / (total / 13) for total in rows]
        x = np.array([[int(k * scale) for k in row] for row, scale in zip(table, scales, strict=True)])
        T, A, B = (int((side**2).sum()) for side in (x, x.sum(axis=1), x.sum(axis=0)))
        a, b, c, d = T - 39, A - T, B - T, 39 * 39 - A - B + T
        mean += p * 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))
        labels = [np.repeat(np.arange(3), rows), np.concatenate([np.repeat([0, 1], row) for row in table])]
        right += p * cc.adjusted_score(*labels, weights="reference")
    assert f"{mean:.3g}" == "0.122"
    assert "0.122; right: 0, by `adjust" in PAGE
    assert right == pytest.approx(0.0, abs=1e-12)


def test_tables_of_singletons_are_permutations():
    """What clustering-mi 0.2.2 gave: another unit, and each factorial of one more."""
    for sizes, theirs in (((1, 1, 1, 1), 2.5700594801788927), ((2, 2), 1.3809896963952202)):
        labels = math.factorial(4) / math.prod(map(math.factorial, sizes))
        assert len(list(all_tables(sizes, (1, 1, 1, 1)))) == labels  # nothing is saved
        taken_off = math.log(math.factorial(5) / math.prod(math.factorial(size + 1) for size in sizes))
        assert math.log2(labels) - taken_off == pytest.approx(theirs)
