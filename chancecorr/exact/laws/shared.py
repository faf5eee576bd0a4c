"""The law of T for given margins, found once for all indices and questions that need it."""

import functools
from dataclasses import dataclass, field, replace

from chancecorr.budget import TooCostlyError
from chancecorr.exact.laws.enumeration import PairSumLaw, pair_sum_law
from chancecorr.exact.laws.pruning import Map
from chancecorr.machine.locks import Lock
from chancecorr.tables.contingency import Margins

LOST_MASS = 1e-12
"""Probability that an enumeration may leave out."""

MOST_SECONDS = 60.0
"""Forecast beyond which no law is enumerated."""


def shared_pair_sum_law(margins: Margins, run: Map = map, seconds: float = MOST_SECONDS) -> PairSumLaw:
    """Law of T for these margins, cached for all indices that need it, within about this many seconds.

    The lost mass of an enumeration is not known more closely than the rounding of its sum: at least
    `LOST_MASS` is stated, so that no tail is exactly 0. Its parts are done by `run`; the law has the same
    bits whatever that is. A budget that was too small is cached, too.

    Raises
    ------
    TooCostlyError
        If the law takes more; see `pair_sum_law`.
    """
    place = place_of_law(margins)
    with place.lock:
        if place.refusal is not None and seconds <= place.too_few_seconds:
            raise place.refusal
        if place.law is None:
            try:
                law = pair_sum_law(margins, lost_mass=LOST_MASS, budget=seconds, run=run)
            except TooCostlyError as refusal:
                place.refusal, place.too_few_seconds = refusal, seconds
                raise
            if law.method == "enumeration":
                law = replace(law, lost_mass=max(law.lost_mass, LOST_MASS))
            place.law = law
    return place.law


@dataclass(slots=True, eq=False)
class PlaceOfLaw:
    """Entry of the cache of laws, with the lock that lets one thread find it while others wait."""

    lock: Lock = field(default_factory=Lock)
    law: PairSumLaw | None = None
    refusal: TooCostlyError | None = None
    too_few_seconds: float = 0.0


@functools.lru_cache(maxsize=16)
def place_of_law(margins: Margins) -> PlaceOfLaw:
    """Entry of the cache for these margins; the last 16 are kept."""
    return PlaceOfLaw()
