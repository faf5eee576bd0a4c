"""Indices of soft clusterings and of covers: published definitions, other software, all permutations."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import linear_sum_assignment

import chancecorr as cc
from tests.clusterings.permutations import check_law, pairs
from tests.clusterings.sides import cover, labels, soft

TABLE_TWINS = {
    "mutual_information": lambda table: (
        stats.entropy(table.sum(axis=0)) + stats.entropy(table.sum(axis=1)) - stats.entropy(table.ravel())
    ),
    "purity": lambda table: table.max(axis=0).sum() / table.sum(),
    "maximum_matching_accuracy": lambda table: (
        table[linear_sum_assignment(table, maximize=True)].sum() / table.sum()
    ),
}


@pytest.mark.parametrize("name", TABLE_TWINS)
def test_indices_of_tables_take_the_table_of_products_of_shares(name):
    """Against all permutations; memberships of 0 and 1 are labels."""
    rng, twin = np.random.default_rng(9), TABLE_TWINS[name]
    codes, W = labels(rng, 6), soft(rng, 6, k=4)
    for U in (np.eye(3)[codes], soft(rng, 6)):
        law = [twin(U.T @ W[list(order)]) for order in itertools.permutations(range(6))]
        hard = set(np.unique(U)) == {0.0, 1.0}
        check_law(cc.adjust(codes if hard else cc.Membership(U), cc.Membership(W), name), law)
    y, z = labels(rng, 40), labels(rng, 40)
    assert cc.adjust(y, cc.Membership(np.eye(4)[z]), name, n_tables=50, rng=1).observed == pytest.approx(
        cc.score(y, z, name), rel=1e-12
    )


def bcubed_of_sets(u, v):
    """Amigó et al. (2009): precision from the categories u and clusters v of each item, as sets."""
    items = [i for i in range(len(u)) if v[i]]
    return np.mean(
        [
            np.mean(
                [min(len(u[i] & u[j]), len(v[i] & v[j])) / len(v[i] & v[j]) for j in items if v[i] & v[j]]
            )
            for i in items
        ]
    )


def test_bcubed_of_covers_by_all_permutations():
    U, W = (np.array(x) for x in ([[1, 1, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 0]],
                                  [[1, 1], [0, 1], [1, 0], [0, 1], [1, 1], [0, 0]]))  # fmt: skip
    u, v = ([{k for k in range(M.shape[1]) if row[k]} for row in M] for M in (U, W))
    pairs = [(bcubed_of_sets(u, moved), bcubed_of_sets(moved, u)) for moved in itertools.permutations(v)]
    laws = {"bcubed_precision": [p for p, _ in pairs], "bcubed_recall": [r for _, r in pairs]}
    laws["bcubed_f"] = [2 * p * r / (p + r) for p, r in pairs]
    for name, law in laws.items():
        check_law(cc.adjust(cc.Cover(U), cc.Cover(W), name), law)
    y, z = (np.random.default_rng(seed).integers(0, 4, 30) for seed in (1, 2))
    for name in laws:  # of partitions that is BCubed itself
        value = cc.score(cc.Cover(np.eye(4)[y]), cc.Cover(np.eye(4)[z]), name)
        assert value == pytest.approx(cc.score(y, z, name), rel=1e-12)


def test_a_side_of_one_cluster_leaves_nothing_to_chance():
    """Sums of rounded shares differ in the last place, but they are one value."""
    P = cc.Membership(np.ones((7, 1)))
    for seed in range(20):
        Q = cc.Membership(np.random.default_rng(seed).dirichlet(np.ones(3), 7))
        for score in cc.adjust(P, Q, ["mutual_information", "variation_of_information"], rng=1).values():
            assert score.p_value == 1.0
            assert math.isnan(score.adjusted) or score.adjusted == 0.0


def test_indices_of_whole_numbers_do_not_take_memberships():
    with pytest.raises(ValueError, match="must count pairs"):
        cc.adjust([0, 1, 1], cc.Membership(np.eye(3)), "lea", rng=1)


def test_printed_by_other_software():
    """Tests of FuzzyClusteringSimilarity.jl: NDC as the R package FARI has it."""
    half = [[0.5, 0.5]] * 3
    for first, second, printed in [
        (half, half, 1.0),
        ([[0.34, 0.33, 0.33], [0.5, 0.5, 0.0], [0.0, 0.5, 0.5]], half, 0.61),
        ([[1, 0], [0, 1], [0.5, 0.5]], [[0.5, 0.5], [0.3, 0.7], [0.5, 0.5]], 0.4666666666666),
    ]:
        found = cc.adjust(cc.Membership(first), cc.Membership(second), "ndc", method="analytic")
        assert found.observed == pytest.approx(printed, rel=1e-12)


# Indices of covers by the overlaps of their clusters, from their definitions in sets


def entropy(*shares):
    return -sum(p * math.log2(p) for p in shares if p > 0)


def information(X, Y, n, ties):
    """Of each cluster of X its entropy, and what is left of it given the best cluster of Y, from sets."""
    found = []
    for A in X:
        own, left = entropy(len(A) / n, 1 - len(A) / n), []
        for B in Y:
            both, a, b = len(A & B) / n, len(A - B) / n, len(B - A) / n
            none = (n - len(A | B)) / n
            same, other = entropy(both) + entropy(none), entropy(a) + entropy(b)
            if same > other or (ties and abs(same - other) < 1e-12):
                left.append(entropy(both, a, b, none) - entropy(len(B) / n, 1 - len(B) / n))
        found.append((own, min([own, *left])))
    return found


def onmi(X, Y, n, of_clusters):
    first, second = information(X, Y, n, not of_clusters), information(Y, X, n, not of_clusters)
    if of_clusters:
        without = [0.0 if any(len(A) == n for A in each) else 1.0 for each in (Y, X)]
        kept = [
            np.mean([left / own if own else other for own, left in each])
            for each, other in zip((first, second), without, strict=True)
        ]
        return 1 - sum(kept) / 2
    own = [sum(each) for each in ([own for own, _ in first], [own for own, _ in second])]
    left = [sum(each) for each in ([left for _, left in first], [left for _, left in second])]
    return (own[0] - left[0] + own[1] - left[1]) / 2 / max(own)


def f1(X, Y, n):
    def best(A, others):
        return max(2 * len(A & B) / (len(A) + len(B)) for B in others)

    return (np.mean([best(A, Y) for A in X]) + np.mean([best(B, X) for B in Y])) / 2


OF_OVERLAPS = {
    "onmi_max": lambda X, Y, n: onmi(X, Y, n, False),
    "onmi_lfk": lambda X, Y, n: onmi(X, Y, n, True),
    "average_f1": f1,
}


def as_sets(rows):
    return [set(np.flatnonzero(column).tolist()) for column in rows.T if column.any()]


@pytest.mark.parametrize("name", OF_OVERLAPS)
@pytest.mark.parametrize("seed", range(2))
def test_all_permutations_of_covers(name, seed):
    rng = np.random.default_rng(seed)
    P, Q = cover(rng, 6), cover(rng, 6, k=3)
    orders = map(list, itertools.permutations(range(6)))
    law = np.array([OF_OVERLAPS[name](as_sets(P), as_sets(Q[order]), 6) for order in orders])
    check_law(cc.adjust(cc.Cover(P), cc.Cover(Q), name), law)


def test_average_f1_of_two_partitions_is_that_of_the_catalogue():
    rng = np.random.default_rng(4)
    first, second = labels(rng, 20), labels(rng, 20)
    known = cc.adjust(first, second, "average_f1", rng=1)
    assert known.null.margins is not None  # tables, not permutations
    of_covers = cc.adjust(cc.Cover(np.eye(3)[first]), second, "average_f1", rng=1)
    assert of_covers.observed == pytest.approx(known.observed, rel=1e-12)
    assert abs(of_covers.expected - known.expected) < 6 * known.std / math.sqrt(17_000)


def test_ties_and_a_cluster_of_all_objects():
    """McDaid's rule keeps a pair of clusters that tells as much by its difference; counts 4, 2, 1, 1 of 8."""
    X, Y = [{0, 1}], [{0, 2, 3}]
    sides = [
        cc.Cover(np.array([[i in A for A in clusters] for i in range(8)], dtype=int)) for clusters in (X, Y)
    ]
    assert cc.adjust(*sides, "onmi_max").observed == pytest.approx(0.016462246, abs=1e-9)  # networkit 11.3
    whole, pair = np.ones((4, 1), dtype=int), np.array([[1], [1], [0], [0]])
    assert cc.adjust(cc.Cover(whole), cc.Cover(pair), "onmi_lfk").observed == 0.0
    assert cc.adjust(cc.Cover(whole), cc.Cover(whole), "onmi_lfk").observed == 1.0
    assert math.isnan(cc.adjust(cc.Cover(whole), cc.Cover(whole), "onmi_max").observed)


# Pairs that share a cluster, as Banerjee et al. (2005) count them: precision, recall and their F among others
SHARED_PAIRS = {
    "rand": lambda a, b, c, d: (a + d) / (a + b + c + d),
    "jaccard": lambda a, b, c, d: a / (a + b + c),
    "czekanowski": lambda a, b, c, d: 2 / ((a + b) / a + (a + c) / a) if a else 0.0,
    "fowlkes_mallows": lambda a, b, c, d: a / math.sqrt((a + b) * (a + c)),
    "wallace_2": lambda a, b, c, d: a / (a + c),
    "wallace_1": lambda a, b, c, d: a / (a + b),
}


def count_shared(U, W):
    first, second = ([bool((M[i] * M[j]).any()) for i, j in pairs(len(U))] for M in (U, W))
    counts = [sum(one == x and two == y for one, two in zip(first, second, strict=True))
              for x, y in itertools.product([True, False], repeat=2)]  # fmt: skip
    return counts


@pytest.mark.parametrize("name", SHARED_PAIRS)
@pytest.mark.parametrize("other", ["cover", "labels"])
def test_pairs_that_share_a_cluster_under_all_permutations(name, other):
    rng = np.random.default_rng(4)
    for _ in range(3):
        U, W = cover(rng, 6, 3), np.eye(3, dtype=int)[labels(rng, 6)] if other == "labels" else cover(rng, 6)
        value = SHARED_PAIRS[name]
        law = [value(*count_shared(U, W[list(order)])) for order in itertools.permutations(range(6))]
        score = cc.adjust(cc.Cover(U), cc.Cover(W) if other == "cover" else W.argmax(axis=1), name)
        check_law(score, law)
        assert "objects are together if they share a cluster; 'omega' compares how many" in str(
            score.notes[-1]
        )
        turned = cc.adjust(cc.Cover(W), cc.Cover(U), name, n_tables=20)
        assert turned.observed == pytest.approx(value(*count_shared(W, U)), rel=1e-12, abs=1e-15)


def test_pairs_that_share_a_cluster_of_many_objects():
    """Beside the ordinary index if no clusters overlap; by random permutations one by one if they do."""
    rng = np.random.default_rng(6)
    U, W = labels(rng, 60), labels(rng, 60)
    for name in ("ari", "jaccard", "fowlkes_mallows"):
        ordinary, of_covers = (
            cc.adjust(U, W, name),
            cc.adjust(*(cc.Cover(np.eye(3)[x]) for x in (U, W)), name),
        )
        assert of_covers.observed == pytest.approx(ordinary.observed, rel=1e-11)
        if name == "ari":
            assert of_covers.adjusted == pytest.approx(ordinary.adjusted, rel=1e-11)
    U, W = cover(rng, 30, 8), cover(rng, 30, 7)  # more products of clusters than objects, and fewer below
    for first, second in ((U, W), (U[:, :2], W[:, :3])):
        drawn = [rng.permutation(30) for _ in range(40)]
        law = [SHARED_PAIRS["rand"](*count_shared(first, second[order])) for order in drawn]
        model = cc.Draws(np.array(drawn), kind="places")
        score = cc.adjust(cc.Cover(first), cc.Cover(second), "rand", model=model)
        assert score.expected == pytest.approx(np.mean(law), rel=1e-12)
        assert cc.adjust(cc.Cover(first), cc.Cover(second), "ari").best == 1.0
        assert cc.adjusted_score(cc.Cover(first), cc.Cover(first), "ari") == pytest.approx(1.0)


@pytest.mark.parametrize("k", [2, 9])
def test_memberships_by_distance_are_together_by_distance_however_many_clusters(k):
    """Products of few clusters are found without a loop over pairs, which distances are not."""
    rng = np.random.default_rng(7)
    U, W = soft(rng, 6, k), soft(rng, 6, k)

    def rand(U, W):
        both = [[1 - np.abs(M[i] - M[j]).sum() / 2 for i, j in pairs(6)] for M in (U, W)]
        return np.mean([p * q + (1 - p) * (1 - q) for p, q in zip(*both, strict=True)])

    law = [rand(U, W[list(order)]) for order in itertools.permutations(range(6))]
    check_law(cc.adjust(*(cc.Membership(M, by_distance=True) for M in (U, W)), "rand"), law)
