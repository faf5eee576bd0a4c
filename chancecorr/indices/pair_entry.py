"""Entries of pair-counting indices: functions of the pairs that two clusterings put together or apart.

Of the ``N = n(n-1)/2`` pairs a are together in both clusterings, b in the reference only, c in the candidate
only, d in neither: ``P = a + b`` are together in the reference and ``P' = c + d`` are not, ``Q = a + c`` are
together in the candidate and ``Q' = b + d`` are not; ``D = a d - b c``.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chancecorr.indices.entry import add_index, member
from chancecorr.machine.arrays import Floats

Linear = tuple[tuple[int, int, int, int], tuple[int, int, int, int]]
"""Coefficients of a, b, c, d in the numerator and in the denominator of a ratio."""


def pair_index(
    name: str, formula: str, function: Callable[..., Floats] | Linear, about: str, **fields: Any
) -> None:
    """Register a similarity of pair counts: a function, or a ratio of linear forms by its coefficients."""
    fields = {"symmetric": True} | fields
    if isinstance(function, tuple):
        upper, lower = fields["linear"] = function
        # with T by one more, a and d grow by one half, and b and c fall by as much
        fields["affine"] = lower[0] + lower[3] == lower[1] + lower[2]
        fields["symmetric"] = upper[1] == upper[2] and lower[1] == lower[2]
        function = make_ratio(upper, lower)
    add_index(name, formula, function, about, needs="pairs", family="pair_counting", **fields)


def make_ratio(upper: Sequence[int], lower: Sequence[int]) -> Callable[..., Floats]:
    """The function that divides two sums of coefficients times pair counts."""

    def divide(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
        return add_terms(upper, (a, b, c, d)) / add_terms(lower, (a, b, c, d))

    return divide


def add_terms(coefficients: Sequence[int], counts: Sequence[Floats]) -> Floats:
    """Sum of coefficients times counts, one after the other; those of 0 are left out."""
    total: Floats | None = None
    for k, count in zip(coefficients, counts, strict=True):
        if k:
            term = count if k == 1 else k * count
            total = term if total is None else total + term
    return np.zeros_like(counts[0]) if total is None else total


affine_index = functools.partial(pair_index, affine=True)
"""Entry of an index of the L family: affine in T once the cluster sizes are given."""

coefficient = functools.partial(affine_index, range=(-1.0, 1.0))
"""Entry of a coefficient from -1 to 1 that is affine in T."""

count_index = functools.partial(affine_index, range=(0.0, math.inf), best=None)
"""Entry of a number of pairs, affine in T, whose best value depends on the cluster sizes."""

signed_index = functools.partial(pair_index, range=(-1.0, 1.0))
"""Entry of a similarity from -1 to 1."""

odds_index = functools.partial(pair_index, range=(0.0, math.inf), best=math.inf)
"""Entry of a ratio that is infinite for equal clusterings."""

distance = functools.partial(pair_index, best=0.0)
"""Entry of a pair-counting distance."""

pair_member = functools.partial(member, needs="pairs", family="pair_counting", symmetric=True)
"""Member of a family of pair-counting indices, symmetric unless it says otherwise."""

CHOI = "Choi, Cha & Tappert (2010), Journal of Systemics, Cybernetics and Informatics 8(1), 43-48"
