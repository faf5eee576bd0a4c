"""Numbers of 106 bits as unevaluated sums of two float64, for what must be right to a float64's last bit.

A pair ``(high, low)`` stands for ``high + low``, with `low` at most half a unit in the last place of `high`.
The two exact operations are those of Knuth and of Dekker (1971, doi:10.1007/BF01397083); every other one has
a relative error of a few ``2**-104``. Only +, -, * and / occur, so the bits are the same on every machine.
"""

from chancecorr.machine.kernel import kernel

SPLITTER = 134217729.0
"""``2**27 + 1``: cuts a float64 into two halves of 26 bits, whose products are exact."""


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
