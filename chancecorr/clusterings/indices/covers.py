"""Indices of overlapping clusters: mutual information, F1 of the best matches, and BCubed.

BCubed precision and recall follow Amigó, Gonzalo, Artiles & Verdejo (2009).
"""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from chancecorr.clusterings.clustering import Agreement, Clustering, index_of_clusterings, leave_undefined
from chancecorr.clusterings.membership import as_memberships
from chancecorr.clusterings.pair_kernels import fill_overlaps
from chancecorr.clusterings.sums_over_pairs import count_clusters
from chancecorr.indices.cluster_level import BCUBED
from chancecorr.machine.arrays import Floats, Integers

NANOSECONDS_OF_A_PAIR = 12.0  # per pair of objects, in a permutation for BCubed
CELLS_AT_ONCE = 1 << 21  # overlaps in memory at a time: 16 MB
OverlapValues = Callable[[Floats, Floats, Floats, int], Floats]
"""Function from overlaps (m, K, L), the cluster sizes of both sides and the number of objects to m values."""


def agree_by_overlaps(values_of: OverlapValues, P: Clustering, Q: Clustering) -> Agreement:
    """Compute the agreement by an index of the overlaps of clusters; mean and variance are unknown."""
    rows = [as_memberships(side).rows for side in (P, Q)]
    rows = [of_side[:, of_side.any(axis=0)] for of_side in rows]  # without empty clusters
    sizes = rows[0].sum(axis=0), rows[1].sum(axis=0)
    shape = sizes[0].size, sizes[1].size
    if 0 in shape:
        return leave_undefined()  # 0/0: a mean over the clusters of a side without clusters
    lists = *_list_clusters(rows[0]), *_list_clusters(rows[1])
    step = max(1, CELLS_AT_ONCE // max(math.prod(shape), 1))

    def sums(permutations: Integers) -> Floats:
        out = np.empty(len(permutations))
        for first in range(0, len(permutations), step):
            some = permutations[first : first + step]
            overlaps = np.empty((len(some), *shape), dtype=np.int64)
            fill_overlaps(*lists, some, overlaps)
            out[first : first + step] = values_of(overlaps.astype(np.float64), *sizes, P.n)
        return out

    per_object = float(sizes[0].sum() * sizes[1].sum()) / max(P.n, 1) ** 2
    return Agreement(
        observed=float(sums(np.arange(P.n)[np.newaxis])[0]),
        sums=sums,
        nanoseconds=P.n * (2.0 + 2.0 * per_object) + 150.0 * math.prod(shape),
    )


def forecast_overlaps(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Forecast nanoseconds and bytes of the value; about ten arrays have the size of the overlaps."""
    first, second = count_clusters(P), count_clusters(Q)
    return 150.0 * first * second + 20.0 * P.n * (first + second), 80.0 * first * second


def _list_clusters(rows: Floats) -> tuple[Integers, Integers]:
    """List the clusters of all objects, and the position of each object's first cluster."""
    objects, clusters = np.nonzero(rows)
    return np.searchsorted(objects, np.arange(len(rows) + 1)), clusters


def average_f1_scores(overlaps: Floats, rows: Floats, columns: Floats, n: int) -> Floats:
    """Compute the mean F1 of each cluster and its most similar cluster in the other cover, both ways."""
    f1 = 2.0 * overlaps / (rows[:, np.newaxis] + columns)
    return np.asarray((f1.max(axis=2).mean(axis=1) + f1.max(axis=1).mean(axis=1)) / 2.0)


def _weigh_logarithms(p: Floats) -> Floats:
    """``-p log2 p``, 0 at 0."""
    return np.where(p > 0.0, -p * np.log2(np.where(p > 0.0, p, 1.0)), 0.0)


def divide_by_larger_entropy(overlaps: Floats, rows: Floats, columns: Floats, n: int) -> Floats:
    """Compute the mutual information of two covers over the larger of their entropies."""
    first, of_rows = _condition_entropies(overlaps, rows, columns, n, True)
    second, of_columns = _condition_entropies(overlaps.transpose(0, 2, 1), columns, rows, n, True)
    own = of_rows.sum(), of_columns.sum()
    information = (own[0] - first.sum(axis=1) + own[1] - second.sum(axis=1)) / 2.0
    return np.asarray(information / max(own)) if max(own) > 0.0 else np.full(len(overlaps), math.nan)


def average_entropy_lost(overlaps: Floats, rows: Floats, columns: Floats, n: int) -> Floats:
    """Compute 1 minus the mean share of a cluster's entropy that remains, given the other cover."""
    kept = []
    for turned, sizes, others in ((overlaps, rows, columns), (overlaps.transpose(0, 2, 1), columns, rows)):
        conditional, own = _condition_entropies(turned, sizes, others, n, False)
        without = 0.0 if (others == n).any() else 1.0
        kept.append(np.where(own > 0.0, conditional / np.where(own > 0.0, own, 1.0), without).mean(axis=1))
    return np.asarray(1.0 - (kept[0] + kept[1]) / 2.0)


def _condition_entropies(
    overlaps: Floats, rows: Floats, columns: Floats, n: int, ties: bool
) -> tuple[Floats, Floats]:
    """Compute each cluster's entropy given its most informative cluster (m, K), and its entropy (K,).

    A pair of clusters is left out if its differences have more information than its agreement, as for a
    cluster and its complement; with `ties`, a pair is kept if both have the same information.
    """
    only_row, only_column = rows[:, np.newaxis] - overlaps, columns - overlaps
    outside = n - overlaps - only_row - only_column
    terms = [_weigh_logarithms(item / n) for item in (overlaps, only_row, only_column, outside)]
    of_rows, of_columns = (
        _weigh_logarithms(sizes / n) + _weigh_logarithms((n - sizes) / n) for sizes in (rows, columns)
    )
    same, other = terms[0] + terms[3], terms[1] + terms[2]
    entropies = np.where(same >= other if ties else same > other, same + other - of_columns, math.inf)
    return np.asarray(np.minimum(entropies.min(axis=2), of_rows)), of_rows


def agree_by_bcubed(combine: Callable[[Floats, Floats], Floats], P: Clustering, Q: Clustering) -> Agreement:
    """Compute the agreement by BCubed precision and recall; mean and variance are unknown.

    Two objects that are together in p clusters of P and q clusters of Q count ``min(p, q) / q`` in the
    precision of each object. The precision of an object is the mean over all objects (also itself) in a
    common cluster of Q. Recall has p instead of q in the denominator.
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
    """Compute the weights of pairs, by their number of common clusters, in a mean over objects of means."""
    near = shared > 0.0
    counts = near.sum(axis=1, keepdims=True)
    weights = np.divide(1.0, shared * counts, out=np.zeros_like(shared), where=near)
    return weights / np.count_nonzero(counts) if near.any() else np.full_like(shared, np.nan)


def _average_harmonically(precision: Floats, recall: Floats) -> Floats:
    """Compute the harmonic mean, 0 if both numbers are 0."""
    total = precision + recall
    return np.divide(2.0 * precision * recall, total, out=np.zeros_like(total), where=total != 0.0)


index_of_covers = partial(index_of_clusterings, takes=("labels", "cover"))

ONMI_MAX = index_of_covers(
    name="onmi_max",
    aliases=("onmi",),
    about="Mutual information of two covers over the larger of their entropies.",
    formula=r"\frac{H(U) - H(U|V) + H(V) - H(V|U)}{2 \max(H(U), H(V))}",
    source="McDaid, Greene & Hurley (2011), arXiv:1110.2515",
    function=partial(agree_by_overlaps, divide_by_larger_entropy),
    cost=forecast_overlaps,
)
ONMI_LFK = index_of_covers(
    name="onmi_lfk",
    about="One less the mean share of its entropy that a cluster keeps, given the other cover.",
    formula=r"1 - \frac{1}{2K} \sum_i \frac{H(U_i|V)}{H(U_i)} - \frac{1}{2Q} \sum_j \frac{H(V_j|U)}{H(V_j)}",
    source="Lancichinetti, Fortunato & Kertész (2009), doi:10.1088/1367-2630/11/3/033015",
    function=partial(agree_by_overlaps, average_entropy_lost),
    cost=forecast_overlaps,
)
AVERAGE_F1 = index_of_covers(
    name="average_f1",
    source="Yang & Leskovec (2013), doi:10.1145/2433396.2433471",
    function=partial(agree_by_overlaps, average_f1_scores),
    cost=forecast_overlaps,
)
index_of_bcubed = partial(index_of_covers, source=BCUBED, cost=lambda P, Q: (20.0 * P.n**2, 48.0 * P.n**2))
BCUBED_OF_COVERS = (
    index_of_bcubed(
        name="bcubed_precision",
        about="Extended BCubed precision.",
        function=partial(agree_by_bcubed, lambda precision, recall: precision),
    ),
    index_of_bcubed(
        name="bcubed_recall",
        about="Extended BCubed recall.",
        function=partial(agree_by_bcubed, lambda precision, recall: recall),
    ),
    index_of_bcubed(
        name="bcubed_f",
        about="Harmonic mean of extended BCubed precision and recall.",
        function=partial(agree_by_bcubed, _average_harmonically),
    ),
)
