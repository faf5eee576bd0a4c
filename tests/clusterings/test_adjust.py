"""Soft and overlapping clusterings corrected for chance: published indices, degenerate and wrong inputs."""

import itertools
import math

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

import chancecorr as cc
from chancecorr.clusterings import clustering
from chancecorr.clusterings.indices import pair_counts
from tests.clusterings.permutations import check_law
from tests.clusterings.sides import (
    CASES,
    INDICES,
    adjusted,
    consensus,
    cover,
    labels,
    numbers_of,
    sides_of,
    soft,
)  # fmt: skip

# Against the rest of the package, and other software's formulas


def test_omega_index_of_other_software():
    clusim = pytest.importorskip("clusim.clustering")
    sim = pytest.importorskip("clusim.sim")
    rng = np.random.default_rng(1)
    P, Q = cover(rng, 30), cover(rng, 30, k=3)
    P[:, 0] |= P.sum(axis=1) == 0  # there every object belongs to a cluster
    Q[:, 0] |= Q.sum(axis=1) == 0
    theirs = [
        clusim.Clustering(elm2clu_dict={i: np.flatnonzero(row).tolist() for i, row in enumerate(M)})
        for M in (P, Q)
    ]
    score = cc.adjust(cc.Cover(P), cc.Cover(Q), "omega", method="analytic")
    assert score.adjusted == pytest.approx(sim.omega_index(*theirs), rel=1e-12)


@pytest.mark.parametrize("tile", [3, 128])
@pytest.mark.parametrize("seed", range(12))
def test_omega_has_the_moments_of_all_permutations(monkeypatch, seed, tile):
    """Pairs share 0, 1, 2 or more clusters; some numbers are on one side only."""
    monkeypatch.setattr(clustering, "OBJECTS_A_TILE", tile)
    rng = np.random.default_rng(seed)
    n = 3 + seed % 4
    sides = [(rng.random((n, k)) < share).astype(int) for k, share in ((2 + seed % 3, 0.6), (3, 0.4))]
    first, second = ((side @ side.T) for side in sides)
    pairs, law = np.triu_indices(n, 1), []
    for order in itertools.permutations(range(n)):
        law.append(np.mean(first[pairs] == second[np.ix_(order, order)][pairs]))
    null = cc.adjust(*map(cc.Cover, sides), "omega", method="analytic").null
    assert null.mean == pytest.approx(np.mean(law), rel=1e-12)
    assert null.variance == pytest.approx(np.var(law), abs=1e-14)


def test_the_variance_of_omega_is_left_to_draws_if_pairs_share_very_different_numbers(monkeypatch):
    rng = np.random.default_rng(0)
    sides = [cc.Cover((rng.random((40, 6)) < 0.5).astype(int)) for _ in range(2)]
    known = cc.adjust(*sides, "omega", n_tables=5_000, rng=1).null
    monkeypatch.setattr(pair_counts, "MOST_VALUES_COUNTED", 3)
    drawn = cc.adjust(*sides, "omega", n_tables=5_000, rng=1).null
    assert drawn.mean == known.mean
    assert drawn.std == pytest.approx(known.std, rel=0.05)  # relative standard error 1.2 %, kurtosis 4
    assert drawn.std != known.std


@pytest.mark.parametrize(("index", "kinds"), CASES)
def test_tiles_do_not_matter(monkeypatch, index, kinds):
    given = sides_of(index, kinds, 21, 15)
    whole = adjusted(*given, index, kinds, n_tables=20)
    monkeypatch.setattr(clustering, "OBJECTS_A_TILE", 7)
    cut = adjusted(*given, index, kinds, n_tables=20)
    numbers, words = numbers_of(whole)
    assert numbers_of(cut) == (pytest.approx(numbers, rel=1e-11, abs=1e-14, nan_ok=True), words)
    listed = (np.repeat(each.null.values, each.null.counts) for each in (cut, whole))
    assert next(listed) == pytest.approx(next(listed), rel=1e-11)


def test_p_values_are_uniform_under_chance():
    """Of 300 pairs of unrelated soft clusterings; Kolmogorov's distance above 0.155 in 1 of a million."""
    p_values = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        sides = (cc.Membership(rng.dirichlet(np.ones(3), 12)) for _ in range(2))
        p_values.append(cc.adjust(*sides, n_tables=99, rng=seed).p_value)
    p, steps = np.sort(p_values), np.arange(1, 301) / 300
    assert np.abs(p - steps).max() < 0.155
    assert np.abs(p**2 - steps).max() > 0.155  # wrong p-values are seen


# Degenerate inputs


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("n", [0, 1])
def test_no_pair_of_objects(index, n):
    for side, kinds in [([0] * n, ("labels",) * 2), (np.eye(2)[[0] * n], ("membership",) * 2)]:
        if n == 0 and kinds[0] == "labels":
            with pytest.raises(ValueError, match="must hold at least one label"):
                adjusted(side, side, index, kinds)
            continue
        score = adjusted(side, side, index, kinds)
        assert score.remark
        assert all(math.isnan(x) for x in (score.observed, score.expected, score.adjusted, score.p_value))


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("given", [[0] * 9, list(range(9))], ids=["one cluster", "singletons"])
def test_chance_always_attains_the_best(index, given):
    for P, kinds in ((given, ("labels",) * 2), (np.eye(9)[given], ("membership",) * 2)):
        score = adjusted(P, P, index, kinds, n_tables=19)
        assert (score.observed, score.p_value) == (1.0, 1.0)
        assert math.isnan(score.adjusted)
        assert score.expected == pytest.approx(1.0, rel=1e-15)
        assert "the same value" in score.remark
        assert math.isnan(score.z_score)


@pytest.mark.parametrize("n", [5, 9])  # 120 permutations are listed, 362,880 are not
def test_one_cluster_on_both_sides_is_0_by_0_without_a_warning(n):
    score = cc.adjust(cc.Membership(np.ones((n, 1))), [0] * n, "ari", rng=1, n_tables=19)
    assert math.isnan(score.adjusted)
    assert score.remark


def test_the_range_of_whole_pair_counts_is_not_asked_of_degrees():
    """1 / (2 sqrt(P)) is subtracted, of less than a pair here."""
    S = cc.Similarity([[1.0, 0.1, 0.0], [0.1, 1.0, 0.2], [0.0, 0.2, 1.0]])
    score = cc.adjust(S, [0, 0, 1], "fager_mcgowan")
    assert score.observed == pytest.approx(0.1 / math.sqrt(0.3) - 0.5 / math.sqrt(0.3))
    w = np.array([1.0, 1.0, 100.0]) / 34.0
    score = cc.adjust([0, 0, 1], [0, 0, 1], "fager_mcgowan", weights=w, rng=1, n_tables=9)
    assert score.observed == pytest.approx(1.0 - 0.5 / (w[0] * w[1]) ** 0.5)
    w = np.array([1.0, 2.0, 3.0])
    score = cc.adjust([0, 1, 1], [0, 1, 0], "ari", weights=w, rng=1, n_tables=9)
    a, b, c, d = 0.0, w[1] * w[2], w[0] * w[2], w[0] * w[1]
    expected = (a + b) * (a + c) / (a + b + c + d)
    assert score.observed == pytest.approx((a - expected) / ((2 * a + b + c) / 2 - expected))
    assert score.observed < -0.5


def test_of_two_leaves_there_is_no_interval():
    score = cc.adjust(cc.Tree([[0, 1, 1.0, 2]]), [0, 1], "correlation")
    assert "too few objects: 2" in score.interval().remark or "no adjusted score" in score.interval().remark


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [("membership",) * 2, ("labels", "membership")])
@pytest.mark.parametrize("most", [10, 100])
def test_too_many_values_are_rounded_within_the_stated_error(monkeypatch, kinds, most):
    rng = np.random.default_rng(most)
    make = {"membership": lambda: rng.dirichlet(np.ones(3), 60), "labels": lambda: labels(rng, 60)}
    sides = [make[kind]() for kind in kinds]
    exact = adjusted(*sides, "fuzzy_rand", kinds, method="analytic").null
    monkeypatch.setattr(clustering, "OBJECTS_A_TILE", 7)  # the values come in several parts
    monkeypatch.setattr("chancecorr.clusterings.indices.pair_counts.MAX_EXACT_PAIRS", most)
    monkeypatch.setattr("chancecorr.clusterings.indices.pair_counts.STEP_OF_A_SIMILARITY", 1.0 / most)
    rounded = adjusted(*sides, "fuzzy_rand", kinds, method="analytic").null
    assert (exact.error, rounded.error) == (0.0, 1.0 / most)
    assert abs(rounded.mean - exact.mean) <= rounded.error
    assert rounded.mean != exact.mean


# What comes back, and what goes in


def test_no_permutation_as_extreme():
    P = cc.Membership(soft(np.random.default_rng(1), 60))
    score = cc.adjust(P, P, "fuzzy_rand", n_tables=99, rng=1)
    assert (score.p_value, score.p_relative_error) == (0.01, math.inf)
    assert score.p_upper == pytest.approx(1 - 0.05 ** (1 / 99), rel=1e-12)
    assert "none of 99 permutations is as extreme" in repr(score)


def test_without_permutations_the_p_value_is_a_proven_bound():
    """Cantelli (1928), against all permutations of seven objects."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        P, Q = cc.Membership(soft(rng, 7)), cc.Membership(soft(rng, 7))
        bound, exact = (cc.adjust(P, Q, method=each) for each in ("analytic", "auto"))
        assert bound.p_is_bound
        assert exact.p_value_from == "exact"
        assert bound.p_value >= exact.p_value * (1 - 1e-12)
        assert bound.p_value == pytest.approx(1 / (1 + max(bound.z_score, 0.0) ** 2))


def test_numbers_of_any_container():
    rng = np.random.default_rng(1)
    P, Q = soft(rng, 12), labels(rng, 12)
    expected = cc.adjust(cc.Membership(P), Q, rng=1).to_dict()
    pd, sparse = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")
    index = [f"object {i}" for i in range(12)]
    forms = [P.tolist(), P.astype(np.float32), sparse.csr_array(P), pd.DataFrame(P), np.asfortranarray(P)]
    for form in forms:
        assert cc.adjust(cc.Membership(form), Q, rng=1).to_dict() == expected
    assert cc.adjust(Q, cc.Membership(P), rng=1).adjusted == expected["adjusted"]
    frame, series = cc.Membership(pd.DataFrame(P, index=index)), pd.Series(Q, index=index)
    assert cc.adjust(frame, series, rng=1).to_dict() == expected
    for other in (series[::-1], series[::-1].to_dict()):
        found = cc.adjust(frame, other, rng=1).adjusted
        assert found == pytest.approx(expected["adjusted"], rel=1e-12)
    with pytest.raises(ValueError, match=r"must have the index of `labels_true`; got 0, not 'object 0'"):
        cc.adjust(frame, pd.Series(Q))
    with pytest.raises(ValueError, match=r"must name the objects of `labels_true`; got 1 more, as 'x'"):
        cc.adjust(frame, series.rename({"object 3": "x"}))


def test_distances_of_a_tree_are_correlated_as_the_tree():
    rng = np.random.default_rng(3)
    tree = linkage(rng.normal(size=(9, 2)), "average")
    distances = squareform(cophenet(tree))
    P = labels(rng, 9)
    near = cc.adjust(P, cc.Similarity(distances, distance=True), "correlation")
    far = cc.adjust(P, cc.Tree(tree), "correlation")
    assert near.observed == pytest.approx(far.observed, rel=1e-12)
    kernel = cc.adjust(P, cc.Similarity(distances), "correlation", rng=1)
    assert kernel.observed == pytest.approx(-near.observed, rel=1e-12)


def test_the_index_if_none_is_named():
    rng = np.random.default_rng(3)
    tree, P = cc.Tree(linkage(rng.normal(size=(9, 2)), "average")), labels(rng, 9)
    assert cc.adjust(tree, tree).index == cc.adjust(P, tree).index == "correlation"
    assert cc.adjust(cc.Cover(cover(rng, 9)), P).index == "omega"
    assert cc.adjust(cc.Membership(soft(rng, 9)), P).index == "rand"
    assert cc.adjust(cc.Similarity(consensus(rng, 9)), P).index == "rand"


def test_a_hierarchy_of_clusim_is_no_partition():
    clustering = pytest.importorskip("clusim.clustering").Clustering()
    clustering.from_scipy_linkage(linkage(np.random.default_rng(1).normal(size=(6, 2))))
    with pytest.raises(ValueError, match="`labels_true` must be flat; got a hierarchy of clusim"):
        cc.adjust(clustering, [0, 0, 0, 1, 1, 1])


@pytest.mark.long
@pytest.mark.parametrize("index", ["rand", "fuzzy_rand", "correlation", "jaccard"])
def test_intervals_hold_the_score_of_the_population(index):
    """Of 300 samples of 150 objects; 0.95 less four standard errors of a share is 0.90."""
    shape = np.array([[4, 1, 1], [1, 3, 2], [1, 1, 2]])

    def sample(rng, n):
        truth = rng.integers(0, 3, n)
        drawn = rng.gamma(shape[truth])
        return truth, drawn / drawn.sum(axis=1, keepdims=True)

    options = {"n_tables": 300} if index == "jaccard" else {"method": "analytic"}
    truth, drawn = sample(np.random.default_rng(0), 4_000)
    population = cc.adjust(truth, cc.Membership(drawn), index, rng=1, **options).adjusted
    held = 0
    for seed in range(300):
        truth, drawn = sample(np.random.default_rng([1, seed]), 150)
        low, high = cc.adjust(truth, cc.Membership(drawn), index, rng=1, **options).interval()
        held += low <= population <= high
    assert held >= 0.90 * 300


@pytest.mark.parametrize("index", ["element_centric", "dendrogram_purity", "correlation"])
def test_an_interval_does_not_depend_on_which_label_is_of_one_object(index):
    """Without that object a label has no object; 12 labels in two orders of their names."""
    tree = cc.Tree(linkage(np.random.default_rng(0).normal(size=(12, 2)), "average"))
    first, last = np.array([0, *[1] * 6, *[2] * 5]), np.array([2, *[0] * 6, *[1] * 5])
    found = [tuple(cc.adjust(tree, labels, index, rng=1).interval()) for labels in (first, last)]
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def test_any_function_of_two_clusterings():
    """All permutations of six objects by Python's own loop."""
    rng = np.random.default_rng(4)
    P, Q = soft(rng, 6), soft(rng, 6)

    def overlap(first, second):
        return float(np.minimum(first, second).max(axis=1).sum())

    law = [overlap(P, Q[list(order)]) for order in itertools.permutations(range(6))]
    check_law(cc.adjust(cc.Membership(P), cc.Membership(Q), overlap), law)
    sides = (cc.Membership(soft(rng, 40)) for _ in range(2))
    low, high = cc.adjust(*sides, overlap, rng=1).interval()
    assert low < high


def test_any_pair_counting_index_of_the_catalogue():
    rng = np.random.default_rng(5)
    P, Q = soft(rng, 6), labels(rng, 6)
    p, q = P @ P.T, np.equal.outer(Q, Q)
    upper = np.triu_indices(6, 1)
    law = []
    for order in itertools.permutations(range(6)):
        both = q[np.ix_(order, order)]
        a, b, c = ((x * y)[upper].sum() for x, y in ((p, both), (p, 1 - both), (1 - p, both)))
        law.append(a / (a + b + c))
    check_law(cc.adjust(cc.Membership(P), Q, "jaccard"), law)


HALVES = np.full((3, 2), 0.5)
SOFT = cc.Membership(HALVES)
ERRORS = [
    (
        cc.Cover(np.ones((3, 2))),
        [0, 0, 1],
        {"index": "fuzzy_rand"},
        "`index` must take cover.* count pairs",
    ),
    (cc.Membership, HALVES * 2, {}, r"`rows` must have rows that sum to 1; got a sum of 2\.0 in row 0\."),
    (cc.Membership, -HALVES, {}, r"`rows` must hold numbers from 0 on; got -0\.5 at position \(0, 0\)"),
    (cc.Membership, HALVES * math.nan, {}, "`rows` must hold numbers from 0 on; got nan"),
    (cc.Membership, [[1.0], [0.5, 0.5]], {}, "`rows` must have rows of one length"),
    (cc.Cover, HALVES, {}, r"`rows` must hold 0 or 1; got 0\.5 at"),
    (cc.Similarity, HALVES, {}, r"`matrix` must be square; got shape \(3, 2\)\."),
    (cc.Tree, [[0, 1, 2, 2], [0, 2, 3, 3]], {}, r"`linkage` must be a linkage as SciPy makes it"),
    (cc.Tree, [[0, 1, 2, 2], [2, 3, 1, 3]], {}, r".*a height below the height of the row before"),
    (
        SOFT,
        cc.Membership(HALVES[:2]),
        {},
        "`labels_pred` must have as many objects as `labels_true`; got 2 and 3",
    ),
    (SOFT, [0, 1, None], {}, "`labels_pred` must not hold missing labels; got None"),
    (SOFT, [0, 1, 1], {"index": "lea"}, "`index` must count pairs, be a function of two clusterings"),
    (SOFT, [0, 1, 1], {"noise": "drop"}, "`noise` is only available for labels"),
    (SOFT, [0, 1, 1], {"strata": [0, 0, 1]}, "`strata` is only available for labels"),
    (SOFT, [0, 1, 1], {"weights": np.ones(3)}, "`weights` is only available for labels"),
    (SOFT, [0, 1, 1], {"model": "fixed-k"}, "`model` must be 'permutation', or Draws, for clusterings"),
    (cc.Cover([{1, 2}, {2, 3}]), {1: 0, 2: 0}, {}, "`labels_pred` must name the objects of `labels_true`"),
]


def test_a_function_of_ones_own_has_999_permutations_unless_their_number_is_given():
    """So that p-values are whole numbers of thousandths."""
    P, Q = np.random.default_rng(1).dirichlet([1.0, 1.0], (2, 12))
    first, second = cc.Membership(P), cc.Membership(Q)
    own = lambda P, Q: float(np.abs(P - Q).sum())  # noqa: E731
    score = cc.adjust(first, second, own, rng=1)
    assert score.null.n_tables == 999
    assert 1000 * score.p_value == pytest.approx(round(1000 * score.p_value), abs=1e-9)
    assert cc.adjust(first, second, own, rng=1, n_tables=50).null.n_tables == 50


@pytest.mark.parametrize(("P", "Q", "options", "message"), ERRORS)
def test_errors(P, Q, options, message):
    with pytest.raises(ValueError, match="^" + message):
        P(Q) if callable(P) else cc.adjust(P, Q, **options)
