"""The law of T for given margins, found once for all indices and questions that need it."""

import functools

from chancecorr.budget import TooCostlyError
from chancecorr.exact.laws.enumeration import PairSumLaw, pair_sum_law
from chancecorr.tables.contingency import Margins

LOST_MASS = 1e-12
"""Probability that may be left out of the law of a table of two clusters against two."""

MOST_SECONDS = 60.0
"""Forecast beyond which no law is enumerated."""


def shared_pair_sum_law(margins: Margins, seconds: float = MOST_SECONDS) -> PairSumLaw:
    """Law of T for these margins, cached for all indices that need it, within about this many seconds.

    Raises
    ------
    TooCostlyError
        If the law takes more; see `pair_sum_law`.
    """
    found = _law_or_refusal(margins, seconds)
    if isinstance(found, TooCostlyError):
        raise found
    return found


@functools.lru_cache(maxsize=16)
def _law_or_refusal(margins: Margins, seconds: float) -> PairSumLaw | TooCostlyError:
    """Law, or that the budget is too small, either of which is kept."""
    try:
        return pair_sum_law(margins, budget=seconds)
    except TooCostlyError as refusal:
        return refusal
