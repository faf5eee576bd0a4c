"""Tables under fixed margins, the objects matched at random: all of them (the default), or within strata.

Without strata a table follows the generalised hypergeometric law (Halton 1969,
doi:10.1017/S0305004100044947). With strata the tables of all are added: large strata are drawn by a sampler
each, with a stream of its own, and the objects of the others are shuffled together, each within its stratum.
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

NANOSECONDS_PER_DRAW, NANOSECONDS_PER_TABLE = 40.0, 100.0  # of a cell that is drawn, and of a table besides
NANOSECONDS_PER_LABEL, NANOSECONDS_PER_LISTED = 0.25, 4.0  # of a deck that is put back, of a list of cells
NANOSECONDS_PER_DEAL, NANOSECONDS_FROM_AFAR, LABELS_NEARBY = 2.0, 12.0, 1 << 19
"""Of an object that is dealt, and of one whose deck has more labels than the cache. All are constants of the
method: they say which rows are dealt, and so decide the bits of a table."""

MOST_LABELS = 1 << 26  # labels of the largest deck: 512 MB with its copy
SPARSE = 4  # cells for each object beyond which the non-empty cells are listed, not all laid out
CELLS_IN_CACHE, CELLS_OF_SUMS = 163_840, 1 << 20
"""Cells of tables that are laid out at a time, 1.3 MB, and of tables within strata, 8 MB."""

OBJECTS_LISTED = 1 << 16  # objects of tables that are listed at a time: 1.5 MB of cells, in the cache

NANOSECONDS_OF_A_STRATUM, NANOSECONDS_OF_AN_OBJECT, NANOSECONDS_OF_A_SUM = 1e3, 6.0, 3.0
"""Nanoseconds of a sampler's call (65 microseconds for 64 tables), of a shuffled object, of an added cell."""


class Arrangement(NamedTuple):
    """Margins of one table, or of m tables of one shape, sorted and flat, as the kernels take them."""

    shape: tuple[int, int]  # numbers of rows and of columns in the order of work
    rows: Integers  # ascending, K for each table
    columns: Integers
    row_offsets: Integers  # cell (k, q) of the work stands at the sum of both in the flat table wanted
    column_offsets: Integers
    dealt_rows: Integers  # rows of each table whose objects are dealt


def arrange(rows: Integers, columns: Integers, n: int, strides: tuple[int, int]) -> Arrangement:
    """Sort the margins of m tables, shapes (m, K) and (m, Q), and find the places of their cells.

    Cell (i, j) of a flat table stands at ``i * strides[0] + j * strides[1]``.
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
    """Return True if a table of n objects has so many `cells` that only the non-empty ones are listed."""
    return (cells > SPARSE * n) & (0 < n <= MOST_LABELS)


def count_dealt_rows(rows: Integers, Q: int, n: int) -> Integers:
    """Count the rows of each table that are dealt: those that take less time so than cell by cell.

    `rows` are ascending totals, shape (m, K). Sparse tables are dealt whole: their cells may be listed.
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
    """A plan of how tables of given margins are drawn."""

    margins: Margins  # totals as the caller gave them
    arrangement: Arrangement
    shape: tuple[int, int]  # numbers of rows and columns, (K, Q)
    nanoseconds: float  # forecast of the time for one table
    sparse: bool  # whether so few cells are filled that these are listed, not laid out
    at_once: int  # tables that are laid out at a time, so that an index finds them in the cache


def plan_sampler(margins: Margins) -> TableSampler:
    """Plan how tables are drawn: the same way on every machine."""
    n, sides = margins.n, (margins.row_totals[np.newaxis], margins.column_totals[np.newaxis])
    shape = margins.row_totals.size, margins.column_totals.size
    strides = shape[1], 1
    if all(shape) and sides[1].max() > sides[0].max():  # the objects of the last row are not dealt
        sides, strides = sides[::-1], strides[::-1]
    arrangement = arrange(*sides, n, strides)
    (K, Q), dealt, cells = arrangement.shape, int(arrangement.dealt_rows[0]), math.prod(shape)
    objects = int(arrangement.rows[:dealt].sum()) if dealt else 0
    per_object = NANOSECONDS_PER_DEAL if n <= LABELS_NEARBY else NANOSECONDS_FROM_AFAR
    drawn = NANOSECONDS_PER_DRAW * max(K - 1 - dealt, 0) * max(Q - 1, 0)
    put_back = NANOSECONDS_PER_LABEL * min(n, kernels.SHARE_PUT_BACK * objects)
    listed = NANOSECONDS_PER_LISTED * n if is_sparse(cells, n) else 0.0
    return TableSampler(
        margins=margins,
        arrangement=arrangement,
        shape=shape,
        nanoseconds=NANOSECONDS_PER_TABLE + drawn + per_object * objects + put_back + listed,
        sparse=bool(is_sparse(cells, n)),
        at_once=max(1, CELLS_IN_CACHE // max(cells, 1)),
    )


class StratumSampler(NamedTuple):
    """Sampler of one large stratum, and the places of its clusters."""

    sampler: TableSampler
    rows: Integers
    columns: Integers


@dataclass(frozen=True, kw_only=True, eq=False)
class StrataSampler:
    """A plan of how sums of tables are drawn: of large strata, and of objects that are shuffled."""

    margins: Margins
    parts: tuple[StratumSampler, ...]
    rows: Integers  # cluster of each object that is shuffled, stratum after stratum
    columns: Integers
    ends: Integers  # where each of these strata ends
    sparse = False

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns, (K, Q)."""
        return self.margins.row_totals.size, self.margins.column_totals.size

    @property
    def at_once(self) -> int:
        """As of a `TableSampler`."""
        return max(1, CELLS_OF_SUMS // max(math.prod(self.shape), 1))

    @cached_property
    def nanoseconds(self) -> float:
        """As of a `TableSampler`."""
        cells = math.prod(self.shape) + sum(math.prod(part.sampler.shape) for part in self.parts)
        drawn = sum(NANOSECONDS_OF_A_STRATUM + part.sampler.nanoseconds for part in self.parts)
        return drawn + NANOSECONDS_OF_AN_OBJECT * self.rows.size + NANOSECONDS_OF_A_SUM * cells


Sampler: TypeAlias = TableSampler | StrataSampler


def plan_strata(margins: Margins, strata: Strata) -> StrataSampler:
    """Plan of how all strata are drawn: a large one by a sampler, if that is faster than to shuffle it."""
    parts, others = list[StratumSampler](), list[Stratum]()
    for stratum in strata:
        shuffled = NANOSECONDS_OF_AN_OBJECT * stratum.margins.n - NANOSECONDS_OF_A_STRATUM
        sampler = plan_sampler(stratum.margins) if shuffled > 0.0 else None
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
    )


def _list_objects(sides: list[tuple[Integers, Integers]]) -> Integers:
    """Cluster of each object of one side, stratum after stratum."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *(np.repeat(*side) for side in sides)])


@explain_call
def sample_tables(
    margins: Margins, n_tables: int, *, rng: RNG = None, budget: Budget | None = None
) -> Integers:
    """Random contingency tables with the given margins.

    Parameters
    ----------
    margins : Margins
        Row totals of shape (K,) and column totals of shape (Q,), equal sums.
    n_tables : int
        Number of tables, at least 1.
    rng : None, int, SeedSequence or Generator
        As in SciPy. Table t of a seed is the same whatever `n_tables`.
    budget : Budget, optional
        How many bytes the array may have: half of the memory of this machine if left out.

    Returns
    -------
    ndarray of int64, shape (n_tables, K, Q)
        Independent draws from the law of a table under random matching of the objects.

    Raises
    ------
    ValueError
        If ``n_tables < 1``, or the tables are larger than allowed.

    See Also
    --------
    null_distribution : The distribution of an index over such tables.
    scipy.stats.random_table : The same law in SciPy, with one stream of random numbers for all tables.

    Notes
    -----
    The law is the generalised hypergeometric one, with both margins fixed [1]_. Small clusters are drawn
    object by object, the cells between large ones from their laws, as the margins make it cheapest.

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
    """Tables number ``first, first + 1, ...`` of this seed into `out`: (m, K, Q), C order."""
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
    """Tables of these numbers and n objects into `out`, all 0: (m, K, Q), C order."""
    (K, Q), rows, columns, row_offsets, column_offsets, dealt_rows = arrangement
    if K and Q and len(out):
        fresh, labels, places = _make_decks(n if dealt_rows.any() else 0)
        kernels.draw_tables(
            K, Q, np.uint64(seed), numbers, rows, columns, row_offsets, column_offsets, dealt_rows, fresh,
            labels, places, log_factorials(n), np.empty(Q, dtype=np.int64), out.reshape(len(out), K * Q),
        )  # fmt: skip


def _make_decks(n: int) -> tuple[kernels.Labels, kernels.Labels, kernels.Labels]:
    """Room for two decks of n labels, and for the places of those that are dealt."""
    return np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)


def expect_tables(sampler: Sampler, n_tables: int) -> None:
    """Tell the rule of compiling that `n_tables` will be drawn, before the first of them."""
    if isinstance(sampler, TableSampler):
        (K, Q), dealt = sampler.arrangement.shape, int(sampler.arrangement.dealt_rows[0])
        objects = float(sampler.arrangement.rows[:dealt].sum())
        kernel = kernels.list_cells if sampler.sparse else kernels.draw_tables
        expect(kernel, 1e-9 * n_tables * kernels.forecast_table(K, Q, dealt, objects))
        return
    for part in sampler.parts:
        expect_tables(part.sampler, n_tables)
    expect(streams.add_shuffled, 1e-9 * n_tables * streams.NANOSECONDS_OF_AN_OBJECT * sampler.rows.size)


def draw_tables_of(sizes: ManyMargins, seed: np.uint64, numbers: Integers) -> Integers:
    """Tables of these numbers, shape (m, K, Q), each with margins of its own."""
    (m, K), Q = sizes.row_totals.shape, sizes.column_totals.shape[1]
    out = np.zeros((m, K, Q), dtype=np.int64)
    draw_arranged(arrange(*sizes, (Q, 1)), sizes.n, seed, numbers, out)
    return out


class Sizes(NamedTuple):
    """Totals of one table, or of several in a row, ascending in each, and where those of each table end."""

    rows: Integers
    row_ends: Integers  # shape (m + 1,), from 0 on
    columns: Integers
    column_ends: Integers


class Listed(NamedTuple):
    """Non-empty cells of some tables, one table after the other; the next ones overwrite them."""

    rows: Integers
    columns: Integers
    counts: Integers
    ends: Integers  # shape (m + 1,), from 0 on

    def sum_squares(self) -> Integers:
        """``T = sum n_ij**2`` of each table."""
        counts = self.counts[: self.ends[-1]]
        return np.diff(np.concatenate(([0], np.cumsum(counts * counts)))[self.ends])


def list_tables(sizes: Sizes, n: int, seed: np.uint64, numbers: Integers) -> Iterator[tuple[slice, Listed]]:
    """Non-empty cells of tables of these numbers and n > 0 objects, some at a time, and their places.

    Rows and columns of a cell count in the order of the sizes.
    """
    together = min(max(1, OBJECTS_LISTED // n), numbers.size)
    most_columns = int(np.diff(sizes.column_ends).max())
    fresh, labels, places = _make_decks(n)
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
    """Tables of a plan by `list_tables`, in the order of work."""
    (K, Q), rows, columns = sampler.arrangement[:3]
    sizes = Sizes(rows, np.array([0, K]), columns, np.array([0, Q]))
    return list_tables(sizes, sampler.margins.n, seed, first + np.arange(n_tables))


def draw_listed_tables(
    sampler: TableSampler, seed: np.uint64, first: int, n_tables: int
) -> Iterator[tuple[slice, Listed]]:
    """Tables as their non-empty cells, some at a time, and their places among those wanted."""
    order, Q = sampler.arrangement, sampler.shape[1]
    for part, listed in _list_planned(sampler, seed, first, n_tables):
        n_cells = int(listed.ends[-1])
        places = order.row_offsets[listed.rows[:n_cells]] + order.column_offsets[listed.columns[:n_cells]]
        yield part, Listed(*np.divmod(places, Q), listed.counts[:n_cells], listed.ends)


def sum_squares(tables: Integers) -> Integers:
    """``T = sum n_ij**2`` of tables, shape (m, K, Q)."""
    flat = tables.reshape(len(tables), math.prod(tables.shape[1:]))
    return np.asarray(np.einsum("ij,ij->i", flat, flat))


def draw_pair_sums(sampler: Sampler, seed: np.uint64, first: int, n_tables: int) -> Integers:
    """``T = sum n_ij**2`` of tables number ``first, ..., first + n_tables - 1`` of this seed."""
    sums = np.empty(n_tables, dtype=np.int64)
    if sampler.sparse:
        assert isinstance(sampler, TableSampler)  # no other is sparse
        for part, listed in _list_planned(sampler, seed, first, n_tables):
            sums[part] = listed.sum_squares()
        return sums
    tables = np.empty((max(min(sampler.at_once, n_tables), 1), *sampler.shape), dtype=np.int64)
    for done in range(0, n_tables, len(tables)):
        part = slice(done, min(done + len(tables), n_tables))
        drawn = tables[: part.stop - done]
        draw_tables(sampler, seed, first + done, drawn)
        sums[part] = sum_squares(drawn)
    return sums
