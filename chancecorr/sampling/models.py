"""Models of what "by chance" means, made of what is random on each side of the table.

A side either keeps the cluster sizes that it has or draws them, and a model is a pair of sides. To add a
model, add its side here if that is new, and the pair to `MODELS`; everything else asks the sides.

Partitions are counted by Stirling numbers of the second kind, ``S(n, k)`` for n objects in k clusters, and by
Bell numbers, ``B(n)`` for any number of clusters (Gates & Ahn 2017, arXiv:1701.06508). The multinomial model
is that of Sundqvist, Chiquet & Rigaill (2023), doi:10.1007/s00180-022-01230-7.
"""

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from chancecorr.machine.arguments import check_choice
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.sampling.kernels import partitions as kernels
from chancecorr.sampling.kernels.workspace import NANOSECONDS_PER_DRAW
from chancecorr.tables.objects import Strata

MOST_OBJECTS, MOST_DIGIT_STEPS = 10_000, 4e9
"""Limits of the recursions for the numbers of partitions, ``n**2 k`` digits for k clusters and ``n**3 / 8``
for any number of them: one or two seconds, once for each n and k."""

NEGLIGIBLE_PROBABILITY = 1e-20
"""Probability below which a cluster size is left out of `Side.compute_law_of_cluster`."""

Sizes = tuple[Integers, Integers]
"""Cluster sizes of several tables, one after the other, and where those of each table end."""


class RandomSide(ABC):
    """One side of the table and what is random about it; methods take the side's totals, and n objects."""

    name: str  # how messages call it
    varies = True  # whether the cluster sizes differ from table to table

    @abstractmethod
    def draw_sizes(self, totals: Integers, n: int, seed: np.uint64, first: int, n_tables: int) -> Sizes:
        """Sizes of tables ``first, first + 1, ...``, one after the other, and where those of each table end.

        The ends have shape (n_tables + 1,) and start with 0. A table's sizes are in random order where they
        are random, and depend on the seed and its number alone.
        """

    @abstractmethod
    def forecast(self, totals: Integers, n: int) -> tuple[int, float]:
        """About how many clusters a table has, and the nanoseconds that its sizes take, 0 if given."""

    def find_most_objects(self, totals: Integers) -> int | None:
        """Number of objects up to which the next two are known; None where there is no limit."""
        return None

    @abstractmethod
    def compute_chance_together(self, totals: Integers, n: int) -> Fraction:
        """Probability that two objects are in one cluster; at least 2 objects."""

    @abstractmethod
    def compute_law_of_cluster(self, totals: Integers, n: int) -> tuple[Integers, Floats]:
        """Sizes that the cluster of a random object can have, and their probabilities; at least 1 object."""

    @abstractmethod
    def list_extreme_sizes(self, totals: Integers, n: int) -> list[Integers]:
        """The most and the least even sizes that it can have; at least 2 objects."""


class FixedSizes(RandomSide):
    """The cluster sizes as they are given."""

    name, varies = "fixed", False

    def draw_sizes(self, totals: Integers, n: int, seed: np.uint64, first: int, n_tables: int) -> Sizes:
        return np.array(np.tile(totals, n_tables)), np.arange(n_tables + 1) * totals.size

    def forecast(self, totals: Integers, n: int) -> tuple[int, float]:
        return totals.size, 0.0

    def compute_chance_together(self, totals: Integers, n: int) -> Fraction:
        return Fraction(sum(size * (size - 1) for size in totals.tolist()), n * (n - 1))

    def compute_law_of_cluster(self, totals: Integers, n: int) -> tuple[Integers, Floats]:
        sizes, counts = np.unique(totals[totals > 0], return_counts=True)
        return sizes, sizes * counts / n

    def list_extreme_sizes(self, totals: Integers, n: int) -> list[Integers]:
        return [totals]


class FixedNumber(RandomSide):
    """A uniform partition into as many clusters as are non-empty."""

    name = "fixed-k"

    def draw_sizes(self, totals: Integers, n: int, seed: np.uint64, first: int, n_tables: int) -> Sizes:
        k = int(np.count_nonzero(totals))
        sizes = np.empty((n_tables, k), dtype=np.int64)
        kernels.fill_sizes_of_k(n, _find_tilt(n, k), seed, first, np.empty(k), sizes)
        return sizes.ravel(), np.arange(n_tables + 1) * k

    def forecast(self, totals: Integers, n: int) -> tuple[int, float]:
        k = int(np.count_nonzero(totals))
        thrown = min(n - k, kernels.OBJECTS_PER_BINOMIAL * k)
        return k, NANOSECONDS_PER_DRAW * (k + thrown)

    def find_most_objects(self, totals: Integers) -> int | None:
        return min(MOST_OBJECTS, int(math.sqrt(MOST_DIGIT_STEPS / max(int(np.count_nonzero(totals)), 1))))

    def compute_chance_together(self, totals: Integers, n: int) -> Fraction:
        _, numbers = _compute_last_columns(n, int(np.count_nonzero(totals)))
        return Fraction(numbers[n - 1], numbers[n])  # the two shrink to one object

    def compute_law_of_cluster(self, totals: Integers, n: int) -> tuple[Integers, Floats]:
        k = int(np.count_nonzero(totals))
        fewer, numbers = _compute_last_columns(n, k)
        return _compute_law_of_cluster(n, fewer, numbers[n])

    def list_extreme_sizes(self, totals: Integers, n: int) -> list[Integers]:
        k = int(np.count_nonzero(totals))
        return [np.diff(np.arange(k + 1) * n // k), np.append(np.ones(k - 1, dtype=np.int64), n - k + 1)]


class AnyNumber(RandomSide):
    """A uniform partition, into any number of clusters."""

    name = "all-partitions"

    def draw_sizes(self, totals: Integers, n: int, seed: np.uint64, first: int, n_tables: int) -> Sizes:
        fewest_urns, urn_law = _compute_law_of_urns(n)
        ends = np.empty(n_tables + 1, dtype=np.int64)
        sizes = np.empty(n_tables * (fewest_urns + urn_law.size), dtype=np.int64)
        kernels.fill_sizes_of_any(n, fewest_urns, urn_law, seed, first, sizes, ends)
        return sizes[: ends[-1]], ends

    def forecast(self, totals: Integers, n: int) -> tuple[int, float]:
        fewest_urns, urn_law = _compute_law_of_urns(n)
        clusters = min(n, fewest_urns + urn_law.size // 2)
        return clusters, NANOSECONDS_PER_DRAW * (clusters + n)

    def find_most_objects(self, totals: Integers) -> int | None:
        return min(MOST_OBJECTS, int((8 * MOST_DIGIT_STEPS) ** (1 / 3)))

    def compute_chance_together(self, totals: Integers, n: int) -> Fraction:
        numbers = compute_bell_numbers(n)
        return Fraction(numbers[n - 1], numbers[n])  # the two shrink to one object

    def compute_law_of_cluster(self, totals: Integers, n: int) -> tuple[Integers, Floats]:
        numbers = compute_bell_numbers(n)
        return _compute_law_of_cluster(n, numbers, numbers[n])

    def list_extreme_sizes(self, totals: Integers, n: int) -> list[Integers]:
        alone = np.ones(n, dtype=np.int64)
        return [alone, np.append(alone[2:], 2), np.array([n])]


class Shares(RandomSide):
    """Each object on its own in one of the clusters, by their shares of the objects: multinomial sizes."""

    name = "multinomial"

    def draw_sizes(self, totals: Integers, n: int, seed: np.uint64, first: int, n_tables: int) -> Sizes:
        totals = totals[totals > 0]
        ends = np.empty(n_tables + 1, dtype=np.int64)
        sizes = np.empty(n_tables * totals.size, dtype=np.int64)
        kernels.fill_multinomial_sizes(n, totals, seed, first, sizes, ends)
        return sizes[: ends[-1]], ends

    def forecast(self, totals: Integers, n: int) -> tuple[int, float]:
        k = int(np.count_nonzero(totals))
        return k, 10.0 * NANOSECONDS_PER_DRAW * k

    def compute_chance_together(self, totals: Integers, n: int) -> Fraction:
        return Fraction(sum(size * size for size in totals.tolist()), n * n)

    def compute_law_of_cluster(self, totals: Integers, n: int) -> tuple[Integers, Floats]:
        sizes, laws = [], []
        for total, count in zip(*np.unique(totals[totals > 0], return_counts=True), strict=True):
            companions, law = _compute_binomial_law(n - 1, int(total), n)
            sizes.append(companions + 1)
            laws.append(law * (total * count / n))
        distinct, where = np.unique(np.concatenate(sizes), return_inverse=True)
        return distinct, np.bincount(where, np.concatenate(laws)).astype(np.float64)

    def list_extreme_sizes(self, totals: Integers, n: int) -> list[Integers]:
        k = min(int(np.count_nonzero(totals)), n)
        pair = [np.array([1, n - 1])] if k > 1 else []
        return [np.diff(np.arange(k + 1) * n // k), np.array([n]), *pair]


@dataclass(frozen=True, slots=True)
class Model:
    """What is random about rows and columns; given their sizes, the objects are matched at random."""

    name: str  # what the user calls it
    about: str  # what chance means, in words after "where"
    rows: RandomSide
    columns: RandomSide
    strata: Strata | None = None  # within which the objects are matched
    keeps_margins: bool = field(init=False)  # whether every table has the margins given
    is_permutation: bool = field(init=False)  # whether nothing else is given: that of all objects

    def __post_init__(self) -> None:
        """Sum up what is random."""
        object.__setattr__(self, "keeps_margins", not (self.rows.varies or self.columns.varies))
        object.__setattr__(self, "is_permutation", self.keeps_margins and self.strata is None)


FIXED, FIXED_K, ANY, SHARES = FixedSizes(), FixedNumber(), AnyNumber(), Shares()

_EITHER, _CANDIDATE = "both clusterings are", "the reference stays as it is and the candidate is"
_OF_SO_MANY = "uniform over the partitions of the objects into as many clusters"
_OF_ALL = "uniform over all partitions of the objects"
_BY_SHARES = "on its own, by the shares of its clusters"

PERMUTATION = Model(
    "permutation",
    "both clusterings keep their cluster sizes and the objects are matched at random",
    FIXED,
    FIXED,
)

_ALL_MODELS = (
    PERMUTATION,
    Model("fixed-k", f"{_EITHER} {_OF_SO_MANY}", FIXED_K, FIXED_K),
    Model("all-partitions", f"{_EITHER} {_OF_ALL}", ANY, ANY),
    Model("one-sided-fixed-k", f"{_CANDIDATE} {_OF_SO_MANY}", FIXED, FIXED_K),
    Model("one-sided-all-partitions", f"{_CANDIDATE} {_OF_ALL}", FIXED, ANY),
    Model("multinomial", f"each object is in a cluster of either clustering {_BY_SHARES}", SHARES, SHARES),
    Model(
        "one-sided-multinomial",
        f"the reference stays as it is and each object is in a cluster of the candidate {_BY_SHARES}",
        FIXED,
        SHARES,
    ),
)

MODELS: Mapping[str, Model] = MappingProxyType({model.name: model for model in _ALL_MODELS})
"""The models by name. One-sided: the reference is held as it is, only the candidate is random."""

WITHIN_STRATA = Model(
    "permutation within strata",
    "both clusterings keep their cluster sizes in each stratum and its objects are matched at random",
    FIXED,
    FIXED,
)


def get_model(name: str) -> Model:
    """Model of this name."""
    check_choice("model", name, MODELS)
    return MODELS[name]


def compute_stirling_numbers(n: int, k: int) -> tuple[int, ...]:
    """``S(j, k)`` for j = 0, ..., n."""
    return _compute_last_columns(n, k)[1]


@functools.lru_cache(maxsize=4)
def _compute_last_columns(n: int, k: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """``S(j, k - 1)`` and ``S(j, k)`` for j = 0, ..., n, by ``S(j, i) = i S(j-1, i) + S(j-1, i-1)``."""
    before, column = [0] * (n + 1), [1] + [0] * n
    for i in range(1, k + 1):
        before, column = column, [0] * (n + 1)
        for j in range(i, n + 1):
            column[j] = i * column[j - 1] + before[j - 1]
    return tuple(before), tuple(column)


@functools.lru_cache(maxsize=4)
def compute_bell_numbers(n: int) -> tuple[int, ...]:
    """``B(j)`` for j = 0, ..., n, by the Bell triangle: a row starts with the last number of the last."""
    numbers, row = [1], [1]
    for _ in range(n):
        following = [row[-1]]
        for x in row:
            following.append(following[-1] + x)
        row = following
        numbers.append(row[0])
    return tuple(numbers)


def _compute_law_of_cluster(
    n: int, partitions_of_rest: tuple[int, ...], all_partitions: int
) -> tuple[Integers, Floats]:
    """``P(s) = C(n - 1, s - 1) rest(n - s) / all``: its companions, and the rest in other clusters."""
    probabilities = np.zeros(n + 1)
    companions = 1  # C(n - 1, s - 1)
    for s in range(1, n + 1):
        # Python divides whole numbers of any size and rounds once
        probabilities[s] = companions * partitions_of_rest[n - s] / all_partitions
        companions = companions * (n - s) // s
    sizes = np.flatnonzero(probabilities > NEGLIGIBLE_PROBABILITY)
    return sizes, probabilities[sizes]


def _compute_binomial_law(trials: int, successes: int, of: int) -> tuple[Integers, Floats]:
    """Values and probabilities for a chance of ``successes / of``, 12 standard deviations about the mode."""
    if successes == of:
        return np.array([trials]), np.ones(1)
    p = successes / of
    mode = min(int((trials + 1) * p), trials)
    reach = 60 + int(12 * math.sqrt(trials * p * (1 - p)))
    x = np.arange(max(0, mode - reach), min(trials, mode + reach) + 1)
    steps = (trials - x[:-1]) / x[1:] * (successes / (of - successes))
    above, below = np.cumprod(steps[mode - x[0] :]), np.cumprod(1.0 / steps[: mode - x[0]][::-1])[::-1]
    law = np.concatenate([below, [1.0], above])
    return x, law / law.sum()


@functools.lru_cache(maxsize=32)
def _find_tilt(n: int, k: int) -> float:
    """Root of ``tilt / (1 - exp(-tilt)) = n / k``; any positive number gives the same law, this one fast."""
    mean = n / k if k else 1.0
    tilt = mean
    for _ in range(60):  # Newton's method comes down to the root, and so never to 0
        tilt -= (tilt + mean * math.expm1(-tilt)) / (1.0 - mean * math.exp(-tilt)) if mean > 1.0 else 0.0
    return tilt


@functools.lru_cache(maxsize=32)
def _compute_law_of_urns(n: int) -> tuple[int, Floats]:
    """First m and distribution function of ``P(m) ~ m**n / m!``, 12 standard deviations about its mode."""
    low, high = min(n, 1), max(n, 1)
    while low < high:  # the mode: the first m with no larger weight after it
        m = (low + high) // 2
        low, high = (m + 1, high) if m and n * math.log1p(1 / m) > math.log(m + 1) else (low, m)
    reach = 60 + int(12 * low / math.sqrt(n + low + 1))
    urns = np.arange(max(low - reach, min(n, 1)), low + reach + 1 if n else 1, dtype=np.float64)
    steps = n * np.log1p(1 / urns[:-1]) - np.log(urns[1:])
    log_weights = np.concatenate([[0.0], np.cumsum(steps)])
    law = np.cumsum(np.exp(log_weights - log_weights.max()))
    return int(urns[0]), law / law[-1]
