"""Spatially aware Rand index: disagreement on a pair of objects counts by how far apart the two lie."""

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, as_number, one_of
from chancecorr.clusterings.edges import (
    Pairs,
    distance_matrix,
    require_distances,
    require_objects,
    sparse_pairs,
)
from chancecorr.clusterings.index import Agreement, Sums, index_of_clusterings
from chancecorr.clusterings.kernels.pairs import add_disagreements
from chancecorr.clusterings.partition import Partition
from chancecorr.clusterings.tiles import FLOAT32_ROUNDING
from chancecorr.exact.pair_space import (
    WeightSums,
    both_permuted_moments,
    partition_space,
    permutation_moments,
    together_share,
)
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers

Weight = Callable[[Floats], Any]
"""From distances of pairs of objects to what a disagreement on each pair counts, in [0, 1]."""

PAIRS_AT_ONCE = 1 << 20
"""Pairs of objects whose distances are found together, in up to a dozen arrays of 8 MB."""


def spatial_rand(
    positions: Any = None,
    *,
    distances: Any = None,
    f: Weight | None = None,
    h: Weight | None = None,
    alpha: float = 0.8,
    permuted: str = "candidate",
) -> Index:
    """Spatially aware Rand index (spRI), whose adjusted form is the spARI.

    Parameters
    ----------
    positions : array-like of shape (objects, dimensions), optional
        Where the objects lie. Each coordinate is scaled to [0, 1] first.
    distances : array-like or scipy.sparse array of shape (objects, objects), optional
        Distances in place of positions. In a sparse one, a pair that is not stored counts 0 if the
        clusterings disagree on it; a stored 0 is a distance.
    f, h : callable, optional
        From an array of distances d to what a pair counts that only the second clustering, or only the first
        one, puts together: numbers in [0, 1]. By default ``alpha exp(-d**2)`` and ``alpha (1 - exp(-d**2))``.
    alpha : float
        From 0, by which these pairs count nothing, to 1.
    permuted : {"candidate", "both"}
        Whose objects are permuted, the second clustering's or those of both, each on its own. The published
        spARI is the second.

    Returns
    -------
    Index
        Index of two partitions of the objects.

    Raises
    ------
    TypeError, ValueError
        If not exactly one of `positions` and `distances` is given, or they are not such numbers; from
        ``agreement``, if there are other objects in the clusterings, or f and h leave [0, 1].

    Notes
    -----
    Mean over pairs of 1 if the clusterings agree, ``f(d)`` if only the second has the pair together, and
    ``h(d)`` if only the first has. Mean and variance are exact, in O(objects**2), or O(stored distances) if
    sparse. The R package spARI draws 100 permutations of both and divides the number of larger values by 100,
    since version 0.99.1 without equal ones (its ``NEWS.md``), so that it prints p-values of 0; and it counts
    0 in place of ``f(0)`` for pairs at distance 0, since 0.99.8 in the mean too.

    Source: Yan, Feng & Luo (2025), Biometrics 81(3), doi:10.1093/biomtc/ujaf127. Null model: random
    permutations of the objects, which stay where they are.

    Examples
    --------
    >>> import numpy as np
    >>> from chancecorr.clusterings.partition import Partition
    >>> line = spatial_rand([[0], [1], [2], [10]])
    >>> found = line.function(Partition(np.array([0, 0, 1, 1])), Partition(np.array([0, 0, 0, 1])))
    >>> round(found.observed, 4), round(found.expected, 4)
    (0.8231, 0.7164)
    """
    if not 0.0 <= as_number("alpha", alpha) <= 1.0:
        raise ArgumentValueError("alpha", f"must be from 0 to 1; got {alpha}.")
    one_of("permuted", permuted, ["candidate", "both"])
    if (positions is None) == (distances is None):
        raise ArgumentTypeError("positions", "or `distances` must be given, and not both.", "distances")
    space = _Space(
        places=_scaled(positions) if distances is None else _distances(distances),
        is_scaled=distances is None,
        f=f or functools.partial(_weigh_joined, alpha),
        h=h or functools.partial(_weigh_parted, alpha),
    )
    return _index(space, permuted == "both")


def _index(space: "_Space", both: bool) -> Index:
    """The index of objects that lie there."""
    return index_of_clusterings(
        name="spatial_rand",
        source="Yan, Feng & Luo (2025), doi:10.1093/biomtc/ujaf127",
        takes=("labels",),
        function=functools.partial(_agreement, space, both),
        part=functools.partial(_index_of_part, space, both),
        cost=functools.partial(_forecast, space),
    )


def _index_of_part(space: "_Space", both: bool, objects: Integers) -> Index:
    """The index of some of the objects."""
    return _index(space.part(objects), both)


def _weigh_joined(alpha: float, d: Floats) -> Floats:
    """What a pair counts by default that only the second clustering puts together."""
    return alpha * np.exp(-d * d)


def _weigh_parted(alpha: float, d: Floats) -> Floats:
    """What a pair counts by default that only the first clustering puts together."""
    return alpha * -np.expm1(-d * d)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Space:
    """Where objects lie, and the weights of their pairs."""

    places: Floats | Pairs  # positions, or distances
    is_scaled: bool  # whether these are positions
    f: Weight
    h: Weight

    @property
    def n(self) -> int:
        """Number of objects."""
        return int(self.places.n or 0) if isinstance(self.places, Pairs) else len(self.places)

    @property
    def size(self) -> int:
        """Number of pairs that have a distance."""
        return self.places.first.size if isinstance(self.places, Pairs) else math.comb(self.n, 2)

    def part(self, objects: Integers) -> "_Space":
        """Where these objects lie, on the scale of all."""
        if isinstance(self.places, Pairs):
            return replace(self, places=self.places.part(objects))
        given = self.places[objects]
        return replace(self, places=given if self.is_scaled else given[:, objects])

    def pairs(self) -> Iterator[tuple[Integers, Integers, Floats, Floats]]:
        """Pairs of objects with f and h of their distances, some at a time."""
        if isinstance(self.places, Pairs):
            first, second, d = self.places[1:]
            yield first, second, *self._weights(d)
            return
        rows = max(1, PAIRS_AT_ONCE // max(self.n, 1))
        for start in range(0, self.n, rows):
            others = np.arange(start, self.n)
            first, second = np.nonzero(others[:rows, None] < others)
            first, second = first + start, second + start
            if self.is_scaled:
                d = np.sqrt(sum((x[first] - x[second]) ** 2 for x in self.places.T))
            else:
                d = self.places[first, second]
            yield first, second, *self._weights(d)

    def _weights(self, d: Floats) -> tuple[Floats, Floats]:
        """Values of f and h, checked."""
        found = []
        for name, function in (("f", self.f), ("h", self.h)):
            values = np.broadcast_to(np.asarray(function(d), dtype=np.float64), d.shape)
            outside = ~((values >= 0.0) & (values <= 1.0))
            if outside.any():
                e = int(outside.argmax())
                raise ArgumentValueError(
                    name, f"must give numbers in [0, 1]; got {values[e]} at distance {d[e]}."
                )
            found.append(values)
        return found[0], found[1]


def _agreement(space: _Space, both: bool, P: Partition, Q: Partition) -> Agreement:
    """Index with its exact mean and variance."""
    n = require_objects("positions" if space.is_scaled else "distances", space.n, P, Q)
    pairs = math.comb(n, 2)
    sums = _sums(space, P, Q)
    if not pairs:
        return Agreement(observed=math.nan, sums=sums)
    sizes = np.bincount(P.codes), np.bincount(Q.codes)
    p, q = map(together_share, sizes)
    if both:  # weights of u, of v and of u v
        of_p, of_q, of_both = WeightSums(n, 2.0 * q - 1.0), WeightSums(n, 2.0 * p - 1.0), WeightSums(n, 2.0)
        for first, second, f, h in space.pairs():
            C = 2.0 - f - h
            of_p.add(first, second, h - 1.0 + q * C)
            of_q.add(first, second, f - 1.0 + p * C)
            of_both.add(first, second, C)
        mean, variance = both_permuted_moments(of_p.space(), of_q.space(), of_both.space(), sizes)
        mean += pairs
    else:
        of_v, apart = WeightSums(n, -1.0, 2.0, P.codes), []
        for first, second, f, h in space.pairs():
            u = P.codes[first] == P.codes[second]
            of_v.add(first, second, np.where(u, 1.0 - h, f - 1.0))
            apart.append(float(np.sum(h[u])))
        mean, variance = permutation_moments(of_v.space(), partition_space(sizes[1]))
        mean += pairs * (1.0 - p) + math.fsum(apart)
    at_zero = 1.0 - p - q
    return Agreement(
        observed=at_zero + float(sums(np.arange(n)[None])[0]) / pairs,
        expected=mean / pairs,
        variance=variance / pairs**2,
        sums=sums,
        at_zero=at_zero,
        slope=1.0 / pairs,
        nanoseconds=6.0 * space.size + 60.0 * n,
        both=both,
    )


def _forecast(space: _Space, P: Partition, Q: Partition) -> tuple[float, float]:
    """Nanoseconds and bytes of the value and the mean: of all pairs, some ten numbers each at a time."""
    return 80.0 * space.size, 80.0 * min(space.size, PAIRS_AT_ONCE)


def _sums(space: _Space, P: Partition, Q: Partition) -> Sums:
    """Twice the pairs together in both clusterings and the weights of disagreements, by permutation."""
    clusters = int(Q.codes.max(initial=0)) + 1

    def sums(permutations: Integers) -> Floats:
        both = permutations.ndim == 3
        of_p = P.codes[permutations[:, 0]] if both else P.codes[None]
        of_q = Q.codes[permutations[:, 1] if both else permutations]
        out = np.empty(len(of_q))
        for t, cells in enumerate(of_p * clusters + of_q):
            counts = np.unique(cells, return_counts=True)[1]
            out[t] = float(np.sum(counts * (counts - 1)))
        for first, second, f, h in space.pairs():
            add_disagreements(first, second, f, h, of_p, of_q, out)
        return out

    return sums


def _scaled(positions: Any) -> Floats:
    """Coordinates between 0 and 1; 0 if all objects share one."""
    x = np.asarray(positions)
    if x.ndim != 2 or x.dtype.kind not in "biuf":
        raise ArgumentTypeError(
            "positions",
            f"must be numbers of shape (objects, dimensions); got shape {x.shape} of dtype {x.dtype}.",
        )
    x = x.astype(np.float64)
    if not np.isfinite(x).all():
        raise ArgumentValueError("positions", "must be finite numbers; got nan or infinity.")
    if len(x) == 0:
        return x
    low, width = x.min(axis=0), np.ptp(x, axis=0)
    scaled: Floats = (x - low) / np.where(width > 0.0, width, 1.0)
    return scaled


def _distances(distances: Any) -> Floats | Pairs:
    """Distances, as a symmetric matrix or pair by pair."""
    if hasattr(distances, "tocoo"):
        pairs = sparse_pairs("distances", distances)
        require_distances("distances", pairs.values)
        return pairs
    matrix = distance_matrix("distances", distances)
    apart = np.abs(matrix - matrix.T)
    if apart.size and apart.max() > FLOAT32_ROUNDING * matrix.max():
        i, j = map(int, np.unravel_index(int(apart.argmax()), matrix.shape))
        raise ArgumentValueError(
            "distances", f"must be symmetric; got {matrix[i, j]} and {matrix[j, i]} for the pair {(i, j)}."
        )
    return matrix
