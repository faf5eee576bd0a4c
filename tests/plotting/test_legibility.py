"""Pictures can be read on light and dark grounds, and show what is likely, at chance and far off."""

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_rgb
from matplotlib.patches import StepPatch

import chancecorr as cc
from chancecorr.comparison import compare_datasets
from chancecorr.plotting.score import plot_null

matplotlib.use("Agg")

FAR = [[50, 0, 0], [0, 39, 11], [0, 14, 36]]
AT_CHANCE = [[17, 16, 17], [16, 18, 16], [17, 16, 17]]
MARGINS = cc.Margins([240, 240, 320], [240, 240, 320])

RESULTS = {
    "exact, far": lambda: cc.adjust_table(FAR, index="jaccard", method="exact"),
    "sampled, far": lambda: cc.adjust_table(FAR, index="jaccard", method="monte-carlo", rng=1),
    "exact, at chance": lambda: cc.adjust_table(AT_CHANCE, index="jaccard", method="exact"),
    "sampled, at chance": lambda: cc.adjust_table(AT_CHANCE, index="nmi_sum", method="monte-carlo", rng=1),
    "a distance": lambda: cc.adjust_table(FAR, index="van_dongen", rng=1),
    "two values": lambda: cc.adjust_table([[2, 1], [1, 2]], index="rand"),
    "perfect": lambda: cc.adjust_table([[50, 0], [0, 50]], index="jaccard"),
    "all the same": lambda: cc.adjust([0, 0, 0], [0, 0, 0], index="rand"),
    "undefined": lambda: cc.adjust([0, 1, 2], [0, 0, 0], index="fowlkes_mallows", rng=1),
    "exact law alone": lambda: cc.null_distribution(MARGINS, "jaccard", method="exact"),
    "sampled law alone": lambda: cc.null_distribution(MARGINS, "jaccard", method="monte-carlo", rng=0),
}


@pytest.fixture(params=RESULTS, scope="module")
def result(request):
    return RESULTS[request.param]()


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


class TestWhatIsShown:
    @pytest.mark.parametrize("name", ["exact, far", "exact, at chance"])
    def test_a_needle_is_enlarged_also_of_an_exact_law(self, name):
        score = RESULTS[name]()
        ax = plot_null(score)
        (inset,) = ax.child_axes
        low, high = score.null.quantile([5e-5, 1 - 5e-5])
        assert inset.get_xlim()[0] < low < high < inset.get_xlim()[1]
        assert high - low > 0.6 * np.diff(inset.get_xlim())
        ((heights, edges, _),) = [each.get_data() for each in inset.patches if isinstance(each, StepPatch)]
        inside = (low <= edges[:-1]) & (edges[:-1] <= high)
        assert np.count_nonzero(heights[inside]) > 20  # the shape of the law is there

    def test_the_axis_covers_what_is_likely_and_the_marks(self, result):
        null = getattr(result, "null", result)
        ax = plot_null(result)
        left, right = ax.get_xlim()
        low, high = np.atleast_1d(null.quantile([5e-5, 1 - 5e-5]))
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
        figure = np.ravel(result.plot())[0].figure
        figure.canvas.draw()
        shown = "".join(text.get_text() for text in figure.findobj(matplotlib.text.Text))
        assert not set(shown) & set(HIDDEN)
    if kind == "a score":
        plot_null(result).figure.canvas.draw()
