"""Results that have a number for each object have the names of the objects, too."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

import chancecorr as cc
from chancecorr.comparison import agreement_by_cluster, agreement_by_object, match_labels, stability

NAMES = ["d", "a", "e", "c", "b"]
TRUE, PRED, THIRD = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 0, 1, 1, 2]


def series(labels, names=NAMES):
    return pd.Series(labels, index=names)


def mapping(labels, names=NAMES):
    return dict(zip(names, labels, strict=True))


def sets(labels, names=NAMES):
    return [{name for name, label in zip(names, labels, strict=True) if label == k} for k in {*labels}]


FORMS = {"Series": (series, NAMES), "mappings": (mapping, sorted(NAMES)), "sets": (sets, sorted(NAMES))}
WITHOUT_NAMES = {
    "lists": list,
    "arrays": np.array,
    "Series from 0 on": pd.Series,
    "mappings from 0 on": lambda labels: dict(enumerate(labels)),
}

RESULTS = {
    "agreement_by_object": lambda *sides: (r := agreement_by_object(*sides[:2]), r.scores),
    "stability": lambda *sides: (r := stability(sides), r.consistency),
    "match_labels": lambda *sides: (r := match_labels(*sides[:2]), r.labels),
}
"""A result of three clusterings, and its numbers by object."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("result", RESULTS)
def test_numbers_belong_to_names(result, form):
    make, names = FORMS[form]
    found, numbers = RESULTS[result](*map(make, (TRUE, PRED, THIRD)))
    by_position = RESULTS[result](TRUE, PRED, THIRD)[1]
    expected = dict(zip(NAMES, by_position.tolist(), strict=True))
    assert dict(zip(found.objects, numbers.tolist(), strict=True)) == pytest.approx(expected, rel=1e-12)
    if form == "Series":
        assert list(found.objects) == names


@pytest.mark.parametrize("form", WITHOUT_NAMES)
@pytest.mark.parametrize("result", RESULTS)
def test_positions_are_no_names(result, form):
    found, _ = RESULTS[result](*map(WITHOUT_NAMES[form], (TRUE, PRED, THIRD)))
    assert found.objects is None


def test_tables_and_files_of_contributions_have_the_names():
    found = agreement_by_object(mapping(TRUE), mapping(PRED))
    expected = dict(zip(NAMES, agreement_by_object(TRUE, PRED).scores.tolist(), strict=True))
    frame = found.to_frame()
    assert (frame.index.name, frame["scores"].to_dict()) == ("object", pytest.approx(expected))
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert {row["object"]: float(row["scores"]) for row in rows} == pytest.approx(expected)
    plain = json.loads(found.to_json())
    assert dict(zip(plain["object"], plain["scores"], strict=True)) == pytest.approx(expected)
    shown = found.to_text().splitlines()[2:]
    assert [line.split()[0] for line in shown] == [repr(name) for name in found.objects]
    positions = agreement_by_object(TRUE, PRED)
    assert list(positions.to_frame().index) == [0, 1, 2, 3, 4]
    assert "object" not in json.loads(positions.to_json())
    assert agreement_by_cluster(mapping(TRUE), mapping(PRED)).objects is None


def test_left_out_objects_keep_their_names():
    found = agreement_by_object(series(TRUE), series([0, None, 1, 1, 1]), missing="drop")
    assert found.objects == tuple(NAMES)
    assert np.isnan(found.scores).tolist() == [False, True, False, False, False]
    runs = stability([mapping(TRUE), mapping({**mapping(PRED), "b": None}.values())], missing="drop")
    assert dict(zip(runs.objects, np.isnan(runs.consistency).tolist(), strict=True)) == {
        "a": False, "b": True, "c": False, "d": False, "e": False,
    }  # fmt: skip
    assert json.loads(runs.to_json())["objects"] == list(runs.objects)


@pytest.mark.parametrize(
    ("names", "written"),
    [
        ([10, 30, 20, 50, 40], [10, 30, 20, 50, 40]),
        ([("x", k) for k in range(5)], [f"('x', {k})" for k in range(5)]),
        (pd.date_range("2026-01-01", periods=5), [f"2026-01-0{k} 00:00:00" for k in range(1, 6)]),
        (list(np.array([5, 3, 4, 8, 9])), [5, 3, 4, 8, 9]),
    ],
    ids=["numbers", "tuples", "dates", "numbers of NumPy"],
)
def test_names_of_any_kind_are_written(names, written):
    index = pd.Index(names, tupleize_cols=False)
    found = agreement_by_object(series(TRUE, index), series(PRED, index))
    assert json.loads(found.to_json())["object"] == written
    assert list(found.to_frame().index) == list(index)


def test_copies_keep_the_names():
    import pickle

    found = agreement_by_object(mapping(TRUE), mapping(PRED))
    assert pickle.loads(pickle.dumps(found)).objects == found.objects


def test_matched_labels_are_matched_by_name_again():
    matched = match_labels(mapping(TRUE), mapping(PRED))
    again = dict(zip(matched.objects, matched.labels.tolist(), strict=True))
    assert cc.score(mapping(TRUE), again, "rand") == cc.score(TRUE, PRED, "rand")
