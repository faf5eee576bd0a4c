"""Columns and frames of pandas, polars and Arrow, recognised only if these packages are imported."""

from collections.abc import Hashable
from typing import Any

from chancecorr.machine.arguments import find_imported
from chancecorr.machine.arrays import AnyArray


def find_column(labels: Any) -> tuple[Any, str] | None:
    """Return an Arrow array or polars Series as a narwhals column, with the name of its type; else None."""
    pyarrow, polars = find_imported("pyarrow"), find_imported("polars")
    is_arrow = pyarrow is not None and isinstance(labels, pyarrow.Array | pyarrow.ChunkedArray)
    if not is_arrow and not (polars is not None and isinstance(labels, polars.Series)):
        return None
    import narwhals as nw

    if not is_arrow:
        return nw.from_native(labels, series_only=True), f"a polars Series of nested type {labels.dtype}"
    types = pyarrow.types
    chunks = pyarrow.chunked_array([labels]) if isinstance(labels, pyarrow.Array) else labels
    kind = chunks.type
    if types.is_dictionary(kind) and types.is_string_view(kind.value_type):  # which Arrow cannot cast
        chunks = pyarrow.chunked_array([chunk.to_pylist() for chunk in chunks.chunks], pyarrow.string())
    elif types.is_dictionary(kind):
        chunks = chunks.cast(kind.value_type)  # chunks may have different dictionaries
    elif types.is_string_view(kind):
        chunks = chunks.cast(pyarrow.large_string())  # which Arrow can filter
    return nw.from_native(chunks, series_only=True), f"an Arrow array of nested type {chunks.type}"


def find_dictionary(labels: Any) -> tuple[list[str | None], AnyArray] | None:
    """Return the distinct texts and codes (-1 if missing) of an Arrow dictionary array; else None."""
    pyarrow = find_imported("pyarrow")
    if pyarrow is not None and isinstance(labels, pyarrow.ChunkedArray) and labels.num_chunks == 1:
        labels = labels.chunk(0)
    if pyarrow is None or not isinstance(labels, pyarrow.DictionaryArray):
        return None
    if not pyarrow.types.is_string(labels.dictionary.type):
        return None
    return labels.dictionary.to_pylist(), labels.indices.cast("int64").fill_null(-1).to_numpy()


def list_columns(frame: object) -> list[tuple[Hashable, Any]] | None:
    """List names and columns of a data frame of pandas or polars or an Arrow table; None for other types."""
    pandas, polars, pyarrow = (find_imported(name) for name in ("pandas", "polars", "pyarrow"))
    if pandas is not None and isinstance(frame, pandas.DataFrame):
        return [(name, frame.iloc[:, k]) for k, name in enumerate(frame.columns)]
    if polars is not None and isinstance(frame, polars.DataFrame):
        return list(zip(frame.columns, frame.get_columns(), strict=True))
    if pyarrow is not None and isinstance(frame, pyarrow.Table | pyarrow.RecordBatch):
        return list(zip(frame.schema.names, frame.columns, strict=True))
    return None


def find_name(labels: object) -> str | None:
    """Return the name of a Series or an index if it is a text, else None."""
    name = getattr(labels, "name", None)
    return name if isinstance(name, str) and name else None


def find_frame_labels(counts: object) -> list[Any]:
    """Return the two indexes of a DataFrame of counts; None for an index with repeated or missing labels."""
    pandas = find_imported("pandas")
    if pandas is None or not isinstance(counts, pandas.DataFrame):
        return [None, None]
    axes = [axis.to_flat_index() for axis in counts.axes]  # labels of several levels become tuples
    return [axis if axis.is_unique and not axis.hasnans else None for axis in axes]


def name_axes(counts: object) -> list[Any]:
    """Return the names of rows and columns of a frame; None if they are only numbered, or not a frame."""
    pandas = find_imported("pandas")
    if pandas is not None and isinstance(counts, pandas.DataFrame):
        return [None if isinstance(axis, pandas.RangeIndex) else axis.tolist() for axis in counts.axes]
    columns = list_columns(counts)
    return [None, None if columns is None else [name for name, _ in columns]]
