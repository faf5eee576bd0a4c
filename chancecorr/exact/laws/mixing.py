"""How many moves a population of tables needs until it has forgotten where it was."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.exact.moments.summary import scale_of
from chancecorr.machine.arrays import Floats, Integers

Values = npt.NDArray[Any]
"""Values whose levels rise: ``+-T`` as int64, or an index (negated for "less") as float64."""


def move_until_mixed(
    values: Values, tables: Integers, move: Callable[[int], None], steps: int, most: int
) -> int:
    """Moves made until neither the value nor ``sum n_ij**3`` is correlated with what it was; about `most`."""
    before, made = _features(values, tables), 0
    while True:
        move(steps)
        made += steps
        if made >= most or _correlation(before, _features(values, tables)) < 0.5:
            return made
        steps = made


def _features(values: Values, tables: Integers) -> Floats:
    """Two features of tables that the order of rows and columns does not change, shape (2, m)."""
    cells = tables.reshape(tables.shape[0], -1).astype(np.float64)
    return np.array([values, (cells * cells * cells).sum(axis=1)], dtype=np.float64)


def _correlation(before: Floats, after: Floats) -> float:
    """Largest correlation of a feature with itself; 0 where none varies, as if the moves had mixed."""
    largest = 0.0
    for x, y in zip(before, after, strict=True):
        within = scale_of(np.concatenate([x, y]))
        x, y = x / within, y / within
        x, y = x - x.mean(), y - y.mean()
        scale = math.sqrt(float(x @ x) * float(y @ y))
        if 0.0 < scale < math.inf:
            largest = max(largest, float(x @ y) / scale)
    return largest
