"""Number labels from any container that holds a vector: `encode` gives whole numbers in the labels' order."""

import contextlib
import numbers
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, find_imported, name_kind
from chancecorr.machine.arrays import AnyArray, Booleans
from chancecorr.tables.dataframes import find_column, find_dictionary, list_columns

Names = Callable[[AnyArray], AnyArray]  # from codes to their labels


class Categories(NamedTuple):
    """All labels that a clustering may have, as the user declared them; some may have no objects."""

    labels: Sequence[Any] | AnyArray
    is_ordered: bool  # True if the labels are a scale, from its lower to its upper end

    def leave_out(self, labels: Collection[Any]) -> "Categories":
        """Return the categories without some labels, in the same order."""
        if not labels:
            return self
        return self._replace(labels=[label for label in self.labels if label not in labels])


class EncodedLabels(NamedTuple):
    """Labels of a clustering as whole numbers: equal for equal labels, and in the labels' order."""

    codes: AnyArray
    code_of: Callable[[Any], int | None]  # code of a label; None if objects cannot have this label
    missing: Booleans | None  # None if no label is missing
    labels: Sequence[object] | AnyArray  # by position, for error messages
    names: Names
    categories: Categories | None = None  # None if the user declared no labels


def encode(name: str, labels: Any) -> EncodedLabels:
    """Encode labels of any kind: integers stay, other kinds are numbered."""
    if type(labels) is np.ndarray and labels.ndim == 1:
        return _encode_array(name, labels)
    pandas = find_imported("pandas")
    if pandas is not None and isinstance(labels, pandas.Series | pandas.Index):
        labels = labels.to_numpy() if isinstance(labels.dtype, np.dtype) else labels.array
    if pandas is not None and isinstance(labels, pandas.api.extensions.ExtensionArray):
        return _encode_extension(name, labels)
    dictionary = find_dictionary(labels)
    if dictionary is not None:
        encoded, places = _encode_objects(name, dictionary[0]), dictionary[1]
        codes = np.append(encoded.codes, -1)[places]  # the list may have a missing value that does not occur
        return encoded._replace(codes=codes, missing=_drop_empty_mask(codes < 0), labels=labels)
    column = find_column(labels)
    if column is not None:
        return _encode_column(name, *column, labels)
    if isinstance(labels, np.ma.MaskedArray) and labels.ndim == 1:
        labels = labels.tolist()  # masked labels become None
    if isinstance(labels, Sequence) and not isinstance(labels, str | bytes | bytearray):
        return _encode_sequence(name, labels)
    if list_columns(labels) is not None:  # conversion to an array may fail
        raise ArgumentValueError(name, f"must be one-dimensional; got shape {labels.shape}.")
    rule = f"must be an array, list or Series of labels; got {name_kind(labels)}"
    if not hasattr(labels, "__array__"):
        advice = " Pass a list of it." if hasattr(labels, "__next__") else ""  # as networkx gives communities
        if isinstance(labels, str) and not name.endswith("_labels"):
            advice = " Pass a column itself, as `frame['name']`."
        raise ArgumentTypeError(name, f"{rule}.{' Fit it first.' if hasattr(labels, 'fit') else advice}")
    try:
        array = np.asarray(labels)
    except (TypeError, ValueError, RuntimeError) as error:  # a class without conversion
        raise ArgumentTypeError(name, f"{rule}, which is not an array.") from error
    if array.ndim != 1:
        raise ArgumentValueError(name, f"must be one-dimensional; got shape {array.shape}.")
    return _encode_array(name, array)


def _encode_extension(name: str, array: Any) -> EncodedLabels:
    """Encode labels of a pandas extension array."""
    if hasattr(array.dtype, "categories"):
        codes = np.asarray(array.codes)
        code_of = {category: code for code, category in enumerate(array.categories)}
        is_number = isinstance(array.categories.dtype, np.dtype) and array.categories.dtype.kind in "biuf"
        labels = np.asarray(array.categories) if is_number else list(array.categories)
        categories = Categories(labels, bool(array.ordered))
        missing, names = _drop_empty_mask(codes < 0), _look_up_names(labels)
        return EncodedLabels(codes, code_of.get, missing, array, names, categories)
    if hasattr(array.dtype, "pyarrow_dtype") or getattr(array.dtype, "storage", None) == "pyarrow":
        return encode(name, array.__arrow_array__())._replace(labels=array)
    if array.dtype.kind in "iub" and hasattr(array.dtype, "numpy_dtype"):
        codes = array.to_numpy(dtype=array.dtype.numpy_dtype, na_value=0)
        missing = _drop_empty_mask(np.asarray(array.isna()))
        return _encode_array(name, codes)._replace(missing=missing, labels=array)
    return _encode_objects(name, list(array))


def _encode_column(name: str, column: Any, as_nested: str, labels: Sequence[object]) -> EncodedLabels:
    """Encode labels of a column, by its type in narwhals.

    Conversion to NumPy would turn whole numbers among missing ones into floats, which hold 53 bits.
    """
    import narwhals as nw

    kind = column.dtype
    if kind.is_nested():
        raise ArgumentTypeError(
            name,
            f"must hold one plain label per object; got {as_nested}."
            " Take one field of it, or make a string of each entry.",
        )
    missing = column.is_null().to_numpy()
    if kind in (nw.String, nw.Categorical, nw.Enum):
        present, codes = column.drop_nulls(), np.full(len(column), -1)
        texts: list[str] = present.unique().cast(nw.String).to_list()
        encoded = _encode_objects(name, texts)
        if texts:
            ranks = present.replace_strict(texts, encoded.codes.tolist(), return_dtype=nw.Int64)
            codes[~missing] = ranks.to_numpy()
        return encoded._replace(codes=codes, missing=_drop_empty_mask(missing), labels=labels)
    if kind.is_float() or kind in (nw.Datetime, nw.Duration):
        return _encode_array(name, column.to_numpy())  # NaN and NaT if null
    if kind == nw.Time:  # objects of Python have no nanoseconds
        column = column.cast(nw.Time).cast(nw.Int64)
    elif not (kind == nw.Boolean or kind.is_integer()) or kind in (nw.Int128, nw.UInt128):
        return _encode_objects(name, column.to_list())
    filled = column.fill_null(False if kind == nw.Boolean else 0) if missing.any() else column
    encoded = _encode_array(name, filled.to_numpy())
    if missing.any():
        encoded = encoded._replace(missing=missing, labels=labels)
    if kind != nw.Time:
        return encoded

    def name_times(codes: AnyArray) -> AnyArray:
        times = nw.new_series("", codes.tolist(), nw.Int64, backend=column.implementation).cast(nw.Time)
        return np.array(times.to_list(), dtype=object)

    return encoded._replace(names=name_times)


def _encode_sequence(name: str, labels: Sequence[object]) -> EncodedLabels:
    """Encode labels of a list; NumPy converts them only if unequal labels (1 and "1") stay unequal."""
    kinds = set(map(type, labels))
    if all(issubclass(kind, int | np.integer | np.bool_) for kind in kinds):
        array = np.asarray(labels) if kinds else np.zeros(0, dtype=np.int64)
        if array.dtype.kind in "iub":  # whole numbers beyond 64 bits give objects
            return _encode_array(name, array)
    if all(issubclass(kind, float | np.floating) for kind in kinds):
        return _encode_array(name, np.asarray(labels))
    return _encode_objects(name, labels)


def _encode_array(name: str, array: AnyArray) -> EncodedLabels:
    """Encode labels of a one-dimensional NumPy array."""
    if array.dtype.kind in "iub":
        # NumPy compares no bool with 2**63
        code_of = {False: 0, True: 1}.get if array.dtype.kind == "b" else as_integer
        plain = array.dtype.newbyteorder("=")
        return EncodedLabels(array, code_of, None, array, lambda codes: codes.astype(plain))
    if array.dtype.kind == "f":
        missing = np.isnan(array)
        filled = np.where(missing, 0, array) if missing.any() else array
        with np.errstate(invalid="ignore"):  # beyond int64
            codes = filled.astype(np.int64)
        if np.array_equal(codes, filled):
            plain, lacks = array.dtype.newbyteorder("="), _drop_empty_mask(missing)
            return EncodedLabels(codes, as_integer, lacks, array, lambda codes: codes.astype(plain))
        values, codes = np.unique(np.where(missing, 0, array), return_inverse=True)
        places = {label: code for code, label in enumerate(values.tolist())}
        return EncodedLabels(codes, places.get, _drop_empty_mask(missing), array, _look_up_names(values))
    if array.dtype.kind in "US":  # a dict finds equal texts faster than sorting does
        encoded, plain = _encode_objects(name, array.tolist()), array.dtype.newbyteorder("=")
        return encoded._replace(labels=array, names=lambda codes: encoded.names(codes).astype(plain))
    # dates of nanoseconds would turn into integers by tolist
    return _encode_objects(name, list(array) if array.dtype.kind in "mM" else array.tolist())


def _encode_objects(name: str, labels: Sequence[Any]) -> EncodedLabels:
    """Encode hashable labels, numbered by rank if they can be sorted, else by first appearance."""
    try:
        distinct = dict.fromkeys(labels)
    except (TypeError, ValueError):
        position, label = next((i, label) for i, label in enumerate(labels) if not is_hashable(label))
        raise ArgumentTypeError(
            name, f"must hold hashable labels; got {name_kind(label)} at position {position}."
        ) from None
    present = [
        label
        for label in distinct  # except None, pandas.NA, and NaN and NaT, which are unequal to themselves
        if not (label is None or type(label).__name__ == "NAType" or bool(label != label))
    ]
    # Labels of several kinds cannot be sorted. NumPy's numbers raise a ValueError when compared with a range,
    # and an OverflowError when compared with an integer that is too large for them.
    with contextlib.suppress(TypeError, ValueError, OverflowError), np.errstate(all="ignore"):
        present = sorted(present)
    code_of = dict.fromkeys(distinct, -1) | {label: code for code, label in enumerate(present)}
    codes = np.fromiter(map(code_of.__getitem__, labels), dtype=np.int64, count=len(labels))
    names = _look_up_names(present)
    return EncodedLabels(codes, code_of.get, _drop_empty_mask(codes < 0), labels, names)


def refuse_missing(name: str, side: EncodedLabels, remedy: tuple[str, str, str] | None = None) -> None:
    """Raise if a label is missing."""
    if side.missing is not None:
        position = int(side.missing.argmax())
        got = f"got {side.labels[position]} at position {position}"
        raise ArgumentValueError(name, f"must not hold missing labels; {got}.", remedy=remedy)


def as_objects(labels: Iterable[object]) -> AnyArray:
    """Make an array of labels, which may be tuples; NumPy's texts and integers become Python's."""
    of_numpy = np.str_, np.integer, np.bool_
    return np.fromiter((x.item() if isinstance(x, of_numpy) else x for x in labels), dtype=object)


def _look_up_names(labels: AnyArray | list[object]) -> Names:
    """Return the function from codes to names if codes are positions among the distinct labels."""
    if isinstance(labels, np.ndarray):
        return lambda codes: labels[codes]
    return lambda codes: as_objects(map(labels.__getitem__, codes.tolist()))


def are_numbers(labels: AnyArray) -> bool:
    """Return True if all labels are numbers, which have an order of their own."""
    return labels.dtype.kind in "biuf" or all(isinstance(label, numbers.Real) for label in labels.tolist())


def as_integer(label: Any) -> int | None:
    """Return the 64-bit integer that equals a label, or None."""
    is_number = isinstance(label, numbers.Integral | np.bool_) or (
        isinstance(label, float | np.floating) and float(label).is_integer()
    )
    if not is_number or isinstance(label, np.timedelta64):  # its class is an integer, its value is not
        return None
    return int(label) if -(2**63) <= int(label) < 2**64 else None  # arrays cannot hold other integers


def is_hashable(label: object) -> bool:
    """Return True if a label and its parts can be hashed."""
    try:
        hash(label)
    except (TypeError, ValueError):  # ValueError of a length of time without a unit
        return False
    return True


def _drop_empty_mask(missing: Booleans) -> Booleans | None:
    """Return the mask, or None if nothing is missing."""
    return missing if missing.any() else None
