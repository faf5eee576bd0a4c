"""The picture of a null distribution shows the numbers it should."""

import math

import matplotlib
import pytest
from matplotlib.patches import StepPatch

import chancecorr as cc
from chancecorr.plotting import plot_null

matplotlib.use("Agg")

TABLE = [[50, 0, 0], [0, 39, 11], [0, 14, 36]]
SMALL = [[2, 1], [1, 2]]


def bars(ax):
    """Left end, right end and height of the steps that are not empty."""
    found = [patch.get_data() for patch in ax.patches if isinstance(patch, StepPatch)]
    steps = [step for heights, edges, _ in found for step in zip(edges[:-1], edges[1:], heights, strict=True)]
    return [step for step in steps if step[2] > 0]


def lines_by_name(ax):
    marked = [line for line in ax.lines if not line.get_label().startswith("_")]
    return {line.get_label().split()[0]: line.get_xdata()[0] for line in marked}


def texts(ax):
    legend = ax.get_legend()
    return [text.get_text() for text in (*legend.get_texts(), legend.get_title())]


class TestMarks:
    def test_observed_expected_and_best_stand_where_they_are(self):
        score = cc.adjust_table(TABLE, index="jaccard", rng=1)
        ax = plot_null(score)
        wanted = {"observed": score.observed, "expected": score.expected, "best": 1.0}
        assert wanted.items() <= lines_by_name(ax).items()
        assert f"observed {score.observed:.4g}" in texts(ax)
        assert texts(ax)[-1].startswith(f"adjusted = {score.adjusted:.3f}, p ")
        left, right = ax.get_xlim()
        assert left < score.null.values.min()
        assert right > 1.0

    def test_scale_is_filled_by_the_adjusted_score(self):
        score = cc.adjust_table(TABLE, index="rand", rng=1)
        whole, filled = [line.get_xdata() for line in plot_null(score).lines if line.get_linewidth() == 6]
        share = (filled[1] - filled[0]) / (whole[1] - whole[0])
        assert share == pytest.approx(score.adjusted, rel=1e-12)


class TestBars:
    def test_few_values_get_a_bar_each_with_their_weight(self):
        null = cc.null_distribution(cc.Margins([3, 3], [3, 3]), "rand", rng=1)
        found = bars(plot_null(null))
        assert [(left + right) / 2 for left, right, _ in found] == pytest.approx(null.values)
        assert [height for *_, height in found] == pytest.approx(null.weights)

    @pytest.mark.parametrize("bins", ["auto", 10, [0.0, 0.3, 0.5, 1.0]])
    def test_bins_have_areas_that_sum_to_one(self, bins):
        null = cc.null_distribution(cc.Margins([50, 50, 50], [50, 50, 50]), "jaccard", rng=1)
        found = bars(plot_null(null, bins=bins))
        assert math.fsum((right - left) * height for left, right, height in found) == pytest.approx(1.0)


def test_nothing_simulated_or_without_matplotlib(monkeypatch):
    with pytest.raises(ValueError, match=r"must have a null distribution to show; .* Use method='auto'"):
        plot_null(cc.adjust_table(SMALL, method="analytic"))
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'chancecorr\[plot\]'"):
        plot_null(cc.adjust_table(SMALL, rng=1))
