"""Read a text file row by row, and recognise files of other kinds."""

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
    ARCHIVE: "a workbook or another archive; save the sheet as CSV, or an array of NumPy by numpy.save",
    b"\xff\xfe": "text in UTF-16; save it in UTF-8",
    b"\xfe\xff": "text in UTF-16; save it in UTF-8",
    b"PAR1": "a Parquet file; give its name the ending .parquet",
    b"ARROW1": "an Arrow file; give its name the ending .arrow",
    NUMPY: "an array of NumPy; give it as FILE.npy, without a column",
    b"\x89HDF": "an HDF5 file (.h5ad, .mat); write its labels as CSV",
    b"II*\x00": "a TIFF image; load it in Python and pass the array",
    b"\x1f\x8b": "a compressed file; give its name the ending .gz, or write data of R by write.csv",
    b"MATLAB 5.0 ": "a file of MATLAB; write its labels as CSV, for example by writematrix",
    b"$FL2": "a file of SPSS; save it as CSV",
    b"<stata_dta>": "a file of Stata; write it by export delimited",
    b"\x80\x04": "a pickle of Python; write its labels as CSV",
    b"\x80\x05": "a pickle of Python; write its labels as CSV",
    b"@relation": "an ARFF file of Weka; save it as CSV",
    b"@RELATION": "an ARFF file of Weka; save it as CSV",
    b'{"': "JSON; write a community in each line, or read it in Python",
    b"[[": "JSON; write two linked objects, or a community, in each line, or read it in Python",
    b'[{"': "JSON; write a table as CSV, or read it in Python",
    b'File type = "ooTextFile': "a TextGrid of Praat; write a line for each interval: start, end and label",
    b"((": "a tree in Newick format; read it in Python as `Tree`",
    b"#begin document": "CoNLL; read its clusters in Python, as sets of mentions",
    b"label\tnumOtus": "a list of mothur; write a line for each sequence, with its OTU",
    b"(mclheader": "a matrix of MCL; write its clusters by mcxdump, or by mcl with --abc",
    b"<?xml": "a file of XML; write a line for each node, with its community",
    b"graph [": "GML; write a line for each node, with its community",
    b"Creator ": "GML; write a line for each node, with its community",
}
"""First bytes of files of other kinds, with advice."""

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "blank": " "}
"""Marks between cells by their names on the command line; several blanks are one mark."""

WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0*)?")
"""7, -1, and 7.0 as pandas writes integers beside missing values; not 007, a code that differs from 7."""

NUMBER = re.compile(r"[-+]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][-+]?[0-9]+)?")
"""A number in a file, with a decimal point or comma, and possibly an exponent as in 1e-05.

As in all patterns for cells, a character can only match one part, so that a long cell is scanned once.
"""

LIST_MARKS = re.compile(r" *[,;|] *| +")
"""Separators between the clusters of one object in files of overlapping communities."""

COMMENTS = r"(?:[#%](?:[ \t].*)?\r?\n)*"  # comment lines before the first row of a table

CHARACTERS_SAMPLED = 65_536  # at the beginning of a file, to find its mark between cells
MAX_BYTES = 4 << 30  # of a text file, because it is held in memory


@contextlib.contextmanager
def open_text(path: str, encoding: str = "utf-8") -> Iterator[io.TextIOWrapper]:
    """Open the text of a file, which may be compressed, or of standard input, and hold it in memory."""
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
            raise ValueError(f"`{path}` must be a CSV file in UTF-8; got bytes that are not text.")
        yield io.TextIOWrapper(read, encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="")
    except UnicodeDecodeError as error:
        way_out = ""
        if encoding == "utf-8" and is_windows_text(error.object[error.start : error.end]):
            way_out = " It may be in Windows-1252: save it as CSV UTF-8, or pass --encoding cp1252."
        raise ValueError(
            f"`{path}` must be a CSV file in {encoding.upper()}; got: {error}.{way_out}"
        ) from None
    except (csv.Error, UnicodeError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"`{path}` must be a CSV file in UTF-8; got: {error}.") from None
    except OSError as error:
        error.filename = error.filename or path  # an error during reading has no file name
        raise


def is_windows_text(rest: bytes) -> bool:
    """Return True if bytes that are not UTF-8 are letters or punctuation in Windows-1252."""
    with contextlib.suppress(UnicodeDecodeError):
        return rest.decode("cp1252").isprintable()
    return False


def load_array(path: str, argument: str) -> Any:
    """Read an array without objects that NumPy saved; it does not take more memory than the file."""
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
    except Exception as error:  # a damaged header is parsed as Python and may raise any error
        what = f"a damaged header ({type(error).__name__})"
    raise ValueError(f"{rule} {path!r}: {what[:200]}.")


def read_rows(
    path: str, text: io.TextIOWrapper, separator: str | None, header: bool | None, of_counts: bool = False
) -> Generator[list[str]]:
    """Yield the rows of a text, all with the same number of cells; find the separator if it is None.

    Comments before the first row are left out. If the first row has one cell less than all others, as R
    writes tables with row names, it gets an empty first cell, except without a `header`. Counts may be
    separated by blanks.
    """
    beginning = text.read(CHARACTERS_SAMPLED)
    comments = re.match(COMMENTS, beginning)[0]  # type: ignore[index]  # it also matches an empty text
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
    """Split the rows of a text into cells, without empty cells around blanks."""
    if mark == " ":
        text = (line.rstrip(" \t\r\n") + "\n" for line in text)
    return csv.reader(text, delimiter=mark, skipinitialspace=mark == " ")


def _read_first_rows(beginning: str, mark: str) -> list[list[str]]:
    """Return up to a hundred complete rows with cells from the beginning of a text."""
    rows = list(itertools.islice(filter(None, _split_cells(io.StringIO(beginning, newline=""), mark)), 100))
    return rows[:-1] if 1 < len(rows) < 100 and len(beginning) == CHARACTERS_SAMPLED else rows


def lacks_corner(rows: list[list[str]]) -> bool:
    """Return True if the first row has one cell less than all others, which begin with names or 1, 2, ..."""
    names = [row[0] for row in rows[1:] if len(row) == len(rows[0]) + 1 and row[-1].strip()]
    if not 1 < len(names) == len(rows) - 1 == len(set(names)):
        return False
    return not all(map(str.isdigit, names)) or names == [str(k) for k in range(1, len(rows))]


def _find_separator(path: str, beginning: str, of_counts: bool) -> str:
    """Find the mark that splits all first rows into equally many cells; raise if two marks do."""
    rows = {name: _read_first_rows(beginning, mark) for name, mark in SEPARATORS.items()}
    # all rows have the same number of cells, at least two; the first row may have one cell less
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
    if not ways:  # one column, or rows of different lengths: the most frequent mark of the first row
        order = ("tab", "comma", "semicolon") if is_of_tabs else ("comma", "semicolon", "tab")
        ways = [max(order, key=lambda name: max(map(len, rows[name][:1]), default=0))]
    return SEPARATORS[ways[0]]


def read_whole_number(text: str) -> int | None:
    """Return the whole number in a text, or None."""
    return int(text.strip().split(".")[0]) if WHOLE_NUMBER.fullmatch(text.strip()) else None


def is_counting(cells: Sequence[str]) -> bool:
    """Return True if cells are 0, 1, 2, ... or 1, 2, 3, ..."""
    first = read_whole_number(cells[0])
    return first in (0, 1) and all(read_whole_number(cell) == k for k, cell in enumerate(cells, first))
