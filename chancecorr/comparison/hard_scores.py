"""Score the hard clusterings that a soft clustering stands for, one draw after the other.

A soft clustering is a distribution over hard clusterings: each object gets one of the clusters, with the
probabilities in its row, independently of the other objects. Each draw has one table, and its score is
observed and adjusted as in `adjust`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.chance.engines import get_engine
from chancecorr.chance.models import make_model_of_table
from chancecorr.chance.options import MEAN_ONLY
from chancecorr.clusterings.clustering import Clustering, Partition
from chancecorr.clusterings.membership import Cover, Membership
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.comparison.clusterings import read_many
from chancecorr.correction.options import read_options
from chancecorr.indices.naming import decide_on_names
from chancecorr.indices.registry import AnyIndex, find_index
from chancecorr.machine.arguments import (
    ArgumentTypeError,
    ArgumentValueError,
    as_count,
    as_level,
    explain_call,
    name_kind,
)
from chancecorr.machine.arrays import Floats, Integers, read_only
from chancecorr.machine.budget import Budget, as_budget
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_rounded, format_seconds
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.sampling.seeding import RNG, make_generator
from chancecorr.sampling.workers import show_progress
from chancecorr.tables.contingency import count_table
from chancecorr.tables.crosstab import cross_tabulate
from chancecorr.tables.mistakes import sum_to_one

if TYPE_CHECKING:
    from numpy.random import Generator

NUMBER_OF_DRAWS = 1_000
SECONDS_OF_MEANS = 30.0  # forecast time of the expected values of all draws

Draw = Callable[[int, "Generator"], Integers]
"""Function that returns the cluster of each object in the draw of this number."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class HardScores(Result):
    """Scores of hard clusterings that are drawn from soft ones; see the example of `hard_scores`.

    Attributes
    ----------
    index, asked_as : str
        Name of the index, and the name that the user gave for it.
    n, n_draws : int
        Number of objects, and of draws.
    observed, adjusted : ndarray of float64, shape (n_draws,)
        Value of the index and adjusted score of each draw; nan if a draw has none.
    mean_observed, low_observed, high_observed : float
        Mean of the values, and limits of an interval that has at least the share `confidence` of them.
    mean_adjusted, low_adjusted, high_adjusted : float
        The same for the adjusted scores. Draws without a score are left out.
    confidence : float
        Level of the intervals.
    seed : int or None
        Seed of the draws; pass it as `rng`.
    notes : tuple of Note
        Notes on the index, and on draws without a score.
    """

    _picture = "plot_hard_scores"

    index: str
    asked_as: str
    n: int
    n_draws: int
    observed: Floats
    adjusted: Floats
    mean_observed: float
    low_observed: float
    high_observed: float
    mean_adjusted: float
    low_adjusted: float
    high_adjusted: float
    confidence: float
    seed: int | None
    notes: Notes

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and notes as a dictionary of plain numbers, strings and lists."""
        values = {name: getattr(self, name) for name in FIELDS_OF_HARD_SCORES}
        return values | self._list_columns() | {"notes": [note.to_dict() for note in self.notes]}

    def _list_columns(self) -> dict[str, list[float]]:
        """List the draws."""
        return {kind: getattr(self, kind).tolist() for kind in KINDS}

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the printed table: mean and interval of observed values and adjusted scores, and notes."""
        rows = []
        for kind in KINDS:
            values = getattr(self, kind)
            error = float(np.nanstd(values)) / math.sqrt(values.size) if np.isfinite(values).any() else 0.0
            numbers = (getattr(self, f"{part}_{kind}") for part in ("mean", "low", "high"))
            rows.append([f"{self.asked_as}, {kind}", *(format_rounded(number, error) for number in numbers)])
        caption = f"Scores of {self.n_draws:,} hard clusterings of {self.n:,} objects, with the limits of"
        return [
            TextTable(
                columns=["score", "mean", "low", "high"], rows=rows, left=1,
                caption=f"{caption} {100 * self.confidence:g} % of them", notes=self.notes,
            )
        ]  # fmt: skip


KINDS = "observed", "adjusted"
"""The two kinds of scores of a draw."""

FIELDS_OF_HARD_SCORES = (
    "index", "asked_as", "n", "n_draws", "confidence", "seed", "mean_observed", "low_observed",
    "high_observed", "mean_adjusted", "low_adjusted", "high_adjusted", *KINDS, "notes",
)  # fmt: skip
"""Fields of `HardScores` in JSON."""


@explain_call
def hard_scores(
    labels_true: Any,
    labels_pred: Any,
    index: AnyIndex = "rand",
    *,
    n_draws: int | None = None,
    confidence: float = 0.95,
    rng: RNG = None,
    budget: float | Budget | None = None,
    progress: bool | None = None,
) -> HardScores:
    """Draw hard clusterings from soft ones, and score each draw.

    The result says how much a score depends on which hard clustering is taken. It says nothing about other
    samples of objects: for these, see `AdjustedScore.interval`.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,), Membership, or array or list of shape (n_draws, n)
        Labels; memberships, from which labels are drawn; or labels that are draws already, such as posterior
        samples, with a row for each draw. Two arrays of draws are taken row by row.
    index : str, Index or callable
        An index of contingency tables; not one that compares labels by name, because columns of memberships
        have no names.
    n_draws : int, optional
        Number of draws, by default 1,000, or the number of rows that are given.
    confidence : float
        Share of the draws that lie between the limits, in (0, 1).
    rng, progress
        As in `adjust`. A draw depends on the seed and on its number only.
    budget : float or Budget, optional
        Seconds for the expected values of all draws, by forecast; by default 30.

    Returns
    -------
    HardScores
        The scores of all draws, observed and adjusted, with means and limits.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError
        If both sides are labels, a side is of another kind, or as in `adjust`.

    Notes
    -----
    Soft clusterings are read as distributions over hard clusterings in [1]_. Each draw is adjusted by the
    mean over all tables with the cluster sizes of the draw; an index whose mean is not known without
    simulation is not adjusted. The mean of the Rand index over the draws tends to the Rand index of `score`,
    which uses the inner products of memberships.

    Memberships say nothing about the dependence between objects. Posterior samples of whole clusterings keep
    it; pass these if there are any.

    References
    ----------
    .. [1] Campagner, Ciucci & Denœux (2023), A distributional framework for evaluation, comparison and
       uncertainty quantification in soft clustering, Int. J. Approx. Reason. 162,
       doi:10.1016/j.ijar.2023.109008.

    Examples
    --------
    >>> from chancecorr import Membership
    >>> soft = Membership([[1, 0], [0.9, 0.1], [0.5, 0.5], [0.2, 0.8], [0, 1], [0, 1]])
    >>> found = hard_scores([0, 0, 0, 1, 1, 1], soft, n_draws=200, rng=1)
    >>> float(found.low_observed) < found.mean_observed < found.high_observed
    True
    >>> certain = hard_scores([0, 0, 0, 1, 1, 1], Membership([[1, 0]] * 2 + [[0, 1]] * 4), n_draws=5)
    >>> found.adjusted.size, certain.low_adjusted == certain.high_adjusted
    (200, True)
    """
    labelled = find_index(index, to_adjust=True)
    entry = decide_on_names(labelled.entry)[0]
    get_engine(entry)  # raises if the index is not of tables
    if entry.named:
        rule = "must not compare labels by name, because columns of memberships have no names"
        raise ArgumentValueError("index", f"{rule}; got {labelled.label!r}.")
    level, options = as_level("confidence", confidence), read_options(rng=rng)
    (first, second), n, n_given, of_rows = _read_sides(labels_true, labels_pred)
    count = as_count("n_draws", n_given or NUMBER_OF_DRAWS if n_draws is None else n_draws)
    if n_given and count > n_given:
        raise ArgumentValueError("n_draws", f"must be at most {n_given:,}, the rows given; got {count:,}.")
    seconds = as_budget(budget).find_seconds_left(default=SECONDS_OF_MEANS)
    quick = replace(options, method=replace(MEAN_ONLY, mean_seconds=seconds / count))
    options = replace(options, method=replace(MEAN_ONLY, mean_seconds=math.inf))
    observed, adjusted = np.empty((2, count))
    has_mean = True  # decided by the first draw, so that all draws are adjusted or none
    with show_progress("draws", count, progress) as show:
        for number in range(count):
            generator = make_generator(options.seed, number)
            counted = cross_tabulate(first(number, generator), second(number, generator))
            model = make_model_of_table(count_table(counted.counts), options if number else quick)
            model.check((entry,))
            known = model.moments(entry) if has_mean else None
            has_mean = has_mean and (number > 0 or known is not None)
            observed[number] = model.observed(entry)
            mean = math.nan if known is None else known.moments.mean
            adjusted[number] = math.nan if known is None else model.score_by_mean(entry, mean)
            show(number + 1)
    notes = [*labelled.notes, *of_rows]
    if not has_mean:
        text = "not adjusted: expected values are not known without simulation, or take longer than"
        notes.append(Note("not adjusted", f"{text} {format_seconds(seconds)} (`budget`)"))
    summaries = dict[str, float]()
    for kind, values in zip(KINDS, (observed, adjusted), strict=True):
        values = values[~np.isnan(values)]
        if values.size < count and (has_mean or kind == "observed"):
            text = f"{count - values.size:,} of {count:,} draws have no {kind} score, and are left out"
            notes.append(Note(f"no {kind} score", text))
        tails = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
        limits = np.quantile(values, tails, method="inverted_cdf") if values.size else [math.nan, math.nan]
        numbers = float(values.mean()) if values.size else math.nan, *map(float, limits)
        summaries |= {f"{part}_{kind}": x for part, x in zip(("mean", "low", "high"), numbers, strict=True)}
    return HardScores(
        index=entry.name, asked_as=labelled.label, n=n, n_draws=count, observed=read_only(observed),
        adjusted=read_only(adjusted), confidence=level, seed=options.whole_seed, notes=tuple(notes),
        **summaries,
    )  # fmt: skip


def _read_sides(labels_true: Any, labels_pred: Any) -> tuple[list[Draw], int, int, list[Note]]:
    """Return the functions that draw the two sides, the number of objects, and of given rows, with notes.

    Rows of labels are matched with the other side by position, like a partition without names.
    """
    names, sides, rows = ("labels_true", "labels_pred"), list[Any](), list[Any]()
    for name, given in zip(names, (labels_true, labels_pred), strict=True):
        if hasattr(given, "columns") and len(given.columns) > 1:
            rule = "must be an array if it holds draws, with a row for each draw, or a `Membership`"
            raise ArgumentTypeError(name, f"{rule}; got {name_kind(given)}. Pass `{name}.to_numpy()`.")
        is_array = isinstance(given, np.ndarray) and given.ndim == 2
        if is_array and given.dtype.kind == "f" and sum_to_one(given, 1):
            rule = "must be a `Membership` if it holds memberships"
            raise ArgumentTypeError(name, f"{rule}; got an array whose rows sum to 1.")
        if isinstance(given, list | tuple) and given:
            is_array = all(isinstance(row, list | np.ndarray) for row in given)
        rows.append(read_many(name, given).codes if is_array else None)
        sides.append(Partition(np.arange(len(given[0]))) if is_array else given)
    numbers = [len(codes) for codes in rows if codes is not None]
    if len({*numbers}) > 1:
        got = f"{numbers[1]:,} and {numbers[0]:,}"
        raise ArgumentValueError(names[1], f"must have as many draws as `{names[0]}`; got {got}.", names[0])
    pair = read_clusterings(*sides)
    if pair.has_table:
        rule = "must be memberships, or labels in two dimensions with a row for each draw, if"
        raise ArgumentTypeError(names[1], f"{rule} `{names[0]}` is labels; got labels. See `adjust`.")
    draws = [_make_draw(*each) for each in zip(names, pair.sides, rows, strict=True)]
    n = pair.sides[0].n
    notes = [
        Note("origin", f"an array of {len(codes):,} draws of {n:,} objects", f"`{name}`")
        for name, codes in zip(names, rows, strict=True)
        if codes is not None
    ]
    return draws, n, numbers[0] if numbers else 0, notes


def _make_draw(name: str, side: Clustering, rows: Any) -> Draw:
    """Return the function that draws a side: labels, rows of labels, or memberships."""
    if rows is not None:
        return lambda number, _: rows[number]
    if isinstance(side, Partition):
        return lambda _, __: side.codes
    if not isinstance(side, Membership) or isinstance(side, Cover):
        raise ArgumentTypeError(name, f"must be labels or memberships; got {name_kind(side)}.")
    ends = np.cumsum(side.rows, axis=1)
    rest = np.cumsum(side.rows[:, ::-1], axis=1)[:, ::-1]
    ends[:, :-1][rest[:, 1:] <= 0.0] = 1.0  # the clusters that follow have no share: none of them is drawn
    ends = np.ascontiguousarray(ends[:, :-1].T)

    def draw(_: int, generator: "Generator") -> Integers:
        numbers, labels = generator.random(side.n), np.zeros(side.n, dtype=np.int64)
        for end in ends:
            labels += numbers >= end
        return labels

    return draw
