"""Cells of one column of a file, which cells are missing, and the labels that the others stand for."""

import itertools
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chancecorr.cli.rows import LIST_MARKS, NUMBER, read_whole_number
from chancecorr.machine.notes import Note
from chancecorr.tables.crosstab import MISSING_MARKS
from chancecorr.tables.reading import Missing

NA_VALUES = (
    "", "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "<NA>", "#N/A", "#N/A N/A",
    "#NA", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN",
)  # fmt: skip
"""Texts that pandas reads as a missing cell, including NA of R."""

NA_OF_OTHERS = "NaT", "\\N", "#NULL!", "#VALUE!", "#DIV/0!", "#REF!", "#NAME?", "#NUM!"
"""Missing values as written by pandas (dates), MySQL, SPSS, and spreadsheets (formulas that fail)."""

NO_LABELS = frozenset((*NA_VALUES, *NA_OF_OTHERS))
"""Texts of missing cells; `MISSING_MARKS` may be missing cells or labels."""

SMALLEST_ROUNDED_FLOAT = 2.0**53  # above it floats cannot represent every whole number

MIN_SHARE_DIFFERENT = 0.9  # share of different cells; a column above it holds names or measurements


def read_label(text: str) -> int | str:
    """Return a label as a number if it is a whole number, as labels of files are."""
    number = read_whole_number(text)
    return text if number is None else number


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Options for reading files; the first two fields are for text files."""

    header: bool | None  # True if the first line has column names; False names them "1", "2", ...
    separator: str | None = None  # the mark between cells; None finds it
    encoding: str = "utf-8"
    missing: Missing
    noise: tuple[str, ...]  # policies, one, or one for the reference and one for the others
    noise_label: str
    key: str | None = None  # the column that matches the rows of files
    layout: str | None = None  # format of a file with one clustering, of `FORMATS`; None finds it
    gap: str | None = None  # label of time without a segment
    has_draws: bool = False  # True if draws come from a file, which has objects by position
    overlap: bool = False  # True if the options say that communities overlap
    notes: list[Note] = field(default_factory=list)  # for the line on stderr

    @property
    def label(self) -> int | str:
        """The noise label, as a number if it is a whole number."""
        return read_label(self.noise_label)

    @property
    def gap_label(self) -> int | str | None:
        """The label of gaps, as a number if it is a whole number."""
        return None if self.gap is None else read_label(self.gap)

    @property
    def keywords(self) -> dict[str, Any]:
        """Keywords of the functions that take the labels."""
        sides = tuple({self.label: policy} for policy in self.noise)
        return {"noise": (sides if len(sides) > 1 else sides[0]) if sides else None, "missing": self.missing}


class Column:
    """Cells of a column, with each text stored once; None is a missing value of a binary file."""

    def __init__(self, cells: Iterable[str | None] = (), *, is_text: bool = True) -> None:
        self.is_text, self.is_words = is_text, False  # texts of binary files are not read as numbers
        self.code_of: dict[str | None, int] = {}
        self.codes: Any = array("i")
        for cell in cells:
            self.add(cell)

    def add(self, cell: str | None) -> None:
        """Append a cell."""
        self.codes.append(self.code_of.setdefault(cell, len(self.code_of)))

    def list_present(self, *, with_marks: bool = True) -> list[str | None]:
        """List distinct cells, None for missing cells; marks that may be labels are kept or missing."""
        missing = {*NO_LABELS} if self.is_text else set[str]()
        if self.is_text and not with_marks:
            missing |= {mark for mark in MISSING_MARKS if mark != "-" or "+" not in self.code_of}
        return [None if cell is None or cell.strip() in missing else cell for cell in self.code_of]

    def has_reals(self) -> bool:
        """Return True if all cells that are not missing are finite numbers, and some are not whole."""
        present = self.list_present(with_marks=False)
        cells = {cell.strip().replace(",", ".") for cell in present if cell} - {"inf", "-inf"}
        return all(map(NUMBER.fullmatch, cells)) and not all(float(cell).is_integer() for cell in cells)

    def explain_no_labels(self) -> str:
        """Explain why a column does not hold labels of clusters; empty text if it may hold labels."""
        present = self.list_present(with_marks=False)
        distinct = sum(cell is not None for cell in present)
        if not distinct:
            return "empty"
        if self.has_reals():
            return "real numbers"
        if 1 < len(self.codes) == distinct:
            return "all values differ"
        times = np.bincount(self.codes, minlength=len(present))
        filled = int(times[[cell is not None for cell in present]].sum())
        if distinct > 1 and distinct >= MIN_SHARE_DIFFERENT * filled:
            return f"{distinct:,} different values in {filled:,} rows"
        return ""

    def names_rows(self) -> bool:
        """Return True if the column looks like row names: at least 90 % distinct values, not real numbers."""
        return 10 * len(self.code_of) >= 9 * len(self.codes) and not self.has_reals()

    def texts(self) -> list[str]:
        """Return the cells as texts, with whole numbers in one form: 7 and 7.0 are the same name."""
        numbers = [(cell or "", read_whole_number(cell or "")) for cell in self.code_of]
        cells = [cell.strip() if number is None else str(number) for cell, number in numbers]
        return [cells[code] for code in self.codes]


def read_labels(path: str, name: str, column: Column, reading: Reading) -> Any:
    """Return the labels of a column, None if missing; integers if all are whole numbers."""
    cells = column.list_present(with_marks=reading.missing == "raise")
    codes = np.array(column.codes)
    marks = [cell for cell in (cell and cell.strip() for cell in column.code_of) if cell in MISSING_MARKS]
    if None in cells and marks and reading.missing != "raise":
        text = f"{' and '.join(map(repr, dict.fromkeys(marks)))} counts as missing"
        reading.notes.append(Note("missing", text, name))
    rounded = next((cell for cell in cells if cell and is_rounded_float(cell)), None)
    if rounded:
        text = (
            f"{rounded} is a float of at least 2**53, to which several whole numbers are rounded; write"
            " identifiers as whole numbers or text"
        )
        reading.notes.append(Note("rounded labels", text, name))
    if None in cells and reading.missing == "raise":
        row = int(np.isin(codes, [code for code, cell in enumerate(cells) if cell is None]).argmax())
        cell = list(column.code_of)[codes[row]]
        raise ValueError(
            f"`{path}` must not hold missing labels; got {cell!r} in row"
            f" {row + 1 + (column.is_text and reading.header is not False)} in column {name!r}."
            " Pass --missing drop to leave such objects out, or singletons."
        )
    numbers = {cell: read_whole_number(cell) for cell in cells if cell is not None}
    labels: list[Any]
    if None not in numbers.values() and not column.is_words:
        labels = [cell and numbers[cell] for cell in cells]
    else:
        _refuse_lists(path, name, numbers)
        noise = reading.label if reading.noise else reading.noise_label
        labels = [noise if cell == reading.noise_label else cell for cell in cells]
    are_integers = all(isinstance(label, int) for label in labels)
    return np.array(labels, dtype=np.int64 if are_integers else object)[codes]


def is_rounded_float(cell: str) -> bool:
    """Return True if a text is a float so large that whole numbers are rounded to it."""
    cell = cell.strip()
    is_float = len(cell) < 400 and ("." in cell or "e" in cell.lower()) and NUMBER.fullmatch(cell)
    return bool(is_float) and SMALLEST_ROUNDED_FLOAT <= abs(float(cell.replace(",", "."))) < np.inf


def _refuse_lists(path: str, name: str, labels: Iterable[str]) -> None:
    """Raise if texts are lists of several labels.

    Whole numbers with separators are lists if blanks separate them, or if some cells are a single number.
    Other texts are lists if each of their parts is a whole cell elsewhere.
    """
    parts = {label: LIST_MARKS.split(label.strip()) for label in labels}
    alone = {label.strip() for label, of in parts.items() if len(of) == 1}
    are_numbers = None not in map(read_whole_number, itertools.chain(*parts.values()))
    are_lists = are_numbers and (alone or any(" " in label.strip() for label in parts))
    lists = [label for label, of in parts.items() if len(of) > 1 and (are_lists or alone.issuperset(of))]
    if lists:
        raise ValueError(
            f"`{path}` must have one label for each object; got {min(lists)!r} in column {name!r}, which may"
            " be several clusters of one object, or several columns. For overlapping clusters pass the file"
            " without a column, and --format nodes; pass --sep for another mark between columns."
        )


def encode_arrow(column: Any) -> Column:
    """Return the values of an Arrow column as texts, None if missing."""
    from pyarrow import types

    is_encoded = types.is_dictionary(column.type)
    parts = (column.unify_dictionaries() if is_encoded else column.dictionary_encode()).combine_chunks()
    values = [*parts.dictionary.to_pylist(), None][: None if parts.null_count else -1]
    encoded = Column(
        (None if value is None or value != value else str(value) for value in values), is_text=False
    )
    encoded.is_words = types.is_string(parts.dictionary.type) or types.is_large_string(parts.dictionary.type)
    encoded.codes = np.array(encoded.codes)[parts.indices.cast("int64").fill_null(-1).to_numpy()]
    return encoded
