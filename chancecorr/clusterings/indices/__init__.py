"""Indices of clusterings of any kind: their entries, each of which takes the kinds that are compared."""

from typing import Any

from chancecorr.arguments import ArgumentValueError
from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.indices.element_centric import ELEMENT_CENTRIC
from chancecorr.clusterings.indices.function import of_function
from chancecorr.clusterings.indices.memberships import (
    CAMPELLO_RAND,
    FROBENIUS_RAND,
    FUZZY_COMPLETENESS,
    FUZZY_HOMOGENEITY,
)
from chancecorr.clusterings.indices.overlaps import AVERAGE_F1, ONMI_LFK, ONMI_MAX
from chancecorr.clusterings.indices.pair_counts import BROUWER_RAND, FUZZY_RAND, OMEGA, pair_counting
from chancecorr.clusterings.indices.trees import BAKERS_GAMMA, CORRELATION, HIERARCHICAL_NMI
from chancecorr.indices.registry import (
    Index,
    get_index,
    indices_to_adjust,
    list_indices,
    list_names,
    register_index,
)

for each in (
    FUZZY_RAND,
    FROBENIUS_RAND,
    BROUWER_RAND,
    CAMPELLO_RAND,
    FUZZY_COMPLETENESS,
    FUZZY_HOMOGENEITY,
    OMEGA,
    ONMI_MAX,
    ONMI_LFK,
    CORRELATION,
    BAKERS_GAMMA,
    HIERARCHICAL_NMI,
):
    register_index(each)

COUNTERPARTS = {"average_f1": AVERAGE_F1, "element_centric_similarity": ELEMENT_CENTRIC}
"""Indices of partitions that are defined for other kinds, too: the entries for these."""


def find_pair_indices(index: Any, P: Clustering, Q: Clustering) -> tuple[Index, ...]:
    """Indices that were named, each of which takes these kinds; the default of the kinds for None."""
    if index is None:
        kinds = {P.word, Q.word}
        index = "omega" if kinds <= {"labels", "cover"} else "correlation"
        if kinds <= {"labels", "membership", "similarity"}:
            index = "rand"
    named = [
        of_function(name) if callable(name) and not isinstance(name, Index) else name
        for name in list_names(index)
    ]
    return tuple(_take_kinds(entry, P, Q) for entry in indices_to_adjust(named)[0])


def list_indices_for(kind: str) -> list[str]:
    """Names of the indices that take a kind of clusterings, as its class calls it: "cover", "tree", ..."""
    entries = [*map(get_index, list_indices("clusterings")), *COUNTERPARTS.values()]
    return sorted(entry.name for entry in entries if not entry.takes or kind in entry.takes)


def _take_kinds(entry: Index, P: Clustering, Q: Clustering) -> Index:
    """An index for these kinds, which are not always partitions."""
    if entry.needs != "clusterings":
        entry = COUNTERPARTS.get(entry.name) or _count_pairs(entry)
    for side in (P, Q):
        if entry.takes and side.word not in entry.takes:
            others = list_indices_for(side.word)
            if side.word in ("membership", "similarity"):
                others.append("rand and all that count pairs")
            raise ArgumentValueError(
                "index",
                f"must take a {side.word}; {entry.name!r} takes {', '.join(entry.takes)}."
                f" Others: {', '.join(others)}.",
            )
    return entry


def _count_pairs(entry: Index) -> Index:
    """An index of partitions that counts pairs, for other kinds too."""
    if entry.needs != "pairs" or entry.with_totals:
        names = [*list_indices("clusterings"), *COUNTERPARTS]
        raise ArgumentValueError(
            "index",
            f"must count pairs, be a function of two clusterings, or one of {', '.join(names)}, for"
            f" clusterings that are no labels; got {entry.name!r}.",
        )
    return pair_counting(entry)
