"""Everything that belongs to objects, in every form and through every door: matched by name, or refused."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import chancecorr as cc
from chancecorr.chance import neighbour_agreement, spins
from chancecorr.clusterings import graph_rand, spatial_rand

NAMES = list("abcdefgh")
ORDER = [4, 2, 7, 0, 1, 6, 3, 5]  # another order of the objects
TRUE, PRED = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2, 0]
GRAPH = nx.Graph(["ab", "bc", "de", "ef", "gh", "cd", "fh", "ag"])
WEIGHTS, PARTS = [1.0, 2.0, 5.0, 1.0, 3.0, 1.0, 4.0, 2.0], [0, 1, 0, 1, 1, 0, 0, 1]
GROUPS = [0, 1, 2, 0, 1, 2, 2, 1]
PLACES = [[float(k % 3), float(k * k)] for k in range(8)]

DIRECTIONS = np.random.default_rng(5).normal(size=(8, 3)).tolist()


def error_by_groups(score):
    return lambda groups: score.interval(groups=groups).standard_error


def compare_one(x, y, **more):
    return cc.compare(x, {"y": y}, "rand", rng=1, **more)["y"]["rand"]


DOORS = {
    "weights": (WEIGHTS, {
        "adjust": lambda x, y, w: cc.adjust(x, y, weights=w).adjusted,
        "a list": lambda x, y, w: cc.adjust(x, y, ["rand", "jaccard"], weights=w)["rand"].adjusted,
        "adjusted_score": lambda x, y, w: cc.adjusted_score(x, y, weights=w),
    }),
    "strata": (PARTS, {
        "adjust": lambda x, y, s: cc.adjust(x, y, strata=s).expected,
        "with weights": lambda x, y, s: cc.adjust(x, y, "nmi", strata=s, rng=1, n_tables=50).observed,
        "adjusted_score": lambda x, y, s: cc.adjusted_score(x, y, strata=s),
    }),
    "groups": (GROUPS, {
        "interval": lambda x, y, g: error_by_groups(cc.adjust(x, y))(g),
        "interval of pairs": lambda x, y, g: error_by_groups(cc.adjust(x, y, "omega"))(g),
        "compare": lambda x, y, g: compare_one(x, y, groups=g).interval.standard_error,
    }),
    "labels_pred": (PRED, {
        "adjust": lambda x, _, y: cc.adjust(x, y).adjusted,
        "adjusted_score": lambda x, _, y: cc.adjusted_score(x, y),
        "score": lambda x, _, y: cc.score(x, y),
        "contingency_table": lambda x, _, y: cc.contingency_table(x, y).sum_of_squares,
        "compare": lambda x, _, y: compare_one(x, y).score.adjusted,
        "pairwise": lambda x, _, y: cc.pairwise([x, y]).adjusted[0, 1],
        "agreement": lambda x, _, y: cc.comparison.agreement([x, y]).observed,
        "stability": lambda x, _, y: sorted(cc.comparison.stability([x, y]).consistency),
        "match_labels": lambda x, _, y: cc.comparison.match_labels(x, y).n_matched,
        "agreement_by_cluster": lambda x, _, y: cc.comparison.agreement_by_cluster(x, y).scores.tolist(),
        "consensus_matrix": lambda x, _, y: float(np.square(cc.ensembles.consensus_matrix([x, y])).sum()),
    }),
    "positions": (PLACES, {
        "adjust": lambda x, y, p: cc.adjust(x, y, spatial_rand(p), rng=1).adjusted,
        "score": lambda x, y, p: cc.score(x, y, spatial_rand(p)),
        "compare": lambda x, y, p: cc.compare(x, {"y": y}, spatial_rand(p), rng=1)["y"].adjusted,
        "pairwise": lambda x, y, p: cc.pairwise([x, y], spatial_rand(p), rng=1).adjusted[0, 1],
    }),
    "model": (DIRECTIONS, {
        "adjust": lambda x, y, d: cc.adjust(x, y, "rand", model=spins(d), rng=1, n_tables=50).expected,
        "pairs": lambda x, y, d: cc.adjust(x, y, "omega", model=spins(d), rng=1, n_tables=50).expected,
        "compare": lambda x, y, d: (
            compare_one(x, y, model=spins(d), n_tables=50, interval=None).score.expected
        ),
        "pairwise": lambda x, y, d: (
            cc.pairwise([x, y], "rand", model=spins(d), rng=1, n_tables=50).expected[0, 1]
        ),
    }),
    "labels": (PRED, {
        "graph_rand": lambda x, _, y: cc.adjust(y, y, graph_rand(GRAPH), rng=1).expected,
        "neighbour_agreement": lambda x, _, y: neighbour_agreement(y, GRAPH).observed,
    }),
}  # fmt: skip
"""By argument: values in the order of the names, and what each door answers."""

GRID = [(argument, door) for argument, (_, doors) in DOORS.items() for door in doors]


def series(values, order=range(8), names=NAMES):
    return pd.Series([values[k] for k in order], index=[names[k] for k in order])


def frame(values, order=range(8), names=NAMES):
    return pd.DataFrame([np.ravel(values[k]) for k in order], index=[names[k] for k in order])


def mapping(values, order=range(8), names=NAMES):
    return {names[k]: values[k] for k in order}


WITH_NAMES = {"Series": series, "mapping": mapping, "frame": frame}
WITHOUT_NAMES = {
    "list": list,
    "array": np.array,
    "polars": lambda values: pytest.importorskip("polars").DataFrame(np.reshape(values, (8, -1))),
    "Series from 0 on": lambda values: frame(values, names=range(8)),
}


def name_values(argument, form, **more):
    """Values with names; those of several numbers an object are a frame, and no Series."""
    values = DOORS[argument][0]
    is_frame = form == "Series" and isinstance(values[0], list)
    return WITH_NAMES["frame" if is_frame else form](values, **more)


def ask(argument, door, sides, values):
    return DOORS[argument][1][door](*sides, values)


def in_order_of_the_graph(argument):
    """Values in the order in which positions count: that of the nodes for labels of a graph."""
    values = DOORS[argument][0]
    return [values[NAMES.index(node)] for node in GRAPH] if argument == "labels" else values


@pytest.mark.parametrize("form", WITH_NAMES)
@pytest.mark.parametrize("side", ["Series", "mapping"])
@pytest.mark.parametrize(("argument", "door"), GRID)
def test_names_in_any_order(argument, door, side, form):
    expected = ask(argument, door, (TRUE, PRED), in_order_of_the_graph(argument))
    sides = [WITH_NAMES[side](labels, ORDER[::-1]) for labels in (TRUE, PRED)]
    found = ask(argument, door, sides, name_values(argument, form, order=ORDER))
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("form", WITHOUT_NAMES)
@pytest.mark.parametrize(("argument", "door"), GRID)
def test_positions_of_plain_labels(argument, door, form):
    values = in_order_of_the_graph(argument)
    expected = ask(argument, door, (TRUE, PRED), values)
    for sides in ((TRUE, PRED), (np.array(TRUE), np.array(PRED)), (pd.Series(TRUE), pd.Series(PRED))):
        assert ask(argument, door, sides, WITHOUT_NAMES[form](values)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("form", WITHOUT_NAMES)
@pytest.mark.parametrize(("argument", "door"), [both for both in GRID if both[0] != "labels"])
def test_no_names_beside_names_without_an_order(argument, door, form):
    sides = mapping(TRUE, ORDER), mapping(PRED, ORDER)
    with pytest.raises((TypeError, ValueError), match=r"^`.*` must name the objects (as|of) `.*`.*got"):
        ask(argument, door, sides, WITHOUT_NAMES[form](DOORS[argument][0]))


@pytest.mark.parametrize("form", WITH_NAMES)
@pytest.mark.parametrize("names", [[*NAMES[:7], "z"], list(range(1, 9)), [name.upper() for name in NAMES]])
@pytest.mark.parametrize(("argument", "door"), GRID)
def test_other_names(argument, door, names, form):
    sides = series(TRUE), series(PRED)
    with pytest.raises(ValueError, match=r"^`.*` must name the objects of `.*`; got . more, .* fewer"):
        ask(argument, door, sides, name_values(argument, form, names=names))
