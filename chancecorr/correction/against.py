"""A value set against what chance gives and what is best: the formula of every adjusted score."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

import numpy as np

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.options import Request
from chancecorr.clusterings.index import PairIndex
from chancecorr.exact.adjusted_score import compute_adjusted_score
from chancecorr.indices.calling import IndexEvaluationError
from chancecorr.indices.registry import Index
from chancecorr.tables.contingency import ContingencyTable

RANGE_ROUNDING = 1e-6
"""How far a value may be outside the range of its index: what shares and degrees of float32 leave, which are
taken to be off by as much, and far more than sums over pairs of doubles leave."""

Undefined = Literal["nan", "one", "zero"]
"""Value in place of an adjusted score that is not defined."""


TWICE_BEST_PAIR_SUM: Mapping[str, Callable[[int, int], int]] = MappingProxyType(
    {
        "adjusted_rand": lambda A, B: A + B,
        "adjusted_wallace_1": lambda A, B: 2 * A,
        "adjusted_wallace_2": lambda A, B: 2 * B,
        "loevinger": lambda A, B: 2 * min(A, B),
        "braun_blanquet": lambda A, B: 2 * max(A, B),
    }
)
"""Twice the T at which the indices that are corrected as these are best, from the sums of squared totals."""


def adjusted_pair_sum(index: Index, T: int, A: int, B: int, n: int, asked: Request) -> float | None:
    """``(T - E T) / (T' - E T)``, rounded once, for an index affine in T and best at a whole 2 T'; else None.

    That is its adjusted score under fixed margins, and keeps the digits that the index loses where it is near
    its best value by chance, with ``E T - n = (A - n) (B - n) / (n (n - 1))`` of Hubert & Arabie (1985).
    """
    twice = TWICE_BEST_PAIR_SUM.get(index.corrected_as or index.name)
    if twice is None or asked.best is not None or not asked.model.is_permutation or asked.method.only_tables:
        return None
    pairs, by_chance = n * (n - 1), 2 * (A - n) * (B - n)
    room = (twice(A, B) - 2 * n) * pairs - by_chance
    return (2 * (T - n) * pairs - by_chance) / room if room else None


def set_against(
    index: Index, observed: float, best: float, mean: float, constant: bool, exactly: float | None = None
) -> float:
    """``(observed - mean) / (best - mean)``; nan where the divisor is made of rounding, or not finite.

    A score that is known `exactly` is taken as it is, unless the index is undefined or `constant`.
    """
    if exactly is not None and not constant and math.isfinite(observed - mean):
        return exactly
    # Where the best value hangs on the clusterings, a larger mean would make the sign wrong. Models in which
    # sizes vary have tables with more clusters.
    if index.constant or (index.best is None and best < mean):
        return math.nan
    return compute_adjusted_score(observed, best, mean, constant=constant)


def require_range(index: Index | PairIndex, observed: float, null: NullDistribution) -> None:
    """Raise if the index is outside its range: observed, under chance, or on average where this is known."""
    values = null.values if null.mean_from == "monte-carlo" else np.append(null.values, null.mean)
    for worst, end, sign in zip(
        (np.fmin.reduce(values, initial=observed), np.fmax.reduce(values, initial=observed)),
        index.range,
        (-1.0, 1.0),
        strict=True,
    ):
        if sign * worst > sign * end + RANGE_ROUNDING * max(1.0, abs(end)) + null.error:
            raise IndexEvaluationError(
                f"Index {index.name!r} must stay within its range, {index.range[0]:g} to {index.range[1]:g};"
                f" got {worst:.6g}."
            )


def defined(adjusted: float, undefined: str, table: ContingencyTable) -> float:
    """An adjusted score or, for nan, its stand-in: "one" is 0 unless the two clusterings are the same."""
    if not math.isnan(adjusted) or undefined == "nan":
        return adjusted
    filled = table.nonzero_cells[0].size
    occupied = [int(np.count_nonzero(totals)) for totals in (table.row_totals, table.column_totals)]
    return 1.0 if undefined == "one" and occupied == [filled, filled] else 0.0
