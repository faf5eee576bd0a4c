"""Components of the moments of ``T = sum(n_ij**2)``, at any order: c_m(lambda) and R(lambda).

Notation as in `chancecorr.tables.pair_sum`. Let ``y_s`` mark a component of size s, ``y^lambda`` be
the product of these marks, and ``lambda!`` that of the factorials of the multiplicities in lambda. The ways
to place components inside one class of size a, and inside any of the classes ``a_1, a_2, ...``, are ::

    G_a(y) = sum over lambda of  (a)_|lambda| y^lambda / lambda!
    sum over lambda of  R(lambda) y^lambda / lambda!  =  prod_i G_(a_i)(y)

Logarithms turn the product into a sum, so that R is made from ``K(lambda) = sum_i kappa_(a_i)(lambda)`` as
moments are from cumulants; ``sum kappa_a(lambda) y^lambda / lambda! = log G_a(y)``. A cumulant of r
components counts, with signs, the choices of objects in which the components overlap and so hang together.
These hold ``|lambda| - r + 1`` objects at most, ``m + 1`` for m pairs, which is its degree as a polynomial in
a. Hence K is linear in ``F_k = sum_i (a_i)_k`` with k up to ``order + 1``, and its whole coefficients depend
on the order alone.
"""

import functools
import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from chancecorr.machine.arrays import Integers

Sizes: TypeAlias = tuple[int, ...]
"""Component sizes lambda, ascending."""

_Split: TypeAlias = tuple[int, Sizes, Sizes]


def factorial_sums(totals: Integers, order: int) -> list[int]:
    """``F_k = sum_i (a_i)_k`` for k = 0, ..., order, in Python integers."""
    sizes, multiplicities = np.unique(totals, return_counts=True)
    classes = list(zip(sizes.tolist(), multiplicities.tolist(), strict=True))
    return [sum(count * math.perm(size, k) for size, count in classes) for k in range(order + 1)]


@functools.cache
def pair_sequences(order: int) -> tuple[Mapping[Sizes, int], ...]:
    """``c_m(lambda)`` for m = 1, ..., order: sequences of m ordered pairs that leave components lambda.

    One more pair falls inside a component of size s in ``s (s - 1)`` ways, joins components s and t in
    ``2 s t``, adds a new object to a component in ``2 s``, and starts a component of two new objects in 1.
    """
    if order == 1:
        return ({(2,): 1},)
    shorter = pair_sequences(order - 1)
    longer: Counter[Sizes] = Counter()
    for sizes, count in shorter[-1].items():
        multiplicity = Counter(sizes)
        longer[sizes] += count * sum(s * (s - 1) for s in sizes)
        for s, times in multiplicity.items():
            longer[_replaced(sizes, (s,), s + 1)] += count * times * 2 * s
        for s, t in itertools.combinations_with_replacement(multiplicity, 2):
            times = math.comb(multiplicity[s], 2) if s == t else multiplicity[s] * multiplicity[t]
            if times:
                longer[_replaced(sizes, (s, t), s + t)] += count * times * 2 * s * t
        longer[_replaced(sizes, (), 2)] += count
    return (*shorter, dict(longer))


def arrangements(order: int, F: Sequence[int]) -> dict[Sizes, int]:
    """``R(lambda)`` for every lambda of `pair_sequences`, from ``F_k = sum_i (a_i)_k`` up to order + 1."""
    splits, coefficients = _expansion(order)
    K = {
        sizes: sum(c * F_k for c, F_k in zip(row, F, strict=True) if c) for sizes, row in coefficients.items()
    }
    R: dict[Sizes, int] = {(): 1}
    for sizes, parts in splits.items():
        R[sizes] = sum(times * K[together] * R[apart] for times, together, apart in parts)
    return R


@functools.cache
def _expansion(order: int) -> tuple[dict[Sizes, list[_Split]], dict[Sizes, list[int]]]:
    """How each lambda splits into the components in the class of its last one and the rest; K in the F_k."""
    every_size = sorted(pair_sequences(order)[-1], key=lambda sizes: (len(sizes), sizes))
    splits = {sizes: _splits(sizes) for sizes in every_size}
    falling = [[math.perm(a, k) for a in range(order + 2)] for k in range(2 * order + 1)]
    kappa: dict[Sizes, list[int]] = {}  # values at a = 0, ..., order + 1, which fix the polynomial
    for sizes, parts in splits.items():
        values = list(falling[sum(sizes)])
        for times, together, apart in parts:
            if apart:
                known, rest = kappa[together], falling[sum(apart)]
                values = [v - times * x * y for v, x, y in zip(values, known, rest, strict=True)]
        kappa[sizes] = values
    return splits, {sizes: _in_falling_powers(values) for sizes, values in kappa.items()}


def _splits(sizes: Sizes) -> list[_Split]:
    """``(ways, the last component and those with it, the others)`` for each choice of those with it."""
    *others, last = sizes
    multiplicity = Counter(others)
    parts = []
    for chosen in itertools.product(*(range(times + 1) for times in multiplicity.values())):
        ways, together, apart = 1, [], []
        for (s, times), taken in zip(multiplicity.items(), chosen, strict=True):
            ways *= math.comb(times, taken)
            together += [s] * taken
            apart += [s] * (times - taken)
        parts.append((ways, (*together, last), tuple(apart)))
    return parts


def _in_falling_powers(values: list[int]) -> list[int]:
    """Coefficients of ``(a)_0, (a)_1, ...`` from values at a = 0, 1, ...: Newton's differences over k!."""
    coefficients = []
    for k in range(len(values)):
        coefficients.append(values[0] // math.factorial(k))
        values = [after - before for before, after in itertools.pairwise(values)]
    return coefficients


def _replaced(sizes: Sizes, old: Sizes, new: int) -> Sizes:
    """Sizes without the old ones and with the new one, ascending."""
    left = list(sizes)
    for s in old:
        left.remove(s)
    return tuple(sorted([*left, new]))
