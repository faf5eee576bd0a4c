"""Compare candidates on many data sets: mean scores with intervals, differences, and ranks."""

import dataclasses
import math
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from chancecorr.chance.options import MethodName
from chancecorr.comparison.compare import compare, find_p_values_of_gaps
from chancecorr.comparison.comparison import Comparison
from chancecorr.correction.interval import cut
from chancecorr.correction.options import MonteCarlo
from chancecorr.correction.scores import describe_unknown_name
from chancecorr.exact.summary import bound_rounding
from chancecorr.indices.registry import AnyIndex, display_adjusted, is_one
from chancecorr.machine.arguments import (
    Alternative,
    ArgumentTypeError,
    ArgumentValueError,
    as_level,
    explain_call,
)
from chancecorr.machine.arrays import Floats, cached_property
from chancecorr.machine.budget import Budget
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_interval, format_p_value, format_rounded
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.sampling.seeding import RNG
from chancecorr.tables.reading import Missing, NoiseOfSides

if TYPE_CHECKING:
    import pandas

WHY_NO_VARIANCE = "it is the same on every data set, so that its variance is not known"
"""Remark on a mean, or a mean difference, if the values do not vary between the data sets."""


class CandidateMean(NamedTuple):
    """Mean score of a candidate over the data sets; see the example of `DatasetScores`.

    Attributes
    ----------
    candidate, mean, standard_error, low, high : hashable, float
        Name of the candidate; the mean of its adjusted scores; ``s / sqrt(D)``, where s is the standard
        deviation of the scores over D data sets; and the limits of the interval for the mean over the
        population of data sets, by Student's t.
    between : float
        Standard deviation between data sets after subtracting the errors of single scores; 0 if these errors
        are larger.
    rank, p_value : float
        Mean rank, 1 for the best; nan if no data set has all scores. P-value of the paired t test against the
        candidate with the best mean, jointly for all pairs (Tukey's range), because the best candidate is
        picked from the same scores; nan for the best itself.
    """

    candidate: Hashable
    mean: float
    standard_error: float
    low: float
    high: float
    between: float
    rank: float
    p_value: float


class MeanDifference(NamedTuple):
    """Mean difference of two candidates over the data sets; see the example of `DatasetScores`.

    Attributes
    ----------
    difference, standard_error, low, high, p_value, p_value_of_ranks : float
        First candidate less the second: mean difference, paired t test and interval, and the p-value of
        Wilcoxon's signed-rank test.
    of_each : dict of Difference
        The difference and its error on each data set, by the name of the data set.
    remark : str
        Reason for a missing interval; usually empty.
    """

    difference: float
    standard_error: float
    low: float
    high: float
    p_value: float
    p_value_of_ranks: float
    of_each: dict[Hashable, Any]
    remark: str = ""


class RankTest(NamedTuple):
    """Test if the candidates' ranks differ more than by chance; see the example of `DatasetScores`.

    Attributes
    ----------
    statistic, p_value : float
        Statistic and p-value of Friedman's test; nan for fewer than three candidates.
    critical_difference, n_datasets : float, int
        Two mean ranks that differ by more than the critical difference differ significantly, jointly for all
        pairs (Nemenyi). The number of data sets from which it was computed.
    """

    statistic: float
    p_value: float
    critical_difference: float
    n_datasets: int


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DatasetScores(Result, Mapping[Hashable, CandidateMean]):
    """Adjusted scores of C candidates on D data sets, with means, differences and ranks.

    Attributes
    ----------
    index, candidates, comparisons : str, tuple, dict
        Name of the index, names of the candidates, and the `Comparison` of each data set by its name.
    scores, errors, leasts : ndarray of float64, shape (D, C)
        Adjusted scores, the standard errors of their intervals, and the lowest scores that the cluster sizes
        allow.
    confidence, notes : float, tuple of Note
        Level of intervals and of the critical difference; notes on few data sets, missing scores, and
        single data sets.

    Examples
    --------
    >>> from chancecorr.comparison import compare_datasets
    >>> truth = [0, 0, 0, 1, 1, 1]
    >>> of_one = {"halves": truth, "thirds": [0, 0, 1, 1, 2, 2]}
    >>> over_both = compare_datasets({"a": (truth, of_one), "b": (truth, of_one)})
    >>> over_both["halves"].mean, over_both["halves"].rank
    (1.0, 1.0)
    >>> round(over_both.difference("halves", "thirds").difference, 6)
    0.757576
    >>> round(over_both.rank_test().critical_difference, 3)  # 1.96 sqrt(2 3 / (6 2))
    1.386
    """

    _picture = "plot_datasets"

    index: str
    comparisons: dict[Hashable, Comparison]
    candidates: tuple[Hashable, ...]
    scores: Floats
    errors: Floats
    leasts: Floats
    confidence: float
    notes: Notes

    def __getitem__(self, candidate: Hashable) -> CandidateMean:
        return self._means[self._place("candidate", candidate)]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.candidates)

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def asked_as(self) -> str:
        """The name that the user gave for the index."""
        comparison = next(iter(self.comparisons.values()))
        return str(comparison.ranked(self.index)[0].asked_as)

    def _place(self, argument: str, candidate: Hashable) -> int:
        if candidate not in self.candidates:
            raise ArgumentValueError(argument, describe_unknown_name(candidate, self.candidates))
        return self.candidates.index(candidate)

    @cached_property
    def _means(self) -> list[CandidateMean]:
        from scipy.stats import rankdata

        whole, columns = self._whole, self.scores.T
        ranks = rankdata(-whole, axis=1).mean(axis=0) if whole.size else np.full(len(self), math.nan)
        limits = map(_find_limits, columns, self.leasts.T)
        means = [_average(x, self.confidence, *ends) for x, ends in zip(columns, limits, strict=True)]
        best = max(range(len(self)), key=lambda k: (not math.isnan(means[k][0]), means[k][0]))
        p_values, means_by_name = compare_with_best_mean(self.scores, best), []
        for k, name in enumerate(self.candidates):
            has_score = ~np.isnan(columns[k] + self.errors[:, k])
            between = math.nan
            if has_score.sum() > 1:  # the variance less the errors of single scores
                left = columns[k][has_score].var(ddof=1) - (self.errors[has_score, k] ** 2).mean()
                between = math.sqrt(max(0.0, float(left)))
            means_by_name.append(
                CandidateMean(name, *means[k][:4], between, float(ranks[k]), float(p_values[k]))
            )
        return means_by_name

    @property
    def _whole(self) -> Floats:
        """Return the scores of the data sets on which every candidate has a score."""
        return self.scores[~np.isnan(self.scores).any(axis=1)]

    def ranked(self) -> list[CandidateMean]:
        """Return a `CandidateMean` for each candidate: the best first, candidates without a mean last."""
        return sorted(self._means, key=lambda item: (math.isnan(item.mean), -item.mean))

    def difference(self, first: Hashable, second: Hashable) -> MeanDifference:
        """Return the mean difference of two candidates over the data sets where both have a score.

        Parameters
        ----------
        first, second : hashable
            Names of candidates.

        Returns
        -------
        MeanDifference
            The mean difference with an interval, tests, and the difference on each data set.

        Raises
        ------
        ValueError
            If a name is unknown.
        """
        from scipy.stats import wilcoxon

        i, j = self._place("first", first), self._place("second", second)
        sides = [(self.scores[:, k], self.leasts[:, k]) for k in (i, j)]
        (lowest, highest), (least, most) = (_find_limits(*side) for side in sides)
        apart = self.scores[:, i] - self.scores[:, j]
        of_mean = _average(apart, self.confidence, lowest - most, highest - least)
        apart = apart[~np.isnan(apart)]
        return MeanDifference(
            *of_mean,
            float(wilcoxon(apart).pvalue) if apart.any() else math.nan,
            {name: comparison.difference(first, second) for name, comparison in self.comparisons.items()},
            WHY_NO_VARIANCE if apart.size > 1 and vary_by_rounding(apart) else "",
        )

    def rank_test(self) -> RankTest:
        """Test if the candidates' ranks differ, on the data sets where every candidate has a score.

        The critical difference of Nemenyi is ``q sqrt(C (C + 1) / (6 D))``, q from the studentized range:
        Demsar (2006), Journal of Machine Learning Research 7.
        """
        from scipy.stats import friedmanchisquare, studentized_range

        (D, C), statistic, p_value = self._whole.shape, math.nan, math.nan
        if not D:
            return RankTest(math.nan, math.nan, math.nan, 0)
        if C > 2 and D > 1:
            statistic, p_value = map(float, friedmanchisquare(*self._whole.T))
        q = float(studentized_range.ppf(self.confidence, C, math.inf)) / math.sqrt(2.0)
        return RankTest(statistic, p_value, q * math.sqrt(C * (C + 1) / (6.0 * D)), D)

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and notes as a dictionary of plain numbers, strings and lists."""
        rows = zip(map(str, self.comparisons), self.scores.tolist(), strict=True)
        return {
            "asked_as": self.asked_as,
            "index": self.index,
            "confidence": self.confidence,
            "notes": [note.to_dict() for note in self.notes],
            "means": [item._asdict() for item in self.ranked()],
            "ranks": self.rank_test()._asdict(),
            "scores": {name: dict(zip(map(str, self.candidates), row, strict=True)) for name, row in rows},
        }

    def _list_columns(self) -> Any:
        scores = zip(map(str, self.candidates), self.scores.T.tolist(), strict=True)
        name = "dataset" + "_" * ("dataset" in self.candidates)
        return {name: list(map(str, self.comparisons)), **dict(scores)}

    def to_frame(self) -> "pandas.DataFrame":
        """Return the adjusted scores as a pandas DataFrame: data sets in rows, candidates in columns."""
        frame = super().to_frame()
        return frame.set_index(frame.columns[0])

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the printed table: a row for each candidate, the best first."""
        rows = [
            [
                str(item.candidate),
                format_rounded(item.mean, item.standard_error),
                format_interval(item.low, item.high, item.standard_error),
                format_rounded(item.between, item.between / 10),
                f"{item.rank:.2f}",
                format_p_value(item.p_value),
            ]
            for item in self.ranked()
        ]
        ranks, title = self.rank_test(), display_adjusted(self.index, self.asked_as)
        level = f"{100.0 * self.confidence:g} %"
        friedman = "" if math.isnan(ranks.p_value) else f"; Friedman's p {format_p_value(ranks.p_value)}"
        differ = f"mean ranks further apart than {ranks.critical_difference:.2f} differ{friedman}"
        table = TextTable(
            columns=["candidate", "mean", f"{level} interval", "between", "rank", "p (best)"],
            rows=rows,
            caption=f"{title}, on {len(self.comparisons):,} data sets",
            notes=[Note("legend", differ), *self.notes],
        )
        return [table]


@explain_call
def compare_datasets(
    datasets: Mapping[Any, tuple[Any, Any]],
    index: AnyIndex = "rand",
    *,
    confidence: float = 0.95,
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str = "permutation",
    best: float | Literal["mean"] | None = None,
    alternative: Alternative | None = None,
    budget: float | Budget | None = None,
    progress: bool | None = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> DatasetScores:
    """Compare candidates over many data sets; see the example of `DatasetScores`.

    Parameters
    ----------
    datasets : mapping from name to (labels_true, candidates)
        The reference and the candidates of each data set, as in `compare`. All data sets must have the same
        candidates by name.
    index : str or Index
        The index of agreement; see `list_indices`.
    confidence, method, n_tables, rng, n_jobs, model, best, alternative, budget, progress, noise, missing
        As in `compare`, for each data set.

    Returns
    -------
    DatasetScores
        Adjusted scores by data set, the mean of each candidate with an interval, differences, tests and
        ranks. The result is printed as a table.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError
        As in `compare`.

    Notes
    -----
    Data sets are treated as independent draws from a population (random effects), all with the same weight.
    Student's t over data sets is then valid for any sizes of the data sets and any errors of their scores.
    """
    level = as_level("confidence", confidence)
    if not is_one(index):
        raise ArgumentTypeError("index", f"must be one index; got {index!r}.")
    if not isinstance(datasets, Mapping):
        rule = f"must be a mapping from name to (labels_true, candidates); got {type(datasets).__name__}."
        raise ArgumentTypeError("datasets", rule)
    if len(datasets) < 2:
        raise ArgumentValueError("datasets", f"must hold at least two data sets; got {len(datasets)}.")
    comparisons: dict[Hashable, Comparison] = {}
    for name, labels in datasets.items():
        if not isinstance(labels, tuple | list) or len(labels) != 2:
            raise ArgumentValueError("datasets", f"must have a pair (labels_true, candidates) for {name!r}.")
        try:
            comparisons[name] = compare(
                *labels, index, confidence=level, correction=None, method=method, n_tables=n_tables, rng=rng,
                n_jobs=n_jobs, model=model, best=best, alternative=alternative, budget=budget,
                progress=progress, noise=noise, missing=missing,
            )  # fmt: skip
        except (ValueError, TypeError) as error:
            error.add_note(f"In data set {name!r}.")
            raise
        if not comparisons[name].with_intervals:
            rule = "must hold labels, and `index` must be an index of contingency tables; this fails for"
            advice = "`compare` and `adjust` take other clusterings."
            raise ArgumentTypeError("datasets", f"{rule} data set {name!r}. {advice}")
    return _scores(comparisons, level)


def _scores(comparisons: Mapping[Hashable, Comparison], level: float) -> DatasetScores:
    """Return the result: scores and errors as arrays, with notes."""
    (first, one), *others = comparisons.items()
    for name, other in others:
        if set(other) != set(one):
            odd = min(map(str, set(other) ^ set(one)))
            rule = f"must have the same candidates; {first!r} and {name!r} differ in {odd!r}."
            raise ArgumentValueError("datasets", rule)
    if len(one) < 2:
        raise ArgumentValueError("datasets", f"must have at least two candidates; got {len(one)}.")
    rows = [[of[candidate][of.indices[0]] for candidate in one] for of in comparisons.values()]
    scores = np.array([[item.adjusted for item in row] for row in rows])
    jackknives = [
        [of.evaluations[item].without_one[of.indices[0]] for item in one] for of in comparisons.values()
    ]
    notes = [
        dataclasses.replace(note, subject=": ".join(filter(None, [str(name), note.subject])))
        for name, comparison in comparisons.items()
        for note in comparison.notes
    ]
    if len(comparisons) < 5:  # Student's t with three degrees of freedom is 3.2 errors wide
        text = f"{len(comparisons)} data sets only: intervals are wide and ranks uncertain"
        notes.insert(0, Note("few data sets", text))
    without = [str(name) for name, row in zip(comparisons, scores, strict=True) if np.isnan(row).any()]
    if without:
        text = f"not every candidate has a score on {', '.join(without)}: left out of ranks and tests"
        notes.append(Note("missing scores", text))
    result = DatasetScores(
        index=one.indices[0], comparisons=dict(comparisons), candidates=tuple(one), scores=scores,
        errors=np.array([[item.standard_error for item in row] for row in rows]),
        leasts=np.array([[item.least for item in row] for row in jackknives]), confidence=level, notes=(),
    )  # fmt: skip
    ranked = [item for item in result.ranked() if math.isfinite(item.mean)]
    means = [str(item.candidate) for item in ranked if math.isnan(item.low)]
    tests = [str(item.candidate) for item in ranked[1:] if math.isnan(item.p_value)]
    if means:
        notes.append(Note("no interval", f"no interval of {', '.join(means)}: {WHY_NO_VARIANCE}"))
    if tests:
        pair = f"{ranked[0].candidate} and {', '.join(tests)}"
        notes.append(Note("no test", f"no test of the difference of {pair}: {WHY_NO_VARIANCE}"))
    return dataclasses.replace(result, notes=tuple(notes))


def compare_with_best_mean(scores: Floats, best: int) -> Floats:
    """Return the joint p-value of the paired t test of each candidate against the best; nan if untested.

    As in `compare`, a difference is compared with the largest difference of any two candidates (Tukey's
    range), simulated from the covariance of their scores on the data sets that have all scores. With fewer
    than two such data sets, p-values are multiplied by the number of pairs (Bonferroni).
    """
    from scipy.special import stdtr

    p_values, tested, statistics = np.full(scores.shape[1], math.nan), [best], [0.0]
    n_datasets = len(scores)
    for k in range(scores.shape[1]):
        apart = scores[:, best] - scores[:, k]
        mean, error, _, _, p_value = _average(apart, 0.95)
        if k == best or math.isnan(p_value):
            continue
        tested.append(k)
        statistics.append(0.0 if math.isnan(error) else abs(mean) / error)
        n_datasets = min(n_datasets, int(np.count_nonzero(~np.isnan(apart))))
    if len(tested) == 1:
        return p_values
    whole = scores[:, tested][~np.isnan(scores[:, tested]).any(axis=1)]
    if len(whole) > 1:
        covariance = np.cov(whole.T) / len(whole)
        p_values[tested[1:]] = find_p_values_of_gaps(statistics, covariance, n_datasets - 1)[1:]
    else:
        pairs = len(tested) * (len(tested) - 1) / 2.0
        one_sided = stdtr(n_datasets - 1, -np.array(statistics[1:]))
        p_values[tested[1:]] = np.minimum(2.0 * pairs * one_sided, 1.0)
    return p_values


def _find_limits(scores: Floats, leasts: Floats) -> tuple[float, float]:
    """Return the lowest and the highest mean score that the cluster sizes of the data sets allow."""
    scored = ~np.isnan(scores)
    if not scored.any():
        return -math.inf, math.inf
    return float(leasts[scored].mean()), max(1.0, float(scores[scored].mean()))


def _average(
    values: Floats, level: float, least: float = -math.inf, greatest: float = math.inf
) -> tuple[float, float, float, float, float]:
    """Return mean, standard error, interval limits and p-value by Student's t; nan without a spread."""
    from scipy.stats import ttest_1samp

    values = values[~np.isnan(values)]
    mean = float(values.mean()) if values.size else math.nan
    if values.size < 2 or vary_by_rounding(values):
        is_zero = values.size > 1 and abs(values[0]) <= bound_rounding(1.0)
        return mean, math.nan, math.nan, math.nan, 1.0 if is_zero else math.nan
    test, error = ttest_1samp(values, 0.0), float(values.std(ddof=1)) / math.sqrt(values.size)
    low, high = cut(test.confidence_interval(level), least, greatest)
    return mean, error, float(low), float(high), float(test.pvalue)


def vary_by_rounding(values: Floats) -> bool:
    """Return True if scores, or differences, vary by rounding only, so that their variance is unknown."""
    return bool(np.ptp(values) <= bound_rounding(np.abs(values).max(), 1.0))
