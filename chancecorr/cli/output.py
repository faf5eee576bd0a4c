"""Print answers as JSON, CSV, or text for people."""

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from chancecorr.machine.notes import Note
from chancecorr.machine.printing import convert_for_json, escape_hidden


class Answer(NamedTuple):
    """The answer of a command; each form is made only if it is printed."""

    text: Callable[[], str]
    record: Callable[[], Any]
    csv: Callable[[], str | None] = str
    bibtex: Callable[[], str] = str


class Form(NamedTuple):
    """A form of output: the help of its option, and how an answer is written."""

    help: str
    write: Callable[[Answer], str | None]


FORMS = {
    "json": Form(
        'Print JSON: null for nan, "Infinity" and "-Infinity" for infinite numbers.',
        lambda answer: json.dumps(convert_for_json(answer.record()), allow_nan=False) + "\n",
    ),
    "csv": Form(
        "Print CSV with a header line; text like a formula gets an apostrophe before it.",
        lambda answer: answer.csv(),
    ),
    "bibtex": Form(
        "Print entries for a bibliography, in UTF-8.",
        lambda answer: f"{answer.bibtex()}\n",
    ),
}
"""Forms of output by the name of their option. A new form is a new entry."""


def write(form: str | None, answer: Answer) -> None:
    """Print an answer in a form, by default as text for people."""
    print(FORMS[form].write(answer) if form else f"{answer.text()}\n", end="")


def describe_method(options: dict[str, Any], drawn: int, seed: int) -> str:
    """Describe the method of a command and the tables drawn, for the heading of the output."""
    tables = f"{drawn:,} tables, seed {seed}" if drawn else "no tables"
    return f"method {getattr(options['method'], 'name', options['method'])}, {tables}"


def print_reading(size: str, notes: Iterable[Note]) -> None:
    """Print the size of the input and the notes on it to stderr."""
    print(escape_hidden(", ".join([size, *map(str, dict.fromkeys(notes))])), file=sys.stderr)
