"""Blocks of tables, as large as is evaluated in a given time.

The sampler's forecast knows nothing of what an index costs: the function of a user may take a microsecond or
a minute a table. So the first blocks are evaluated until their time is up, and those for other workers have
as many tables as the time of the ones before promises. The blocks never change the result, only how soon
Ctrl-C is noticed and the progress bar moves.
"""

import math
from collections.abc import Iterator


class Blocks(Iterator[tuple[int, int]]):
    """Blocks ``(first table, number of tables)``, whose size follows the times that are told.

    Parameters
    ----------
    first, n_tables : int
        The tables that the blocks cover.
    largest : int
        Most tables in a block, and how many there are in the first one.
    seconds : float
        Time that a block is to take; inf leaves the size as it is.
    is_known : bool
        Whether blocks of the largest size are known to take no longer.

    Attributes
    ----------
    first : int
        The first table that is in no block yet.
    left : int
        How many such tables there are.
    size : int
        Tables in the next block.

    Examples
    --------
    >>> blocks = Blocks(0, 10_000, largest=1000, seconds=0.05, is_known=False)
    >>> blocks.skip(50, took=0.05)
    >>> next(blocks)
    (50, 50)
    >>> blocks.learn(50, took=0.5)
    >>> next(blocks)
    (100, 5)
    """

    def __init__(self, first: int, n_tables: int, *, largest: int, seconds: float, is_known: bool) -> None:
        self.first, self.left, self.size = first, n_tables, largest
        self.largest, self.seconds, self.is_known = largest, seconds, is_known
        self._took_one = False

    def __next__(self) -> tuple[int, int]:
        """The next block."""
        if not self.left:
            raise StopIteration
        first, n_tables = self.first, min(self.size, self.left)
        self.first, self.left = first + n_tables, self.left - n_tables
        return first, n_tables

    def skip(self, n_tables: int, took: float) -> None:
        """Leave out the next tables, which were evaluated, as many as in this time, or all that were left.

        The time of a single table tells the size only where there was one before: functions are compiled in
        the first.
        """
        self.first, self.left = self.first + n_tables, self.left - n_tables
        self.size = self._promised(n_tables, took)
        self.is_known = self.is_known or n_tables > 1 or self._took_one
        self._took_one = True

    def start_small(self) -> None:
        """Single tables first, until times are told: by other processes, while this one evaluates none."""
        self.size, self.is_known = 1, True

    def learn(self, n_tables: int, took: float) -> None:
        """Take into account the time of a block; a size that is right within a factor of 2 stays."""
        if took > 2 * self.seconds or (n_tables >= self.size and took < self.seconds / 2):
            self.size = self._promised(n_tables, took)

    def _promised(self, n_tables: int, took: float) -> int:
        """Tables in the wanted time if all take as long as these."""
        if math.isinf(self.seconds):
            return self.largest
        return int(min(max(self.seconds * n_tables / max(took, 1e-9), 1.0), self.largest))
