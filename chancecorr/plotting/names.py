"""Where the names of marks stand, so that none is printed over another, over a line, or beyond the axes."""

import itertools
from collections.abc import Sequence
from typing import Literal

Side = Literal["center", "left", "right"]
"""Which part of a name stands at its mark, as matplotlib's ``ha``: a ``"left"`` one goes on to the right."""

APART = 0.015
"""Least room between names, as a share of the axes."""

BESIDE = 0.012
"""Room between a mark and a name that stands to one side of it."""


def rows_and_sides(places: Sequence[float], widths: Sequence[float]) -> list[tuple[int, Side]]:
    """Row, 0 the lowest, and side of each name.

    A mark's line goes up to its name, through all rows below. Of all arrangements that with the fewest
    overlaps is taken; of these the one that leaves the axes least, has the fewest rows, and the most names
    centred.

    Parameters
    ----------
    places : sequence of float
        Positions of the marks along the axes, 0 at the left end and 1 at the right.
    widths : sequence of float
        Widths of the names, as shares of the axes.

    Returns
    -------
    list of (int, str)

    Examples
    --------
    >>> rows_and_sides([0.2, 0.6, 0.9], [0.15, 0.15, 0.1])
    [(0, 'center'), (0, 'center'), (0, 'center')]
    >>> rows_and_sides([0.1, 0.11], [0.3, 0.3])
    [(1, 'left'), (0, 'left')]
    """
    sides: tuple[Side, ...] = ("center", "left", "right")
    choices = list(itertools.product(range(len(places)), sides))

    def cost(arrangement: tuple[tuple[int, Side], ...]) -> tuple[int, float, int, int]:
        named = zip(places, widths, arrangement, strict=True)
        spans = [span(place, width, side) for place, width, (_, side) in named]
        rows = [row for row, _ in arrangement]
        overlaps = 0
        for i, j in itertools.permutations(range(len(spans)), 2):
            if i < j and rows[i] == rows[j]:
                overlaps += spans[i][0] < spans[j][1] + APART and spans[j][0] < spans[i][1] + APART
            if rows[i] < rows[j]:  # the line of j goes through the row of i
                overlaps += spans[i][0] - APART / 4 < places[j] < spans[i][1] + APART / 4
        beyond = sum(max(0.0, -low) + max(0.0, high - 1.0) for low, high in spans)
        return overlaps, round(beyond, 6), max(rows), sum(side != "center" for _, side in arrangement)

    if not places:
        return []
    best = min(itertools.product(choices, repeat=len(places)), key=cost)
    return list(best)


def span(place: float, width: float, side: Side) -> tuple[float, float]:
    """From where to where a name goes."""
    low = place + {"center": -width / 2, "left": BESIDE, "right": -BESIDE - width}[side]
    return low, low + width
