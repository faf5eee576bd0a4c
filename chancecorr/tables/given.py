"""Clusterings that are no label vectors: communities, mappings, estimators, arrays of other libraries.

Communities and mappings name their objects; sides that do are matched by these names.
"""

from collections.abc import Hashable, KeysView, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.tables.dataframes import columns_of
from chancecorr.tables.labels import is_hashable, with_article

Keyed = dict[Hashable, Any]
"""Label of each object by its name."""

GROUPS = list, tuple, AbstractSet, np.ndarray, range
"""Types of what may be a group of objects, or a row of numbers."""


def label_vectors(sides: Sequence[tuple[str, Any]]) -> list[Any]:
    """Labels of each side, of the same objects in the same order, from what it was given as."""
    read = [read_side(name, labels) for name, labels in sides]
    names = [name for name, _ in sides]
    if not any(isinstance(each, dict) for each in read):
        return read
    objects, reference = _objects(names, read)
    return [
        _in_order(name, each, objects, reference) if isinstance(each, dict) else each
        for name, each in zip(names, read, strict=True)
    ]


def read_side(name: str, given: Any) -> Any:
    """Labels by object where these are named, else as given, in memory and one-dimensional if they can be."""
    if isinstance(given, np.ndarray) and given.ndim == 1 and given.dtype.kind != "O":
        return given
    if isinstance(given, Mapping):
        return _refuse_groups(name, dict(given))
    if isinstance(given, list | tuple) and given and all(isinstance(each, AbstractSet) for each in given):
        return _of_communities(name, given)
    if hasattr(given, "elm2clu_dict"):  # a clustering of clusim
        if given.is_hierarchical:
            raise ArgumentValueError(
                name,
                "must have no hierarchy; got one of clusim. Pass a linkage of SciPy as `Tree` to `adjust`.",
            )
        return _of_communities(name, [set(members) for members in given.to_cluster_list()])
    kind = type(given).__name__
    if kind == "VertexDendrogram":  # of igraph
        raise ArgumentTypeError(name, f"must be labels; got a {kind}. Pass its `.as_clustering()`.")
    if kind in ("VertexClustering", "VertexCover") and hasattr(given, "membership"):
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
    shape: Any = getattr(given, "shape", ())
    if len(shape) > 1:
        if isinstance(given, np.ndarray) and shape[1:] == (1,):
            return given[:, 0]
        raise _two_dimensional(name, f"shape {tuple(shape)}")
    return _refuse_groups(name, given)


def _refuse_groups(name: str, given: Any) -> Any:
    """Labels as given, or from a column in a list; groups of objects and rows of numbers are refused."""
    is_list, is_view = isinstance(given, list | tuple), isinstance(given, ValuesView | KeysView)
    if not (
        is_list or is_view or isinstance(given, dict) or getattr(given, "dtype", None) == np.dtype(object)
    ):
        return given
    labels = given.values() if isinstance(given, dict) else given
    first = next(iter(labels), None)
    if not isinstance(first, GROUPS) or not all(isinstance(each, GROUPS) for each in labels):
        return list(given) if is_view else given
    if isinstance(first, list | np.ndarray) and is_list:
        column = [each[0] for each in given if getattr(each, "ndim", 1) == 1 == len(each)]
        if len(column) == len(given) and not any(isinstance(each, GROUPS) for each in column):
            return column
        raise _two_dimensional(name, "nested lists")
    if isinstance(first, tuple) and not _are_groups(list(labels)):
        return given
    if isinstance(given, dict):
        way = "[set(c) for c in communities.values()]` for {community: members}; for {object: communities}"
    else:
        way = "[set(c) for c in communities]` for communities; where they overlap,"
    raise ArgumentTypeError(
        name,
        f"must hold one label for each object; got {with_article(first)} first. Pass `{way} `Cover` of such"
        " sets, or of 0 and 1, to `adjust`.",
    )


def _are_groups(tuples: list[Any]) -> bool:
    """Whether these are tuples of objects: all different, of one type, apart or of several sizes."""
    if len(tuples) < 2 or not all(map(is_hashable, tuples)):
        return False
    members, sizes = [each for group in tuples for each in group], set(map(len, tuples))
    once = len(set(tuples)) == len(tuples) and all(len(set(group)) == len(group) for group in tuples)
    alike = len(set(map(type, members))) == 1 and sizes != {1}
    return once and alike and (len(sizes) > 1 or len(set(members)) == len(members))


def _two_dimensional(name: str, got: str) -> ArgumentValueError:
    """Error of what may be an image, counts, communities, memberships, a tree or similarities."""
    return ArgumentValueError(
        name,
        f"must be one-dimensional; got {got}. Pass an image as `.ravel()`, communities as `[set(c) for c in"
        " communities]`, counts to `adjust_table`; to `adjust` anything else as `Membership`, `Cover`, `Tree`"
        " or `Similarity`.",
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
        f"must have every object in one cluster; got {found}. Pass clusters that overlap to `adjust` as"
        " `Cover([set(c) for c in clusters])`.",
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
