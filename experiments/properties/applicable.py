"""Where a property means nothing for an index, and what the number of clusters does to it."""

import math

import numpy as np

from chancecorr.indices.registry import Index
from experiments.properties.counts import function_of_counts
from experiments.properties.definitions import Definition
from experiments.properties.searches import means_by_number
from experiments.properties.values import View

OF_COUNTS = ("minimal_agreement", "strongly_monotone", "monotone_in_counts", "asymptotic_constant_baseline")
"""Properties of a function of the four pair counts."""

WORDS = {
    "na_no_counts": "It is no function of the four pair counts alone.",
    "na_no_best": "No value stands for perfect agreement.",
    "na_infinite": "Its value at perfect agreement is infinite, so that it defines no distance.",
    "na_constant": "The cluster sizes alone give the value: there is nothing to correct for chance.",
    "na_not_adjusted": "Its best value is no number: it has no adjusted score.",
}


def not_applicable(index: Index, definition: Definition, *, adjusted: bool) -> str:
    """Key of `WORDS` that says why the property means nothing here; empty where it means something."""
    if adjusted and index.constant:
        return "na_constant"
    if adjusted and not index.can_be_adjusted:
        return "na_not_adjusted"
    if definition.directed and not adjusted and index.best is not None and math.isnan(index.best):
        return "na_no_best"
    if definition.key == "metric" and not adjusted and index.best is not None and math.isinf(index.best):
        return "na_infinite"
    if definition.key in OF_COUNTS and function_of_counts(index, adjusted=adjusted) is None:
        return "na_no_counts"
    return ""


def directions(view: View, sign: int) -> dict[str, str]:
    """What more clusters of V do to the mean score, "better" being up.

    Over all references, and over those whose clusters have equal sizes ("balanced").

    ``"more"`` where the mean rises with the number of clusters for every reference, ``"fewer"`` where it
    falls, ``"none"`` where it stays, ``"by reference"`` where it goes by the reference, ``"mixed"`` where it
    turns for one reference.
    """
    every = view.every
    means, _ = means_by_number(view)
    balanced = [len(set(every.sizes[r])) == 1 for r in every.references.tolist()]
    found = {}
    for name, chosen in (("direction", np.full(means.shape[0], True)), ("balanced", np.array(balanced))):
        kinds = set()
        for row in sign * means[chosen & ~every.trivial_sizes]:
            known = row[~np.isnan(row)]
            if known.size < 2:
                continue
            steps = np.sign(np.diff(known)) * view.differ(known[1:], known[:-1])
            kinds.add(_kind(steps))
        kinds -= {"none"} if len(kinds) > 1 else set()
        found[name] = kinds.pop() if len(kinds) == 1 else "by reference" if kinds else "unknown"
    return found


def _kind(steps: np.ndarray) -> str:
    if not steps.any():
        return "none"
    return "more" if (steps >= 0).all() else "fewer" if (steps <= 0).all() else "mixed"
