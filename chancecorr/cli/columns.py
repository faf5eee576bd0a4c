"""Columns of labels from files and from standard input, for the command line."""

import contextlib
import itertools
import os
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from chancecorr.arguments import ArgumentValueError, did_you_mean
from chancecorr.cli.keys import match_rows, take_rows
from chancecorr.cli.rows import rows_of
from chancecorr.tables.reading import Missing, with_label
from chancecorr.tables.streaming import FILES, read_schema

NA_VALUES = (
    "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "<NA>", "#N/A", "#N/A N/A",
    "#NA", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN",
)  # fmt: skip
"""Texts that pandas takes for a missing cell, R's NA among it; the empty cell is missing besides."""

WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0*)?")
"""7, -1, and 7.0 as pandas writes integers beside missing values; not 007, a code that differs from 7."""

NUMBER = re.compile(r"[-+]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][-+]?[0-9]+)?")
"""A number as files have it, with a point or a comma, in words such as 1e-05 or not."""

PARTS = re.compile(r" *[,;|] *| +")
"""What parts the clusters of one object in files of overlapping communities."""

MOST_OTHERS = 2_000
"""Columns that are candidates without being named."""

NAMELESS = re.compile(r"\s*|Unnamed: [0-9]+|__index_level_[0-9]+__")
"""Names of columns that hold row names: none, and those that pandas gives."""


Names = Sequence[str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How files are read; the first two fields are of files of text."""

    header: bool | None  # whether a line of column names comes first, or None; else these are "1", "2", ...
    separator: str | None = None  # the mark between cells; None looks for it
    missing: Missing  # whether a missing label is an error, or None
    noise: str | tuple[str, ...] | None
    noise_label: str
    key: str | None = None  # the column by which rows of files are matched
    remarks: list[str] = field(default_factory=list)  # what was found while reading

    @property
    def label(self) -> int | str:
        """The noise label, a number if it writes a whole one."""
        number = whole_number(self.noise_label)
        return self.noise_label if number is None else number

    @property
    def keywords(self) -> dict[str, Any]:
        """Keywords of the functions that take the labels."""
        noise = {} if self.noise is None else {"noise": with_label(self.noise, self.label)}
        return {**noise, "missing": self.missing}


class Read(NamedTuple):
    """What is read of a file."""

    columns: list[tuple[str, Any]]  # names and labels, in the order asked for
    keys: dict[str, list[str]]  # other columns, by name, that may tell the objects apart


def read_label_columns(sources: Sequence[tuple[str, str]], data: str | None, reading: Reading) -> list[Any]:
    """Labels of clusterings, each from its name in the command and its source; every file is read once.

    Rows of several files are matched by the key; without one, other orders of a shared one are an error.
    """
    places = [(data, source) if data else _located(argument, source) for argument, source in sources]
    wanted: dict[str, list[str | None]] = {}
    for path, name in places:
        wanted.setdefault(path, []).append(name)
    if len(wanted.get("-", [])) > 1 and not data:
        raise ArgumentValueError(
            sources[[path for path, _ in places].index("-")][0],
            "must be the only one that is read from standard input; for several columns pass --data -.",
        )
    several = len(wanted) > 1
    if reading.key is not None and not several:
        raise ValueError("`--key` must come with several files, whose rows it matches; got one.")
    contents = {path: _read(path, names, reading, with_keys=several) for path, names in wanted.items()}
    orders = match_rows({path: of.keys for path, of in contents.items()}, reading.key, reading.missing)
    if orders:
        common = len(next(iter(orders.values())))
        reading.remarks.append(f"matched by {reading.key!r}: {common:,} are in all files")
    sides = {path: iter(of.columns) for path, of in contents.items()}
    return [take_rows(next(sides[path])[1], orders.get(path)) for path, _ in places]


def read_columns(
    path: str, names: Names, reading: Reading, *, with_others: bool = False
) -> list[tuple[str, Any]]:
    """Names and labels of columns of one file, and then of all others that hold labels if wanted."""
    columns = _read(path, names, reading, with_others=with_others).columns
    if with_others and len(columns) == len(names) and reading.remarks[-1].startswith("left out"):
        raise ValueError(f"`{path}` must have a column of labels besides those named; {reading.remarks[-1]}.")
    return columns


def _read(
    path: str, names: Names, reading: Reading, *, with_others: bool = False, with_keys: bool = False
) -> Read:
    """Columns of one file, all others besides if wanted; None is the only column."""
    kind = FILES.get(os.path.splitext(path.lower())[1])
    if kind:
        return _read_arrow(path, kind, names, reading, with_others, with_keys)
    return _read_text(path, names, reading, with_others, with_keys)


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


def _read_text(path: str, names: Names, reading: Reading, with_others: bool, with_keys: bool) -> Read:
    """Columns of a file of text, whose rows go by one at a time."""
    with contextlib.closing(rows_of(path, reading.separator, header=reading.header)) as rows:
        first = next(rows, [])
        if not first:
            raise ValueError(f"`{path}` must begin with a line of column names; got an empty line or file.")
        header = reading.header is not False
        columns = first if header else [str(number) for number in range(1, len(first) + 1)]
        places = _places(path, columns, names, with_others)
        chosen = {place: _Column() for place in places}
        keys = {k: _Column() for k in range(len(first)) if k not in chosen} if with_keys else {}
        for number, row in enumerate(rows if header else itertools.chain([first], rows), 1):
            if row and len(row) != len(first):
                raise ValueError(
                    f"`{path}` must have {len(first)} cells in each row;"
                    f" got {len(row)} in row {number + header}."
                )
            for place, column in (*chosen.items(), *keys.items()):
                column.add(row[place] if row else "")
            if keys and number & (number - 1) == 0 and number > 63:  # when the number of rows has doubled
                keys = {k: each for k, each in keys.items() if columns[k] == reading.key or each.names_rows()}
    if not chosen[places[0]].codes:
        raise ValueError(f"`{path}` must hold labels; got no line below that of the column names.")
    if reading.header is None:
        _refuse_doubtful_header(path, first, names, chosen)
    reading.remarks.append("header in line 1" if header else "no header")
    kept = _without_no_labels(
        reading, columns, places, len(names), lambda place: chosen[place].why_no_labels()
    )
    labels = {place: _labels(path, columns[place], chosen[place], reading, header) for place in kept}
    return Read(
        [(columns[place], labels[place]) for place in kept],
        {
            columns[k]: each.texts()
            for k, each in keys.items()
            if columns[k] == reading.key or each.names_rows()
        },
    )


def _refuse_doubtful_header(path: str, first: list[str], names: Names, chosen: dict[int, "_Column"]) -> None:
    """Raise if the first line of a file may be labels: it holds numbers, or occurs again below."""
    numbered = {str(number) for number in range(1, len(first) + 1)}
    if not first[0].strip() or any(name is not None and name not in numbered for name in names):
        return
    values = [cell.strip() in NA_VALUES or NUMBER.fullmatch(cell.strip()) for cell in first]
    again = [place for place, column in chosen.items() if first[place] in column.code_of]
    alike = [place for place, column in chosen.items() if _has_form_of_all(first[place], column.code_of)]
    doubtful = [place for place in again if not values[place]] or alike
    if all(values):
        doubtful = [0]
    elif all(values[place] for place in chosen):
        doubtful = again
    if doubtful:
        cell = first[doubtful[0]]
        below = ", which occurs again below" if doubtful[0] in again and not values[doubtful[0]] else ""
        raise ValueError(
            f"`{path}` must begin with a column name; got {cell!r}{below}."
            " Pass --no-header if that is a label, or --header if it is the name."
        )


def _has_form_of_all(cell: str, cells: Iterable[str]) -> bool:
    """Whether a cell with a number differs from all others in the number alone, as c1 from c2 and c10."""
    return cell.strip("0123456789") != cell != "" and all(
        re.sub("[0-9]+", "0", other) == re.sub("[0-9]+", "0", cell) for other in cells
    )


def _without_no_labels(
    reading: Reading, columns: list[str], places: list[int], n_named: int, why: Callable[[int], str]
) -> list[int]:
    """The places of columns that are named, and of the others those that hold labels, with a remark."""
    reasons = {
        place: "no name" if NAMELESS.fullmatch(columns[place]) else why(place) for place in places[n_named:]
    }
    out = [f"{columns[place]!r} ({reason})" for place, reason in reasons.items() if reason]
    if out:
        reading.remarks.append(f"left out unless named: {', '.join(out)}")
    return [*places[:n_named], *(place for place, reason in reasons.items() if not reason)]


class _Column:
    """Cells of a column, each text kept once."""

    def __init__(self) -> None:
        self.code_of: dict[str, int] = {}
        self.codes = array("i")

    def add(self, cell: str) -> None:
        """Take the next cell."""
        self.codes.append(self.code_of.setdefault(cell, len(self.code_of)))

    def has_reals(self) -> bool:
        """Whether all cells that are not missing are numbers, some of which are not whole."""
        cells = {cell.strip().replace(",", ".") for cell in self.code_of} - {"", *NA_VALUES}
        return all(map(NUMBER.fullmatch, cells)) and not all(float(cell).is_integer() for cell in cells)

    def why_no_labels(self) -> str:
        """Why the cells are no labels of clusters; empty if they are."""
        if self.has_reals():
            return "real numbers"
        return "another value in each row" if 1 < len(self.codes) == len(self.code_of) else ""

    def names_rows(self) -> bool:
        """Whether nine cells of ten, or more, differ from all before them, and are no measurements."""
        return 10 * len(self.code_of) >= 9 * len(self.codes) and not self.has_reals()

    def texts(self) -> list[str]:
        """The cells, whole numbers written alike."""
        cells = [as_key(cell) for cell in self.code_of]
        return [cells[code] for code in self.codes]


def _labels(path: str, name: str, column: _Column, reading: Reading, header: bool) -> Any:
    """Labels of a column of text, None if missing."""
    cells: list[str | None] = [
        None if not cell.strip() or cell.strip() in NA_VALUES else cell for cell in column.code_of
    ]
    codes = np.array(column.codes)
    if None in cells and reading.missing == "raise":
        row = int(np.isin(codes, [code for code, cell in enumerate(cells) if cell is None]).argmax())
        where = f"{list(column.code_of)[codes[row]]!r} in row {row + 1 + header}"
        raise _missing(path, name, where)
    labels = _as_labels(path, name, cells, reading)
    if all(isinstance(label, int) for label in labels):
        return np.array(labels)[codes]
    return [labels[code] for code in column.codes]


def _as_labels(path: str, name: str, cells: list[str | None], reading: Reading) -> list[Any]:
    """Integers if all cells that are there write whole numbers, else text, except for the label of noise."""
    numbers = {cell: whole_number(cell.strip()) for cell in set(cells) if cell is not None}
    if None not in numbers.values():
        return [cell and numbers[cell] for cell in cells]
    _refuse_lists(path, name, numbers)
    label = reading.label if reading.noise else reading.noise_label
    return [label if cell == reading.noise_label else cell for cell in cells]


def _refuse_lists(path: str, name: str, numbers: dict[str, int | None]) -> None:
    """Raise if texts are lists of several labels.

    Lists of whole numbers are such if blanks part them, or others stand alone; other texts if all their parts
    stand alone elsewhere.
    """
    texts = {cell.strip() for cell, number in numbers.items() if number is None}
    lists = {text for text in texts if len(PARTS.split(text)) > 1 and all(PARTS.split(text))}
    of_numbers = lists == texts and all(map(WHOLE_NUMBER.fullmatch, PARTS.split(" ".join(texts))))
    if not (of_numbers and (len(texts) < len(numbers) or " " in "".join(texts))):
        alone = {cell.strip() for cell in numbers}
        lists = {text for text in lists if alone.issuperset(PARTS.split(text))}
    if lists:
        raise ValueError(
            f"`{path}` must have one label for each object; got {min(lists)!r} in column {name!r}, which may"
            " be several clusters of one object, or several columns. Compare clusters that overlap in Python,"
            " by `chancecorr.Cover`; pass --sep for another mark between columns."
        )


def _read_arrow(
    path: str, kind: str, names: Names, reading: Reading, with_others: bool, with_keys: bool
) -> Read:
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
        schema = read_schema(path, kind)
        columns = list(schema.names)
        places = _places(path, columns, names, with_others)
        chosen = [columns[k] for k in places]
        others = [each.name for each in schema if with_keys and _is_text_or_whole(each.type)]
        others = [name for name in others if name not in chosen and columns.count(name) == 1]
        read = parquet.read_table if kind == "Parquet" else feather.read_table
        table = read(path, columns=[*dict.fromkeys(chosen), *others], memory_map=False)
        table.validate(full=True)
        kept = _without_no_labels(
            reading, columns, places, len(names), lambda k: _why_no_arrow_labels(table.column(columns[k]))
        )
        labels = [
            (columns[k], _arrow_labels(path, columns[k], table.column(columns[k]), reading)) for k in kept
        ]
        keys = {name: _arrow_keys(table.column(name)) for name in others}
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:  # OSError of a damaged file
        raise ValueError(f"`{path}` must be a file of {kind}; got: {error}") from None
    if not table.num_rows:
        raise ValueError(f"`{path}` must hold labels; got no rows.")
    return Read(labels, {name: cells for name, cells in keys.items() if cells})


def _why_no_arrow_labels(column: Any) -> str:
    """Why the values of a column of Arrow are no labels of clusters; empty if they are."""
    from pyarrow import compute, types

    if types.is_floating(column.type) or types.is_decimal(column.type):
        values = column.drop_null().cast("float64")
        finite = values.filter(compute.is_finite(values))
        if not compute.all(compute.equal(finite, compute.floor(finite))).as_py() and len(finite):
            return "real numbers"
    if types.is_nested(column.type) or not 1 < len(column) == len(compute.unique(column)):
        return ""
    return "another value in each row"


def _is_text_or_whole(column_type: Any) -> bool:
    """Whether a column of Arrow with this type holds texts or whole numbers, as a key does."""
    from pyarrow import types

    kind = getattr(column_type, "value_type", column_type)
    is_text = types.is_string(kind) or types.is_large_string(kind)
    return (is_text or types.is_integer(kind)) and not types.is_nested(column_type)


def _arrow_keys(column: Any) -> list[str]:
    """Texts of a column of Arrow that may tell the objects apart; none if it does not."""
    from pyarrow import compute

    if 10 * len(compute.unique(column)) < 9 * len(column):
        return []
    return [as_key(str(value)) if value is not None else "" for value in column.to_pylist()]


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
    texts = column.to_pylist()
    if not types.is_nested(column.type):
        _refuse_lists(path, name, {text: whole_number(text.strip()) for text in set(texts) - {None}})
    label = reading.label if reading.noise else reading.noise_label
    return [label if each == reading.noise_label else each for each in texts]


def _missing(path: str, column: str, where: str) -> ValueError:
    """Error that names a missing label."""
    return ValueError(
        f"`{path}` must not hold missing labels; got {where} in column {column!r}."
        " Pass --missing drop to leave such objects out."
    )


def as_key(cell: str) -> str:
    """A cell of a column that names rows, in which 7 and 7.0 are one name."""
    number = whole_number(cell.strip())
    return cell.strip() if number is None else str(number)


def whole_number(text: str) -> int | None:
    """The number that a text writes, if it is a whole one."""
    return int(text.split(".")[0]) if WHOLE_NUMBER.fullmatch(text) else None


def _places(path: str, columns: list[str], names: Names, with_others: bool) -> list[int]:
    """Places of columns among those of a file."""
    others = [name for name in columns if name not in names] if with_others else []
    if len(others) > MOST_OTHERS:
        raise ValueError(
            f"`{path}` must have at most {MOST_OTHERS:,} columns besides those named; got {len(others):,}."
            " Name the candidates."
        )
    place_of, times = {name: place for place, name in enumerate(columns)}, Counter(columns)
    listed = ", ".join(map(repr, columns[:20])) + (", ..." if len(columns) > 20 else "")
    places = []
    for name in [*names, *others]:
        if name is None and len(columns) != 1:
            raise ValueError(
                f"`{path}` must have one column or be given as FILE:COLUMN; got {len(columns)}: {listed}."
            )
        if name is not None and times[name] != 1:
            hint = did_you_mean(name, columns) if not times[name] else ""
            if name.isdigit() and 0 < int(name) <= len(columns):
                hint = " Pass --no-header if that is a label, or to name columns by their numbers."
            many = f"must have one column {name!r}; got {times[name]}." if times[name] else None
            raise ValueError(f"`{path}` {many or f'has no column {name!r}. Columns: {listed}.'}{hint}")
        places.append(0 if name is None else place_of[name])
    return places
