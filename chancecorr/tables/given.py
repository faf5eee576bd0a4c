"""Clusterings that are no label vectors: communities, mappings, estimators, arrays of other libraries.

Communities and mappings name their objects; sides that do are matched by these names.
"""

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.tables.dataframes import columns_of

Keyed = dict[Hashable, Any]
"""Label of each object by its name."""


def label_vectors(sides: Sequence[tuple[str, Any]]) -> list[Any]:
    """Labels of each side, of the same objects in the same order, from what it was given as."""
    read = [_read(name, labels) for name, labels in sides]
    names = [name for name, _ in sides]
    if not any(isinstance(each, dict) for each in read):
        return read
    objects, reference = _objects(names, read)
    return [
        _in_order(name, each, objects, reference) if isinstance(each, dict) else each
        for name, each in zip(names, read, strict=True)
    ]


def _read(name: str, given: Any) -> Any:
    """Labels by object where these are named, else as given, in memory and one-dimensional if they can be."""
    if isinstance(given, np.ndarray) and given.ndim == 1:
        return given
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, list | tuple) and given and all(isinstance(each, AbstractSet) for each in given):
        return _of_communities(name, given)
    if hasattr(given, "elm2clu_dict"):  # a clustering of clusim
        if given.is_hierarchical:
            raise ArgumentValueError(
                name, "must have no hierarchy; got one of clusim. Pass a linkage of SciPy."
            )
        return _of_communities(name, [set(members) for members in given.to_cluster_list()])
    kind = type(given).__name__
    if kind in ("VertexClustering", "VertexCover") and hasattr(given, "membership"):  # of igraph
        if kind == "VertexCover":
            raise _overlapping(name, "a VertexCover")
        return given.membership
    if hasattr(given, "labels_") and hasattr(given, "fit"):
        return given.labels_
    library = type(given).__module__.partition(".")[0]
    if library == "torch":
        given = given.detach().cpu().numpy()
    elif library == "cupy":
        given = given.get()
    elif hasattr(given, "__dlpack__") and not hasattr(given, "__array__"):  # of the array API
        given = np.from_dlpack(given)
    if (columns := columns_of(given)) and len(columns) == 1:
        return columns[0][1]
    if not isinstance(given, np.ndarray) or given.ndim != 2:
        return given
    if given.shape[1] == 1:
        return given[:, 0]
    raise ArgumentValueError(
        name,
        f"must be one-dimensional; got shape {given.shape}. `adjust` takes memberships and other matrices.",
    )


def _of_communities(name: str, communities: Sequence[AbstractSet[Hashable]]) -> Keyed:
    """Number of the community of each object, none of which may be in two."""
    found: Keyed = {}
    for k, members in enumerate(communities):
        for each in members:
            if each in found:
                raise _overlapping(name, f"{each!r} in sets {found[each]} and {k}")
            found[each] = k
    return found


def _overlapping(name: str, found: str) -> ArgumentValueError:
    """Error of clusters that share objects."""
    return ArgumentValueError(
        name,
        f"must have every object in one cluster; got {found}. `adjust` takes clusters that overlap.",
    )


def _objects(names: Sequence[str], read: Sequence[Any]) -> tuple[Sequence[Hashable], str]:
    """Objects in their order and the side that has it: that of a label vector, else of the first mapping."""
    for name, each in zip(names, read, strict=True):
        if not isinstance(each, dict):
            if not hasattr(each, "__len__"):
                raise ArgumentTypeError(name, f"must have a length; got {type(each).__name__}.")
            return range(len(each)), name
    return tuple(read[0]), names[0]


def _in_order(name: str, labels: Keyed, objects: Sequence[Hashable], reference: str) -> list[Any]:
    """Labels in the order of the objects, which must be those that the labels are of."""
    known = set(objects)
    more = [each for each in labels if each not in known]
    fewer = [each for each in objects if each not in labels]
    if not (more or fewer):
        return [labels[each] for each in objects]
    found = [f"{len(more):,} more, as {more[0]!r}"] if more else []
    found += [f"{len(fewer):,} fewer, as {fewer[0]!r}"] if fewer else []
    rule = f"must name the objects of `{reference}`"
    if isinstance(objects, range):
        rule += f", which are 0 to {len(objects) - 1} by their positions"
    raise ArgumentValueError(name, f"{rule}; got {', and '.join(found)}.", reference)
