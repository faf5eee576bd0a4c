"""Trees: leaves and cuts as SciPy has them, correlations, information, and an index at every level."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import cophenet, cut_tree, linkage
from scipy.spatial.distance import squareform
from scipy.stats import pearsonr, spearmanr
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import load_iris

import chancecorr as cc
from chancecorr.clusterings import clustering
from chancecorr.clusterings.indices import robinson_foulds
from chancecorr.comparison import compare_trees
from tests.clusterings.permutations import check_law
from tests.shares import small_and_full


def linkage_of(seed, n, method="average"):
    return linkage(np.random.default_rng(seed).normal(size=(n, 2)), method)


TIED = linkage(np.array([0.0, 1, 2, 4, 5, 9])[:, np.newaxis], "single")  # heights 1, 1, 1, 2, 4


def heights(tree):
    """Matrix of the heights at which pairs are joined, put together from tiles."""
    out = np.zeros((tree.n, tree.n))
    for rows, columns, tile in tree.tiles():
        out[rows, columns], out[columns, rows] = -tile, -tile.T
    return out


@pytest.mark.parametrize("n", [2, 3, 7, 33])
def test_heights_and_cuts_are_those_of_scipy(n, monkeypatch):
    monkeypatch.setattr(clustering, "OBJECTS_A_TILE", 3)
    Z = linkage_of(n, n)
    tree = cc.Tree(Z)
    assert heights(tree) == pytest.approx(squareform(cophenet(Z)), rel=1e-15)
    for k in range(1, n + 1):
        pairs = set(zip(tree.labels(k).tolist(), cut_tree(Z, k).ravel().tolist(), strict=True))
        assert len(pairs) == k


@pytest.mark.parametrize("method", ["ward", "average", "single"])
def test_an_estimator_of_scikit_learn_is_the_linkage_of_scipy(method):
    X = np.random.default_rng(6).normal(size=(12, 2))
    fitted = AgglomerativeClustering(linkage=method, compute_distances=True).fit(X)
    trees = cc.Tree(fitted), cc.Tree(linkage(X, method))
    assert np.allclose(heights(trees[0]), heights(trees[1]), rtol=1e-12)
    assert trees[0].linkage[:, 3].tolist() == trees[1].linkage[:, 3].tolist()
    with pytest.raises(ValueError, match=r"must have `distances_` .* Fit it with compute_distances=True\.$"):
        cc.Tree(AgglomerativeClustering().fit(X))


def test_some_of_the_leaves_in_any_order():
    rng = np.random.default_rng(0)
    tree = cc.Tree(linkage_of(1, 20))
    for kept in (rng.permutation(20), rng.permutation(20)[:9], np.array([3, 11])):
        part = tree.part(kept)
        assert heights(part) == pytest.approx(heights(tree)[np.ix_(kept, kept)], rel=1e-15)
        assert squareform(cophenet(part.linkage)) == pytest.approx(heights(part), rel=1e-15)


@pytest.mark.parametrize(("index", "twin"), [("correlation", pearsonr), ("bakers_gamma", spearmanr)])
def test_correlations_of_heights(index, twin):
    """Against SciPy, also with heights that are equal; mean and variance by all permutations of six."""
    rng = np.random.default_rng(3)
    ties = np.repeat(np.arange(3.0), 2)[:, np.newaxis]
    for first, second in [
        (linkage_of(5, 6), linkage_of(6, 6, "complete")),
        (linkage(ties + np.array([[0], [1]] * 3)), linkage(rng.permutation(ties))),
    ]:
        x, y = squareform(cophenet(first)), squareform(cophenet(second))
        upper = np.triu_indices(6, 1)
        law = [
            twin(x[upper], y[np.ix_(order, order)][upper])[0] for order in itertools.permutations(range(6))
        ]
        check_law(cc.adjust(cc.Tree(first), cc.Tree(second), index), law)


def purity_of_dendrogram(Z, codes):
    """Heller & Ghahramani (2005): mean share of the class in the smallest cluster that holds a pair of it."""
    height, shares = squareform(cophenet(Z)), []
    for i, j in itertools.combinations(range(len(codes)), 2):
        if codes[i] == codes[j]:
            shares.append(np.mean(codes[height[i] <= height[i, j]] == codes[i]))
    return np.mean(shares)


STAR = "(0,(2,1,4),(3,5));"  # three clusters and three leaves at one height


@pytest.mark.parametrize(
    "Z", [linkage_of(8, 6), linkage_of(8, 6, "single"), cc.Tree(STAR).linkage, TIED], ids=str
)
def test_dendrogram_purity_by_all_permutations_in_both_orders(Z):
    codes = np.array([0, 1, 0, 0, 1, 2])
    law = [purity_of_dendrogram(Z, codes[list(order)]) for order in itertools.permutations(range(6))]
    for sides in ((cc.Tree(Z), codes), (codes, cc.Tree(Z))):
        check_law(cc.adjust(*sides, "dendrogram_purity"), law)
        mean = cc.adjust(*sides, "dendrogram_purity", method="analytic", n_tables=50, rng=1).expected
        assert mean == pytest.approx(np.mean(law), rel=1e-12)
    with pytest.raises(ValueError, match=r"must take tree and tree; .* takes a tree and labels"):
        cc.adjust(cc.Tree(Z), cc.Tree(Z), "dendrogram_purity")


def list_clades(Z, order):
    """The sets of leaves, neither one nor all, that are joined up to a height; object i is ``order[i]``."""
    height = squareform(cophenet(Z))[np.ix_(order, order)]
    sets = {frozenset(np.flatnonzero(row <= h).tolist()) for row in height for h in Z[:, 2]}
    return {clade for clade in sets if 1 < len(clade) < len(order)}


TREES_OF_SIX = [
    linkage_of(8, 6), linkage_of(9, 6, "single"), linkage_of(3, 6, "complete"), cc.Tree(STAR).linkage, TIED
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), [*itertools.product(range(5), range(5))])
def test_robinson_foulds_by_all_permutations(first, second):
    first, second = TREES_OF_SIX[first], TREES_OF_SIX[second]
    clades, law = list_clades(first, range(6)), []
    for order in itertools.permutations(range(6)):
        others = list_clades(second, order)
        law.append(len(clades ^ others) / (len(clades) + len(others)))
    found = cc.adjust(cc.Tree(first), cc.Tree(second), "robinson_foulds")
    assert found.p_value == pytest.approx(np.mean(np.array(law) <= law[0]), rel=1e-12)
    exact = cc.adjust(cc.Tree(first), cc.Tree(second), "rf_distance", method="analytic", n_tables=50, rng=1)
    for score in (found, exact):
        assert score.observed == pytest.approx(law[0], abs=1e-15)
        assert score.expected == pytest.approx(np.mean(law), rel=1e-12)
        assert score.variance == pytest.approx(np.var(law), rel=1e-10)


@pytest.mark.parametrize(
    ("first", "second", "clades", "share"),
    [
        ("(((a,b),c),(d,(e,f)));", "((a,(b,c)),((d,e),f));", 4, 0.5),
        ("((((a,b),c),(d,e)),(f,(g,h)));", "(((a,b),(c,(d,e))),((f,g),h));", 4, 0.3333333333333333),
        ("((a,b,c),(d,(e,f)),g);", "(((a,b),c),(d,e,f),g);", 2, 0.3333333333333333),
        ("(((a,b),(c,d)),(e,f));", "((((a,b),c),d),(e,f));", 2, 0.25),
    ],
)
def test_robinson_foulds_of_other_software(first, second, clades, share):
    """`compare_rfd` of scikit-bio 0.7.4, rooted, and for counts `symmetric_difference` of DendroPy 5.1.3."""
    score = cc.score(cc.Tree(first), cc.Tree(second), "robinson_foulds")
    assert score == pytest.approx(share, rel=1e-15)
    assert score * sum(text.count("(") - 1 for text in (first, second)) == pytest.approx(clades, rel=1e-15)


def test_robinson_foulds_sees_no_lengths_and_no_star(monkeypatch):
    longer = linkage_of(2, 50)
    longer[:, 2] **= 2
    first, star = cc.Tree(linkage_of(2, 50)), cc.Tree(f"({','.join(map(str, range(50)))});")
    assert cc.adjusted_score(first, cc.Tree(longer), "robinson_foulds", rng=1) == 1.0
    assert cc.score(first, star, "robinson_foulds") == 1.0  # all clades are of one tree
    assert np.isnan(cc.score(star, star, "robinson_foulds"))
    exact = cc.adjust(first, cc.Tree(linkage_of(3, 50)), "robinson_foulds", rng=1)
    monkeypatch.setattr(robinson_foulds, "MAX_NESTED_PAIRS", 10)
    drawn = cc.adjust(first, cc.Tree(linkage_of(3, 50)), "robinson_foulds", n_tables=20_000, rng=1)
    assert drawn.expected == exact.expected
    # shared clades are nearly Poisson, of mean m = 0.21: the relative standard error is
    # sqrt((2 + 1 / m) / 20,000) = 0.018, here times 4.5
    assert drawn.variance != exact.variance
    assert drawn.variance == pytest.approx(exact.variance, rel=0.08)


def write_newick(Z, names):
    """A linkage as a text, each branch as long as its heights are apart."""
    texts, heights = list(names), [0.0] * len(names)
    for left, right, height, _ in Z:
        branches = (f"{texts[int(k)]}:{float(height - heights[int(k)])!r}" for k in (left, right))
        texts.append(f"({','.join(branches)})")
        heights.append(height)
    return texts[-1] + ";"


def test_newick_is_matched_by_the_names_of_its_leaves():
    Z, other, codes = linkage_of(2, 8), linkage_of(3, 8, "complete"), np.array([0, 0, 1, 1, 2, 2, 2, 0])
    names = ["d", "b", "'it''s'", "c d", "f", "a", "g", "h"]
    quoted = [name if name.isalpha() or name[0] == "'" else f"'{name}'" for name in names]
    plain = [name.strip("'").replace("''", "'") for name in names]
    tree = cc.Tree(write_newick(Z, quoted).replace(",", " , [comment]\n"))
    expected = cc.adjust(cc.Tree(Z), cc.Tree(other), "correlation", rng=1)
    found = cc.adjust(tree, cc.Tree(write_newick(other, quoted)), "correlation", rng=1)
    assert found.observed == pytest.approx(expected.observed, rel=1e-12)
    value = cc.adjusted_score(cc.Tree(Z), codes, "dendrogram_purity")
    for side in (
        dict(zip(plain, codes.tolist(), strict=True)),
        pd.Series(codes, index=plain).sample(frac=1.0, random_state=0),
    ):
        assert cc.adjusted_score(side, tree, "dendrogram_purity") == pytest.approx(value, rel=1e-12)
    by_place = cc.Tree(write_newick(Z, "01234567"))
    assert cc.adjusted_score(codes, by_place, "dendrogram_purity") == pytest.approx(value, rel=1e-12)
    with pytest.raises(ValueError, match=r"must name the objects of `labels_true`, which are 0 to 7"):
        cc.adjust(codes, tree, "dendrogram_purity")


def test_branches_without_a_length_count_as_one():
    tree = cc.Tree("((a,b)x,(c,(d,'e[1]')[&support=1]))root;")
    assert tree.linkage[:, 2].tolist() == [1.0, 1.0, 2.0, 3.0]
    assert tree.objects == ("a", "b", "c", "d", "e[1]")


def test_names_of_leaves_are_what_is_between_the_quotes():
    tree = cc.Tree("(('''a''':1,'b c':1):1,(d[it's a comment]:1,'e'''));")
    assert tree.objects == ("'a'", "b c", "d", "e'")
    assert cc.Tree(f"({'1' * 5000}:1,2:1);").objects == ("1" * 5000, "2")
    assert cc.Tree(f"({2**64 - 1}:1,2:1);").objects == (2, 2**64 - 1)


def test_nodes_of_several_children_and_of_one():
    tree = cc.Tree("((a:1,b:1,c:0.5):1,(d:1):1,(e:1,(f:1):0):0.5);")
    assert heights(tree)[0].tolist() == [0, 1, 1, 2, 2, 2]
    assert heights(tree)[4].tolist() == [2, 2, 2, 2, 0, 1]
    parts = {"a": 0, "b": 0, "c": 0, "d": 1, "e": 2, "f": 2}
    assert cc.score(tree, parts, "dendrogram_purity") == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a;",
        "(a,b",
        "(a,b),(c,d);",
        "(a,,b);",
        "((a,),b);",
        "(a);",
        "((a:x,b),c);",
        "((,),a);",
        "((a b),c);",
        "(a:-1,b:1);",
        "[[[[",
        "(a,b)[;",
        "(a,]b);",
        "('a,b);",
        "('a'',b);",
    ],
)
def test_texts_that_are_no_tree(text):
    with pytest.raises(ValueError, match=r"must be a tree in Newick format"):
        cc.Tree(text)
    with pytest.raises(ValueError, match="must name each leaf once; got 'a' twice"):
        cc.Tree("((a,b),(a,c));")


CARS = [
    [21.0, 6, 160, 110, 3.90, 2.620, 16.46, 0, 1, 4, 4],
    [21.0, 6, 160, 110, 3.90, 2.875, 17.02, 0, 1, 4, 4],
    [22.8, 4, 108, 93, 3.85, 2.320, 18.61, 1, 1, 4, 1],
    [21.4, 6, 258, 110, 3.08, 3.215, 19.44, 1, 0, 3, 1],
    [18.7, 8, 360, 175, 3.15, 3.440, 17.02, 0, 0, 3, 2],
]  # the first five rows of R's mtcars


def test_printed_by_dendextend():
    """Its tests `test-cor.dendlist.R`, of the trees of five cars, and `test-bk_method.R`, of iris."""
    average, ward = (cc.Tree(linkage(CARS, each)) for each in ("average", "ward"))
    assert round(cc.adjust(average, ward, "cophenetic").observed, 3) == 0.711
    assert round(cc.adjust(average, ward, "bakers_gamma").observed, 3) == 0.701
    X = load_iris().data
    complete, single = linkage(X, "complete"), linkage(X, "single")
    found = compare_trees(complete, single, n_clusters=[2, 3, 4], rng=1)
    assert found.observed.round(2).tolist() == [0.71, 0.81, 0.75]
    itself = compare_trees(complete, complete, n_clusters=[3], rng=1)
    assert (round(itself.expected[0], 2), round(itself.std[0], 3)) == (0.37, 0.008)


def test_levels_by_all_permutations():
    """B_k of five leaves at two levels; band and p-values of both together from 120 permutations."""
    first, second, ks = linkage_of(1, 5), linkage_of(2, 5, "complete"), [2, 3]
    cuts = [(cc.Tree(first).labels(k), cc.Tree(second).labels(k)) for k in ks]
    law = np.array([
        [cc.score(rows, columns[list(order)], "fowlkes_mallows") for rows, columns in cuts]
        for order in itertools.permutations(range(5))
    ])  # fmt: skip
    found = compare_trees(first, second, n_clusters=ks)
    assert found.n_permutations == 120
    assert found.observed == pytest.approx(law[0])
    assert found.expected == pytest.approx(law.mean(axis=0))
    assert found.std == pytest.approx(law.std(axis=0))
    z = (law - law.mean(axis=0)) / law.std(axis=0)
    assert found.p_value == pytest.approx((law >= law[0] - 1e-12).mean(axis=0))
    assert found.p_simultaneous == pytest.approx((z.max(axis=1) >= z[0].max() - 1e-12).mean())
    inside = ((law >= found.low - 1e-12) & (law <= found.high + 1e-12)).all(axis=1).mean()
    assert inside >= 0.95


def test_the_band_of_all_levels_is_wider_than_that_of_one():
    first, second = linkage_of(1, 40), linkage_of(2, 40)
    together = compare_trees(first, second, rng=1)
    alone = compare_trees(first, second, n_clusters=[5], rng=1)
    at = together.n_clusters.tolist().index(5)
    assert together.n_clusters.tolist() == list(range(2, 40))
    assert together.high[at] > alone.high[0]
    assert together.p_simultaneous >= together.p_value.min()
    assert compare_trees(first, second, rng=1, n_jobs=2).to_dict() == together.to_dict()
    assert len(together.to_frame()) == len(repr(together).splitlines()) - 2 == 38


ERRORS = [
    (linkage_of(1, 6), linkage_of(1, 7), {}, "`tree_pred` must have as many objects as `tree_true`; got 7"),
    (linkage_of(1, 6), [0] * 6, {}, "`tree_pred` must be a linkage as SciPy makes it"),
    (linkage_of(1, 6), linkage_of(2, 6), {"n_clusters": [6]}, "`n_clusters` must be whole .* from 2 to 5"),
    (linkage_of(1, 6), linkage_of(2, 6), {"n_clusters": []}, "`n_clusters` must be .*; got none"),
    (linkage_of(1, 3), linkage_of(2, 3), {}, "`tree_true` must have at least four leaves; got 3"),
]


@pytest.mark.parametrize(("first", "second", "options", "message"), ERRORS)
def test_errors(first, second, options, message):
    with pytest.raises((TypeError, ValueError), match="^" + message):
        compare_trees(first, second, **options)


def by_enumeration(first, second, index, ks):
    """P-value of all levels at once from all orders of the leaves, and where the index varies."""
    n, law = len(first) + 1, []
    cuts = [(cc.Tree(first).labels(k), cc.Tree(second).labels(k)) for k in ks]
    known = {}
    for order in map(list, itertools.permutations(range(n))):
        row = []
        for level, (rows, columns) in enumerate(cuts):
            pairs = tuple(zip(rows.tolist(), columns[order].tolist(), strict=True))
            cells = level, tuple(sorted(pairs))
            if cells not in known:
                known[cells] = cc.score(rows, columns[order], index)
            row.append(known[cells])
        law.append(row)
    law = np.array(law)
    varies = np.ptp(law, axis=0) > 1e-9
    z = (law[:, varies] - law[:, varies].mean(axis=0)) / law[:, varies].std(axis=0)
    largest = z.max(axis=1, initial=-np.inf)
    return float((largest >= largest[0] - 1e-9).mean()), varies


@pytest.mark.parametrize("n_trees", small_and_full(25, 600))
def test_p_values_of_random_trees_are_those_of_all_orders(n_trees):
    rng = np.random.default_rng(5)
    constant = 0
    for _ in range(n_trees):
        n = int(rng.integers(4, 7))
        first, second = (
            linkage(rng.exponential(size=(n, 1)) ** 3, str(rng.choice(["single", "average", "ward"])))
            for _ in range(2)
        )
        index = str(rng.choice(["nmi_sum", "mutual_information", "fowlkes_mallows"]))
        found, ks = compare_trees(first, second, index), list(range(2, n))
        known, varies = by_enumeration(first, second, index, ks)
        assert found.p_simultaneous == pytest.approx(known, abs=1e-12)
        assert np.isfinite(found.low).tolist() == varies.tolist()
        constant += not varies.all()
    assert constant > 0


def test_of_permutations_that_all_miss_what_was_seen_few_reach_it():
    """1 + 999 against 1 + 999 leaves: hardly any permutation matches the single ones, and the trees do."""
    points = np.append(np.random.default_rng(0).normal(size=300), 1e3)[:, np.newaxis]
    tree = linkage(points, "single")
    found = compare_trees(tree, tree, "nmi_sum", n_clusters=[2], n_permutations=20, rng=1)
    assert found.p_simultaneous == found.p_value[0] == 1 / 21


@pytest.mark.parametrize(
    ("linkage", "said"),
    [
        ([[0, 5, 1, 2], [2, 4, 2, 3], [1, 3, 3, 4]], "a cluster that is joined before it is made, in row 0"),
        ([[0, 1, 1, 2], [0, 2, 2, 3], [3, 5, 3, 4]], "a cluster that is joined twice, in row 0"),
        ([[0, 0, 1, 2], [1, 4, 2, 3], [2, 3, 3, 4]], "a cluster that is joined with itself, in row 0"),
        ([[0, 1, 1, 2], [2, 3.5, 2, 2], [4, 5, 3, 4]], "numbers of clusters other than 0 to 6, in row 1"),
        ([[0, 1, 3, 2], [2, 3, 2, 2], [4, 5, 4, 4]], "a height below the height of the row before, in row 1"),
        ([[0, 1, -1, 2], [2, 3, 2, 2], [4, 5, 4, 4]], "a height below 0, in row 0"),
        (
            [[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 4, 3]],
            "a cluster of 3 objects instead of the 4 joined, in row 2",
        ),
        ([[0, 1, np.nan, 2], [2, 3, 2, 2], [4, 5, 4, 4]], "numbers that are not finite, in row 0"),
        ([[0, 1, 1]], r"shape \(1, 3\)"),
        ([[0, 1, 1, 2], [2, 3]], "got list"),
    ],
)
def test_what_is_wrong_with_a_linkage_is_said(linkage, said):
    with pytest.raises((ValueError, TypeError), match=said):
        cc.Tree(linkage)
