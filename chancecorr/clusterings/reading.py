"""What a person gives, recognised as a clustering of some kind."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.clusterings.biclusters import Biclusters
from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.cover import Cover, is_sets, objects_of, rows_of_sets
from chancecorr.clusterings.membership import Membership
from chancecorr.clusterings.partition import Partition
from chancecorr.clusterings.similarity import Similarity
from chancecorr.clusterings.tiles import FLOAT32_ROUNDING, label_codes
from chancecorr.clusterings.tree import Tree, is_linkage
from chancecorr.tables.dataframes import index_difference
from chancecorr.tables.given import label_vectors
from chancecorr.tables.labels import with_article

KINDS = (Partition, Membership, Cover, Tree, Similarity)
"""All kinds of clusterings."""


def read_clusterings(names: tuple[str, str], given: tuple[Any, Any]) -> tuple[Clustering, Clustering]:
    """Both clusterings, of the same objects in the same order."""
    first, second = _with_objects_matched(names, [_as_sets(each) for each in given])
    P, Q = _read(names[0], first), _read(names[1], second)
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
    """Whether this is no label vector, nor anything else that `contingency_table` reads as labels."""
    if isinstance(given, (*KINDS, Biclusters)):
        return True
    if (hasattr(given, "shape") and hasattr(given, "dtype")) or hasattr(given, "columns"):
        return len(given.shape) == 2 and given.shape[1] != 1
    if isinstance(given, list | tuple) and given and isinstance(given[0], list | np.ndarray):
        return True
    sets = _as_sets(given)
    return is_sets(sets) and sum(map(len, sets)) > len(set().union(*sets))


def _as_sets(given: Any) -> Any:
    """Clusters of other libraries that may overlap as sets of objects; everything else as it is."""
    if hasattr(given, "elm2clu_dict") and not given.is_hierarchical:  # a clustering of clusim
        return [set(members) for members in given.to_cluster_list()]
    if type(given).__name__ == "VertexCover":  # of igraph
        return [set(members) for members in given]
    return given


def _with_objects_matched(names: Sequence[str], given: list[Any]) -> list[Any]:
    """Sets and mappings as rows and labels of the objects that both sides name."""
    if not any(map(is_sets, given)):
        return list(label_vectors(list(zip(names, given, strict=True)))) if _named(given) else given
    sizes = [None if is_sets(each) or isinstance(each, Mapping) else _length(each) for each in given]
    numbered = next((n for n in sizes if n is not None), None)
    if numbered is None:
        sides = [objects_of([set(each)] if isinstance(each, Mapping) else each) for each in given]
        objects = objects_of([set(sides[0]), set(sides[1])])
    else:
        objects = list(range(numbered))
    return [_rows(name, each, objects) for name, each in zip(names, given, strict=True)]


def _named(given: Sequence[Any]) -> bool:
    """Whether a side is a mapping from object to label."""
    return any(isinstance(each, Mapping) for each in given)


def _length(given: Any) -> int:
    """Number of objects of a side that does not name them."""
    return int(given.n if isinstance(given, KINDS) else len(given))


def _rows(name: str, given: Any, objects: Sequence[Any]) -> Any:
    """Rows of 0 and 1 of a cover by sets, labels of a mapping, in the order of the objects."""
    if not (is_sets(given) or isinstance(given, Mapping)):
        return given
    known = set(objects)
    members = set(given) if isinstance(given, Mapping) else set().union(*given)
    others = members - known
    lost = known - members if isinstance(given, Mapping) else set()
    if others or lost:
        which = next(iter(others or lost))
        found = f"{which!r}, which the other side has not" if others else f"none for {which!r}"
        raise ArgumentValueError(name, f"must be of the objects of the other side; got {found}.")
    if isinstance(given, Mapping):
        return [given[each] for each in objects]
    return Cover(rows_of_sets(given, objects), name)


def _read(name: str, given: Any) -> Clustering:
    """One side, recognised by its type and its numbers."""
    if isinstance(given, KINDS):
        return given
    if not is_another_kind(given):
        return Partition(label_codes(name, given))
    values = given.toarray() if hasattr(given, "toarray") else given
    lazy = hasattr(values, "shape") and hasattr(values, "dtype") and not isinstance(values, np.ndarray)
    if lazy and values.shape[0] == values.shape[1]:
        return Similarity(values, name=name)
    try:
        array = np.asarray(values)
    except ValueError:
        raise ArgumentValueError(
            name, "must have rows of one length; got rows of different lengths."
        ) from None
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise ArgumentValueError(
            name, f"must be labels, or a matrix of numbers; got {with_article(given)} of {array.dtype}."
        )
    return _of_matrix(name, array.astype(np.float64) if array.dtype.kind == "b" else array)


def _of_matrix(name: str, array: Any) -> Clustering:
    """A matrix, by its shape and numbers: a linkage, similarities, distances, memberships or a cover."""
    if is_linkage(array):
        return Tree(array, name)
    in_pairs = array.shape[0] == array.shape[1] and np.allclose(array, array.T, atol=FLOAT32_ROUNDING)
    diagonal = array.diagonal() if in_pairs else np.zeros(0)
    if in_pairs and (diagonal == 1.0).all():
        return Similarity(array, name=name)
    if in_pairs and (diagonal == 0.0).all() and array.any():
        return Similarity(array, distance=True, name=name)
    if np.isin(array, (0.0, 1.0)).all():
        in_one = (array.sum(axis=1) == 1.0).all()
        return Partition(label_codes(name, array.argmax(axis=1))) if in_one else Cover(array, name)
    if (np.abs(array.sum(axis=1) - 1.0) <= FLOAT32_ROUNDING).all() or not in_pairs:
        return Membership(array, name)
    raise ArgumentValueError(
        name,
        "must say what it is where its numbers do not: `Membership`, `Cover`, `Tree` or `Similarity` around"
        f" it; got a symmetric matrix of shape {array.shape} with other numbers than 0 or 1 on its diagonal.",
    )
