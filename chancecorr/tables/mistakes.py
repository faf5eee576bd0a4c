"""Recognise inputs that were passed instead of labels, and explain what to pass.

A reader that finds more than one label for each object calls `explain_shape`. `MISTAKES` lists the inputs
that can be recognised by their values, the most special input first; ambiguous inputs get the general
sentence. An advice that begins with "Pass" contains an expression that gives the right answer.
"""

import contextlib
import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import AnyArray
from chancecorr.tables.dataframes import list_columns

MAX_ROUNDING = 1e-6  # tolerance for sums of shares, and for symmetric similarities

STARTS = frozenset(("start", "onset", "begin", "tbeg", "start_time"))
ENDS = frozenset(("end", "stop", "offset", "finish", "end_time"))
DURATIONS = frozenset(("duration", "dur", "length", "tdur"))
"""Names of columns of time segments, in lower case."""

ENDS_OF_LINKS = ("_1", "_2"), ("_l", "_r"), ("_left", "_right"), ("_a", "_b"), ("1", "2")
NAMES_OF_OBJECTS = "id", "record", "rec", "key"
"""Parts of the names of two columns with linked objects, as programs for record linkage write them."""


class Given(NamedTuple):
    """An argument with more than one value for each object."""

    name: str
    got: str  # shape or kind of the argument
    source: Any
    numbers: AnyArray | None  # numbers of the argument, with at least two dimensions
    sides: Sequence[tuple[str, Any]]  # names and values of all clusterings of the call


class Mistake(NamedTuple):
    """A kind of input that is not a vector of labels, with the test for it and the error message."""

    find: Callable[[Given], dict[str, Any] | bool]  # fields of the sentence, or True; empty for other inputs
    sentence: str  # with the fields `name` and `got`, which `find` may replace by those of another side


GENERAL = (
    "must be one-dimensional; got {got}. Pass a table of counts to `adjust_table`, an image as `.ravel()`,"
    " communities as `[set(c) for c in communities]`; to `adjust` anything else as `Membership`, `Cover`,"
    " `Tree` or `Similarity`."
)
"""The error message for an ambiguous input."""


def explain_shape(
    name: str, got: str, source: Any, sides: Sequence[tuple[str, Any]] = ()
) -> ArgumentValueError:
    """Make the error for an argument with more than one label for each object."""
    given = Given(name, got, source, _read_numbers(source), sides or [(name, source)])
    fields = {"name": name, "got": got}
    for mistake in MISTAKES:
        found = mistake.find(given)
        if found:
            fields |= {} if found is True else found
            return ArgumentValueError(fields["name"], mistake.sentence.format(**fields))
    return ArgumentValueError(name, GENERAL.format(**fields))


def _read_numbers(source: Any) -> AnyArray | None:
    """Return the numbers of an array, a frame or nested lists with at least two dimensions, else None."""
    with contextlib.suppress(TypeError, ValueError):
        array = np.asarray(source)
        if array.ndim > 1 and array.dtype.kind == "O":
            array = array.astype(np.float64)
        if array.ndim > 1 and array.size and array.dtype.kind in "biuf":
            return array
    return None


def is_colour_image(image: Any) -> bool:
    """Return True if an array has three or four small numbers for each pixel, as red, green and blue."""
    if not (isinstance(image, np.ndarray) and image.ndim > 2 and image.dtype in (np.uint8, np.uint16)):
        return False
    channels = image.shape[-1]
    return channels in (3, 4) and min(image.shape[-3:-1]) >= channels


def holds_topics(source: Any) -> bool:
    """Return True if lists hold pairs of a topic and its share, as gensim gives them for each document."""
    if not isinstance(source, list | tuple) or not all(isinstance(pairs, list) for pairs in source):
        return False
    pairs = [pair for of_object in source for pair in of_object]
    return bool(pairs) and all(
        isinstance(pair, tuple) and len(pair) == 2 and _is_share(pair[1]) for pair in pairs
    )


def _is_share(value: Any) -> bool:
    """Return True if a value is a real number in [0, 1] whose type is not an integer."""
    is_real = isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral)
    return is_real and bool(0 <= value <= 1 + MAX_ROUNDING)


def _find_spans(given: Given) -> dict[str, Any]:
    """Find clusters that are lists of pairs, such as first and last word of a mention."""
    source = given.source
    if not isinstance(source, list | tuple) or not all(isinstance(c, list | tuple) and c for c in source):
        return {}
    members = [member for cluster in source for member in cluster]
    are_spans = all(
        isinstance(m, list) and len(m) == 2 and all(isinstance(x, int) for x in m) for m in members
    )
    return {"member": members[0]} if members and are_spans else {}


def _find_levels(given: Given) -> dict[str, Any]:
    """Find lists of equal length that hold texts, some repeated: labels of several levels."""
    source = given.source
    if not isinstance(source, list | tuple) or not all(isinstance(row, list | tuple) for row in source):
        return {}
    texts = [text for row in source for text in row]
    are_texts = bool(texts) and all(isinstance(text, str) for text in texts)
    are_levels = are_texts and len({*map(len, source)}) == 1 and len(set(texts)) < len(texts)
    return {"levels": len(source[0])} if are_levels else {}


def _is_of_biclusters(given: Given) -> bool:
    """Return True if it is the pair of arrays that scikit-learn's biclustering has as ``biclusters_``."""
    source = given.source
    if not (isinstance(source, tuple) and len(source) == 2):
        return False
    return all(getattr(x, "dtype", None) == np.bool_ and x.ndim == 2 for x in source)


def _has_whole_numbers(values: AnyArray) -> bool:
    """Return True if all numbers that are not nan are whole."""
    if values.dtype.kind != "f":
        return True
    present = values[~np.isnan(values)]
    return bool(np.isfinite(present).all() and (present == np.floor(present)).all())


def _is_of_zero_and_one(values: AnyArray) -> bool:
    """Return True if all numbers are 0 or 1."""
    return bool(np.isin(values, (0, 1)).all())


def sum_to_one(values: AnyArray, axis: int) -> bool:
    """Return True if non-negative numbers sum to 1 along an axis, and are not all 0 or 1."""
    if values.ndim != 2 or not (values >= 0).all() or _is_of_zero_and_one(values):
        return False
    return bool(np.abs(values.sum(axis=axis, dtype=np.float64) - 1.0).max() <= MAX_ROUNDING)


def _find_class_axis(given: Given) -> dict[str, Any]:
    """Find a side of shares that sum to 1 along one of at least three axes, as neural networks give them."""
    for name, values in given.sides:
        is_array = isinstance(values, np.ndarray) and values.ndim > 2 and values.dtype.kind == "f"
        if not is_array or not (values >= 0).all() or _is_of_zero_and_one(values):
            continue
        for axis in range(values.ndim):
            if np.abs(values.sum(axis=axis, dtype=np.float64) - 1.0).max() <= MAX_ROUNDING:
                return {"name": name, "got": f"shape {values.shape}", "axis": axis}
    return {}


def _is_linkage(given: Given) -> bool:
    """Return True if each row joins two clusters, and the last row all objects."""
    values = given.numbers
    if values is None or values.ndim != 2 or values.shape[1] != 4 or values.dtype.kind != "f":
        return False
    pairs, sizes, n = values[:, :2], values[:, 3], len(values) + 1
    return bool(np.isin(pairs, np.arange(2 * n - 2)).all() and sizes[-1] == n and sizes.min() >= 2)


def _is_symmetric(given: Given) -> bool:
    """Return True if the input is a symmetric matrix of real numbers."""
    values = given.numbers
    if values is None or values.ndim != 2 or values.dtype.kind != "f" or _has_whole_numbers(values):
        return False
    is_square = values.shape[0] == values.shape[1]
    return is_square and bool(np.allclose(values, values.T, rtol=0, atol=MAX_ROUNDING))


def _list_images(given: Given) -> list[tuple[str, AnyArray]]:
    """List all sides if they are arrays of whole numbers, not all 0 or 1, with at least two dimensions."""
    sides = [(name, x) for name, x in given.sides if isinstance(x, np.ndarray) and x.ndim > 1 and x.size]
    if len(sides) < max(len(given.sides), 2) or all(_is_of_zero_and_one(image) for _, image in sides):
        return []
    are_images = all(image.dtype.kind in "biuf" and _has_whole_numbers(image) for _, image in sides)
    return sides if are_images else []


def _find_other_shape(given: Given) -> dict[str, Any]:
    """Find the first label image with another shape than the first one, if all sides are label images."""
    (first, image), *others = _list_images(given) or [("", np.zeros(0))]
    sides = ((name, other.shape) for name, other in others if other.shape != image.shape)
    return next(
        (dict(name=name, first=first, got=f"shape {shape}", shape=image.shape) for name, shape in sides), {}
    )


def _find_float_image(given: Given) -> dict[str, Any]:
    """Find the first label image that holds floats, if all sides are label images."""
    sides = ((name, image.shape) for name, image in _list_images(given) if image.dtype.kind == "f")
    return next(({"name": name, "got": f"shape {shape}"} for name, shape in sides), {})


def _find_array(library: str) -> Callable[[Given], dict[str, Any]]:
    """Make a function that finds the first array of a library with more than one dimension."""

    def find(given: Given) -> dict[str, Any]:
        arrays = (
            {"name": name, "got": f"shape {tuple(side.shape)}"}
            for name, side in given.sides
            if type(side).__module__.partition(".")[0] == library and len(getattr(side, "shape", ())) > 1
        )
        return next(arrays, {})

    return find


def _lack_labels(given: Given) -> bool:
    """Return True if all sides are label images, and some pixels have no label."""
    return any(image.dtype.kind == "f" and np.isnan(image).any() for _, image in _list_images(given))


def _is_image_beside_vector(given: Given) -> bool:
    """Return True for an array of whole numbers if each other side is a vector of the same size."""
    image = given.source
    if not (isinstance(image, np.ndarray) and image.dtype.kind in "iuf" and _has_whole_numbers(image)):
        return False
    others = [side for _, side in given.sides if side is not image]
    shapes = {getattr(x, "shape", (len(x) if hasattr(x, "__len__") else 0,)) for x in others}
    return shapes == {(image.size,)} and not _is_of_zero_and_one(image)


def hold_segments(entries: Any) -> bool:
    """Return True if all entries are different tuples or lists of a start, an end after it, and a label.

    A label is a text, or a whole number if some times are not whole.
    """
    rows = list(entries)
    if not rows or not all(isinstance(row, tuple | list) and len(row) == 3 for row in rows):
        return False
    times = [time for row in rows for time in row[:2]]
    if not all(isinstance(time, numbers.Real) for time in times) or any(row[0] >= row[1] for row in rows):
        return False
    kinds = (str,) if all(float(time).is_integer() for time in times) else (str, numbers.Integral)
    return all(isinstance(row[2], kinds) for row in rows) and len(set(map(tuple, rows))) == len(rows)


def _has_segments(given: Given) -> bool:
    """Return True for rows of start, end and label, and for frames with columns of times of segments."""
    if hasattr(given.source, "itertracks"):
        return True
    if isinstance(given.source, list | tuple):
        return hold_segments(given.source)
    names = {str(name).lower() for name, _ in list_columns(given.source) or ()}
    return bool(names & STARTS) and bool(names & (ENDS | DURATIONS))


def find_link_columns(columns: Iterable[Any]) -> tuple[str, str] | None:
    """Find the names of the two columns that identify linked objects, such as ``id_1`` and ``id_2``."""
    names = list(map(str, columns))
    for first, second in ENDS_OF_LINKS:
        for name in names:
            stem = name.removesuffix(first)
            if stem != name and stem + second in names and stem.lower().endswith(NAMES_OF_OBJECTS):
                return name, stem + second
    return None


def _find_linked_columns(given: Given) -> dict[str, Any]:
    """Find a frame with a row for each link, and its two columns of objects."""
    pair = find_link_columns(name for name, _ in list_columns(given.source) or ())
    return {"first": pair[0], "second": pair[1]} if pair else {}


def hold_links(entries: Any) -> bool:
    """Return True if entries are distinct pairs of different objects, which are all texts or whole numbers.

    As labels, such pairs would put each object into a separate cluster.
    """
    rows = entries.tolist() if isinstance(entries, np.ndarray) else list(entries)
    if len(rows) < 2 or not all(isinstance(row, tuple | list) and len(row) == 2 for row in rows):
        return False
    members = [member for row in rows for member in row]
    if not any(all(isinstance(x, kind) for x in members) for kind in (str, numbers.Integral)):
        return False
    pairs = {frozenset(row) for row in rows}
    return len(pairs) == len(rows) and all(len(pair) == 2 for pair in pairs)


def hold_scores(entries: Any) -> bool:
    """Return True if entries are pairs of a label, or of members, and scores; or mappings with a cluster."""
    entries = list(entries)
    if all(isinstance(entry, Mapping) for entry in entries):
        return all(any("cluster" in str(key) for key in entry) for entry in entries)
    if not all(isinstance(entry, tuple) and len(entry) == 2 for entry in entries):
        return False
    return all(_is_share(score) or _are_shares_of(label, score) for label, score in entries)


def _are_shares_of(members: Any, scores: Any) -> bool:
    """Return True if there is a share for each member of a group, as dedupe gives clusters."""
    are_listed = isinstance(members, tuple | list) and isinstance(scores, tuple | list | np.ndarray)
    return are_listed and len(members) == len(scores) > 0 and all(map(_is_share, scores))


def _find_scores(given: Given) -> dict[str, Any]:
    """Find labels, or clusters, with scores, and the expression for the labels alone."""
    source = given.source
    is_mapping = isinstance(source, Mapping)
    if not is_mapping and not isinstance(source, list | tuple):
        return {}
    entries = list(source.values()) if is_mapping else list(source)
    if not entries or not hold_scores(entries):
        return {}
    first, place = entries[0], "[0]"
    if isinstance(first, Mapping):
        place = f"[{next(key for key in first if 'cluster' in str(key))!r}]"
    elif isinstance(first[0], tuple | list):
        return {"way": f"[set(x[0]) for x in {given.name}]"}
    pairs = f"{{k: x{place} for k, x in {given.name}.items()}}"
    return {"way": pairs if is_mapping else f"[x{place} for x in {given.name}]"}


def _hold_tuples_or_texts(given: Given) -> bool:
    """Return True for pairs of linked objects that cannot be counts."""
    source = given.source
    if list_columns(source) is not None or not hasattr(source, "__iter__"):
        return False
    is_tuples = isinstance(next(iter(source), None), tuple)
    return (is_tuples or given.numbers is None) and hold_links(source)


def _find_identified_labels(given: Given) -> dict[str, Any]:
    """Find a frame whose first column identifies objects, and its first other column with repeated values."""
    columns = list_columns(given.source) or []
    if not columns or not _may_be_labels(columns[0][1], distinct=True):
        return {}
    others = (name for name, column in columns[1:] if _may_be_labels(column, distinct=False))
    return next(({"one": columns[0][0], "label": name} for name in others), {})


def _may_be_labels(column: Any, *, distinct: bool) -> bool:
    """Return True if a column holds texts or whole numbers, all different or not."""
    entries = np.asarray(column).tolist()
    are_plain = all(isinstance(x, str | numbers.Integral) for x in entries)
    return are_plain and distinct == (len(set(entries)) == len(entries) > 1)


def _find_frame(given: Given) -> dict[str, Any]:
    """Find a frame, and the name of its first column."""
    columns = list_columns(given.source)
    return {"column": columns[0][0]} if columns else {}


MISTAKES = (
    Mistake(
        lambda given: hasattr(given.source, "obs"),
        "must be one-dimensional; got {got}. Pass it first, and then the names of its columns, as"
        " `adjust(adata, 'species', 'leiden')`.",
    ),
    Mistake(
        _find_array("xarray"),
        "must be an array of NumPy; got {got} of xarray. Pass `{name}.to_numpy()`.",
    ),
    Mistake(
        _find_array("dask"),
        "must be an array of NumPy; got {got} of Dask. Pass `{name}.compute()`.",
    ),
    Mistake(
        lambda given: holds_topics(given.source),
        "must hold one label for each object; got pairs (topic, share). To `adjust` pass `Membership`"
        " of an array with a row of shares for each object, with 0 for topics that are not listed.",
    ),
    Mistake(
        _find_spans,
        "must hold one label for each object; got clusters of pairs such as {member}. Pass"
        " `[{{tuple(m) for m in c}} for c in {name}]`.",
    ),
    Mistake(
        _find_scores,
        "must hold one label for each object; got labels with other values, such as scores. Pass `{way}`.",
    ),
    Mistake(
        _hold_tuples_or_texts,
        "must hold one label for each object; got pairs, such as linked objects. Pass"
        " `chancecorr.clusterings.join_links({name})`, with all objects as its second argument if some have"
        " no link.",
    ),
    Mistake(
        lambda given: (
            given.numbers is not None and not list_columns(given.source) and hold_links(given.numbers)
        ),
        "must be one-dimensional; got {got} with pairs of numbers. Pass a table of counts to `adjust_table`,"
        " linked objects as `chancecorr.clusterings.join_links({name})`, with all objects as its second"
        " argument if some have no link.",
    ),
    Mistake(
        _find_linked_columns,
        "must be one-dimensional; got {got} with linked objects. Pass"
        " `chancecorr.clusterings.join_links({name}[[{first!r}, {second!r}]])`, with all objects as its"
        " second argument if some have no link.",
    ),
    Mistake(
        _find_levels,
        "must hold one label for each object; got lists of {levels}. Pass one level, as"
        " `[x[0] for x in {name}]`.",
    ),
    Mistake(
        _is_of_biclusters,
        "must hold one label for each object; got two arrays of booleans, as `biclusters_` of an estimator."
        " To `adjust` pass `chancecorr.clusterings.Biclusters` of its `row_labels_` and `column_labels_`.",
    ),
    Mistake(
        _has_segments,
        "must be one-dimensional; got {got} with columns of times. Pass both sides to"
        " `chancecorr.clusterings.segments`, and what it returns to `adjust`, the durations as `weights`.",
    ),
    Mistake(
        _is_linkage,
        "must be one-dimensional; got {got}, a linkage, which `Tree` holds. Pass `Tree({name})` to `adjust`.",
    ),
    Mistake(
        lambda given: given.numbers is not None and sum_to_one(given.numbers, 1),
        "must be one-dimensional; got {got}, whose rows sum to 1, as memberships do. Pass"
        " `Membership({name})` to `adjust`.",
    ),
    Mistake(
        lambda given: given.numbers is not None and sum_to_one(given.numbers, 0),
        "must be one-dimensional; got {got}, whose columns sum to 1, as in transposed memberships."
        " Pass `Membership(np.transpose({name}))` to `adjust`.",
    ),
    Mistake(
        _find_class_axis,
        "must hold one label for each pixel; got {got} of shares that sum to 1. Pass"
        " `{name}.argmax(axis={axis})`.",
    ),
    Mistake(
        _is_symmetric,
        "must be one-dimensional; got {got} of real numbers that are symmetric. Pass `Similarity({name})` to"
        " `adjust`, or with `distance=True` if they are distances.",
    ),
    Mistake(
        _find_identified_labels,
        "must be one-dimensional; got {got}. Pass one column, as `{name}[{label!r}]`, or to match labels by"
        " {one!r}, `dict(zip({name}[{one!r}], {name}[{label!r}]))`; counts to `adjust_table`.",
    ),
    Mistake(
        _find_frame,
        "must be one-dimensional; got {got}. Pass a table of counts to `adjust_table`; of a frame of labels"
        " pass one column, as `{name}[{column!r}]`; memberships as `Membership({name})` to `adjust`.",
    ),
    Mistake(
        lambda given: {"channels": given.source.shape[-1]} if is_colour_image(given.source) else {},
        "must have one number for each pixel; got {got} of small whole numbers, which may be colours. Pass"
        " `np.unique({name}.reshape(-1, {channels}), axis=0, return_inverse=True)[1]`, or `{name}.ravel()` if"
        " each number is a separate label.",
    ),
    Mistake(
        _find_other_shape,
        "must have the shape of `{first}` as a label image, pixel by pixel; got {got} beside shape {shape}."
        " Bring both to one grid.",
    ),
    Mistake(
        _lack_labels,
        "must be one-dimensional if labels are missing; got {got} of floats, some of them nan. Pass"
        " `{name}.ravel()`, the same for the other sides, and missing='drop'.",
    ),
    Mistake(
        _find_float_image,
        "must hold whole numbers to be a label image; got {got} of floats. Pass `{name}.astype(int)`.",
    ),
    Mistake(
        _is_image_beside_vector,
        "must be one-dimensional, as the other side; got {got}. Pass `{name}.ravel()` if the other side"
        " lists the pixels row by row.",
    ),
)
"""Inputs that are recognised, the most special input first."""
