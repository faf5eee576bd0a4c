"""The graph-aware Rand index: the published formula, all permutations of the vertices, kinds of graphs."""

import itertools
import types
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import chancecorr as cc
from chancecorr.clusterings import graph_rand
from chancecorr.correction.jackknife import leave_out
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError
from tests.clusterings.permutations import all_permutations, partition, values

TRIANGLES = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)]
STAR = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 2)]


def agri(edges, u, v):
    """AGRI edge by edge, as Poulin & Theberge's own function ``gam`` has it."""
    m = len(edges)
    A = {(i, j) for i, j in edges if u[i] == u[j]}
    B = {(i, j) for i, j in edges if v[i] == v[j]}
    chance = Fraction(len(A) * len(B), m)
    return (len(A & B) - chance) / (Fraction(len(A) + len(B), 2) - chance)


@pytest.mark.parametrize(
    ("edges", "v"),
    [
        *itertools.product([TRIANGLES, STAR], [[0, 0, 0, 1, 1, 1], [0, 1, 1, 0, 2, 2]]),
        ([(0, 1), (1, 2), (2, 3), (1, 3)], [0, 1, 1, 0]),
        ([(0, 1), (1, 2)], [0, 1, 1]),
    ],
)
def test_published_score_and_moments_by_enumeration(edges, v):
    u = [0, 0, 1, 1, 1, 2][: len(v)]
    found = graph_rand(edges).function(partition(u), partition(v))
    under_chance = values(found, all_permutations(len(v)))
    assert found.adjusted == pytest.approx(float(agri(edges, u, v)), rel=1e-15)
    assert (found.observed - found.expected) / (1 - found.expected) == pytest.approx(
        found.adjusted, rel=1e-12
    )
    assert under_chance[0] == pytest.approx(found.observed, rel=1e-12)
    assert under_chance.mean() == pytest.approx(found.expected, rel=1e-12)
    assert under_chance.var() == pytest.approx(found.variance, rel=1e-12)


def test_published_index_of_permuted_clusterings_has_another_mean():
    """The number in the docstring: the denominator varies with the permutations."""
    u = [0, 0, 0, 1, 1, 1]
    mean = sum(agri(TRIANGLES, u, np.array(u)[p]) for p in all_permutations(6)) / 720
    assert mean == Fraction(19, 432)


def test_kinds_of_graphs():
    nx = pytest.importorskip("networkx")
    adjacency = np.zeros((6, 6))
    adjacency[tuple(np.array(TRIANGLES).T)] = 2.5
    adjacency[4, 4] = adjacency[1, 0] = 1.0  # a loop, and an edge in both directions
    graph = nx.Graph()
    graph.add_nodes_from("abcdef")
    graph.add_edges_from(("abcdef"[i], "abcdef"[j]) for i, j in reversed(TRIANGLES))
    like_igraph = types.new_class("Graph")()
    type(like_igraph).__module__ = "igraph"
    like_igraph.vcount, like_igraph.get_edgelist = lambda: 6, lambda: [(1, 0), *TRIANGLES, (2, 2)]
    given = [
        np.array(TRIANGLES),
        sparse.csr_array(adjacency),
        sparse.coo_matrix(adjacency),
        graph,
        like_igraph,
    ]
    sides = partition([0, 0, 1, 1, 1, 2]), partition([0, 1, 1, 0, 2, 2])
    found = {(f.observed, f.expected, f.variance) for f in (graph_rand(g).function(*sides) for g in given)}
    assert len(found) == 1


def test_degenerate():
    one = partition([0, 0, 0])
    found = graph_rand([(0, 1), (1, 2)]).function(one, one)
    assert (found.observed, found.expected, found.adjusted) == (1.0, 1.0, None)  # chance alone attains 1
    assert np.isnan(graph_rand([]).function(one, one).observed)


def test_errors():
    one = partition([0, 0, 0])
    with pytest.raises(ArgumentValueError, match=r"`graph` must number its vertices below 3, .* got 3"):
        graph_rand([(0, 3)]).function(one, one)
    with pytest.raises(ArgumentValueError, match="as many objects as the clusterings; got 4 and 3"):
        graph_rand(sparse.eye_array(4)).function(one, one)
    with pytest.raises(ArgumentTypeError, match=r"`graph` must be a sparse matrix, .* dtype float64"):
        graph_rand([[0.5, 1.0]])
    with pytest.raises(ArgumentValueError, match="from 0 on; got -1"):
        graph_rand([(0, -1)])


def test_an_interval_leaves_vertices_out_of_the_graph():
    """Scores without each object, against the index of the graph without its vertex."""
    rng = np.random.default_rng(2)
    edges = [(i, j) for i in range(20) for j in range(i + 1, 20) if rng.random() < 0.3]
    first, second = rng.integers(0, 3, 20), rng.integers(0, 3, 20)
    score = cc.adjust(first, second, graph_rand(edges), rng=1)
    found = leave_out(score.model, score.entry, score.null, None).without
    for gone in range(20):
        number = {v: k for k, v in enumerate(v for v in range(20) if v != gone)}
        left = [(number[i], number[j]) for i, j in edges if gone not in (i, j)]
        wanted = cc.adjust(np.delete(first, gone), np.delete(second, gone), graph_rand(left), rng=1)
        assert found[gone] == pytest.approx(wanted.adjusted, rel=1e-12)
    assert "interval" in cc.adjust(first, second, [graph_rand(edges)], rng=1)._repr_html_()
