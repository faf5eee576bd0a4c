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
"""Beyond which no law is enumerated."""


def shared_pair_sum_law(margins: Margins, run: Map = map, seconds: float = MOST_SECONDS) -> PairSumLaw:
    """Law of T for these margins, found once for all indices that need it, within so many seconds or so.

    An enumeration cannot tell a lost mass from the rounding of its sum: what it may have lost is taken to be
    `LOST_MASS` at least, so that no probability in its tails is called 0. Its parts are done by `run`; the
    law has the same bits whatever that is, and so it is no part of what is remembered. A budget that was too
    small is remembered, too.

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
    """Where a law is put, and the lock that lets one thread find it while others wait."""

    lock: Lock = field(default_factory=Lock)
    law: PairSumLaw | None = None
    refusal: TooCostlyError | None = None
    too_few_seconds: float = 0.0


@functools.lru_cache(maxsize=16)
def place_of_law(margins: Margins) -> PlaceOfLaw:
    """Place of the law for these margins; the last 16 are kept."""
    return PlaceOfLaw()
