"""Read labels of clusterings from any container, and number them.

Every function that takes labels reads them here. Objects of mappings and sets are matched by their names,
other objects by their positions 0 to n - 1.
"""

import contextlib
import itertools
import numbers
from collections.abc import Callable, Hashable, Iterable, KeysView, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, find_imported, name_kind
from chancecorr.machine.arrays import AnyArray, Booleans
from chancecorr.machine.notes import Note
from chancecorr.tables.dataframes import find_column, find_dictionary, find_name, import_pandas, list_columns
from chancecorr.tables.mistakes import explain_shape, holds_topics, is_colour_image
from chancecorr.tables.names import (
    ObjectNames,
    find_index,
    find_places,
    is_counting,
    is_of_xarray,
    match_names,
    refuse_few_shared,
    refuse_other_names,
    sort_objects,
)

Names = Callable[[AnyArray], AnyArray]  # from codes to their labels
GROUPS = list, tuple, AbstractSet, np.ndarray, range  # types that may be a group of objects, or a row


MANY_CELLS = 10_000  # a larger array is read as an image, not as a table of counts


class EncodedLabels(NamedTuple):
    """Labels of a clustering as whole numbers: equal for equal labels, and in the labels' order."""

    codes: AnyArray
    code_of: Callable[[Any], int | None]  # code of a label; None if objects cannot have this label
    missing: Booleans | None  # None if no label is missing
    labels: Sequence[object] | AnyArray  # by position, for error messages
    names: Names
    origin: str = ""  # container of the labels, with its article; empty for a vector
    title: str | None = None  # name of a Series
    objects: ObjectNames = ObjectNames(range(0))  # common objects of all sides, in one order


def read_sides(
    sides: Sequence[tuple[str, Any]], *, in_parts: bool = False, missing: str = "raise"
) -> list[EncodedLabels]:
    """Read and number the labels of several clusterings, in the order of the first vector or side.

    With `in_parts`, sets are labels. If all sides are by object, an object that a side does not have gets a
    missing label there; with ``missing="raise"`` it is an error.
    """
    if in_parts:
        read_all = [(labels, "") for _, labels in sides]
    else:
        read_all = _read_images(sides) or [read_vector(*side, sides) for side in sides]
    vectors, origins = map(list, zip(*read_all, strict=True))
    objects = None
    if any(type(vector) is not np.ndarray for vector in vectors):
        titles = [None if isinstance(vector, np.ndarray) else find_name(vector) for vector in vectors]
        objects = _match_objects([name for name, _ in sides], vectors, missing)
    else:
        titles = [None] * len(vectors)
    read: list[EncodedLabels] = []
    first = sides[0][0]
    for (name, _), vector, origin, title in zip(sides, vectors, origins, titles, strict=True):
        side = encode(name, vector)
        if read and side.codes.size != read[0].codes.size:
            got = f"got {side.codes.size} and {read[0].codes.size}"
            notes = note_points(read[0].codes, side.codes)
            text = "; ".join([f"must have the same length as `{first}`", got, *map(str, notes)])
            raise ArgumentValueError(name, f"{text}.", first)
        if objects is None:
            objects = ObjectNames(range(side.codes.size))
        read.append(EncodedLabels(*side[:5], origin, title, objects))  # faster than by `_replace`
    return read


def read_side(name: str, labels: Any) -> EncodedLabels:
    """Read and number the labels of a single vector, sets or mapping, with the names of their objects."""
    vectors = [read_vector(name, labels)[0]]
    objects = _match_objects([name], vectors, "raise")
    side = encode(name, vectors[0])
    return side._replace(objects=objects or ObjectNames(range(side.codes.size)))


def note_points(*sides: AnyArray) -> list[Note]:
    """Remark on labels that look like change points: each side increases to the same large last number."""
    are_points = all(
        x.size and x[0] > 0 and x.size < x[-1] == sides[0][-1] and (x[1:] > x[:-1]).all() for x in sides
    )
    note = "both sides rise to one number: `chancecorr.clusterings.segments` makes labels of change points"
    return [Note("change points", note)] if are_points else []


def _read_images(sides: Sequence[tuple[str, Any]]) -> list[tuple[Any, str]] | None:
    """Return the pixels of label images of one shape, row by row, and an origin; None for other inputs."""
    images = [x for _, x in sides if isinstance(x, np.ndarray) and x.ndim > 1 and x.dtype.kind in "biu"]
    shape, *others = {image.shape for image in images} or {()}
    if len(images) < len(sides) or others or shape[1:] == (1,):
        return None
    for (name, _), image in zip(sides, images, strict=True):
        if is_colour_image(image):
            raise explain_shape(name, f"shape {shape}", image)
        if image.size and 0 <= image.min() <= image.max() <= 1:
            is_one_hot = any((image.sum(axis=k) == 1).all() for k in range(image.ndim))
            if is_one_hot or np.array_equal(image, image.T):
                got = f"shape {shape} of 0 and 1, which may not be an image"
                raise explain_shape(name, got, image)
        if image.size <= MANY_CELLS and 2 * np.unique(image).size >= image.size > 0:
            raise explain_shape(name, f"shape {shape} of numbers that mostly differ, as counts do", image)
    return [(image.ravel(), f"an image of {' x '.join(map(str, shape))} pixels") for image in images]


def read_vector(name: str, source: Any, sides: Sequence[tuple[str, Any]] = ()) -> tuple[Any, str]:
    """Return labels as a vector, or as a dictionary if objects have names, and a name of their container.

    `sides` are all clusterings of the call with their names, for error messages.
    """
    if isinstance(source, np.ndarray) and source.ndim == 1 and source.dtype.kind != "O":
        return source, ""
    kind, communities = type(source).__name__, list_communities(source)
    if communities is not None:
        return _number_communities(name, communities[0]), communities[1]
    if isinstance(source, Mapping):
        return _refuse_groups(name, dict(source), sides), "a mapping"
    if hasattr(source, "elm2clu_dict"):
        raise ArgumentValueError(
            name, "must be flat; got a hierarchy of clusim. Pass a linkage of SciPy as `Tree` to `adjust`."
        )
    if kind == "VertexDendrogram":  # of igraph
        raise ArgumentTypeError(name, f"must be labels; got a {kind}. Pass its `.as_clustering()`.")
    if kind == "VertexClustering" and hasattr(source, "membership"):
        return source.membership, f"a {kind}"
    if hasattr(source, "getVector"):  # a partition of networkit, where 2**64 - 1 means no subset
        return [None if x == 2**64 - 1 else x for x in source.getVector()], f"a {kind} of networkit"
    if hasattr(source, "labels_") and hasattr(source, "fit"):
        return _read_array(name, source.labels_, sides)[0], name_kind(source)
    return _read_array(name, source, sides)


def _read_array(name: str, source: Any, sides: Sequence[tuple[str, Any]]) -> tuple[Any, str]:
    """Return a vector of labels in this process's memory, from arrays of any library, columns or lists."""
    library = type(source).__module__.partition(".")[0]
    if library == "torch":
        source = source.detach().cpu().numpy()
    elif library == "cupy":
        source = source.get()
    elif hasattr(source, "__dlpack__") and not hasattr(source, "__array__"):  # of the array API
        source = np.from_dlpack(source)
    elif is_of_xarray(source) and source.ndim == 1 and (index := find_index(source)) is not None:
        source = import_pandas().Series(source.values, index=index, name=source.name)
    if (columns := list_columns(source)) and len(columns) == 1:
        return columns[0][1], "a column"
    shape: Any = getattr(source, "shape", ())
    if len(shape) > 1:
        if isinstance(source, np.ndarray) and shape[1:] == (1,):
            return source[:, 0], "a column"
        got = name_kind(source) if hasattr(source, "obs") else f"shape {tuple(shape)}"
        raise explain_shape(name, got, source, sides)
    vector = _refuse_groups(name, source, sides)
    return vector, "" if vector is source or not isinstance(source, list | tuple) else "a column"


def _refuse_groups(name: str, source: Any, sides: Sequence[tuple[str, Any]]) -> Any:
    """Return the labels, or a column in a list as a vector; raise for groups of objects and number rows."""
    is_list, is_view = isinstance(source, list | tuple), isinstance(source, ValuesView | KeysView)
    if not (
        is_list or is_view or isinstance(source, dict) or getattr(source, "dtype", None) == np.dtype(object)
    ):
        return source
    labels = source.values() if isinstance(source, dict) else source
    first = next(iter(labels), None)
    if not isinstance(first, GROUPS) or not all(isinstance(label, GROUPS) for label in labels):
        return list(source) if is_view else source
    if isinstance(first, list | np.ndarray) and is_list:
        column = [label[0] for label in source if getattr(label, "ndim", 1) == 1 == len(label)]
        if len(column) == len(source) and not any(isinstance(label, GROUPS) for label in column):
            return column
        raise explain_shape(name, "nested lists", source, sides)
    if isinstance(first, tuple) and not _look_like_groups(list(labels)):
        return source
    if find_index(source) is not None:  # a column has a row for each object, not for each community
        raise ArgumentTypeError(
            name,
            f"must hold one label for each object; got {name_kind(first)} first. Pass one of them, as"
            f" `{name}.str[0]`; all of them as `Cover` of 0 and 1, with a row for each object, to `adjust`.",
        )
    if isinstance(source, dict):
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


def list_communities(source: Any) -> tuple[list[set[Any]], str] | None:
    """List the members of each community, and name their container; None if it may be something else.

    Lists of one length may be a matrix, and tuples may be labels. Communities must be fewer than their
    members; otherwise the lists of a mapping may be the communities of each object.
    """
    if isinstance(source, np.ndarray) and source.dtype.kind != "O":  # the usual case
        return None
    kind, is_mapping = type(source).__name__, isinstance(source, Mapping)
    if hasattr(source, "elm2clu_dict") and not source.is_hierarchical:
        return list(map(set, source.to_cluster_list())), "a clustering of clusim"
    if kind == "VertexCover" or hasattr(source, "to_node_community_map"):  # of igraph, or cdlib
        return list(map(set, getattr(source, "communities", source))), f"a {kind}"
    if hasattr(source, "getSubsetIds") and not hasattr(source, "getVector"):
        return list(map(set, map(source.getMembers, source.getSubsetIds()))), f"a {kind} of networkit"
    is_array = getattr(source, "dtype", None) == np.dtype(object) and source.ndim == 1
    if isinstance(source, AbstractSet):  # of sets, which have no order
        if not source or not all(isinstance(group, AbstractSet) for group in source):
            return None
        return sorted(map(set, source), key=_make_key_of_set(source)), "a set of sets"
    if not (is_array or isinstance(source, Mapping | list | tuple | ValuesView)):
        return None
    labels = source.values() if is_mapping else source
    if not isinstance(next(iter(labels), None), GROUPS):  # the usual case, tested on the first label alone
        return None
    if not all(isinstance(group, GROUPS) and getattr(group, "ndim", 1) == 1 for group in labels):
        return None
    groups = [group.tolist() if isinstance(group, np.ndarray) else group for group in labels]
    own = _find_own_communities(source, groups)
    if own is not None:
        return own, "the members of the community of each object"
    if not is_mapping and all(isinstance(group, AbstractSet) for group in groups):
        return list(map(set, groups)), "sets"
    if holds_topics(groups):
        return None
    members, sizes = [member for group in groups for member in group], set(map(len, groups))
    has_tuples = any(isinstance(group, tuple) for group in groups)
    if (len(sizes) == 1 and (has_tuples or not is_mapping)) or not all(map(is_hashable, members)):
        return None
    sets, n_members = list(map(set, groups)), len(set(members))
    if len(sets) < n_members and sum(map(len, sets)) == len(members):
        return sets, "a mapping from communities" if is_mapping else "lists of members"
    if not is_mapping or has_tuples or len(sets) <= n_members or 0 in sizes:
        return None
    turned: dict[Any, set[Any]] = {community: set() for community in members}
    for member, community in ((member, x) for member, of_member in source.items() for x in of_member):
        turned[community].add(member)
    return list(turned.values()), "a mapping to communities"


def _make_key_of_set(sets: AbstractSet[Any]) -> Callable[[Any], list[int]]:
    """Make a key to sort sets: the sorted positions of their members among all members."""
    place = {member: k for k, member in enumerate(sort_objects(member for each in sets for member in each))}
    return lambda members: sorted(place[member] for member in members)


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


def _number_communities(name: str, communities: Sequence[AbstractSet[Hashable]]) -> dict[Hashable, Any]:
    """Return the number of each object's community; raise if an object is in two communities."""
    number_of: dict[Hashable, Any] = {}
    for k, members in enumerate(communities):
        for member in members:
            if member in number_of:
                got = f"{member!r} in sets {number_of[member]} and {k}"
                raise ArgumentValueError(
                    name,
                    f"must have every object in one cluster; got {got}."
                    " Pass clusters that overlap to `adjust` as `Cover([set(c) for c in clusters])`.",
                )
            number_of[member] = k
    return {member: number_of[member] for member in sort_objects(number_of)}  # sets have no order


def _match_objects(names: Sequence[str], vectors: list[Any], missing: str) -> ObjectNames | None:
    """Return the names of the objects, or None without names; put labels with names into one order."""
    indexes = [find_index(vector) for vector in vectors]
    by_object = [k for k, vector in enumerate(vectors) if isinstance(vector, dict)]
    indexed = [k for k, index in enumerate(indexes) if index is not None]
    plain = [k for k in range(len(vectors)) if k not in by_object and k not in indexed]
    if by_object and not plain and missing != "raise":
        for k in indexed:
            if indexes[k].is_unique and not is_counting(indexes[k]):
                vectors[k], indexes[k] = dict(vectors[k].items()), None
        by_object = [k for k, vector in enumerate(vectors) if isinstance(vector, dict)]
        indexed = [k for k in indexed if k not in by_object]
    objects: ObjectNames | None = None
    if indexed:
        objects = _match_series(names, vectors, indexes, indexed)
    if by_object and not indexed and not plain:
        return _match_mappings(names, vectors, missing)
    if by_object and objects is None:
        vector = vectors[plain[0]]
        if hasattr(vector, "__len__") and getattr(vector, "shape", (1,)) != () and not len(vector):
            raise ArgumentValueError(names[plain[0]], "must hold at least one label; got none.")
        objects = ObjectNames(range(encode(names[plain[0]], vector).codes.size), names[plain[0]])
    if objects is None:
        return None
    if plain and not objects.has_order:
        find_places(names[plain[0]], vectors[plain[0]], objects)  # raises
    if by_object and is_counting(objects.names):  # their names are positions
        objects = ObjectNames(range(len(objects)), objects.reference)
    for k in by_object:
        vectors[k] = order_by_objects(names[k], vectors[k], objects)
    return replace(objects, names=tuple(objects.names)) if by_object else objects


def _match_series(
    names: Sequence[str], vectors: list[Any], indexes: Sequence[Any], indexed: Sequence[int]
) -> ObjectNames:
    """Return the object names of the first index, and put the other Series into its order."""
    first = indexed[0]
    objects = ObjectNames(indexes[first], names[first])
    for k in indexed[1:]:
        if len(indexes[k]) != len(objects):
            continue  # a later check raises an error about lengths
        places = match_names(names[k], indexes[k], objects)
        if places is not None:
            vectors[k], objects = vectors[k].iloc[places], replace(objects, has_order=False)
    return objects


def _match_mappings(names: Sequence[str], vectors: list[Any], missing: str) -> ObjectNames:
    """Return the object names if all sides are mappings, in the order of the first or from 0 to n - 1."""
    first = vectors[0]
    objects = tuple(first if missing == "raise" else dict.fromkeys(itertools.chain.from_iterable(vectors)))
    counted = range(len(objects))
    if set(counted) == set(objects):
        objects = tuple(counted)
    known = ObjectNames(objects, names[0], has_order=is_counting(objects))
    for k, vector in enumerate(vectors):
        if k and missing != "raise":
            refuse_few_shared(names[k], vector, names[0], first)
        if missing == "raise":
            vectors[k] = order_by_objects(names[k], vector, known, can_be_dropped=True)
        else:
            vectors[k] = [vector.get(key) for key in objects]
    return known


def require_entries(name: str, entries: AnyArray, objects: ObjectNames) -> None:
    """Raise if the number of entries differs from the number of objects."""
    if entries.shape != (len(objects),):
        got = entries.size if entries.ndim == 1 else f"shape {entries.shape}"
        raise ArgumentValueError(name, f"must have one entry for each object; got {got} for {len(objects)}.")


def order_by_objects(
    name: str, labels: Mapping[Hashable, Any], objects: ObjectNames, *, can_be_dropped: bool = False
) -> list[Any]:
    """List labels in the order of the objects; raise if the labels have other objects."""
    remedy = ("missing", "drop", "leave such objects out") if can_be_dropped else None
    refuse_other_names(name, labels, objects, remedy)
    return [labels[key] for key in objects.names]


def encode(name: str, labels: Any) -> EncodedLabels:
    """Encode labels of any kind: integers stay, other kinds are numbered."""
    if type(labels) is np.ndarray and labels.ndim == 1:
        return _encode_array(name, labels)
    pandas = find_imported("pandas")
    if pandas is not None and isinstance(labels, pandas.Series | pandas.Index):
        labels = labels.to_numpy() if isinstance(labels.dtype, np.dtype) else labels.array
    if pandas is not None and isinstance(labels, pandas.api.extensions.ExtensionArray):
        return _encode_extension(name, labels)
    dictionary = find_dictionary(labels)
    if dictionary is not None:
        encoded, places = _encode_objects(name, dictionary[0]), dictionary[1]
        codes = np.append(encoded.codes, -1)[places]  # the list may have a missing value that does not occur
        return encoded._replace(codes=codes, missing=_drop_empty_mask(codes < 0), labels=labels)
    column = find_column(labels)
    if column is not None:
        return _encode_column(name, *column, labels)
    if isinstance(labels, np.ma.MaskedArray) and labels.ndim == 1:
        labels = labels.tolist()  # masked labels become None
    if isinstance(labels, Sequence) and not isinstance(labels, str | bytes | bytearray):
        return _encode_sequence(name, labels)
    if list_columns(labels) is not None:  # conversion to an array may fail
        raise ArgumentValueError(name, f"must be one-dimensional; got shape {labels.shape}.")
    rule = f"must be an array, list or Series of labels; got {name_kind(labels)}"
    if not hasattr(labels, "__array__"):
        advice = " Pass a list of it." if hasattr(labels, "__next__") else ""  # as networkx gives communities
        if isinstance(labels, str) and name.startswith("labels_"):
            advice = " Pass a column itself, as `frame['name']`."
        raise ArgumentTypeError(name, f"{rule}.{' Fit it first.' if hasattr(labels, 'fit') else advice}")
    try:
        array = np.asarray(labels)
    except (TypeError, ValueError, RuntimeError) as error:  # a class without conversion
        raise ArgumentTypeError(name, f"{rule}, which is not an array.") from error
    if array.ndim != 1:
        raise ArgumentValueError(name, f"must be one-dimensional; got shape {array.shape}.")
    return _encode_array(name, array)


def _encode_extension(name: str, array: Any) -> EncodedLabels:
    """Encode labels of a pandas extension array."""
    if hasattr(array.dtype, "categories"):
        codes = np.asarray(array.codes)
        code_of = {category: code for code, category in enumerate(array.categories)}
        is_number = isinstance(array.categories.dtype, np.dtype) and array.categories.dtype.kind in "biuf"
        names = _look_up_names(np.asarray(array.categories) if is_number else list(array.categories))
        return EncodedLabels(codes, code_of.get, _drop_empty_mask(codes < 0), array, names)
    if hasattr(array.dtype, "pyarrow_dtype") or getattr(array.dtype, "storage", None) == "pyarrow":
        return encode(name, array.__arrow_array__())._replace(labels=array)
    if array.dtype.kind in "iub" and hasattr(array.dtype, "numpy_dtype"):
        codes = array.to_numpy(dtype=array.dtype.numpy_dtype, na_value=0)
        missing = _drop_empty_mask(np.asarray(array.isna()))
        return _encode_array(name, codes)._replace(missing=missing, labels=array)
    return _encode_objects(name, list(array))


def _encode_column(name: str, column: Any, as_nested: str, labels: Sequence[object]) -> EncodedLabels:
    """Encode labels of a column, by its type in narwhals.

    Conversion to NumPy would turn whole numbers among missing ones into floats, which hold 53 bits.
    """
    import narwhals as nw

    kind = column.dtype
    if kind.is_nested():
        raise ArgumentTypeError(
            name,
            f"must hold one plain label per object; got {as_nested}."
            " Take one field of it, or make a string of each entry.",
        )
    missing = column.is_null().to_numpy()
    if kind in (nw.String, nw.Categorical, nw.Enum):
        present, codes = column.drop_nulls(), np.full(len(column), -1)
        texts: list[str] = present.unique().cast(nw.String).to_list()
        encoded = _encode_objects(name, texts)
        if texts:
            ranks = present.replace_strict(texts, encoded.codes.tolist(), return_dtype=nw.Int64)
            codes[~missing] = ranks.to_numpy()
        return encoded._replace(codes=codes, missing=_drop_empty_mask(missing), labels=labels)
    if kind.is_float() or kind in (nw.Datetime, nw.Duration):
        return _encode_array(name, column.to_numpy())  # NaN and NaT if null
    if kind == nw.Time:  # objects of Python have no nanoseconds
        column = column.cast(nw.Time).cast(nw.Int64)
    elif not (kind == nw.Boolean or kind.is_integer()) or kind in (nw.Int128, nw.UInt128):
        return _encode_objects(name, column.to_list())
    filled = column.fill_null(False if kind == nw.Boolean else 0) if missing.any() else column
    encoded = _encode_array(name, filled.to_numpy())
    if missing.any():
        encoded = encoded._replace(missing=missing, labels=labels)
    if kind != nw.Time:
        return encoded

    def name_times(codes: AnyArray) -> AnyArray:
        times = nw.new_series("", codes.tolist(), nw.Int64, backend=column.implementation).cast(nw.Time)
        return np.array(times.to_list(), dtype=object)

    return encoded._replace(names=name_times)


def _encode_sequence(name: str, labels: Sequence[object]) -> EncodedLabels:
    """Encode labels of a list; NumPy converts them only if unequal labels (1 and "1") stay unequal."""
    kinds = set(map(type, labels))
    if all(issubclass(kind, int | np.integer | np.bool_) for kind in kinds):
        array = np.asarray(labels) if kinds else np.zeros(0, dtype=np.int64)
        if array.dtype.kind in "iub":  # whole numbers beyond 64 bits give objects
            return _encode_array(name, array)
    if all(issubclass(kind, float | np.floating) for kind in kinds):
        return _encode_array(name, np.asarray(labels))
    return _encode_objects(name, labels)


def _encode_array(name: str, array: AnyArray) -> EncodedLabels:
    """Encode labels of a one-dimensional NumPy array."""
    if array.dtype.kind in "iub":
        # NumPy compares no bool with 2**63
        code_of = {False: 0, True: 1}.get if array.dtype.kind == "b" else as_integer
        plain = array.dtype.newbyteorder("=")
        return EncodedLabels(array, code_of, None, array, lambda codes: codes.astype(plain))
    if array.dtype.kind == "f":
        missing = np.isnan(array)
        filled = np.where(missing, 0, array) if missing.any() else array
        with np.errstate(invalid="ignore"):  # beyond int64
            codes = filled.astype(np.int64)
        if np.array_equal(codes, filled):
            plain, lacks = array.dtype.newbyteorder("="), _drop_empty_mask(missing)
            return EncodedLabels(codes, as_integer, lacks, array, lambda codes: codes.astype(plain))
        values, codes = np.unique(np.where(missing, 0, array), return_inverse=True)
        places = {label: code for code, label in enumerate(values.tolist())}
        return EncodedLabels(codes, places.get, _drop_empty_mask(missing), array, _look_up_names(values))
    if array.dtype.kind in "US":  # a dict finds equal texts faster than sorting does
        encoded, plain = _encode_objects(name, array.tolist()), array.dtype.newbyteorder("=")
        return encoded._replace(labels=array, names=lambda codes: encoded.names(codes).astype(plain))
    # dates of nanoseconds would turn into integers by tolist
    return _encode_objects(name, list(array) if array.dtype.kind in "mM" else array.tolist())


def _encode_objects(name: str, labels: Sequence[Any]) -> EncodedLabels:
    """Encode hashable labels, numbered by rank if they can be sorted, else by first appearance."""
    try:
        distinct = dict.fromkeys(labels)
    except (TypeError, ValueError):
        position, label = next((i, label) for i, label in enumerate(labels) if not is_hashable(label))
        raise ArgumentTypeError(
            name, f"must hold hashable labels; got {name_kind(label)} at position {position}."
        ) from None
    present = [
        label
        for label in distinct  # except None, pandas.NA, and NaN and NaT, which are unequal to themselves
        if not (label is None or type(label).__name__ == "NAType" or bool(label != label))
    ]
    # Labels of several kinds cannot be sorted. NumPy's numbers raise a ValueError when compared with a range,
    # and an OverflowError when compared with an integer that is too large for them.
    with contextlib.suppress(TypeError, ValueError, OverflowError), np.errstate(all="ignore"):
        present = sorted(present)
    code_of = dict.fromkeys(distinct, -1) | {label: code for code, label in enumerate(present)}
    codes = np.fromiter(map(code_of.__getitem__, labels), dtype=np.int64, count=len(labels))
    names = _look_up_names(present)
    return EncodedLabels(codes, code_of.get, _drop_empty_mask(codes < 0), labels, names)


def refuse_missing(name: str, side: EncodedLabels, remedy: tuple[str, str, str] | None = None) -> None:
    """Raise if a label is missing."""
    if side.missing is not None:
        position = int(side.missing.argmax())
        got = f"got {side.labels[position]} at position {position}"
        raise ArgumentValueError(name, f"must not hold missing labels; {got}.", remedy=remedy)


def as_objects(labels: Iterable[object]) -> AnyArray:
    """Make an array of labels, which may be tuples; NumPy's texts and integers become Python's."""
    of_numpy = np.str_, np.integer, np.bool_
    return np.fromiter((x.item() if isinstance(x, of_numpy) else x for x in labels), dtype=object)


def _look_up_names(labels: AnyArray | list[object]) -> Names:
    """Return the function from codes to names if codes are positions among the distinct labels."""
    if isinstance(labels, np.ndarray):
        return lambda codes: labels[codes]
    return lambda codes: as_objects(map(labels.__getitem__, codes.tolist()))


def as_integer(label: Any) -> int | None:
    """Return the 64-bit integer that equals a label, or None."""
    is_number = isinstance(label, numbers.Integral | np.bool_) or (
        isinstance(label, float | np.floating) and float(label).is_integer()
    )
    if not is_number or isinstance(label, np.timedelta64):  # its class is an integer, its value is not
        return None
    return int(label) if -(2**63) <= int(label) < 2**64 else None  # arrays cannot hold other integers


def is_hashable(label: object) -> bool:
    """Return True if a label and its parts can be hashed."""
    try:
        hash(label)
    except (TypeError, ValueError):  # ValueError of a length of time without a unit
        return False
    return True


def _drop_empty_mask(missing: Booleans) -> Booleans | None:
    """Return the mask, or None if nothing is missing."""
    return missing if missing.any() else None
