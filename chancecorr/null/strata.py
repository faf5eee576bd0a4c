"""Tables of objects that are exchanged within strata: that of each stratum is drawn, and they are added.

Large strata are drawn by a sampler each, as if alone. The objects of all others are shuffled together, each
within its stratum: where strata are many, that is far less than a call for each. A stratum's sampler has a
stream of its own, keyed by the seed and the stratum, so that a table is the same whatever the number of
tables and of workers.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from chancecorr.machine.arrays import Integers, cached_property
from chancecorr.null.kernels.pair_sum import sum_squares
from chancecorr.null.kernels.shuffle import add_shuffled
from chancecorr.null.kernels.workspace import Workspace
from chancecorr.null.permutation import (
    TableSampler,
    fill_tables,
    pair_sums,
    plan_sampler,
    workspace,
)
from chancecorr.null.seeding import split_seed
from chancecorr.tables.contingency import Margins
from chancecorr.tables.objects import Strata, Stratum

MOST_WORKSPACES = 64
"""Strata up to which each keeps its workspace; that of one is up to some hundred kilobytes."""

CELLS_OF_SUMS = 1 << 20
"""Cells of tables that are laid out at a time: 8 MB, since a stratum's tables are drawn in one call."""

OVERHEAD_OF_A_STRATUM_NS = 1e3
"""Nanoseconds a table of the call of a sampler: about 65 microseconds, for 64 tables or more."""

NANOSECONDS_OF_AN_OBJECT = 6.0
"""Of an object that is shuffled."""

NANOSECONDS_OF_A_SUM = 3.0
"""Of a cell that is added."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """Sampler of one large stratum, and the places of its clusters."""

    sampler: TableSampler
    rows: Integers
    columns: Integers


@dataclass(frozen=True, kw_only=True, eq=False)
class StrataSampler:
    """How sums of tables are drawn: of large strata, and of objects that are shuffled."""

    margins: Margins
    parts: tuple[Part, ...]
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
        """Tables that are laid out at a time."""
        return max(1, CELLS_OF_SUMS // max(math.prod(self.shape), 1))

    @cached_property
    def nanoseconds(self) -> float:
        """Forecast of the time for one table, where many are drawn."""
        return self.forecast(self.at_once)

    def forecast(self, together: int) -> float:
        """Nanoseconds of one table if `together` are drawn at a time, which goes for all of them."""
        cells = math.prod(self.shape) + sum(math.prod(each.sampler.shape) for each in self.parts)
        drawn = sum(OVERHEAD_OF_A_STRATUM_NS + each.sampler.forecast(together) for each in self.parts)
        return drawn + NANOSECONDS_OF_AN_OBJECT * self.rows.size + NANOSECONDS_OF_A_SUM * cells


Sampler: TypeAlias = TableSampler | StrataSampler
Room: TypeAlias = Workspace | list[Workspace | None]


def plan_strata(margins: Margins, strata: Strata) -> StrataSampler:
    """Plan of how all strata are drawn."""
    parts: list[Part] = []
    others: list[Stratum] = []
    for each in strata:
        part = _large(each)
        if part is None:
            others.append(each)
        else:
            parts.append(part)
    return StrataSampler(
        margins=margins,
        parts=tuple(parts),
        rows=_objects([(each.rows, each.margins.row_totals) for each in others]),
        columns=_objects([(each.columns, each.margins.column_totals) for each in others]),
        ends=np.cumsum([each.margins.n for each in others], dtype=np.int64),
    )


def _large(stratum: Stratum) -> Part | None:
    """The stratum with a sampler of its own, if that is faster than to shuffle its objects; else None."""
    shuffled = NANOSECONDS_OF_AN_OBJECT * stratum.margins.n
    if shuffled <= OVERHEAD_OF_A_STRATUM_NS:
        return None
    sampler = plan_sampler(stratum.margins)
    if shuffled <= OVERHEAD_OF_A_STRATUM_NS + sampler.nanoseconds:
        return None
    return Part(sampler=sampler, rows=stratum.rows, columns=stratum.columns)


def _objects(sides: list[tuple[Integers, Integers]]) -> Integers:
    """Cluster of each object of one side, stratum after stratum."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *(np.repeat(*side) for side in sides)])


def room_for(sampler: Sampler) -> Room:
    """Workspace for one thread to draw such tables with, for any number of calls."""
    if isinstance(sampler, TableSampler):
        return workspace(sampler)
    kept = len(sampler.parts) <= MOST_WORKSPACES
    return [workspace(each.sampler) if kept else None for each in sampler.parts]


def draw_tables(sampler: Sampler, seed: np.uint64, first: int, out: Integers, room: Room) -> None:
    """Tables number ``first, first + 1, ...`` of this seed into `out`: (m, K, Q), C order."""
    if isinstance(sampler, TableSampler):
        assert isinstance(room, Workspace)
        fill_tables(sampler, seed, first, out, room)
        return
    assert isinstance(room, list)
    own, *streams = split_seed(seed, 1 + len(sampler.parts))
    out[:] = 0
    rows, columns = sampler.rows, sampler.columns
    add_shuffled(own, first, rows, columns, np.ones_like(rows), sampler.ends, columns.copy(), out)
    for part, stream, work in zip(sampler.parts, streams, room, strict=True):
        tables = np.zeros((len(out), *part.sampler.shape), dtype=np.int64)
        fill_tables(part.sampler, stream, first, tables, work)
        out[:, part.rows[:, np.newaxis], part.columns] += tables


def draw_pair_sums(sampler: Sampler, seed: np.uint64, first: int, n_tables: int) -> Integers:
    """``T = sum n_ij**2`` of tables number ``first, ..., first + n_tables - 1`` of this seed."""
    if isinstance(sampler, TableSampler):
        return pair_sums(sampler, seed, first, n_tables)
    sums, room = np.empty(n_tables, dtype=np.int64), room_for(sampler)
    tables = np.empty((min(sampler.at_once, n_tables), *sampler.shape), dtype=np.int64)
    for done in range(0, n_tables, len(tables)):
        part = sums[done : done + len(tables)]
        drawn = tables[: part.size]
        draw_tables(sampler, seed, first + done, drawn, room)
        sum_squares(drawn.reshape(part.size, -1), part)
    return sums
