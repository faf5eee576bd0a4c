"""Tables of up to a billion objects, nearly all in one cell, where nearly equal products cancel.

Every index is compared with itself on the transposed table, and with its range; every pair-counting index
with the formula as printed, in 120 digits; others that are made of differences, with exact twins.
"""

import decimal
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from tests.indices.definitions import FORMULAS
from tests.indices.formulas import DECIMALS, evaluate, of_exact_pairs
from tests.shares import small_and_full

NAMES = cc.list_indices()
MET = [
    [[57_271_811, 1], [3, 0]],
    [[10**7, 1], [1, 1]],
    [[77_909_688, 0], [1, 2]],
    [[166_802_151, 2], [2, 2]],
    [[616_320_287, 3], [3, 2], [3, 0]],
    [[787_643_247, 2], [1, 1]],
    [[463_407_607, 0], [0, 2]],
    [[23_248_805, 1], [1, 0]],
    [[276_348_416, 3, 1], [301_526_376, 2, 1]],
    [[986_632_220, 3], [1, 0], [3, 16_477_011]],
    [[539_643_361, 0, 1, 1], [2, 2, 536_941_637, 0]],
]


def thin_tables(seed, tables):
    """One huge cell, a few tiny ones, and up to two others of any size; no empty cluster."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < tables:
        table = rng.integers(0, 4, rng.integers(2, 5, size=2))
        table[0, 0] = int(10 ** rng.uniform(3, 9))
        for _ in range(int(rng.integers(0, 3))):
            table[tuple(rng.integers(0, table.shape))] = int(10 ** rng.uniform(0, 9))
        if table.sum(axis=0).all() and table.sum(axis=1).all() and table.sum() <= 3 * 10**9:
            found.append(table)
    return found


TABLES = [np.array(table) for table in MET] + thin_tables(4, 60)
EACH_OF_SOME = pytest.mark.parametrize("tables", small_and_full(TABLES[: len(MET) + 8], TABLES), ids=len)


@pytest.mark.slow
@EACH_OF_SOME
def test_range_and_symmetry(tables):
    for name in NAMES:
        entry = cc.get_index(name)
        low, high = entry.range
        for table in tables:
            value = cc.score_table(table, entry)
            slack = 1e-12 * max([1.0, *(abs(bound) for bound in entry.range if math.isfinite(bound))])
            assert math.isnan(value) or low - slack <= value <= high + slack, (name, table)
            if entry.symmetric:
                swapped = cc.score_table(table.T.copy(), entry)
                assert swapped == pytest.approx(value, rel=1e-10, abs=1e-14, nan_ok=True), (name, table)


@pytest.mark.slow
@EACH_OF_SOME
def test_formula_in_many_digits(tables):
    for name in FORMULAS:
        entry = cc.get_index(name)
        for table in tables:
            exact = of_exact_pairs(entry.formula, *cc.ContingencyTable(table).pair_counts)
            value = cc.score_table(table, entry)
            if math.isfinite(exact) and math.isfinite(value):
                assert value == pytest.approx(exact, rel=1e-10), (name, table)


@pytest.mark.slow
@EACH_OF_SOME
def test_rounding_is_not_taken_for_a_curve(tables):
    for name in [name for name in NAMES if cc.get_index(name).affine]:
        for table in tables:
            null = cc.null_distribution(cc.ContingencyTable(table), name, method="analytic")
            assert math.isnan(null.mean) or null.variance >= 0.0


def test_a_curve_is_taken_for_one():
    for function in (lambda a, b, c, d: a / (a + b + c), lambda a, b, c, d: np.sqrt(a + 1.0)):
        wrong = cc.indices.Index(name="wrong", function=function, needs="pairs", affine=True)
        for margins in ([400_000] * 2, [399_999, 400_001]), ([6, 5, 4], [7, 4, 4]):
            with pytest.raises(ValueError, match="`affine` must be False for index 'wrong'"):
                cc.null_distribution(cc.Margins(*margins), wrong, method="analytic")


def quotient(above, squared):
    """``above / sqrt(squared)`` in many digits; nan at 0/0."""
    with decimal.localcontext(prec=120):
        if squared == 0:
            return math.nan
        root = (Decimal(squared.numerator) / Decimal(squared.denominator)).sqrt()
        return float(Decimal(above.numerator) / Decimal(above.denominator) / root)


def sums(table):
    """n, T, A and B as Python integers."""
    cells = [[int(x) for x in row] for row in table]
    totals = [x for row in cells for x in row], [*map(sum, cells)], [*map(sum, zip(*cells, strict=True))]
    return sum(totals[0]), *(sum(x * x for x in each) for each in totals)


def falling(totals, k):
    return sum(math.perm(int(x), k) for x in totals)


def variance_of_a(rows, columns):
    """Hubert & Arabie (1985): by falling factorials of the sizes."""
    n = int(sum(rows))
    F2, F3, G2, G3 = falling(rows, 2), falling(rows, 3), falling(columns, 2), falling(columns, 3)
    rest = F2**2 - 4 * F3 - 2 * F2, G2**2 - 4 * G3 - 2 * G2
    second = Fraction(2 * F2 * G2, math.perm(n, 2)) + Fraction(4 * F3 * G3, math.perm(n, 3))
    if n >= 4:
        second += Fraction(rest[0] * rest[1], math.perm(n, 4))
    return (second - Fraction(F2 * G2, math.perm(n, 2)) ** 2) / 4


def lerman(table):
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    n, T, *_ = sums(table)
    expected = Fraction(falling(rows, 2) * falling(columns, 2), 4 * math.comb(n, 2))
    return quotient(Fraction(T - n, 2) - expected, variance_of_a(rows, columns))


def normalized_lerman(table):
    selves = [lerman(np.diag(table.sum(axis=axis))) for axis in (1, 0)]
    return lerman(table) / math.sqrt(selves[0] * selves[1])


def mari(table):
    """Sundqvist et al. (2023), with the pairs of pairs without a common object in whole numbers."""
    n, T, A, B = sums(table)
    rows, columns = ([int(x) for x in table.sum(axis=axis)] for axis in (1, 0))
    a, P, Q = Fraction(T - n, 2), Fraction(A - n, 2), Fraction(B - n, 2)
    places = np.ndindex(table.shape)
    touching = sum(int(table[i, j]) * (rows[i] - 1) * (columns[j] - 1) for i, j in places)
    if A + B == 2 * T:
        return 1.0
    expected = 2 * (P * Q - a - touching + T - n) / ((n - 2) * (n - 3))
    return float((a - expected) / ((P + Q) / 2 - expected))


def dom_q2(table):
    with decimal.localcontext(prec=60):
        n = Decimal(int(table.sum()))
        K = table.shape[0]

        def cost(totals):
            ways = [math.comb(int(size) + K - 1, K - 1) for size in totals if size]
            return sum((Decimal(each).ln() for each in ways), Decimal(0)) / n

        entropy = Decimal(0)
        for column in table.T:
            m = Decimal(int(column.sum()))
            for x in map(int, column):
                if x:
                    entropy -= x / n * (x / m).ln()
        return float(cost(table.sum(axis=1)) / (entropy + cost(table.sum(axis=0))))


@pytest.mark.parametrize("twin", [lerman, normalized_lerman, mari], ids=lambda twin: twin.__name__)
def test_exact_twin(twin):
    for table in TABLES:
        found = cc.score_table(table, twin.__name__)
        assert found == pytest.approx(twin(table), rel=1e-9, abs=1e-15, nan_ok=True), table.tolist()


@pytest.mark.parametrize("name", ["katz_powell", "rv", "janson_vegelius", "morey_agresti"])
def test_formula_of_sizes_in_many_digits(name):
    formula = cc.get_index(name).formula.split(r", \quad")[0]
    for table in TABLES:
        n, T, A, B = sums(table)
        K, Q = table.shape
        with decimal.localcontext(prec=120) as context:
            context.clear_traps()
            values = {"n": n, "T": T, "S_x": A, "S_y": B, "K": K, "Q": Q}
            exact = evaluate(formula, {letter: Decimal(x) for letter, x in values.items()}, DECIMALS)
        found = cc.score_table(table, name)
        assert found == pytest.approx(float(exact), rel=1e-9, abs=1e-15, nan_ok=True), table.tolist()


MANY_TINY = [
    [[512_502_176, 0, 0, 0], [0, 3, 0, 0], [0, 0, 4, 0], [0, 0, 0, 4], [1, 1, 1, 1]],
    [[957_633_242, 0, 0], [0, 4, 0], [0, 0, 4], [1, 1, 1]],
    [[393_817_545, 0], [0, 2], [1, 1]],
]
"""Where the binomial coefficients of Dom's index are all that there is."""


def test_dom_q2():
    for table in [*TABLES, *map(np.array, MANY_TINY)]:
        # the entropies are rounded, and all that is told may cost no more than 1 / n nats per object
        error = 1e-12 if table.tolist() in MANY_TINY else 1e-9 + 1e-15 * int(table.sum())
        assert cc.score_table(table, "dom_q2") == pytest.approx(dom_q2(table), rel=error), table.tolist()
