"""What commands print: JSON, CSV, and tables for people.

Names come from files that others wrote. Characters in them that a terminal obeys or hides are shown escaped,
in tables and in CSV; JSON escapes them by its own rules. A cell of text in CSV never starts a formula,
whichever program opens the file.
"""

import csv
import io
import json
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable
from typing import Any, Literal

import click

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
    paged: bool = False,
) -> None:
    """Caption and table: ruled and fitted on a terminal, bare and as wide as it is elsewhere.

    The first `left` columns are aligned to the left. Cells of those `folded` may take several lines; no other
    cell is cut, however narrow the terminal. A table that is `paged` goes to the pager of the terminal that
    it is too long for.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console, ConsoleDimensions
    from rich.table import Table

    caption, header = visible(caption), [visible(name) for name in header]
    rows = tuple([visible(cell) for cell in row] for row in rows)
    console = Console(markup=False, highlight=False, emoji=False)
    if console.is_terminal:  # "std.err." over two lines, to fit 80 columns
        header = [re.sub(r"\.(?=.)", ".\n", name) for name in header]
    columns = zip(header, *rows, strict=True)
    lengths = [max(len(line) for cell in column for line in cell.split("\n")) for column in columns]
    least = sum(min(length, FOLDED_WIDTH) if k in folded else length for k, length in enumerate(lengths))
    width = console.width if console.is_terminal else sum(lengths) + 2 * len(lengths)
    gap = 2 if least + 2 * (len(lengths) - 1) <= width else 1
    # Both sides: rich takes a width alone for nothing where TERM is dumb, and has 80 columns then.
    console.size = ConsoleDimensions(max(width, least + gap * (len(lengths) - 1)), console.height)
    box, padding = (SIMPLE_HEAD, gap - 1) if console.is_terminal else (None, gap)  # the box draws one space
    table = Table(box=box, padding=(0, padding, 0, 0), pad_edge=False, show_edge=False)
    for k, name in enumerate(header):
        justify: Literal["left", "right"] = "left" if k < left else "right"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=k not in folded)
    for row in rows:
        table.add_row(*row)
    with console.capture() as printed:
        console.print(caption, soft_wrap=True)
        console.print(table)
    text = printed.get()
    if paged and sys.stdout.isatty() and text.count("\n") >= console.height:
        click.echo_via_pager(text)
    else:
        click.echo(text, nl=False, color=True)  # rich has left colours out where there is no terminal
