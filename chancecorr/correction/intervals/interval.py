"""Confidence intervals of the population's adjusted score, from scores without one object."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.compiled import Floats, Integers
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut
from chancecorr.printing import rounded


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Interval:
    """Confidence interval of what a sample of objects says about their population.

    Attributes
    ----------
    low, high : float
        Its ends; nan where they are not known, and `remark` says why.
    level : float
        Confidence level.
    method : {"jackknife", "infinitesimal", "bootstrap"}
        How it was found.
    standard_error : float
        Of the estimate.
    remark : str
        What to know of this interval; mostly empty.
    """

    low: float
    high: float
    level: float
    method: str
    standard_error: float
    remark: str = ""

    def __iter__(self) -> Iterator[float]:
        """`low` and `high`, as in ``low, high = interval``."""
        return iter((self.low, self.high))

    def __repr__(self) -> str:
        """Ends to the digits that the standard error leaves, and the level."""
        ends = (rounded(end, self.standard_error, undefined="nan") for end in (self.low, self.high))
        remark = f", remark={self.remark!r}" if self.remark else ""
        return f"Interval({', '.join(ends)}, level={self.level:g}{remark})"


def jackknife_interval(found: LeaveOneOut, level: float) -> Interval:
    """Interval of the population's adjusted score by the jackknife over objects.

    Examples
    --------
    >>> from chancecorr.correction.intervals.leave_one_out import leave_one_out
    >>> from chancecorr.correction.request import request
    >>> from chancecorr.indices.registry import get_index
    >>> from chancecorr.tables.contingency import ContingencyTable
    >>> table = ContingencyTable([[40, 5], [10, 45]])
    >>> jackknife_interval(leave_one_out((get_index("rand"),), table, request({}))["rand"], 0.95)
    Interval(0.24, 0.65, level=0.95)
    """
    check_level(level)
    n = int(found.counts.sum())
    remark = why_unknown(found)
    if remark:
        return unknown_interval(level, "jackknife", remark)
    variance = jackknife_variance(found.without, found.counts) + found.error**2
    error = math.sqrt(variance)
    reach = quantile(level, n) * error
    room = 1.0 - found.whole
    if room <= 0.0:
        low, high = found.whole - reach, found.whole + reach
    else:
        low, high = (1.0 - room * math.exp(side * reach / room) for side in (1.0, -1.0))
    return Interval(low=low, high=high, level=level, method="jackknife", standard_error=error)


def check_level(level: float) -> None:
    """Refuse a level that is not between 0 and 1."""
    if not 0.0 < level < 1.0:
        raise ArgumentValueError("level", f"must lie between 0 and 1; got {level}.")


def quantile(level: float, n: int) -> float:
    """Quantile of Student's t with ``n - 1`` degrees of freedom, on either side of the level."""
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, 0.5 + level / 2.0))


def unknown_interval(level: float, method: str, remark: str) -> Interval:
    """No interval, and why."""
    return Interval(
        low=math.nan, high=math.nan, level=level, method=method, standard_error=math.nan, remark=remark
    )


def why_unknown(found: LeaveOneOut) -> str:
    """Why a jackknife has no answer; empty where it has one."""
    if not math.isfinite(found.whole):
        return "there is no adjusted score"
    missing = int(found.counts[~np.isfinite(found.without)].sum())
    if missing:
        return f"there is no adjusted score without one of {missing} of the {int(found.counts.sum())} objects"
    if np.ptp(found.without) == 0.0 and float(found.without[0]) == found.whole:
        return "every object can be left out without a change of the score"
    return ""


def jackknife_variance(without: Floats, counts: Integers) -> float:
    """``(n - 1) / n sum (without - mean)**2`` over the objects, those of a cell together."""
    n = int(counts.sum())
    mean = float(counts @ without) / n
    return (n - 1) / n * float(counts @ (without - mean) ** 2)
