"""One stream per table: known answers, distinctness, and the ranges of what is drawn."""

import itertools
import types

import numpy as np
import pytest
from scipy import stats

from chancecorr.sampling.kernels import streams
from tests.sampling.fits import COMPILED

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only


def draw_words(seed, table, m):
    stream, words = np.uint64(streams.open_stream(np.uint64(seed), table)), []
    for _ in range(m):
        stream = stream + streams.GOLDEN
        words.append(int(streams.mix(stream)))
    return words


def draw_numbers(bound, seed, m):
    stream, half, sample = np.uint64(streams.open_stream(np.uint64(seed), 2)), np.uint64(0), []
    for _ in range(m):
        x, half, stream = map(np.uint64, streams.draw_below(np.uint64(bound), half, stream))
        sample.append(int(x))
    return np.array(sample)


def test_splitmix64_known_answer():
    # First output for seed 0 in the reference implementation (Vigna, splitmix64.c): e220a8397b1dcdaf.
    assert int(streams.mix(np.uint64(0x9E3779B97F4A7C15))) == 0xE220A8397B1DCDAF


def agreements(words, others):
    """For each of 64 bits the z-score of how often two lists of words agree in it; N(0, 1) if independent."""
    bits = ((words[:, None] ^ others[:, None]) >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    m = words.size
    return (bits.astype(np.int64).sum(axis=0) - m / 2) / np.sqrt(m / 4)


NEIGHBOURS = [(1, 0), (2, 0), (2**32, 0), (0, 1), (0, 2), (0, 16), (0, 256), (1, 1), (1, -1)]


# 64 z-scores for each of 9 pairs of streams and 4 pairs of words: one above 5.5 has a chance of 1e-4.
@pytest.mark.parametrize(("seed", "table"), NEIGHBOURS)
def test_neighbouring_seeds_and_tables_are_uncorrelated(seed, table):
    m = 4000 if COMPILED else 400

    def first_words(seed, table):
        words = [draw_words(seed, table + t, 2) for t in range(m)]
        return np.array(words, dtype=np.uint64).T

    near, other = first_words(5, 1000), first_words(5 + seed, 1000 + table)
    for pair in itertools.product(near, other):
        assert np.abs(agreements(*pair)).max() < 5.5
    uniform, others = near[0] / 2.0**64 - 0.5, other[0] / 2.0**64 - 0.5
    assert abs((uniform * others).sum() * 12 / np.sqrt(m)) < 4.5
    assert np.abs(agreements(near[0], near[0])).max() > 0.8 * np.sqrt(m)  # what is the same would show


@pytest.mark.parametrize("word", [0, 1, 2**11, 2**64 - 1, 2**63])
def test_uniform_never_reaches_0_or_1(word, monkeypatch):
    where = {"mix": lambda _: np.uint64(word)}
    draw = types.FunctionType(streams.draw_uniform.py_func.__code__, vars(streams) | where)
    u, _ = draw(np.uint64(5))
    assert 0.0 < u < 1.0
    assert u == (2 * (word >> 12) + 1) / 2**53


def test_bounded_integers_reject_the_uneven_part():
    # With bound 3 * 2**30, multiplication without rejection gives every third value twice the chance.
    bound, m = 3 * 2**30, 30_000 if COMPILED else 3_000
    sample = draw_numbers(bound, 9, m)
    assert 0 <= sample.min() <= sample.max() < bound
    assert stats.chisquare(np.bincount(sample % 3)).pvalue > 1e-6
    without = [word * bound >> 32 for word in np.random.default_rng(1).integers(2**32, size=30_000).tolist()]
    assert stats.chisquare(np.bincount(np.array(without) % 3)).pvalue < 1e-12


def test_a_word_serves_two_numbers():
    words = draw_words(7, 2, 2)
    sample = draw_numbers(2**32, 7, 4)
    assert sample.tolist() == [part for word in words for part in (word >> 32, word % 2**32)]


def test_both_halves_of_a_word_are_independent():
    sample = draw_numbers(64, 11, 40_000 if COMPILED else 4_000).reshape(-1, 2)
    table = np.zeros((64, 64))
    np.add.at(table, tuple(sample.T), 1)
    assert stats.chi2_contingency(table[:8].reshape(8, 8, 8).sum(axis=2)).pvalue > 1e-6
    assert stats.chisquare(table.sum(axis=0)).pvalue > 1e-6
    assert stats.chisquare(table.sum(axis=1)).pvalue > 1e-6
