"""The two sides of a comparison: partitions, memberships and matrices, read and checked."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, get_args

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, one_of
from chancecorr.clusterings.kernels.pairs import DISTANCE, EQUAL_LABELS, MATRIX, PRODUCT, fill_block
from chancecorr.clusterings.tiles import (
    FLOAT32_ROUNDING,
    Placed,
    Tiling,
    label_codes,
    matrix_tiles,
    spans,
    square,
)
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.dataframes import index_difference

Kind = Literal["labels", "membership", "similarity"]
"""Kinds of input: a label for each object, a row of memberships, or similarities to all objects."""


class Gathered(NamedTuple):
    """A side as the compiled loops take it: a way to find similarities, and the arrays that this needs."""

    way: int
    codes: Integers
    rows: Floats
    matrix: Floats


class Side(Protocol):
    """One side of a comparison: similarities of pairs of n objects."""

    @property
    def n(self) -> int: ...  # noqa: D102

    def tiles(self, tiles: Tiling, *, is_checked: bool = False) -> Iterator[Placed]:
        """Tiles on and above the diagonal; similarities of objects with themselves do not count."""

    def gathered(self) -> Gathered:
        """Arrays by which compiled loops find similarities of any two objects."""


NO_CODES = np.zeros(0, dtype=np.int64)
NO_FLOATS = np.zeros((0, 0))


@dataclass(frozen=True, slots=True)
class Partition:
    """Objects in one cluster each: two are alike if in the same."""

    codes: Integers

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.codes.size

    def tiles(self, tiles: Tiling, *, is_checked: bool = False) -> Iterator[Placed]:
        """Tiles of the co-membership matrix: 1 for two objects of a cluster, else 0."""
        for rows, columns in spans(tiles):
            yield rows, columns, (self.codes[rows, None] == self.codes[columns]).astype(np.float64)

    def gathered(self) -> Gathered:
        """The labels."""
        return Gathered(EQUAL_LABELS, self.codes, NO_FLOATS, NO_FLOATS)


@dataclass(frozen=True, slots=True)
class Memberships:
    """Objects with a share in, or belonging to, any number of clusters."""

    rows: Floats
    by_distance: bool = False  # alike by one less half the sum of differences, not by the inner product

    @property
    def n(self) -> int:
        """Number of objects."""
        return len(self.rows)

    def tiles(self, tiles: Tiling, *, is_checked: bool = False) -> Iterator[Placed]:
        """Tiles of the matrix of similarities."""
        for rows, columns in spans(tiles):
            out = np.empty((rows.stop - rows.start, columns.stop - columns.start))
            fill_block(*self.gathered(), rows.start, np.arange(columns.start, columns.stop), out)
            yield rows, columns, out

    def gathered(self) -> Gathered:
        """The memberships."""
        return Gathered(DISTANCE if self.by_distance else PRODUCT, NO_CODES, self.rows, NO_FLOATS)


@dataclass(frozen=True, slots=True)
class SimilarityMatrix:
    """Similarities in [0, 1] of any origin, in memory or not."""

    name: str
    matrix: Any

    @property
    def n(self) -> int:
        """Number of objects."""
        return int(self.matrix.shape[0])

    def tiles(self, tiles: Tiling, *, is_checked: bool = False) -> Iterator[Placed]:
        """Tiles, each compared with its mirror image unless the matrix is checked."""
        return matrix_tiles(self.name, self.matrix, tiles, is_checked=is_checked)

    def gathered(self) -> Gathered:
        """The whole matrix, in memory as float64, or as a memory map that is float64 already."""
        whole = np.ascontiguousarray(np.asarray(self.matrix[:, :]), dtype=np.float64)
        return Gathered(MATRIX, NO_CODES, NO_FLOATS, whole)


def as_memberships(side: Side) -> Memberships | None:
    """Memberships of 0 and 1 of a partition, or those of the side; None of a matrix."""
    if isinstance(side, Partition):
        return Memberships(np.eye(int(side.codes.max(initial=-1)) + 1)[side.codes])
    return side if isinstance(side, Memberships) else None


def read_sides(P: Any, Q: Any, kind: Any) -> tuple[Side, Side]:
    """Both sides, of the same objects."""
    kinds, is_pair = _kinds(kind), isinstance(kind, tuple | list)
    sides = _read("P", P, kinds[0], is_pair), _read("Q", Q, kinds[1], is_pair)
    if sides[0].n != sides[1].n:
        raise ArgumentValueError(
            "Q", f"must have as many objects as `P`; got {sides[1].n} and {sides[0].n}.", "P"
        )
    difference = index_difference(P, Q)
    if difference:
        raise ArgumentValueError(
            "Q",
            f"must have the index of `P`; got {difference}. Match the objects first, or pass arrays.",
            "P",
        )
    return sides


def _kinds(kind: Any) -> tuple[str | None, str | None]:
    """Kind of each side, None if it is left out."""
    pair = tuple(kind) if isinstance(kind, tuple | list) else (kind, kind)
    if len(pair) != 2:
        raise ArgumentValueError("kind", f"must be one word, or two for `P` and `Q`; got {kind!r}.")
    for word in pair:
        one_of("kind", word, [None, *get_args(Kind)])
    return pair


def _read(name: str, values: Any, kind: str | None, is_of_this_side: bool) -> Side:
    """One side. What is one-dimensional holds labels, unless a kind is given for this side alone."""
    is_one_dimensional = _dimensions(values) != 2
    if kind == "labels" or (is_one_dimensional and (kind is None or not is_of_this_side)):
        return Partition(label_codes(name, values))
    if kind is None:
        raise ArgumentValueError(
            "kind",
            f"must say what the two-dimensional `{name}` holds: 'membership' for objects x clusters,"
            " 'similarity' for objects x objects; got None.",
            name,
        )
    return (
        SimilarityMatrix(name, square(name, values)) if kind == "similarity" else _memberships(name, values)
    )


def _dimensions(values: Any) -> int:
    """Number of dimensions; lists of lists have two."""
    if hasattr(values, "shape"):
        return len(values.shape)
    is_nested = isinstance(values, list | tuple) and len(values) > 0
    return 2 if is_nested and isinstance(values[0], list | tuple | np.ndarray) else 1


def _memberships(name: str, values: Any) -> Memberships:
    """Memberships as an array of floats, none of them negative."""
    if hasattr(values, "toarray"):  # sparse matrices of SciPy
        values = values.toarray()
    try:
        rows = np.asarray(values)
    except ValueError:
        raise ArgumentValueError(
            name, "must have rows of one length; got rows of different lengths."
        ) from None
    if rows.ndim != 2:
        raise ArgumentValueError(name, f"must have shape (objects, clusters); got shape {rows.shape}.")
    if rows.dtype.kind not in "biuf":
        raise ArgumentTypeError(name, f"must be an array of real numbers; got dtype {rows.dtype}.")
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    bad = ~((rows >= 0.0) & (rows < np.inf))
    if bad.any():
        i, k = map(int, np.unravel_index(int(bad.argmax()), rows.shape))
        raise ArgumentValueError(name, f"must hold numbers from 0 on; got {rows[i, k]} at position {(i, k)}.")
    return Memberships(rows)


def require_shares(name: str, side: Side) -> None:
    """Raise if memberships do not sum to 1 for each object."""
    if not isinstance(side, Memberships):
        return
    sums = side.rows.sum(axis=1)
    bad = np.abs(sums - 1.0) > FLOAT32_ROUNDING
    if bad.any():
        i = int(bad.argmax())
        raise ArgumentValueError(
            name,
            f"must have rows that sum to 1; got a sum of {sums[i]} in row {i}. For clusters that overlap,"
            " pass index='omega'.",
        )


def require_cover(name: str, side: Side) -> None:
    """Raise unless a side says for each object which clusters it belongs to."""
    if isinstance(side, SimilarityMatrix):
        raise ArgumentValueError(
            name, "must hold labels or memberships for index='omega'; got a similarity matrix."
        )
    if not isinstance(side, Memberships):
        return
    bad = (side.rows != 0.0) & (side.rows != 1.0)
    if bad.any():
        i, k = map(int, np.unravel_index(int(bad.argmax()), side.rows.shape))
        raise ArgumentValueError(
            name, f"must hold 0 or 1 for index='omega'; got {side.rows[i, k]} at position {(i, k)}."
        )
