"""Tables of texts, written as plain text, HTML, Markdown and LaTeX."""

import math
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from chancecorr.machine.notes import Note
from chancecorr.machine.printing import escape_hidden

BLUE, BLUE_RGB = "#1f88c9", "31,136,201"
PADDING = "padding:0.25em 0.6em;"  # Jupyter pads all cells; other pages that show a notebook do not
LEFT = "text-align:left;white-space:nowrap;"
RIGHT = "text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;"
NUMBER = re.compile(r"([≤<]?)(-?[0-9.]+)(?:e([+-]?[0-9]{1,9}))?")
"""A printed number, with a relation and a power of ten."""

LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
)
"""LaTeX commands for characters with a special meaning in TeX."""

LIGATURE = re.compile(r"([-'`<>,])(?=\1)")
"""The first of two equal characters that TeX joins, such as two hyphens that become a dash."""

MARKUP = re.compile(
    r"[\\`*\[\]|~$@]|(?<![^\W_])_|_(?![^\W_])"  # an underscore inside a word is not markup
    r"|(?<=:)(?=//)|(?<=www)(?=\.)",  # addresses, which some readers turn into links
    re.IGNORECASE,
)
"""Positions where Markdown needs a backslash to show a text unchanged."""

BLOCK = re.compile(r"^([0-9]*)([-+#=:%.)])")
"""The beginning of a line that Markdown reads as a list or a heading; the mark needs a backslash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTable:
    """A table of texts with column names, a caption above and notes below."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    notes: Sequence[Note] = ()
    left: int = 1  # number of columns from the left with names or words, aligned to the left in plain text

    def _list_lines(self) -> list[str]:
        """Return the caption and the notes as lines of text."""
        return [self.caption, *map(str, self.notes)]

    def to_text(self) -> str:
        """Return the table as text, with control characters in names escaped.

        In a terminal that is too narrow, the table is split between columns, and other lines between words.
        """
        # also False for a stand-in
        is_terminal = not getattr(sys.stdout, "closed", True) and sys.stdout.isatty()
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
        around = [
            textwrap.fill(escape_hidden(text), most, **how) for text in (self.caption, *map(str, self.notes))
        ]
        return "\n".join([*around[: bool(self.caption)], *lines, *around[1:]])

    def to_html(self, *, bars: Sequence[str] = (), shades: Sequence[Sequence[float]] = ()) -> str:
        """Return the table for a notebook, with a drawing in each row, or cells that are bluer near 1."""
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
        caption, *notes = self._list_lines()
        return write_paragraphs([caption]) + table + write_paragraphs(notes)

    def to_markdown(self) -> str:
        """Return the table in Markdown, with numbers aligned to the right, between caption and notes."""
        header, *others = ([*map(write_markdown, row)] for row in (self.columns, *self.rows))
        rule = [":--", *["--:"] * (len(header) - 1)]
        table = "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *others))
        around = [
            BLOCK.sub(r"\1\\\2", write_markdown(line).strip())
            for line in (self.caption, *map(str, self.notes))
        ]
        return "\n\n".join(filter(None, [around[0], table, *around[1:]]))

    def to_latex(self, names: Mapping[str, str] = MappingProxyType({})) -> str:
        """Return a ``table`` for booktabs, with the caption above and the notes below.

        `names` are LaTeX names of texts in the first column, if they differ.
        """
        header, *others = (
            [
                write_latex(names.get(text, text) if k == 0 else text)
                if k < self.left or row is self.columns
                else " to ".join(map(write_latex_number, text.split(" to ")))
                for k, text in enumerate(row)
            ]
            for row in (self.columns, *self.rows)
        )
        # a star or a bracket after the end of a row would be read as part of the row's end
        for row in (header, *others):
            row[0] = "{}" * row[0].startswith(("*", "[")) + row[0]
        caption, *notes = map(write_latex, self._list_lines())
        lines = [r"\begin{table}", *([f"\\caption{{{caption}}}"] if caption else []), r"\centering"]
        lines += [r"\begin{tabular}{l" + "r" * (len(header) - 1) + "}", r"\toprule"]
        lines += [f"{' & '.join(header)} \\\\", r"\midrule", *(f"{' & '.join(row)} \\\\" for row in others)]
        lines += [
            r"\bottomrule",
            r"\end{tabular}",
            *(f"\\par{{\\footnotesize {note}}}" for note in notes if note),
        ]
        return "\n".join([*lines, r"\end{table}"])


def escape(text: str, *, quote: bool = True) -> str:
    """Replace characters that have a meaning in HTML by entities; `quote`: also quotation marks."""
    from html import escape as escape_html  # its list of entities takes longer to load than a table to print

    return escape_html(text, quote)


def write_latex(text: str) -> str:
    """Escape a text so that LaTeX prints it unchanged, without commands or control characters."""
    apart = LIGATURE.sub(r"\1{}", escape_hidden(text).translate(LATEX))
    return apart.replace("–", "--")


def write_latex_number(text: str) -> str:
    """Return a number as a TeX formula; escape any other text."""
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
    """Escape a text so that Markdown shows it unchanged, without markup, links or ends of cells."""
    if NUMBER.fullmatch(text):
        return text
    return escape(MARKUP.sub(r"\\\g<0>", escape_hidden(text)), quote=False)


def write_cell(text: str, style: str = RIGHT, *, tag: str = "td") -> str:
    """Return a table cell in HTML whose text has no markup and no hidden or direction characters."""
    return f'<{tag} style="{PADDING}{style}">{escape(escape_hidden(text))}</{tag}>'


def write_paragraphs(lines: Sequence[str]) -> str:
    """Return a paragraph of HTML for each line that is not empty."""
    return "".join(f"<p>{escape(escape_hidden(line))}</p>" for line in lines if line)
