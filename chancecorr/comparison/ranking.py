"""Ranks of candidates, and which of them cannot be told from the best."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.comparison.family import holm
from chancecorr.comparison.shared import cells_in_both
from chancecorr.correction.intervals.differences import difference_of
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut
from chancecorr.machine.arrays import Floats


def ranks(adjusted: Sequence[float]) -> list[int | None]:
    """Rank of each adjusted score, 1 for the largest; equal ones share the smaller number, nan have none.

    Examples
    --------
    >>> ranks([0.5, 0.7, math.nan, 0.5, 0.1])
    [2, 1, None, 2, 4]
    """
    scores = np.array(adjusted)
    return [None if math.isnan(score) else 1 + int((scores > score).sum()) for score in adjusted]


def p_values_against_best(
    found: Sequence[LeaveOneOut], cells: Sequence[npt.NDArray[Any]], best: int, level: float
) -> Floats:
    """P-value of each candidate's difference to the best, corrected by Holm; nan for the best itself.

    Parameters
    ----------
    found : sequence of LeaveOneOut
        Scores of each candidate without one object.
    cells : sequence of ndarray of shape (n,)
        For each candidate the number of the non-empty cell in which each object lies.
    best : int
        Place of the best candidate.
    level : float
        Of the intervals.

    Returns
    -------
    ndarray of float64, shape (candidates,)
        nan also where there is no test, as where a score is undefined; these do not count for the correction.
    """
    p_values = [
        math.nan
        if k == best or math.isnan(found[k].whole)
        else difference_of(found[best], found[k], *cells_in_both(cells[best], cells[k]), level).p_value
        for k in range(len(found))
    ]
    return holm(p_values)
