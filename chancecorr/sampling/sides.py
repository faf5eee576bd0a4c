"""The random partition of each side of a table: cluster sizes that are fixed or drawn, and the tables.

A side either keeps its cluster sizes or draws them, and objects are matched at random. All other code calls
the methods of the sides. Partitions are counted by Stirling numbers of the second kind and Bell numbers
(Gates & Ahn 2017, arXiv:1701.06508). The multinomial model is due to Sundqvist, Chiquet & Rigaill (2023),
doi:10.1007/s00180-022-01230-7.
"""

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chancecorr.exact.closed_laws import compute_binomial_law
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import NANOSECONDS_PER_CALL, NANOSECONDS_PER_CELL
from chancecorr.machine.kernel import expect
from chancecorr.sampling import permutation
from chancecorr.sampling.kernels import partitions as kernels
from chancecorr.sampling.kernels import tables as table_kernels
from chancecorr.sampling.kernels.logarithms import log_factorials
from chancecorr.sampling.kernels.streams import NANOSECONDS_OF_AN_OBJECT
from chancecorr.sampling.permutation import (
    CELLS_IN_CACHE,
    NANOSECONDS_PER_DEAL,
    NANOSECONDS_PER_DRAW,
    NANOSECONDS_PER_TABLE,
    SPARSE,
    Sizes,
)
from chancecorr.tables.contingency import ManyMargins, Margins

if TYPE_CHECKING:
    from scipy.sparse import csr_array


MOST_OBJECTS, MOST_DIGIT_STEPS = 10_000, 4e9
"""Limits for counting partitions: the recursions compute ``n**2 k`` digits for k clusters and ``n**3 / 8``
for any number of clusters. At the limits they take one or two seconds, once for each n and k."""

# for row sizes, for column sizes
SALTS_OF_SIZES = np.uint64(0x8E5C1F4A2B9D7361), np.uint64(0x3B97D0E6A4C8F215)
# time to draw the uniform number of a random size, or to throw an object into an urn
NANOSECONDS_OF_A_SIZE = 12.0
NEGLIGIBLE_PROBABILITY = 1e-20  # `compute_law_of_cluster` leaves out sizes below it
# cluster sizes of several tables, and where the sizes of each table end
SizesOfSide = tuple[Integers, Integers]


class RandomSide(ABC):
    """One side of the table: its cluster sizes are fixed or random. Methods take its totals and n objects."""

    name: str  # the name in messages
    varies = True  # whether the cluster sizes differ from table to table
    varies_in_number = False  # whether the number of clusters differs too: tables then have many shapes

    @abstractmethod
    def draw_sizes(self, totals: Integers, n: int, seed: np.uint64, first: int, n_tables: int) -> SizesOfSide:
        """Draw cluster sizes of tables ``first, first + 1, ...``; return them and where each table's end.

        The ends, shape (n_tables + 1,), start with 0. Random sizes depend only on the seed and the table's
        number.
        """

    @abstractmethod
    def forecast(self, totals: Integers, n: int) -> tuple[int, float]:
        """Return the approximate number of clusters, and the nanoseconds to draw their sizes (0 if fixed)."""

    def expect_sizes(self, totals: Integers, n: int, n_tables: int) -> None:
        """Announce that the sizes of `n_tables` tables will be drawn, to decide whether to compile."""
        return

    def find_most_objects(self, totals: Integers) -> int | None:
        """Return the largest n whose partitions are counted (see `MOST_OBJECTS`), or None without a limit."""
        return None

    @abstractmethod
    def compute_chance_together(self, totals: Integers, n: int) -> Fraction:
        """Return the probability that two objects are in one cluster, for n >= 2."""

    @abstractmethod
    def compute_law_of_cluster(self, totals: Integers, n: int) -> tuple[Integers, Floats]:
        """Return the possible sizes of a random object's cluster, and their probabilities, for n >= 1."""

    @abstractmethod
    def list_extreme_sizes(self, totals: Integers, n: int) -> list[Integers]:
        """List the most even and the least even cluster sizes that are possible, for n >= 2."""


class FixedSizes(RandomSide):
    """Fixed cluster sizes, as in the data."""

    name, varies = "fixed", False

    def draw_sizes(self, totals: Integers, n: int, seed: np.uint64, first: int, n_tables: int) -> SizesOfSide:
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
    """A partition drawn uniformly, with a given number of clusters or with any number."""

    @abstractmethod
    def count_partitions(self, totals: Integers, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Count the partitions of 0, ..., n objects: outside a given cluster, and of all objects."""

    def compute_chance_together(self, totals: Integers, n: int) -> Fraction:
        _, numbers = self.count_partitions(totals, n)
        # two objects that are together count as one: partitions of n - 1 objects
        return Fraction(numbers[n - 1], numbers[n])

    def compute_law_of_cluster(self, totals: Integers, n: int) -> tuple[Integers, Floats]:
        # P(s) = C(n - 1, s - 1) rest(n - s) / all: choose the s - 1 other objects, partition the n - s
        # remaining ones
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
    """A uniform partition with the number of non-empty clusters of the data."""

    name = "fixed-k"

    def draw_sizes(self, totals: Integers, n: int, seed: np.uint64, first: int, n_tables: int) -> SizesOfSide:
        k = int(np.count_nonzero(totals))
        sizes = np.empty(n_tables * k, dtype=np.int64)
        table = log_factorials(n)
        kernels.fill_sizes_of_k(n, _find_tilt(n, k), seed, first, np.empty(k), table, sizes)
        return sizes, np.arange(n_tables + 1) * k

    def forecast(self, totals: Integers, n: int) -> tuple[int, float]:
        k = int(np.count_nonzero(totals))
        thrown = min(n - k, kernels.OBJECTS_PER_BINOMIAL * k)
        return k, NANOSECONDS_OF_A_SIZE * (k + thrown)

    def expect_sizes(self, totals: Integers, n: int, n_tables: int) -> None:
        k = int(np.count_nonzero(totals))
        expect(kernels.fill_sizes_of_k, 1e-9 * kernels.forecast_sizes_of_k(n, k, n_tables))

    def find_most_objects(self, totals: Integers) -> int | None:
        return min(MOST_OBJECTS, int(math.sqrt(MOST_DIGIT_STEPS / max(int(np.count_nonzero(totals)), 1))))

    def count_partitions(self, totals: Integers, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return compute_stirling_numbers(n, int(np.count_nonzero(totals)))

    def list_extreme_sizes(self, totals: Integers, n: int) -> list[Integers]:
        k = int(np.count_nonzero(totals))
        return [np.diff(np.arange(k + 1) * n // k), np.append(np.ones(k - 1, dtype=np.int64), n - k + 1)]


class AnyNumber(UniformPartition):
    """A uniform partition with any number of clusters."""

    name, varies_in_number = "all-partitions", True

    def draw_sizes(self, totals: Integers, n: int, seed: np.uint64, first: int, n_tables: int) -> SizesOfSide:
        fewest_urns, urn_law = _compute_law_of_urns(n)
        ends = np.empty(n_tables + 1, dtype=np.int64)
        sizes = np.empty(n_tables * (fewest_urns + urn_law.size), dtype=np.int64)
        kernels.fill_sizes_of_any(n, fewest_urns, urn_law, seed, first, sizes, ends)
        return sizes[: ends[-1]], ends

    def forecast(self, totals: Integers, n: int) -> tuple[int, float]:
        fewest_urns, urn_law = _compute_law_of_urns(n)
        clusters = min(n, fewest_urns + urn_law.size // 2)
        return clusters, NANOSECONDS_OF_A_SIZE * (clusters + n)

    def expect_sizes(self, totals: Integers, n: int, n_tables: int) -> None:
        expect(kernels.fill_sizes_of_any, 1e-9 * NANOSECONDS_OF_AN_OBJECT * n * n_tables)

    def find_most_objects(self, totals: Integers) -> int | None:
        return min(MOST_OBJECTS, int((8 * MOST_DIGIT_STEPS) ** (1 / 3)))

    def count_partitions(self, totals: Integers, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return compute_bell_numbers(n), compute_bell_numbers(n)

    def list_extreme_sizes(self, totals: Integers, n: int) -> list[Integers]:
        alone = np.ones(n, dtype=np.int64)
        return [alone, np.append(alone[2:], 2), np.array([n])]


class Shares(RandomSide):
    """Multinomial sizes: each object falls independently into a cluster, by the shares of the clusters."""

    name = "multinomial"

    def draw_sizes(self, totals: Integers, n: int, seed: np.uint64, first: int, n_tables: int) -> SizesOfSide:
        totals = totals[totals > 0]
        ends = np.empty(n_tables + 1, dtype=np.int64)
        sizes = np.empty(n_tables * totals.size, dtype=np.int64)
        kernels.fill_multinomial_sizes(n, totals, seed, first, log_factorials(n), sizes, ends)
        return sizes[: ends[-1]], ends

    def forecast(self, totals: Integers, n: int) -> tuple[int, float]:
        k = int(np.count_nonzero(totals))
        return k, 10.0 * NANOSECONDS_OF_A_SIZE * k

    def expect_sizes(self, totals: Integers, n: int, n_tables: int) -> None:
        size = int(np.count_nonzero(totals))
        expect(kernels.fill_multinomial_sizes, 1e-9 * kernels.NANOSECONDS_OF_A_BINOMIAL * size * n_tables)

    def compute_chance_together(self, totals: Integers, n: int) -> Fraction:
        return Fraction(sum(size * size for size in totals.tolist()), n * n)

    def compute_law_of_cluster(self, totals: Integers, n: int) -> tuple[Integers, Floats]:
        sizes, laws = [], []
        for total, count in zip(*np.unique(totals[totals > 0], return_counts=True), strict=True):
            companions, law = compute_binomial_law(n - 1, int(total), n)
            sizes.append(companions + 1)
            laws.append(law * (total * count / n))
        distinct, where = np.unique(np.concatenate(sizes), return_inverse=True)
        return distinct, np.bincount(where, np.concatenate(laws)).astype(np.float64)

    def list_extreme_sizes(self, totals: Integers, n: int) -> list[Integers]:
        k = min(int(np.count_nonzero(totals)), n)
        pair = [np.array([1, n - 1])] if k > 1 else []
        return [np.diff(np.arange(k + 1) * n // k), np.array([n]), *pair]


FIXED, FIXED_K, ANY, SHARES = FixedSizes(), FixedNumber(), AnyNumber(), Shares()


class RandomSides(NamedTuple):
    """The random partition of the rows and of the columns of a table."""

    rows: RandomSide
    columns: RandomSide


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
    """Return ``B(j)`` for j = 0, ..., n, by the Bell triangle: each row starts with the end of the last."""
    numbers, row = [1], [1]
    for _ in range(n):
        following = [row[-1]]
        for x in row:
            following.append(following[-1] + x)
        row = following
        numbers.append(row[0])
    return tuple(numbers)


@functools.lru_cache(maxsize=32)
def _find_tilt(n: int, k: int) -> float:
    """Find the root of ``tilt / (1 - exp(-tilt)) = n / k``, so that few proposals are rejected.

    Any positive number gives the same law. The root is rounded to 32 bits, so that it does not depend on how
    a processor computes exponentials.
    """
    mean = n / k if k else 1.0
    tilt = mean
    for _ in range(60):  # Newton's method descends to the root, and so never reaches 0
        tilt -= (tilt + mean * math.expm1(-tilt)) / (1.0 - mean * math.exp(-tilt)) if mean > 1.0 else 0.0
    return float(np.float32(tilt))


@functools.lru_cache(maxsize=32)
def _compute_law_of_urns(n: int) -> tuple[int, Floats]:
    """Return the first m and the distribution function of ``P(m) ~ m**n / m!``, to 12 std about the mode."""
    low, high = min(n, 1), max(n, 1)
    while low < high:  # the mode is the first m whose successor does not have a larger weight
        m = (low + high) // 2
        low, high = (m + 1, high) if m and n * math.log1p(1 / m) > math.log(m + 1) else (low, m)
    reach = 60 + int(12 * low / math.sqrt(n + low + 1))
    urns = np.arange(max(low - reach, min(n, 1)), low + reach + 1 if n else 1, dtype=np.float64)
    steps = n * np.log1p(1 / urns[:-1]) - np.log(urns[1:])
    log_weights = np.concatenate([[0.0], np.cumsum(steps)])
    law = np.cumsum(np.exp(log_weights - log_weights.max()))
    return int(urns[0]), law / law[-1]


MOST_CELLS_DENSE = 65_536  # tables up to this size are laid out even if most cells are empty, which is faster
SIZES_AT_A_TIME = 1 << 18  # cluster sizes that are held at a time: 2 MB


def forecast_table(margins: Margins, sides: RandomSides) -> float:
    """Forecast the nanoseconds to draw a table and compute its T."""
    (K, row_time), (Q, column_time) = (
        side.forecast(totals, margins.n) for side, totals in _pair_sides(margins, sides)
    )
    drawn = NANOSECONDS_PER_DRAW * max(K - 1, 0) * max(Q - 1, 0)
    drawn = min(drawn, NANOSECONDS_PER_DEAL * margins.n) + NANOSECONDS_OF_A_SIZE * (K + Q)
    return row_time + column_time + drawn + NANOSECONDS_PER_TABLE


def expect_random_tables(margins: Margins, sides: RandomSides, n_tables: int) -> None:
    """Announce that `n_tables` tables will be drawn, to decide whether to compile."""
    K, Q = forecast_shape(margins, sides)
    n = margins.n
    for side, totals in _pair_sides(margins, sides):
        side.expect_sizes(totals, n, n_tables)
    is_dealt = permutation.NANOSECONDS_PER_DEAL * n < NANOSECONDS_PER_DRAW * (K - 1) * (Q - 1)
    seconds = 1e-9 * n_tables * table_kernels.forecast_table(K, Q, K if is_dealt else 0, n if is_dealt else 0)
    expect(
        table_kernels.list_cells if permutation.is_sparse(K * Q, n) else table_kernels.draw_tables, seconds
    )


def forecast_laid_out(shape: tuple[int, int], n: int) -> float:
    """Forecast the further nanoseconds to lay out a table of this shape, or to list its cells."""
    K, Q = shape
    if max(MOST_CELLS_DENSE, SPARSE * n) < K * Q:
        return NANOSECONDS_PER_CALL + 10.0 * NANOSECONDS_PER_CELL * n
    return 2.0 * NANOSECONDS_PER_CELL * K * Q


def draw_random_pair_sums(
    margins: Margins, sides: RandomSides, n_tables: int, seed: np.uint64, first: int = 0
) -> tuple[Integers, Integers, Integers]:
    """Return the sums of squares ``(T, A, B)`` of the tables that `draw_random_tables` draws."""
    out, n = np.empty((3, n_tables), dtype=np.int64), margins.n
    for start, sizes in _draw_in_parts(margins, sides, n_tables, seed, first):
        (rows, row_ends), (columns, column_ends) = sizes[:2], sizes[2:]
        part = slice(start, start + row_ends.size - 1)
        out[1, part] = _sum_squares_within(rows, row_ends)
        out[2, part] = _sum_squares_within(columns, column_ends)
        is_listed = permutation.is_sparse(np.diff(row_ends) * np.diff(column_ends), n)
        for places, some in _group_by_shape(sizes, n, np.flatnonzero(~is_listed)):
            for at, tables in _lay_out_groups(places, some, seed, first + start):
                out[0, start + at] = permutation.sum_squares(tables)
        listed = np.flatnonzero(is_listed)
        if listed.size:
            ascending = Sizes(*_sort_within(*sizes[:2], listed), *_sort_within(*sizes[2:], listed))
            for some_listed, cells in permutation.list_tables(ascending, n, seed, first + start + listed):
                out[0, start + listed[some_listed]] = cells.sum_squares()
    return out[0], out[1], out[2]


def draw_random_tables(
    margins: Margins, sides: RandomSides, n_tables: int, seed: np.uint64, first: int = 0
) -> "Iterator[tuple[Integers, ManyMargins, Integers | csr_array]]":
    """Yield tables of one shape at a time: their positions in the run, their margins, their cells (m, K, Q).

    A table with many more cells than objects is yielded alone, as a sparse array.
    """
    for places, sizes in draw_random_margins(margins, sides, n_tables, seed, first):
        shape = sizes.row_totals.shape[1], sizes.column_totals.shape[1]
        if math.prod(shape) <= max(SPARSE * margins.n, MOST_CELLS_DENSE):
            for at, tables in _lay_out_groups(places, sizes, seed, first):
                yield at, sizes.select(np.searchsorted(places, at)), tables
            continue
        for t in range(places.size):
            some = slice(t, t + 1)
            yield (
                places[some],
                sizes.select(some),
                _list_sparsely(sizes.select(t), seed, first + places[some]),
            )


def _list_sparsely(sizes: ManyMargins, seed: np.uint64, number: Integers) -> "csr_array":
    """Draw one table as a sparse array; `number`, shape (1,), is its number in the run."""
    from scipy.sparse import csr_array

    orders = [np.argsort(totals, kind="stable") for totals in sizes[:2]]
    rows, columns = (totals[order] for totals, order in zip(sizes[:2], orders, strict=True))
    ascending = Sizes(rows, np.array([0, rows.size]), columns, np.array([0, columns.size]))
    ((_, cells),) = permutation.list_tables(ascending, sizes.n, seed, number)
    n_cells = int(cells.ends[-1])
    places = orders[0][cells.rows[:n_cells]], orders[1][cells.columns[:n_cells]]
    table = csr_array((cells.counts[:n_cells], places), shape=(rows.size, columns.size))
    table.sum_duplicates()
    return table


def _lay_out_groups(
    places: Integers, sizes: ManyMargins, seed: np.uint64, first: int
) -> Iterator[tuple[Integers, Integers]]:
    """Yield tables of one shape with their positions, in groups that fit into the cache."""
    cells = sizes.row_totals.shape[1] * sizes.column_totals.shape[1]
    at_once = max(1, CELLS_IN_CACHE // max(cells, 1))
    for start in range(0, places.size, at_once):
        part = slice(start, start + at_once)
        yield places[part], permutation.draw_tables_of(sizes.select(part), seed, first + places[part])


def forecast_shape(margins: Margins, sides: RandomSides) -> tuple[int, int]:
    """Forecast the numbers of rows and columns of a table."""
    (rows, row_totals), (columns, column_totals) = _pair_sides(margins, sides)
    return rows.forecast(row_totals, margins.n)[0], columns.forecast(column_totals, margins.n)[0]


def draw_random_margins(
    margins: Margins, sides: RandomSides, n_tables: int, seed: np.uint64, first: int = 0
) -> Iterator[tuple[Integers, ManyMargins]]:
    """Yield the margins of the tables of `draw_random_tables`, one shape at a time, without drawing cells."""
    for start, sizes in _draw_in_parts(margins, sides, n_tables, seed, first):
        for places, some in _group_by_shape(sizes, margins.n, np.arange(sizes.row_ends.size - 1)):
            yield start + places, some


def _group_by_shape(sizes: Sizes, n: int, wanted: Integers) -> Iterator[tuple[Integers, ManyMargins]]:
    """Yield positions and margins of the tables at `wanted`, one shape at a time."""
    rows, row_ends, columns, column_ends = sizes
    shapes = np.stack([np.diff(row_ends)[wanted], np.diff(column_ends)[wanted]], axis=1)
    distinct, kind = np.unique(shapes, axis=0, return_inverse=True)
    for number, (K, Q) in enumerate(distinct.tolist()):
        places = wanted[kind.ravel() == number]
        row_totals = rows[row_ends[places][:, np.newaxis] + np.arange(K)]
        column_totals = columns[column_ends[places][:, np.newaxis] + np.arange(Q)]
        yield places, ManyMargins(row_totals, column_totals, n)


def _sum_squares_within(sizes: Integers, ends: Integers) -> Integers:
    """Return the sum of squared cluster sizes of each partition."""
    return np.diff(np.concatenate(([0], np.cumsum(sizes[: ends[-1]] ** 2)))[ends])


def _sort_within(sizes: Integers, ends: Integers, wanted: Integers) -> SizesOfSide:
    """Return the sizes of the partitions at `wanted`, each in ascending order, and the end of each."""
    counts = np.diff(ends)
    owner = np.repeat(np.arange(counts.size), counts)
    is_wanted = np.isin(owner, wanted)
    sizes, owner = sizes[: ends[-1]][is_wanted], owner[is_wanted]
    return sizes[np.lexsort((sizes, owner))], np.concatenate(([0], np.cumsum(counts[wanted])))


def _draw_in_parts(
    margins: Margins, sides: RandomSides, n_tables: int, seed: np.uint64, first: int
) -> Iterator[tuple[int, Sizes]]:
    """Yield a run in parts: the position of a part's first table, and the cluster sizes of its tables."""
    paired = _pair_sides(margins, sides)
    keys = [np.uint64(seed) ^ salt for salt in SALTS_OF_SIZES]
    clusters = max(side.forecast(totals, margins.n)[0] for side, totals in paired)
    step = max(1, SIZES_AT_A_TIME // max(clusters, 1))
    for start in range(0, n_tables, step):
        size = min(step, n_tables - start)
        rows, columns = (
            side.draw_sizes(totals, margins.n, np.uint64(key), first + start, size)
            for (side, totals), key in zip(paired, keys, strict=True)
        )
        yield start, Sizes(*rows, *columns)


def _pair_sides(
    margins: Margins, sides: RandomSides
) -> tuple[tuple[RandomSide, Integers], tuple[RandomSide, Integers]]:
    return (sides.rows, margins.row_totals), (sides.columns, margins.column_totals)
