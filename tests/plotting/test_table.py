"""The picture of a contingency table shows its counts and its labels, and they can be read."""

import pickle

import matplotlib
import numpy as np
import pytest
import scipy.sparse
from matplotlib import pyplot
from matplotlib.colors import to_rgb

import chancecorr as cc
from chancecorr.plotting import plot_table
from tests.plotting.test_legibility import contrast

matplotlib.use("Agg")

TABLE = cc.ContingencyTable([[50, 0], [3, 39]], row_labels=["cat", "owl"], column_labels=[3, 7])
LARGE = np.diag(np.arange(1, 31))


def numbers(ax):
    return {tuple(map(int, text.get_position())): text.get_text() for text in ax.texts}


def ticks(axis):
    return [text.get_text() for text in axis.get_ticklabels()]


def test_counts_stand_in_their_cells_and_labels_beside():
    ax = TABLE.plot()
    assert numbers(ax) == {(0, 0): "50", (1, 0): "0", (0, 1): "3", (1, 1): "39"}  # column, row
    assert (ticks(ax.yaxis), ticks(ax.xaxis)) == (["cat", "owl"], ["3", "7"])
    assert ax.get_title(loc="right") == "Shade: Jaccard similarity of row and column."
    assert TABLE.plot(ax=ax) is ax


def test_the_shade_is_what_two_clusters_have_in_common():
    colours = plot_table(TABLE, color="#0072b2").images[0].get_array()
    white, blue = np.ones(3), np.array(to_rgb("#0072b2"))
    for (i, j), overlap in {(0, 0): 50 / 53, (0, 1): 0.0, (1, 0): 3 / 92, (1, 1): 39 / 42}.items():
        np.testing.assert_allclose(colours[i, j], white + overlap * (blue - white), rtol=1e-12)


@pytest.mark.parametrize("counts", [LARGE, scipy.sparse.csr_array(LARGE)], ids=["dense", "sparse"])
def test_of_a_large_table_the_largest_clusters_are_shown_and_the_title_says_so(counts):
    ax = plot_table(counts)
    assert ticks(ax.yaxis) == ticks(ax.xaxis) == [str(k) for k in range(29, 9, -1)]
    assert numbers(ax)[0, 0] == "30"
    assert "the 20 largest of 30 rows" in ax.get_title(loc="right").replace("\n", " ")


@pytest.mark.parametrize("style", ["default", "dark_background"])
@pytest.mark.parametrize("table", [TABLE, cc.ContingencyTable(LARGE)], ids=["small", "large"])
def test_numbers_can_be_read_on_their_shades(style, table):
    with pyplot.style.context(style):
        ax = plot_table(table)
        colours = ax.images[0].get_array()
        for (column, row), text in zip(numbers(ax), ax.texts, strict=True):
            assert contrast(colours[row, column], text.get_color()) >= 4.5


def test_errors():
    with pytest.raises(TypeError, match="`ax` must be a matplotlib Axes; got int"):
        plot_table(TABLE, ax=3)
    with pytest.raises(ValueError, match="`counts` must be two-dimensional"):
        plot_table([1, 2])


def test_axes_have_the_names_of_the_series():
    pandas = pytest.importorskip("pandas")
    classes = pandas.Series([0, 0, 1, 1], name="class")
    found = pandas.Series([0, 1, 1, 1], name="k-means $5$")
    table = cc.contingency_table(classes, found)
    assert table.side_names == ("class", "k-means $5$")
    assert pickle.loads(pickle.dumps(table)).side_names == table.side_names
    assert cc.ContingencyTable(pandas.crosstab(classes, found)).side_names == table.side_names
    ax = table.plot()
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("class", "k-means $5$")
    ax.figure.canvas.draw()  # a dollar is no mathematics
    plain = cc.contingency_table([0, 0, 1, 1], [0, 1, 1, 1]).plot()
    assert (plain.get_ylabel(), plain.get_xlabel()) == ("reference", "candidate")
