"""Blocks of tables, as large as is evaluated in a given time.

The sampler's forecast does not know the price of an index: the function of a user may take a microsecond or a
minute a table. The first blocks end when their time is up, and later ones have as many tables as the time of
those before promises. Blocks never change the result, only how soon Ctrl-C is noticed and the bar moves.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Blocks(Iterator[tuple[int, int]]):
    """Blocks ``(first table, number of tables)`` whose size follows the times that they take.

    Attributes
    ----------
    first, left : int
        The first table that is in no block yet, and how many such tables there are.
    largest : int
        Most tables in a block.
    seconds : float
        Time that a block is to take; inf for blocks of the largest size.
    is_known : bool
        Whether the time of a table is known.
    size : int
        Tables in the next block.
    """

    first: int
    left: int
    largest: int
    seconds: float
    is_known: bool
    size: int = 0
    _took_one: bool = False

    def __post_init__(self) -> None:
        """Begin with the largest size."""
        self.size = self.largest

    def __next__(self) -> tuple[int, int]:
        """The next block."""
        if not self.left:
            raise StopIteration
        block = self.first, min(self.size, self.left)
        self._leave_out(block[1])
        return block

    def skip(self, n_tables: int, took: float) -> None:
        """Leave out the next tables, which were evaluated in so many seconds.

        The first table tells nothing if it was alone: functions are compiled in it.
        """
        self._leave_out(n_tables)
        self.size = self._promised(n_tables, took)
        self.is_known = self.is_known or n_tables > 1 or self._took_one
        self._took_one = True

    def learn(self, n_tables: int, took: float) -> None:
        """Take the seconds of a block into account; a size that is right within a factor of 2 stays."""
        if took > 2 * self.seconds or (n_tables >= self.size and took < self.seconds / 2):
            self.size = self._promised(n_tables, took)

    def _leave_out(self, n_tables: int) -> None:
        """Begin behind so many tables."""
        self.first, self.left = self.first + n_tables, self.left - n_tables

    def _promised(self, n_tables: int, took: float) -> int:
        """Tables in the wanted time if all take as long as these."""
        if math.isinf(self.seconds):
            return self.largest
        return int(min(max(self.seconds * n_tables / max(took, 1e-9), 1.0), self.largest))
