"""What commands print: JSON, CSV, and tables for people."""

import csv
import io
import json
import re
from collections.abc import Iterable
from typing import Any, Literal

import click

from chancecorr.printing import for_json

FOLDED_WIDTH = 14
"""Room that a column keeps on a narrow terminal if its cells may take several lines."""


def print_json(value: Any) -> None:
    click.echo(json.dumps(for_json(value), allow_nan=False))


def print_csv(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    click.echo(text.getvalue(), nl=False)


def print_table(
    caption: str, header: list[str], *rows: list[str], left: int = 1, folded: tuple[int, ...] = ()
) -> None:
    """Caption and table: ruled and fitted on a terminal, bare and as wide as it is elsewhere.

    The first `left` columns are aligned to the left. Cells of those `folded` may take several lines; no other
    cell is cut, however narrow the terminal.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    console = Console(markup=False, highlight=False, emoji=False)
    if console.is_terminal:  # "std.err." over two lines, to fit 80 columns
        header = [re.sub(r"\.(?=.)", ".\n", name) for name in header]
    columns = zip(header, *rows, strict=True)
    lengths = [max(len(line) for cell in column for line in cell.split("\n")) for column in columns]
    least = sum(min(length, FOLDED_WIDTH) if k in folded else length for k, length in enumerate(lengths))
    width = console.width if console.is_terminal else sum(lengths) + 2 * len(lengths)
    gap = 2 if least + 2 * (len(lengths) - 1) <= width else 1
    console.width = max(width, least + gap * (len(lengths) - 1))
    box, padding = (SIMPLE_HEAD, gap - 1) if console.is_terminal else (None, gap)  # the box draws one space
    table = Table(box=box, padding=(0, padding, 0, 0), pad_edge=False, show_edge=False)
    for k, name in enumerate(header):
        justify: Literal["left", "right"] = "left" if k < left else "right"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=k not in folded)
    for row in rows:
        table.add_row(*row)
    console.print(caption, soft_wrap=True)
    console.print(table)
