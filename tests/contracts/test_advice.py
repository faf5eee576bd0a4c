"""A mistake that can be told has its own sentence at every door, and its advice gives the right value."""

import re
import types

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage

import chancecorr as cc
from chancecorr.clusterings import Biclusters, segments

pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))

RNG = np.random.default_rng(5)
FIRST, SECOND = (np.repeat(np.repeat(RNG.integers(0, 4, (3, 4)), 2, 0), 3, 1) for _ in range(2))
MISSING = np.where(FIRST == 3, np.nan, FIRST), SECOND.astype(float)
PALETTE = RNG.permutation(200)[:12].reshape(4, 3).astype(np.uint8)
WITH_ALPHA = np.column_stack([PALETTE, np.full(4, 255, np.uint8)])
SHARES = [RNG.dirichlet([1, 1, 1], 24) for _ in range(2)]
POINTS = RNG.normal(size=(24, 2)), RNG.normal(size=(24, 2))
LINKAGES = [linkage(points, "average") for points in POINTS]
ALIKE = [np.exp(-((points[:, None] - points) ** 2).sum(axis=-1)) for points in POINTS]
SPANS = [[[0, 1], [5, 6], [7, 9]], [[2, 2], [3, 4]]], [[[0, 1], [5, 6]], [[2, 2], [3, 4], [7, 9]]]
MENTIONS = [{tuple(member): k for k, cluster in enumerate(side) for member in cluster} for side in SPANS]


def flatten(image):
    return image.ravel().tolist()


class DataArray:
    """As xarray has it: an array with names of its axes, and without `ravel`."""

    __module__ = "xarray.core.dataarray"

    def __init__(self, values):
        self.values, self.shape = values, values.shape

    def __array__(self, dtype=None, copy=None):
        return self.values

    def to_numpy(self):
        return self.values


def read_rand(sides, **options):
    return cc.adjust(*sides, "rand", **options).adjusted


LABELS = flatten(FIRST), flatten(SECOND)
SAME_LABELS = read_rand(LABELS)
OF_LABELS = (np.array(LABELS[0])[np.array(LABELS[0]) != 3], np.array(LABELS[1])[np.array(LABELS[0]) != 3])
LIKE_OBJECTS = np.arange(24) % 3

RECOGNISED = {
    "colours": ((PALETTE[FIRST], PALETTE[SECOND]), "may be colours", {}, SAME_LABELS),
    "colours with alpha": ((WITH_ALPHA[FIRST], WITH_ALPHA[SECOND]), "may be colours", {}, SAME_LABELS),
    "floats": ((FIRST * 1.0, SECOND * 1.0), "got shape (6, 12) of floats.", {}, SAME_LABELS),
    "floats of a volume": (
        (FIRST.reshape(3, 4, 6) * 1.0, SECOND.reshape(3, 4, 6) * 1.0), "got shape (3, 4, 6) of floats.", {},
        SAME_LABELS,
    ),
    "pixels without a label": (MISSING, "some of them nan", {"missing": "drop"}, read_rand(OF_LABELS)),
    "xarray": ((DataArray(FIRST), DataArray(SECOND)), "of xarray", {}, SAME_LABELS),
    "an image and a vector": ((FIRST, SECOND.ravel()), "as the other side", {}, SAME_LABELS),
    "memberships": (tuple(SHARES), "whose rows sum to 1", {}, None),
    "memberships in lists": (tuple(x.tolist() for x in SHARES), "whose rows sum to 1", {}, None),
    "memberships in a frame": (tuple(map(pandas.DataFrame, SHARES)), "whose rows sum to 1", {}, None),
    "memberships that are turned": (tuple(x.T for x in SHARES), "whose columns sum to 1", {}, None),
    "shares of each pixel": (
        (np.eye(4)[FIRST] * 0.7 + 0.075, np.moveaxis(np.eye(4)[SECOND] * 0.7 + 0.075, -1, 0)),
        "of shares that sum to 1", {}, SAME_LABELS,
    ),
    "linkages": (tuple(LINKAGES), "a linkage", {"index": "correlation"}, None),
    "similarities": (tuple(ALIKE), "are symmetric", {"index": "correlation"}, None),
    "spans": (SPANS, "clusters of pairs such as [0, 1]", {}, None),
    "labels of two levels": (
        tuple([[f"{x}", f"{x // 2}"] for x in side] for side in LABELS), "got lists of 2", {}, SAME_LABELS
    ),
    "a column of lists": (
        tuple(pandas.Series([[x, x // 2] for x in side]) for side in LABELS), "got a list first", {},
        SAME_LABELS,
    ),
    "a frame": (
        (pandas.DataFrame({"a": LABELS[0], "b": 1.5}), pandas.DataFrame({"k": LABELS[1], "b": 2.5})),
        "of a frame of labels pass one column", {}, SAME_LABELS,
    ),
    "a frame of polars": (
        (polars.DataFrame({"a": LABELS[0], "b": 1.5}), polars.DataFrame({"k": LABELS[1], "b": 2.5})),
        "of a frame of labels pass one column", {}, SAME_LABELS,
    ),
    "a table of Arrow": (
        (pyarrow.table({"a": LABELS[0], "b": LABELS[1]}), pyarrow.table({"k": LABELS[1], "b": LABELS[0]})),
        "of a frame of labels pass one column", {}, SAME_LABELS,
    ),
}  # fmt: skip
"""Two sides, words of the message, options of the call, and the right value if it is that of labels."""


def find_right_value(name):
    """Adjusted scores by another way than the advice: by hand, or by tables of what the input stands for."""
    if name.startswith("memberships"):
        first, second = (side @ side.T for side in SHARES)
    elif name in ("linkages", "similarities"):
        pairs = np.triu_indices(24, 1)
        sides = [cophenet(z) for z in LINKAGES] if name == "linkages" else [s[pairs] for s in ALIKE]
        return np.corrcoef(*sides)[0, 1]
    else:
        return read_rand([[side[mention] for mention in MENTIONS[0]] for side in MENTIONS])
    pairs = np.triu_indices(24, 1)
    P, Q = first[pairs], second[pairs]
    observed, p, q = np.mean(P * Q + (1 - P) * (1 - Q)), P.mean(), Q.mean()
    expected = p * q + (1 - p) * (1 - q)
    return (observed - expected) / (1 - expected)


DOORS = {
    "adjust": cc.adjust,
    "score": cc.score,
    "adjusted_score": cc.adjusted_score,
    "contingency_table": cc.contingency_table,
    "compare": lambda true, pred: cc.compare(true, {"a": pred}),
    "pairwise": lambda true, pred: cc.pairwise([true, pred]),
    "stability": lambda true, pred: cc.comparison.stability([true, pred]),
    "agreement": lambda true, pred: cc.comparison.agreement([true, pred]),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", RECOGNISED)
def test_each_door_says_what_it_got(name, door):
    sides, words, *_ = RECOGNISED[name]
    with pytest.raises((TypeError, ValueError), match=re.escape(words)) as error:
        DOORS[door](*sides)
    assert "an image as" not in str(error.value)
    assert len(str(error.value)) < 330


def follow(text, names):
    """What the advice of a message makes of the argument that it names."""
    (way,) = re.findall(r"[Pp]ass (?:[a-z ]+, as )?`([^`]+)`", text)[:1]
    return eval(
        way, {"np": np, "Membership": cc.Membership, "Tree": cc.Tree, "Similarity": cc.Similarity}, names
    )


@pytest.mark.parametrize("name", RECOGNISED)
def test_the_advice_gives_the_right_value(name):
    """A message for each side that is wrong; each is followed as it stands."""
    sides, _, options, right = RECOGNISED[name]
    given = {"labels_true": sides[0], "labels_pred": sides[1]}
    for _ in range(3):
        try:
            score = cc.adjust(*given.values(), **options)
            break
        except (TypeError, ValueError) as error:
            wrong = str(error).split("`")[1]
            given[wrong] = follow(str(error), dict(given))
    expected = find_right_value(name) if right is None else right
    assert score.adjusted == pytest.approx(expected, rel=1e-9)


TOPICS = [[(0, 0.9), (1, 0.1)], [(1, 1.0)], [(0, 0.5), (2, 0.5)], [(2, 0.8), (0, 0.2)]]
BLOCKS = RNG.random((3, 30)) < 0.4
EVENTS = pandas.DataFrame({"onset": [0.0, 2, 4], "duration": [2.0, 2, 1], "trial_type": ["a", "b", "a"]})
TOLD = {
    "shapes": (FIRST, SECOND[:, :4], "got shape (6, 4) beside shape (6, 12). Bring both to one grid."),
    "shapes that are turned": (FIRST, SECOND.T, "got shape (12, 6) beside shape (6, 12)"),
    "topics": (TOPICS, TOPICS, "got pairs (topic, share). To `adjust` pass `Membership` of"),
    "topics of one length": (TOPICS[2:], [0, 1], "got pairs (topic, share)"),
    "topics of NumPy": ([[(np.int64(0), np.float32(0.5))], []], [0, 1], "got pairs (topic, share)"),
    "biclusters": ((BLOCKS, BLOCKS), (BLOCKS, BLOCKS), "as `biclusters_` of an estimator"),
    "times": (EVENTS, EVENTS, "with columns of times. Pass both sides to `chancecorr.clusterings.segments`"),
    "an AnnData": (
        types.SimpleNamespace(shape=(6, 3), obs=None), [0] * 6, "Pass it first, and then the names of its"
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "door", ["adjust", "score", "adjusted_score", "contingency_table", "compare", "pairwise"]
)
@pytest.mark.parametrize("name", TOLD)
def test_other_mistakes_are_told(name, door):
    first, second, words = TOLD[name]
    with pytest.raises((TypeError, ValueError), match=re.escape(words)) as error:
        DOORS[door](first, second)
    assert "an image as" not in str(error.value)


def test_topics_as_memberships():
    rows = np.zeros((4, 3))
    for document, pairs in enumerate(TOPICS):
        for topic, share in pairs:
            rows[document, topic] = share
    assert cc.adjust(cc.Membership(rows), [0, 1, 0, 2]).n == 4
    with pytest.raises(ValueError, match=r"must have rows that sum to 1; got a sum of 0\.5 in row 2"):
        cc.Membership(rows * [1, 1, 0] + [[0], [0], [0], [0.8]] * np.array([0, 0, 1]))


def test_memberships_and_covers_that_are_turned():
    rows = SHARES[0].T
    with pytest.raises(ValueError, match=r"Its columns sum to 1: pass `np\.transpose\(rows\)`") as error:
        cc.Membership(rows)
    way = re.findall("pass `([^`]+)`", str(error.value))[0]
    assert cc.Membership(eval(way, {"np": np, "rows": rows})).n == 24
    cover = cc.Cover((rows > 0.3).astype(int))
    for sides, name in (((LIKE_OBJECTS, cover), "labels_pred"), ((cover, LIKE_OBJECTS), "labels_true")):
        with pytest.raises(ValueError, match=f"Is `{name}` transposed"):
            cc.adjust(*sides)


def test_biclusters_of_booleans():
    labels = BLOCKS.argmax(axis=0)
    for rows, columns, kind in ((BLOCKS, labels, "row"), (labels, BLOCKS, "column")):
        with pytest.raises(
            ValueError, match=rf"`{kind}s` must .* \(3, 30\), .* Pass `{kind}_labels_` of the"
        ):
            Biclusters(rows, columns)
    assert cc.adjust(*[Biclusters(labels, labels)] * 2).adjusted == pytest.approx(1.0)


@pytest.mark.parametrize("method", ["centroid", "median"])
def test_heights_that_fall(method):
    equilateral = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.9]])
    with pytest.raises(
        ValueError, match=r"must have heights that do not fall; .*use another method, as 'average'"
    ):
        cc.Tree(linkage(equilateral, method))
    assert cc.Tree(linkage(equilateral, "average")).n == 3


def test_frames_of_segments():
    for name, sides in (("true", (EVENTS, EVENTS)), ("pred", ([(0, 5, "x")], EVENTS))):
        with pytest.raises(
            ValueError, match=f"`{name}` must have the end .* got the column 'duration'"
        ) as error:
            segments(*sides)
        way = re.findall("Pass `([^`]+)`", str(error.value))[0]
        rows = [(0.0, 2.0, "a"), (2.0, 4.0, "b"), (4.0, 5.0, "a")]
        right = segments(rows, [(0, 3, "x"), (3, 5, "y")])
        found = segments(eval(way, {name: EVENTS}), [(0, 3, "x"), (3, 5, "y")])
        assert [side.tolist() for side in found] == [side.tolist() for side in right]
    dates = EVENTS.assign(onset=pandas.to_datetime(EVENTS.onset, unit="s"))
    with pytest.raises(ValueError, match="Pass both as numbers of seconds"):
        segments(dates, dates)
    for columns in (["label", "start", "end"], ["end", "label", "start"], ["start", "end", "label"]):
        frame = pandas.DataFrame({"start": [0.0, 2], "end": [2.0, 3], "label": ["a", "b"]})[columns]
        for each in (frame, polars.from_pandas(frame)):
            assert segments(each, [(0, 3, "x")])[0].tolist() == ["a", "b"]


MAKE_FRAME = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "Arrow": pyarrow.table}


@pytest.mark.parametrize("library", MAKE_FRAME)
def test_names_of_columns_behind_a_frame(library):
    weights = [1 + k % 3 for k in range(72)]
    frame = MAKE_FRAME[library]({"a": LABELS[0], "b": LABELS[1], "w": weights, "select": LABELS[0]})
    assert read_rand(LABELS) == cc.adjust(frame, "a", "b").adjusted
    assert cc.adjust(frame, labels_true="a", labels_pred="b").adjusted == read_rand(LABELS)
    assert cc.score(frame, "a", "b", "purity") == cc.score(*LABELS, "purity")
    assert cc.contingency_table(frame, "a", "b") == cc.contingency_table(*LABELS)
    assert cc.adjusted_score(frame, "a", "b", weights="w") == cc.adjusted_score(*LABELS, weights=weights)
    board = cc.compare(frame, "a", ["b", "select"])
    assert board["b"]["rand"].adjusted == read_rand(LABELS)
    assert board["select"]["rand"].adjusted == 1.0
    with pytest.raises(
        ValueError, match=r"`labels_pred` must name columns of the frame; got 'c'.* Columns: 'a'"
    ):
        cc.adjust(frame, "a", "c")


COMMUNITIES = [{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "e"}]
OF_NODES = [{node: own for own in side for node in sorted(own)} for side in COMMUNITIES]
NUMBERS = [[0, 0, 0, 1, 1], [0, 0, 1, 1, 1]]
FORMS_OF_SETS = {
    "a set of sets": [set(map(frozenset, side)) for side in COMMUNITIES],
    "a frozen set of sets": [frozenset(map(frozenset, side)) for side in COMMUNITIES],
    "a set of members for each node": OF_NODES,
    "a frozen set of members for each node": [
        {node: frozenset(own) for node, own in x.items()} for x in OF_NODES
    ],
}


@pytest.mark.parametrize("form", FORMS_OF_SETS)
def test_sets_of_sets_and_members_of_each_node(form):
    """As networkx has communities of its benchmark graphs."""
    first, second = FORMS_OF_SETS[form]
    for sides in ((first, second), (COMMUNITIES[0], second), (first, COMMUNITIES[1])):
        assert cc.adjust(*sides).adjusted == pytest.approx(read_rand(NUMBERS), rel=1e-12)
        assert cc.score(*sides) == cc.score(*NUMBERS)
        assert cc.compare(sides[0], {"x": sides[1]})["x"]["rand"].adjusted == pytest.approx(
            read_rand(NUMBERS)
        )
    if form.endswith("a set of sets"):
        cover = {frozenset("abc"), frozenset("cde")}
        in_lists = [set("abc"), set("cde")]
        assert cc.adjust(cover, second).adjusted == cc.adjust(in_lists, COMMUNITIES[1]).adjusted
        assert cc.Cover(cover).rows.tolist() == cc.Cover(in_lists).rows.tolist()


def test_members_of_each_node_in_a_list():
    own = [{0, 1}, {0, 1}, {2, 3, 4}, {2, 3, 4}, {2, 3, 4}]
    labels = [0, 1, 0, 1, 1]
    assert cc.adjust(own, labels).adjusted == read_rand([[0, 0, 1, 1, 1], labels])
    with pytest.raises(ValueError, match="must have every object in one cluster; got 1 in sets 0 and 1"):
        cc.adjust([{0, 1}, {1}, {0}, {0}], [0, 0, 1, 1])  # they do not agree


@pytest.mark.parametrize("door", ["adjust", "score", "contingency_table"])
def test_a_side_of_nothing_is_named(door):
    for sides, name in ((([{1, 2}, {3}], []), "labels_pred"), (([], {"a": 1}), "labels_true")):
        with pytest.raises(ValueError, match=f"`{name}` must hold at least one label; got none"):
            DOORS[door](*sides)


MASK = np.zeros((6, 6), dtype=int)
MASK[1:4, 1:4] = 1
GROUPS = [[0, 1, 2], [3, 4, 5]]
HALVES, THIRDS = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]
MIXED = read_rand([HALVES, THIRDS])
ROWS = np.eye(2, dtype=int)[HALVES]


def compare_sets(communities):
    """The advice for communities."""
    return cc.adjust([set(c) for c in communities], THIRDS)


OF_GENERAL_ADVICE = {
    "an image": (MASK, lambda x: cc.adjust(x.ravel(), x.T.ravel()), 1.0),
    "counts": ([[3, 1], [0, 2]], cc.adjust_table, read_rand([[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]])),
    "lists": (GROUPS, compare_sets, MIXED),
    "tuples": ([*map(tuple, GROUPS)], compare_sets, MIXED),
    "ranges": ([range(3), range(3, 6)], compare_sets, MIXED),
    "tuples by name": ({"a": (0, 1, 2), "b": (3, 4, 5)}, lambda x: compare_sets(x.values()), MIXED),
    "memberships of 0 and 1": (ROWS, lambda x: cc.adjust(cc.Membership(x), THIRDS), MIXED),
    "a cover": (ROWS, lambda x: cc.adjust(cc.Cover(x), THIRDS, "omega"), MIXED),
    "similarities": (ROWS @ ROWS.T, lambda x: cc.adjust(cc.Similarity(x), THIRDS, "rand"), MIXED),
}


@pytest.mark.parametrize("kind", OF_GENERAL_ADVICE)
def test_each_way_of_the_general_message(kind):
    """What may be several things is refused, and each way that the message names gives the right value."""
    given, follow_advice, right = OF_GENERAL_ADVICE[kind]
    with pytest.raises((TypeError, ValueError), match="Pass"):
        cc.adjust(given, THIRDS)
    assert follow_advice(given).adjusted == pytest.approx(right, rel=1e-9)


def test_frames_of_starts_and_ends():
    frame = pandas.DataFrame({"start": [0.0, 2], "end": [2.0, 3], "label": ["a", "b"]})
    other = [(0.0, 1.0, "x"), (1.0, 3.0, "y")]
    with pytest.raises(
        ValueError, match=r"Pass both sides to `chancecorr\.clusterings\.segments`, and what it"
    ):
        cc.adjust(frame, frame)
    first, second, durations = segments(frame, other)
    expected = cc.adjust(["a", "a", "b"], ["x", "y", "y"], weights=durations)
    assert cc.adjust(first, second, weights=durations).adjusted == expected.adjusted
