"""Cross-classification of integer labels: arrays in, counts out, with remarks on odd clusters."""

import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.machine.arguments import count_levels_to_caller
from chancecorr.machine.arrays import AnyArray, Integers

if TYPE_CHECKING:
    from scipy.sparse import csr_array


LABELS_AT_A_TIME = 32_768  # which stay in the processor's caches
MAX_DENSE_CELLS = 4_000_000  # of a table, 32 MB, that is held densely, or up to four per object
MAX_DIRECT_CELLS = 65_536  # of a range that is used as an array's index, or up to four per object
MAX_SHARE_ALONE = 0.8  # of objects in clusters of their own without the question whether it is a clustering
MIN_OBJECTS_ASKED = 20  # for which this question is put
R_MISSING, MISSING_TEXTS = -(2**31), ("nan", "NaN", "NA", "None", "<NA>")  # as others write what is missing
DUBIOUS_LABELS = {"i": (-1, R_MISSING), "f": (-1, R_MISSING), "O": MISSING_TEXTS, "U": MISSING_TEXTS}


class CrossClassification(NamedTuple):
    """Counts of shape (K, Q), sparse if K Q is too large, the labels that occur, ascending, and totals."""

    counts: "Integers | csr_array[np.int64]"
    rows: AnyArray
    columns: AnyArray
    totals: tuple[Integers, Integers]


def cross_tabulate(x: AnyArray, y: AnyArray) -> CrossClassification:
    """Table of the integer labels that occur."""
    counted = _count_in_range(x, y) if x.size else None
    if counted is not None:
        cells, low_x, low_y = counted
        rows, columns = cells.sum(axis=1), cells.sum(axis=0)
        labels = _find_labels(rows, low_x, x.dtype), _find_labels(columns, low_y, y.dtype)
        if not (rows.all() and columns.all()):
            cells = cells[np.ix_(rows > 0, columns > 0)]
            rows, columns = rows[rows > 0], columns[columns > 0]
        return CrossClassification(cells, *labels, (rows, columns))
    (x, n_rows, rows), (y, n_columns, columns) = number_labels(x), number_labels(y)
    is_dense = n_rows * n_columns <= max(MAX_DENSE_CELLS, 4 * x.size)
    counts = add_cells(x, y, None, (n_rows, n_columns), is_dense)
    return CrossClassification(counts, rows, columns, (counts.sum(axis=1), counts.sum(axis=0)))


def add_cells(
    rows: Integers, columns: Integers, counts: Integers | None, shape: tuple[int, int], is_dense: bool
) -> "Integers | csr_array[np.int64]":
    """Counts of a table given as cells, of which several may be in one place; each is 1 if left out."""
    if is_dense:
        cells = np.bincount(rows * shape[1] + columns, counts, shape[0] * shape[1])
        return cells.astype(np.int64, copy=False).reshape(shape)
    from scipy.sparse import coo_array

    counts = np.ones(rows.size, dtype=np.int64) if counts is None else counts
    return coo_array((counts, (rows, columns)), shape=shape).tocsr()


def narrow_codes(codes: AnyArray) -> AnyArray:
    """A copy of whole numbers in the smallest type that has them all."""
    if codes.dtype.kind == "b" or not codes.size:
        return codes.copy()
    wide = np.promote_types(*(np.min_scalar_type(int(end)) for end in (codes.min(), codes.max())))
    return codes.astype(wide if wide.kind in "iu" else codes.dtype)


def number_labels(x: AnyArray) -> tuple[Integers, int, AnyArray]:
    """Ranks 0..K-1 of the labels among the K values that occur, K, and these values."""
    if x.size == 0:
        return np.zeros(0, dtype=np.int64), 0, np.zeros(0, dtype=x.dtype)
    low, high = int(x.min()), int(x.max())
    # more values than the cache, or int64, has
    if high - low >= max(MAX_DIRECT_CELLS, 4 * x.size) or high >= 2**63:
        values, ranks = np.unique(x, return_inverse=True)
        return ranks, values.size, values
    offsets = x.astype(np.int64)
    offsets -= low
    present = np.zeros(high - low + 1, dtype=np.bool_)
    present[offsets] = True
    rank = np.cumsum(present, dtype=np.int64) - 1
    return rank[offsets], int(rank[-1]) + 1, _find_labels(present, low, x.dtype)


def _find_labels(occurs: AnyArray, low: int, dtype: np.dtype[Any]) -> AnyArray:
    """Labels that occur, of all from the smallest on, in their type; an unsigned one has none below 0."""
    return (np.flatnonzero(occurs) + low).astype(dtype.newbyteorder("="))


def _count_in_range(x: AnyArray, y: AnyArray) -> tuple[Integers, int, int] | None:
    """Table over the ranges of the labels, and the smallest ones; None if it would have too many cells."""
    low_x, high_x, low_y, high_y = int(x.min()), int(x.max()), int(y.min()), int(y.max())
    width = high_y - low_y + 1
    size = (high_x - low_x + 1) * width
    if size > max(MAX_DIRECT_CELLS, 4 * x.size) or max(high_x, high_y) >= 2**63:
        return None
    counts, step = np.zeros(size, dtype=np.int64), max(LABELS_AT_A_TIME, size)
    for start in range(0, x.size, step):
        places = x[start : start + step].astype(np.int64)
        places -= low_x
        places *= width
        np.add(places, y[start : start + step], out=places, dtype=np.int64, casting="unsafe")
        places -= low_y
        counts += np.bincount(places, minlength=size)
    return counts.reshape(-1, width), low_x, low_y


def remark_on_clusters(name: str, labels: AnyArray, totals: Integers, *, has_policy: bool) -> list[str]:
    """Remarks on clusters of these labels and sizes; a warning if the labels are measurements.

    With a policy for noise, the label -1 needs no remark.
    """
    notes, n = [], int(totals.sum())
    for label in DUBIOUS_LABELS.get(labels.dtype.kind, ()):
        with np.errstate(over="ignore"):  # of a label that float16 cannot be
            times = int(totals[labels == label].sum())
        if times and (label != -1 or not has_policy):
            what = f"label {label!r}{' (NA of R)' * (label == R_MISSING)} occurs {times:,} times in {name}"
            notes.append(f"{what} and counts as a cluster; `noise=` changes that")
    if labels.dtype.kind == "O":
        texts = {label for label in labels.tolist() if isinstance(label, str)}
        others = (label for label in labels.tolist() if not isinstance(label, str))
        twice = next((label for label in others if str(label) in texts), None)
        notes += [] if twice is None else [f"{twice!r} and {str(twice)!r} in {name} are different labels"]
    if n < MIN_OBJECTS_ASKED:
        return notes
    alone = np.count_nonzero(totals == 1)
    measured = labels.dtype.kind == "f" and alone > n / 2 and bool((labels != np.floor(labels)).any())
    if measured:
        warnings.warn(
            f"{name} looks like measurements: {alone:,} of {n:,} labels are numbers that occur once."
            " Labels of clusters are expected.",
            UserWarning,
            stacklevel=count_levels_to_caller(),
        )
    if measured or alone > MAX_SHARE_ALONE * n:
        notes.append(f"{alone:,} of {n:,} labels in {name} occur once: is it a clustering?")
    return notes
