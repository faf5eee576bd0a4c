"""The candidates in order of an index, as a table."""

import math
from collections.abc import Sequence

from chancecorr.comparison.candidate import CandidateScore, numbers_of
from chancecorr.show import TextTable

MARK = "*"
"""Marks the best candidate and those not significantly worse."""

CORRECTED_BY = {"holm": "Holm", "fdr_bh": "Benjamini-Hochberg"}


def board_of(
    scores: Sequence[CandidateScore], n: int, confidence: float, correction: str | None
) -> TextTable:
    """Leaderboard of the scores by one index, the best first."""
    with_intervals = scores[0].interval is not None
    with_n = any(score.n < n for score in scores)
    header = ["candidate", "rank", *["n"] * with_n, "adjusted"]
    header += ["low", "high"] if with_intervals else []
    header += ["p", "p corrected"] if correction else ["p"]
    header += [""] if with_intervals else []
    rows = []
    for score in scores:
        shown = numbers_of(score)
        if not correction:
            del shown["p_corrected"]
        row = [str(score.candidate), "–" if score.rank is None else str(score.rank)]
        row += [f"{score.n:,}"] * with_n + list(shown.values())
        rows.append([*row, MARK if score.among_best else ""] if with_intervals else row)
    caption = f"{scores[0].index}: {len(scores)} candidate{'s' * (len(scores) > 1)}, n = {n:,}"
    notes = [*_legend(scores, confidence, correction), *_remarks(scores)]
    return TextTable(columns=header, rows=rows, caption=caption, notes=notes)


def _legend(scores: Sequence[CandidateScore], confidence: float, correction: str | None) -> list[str]:
    """Legend of the columns and the mark, in one line or none."""
    level, parts = f"{100.0 * confidence:g} %", []
    if scores[0].interval is not None:
        outside = any(score.interval and is_outside(score.adjusted, *score.interval) for score in scores)
        parts.append(f"low, high: {level} interval" + ", the sample's bias taken off" * outside)
    if correction:
        parts.append(f"p corrected: over the candidates, by {CORRECTED_BY[correction]}")
    if len(scores) > 1 and any(score.among_best for score in scores):
        shared = ", on the objects that both have" * any(score.n != scores[0].n for score in scores)
        parts.append(f"{MARK} not significantly worse than the best at {level}, all at once{shared}")
    return ["; ".join(parts)] if parts else []


def _remarks(scores: Sequence[CandidateScore]) -> list[str]:
    """Why numbers are missing, and notes on null distributions, each once with its candidates."""
    lines, of_nulls = [], dict[str, list[str]]()
    for score in scores:
        if score.remark:
            has_interval = score.interval is not None and math.isfinite(score.interval.low)
            missing = "not adjusted; " if score.rank is None else "" if has_interval else "no interval; "
            lines.append(f"{score.candidate}: {missing}{score.remark}")
        for note in score.score.notes:
            of_nulls.setdefault(note, []).append(str(score.candidate))
    return lines + [f"{', '.join(names)}: {note}" for note, names in of_nulls.items()]


def is_outside(x: float, low: float, high: float) -> bool:
    """Whether a number lies beyond an interval, neither of them nan, by more than rounding."""
    slack = 1e-9 * max(1.0, abs(x))
    return x < low - slack or x > high + slack
