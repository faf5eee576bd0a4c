"""The committed results of the study of Rajasekhara & Pujari: complete, and consistent with one another."""

import csv
import json

import pytest

from experiments.common.kept import ROOT
from experiments.rajasekhara_pujari_2010 import claims, printed, study
from experiments.rajasekhara_pujari_2010.printed import DATASETS, OBJECTS

FOLDER = ROOT / "experiments" / "rajasekhara_pujari_2010" / "results"


def rows_of(name):
    with open(FOLDER / name, encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def curves():
    return rows_of("curves.csv")


@pytest.fixture(scope="module")
def verdicts():
    return rows_of("verdicts.csv")


def test_every_number_of_clusters_is_there(curves):
    found = [(row["data set"], int(row["k"])) for row in curves]
    assert found == [
        (dataset, k) for dataset in DATASETS for k in range(2, min(printed.LAST_STATED, OBJECTS[dataset]) + 1)
    ]
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
