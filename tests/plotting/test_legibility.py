"""Pictures can be read on light and dark grounds, and show what is likely, at chance and far off."""

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_rgb
from matplotlib.patches import StepPatch

import chancecorr as cc
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


@pytest.mark.parametrize(("background", "dark"), [("white", False), ("#101418", True)])
def test_axes_that_let_the_figure_through(background, dark):
    _, ax = pyplot.subplots(facecolor=background)
    ax.set_facecolor("none")
    plot_null(RESULTS["two values"](), ax=ax)
    for text in ax.get_legend().get_texts():
        assert contrast(text.get_color(), background) >= 4.5, text
        assert (luminance(text.get_color()) > 0.3) == dark


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


@pytest.mark.parametrize("name", ["exact, far", "sampled, far", "a distance"])
def test_no_line_goes_through_the_numbers_of_the_enlarged_part(name):
    """Lines to it end above them: none of their points lies in the box of a number."""
    ax = plot_null(RESULTS[name]())
    ax.figure.canvas.draw()
    (inset,) = [inner for inner in ax.child_axes if inner.get_xlim() != ax.get_xlim()]
    boxes = [label.get_window_extent() for label in inset.get_xticklabels() if label.get_text()]
    lines = [each for each in ax.artists + ax.patches if type(each).__name__ == "ConnectionPatch"]
    assert len(lines) == 1
    ends = lines[0].get_transform().transform(lines[0].get_path().vertices)
    assert all(ax.figure.bbox.contains(*end) for end in ends)
    assert min(ends[:, 1]) > max(box.y1 for box in boxes)
    points = ends[0] + np.linspace(0.0, 1.0, 500)[:, None] * (ends[-1] - ends[0])
    assert boxes
    assert not any(box.contains(*point) for box in boxes for point in points)


def test_axes_have_the_names_of_the_field():
    assert plot_null(RESULTS["two values"]()).get_xlabel().startswith("Rand index ")
    null = cc.null_distribution(MARGINS, "fowlkes_mallows", method="exact")
    assert plot_null(null).get_xlabel().startswith("Fowlkes")


def test_dollars_in_names_are_no_mathematics():
    """A name with an unfinished formula would end the drawing with an error."""
    odd, truth = r"$k_{$ for $5$", [0, 0, 0, 1, 1, 1]
    candidates = {odd: [0, 0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 0, 1], "c": [0, 1, 1, 1, 0, 1]}
    table = cc.contingency_table([odd if label else "d" for label in truth], candidates["b"])
    pictures = (cc.compare(truth, candidates).plot(), cc.pairwise(candidates).plot(), table.plot())
    for ax in pictures:
        ax.figure.canvas.draw()
        shown = [label.get_text() for label in (*ax.get_yticklabels(), *ax.get_xticklabels())]
        assert any(text.startswith("$k_{") for text in shown)
