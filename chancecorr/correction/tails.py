"""A tail probability with its accuracy and its origin, from a count, a probability or a logarithm."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from chancecorr.sampling.splitting import SplitEstimate

LEAST_P = 5e-324  # lowest p-value, the smallest float above 0; its logarithm can be lower

Source: TypeAlias = Literal["exact", "cumulants", "splitting", "bound", "monte-carlo"]

ORIGINS: Mapping[str, str] = MappingProxyType(
    {
        "analytic": "by formula from the cluster sizes",
        "exact": "from the exact null distribution",
        "cumulants": "from the factorial cumulants of the number of pairs together in both clusterings",
        "splitting": "by multilevel splitting",
        "bound": "as proven bounds",
        "monte-carlo": "from simulated tables",
    }
)
"""Description of each origin of a mean or a p-value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """A tail probability and its accuracy.

    Attributes
    ----------
    p_value : float
        Probability, under chance, of an index at least as extreme as the observed one. Always above 0, also
        if the probability is too small for a float.
    log_p_value : float
        Natural logarithm of the probability.
    relative_error : float
        Error of the p-value, as a share of it: a bound of the error ("exact"), an estimate from the terms
        that are cut off ("cumulants"), or a 95 % limit ("splitting", "monte-carlo"). inf for a bound, and if
        no simulated table was as extreme; nan if the index is undefined.
    is_bound : bool
        True if `p_value` is a proven bound: the probability is at most `p_value`.
    upper : float
        Upper limit of the probability: proven for a bound, otherwise as certain as `relative_error`. If no
        simulated table was as extreme, the 95 % limit ``1 - 0.05**(1/m)``, about ``3/m``.
    method : {"exact", "cumulants", "splitting", "bound", "monte-carlo", None}
        Origin of the p-value; None if only moments are known.

    Examples
    --------
    >>> from chancecorr import tail_probability
    >>> tail = tail_probability([[2, 1, 0], [0, 1, 2]], "rand")
    >>> round(tail.p_value, 12), tail.method, tail.is_bound  # 432 of the 720 orders of the objects
    (0.6, 'exact', False)
    """

    p_value: float = math.nan
    log_p_value: float = math.nan
    relative_error: float = math.nan
    is_bound: bool = False
    upper: float = math.nan
    method: Source | None = None


UNKNOWN_TAIL = Tail()


def tail_from_count(reached: int, m: int) -> Tail:
    """Return the p-value if `reached` of m simulated tables are as extreme; Phipson & Smyth (2010).

    `upper` is the limit of Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404. The relative error uses the
    upper 95 % limit for the mean of a Poisson distribution of Wilson & Hilferty (1931),
    doi:10.1073/pnas.17.12.684, times ``sqrt(1 - p)`` for the binomial distribution.
    """
    from scipy.special import betaincinv

    p, more = (reached + 1) / (m + 1), reached + 1.0
    if reached == 0:
        upper, error = -math.expm1(math.log(0.05) / m), math.inf
    else:
        upper = float(betaincinv(reached + 1, m - reached, 0.95))
        z = 1.96 * math.sqrt(max(0.0, 1.0 - reached / m))
        error = more * (1.0 - 1.0 / (9.0 * more) + z / (3.0 * math.sqrt(more))) ** 3 / m / p - 1.0
    return replace(tail_from_p(p, error, "monte-carlo"), upper=1.0 if reached == m else upper)


def tail_from_p(p: float, error: float, method: Source, is_bound: bool = False) -> Tail:
    """Return the tail for a p-value that is a float; it is at least `LEAST_P`."""
    p = min(1.0, p)
    upper = p if is_bound else min(1.0, p * (1.0 + error))
    error = math.inf if is_bound else error
    log_p = math.log(p) if p > 0.0 else -math.inf
    return Tail(
        p_value=p, log_p_value=log_p, relative_error=error, is_bound=is_bound, upper=upper, method=method
    )


def tail_from_log(log_p: float, error: float, method: Source, is_bound: bool = False) -> Tail:
    """Return the tail for the logarithm of a p-value."""
    p = max(math.exp(min(0.0, log_p)), LEAST_P if log_p > -math.inf else 0.0)
    return replace(tail_from_p(p, error, method, is_bound), log_p_value=min(0.0, log_p))


def tail_from_splitting(estimate: SplitEstimate) -> Tail:
    """Return the p-value from splitting; twice the last level's p-value if no level reached the data."""
    log_p = estimate.log10_p_value * math.log(10.0)
    if math.isnan(log_p):
        return replace(UNKNOWN_TAIL, method="splitting")
    if estimate.upper_bound:
        tail = tail_from_log(log_p + math.log(2.0), math.inf, "splitting")
        return replace(tail, upper=tail.p_value)
    return tail_from_log(log_p, estimate.relative_error, "splitting")
