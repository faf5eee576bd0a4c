"""Contingency tables of labels that need not fit into memory: chunks, files, and iterables of frames.

Arrow files are read by pyarrow's file reader, because its data sets crash the process on some damaged files.
"""

import os
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from chancecorr.machine.arguments import (
    ArgumentError,
    ArgumentTypeError,
    ArgumentValueError,
    explain_call,
    name_kind,
    suggest_name,
)
from chancecorr.machine.arrays import AnyArray, Integers
from chancecorr.tables.contingency import ContingencyTable, list_cells, make_table
from chancecorr.tables.crosstab import MAX_DENSE_CELLS, add_cells, cross_tabulate, number_labels
from chancecorr.tables.dataframes import list_columns
from chancecorr.tables.labels import as_objects, encode
from chancecorr.tables.reading import Missing, NoiseOfSides, check_reading, contingency_table, read_labels

FILES = {".parquet": "Parquet", ".pq": "Parquet", ".feather": "Arrow", ".arrow": "Arrow"}  # read by pyarrow
ROWS_AT_A_TIME = 1_048_576  # two columns of int64 then take 16 MB
CELLS_HELD = 1 << 20  # cells of several chunks, before cells at the same position are added


@explain_call
def contingency_table_from(
    data: Any,
    labels_true: Hashable = None,
    labels_pred: Hashable = None,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> ContingencyTable:
    """Count labels that are read part by part, and need not fit into memory, into a contingency table.

    Parameters
    ----------
    data : path, iterable of frames, frame or iterable of pairs
        A Parquet or Arrow file, a folder of Parquet files, or an iterable of frames; see Notes.
    labels_true, labels_pred : hashable
        Names of the columns of the reference (rows) and of the candidate (columns); not given for pairs.
    noise, missing
        As in `contingency_table`.

    Returns
    -------
    ContingencyTable
        The table of all parts together; categories are sorted by their names.

    Raises
    ------
    TypeError, ValueError
        If `data` has another type, does not have these columns, or has labels that `contingency_table`
        refuses; the error counts parts from 0.
    ImportError
        If a path is given and pyarrow is not installed.

    See Also
    --------
    chancecorr.contingency_table : Labels that are in memory.

    Notes
    -----
    Frames are of pandas, polars or Arrow, as ``pandas.read_csv(path, chunksize=100_000)`` yields them. A
    single frame, and an iterable of pairs of label vectors, are also accepted.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"kind": ["cat", "cat", "owl"], "cluster": [3, 7, 7]})
    >>> contingency_table_from([frame, frame.head(1)], "kind", "cluster")
    ContingencyTable([[2, 1], [0, 1]], row_labels=['cat', 'owl'], column_labels=[3, 7])
    >>> contingency_table_from([(["cat", "cat"], [3, 7]), (["owl"], [7])]).n
    3
    """
    check_reading(noise, missing)
    names, columns = {"labels_true": labels_true, "labels_pred": labels_pred}, list_columns(data)
    if labels_true is labels_pred is None and columns is None and not isinstance(data, str | os.PathLike):
        return _add_chunks(data, noise, missing)
    if columns is not None:
        return contingency_table(*_pick_pair(columns, names), noise=noise, missing=missing)
    return _add_chunks(_pick_columns(data, names), noise, missing)


class _Side:
    """Clusters of one side, numbered in order of appearance: labels, and noise objects that are clusters."""

    def __init__(self) -> None:
        self.labels: dict[Any, int] = {}
        self.alone: dict[tuple[Hashable, int], int] = {}  # by their labels and positions

    def number(self, clusters: dict[Any, int], keys: list[Any]) -> Integers:
        """Return the numbers of some labels or of some noise objects, and number new ones."""
        numbers = [clusters.setdefault(key, len(self.labels) + len(self.alone)) for key in keys]
        return np.array(numbers, dtype=np.int64)

    def arrange(self) -> tuple[AnyArray, Integers]:
        """Return the cluster names, sorted if possible, noise objects last; and each number's position."""
        encoded = encode("labels", list(self.labels))
        order = np.argsort(encoded.codes, kind="stable")
        names = encoded.names(encoded.codes[order])
        if self.alone:
            names = as_objects([*names.tolist(), *self.alone])
        numbers = np.array([*self.labels.values()], dtype=np.int64)[order].tolist()
        return names, np.argsort([*numbers, *self.alone.values()])


Cells = tuple[Integers, Integers, Integers]  # rows, columns and counts


def _add_chunks(
    chunks: Iterable[tuple[object, object]], noise: NoiseOfSides, missing: Missing
) -> ContingencyTable:
    """Count chunks into a contingency table; only one chunk at a time is in memory."""
    if not isinstance(chunks, Iterable):
        raise ArgumentTypeError("data", f"must be an iterable of pairs of labels; got {name_kind(chunks)}.")
    sides, cells, limit = (_Side(), _Side()), list[Cells](), CELLS_HELD
    k = first = 0
    for chunk in chunks:  # `enumerate` would keep the last chunk in memory
        part, n = _count_chunk(chunk, sides, {"noise": noise, "missing": missing}, k, first)
        del chunk  # before the next chunk is made
        cells.append(part)
        k, first = k + 1, first + n
        if sum(counts.size for *_, counts in cells) > limit:
            cells = [_merge_cells(cells)]
            limit = max(CELLS_HELD, 2 * cells[0][2].size)
    (row_labels, row_places), (column_labels, column_places) = (side.arrange() for side in sides)
    none = np.zeros(0, dtype=np.int64)
    rows, columns, counts = _merge_cells(cells or [(none, none, none)])
    shape = row_places.size, column_places.size
    is_dense = shape[0] * shape[1] <= max(MAX_DENSE_CELLS, 4 * counts.sum())
    table = add_cells(row_places[rows], column_places[columns], counts, shape, is_dense)
    return make_table(table, row_labels, column_labels)


def _count_chunk(
    chunk: Any, sides: tuple[_Side, _Side], options: dict[str, Any], k: int, first: int
) -> tuple[Cells, int]:
    """Count the cells and the objects of one chunk; an error about labels names the chunk."""
    try:
        if list_columns(chunk):  # iterating a frame would give the names of its columns
            raise TypeError
        labels_true, labels_pred = chunk
    except (TypeError, ValueError):
        rule = "must hold pairs of labels, or frames with named columns"
        raise ArgumentTypeError("data", f"{rule}; got {name_kind(chunk)} as chunk {k}.") from None
    try:
        pair = read_labels(labels_true, labels_pred, **options, is_part=True)
    except ArgumentError as error:
        text = f"of chunk {k}, from object {first} on, {error.text}"
        raise type(error)(error.argument, text, *error.others, remedy=error.remedy) from None
    counted, *labels, _ = cross_tabulate(*(side.codes for side in pair.sides))
    numbers = []
    for side, part, codes in zip(sides, pair.sides, labels, strict=True):
        alone = part.alone
        of_labels = side.number(side.labels, part.names(codes[: codes.size - len(alone.labels)]).tolist())
        keys = zip(alone.labels, (alone.positions + first).tolist(), strict=True)
        numbers.append(np.append(of_labels, side.number(side.alone, list(keys))))
    rows, columns, counts = list_cells(counted)
    return (numbers[0][rows], numbers[1][columns], counts), len(pair.objects)


def _merge_cells(cells: list[Cells]) -> Cells:
    """Merge the cells of several parts, so that each position occurs once."""
    rows, columns, counts = map(np.concatenate, zip(*cells, strict=True))
    width = int(columns.max(initial=0)) + 1
    numbers, _, places = number_labels(rows * width + columns)
    return *np.divmod(places, width), np.bincount(numbers, counts).astype(np.int64)


def _pick_columns(data: Any, names: dict[str, Hashable]) -> Iterator[tuple[object, object]]:
    """Yield both columns of each frame, or of each part of a file."""
    if isinstance(data, str | os.PathLike):
        data = _read_batches(data, names)
    elif isinstance(data, dict) or not isinstance(data, Iterable):
        raise ArgumentTypeError(
            "data",
            f"must be a path, a frame, or an iterable of frames; got {name_kind(data)}. Get frames from an"
            " Arrow data set by `.to_batches()`, from a LazyFrame by `.collect_batches()`, and from a Dask"
            " frame by `(part.compute() for part in data.partitions)`.",
        )
    for frame in data:
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
    """Return the two columns with the given names."""
    _check_names([name for name, _ in columns], names)
    by_name = dict(columns)
    return by_name[names["labels_true"]], by_name[names["labels_pred"]]


def _check_names(columns: Sequence[Hashable], names: dict[str, Hashable]) -> None:
    """Raise if a name does not belong to exactly one column."""
    for argument, name in names.items():
        if columns.count(name) != 1:
            listed = ", ".join(map(repr, columns[:20])) + (", ..." if len(columns) > 20 else "")
            raise ArgumentValueError(
                argument,
                f"must be the name of one column of `data`; got {name!r} of {listed or 'none'}."
                f"{suggest_name(name, list(map(str, columns)))}",
                "data",
            )


def _read_batches(path: str | os.PathLike[str], names: dict[str, Hashable]) -> Iterator[Any]:
    """Yield validated record batches of these columns with at most `ROWS_AT_A_TIME` rows.

    Parquet files are read one after the other, and texts as codes: an Arrow data set would read ahead until
    most of a file is in memory.
    """
    try:
        from pyarrow import dataset, ipc, parquet
    except ImportError:
        raise ImportError(
            "`data` can be a path only if pyarrow is installed. Run: pip install 'chancecorr[tables]'"
        ) from None
    ending = "" if os.path.isdir(path) else os.path.splitext(os.fspath(path).lower())[1]
    if ending not in ("", *FILES):
        raise ArgumentValueError(
            "data",
            f"must be a Parquet or Arrow file if it is a path; got {os.fspath(path)!r}. Read others in parts,"
            " as by pandas.read_csv(path, chunksize=100_000), and pass these.",
        )
    kind = FILES.get(ending, "Parquet")
    found = read_schema(path, kind).names
    _check_names(found, names)
    columns: list[Any] = list(dict.fromkeys(names.values()))  # once if both names are the same
    if kind == "Parquet":
        for one in dataset.dataset(path, format="parquet").files:
            with parquet.ParquetFile(one, read_dictionary=columns, pre_buffer=False) as file:
                yield from map(_validate, file.iter_batches(ROWS_AT_A_TIME, columns=columns))
        return
    options = ipc.IpcReadOptions(included_fields=list(map(found.index, columns)))
    with ipc.open_file(os.fspath(path), options=options) as file:
        for batch in map(file.get_batch, range(file.num_record_batches)):
            starts = range(0, batch.num_rows, ROWS_AT_A_TIME)
            yield from (_validate(batch.slice(first, ROWS_AT_A_TIME)) for first in starts)


def _validate(batch: Any) -> Any:
    """Return the batch; raise an ArrowException if it is damaged."""
    batch.validate(full=True)
    return batch


def read_schema(path: str | os.PathLike[str], kind: str) -> Any:
    """Read the names and types of the columns of a file, or of a folder of Parquet files."""
    from pyarrow import dataset, ipc

    if kind == "Parquet":
        return dataset.dataset(path, format="parquet").schema
    with ipc.open_file(os.fspath(path)) as file:
        return file.schema
