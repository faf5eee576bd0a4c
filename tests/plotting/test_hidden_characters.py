"""Names with characters that hide or steer are shown escaped, in notebooks and in pictures."""

import matplotlib as mpl
import numpy as np
import pytest

import chancecorr as cc
from chancecorr.comparison import compare_datasets
from chancecorr.plotting import plot_null

HIDDEN = "\u202e\x1b\x00\ud800"
NAME = f"a{HIDDEN}b<i>"
U, V = [0, 0, 1, 1, 2, 2] * 4, [0, 1, 1, 1, 2, 2] * 4
NAMED = [NAME, "x", "x", NAME, "y", "y"] * 4

RESULTS = {
    "a score": lambda: cc.adjust(NAMED, V),
    "scores": lambda: cc.adjust(NAMED, V, ["rand", "purity"]),
    "a comparison": lambda: cc.compare(NAMED, {NAME: V, "u": U}),
    "pairs": lambda: cc.pairwise({NAME: U, "v": V, "named": NAMED}),
    "data sets": lambda: compare_datasets({NAME: (U, {NAME: V, "u": U}), "second": (V, {NAME: U, "u": V})}),
    "a table": lambda: cc.contingency_table(NAMED, V),
}


@pytest.mark.parametrize("kind", RESULTS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_no_hidden_character_reaches_a_reader(kind):
    mpl.use("agg")
    result = RESULTS[kind]()
    if hasattr(result, "_repr_html_"):
        page = result._repr_html_()
        assert not set(page) & set(HIDDEN)
        assert "<i>" not in page
    if hasattr(result, "plot"):
        figure = np.ravel(result.plot())[0].figure
        figure.canvas.draw()
        shown = "".join(text.get_text() for text in figure.findobj(mpl.text.Text))
        assert not set(shown) & set(HIDDEN)
    if kind == "a score":
        plot_null(result).figure.canvas.draw()
