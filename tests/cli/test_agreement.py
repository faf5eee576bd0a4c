"""The command `agreement`: raters in columns, or a rating in each line."""

import json

import numpy as np
import pytest

import chancecorr as cc
from tests.cli.test_commands import fail, succeed

LABELS = np.array([list("yynnyynnyyny"), list("yynnynnnyyyy"), list("ynnnyynnynny")])
RATERS = dict(zip(("ann", "bob", "cy"), LABELS.tolist(), strict=True))
OPTIONS = "--index", "cohen_kappa", "--seed", "1"


@pytest.fixture
def files(folder):
    """A file with a column for each rater, and one with a line for each rating, without the second of cy."""
    rows = [",".join([*labels, f"doc{k // 3}"]) for k, labels in enumerate(LABELS.T.tolist())]
    (folder / "wide.csv").write_text("\n".join(["ann,bob,cy,doc", *rows]) + "\n")
    ratings = [
        f"{k},{rater},{label},doc{k // 3}"
        for rater, labels in RATERS.items()
        for k, label in enumerate(labels)
        if (rater, k) != ("cy", 1)
    ]
    (folder / "long.csv").write_text("\n".join(["item,rater,label,doc", *ratings]) + "\n")


def test_raters_in_columns(files, capsys):
    found = json.loads(
        succeed(capsys, "agreement", *RATERS, "--data", "wide.csv", "--groups", "doc", *OPTIONS, "--json")
    )
    groups = np.arange(12) // 3
    expected = cc.comparison.agreement(RATERS, "cohen_kappa", groups=groups, rng=1)
    assert found["adjusted"] == expected.adjusted
    assert found["interval"]["low"] == expected.interval.low
    printed = succeed(capsys, "agreement", *RATERS, "--data", "wide.csv", *OPTIONS)
    assert printed.startswith("RaterAgreement('cohen_kappa', 3 raters of 12 items, adjusted ")


def test_a_rating_in_each_line(files, capsys):
    command = ["agreement", "--data", "long.csv", "--item", "item", "--rater", "rater", "--label", "label"]
    message = fail(capsys, *command, *OPTIONS)
    assert "`cy` must not hold missing labels; got None at position 1. Pass --missing drop" in message
    found = json.loads(succeed(capsys, *command, "--groups", "doc", "--missing", "drop", *OPTIONS, "--json"))
    gaps = RATERS | {"cy": [*RATERS["cy"][:1], None, *RATERS["cy"][2:]]}
    expected = cc.comparison.agreement(gaps, "cohen_kappa", groups=np.arange(12) // 3, missing="drop", rng=1)
    assert found["adjusted"] == expected.adjusted
    assert found["interval"]["high"] == expected.interval.high


@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        ("1,ann,y,a", ["--item", "item"], "`--item`, `--rater` and `--label` must come together"),
        ("1,ann,y,a\n1,ann,n,a", [], "must have one rating of each item by each rater; got two of item"),
        ("1,ann,y,a\n1,bob,n,b", ["--groups", "doc"], "`--groups` must be the same in all rows of an item"),
    ],
)
def test_what_is_refused(folder, capsys, lines, options, message):
    (folder / "long.csv").write_text(f"item,rater,label,doc\n{lines}\n")
    columns = [] if "--item" in options else ["--item", "item", "--rater", "rater", "--label", "label"]
    assert message in fail(capsys, "agreement", "--data", "long.csv", *columns, *options, *OPTIONS)
