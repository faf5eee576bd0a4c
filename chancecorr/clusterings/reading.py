"""What a person gives as two clusterings: by class what it is, and everything else as labels."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.clusterings.biclusters import Biclusters
from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.cover import Cover, sort_objects
from chancecorr.clusterings.membership import Membership
from chancecorr.clusterings.partition import Partition
from chancecorr.clusterings.similarity import Similarity
from chancecorr.clusterings.tiles import label_codes
from chancecorr.clusterings.tree import Tree
from chancecorr.tables.dataframes import index_difference
from chancecorr.tables.labels import label_vectors, read_side

KINDS = (Partition, Membership, Cover, Tree, Similarity)
"""All kinds of clusterings."""


def read_clusterings(names: tuple[str, str], given: tuple[Any, Any]) -> tuple[Clustering, Clustering]:
    """Both clusterings, of the same objects in the same order."""
    sides = [_as_cover(name, each) for name, each in zip(names, given, strict=True)]
    if any(isinstance(each, KINDS) for each in sides):
        sides = _matched(names, sides)
    else:
        sides = label_vectors(list(zip(names, sides, strict=True)))
    P, Q = (
        each if isinstance(each, KINDS) else Partition(label_codes(name, each))
        for name, each in zip(names, sides, strict=True)
    )
    if P.n != Q.n:
        raise ArgumentValueError(
            names[1], f"must have as many objects as `{names[0]}`; got {Q.n} and {P.n}.", names[0]
        )
    if difference := index_difference(*given):
        raise ArgumentValueError(
            names[1],
            f"must have the index of `{names[0]}`; got {difference}. Match the objects, or pass arrays.",
            names[0],
        )
    return P, Q


def is_another_kind(given: Any) -> bool:
    """Whether this says that it is no label vector."""
    return isinstance(_as_cover("", given), (*KINDS, Biclusters))


def _as_cover(name: str, given: Any) -> Any:
    """Clusterings of other libraries whose clusters overlap as covers; everything else as it is."""
    clusters: Any = None
    if hasattr(given, "elm2clu_dict") and not given.is_hierarchical:  # a clustering of clusim
        clusters = given.to_cluster_list()
    elif type(given).__name__ == "VertexCover":  # of igraph
        clusters = given
    if clusters is None:
        return given
    sets = [set(members) for members in clusters]
    overlap = sum(map(len, sets)) > len(set().union(*sets))
    return Cover(sets, name) if overlap else sets  # read by the class


def _matched(names: Sequence[str], given: Sequence[Any]) -> list[Any]:
    """Sides of which one at least is no label vector, in the order of the objects that both name."""
    sides = [
        each if isinstance(each, KINDS) else read_side(name, each)
        for name, each in zip(names, given, strict=True)
    ]
    named = [tuple(each) if isinstance(each, dict) else getattr(each, "objects", None) for each in sides]
    if named == [None, None]:
        return sides
    without = next((each for each, objects in zip(sides, named, strict=True) if objects is None), None)
    if without is None:
        objects: Sequence[Any] = sort_objects(each for of_side in named for each in of_side or ())
    else:
        objects = range(without.n if isinstance(without, KINDS) else len(without))
    return [
        side if own is None else _in_order(name, side, own, objects, without is not None)
        for name, side, own in zip(names, sides, named, strict=True)
    ]


def _in_order(name: str, side: Any, own: Sequence[Any], objects: Sequence[Any], by_position: bool) -> Any:
    """Labels, or a cover that may leave some out, of named objects, in the order of the objects."""
    place = {each: k for k, each in enumerate(own)}
    known = set(objects)
    others = [each for each in own if each not in known]
    lost = [each for each in objects if each not in place]
    if others or (lost and (by_position or isinstance(side, dict))):
        got = f"{others[0]!r}, which the other side has not" if others else f"none for {lost[0]!r}"
        if by_position:
            got += ". It has no names: they are positions, 0 to n - 1. Pass it as {object: label} or sets"
        raise ArgumentValueError(name, f"must be of the objects of the other side; got {got}.")
    if isinstance(side, dict):
        return [side[each] for each in objects]
    rows = np.zeros((len(objects), side.rows.shape[1]))
    rows[[k for k, each in enumerate(objects) if each in place]] = side.rows[
        [place[each] for each in objects if each in place]
    ]
    return Cover(rows, side.name)
