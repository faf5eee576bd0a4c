"""The Omega index, not adjusted: the share of pairs together in as many clusters of both covers."""

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings
from chancecorr.clusterings.indices.by_values import Comparison, agreement_by_values, forecast_values
from chancecorr.clusterings.indices.pair_counts import rand_of_partitions
from chancecorr.clusterings.kernels.pairs import EQUALITIES
from chancecorr.simulation.task import Counts


def agreement(P: Clustering, Q: Clustering) -> Agreement:
    """Agreement over the numbers of clusters that two objects share."""
    how = Comparison(EQUALITIES, lambda p, q: (p == q).astype(np.float64), _share_of_equals, 0.0, 1.0)
    return rand_of_partitions(P, Q) or agreement_by_values(P, Q, how)


def _share_of_equals(p: Counts, q: Counts) -> float:
    """Chance that a value of one side equals one of the other, both drawn at random."""
    _, of_p, of_q = np.intersect1d(p[0], q[0], assume_unique=True, return_indices=True)
    equal = sum(int(x) * int(y) for x, y in zip(p[1][of_p], q[1][of_q], strict=True))
    return equal / (int(p[1].sum()) * int(q[1].sum()))


OMEGA = index_of_clusterings(
    name="omega",
    source="Collins & Dent (1988), doi:10.1207/s15327906mbr2302_6",
    takes=("labels", "cover"),
    range=(0.0, 1.0),
    function=agreement,
    cost=forecast_values,
)
