"""Moments of pair-counting indices on tables of a billion objects, with every warning of NumPy an error."""

import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr import ContingencyTable, Margins
from chancecorr.chance.engines import PAIRS
from chancecorr.chance.options import AUTO
from chancecorr.exact.index_of_pair_sum import evaluate_over_range
from chancecorr.exact.quadrature import compute_smooth_moments
from chancecorr.indices.evaluation import evaluate_pair_sums
from tests.quadrature_errors import smooth_indices

BILLION = 10**9

# one huge cluster beside few objects: to float64 the rules of five and of six nodes share nodes
RARE = [
    ([1_999_992, 7], [1_999_992, 7]),
    ([10, 129_040_927], [6, 129_040_931]),
    ([2_999_999_992, 8], [2_999_999_992, 8]),
    ([499_999_988, 11], [499_999_990, 9]),
]

BALANCED = [([BILLION * 3 // 2] * 2,) * 2, ([BILLION] * 2, [BILLION - 7, BILLION + 7])]


def pair_indices():
    return [entry for entry in map(cc.get_index, cc.list_indices("pair_counting")) if entry.needs == "pairs"]


def law_of_two_by_two(rows, columns):
    """Values of T, ascending, and their probabilities as fractions, of a table with a small cell."""
    small, few = min(rows), min(columns)
    n, law = sum(rows), {}
    tables = math.comb(n, small)
    for x in range(min(small, few) + 1):
        T = x**2 + (small - x) ** 2 + (few - x) ** 2 + (n - small - few + x) ** 2
        law[T] = law.get(T, 0) + Fraction(math.comb(few, x) * math.comb(n - few, small - x), tables)
    return dict(sorted(law.items()))


@pytest.mark.parametrize(("rows", "columns"), RARE)
def test_stated_errors_cover_the_true_ones_where_rules_share_nodes(rows, columns):
    margins, law = Margins(rows, columns), law_of_two_by_two(rows, columns)
    probabilities, compared = np.array([float(p) for p in law.values()]), 0
    for index in smooth_indices():
        try:
            with np.errstate(all="raise"):
                found = compute_smooth_moments(index, margins)
        except ValueError as error:
            if "must be smooth" not in str(error):
                raise
            continue
        values = evaluate_pair_sums(index, np.array(list(law)), margins)
        mean = math.fsum(probabilities * values)
        # the values themselves are rounded, as are those at the nodes
        rounding = 2.0**-52 * max(1.0, float(np.abs(values).max()))
        assert abs(found.moments.mean - mean) <= found.error + rounding, index.name
        if found.relative_error_of_variance < 1e-3:
            variance = math.fsum(probabilities * (values - mean) ** 2)
            slack = found.relative_error_of_variance + 4.0 * rounding / math.sqrt(variance)
            assert abs(found.moments.variance / variance - 1.0) <= slack, index.name
            compared += 1
    assert compared > 15


@pytest.mark.parametrize(("rows", "columns"), BALANCED)
def test_all_indices_of_billions(rows, columns):
    margins = Margins(rows, columns)
    for index in pair_indices():
        with np.errstate(all="raise"):
            known = PAIRS.moments(index, margins, AUTO)
        assert known is None or not math.isnan(known.moments.mean) or is_undefined(index, margins), index.name


def is_undefined(index, margins):
    """Whether an index is nan on some table."""
    return np.isnan(evaluate_over_range(index, margins)[1]).any()


def huge_unequal_table(rng):
    """A small table whose cells are of any size up to a billion, some of them empty."""
    shape = (2, 2) if rng.integers(2) else tuple(rng.integers(2, 4, size=2))
    table = np.floor(10.0 ** rng.uniform(-0.5, 9.0, size=shape)).astype(np.int64)
    table[rng.random(shape) < 0.2] = 0
    if rng.integers(5) == 0:
        table = table * np.eye(*shape, dtype=np.int64) + rng.integers(0, 3, size=shape)
    return table // (1 + table.sum() // 3_037_000_499)


TABLES = [
    [[77_909_688, 0], [1, 2]], [[0, 2], [77_909_688, 1]], [[5, 5], [1, 129_040_926]],
    [[2, 1], [1, 6_414_033]],
    # the last node is at the largest T, and was rounded beyond it
    [[1, 2, 0], [2, 130, 1]], [[7, 0, 2], [2, 1, 0]], [[270_022_395, 0], [0, 5]],
    *(huge_unequal_table(np.random.default_rng([5, number])).tolist() for number in range(12)),
]  # fmt: skip


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_no_index_fails_or_warns_on_huge_unequal_cells(table):
    observed = ContingencyTable(table)
    margins = observed.margins
    for index in pair_indices():
        with np.errstate(all="raise"):
            known = PAIRS.moments(index, margins, AUTO)
            value = PAIRS.value(index, observed)
        if known is not None and math.isnan(known.moments.mean):
            assert math.isnan(value) or is_undefined(index, margins), index.name
