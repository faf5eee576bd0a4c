"""Places in forest plots and null distributions; the templates turn them into SVG.

Horizontal places are percentages of the width, so that the picture is as wide as the page lets it be while
its letters keep their size.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.machine.arrays import Floats
from chancecorr.plotting.theme import FEW_VALUES, edges_between, likely
from chancecorr.report.contents import IndexScores, Score

REACH = 1.5
"""Widths of the distribution up to which an observed value beyond it is drawn at its place."""

INSET = 7.0
"""Share of an axis, in percent, at each end that has no numbers, because they would be cut off."""

Step = tuple[float, float, float]
"""Left end, right end and height."""

Mark = Literal["best", "level", "other", "none"]
"""The best, not significantly worse, worse (or any other, without intervals), without a score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A number on an axis: its place in percent, and its text."""

    place: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A line of a forest plot: its name, and places of score and ends in percent, None without."""

    name: str
    mark: Mark
    text: str
    place: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """A forest plot: lines from the best candidate down, on one axis with chance at `zero`."""

    ticks: tuple[Tick, ...]
    zero: float
    lines: tuple[Interval, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LawPicture:
    """A null distribution, with the expected and the observed value."""

    path: str  # outline in a box of 1000 by 100, downwards; empty if only moments are known
    ticks: tuple[Tick, ...]
    expected: float | None  # place in percent; None if undefined
    observed: float | None  # place in percent; None if undefined or beyond
    beyond: Literal["left", "right"] | None  # side on which the observed value lies too far out


def mark_of(score: Score) -> Mark:
    """How a candidate is marked."""
    if score.rank is None:
        return "none"
    return "best" if score.rank == 1 else "level" if score.among_best else "other"


def forest(scores: IndexScores) -> Forest:
    """Forest plot of the adjusted scores."""
    return forest_of(
        [(each.candidate, mark_of(each), each.adjusted, each.low, each.high) for each in scores.ranked]
    )


def forest_of(rows: Sequence[tuple[str, Mark, float, float, float]]) -> Forest:
    """Forest plot of names, marks, scores and the ends of their intervals, from the top down."""
    ends = [x for _, _, *numbers in rows for x in numbers if math.isfinite(x)]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    high = 1.0 if 0.5 < high <= 1.0 else high  # 1 is perfect agreement: show it unless all are far from it
    margin = 0.02 * (high - low or 1.0)
    low, high = low - margin, high + margin

    def place(x: float) -> float | None:
        return round(_percent(x, low, high), 2) if math.isfinite(x) else None

    lines = tuple(
        Interval(
            name=name,
            mark=mark,
            text=_score_text(score, start, end),
            place=place(score),
            low=place(start),
            high=place(end),
        )
        for name, mark, score, start, end in rows
    )
    return Forest(ticks=_ticks(low, high, 8), zero=round(_percent(0.0, low, high), 2), lines=lines)


def law_picture(score: Score) -> LawPicture:
    """Null distribution of a score on an axis that fits it; the observed value may lie beyond."""
    law = score.law
    steps = _outline(law)
    if len(steps) == 1:  # one value, always: a thin line
        (low, high, _), reach = steps[0], 8.0 * (steps[0][1] - steps[0][0])
        low, high = low - reach, high + reach
    elif steps:
        low, high = steps[0][0], steps[-1][1]
    elif math.isfinite(score.expected):
        low = high = score.expected
    else:
        return LawPicture(path="", ticks=(), expected=None, observed=None, beyond=None)
    reach = REACH * (high - low) if steps else math.inf
    beyond: Literal["left", "right"] | None = None
    if math.isfinite(score.observed):
        if score.observed > high + reach:
            beyond = "right"
        elif score.observed < low - reach:
            beyond = "left"
        else:
            low, high = min(low, score.observed), max(high, score.observed)
    width = high - low or max(abs(low), 1.0)
    low -= (0.12 if beyond == "left" else 0.05) * width
    high += (0.12 if beyond == "right" else 0.05) * width

    def place(x: float) -> float | None:
        return round(_percent(x, low, high), 2) if low <= x <= high else None

    return LawPicture(
        path=_path(steps, low, high),
        ticks=_ticks(low, high, 4, inset=INSET),
        expected=place(score.expected),
        observed=None if beyond else place(score.observed),
        beyond=beyond,
    )


def _score_text(score: float, low: float, high: float) -> str:
    if not math.isfinite(score):
        return "no score"
    if not (math.isfinite(low) and math.isfinite(high)):
        return number(score)
    return f"{number(score)} ({number(low)} to {number(high)})"


def number(value: float, digits: int = 3) -> str:
    """So many decimals, with a true minus sign; a dash for nan."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0.0 else "−∞"
    text = f"{value:.{digits}f}"
    return text.replace("-", "" if float(text) == 0.0 else "−")


def _percent(x: float, low: float, high: float) -> float:
    return 100.0 * (x - low) / (high - low)


def _ticks(low: float, high: float, most: int, *, inset: float = 0.0) -> tuple[Tick, ...]:
    """Round numbers between two ends, `most` at most, and none within an inset, in percent, of the ends."""
    low, high = low + 0.01 * inset * (high - low), high - 0.01 * inset * (high - low)
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10, 20) if (high - low) / (factor * step) <= most)
    digits = max(-math.floor(math.log10(step) + 1e-9), 0)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    ticks = []
    for number in [k * step for k in range(first, last + 1)]:
        text = f"{number:.{digits}f}" if digits <= 6 and abs(number) < 1e6 else f"{number:.3g}"
        text = "0" if number == 0.0 else text.replace("-", "−")
        inner = _percent(number, low, high)
        ticks.append(Tick(place=round(inset + (1.0 - 0.02 * inset) * inner, 2), text=text))
    return tuple(ticks)


def _outline(law: NullDistribution) -> list[Step]:
    """Steps of a law, none if only its moments are known."""
    finite = np.isfinite(law.values)
    values, weights = law.values[finite], law.weights[finite]
    if values.size and weights.sum() > 0.0:
        shown = likely(values, weights)
        values, weights = values[shown], weights[shown]
        if values.size <= FEW_VALUES:
            return _bars(values, weights)
        edges = edges_between(values, weights)
        heights = np.histogram(values, edges, weights=weights)[0] / np.diff(edges)
        return list(zip(edges[:-1].tolist(), edges[1:].tolist(), heights.tolist(), strict=True))
    return []


def _bars(values: Floats, weights: Floats) -> list[Step]:
    """A bar for each value, with gaps of no height between."""
    gap = float(np.diff(values).min()) if values.size > 1 else max(abs(float(values[0])), 1.0) * 0.02
    half = max(0.4 * gap, 0.002 * float(values[-1] - values[0]))
    bars: list[Step] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        left = max(value - half, bars[-1][1]) if bars else value - half
        if bars and left > bars[-1][1]:
            bars.append((bars[-1][1], left, 0.0))
        bars.append((left, value + half, weight))
    return bars


def _path(steps: Sequence[Step], low: float, high: float) -> str:
    """Outline of steps in a box of 1000 by 100."""
    if not steps:
        return ""
    highest = max(height for _, _, height in steps) or 1.0
    parts = [f"M{10 * _percent(steps[0][0], low, high):.1f} 100"]
    for _, right, height in steps:
        parts.append(f"V{100 - 100 * height / highest:.1f}H{10 * _percent(right, low, high):.1f}")
    return "".join([*parts, "V100Z"])
