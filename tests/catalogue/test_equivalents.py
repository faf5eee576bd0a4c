"""Indices that are the same once corrected for chance: proved for each class, refuted between all classes.

An index is the same as another one where it is ``alpha + beta x`` with alpha and beta from the cluster sizes,
and takes the best value where x does. This is shown on all tables with small margins, with means that are
sums over them, and for formulas of pair counts in 120 digits, where the margins are not even whole numbers.
That there are no more such indices is shown by a table for each two classes on which they differ by far more
than rounding.
"""

import dataclasses
import itertools
import math
import random
import re
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.catalogue import ONE_AT, check_index, list_classes
from chancecorr.chance.engines import get_engine
from chancecorr.chance.fixed_margins import find_best_value
from chancecorr.exact.enumeration import list_table_law
from chancecorr.indices.registry import FAMILIES
from tests.indices.definitions import FORMULAS
from tests.indices.formulas import DECIMALS, evaluate, of_exact_pairs
from tests.naive import SMALL_MARGINS

NAMES = [name for family in FAMILIES[:-1] for name in cc.list_indices(family)]
CLASSES = list_classes(FAMILIES[:-1])
SHARED = {name: members for name, members in CLASSES.items() if len(members) > 1}
APART = [
    ([4, 3, 1], [4, 2, 2]),
    ([5, 1], [2, 2, 2]),
    ([2, 2, 2], [5, 1]),
    ([5, 3, 2, 2], [7, 5]),
    ([7, 5], [5, 3, 2, 2]),
    ([6, 2, 2], [4, 4, 2]),
    ([30, 25], [40, 15]),
    ([2, 2, 1, 1, 1], [3, 2, 1, 1]),
]
"""Margins with which each two classes differ on a table."""


def adjusted(entry, margins, tables, probabilities):
    """``(x - mean) / (best - mean)`` on all tables, the mean a sum over them; nan where there is none."""
    values = get_engine(entry).values(entry, tables, margins)
    if entry.constant or not np.isfinite(values).all():
        return np.full(values.shape, math.nan)
    mean, best = math.fsum(probabilities * values), find_best_value(entry, margins, None)
    if not abs(best - mean) > 1e-9 * max(abs(best), abs(mean)):
        return np.full(values.shape, math.nan)
    return (values - mean) / (best - mean)


def list_law(sizes, most):
    margins = cc.Margins(*sizes)
    return margins, *list_table_law(margins, most)


@pytest.fixture(scope="module")
def laws():
    """All tables with small margins, and their probabilities."""
    return [list_law(sizes, 3_000) for sizes in SMALL_MARGINS]


@pytest.fixture(scope="module")
def scores():
    """Adjusted scores of every index on all tables with some margins."""
    listed = [list_law(sizes, 1_000) for sizes in APART]

    def of(entry):
        with np.errstate(invalid="ignore"):
            return np.concatenate([adjusted(entry, *law) for law in listed])

    return of


def test_the_same_on_all_tables(laws):
    for name, members in SHARED.items():
        compared = 0
        for law in laws:
            found = [adjusted(cc.get_index(member), *law) for member in (name, *members)]
            for one in found[1:]:
                both = np.isfinite(found[0]) & np.isfinite(one)
                compared += int(both.any())
                np.testing.assert_allclose(one[both], found[0][both], rtol=1e-11, atol=1e-12)
        assert compared >= 15 * len(members), f"most margins have adjusted scores by {name}"


def random_pairs(seed, count=40):
    """P, Q and N, fractions with P and Q below N, in all orders of P, Q, P' and Q'."""
    random_numbers = random.Random(seed)
    for _ in range(count):
        N = Fraction(random_numbers.randint(50, 400), 7)
        P, Q = (N * Fraction(random_numbers.randint(5, 95), 100) for _ in range(2))
        yield P, Q, N


def pair_value(entry, a, P, Q, N):
    return of_exact_pairs(entry.formula, a, P - a, Q - a, N - P - Q + a)


@pytest.mark.parametrize("name", [name for name in ONE_AT if cc.get_index(name).needs == "pairs"])
def test_affine_in_t_and_best_where_it_says(name):
    """On a line in a, and so in T; the best value stands where `ONE_AT` says, in each index of the class."""
    members = [entry for entry in map(cc.get_index, SHARED[name]) if entry.name in FORMULAS]
    assert len(members) >= 2
    letter, point = ONE_AT[name].split(" = ")
    for P, Q, N in random_pairs(2):
        numbers = {"P": P, "Q": Q, "P'": N - P, "Q'": N - Q, "N": N}
        decimals = {key: DECIMALS["Decimal"](x.numerator) / x.denominator for key, x in numbers.items()}
        where = Fraction(evaluate(point, decimals, DECIMALS))
        a = where if letter == "a" else (where + P * Q) / N  # D = a N - P Q
        for entry in members:
            at_0, at_1, at_3 = (pair_value(entry, Fraction(i), P, Q, N) for i in (0, 1, 3))
            assert at_3 - at_0 == pytest.approx(3.0 * (at_1 - at_0), rel=1e-12), entry.name
            selves = (pair_value(entry, x, x, x, N) for x in (P, Q))
            best = sum(selves) / 2 if entry.best is None else entry.best
            assert pair_value(entry, a, P, Q, N) == pytest.approx(best, rel=1e-12, abs=1e-12), entry.name


def test_no_two_classes_are_the_same(scores):
    """A table on which adjusted scores differ by 0.001, far more than rounding, for each two classes."""
    found = {name: scores(cc.get_index(name)) for name in CLASSES}
    alike = []
    for one, two in itertools.combinations(CLASSES, 2):
        if not np.nanmax(np.abs(found[one] - found[two]), initial=0.0) > 0.001:
            alike.append((one, two))
    assert alike == [], "if they are the same, one entry must say so in `corrected_as`"


@pytest.mark.slow
def test_members_of_families(scores):
    """A member is the same as an index of the catalogue if and only if it says so, for these numbers."""
    numbers = (-math.inf, -2.0, -1.0, 0.0, 0.2, 1 / 3, 0.5, 0.8, 1.0, 2.0, 3.0, math.inf)
    found = {name: scores(cc.get_index(name)) for name in CLASSES}
    same = set()
    for entry in (entry for entry in map(cc.get_index, NAMES) if entry.make):
        two = entry.name == "tversky"
        for given in itertools.product(numbers, numbers) if two else ((number,) for number in numbers):
            try:
                member = entry.make(*given)
            except ValueError:
                continue
            values = scores(member)
            like = [name for name in CLASSES if np.nanmax(np.abs(values - found[name])) < 1e-9]
            assert [member.corrected_as or entry.name] == (like or [entry.name]), member.name
            same.update(like)
    assert {"adjusted_rand", "jaccard", "nmi_sum", "phi", "loevinger"} <= same


def test_an_index_of_a_user_may_say_so():
    index = cc.indices.Index(
        name="errors", function=lambda a, b, c, d: 2.0 * (b + c), needs="pairs", best=0.0, affine=True,
        range=(0.0, math.inf), symmetric=True, corrected_as="adjusted_rand",
    )  # fmt: skip
    assert cc.catalogue.equivalents(index) == SHARED["adjusted_rand"]
    cc.register_index(index)
    try:
        assert check_index(index) == []
        assert "errors" in cc.catalogue.equivalents("rand")
    finally:
        cc.indices.unregister_index("errors")
    assert "errors" not in cc.catalogue.equivalents("rand")


@pytest.mark.parametrize(
    ("name", "claim", "message"),
    [
        ("wallace_1", "adjusted_rand", "corrected_as='adjusted_rand', but .* has another adjusted score"),
        ("jaccard", "adjusted_rand", "has another adjusted score"),
        ("nmi_max", "nmi_sum", "has another adjusted score"),
        ("mirkin", "rand", "the index that stands for it is 'adjusted_rand'"),
        ("mirkin", "ari", "the index that stands for it is 'adjusted_rand'"),
        ("mirkin", "adjusted_randy", "must be a registered index; got 'adjusted_randy'"),
    ],
)
def test_a_wrong_claim_is_found(name, claim, message):
    wrong = dataclasses.replace(cc.get_index(name), corrected_as=claim)
    assert re.search(message, "\n".join(check_index(wrong)))
