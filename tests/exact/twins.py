"""Slow, obvious twins of `chancecorr.exact`, in whole numbers and fractions."""

import itertools
import math
from collections import Counter
from fractions import Fraction

# c_m(lambda), m = 1, 2, ...: the sequences of m ordered pairs that leave components lambda, objects numbered
# as they appear. One more pair falls inside a component of size s in s (s - 1) ways, joins components s and t
# in 2 s t, adds a new object to a component in 2 s, and starts a component of two new objects in 1.
COEFFICIENTS = (
    {(2,): 1},
    {(2,): 2, (3,): 4, (2, 2): 1},
    {(2,): 4, (3,): 32, (4,): 32, (2, 2): 6, (2, 3): 12, (2, 2, 2): 1},
    {(2,): 8, (3,): 208, (4,): 624, (5,): 400, (2, 2): 28, (2, 3): 176, (2, 4): 128, (3, 3): 48,
     (2, 2, 2): 12, (2, 2, 3): 24, (2, 2, 2, 2): 1},
)  # fmt: skip

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
    (2, 2, 2, 2): {(2, 2, 2, 2): 1, (2, 2, 3): -24, (2, 2, 2): -12, (2, 4): 160, (3, 3): 48, (2, 3): 304,
                   (2, 2): 44, (5,): -672, (4,): -2256, (3,): -1248, (2,): -48},
}  # fmt: skip


def sum_factorials(totals, order):
    """``F_k = sum_i (a_i)_k`` for k = 0, ..., order."""
    return [sum(math.perm(total, k) for total in totals) for k in range(order + 1)]


def count_arrangements(sizes, F):
    """``R(lambda)``, by its polynomial."""
    return sum(c * math.prod(F[k] for k in subscripts) for subscripts, c in POLYNOMIALS[sizes].items())


def compute_raw_moments(row_totals, column_totals):
    """``E U**m`` of ``U = T - n`` for m = 1, ..., 4, term by term from the two tables."""
    n, F, G = sum(row_totals), sum_factorials(row_totals, 5), sum_factorials(column_totals, 5)

    def term(sizes, c):
        return Fraction(
            c * count_arrangements(sizes, F) * count_arrangements(sizes, G), math.perm(n, sum(sizes))
        )

    return [sum(term(*each) for each in terms.items() if sum(each[0]) <= n) for terms in COEFFICIENTS]


def law_of_pair_sum(row_totals, column_totals):
    """Exact law of T: value, ascending, to probability.

    The weights ``prod C(r_i, k_i)`` of the tables are added up, column after column, and divided once by
    ``n! / prod b_j!``. Four unequal rows and columns with n = 100 take seconds, ten of each with n = 50 too.
    """
    sides = (sorted(filter(None, totals), reverse=True) for totals in (row_totals, column_totals))
    rows, columns = sorted(sides, key=len)
    columns.reverse()
    layer = {tuple(rows): {0: 1}}
    for column in columns[:-1]:
        following = {}
        for state, law in layer.items():
            for cells in _columns_of(state, column):
                weight = math.prod(map(math.comb, state, cells)) * _exchanges(state, cells)
                squares = sum(cell * cell for cell in cells)
                left = tuple(sorted((r - cell for r, cell in zip(state, cells, strict=True)), reverse=True))
                target = following.setdefault(left, Counter())
                for T, ways in law.items():
                    target[T + squares] += ways * weight
        layer = following
    totals = Counter()
    for state, law in layer.items():
        squares = sum(r * r for r in state)
        for T, ways in law.items():
            totals[T + squares] += ways
    return {T: Fraction(ways, totals.total()) for T, ways in sorted(totals.items())}


def _columns_of(state, total, above=-1, cap=0):
    """Columns of this total, cells not increasing along rows with equal remainders."""
    if not state:
        if total == 0:
            yield ()
        return
    r = state[0]
    most = min(r, total, cap) if r == above else min(r, total)
    for cell in range(most, max(0, total - sum(state[1:])) - 1, -1):
        for rest in _columns_of(state[1:], total - cell, r, cell):
            yield (cell, *rest)


def _exchanges(state, cells):
    """In how many ways the cells can be exchanged between rows with equal remainders."""
    ways = 1
    for _, group in itertools.groupby(zip(state, cells, strict=True), key=lambda pair: pair[0]):
        counts = [cell for _, cell in group]
        ways *= math.factorial(len(counts))
        for cell in set(counts):
            ways //= math.factorial(counts.count(cell))
    return ways
