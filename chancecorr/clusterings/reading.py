"""Two clusterings read: labels unless a class says otherwise.

This is the door of every function that compares two clusterings of any kind. Labels of all kinds become a
`LabelPair`, from which a contingency table is made; other clusterings say by their class what they are.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from chancecorr.clusterings.biclusters import Biclusters
from chancecorr.clusterings.clustering import Clustering, Partition, Similarity
from chancecorr.clusterings.membership import Cover, Membership, sort_objects
from chancecorr.clusterings.tree import Tree
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.tables.crosstab import number_labels
from chancecorr.tables.labels import check_indexes, read_vector
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

    Beside clusterings of the classes in `KINDS` labels become a `Partition`; `Biclusters` are not matched
    here.
    """
    both = labels_true, labels_pred
    sides = [
        side if isinstance(side, KINDS) else _read_cover(name, side)
        for name, side in zip(names, both, strict=True)
    ]
    if not any(isinstance(side, (*KINDS, Biclusters)) for side in sides):
        return read_label_pair(*sides, noise=noise, missing=missing, names=names)
    for keyword, value, default in (("noise", noise, None), ("missing", missing, "raise")):
        if not (value is default or (isinstance(value, str) and value == default)):
            raise ArgumentValueError(keyword, "must be left out for clusterings that are no labels.")
    if any(isinstance(side, Biclusters) for side in sides):
        return labels_true, labels_pred
    P, Q = (
        side if isinstance(side, KINDS) else Partition(read_partition(name, side)[0])
        for name, side in zip(names, _match_sides(names, sides), strict=True)
    )
    if P.n != Q.n:
        raise ArgumentValueError(
            names[1], f"must have as many objects as `{names[0]}`; got {Q.n} and {P.n}.", names[0]
        )
    alike = all(isinstance(side, KINDS) for side in both)  # these have no index
    if not alike:
        check_indexes(names[0], labels_true, names[1], labels_pred)
    return P, Q


def _read_cover(name: str, side: Any) -> Any:
    """Clusterings of other libraries whose clusters overlap as covers; everything else as it is."""
    if hasattr(side, "elm2clu_dict") and not side.is_hierarchical:  # a clustering of clusim
        sets = [set(members) for members in side.to_cluster_list()]
    elif type(side).__name__ == "VertexCover":  # of igraph
        sets = [set(members) for members in side]
    else:
        return side
    return Cover(sets, name) if sum(map(len, sets)) > len(set().union(*sets)) else side


def _match_sides(names: Sequence[str], unmatched: Sequence[Any]) -> list[Any]:
    """Sides of which one at least is no label vector, in the order of the objects that both name."""
    sides = [
        side if isinstance(side, KINDS) else read_vector(name, side)[0]
        for name, side in zip(names, unmatched, strict=True)
    ]
    named = [tuple(side) if isinstance(side, dict) else getattr(side, "objects", None) for side in sides]
    if named == [None, None]:
        return sides
    without = next((side for side, objects in zip(sides, named, strict=True) if objects is None), None)
    if without is None:
        objects: Sequence[Any] = sort_objects(key for of_side in named for key in of_side or ())
    else:
        objects = range(without.n if isinstance(without, KINDS) else len(without))
    return [
        side if own is None else _order_side(name, side, own, objects, without is not None)
        for name, side, own in zip(names, sides, named, strict=True)
    ]


def _order_side(name: str, side: Any, own: Sequence[Any], objects: Sequence[Any], by_position: bool) -> Any:
    """Labels, or a cover that may leave some out, of named objects, in the order of the objects."""
    place, among = {key: k for k, key in enumerate(own)}, set(objects)
    others = [key for key in own if key not in among]
    lost = [key for key in objects if key not in place]
    if others or (lost and (by_position or isinstance(side, dict))):
        got = f"{others[0]!r}, which the other side has not" if others else f"none for {lost[0]!r}"
        if by_position:
            got += ". It has no names: they are positions, 0 to n - 1. Pass it as {object: label} or sets"
        raise ArgumentValueError(name, f"must be of the objects of the other side; got {got}.")
    if isinstance(side, dict):
        return [side[key] for key in objects]
    if list(own) == list(objects):
        return side
    rows = np.zeros((len(objects), side.rows.shape[1]))
    rows[[k for k, key in enumerate(objects) if key in place]] = side.rows[
        [place[key] for key in objects if key in place]
    ]
    return Cover(rows, side.name)
