"""Tallies of more distinct values than are held as they are: what is rounded, by how much, in any order."""

from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.sampling.task import VALUE_AND_PAIR_SUM, Tally, distinct, distinct_pairs
from tests.simulated import with_settings

null_distribution = with_settings(cc.null_distribution)

MARGINS = cc.Margins([300, 300, 400], [200, 450, 350])
WIDE = cc.Margins([3000, 3000, 4000], [2000, 4500, 3500])


def tallied(values, most, parts=7, rng=None):
    """Result and exponent of a tally of these values, in parts of any size and order."""
    tally = Tally(most=most)
    order = np.arange(values.size) if rng is None else rng.permutation(values.size)
    cuts = np.sort((rng or np.random.default_rng(0)).integers(0, values.size, parts - 1))
    for part in np.split(values[order], cuts):
        if part.size:
            tally.add(*distinct(part))
            if rng is not None and rng.random() < 0.5:
                tally.result()  # merged early
    return *tally.result(), tally.exponent


def rounded_by_fractions(value, exponent):
    if not np.isfinite(value):
        return value
    step = Fraction(2) ** exponent
    return float(Fraction(value) // step * step)


@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e300])
def test_values_are_rounded_down_to_the_finest_step_that_does(scale):
    values = np.random.default_rng(1).normal(size=2000) * scale
    values[:4] = np.inf, -np.inf, np.nan, 0.0
    found, counts, exponent = tallied(values, 100)
    for step, fits in ((exponent, True), (exponent - 1, False)):
        expected = [rounded_by_fractions(value, step) for value in values.tolist()]
        assert (np.unique(expected).size <= 100) == fits
    expected, of_expected = np.unique(
        [rounded_by_fractions(value, exponent) for value in values.tolist()], return_counts=True
    )
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(counts, of_expected)


@pytest.mark.parametrize("seed", range(2))
def test_the_result_goes_by_the_values_alone(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=100_000) * 10.0 ** rng.integers(-3, 3), int(rng.integers(3, 12)))
    found, counts, exponent = tallied(values, 3000)
    again, of_again, same = tallied(values, 3000, parts=int(rng.integers(2, 40)), rng=rng)
    assert exponent == same
    assert found.tobytes() == again.tobytes()
    np.testing.assert_array_equal(counts, of_again)
    assert counts.sum() == values.size


def test_a_pair_sum_is_left_out_before_values_are_rounded():
    rng = np.random.default_rng(1)
    values, sums = rng.integers(0, 50, 5000) / 64.0, rng.integers(0, 1000, 5000)
    for most, kept in ((5000, VALUE_AND_PAIR_SUM), (200, np.float64)):
        tally = Tally(most=most)
        for part in range(0, 5000, 100):
            tally.add(*distinct_pairs(values[part : part + 100], sums[part : part + 100]))
        found, counts = tally.result()
        assert found.dtype == kept
        assert tally.exponent is None
        assert counts.sum() == 5000
    np.testing.assert_array_equal(found, np.unique(values))
    np.testing.assert_array_equal(counts, np.unique(values, return_counts=True)[1])


def test_whole_numbers_stay_as_they_are():
    sums = np.random.default_rng(1).integers(0, 10**12, 1000)
    assert tallied(sums, 100)[2] is None
    np.testing.assert_array_equal(tallied(sums, 100)[0], np.unique(sums))


def few(bytes_=800_000, **options):
    options = {"method": "monte-carlo", "rng": 1, "n_tables": 20_000} | options
    return options, {**options, "budget": cc.Budget(seconds=float("inf"), bytes=bytes_)}


class TestOfANullDistribution:
    @pytest.mark.heavy
    @pytest.mark.parametrize(
        ("index", "model"),
        [("nmi_sum", "permutation"), ("chi_square", "permutation"), ("nmi_sqrt", "fixed-k")],
    )
    def test_the_stated_error_covers(self, index, model):
        margins = WIDE if model == "permutation" else cc.Margins([30, 30, 40], [20, 45, 35])
        exact, limited = few(model=model, n_tables=20_000 if model == "permutation" else 3000)
        whole = null_distribution(margins, index, **exact)
        found = null_distribution(margins, index, **limited)
        assert whole.values.size > 2500
        assert found.values.size <= 2000
        assert 0.0 < found.rounding < 0.01 * whole.std
        slack = found.rounding * (1.0 + 1e-6) + 1e-15 * abs(whole.values).max()
        each, its = (np.repeat(null.values, null.counts) for null in (whole, found))
        assert np.abs(each - its).max() <= slack
        assert abs(found.mean - whole.mean) <= slack
        if model == "permutation":  # as many values are rounded up as down
            assert abs(found.mean - whole.mean) <= 0.2 * slack
        assert found.error == found.rounding
        shares = np.linspace(0.0, 1.0, 101)
        assert np.abs(found.quantile(shares) - whole.quantile(shares)).max() <= slack
        for observed in whole.quantile(np.array([0.001, 0.3, 0.9, 0.999])).tolist():
            for side in ("greater", "less"):
                p = found.p_value(observed, side)
                shifted = observed - 2.0 * slack if side == "greater" else observed + 2.0 * slack
                assert whole.p_value(observed, side) <= p <= whole.p_value(shifted, side)
        assert (
            found.note == f"the values are rounded, by {found.rounding:.2g} at most: those that differ were"
            " too many to be held"
        )
        assert whole.rounding == 0.0
        assert whole.note == ""

    def test_workers_and_checkpoints_change_nothing(self, tmp_path):
        _, limited = few()
        found = null_distribution(WIDE, "nmi_sum", **limited)
        path = tmp_path / "run"
        null_distribution(WIDE, "nmi_sum", **limited | {"n_tables": 7000}, checkpoint=path)
        for again in (
            null_distribution(WIDE, "nmi_sum", **limited, n_jobs=2),
            null_distribution(WIDE, "nmi_sum", **limited, checkpoint=path),
            null_distribution(WIDE, "nmi_sum", **limited, checkpoint=path),
        ):
            assert again.values.tobytes() == found.values.tobytes()
            assert again.mean.hex() == found.mean.hex()
            assert again.rounding == found.rounding
        with pytest.raises(
            ValueError, match=r"What differs: distinct values \(at most 2000; now at most 16777216\)"
        ):
            null_distribution(WIDE, "nmi_sum", method="monte-carlo", rng=1, n_tables=20_000, checkpoint=path)

    def test_no_value_leaves_the_range(self):
        _, limited = few(1000, n_tables=20_000)
        found = null_distribution(cc.Margins([500, 500], [1, 999]), "classification_error", **limited)
        assert found.values.min() >= 0.0
        assert found.values.max() <= 1.0
