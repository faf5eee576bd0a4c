"""Contingency tables of labels that need not fit into memory: chunks, files, data sets and lazy frames.

Arrow files are read by pyarrow's reader of such files: its data sets end the process on some damaged ones.
"""

import functools
import os
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.machine.arguments import (
    ArgumentError,
    ArgumentTypeError,
    ArgumentValueError,
    find_imported,
    suggest_name,
)
from chancecorr.machine.arrays import AnyArray, Integers
from chancecorr.tables.contingency import ContingencyTable, list_cells, make_table
from chancecorr.tables.crosstab import MAX_DENSE_CELLS, add_cells, cross_tabulate
from chancecorr.tables.dataframes import list_columns
from chancecorr.tables.labels import as_objects, encode, name_kind
from chancecorr.tables.reading import (
    Align,
    LabelOptions,
    Missing,
    NoiseOfSides,
    check_reading,
    contingency_table,
    read_label_pair,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FILES = {".parquet": "Parquet", ".pq": "Parquet", ".feather": "Arrow", ".arrow": "Arrow"}  # read by pyarrow
ROWS_AT_A_TIME = 1_048_576  # two columns of int64 take 16 MB then


class PartsOfSide(NamedTuple):
    """Labels of the clusters of one side, and noise objects that are clusters of their own, after these."""

    labels: AnyArray
    alone: Integers  # positions, ascending

    @property
    def size(self) -> int:
        """Number of clusters."""
        return self.labels.size + self.alone.size


class LabelPart(NamedTuple):
    """Cells above zero of some of the objects, the clusters of both sides, and how many objects were read."""

    cells: tuple[Integers, Integers, Integers]  # rows, columns and counts
    sides: tuple[PartsOfSide, PartsOfSide]
    objects: int


def contingency_table_from(
    data: Any,
    labels_true: Hashable,
    labels_pred: Hashable,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> ContingencyTable:
    """Contingency table of two columns, which are read in parts and need not fit into memory.

    Parameters
    ----------
    data : path, Dataset, LazyFrame, Dask frame, iterable of frames or frame
        A Parquet or Arrow file or a folder of Parquet files; a ``pyarrow.dataset.Dataset``; a
        ``polars.LazyFrame``; a ``dask.dataframe.DataFrame``; frames of pandas, polars or Arrow one after
        another, as ``pandas.read_csv(path, chunksize=100_000)`` gives them; or one such frame.
    labels_true, labels_pred : hashable
        Names of the columns of the reference (rows) and of the candidate (columns).
    noise, missing
        As in `contingency_table`.

    Returns
    -------
    ContingencyTable
        That of the whole columns; see `ContingencyTable.from_chunks`.

    Raises
    ------
    TypeError, ValueError
        If the data are of no such kind, have no such columns, or labels that `contingency_table` refuses.
    ImportError
        If a path is given and pyarrow is not installed.

    See Also
    --------
    chancecorr.contingency_table : Labels that are in memory.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"kind": ["cat", "cat", "owl"], "cluster": [3, 7, 7]})
    >>> contingency_table_from([frame, frame.head(1)], "kind", "cluster")
    ContingencyTable([[2, 1], [0, 1]], row_labels=['cat', 'owl'], column_labels=[3, 7])
    """
    options: LabelOptions = {"noise": noise, "missing": missing, "align": "position"}
    check_reading(**options)
    names = {"labels_true": labels_true, "labels_pred": labels_pred}
    columns = list_columns(data)
    if columns is not None:
        return contingency_table(*_pick_pair(columns, names), **options)
    return add_chunks(_pick_columns(_iterate_frames(data, names), names), **options)


def add_chunks(
    chunks: Iterable[tuple[object, object]],
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
    align: Align = "raise",
) -> ContingencyTable:
    """Contingency table of chunks, one at a time in memory; see `ContingencyTable.from_chunks`."""
    options: LabelOptions = {"noise": noise, "missing": missing, "align": align}
    noise_labels = [of_side.label for of_side in check_reading(**options)]
    try:
        pairs = iter(chunks)
    except TypeError:
        raise ArgumentTypeError(
            "chunks", f"must be an iterable of pairs of labels; got {name_kind(chunks)}."
        ) from None
    none = np.zeros(0, dtype=np.int64)
    nothing = LabelPart((none, none, none), (PartsOfSide(none, none), PartsOfSide(none, none)), 0)
    part = functools.reduce(_add_two_parts, _count_chunks(pairs, options), nothing)
    rows, columns = (
        as_objects([*side.labels.tolist(), *((label, k) for k in side.alone.tolist())])
        if side.alone.size
        else side.labels
        for side, label in zip(part.sides, noise_labels, strict=True)
    )
    return make_table(_add_cells(*part.cells, part.sides), rows, columns)


def _count_chunks(chunks: Iterator[Any], options: LabelOptions) -> Iterator[LabelPart]:
    """Parts of the chunks, in turn."""
    k = first = 0
    for chunk in chunks:  # `enumerate` would hold on to the last one
        try:
            labels_true, labels_pred = chunk
        except (TypeError, ValueError):
            raise ArgumentTypeError(
                "chunks", f"must hold pairs of labels; got {name_kind(chunk)} as chunk {k}."
            ) from None
        part = _count_chunk(labels_true, labels_pred, options, f"chunk {k}, from object {first} on,")
        k, first = k + 1, first + part.objects
        yield part
        del chunk, labels_true, labels_pred, part  # before the next one is made


def _count_chunk(labels_true: object, labels_pred: object, options: LabelOptions, chunk: str) -> LabelPart:
    """Counts of the objects of one chunk, and their names; an error about its labels names the chunk."""
    try:
        pair = read_label_pair(labels_true, labels_pred, **options, in_parts=True)
    except ArgumentError as error:
        raise type(error)(
            error.argument, f"of {chunk} {error.text}", *error.others, remedy=error.remedy
        ) from None
    counts, *labels, _ = cross_tabulate(*pair.codes)
    first, second = (
        PartsOfSide(names(codes[: size - alone.size]), alone)
        for names, codes, size, alone in zip(pair.names, labels, counts.shape, pair.alone, strict=True)
    )
    return LabelPart(list_cells(counts), (first, second), len(pair.objects))


def _iterate_frames(data: Any, names: dict[str, Hashable]) -> Iterator[Any]:
    """Frames in turn that hold the columns."""
    columns: list[Any] = list(dict.fromkeys(names.values()))  # once if both are one
    if isinstance(data, str | os.PathLike):
        kind = _tell_kind_of_file(data)
        if kind == "Arrow":
            _check_names(read_schema(data, kind).names, names)
            return validate_batches(read_batches(data, columns))
        from pyarrow import dataset

        data = dataset.dataset(data, format="parquet")
    if _is_a(data, "pyarrow.dataset", "Dataset"):
        _check_names(data.schema.names, names)
        # Arrow would by default read sixteen batches of four files ahead.
        size = ROWS_AT_A_TIME
        batches = data.to_batches(columns=columns, batch_size=size, batch_readahead=2, fragment_readahead=1)
        return validate_batches(batches)
    if _is_a(data, "dask.dataframe", "DataFrame"):
        _check_names(list(data.columns), names)
        return (part.compute() for part in data[columns].partitions)
    if _is_a(data, "polars", "LazyFrame"):
        _check_names(data.collect_schema().names(), names)
        pair = data.select(columns)
        if not hasattr(pair, "collect_batches"):
            return iter([pair.collect()])
        return iter(pair.collect_batches(chunk_size=ROWS_AT_A_TIME))
    if isinstance(data, dict) or not isinstance(data, Iterable):
        raise ArgumentTypeError(
            "data",
            "must be a path, a data set of Arrow, a polars LazyFrame, a Dask frame, or frames in turn;"
            f" got {name_kind(data)}.",
        )
    return iter(data)


def _tell_kind_of_file(path: str | os.PathLike[str]) -> str:
    """Parquet or Arrow, by a path that leads to such a file or folder."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise ImportError(
            "`data` can be a path only where pyarrow is installed. Run: pip install 'chancecorr[tables]'"
        ) from None
    if os.path.isdir(path):
        return "Parquet"
    ending = os.path.splitext(os.fspath(path).lower())[1]
    if ending not in ("", *FILES):
        raise ArgumentValueError(
            "data",
            f"must be a Parquet or Arrow file if it is a path; got {os.fspath(path)!r}. Read others in parts,"
            " as by pandas.read_csv(path, chunksize=100_000), and pass these.",
        )
    return FILES.get(ending, "Parquet")


def _is_a(data: object, module: str, kind: str) -> bool:
    """Whether data are of a class of a module, which then has been imported."""
    wanted = getattr(find_imported(module), kind, None)
    return wanted is not None and isinstance(data, wanted)


def _pick_columns(frames: Iterator[object], names: dict[str, Hashable]) -> Iterator[tuple[object, object]]:
    """Both columns of each frame."""
    for frame in frames:
        columns = list_columns(frame)
        if columns is None:
            raise ArgumentTypeError(
                "data", f"must hold frames of pandas, polars or Arrow; got {name_kind(frame)}."
            )
        del frame
        pair = _pick_pair(columns, names)
        del columns
        yield pair
        del pair  # before the next frame is read


def _pick_pair(columns: list[tuple[Hashable, object]], names: dict[str, Hashable]) -> tuple[object, object]:
    """The two columns."""
    _check_names([name for name, _ in columns], names)
    by_name = dict(columns)
    return by_name[names["labels_true"]], by_name[names["labels_pred"]]


def _check_names(columns: Sequence[Hashable], names: dict[str, Hashable]) -> None:
    """Raise unless there is one column of each name."""
    for argument, name in names.items():
        if columns.count(name) != 1:
            listed = ", ".join(map(repr, columns[:20])) + (", ..." if len(columns) > 20 else "")
            raise ArgumentValueError(
                argument,
                f"must be the name of one column of `data`; got {name!r} of {listed or 'none'}."
                f"{suggest_name(name, list(map(str, columns)))}",
                "data",
            )


def read_schema(path: str | os.PathLike[str], kind: str) -> Any:
    """Names and types of the columns of a file, or of a folder of Parquet files."""
    from pyarrow import dataset, ipc

    if kind == "Parquet":
        return dataset.dataset(path, format="parquet").schema
    with ipc.open_file(os.fspath(path)) as file:
        return file.schema


def read_batches(path: str | os.PathLike[str], columns: list[str]) -> Iterator[Any]:
    """Record batches of these columns of an Arrow file, of at most `ROWS_AT_A_TIME` rows."""
    from pyarrow import ipc

    places = [read_schema(path, "Arrow").names.index(name) for name in columns]
    with ipc.open_file(os.fspath(path), options=ipc.IpcReadOptions(included_fields=places)) as file:
        for batch in map(file.get_batch, range(file.num_record_batches)):
            yield from (
                batch.slice(first, ROWS_AT_A_TIME) for first in range(0, batch.num_rows, ROWS_AT_A_TIME)
            )


def validate_batches(batches: Iterable[Any]) -> Iterator[Any]:
    """The batches in turn; an ArrowException if one is damaged."""
    for batch in batches:
        batch.validate(full=True)
        yield batch
        del batch  # before the next one is read


def _add_two_parts(first: LabelPart, second: LabelPart) -> LabelPart:
    """Cells of the objects of both; those of the second come after those of the first."""
    sides, places = [], []
    for one, other in zip(first.sides, second.sides, strict=True):
        labels, of_labels = _unite_labels(one.labels, other.labels)
        alone = np.concatenate([one.alone, other.alone + first.objects])
        of_alone = np.split(labels.size + np.arange(alone.size), [one.alone.size])
        sides.append(PartsOfSide(labels, alone))
        places.append([np.concatenate(parts) for parts in zip(of_labels, of_alone, strict=True)])
    i, j = (
        np.concatenate([at[part.cells[axis]] for at, part in zip(place, (first, second), strict=True)])
        for axis, place in enumerate(places)
    )
    counts = np.concatenate([first.cells[2], second.cells[2]])
    total = _add_cells(i, j, counts, (sides[0], sides[1]))
    return LabelPart(list_cells(total), (sides[0], sides[1]), first.objects + second.objects)


def _add_cells(
    rows: Integers, columns: Integers, counts: Integers, sides: tuple[PartsOfSide, PartsOfSide]
) -> "Integers | csr_array[np.int64]":
    """Table of cells, of which several may be in one place; sparse if it has too many."""
    shape = sides[0].size, sides[1].size
    return add_cells(
        rows, columns, counts, shape, shape[0] * shape[1] <= max(MAX_DENSE_CELLS, 4 * counts.sum())
    )


def _unite_labels(first: AnyArray, second: AnyArray) -> tuple[AnyArray, list[Integers]]:
    """Labels of both, sorted if both were, else in order of appearance, and the places of each side's."""
    places = [np.arange(first.size), np.arange(second.size)]
    if not (first.size and second.size):
        return (first if first.size else second), places
    if first.dtype == second.dtype != object and np.array_equal(first, second):
        return first, places
    joint: Any = [*first.tolist(), *second.tolist()]
    if first.dtype.kind == second.dtype.kind and first.dtype.kind in "biufUS":
        joint = np.concatenate([first, second])
    encoded = encode("labels", joint)
    codes, firsts, ranks = np.unique(encoded.codes, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    if all(bool(np.all(side[:-1] < side[1:])) for side in np.split(ranks, [first.size])):
        order = np.arange(codes.size)
    return encoded.names(codes[order]), np.split(np.argsort(order)[ranks], [first.size])
