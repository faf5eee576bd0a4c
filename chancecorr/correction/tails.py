"""P-values beyond sampling: the enumerated law, Pearson's curve, multilevel splitting.

Each answers where the one before cannot: an enumeration that would take too long, a probability below what it
lost; a curve that is not to be trusted so far out, or an index that does not go by T alone.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from chancecorr.arguments import Alternative, ArgumentValueError, one_of
from chancecorr.compiled import Floats, Integers
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.nulls import null_distributions
from chancecorr.correction.request import request
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.enumeration import forecast_pair_sum_law
from chancecorr.exact.laws.pearson import pearson_p_value
from chancecorr.exact.laws.shared import MOST_SECONDS, shared_pair_sum_law
from chancecorr.exact.laws.splitting import SplitEstimate, split
from chancecorr.exact.laws.ties import extreme, tie_slack
from chancecorr.indices.evaluation import values_of_pair_sums
from chancecorr.indices.registry import Index, get_index
from chancecorr.kinds import kind_of
from chancecorr.kinds.methods import Method
from chancecorr.null.models import PERMUTATION
from chancecorr.null.seeding import RNG
from chancecorr.tables.contingency import ContingencyTable, Margins, as_margins, as_table
from chancecorr.tables.pair_sum import pair_sum_moments

PEARSON_ERRORS = ((1e-3, 0.03), (1e-4, 0.10), (1e-6, 0.25))
"""Down to which probability Pearson's curve keeps which relative error; see `pearson_p_value`."""

LARGEST_ATOM = 0.0025
"""Share of the simulated tables that one value of T may have for Pearson's curve to be trusted: the steps of
T then matter by about 1 % in a tail of 0.001."""

LEAST_TABLES = 2_000
TAIL_LEVELS = (0.5, 0.1, 0.01, 0.003)
"""Shares of the simulated tables at which the curve must agree with them."""

TAIL_METHODS = ("auto", "exact", "pearson", "splitting")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """A tail probability and how good it is.

    Attributes
    ----------
    p_value : float
        Probability, under chance, of an index at least as extreme as the observed one.
    relative_error : float
        Bound ("exact"), experience ("pearson") or standard error ("splitting", "monte-carlo"), as a share of
        the p-value; inf where nothing is known, or where splitting never reached the observed value and its
        answer is an upper bound; nan where the index is undefined.
    method : {"exact", "pearson", "splitting", "monte-carlo", None}
        Where it comes from; None where nothing but moments is known.
    """

    p_value: float
    relative_error: float
    method: Literal["exact", "pearson", "splitting", "monte-carlo"] | None


def tail_probability(
    table: Any,
    index: str | Index,
    *,
    alternative: Literal["greater", "less"] = "greater",
    method: Literal["auto", "exact", "pearson", "splitting"] = "auto",
    rng: RNG = None,
    budget: float = 1.0,
) -> Tail:
    """Probability that chance gives an index at least as extreme as this table does, however small.

    Parameters
    ----------
    table : ContingencyTable or array-like of shape (K, Q)
        The table in hand; its margins are fixed.
    index : str or Index
        What measures agreement.
    alternative : {"greater", "less"}
        Which values count as extreme.
    method : {"auto", "exact", "pearson", "splitting"}
        ``"auto"``: the first of the three that is affordable and, at the size of the answer, within a quarter
        of it.
    rng : None, int, SeedSequence or Generator
        For splitting.
    budget : float
        Seconds or so that the enumeration may take.

    Returns
    -------
    Tail
        Probability, relative error, method.

    Raises
    ------
    ValueError
        If a method that was asked for has no answer here.

    Examples
    --------
    >>> tail = tail_probability(ContingencyTable([[4, 0, 1], [0, 5, 0], [1, 0, 4]]), "rand")
    >>> tail.method, round(tail.p_value, 6)
    ('exact', 0.000603)
    """
    one_of("alternative", alternative, ("greater", "less"))
    one_of("method", method, TAIL_METHODS)
    table, entry = as_table(table), get_index(index)
    observed = kind_of(entry).value(entry, table)
    if math.isnan(observed):
        return Tail(p_value=math.nan, relative_error=math.nan, method="exact")
    if method in ("auto", "exact"):
        found = _by_law(table, entry, observed, alternative, budget, required=method == "exact")
        if found is not None:
            return found
    if method in ("auto", "pearson"):
        found = pearson_tail(table, entry, alternative)
        if found is not None and method == "auto":
            good = found.relative_error <= PEARSON_ERRORS[-1][1]
            found = (
                found if good and _bears_out(_sampled(entry, table, rng), entry, table, alternative) else None
            )
        if found is not None:
            return found
        if method == "pearson":
            raise ArgumentValueError(
                "method",
                f"must be 'exact' or 'splitting' for index {entry.name!r}, which is not an ascending or"
                " descending function of T = sum n_ij**2 on these margins; got 'pearson'.",
            )
    estimate = split_p_value(entry, table.margins, observed, rng=rng, alternative=alternative)
    return Tail(p_value=estimate.p_value, relative_error=estimate.relative_error, method="splitting")


def split_p_value(
    index: str | Index,
    margins: Margins,
    observed: float,
    *,
    alternative: Literal["greater", "less"] = "greater",
    rng: RNG = None,
    **effort: int,
) -> SplitEstimate:
    """Tail of any index by multilevel splitting: `exact.laws.splitting.split` of its values.

    `observed` is the index on the table in hand; `effort` are the ``n_tables``, ``steps`` and ``replicates``
    of that function. An index that needs pairs is followed by T alone.

    Examples
    --------
    >>> import chancecorr
    >>> margins = Margins([240, 240, 320], [240, 240, 320])
    >>> observed = (78302 - 800) / 2 / 319600  # T = 78302, whose exact p-value is 9.87e-9
    >>> estimate = split_p_value("russell_rao", margins, observed, rng=1)
    >>> 0.7e-8 < estimate.p_value < 1.3e-8, 0.0 < estimate.relative_error < 0.2
    (True, True)
    """
    entry, margins = get_index(index), as_margins(margins)
    kind = kind_of(entry)
    kind.prepare(entry)
    of_pair_sums = partial(values_of_pair_sums, entry, margins=margins) if kind.goes_by_pair_sum else None
    return split(
        lambda tables: kind.values(entry, tables, margins),
        margins,
        observed,
        of_pair_sums=of_pair_sums,
        alternative=alternative,
        rng=rng,
        **effort,
    )


def tail_of_null(
    index: Index,
    table: ContingencyTable,
    observed: float,
    null: NullDistribution,
    method: Method,
    alternative: Alternative,
) -> Tail:
    """Probability under chance of a value as extreme: by the law, or by Pearson's curve if that is better."""
    if null.values_from is None:
        return Tail(p_value=math.nan, relative_error=math.nan, method=None)
    p = null.p_value(observed, alternative)
    if null.counts is None:
        return Tail(p_value=p, relative_error=null.lost_mass / p if p else math.nan, method="exact")
    spread = math.sqrt((1.0 - p) / (p * (null.n_tables + 1))) if p > 0 else math.nan
    found = Tail(p_value=p, relative_error=spread, method="monte-carlo")
    permuted = null.model == PERMUTATION.name
    if method.only_tables or not permuted or null.analytic is None or math.isnan(observed):
        return found
    if alternative == "two-sided":
        return found
    curve = pearson_tail(table, index, alternative)
    if curve is None or not curve.relative_error < found.relative_error:
        return found
    return curve if _bears_out(null, index, table, alternative) else found


def pearson_tail(table: ContingencyTable, index: Index, alternative: str) -> Tail | None:
    """Tail by Pearson's curve, where the index rises or falls with T; else None."""
    direction = direction_in_pair_sum(index, table)
    if direction == 0:
        return None
    upper = (alternative == "greater") == (direction > 0)
    p = pearson_p_value(pair_sum_moments(table.margins), table.sum_of_squares, "greater" if upper else "less")
    if upper:
        error = next((error for least, error in PEARSON_ERRORS if p >= least), math.inf)
    else:
        error = PEARSON_ERRORS[-1][1] if p > 0.01 else math.inf
    return Tail(p_value=p, relative_error=error, method="pearson")


def _bears_out(null: NullDistribution, index: Index, table: ContingencyTable, alternative: str) -> bool:
    """Whether simulated values show that Pearson's curve may speak for the law of T.

    The curve is continuous, and knows four moments only. So T must be dense, no value of it having more than
    `LARGEST_ATOM` of the tables; and the curve must agree with the simulated tail, within four standard
    errors, from the middle to the last tables.
    """
    counts, m = null.counts, null.n_tables
    if counts is None or m < LEAST_TABLES or counts.max() > LARGEST_ATOM * m:
        return False
    levels = np.array(TAIL_LEVELS)
    values = null.quantile(1.0 - levels if alternative == "greater" else levels)
    moments = pair_sum_moments(table.margins)
    upper = (alternative == "greater") == (direction_in_pair_sum(index, table) > 0)
    for value, T in zip(values.tolist(), _pair_sums_at(index, table, values).tolist(), strict=True):
        share = int(counts[extreme(null.values, value, alternative)].sum()) / m
        error = math.sqrt(share * (1.0 - share) / m)
        if abs(pearson_p_value(moments, T, "greater" if upper else "less") - share) > 4.0 * error:
            return False
    return True


def _sampled(index: Index, table: ContingencyTable, rng: RNG) -> NullDistribution:
    """Null distribution from 17,000 simulated tables."""
    asked = request({"method": "monte-carlo", "rng": rng})
    return null_distributions(table.margins, (index,), asked)[index.name]


def _pair_sums_at(index: Index, table: ContingencyTable, values: Floats) -> Integers:
    """T where an index that ascends or descends with it has these values, by bisection."""
    low, high = pair_sum_range(table.margins)
    sign = direction_in_pair_sum(index, table)
    below = np.full(values.shape, low)
    above = np.full(values.shape, high)
    slack = tie_slack(0.0, values)
    while (below < above).any():
        middle = below + (above - below) // 4 * 2
        reached = sign * values_of_pair_sums(index, middle, table.margins) >= sign * values - slack
        above, below = np.where(reached, middle, above), np.where(reached, below, middle + 2)
    return above


def direction_in_pair_sum(index: Index, table: ContingencyTable) -> int:
    """1 where the index ascends with T over all that T can be, -1 where it descends, else 0."""
    low, high = pair_sum_range(table.margins)
    if low == high or not kind_of(index).goes_by_pair_sum:
        return 0
    parts = min((high - low) // 2, 512)
    grid = np.array([low + 2 * ((high - low) // 2 * i // parts) for i in range(parts + 1)], dtype=np.int64)
    steps = np.diff(values_of_pair_sums(index, grid, table.margins))
    return 1 if (steps > 0).all() else -1 if (steps < 0).all() else 0


def _by_law(
    table: ContingencyTable, index: Index, observed: float, alternative: str, budget: float, *, required: bool
) -> Tail | None:
    """Tail of the enumerated law of T, where that is affordable and lost little of the answer."""
    if not kind_of(index).goes_by_pair_sum:
        if required:
            raise ArgumentValueError(
                "method",
                f"must be 'splitting' for index {index.name!r}, which needs {index.needs!r}; got 'exact'.",
            )
        return None
    if not required and forecast_pair_sum_law(table.margins).seconds > budget:
        return None
    try:
        law = shared_pair_sum_law(table.margins, seconds=MOST_SECONDS if required else budget)
    except ValueError:
        if required:
            raise
        return None
    values = values_of_pair_sums(index, law.values, table.margins)
    p = math.fsum(law.probabilities[extreme(values, observed, alternative)])
    error = law.lost_mass / p if p > 0 else math.inf
    if error > PEARSON_ERRORS[-1][1] and not required:
        return None
    return Tail(p_value=min(1.0, p + law.lost_mass), relative_error=error, method="exact")
