"""Nodes of a graph and places on a map that have names are matched with labels that have names."""

import os
import subprocess
import sys

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import chancecorr as cc
from chancecorr.chance import neighbour_agreement
from chancecorr.clusterings import graph_rand, spatial_rand

NAMES = list("abcdef")
EDGES = ["de", "ef", "df", "ab", "bc", "ac", "cd"]
GRAPH = nx.Graph(EDGES)  # lists d e f a b c
TRUE, PRED = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
BY_NUMBER = [tuple(map(NAMES.index, edge)) for edge in EDGES]
PLACES = np.array([[0, 0], [1, 0], [0, 5], [3, 1], [2, 2], [9, 4]])
OTHER_ORDER = [3, 0, 5, 1, 4, 2]


def make_igraph():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph()
    graph.add_vertices(list(GRAPH))
    graph.add_edges(EDGES)
    return graph


def mapping(labels, order=OTHER_ORDER, names=NAMES):
    return {names[k]: labels[k] for k in order}


def sets(labels, names=NAMES):
    return [{names[i] for i in range(6) if labels[i] == k} for k in sorted({*labels}, reverse=True)]


LABELS = {
    "mappings": lambda labels: mapping(labels),
    "sets": sets,
    "frozen sets": lambda labels: [frozenset(members) for members in sets(labels)],
    "Series": lambda labels: pd.Series(mapping(labels)),
}
INDICES = {
    "networkx": lambda: graph_rand(GRAPH),
    "igraph": lambda: graph_rand(make_igraph()),
    "list of edges": lambda: graph_rand([tuple(edge) for edge in EDGES]),
    "array of edges": lambda: graph_rand(np.array([tuple(edge) for edge in EDGES])),
    "frame of edges": lambda: graph_rand(pd.DataFrame([tuple(edge) for edge in EDGES])),
    "frame": lambda: spatial_rand(pd.DataFrame(PLACES, index=NAMES).iloc[OTHER_ORDER[::-1]]),
    "mapping": lambda: spatial_rand(mapping(PLACES)),
}
BY_POSITION = {
    "networkx": graph_rand(BY_NUMBER), "igraph": graph_rand(BY_NUMBER),
    "list of edges": graph_rand(BY_NUMBER), "array of edges": graph_rand(BY_NUMBER),
    "frame of edges": graph_rand(BY_NUMBER),
    "frame": spatial_rand(PLACES), "mapping": spatial_rand(PLACES),
}  # fmt: skip
DOORS = {
    "adjust": lambda x, y, index: cc.adjust(x, y, index, rng=1).adjusted,
    "score": cc.score,
    "a list": lambda x, y, index: cc.adjust(x, y, ["nmi", index], rng=1)[index.name].adjusted,
    "adjusted_score": lambda x, y, index: cc.adjusted_score(x, y, index, rng=1),
    "compare": lambda x, y, index: cc.compare(x, {"y": y}, index, rng=1)["y"].adjusted,
    "pairwise": lambda x, y, index: cc.pairwise([x, y], index, rng=1).adjusted[0, 1],
}


@pytest.mark.parametrize("side", LABELS)
@pytest.mark.parametrize("kind", INDICES)
@pytest.mark.parametrize("door", DOORS)
def test_places_with_names_are_matched_by_them(door, kind, side):
    answer, labels, index = DOORS[door], LABELS[side], INDICES[kind]()
    expected = answer(TRUE, PRED, BY_POSITION[kind])
    assert answer(labels(TRUE), labels(PRED), index) == pytest.approx(expected, rel=1e-12)
    assert answer(labels(TRUE), mapping(PRED, range(6)), index) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", ["networkx", "igraph"])
def test_lists_are_in_the_order_of_the_graph(kind):
    expected = cc.adjust(TRUE, PRED, BY_POSITION[kind]).adjusted
    for form in (list, np.array, pd.Series):
        in_order = [form([labels[NAMES.index(node)] for node in GRAPH]) for labels in (TRUE, PRED)]
        assert cc.adjust(*in_order, INDICES[kind]()).adjusted == expected


def test_numbers_of_vertices_are_names_but_of_networkx_with_other_nodes():
    expected = cc.adjust(TRUE, PRED, graph_rand(BY_NUMBER)).adjusted
    counted = [dict(reversed(list(enumerate(labels)))) for labels in (TRUE, PRED)]
    adjacency = sparse.coo_array((np.ones(7), np.transpose(BY_NUMBER)), shape=(6, 6))
    shuffled = nx.Graph()
    shuffled.add_nodes_from([3, 5, 0, 1, 4, 2])
    shuffled.add_edges_from(BY_NUMBER)
    for graph in (BY_NUMBER, adjacency, shuffled):
        for pair in (counted, [sets(labels, range(6)) for labels in (TRUE, PRED)]):
            assert cc.adjust(*pair, graph_rand(graph)).adjusted == pytest.approx(expected, rel=1e-12)
    in_order = [{k: labels[NAMES.index(node)] for k, node in enumerate(GRAPH)} for labels in (TRUE, PRED)]
    assert cc.adjust(*in_order, graph_rand(make_igraph())).adjusted == expected
    with pytest.raises(ValueError, match=r"`graph` must name the objects of `labels_true`; got 6 more"):
        cc.adjust(*in_order, graph_rand(GRAPH))


IDS = [10, 20, 30, 40, 50, 60]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("side", LABELS)
def test_numbers_in_a_list_of_edges_are_names_beside_labels_with_such_names(side, door):
    expected = DOORS[door](TRUE, PRED, graph_rand(BY_NUMBER))
    form = {
        "mappings": lambda labels: mapping(labels, names=IDS),
        "sets": lambda labels: sets(labels, IDS),
        "frozen sets": lambda labels: [frozenset(members) for members in sets(labels, IDS)],
        "Series": lambda labels: pd.Series(mapping(labels, names=IDS)),
    }[side]
    edges = graph_rand([(IDS[i], IDS[j]) for i, j in BY_NUMBER])
    assert DOORS[door](form(TRUE), form(PRED), edges) == pytest.approx(expected, rel=1e-12)


def test_neighbours_in_a_list_of_edges_are_matched_by_name():
    expected = neighbour_agreement(TRUE, BY_NUMBER)
    edges = [tuple(edge) for edge in EDGES]
    for labels in (mapping(TRUE), pd.Series(mapping(TRUE))):
        assert neighbour_agreement(labels, edges) == expected


def test_nodes_without_an_edge_are_in_no_list_of_edges():
    named = [{**mapping(labels), "z": 1} for labels in (TRUE, PRED)]
    expected = cc.adjust([*TRUE, 1], [*PRED, 1], graph_rand(BY_NUMBER), rng=1)
    found = cc.adjust(*named, graph_rand([tuple(edge) for edge in EDGES]), rng=1)
    assert (found.observed, found.expected) == (expected.observed, expected.expected)
    assert found.variance == pytest.approx(expected.variance, rel=1e-12)


def test_lists_of_edges_that_are_refused():
    edges = [tuple(edge) for edge in EDGES]
    with pytest.raises(
        TypeError, match=r"^`graph` must number the objects from 0 on beside .*; got 'd'\. Pas"
    ):
        cc.adjust(TRUE, PRED, graph_rand(edges))
    with pytest.raises(ValueError, match=r"^`graph` must name the objects of `labels_true`; got 'z', and th"):
        cc.adjust(mapping(TRUE), mapping(PRED), graph_rand([*edges, ("a", "z")]))
    one_on = [pd.Series(labels, index=range(1, 7)) for labels in (TRUE, PRED)]
    with pytest.raises(
        ValueError, match=r"^`graph` must number .*; got numbers from 1 to 3, which may be bo"
    ):
        cc.adjust(*one_on, graph_rand([(1, 2), (2, 3)]))
    for shift in (0, 1):  # 0 is no name, and 6 no position
        found = cc.adjust(*one_on, graph_rand(np.array(BY_NUMBER) + shift))
        assert found.adjusted == cc.adjust(TRUE, PRED, graph_rand(BY_NUMBER)).adjusted


def test_what_has_no_names_is_refused_beside_names():
    named = mapping(TRUE), sets(PRED)
    message = r"`graph` must name its vertices as `labels_true` names the objects, such as 'd'; got numb"
    for graph in (BY_NUMBER, nx.to_scipy_sparse_array(GRAPH)):
        with pytest.raises(ValueError, match=message):
            cc.adjust(*named, graph_rand(graph))
    with pytest.raises(TypeError, match=r"`positions` must name the objects as `labels_true` does; got an"):
        cc.adjust(*named, spatial_rand(PLACES))
    with pytest.raises(ValueError, match=r"must name .* 1 more, as 'z', and 1 fewer, as 'f'"):
        cc.adjust(*named, graph_rand(nx.relabel_nodes(GRAPH, {"f": "z"})))
    numbers = nx.relabel_nodes(nx.Graph(BY_NUMBER), {k: k + 1 for k in range(6)})
    texts = [mapping(labels, names="123456") for labels in (TRUE, PRED)]
    with pytest.raises(ValueError, match=r"They are texts on one side and not on the other: name them alike"):
        cc.adjust(*texts, graph_rand(numbers))
    with pytest.raises(ValueError, match=r"One side counts them from 0, the other from 1: number them alike"):
        cc.adjust(dict(enumerate(TRUE)), dict(enumerate(PRED)), graph_rand(numbers))


@pytest.mark.parametrize("kind", INDICES)
def test_objects_that_are_left_out_are_none_of_the_graph(kind):
    kept = [0, 1, 2, 3, 5]
    left_out = [label if k in kept else None for k, label in enumerate(PRED)]
    found = cc.adjust(mapping(TRUE), mapping(left_out), INDICES[kind](), missing="drop")
    by_position = cc.adjust(TRUE, left_out, BY_POSITION[kind], missing="drop")
    assert found.adjusted == pytest.approx(by_position.adjusted, rel=1e-12)
    if kind in ("networkx", "igraph"):
        edges = [tuple(map(kept.index, edge)) for edge in BY_NUMBER if {*edge} <= {*kept}]
        expected = cc.adjust([TRUE[k] for k in kept], [PRED[k] for k in kept], graph_rand(edges))
        assert found.adjusted == pytest.approx(expected.adjusted, rel=1e-12)


def test_neighbours_of_a_graph_are_matched_by_name():
    expected = neighbour_agreement(PRED, BY_NUMBER)
    for labels in (mapping(PRED), sets(PRED), pd.Series(mapping(PRED))):
        assert neighbour_agreement(labels, GRAPH) == pytest.approx(expected, rel=1e-12)
    with pytest.raises(ValueError, match="`neighbours` must name the objects as `labels` does; got the"):
        neighbour_agreement(mapping(PRED), (6,))


SCRIPT = """
import chancecorr as cc, networkx as nx
from chancecorr.clusterings import graph_rand, spatial_rand
K = nx.relabel_nodes(nx.karate_club_graph(), str)
found = nx.community.greedy_modularity_communities(K), [set(map(str, range(k, 34, 3))) for k in range(3)]
cover = cc.Cover([{*map(str, range(20))}, {*map(str, range(15, 34))}, {1, "x"}])
print(cc.adjust(*found, graph_rand(K)).adjusted)
print(cc.adjust(*found, "purity", weights={node: 1 + int(node) for node in K}, n_tables=99, rng=1).expected)
print(cc.adjust(cover, cc.Cover(found[1]), "average_f1", n_tables=99, rng=1).expected)
print(cc.comparison.agreement_by_object(*found).scores)
"""


def test_the_order_of_sets_shows_nowhere():
    """The same script in processes that hash texts differently."""
    printed = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in "123"
    }  # fmt: skip
    assert len(printed) == 1
    K = nx.karate_club_graph()
    found = nx.community.greedy_modularity_communities(K), nx.community.louvain_communities(K, seed=1)
    assert cc.adjust(*found, graph_rand(K)).adjusted == pytest.approx(0.304193, abs=1e-6)
