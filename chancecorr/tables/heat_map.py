"""A contingency table as HTML, for notebooks: counts, shaded by how much two clusters have in common."""

from typing import Any

from chancecorr import display
from chancecorr.display import RIGHT, cell, shade
from chancecorr.machine.arrays import AnyArray
from chancecorr.tables.excerpt import excerpt, percent, shortened

STRONGEST = 0.6
"""Opacity of the shade of two clusters that are the same."""

LONGEST = 24
"""Characters of a label that are shown; all of it is in the title that the pointer brings up."""

EDGE = "white-space:nowrap;font-weight:bold;"
TOTAL = RIGHT + "opacity:0.75;"


def table_html(counts: Any, row_labels: AnyArray, column_labels: AnyArray) -> str:
    """Heat map of a table, or of its largest clusters, with totals."""
    part, n = excerpt(counts, row_labels, column_labels), int(counts.sum())
    rows = [
        [
            cell("", EDGE, tag="th"),
            *(_label(label, RIGHT) for label in part.column_labels),
            cell("total", EDGE + RIGHT, tag="th"),
        ]
    ]
    for i, row_label in enumerate(part.row_labels):
        cells = [_label(row_label, "text-align:left;")]
        for j, column_label in enumerate(part.column_labels):
            count, overlap = int(part.counts[i, j]), float(part.overlaps[i, j])
            title = (
                f"{row_label} and {column_label}: {count:,} objects,"
                f" {percent(count, int(part.row_totals[i]))} of the row,"
                f" {percent(count, int(part.column_totals[j]))} of the column"
            )
            style = shade(STRONGEST * overlap) if count else "opacity:0.7;"
            cells.append(cell(f"{count:,}", RIGHT + style, title=title))
        rows.append([*cells, cell(f"{part.row_totals[i]:,}", TOTAL)])
    totals = [*part.column_totals.tolist(), n]
    rows.append(
        [
            cell("total", EDGE + "text-align:left;", tag="th"),
            *(cell(f"{total:,}", TOTAL) for total in totals),
        ]
    )
    caption = (
        f"{counts.shape[0]:,} × {counts.shape[1]:,} clusters of {n:,} objects. Shade: objects in both"
        " clusters, as a share of those in either."
    )
    drawn = display.table_of_cells(rows, "border-collapse:collapse")
    below = display.remarks([caption, part.remark] if part.remark else [caption])
    return f'<div style="overflow-x:auto">{drawn}{below}</div>'


def _label(label: object, style: str) -> str:
    shown = shortened(label, LONGEST)
    return cell(shown, EDGE + style, tag="th", title="" if shown == str(label) else str(label))
