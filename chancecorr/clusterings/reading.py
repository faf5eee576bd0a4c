"""Read two clusterings: as labels, as overlapping communities, or as the class that the user passed.

Every function that compares two clusterings of any kind reads them here. Two sides with labels can be counted
in a contingency table; other clusterings are recognised by their class, which says the rest.
"""

from collections.abc import Sequence
from typing import Any, get_args

import numpy as np

from chancecorr.clusterings.clustering import Clustering, Kind, Partition
from chancecorr.clusterings.membership import Cover
from chancecorr.clusterings.segments_of_time import Durations, refuse_silence
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, check_choice
from chancecorr.tables.crosstab import number_labels
from chancecorr.tables.inputs import Input, read_inputs
from chancecorr.tables.names import ObjectNames, match_sides, sort_objects
from chancecorr.tables.objects import number_parts
from chancecorr.tables.reading import Missing, NoiseOfSides, Pair, encode_inputs, make_pair


def read_clusterings(
    labels_true: Any,
    labels_pred: Any,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
    names: tuple[str, str] = ("labels_true", "labels_pred"),
    weights: Any = None,
) -> Pair:
    """Read two clusterings of the same objects in the same order: as labels, or as the classes of the sides.

    If the communities of one side overlap, communities of both sides are read as a `Cover`. If one side is of
    a class for a `Kind`, labels of the other side become a `Partition`. If the weights are durations, an
    error about missing labels says for how much time they are missing.
    """
    called = list(zip(names, (labels_true, labels_pred), strict=True))
    sides = read_inputs(called, (Kind,), weighted=weights is not None)
    if any(isinstance(side, Input) and side.communities and side.has_overlap for side in sides):
        sides = [
            Cover(side.communities, name, origin=side.origin)
            if isinstance(side, Input) and side.communities is not None
            else side
            for name, side in zip(names, sides, strict=True)
        ]
    if all(isinstance(side, Input) for side in sides):
        if missing == "raise" and isinstance(weights, Durations):
            refuse_silence(names, [side.labels for side in sides], weights)
        pair = make_pair(names, sides, noise, missing)
        if not pair.sides[0].codes.size:
            _refuse_no_objects(names, pair)
        return pair
    if noise is not None:
        raise ArgumentValueError("noise", "is only available for labels.")
    check_choice("missing", missing, get_args(Missing))
    if missing != "raise" and not any(isinstance(x, Clustering) and x.may_lack_objects for x in sides):
        raise ArgumentValueError("missing", "is only available for labels and covers.")
    of_matrix = [isinstance(side, Kind) and not side.has_objects for side in sides]
    if not any(of_matrix):
        pair = _match_sides(names, sides)
        return pair if missing == "raise" else _place_missing(names, pair, missing)
    if not all(of_matrix):
        k = of_matrix.index(False)
        given, kind = (labels_true, labels_pred)[k], type(sides[not k]).__name__
        got = "labels" if isinstance(given, Input) else type(given).__name__
        raise ArgumentTypeError(names[k], f"must be {kind}, as the other side is; got {got}.")
    return Pair((sides[0], sides[1]), ObjectNames(range(0)))


def as_partitions(pair: Pair) -> Pair:
    """Convert a pair of labels to two `Partition` objects."""
    first, second = (Partition(number_labels(side.codes)[0]) for side in pair.sides)
    return pair._replace(sides=(first, second))


def _refuse_no_objects(names: tuple[str, str], pair: Pair) -> None:
    """Raise, because no object is left."""
    if not len(pair.objects):
        raise ArgumentValueError(names[0], "must hold at least one label; got none.")
    raise ArgumentValueError(
        names[0],
        f"must share an object with `{names[1]}` that has a label and is not dropped as noise; got none.",
        names[1],
    )


def _place_missing(names: tuple[str, str], pair: Pair, missing: Missing) -> Pair:
    """Leave out objects that are in no cluster of a side, or give each of them a separate cluster."""
    kept = np.ones(pair.sides[0].n, dtype=np.bool_)
    for side in pair.sides if missing == "drop" else ():
        kept &= side.find_clustered()
    if not kept.any():
        _refuse_no_objects(names, pair)
    first, second = (side.place_missing(missing, kept) for side in pair.sides)
    return Pair((first, second), pair.objects, None if kept.all() else kept)


def _match_sides(names: tuple[str, str], given: Sequence[Any]) -> Pair:
    """Match clusterings of any kind by the names of objects, and put them in one order."""
    sides, own = [], []
    for name, side in zip(names, given, strict=True):
        if isinstance(side, Input):
            (labels,), objects = encode_inputs([name], [side])
            sides.append(Partition(number_parts(name, labels)[0]))
            own.append(objects.own)
        else:
            sides.append(side)
            own.append(side.objects)
    objects = ObjectNames(range(sides[0].n))
    if any(names_of is not None for names_of in own):
        n_plain = next((side.n for side, names_of in zip(sides, own, strict=True) if names_of is None), 0)
        may_lack = [side.may_lack_objects for side in sides]
        objects, places = match_sides(names, own, n_plain, merge=sort_objects, may_lack=may_lack)
        sides = [
            side if places_of is None else side.part(places_of)
            for side, places_of in zip(sides, places, strict=True)
        ]
    P, Q = sides
    if P.n != Q.n:
        ways = P.explain_size(Q.n).format(name=names[0]), Q.explain_size(P.n).format(name=names[1])
        text = f"must have as many objects as `{names[0]}`; got {Q.n} and {P.n}. {ways[0] or ways[1]}".strip()
        raise ArgumentValueError(names[1], text, names[0])
    return Pair((P, Q), objects)
