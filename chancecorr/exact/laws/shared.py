"""The law of T for given margins, found once for all indices and questions that need it."""

import functools
from dataclasses import replace

from chancecorr.budget import TooCostlyError
from chancecorr.exact.laws.enumeration import PairSumLaw, pair_sum_law
from chancecorr.tables.contingency import Margins

LOST_MASS = 1e-12
"""Probability that an enumeration may leave out."""

MOST_SECONDS = 60.0
"""Forecast beyond which no law is enumerated."""


def shared_pair_sum_law(margins: Margins, seconds: float = MOST_SECONDS) -> PairSumLaw:
    """Law of T for these margins, cached for all indices, within so many seconds or TooCostlyError.

    The lost mass of an enumeration is not known more closely than the rounding of its sum: at least
    `LOST_MASS` is stated, so that no tail is exactly 0.
    """
    found = _law_or_refusal(margins, seconds)
    if isinstance(found, TooCostlyError):
        raise found
    return found


@functools.lru_cache(maxsize=16)
def _law_or_refusal(margins: Margins, seconds: float) -> PairSumLaw | TooCostlyError:
    """Law, or that the budget is too small, either of which is kept."""
    try:
        law = pair_sum_law(margins, lost_mass=LOST_MASS, budget=seconds)
    except TooCostlyError as refusal:
        return refusal
    if law.method == "enumeration":
        return replace(law, lost_mass=max(law.lost_mass, LOST_MASS))
    return law
