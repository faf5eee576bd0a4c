"""Scores of two memberships of which chance draws the rows anew, from a Dirichlet law."""

import dataclasses
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.chance.null_distribution import NullDistribution, simulated_null
from chancecorr.chance.options import Request
from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.dirichlet import DIRICHLET_MODELS, drawing
from chancecorr.clusterings.index import PairIndex
from chancecorr.clusterings.membership import Membership
from chancecorr.correction.affordable import draw_in_time, note_of_fewer, read_clock, require_draws
from chancecorr.correction.of_clusterings import as_indices
from chancecorr.correction.scores import AdjustedScore, score_from
from chancecorr.correction.tails import tail_of_values
from chancecorr.exact.adjusted_score import compute_adjusted_score
from chancecorr.machine.arrays import Floats
from chancecorr.simulation.task import Joint

DRAWS = 999
"""Draws of both sides, if their number is not given."""


def is_dirichlet(model: Any) -> bool:
    """Whether a model draws memberships."""
    return isinstance(model, str) and model in DIRICHLET_MODELS


def scores_under_dirichlet(
    P: Clustering, Q: Clustering, index: Any, model: str, asked: Request
) -> list[AdjustedScore]:
    """Adjusted scores of two memberships, all from the same draws."""
    if not (P.word == Q.word == "membership" and isinstance(P, Membership) and isinstance(Q, Membership)):
        raise ArgumentValueError(
            "model",
            f"must be 'permutation', or another one of labels, unless both clusterings are memberships; got"
            f" {model!r}.",
        )
    if asked.method.needs_moments or asked.method.needs_law:
        raise ArgumentValueError(
            "method",
            f"must be 'auto' or 'monte-carlo' with model {model!r}, whose means are sampled; got"
            f" {asked.method.name!r}.",
        )
    indices = as_indices(index, P, Q, asked)
    start = read_clock()
    observed = [each.agreement(P, Q).observed for each in indices]
    spent = read_clock() - start
    wanted = min(asked.n_tables, DRAWS) if asked.n_tables_is_limit else asked.n_tables
    draw = drawing(indices, P, Q, model, asked.seed, asked.n_jobs)
    values = np.concatenate(draw_in_time(draw, wanted, asked, spent, spent) or [np.empty((0, len(indices)))])
    require_draws(indices[0].name, len(values), asked, spent, "draw", spent=spent)
    note = note_of_fewer(len(values), wanted, what="pair") if len(values) < wanted else ""
    nulls = [_null(each, P.n, model, drawn, note) for each, drawn in zip(indices, values.T, strict=True)]
    return [_score(*each, asked) for each in zip(indices, observed, nulls, strict=True)]


def _null(index: PairIndex, n: int, model: str, values: Floats, note: str) -> NullDistribution:
    """Null distribution of n objects from values of drawn memberships."""
    joint = Joint(values, None, np.ones(values.size, dtype=np.int64))
    null = simulated_null(index.name, None, joint, None, settled=False, note=note, what="draws")
    return dataclasses.replace(null, objects=n, model=model)


def _score(index: PairIndex, observed: float, null: NullDistribution, asked: Request) -> AdjustedScore:
    """Adjusted score of one index."""
    best = asked.best_or(index.best)
    adjusted = compute_adjusted_score(observed, best, null.mean)
    side = asked.alternative or ("greater" if index.larger_is_better else "less")
    return score_from(index, (observed, best, adjusted), null, tail_of_values(null, observed, side), asked)
