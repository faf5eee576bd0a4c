"""The fuzzy Rand index: one less the mean over pairs of ``|P - Q|``."""

from dataclasses import replace

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings
from chancecorr.clusterings.indices.by_values import Comparison, agreement_by_values, forecast_values
from chancecorr.clusterings.indices.pair_counts import rand_of_partitions
from chancecorr.clusterings.kernels.pairs import DIFFERENCES
from chancecorr.clusterings.membership import Membership
from chancecorr.clusterings.similarity import Similarity
from chancecorr.simulation.task import Counts


def agreement(P: Clustering, Q: Clustering) -> Agreement:
    """Agreement over memberships that are alike by one less half the sum of their differences."""
    how = Comparison(DIFFERENCES, lambda p, q: np.abs(p - q), mean_difference, 1.0, -1.0)
    return rand_of_partitions(P, Q) or agreement_by_values(_as_alike(P), _as_alike(Q), how)


def _as_alike(side: Clustering) -> Clustering:
    """The clustering with similarities in [0, 1]."""
    if isinstance(side, Membership):
        return replace(side, by_distance=True)
    return replace(side, bounded=True) if isinstance(side, Similarity) else side


def mean_difference(p_values: Counts, q_values: Counts) -> float:
    """Mean of ``|x - y|`` over all values x, y of two sides: the integral of ``F (1 - G) + G (1 - F)``."""
    (p, p_counts), (q, q_counts) = p_values, q_values
    places = np.concatenate([p, q])
    order = np.argsort(places, kind="stable")
    places = places[order]
    below_p = np.cumsum(np.concatenate([p_counts, np.zeros_like(q_counts)])[order])[:-1]
    below_q = np.cumsum(np.concatenate([np.zeros_like(p_counts), q_counts])[order])[:-1]
    n_p, n_q = int(p_counts.sum()), int(q_counts.sum())
    share_p, share_q = below_p / n_p, below_q / n_q
    apart = share_p * ((n_q - below_q) / n_q) + share_q * ((n_p - below_p) / n_p)
    return float(np.sum(np.diff(places) * apart))


FUZZY_RAND = index_of_clusterings(
    name="fuzzy_rand",
    aliases=("ndc", "aci"),
    source=(
        "Hüllermeier, Rifqi, Henzgen & Senge (2012), doi:10.1109/TFUZZ.2011.2179303; adjusted: D'Ambrosio,"
        " Amodio, Iorio, Pandolfo & Siciliano (2021), doi:10.1007/s00357-020-09367-0"
    ),
    takes=("labels", "membership", "similarity"),
    range=(0.0, 1.0),
    function=agreement,
    cost=forecast_values,
)
