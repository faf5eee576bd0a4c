"""The forest plot of a comparison shows the numbers it should, and can be read."""

import itertools

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_rgba

import chancecorr as cc
from chancecorr.indices.registry import display_name
from chancecorr.plotting import plot_comparison, plot_trees

matplotlib.use("Agg")

RNG = np.random.default_rng(1)
REFERENCE = np.repeat([0, 1, 2], 40)


def noisy(share):
    return np.where(RNG.random(REFERENCE.size) < share, RNG.integers(0, 3, REFERENCE.size), REFERENCE)


CANDIDATES = {"poor": noisy(0.8), "good": noisy(0.2), "fair": noisy(0.5), "better": noisy(0.15)}


@pytest.fixture(scope="module")
def comparison():
    return cc.compare(REFERENCE, CANDIDATES, index=["rand", "jaccard"], rng=0)


def points(ax):
    """Lines of one point, by the name of the candidate."""
    return {line.get_label(): line for line in ax.lines if not line.get_label().startswith("_")}


class TestForest:
    def test_points_stand_at_the_scores_the_best_at_the_top(self, comparison):
        ax, ranked = comparison.plot("jaccard"), comparison.ranked("jaccard")
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
        ax, seen = comparison.plot("rand"), set()
        for name, line in points(ax).items():
            is_full = to_rgba(line.get_markerfacecolor()) == to_rgba(line.get_color())
            assert is_full == comparison[name]["rand"].among_best
            seen.add(is_full)
        assert seen == {True, False}
        assert ax.get_xlabel() == "Rand index, adjusted, 95 % intervals"
        texts = [text.get_text() for text in ax.get_legend().get_texts()]
        assert texts == ["best, or not significantly below the best", "significantly below the best"]
        full, hollow = ax.get_legend().legend_handles
        assert to_rgba(full.get_markerfacecolor()) == to_rgba(full.get_color())
        assert to_rgba(hollow.get_markerfacecolor()) == ax.get_facecolor()

    def test_bad_input_gets_a_line(self, comparison):
        with pytest.raises(TypeError, match="`comparison` must be a Comparison; got dict"):
            plot_comparison({})
        with pytest.raises(TypeError, match="`ax` must be a matplotlib Axes; got int"):
            comparison.plot("rand", ax=5)


def test_each_index_has_a_panel(comparison):
    ax = comparison.plot()
    rand, jaccard = ax.figure.axes
    assert ax is rand
    assert rand.figure is jaccard.figure
    for ax, name, title in ((rand, "rand", "Rand index"), (jaccard, "jaccard", "Jaccard index")):
        assert ax.get_xlabel().startswith(title)
        names = [label.get_text() for label in ax.get_yticklabels()]
        assert names == [score.candidate for score in comparison.ranked(name)]
    assert rand.get_window_extent().y0 > jaccard.get_window_extent().y1


def test_a_heat_map_says_that_it_is_in_another_order():
    given = {"a": [0, 0, 1, 1, 2, 2], "b": [0, 1, 2, 0, 1, 2], "c": [5, 5, 7, 7, 8, 9]}
    assert cc.pairwise(given).plot().get_title("left") == "ordered by similarity"
    in_order = {name: given[name] for name in ("b", "c", "a")}
    assert [text.get_text() for text in cc.pairwise(in_order).plot().get_xticklabels()] == list(in_order)
    assert cc.pairwise(in_order).plot().get_title("left") == ""


@pytest.mark.parametrize("size", [(80, 70), (170, 70), (80, 100)])
@pytest.mark.parametrize("kind", ["pairwise", "stability"])
def test_a_heat_map_stands_in_the_middle_beside_a_bar_of_its_height(kind, size):
    runs = {f"run {k}": np.random.default_rng(k).integers(0, 4, 60) for k in range(50)}
    result = cc.pairwise(runs) if kind == "pairwise" else cc.comparison.stability(list(runs.values()))
    figure, ax = pyplot.subplots(figsize=np.array(size) / 25.4, layout="constrained")
    result.plot(ax=ax)
    figure.canvas.draw()
    image, (bar,) = ax.get_window_extent(), ax.child_axes
    assert bar.get_window_extent().height == pytest.approx(image.height, abs=1.0)
    used, width_of_bar = figure.get_tightbbox(), bar.get_tightbbox().x1 - image.x1
    left, right = used.x0, size[0] / 25.4 - used.x1
    assert abs(left - right) * figure.dpi < width_of_bar + 3.0  # the map itself is in the middle
    if kind == "pairwise":
        assert not any(label.get_text() for label in ax.get_xticklabels())
        assert ax.get_title("left") == "50 clusterings ordered by similarity"


def test_names_of_many_clusterings_are_shown_where_they_can_be_read():
    result = cc.pairwise({f"r{k}": np.random.default_rng(k).integers(0, 4, 60) for k in range(30)})
    ax = result.plot(figsize=(12, 11))
    assert sorted(label.get_text() for label in ax.get_yticklabels()) == sorted(result.names)


@pytest.mark.parametrize("index", ["rand", ["rand", "jaccard"]])
@pytest.mark.parametrize("call", [cc.adjust, lambda x, y, index: cc.compare(x, {"y": y}, index)])
def test_a_new_figure_has_the_size_that_is_asked_for(index, call):
    result = call([0, 0, 1, 1, 2, 2] * 3, [0, 1, 1, 0, 2, 2] * 3, index)
    assert result.plot(figsize=(3.15, 4)).figure.get_size_inches().tolist() == [3.15, 4.0]
    panels = pyplot.subplots(len(index) if isinstance(index, list) else 1)[1]
    with pytest.raises(ValueError, match="`figsize` must be left out with `ax`"):
        result.plot(ax=panels, figsize=(3.15, 4))


def test_trees_have_a_line_for_each_number_of_clusters():
    tree = [[0, 1, 1, 2], [2, 3, 1, 2], [4, 5, 3, 4]]
    found = cc.comparison.compare_trees(tree, tree)
    ax = found.plot()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("number of clusters", display_name(found.index))
    expected, observed = [line.get_ydata().tolist() for line in ax.lines]
    assert observed == found.observed.tolist()
    assert expected == found.expected.tolist()
    with pytest.raises(TypeError, match="`result` must be a TreeComparison; got int"):
        plot_trees(3)


@pytest.mark.parametrize("size", [(80, 60), (170, 80), None])
@pytest.mark.parametrize("kind", ["candidates", "data sets"])
def test_names_of_many_candidates_are_legible_and_do_not_overlap(kind, size):
    candidates = {f"method {k}": noisy(k / 40) for k in range(40)}
    if kind == "candidates":
        result = cc.compare(REFERENCE, candidates, "rand", rng=0)
    else:
        result = cc.comparison.compare_datasets({name: (REFERENCE, candidates) for name in "abc"}, "rand")
    if size is None:
        ax = result.plot()
        assert len(ax.get_yticks()) == 40
        assert ax.get_ylabel() == ""
    else:
        ax = result.plot(ax=pyplot.subplots(figsize=np.array(size) / 25.4, layout="constrained")[1])
        assert ax.get_ylabel() == "40 candidates, 1 of 3 named"
        assert ax.get_yticks().tolist() == list(range(0, 40, 3))
    ax.figure.canvas.draw()
    for texts in (ax.get_yticklabels(), ax.texts):
        boxes = [text.get_window_extent() for text in texts]
        assert all(text.get_fontsize() >= 5.0 for text in texts)
        assert all(upper.y0 >= lower.y1 for upper, lower in itertools.pairwise(boxes))
    tops = [line.get_markersize() for line in points(ax).values() if line.get_label().startswith("method")]
    row = ax.get_window_extent().height * 72.0 / ax.figure.dpi / 40.0
    assert max(tops) <= row  # points of neighbours do not overlap
