"""Links between objects, such as pairs of records that match, as clusters, and the advice about them."""

import re

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.clusterings import join_links
from tests.contracts.test_advice import DOORS

pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))

TRUE = [("r1", "r2"), ("r2", "r3"), ("r4", "r5")]
PRED = [("r1", "r2"), ("r3", "r4"), ("r4", "r5")]
CLUSTERS = {"r1": 0, "r2": 0, "r3": 0, "r4": 1, "r5": 1}, {"r1": 0, "r2": 0, "r3": 1, "r4": 1, "r5": 1}
RIGHT = cc.adjusted_score(*CLUSTERS)


def reach(links, objects):
    """Which objects a chain of links joins: the closure of the matrix of links."""
    joined = np.eye(len(objects), dtype=int)
    for one, other in links:
        joined[objects.index(one), objects.index(other)] = joined[
            objects.index(other), objects.index(one)
        ] = 1
    return np.linalg.matrix_power(joined, len(objects)) > 0


@pytest.mark.parametrize("n_links", [1, 8, 15, 40])
def test_clusters_are_what_chains_of_links_join(n_links):
    rng, objects = np.random.default_rng(n_links), list(range(20))
    for _ in range(20):
        links = rng.integers(0, 20, (n_links, 2)).tolist()
        clusters = join_links(links, objects)
        assert list(clusters) == objects
        numbers = np.array(list(clusters.values()))
        assert np.array_equal(numbers[:, None] == numbers, reach(links, objects))
        assert sorted({*clusters.values()}) == list(range(numbers.max() + 1))
        without = join_links(links)
        assert without.keys() == {one for link in links for one in link}
        assert cc.score([without[one] for one in without], [clusters[one] for one in without]) == 1.0


def frame(links, names=("id_1", "id_2")):
    return pandas.DataFrame(links, columns=list(names))


def splink(links):
    """With the columns of a threshold and of other fields."""
    table = frame(links, ("unique_id_l", "unique_id_r"))
    table.insert(0, "match_probability", 0.9)
    return table.assign(name_l="ann", name_r="anne")


NUMBERED = {f"r{k}": k for k in range(1, 6)}
FORMS = {
    "tuples": list,
    "lists": lambda links: [list(link) for link in links],
    "a set": set,
    "an array": np.array,
    "numbers": lambda links: [(NUMBERED[a], NUMBERED[b]) for a, b in links],
    "an array of numbers": lambda links: np.array([(NUMBERED[a], NUMBERED[b]) for a, b in links]),
    "scores by pair": lambda links: dict.fromkeys(links, 0.9),
    "an index": pandas.MultiIndex.from_tuples,
    "a frame": frame,
    "a frame of splink": splink,
    "a frame of polars": lambda links: polars.DataFrame(links, schema=["id_1", "id_2"], orient="row"),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_advice_joins_the_links_of_each_side(form):
    sides = dict(zip(("labels_true", "labels_pred"), map(FORMS[form], (TRUE, PRED)), strict=True))
    for _ in sides:
        with pytest.raises((TypeError, ValueError), match=r"linked objects.* `chancecorr") as error:
            cc.adjust(**sides)
        ((name, way),) = re.findall(r"^`(\w+)` .* `(chancecorr[^`]+)`, with all objects", str(error.value))
        sides[name] = eval(way, {"chancecorr": cc}, dict(sides))
    assert cc.adjust(**sides).adjusted == RIGHT


@pytest.mark.parametrize("door", DOORS)
def test_each_door_recognises_links(door):
    with pytest.raises((TypeError, ValueError), match=r"got pairs, such as linked objects. Pass `chancecorr"):
        DOORS[door](TRUE, PRED)


def test_pairs_that_are_labels_stay_labels():
    pairs = [("a", 1), ("a", 1), ("b", 2), ("b", 2), ("b", 1)]
    assert cc.score(pairs, [0, 0, 1, 1, 2]) == 1.0
    twice = [("a", "b"), ("b", "c"), ("a", "b")]
    assert cc.score(twice, [0, 1, 0]) == 1.0


def test_a_frame_of_records_and_clusters_is_answered_by_a_mapping():
    tables = [
        pandas.DataFrame({"id": [1, 2, 3, 4], "z_cluster": side}) for side in ([7, 7, 8, 8], [1, 1, 1, 2])
    ]
    sides = {"labels_true": tables[0], "labels_pred": tables[1].iloc[::-1]}
    for name in sides:
        with pytest.raises(ValueError, match=r"or to match labels by 'id', `dict\(zip") as error:
            cc.adjust(**sides)
        (way,) = re.findall(r"by 'id', `(.*?)`;", str(error.value))
        sides[name] = eval(way, {}, dict(sides))
    assert cc.adjust(**sides).adjusted == cc.adjusted_score([7, 7, 8, 8], [1, 1, 1, 2])


WITH_SCORES = {
    "clusters of dedupe": (
        [(("r1", "r2", "r3"), np.array([0.9, 0.9, 0.8])), (("r4", "r5"), np.array([0.7, 0.7]))],
        [(("r1", "r2"), np.array([0.9, 0.9])), (("r3", "r4", "r5"), np.array([0.7, 0.7, 0.7]))],
    ),
    "clusters by record": tuple({one: (k, 0.9) for one, k in side.items()} for side in CLUSTERS),
    "a list": tuple([(k, 0.9) for k in side.values()] for side in CLUSTERS),
    "fields": tuple(
        {one: {"cluster id": k, "confidence_score": 0.9} for one, k in side.items()} for side in CLUSTERS
    ),
}


@pytest.mark.parametrize("form", WITH_SCORES)
def test_labels_with_scores_are_answered_by_the_labels_alone(form):
    sides = dict(zip(("labels_true", "labels_pred"), WITH_SCORES[form], strict=True))
    for _ in sides:
        with pytest.raises(
            (TypeError, ValueError), match=r"with other values, such as scores\. Pass"
        ) as error:
            cc.adjust(**sides)
        ((name, way),) = re.findall(r"^`(\w+)` .* Pass `([^`]+)`\.$", str(error.value))
        sides[name] = eval(way, {}, dict(sides))
    assert cc.adjust(**sides).adjusted == RIGHT


REFUSED = {
    "three": ([("a", "b", "c")], None, "`links` must be pairs of two objects; got ('a', 'b', 'c')."),
    "a text": (["ab"], None, "`links` must be pairs of two objects; got 'ab'."),
    "not hashable": ([("a", [1])], None, "`links` must be pairs of two objects; got"),
    "another object": ([("a", "b")], ["a"], "`links` must link objects in `objects`; got 'b'."),
    "a column": (pandas.DataFrame({"id_1": [1]}), None, "`links` must have two columns; got 1."),
    "columns": (
        splink(TRUE), None, "Select two of them, as `links[['unique_id_l', 'unique_id_r']]`."
    ),
}  # fmt: skip


@pytest.mark.parametrize(("links", "objects", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_link_is_refused(links, objects, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        join_links(links, objects)
