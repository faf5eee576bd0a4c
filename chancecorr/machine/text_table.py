"""Tables of results as text, HTML, Markdown and LaTeX, and small drawings for notebooks."""

import math
import os
import re
import shutil
import sys
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chancecorr.machine.printing import convert_for_json, escape_hidden, open_replacement, write_csv

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, BLUE_RGB = "#1f88c9", "31,136,201"
PADDING = "padding:0.25em 0.6em;"  # Jupyter pads all cells, other pages that show a notebook let them touch
LEFT = "text-align:left;white-space:nowrap;"
RIGHT = "text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;"
NUMBER = re.compile(r"([≤<]?)(-?[0-9.]+)(?:e([+-]?[0-9]{1,9}))?")
"""A number as it is printed, with a relation and a power of ten."""

LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
)
"""How LaTeX sets characters to which TeX gives a meaning."""

LIGATURE = re.compile(r"([-'`<>,])(?=\1)")
"""The first of two characters that TeX sets as one, such as a dash for two hyphens."""

MARKUP = re.compile(
    r"[\\`*\[\]|~$@]|(?<![^\W_])_|_(?![^\W_])"  # an underscore within a word is no mark
    r"|(?<=:)(?=//)|(?<=www)(?=\.)",  # addresses, of which some readers make links
    re.IGNORECASE,
)
"""Where Markdown needs a backslash, so that a text in a line stands as it is."""

BLOCK = re.compile(r"^([0-9]*)([-+#=:%.)])")
"""How a line begins that Markdown takes for a list or a heading: its mark gets a backslash."""


class Pictured:
    """A result of which `chancecorr.plotting` has a picture."""

    __slots__ = ()

    def plot(self, *arguments: Any, ax: Any = None, color: Any = None, **options: Any) -> "Axes":
        """Draw the result by the function of `chancecorr.plotting` for its kind, whose arguments these are.

        Of several indices the first panel is returned, and ``ax.figure.axes`` has all.
        """
        from chancecorr.plotting import PICTURES

        return PICTURES[type(self)](self, *arguments, ax=ax, color=color, **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTable:
    """A table as a result shows it: texts below the names of their columns, a caption above, notes below."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    notes: Sequence[str] = ()
    left: int = 1  # columns from the left that hold names or words, aligned to the left in plain text
    names: Mapping[str, str] = field(default_factory=dict)  # of the first column in LaTeX, where they differ

    def to_text(self) -> str:
        """The table in plain text, in which no name steers a terminal.

        Printed to a terminal, a table that is wider is parted between columns, and other lines between words.
        """
        is_terminal = not getattr(sys.stdout, "closed", True) and sys.stdout.isatty()  # nor a stand-in
        most = shutil.get_terminal_size().columns if is_terminal else 1_000_000_000
        cells = [[escape_hidden(text) for text in row] for row in (self.columns, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        parts, room = [[0]], most - widths[0]
        for k, width in enumerate(widths[1:], start=1):
            if room < width + 2 and len(parts[-1]) > 1:
                parts.append([0])
                room = most - widths[0]
            parts[-1].append(k)
            room -= width + 2
        lines = [
            "  ".join(
                row[k].ljust(widths[k]) if k < self.left else row[k].rjust(widths[k]) for k in part
            ).rstrip()
            for part in parts
            for row in cells
        ]
        how: Any = {"break_long_words": False, "break_on_hyphens": False, "subsequent_indent": "  "}
        around = [textwrap.fill(escape_hidden(text), most, **how) for text in (self.caption, *self.notes)]
        return "\n".join([*around[: bool(self.caption)], *lines, *around[1:]])

    def to_html(self, *, bars: Sequence[str] = (), shades: Sequence[Sequence[float]] = ()) -> str:
        """The table for a notebook, a drawing at the end of each row, or cells the bluer the nearer to 1."""
        name_tag = "th" if shades else "td"
        body = [
            [write_cell(name, LEFT, tag=name_tag), *(write_cell(text) for text in texts)]
            for name, *texts in self.rows
        ]
        for row, texts, values in zip(body, self.rows, shades, strict=False):
            depths = (0.0 if math.isnan(x) else 0.5 * min(max(x, 0.0), 1.0) for x in values)
            grounds = (f"background:rgba({BLUE_RGB},{depth:.2f});" for depth in depths)
            row[1:] = [
                write_cell(text, ground + RIGHT) for text, ground in zip(texts[1:], grounds, strict=True)
            ]
        head = [write_cell(name, RIGHT if j else LEFT, tag="th") for j, name in enumerate(self.columns)]
        if bars:
            head.append(write_cell("expected to best", LEFT, tag="th"))
            for row, drawn in zip(body, bars, strict=True):
                row.append(f'<td style="{PADDING}{LEFT}">{drawn}</td>')
        first, *others = ("<tr>" + "".join(row) + "</tr>" for row in (head, *body))
        table = f"<table><thead>{first}</thead><tbody>{''.join(others)}</tbody></table>"
        return write_paragraphs([self.caption]) + table + write_paragraphs(self.notes)

    def to_markdown(self) -> str:
        """The table in Markdown, numbers to the right, between paragraphs."""
        header, *others = ([*map(write_markdown, row)] for row in (self.columns, *self.rows))
        rule = [":--", *["--:"] * (len(header) - 1)]
        table = "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *others))
        around = [BLOCK.sub(r"\1\\\2", write_markdown(line).strip()) for line in (self.caption, *self.notes)]
        return "\n\n".join(filter(None, [around[0], table, *around[1:]]))

    def to_latex(self) -> str:
        """A ``tabular`` for booktabs, caption and notes as comments."""
        header, *others = (
            [
                write_latex(self.names.get(text, text) if k == 0 else text)
                if k < self.left or row is self.columns
                else " to ".join(map(write_latex_number, text.split(" to ")))
                for k, text in enumerate(row)
            ]
            for row in (self.columns, *self.rows)
        )
        for row in (header, *others):  # a star or a bracket after the end of a row would belong to that end
            row[0] = "{}" * row[0].startswith(("*", "[")) + row[0]
        lines = [f"% {escape_hidden(item)}" for item in (self.caption, *self.notes) if item]
        lines += [r"\begin{tabular}{l" + "r" * (len(header) - 1) + "}", r"\toprule"]
        lines += [f"{' & '.join(header)} \\\\", r"\midrule", *(f"{' & '.join(row)} \\\\" for row in others)]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def escape(text: str, *, quote: bool = True) -> str:
    """Text with the characters that HTML gives a meaning written as entities, `quote` marks among them."""
    from html import escape as escape_html  # its list of entities takes longer to load than a table to print

    return escape_html(text, quote)


class Tabulated(ABC):
    """A result that is printed and written for papers and programs, as one table or several."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings."""

    @abstractmethod
    def _tables(self, wide: bool = False) -> list[TextTable]:
        """What is printed, with more columns if `wide`."""

    @abstractmethod
    def _list_columns(self) -> Any:
        """Columns by name, or records of rows, with all digits."""

    def to_json(self) -> str:
        """`to_dict` as JSON, an object: null for nan, ``"Infinity"`` for an infinite number."""
        import json

        return json.dumps(convert_for_json(self.to_dict()))

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """The rows of `to_frame` as CSV with all digits, without pandas; written to `path` if it is given.

        What a spreadsheet would take for a formula stands behind an apostrophe.
        """
        columns = self._list_columns()
        if isinstance(columns, Mapping):
            text = write_csv([columns, *zip(*columns.values(), strict=True)])
        else:
            text = write_csv([columns[0], *(record.values() for record in columns)])
        if path is None:
            return text
        with open_replacement(path) as file:
            file.write(text.encode())
        return None

    def to_text(self, *, wide: bool = False) -> str:
        """The table in plain text, in lines that fit the terminal if it is printed to one.

        With `wide`, adjusted scores also have the standard error of a simulated mean or the limit of its
        error (``std.err.``), ``z``, and where mean and p-value come from (``by``); beside simulated tables
        also the mean from the margins, and how many standard errors it is away.
        """
        return "\n\n".join(table.to_text() for table in self._tables(wide))

    def cells(self, *, wide: bool = False) -> list[list[str]]:
        """A header, and the rows: rounded numbers as text, a dash where one is undefined."""
        table, *_ = self._tables(wide)
        return [list(row) for row in (table.columns, *table.rows)]

    def to_html(self) -> str:
        """The table in HTML, as a notebook shows it."""
        return self._repr_html_()

    def to_markdown(self, *, wide: bool = False) -> str:
        """The table in Markdown, between its caption and remarks."""
        return "\n\n".join(table.to_markdown() for table in self._tables(wide))

    def to_latex(self, *, wide: bool = False) -> str:
        r"""The table in LaTeX, for ``\usepackage{booktabs}``.

        A ``tabular`` with caption and remarks as comments, indices called as "Adjusted Rand index", p-values
        below 1e-16 as ``$<10^{-16}$``.
        """
        return "\n\n".join(table.to_latex() for table in self._tables(wide))

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        """The tables for a notebook."""
        return "".join(table.to_html() for table in self._tables())


def write_latex(text: str) -> str:
    """Text as LaTeX sets it as it is: no character of it is a command, and none steers a terminal."""
    apart = LIGATURE.sub(r"\1{}", escape_hidden(text).translate(LATEX))
    return apart.replace("–", "--")


def write_latex_number(text: str) -> str:
    """Number as TeX sets it in a formula; any other text as it is."""
    number = NUMBER.fullmatch(text)
    if number is None:
        return write_latex(text)
    sign, digits, power = number.groups()
    relation = {"≤": r"\le ", "<": "<"}.get(sign, "")
    if power is None:
        return f"${relation}{digits}$"
    if int(power) <= -17:
        return "$<10^{-16}$"
    return f"${relation}{digits} \\times 10^{{{int(power)}}}$"


def write_markdown(text: str) -> str:
    """Text as Markdown shows it as it is: nothing of it is markup, a link or the end of a cell."""
    if NUMBER.fullmatch(text):
        return text
    return escape(MARKUP.sub(r"\\\g<0>", escape_hidden(text)), quote=False)


def write_cell(text: str, style: str = RIGHT, *, tag: str = "td") -> str:
    """Cell of a table in HTML, in which no name is markup, hides characters or turns a line round."""
    return f'<{tag} style="{PADDING}{style}">{escape(escape_hidden(text))}</{tag}>'


def write_paragraphs(lines: Sequence[str]) -> str:
    """A paragraph of HTML for each line that is not empty."""
    return "".join(f"<p>{escape(escape_hidden(line))}</p>" for line in lines if line)


def draw_card(title: str, headline: str, drawn: str, below: str) -> str:
    """A title with its headline, a bar below and a table below that."""
    return (
        f'<div style="display:inline-block"><div><strong>{escape(escape_hidden(title))}</strong>'
        f' <span style="font-weight:bold;margin-left:1em">{escape(escape_hidden(headline))}</span></div>'
        + (f'<div style="margin:0.4em 0">{drawn}</div>' if drawn else "")
        + below
        + "</div>"
    )


def draw_bar(expected: float, observed: float, best: float, *, width: int, height: int) -> str:
    """SVG of the way from the expected to the best value, filled up to the observed one; empty if unknown."""
    ends = (expected, observed, best)
    low, high = min(ends), max(ends)
    if not all(map(math.isfinite, ends)) or low == high:
        return ""
    start, reached, end = (2.0 + (x - low) / (high - low) * (width - 4.0) for x in ends)
    title = f"observed {observed:.4g}, on the way from {expected:.4g} by chance to {best:.4g} at best"
    drawn = f"<title>{title}</title>"
    for other, fill in ((end, 'fill="currentColor" fill-opacity="0.16"'), (reached, f'fill="{BLUE}"')):
        left, size = min(start, other), abs(other - start)
        box = f'x="{left:.1f}" y="{height / 4:.1f}" width="{size:.1f}" height="{height / 2:.1f}"'
        drawn += f"<rect {box} {fill}/>"
    for x, style in (
        (start, 'stroke="currentColor" stroke-dasharray="2 2"'),
        (end, 'stroke="currentColor" stroke-opacity="0.5"'),
        (reached, f'stroke="{BLUE}" stroke-width="2"'),
    ):
        drawn += f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0.0" y2="{height:.1f}" {style}/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img"'
        f' style="vertical-align:middle">{drawn}</svg>'
    )
