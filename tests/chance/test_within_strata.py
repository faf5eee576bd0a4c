"""Chance within strata: moments and samples against all matchings, and what the arguments must be."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

import chancecorr as cc
from chancecorr.chance.models import choose_models
from chancecorr.chance.within_strata import compute_mean_in_strata, compute_variance_in_strata
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.correction.options import read_options
from chancecorr.sampling.permutation import draw_listed_tables, draw_pair_sums, draw_tables, plan_strata
from chancecorr.tables.objects import read_strata
from tests import naive

AFFINE = ["rand", "mirkin", "adjusted_rand", "wallace_1"]
SUMS = ["mutual_information", "nmi_sum"]


def small(seed):
    """Eight objects in two to four strata."""
    rng = np.random.default_rng(seed)
    reference, candidate = (np.unique(rng.integers(0, 3, 8), return_inverse=True)[1] for _ in range(2))
    return reference, candidate, rng.integers(0, 2 + seed % 3, 8)


def all_tables_within(reference, candidate, strata):
    """Every table that matching the objects within strata gives, and its probability."""
    members = [np.flatnonzero(strata == k) for k in np.unique(strata)]
    times = Counter()
    for orders in itertools.product(*(itertools.permutations(each) for each in members)):
        matched = np.empty_like(candidate)
        for each, order in zip(members, orders, strict=True):
            matched[each] = candidate[list(order)]
        table = np.zeros((reference.max() + 1, candidate.max() + 1), dtype=np.int64)
        np.add.at(table, (reference, matched), 1)
        times[tuple(map(tuple, table.tolist()))] += 1
    total = sum(times.values())
    return [(np.array(table), count / total) for table, count in times.items()]


def law_of(index, tables):
    return naive.moments([cc.score_table(table, index) for table, _ in tables], [p for _, p in tables])[:2]


def sampler_of(reference, candidate, strata):
    pair = read_clusterings(reference, candidate)
    table = pair.table()
    return plan_strata(table.margins, read_strata(strata, pair.tabulate()[1], table.shape))


@pytest.mark.parametrize("own", ["no clusters", "some clusters", "all clusters"])
@pytest.mark.parametrize("seed", range(6))
def test_moments_are_those_of_all_matchings(seed, own):
    """Clusters that a stratum has of its own, such as records linked within blocks, are summed apart."""
    reference, candidate, strata = small(seed)
    if own != "no clusters":
        apart = strata if own == "all clusters" else strata * (reference == 0)
        reference, candidate = (
            np.unique(side + 3 * apart, return_inverse=True)[1] for side in (reference, candidate)
        )
    tables = all_tables_within(reference, candidate, strata)
    for name in AFFINE:
        mean, variance = law_of(name, tables)
        found = cc.adjust(reference, candidate, name, strata=strata, method="analytic").null
        assert found.mean == pytest.approx(mean, rel=1e-12, abs=1e-12)
        assert found.variance == pytest.approx(variance, rel=1e-11, abs=1e-14)
    for name in SUMS:
        mean, _ = law_of(name, tables)
        found = cc.adjust(reference, candidate, name, strata=strata, rng=0, n_tables=20)
        assert found.expected == pytest.approx(mean, rel=1e-12)
        assert found.null.mean_from == "analytic"


def test_the_variance_of_large_strata_is_that_of_tables():
    """Standard error of a sample variance: its relative error is about ``sqrt((kurtosis + 2) / m)``."""
    rng = np.random.default_rng(3)
    strata = np.repeat(np.arange(6), [900, 400, 40, 30, 3, 1])
    reference, candidate = ((strata + rng.integers(0, 3, strata.size)) % 4 for _ in range(2))
    sampler = sampler_of(reference, candidate, strata)
    assert len(sampler.parts) == 2  # the others are shuffled together
    sums = draw_pair_sums(sampler, np.uint64(5), 0, 20_000)
    pair = read_clusterings(reference, candidate)
    known = read_strata(strata, pair.tabulate()[1], pair.table().shape)
    variance = compute_variance_in_strata(known)
    assert abs(sums.mean() - compute_mean_in_strata(known)) < 4 * math.sqrt(variance / sums.size)
    assert sums.var() == pytest.approx(variance, rel=0.05)


@pytest.mark.parametrize("seed", range(4))
def test_tables_have_the_law_of_all_matchings(seed):
    reference, candidate, strata = small(seed)
    tables = all_tables_within(reference, candidate, strata)
    sampler = sampler_of(reference, candidate, strata)
    drawn = np.zeros((20_000, *sampler.shape), dtype=np.int64)
    draw_tables(sampler, np.uint64(seed), 0, drawn)
    times = Counter(map(bytes, drawn))
    expected = np.array([p * len(drawn) for _, p in tables])
    observed = np.array([times.pop(table.tobytes(), 0) for table, _ in tables])
    assert not times
    if len(tables) > 1:
        assert chisquare(observed, expected).pvalue > 1e-4


def test_a_table_depends_on_its_number_alone():
    rng = np.random.default_rng(0)
    strata = np.repeat(np.arange(3), [2000, 2000, 5])
    sampler = sampler_of(rng.integers(0, 4, 4005), rng.integers(0, 3, 4005), strata)
    assert (bool(sampler.parts), bool(sampler.rows.size)) == (True, True)
    whole, part = (np.zeros((m, 4, 3), dtype=np.int64) for m in (100, 60))
    draw_tables(sampler, np.uint64(1), 0, whole)
    draw_tables(sampler, np.uint64(1), 40, part)
    assert (whole[40:] == part).all()
    assert (whole.sum(axis=2) == sampler.margins.row_totals).all()
    assert (draw_pair_sums(sampler, np.uint64(1), 0, 100) == (whole**2).sum(axis=(1, 2))).all()


def records_in_blocks(n=60, blocks=4, seed=0):
    """Records of few entities each, which are only compared within a block."""
    rng = np.random.default_rng(seed)
    strata = np.sort(rng.integers(0, blocks, n))
    return *(strata * n + rng.integers(0, n // 4, n) for _ in range(2)), strata


def test_the_cells_of_many_clusters_are_listed_for_the_same_tables():
    reference, candidate, strata = records_in_blocks()
    sampler = sampler_of(
        *(np.unique(side, return_inverse=True)[1] for side in (reference, candidate)), strata
    )
    assert sampler.sparse
    laid_out = np.zeros((500, *sampler.shape), dtype=np.int64)
    draw_tables(sampler, np.uint64(7), 3, laid_out)
    listed = np.zeros_like(laid_out)
    for part, cells in draw_listed_tables(sampler, np.uint64(7), 3, len(listed)):
        table = np.repeat(np.arange(part.start, part.stop), np.diff(cells.ends))
        np.add.at(listed, (table, cells.rows, cells.columns), cells.counts)
        assert cells.counts.min() >= 1
    assert (listed == laid_out).all()
    assert (draw_pair_sums(sampler, np.uint64(7), 3, 500) == (laid_out**2).sum(axis=(1, 2))).all()


@pytest.mark.parametrize("index", ["rand", "mutual_information", "bcubed_f1", "purity", "muc"])
def test_listed_tables_have_the_moments_of_shuffled_labels(index):
    """Standard errors are the standard deviation of m values over the square root of m."""
    reference, candidate, strata = records_in_blocks()
    rng, m = np.random.default_rng(1), 2_000
    shuffled = np.empty(m)
    for t in range(m):
        order = np.lexsort((rng.random(strata.size), strata))  # sorted by stratum, as the labels are
        shuffled[t] = cc.score(reference, candidate[order], index)
    null = cc.adjust(reference, candidate, index, strata=strata, method="monte-carlo", n_tables=m, rng=2).null
    assert abs(null.mean - shuffled.mean()) < 4 * math.sqrt(2) * shuffled.std() / math.sqrt(m)
    assert null.std == pytest.approx(shuffled.std(), rel=0.1)  # relative error 1.6 % each, kurtosis 3


def test_a_bound_that_is_below_all_simulated_p_values_is_taken():
    reference, _, strata = records_in_blocks(2_000, 20)
    score = cc.adjust(reference, reference, "rand", strata=strata, n_tables=200, rng=0)
    z = (score.observed - score.null.mean) / score.null.std
    assert score.p_value == pytest.approx(1 / (1 + z * z), rel=1e-6)  # Cantelli
    assert score.p_value < 1 / 201


def largest_cell(labels_true, labels_pred):
    return float(np.unique(np.stack([labels_true, labels_pred]), axis=1, return_counts=True)[1].max())


@pytest.mark.parametrize("index", ["jaccard", "purity", "bcubed_f1", largest_cell])
def test_other_indices_are_simulated(index):
    reference, candidate, strata = small(1)
    tables = all_tables_within(reference, candidate, strata)
    score = cc.adjust(reference, candidate, index, strata=strata, rng=0, n_tables=4000)
    mean, variance = law_of(index, tables)
    assert abs(score.expected - mean) < 4 * math.sqrt(variance / 4000) + 1e-12
    assert score.null.model == "permutation within strata"


def test_the_same_bits_for_any_number_of_workers():
    reference, candidate, strata = small(2)
    asked = {"strata": strata, "rng": 7, "n_tables": 3000}
    one, two = (cc.adjust(reference, candidate, "purity", **asked, n_jobs=n) for n in (1, 2))
    assert one.to_dict() == two.to_dict()


def test_strata_that_leave_nothing_to_chance():
    score = cc.adjust([0, 0, 1, 1], [0, 0, 1, 2], strata=[0, 0, 1, 1], method="analytic")
    assert (score.variance, score.adjusted) == (0.0, 0.0)


@pytest.mark.parametrize("index", [x for x in cc.list_indices() if cc.get_index(x).affine])
def test_means_in_one_stratum_are_those_without(index):
    """Of 13 singletons T does not vary, and some indices are 0/0, which rounding must not hide."""
    alone, labels = [*range(13)], [99, *[0] * 12]
    plain = cc.adjust(alone, labels, index)
    within = cc.adjust(alone, labels, index, strata=[0] * 13, rng=0, n_tables=9)
    assert within.expected == pytest.approx(plain.expected, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strata": [0, 1]}, "must have one entry for each object; got 2 for 4"),
        ({"strata": [0, 1, 2, 3]}, "must have two objects somewhere; got 4 strata of one object each"),
        ({"strata": [0, None, 1, 1]}, "`strata` must"),
        ({"strata": [0, 0, 1, 1], "model": "fixed-k"}, "must be 'permutation' with `strata`"),
        ({"strata": [0, 0, 1, 1], "method": "exact"}, "'analytic' or 'monte-carlo' for index 'rand' under"),
    ],
)
def test_arguments(options, message):
    with pytest.raises(ValueError, match=message):
        cc.adjust([0, 0, 1, 1], [0, 1, 1, 2], **options)


def test_there_is_no_interval():
    score = cc.adjust([0, 0, 1, 1], [0, 1, 1, 2], strata=[0, 0, 1, 1], rng=0)
    with pytest.raises(ValueError, match="`strata` must be None for an interval"):
        score.interval()
    assert "within strata" in str(score.null.model)
    for shown in (repr(score), str(score), score._repr_html_(), score.to_text()):
        assert shown


def test_a_model_within_strata_has_no_law_or_curve():
    reference, candidate, strata = small(0)
    pair = read_clusterings(reference, candidate)
    ((model, _, _),) = choose_models(pair, "rand", read_options(rng=0), strata=strata)
    index = cc.get_index("rand")
    assert model.law(index) is model.find_controls(index) is None
    assert model.knows_mean(index)


def test_many_sums_of_tables_are_those_of_as_many_tables():
    """300 x 300 clusters are laid out eleven tables at a time, of which 30 are drawn."""
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(np.arange(3_000) % 300), rng.permutation(np.arange(3_000) % 300)
    options = {"strata": np.arange(3_000) % 2, "method": "monte-carlo", "n_tables": 30, "rng": 1}
    squares = cc.indices.Index(
        name="squares", function=lambda table, r, c: (table**2).sum(), needs="table", range=(0, np.inf)
    )
    nulls = [cc.adjust(rows, columns, index, **options).null for index in ("rand", squares)]
    assert nulls[0].counts.tolist() == nulls[1].counts.tolist()


def test_nothing_is_drawn_if_a_bound_is_below_all_simulated_p_values():
    """Under each model with an exact variance, as under permutations of all objects."""
    reference, _, strata = records_in_blocks(6_000, 20)
    soft = cc.Membership(np.random.default_rng(0).dirichlet([0.1] * 4, 2_000))
    for score in (cc.adjust(reference, reference, "rand", strata=strata), cc.adjust(soft, soft, "rand")):
        assert score.n_tables == 0
        assert score.p_is_bound
        assert score.p_value < 1 / 17_001
        assert score.compute_null().values is not None
