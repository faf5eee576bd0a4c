"""How answers are printed: JSON, CSV in which no cell is a formula, or text for people."""

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any

from chancecorr.machine.printing import convert_for_json, escape_hidden

FORMULA = re.compile("[\\s\\u200c\\u200d]*[-=+@＝＋－＠]")
"""How a cell starts that a spreadsheet computes, also behind spaces (OWASP, CSV Injection)."""


def write(
    form: str | None,
    *,
    record: Callable[[], Any],
    rows: Callable[[], Iterable[Iterable[Any]]],
    text: Callable[[], str],
) -> None:
    """Print an answer as strict JSON, as CSV below a header, or for people."""
    if form == "json":
        print(json.dumps(convert_for_json(record()), allow_nan=False))
    elif form == "csv":
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        for row in rows():
            cells = [escape_hidden(cell) if isinstance(cell, str) else cell for cell in row]
            writer.writerow(f"'{x}" if isinstance(x, str) and FORMULA.match(x) else x for x in cells)
        print(lines.getvalue(), end="")
    else:
        print(text())


def describe_method(options: dict[str, Any], drawn: int, seed: int) -> str:
    """Method of a command, and the tables that were drawn, as they stand above what is printed."""
    tables = f"{drawn:,} tables, seed {seed}" if drawn else "no tables"
    return f"method {getattr(options['method'], 'name', options['method'])}, {tables}"


def print_reading(size: str, remarks: Iterable[str]) -> None:
    """Say on stderr what was read: its size, and what was found while reading."""
    print(escape_hidden(", ".join([size, *dict.fromkeys(remarks)])), file=sys.stderr)
