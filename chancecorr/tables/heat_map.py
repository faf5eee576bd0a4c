"""A contingency table as HTML, for notebooks: counts, shaded by how much two clusters have in common."""

from typing import Any

import numpy as np

from chancecorr import display
from chancecorr.machine.arrays import AnyArray
from chancecorr.tables.excerpt import excerpt, shortened

LONGEST = 24
"""Characters of a label that are shown."""


def table_html(counts: Any, row_labels: AnyArray, column_labels: AnyArray) -> str:
    """Heat map of a table, or of its largest clusters, with totals."""
    part, n = excerpt(counts, row_labels, column_labels), int(counts.sum())
    numbers = np.column_stack([part.counts, part.row_totals]).tolist()
    numbers.append([*part.column_totals.tolist(), n])
    rows, columns = (
        [*(shortened(label, LONGEST) for label in labels), "total"]
        for labels in (part.row_labels, part.column_labels)
    )
    texts = [[name, *(f"{number:,}" for number in row)] for name, row in zip(rows, numbers, strict=True)]
    shades = [*([*row, 0.0] for row in part.overlaps.tolist()), [0.0] * len(columns)]
    caption = (
        f"{counts.shape[0]:,} × {counts.shape[1]:,} clusters of {n:,} objects. Shade: objects in both"
        " clusters, as a share of those in either."
    )
    below = display.remarks([caption, part.remark] if part.remark else [caption])
    return f'<div style="overflow-x:auto">{display.matrix([["", *columns], *texts], shades)}{below}</div>'
