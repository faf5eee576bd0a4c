"""Tallies: the same in any order of the parts, T left out where it makes too many values, refused beyond."""

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.machine.budget import TooCostlyError
from chancecorr.sampling.task import VALUE_AND_PAIR_SUM, Tally, count_distinct, count_distinct_pairs


@pytest.mark.parametrize("seed", range(3))
def test_the_result_depends_on_the_values_alone(seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=100_000) * 10.0 ** rng.integers(-3, 3), int(rng.integers(3, 12)))
    values[:4] = np.nan, np.nan, 0.0, -0.0
    tally = Tally()
    for part in np.array_split(rng.permutation(values), int(rng.integers(2, 40))):
        tally.add(*count_distinct(part))
        if rng.random() < 0.5:
            tally.result()  # merged early
    found, counts = tally.result()
    expected, of_expected = np.unique(values + 0.0, return_counts=True)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(counts, of_expected)


def test_a_pair_sum_is_left_out_before_a_tally_is_refused():
    rng = np.random.default_rng(1)
    values, sums = rng.integers(0, 50, 5000) / 64.0, rng.integers(0, 1000, 5000)
    for most, kept in ((5000, VALUE_AND_PAIR_SUM), (200, np.float64)):
        tally = Tally(most=most)
        for part in range(0, 5000, 100):
            tally.add(*count_distinct_pairs(values[part : part + 100], sums[part : part + 100]))
        found, counts = tally.result()
        assert found.dtype == kept
        assert counts.sum() == 5000
    np.testing.assert_array_equal(found, np.unique(values))
    np.testing.assert_array_equal(counts, np.unique(values, return_counts=True)[1])


@pytest.mark.parametrize("model", ["permutation", "fixed-k"])
def test_more_values_than_the_memory_holds_are_refused(model):
    margins = cc.Margins([3000, 3000, 4000], [2000, 4500, 3500])
    options = {"method": "monte-carlo", "rng": 1, "n_tables": 3_000, "model": model}
    with pytest.raises(TooCostlyError, match="`n_tables` must be fewer: an index has more than 1,024"):
        cc.null_distribution(margins, "nmi_sum", budget=cc.Budget(bytes=1000), **options)
