"""Exact mean and variance of indices that are sums over cells, under fixed margins.

The mean of ``X = sum phi(n_ij)`` is a sum over hypergeometric cells: Vinh, Epps & Bailey (2010), Journal of
Machine Learning Research 11. The variance is a sum of covariances of rows and columns. Row i and column l are
independent given their common cell ``n_il = z``, so ``Var(X) = sum_il sum_z P(n_il = z) (rho_il(z) - E
rho_il) (gamma_il(z) - E gamma_il)``, where rho and gamma are the means of row i and of column l given z. See
"Sums over cells" in docs/explanation/derivations.md.
"""

import functools
import math
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from chancecorr.exact.kernels import additive as kernels
from chancecorr.exact.kernels.additive import FIRST_DRAW, LAST_DRAW
from chancecorr.exact.summary import Moments
from chancecorr.indices.calling import explain_failure, is_of_the_catalogue, run_loop, sum_over_pairs
from chancecorr.indices.evaluation import link_totals, replace_undefined
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.machine.budget import NANOSECONDS_PER_CELL
from chancecorr.machine.kept import keep_recent
from chancecorr.tables.contingency import Margins

V = TypeVar("V")

MOST_KEPT_OF_USERS = 64  # results kept for one index of a user: means, variances and extreme sums

# positions between the extreme sums, as shares of their distance, where a link is evaluated
BETWEEN = np.array([0.0, 0.21, 0.47, 0.74, 1.0])
_Classes = tuple[Integers, Integers, Integers, Integers, int]
"""Distinct row totals above 0, the number of rows with each, the same for columns, and n."""


@dataclass(frozen=True, slots=True)
class _Sum:
    """Key of the caches: indices that are functions of the same sum over cells share its moments."""

    function: Callable[..., Any]
    index: Index = field(compare=False)


_of_users: weakref.WeakKeyDictionary[Index, dict[Any, Any]] = weakref.WeakKeyDictionary()
"""Results for users' indices, kept as long as the index objects are used."""


def keep_sums(compute: Callable[[Index, Margins], V]) -> Callable[[Index, Margins], V]:
    """Cache the results of `compute`, shared by all catalogue indices with the same sum over cells."""

    @keep_recent
    def compute_of_the_catalogue(cell_sum: _Sum, margins: Margins) -> V:
        return compute(cell_sum.index, margins)

    @functools.wraps(compute)
    def compute_once(index: Index, margins: Margins) -> V:
        if is_of_the_catalogue(index.function):
            return compute_of_the_catalogue(_Sum(index.function, index), margins)
        kept, key = _of_users.setdefault(index, {}), (compute, margins)
        if key not in kept:
            if len(kept) == MOST_KEPT_OF_USERS:
                kept.clear()
            kept[key] = compute(index, margins)
        return kept[key]  # type: ignore[no-any-return]

    return compute_once


@keep_sums
def compute_cell_sum_mean(index: Index, margins: Margins) -> float:
    """Return the mean of ``sum phi(n_ij, row_i, column_j, n)``, before any `link`; 0 for ``n = 0``."""
    (rows, row_counts, columns, column_counts, n), total = _class_totals(margins), 0.0
    for start in range(0, max(rows.size, 1), 256):  # in parts, because K x Q means would not fit into memory
        block = slice(start, start + 256)
        cells = np.outer(row_counts[block], column_counts)
        with np.errstate(invalid="ignore"):  # phi may be infinite, with both signs
            means = compute_means_in_cells(index, rows[block], columns, n)
            total += float((cells * means).sum())
    return total


@keep_sums
def compute_cell_sum_variance(index: Index, margins: Margins) -> float:
    """Return the variance of the sum over cells, before any `link`; 0 if it is only rounding error."""
    rows, row_counts, columns, column_counts, n = _class_totals(margins)
    means = compute_means_in_cells(index, rows, columns, n)
    size = float((np.outer(row_counts, column_counts) * abs(means)).sum())
    sides = (rows, row_counts), (columns, column_counts)
    constant = n == 0 or any(totals[-1] == 1 or counts.sum() == 1 for totals, counts in sides)
    if constant and math.isfinite(size):
        return 0.0
    variance = _sum_covariances(index, (rows, columns), (row_counts, column_counts), n, means)
    return 0.0 if variance <= (1e-14 * size) ** 2 else variance


def compute_additive_moments(index: Index, margins: Margins, *, with_variance: bool = True) -> Moments:
    """Return the exact mean, and the variance if wanted; raise ValueError if `is_additive` is False."""
    mean = compute_cell_sum_mean(index, margins)
    slope = _find_slope(index, margins, mean)
    if slope is None:
        raise ValueError(
            f"`link` of index {index.name!r} must be affine in the sum over cells for exact moments;"
            f" it is not for {margins}. Use method='monte-carlo'."
        )
    linked = float(link_totals(index, np.array([mean]), margins)[0])
    if math.isnan(slope) or not with_variance:
        variance = math.nan
    else:
        variance = slope**2 * compute_cell_sum_variance(index, margins)
    return Moments(mean=linked, variance=variance, skewness=math.nan, kurtosis=math.nan)


def is_additive(index: Index, margins: Margins) -> bool:
    """Return True if the index is an affine function of a sum over cells; this computes the sum's mean."""
    return (
        index.link is None or _find_slope(index, margins, compute_cell_sum_mean(index, margins)) is not None
    )


def compute_means_in_cells(index: Index, row_totals: Integers, column_totals: Integers, n: int) -> Floats:
    """Return the mean of phi in each cell of a table of n objects, shape (rows, columns)."""
    means = np.empty((row_totals.size, column_totals.size))
    run_loop(kernels.fill_cell_means, index, "a cell", row_totals, column_totals, n, means)
    return means


@keep_recent
def forecast_mean(margins: Margins) -> float:
    """Forecast the seconds of `compute_cell_sum_mean`, compiled."""
    rows, _, columns, _, n = _class_totals(margins)
    return forecast_cells(rows, columns, n)


def forecast_cells(row_totals: Integers, column_totals: Integers, n: int) -> float:
    """Forecast the seconds of `compute_means_in_cells`, compiled."""
    steps = 0.0
    for start in range(0, row_totals.size, 256):
        steps += float(_forecast_counts(row_totals[start : start + 256], column_totals, n).sum())
    return 1e-9 * 2.0 * NANOSECONDS_PER_CELL * steps  # for each count of a cell, whose phi takes a logarithm


@keep_recent
def forecast_variance_work(margins: Margins) -> float:
    """Count the steps of a variance, within a factor of 4: ``sum_il s_il (sum_j s_ij + sum_k s_kl)``."""
    rows, _, columns, _, n = _class_totals(margins)
    if rows.size * columns.size > 1_000_000:  # a lower bound
        return 81.0 * rows.size * columns.size * (rows.size + columns.size)
    s = _forecast_counts(rows, columns, n)
    return float((s.sum(axis=0) ** 2).sum() + (s.sum(axis=1) ** 2).sum())


def _class_totals(margins: Margins) -> _Classes:
    """Return the distinct totals of the margins with their counts."""
    sides = (margins.row_totals, margins.column_totals)
    rows, columns = (np.unique(totals[totals > 0], return_counts=True) for totals in sides)
    return *rows, *columns, margins.n


def _forecast_counts(rows: Integers, columns: Integers, n: int) -> Floats:
    """Estimate the number of counts of each cell that are not negligible, shape (rows, columns)."""
    a, b = (np.minimum(totals, n - totals).astype(np.float64) for totals in (rows, columns))
    std = np.sqrt(np.outer(a * (n - a), b / max(n, 1) * (n - b))) / max(n, 1)
    return np.minimum(9.0 + 17.0 * std, 1.0 + np.minimum.outer(a, b))


def _find_slope(index: Index, margins: Margins, mean: float) -> float | None:
    """Return the slope of the `link`, from five sums between the extremes; None if not affine, nan if nan."""
    if index.link is None:
        return 1.0
    low, high = _find_ends(index, margins)
    low, high = min(mean, low), max(mean, high)
    if not high - low > 1e-6 * max(abs(low), abs(high)):
        low, high = mean - 0.5 * (abs(mean) or 1.0), mean + 0.5 * (abs(mean) or 1.0)
    totals = low + (high - low) * BETWEEN
    values = link_totals(index, totals, margins)
    with np.errstate(all="ignore"):
        slope = float((values[-1] - values[0]) / (totals[-1] - totals[0]))
        errors = np.abs(values - values[0] - slope * (totals - totals[0]))
        return slope if np.isnan(values).all() or (errors <= 1e-9 * np.abs(values).max()).all() else None


@keep_sums
def _find_ends(index: Index, margins: Margins) -> tuple[float, float]:
    """Return the sums of two extreme tables, the smaller first; infinite without objects."""
    rows, columns = (-np.sort(-totals) for totals in (margins.row_totals, margins.column_totals))
    orders = (columns, columns[::-1].copy()) if margins.n else ()
    sums = [run_loop(kernels.corner_sum, index, "a cell", rows, x, margins.n) for x in orders]
    return min(sums, default=math.inf), max(sums, default=-math.inf)


NEGLIGIBLE_SHARE = 2e-14  # variances below this share of the sum of absolute terms are rounding errors
NUMBERS_AT_ONCE = 500_000  # numbers that are compared at a time when ranges of counts are found
# crossings at a time, because the values of phi in all cells would not fit into memory
CROSSINGS_AT_A_TIME = 32


def _sum_covariances(
    index: Index, totals: tuple[Integers, Integers], counts: tuple[Integers, Integers], n: int, means: Floats
) -> float:
    """Return the variance of the sum over cells, before any `link`; 0 if it is only rounding error."""
    low, high = (np.empty((totals[0].size, totals[1].size), dtype=np.int64) for _ in range(2))
    kernels.fill_windows(*totals, n, low, high)
    rows = _lay_lines(*totals, counts[1], n, low, high)
    columns = _lay_lines(*totals[::-1], counts[0], n, low.T, high.T)
    with np.errstate(all="ignore"):
        row_sums = _sum_conditionally(index, rows, means.T.copy(), are_rows=True)
        column_sums = _sum_conditionally(index, columns, means.copy(), are_rows=False)
        room = np.empty(int((high - low).max(initial=0)) + 1)
        spans = rows.spans, columns.spans
        variance, absolute = kernels.sum_of_products(*totals, *counts, n, *spans, row_sums, column_sums, room)
    return 0.0 if abs(variance) <= NEGLIGIBLE_SHARE * absolute < math.inf else float(variance)


class Lines(NamedTuple):
    """Lines (rows or columns) and the crossings (columns or rows) that share cells with them.

    Totals are distinct, above 0 and ascending. Given the cell of line i and crossing l, the line has
    ``spans[FIRST_DRAW, i, l]`` to ``spans[LAST_DRAW, i, l]`` objects in other cells. The line's sums for
    these counts begin at position ``spans[SUMS_FROM, i, l]``.
    """

    totals: Integers
    crossing_totals: Integers
    crossing_counts: Integers
    n: int
    spans: Integers


def _lay_lines(
    totals: Integers, crossing_totals: Integers, counts: Integers, n: int, low: Integers, high: Integers
) -> Lines:
    """Make `Lines` of these totals; the cells, shape (lines, crossings), hold `low` to `high` objects."""
    sizes = high - low + 1
    start = (np.cumsum(sizes) - sizes.ravel()).reshape(sizes.shape)
    of_lines = totals[:, np.newaxis]
    return Lines(totals, crossing_totals, counts, n, np.stack([of_lines - high, of_lines - low, start]))


def _sum_conditionally(index: Index, lines: Lines, means: Floats, *, are_rows: bool) -> Floats:
    """Return a line's mean sum of phi, minus the overall mean, given each count of each of its cells."""
    totals, crossing_totals, counts, n, spans = lines
    draws = spans[LAST_DRAW] - spans[FIRST_DRAW]
    sums = np.zeros(int((draws + 1).sum()))
    blocks = np.empty((2, int((1 + draws // kernels.FEWEST_DRAWS).sum())), dtype=np.int64)
    block_start = np.zeros(crossing_totals.size + 1, dtype=np.int64)
    kernels.lay_blocks(crossing_totals, n, spans, blocks[0], blocks[1], block_start)
    blocks = blocks[:, : block_start[-1]].copy()
    for begin in range(0, crossing_totals.size, CROSSINGS_AT_A_TIME):
        crossings = crossing_totals[begin : begin + CROSSINGS_AT_A_TIME]
        ranges, first, last = _lay_ranges(lines, begin, crossings, blocks, block_start)
        sizes = last - first + 1
        start, values = (np.cumsum(sizes) - sizes.ravel()).reshape(sizes.shape), np.empty(int(sizes.sum()))
        table = are_rows, totals, crossings, n, means[begin : begin + crossings.size], first, last, values
        run_loop(kernels.fill_line_values, index, "a cell", *table)
        longest = int((ranges[1::2] - ranges[::2]).max(initial=0)) + 1
        work = np.empty((5, max(longest, int((blocks[1] - blocks[0]).max(initial=0)) + 1)))
        kernels.add_crossings(
            begin, totals, crossing_totals, counts, n, spans, blocks, block_start, ranges, first, start,
            values, work, sums,
        )  # fmt: skip
    return sums


def _lay_ranges(
    lines: Lines, begin: int, crossings: Integers, blocks: Integers, block_start: Integers
) -> tuple[Integers, Integers, Integers]:
    """Find the counts that need phi in the cells of the crossings from `begin` on.

    Negligible counts are left out. Of the draws of block q, ``ranges[GOOD_FROM, j, q]`` to ``ranges[GOOD_TO,
    j, q]`` are in crossing j, and ``ranges[REST_FROM, j, q]`` to ``ranges[REST_TO, j, q]`` are outside. In
    the cell of crossing j and line i, phi is needed from ``first[j, i]`` to ``last[j, i]``.
    """
    least, most = blocks
    crossing_of = np.repeat(np.arange(block_start.size - 1), np.diff(block_start))
    populations = lines.n - lines.crossing_totals[crossing_of]
    (low, high_at_least), (low_at_most, high) = (
        np.empty((2, crossings.size, least.size), dtype=np.int64) for _ in range(2)
    )
    kernels.fill_ranges(populations, crossings, least, low, high_at_least)
    kernels.fill_ranges(populations, crossings, most, low_at_most, high)
    rest_low, rest_high = least - high_at_least, most - low_at_most
    by_good = high - low <= rest_high - rest_low
    rest_low, low = np.where(by_good, least - high, rest_low), np.where(by_good, low, least - rest_high)
    rest_high, high = np.where(by_good, most - low, rest_high), np.where(by_good, high, most - rest_low)
    places = begin + np.arange(crossings.size)
    is_needed = (lines.crossing_counts[places, np.newaxis] > 1) | (places[:, np.newaxis] != crossing_of)
    ranges = np.where(is_needed, (low, high, rest_low, rest_high), np.array([0, -1, 0, -1])[:, None, None])
    from_draw, to_draw = lines.spans[FIRST_DRAW], lines.spans[LAST_DRAW]
    first, last = (np.ascontiguousarray(lines.totals - draws[:, places].T) for draws in (to_draw, from_draw))
    asks = (from_draw[:, crossing_of] <= most) & (to_draw[:, crossing_of] >= least)
    at_once = max(1, NUMBERS_AT_ONCE // max(asks.size, 1))
    for j in (slice(start, start + at_once) for start in range(0, crossings.size, at_once)):
        of_block, nothing = asks & is_needed[j, np.newaxis], lines.n
        lowest = np.where(of_block, low[j, np.newaxis], nothing).min(axis=2, initial=nothing)
        highest = np.where(of_block, high[j, np.newaxis], -1).max(axis=2, initial=-1)
        np.minimum(first[j], lowest, out=first[j])
        np.maximum(last[j], highest, out=last[j])
    return ranges, first, last


# cells of the largest table that is counted in an array, and of the matrix of means
MOST_CELLS_COUNTED = 4_000_000


def score_sums_of_pairs(
    index: Index, codes: npt.NDArray[np.integer], sizes: Sequence[Integers], pairs: tuple[Integers, Integers],
    seconds: float,
) -> tuple[Floats, Floats, Booleans] | None:  # fmt: skip
    """Return values and means of the pairs, and where both are known; None if this is too costly."""
    rows, columns = pairs
    different, place = np.unique(np.concatenate(sizes), return_inverse=True)
    if max(different.size, max(side.size for side in sizes)) ** 2 > MOST_CELLS_COUNTED:
        return None
    n = codes.shape[1]
    if forecast_cells(different, different, n) > seconds:
        return None
    means = compute_means_in_cells(index, different, different, n)
    if not np.isfinite(means).all():
        return None
    starts = np.concatenate([[0], np.cumsum([side.size for side in sizes])])
    counts = np.zeros((len(sizes), different.size))
    np.add.at(counts, (np.repeat(np.arange(len(sizes)), np.diff(starts)), place), 1.0)
    sums = np.empty((rows.size, 2))
    sums[:, 1] = np.einsum("ps,ps->p", (counts @ means)[rows], counts[columns])
    observed = np.empty(rows.size)
    totals = np.concatenate(sizes).astype(np.int64)
    run_loop(sum_over_pairs, index, "a pair", codes.astype(np.int64), totals, starts, rows, columns, observed)
    sums[:, 0] = observed
    return _link_sums_of_pairs(index, sums, sizes, rows, columns, n)


def _link_sums_of_pairs(
    index: Index, sums: Floats, sizes: Sequence[Integers], rows: Integers, columns: Integers, n: int
) -> tuple[Floats, Floats, Booleans]:
    """Apply the `link` to two sums of each pair; also return where it is affine over all possible sums."""
    low, high = min(0.0, float(sums.min())), max(0.0, float(sums.max()))
    others = low + (high - low) * BETWEEN
    squares = np.array([np.dot(side, side) for side in sizes])[:, np.newaxis]
    values = np.empty((rows.size, 2 + others.size))
    values[:, :2], values[:, 2:] = sums, others
    if index.link is not None:
        try:
            with np.errstate(all="ignore"):
                for k, (i, j) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
                    values[k] = index.link(values[k].copy(), sizes[i], sizes[j])
        except Exception as error:
            raise explain_failure(index, "the cell sums of a pair (its `link`)", error) from error
    at = values[:, 2:]
    with np.errstate(all="ignore"):
        straight = at[:, :1] + (at[:, -1:] - at[:, :1]) * BETWEEN
        affine = (abs(at - straight) <= 1e-9 * abs(at).max(axis=1, keepdims=True)).all(axis=1)
    values = replace_undefined(index, values[:, :2], (squares[rows], squares[columns]), n)
    return values[:, 0], values[:, 1], affine | np.isnan(at).all(axis=1)
