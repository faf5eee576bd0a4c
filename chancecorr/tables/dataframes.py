"""Columns of Arrow and polars as NumPy arrays or lists, with no two labels made one on the way; indexes.

Their own conversion to NumPy turns whole numbers beside missing ones into floats, which hold no more than 53
bits, and times of nanoseconds into microseconds.
"""

import sys
from typing import Any, NamedTuple

import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError
from chancecorr.compiled import Booleans


class Column(NamedTuple):
    """Labels of a column, and which of them are missing where the labels themselves do not say so."""

    labels: npt.NDArray[Any] | list[Any]
    missing: Booleans | None


def column_of(name: str, labels: Any) -> Column | None:
    """Labels of a pyarrow array or a polars Series; None where `labels` is neither."""
    pyarrow, polars = sys.modules.get("pyarrow"), sys.modules.get("polars")
    if pyarrow is not None and isinstance(labels, pyarrow.Array | pyarrow.ChunkedArray):
        return _arrow_column(name, labels, pyarrow)
    if polars is not None and isinstance(labels, polars.Series):
        return _polars_column(name, labels, polars)
    return None


def index_difference(first: Any, second: Any) -> str | None:
    """Where two pandas Series of one length differ in their indexes, in words; None where they do not."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not (isinstance(first, pandas.Series) and isinstance(second, pandas.Series)):
        return None
    if first.index.equals(second.index):
        return None
    pairs = enumerate(zip(first.index, second.index, strict=True))
    different = (f"{b!r}, not {a!r}, at position {k}" for k, (a, b) in pairs if a != b)
    return next(different, f"{second.index.dtype}, not {first.index.dtype}")


def _arrow_column(name: str, array: Any, pyarrow: Any) -> Column:
    types = pyarrow.types
    if types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    kind = array.type
    if types.is_nested(kind):
        raise _nested(name, "an Arrow array", kind)
    if types.is_time64(kind):
        array, kind = array.cast(pyarrow.int64()), pyarrow.int64()
    if types.is_integer(kind) or types.is_boolean(kind):
        filled = array.fill_null(pyarrow.scalar(0).cast(kind))
        missing = array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None
        return Column(filled.to_numpy(zero_copy_only=False), missing)
    if types.is_floating(kind) or types.is_timestamp(kind) or types.is_duration(kind):
        return Column(array.to_numpy(zero_copy_only=False), None)  # NaN and NaT where null
    return Column(array.to_pylist(), None)


def _polars_column(name: str, series: Any, polars: Any) -> Column:
    kind = series.dtype
    if kind.is_nested():
        raise _nested(name, "a polars Series", kind)
    if kind == polars.Time:
        series, kind = series.to_physical(), polars.Int64
    is_boolean = kind == polars.Boolean
    if is_boolean or (kind.is_integer() and "128" not in str(kind)):  # NumPy has no integers of 128 bits
        filled = series.fill_null(False if is_boolean else 0)
        missing = series.is_null().to_numpy() if series.null_count() else None
        return Column(filled.to_numpy(), missing)
    if kind.is_float() or isinstance(kind, polars.Datetime | polars.Duration):
        return Column(series.to_numpy(), None)  # NaN and NaT where null
    return Column(series.to_list(), None)


def _nested(name: str, container: str, kind: object) -> ArgumentTypeError:
    return ArgumentTypeError(
        name,
        f"must hold one plain label per object; got {container} of nested type {kind}."
        " Take one field of it, or make a string of each entry.",
    )
