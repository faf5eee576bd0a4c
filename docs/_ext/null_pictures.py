"""Pictures of what an index takes by chance, as SVG that has the colour of the text around it.

All are drawn for the same two pairs of clusterings, so that the pages of two indices can be compared.
"""

import math
import re
from dataclasses import dataclass
from html import escape

import numpy as np

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.correction.adjust import null_distribution
from chancecorr.indices.registry import Index
from chancecorr.report.contents import Score
from chancecorr.report.drawing import law_picture
from chancecorr.tables.contingency import Margins

SEED = 2014
MARGINS = (
    ("3 clusters of 10 and 3 clusters of 10 objects, n = 30", Margins([10, 10, 10], [10, 10, 10])),
    ("clusters of 25, 15, 12, 8 and of 30, 20, 10 objects, n = 60", Margins([25, 15, 12, 8], [30, 20, 10])),
)
"""Cluster sizes, equal and unequal, and what they are called."""

WIDTH, HEIGHT, FOOT = 320, 110, 22
"""Of a picture in pixels, and of the numbers below it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and what is to be said of it."""

    svg: str
    caption: str


def pictures(index: Index) -> list[Picture]:
    """Pictures for both pairs of clusterings; none for an index that does not vary."""
    if index.constant:
        return []
    return [_picture(index, *described) for described in MARGINS]


def _picture(index: Index, sizes: str, margins: Margins) -> Picture:
    null = null_distribution(margins, index, rng=SEED)
    if null.values_from is None:
        null = null_distribution(margins, index, method="monte-carlo", rng=SEED)
    said = _in_words(null)
    drawn = law_picture(_score(null))
    body = [f'<path d="{_fitted(drawn.path)}" fill="currentColor" fill-opacity="0.35"/>']
    if drawn.expected is not None:
        x = f"{drawn.expected / 100 * WIDTH:.1f}"
        body.append(
            f'<line x1="{x}" x2="{x}" y1="0" y2="{HEIGHT - FOOT}" stroke="currentColor" stroke-width="1.5"'
            ' stroke-dasharray="4 3"/>'
        )
    foot = HEIGHT - FOOT
    body.append(f'<line x1="0" x2="{WIDTH}" y1="{foot}" y2="{foot}" stroke="currentColor"/>')
    for tick in drawn.ticks:
        x = f"{tick.place / 100 * WIDTH:.1f}"
        body.append(f'<line x1="{x}" x2="{x}" y1="{foot}" y2="{foot + 4}" stroke="currentColor"/>')
        body.append(
            f'<text x="{x}" y="{HEIGHT - 3}" text-anchor="middle" font-size="12" fill="currentColor">'
            f"{tick.text}</text>"
        )
    label = escape(f"Values of {index.name} by chance, {sizes}: {said}.", quote=True)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}" role="img" aria-label="{label}">{"".join(body)}</svg>'
    )
    return Picture(svg, f"{sizes[0].upper()}{sizes[1:]}: {said}.")


def _in_words(null: NullDistribution) -> str:
    """Mean, standard deviation, and where the values come from."""
    parts = [f"mean {_number(null.mean)}", f"standard deviation {_number(null.std)}"]
    finite = np.isfinite(null.values)
    if not finite.all():
        left = float(null.weights[~finite].sum())
        parts.append(f"infinite or undefined with probability {_number(left)}")
    if null.values_from == "exact":
        return ", ".join([*parts, "all tables"])
    return ", ".join([*parts, f"{null.n_tables:,} simulated tables"])


def _number(x: float) -> str:
    if math.isnan(x):
        return "undefined"
    return f"{x:.3g}".replace("-", "−").replace("inf", "infinite")


def _score(null: NullDistribution) -> Score:
    """What `law_picture` draws, with nothing observed."""
    nothing = math.nan
    return Score(
        candidate="", observed=nothing, expected=null.mean, adjusted=nothing, low=nothing,
        high=nothing, z_score=nothing, p_value="", p_corrected="", p_of_difference="", rank=None,
        among_best=None, law=null,
    )  # fmt: skip


def _fitted(path: str) -> str:
    """An outline in a box of 1000 by 100, ``M0 100V10H20...Z``, in the box of the picture."""
    parts = []
    for command, numbers in re.findall(r"([A-Z])([^A-Z]*)", path):
        scaled = []
        for place, number in enumerate(map(float, numbers.split())):
            across = command == "H" or (command == "M" and place == 0)
            scaled.append(f"{number * (WIDTH / 1000 if across else (HEIGHT - FOOT) / 100):.1f}")
        parts.append(command + " ".join(scaled))
    return "".join(parts)
