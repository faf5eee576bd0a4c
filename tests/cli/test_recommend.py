"""``chancecorr recommend``: the same answers as `recommend`, in a terminal."""

import csv
import io
import json

import pytest

import chancecorr as cc
from chancecorr.catalogue.certified import property_definitions
from tests.cli.test_commands import fail, succeed


def test_json_and_csv_are_those_of_python(capsys):
    found = cc.recommend("constant_baseline", "monotone", "symmetric")
    shown = succeed(capsys, "recommend", *found.needs, "--json")
    assert json.loads(shown, parse_constant=pytest.fail) == found.to_dict()
    rows = list(csv.reader(io.StringIO(succeed(capsys, "recommend", *found.needs, "--csv"))))
    assert rows == found.table()[1]


def test_what_can_be_asked(capsys):
    assert json.loads(succeed(capsys, "recommend", "--json")) == {
        need: each["statement"] for need, each in property_definitions().items()
    }
    text = succeed(capsys, "recommend")
    assert text.startswith(f"{len(property_definitions())} needs\n")
    assert all(need in text for need in property_definitions())
    assert succeed(capsys, "recommend", "--csv").startswith("need,meaning\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["monotonous"], "`NEED` must be one of "),
        (["symmetric", "--family", "pairs"], "`--family` must be one of"),
    ],
)
def test_errors_are_one_line(capsys, arguments, message):
    assert message in fail(capsys, "recommend", *arguments)
