"""The picture at the top of the README: `python -m experiments.demo.picture` draws it again."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import chancecorr as cc
from chancecorr.plotting import plot_null

FILE = Path(__file__).resolve().parents[2] / "docs" / "_static" / "null_distribution.png"
OBJECTS = 150


def draw(path: Path = FILE) -> None:
    """Two clusterings of 150 objects that agree in part: where chance is, and where they are."""
    reference = np.repeat([0, 1, 2], OBJECTS // 3)
    candidate = np.where(np.arange(OBJECTS) % 3 == 0, (reference + 1) % 3, reference)
    score = cc.adjust(reference, candidate, "jaccard", rng=1)
    fig, ax = plt.subplots(figsize=(7.2, 2.6), layout="constrained")
    plot_null(score, ax=ax)
    fig.savefig(path, dpi=110)
    plt.close(fig)


if __name__ == "__main__":
    draw()
