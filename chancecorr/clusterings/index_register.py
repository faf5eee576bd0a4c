"""Entries of indices for clusterings of any kind, each of which takes the kinds that are compared."""

from typing import Any

from chancecorr.arguments import ArgumentValueError
from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.indices import COUNTERPARTS
from chancecorr.clusterings.indices.function import of_function
from chancecorr.clusterings.indices.pair_counts import pair_counting
from chancecorr.indices.registry import (
    Index,
    each_once,
    find_index,
    get_index,
    list_indices,
    list_names,
)


def find_pair_indices(index: Any, P: Clustering, Q: Clustering) -> tuple[Index, ...]:
    """Indices that were named, each of which takes these kinds; the default of the kinds for None."""
    if index is None:
        kinds = {P.word, Q.word}
        index = "omega" if kinds <= {"labels", "cover"} else "correlation"
        if kinds <= {"labels", "membership", "similarity"}:
            index = "rand"
    return each_once([_find_pair_index(name, P, Q) for name in list_names(index)], lambda _: False)


def list_indices_for(kind: str) -> list[str]:
    """Names of the indices that take a kind of clusterings, as its class calls it: "cover", "tree", ..."""
    entries = [*map(get_index, list_indices("clusterings")), *COUNTERPARTS.values()]
    return sorted(entry.name for entry in entries if not entry.takes or kind in entry.takes)


def _find_pair_index(name: Any, P: Clustering, Q: Clustering) -> Index:
    """Index by name, of the catalogue if it counts pairs, or a user's function; for these kinds."""
    if callable(name) and not isinstance(name, Index):
        entry = of_function(name)
    else:
        entry, _ = find_index(name, to_adjust=True)
        if entry.needs != "clusterings":
            entry = _extend_to_clusterings(entry)
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


def _extend_to_clusterings(entry: Index) -> Index:
    """An index of partitions that counts pairs, or is defined for other kinds too, for these."""
    if entry.name in COUNTERPARTS:
        return COUNTERPARTS[entry.name]
    if entry.needs != "pairs" or entry.with_totals:
        names = [*list_indices("clusterings"), *COUNTERPARTS]
        raise ArgumentValueError(
            "index",
            f"must count pairs, be a function of two clusterings, or one of {', '.join(names)}, for"
            f" clusterings that are no labels; got {entry.name!r}.",
        )
    return pair_counting(entry)
