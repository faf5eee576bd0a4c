"""Indices under permutations of the objects: all permutations, those drawn, and any number of workers."""

import itertools

import numpy as np
import pytest

from chancecorr.chance.permuted_objects import contract_permutations
from chancecorr.sampling.kernels.streams import fill_permutations
from tests.clusterings.sides import CASES, adjusted, naive_index, naive_law, naive_similarity, sides_of
from tests.sampling.fits import COMPILED
from tests.shares import small_and_full

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only


def share(law, reached):
    return sum(reached(value) for value in law) / len(law)


@pytest.mark.parametrize("n", [2, 3, *small_and_full(5, 6)])
@pytest.mark.parametrize(("index", "kinds"), CASES)
def test_all_permutations(index, kinds, n):
    given = sides_of(index, kinds, 10 * n, n)
    P, Q = (naive_similarity(index, kind, values) for kind, values in zip(kinds, given, strict=True))
    law = naive_law(index, P, Q)
    observed = naive_index(index, P, Q)
    mean = sum(law) / len(law)
    variance = sum((value - mean) ** 2 for value in law) / len(law)
    score = adjusted(*given, index, kinds)
    null = score.null
    assert score.observed == pytest.approx(float(observed), rel=1e-12)
    assert score.expected == pytest.approx(float(mean), rel=1e-12)
    assert score.variance == pytest.approx(float(variance), rel=1e-11, abs=1e-17)
    assert null.values_from == score.p_value_from == "exact"
    assert null.error == 0.0
    listed = np.repeat(null.values, np.rint(null.weights * len(law)).astype(int))
    assert listed == pytest.approx(sorted(map(float, law)), rel=1e-12)
    greater, less = share(law, lambda x: x >= observed), share(law, lambda x: x <= observed)
    assert score.p_value == pytest.approx(greater, rel=1e-12)
    for alternative, p in (("less", less), ("two-sided", min(1.0, 2 * min(greater, less)))):
        found = adjusted(*given, index, kinds, alternative=alternative)
        assert found.p_value == pytest.approx(p, rel=1e-12)
    if mean != 1:
        expected = (observed - mean) / (1 - mean)
        assert score.adjusted == pytest.approx(float(expected), rel=1e-11, abs=1e-14)


def test_permutations_are_uniform():
    """Chi-square of 24 permutations, 23 degrees of freedom: above 73.7 in one of a million cases."""
    each = 1000 if COMPILED else 50
    drawn = np.empty((24 * each, 4), dtype=np.int64)
    fill_permutations(np.uint64(1), 0, drawn)
    assert (np.sort(drawn, axis=1) == np.arange(4)).all()
    counts = np.unique(drawn @ np.array([64, 16, 4, 1]), return_counts=True)[1]
    assert counts.size == 24
    assert np.sum((counts - each) ** 2) / each < 73.7


@pytest.mark.slow
@pytest.mark.parametrize(("index", "kinds"), CASES)
def test_same_seed_same_bits_for_any_number_of_workers(monkeypatch, index, kinds):
    given = sides_of(index, kinds, 3, 40)
    alone = adjusted(*given, index, kinds, n_tables=100)
    monkeypatch.setattr("chancecorr.chance.permuted_objects.NUMBERS_AT_ONCE", 1)  # blocks of 32
    for n_jobs in (None, 2):
        shared = adjusted(*given, index, kinds, n_tables=100, n_jobs=n_jobs)
        assert shared.null.values.tolist() == alone.null.values.tolist()
        assert repr(shared.to_dict()) == repr(alone.to_dict())
    other = adjusted(*given, index, kinds, n_tables=100, rng=12)
    assert other.null.values.tolist() != alone.null.values.tolist()


@pytest.mark.parametrize(("index", "kinds"), CASES)
def test_values_are_those_of_the_permutations_drawn(index, kinds):
    """Each value against the slow twin, whichever side the loops look up."""
    n, m = 9, 3
    given = sides_of(index, kinds, 4, n)
    P, Q = (naive_similarity(index, kind, values) for kind, values in zip(kinds, given, strict=True))
    drawn = np.empty((m, n), dtype=np.int64)
    fill_permutations(np.random.SeedSequence(6).generate_state(1, np.uint64)[0], 0, drawn)
    expected = [float(naive_index(index, P, Q, s)) for s in drawn.tolist()]
    null = adjusted(*given, index, kinds, n_tables=m, rng=6).null
    assert np.repeat(null.values, null.counts) == pytest.approx(sorted(expected), rel=1e-12)


def test_permutations_without_some_objects_are_uniform():
    """All 120 of five objects without two: each of the six of three 20 times, and what stays is as it was."""
    everything, kept = np.array(list(itertools.permutations(range(5)))), np.array([0, 2, 3])
    found = contract_permutations(everything, kept)
    assert {*map(tuple, found.tolist())} == {*itertools.permutations(range(3))}
    assert np.unique(found, axis=0, return_counts=True)[1].tolist() == [20] * 6
    stays = np.isin(everything[:, kept], kept)
    assert (kept[found] == everything[:, kept])[stays].all()
