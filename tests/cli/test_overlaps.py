"""The command `overlaps`, against the function."""

import csv
import io
import json

import pytest

import chancecorr as cc
from tests.cli.test_commands import fail, succeed

TRUE, PRED, BATCH = list("aaabbbccca"), list("xxyyyyzzzx"), list("1212121212")


@pytest.fixture(autouse=True)
def file(folder):
    rows = [",".join(row) for row in zip(TRUE, PRED, BATCH, strict=True)]
    (folder / "labels.csv").write_text("\n".join(["t,p,batch", *rows]) + "\n")


def test_json_and_csv(capsys):
    command = "overlaps", "t", "p", "--data", "labels.csv", "--strata", "batch"
    found = json.loads(succeed(capsys, *command, "--correction", "fdr_bh", "--json"))
    expected = cc.comparison.overlaps(TRUE, PRED, strata=BATCH, correction="fdr_bh")
    assert found["p_corrected"] == expected.p_corrected.tolist()
    assert found["labels_true"] == ["a", "b", "c"]
    rows = list(csv.DictReader(io.StringIO(succeed(capsys, *command, "--csv"))))
    assert [float(row["p_value"]) for row in rows] == expected.p_value.ravel().tolist()


def test_text_and_refusals(capsys):
    printed = succeed(capsys, "overlaps", "t", "p", "--data", "labels.csv")
    assert printed == cc.comparison.overlaps(TRUE, PRED).to_text() + "\n"
    message = fail(capsys, "overlaps", "t", "p", "--data", "labels.csv", "--model", "fixed-k")
    assert "`--model` must be 'permutation'" in message
