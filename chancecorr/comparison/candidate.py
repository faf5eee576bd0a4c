"""The score of one candidate by an index, and its place among the others."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from chancecorr.correction.interval import Interval
from chancecorr.correction.scores import AdjustedScore, ByIndex
from chancecorr.printing import p_text, rounded


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CandidateScore:
    """Score of one candidate by one index, and its place among the others.

    Attributes
    ----------
    candidate : hashable
        Name of the candidate.
    index : str
        Name of the index.
    score : AdjustedScore
        Observed, expected, adjusted, p-value; as from `adjust`.
    interval : Interval or None
        For the adjusted score in the population that the objects are a sample of; None where it was not
        asked for.
    p_corrected : float
        The p-value against chance, corrected over the candidates; a bound where ``score.p_is_bound``; nan
        where there is no p-value.
    log_p_corrected : float
        Its natural logarithm, finite also where it is too small for a float.
    rank : int or None
        1 for the largest adjusted score; candidates with the same score share the smaller number. None where
        there is no adjusted score.
    p_of_difference : float
        P-value of the difference to the best candidate, for all candidates at once and for a best that was
        seen in the same data, see `compare`; nan for the best itself, and where there is no interval.
    among_best : bool or None
        Whether the candidate is the best, or not significantly worse; None where no interval was asked for.

    Examples
    --------
    >>> from chancecorr import compare
    >>> comparison = compare([0, 0, 0, 1, 1, 1], {"a": [0, 0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 2, 2]})
    >>> score = comparison["b"]["rand"]
    >>> score.candidate, score.rank, round(score.adjusted, 12), round(score.p_value, 12)
    ('b', 2, 0.242424242424, 0.6)
    """

    candidate: Hashable
    index: str
    score: AdjustedScore
    interval: Interval | None
    p_corrected: float
    log_p_corrected: float
    rank: int | None
    p_of_difference: float
    among_best: bool | None

    @property
    def adjusted(self) -> float:
        """The adjusted score; nan where there is none, and `remark` says why."""
        return self.score.adjusted

    @property
    def observed(self) -> float:
        """The raw index."""
        return self.score.observed

    @property
    def expected(self) -> float:
        """Expected value of the index under chance."""
        return self.score.expected

    @property
    def low(self) -> float:
        """Lower end of the interval; nan without one."""
        return self.interval.low if self.interval else math.nan

    @property
    def high(self) -> float:
        """Upper end of the interval; nan without one."""
        return self.interval.high if self.interval else math.nan

    @property
    def n(self) -> int:
        """Number of objects that the candidate and the reference have."""
        return self.score.n

    @property
    def p_value(self) -> float:
        """P-value against chance, not corrected."""
        return self.score.p_value

    @property
    def remark(self) -> str:
        """Why there is no adjusted score, or what to know of its interval; mostly empty."""
        return self.score.remark or (self.interval.remark if self.interval else "")

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings; nan where there is no number.

        Returns
        -------
        dict
            What the leaderboard shows, by name.
        """
        return {
            "candidate": self.candidate,
            "index": self.index,
            "n": self.n,
            "rank": self.rank,
            "observed": self.observed,
            "expected": self.expected,
            "adjusted": self.adjusted,
            "low": self.low,
            "high": self.high,
            "standard_error": self.interval.standard_error if self.interval else math.nan,
            "p_value": self.p_value,
            "p_corrected": self.p_corrected,
            "p_is_bound": self.score.p_is_bound,
            "p_upper": self.score.p_upper,
            "p_of_difference": self.p_of_difference,
            "among_best": self.among_best,
            "remark": self.remark,
        }

    def __float__(self) -> float:
        """`adjusted`."""
        return float(self.adjusted)

    def __format__(self, form: str) -> str:
        """`adjusted` in this form, as in ``f"{score:.3f}"``; without a form the same as `str`."""
        return format(self.adjusted, form) if form else str(self)

    def __repr__(self) -> str:
        """Candidate, index, rank and the numbers of the leaderboard."""
        listed = ", ".join(f"{name}={number}" for name, number in numbers_of(self, "nan").items())
        remark = f", remark={self.remark!r}" if self.remark else ""
        return f"CandidateScore({self.candidate!r}, {self.index!r}, rank={self.rank}, {listed}{remark})"


def numbers_of(score: CandidateScore, undefined: str = "–") -> dict[str, str]:
    """Rounded numbers as text, by their columns in a leaderboard; `undefined` stands for nan."""
    interval, known = score.interval, score.score
    error = interval.standard_error if interval else known.adjusted_monte_carlo_error
    error = error if math.isfinite(error) else 0.0
    found = {"adjusted": rounded(score.adjusted, error, undefined=undefined)}
    if interval is not None:
        found["low"] = rounded(interval.low, error, undefined=undefined)
        found["high"] = rounded(interval.high, error, undefined=undefined)
    found["p"] = p_text(known.p_value, known.p_is_bound, known.log_p_value)
    return found | {"p_corrected": p_text(score.p_corrected, known.p_is_bound, score.log_p_corrected)}


class CandidateScores(ByIndex[CandidateScore]):
    """Scores of one candidate by several indices, by name; of a single index also the score's attributes."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """Attribute of the score, if there is one index."""
        if name.startswith("_") or len(self) != 1:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(next(iter(self.values())), name)

    def __float__(self) -> float:
        """The adjusted score, if there is one index."""
        if len(self) != 1:
            raise TypeError(
                f"scores by {len(self)} indices are no number; choose one, as by [{next(iter(self))!r}]."
            )
        return float(next(iter(self.values())))

    def __repr__(self) -> str:
        """A line for each score."""
        return "\n".join(map(repr, self.values()))
