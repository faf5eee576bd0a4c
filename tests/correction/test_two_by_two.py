"""P-values of two clusters against two: against sums over all tables, and at billions of objects."""

import math

import numpy as np
import pytest

import chancecorr
from chancecorr.correction.tails import tail_probability
from chancecorr.correction.two_by_two import log_p_of_two_by_two
from chancecorr.exact.laws.two_by_two import free_cell, log_probability, tables_with
from chancecorr.indices.registry import Index, get_index
from chancecorr.kinds import kind_of
from chancecorr.tables.contingency import ContingencyTable

TABLES = [
    [[900, 100], [80, 1200]],
    [[30, 900], [1100, 200]],
    [[700, 1], [300, 400]],
    [[1200, 30], [2, 500]],
]
INDICES = [
    "rand",
    "jaccard",
    "nmi_sum",
    "mutual_information",
    "purity",
    "maximum_matching_accuracy",
    "mirkin",
]


def log_sum_of_extreme(index, table, alternative):
    """Over all tables, one by one; those that differ by 100 roundings count."""
    cell = free_cell(table.margins)
    x = np.arange(cell.low, cell.high + 1)
    values = kind_of(index).values(index, tables_with(cell, x), table.margins)
    observed = kind_of(index).value(index, table)
    slack = 100 * np.finfo(float).eps * np.abs(values).max()
    reached = values >= observed - slack if alternative == "greater" else values <= observed + slack
    return float(np.logaddexp.reduce([log_probability(cell, k, k) for k in x[reached].tolist()]))


class TestTail:
    @pytest.mark.parametrize("name", INDICES)
    @pytest.mark.parametrize("counts", TABLES)
    @pytest.mark.parametrize("alternative", ["greater", "less"])
    def test_against_the_sum_over_all_tables(self, name, counts, alternative):
        index, table = get_index(name), ContingencyTable(counts)
        observed = kind_of(index).value(index, table)
        found = log_p_of_two_by_two(index, table, observed, alternative, None)
        wanted = log_sum_of_extreme(index, table, alternative)
        if found is None:
            assert wanted > -3.0, "only where the likeliest table is extreme itself"
        else:
            assert found[0] == pytest.approx(wanted, rel=1e-11, abs=1e-11)
            assert found[1] < 1e-10

    def test_a_run_that_ends_again(self):
        """Few tables have so small a T: those about its least, far from the likeliest one."""
        index = Index(name="together", function=lambda a, b, c, d: a, needs="pairs")
        table = ContingencyTable([[770, 1240], [250, 740]])
        observed = kind_of(index).value(index, table)
        found = log_p_of_two_by_two(index, table, observed, "less", "less")
        assert found[0] == pytest.approx(log_sum_of_extreme(index, table, "less"), abs=1e-10)

    def test_what_has_no_places_is_not_answered(self):
        """Even values of a cell are extreme, and odd ones are not."""
        index = Index(name="even", function=lambda x, row, column, n: x % 2.0, needs="cells")
        table = ContingencyTable([[40_001, 0], [0, 40_001]])
        assert log_p_of_two_by_two(index, table, 2.0, "greater", None) is None

    def test_other_tables_are_not_answered(self):
        table = ContingencyTable([[5, 0, 1], [0, 3, 2]])
        assert log_p_of_two_by_two(get_index("rand"), table, 1.0, "greater", None) is None

    def test_by_name(self):
        tail = tail_probability([[40_000, 0], [0, 40_000]], "purity")
        wanted = math.log(2.0) + 2 * math.lgamma(40_001) - math.lgamma(80_001)
        assert tail.method == "exact"
        assert tail.log_p_value == pytest.approx(wanted, rel=1e-12)


class TestBillionsOfObjects:
    HALF = 1_500_000_000

    @pytest.mark.heavy
    @pytest.mark.parametrize("name", INDICES)
    def test_the_same_clustering(self, name, record_property):
        score = chancecorr.adjust_table([[self.HALF, 0], [0, self.HALF]], index=name)
        wanted = math.log(2.0) + 0.5 * math.log(math.pi * self.HALF) - 2 * self.HALF * math.log(2.0)
        assert score.log_p_value == pytest.approx(wanted, rel=1e-15)
        record_property("relative_error", abs(score.log_p_value / wanted - 1.0))
        assert score.p_value_from == "exact"
        assert not score.p_is_bound
        assert score.null.values_from == "exact"
        assert score.adjusted == pytest.approx(1.0)

    def test_mean_of_purity(self):
        """With equal totals purity is ``1/2 + |x - n/4| 2/n``, and x is nearly normal."""
        null = chancecorr.null_distribution(chancecorr.Margins([self.HALF] * 2, [self.HALF] * 2), "purity")
        n = 2 * self.HALF
        std = math.sqrt(n / 16)
        assert null.mean - 0.5 == pytest.approx(2 / n * std * math.sqrt(2 / math.pi), rel=1e-6)
        assert null.lost_mass <= 1e-12

    @pytest.mark.parametrize("away", [0, 30_000, 100_000, 300_000])
    def test_between(self, away):
        """Purity and Rand index have the same extreme tables here: those as far from n/4 on either side."""
        x = self.HALF // 2 + away
        table = [[x, self.HALF - x], [self.HALF - x, x]]
        one, other = (chancecorr.adjust_table(table, index=name) for name in ("purity", "rand"))
        assert one.log_p_value == pytest.approx(other.log_p_value, rel=1e-9, abs=1e-9)
        z = away / math.sqrt(2 * self.HALF / 16)
        if away <= 100_000:
            assert one.p_value == pytest.approx(math.erfc((z - 0.5 / 13693) / math.sqrt(2)), rel=1e-2)

    @pytest.mark.parametrize("name", ["purity", "rand", "mutual_information", "jaccard"])
    @pytest.mark.parametrize("counts", [[[2_999_999_000], [1000]], [[5, 2_999_999_000]], [[3_000_000_000]]])
    def test_one_cluster_on_a_side_has_one_table(self, name, counts):
        score = chancecorr.adjust_table(counts, index=name)
        assert score.p_value == 1.0
        assert score.null.values.size == 1
        assert score.null.std == 0.0

    def test_labels_are_too_many_to_be_laid_out(self):
        index = Index(name="longest", function=lambda true, pred: float(len(true)), needs="labels")
        with pytest.raises(
            ValueError, match=r"`index` must not need labels .*3000000000 objects, and got 'longest'"
        ):
            chancecorr.adjust_table([[self.HALF, 0], [0, self.HALF]], index=index)

    @pytest.mark.heavy
    def test_an_infinite_value_far_out_makes_the_mean_infinite(self):
        index = Index(
            name="inverse", function=inverse_of_first_cell, needs="table", range=(-math.inf, math.inf)
        )
        null = chancecorr.null_distribution(chancecorr.Margins([60_000, 60_000], [60_000, 60_000]), index)
        assert null.values_from == "exact"
        assert null.mean == math.inf


def inverse_of_first_cell(table, row_totals, column_totals):
    return math.inf if table[0, 0] == 0 else 1.0 / table[0, 0]
