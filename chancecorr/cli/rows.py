"""Rows of a file of text, one at a time, and what tells such a file from others."""

import contextlib
import csv
import gzip
import io
import itertools
import re
import sys
import warnings
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

ARCHIVE, NUMPY = b"PK\x03\x04", b"\x93NUMPY"  # how such files begin

KINDS_OF_FILES = {
    ARCHIVE: "a workbook or another archive; save the sheet as CSV",
    b"\xff\xfe": "text in UTF-16; save it in UTF-8",
    b"\xfe\xff": "text in UTF-16; save it in UTF-8",
    b"PAR1": "a Parquet file; give its name the ending .parquet",
    b"ARROW1": "an Arrow file; give its name the ending .arrow",
    NUMPY: "an array of NumPy; give it as FILE.npy, without a column",
    b"\x89HDF": "an HDF5 file (.h5ad, .mat); write its labels as CSV",
    b"II*\x00": "a TIFF image; load it in Python and pass the array",
    b"\x1f\x8b": "a compressed file; give its name the ending .gz",
    b'{"': "JSON; write a community in each line, or read it in Python",
    b"((": "a tree in Newick format; read it in Python as `Tree`",
    b"#begin document": "CoNLL; read its clusters in Python, as sets of mentions",
    b"label\tnumOtus": "a list of mothur; write a line for each sequence, with its OTU",
    b"(mclheader": "a matrix of MCL; write its clusters by mcxdump, or by mcl with --abc",
    b"<?xml": "a file of XML; write a line for each node, with its community",
    b"graph [": "GML; write a line for each node, with its community",
    b"Creator ": "GML; write a line for each node, with its community",
}
"""How files of other kinds begin, and what to do with them."""

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "blank": " "}
"""Marks between cells by their names on the command line; several blanks are one mark."""

WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0*)?")
"""7, -1, and 7.0 as pandas writes integers beside missing values; not 007, a code that differs from 7."""

NUMBER = re.compile(r"[-+]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][-+]?[0-9]+)?")
"""A number as files have it, with a point or a comma, in words such as 1e-05 or not.

As in all patterns for cells, what one part takes no neighbour can take: a match goes once over a long cell.
"""

LIST_MARKS = re.compile(r" *[,;|] *| +")
"""What parts the clusters of one object in files of overlapping communities."""

COMMENTS = r"(?:[#%](?:[ \t].*)?\r?\n)*"  # lines before the first row of a table that are none of its rows

CHARACTERS_SAMPLED = 65_536  # at the beginning of a file, in which its mark between cells is looked for
MAX_BYTES = 4 << 30  # of a file of text, all of which are held


@contextlib.contextmanager
def open_text(path: str) -> Iterator[io.TextIOWrapper]:
    """The text of a file, which may be compressed, or of standard input; all of it is held."""
    form = gzip.open if path.lower().endswith(".gz") else open
    try:
        with sys.stdin.buffer if path == "-" else form(path, "rb") as file:
            head, read = file.read(CHARACTERS_SAMPLED), io.BytesIO()
            chunk = head
            while chunk:
                read.write(chunk)
                if read.tell() > MAX_BYTES:
                    raise ValueError(f"`{path}` must have at most {MAX_BYTES >> 30} GiB; got more.")
                chunk = b"" if b"\0" in head else file.read(1 << 20)  # text has no such byte
        read.seek(0)
        for start, kind in KINDS_OF_FILES.items():
            if head.removeprefix(b"\xef\xbb\xbf").startswith(start):
                raise ValueError(f"`{path}` must be a CSV file in UTF-8; got {kind}.")
        if b"\0" in head:
            raise ValueError(f"`{path}` must be a CSV file in UTF-8; got bytes that are no text.")
        yield io.TextIOWrapper(read, encoding="utf-8-sig", newline="")
    except (csv.Error, UnicodeError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"`{path}` must be a CSV file in UTF-8; got: {error}.") from None
    except OSError as error:
        error.filename = error.filename or path  # of an error while the file is read
        raise


def load_array(path: str, argument: str) -> Any:
    """Read an array without objects that NumPy saved; nothing larger than the file is made of it."""
    rule = f"`{argument}` must be an array without objects that numpy.save wrote; got"
    try:
        with open(path, "rb") as file:
            beginning = file.read(len(NUMPY))
        if beginning.startswith(ARCHIVE):
            raise ValueError(f"{rule} {path!r}, an archive (.npz). Save one of its arrays by numpy.save.")
        if beginning != NUMPY:
            raise ValueError(f"{rule} {path!r}, another kind of file.")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Python, about a damaged header
            return np.array(np.load(path, mmap_mode="r"))
    except OSError as error:
        error.filename = error.filename or path
        raise
    except (MemoryError, ValueError) as error:
        if isinstance(error, MemoryError) or str(error).startswith(rule):
            raise
        what = " ".join(str(error).split())
    except Exception as error:  # a damaged header is read as Python, of which anything can be wrong
        what = f"a damaged header ({type(error).__name__})"
    raise ValueError(f"{rule} {path!r}: {what[:200]}.")


def read_rows(
    path: str, text: io.TextIOWrapper, separator: str | None, header: bool | None, of_counts: bool = False
) -> Generator[list[str]]:
    """Rows of a text, as many cells in each; a separator that is None is looked for in the first lines.

    Comments before the first row are left out. Where that row has a cell less than all others, as R writes
    columns with the names of rows, it gets an empty first cell, unless there is no `header`. Blanks part
    counts without a question.
    """
    beginning = text.read(CHARACTERS_SAMPLED)
    comments = re.match(COMMENTS, beginning)[0]  # type: ignore[index]  # it matches nothing at all as well
    text.seek(0)
    text.read(len(comments))
    mark = separator or _find_separator(path, beginning[len(comments) :], of_counts)
    is_of_r = header is not False and lacks_corner(_read_first_rows(beginning[len(comments) :], mark))
    empty, width = 0, 0  # empty lines count if others follow
    for number, cells in enumerate(_split_cells(text, mark), 1):
        if not cells:
            empty += 1
            continue
        row = ["", *cells] if is_of_r and number == 1 else cells
        width = width or len(row)
        if len(row) != width:
            raise ValueError(f"`{path}` must have {width} cells in each row; got {len(row)} in row {number}.")
        yield from itertools.repeat([], empty)
        empty = 0
        yield row


def _split_cells(text: Iterable[str], mark: str) -> Iterator[list[str]]:
    """Rows of a text in cells, without empty cells around blanks."""
    if mark == " ":
        text = (line.rstrip(" \t\r\n") + "\n" for line in text)
    return csv.reader(text, delimiter=mark, skipinitialspace=mark == " ")


def _read_first_rows(beginning: str, mark: str) -> list[list[str]]:
    """The rows at the beginning of a text that have cells, at most a hundred, none that is cut off."""
    rows = list(itertools.islice(filter(None, _split_cells(io.StringIO(beginning, newline=""), mark)), 100))
    return rows[:-1] if 1 < len(rows) < 100 and len(beginning) == CHARACTERS_SAMPLED else rows


def lacks_corner(rows: list[list[str]]) -> bool:
    """Whether the first row has a cell less than all others, which begin with names, or with 1, 2, ..."""
    names = [row[0] for row in rows[1:] if len(row) == len(rows[0]) + 1 and row[-1].strip()]
    if not 1 < len(names) == len(rows) - 1 == len(set(names)):
        return False
    return not all(map(str.isdigit, names)) or names == [str(k) for k in range(1, len(rows))]


def _find_separator(path: str, beginning: str, of_counts: bool) -> str:
    """The mark that gives all first rows as many cells; an error where there are two such marks."""
    rows = {name: _read_first_rows(beginning, mark) for name, mark in SEPARATORS.items()}
    # all rows have as many cells, two at least, or the first one less
    fitting = [
        name
        for name, parted in rows.items()
        if len(parted) > 1 and ({*map(len, parted)} == {len(parted[0])} != {1} or lacks_corner(parted))
    ]
    is_of_tabs = path.lower().removesuffix(".gz").endswith((".tsv", ".tab"))
    if "tab" in fitting and is_of_tabs:
        return SEPARATORS["tab"]
    ways = [name for name in fitting if name != "blank"]
    if fitting == ["blank"]:
        quoted = re.match(r'\s*"[^"\n]*" +"', beginning)
        ways = ["blank"] if of_counts or quoted else ["comma", "blank"]
    if len(ways) > 1:
        number = {name: max(map(len, rows[name])) for name in ways}
        raise ValueError(
            f"`{path}` must have one mark between its cells; got {number[ways[0]]} columns by {ways[0]}"
            f" and {number[ways[1]]} by {ways[1]}. Pass --sep {ways[0]} or --sep {ways[1]}."
        )
    if not ways:  # one column, or rows of different lengths: the mark that the first row has most of
        order = ("tab", "comma", "semicolon") if is_of_tabs else ("comma", "semicolon", "tab")
        ways = [max(order, key=lambda name: max(map(len, rows[name][:1]), default=0))]
    return SEPARATORS[ways[0]]


def read_whole_number(text: str) -> int | None:
    """The number that a text writes, if it is a whole one."""
    return int(text.strip().split(".")[0]) if WHOLE_NUMBER.fullmatch(text.strip()) else None


def is_counting(cells: Sequence[str]) -> bool:
    """Whether cells are 0, 1, 2, ... or 1, 2, 3, ..."""
    first = read_whole_number(cells[0])
    return first in (0, 1) and all(read_whole_number(cell) == k for k, cell in enumerate(cells, first))
