"""Cluster labels of any hashable kind, read as what they are and numbered."""

import contextlib
import numbers
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, imported
from chancecorr.machine.arrays import AnyArray, Booleans, Integers
from chancecorr.tables.dataframes import Column, column_of, columns_of, factorized

Names = Callable[[AnyArray], AnyArray]
"""From codes to the labels that they stand for. It holds on to the distinct labels, and not to all."""


class EncodedLabels(NamedTuple):
    """One side's labels as whole numbers: equal for equal labels, and in the labels' order."""

    codes: AnyArray
    code_of: Callable[[Any], int | None]  # of a label; None if no object can have it
    missing: Booleans | None  # None if no label is missing
    labels: Sequence[object] | AnyArray  # by position, for error messages
    names: Names


def encode(name: str, labels: Any) -> EncodedLabels:
    """Labels of any kind, read as what they are: integers stay, other kinds are numbered."""
    if type(labels) is np.ndarray and labels.ndim == 1:
        return _encode_array(name, labels)
    pandas = imported("pandas")
    if pandas is not None and isinstance(labels, pandas.Series | pandas.Index):
        labels = labels.to_numpy() if isinstance(labels.dtype, np.dtype) else labels.array
    if pandas is not None and isinstance(labels, pandas.api.extensions.ExtensionArray):
        return _encode_extension(name, labels, pandas)
    column = column_of(name, labels)
    if column is not None:
        return _encode_column(name, column, labels)
    if isinstance(labels, np.ma.MaskedArray) and labels.ndim == 1:
        labels = labels.tolist()  # masked labels become None
    if isinstance(labels, Sequence) and not isinstance(labels, str | bytes | bytearray):
        return _encode_sequence(name, labels)
    if columns_of(labels) is not None:  # no need to make it an array, which it may refuse to be
        raise ArgumentValueError(name, f"must be one-dimensional; got shape {labels.shape}.")
    if not hasattr(labels, "__array__"):
        unfitted = " Fit it first." if hasattr(labels, "fit") else ""
        raise ArgumentTypeError(
            name, f"must be an array, list or Series of labels; got {with_article(labels)}.{unfitted}"
        )
    try:
        array = np.asarray(labels)
    except (TypeError, ValueError, RuntimeError) as error:  # a class that refuses to be one
        raise ArgumentTypeError(
            name, f"must be an array, list or Series of labels; got {with_article(labels)}, no NumPy array."
        ) from error
    if array.ndim != 1:
        raise ArgumentValueError(name, f"must be one-dimensional; got shape {array.shape}.")
    return _encode_array(name, array)


def _encode_extension(name: str, array: Any, pandas: Any) -> EncodedLabels:
    """Labels of a pandas extension array."""
    if hasattr(array.dtype, "categories"):
        codes = np.asarray(array.codes)
        code_of = {category: code for code, category in enumerate(array.categories)}
        is_number = isinstance(array.categories.dtype, np.dtype) and array.categories.dtype.kind in "biuf"
        names = _names_among(np.asarray(array.categories) if is_number else list(array.categories))
        return EncodedLabels(codes, code_of.get, _mask(codes < 0), array, names)
    if hasattr(array.dtype, "pyarrow_dtype"):
        return encode(name, array.__arrow_array__())._replace(labels=array)
    if array.dtype.kind in "iub" and hasattr(array.dtype, "numpy_dtype"):
        codes = array.to_numpy(dtype=array.dtype.numpy_dtype, na_value=0)
        missing = _mask(np.asarray(array.isna()))
        return EncodedLabels(codes, _code_in(codes.dtype), missing, array, _names_of_type(codes.dtype))
    texts = factorized(array, pandas) if isinstance(array.dtype, pandas.StringDtype) else None
    if texts is not None:
        return _encode_texts(name, *texts, array)
    return _encode_objects(name, list(array))


def _encode_column(name: str, column: Column, labels: Sequence[object] | AnyArray) -> EncodedLabels:
    """Labels of a column of Arrow or polars."""
    if column.texts is not None:
        return _encode_texts(name, np.asarray(column.labels), column.texts, labels)
    given = column.labels
    encoded = _encode_array(name, given) if isinstance(given, np.ndarray) else _encode_objects(name, given)
    if column.names is not None:
        encoded = encoded._replace(names=column.names)
    return encoded if column.missing is None else encoded._replace(missing=column.missing, labels=labels)


def _encode_texts(
    name: str, places: AnyArray, values: list[str], labels: Sequence[object] | AnyArray
) -> EncodedLabels:
    """Texts given as places in a list of the distinct ones, -1 if missing."""
    encoded, missing = _encode_objects(name, values), places < 0
    if encoded.missing is not None:  # a missing value may be no object's
        missing = missing | encoded.missing[places]
    in_order = np.array_equal(encoded.codes, np.arange(encoded.codes.size))
    codes = places if in_order else encoded.codes[places]
    return encoded._replace(codes=codes, missing=_mask(missing), labels=labels)


def _encode_sequence(name: str, labels: Sequence[object]) -> EncodedLabels:
    """Labels of a list; NumPy may convert them only if it keeps unequal labels unequal (1 and "1" are)."""
    kinds = set(map(type, labels))
    if all(issubclass(kind, int | np.integer | np.bool_) for kind in kinds):
        array = np.asarray(labels) if kinds else np.zeros(0, dtype=np.int64)
        if array.dtype.kind in "iub":  # not so for whole numbers beyond 64 bits
            return _encode_array(name, array)
    if all(issubclass(kind, float | np.floating) for kind in kinds):
        return _encode_array(name, np.asarray(labels))
    return _encode_objects(name, labels)


def _encode_array(name: str, array: AnyArray) -> EncodedLabels:
    """Labels of a one-dimensional NumPy array."""
    if array.dtype.kind in "iub":
        return EncodedLabels(array, _code_in(array.dtype), None, array, _names_of_type(array.dtype))
    if array.dtype.kind == "f":
        whole = _whole(array)
        if whole is not None:
            names = _names_of_type(array.dtype)
            return EncodedLabels(whole[0], as_integer, whole[1], array, names)
        missing = np.isnan(array)
        values, codes = np.unique(np.where(missing, 0, array), return_inverse=True)
        code_of = {label: code for code, label in enumerate(values.tolist())}
        return EncodedLabels(codes, code_of.get, _mask(missing), array, _names_among(values))
    if array.dtype.kind in "US":  # a dict finds equal texts faster than sorting does
        encoded, plain = _encode_objects(name, array.tolist()), array.dtype.newbyteorder("=")
        return encoded._replace(labels=array, names=lambda codes: encoded.names(codes).astype(plain))
    pandas = imported("pandas")
    texts = factorized(array, pandas) if array.dtype.kind == "O" and pandas is not None else None
    if texts is not None:
        return _encode_texts(name, *texts, array)
    # dates of nanoseconds would turn into integers by tolist
    labels = list(array) if array.dtype.kind in "mM" else array.tolist()
    return _encode_objects(name, labels)


def _whole(array: AnyArray) -> tuple[Integers, Booleans | None] | None:
    """Floats as integers, 0 if missing, and the mask of the missing; None if not all of them are whole."""
    missing = np.isnan(array)
    filled = np.where(missing, 0, array) if missing.any() else array
    with np.errstate(invalid="ignore"):  # beyond int64
        codes = filled.astype(np.int64)
    return (codes, _mask(missing)) if np.array_equal(codes, filled) else None


def _encode_objects(name: str, labels: Sequence[Any]) -> EncodedLabels:
    """Labels of any hashable kind, numbered by rank if they can be sorted, else by first appearance."""
    try:
        distinct = dict.fromkeys(labels)
    except (TypeError, ValueError):
        position, label = next((i, label) for i, label in enumerate(labels) if not is_hashable(label))
        raise ArgumentTypeError(
            name, f"must hold hashable labels; got {with_article(label)} at position {position}."
        ) from None
    present = [label for label in distinct if not _is_missing(label)]
    # Labels of several kinds cannot be sorted; NumPy's numbers raise a ValueError beside a range, and
    # an OverflowError beside an integer that they cannot hold.
    with contextlib.suppress(TypeError, ValueError, OverflowError), np.errstate(all="ignore"):
        present = sorted(present)
    code_of = dict.fromkeys(distinct, -1) | {label: code for code, label in enumerate(present)}
    codes = np.fromiter(map(code_of.__getitem__, labels), dtype=np.int64, count=len(labels))
    names = _names_among(present)
    return EncodedLabels(codes, code_of.get, _mask(codes < 0), labels, names)


def refuse_missing(name: str, side: EncodedLabels, remedy: tuple[str, str, str] | None = None) -> None:
    """Raise if a label is missing."""
    if side.missing is not None:
        position = int(side.missing.argmax())
        got = f"got {side.labels[position]} at position {position}"
        raise ArgumentValueError(name, f"must not hold missing labels; {got}.", remedy=remedy)


def as_objects(labels: Iterable[object]) -> AnyArray:
    """Array of the labels themselves, tuples among them."""
    return np.fromiter(labels, dtype=object)


def _names_of_type(dtype: np.dtype[Any]) -> Names:
    """Names if codes are the labels, in another type."""
    return lambda codes: codes.astype(dtype.newbyteorder("="))


def _names_among(labels: AnyArray | list[object]) -> Names:
    """Names if codes are places among the distinct labels."""
    if isinstance(labels, np.ndarray):
        return lambda codes: labels[codes]
    return lambda codes: as_objects(map(labels.__getitem__, codes.tolist()))


def _code_in(dtype: np.dtype[Any]) -> Callable[[Any], int | None]:
    """Function that finds the code of a label among whole numbers of a type."""
    return {False: 0, True: 1}.get if dtype.kind == "b" else as_integer  # NumPy compares no bool with 2**63


def as_integer(label: object) -> int | None:
    """Integer of 64 bits that a label equals, if any."""
    if isinstance(label, np.timedelta64):  # an integer by its class alone
        return None
    if isinstance(label, numbers.Integral | np.bool_) or (
        isinstance(label, float | np.floating) and float(label).is_integer()
    ):
        number = int(label)
        return number if -(2**63) <= number < 2**64 else None  # no array holds others
    return None


def _is_missing(label: Any) -> bool:
    """Whether a label is None, pandas.NA, or unequal to itself as NaN and NaT are."""
    return label is None or type(label).__name__ == "NAType" or bool(label != label)


def is_hashable(label: object) -> bool:
    """Whether a label can be hashed, its parts included."""
    try:
        hash(label)
    except (TypeError, ValueError):  # ValueError of a length of time without a unit
        return False
    return True


def _mask(missing: Booleans) -> Booleans | None:
    """Mask, or None if nothing is missing."""
    return missing if missing.any() else None


def with_article(value: object) -> str:
    """Kind of a value, with its article."""
    kind = type(value).__name__
    return f"an {kind}" if kind[0].lower() in "aeiou" else f"a {kind}"
