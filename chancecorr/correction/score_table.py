"""Print adjusted scores: rows of a table, reasons for missing scores, and errors of means."""

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.exact.summary import bound_rounding
from chancecorr.indices.registry import display_name
from chancecorr.machine.arguments import import_pandas
from chancecorr.machine.notes import NAME_OF_INDEX, Note
from chancecorr.machine.printing import escape_hidden, format_interval, format_p_value, format_rounded
from chancecorr.machine.text_table import BLUE, TextTable, escape
from chancecorr.result import Result

if TYPE_CHECKING:
    import pandas


PRINTED_LEVEL = 0.95  # level of the intervals of a printed table


def format_error_of_mean(null: NullDistribution, form: str) -> str:
    """Write the standard error of a simulated mean, or the bound of its error; a dash if unknown."""
    if not math.isfinite(null.mean):
        return "–"
    if null.mean_from == "monte-carlo":
        return format(null.monte_carlo_error, form)
    if null.error <= bound_rounding(null.mean, null.std if math.isfinite(null.std) else 0.0):
        return "0"
    return f"≤{null.error:{form}}"


def explain_no_score(
    observed: float, expected: float, best: float, null: NullDistribution | None = None
) -> str:
    """Return the reason why these numbers give no adjusted score."""
    of_objects = null is not None and null.margins is None
    if math.isnan(observed):
        return "the index is 0/0 on " + ("these clusterings" if of_objects else "this table")
    if not math.isfinite(expected):
        what = "clusterings" if of_objects else "table"
        return f"the index is 0/0 or infinite on some {what} that is possible by chance"
    if not math.isfinite(best):
        return "the index is not finite at perfect agreement"
    if all(
        abs(value - expected) > bound_rounding(value, expected, constant=True) for value in (observed, best)
    ):
        return f"the expected value {expected:.5g} is beyond the best value {best:.5g}"
    if null is not None and null.mean_from == "monte-carlo" and null.values.size:
        same = "have the same value" if null.values.size == 1 else "have the best value on average"
        return f"undefined: all {null.n_tables:,} {name_draws(null)} {same}"
    if of_objects:
        return "undefined: every permutation of the objects gives the same value"
    return "undefined: every table with these cluster sizes has the same value"


def name_draws(null: NullDistribution) -> str:
    """Name the draws of a null distribution: simulated tables, permutations or draws."""
    of_objects = "permutations" if null.model == "permutation" else "draws"
    return of_objects if null.margins is None else "simulated tables"


KNOWN_NAMES = {"adjusted_rand": "ARI", "nmi_sum": "AMI"}
"""What people call the adjusted score of an index, and of all indices that are the same once corrected."""

FULL_NAMES = {"ARI": "adjusted Rand index", "AMI": "adjusted mutual information"}


def name_row(score: Any) -> str:
    """Return the name that the user gave for an index, followed by what its adjusted score is called."""
    known = score.adjusted_name
    return f"{score.asked_as}: {known}" if known and score.asked_as.upper() != known else str(score.asked_as)


def note_known_names(scores: Sequence[Any]) -> list[Note]:
    """Note in which columns the ARI, the AMI and the NMI of scikit-learn stand."""
    known = {score.adjusted_name: None for score in scores if score.adjusted_name}
    listed = " and ".join(f"{name} ({FULL_NAMES[name]})" for name in known)
    parts = [f"{listed}: column adjusted"] * bool(known)
    parts += ["NMI: column observed"] * any(score.index == "nmi_sum" for score in scores)
    return [Note("known names", "; ".join(parts))] if parts else []


def gather_notes(notes_of: Iterable[tuple[str, Sequence[Note]]]) -> list[Note]:
    """Return each note of several results once; its subject is the results that have it, if not all have it.

    `notes_of` are names of results with their notes. A note that already has a subject keeps it.
    """
    named = list(notes_of)
    owners: dict[Note, list[str]] = {}
    for name, notes in named:
        for note in notes:
            owners.setdefault(note, []).append(name)
    return [
        note
        if len(names) == len(named) or note.subject or note.code == NAME_OF_INDEX
        else replace(note, subject=", ".join(names))
        for note, names in owners.items()
    ]


def round_to_zero(score: Any) -> float:
    """Return the expected value of a score, 0 if it differs from 0 by rounding only."""
    mean: float = score.null.mean
    is_zero = abs(mean) <= min(bound_rounding(score.observed, score.best), bound_rounding(1.0))
    return 0.0 if is_zero else mean


def round_adjusted(score: Any) -> float:
    """Return the adjusted score, 0 if it differs from 0 by rounding only."""
    return 0.0 if abs(score.adjusted) <= bound_rounding(1.0) else float(score.adjusted)


def _make_row(score: Any, interval: Any, wide: bool) -> dict[str, str]:
    """Return one table row as {column: text}; all columns if `wide`."""
    null = score.null
    expected, error = round_to_zero(score), null.monte_carlo_error
    adjusted = round_adjusted(score)
    has_interval = interval is not None and math.isfinite(interval.low)
    of_adjusted = score.adjusted_monte_carlo_error if error else 0.0
    if has_interval and not wide:
        of_adjusted = interval.standard_error
    row = {
        "index": name_row(score),
        "observed": format_rounded(score.observed),
        "expected": format_rounded(expected, error),
        "std.err.": format_error_of_mean(null, ".1e") if wide else "",
        "adjusted": format_rounded(adjusted, of_adjusted),
        "95 % interval": format_interval(interval.low, interval.high, interval.standard_error)
        if has_interval
        else "–",
        "z": "",
        "p": format_p_value(score.p_value, score.p_is_bound, score.log_p_value),
    }
    if not wide:
        del row["std.err."], row["z"]
        return row
    is_one_origin = score.p_value_from in (null.mean_from, None)
    compared = null.counts is not None and null.analytic
    return row | {
        "z": _format_signed(score.z_score, ".1f" if abs(score.z_score) < 1000.0 else ".0f"),
        "by": null.mean_from if is_one_origin else f"{null.mean_from}/{score.p_value_from}",
        "analytic": format_rounded(null.analytic.mean) if compared else "",
        "z.diff.": _format_signed(null.z_of_difference, "+.2f") if compared else "",
    }


def _format_signed(number: float, form: str) -> str:
    """Write a number of standard errors: a dash for nan, and 0 without a sign."""
    if math.isnan(number):
        return "–"
    text = format(number, form)
    return text.removeprefix("-") if float(text) == 0.0 else text


class ScoreTable(Result):
    """Base class of one score and of several scores: printed as a table with a row for each score."""

    __slots__ = ()

    @property
    @abstractmethod
    def _rows(self) -> Sequence[Any]:
        """Return the scores, in the order of the rows."""

    def to_frame(self, confidence: float | None = None) -> "pandas.DataFrame":
        """Return a pandas DataFrame with a row for each index.

        Parameters
        ----------
        confidence : float, optional
            Level of the intervals in the columns ``low`` and ``high``. By default these columns have the
            intervals of the printed table, if it has any. See `AdjustedScore.interval`.

        Returns
        -------
        pandas.DataFrame
            A row for each label; a column for each entry of `AdjustedScore.to_dict`, and for the interval.
        """
        pandas = import_pandas()
        frame = pandas.DataFrame(self._list_columns()).set_index("asked_as")
        if confidence is not None:
            frame["low"], frame["high"] = zip(
                *(score.interval(confidence) for score in self._rows), strict=True
            )
            frame["confidence"] = confidence
        return frame

    def report(self, confidence: float = 0.95, *, groups: Any = None) -> str:
        """Return text for a paper: how agreement was measured and adjusted, the numbers, and the software.

        Parameters
        ----------
        confidence, groups : float, array-like of shape (n,)
            Level of the intervals, and the group of each object, as in `AdjustedScore.interval`.

        Returns
        -------
        str
            A paragraph on the objects, the indices, the model of chance, the methods, the meaning of the
            numbers, the version, and the seed if it is known. And a paragraph of numbers in APA style, with
            notes.
        """
        from chancecorr.correction.paragraphs import report_scores

        return report_scores(self._rows, confidence, groups)

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the table: a row for each score, a dash for each undefined number, and notes."""
        scores = self._rows
        intervals = [score.printed_interval for score in scores]
        rows = [_make_row(*pair, wide) for pair in zip(scores, intervals, strict=True)]
        if not any(intervals):
            rows = [row | {"95 % interval": ""} for row in rows]
        shown = [name for name in rows[0] if any(row[name] for row in rows)]
        texts = [[row[name] for name in shown] for row in rows]
        notes = [
            Note("not adjusted", f"not adjusted; {score.remark}", score.asked_as)
            for score in scores
            if score.remark
        ]
        notes_of = []
        for score, interval in zip(scores, intervals, strict=True):
            about = list(score.notes)
            if interval is not None and interval.remark:
                about.append(Note("interval", f"interval: {interval.remark}"))
            elif interval is None and any(intervals) and not score.remark:
                about.append(
                    Note("no interval", "no interval was computed with the scores: call `.interval()`")
                )
            notes_of.append((score.asked_as, about))
        notes += gather_notes(notes_of)
        notes += note_known_names(scores)
        return [TextTable(columns=shown, rows=texts, notes=notes)]

    def _name_rows(self) -> dict[str, str]:
        return {
            name_row(score): name_row(score).replace(
                score.asked_as, display_name(score.index, score.asked_as), 1
            )
            for score in self._rows
        }

    def _list_columns(self) -> list[dict[str, Any]]:
        return [
            score.to_dict()
            | {"expected": round_to_zero(score), "notes": "; ".join(map(str, score.notes))}
            | write_interval(score)
            for score in self._rows
        ]


def write_interval(score: Any) -> dict[str, Any]:
    """Return the limits of a score's printed interval, nan if there is none, with its level and remark."""
    low, high = score.printed_interval or (math.nan, math.nan)
    remark = score.printed_interval.remark if score.printed_interval else ""
    return {"confidence": PRINTED_LEVEL, "low": low, "high": high, "interval_remark": remark}


def draw_card(title: str, headline: str, drawn: str, below: str) -> str:
    """Return a title with its headline, a bar below and a table below the bar."""
    return (
        f'<div style="display:inline-block"><div><strong>{escape(escape_hidden(title))}</strong>'
        f' <span style="font-weight:bold;margin-left:1em">{escape(escape_hidden(headline))}</span></div>'
        + (f'<div style="margin:0.4em 0">{drawn}</div>' if drawn else "")
        + below
        + "</div>"
    )


def draw_bar(expected: float, observed: float, best: float, *, width: int, height: int) -> str:
    """Draw the way from the expected to the best value, filled up to the observed one, as SVG."""
    ends = (expected, observed, best)
    low, high = min(ends), max(ends)
    if not all(map(math.isfinite, ends)) or low == high:
        return ""
    start, reached, end = (2.0 + (x - low) / (high - low) * (width - 4.0) for x in ends)
    title = f"observed {observed:.4g}, on the way from {expected:.4g} by chance to {best:.4g} at best"
    drawn = f"<title>{title}</title>"
    for other, fill in ((end, 'fill="currentColor" fill-opacity="0.16"'), (reached, f'fill="{BLUE}"')):
        left, size = min(start, other), abs(other - start)
        box = f'x="{left:.1f}" y="{height / 4:.1f}" width="{size:.1f}" height="{height / 2:.1f}"'
        drawn += f"<rect {box} {fill}/>"
    for x, style in (
        (start, 'stroke="currentColor" stroke-dasharray="2 2"'),
        (end, 'stroke="currentColor" stroke-opacity="0.5"'),
        (reached, f'stroke="{BLUE}" stroke-width="2"'),
    ):
        drawn += f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0.0" y2="{height:.1f}" {style}/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img"'
        f' style="vertical-align:middle">{drawn}</svg>'
    )
