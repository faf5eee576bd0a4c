"""Adjust indices for chance: from clusterings or a contingency table to adjusted scores.

`adjust` reads both clusterings, chooses the model of chance, finds the null distribution of each index under
this model, and compares the observed value with it.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args, overload

import numpy as np

from chancecorr.chance.models import (
    ModelPart,
    choose_model,
    choose_models,
    choose_models_of_table,
    make_model_of_margins,
    make_model_of_table,
    name_clusters,
    name_margins,
)
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import NullModel
from chancecorr.chance.options import MEAN_ONLY, MethodName
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.correction.interval import make_interval
from chancecorr.correction.jackknife import forecast_interval, leave_out
from chancecorr.correction.nulls import find_mean, find_nulls
from chancecorr.correction.options import MonteCarlo, read_options
from chancecorr.correction.p_value import find_p_value
from chancecorr.correction.score_table import PRINTED_LEVEL
from chancecorr.correction.scores import AdjustedScore, AdjustedScores
from chancecorr.correction.simulation import Nulls
from chancecorr.correction.tails import Tail
from chancecorr.exact.summary import Undefined, fill_undefined, score_index
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import AnyIndex, LabelledIndex, get_index, is_one
from chancecorr.machine.arguments import Alternative, check_choice, explain_call
from chancecorr.machine.budget import Budget
from chancecorr.machine.kernel import read_clock
from chancecorr.machine.notes import Note
from chancecorr.sampling.own_draws import Draws
from chancecorr.sampling.seeding import RNG
from chancecorr.tables.contingency import Margins, as_table
from chancecorr.tables.reading import Missing, NoiseOfSides

TAIL_SECONDS = 60.0  # forecast seconds of splitting in `tail_probability` if no budget is given

RANGE_ROUNDING = 1e-6
"""Distance by which a value may lie outside the range of its index. Shares and degrees in float32 may have
errors of this size; sums over pairs in float64 have far smaller errors."""


@overload
def adjust(
    labels_true: Any, labels_pred: Any, index: AnyIndex | None = ..., *,
    method: MethodName | MonteCarlo = ..., n_tables: int | None = ..., rng: RNG = ...,
    n_jobs: int | None = ..., model: str | Draws = ..., best: float | Literal["mean"] | None = ...,
    alternative: Alternative | None = ..., budget: float | Budget | None = ..., strata: Any = ...,
    weights: Any = ..., noise: NoiseOfSides = ..., missing: Missing = ...,
) -> AdjustedScore: ...  # fmt: skip
@overload
def adjust(
    labels_true: Any, labels_pred: Any, index: Sequence[AnyIndex], *,
    method: MethodName | MonteCarlo = ..., n_tables: int | None = ..., rng: RNG = ...,
    n_jobs: int | None = ..., model: str | Draws = ..., best: float | Literal["mean"] | None = ...,
    alternative: Alternative | None = ..., budget: float | Budget | None = ..., strata: Any = ...,
    weights: Any = ..., noise: NoiseOfSides = ..., missing: Missing = ...,
) -> AdjustedScores: ...  # fmt: skip
@explain_call
def adjust(
    labels_true: Any,
    labels_pred: Any,
    index: AnyIndex | Sequence[AnyIndex] | None = None,
    *,
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str | Draws = "permutation",
    best: float | Literal["mean"] | None = None,
    alternative: Alternative | None = None,
    budget: float | Budget | None = None,
    strata: Any = None,
    weights: Any = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> AdjustedScore | AdjustedScores:
    """Compute the agreement of two clusterings, adjusted for chance.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,), Membership, Cover, Tree, Similarity or Biclusters
        Cluster of each object in the reference and in the candidate, of any hashable kind. Also dictionaries
        {object: label}, two label images of the same shape, or communities as sets of objects (a cover if
        they overlap). Each side may be a clustering other than a partition, given by one of these classes;
        see Notes. If a data frame, or an AnnData object with columns as ``.obs``, is passed first, the
        clusterings, `strata` and `weights` are names of its columns.
    index : str, Index, callable, or a list of them, optional
        The index of agreement: a name (see `list_indices`), an entry, or any function ``f(labels_true,
        labels_pred)`` that returns a number; it is called with two arrays of cluster numbers. If the function
        compares labels by name, as accuracy does, both sides are numbered over the union of their labels; a
        note says so. Several indices are evaluated on the same tables. ``"ami"`` and ``"nmi"`` are defined as
        in scikit-learn. Default: ``"rand"``, for trees ``"correlation"``, for overlapping clusters
        ``"omega"``.
    method : {"auto", "search", "analytic", "exact", "monte-carlo"} or MonteCarlo
        ``"auto"``: each number in the most exact way that is affordable; a p-value below the resolution of
        the null distribution is given as a proven bound, shown with ``≤``. ``"search"``: as ``"auto"``, but
        with multilevel splitting for about 10 s before a bound is used. ``"analytic"``: only the moments,
        from the margins, and a bound as p-value. ``"exact"``: the whole null distribution by enumeration;
        refused if it takes too long. ``"monte-carlo"``: everything from simulated tables, the published
        method. A `MonteCarlo` object sets precision, checkpoint and other options of a simulation.
    n_tables : int, optional
        Number of simulated tables, by default 17,000.
    rng : None, int, SeedSequence or Generator
        As in SciPy. The same seed gives the same result for any number of workers. The same seed also gives
        the same random numbers for all margins: if you average results of several calls, pass one Generator
        to all of them.
    n_jobs : int, optional
        As in joblib; threads by default, or the backend set by `joblib.parallel_config`. Work is handed out
        in blocks of about 0.05 s; Ctrl-C waits for the table that is being evaluated.
    model : {"permutation", "fixed-k", "all-partitions", "multinomial", "one-sided-fixed-k", ...} or Draws
        The model of chance. ``"permutation"``: both sets of cluster sizes are fixed. ``"fixed-k"`` and
        ``"all-partitions"``: each clustering is uniform over the partitions with the same number of clusters,
        or over all partitions (Gates & Ahn 2017, arXiv:1701.06508). ``"multinomial"``: each object is
        assigned independently, with the shares of the clusters as probabilities (Sundqvist, Chiquet & Rigaill
        2023, doi:10.1007/s00180-022-01230-7). With ``"one-sided-"`` before the name, only the candidate is
        random. Under models other than the first, means are exact for linear functions of the pair counts and
        for plain sums over cells; everything else is sampled. ``"uniform"`` and ``"pooled"`` are for indices
        that compare labels by name: all labels have the same probability, or the labels of both sides are
        put together and dealt anew, as for Krippendorff's alpha. If neighbouring objects are alike, pass
        `Draws`, or draws from ``chancecorr.chance``: shifts, tori, blocks, spins.
    best : float or "mean", optional
        Value of the index at which the adjusted score is 1. By default its value at perfect agreement; if
        this value depends on the cluster sizes, the mean of each clustering against itself. ``"mean"``, for
        pair-counting indices: the index at the mean of the sums of squared totals (Hubert & Arabie 1985),
        which may be outside the range of the index.
    alternative : {"greater", "less", "two-sided"}, optional
        The values that count as extreme; by default, values with at least as much agreement.
    budget : float or Budget, optional
        Seconds that the answer may take; see `Budget`. Without `budget` and `n_tables`, the number of tables
        is limited to 3 s of work, by a forecast that is the same on every machine; `notes` of the result say
        if fewer tables were drawn. A given budget also limits enumerations. It is measured by the
        clock, so that the number of tables may depend on the machine. A single table, or a single call of an
        index, is never interrupted.
    strata : array-like of shape (n,), or {object: stratum}, optional
        Stratum of each object, such as its batch or its image; matched by name if objects have names. Objects
        are then permuted within their stratum only, so that agreement due to the strata is expected by
        chance. Only with the model ``"permutation"``. The means of some indices are exact, and everything
        else is sampled.
    weights : array-like of shape (n,), {object: weight}, or "reference", optional
        Weight of each object, 0 or more, such as its share in a survey or its duration; matched by name if
        objects have names. ``"reference"`` gives each cluster of the reference the same weight. Indices use
        sums of weights instead of counts. The null model permutes the candidate's labels; weights stay with
        the objects. If a weight says how often an object was observed, it is a count: repeat the labels
        instead, for example with `numpy.repeat`.
    noise, missing
        As in `contingency_table`. For overlapping clusters, `missing` says what happens to objects in no
        cluster; by default they stay in none.

    Returns
    -------
    AdjustedScore, or AdjustedScores for a list of indices
        Observed, expected, adjusted, p-value, and the null distribution.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid. The message and the attribute ``argument`` of the error name the argument.
    IndexEvaluationError
        If a user's index raises an error, or returns something other than a number or a value outside its
        `range`; if its compiled function reads outside an array, or gives other values in a second call or in
        Python; or if the worker processes that evaluate it are lost.
    TimeoutError, ConnectionError
        If no worker of a Dask cluster is ready for a minute, or its scheduler is lost.

    See Also
    --------
    adjusted_score : Compute only the adjusted score.
    adjust_table : Adjust an index of a contingency table.
    chancecorr.compare : Compare several candidates with one reference.
    chancecorr.pairwise : Compare every two of several clusterings.

    Notes
    -----
    The adjusted score is ``(observed - expected) / (best - expected)`` [1]_. If no formula is known for the
    expected value, it is estimated from simulated tables with the same margins [2]_.

    An index is not adjusted if it is infinite or undefined on any table with these cluster sizes, however
    improbable: its expected value is infinite or nan. ``"monte-carlo"`` checks only the tables that it drew.

    For clusterings other than partitions, the null model permutes the objects of the candidate. `n_tables` is
    the number of permutations; with up to eight objects, all permutations are used. Pair-counting indices
    then use sums over pairs of the degrees to which two objects are together; `list_indices("clusterings")`
    lists other indices. Means are exact for indices that are linear in these sums, and for indices that
    compare pair by pair.

    References
    ----------
    .. [1] Hubert & Arabie (1985), Comparing Partitions, doi:10.1007/BF01908075.
    .. [2] Amorim & Cardoso (2014), Paired Indices for Clustering Evaluation: Correction for Agreement by
       Chance, doi:10.5220/0004868301640170.

    Examples
    --------
    >>> score = adjust([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2], index="rand", rng=0)
    >>> round(score.adjusted, 12)  # the adjusted Rand index
    0.242424242424
    """
    began = read_clock()
    pair = read_clusterings(labels_true, labels_pred, noise=noise, missing=missing, weights=weights)
    options = read_options(
        method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model, best=best,
        alternative=alternative, budget=budget,
    )  # fmt: skip
    scores = score_with_models(choose_models(pair, index, options, strata=strata, weights=weights))
    return _collect(scores, index, options.budget, began)


def score_with_models(parts: Sequence[ModelPart]) -> list[AdjustedScore]:
    """Return the scores of all indices of a call, in their order, each from its model."""
    scores: dict[int, AdjustedScore] = {}
    for part in parts:
        scores |= zip(part.places, compute_scores(part.model, part.indices), strict=True)
    return [scores[place] for place in sorted(scores)]


@overload
def adjust_table(
    table: Any, index: AnyIndex = ..., *, method: MethodName | MonteCarlo = ...,
    n_tables: int | None = ..., rng: RNG = ..., n_jobs: int | None = ..., model: str = ...,
    best: float | Literal["mean"] | None = ..., alternative: Alternative | None = ...,
    budget: float | Budget | None = ...,
) -> AdjustedScore: ...  # fmt: skip
@overload
def adjust_table(
    table: Any, index: Sequence[AnyIndex], *, method: MethodName | MonteCarlo = ...,
    n_tables: int | None = ..., rng: RNG = ..., n_jobs: int | None = ..., model: str = ...,
    best: float | Literal["mean"] | None = ..., alternative: Alternative | None = ...,
    budget: float | Budget | None = ...,
) -> AdjustedScores: ...  # fmt: skip
@explain_call
def adjust_table(
    table: Any,
    index: AnyIndex | Sequence[AnyIndex] = "rand",
    *,
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str = "permutation",
    best: float | Literal["mean"] | None = None,
    alternative: Alternative | None = None,
    budget: float | Budget | None = None,
) -> AdjustedScore | AdjustedScores:
    """Compute the agreement shown by a contingency table, adjusted for chance.

    Parameters
    ----------
    table : ContingencyTable or array-like of shape (K, Q)
        Counts: reference clusters in rows, candidate clusters in columns.
    index, method, n_tables, rng, n_jobs, model, best, alternative, budget
        As in `adjust`.

    Returns
    -------
    AdjustedScore, or AdjustedScores for a list of indices
        Observed, expected, adjusted, p-value, and the null distribution.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError, TimeoutError, ConnectionError
        As in `adjust`; also if the counts are not whole numbers from 0 on, in two dimensions.

    See Also
    --------
    adjust : Adjust an index of two clusterings.
    score_table : Compute only the observed value.

    Examples
    --------
    >>> scores = adjust_table([[10, 2], [3, 9]], index=["rand", "jaccard"], rng=0)
    >>> list(scores)
    ['rand', 'jaccard']
    """
    began, counts = read_clock(), as_table(table)
    options = read_options(
        method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model, best=best,
        alternative=alternative, budget=budget,
    )  # fmt: skip
    scores = score_with_models(choose_models_of_table(counts, index, options))
    return _collect(scores, index, options.budget, began)


def _collect(
    scores: list[AdjustedScore], index: Any, budget: Budget, began: float
) -> AdjustedScore | AdjustedScores:
    """Return one `AdjustedScore`; if indices are listed, `AdjustedScores` with 95 % intervals.

    An interval is computed if it is cheap and fits into the rest of the budget.
    """
    if index is None or is_one(index):
        return scores[0]
    seconds, collected = budget.find_seconds_left(read_clock() - began), []
    for score in scores:
        model, is_simulated, forecast = score.model, score.null.mean_from == "monte-carlo", math.inf
        if model is not None and math.isfinite(score.adjusted):
            forecast = forecast_interval(model, score.entry, is_simulated=is_simulated)
        if model is not None and forecast < math.inf and forecast <= seconds:
            seconds -= forecast
            jackknife = leave_out(model, score.entry, score.null, None)
            score = replace(score, printed_interval=make_interval(jackknife, PRINTED_LEVEL))
        collected.append(score)
    return AdjustedScores(collected)


def compute_scores(
    model: NullModel, indices: Sequence[LabelledIndex], nulls: Nulls | None = None
) -> list[AdjustedScore]:
    """Return the scores of a model's data by several indices; `nulls` may be shared by equal sizes."""
    entries = [index.entry for index in indices]
    model.check(entries)
    terms = [(model.best(entry), model.exact_score(entry), model.observed(entry)) for entry in entries]
    if nulls is None:
        nulls = find_nulls(model, entries, [model])
    return [
        compute_score(model, index, *values, nulls[index.entry.name], len(indices))
        for index, values in zip(indices, terms, strict=True)
    ]


def compute_score(
    model: NullModel, labelled: LabelledIndex, best: float, exactly: float | None, observed: float,
    null: NullDistribution, n_indices: int,
) -> AdjustedScore:  # fmt: skip
    """Return the adjusted score from the null distribution, or `exactly` if given and the mean is exact."""
    (index, label, notes), options = labelled, model.options
    values = null.values if null.mean_from == "monte-carlo" else np.append(null.values, null.moments.mean)
    least, most = np.fmin.reduce(values, initial=observed), np.fmax.reduce(values, initial=observed)
    low, high = (
        end + sign * RANGE_ROUNDING * max(1.0, abs(end))
        for sign, end in zip((-1, 1), index.range, strict=True)
    )
    if least < low - null.error or most > high + null.error:  # observed, drawn, or mean value
        raise IndexEvaluationError(
            f"Index {index.name!r} must stay within its range, {index.range[0]:g} to {index.range[1]:g};"
            f" got {least if least < low - null.error else most:.6g}."
        )
    exactly = None if null.mean_from == "monte-carlo" else exactly
    tail = find_p_value(model, index, null, options.alternative or index.better_side, n_indices)
    constant = null.moments.std == 0.0
    adjusted = score_index(index, observed, best, null.moments.mean, constant=constant, exactly=exactly)
    if options.best is not None and adjusted == adjusted and (best < null.mean) == index.larger_is_better:
        text = f"`best` {best:g} is worse than the expected value: more agreement scores less"
        notes = (*notes, Note("best below chance", text))
    if options.checkpoint is not None:  # intervals simulate other cluster sizes than the checkpoint
        model = replace(model, options=replace(options, checkpoint=None))
    return AdjustedScore(
        index=index.name, asked_as=label, observed=observed, best=best, adjusted=adjusted,
        p_value=tail.p_value, log_p_value=tail.log_p_value, p_is_bound=tail.is_bound, p_upper=tail.upper,
        p_relative_error=tail.relative_error, p_value_from=tail.method, null=null, reading_notes=notes,
        seed=options.whole_seed if null.n_tables else None, model=model, entry=index,
    )  # fmt: skip


@explain_call
def null_distribution(
    margins: Margins | tuple[Any, Any],
    index: AnyIndex = "rand",
    *,
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str = "permutation",
    budget: float | Budget | None = None,
) -> NullDistribution:
    """Compute the null distribution of an index, given the cluster sizes.

    Parameters
    ----------
    margins : Margins or pair
        Row totals of shape (K,) and column totals of shape (Q,), or a `ContingencyTable`. For a function that
        compares labels by name, row k and column k have the same label, or the labels of the table are used.
    index, method, n_tables, rng, n_jobs, model, budget
        As in `adjust`; one index.

    Returns
    -------
    NullDistribution
        Mean, variance, shape, quantiles, p-values, values with weights.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError, TimeoutError, ConnectionError
        As in `adjust`.

    See Also
    --------
    sample_tables : Draw random tables with these margins.
    adjust_table : Compare an observed table with the null distribution.

    Examples
    --------
    >>> null = null_distribution(Margins([240, 240, 320], [240, 240, 320]), "jaccard")
    >>> null.values_from, round(null.mean, 12), round(null.std, 12)
    ('exact', 0.204220728818, 0.000907815733)
    """
    options = read_options(
        method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model, budget=budget
    )
    entry, sizes = name_margins(get_index(index), margins)
    chance = make_model_of_margins(sizes, options)
    chance.check((entry,))
    return find_nulls(chance, (entry,))[entry.name]


@explain_call
def tail_probability(
    table: Any,
    index: AnyIndex = "rand",
    *,
    method: MethodName | MonteCarlo = "search",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str = "permutation",
    alternative: Alternative | None = None,
    budget: float | Budget | None = None,
) -> Tail:
    """Compute the probability, however small, that chance gives an index at least as extreme as this table.

    The result is the p-value of `adjust_table` with the same keywords, except that the default `method` finds
    small p-values by multilevel splitting [1]_. Without a `budget`, splitting takes about a minute, not 10 s.

    Parameters
    ----------
    table : ContingencyTable or array-like of shape (K, Q)
        The observed table.
    index, method, n_tables, rng, n_jobs, model, alternative, budget
        As in `adjust`; one index.

    Returns
    -------
    Tail
        Probability, its logarithm, its relative error, and the method that gave it.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError, TimeoutError, ConnectionError
        As in `adjust`.

    See Also
    --------
    adjust_table : Compute the adjusted score as well.

    References
    ----------
    .. [1] Cérou & Guyader (2007), Adaptive multilevel splitting for rare event analysis,
       doi:10.1080/07362990601139628.

    Examples
    --------
    >>> tail = tail_probability([[4, 0, 1], [0, 5, 0], [1, 0, 4]], "rand")
    >>> tail.method, round(tail.p_value, 6)
    ('exact', 0.000603)
    """
    options = read_options(
        method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model, alternative=alternative,
        budget=budget,
    )  # fmt: skip
    if options.method.search_seconds and options.budget.seconds is None:
        options = replace(options, method=replace(options.method, search_seconds=TAIL_SECONDS))
    entry, counts, _ = name_clusters(get_index(index), as_table(table))
    chance = make_model_of_table(counts, options)
    chance.check((entry,))
    null = find_nulls(chance, (entry,), [chance])[entry.name]
    side = options.alternative or entry.better_side
    return find_p_value(chance, entry, null, side)


@explain_call
def adjusted_score(
    labels_true: Any,
    labels_pred: Any,
    index: AnyIndex | None = None,
    *,
    undefined: Undefined = "nan",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str | Draws = "permutation",
    best: float | Literal["mean"] | None = None,
    budget: float | Budget | None = None,
    strata: Any = None,
    weights: Any = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> float:
    """Compute only the adjusted score of two clusterings, as a number.

    Same as `adjust`, but without variance, p-value and null distribution. It is faster if the mean alone is
    faster to compute: for the mutual information and related indices, with hundreds of clusters of many
    sizes.

    Parameters
    ----------
    labels_true, labels_pred, index, n_tables, rng, n_jobs, model, best, budget, strata, weights
        As in `adjust`, with one index. Seed, tables and workers only matter if the mean of the index is
        simulated.
    undefined : {"nan", "one", "zero"}, default "nan"
        Value to return if the adjusted score is undefined; the reason, given by `adjust` as a remark, is
        usually that the cluster sizes determine the index. ``"one"``: 1 if the two clusterings are the same,
        otherwise 0, as in scikit-learn. ``"zero"``: 0, as by chance.
    noise, missing
        As in `contingency_table`.

    Returns
    -------
    float
        ``(observed - expected) / (best - expected)``: 0 if no better than chance, 1 at best.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError, TimeoutError, ConnectionError
        As in `adjust`.

    See Also
    --------
    adjust : Compute the p-value and the null distribution as well.
    score : Compute the observed value, not adjusted.

    Examples
    --------
    >>> round(adjusted_score([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2], "rand"), 12)
    0.242424242424
    >>> adjusted_score([0, 0, 0], [5, 5, 5]), adjusted_score([0, 0, 0], [5, 5, 5], undefined="one")
    (nan, 1.0)
    """
    check_choice("undefined", undefined, get_args(Undefined))
    index = index if index is None or is_one(index) else get_index(index)  # raises if there are several
    pair = read_clusterings(labels_true, labels_pred, noise=noise, missing=missing, weights=weights)
    options = read_options(n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model, best=best, budget=budget)
    options = replace(options, method=MEAN_ONLY)
    chance, ((entry, *_),), _ = choose_model(pair, index, options, strata=strata, weights=weights)
    adjusted = score_by_mean(chance, entry)[0]
    return fill_undefined(adjusted, undefined, is_same=chance.compares_the_same())


def score_by_mean(model: NullModel, index: Any) -> tuple[float, float, float, float]:
    """Return the adjusted score and the observed, expected and best value, without a null distribution."""
    model.check((index,))
    mean = find_mean(model, index)
    return model.score_by_mean(index, mean), model.observed(index), mean, model.best(index)
