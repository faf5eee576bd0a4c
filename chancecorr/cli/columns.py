"""Columns of labels from files and from standard input, for the command line."""

import contextlib
import itertools
import os
import re
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError, did_you_mean
from chancecorr.cli.rows import rows_of
from chancecorr.tables.arrow_files import FILES, column_names
from chancecorr.tables.left_out import Missing, with_label

NA_VALUES = (
    "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "<NA>", "#N/A", "#N/A N/A",
    "#NA", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN",
)  # fmt: skip
"""Texts that pandas takes for a missing cell, R's NA among it; the empty cell is missing besides."""

WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0*)?")
"""7, -1, and 7.0 as pandas writes integers beside missing values; not 007, a code that differs from 7."""


Names = Sequence[str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How files are read; the first field is of files of text."""

    header: bool  # whether a line of column names comes first; else these are "1", "2", ...
    missing: Missing  # whether a missing label is an error, or None
    noise: str | tuple[str, ...] | None
    noise_label: str

    @property
    def label(self) -> int | str:
        """The noise label, a number if it writes a whole one."""
        number = whole_number(self.noise_label)
        return self.noise_label if number is None else number

    @property
    def keywords(self) -> dict[str, Any]:
        """Keywords of the functions that take the labels."""
        return {"noise": with_label(self.noise, self.label), "missing": self.missing}


def read_sides(sources: Sequence[tuple[str, str]], data: str | None, reading: Reading) -> list[Any]:
    """Labels of clusterings, each from its name in the command and its source; every file is read once."""
    places = [(data, source) if data else _located(argument, source) for argument, source in sources]
    wanted: dict[str, list[str | None]] = {}
    for path, name in places:
        wanted.setdefault(path, []).append(name)
    found = {path: iter(read_columns(path, names, reading)) for path, names in wanted.items()}
    return [next(found[path])[1] for path, _ in places]


def read_columns(
    path: str, names: Names, reading: Reading, *, with_others: bool = False
) -> list[tuple[str, Any]]:
    """Names and labels of columns of one file, and then of all others if wanted; None is the only column."""
    kind = FILES.get(os.path.splitext(path.lower())[1])
    if kind:
        return _read_arrow(path, kind, names, reading, with_others)
    return _read_text(path, names, reading, with_others)


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


def read_counts(path: str) -> list[list[int]]:
    """Counts of a file of text, the reference in rows; the first row and column may hold names."""
    rows = list(rows_of(path))
    first = rows[0] if rows else [""]
    with_header = not first[0].strip() or any(whole_number(cell.strip()) is None for cell in first[1:])
    body = rows[with_header:]
    with_names = any(row and whole_number(row[0].strip()) is None for row in body)
    counts = []
    for number, row in enumerate(body, 1 + with_header):
        cells = [whole_number(cell.strip()) for cell in row[with_names:]]
        if None in cells:
            wrong = row[with_names:][cells.index(None)]
            raise ValueError(f"`{path}` must hold whole numbers; got {wrong!r} in row {number}.")
        counts.append([cell for cell in cells if cell is not None])
    is_named = with_header and with_names
    if min(len(counts), len(first) - with_names) > (1 if is_named else 2) and any(counts[-1]):
        sums = [list(map(sum, zip(*counts[:-1], strict=False))), [[sum(row[:-1])] for row in counts]]
        if sums == [counts[-1], [row[-1:] for row in counts]] and (not is_named or first[-1] == body[-1][0]):
            raise ValueError(f"`{path}` must not hold totals; got sums in the last row and column.")
    return counts


def _read_text(path: str, names: Names, reading: Reading, with_others: bool) -> list[tuple[str, Any]]:
    """Columns of a file of text, whose rows go by one at a time."""
    with contextlib.closing(rows_of(path)) as rows:
        first = next(rows, [])
        columns = _columns_of_text(path, first, names, reading)
        places = _places(path, columns, names, with_others)
        chosen = {place: _Column() for place in places}
        for number, row in enumerate(rows if reading.header else itertools.chain([first], rows), 1):
            if row and len(row) != len(first):
                raise ValueError(
                    f"`{path}` must have {len(first)} cells in each row;"
                    f" got {len(row)} in row {number + reading.header}."
                )
            for place, column in chosen.items():
                column.add(row[place] if row else "")
    if not chosen[places[0]].codes:
        raise ValueError(f"`{path}` must hold labels; got no line below that of the column names.")
    labels = {place: _labels(path, columns[place], column, reading) for place, column in chosen.items()}
    return [(columns[place], labels[place]) for place in places]


def _columns_of_text(path: str, first: list[str], names: Names, reading: Reading) -> list[str]:
    """Names of the columns of a file with this first row."""
    if not first:
        raise ValueError(f"`{path}` must begin with a line of column names; got an empty line or file.")
    if not reading.header:
        return [str(number) for number in range(1, len(first) + 1)]
    if None in names and len(first) == 1 and whole_number(first[0].strip()) is not None:
        raise ValueError(
            f"`{path}` must begin with a column name; got {first[0]!r}."
            f" Pass --no-header if that is a label, or {path}:{first[0]} if it is the name."
        )
    return first


class _Column:
    """Cells of a column, each text kept once."""

    def __init__(self) -> None:
        self.code_of: dict[str, int] = {}
        self.codes = array("i")

    def add(self, cell: str) -> None:
        """Take the next cell."""
        self.codes.append(self.code_of.setdefault(cell, len(self.code_of)))


def _labels(path: str, name: str, column: _Column, reading: Reading) -> Any:
    """Labels of a column of text, None if missing."""
    cells: list[str | None] = [
        None if not cell.strip() or cell.strip() in NA_VALUES else cell for cell in column.code_of
    ]
    codes = np.array(column.codes)
    if None in cells and reading.missing == "raise":
        row = int(np.isin(codes, [code for code, cell in enumerate(cells) if cell is None]).argmax())
        where = f"{list(column.code_of)[codes[row]]!r} in row {row + 1 + reading.header}"
        raise _missing(path, name, where)
    labels = _as_labels(cells, reading)
    if all(isinstance(label, int) for label in labels):
        return np.array(labels)[codes]
    return [labels[code] for code in column.codes]


def _as_labels(cells: list[str | None], reading: Reading) -> list[Any]:
    """Integers if all cells that are there write whole numbers, else text, except for the label of noise."""
    numbers = {cell: whole_number(cell.strip()) for cell in set(cells) if cell is not None}
    if None not in numbers.values():
        return [cell and numbers[cell] for cell in cells]
    label = reading.label if reading.noise else reading.noise_label
    return [label if cell == reading.noise_label else cell for cell in cells]


def _read_arrow(
    path: str, kind: str, names: Names, reading: Reading, with_others: bool
) -> list[tuple[str, Any]]:
    """Columns of a Parquet or Arrow file, text as in a file of text."""
    try:
        import pyarrow
        from pyarrow import feather, parquet
    except ImportError:
        raise ValueError(
            f"`{path}` must be a file of text where pyarrow, which reads {kind}, is not installed."
            " Run: pip install 'chancecorr[tables]'"
        ) from None
    open(path, "rb").close()  # a folder would be a data set of the files in it
    try:
        columns = column_names(path, kind)
        chosen = [columns[k] for k in _places(path, columns, names, with_others)]
        read = parquet.read_table if kind == "Parquet" else feather.read_table
        table = read(path, columns=list(dict.fromkeys(chosen)), memory_map=False)
        table.validate(full=True)
        labels = [(name, _arrow_labels(path, name, table.column(name), reading)) for name in chosen]
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:  # OSError of a damaged file
        raise ValueError(f"`{path}` must be a file of {kind}; got: {error}") from None
    if not table.num_rows:
        raise ValueError(f"`{path}` must hold labels; got no rows.")
    return labels


def _arrow_labels(path: str, name: str, column: Any, reading: Reading) -> Any:
    """Labels of a column of Arrow, text as a list."""
    from pyarrow import types

    missing = column.is_null(nan_is_null=True).to_numpy()
    if reading.missing == "raise" and missing.any():
        row = int(missing.argmax())
        raise _missing(path, name, f"{column[row]} in row {row + 1}")
    value_type = getattr(column.type, "value_type", column.type)
    if not (types.is_string(value_type) or types.is_large_string(value_type)):
        return column
    label = reading.label if reading.noise else reading.noise_label
    return [label if each == reading.noise_label else each for each in column.to_pylist()]


def _missing(path: str, column: str, where: str) -> ValueError:
    """Error that names a missing label."""
    return ValueError(
        f"`{path}` must not hold missing labels; got {where} in column {column!r}."
        " Pass --missing drop to leave such objects out."
    )


def whole_number(text: str) -> int | None:
    """The number that a text writes, if it is a whole one."""
    return int(text.split(".")[0]) if WHOLE_NUMBER.fullmatch(text) else None


def _places(path: str, columns: list[str], names: Names, with_others: bool) -> list[int]:
    """Places of columns among those of a file."""
    others = [name for name in columns if name not in names] if with_others else []
    place_of, times = {name: place for place, name in enumerate(columns)}, Counter(columns)
    listed = ", ".join(map(repr, columns[:20])) + (", ..." if len(columns) > 20 else "")
    places = []
    for name in [*names, *others]:
        if name is None and len(columns) != 1:
            raise ValueError(
                f"`{path}` must have one column or be given as FILE:COLUMN; got {len(columns)}: {listed}."
            )
        if name is not None and times[name] > 1:
            raise ValueError(f"`{path}` must have one column {name!r}; got {times[name]}.")
        if name is not None and not times[name]:
            raise ValueError(
                f"`{path}` has no column {name!r}. Columns: {listed}.{did_you_mean(name, columns)}"
            )
        places.append(0 if name is None else place_of[name])
    return places
