"""The committed results of the studies: complete, consistent, and what the pages say of them."""

import json
import re
from collections import Counter

import pytest

import chancecorr as cc
from experiments.amorim_cardoso_2014 import paper, study
from experiments.amorim_cardoso_2014.clusterers import EM_FAMILIES, THE_EM, THE_KMEANS
from experiments.common.kept import ROOT
from experiments.common.report import number
from tests.experiments.pages import rows_of

FOLDER = ROOT / "experiments" / "amorim_cardoso_2014" / "results"
STUDIES = sorted(path.parent for path in ROOT.glob("experiments/*/results/summary.json"))


cells = pytest.fixture(lambda: rows_of(FOLDER / "cells.csv"), scope="module", name="cells")
verdicts = pytest.fixture(lambda: rows_of(FOLDER / "verdicts.csv"), scope="module", name="verdicts")


@pytest.mark.parametrize("folder", STUDIES, ids=lambda folder: folder.parent.name)
def test_a_page_shows_pictures_and_pages_that_are_there(folder):
    for page in folder.glob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert target.startswith("http") or (folder / target).exists(), (page.name, target)


@pytest.mark.parametrize("appendix", sorted(ROOT.glob("experiments/*/results/appendix.md")))
def test_a_page_has_the_sentences_that_do_not_agree_and_its_appendix_all(appendix):
    def sentences(path):
        section = path.read_text(encoding="utf-8").partition("## What the text says")[2].partition("\n## ")[0]
        return [row.split(" | ")[:3] for row in section.splitlines() if row.startswith("| ")][2:]

    kept = json.loads((appendix.parent / "summary.json").read_text(encoding="utf-8"))["claims"]
    every = sentences(appendix)
    assert [row[1].partition(",")[0] for row in every] == [each["word"] for each in kept]
    shown = [row[:2] for row in sentences(appendix.parent / "README.md")]
    assert shown == [row[:2] for row in every if row[1] != "agrees"]
    agree = len(every) - len(shown)
    page = (appendix.parent / "README.md").read_text(encoding="utf-8")
    assert f"Of {len(every)} sentences {agree} agree." in page


@pytest.mark.parametrize("folder", STUDIES, ids=lambda folder: folder.parent.name)
def test_no_page_names_a_place_on_some_machine(folder):
    for path in folder.iterdir():
        if path.suffix in (".md", ".csv", ".json"):
            assert not re.search(r"(^|[\s'\"(])/(home|root|usr|tmp|Users|work)/", path.read_text("utf-8"))


def test_every_cell_of_the_full_study_is_there(cells):
    found = {f"{row['groups']}-{row['design']}-{row['separation']}/{row['clusterer']}" for row in cells}
    assert found == {cell.name for cell in study.full_cells() if "clusterer" in cell.inputs}
    assert len(cells) == len(found) * len(cc.PUBLISHED_INDICES)


def test_every_printed_number_has_a_verdict_by_every_clusterer(verdicts):
    for clusterer in {row["clusterer"] for row in verdicts}:
        kind = "km" if clusterer.startswith("kmeans") else "em"
        printed = [each for place, each in paper.PRINTED.items() if place.clusterer == kind]
        of_kind = {(each.table, each.row, each.column) for each in printed}
        mine = [row for row in verdicts if row["clusterer"] == clusterer]
        assert {(row["table"], row["row"], row["column"]) for row in mine} == of_kind
        assert len(mine) == len(of_kind) == 312


def test_the_summary_counts_the_verdicts(verdicts):
    numbers = json.loads((FOLDER / "summary.json").read_text(encoding="utf-8"))["numbers"]
    for name, clusterer in zip(numbers, (THE_KMEANS, THE_EM), strict=False):
        words = [row["verdict"] for row in verdicts if row["clusterer"] == clusterer]
        assert numbers[name] == {word: words.count(word) for word in numbers[name]}
    misprints = sum(printed.remark == "misprint" for printed in paper.OVERLAPS.values())
    assert numbers["overlaps"] == {"agrees": len(paper.OVERLAPS) - misprints, "misprint": misprints}


def test_the_chosen_family_is_the_one_that_most_numbers_agree_with(verdicts):
    agreeing = Counter(row["clusterer"] for row in verdicts if row["verdict"] == "agrees")
    assert max(EM_FAMILIES, key=agreeing.__getitem__) == THE_EM
    assert f"{agreeing[THE_EM]} of 312" in (FOLDER / "README.md").read_text(encoding="utf-8")


def test_tables_show_the_means_of_the_cells(cells):
    """A number of k-means in table 7, and one of four groups, of which nothing is printed."""
    for groups, design, separation, index, short, digits in (
        ("3", "unbalanced", "poor", "jaccard", "J", 3),
        ("4", "balanced", "well", "rand", "R", 3),
    ):
        about = {
            "groups": groups, "design": design, "separation": separation,
            "clusterer": THE_KMEANS, "index": index,
        }  # fmt: skip
        (row,) = (row for row in cells if about.items() <= row.items())
        page = (FOLDER / f"groups_{groups}.md").read_text(encoding="utf-8")
        section = page.split(f"## {THE_KMEANS}\n")[1].split("\n## ")[0].split("Observed and adjusted")[1]
        start = f"| {design} | {separation} | {short} |"
        line = next(line for line in section.splitlines() if line.startswith(start))
        assert line.split(" | ")[3].startswith(number(float(row["observed"]), digits))
