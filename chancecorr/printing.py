"""Numbers written out: for people with the digits that mean something, for programs as JSON can hold them."""

import contextlib
import math
import os
import shutil
import stat
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, BinaryIO

DIGITS = 5
"""Significant digits of a number without a standard error, and one more at most of one that has it."""


HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Unicode's categories of control and format characters, surrogates, and ends of lines and paragraphs."""

JOINERS = "\u200c\u200d"
"""The characters of these that belong to words."""

SMALLEST_NORMAL = 2.3e-308
"""Below, floats lose digits, and soon are 0."""


def rounded(number: float, standard_error: float = 0.0, *, undefined: str = "–") -> str:
    """Number as text, to two significant digits of its standard error, or to five of its own without one."""
    if math.isnan(number):
        return undefined
    if number == 0.0 or math.isinf(number):
        return f"{number + 0.0:g}"
    first = _place(number)
    last = first - DIGITS + 1
    if 0.0 < standard_error < math.inf:
        last = max(_place(standard_error, 2) - 1, last - 1)
    if last < -7 and first < last:  # far below its standard error
        return "0" if abs(number) < 0.5 * 10.0**last else f"{math.copysign(10.0**last, number):.0e}"
    if last < -7 or first > 6:  # too many zeros, or figures, to read
        return f"{number:.{max(first - last, 0)}e}"
    text = f"{number:.{max(-last, 0)}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def fixed(number: float, digits: int) -> str:
    """Number with so many digits after the point, a dash for nan, and no sign on a rounded 0."""
    if math.isnan(number):
        return "–"
    text = f"{number:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def p_text(p_value: float, p_is_bound: bool = False, log_p_value: float = math.nan) -> str:
    """A p-value to two digits, with a sign if it is a bound; by its logarithm below the floats."""
    if math.isnan(p_value):
        return "–"
    if p_value < SMALLEST_NORMAL and math.isfinite(log_p_value):
        return ("≤" if p_is_bound else "") + _power_of_ten(log_p_value / math.log(10.0))
    if p_value == 0.0:  # the smallest number above 0 that a float can be
        return "<5e-324"
    text = f"{p_value:.2g}"
    if not p_is_bound:
        return text
    if float(text) < p_value:  # a bound is rounded up
        text = f"{p_value + 0.5 * 10.0 ** (_place(p_value) - 1):.2g}"
    return f"≤{text}"


def _power_of_ten(log10: float) -> str:
    """``10**log10`` to two digits."""
    exponent = math.floor(log10)
    mantissa = f"{10.0 ** (log10 - exponent):.1f}"
    return f"1.0e{exponent + 1}" if mantissa == "10.0" else f"{mantissa}e{exponent}"


def bytes_text(count: float) -> str:
    """Number of bytes with a unit, to two digits."""
    for power, unit in ((4, "TB"), (3, "GB"), (2, "MB"), (1, "kB")):
        if count >= 1000.0**power:
            size = count / 1000.0**power
            return f"{size:.1f} {unit}" if size < 9.95 else f"{size:,.0f} {unit}"
    return f"{count:.0f} bytes"


def seconds_text(seconds: float) -> str:
    """Time with the unit that people would take, to two digits."""
    for size, unit in ((86_400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2.0 * size:
            count = seconds / size
            return f"{count:.1f} {unit}" if count < 9.95 else f"{count:,.0f} {unit}"
    return f"{seconds:.2g} s" if seconds < 99.5 else f"{seconds:.0f} s"


def visible(text: str) -> str:
    """Text with the characters escaped that a terminal obeys or hides; joiners of words and emoji stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        repr(each)[1:-1] if unicodedata.category(each) in HIDDEN and each not in JOINERS else each
        for each in text
    )


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file that takes the place of another when it is whole; a pipe is written to at once.

    The other's mode and links stay. An error of the disk names the file.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as file:
            yield file
        return
    beside = f"{target}.{os.urandom(4).hex()}"
    try:
        with open(beside, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        before = os.stat(target) if os.path.exists(target) else None
        if before is not None:
            os.chmod(beside, stat.S_IMODE(before.st_mode))
        if before is not None and before.st_nlink > 1:
            shutil.copyfile(beside, target)
        else:
            os.replace(beside, target)
    except OSError as error:
        if error.filename is None:
            error.filename = os.fspath(path)
        raise
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)


def is_watched() -> bool:
    """Whether stderr is read as it is written, in a terminal or a notebook; not with CHANCECORR_QUIET=1."""
    stream = sys.stderr
    if stream is None or os.environ.get("CHANCECORR_QUIET"):
        return False
    try:
        return stream.isatty() or ("ipykernel" in sys.modules and not stream.closed)
    except (AttributeError, ValueError):  # a stand-in with `write` alone; a closed file
        return False


def for_json(value: Any) -> Any:
    """The value as JSON can hold it: null for nan, and ``"Infinity"`` or ``"-Infinity"`` for an infinity."""
    if isinstance(value, dict):
        return {str(key): for_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [for_json(each) for each in value]
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else "Infinity" if value > 0.0 else "-Infinity"


def _place(number: float, digits: int = DIGITS) -> int:
    """Power of ten of the first digit, after rounding to so many."""
    return int(f"{number:.{digits - 1}e}".partition("e")[2])


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
    start, reached, end = (_place_on_bar(x, (min(ends), max(ends)), width, 2.0) for x in ends)

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


def _place_on_bar(x: float, scale: tuple[float, float], width: int, margin: float) -> float:
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
