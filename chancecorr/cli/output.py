"""Output of commands: JSON, CSV, and tables, in which names cannot steer a terminal or start a formula."""

import csv
import io
import json
import re
from collections.abc import Iterable
from typing import Any

import click

from chancecorr.printing import for_json, visible

FORMULA = re.compile("[\\s\\u200c\\u200d]*[-=+@＝＋－＠]")
"""How a cell starts that a spreadsheet computes, in both widths (OWASP, CSV Injection), also behind spaces of
any kind, which some leave out; tabs and line ends are escaped before."""


def print_json(value: Any) -> None:
    """Print a value as strict JSON."""
    click.echo(json.dumps(for_json(value), allow_nan=False))


def print_csv(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print rows below a header; text that starts like a formula gets an apostrophe before it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(map(_cell, row) for row in rows)
    click.echo(text.getvalue(), nl=False)


def _cell(value: Any) -> Any:
    """Cell of CSV: numbers as they are, text without formulas and control characters."""
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if FORMULA.match(text) else text


def print_reading(size: str, remarks: Iterable[str]) -> None:
    """Say on stderr what was read: its size, and what was found while reading."""
    click.echo(visible(", ".join([size, *dict.fromkeys(remarks)])), err=True)
