"""Matrices over pairs of objects, read by square tiles.

A matrix is read by ``numpy.asarray(matrix[i:j, k:l])``: memory maps, HDF5 and Zarr data sets and Dask arrays
need not fit into memory. It is checked on the way: a tile against its mirror image, and its values against
[0, 1].

Dask computes a whole chunk to give any part of it. So the tiles of a Dask array end where its chunks do, and
all tiles of a chunk are cut from one reading.
"""

import bisect
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.crosstab import relabel
from chancecorr.tables.labels import encode, with_article

TILE = 1024
"""Side of a tile: 8 MB as float64, of which up to a dozen are held at a time."""

TILES_TOGETHER = 4
"""Tiles side by side that are read at once where the chunks of two sides do not end at the same objects."""

ROUNDING = 1e-6
"""How far mirrored values may differ and values leave [0, 1], which is what float32 arithmetic leaves."""


class Tile(NamedTuple):
    """Values of a tile for the pairs i < j, shape (pairs,), and for the objects i = j, shape (objects,)."""

    pairs: Floats
    diagonal: Floats


Block = tuple[slice, ...]
"""Neighbouring tiles along one side of a matrix, which are read together."""

Tiling = int | tuple[Block, ...]
"""Side of the tiles, each read by itself, or all blocks of tiles."""


def tiling(side: int, *matrices: Any) -> Tiling:
    """How matrices of the same objects are read: by tiles of this side; where Dask cut one, by its chunks.

    Each chunk is computed once where all matrices are cut at the same objects, along rows and columns. Where
    they are not, blocks of up to `TILES_TOGETHER` tiles a side are read, and a chunk is computed once for
    each block that has some of it.

    Examples
    --------
    >>> import types
    >>> tiling(4, types.SimpleNamespace(chunks=((6, 2, 2), (6, 2, 2))))
    ((slice(0, 4, None), slice(4, 6, None)), (slice(6, 10, None),))
    """
    chunk_ends = [set(itertools.accumulate(sizes)) - {0} for each in matrices for sizes in _chunks(each)]
    if not chunk_ends:
        return side
    ends = _block_ends(set.intersection(*chunk_ends), set.union(*chunk_ends), TILES_TOGETHER * side)
    joined = [0]  # small chunks are read together, up to the side of a tile
    for start, end in itertools.pairwise(ends):
        if end - joined[-1] > side and start > joined[-1]:
            joined.append(start)
    joined += ends[-1:] if ends[-1] else []
    return tuple(
        tuple(slice(at, min(at + side, end)) for at in range(start, end, side))
        for start, end in itertools.pairwise(joined)
    )


def matrix_tiles(name: str, matrix: Any, tiles: Tiling = TILE) -> Iterator[Tile]:
    """Pairs and diagonals of the tiles of a matrix, checked."""
    for rows, columns, tile in checked_tiles(name, matrix, tiles):
        yield split(tile, rows == columns)


def checked_tiles(name: str, matrix: Any, tiles: Tiling = TILE) -> Iterator[tuple[slice, slice, Floats]]:
    """Rows, columns and values of the tiles of a matrix, each checked against its mirror image."""
    for first, second in _block_pairs(matrix.shape[0], tiles):
        upper = _read(name, matrix, first, second)
        lower = upper if first is second else _read(name, matrix, second, first)
        for rows, columns in _tiles_of(first, second):
            tile = _part(name, upper, first, second, rows, columns)
            mirror = (tile if rows == columns else _part(name, lower, second, first, columns, rows)).T
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


def upper_tiles(name: str, matrix: Any, tiles: Tiling = TILE) -> Iterator[tuple[slice, slice, Floats]]:
    """The same of a matrix that is known to be symmetric: what is below the diagonal is not read."""
    for first, second in _block_pairs(matrix.shape[0], tiles):
        upper = _read(name, matrix, first, second)
        for rows, columns in _tiles_of(first, second):
            yield rows, columns, _part(name, upper, first, second, rows, columns)


def label_tiles(codes: Integers, tiles: Tiling = TILE) -> Iterator[Tile]:
    """Tiles of a partition's co-membership, 0 or 1."""
    for rows, columns in spans(codes.size, tiles):
        yield split((codes[rows, None] == codes[columns]).astype(np.float64), rows == columns)


def spans(n: int, tiles: Tiling = TILE) -> Iterator[tuple[slice, slice]]:
    """Rows and columns of the tiles on and above the diagonal: block by block, in a block row by row."""
    for first, second in _block_pairs(n, tiles):
        yield from _tiles_of(first, second)


def split(tile: Floats, on_diagonal: bool) -> Tile:
    """Pairs and diagonal of a tile."""
    if on_diagonal:
        return Tile(tile[np.triu(np.ones(tile.shape, dtype=np.bool_), 1)], tile.diagonal())
    return Tile(tile.ravel(), np.zeros(0))


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


def _chunks(matrix: Any) -> list[tuple[int, ...]]:
    """Sizes of a Dask array's chunks along rows and columns; none of other arrays."""
    chunks = getattr(matrix, "chunks", None)
    if isinstance(chunks, tuple) and all(isinstance(sizes, tuple) for sizes in chunks):
        return list(chunks)
    return []  # those of HDF5 and Zarr data sets have one size and are small


def _block_ends(everywhere: set[int], anywhere: set[int], most: int) -> list[int]:
    """Where blocks end, 0 first: where all matrices are cut, and else where one is.

    Blocks have up to `most` objects, or those of one chunk.
    """
    ends, cuts = [0], sorted({0, *anywhere})
    for end in sorted(everywhere):
        while end - ends[-1] > most and cuts[bisect.bisect_right(cuts, ends[-1])] < end:
            nearest = cuts[bisect.bisect_right(cuts, ends[-1] + most) - 1]
            ends.append(nearest if nearest > ends[-1] else ends[-1] + most)
        ends.append(end)
    return ends


def _block_pairs(n: int, tiles: Tiling) -> Iterator[tuple[Block, Block]]:
    """Blocks of rows and of columns on and above the diagonal; each tile is a block where a side is given."""
    if isinstance(tiles, int):
        tiles = tuple((slice(start, min(start + tiles, n)),) for start in range(0, n, tiles))
    return itertools.combinations_with_replacement(tiles, 2)


def _tiles_of(first: Block, second: Block) -> Iterator[tuple[slice, slice]]:
    """Rows and columns of the tiles of a block on or above the diagonal."""
    if first is second:
        return itertools.combinations_with_replacement(first, 2)
    return itertools.product(first, second)


def _read(name: str, matrix: Any, first: Block, second: Block) -> npt.NDArray[Any]:
    """All tiles of a block, real numbers."""
    values = np.asarray(matrix[first[0].start : first[-1].stop, second[0].start : second[-1].stop])
    if values.dtype.kind not in "biuf":
        kind = f"dtype {values.dtype}" if values.ndim == 2 else with_article(matrix)
        raise ArgumentTypeError(name, f"must be an array of real numbers; got {kind}.")
    return values


def _part(
    name: str, values: npt.NDArray[Any], first: Block, second: Block, rows: slice, columns: slice
) -> Floats:
    """One tile of a block as float64, its values in [0, 1]."""
    above, left = first[0].start, second[0].start
    part = values[rows.start - above : rows.stop - above, columns.start - left : columns.stop - left]
    tile: Floats = part.astype(np.float64, copy=False)
    low, high = tile.min(), tile.max()  # nan if one value is
    if not (low >= -ROUNDING and high <= 1.0 + ROUNDING):
        inside = (tile >= -ROUNDING) & (tile <= 1.0 + ROUNDING)
        i, j = map(int, np.unravel_index(int(inside.argmin()), tile.shape))
        position = rows.start + i, columns.start + j
        raise ArgumentValueError(
            name, f"must hold numbers in [0, 1]; got {tile[i, j]} at position {position}."
        )
    return tile.clip(0.0, 1.0) if low < 0.0 or high > 1.0 else tile
