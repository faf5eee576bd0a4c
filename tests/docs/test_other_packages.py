"""Names of other packages lead to indices that exist, with the same numbers where the package is there."""

import importlib
import sys
from pathlib import Path

import pytest

import chancecorr as cc

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "_ext"))
names_elsewhere = importlib.import_module("index_page").list_names_elsewhere
TRUE, PRED = [0, 0, 0, 1, 1, 2, 2, 2, 3], [0, 0, 1, 1, 1, 2, 2, 0, 0]
CALLS = {"score": cc.score, "adjusted_score": cc.adjusted_score}


def ours():
    """Each name there, by package, and the number that the page says is the same."""
    for package, name, here, call in names_elsewhere():
        yield package, name, CALLS[call](TRUE, PRED, here)


def test_every_index_and_call_exists():
    found = list(names_elsewhere())
    packages = {"scikit-learn", "mclust", "aricode", "clusim", "igraph", "pycm", "CoNLL scorer"}
    assert packages <= {row[0] for row in found}
    for _, _, here, call in found:
        assert call in CALLS
        assert cc.get_index(here).name == here


def test_scikit_learn_gives_the_same():
    metrics = pytest.importorskip("sklearn.metrics")
    for package, name, value in ours():
        if package == "scikit-learn" and not name.startswith("average_method"):
            assert getattr(metrics, name)(TRUE, PRED) == pytest.approx(value, rel=1e-9)


def test_clusim_gives_the_same():
    sim = pytest.importorskip("clusim.sim")
    from clusim.clustering import Clustering

    one, other = (Clustering().from_membership_list(labels) for labels in (TRUE, PRED))
    for package, name, value in ours():
        if package == "clusim":
            assert getattr(sim, name)(one, other) == pytest.approx(value, rel=1e-9), name


def test_igraph_gives_the_same():
    igraph = pytest.importorskip("igraph")
    for package, name, value in ours():
        if package == "igraph" and name != "compare_communities":
            assert igraph.compare_communities(TRUE, PRED, method=name) == pytest.approx(value, rel=1e-9)
