"""Indices of clusterings of any kind: the entries, with the kinds of clusterings that each one takes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from chancecorr.clusterings.clustering import Agreement, Clustering, Kind, index_of_clusterings
from chancecorr.clusterings.indices.covers import AVERAGE_F1, BCUBED_OF_COVERS, ONMI_LFK, ONMI_MAX
from chancecorr.clusterings.indices.dendrogram_purity import DENDROGRAM_PURITY
from chancecorr.clusterings.indices.element_centric import ELEMENT_CENTRIC
from chancecorr.clusterings.indices.pair_counts import NOTE_ON_COVERS, PAIR_INDICES, make_entry_of_pairs
from chancecorr.clusterings.indices.robinson_foulds import ROBINSON_FOULDS
from chancecorr.clusterings.indices.soft_tables import make_entry_of_tables
from chancecorr.indices.calling import name_failures, require_number
from chancecorr.indices.evaluation import is_weightable
from chancecorr.indices.registry import (
    Index,
    LabelledIndex,
    find_indices,
    get_index,
    list_indices,
    register_index,
)
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers, read_only

for entry_of_pairs in (*PAIR_INDICES, ONMI_MAX, ONMI_LFK, DENDROGRAM_PURITY, ROBINSON_FOULDS):
    register_index(replace(entry_of_pairs, symmetric=True))

COUNTERPARTS = {
    entry.name: replace(entry, symmetric=get_index(entry.name).symmetric)
    for entry in (AVERAGE_F1, ELEMENT_CENTRIC, *BCUBED_OF_COVERS)
}
"""Entries for other kinds of clusterings, of indices that are also defined for partitions."""


def find_pair_indices(index: Any, P: Clustering, Q: Clustering) -> list[LabelledIndex]:
    """Find the named indices, or the default of these kinds for None."""
    index = find_default_index([type(P), type(Q)]) if index is None else index
    indices = []
    is_soft = "membership" in (P.word, Q.word)
    for entry, label, notes in find_indices(index, wrap_function):
        takes_degrees = False
        if entry.needs != "clusterings" and entry.name in COUNTERPARTS and not is_soft:
            entry = COUNTERPARTS[entry.name]
        elif entry.needs == "pairs" and not entry.with_totals:
            entry, takes_degrees = make_entry_of_pairs(entry), True
            if "cover" in (P.word, Q.word):
                notes = (*notes, NOTE_ON_COVERS)
        elif is_soft and entry.needs != "clusterings" and is_weightable(entry):
            entry = make_entry_of_tables(entry)
        elif entry.needs != "clusterings":
            names = [*list_indices("clusterings"), *COUNTERPARTS]
            raise ArgumentValueError(
                "index",
                f"must count pairs, be a function of two clusterings, or one of {', '.join(names)}, for"
                f" clusterings that are not labels; got {entry.name!r}.",
            )
        for side in (P, Q):
            if entry.takes and side.word not in entry.takes and not (takes_degrees and side.has_degrees):
                others = sorted({*list_indices_for(P.word)} & {*list_indices_for(Q.word)})
                if P.has_degrees and Q.has_degrees:
                    others.append("rand and all that count pairs")
                raise ArgumentValueError(
                    "index",
                    f"must take {side.word}; {entry.name!r} takes {', '.join(entry.takes)}."
                    f" Others: {', '.join(others)}.",
                )
        indices.append(LabelledIndex(entry, label, notes))
    return indices


def find_default_index(kinds: Sequence[type[Kind]]) -> str:
    """Return the first default index that clusterings of all these kinds have."""
    first, *others = kinds
    shared = (name for name in first.default_indices if all(name in kind.default_indices for kind in others))
    return next(shared, "rand")


def list_indices_for(kind: str) -> list[str]:
    """List the names of the indices that take a kind of clusterings, such as "cover" or "tree"."""
    entries = [*map(get_index, list_indices("clusterings")), *COUNTERPARTS.values()]
    return sorted(entry.name for entry in entries if not entry.takes or kind in entry.takes)


def wrap_function(function: Callable[[Any, Any], float]) -> Index:
    """Call a user's ``f(P, Q)`` with read-only labels, memberships, linkages or matrices."""
    name = getattr(function, "__name__", "function")
    rule = partial(_agree_by_function, name, function)
    return index_of_clusterings(name=name, function=rule, range=(-math.inf, math.inf))


def _agree_by_function(
    name: str, function: Callable[[Any, Any], float], P: Clustering, Q: Clustering
) -> Agreement:
    """Return an agreement whose mean and variance are unknown."""
    number, first = require_number(function), read_only(P.plain)

    def value(side: Clustering) -> float:
        with name_failures(name, "two clusterings"):
            return number(first, read_only(side.plain))

    def sums(permutations: Integers) -> Floats:
        return np.array([value(Q.part(permutation)) for permutation in permutations])

    return Agreement(observed=value(Q), sums=sums)
