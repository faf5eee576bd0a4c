"""Cross-classification of integer labels: arrays in, counts out, with notes on odd clusters."""

import re
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.machine.arguments import count_levels_to_caller
from chancecorr.machine.arrays import AnyArray, Integers
from chancecorr.machine.kernel import is_worth_compiling, kernel
from chancecorr.machine.notes import Note

if TYPE_CHECKING:
    from scipy.sparse import csr_array


MAX_LABELS_WITHOUT_KERNELS = 100_000  # NumPy counts these in milliseconds, without loading Numba
NANOSECONDS_SPARED_BY_KERNEL = 2.5  # per label, compared with NumPy
LABELS_AT_A_TIME = 32_768  # labels that NumPy counts in one call; they fit into the processor's caches
LABELS_SAMPLED = 1_000  # to guess the range of all labels; a label outside of it costs one more pass
MAX_DENSE_CELLS = 4_000_000  # cells of a dense table (32 MB), or up to four cells per object
MAX_DIRECT_CELLS = 65_536  # cells of a range that is used as an array's index, or up to four per object
MAX_SHARE_ALONE = 0.8  # share of objects in clusters of one object, above which a note asks about it
MIN_OBJECTS_ASKED = 20  # fewer objects do not get this note
MISSING_MARKS = ".", "?", "-"
"""Marks for missing labels from SAS, Weka and people; if "+" occurs too, "-" is a label."""

R_MISSING = -(2**31)
MISSING_TEXTS = "nan", "NaN", "NA", "None", "<NA>", "NaT", "NULL", "#NULL!", "#N/A", "\\N", *MISSING_MARKS
"""Texts for missing labels in other software."""

HIDDEN_BLANKS = re.compile(r"[\s\u200b\u2060\ufeff]+")  # readers see these as one blank, or do not see them
DUBIOUS_LABELS = {"i": (-1, R_MISSING), "f": (-1, R_MISSING), "O": MISSING_TEXTS, "U": MISSING_TEXTS}


class CrossClassification(NamedTuple):
    """Counts of shape (K, Q), sparse if K Q is too large; the labels that occur, ascending; and totals."""

    counts: "Integers | csr_array[np.int64]"
    rows: AnyArray
    columns: AnyArray
    totals: tuple[Integers, Integers]


def cross_tabulate(x: AnyArray, y: AnyArray) -> CrossClassification:
    """Count the pairs of integer labels in a table of the labels that occur."""
    n = x.size
    is_many = n > MAX_LABELS_WITHOUT_KERNELS and all(np.can_cast(side.dtype, np.int64) for side in (x, y))
    has_kernel = is_many and is_worth_compiling(count_in_range, 1e-9 * NANOSECONDS_SPARED_BY_KERNEL * n)
    counted = (_count_many(x, y) if has_kernel else _count_few(x, y)) if n else None
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
    """Add up listed cells, possibly with repeated positions, to a table; counts default to 1."""
    if is_dense:
        cells = np.bincount(rows * shape[1] + columns, counts, shape[0] * shape[1])
        return cells.astype(np.int64, copy=False).reshape(shape)
    from scipy.sparse import coo_array

    counts = np.ones(rows.size, dtype=np.int64) if counts is None else counts
    return coo_array((counts, (rows, columns)), shape=shape).tocsr()


def narrow_codes(codes: AnyArray) -> AnyArray:
    """Return a copy of whole numbers in the smallest type that can hold all of them."""
    if codes.dtype.kind == "b" or not codes.size:
        return codes.copy()
    wide = np.promote_types(*(np.min_scalar_type(int(end)) for end in (codes.min(), codes.max())))
    return codes.astype(wide if wide.kind in "iu" else codes.dtype)


def number_labels(x: AnyArray) -> tuple[Integers, int, AnyArray]:
    """Return the ranks 0..K-1 of the labels among the K values that occur, K, and these values."""
    if x.size == 0:
        return np.zeros(0, dtype=np.int64), 0, np.zeros(0, dtype=x.dtype)
    low, high = int(x.min()), int(x.max())
    # the range is too large for the cache, or for int64
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
    """Return the labels that occur, in their type; `occurs` begins at the label `low`."""
    return (np.flatnonzero(occurs) + low).astype(dtype.newbyteorder("="))


def _count_few(x: AnyArray, y: AnyArray) -> tuple[Integers, int, int] | None:
    """Count a table over the ranges of the labels, and return the smallest labels; None if too large."""
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


def _count_many(x: AnyArray, y: AnyArray) -> tuple[Integers, int, int] | None:
    """Count as `_count_few` by a kernel, which reads the labels once if a sample has their full range."""
    common = np.promote_types(np.result_type(x, y), np.int8).newbyteorder("=")  # to compile few types
    sides = [np.require(side, common, ["C", "A"]).view() for side in (x, y)]
    step = x.size // LABELS_SAMPLED + 1
    for sample in ([side[::step] for side in sides], sides):
        (low_x, low_y), (high_x, high_y) = ([int(end(side)) for side in sample] for end in (np.min, np.max))
        shape = high_x - low_x + 1, high_y - low_y + 1
        size = shape[0] * shape[1]
        if size > max(MAX_DIRECT_CELLS, 4 * x.size):
            return None
        # 256 labels at a time are few enough for the processor to read ahead while it counts
        places = np.empty(256, dtype=np.uint32 if size <= 2**32 else np.uint64)
        lanes = np.zeros((4 if size <= 2048 else 1, size), dtype=np.uint32 if x.size < 2**32 else np.int64)
        for side in sides:
            side.flags.writeable = False
        with np.errstate(over="ignore"):  # places of labels out of range, where kernels are not compiled
            is_whole = count_in_range(sides[0], sides[1], low_x, high_x, low_y, high_y, places, lanes)
        if is_whole:
            break
    return lanes.sum(axis=0, dtype=np.int64).reshape(shape), low_x, low_y


@kernel
def count_in_range(
    x: AnyArray, y: AnyArray, low_x: int, high_x: int, low_y: int, high_y: int, places: AnyArray,
    lanes: AnyArray,
) -> bool:  # fmt: skip
    """``lanes[., (x_i - low_x) (high_y - low_y + 1) + y_i - low_y] += 1`` for all objects i.

    Return False, and stop, before the first chunk of ``places.size`` labels that has a label out of range.
    While a chunk is counted, the processor reads the next one. With four lanes, an increment need not wait
    for the increment before it on the same cell.
    """
    columns = high_y - low_y + 1
    last = lanes.shape[0] - 1
    second, third = min(1, last), min(2, last)
    for start in range(0, x.size, places.size):
        size = min(places.size, x.size - start)
        part_x, part_y = x[start : start + size], y[start : start + size]
        least_x: Any = low_x
        most_x: Any = low_x
        least_y: Any = low_y
        most_y: Any = low_y
        for i in range(size):
            a, b = np.int64(part_x[i]), np.int64(part_y[i])
            least_x, most_x = min(least_x, a), max(most_x, a)
            least_y, most_y = min(least_y, b), max(most_y, b)
            places[i] = (a - low_x) * columns + (b - low_y)
        if least_x < low_x or most_x > high_x or least_y < low_y or most_y > high_y:
            return False
        whole = size - size % 4
        for i in range(0, whole, 4):
            lanes[0, places[i]] += 1
            lanes[second, places[i + 1]] += 1
            lanes[third, places[i + 2]] += 1
            lanes[last, places[i + 3]] += 1
        for i in range(whole, size):
            lanes[0, places[i]] += 1
    return True


def note_points(*sides: AnyArray) -> list[Note]:
    """Remark on labels that look like change points: each side increases to the same large last number."""
    are_points = all(
        x.size and x[0] > 0 and x.size < x[-1] == sides[0][-1] and (x[1:] > x[:-1]).all() for x in sides
    )
    note = "both sides rise to one number: `chancecorr.clusterings.segments` makes labels of change points"
    return [Note("change points", note)] if are_points else []


def note_clusters(name: str, labels: AnyArray, totals: Integers, *, has_policy: bool) -> list[Note]:
    """List notes on the labels and sizes of clusters; warn if the labels look like measurements.

    With a policy for noise, the label -1 does not need a note.
    """
    notes, n = list[Note](), int(totals.sum())
    for label in DUBIOUS_LABELS.get(labels.dtype.kind, ()):
        with np.errstate(over="ignore"):  # for a label outside the range of float16
            times = int(totals[labels == label].sum())
        if label == "-" and times and "+" in labels.tolist():
            continue
        if times and (label != -1 or not has_policy):
            what = f"label {label!r}{' (NA of R)' * (label == R_MISSING)} occurs {times:,} times in {name}"
            notes.append(Note("noise label", f"{what} and counts as a cluster; `noise=` changes that"))
    notes += note_spelling(name, labels)
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
        text = f"{alone:,} of {n:,} labels in {name} occur once: is it a clustering?"
        notes.append(Note("labels that occur once", text))
    return notes


def note_spelling(name: str, labels: AnyArray) -> list[Note]:
    """List notes on labels that look alike, are complex, or are equal but may have been different."""
    notes: list[Note] = []
    if labels.dtype.kind not in "OUf":
        return notes
    listed = labels.tolist()
    texts = [label for label in listed if isinstance(label, str)]
    others = [] if labels.dtype.kind == "U" else [label for label in listed if not isinstance(label, str)]
    if texts and others and (twice := next((x for x in others if str(x) in {*texts}), None)) is not None:
        notes.append(Note("spelling", f"{twice!r} and {str(twice)!r} in {name} are different labels"))
    if (complex_label := next((x for x in others if isinstance(x, complex)), None)) is not None:
        text = f"labels in {name} are complex numbers, as {complex_label}: each number counts as a cluster"
        notes.append(Note("complex labels", text))
    first: dict[str, str] = {}
    for text in texts:  # labels that differ only by blanks: at the ends, of another kind, or repeated
        other = first.setdefault(HIDDEN_BLANKS.sub(" ", text).strip(), text)
        if other != text:
            different = f"{other!r} and {text!r} in {name} are different labels, by blanks alone"
            notes.append(Note("spelling", different))
            break
    floats = labels if labels.dtype.kind == "f" else np.array([x for x in others if isinstance(x, float)])
    bits = np.finfo(floats.dtype).nmant + 1
    large = floats[np.isfinite(floats) & (np.abs(floats) >= 2.0**bits)]
    if large.size:  # whole numbers that may be rounded, such as identifiers of 64 bits
        text = (
            f"labels in {name} are floats from 2**{bits} on, as {large[0]!s}: whole numbers of this size"
            " are rounded, and different ones may be one label; read them as integers or as text"
        )
        notes.append(Note("rounded labels", text))
    return notes
