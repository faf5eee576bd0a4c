"""BCubed precision and recall of clusters that overlap, after Amigó, Gonzalo, Artiles & Verdejo (2009)."""

from collections.abc import Callable
from functools import partial

import numpy as np

from chancecorr.clusterings.clustering import Agreement, Clustering, index_of_clusterings, leave_undefined
from chancecorr.clusterings.membership import as_memberships
from chancecorr.indices.cluster_level import BCUBED
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers

NANOSECONDS_OF_A_PAIR = 12.0  # of objects, under a permutation


def agree_by_bcubed(combine: Callable[[Floats, Floats], Floats], P: Clustering, Q: Clustering) -> Agreement:
    """Agreement of precision and recall as means over the objects in a cluster; values are known alone.

    Two objects that are together in p clusters of P and q of Q count ``min(p, q) / q`` in the precision of
    each: a mean over all objects, itself among them, with which it shares a cluster of Q. Recall has p for q.
    """
    if not P.n:
        return leave_undefined()
    rows = as_memberships(P).rows, as_memberships(Q).rows
    (p, of_p), (q, of_q) = ((shared, _weigh_pairs(shared)) for shared in (side @ side.T for side in rows))

    def sums(permutations: Integers) -> Floats:
        means = np.empty((2, len(permutations)))
        for k, order in enumerate(permutations):
            moved = np.ix_(order, order)
            common = np.minimum(p, q[moved])
            means[:, k] = (common * of_q[moved]).sum(), (common * of_p).sum()
        return combine(*means)

    return Agreement(
        observed=float(sums(np.arange(P.n)[np.newaxis])[0]),
        sums=sums,
        nanoseconds=NANOSECONDS_OF_A_PAIR * P.n**2,
    )


def _weigh_pairs(shared: Floats) -> Floats:
    """Weights by which pairs of objects that share so many clusters enter a mean over objects of means."""
    near = shared > 0.0
    counts = near.sum(axis=1, keepdims=True)
    weights = np.divide(1.0, shared * counts, out=np.zeros_like(shared), where=near)
    return weights / np.count_nonzero(counts) if near.any() else np.full_like(shared, np.nan)


def _average_harmonically(precision: Floats, recall: Floats) -> Floats:
    """Harmonic mean, 0 where both are 0."""
    total = precision + recall
    return np.divide(2.0 * precision * recall, total, out=np.zeros_like(total), where=total != 0.0)


def _make_entry(name: str, combine: Callable[[Floats, Floats], Floats], about: str) -> Index:
    """An entry for covers, which partitions are as well."""
    return index_of_clusterings(
        name=name,
        about=about,
        source=BCUBED,
        takes=("labels", "cover"),
        function=partial(agree_by_bcubed, combine),
        cost=lambda P, Q: (20.0 * P.n**2, 48.0 * P.n**2),
    )


BCUBED_OF_COVERS = (
    _make_entry("bcubed_precision", lambda precision, recall: precision, "Extended BCubed precision."),
    _make_entry("bcubed_recall", lambda precision, recall: recall, "Extended BCubed recall."),
    _make_entry("bcubed_f", _average_harmonically, "Harmonic mean of extended BCubed precision and recall."),
)
