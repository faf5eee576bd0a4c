"""Columns of Arrow and polars as NumPy arrays or lists, with no two labels made one on the way; indexes.

Their own conversion to NumPy turns whole numbers beside missing ones into floats, which hold no more than 53
bits, and times of nanoseconds into microseconds.
"""

import sys
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError
from chancecorr.machine.arrays import Booleans


class Column(NamedTuple):
    """Labels of a column, and which of them are missing where the labels themselves do not say so.

    Where `values` is given, the labels are places in it, and some of the values may be equal or missing.
    Where `names` is given, the labels are whole numbers that it takes back to what was in the column.
    """

    labels: npt.NDArray[Any] | list[Any]
    missing: Booleans | None
    values: Any = None
    names: Callable[[npt.NDArray[Any]], npt.NDArray[Any]] | None = None


def column_of(name: str, labels: Any) -> Column | None:
    """Labels of a pyarrow array or a polars Series; None where `labels` is neither."""
    pyarrow, polars = sys.modules.get("pyarrow"), sys.modules.get("polars")
    if pyarrow is not None and isinstance(labels, pyarrow.Array | pyarrow.ChunkedArray):
        return _arrow_column(name, labels, pyarrow)
    if polars is not None and isinstance(labels, polars.Series):
        return _polars_column(name, labels, polars)
    return None


def columns_of(frame: Any) -> list[tuple[Hashable, Any]] | None:
    """Names and columns of a data frame of pandas or polars or an Arrow table, in order; None for others.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"a": [0, 1], "b": [2, 2]})
    >>> [(name, column.tolist()) for name, column in columns_of(frame)]
    [('a', [0, 1]), ('b', [2, 2])]
    """
    pandas, polars, pyarrow = (sys.modules.get(name) for name in ("pandas", "polars", "pyarrow"))
    if pandas is not None and isinstance(frame, pandas.DataFrame):
        return [(name, frame.iloc[:, k]) for k, name in enumerate(frame.columns)]
    if polars is not None and isinstance(frame, polars.DataFrame):
        return list(zip(frame.columns, frame.get_columns(), strict=True))
    if pyarrow is not None and isinstance(frame, pyarrow.Table | pyarrow.RecordBatch):
        return list(zip(frame.schema.names, frame.columns, strict=True))
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


def factorized(array: Any, pandas: Any) -> tuple[npt.NDArray[Any], list[str]] | None:
    """Places of texts in a list of the distinct ones, -1 where missing; None where not all labels are texts.

    For a pandas array of texts or a NumPy array of objects.
    """
    # Some versions of pandas compare texts up to a NUL only.
    if len(pandas.factorize(np.array(["\0a", "\0b"], dtype=object))[1]) < 2:
        return None
    if isinstance(array, np.ndarray) and pandas.api.types.infer_dtype(array, skipna=True) != "string":
        return None
    codes, values = pandas.factorize(array)
    return codes, list(values)


def _arrow_column(name: str, array: Any, pyarrow: Any) -> Column:
    types = pyarrow.types
    if isinstance(array, pyarrow.ChunkedArray) and array.num_chunks == 1:
        array = array.chunk(0)  # a chunk becomes a NumPy array without a copy, several never do
    kind = array.type
    nested = kind.value_type if types.is_dictionary(kind) else kind
    if types.is_nested(nested):
        raise _nested(name, "an Arrow array", nested)
    if _is_object(kind, types):
        array = array.dictionary_encode()
    if types.is_dictionary(array.type):
        return _arrow_dictionary(name, array, pyarrow)
    if types.is_time64(kind):

        def times(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
            return np.array(pyarrow.array(numbers, pyarrow.int64()).cast(kind).to_pylist(), dtype=object)

        return _arrow_column(name, array.cast(pyarrow.int64()), pyarrow)._replace(names=times)
    if types.is_integer(kind) or types.is_boolean(kind):
        filled = array.fill_null(pyarrow.scalar(0).cast(kind)) if array.null_count else array
        missing = array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None
        return Column(filled.to_numpy(zero_copy_only=False), missing)
    if types.is_floating(kind) or types.is_timestamp(kind) or types.is_duration(kind):
        return Column(array.to_numpy(zero_copy_only=False), None)  # NaN and NaT where null
    return Column(array.to_pylist(), None)


def _arrow_dictionary(name: str, array: Any, pyarrow: Any) -> Column:
    """Column of a dictionary array, whose chunks may have different dictionaries: these are put end to end.

    Arrow itself unites no dictionaries with nulls, and none that outgrow the type of the places.
    """
    if not isinstance(array, pyarrow.ChunkedArray):
        places = _arrow_column(name, array.indices, pyarrow)
        return places._replace(values=_dictionary_values(array.dictionary, pyarrow))
    labels, missing = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.bool_)]
    dictionaries = [pyarrow.array([], array.type.value_type)]
    start = 0
    for chunk in array.chunks:
        if not chunk.dictionary.equals(dictionaries[-1]):
            start = sum(map(len, dictionaries))
            dictionaries.append(chunk.dictionary)
        places = _arrow_column(name, chunk.indices, pyarrow)
        labels.append(np.asarray(places.labels).astype(np.int64) + start)
        missing.append(np.zeros(len(chunk), dtype=np.bool_) if places.missing is None else places.missing)
    any_missing = np.concatenate(missing)
    values = _dictionary_values(pyarrow.concat_arrays(dictionaries), pyarrow)
    return Column(np.concatenate(labels), any_missing if any_missing.any() else None, values)


def _dictionary_values(values: Any, pyarrow: Any) -> Any:
    return values.to_pylist() if _is_object(values.type, pyarrow.types) else values


def _is_object(kind: Any, types: Any) -> bool:
    """Whether labels of an Arrow type are Python objects that Arrow finds the distinct ones of."""
    tests = types.is_string, types.is_large_string, types.is_binary, types.is_large_binary, types.is_decimal
    return any(test(kind) for test in tests)


def _polars_column(name: str, series: Any, polars: Any) -> Column:
    kind = series.dtype
    if kind.is_nested():
        raise _nested(name, "a polars Series", kind)
    if kind == polars.Time:

        def times(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
            return np.array(polars.Series(numbers).cast(polars.Time).to_list(), dtype=object)

        return _polars_column(name, series.to_physical(), polars)._replace(names=times)
    is_boolean = kind == polars.Boolean
    if is_boolean or (kind.is_integer() and "128" not in str(kind)):  # NumPy has no integers of 128 bits
        missing = series.is_null().to_numpy() if series.null_count() else None
        filled = series if missing is None else series.fill_null(False if is_boolean else 0)
        return Column(filled.to_numpy(), missing)
    if kind.is_float() or isinstance(kind, polars.Datetime | polars.Duration):
        return Column(series.to_numpy(), None)  # NaN and NaT where null
    if kind == polars.String:
        series = series.cast(polars.Enum(series.drop_nulls().unique().sort()))
        kind = series.dtype
    if isinstance(kind, polars.Categorical | polars.Enum):
        present = series.drop_nulls().unique()
        places = present.to_physical().to_list()
        values: list[str | None] = [None] * (max(places, default=-1) + 1)
        for place, text in zip(places, present.to_list(), strict=True):
            values[place] = text
        return _polars_column(name, series.to_physical(), polars)._replace(values=values)
    return Column(series.to_list(), None)


def _nested(name: str, container: str, kind: object) -> ArgumentTypeError:
    return ArgumentTypeError(
        name,
        f"must hold one plain label per object; got {container} of nested type {kind}."
        " Take one field of it, or make a string of each entry.",
    )
