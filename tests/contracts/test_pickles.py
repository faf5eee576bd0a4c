"""Results of every kind go through pickle and come back the same, and say what a frame of them needs."""

import csv
import html
import io
import json
import pickle
import sys

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.clusterings import Biclusters, graph_rand, spatial_rand
from chancecorr.comparison import agreement, compare_datasets, compare_trees, stability

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

U, V, W = [0, 0, 1, 1, 2, 2, 0], [0, 1, 1, 1, 2, 2, 0], list("aabbcca")
FUZZY = [cc.Membership(np.random.default_rng(k).dirichlet([1, 1, 1], 7)) for k in range(2)]
TREE = cc.Tree([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 3, 2], [6, 7, 4, 3], [8, 9, 5, 4], [10, 11, 6, 7]])
COVER = cc.Cover([[1, 0], [1, 0], [1, 1], [1, 1], [0, 1], [0, 1], [1, 0]])
PLACES = np.random.default_rng(3).random((7, 2))

RESULTS = {
    "a score": lambda: cc.adjust(U, V),
    "scores": lambda: cc.adjust(U, W, ["rand", "nmi_sum", "purity"], rng=1, n_tables=50),
    "of strata": lambda: cc.adjust(U, V, "purity", strata=[0, 0, 0, 0, 1, 1, 1], rng=1, n_tables=50),
    "of weights": lambda: cc.adjust(U, V, "purity", weights=np.arange(1.0, 8.0), rng=1, n_tables=50),
    "of a model": lambda: cc.adjust(U, V, "purity", model="fixed-k", rng=1, n_tables=50),
    "of memberships": lambda: cc.adjust(*FUZZY, rng=1, n_tables=50),
    "of covers": lambda: cc.adjust(COVER, U, "omega", rng=1, n_tables=50),
    "of trees": lambda: cc.adjust(TREE, TREE, "correlation", rng=1, n_tables=50),
    "of biclusters": lambda: cc.adjust(Biclusters(U, [0, 1]), Biclusters(V, [0, 1]), rng=1),
    "in space": lambda: cc.adjust(U, V, spatial_rand(PLACES)),
    "on a graph": lambda: cc.adjust(U, V, graph_rand([(k, k + 1) for k in range(6)])),
    "a null distribution": lambda: cc.null_distribution(cc.Margins([3, 4], [5, 2]), "jaccard"),
    "a comparison": lambda: cc.compare(U, {"v": V, "w": W}),
    "pairs": lambda: cc.pairwise({"u": U, "v": V, "w": W}),
    "data sets": lambda: compare_datasets({"x": (U, {"v": V, "w": W}), "y": (V, {"v": U, "w": W})}),
    "runs": lambda: stability({"u": U, "v": V, "w": W}),
    "runs by object": lambda: stability([dict(enumerate(U)), dict(enumerate(V)), dict(enumerate(W))]),
    "raters": lambda: agreement([U, V, W]),
    "trees at all levels": lambda: compare_trees(TREE, TREE, rng=1),
    "an index in space": lambda: spatial_rand(PLACES),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_comes_back_the_same(kind):
    result = RESULTS[kind]()
    again = pickle.loads(pickle.dumps(result))
    assert repr(again) == repr(result)
    if hasattr(result, "to_dict"):
        assert repr(again.to_dict()) == repr(result.to_dict())


FRAMES = ["a score", "scores", "a comparison", "pairs", "data sets", "trees at all levels"]
WRITTEN = [kind for kind in RESULTS if kind not in ("an index in space", "of biclusters")]


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_without_pandas_names_the_extra(kind, monkeypatch):
    result = RESULTS[kind]()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"A frame needs pandas: pip install 'chancecorr\[pandas\]'"):
        result.to_frame()


@pytest.mark.parametrize("kind", WRITTEN)
def test_every_result_is_written_in_all_forms_without_pandas(kind, monkeypatch, tmp_path):
    result = RESULTS[kind]()
    frame = result.to_frame() if hasattr(result, "to_frame") else None
    monkeypatch.setitem(sys.modules, "pandas", None)
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert result.to_csv(tmp_path / "rows.csv") is None
    assert (tmp_path / "rows.csv").read_text() == result.to_csv()
    if frame is not None:
        assert len(rows) == len(frame)
        for name in frame.select_dtypes("number").columns:
            np.testing.assert_array_equal([float(row[str(name)]) for row in rows], frame[name].astype(float))
    assert list(json.loads(result.to_json())) == list(map(str, result.to_dict()))
    cells = [text for table in result._tables() for row in table.rows for text in row if text]
    for form, write in (("text", str), ("markdown", str), ("html", html.escape)):
        text = getattr(result, f"to_{form}")()
        assert all(write(cell) in text for cell in cells)
    assert result.to_latex().count("tabular") == 2 * len(result._tables())
