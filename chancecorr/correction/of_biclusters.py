"""Scores of biclusterings: chance permutes rows and columns, each on their own."""

import dataclasses
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.clusterings.biclusters import BiclusterAgreement, Biclusters, bicluster_agreement
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.distributions_made import exact_null, simulated_null
from chancecorr.correction.request import Request
from chancecorr.correction.scores import AdjustedScore, score_of
from chancecorr.correction.tails import tail_of_values
from chancecorr.exact.moments.summary import UNKNOWN
from chancecorr.indices.registry import get_index
from chancecorr.kinds.kind import Known, Law
from chancecorr.simulation.task import Joint


def scores_of_biclusters(first: Any, second: Any, indices: list[Any], asked: Request) -> list[AdjustedScore]:
    """Adjusted scores of two biclusterings of the same matrix, for indices that count pairs."""
    names = "labels_true", "labels_pred"
    for name, side in zip(names, (first, second), strict=True):
        if not isinstance(side, Biclusters):
            raise ArgumentTypeError(name, f"must be Biclusters as the other side; got {type(side).__name__}.")
    if not asked.model.is_permutation or asked.best is not None:
        raise ArgumentValueError("model", "must be 'permutation', and `best` None, for biclusterings.")
    tables = first.tables_with(second, names)
    return [_score(each, tables, first.rows.size * first.columns.size, asked) for each in indices]


def _score(index: Any, tables: Any, n: int, asked: Request) -> AdjustedScore:
    """Score of one index."""
    entry = get_index(index)
    seconds = 0.0 if asked.method.only_tables else asked.budget.part(1.0)
    found = bicluster_agreement(
        tables[0], tables[1], entry, n_samples=asked.n_tables, seconds=seconds, rng=int(asked.seed)
    )
    null = dataclasses.replace(_null(found, asked), objects=n)
    side = asked.alternative or ("greater" if entry.larger_is_better else "less")
    return score_of(entry, found.observed, found.best, null, tail_of_values(null, found.observed, side), None)


def _null(found: BiclusterAgreement, asked: Request) -> NullDistribution:
    """Null distribution, listed or drawn."""
    moments = dataclasses.replace(UNKNOWN, mean=found.expected, variance=found.variance)
    known = None if found.expected_error or asked.method.only_tables else Known(moments, 0.0)
    if found.is_exact:
        law = Law(found.values, found.probabilities, found.lost_mass)
        return exact_null(found.index, None, law, known)
    joint = Joint(found.values, None, np.ones(found.values.size, dtype=np.int64))
    return simulated_null(found.index, None, joint, known, settled=known is not None)
