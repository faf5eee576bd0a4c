"""Expected values after removing one object, for the jackknife.

The jackknife uses this file once for each index and each pair of cluster sizes, because objects in clusters
of equal sizes change an expected value equally. The functions return differences of the expected value with
and without the object, so that errors of quadrature in both cancel.
"""

import numpy as np

from chancecorr.exact.additive import compute_cell_sum_mean, compute_means_in_cells
from chancecorr.exact.index_of_pair_sum import compute_pair_counts_at
from chancecorr.exact.quadrature import make_pair_sum_rule
from chancecorr.indices.evaluation import evaluate_pair_counts, evaluate_varying_pairs, link_totals
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kept import keep_recent
from chancecorr.tables import pair_sum
from chancecorr.tables.contingency import Margins, double_pair_counts

# each distinct pair (row size, column size), above 0, of an object that is removed
Sides = tuple[tuple[int, int], ...]


def remove_object(margins: Margins, row_total: int, column_total: int) -> Margins:
    """Return the margins without one object of the first row and column with these totals."""
    places = (margins.row_totals == row_total, margins.column_totals == column_total)
    return remove_object_at(margins, *(int(place.argmax()) for place in places))


@keep_recent
def remove_object_at(margins: Margins, row: int, column: int) -> Margins:
    """Return the margins without one object of this row and column; cached, because indices share them."""
    rows, columns = margins.row_totals.copy(), margins.column_totals.copy()
    rows[row] -= 1
    columns[column] -= 1
    return Margins(rows, columns)


@keep_recent
def _summarize_laws_without_object(margins: Margins, sides: Sides) -> tuple[Floats, Integers, Floats]:
    """Pair counts at the mean of T (4, s), A and B (2, s), and the ratio of T's standard deviations (s,)."""
    std, known = pair_sum.compute_pair_sum_moments(margins).std, dict[bytes, dict[pair_sum.GroupSizes, int]]()

    def of_side(totals: Integers) -> dict[pair_sum.GroupSizes, int]:
        key = np.sort(totals).tobytes()
        if key not in known:
            known[key] = pair_sum.count_arrangements(2, pair_sum.sum_factorials(totals, 3))
        return known[key]

    counts, squares, stretch = [], [], []
    for smaller in _list_smaller(margins, sides):
        n, squares_of_each = smaller.n, smaller.squares
        of_sides = of_side(smaller.row_totals), of_side(smaller.column_totals)
        mean, second = pair_sum.combine_arrangements(*of_sides, n, 2)
        p, q = (mean + n).as_integer_ratio()
        counts.append([twice / (2 * q) for twice in double_pair_counts(p, *squares_of_each, n, q)])
        squares.append(squares_of_each)
        stretch.append(pair_sum.square_root(second - mean**2) / std if std > 0.0 else 0.0)
    sums = np.array(squares, dtype=np.int64).reshape(-1, 2)
    return np.array(counts).reshape(-1, 4).T.copy(), sums.T.copy(), np.array(stretch)


def _average_without_object(
    index: Index, margins: Margins, sides: Sides, offsets: Floats, weights: Floats
) -> Floats:
    """Return the means without one object; the rule's nodes are moved to T's mean and scaled to its std."""
    counts, squares, stretch = _summarize_laws_without_object(margins, sides)
    steps = np.outer(stretch, offsets)
    if index.with_totals:
        parts = ((counts[:, k : k + 1], steps[k : k + 1]) for k in range(len(sides)))
        smaller = zip(parts, _list_smaller(margins, sides), strict=True)
        values = np.stack([evaluate_pair_counts(index, _move_counts(*part), less) for part, less in smaller])
    else:
        sums = (np.repeat(squares[0], offsets.size), np.repeat(squares[1], offsets.size))
        values = evaluate_varying_pairs(index, _move_counts(counts, steps), sums, margins.n - 1)
    return np.asarray(values.reshape(steps.shape) @ weights)


def _move_counts(counts: Floats, offsets: Floats) -> tuple[Floats, ...]:
    """Return pair counts, shape (4, s), after a change of T by offsets, shape (s, k); flattened."""
    pairs = zip(counts, (0.5, -0.5, -0.5, 0.5), strict=True)
    return tuple((count[:, np.newaxis] + sign * offsets).ravel() for count, sign in pairs)


def compute_affine_changes(index: Index, margins: Margins, sides: Sides, mean: float) -> Floats:
    """Return the change of the mean when an object is removed, for an index affine in T; shape (s,)."""
    return _average_without_object(index, margins, sides, np.zeros(1), np.ones(1)) - mean


def compute_smooth_changes(index: Index, margins: Margins, sides: Sides) -> Floats:
    """Return the change of the mean without an object, for an index smooth in T, to ``n**-3``; shape (s,)."""
    rule = make_pair_sum_rule(margins)
    centre = np.array(compute_pair_counts_at((rule.centre,), margins))
    values = evaluate_pair_counts(index, _move_counts(centre, rule.offsets[np.newaxis]), margins)
    whole = float(values @ rule.weights)
    return _average_without_object(index, margins, sides, rule.offsets, rule.weights) - whole


def compute_additive_changes(index: Index, margins: Margins, sides: Sides) -> Floats:
    """Return the change of the mean without an object, for an index affine in a cell sum; shape (s,)."""
    with np.errstate(invalid="ignore"):
        whole = link_totals(index, np.array([compute_cell_sum_mean(index, margins)]), margins)[0]
        sums = _sum_without_object(index, margins, sides)
        if index.link is not None:
            smaller = enumerate(_list_smaller(margins, sides))
            sums = np.array([link_totals(index, sums[k : k + 1], less)[0] for k, less in smaller])
        changes: Floats = sums - whole
    return changes


def _list_smaller(margins: Margins, sides: Sides) -> list[Margins]:
    """List the margins without one object of each pair of sizes."""
    return [remove_object(margins, *pair) for pair in sides]


def _sum_without_object(index: Index, margins: Margins, sides: Sides) -> Floats:
    """Return the mean of the sum over cells without one object, before the `link`; shape (s,)."""
    n = margins.n - 1
    rows, columns = margins.row_totals, margins.column_totals
    if rows.max() > n or columns.max() > n:  # a single cluster: no cell of n objects among n - 1
        return np.array([compute_cell_sum_mean(index, remove_object(margins, *pair)) for pair in sides])
    totals = [np.union1d(side, side - 1) for side in (rows, columns)]
    totals = [side[side > 0] for side in totals]
    means = compute_means_in_cells(index, totals[0], totals[1], n)
    counts = [
        np.array([np.count_nonzero(side == total) for total in distinct], dtype=np.float64)
        for side, distinct in zip((rows, columns), totals, strict=True)
    ]
    by_row, by_column = means @ counts[1], counts[0] @ means
    padded = np.pad(means, ((1, 0), (1, 0)))  # an empty cluster, with total 0, adds nothing
    by_row, by_column = np.append(0.0, by_row), np.append(0.0, by_column)
    place = [{0: 0} | {int(total): k for k, total in enumerate(side, start=1)} for side in totals]
    whole, sums = float(counts[0] @ by_row[1:]), []
    for row, column in sides:
        i, i_less, j, j_less = place[0][row], place[0][row - 1], place[1][column], place[1][column - 1]
        change = by_row[i_less] - by_row[i] + by_column[j_less] - by_column[j]
        change += padded[i_less, j_less] - padded[i_less, j] - padded[i, j_less] + padded[i, j]
        sums.append(whole + change)
    return np.array(sums)
