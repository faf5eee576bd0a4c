"""Random cluster sizes and the tables between them: laws against enumeration, and samplers that must fail."""

import functools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import chancecorr as cc
from chancecorr.indices import IndexEvaluationError
from chancecorr.indices.evaluation import evaluate_pair_sums, evaluate_varying_sums
from chancecorr.machine.kernel import Kernel, kernel
from chancecorr.sampling import permutation
from chancecorr.sampling.kernels import partitions as kernels
from chancecorr.sampling.kernels.logarithms import log_factorials
from chancecorr.sampling.kernels.partitions import draw_binomial
from chancecorr.sampling.kernels.streams import open_stream
from tests.chance.test_means_of_random_partitions import law_of_sizes, pairs_under, sizes_of
from tests.naive import cross_classification, set_partitions
from tests.random_models import MODELS, model_pair_sums, sample_model_tables, sides_of
from tests.sampling.fits import COMPILED, goodness_of_fit

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

SEED = np.uint64(20_140_106)
M, MANY = (10_000, 200_000) if COMPILED else (2000, 2000)

ALL_KINDS = [
    cc.Margins([], []),
    cc.Margins([0], [0, 0]),
    cc.Margins([1], [1]),
    cc.Margins([3, 0, 3], [2, 4]),
    cc.Margins([1] * 9, [1] * 9),
    cc.Margins([60, 20, 20], [10] * 10),
    cc.Margins([240, 240, 320], [100, 700]),
    cc.Margins([3] * 40, [6] * 20),
]


def law_of(values):
    counts = Counter(values)
    return {value: Fraction(count, counts.total()) for value, count in counts.items()}


def sorted_sizes(drawn):
    return [tuple(sorted(sizes.tolist(), reverse=True)) for sizes in drawn]


@functools.cache
def law_of_sizes_of_six(k=None):
    return law_of(sizes_of(labels) for labels in set_partitions(6) if k is None or max(labels) + 1 == k)


# Chance that one of the tests against a law fails for a right sampler: 60 * 1e-6.
SIZES_OF_K = [
    (6, 3),
    (20, 5),
    (44, 2),
    (130, 3),
    *(pytest.param(n, k, marks=pytest.mark.long) for n, k in ((6, 2), (42, 2), (50, 3))),
]


class TestSizes:
    # Objects are thrown one by one up to n = 42 for k = 2, 83 for k = 3, 163 for k = 5; beyond, by binomials.

    # A sampler that accepts every proposal is only about a tenth off: this takes many draws to see.
    @pytest.mark.parametrize(("n", "k"), SIZES_OF_K)
    @pytest.mark.slow
    def test_sum_of_squares_of_k_sizes(self, n, k):
        law = Counter()
        for sizes, p in law_of_sizes(n, k).items():
            law[sum(s * s for s in sizes)] += p
        T, A, B = model_pair_sums(cc.Margins([n - k + 1] + [1] * (k - 1), [n]), "fixed-k", MANY, SEED)
        assert (T == A).all()
        assert set(B.tolist()) == {n * n}
        assert goodness_of_fit(A.tolist(), law) > 1e-6

    def test_negative_controls(self):
        rng = np.random.default_rng(1)
        thrown = rng.multinomial(6, [1 / 3] * 3, size=M)
        wrong = {
            "empty clusters kept": thrown,
            "one object each, the others thrown": 1 + rng.multinomial(3, [1 / 3] * 3, size=M),
            "sizes uniform": rng.permuted([[4, 1, 1], [3, 2, 1], [2, 2, 2]] * M, axis=0)[:M],
        }
        for drawn in wrong.values():
            assert goodness_of_fit(sorted_sizes(drawn), law_of_sizes_of_six(3)) < 1e-12
        right = thrown[thrown.min(axis=1) > 0]
        assert goodness_of_fit(sorted_sizes(right), law_of_sizes_of_six(3)) > 1e-6
        six_urns = [sizes[sizes > 0] for sizes in rng.multinomial(6, [1 / 6] * 6, size=M)]
        assert goodness_of_fit(sorted_sizes(six_urns), law_of_sizes_of_six()) < 1e-12


@kernel
def fill_binomials(trials, p, q, seed, table, out):
    for t in range(out.size):
        out[t], _ = draw_binomial(trials, p, q, table, open_stream(seed, t))


@pytest.mark.parametrize(
    ("trials", "p"), [(1, 0.5), (5, 0.3), (30, 0.9), (500, 0.01), (44, 0.5), (1000, 0.4), (10**9, 1e-6)]
)
def test_binomial_draws(trials, p):
    out = np.empty(M, dtype=np.int64)
    fill_binomials(trials, p, 1 - p, SEED, log_factorials(trials), out)
    center, reach = trials * p, 12 * math.sqrt(trials * p * (1 - p))
    support = np.arange(max(0, int(center - reach) - 40), min(trials, int(center + reach) + 40) + 1)
    law = dict(zip(support.tolist(), stats.binom.pmf(support, trials, p).tolist(), strict=True))
    assert goodness_of_fit(out.tolist(), law) > 1e-6
    # SciPy's law at neighbouring parameters: the test can tell
    other = dict(zip(support.tolist(), stats.binom.pmf(support, trials, 0.8 * p).tolist(), strict=True))
    assert goodness_of_fit(out.tolist(), other) < 1e-12


def test_binomial_draws_without_choice():
    out = np.empty(5, dtype=np.int64)
    for trials, p, q, value in [(0, 0.5, 0.5, 0), (7, 0.0, 1.0, 0), (7, 1.0, 0.0, 7)]:
        fill_binomials(trials, p, q, SEED, log_factorials(trials), out)
        assert (out == value).all()


def sums_of_squares(first, second):
    """(T, A, B) of two partitions."""
    table = np.array(cross_classification(first, second))
    return tuple(int((part**2).sum()) for part in (table, table.sum(axis=1), table.sum(axis=0)))


def law_of_pairs(pairs):
    """Law of (T, A, B) of pairs of partitions with these frequencies."""
    counts = Counter()
    for pair, k in pairs.items():
        counts[sums_of_squares(*pair)] += k
    return {value: Fraction(count, counts.total()) for value, count in counts.items()}


SIX_OBJECTS = {
    "permutation": ((3, 2, 1), (2, 2, 2)),
    "fixed-k": ((4, 1, 1), (4, 1, 1)),
    "all-partitions": ((3, 3), (6,)),
    "one-sided-fixed-k": ((4, 2), (2, 2, 2)),
    "one-sided-all-partitions": ((4, 2), (3, 3)),
    "multinomial": ((3, 2, 1), (4, 2)),
    "one-sided-multinomial": ((3, 2, 1), (3, 3)),
}


@functools.cache
def laws_of_six_objects():
    return {model: law_of_pairs(pairs_under(model, *sizes)) for model, sizes in SIX_OBJECTS.items()}


class TestTables:
    @pytest.mark.slow
    @pytest.mark.parametrize("model", MODELS)
    def test_joint_law_equals_enumeration(self, model):
        laws = laws_of_six_objects()
        T, A, B = model_pair_sums(cc.Margins(*SIX_OBJECTS[model]), model, M, SEED)
        found = list(zip(T.tolist(), A.tolist(), B.tolist(), strict=True))
        assert goodness_of_fit(found, laws[model]) > 1e-6
        for other in set(laws) - {model}:  # negative controls: the other models
            assert goodness_of_fit(found, laws[other]) < 1e-12

    @pytest.mark.parametrize("model", MODELS)
    @pytest.mark.parametrize("margins", ALL_KINDS, ids=repr)
    def test_tables_and_their_sums_are_one_sample(self, margins, model):
        sums = model_pair_sums(margins, model, 20, SEED, 7)
        for t, table in enumerate(sample_model_tables(margins, model, 20, SEED, first=7)):
            rows, columns = table.sum(axis=1), table.sum(axis=0)
            assert (table.dtype, table.min(initial=0) >= 0) == (np.int64, True)
            assert [(table**2).sum(), (rows**2).sum(), (columns**2).sum()] == [x[t] for x in sums]
            names = tuple(side.name for side in sides_of(model))
            given_sizes = margins.row_totals, margins.column_totals
            sides = zip(names, (rows, columns), given_sizes, strict=True)
            for side, sizes, given in sides:
                assert sizes.sum() == margins.n
                if side == "fixed":
                    assert (sizes == given).all()
                else:
                    assert sizes.min(initial=1) > 0
                if side == "fixed-k":
                    assert sizes.size == np.count_nonzero(given)

    @pytest.mark.parametrize("model", ["permutation", "fixed-k", "one-sided-fixed-k", "multinomial"])
    def test_three_billion_objects(self, model):
        n = 3_000_000_000
        margins = cc.Margins([n // 2, n // 2], [n - 2, 1, 1])
        sums = model_pair_sums(margins, model, 2, SEED)
        for t, table in enumerate(sample_model_tables(margins, model, 2, SEED)):
            rows = [sum(row) for row in table.tolist()]
            columns = [sum(column) for column in zip(*table.tolist(), strict=True)]
            cells = [x for row in table.tolist() for x in row]
            assert [sum(x**2 for x in part) for part in (cells, rows, columns)] == [int(x[t]) for x in sums]
            assert sum(rows) == n


class TestValuesOfPairs:
    def test_each_table_has_its_own_margins(self):
        margins = cc.Margins([4, 2], [3, 3])
        sums = model_pair_sums(margins, "all-partitions", 50, SEED)
        values = evaluate_varying_sums(cc.get_index("jaccard"), *sums, 6)
        tables = sample_model_tables(margins, "all-partitions", 50, SEED)
        for value, table in zip(values, tables, strict=True):
            given = cc.Margins(table.sum(axis=1), table.sum(axis=0))
            alone = evaluate_pair_sums(cc.get_index("jaccard"), np.array([(table**2).sum()]), given)
            assert np.array_equal([value], alone, equal_nan=True)

    @pytest.mark.parametrize(
        ("function", "message"),
        [
            (
                lambda a, b, c, d: 1 / 0 if np.any(a > 9) else a,
                "failed on a table with a=10, b=5, c=0, d=0: ZeroDiv.*: division by zero",
            ),
            (lambda a, b, c, d: "x", "failed on .*: TypeError: expected a number"),
            (lambda a, b, c, d: a if a > 0 else d, "must work elementwise on arrays; .* on 2 together"),
        ],
    )
    def test_a_failure_names_the_index_and_the_pair_counts(self, function, message):
        index = cc.indices.Index(name="brittle", function=function, needs="pairs")
        with pytest.raises(IndexEvaluationError, match=f"'brittle' {message}"):
            evaluate_varying_sums(index, np.array([6, 26]), np.array([18, 36]), np.array([18, 26]), 6)


VARYING = [name for name in MODELS if name != "permutation"]
OF_BOTH_WAYS = [
    cc.Margins([30, 30, 40], [20, 45, 35]),  # dealt object by object
    cc.Margins([300, 200, 100], [250, 350]),
    cc.Margins([2000, 2500, 1, 2], [4400, 50, 53]),
    cc.Margins([5] * 8, [10] * 4),
    cc.Margins([3], [1, 2]),
]


@pytest.mark.skipif(not COMPILED, reason="nothing waits to be compiled")
@pytest.mark.parametrize("margins", OF_BOTH_WAYS, ids=str)
@pytest.mark.parametrize("model", VARYING)
def test_what_is_compiled_never_shows(model, margins):
    def draw():
        return [table.tolist() for table in sample_model_tables(margins, model, 6, SEED, 5)]

    compiled = draw()
    with pytest.MonkeyPatch.context() as patch:
        for module in (permutation.kernels, kernels):
            for name, kernel in vars(module).copy().items():
                if isinstance(kernel, Kernel):
                    patch.setattr(module, name, kernel.call_as_python)
        assert draw() == compiled
        sums = model_pair_sums(margins, model, 6, SEED, 5)
    tables = [(table, table.sum(axis=1), table.sum(axis=0)) for table in map(np.array, compiled)]
    assert np.array_equal(np.transpose([[int((x**2).sum()) for x in parts] for parts in tables]), sums)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "margins", [cc.Margins([60, 20, 20], [10] * 10), cc.Margins([3] * 8, [12, 12])], ids=str
)
def test_a_table_hangs_on_its_number_alone(model, margins):
    together = sample_model_tables(margins, model, 30, SEED, 4)
    alone = [sample_model_tables(margins, model, 1, SEED, 4 + t)[0] for t in range(30)]
    assert all(np.array_equal(one, other) for one, other in zip(together, alone, strict=True))
