"""Several bounded integers from one word: equally likely, by counting and by chi-square."""

import numpy as np
import pytest

from chancecorr.sampling.kernels import streams as dice
from chancecorr.sampling.kernels.streams import open_stream

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

SEED = np.uint64(2024)
HALVES = 2**32
LARGEST = 3_037_000_499


def of_table(j):
    """Places of the stream of a table."""
    return slice(j, 4 * dice.TABLES_TOGETHER, dice.TABLES_TOGETHER)


def open_words(n=dice.TABLES_TOGETHER, first=0):
    """Words of n tables, with their streams opened."""
    words = np.zeros(dice.DICE_WORDS, dtype=np.uint64)
    for j in range(n):
        words[of_table(j)] = open_stream(SEED, first + j)
    return words


def thrown(bound, count, n=dice.TABLES_TOGETHER, rounds=1, words=None):
    """Dice of so many rounds of n tables, shape (rounds, count, n)."""
    words = open_words(n) if words is None else words
    steps = np.zeros((count + dice.SPARE_PLACES) * n, dtype=np.uint32)
    out = np.empty((rounds, count, n), dtype=np.int64)
    for each in out:
        dice.throw(n, words, bound, count, steps)
        each[:] = steps[: count * n].reshape(count, n)
    return out


class TestThrowPair:
    """Over all ``2**32`` halves each pair of numbers comes out equally often: an interval of halves each."""

    PAIRS = ((1, 1), (2, 1), (3, 2), (6, 5), (52, 51), (1000, 999), (4095, 4094), (4096, 4095))
    SINGLES = ((3, 1), (4097, 1), (3 * 2**30, 1), (2**31 + 1, 1), (LARGEST, 1), (2**32 - 1, 1))

    @staticmethod
    def throw(half, b1, b2):
        """The two dice of a half, and whether they took no further word."""
        stream = tuple(np.uint64(word) for word in open_stream(SEED, 0))
        first, second, after = dice.throw_pair(np.uint64(half), np.uint64(b1), np.uint64(b2), stream)
        return int(first), int(second), tuple(map(int, after)) == tuple(map(int, stream))

    @pytest.mark.parametrize(("b1", "b2"), PAIRS + SINGLES)
    def test_as_many_halves_for_each_pair(self, b1, b2):
        # (first, second) = divmod(value, b2), and value is the upper half of half * product. So the halves of
        # a value are those with value * 2**32 + unfair <= half * product < (value + 1) * 2**32.
        product = b1 * b2
        unfair = HALVES % product
        rng = np.random.default_rng(1)
        values = {0, 1, product // 2, product - 1, *rng.integers(0, product, 50).tolist()}
        for value in sorted(value for value in values if value < product):
            least = -((-value * HALVES - unfair) // product)
            beyond = -(-(value + 1) * HALVES // product)
            assert beyond - least == HALVES // product
            # The kernel agrees at both ends, and so between them: the value never falls.
            for end in (least, beyond - 1):
                assert self.throw(end, b1, b2) == (*divmod(value, b2), True)
            # What lies before is thrown again, or belongs to the value before.
            if least > 0:
                first, second, kept = self.throw(least - 1, b1, b2)
                assert not kept or first * b2 + second == value - 1


@pytest.mark.parametrize("in_fours", [True, False])
def test_every_half_that_may_be_unfair_is_looked_at(in_fours):
    # A rest of at least the product of the bounds is fair, and one below it is settled by `throw_pair`.
    rng = np.random.default_rng(3)
    words = open_words()
    bounds = (4096, 4095, 4094, 4093) if in_fours else (LARGEST, LARGEST - 1, 1, 1)
    products = (4096 * 4095, 4094 * 4093) if in_fours else bounds[:2]
    bounds = [np.uint64(bound) for bound in bounds]
    for _ in range(200):
        halves = rng.integers(0, HALVES, 2)
        if rng.random() < 0.5:  # just at, or just after, a multiple: a small rest
            which = rng.integers(2)
            multiple = int(rng.integers(0, products[which]))
            halves[which] = -(-multiple * HALVES // products[which])
        words[dice.WORD] = np.uint64(int(halves[0]) | int(halves[1]) << 32)
        rests = [int(half) * product % HALVES for half, product in zip(halves, products, strict=True)]
        doubtful = dice.four_dice(1, words, *bounds) if in_fours else dice.two_dice(1, words, *bounds[:2])
        assert doubtful == (rests[0] < products[0] or rests[1] < products[1])
        if not doubtful:
            before = words.copy()
            dice.throw_fairly(words, 0, in_fours, *bounds)
            assert (words == before).all()  # no further word, and the same dice


@pytest.mark.parametrize("bound", [3, 52, 4096, 4097, LARGEST])
def test_sixteen_tables_have_the_dice_of_each_alone(bound):
    count = min(bound, 11)
    words = open_words()
    together = [thrown(bound, count, words=words)[0] for _ in range(5)]
    for j in range(dice.TABLES_TOGETHER):
        alone = open_words(1, first=j)
        for several in together:
            assert (thrown(bound, count, n=1, words=alone)[0, :, 0] == several[:, j]).all()
        assert (alone[of_table(0)] == words[of_table(j)]).all()
