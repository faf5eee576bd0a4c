"""What a clustering of any kind is: it says of each pair of objects how much they are together."""

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from chancecorr.clusterings.kernels.pairs import fill_block
from chancecorr.clusterings.tiles import Placed, Tiling, spans
from chancecorr.machine.arrays import Floats, Integers


class Gathered(NamedTuple):
    """A clustering as the compiled loops take it: a way to find similarities, and the arrays it needs."""

    way: int
    codes: Integers = np.zeros(0, dtype=np.int64)
    rows: Floats = np.zeros((0, 0))
    matrix: Floats = np.zeros((0, 0))


def looked_up(gathered: Gathered, tiles: Tiling) -> Iterator[Placed]:
    """Tiles of the matrix over pairs, each found as the compiled loops find it."""
    for rows, columns in spans(tiles):
        out = np.empty((rows.stop - rows.start, columns.stop - columns.start))
        fill_block(*gathered, rows.start, np.arange(columns.start, columns.stop), out)
        yield rows, columns, out


class Clustering(Protocol):
    """A clustering of n objects: one file for each kind, listed in `reading`."""

    word: ClassVar[str]  # for messages, and for `Index.takes`

    @property
    def n(self) -> int: ...  # noqa: D102

    @property
    def plain(self) -> Any:
        """What a user's function is given: labels, memberships, a linkage or a matrix."""

    def tiles(self, tiles: Tiling, *, is_checked: bool = False) -> Iterator[Placed]:
        """Tiles of the matrix over pairs, on and above the diagonal, which does not count."""

    def gathered(self) -> Gathered:
        """Arrays by which compiled loops find similarities of any two objects."""

    def part(self, objects: Integers) -> "Clustering":
        """These objects, in this order: some of them, or a permutation of all."""
