"""Read tables of counts from text files, for the command line."""

import re
from collections import Counter

import numpy as np

from chancecorr.cli.cells import Reading
from chancecorr.cli.rows import NUMBER, is_counting, open_text, read_rows, read_whole_number
from chancecorr.machine.notes import Note
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.totals import Names, find_totals

COUNT_NAMES = re.compile(r"n|nr|no|count|counts|freq|frequency|size|value|values|weight|0", re.IGNORECASE)
"""Names of the column of counts in a table in long form."""

HOW_TO_WIDEN = "Widen a table in long form, with a row for each pair of clusters, as by `pandas.pivot_table`"


def read_counts(path: str, reading: Reading) -> ContingencyTable:
    """Read counts from a text file, the reference in rows; the first row and column may hold names."""
    with open_text(path, reading.encoding) as text:
        read = read_rows(path, text, reading.separator, reading.header, of_counts=True)
        rows = [[cell.strip() for cell in row] for row in read if row]
    has_header = bool(rows) and (_has_header(path, rows) if reading.header is None else reading.header)
    reading.notes.append(Note("header", "header in line 1" if has_header else "no header"))
    first, body = rows[0] if rows else [""], rows[has_header:]
    header = first if has_header else None
    _refuse_long_form(path, header, body)
    with_names = _has_row_names(path, header, body)
    for what, names in (
        ("rows", [row[0] for row in body] if with_names else []),
        ("columns", first[with_names:] if has_header else []),
    ):
        for name, times in Counter(names).most_common(1):
            if times > 1:
                raise ValueError(
                    f"`{path}` must have different names of {what}; got {name!r} {times} times."
                    f" {HOW_TO_WIDEN}."
                )
    counts: list[list[int]] = []
    for number, row in enumerate(body, 1 + has_header):
        counts.append([])
        for cell in row[with_names:]:
            count = read_whole_number(cell)
            if count is None:
                raise ValueError(f"`{path}` must hold whole numbers; got {cell!r} in row {number}.")
            counts[-1].append(count)
    if not any(map(any, counts)):
        raise ValueError(f"`{path}` must hold counts of at least one object; got none.")
    row_names = [row[0] for row in body] if with_names else None
    column_names = first[with_names:] if has_header else None
    _refuse_totals(path, counts, (row_names, column_names))
    return ContingencyTable(counts, row_labels=row_names, column_labels=column_names)


def _refuse_totals(path: str, counts: list[list[int]], names: tuple[Names, Names]) -> None:
    """Raise if the last row or column holds totals."""
    table = np.array(counts, dtype=object)  # sums may exceed 64 bits, which raises an error later
    are_totals, got = find_totals(table, (table.sum(axis=1), table.sum(axis=0)), names)
    if got:
        lines = " and ".join(what for what, of in zip(("row", "column"), are_totals, strict=True) if of)
        way = f"Leave the last {lines} out of the file"
        if None in names and all(are_totals):
            way += ", or name all rows and columns if they are clusters"
        raise ValueError(f"`{path}` must not hold totals; got sums in the last {lines}. {way}.")


def _has_header(path: str, rows: list[list[str]]) -> bool:
    """Return True if the first row of a table of counts has the column names; raise if ambiguous."""
    (corner, *cells), names = rows[0], [row[0] for row in rows[1:]]
    numbers = [read_whole_number(cell) for cell in cells]
    if not cells or not corner:
        return not corner or read_whole_number(corner) is None
    if not all(map(NUMBER.fullmatch, cells)):
        return True
    if NUMBER.fullmatch(corner):  # a number in the corner, so rows have no names
        is_open = None in numbers or is_counting([corner, *cells])
    elif None in numbers or corner in names or not names:
        is_open = None in numbers
    elif all(map(NUMBER.fullmatch, names)) or min(map(float, cells)) < 0.0:
        return True
    elif is_counting(sorted(cells, key=float)):
        is_open = _find_form(corner) in map(_find_form, names) or len(names) < 2 or len(cells) < 2
        if not is_open:
            return True
    else:
        is_open = cells == sorted(set(cells), key=float)  # as `pandas.crosstab` sorts names
    if is_open:
        _refuse_long_form(path, None, rows)
        raise ValueError(
            f"`{path}` must begin with a line of names or of counts; got {','.join(rows[0])!r}, which may be"
            " either. Pass --header if it holds the names of columns, or --no-header."
        )
    return False


def _has_row_names(path: str, header: list[str] | None, body: list[list[str]]) -> bool:
    """Return True if the rows of a table of counts begin with names; raise if ambiguous."""
    numbers = [read_whole_number(row[0]) for row in body]
    if None in numbers or header is None or len(header) == 1 or read_whole_number(header[0]) is not None:
        return None in numbers
    values = [number for number in numbers if number is not None]
    if not header[0] or all(map(NUMBER.fullmatch, header[1:])) or min(values, default=0) < 0:
        return True
    if values in ([0, 1], [1, 2]) or (len(values) > 2 and values == sorted(set(values))):
        raise ValueError(
            f"`{path}` must say whether its first column, {header[0]!r}, holds names or counts; got numbers"
            " that rise. Leave the first cell of the file empty if they are names, or its first line out"
            " and pass --no-header if they are counts."
        )
    return False


def _refuse_long_form(path: str, header: list[str] | None, body: list[list[str]]) -> None:
    """Raise if each row holds a cluster of the reference, a cluster of the candidate, and a count.

    This is so if all pairs of clusters differ, clusters of both sides recur, and the last column has a name
    of counts, or the first column is text, or the pairs are sorted.
    """
    width = len(body[0]) if body else 0
    named = header is not None and COUNT_NAMES.fullmatch(header[-1])
    pairs = [(row[-3], row[-2]) for row in body] if width == 3 or (width == 4 and named) else []
    if not 1 < len(set(pairs)) == len(pairs):
        return
    again = all(len(set(side)) < len(pairs) for side in zip(*pairs, strict=True))
    text = not all(NUMBER.fullmatch(a) for a, _ in pairs)
    in_order = len(pairs) > 3 and pairs in (sorted(pairs), sorted(pairs, key=lambda pair: pair[::-1]))
    if (named and width == 3 and header and header[0]) or (again and (named or text or in_order)):
        raise ValueError(
            f"`{path}` must have a row for each cluster of the reference and a column for each one of the"
            f" candidate; it seems to be in long form. {HOW_TO_WIDEN}, or give all rows different names."
        )


def _find_form(name: str) -> str:
    """Replace the digits of a name, or its only letter: a1 and a20 get the same form, and so do x and y."""
    return "a" if len(name) == 1 else re.sub("[0-9]+", "0", name)
