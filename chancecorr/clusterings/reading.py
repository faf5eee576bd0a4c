"""Read two clusterings: as labels, as overlapping communities, or as the class that the user passed.

Every function that compares two clusterings of any kind reads them here. Labels of all kinds become a
`LabelPair`, from which a contingency table is made; other clusterings are recognised by their class.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from chancecorr.clusterings.biclusters import Biclusters
from chancecorr.clusterings.clustering import Partition, Similarity
from chancecorr.clusterings.membership import Cover, Membership
from chancecorr.clusterings.tree import Tree
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Booleans
from chancecorr.tables.crosstab import number_labels
from chancecorr.tables.labels import list_communities, order_by_objects, read_vector
from chancecorr.tables.names import (
    ObjectNames,
    find_index,
    is_counting,
    match_names,
    refuse_few_shared,
    sort_objects,
)
from chancecorr.tables.objects import read_partition
from chancecorr.tables.reading import LabelPair, Missing, NoiseOfSides, read_label_pair

KINDS = (Partition, Membership, Cover, Tree, Similarity)
"""All kinds of clusterings of objects."""


class MatchedClusterings(tuple[Any, Any]):
    """Two clusterings of the same objects in one order, with the names and the mask of kept objects."""

    objects: ObjectNames
    kept: Booleans | None

    def __new__(
        cls, sides: Iterable[Any], objects: ObjectNames, kept: Booleans | None = None
    ) -> "MatchedClusterings":
        """Make the pair."""
        pair = super().__new__(cls, sides)
        pair.objects, pair.kept = objects, kept
        return pair

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Pickle with the names."""
        return tuple(self), self.objects, self.kept


def as_partitions(pair: LabelPair) -> MatchedClusterings:
    """Convert a pair of labels to two `Partition` objects."""
    sides = (Partition(number_labels(codes)[0]) for codes in pair.codes)
    return MatchedClusterings(sides, pair.objects, pair.kept)


def read_clusterings(
    labels_true: Any,
    labels_pred: Any,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
    names: tuple[str, str] = ("labels_true", "labels_pred"),
) -> LabelPair | MatchedClusterings | tuple[Biclusters, Biclusters]:
    """Read two clusterings of the same objects in the same order: as labels, or as clusterings of `KINDS`.

    If the communities of one side overlap, communities of both sides are read as a `Cover`. If one side is of
    a class in `KINDS`, labels of the other side become a `Partition`. `Biclusters` are not matched here.
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
            raise ArgumentValueError(keyword, "is only available for labels.")
    if any(isinstance(side, Biclusters) for side in sides):
        return labels_true, labels_pred
    matched = _match_sides(names, sides)
    P, Q = matched
    if P.n != Q.n:
        turned = [
            name
            for name, side, n in zip(names, matched, (Q.n, P.n), strict=True)
            if isinstance(side, Membership) and side.rows.shape[1] == n
        ]
        way = f" Is `{turned[0]}` transposed? It must have a row for each object." if turned else ""
        text = f"must have as many objects as `{names[0]}`; got {Q.n} and {P.n}.{way}"
        raise ArgumentValueError(names[1], text, names[0])
    return matched


def have_overlap(side: Any) -> bool:
    """Return True if the input is a list of communities and an object is in two of them."""
    communities, _ = list_communities(side) or (None, "")
    if communities is None:
        return False
    return len(communities) <= len(set().union(*communities)) < sum(map(len, communities))


def _match_sides(names: tuple[str, str], given: Sequence[Any]) -> MatchedClusterings:
    """Match clusterings of any kind by the names of objects, and put them in one order.

    A cover may leave out objects that the other side names; a tree may not.
    """
    sides: list[Any] = []
    for name, side in zip(names, given, strict=True):
        vector = side if isinstance(side, KINDS) else read_vector(name, side)[0]
        is_read = isinstance(vector, (*KINDS, dict))
        sides.append(vector if is_read else Partition(read_partition(name, side)[0]))
    named = [_find_names(*both) for both in zip(given, sides, strict=True)]
    if any(isinstance(own, tuple) for own in named):
        return _match_by_names(names, sides, named)
    first = next((k for k, own in enumerate(named) if own is not None), None)
    if first is None:
        return MatchedClusterings(sides, ObjectNames(range(sides[0].n)))
    objects = ObjectNames(named[first], names[first])
    if first == 0 and named[1] is not None and sides[0].n == sides[1].n:
        places = match_names(names[1], named[1], objects)
        if places is not None:
            sides[1], objects = sides[1].part(places), replace(objects, has_order=False)
    return MatchedClusterings(sides, objects)


def _find_names(given: Any, side: Any) -> Any:
    """Return the names of a side's objects: a tuple if they have no order, an index, or None."""
    if isinstance(side, dict):
        return tuple(side)
    if getattr(side, "objects", None) is not None:
        return side.objects
    return getattr(side, "index", None) if isinstance(given, KINDS) else find_index(given)


def _match_by_names(names: tuple[str, str], sides: list[Any], named: list[Any]) -> MatchedClusterings:
    """Match two sides if at least one of them names its objects without an order."""
    for k, own in enumerate(named):
        if not isinstance(own, tuple | None) and own.is_unique:
            named[k] = None if is_counting(own) else tuple(own)
    without = [side for side, own in zip(sides, named, strict=True) if own is None]
    objects: Sequence[Any] = sort_objects(key for own in named for key in own or ())
    if not without:
        refuse_few_shared(names[1], named[1], names[0], named[0])
    if without:
        objects = range(without[0].n)
    for k, (name, side, own) in enumerate(zip(names, sides, named, strict=True)):
        others = ObjectNames(objects, names[1 - k])
        if isinstance(side, dict):
            sides[k] = Partition(read_partition(name, order_by_objects(name, side, others))[0])
        elif own is None or own == tuple(objects):
            continue
        elif isinstance(side, Cover):
            rows = {} if without else dict.fromkeys(objects, np.zeros(side.rows.shape[1]))
            rows |= dict(zip(own, side.rows, strict=True))
            ordered = order_by_objects(name, rows, others)
            sides[k] = replace(side, rows=np.reshape(ordered, (-1, side.rows.shape[1])))
        else:
            places = dict(zip(own, range(side.n), strict=True))
            sides[k] = side.part(np.array(order_by_objects(name, places, others)))
    own_names = tuple(objects)
    return MatchedClusterings(sides, ObjectNames(own_names, names[0], has_order=is_counting(own_names)))
