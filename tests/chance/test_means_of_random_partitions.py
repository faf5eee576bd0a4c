"""Expectations under the random models: printed values, all pairs of set partitions, laws of the sizes."""

import functools
import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest

import chancecorr as cc
from chancecorr import Margins
from tests import naive
from tests.naive import count_partitions, integer_partitions, set_partitions
from tests.random_models import MODELS, expected_mutual_information, expected_rand, expected_value, sides_of
from tests.shares import small_and_full


def name_sides(model):
    """Names of the two sides of a model."""
    return tuple(side.name for side in sides_of(model))


@functools.cache
def value_of(table, name):
    return cc.score_table(table, name)


def sizes_of(labels):
    return tuple(sorted(Counter(labels).values(), reverse=True))


@functools.cache
def statistics(first, second):
    """(Rand, MI) of two partitions."""
    table = naive.cross_classification(first, second)
    a, b, c, d = naive.pair_counts(first, second)
    n = len(first)
    row_totals, column_totals = [*map(sum, table)], [*map(sum, zip(*table, strict=True))]
    information = math.fsum(
        x / n * math.log(n * x / (row_totals[i] * column_totals[j]))
        for i, row in enumerate(table)
        for j, x in enumerate(row)
        if x
    )
    return Fraction(a + d, a + b + c + d), information


def partitions_of_side(side, n, sizes):
    """The partitions of one side, and how often each is there among equally likely ones."""
    if side == "multinomial":  # all label vectors, each as often as objects have its labels
        found = Counter()
        for labels in itertools.product(range(len(sizes)), repeat=n):
            found[in_order(labels)] += math.prod(sizes[label] for label in labels)
        return found
    if side == "all-partitions":
        return Counter(set_partitions(n))
    if side == "fixed-k":
        return Counter(labels for labels in set_partitions(n) if len(set(labels)) == len(sizes))
    return Counter(labels for labels in set_partitions(n) if sizes_of(labels) == sizes)


def in_order(labels):
    """Labels numbered in order of appearance."""
    number = {label: k for k, label in enumerate(dict.fromkeys(labels))}
    return tuple(number[label] for label in labels)


def pairs_under(model, row_sizes, column_sizes):
    """The pairs of partitions under a model, and how often each is there among equally likely ones."""
    n = sum(row_sizes)
    row_side, column_side = name_sides(model)
    rows = partitions_of_side(row_side, n, tuple(row_sizes))
    if row_side == "fixed":
        rows = Counter([min(rows)])  # the reference itself
    columns = partitions_of_side(column_side, n, tuple(column_sizes))
    return {(u, v): rows[u] * columns[v] for u in rows for v in columns}


def tables_of(pairs):
    """The tables of the pairs, each with its clusters in one order, and how often each is there."""
    found = Counter()
    for pair, k in pairs.items():
        rows = sorted(naive.cross_classification(*pair))
        columns = sorted(zip(*rows, strict=True))
        found[tuple(zip(*columns, strict=True))] += k
    return found


def all_sizes(n):
    """The cluster sizes that partitions of n objects can have."""
    return sorted({sizes_of(labels) for labels in set_partitions(n)})


def cases(model, n):
    """Margins that tell the model apart: one for each number of clusters or sizes that it uses."""
    of_side = {
        "fixed": all_sizes(n),
        "fixed-k": list({len(sizes): sizes for sizes in all_sizes(n)}.values()),
        "all-partitions": all_sizes(n)[:1],
        "multinomial": [sizes for sizes in all_sizes(n) if len(sizes) <= 3][::2],
    }
    return itertools.product(*(of_side[side] for side in name_sides(model)))


@pytest.mark.slow
@pytest.mark.parametrize("n", [*range(2, 6), pytest.param(6, marks=pytest.mark.long)])
@pytest.mark.parametrize("model", MODELS)
def test_all_pairs_of_partitions(model, n):
    for rows, columns in cases(model, n):
        margins = Margins(rows, columns)
        pairs = pairs_under(model, rows, columns)
        mean = math.fsum(k * statistics(*pair)[1] for pair, k in pairs.items()) / sum(pairs.values())
        assert expected_mutual_information(margins, model) == pytest.approx(mean, rel=1e-12, abs=1e-15)
        mean = float(sum(k * statistics(*pair)[0] for pair, k in pairs.items()) / sum(pairs.values()))
        assert expected_rand(margins, model) == pytest.approx(mean, rel=4e-16)


@pytest.mark.parametrize("model", [model for model in MODELS if model != "permutation"])
@pytest.mark.parametrize("totals", small_and_full(((2, 2, 1), (3, 2)), ((3, 1, 1), (2, 2, 1))))
@pytest.mark.slow
def test_known_means_of_the_catalogue_by_all_pairs_of_partitions(totals, model):
    """Every index for which a mean is given, and that none is given by mistake."""
    known, pairs = set(), pairs_under(model, *totals)
    counted = tables_of(pairs)
    for name in cc.list_indices():
        found = expected_value(cc.get_index(name), Margins(*totals), model)
        if found is None:
            continue
        known.add(name)
        mean = math.fsum(k * value_of(table, name) for table, k in counted.items()) / sum(pairs.values())
        if math.isnan(found):  # infinite on some table, and 0/0 on others perhaps
            assert not math.isfinite(mean), name
        else:
            assert found == pytest.approx(mean, rel=1e-11, abs=1e-14), name
    assert known >= {
        "rand", "hamann", "russell_rao", "mirkin", "mutual_information", "bcubed_precision", "bcubed_recall",
        "element_centric_similarity",
    }  # fmt: skip


def law_of_sizes(n, k=None):
    """Sizes of a uniform partition and their probabilities, by counting the partitions with these sizes."""
    every = [sizes for k in (range(n + 1) if k is None else [k]) for sizes in integer_partitions(n, k, n)]
    counts = {sizes: count_partitions(sizes) for sizes in every}
    return {sizes: Fraction(count, sum(counts.values())) for sizes, count in counts.items()}


@pytest.mark.parametrize("model", MODELS)
def test_degenerate_tables(model):
    for margins in (Margins([], []), Margins([0, 1], [1])):  # no pair exists
        assert expected_rand(margins, model) is None
        assert expected_mutual_information(margins, model) is None


@pytest.mark.parametrize("function", [expected_rand, expected_mutual_information])
@pytest.mark.parametrize(
    ("k", "n", "model", "most"),
    [
        (1, 3175, "all-partitions", 3174),
        (3, 10_001, "fixed-k", 10_000),
        (2000, 2001, "one-sided-fixed-k", 1414),
    ],
)
def test_more_objects_than_the_recursions_serve(function, k, n, model, most):
    sizes = [n - k + 1] + [1] * (k - 1)
    with pytest.raises(ValueError, match=rf"at most {most} objects .* '{model}'; got {n}\. Sample instead"):
        function(Margins(sizes, sizes), model)


def test_multinomial_means_of_many_objects():
    """Pair indices in closed form at any n; a sum over cells from the binomial law of each, up to a cost."""
    sizes = [600_000, 300_000, 100_000]
    shares = sum((x / 1e6) ** 2 for x in sizes)
    assert expected_rand(Margins(sizes, sizes), "multinomial") == pytest.approx(shares**2 + (1 - shares) ** 2)
    with pytest.raises(ValueError, match=r"fewer sizes under the model 'multinomial'. Sample instead"):
        expected_mutual_information(Margins(sizes, sizes), "multinomial")
    n = 40
    squares = cc.indices.Index(name="squares", function=lambda x, r, c, n: x * x * 1.0, needs="cells")
    cells = [Fraction(15, 40) * Fraction(10, 40)] * 4 + [Fraction(25, 40) * Fraction(10, 40)] * 4
    wanted = sum(float(n * each * (1 - each) + (n * each) ** 2) for each in cells)
    found = expected_value(squares, Margins([15, 25], [10] * 4), "multinomial")
    assert found == pytest.approx(wanted, rel=1e-12)
