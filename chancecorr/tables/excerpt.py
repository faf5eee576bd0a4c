"""The part of a contingency table that a page can show: its largest clusters, and what they leave out."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Floats, Integers

if TYPE_CHECKING:
    from chancecorr.tables.contingency import ContingencyTable

MOST_SHOWN = 20
"""Rows, and columns, up to which a table is shown whole."""


class Excerpt(NamedTuple):
    """Rows and columns of a table, their labels and totals, and a remark if that is not all of it."""

    counts: Integers
    row_labels: list[Any]
    column_labels: list[Any]
    row_totals: Integers
    column_totals: Integers
    remark: str

    @property
    def overlaps(self) -> Floats:
        """Jaccard similarity of row and column: the objects in both, as a share of those in either."""
        either = self.row_totals[:, None] + self.column_totals - self.counts
        shares: Floats = self.counts / np.maximum(either, 1)
        return shares


def excerpt(table: "ContingencyTable", most: int = MOST_SHOWN) -> Excerpt:
    """The table itself, or its `most` largest rows, or columns, where it has more; these largest first.

    Examples
    --------
    >>> from chancecorr.tables.contingency import ContingencyTable
    >>> part = excerpt(ContingencyTable([[1, 0], [3, 3], [0, 2]], row_labels="a b c".split()), most=2)
    >>> part.counts.tolist(), part.row_labels
    ([[3, 3], [0, 2]], ['b', 'c'])
    >>> part.remark
    'Shown: the 2 largest of 3 rows, and all 2 columns, with 89 % of the objects.'
    """
    rows, columns = _largest(table.row_totals, most), _largest(table.column_totals, most)
    if isinstance(table.counts, np.ndarray):
        counts = table.counts[np.ix_(rows, columns)]
    else:
        counts = table.counts[rows][:, columns].toarray()
    remark = ""
    if rows.size < table.shape[0] or columns.size < table.shape[1]:
        sizes = [
            f"the {shown.size} largest of {size:,} {name}" if shown.size < size else f"all {size} {name}"
            for shown, size, name in zip((rows, columns), table.shape, ("rows", "columns"), strict=True)
        ]
        share = percent(int(counts.sum()), table.n)
        remark = f"Shown: {', and '.join(sizes)}, with {share} of the objects."
    return Excerpt(
        counts=counts,
        row_labels=_listed(table.row_labels, rows),
        column_labels=_listed(table.column_labels, columns),
        row_totals=table.row_totals[rows],
        column_totals=table.column_totals[columns],
        remark=remark,
    )


def percent(part: int, whole: int) -> str:
    """Share of a whole as text, 0 % and 100 % only where it is nothing and all.

    Examples
    --------
    >>> percent(1, 3), percent(1, 1000), percent(999, 1000), percent(5, 5)
    ('33 %', '< 1 %', '> 99 %', '100 %')
    """
    if not 0 < part < whole:
        return "0 %" if part == 0 else "100 %"
    share = round(100.0 * part / whole)
    return "< 1 %" if share == 0 else "> 99 %" if share == 100 else f"{share} %"


def shortened(label: object, most: int) -> str:
    """Label as text, cut in the middle beyond so many characters.

    Examples
    --------
    >>> shortened("Strigiformes", 7), shortened(3, 7)
    ('Str…mes', '3')
    """
    text = str(label)
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}…{text[len(text) - (most - 1) // 2 :]}"


def _largest(totals: Integers, most: int) -> Integers:
    """Places of the largest totals, largest first, or all places in order where they are few."""
    if totals.size <= most:
        return np.arange(totals.size)
    return np.argsort(-totals, kind="stable")[:most]


def _listed(labels: npt.NDArray[Any], places: Integers) -> list[Any]:
    listed: list[Any] = labels[places].tolist()
    return listed
