"""The command line run in this process, and the judge of what it prints."""

import csv
import io
import json
import re
import sys
import unicodedata
from collections.abc import Sequence

from chancecorr.cli.commands import run
from experiments.checks.fuzzing.trial import LONGEST, Trial

FORMULA = re.compile(r"[=+@\t\r＝＋－＠-]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*(e[+-]?\d+)?|inf|nan)")
WHAT_WAS_READ = re.compile(r"[\d,]+ objects, .*\n")
"""The line on stderr of a command that has read a file."""

WITHIN_WORDS = "\u200c\u200d"
"""Joiners, which have the category of format characters but belong to words and emoji."""


def run_in_process(trial: Trial, arguments: Sequence[str]) -> None:
    """Run a command and judge its exit code, its output and its errors."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace") for _ in range(2))
    before = sys.stdout, sys.stderr, sys.stdin
    sys.stdout, sys.stderr = out, err
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"t,p\n1,1\n1,2\n"), encoding="utf-8")
    try:
        code = trial.call(run, list(arguments))
    finally:
        sys.stdout, sys.stderr, sys.stdin = before
    printed, said = (stream.buffer.getvalue().decode("utf-8") for stream in _flushed(out, err))  # type: ignore[attr-defined]
    for complaint in complaints(arguments, code, printed, said):
        trial.find(complaint)


def _flushed(*streams: io.TextIOWrapper) -> Sequence[io.TextIOWrapper]:
    for stream in streams:
        if not stream.closed:
            stream.flush()
    return streams


def complaints(arguments: Sequence[str], code: int | None, printed: str, said: str) -> list[str]:
    r"""What is wrong with the output of a command; `code` is None where an exception left it.

    Examples
    --------
    >>> complaints(["adjust"], 2, "", "`TRUE` must be a file.\n")
    []
    >>> complaints(["adjust", "--json"], 0, '{"p": NaN}', "")
    ["the output is no strict JSON: NaN: '{\"p\": NaN}'"]
    """
    found: list[str] = []
    if code is None:
        return found
    if code == 0 and said and not WHAT_WAS_READ.fullmatch(said):
        found.append(f"something is said on stderr: {said[:LONGEST]!r}")
    if code != 0 and (said.count("\n") != 1 or not said.endswith("\n") or not said.strip()):
        found.append(f"exit code {code} comes with other than one line: {said[:LONGEST]!r}")
    if code not in (0, 1, 2):
        found.append(f"the exit code is {code}")
    if code == 2 and not re.match(r"[`A-Z]", said):
        found.append(f"the error names no argument: {said[:LONGEST]!r}")
    for text, where in ((printed, "stdout"), (said, "stderr")):
        control = next((each for each in text if is_control(each)), None)
        if control is not None:
            k = text.index(control)
            found.append(f"{control!r} reaches {where}: {text[max(k - 40, 0) : k + 40]!r}")
    if code == 0 and not {"--help", "-h", "--version"} & set(arguments):
        form = next((each for each in reversed(arguments) if each in ("--json", "--csv")), None)
        if form == "--json":
            found += _of_json(printed)
        if form == "--csv":
            found += _of_csv(printed)
    return found


def is_control(character: str) -> bool:
    """Whether a terminal may take a character for a command, or for what is not there; a line end is none."""
    return character not in "\n" + WITHIN_WORDS and unicodedata.category(character) in (
        "Cc",
        "Cf",
        "Cs",
        "Zl",
        "Zp",
    )


def _of_json(text: str) -> list[str]:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError as error:
        return [f"the output is no strict JSON: {error}: {text[:LONGEST]!r}"]
    return []


def _of_csv(text: str) -> list[str]:
    try:
        rows = list(csv.reader(io.StringIO(text, newline="")))
    except csv.Error as error:
        return [f"the output is no CSV: {error}: {text[:LONGEST]!r}"]
    if len({len(row) for row in rows}) > 1:
        return [f"the rows of the CSV have different lengths: {text[:LONGEST]!r}"]
    bad = [cell for row in rows for cell in row if FORMULA.match(cell) and not NUMBER.fullmatch(cell)]
    return [f"a cell of the CSV starts a formula: {bad[0]!r}"] if bad else []
