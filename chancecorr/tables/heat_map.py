"""A contingency table as HTML, for notebooks: counts, shaded by how much two clusters have in common.

All styles stand in the cells. Letters have the colour of the page, and the shade is so thin that they can be
read on it, whether the page is light or dark.
"""

from html import escape
from typing import Any

from chancecorr.machine.arrays import AnyArray
from chancecorr.tables.excerpt import excerpt, percent, shortened

SHADE = "31,136,201"
STRONGEST = 0.6
"""Opacity of the shade if two clusters are the same."""

LONGEST = 24
"""Characters of a label that are shown; all of it is in the title that the pointer brings up."""

PADDING = "padding:0.25em 0.6em;"
"""Of each cell: Jupyter pads all tables, other pages that show a notebook let numbers touch."""

EDGE = "white-space:nowrap;font-weight:bold;"
NUMBER = "text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;"


def table_html(counts: Any, row_labels: AnyArray, column_labels: AnyArray) -> str:
    """Heat map of a table, or of its largest clusters, with totals."""
    part, n = excerpt(counts, row_labels, column_labels), int(counts.sum())
    heads = [_cell("th", "", EDGE)]
    heads += [_label(label, NUMBER) for label in part.column_labels]
    heads.append(_cell("th", "total", EDGE + NUMBER))
    rows = ["".join(heads)]
    for i, row_label in enumerate(part.row_labels):
        cells = [_label(row_label, "text-align:left;")]
        for j, column_label in enumerate(part.column_labels):
            count, overlap = int(part.counts[i, j]), float(part.overlaps[i, j])
            title = (
                f"{row_label} and {column_label}: {count:,} objects,"
                f" {percent(count, int(part.row_totals[i]))} of the row,"
                f" {percent(count, int(part.column_totals[j]))} of the column"
            )
            style = f"background:rgba({SHADE},{STRONGEST * overlap:.2f});" if count else "opacity:0.7;"
            cells.append(_cell("td", f"{count:,}", NUMBER + style, title))
        cells.append(_cell("td", f"{part.row_totals[i]:,}", NUMBER + "opacity:0.75;"))
        rows.append("".join(cells))
    totals = [_cell("th", "total", EDGE + "text-align:left;")]
    totals += [_cell("td", f"{total:,}", NUMBER + "opacity:0.75;") for total in part.column_totals.tolist()]
    totals.append(_cell("td", f"{n:,}", NUMBER + "opacity:0.75;"))
    head, *body = (f"<tr>{row}</tr>" for row in [*rows, "".join(totals)])
    legend = (
        f"{counts.shape[0]:,} × {counts.shape[1]:,} clusters of {n:,} objects. Shade: objects in both"
        " clusters, as a share of those in either."
    )
    remark = f"<p>{escape(part.remark)}</p>" if part.remark else ""
    return (
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse"><thead>{head}</thead>'
        f"<tbody>{''.join(body)}</tbody></table><p>{escape(legend)}</p>{remark}</div>"
    )


def _label(label: object, style: str) -> str:
    shown = shortened(label, LONGEST)
    return _cell("th", shown, EDGE + style, "" if shown == str(label) else str(label))


def _cell(tag: str, text: str, style: str, title: str = "") -> str:
    tooltip = f' title="{escape(title)}"' if title else ""
    return f'<{tag} style="{PADDING}{style}"{tooltip}>{escape(text)}</{tag}>'
