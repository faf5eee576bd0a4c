"""The candidates in order of an index, as text for a terminal and as HTML for a notebook."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chancecorr.correction import html
from chancecorr.printing import p_text, rounded

if TYPE_CHECKING:
    from chancecorr.comparison.comparison import CandidateScore, Comparison

MARK = "*"
"""Stands beside the best candidate and those that cannot be told from it."""

CORRECTED_BY = {"holm": "Holm", "fdr_bh": "Benjamini-Hochberg"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What is shown of a comparison by one index.

    Attributes
    ----------
    caption : str
        The index, and how many candidates and objects were compared.
    header : list of str
        Names of the columns.
    rows : list of list of str
        One a candidate, the best first.
    scores : list of CandidateScore
        The same, in the same order.
    notes : list of str
        What the columns mean, and why numbers are missing.
    """

    caption: str
    header: list[str]
    rows: list[list[str]]
    scores: "list[CandidateScore]"
    notes: list[str]


def boards(comparison: "Comparison") -> list[Board]:
    """A leaderboard for each index."""
    return [_board(comparison, index) for index in comparison.indices]


def numbers(score: "CandidateScore", undefined: str = "–") -> dict[str, str]:
    """Rounded numbers of a score as text, by the names of their columns."""
    interval, adjusted = score.interval, score.score
    error = interval.standard_error if interval else adjusted.adjusted_standard_error
    error = error if math.isfinite(error) else 0.0
    found = {"adjusted": rounded(score.adjusted, error, undefined=undefined)}
    if interval is not None:
        found["low"] = rounded(interval.low, error, undefined=undefined)
        found["high"] = rounded(interval.high, error, undefined=undefined)
    found["p"] = p_text(score.p_value, adjusted.p_is_bound, adjusted.log_p_value)
    found["p_corrected"] = p_text(score.p_corrected, adjusted.p_is_bound)
    return found


def as_text(board: Board) -> str:
    """The board in plain text."""
    columns = zip(board.header, *board.rows, strict=True)
    widths = [max(map(len, column)) for column in columns]
    lines = [board.caption]
    for rank, name, *others in (board.header, *board.rows):
        padded = [text.rjust(width) for text, width in zip(others, widths[2:], strict=True)]
        lines.append("  ".join((rank.rjust(widths[0]), name.ljust(widths[1]), *padded)).rstrip())
    return "\n".join([*lines, *board.notes])


def as_html(board: Board) -> str:
    """The board for a notebook, with the intervals drawn on one scale."""
    drawn = []
    if any(score.interval for score in board.scores):
        numbers = [
            number
            for score in board.scores
            for number in (
                score.adjusted,
                *((score.interval.low, score.interval.high) if score.interval else ()),
            )
            if math.isfinite(number)
        ]
        scale = (min(0.0, *numbers), max(numbers)) if numbers else (0.0, 1.0)
        drawn = [
            html.whisker(score.interval.low, score.adjusted, score.interval.high, scale, width=160, height=14)
            if score.interval
            else ""
            for score in board.scores
        ]
    rows = [board.header, *board.rows]
    return (
        html.remarks([board.caption])
        + html.table([[row[1], row[0], *row[2:]] for row in rows], bars=drawn, bars_name="interval")
        + html.remarks(board.notes)
    )


def _board(comparison: "Comparison", index: str) -> Board:
    scores = comparison.ranked(index)
    with_intervals = comparison.without_one is not None
    header = ["rank", "candidate", "adjusted"]
    header += ["low", "high"] if with_intervals else []
    header += ["p", "p corrected"] if comparison.correction else ["p"]
    header += [""] if with_intervals else []
    rows = []
    for score in scores:
        shown = numbers(score)
        if not comparison.correction:
            del shown["p_corrected"]
        row = ["–" if score.rank is None else str(score.rank), str(score.candidate), *shown.values()]
        rows.append([*row, MARK if score.among_best else ""] if with_intervals else row)
    caption = f"{index}: {len(scores)} candidate{'s' * (len(scores) > 1)}, n = {comparison.n:,}"
    return Board(caption=caption, header=header, rows=rows, scores=scores, notes=_notes(comparison, scores))


def _notes(comparison: "Comparison", scores: "list[CandidateScore]") -> list[str]:
    level = f"{100.0 * comparison.confidence:g} %"
    said = []
    if comparison.without_one is not None:
        outside = any(score.interval and _is_outside(score.adjusted, *score.interval) for score in scores)
        said.append(f"low, high: {level} interval" + ", the sample's bias taken off" * outside)
    if comparison.correction:
        said.append(f"p corrected: over the candidates, by {CORRECTED_BY[comparison.correction]}")
    if len(scores) > 1 and any(score.among_best for score in scores):
        said.append(f"{MARK} cannot be told from the best at {level}")
    notes = ["; ".join(said)] if said else []
    for score in scores:
        if score.remark:
            has_interval = score.interval is not None and math.isfinite(score.interval.low)
            what = "not adjusted; " if score.rank is None else "" if has_interval else "no interval; "
            notes.append(f"{score.candidate}: {what}{score.remark}")
    of_nulls: dict[str, list[str]] = {}
    for score in scores:
        for note in score.score.notes:
            of_nulls.setdefault(note, []).append(str(score.candidate))
    notes += [f"{', '.join(names)}: {note}" for note, names in of_nulls.items()]
    return notes


def _is_outside(x: float, low: float, high: float) -> bool:
    """Whether a number lies beyond an interval, neither of them nan, by more than rounding."""
    slack = 1e-9 * max(1.0, abs(x))
    return x < low - slack or x > high + slack
