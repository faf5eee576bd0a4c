"""The committed results of the study of Rajasekhara & Pujari: complete, and consistent with one another."""

import json

import pytest

from experiments.common.kept import ROOT
from experiments.rajasekhara_pujari_2010 import claims, printed, study
from experiments.rajasekhara_pujari_2010.printed import DATASETS, OBJECTS
from tests.experiments.pages import rows_of

FOLDER = ROOT / "experiments" / "rajasekhara_pujari_2010" / "results"


verdicts = pytest.fixture(lambda: rows_of(FOLDER / "verdicts.csv"), scope="module", name="verdicts")


def test_every_number_of_clusters_is_there():
    found = [(row["data set"], int(row["k"])) for row in rows_of(FOLDER / "curves.csv")]
    last = {name: min(printed.LAST_STATED, OBJECTS[name]) for name in DATASETS}
    assert found == [(name, k) for name in DATASETS for k in range(2, last[name] + 1)]
    assert {cell.inputs["dataset"] for cell in study.full_cells()} == set(DATASETS)


def test_every_printed_number_has_its_verdicts(verdicts):
    assert [row["recipe"] for row in verdicts].count("") == 12
    for recipe in ("as stated", "nearest readings"):
        mine = [row for row in verdicts if row["recipe"] == recipe]
        assert len({(row["row"], row["column"]) for row in mine}) == len(mine) == 60


def test_the_summary_counts_the_verdicts(verdicts):
    summary = json.loads((FOLDER / "summary.json").read_text(encoding="utf-8"))
    words = [row["verdict"] for row in verdicts if row["recipe"] != "nearest readings"]
    for word in set(words):
        assert sum(each.get(word, 0) for each in summary["numbers"].values()) == words.count(word)
    assert sum(summary["sentences"].values()) == len(claims.CLAIMS)
