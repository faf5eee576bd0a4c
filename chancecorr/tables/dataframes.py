"""Columns of Arrow and polars as NumPy arrays or lists, with no two labels made one on the way; indexes.

Their own conversion to NumPy turns whole numbers among missing ones into floats, which hold 53 bits.
"""

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

import numpy as np

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, find_imported
from chancecorr.machine.arrays import AnyArray, Booleans


class Column(NamedTuple):
    """Labels of a column, or numbers that stand for them."""

    labels: AnyArray | list[Any]
    missing: Booleans | None = None  # which are missing, if the labels do not say so
    texts: list[str] | None = None  # the labels are places in it, -1 if missing
    names: Callable[[AnyArray], AnyArray] | None = None  # from whole numbers to the labels


def import_pandas() -> Any:
    """Import pandas, or say which extra brings it."""
    try:
        import pandas
    except ImportError:
        raise ImportError("A frame needs pandas: pip install 'chancecorr[pandas]'") from None
    return pandas


def read_column(name: str, labels: Any) -> Column | None:
    """Labels of a pyarrow array or a polars Series; None for anything else."""
    pyarrow, polars = find_imported("pyarrow"), find_imported("polars")
    if pyarrow is not None and isinstance(labels, pyarrow.Array | pyarrow.ChunkedArray):
        types = pyarrow.types
        if isinstance(labels, pyarrow.ChunkedArray) and labels.num_chunks == 1:
            labels = labels.chunk(0)
        if isinstance(labels, pyarrow.DictionaryArray) and types.is_string(labels.dictionary.type):
            places = labels.indices.cast("int64").fill_null(-1)
            return Column(places.to_numpy(), texts=labels.dictionary.to_pylist())
        chunks = pyarrow.chunked_array([labels]) if isinstance(labels, pyarrow.Array) else labels
        kind = chunks.type
        if types.is_dictionary(kind) and types.is_string_view(kind.value_type):  # which Arrow cannot cast
            chunks = pyarrow.chunked_array([chunk.to_pylist() for chunk in chunks.chunks], pyarrow.string())
        elif types.is_dictionary(kind):
            chunks = chunks.cast(kind.value_type)  # chunks may have different dictionaries
        elif types.is_string_view(kind):
            chunks = chunks.cast(pyarrow.large_string())  # which Arrow can filter
        return _read_column(name, chunks, f"an Arrow array of nested type {chunks.type}")
    if polars is not None and isinstance(labels, polars.Series):
        return _read_column(name, labels, f"a polars Series of nested type {labels.dtype}")
    return None


def list_columns(frame: object) -> list[tuple[Hashable, Any]] | None:
    """Names and columns of a data frame of pandas or polars or an Arrow table, in order; None for others."""
    pandas, polars, pyarrow = (find_imported(name) for name in ("pandas", "polars", "pyarrow"))
    if pandas is not None and isinstance(frame, pandas.DataFrame):
        return [(name, frame.iloc[:, k]) for k, name in enumerate(frame.columns)]
    if polars is not None and isinstance(frame, polars.DataFrame):
        return list(zip(frame.columns, frame.get_columns(), strict=True))
    if pyarrow is not None and isinstance(frame, pyarrow.Table | pyarrow.RecordBatch):
        return list(zip(frame.schema.names, frame.columns, strict=True))
    return None


def describe_index_difference(first: object, second: object) -> str | None:
    """Where Series, frames or clusterings made of frames differ in their indexes; None if they do not."""
    pandas = find_imported("pandas")
    one: Any = getattr(first, "index", None)
    other: Any = getattr(second, "index", None)
    if pandas is None or not (isinstance(one, pandas.Index) and isinstance(other, pandas.Index)):
        return None
    if one.equals(other):
        return None
    pairs = enumerate(zip(one, other, strict=True))
    different = (f"{b!r}, not {a!r}, at position {k}" for k, (a, b) in pairs if a != b)
    return next(different, f"{other.dtype}, not {one.dtype}")


def find_name(labels: object) -> str | None:
    """Name of a Series or an index; None if it has none that is a text."""
    name = getattr(labels, "name", None)
    return name if isinstance(name, str) and name else None


def refuse_totals(counts: object) -> None:
    """Raise if the last row and column of a DataFrame have one name and are the sums of the others."""
    pandas = find_imported("pandas")
    if pandas is None or not isinstance(counts, pandas.DataFrame) or min(counts.shape) < 2:
        return
    name, cells = counts.index[-1], counts.to_numpy()
    sums = (cells[:-1].sum(0) == cells[-1]).all() and (cells[:, :-1].sum(1) == cells[:, -1]).all()
    if isinstance(name, str) and name == counts.columns[-1] and sums:
        raise ArgumentValueError(
            "counts", f"must not hold totals; got the sums of all others in row and column {name!r}."
        )


def find_frame_labels(counts: object, axis: int) -> Any:
    """Index along an axis of a DataFrame; None if it has no labels that are all different."""
    labels = getattr(counts, ("index", "columns")[axis], None)
    pandas = find_imported("pandas")
    if pandas is None or not isinstance(labels, pandas.Index) or not labels.is_unique or labels.hasnans:
        return None
    return labels


def _read_column(name: str, labels: Any, as_nested: str) -> Column:
    """Labels of a column by their type in narwhals."""
    import narwhals as nw

    column = nw.from_native(labels, series_only=True)
    kind = column.dtype
    if kind.is_nested():
        raise ArgumentTypeError(
            name,
            f"must hold one plain label per object; got {as_nested}."
            " Take one field of it, or make a string of each entry.",
        )
    if kind in (nw.String, nw.Categorical, nw.Enum):
        present = column.drop_nulls()
        texts: list[str] = present.unique().cast(nw.String).to_list()
        places = np.full(len(column), -1)
        if texts:
            numbers = present.replace_strict(texts, range(len(texts)), return_dtype=nw.Int64).to_numpy()
            places[~column.is_null().to_numpy()] = numbers
        return Column(places, texts=texts)
    names = None
    if kind == nw.Time:  # objects of Python have no nanoseconds
        column, backend = column.cast(nw.Time).cast(nw.Int64), column.implementation

        def names(numbers: AnyArray) -> AnyArray:
            times = nw.new_series("", numbers.tolist(), nw.Int64, backend=backend).cast(nw.Time)
            return np.array(times.to_list(), dtype=object)

    if kind == nw.Boolean or (column.dtype.is_integer() and kind not in (nw.Int128, nw.UInt128)):
        missing = column.is_null().to_numpy() if column.null_count() else None
        filled = column if missing is None else column.fill_null(False if kind == nw.Boolean else 0)
        return Column(filled.to_numpy(), missing, names=names)
    if kind.is_float() or kind in (nw.Datetime, nw.Duration):
        return Column(column.to_numpy())  # NaN and NaT if null
    return Column(column.to_list())
