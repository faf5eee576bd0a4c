"""Read what holds one label for each object: a vector of any library, or communities of objects.

`read_input` looks at an argument once. `CONTAINERS` lists all inputs that are recognised, the most special
input first; a new entry is all that another kind of input needs. Sets and mappings name their objects, and so
does an index other than 0 to n - 1; the objects of other inputs are matched by their positions.
"""

from collections.abc import Callable, KeysView, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import numpy as np

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, import_pandas, name_kind
from chancecorr.machine.arrays import AnyArray
from chancecorr.tables.dataframes import list_columns
from chancecorr.tables.labels import is_hashable
from chancecorr.tables.mistakes import (
    explain_shape,
    hold_links,
    hold_scores,
    hold_segments,
    holds_topics,
    is_colour_image,
)
from chancecorr.tables.names import Named, find_index, is_of_xarray, sort_objects

GROUPS = list, tuple, AbstractSet, np.ndarray, range  # types that may be a group of objects, or a row
MANY_CELLS = 10_000  # a larger array is read as an image, not as a table of counts

Called = Sequence[tuple[str, Any]]  # the clusterings of a call with their names


class IntervalLabels(np.ndarray[Any, np.dtype[np.object_]]):
    """Labels of intervals of time, with their durations; arrays made from it are plain labels."""

    durations: Any = None


class Input(NamedTuple):
    """Labels of a clustering as a vector, and the names of its objects."""

    labels: Any  # None for communities, until `number_communities`
    names: Named | None = None  # an index; a tuple if the objects have no order; None if they have no names
    origin: str = ""  # container of the labels, with its article; empty for a vector
    communities: Sequence[set[Any]] | None = None  # members of each community, if these were given
    shape: tuple[int, ...] = ()  # of a label image

    @property
    def has_overlap(self) -> bool:
        """True if an object is in two of the communities."""
        if self.communities is None:
            return False
        members = set[Any]().union(*self.communities)
        return len(self.communities) <= len(members) < sum(map(len, self.communities))


class Container(NamedTuple):
    """A kind of input, with the test for it and its reader."""

    recognises: Callable[[Any], bool]
    read: Callable[[str, Any, Called], Input | None]  # None if it may be something else
    origin: str = ""  # for notes, such as "a mapping"; `kind` is the type with its article


def read_inputs(sides: Called, kinds: tuple[type, ...] = (), *, weighted: bool = False) -> list[Any]:
    """Read the labels of all clusterings of a call; values of `kinds`, and inputs, are returned unchanged.

    Labels of intervals of time are refused without weights.
    """
    read, images = list[Any](), []
    for name, source in sides:
        if isinstance(source, IntervalLabels) and source.durations is not None and not weighted:
            rule = "must not be labels of intervals without their durations: each would count as one object"
            way = "Pass the third value of `segments` as `weights` to `adjust`, `compare` or `score`"
            raise ArgumentValueError(name, f"{rule}. {way}, or labels of samples at equal steps of time.")
        read.append(source if isinstance(source, kinds) else read_input(name, source, sides))
        if read[-1] is not source and read[-1].shape:
            images.append((name, source))
    shapes = {image.shape for _, image in images}
    if images and (len(images) < len(sides) or len(shapes) > 1):
        name, image = images[0]
        raise explain_shape(name, f"shape {image.shape}", image, sides)
    for name, image in images:
        _check_image(name, image)
    return read


def read_input(name: str, source: Any, sides: Called = ()) -> Input:
    """Read labels from any container; `sides` are all clusterings of the call, if there are several."""
    if isinstance(source, Input):
        return source
    if type(source) is np.ndarray and source.ndim == 1 and source.dtype.kind != "O":  # the usual case
        return Input(source)
    for container in CONTAINERS:
        if container.recognises(source):
            read = container.read(name, source, sides)
            if read is not None:
                return read._replace(origin=container.origin.format(kind=name_kind(source)) or read.origin)
    return _read_vector(name, source, sides)


def number_communities(name: str, given: Input) -> Input:
    """Return communities as labels, which number them; raise if an object is in two communities."""
    number_of: dict[Any, int] = {}
    for k, members in enumerate(given.communities or ()):
        for member in members:
            if member in number_of:
                got = f"{member!r} in sets {number_of[member]} and {k}"
                raise ArgumentValueError(
                    name,
                    f"must have every object in one cluster; got {got}."
                    " Pass clusters that overlap to `adjust` as `Cover([set(c) for c in clusters])`.",
                )
            number_of[member] = k
    objects = sort_objects(number_of)  # sets have no order
    return given._replace(labels=[number_of[member] for member in objects], names=tuple(objects))


def _hold_communities(list_members: Callable[[Any], Any]) -> Callable[[str, Any, Called], Input]:
    """Make a reader of containers from a function that lists the members of their communities."""
    return lambda name, source, sides: Input(None, communities=list(map(set, list_members(source))))


def _hold_vector(find_labels: Callable[[Any], Any]) -> Callable[[str, Any, Called], Input]:
    """Make a reader of containers from a function that returns a vector, which is read in its turn."""
    return lambda name, source, sides: read_input(name, find_labels(source), sides)


def _refuse(kind: type[Exception], rule: str) -> Callable[[str, Any, Called], Input]:
    """Make a reader that raises an error, with the type of the input as `kind`."""

    def refuse(name: str, source: Any, sides: Called) -> Input:
        raise kind(name, rule.format(kind=type(source).__name__))

    return refuse


def _sort_sets(sets: AbstractSet[Any]) -> list[Any]:
    """Sort sets, which have no order, by the sorted positions of their members among all members."""
    place = {member: k for k, member in enumerate(sort_objects(member for each in sets for member in each))}
    return sorted(sets, key=lambda members: sorted(place[member] for member in members))


def _hold_groups(source: Any) -> bool:
    """Return True if each entry of a collection may be a group of objects."""
    is_array = getattr(source, "dtype", None) == np.dtype(object) and source.ndim == 1
    if not (is_array or isinstance(source, Mapping | list | tuple | ValuesView)):
        return False
    labels = source.values() if isinstance(source, Mapping) else source
    return _is_group(next(iter(labels), None)) and all(
        _is_group(group) and getattr(group, "ndim", 1) == 1 for group in labels
    )


def _is_group(label: Any) -> bool:
    """Return True if a label may be a group of objects, or a row; an array without dimensions is neither."""
    return isinstance(label, GROUPS) and getattr(label, "ndim", 1) > 0


def _read_groups(name: str, source: Any, sides: Called) -> Input | None:
    """Read groups of objects as communities; return None if they may be labels, or rows of a matrix.

    Lists of one length may be a matrix, and tuples may be labels. Communities must be fewer than their
    members; otherwise the lists of a mapping may be the communities of each object.
    """
    is_mapping = isinstance(source, Mapping)
    labels = source.values() if is_mapping else source
    groups = [group.tolist() if isinstance(group, np.ndarray) else group for group in labels]
    own = _find_own_communities(source, groups)
    if own is not None:
        return Input(None, communities=own, origin="the members of the community of each object")
    if not is_mapping and all(isinstance(group, AbstractSet) for group in groups):
        return Input(None, communities=list(map(set, groups)), origin="sets")
    if holds_topics(groups):
        return None
    members, sizes = [member for group in groups for member in group], set(map(len, groups))
    has_tuples = any(isinstance(group, tuple) for group in groups)
    if (len(sizes) == 1 and (has_tuples or not is_mapping)) or not all(map(is_hashable, members)):
        return None
    sets, n_members = list(map(set, groups)), len(set(members))
    if len(sets) < n_members and sum(map(len, sets)) == len(members):
        origin = "a mapping from communities" if is_mapping else "lists of members"
        return Input(None, communities=sets, origin=origin)
    if not is_mapping or has_tuples or len(sets) <= n_members or 0 in sizes:
        return None
    turned: dict[Any, set[Any]] = {community: set() for community in members}
    for member, community in ((member, x) for member, of_member in source.items() for x in of_member):
        turned[community].add(member)
    return Input(None, communities=list(turned.values()), origin="a mapping to communities")


def _find_own_communities(source: Any, groups: Sequence[Any]) -> list[set[Any]] | None:
    """Return communities that are given as the member set of each object's community, as in networkx.

    The objects are the keys of a mapping, or the positions in a list. None if the sets contradict each other.
    """
    keys = list(source) if isinstance(source, Mapping) else range(len(groups))
    if not all(
        isinstance(group, AbstractSet) and key in group for key, group in zip(keys, groups, strict=True)
    ):
        return None
    distinct = dict.fromkeys(map(frozenset, groups))
    members = [member for group in distinct for member in group]
    is_whole = len(members) == len(keys) and {*members} == {*keys}
    return list(map(set, distinct)) if is_whole and len(distinct) < len(groups) else None


def _read_mapping(name: str, source: Mapping[Any, Any], sides: Called) -> Input:
    """Read a mapping from objects to labels."""
    labels = list(source.values())
    if all(isinstance(label, float) for label in labels) and hold_links(source):
        raise explain_shape(name, "pairs with scores", source, [(name, source)])
    _refuse_groups(name, source, labels)
    return Input(labels, tuple(source))


def _name_rows(array: Any) -> Any:
    """Return an array of xarray as a Series with its index."""
    return import_pandas().Series(array.values, index=find_index(array), name=array.name)


def _is_image(source: Any) -> bool:
    """Return True for an array of whole numbers with at least two dimensions that is not a column."""
    is_array = isinstance(source, np.ndarray) and source.ndim > 1 and source.shape[1:] != (1,)
    return is_array and source.dtype.kind in "biu"


def _read_image(name: str, image: AnyArray, sides: Called) -> Input:
    """Read the pixels of a label image row by row; raise if there is not another side, also an image."""
    if not sides:
        raise explain_shape(name, f"shape {image.shape}", image)
    return Input(
        image.ravel(), origin=f"an image of {' x '.join(map(str, image.shape))} pixels", shape=image.shape
    )


def _check_image(name: str, image: AnyArray) -> None:
    """Raise if an array may be something other than an image with one label for each pixel."""
    got = f"shape {image.shape}"
    if is_colour_image(image):
        raise explain_shape(name, got, image)
    if image.size and 0 <= image.min() <= image.max() <= 1:
        is_one_hot = any((image.sum(axis=k) == 1).all() for k in range(image.ndim))
        if is_one_hot or np.array_equal(image, image.T):
            raise explain_shape(name, f"{got} of 0 and 1, which may not be an image", image)
    if image.size <= MANY_CELLS and 2 * np.unique(image).size >= image.size > 0:
        raise explain_shape(name, f"{got} of numbers that mostly differ, as counts do", image)


def _read_vector(name: str, source: Any, sides: Called) -> Input:
    """Read a vector of labels; raise for groups of objects and rows of numbers."""
    shape: Any = getattr(source, "shape", ())
    if len(shape) > 1:
        got = name_kind(source) if hasattr(source, "obs") else f"shape {tuple(shape)}"
        raise explain_shape(name, got, source, sides)
    is_list, is_view = isinstance(source, list | tuple), isinstance(source, ValuesView | KeysView)
    may_hold_tuples = is_list or isinstance(source, AbstractSet) or type(source).__name__ == "MultiIndex"
    if may_hold_tuples and isinstance(next(iter(source), None), tuple):
        if hold_links(source):
            raise explain_shape(name, "pairs", source, sides)
        if hold_segments(source):
            raise explain_shape(name, "rows", source, sides)
    if hasattr(source, "itertracks"):  # an Annotation of pyannote
        raise explain_shape(name, name_kind(source), source, sides)
    if is_list or is_view or getattr(source, "dtype", None) == np.dtype(object):
        labels = list(source) if is_view else source
        first = next(iter(labels), None)
        if is_list and isinstance(first, list | np.ndarray) and all(map(_is_group, labels)):
            column = [label[0] for label in labels if getattr(label, "ndim", 1) == 1 == len(label)]
            if len(column) == len(labels) and not any(map(_is_group, column)):
                return Input(column, origin="a column")
            raise explain_shape(name, "nested lists", source, sides)
        _refuse_groups(name, source, labels)
        source = labels
    return Input(source, find_index(source))


def _refuse_groups(name: str, source: Any, labels: Any) -> None:
    """Raise if all labels are groups of objects, which are not the labels of single objects."""
    first = next(iter(labels), None)
    if isinstance(first, tuple | Mapping) and hold_scores(labels):
        raise explain_shape(name, "labels with scores", source, [(name, source)])
    if not _is_group(first) or not all(map(_is_group, labels)):
        return
    if isinstance(first, tuple) and not _look_like_groups(list(labels)):
        return
    if find_index(source) is not None:  # a column has a row for each object, not for each community
        raise ArgumentTypeError(
            name,
            f"must hold one label for each object; got {name_kind(first)} first. Pass one of them, as"
            f" `{name}.str[0]`; all of them as `Cover` of 0 and 1, with a row for each object, to `adjust`.",
        )
    if isinstance(source, Mapping):
        way = "[set(c) for c in communities.values()]` for {community: members}; for {object: communities}"
    else:
        way = "[set(c) for c in communities]` for communities; where they overlap,"
    raise ArgumentTypeError(
        name,
        f"must hold one label for each object; got {name_kind(first)} first. Pass `{way} `Cover` of such"
        " sets, or of 0 and 1, to `adjust`.",
    )


def _look_like_groups(tuples: list[Any]) -> bool:
    """Return True if tuples look like groups of objects rather than labels."""
    if len(tuples) < 2 or not all(map(is_hashable, tuples)):
        return False
    members, sizes = [member for group in tuples for member in group], set(map(len, tuples))
    once = len(set(tuples)) == len(tuples) and all(len(set(group)) == len(group) for group in tuples)
    alike = len(set(map(type, members))) == 1 and sizes != {1}
    return once and alike and (len(sizes) > 1 or len(set(members)) == len(members))


def _is_of(library: str) -> Callable[[Any], bool]:
    """Make a test for types of a library."""
    return lambda source: type(source).__module__.partition(".")[0] == library


def _is_named(*kinds: str) -> Callable[[Any], bool]:
    """Make a test for types with one of these names."""
    return lambda source: type(source).__name__ in kinds


CONTAINERS = (
    Container(
        lambda x: hasattr(x, "elm2clu_dict") and not x.is_hierarchical,
        _hold_communities(lambda x: x.to_cluster_list()),
        "a clustering of clusim",
    ),
    Container(
        lambda x: hasattr(x, "elm2clu_dict"),
        _refuse(
            ArgumentValueError,
            "must be flat; got a hierarchy of clusim. Pass a linkage of SciPy as `Tree` to `adjust`.",
        ),
    ),
    Container(  # of igraph, or cdlib
        lambda x: type(x).__name__ == "VertexCover" or hasattr(x, "to_node_community_map"),
        _hold_communities(lambda x: getattr(x, "communities", x)),
        "{kind}",
    ),
    Container(
        lambda x: hasattr(x, "getSubsetIds") and not hasattr(x, "getVector"),
        _hold_communities(lambda x: map(x.getMembers, x.getSubsetIds())),
        "{kind} of networkit",
    ),
    Container(
        lambda x: isinstance(x, AbstractSet) and bool(x) and all(isinstance(c, AbstractSet) for c in x),
        _hold_communities(_sort_sets),
        "a set of sets",
    ),
    Container(_hold_groups, _read_groups),
    Container(lambda x: isinstance(x, Mapping), _read_mapping, "a mapping"),
    Container(
        _is_named("VertexDendrogram"),  # of igraph
        _refuse(ArgumentTypeError, "must be labels; got a {kind}. Pass its `.as_clustering()`."),
    ),
    Container(
        lambda x: type(x).__name__ == "VertexClustering" and hasattr(x, "membership"),
        _hold_vector(lambda x: x.membership),
        "{kind}",
    ),
    Container(  # a partition, where 2**64 - 1 means no subset
        lambda x: hasattr(x, "getVector"),
        _hold_vector(lambda x: [None if k == 2**64 - 1 else k for k in x.getVector()]),
        "{kind} of networkit",
    ),
    Container(
        lambda x: hasattr(x, "labels_") and hasattr(x, "fit"), _hold_vector(lambda x: x.labels_), "{kind}"
    ),
    Container(_is_of("torch"), _hold_vector(lambda x: x.detach().cpu().numpy())),
    Container(_is_of("cupy"), _hold_vector(lambda x: x.get())),
    Container(  # of the array API
        lambda x: hasattr(x, "__dlpack__") and not hasattr(x, "__array__"), _hold_vector(np.from_dlpack)
    ),
    Container(
        lambda x: is_of_xarray(x) and x.ndim == 1 and find_index(x) is not None, _hold_vector(_name_rows)
    ),
    Container(
        lambda x: len(list_columns(x) or ()) == 1,
        _hold_vector(lambda x: list_columns(x)[0][1]),  # type: ignore[index]
        "a column",
    ),
    Container(
        lambda x: isinstance(x, np.ndarray) and x.ndim > 1 and x.shape[1:] == (1,),
        _hold_vector(lambda x: x[:, 0]),
        "a column",
    ),
    Container(_is_image, _read_image),
)
"""Inputs that are recognised, the most special input first; all others are read as a vector."""
