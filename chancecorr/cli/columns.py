"""Columns of labels from files and from standard input, for the command line."""

import csv
import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from chancecorr.arguments import ArgumentValueError, did_you_mean
from chancecorr.tables.arrow_files import FILES, column_names, record_batches

NA_VALUES = (
    "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "<NA>", "#N/A", "#N/A N/A",
    "#NA", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN",
)  # fmt: skip
"""What pandas takes for a missing cell, R's NA among it; the empty cell is missing besides."""

WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0*)?")
"""7, -1, and 7.0 as pandas writes integers beside missing values; not 007, a code that differs from 7."""

Names = Sequence[str | None] | Callable[[list[str]], Sequence[str]]
"""Columns that are wanted, None for the only one; or a function that chooses them from all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How files are read; all but `missing` says how those of text are.

    Attributes
    ----------
    header : bool
        Whether a line of column names comes first; else these are "1", "2", ...
    na_values : frozenset of str
        Cells that are missing labels, besides the empty one.
    missing : {"raise", "drop"}
        Whether a missing label is an error, or None.
    separator : str or None
        What stands between cells; None: tabs in files called .tsv or .tab, commas in others.
    encoding : str
        As Python calls it; the default leaves out a byte order mark.
    """

    header: bool = True
    na_values: frozenset[str] = frozenset(NA_VALUES)
    missing: Literal["raise", "drop"] = "raise"
    separator: str | None = None
    encoding: str = "utf-8-sig"


def read_sides(sources: Sequence[tuple[str, str]], data: str | None, reading: Reading) -> list[Any]:
    """Labels of clusterings, each from what the command calls it and its source; every file is read once.

    With one file of all, `data`, a source is the name of its column; else ``FILE``, of one column, or
    ``FILE:COLUMN``: the file is the whole string if there is one of that name, else the part before the last
    colon that follows an existing file. A source or `data` may be "-", standard input.
    """
    places = [(data, source) if data else _located(argument, source) for argument, source in sources]
    found: dict[int, Any] = {}
    for path in dict.fromkeys(path for path, _ in places):
        there = [k for k, place in enumerate(places) if place[0] == path]
        found |= zip(there, read_columns(path, [places[k][1] for k in there], reading), strict=True)
    return [found[k] for k in range(len(places))]


def read_in_parts(
    sources: Sequence[tuple[str, str]], data: str | None, reading: Reading
) -> Iterator[list[Any]] | None:
    """Columns as by `read_sides`, some rows at a time, if all are in one Parquet or Arrow file; else None."""
    places = [(data, source) if data else _located(argument, source) for argument, source in sources]
    (path, kind), *others = {(path, _arrow_kind(path)) for path, _ in places}
    if others or kind is None:
        return None
    return _read_arrow(path, kind, [name for _, name in places], reading)


def read_all(path: str, first: Sequence[str], reading: Reading) -> dict[str, Any]:
    """Labels of all columns of a file by name, those named before the others."""
    found: list[str] = []

    def names(columns: list[str]) -> list[str]:
        found[:] = [*first, *(name for name in columns if name not in first)]
        return found

    labels = read_columns(path, names, reading)
    return dict(zip(found, labels, strict=True))


def read_columns(path: str, names: Names, reading: Reading) -> list[Any]:
    """Columns of one file, in the order of their names; None stands for the only one.

    Text, compressed if the name ends in .gz, is read by Python's csv module, so that commands need no extra;
    a column of whole numbers holds integers there, any other strings. Parquet and Arrow files are read by
    pyarrow. A file that cannot be read so, or has no such column or no row, raises OSError or ValueError.
    """
    kind = _arrow_kind(path)
    if kind:
        columns = list(zip(*_read_arrow(path, kind, names, reading), strict=True))
        return [_at_once(parts) for parts in columns]
    try:
        return [_as_labels(cells) for cells in _read_text(path, names, reading)]
    except (csv.Error, EOFError, UnicodeError, gzip.BadGzipFile, zlib.error) as error:
        advice = " Pass its --encoding, such as latin-1." if isinstance(error, UnicodeError) else ""
        encoding = reading.encoding.upper().removesuffix("-SIG")
        raise ValueError(
            f"`{path}` must be a CSV file in {encoding}, or one compressed as .gz; got: {error}.{advice}"
        ) from None


def _located(argument: str, source: str) -> tuple[str, str | None]:
    """File and column of a source."""
    path, name = source, None
    while path != "-" and not os.path.exists(path):
        path, colon, _ = path.rpartition(":")
        if not colon:
            raise ArgumentValueError(
                argument, f"must be an existing FILE or FILE:COLUMN, or - for standard input; got {source!r}."
            )
        name = source[len(path) + 1 :]
    return path, name


def _read_text(path: str, names: Names, reading: Reading) -> list[list[str | None]]:
    """Cells of each column, None where missing."""
    compressed = path.lower().endswith(".gz")
    is_tsv = path.lower().removesuffix(".gz").endswith((".tsv", ".tab"))
    file: Any = sys.stdin.buffer if path == "-" else (gzip.open if compressed else open)(path, "rb")
    with file, io.TextIOWrapper(file, encoding=reading.encoding, newline="") as text:
        lines = csv.reader(text, delimiter=reading.separator or ("\t" if is_tsv else ","))
        first = next(lines, [])
        if not first:
            raise ValueError(f"`{path}` must begin with a line of column names; got an empty line or file.")
        columns = first if reading.header else [str(number) for number in range(1, len(first) + 1)]
        wanted = names(columns) if callable(names) else names
        is_number = len(first) == 1 and whole_number(first[0].strip()) is not None
        if reading.header and None in wanted and is_number:
            raise ValueError(
                f"`{path}` must begin with a column name; got {first[0]!r}."
                f" Pass --no-header if that is a label, or {path}:{first[0]} if it is the name."
            )
        places = [_place(path, columns, name) for name in wanted]
        found: list[list[str | None]] = [[] for _ in places]
        for line, row in _rows(path, lines, [] if reading.header else [first], len(columns)):
            for cells, place in zip(found, places, strict=True):
                cell, bare = row[place], row[place].strip()
                is_missing = not bare or bare in reading.na_values
                if is_missing and reading.missing == "raise":
                    raise _missing(path, columns[place], f"{cell!r} on line {line}", bool(bare))
                cells.append(None if is_missing else cell)
    if not found[0]:
        raise ValueError(f"`{path}` must hold labels; got no line below that of the column names.")
    return found


def _rows(path: str, lines: Any, first: list[list[str]], width: int) -> Iterator[tuple[int, list[str]]]:
    """Rows of equal width after the numbers of their first lines; an empty line is one, except at the end."""
    yield from ((1, row) for row in first)
    empty: list[int] = []
    read = lines.line_num
    for row in lines:
        line, read = read + 1, lines.line_num
        if not row:
            empty.append(line)
            continue
        if len(row) != width:
            raise ValueError(f"`{path}` must have {width} cells on each line; got {len(row)} on line {line}.")
        yield from ((gap, [""] * width) for gap in empty)
        empty.clear()
        yield line, row


def _as_labels(cells: list[str | None]) -> list[Any]:
    """Integers if all cells that are there write whole numbers, else the text."""
    numbers = {cell: whole_number(cell.strip()) for cell in set(cells) if cell is not None}
    return cells if None in numbers.values() else [cell and numbers[cell] for cell in cells]


def _arrow_kind(path: str) -> str | None:
    """Parquet or Arrow by the ending; None for a file of text."""
    return FILES.get(os.path.splitext(path.lower())[1])


def _read_arrow(path: str, kind: str, names: Names, reading: Reading) -> Iterator[list[Any]]:
    """Columns in parts, as pyarrow has them, but lists of str for text: a label of noise may be a number."""
    try:
        import pyarrow
    except ImportError:
        raise ValueError(
            f"`{path}` must be a file of text where pyarrow, which reads {kind}, is not installed."
            " Run: pip install 'chancecorr[tables]'"
        ) from None
    open(path, "rb").close()  # a folder would be a data set of the files in it
    first = 0
    try:
        columns = column_names(path, kind)
        wanted = names(columns) if callable(names) else names
        chosen = [columns[_place(path, columns, name)] for name in wanted]
        for batch in record_batches(path, kind, list(dict.fromkeys(chosen))):
            yield [_arrow_labels(path, name, batch.column(name), reading, first, pyarrow) for name in chosen]
            first += batch.num_rows
            del batch  # before the next one is read
    except (
        pyarrow.ArrowException,
        OSError,
        UnicodeDecodeError,
    ) as error:  # OSError of a damaged file
        raise ValueError(f"`{path}` must be a file of {kind}; got: {error}") from None
    if not first:
        raise ValueError(f"`{path}` must hold labels; got no rows.")


def _arrow_labels(path: str, name: str, column: Any, reading: Reading, first: int, pyarrow: Any) -> Any:
    """Labels of a part of a column that begins at row `first`."""
    missing = column.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
    if reading.missing == "raise" and missing.any():
        row = int(missing.argmax())
        raise _missing(path, name, f"{column[row]} in row {first + row + 1}", False)
    value_type = getattr(column.type, "value_type", column.type)
    is_text = pyarrow.types.is_string(value_type) or pyarrow.types.is_large_string(value_type)
    return column.to_pylist() if is_text else column


def _at_once(parts: Sequence[Any]) -> Any:
    """The parts of a column put together."""
    from pyarrow import chunked_array

    if isinstance(parts[0], list):
        return [label for part in parts for label in part]
    return chunked_array(parts)


def _missing(path: str, column: str, where: str, is_text: bool) -> ValueError:
    """Error that names a missing label."""
    advice = ", or other --na-values if that is a label" if is_text else ""
    return ValueError(
        f"`{path}` must not hold missing labels; got {where} in column {column!r}."
        f" Pass --missing drop to leave such objects out{advice}."
    )


def with_noise(sides: Sequence[Any], text: str, noise: str | None) -> tuple[list[Any], int | str]:
    """Labels in which the noise label has one kind if noise means something, and the noise label.

    Of two columns, one may be of text that writes the number which the other holds.
    """
    number = whole_number(text)
    label = text if number is None else number
    if noise is None:
        return list(sides), label
    return [
        [label if each == text else each for each in side] if isinstance(side, list) else side
        for side in sides
    ], label


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
