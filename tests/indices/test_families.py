"""Families of pair-counting indices: their members, what a member says of itself, and names with numbers."""

import itertools
import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.catalogue import check_index
from chancecorr.indices import pair_families as families
from chancecorr.indices.pair_families import f_beta, gosgens_generalized, tuple_rand, tversky, wallace_mean
from tests.indices import definitions
from tests.indices.formulas import of_pairs, value
from tests.naive import SMALL_MARGINS, all_tables, tables_to_labels

INF = math.inf
EXPONENTS = [-INF, -40.0, -2.0, -1.0, -0.5, 0.0, 1e-9, 0.5, 1.0, 2.0, 3.0, 40.0, INF]
MEMBERS = [
    *(tversky(*numbers) for numbers in [(1, 1), (0.5, 0.5), (2, 2), (1, 0), (0, 1), (0.2, 0.8), (3, 0.1)]),
    *(f_beta(beta) for beta in (0.01, 0.5, 1, 2, 1e3)),
    *(families.gower_legendre_s(theta) for theta in (1 / 3, 0.5, 1, 2, 10)),
    *(families.gower_legendre_t(theta) for theta in (0.5, 1, 2, 10)),
    *(make(r) for make in (wallace_mean, gosgens_generalized) for r in EXPONENTS),
]
COUNTS = [(4.0, 2.0, 3.0, 6.0), (10.0, 7.0, 1.0, 90.0), (0.0, 7.0, 2.0, 9.0), (31.5, 12.25, 7.5, 80.75)]


@pytest.mark.slow
@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: member.name)
def test_a_member_is_as_its_entry_says(member):
    assert check_index(member) == []


def test_formula_of_a_member():
    for member, counts in itertools.product(MEMBERS, COUNTS):
        if "1e-09" in member.formula or min(counts) == 0:  # no digits are left of such a power
            continue
        found, wanted = value(member, *counts), of_pairs(member.formula, *counts)
        assert found == pytest.approx(wanted, rel=1e-5), member.name


class TestPowerMeans:
    @pytest.mark.parametrize("r", [r for r in EXPONENTS if r != 1e-9])
    def test_as_published(self, r):
        """Shares of the pairs, the smaller first; and the mean of the Wallace coefficients themselves."""
        pairs = [(wallace_mean(r), definitions.wallace_mean(r))]
        pairs.append((gosgens_generalized(r), definitions.gosgens_generalized(r)))
        tables = (itertools.islice(all_tables(*margins), 25) for margins in SMALL_MARGINS[10:20])
        for table, (member, twin) in itertools.product(itertools.chain(*tables), pairs):
            exact = float(twin(*tables_to_labels(table)))
            if not math.isnan(exact):
                assert cc.score_table(table, member) == pytest.approx(exact, rel=1e-12, abs=1e-15)

    @pytest.mark.parametrize("make", [wallace_mean, gosgens_generalized])
    def test_steady_in_the_exponent(self, make):
        """Through 0, and to both ends, where the powers themselves lose all digits or overflow."""
        counts = 3e17, 1e17, 5e16, 4e17
        exponents = -INF, -1e6, -3, -1e-3, -1e-12, 0, 1e-12, 1e-3, 3, 1e6, INF
        values = [value(make(r), *counts) for r in exponents]
        assert values == sorted(values)
        assert (values[4], values[6]) == pytest.approx((values[5],) * 2, rel=1e-11)
        assert (values[1], values[9]) == pytest.approx((values[0], values[10]), rel=1e-5)


class TestFMeasure:
    @pytest.mark.parametrize("beta", [0.25, 0.5, 1, 2, 5])
    def test_scikit_learn(self, beta):
        """Precision is a / Q and recall a / P: the reference has the rows."""
        metrics = pytest.importorskip("sklearn.metrics")
        labels_true, labels_pred = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 1, 1, 2]
        pairs = list(itertools.combinations(range(8), 2))
        vectors = [[side[i] == side[j] for i, j in pairs] for side in (labels_true, labels_pred)]
        expected = metrics.fbeta_score(*vectors, beta=beta)
        assert cc.score(labels_true, labels_pred, f_beta(beta)) == pytest.approx(expected, rel=1e-12)


class TestTuples:
    @pytest.mark.parametrize("k", [2, 3, 4, 5])
    def test_every_set_and_every_order_is_counted(self, k):
        """Value, mean and variance from all sets of k objects, in all orders of the candidate's labels."""
        labels_true, labels_pred = [0, 0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 1, 1]
        definition = definitions.tuple_rand(k)
        values = [float(definition(labels_true, order)) for order in itertools.permutations(labels_pred)]
        score = cc.adjust(labels_true, labels_pred, f"tuple_rand({k})", method="analytic")
        assert score.observed == pytest.approx(float(definition(labels_true, labels_pred)), rel=1e-12)
        assert score.expected == pytest.approx(np.mean(values), rel=1e-12)
        assert score.std == pytest.approx(np.std(values), rel=1e-10, abs=1e-15)

    @pytest.mark.parametrize("k", [2, 3, 6])
    def test_mean_from_the_shares_of_the_two_sides(self, k):
        """A set of k objects is whole in both with probability ``A B``: the clusterings are independent."""
        sizes = [70, 20, 9, 1], [40, 30, 30]
        A, B = (sum(math.comb(size, k) for size in side) / math.comb(100, k) for side in sizes)
        null = cc.null_distribution(sizes, f"tuple_rand({k})", method="analytic")
        assert null.mean == pytest.approx(1 - A - B + 2 * A * B, rel=1e-12)

    def test_pairs_are_those_of_rand(self):
        labels = [0, 0, 0, 1, 1, 2, 2, 2, 3], [0, 0, 1, 1, 1, 2, 2, 0, 0]
        one, other = (cc.adjust(*labels, name, method="analytic") for name in ("tuple_rand(2)", "rand"))
        assert (one.observed, one.adjusted) == pytest.approx((other.observed, other.adjusted), rel=1e-12)

    def test_fewer_objects_than_k(self):
        assert math.isnan(cc.score([0, 0, 1], [0, 1, 1], "tuple_rand(4)"))


@pytest.mark.parametrize(
    ("make", "numbers", "message"),
    [
        *((f_beta, (x,), rf"`beta` must be above 0 and finite; got {x}\.") for x in (-1.0, 0, INF, math.nan)),
        (families.gower_legendre_s, (0.0,), r"`theta` must be above 0 and finite; got 0\.0\."),
        (families.gower_legendre_t, (-2.0,), r"`theta` must be above 0 and finite; got -2\.0\."),
        (tversky, (-0.5, 1.0), r"`alpha` must be 0 or above and finite; got -0\.5\."),
        (tversky, (1.0, math.nan), r"`beta` must be 0 or above and finite; got nan\."),
        (tversky, (1.0, INF), r"`beta` must be 0 or above and finite; got inf\."),
        (tversky, (0.0, 0.0), r"`alpha` and `beta` must not both be 0; got 0\.0 and 0\.0\."),
        *(
            (tuple_rand, (k,), rf"`k` must be a whole number from 2 to 1,000; got {k}\.")
            for k in (1.0, 2.5, INF, math.nan)
        ),
        (wallace_mean, (math.nan,), r"`r` must be a number, inf or -inf; got nan\."),
        (gosgens_generalized, (math.nan,), r"`r` must be a number, inf or -inf; got nan\."),
    ],
)
def test_numbers_that_are_refused(make, numbers, message):
    with pytest.raises(ValueError, match=message):
        make(*numbers)
