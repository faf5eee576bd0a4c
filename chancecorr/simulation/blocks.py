"""Blocks of tables, as large as is evaluated in a given time.

The function of a user may take a microsecond or a minute a table, so blocks begin with one table and grow
until they take their time.
"""

from collections.abc import Iterator
from dataclasses import dataclass

GROWTH = 16
"""Largest ratio of the tables of a block to those of the one before."""


@dataclass(slots=True, kw_only=True)
class Blocks(Iterator[tuple[int, int]]):
    """Blocks ``(first table, number of tables)`` whose size follows the times that they take."""

    first: int  # table that is in no block yet
    left: int  # number of such tables
    size: int  # of the next block
    largest: int
    seconds: float  # wanted time of a block
    is_known: bool  # whether the size no longer grows

    def __next__(self) -> tuple[int, int]:
        """The next block."""
        if not self.left:
            raise StopIteration
        first, n_tables = self.first, min(self.size, self.left)
        self.first, self.left = first + n_tables, self.left - n_tables
        return first, n_tables

    def learn(self, n_tables: int, seconds: float) -> None:
        """Take the time of a block into account; a size that is right within a factor of 2 stays.

        The first table tells nothing if it was slow: functions are compiled in it.
        """
        before = self.size
        if seconds > 2 * self.seconds or (n_tables >= self.size and seconds < self.seconds / 2):
            wanted = self.seconds * n_tables / max(seconds, 1e-9)
            self.size = int(min(max(wanted, 1.0), GROWTH * n_tables, self.largest))
        self.is_known = self.size <= before
