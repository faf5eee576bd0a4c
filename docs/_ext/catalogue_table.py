"""Write the catalogue page, whose table `catalogue.js` searches, and the page of equal adjusted scores."""

import math
from collections.abc import Iterator
from html import escape

from catalogue_markdown import explain_classes, list_shared_classes
from catalogue_text import (
    CATALOGUED,
    NAMES,
    SYMBOLS,
    TITLE_OF_AGREEMENT,
    TITLES,
    escape_markdown,
    inline_math,
    link_to_index,
    link_works,
    write_agreement,
)

from chancecorr.catalogue import explain_class, properties, property_definitions
from chancecorr.chance.engines import PROBES, get_engine
from chancecorr.indices.information import information_of_cell
from chancecorr.indices.names import COMMON, list_searched_words, put_common_first
from chancecorr.indices.registry import Index, get_index

COLUMNS = {
    "index": "Index",
    "family": "Family",
    "kind": "Kind",
    "range": "Range",
    "symmetric": "Symmetric",
    "metric": "Metric",
    "mean": "Mean and variance by chance",
    "class": "Same once corrected",
}
FILTERED = ("family", "kind", "symmetric", "metric", "mean")
"""Columns with a list of values, from which a reader can choose."""


def write_catalogue_page() -> str:
    """Return the page with the table, and the meanings of its symbols and columns."""
    return "\n\n".join(_list_blocks()) + "\n"


def _list_blocks() -> Iterator[str]:
    yield "# The catalogue"
    yield (
        f"{len(NAMES)} indices by canonical name, each with a separate page. If a formula is 0/0, identical"
        " clusterings have the best value and others nan, if its entry does not state another value. A name"
        " with numbers,"
        f" as in `f_beta(0.5)`, selects a member of a family. The {len(COMMON)} indices that most papers"
        " report come first; [Which index?](/explanation/which_index.md) helps to choose."
    )
    yield "```{raw} html\n" + "\n".join(_write_table()) + "\n```"
    yield f"## {TITLE_OF_AGREEMENT}\n\n{write_agreement()}"
    yield _fold(
        "What the symbols mean", "\n".join(f"- **{TITLES[each]}**: {SYMBOLS[each]}" for each in CATALOGUED)
    )
    definitions = [
        f"- **{escape_markdown(one['title'])}**: {escape_markdown(one['statement'])}"
        + (f" ({link_works(one['source'])})" if one["source"] else "")
        for one in property_definitions().values()
    ]
    yield _fold("What the properties on the pages of the indices mean", "\n".join(definitions))


def _fold(title: str, text: str) -> str:
    """Return a text that is shown after a click on its title."""
    return f"````{{dropdown}} {title}\n{text}\n````"


def _write_table() -> Iterator[str]:
    """Yield the form, the number of rows shown, and the table, in HTML."""
    rows = {name: describe_index(get_index(name)) for name in put_common_first(NAMES)}
    yield '<form id="catalogue-form" class="catalogue-form" role="search" aria-label="Indices" hidden>'
    yield '<p><label for="catalogue-search">Name, alias or source</label>'
    yield '<input type="search" id="catalogue-search" name="text" spellcheck="false"></p>'
    yield '<details><summary>Filters</summary><div class="catalogue-form">'
    for column in FILTERED:
        values = sorted({row[column] for row in rows.values()})
        options = "".join(f"<option>{escape(value)}</option>" for value in values)
        yield f'<p><label for="catalogue-{column}">{COLUMNS[column]}</label>'
        yield f'<select id="catalogue-{column}" name="{column}">'
        yield f'<option value="">all</option>{options}</select></p>'
    yield '<p><button type="reset" id="catalogue-reset">Show all</button></p></div></details>'
    yield f'</form>\n<p id="catalogue-count" role="status">{len(rows)} of {len(rows)} indices</p>'
    yield '<div class="catalogue-scroll" role="region" aria-label="Table of the indices" tabindex="0">'
    yield '<table id="catalogue-table" class="catalogue-table"><thead><tr>'
    yield "".join(f'<th scope="col" data-key="{key}">{title}</th>' for key, title in COLUMNS.items())
    yield "</tr></thead><tbody>"
    for name, row in rows.items():
        index = get_index(name)
        also = f"<small>{escape(', '.join(index.aliases))}</small>" if index.aliases else ""
        shown = row | {"index": f'<a href="indices/{name}.html">{name}</a>{also}'}
        if row["class"] in list_shared_classes():
            anchor = row["class"].replace("_", "-")
            shown["class"] = f'<a href="same_once_corrected.html#{anchor}">{row["class"]}</a>'
        cells = "".join(f"<td>{shown[key]}</td>" for key in COLUMNS)
        yield f'<tr id="{name}" data-text="{escape(list_searched_words(index), quote=True)}">{cells}</tr>'
    yield "</tbody></table>\n</div>"


def describe_index(index: Index) -> dict[str, str]:
    """Return the row of an index, by column."""
    kind = "similarity" if index.larger_is_better else "distance"
    if index.best is not None and math.isnan(index.best):
        kind = "neither"
    low, high = (f"{bound:g}".replace("-", "−").replace("inf", "∞") for bound in index.range)
    metric = properties(index)["metric"].status
    shared = {member: name for name, members in list_shared_classes().items() for member in members}
    return {
        "index": index.name,
        "family": TITLES[index.family],
        "kind": kind,
        "range": f"{low} to {high}",
        "symmetric": "yes" if index.symmetric else "no",
        "metric": {"proved": "yes", "refuted": "no"}.get(metric, metric),
        "mean": _say_how_mean_is_known(index),
        "class": shared.get(index.name, "–" if index.can_be_adjusted else "never adjusted"),
    }


def _say_how_mean_is_known(index: Index) -> str:
    """Describe how mean and variance are computed without simulation."""
    if index.constant:
        return "constant"
    if all(get_engine(index).is_linear(index, margins) for margins in PROBES):
        if index.needs == "pairs":
            return "closed form, linear in T"
        information = index.function is information_of_cell
        return "sums over cells, linear in I" if information else "sums over cells"
    return "quadrature where smooth" if index.needs == "pairs" else "small tables only"


def write_classes_page() -> str:
    """Return the page of the indices that are the same once corrected for chance."""
    blocks = ["# The same once corrected for chance", explain_classes()]
    for name, members in list_shared_classes().items():
        blocks.append(f"## {escape_markdown(name)}")
        blocks.append(f"{len(members)} indices, {escape_markdown(explain_class(name))}.")
        formulas = (f"- {link_to_index(each)}: {inline_math(get_index(each).formula)}" for each in members)
        blocks.append("\n".join(formulas))
    return "\n\n".join(blocks) + "\n"
