"""Exponentials and logarithms from +, -, * and / alone: libraries round theirs differently, these do not.

They decide where the strips of the hat lie and what comes of a proposal, and with it the bits of a table.
"""

import math

from chancecorr.machine.kernel import kernel

LN_2 = math.log(2.0)
_SQRT_HALF = math.sqrt(0.5)
_INVERSE_FACTORIALS = tuple(1.0 / math.factorial(k) for k in range(13, -1, -1))
_INVERSE_ODDS = tuple(1.0 / k for k in range(25, 0, -2))


@kernel
def exp2(t: float) -> float:
    """``2**t``, relative error below 4e-16; 0 for t below -1000."""
    if t < -1000.0:
        return 0.0
    whole = math.floor(t + 0.5)
    rest = (t - whole) * LN_2
    value = 0.0
    for coefficient in _INVERSE_FACTORIALS:
        value = value * rest + coefficient
    return math.ldexp(value, int(whole))


@kernel
def log(x: float) -> float:
    """Natural logarithm of ``x > 0``, absolute error below 3e-16 max(1, abs(log x))."""
    mantissa, exponent = math.frexp(x)
    if mantissa < _SQRT_HALF:
        mantissa, exponent = 2.0 * mantissa, exponent - 1
    y = (mantissa - 1.0) / (mantissa + 1.0)
    square = y * y
    series = 0.0
    for coefficient in _INVERSE_ODDS:
        series = series * square + coefficient
    return exponent * LN_2 + 2.0 * y * series


@kernel
def log1p(x: float) -> float:
    """``log(1 + x)`` for x above -1, relative error below 1e-15."""
    total = 1.0 + x
    return log(total) + (x - (total - 1.0)) / total
