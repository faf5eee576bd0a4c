"""P-values beyond sampling: the enumerated law, Pearson's curve, multilevel splitting.

Each answers where the one before cannot: an enumeration that would take too long, a probability below what it
lost; a curve that is not to be trusted so far out, or an index that does not go by T alone.
"""

import functools
import math
import threading
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from chancecorr.arguments import one_of
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.enumeration import PairSumLaw, forecast_pair_sum_law, pair_sum_law
from chancecorr.exact.laws.pearson import pearson_p_value
from chancecorr.exact.laws.pruning import Map
from chancecorr.exact.laws.splitting import split_p_value
from chancecorr.exact.moments.pair_sum import pair_sum_moments
from chancecorr.indices.evaluation import value_of_table, values_of_pair_sums
from chancecorr.indices.registry import Index, get_index
from chancecorr.null.seeding import RNG
from chancecorr.tables.contingency import ContingencyTable, Margins

PEARSON_ERRORS = ((1e-3, 0.03), (1e-4, 0.10), (1e-6, 0.25))
"""Down to which probability Pearson's curve keeps which relative error; see `pearson_p_value`."""

LOST_MASS = 1e-12
"""Probability that an enumeration may leave out."""

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
    method : {"exact", "pearson", "splitting", "monte-carlo"}
        Where it comes from.
    """

    p_value: float
    relative_error: float
    method: Literal["exact", "pearson", "splitting", "monte-carlo"]


def tail_probability(
    table: ContingencyTable,
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
    table : ContingencyTable
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
        Seconds that the enumeration may take by its forecast.

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
    entry = get_index(index)
    observed = value_of_table(entry, table)
    if math.isnan(observed):
        return Tail(p_value=math.nan, relative_error=math.nan, method="exact")
    if method in ("auto", "exact"):
        found = _by_law(table, entry, observed, alternative, budget, required=method == "exact")
        if found is not None:
            return found
    if method in ("auto", "pearson"):
        found = pearson_tail(table, entry, alternative)
        if found is not None and (found.relative_error <= PEARSON_ERRORS[-1][1] or method == "pearson"):
            return found
        if method == "pearson":
            raise ValueError(
                f"`method` must be 'exact' or 'splitting' for index {entry.name!r}, which is not an ascending"
                " or descending function of T = sum n_ij**2 on these margins; got 'pearson'."
            )
    estimate = split_p_value(entry, table.margins, observed, rng=rng, alternative=alternative)
    return Tail(p_value=estimate.p_value, relative_error=estimate.relative_error, method="splitting")


def pearson_tail(
    table: ContingencyTable, index: Index, alternative: Literal["greater", "less"]
) -> Tail | None:
    """Tail by Pearson's curve, where the index rises or falls with T; else None."""
    direction = direction_in_pair_sum(index, table)
    if direction == 0:
        return None
    side: Literal["greater", "less"] = alternative
    if direction < 0:
        side = "less" if alternative == "greater" else "greater"
    p = pearson_p_value(pair_sum_moments(table.margins), table.sum_of_squares, side)
    if side == "less":
        error = PEARSON_ERRORS[-1][1] if p > 0.01 else math.inf
    else:
        error = next((error for least, error in PEARSON_ERRORS if p >= least), math.inf)
    return Tail(p_value=p, relative_error=error, method="pearson")


def direction_in_pair_sum(index: Index, table: ContingencyTable) -> int:
    """1 where the index ascends with T over all that T can be, -1 where it descends, else 0."""
    if index.needs != "pairs":
        return 0
    low, high = pair_sum_range(table.margins)
    if low == high:
        return 0
    parts = min((high - low) // 2, 512)
    grid = np.array([low + 2 * ((high - low) // 2 * i // parts) for i in range(parts + 1)], dtype=np.int64)
    steps = np.diff(values_of_pair_sums(index, grid, table.margins))
    return 1 if (steps > 0).all() else -1 if (steps < 0).all() else 0


def _by_law(
    table: ContingencyTable, index: Index, observed: float, alternative: str, budget: float, *, required: bool
) -> Tail | None:
    """Tail of the enumerated law of T, where that is affordable and lost little of the answer."""
    if index.needs != "pairs":
        if required:
            raise ValueError(
                f"`method` must be 'splitting' for index {index.name!r}, which needs {index.needs!r};"
                " got 'exact'."
            )
        return None
    if not required and forecast_pair_sum_law(table.margins).seconds > budget:
        return None
    law = shared_pair_sum_law(table.margins)
    values = values_of_pair_sums(index, law.values, table.margins)
    slack = 100.0 * float(np.finfo(np.float64).eps) * float(np.abs(values).max())
    extreme = values >= observed - slack if alternative == "greater" else values <= observed + slack
    p = math.fsum(law.probabilities[extreme])
    error = law.lost_mass / p if p > 0 else math.inf
    if error > PEARSON_ERRORS[-1][1] and not required:
        return None
    return Tail(p_value=min(1.0, p + law.lost_mass), relative_error=error, method="exact")


def shared_pair_sum_law(margins: Margins, run: Map = map) -> PairSumLaw:
    """Law of T for these margins, found once for all indices that need it, if that takes a minute at most.

    An enumeration cannot tell a lost mass from the rounding of its sum: what it may have lost is taken to be
    `LOST_MASS` at least, so that no probability in its tails is called 0. Its parts are done by `run`; the
    law has the same bits whatever that is, and so it is no part of what is remembered.
    """
    place = _place_of_law(margins)
    with place.lock:
        if place.law is None:
            law = pair_sum_law(margins, lost_mass=LOST_MASS, budget=60.0, run=run)
            if law.method == "enumeration":
                law = replace(law, lost_mass=max(law.lost_mass, LOST_MASS))
            place.law = law
    return place.law


@dataclass(slots=True, eq=False)
class _PlaceOfLaw:
    lock: threading.Lock = field(default_factory=threading.Lock)
    law: PairSumLaw | None = None


@functools.lru_cache(maxsize=16)
def _place_of_law(margins: Margins) -> _PlaceOfLaw:
    return _PlaceOfLaw()
