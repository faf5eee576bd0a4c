"""Whether an index is a smooth function of ``T = sum(n_ij**2)`` where T can be, judged on a grid.

Quadrature needs that: it sees an index at a few nodes only, and a pole, a jump or a kink between them would
go unnoticed.
"""

import functools
import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.ties import EPSILON
from chancecorr.indices.evaluation import IndexEvaluationError, values_of_pair_counts, values_of_pair_sums
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import Margins, twice_pair_counts

_WINDOW_POINTS = 256


def obstacle_to_quadrature(index: Index, margins: Margins, window: tuple[Fraction, Fraction]) -> str | None:
    """Why a ``"pairs"`` index is not smooth in T, to follow its name in a message, or None.

    Over the range of T the index, at up to 2049 whole values that T may take, must be finite, and must not
    grow in size towards a change of sign, as it does beside a pole. Over the window of T, at 257 Chebyshev
    points, it must be a polynomial except for 1e-8 of its variation, which a jump, a kink or a pole is not.
    """
    low, high = pair_sum_range(margins)
    try:
        pair_sums, values = values_over_range(index, margins)
    except IndexEvaluationError as error:
        return f"raised an error: {error}"
    if np.isnan(values).all():
        return None
    undefined = ~np.isfinite(values)
    if undefined.any():
        place = int(undefined.argmax())
        return f"is {values[place]} at T = {pair_sums[place]}, within the bounds {low} and {high} of T"
    sign, size = np.sign(values), np.abs(values)  # beside a pole the size grows towards a change of sign
    crossing = (sign[1:-2] * sign[2:-1] < 0) & (size[:-3] < size[1:-2]) & (size[3:] < size[2:-1])
    poles = np.flatnonzero(crossing) + 1
    if poles.size:
        return f"has a pole between T = {pair_sums[poles[0]]} and {pair_sums[poles[0] + 1]}"
    return _unlike_a_polynomial(index, margins, window)


def values_over_range(index: Index, margins: Margins) -> tuple[Integers, Floats]:
    """Values of T within `pair_sum_range`, up to 2049 of them, both ends included, and the index there."""
    pair_sums = _spread(*pair_sum_range(margins)).copy()
    return pair_sums, values_of_pair_sums(index, pair_sums, margins)


@functools.lru_cache(maxsize=8)
def _spread(low: int, high: int) -> Integers:
    """Up to 2049 values of T from one bound to the other; kept, because every index asks for the same."""
    steps = (high - low) // 2
    parts = max(min(steps, 2048), 1)
    return np.array([low + 2 * (steps * i // parts) for i in range(parts + 1)], dtype=np.int64)


def values_at(index: Index, margins: Margins, pair_sums: Iterable[Fraction | int]) -> Floats:
    """Index where T need not be whole: exact pair counts, each rounded once to float64; shape (m,)."""
    return values_of_pair_counts(index, pair_counts_at(pair_sums, *margins.squares, margins.n), margins)


def pair_counts_at(pair_sums: Iterable[Fraction | int], A: int, B: int, n: int) -> tuple[Floats, ...]:
    """Pair counts a, b, c, d at each T, exact until each is rounded to float64; four arrays of shape (m,)."""
    sums = (T.as_integer_ratio() for T in pair_sums)
    counts = np.array([[twice / (2 * q) for twice in twice_pair_counts(p, A, B, n, q)] for p, q in sums])
    return tuple(counts.T.copy())


@functools.lru_cache(maxsize=8)
def _counts_in_window(low: Fraction, high: Fraction, A: int, B: int, n: int) -> tuple[Floats, ...]:
    """Pair counts at the Chebyshev points of a window of T; kept, because every index asks for the same."""
    cosines = np.cos(np.pi * np.arange(_WINDOW_POINTS + 1) / _WINDOW_POINTS)
    # Chebyshev points rounded to binary fractions, whose numerators stay short
    middle, reach = round((low + high) * 2**20), math.floor((high - low) * 2**20)
    points = [
        Fraction((middle << 40) + reach * x, 1 << 61) for x in np.rint(cosines * 2**40).astype(int).tolist()
    ]
    return pair_counts_at(points, A, B, n)


def _unlike_a_polynomial(index: Index, margins: Margins, window: tuple[Fraction, Fraction]) -> str | None:
    """Why a polynomial cannot follow the index over the window, or None."""
    low, high = window
    try:
        kept = _counts_in_window(low, high, *margins.squares, margins.n)
        values = values_of_pair_counts(index, tuple(each.copy() for each in kept), margins)
    except Exception as error:
        return f"raised an error at pair counts that are not whole: {type(error).__name__}: {error}"
    where = f"between T = {float(low):.6g} and {float(high):.6g}"
    if not np.isfinite(values).all():
        return f"is not finite everywhere {where}"
    largest = float(np.abs(values).max())
    if largest == 0.0:
        return None
    values = values / largest  # neither their sums nor their differences overflow
    # the k-th coefficient falls off like rho**-k if the function is smooth, like k**-2 if it has a kink
    spectrum = np.abs(np.fft.rfft(np.concatenate([values, values[-2:0:-1]]))) / _WINDOW_POINTS
    tolerance = 1e-8 * float(np.ptp(values)) + 64 * EPSILON
    if spectrum[_WINDOW_POINTS // 2 :].max() > tolerance:
        return f"has a jump, a kink or a pole {where}"
    return None
