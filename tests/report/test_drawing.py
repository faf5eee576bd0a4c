"""Places in pictures: they are where the numbers say."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest

from chancecorr.report.contents import IndexScores, Score
from chancecorr.report.drawing import REACH, forest, law_picture

NOTHING = np.zeros(0)


def law(values=NOTHING, weights=NOTHING, mean=0.5):
    values, weights = np.asarray(values, float), np.asarray(weights, float)
    return SimpleNamespace(values=values, weights=weights, mean=mean, std=0.1)


def score(
    name="a", adjusted=0.5, low=math.nan, high=math.nan, rank=1, among_best=True, observed=0.6, **of_law
):
    found = law(**of_law)
    return Score(
        candidate=name,
        observed=observed,
        expected=found.mean,
        adjusted=adjusted,
        low=low,
        high=high,
        z_score=1.0,
        p_value="0.1",
        p_corrected="0.1",
        p_of_difference="",
        rank=rank,
        among_best=among_best,
        law=found,
    )


def of(*scores):
    return IndexScores(index="rand", formula="", source="", scores=scores)


def number(text):
    return float(text.replace("−", "-"))


class TestForest:
    SCORES = (
        score("b", 0.3, 0.1, 0.45, rank=2, among_best=True),
        score("a", 0.8, 0.7, 0.9),
        score("d", math.nan, rank=None, among_best=False),
        score("c", -0.1, -0.3, 0.1, rank=3, among_best=False),
    )

    def test_best_first_and_undefined_last(self):
        drawn = forest(of(*self.SCORES))
        assert [line.name for line in drawn.lines] == ["a", "b", "c", "d"]
        assert [line.mark for line in drawn.lines] == ["best", "level", "other", "none"]
        assert drawn.lines[3].text == "no score"
        assert (drawn.lines[3].place, drawn.lines[3].low) == (None, None)

    def test_places_are_linear_in_the_scores(self):
        drawn = forest(of(*self.SCORES))
        (x0, t0), (x1, t1) = [(tick.place, number(tick.text)) for tick in (drawn.ticks[0], drawn.ticks[-1])]
        unit = (x1 - x0) / (t1 - t0)
        for line, found in zip(drawn.lines, of(*self.SCORES).ranked, strict=True):
            for place, wanted in (
                (line.place, found.adjusted),
                (line.low, found.low),
                (line.high, found.high),
            ):
                if place is not None:
                    assert t0 + (place - x0) / unit == pytest.approx(wanted, abs=2e-4)
        assert t0 + (drawn.zero - x0) / unit == pytest.approx(0.0, abs=2e-4)


def steps(path):
    """Corners of an outline as left end, right end and height."""
    start = float(re.match(r"M([\d.]+) 100", path)[1])
    found = []
    for height, right in re.findall(r"V([\d.]+)H([\d.]+)", path):
        found.append((start, float(right), 100.0 - float(height)))
        start = float(right)
    return np.array(found)


class TestLaw:
    def test_few_values_have_bars_as_high_as_their_weights(self):
        drawn = law_picture(score(values=[0.2, 0.5, 0.6], weights=[0.2, 0.5, 0.3]))
        bars = steps(drawn.path)
        bars = bars[bars[:, 2] > 0]
        assert bars[:, 2].tolist() == pytest.approx([40.0, 100.0, 60.0], abs=0.1)
        middles = bars[:, :2].mean(axis=1)
        assert (middles[2] - middles[1]) / (middles[2] - middles[0]) == pytest.approx(0.25, abs=0.01)

    def test_the_observed_value_is_marked_or_said_to_lie_beyond(self):
        values, weights = np.linspace(0.4, 0.5, 30), np.full(30, 1 / 30)
        width = 0.1
        for observed, where in (
            (0.45, None),
            (0.5 + 0.9 * REACH * width, None),
            (0.9, "right"),
            (0.0, "left"),
        ):
            drawn = law_picture(score(values=values, weights=weights, mean=0.45, observed=observed))
            assert drawn.beyond == where
            assert (drawn.observed is None) == (where is not None)
            if where is None:
                assert 0.0 <= drawn.observed <= 100.0
        assert law_picture(score(values=values, weights=weights, observed=math.nan)).beyond is None

    def test_what_is_infinite_or_unknown_is_left_out(self):
        values = [0.2, 0.3, math.inf]
        drawn = law_picture(score(values=values, weights=[0.5, 0.4, 0.1], mean=math.inf, observed=0.25))
        assert drawn.path
        assert drawn.expected is None
        drawn = law_picture(score(mean=math.nan, observed=0.5))
        assert (drawn.path, drawn.expected, drawn.observed, drawn.ticks) == ("", None, None, ())
        drawn = law_picture(score(mean=0.5, observed=0.7))
        assert not drawn.path
        assert 0.0 < drawn.expected < drawn.observed < 100.0


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1.0), (-3e-9, 2e-9), (1e7, 3e7), (-1.3, 0.2), (0.99999, 1.00001)]
)
def test_numbers_on_an_axis_are_where_they_say(low, high):
    drawn = forest(of(score(adjusted=high, low=low, high=high)))
    assert 2 <= len(drawn.ticks) <= 8
    texts = [tick.text for tick in drawn.ticks]
    assert len(set(texts)) == len(texts)
    places = [tick.place for tick in drawn.ticks]
    assert np.ptp(np.diff(places)) < 0.05
    assert 0.0 <= min(places) <= max(places) <= 100.0
