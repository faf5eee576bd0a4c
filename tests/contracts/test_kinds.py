"""Rules that hold for clusterings of every kind: one test a rule, over all kinds."""

import dataclasses
import math
import time

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import linkage
from scipy.stats import norm

import chancecorr as cc
from chancecorr.clusterings import Biclusters
from chancecorr.clusterings.indices import list_indices_for
from chancecorr.indices import IndexEvaluationError
from tests.clusterings.sides import consensus, numbers_of
from tests.contracts.kinds import biclusters, cover, distance, membership, similarity, tree

N = 20


def labels(rng, n=N):
    return rng.permutation(np.arange(n) % 4)


MAKE = {each.__name__: each for each in (labels, membership, cover, tree, similarity, distance, biclusters)}
OF_OBJECTS = [name for name in MAKE if name != "biclusters"]
OTHERS = [name for name in OF_OBJECTS if name != "labels"]
OPTIONS = {
    "weights": ("labels", {"weights": 0.5 + np.arange(N)}),
    "strata": ("labels", {"strata": np.arange(N) // 10}),
    "fixed-k": ("labels", {"model": "fixed-k"}),
}
EVERY = {name: (name, {}) for name in MAKE} | OPTIONS
INDEX = {"cover": "omega", "tree": "correlation", "weights": "jaccard"}
COUNTING = [
    entry.name
    for entry in map(cc.get_index, cc.list_indices())
    if entry.needs == "pairs" and not entry.with_totals
]


def pair_of(kind, seed=0, n=N):
    rng = np.random.default_rng(seed)
    return MAKE[kind](rng, n), MAKE[kind](rng, n)


def case(name, seed=0):
    kind, options = EVERY[name]
    return *pair_of(kind, seed), INDEX.get(name, INDEX.get(kind, "rand")), options


@pytest.mark.parametrize("name", ["labels", "weights", "strata", "membership", "similarity", "biclusters"])
@pytest.mark.parametrize("value", [2.0, -0.1])
def test_a_value_outside_of_its_range_is_an_error(name, value):
    wrong = cc.indices.Index(
        name="wrong", function=lambda a, b, c, d: a * 0.0 + value, needs="pairs", range=(0, 1)
    )
    first, second, _, options = case(name)
    message = rf"Index 'wrong' must stay within its range, 0 to 1; got {value:g}\."
    with pytest.raises(IndexEvaluationError, match=message):
        cc.adjust(first, second, wrong, n_tables=20, **options)


@pytest.mark.parametrize("kind", OTHERS)
def test_a_value_outside_of_its_range_is_an_error_of_own_indices(kind):
    first, second, _, options = case(kind)
    wrong = dataclasses.replace(own_index(lambda number: 2.0), range=(0.0, 1.0))
    with pytest.raises(IndexEvaluationError, match="must stay within its range, 0 to 1; got 2"):
        cc.adjust(first, second, wrong, **{"n_tables": 20} | options)


@pytest.mark.parametrize("seed", range(3))
def test_distances_in_01_are_similarities_of_1_less_each(seed):
    rng = np.random.default_rng(seed)
    D, second = 1.0 - consensus(rng, 9), labels(rng, 9)
    for index in [*COUNTING, "fuzzy_rand", "correlation"]:
        far = cc.adjust(cc.Similarity(D, distance=True), second, index, n_tables=9, rng=1)
        near = cc.adjust(cc.Similarity(1.0 - D), second, index, n_tables=9, rng=1)
        (numbers, words), (others, same) = numbers_of(far), numbers_of(near)
        assert (numbers, words) == (pytest.approx(others, rel=1e-12, abs=1e-15, nan_ok=True), same)


def test_memberships_of_0_and_1_have_the_scores_of_labels_by_every_index_that_counts_pairs():
    """Best values, too, which depend on the cluster sizes for many."""
    rng = np.random.default_rng(0)
    for n in (6, 7):
        first, second = rng.integers(0, 3, n), rng.integers(0, 2, n)
        memberships = cc.Membership(np.eye(3)[first]), cc.Membership(np.eye(2)[second])
        for index in COUNTING:
            wanted, found = cc.adjust(first, second, index, method="exact"), cc.adjust(*memberships, index)
            for name in ("observed", "best", "expected", "adjusted"):
                near = pytest.approx(getattr(wanted, name), rel=1e-9, abs=1e-12, nan_ok=True)
                assert getattr(found, name) == near, (index, name)


def as_they_are(first, second):
    """1 for two sides that are the same, object by object; 0 for nearly all permutations of one of them."""
    return float(np.array_equal(first, second))


@pytest.mark.parametrize("kind", OF_OBJECTS)
def test_one_sampled_value_is_the_expected_value_and_no_constant(kind):
    first, _, _, options = case(kind)
    score = cc.adjust(first, first, as_they_are, **options | {"n_tables": 99, "rng": 1})
    assert (score.observed, score.expected, score.adjusted, score.p_value) == (1.0, 0.0, 1.0, 0.01)
    assert "all 99 " in str(score.notes[0])
    assert "have the same value; other values have a probability of at most 3 %" in str(score.notes[0])


def nearly(values):
    """The values, half of them one unit in the last place larger."""
    values = np.array(values, dtype=np.float64)
    values[: len(values) // 2] = np.nextafter(values[: len(values) // 2], 2.0)
    return values


@pytest.mark.parametrize("n", [5, N])
@pytest.mark.parametrize("kind", ["membership", "similarity"])
def test_rounding_of_one_side_is_no_signal(kind, n):
    """A clustering that is the same for all pairs, but for the last place."""
    first = np.arange(n) % 2
    rows = nearly(np.full((n, 3), 1.0 / 3.0))
    matrix = np.full((n, n), 1.0 / 3.0)
    matrix[0, 1:] = matrix[1:, 0] = np.nextafter(1.0 / 3.0, 1.0)
    second = cc.Membership(rows) if kind == "membership" else cc.Similarity(matrix)
    for index in [*COUNTING, *list_indices_for(kind)]:
        score = cc.adjust(first, second, index, n_tables=50, rng=1)
        assert score.p_value == 1.0 or math.isnan(score.p_value), index
        assert score.adjusted == 0.0 or math.isnan(score.adjusted), index


def test_biclusters_take_the_method_that_is_asked_for():
    first, second = (Biclusters(np.arange(8) % 2, side) for side in ([0, 0, 1, 1, 1], [0, 1, 1, 1, 1]))
    drawn = cc.adjust(first, second, method="monte-carlo", n_tables=1000, rng=1)
    exact, analytic = (cc.adjust(first, second, method=each) for each in ("exact", "analytic"))
    assert (drawn.method, drawn.n_tables, drawn.p_value_from) == ("monte-carlo", 1000, "monte-carlo")
    assert abs(drawn.expected - exact.expected) < 4.5 * drawn.monte_carlo_error
    assert (exact.p_value_from, analytic.p_value_from, analytic.n_tables) == ("exact", "bound", 0)
    assert analytic.p_value >= exact.p_value
    assert (analytic.expected, analytic.std) == pytest.approx((exact.expected, exact.std), rel=1e-12)


def test_what_biclusters_do_not_take_is_refused():
    with pytest.raises(ValueError, match="`method` must be 'auto' or 'monte-carlo' for index"):
        cc.adjust(*pair_of("biclusters"), "jaccard", method="analytic")


RNG = np.random.default_rng(2)
OVERLAPPING = [cc.Cover([set(RNG.choice(30, 12).tolist()) | {k} for k in range(4)] + [set(range(30))])
               for _ in range(2)]  # fmt: skip
LABELS = RNG.integers(3, size=(2, 30))
ROWS = [Biclusters(side, side[:20]) for side in LABELS]


@pytest.mark.parametrize(
    ("sides", "options", "precision"),
    [
        (OVERLAPPING, {"index": "average_f1"}, 1e-3),
        (LABELS, {"index": "purity", "weights": RNG.random(30)}, 1e-3),
        (LABELS, {"index": "purity", "model": cc.Draws(lambda rng: rng.permutation(30))}, 3e-3),
        (ROWS, {"index": "jaccard"}, 1e-3),
    ],
    ids=["covers", "weights", "own draws", "biclusters"],
)
def test_draws_go_on_until_a_precision_is_met(sides, options, precision):
    loose, fine = (
        cc.adjust(*sides, method=cc.MonteCarlo(precision=each), rng=1, **options)
        for each in (0.05, precision)
    )
    assert norm.ppf(0.995) * fine.monte_carlo_error <= precision
    assert 0 < loose.n_tables < fine.n_tables
    again = cc.adjust(*sides, method="monte-carlo", n_tables=fine.n_tables, rng=1, **options)
    assert (again.expected, again.p_value) == (fine.expected, fine.p_value)


def own_index(value_of, expected=math.nan, seconds=0.0):
    """An index of any two clusterings, a permutation of which takes longer than its forecast says."""

    def agreement(P, Q):
        def sums(permutations):
            time.sleep(seconds * len(permutations))
            return np.array([value_of(each) for each in permutations], dtype=np.float64)

        return cc.clusterings.Agreement(
            observed=value_of(np.arange(P.n)), expected=expected, variance=1.0, sums=sums, nanoseconds=10.0
        )

    return cc.indices.Index(name="slow", function=agreement, needs="clusterings", family="clusterings")


@pytest.mark.parametrize("kind", OTHERS)
def test_the_clock_corrects_the_forecast(kind):
    sides = pair_of(kind)
    slow, fast = (own_index(lambda order: float(order[0]), seconds=s) for s in (1e-3, 0.0))
    start = time.monotonic()
    score = cc.adjust(*sides, slow, budget=0.3, rng=1)
    assert time.monotonic() - start < 1.6
    assert 20 <= score.n_tables < 17_000
    assert f"only {score.n_tables:,} of 17,000 permutations were drawn" in str(score.notes[0])
    same = cc.adjust(*sides, fast, n_tables=score.n_tables, rng=1)  # the first ones of the seed
    assert (same.expected, same.p_value) == (score.expected, score.p_value)


@pytest.mark.parametrize("kind", OTHERS)
def test_a_mean_of_few_draws_is_no_mean(kind):
    sides = pair_of(kind)
    slow = own_index(lambda order: float(order[0]), seconds=0.03)
    with pytest.raises(ValueError, match=r"`budget` must be at least .* its mean has to be simulated"):
        cc.adjust(*sides, slow, budget=0.2)
    known = own_index(lambda order: float(order[0]), expected=1.0, seconds=0.03)
    assert cc.adjust(*sides, known, budget=0.2).n_tables == 0


def array_of(side):
    return next(getattr(side, name) for name in ("rows", "matrix", "linkage", "T") if hasattr(side, name))


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("kind", OF_OBJECTS)
def test_a_function_cannot_write_to_what_is_given(kind, place):
    """Labels are copied; everything else is read-only."""
    first, second, _, options = case(kind)
    before = [array_of(each).copy() for each in (first, second)]

    def wipe(*sides):
        sides[place][:] = 0
        return 0.0

    if kind == "labels":
        cc.adjust(first, second, wipe, n_tables=20)
    else:
        with pytest.raises(IndexEvaluationError, match=r"Index 'wipe' failed on two .*read-only"):
            cc.adjust(first, second, wipe, **options)
    for values, each in zip(before, (first, second), strict=True):
        np.testing.assert_array_equal(values, array_of(each))


def in_an_array(*objects):
    array = np.empty(len(objects), dtype=object)
    array[:] = objects
    return array


MASK = np.zeros((6, 6), dtype=int)
MASK[1:4, 1:4] = 1
UNCLEAR = {
    "image": (MASK, r"got shape \(6, 6\).*\. Pass .* an image as `\.ravel\(\)`"),
    "mask with ones": (MASK | np.eye(6, dtype=int), "Pass .* an image"),
    "one hot": (np.eye(6), "`Membership`, `Cover`, `Tree` or `Similarity`"),
    "memberships": (np.full((6, 2), 0.5), r"whose rows sum to 1, .*Pass `Membership\(labels_(true|pred)\)`"),
    "linkage": (linkage(np.arange(7)[:, np.newaxis]), "`Tree`"),
    "counts": ([[3, 1], [0, 2]], "nested lists.* counts to `adjust_table`"),
    "lists of objects": ([[0, 1, 2], [3, 4, 5]], r"`\[set\(c\) for c in communities\]`"),
    "tuples in a list": (
        [(0, 1, 2), (3, 4, 5)],
        r"got a tuple first\. Pass `\[set\(c\) for c in communities\]`",
    ),
    "ranges": ([range(3), range(3, 6)], r"got a range first\. Pass `\[set\(c\) for c in communities"),
    "as many communities as members": (
        {0: [0, 1], 1: [1]},
        r"Pass `\[set\(c\) for c in communities\.values\(\)\]` for .*; for \{object: communities\} `Cover`",
    ),
    "sets of each object": (
        [{0, 1}, {1}, {0}, {0}],
        r"got 1 in sets 0 and 1\. Pass clusters that overlap to `adjust` as `Cover\(",
    ),
    "communities of each object": ([[0], [0, 1], [1]], r"`\[set\(c\) for c in communities\]`"),
    "tuples by object": ({0: (0, 1, 2), 1: (3, 4, 5)}, r"`\[set\(c\) for c in communities\.values"),
    "a member twice": ([[0, 1, 1], [2, 3, 4, 5]], r"`\[set\(c\) for c in communities\]`"),
    "dendrogram": (type("VertexDendrogram", (), {})(), r"VertexDendrogram\. Pass its `\.as_clustering\(\)`"),
}
DOORS = [cc.adjust, cc.score, cc.adjusted_score, cc.contingency_table]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("what", UNCLEAR)
def test_no_kind_is_guessed(what, door):
    given, message = UNCLEAR[what]
    plain = np.arange(6)
    for *sides, name in (
        (given, plain % 2, "labels_true"),
        (given, given, "labels_true"),
        (plain, given, "labels_pred"),
    ):
        with pytest.raises((TypeError, ValueError), match=f"^`{name}` must .*{message}"):
            door(*sides)


def turn(sets):
    return {node: [k for k, members in enumerate(sets) if node in members] for node in set().union(*sets)}


class NodeClustering:
    """As cdlib has it."""

    def __init__(self, sets):
        self.communities = [list(members) for members in sets]

    def to_node_community_map(self):
        return turn(self.communities)


FORMS = {
    "sets": lambda sets: sets,
    "tuple of frozensets": lambda sets: tuple(map(frozenset, sets)),
    "lists": lambda sets: list(map(sorted, sets)),
    "tuples": lambda sets: tuple(map(tuple, sets)),
    "arrays": lambda sets: [np.array(sorted(members)) for members in sets],
    "an array of sets": lambda sets: in_an_array(*sets),
    "an array of lists": lambda sets: in_an_array(*map(list, sets)),
    "a column": lambda sets: pd.Series(list(map(set, sets))),
    "community: members": lambda sets: dict(enumerate(map(list, sets))),
    "community: set": lambda sets: dict(zip("abc", sets, strict=True)),
    "community: tuple": lambda sets: dict(enumerate(map(tuple, sets))),
    "values": lambda sets: dict(enumerate(sets)).values(),
    "node: communities": turn,
    "node: set of communities": lambda sets: {node: set(own) for node, own in turn(sets).items()},
    "clusim": lambda sets: pytest.importorskip("clusim.clustering").Clustering(elm2clu_dict=turn(sets)),
    "cdlib": NodeClustering,
}
APART, OTHERS_APART = [{0, 1, 2}, {3, 4, 5}, {6}], [{0, 1}, {2, 3, 4, 5}, {6}]
OVERLAPPING, OTHERS = [{0, 1, 2, 6}, {2, 3, 4, 5}, {6}], [{0, 1}, {1, 2, 3}, {4, 5, 6}]


def matrix_of(sets):
    return np.array([[node in members for members in sets] for node in range(7)], dtype=int)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_communities_are_their_members_whatever_holds_them(form):
    """Those that do not overlap are labels, others are a cover, as by a matrix of 0 and 1."""
    labels = [matrix_of(sets).argmax(axis=1) for sets in (APART, OTHERS_APART)]
    for sides in ((form(APART), form(OTHERS_APART)), (labels[0], form(OTHERS_APART))):
        assert cc.contingency_table(*sides) == cc.contingency_table(*labels)
        score = cc.adjust(*sides)
        assert (score.index, score.adjusted) == ("rand", cc.adjust(*labels).adjusted)
    covers = [cc.Cover(matrix_of(sets)) for sets in (OVERLAPPING, OTHERS, APART)]
    for k, other in ((1, form(OTHERS)), (1, OTHERS), (2, form(APART)), (2, labels[0])):
        for sides, both in (
            ((form(OVERLAPPING), other), (covers[0], covers[k])),
            ((other, form(OVERLAPPING)), (covers[k], covers[0])),
        ):
            for index in ("omega", "onmi_max"):
                score = cc.adjust(*sides, index)
                assert score.to_dict() | {"notes": []} == cc.adjust(*both, index).to_dict()
                assert cc.score(*sides, index) == score.observed
                assert cc.adjusted_score(*sides, index) == pytest.approx(score.adjusted, rel=1e-12)
            assert cc.adjust(*sides).index == "omega"
    assert "`labels_true`: 3 communities from" in str(cc.adjust(form(OVERLAPPING), OTHERS).notes[0])
    with pytest.raises(ValueError, match=r"must have every object in one cluster; got . in .*`adjust`"):
        cc.contingency_table(form(OVERLAPPING), labels[0])


def test_objects_in_no_community_of_one_side_are_counted():
    first, second = [{"a", "b", "c"}, {"c", "d"}], [{"b", "c"}, {"c", "e", "f"}]
    score = cc.adjust(first, second)
    rows = [[1, 0], [1, 0], [1, 1], [0, 1], [0, 0], [0, 0]], [[0, 0], [1, 0], [1, 1], [0, 0], [0, 1], [0, 1]]
    assert score.to_dict() | {"notes": []} == cc.adjust(*map(cc.Cover, rows)).to_dict()
    assert [*map(str, score.notes)] == [
        "`labels_true`: 2 communities from sets, 2 of 6 objects in none",
        "`labels_pred`: 2 communities from sets, 2 of 6 objects in none",
    ]


def test_sets_of_a_cover_are_matched_by_their_objects():
    first = [{"ann", "bob"}, {"bob", "cy"}]
    rows = [[1, 0], [1, 1], [0, 1], [0, 0]]  # ann, bob, cy, dan
    second = [{"dan", "cy"}, {"ann", "bob"}]
    columns = [[0, 1], [0, 1], [1, 0], [1, 0]]
    wanted = cc.adjust(cc.Cover(rows), cc.Cover(columns)).to_dict()
    for other in (cc.Cover(second), second, {"bob": 1, "dan": 0, "ann": 1, "cy": 0}):
        assert cc.adjust(cc.Cover(first), other).to_dict() == wanted
    labels = [0, 0, 1, 1]
    assert cc.adjust(cc.Cover([{0, 1}, {1, 2, 3}]), labels).n == 4
    message = r"`labels_true` must name the objects of `labels_pred`, .* positions; got .* pass both sides"
    for clusters in ([{1, 2}, {2, 3, 4}], [{1, 2}, {2, 3}], [{0, 1}, {1, 2}]):
        with pytest.raises(ValueError, match=message):
            cc.adjust(cc.Cover(clusters), labels)
