"""The command `hard-scores`, against the function."""

import csv
import io
import json

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.comparison import hard_scores
from tests.cli.test_commands import fail, succeed

TRUE = list("aabbcc")
SHARES = np.array([[0.9, 0.1], [0.8, 0.2], [0.5, 0.5], [0.25, 0.75], [0.0, 1.0], [0.1, 0.9]])
COMMAND = "hard-scores", "t", "--data", "shares.csv", "--seed", "4"


@pytest.fixture(autouse=True)
def file(folder):
    rows = [f"{label},{p},{q}" for label, (p, q) in zip(TRUE, SHARES.tolist(), strict=True)]
    (folder / "shares.csv").write_text("\n".join(["t,P1,P2", *rows]) + "\n")


def test_the_command_is_the_function(capsys):
    expected = hard_scores(TRUE, cc.Membership(SHARES), "nmi_sum", n_draws=50, confidence=0.9, rng=4)
    options = "--soft", "P*", "--index", "nmi_sum", "--n-draws", "50", "--confidence", "0.9"
    found = json.loads(succeed(capsys, *COMMAND, *options, "--json"))
    assert found["observed"] == expected.observed.tolist()
    assert (found["low_adjusted"], found["seed"]) == (expected.low_adjusted, 4)
    rows = list(csv.DictReader(io.StringIO(succeed(capsys, *COMMAND, *options, "--csv"))))
    assert [float(row["observed"]) for row in rows] == expected.observed.tolist()
    assert succeed(capsys, *COMMAND, *options) == expected.to_text() + "\n"


def test_refusals(capsys):
    assert "`--soft` must name the columns of the soft clustering" in fail(capsys, *COMMAND)
    message = fail(capsys, *COMMAND, "--soft", "P1,P2", "--index", "cohen_kappa")
    assert "`--index` must not compare labels by name" in message
