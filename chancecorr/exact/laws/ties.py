"""Which values count as extreme, as tied with the observed one, and as the same: one rule for all p-values.

An index is constant where its values, or their standard deviation, do not exceed the `rounding` of the terms
that they are made of, and a difference is none where it does not.
"""

import functools
import math
from typing import Any

import numpy as np

from chancecorr.machine.arrays import Booleans, Floats

EPSILON = float(np.finfo(np.float64).eps)


def rounding(*sizes: Any, constant: bool = False) -> Any:
    """Largest rounding of differences of numbers of these sizes: 1,000 units in the last place; elementwise.

    Sizes are those of the terms of a sum: a difference of entropies is 0 to within the rounding of these.
    """
    # Where an index is constant, the numbers are either the same, or apart by far more than 1e-10 of their
    # size or of 1: what is 0 may then be a difference of entropies.
    size = functools.reduce(np.maximum, map(np.abs, sizes))
    return 1e-10 * np.maximum(size, 1.0) if constant else 1000.0 * EPSILON * size


def tie_slack(observed: float, values: Floats) -> float:
    """100 roundings of the largest finite number at hand: what ties may differ by."""
    finite = values[np.isfinite(values)]
    scale = max(abs(observed) if math.isfinite(observed) else 0.0, float(np.abs(finite).max(initial=0.0)))
    return 100.0 * EPSILON * scale


def extreme(values: Floats, observed: float, alternative: str) -> Booleans:
    """Which values are as extreme as the observed one, to the "greater" or "less" side, ties counted."""
    slack = tie_slack(observed, values)
    return values >= observed - slack if alternative == "greater" else values <= observed + slack
