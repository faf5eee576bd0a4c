"""How many objects tell two candidates apart: the formula, and the power at the number that it gives."""

import math

import numpy as np
import pytest
from scipy.stats import norm

import chancecorr as cc
from tests.shares import small_and_full


def sample(n, rng, *, group_size=1):
    """A reference and two candidates of n groups; each group is clustered well or badly as a whole."""
    reference = np.repeat(rng.integers(0, 3, n), group_size)
    good, fair = (np.repeat(rng.random(n) < share, group_size) for share in (0.75, 0.6))
    candidates = {
        name: np.where(right, reference, rng.integers(0, 3, reference.size))
        for name, right in (("good", good), ("fair", fair))
    }
    return reference, candidates, np.repeat(np.arange(n), group_size)


def test_the_formula():
    reference, candidates, _ = sample(150, np.random.default_rng(1))
    comparison = cc.compare(reference, candidates)
    found = comparison.difference("good", "fair")
    error = found.interval.standard_error
    for power, confidence, difference in ((0.8, 0.95, None), (0.9, 0.99, 0.05), (0.5, 0.9, -0.3)):
        sought = found.difference if difference is None else difference
        quantiles = norm.isf((1 - confidence) / 2) + norm.isf(1 - power)
        needed = comparison.objects_needed(
            "good", "fair", difference=difference, power=power, confidence=confidence
        )
        assert needed == math.ceil(150 * (quantiles * error / sought) ** 2)
    assert comparison.objects_needed("good", "fair") == comparison.objects_needed("fair", "good")


def test_with_half_of_the_power_the_test_is_at_its_border():
    """A difference that the normal test just finds has power 1/2 in a sample of this size."""
    reference, candidates, _ = sample(150, np.random.default_rng(1))
    comparison = cc.compare(reference, candidates, confidence=0.9)
    border = norm.isf(0.05) * comparison.difference("good", "fair").interval.standard_error
    assert abs(comparison.objects_needed("good", "fair", difference=border, power=0.5) - 150) <= 1


def test_groups_are_counted_if_the_comparison_is_by_groups():
    reference, candidates, groups = sample(60, np.random.default_rng(2), group_size=5)
    comparison = cc.compare(reference, candidates, groups=groups)
    error = comparison.difference("good", "fair").interval.standard_error
    quantiles = norm.isf(0.025) + norm.isf(0.2)
    expected = math.ceil(60 * (quantiles * error / 0.1) ** 2)
    assert comparison.objects_needed("good", "fair", difference=0.1) == expected


def test_objects_that_both_have_are_counted():
    reference, candidates, _ = sample(150, np.random.default_rng(3))
    less = {name: labels.tolist() for name, labels in candidates.items()}
    less["good"][:20] = [None] * 20
    comparison = cc.compare(reference, less, missing="drop")
    kept = cc.compare(reference[20:], {name: labels[20:] for name, labels in candidates.items()})
    for difference in (None, 0.1):
        found = comparison.objects_needed("good", "fair", difference=difference)
        assert found == kept.objects_needed("good", "fair", difference=difference)


def population_difference(size=200_000):
    reference, candidates, _ = sample(size, np.random.default_rng(4))
    good, fair = (cc.adjusted_score(reference, candidates[name]) for name in ("good", "fair"))
    return good - fair


def power_at(n, samples, seed):
    """Share of samples of n objects in which the test finds the difference."""
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(samples):
        reference, candidates, _ = sample(n, rng)
        scores = cc.compare(reference, candidates, method="analytic")
        found += scores.difference("good", "fair").p_value < 0.05
    return found / samples


def planned(power):
    """Objects needed by a pilot sample of 2,000."""
    reference, candidates, _ = sample(2_000, np.random.default_rng(5))
    comparison = cc.compare(reference, candidates)
    return comparison.objects_needed("good", "fair", difference=population_difference(), power=power)


@pytest.mark.parametrize("samples", small_and_full(50, 100))
def test_the_power_is_near_that_asked_for(samples):
    """Within 4.5 standard errors and 3 %; with a quarter of the objects it is not."""
    n = planned(0.8)
    room = 4.5 * math.sqrt(0.8 * 0.2 / samples) + 0.03
    assert abs(power_at(n, samples, seed=6) - 0.8) < room
    assert power_at(n // 4, samples, seed=6) < 0.8 - room


@pytest.mark.long
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_the_power_in_many_samples(power):
    """Within 4.5 standard errors of 3,000 samples and 3 % for what is not normal."""
    room = 4.5 * math.sqrt(power * (1 - power) / 3_000) + 0.03
    assert abs(power_at(planned(power), 3_000, seed=7) - power) < room


def test_errors():
    reference, candidates, _ = sample(60, np.random.default_rng(8))
    comparison = cc.compare(reference, candidates | {"again": candidates["good"]})
    with pytest.raises(ValueError, match="`difference` must be a finite number other than 0"):
        comparison.objects_needed("good", "again")
    with pytest.raises(ValueError, match="`second` must have a standard error against 'good'"):
        comparison.objects_needed("good", "again", difference=0.1)
    with pytest.raises(ValueError, match="`power` must lie between 0 and 1"):
        comparison.objects_needed("good", "fair", power=80)
    with pytest.raises(ValueError, match=r"Did you mean 'fair'\?"):
        comparison.objects_needed("good", "fai")
    with pytest.raises(ValueError, match="`interval` must be 'jackknife'"):
        cc.compare(reference, candidates, interval=None).objects_needed("good", "fair")
