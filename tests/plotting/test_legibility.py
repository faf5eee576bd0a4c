"""Pictures can be read on light and dark grounds, and show what is likely, at chance and far off."""

import itertools

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import StepPatch
from scipy.cluster.hierarchy import linkage

import chancecorr as cc
from chancecorr.comparison import compare_datasets, compare_trees, hard_scores, overlaps, stability
from chancecorr.plotting import plot_null

matplotlib.use("Agg")

FAR = [[50, 0, 0], [0, 39, 11], [0, 14, 36]]
AT_CHANCE = [[17, 16, 17], [16, 18, 16], [17, 16, 17]]
MARGINS = cc.Margins([240, 240, 320], [240, 240, 320])

RESULTS = {
    "exact, far": lambda: cc.adjust_table(FAR, index="jaccard", method="exact"),
    "sampled, far": lambda: cc.adjust_table(FAR, index="jaccard", method="monte-carlo", rng=1),
    "exact, at chance": lambda: cc.adjust_table(AT_CHANCE, index="jaccard", method="exact"),
    "sampled, at chance": lambda: cc.adjust_table(AT_CHANCE, index="nmi_sum", method="monte-carlo", rng=1),
    "a distance": lambda: cc.adjust_table(FAR, index="van_dongen", method="monte-carlo", rng=1),
    "two values": lambda: cc.adjust_table([[2, 1], [1, 2]], index="rand"),
    "perfect": lambda: cc.adjust_table([[50, 0], [0, 50]], index="jaccard"),
    "all the same": lambda: cc.adjust([0, 0, 0], [0, 0, 0], index="rand"),
    "undefined": lambda: cc.adjust([0, 1, 2], [0, 0, 0], index="fowlkes_mallows", rng=1),
    "exact law alone": lambda: cc.null_distribution(MARGINS, "jaccard", method="exact"),
    "sampled law alone": lambda: cc.null_distribution(MARGINS, "jaccard", method="monte-carlo", rng=0),
}


def written(ax):
    """Visible texts of the axes, of the legend and of axes within."""
    texts = [*ax.texts, ax.xaxis.label, *ax.get_xticklabels()]
    if ax.get_legend():
        texts += [*ax.get_legend().get_texts(), ax.get_legend().get_title()]
    texts = [text for text in texts if text.get_text()]
    return texts + [text for inner in ax.child_axes for text in written(inner)]


def luminance(colour):
    """Relative luminance by WCAG 2.1."""
    channels = np.array(to_rgb(colour))
    linear = np.where(channels <= 0.03928, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("style", ["default", "dark_background", "grayscale"])
def test_letters_stand_out_from_the_background(style):
    """4.5 to 1, as WCAG 2.1 asks of text."""
    with pyplot.style.context(style):
        ax = plot_null(RESULTS["exact, far"]())
        ax.figure.canvas.draw()
        for text in written(ax):
            assert contrast(text.get_color(), ax.get_facecolor()) >= 4.5, text


@pytest.mark.parametrize("name", ["exact, far", "exact, at chance"])
def test_a_needle_is_enlarged_also_of_an_exact_law(name):
    score = RESULTS[name]()
    (inset,) = plot_null(score).child_axes
    low, high = score.null.quantile([5e-5, 1 - 5e-5])
    assert inset.get_xlim()[0] < low < high < inset.get_xlim()[1]
    assert high - low > 0.6 * np.diff(inset.get_xlim())
    ((heights, edges, _),) = [each.get_data() for each in inset.patches if isinstance(each, StepPatch)]
    inside = (low <= edges[:-1]) & (edges[:-1] <= high)
    assert np.count_nonzero(heights[inside]) > 20  # the shape of the law is there


@pytest.mark.parametrize("name", RESULTS)
def test_the_axis_covers_what_is_likely_and_the_marks(name):
    result = RESULTS[name]()
    left, right = plot_null(result).get_xlim()
    low, high = np.atleast_1d(getattr(result, "null", result).quantile([5e-5, 1 - 5e-5]))
    if np.isfinite(low):
        assert left < low <= high < right


# Names with characters that hide or steer are shown escaped, in notebooks and in pictures
HIDDEN = "\u202e\x1b\x00\ud800"
NAME = f"a{HIDDEN}b<i>"
U, V = [0, 0, 1, 1, 2, 2] * 4, [0, 1, 1, 1, 2, 2] * 4
NAMED = [NAME, "x", "x", NAME, "y", "y"] * 4

WITH_NAMES = {
    "a score": lambda: cc.adjust(NAMED, V),
    "scores": lambda: cc.adjust(NAMED, V, ["rand", "purity"]),
    "a comparison": lambda: cc.compare(NAMED, {NAME: V, "u": U}),
    "pairs": lambda: cc.pairwise({NAME: U, "v": V, "named": NAMED}),
    "data sets": lambda: compare_datasets({NAME: (U, {NAME: V, "u": U}), "second": (V, {NAME: U, "u": V})}),
    "a table": lambda: cc.contingency_table(NAMED, V),
}


@pytest.mark.parametrize("kind", WITH_NAMES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_no_hidden_character_reaches_a_reader(kind):
    result = WITH_NAMES[kind]()
    if hasattr(result, "_repr_html_"):
        page = result._repr_html_()
        assert not set(page) & set(HIDDEN)
        assert "<i>" not in page
    if hasattr(result, "plot"):
        figure = result.plot().figure
        figure.canvas.draw()
        shown = "".join(text.get_text() for text in figure.findobj(matplotlib.text.Text))
        assert not set(shown) & set(HIDDEN)
    if kind == "a score":
        plot_null(result).figure.canvas.draw()


# Every picture, at its own size and at those of one and two columns of a journal
LONG = ["k-means, standardised data, seed 1", "leiden", "Gaussian mixture of 12 components, full covariance"]


def long_labels():
    """A reference and eleven candidates of 60 objects, with names that take room."""
    rng = np.random.default_rng(2)
    truth = np.array(["Oligodendrocyte precursor cells", "T", "Microglia"])[np.arange(60) // 20]
    shuffled = [np.where(rng.random(60) < 0.05 + k / 12, rng.permutation(truth), truth) for k in range(11)]
    return truth, {f"{LONG[k % 3]} {k}": labels for k, labels in enumerate(shuffled)}


def first(count):
    truth, candidates = long_labels()
    return truth, dict(list(candidates.items())[:count])


PICTURES = {
    "a score": lambda: cc.adjust(first(3)[0], first(3)[1]["leiden 1"], "jaccard", rng=1),
    "far from chance": lambda: cc.adjust(first(3)[0], first(3)[0], "ami", method="monte-carlo", rng=1),
    "a null distribution": lambda: cc.null_distribution(MARGINS, "jaccard"),
    "one candidate": lambda: cc.compare(*first(1)),
    "three candidates": lambda: cc.compare(*first(3), "ami"),
    "eleven candidates": lambda: cc.compare(*long_labels()),
    "three pairs": lambda: cc.pairwise(first(3)[1], "ami"),
    "eleven clusterings": lambda: cc.pairwise(long_labels()[1]),
    "data sets": lambda: compare_datasets({"x": first(3), "y": first(3), "z": first(3)}),
    "runs": lambda: stability(list(long_labels()[1].values())),
    "a table": lambda: cc.contingency_table(first(3)[0], [f"a cluster, named {k % 5}" for k in range(60)]),
    "overlaps": lambda: overlaps(first(3)[0], [f"a cluster, named {k % 5}" for k in range(60)]),
    "overlaps of many": lambda: overlaps(np.arange(600) % 30, np.arange(600) % 26),
    "hard clusterings": lambda: hard_scores(np.arange(60) % 3, np.array(list(long_labels()[1].values()))),
    "a large table": lambda: cc.contingency_table(np.arange(600) % 30, np.arange(600) % 26),
    "trees": lambda: compare_trees(*(linkage(np.arange(12.0)[:, None] ** k) for k in (1, 2)), rng=1),
}  # fmt: skip


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.filterwarnings("ignore::UserWarning:chancecorr")
def test_nothing_is_cut_off_at_any_width_and_the_colour_can_be_chosen(kind):
    result = PICTURES[kind]()
    for width in (None, 80, 170):  # mm
        ax = None
        if width is not None:
            _, ax = pyplot.subplots(figsize=(width / 25.4, 0.75 * width / 25.4), layout="constrained")
        drawn = result.plot(ax=ax)
        assert isinstance(drawn, Axes)
        assert ax is None or drawn is ax
        drawn.figure.canvas.draw()
        shown, (right, top) = drawn.figure.get_tightbbox(), drawn.figure.get_size_inches()
        assert min(shown.x0, shown.y0, right - shown.x1, top - shown.y1) > -0.03, (width, shown)  # inches
        names = [label.get_window_extent() for label in drawn.get_yticklabels() if label.get_text()]
        assert not any(one.overlaps(other) for one, other in itertools.pairwise(names)), width
        pyplot.close(drawn.figure)
    with pytest.raises(
        ValueError, match="`color` must be a matplotlib colour, such as 'tab:red'; got 'blau'"
    ):
        result.plot(color="blau")
    with pyplot.rc_context({"axes.prop_cycle": "cycler(color=['#ff0000', '#00ff00'])"}):
        of_style = list_colours(result.plot())
    chosen = list_colours(result.plot(color="#ff0000"))
    assert chosen == of_style != list_colours(result.plot(color="#00ff00")) or kind == "a null distribution"


def test_names_are_cut_no_shorter_than_tells_them_apart():
    names = [f"k-means of standardised data, {k} clusters, seed 1" for k in range(12)]
    candidates = dict(zip(names, long_labels()[1].values(), strict=False))
    _, ax = pyplot.subplots(figsize=(80 / 25.4, 60 / 25.4), layout="constrained")
    for result in (cc.compare(long_labels()[0], candidates), cc.pairwise(candidates)):
        shown = [label.get_text() for label in result.plot(ax=ax).get_yticklabels()]
        assert len(set(shown)) == len(candidates) == len(shown)
        assert max(map(len, shown)) < len(names[0])
    escaped = {"a\x1b": U, r"a\x1b": V}
    assert [text.get_text() for text in cc.pairwise(escaped).plot().get_yticklabels()] == [r"a\x1b"] * 2


def list_colours(ax):
    """Colours of lines and of images."""
    ax.figure.canvas.draw()
    colours = [image.to_rgba(image.get_array()).tolist() for image in ax.images]
    return [line.get_color() for line in ax.lines], colours


def test_several_indices_take_an_axes_each():
    scores = cc.adjust(U, V, ["rand", "ami"])
    _, axes = pyplot.subplots(1, 2)
    assert scores.plot(ax=axes) is axes[0]
    assert axes[1].get_xlabel().startswith("Mutual information")
    alone = pyplot.subplots()[1]
    assert scores.plot("ami", ax=alone) is alone
    for result in (scores, cc.compare(U, [V], ["rand", "ami"])):
        with pytest.raises(ValueError, match=r"`ax` must be 2 Axes, .*, or `index` must name one"):
            result.plot(ax=alone)
