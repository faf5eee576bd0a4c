"""Tables under fixed margins: objects are matched at random, all (the default) or within strata.

Without strata a table follows the generalised hypergeometric distribution (Halton 1969,
doi:10.1017/S0305004100044947). With strata, the tables of all strata are added. Each large stratum has a
sampler and a stream. The objects of the small strata are shuffled together, each within its stratum; so are
all objects if most cells of the table are empty.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from chancecorr.machine.arguments import as_count, explain_call
from chancecorr.machine.arrays import Integers, cached_property
from chancecorr.machine.budget import Budget, as_budget
from chancecorr.machine.kernel import expect
from chancecorr.sampling.kernels import streams
from chancecorr.sampling.kernels import tables as kernels
from chancecorr.sampling.kernels.logarithms import log_factorials
from chancecorr.sampling.seeding import RNG, make_seed, split_seed
from chancecorr.tables.contingency import ManyMargins, Margins, as_margins
from chancecorr.tables.objects import Strata, Stratum

NANOSECONDS_PER_DRAW, NANOSECONDS_PER_TABLE = 40.0, 100.0  # time to draw a cell; further time of each table
NANOSECONDS_PER_LABEL, NANOSECONDS_PER_LISTED = 0.25, 4.0  # time to restore a label of a deck, to list a cell
NANOSECONDS_PER_DEAL, NANOSECONDS_FROM_AFAR, LABELS_NEARBY = 2.0, 12.0, 1 << 19
"""Time to deal an object, and to deal it from a deck with more labels than the cache holds. The constants are
part of the method: they decide which rows are dealt, and so the bits of a table."""

MOST_LABELS = 1 << 26  # labels of the largest deck: 512 MB with its copy
SPARSE = 4  # with more cells per object, the non-empty cells are listed and the table is not laid out
CELLS_IN_CACHE, CELLS_OF_SUMS = 163_840, 1 << 20
"""Cells of the tables that are laid out at a time: 1.3 MB without strata, 8 MB within strata."""

OBJECTS_LISTED = 1 << 16  # objects of the tables that are listed at a time: 1.5 MB of cells, in the cache

NANOSECONDS_OF_A_STRATUM, NANOSECONDS_OF_AN_OBJECT, NANOSECONDS_OF_A_SUM = 1e3, 6.0, 3.0
NANOSECONDS_SORTED = 20.0
"""Nanoseconds to call a sampler (65 microseconds for 64 tables), to shuffle an object, to add a cell; and to
sort the cells of the objects, for each object: 6 with vector instructions, up to 30 without."""


class Arrangement(NamedTuple):
    """Sorted margins of one table, or of m tables of one shape, as flat arrays for the kernels."""

    shape: tuple[int, int]  # numbers of rows and of columns as drawn (perhaps transposed)
    rows: Integers  # in ascending order, K for each table
    columns: Integers
    # cell (k, q) as drawn has position row_offsets[k] + column_offsets[q] in the caller's flat table
    row_offsets: Integers
    column_offsets: Integers
    dealt_rows: Integers  # number of rows of each table whose objects are dealt


def arrange(rows: Integers, columns: Integers, n: int, strides: tuple[int, int]) -> Arrangement:
    """Sort the margins of m tables, shapes (m, K) and (m, Q), and find the positions of their cells.

    Cell (i, j) of a flat table has position ``i * strides[0] + j * strides[1]``.
    """
    orders = [side.argsort(axis=1, kind="stable") for side in (rows, columns)]
    rows, columns = (np.take_along_axis(*each, 1) for each in zip((rows, columns), orders, strict=True))
    row_offsets, column_offsets = (
        (order * stride).ravel() for order, stride in zip(orders, strides, strict=True)
    )
    (_, K), (_, Q) = rows.shape, columns.shape
    dealt_rows = count_dealt_rows(rows, Q, n)
    return Arrangement((K, Q), rows.ravel(), columns.ravel(), row_offsets, column_offsets, dealt_rows)


def is_sparse(cells: Any, n: int) -> Any:
    """Return True if most of a table's `cells` are empty, so that only the others are listed."""
    return (cells > SPARSE * n) & (0 < n <= MOST_LABELS)


def count_dealt_rows(rows: Integers, Q: int, n: int) -> Integers:
    """Count the rows of each table that are drawn faster object by object than cell by cell.

    `rows` are totals in ascending order, shape (m, K). In sparse tables all rows except the last are dealt,
    because their cells may be listed.
    """
    m, K = rows.shape
    if n > MOST_LABELS or not n:
        return np.zeros(m, dtype=np.int64)
    if is_sparse(K * Q, n):
        return np.full(m, K - 1)
    per_object = NANOSECONDS_PER_DEAL if n <= LABELS_NEARBY else NANOSECONDS_FROM_AFAR
    spared = np.maximum(NANOSECONDS_PER_DRAW * (Q - 1) - per_object * rows[:, :-1], 0.0)
    pays = spared.sum(axis=1) > NANOSECONDS_PER_LABEL * n
    return np.where(pays, np.count_nonzero(spared, axis=1), 0).astype(np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class TableSampler:
    """A plan for drawing tables with given margins."""

    margins: Margins  # totals in the caller's order
    arrangement: Arrangement
    shape: tuple[int, int]  # numbers of rows and columns, (K, Q)
    nanoseconds: float  # forecast of the time for one table
    sparse: bool  # whether so few cells are filled that they are listed and the table is not laid out
    # number of tables laid out together; they fit into the cache, where an index then reads them
    at_once: int


def plan_sampler(margins: Margins) -> TableSampler:
    """Plan how tables are drawn; the plan is the same on every machine."""
    n, sides = margins.n, (margins.row_totals[np.newaxis], margins.column_totals[np.newaxis])
    shape = margins.row_totals.size, margins.column_totals.size
    strides = shape[1], 1
    # the objects of the last row are not dealt: make the side with the largest cluster the rows
    if all(shape) and sides[1].max() > sides[0].max():
        sides, strides = sides[::-1], strides[::-1]
    arrangement = arrange(*sides, n, strides)
    (K, Q), dealt, cells = arrangement.shape, int(arrangement.dealt_rows[0]), math.prod(shape)
    objects = int(arrangement.rows[:dealt].sum()) if dealt else 0
    per_object = NANOSECONDS_PER_DEAL if n <= LABELS_NEARBY else NANOSECONDS_FROM_AFAR
    drawn = NANOSECONDS_PER_DRAW * max(K - 1 - dealt, 0) * max(Q - 1, 0)
    put_back = NANOSECONDS_PER_LABEL * min(n, kernels.SHARE_PUT_BACK * objects)
    sparse = bool(is_sparse(cells, n))
    listed = NANOSECONDS_PER_LISTED * n if sparse else 0.0
    return TableSampler(
        margins=margins,
        arrangement=arrangement,
        shape=shape,
        nanoseconds=NANOSECONDS_PER_TABLE + drawn + per_object * objects + put_back + listed,
        sparse=sparse,
        at_once=max(1, CELLS_IN_CACHE // max(cells, 1)),
    )


class StratumSampler(NamedTuple):
    """The sampler of one large stratum, and the positions of the stratum's clusters in the table."""

    sampler: TableSampler
    rows: Integers
    columns: Integers


@dataclass(frozen=True, kw_only=True, eq=False)
class StrataSampler:
    """A plan for drawing tables within strata: a sampler for each large stratum, shuffling for the others.

    If most cells are empty, all strata are shuffled, and the cells of the objects are listed.
    """

    margins: Margins
    parts: tuple[StratumSampler, ...]
    rows: Integers  # cluster of each object that is shuffled, stratum by stratum
    columns: Integers
    ends: Integers  # end of each of these strata
    sparse: bool

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns, (K, Q)."""
        return self.margins.row_totals.size, self.margins.column_totals.size

    @property
    def at_once(self) -> int:
        """Number of tables that are evaluated together."""
        return max(1, CELLS_OF_SUMS // max(math.prod(self.shape), 1))

    @cached_property
    def nanoseconds(self) -> float:
        """Forecast of the time for one table."""
        if self.sparse:
            return (NANOSECONDS_OF_AN_OBJECT + NANOSECONDS_SORTED) * self.rows.size
        cells = math.prod(self.shape) + sum(math.prod(part.sampler.shape) for part in self.parts)
        drawn = sum(NANOSECONDS_OF_A_STRATUM + part.sampler.nanoseconds for part in self.parts)
        return drawn + NANOSECONDS_OF_AN_OBJECT * self.rows.size + NANOSECONDS_OF_A_SUM * cells


Sampler: TypeAlias = TableSampler | StrataSampler


def plan_strata(margins: Margins, strata: Strata) -> StrataSampler:
    """Plan how the strata are drawn: a large one by a sampler if that is faster than shuffling."""
    parts, others = list[StratumSampler](), list[Stratum]()
    sparse = bool(is_sparse(margins.row_totals.size * margins.column_totals.size, margins.n))
    for stratum in strata:
        shuffled = NANOSECONDS_OF_AN_OBJECT * stratum.margins.n - NANOSECONDS_OF_A_STRATUM
        sampler = plan_sampler(stratum.margins) if shuffled > 0.0 and not sparse else None
        if sampler is not None and shuffled > sampler.nanoseconds:
            parts.append(StratumSampler(sampler, stratum.rows, stratum.columns))
        else:
            others.append(stratum)
    return StrataSampler(
        margins=margins,
        parts=tuple(parts),
        rows=_list_objects([(stratum.rows, stratum.margins.row_totals) for stratum in others]),
        columns=_list_objects([(stratum.columns, stratum.margins.column_totals) for stratum in others]),
        ends=np.cumsum([stratum.margins.n for stratum in others], dtype=np.int64),
        sparse=sparse,
    )


def _list_objects(sides: list[tuple[Integers, Integers]]) -> Integers:
    """Return the cluster of each object of one side, stratum by stratum."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *(np.repeat(*side) for side in sides)])


@explain_call
def sample_tables(
    margins: Margins, n_tables: int, *, rng: RNG = None, budget: Budget | None = None
) -> Integers:
    """Draw random contingency tables with the given margins.

    Parameters
    ----------
    margins : Margins
        Row totals of shape (K,) and column totals of shape (Q,), equal sums.
    n_tables : int
        Number of tables, at least 1.
    rng : None, int, SeedSequence or Generator
        As in SciPy. For one seed, table number t is the same for any `n_tables`.
    budget : Budget, optional
        Memory for the array; by default half of this machine's memory.

    Returns
    -------
    ndarray of int64, shape (n_tables, K, Q)
        Independent tables from random matchings of the objects.

    Raises
    ------
    ValueError
        If ``n_tables < 1``, or the tables need more memory than the budget allows.

    See Also
    --------
    null_distribution : The distribution of an index over such tables.
    scipy.stats.random_table : The same distribution in SciPy, with one random stream for all tables.

    Notes
    -----
    Tables follow the generalised hypergeometric distribution, with both margins fixed [1]_. Small clusters
    are drawn object by object, and the cells between large clusters from their conditional distributions,
    whichever takes less time for these margins.

    References
    ----------
    .. [1] Halton (1969), doi:10.1017/S0305004100044947.

    Examples
    --------
    >>> tables = sample_tables(Margins([2, 6], [1, 3, 4]), 1000, rng=1)
    >>> tables.shape
    (1000, 2, 3)
    >>> bool((tables.sum(axis=2) == [2, 6]).all() and (tables.sum(axis=1) == [1, 3, 4]).all())
    True
    """
    n_tables = as_count("n_tables", n_tables)
    margins = as_margins(margins)
    sampler = plan_sampler(margins)
    K, Q = sampler.shape
    as_budget(budget).check_bytes("n_tables", f"tables of {K:,} by {Q:,}", 8.0 * n_tables * K * Q)
    out = np.zeros((n_tables, *sampler.shape), dtype=np.int64)
    draw_tables(sampler, make_seed(rng), 0, out, is_zero=True)
    return out


def draw_tables(
    sampler: Sampler, seed: np.uint64, first: int, out: Integers, *, is_zero: bool = False
) -> None:
    """Draw tables number ``first, first + 1, ...`` of this seed into `out`: (m, K, Q), C order."""
    if not is_zero:
        out.fill(0)
    if isinstance(sampler, TableSampler):
        draw_arranged(sampler.arrangement, sampler.margins.n, seed, first + np.arange(len(out)), out)
        return
    rows, columns = sampler.rows, sampler.columns
    own, *seeds = split_seed(seed, 1 + len(sampler.parts))
    streams.add_shuffled(own, first, rows, columns, np.ones_like(rows), sampler.ends, columns.copy(), out)
    for part, seed_of_part in zip(sampler.parts, seeds, strict=True):
        tables = np.zeros((len(out), *part.sampler.shape), dtype=np.int64)
        draw_tables(part.sampler, seed_of_part, first, tables, is_zero=True)
        out[:, part.rows[:, np.newaxis], part.columns] += tables


def draw_arranged(
    arrangement: Arrangement, n: int, seed: np.uint64, numbers: Integers, out: Integers
) -> None:
    """Draw the tables of these numbers and n objects into the zeros of `out`: (m, K, Q), C order."""
    (K, Q), rows, columns, row_offsets, column_offsets, dealt_rows = arrangement
    if K and Q and len(out):
        size = n if dealt_rows.any() else 0
        fresh, labels, places = (np.empty(size, dtype=np.int32) for _ in range(3))
        kernels.draw_tables(
            K, Q, np.uint64(seed), numbers, rows, columns, row_offsets, column_offsets, dealt_rows, fresh,
            labels, places, log_factorials(n), np.empty(Q, dtype=np.int64), out.reshape(len(out), K * Q),
        )  # fmt: skip


def expect_tables(sampler: Sampler, n_tables: int) -> None:
    """Announce that `n_tables` tables will be drawn, to decide whether to compile."""
    if isinstance(sampler, TableSampler):
        (K, Q), dealt = sampler.arrangement.shape, int(sampler.arrangement.dealt_rows[0])
        objects = float(sampler.arrangement.rows[:dealt].sum())
        kernel = kernels.list_cells if sampler.sparse else kernels.draw_tables
        expect(kernel, 1e-9 * n_tables * kernels.forecast_table(K, Q, dealt, objects))
        return
    for part in sampler.parts:
        expect_tables(part.sampler, n_tables)
    shuffling = streams.fill_shuffled if sampler.sparse else streams.add_shuffled
    expect(shuffling, 1e-9 * n_tables * streams.NANOSECONDS_OF_AN_OBJECT * sampler.rows.size)


def draw_tables_of(sizes: ManyMargins, seed: np.uint64, numbers: Integers) -> Integers:
    """Draw the tables of these numbers, shape (m, K, Q), each with its margins in `sizes`."""
    (m, K), Q = sizes.row_totals.shape, sizes.column_totals.shape[1]
    out = np.zeros((m, K, Q), dtype=np.int64)
    draw_arranged(arrange(*sizes, (Q, 1)), sizes.n, seed, numbers, out)
    return out


class Sizes(NamedTuple):
    """Totals of m tables, or of one: each table's in ascending order, and where each table's end."""

    rows: Integers
    row_ends: Integers  # shape (m + 1,), starting with 0
    columns: Integers
    column_ends: Integers


class Listed(NamedTuple):
    """Non-empty cells of some tables, one table after the other; drawing further tables overwrites them."""

    rows: Integers
    columns: Integers
    counts: Integers
    ends: Integers  # shape (m + 1,), starting with 0

    def sum_squares(self) -> Integers:
        """Return ``T = sum n_ij**2`` of each table."""
        counts = self.counts[: self.ends[-1]]
        return np.diff(np.concatenate(([0], np.cumsum(counts * counts)))[self.ends])


def list_tables(sizes: Sizes, n: int, seed: np.uint64, numbers: Integers) -> Iterator[tuple[slice, Listed]]:
    """Yield the non-empty cells of some tables of n > 0 objects, and the tables' positions in `numbers`.

    Row and column numbers refer to the order of `sizes`.
    """
    together = min(max(1, OBJECTS_LISTED // n), numbers.size)
    most_columns = int(np.diff(sizes.column_ends).max())
    fresh, labels, places = (np.empty(n, dtype=np.int32) for _ in range(3))
    slots, left = np.full(most_columns, -1, dtype=np.int64), np.empty(most_columns, dtype=np.int64)
    rows, columns, counts = (np.empty(together * n, dtype=np.int64) for _ in range(3))
    ends, is_one = np.empty(together + 1, dtype=np.int64), sizes.row_ends.size == 2
    for start in range(0, numbers.size, together):
        some = numbers[start : start + together]
        part = slice(start, start + some.size)
        of_part = slice(0, 2) if is_one else slice(start, start + some.size + 1)
        kernels.list_cells(
            np.uint64(seed), some, sizes.rows, sizes.row_ends[of_part], sizes.columns,
            sizes.column_ends[of_part], fresh, labels, places, slots, left, rows, columns, counts, ends,
        )  # fmt: skip
        yield part, Listed(rows, columns, counts, ends[: some.size + 1])


def _list_planned(
    sampler: TableSampler, seed: np.uint64, first: int, n_tables: int
) -> Iterator[tuple[slice, Listed]]:
    """Yield the tables of a plan by `list_tables`; row and column numbers refer to the plan's order."""
    (K, Q), rows, columns = sampler.arrangement[:3]
    sizes = Sizes(rows, np.array([0, K]), columns, np.array([0, Q]))
    return list_tables(sizes, sampler.margins.n, seed, first + np.arange(n_tables))


def _list_shuffled(
    sampler: StrataSampler, seed: np.uint64, first: int, n_tables: int
) -> Iterator[tuple[slice, Listed]]:
    """Yield the tables of a plan whose strata are all shuffled: the distinct cells of the objects."""
    n, Q = sampler.rows.size, sampler.shape[1]
    (own,) = split_seed(seed, 1)
    together = min(max(1, OBJECTS_LISTED // n), n_tables)
    shuffled = np.empty((together, n), dtype=np.int64)
    for start in range(0, n_tables, together):
        part = slice(start, min(start + together, n_tables))
        some = shuffled[: part.stop - start]
        streams.fill_shuffled(own, first + start, sampler.columns, sampler.ends, some)
        cells = np.sort(sampler.rows * Q + some, axis=1)
        is_first = np.ones(cells.shape, dtype=np.bool_)
        is_first[:, 1:] = cells[:, 1:] != cells[:, :-1]
        places = np.flatnonzero(is_first)
        ends = np.concatenate(([0], np.cumsum(is_first.sum(axis=1))))
        counts = np.diff(places, append=cells.size)
        yield part, Listed(*np.divmod(cells.ravel()[places], Q), counts, ends)


def draw_listed_tables(
    sampler: Sampler, seed: np.uint64, first: int, n_tables: int
) -> Iterator[tuple[slice, Listed]]:
    """Yield the non-empty cells of some tables, and the tables' positions among the `n_tables`."""
    if isinstance(sampler, StrataSampler):
        yield from _list_shuffled(sampler, seed, first, n_tables)
        return
    order, Q = sampler.arrangement, sampler.shape[1]
    for part, listed in _list_planned(sampler, seed, first, n_tables):
        n_cells = int(listed.ends[-1])
        places = order.row_offsets[listed.rows[:n_cells]] + order.column_offsets[listed.columns[:n_cells]]
        yield part, Listed(*np.divmod(places, Q), listed.counts[:n_cells], listed.ends)


def sum_squares(tables: Integers) -> Integers:
    """Return ``T = sum n_ij**2`` of tables, shape (m, K, Q)."""
    flat = tables.reshape(len(tables), math.prod(tables.shape[1:]))
    return np.asarray(np.einsum("ij,ij->i", flat, flat))


def draw_pair_sums(sampler: Sampler, seed: np.uint64, first: int, n_tables: int) -> Integers:
    """Draw tables ``first, ..., first + n_tables - 1`` of this seed and return their ``T = sum n_ij**2``."""
    sums = np.empty(n_tables, dtype=np.int64)
    if sampler.sparse:
        listing = (
            _list_planned(sampler, seed, first, n_tables)
            if isinstance(sampler, TableSampler)
            else _list_shuffled(sampler, seed, first, n_tables)
        )
        for part, listed in listing:
            sums[part] = listed.sum_squares()
        return sums
    tables = np.empty((max(min(sampler.at_once, n_tables), 1), *sampler.shape), dtype=np.int64)
    for done in range(0, n_tables, len(tables)):
        part = slice(done, min(done + len(tables), n_tables))
        drawn = tables[: part.stop - done]
        draw_tables(sampler, seed, first + done, drawn)
        sums[part] = sum_squares(drawn)
    return sums
