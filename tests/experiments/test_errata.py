"""The page of errata: what it names exists, what it computes is so today; its arithmetic by other ways."""

import itertools
import math
import re
import sys
from fractions import Fraction
from importlib.metadata import version

import pytest

import chancecorr as cc
from chancecorr.prototypes import GaussianComponents, bhattacharyya_distances
from experiments.common.data import load_dataset
from experiments.common.kept import ROOT
from experiments.errata import chance, other_fields, page, papers, python_packages, read_sources
from experiments.errata.erratum import Erratum, Numbers
from experiments.franti_rezaei_2016 import paper as franti
from experiments.rajasekhara_pujari_2010 import printed as rajasekhara
from experiments.rajasekhara_pujari_2010.tables import labels_of
from experiments.zhang_wong_shen_2012.paper import MATRIX_1
from experiments.zhang_wong_shen_2012.sums import sums_of_matrices
from tests.figures import same_figures
from tests.naive import all_tables, pair_counts, table_probability
from tests.named_tests import exists

ENTRIES = page.every_erratum()
SCIPY = [each for each in ENTRIES if "{scipy}" in each.version]


def name_of(erratum):
    return re.sub(r"[^\w.]+", "-", f"{erratum.version}-{erratum.where}")


def pinned(package):
    """Its version in the constraints, with which the page is written."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if "==" in line).get(package)


def packages(erratum):
    return re.findall(r"\{([\w-]+)\}", erratum.version)


def skip_with_other_versions(errata):
    if sys.platform != "linux" and any(each in SCIPY for each in errata):
        pytest.skip("how SciPy's process ends was looked at on Linux")
    for package in {package for each in errata for package in packages(each)}:
        if version(package) != pinned(package):
            pytest.skip(f"the page is about {package} {pinned(package)}; here is {version(package)}")


BY_SCIPY = chance.scipy_tables
ENDLESS = 2, 10**10


@pytest.fixture
def soon_ended(monkeypatch):
    """The call that has no answer is ended after three seconds, in which the others have theirs."""
    monkeypatch.setattr(
        chance, "scipy_tables", lambda *given: BY_SCIPY(*given, *([3.0] if given[:2] == ENDLESS else []))
    )


class TestThePage:
    @pytest.mark.heavy
    @pytest.mark.usefixtures("soon_ended")
    def test_it_is_up_to_date(self):
        skip_with_other_versions(ENTRIES)
        assert same_figures(page.PATH.read_text(encoding="utf-8"), page.page())

    @pytest.mark.parametrize("erratum", ENTRIES, ids=name_of)
    def test_the_test_of_an_entry_exists(self, erratum):
        assert exists(erratum.test)
        assert not exists(erratum.test + "_not")

    @pytest.mark.parametrize("erratum", ENTRIES, ids=name_of)
    def test_an_entry_says_what_is_right(self, erratum):
        """In numbers, or in words; what has places for numbers has the numbers, and each is named once."""
        assert erratum.right or erratum.arithmetic
        assert ("{}" in erratum.right) <= (erratum.numbers is not None)
        assert erratum.index == "" or erratum.index in cc.list_indices()
        assert sum(each.where == erratum.where and each.version == erratum.version for each in ENTRIES) == 1

    @pytest.mark.parametrize(
        "erratum", [each for each in ENTRIES if each.numbers and each not in SCIPY], ids=name_of
    )
    def test_both_numbers_are_computed_and_differ_as_shown(self, erratum):
        skip_with_other_versions([erratum])
        found, right = erratum.numbers()
        assert not math.isnan(right)
        assert page.shown(found, erratum.digits) != page.shown(right, erratum.digits)

    def test_every_entry_that_is_run_has_numbers(self):
        assert all(each.numbers for each in ENTRIES if each.status == "run")
        assert {"run", "once", "read"} == {each.status for each in ENTRIES}

    def test_an_entry_in_markdown(self):
        erratum = Erratum(
            where="`f_1` of x_1", version="numpy {numpy}", printed="{} for 2 * 2", right="{}", test="a.py::b",
            status="run", numbers=lambda: Numbers(5.0, 4.0), index="rand",
            arithmetic="off by {ratio:.2f}",
        )  # fmt: skip
        assert list(page.entry(erratum)) == [
            "", rf"**`f_1` of x\_1** (numpy {version('numpy')})", "",
            r"- computed: 5 for 2 \* 2", "- arithmetic: off by 0.80", "- right: 4",
            "- computed when this page was written: [`b`](../a.py); index [`rand`](../CATALOGUE.md#rand)",
        ]  # fmt: skip

    def test_no_broken_line_becomes_an_item_of_a_list(self):
        """What begins a list within a paragraph, as CommonMark has it."""
        lines = page.PATH.read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if re.match(r" +(?:[-+*]|1[.)]) ", line)] == []

    def test_all_misprints_of_the_studies_are_there(self):
        for study, count in {
            "Amorim & Cardoso (2014)": 4, "Rajasekhara & Pujari (2010)": 4 + 6,
            "Zhang, Wong & Shen (2012)": 2 + 3 + 2, "Fränti & Rezaei (2016)": 5,
        }.items():  # fmt: skip
            assert len(page.sections("Papers")[study]) == count


def by_key(sentences, key):
    (found,) = [each for each in sentences() if each.status == "read" and papers._key(each.where) == key]
    return found.arithmetic


class TestSentencesOfRajasekharaAndPujari:
    """What the study says of formulas and sentences, from the partitions and the data themselves."""

    def said(self, key):
        return by_key(papers.of_rajasekhara, key)

    def test_jaccard(self):
        a, b, c, d = pair_counts(labels_of("P1"), labels_of("P2"))
        assert Fraction(a, a + b + c) == Fraction(1, 2)
        assert f"would give {a / (d + b + c):.3f} for P1, P2; printed is 0.50" in self.said("jaccard")

    def test_nmi(self):
        """Equal clusterings have I = H: 1 / (2 n) of the printed formula, and 2 I / (H + H') = 1."""
        x = labels_of("P1")
        n, shared, H = len(x), cc.score(x, x, "mutual_information"), cc.score(x, x, "joint_entropy")
        assert shared / (n * (H + H)) == pytest.approx(1 / (2 * n))
        assert "lacks a factor 2 n" in self.said("nmi")

    def test_algorithm(self):
        """Of P1 and P2 the printed loop takes no pair, the loop meant those of table 1, 0.875."""
        assert irm(labels_of("P1"), labels_of("P2"), lambda unlabelled: not unlabelled) == 0
        assert irm(labels_of("P1"), labels_of("P2"), lambda unlabelled: bool(unlabelled)) == Fraction(7, 8)
        assert rajasekhara.TABLE_1["irm", "P1, P2"].text == "0.875"
        assert "must run while one is" in self.said("algorithm")

    def test_spect(self):
        about = (ROOT / "experiments" / "data" / "README.md").read_text(encoding="utf-8").replace("\n", " ")
        assert "spect is the 80 training rows followed by the 187 test rows" in about
        assert len(load_dataset("spect").labels) == 80 + 187
        assert "187 objects in training and 80 in testing" in self.said("spect")

    def test_glass(self):
        assert len(set(load_dataset("glass").labels.tolist())) == 6 < rajasekhara.CLASSES["glass"] == 7
        assert "k = 7 in Table 2; 6 classes" in self.said("glass")

    def test_iris(self):
        assert rajasekhara.FIRST["iris"] == 33
        assert rajasekhara.CLASSES["iris"] == 3
        assert "k is in [3, 50]" in self.said("iris")


def irm(first, second, goes_on):
    """The algorithm of the paper; `goes_on` is asked with the unlabelled pairs before each round."""
    table = {(i, j): 0 for i in set(first) for j in set(second)}
    for pair in zip(first, second, strict=True):
        table[pair] += 1
    rows = {i: first.count(i) for i in set(first)}
    columns = {j: second.count(j) for j in set(second)}
    alike = {(i, j): Fraction(x, rows[i] + columns[j] - x) for (i, j), x in table.items()}
    unlabelled, total = set(table), Fraction(0)
    while goes_on(unlabelled):
        i, j = max(unlabelled, key=lambda pair: (alike[pair], table[pair]))
        credit = min(rows[i], columns[j])
        total += alike[i, j] * credit
        rows[i] -= credit
        columns[j] -= credit
        unlabelled = {(u, v) for u, v in unlabelled - {(i, j)} if rows[u] and columns[v]}
    return total / len(first)


class TestSentencesOfFrantiAndRezaei:
    def test_equation_5(self):
        """Two clusters of A are nearest to the same one of B, whose other one is the orphan."""
        table = [[5, 0], [3, 1], [0, 4]]
        assert cc.score_table(table, "centroid_index_2") == 1
        nearest = [max(range(2), key=lambda j, row=row: row[j]) for row in [[5, 0], [3, 1]]]
        indegree_of_B = [nearest.count(j) for j in range(2)]
        assert indegree_of_B == [2, 0]
        assert [int(count == 0) for count in indegree_of_B] == [0, 1]
        assert "indegree of A where it is that of B" in by_key(papers.of_franti, "equation_5")

    def test_section_2(self):
        """Of equal clusterings the pairs with the largest sum are the clusters themselves."""
        x = [0, 0, 0, 1, 1]
        sums = {
            order: sum(
                len({k for k in range(5) if x[k] == i} & {k for k in range(5) if x[k] == j})
                for i, j in enumerate(order)
            )
            for order in itertools.permutations(range(2))
        }
        assert max(sums, key=sums.get) == (0, 1)
        assert min(sums, key=sums.get) == (1, 0)
        assert sums[1, 0] == 0
        assert "*maximising*" in by_key(papers.of_franti, "section_2")

    def test_section_3_1(self):
        """A pass through the labels adds as many counts as there are objects, whatever k is."""
        for k in (2, 5, 20):
            labels = [number % k for number in range(100)]
            added, table = 0, {}
            for pair in zip(labels, reversed(labels), strict=True):
                table[pair] = table.get(pair, 0) + 1
                added += 1
            assert added == sum(table.values()) == 100
        assert "one pass through the labels adds N counts" in by_key(papers.of_franti, "section_3_1")

    def test_section_3_2(self):
        one, *others = (GaussianComponents([[mean]], [1.0], "spherical") for mean in (0.0, 0.0, 1.0, 2.0))
        found = [float(bhattacharyya_distances(one, other)[0, 0]) for other in others]
        assert found == pytest.approx([0.0, 1 / 8, 4 / 8])
        assert "grows with the distance" in by_key(papers.of_franti, "section_3_2")

    def test_section_4(self):
        """Means over all tables are above the values of equal clusterings, and those of NMI below."""
        margins = [4, 3], [4, 3]
        for name, sign in (("normalized_van_dongen", 1), ("criterion_h", 1), ("nmi_sum", -1)):
            mean = sum(
                float(table_probability(table)) * cc.score_table(table, name)
                for table in all_tables(*margins)
            )
            assert sign * (mean - cc.score_table([[4, 0], [0, 3]], name)) > 0.1
        small, large = (each.value for each in franti.FIGURE_2 if each.column == "criterion_h"), 0.14
        assert min(small) == 0.05 < large
        assert "they increase" in by_key(papers.of_franti, "section_4")


def test_equation_30_counts_each_pair_twice():
    everyone = range(3)
    assert sums_of_matrices(MATRIX_1, MATRIX_1, everyone, everyone).t0 == 1
    ordered = [(i, j) for i in everyone for j in everyone if i != j and MATRIX_1[i][j]]
    assert ordered == [(0, 1), (1, 0)]


@pytest.mark.parametrize("labels", [python_packages.ONE, python_packages.EACH])
def test_identical_trivial_clusterings_by_arithmetic(labels):
    """Every pair is together in both, or apart in both: no formula without such pairs has a value there."""
    a, b, c, d = pair_counts(labels, labels)
    assert b == c == 0
    assert a * d == 0
    with pytest.raises(ZeroDivisionError):
        Fraction(2 * (a * d - b * c), (a + b) * (b + d) + (a + c) * (c + d))
    for name in ("adjusted_rand", "rand", "fowlkes_mallows", "jaccard", "pair_sets_index"):
        assert cc.score(labels, labels, name) == 1.0


def test_southwood_is_above_1_for_unequal_clusterings():
    from clusim.sim import southwood_index

    first, second = [0] * 6 + [1] * 4 + [2] * 4, [0] * 5 + [1] * 5 + [2] * 4
    a, b, c, _ = pair_counts(first, second)
    assert Fraction(a, b + c) == Fraction(22, 9)
    sides = (python_packages._clusim(labels) for labels in (first, second))
    assert southwood_index(*sides) == pytest.approx(22 / 9)


def test_overlap_quality_is_a_mutual_information():
    """The numbers of memberships, 1 and 2, are known from themselves: one bit."""
    joint = {(1, 1): Fraction(1, 2), (2, 2): Fraction(1, 2)}
    bits = sum(p * math.log2(p / (Fraction(1, 2) * Fraction(1, 2))) for p in joint.values())
    assert bits == 1.0
    assert python_packages._overlap_quality() == (3.0, bits)


def test_rogers_tanimoto_is_symmetric():
    assert cc.score_table([[2, 1], [0, 3]], "rogers_tanimoto") == pytest.approx(10 / 20)
    assert cc.score_table([[2, 0], [1, 3]], "rogers_tanimoto") == pytest.approx(10 / 20)
    assert Fraction(10, 10 + 4 * 2) != Fraction(10, 10 + 4 * 3)  # with b or c in the place of both


def test_labels_that_one_side_has_not():
    """With the labels of the second clustering among those of the first, the read formula is the index."""
    first = (1, 1, 2, 2, 2, 3)
    for second in itertools.islice(itertools.product((1, 2, 3), repeat=6), 0, None, 7):
        found = read_sources.rand_of_common_labels(first, second)
        assert found == pytest.approx(cc.score(first, second, "adjusted_rand"), nan_ok=True)
    assert math.isnan(read_sources.rand_of_common_labels((1, 1, 2, 2), (3, 3, 4, 4)))


def test_clusters_in_the_order_of_the_leaves():
    """Of dendextend, whose own test expects 0.408."""
    by_leaf = [1, 1, 1, 1, 0], [0, 0, 0, 1, 1]
    orders = (5, 4, 3, 1, 2), (3, 1, 2, 4, 5)
    by_place = [[labels[leaf - 1] for leaf in order] for labels, order in zip(by_leaf, orders, strict=True)]
    assert round(cc.score(*by_place, "fowlkes_mallows"), 3) == 0.408
    assert cc.score(*by_leaf, "fowlkes_mallows") == pytest.approx(3 / math.sqrt(6 * 4))


def test_the_root_of_cole_is_of_a_positive_number():
    """D^2 - P Q P' Q' is above 0 for no counts: phi^2 would be above 1."""
    for a, b, c, d in itertools.product(range(1, 5), repeat=4):
        D, product = a * d - b * c, math.prod((a + b, a + c, c + d, b + d))
        assert product > D**2
    counts = pair_counts([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])
    assert tuple(counts) == (4, 2, 3, 6)
    root = math.sqrt(18**2 + 6 * 7 * 9 * 8)
    assert cc.score_table([[2, 1], [0, 3]], "cole_5") == pytest.approx(math.sqrt(2) * 18 / root)


def test_two_measures_of_two_rates():
    together, apart = Fraction(4, 6), Fraction(3, 9)
    assert together / apart == 2
    assert cc.score_table([[2, 1], [0, 3]], "ample") == pytest.approx(float(abs(together - apart)))
    assert cc.score_table([[2, 1], [0, 3]], "tarantula") == pytest.approx(
        float(together / (together + apart))
    )


def test_far_out_the_normal_law_is_worse():
    near, far = (chance._normal_tail(share)() for share in (0.01, 0.0001))
    assert near.right == pytest.approx(0.01, rel=0.02)
    assert far.right == pytest.approx(0.0001, rel=0.02)
    assert near.right / near.found == pytest.approx(22, rel=0.05)
    assert far.right / far.found > 1e6


@pytest.mark.parametrize(
    ("rows", "columns", "found"), [((4, 2, 1), (3, 2, 2), 0.00806), ((4, 3), (3, 2, 2), 0.00889)]
)
def test_variance_of_averaged_pairs_of_pairs(rows, columns, found):
    """The right one over all tables; the other one from all pairs of pairs, in fractions."""
    n = sum(rows)
    values = {}
    for table in all_tables(rows, columns):
        T = sum(x * x for row in table for x in row)
        rand = 1 - Fraction(sum(x * x for x in rows) + sum(x * x for x in columns) - 2 * T, n * (n - 1))
        values[table] = rand, table_probability(table)
    mean = sum(p * x for x, p in values.values())
    variance = sum(p * x * x for x, p in values.values()) - mean**2
    numbers = chance.variances(rows, columns)
    assert numbers.right == pytest.approx(float(variance), rel=1e-12)
    assert numbers.found == pytest.approx(float(by_averages(rows, columns)), rel=1e-12)
    assert numbers.found == pytest.approx(found, abs=5e-6)


def test_the_balanced_index_is_not_0_by_chance():
    """Its mean from pairs of rows and columns, one by one; ours has mean 0."""
    rows, columns = (30, 6, 3), (20, 19)
    mean = 0.0
    for table in all_tables(rows, columns):
        scaled = [
            [int(x * (1.0 / (total / 13))) for x in row] for row, total in zip(table, rows, strict=True)
        ]
        cells = [(x, i, j) for i, row in enumerate(scaled) for j, x in enumerate(row)]
        both = sum(x * x for x, _, _ in cells) - 39
        in_rows, in_columns = (
            sum(x * y for (x, *p), (y, *q) in itertools.product(cells, cells) if p[k] == q[k] and p != q)
            for k in (0, 1)
        )
        neither = 39**2 - 39 - both - in_rows - in_columns
        room = (both + in_rows) * (in_rows + neither) + (both + in_columns) * (in_columns + neither)
        mean += float(table_probability(table)) * 2 * (both * neither - in_rows * in_columns) / room
    numbers = chance.balanced_means(rows, columns)
    assert numbers.found == pytest.approx(mean, rel=1e-9)
    assert numbers.found > 0.005
    assert numbers.right == 0.0


def by_averages(rows, columns):
    """E[R^2] - E[R]^2, the states of two random pairs on one side averaged over all pairs of pairs."""
    sides = []
    for sizes in (rows, columns):
        labels = [k for k, size in enumerate(sizes) for _ in range(size)]
        together = [labels[i] == labels[j] for i, j in itertools.combinations(range(len(labels)), 2)]
        sides.append(together)
    N = len(sides[0])

    def chances(together, same):
        states = [(x, y) for k, x in enumerate(together) for m, y in enumerate(together) if (k == m) == same]
        return {state: Fraction(states.count(state), len(states)) for state in set(states)}

    total = mean = Fraction(0)
    for same, weight in ((True, Fraction(1, N)), (False, 1 - Fraction(1, N))):
        first, second = (chances(side, same) for side in sides)
        total += weight * sum(p * second.get(state, 0) for state, p in first.items())
    first, second = (Fraction(sum(side), N) for side in sides)
    mean = first * second + (1 - first) * (1 - second)
    return total - mean**2


def test_a_strict_inequality_leaves_the_observed_value_out():
    """Of 20 orders of three labels among six, two have each cluster whole."""
    orders = list(itertools.combinations(range(6), 3))
    whole = sum(order in ((0, 1, 2), (3, 4, 5)) for order in orders)
    assert chance._strict_and_not() == pytest.approx((0.0, whole / len(orders)))


@pytest.mark.heavy
@pytest.mark.usefixtures("soon_ended")
class TestSciPy:
    def test_it_draws_tables_of_6e9_objects(self):
        skip_with_other_versions(SCIPY)
        assert chance.scipy_tables(2, 6 * 10**9, 20) == (20, "done")

    def test_two_by_two_of_more_do_not_come(self):
        skip_with_other_versions(SCIPY)
        assert chance.scipy_tables(2, 10**10, 20) == (0, "no answer")

    def test_three_by_three_of_more_end_the_process(self):
        skip_with_other_versions(SCIPY)
        assert chance.scipy_tables(3, 10**10, 1) == (0, "ended by -11")

    def test_here_so_many_objects_are_an_error(self):
        with pytest.raises(ValueError, match="must sum to at most 3037000499"):
            cc.sample_tables(cc.Margins([5 * 10**9] * 2, [5 * 10**9] * 2), 1, rng=1)


def test_a_sentence_of_the_notes():
    assert chance.sentence("lerman", "netneurotools").startswith("zrand of netneurotools 0.3.0 adds n / 2")
    with pytest.raises(ValueError, match="one sentence with 'nowhere'; got 0"):
        chance.sentence("lerman", "nowhere")


def test_a_sample_with_replacement_leaves_documents_out():
    """By the share of distinct objects over all samples of 5 of 5, and its limit."""
    samples = list(itertools.product(range(5), repeat=5))
    distinct = Fraction(sum(len(set(sample)) for sample in samples), 5 * len(samples))
    assert distinct == 1 - Fraction(4, 5) ** 5
    left_in = 1 - (1 - 1 / 16_384) ** 16_384
    assert left_in == pytest.approx(1 - math.exp(-1), abs=2e-5)


def test_tables_of_singletons_are_permutations():
    """clustering-mi 0.2.2 gave 2.5700594801788927 bits, and 1.3809896963952202 for two pairs in the first."""
    for sizes, theirs in (((1, 1, 1, 1), 2.5700594801788927), ((2, 2), 1.3809896963952202)):
        tables = len(list(all_tables(sizes, (1, 1, 1, 1))))
        labels = math.factorial(4) / math.prod(map(math.factorial, sizes))
        taken_off = math.log(math.factorial(5) / math.prod(math.factorial(size + 1) for size in sizes))
        assert tables == labels  # nothing is saved
        assert math.log2(labels) - taken_off == pytest.approx(theirs)


def test_self_pairs_raise_the_adjusted_rand_index_of_elki():
    """By all tables of (2, 2) against (2, 2): T is 8 or 4, with probabilities 1/3 and 2/3; A B / n^2 = 4."""
    law = {8: Fraction(2, 6), 4: Fraction(4, 6)}
    mean = sum(p * Fraction(T - 4, 8 - 4) for T, p in law.items())
    assert mean == Fraction(1, 3)
    found, right = other_fields._with_self_pairs((2, 2))
    assert found == pytest.approx(1 / 3)
    assert right == 0


def test_a_product_of_two_ints_wraps_around():
    assert 50_000 * 100_000 - 2**32 == 705_032_704 < 2**31
    assert 2 * 0.5 * math.log2(100_000 * 50_000 / 50_000**2) == 1
