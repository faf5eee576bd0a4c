"""Slow, obvious twins of `chancecorr.exact`, in whole numbers and fractions."""

import math
from fractions import Fraction

# c_m(lambda), m = 1, 2, ...: the sequences of m ordered pairs that leave components lambda, objects numbered
# as they appear. One more pair falls inside a component of size s in s (s - 1) ways, joins components s and t
# in 2 s t, adds a new object to a component in 2 s, and starts a component of two new objects in 1.
COEFFICIENTS = (
    {(2,): 1},
    {(2,): 2, (3,): 4, (2, 2): 1},
    {(2,): 4, (3,): 32, (4,): 32, (2, 2): 6, (2, 3): 12, (2, 2, 2): 1},
    {
        (2,): 8,
        (3,): 208,
        (4,): 624,
        (5,): 400,
        (2, 2): 28,
        (2, 3): 176,
        (2, 4): 128,
        (3, 3): 48,
        (2, 2, 2): 12,
        (2, 2, 3): 24,
        (2, 2, 2, 2): 1,
    },
)

# R(lambda) in the factorial sums F_k = sum_i (a_i)_k; the keys are the subscripts of a product of F's:
# {(2, 2): 1, (3,): -4, (2,): -2} is F2^2 - 4 F3 - 2 F2.
POLYNOMIALS = {
    (2,): {(2,): 1},
    (3,): {(3,): 1},
    (4,): {(4,): 1},
    (5,): {(5,): 1},
    (2, 2): {(2, 2): 1, (3,): -4, (2,): -2},
    (2, 3): {(2, 3): 1, (4,): -6, (3,): -6},
    (2, 4): {(2, 4): 1, (5,): -8, (4,): -12},
    (3, 3): {(3, 3): 1, (5,): -9, (4,): -18, (3,): -6},
    (2, 2, 2): {(2, 2, 2): 1, (2, 3): -12, (2, 2): -6, (4,): 40, (3,): 64, (2,): 8},
    (2, 2, 3): {(2, 2, 3): 1, (2, 3): -14, (2, 4): -12, (3, 3): -4, (5,): 72, (4,): 192, (3,): 72},
    (2, 2, 2, 2): {
        (2, 2, 2, 2): 1,
        (2, 2, 3): -24,
        (2, 2, 2): -12,
        (2, 4): 160,
        (3, 3): 48,
        (2, 3): 304,
        (2, 2): 44,
        (5,): -672,
        (4,): -2256,
        (3,): -1248,
        (2,): -48,
    },
}


def factorial_sums(totals, order):
    """``F_k = sum_i (a_i)_k`` for k = 0, ..., order."""
    return [sum(math.perm(total, k) for total in totals) for k in range(order + 1)]


def arrangements(sizes, F):
    """``R(lambda)``, by its polynomial."""
    return sum(c * math.prod(F[k] for k in subscripts) for subscripts, c in POLYNOMIALS[sizes].items())


def raw_moments(row_totals, column_totals):
    """``E U**m`` of ``U = T - n`` for m = 1, ..., 4, term by term from the two tables."""
    n, F, G = sum(row_totals), factorial_sums(row_totals, 5), factorial_sums(column_totals, 5)
    return [
        sum(
            Fraction(c * arrangements(sizes, F) * arrangements(sizes, G), math.perm(n, sum(sizes)))
            for sizes, c in coefficients.items()
            if sum(sizes) <= n
        )
        for coefficients in COEFFICIENTS
    ]
