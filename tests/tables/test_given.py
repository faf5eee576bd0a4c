"""Clusterings that are no label vectors, against the same as label vectors."""

from types import SimpleNamespace

import numpy as np
import pytest

import chancecorr as cc

TRUE, PRED = [0, 0, 0, 1, 1, 2], [5, 5, 6, 6, 7, 7]
NAMES = ["f", "b", "e", "a", "d", "c"]


def sets(labels, names=range(6)):
    return [
        {name for name, label in zip(names, labels, strict=True) if label == each} for each in set(labels)
    ]


def mapping(labels, names=NAMES):
    pairs = zip(names, labels, strict=True)
    return dict(sorted(pairs, key=str))


class Estimator:
    """As one of scikit-learn."""

    def fit(self, X):
        self.labels_ = np.array(X)
        return self


def test_objects_are_matched_by_name():
    for first, second in (
        (mapping(TRUE), mapping(PRED, NAMES)),
        (mapping(TRUE), sets(PRED, NAMES)),
        (sets(TRUE, NAMES), mapping(PRED)),
    ):
        assert cc.score(first, second) == cc.score(TRUE, PRED)


def test_clusterings_of_igraph():
    igraph = pytest.importorskip("igraph")
    found = igraph.Graph.Famous("Zachary").community_fastgreedy().as_clustering()
    halves = [k % 2 for k in range(34)]
    assert cc.score(halves, found) == cc.score(halves, found.membership)


def test_clusterings_of_clusim():
    clustering = pytest.importorskip("clusim.clustering").Clustering
    theirs = clustering(elm2clu_dict={name: [label] for name, label in zip(NAMES, PRED, strict=True)})
    assert cc.score(mapping(TRUE), theirs) == cc.score(TRUE, PRED)


def refuse(self, *arguments, **options):
    raise TypeError("Implicit conversion to a NumPy array is not allowed.")


def to_numpy(self):
    return np.array(self.values)


FOREIGN = {
    ("torch", "Tensor"): {"detach": lambda self: self, "cpu": lambda self: self, "numpy": to_numpy},
    ("cupy", "ndarray"): {"__array__": refuse, "get": to_numpy},
    ("of_the_array_api", "Array"): {
        "__dlpack__": lambda self, **options: to_numpy(self).__dlpack__(**options),
        "__dlpack_device__": lambda self: to_numpy(self).__dlpack_device__(),
    },
}


@pytest.mark.parametrize(("module", "name"), FOREIGN)
def test_arrays_of_others_are_copied_to_memory(module, name):
    array = type(name, (), FOREIGN[module, name] | {"__module__": module})
    first, second = array(), array()
    first.values, second.values = TRUE, PRED
    assert cc.score(first, second) == cc.score(TRUE, PRED)


@pytest.mark.parametrize(
    ("labels_true", "labels_pred", "message"),
    [
        ([{1, 2}, {2, 3}], [0, 0, 1],
         "`labels_true` must name the objects of `labels_pred`, which are 0 to 2 by their positions; got"),
        ({"a": 1, "b": 2}, {"a": 1, "c": 2},
         "`labels_pred` must name the objects of `labels_true`; got 1 more, as 'c', and 1 fewer, as 'b'."),
        ({"a": 1, "b": 2}, [1, 2],
         "`labels_true` must name the objects of `labels_pred`, which are 0 to 1 by their positions; got"),
        (TRUE, Estimator(), "got an Estimator. Fit it first."),
        (TRUE, np.zeros((6, 3)), "got shape (6, 3). Pass a table of counts to"),
        (TRUE, type("AnnData", (), {"shape": (6, 3), "obs": None})(), "got an AnnData, whose columns are"),
        (TRUE, iter(PRED), "got a list_iterator. Pass a list of it."),
        ("species", "cluster", "got a str. Pass a column itself, as `frame['name']`."),
    ],
)  # fmt: skip
def test_what_is_refused(labels_true, labels_pred, message):
    with pytest.raises((TypeError, ValueError)) as caught:
        cc.score(labels_true, labels_pred)
    assert message in str(caught.value)


def test_a_frame_of_one_column_is_that_column():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for frame in (pandas.DataFrame({"k": [0, 0, 1, 1]}), polars.DataFrame({"k": [0, 0, 1, 1]})):
        table = cc.contingency_table(frame, list("aabb"))
        assert table.counts.tolist() == [[2, 0], [0, 2]]
    with pytest.raises(ValueError, match=r"`labels_true` must be one-dimensional; got shape \(4, 2\)"):
        cc.score(pandas.DataFrame({"k": [0, 0, 1, 1], "m": 1}), list("aabb"))


def test_entries_of_objects_are_matched_by_name_or_by_position():
    """Strata, weights and frequencies, as mappings, as a column and as vectors."""
    strata, weights = [0, 1, 0, 1, 0, 1], [3, 1, 2, 1, 1, 2]
    first, second = mapping(TRUE), mapping(PRED)
    order = list(first)
    by_position = {"strata": dict(enumerate(strata)), "weights": dict(enumerate(weights))}
    for keyword, values in (("strata", strata), ("weights", weights)):
        expected = cc.adjust(TRUE, PRED, **{keyword: values}).expected
        by_name = dict(zip(NAMES, values, strict=True))
        in_order = [by_name[name] for name in order]
        backwards = dict(reversed(by_name.items()))
        column = np.array(values)[:, np.newaxis]
        assert cc.adjust(first, second, **{keyword: backwards}).expected == pytest.approx(expected, rel=1e-12)
        with pytest.raises(TypeError, match=f"`{keyword}` must name the objects as `labels_true` does"):
            cc.adjust(first, second, **{keyword: in_order})
        for given in (dict(reversed(by_position[keyword].items())), column):
            assert cc.adjust(TRUE, PRED, **{keyword: given}).expected == expected
        renamed = {("x" if name == "f" else name): value for name, value in by_name.items()}
        with pytest.raises(ValueError, match=f"`{keyword}` must name the objects of `labels_true`; got 1 m"):
            cc.adjust(first, second, **{keyword: renamed})


def test_groups_are_matched_by_name():
    groups = {name: k % 3 for k, name in enumerate("abcdef")}
    by_vector = [groups[name] for name in NAMES]
    by_position = cc.compare(TRUE, {"x": PRED}, groups=by_vector)["x"]["rand"].interval
    sides = mapping(TRUE), {"x": mapping(PRED)}
    backwards = dict(reversed(groups.items()))
    for given in (groups, backwards):
        by_name = cc.compare(*sides, groups=given)["x"]["rand"].interval
        assert tuple(by_name) == pytest.approx(tuple(by_position), rel=1e-12)
    with pytest.raises(ValueError, match="`groups` must name the objects of `labels_true`; got 1 fewer, as"):
        cc.compare(*sides, groups={name: k for name, k in groups.items() if name != "a"})


def test_labels_of_numpy_are_those_of_python():
    first = [np.str_("CD4 T"), np.str_("B"), np.str_("B")]
    table = cc.contingency_table(first, [np.int64(1), None, "x"], missing="singletons")
    assert "np." not in repr(table)
    assert repr(cc.contingency_table(first, [1, 2, 2])) == repr(
        cc.contingency_table(list(map(str, first)), [1, 2, 2])
    )


def test_partitions_and_covers_of_networkit():
    """By what these classes have; node 5 is in no subset of the partition."""
    communities = [{0, 1, 2, 3}, {3, 4, 5}], [{0, 1, 2}, {3, 4, 5}]
    partition = SimpleNamespace(getVector=lambda: [3, 3, 0, 0, 7, 2**64 - 1], getSubsetIds=lambda: {0, 3, 7})
    cover = SimpleNamespace(getSubsetIds=lambda: {0, 1}, getMembers=communities[0].__getitem__)
    score = cc.adjust(partition, TRUE, missing="drop")
    assert score.adjusted == cc.adjusted_score([3, 3, 0, 0, 7], TRUE[:5])
    assert "labels of 6 objects from a SimpleNamespace of networkit" in str(score.notes[0])
    expected = cc.adjust(*communities, "omega").adjusted
    assert cc.adjust(cover, communities[1], "omega").adjusted == expected
    assert cc.compare(communities[1], {"found": cover}, "omega")["found"]["omega"].adjusted == expected


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "float16", "float32", "int64", "bool"])
def test_labels_of_few_bits_give_no_warning(kind, recwarn):
    cc.adjust(np.array([0, 1, 1, 0, 1, 0]).astype(kind), np.array([1, 1, 0, 0, 1, 0]).astype(kind))
    assert not [str(warning.message) for warning in recwarn if issubclass(warning.category, RuntimeWarning)]
