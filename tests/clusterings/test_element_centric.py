"""Element-centric similarity: the definition, all permutations, clusim, and objects in no cluster."""

import itertools

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage, to_tree

import chancecorr as cc
from chancecorr.clusterings import element_centric, element_scores
from tests.clusterings.permutations import check_law
from tests.clusterings.sides import labels


def cover(rng, n, k=4):
    rows = rng.integers(0, 2, (n, k))
    rows[:2] = [1, 1, *[0] * (k - 2)]  # so that clusters overlap
    rows[rows.sum(axis=1) == 0, 0] = 1
    return cc.Cover(rows)


def tree(rng, n):
    return cc.Tree(linkage(rng.normal(size=(n, 2)), "average"))


def tied_tree(rng, n):
    """Clusters that are joined at one height are a node of several."""
    return cc.Tree(
        linkage(rng.permutation(n)[:, np.newaxis] // 3 * 5.0 + rng.integers(0, 3, (n, 1)), "single")
    )


MAKE = {"labels": labels, "cover": cover, "tree": tree, "tied tree": tied_tree}
KINDS = list(itertools.combinations_with_replacement(MAKE, 2))


def sides(kinds, seed, n):
    rng = np.random.default_rng(seed)
    return [MAKE[kind](rng, n) for kind in kinds]


def clusters_of(side, r):
    """Objects and weight of each cluster; of a tree by walking down from its root."""
    if isinstance(side, cc.Tree):
        found = []

        def children(node):
            pair = [] if node.is_leaf() else [node.left, node.right]
            return [
                x for c in pair for x in (children(c) if c.dist == node.dist and not c.is_leaf() else [c])
            ]

        def walk(node, depth):
            down = [walk(each, depth + 1) for each in children(node)]
            height = 1 + max(down) if down else 0
            found.append((node.pre_order(), np.exp(r * depth / (depth + height))))
            return height

        walk(to_tree(side.linkage), 0)
        return found
    columns = side.rows.T if isinstance(side, cc.Cover) else [side == k for k in np.unique(side)]
    return [(np.flatnonzero(column), 1.0) for column in columns if np.any(column)]


def naive_ranks(side, n, alpha, r):
    """Walks of any length from each object, step by step until what is left is nothing."""
    steps = np.zeros((n, n))
    for i in range(n):
        own = [each for each in clusters_of(side, r) if i in each[0]]
        for members, weight in own:
            steps[i, members] += weight / sum(w for _, w in own) / len(members)
        if not own:
            steps[i, i] = 1.0
    walk, ranks = np.eye(n), np.zeros((n, n))
    while (1 - alpha) * walk.max() > 1e-18:
        ranks += (1 - alpha) * walk
        walk = alpha * walk @ steps
    return ranks


def naive_scores(P, Q, n, alpha=0.9, r=1.0):
    apart = np.abs(naive_ranks(P, n, alpha, r) - naive_ranks(Q, n, alpha, r))
    return 1 - apart.sum(axis=1) / (2 * alpha)


@pytest.mark.parametrize("kinds", KINDS)
def test_definition(kinds):
    for n, alpha, r in [(7, 0.9, 1.0), (16, 0.5, -2.0), (12, 0.3, 3.0)]:
        P, Q = sides(kinds, n, n)
        wanted = naive_scores(P, Q, n, alpha, r)
        assert element_scores(P, Q, alpha=alpha, r=r) == pytest.approx(wanted, abs=1e-12)
        assert cc.adjust(P, Q, element_centric(alpha, r), rng=1).observed == pytest.approx(wanted.mean())


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("n", [5, 6])
def test_mean_and_values_by_all_permutations(kinds, n):
    P, Q = sides(kinds, n + 1, n)
    p, q = (naive_ranks(side, n, 0.8, 1.0) for side in (P, Q))
    orders = [np.ix_(order, order) for order in itertools.permutations(range(n))]
    law = np.array([1 - np.abs(p - q[order]).sum() / (1.6 * n) for order in orders])
    found = cc.adjust(P, Q, element_centric(0.8), method="analytic")
    assert found.expected == pytest.approx(law.mean(), rel=1e-12)
    check_law(cc.adjust(P, Q, element_centric(0.8)), law)


def test_partitions_by_any_name():
    """The catalogue's entry is of labels; other kinds get this one by the same names."""
    rng = np.random.default_rng(0)
    u, v = labels(rng, 40), rng.integers(0, 5, 40)
    own = [(u == u[i], v == v[i]) for i in range(40)]
    assert element_scores(u, v) == pytest.approx(
        [(x & y).sum() / max(x.sum(), y.sum()) for x, y in own], rel=1e-15
    )
    assert cc.adjust(u, v, "element_centric", method="analytic").index == "element_centric_similarity"
    first, second = sides(("cover", "tree"), 3, 6)
    scores = cc.adjust(first, second, ["element_centric", "ecs", "Element-centric similarity"])
    assert [each.index for each in scores.values()] == ["element_centric_similarity"]
    assert scores["element_centric"].observed == pytest.approx(naive_scores(first, second, 6).mean())


def test_candidates_of_several_kinds_are_compared_by_it():
    rng = np.random.default_rng(0)
    reference, candidates = labels(rng, 12), {"cover": cover(rng, 12), "tree": tree(rng, 12)}
    candidates["memberships"] = cc.Membership(rng.dirichlet(np.ones(3), 12))
    observed = (
        cc.compare(reference, candidates, "ecs", n_tables=9, rng=1).to_frame().set_index("candidate").observed
    )
    for name, candidate in candidates.items():
        assert (
            observed[name] == cc.adjust(reference, candidate, "element_centric", n_tables=9, rng=1).observed
        )


def test_objects_in_no_cluster_are_alone():
    rows = np.array([[1, 1], [1, 0], [0, 0], [0, 1], [0, 0], [0, 0]])
    own = np.zeros((6, 3), dtype=int)
    own[[2, 4, 5], [0, 1, 2]] = 1
    other = cc.Cover([[1, 0], [1, 1], [0, 1], [0, 1], [0, 0], [0, 1]])
    lonely, apart = cc.Cover(rows), cc.Cover(np.hstack([rows, own]))
    assert element_scores(lonely, apart) == pytest.approx(np.ones(6), abs=1e-15)
    assert element_scores(lonely, other) == pytest.approx(naive_scores(lonely, other, 6), abs=1e-12)
    first, second = (cc.adjust(side, other, "element_centric") for side in (lonely, apart))
    assert (first.expected, first.std) == pytest.approx((second.expected, second.std), rel=1e-12)
    analytic = cc.adjust(lonely, other, "element_centric", method="analytic")
    assert first.expected == pytest.approx(analytic.expected, rel=1e-12)
    assert element_scores(cc.Cover(np.zeros((4, 2))), [0, 1, 2, 3]) == pytest.approx(np.ones(4))


def test_clusim(monkeypatch):
    """Version 0.4; its ``coo_matrix / matrix`` is sparse in SciPy of today, where it wants dense."""
    theirs = pytest.importorskip("clusim.clusimelement")
    from clusim.clustering import Clustering
    from scipy import sparse

    class Dense:
        coo_matrix = staticmethod(lambda *given, **named: sparse.coo_matrix(*given, **named).todense())

    monkeypatch.setattr(theirs, "spsparse", Dense)

    def convert(side):
        if isinstance(side, cc.Tree):
            return Clustering().from_scipy_linkage(side.linkage, dist_rescaled=True)
        members = {k: objects.tolist() for k, (objects, _) in enumerate(clusters_of(side, 1.0))}
        return Clustering(clu2elm_dict=members)

    for kinds in KINDS:
        if "tied tree" in kinds:  # which is binary there, in the order of the merges
            continue
        both = sides(kinds, 5, 15)
        wanted, _ = theirs.element_sim_elscore(
            *map(convert, both), alpha=0.85, r=2.0, rescale_path_type="max"
        )
        assert element_scores(*both, alpha=0.85, r=2.0) == pytest.approx(wanted, abs=1e-10)


def test_extreme_weights_of_levels():
    """Only the leaves count, or only the root."""
    P, Q = sides(("tree", "tree"), 2, 9)
    assert element_scores(P, np.arange(9), r=5e3) == pytest.approx(np.ones(9), abs=1e-12)
    assert element_scores(Q, np.zeros(9, dtype=int), r=-5e3) == pytest.approx(np.ones(9), abs=1e-12)


SOFT = cc.Membership([[0.5, 0.5], [0.2, 0.8]])
ERRORS = [
    (lambda: element_centric(1.0), "`alpha` must lie between 0 and 1; got 1.0"),
    (lambda: element_centric(r="1"), "`r` must be a number; got '1'"),
    (lambda: element_centric(r=np.inf), "`r` must be finite; got inf"),
    (lambda: element_scores(SOFT, [0, 1]), "`P` must be labels, a cover or a tree; got a membership"),
    (lambda: element_scores([0, 1], [0, 1, 1]), "`Q` must have the same length as `P`; got 3 and 2"),
]


@pytest.mark.parametrize(("call", "message"), ERRORS)
def test_errors(call, message):
    with pytest.raises((TypeError, ValueError), match="^" + message):
        call()
