"""The permutation model: both margins fixed, the objects matched at random (the default).

A table then follows the generalised hypergeometric law
``P(table) = prod(row_i!) prod(col_j!) / (n! prod(n_ij!))`` (Halton 1969, doi:10.1017/S0305004100044947).
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import as_count
from chancecorr.compiled import Integers
from chancecorr.null.kernels import conditional, shuffle
from chancecorr.null.kernels.costs import sampling_costs
from chancecorr.null.kernels.hypergeometric import TABLE_LIMIT, LogFactorials, fill_log_factorials
from chancecorr.null.kernels.pair_sum import sum_squares
from chancecorr.null.seeding import RNG, seed_from
from chancecorr.tables.contingency import Margins, as_margins

CELLS_IN_CACHE = 16_384
"""Cells of tables laid out at a time where only their sums are wanted: 128 KB."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableSampler:
    """How tables of given margins are drawn: a plan, without workspace or random state.

    Attributes
    ----------
    margins : Margins
        Totals as the caller gave them.
    method : {"conditional", "shuffle"}
        Cell by cell, or by shuffling labels.
    row_totals, column_totals : ndarray of int64
        Totals in the order of work: the largest of all totals is the last row, which costs nothing.
    row_offsets, column_offsets : ndarray of int64
        Cell (k, q) in the order of work stands at ``row_offsets[k] + column_offsets[q]`` of the flat table.
    nanoseconds : float
        Forecast of the time for one table.
    """

    margins: Margins
    method: Literal["conditional", "shuffle"]
    row_totals: Integers
    column_totals: Integers
    row_offsets: Integers
    column_offsets: Integers
    nanoseconds: float

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns, (K, Q)."""
        return self.margins.row_totals.size, self.margins.column_totals.size

    @property
    def sparse(self) -> bool:
        """Whether a table has many more cells than objects, so that its cells are listed, not laid out."""
        K, Q = self.shape
        return self.method == "shuffle" and 4 * self.margins.n < K * Q


def plan_sampler(
    margins: Margins, method: Literal["auto", "conditional", "shuffle"] = "auto"
) -> TableSampler:
    """Plan of the sampler with the lower forecast, or of the one named; the same on every machine.

    Examples
    --------
    >>> plan_sampler(Margins([240, 240, 320], [240, 240, 320])).method
    'conditional'
    >>> plan_sampler(Margins([10] * 100, [10] * 100)).method
    'shuffle'
    """
    rows, columns = margins.row_totals, margins.column_totals
    row_stride, column_stride = columns.size, 1
    if columns.size and rows.size and columns.max() > rows.max():
        rows, columns = columns, rows
        row_stride, column_stride = column_stride, row_stride
    row_order, column_order = _largest_last(rows), _largest_last(columns)
    conditional_cost, shuffle_cost = sampling_costs(
        rows.size, columns.size, margins.n, int(rows.max(initial=0))
    )
    if method == "auto":
        method = "shuffle" if shuffle_cost < conditional_cost else "conditional"
    return TableSampler(
        margins=margins,
        method=method,
        row_totals=rows[row_order],
        column_totals=columns[column_order],
        row_offsets=row_order * row_stride,
        column_offsets=column_order * column_stride,
        nanoseconds=shuffle_cost if method == "shuffle" else conditional_cost,
    )


def fill_tables(sampler: TableSampler, seed: np.uint64, first: int, out: Integers) -> None:
    """Tables number ``first, first + 1, ...`` of this seed into `out`: (m, K, Q), C order, zero before."""
    flat = out.reshape(out.shape[0], out.shape[1] * out.shape[2])
    plan = (sampler.row_totals, sampler.column_totals, sampler.row_offsets, sampler.column_offsets)
    remaining = np.empty_like(sampler.column_totals)
    if sampler.method == "conditional":
        conditional.fill_tables(*plan, log_factorials(sampler.margins.n), seed, first, remaining, flat)
    else:
        column_labels = _column_labels(sampler)
        labels = np.empty_like(column_labels)
        shuffle.fill_tables(*plan, column_labels, seed, first, remaining, labels, flat)


def pair_sums(sampler: TableSampler, seed: np.uint64, first: int, n_tables: int) -> Integers:
    """``T = sum n_ij**2`` of tables number ``first, ..., first + n_tables - 1`` of this seed."""
    out = np.empty(n_tables, dtype=np.int64)
    if sampler.method == "shuffle":
        column_labels = _column_labels(sampler)
        labels = np.empty_like(column_labels)
        remaining = np.empty_like(sampler.column_totals)
        counts = np.zeros_like(sampler.column_totals)
        totals = (sampler.row_totals, sampler.column_totals)
        shuffle.fill_pair_sums(*totals, column_labels, seed, first, remaining, labels, counts, out)
        return out
    K, Q = sampler.shape
    chunk = max(1, CELLS_IN_CACHE // max(K * Q, 1))
    tables = np.empty((chunk, K, Q), dtype=np.int64)
    for start in range(0, n_tables, chunk):
        part = tables[: min(chunk, n_tables - start)]
        part[:] = 0
        fill_tables(sampler, seed, first + start, part)
        sum_squares(part.reshape(part.shape[0], K * Q), out[start : start + chunk])
    return out


def listed_tables(
    sampler: TableSampler, seed: np.uint64, first: int, n_tables: int
) -> Iterator[tuple[Integers, Integers, Integers]]:
    """Tables as (rows, columns, counts) of their non-empty cells, which the next table overwrites."""
    if sampler.method != "shuffle":
        raise ValueError(f"`sampler` must work by shuffling to list its cells; got {sampler.method!r}.")
    column_labels = _column_labels(sampler)
    labels = np.empty_like(column_labels)
    remaining = np.empty_like(sampler.column_totals)
    slots = np.full(sampler.column_totals.size, -1, dtype=np.int64)
    cells = np.empty((3, column_labels.size), dtype=np.int64)
    Q = max(sampler.shape[1], 1)
    totals = (sampler.row_totals, sampler.column_totals)
    for t in range(first, first + n_tables):
        used = shuffle.draw_cells(*totals, column_labels, seed, t, remaining, labels, slots, *cells)
        places = sampler.row_offsets[cells[0, :used]] + sampler.column_offsets[cells[1, :used]]
        yield places // Q, places % Q, cells[2, :used]


def sample_tables(margins: Margins, n_tables: int, *, rng: RNG = None) -> Integers:
    """Random contingency tables with the given margins.

    Parameters
    ----------
    margins : Margins
        Row totals of shape (K,) and column totals of shape (Q,), equal sums.
    n_tables : int
        Number of tables, at least 1.
    rng : None, int, SeedSequence or Generator
        As in SciPy. Table t of a seed is the same whatever `n_tables`.

    Returns
    -------
    ndarray of int64, shape (n_tables, K, Q)
        Independent draws from the law of a table under random matching of the objects.

    Raises
    ------
    ValueError
        If ``n_tables < 1``.

    Notes
    -----
    Cell by cell from conditional hypergeometric laws, or by shuffling labels, whichever the margins make
    cheaper. Null model: both margins fixed.

    Examples
    --------
    >>> tables = sample_tables(Margins([2, 6], [1, 3, 4]), 1000, rng=1)
    >>> tables.shape
    (1000, 2, 3)
    >>> bool((tables.sum(axis=2) == [2, 6]).all() and (tables.sum(axis=1) == [1, 3, 4]).all())
    True
    """
    n_tables = as_count("n_tables", n_tables)
    sampler = plan_sampler(as_margins(margins))
    out = np.zeros((n_tables, *sampler.shape), dtype=np.int64)
    fill_tables(sampler, seed_from(rng), 0, out)
    return out


def _largest_last(totals: Integers) -> Integers:
    """Order of work: as given, but the largest total last."""
    order = np.arange(totals.size)
    if totals.size:
        largest = int(totals.argmax())
        order = np.append(np.delete(order, largest), largest)
    return order


def _column_labels(sampler: TableSampler) -> npt.NDArray[np.int32]:
    """Column of each object, in the order of work."""
    columns = sampler.column_totals
    return np.repeat(np.arange(columns.size, dtype=np.int32), columns)


@functools.lru_cache(maxsize=4)
def log_factorials(n: int) -> LogFactorials:
    """``log(k!)`` for k up to n; None beyond `TABLE_LIMIT`, where the samplers do without."""
    if n > TABLE_LIMIT:
        return None
    out = np.empty(n + 1)
    fill_log_factorials(out)
    return out
