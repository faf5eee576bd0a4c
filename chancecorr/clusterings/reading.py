"""Two clusterings read: labels unless a class says otherwise, or communities overlap.

This is the door of every function that compares two clusterings of any kind. Labels of all kinds become a
`LabelPair`, from which a contingency table is made; other clusterings say by their class what they are.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from chancecorr.clusterings.biclusters import Biclusters
from chancecorr.clusterings.clustering import Clustering, Partition, Similarity
from chancecorr.clusterings.membership import Cover, Membership, sort_objects
from chancecorr.clusterings.tree import Tree
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.tables.crosstab import number_labels
from chancecorr.tables.labels import check_indexes, list_communities, order_by_objects, read_vector
from chancecorr.tables.objects import read_partition
from chancecorr.tables.reading import LabelPair, Missing, NoiseOfSides, read_label_pair

KINDS = (Partition, Membership, Cover, Tree, Similarity)
"""All kinds of clusterings of objects."""


def as_partitions(pair: LabelPair) -> tuple[Partition, Partition]:
    """Labels of two clusterings as clusterings that say of each pair of objects whether it is together."""
    first, second = pair.codes
    return Partition(number_labels(first)[0]), Partition(number_labels(second)[0])


def read_clusterings(
    labels_true: Any,
    labels_pred: Any,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
    names: tuple[str, str] = ("labels_true", "labels_pred"),
) -> LabelPair | tuple[Clustering, Clustering] | tuple[Biclusters, Biclusters]:
    """Both clusterings, of the same objects in the same order: as labels, unless one is of another kind.

    Communities of both sides are read as a `Cover` if those of one overlap. Beside clusterings of the classes
    in `KINDS` labels become a `Partition`; `Biclusters` are not matched here.
    """
    sides = [labels_true, labels_pred]
    if any(map(have_overlap, sides)):
        for k, communities in enumerate(map(list_communities, sides)):
            if communities is not None:
                sides[k] = Cover(communities[0], names[k], origin=communities[1])
    if not any(isinstance(side, (*KINDS, Biclusters)) for side in sides):
        pair = read_label_pair(*sides, noise=noise, missing=missing, names=names)
        return pair if pair.codes[0].size else pair.refuse_no_objects()
    for keyword, value, default in (("noise", noise, None), ("missing", missing, "raise")):
        if not (value is default or (isinstance(value, str) and value == default)):
            raise ArgumentValueError(keyword, "must be left out for clusterings that are no labels.")
    if any(isinstance(side, Biclusters) for side in sides):
        return labels_true, labels_pred
    P, Q = _match_sides(names, sides)
    if P.n != Q.n:
        raise ArgumentValueError(
            names[1], f"must have as many objects as `{names[0]}`; got {Q.n} and {P.n}.", names[0]
        )
    if not all(isinstance(side, KINDS) for side in sides):  # these have no index
        check_indexes(names[0], sides[0], names[1], sides[1])
    return P, Q


def have_overlap(side: Any) -> bool:
    """Whether these are communities, no more than their objects, of which one is in two of them."""
    communities, _ = list_communities(side) or (None, "")
    if communities is None:
        return False
    return len(communities) <= len(set().union(*communities)) < sum(map(len, communities))


def _match_sides(names: tuple[str, str], unmatched: Sequence[Any]) -> list[Any]:
    """Clusterings of any kind, in the order of the objects that both name.

    A cover may leave out objects that the other side names, but not a tree.
    """
    sides: list[Any] = []
    if any(getattr(side, "objects", None) is not None for side in unmatched):
        unmatched = [_name_objects(side) for side in unmatched]
    for name, side in zip(names, unmatched, strict=True):
        vector = side if isinstance(side, KINDS) else read_vector(name, side)[0]
        is_read = isinstance(vector, (*KINDS, dict))
        sides.append(vector if is_read else Partition(read_partition(name, side)[0]))
    named = [tuple(side) if isinstance(side, dict) else getattr(side, "objects", None) for side in sides]
    without = [side for side, objects in zip(sides, named, strict=True) if objects is None]
    objects: Sequence[Any] = sort_objects(key for of_side in named for key in of_side or ())
    if without:
        objects = range(without[0].n)
    for k, (name, side) in enumerate(zip(names, sides, strict=True)):
        if isinstance(side, dict):
            ordered = order_by_objects(name, side, objects, names[1 - k])
            sides[k] = Partition(read_partition(name, ordered)[0])
        elif isinstance(side, Tree) and named[k] is not None:
            places = dict(zip(side.objects, range(side.n), strict=True))
            sides[k] = side.part(np.array(order_by_objects(name, places, objects, names[1 - k])))
        elif named[k] is not None and named[k] != tuple(objects):
            rows = {} if without else dict.fromkeys(objects, np.zeros(side.rows.shape[1]))
            rows |= dict(zip(side.objects, side.rows, strict=True))
            ordered = order_by_objects(name, rows, objects, names[1 - k])
            sides[k] = replace(side, rows=np.reshape(ordered, (-1, side.rows.shape[1])))
    return sides


def _name_objects(side: Any) -> Any:
    """A Series of pandas as a mapping from its index, if this names each object once; others as they are."""
    is_series = hasattr(side, "items") and hasattr(side, "index") and hasattr(side.index, "is_unique")
    return dict(side.items()) if is_series and side.index.is_unique and not hasattr(side, "columns") else side
