"""Control charts: sizes, ranges that follow from the equations, and each kind told apart by its own term."""

import numpy as np
import pytest

from experiments.common.control_charts import KINDS, control_charts

CURVES, LABELS = control_charts(np.random.default_rng(1), per_kind=400)
T = np.arange(1, 61)


def curves_of(kind):
    return CURVES[KINDS.index(kind) == LABELS]


def test_sizes_are_those_of_the_published_set():
    curves, labels = control_charts(np.random.default_rng(2))
    assert curves.shape == (600, 60)
    assert labels.tolist() == sorted(labels.tolist())


@pytest.mark.parametrize(("kind", "sign"), [("increasing", 1), ("decreasing", -1)])
def test_gradients(kind, sign):
    """Least squares: the slope of 60 points with a deviation of 3.46 is known to 0.026."""
    slopes = sign * np.polyfit(T, curves_of(kind).T, 1)[0]
    assert slopes.mean() == pytest.approx(0.35, abs=4.5 * (0.3 / 12**0.5 + 0.026) / 20)
    assert 0.2 - 4.5 * 0.026 < slopes.min() < 0.25
    assert 0.45 < slopes.max() < 0.5 + 4.5 * 0.026
