"""Soft and overlapping clusterings corrected for chance: all permutations, slow twins, published formulas."""

import itertools
import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chancecorr as cc
from chancecorr.ensembles import similarity as module
from chancecorr.ensembles.agreement import MOST_LEVELS
from chancecorr.ensembles.kernels.pairs import fill_permutations
from chancecorr.ensembles.pair_space import (
    PairSpace,
    TileSums,
    level_space,
    membership_space,
    partition_space,
    permutation_moments,
)
from chancecorr.ensembles.permuted import permuted_sums
from chancecorr.ensembles.sides import Memberships, Partition, SimilarityMatrix
from chancecorr.ensembles.similarity import AdjustedSimilarity, adjust_similarity

# Inputs


def labels(rng, n):
    return rng.integers(0, 3, n)


def soft(rng, n, k=3, levels=8):
    """Memberships that are multiples of 1/8, so that floats are exact."""
    cuts = np.sort(rng.integers(0, levels + 1, (n, k - 1)), axis=1)
    return np.diff(cuts, axis=1, prepend=0, append=levels) / levels


def cover(rng, n, k=4):
    return rng.integers(0, 2, (n, k))


def consensus(rng, n, levels=4):
    upper = np.triu(rng.integers(0, levels + 1, (n, n)) / levels, 1)
    return upper + upper.T + np.eye(n)


MAKE = {"labels": labels, "membership": soft, "similarity": consensus}
INDICES = ["rand", "fuzzy_rand", "omega"]
PAIRS_OF_KINDS = list(itertools.product(MAKE, MAKE))
CASES = [(index, kinds) for index in ("rand", "fuzzy_rand") for kinds in PAIRS_OF_KINDS]
CASES += [("omega", kinds) for kinds in itertools.product(("labels", "membership"), repeat=2)]


def sides_of(index, kinds, seed, n):
    rng = np.random.default_rng(seed)
    make = MAKE | ({"membership": cover} if index == "omega" else {})
    return tuple(make[kind](rng, n) for kind in kinds)


def numbers_of(score):
    """Numbers of a result, and its words, apart."""
    plain = score.to_dict()
    words = {name: plain.pop(name) for name, value in score.to_dict().items() if not isinstance(value, float)}
    return plain, words


# Twins


def naive_similarity(index, kind, values):
    """Similarity of every two objects as fractions, from the definition."""
    n = len(values)
    rows = [[Fraction(float(x)) for x in row] for row in values] if kind != "labels" else None

    def of(i, j):
        if kind == "labels":
            return Fraction(int(values[i] == values[j]))
        if kind == "similarity":
            return rows[i][j]
        if index == "fuzzy_rand":
            return 1 - sum(abs(x - y) for x, y in zip(rows[i], rows[j], strict=True)) / 2
        return sum(x * y for x, y in zip(rows[i], rows[j], strict=True))

    return [[of(i, j) for j in range(n)] for i in range(n)]


COMPARED = {
    "rand": lambda p, q: p * q + (1 - p) * (1 - q),
    "fuzzy_rand": lambda p, q: 1 - abs(p - q),
    "omega": lambda p, q: Fraction(int(p == q)),
}


def naive_index(index, P, Q, permutation=None):
    n = len(P)
    s = permutation or range(n)
    values = [COMPARED[index](P[i][j], Q[s[i]][s[j]]) for i, j in itertools.combinations(range(n), 2)]
    return sum(values) / len(values)


def naive_law(index, P, Q):
    return [naive_index(index, P, Q, s) for s in itertools.permutations(range(len(P)))]


def share(law, reached):
    return sum(reached(value) for value in law) / len(law)


@pytest.mark.parametrize("n", [2, 3, 4, 6])
@pytest.mark.parametrize(("index", "kinds"), CASES)
def test_all_permutations(index, kinds, n):
    given = sides_of(index, kinds, 10 * n, n)
    P, Q = (naive_similarity(index, kind, values) for kind, values in zip(kinds, given, strict=True))
    law = naive_law(index, P, Q)
    observed = naive_index(index, P, Q)
    mean = sum(law) / len(law)
    variance = sum((value - mean) ** 2 for value in law) / len(law)
    score = adjust_similarity(*given, index=index, kind=kinds)
    assert score.observed == pytest.approx(float(observed), rel=1e-12)
    assert score.expected == pytest.approx(float(mean), rel=1e-12)
    assert score.variance == pytest.approx(float(variance), rel=1e-11, abs=1e-17)
    assert score.variance_from == score.p_value_from == "exact"
    assert score.expected_error == 0.0
    assert score.n_permutations == len(law)
    assert sorted(score.values) == pytest.approx(sorted(map(float, law)), rel=1e-12)
    greater, less = share(law, lambda x: x >= observed), share(law, lambda x: x <= observed)
    assert score.p_value == pytest.approx(greater, rel=1e-12)
    for alternative, p in (("less", less), ("two-sided", min(1.0, 2 * min(greater, less)))):
        found = adjust_similarity(*given, index=index, kind=kinds, alternative=alternative)
        assert found.p_value == pytest.approx(p, rel=1e-12)
    if mean != 1:
        adjusted = (observed - mean) / (1 - mean)
        assert score.adjusted == pytest.approx(float(adjusted), rel=1e-11, abs=1e-14)


def test_all_permutations_of_eight_objects():
    rng = np.random.default_rng(8)
    P, Q = soft(rng, 8, levels=4), soft(rng, 8, levels=4)
    score = adjust_similarity(P, Q, kind="membership")
    assert (score.n_permutations, score.p_value_from) == (40_320, "exact")
    assert np.mean(score.values) == pytest.approx(score.expected, rel=1e-12)
    assert np.var(score.values) == pytest.approx(score.variance, rel=1e-11)
    assert score.p_value == np.mean(score.values >= score.observed - 1e-12)


# Permutations from formulas


def space_of(kind, values):
    if kind == "labels":
        return partition_space(np.unique(values, return_inverse=True)[1])
    if kind == "membership":
        return membership_space(Memberships(np.asarray(values, dtype=np.float64)))
    sums = TileSums(len(values))
    for tile in SimilarityMatrix("P", values).tiles(5):
        sums.add(*tile)
    return sums.space()


def mantel_1967(P, Q, wrong=False):
    """Mean and variance from sums of squares and squared row sums of ordered pairs, in fractions."""
    n = len(P)

    def sums(M):
        rows = [[Fraction(float(M[i][j])) for j in range(n) if j != i] for i in range(n)]
        total = sum(map(sum, rows))
        return total, sum(x * x for row in rows for x in row), sum(sum(row) ** 2 for row in rows)

    (a1, a2, a3), (b1, b2, b3) = sums(P), sums(Q)
    squares = Fraction(2 * a2 * b2, 1) / (n * (n - 1))
    squares += 4 * (a3 - a2) * (b3 - b2) / (n * (n - 1) * (n - 2))
    apart = [x * x - 4 * z + 2 * y for x, y, z in ((a1, a2, a3), (b1, b2, b3))]
    squares += apart[0] * apart[1] / (n * (n - 1) * (n - 2) * (n - (2 if wrong else 3)))
    mean = a1 * b1 / (n * (n - 1))
    return mean / 2, (squares - mean**2) / 4


@pytest.mark.parametrize("n", [4, 7, 23])
@pytest.mark.parametrize("kinds", PAIRS_OF_KINDS)
def test_variance_is_that_of_mantel(kinds, n):
    given = sides_of("rand", kinds, n, n)
    P, Q = (naive_similarity("rand", kind, values) for kind, values in zip(kinds, given, strict=True))
    spaces = [space_of(kind, values) for kind, values in zip(kinds, given, strict=True)]
    mean, variance = permutation_moments(*spaces, np.ones((1, 1)))
    assert (mean, variance) == pytest.approx(tuple(map(float, mantel_1967(P, Q))), rel=1e-12)
    if n > 4:  # a wrong formula, with n - 2 for n - 3, fails
        assert variance != pytest.approx(float(mantel_1967(P, Q, wrong=True)[1]), rel=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_variance_that_swaps_the_two_parts_fails(seed):
    rng = np.random.default_rng(seed)
    P, Q = (consensus(rng, 9) for _ in range(2))
    p, q = space_of("similarity", P), space_of("similarity", Q)
    exact = float(mantel_1967(P, Q)[1])
    assert permutation_moments(p, q, np.ones((1, 1)))[1] == pytest.approx(exact, rel=1e-12)
    swapped = PairSpace(p.n, p.totals, p.rest, p.of_objects)
    assert permutation_moments(swapped, q, np.ones((1, 1)))[1] != pytest.approx(exact, rel=1e-3)


def test_nothing_cancels_where_memberships_are_nearly_equal():
    """Memberships apart by 1e-6: similarities vary by 1e-12, far below the rounding of their squares' sum."""
    rng = np.random.default_rng(4)
    whole = rng.integers(-64, 65, (30, 2))
    rows = 1 / 4 + np.hstack([whole, -whole]) * 2.0**-26
    P, Q = Memberships(rows), Memberships(rows[rng.permutation(30)])
    of_pairs = [[[sum(Fraction(x) * Fraction(y) for x, y in zip(u, v, strict=True)) for v in M.rows.tolist()]
                 for u in M.rows.tolist()] for M in (P, Q)]  # fmt: skip
    n, pairs = 30, 435
    centred = []
    for M in of_pairs:
        mean = sum(M[i][j] for i, j in itertools.combinations(range(n), 2)) / pairs
        centred.append([[M[i][j] - mean for j in range(n)] for i in range(n)])

    def exact_sums(M):
        rows = [[M[i][j] for j in range(n) if j != i] for i in range(n)]
        return sum(x * x for row in rows for x in row), sum(sum(row) ** 2 for row in rows)

    (a2, a3), (b2, b3) = map(exact_sums, centred)
    variance = 2 * a2 * b2 / (n * (n - 1)) + 4 * (a3 - a2) * (b3 - b2) / (n * (n - 1) * (n - 2))
    variance += (2 * a2 - 4 * a3) * (2 * b2 - 4 * b3) / (n * (n - 1) * (n - 2) * (n - 3))
    found = permutation_moments(membership_space(P), membership_space(Q), np.ones((1, 1)))[1]
    assert found == pytest.approx(float(variance / 4), rel=1e-9)
    score = adjust_similarity(rows, rows, kind="membership", rng=1)
    assert score.p_value == 0.001
    assert score.adjusted > 0.0


@pytest.mark.parametrize("tile", [1, 3, 1024])
def test_one_matrix_by_three_ways(tile):
    """A partition is a matrix of memberships, and both are a matrix of 0 and 1."""
    codes = labels(np.random.default_rng(tile), 17)
    one_hot = Memberships(np.eye(3)[codes])
    expected = partition_space(codes)
    sums = TileSums(17)
    for each in one_hot.tiles(tile):
        sums.add(*each)
    levels = level_space(Partition(codes), np.array([0.0, 1.0]), tile)
    for space in (membership_space(one_hot), sums.space()):
        assert space.totals == pytest.approx(expected.totals, rel=1e-13)
        assert space.of_objects == pytest.approx(expected.of_objects, rel=1e-12)
        assert space.rest == pytest.approx(expected.rest, rel=1e-12)
    assert levels.totals.tolist() == [math.comb(17, 2) - expected.totals[0], expected.totals[0]]
    assert levels.rest == pytest.approx(expected.rest[0, 0] * np.array([[1, -1], [-1, 1]]), rel=1e-12)


# Against the rest of the package, and other software's formulas


@pytest.mark.parametrize("seed", range(12))
def test_partitions_give_the_adjusted_rand_index(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(9, 300))
    first, second = rng.integers(0, 2 + seed, n), rng.integers(0, 3, n)
    known = cc.adjust(first, second, index="rand", rng=0)
    for index in INDICES:
        score = adjust_similarity(first, second, index=index, n_permutations=99, rng=1)
        assert score.observed == pytest.approx(known.observed, rel=1e-15)
        assert score.expected == pytest.approx(known.expected, rel=1e-14)
        assert score.variance == pytest.approx(known.variance, rel=1e-12)
        assert score.adjusted == pytest.approx(known.adjusted, rel=1e-12, abs=1e-14)
    score = adjust_similarity(first, second, n_permutations=0)
    assert score.observed == known.observed


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
    forms += [(cc.consensus_matrix([first]), second, "similarity")]
    for P, Q, kind in forms:
        score = adjust_similarity(P, Q, kind=kind, n_permutations=m, rng=7)
        assert abs(score.p_value - exact) < 5.0 * math.sqrt(exact * (1 - exact) / m) + 1 / m


@pytest.mark.parametrize("tile", [4, 1024])
def test_matrices_give_arimp_and_arimm(monkeypatch, tile):
    rng = np.random.default_rng(5)
    P, Q, found = consensus(rng, 20), consensus(rng, 20), labels(rng, 20)
    monkeypatch.setattr(module, "TILE", tile)
    of_matrices = adjust_similarity(P, Q, kind="similarity", n_permutations=0)
    assert of_matrices.adjusted == pytest.approx(cc.arimm(P, Q), rel=1e-12)
    of_both = adjust_similarity(P, found, kind="similarity", n_permutations=0)
    assert of_both.adjusted == pytest.approx(cc.arimp(P, found), rel=1e-12)
    for score in (of_matrices, of_both):
        chance = (score.observed - score.expected) / (1 - score.expected)
        assert score.adjusted == pytest.approx(chance, rel=1e-12)


def test_matrices_give_the_bits_of_arimp_and_arimm():
    rng = np.random.default_rng(6)
    P, Q, found = rng.random((90, 90)), consensus(rng, 90), labels(rng, 90)
    P = (P + P.T) / 2
    assert float(adjust_similarity(P, Q, kind="similarity", n_permutations=0)) == cc.arimm(P, Q)
    assert float(adjust_similarity(P, found, kind="similarity", n_permutations=0)) == cc.arimp(P, found)


def test_memberships_give_arimm_of_their_products():
    rng = np.random.default_rng(9)
    P, Q = rng.dirichlet(np.ones(4), 50), rng.dirichlet(np.full(3, 0.2), 50)
    score = adjust_similarity(P, Q, kind="membership", n_permutations=0)
    assert score.adjusted == pytest.approx(cc.arimm(P @ P.T, Q @ Q.T), rel=1e-11)
    twin = adjust_similarity(P @ P.T, Q @ Q.T, kind="similarity", n_permutations=0)
    assert score.variance == pytest.approx(twin.variance, rel=1e-11)


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


def test_expected_omega_index_is_the_product_of_shares():
    """Collins & Dent (1988): ``sum_j N_j(P) N_j(Q) / N**2``; permuting objects has the same mean."""
    rng = np.random.default_rng(11)
    P, Q = cover(rng, 6), cover(rng, 6)
    counts = []
    for M in (P, Q):
        shared = [int(M[i] @ M[j]) for i, j in itertools.combinations(range(6), 2)]
        counts.append(np.bincount(shared, minlength=5))
    assert np.count_nonzero(counts[0] * counts[1]) > 2
    score = adjust_similarity(P, Q, index="omega", kind="membership")
    assert score.expected == pytest.approx(counts[0] @ counts[1] / 15**2, rel=1e-14)
    assert np.mean(score.values) == pytest.approx(score.expected, rel=1e-13)


@pytest.mark.parametrize("index", INDICES)
def test_exact_moments_and_sampled_permutations(index):
    """|z| of the mean < 4.5; the variance of 4,000 within 8 standard errors of a normal law's."""
    rng = np.random.default_rng(12)
    make = cover if index == "omega" else soft
    given = make(rng, 40), make(rng, 40)
    score = adjust_similarity(*given, index=index, kind="membership", n_permutations=4000, rng=5)
    assert (score.expected_error, score.variance_from) == (0.0, "exact")
    assert abs(np.mean(score.values) - score.expected) < 4.5 * score.std / math.sqrt(4000)
    assert np.var(score.values) == pytest.approx(score.variance, rel=8 * math.sqrt(2 / 4000))


# Sampled permutations


def test_permutations_are_uniform():
    """Chi-square of 24 permutations, 23 degrees of freedom: above 73.7 in one of a million cases."""
    drawn = np.empty((24_000, 4), dtype=np.int64)
    fill_permutations(np.uint64(1), 0, drawn)
    assert (np.sort(drawn, axis=1) == np.arange(4)).all()
    counts = np.unique(drawn @ np.array([64, 16, 4, 1]), return_counts=True)[1]
    assert counts.size == 24
    assert np.sum((counts - 1000.0) ** 2) / 1000.0 < 73.7


def test_a_permutation_depends_on_its_number_alone():
    drawn, later = np.empty((50, 9), dtype=np.int64), np.empty((20, 9), dtype=np.int64)
    fill_permutations(np.uint64(5), 0, drawn)
    fill_permutations(np.uint64(5), 30, later)
    assert (drawn[30:] == later).all()


@pytest.mark.parametrize(("index", "kinds"), CASES)
def test_same_seed_same_bits_for_any_number_of_workers(monkeypatch, index, kinds):
    given = sides_of(index, kinds, 3, 40)
    options = {"index": index, "kind": kinds, "n_permutations": 100, "rng": 11}
    alone = adjust_similarity(*given, **options)
    monkeypatch.setattr("chancecorr.ensembles.permuted.NUMBERS_AT_ONCE", 1)  # blocks of 32
    for n_jobs in (None, 1, 2, 3):
        shared = adjust_similarity(*given, n_jobs=n_jobs, **options)
        assert shared.values.tolist() == alone.values.tolist()
        assert repr(shared.to_dict()) == repr(alone.to_dict())
    assert adjust_similarity(*given, **options | {"rng": 12}).values.tolist() != alone.values.tolist()


def test_fewer_permutations_are_the_first_of_more():
    rng = np.random.default_rng(1)
    given = soft(rng, 20), soft(rng, 20)
    few, many = (
        adjust_similarity(*given, kind="membership", n_permutations=m, rng=2).values for m in (10, 70)
    )
    assert few.tolist() == many[:10].tolist()


@pytest.mark.parametrize(("index", "kinds"), CASES)
def test_values_are_those_of_the_permutations_drawn(index, kinds):
    """Each value against the slow twin; where the loops permute the first side, the inverse."""
    n, m = 9, 3
    given = sides_of(index, kinds, 4, n)
    P, Q = (naive_similarity(index, kind, values) for kind, values in zip(kinds, given, strict=True))
    drawn = np.empty((m, n), dtype=np.int64)
    fill_permutations(np.random.SeedSequence(6).generate_state(1, np.uint64)[0], 0, drawn)
    rank = ["labels", "membership", "similarity"]
    swapped = rank.index(kinds[0]) < rank.index(kinds[1])
    if index == "rand" and "similarity" not in kinds:
        swapped = kinds == ("membership", "labels")
    first, second = (Q, P) if swapped else (P, Q)
    expected = [float(naive_index(index, first, second, s)) for s in drawn.tolist()]
    score = adjust_similarity(*given, index=index, kind=kinds, n_permutations=m, rng=6)
    assert score.values == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("tile", [1, 5, 7, 1024])
@pytest.mark.parametrize(("index", "kinds"), CASES)
def test_tiles_do_not_matter(monkeypatch, index, kinds, tile):
    given = sides_of(index, kinds, 21, 15)
    options = {"index": index, "kind": kinds, "n_permutations": 20, "rng": 1}
    whole = adjust_similarity(*given, **options)
    monkeypatch.setattr(module, "TILE", tile)
    cut = adjust_similarity(*given, **options)
    numbers, words = numbers_of(whole)
    assert numbers_of(cut) == (pytest.approx(numbers, rel=1e-11, abs=1e-14), words)
    assert cut.values == pytest.approx(whole.values, rel=1e-11)


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


def test_a_wrong_p_value_is_seen(monkeypatch):
    """Uniform under chance: of 300 pairs of unrelated soft clusterings, Kolmogorov's distance below 0.12."""
    p_values = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        given = rng.dirichlet(np.ones(3), 12), rng.dirichlet(np.ones(3), 12)
        p_values.append(adjust_similarity(*given, kind="membership", n_permutations=99, rng=seed).p_value)
    p = np.sort(p_values)
    distance = np.abs(p - np.arange(1, 301) / 300).max()
    assert distance < 0.12
    assert np.abs(p**2 - np.arange(1, 301) / 300).max() > 0.12


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
        assert (score.observed, score.adjusted, score.p_value) == (1.0, 1.0, 1.0)
        assert score.expected == pytest.approx(1.0, rel=1e-15)
        assert "nothing to correct" in score.remark
        assert math.isnan(score.z_score)
    P = cc.consensus_matrix([given])
    if index != "omega":
        score = adjust_similarity(P, P, index=index, kind="similarity", n_permutations=19, rng=1)
        assert float(score) == cc.arimm(P, P) == 1.0


@pytest.mark.parametrize("value", [0.1, 1 / 3, 0.7])
def test_constant_similarities_have_no_variance(value):
    rng = np.random.default_rng(0)
    constant = np.full((30, 30), value)
    score = adjust_similarity(constant, consensus(rng, 30), kind="similarity", n_permutations=19, rng=1)
    assert (score.variance, score.p_value) == (0.0, 1.0)
    assert math.isnan(score.z_score)
    assert score.remark == "all permutations of the objects give the same value"
    rows = np.full((30, 3), value)
    rows[:, 2] = 1.0 - rows[:, 0] - rows[:, 1]
    if value < 0.5:
        score = adjust_similarity(rows, soft(rng, 30), kind="membership", n_permutations=19, rng=1)
        assert (score.variance, score.p_value) == (0.0, 1.0)


def test_no_permutations():
    rng = np.random.default_rng(0)
    score = adjust_similarity(soft(rng, 30), soft(rng, 30), kind="membership", n_permutations=0)
    assert math.isnan(score.p_value)
    assert score.p_value_from is None
    assert (score.n_permutations, score.values.size) == (0, 0)
    assert math.isfinite(score.z_score)


@pytest.mark.parametrize("bins", [3, 50, 1 << 20])
@pytest.mark.parametrize("kinds", [("membership",) * 2, ("membership", "labels"), ("labels", "membership")])
def test_bins_of_too_many_values(monkeypatch, kinds, bins):
    rng = np.random.default_rng(bins)
    make = {"membership": lambda: rng.dirichlet(np.ones(3), 60), "labels": lambda: labels(rng, 60)}
    options = {"index": "fuzzy_rand", "kind": kinds, "n_permutations": 0}
    sides = [make[kind]() for kind in kinds]
    exact = adjust_similarity(*sides, **options)
    monkeypatch.setattr(module, "TILE", 7)  # the values come in several parts
    monkeypatch.setattr("chancecorr.ensembles.agreement.MOST_VALUES", 100)
    monkeypatch.setattr("chancecorr.ensembles.agreement.BINS", bins)
    binned = adjust_similarity(*sides, **options)
    assert exact.expected_error == 0.0 <= binned.expected_error < 1.0 / bins
    assert bins > 50 or binned.expected_error > 0.0
    assert -1e-12 <= binned.expected - exact.expected <= binned.expected_error + 1e-12
    if bins == 3 and kinds[0] == kinds[1]:
        assert binned.expected > exact.expected + 1e-4  # there the bound is needed


def test_more_levels_than_are_told_apart():
    rng = np.random.default_rng(0)
    n = 2 * MOST_LEVELS
    P = np.zeros((n, n), dtype=np.int64)  # objects in many clusters: more numbers of shared ones than levels
    P[np.tril_indices(n)] = 1
    score = adjust_similarity(P, labels(rng, n), index="omega", kind="membership", n_permutations=9, rng=1)
    assert (score.expected_error, score.variance_from) == (0.0, "monte-carlo")


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
    assert "<svg" in score._repr_html_()
    assert pickle.loads(pickle.dumps(score)).to_dict() == score.to_dict()
    with pytest.raises(AttributeError):
        score.adjusted = 1.0
    with pytest.raises(ValueError, match="read-only"):
        score.values[0] = 1.0
    assert score.z_score == pytest.approx((score.observed - score.expected) / math.sqrt(score.variance))


def test_a_bound_is_shown_as_one():
    rng = np.random.default_rng(1)
    P = soft(rng, 60)
    score = adjust_similarity(P, P, kind="membership", index="fuzzy_rand", n_permutations=99, rng=1)
    assert (score.p_value, score.p_is_bound, score.p_relative_error) == (0.01, True, math.inf)
    assert "p_value=≤0.01" in repr(score)


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


def test_matrices_that_are_not_in_memory(tmp_path):
    rng = np.random.default_rng(1)
    P, found = consensus(rng, 30), labels(rng, 30)
    np.save(tmp_path / "p.npy", P)
    mapped = np.load(tmp_path / "p.npy", mmap_mode="r")
    for Q in (found, P):
        expected = adjust_similarity(P, Q, kind="similarity", rng=1)
        score = adjust_similarity(mapped, Q, kind="similarity", rng=1)
        assert score.to_dict() == expected.to_dict()
        assert score.values.tolist() == expected.values.tolist()


ONES = np.ones((3, 3))
HALVES = np.full((3, 2), 0.5)


SOFT, OMEGA = {"kind": "membership"}, {"kind": "membership", "index": "omega"}
ERRORS = [
    (HALVES, [0, 0, 1], {}, ValueError, r"`kind` must say what the two-dimensional `P` holds"),
    ([0, 0, 1], ONES, {}, ValueError, r"`kind` must say what the two-dimensional `Q` holds"),
    ([0, 0, 1], ONES, {"kind": ("similarity", None)}, ValueError, r"`kind` must say what"),
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
    ([0, 1, 1], ONES * 2, {"kind": "similarity"}, ValueError, r"`Q` must hold numbers in \[0, 1\]"),
    (HALVES, HALVES, OMEGA, ValueError, r"`P` must hold 0 or 1 for index='omega'; got 0\.5 at"),
    (ONES, ONES, OMEGA | {"kind": "similarity"}, ValueError, r"`P` must hold labels or memberships"),
    ([0, 0, 1], [0, 1, None], {}, ValueError, r"`Q` must not hold missing labels; got None"),
    ([0, 0, 1], [0, 1, 1], {"index": "rnd"}, ValueError, r"`index` must be one of .*Did you mean 'rand'"),
    ([0, 0, 1], [0, 1, 1], {"alternative": "more"}, ValueError, r"`alternative` must be one of"),
    ([0, 0, 1], [0, 1, 1], {"n_permutations": -1}, ValueError, r"`n_permutations` must be at least 0"),
    ([0, 0, 1], [0, 1, 1], {"n_permutations": 9.5}, TypeError, r"`n_permutations` must be a whole"),
    ([0, 0, 1], [0, 1, 1], {"n_jobs": 0}, ValueError, r"`n_jobs` must be None or a whole number"),
    ([0, 0, 1], [0, 1, 1], {"rng": "x"}, TypeError, r"`rng` must be None, a whole number"),
]


@pytest.mark.parametrize(("P", "Q", "options", "error", "message"), ERRORS)
def test_errors(P, Q, options, error, message):
    with pytest.raises(error, match="^" + message):
        adjust_similarity(P, Q, **options)


def test_asymmetric_matrix():
    with pytest.raises(ValueError, match=r"^`P` must be symmetric; got 1\.0 at position \(0, 1\) and 0\.0"):
        adjust_similarity(np.triu(ONES), [0, 0, 1], kind="similarity")


def test_permuted_sums_of_nothing():
    assert permuted_sums(lambda s: np.zeros(len(s)), 20, 0, np.uint64(1), None).values.size == 0
