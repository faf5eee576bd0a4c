"""The data sets of table 2: objects, their classes, and how variables are brought to one scale."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from experiments.common.control_charts import control_charts
from experiments.common.data import load_dataset
from experiments.common.units import generator

Floats = npt.NDArray[np.float64]
Scale = Literal["min-max", "z-score"]

SCALES: tuple[Scale, ...] = ("min-max", "z-score")

FILES = {
    "UCI-glass": "glass",
    "UCI-iris": "iris",
    "UCI-wine": "wine",
    "UCI-vehicle": "vehicle",
    "UCI-BCW-O": "bcw-original",
    "UCI-BCW-D": "bcw-diagnostic",
}
"""Names in `experiments.common.data`, by those of the paper."""

GENERATED = "UCI-chart"
MISSING = {"UCI-pima": "the repository withdrew this set because of permission restrictions"}
"""Sets that are not here, and why."""

AVAILABLE = (GENERATED, *FILES)


@dataclass(frozen=True, slots=True, eq=False)
class Objects:
    """Objects and classes: `X` of shape (n, d), `classes` of shape (n,) from 0, `n_classes` of them."""

    X: Floats
    classes: npt.NDArray[np.int64]
    n_classes: int


def load(name: str, seed: int) -> Objects:
    """A set by its name in the paper; the control charts are drawn, the same for the same seed."""
    if name == GENERATED:
        X, labels = control_charts(generator(seed, "control charts"))
        return Objects(X, labels, 6)
    found = load_dataset(FILES[name])
    classes, codes = np.unique(found.labels, return_inverse=True)
    return Objects(found.X, codes.astype(np.int64), classes.size)


def scaled(X: Floats, scale: Scale) -> Floats:
    """Each variable to [0, 1], or to mean 0 and standard deviation 1; section 5.2.3."""
    if scale == "min-max":
        return np.asarray((X - X.min(axis=0)) / np.ptp(X, axis=0))
    return np.asarray((X - X.mean(axis=0)) / X.std(axis=0, ddof=1))
