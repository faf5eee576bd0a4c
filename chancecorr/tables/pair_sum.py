"""Exact moments of ``T = sum(n_ij**2)`` under fixed margins, computed from the margins alone.

``U = T - n`` counts the ordered pairs of distinct objects in one cell, so ``U**m`` is a sum over sequences of
m such pairs. As edges, the m pairs join v objects into components of sizes lambda. Among the ``(n)_v``
ordered choices of v objects, ``R_a(lambda)`` have each component inside one row, and ``R_b(lambda)`` have
each component inside one column. Rows and columns are independent with fixed margins, hence ::

    E U^m = sum over lambda of  c_m(lambda) R_a(lambda) R_b(lambda) / (n)_v

with c_m and R from `count_pair_sequences` and `count_arrangements`. R is computed from ``K(lambda) = sum_i
kappa_(a_i)(lambda)`` as moments are computed from cumulants, with classes of sizes a_i. A cumulant of m pairs
counts choices with connected components, at most ``m + 1`` objects, and is a polynomial of this degree in a.
So K is linear in ``F_k = sum_i (a_i)_k`` with k up to ``order + 1``, and its integer coefficients depend only
on the order.
"""

import functools
import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from chancecorr.machine.arguments import as_count
from chancecorr.machine.arrays import Integers
from chancecorr.machine.kept import keep_recent
from chancecorr.tables.contingency import Margins

GroupSizes: TypeAlias = tuple[int, ...]  # component sizes lambda, ascending
_Split: TypeAlias = tuple[int, GroupSizes, GroupSizes]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSumMoments:
    """Exact mean and central moments ``E (T - E T)**k``, k = 2, 3, 4, of ``T = sum(n_ij**2)``."""

    mean: Fraction
    variance: Fraction
    third: Fraction
    fourth: Fraction
    std: float = field(init=False)  # correctly rounded, also where ``float(variance)`` would overflow
    skewness: float = field(init=False)  # ``third / variance**1.5``; nan when T is constant
    kurtosis: float = field(init=False)  # ``fourth / variance**2 - 3``, 0 for a normal law; nan likewise

    def __post_init__(self) -> None:
        """Compute standard deviation, skewness and kurtosis."""
        shape = {"std": square_root(self.variance), "skewness": math.nan, "kurtosis": math.nan}
        if self.variance:
            size = square_root(self.third**2 / self.variance**3)
            shape["skewness"] = size if self.third >= 0 else -size
            shape["kurtosis"] = float(self.fourth / self.variance**2 - 3)
        for name, value in shape.items():
            object.__setattr__(self, name, value)


def compute_pair_sum_mean(margins: Margins) -> Fraction:
    """Compute the exact mean of ``T = sum(n_ij**2)`` (Hubert & Arabie 1985, doi:10.1007/BF01908075)."""
    n, (A, B) = margins.n, margins.squares
    return n + Fraction((A - n) * (B - n), max(n * (n - 1), 1))


def compute_pair_sum_moments(margins: Margins) -> PairSumMoments:
    """Compute the exact mean and central moments, to order 4, of ``T = sum(n_ij**2)`` over all tables."""
    _, variance, third, fourth = compute_central_moments(margins, 4)
    mean = compute_pair_sum_mean(margins)
    return PairSumMoments(mean=mean, variance=variance, third=third, fourth=fourth)


@keep_recent
def compute_raw_moments(margins: Margins, order: int = 4) -> tuple[Fraction, ...]:
    """Compute the moments ``E U**m``, m = 1, ..., order, of ``U = T - n``.

    ``U`` is the number of ordered pairs of objects in one cell.

    Mean in Hubert & Arabie (1985), doi:10.1007/BF01908075, variance in Steinley, Brusco & Hubert (2016),
    doi:10.1037/met0000049.
    """
    order = as_count("order", order)
    R_a, R_b = (
        _count_side_arrangements(order, totals.tobytes())
        for totals in (margins.row_totals, margins.column_totals)
    )
    return tuple(combine_arrangements(R_a, R_b, margins.n, order))


def combine_arrangements(
    R_a: Mapping[GroupSizes, int], R_b: Mapping[GroupSizes, int], n: int, order: int
) -> list[Fraction]:
    """Compute the moments ``E U**m`` of n objects from the `count_arrangements` of rows and of columns."""
    coefficients = count_pair_sequences(order)
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


@keep_recent
def _count_side_arrangements(order: int, totals: bytes) -> Mapping[GroupSizes, int]:
    """Compute ``R(lambda)`` of one side from its totals as bytes; cached, because a side recurs."""
    return count_arrangements(order, sum_factorials(np.frombuffer(totals, dtype=np.int64), order + 1))


def compute_central_moments(margins: Margins, order: int) -> list[Fraction]:
    """Compute the central moments ``E (T - E T)**m``, m = 1, ..., order, from `compute_raw_moments`."""
    raw = [Fraction(1), *compute_raw_moments(margins, order)]
    p, q = raw[1].as_integer_ratio()
    common = math.lcm(*(moment.denominator for moment in raw))
    scaled = [int(moment * common) * q**m for m, moment in enumerate(raw)]
    return [
        Fraction(sum(math.comb(m, j) * scaled[j] * (-p) ** (m - j) for j in range(m + 1)), common * q**m)
        for m in range(1, len(raw))
    ]


def square_root(x: Fraction) -> float:
    """Compute the correctly rounded square root, also if ``float(x)`` would overflow or underflow."""
    shift = max(0, 64 - (x.numerator.bit_length() - x.denominator.bit_length()) // 2)
    scaled = x.numerator << 2 * shift
    root = math.isqrt(scaled // x.denominator)
    root |= root * root * x.denominator != scaled  # an odd last bit represents the digits cut off
    return root / (1 << shift)


def sum_factorials(totals: Integers, order: int) -> list[int]:
    """Compute ``F_k = sum_i (a_i)_k`` for k = 0, ..., order, in Python integers."""
    sizes, multiplicities = np.unique(totals, return_counts=True)
    classes = list(zip(sizes.tolist(), multiplicities.tolist(), strict=True))
    return [sum(count * math.perm(size, k) for size, count in classes) for k in range(order + 1)]


@functools.cache
def count_pair_sequences(order: int) -> tuple[Mapping[GroupSizes, int], ...]:
    """Compute ``c_m(lambda)``, m = 1, ..., order: the sequences of m ordered pairs with components lambda.

    One more pair falls inside a component of size s in ``s (s - 1)`` ways, joins components s and t in
    ``2 s t``, adds a new object to a component in ``2 s``, and starts a component of two new objects in 1.
    """
    if order == 1:
        return ({(2,): 1},)
    shorter = count_pair_sequences(order - 1)
    longer: Counter[GroupSizes] = Counter()
    for sizes, count in shorter[-1].items():
        multiplicity = Counter(sizes)
        longer[sizes] += count * sum(s * (s - 1) for s in sizes)
        for s, times in multiplicity.items():
            longer[_replace_sizes(sizes, (s,), s + 1)] += count * times * 2 * s
        for s, t in itertools.combinations_with_replacement(multiplicity, 2):
            times = math.comb(multiplicity[s], 2) if s == t else multiplicity[s] * multiplicity[t]
            if times:
                longer[_replace_sizes(sizes, (s, t), s + t)] += count * times * 2 * s * t
        longer[_replace_sizes(sizes, (), 2)] += count
    return (*shorter, dict(longer))


def count_arrangements(order: int, F: Sequence[int]) -> dict[GroupSizes, int]:
    """Compute ``R(lambda)`` for every lambda of a sequence of pairs from ``F_k``, k <= order + 1."""
    splits, coefficients = _expand(order)
    K = {
        sizes: sum(c * F_k for c, F_k in zip(row, F, strict=True) if c) for sizes, row in coefficients.items()
    }
    R: dict[GroupSizes, int] = {(): 1}
    for sizes, parts in splits.items():
        R[sizes] = sum(times * K[together] * R[apart] for times, together, apart in parts)
    return R


@functools.cache
def _expand(order: int) -> tuple[dict[GroupSizes, list[_Split]], dict[GroupSizes, list[int]]]:
    """List, for each lambda, the splits into the last component's class and the rest; and K in the F_k."""
    every_size = sorted(count_pair_sequences(order)[-1], key=lambda sizes: (len(sizes), sizes))
    splits = {sizes: _list_splits(sizes) for sizes in every_size}
    falling = [[math.perm(a, k) for a in range(order + 2)] for k in range(2 * order + 1)]
    kappa: dict[GroupSizes, list[int]] = {}  # values at a = 0, ..., order + 1, which fix the polynomial
    coefficients: dict[GroupSizes, list[int]] = {}
    for sizes, parts in splits.items():
        values = list(falling[sum(sizes)])
        for times, together, apart in parts:
            if apart:
                value, rest = kappa[together], falling[sum(apart)]
                values = [v - times * x * y for v, x, y in zip(values, value, rest, strict=True)]
        kappa[sizes], coefficients[sizes] = values, []
        for k in range(order + 2):  # Newton's differences over k!
            coefficients[sizes].append(values[0] // math.factorial(k))
            values = [after - before for before, after in itertools.pairwise(values)]
    return splits, coefficients


def _list_splits(sizes: GroupSizes) -> list[_Split]:
    """List ``(ways, class, rest)`` for each class of components that contains the last component."""
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


def _replace_sizes(sizes: GroupSizes, old: GroupSizes, new: int) -> GroupSizes:
    """Replace the old sizes by the new size, and sort."""
    left = list(sizes)
    for s in old:
        left.remove(s)
    return tuple(sorted([*left, new]))
