"""Indices corrected for chance: labels or a table in, adjusted scores out."""

import math
from collections.abc import Hashable, Sequence
from typing import Any, Literal, TypedDict, Unpack, overload

from chancecorr.arguments import as_count, one_of
from chancecorr.contingency import ContingencyTable, Margins, as_margins, contingency_table
from chancecorr.distribution import NullDistribution, null_from_counts
from chancecorr.engine import Task, as_jobs, simulate
from chancecorr.exact.affine import affine_moments
from chancecorr.exact.pair_sum import pair_sum_moments
from chancecorr.indices.evaluation import value_of_table
from chancecorr.indices.registry import Index, get_index, get_indices
from chancecorr.null.permutation import plan_sampler
from chancecorr.null.seeding import RNG, seed_from
from chancecorr.scores import AdjustedScore, AdjustedScores

Method = Literal["auto", "analytic", "monte-carlo"]
METHODS = ("auto", "analytic", "monte-carlo")
MODELS = ("permutation",)
PUBLISHED_TABLES = 17_000
"""Tables drawn by Amorim & Cardoso (2014), after Agresti, Wackerly & Boyett (1979)."""


class Options(TypedDict, total=False):
    """Keywords of `adjust_table`, for type checkers: with one index or several they are the same."""

    method: Method
    n_tables: int
    rng: RNG
    n_jobs: int | None
    model: Literal["permutation"]
    progress: bool | None


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
    n_tables: int = PUBLISHED_TABLES,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: Literal["permutation"] = "permutation",
    progress: bool | None = None,
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
    method : {"auto", "analytic", "monte-carlo"}
        ``"monte-carlo"``: everything from simulated tables. ``"analytic"``: closed forms only, for indices
        affine in T; no p-value. ``"auto"``: mean and variance in closed form where there is one, the rest
        from simulated tables.
    n_tables : int
        Number of simulated tables.
    rng : None, int, SeedSequence or Generator
        As in SciPy. The same seed gives the same bits for any number of workers.
    n_jobs : int, optional
        As in joblib; threads unless `joblib.parallel_config` says otherwise.
    model : {"permutation"}
        What chance means: both margins fixed.
    progress : bool, optional
        Progress bar on stderr; None shows it on a terminal when the work takes longer than a second.
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
        progress=progress,
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
    n_tables: int = PUBLISHED_TABLES,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: Literal["permutation"] = "permutation",
    progress: bool | None = None,
) -> AdjustedScore | AdjustedScores:
    """Agreement shown by a contingency table, corrected for chance.

    Parameters
    ----------
    table : ContingencyTable or array-like of shape (K, Q)
        Counts: reference clusters in rows, candidate clusters in columns.
    index, method, n_tables, rng, n_jobs, model, progress
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
    nulls = _null_distributions(
        table.margins, entries, method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model,
        progress=progress,
    )  # fmt: skip
    scores = [_adjusted(entry, value_of_table(entry, table), nulls[entry.name]) for entry in entries]
    return scores[0] if isinstance(index, str | Index) else AdjustedScores(scores)


def null_distribution(
    margins: Margins,
    index: str | Index = "rand",
    *,
    method: Method = "auto",
    n_tables: int = PUBLISHED_TABLES,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: Literal["permutation"] = "permutation",
    progress: bool | None = None,
) -> NullDistribution:
    """What an index takes under chance, given the cluster sizes alone.

    Parameters
    ----------
    margins : Margins
        Row totals of shape (K,) and column totals of shape (Q,); a `ContingencyTable` gives its own.
    index, method, n_tables, rng, n_jobs, model, progress
        As in `adjust`; one index.

    Returns
    -------
    NullDistribution
        Mean, variance, shape, quantiles, p-values, values with weights.

    Examples
    --------
    >>> null = null_distribution(Margins([240, 240, 320], [240, 240, 320]), "jaccard", rng=0)
    >>> bool(abs(null.mean - 0.204220728818034) < 4.5 * null.standard_error)
    True
    """
    entry = get_index(index)
    nulls = _null_distributions(
        as_margins(margins), (entry,), method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model,
        progress=progress,
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


def as_table(table: Any) -> ContingencyTable:
    """The table, or one made of counts."""
    return table if isinstance(table, ContingencyTable) else ContingencyTable(table)


def _null_distributions(
    margins: Margins,
    entries: tuple[Index, ...],
    *,
    method: str,
    n_tables: int,
    rng: RNG,
    n_jobs: int | None,
    model: str,
    progress: bool | None,
) -> dict[str, NullDistribution]:
    """Null distributions of several indices from the same simulated tables."""
    one_of("method", method, METHODS)
    one_of("model", model, MODELS)
    n_tables = as_count("n_tables", n_tables)
    n_jobs = as_jobs(n_jobs)
    moments = pair_sum_moments(margins) if any(entry.affine for entry in entries) else None
    analytic = {
        entry.name: affine_moments(entry, margins, moments) for entry in entries if entry.affine and moments
    }
    for entry in entries:
        if method == "analytic" and entry.name not in analytic:
            raise ValueError(
                f"`method` must be 'auto' or 'monte-carlo' for index {entry.name!r}, which is not affine in"
                " T = sum n_ij**2; got 'analytic'."
            )
    simulated = {}
    if method != "analytic":
        task = Task(sampler=plan_sampler(margins), seed=seed_from(rng), indices=entries)
        simulated = simulate(task, n_tables, n_jobs=n_jobs, progress=progress)
    return {
        entry.name: null_from_counts(
            entry.name,
            margins,
            "analytic" if entry.name in analytic and method != "monte-carlo" else "monte-carlo",
            simulated.get(entry.name),
            analytic.get(entry.name),
        )
        for entry in entries
    }


def _adjusted(entry: Index, observed: float, null: NullDistribution) -> AdjustedScore:
    room = entry.best - null.mean
    alternative: Literal["greater", "less"] = "greater" if entry.larger_is_better else "less"
    return AdjustedScore(
        index=entry.name,
        observed=observed,
        best=entry.best,
        adjusted=(observed - null.mean) / room if room else math.nan,
        p_value=null.p_value(observed, alternative) if null.n_tables else math.nan,
        null=null,
    )
