"""Cells beyond chance: by SciPy, by all permutations, within strata, and for whole groups of draws."""

import itertools

import numpy as np
import pytest
import scipy.stats

import chancecorr as cc
from chancecorr.comparison import overlaps

RNG = np.random.default_rng(0)
TRUE = RNG.choice(["B", "NK", "T"], 120)
PRED = np.where(RNG.random(120) < 0.4, TRUE, RNG.choice(["B", "NK", "T", "other"], 120))


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_cells_as_scipy(alternative):
    found = overlaps(TRUE, PRED, alternative=alternative)
    table = found.observed
    for (i, j), count in np.ndenumerate(table):
        r, c, n = table[i].sum(), table[:, j].sum(), table.sum()
        law = scipy.stats.hypergeom(n, r, c)
        tail = law.sf(count - 1) if alternative == "greater" else law.cdf(count)
        assert found.p_value[i, j] == pytest.approx(tail, rel=1e-9)
        assert found.expected[i, j] == pytest.approx(r * c / n, rel=1e-12)
        against_all = [[count, r - count], [c - count, n - r - c + count]]
        fisher = scipy.stats.fisher_exact(against_all, alternative=alternative).pvalue
        assert found.p_value[i, j] == pytest.approx(fisher, rel=1e-9)
    holm = scipy.stats.false_discovery_control(found.p_value.ravel())
    corrected = overlaps(TRUE, PRED, alternative=alternative, correction="fdr_bh").p_corrected
    np.testing.assert_allclose(corrected.ravel(), holm, rtol=1e-12)


@pytest.mark.parametrize("strata", [None, [0, 0, 0, 1, 1, 1]])
def test_cells_by_all_permutations(strata):
    rng = np.random.default_rng(3)
    part = np.zeros(6, int) if strata is None else np.array(strata)
    for _ in range(10):
        first, second = rng.integers(3, size=(2, 6))
        first[:3] = second[:3] = range(3)
        found, tables = overlaps(first, second, strata=strata), []
        for places in itertools.permutations(range(6)):
            if (part[list(places)] == part).all():
                table = np.zeros((3, 3), int)
                np.add.at(table, (first, second[list(places)]), 1)
                tables.append(table)
        share = np.mean(np.array(tables) >= found.observed, axis=0)
        np.testing.assert_allclose(found.p_value, share, rtol=1e-12)
        np.testing.assert_allclose(found.expected, np.mean(tables, axis=0), rtol=1e-12, atol=1e-15)


def test_a_whole_group_of_shifts_is_exact():
    first, second = np.repeat(["a", "b", "c"], 8), np.roll(np.repeat([1, 2, 3], 8), 3)
    found = overlaps(first, second, model=cc.chance.shifts(24))
    tables = [overlaps(first, np.roll(second, shift)).observed for shift in range(24)]
    assert found.n_draws == 24
    np.testing.assert_allclose(found.p_value, np.mean(np.array(tables) >= found.observed, axis=0))
    np.testing.assert_allclose(found.expected, np.mean(tables, axis=0))


def test_with_spins_the_count_has_the_p_value_of_dice():
    rng = np.random.default_rng(3)
    places = rng.normal(size=(40, 3))
    first, second = np.searchsorted([-0.4, 0.6], places[:, 0]), (places[:, 0] + places[:, 1] > 0).astype(int)
    spins = cc.chance.spins(places).source
    draws = np.array([spins(np.random.default_rng(k)) for k in range(99)])

    def compute_dice(labels):
        return np.array(
            [
                [
                    2 * np.sum((first == i) & (labels == j)) / (np.sum(first == i) + np.sum(labels == j))
                    for j in (0, 1)
                ]
                for i in (0, 1, 2)
            ]
        )

    dice = np.array([compute_dice(second[draw]) for draw in draws])
    found = overlaps(first, second, model=cc.Draws(draws))
    np.testing.assert_allclose(found.p_value, (1 + (dice >= compute_dice(second)).sum(axis=0)) / 100)


def test_drawn_permutations_approach_the_exact_p_values():
    draws = cc.Draws(lambda rng: rng.permutation(120))
    found = overlaps(TRUE, PRED, model=draws, n_tables=2_000, rng=0)
    exact = overlaps(TRUE, PRED).p_value
    error = np.sqrt(np.maximum(exact * (1 - exact), 1e-3) / 2_000)
    assert (np.abs(found.p_value - exact) < 4.0 * error).all()


def test_what_is_printed_and_refused():
    text = str(overlaps(TRUE, PRED))
    assert text.startswith("Overlaps of 3 x 4 clusters, p of counts at least as large, corrected by Holm")
    assert overlaps(TRUE, PRED).to_frame().shape == (12, 7)
    with pytest.raises(ValueError, match="`model` must be 'permutation' or `Draws`; got 'fixed-k'"):
        overlaps(TRUE, PRED, model="fixed-k")
    with pytest.raises(TypeError, match="`strata` must be None with `Draws`"):
        overlaps(TRUE, PRED, strata=TRUE, model=cc.chance.shifts(120))
    with pytest.raises(ValueError, match="must have a table of up to 1,000,000 cells"):
        overlaps(range(1_001), range(1_001))


def test_marks_of_the_picture():
    pytest.importorskip("matplotlib")
    found = overlaps(TRUE, PRED)
    texts = [text.get_text() for text in found.plot().texts]
    assert [text.endswith("*") for text in texts] == (found.p_corrected <= 0.05).ravel().tolist()
    assert [int(text.strip("*")) for text in texts] == found.observed.ravel().tolist()
