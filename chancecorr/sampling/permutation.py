"""Tables under fixed margins, the objects matched at random: all of them (the default), or within strata.

Without strata a table follows the generalised hypergeometric law (Halton 1969,
doi:10.1017/S0305004100044947). With strata the tables of all are added: large strata are drawn by a sampler
each, with a stream of its own, and the objects of the others are shuffled together, each within its stratum.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from chancecorr.machine.arguments import as_count, explain_call
from chancecorr.machine.arrays import Integers, cached_property
from chancecorr.machine.budget import Budget, as_budget
from chancecorr.machine.kernel import call_at_hand, call_taking, pays
from chancecorr.sampling.draws_in_arrays import NANOSECONDS_OF_A_DEAL, NANOSECONDS_OF_A_DRAW, draw_in_arrays
from chancecorr.sampling.kernels import streams
from chancecorr.sampling.kernels import tables as kernels
from chancecorr.sampling.kernels import workspace as at
from chancecorr.sampling.kernels.draw import LANES_LIMIT, universal_hat
from chancecorr.sampling.kernels.logarithms import LOG2_TABLE_LIMIT, TABLE_BEYOND, log2_factorials
from chancecorr.sampling.kernels.side_by_side import FEWEST_IN_LANES
from chancecorr.sampling.kernels.workspace import Order, Workspace, choose_small
from chancecorr.sampling.seeding import RNG, make_seed, split_seed
from chancecorr.tables.contingency import Margins, as_margins
from chancecorr.tables.objects import Strata, Stratum

SINGLE_DRAW = 15.0  # time of a cell where tables are drawn one by one, over that of one drawn beside others
OBJECTS_IN_CACHE, BEYOND_THE_CACHE = 20_000, 2.0  # beyond them a dealt table takes twice the forecast cost
MOST_WORKSPACES = 64  # strata up to which each keeps its workspace, of up to some hundred kilobytes
CELLS_IN_CACHE, MOST_CELLS_TOGETHER, CELLS_OF_SUMS = 163_840, 1 << 24, 1 << 20
"""Cells of tables laid out at a time within a block, 1.3 MB; most, for as many tables as are drawn side by
side, 128 MB; and of tables within strata, 8 MB."""

NANOSECONDS_OF_A_STRATUM, NANOSECONDS_OF_AN_OBJECT, NANOSECONDS_OF_A_SUM = 1e3, 6.0, 3.0
"""Nanoseconds of a sampler's call (65 microseconds for 64 tables), of a shuffled object, of an added cell."""

_ONE = np.ones(1, dtype=np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class TableSampler:
    """A plan of how tables of given margins are drawn, without workspace or random state."""

    margins: Margins  # totals as the caller gave them
    order: Order  # totals in the order of work, and which are small, whose objects are drawn one by one
    shape: tuple[int, int]  # numbers of rows and columns, (K, Q)
    nanoseconds: float  # forecast of the time for one table, where many are drawn
    sparse: bool  # whether so few cells are filled that these are listed, not laid out
    at_once: int  # tables that are laid out at a time, so that an index finds them in the cache
    n_draws: int  # cells that are drawn from their laws

    def forecast(self, together: int) -> float:
        """Nanoseconds of one table if `together` are drawn at a time: side by side, if there are enough."""
        order = self.order
        more = (SINGLE_DRAW - 1.0) * at.NANOSECONDS_PER_DRAW
        if together >= FEWEST_IN_LANES and order.n < LANES_LIMIT:
            more = min(more, 320.0 / together)  # nanoseconds of a vectorised batch for each cell
        return self.nanoseconds + more * self.n_draws


def plan_sampler(margins: Margins) -> TableSampler:
    """Plan of the sampler with the lowest forecast; the same on every machine."""
    rows, columns = margins.row_totals, margins.column_totals
    row_order, column_order = rows.argsort(kind="stable"), columns.argsort(kind="stable")
    rows, columns = rows[row_order], columns[column_order]
    K, Q = rows.size, columns.size
    transposed = K > 0 and Q > 0 and at.is_transposed(rows, columns)
    if transposed:
        rows, columns, row_order, column_order, K, Q = columns, rows, column_order, row_order, Q, K
    small_rows, small_columns, cost = 0, 0, 0.0
    if K and Q:
        small_rows, small_columns = choose_small(rows.tolist(), columns.tolist(), margins.n)  # lists: faster
        cost = at.cost_of(rows, columns, margins.n, small_rows, small_columns)
    cost *= BEYOND_THE_CACHE if margins.n > OBJECTS_IN_CACHE and (small_rows or small_columns) else 1.0
    cells = max(K * Q, 1)
    places = row_order * Q, column_order
    offsets = (row_order, column_order * K) if transposed else places
    return TableSampler(
        margins=margins,
        shape=(Q, K) if transposed else (K, Q),
        nanoseconds=cost,
        sparse=0 < small_rows == K - 1 and 4 * margins.n < K * Q,
        n_draws=max(K - small_rows - 1, 0) * max(Q - small_columns - 1, 0),
        at_once=max(1, CELLS_IN_CACHE // cells, min(at.LANES, MOST_CELLS_TOGETHER // cells)),
        order=Order(margins.n, transposed, rows, columns, small_rows, small_columns, *places, *offsets),
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
        return self.forecast(self.at_once)

    def forecast(self, together: int) -> float:
        """Nanoseconds of one table if `together` are drawn at a time, which goes for all of them."""
        cells = math.prod(self.shape) + sum(math.prod(part.sampler.shape) for part in self.parts)
        drawn = sum(NANOSECONDS_OF_A_STRATUM + part.sampler.forecast(together) for part in self.parts)
        return drawn + NANOSECONDS_OF_AN_OBJECT * self.rows.size + NANOSECONDS_OF_A_SUM * cells


Sampler: TypeAlias = TableSampler | StrataSampler
Room: TypeAlias = Workspace | list[Workspace | None]


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
    out = np.empty((n_tables, *sampler.shape), dtype=np.int64)
    draw_tables(sampler, make_seed(rng), 0, out)
    return out


def draw_tables(
    sampler: Sampler, seed: np.uint64, first: int, out: Integers, room: Room | None = None
) -> None:
    """Tables number ``first, first + 1, ...`` of this seed into `out`: (m, K, Q), C order."""
    if not isinstance(sampler, TableSampler):
        rows, columns = sampler.rows, sampler.columns
        own, *seeds = split_seed(seed, 1 + len(sampler.parts))
        out[:] = 0
        streams.add_shuffled(own, first, rows, columns, np.ones_like(rows), sampler.ends, columns.copy(), out)
        works = room if isinstance(room, list) else [None] * len(seeds)
        for part, seed_of_part, work in zip(sampler.parts, seeds, works, strict=True):
            tables = np.zeros((len(out), *part.sampler.shape), dtype=np.int64)
            draw_tables(part.sampler, seed_of_part, first, tables, work)
            out[:, part.rows[:, np.newaxis], part.columns] += tables
    elif 0 not in sampler.shape:
        if not isinstance(room, Workspace) or (sampler.sparse and not room.table.size):
            room = make_workspace(sampler, len(out), laid_out=True)
        flat = out.reshape(out.shape[0], out.shape[1] * out.shape[2])
        _draw(sampler, room, seed, first, flat, np.zeros(0, dtype=np.int64))


def draw_pair_sums(sampler: Sampler, seed: np.uint64, first: int, n_tables: int) -> Integers:
    """``T = sum n_ij**2`` of tables number ``first, ..., first + n_tables - 1`` of this seed."""
    sums = np.zeros(n_tables, dtype=np.int64)
    if not isinstance(sampler, TableSampler):
        tables, room = (
            np.empty((min(sampler.at_once, n_tables), *sampler.shape), np.int64),
            make_room(sampler),
        )
        for done in range(0, n_tables, len(tables)):
            part = sums[done : done + len(tables)]
            drawn = tables[: part.size]
            draw_tables(sampler, seed, first + done, drawn, room)
            kernels.sum_squares(drawn.reshape(part.size, -1), part)
    elif 0 not in sampler.shape:
        work = make_workspace(sampler, n_tables)
        if sampler.sparse:
            counts = np.zeros(sampler.order.columns.size, dtype=np.int64)
            met = np.zeros(sampler.order.rows.max(), dtype=np.int64)
            kernels.sum_squares_sparsely(sampler.order, work, seed, first, counts, met, sums)
        else:
            _draw(sampler, work, seed, first, np.zeros((0, 0), dtype=np.int64), sums)
    return sums


def draw_listed_tables(
    sampler: TableSampler, seed: np.uint64, first: int, n_tables: int
) -> Iterator[tuple[Integers, Integers, Integers]]:
    """Tables as (rows, columns, counts) of their non-empty cells, which the next table overwrites."""
    order, Q = sampler.order, max(sampler.shape[1], 1)
    slots = np.full(order.columns.size, -1, dtype=np.int64)
    cells = tuple(np.zeros(sampler.margins.n + 1, dtype=np.int64) for _ in range(3))
    work = make_workspace(sampler, 1)
    for t in range(first, first + n_tables):
        used = kernels.list_cells(order, work, seed, t, slots, *cells) if 0 not in sampler.shape else 0
        rows, columns, counts = (part[:used] for part in cells)
        places = order.row_offsets[rows] + order.column_offsets[columns]
        yield places // Q, places % Q, counts


def _draw(
    sampler: TableSampler, work: Workspace, seed: np.uint64, first: int, out: Integers, sums: Integers
) -> None:
    """Tables into the rows of `out`, or, where it has none, T into `sums`, by the kernel for such tables."""
    order, n = sampler.order, sampler.margins.n
    lay_out = out.shape[0] > 0
    what = seed, first, lay_out, out, sums
    beyond = True if n >= TABLE_BEYOND else None
    dealt = order.small_rows > 0 or order.small_columns > 0
    m, shuffled = max(out.shape[0], sums.size), dealt and order.small_rows == order.rows.size - 1
    few = m < FEWEST_IN_LANES or n >= LANES_LIMIT
    one_by_one = few or shuffled or work.cells.shape[1] < at.LANES
    if not few and n <= LOG2_TABLE_LIMIT:
        spared = NANOSECONDS_OF_A_DRAW * sampler.n_draws + NANOSECONDS_OF_A_DEAL * at.count_dealt_objects(
            order
        )
        if not pays(kernels.draw_singly if one_by_one else kernels.draw_side_by_side, 1e-9 * m * spared):
            draw_in_arrays(order, work, *what)
            return
    if one_by_one:
        draw = call_taking(kernels.draw_singly, 1e-9 * kernels.forecast_tables(order, out, sums))
        draw(order, work, 1 if few or not shuffled else at.LANES, *what)
    elif n <= LOG2_TABLE_LIMIT or pays(
        kernels.draw_side_by_side, 1e-9 * kernels.forecast_tables(order, out, sums)
    ):
        kernels.draw_side_by_side(order, work, beyond, *what)
    else:
        call_at_hand(kernels.draw_singly)(order, work, 1, *what)


def make_workspace(sampler: TableSampler, at_a_time: int = at.LANES, *, laid_out: bool = False) -> Workspace:
    """Arrays for one thread to draw so many such tables at a time; sparse ones may have to be `laid_out`."""
    n, _, rows, columns, small_rows, small_columns, *_ = sampler.order
    K, Q = rows.size, columns.size
    dealt = small_rows > 0 or small_columns > 0
    in_rows, in_columns = int(rows[:small_rows].sum()), int(columns[:small_columns].sum())
    at_once = at.LANES if at_a_time >= FEWEST_IN_LANES else 1
    return make_empty_workspace(
        n,
        (K, Q),
        np.uint32 if n >= TABLE_BEYOND or (dealt and max(n, K, Q) > at.MANY_OBJECTS) else np.uint16,
        lanes=1 if dealt and small_rows == K - 1 else at_once,
        together=streams.TABLES_TOGETHER
        if at_once > 1 and in_rows + in_columns <= streams.MOST_TOGETHER
        else 1,
        decks=(columns if in_rows else _ONE, rows[small_rows:] if in_columns else _ONE),
        dealt=(in_rows, in_columns),
        cells=K * Q if dealt and (laid_out or not sampler.sparse) else 0,
    )


def make_empty_workspace(
    n: int, shape: tuple[int, int], labels: type[np.uint16] | type[np.uint32], *, lanes: int, together: int,
    decks: tuple[Integers, Integers], dealt: tuple[int, int], cells: int,
) -> Workspace:  # fmt: skip
    """Workspace for tables of a shape: decks of totals, `dealt` objects, and steps of tables `together`."""
    K, Q = shape
    label_type = np.dtype(labels)
    of_lanes = at.lane_arrays()
    return Workspace(
        lanes=of_lanes,
        retry=at.lane_arrays() if lanes > 1 else of_lanes,
        retry_lanes=np.zeros(at.LANES, dtype=np.int64),
        pending=np.zeros(at.LANES, dtype=np.int64),
        rows=np.zeros((K, lanes), dtype=np.uint32),
        columns=np.zeros((Q, lanes), dtype=np.uint32),
        cells=np.zeros((Q, lanes), dtype=np.uint32),
        below=np.zeros(at.LANES, dtype=np.int64),
        squares=np.zeros(at.LANES, dtype=np.int64),
        words=np.zeros(streams.DICE_WORDS, dtype=np.uint64),
        together=together,
        row_steps=np.zeros((dealt[0] + streams.SPARE_PLACES) * together, dtype=label_type),
        column_steps=np.zeros((dealt[1] + streams.SPARE_PLACES) * together, dtype=label_type),
        column_deck=at.deck_of(decks[0], label_type),
        row_deck=at.deck_of(decks[1], label_type),
        table=np.zeros(cells, dtype=label_type),
        taken=np.zeros(Q, dtype=np.int64),
        left_of_rows=np.zeros(K, dtype=np.int64),
        left_of_columns=np.zeros(Q, dtype=np.int64),
        hat=universal_hat(n),
        factorials=log2_factorials(n),
    )


def make_room(sampler: Sampler) -> Room:
    """Workspace for one thread to draw such tables with, for any number of calls."""
    if isinstance(sampler, TableSampler):
        return make_workspace(sampler)
    kept = len(sampler.parts) <= MOST_WORKSPACES
    return [make_workspace(part.sampler) if kept else None for part in sampler.parts]
