"""The committed results of the study of Rajasekhara & Pujari: complete, and consistent with one another."""

import csv
import json
import math
import re

import pytest

from experiments.common.kept import ROOT
from experiments.rajasekhara_pujari_2010 import claims, printed, study
from experiments.rajasekhara_pujari_2010.printed import COLUMNS, DATASETS, OBJECTS

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


def test_the_curves_add_up_to_the_sums(curves, verdicts):
    for row in verdicts:
        if row["recipe"] == "as stated":
            column = next(each for each in COLUMNS if printed.SHORT[each] == row["column"])
            first = printed.FIRST[row["row"]]
            sizes = [
                abs(float(each[f"accuracy - {column}"] or 0.0))
                for each in curves
                if each["data set"] == row["row"] and int(each["k"]) >= first
            ]
            assert math.fsum(sizes) == pytest.approx(float(row["ours"]), rel=1e-9)


def test_corrected_means_are_below_1_and_those_of_rand_are_those_of_the_adjusted_index(curves):
    for row in curves:
        assert float(row["irm corrected"]) <= 1.0
        assert 0.0 < float(row["irm by chance"]) < 1.0
        assert float(row["rand corrected"]) == pytest.approx(float(row["adjusted_rand corrected"]), abs=1e-9)
        assert float(row["adjusted_rand by chance"]) == 0.0


def test_the_page_has_the_search_at_random_beside_each_reading():
    page = (FOLDER / "appendix.md").read_text(encoding="utf-8")
    section = page.partition("## How the sums were made")[2].partition("\n## ")[0]
    rows = re.findall(
        r"^\| (\w+) \| ([\d.]+) \| ([\d.]+) \| (explained|open) \|", section, flags=re.MULTILINE
    )
    assert [row[0] for row in rows] == list(DATASETS)
    for _, error, at_random, word in rows:
        assert word == ("explained" if float(error) < 0.095 < float(at_random) else "open")
