"""How results look: rows of text in columns for a terminal, tables and small drawings in HTML for a notebook.

Styles stand in the cells, because a page may drop all others. Letters have the colour of the page, and shades
are half transparent, so that all can be read on a light and on a dark page.
"""

import math
from collections.abc import Sequence
from html import escape

from chancecorr.printing import visible

BLUE, BLUE_RGB = "#1f88c9", "31,136,201"

PADDING = "padding:0.25em 0.6em;"
"""Of a cell: Jupyter pads all tables, other pages that show a notebook let numbers touch."""

LEFT = "text-align:left;white-space:nowrap;"
RIGHT = "text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;"


def text_rows(rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> list[str]:
    """Lines in which the columns stand below each other, those `left` aligned to the left."""
    rows = [[visible(text) for text in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text.ljust(width) if k in left else text.rjust(width)
            for k, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def shown(text: str) -> str:
    """Text in HTML, in which no name is markup, and none hides characters or turns a line round."""
    return escape(visible(text))


def cell(text: str, style: str = RIGHT, *, tag: str = "td") -> str:
    """Cell of a table."""
    return f'<{tag} style="{PADDING}{style}">{shown(text)}</{tag}>'


def table_of_cells(rows: Sequence[Sequence[str]]) -> str:
    """Table of cells in HTML, of which the first row is the header."""
    head, *body = ("<tr>" + "".join(row) + "</tr>" for row in rows)
    return f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"


def table(rows: Sequence[Sequence[str]], *, bars: Sequence[str] = ()) -> str:
    """Table of texts: a header, and names in the first column; a column of drawings, if given, at the end."""
    cells = [
        [cell(text, RIGHT if j else LEFT, tag="td" if i else "th") for j, text in enumerate(row)]
        for i, row in enumerate(rows)
    ]
    if bars:
        cells[0].append(cell("expected to best", LEFT, tag="th"))
        for row, drawn in zip(cells[1:], bars, strict=True):
            row.append(f'<td style="{PADDING}{LEFT}">{drawn}</td>')
    return table_of_cells(cells)


def matrix(rows: Sequence[Sequence[str]], values: Sequence[Sequence[float]]) -> str:
    """Table of texts with names in the first row and column; a cell is the bluer the nearer it is to 1."""
    header, *others = rows
    cells = [[cell(name, tag="th") for name in header]]
    for (name, *texts), row in zip(others, values, strict=True):
        depths = (0.0 if math.isnan(x) else 0.5 * min(max(x, 0.0), 1.0) for x in row)
        grounds = (f"background:rgba({BLUE_RGB},{x:.2f});" for x in depths)
        shaded = (cell(text, ground + RIGHT) for text, ground in zip(texts, grounds, strict=True))
        cells.append([cell(name, LEFT, tag="th"), *shaded])
    return table_of_cells(cells)


def bar(expected: float, observed: float, best: float, *, width: int, height: int) -> str:
    """SVG of the way from the expected to the best value, filled up to the observed one; empty if unknown."""
    ends = (expected, observed, best)
    if not all(map(math.isfinite, ends)) or min(ends) == max(ends):
        return ""
    start, reached, end = (_place(x, (min(ends), max(ends)), width, 2.0) for x in ends)

    def box(one: float, other: float, fill: str) -> str:
        left, size = min(one, other), abs(other - one)
        return (
            f'<rect x="{left:.1f}" y="{height / 4:.1f}" width="{size:.1f}" height="{height / 2:.1f}" {fill}/>'
        )

    title = f"observed {observed:.4g}, on the way from {expected:.4g} by chance to {best:.4g} at best"
    return _svg(
        title,
        box(start, end, 'fill="currentColor" fill-opacity="0.16"'),
        box(start, reached, f'fill="{BLUE}"'),
        _line(start, start, 0, height, 'stroke="currentColor" stroke-dasharray="2 2"'),
        _line(end, end, 0, height, 'stroke="currentColor" stroke-opacity="0.5"'),
        _line(reached, reached, 0, height, f'stroke="{BLUE}" stroke-width="2"'),
        width=width,
        height=height,
    )


def remarks(lines: Sequence[str]) -> str:
    """A paragraph for each line."""
    return "".join(f"<p>{shown(line)}</p>" for line in lines)


def card(title: str, headline: str, drawn: str, below: str) -> str:
    """A title with its headline, a bar below and a table below that."""
    return (
        f'<div style="display:inline-block"><div><strong>{shown(title)}</strong>'
        f' <span style="font-weight:bold;margin-left:1em">{shown(headline)}</span></div>'
        + (f'<div style="margin:0.4em 0">{drawn}</div>' if drawn else "")
        + below
        + "</div>"
    )


def _place(x: float, scale: tuple[float, float], width: int, margin: float) -> float:
    """Place of a number in a drawing, at an end if it lies beyond the scale."""
    low, high = scale
    return margin + (min(max(x, low), high) - low) / ((high - low) or 1.0) * (width - 2 * margin)


def _line(x1: float, x2: float, y1: float, y2: float, style: str) -> str:
    return f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}" {style}/>'


def _svg(title: str, *drawn: str, width: int, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img"'
        f' style="vertical-align:middle"><title>{title}</title>{"".join(drawn)}</svg>'
    )
