"""Exact moments of ``T = sum(n_ij**2)`` when both margins are fixed, from the margins alone.

``U = T - n`` counts the ordered pairs of distinct objects that share a cell, so ``U**m`` is a sum over m such
pairs. The m pairs, seen as edges, join v objects into components of sizes lambda, ``v = |lambda|``. Of the
``(n)_v = n (n - 1) ... (n - v + 1)`` ordered choices of v objects, ``R_a(lambda)`` put each component inside
one row and ``R_b(lambda)`` each inside one column; with fixed margins the two are independent, hence ::

    E U^m = sum over lambda of  c_m(lambda) [lambda],      [lambda] = R_a(lambda) R_b(lambda) / (n)_v

with ``[lambda] = 0`` when ``v > n``, since there are no such objects. c_m and R come from
`chancecorr.tables.components`.
"""

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from chancecorr.arguments import as_count
from chancecorr.tables.components import Sizes, arrangements, factorial_sums, pair_sequences
from chancecorr.tables.contingency import Margins


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSumMoments:
    """Exact mean and central moments ``E (T - E T)**k``, k = 2, 3, 4, of ``T = sum(n_ij**2)``."""

    mean: Fraction
    variance: Fraction
    third: Fraction
    fourth: Fraction

    @property
    def std(self) -> float:
        """Standard deviation of T; correctly rounded, also where ``float(variance)`` would overflow."""
        return square_root(self.variance)

    @property
    def skewness(self) -> float:
        """``third / variance**1.5``; nan when T is constant."""
        if self.variance == 0:
            return math.nan
        size = square_root(self.third**2 / self.variance**3)
        return size if self.third >= 0 else -size

    @property
    def kurtosis(self) -> float:
        """Excess ``fourth / variance**2 - 3``, as in SciPy: 0 for a normal law; nan when T is constant."""
        if self.variance == 0:
            return math.nan
        return float(self.fourth / self.variance**2 - 3)

    def __repr__(self) -> str:
        """Four rounded numbers; the exact fractions run to hundreds of digits."""
        shape = f"skewness={self.skewness:.6g}, kurtosis={self.kurtosis:.6g}"
        return f"PairSumMoments(mean={float(self.mean):.6g}, std={self.std:.6g}, {shape})"


def pair_sum_mean(margins: Margins) -> Fraction:
    """Exact mean of ``T = sum(n_ij**2)`` over all tables (Hubert & Arabie 1985, doi:10.1007/BF01908075)."""
    n, (A, B) = margins.n, margins.squares
    return n + Fraction((A - n) * (B - n), max(n * (n - 1), 1))


def pair_sum_moments(margins: Margins) -> PairSumMoments:
    """Exact mean and central moments, to order 4, of ``T = sum(n_ij**2)`` over all tables."""
    mu, second, third, fourth = raw_moments(margins)
    return PairSumMoments(
        mean=mu + margins.n,
        variance=second - mu**2,
        third=third - 3 * mu * second + 2 * mu**3,
        fourth=fourth - 4 * mu * third + 6 * mu**2 * second - 3 * mu**4,
    )


@functools.lru_cache(maxsize=32)
def raw_moments(margins: Margins, order: int = 4) -> tuple[Fraction, ...]:
    """Moments ``E U**m``, m = 1, ..., order, of the ordered pairs ``U = T - n`` of objects that share a cell.

    The mean is in Hubert & Arabie (1985), doi:10.1007/BF01908075, the variance in Brook & Stirling (1984),
    British Journal of Mathematical and Statistical Psychology 37, and in Steinley, Brusco & Hubert (2016),
    doi:10.1037/met0000049.
    """
    order = as_count("order", order)
    R_a, R_b = (_side(order, totals.tobytes()) for totals in (margins.row_totals, margins.column_totals))
    return tuple(moments_of_arrangements(R_a, R_b, margins.n, order))


def moments_of_arrangements(
    R_a: Mapping[Sizes, int], R_b: Mapping[Sizes, int], n: int, order: int
) -> list[Fraction]:
    """Moments ``E U**m`` of n objects from the `arrangements` of rows and of columns."""
    coefficients = pair_sequences(order)
    most_objects = min(n, 2 * order)
    # [lambda] over the common denominator (n)_most_objects: one gcd per moment rather than one per term
    brackets = {
        sizes: R_a[sizes] * R_b[sizes] * math.perm(n - sum(sizes), most_objects - sum(sizes))
        for sizes in coefficients[-1]
        if sum(sizes) <= n
    }
    denominator = math.perm(n, most_objects)
    return [
        Fraction(sum(c[sizes] * bracket for sizes, bracket in brackets.items() if sizes in c), denominator)
        for c in coefficients
    ]


@functools.lru_cache(maxsize=128)
def _side(order: int, totals: bytes) -> Mapping[Sizes, int]:
    """``R(lambda)`` of one side, its totals as bytes; kept, as a clustering is compared with many others."""
    return arrangements(order, factorial_sums(np.frombuffer(totals, dtype=np.int64), order + 1))


def central_moments(margins: Margins, order: int) -> list[Fraction]:
    """Central moments ``E (T - E T)**m``, m = 1, ..., order, from `raw_moments`."""
    raw = [Fraction(1), *raw_moments(margins, order)]
    p, q = raw[1].as_integer_ratio()
    common = math.lcm(*(moment.denominator for moment in raw))
    scaled = [int(moment * common) * q**m for m, moment in enumerate(raw)]
    return [
        Fraction(sum(math.comb(m, j) * scaled[j] * (-p) ** (m - j) for j in range(m + 1)), common * q**m)
        for m in range(1, len(raw))
    ]


def square_root(x: Fraction) -> float:
    """Square root, correctly rounded, also where ``float(x)`` would overflow or underflow."""
    shift = max(0, 64 - (x.numerator.bit_length() - x.denominator.bit_length()) // 2)
    scaled = x.numerator << 2 * shift
    root = math.isqrt(scaled // x.denominator)
    root |= root * root * x.denominator != scaled  # an odd last bit stands for the digits cut off
    return root / (1 << shift)
