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


@pytest.mark.parametrize(("kind", "sign"), [("upward shift", 1), ("downward shift", -1)])
def test_shifts(kind, sign):
    """None before a third of the curve, all of it after two thirds."""
    curves = sign * (curves_of(kind) - 30)
    assert curves[:, T < 20].max() <= 6
    heights = curves[:, T >= 40].mean(axis=1)
    error = 2 * 3**0.5 / 21**0.5
    assert heights.mean() == pytest.approx(13.75, abs=4.5 * (12.5 / 12**0.5 + error) / 20)
    assert 7.5 - 4.5 * error < heights.min() < 8.5
    starts = np.array([20 + np.argmax(curve[T >= 20] > 6.75) for curve in curves])
    assert starts.max() <= 60
    assert np.quantile(starts, 0.5) == pytest.approx(30.5, abs=3)
