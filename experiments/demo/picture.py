"""Draw the picture at the head of the README, ``docs/picture.svg``: ``python -m experiments.demo.picture``."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import chancecorr as cc
from chancecorr.plotting import plot_null

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "picture.svg"
TRUTH = ["cat"] * 5 + ["dog"] * 5 + ["owl"] * 5
FOUND = [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 1]
"""The example of the README."""


def draw(path: Path = PICTURE) -> None:
    """Draw the null distribution of the Rand index, and the score of the example, on white."""
    settings = {"svg.hashsalt": "chancecorr", "svg.fonttype": "none", "font.family": "sans-serif"}
    with matplotlib.rc_context(settings):
        axes = plot_null(cc.adjust(TRUTH, FOUND, index="rand", method="exact"))
        axes.figure.savefig(path, format="svg", metadata={"Date": None}, facecolor="white")
        matplotlib.pyplot.close(axes.figure)


if __name__ == "__main__":
    draw()
