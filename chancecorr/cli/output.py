"""Print answers as JSON, CSV, or text for people."""

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

from chancecorr.machine.printing import convert_for_json, escape_hidden


def write(
    form: str | None,
    *,
    record: Callable[[], Any],
    csv: Callable[[], str | None],
    text: Callable[[], str],
) -> None:
    """Print an answer as strict JSON, as CSV below a header, or for people."""
    if form == "json":
        print(json.dumps(convert_for_json(record()), allow_nan=False))
    elif form == "csv":
        print(csv(), end="")
    else:
        print(text())


def describe_method(options: dict[str, Any], drawn: int, seed: int) -> str:
    """Describe the method of a command and the tables drawn, for the heading of the output."""
    tables = f"{drawn:,} tables, seed {seed}" if drawn else "no tables"
    return f"method {getattr(options['method'], 'name', options['method'])}, {tables}"


def print_reading(size: str, remarks: Iterable[str]) -> None:
    """Print the size of the input and the remarks on it to stderr."""
    print(escape_hidden(", ".join([size, *dict.fromkeys(remarks)])), file=sys.stderr)
