"""Results of `compare`: scores with intervals and ranks, and the differences between candidates."""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from chancecorr.comparison.choice import Choice
from chancecorr.comparison.evaluations import Evaluation
from chancecorr.correction.interval import Difference, Interval
from chancecorr.correction.score_table import gather_notes, name_row, round_to_zero
from chancecorr.correction.scores import AdjustedScore, ByIndex, describe_unknown_name, name_among
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_count, format_interval, format_p_value, format_rounded
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.tables.contingency import ContingencyTable

CORRECTIONS = {"holm": "Holm", "fdr_bh": "Benjamini-Hochberg"}
"""Authors of each correction for multiple tests, by the name of the correction in statsmodels."""

MARKS = {True: "*", False: "", None: "?"}
"""Marks of candidates by `among_best`: not significantly worse than the best, worse, and not tested."""

FIELDS_OF_A_ROW = (
    *("candidate", "index", "n", "rank", "observed", "expected", "adjusted", "low", "high", "standard_error"),
    *("p_value", "p_corrected", "p_is_bound", "p_upper", "p_of_difference", "among_best", "remark"),
    *("asked_as", "adjusted_name", "log_p_value", "log_p_corrected", "p_corrected_is_bound"),
)
"""Attributes of a candidate's score in `CandidateScore.to_dict`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CandidateScore:
    """An `AdjustedScore` of one candidate and its rank; see the example of `Comparison`.

    It also has all attributes of `score`, and `low`, `high` and `standard_error` of the interval; nan without
    an interval.

    Attributes
    ----------
    candidate, score : hashable, AdjustedScore
        Name of the candidate; observed, expected, adjusted, p-value, as from `adjust`.
    interval : Interval or None
        Interval for the adjusted score in the population from which the objects are a sample; None if not
        requested.
    p_corrected, log_p_corrected : float
        The p-value against chance, corrected over the candidates, and its natural logarithm, also finite
        where the p-value underflows; nan without a p-value.
    p_corrected_is_bound : bool
        True if `p_corrected` is an upper bound: this p-value, or one that it was corrected with, is a bound.
    rank : int or None
        1 for the largest adjusted score; equal scores share the smaller number. None without a score.
    p_of_difference : float
        P-value of the difference to the best candidate, jointly for all candidates, see `compare`; nan for
        the best itself, and without an interval.
    among_best : bool or None
        True if the candidate is the best, or not significantly worse. None if it could not be tested: it, or
        the best, has no interval.
    """

    candidate: Hashable
    score: AdjustedScore
    interval: Interval | None
    p_corrected: float
    log_p_corrected: float
    p_corrected_is_bound: bool
    rank: int | None
    p_of_difference: float
    among_best: bool | None

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the score or of the interval."""
        if name in ("low", "high", "standard_error"):
            return getattr(self.interval, name, math.nan)
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.score, name)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *dir(self.score), "low", "high", "standard_error"})

    @property
    def remark(self) -> str:
        """Reason for a missing adjusted score, or a remark on the interval; usually empty."""
        return self.score.remark or (self.interval.remark if self.interval else "")

    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary of plain numbers and strings, as shown on the leaderboard; nan if unknown."""
        return {name: getattr(self, name) for name in FIELDS_OF_A_ROW}

    def __float__(self) -> float:
        return float(self.adjusted)

    def __format__(self, form: str) -> str:
        """Format `adjusted`, as in ``f"{score:.3f}"``; without a format the same as `str`."""
        return format(self.adjusted, form) if form else str(self)

    def __repr__(self) -> str:
        numbers = _write_numbers(self).items()
        listed = ", ".join(f"{name.replace(' ', '_')}={number}" for name, number in numbers)
        remark = f", remark={self.remark!r}" if self.remark else ""
        return f"CandidateScore({self.candidate!r}, {self.asked_as!r}, rank={self.rank}, {listed}{remark})"


class CandidateScores(ByIndex[CandidateScore]):
    """Scores of one candidate by index name; with a single index, also the attributes of its score."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the score, if there is one index."""
        if name.startswith("_") or len(self) != 1:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(next(iter(self.values())), name)

    def __float__(self) -> float:
        if len(self) != 1:
            raise TypeError(
                f"scores by {len(self)} indices are not a number; choose one, as by [{next(iter(self))!r}]."
            )
        return float(next(iter(self.values())))

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.values()))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Result, Mapping[Hashable, CandidateScores]):
    """Candidates compared with a reference: ``comparison[candidate][index]`` is a `CandidateScore`.

    Attributes
    ----------
    scores, tables, evaluations : mapping
        For each candidate: its scores by index; the contingency table, with the clusters of the reference in
        rows; and the jackknife scores, from which intervals and differences are computed.
    n : int
        Number of objects that at least one candidate may have; ``score.n`` is the number for one candidate.
    confidence, correction : float, str or None
        Level of the intervals (tests have the level ``1 - confidence``); how p-values are corrected.
    notes : tuple of Note
        Notes on objects that candidates leave out, and on the labels; usually empty.
    grouped_by : str
        Name of the column of groups; empty without groups or without a name.
    choice : mapping
        For each index the `Choice` of the best candidate; empty without ``chosen="best"``.

    Examples
    --------
    >>> from chancecorr import compare
    >>> comparison = compare([0, 0, 0, 1, 1, 1], {"a": [0, 0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 2, 2]})
    >>> comparison.candidates, comparison.indices, comparison.best().candidate
    (('a', 'b'), ('rand',), 'a')
    >>> score = comparison["b"]["rand"]
    >>> score.candidate, score.rank, round(score.adjusted, 12), round(score.p_value, 12)
    ('b', 2, 0.242424242424, 0.6)
    >>> round(comparison.difference("a", "b").difference, 12)
    0.757575757576
    """

    _picture = "plot_comparison"

    scores: Mapping[Hashable, CandidateScores]
    tables: Mapping[Hashable, ContingencyTable]
    n: int
    confidence: float
    correction: str | None
    evaluations: Mapping[Hashable, Evaluation]
    notes: Notes = ()
    grouped_by: str = ""
    choice: Mapping[str, Choice] = field(default_factory=dict)

    def __getitem__(self, candidate: Hashable) -> CandidateScores:
        if candidate not in self.scores:
            raise KeyError(describe_unknown_name(candidate, self.candidates, "candidate"))
        return self.scores[candidate]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def with_intervals(self) -> bool:
        """True if intervals, and tests between candidates, were requested."""
        return any(evaluation.without_one for evaluation in self.evaluations.values())

    @property
    def candidates(self) -> tuple[Hashable, ...]:
        """Names of the candidates, in the order given."""
        return tuple(self.scores)

    @property
    def indices(self) -> tuple[str, ...]:
        """Names of the indices, in the order asked for."""
        return tuple(next(iter(self.scores.values())))

    def ranked(self, index: str | None = None) -> list[CandidateScore]:
        """Return the scores by an index, the best first; candidates without an adjusted score come last.

        Parameters
        ----------
        index : str, optional
            Name or alias; may be left out if the comparison has only one index.

        Returns
        -------
        list of CandidateScore
            One for each candidate.
        """
        name = self._index_name(index)
        scores = [self[candidate][name] for candidate in self]
        return sorted(scores, key=lambda score: len(scores) + 1 if score.rank is None else score.rank)

    def best(self, index: str | None = None) -> CandidateScore:
        """Return the score of the best candidate by an index; of equal scores, the first given.

        Parameters
        ----------
        index : str, optional
            As in `ranked`.

        Returns
        -------
        CandidateScore
            The score of rank 1.

        Raises
        ------
        ValueError
            If no candidate has an adjusted score.
        """
        first = self.ranked(index)[0]
        if first.rank is None:
            raise ArgumentValueError(
                "index",
                f"must have an adjusted score for some candidate; got {first.index!r}: {first.remark}.",
            )
        return first

    def difference(self, first: Hashable, second: Hashable, *, index: str | None = None) -> Difference:
        """Return the difference of two candidates' adjusted scores, on the objects that both have.

        Parameters
        ----------
        first, second, index : hashable, hashable, str
            Names of two candidates, and of the index as in `ranked`.

        Returns
        -------
        Difference
            The first candidate's adjusted score less the second's, with an interval and an uncorrected
            p-value.

        Raises
        ------
        ValueError
            If a name is unknown, or the comparison was made without intervals.
        """
        name = self._index_name(index)
        for argument, candidate in (("first", first), ("second", second)):
            if candidate not in self.scores:
                raise ArgumentValueError(argument, describe_unknown_name(candidate, self.candidates))
        if not self.with_intervals:
            raise ArgumentValueError(
                "interval", "must be 'jackknife' in `compare`, for differences to have intervals; got None."
            )
        return self.evaluations[first].difference(self.evaluations[second], name, self.confidence)

    def report(self) -> str:
        """Return text for a paper, as `AdjustedScore.report`; ``chancecorr.report.to_html`` includes it."""
        from chancecorr.comparison.paragraphs import describe_comparison

        return "\n\n".join(describe_comparison(self)[0])

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and notes as a dictionary of plain numbers, strings and lists."""
        about: dict[str, Any] = {"n": self.n, "confidence": self.confidence, "correction": self.correction}
        choice = {name: of_index.to_dict() for name, of_index in self.choice.items()}
        about |= {"choice": choice, "notes": [note.to_dict() for note in self.notes]}
        return about | {"scores": self._list_columns()}

    def _list_columns(self) -> list[dict[str, Any]]:
        """Return a record for each candidate and index."""
        scores = [self[candidate][index] for candidate in self for index in self.indices]
        return [score.to_dict() | {"expected": round_to_zero(score)} for score in scores]

    def _index_name(self, index: str | None) -> str:
        """Return the name of an index of the comparison, from a name or an alias; None: the only index."""
        if index is None and len(self.indices) == 1:
            return self.indices[0]
        if index is None:
            rule = f"must name one of the indices {', '.join(map(repr, self.indices))}; got None."
            raise ArgumentValueError("index", f"{rule} Pass index={self.indices[0]!r}, for instance.")
        name = name_among(index, self.indices)
        if name is None:
            labels = [score.asked_as for score in next(iter(self.scores.values())).values()]
            raise ArgumentValueError("index", describe_unknown_name(index, labels))
        return name

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return a leaderboard for each index."""
        boards = [
            lay_out_board(self.ranked(x), self.n, self.confidence, self.correction) for x in self.indices
        ]
        return [*boards[:-1], replace(boards[-1], notes=[*boards[-1].notes, *self.notes])]


def lay_out_board(
    scores: Sequence[CandidateScore], n: int, confidence: float, correction: str | None
) -> TextTable:
    """Return the leaderboard of the scores by one index, the best first."""
    first, level, legend = scores[0], f"{100.0 * confidence:g} %", []
    name = name_row(first)
    rows = [
        {
            "candidate": str(score.candidate),
            "rank": "–" if score.rank is None else str(score.rank),
            "n": f"{score.n:,}",
            **_write_numbers(score, level),
            "": MARKS[score.among_best] if score.interval and score.rank else "",
        }
        for score in scores
    ]
    shown = {name: True for name in rows[0]} | {
        "n": any(score.n < n for score in scores),
        "p corrected": bool(correction),
        "": first.interval is not None,
    }
    columns = [name for name, is_shown in shown.items() if is_shown]
    if first.interval is not None:
        outside = any(score.interval and is_outside(score.adjusted, *score.interval) for score in scores)
        legend += ["intervals are corrected for the sample's bias"] * outside
    if correction:
        legend.append(f"p corrected: over the candidates, by {CORRECTIONS[correction]}")
    if len(scores) > 1 and any(score.among_best for score in scores):
        shared = ", on the objects that both have" * any(score.n != first.n for score in scores)
        legend.append(f"{MARKS[True]} not significantly worse than the best at {level}, jointly{shared}")
    if any(score.interval and score.rank and score.among_best is None for score in scores):
        legend.append(f"{MARKS[None]} not tested against the best, as one of the two has no interval")
    if len({score.p_is_bound for score in scores if not math.isnan(score.p_value)}) > 1:
        legend.append("≤: a bound, which does not rank the candidates")
    return TextTable(
        columns=columns,
        rows=[[row[name] for name in columns] for row in rows],
        caption=f"{name}{':' if name == first.asked_as else ' of'} {format_count(len(scores), 'candidate')},"
        f" n = {n:,}",
        notes=[*([Note("legend", "; ".join(legend))] if legend else []), *_list_notes(scores)],
    )


def _write_numbers(score: CandidateScore, level: str = "") -> dict[str, str]:
    """Return rounded numbers as text, by column of the leaderboard; without an interval if there is none."""
    error = score.standard_error if score.interval else score.adjusted_monte_carlo_error
    error = error if math.isfinite(error) else 0.0
    interval = {f"{level} interval".lstrip(): format_interval(score.low, score.high, error)}
    return {
        "adjusted": format_rounded(score.adjusted, error),
        **(interval if score.interval else {}),
        "p": format_p_value(score.p_value, score.p_is_bound, score.log_p_value),
        "p corrected": format_p_value(score.p_corrected, score.p_corrected_is_bound, score.log_p_corrected),
    }


def _list_notes(scores: Sequence[CandidateScore]) -> list[Note]:
    """Return notes on missing numbers and on null distributions, each once with its candidates."""
    notes = []
    for score in scores:
        if score.remark:
            has_interval = score.interval is not None and math.isfinite(score.low)
            missing = "not adjusted; " if score.rank is None else "" if has_interval else "no interval; "
            notes.append(Note("missing numbers", f"{missing}{score.remark}", str(score.candidate)))
    return notes + gather_notes((str(score.candidate), score.notes) for score in scores)


def is_outside(x: float, low: float, high: float) -> bool:
    """Return True if a number is outside an interval by more than rounding; False for nan."""
    slack = 1e-9 * max(1.0, abs(x))
    return x < low - slack or x > high + slack
