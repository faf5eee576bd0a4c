"""Whether an index is affine in T is told from its values, which large pair counts round."""

import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.moments.affine import affine_moments
from chancecorr.tables.pair_sum import pair_sum_moments


def fowlkes_mallows_corrected(a, b, c, d):
    """As it is written in papers: of two numbers near 1 their small difference is left."""
    both, pairs = np.sqrt((a + b) * (a + c)), a + b + c + d
    return (a / both - both / pairs) / (1 - both / pairs)


def moments_of(function, table):
    index = cc.Index(name="mine", function=function, needs="pairs", affine=True)
    margins = cc.ContingencyTable(table).margins
    return affine_moments(index, margins, pair_sum_moments(margins))


def large_tables():
    rng = np.random.default_rng(0)
    yield np.array([[77909688, 0], [1, 2]])
    for _ in range(200):
        shape = rng.integers(2, 5, 2)
        table = rng.integers(0, 4, shape)
        some = rng.random(shape) < 0.3
        table[some] = 10 ** rng.uniform(0, math.log10(3e9 / table.size), shape)[some]
        table[0, 0] = 10 ** rng.uniform(3, math.log10(3e9 / table.size))
        yield table[table.any(axis=1)][:, table.any(axis=0)]


def test_rounding_is_not_taken_for_a_curve():
    table = [[186102511, 2], [2, 1], [3, 1]]  # a is beyond 2**53, and b, c are 1e-9 of it
    found = moments_of(fowlkes_mallows_corrected, table)
    wanted = cc.null_distribution(cc.ContingencyTable(table).margins, "adjusted_fowlkes_mallows")
    assert found.std == pytest.approx(wanted.std, rel=1e-6)


def test_no_index_of_the_catalogue_is_taken_for_a_curve_on_large_tables():
    indices = [index for index in map(cc.get_index, cc.list_indices()) if index.affine]
    assert len(indices) > 50
    for table in large_tables():
        margins = cc.ContingencyTable(table).margins
        moments = pair_sum_moments(margins)
        for index in indices:
            affine_moments(index, margins, moments)


@pytest.mark.parametrize("size", [10, 10**4, 10**7])
def test_a_curve_is_told_from_rounding(size):
    """Negative control: Jaccard's index is none of the family."""
    with pytest.raises(ValueError, match="`affine` must be False for index 'mine'"):
        moments_of(lambda a, b, c, d: a / (a + b + c), [[3 * size, size], [size, 2 * size]])
