"""The interval of a score in all forms, and indices of pairs of objects."""

import json

import pytest

import chancecorr as cc
from chancecorr.cli.commands import run
from tests.cli.test_commands import succeed

TRUE = [k // 20 for k in range(60)]
PRED = [(k + 3) // 20 for k in range(60)]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Labels and counts in the current folder."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{t},{'abcd'[p]}\n" for t, p in zip(TRUE, PRED, strict=True))
    (tmp_path / "labels.csv").write_text("t,p\n" + rows)
    (tmp_path / "counts.csv").write_text("17,3,0,0\n0,17,3,0\n0,0,17,3\n")


@pytest.mark.parametrize("index", ["onmi", "omega", "onmi_lfk", "fuzzy_rand", "correlation"])
def test_indices_of_pairs_of_objects(capsys, index):
    """Without a word of noise; the table of the labels gives the sizes."""
    command = f"adjust t p --data labels.csv --index {index},rand --n-tables 50 --seed 1".split()
    found = json.loads(succeed(capsys, *command, "--json"))
    expected = cc.adjust(TRUE, ["abcd"[p] for p in PRED], [index, "rand"], n_tables=50, rng=1)
    assert (found["n"], found["shape"]) == (60, [3, 4])
    assert [each["adjusted"] for each in found["scores"]] == [each.adjusted for each in expected.values()]
    assert run(command) == 0
    assert "n = 60, 3 x 4 clusters" in capsys.readouterr().out
    assert run([*command, "--noise", "drop"]) == 0
