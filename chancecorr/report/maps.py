"""From numbers to places in maps of cells, in pixels: a map scrolls if it is wide."""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chancecorr.report.contents import Difference, IndexScores, Table
from chancecorr.report.drawing import Mark

MOST_CANDIDATES = 20
"""Rows, and columns, that a map of differences shows."""

LETTER = 7.0
"""Width of a digit in the pictures, in pixels: they are set in 12 pixels."""

ROOM = 24.0
"""For names beside a map, in letters of mean width."""


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


def count_map(table: Table) -> Map:
    """Map of a contingency table: stronger cells hold a larger share of their row.

    Columns stand in the order of the rows that most of their objects are in, so that agreement shows as a
    diagonal.
    """
    counts = table.counts
    order = np.arange(counts.shape[1])
    if counts.size:
        order = np.lexsort((-counts.max(axis=0), counts.argmax(axis=0)))
    counts, columns = counts[:, order], [table.column_names[k] for k in order]
    totals = [[f"{total:,}" for total in side] for side in (table.row_totals, table.column_totals[order])]
    texts = [[f"{count:,}" if count else "" for count in line] for line in counts.tolist()]
    shares = counts / np.maximum(table.row_totals[:, np.newaxis], 1)
    return _map(table.row_names, columns, texts, shares.tolist(), totals=totals, note=table.remark)


def difference_map(scores: IndexScores) -> Map | None:
    """Map of the differences, row less column, the best candidates first; None without differences."""
    ranked = [score.candidate for score in scores.ranked if score.rank is not None]
    names, left = ranked[:MOST_CANDIDATES], len(ranked)
    found: dict[tuple[str, str], tuple[float, Mark]] = {}
    for each in scores.differences:
        apart = told_apart(each)
        for pair, sign in (((each.first, each.second), 1.0), ((each.second, each.first), -1.0)):
            number = sign * each.difference
            found[pair] = number, ("best" if number > 0 else "other") if apart else "level"
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
    """Whether the interval of a difference leaves 0 out."""
    return difference.low > 0.0 or difference.high < 0.0


def fitted(text: str, room: float) -> str:
    """The text if it fits into `room` letters of mean width, else its beginning and its end."""
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


def _in_line(names: Sequence[str], first: tuple[float, float], step: tuple[float, float]) -> tuple[Name, ...]:
    """Names at equal steps from the first."""
    return tuple(
        Name(x=round(first[0] + k * step[0], 1), y=round(first[1] + k * step[1], 1), text=name)
        for k, name in enumerate(names)
    )


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
    longest = max((len(text) for line in (*texts, *totals) for text in line), default=1)
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
        return _in_line(names, (x, top + 0.5 * height + middle), (0.0, height))

    def above(names: Sequence[str], y: float) -> tuple[Name, ...]:
        return _in_line(names, (left + 0.5 * width, y), (width, 0.0))

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
