"""Names of other packages lead to indices that exist, with the same numbers where the package is there."""

import re
from pathlib import Path

import pytest

import chancecorr as cc

PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "coming_from.md"
TRUE, PRED = [0, 0, 0, 1, 1, 2, 2, 2, 3], [0, 0, 1, 1, 1, 2, 2, 0, 0]
CALLS = {"score": cc.score, "adjusted_score": cc.adjusted_score}


def rows():
    """Package, names there, indices here and calls."""
    package = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 4 and cells[0] not in ("package", "---"):
            package = cells[0].partition(",")[0] or package
            yield package, *(re.findall(r"`([^`]+)`", cell) for cell in cells[1:])


def ours():
    """Each name there, by package, and the number that the page says is the same."""
    for package, there, here, calls in rows():
        for k, name in enumerate(there):
            index, call = here[min(k, len(here) - 1)], calls[min(k, len(calls) - 1)]
            yield package, name.strip('"'), CALLS[call](TRUE, PRED, index)


def test_every_index_and_call_exists():
    found = list(rows())
    assert {row[0] for row in found} == {"scikit-learn", "mclust", "aricode", "clusim", "igraph", "pycm"}
    for _, there, here, calls in found:
        assert there
        assert here
        assert set(calls) <= set(CALLS)
        assert [cc.get_index(name).name for name in here] == here


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
