"""Compare many candidates with one reference: find the best one, its lead, and how certain the lead is."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.chance.fixed_margins import PERMUTATION, check_best
from chancecorr.chance.models import choose_models, name_labels, place_model
from chancecorr.chance.options import MethodName, Options
from chancecorr.chance.random_labels import UNIFORM
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.clusterings.segments_of_time import Durations
from chancecorr.comparison.choice import Choice, describe_choice, measure_choice
from chancecorr.comparison.clusterings import Clusterings, Drop, look_at_many, read_many, share_labels
from chancecorr.comparison.comparison import CORRECTIONS, CandidateScore, CandidateScores, Comparison
from chancecorr.comparison.evaluations import (
    Evaluation,
    align_columns,
    evaluate,
    evaluate_one_by_one,
    join_evaluations,
    number_cells_of_objects,
)
from chancecorr.correction.adjust import score_with_models
from chancecorr.correction.interval import find_unseen_variance, make_interval
from chancecorr.correction.options import MonteCarlo, read_options, refuse_checkpoint
from chancecorr.correction.paragraphs import find_label
from chancecorr.correction.scores import AdjustedScore
from chancecorr.indices.registry import AnyIndex, Index, LabelledIndex, find_indices
from chancecorr.machine.arguments import Alternative, ArgumentValueError, as_level, check_choice, explain_call
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import Budget
from chancecorr.machine.notes import GROUPS, Note, Notes
from chancecorr.sampling.own_draws import Draws
from chancecorr.sampling.seeding import RNG, make_generator
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.crosstab import note_clusters
from chancecorr.tables.objects import read_groups, read_partition
from chancecorr.tables.reading import Missing, Noise, NoiseOfSides, Pair, check_reading, note_left_out
from chancecorr.tables.union import number_over_union, spread_table

MAX_DRAWS, MIN_DRAWS, MAX_NUMBERS = 10_000, 1_000, 100_000_000
"""Number of simulated sets of scores (most, fewest), and the most numbers compared in all sets together."""

OBJECTS_AT_A_TIME = 100_000  # objects whose influences on all scores are held in memory together
DEGREES_TAKEN_FOR_INFINITE = 100  # from this many degrees of freedom on, standard errors count as known
MOST_NAMED = 5  # candidates that a note on labels names
MAX_RELATIVE_VARIANCE_OF_ROUNDING = 1e-12  # variance of a difference over the variances of the two scores


@explain_call
def compare(
    labels_true: Any,
    candidates: Any,
    index: AnyIndex | Sequence[AnyIndex] | None = None,
    *,
    confidence: float = 0.95,
    correction: Literal["holm", "fdr_bh"] | None = "holm",
    interval: Literal["jackknife"] | None = "jackknife",
    groups: Any = None,
    chosen: Literal["best"] | None = None,
    drop: Drop = "each",
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str | Draws = "permutation",
    best: float | Literal["mean"] | None = None,
    alternative: Alternative | None = None,
    budget: float | Budget | None = None,
    progress: bool | None = None,
    strata: Any = None,
    weights: Any = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> Comparison:
    """Rank candidate clusterings by their agreement with a reference, with intervals and tests.

    Parameters
    ----------
    labels_true : array-like of shape (n,), or a clustering of any kind
        Cluster of each object in the reference, or any other clustering that `adjust` takes. If a data frame,
        or an AnnData object with columns as ``.obs``, is passed first, the reference, the candidates,
        `groups`, `strata` and `weights` may be names of its columns.
    candidates : dict, data frame, list or array-like of shape (m, n)
        Candidate clusterings by name, in a dictionary or as the columns of a pandas, polars or Arrow frame.
        In a list, or as rows of an array, they are called 0, 1, ... They are labels, or any other clusterings
        that `adjust` takes.
    index : str, Index, or a list of them, optional
        The index of agreement, by default as in `adjust`. With several indices, each has its own leaderboard.
        Intervals and tests are only available for labels, and not for indices of pairs of objects such as
        ``"omega"``, nor with `strata` or `weights`.
    confidence : float
        Level of the intervals, in (0, 1); tests between candidates are at ``1 - confidence``.
    correction : {"holm", "fdr_bh", None}
        How p-values against chance are corrected for the number of candidates. ``"holm"`` controls the
        probability of a single false positive (Holm 1979), ``"fdr_bh"`` the share of false positives
        (Benjamini & Hochberg 1995). None: not corrected.
    interval : {"jackknife", None}
        How intervals and tests between candidates are computed: from the scores after removing one object at
        a time. None: no intervals and no tests.
    groups : array-like of shape (n,), optional
        Group of each object, such as its donor or document. The jackknife then removes one group at a time,
        not one object: if objects within a group are alike, intervals are too short without `groups`.
    chosen : {"best", None}
        ``"best"``: for each index also the score of the best candidate corrected for its choice, in
        `Comparison.choice` and in a note. The reference is permuted 2,000 times, or `n_tables` times; with
        `Draws` by draws that are permutations, such as shifts.
    method, n_tables, rng, n_jobs, model, best, alternative, budget, progress
        As in `adjust`. The candidates are divided among the threads, and share the seconds of a budget.
    drop : {"each", "common"}
        Which objects are left out if ``noise="drop"`` or ``missing="drop"``. ``"each"``: every candidate
        keeps all objects that it and the reference have, and two candidates are compared on the objects that
        both have. ``"common"``: all candidates keep the objects that no candidate leaves out.
    strata, weights, noise, missing
        As in `adjust`. `adjust` also gives an interval for one candidate with `weights`.

    Returns
    -------
    Comparison
        ``comparison[candidate][index]`` has score, interval, corrected p-value and rank. The result is
        printed as a leaderboard.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError
        As in `adjust`.

    See Also
    --------
    pairwise : Compare every two of many clusterings, without a reference.
    chancecorr.comparison.compare_datasets : Compare the same candidates on many data sets.
    adjust : Compare one candidate.

    Notes
    -----
    P-values say whether a candidate is better than chance. Intervals and tests of differences are about other
    objects of the same population, given the clusters. A candidate is marked if it is not significantly worse
    than the best one. The test allows for the best one being picked from the same data: equally good
    candidates all keep their marks with probability `confidence`. The lead of the best is compared with the
    largest difference of any two candidates that are still tested, simulated from the joint jackknife
    covariance of their scores (Tukey's range, step by step as in Westfall & Young 1993).

    With ``chosen="best"`` the p-value of the best candidate is the share of permutations whose largest score
    reaches the best one: the permutation distribution of a maximum of dependent statistics, as in Westfall &
    Young (1993), Resampling-based multiple testing, Wiley.

    Each score equals the score from `adjust` with the same seed, except that the columns may be in another
    order: candidates with the same cluster sizes share a null distribution.

    Examples
    --------
    >>> reference = [0] * 10 + [1] * 10
    >>> candidates = {"halves": [0] * 9 + [1] * 11, "thirds": [0] * 7 + [1] * 7 + [2] * 6}
    >>> comparison = compare(reference, candidates, index=["rand", "jaccard"], rng=0)
    >>> comparison.best("rand").candidate, round(comparison["thirds"]["rand"].adjusted, 6)
    ('halves', 0.387097)
    """
    level = as_level("confidence", confidence)
    check_choice("correction", correction, (*CORRECTIONS, None))
    check_choice("interval", interval, ("jackknife", None))
    check_choice("chosen", chosen, ("best", None))
    options = read_options(
        method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model, best=best,
        alternative=alternative, budget=budget, progress=progress,
    )  # fmt: skip
    refuse_checkpoint(options)
    if chosen is not None:
        if options.model != PERMUTATION and options.draws is None:
            rule = "must be None with another model than 'permutation' or Draws"
            raise ArgumentValueError("chosen", f"{rule}; got {options.model.name!r}.", "model")
        if isinstance(weights, Durations):
            rule = "must be None with durations, because their segments are not permuted alone"
            raise ArgumentValueError("chosen", f"{rule}; got {chosen!r}.", "weights")
    weighting = {"strata": strata, "weights": weights}
    given = [name for name, of_objects in weighting.items() if of_objects is not None]
    grouped_by = find_label(groups)
    ((_, known), *named), index_of_kind = look_at_many(
        "candidates", candidates, index, reference=("labels_true", labels_true), drop=drop, groups=groups,
        weighted=weights is not None,
    )  # fmt: skip
    if index_of_kind is None and given:
        for name, is_default in (("groups", groups is None), ("drop", drop == "each")):
            if not is_default:
                raise ArgumentValueError(name, f"must be left out with `{given[0]}`.", given[0])
        index_of_kind = "rand" if index is None else index
    reading: dict[str, Any] = {"noise": noise, "missing": missing}
    if index_of_kind is not None:
        found = _evaluate_pairs(known, named, index_of_kind, options, weighting, reading)
        if chosen is not None and not all(pair.has_table for pair in found.pairs):
            rule = "must be None for clusterings of other kinds than labels"
            raise ArgumentValueError("chosen", f"{rule}; got {chosen!r}.")
    else:
        found = _evaluate_tables(
            known, named, find_indices("rand" if index is None else index), options, reading, drop=drop,
            groups=groups, with_intervals=interval is not None,
        )  # fmt: skip
    names, evaluations, labels, notes = found.names, found.evaluations, found.labels, tuple(found.notes)
    choice: dict[str, Choice] = {}
    if chosen is not None:
        parts = None if strata is None else read_partition("strata", strata, found.pairs[0].objects)[0]
        of_candidates = dict(zip(names, found.pairs, strict=True))
        for name in evaluations[0].scores:
            of_index = [item.scores[name] for item in evaluations]
            of_best = measure_choice(of_candidates, of_index, options, parts, weights)
            if of_best is not None:
                choice[name] = of_best
                about = describe_choice(of_best, len(names))
                notes = (
                    *notes,
                    about if len(evaluations[0].scores) == 1 else replace(about, subject=labels[name]),
                )
    standings = [
        _rank_candidates(name, labels[name], names, evaluations, level, correction)
        for name in evaluations[0].scores
    ]
    return Comparison(
        scores={name: CandidateScores(of_index) for name, *of_index in zip(names, *standings, strict=True)},
        tables=dict(zip(names, found.tables, strict=False)), n=found.n, confidence=level,
        correction=correction,
        evaluations=dict(zip(names, evaluations, strict=True)), notes=notes, grouped_by=grouped_by,
        choice=choice,
    )  # fmt: skip


class _Evaluated(NamedTuple):
    """All candidates with their scores, in the order given."""

    names: list[Hashable]
    pairs: list[Pair]  # of the reference and a candidate
    evaluations: list[Evaluation]
    labels: dict[str, str]  # how results call the indices, by name
    n: int  # objects of the reference
    notes: Sequence[Note]
    tables: list[ContingencyTable]  # none if the pairs were scored one by one


def _evaluate_pairs(
    reference: Any, named: Sequence[tuple[Hashable, Any]], index: Any, options: Options,
    weighting: Mapping[str, Any], reading: Mapping[str, Any],
) -> _Evaluated:  # fmt: skip
    """Score candidates of any kind one by one as `adjust` does, without intervals."""
    called = [("labels_true", f"candidates[{name!r}]") for name, _ in named]
    pairs = [
        read_clusterings(reference, candidate, names=both, weights=weighting["weights"], **reading)
        for both, (_, candidate) in zip(called, named, strict=True)
    ]
    if any(item.entry.depends_on_labels for item in find_indices(index)):
        pairs = share_labels(pairs)

    def score_one(k: int, alone: Options) -> list[AdjustedScore]:
        return score_with_models(choose_models(pairs[k], index, alone, **weighting))

    evaluations = evaluate_one_by_one(score_one, [np.zeros(0)] * len(named), options)
    given = [name for name, of_objects in weighting.items() if of_objects is not None]
    reason = f"none are known with {' and '.join(given)}" if given else "they need tables of labels"
    return _Evaluated(
        names=[name for name, _ in named],
        pairs=pairs,
        evaluations=evaluations,
        labels={name: score.asked_as for name, score in evaluations[0].scores.items()},
        n=max(score.n for item in evaluations for score in item.scores.values()),
        notes=[note_no_intervals(reason)],
        tables=[],
    )


def _evaluate_tables(
    reference: Any, named: Sequence[tuple[Hashable, Any]], wanted: Sequence[LabelledIndex], options: Options,
    reading: Mapping[str, Any], *, drop: Drop, groups: Any, with_intervals: bool,
) -> _Evaluated:  # fmt: skip
    """Score candidates of labels together, by their tables."""
    read = read_many("candidates", dict(named), reference=("labels_true", reference), drop=drop, **reading)
    names = list(read.names[1:])
    check_best([item.entry for item in wanted], options.best)
    options = place_model(options, read.objects)
    is_here = None if read.here is None else np.isin(np.arange(read.given), read.here)
    members = None if groups is None else read_groups(groups, read.objects, is_here)
    if any(item.entry.depends_on_labels for item in wanted) or options.model == UNIFORM:
        read = read.share_labels()
    pairs = [read.pair(0, k) for k in range(1, len(read))]
    tables = [pair.table() for pair in pairs]
    indices, by_name = _name_labels([item.entry for item in wanted], names, tables)
    plain, named_ones = (tuple(x for x in indices if bool(x.named) is k) for k in (False, True))
    how: dict[str, Any] = {"with_intervals": with_intervals, "groups": members}
    of_tables, of_names = list[Evaluation](), list[Evaluation]()
    if plain:
        aligned = [
            (aligned_table, np.arange(aligned_table.shape[0]), columns)
            for aligned_table, columns in align_columns(tables)
        ]
        of_tables = evaluate(*_number_cells(pairs, aligned), plain, options, **how)
    if named_ones:
        unions = [number_over_union(table) for table in tables]
        squares = [
            (spread_table(table, union), union.rows, union.columns)
            for table, union in zip(tables, unions, strict=True)
        ]
        of_names = evaluate(*_number_cells(pairs, squares), named_ones, options, **how)
    notes = _list_notes(read, tables, drop, check_reading(**reading), members, find_label(groups))
    if options.draws is not None and with_intervals:
        notes = *notes, note_no_intervals("none are known for draws of your own")
    return _Evaluated(
        names=names,
        pairs=pairs,
        evaluations=join_evaluations(of_tables, of_names, [x.name for x in indices]),
        labels={item.entry.name: item.label for item in wanted},
        n=read.n,
        notes=[*notes, *by_name, *(note for item in wanted for note in item.notes)],
        tables=tables,
    )


def _name_labels(
    indices: Sequence[Index], names: Sequence[Hashable], tables: Sequence[ContingencyTable]
) -> tuple[tuple[Index, ...], list[Note]]:
    """Return the indices, marked if they compare labels by name, and notes on the candidates' labels."""
    found, notes = list[Index](), list[Note]()
    for index in indices:
        about: dict[Note, list[str]] = {}
        for name, table in zip(names, tables, strict=True):
            index, of_table = name_labels(index, table, ("labels_true", f"candidates[{name!r}]"))
            for note in of_table:
                about.setdefault(note, []).append(str(name))
        for note, alike in about.items():
            more = f" and {len(alike) - MOST_NAMED:,} more" if len(alike) > MOST_NAMED else ""
            whose = f", {', '.join(alike[:MOST_NAMED])}{more}" if len(alike) < len(names) else ""
            notes.append(replace(note, subject=f"{index.name}{whose}"))
        found.append(index)
    return tuple(found), notes


def _number_cells(
    pairs: Sequence[Pair], placed: Sequence[tuple[ContingencyTable, Integers, Integers]]
) -> tuple[list[ContingencyTable], list[npt.NDArray[Any]]]:
    """Return the tables and the cell of each object, from the row and the column of each cluster."""
    tables = [table for table, *_ in placed]
    cells = [
        number_cells_of_objects(
            rows[pair.sides[0].codes], columns[pair.sides[1].codes], table.shape[1], pair.kept
        )
        for pair, (table, rows, columns) in zip(pairs, placed, strict=True)
    ]
    return tables, cells


def note_no_intervals(reason: str) -> Note:
    """Return the note that a comparison has only scores."""
    return Note("no intervals", f"no intervals, no tests between candidates: {reason}")


def _list_notes(
    read: Clusterings, tables: Sequence[ContingencyTable], drop: Drop, noise: tuple[Noise, Noise],
    groups: Integers | None, grouped_by: str,
) -> Notes:  # fmt: skip
    """Return notes on left-out objects, groups, -1 as a cluster, and labels that occur once."""
    called = ["the reference", *(str(name) for name in read.names[1:])]
    sides = [read.left_out[0]._replace(side=called[0]), *read.left_out[1:]]
    if drop == "common":
        notes = note_left_out(read.given, read.n, sides)
    else:
        notes = note_left_out(read.given, read.n, sides[:1])
        for name, table, left_out in zip(called[1:], tables, sides[1:], strict=True):
            notes += note_left_out(read.n, table.n, [left_out._replace(side="")], name)
    notes = [*read.notes, *notes]
    if groups is not None:
        text = f"intervals and tests between candidates by {int(groups.max()) + 1:,} groups"
        notes.append(Note(GROUPS, text + (f" ({grouped_by})" if grouped_by else "")))
    for name, table in zip(called[1:], tables, strict=True):
        labels = table.row_labels, table.column_labels
        totals = table.row_totals, table.column_totals
        for called_as, *side, of_side in zip((called[0], name), labels, totals, noise, strict=True):
            notes += note_clusters(called_as, *side, has_policy=any(of_side.values()))
    import hashlib

    alike: dict[bytes, list[str]] = {}
    for k, kept in enumerate(read.kept[1:], start=1):
        objects = np.arange(read.n) if kept is None else np.flatnonzero(kept)
        codes = read.codes[k][objects]
        first = np.empty(read.sizes[k].size, dtype=np.int64)
        first[codes[::-1]] = objects[::-1]  # the first object of each cluster
        of_each = np.full(read.n, -1)
        of_each[objects] = first[codes]
        alike.setdefault(hashlib.sha256(of_each.tobytes()).digest(), []).append(called[k])
    same = [names for names in alike.values() if len(names) > 1]
    notes += [
        Note("same clustering", f"the same clustering as {names[0]}", ", ".join(names[1:])) for names in same
    ]
    if any("drop" in item.values() for item in noise) and not any(side.noise for side in sides):
        notes.append(Note("no noise", "no object has the noise label"))
    return tuple(dict.fromkeys(notes))


def _rank_candidates(
    index: str, label: str, names: Sequence[Hashable], evaluations: Sequence[Evaluation], level: float,
    correction: str | None,
) -> list[CandidateScore]:  # fmt: skip
    """Return the scores of all candidates by one index, with ranks and tests."""
    scores = [replace(evaluation.scores[index], asked_as=label) for evaluation in evaluations]
    without_one = [evaluation.without_one[index] for evaluation in evaluations if evaluation.without_one]
    adjusted = np.array([score.adjusted for score in scores])
    places = [None if math.isnan(x) else 1 + int((adjusted > x).sum()) for x in adjusted]
    p_values = np.array([score.p_value for score in scores])
    corrected = correct_p_values(p_values, correction)
    # the least that the corrected p-values may be, where only bounds are known
    least = correct_p_values(
        np.where([score.p_is_bound for score in scores], 0.0 * p_values, p_values), correction
    )
    logarithms = correct_p_values([score.log_p_value for score in scores], correction, as_logarithms=True)
    differences = np.full(len(names), math.nan)
    if without_one and 1 in places:
        differences = compare_with_best(evaluations, index, places.index(1), level)
    return [
        CandidateScore(
            candidate=name,
            score=scores[k],
            interval=make_interval(without_one[k], level) if without_one else None,
            p_corrected=float(corrected[k]),
            log_p_corrected=float(logarithms[k]),
            rank=places[k],
            p_corrected_is_bound=bool(least[k] < corrected[k]),
            p_of_difference=float(differences[k]),
            among_best=is_among_best(places[k], differences[k], 1.0 - level) if without_one else None,
        )
        for k, name in enumerate(names)
    ]


def is_among_best(rank: int | None, p_of_difference: float, level: float) -> bool | None:
    """Return True for the best and for a candidate not significantly worse; None if it was not tested."""
    if rank == 1 or rank is None:
        return rank == 1
    return None if math.isnan(p_of_difference) else bool(p_of_difference > level)


def compare_with_best(evaluations: Sequence[Evaluation], index: str, best: int, level: float) -> Floats:
    """Return the joint p-value of each candidate's difference to the best; nan if it is not tested."""
    from scipy.special import stdtrit

    p_values = np.full(len(evaluations), math.nan)
    tested, statistics = [best], [0.0]
    draws = evaluations[best].without_one[index].draws
    for k, evaluation in enumerate(evaluations):
        if k == best or math.isnan(evaluation.scores[index].adjusted):
            continue
        difference = evaluations[best].difference(evaluation, index, level)
        if not math.isnan(difference.p_value):
            both = (evaluations[best].cells >= 0) & (evaluation.cells >= 0)
            n = int(both.sum() if evaluation.groups is None else np.unique(evaluation.groups[both]).size) - 1
            p = 1.0 if difference.interval.high < 0.0 else difference.p_value  # better after bias correction
            tested.append(k)
            statistics.append(-float(stdtrit(n, p / 2.0)))
            draws = min(draws, n + 1)
    if len(tested) > 1:
        some = [evaluations[k] for k in tested]
        covariance = np.diag([find_unseen_variance(item.without_one[index]) for item in some])
        for start in range(0, some[0].cells.size if some[0].groups is None else 1, OBJECTS_AT_A_TIME):
            objects = slice(start, start + OBJECTS_AT_A_TIME)
            parts = np.array([item.influences(index, objects) for item in some])
            covariance += parts @ parts.T  # by the objects, or groups, that they share
        p_values[tested[1:]] = find_p_values_of_gaps(statistics, covariance, draws - 1)[1:]
    return p_values


def find_p_values_of_gaps(statistics: Sequence[float], covariance: Floats, degrees: int) -> Floats:
    """Return joint p-values of the gaps between the best score, which comes first, and each other score.

    A gap is compared with the largest difference, in standard errors, of any two scores (Tukey's range). This
    range is simulated from the covariance of the scores; for few groups the standard errors are simulated
    too. After a significant gap, the next one is compared with the range of the remaining scores (Westfall &
    Young 1993). No p-value is above the Bonferroni bound over all pairs.
    """
    from scipy.special import stdtr

    m = len(statistics)
    n_parts = degrees if degrees < DEGREES_TAKEN_FOR_INFINITE else 0
    n_draws = min(max(MAX_NUMBERS // (m**2 * max(n_parts, 1)), MIN_DRAWS), MAX_DRAWS)
    values, vectors = np.linalg.eigh(covariance)
    roots = (vectors * np.sqrt(np.maximum(values, 0.0)))[
        :, values > MAX_RELATIVE_VARIANCE_OF_ROUNDING * values.max(initial=0.0)
    ]
    normal = make_generator(0).standard_normal((n_draws, 1 + n_parts, roots.shape[1]))
    order = np.append(0, 1 + np.argsort(statistics[1:], kind="stable"))  # the best, then the nearest ones
    largest, p_values = np.zeros(n_draws), np.ones(m)
    for k, new in enumerate(order[1:], start=1):
        p_values[new] = min(k * (k + 1) * float(stdtr(degrees, -statistics[new])), 1.0)  # Bonferroni's bound
        if p_values[new] * n_draws < 1.0:
            continue
        between = roots[order[:k]] - roots[new]
        squares = (between**2).sum(axis=1)
        between = between[squares > MAX_RELATIVE_VARIANCE_OF_ROUNDING * (roots[new] ** 2).sum()]
        apart, *parts = np.moveaxis(normal @ between.T, 1, 0) ** 2  # of the scores and of the errors
        apart = np.sqrt(apart / (np.mean(parts, axis=0) if n_parts else (between**2).sum(axis=1)))
        largest = np.maximum(largest, apart.max(axis=1, initial=0.0))
        if k > 1:  # for a single pair the p-value from Student's t is exact
            reached = (1 + np.count_nonzero(largest >= statistics[new])) / (n_draws + 1)
            p_values[new] = min(p_values[new], reached)
    p_values[order[::-1]] = np.maximum.accumulate(p_values[order[::-1]])
    return p_values


def correct_p_values(
    p_values: npt.ArrayLike, correction: str | None, *, as_logarithms: bool = False
) -> Floats:
    """Return p-values, or their logarithms, corrected for their number; nan stay nan.

    The corrections are Holm (1979) and Benjamini & Hochberg (1995); None leaves the values as they are.
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
