"""Matrices over pairs of objects, read by square tiles.

A matrix is read by ``numpy.asarray(matrix[i:j, k:l])``: memory maps, HDF5 and Zarr data sets and Dask arrays
need not fit into memory. It is checked on the way: a tile against its mirror image, and its values against
[0, 1].
"""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.compiled import Floats, Integers
from chancecorr.tables.crosstab import relabel
from chancecorr.tables.labels import encode, with_article

TILE = 1024
"""Side of a tile: 8 MB as float64, of which up to a dozen are held at a time."""

ROUNDING = 1e-6
"""How far mirrored values may differ and values leave [0, 1], which is what float32 arithmetic leaves."""


class Tile(NamedTuple):
    """Values of a tile for the pairs i < j, shape (pairs,), and for the objects i = j, shape (objects,)."""

    pairs: Floats
    diagonal: Floats


def matrix_tiles(name: str, matrix: Any, side: int = TILE) -> Iterator[Tile]:
    """Pairs and diagonals of the tiles of a matrix, checked."""
    for rows, columns, tile in checked_tiles(name, matrix, side):
        yield split(tile, rows == columns)


def checked_tiles(name: str, matrix: Any, side: int = TILE) -> Iterator[tuple[slice, slice, Floats]]:
    """Rows, columns and values of the tiles of a matrix, each checked against its mirror image."""
    for rows, columns in spans(matrix.shape[0], side):
        tile = read_tile(name, matrix, rows, columns)
        mirror = (tile if rows == columns else read_tile(name, matrix, columns, rows)).T
        difference = np.abs(tile - mirror)
        if difference.max() > ROUNDING:
            i, j = map(int, np.unravel_index(int(difference.argmax()), tile.shape))
            row, column = rows.start + i, columns.start + j
            raise ArgumentValueError(
                name,
                f"must be symmetric; got {tile[i, j]} at position {(row, column)} and {mirror[i, j]}"
                f" at position {(column, row)}.",
            )
        yield rows, columns, tile


def label_tiles(codes: Integers, side: int = TILE) -> Iterator[Tile]:
    """Tiles of a partition's co-membership, 0 or 1."""
    for rows, columns in spans(codes.size, side):
        yield split((codes[rows, None] == codes[columns]).astype(np.float64), rows == columns)


def spans(n: int, side: int = TILE) -> Iterator[tuple[slice, slice]]:
    """Rows and columns of the tiles on and above the diagonal, row by row."""
    cuts = [slice(start, min(start + side, n)) for start in range(0, n, side)]
    return itertools.combinations_with_replacement(cuts, 2)


def split(tile: Floats, on_diagonal: bool) -> Tile:
    """Pairs and diagonal of a tile."""
    if on_diagonal:
        return Tile(tile[np.triu(np.ones(tile.shape, dtype=np.bool_), 1)], tile.diagonal())
    return Tile(tile.ravel(), np.zeros(0))


def read_tile(name: str, matrix: Any, rows: slice, columns: slice) -> Floats:
    """One tile as float64, its values in [0, 1]."""
    values = np.asarray(matrix[rows, columns])
    if values.dtype.kind not in "biuf":
        kind = f"dtype {values.dtype}" if values.ndim == 2 else with_article(matrix)
        raise ArgumentTypeError(name, f"must be an array of real numbers; got {kind}.")
    tile = values.astype(np.float64, copy=False)
    low, high = tile.min(), tile.max()  # nan if one value is
    if not (low >= -ROUNDING and high <= 1.0 + ROUNDING):
        inside = (tile >= -ROUNDING) & (tile <= 1.0 + ROUNDING)
        i, j = map(int, np.unravel_index(int(inside.argmin()), tile.shape))
        position = rows.start + i, columns.start + j
        raise ArgumentValueError(
            name, f"must hold numbers in [0, 1]; got {tile[i, j]} at position {position}."
        )
    return tile.clip(0.0, 1.0) if low < 0.0 or high > 1.0 else tile


def square(name: str, matrix: Any) -> Any:
    """Matrix itself if it gives tiles, else as an array; square."""
    if not (hasattr(matrix, "shape") and hasattr(matrix, "dtype")):  # lists, data frames
        try:
            matrix = np.asarray(matrix)
        except ValueError:
            raise ArgumentValueError(name, "must be square; got rows of different lengths.") from None
    shape = tuple(matrix.shape)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ArgumentValueError(name, f"must be square; got shape {shape}.")
    return matrix


def label_codes(name: str, labels: Any) -> Integers:
    """Labels numbered from 0; none may be missing."""
    encoded = encode(name, labels, None)
    if encoded.missing is not None:
        position = int(encoded.missing.argmax())
        raise ArgumentValueError(
            name, f"must not hold missing labels; got {encoded.labels[position]} at position {position}."
        )
    return relabel(encoded.codes)[0]
