"""Soft and overlapping clusterings corrected for chance: published indices, degenerate and wrong inputs."""

import itertools
import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import chancecorr as cc
from chancecorr.ensembles import similarity as module
from chancecorr.ensembles.similarity import AdjustedSimilarity, adjust_similarity
from tests.ensembles.clusterings import CASES, INDICES, consensus, cover, labels, numbers_of, sides_of, soft
from tests.ensembles.test_consensus import Rows

# Against the rest of the package, and other software's formulas


@pytest.mark.parametrize("seed", range(4))
def test_partitions_give_the_adjusted_rand_index(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(9, 300))
    first, second = rng.integers(0, 2 + 3 * seed, n), rng.integers(0, 3, n)
    known = cc.adjust(first, second, index="rand", rng=0)
    for index in INDICES:
        score = adjust_similarity(first, second, index=index, n_permutations=99, rng=1)
        assert score.observed == known.observed
        assert score.expected == pytest.approx(known.expected, rel=1e-14)
        assert score.variance == pytest.approx(known.variance, rel=1e-12)
        assert score.adjusted == pytest.approx(known.adjusted, rel=1e-12, abs=1e-14)


def test_partitions_have_the_p_value_of_the_exact_law():
    """Binomial count of 20,000: off by 5 standard errors in 6 of ten million cases."""
    rng = np.random.default_rng(3)
    first = rng.integers(0, 3, 40)
    second = np.where(rng.random(40) < 0.25, first, rng.integers(0, 3, 40))
    exact = cc.adjust(first, second, index="rand").p_value
    assert 0.001 < exact < 0.999
    m = 20_000
    forms = [(first, second, None), (np.eye(3)[first], second, "membership")]
    forms += [(np.eye(3)[first], np.eye(3)[second], "membership")]
    forms += [(cc.ensembles.consensus_matrix([first]), second, "similarity")]
    for P, Q, kind in forms:
        score = adjust_similarity(P, Q, kind=kind, n_permutations=m, rng=7)
        assert abs(score.p_value - exact) < 5.0 * math.sqrt(exact * (1 - exact) / m) + 1 / m


@pytest.mark.parametrize("tile", [4, 1024])
def test_matrices_give_arimp_and_arimm(monkeypatch, tile):
    rng = np.random.default_rng(5)
    P, Q, found = consensus(rng, 20), consensus(rng, 20), labels(rng, 20)
    monkeypatch.setattr(module, "OBJECTS_A_TILE", tile)
    for side, expected in ((Q, cc.ensembles.arimm(P, Q)), (found, cc.ensembles.arimp(P, found))):
        score = adjust_similarity(P, side, kind="similarity", n_permutations=0)
        assert score.adjusted == pytest.approx(expected, rel=1e-12)
        assert tile == 4 or score.adjusted == expected  # the same tiles: the same bits
        chance = (score.observed - score.expected) / (1 - score.expected)
        assert score.adjusted == pytest.approx(chance, rel=1e-12)


def test_adjusted_concordance_index():
    """D'Ambrosio et al. (2021): distances of Manhattan, halved; the mean over all pairs of pairs."""
    rng = np.random.default_rng(2)
    P, Q = rng.dirichlet(np.ones(3), 25), rng.dirichlet(np.ones(4), 25)
    distances = []
    for M in (P, Q):
        halved = [sum(abs(M[i] - M[j])) / 2 for i, j in itertools.combinations(range(25), 2)]
        distances.append(np.array(halved))
    concordance = 1 - np.mean(np.abs(distances[0] - distances[1]))
    chance = 1 - np.mean(np.abs(distances[0][:, None] - distances[1]))
    score = adjust_similarity(P, Q, index="fuzzy_rand", kind="membership", rng=3)
    assert score.observed == pytest.approx(concordance, rel=1e-12)
    assert score.expected == pytest.approx(chance, rel=1e-12)
    assert score.adjusted == pytest.approx((concordance - chance) / (1 - chance), rel=1e-10)
    assert (score.expected_error, score.variance_from) == (0.0, "monte-carlo")
    assert abs(np.mean(score.values) - chance) < 4.5 * score.std / math.sqrt(score.n_permutations)


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
    score = adjust_similarity(P, Q, index="omega", kind="membership", n_permutations=0)
    assert score.adjusted == pytest.approx(sim.omega_index(*theirs), rel=1e-12)


@pytest.mark.parametrize(("index", "kinds"), CASES)
def test_tiles_do_not_matter(monkeypatch, index, kinds):
    given = sides_of(index, kinds, 21, 15)
    options = {"index": index, "kind": kinds, "n_permutations": 20, "rng": 1}
    whole = adjust_similarity(*given, **options)
    monkeypatch.setattr(module, "OBJECTS_A_TILE", 7)
    cut = adjust_similarity(*given, **options)
    numbers, words = numbers_of(whole)
    assert numbers_of(cut) == (pytest.approx(numbers, rel=1e-11, abs=1e-14), words)
    assert cut.values == pytest.approx(whole.values, rel=1e-11)


@example(case=("fuzzy_rand", ("similarity", "membership")), seed=8930, n=3)  # variance 0, but for rounding
@example(case=("omega", ("membership", "labels")), seed=369, n=6)
@settings(max_examples=30, deadline=None)
@given(case=st.sampled_from(CASES), seed=st.integers(0, 10**6), n=st.integers(2, 14))
def test_order_sides_and_names_do_not_matter(case, seed, n):
    index, kinds = case
    rng = np.random.default_rng(seed)
    given = sides_of(index, kinds, seed, n)
    order = rng.permutation(n)

    def renamed(kind, values):
        if kind == "labels":
            return np.array(["c", "a", "b"])[values[order]]
        if kind == "similarity":
            return values[np.ix_(order, order)]
        return values[order][:, rng.permutation(values.shape[1])]

    options = {"index": index, "n_permutations": 0}
    numbers, words = numbers_of(adjust_similarity(*given, kind=kinds, **options))
    again = [renamed(kind, values) for kind, values in zip(kinds, given, strict=True)]
    same = pytest.approx(numbers, rel=1e-10, abs=1e-12, nan_ok=True), words
    assert numbers_of(adjust_similarity(*again, kind=kinds, **options)) == same
    assert numbers_of(adjust_similarity(*given[::-1], kind=kinds[::-1], **options)) == same


def test_p_values_are_uniform_under_chance():
    """Of 300 pairs of unrelated soft clusterings; Kolmogorov's distance above 0.155 in 1 of a million."""
    p_values = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        sides = rng.dirichlet(np.ones(3), 12), rng.dirichlet(np.ones(3), 12)
        p_values.append(adjust_similarity(*sides, kind="membership", n_permutations=99, rng=seed).p_value)
    p, steps = np.sort(p_values), np.arange(1, 301) / 300
    assert np.abs(p - steps).max() < 0.155
    assert np.abs(p**2 - steps).max() > 0.155  # wrong p-values are seen


# Degenerate inputs


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("n", [0, 1])
def test_no_pair_of_objects(index, n):
    rows = np.eye(2)[np.zeros(n, dtype=np.int64)]
    for P, kind in [([0] * n, None), (rows, "membership")]:
        score = adjust_similarity(P, P, index=index, kind=kind)
        assert score.remark == "there is no pair of objects"
        assert all(math.isnan(x) for x in (score.observed, score.expected, score.adjusted, score.p_value))


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("given", [[0] * 9, list(range(9))], ids=["one cluster", "singletons"])
def test_chance_always_attains_the_best(index, given):
    for P, kind in ((given, None), (np.eye(9)[given], "membership")):
        score = adjust_similarity(P, P, index=index, kind=kind, n_permutations=19, rng=1)
        assert (score.observed, score.p_value) == (1.0, 1.0)
        assert math.isnan(score.adjusted)
        assert score.expected == pytest.approx(1.0, rel=1e-15)
        assert "nothing to correct" in score.remark
        assert math.isnan(score.z_score)
    P = cc.ensembles.consensus_matrix([given])
    if index != "omega":
        score = adjust_similarity(P, P, index=index, kind="similarity", n_permutations=19, rng=1)
        assert math.isnan(float(score))
        assert cc.ensembles.arimm(P, P) == 1.0
    assert math.isnan(cc.adjust(given, given, index="rand").adjusted)


def test_constant_similarities_have_no_variance():
    rng = np.random.default_rng(0)
    for value in (0.1, 1 / 3):
        rows = np.full((30, 3), value)
        rows[:, 2] = 1.0 - rows[:, 0] - rows[:, 1]
        for P, Q, kind in (
            (np.full((30, 30), value), consensus(rng, 30), "similarity"),
            (rows, soft(rng, 30), "membership"),
        ):
            score = adjust_similarity(P, Q, kind=kind, n_permutations=19, rng=1)
            assert (score.variance, score.p_value) == (0.0, 1.0)
            assert math.isnan(score.z_score)
            assert score.remark == "all permutations of the objects give the same value"
    P, Q = [0] * 40, rng.dirichlet(np.ones(3), 40)
    score = adjust_similarity(P, Q, index="fuzzy_rand", kind="membership", n_permutations=19, rng=1)
    assert (score.variance, score.variance_from, score.p_value) == (0.0, "exact", 1.0)
    assert score.adjusted == pytest.approx(0.0, abs=1e-4)


@pytest.mark.heavy
@pytest.mark.parametrize("kinds", [("membership",) * 2, ("labels", "membership")])
@pytest.mark.parametrize("most", [10, 100])
def test_too_many_values_are_rounded_within_the_stated_error(monkeypatch, kinds, most):
    rng = np.random.default_rng(most)
    make = {"membership": lambda: rng.dirichlet(np.ones(3), 60), "labels": lambda: labels(rng, 60)}
    options = {"index": "fuzzy_rand", "kind": kinds, "n_permutations": 0}
    sides = [make[kind]() for kind in kinds]
    exact = adjust_similarity(*sides, **options)
    monkeypatch.setattr(module, "OBJECTS_A_TILE", 7)  # the values come in several parts
    monkeypatch.setattr("chancecorr.clusterings.agreement.MOST_VALUES", most)
    rounded = adjust_similarity(*sides, **options)
    assert exact.expected_error == 0.0 < rounded.expected_error < 2.0 / most
    assert abs(rounded.expected - exact.expected) <= rounded.expected_error
    assert rounded.expected != exact.expected


# What comes back, and what goes in


def test_result():
    rng = np.random.default_rng(1)
    score = adjust_similarity(soft(rng, 30), soft(rng, 30), kind="membership", rng=1)
    assert isinstance(score, AdjustedSimilarity)
    assert float(score) == score.adjusted
    assert f"{score:.3f}" == f"{score.adjusted:.3f}"
    assert f"{score}" == repr(score)
    assert repr(score).startswith("AdjustedSimilarity('rand', adjusted=")
    plain = json.loads(json.dumps(score.to_dict()))
    assert plain["adjusted"] == score.adjusted
    assert "values" not in plain
    assert pickle.loads(pickle.dumps(score)).to_dict() == score.to_dict()
    with pytest.raises(AttributeError):
        score.adjusted = 1.0
    with pytest.raises(ValueError, match="read-only"):
        score.values[0] = 1.0
    assert score.z_score == pytest.approx((score.observed - score.expected) / math.sqrt(score.variance))


def test_no_permutation_as_extreme():
    rng = np.random.default_rng(1)
    P = soft(rng, 60)
    score = adjust_similarity(P, P, kind="membership", index="fuzzy_rand", n_permutations=99, rng=1)
    assert (score.p_value, score.p_relative_error) == (0.01, math.inf)
    assert score.p_upper == pytest.approx(1 - 0.05 ** (1 / 99), rel=1e-12)
    assert "p_value=0.01" in repr(score)


def test_numbers_of_any_container():
    rng = np.random.default_rng(1)
    P, Q = soft(rng, 12), labels(rng, 12)
    expected = adjust_similarity(P, Q, kind="membership", rng=1).to_dict()
    pd, sparse = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")
    index = [f"object {i}" for i in range(12)]
    forms = [P.tolist(), P.astype(np.float32), sparse.csr_array(P), pd.DataFrame(P), np.asfortranarray(P)]
    for form in forms:
        assert adjust_similarity(form, Q, kind="membership", rng=1).to_dict() == expected
    assert adjust_similarity(Q, P, kind=(None, "membership"), rng=1).adjusted == expected["adjusted"]
    frame, series = pd.DataFrame(P, index=index), pd.Series(Q, index=index)
    assert adjust_similarity(frame, series, kind="membership", rng=1).to_dict() == expected
    with pytest.raises(ValueError, match=r"`Q` must have the index of `P`; got 'object 11', not 'object 0'"):
        adjust_similarity(frame, series[::-1], kind="membership")


def test_each_cell_is_read_once_and_by_tiles_where_nothing_is_permuted(monkeypatch):
    monkeypatch.setattr(module, "OBJECTS_A_TILE", 4)
    rng = np.random.default_rng(1)
    for Q, of_q in [(labels(rng, 11), None), (soft(rng, 11), "membership")]:
        P = Rows(consensus(rng, 11))
        adjust_similarity(P, Q, kind=("similarity", of_q), n_permutations=0)
        assert (P.reads == 1).all()
    P, Q = Rows(consensus(rng, 11)), Rows(consensus(rng, 11))
    adjust_similarity(P, Q, kind="similarity", n_permutations=0)
    assert (P.reads == 1).all()
    assert (Q.reads == 1).all()
    assert P.largest == Q.largest == 16


ONES = np.ones((3, 3))
HALVES = np.full((3, 2), 0.5)


SOFT, OMEGA = {"kind": "membership"}, {"kind": "membership", "index": "omega"}
ERRORS = [
    (HALVES, [0, 0, 1], {}, ValueError, r"`kind` must say what the two-dimensional `P` holds"),
    ([0, 0, 1], ONES, {}, ValueError, r"`kind` must say what the two-dimensional `Q` holds"),
    ([0, 0, 1], ONES, {"kind": ("labels", None)}, ValueError, r"`kind` must say what"),
    (HALVES, HALVES, {"kind": "similarity"}, ValueError, r"`P` must be square; got shape \(3, 2\)\."),
    (HALVES, HALVES, {"kind": "labels"}, ValueError, r"`P` must be one-dimensional; got shape"),
    (HALVES, HALVES, {"kind": "soft"}, ValueError, r"`kind` must be one of .*; got 'soft'\."),
    (HALVES, HALVES, {"kind": ("labels",)}, ValueError, r"`kind` must be one word, or two for"),
    (ONES, HALVES, SOFT, ValueError, r"`P` must have rows that sum to 1; got a sum of 3\.0 in row 0\."),
    (HALVES, -HALVES, SOFT, ValueError, r"`Q` must hold numbers from 0 on; got -0\.5 at position \(0, 0\)"),
    (HALVES, HALVES * math.nan, SOFT, ValueError, r"`Q` must hold numbers from 0 on; got nan"),
    (HALVES.astype(str), HALVES, SOFT, TypeError, r"`P` must be an array of real numbers"),
    ([[1.0], [0.5, 0.5]], [0, 1], SOFT, ValueError, r"`P` must have rows of one length"),
    (HALVES, HALVES[:2], SOFT, ValueError, r"`Q` must have as many objects as `P`; got 2 and 3"),
    (HALVES, HALVES, OMEGA, ValueError, r"`P` must hold 0 or 1 for index='omega'; got 0\.5 at"),
    (ONES, ONES, OMEGA | {"kind": "similarity"}, ValueError, r"`P` must hold labels or memberships"),
    ([0, 0, 1], [0, 1, None], {}, ValueError, r"`Q` must not hold missing labels; got None"),
    ([0, 0, 1], [0, 1, 1], {"index": "rnd"}, ValueError, r"`index` must be one of .*Did you mean 'rand'"),
    ([0, 0, 1], [0, 1, 1], {"alternative": "more"}, ValueError, r"`alternative` must be one of"),
    ([0, 0, 1], [0, 1, 1], {"n_permutations": -1}, ValueError, r"`n_permutations` must be at least 0"),
    ([0, 0, 1], [0, 1, 1], {"n_jobs": 0}, ValueError, r"`n_jobs` must be None or a whole number"),
    ([0, 0, 1], [0, 1, 1], {"rng": "x"}, TypeError, r"`rng` must be None, a whole number"),
]


@pytest.mark.parametrize(("P", "Q", "options", "error", "message"), ERRORS)
def test_errors(P, Q, options, error, message):
    with pytest.raises(error, match="^" + message):
        adjust_similarity(P, Q, **options)
