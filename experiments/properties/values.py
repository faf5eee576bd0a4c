"""Values of an index on all classes of pairs of clusterings, raw and corrected for chance, and their order.

Most indices are rational functions of whole numbers below 29, or square roots of such, and here two values
that differ do so by far more than rounding: ``p/q - r/s`` is 0 or at least ``1/(q s)``, with q and s at most
``(28/2)**4`` for the pair counts of 8 objects. So values are sorted, and neighbours count as equal up to
`EQUAL` and as different from `APART` on, both as shares of the largest value. Between the two nothing is
decided: `TooCloseError` is raised, and no such case has come up. For logarithms there is no such bound; that
the gap is empty is then what was found.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chancecorr.chance.engine import engine_of
from chancecorr.exact.summary import score_index
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats
from chancecorr.tables.contingency import Margins
from experiments.properties.classes import Clusterings, Ints, clusterings

EQUAL, APART = 1e-12, 1e-9


class TooCloseError(ArithmeticError):
    """Two values differ by more than rounding and by less than what counts as a difference."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """An index on all classes of pairs of clusterings of n objects.

    Attributes
    ----------
    every : Clusterings
        The clusterings.
    values : ndarray of float64, shape (C,)
        nan where there is no value.
    good : ndarray of int64, shape (C,)
        Place among the values that differ, larger for more agreement; -1 where there is no value.
    scale : float
        Largest absolute value that is finite, for any number of objects: what a difference is compared
        with.
    """

    every: Clusterings
    values: Floats
    good: Ints
    scale: float

    def without_trivial(self) -> "View":
        """The same with no value where one of the clusterings is trivial."""
        hidden = self.every.with_trivial
        return View(
            every=self.every,
            values=np.where(hidden, np.nan, self.values),
            good=np.where(hidden, -1, self.good),
            scale=self.scale,
        )

    def differ(self, x: Floats | float, y: Floats | float) -> npt.NDArray[np.bool_]:
        """Where two values, or means of values, are not the same; False where one is nan."""
        apart = np.abs(np.asarray(x) - np.asarray(y))
        between = (apart > EQUAL * self.scale) & (apart < APART * self.scale)
        if between.any():
            raise TooCloseError(f"{float(apart[between].max())!r} on a scale of {self.scale!r}")
        with np.errstate(invalid="ignore"):
            return np.asarray(apart >= APART * self.scale)


def scale_of(*values: Floats) -> float:
    """Largest absolute value that is finite, and not 0."""
    return max(float(np.abs(each[np.isfinite(each)]).max(initial=0.0)) for each in values) or 1.0


def view(values: Floats, n: int, *, larger_is_better: bool, scale: float | None = None) -> View:
    """Values with their order; `scale` where few objects have no value but 0, but for rounding."""
    scale = scale_of(values) if scale is None else scale
    good = places(values if larger_is_better else -values, scale)
    return View(every=clusterings(n), values=values, good=good, scale=scale)


def places(values: Floats, scale: float) -> Ints:
    """Place of each value among those that differ, in ascending order; -1 for nan.

    Examples
    --------
    >>> places(np.array([0.3, 0.1 + 0.2, np.nan, np.inf, 0.0]), 1.0)
    array([ 1,  1, -1,  2,  0])
    """
    order = np.argsort(values, kind="stable")
    listed = values[order]
    with np.errstate(invalid="ignore"):  # inf - inf
        gaps = np.diff(listed)
    gaps[listed[1:] == listed[:-1]] = 0.0
    between = (gaps > EQUAL * scale) & (gaps < APART * scale)
    if between.any():
        raise TooCloseError(f"{float(gaps[between].max())!r} on a scale of {scale!r}")
    found = np.empty(values.size, dtype=np.int64)
    found[order] = np.append(0, np.cumsum(gaps >= APART * scale))[: values.size]
    found[np.isnan(values)] = -1
    return found


def raw_values(index: Index, n: int) -> Floats:
    """Value of an index on each class, as `chancecorr.score_table` gives it, shape (C,)."""
    every = clusterings(n)
    found = np.empty(len(every.tables))
    for members in groups(every):
        tables = np.array([by_column_total(every.tables[k]) for k in members], dtype=np.int64)
        margins = Margins(tables[0].sum(axis=1), tables[0].sum(axis=0))
        found[members] = engine_of(index).values(index, tables, margins)
    return found


def adjusted_values(index: Index, n: int, raw: Floats) -> Floats:
    """``(value - mean) / (best - mean)`` on each class, shape (C,), nan where there is no such score.

    The mean is over all clusterings with the sizes of the second one, all equally likely. It is nan, and all
    scores with these sizes are, where the index is 0/0 for one of these clusterings.
    """
    every, weights = clusterings(n), clusterings(n).weights
    found = np.full(raw.size, np.nan)
    own = raw[every.identical]
    for members in groups(every):
        each, chance = raw[members], weights[members]
        mean = math.fsum(each * chance) / chance.sum() if np.isfinite(each).all() else math.nan
        sides = own[every.row_sizes[members[0]]], own[every.column_sizes[members[0]]]
        best = float(index.best) if index.best is not None else float(sum(sides) / 2)
        squares = {sum(x * x for row in every.tables[k] for x in row) for k in members}
        if not math.isnan(score_index(index, best, best, mean, constant=len(squares) == 1)):
            found[members] = (each - mean) / (best - mean)
    return found


def groups(every: Clusterings) -> list[Ints]:
    """The classes by their cluster sizes."""
    key = every.row_sizes * every.references.size + every.column_sizes
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order])) + 1
    return np.split(order, starts)


def by_column_total(table: tuple[tuple[int, ...], ...]) -> list[list[int]]:
    """The same table, its columns by falling total; its rows are already."""
    columns = sorted(zip(*table, strict=True), key=sum, reverse=True)
    return [list(row) for row in zip(*columns, strict=True)]
