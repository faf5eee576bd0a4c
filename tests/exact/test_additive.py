"""Moments of cell sums: enumeration, printed values, scikit-learn, exact integers."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.additive import compute_additive_moments, is_additive
from chancecorr.exact.additive import compute_cell_sum_mean as mean_of
from chancecorr.exact.additive import compute_cell_sum_variance as variance_of
from chancecorr.indices import IndexEvaluationError
from chancecorr.tables.pair_sum import compute_pair_sum_moments
from tests import naive
from tests.sampling.fits import COMPILED

BILLION = 10**9


def cells(name, phi, link=None):
    return cc.indices.Index(name=name, function=phi, needs="cells", link=link)


ENTROPY = cells("entropy", lambda x, a, b, n: x * math.log(x))
INFORMATION = cells("information", lambda x, a, b, n: x / n * math.log(n * x / (a * b)))
SQUARES = cells("squares", lambda x, a, b, n: x * x)
CHI_SQUARE = cells("chi_square", lambda x, a, b, n: x * x / (a * b))
CUBES = cells("cubes", lambda x, a, b, n: x * x * x)
FILLED = cells("filled", lambda x, a, b, n: 1.0)
PRECISION = cells("precision", lambda x, a, b, n: x * x / a)
WILD = cells("wild", lambda x, a, b, n: math.sin(12.9898 * x + 78.233 * a - 37.719 * b) - 0.3 * a / b)
ALL = [ENTROPY, INFORMATION, SQUARES, CHI_SQUARE, CUBES, FILLED, PRECISION, WILD]


PAIR_SUM_MARGINS = [
    ((240, 240, 320), (240, 240, 320)),
    ((100, 300, 400), (150, 250, 400)),
    ((40_000, 40_000), (79_999, 1)),
    ((50, 20, 20, 10), (30, 30, 25, 5, 5, 5)),
    ((7,) * 20, (10,) * 14),
    (tuple(range(1, 25)), (150, 100, 50)),
    ((1, 1, 1, BILLION), (2, 1, BILLION)),
]
if COMPILED:  # minutes of Python
    PAIR_SUM_MARGINS.append(((100_000, 300_000, 600_000), (200_000, 350_000, 450_000)))
    PAIR_SUM_MARGINS.append((tuple(range(1, 41)), (355, *range(1, 31))))  # more totals than at a time


def check_against_enumeration(index, row_totals, column_totals):
    """Mean and variance over all tables, to rounding of the largest sum."""
    n, phi = float(sum(row_totals)), index.function
    law = naive.law_of_tables(row_totals, column_totals)

    def total(table):
        parts = zip(row_totals, table, strict=True)
        cells = ((x, a, b) for a, row in parts for b, x in zip(column_totals, row, strict=True) if x > 0)
        return math.fsum(phi(float(x), float(a), float(b), n) for x, a, b in cells)

    sums, weights = [total(table) for table, _ in law], [float(p) for _, p in law]
    mean = math.fsum(p * x for p, x in zip(weights, sums, strict=True))
    variance = math.fsum(p * (x - mean) ** 2 for p, x in zip(weights, sums, strict=True))
    size, margins = max(map(abs, sums)) + 1, cc.Margins(row_totals, column_totals)
    assert mean_of(index, margins) == pytest.approx(mean, rel=1e-12, abs=1e-14 * size)
    assert variance_of(index, margins) == pytest.approx(variance, rel=1e-12, abs=1e-26 * size**2)


LIKE_AND_UNLIKE = [
    ((3, 3, 3), (3, 2, 2, 2)),  # equal totals on both sides
    ((9, 1, 1, 1), (8, 2, 1, 1)),  # one huge, many tiny
    ((40, 2), (39, 2, 1)),
    ((7,), (4, 2, 1)),  # one row
    ((0, 5, 0, 4), (0, 3, 3, 3, 0)),  # empty clusters
]


@pytest.mark.parametrize(("row_totals", "column_totals"), [*naive.SMALL_MARGINS, *LIKE_AND_UNLIKE])
def test_equal_the_enumeration_of_all_tables(row_totals, column_totals):
    for index in ALL:
        check_against_enumeration(index, row_totals, column_totals)


@pytest.mark.parametrize(("row_totals", "column_totals"), PAIR_SUM_MARGINS)
def test_squares_have_the_moments_of_the_pair_sum(row_totals, column_totals):
    margins = cc.Margins(row_totals, column_totals)
    exact = compute_pair_sum_moments(margins)
    assert mean_of(SQUARES, margins) == pytest.approx(float(exact.mean), rel=1e-12, abs=0)
    if row_totals[-1] < BILLION:  # there the deviation of T is 1e-15 of its mean
        assert variance_of(SQUARES, margins) == pytest.approx(float(exact.variance), rel=1e-11, abs=0)


def test_mean_of_mutual_information_keeps_its_digits_at_a_million_objects():
    """40 digits, probabilities from exact integers. Scikit-learn is off by 2e-9, phi itself by 2e-10."""
    n, a, b = 1_000_000, 300, 400
    margins = cc.Margins([a, n - a], [b, n - b])
    with localcontext() as context:
        context.prec = 40
        total = Decimal(0)
        ways = Decimal(math.comb(n, a))
        for x in range(0, 60):
            p = Decimal(math.comb(b, x) * math.comb(n - b, a - x)) / ways
            cells = (x, a, b), (a - x, a, n - b), (b - x, n - a, b), (n - a - b + x, n - a, n - b)
            for count, row, column in cells:
                if count:
                    ratio = Decimal(n) * count / (Decimal(row) * column)
                    total += p * Decimal(count) / n * ratio.ln()
    found = mean_of(ENTROPY, margins) / n + math.log(n)
    found -= sum(x * math.log(x) for x in (a, n - a, b, n - b)) / n
    assert found == pytest.approx(float(total), abs=1e-14)  # entropies of size 10 cancel
    assert mean_of(INFORMATION, margins) == pytest.approx(float(total), rel=1e-9, abs=0)


def test_rare_counts_are_kept_where_they_are_all_there_is():
    """Two clusters of 3 are equal with 1e-19 of the probability that they share one object."""
    n = 3_000_000_000
    for size in (2, 3, 4):
        margins = cc.Margins([size, n - size], [size, n - size])
        whole = cells(f"whole_{size}", lambda x, a, b, n, size=size: 1.0 if x == size and a == size else 0.0)
        likely = float(math.prod(Fraction(n - size - k, n - k) for k in range(size)))
        rare = float(1 / Fraction(math.comb(n, size)))
        assert mean_of(whole, margins) == pytest.approx(likely + rare, rel=1e-14, abs=0)
        alone = cells(f"alone_{size}", lambda x, a, b, n, size=size: 1.0 if x == size == a == b else 0.0)
        assert mean_of(alone, margins) == pytest.approx(rare, rel=1e-13, abs=0)


def test_a_sum_that_the_margins_fix_has_variance_zero():
    objects = cells("objects", lambda x, a, b, n: x * (math.log(a) + math.sqrt(b)))
    for margins in (
        cc.Margins((300, 200, 100), (250, 250, 100)),
        cc.Margins((300, 200, 100), (240, 260, 100)),
        cc.Margins((5, 4, 3), (6, 3, 3)),
    ):
        assert variance_of(objects, margins) == 0.0


@pytest.mark.slow
def test_empty_cells_are_never_passed_to_phi():
    assert math.isfinite(variance_of(ENTROPY, cc.Margins((3, 2), (4, 1))))
    with pytest.raises(IndexEvaluationError, match=r"'strict' failed on a cell: ValueError: count 3"):
        mean_of(cells("strict", _refuse_three), cc.Margins((3, 2), (4, 1)))
    found = mean_of(cells("strict", _refuse_three), cc.Margins((2, 2), (2, 2)))
    assert found == pytest.approx(4.0, rel=1e-15)


def _refuse_three(x, a, b, n):
    if x == 0 or x == 3:
        raise ValueError("count " + "0123"[int(x)])
    return x


def _normalised(total, row_totals, column_totals):
    """Mutual information over the mean entropy, from ``sum x log x``."""
    n = row_totals.sum()
    own = [(totals * np.log(np.maximum(totals, 1))).sum() / n for totals in (row_totals, column_totals)]
    information = total / n - sum(own) + math.log(n)
    return information / (math.log(n) - sum(own) / 2)


def test_an_affine_link():
    index = cells("nmi", ENTROPY.function, _normalised)
    for row_totals, column_totals in [((5, 4, 3), (6, 3, 3)), ((3, 3, 0, 2), (4, 2, 2))]:
        margins = cc.Margins(row_totals, column_totals)
        law = naive.law_of_tables(row_totals, column_totals)
        tables = [np.array(table, dtype=float) for table, _ in law]
        totals = np.array([(table * np.log(np.maximum(table, 1))).sum() for table in tables])
        values = _normalised(totals, margins.row_totals, margins.column_totals)
        weights = np.array([float(p) for _, p in law])
        mean = (weights * values).sum()
        found = compute_additive_moments(index, margins)
        assert is_additive(index, margins)
        assert found.mean == pytest.approx(mean, rel=1e-12, abs=0)
        assert found.variance == pytest.approx((weights * (values - mean) ** 2).sum(), rel=1e-11, abs=0)
        assert np.isnan([found.skewness, found.kurtosis]).all()


@pytest.mark.parametrize(
    "link",
    [
        lambda total, rows, columns: np.sqrt(total),
        lambda total, rows, columns: total / (1.0 + total),
        lambda total, rows, columns: np.maximum(total, 30.0),
        lambda total, rows, columns: np.where(total > 25, np.nan, total),
        lambda total, rows, columns: np.where(total > 25, np.inf, total),
    ],
)
def test_a_link_that_is_not_affine_is_refused(link):
    index, margins = cells("bent", SQUARES.function, link), cc.Margins((5, 4, 3), (6, 3, 3))
    assert not is_additive(index, margins)
    message = r"`link` of index 'bent' must be affine in the sum over cells .* not for Margins.*monte-carlo"
    with pytest.raises(ValueError, match=message):
        compute_additive_moments(index, margins)


@pytest.mark.slow
def test_a_phi_that_is_nan_or_infinite():
    margins = cc.Margins((5, 4, 3), (6, 3, 3))
    for phi in (lambda x, a, b, n: x * math.nan, lambda x, a, b, n: math.inf if x > 1 else -math.inf):
        found = compute_additive_moments(cells("undefined", phi), margins)
        assert np.isnan([found.mean, found.variance]).all()
    signed = cells("signed", lambda x, a, b, n: math.inf if a > 4 else -math.inf)
    assert math.isnan(mean_of(signed, margins))
    unbounded = cells("unbounded", lambda x, a, b, n: math.inf if x == 2 else x)
    found = compute_additive_moments(unbounded, margins)
    assert found.mean == math.inf
    assert math.isnan(found.variance)
