"""Pictures of what an index takes by chance, as SVG that has the colour of the text around it.

All are drawn for the same two pairs of clusterings, so that the pages of two indices can be compared.
"""

import math
from dataclasses import dataclass

import numpy as np

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.correction.adjust import null_distribution
from chancecorr.indices.registry import Index
from chancecorr.plotting import plot_null
from chancecorr.report import draw_svg
from chancecorr.tables.contingency import Margins

SEED = 2014
MARGINS = (
    ("3 clusters of 10 and 3 clusters of 10 objects, n = 30", Margins([10, 10, 10], [10, 10, 10])),
    ("clusters of 25, 15, 12, 8 and of 30, 20, 10 objects, n = 60", Margins([25, 15, 12, 8], [30, 20, 10])),
)
"""Cluster sizes, equal and unequal, and what they are called."""


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
    name = f"{index.name}-{margins.n}"
    title = f"Values of {index.name} by chance, {sizes}"
    svg = draw_svg(lambda ax: plot_null(null, ax=ax), name, title, f"{said}.", 170.0, 14.0, 30.0)
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
