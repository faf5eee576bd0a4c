"""Contingency tables of labels that need not fit into memory: chunks, files, data sets and lazy frames."""

import os
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from chancecorr.arguments import ArgumentError, ArgumentTypeError, ArgumentValueError, did_you_mean, imported
from chancecorr.tables import arrow_files
from chancecorr.tables.addition import ClusterNames, Part, sum_of_parts
from chancecorr.tables.contingency import ContingencyTable, table_of_part
from chancecorr.tables.crosstab import cross_tabulate
from chancecorr.tables.dataframes import columns_of
from chancecorr.tables.labels import with_article
from chancecorr.tables.reading import (
    Align,
    Missing,
    NoiseOfSides,
    Options,
    check_reading,
    contingency_table,
    read_label_pair,
)


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
        Where the columns are: a Parquet or Arrow file or a folder of Parquet files; a
        ``pyarrow.dataset.Dataset``; a ``polars.LazyFrame``, which polars computes batch by batch if it is of
        a version that can, and else whole; a ``dask.dataframe.DataFrame``, computed partition by partition;
        frames of pandas, polars or Arrow one after another, as ``pandas.read_csv(path, chunksize=100_000)``
        or ``ParquetFile.iter_batches()`` of Arrow give them; or one such frame. Of all but frames only the
        two columns are read.
    labels_true, labels_pred : hashable
        Names of the columns of the reference (rows) and of the candidate (columns).
    noise, missing
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
    options: Options = {"noise": noise, "missing": missing, "align": "position"}
    check_reading(**options)
    names = {"labels_true": labels_true, "labels_pred": labels_pred}
    columns = columns_of(data)
    if columns is not None:
        return contingency_table(*_picked(columns, names), **options)
    return from_chunks(_pairs(_frames(data, names), names), **options)


def from_chunks(
    chunks: Iterable[tuple[object, object]],
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
    align: Align = "raise",
) -> ContingencyTable:
    """Contingency table of labels that come in chunks, of which one at a time is in memory.

    Parameters
    ----------
    chunks : iterable of (array-like, array-like)
        Labels of the reference and of the candidate, of the same objects, as `contingency_table` takes
        them.
    noise, missing, align
        As `contingency_table` has them. With ``noise="singletons"`` a noise object is called by its
        position among the objects of all chunks.

    Returns
    -------
    ContingencyTable
        That of the chunks put end to end. Its labels are sorted if those of every chunk were; else they
        stand in order of appearance, chunk by chunk.

    Raises
    ------
    TypeError, ValueError
        If `contingency_table` would refuse a chunk; the error counts chunks from 0.
    """
    options: Options = {"noise": noise, "missing": missing, "align": align}
    labels_of_noise = [each.label for each in check_reading(**options)]
    try:
        pairs = iter(chunks)
    except TypeError:
        raise ArgumentTypeError(
            "chunks", f"must be an iterable of pairs of labels; got {with_article(chunks)}."
        ) from None
    return table_of_part(sum_of_parts(_parts_of_chunks(pairs, options)), *labels_of_noise)


ContingencyTable.from_chunks = staticmethod(from_chunks)


def _parts_of_chunks(chunks: Iterator[Any], options: Options) -> Iterator[Part]:
    """Parts of the chunks, in turn."""
    k = first = 0
    for chunk in chunks:  # `enumerate` would hold on to the last one
        try:
            labels_true, labels_pred = chunk
        except (TypeError, ValueError):
            raise ArgumentTypeError(
                "chunks", f"must hold pairs of labels; got {with_article(chunk)} as chunk {k}."
            ) from None
        part = _count_chunk(labels_true, labels_pred, options, f"chunk {k}, from object {first} on,")
        k, first = k + 1, first + part.objects
        yield part
        del chunk, labels_true, labels_pred, part  # before the next one is made


def _count_chunk(labels_true: object, labels_pred: object, options: Options, chunk: str) -> Part:
    """Counts of the objects of one chunk, and their names; an error about its labels names the chunk."""
    try:
        pair = read_label_pair(labels_true, labels_pred, **options, in_parts=True)
        for name, origin in zip(("labels_true", "labels_pred"), pair.origins, strict=True):
            if origin == "sets":
                raise ArgumentTypeError(
                    name, "must hold labels; got sets, which have no names. Pass {object: label}."
                )
    except ArgumentError as error:
        raise type(error)(
            error.argument, f"of {chunk} {error.text}", *error.others, remedy=error.remedy
        ) from None
    counts, *labels = cross_tabulate(*pair.codes)
    rows, columns = (
        ClusterNames(names(codes()[: size - alone.size]), alone)
        for names, codes, size, alone in zip(pair.names, labels, counts.shape, pair.alone, strict=True)
    )
    return Part(counts, rows, columns, len(pair.objects))


def _is_a(data: object, module: str, kind: str) -> bool:
    """Whether data are of a class of a module, which then has been imported."""
    found = getattr(imported(module), kind, None)
    return found is not None and isinstance(data, found)


def _kind_of_file(path: str | os.PathLike[str]) -> str:
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
    if ending not in ("", *arrow_files.FILES):
        raise ArgumentValueError(
            "data",
            f"must be a Parquet or Arrow file if it is a path; got {os.fspath(path)!r}. Read others in parts,"
            " as by pandas.read_csv(path, chunksize=100_000), and pass these.",
        )
    return arrow_files.FILES.get(ending, "Parquet")


def _frames(data: Any, names: dict[str, Hashable]) -> Iterator[Any]:
    """Frames in turn that hold the columns."""
    columns: list[Any] = list(dict.fromkeys(names.values()))  # once if both are one
    if isinstance(data, str | os.PathLike):
        kind = _kind_of_file(data)
        if kind == "Arrow":
            _check_names(arrow_files.column_names(data, kind), names)
            return arrow_files.valid(arrow_files.record_batches(data, columns))
        from pyarrow import dataset

        data = dataset.dataset(data, format="parquet")
    if _is_a(data, "pyarrow.dataset", "Dataset"):
        _check_names(data.schema.names, names)
        # Arrow would by default read sixteen batches of four files ahead.
        size = arrow_files.ROWS_AT_A_TIME
        batches = data.to_batches(columns=columns, batch_size=size, batch_readahead=2, fragment_readahead=1)
        return arrow_files.valid(batches)
    if _is_a(data, "dask.dataframe", "DataFrame"):
        _check_names(list(data.columns), names)
        return (part.compute() for part in data[columns].partitions)
    if _is_a(data, "polars", "LazyFrame"):
        _check_names(data.collect_schema().names(), names)
        pair = data.select(columns)
        if not hasattr(pair, "collect_batches"):
            return iter([pair.collect()])
        return iter(pair.collect_batches(chunk_size=arrow_files.ROWS_AT_A_TIME))
    if isinstance(data, dict) or not isinstance(data, Iterable):
        raise ArgumentTypeError(
            "data",
            "must be a path, a data set of Arrow, a polars LazyFrame, a Dask frame, or frames in turn;"
            f" got {with_article(data)}.",
        )
    return iter(data)


def _pairs(frames: Iterator[object], names: dict[str, Hashable]) -> Iterator[tuple[object, object]]:
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


def _picked(columns: list[tuple[Hashable, object]], names: dict[str, Hashable]) -> tuple[object, object]:
    """The two columns."""
    _check_names([name for name, _ in columns], names)
    found = dict(columns)
    return found[names["labels_true"]], found[names["labels_pred"]]


def _check_names(columns: Sequence[Hashable], names: dict[str, Hashable]) -> None:
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
