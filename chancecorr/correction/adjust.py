"""Indices corrected for chance: labels or a table in, adjusted scores out."""

import math
from collections.abc import Hashable, Sequence
from typing import Any, Literal, TypedDict, Unpack, get_args, overload

from chancecorr.arguments import Alternative, as_count, one_of
from chancecorr.correction.best import Best, best_value
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.methods import METHODS, Method, null_distributions
from chancecorr.correction.scores import AdjustedScore, AdjustedScores
from chancecorr.exact.laws.tails import Tail, pearson_tail
from chancecorr.indices.evaluation import value_of_table
from chancecorr.indices.registry import Index, get_index, get_indices
from chancecorr.null.partitions import MODELS
from chancecorr.null.seeding import RNG, seed_from
from chancecorr.simulation.engine import as_jobs
from chancecorr.simulation.sequential import MOST_TABLES
from chancecorr.simulation.sequential import PUBLISHED_TABLES as PUBLISHED_TABLES
from chancecorr.tables.contingency import ContingencyTable, Margins, as_margins, contingency_table

Model = Literal["permutation", "fixed-k", "all-partitions", "one-sided-fixed-k", "one-sided-all-partitions"]


class Options(TypedDict, total=False):
    """Keywords of `adjust_table`, for type checkers: with one index or several they are the same."""

    method: Method
    n_tables: int | None
    rng: RNG
    n_jobs: int | None
    model: Model
    best: Best
    alternative: Alternative | None
    progress: bool | None
    precision: float | None
    controls: bool | None


class LabelOptions(Options, total=False):
    """Keywords of `adjust`."""

    noise: Literal["keep", "drop", "singletons"] | None
    noise_label: Hashable
    missing: Literal["raise", "drop"]


@overload
def adjust(
    labels_true: Any, labels_pred: Any, *, index: str | Index = ..., **options: Unpack[LabelOptions]
) -> AdjustedScore: ...
@overload
def adjust(
    labels_true: Any, labels_pred: Any, *, index: Sequence[str | Index], **options: Unpack[LabelOptions]
) -> AdjustedScores: ...
def adjust(
    labels_true: Any,
    labels_pred: Any,
    *,
    index: str | Index | Sequence[str | Index] = "rand",
    method: Method = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: Model = "permutation",
    best: Best = None,
    alternative: Alternative | None = None,
    progress: bool | None = None,
    precision: float | None = None,
    controls: bool | None = None,
    noise: Literal["keep", "drop", "singletons"] | None = None,
    noise_label: Hashable = -1,
    missing: Literal["raise", "drop"] = "raise",
) -> AdjustedScore | AdjustedScores:
    """Agreement of two clusterings, corrected for chance.

    Parameters
    ----------
    labels_true : array-like of shape (n,)
        Cluster of each object in the reference, of any hashable kind.
    labels_pred : array-like of shape (n,)
        Cluster of each object in the candidate.
    index : str, Index, or a list of them
        What measures agreement; see `list_indices`. Several are evaluated on the same tables.
    method : {"auto", "analytic", "exact", "monte-carlo"}
        ``"exact"``: the whole law, by enumeration; refused where that takes too long. ``"analytic"``: mean,
        variance and shape from the margins alone, no p-value. ``"monte-carlo"``: everything from simulated
        tables, the published method. ``"auto"``: each by the most exact way that is affordable.
    n_tables : int, optional
        Number of simulated tables: 17,000 if left out. With a `precision`, the most there may be: ten
        million if left out.
    rng : None, int, SeedSequence or Generator
        As in SciPy. The same seed gives the same bits for any number of workers.
    n_jobs : int, optional
        As in joblib; threads unless `joblib.parallel_config` says otherwise.
    model : {"permutation", "fixed-k", "all-partitions", "one-sided-fixed-k", "one-sided-all-partitions"}
        What chance means: both sets of cluster sizes fixed; each clustering uniform over the partitions into
        as many clusters, or over all partitions; or the reference as it is and only the candidate random so.
        Under models other than the first the mean is exact for linear functions of the pair counts, such as
        Rand, and plain sums over cells, such as the mutual information; all else is sampled. A model built
        from the observed data, such as its number of clusters, can break the reading of 0 as chance and 1
        as best.
    best : float, "mean" or "exact", optional
        What an adjusted score of 1 stands for: left out, the index's value at perfect agreement, mostly 1;
        where that goes by the cluster sizes, the mean of the values of each clustering against itself.
        ``"mean"``: the index where T is the mean of the sums of squared totals (Hubert & Arabie 1985).
        ``"exact"``: at the largest T that these margins allow, which is hard to find for large tables;
        refused above a limit of work. Both are for indices that need pairs.
    alternative : {"greater", "less", "two-sided"}, optional
        Which values the p-value counts as extreme; left out, those of as much agreement or more.
    progress : bool, optional
        Progress bar on stderr; None shows it on a terminal when the work takes longer than a second.
    precision : float, optional
        Half-width of the 99 % confidence interval of the expected index, in place of a number of tables. Of
        several indices, each is brought to it. An exact mean meets it at once; 17,000 tables then give the
        law.
    controls : bool, optional
        Whether a simulated mean is corrected by control variates, T or a sum over cells, the means of which
        are exact; kept where they help. None: with ``method="auto"``, not with the published method.
    noise, noise_label, missing
        As in `contingency_table`.

    Returns
    -------
    AdjustedScore, or AdjustedScores for a list of indices

    Raises
    ------
    ValueError, TypeError
        If an argument breaks its rule; the message says which.
    IndexEvaluationError
        If a user's index raises or returns something other than a number.

    Notes
    -----
    ``(observed - expected) / (best - expected)``: Hubert & Arabie (1985), doi:10.1007/BF01908075; for any
    index by simulation: Amorim & Cardoso (2014), doi:10.5220/0004868301640170.

    Examples
    --------
    >>> score = adjust([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2], index="rand", rng=0)
    >>> round(score.adjusted, 12)  # the adjusted Rand index
    0.242424242424
    """
    table = contingency_table(labels_true, labels_pred, noise=noise, noise_label=noise_label, missing=missing)
    return adjust_table(
        table,
        index=index,
        method=method,
        n_tables=n_tables,
        rng=rng,
        n_jobs=n_jobs,
        model=model,
        best=best,
        alternative=alternative,
        progress=progress,
        precision=precision,
        controls=controls,
    )


@overload
def adjust_table(table: Any, *, index: str | Index = ..., **options: Unpack[Options]) -> AdjustedScore: ...
@overload
def adjust_table(
    table: Any, *, index: Sequence[str | Index], **options: Unpack[Options]
) -> AdjustedScores: ...
def adjust_table(
    table: Any,
    *,
    index: str | Index | Sequence[str | Index] = "rand",
    method: Method = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: Model = "permutation",
    best: Best = None,
    alternative: Alternative | None = None,
    progress: bool | None = None,
    precision: float | None = None,
    controls: bool | None = None,
) -> AdjustedScore | AdjustedScores:
    """Agreement shown by a contingency table, corrected for chance.

    Parameters
    ----------
    table : ContingencyTable or array-like of shape (K, Q)
        Counts: reference clusters in rows, candidate clusters in columns.
    index, method, n_tables, rng, n_jobs, model, best, alternative, progress, precision, controls
        As in `adjust`.

    Returns
    -------
    AdjustedScore, or AdjustedScores for a list of indices

    Examples
    --------
    >>> scores = adjust_table([[10, 2], [3, 9]], index=["rand", "jaccard"], rng=0)
    >>> list(scores)
    ['rand', 'jaccard']
    """
    table = as_table(table)
    entries = get_indices(index)
    nulls = _nulls(
        table.margins, entries, method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model,
        progress=progress, precision=precision, controls=controls,
    )  # fmt: skip
    if alternative is not None:
        one_of("alternative", alternative, get_args(Alternative))
    scores = [
        _adjusted(
            entry, table, nulls[entry.name], method, best_value(entry, table.margins, best), alternative
        )
        for entry in entries
    ]
    return scores[0] if isinstance(index, str | Index) else AdjustedScores(scores)


def null_distribution(
    margins: Margins,
    index: str | Index = "rand",
    *,
    method: Method = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: Model = "permutation",
    progress: bool | None = None,
    precision: float | None = None,
    controls: bool | None = None,
) -> NullDistribution:
    """What an index takes under chance, given the cluster sizes alone.

    Parameters
    ----------
    margins : Margins
        Row totals of shape (K,) and column totals of shape (Q,); a `ContingencyTable` gives its own.
    index, method, n_tables, rng, n_jobs, model, progress, precision, controls
        As in `adjust`; one index.

    Returns
    -------
    NullDistribution
        Mean, variance, shape, quantiles, p-values, values with weights.

    Examples
    --------
    >>> null = null_distribution(Margins([240, 240, 320], [240, 240, 320]), "jaccard")
    >>> null.law, round(null.mean, 12), round(null.std, 12)
    ('exact', 0.204220728818, 0.000907815733)
    """
    entry = get_index(index)
    nulls = _nulls(
        as_margins(margins), (entry,), method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model,
        progress=progress, precision=precision, controls=controls,
    )  # fmt: skip
    return nulls[entry.name]


def score(
    labels_true: Any,
    labels_pred: Any,
    index: str | Index = "rand",
    *,
    noise: Literal["keep", "drop", "singletons"] | None = None,
    noise_label: Hashable = -1,
    missing: Literal["raise", "drop"] = "raise",
) -> float:
    """Raw index of two clusterings, not corrected.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Cluster of each object in the reference and in the candidate.
    index : str or Index
        See `list_indices`.
    noise, noise_label, missing
        As in `contingency_table`.

    Returns
    -------
    float
        In the index's range; nan where its formula is 0/0.

    Examples
    --------
    >>> score([0, 0, 1, 1], [0, 0, 1, 2], "jaccard")
    0.5
    """
    table = contingency_table(labels_true, labels_pred, noise=noise, noise_label=noise_label, missing=missing)
    return score_table(table, index)


def score_table(table: Any, index: str | Index = "rand") -> float:
    """Raw index of a contingency table, not corrected.

    Parameters
    ----------
    table : ContingencyTable or array-like of shape (K, Q)
        Counts: reference clusters in rows, candidate clusters in columns.
    index : str or Index
        See `list_indices`.

    Returns
    -------
    float
        In the index's range; nan where its formula is 0/0.

    Examples
    --------
    >>> score_table([[2, 0, 0], [0, 1, 1]], "jaccard")
    0.5
    """
    return value_of_table(get_index(index), as_table(table))


def irm(labels_true: Any, labels_pred: Any) -> float:
    """IRM index of Rajasekhara & Pujari (2010): clusters credited to each other, the most similar first.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Cluster of each object in the two clusterings; their order does not matter.

    Returns
    -------
    float
        In (0, 1], 1 for identical clusterings; not corrected for chance: ``adjust(..., index="irm")`` is.

    Examples
    --------
    >>> round(irm([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]), 12)  # (3 * 3/4 + 2 * 2/3 + 1 * 1/6) / 6
    0.625
    """
    return score(labels_true, labels_pred, "irm")


def as_table(table: Any) -> ContingencyTable:
    """The table, or one made of counts."""
    return table if isinstance(table, ContingencyTable) else ContingencyTable(table)


def _nulls(
    margins: Margins,
    entries: tuple[Index, ...],
    *,
    method: Method,
    n_tables: int | None,
    rng: RNG,
    n_jobs: int | None,
    model: str,
    progress: bool | None,
    precision: float | None,
    controls: bool | None,
) -> dict[str, NullDistribution]:
    """Checked arguments, then the null distributions."""
    one_of("method", method, METHODS)
    one_of("model", model, MODELS)
    if precision is not None and not precision > 0.0:
        raise ValueError(f"`precision` must be above 0, or None; got {precision!r}.")
    if n_tables is None:
        n_tables = PUBLISHED_TABLES if precision is None else MOST_TABLES
    return null_distributions(
        margins,
        entries,
        method=method,
        n_tables=as_count("n_tables", n_tables),
        seed=seed_from(rng),
        n_jobs=as_jobs(n_jobs),
        model=model,
        progress=progress,
        precision=precision,
        controls=controls,
    )


def _adjusted(
    entry: Index,
    table: ContingencyTable,
    null: NullDistribution,
    method: Method,
    best: float,
    alternative: Alternative | None,
) -> AdjustedScore:
    observed = value_of_table(entry, table)
    room = best - null.mean
    corrected = math.isfinite(best) and not entry.constant
    side = alternative or ("greater" if entry.larger_is_better else "less")
    tail = _tail(entry, table, observed, null, method, side)
    return AdjustedScore(
        index=entry.name,
        observed=observed,
        best=best,
        adjusted=(observed - null.mean) / room if room and corrected else math.nan,
        p_value=tail.p_value,
        p_relative_error=tail.relative_error,
        p_method=tail.method,
        null=null,
    )


def _tail(
    entry: Index,
    table: ContingencyTable,
    observed: float,
    null: NullDistribution,
    method: Method,
    alternative: Alternative,
) -> Tail:
    """Probability under chance of a value as extreme: by the law, or by Pearson's curve if that is better."""
    found = Tail(p_value=math.nan, relative_error=math.nan, method="monte-carlo")
    if null.law == "exact":
        p = null.p_value(observed, alternative)
        return Tail(p_value=p, relative_error=null.lost_mass / p if p else math.nan, method="exact")
    if null.law == "monte-carlo":
        p = null.p_value(observed, alternative)
        spread = math.sqrt((1.0 - p) / (p * (null.n_tables + 1))) if p > 0 else math.nan
        found = Tail(p_value=p, relative_error=spread, method="monte-carlo")
    if (
        method == "monte-carlo"
        or null.model != "permutation"
        or null.analytic is None
        or math.isnan(observed)
        or alternative == "two-sided"
    ):
        return found
    curve = pearson_tail(table, entry, alternative)
    if curve and math.isfinite(curve.relative_error) and not found.relative_error < curve.relative_error:
        return curve
    return found
