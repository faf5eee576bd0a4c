"""What is read as a clustering of which kind, and the recipes for a kind and an index of one's own."""

from dataclasses import dataclass
from typing import ClassVar

import networkx
import numpy as np
import pytest

import chancecorr as cc
from chancecorr.clusterings import Agreement, Biclusters
from chancecorr.clusterings.clustering import Clustering, Partition, list_spans
from chancecorr.clusterings.pair_kernels import MATRIX, Gathered
from chancecorr.clusterings.reading import as_partitions, read_clusterings
from chancecorr.clusterings.sums_over_pairs import sum_products
from chancecorr.machine.notes import Note
from chancecorr.tables import inputs
from tests.clusterings.permutations import check_law, law_of, pairs

TRUE, PRED = [0, 0, 1, 1], [5, 7, 7, 7]
LINKAGE = [[0, 1, 0.5, 2], [2, 3, 1.0, 2], [4, 5, 2.0, 4]]
SOFT = np.array([[1, 0], [0.5, 0.5], [0, 1], [0, 1]])


class Estimator:
    def fit(self, X):
        self.labels_ = np.array(X)
        return self


GRAPH = networkx.Graph([(1, 2), (2, 3), (0, 0)])
LABELS = {
    "vector": (PRED, ""),
    "mapping": (dict(reversed(list(enumerate(PRED)))), "a mapping"),
    "sets": ([{1, 3, 2}, {0}], "sets"),
    "communities of networkx": (tuple(networkx.connected_components(GRAPH)), "sets"),
    "column": (np.array(PRED)[:, np.newaxis], "a column"),
    "column in lists": ([[label] for label in PRED], "a column"),
    "estimator": (Estimator().fit(PRED), "an Estimator"),
}


@pytest.mark.parametrize(("given", "origin"), LABELS.values(), ids=LABELS)
def test_labels_are_read_as_a_pair(given, origin):
    pair = read_clusterings(TRUE, given)
    assert pair.has_table
    assert [side.origin for side in pair.sides] == ["", origin]
    assert len(set(pair.sides[1].codes[1:])) == 1 != len(set(pair.sides[1].codes))
    note = f"`labels_pred`: labels of 4 objects from {origin}" if origin else ""
    assert [*map(str, pair.tabulate()[-1])] == ([note] if note else [])
    assert [*map(str, cc.adjust(TRUE, given).notes)] == ([note] if note else [])
    first, second = as_partitions(pair).sides
    assert isinstance(first, Partition)
    assert first.codes.tolist() == [0, 0, 1, 1]
    assert sorted(set(second.codes)) == [0, 1]


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (cc.Membership(SOFT), cc.Membership),
        (cc.Cover([{0, 1}, {1, 2, 3}]), cc.Cover),
        (cc.Tree(LINKAGE), cc.Tree),
        (cc.Similarity(SOFT @ SOFT.T), cc.Similarity),
    ],
)
def test_classes_name_other_kinds(given, kind):
    first, second = read_clusterings({3: 1, 2: 1, 1: 0, 0: 0}, given).sides
    assert isinstance(first, Partition)
    assert first.codes.tolist() == [0, 0, 1, 1]
    assert isinstance(second, kind)
    for keywords in ({"noise": "drop"}, {"missing": "drop"}, {"noise": {-1: "keep"}}):
        (keyword,) = keywords
        for sides in ((TRUE, given), (given, given)):
            if kind is not cc.Cover or keyword != "missing":
                with pytest.raises(ValueError, match=f"^`{keyword}` is only available for labels"):
                    read_clusterings(*sides, **keywords)


@pytest.mark.parametrize(
    "other", [cc.Cover([{0, 1}, {1, 2}, {3, 4, 5, 6}]), dict(enumerate([0, 0, 1, 1, 2, 2, 2]))]
)
def test_objects_in_no_cluster_are_left_out_or_alone(other):
    cover = cc.Cover([{0, 1, 2}, {2, 3, 6}])  # 4 and 5 are in none; 7 objects with the other side
    in_one, names = [0, 1, 2, 3, 6], ["onmi_max", "omega"]
    is_cover = isinstance(other, cc.Cover)
    rest = cc.Cover(other.rows[in_one]) if is_cover else [other[name] for name in in_one]
    own = cc.Cover(np.array([[1, 0], [1, 0], [1, 1], [0, 1], [0, 1]]))
    alone = np.zeros((7, 4))
    alone[[0, 1, 2], 0] = alone[[2, 3, 6], 1] = alone[4, 2] = alone[5, 3] = 1.0
    for missing, expected in (
        ("drop", cc.adjust(own, rest, names, rng=1)),
        ("singletons", cc.adjust(cc.Cover(alone), other if is_cover else [*other.values()], names, rng=1)),
    ):
        found = cc.adjust(cover, other, names, missing=missing, rng=1)
        for name in names:
            one = found[name].observed, found[name].expected, found[name].p_value
            assert one == pytest.approx(
                (expected[name].observed, expected[name].expected, expected[name].p_value), rel=1e-12
            )
        assert any("2 of 7 objects in no cluster" in str(note) for note in found.notes)


def test_no_object_is_in_a_cluster_of_both_sides():
    with pytest.raises(ValueError, match="must share an object with `labels_pred`"):
        cc.adjust(cc.Cover([[1], [0]]), cc.Cover([[0], [1]]), missing="drop")
    with pytest.raises(ValueError, match="`missing` must be one of 'raise', 'drop', 'singletons'"):
        cc.adjust(cc.Cover([[1], [0]]), cc.Cover([[0], [1]]), missing="leave")


def test_biclusters_stay_as_they_are():
    one = Biclusters([0, 0, 1], [0, 1])
    assert read_clusterings(one, one).sides == (one, one)
    with pytest.raises(ValueError, match="`missing` is only available for labels"):
        read_clusterings(one, one, missing="drop")


def test_names_of_a_single_side_are_positions():
    matrix = cc.ensembles.consensus_matrix([TRUE])
    by_position = cc.ensembles.arimp(matrix, {3: "b", 0: "a", 2: "b", 1: "a"})
    assert by_position == cc.ensembles.arimp(matrix, list("aabb")) == 1.0
    with pytest.raises(ValueError, match="`labels` must name the objects of `consensus`, which are 0 to 3"):
        cc.ensembles.arimp(matrix, dict(zip("wxyz", TRUE, strict=True)))


def test_a_cover_of_igraph_is_read_as_labels_unless_its_clusters_overlap():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph(4)
    apart, overlapping = (igraph.VertexCover(graph, sets) for sets in ([[0], [1, 2, 3]], [[0, 1], [1, 2, 3]]))
    pair = read_clusterings(TRUE, apart)
    assert pair.has_table
    assert [side.origin for side in pair.sides] == ["", "a VertexCover"]
    assert cc.contingency_table(TRUE, apart) == cc.contingency_table(TRUE, [0, 1, 1, 1])
    assert isinstance(read_clusterings(TRUE, overlapping).sides[1], cc.Cover)
    with pytest.raises(ValueError, match=r"`labels_pred` must have every object in one .* got 1 in sets 0"):
        cc.contingency_table(TRUE, overlapping)


class Communities:
    """A cover as networkit has it, which counts how often its members are asked for."""

    def __init__(self, *members):
        self.members, self.times = members, 0

    def getSubsetIds(self):  # noqa: N802
        self.times += 1
        return range(len(self.members))

    def getMembers(self, k):  # noqa: N802
        return self.members[k]


@pytest.mark.parametrize("second", [({0, 1}, {2, 3}), ({0, 1}, {1, 2, 3})], ids=["apart", "overlapping"])
def test_each_input_is_looked_at_once(second):
    for door in (
        cc.adjust,
        cc.score,
        lambda x, y: cc.compare(x, {"y": y}),
        lambda x, y: cc.pairwise([x, y]),
    ):
        sides = Communities({0, 1, 2}, {3}), Communities(*second)
        door(*sides)
        assert [side.times for side in sides] == [1, 1]


def test_an_input_is_added_by_an_entry_of_the_list(monkeypatch):
    class Dendrogram:
        leaves = ("a", "b", "c", "d")

    container = inputs.Container(
        lambda source: isinstance(source, Dendrogram),
        lambda name, source, sides: inputs.Input([0, 0, 1, 1], source.leaves),
        "{kind} of this test",
    )
    monkeypatch.setattr(inputs, "CONTAINERS", (container, *inputs.CONTAINERS))
    score = cc.adjust(Dendrogram(), {"d": 1, "c": 1, "b": 0, "a": 0})
    assert score.adjusted == 1.0
    assert str(score.notes[0]) == "`labels_true`: labels of 4 objects from a Dendrogram of this test"


@dataclass(frozen=True, eq=False)
class OnALine(Clustering):
    """Objects with places on a line: the nearer, the more are they together."""

    places: np.ndarray
    objects: tuple | None = None
    word: ClassVar[str] = "line"

    @property
    def n(self):
        return self.places.size

    @property
    def plain(self):
        return self.places

    def matrix(self):
        return -np.abs(np.subtract.outer(self.places, self.places))

    def tiles(self):
        for rows, columns in list_spans(self.n):
            yield rows, columns, self.matrix()[rows, columns]

    def gather(self):
        return Gathered(MATRIX, matrix=self.matrix())

    def part(self, objects):
        return OnALine(self.places[objects])

    def list_notes(self):
        return [Note("origin", f"{self.n} places on a line")]

    def explain_size(self, n):
        return "Is `{name}` of another line?"


def total(P, Q):
    """Sum of products over the pairs."""
    found = sum_products(P, Q)
    return Agreement(
        observed=found.mean + found.above, expected=found.mean, variance=found.variance,
        sums=found.sums, at_zero=found.mean, nanoseconds=found.nanoseconds,
    )  # fmt: skip


TOTAL = cc.indices.Index(
    name="total", function=total, needs="clusterings", family="clusterings", best=0.0,
    takes=("line", "labels"),
)  # fmt: skip


def test_a_new_kind_and_a_new_index():
    """The recipes for a kind of clustering and for an index of any kind, followed."""
    rng = np.random.default_rng(1)
    places, labels = rng.normal(size=6), rng.integers(0, 2, 6)
    line = OnALine(places)
    score = cc.adjust(line, labels, TOTAL)
    check_law(
        score,
        law_of(lambda M, own: sum(M[i, j] for i, j in pairs(6) if own[i] == own[j]), line.matrix(), labels),
    )
    assert score.interval().confidence == 0.95
    with pytest.raises(ValueError, match="`index` must take line; 'fuzzy_rand' takes"):
        cc.adjust(line, labels, "fuzzy_rand")
    matrix = cc.adjust(cc.Similarity(line.matrix()), labels, "correlation")
    assert cc.adjust(line, labels, "correlation").observed == pytest.approx(matrix.observed)
    mean = 6 * places.mean() * labels.mean()
    assert cc.adjust(line, labels, lambda x, y: float(x @ y)).expected == pytest.approx(mean)
    assert str(score.notes[0]) == "`labels_true`: 6 places on a line"
    named = OnALine(places, tuple("fedcba"))
    backwards = cc.adjust(named, dict(zip("abcdef", labels[::-1].tolist(), strict=True)), TOTAL)
    assert backwards.observed == pytest.approx(score.observed)
    assert (
        cc.adjust(line, labels).index == cc.adjust(line, cc.Cover(np.eye(2)[labels])).index == "correlation"
    )
    for sides in ((line, [0, 1]), (cc.Membership(np.eye(2)), line)):
        with pytest.raises(
            ValueError, match=r"as many objects as `labels_true`; .* Is `.*` of another line\?"
        ):
            cc.adjust(*sides)


def test_an_asymmetric_matrix_is_refused_when_it_is_made():
    with pytest.raises(ValueError, match=r"must be symmetric; got 0\.5 at position \(0, 1\) and 0\.3"):
        cc.Similarity([[1.0, 0.5], [0.3, 1.0]])
