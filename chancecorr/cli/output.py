"""What commands print: JSON, CSV, and tables, in which names cannot steer a terminal or start a formula."""

import csv
import io
import itertools
import json
import shutil
import sys
import textwrap
from collections.abc import Iterable
from typing import Any

import click

from chancecorr import display
from chancecorr.printing import for_json, visible

FOLDED_WIDTH = 14
"""Room that a column keeps on a narrow terminal if its cells may take several lines."""

FORMULA = tuple("=+-@＝＋－＠")
"""What a cell starts with that a spreadsheet computes, in both widths (OWASP, CSV Injection); tabs and line
ends, which the list there has besides, are escaped before."""


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
    return f"'{text}" if text.startswith(FORMULA) else text


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, on a terminal broken between words."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    for line in map(visible, lines):
        click.echo(textwrap.fill(line, width, subsequent_indent="  ", break_on_hyphens=False))


def print_table(
    caption: str,
    header: list[str],
    *rows: list[str],
    left: int = 1,
    folded: tuple[int, ...] = (),
) -> None:
    """Caption and table, its first `left` columns aligned to the left; `folded` ones fold on a terminal."""
    table = [[visible(cell) for cell in row] for row in (header, *rows)]
    terminal = shutil.get_terminal_size() if sys.stdout.isatty() else None
    if terminal and folded:
        taken = sum(
            max(map(len, column)) + 2 for k, column in enumerate(zip(*table, strict=True)) if k not in folded
        )
        room = max((terminal.columns - taken) // len(folded) - 2, FOLDED_WIDTH)
        table = [list(line) for row in table for line in _lines_of(row, folded, room)]
    click.echo("\n".join([visible(caption), *display.text_rows(table, left=range(left))]))


def _lines_of(row: list[str], folded: tuple[int, ...], room: int) -> Iterable[tuple[str, ...]]:
    """Lines of a row in which the cells of some columns are folded."""
    cells = (textwrap.wrap(cell, room) if k in folded else [cell] for k, cell in enumerate(row))
    return itertools.zip_longest(*cells, fillvalue="")
