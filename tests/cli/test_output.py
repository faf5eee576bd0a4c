"""Names that others chose do nothing to a terminal, a spreadsheet, or a program that reads JSON."""

import csv
import io
import json
import math
import unicodedata

import pytest

from chancecorr.cli.run import run
from chancecorr.machine.printing import convert_for_json
from tests.cli.test_commands import succeed

LABELS = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
HOSTILE = {
    "=1+1": "'=1+1",
    "+a": "'+a",
    "-a": "'-a",
    "@SUM(A1)": "'@SUM(A1)",
    "\t=1": r"\t=1",
    "\r=1": r"\r=1",
    "＝1": "'＝1",
    "\u00a0=1": "'\u00a0=1",
    "\u2003＠a": "'\u2003＠a",
    "\x1b[31mred\x1b[0m": r"\x1b[31mred\x1b[0m",
    "\x9b2J": r"\x9b2J",
    "\u202egnp": r"\u202egnp",
    "two\nlines": r"two\nlines",
    "plain": "plain",
    "日本 é": "日本 é",
}
"""Names, and how they stand in CSV."""

SHOWN = [text.removeprefix("'") for text in HOSTILE.values()]


@pytest.fixture(autouse=True)
def _file(folder):
    rows = [[(label + (k % 5 == 0) * j) % 3 for j in range(len(HOSTILE))] for k, label in enumerate(LABELS)]
    with open("labels.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([HOSTILE, *rows])


def hidden(text):
    """Characters that a terminal obeys or hides."""
    return {each for each in text if each != "\n" and unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl")}


COMMANDS = {
    "adjust": ["adjust", "=1+1", "\x1b[31mred\x1b[0m", "--data", "labels.csv"],
    "compare": ["compare", "plain", "--data", "labels.csv"],
    "pairwise": ["pairwise", "--data", "labels.csv"],
    "report": ["report", "\u202egnp", "--data", "labels.csv", "-o", "-", "--index", "rand"],
    "indices": ["indices"],
}
NAMES_IN = {"compare": 14, "pairwise": 15}
"""Commands that print names of clusterings, and how many."""


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_prints_what_a_terminal_obeys(capsys, command):
    printed = succeed(capsys, *COMMANDS[command])
    assert not hidden(printed)
    assert sum(name in printed for name in SHOWN) >= NAMES_IN.get(command, 0)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "report"])
def test_no_cell_of_csv_starts_a_formula(capsys, command):
    printed = succeed(capsys, *COMMANDS[command], "--csv")
    assert not hidden(printed)
    cells = {cell for row in csv.reader(io.StringIO(printed, newline="")) for cell in row}
    for cell in cells:
        if cell.lstrip().startswith(("=", "+", "-", "@", "＝")):
            float(cell)  # the only ones are numbers
    assert len(cells & set(HOSTILE.values())) >= NAMES_IN.get(command, 0)


@pytest.mark.parametrize("command", ["adjust", "compare", "pairwise"])
def test_json_is_strict_and_has_the_names_as_they_are(capsys, command):
    printed = succeed(capsys, *COMMANDS[command], "--json")
    assert printed.isascii()
    found = json.loads(printed, parse_constant=pytest.fail)
    if command == "compare":
        assert {score["candidate"] for score in found["scores"]} == HOSTILE.keys() - {"plain"}
    if command == "pairwise":
        assert found["names"] == list(HOSTILE)


@pytest.mark.parametrize(
    "arguments",
    [
        ["adjust", "no\x1b[2Jfile", "x"],
        ["adjust", "=1+1", "+a", "--data", "labels.csv", "--index", "ra\x1b[31mnd"],
        ["compare", "plain", "--data", "labels.csv", "--\x1b[31m"],
        ["pairwise", "\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m", "--data", "labels.csv"],
        ["report", "plain", "--data", "labels.csv", "-o", "no\x1b/page.html"],
        ["adjust", "plain", "=1+1", "--data", "labels.csv", "--n-tables", "3\x9b"],
        ["adjust", "plain", "=1+1", "--data", "labels.csv", "--method", "\u202e"],
        ["indices", "\x1b]0;title\x07"],
        ["\x1b[2J"],
    ],
)
def test_errors_do_not_reach_the_terminal_either(capsys, arguments):
    assert run(arguments) in (1, 2)
    assert not hidden(capsys.readouterr().err)


def test_numbers_that_json_has_not():
    found = convert_for_json({"a": math.nan, "b": [math.inf, -math.inf]})
    assert found == {"a": None, "b": ["Infinity", "-Infinity"]}
