"""Long arrays and columns that are read slice by slice, so that no second array of all labels is made."""

import sys
from typing import Any

import numpy as np

from chancecorr.tables.addition import Part
from chancecorr.tables.crosstab import is_of_small_range

SLICE = 262_144
"""Labels of a slice. Their codes take 2 MB, and stay in the cache until they are counted."""

FEWEST_SLICES = 4
"""Fewer slices are not made: the memory that they would save is a few megabytes."""

LONGEST_SLICE = 16 * SLICE
"""Slices grow up to this where each has many cells; the codes of one then take 64 MB."""

LABELS_PER_CELL = 16
"""Labels that a slice must have for each cell of its table: else adding tables takes longer than counting."""


def sliced_sides(labels_true: Any, labels_pred: Any) -> tuple[Any, Any] | None:
    """Both sides as something that slices ``[start:stop]`` are taken of; None where they are read whole.

    They are read whole if they are short, and if slices of them may have another order of labels than the
    whole.
    """
    sides = _sliced(labels_true), _sliced(labels_pred)
    if sides[0] is None or sides[1] is None or len(sides[0]) != len(sides[1]):
        return None
    if len(sides[0]) < FEWEST_SLICES * SLICE:
        return None
    return sides


def slice_at_first(labels_true: Any, labels_pred: Any, noise: str | None) -> int:
    """Labels of the first slice: all, where counting makes no second array of them."""
    sides = labels_true, labels_pred
    are_integers = all(isinstance(side, np.ndarray) and side.dtype.kind in "iub" for side in sides)
    if are_integers and noise != "singletons" and is_of_small_range(*sides):
        return len(labels_true)
    return SLICE


def cells_held(part: Part) -> tuple[int, int]:
    """Cells that the table of a part holds, and how many of them are not those of clusters of one object."""
    if isinstance(part.counts, np.ndarray):
        return part.counts.size, part.counts.size
    alone = max(part.rows.alone.size, part.columns.alone.size)
    return part.counts.nnz, part.counts.nnz - alone


def has_one_kind(labels: Any) -> bool:
    """Whether the labels that were found are of one type of NumPy, or all texts, and so have one order."""
    return labels.dtype.kind != "O" or all(type(label) is str for label in labels.tolist())


def _sliced(labels: Any) -> Any:
    """Labels that are ordered in a slice as they are in the whole; None for others."""
    pandas, polars, pyarrow = (sys.modules.get(name) for name in ("pandas", "polars", "pyarrow"))
    if pandas is not None and isinstance(labels, pandas.Series | pandas.Index):
        labels = labels.to_numpy() if isinstance(labels.dtype, np.dtype) else labels.array
    if isinstance(labels, np.ndarray):
        return labels if _is_plain(labels) else None
    if pandas is not None and isinstance(labels, pandas.api.extensions.ExtensionArray):
        if hasattr(labels.dtype, "pyarrow_dtype"):
            labels = labels.__arrow_array__()
        else:
            return labels if isinstance(labels.dtype, pandas.StringDtype) else None
    if pyarrow is not None and isinstance(labels, pyarrow.Array | pyarrow.ChunkedArray):
        return labels if _is_copied(labels, pyarrow.types) else None
    if polars is not None and isinstance(labels, polars.Series) and labels.dtype.is_float():
        return labels
    return None


def _is_plain(array: Any) -> bool:
    """Whether an array holds numbers, or texts, or objects that may be texts, none of them masked."""
    if isinstance(array, np.ma.MaskedArray) or array.ndim != 1:
        return False
    if array.dtype.kind in "US":
        return bool(array.dtype.isnative and array.dtype.itemsize)
    return array.dtype.kind in "iubO" or (array.dtype.kind == "f" and array.dtype.itemsize <= 8)


def _is_copied(array: Any, types: Any) -> bool:
    """Whether an Arrow array of numbers or texts would be copied on the way to NumPy."""
    kind = array.type
    if types.is_integer(kind) or types.is_boolean(kind):
        return bool(array.null_count) or getattr(array, "num_chunks", 1) > 1
    return any(test(kind) for test in (types.is_floating, types.is_string, types.is_large_string))
