"""Models of what "by chance" means, made of what is random on each side of the table.

A side either keeps its cluster sizes or draws them, and a model is a pair of sides: a new one is added here
and to `MODELS`, and everything else asks the sides. Partitions are counted by Stirling numbers of the second
kind and Bell numbers (Gates & Ahn 2017, arXiv:1701.06508). The multinomial model is that of Sundqvist,
Chiquet & Rigaill (2023), doi:10.1007/s00180-022-01230-7.
"""

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import NANOSECONDS_PER_CALL, NANOSECONDS_PER_CELL
from chancecorr.machine.kernel import call_at_hand, pays
from chancecorr.sampling import permutation
from chancecorr.sampling.draws_in_arrays import NANOSECONDS_OF_A_DRAW, draw_each_in_arrays
from chancecorr.sampling.kernels import partitions as kernels
from chancecorr.sampling.kernels.logarithms import LOG2_TABLE_LIMIT
from chancecorr.sampling.kernels.partitions import Layout, PartitionRoom, SizesOfBoth
from chancecorr.sampling.kernels.streams import mix
from chancecorr.sampling.kernels.workspace import MOST_LABELS, NANOSECONDS_PER_DRAW
from chancecorr.sampling.own_draws import Draws
from chancecorr.sampling.permutation import CELLS_IN_CACHE, SINGLE_DRAW
from chancecorr.tables.contingency import ManyMargins, Margins
from chancecorr.tables.objects import Strata

if TYPE_CHECKING:
    from scipy.sparse import csr_array


MOST_OBJECTS, MOST_DIGIT_STEPS = 10_000, 4e9
"""Limits of the recursions for the numbers of partitions, ``n**2 k`` digits for k clusters and ``n**3 / 8``
for any number of them: one or two seconds, once for each n and k."""

SALTS_OF_SIZES = np.uint64(0x8E5C1F4A2B9D7361), np.uint64(0x3B97D0E6A4C8F215)  # of row and column sizes
NEGLIGIBLE_PROBABILITY = 1e-20  # below which a cluster size is left out of `compute_law_of_cluster`
Sizes = tuple[Integers, Integers]  # cluster sizes of several tables, and where those of each end


class RandomSide(ABC):
    """One side of the table and what is random about it; methods take the side's totals, and n objects."""

    name: str  # how messages call it
    varies = True  # whether the cluster sizes differ from table to table

    @abstractmethod
    def draw_sizes(self, totals: Integers, n: int, seed: np.uint64, first: int, n_tables: int) -> Sizes:
        """Sizes of tables ``first, first + 1, ...``, one after the other, and where those of each table end.

        The ends, shape (n_tables + 1,), start with 0. Random sizes depend on the seed and the number alone.
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


class UniformPartition(RandomSide):
    """A uniform partition, whose number of clusters is given or not."""

    @abstractmethod
    def count_partitions(self, totals: Integers, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Numbers of partitions of 0, ..., n objects: of those outside a cluster, and of all."""

    def compute_chance_together(self, totals: Integers, n: int) -> Fraction:
        _, numbers = self.count_partitions(totals, n)
        return Fraction(numbers[n - 1], numbers[n])  # the two shrink to one object

    def compute_law_of_cluster(self, totals: Integers, n: int) -> tuple[Integers, Floats]:
        # P(s) = C(n - 1, s - 1) rest(n - s) / all: its companions, and the rest in other clusters
        rest, numbers = self.count_partitions(totals, n)
        probabilities = np.zeros(n + 1)
        companions = 1  # C(n - 1, s - 1)
        for s in range(1, n + 1):
            # Python divides whole numbers of any size and rounds once
            probabilities[s] = companions * rest[n - s] / numbers[n]
            companions = companions * (n - s) // s
        sizes = np.flatnonzero(probabilities > NEGLIGIBLE_PROBABILITY)
        return sizes, probabilities[sizes]


class FixedNumber(UniformPartition):
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

    def count_partitions(self, totals: Integers, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return compute_stirling_numbers(n, int(np.count_nonzero(totals)))

    def list_extreme_sizes(self, totals: Integers, n: int) -> list[Integers]:
        k = int(np.count_nonzero(totals))
        return [np.diff(np.arange(k + 1) * n // k), np.append(np.ones(k - 1, dtype=np.int64), n - k + 1)]


class AnyNumber(UniformPartition):
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

    def count_partitions(self, totals: Integers, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return compute_bell_numbers(n), compute_bell_numbers(n)

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
    draws: Draws | None = None  # of the user's own, of the candidate
    keeps_margins: bool = field(init=False)  # whether every table has the margins given
    is_permutation: bool = field(init=False)  # whether nothing else is given: that of all objects

    def __post_init__(self) -> None:
        """Sum up what is random."""
        object.__setattr__(
            self, "keeps_margins", not (self.rows.varies or self.columns.varies or self.draws is not None)
        )
        object.__setattr__(self, "is_permutation", self.keeps_margins and self.strata is None)


FIXED, FIXED_K, ANY, SHARES = FixedSizes(), FixedNumber(), AnyNumber(), Shares()

_EITHER, _CANDIDATE = "both clusterings are", "the candidate is"
_OF_SO_MANY = "uniform over the partitions of the objects into as many clusters"
_OF_ALL = "uniform over all partitions of the objects"
_BY_SHARES = "on its own, by the shares of its clusters"

_KEPT, _MATCHED = "both clusterings keep their cluster sizes", "objects are matched at random"
_EACH, _HELD = "each object is in a cluster of", "the reference stays as it is and"

PERMUTATION = Model("permutation", f"{_KEPT} and the {_MATCHED}", FIXED, FIXED)
WITHIN_STRATA = Model(
    "permutation within strata", f"{_KEPT} in each stratum and its {_MATCHED}", FIXED, FIXED
)

MODELS: Mapping[str, Model] = MappingProxyType(
    {
        model.name: model
        for model in (
            PERMUTATION,
            Model("fixed-k", f"{_EITHER} {_OF_SO_MANY}", FIXED_K, FIXED_K),
            Model("all-partitions", f"{_EITHER} {_OF_ALL}", ANY, ANY),
            Model("one-sided-fixed-k", f"{_HELD} {_CANDIDATE} {_OF_SO_MANY}", FIXED, FIXED_K),
            Model("one-sided-all-partitions", f"{_HELD} {_CANDIDATE} {_OF_ALL}", FIXED, ANY),
            Model("multinomial", f"{_EACH} either clustering {_BY_SHARES}", SHARES, SHARES),
            Model("one-sided-multinomial", f"{_HELD} {_EACH} the candidate {_BY_SHARES}", FIXED, SHARES),
        )
    }
)
"""The models by name. One-sided: the reference is held as it is, only the candidate is random."""


def make_model_of_draws(draws: Draws) -> Model:
    """Model of draws of the user's own."""
    return Model(draws.name, f"{_HELD} {_CANDIDATE} drawn by {draws.name!r}", FIXED, FIXED, draws=draws)


@functools.lru_cache(maxsize=4)
def compute_stirling_numbers(n: int, k: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
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


MOST_CELLS_DENSE = 65_536  # up to which a table is laid out though most are empty, since this takes less
FEWEST_IN_ARRAYS = 8  # tables of one shape: for fewer NumPy's calls take longer than the kernel as Python
SIZES_AT_A_TIME = 65_536  # cluster sizes held at a time while many tables are drawn: 512 KB


def forecast_table(margins: Margins, model: Model) -> float:
    """Nanoseconds or so of T of a table."""
    (K, row_time), (Q, column_time) = (
        side.forecast(totals, margins.n) for side, totals in _pair_sides(margins, model)
    )
    drawn = min(SINGLE_DRAW * max(K - 1, 0) * max(Q - 1, 0), margins.n) + K + Q
    return row_time + column_time + NANOSECONDS_PER_DRAW * drawn


def forecast_laid_out(shape: tuple[int, int], n: int) -> float:
    """Nanoseconds or so that it takes besides to lay out such a table, or to list its cells."""
    K, Q = shape
    if max(MOST_CELLS_DENSE, 4 * n) < K * Q:
        return NANOSECONDS_PER_CALL + 10.0 * NANOSECONDS_PER_CELL * n
    return 2.0 * NANOSECONDS_PER_CELL * K * Q


def draw_model_pair_sums(
    margins: Margins, model: Model, n_tables: int, seed: np.uint64, first: int = 0
) -> tuple[Integers, Integers, Integers]:
    """Sums of squares ``(T, A, B)`` of the tables of `draw_model_tables`, at a fraction of its cost."""
    out, n = np.empty((3, n_tables), dtype=np.int64), margins.n
    if not pays(kernels.fill_pair_sums, _forecast_in_arrays(margins, model, n_tables)):
        for places, sizes, tables in _draw_tables(margins, model, n_tables, seed, first, in_arrays=True):
            cells = tables if isinstance(tables, np.ndarray) else tables.data[np.newaxis]
            out[0, places] = (cells**2).reshape(len(cells), -1).sum(axis=1)
            out[1:, places] = sizes.squares
        return out[0], out[1], out[2]
    nothing = np.zeros((0, 0), dtype=np.int64)
    for start, (rows, row_ends, columns, column_ends) in _draw_in_parts(
        margins, model, n_tables, seed, first
    ):
        sizes_of_both = SizesOfBoth(
            _sort_within(rows, row_ends), row_ends, _sort_within(columns, column_ends), column_ends
        )
        part = np.empty((3, row_ends.size - 1), dtype=np.int64)  # a slice of all would be compiled for anew
        room, numbers = _make_workspace(n, sizes_of_both), first + start + np.arange(part.shape[1])
        layout = Layout(nothing, nothing, nothing)
        kernels.fill_pair_sums(n, room, np.uint64(seed), numbers, sizes_of_both, part, layout)
        out[:, start : start + part.shape[1]] = part
    return out[0], out[1], out[2]


def draw_model_tables(
    margins: Margins, model: Model, n_tables: int, seed: np.uint64, first: int = 0
) -> "Iterator[tuple[Integers, ManyMargins, Integers | csr_array]]":
    """Tables of one shape at a time: their places among those wanted, margins, and cells (m, K, Q).

    A table with many more cells than objects comes alone, and sparse.
    """
    in_arrays = not pays(kernels.fill_pair_sums, _forecast_in_arrays(margins, model, n_tables))
    return _draw_tables(margins, model, n_tables, seed, first, in_arrays=in_arrays)


def _forecast_in_arrays(margins: Margins, model: Model, n_tables: int) -> float:
    """Seconds that tables take in arrays, or as Python if they are large, more than compiled."""
    cells = math.prod(forecast_shape(margins, model))
    return n_tables * (2e-5 + min(NANOSECONDS_OF_A_DRAW * cells, 4e3 * margins.n) * 1e-9)


def _draw_tables(
    margins: Margins, model: Model, n_tables: int, seed: np.uint64, first: int, *, in_arrays: bool
) -> "Iterator[tuple[Integers, ManyMargins, Integers | csr_array]]":
    """Tables as in `draw_model_tables`, by the kernel or in arrays."""
    n = margins.n
    for places, sizes in draw_model_margins(margins, model, n_tables, seed, first):
        shape = sizes.row_totals.shape[1], sizes.column_totals.shape[1]
        if math.prod(shape) <= 4 * n:
            at_once = max(1, CELLS_IN_CACHE // max(math.prod(shape), 1))
            for start in range(0, places.size, at_once):
                part = slice(start, start + at_once)
                some, numbers = sizes.select(part), first + places[part]
                yield places[part], some, _lay_out(some, np.uint64(seed), numbers, in_arrays=in_arrays)
            continue
        for t, place in enumerate(places.tolist()):
            one = sizes.select(slice(t, t + 1))
            plan = permutation.plan_sampler(Margins(one.row_totals[0], one.column_totals[0]))
            if plan.sparse and math.prod(shape) > MOST_CELLS_DENSE:
                from scipy.sparse import csr_array

                ((i, j, counts),) = permutation.draw_listed_tables(plan, np.uint64(seed), first + place, 1)
                table = csr_array((counts, (i, j)), shape=shape)
                table.sum_duplicates()
                yield places[t : t + 1], one, table
            else:
                tables = np.zeros((1, *shape), dtype=np.int64)
                permutation.draw_tables(plan, np.uint64(seed), first + place, tables)
                yield places[t : t + 1], one, tables


def _lay_out(sizes: ManyMargins, seed: np.uint64, numbers: Integers, *, in_arrays: bool) -> Integers:
    """Tables of these numbers and sizes, shape (m, K, Q), each in the order that a plan of its own gives."""
    n, sides = sizes.n, sizes[:2]
    (m, K), Q = sides[0].shape, sides[1].shape[1]
    out = np.zeros((m, K, Q), dtype=np.int64)
    if not out.size:
        return out
    orders = [side.argsort(axis=1, kind="stable") for side in sides]
    rows, columns = (np.take_along_axis(side, order, 1) for side, order in zip(sides, orders, strict=True))
    flat = out.reshape(m, K * Q)
    if in_arrays and m >= FEWEST_IN_ARRAYS and n <= LOG2_TABLE_LIMIT:
        draw_each_in_arrays(n, rows, columns, orders, seed, numbers, flat)
        return out
    ends = [np.arange(m + 1) * side.shape[1] for side in sides]
    ascending = SizesOfBoth(rows.ravel(), ends[0], columns.ravel(), ends[1])
    room, sums = _make_workspace(n, ascending), np.empty((3, m), dtype=np.int64)
    fill = call_at_hand(kernels.fill_pair_sums) if in_arrays else kernels.fill_pair_sums
    fill(n, room, seed, numbers, ascending, sums, Layout(flat, *orders))
    return out


def forecast_shape(margins: Margins, model: Model) -> tuple[int, int]:
    """About how many rows and columns a table has."""
    (rows, row_totals), (columns, column_totals) = _pair_sides(margins, model)
    return rows.forecast(row_totals, margins.n)[0], columns.forecast(column_totals, margins.n)[0]


def draw_model_margins(
    margins: Margins, model: Model, n_tables: int, seed: np.uint64, first: int = 0
) -> Iterator[tuple[Integers, ManyMargins]]:
    """Totals of the tables of `draw_model_tables`, of one shape at a time, at a fraction of its cost."""
    for start, (rows, row_ends, columns, column_ends) in _draw_in_parts(
        margins, model, n_tables, seed, first
    ):
        shapes = np.stack([np.diff(row_ends), np.diff(column_ends)], axis=1)
        distinct, kind = np.unique(shapes, axis=0, return_inverse=True)
        for number, (K, Q) in enumerate(distinct.tolist()):
            places = np.flatnonzero(kind.ravel() == number)
            row_totals = rows[row_ends[places][:, np.newaxis] + np.arange(K)]
            column_totals = columns[column_ends[places][:, np.newaxis] + np.arange(Q)]
            yield start + places, ManyMargins(row_totals, column_totals, margins.n)


def _sort_within(sizes: Integers, ends: Integers) -> Integers:
    """The sizes of each partition in ascending order."""
    sizes = sizes[: ends[-1]]
    return sizes[np.lexsort((sizes, np.repeat(np.arange(ends.size - 1), np.diff(ends))))]


def _make_workspace(n: int, sizes: SizesOfBoth) -> PartitionRoom:
    """Room for the largest table between partitions of these sizes."""
    row_sizes, row_ends, column_sizes, column_ends = sizes
    clusters = int(max(np.diff(row_ends).max(initial=1), np.diff(column_ends).max(initial=1)))
    dealt = max(_bound_dealt(n, row_sizes, row_ends), _bound_dealt(n, column_sizes, column_ends))
    cells = min(clusters**2, 4 * n)
    decks = np.array([dealt, 1])  # so many labels are laid out anew for each table
    shape, labels = (clusters, clusters), np.uint32  # for each type `fill_pair_sums` compiles for ten seconds
    work = permutation.make_empty_workspace(
        n, shape, labels, lanes=1, together=1, decks=(decks, decks), dealt=(dealt, dealt), cells=cells
    )
    met, counts = np.zeros(dealt, dtype=np.int64), np.zeros(clusters, dtype=np.int64)
    return PartitionRoom(work, met, counts, np.zeros((3, clusters), dtype=np.int64))


def _bound_dealt(n: int, sizes: Integers, ends: Integers) -> int:
    """Most objects outside the largest cluster of any of these partitions, as far as they may be dealt."""
    starts = ends[:-1][ends[:-1] < ends[1:]]
    outside = n - np.maximum.reduceat(sizes, starts) if starts.size else np.zeros(0, dtype=np.int64)
    return int(outside[outside <= MOST_LABELS].max(initial=0))


def _draw_in_parts(
    margins: Margins, model: Model, n_tables: int, seed: np.uint64, first: int
) -> Iterator[tuple[int, SizesOfBoth]]:
    """Place of the first table of each part among those wanted, and the sizes of all of its tables."""
    sides = _pair_sides(margins, model)
    keys = [mix(np.uint64(seed) ^ salt) for salt in SALTS_OF_SIZES]
    clusters = max(side.forecast(totals, margins.n)[0] for side, totals in sides)
    step = max(1, SIZES_AT_A_TIME // max(clusters, 1))
    for start in range(0, n_tables, step):
        size = min(step, n_tables - start)
        rows, columns = (
            side.draw_sizes(totals, margins.n, np.uint64(key), first + start, size)
            for (side, totals), key in zip(sides, keys, strict=True)
        )
        yield start, SizesOfBoth(*rows, *columns)


def _pair_sides(
    margins: Margins, model: Model
) -> tuple[tuple[RandomSide, Integers], tuple[RandomSide, Integers]]:
    return (model.rows, margins.row_totals), (model.columns, margins.column_totals)
