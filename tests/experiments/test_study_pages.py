"""Reports that are brought into the site: no link breaks; and what the front pages say of them."""

import re
import shutil
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from experiments.__main__ import STUDIES
from experiments.common import summary as front_page

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import study_pages  # noqa: E402

TARGET = re.compile(r"\]\(([^)#\s]+)[^)\s]*\)|\{download\}`[^<`]*<([^>]+)>`")


@pytest.fixture
def copied(tmp_path):
    """A repository with the reports, the notebooks, and the pages that they link to."""
    for folder in [*study_pages.REPORTS.values(), "notebooks"]:
        (tmp_path / folder).mkdir(parents=True)
        for path in (ROOT / folder).iterdir():
            if path.is_file():
                shutil.copy(path, tmp_path / folder / path.name)
    (tmp_path / "docs" / "studies").mkdir(parents=True)
    shutil.copy(ROOT / "docs" / "studies" / "index.md", tmp_path / "docs" / "studies")
    return tmp_path


def resolved_links(page, home):
    """Links of a page, and whether each is there, or beside the page in the repository, `home`."""
    for address in map("".join, TARGET.findall(page.read_text())):
        if not address.startswith(("http", "mailto:")):
            yield address, any((folder / address).exists() for folder in (page.parent, home))


def front_page_of(study):
    """The page of a paper, or that of the small studies."""
    own = ROOT / "docs" / "studies" / f"{study}.md"
    return own if own.exists() else own.with_name("small_studies.md")


def test_every_study_has_a_report_and_a_front_page():
    assert set(STUDIES) == set(study_pages.REPORTS)
    for study in STUDIES:
        assert f"generated/{study}/report" in front_page_of(study).read_text(encoding="utf-8")


def test_no_link_breaks(copied):
    docs = copied / "docs"
    brought = study_pages.bring_pages(copied, docs)
    assert {path.suffix for path in brought} >= {".md", ".png", ".csv", ".ipynb"}
    front = docs / "studies" / "index.md"
    links = [
        link for page in docs.rglob("*.md") if page != front for link in resolved_links(page, page.parent)
    ]
    links += resolved_links(front, ROOT / "docs" / "studies")
    assert len(links) > 40
    assert [address for address, exists in links if not exists] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[x](there.md)", "[x](../there.md)"),
        ("[x](there.md#y)", "[x](../there.md#y)"),
        ("![x](picture.png)", "![x](picture.png)"),
        ("[x](https://example.org/a)", "[x](https://example.org/a)"),
        ("[the code](code.py)", "the code (`code.py`)"),
        ("[`code.py`](code.py)", "`code.py`"),
        ("in `cells.csv`.", "in {download}`cells.csv <cells.csv>`."),
        ("in `other.csv`.", "in `other.csv`."),
    ],
)
def test_links_to_rewritten_places(tmp_path, text, expected):
    moved = {
        "there.md": "docs/there.md",
        "picture.png": "docs/a/picture.png",
        "cells.csv": "docs/a/cells.csv",
    }
    for name in ("here.md", "code.py", *moved):
        (tmp_path / name).write_text("")
    places = {tmp_path / name: tmp_path / place for name, place in moved.items()}
    here, target = tmp_path / "here.md", tmp_path / "docs" / "a" / "here.md"
    assert study_pages.rewrite_links(text, here, places, target, tmp_path) == expected


@pytest.mark.parametrize("study", STUDIES)
def test_the_sentences_are_those_that_the_summary_counts(study):
    found = front_page.summary(study)
    words = [each["word"] for each in found["claims"]]
    assert found["sentences"] == {word: words.count(word) for word in found["sentences"]}
    assert sum(found["sentences"].values()) == len(words)
    assert found["answer"]
    both = [front_page.sentences(study, agree=agree) for agree in (False, True)]
    assert [sum(each["text"] in shown for shown in both) for each in found["claims"]] == [1] * len(words)
    disagree = [each for each in found["claims"] if each["word"] in ("differs", "misprint")]
    assert all(each["evidence"].rstrip(".") in both[0] for each in disagree)


@pytest.mark.parametrize("page", sorted({*map(front_page_of, STUDIES)}), ids=lambda page: page.stem)
def test_a_front_page_types_no_conclusion(page):
    """What a page says in its own words stands before the answer, or names where the rest is."""
    for part in page.read_text(encoding="utf-8").split("# What was found")[1:]:
        behind = re.sub(r"```\{.*?```", "", part.partition("# All of it")[0], flags=re.DOTALL)
        assert [line for line in behind.splitlines() if line and not line.startswith("#")] == []
