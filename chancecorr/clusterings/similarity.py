"""Similarities or distances of all pairs of objects: consensus matrices, kernels, distances."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from chancecorr.clusterings.clustering import Gathered, Placed, Tiling, matrix_tiles, square
from chancecorr.clusterings.kernels.pairs import MATRIX
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.dataframes import index_of


@dataclass(frozen=True, slots=True, eq=False)
class Similarity:
    """How alike the objects of each pair are, in a matrix.

    Parameters
    ----------
    matrix : array-like of shape (n, n)
        Symmetric, such as a consensus matrix or a kernel; in memory, or whatever gives tiles by
        ``matrix[i:j, k:l]``. The diagonal does not count.
    distance : bool, default False
        Whether the numbers are distances: the smaller, the more are two objects together. Indices of degrees
        in [0, 1], such as those that count pairs, take ``1 - d`` and refuse distances above 1; the
        correlation takes ``-d``.
    name : str
        What messages call it.
    bounded : bool
        Whether the numbers are degrees: those outside [0, 1] are refused, and a distance counts as 1 - d.

    Raises
    ------
    ValueError, TypeError
        If it is not square; of a matrix that is not symmetric when its tiles are read.

    Examples
    --------
    >>> Similarity([[1, 0.5], [0.5, 1]]).n
    2
    """

    matrix: Any
    distance: bool = False
    name: str = "matrix"  # of the argument, for messages
    bounded: bool = False  # whether the numbers are degrees in [0, 1]
    index: Any = field(default=None, init=False, repr=False)  # of a data frame
    word: ClassVar[str] = "similarity"

    def __post_init__(self) -> None:
        """Check the shape."""
        object.__setattr__(self, "index", index_of(self.matrix))
        object.__setattr__(self, "matrix", square(self.name, self.matrix))

    @property
    def n(self) -> int:
        """Number of objects."""
        return int(self.matrix.shape[0])

    @property
    def plain(self) -> Any:
        """The matrix."""
        return self.matrix

    def tiles(self, tiles: Tiling, *, is_checked: bool = False) -> Iterator[Placed]:
        """Tiles, each compared with its mirror image unless the matrix is checked."""
        found = matrix_tiles(self.name, self.matrix, tiles, is_checked=is_checked, bounded=self.bounded)
        return ((rows, columns, self._turned(tile)) for rows, columns, tile in found)

    def gathered(self) -> Gathered:
        """The whole matrix, in memory as float64, or as a memory map that is float64 already."""
        whole = np.ascontiguousarray(np.asarray(self.matrix[:, :]), dtype=np.float64)
        return Gathered(MATRIX, matrix=self._turned(whole.clip(0.0, 1.0) if self.bounded else whole))

    def _turned(self, values: Floats) -> Floats:
        """How much the objects are together: similarities themselves, 1 - d of bounded distances, or -d."""
        return (float(self.bounded) - values) if self.distance else values

    def part(self, objects: Integers) -> "Similarity":
        """These objects, in this order."""
        return replace(self, matrix=np.asarray(self.matrix[:, :])[np.ix_(objects, objects)])
