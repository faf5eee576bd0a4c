"""Expected values without one object against those of the smaller margins, found by themselves."""

import itertools

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.chance.engines import get_engine
from chancecorr.chance.options import AUTO
from chancecorr.exact import means_without_object
from chancecorr.exact.additive import compute_additive_moments
from chancecorr.exact.index_of_pair_sum import compute_affine_mean
from chancecorr.exact.means_without_object import remove_object
from chancecorr.exact.quadrature import compute_smooth_moments

MARGINS = [
    cc.Margins([5, 4, 3], [6, 3, 3]),
    cc.Margins([7, 1, 1], [4, 5]),  # a cluster goes with its object
    cc.Margins([4, 0, 5], [3, 6, 0]),  # empty ones
    cc.Margins([30, 20, 10], [25, 25, 5, 5]),
    cc.Margins([3, 1], [2, 1, 1]),  # singletons are left, of which some indices are 0/0
]


def sides_of(margins):
    sizes = (margins.row_totals.tolist(), margins.column_totals.tolist())
    return tuple(itertools.product(*(sorted({*side} - {0}) for side in sizes)))


def changes_of_means(index, margins):
    """The slow way: both means, each from its own margins."""

    def mean(of):
        return get_engine(index).moments(index, of, AUTO).moments.mean

    return [mean(remove_object(margins, *pair)) - mean(margins) for pair in sides_of(margins)]


@pytest.mark.parametrize("margins", MARGINS, ids=repr)
def test_an_affine_index(margins):
    for name in ["rand", "fowlkes_mallows", "wallace_1", "wallace_2", "lerman", "rv", "mirkin"]:
        index = cc.get_index(name)
        found = means_without_object.compute_affine_changes(
            index, margins, sides_of(margins), compute_affine_mean(index, margins)
        )
        wanted = changes_of_means(index, margins)
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("margins", [*MARGINS, cc.Margins([9], [4, 5])], ids=repr)
@pytest.mark.parametrize("name", ["mutual_information", "nmi_sum", "variation_of_information", "chi_square"])
def test_an_additive_index(name, margins):
    index = cc.get_index(name)
    smaller = [remove_object(margins, *pair) for pair in sides_of(margins)]
    means = [compute_additive_moments(index, each, with_variance=False).mean for each in (margins, *smaller)]
    found = means_without_object.compute_additive_changes(index, margins, sides_of(margins))
    assert found == pytest.approx(np.array(means[1:]) - means[0], rel=1e-9, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", ["jaccard", "rogers_tanimoto", "goodman_kruskal"])
def test_a_smooth_index_is_far_closer_than_the_jackknife_is_right(name):
    """What is neglected is below 1 / n**3 and falls off like it; a jackknife is off by 1 / n**2."""
    index, errors = cc.get_index(name), []
    for scale in (8, 32, 128):
        margins = cc.Margins([5 * scale, 3 * scale, 2 * scale], [6 * scale, 4 * scale])
        smaller = [remove_object(margins, *pair) for pair in sides_of(margins)]
        means = [compute_smooth_moments(index, each).moments.mean for each in (margins, *smaller)]
        found = means_without_object.compute_smooth_changes(index, margins, sides_of(margins))
        errors.append(np.abs(found - (np.array(means[1:]) - means[0])).max())
        assert errors[-1] < 1.0 / margins.n**3
    assert min(errors[0] / errors[1], errors[1] / errors[2]) > 4**2.3


def test_margins_without_an_object():
    assert remove_object(cc.Margins([2, 6], [1, 3, 4]), 2, 1) == cc.Margins([1, 6], [0, 3, 4])
