"""One stream per table: known answers, distinctness, and the ranges of what is drawn."""

import itertools

import numpy as np
import pytest
from scipy import stats

from chancecorr.sampling.kernels import streams
from tests.sampling.fits import COMPILED

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only


def opened(seed, table):
    return tuple(np.uint64(word) for word in streams.open_stream(np.uint64(seed), table))


def draw_many(draw, stream, m):
    sample = []
    for _ in range(m):
        x, stream = draw(stream)
        stream = tuple(np.uint64(word) for word in stream)  # compiled code returns Python integers
        sample.append(x)
    return sample


def test_splitmix64_known_answer():
    # First output for seed 0 in the reference implementation (Vigna, splitmix64.c): e220a8397b1dcdaf.
    assert int(streams.mix(np.uint64(0x9E3779B97F4A7C15))) == 0xE220A8397B1DCDAF


def test_xoshiro256plusplus_known_answers():
    # First four outputs from the state {1, 2, 3, 4}, as the reference implementation gives them.
    stream = tuple(np.uint64(word) for word in (1, 2, 3, 4))
    assert draw_many(streams.draw_word, stream, 4) == [41943041, 58720359, 3588806011781223, 3591011842654386]


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
        words = [draw_many(streams.draw_word, opened(seed, table + t), 2) for t in range(m)]
        return np.array(words, dtype=np.uint64).T

    near, other = first_words(5, 1000), first_words(5 + seed, 1000 + table)
    for pair in itertools.product(near, other):
        assert np.abs(agreements(*pair)).max() < 5.5
    uniform, others = near[0] / 2.0**64 - 0.5, other[0] / 2.0**64 - 0.5
    assert abs((uniform * others).sum() * 12 / np.sqrt(m)) < 4.5
    assert np.abs(agreements(near[0], near[0])).max() > 0.8 * np.sqrt(m)  # what is the same would show


@pytest.mark.parametrize("word", [0, 1, 2**11, 2**64 - 1, 2**63])
def test_uniform_never_reaches_0_or_1(word):
    # xoshiro's output is s0 + rotl(s0 + s3, 23): from s0 = word, s3 = -word it is the word itself.
    stream = (np.uint64(word), np.uint64(0), np.uint64(0), np.uint64(-word % 2**64))
    u, _ = streams.draw_uniform(stream)
    assert 0.0 < u < 1.0
    assert u == (2 * (word >> 12) + 1) / 2**53


def test_bounded_integers_reject_the_uneven_part():
    # With bound 3 * 2**30, multiplication without rejection gives every third value twice the chance.
    bound = 3 * 2**30
    sample = np.array(draw_many(lambda stream: streams.draw_below(bound, stream), opened(9, 2), 30_000))
    assert 0 <= sample.min() <= sample.max() < bound
    assert stats.chisquare(np.bincount(sample % 3)).pvalue > 1e-6
