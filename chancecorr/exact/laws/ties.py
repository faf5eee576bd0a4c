"""Which values count as extreme, and as tied with the observed one: one rule for all p-values."""

import math

import numpy as np

from chancecorr.machine.arrays import Booleans, Floats

EPSILON = float(np.finfo(np.float64).eps)


def tie_slack(observed: float, values: Floats) -> float:
    """100 roundings of the largest finite number at hand: what ties may differ by."""
    finite = values[np.isfinite(values)]
    scale = max(abs(observed) if math.isfinite(observed) else 0.0, float(np.abs(finite).max(initial=0.0)))
    return 100.0 * EPSILON * scale


def extreme(values: Floats, observed: float, alternative: str) -> Booleans:
    """Which values are as extreme as the observed one, to the "greater" or "less" side, ties counted."""
    slack = tie_slack(observed, values)
    return values >= observed - slack if alternative == "greater" else values <= observed + slack
