"""Tables under a model in which cluster sizes vary (Gates & Ahn 2017, arXiv:1701.06508).

A simulation meets this file at every block under such a model; the sizes come from the sides of
`chancecorr.sampling.models`.

A table is drawn in two steps: the sizes of each side, from streams of their own, then the table given all
sizes as under the permutation model. So ``A = sum row**2`` and ``B = sum column**2`` vary too, and a pair
index is a function of ``(T, A, B)``. A model taken from the observed data, such as its number of clusters,
is itself random: an adjusted score is then no longer certain to be 0 by chance and 1 at best (Lippitt,
Bedrick & Carlson, arXiv:2601.10641).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from chancecorr.machine.arrays import Integers
from chancecorr.machine.budget import NANOSECONDS_PER_CALL, NANOSECONDS_PER_CELL
from chancecorr.sampling import permutation
from chancecorr.sampling.kernels import partitions as kernels
from chancecorr.sampling.kernels.partitions import Layout, PartitionRoom, SizesOfBoth
from chancecorr.sampling.kernels.workspace import MOST_LABELS, NANOSECONDS_PER_DRAW
from chancecorr.sampling.models import Model, RandomSide
from chancecorr.sampling.permutation import SINGLE_DRAW
from chancecorr.tables.contingency import Margins

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_CELLS_DENSE = 65_536
"""Cells up to which a table is laid out though most of them are empty, since this takes less."""

SIZES_AT_A_TIME = 65_536
"""Cluster sizes held at a time while many tables are drawn: 512 KB."""


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
    margins: Margins, model: Model, seed: np.uint64, first: int, n_tables: int
) -> tuple[Integers, Integers, Integers]:
    """Sums of squares ``(T, A, B)`` of the tables of `draw_model_counts`, at a fraction of its cost."""
    parts, nothing = [np.zeros((3, 0), dtype=np.int64)], np.zeros(0, dtype=np.int64)
    no_layout = Layout(np.zeros((0, 0), dtype=np.int64), nothing, nothing)
    for start, (rows, row_ends, columns, column_ends) in _draw_in_parts(
        margins, model, seed, first, n_tables
    ):
        in_order = _sort_within(rows, row_ends), row_ends, _sort_within(columns, column_ends), column_ends
        sizes = SizesOfBoth(*in_order)
        room = _make_workspace(margins.n, sizes)
        part = np.empty((3, row_ends.size - 1), dtype=np.int64)  # a slice of all would be compiled for anew
        kernels.fill_pair_sums(margins.n, room, np.uint64(seed), start, sizes, part, no_layout)
        parts.append(part)
    T, A, B = np.concatenate(parts, axis=1)
    return T, A, B


def draw_model_counts(
    margins: Margins, model: Model, n_tables: int, seed: np.uint64, first: int = 0
) -> Iterator["Integers | csr_array"]:
    """Cells of tables number ``first, ...``, sparse where these are many more than the objects."""
    for start, sizes in _draw_in_parts(margins, model, seed, first, n_tables):
        rows, row_ends, columns, column_ends = sizes
        room = _make_workspace(margins.n, sizes)
        for k in range(row_ends.size - 1):
            of_table = rows[row_ends[k] : row_ends[k + 1]], columns[column_ends[k] : column_ends[k + 1]]
            cells = of_table[0].size * of_table[1].size
            if cells > max(MOST_CELLS_DENSE, 4 * margins.n):
                plan = permutation.plan_sampler(Margins(*of_table))
                if plan.sparse:
                    from scipy.sparse import csr_array

                    ((i, j, counts),) = permutation.draw_listed_tables(plan, np.uint64(seed), start + k, 1)
                    yield csr_array((counts, (i, j)), shape=plan.shape)
                    continue
            yield _lay_out(margins.n, of_table, room, seed, start + k)


def forecast_shape(margins: Margins, model: Model) -> tuple[int, int]:
    """About how many rows and columns a table has."""
    (rows, row_totals), (columns, column_totals) = _pair_sides(margins, model)
    return rows.forecast(row_totals, margins.n)[0], columns.forecast(column_totals, margins.n)[0]


def _lay_out(
    n: int, sizes: tuple[Integers, Integers], room: PartitionRoom, seed: np.uint64, t: int
) -> Integers:
    """Table number t, of shape (K, Q)."""
    rows, columns = sizes
    table = np.zeros((rows.size, columns.size), dtype=np.int64)
    if table.size > 4 * n:
        plan = permutation.plan_sampler(Margins(rows, columns))
        permutation.draw_tables(plan, np.uint64(seed), t, table[np.newaxis])
    elif table.size:
        ends = np.array([0, rows.size]), np.array([0, columns.size])
        orders = rows.argsort(kind="stable"), columns.argsort(kind="stable")
        in_order = SizesOfBoth(rows[orders[0]], ends[0], columns[orders[1]], ends[1])
        sums, layout = np.empty((3, 1), dtype=np.int64), Layout(table.reshape(1, -1), *orders)
        kernels.fill_pair_sums(n, room, np.uint64(seed), t, in_order, sums, layout)
    return table


def sample_model_margins(
    margins: Margins, model: Model, n_tables: int, seed: np.uint64, first: int = 0
) -> Iterator[Margins]:
    """Totals of the tables that `draw_model_counts` yields, at a fraction of its cost."""
    for _, (rows, row_ends, columns, column_ends) in _draw_in_parts(margins, model, seed, first, n_tables):
        for t in range(row_ends.size - 1):
            yield Margins(rows[row_ends[t] : row_ends[t + 1]], columns[column_ends[t] : column_ends[t + 1]])


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
    margins: Margins, model: Model, seed: np.uint64, first: int, n_tables: int
) -> Iterator[tuple[int, SizesOfBoth]]:
    """Numbers of the first tables of each part, and the sizes of all of its tables."""
    sides = _pair_sides(margins, model)
    keys = kernels.row_sizes_seed(np.uint64(seed)), kernels.column_sizes_seed(np.uint64(seed))
    clusters = max(side.forecast(totals, margins.n)[0] for side, totals in sides)
    step = max(1, SIZES_AT_A_TIME // max(clusters, 1))
    for start in range(first, first + n_tables, step):
        size = min(step, first + n_tables - start)
        rows, columns = (
            side.draw_sizes(totals, margins.n, np.uint64(key), start, size)
            for (side, totals), key in zip(sides, keys, strict=True)
        )
        yield start, SizesOfBoth(*rows, *columns)


def _pair_sides(
    margins: Margins, model: Model
) -> tuple[tuple[RandomSide, Integers], tuple[RandomSide, Integers]]:
    return (model.rows, margins.row_totals), (model.columns, margins.column_totals)
