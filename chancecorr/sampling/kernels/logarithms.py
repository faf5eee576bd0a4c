"""Logarithms, exponentials and log-factorials by +, -, * and / alone: equal to the bit on every machine.

``log k!`` is kept in fixed point, in units of ``2**-46`` modulo ``2**64``: sums and differences are exact,
and the multiples of ``2**64`` vanish in ``log f(x) / f(y)``. The result is therefore rounded only in the
logarithms of the numbers between x and y, not in all logarithms up to them. Beyond the table, differences
come from Stirling's series. See "Tables under fixed margins" in docs/explanation/derivations.md.
"""

import functools
import math
from typing import Any

import numpy as np

from chancecorr.machine.arrays import Integers, Whole
from chancecorr.machine.kernel import as_python, inlined_kernel, kernel

LN_2, SQRT_2 = math.log(2.0), math.sqrt(2.0)
UNIT = 2.0**-46  # unit of a log-factorial in fixed point: differences up to 2**17 fit
TABLE_LIMIT = 1 << 17
"""Number of log-factorials that are kept: 1 MB, which stays in the cache."""

_HALF_TABLE = TABLE_LIMIT // 2


@inlined_kernel
def log_of_parts(mantissa: Any, exponent: Any) -> Any:
    """Return ``log(mantissa 2**exponent)`` for the results of frexp, error below 3e-16 max(1, exponent)."""
    y = (mantissa * SQRT_2 - 1.0) / (mantissa * SQRT_2 + 1.0)
    w = y * y
    s = w * w  # terms are summed in pairs, because each sum of a chain waits for the sum before it
    high = (1 / 15 + w * (1 / 17)) + s * (1 / 19 + w * (1 / 21))
    series = (1 / 3 + w * (1 / 5)) + s * ((1 / 7 + w * (1 / 9)) + s * ((1 / 11 + w * (1 / 13)) + s * high))
    return (exponent - 0.5) * LN_2 + 2.0 * (y + y * w * series)


@inlined_kernel
def log(x: float) -> float:
    """Return the natural logarithm of ``x > 0``."""
    mantissa, exponent = math.frexp(x)
    return float(log_of_parts(mantissa, float(exponent)))


@kernel
def log1p(x: float) -> float:
    """Return ``log(1 + x)``, x > -1, relative error below 1e-12; near 0 by artanh of ``x / (2 + x)``."""
    if abs(x) > 1e-3:
        return log(1.0 + x)
    y = x / (2.0 + x)
    w = y * y
    return 2.0 * (y + y * w * (1 / 3 + w * (1 / 5 + w * (1 / 7))))


@inlined_kernel
def exp(t: float) -> float:
    """Return ``exp(t)`` with relative error below 1e-14, and 0 for t below -700."""
    if t < -700.0:
        return 0.0
    whole = math.floor(t * (1.0 / LN_2) + 0.5)
    r = t - whole * LN_2
    s = r * r
    low = (1.0 + r) + s * (1 / 2 + r * (1 / 6))
    middle = (1 / 24 + r * (1 / 120)) + s * (1 / 720 + r * (1 / 5040))
    high = (1 / 40320 + r * (1 / 362880)) + s * (1 / 3628800 + r * (1 / 39916800))
    return math.ldexp(low + s * s * (middle + s * s * high), int(whole))


@inlined_kernel
def rise_beyond(k: Whole, d: Whole, log_k: float) -> float:
    """Return ``log((k + d)! / k!)`` by Stirling's series, for k >= half of the table and ``|d| <= k / 16``.

    The series is ``d log k + (k + d + 1/2) log(1 + d/k) - d + 1 / (12 (k + d)) - 1 / (12 k)``, with ``log(1 +
    d/k)`` as twice the artanh of ``d / (2 k + d)``.
    """
    y = np.float64(d) / np.float64(2 * k + d)
    w = y * y
    rest = w * (1 / 3 + w * (1 / 5 + w * (1 / 7 + w * (1 / 9))))
    risen = np.float64(k + d)
    correction = np.float64(d) / (12.0 * risen * np.float64(k))
    return d * log_k + ((risen + 0.5) * 2.0 * (y + y * rest) - d) - correction


@kernel
def log_rise(k: Whole, d: Whole, table: Integers) -> float:
    """Return ``log((k + d)! / k!)`` for ``|d| <= k / 16``, or for any d if both numbers are in the table."""
    if k < _HALF_TABLE:
        return float(np.float64(table[np.uint64(k + d)] - table[np.uint64(k)]) * UNIT)
    return float(rise_beyond(k, d, log(np.float64(k))))


@functools.cache
def _lay_log_factorials(bits: int) -> Integers:
    """Compute the log-factorials of the numbers below ``2**bits``; sums wrap around."""
    numbers = np.arange(1.0, min(1 << bits, TABLE_LIMIT))
    logarithms = as_python(log_of_parts)(*np.frexp(numbers))
    table = np.zeros(numbers.size + 1, dtype=np.int64)
    np.cumsum(np.rint(logarithms / UNIT).astype(np.int64), out=table[1:])
    return table


def log_factorials(n: int) -> Integers:
    """Return ``log k!`` in units of 2**-46, modulo 2**64, for k up to n or more, but below `TABLE_LIMIT`."""
    return _lay_log_factorials(min(max(n, 1), TABLE_LIMIT - 1).bit_length())
