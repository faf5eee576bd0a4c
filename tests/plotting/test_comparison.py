"""The forest plot of a comparison shows the numbers it should, and can be read."""

import itertools

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_rgba

import chancecorr as cc
from chancecorr.plotting import plot_comparison

matplotlib.use("Agg")

RNG = np.random.default_rng(1)
REFERENCE = np.repeat([0, 1, 2], 40)


def noisy(share):
    return np.where(RNG.random(REFERENCE.size) < share, RNG.integers(0, 3, REFERENCE.size), REFERENCE)


CANDIDATES = {"poor": noisy(0.8), "good": noisy(0.2), "fair": noisy(0.5), "better": noisy(0.15)}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def comparison():
    return cc.compare(REFERENCE, CANDIDATES, index=["rand", "jaccard"], rng=0)


def points(ax):
    """Lines of one point, by the name of the candidate."""
    return {line.get_label(): line for line in ax.lines if not line.get_label().startswith("_")}


class TestForest:
    def test_points_stand_at_the_scores_the_best_at_the_top(self, comparison):
        ax = comparison.plot("jaccard")
        ranked = comparison.ranked("jaccard")
        names = [label.get_text() for label in ax.get_yticklabels()]
        assert names == [score.candidate for score in ranked]
        for place, score in enumerate(ranked):
            (x,), (y,) = points(ax)[score.candidate].get_data()
            assert (x, y) == (score.adjusted, place)
        assert ax.get_ylim()[0] > ax.get_ylim()[1]

    def test_lines_are_the_intervals(self, comparison):
        drawn = [tuple(each.get_segments()[0][:, 0]) for each in comparison.plot("rand").collections]
        assert drawn == [tuple(score.interval) for score in comparison.ranked("rand")]

    def test_full_points_cannot_be_told_from_the_best(self, comparison):
        ax = comparison.plot("rand")
        seen = set()
        for name, line in points(ax).items():
            is_full = to_rgba(line.get_markerfacecolor()) == to_rgba(line.get_color())
            assert is_full == comparison[name]["rand"].among_best
            seen.add(is_full)
        assert seen == {True, False}
        assert (
            ax.get_xlabel()
            == "Rand index, adjusted, 95 % intervals; open circle: significantly below the best"
        )

    def test_without_intervals_points_alone(self):
        ax = cc.compare(REFERENCE, CANDIDATES, interval=None, method="analytic").plot()
        assert not ax.collections
        assert len(points(ax)) == 4
        assert ax.get_xlabel() == "Rand index, adjusted"

    @pytest.mark.heavy
    @pytest.mark.parametrize("n_candidates", [1, 15, 40])
    def test_names_do_not_touch_in_a_figure_of_its_own(self, n_candidates):
        many = {f"candidate {k}": noisy(0.02 * k) for k in range(n_candidates)}
        ax = cc.compare(REFERENCE, many, method="analytic").plot()
        ax.figure.canvas.draw()
        boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
        assert all(one.y0 >= other.y1 for one, other in itertools.pairwise(boxes))
        assert boxes[0].x0 >= 0.0

    def test_bad_input_gets_a_line(self, comparison):
        with pytest.raises(TypeError, match="`comparison` must be a Comparison; got dict"):
            plot_comparison({})
        with pytest.raises(ValueError, match="`index` must be one of 'rand', 'jaccard'; got None"):
            comparison.plot()
        with pytest.raises(TypeError, match="`ax` must be a matplotlib Axes; got int"):
            comparison.plot("rand", ax=5)
