"""Slow, obvious twins of the package: loops over objects, pairs and tables, in exact fractions."""

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

Table = tuple[tuple[int, ...], ...]
Number = Fraction | float

# (row totals, column totals), n from 2 to 14; at most 3,000 tables each
SMALL_MARGINS: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((1, 1), (1, 1)),
    ((2,), (1, 1)),  # one row
    ((2, 1), (2, 1)),
    ((2, 1), (1, 1, 1)),  # singletons alone on one side
    ((2, 2), (2, 2)),
    ((4,), (2, 1, 1)),  # one row
    ((1, 1, 1, 1), (2, 2)),  # singletons alone on one side
    ((3, 2), (4, 1)),
    ((3, 2), (3, 2)),
    ((5, 1), (3, 3)),
    ((3, 0, 3), (2, 4)),  # an empty row
    ((2, 2, 2), (3, 3)),
    ((4, 3), (3, 2, 2)),
    ((5, 1, 1), (3, 2, 1, 1)),
    ((3, 3, 2), (4, 2, 2)),
    ((2, 2, 2, 2), (2, 2, 2, 2)),
    ((2, 2, 2, 1, 1), (3, 2, 2, 1)),  # 5 x 4
    ((8,), (8,)),  # one table
    ((7, 2), (4, 4, 1)),
    ((3, 3, 3), (3, 3, 3)),
    ((6, 4), (7, 3)),
    ((4, 3, 2, 1), (5, 3, 2)),
    ((5, 0, 5), (4, 0, 6)),  # an empty row and an empty column
    ((9, 1, 1), (5, 6)),
    ((5, 4, 3), (6, 3, 3)),
    ((4, 4, 4), (4, 4, 4)),
    ((10, 1, 1), (6, 4, 2)),
    ((6, 6), (2, 2, 2, 2, 2, 2)),
    ((8, 5), (6, 4, 3)),
    ((7, 7), (7, 7)),
    ((7, 5, 2), (6, 4, 4)),
    ((10, 2, 1, 1), (8, 3, 3)),
    ((3, 3, 3, 3), (3, 3, 3, 3)),
]


def pair_counts(labels_true: Sequence[int], labels_pred: Sequence[int]) -> tuple[int, int, int, int]:
    """(a, b, c, d): object pairs together in both, in the first only, in the second only, in neither."""
    a = b = c = d = 0
    for first, second in itertools.combinations(range(len(labels_true)), 2):
        together_true = labels_true[first] == labels_true[second]
        together_pred = labels_pred[first] == labels_pred[second]
        if together_true and together_pred:
            a += 1
        elif together_true:
            b += 1
        elif together_pred:
            c += 1
        else:
            d += 1
    return a, b, c, d


def pair_sum(table: Table) -> int:
    """T = sum n_ij^2."""
    return sum(count * count for row in table for count in row)


def tables_to_labels(table: Table) -> tuple[list[int], list[int]]:
    """Two label vectors, rows and columns numbered from 0, whose cross-classification is the table."""
    labels_true, labels_pred = [], []
    for i, row in enumerate(table):
        for j, count in enumerate(row):
            labels_true += [i] * count
            labels_pred += [j] * count
    return labels_true, labels_pred


def cross_classification(labels_true: Sequence[int], labels_pred: Sequence[int]) -> Table:
    """The table of two label vectors; its rows and columns are the labels that occur, sorted."""
    cells = Counter(zip(labels_true, labels_pred, strict=True))
    columns = sorted(set(labels_pred))
    return tuple(tuple(cells[i, j] for j in columns) for i in sorted(set(labels_true)))


def all_tables(row_totals: Sequence[int], column_totals: Sequence[int]) -> Iterator[Table]:
    """Every table of non-negative whole numbers with these margins, once."""
    if not row_totals:
        if not any(column_totals):
            yield ()
        return
    for row in _rows(row_totals[0], column_totals):
        left = [total - count for total, count in zip(column_totals, row, strict=True)]
        for rest in all_tables(row_totals[1:], left):
            yield (row, *rest)


def _rows(total: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every row with this total and no cell above `most`."""
    if not most:
        if total == 0:
            yield ()
        return
    for count in range(min(total, most[0]) + 1):
        for rest in _rows(total - count, most[1:]):
            yield (count, *rest)


def table_probability(table: Table) -> Fraction:
    """prod a_i! prod b_j! / (n! prod n_ij!), the chance of the table when both margins are fixed."""
    row_totals = [sum(row) for row in table]
    column_totals = [sum(column) for column in zip(*table, strict=True)]
    above = math.prod(math.factorial(total) for total in row_totals + column_totals)
    below = math.factorial(sum(row_totals)) * math.prod(math.factorial(x) for row in table for x in row)
    return Fraction(above, below)


def law_of_tables(row_totals: Sequence[int], column_totals: Sequence[int]) -> list[tuple[Table, Fraction]]:
    """All tables with these margins and their probabilities."""
    return list(_law_of_tables(tuple(map(int, row_totals)), tuple(map(int, column_totals))))


def law_of_pair_sum(row_totals: Sequence[int], column_totals: Sequence[int]) -> dict[int, Fraction]:
    """Distinct values of T, ascending, and their probabilities."""
    return dict(_law_of_pair_sum(tuple(map(int, row_totals)), tuple(map(int, column_totals))))


# Many tests ask for the laws of the same few margins: they are remembered, and handed out as copies.
@functools.lru_cache(maxsize=100)
def _law_of_tables(
    row_totals: tuple[int, ...], column_totals: tuple[int, ...]
) -> tuple[tuple[Table, Fraction], ...]:
    return tuple((table, table_probability(table)) for table in all_tables(row_totals, column_totals))


@functools.lru_cache(maxsize=1000)
def _law_of_pair_sum(
    row_totals: tuple[int, ...], column_totals: tuple[int, ...]
) -> tuple[tuple[int, Fraction], ...]:
    law: dict[int, Fraction] = {}
    for table, probability in _law_of_tables(row_totals, column_totals):
        T = pair_sum(table)
        law[T] = law.get(T, Fraction(0)) + probability
    return tuple(sorted(law.items()))


@functools.cache
def set_partitions(n: int) -> list[tuple[int, ...]]:
    """Every partition of n objects, as labels numbered in order of appearance."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(n):
        found = [(*labels, new) for labels in found for new in range(max(labels, default=-1) + 2)]
    return found


def integer_partitions(n: int, k: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Every multiset of k cluster sizes with sum n, none above `largest`, descending."""
    if n == k == 0:
        yield ()
    if k > 0:
        for first in range(min(n - k + 1, largest), 0, -1):
            for rest in integer_partitions(n - first, k - 1, first):
                yield (first, *rest)


def count_partitions(sizes: Sequence[int]) -> int:
    """How many partitions of labelled objects have these cluster sizes."""
    equal = Counter(sizes).values()
    return math.factorial(sum(sizes)) // math.prod(map(math.factorial, [*sizes, *equal]))


def all_permutations_law(labels_true: Sequence[int], labels_pred: Sequence[int]) -> Counter[Table]:
    """How many of the n! orders of `labels_pred` give each table; n up to 7."""
    return Counter(cross_classification(labels_true, order) for order in itertools.permutations(labels_pred))


def moments(
    values: Sequence[Number], probabilities: Sequence[Fraction]
) -> tuple[Number, Number, Number, Number]:
    """Mean and central moments 2, 3, 4; fractions when the values are fractions or whole numbers."""
    mean = sum(p * x for x, p in zip(values, probabilities, strict=True))
    second, third, fourth = (
        sum(p * (x - mean) ** k for x, p in zip(values, probabilities, strict=True)) for k in (2, 3, 4)
    )
    return mean, second, third, fourth


def _ratio(above: int | Fraction, below: int | Fraction) -> Number:
    """Exact quotient; nan at 0/0, and x/0 raises."""
    return math.nan if above == below == 0 else Fraction(above, below)


def _over_root(above: int, below_squared: int) -> float:
    """``above / sqrt(below_squared)``; nan at 0/0, and x/0 raises."""
    return math.nan if above == below_squared == 0 else above / math.sqrt(below_squared)


def _best_if_trivial(
    formula: Callable[[int, int, int, int], Number],
) -> Callable[[int, int, int, int], Number]:
    """The formula, and 1 in place of 0/0 where both clusterings are one cluster, or both are singletons."""

    def value(a: int, b: int, c: int, d: int) -> Number:
        found = formula(a, b, c, d)
        return 1 if found != found and b == c == 0 and (a == 0 or d == 0) else found

    return value


# The indices of the published simulation. Formulas: Albatineh, Niewiadomska-Bugaj & Mihalko (2006).
_FORMULAS: dict[str, Callable[[int, int, int, int], Number]] = {
    "rand": lambda a, b, c, d: _ratio(a + d, a + b + c + d),
    "russell_rao": lambda a, b, c, d: _ratio(a, a + b + c + d),
    "gower_legendre": lambda a, b, c, d: _ratio(a + d, a + d + Fraction(b + c, 2)),
    "jaccard": lambda a, b, c, d: _ratio(a, a + b + c),
    "czekanowski": lambda a, b, c, d: _ratio(2 * a, 2 * a + b + c),
    "goodman_kruskal": lambda a, b, c, d: _ratio(a * d - b * c, a * d + b * c),
    "sokal_sneath_5": lambda a, b, c, d: _over_root(a * d, (a + b) * (a + c) * (d + b) * (d + c)),
    "sokal_sneath_1": lambda a, b, c, d: _ratio(a, a + 2 * (b + c)),
    "fowlkes_mallows": lambda a, b, c, d: _over_root(a, (a + b) * (a + c)),
}
PAIR_INDICES = {name: _best_if_trivial(formula) for name, formula in _FORMULAS.items()}
