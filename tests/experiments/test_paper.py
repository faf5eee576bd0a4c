"""The printed numbers of Amorim & Cardoso (2014) against each other; the rule behind their approximations.

Means over 30 data sets of a function are not the function of the means: the two differ by about half its
second derivative times the variance.
"""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

import chancecorr as cc
from experiments.amorim_cardoso_2014 import approximations, paper
from experiments.common.mixtures import average_overlap, maximum_overlap

CELLS = [
    pytest.param(cell, id="-".join(cell))
    for cell in itertools.product(paper.CLUSTERERS, paper.DESIGNS, paper.SEPARATIONS)
]
HALF = 5e-4  # half a unit of the last digit
L_FAMILY = {"rand", "russell_rao", "czekanowski", "fowlkes_mallows"}
MISPRINTED_CV = ("em", "unbalanced", "well", "fowlkes_mallows")


def read_columns(cell, quantities):
    """Numbers of each index by column; None where the paper prints nothing."""
    found = {}
    for index in paper.INDICES:
        places = {quantity: paper.Place(*cell, index, quantity) for quantity in quantities}
        values = {
            each: paper.PRINTED[at].value if at in paper.PRINTED else None for each, at in places.items()
        }
        found[index] = SimpleNamespace(**{each.replace(" ", "_"): value for each, value in values.items()})
    return found


def expected(cell):
    return read_columns(cell, paper.QUANTITIES[:3])


def agreement(cell):
    return read_columns(cell, paper.QUANTITIES[3:])


def slope(x, theta):
    return (1 + theta) / (1 + theta * (1 - x)) ** 2


every_cell = pytest.mark.parametrize("cell", CELLS)


@every_cell
def test_every_cell_has_nine_indices_and_the_columns_of_its_kind(cell):
    assert tuple(expected(cell)) == tuple(agreement(cell)) == cc.PUBLISHED_INDICES
    for index, printed in expected(cell).items():
        assert (printed.distributional is not None) == (index in L_FAMILY)
        assert (printed.approximate is not None) == (index in approximations.FUNCTION_OF)
        assert 0 <= printed.simulated < 1
    for printed in agreement(cell).values():
        assert all(0 <= value <= 1 for value in vars(printed).values())


@every_cell
def test_simulated_is_the_closed_form_to_every_printed_digit(cell):
    for index in L_FAMILY:
        printed = expected(cell)[index]
        assert printed.simulated == printed.distributional


@every_cell
def test_observed_and_expected_belong_to_the_same_cluster_sizes(cell):
    # R - 2 RR = 1 - (P + Q) / N, whatever the agreement, and linear: rounding only.
    seen, chance = agreement(cell), expected(cell)
    left = seen["rand"].observed - 2 * seen["russell_rao"].observed
    assert left == pytest.approx(
        chance["rand"].simulated - 2 * chance["russell_rao"].simulated, abs=6 * HALF + 1e-9
    )


@every_cell
def test_gl_is_a_function_of_r_and_j_and_ss2_of_c(cell):
    for index, (inner, theta) in approximations.FUNCTION_OF.items():
        curved = np.sign(theta)  # J and SS2 convex, GL concave: the mean of f is on that side of f(mean)
        for mean, value, sd in (
            (
                agreement(cell)[inner].observed,
                agreement(cell)[index].observed,
                agreement(cell)[inner].observed * agreement(cell)[inner].observed_cv,
            ),
            (expected(cell)[inner].simulated, expected(cell)[index].simulated, 0.05),
        ):
            rounding = HALF * (1 + slope(mean, theta))
            excess = curved * (value - float(approximations.relative(mean, theta)))
            second_order = abs(theta) * (1 + theta) / (1 + theta * (1 - mean)) ** 3 * sd**2
            assert -rounding <= excess <= rounding + 1.5 * second_order, (index, mean, value)


def test_misprint_of_a_coefficient_of_variation():
    cell, index = MISPRINTED_CV[:3], MISPRINTED_CV[3]
    printed, e = agreement(cell)[index], expected(cell)[index].simulated
    cv = printed.observed * printed.observed_cv / (1 - e) / printed.adjusted
    assert printed.adjusted_cv == 0.09
    assert round(cv, 3) == 0.009 == agreement(cell)["rand"].adjusted_cv
    ((place, arithmetic),) = paper.ARITHMETIC.items()
    assert (place.clusterer, place.design, place.separation, place.index) == MISPRINTED_CV
    assert "0.005 * 0.989 / (1 - 0.457) / 0.980 = 0.009" in arithmetic
    assert paper.PRINTED[place].remark == "misprint"
    assert paper.PRINTED[place].text == "0.09"


@pytest.mark.parametrize(("design", "separation"), paper.THREE_GROUPS)
def test_printed_overlaps_follow_from_the_printed_parameters(design, separation):
    average, largest = (paper.OVERLAPS[design, separation, row] for row in ("average", "maximum"))
    mixture = paper.THREE_GROUPS[design, separation]
    found = average_overlap(mixture), maximum_overlap(mixture)
    possible = largest.value <= 3 * average.value + 4 * HALF  # the sum of the pairs is at least the largest
    assert possible == ((design, separation) not in {("balanced", "moderate"), ("unbalanced", "well")})
    if possible:
        assert found == pytest.approx((average.value, largest.value), abs=HALF)
        assert average.remark == largest.remark == ""
    else:
        third = f"{largest.text} / 3 = {largest.value / 3:.3f}"
        assert third in average.arithmetic
        assert f"parameters give {found[0]:.3f} and {found[1]:.3f}" in average.arithmetic
        assert (largest.remark == "misprint") == (abs(found[1] - largest.value) > HALF)
