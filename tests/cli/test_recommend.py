"""``chancecorr recommend``: the same answers as `recommend`, in a terminal."""

import csv
import io
import json

import pytest

import chancecorr as cc
from chancecorr.catalogue import list_choices, property_definitions
from chancecorr.indices.names import COMMON
from tests.cli.test_commands import succeed


def test_json_and_csv_are_those_of_python(capsys):
    found = cc.catalogue.recommend("constant_baseline", "monotone", "symmetric")
    shown = succeed(capsys, "recommend", *found.needs, "--json")
    assert json.loads(shown, parse_constant=pytest.fail) == found.to_dict()
    rows = list(csv.reader(io.StringIO(succeed(capsys, "recommend", *found.needs, "--csv"))))
    assert rows == [found.table().columns, *found.table().rows]


def test_what_can_be_asked(capsys):
    assert json.loads(succeed(capsys, "recommend", "--json")) == {
        need: each["statement"] for need, each in property_definitions().items()
    }
    text = succeed(capsys, "recommend")
    first = "\n".join(list_choices())
    assert text.startswith(f"{first}\n\n{len(property_definitions())} needs\n")
    assert repr(cc.catalogue.recommend()).startswith(first)
    assert all(need in text for need in property_definitions())
    assert succeed(capsys, "recommend", "--csv").startswith("need,meaning\n")


def test_common_indices_are_listed_first(capsys):
    rows = list(csv.reader(io.StringIO(succeed(capsys, "indices", "--csv"))))
    assert [row[0] for row in rows[1 : len(COMMON) + 1]] == list(COMMON)
    shown = succeed(capsys, "indices")
    assert shown.startswith(
        f"{len(rows) - 1} of {len(rows) - 1} indices, the {len(COMMON)} common ones first\n"
    )
