"""Indices corrected for chance: clusterings or a table in, adjusted scores out.

`adjust` reads both sides, chooses the model of chance, finds the null distribution of each index under it,
and sets the observed value against that.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
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
from chancecorr.chance.options import MEAN_ONLY, MethodName, MonteCarlo, Options, read_options
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.correction.interval import make_interval
from chancecorr.correction.nulls import find_mean, find_nulls
from chancecorr.correction.p_value import find_p_value
from chancecorr.correction.p_value_methods import Tail
from chancecorr.correction.score_table import PRINTED_LEVEL
from chancecorr.correction.scores import AdjustedScore, AdjustedScores
from chancecorr.correction.simulation import Nulls
from chancecorr.exact.summary import Undefined, fill_undefined, score_index
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import AnyIndex, find_labels, get_index, is_one
from chancecorr.machine.arguments import Alternative, check_choice, explain_call
from chancecorr.machine.budget import Budget
from chancecorr.machine.kernel import read_clock
from chancecorr.sampling.own_draws import Draws
from chancecorr.sampling.seeding import RNG
from chancecorr.tables.contingency import Margins, as_table
from chancecorr.tables.reading import Missing, NoiseOfSides

TAIL_SECONDS = 60.0  # forecast of the splitting that `tail_probability` may do if no budget is given

RANGE_ROUNDING = 1e-6
"""Distance by which a value may leave the range of its index: that of shares and degrees of float32, which
are taken to be off by as much, and far more than sums over pairs of doubles leave."""


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
    """Agreement of two clusterings, corrected for chance.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,), Membership, Cover, Tree, Similarity or Biclusters
        Cluster of each object in the reference and in the candidate, of any hashable kind; {object: label};
        two label images of one shape; or communities as sets of objects, a cover if they overlap. On either
        side also a clustering that is no partition, which its class tells; see Notes. A data frame, or an
        AnnData with columns as ``.obs``, may come first: they, `strata` and `weights` are then their names.
    index : str, Index, callable, or a list of them, optional
        What measures agreement: a name (see `list_indices`), an entry, or any function
        ``f(labels_true, labels_pred)`` that returns a number, called with two arrays of cluster numbers. If
        it compares labels by name, as accuracy does, both sides are numbered over the union of their labels;
        a note says so. Several are evaluated on the same tables. ``"ami"`` and ``"nmi"`` are those of
        scikit-learn. If it is left out: ``"rand"``, for trees ``"correlation"``, for clusters that overlap
        ``"omega"``.
    method : {"auto", "search", "analytic", "exact", "monte-carlo"} or MonteCarlo
        ``"auto"``: each number by the most exact affordable way; a p-value below the resolution of the null
        distribution as a proven bound, shown with ``≤``. ``"search"``: as ``"auto"``,
        with multilevel splitting for 10 s or so before a bound is taken. ``"analytic"``: moments from the
        margins alone, and a bound as p-value. ``"exact"``: the whole null distribution by enumeration;
        refused if that takes too long. ``"monte-carlo"``: everything from simulated tables, the published
        method. A `MonteCarlo` has a precision, a checkpoint and other settings of a simulation.
    n_tables : int, optional
        Number of simulated tables, by default 17,000.
    rng : None, int, SeedSequence or Generator
        As in SciPy. The same seed gives the same result for any number of workers. It also gives the same
        random numbers for all margins: pass one Generator to all calls whose results are to be averaged.
    n_jobs : int, optional
        As in joblib; threads unless `joblib.parallel_config` names another backend. Work is handed out in
        blocks of about 0.05 s, and Ctrl-C waits for the table at work.
    model : {"permutation", "fixed-k", "all-partitions", "multinomial", "one-sided-fixed-k", ...} or Draws
        What chance means: both sets of cluster sizes fixed; each clustering uniform over the partitions into
        as many clusters, or over all partitions (Gates & Ahn 2017, arXiv:1701.06508); each object in a
        cluster on its own, by the shares of the clusters (Sundqvist, Chiquet & Rigaill 2023,
        doi:10.1007/s00180-022-01230-7); or, with ``"one-sided-"`` before its name, only the candidate random
        in that way. Under models other than the first, means are exact for linear functions of the pair
        counts and for plain sums over cells; everything else is sampled. Where neighbours are alike, `Draws`
        or one of ``chancecorr.chance``: shifts, tori, blocks, spins.
    best : float or "mean", optional
        Value of the index at which the adjusted score is 1. By default its value at perfect agreement; if
        that depends on the cluster sizes, the mean of each clustering against itself. ``"mean"``, for indices
        that need pairs: the index at the mean of the sums of squared totals (Hubert & Arabie 1985), which may
        lie outside its range.
    alternative : {"greater", "less", "two-sided"}, optional
        Which values count as extreme; by default those of as much agreement or more.
    budget : float or Budget, optional
        Seconds that the answer may take; see `Budget`. By default `n_tables`, if it is left out too, is at
        most what takes 3 s by a forecast that is the same on every machine; `notes` of the result say
        if tables are fewer. A given budget also limits enumerations and is held by the clock, so that the
        number of tables may depend on the machine. One table, or one call of an index, is never interrupted.
    strata : array-like of shape (n,), or {object: stratum}, optional
        Stratum of each object, such as its batch or its image, matched by name if it has names. Chance then
        matches the objects of a stratum with one another alone, so that agreement which comes from the strata
        is expected by chance. With the first model; as under the others, the means of some indices are exact
        and everything else is sampled.
    weights : array-like of shape (n,), {object: weight}, or "reference", optional
        Weight of each object, such as its share in a survey or its seconds, from 0 on, matched by name if it
        has names; ``"reference"`` gives each cluster of the reference the same weight. Indices take sums of
        weights for counts. Chance exchanges the candidate's labels; weights stay with the objects. How often
        an object was seen is no weight but a count: repeat its labels, as by `numpy.repeat`.
    noise, missing
        As in `contingency_table`.

    Returns
    -------
    AdjustedScore, or AdjustedScores for a list of indices
        Observed, expected, adjusted, p-value, and the null distribution.

    Raises
    ------
    ValueError, TypeError
        If an argument breaks its rule; the message says which, and so does the error's ``argument``.
    IndexEvaluationError
        If a user's index raises or returns something other than a number, or if its compiled function reaches
        beyond an array, differs from itself or from its Python, or leaves its `range`; also if worker
        processes are lost for good while they evaluate it.
    TimeoutError, ConnectionError
        If a Dask cluster has no worker ready for a minute, or its scheduler is lost.

    See Also
    --------
    adjusted_score : The adjusted score alone.
    adjust_table : The same for a contingency table.
    chancecorr.compare : Several candidates against one reference.
    chancecorr.pairwise : Several clusterings against one another.

    Notes
    -----
    The adjusted score is ``(observed - expected) / (best - expected)`` [1]_. For an index whose expected
    value has no formula, simulated tables with the same margins give it [2]_.

    An index that is infinite or undefined on some table with these cluster sizes, however improbable, is not
    adjusted: its expected value is infinite or nan. ``"monte-carlo"`` judges by the tables that it drew.

    Of clusterings that are no partition, chance permutes the objects of the candidate; `n_tables` is the
    number of permutations, and up to eight objects all are taken. Pair-counting indices take sums over the
    pairs of the degrees to which they are together; `list_indices("clusterings")` names others. Means are
    exact for indices linear in these sums, and for those that compare pair by pair.

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
    pair = read_clusterings(labels_true, labels_pred, noise=noise, missing=missing)
    options = read_options(
        method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model, best=best,
        alternative=alternative, budget=budget,
    )  # fmt: skip
    scores = score_pair(pair, index, options, strata=strata, weights=weights)
    return _collect(scores, index, options.budget, began)


def score_pair(
    pair: Any, index: Any, options: Options, *, strata: Any = None, weights: Any = None
) -> list[AdjustedScore]:
    """Scores of two clusterings that were read, in the order of the indices."""
    return _score_parts(choose_models(pair, index, options, strata=strata, weights=weights))


def _score_parts(parts: Sequence[ModelPart]) -> list[AdjustedScore]:
    """Scores of all indices of a call, in their order."""
    scores: dict[int, AdjustedScore] = {}
    for part in parts:
        scores |= zip(part.places, compute_scores(part.model, part.indices, part.notes), strict=True)
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
    """Agreement shown by a contingency table, corrected for chance.

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
    adjust : The same for two clusterings.
    score_table : The observed value alone.

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
    scores = _score_parts(choose_models_of_table(counts, index, options))
    return _collect(scores, index, options.budget, began)


def _collect(
    scores: list[AdjustedScore], index: Any, budget: Budget, began: float
) -> AdjustedScore | AdjustedScores:
    """The score, or several with the intervals that cost little, under the labels that were asked for."""
    labels = {} if index is None else find_labels(index)
    scores = [replace(x, label=labels[x.index]) if x.index in labels else x for x in scores]
    if index is None or is_one(index):
        return scores[0]
    left = math.inf if budget.seconds is None else budget.seconds - (read_clock() - began)
    return AdjustedScores(with_cheap_intervals(scores, left))


def compute_scores(
    model: NullModel, indices: Sequence[Any], notes: Mapping[str, str], nulls: Nulls | None = None
) -> list[AdjustedScore]:
    """Scores of the data of a model by several indices; `nulls` may be those of other data of the sizes."""
    model.check(indices)
    terms = [(model.best(index), model.exact_score(index), model.observed(index)) for index in indices]
    if nulls is None:
        nulls = find_nulls(model, indices, [model])
    return [
        compute_score(model, index, *values, nulls[index.name], len(indices), notes.get(index.name, ""))
        for index, values in zip(indices, terms, strict=True)
    ]


def compute_score(
    model: NullModel, index: Any, best: float, exactly: float | None, observed: float,
    null: NullDistribution, n_indices: int, note: str,
) -> AdjustedScore:  # fmt: skip
    """Adjusted score by the null distribution; one known `exactly` is taken as it is if the mean is exact."""
    options = model.options
    values = null.values if null.mean_from == "monte-carlo" else np.append(null.values, null.moments.mean)
    least, most = np.fmin.reduce(values, initial=observed), np.fmax.reduce(values, initial=observed)
    low, high = (
        end + sign * RANGE_ROUNDING * max(1.0, abs(end))
        for sign, end in zip((-1, 1), index.range, strict=True)
    )
    if least < low - null.error or most > high + null.error:  # observed, under chance, or on average
        raise IndexEvaluationError(
            f"Index {index.name!r} must stay within its range, {index.range[0]:g} to {index.range[1]:g};"
            f" got {least if least < low - null.error else most:.6g}."
        )
    exactly = None if null.mean_from == "monte-carlo" else exactly
    tail = find_p_value(model, index, observed, null, options.alternative or index.better_side, n_indices)
    constant = null.moments.std == 0.0
    adjusted = score_index(index, observed, best, null.moments.mean, constant=constant, exactly=exactly)
    if options.best is not None and adjusted == adjusted and (best < null.mean) == index.larger_is_better:
        note += (
            "\n" * bool(note)
            + f"`best` {best:g} is worse than the expected value: more agreement scores less"
        )
    if options.checkpoint is not None:  # intervals simulate under other cluster sizes, which it is not of
        model = replace(model, options=replace(options, checkpoint=None))
    return AdjustedScore(
        index=index.name, label=index.name, observed=observed, best=best, adjusted=adjusted,
        p_value=tail.p_value, log_p_value=tail.log_p_value, p_is_bound=tail.is_bound, p_upper=tail.upper,
        p_relative_error=tail.relative_error, p_value_from=tail.method, null=null, reading_note=note,
        seed=options.whole_seed if null.n_tables else None, model=model, entry=index,
    )  # fmt: skip


def with_cheap_intervals(scores: Sequence[AdjustedScore], seconds: float) -> Iterator[AdjustedScore]:
    """Scores with their 95 % intervals, where each takes no longer than the score, and all these seconds."""
    for score in scores:
        model, is_simulated, forecast = score.model, score.null.mean_from == "monte-carlo", math.inf
        if model is not None and math.isfinite(score.adjusted):
            forecast = model.forecast_interval(score.entry, is_simulated=is_simulated)
        if model is None or not forecast < math.inf or forecast > seconds:
            yield score
            continue
        seconds -= forecast
        jackknife = model.leave_out(score.entry, score.null, None)
        yield replace(score, printed_interval=make_interval(jackknife, PRINTED_LEVEL))


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
    """Null distribution of an index, given the cluster sizes.

    Parameters
    ----------
    margins : Margins or pair
        Row totals of shape (K,) and column totals of shape (Q,); a `ContingencyTable` gives its own. For a
        function that compares labels by name, row k and column k have the same label, or those of the table.
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
    sample_tables : Random tables with these margins.
    adjust_table : Where an observed table stands in the null distribution.

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
    """Probability that chance gives an index at least as extreme as this table does, however small.

    It is the p-value of `adjust_table` by the same keywords, which searches for small ones by multilevel
    splitting [1]_ unless `method` says otherwise: for a minute or so, not 10 s, if no `budget` is given.

    Parameters
    ----------
    table : ContingencyTable or array-like of shape (K, Q)
        The observed table.
    index, method, n_tables, rng, n_jobs, model, alternative, budget
        As in `adjust`; one index.

    Returns
    -------
    Tail
        Probability, its logarithm, relative error, and the way in which it was found.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError, TimeoutError, ConnectionError
        As in `adjust`.

    See Also
    --------
    adjust_table : The adjusted score as well.

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
    return find_p_value(chance, entry, chance.observed(entry), null, side)


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
    """Agreement of two clusterings, corrected for chance: the number alone.

    As `adjust` without variance, p-value and null distribution, and faster where the mean alone is: with
    hundreds of clusters of many sizes, for the mutual information and its relatives.

    Parameters
    ----------
    labels_true, labels_pred, index, n_tables, rng, n_jobs, model, best, budget, strata, weights
        As in `adjust`, with one index; seed, tables and workers where its mean has to be simulated.
    undefined : {"nan", "one", "zero"}, default "nan"
        What is returned where there is no adjusted score, for which `adjust` has a remark, mostly because the
        cluster sizes alone give the index. ``"one"``: 1 where the two clusterings are the same and 0
        elsewhere, as in scikit-learn; ``"zero"``: 0, no better than chance.
    noise, missing
        As in `contingency_table`.

    Returns
    -------
    float
        ``(observed - expected) / (best - expected)``: 0 when no better than chance, 1 at best.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError, TimeoutError, ConnectionError
        As in `adjust`.

    See Also
    --------
    adjust : The p-value and the null distribution as well.
    score : The observed value, not adjusted.

    Examples
    --------
    >>> round(adjusted_score([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2], "rand"), 12)
    0.242424242424
    >>> adjusted_score([0, 0, 0], [5, 5, 5]), adjusted_score([0, 0, 0], [5, 5, 5], undefined="one")
    (nan, 1.0)
    """
    check_choice("undefined", undefined, get_args(Undefined))
    index = index if index is None or is_one(index) else get_index(index)  # which refuses several
    pair = read_clusterings(labels_true, labels_pred, noise=noise, missing=missing)
    options = read_options(n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model, best=best, budget=budget)
    options = replace(options, method=MEAN_ONLY.within(options.budget))
    chance, (entry,), *_ = choose_model(pair, index, options, strata=strata, weights=weights)
    adjusted = score_by_mean(chance, entry)[0]
    return fill_undefined(adjusted, undefined, is_same=chance.compares_the_same())


def score_by_mean(model: NullModel, index: Any) -> tuple[float, float, float, float]:
    """Adjusted score, observed, expected and best value, if nothing else of a null distribution is wanted."""
    model.check((index,))
    mean = find_mean(model, index)
    return model.score_by_mean(index, mean), model.observed(index), mean, model.best(index)
