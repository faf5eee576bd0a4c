"""Partitions: each object is in one cluster, and two are together if they are in the same."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chancecorr.clusterings.clustering import Gathered
from chancecorr.clusterings.kernels.pairs import EQUAL_LABELS
from chancecorr.clusterings.tiles import Placed, Tiling, spans
from chancecorr.machine.arrays import Integers


@dataclass(frozen=True, slots=True)
class Partition:
    """Objects in one cluster each, numbered from 0."""

    codes: Integers
    word: ClassVar[str] = "labels"

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.codes.size

    @property
    def plain(self) -> Integers:
        """Cluster numbers."""
        return self.codes

    def tiles(self, tiles: Tiling, *, is_checked: bool = False) -> Iterator[Placed]:
        """Tiles of the co-membership matrix: 1 for two objects of a cluster, else 0."""
        for rows, columns in spans(tiles):
            yield rows, columns, (self.codes[rows, None] == self.codes[columns]).astype(np.float64)

    def gathered(self) -> Gathered:
        """The labels."""
        return Gathered(EQUAL_LABELS, codes=self.codes)

    def part(self, objects: Integers) -> "Partition":
        """These objects, in this order."""
        return Partition(self.codes[objects])
