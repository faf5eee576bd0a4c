"""Fuzzy Wallace indices: concordance of the pairs, by the degree to which one clustering has them together.

With p and q one less half the sum of differences of the memberships of two objects, and w the inner product
of those of one side, they are ``sum w (1 - |p - q|) / sum w`` over the pairs: by w of the second clustering
homogeneity, by w of the first completeness.
"""

import math
from functools import partial

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings
from chancecorr.clusterings.indices.by_values import no_agreement
from chancecorr.clusterings.kernels.fuzzy import add_concordance
from chancecorr.clusterings.membership import Membership, as_memberships
from chancecorr.clusterings.products import count_clusters
from chancecorr.clusterings.tiles import OBJECTS_A_TILE, split, tiling
from chancecorr.machine.arrays import Floats, Integers

SOURCE = (
    "Germain, poem (2025), from Hüllermeier, Rifqi, Henzgen & Senge (2012), doi:10.1109/TFUZZ.2011.2179303"
)


def agreement(of_second: bool, P: Clustering, Q: Clustering) -> Agreement:
    """Agreement with its exact mean: every pair of one side meets every pair of the other."""
    first, second = as_memberships(P), as_memberships(Q)
    assert first is not None
    assert second is not None
    weighting, other = (second, first) if of_second else (first, second)
    likeness, weights = _pairs(weighting)
    total = math.fsum(weights)
    if P.n < 2 or total == 0.0:
        return no_agreement()

    def sums(permutations: Integers) -> Floats:
        out = np.zeros(len(permutations))
        add_concordance(first.rows, second.rows, of_second, permutations, np.zeros((2, 2)), out)
        return out / total

    return Agreement(
        observed=float(sums(np.arange(P.n)[np.newaxis])[0]),
        expected=1.0 - math.fsum(weights * mean_distances(likeness, _pairs(other)[0])) / total,
        sums=sums,
        nanoseconds=math.comb(P.n, 2) * (4.0 + 2.0 * first.rows.shape[1]),
    )


def forecast(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Nanoseconds and bytes of the value and the mean: the degrees of all pairs are laid out and sorted."""
    pairs, width = math.comb(P.n, 2), count_clusters(P) + count_clusters(Q)
    return pairs * (600.0 + 6.0 * width), 48.0 * pairs


def _pairs(side: Membership) -> tuple[Floats, Floats]:
    """Likeness of each pair, and the degree to which it is together."""
    halved, together = [], []
    for rows, columns in ((a, b) for k, a in enumerate(_parts(side)) for b in _parts(side)[k:]):
        distances = np.abs(side.rows[rows, np.newaxis] - side.rows[columns]).sum(axis=2)
        halved.append(split(rows, columns, 1.0 - 0.5 * distances).pairs)
        together.append(split(rows, columns, side.rows[rows] @ side.rows[columns].T).pairs)
    return np.concatenate(halved or [np.zeros(0)]), np.concatenate(together or [np.zeros(0)])


def _parts(side: Membership) -> tuple[slice, ...]:
    """Parts of the objects."""
    return tiling(side.n, OBJECTS_A_TILE // 4)


def mean_distances(values: Floats, others: Floats) -> Floats:
    """Mean of ``|x - y|`` over all y of the others, for each x of the values."""
    ordered = np.sort(others)
    sums = np.concatenate([[0.0], np.cumsum(ordered)])
    below = np.searchsorted(ordered, values)
    return np.asarray((values * (2 * below - ordered.size) + sums[-1] - 2.0 * sums[below]) / ordered.size)


FUZZY_HOMOGENEITY = index_of_clusterings(
    name="fuzzy_wallace_2",
    aliases=("fuzzy_wallace_homogeneity",),
    source=SOURCE,
    takes=("labels", "membership"),
    range=(0.0, 1.0),
    function=partial(agreement, True),
    cost=forecast,
)
FUZZY_COMPLETENESS = index_of_clusterings(
    name="fuzzy_wallace_1",
    aliases=("fuzzy_wallace_completeness",),
    source=SOURCE,
    takes=("labels", "membership"),
    range=(0.0, 1.0),
    function=partial(agreement, False),
    cost=forecast,
)
