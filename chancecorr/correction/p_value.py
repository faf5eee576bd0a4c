"""A p-value: its logarithm, how far it may be off, and where it comes from.

It is made from the number of simulated tables that are as extreme, from a float, from a logarithm where no
float is as small, or from what multilevel splitting found. `correction.tails` decides which of these.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from chancecorr.exact.laws.splitting import SplitEstimate

LEAST_P = 5e-324
"""What a p-value is at least: the smallest float above 0; its logarithm goes on."""

Source: TypeAlias = Literal["exact", "pearson", "splitting", "monte-carlo"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """A tail probability and how good it is.

    Attributes
    ----------
    p_value : float
        Probability, under chance, of an index at least as extreme as the observed one; above 0 also where
        only its logarithm is a number that a float can be.
    log_p_value : float
        Its natural logarithm.
    relative_error : float
        How far it may be off, as a share of the p-value: bounded ("exact"), by experience ("pearson"), or in
        95 of 100 cases ("splitting", "monte-carlo"). inf for a bound, nan where the index is undefined.
    is_bound : bool
        Whether the probability is only known to be at most this.
    method : {"exact", "pearson", "splitting", "monte-carlo", None}
        Where it comes from; None where nothing but moments is known.

    Examples
    --------
    >>> from chancecorr import tail_probability
    >>> tail = tail_probability([[2, 1, 0], [0, 1, 2]], "rand")
    >>> round(tail.p_value, 12), tail.method, tail.is_bound  # 432 of the 720 orders of the objects
    (0.6, 'exact', False)
    """

    p_value: float
    log_p_value: float
    relative_error: float
    is_bound: bool
    method: Source | None


UNKNOWN = Tail(p_value=math.nan, log_p_value=math.nan, relative_error=math.nan, is_bound=False, method=None)


def tail_from_count(reached: int, m: int) -> Tail:
    """P-value from m simulated tables, `reached` of them as extreme; Phipson & Smyth (2010)."""
    error = relative_error_of_count(reached, m)
    return tail_from_p((reached + 1) / (m + 1), error, "monte-carlo", is_bound=reached == 0)


def relative_error_of_count(reached: int, n_tables: int) -> float:
    """How far ``(reached + 1) / (n_tables + 1)`` may be off in 95 of 100 cases, as a share of it.

    Further one of the two ends of the 95 % interval for the mean of a Poisson law, in the approximation of
    Wilson and Hilferty (1931), doi:10.1073/pnas.17.12.684, narrowed by the binomial law's ``sqrt(1 - p)``.
    inf where no table was as extreme.

    Examples
    --------
    >>> round(relative_error_of_count(16, 17_000), 2), round(relative_error_of_count(8_500, 17_000), 3)
    (0.53, 0.015)
    """
    if reached == 0:
        return math.inf
    z = 1.96 * math.sqrt(max(0.0, 1.0 - reached / n_tables))
    more = reached + 1.0
    high = more * (1.0 - 1.0 / (9.0 * more) + z / (3.0 * math.sqrt(more))) ** 3
    low = reached * max(0.0, 1.0 - 1.0 / (9.0 * reached) - z / (3.0 * math.sqrt(reached))) ** 3
    p = (reached + 1) / (n_tables + 1)
    return max(high / n_tables / p - 1.0, 1.0 - low / n_tables / p)


def tail_from_p(p: float, error: float, method: Source, is_bound: bool = False) -> Tail:
    """A p-value that is a float, or underflows to 0."""
    p = min(1.0, max(p, LEAST_P))
    error = math.inf if is_bound else error
    return Tail(p_value=p, log_p_value=math.log(p), relative_error=error, is_bound=is_bound, method=method)


def tail_from_log(log_p: float, error: float, method: Source, is_bound: bool = False) -> Tail:
    """A p-value from its logarithm."""
    return replace(
        tail_from_p(math.exp(min(0.0, log_p)), error, method, is_bound), log_p_value=min(0.0, log_p)
    )


def tail_from_splitting(estimate: SplitEstimate) -> Tail:
    """What splitting found. That of the levels which it reached, where it got no further, is doubled."""
    log_p = estimate.log10_p_value * math.log(10.0)
    if math.isnan(log_p):
        return replace(UNKNOWN, method="splitting")
    if estimate.upper_bound:
        return tail_from_log(log_p + math.log(2.0), math.inf, "splitting", is_bound=True)
    return tail_from_log(log_p, estimate.relative_error, "splitting")
