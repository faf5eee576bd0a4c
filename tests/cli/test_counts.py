"""The command that reads a table of counts, and files that are no CSV."""

import json

import pytest

import chancecorr as cc
from chancecorr.cli.commands import run

COUNTS = [[10, 2, 0], [3, 9, 1]]


def printed(capsys, *arguments):
    assert run(arguments) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("text", "has_totals"),
    [
        ("x,a,b,All\nr,3,1,4\ns,0,5,5\nAll,3,6,9\n", True),
        ("a,b,All\n3,1,4\n0,5,5\n3,6,9\n", True),
        ("3,1,4\n0,5,5\n3,6,9\n", True),
        ("x,a,All\nr,3,3\nAll,3,3\n", True),
        ("x,a,b,c\nr,3,1,4\ns,0,5,5\nt,3,6,9\n", False),
        ("1,1\n1,1\n", False),
        ("3,1,4\n0,5,5\n3,6,8\n", False),
    ],
)
def test_totals(tmp_path, capsys, text, has_totals):
    """Without names a table of two rows may be its own totals; with other names the last row is a cluster."""
    path = tmp_path / "counts.csv"
    path.write_text(text)
    assert run(["adjust-table", str(path)]) == (2 if has_totals else 0)
    assert (
        "must not hold totals; got sums in the last row and column" in capsys.readouterr().err
    ) == has_totals


def test_the_default_indices_are_those_people_know(tmp_path, capsys):
    path = tmp_path / "counts.csv"
    path.write_text("10,2,0\n3,9,1\n")
    assert [each["index"] for each in printed(capsys, "adjust-table", str(path), "--json")["scores"]] == [
        "rand", "mutual_information", "nmi_sum",
    ]  # fmt: skip
    nine = printed(capsys, "adjust-table", str(path), "--json", "--index", "published")["scores"]
    assert [each["index"] for each in nine] == list(cc.PUBLISHED_INDICES)


def refused(capsys, *arguments):
    assert run(arguments) == 2
    return capsys.readouterr().err


def test_what_is_no_count(tmp_path, capsys):
    path = tmp_path / "counts.csv"
    path.write_text("a,10,2\nb,3.5,9\n")
    assert "must hold whole numbers; got '3.5' in row 2" in refused(capsys, "adjust-table", str(path))


def test_a_precision_goes_with_simulated_tables(tmp_path, capsys):
    path = tmp_path / "counts.csv"
    path.write_text("10,2,0\n3,9,1\n")
    message = refused(capsys, "adjust-table", str(path), "--method", "exact", "--precision", "0.1")
    assert "`--precision` is of simulated tables; got --method exact." in message
