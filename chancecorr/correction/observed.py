"""Compute raw indices, not adjusted for chance."""

from typing import Any

from chancecorr.chance.engines import get_engine
from chancecorr.chance.models import choose_model, name_clusters
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.correction.options import read_options
from chancecorr.indices.registry import AnyIndex, get_index
from chancecorr.machine.arguments import explain_call
from chancecorr.tables.contingency import as_table
from chancecorr.tables.reading import Missing, NoiseOfSides


@explain_call
def score(
    labels_true: Any,
    labels_pred: Any,
    index: AnyIndex | None = None,
    *,
    weights: Any = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> float:
    """Compute a raw index of two clusterings, not adjusted.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Cluster of each object in the reference and in the candidate.
    index : str or Index
        See `list_indices`.
    weights
        As in `adjust`. Strata are not an argument, because they change only the expected value.
    noise, missing
        As in `contingency_table`.

    Returns
    -------
    float
        The value, in the range of the index; nan if the formula gives 0/0.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError
        As in `adjust`.

    See Also
    --------
    adjusted_score : Compute the index adjusted for chance.
    score_table : Compute a raw index of a contingency table.

    Examples
    --------
    >>> score([0, 0, 1, 1], [0, 0, 1, 2], "jaccard")
    0.5
    """
    pair = read_clusterings(labels_true, labels_pred, noise=noise, missing=missing, weights=weights)
    if pair.has_table and weights is None:
        entry = get_index("rand" if index is None else index)
        if entry.needs != "clusterings":
            entry, table, _ = name_clusters(entry, pair.table(), ("labels_true", "labels_pred"))
            return get_engine(entry).value(entry, table)
    model, ((entry, *_),), _ = choose_model(pair, index, read_options(rng=0), weights=weights)
    return model.observed(entry)


@explain_call
def score_table(table: Any, index: AnyIndex = "rand") -> float:
    """Compute a raw index of a contingency table, not adjusted.

    Parameters
    ----------
    table : ContingencyTable or array-like of shape (K, Q)
        Counts: reference clusters in rows, candidate clusters in columns.
    index : str or Index
        See `list_indices`.

    Returns
    -------
    float
        The value, in the range of the index; nan if the formula gives 0/0.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError
        As in `adjust_table`.

    See Also
    --------
    adjust_table : Compute the index adjusted for chance.

    Examples
    --------
    >>> score_table([[2, 0, 0], [0, 1, 1]], "jaccard")
    0.5
    """
    entry, counts, _ = name_clusters(get_index(index), as_table(table))
    return get_engine(entry).value(entry, counts)
