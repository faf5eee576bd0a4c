"""Columns of a file that are more than labels: weights, shares in clusters, ranges and patterns of names."""

import json

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.cli.run import run
from tests.cli.test_commands import fail, succeed, write

TRUE = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
PRED = [0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 0, 2]
WEIGHTS = [1.5, 2.0, 0.25, 1.0, 1.0, 3.0, 0.5, 1.0, 2.0, 1.0, 1.0, 4.0]
SHARES = np.full((12, 3), 0.16)
SHARES[np.arange(12), PRED] = 0.68
SOLUTIONS = {f"sol{k}": [i % k for i in range(12)] for k in (2, 3, 4)}
SEED = ["--seed", "3", "--n-tables", "100", "--json"]


@pytest.fixture(autouse=True)
def file(folder):
    """A file with all columns, with a point and with a comma in numbers."""
    columns = {"t": TRUE, "p": PRED, "w": WEIGHTS} | SOLUTIONS
    columns |= {f"P{k + 1}": SHARES[:, k].tolist() for k in range(3)}
    rows = [[*columns], *zip(*columns.values(), strict=True)]
    write("all.csv", rows)
    write("comma.csv", [[str(cell).replace(".", ",") for cell in row] for row in rows], ";")
    return folder


def scores(capsys, *words):
    return {each["index"]: each for each in json.loads(succeed(capsys, *words, *SEED))["scores"]}


@pytest.mark.parametrize("data", ["all.csv", "comma.csv"])
def test_weights_are_a_column(capsys, data):
    found = scores(capsys, "adjust", "t", "p", "--data", data, "--weights", "w", "--index", "rand")
    expected = cc.adjust(TRUE, PRED, weights=WEIGHTS, rng=3, n_tables=100)
    assert found["rand"]["adjusted"] == pytest.approx(expected.adjusted, rel=1e-12)
    words = ["compare", "t", "p", "sol2", "--data", data, "--weights", "w", *SEED]
    board = json.loads(succeed(capsys, *words))
    wanted = cc.compare(TRUE, {"p": PRED, "sol2": SOLUTIONS["sol2"]}, weights=WEIGHTS, rng=3, n_tables=100)
    assert board["scores"] == json.loads(json.dumps(wanted.to_dict()["scores"]).replace("NaN", "null"))


@pytest.mark.parametrize("data", ["all.csv", "comma.csv"])
@pytest.mark.parametrize("columns", ["P1,P2,P3", "P1:P3", "P*"])
def test_shares_are_columns(capsys, data, columns):
    found = scores(capsys, "adjust", "t", "--soft", columns, "--data", data, "--index", "rand")
    expected = cc.adjust(TRUE, cc.Membership(SHARES), rng=3, n_tables=100)
    assert found["rand"]["observed"] == pytest.approx(expected.observed, rel=1e-12)
    assert found["rand"]["adjusted"] == pytest.approx(expected.adjusted, rel=1e-12)


def test_rounded_shares_sum_to_one(capsys):
    rounded = (SHARES + np.where(SHARES == 0.68, -0.01, 0.0)).round(2)  # rows sum to 0.99
    write(
        "rounded.csv", [["t", "P1", "P2", "P3"], *([t, *row] for t, row in zip(TRUE, rounded, strict=True))]
    )
    found = scores(capsys, "adjust", "t", "--soft", "P*", "--data", "rounded.csv", "--index", "rand")
    expected = cc.adjust(
        TRUE, cc.Membership(rounded / rounded.sum(axis=1, keepdims=True)), rng=3, n_tables=100
    )
    assert found["rand"]["adjusted"] == pytest.approx(expected.adjusted, rel=1e-9)


@pytest.mark.parametrize("names", [["sol*"], ["sol2:sol4"], ["sol2", "sol3:sol4"], ["sol?"]])
def test_ranges_and_patterns_name_columns(capsys, names):
    board = json.loads(succeed(capsys, "compare", "t", *names, "--data", "all.csv", *SEED))
    assert sorted({each["candidate"] for each in board["scores"]}) == [*SOLUTIONS]
    board = json.loads(succeed(capsys, "pairwise", *names, "--data", "all.csv", "--seed", "3", "--json"))
    assert board["names"] == [*SOLUTIONS]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("adjust t p --soft P1 --data all.csv", "`PRED` must be left out with --soft; got 'p'."),
        ("adjust t --soft t,P1 --data all.csv", "`--soft` must have rows that sum to 1; got a sum of"),
        ("adjust t p --weights x --data all.csv", "`all.csv` has no column 'x'."),
        ("compare t 'z*' --data all.csv", "`all.csv` has no column"),
        ("adjust t p --data all.csv --seed one", "`--seed` must be a whole number; got 'one'."),
        ("adjust t p --data all.csv --budget 10s", "`--budget` must be a number; got '10s'."),
        (
            "adjust t p --data all.csv --sep x",
            "`--sep` must be one of comma, semicolon, tab, blank; got 'x'.",
        ),
        ("adjust t p --data all.csv --encoding x", "`--encoding` must be an encoding, such as utf-8 or"),
        ("adjust t p --data all.csv --json --csv", "`--csv` must be left out with `--json`."),
        ("adjust t p --data all.csv --index rand, jaccard", "Names stand between commas without blanks."),
        ("pairwise t p --data all.csv --index rand,ami", "`--index` must be one index; got 'rand,ami'."),
        ("report t p --data all.csv -o x.pdf", "`--output` must be a file of HTML, with the ending .html;"),
        ("adjust t p", "Names of columns need --data FILE."),
    ],
)
def test_a_mistake_is_answered_in_a_line(capsys, words, message):
    assert message in fail(capsys, *words.replace("'", "").split())


def test_marks_and_encodings(file, capsys):
    text = "\n".join(["t;p", *(f"Mü{a};ö{b}" for a, b in zip(TRUE, PRED, strict=True))])
    (file / "windows.csv").write_bytes(text.encode("cp1252"))
    words = ["adjust", "t", "p", "--data", "windows.csv", "--index", "rand"]
    assert "It may be in Windows-1252: save it as CSV UTF-8, or pass --encoding cp1252." in fail(
        capsys, *words
    )
    for mark in (";", "semicolon"):
        found = scores(capsys, *words, "--encoding", "cp1252", "--sep", mark)
        assert found["rand"]["observed"] == cc.score(TRUE, PRED)


def test_help_lists_the_policies_for_noise(capsys):
    assert "--noise keep|drop|singletons" in succeed(capsys, "adjust", "--help")


def test_help_and_version_are_commands_too(capsys):
    assert succeed(capsys, "help") == succeed(capsys, "--help")
    assert succeed(capsys, "help", "compare") == succeed(capsys, "compare", "--help")
    assert succeed(capsys, "version") == succeed(capsys, "--version")


def test_notes_call_the_sides_as_the_command_does(capsys):
    write("gaps.csv", [["truth", "found"], *((t, "" if k == 3 else t) for k, t in enumerate(TRUE))])
    text = succeed(
        capsys, "adjust", "truth", "found", "--data", "gaps.csv", "--missing", "drop", "--index", "rand"
    )
    assert "1 without a label in `found`" in text


def test_a_long_command_tells_how_far_it_is(capsys, monkeypatch):
    from chancecorr.sampling import workers

    monkeypatch.setattr(workers, "SECONDS_BETWEEN_LINES", 0.0)
    succeed_with = ["adjust", "t", "p", "--data", "all.csv", "--method", "monte-carlo", "--index", "purity"]
    assert cc.adjust(TRUE, PRED, "purity", method="monte-carlo", n_tables=10).n_tables == 10
    assert " of 10 tables" not in capsys.readouterr().err

    assert run([*succeed_with, "--n-tables", "10"]) == 0
    assert " of 10 tables" in capsys.readouterr().err
