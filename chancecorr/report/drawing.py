"""From numbers to places in the pictures of a report; the templates turn places into SVG.

Horizontal places in a forest plot and in a law are percentages of its width, so that the picture is as wide
as the page lets it be while its letters keep their size. A map of cells has places in pixels: it scrolls
where it is wide.
"""

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.plotting.theme import edges_between, likely
from chancecorr.report.contents import Difference, IndexScores, Law, Score, Table

FEW_VALUES = 40
"""Up to so many distinct values, each gets a bar of its own."""

MOST_CLUSTERS = 24
"""Rows, and columns, that a map of counts shows; the rest of a larger table is taken together."""

MOST_CANDIDATES = 20
"""Rows, and columns, that a map of differences shows."""

REACH = 1.5
"""How far beyond the law, in widths of it, an observed value is still drawn at its place."""

INSET = 7.0
"""How near the ends of a law's axis, in percent, there is no number, lest it goes beyond the picture."""

LETTER = 7.0
"""Width of a digit in the pictures, in pixels: they are set in 12 pixels."""

ROOM = 24.0
"""For names beside a map, in letters of mean width."""

Mark = Literal["best", "level", "other", "none"]
"""How a candidate is marked: the best, one that cannot be told from it, one that can (or, without intervals,
any other), one without a score."""


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
    """A law under chance.

    Attributes
    ----------
    path : str
        Its outline in a box of 1000 by 100, downwards; empty where neither the law nor its moments are known.
    is_curve : bool
        Whether it is drawn from moments, for want of the law.
    expected, observed : float or None
        Places in percent; None for a value that is undefined or lies beyond.
    beyond : {"left", "right", None}
        On which side the observed value lies too far out to be drawn at its place.
    """

    path: str
    is_curve: bool
    ticks: tuple[Tick, ...]
    expected: float | None
    observed: float | None
    beyond: Literal["left", "right"] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell of a map: its place in pixels, its text, and how dark it is, from 0 to 1."""

    x: float
    y: float
    text: str
    share: float
    emphasis: Mark = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name beside a map, as far as there is room, at a place in pixels."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """A map of cells, its size in pixels, and what it leaves out, in words."""

    width: float
    height: float
    cell_width: float
    cell_height: float
    left: float
    top: float
    upright: bool
    rows: tuple[Name, ...]
    columns: tuple[Name, ...]
    cells: tuple[Cell, ...]
    row_totals: tuple[Name, ...] = ()
    column_totals: tuple[Name, ...] = ()
    note: str = ""


def mark_of(score: Score) -> Mark:
    """How a candidate is marked."""
    if score.rank is None:
        return "none"
    return "best" if score.rank == 1 else "level" if score.among_best else "other"


def forest(scores: IndexScores) -> Forest:
    """Forest plot of the adjusted scores.

    Examples
    --------
    >>> law = Law(values=np.zeros(0), weights=np.zeros(0), mean=0.5, std=0.1, skewness=0.0)
    >>> score = Score(candidate="k-means", observed=0.9, expected=0.5, best=1.0, adjusted=0.8, low=0.7,
    ...               high=0.85, z_score=4.0, p_value="3e-05", p_corrected="3e-05", p_of_difference="",
    ...               rank=1, among_best=True, law=law)
    >>> drawn = forest(IndexScores(index="rand", formula="", source="", scores=(score,)))
    >>> drawn.lines[0].text, drawn.lines[0].mark, [tick.text for tick in drawn.ticks]
    ('0.800 (0.700 to 0.850)', 'best', ['0', '0.2', '0.4', '0.6', '0.8', '1.0'])
    """
    ends = [x for score in scores.scores for x in (score.adjusted, score.low, score.high) if math.isfinite(x)]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    high = 1.0 if 0.5 < high <= 1.0 else high  # 1 is perfect agreement: show it unless all are far from it
    low, high = _with_margin(low, high, 0.02)

    def place(x: float) -> float | None:
        return round(_percent(x, low, high), 2) if math.isfinite(x) else None

    lines = tuple(
        Interval(
            name=score.candidate,
            mark=mark_of(score),
            text=_score_text(score),
            place=place(score.adjusted),
            low=place(score.low),
            high=place(score.high),
        )
        for score in scores.ranked
    )
    return Forest(ticks=_ticks(low, high, 8), zero=round(_percent(0.0, low, high), 2), lines=lines)


def law_picture(score: Score) -> LawPicture:
    """The law of a score with the observed value marked, on an axis that fits the law.

    Chance is often so narrow that it would be a line beside an observed value at its true place. So the axis
    goes by the law, and an observed value farther out than `REACH` widths is said to lie beyond.
    """
    law = score.law
    steps, is_curve = _outline(law)
    if len(steps) == 1:  # one value, always: a thin line
        low, high = (
            steps[0][0] - 8.0 * (steps[0][1] - steps[0][0]),
            steps[0][1] + 8.0 * (steps[0][1] - steps[0][0]),
        )
    elif steps:
        low, high = steps[0][0], steps[-1][1]
    elif math.isfinite(score.expected):
        low = high = score.expected
    else:
        return LawPicture(path="", is_curve=False, ticks=(), expected=None, observed=None, beyond=None)
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
    low, high = (
        low - (0.12 if beyond == "left" else 0.05) * width,
        high + (0.12 if beyond == "right" else 0.05) * width,
    )

    def place(x: float) -> float | None:
        return round(_percent(x, low, high), 2) if low <= x <= high else None

    return LawPicture(
        path=_path(steps, low, high),
        is_curve=is_curve,
        ticks=_ticks(low, high, 4, inset=INSET),
        expected=place(score.expected),
        observed=None if beyond else place(score.observed),
        beyond=beyond,
    )


def count_map(table: Table) -> Map:
    """Map of a contingency table: stronger cells hold a larger share of their row.

    Columns stand in the order of the rows that most of their objects are in, so that agreement shows as a
    diagonal. Of a large table the largest rows and their columns are shown, the others taken together.
    """
    rows, columns, counts = largest_clusters(table)
    own = len(columns) - (len(columns) < len(table.column_names))  # all but the others, which stay last
    if counts.size:
        order = np.lexsort((-counts[:, :own].max(axis=0), counts[:, :own].argmax(axis=0)))
        counts[:, :own], columns[:own] = counts[:, order], [columns[k] for k in order]
    totals = [[f"{total:,}" for total in counts.sum(axis=axis).tolist()] for axis in (1, 0)]
    texts = [[f"{count:,}" if count else "" for count in line] for line in counts.tolist()]
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    parts = []
    if len(rows) < len(table.row_names):
        parts.append(f"the {len(rows) - 1} largest of {len(table.row_names):,} clusters of the reference")
    if own < len(columns):
        whose = "these" if parts else "the reference's"
        parts.append(
            f"the {own} of {len(table.column_names):,} clusters of the candidate that most objects of {whose}"
            " are in"
        )
    note = " and ".join(parts) + ", the others taken together" if parts else ""
    return _map(rows, columns, texts, shares.tolist(), totals=totals, note=note)


def largest_clusters(table: Table) -> tuple[list[str], list[str], Integers]:
    """Names and counts of the largest rows, and of the columns that most of their objects are in.

    Both stand in their order, and those that are left out are taken together behind them.

    Examples
    --------
    >>> table = Table(candidate="k-means", row_names=("a", "b"), column_names=("x", "y"),
    ...               rows=np.array([0, 1]), columns=np.array([1, 0]), counts=np.array([4, 3]))
    >>> rows, columns, counts = largest_clusters(table)
    >>> rows, columns, counts.tolist()
    (['a', 'b'], ['x', 'y'], [[0, 4], [3, 0]])
    """
    rows, row_of = _largest(table.row_names, table.rows, table.counts)
    is_own = (row_of[table.rows] < len(rows) - 1) | (len(rows) == len(table.row_names))
    columns, column_of = _largest(table.column_names, table.columns[is_own], table.counts[is_own])
    counts = np.zeros((len(rows), len(columns)), dtype=np.int64)
    np.add.at(counts, (row_of[table.rows], column_of[table.columns]), table.counts)
    return rows, columns, counts


def difference_map(scores: IndexScores) -> Map | None:
    """Map of the differences, row less column, the best candidates first; None without differences."""
    ranked = [score.candidate for score in scores.ranked if score.rank is not None]
    names, left = ranked[:MOST_CANDIDATES], len(ranked)
    found: dict[tuple[str, str], tuple[float, Mark]] = {}
    for each in scores.differences:
        told = told_apart(each)
        for pair, sign in (((each.first, each.second), 1.0), ((each.second, each.first), -1.0)):
            number = sign * each.difference
            found[pair] = number, ("best" if number > 0 else "other") if told else "level"
    if not any((one, other) in found for one in names for other in names):
        return None
    largest = max((abs(number) for number, _ in found.values() if math.isfinite(number)), default=0.0) or 1.0
    signs: dict[Mark, str] = {"best": "▲ ", "other": "▽ ", "level": "", "none": ""}
    texts, shares, marks = [], [], []
    for one in names:
        line = [found.get((one, other), (math.nan, "none")) for other in names]
        texts.append([signs[mark] + f"{abs(x):.2f}" if math.isfinite(x) else "" for x, mark in line])
        shares.append([abs(x) / largest if mark in ("best", "other") else 0.0 for x, mark in line])
        marks.append([mark for _, mark in line])
    note = f"the {MOST_CANDIDATES} best of {left:,} candidates" if left > MOST_CANDIDATES else ""
    return _map(names, names, texts, shares, marks=marks, note=note)


def told_apart(difference: Difference) -> bool:
    """Whether the interval of a difference leaves 0 out.

    Examples
    --------
    >>> told_apart(Difference(first="a", second="b", difference=0.2, low=0.1, high=0.3, p_value="0.001"))
    True
    """
    return difference.low > 0.0 or difference.high < 0.0


def fitted(text: str, room: float) -> str:
    """The text if it takes no more than so many letters of mean width, else its beginning and its end.

    Examples
    --------
    >>> fitted("agglomerative, complete linkage", 16.0)
    'agglome… linkage'
    """
    text = "".join(letter if letter.isprintable() else "�" for letter in text)
    if _letters(text) <= room:
        return text
    tail = ""
    for letter in reversed(text):
        if _letters(letter + tail) > 0.45 * room:
            break
        tail = letter + tail
    head = ""
    for letter in text:
        if _letters(head + letter + "…" + tail) > room:
            break
        head += letter
    return f"{head}…{tail}"


def _letters(text: str) -> float:
    """Width of a text in letters of mean width; broad ones are counted as such."""
    return sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF" or unicodedata.category(letter) == "So":
        return 2.0
    if letter in "WMmw@%—…":
        return 1.6
    return 1.25 if letter.isupper() else 0.55 if letter in "iljtf.,:;'|!()[] " else 1.0


def _score_text(score: Score) -> str:
    if not math.isfinite(score.adjusted):
        return "no score"
    if not (math.isfinite(score.low) and math.isfinite(score.high)):
        return _signed(score.adjusted)
    return f"{_signed(score.adjusted)} ({_signed(score.low)} to {_signed(score.high)})"


def _signed(number: float) -> str:
    """Three decimals, a true minus sign, and none on a rounded 0."""
    text = f"{number:.3f}"
    return text.replace("-", "" if float(text) == 0.0 else "−")


def _percent(x: float, low: float, high: float) -> float:
    return 100.0 * (x - low) / (high - low)


def _with_margin(low: float, high: float, share: float) -> tuple[float, float]:
    width = high - low or 1.0
    return low - share * width, high + share * width


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


def _outline(law: Law) -> tuple[list[tuple[float, float, float]], bool]:
    """Steps of a law as left end, right end and height, and whether they follow a curve from its moments."""
    finite = np.isfinite(law.values)
    values, weights = law.values[finite], law.weights[finite]
    if values.size and weights.sum() > 0.0:
        shown = likely(values, weights)
        values, weights = values[shown], weights[shown]
        if values.size <= FEW_VALUES:
            return _bars(values, weights), False
        edges = edges_between(values, weights)
        heights = np.histogram(values, edges, weights=weights)[0] / np.diff(edges)
        return list(zip(edges[:-1].tolist(), edges[1:].tolist(), heights.tolist(), strict=True)), False
    if not (math.isfinite(law.mean) and math.isfinite(law.std) and law.std > 0.0):
        return [], False
    skewness = law.skewness if math.isfinite(law.skewness) else 0.0
    left, right = (
        4.0 + min(1.5 * max(side * skewness, 0.0), 4.0) for side in (-1.0, 1.0)
    )  # the tail is longer
    grid = np.linspace(-left, right, 101)
    heights = _density((grid[1:] + grid[:-1]) / 2, skewness)
    ends = law.mean + law.std * grid
    return list(zip(ends[:-1].tolist(), ends[1:].tolist(), heights.tolist(), strict=True)), True


def _bars(values: Floats, weights: Floats) -> list[tuple[float, float, float]]:
    """A bar for each value, with gaps of no height between."""
    gap = float(np.diff(values).min()) if values.size > 1 else max(abs(float(values[0])), 1.0) * 0.02
    half = max(0.4 * gap, 0.002 * float(values[-1] - values[0]))
    bars: list[tuple[float, float, float]] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        left = max(value - half, bars[-1][1]) if bars else value - half
        if bars and left > bars[-1][1]:
            bars.append((bars[-1][1], left, 0.0))
        bars.append((left, value + half, weight))
    return bars


def _density(z: Floats, skewness: float) -> Floats:
    """Density of Pearson's type III, a shifted gamma, with mean 0 and variance 1; normal without skewness."""
    if abs(skewness) < 1e-3:
        normal: Floats = np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
        return normal
    shape = 4.0 / skewness**2
    x = shape + z * math.copysign(math.sqrt(shape), skewness)
    inside = np.maximum(x, 1e-300)
    logs = 0.5 * math.log(shape) + (shape - 1.0) * np.log(inside) - inside - math.lgamma(shape)
    found: Floats = np.where(x > 0.0, np.exp(logs), 0.0)
    return found


def _path(steps: Sequence[tuple[float, float, float]], low: float, high: float) -> str:
    """Outline of steps in a box of 1000 by 100."""
    if not steps:
        return ""
    highest = max(height for _, _, height in steps) or 1.0
    parts = [f"M{10 * _percent(steps[0][0], low, high):.1f} 100"]
    for _, right, height in steps:
        parts.append(f"V{100 - 100 * height / highest:.1f}H{10 * _percent(right, low, high):.1f}")
    return "".join([*parts, "V100Z"])


def _largest(names: Sequence[str], places: Integers, counts: Integers) -> tuple[list[str], Integers]:
    """Names of the clusters to show, and which of them each cluster belongs to."""
    if len(names) <= MOST_CLUSTERS:
        return list(names), np.arange(len(names))
    totals = np.zeros(len(names), dtype=np.int64)
    np.add.at(totals, places, counts)
    shown = np.sort(np.argsort(-totals, kind="stable")[: MOST_CLUSTERS - 1])
    shown_as = np.full(len(names), shown.size, dtype=np.int64)
    shown_as[shown] = np.arange(shown.size)
    return [*(names[k] for k in shown.tolist()), f"{len(names) - shown.size:,} others"], shown_as


def _map(
    rows: Sequence[str],
    columns: Sequence[str],
    texts: Sequence[Sequence[str]],
    shares: Sequence[Sequence[float]],
    *,
    marks: Sequence[Sequence[Mark]] | None = None,
    totals: Sequence[Sequence[str]] = ((), ()),
    note: str = "",
) -> Map:
    """A map of cells as wide as their texts need; names of columns stand upright unless all are short."""
    row_names, column_names = [fitted(name, ROOM) for name in rows], [fitted(name, ROOM) for name in columns]
    longest = max((len(text) for text in _all([*texts, *totals])), default=1)
    width, height = max(26.0, LETTER * longest + 10.0), 26.0
    upright = any(LETTER * _letters(name) > width - 6.0 for name in column_names)
    left = LETTER * max((_letters(name) for name in row_names), default=1.0) + 14.0
    top = LETTER * max((_letters(name) for name in column_names), default=1.0) + 14.0 if upright else 24.0
    has_totals = bool(totals[0])
    right, foot = left + width * len(columns), top + height * len(rows)
    middle = 4.0  # from the middle of a line of 12 pixels down to its foot
    cells = tuple(
        Cell(
            x=round(left + j * width, 1), y=round(top + i * height, 1), text=texts[i][j],
            share=round(shares[i][j], 3), emphasis=marks[i][j] if marks else "none",
        )
        for i in range(len(rows))
        for j in range(len(columns))
        if texts[i][j]
    )  # fmt: skip

    def beside(names: Sequence[str], x: float) -> tuple[Name, ...]:
        return tuple(
            Name(x=round(x, 1), y=round(top + (i + 0.5) * height + middle, 1), text=name)
            for i, name in enumerate(names)
        )

    def above(names: Sequence[str], y: float) -> tuple[Name, ...]:
        return tuple(
            Name(x=round(left + (j + 0.5) * width, 1), y=round(y, 1), text=name)
            for j, name in enumerate(names)
        )

    return Map(
        width=round(right + (width + 4.0 if has_totals else 2.0), 1),
        height=round(foot + (height if has_totals else 2.0), 1),
        cell_width=width,
        cell_height=height,
        left=round(left, 1),
        top=round(top, 1),
        upright=upright,
        rows=beside(row_names, left - 8.0),
        columns=above(column_names, top - 8.0),
        cells=cells,
        row_totals=beside(totals[0], right + width),
        column_totals=above(totals[1], foot + 0.5 * height + middle),
        note=note,
    )


def _all(lines: Iterable[Iterable[str]]) -> list[str]:
    return [text for line in lines for text in line]
