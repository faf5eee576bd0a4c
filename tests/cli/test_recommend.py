"""``chancecorr recommend``: the same answers as `recommend`, in a terminal."""

import csv
import io
import json

import pytest

import chancecorr as cc
from chancecorr.catalogue.needs import needs
from tests.cli.test_commands import fail, succeed


def test_json_and_csv_are_those_of_python(capsys):
    found = cc.recommend("constant_baseline", "monotone", "symmetric")
    shown = succeed(capsys, "recommend", *found.needs, "--json")
    assert json.loads(shown, parse_constant=pytest.fail) == found.to_dict()
    rows = list(csv.reader(io.StringIO(succeed(capsys, "recommend", *found.needs, "--csv"))))
    assert rows == found.table()[1]


def test_the_table_has_a_caption_and_a_line_for_each(capsys):
    found = cc.recommend("constant_baseline", "symmetric", adjusted=True, family="information")
    lines = succeed(capsys, "recommend", *found.needs, "--adjusted", "--family", "information").splitlines()
    assert lines[0] == found.table()[0]
    assert len(lines) == len(found) + 2
    assert ", raw" not in succeed(capsys, "recommend", "symmetric", "--adjusted")
    assert ", adjusted" not in succeed(capsys, "recommend", "symmetric", "--raw", "--csv")


def test_what_can_be_asked(capsys):
    assert json.loads(succeed(capsys, "recommend", "--json")) == dict(needs())
    text = succeed(capsys, "recommend")
    assert text.startswith(f"{len(needs())} needs\n")
    assert all(need in text for need in needs())
    assert succeed(capsys, "recommend", "--csv").startswith("need,meaning\n")


def test_why_not(capsys):
    text = succeed(capsys, "recommend", "constant_baseline", "symmetric", "--why-not", "wallace_1", "--raw")
    assert text.rstrip("\n") == cc.recommend("constant_baseline", "symmetric").why_not(
        "wallace_1", adjusted=False
    )
    assert "U = " in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["monotonous"], "`NEED` must be one of "),
        (["symmetric", "--family", "pairs"], "`--family` must be one of"),
        (["symmetric", "--why-not", "jacard"], "Did you mean 'jaccard'?"),
        (["--why-not", "jaccard"], "`NEED` must be given with `--why-not`."),
    ],
)
def test_errors_are_one_line(capsys, arguments, message):
    assert message in fail(capsys, "recommend", *arguments)
