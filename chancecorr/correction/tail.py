"""A p-value: its logarithm, how far it may be off, and where it comes from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from chancecorr.exact.splitting import SplitEstimate

LEAST_P = 5e-324
"""Lower limit of a p-value: the smallest float above 0; its logarithm goes on."""

Source: TypeAlias = Literal["exact", "cumulants", "pearson", "splitting", "bound", "monte-carlo"]

ORIGINS: Mapping[str, str] = MappingProxyType(
    {
        "analytic": "by formula from the cluster sizes",
        "exact": "from the exact null distribution",
        "cumulants": "from the factorial cumulants of the pairs together in both",
        "pearson": "from a Pearson curve with the first four moments",
        "splitting": "by multilevel splitting",
        "bound": "as proven bounds",
        "monte-carlo": "from simulated tables",
    }
)
"""Origin of a mean or a p-value, in words."""


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
        How far it may be off, as a share of the p-value: bounded ("exact"), estimated from the terms that are
        cut off ("cumulants"), by experience ("pearson"), or in 95 of 100 cases ("splitting", "monte-carlo").
        inf for a bound and if no simulated table was as extreme, nan where the index is undefined.
    is_bound : bool
        Whether this is a proven bound: the probability is at most this.
    upper : float
        The probability is at most this: proven for a bound, else as sure as `relative_error` is. If no
        simulated table was as extreme, the 95 % limit ``1 - 0.05**(1/m)``, about ``3/m``.
    method : {"exact", "cumulants", "pearson", "splitting", "bound", "monte-carlo", None}
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
    upper: float
    method: Source | None


UNKNOWN = Tail(
    p_value=math.nan,
    log_p_value=math.nan,
    relative_error=math.nan,
    is_bound=False,
    upper=math.nan,
    method=None,
)


def tail_from_count(reached: int, m: int) -> Tail:
    """P-value from m simulated tables, `reached` of them as extreme; Phipson & Smyth (2010).

    A valid p-value of a test, but no bound of the probability: if that is 1/m, no table is as extreme in a
    third of the runs. `upper` is the limit of Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.
    """
    from scipy.special import betaincinv

    found = tail_from_p((reached + 1) / (m + 1), relative_error_of_count(reached, m), "monte-carlo")
    upper = (
        -math.expm1(math.log(0.05) / m) if reached == 0 else float(betaincinv(reached + 1, m - reached, 0.95))
    )
    return replace(found, upper=1.0 if reached == m else upper)


def relative_error_of_count(reached: int, n_tables: int) -> float:
    """How far ``(reached + 1) / (n_tables + 1)`` may be off in 95 of 100 cases, as a share of it.

    By the upper end of the interval for the mean of a Poisson law of Wilson & Hilferty (1931),
    doi:10.1073/pnas.17.12.684, narrowed by the binomial law's ``sqrt(1 - p)``; the lower end is nearer.
    Inf where no table was as extreme.
    """
    if reached == 0:
        return math.inf
    z = 1.96 * math.sqrt(max(0.0, 1.0 - reached / n_tables))
    more = reached + 1.0
    high = more * (1.0 - 1.0 / (9.0 * more) + z / (3.0 * math.sqrt(more))) ** 3
    p = (reached + 1) / (n_tables + 1)
    return high / n_tables / p - 1.0


def tail_from_p(p: float, error: float, method: Source, is_bound: bool = False) -> Tail:
    """A p-value that is a float above 0."""
    p = min(1.0, p)
    upper = p if is_bound else min(1.0, p * (1.0 + error))
    error = math.inf if is_bound else error
    log_p = math.log(p) if p > 0.0 else -math.inf
    return Tail(
        p_value=p, log_p_value=log_p, relative_error=error, is_bound=is_bound, upper=upper, method=method
    )


def tail_from_log(log_p: float, error: float, method: Source, is_bound: bool = False) -> Tail:
    """A p-value from its logarithm."""
    p = max(math.exp(min(0.0, log_p)), LEAST_P if log_p > -math.inf else 0.0)
    return replace(tail_from_p(p, error, method, is_bound), log_p_value=min(0.0, log_p))


def tail_from_splitting(estimate: SplitEstimate) -> Tail:
    """P-value by splitting; twice that of the last level it reached if this is short of the observed one."""
    log_p = estimate.log10_p_value * math.log(10.0)
    if math.isnan(log_p):
        return replace(UNKNOWN, method="splitting")
    if estimate.upper_bound:
        found = tail_from_log(log_p + math.log(2.0), math.inf, "splitting")
        return replace(found, upper=found.p_value)
    return tail_from_log(log_p, estimate.relative_error, "splitting")
