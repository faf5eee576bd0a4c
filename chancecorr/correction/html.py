"""Scores as HTML, for notebooks: tables, the way from the expected to the best value as a bar, and intervals.

Colours are those of the page but for the blue of what was reached, which stands out from light and from dark.
"""

import math
from collections.abc import Sequence
from html import escape

BLUE = "#1f88c9"
PADDING = "padding:0.25em 0.6em;"
"""Of a cell: Jupyter pads all tables, other pages that show a notebook let numbers touch."""

LEFT = f' style="{PADDING}text-align:left;white-space:nowrap"'
RIGHT = f' style="{PADDING}text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums"'


def bar(expected: float, observed: float, best: float, *, width: int, height: int) -> str:
    """The way from the expected to the best value, filled as far as the observed one; an inline SVG.

    It is filled to the other side where chance does better. Where a number is not finite, or all are the
    same, there is no bar, and the text is empty.
    """
    ends = (expected, observed, best)
    low, high = min(ends), max(ends)
    if not all(map(math.isfinite, ends)) or not low < high:
        return ""
    margin = 2.0
    places = [margin + (x - low) / (high - low) * (width - 2 * margin) for x in ends]
    start, reached, end = places

    def box(one: float, other: float, fill: str) -> str:
        left, size = min(one, other), abs(other - one)
        return (
            f'<rect x="{left:.1f}" y="{height / 4:.1f}" width="{size:.1f}" height="{height / 2:.1f}" {fill}/>'
        )

    def line(x: float, style: str) -> str:
        return f'<line x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{height}" {style}/>'

    said = f"observed {observed:.4g}, on the way from {expected:.4g} by chance to {best:.4g} at best"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img"'
        f' style="vertical-align:middle"><title>{said}</title>'
        + box(start, end, 'fill="currentColor" fill-opacity="0.16"')
        + box(start, reached, f'fill="{BLUE}"')
        + line(start, 'stroke="currentColor" stroke-dasharray="2 2"')
        + line(end, 'stroke="currentColor" stroke-opacity="0.5"')
        + line(reached, f'stroke="{BLUE}" stroke-width="2"')
        + "</svg>"
    )


def whisker(
    low: float, middle: float, high: float, scale: tuple[float, float], *, width: int, height: int
) -> str:
    """A point with its interval, on a scale from one number to another; an inline SVG.

    Without an interval the point alone; where that is no number either, the text is empty.
    """
    if not math.isfinite(middle):
        return ""
    margin, (left, right) = 4.0, scale
    room = (right - left) or 1.0

    def place(x: float) -> float:
        return margin + (min(max(x, left), right) - left) / room * (width - 2 * margin)

    ends = f"{low:.4g} to {high:.4g}" if math.isfinite(low) and math.isfinite(high) else "no interval"
    drawn = f"<title>{middle:.4g}, {ends}</title>"
    if left < 0.0 < right or left == 0.0:
        zero = f'x1="{place(0.0):.1f}" x2="{place(0.0):.1f}" y1="0" y2="{height}"'
        drawn += f'<line {zero} stroke="currentColor" stroke-dasharray="2 2"/>'
    if math.isfinite(low) and math.isfinite(high):
        along = f'x1="{place(low):.1f}" x2="{place(high):.1f}" y1="{height / 2:.1f}" y2="{height / 2:.1f}"'
        drawn += f'<line {along} stroke="{BLUE}" stroke-width="2"/>'
    drawn += f'<circle cx="{place(middle):.1f}" cy="{height / 2:.1f}" r="3.5" fill="{BLUE}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img"'
        f' style="vertical-align:middle">{drawn}</svg>'
    )


def table(
    rows: Sequence[Sequence[str]], *, bars: Sequence[str] = (), bars_name: str = "expected to best"
) -> str:
    """Rows of text, the first a header and the first column names; a column of bars, if given, at the end."""
    header, *others = rows
    cells = [[f"<th{LEFT if k == 0 else RIGHT}>{escape(name)}</th>" for k, name in enumerate(header)]]
    cells += [
        [f"<td{LEFT if k == 0 else RIGHT}>{escape(text)}</td>" for k, text in enumerate(row)]
        for row in others
    ]
    if bars:
        cells[0].append(f"<th{LEFT}>{escape(bars_name)}</th>")
        for row, drawn in zip(cells[1:], bars, strict=True):
            row.append(f"<td{LEFT}>{drawn}</td>")
    head, *body = ("<tr>" + "".join(row) + "</tr>" for row in cells)
    return f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"


def remarks(lines: Sequence[str]) -> str:
    """A paragraph for each line."""
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def card(title: str, headline: str, drawn: str, below: str) -> str:
    """A title with its headline, a bar below and a table below that."""
    return (
        f'<div style="display:inline-block"><div><strong>{escape(title)}</strong>'
        f' <span style="font-weight:bold;margin-left:1em">{escape(headline)}</span></div>'
        + (f'<div style="margin:0.4em 0">{drawn}</div>' if drawn else "")
        + below
        + "</div>"
    )
