"""Rows of a file of text, one at a time, and what tells such a file from others."""

import csv
import io
import itertools
import sys
from collections.abc import Generator

from chancecorr.simulation.progress import progress_over

KINDS_OF_FILES = {
    b"PK\x03\x04": "a workbook or another archive; save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an Excel workbook; save the sheet as CSV",
    b"\xff\xfe": "text in UTF-16; save it in UTF-8",
    b"\xfe\xff": "text in UTF-16; save it in UTF-8",
    b"\x1f\x8b": "a compressed file; decompress it, as by gunzip",
}
"""How files of other kinds begin, and what to do with them."""

MOST_ROWS = 100_000_000
"""Rows that are read of a file, of which a minute takes 50 million or so."""

ROWS_BETWEEN_LOOKS = 65_536
"""Rows from one look at the bar to the next."""


def rows_of(path: str) -> Generator[list[str]]:
    """Rows of a file in cells, parted by commas, semicolons or tabs: whichever its first line has most of."""
    with sys.stdin.buffer if path == "-" else open(path, "rb") as file:
        found = file.read()
    for start, kind in KINDS_OF_FILES.items():
        if found.startswith(start):
            raise ValueError(f"`{path}` must be a CSV file in UTF-8; got {kind}.")
    read = io.BytesIO(found)
    text = io.TextIOWrapper(read, encoding="utf-8-sig", newline="")
    try:
        beginning = text.read(65_536)
        text.seek(0)
        empty = 0
        with progress_over(f"megabytes of {path}", len(found) >> 20, None) as show:
            for number, row in enumerate(csv.reader(text, delimiter=_delimiter(path, beginning))):
                if number % ROWS_BETWEEN_LOOKS == 0:
                    show(read.tell() >> 20)
                if number == MOST_ROWS:
                    raise ValueError(f"`{path}` must have at most {MOST_ROWS:,} rows; got more.")
                if not row:
                    empty += 1
                    continue
                yield from itertools.repeat([], empty)
                empty = 0
                yield row
    except (csv.Error, UnicodeError) as error:
        raise ValueError(f"`{path}` must be a CSV file in UTF-8; got: {error}.") from None


def _delimiter(path: str, beginning: str) -> str:
    """The mark between the cells of the first row."""

    def cells(mark: str) -> int:
        return len(next(csv.reader(io.StringIO(beginning, newline=""), delimiter=mark), []))

    return max("\t,;" if path.lower().endswith((".tsv", ".tab")) else ",;\t", key=cells)
