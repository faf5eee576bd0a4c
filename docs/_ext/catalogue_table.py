"""The catalogue as one table of HTML, which `catalogue.js` searches, filters and sorts, and its page."""

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from catalogue_markdown import TITLES, about_classes, shared_classes
from catalogue_properties import Properties
from catalogue_text import NAMES, escaped, link, mathematics, with_code, with_formulas
from formulas.latex import as_latex
from formulas.symbols import SYMBOLS

from chancecorr.catalogue.details import reason
from chancecorr.catalogue.recommendations import COMMON, common_first, searched_text
from chancecorr.chance.engine import engine_of
from chancecorr.chance.engines import PROBES
from chancecorr.indices.information.shared_information import information_of_cell
from chancecorr.indices.registry import FAMILIES, Index, get_index, list_indices

LINEAR = {"T": "T", "I": "mutual information", "cells": "another sum over cells", "": "no"}
MEANS = {
    "T": "closed form",
    "I": "sums over cells",
    "cells": "sums over cells",
    "quadrature": "quadrature where smooth",
    "sampled": "small tables only",
    "constant": "constant",
}
LAWS = {"pairs": "enumeration of T", "tables": "small tables only", "constant": "constant"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table: its key, its heading, and whether there is a filter for its values."""

    key: str
    heading: str
    filtered: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What a row has in a column: HTML, the value that a filter compares, and what it is sorted by."""

    html: str
    value: str = ""
    order: str = ""


COLUMNS = (
    Column("name", "Index"),
    Column("family", "Family", filtered=True),
    Column("kind", "Kind", filtered=True),
    Column("range", "Range"),
    Column("symmetric", "Symmetric", filtered=True),
    Column("metric", "Metric", filtered=True),
    Column("linear", "Linear in", filtered=True),
    Column("mean", "Exact mean and variance", filtered=True),
    Column("law", "Exact law", filtered=True),
    Column("class", "Same once corrected", filtered=True),
    Column("source", "Source"),
)


def linear_in(index: Index) -> str:
    """A key of `LINEAR`: of what the index is an affine function once the cluster sizes are given."""
    if not all(engine_of(index).is_linear(index, margins) for margins in PROBES):
        return ""
    if index.needs == "pairs":
        return "T"
    return "I" if index.function is information_of_cell else "cells"


def columns(properties: Properties) -> tuple[Column, ...]:
    """The columns; that on metrics only where something is known of them."""
    known = any(properties.status(name, "metric") for name in NAMES)
    return tuple(column for column in COLUMNS if column.key != "metric" or known)


def cells(index: Index, properties: Properties) -> dict[str, Cell]:
    """What the row of an index has, by column."""
    linear = linear_in(index)
    mean = "constant" if index.constant else linear or "sampled"
    law = "constant" if index.constant else "pairs" if index.needs == "pairs" else "tables"
    if mean == "sampled" and index.needs == "pairs":
        mean = "quadrature"
    kind = "similarity" if index.larger_is_better else "distance"
    if index.best is not None and math.isnan(index.best):
        kind = "neither"
    low, high = (f"{bound:g}".replace("-", "−").replace("inf", "∞") for bound in index.range)
    metric = properties.status(index.name, "metric")
    return {
        "name": _name(index),
        "family": _plain(TITLES[index.family]),
        "kind": _plain(kind),
        "range": Cell(f"{low} to {high}", order=_order(index.range)),
        "symmetric": _plain("yes" if index.symmetric else "no"),
        "metric": _plain({"proved": "yes", "refuted": "no"}.get(metric, metric)),
        "linear": _plain(LINEAR[linear]),
        "mean": _plain(MEANS[mean]),
        "law": _plain(LAWS[law]),
        "class": _class(index),
        "source": Cell(escape(index.source)),
    }


def html_table(properties: Properties) -> str:
    """The form, the count and the table.

    The field is not called ``q``: Sphinx writes what was searched on the site into all fields of that name.
    """
    shown = columns(properties)
    rows = [(get_index(name), cells(get_index(name), properties)) for name in common_first(NAMES)]
    return "\n".join(
        [
            '<form id="catalogue-form" class="catalogue-form" role="search" aria-label="Indices" hidden>',
            '<p class="catalogue-field"><label for="catalogue-search">Name, alias or formula</label>'
            '<input type="search" id="catalogue-search" name="text" spellcheck="false"></p>',
            *(
                _filter(column, [row[column.key].value for _, row in rows])
                for column in shown
                if column.filtered
            ),
            '<p class="catalogue-field"><button type="reset" id="catalogue-reset">Show all</button></p>',
            "</form>",
            f'<p id="catalogue-count" role="status">{len(rows)} of {len(rows)} indices</p>',
            '<div class="catalogue-scroll" role="region" aria-label="Table of the indices" tabindex="0">',
            '<table id="catalogue-table" class="catalogue-table">',
            "<thead><tr>",
            *(f'<th scope="col" data-key="{column.key}">{column.heading}</th>' for column in shown),
            "</tr></thead>",
            "<tbody>",
            *(_row(index, row, shown) for index, row in rows),
            "</tbody>",
            "</table>",
            "</div>",
        ]
    )


def _row(index: Index, row: dict[str, Cell], shown: tuple[Column, ...]) -> str:
    parts = [f'<tr id="{index.name}" data-text="{escape(searched_text(index), quote=True)}">']
    for column in shown:
        cell = row[column.key]
        value = f' data-value="{escape(cell.value, quote=True)}"' if column.filtered else ""
        order = f' data-order="{cell.order}"' if cell.order else ""
        tag = 'th scope="row"' if column.key == "name" else "td"
        parts.append(f"<{tag}{value}{order}>{cell.html}</{tag[:2]}>")
    return "".join([*parts, "</tr>"])


def _filter(column: Column, values: list[str]) -> str:
    """A select with the values that occur, the most frequent first."""
    options = sorted(set(filter(None, values)), key=lambda value: (-values.count(value), value))
    listed = "".join(
        f'<option value="{escape(value, quote=True)}">{escape(value)} ({values.count(value)})</option>'
        for value in options
    )
    return (
        f'<p class="catalogue-field"><label for="catalogue-{column.key}">{column.heading}</label>'
        f'<select id="catalogue-{column.key}" name="{column.key}"><option value="">all</option>{listed}'
        "</select></p>"
    )


def _plain(text: str) -> Cell:
    return Cell(escape(text), value=text)


def _name(index: Index) -> Cell:
    also = (
        f'<span class="catalogue-aliases">{escape(", ".join(index.aliases))}</span>' if index.aliases else ""
    )
    formula = f'<code class="catalogue-formula">{escape(index.formula)}</code>'
    return Cell(f'<a href="indices/{index.name}.html">{index.name}</a>{also}{formula}', order=index.name)


def _class(index: Index) -> Cell:
    """The index that stands for its class, where there are several in it."""
    name = _classes().get(index.name)
    if name is None:
        return Cell("–" if index.can_be_adjusted else "never adjusted", order="~")
    anchor = name.replace("_", "-")
    return Cell(f'<a href="same_once_corrected.html#{anchor}">{name}</a>', value=name, order=name)


@functools.cache
def _classes() -> dict[str, str]:
    """By each index of a class of several, the one that stands for it."""
    return {member: name for name, members in shared_classes().items() for member in members}


def _order(bounds: tuple[float, float]) -> str:
    """Sorts like the bounds, as text: shifted into numbers of one length."""
    return " ".join(f"{min(max(bound, -9e5), 9e5) + 1e6:015.6f}" for bound in bounds)


def catalogue_page(properties: Properties) -> str:
    """The page with the table, and what its symbols and columns mean."""
    return "\n\n".join(_blocks(properties)) + "\n"


def _blocks(properties: Properties) -> Iterator[str]:
    yield "# The catalogue"
    yield (
        f"{len(NAMES)} indices, each by its canonical name, with a page of its own. Where a formula is 0/0,"
        " identical clusterings have the best value and others nan, unless said otherwise. A name with"
        " numbers, as in `f_beta(0.5)`, picks a member of a family. The address of this page keeps what is"
        f" searched and how it is sorted. The {len(COMMON)} indices that most papers report come first;"
        " [Which index?](/explanation/which_index.md) chooses among them."
    )
    yield _folded("What the symbols mean", "\n\n".join(_symbols()))
    meant = [
        "- **Linear in**: once the cluster sizes are given, the index is an affine function of {math}`T ="
        r" \sum_{i,j} n_{ij}^{2}`, of the mutual information, or of another sum over the cells; its mean"
        " and variance then have closed forms.",
        "- **Exact mean and variance**, **exact law**: what is known without simulation, and how.",
        "- **Same once corrected**: the index that stands for all that have [the same adjusted"
        " score](same_once_corrected.md).",
    ]
    if any(column.key == "metric" for column in columns(properties)):
        meant.append(
            "- **Metric**: whether the distance of the index from its best value is a metric; open where"
            " neither a proof nor a counterexample is known."
        )
    yield _folded("What the columns mean", "\n".join(meant))
    if properties.definitions():
        yield _folded("What the properties on the pages of the indices mean", properties.definitions())
    yield "```{raw} html\n" + html_table(properties) + "\n```"


def _folded(title: str, text: str) -> str:
    """Text that is shown when its title is pressed."""
    return f"````{{dropdown}} {title}\n{text}\n````"


def _symbols() -> Iterator[str]:
    for family in FAMILIES[:-1]:
        yield f"**{TITLES[family]}** ({len(list_indices(family))} indices)"
        yield "\n".join(
            f"- {mathematics(as_latex(symbol))}: {with_formulas(meaning)}"
            for symbol, meaning in SYMBOLS[family].items()
        )


def classes_page() -> str:
    """The page of the indices that are the same once corrected for chance."""
    lines = ["# The same once corrected for chance", with_code(about_classes())]
    for name, members in shared_classes().items():
        lines.append(f"## {escaped(name)}")
        lines.append(f"{len(members)} indices, {escaped(reason(name))}.")
        lines.append("\n".join(f"- {link(member)}: `{get_index(member).formula}`" for member in members))
    return "\n\n".join(lines) + "\n"
