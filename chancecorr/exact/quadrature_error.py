"""How far Gauss quadrature of the law of T can be off, by the moments of T and by the index itself.

`chancecorr.exact.quadrature` asks here for a bound with each of its rules (`bound_remainder`), and gives it
the values of the index f. With p the polynomial that agrees with f at the k nodes and at a place between each
two of them, ``E f - Q f = E (f - p)``. How much probability lies where they differ is bounded by ``lambda(x)
= 1 / sum_(j < k) p_j(x)**2`` from the orthonormal polynomials of the law: Akhiezer (1965), "The Classical
Moment Problem", section 2.5. See "The error of quadrature" in docs/explanation/derivations.md.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from chancecorr.exact.summary import EPSILON
from chancecorr.machine.arrays import Booleans, Floats, Integers

BETWEEN_NODES, BEYOND_NODES = 16, 160
"""Values looked at between neighbouring nodes, and beyond the nodes on either side, where there are more."""

LEAST_DISTANCE = 2.0**-26
"""Of a place between two nodes from either, in units of the space between them. The polynomial magnifies
rounding by up to the inverse of it. With 2**-10 errors stated for huge clusters were up to 100,000 times
wider."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Remainder:
    """Bounds of the remainder of quadrature for every index."""

    # shape (k - 1,): places between the nodes of the rule where indices are asked as well, as distances
    # from the mean of T
    between: Floats
    # shape (m,): values of T where indices are compared with their polynomials, ascending
    pair_sums: Integers
    every: bool  # whether these are all within the bounds of T, of the parity that T has
    # shape (m, 2 k - 1): what takes the values at the nodes, those of the rule first, to the polynomial at
    # `pair_sums`
    interpolation: Floats
    most: Floats  # shape (m,): upper bounds ``lambda`` of the probabilities there
    # which of `pair_sums` lie between two neighbouring nodes of the rule, and the most that these can have
    spaces: tuple[tuple[Booleans, float], ...]
    above: Booleans  # shape (m,): which lie beyond all nodes
    below: Booleans
    outermost: tuple[float, float]  # weights of the largest and the smallest node

    def bound(self, at_nodes: Floats, at_pair_sums: Floats) -> float:
        """Bound of ``abs(E f - Q f)``, what rounding makes of f aside."""
        apart = np.abs(at_pair_sums - self.interpolation @ at_nodes)
        rounding = 8.0 * EPSILON * (np.abs(at_pair_sums) + np.abs(self.interpolation) @ np.abs(at_nodes))
        apart = np.maximum(apart - rounding, 0.0)
        total = 0.0
        for inside, weight in self.spaces:  # all that a space can have, where the two are furthest apart
            total += weight * float(apart[inside].max(initial=0.0)) if not self.every else 0.0
            if self.every:
                order = np.argsort(-apart[inside])
                filled = np.minimum(np.cumsum(self.most[inside][order]), weight)
                total += float((np.diff(filled, prepend=0.0) * apart[inside][order]).sum())
        if not self.every:
            # far out the polynomial magnifies what rounding inside f leaves, as much as its matrix is large
            magnified = np.abs(self.interpolation).sum(axis=1)
            among_nodes = ~(self.above | self.below)
            apart -= 4.0 * float(np.median((apart / magnified)[among_nodes])) * magnified
            apart = np.maximum(apart, 0.0)
        total += self._bound_beyond(apart[self.above], self.most[self.above], self.outermost[0])
        return total + self._bound_beyond(
            apart[self.below][::-1], self.most[self.below][::-1], self.outermost[1]
        )

    def _bound_beyond(self, apart: Floats, most: Floats, weight: float) -> float:
        """The most that a tail can contribute: ``sum (M_i - M_(i-1)) P(beyond i)``, M_i the most up to i."""
        if not self.every:  # between two values looked at: distance of the outer one, tail of the inner one
            most = np.append(weight, most)[:-1]
        return float((np.diff(np.maximum.accumulate(apart), prepend=0.0) * most).sum())


def place_between(nodes: Floats, nodes_of_one_less: Floats) -> Floats:
    """Places between the nodes of a rule, near the nodes of the rule with one node less; shape (k - 1,)."""
    least = LEAST_DISTANCE * np.diff(nodes)
    return np.clip(nodes_of_one_less, nodes[:-1] + least, nodes[1:] - least)


def bound_remainder(
    offsets: tuple[Floats, Floats],
    weights: Floats,
    recurrence: tuple[Sequence[Fraction], Sequence[float]],
    centre: Fraction,
    bounds: tuple[int, int],
    std: float,
) -> Remainder:
    """Bounds of the remainder of a rule."""
    nodes = np.concatenate(offsets)
    near_centre = bounds[0] + 2 * round((centre - bounds[0]) / 2)  # a value that T may take
    pair_sums, every = _choose_places(np.sort(nodes), near_centre, bounds, std)
    x = np.array([T - near_centre for T in pair_sums], dtype=np.float64) + float(near_centre - centre)
    rule = offsets[0]
    spaces = tuple(
        ((x > rule[i]) & (x < rule[i + 1]), float(weights[i] + weights[i + 1])) for i in range(rule.size - 1)
    )
    return Remainder(
        between=offsets[1],
        pair_sums=np.array(pair_sums, dtype=np.int64),
        every=every,
        interpolation=_interpolate(nodes, x),
        most=_bound_probabilities(x, *recurrence),
        spaces=spaces,
        above=x >= rule[-1],
        below=x <= rule[0],
        outermost=(float(weights[-1]), float(weights[0])),
    )


def _choose_places(
    nodes: Floats, near_centre: int, bounds: tuple[int, int], std: float
) -> tuple[list[int], bool]:
    """Values that T may take within its bounds, ascending: all, or some; and whether these are all."""
    low, high = bounds
    steps = (high - low) // 2
    if steps < 2048:  # so few values are all looked at
        return [low + 2 * i for i in range(steps + 1)], True
    parts = (np.arange(BETWEEN_NODES) + 0.5) / BETWEEN_NODES
    between = [x + (y - x) * parts for x, y in itertools.pairwise(nodes)]
    beyond = [
        side * np.geomspace(0.05 * std, max(float(end), 0.1 * std), BEYOND_NODES) + node
        for side, node, end in (
            (-1, nodes[0], near_centre - low + nodes[0]),
            (1, nodes[-1], high - near_centre - nodes[-1]),
        )
    ]
    steps_away = np.rint(np.concatenate([*between, *beyond]) / 2.0).tolist()
    whole = {near_centre + 2 * int(step) for step in steps_away}
    return sorted({low, high} | {T for T in whole if low <= T <= high}), False


def _interpolate(nodes: Floats, x: Floats) -> Floats:
    """Matrix that takes values at the nodes to the polynomial through them at x."""
    scale = (nodes.max() - nodes.min()) / 4.0  # so that products of distances neither overflow nor vanish
    apart = (nodes[:, np.newaxis] - nodes) / scale
    np.fill_diagonal(apart, 1.0)
    to_nodes = (x[:, np.newaxis] - nodes) / scale
    columns = [np.prod(np.delete(to_nodes, j, axis=1), axis=1) for j in range(nodes.size)]
    found: Floats = np.stack(columns, axis=1) / apart.prod(axis=1)
    return found


def _bound_probabilities(x: Floats, alpha: Sequence[Fraction], roots: Sequence[float]) -> Floats:
    """``1 / sum_j p_j(x)**2`` by the recurrence of the orthonormal polynomials."""
    before, last = np.zeros_like(x), np.ones_like(x)
    total = np.ones_like(x)
    for j, root in enumerate(roots):
        following = (x - float(alpha[j])) * last - (roots[j - 1] * before if j else 0.0)
        before, last = last, following / root
        total += last**2
    found: Floats = 1.0 / total
    return found
