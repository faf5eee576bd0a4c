"""Quadrature of the law of T: printed values, enumeration, and indices that it must refuse."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import chancecorr as cc
from chancecorr.exact.quadrature import NotSmoothError, compute_smooth_moments, make_pair_sum_rule
from tests import naive
from tests.exact import twins
from tests.quadrature_errors import KINDS, claims, random_margins, share, smooth_indices
from tests.shares import small_and_full
from tests.tables.test_pair_sum import any_margins

BALANCED = cc.Margins([240, 240, 320], [240, 240, 320])
UNEQUAL = cc.Margins([100, 300, 400], [150, 250, 400])
SMALL = cc.Margins([5, 4, 3], [6, 3, 3])


def pairs(function, name="local"):
    return cc.indices.Index(name=name, function=function, needs="pairs")


def enumerated(function, row_totals, column_totals):
    """Values of ``function(a, b, c, d)`` at the possible T, and their probabilities."""
    n, A, B = sum(row_totals), sum(x * x for x in row_totals), sum(x * x for x in column_totals)
    law = naive.law_of_pair_sum(row_totals, column_totals)
    counts = [((T - n) // 2, (A - T) // 2, (B - T) // 2, (n * n - A - B + T) // 2) for T in law]
    return [function(*four) for four in counts], list(law.values())


def is_smooth(index, margins):
    """Whether quadrature answers; any other refusal is raised."""
    try:
        compute_smooth_moments(index, margins)
    except ValueError as error:
        if "`index` must be smooth in the pair counts for quadrature" in str(error):
            return False
        raise
    return True


# E and standard deviation from the exact law of T, found independently of this package
@pytest.mark.parametrize(
    ("margins", "name", "mean", "std"),
    [
        (BALANCED, "jaccard", "0.204220728818034", "9.078157334937e-04"),
        (BALANCED, "sokal_sneath_1", "0.113722907706927", "5.634412313356e-04"),
        (BALANCED, "rogers_tanimoto", "0.380958469114638", "8.096390164202e-04"),
        (BALANCED, "gower_legendre", "0.711115616452537", "7.040947242825e-04"),
        (BALANCED, "goodman_kruskal", "-1.865161e-06", "4.219e-03"),
        (UNEQUAL, "jaccard", "0.244887410228894", "2.233790174843e-03"),
        (UNEQUAL, "sokal_sneath_1", "0.139529881874561", None),
        (UNEQUAL, "rogers_tanimoto", "0.353451295584300", None),
        (UNEQUAL, "gower_legendre", "0.686189393343797", None),
    ],
)
def test_printed_moments_at_800_objects(margins, name, mean, std):
    found = compute_smooth_moments(cc.get_index(name), margins)

    def last_digit(printed):
        digits, _, exponent = printed.partition("e")
        return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))

    assert found.moments.mean == pytest.approx(float(mean), rel=0, abs=last_digit(mean))
    if std is not None:
        assert found.moments.std == pytest.approx(float(std), rel=0, abs=last_digit(std))
    assert found.error < 1e-14
    assert found.relative_error_of_variance < 1e-11


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(totals=any_margins(), name=st.sampled_from(sorted(naive.PAIR_INDICES)))
@example(totals=([4, 2, 2, 1], [4, 2, 2, 1]), name="goodman_kruskal")  # the last two rules agree by accident
@example(totals=([1, 5, 8, 2], [2, 5, 9]), name="goodman_kruskal")
def test_within_the_estimated_error_of_enumeration(totals, name):
    values, probabilities = enumerated(naive.PAIR_INDICES[name], *totals)
    found = compute_smooth_moments(cc.get_index(name), cc.Margins(*totals))
    if any(math.isnan(value) for value in values):
        assert np.isnan([found.moments.mean, found.error]).all()
        return
    mean, variance, *_ = naive.moments(values, probabilities)
    assert found.moments.mean == pytest.approx(float(mean), rel=0, abs=found.error + 1e-15)
    slack = found.relative_error_of_variance if len(values) > 1 else 0
    assert found.moments.variance == pytest.approx(float(variance), rel=slack + 1e-14, abs=1e-30)


def test_a_jump_between_the_nodes_of_an_exact_rule():
    jump = pairs(lambda a, b, c, d: np.where(a >= 1, 1.0, 0.0))
    margins = cc.Margins([2, 1], [2, 1])  # a is 0 or 1
    assert is_smooth(jump, margins)
    found = compute_smooth_moments(jump, margins)
    assert found.moments.mean == pytest.approx(1 / 3, rel=1e-14)
    assert found.moments.variance == pytest.approx(2 / 9, rel=1e-14)


# for the balanced margins a is 36,766.5 on average with a standard deviation of 136
@pytest.mark.parametrize(
    "function",
    [
        lambda a, b, c, d: np.abs(a - 36_766.4),
        lambda a, b, c, d: np.minimum(a, 37_100.0),  # 2.5 standard deviations up
        lambda a, b, c, d: np.maximum(a, 38_130.0),  # 10 standard deviations up, beyond all nodes
        lambda a, b, c, d: np.where(a > 36_800, 1.0, 0.0),
        lambda a, b, c, d: np.floor(a / 100),
        lambda a, b, c, d: np.minimum(a / (a + b), d / (d + b)) - np.abs(a * d - b * c) / d**2,
    ],
    ids=["kink", "cap", "far kink", "jump", "stairs", "piecewise"],
)
def test_kinks_and_jumps_are_refused(function):
    index = pairs(function)
    assert not is_smooth(index, BALANCED)
    with pytest.raises(ValueError, match=r"index 'local' has a jump, a kink or a pole between T = 7"):
        compute_smooth_moments(index, BALANCED)


@pytest.mark.parametrize(
    ("place", "power"),
    [(place, power) for place in (36_700.3, 36_766.31, 40_000.7) for power in (1, 2)]
    + [(90_000.21, 1)],  # beyond the window, where only a change of sign is noticed
)
def test_poles_are_refused(place, power):
    index = pairs(lambda a, b, c, d: 1 / (a - place) ** power)
    assert not is_smooth(index, BALANCED)
    with pytest.raises(ValueError, match="pole between T = "):
        compute_smooth_moments(index, BALANCED)
    assert not is_smooth(pairs(lambda a, b, c, d: 1 / (a - 6.5) ** power), SMALL)


def test_undefined_at_a_possible_end():
    # the clusterings can agree: b = c = 0, and the odds ratio is infinite
    odds_ratio = pairs(lambda a, b, c, d: a * d / (b * c))
    with pytest.raises(ValueError, match=r"is inf at T = 217600, within the bounds 73956 and 217600 of T"):
        compute_smooth_moments(odds_ratio, BALANCED)
    assert is_smooth(odds_ratio, cc.Margins([5, 4, 3, 4], [7, 3, 6]))  # there they cannot
    logarithm = pairs(lambda a, b, c, d: np.log(a))
    assert not is_smooth(logarithm, cc.Margins([2] * 6, [2] * 6))
    assert is_smooth(logarithm, BALANCED)


def test_an_index_that_raises():
    def whole_only(a, b, c, d):
        if (a != np.round(a)).any():
            raise ArithmeticError("not whole")
        return a

    with pytest.raises(ValueError, match=r"pair counts that are not whole: ArithmeticError: not whole"):
        compute_smooth_moments(pairs(whole_only), BALANCED)
    with pytest.raises(ValueError, match=r"index 'local' raised an error: .*ZeroDivisionError"):
        compute_smooth_moments(pairs(lambda a, b, c, d: 1 / 0), BALANCED)


@pytest.mark.parametrize(
    ("name", "row_totals", "column_totals"),
    [  # where formulas subtract numbers that are far larger than their value
        ("consonni_todeschini_5", [243, 1, 2], [123, 123]),
        ("tetrachoric_cosine", [120, 1, 1, 1, 1, 1], [63, 62]),
        ("consonni_todeschini_2", [260, 1, 1, 1], [49, 71, 56, 87]),
        ("consonni_todeschini_2", [1, 474], [256, 219]),
    ],
)
def test_stated_errors_cover_what_rounding_makes_of_a_formula(name, row_totals, column_totals):
    (claim,) = claims(cc.Margins(row_totals, column_totals), [cc.get_index(name)])
    assert claim.mean[1] <= claim.mean[0] < 2e-15  # a digit at most more than it is
    assert claim.variance[1] <= claim.variance[0]


@pytest.mark.slow
@pytest.mark.parametrize("count", small_and_full(60, 150))
def test_stated_errors_cover_the_true_ones_on_random_margins(record_property, count):
    rng, indices, kinds = np.random.default_rng(8), smooth_indices(), list(KINDS)
    seen, largest = 0, 0.0
    for number in range(count):
        margins = cc.Margins(*random_margins(kinds[number % len(kinds)], rng))
        for claim in claims(margins, indices[number % 7 :: 7]):
            seen += 1
            assert claim.mean[1] <= claim.mean[0], claim
            assert claim.variance[1] <= claim.variance[0], claim
            largest = max(largest, share(*claim.mean), share(*claim.variance))
    assert seen > 4.7 * count
    record_property("claims", 2 * seen)
    record_property("largest_share", largest)


@pytest.mark.parametrize(
    ("row_totals", "column_totals"), [((6, 5, 4), (6, 5, 4)), ((35, 1, 1, 1), (34, 2, 1, 1))]
)
def test_the_largest_probabilities_are_bounds(row_totals, column_totals):
    law = twins.law_of_pair_sum(row_totals, column_totals)
    remainder = make_pair_sum_rule(cc.Margins(row_totals, column_totals)).remainder
    assert remainder.every
    probabilities = np.array([float(law.get(T, 0)) for T in remainder.pair_sums.tolist()])
    assert (probabilities <= remainder.most * (1 + 1e-9)).all()
    for inside, weight in remainder.spaces:
        assert probabilities[inside].sum() <= weight * (1 + 1e-9)
    for tails, side in (
        (np.cumsum(probabilities[::-1])[::-1], remainder.above),
        (np.cumsum(probabilities), remainder.below),
    ):
        assert (tails <= remainder.most * (1 + 1e-9))[side].all()
    assert not (probabilities <= 0.3 * remainder.most).all()  # a weight too small would show


def test_values_whose_fourth_powers_are_no_floats_are_refused_and_tiny_ones_are_not():
    margins = cc.Margins([40, 30, 30], [50, 25, 25])

    def times(factor):
        function = lambda a, b, c, d: factor * a / (a + b + c)  # noqa: E731
        return cc.indices.Index(name="scaled", needs="pairs", function=function, best=factor)

    jaccard = compute_smooth_moments(cc.get_index("jaccard"), margins).moments
    tiny = compute_smooth_moments(times(1e-80), margins).moments
    assert tiny.mean == pytest.approx(1e-80 * jaccard.mean, rel=1e-12)
    assert tiny.variance == pytest.approx(1e-160 * jaccard.variance, rel=1e-9)
    with pytest.raises(NotSmoothError, match="values whose fourth powers are finite floats"):
        compute_smooth_moments(times(1e80), margins)
