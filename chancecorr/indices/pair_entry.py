"""Entries of pair-counting indices: how they are made."""

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from chancecorr.indices.entry import entry, member
from chancecorr.machine.arrays import Floats

pair_index = functools.partial(entry, needs="pairs", family="pair_counting", symmetric=True)
"""Entry of a pair-counting index, a symmetric similarity unless it says otherwise."""

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


def linear_form(coefficients: Sequence[int], counts: Sequence[Floats]) -> Floats:
    """Sum of coefficients times counts, one after the other; those of 0 are left out."""
    total: Floats | None = None
    for k, count in zip(coefficients, counts, strict=True):
        if k:
            term = count if k == 1 else k * count
            total = term if total is None else total + term
    return np.zeros_like(counts[0]) if total is None else total


def ratio_index(
    name: str, formula: str, about: str, linear: tuple[Sequence[int], Sequence[int]], **fields: Any
) -> None:
    """Register a ratio of two linear forms in the pair counts, whose function is made from these."""
    upper, lower = linear

    def ratio(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
        return linear_form(upper, (a, b, c, d)) / linear_form(lower, (a, b, c, d))

    ratio.__name__, ratio.__doc__ = name, about
    # with T by one more, a and d grow by one half, and b and c fall by as much
    affine = lower[0] + lower[3] == lower[1] + lower[2]
    symmetric = upper[1] == upper[2] and lower[1] == lower[2]
    pair_index(formula, linear=linear, affine=affine, symmetric=symmetric, **fields)(ratio)
