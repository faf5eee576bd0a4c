"""Indices of clusterings of any kind by name, and whether they take the kinds that are compared."""

from typing import Any

from chancecorr.arguments import ArgumentValueError
from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import PairIndex
from chancecorr.clusterings.indices import NAMED, PAIR_INDICES
from chancecorr.clusterings.indices.function import of_function
from chancecorr.clusterings.indices.pair_counts import pair_counting
from chancecorr.indices.registry import Index, each_once, index_to_adjust, is_registered, list_names


def find_pair_indices(index: Any, P: Clustering, Q: Clustering) -> tuple[PairIndex, ...]:
    """Indices that were named, each of which takes these kinds; the default of the kinds for None."""
    if index is None:
        kinds = {P.word, Q.word}
        index = "omega" if kinds <= {"labels", "cover"} else "correlation"
        if kinds <= {"labels", "membership", "similarity"}:
            index = "rand"
    return each_once([_find_pair_index(name, P, Q) for name in list_pair_names(index)], lambda _: False)


def list_pair_names(index: Any) -> list[Any]:
    """Indices as they were given, one or several, in a list."""
    return [index] if isinstance(index, PairIndex) else list_names(index)


def compares_objects(index: Any) -> bool:
    """Whether an index, or one of several, compares clusterings of any kind, and is no index of tables."""
    return index is not None and any(
        isinstance(name, PairIndex) or (isinstance(name, str) and name in NAMED and not is_registered(name))
        for name in list_pair_names(index)
    )


def _find_pair_index(name: Any, P: Clustering, Q: Clustering) -> PairIndex:
    """Index by name, of the catalogue if it counts pairs, or a user's function; for these kinds."""
    if isinstance(name, str) and name in NAMED:
        entry = NAMED[name]
    elif isinstance(name, PairIndex):
        entry = name
    elif callable(name) and not isinstance(name, Index):
        entry = of_function(name)
    else:
        entry = _count_pairs_by(index_to_adjust(name)[0])
    for side in (P, Q):
        if entry.takes and side.word not in entry.takes:
            others = [
                other.name for other in PAIR_INDICES.values() if not other.takes or side.word in other.takes
            ]
            if side.word in ("membership", "similarity"):
                others.append("rand and all that count pairs")
            raise ArgumentValueError(
                "index",
                f"must take a {side.word}; {entry.name!r} takes {', '.join(entry.takes)}."
                f" Others: {', '.join(others)}.",
            )
    return entry


def _count_pairs_by(entry: Index) -> PairIndex:
    """An index of the catalogue that counts pairs, or is defined for other kinds too."""
    if entry.name in NAMED:
        return NAMED[entry.name]
    if entry.needs != "pairs" or entry.with_totals:
        raise ArgumentValueError(
            "index",
            f"must count pairs, be a function of two clusterings, or one of {', '.join(PAIR_INDICES)}, for"
            f" clusterings that are no labels; got {entry.name!r}.",
        )
    return pair_counting(entry)
