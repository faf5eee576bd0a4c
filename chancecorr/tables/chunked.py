"""Contingency tables of two columns that need not fit into memory: of files, data sets and lazy frames."""

import functools
import os
import sys
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Literal, NamedTuple

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, did_you_mean
from chancecorr.machine.arrays import Integers
from chancecorr.tables.addition import ClusterNames, Part, add_parts, sum_of_parts
from chancecorr.tables.arrow_files import FILES, column_names, record_batches
from chancecorr.tables.contingency import (
    ContingencyTable,
    LabelPair,
    check_reading,
    contingency_table,
    part_of_chunk,
    parts_of_chunks,
    read_labels,
    table_of_part,
)
from chancecorr.tables.crosstab import DENSE_CELLS, numbered
from chancecorr.tables.dataframes import columns_of
from chancecorr.tables.labels import with_article
from chancecorr.tables.partitions import computed_sum

BATCH = 1_048_576
"""Rows that are read at a time: two columns of int64 take 16 MB then, and a table of a million cells is added
in no more time than they are read in."""

MOST_THREADS = 8
"""Threads that read row groups of Parquet side by side, at most; each holds a batch and a table."""

STREAMING_POLARS = (1, 23)
"""The first version of polars that is asked for its streaming engine by this name."""

FIRST_ROWS, MANY_GROUPS = 65_536, 4_096
"""Text is grouped by polars unless so many of the first rows differ. Of 10^7 rows, 100 groups take a quarter
of the time of categories, a million groups 1.3 times as long, and 1.4 times the memory."""


def contingency_table_from(
    data: Any,
    labels_true: Hashable,
    labels_pred: Hashable,
    *,
    noise: Literal["keep", "drop", "singletons"] | None = None,
    noise_label: Hashable = -1,
    missing: Literal["raise", "drop"] = "raise",
) -> ContingencyTable:
    """Contingency table of two columns, which are read in parts and need not fit into memory.

    Parameters
    ----------
    data : path, Dataset, ParquetFile, RecordBatchReader, LazyFrame, Dask frame, iterable of frames or frame
        Where the columns are: a Parquet or Arrow file or a folder of Parquet files; a
        ``pyarrow.dataset.Dataset``, ``pyarrow.parquet.ParquetFile`` or ``pyarrow.RecordBatchReader``; a
        ``polars.LazyFrame``, of which polars computes numbers batch by batch, and groups and counts other
        labels itself; a ``dask.dataframe.DataFrame``, whose partitions are counted where they are; frames of
        pandas, polars or Arrow one after another, as ``pandas.read_csv(path, chunksize=100_000)`` gives them;
        or one such frame. Of Arrow and polars only the two columns are read. Row groups of Parquet files and
        data sets are read by as many threads as there are processors, up to eight.
    labels_true, labels_pred : hashable
        Names of the columns of the reference (rows) and of the candidate (columns).
    noise, noise_label, missing
        As `contingency_table` has them. With ``noise="singletons"`` a noise object is called by its position
        among all.

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

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"kind": ["cat", "cat", "owl"], "cluster": [3, 7, 7]})
    >>> contingency_table_from([frame, frame.head(1)], "kind", "cluster")
    ContingencyTable([[2, 1], [0, 1]], row_labels=['cat', 'owl'], column_labels=[3, 7])
    """
    options: dict[str, Any] = {
        "noise": noise,
        "noise_label": noise_label,
        "missing": missing,
        "align": "position",
    }
    check_reading(**options)
    names = {"labels_true": labels_true, "labels_pred": labels_pred}
    columns = columns_of(data)
    if columns is not None:
        return contingency_table(*_picked(columns, names), **options)
    if isinstance(data, str | os.PathLike):
        if _kind_of_file(data) == "Arrow":
            return ContingencyTable.from_chunks(_arrow_pairs(data, names), **options)
        data = _dataset(data, names)
    if _is_a(data, "pyarrow.dataset", "Dataset"):
        _check_names(data.schema.names, names)
        groups = _row_groups(data)
        if len(groups) > 1:
            count = functools.partial(_part_of_row_groups, schema=data.schema, names=names, options=options)
            return table_of_part(sum_of_parts(_in_threads(count, groups)), noise_label)
    if _is_a(data, "dask.dataframe", "DataFrame"):
        _check_names(list(data.columns), names)
        count = functools.partial(_part_of_partition, names=names, options=options)
        partitions = [(each,) for each in data[list(dict.fromkeys(names.values()))].to_delayed()]
        return table_of_part(computed_sum(partitions, count, add_parts), noise_label)
    if _is_a(data, "polars", "LazyFrame"):
        part = _counted_by_polars(data, names, options)
        if part is not None:
            return table_of_part(part, noise_label)
    return ContingencyTable.from_chunks(_pairs(_frames(data, names), names), **options)


def _is_a(data: Any, module: str, kind: str) -> bool:
    """Whether data are of a class of a module, which then has been imported."""
    found = getattr(sys.modules.get(module), kind, None)
    return found is not None and isinstance(data, found)


def _kind_of_file(path: str | os.PathLike[str]) -> str:
    """What a path leads to, Parquet or Arrow."""
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


def _arrow_pairs(path: str | os.PathLike[str], names: dict[str, Hashable]) -> Iterator[tuple[Any, Any]]:
    """Both columns of an Arrow file, some rows at a time."""
    columns: list[Hashable] = [*column_names(path)]
    _check_names(columns, names)
    for true, pred in record_batches(path, [columns.index(name) for name in names.values()], BATCH):
        yield true, pred
        del true, pred  # before the next ones are read


def _dataset(path: str | os.PathLike[str], names: dict[str, Hashable]) -> Any:
    """Data set of a Parquet file, or of a folder of them."""
    from pyarrow import dataset

    found = dataset.dataset(path, format="parquet")
    texts = _texts_of_all_files(found, names)
    if not texts:
        return found
    # Parquet has each distinct text once in a row group: read so, a text is a place in a list.
    options = dataset.ParquetReadOptions(dictionary_columns=texts)
    return dataset.dataset(path, format=dataset.ParquetFileFormat(read_options=options))


def _texts_of_all_files(data: Any, names: dict[str, Hashable]) -> list[Any]:
    """Columns of text, if every file of a data set has them as text."""
    from pyarrow import types

    texts = [
        name
        for name in dict.fromkeys(names.values())
        if data.schema.names.count(name) == 1 and types.is_string(data.schema.field(name).type)
    ]
    schemas = [fragment.physical_schema for fragment in data.get_fragments()] if texts else []
    are_texts = all(
        schema.names.count(name) == 1 and types.is_string(schema.field(name).type)
        for schema in schemas
        for name in texts
    )
    return texts if are_texts else []


class RowGroups(NamedTuple):
    """Row groups of a Parquet file that are read together, the first batch's number, the first object's."""

    fragment: Any
    first_batch: int
    first_object: int


def _row_groups(data: Any) -> list[RowGroups]:
    """Row groups of a data set of Parquet files, small ones together; empty if it is of anything else."""
    try:
        fragments = list(data.get_fragments())
    except ValueError:  # a data set of filtered rows has none
        return []
    if not all(hasattr(fragment, "row_groups") for fragment in fragments):
        return []
    groups: list[RowGroups] = []
    batches = objects = 0
    for fragment in fragments:
        ids: list[int] = []
        rows = own_batches = 0
        for k, group in enumerate(fragment.row_groups, start=1):
            ids.append(group.id)
            rows += group.num_rows
            own_batches += -(-group.num_rows // BATCH)  # a batch ends where a row group does
            if rows >= BATCH or k == len(fragment.row_groups):
                groups.append(RowGroups(fragment.subset(row_group_ids=ids), batches, objects))
                batches, objects = batches + own_batches, objects + rows
                ids, rows, own_batches = [], 0, 0
    return groups


def _part_of_row_groups(
    groups: RowGroups, *, schema: Any, names: dict[str, Hashable], options: dict[str, Any]
) -> Part:
    """Part of some row groups, batch after batch."""
    batches = groups.fragment.to_batches(
        schema=schema, columns=list(dict.fromkeys(names.values())), batch_size=BATCH, use_threads=False
    )
    pairs = _pairs(batches, names)
    part = sum_of_parts(parts_of_chunks(pairs, options, groups.first_batch, groups.first_object))
    return part if part is not None else part_of_chunk([], [], options, "no rows")


def _in_threads(count: Callable[[RowGroups], Part], groups: list[RowGroups]) -> Iterator[Part]:
    """Parts of the groups in their order, as many of them made at a time as there are processors."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = min(cores, len(groups), MOST_THREADS)
    waiting: deque[Future[Part]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for group in groups:
                waiting.append(pool.submit(count, group))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _frames(data: Any, names: dict[str, Hashable]) -> Iterator[Any]:
    """Frames in turn that hold the columns."""
    columns: list[Any] = list(dict.fromkeys(names.values()))
    if _is_a(data, "pyarrow.dataset", "Dataset"):
        _check_names(data.schema.names, names)
        # Arrow would by default read sixteen batches of four files ahead.
        return iter(
            data.to_batches(columns=columns, batch_size=BATCH, batch_readahead=2, fragment_readahead=1)
        )
    if _is_a(data, "pyarrow.parquet", "ParquetFile"):
        _check_names(data.schema_arrow.names, names)
        return iter(data.iter_batches(batch_size=BATCH, columns=columns))
    if _is_a(data, "polars", "LazyFrame"):
        _check_names(data.collect_schema().names(), names)
        return _polars_batches(_with_categories(data.select(columns)))
    if isinstance(data, dict) or not isinstance(data, Iterable):
        raise ArgumentTypeError(
            "data",
            "must be a path, a data set of Arrow, a polars LazyFrame, a Dask frame, or frames in turn;"
            f" got {with_article(data)}.",
        )
    return iter(data)


def _with_categories(frame: Any) -> Any:
    """The lazy frame with text as categories, which polars numbers while it reads, alike in all batches."""
    import polars

    if not hasattr(polars, "Categories"):
        return frame
    texts = [name for name, kind in frame.collect_schema().items() if kind == polars.String]
    return frame.with_columns(
        polars.col(name).cast(polars.Categorical(polars.Categories.random())) for name in texts
    )


def _polars_batches(frame: Any) -> Iterator[Any]:
    """Rows of a lazy frame in turn."""
    if hasattr(frame, "collect_batches"):
        yield from frame.collect_batches(chunk_size=BATCH)
        return
    start = 0
    while True:
        batch = frame.slice(start, BATCH).collect()
        yield batch
        start += batch.height
        if batch.height < BATCH:
            return


def _pairs(frames: Iterator[Any], names: dict[str, Hashable]) -> Iterator[tuple[Any, Any]]:
    """Both columns of each frame."""
    for frame in frames:
        columns = columns_of(frame)
        if columns is None:
            raise ArgumentTypeError(
                "data", f"must hold frames of pandas, polars or Arrow; got {with_article(frame)}."
            )
        del frame
        pair = _picked(columns, names)
        del columns
        yield pair
        del pair  # before the next frame is read


def _picked(columns: list[tuple[Hashable, Any]], names: dict[str, Hashable]) -> tuple[Any, Any]:
    """The two columns."""
    _check_names([name for name, _ in columns], names)
    found = dict(columns)
    return found[names["labels_true"]], found[names["labels_pred"]]


def _check_names(columns: list[Any], names: dict[str, Hashable]) -> None:
    """Raise unless there is one column of each name."""
    for argument, name in names.items():
        if columns.count(name) != 1:
            listed = ", ".join(map(repr, columns[:20])) + (", ..." if len(columns) > 20 else "")
            raise ArgumentValueError(
                argument,
                f"must be the name of one column of `data`; got {name!r} of {listed or 'none'}."
                f"{did_you_mean(name, list(map(str, columns)))}",
                "data",
            )


def _part_of_partition(
    frame: Any, *, names: dict[str, Hashable], options: dict[str, Any], number: int
) -> Part:
    """Part of one partition of a Dask frame."""
    labels_true, labels_pred = _picked(columns_of(frame) or [], names)
    return part_of_chunk(labels_true, labels_pred, options, f"partition {number}")


def _counted_by_polars(frame: Any, names: dict[str, Hashable], options: dict[str, Any]) -> Part | None:
    """Part of a lazy frame, grouped and counted by polars.

    None where it is better read batch by batch, if it is of numbers or of many texts, and where the
    positions of objects are asked for, which groups do not have: by noise objects that are clusters of
    their own, and by the error that names a missing label.
    """
    import polars

    _check_names(frame.collect_schema().names(), names)
    if options["noise"] == "singletons":
        return None
    if hasattr(frame, "collect_batches"):
        kinds = [frame.collect_schema()[name] for name in names.values()]
        numbers = [kind == polars.Boolean or kind.is_integer() or kind.is_float() for kind in kinds]
        texts = [hasattr(polars, "Categories") and kind == polars.String for kind in kinds]
        if all(numbers) or (all(map(any, zip(numbers, texts, strict=True))) and _are_many(frame, names)):
            return None  # counted in less time, and memory, than polars groups them
    sides = [polars.col(str(name)).alias(side) for side, name in names.items()]
    groups = frame.select(sides).group_by("labels_true", "labels_pred").agg(polars.len().alias("n"))
    version = tuple(map(int, polars.__version__.split(".")[:2]))
    grouped = groups.collect(**({"engine": "streaming"} if version >= STREAMING_POLARS else {}))
    both = grouped["labels_true"], grouped["labels_pred"]
    if options["missing"] == "raise":
        present = read_labels(*both, **{**options, "noise": None, "missing": "drop"})
        if present.kept is not None:
            return None
    return _weighted(read_labels(*both, **options), grouped["n"].to_numpy().astype(np.int64))


def _are_many(frame: Any, names: dict[str, Hashable]) -> bool:
    """Whether the first rows of a lazy frame are in so many groups that polars takes long over all."""
    columns = [str(name) for name in dict.fromkeys(names.values())]
    return int(frame.select(columns).head(FIRST_ROWS).unique().collect().height) > MANY_GROUPS


def _weighted(pair: LabelPair, weights: Integers) -> Part:
    """Part of pairs of labels that each stand for as many objects as they weigh."""
    weights = weights if pair.kept is None else weights[pair.kept]
    (x, n_rows, rows), (y, n_columns, columns) = map(numbered, pair.codes)
    n = int(weights.sum())
    if n_rows * n_columns <= max(DENSE_CELLS, 4 * n):
        counts: Any = np.zeros((n_rows, n_columns), dtype=np.int64)
        np.add.at(counts, (x, y), weights)
    else:
        from scipy.sparse import coo_array

        counts = coo_array((weights, (x, y)), shape=(n_rows, n_columns)).tocsr()
    none = np.zeros(0, dtype=np.int64)
    row_names, column_names = pair.names
    return Part(counts, ClusterNames(row_names(rows()), none), ClusterNames(column_names(columns()), none), n)
