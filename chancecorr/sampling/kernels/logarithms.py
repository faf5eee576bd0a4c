"""Exponentials, logarithms and log-factorials whose bits are the same on every machine: of +, -, * and /.

A pair ``(high, low)`` stands for ``high + low``, of 106 bits, by the two exact operations of Knuth and of
Dekker (1971, doi:10.1007/BF01397083). ``log2 k!`` is kept in fixed point, ``round(2**52 log2 k!)`` modulo
``2**64``: what is asked is ``log2 f(x) / f(y)`` of a hypergeometric law, four log-factorials less four
others, in which the multiples of ``2**64`` vanish. See "Factorials in fixed point" in
docs/explanation/derivations.md.
"""

import functools
import math

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Whole
from chancecorr.machine.kernel import forecast_kernel, kernel

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


SPLITTER = 134217729.0  # ``2**27 + 1``: cuts a float64 into two halves of 26 bits, whose products are exact


@kernel
def two_sum(a: float, b: float) -> tuple[float, float]:
    """``a + b`` exactly, as its rounded value and the error of that."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@kernel
def two_product(a: float, b: float) -> tuple[float, float]:
    """``a b`` exactly, as its rounded value and the error of that."""
    product = a * b
    cut = SPLITTER * a
    a_high = cut - (cut - a)
    a_low = a - a_high
    cut = SPLITTER * b
    b_high = cut - (cut - b)
    b_low = b - b_high
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


@kernel
def add(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """Sum of two pairs."""
    total, error = two_sum(a, b)
    low, low_error = two_sum(a_low, b_low)
    total, error = two_sum(total, error + low)
    return two_sum(total, error + low_error)


@kernel
def multiply(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """Product of two pairs."""
    product, error = two_product(a, b)
    return two_sum(product, error + (a * b_low + a_low * b))


@kernel
def divide(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """Quotient of two pairs: a rounded one, and the remainder over `b`."""
    quotient = a / b
    product, error = multiply(quotient, 0.0, b, b_low)
    return two_sum(quotient, ((a - product) - error + a_low) / b)


Log2Factorials = npt.NDArray[np.uint64]  # of k up to n, or to `TABLE_BEYOND` if n is large
Beyond = bool | None
"""None where n is below `TABLE_BEYOND`, else True: what is for more objects is compiled only where it is
needed, because Numba leaves out what stands under a condition on None."""

LOG2_TABLE_LIMIT = 1 << 20
"""Largest n whose tables are drawn by log-factorials alone. Their 8 MB are laid out in 50 ms; what the tables
drawn side by side look up at a time, the same cell of each, lies close together and stays in the cache."""

TABLE_BEYOND = 1 << 17  # largest k whose log-factorial is kept where n is larger: those of small cells
FRACTION_BITS = 52
UNIT = 2.0**-FRACTION_BITS
UNITS_OF_ONE = 2.0**FRACTION_BITS

_FRACTION = np.uint64(FRACTION_BITS)
_ONES_OF_THE_SERIES = 8192  # from here on one term of artanh needs more than a float64
_LN_2 = (0.6931471805599453, 2.3190468138462996e-17)
_HALF_LOG2_TWO_PI = (1.3257480647361595, -7.153413670427599e-17)


@kernel
def fixed_point(high: float, low: float) -> np.uint64:
    """A number, given as a pair, in units of ``2**-52`` modulo ``2**64``."""
    whole = math.floor(high)
    units = (high - whole) * UNITS_OF_ONE
    first = math.floor(units)
    rest = math.floor((units - first) + low * UNITS_OF_ONE + 0.5)  # by itself, so that no bit is rounded away
    return (np.uint64(np.int64(whole)) << _FRACTION) + np.uint64(np.int64(first) + np.int64(rest))


@kernel
def twice_artanh(y: float, y_low: float) -> tuple[float, float]:
    """``2 artanh y = log((1 + y) / (1 - y))`` of a pair, by its power series."""
    square, square_low = multiply(y, y_low, y, y_low)
    total, total_low = y, y_low
    term, term_low = y, y_low
    divisor = 1.0
    while abs(term) > 1e-33 * abs(total):
        term, term_low = multiply(term, term_low, square, square_low)
        divisor += 2.0
        part, part_low = divide(term, term_low, divisor, 0.0)
        total, total_low = add(total, total_low, part, part_low)
    return 2.0 * total, 2.0 * total_low


@forecast_kernel(lambda out: 8_000.0 * out.size)
def fill_log2_factorials(out: Log2Factorials) -> None:
    """All: ``log2 k! = log2 (k-1)! + log2 k``, ``log2 k = log2 (k-1) + 2 artanh(1 / (2k-1)) / ln 2``."""
    scale, scale_low = divide(2.0, 0.0, _LN_2[0], _LN_2[1])
    log2_k = log2_k_low = total = total_low = 0.0
    for k in range(min(out.size, 2)):
        out[k] = np.uint64(0)
    for k in range(2, out.size):
        y, y_low = divide(1.0, 0.0, 2.0 * k - 1.0, 0.0)
        if k < _ONES_OF_THE_SERIES:
            step, step_low = twice_artanh(y, y_low)
            step, step_low = 0.5 * step, 0.5 * step_low
        else:
            square = y * y
            step, step_low = two_sum(y, y_low + y * square * (1.0 / 3.0 + square * (0.2 + square / 7.0)))
        step, step_low = multiply(scale, scale_low, step, step_low)
        log2_k, log2_k_low = add(log2_k, log2_k_low, step, step_low)
        total, total_low = add(total, total_low, log2_k, log2_k_low)
        out[k] = fixed_point(total, total_low)


@kernel
def stirling(k: Whole) -> np.uint64:
    """Entry k: ``(k + 1/2) log2 k - k / ln 2 + log2 sqrt(2 pi) + (1/(12 k) - ...) / ln 2``; for large k."""
    value = np.float64(k)
    mantissa, exponent = math.frexp(value)
    if mantissa < _SQRT_HALF:
        mantissa, exponent = 2.0 * mantissa, exponent - 1
    # k is below 2**53, so that its mantissa and what is added to it are exact
    y, y_low = divide(mantissa - 1.0, 0.0, mantissa + 1.0, 0.0)
    log, log_low = twice_artanh(y, y_low)
    log, log_low = add(log, log_low, -1.0, 0.0)  # the term - k of the series, taken inside
    log2, log2_low = divide(log, log_low, _LN_2[0], _LN_2[1])
    log2, log2_low = add(np.float64(exponent), 0.0, log2, log2_low)
    total, total_low = multiply(value, 0.0, log2, log2_low)
    # half a log2 k, with the 1 put back
    half, half_low = divide(1.0, 0.0, _LN_2[0], _LN_2[1])
    half, half_low = add(log2, log2_low, half, half_low)
    total, total_low = add(total, total_low, 0.5 * half, 0.5 * half_low)
    total, total_low = add(total, total_low, _HALF_LOG2_TWO_PI[0], _HALF_LOG2_TWO_PI[1])
    square = 1.0 / (value * value)
    rest = (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0))) / value
    total, total_low = add(total, total_low, rest / _LN_2[0], 0.0)
    return fixed_point(total, total_low)


@kernel
def log2_factorial(k: Whole, beyond: Beyond, table: Log2Factorials) -> np.uint64:
    """Entry k, from the table where it is there."""
    entry: np.uint64 = table[np.uint64(k)] if beyond is None or k < table.size else stirling(k)
    return entry


def log2_factorials(n: int) -> Log2Factorials:
    """Entries for k up to n at least, or as far as they are kept."""
    return _lay_first_entries(max(n if n <= LOG2_TABLE_LIMIT else TABLE_BEYOND - 1, 1).bit_length())


@functools.cache
def _lay_first_entries(bits: int) -> Log2Factorials:
    """Entries for numbers of so many bits."""
    out = np.zeros(min(1 << bits, LOG2_TABLE_LIMIT + 1), dtype=np.uint64)
    fill_log2_factorials(out)
    return out
