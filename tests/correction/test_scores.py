"""A single score as a number, as text, as a row and as HTML."""

import dataclasses
import math
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.correction.score_table import format_error_of_mean
from chancecorr.machine.printing import format_p_value, format_rounded

TABLE = [[50, 0, 0], [0, 39, 11], [0, 14, 36]]
VOID = {"rect", "line"}


@pytest.fixture(scope="module")
def score():
    return cc.adjust_table(TABLE, index="jaccard", method="exact")


def test_a_score_is_its_adjusted_value_where_a_number_is_asked_for(score):
    assert float(score) == score.adjusted
    assert np.mean([float(score), float(score)]) == score.adjusted
    assert math.isnan(float(cc.adjust([0, 0], [0, 0], index="rand")))


def test_a_score_is_compared_and_negated_as_a_number(score):
    number = score.adjusted
    same = cc.adjust_table(TABLE, index="jaccard", method="exact")
    assert [score == number, number == score, score == same] == [True] * 3
    assert [score != number, score < number, score > number, score == "0.3"] == [False] * 4
    assert [score <= number, score >= number, score != number + 1e-9] == [True] * 3
    assert hash(score) == hash(number)
    assert (-score, abs(-score), {score: 1}[number]) == (-number, number, 1)
    unknown = cc.adjust([0, 0], [0, 0], index="rand")
    assert unknown != unknown


def test_format(score):
    assert f"{score:.3f}" == f"{score.adjusted:.3f}"
    assert f"{score:>8.1%}" == f"{score.adjusted:>8.1%}"
    assert f"{score}" == str(score) == repr(score)
    with pytest.raises(ValueError, match="format"):
        f"{score:d}"


def test_frame(score):
    frame = score.to_frame()
    assert frame.shape[0] == 1
    assert frame.loc["jaccard", "adjusted"] == score.adjusted
    several = cc.adjust_table(TABLE, index=["jaccard", "rand"], method="exact").to_frame()
    assert frame.columns.tolist() == several.columns.tolist()
    assert frame.loc["jaccard", "p_value"] == several.loc["jaccard", "p_value"]


class Checker(HTMLParser):
    """All that is opened is closed, in order; collects what stands in the cells."""

    def __init__(self):
        super().__init__()
        self.open, self.cells, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        assert tag in VOID

    def handle_data(self, data):
        self.text.append(data)
        if self.open and self.open[-1] in ("td", "th"):
            self.cells.append(data)


def parsed(html):
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    return checker


def boxes(html):
    """Left ends and widths of the track and of the filled part of each bar."""
    svgs = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", html)]
    name = "{http://www.w3.org/2000/svg}rect"
    return [[(float(box.get("x")), float(box.get("width"))) for box in svg.iter(name)] for svg in svgs]


def test_html_has_the_numbers(score):
    found = parsed(score._repr_html_())
    header, row = found.cells[: len(found.cells) // 2], found.cells[len(found.cells) // 2 :]
    shown = dict(zip(header, row, strict=True))
    assert shown["observed"] == format_rounded(score.observed)
    assert shown["expected"] == format_rounded(score.expected, score.monte_carlo_error)
    assert shown["best"] == format_rounded(1.0)
    assert shown["z"] == f"{score.z_score:.1f}"
    assert shown["p"] == format_p_value(score.p_value, score.p_is_bound, score.log_p_value)
    assert "jaccard" in found.text
    assert f"adjusted {format_rounded(score.adjusted, score.adjusted_monte_carlo_error)}" in found.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "index"), [(TABLE, "jaccard"), (TABLE, "van_dongen"), ([[1, 1], [1, 1]], "rand")]
)
def test_the_bar_is_filled_by_the_adjusted_score(table, index):
    score = cc.adjust_table(table, index=index, method="exact")
    for html in (score._repr_html_(), cc.adjust_table(table, index=[index], method="exact")._repr_html_()):
        (((track, whole), (filled, part)),) = boxes(html)
        assert part / whole == pytest.approx(abs(score.adjusted), abs=2e-3)
        rising = score.best > score.expected
        if score.adjusted > 0:
            start = track if rising else track + whole
            assert (filled if rising else filled + part) == pytest.approx(start, abs=0.11)
        else:  # to the other side of the expected value
            assert filled + part == pytest.approx(track, abs=0.11)


def test_names_are_escaped():
    nasty = cc.indices.Index(name="<b>&'\"", function=lambda a, b, c, d: a, needs="pairs", best=3.0)
    for result in (cc.adjust_table(TABLE, index=nasty), cc.adjust_table(TABLE, index=[nasty, "rand"])):
        html = result._repr_html_()
        assert "<b>" not in html
        assert "<b>&'\"" in parsed(html).text


@pytest.mark.parametrize("best", [1e300, -1e300, 1e154])
def test_a_best_value_beyond_all_squares(best):
    """The standard error of the adjusted score is that of the expected value over the way to the best."""
    score = cc.adjust_table(TABLE, index="jaccard", best=best, method="monte-carlo", n_tables=50, rng=1)
    assert score.adjusted_monte_carlo_error == pytest.approx(score.monte_carlo_error / abs(best), rel=1e-9)
    assert score.to_dict()["adjusted_monte_carlo_error"] == score.adjusted_monte_carlo_error
    assert score.interval().remark  # nothing is left of such a score but rounding


def test_an_error_of_the_mean_that_is_no_more_than_rounding_is_shown_as_0():
    null = cc.null_distribution(cc.Margins([5, 4, 3], [6, 3, 3]), "rand", method="analytic")
    moments = dataclasses.replace(null.moments, mean=0.0, variance=0.0)
    for error, text in ((0.0, "0"), (1e-3, "≤1.0e-03")):
        assert format_error_of_mean(dataclasses.replace(null, moments=moments, error=error), ".1e") == text
