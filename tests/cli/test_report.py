"""The command that writes a report: where it writes, what it tells of itself, how it fails."""

import shlex
import sys

import pytest

from tests.cli.test_commands import fail, succeed
from tests.cli.test_many import COLUMNS, files  # noqa: F401  a fixture
from tests.report.markup import read

pytest.importorskip("jinja2")
pytestmark = pytest.mark.usefixtures("files")


def test_writes_a_page(tmp_path, capsys):
    said = succeed(capsys, "report", "species", "--data", "labels.csv", "-o", "page.html")
    assert said == "page.html: 3 candidates, rand\n"
    root = read((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert root.all("h1")[0].text == "kmeans agrees best with species"
    (scores,) = [each for each in root.all("table") if each.all("caption")[0].attributes["id"] == "scores-1"]
    assert {row.all("th")[0].text for row in scores.all("tr")[1:]} == COLUMNS.keys() - {"species"}


@pytest.mark.slow
def test_the_page_tells_the_command_that_makes_it_again(capsys):
    typed = ["report", "species", "--data", "labels.csv", "--index", "rand,jaccard", "-o", "-"]
    typed += ["--method", "monte-carlo"]
    page = succeed(capsys, *typed)
    told = shlex.split(read(page).all("pre")[0].text)
    assert told[: len(typed) + 1] == ["chancecorr", *typed]
    assert told[len(typed) + 1] == "--seed"  # it was drawn
    assert succeed(capsys, *told[1:]).split('<h2 id="origin"')[0] == page.split('<h2 id="origin"')[0]
    again = succeed(capsys, *typed, "--seed", "7")
    assert shlex.split(read(again).all("pre")[0].text) == ["chancecorr", *typed, "--seed", "7"]


def test_to_standard_output(capsys):
    page = succeed(capsys, "report", "species", "--data", "labels.csv", "-o", "/dev/stdout")
    assert page.startswith("<!DOCTYPE")


def test_a_folder_that_is_not_there(capsys):
    said = fail(capsys, "report", "species", "--data", "labels.csv", "-o", "nowhere/page.html")
    assert said == "`--output` must be in a folder that can be written to; got 'nowhere/page.html'."


@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_without_what_it_needs_nothing_is_computed(capsys, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setattr("chancecorr.cli.commands._compare", lambda **options: pytest.fail("computed"))
    assert fail(capsys, "report", "species", "--data", "labels.csv") == (
        "`report` must have Jinja2 and matplotlib, which are not installed."
        " Run: pip install 'chancecorr[report]'"
    )


@pytest.mark.parametrize(
    "sources", [["species", "kmeans", "--data", "labels.csv"], ["labels.csv:species", "kmeans.csv"]]
)
def test_the_page_does_not_take_the_place_of_the_labels(capsys, tmp_path, sources):
    before = (tmp_path / "labels.csv").read_bytes()
    (tmp_path / "link").symlink_to(tmp_path / "labels.csv")
    for output in ("labels.csv", str(tmp_path / "labels.csv"), "link"):
        said = fail(capsys, "report", *sources, "-o", output)
        assert said == f"`--output` must be another file than the labels; got {output!r}."
    assert (tmp_path / "labels.csv").read_bytes() == before
