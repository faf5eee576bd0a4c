"""The counts in parts of their space in which a maximum or a minimum is settled.

Whether b or c is the larger, and whether a or d is, settles max(P, Q), max(P P', Q Q') = (a - d)(c - b)
more than Q Q', min(a, d) and the like. In each of the four parts the larger count is written as the
smaller one and the rest, so that all four variables are again not negative, and free.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.properties.polynomials import Face, Polynomial

Direction = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """Counts as sums of the variables: count i is the sum of the variables ``parts[i]``.

    Attributes
    ----------
    parts : tuple of tuple of int
        Variables whose sum is a, b, c, d.
    """

    parts: tuple[tuple[int, ...], ...]

    def counts(self) -> list[Polynomial]:
        """a, b, c and d in the variables."""
        return [_sum(part) for part in self.parts]

    def direction(self, step: Sequence[int]) -> Direction:
        """How the variables change when the counts change by these steps."""
        found = list(step)
        for i, part in enumerate(self.parts):
            for j in part:
                if j != i:
                    found[i] -= step[j]
        return tuple(found)

    def face(self, face: Face) -> Face:
        """Which counts are positive where these variables are."""
        return frozenset(i for i, part in enumerate(self.parts) if face & set(part))


def _sum(places: tuple[int, ...]) -> Polynomial:
    found = Polynomial({})
    for place in places:
        found = found + Polynomial.variable(place)
    return found


WHOLE = Region(((0,), (1,), (2,), (3,)))
"""All counts at once."""

QUARTERS = tuple(
    Region((a, b, c, d))
    for b, c in (((1, 2), (2,)), ((1,), (1, 2)))
    for a, d in (((0, 3), (3,)), ((0,), (0, 3)))
)
"""b >= c or c >= b, and a >= d or d >= a."""
