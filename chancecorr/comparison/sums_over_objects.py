"""Indices that are sums over objects: what each object adds, and what it adds on average under chance.

Some indices are sums over objects. An object i of a row of R objects, a column of C and their cell of x is in
``a_i = x - 1`` pairs that are together in both clusterings, ``b_i = R - x`` in the rows' only,
``c_i = C - x`` in the columns' only and ``d_i = n - R - C + x`` in neither. Each pair is counted by both of
its objects, so these sum to ``2 a, 2 b, 2 c, 2 d``. A ratio of two linear forms in the pair counts,
``p(a, b, c, d) / q(a, b, c, d)``, is then the sum of ``p(a_i, b_i, c_i, d_i) / (2 q(a, b, c, d))``. A sum of
phi over cells, times a factor from the cluster sizes, is a sum of ``phi / x`` over the objects of each cell.

Adjusted for chance: an object keeps its row, and all objects are dealt to the columns at random. Any other
object is then in its column with probability ``q = sum_j C_j (C_j - 1) / (n (n - 1))``, so that
``E a_i = (R - 1) q``, ``E b_i = (R - 1)(1 - q)``, ``E c_i = (n - R) q``, ``E d_i = (n - R)(1 - q)``. In a sum
over cells, the objects of a row expect ``sum_j E phi(n_ij)``, n_ij being hypergeometric.
"""

import math
from typing import NamedTuple

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.chance.engine import engine_of
from chancecorr.chance.fixed_margins import best_value
from chancecorr.exact.additive import expected_in_cells
from chancecorr.exact.index_of_pair_sum import pair_sum_range
from chancecorr.exact.summary import rounding
from chancecorr.indices.calling import as_python
from chancecorr.indices.pair_counting.entry import linear_form
from chancecorr.indices.registry import Index, get_index, list_indices
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import ContingencyTable


class ObjectSums(NamedTuple):
    """Contribution of an object by its cell, `expected` by its cluster; scores are ratios of sums."""

    rows: Integers
    columns: Integers
    counts: Integers
    value: float
    room: float  # from the expected to the best value, nan if nothing can be adjusted
    contributions: Floats
    numerators: Floats
    denominators: Floats
    expected: Floats | None
    expected_value: float

    @property
    def adjusted(self) -> float:
        """The index adjusted for chance."""
        return (self.value - self.expected_value) / self.room


def sum_over_objects(index: str | Index) -> Index:
    """The entry of an index that is a sum over objects."""
    entry = get_index(index)
    if entry.linear or engine_of(entry).is_cell_sum(entry):
        return entry
    same = [
        each.name
        for each in map(get_index, list_indices())
        if each.linear and each.corrected_as == entry.name
    ]
    advice = (
        f" Take {same[-1] if 'rand' not in same else 'rand'!r}: its adjusted contributions sum to that."
        if same
        else " Take 'rand', 'jaccard', 'element_centric_similarity' or 'nmi_sum'."
    )
    raise ArgumentValueError("index", f"must be a sum over objects; got {entry.name!r}.{advice}")


def object_sums(index: Index, table: ContingencyTable, *, flipped: bool) -> ObjectSums:
    """Contributions of objects; `flipped` says that expected contributions are those of the columns."""
    rows, columns, counts = table.nonzero_cells
    n, value = table.n, engine_of(index).value(index, table)
    own, other = table.row_totals, table.column_totals
    if flipped:
        own, other = other, own
    expected: Floats | None
    if index.linear:
        upper, lower = index.linear
        R, C, x = (
            each.astype(np.float64) for each in (table.row_totals[rows], table.column_totals[columns], counts)
        )
        whole = 2 * sum(k * count for k, count in zip(lower, table.pair_counts, strict=True)) or math.nan
        pairs = (x - 1.0, R - x, C - x, n - R - C + x)
        numerators, denominators = linear_form(upper, pairs), linear_form(lower, pairs)
        contributions = numerators / whole
        expected = (
            linear_form(upper, _expected_pairs(own, other, n, flipped)) / whole if index.affine else None
        )
    else:
        slope = _slope(index, table)
        contributions = slope * _of_cells(index, table)
        numerators, denominators = n * contributions, np.ones(counts.size)
        expected = slope * _expected_cells(index, own, other, n, flipped)
    if index.constant or n == 0:
        expected = None
    mean = math.nan if expected is None else math.fsum((own * expected).tolist())
    low, high = pair_sum_range(table.margins)
    best = best_value(index, table.margins, None)
    room = best - mean
    if not math.isfinite(room) or abs(room) <= rounding(best, mean, constant=low == high):
        room = math.nan
    return ObjectSums(
        rows=rows, columns=columns, counts=counts, value=value, room=room, contributions=contributions,
        numerators=numerators, denominators=denominators, expected=expected, expected_value=mean,
    )  # fmt: skip


def _of_cells(index: Index, table: ContingencyTable) -> Floats:
    """``phi / x`` of each non-empty cell, computed once for cells that are equal in count and totals."""
    rows, columns, counts = table.nonzero_cells
    cells = np.stack([counts, table.row_totals[rows], table.column_totals[columns]], axis=1)
    different, which = np.unique(cells, axis=0, return_inverse=True)
    phi, n = as_python(index.function), float(table.n)
    found = [phi(x, R, C, n) / x for x, R, C in different.astype(np.float64).tolist()]
    return np.array(found, dtype=np.float64)[which.ravel()]


def _expected_pairs(own: Integers, other: Integers, n: int, flipped: bool) -> tuple[Floats, ...]:
    """Means of a_i, b_i, c_i, d_i for an object of each cluster; the other objects are dealt at random."""
    together = sum(size * (size - 1) for size in other.tolist()) / (n * (n - 1)) if n > 1 else math.nan
    mates, strangers = (own - 1).astype(np.float64), (n - own).astype(np.float64)
    a, d = mates * together, strangers * (1.0 - together)
    torn_apart, brought_together = mates * (1.0 - together), strangers * together
    return (a, brought_together, torn_apart, d) if flipped else (a, torn_apart, brought_together, d)


def _slope(index: Index, table: ContingencyTable) -> float:
    """Factor from the sum over cells to the index."""
    if index.link is None:
        return 1.0
    with np.errstate(all="ignore"):
        linked = index.link(np.ones(1), table.row_totals, table.column_totals)
    slope = float(np.ravel(linked)[0])
    return slope if math.isfinite(slope) else math.nan


def _expected_cells(index: Index, own: Integers, other: Integers, n: int, flipped: bool) -> Floats:
    """Mean of the sum over the cells of each cluster, before any `link`, divided by its size."""
    sizes, which = np.unique(own, return_inverse=True)
    others, counts = np.unique(other[other > 0], return_counts=True)
    means = np.zeros(sizes.size)
    for k in np.flatnonzero(sizes):
        sides = (others, sizes[k : k + 1]) if flipped else (sizes[k : k + 1], others)
        means[k] = float(expected_in_cells(index, *sides, n).ravel() @ counts) / float(sizes[k])
    return means[which]
