"""Candidates that leave out objects: each keeps its own, two are compared on those that both have."""

import itertools
import json

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.cli.run import run

RNG = np.random.default_rng(3)
TRUE = np.repeat([0, 1, 2], 30)


def noisy(share, noise=0.0):
    labels = np.where(RNG.random(TRUE.size) < share, RNG.integers(0, 3, TRUE.size), TRUE)
    return np.where(RNG.random(TRUE.size) < noise, -1, labels)


CANDIDATES = {"full": noisy(0.2), "some": noisy(0.1, 0.04), "half": noisy(0.3, 0.5)}


def kept(*names):
    return np.logical_and.reduce([CANDIDATES[name] != -1 for name in names])


@pytest.mark.parametrize("index", ["rand", "nmi_sum"])
def test_each_candidate_has_its_own_objects(index):
    comparison = cc.compare(TRUE, CANDIDATES, index=index, noise="drop")
    for name, labels in CANDIDATES.items():
        alone = cc.adjust(TRUE[kept(name)], labels[kept(name)], index=index)
        found = comparison[name][index]
        assert found.n == kept(name).sum()
        assert found.adjusted == pytest.approx(alone.adjusted, abs=1e-12)
        assert tuple(found.interval) == pytest.approx(tuple(alone.interval()), abs=1e-12)


@pytest.mark.parametrize("pair", [("full", "some"), ("half", "some"), ("full", "half")])
def test_two_are_compared_on_the_objects_that_both_have(pair):
    comparison = cc.compare(TRUE, CANDIDATES, noise="drop")
    both = kept(*pair)
    twin = cc.compare(TRUE[both], {name: CANDIDATES[name][both] for name in pair}).difference(*pair)
    found = comparison.difference(*pair)
    assert found.difference == pytest.approx(twin.difference, abs=1e-12)
    assert found.p_value == pytest.approx(twin.p_value, rel=1e-9)
    on_all = comparison[pair[0]]["rand"].adjusted - comparison[pair[1]]["rand"].adjusted
    assert found.difference != pytest.approx(on_all, abs=1e-6)


def test_no_object_in_common():
    candidates = {"a": [0, 1, 1, -1, -1, -1], "b": [-1, -1, -1, 0, 1, 1]}
    found = cc.compare([0, 0, 0, 1, 1, 1], candidates, noise="drop").difference("a", "b")
    assert np.isnan(found.difference)
    assert found.interval.remark == "the candidates have no object in common"


def test_common_objects_on_request():
    every = kept(*CANDIDATES)
    comparison = cc.compare(TRUE, CANDIDATES, noise="drop", drop="common")
    twin = cc.compare(TRUE[every], {name: labels[every] for name, labels in CANDIDATES.items()})
    for name in CANDIDATES:
        assert comparison[name]["rand"].adjusted == twin[name]["rand"].adjusted
        assert comparison[name]["rand"].n == comparison.n == every.sum()
    assert str(comparison.notes[0]).startswith(f"{90 - every.sum()} of 90 objects are left out: ")


def test_result_table_and_report_say_who_leaves_out_how_many(tmp_path, monkeypatch, capsys):
    comparison = cc.compare(TRUE, CANDIDATES, noise="drop")
    lost = {name: 90 - kept(name).sum() for name in ("some", "half")}
    notes = tuple(f"{name}: {k} of 90 objects are left out: {k} as noise" for name, k in lost.items())
    assert tuple(map(str, comparison.notes)) == notes
    assert repr(comparison).count(notes[1]) == 1
    assert "candidate  rank   n  adjusted" in repr(comparison)
    assert "on the objects that both have" in repr(comparison)
    assert [f"{note['subject']}: {note['text']}" for note in comparison.to_dict()["notes"]] == list(notes)
    pytest.importorskip("jinja2")
    from chancecorr.report import to_html

    page = to_html(comparison)
    assert f"For half, {notes[1].partition(': ')[2]}." in page  # in the paragraph on the method
    np.savetxt(tmp_path / "labels.csv", np.column_stack([TRUE, *CANDIDATES.values()]), "%d", ",",
               header="true,full,some,half", comments="")  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(["compare", "true", "--data", "labels.csv", "--noise", "drop", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == comparison.to_dict()["notes"]


def test_reference_that_leaves_out_objects_and_noise_as_a_cluster():
    reference = TRUE.copy().astype(object)
    reference[:5] = None
    comparison = cc.compare(reference, CANDIDATES, missing="drop")
    assert comparison.n == 85
    assert str(comparison.notes[0]) == "5 of 90 objects are left out: 5 without a label in the reference"
    times = int((CANDIDATES["half"][5:] == -1).sum())
    assert f"label -1 occurs {times} times in half and counts as a cluster" in str(comparison.notes[-1])


def test_pairs_have_the_objects_of_both():
    for p_values in (False, True):
        scores = cc.pairwise(CANDIDATES, noise="drop", p_values=p_values)
        for (i, first), (j, second) in itertools.product(enumerate(CANDIDATES), repeat=2):
            both = kept(first, second)
            alone = cc.adjust(CANDIDATES[first][both], CANDIDATES[second][both])
            assert scores.objects[i, j] == both.sum()
            assert scores.adjusted[i, j] == pytest.approx(alone.adjusted, abs=1e-12)
    assert "each pair uses the objects that both clusterings have (" in repr(scores)
    assert " of 90)" in repr(scores)
    common = cc.pairwise(CANDIDATES, noise="drop", drop="common")
    assert (common.objects == kept(*CANDIDATES).sum()).all()
    assert "objects are left out: " in str(common.notes[0])
    assert common["full", "half"] == common.adjusted[0, 2]
