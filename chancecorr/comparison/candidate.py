"""The score of one candidate by an index, its place and tests among the others, and the board of all."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.comparison.shared import Evaluation
from chancecorr.correction.interval import Interval, added_variance
from chancecorr.correction.scores import AdjustedScore, ByIndex
from chancecorr.machine.arrays import Floats
from chancecorr.null.seeding import make_generator
from chancecorr.printing import p_text, rounded
from chancecorr.show import TextTable

MARK = "*"
"""Marks the best candidate and those not significantly worse."""

CORRECTIONS = {"holm": "Holm", "fdr_bh": "Benjamini-Hochberg"}
"""Authors of the corrections of p-values for their number, by the names that these have in statsmodels."""

MOST_DRAWS, FEWEST_DRAWS, MOST_NUMBERS = 10_000, 1_000, 100_000_000
"""Simulated sets of scores for the largest of their differences, and numbers compared in all of them."""

OBJECTS_AT_A_TIME = 100_000
"""Objects whose parts in all scores are held together."""

MANY_DEGREES = 100
"""Degrees of freedom from which standard errors are taken for known."""

SAME_SCORES = 1e-12
"""Variance of a difference, as a share of those of the two scores, below which it is rounding."""


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
        parts.append(f"p corrected: over the candidates, by {CORRECTIONS[correction]}")
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


def ranks(adjusted: Sequence[float]) -> list[int | None]:
    """Rank of each adjusted score, 1 for the largest; equal ones share the smaller number, nan have none."""
    scores = np.array(adjusted)
    return [None if math.isnan(score) else 1 + int((scores > score).sum()) for score in adjusted]


def p_values_against_best(evaluations: Sequence[Evaluation], index: str, best: int, level: float) -> Floats:
    """P-value of each candidate's difference to the best, for all at once; nan where there is no test."""
    from scipy.special import stdtrit

    p_values = np.full(len(evaluations), math.nan)
    tested, statistics = [best], [0.0]
    draws = evaluations[best].without_one[index].draws
    for k, each in enumerate(evaluations):
        if k == best or math.isnan(each.scores[index].adjusted):
            continue
        difference = evaluations[best].difference(each, index, level)
        if not math.isnan(difference.p_value):
            n = evaluations[best].draws_in_common(each) - 1
            p = 1.0 if difference.interval.high < 0.0 else difference.p_value  # better, but for its bias
            tested.append(k)
            statistics.append(-float(stdtrit(n, p / 2.0)))
            draws = min(draws, n + 1)
    if len(tested) > 1:
        covariance = _covariance([evaluations[k] for k in tested], index)
        p_values[tested[1:]] = p_values_of_gaps(statistics, covariance, draws - 1)[1:]
    return p_values


def p_values_of_gaps(statistics: Sequence[float], covariance: Floats, degrees: int) -> Floats:
    """P-values of the gaps between the best of several scores, the first, and each of them, for all at once.

    The best was picked in the same data. If several are equally good, none of them is significantly worse
    with probability 1 - level: a gap is set against the largest difference, in standard errors, of any two of
    the scores (Tukey's range). Its distribution is simulated from their covariance, with the same draws each
    time; of few groups the standard errors vary with the draws, for each two scores on their own. After those
    that are significantly worse, the next gap is set against the range of the others, as in Westfall & Young
    (1993). A p-value is at most that of Bonferroni over all pairs, which also holds below what so many draws
    can tell.
    """
    from scipy.special import stdtr

    m = len(statistics)
    n_parts = degrees if degrees < MANY_DEGREES else 0
    n_draws = min(max(MOST_NUMBERS // (m**2 * max(n_parts, 1)), FEWEST_DRAWS), MOST_DRAWS)
    values, vectors = np.linalg.eigh(covariance)
    roots = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, values > SAME_SCORES * values.max(initial=0.0)]
    normal = make_generator(0).standard_normal((n_draws, 1 + n_parts, roots.shape[1]))
    order = np.append(0, 1 + np.argsort(statistics[1:], kind="stable"))  # the best, then the nearest ones
    largest, p_values = np.zeros(n_draws), np.ones(m)
    for k, new in enumerate(order[1:], start=1):
        p_values[new] = min(k * (k + 1) * float(stdtr(degrees, -statistics[new])), 1.0)  # of all pairs
        if p_values[new] * n_draws < 1.0:
            continue
        between = roots[order[:k]] - roots[new]
        squares = (between**2).sum(axis=1)
        between = between[squares > SAME_SCORES * (roots[new] ** 2).sum()]
        apart, *parts = np.moveaxis(normal @ between.T, 1, 0) ** 2  # of the scores, and of their errors
        apart = np.sqrt(apart / (np.mean(parts, axis=0) if n_parts else (between**2).sum(axis=1)))
        largest = np.maximum(largest, apart.max(axis=1, initial=0.0))
        if k > 1:  # of one pair, that of Student's t is exact
            reached = (1 + np.count_nonzero(largest >= statistics[new])) / (n_draws + 1)
            p_values[new] = min(p_values[new], reached)
    p_values[order[::-1]] = np.maximum.accumulate(p_values[order[::-1]])
    return p_values


def _covariance(evaluations: Sequence[Evaluation], index: str) -> Floats:
    """Covariance of scores by the jackknife over the objects, or groups, that they share."""
    covariance = np.diag([added_variance(each.without_one[index]) for each in evaluations])
    for start in range(0, evaluations[0].cells.size, OBJECTS_AT_A_TIME):
        parts = np.array(
            [each.influences(index, slice(start, start + OBJECTS_AT_A_TIME)) for each in evaluations]
        )
        covariance += parts @ parts.T
        if evaluations[0].groups is not None:
            break
    return covariance


def correct_p_values(
    p_values: npt.ArrayLike, correction: str | None, *, as_logarithms: bool = False
) -> Floats:
    """P-values, or their logarithms, corrected for their number by the name of a correction; nan stay.

    "holm" is Holm (1979), https://www.jstor.org/stable/4615733: one false rejection is improbable; "fdr_bh"
    is Benjamini & Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x: few are false. Logarithms are
    finite where a p-value is below all floats.
    """
    corrected = np.array(p_values, dtype=np.float64)
    if correction is None:
        return corrected
    order = np.argsort(corrected, kind="stable")
    order = order[: int((~np.isnan(corrected)).sum())]  # nan come last
    rising, m = corrected[order], order.size
    places = np.arange(1, m + 1)
    if correction == "holm":
        raised = rising + np.log(m + 1 - places) if as_logarithms else rising * (m + 1 - places)
        raised = np.maximum.accumulate(raised)
    else:
        raised = rising - np.log(places / m) if as_logarithms else rising * m / places
        raised = np.minimum.accumulate(raised[::-1])[::-1]
    corrected[order] = np.minimum(raised, 0.0 if as_logarithms else 1.0)
    return corrected
