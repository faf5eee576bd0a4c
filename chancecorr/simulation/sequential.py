"""How many tables a confidence interval of given half-width takes, known at once or found on the way.

Chow & Robbins (1965), doi:10.1214/aoms/1177700156: go on until ``m >= z**2 (s**2 + 1/m) / h**2``. The 1/m
keeps a small sample that happens to vary little from ending it.
"""

import math
from statistics import NormalDist

PUBLISHED_TABLES = 17_000
"""Tables drawn by Amorim & Cardoso (2014), after Agresti, Wackerly & Boyett (1979)."""

MOST_TABLES = 10_000_000
"""Tables at which a wanted precision is given up, unless `n_tables` says otherwise."""

BATCH_TABLES = 1_000
"""The sample is looked at after whole batches of this size only, in the order of the tables."""

Z = NormalDist().inv_cdf(0.995)
"""Half-width of an interval of 99 % in standard errors."""


def tables_for(std: float, precision: float) -> int:
    """Tables whose mean has an interval of half-width `precision`, the standard deviation being known."""
    root = min(Z * std / precision, 1e9)  # beyond it no `n_tables` is reached, and the square may overflow
    return max(1, math.ceil(root**2))


def tables_needed(variance: float, width: float, variance_reduction: float, precision: float) -> float:
    """Tables at which the rule would stop if the sample's variance stayed as it is.

    The solution of ``m = c (variance + width**2 / m)`` with ``c = z**2 / (variance_reduction h**2)``: the
    width of the index's range is the unit of the term 1/m, and control variates divide both terms. 0 if the
    variance is nan or infinite, because no number of tables helps.
    """
    if not math.isfinite(variance):
        return 0.0
    root = Z / (math.sqrt(variance_reduction) * precision)
    half = 0.5 * root * root * variance
    return half + math.hypot(half, root * width)


def cautious(variance: float, kurtosis: float, m: int) -> float:
    """Upper end of the 99 % interval for the variance behind that of m values, by its standard error.

    A value that occurs once in 10,000 tables is in a sample too seldom as easily as too often, and the
    variance with it: a rule that stops by the variance alone stops when the mean is too small.
    """
    if not kurtosis > -2.0 or not math.isfinite(kurtosis):
        return variance
    return variance * (1.0 + Z * math.sqrt((kurtosis + 2.0) / m))


def next_look(m: int, needed: float) -> int:
    """Number of tables after which to look again: the one at which the rule would stop, at most doubled."""
    return BATCH_TABLES * math.ceil(min(2.0 * m, needed) / BATCH_TABLES)
