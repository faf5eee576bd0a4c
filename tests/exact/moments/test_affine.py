"""The mean of an index that is affine in T, alone, against all its moments and against enumeration."""

import dataclasses

import pytest

import chancecorr as cc
from chancecorr.exact.index_of_pair_sum import compute_affine_mean, compute_affine_moments
from chancecorr.tables.pair_sum import compute_pair_sum_mean, compute_pair_sum_moments, compute_raw_moments
from tests.naive import SMALL_MARGINS

AFFINE = [name for name in cc.list_indices() if cc.get_index(name).affine]


def test_the_mean_of_pairs_alone_is_the_first_moment():
    for rows, columns in [*SMALL_MARGINS, ([1], [1]), ([0], [0]), ([], [])]:
        margins = cc.Margins(rows, columns)
        assert compute_pair_sum_mean(margins) == compute_raw_moments(margins, 1)[0] + margins.n, margins


@pytest.mark.parametrize(("rows", "columns"), SMALL_MARGINS[::2])
def test_the_mean_alone_is_that_of_all_moments_and_of_all_tables(rows, columns):
    margins = cc.Margins(rows, columns)
    for name in AFFINE:
        index = cc.get_index(name)
        found = compute_affine_mean(index, margins)
        every = compute_affine_moments(index, margins, compute_pair_sum_moments(margins)).mean
        assert found == pytest.approx(every, rel=0.0, abs=0.0, nan_ok=True)
        listed = cc.null_distribution(margins, name, method="exact").mean
        assert found == pytest.approx(listed, rel=1e-12, abs=1e-14, nan_ok=True)


def test_an_index_that_is_no_line_is_refused_by_its_mean_too():
    wrong = dataclasses.replace(cc.get_index("jaccard"), name="wrong", affine=True)
    with pytest.raises(ValueError, match="`affine` must be False"):
        cc.adjusted_score([0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2, 2], wrong)
