"""A value set against what chance gives and what is best: the formula of every adjusted score."""

import math
from typing import Literal

import numpy as np

from chancecorr.exact.laws.ties import EPSILON
from chancecorr.indices.registry import Index
from chancecorr.tables.contingency import ContingencyTable

Undefined = Literal["nan", "one", "zero"]
"""What stands for an adjusted score that is not defined."""


def set_against(index: Index, observed: float, best: float, mean: float, constant: bool) -> float:
    """``(observed - mean) / (best - mean)``; nan where the divisor is made of rounding, or not finite.

    Nan also where an index whose best value hangs on the clusterings, so that more is better, has a larger
    mean: the sign would be wrong. Models in which sizes vary have tables with more clusters.
    """
    room = best - mean
    if index.best is None and room < 0.0:
        return math.nan
    if index.constant or not abs(room) > rounding(best, mean, constant=constant) or not math.isfinite(best):
        return math.nan
    return (observed - mean) / room


def defined(adjusted: float, undefined: str, table: ContingencyTable) -> float:
    """An adjusted score, or what stands for one that is nan: ``"nan"``, ``"zero"`` or ``"one"``.

    ``"one"`` is 1 where the two clusterings are the same and 0 elsewhere, as in scikit-learn.

    Examples
    --------
    >>> defined(math.nan, "one", ContingencyTable([[0, 2], [3, 0]]))
    1.0
    >>> defined(math.nan, "one", ContingencyTable([[1, 1, 1]]))
    0.0
    """
    if not math.isnan(adjusted) or undefined == "nan":
        return adjusted
    filled = table.nonzero_cells[0].size
    occupied = [int(np.count_nonzero(totals)) for totals in (table.row_totals, table.column_totals)]
    return 1.0 if undefined == "one" and occupied == [filled, filled] else 0.0


def rounding(*values: float, constant: bool = False) -> float:
    """What differences of these numbers may be made of by rounding.

    1,000 units in the last place. Where an index is constant, the numbers are either the same, or apart by
    far more than 1e-10 of their size or of 1: what is 0 may then be a difference of entropies.
    """
    size = max(map(abs, values))
    return 1e-10 * max(size, 1.0) if constant else 1000.0 * EPSILON * size
