"""The part of a contingency table that a page can show: its largest clusters, and what they leave out."""

from typing import Any, NamedTuple

import numpy as np

from chancecorr.machine.arrays import AnyArray, Floats, Integers
from chancecorr.machine.printing import visible

LINES_SHOWN = 20
"""Rows, and columns, up to which a table is shown whole."""


class Excerpt(NamedTuple):
    """Rows and columns of a table, their labels and totals, and a remark if that is not all of it."""

    counts: Integers
    row_labels: list[object]
    column_labels: list[object]
    row_totals: Integers
    column_totals: Integers
    remark: str

    @property
    def overlaps(self) -> Floats:
        """Jaccard similarity of row and column: the objects in both, as a share of those in either."""
        either = self.row_totals[:, None] + self.column_totals - self.counts
        shares: Floats = self.counts / np.maximum(either, 1)
        return shares


def excerpt(counts: Any, row_labels: AnyArray, column_labels: AnyArray) -> Excerpt:
    """Counts of shape (K, Q), dense or sparse, or those of the largest rows and columns."""
    totals = counts.sum(axis=1), counts.sum(axis=0)
    rows, columns = (
        np.arange(sizes.size)
        if sizes.size <= LINES_SHOWN
        else np.argsort(-sizes, kind="stable")[:LINES_SHOWN]
        for sizes in totals
    )
    part = counts[rows][:, columns]
    part = part if isinstance(part, np.ndarray) else part.toarray()
    remark = ""
    if part.shape != counts.shape:
        parts = [
            f"the {shown} largest of {size:,} {name}" if shown < size else f"all {size} {name}"
            for shown, size, name in zip(part.shape, counts.shape, ("rows", "columns"), strict=True)
        ]
        share = percent(int(part.sum()), int(counts.sum()))
        remark = f"Shown: {', and '.join(parts)}, with {share} of the objects."
    labels = row_labels[rows].tolist(), column_labels[columns].tolist()
    return Excerpt(part, *labels, totals[0][rows], totals[1][columns], remark)


def percent(part: int, whole: int) -> str:
    """Share of a whole as text, 0 % and 100 % only if it is nothing and all."""
    if not 0 < part < whole:
        return "0 %" if part == 0 else "100 %"
    share = round(100.0 * part / whole)
    return "< 1 %" if share == 0 else "> 99 %" if share == 100 else f"{share} %"


def shortened(label: object, most: int) -> str:
    """Label as text, cut in the middle beyond `most` characters."""
    text = visible(str(label))
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}…{text[len(text) - (most - 1) // 2 :]}"
