"""Columns of labels from CSV and Parquet files, for the command line."""

import csv
import gzip
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from chancecorr.arguments import ArgumentValueError, did_you_mean

WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0*)?")
"""7, -1, and 7.0 as pandas writes integers beside missing values; not 007, a code that differs from 7."""


def read_labels(argument: str, source: str, *, header: bool = True) -> Any:
    """Labels from ``FILE`` (of one column) or ``FILE:COLUMN``, None where missing.

    The file is the whole string if there is one of that name, else what stands before the last colon that
    follows an existing file. `argument` is what the command line calls the source, for error messages.
    """
    path, name = source, None
    while not os.path.exists(path):
        path, colon, _ = path.rpartition(":")
        if not colon:
            raise ArgumentValueError(argument, f"must be an existing FILE or FILE:COLUMN; got {source!r}.")
        name = source[len(path) + 1 :]
    return read_columns(path, [name], header=header)[0]


def read_columns(path: str, names: Sequence[str | None], *, header: bool = True) -> list[Any]:
    """Columns of one file, in the order of their names; None stands for the only one.

    A file is Parquet if it ends in .parquet or .pq; else text in UTF-8 with tabs (.tsv, .tab) or commas
    between the cells, compressed if it ends in .gz. Without a `header`, a line of column names, these are
    "1", "2", ... In text, an empty cell is None, and a column of whole numbers holds integers. A file that
    cannot be read as what its name says, or has no such column, raises OSError or ValueError.
    """
    if path.lower().endswith((".parquet", ".pq")):
        return _read_parquet(path, names)
    try:
        return _read_text(path, names, header)
    except (csv.Error, EOFError, UnicodeDecodeError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(
            f"`{path}` must be a CSV file in UTF-8, or one compressed as .gz; got: {error}."
        ) from None


def _read_text(path: str, names: Sequence[str | None], header: bool) -> list[Any]:
    compressed = path.lower().endswith(".gz")
    delimiter = "\t" if path.lower().removesuffix(".gz").endswith((".tsv", ".tab")) else ","
    opener: Any = gzip.open if compressed else open
    with opener(path, "rt", encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file, delimiter=delimiter)
        first = next(lines, [])
        if not first:
            raise ValueError(f"`{path}` must begin with a line of column names; got an empty line or file.")
        if header and None in names and len(first) == 1 and whole_number(first[0].strip()) is not None:
            raise ValueError(
                f"`{path}` must begin with a column name; got {first[0]!r}."
                f" Pass --no-header if that is a label, or {path}:{first[0]} if it is the name."
            )
        columns = first if header else [str(number) for number in range(1, len(first) + 1)]
        places = [_place(path, columns, name) for name in names]
        cells: list[list[str]] = [[] for _ in places]
        for row in _rows(path, lines, [] if header else [first], len(columns)):
            for column, place in zip(cells, places, strict=True):
                column.append(row[place])
    return [_as_labels(column) for column in cells]


def _rows(path: str, lines: Any, first: list[list[str]], width: int) -> Iterator[list[str]]:
    """Rows of equal width. An empty line is a row of empty cells, lest objects shift, except at the end."""
    empty = 0
    for row in chain(first, lines):
        if not row:
            empty += 1
            continue
        if len(row) != width:
            raise ValueError(
                f"`{path}` must have {width} cells on each line; got {len(row)} on line {lines.line_num}."
            )
        for _ in range(empty):
            yield [""] * width
        empty = 0
        yield row


def _as_labels(cells: list[str]) -> list[Any]:
    """Integers if all cells are whole numbers, else the text; None if empty, or "nan" among numbers."""
    texts = {cell: cell.strip() for cell in set(cells)}
    numbers = {cell: whole_number(text) for cell, text in texts.items()}
    if all(numbers[cell] is not None or text.lower() in ("", "nan") for cell, text in texts.items()):
        return [numbers[cell] for cell in cells]
    return [cell if texts[cell] else None for cell in cells]


def _read_parquet(path: str, names: Sequence[str | None]) -> list[Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ValueError(
            f"`{path}` must be a CSV file where pyarrow is not installed; got Parquet."
            " Run: pip install 'chancecorr[parquet]'"
        ) from None
    try:
        with parquet.ParquetFile(path) as file:
            columns = file.schema_arrow.names
            wanted = [columns[_place(path, columns, name)] for name in names]
            table = file.read(columns=sorted(set(wanted)))
    except pyarrow.ArrowException as error:
        raise ValueError(f"`{path}` must be a Parquet file; got: {error}") from None
    found = []
    for name in wanted:
        column = table.column(name)
        plain = pyarrow.types.is_integer(column.type) and not column.null_count
        found.append(column.to_numpy() if plain else column.to_pylist())
    return found


def whole_number(text: str) -> int | None:
    """The number that a text writes, if it is a whole one.

    Examples
    --------
    >>> whole_number("-1"), whole_number("7.0"), whole_number("007")
    (-1, 7, None)
    """
    return int(text.split(".")[0]) if WHOLE_NUMBER.fullmatch(text) else None


def _place(path: str, columns: list[str], name: str | None) -> int:
    """Place of a column among those of a file."""
    listed = ", ".join(map(repr, columns[:20])) + (", ..." if len(columns) > 20 else "")
    if name is None:
        if len(columns) != 1:
            raise ValueError(
                f"`{path}` must have one column or be given as FILE:COLUMN; got {len(columns)}: {listed}."
            )
        return 0
    if columns.count(name) != 1:
        rule = f"`{path}` must have one column of the name asked for"
        raise ValueError(f"{rule}; got {name!r} of {listed}.{did_you_mean(name, columns)}")
    return columns.index(name)
