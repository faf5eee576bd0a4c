"""The page of one index in Markdown: all that its entry says, what was proved of it, an example, pictures."""

import functools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catalogue_markdown import TITLES
from catalogue_properties import EXPLAINED, Properties
from catalogue_text import (
    NAMES,
    code,
    escaped,
    formula_as_text,
    link,
    list_of,
    mathematics,
    paragraph,
    piece_as_text,
    read,
    with_formulas,
    with_works,
)
from formulas.latex import as_latex
from formulas.symbols import SYMBOLS, explained_in, left_to_explain
from null_pictures import Picture
from three_lines import three_lines

import chancecorr as cc
from chancecorr.catalogue.details import equivalents, kind, same_once_corrected, what_is_exact
from chancecorr.indices.registry import ADVICE, MEANT_BY_DEFAULT, Index, list_indices

TABLE = [[9, 2, 1], [1, 7, 0], [0, 3, 8]]
"""Of the example on each page."""

NEEDS = {
    "pairs": "the four pair counts",
    "cells": "a sum over the cells of the table, and the cluster sizes",
    "table": "the whole table",
    "labels": "the labels of the objects",
}


@dataclass(frozen=True, slots=True)
class Computed:
    """What is computed for a page: the example's outputs, and pictures."""

    value: str
    adjusted: str
    pictures: tuple[Picture, ...]


def computed(index: Index, pictures: list[Picture]) -> Computed:
    """The example, run."""
    assert index.example is not None
    counts = [list(row) for row in index.example[0]]
    return Computed(
        value=repr(cc.score_table(counts, index)),
        adjusted=repr(cc.adjust_table(TABLE, index=index.name)),
        pictures=tuple(pictures),
    )


def index_page(index: Index, found: Computed, properties: Properties) -> str:
    """The page."""
    return "\n\n".join(_blocks(index, found, properties)) + "\n"


def _blocks(index: Index, found: Computed, properties: Properties) -> Iterator[str]:
    yield "---\norphan: true\n---"
    yield f"# {escaped(index.name)}"
    yield _place(index)
    yield three_lines(index, summary(index))
    yield from _folded("Formula", _formula(index), is_open=True)
    yield from _folded("What it is", [_facts(index)])
    yield from _folded("Names", _names(index))
    yield from _folded("By chance", _by_chance(index, found))
    yield from _folded("Properties", _properties(index, properties))
    yield from _folded("Example", _example(index, found))
    yield from _folded("Source", _source(index))
    yield from _folded("Notes", [paragraph(index.notes, but=index.name)] if index.notes else [])


def _folded(title: str, blocks: Iterable[str], *, is_open: bool = False) -> Iterator[str]:
    """A part of the page, closed until its title is clicked; nothing if it is empty."""
    inside = "\n\n".join(blocks)
    if inside:
        yield f"::::{{dropdown}} {title}\n{':open:' if is_open else ''}\n\n{inside}\n::::"


def _properties(index: Index, properties: Properties) -> Iterator[str]:
    table, preference = properties.table(index.name), properties.preference(index.name)
    if table:
        yield f"The properties are defined on [the catalogue page](/reference/catalogue.md). {EXPLAINED}"
        yield table
    if preference:
        yield preference


def _source(index: Index) -> Iterator[str]:
    yield with_works(index.source) + ("" if index.source.endswith(".") else ".")
    yield f"[How to cite it](/howto/cite.md): {_cite(index)}."


def _cite(index: Index) -> str:
    """The calls that give the source, the work on the correction, and the software."""
    call, command = f'cc.catalogue.cite("{index.name}")', f"chancecorr cite {index.name}"
    return f"{code(call)}, or {code(command)} in a terminal"


def summary(index: Index) -> str:
    """What it measures, in a line: the head of the docstring of what computes it."""
    documented = index.make or index.link or index.function
    if isinstance(documented, functools.partial):
        documented = documented.func
    return (documented.__doc__ or "").strip().partition("\n")[0]


def _place(index: Index) -> str:
    """Links to the catalogue, and to the neighbours in the family."""
    names = list_indices(index.family)
    at = names.index(index.name)
    parts = ["[All indices](/reference/catalogue.md)", TITLES[index.family]]
    if at > 0:
        parts.append(f"previous: {link(names[at - 1])}")
    if at + 1 < len(names):
        parts.append(f"next: {link(names[at + 1])}")
    return " · ".join(parts)


def _formula(index: Index) -> Iterator[str]:
    formula = read(index.formula)
    yield formula_as_text(formula)
    meanings = SYMBOLS[index.family]
    lines = [f"- {piece_as_text(piece)}" for piece in formula.remarks]
    lines += [
        f"- {mathematics(as_latex(symbol, NAMES))}: {with_formulas(meanings[symbol])}"
        for symbol in left_to_explain(formula)
        if symbol in meanings
    ]
    if lines:
        yield "with" if explained_in(formula) else "where"
        yield "\n".join(lines)
    yield f"As text: {code(index.formula)}"


def _facts(index: Index) -> str:
    what, *rest = kind(index).split(", ")
    lines = [
        f"- **Kind**: {what}, {', '.join(rest)}",
        f"- **Needs**: {NEEDS[index.needs]} (`needs={index.needs!r}`)",
    ]
    if index.make is not None:
        lines.append(
            f"- **Family**: a name with numbers, as in {code(_member(index))}, picks a member; the plain name"
            " stands for the member whose numbers the formula shows"
        )
    if math.isnan(index.undefined):
        values = "nan" if index.best is None else "identical clusterings have the best value, others nan"
        lines.append(f"- **Where the formula is 0/0**: {values}")
    return "\n".join(lines)


def _member(index: Index) -> str:
    """The name of the member that a family's plain name stands for."""
    shown = [piece[0].sides[1] for piece in read(index.formula).remarks if hasattr(piece[0], "sides")]
    return f"{index.name}({', '.join(each.text for each in shown if hasattr(each, 'text'))})"


def _names(index: Index) -> Iterator[str]:
    lines = list(_other_names(index))
    if lines:
        yield "\n".join(lines)


def _other_names(index: Index) -> Iterator[str]:
    if index.aliases:
        yield f"- **Also understood**: {', '.join(map(code, index.aliases))}"
    for names, (meant, remark, _) in MEANT_BY_DEFAULT.items():
        if meant == index.name:
            yield f"- **Also understood**: {code(names.split()[0])}, which {_linked(remark)}"
    if index.known_as:
        yield f"- **Elsewhere**: {paragraph(index.known_as, but=index.name)}"
    for sentence, names in clashes(index.name).items():
        meant = f"{', '.join(map(code, names))}. {_linked(sentence)}"
        yield f"- **Not understood, as it means several things**: {meant}"


def clashes(name: str) -> Mapping[str, list[str]]:
    """Names that an error answers with advice in which this index occurs, by the advice."""
    found: dict[str, list[str]] = {}
    for other, (sentence, _) in ADVICE.items():
        if repr(name) in sentence:
            found.setdefault(sentence, []).append(other)
    return found


def _linked(sentence: str) -> str:
    """A sentence in which names of indices stand between single quotes."""
    parts = sentence.split("'")
    return "".join(
        link(part) if part in NAMES else f"'{escaped(part)}'" if place % 2 else escaped(part)
        for place, part in enumerate(parts)
    )


def _by_chance(index: Index, found: Computed) -> Iterator[str]:
    exact = what_is_exact(index)
    yield f"Known without simulation: {escaped(exact)}."
    others = equivalents(index)
    if others:
        *_, why = same_once_corrected(index).partition("; ")
        yield (
            f"[The same once corrected](/reference/same_once_corrected.md) as {list_of(others)}:"
            f" {escaped(why)}."
        )
    elif index.can_be_adjusted:
        yield "No other index of the catalogue has the same adjusted score on all tables."
    if found.pictures:
        figures = "".join(
            f"<figure>{picture.svg}<figcaption>{picture.caption}</figcaption></figure>\n"
            for picture in found.pictures
        )
        yield f'```{{raw}} html\n<div class="null-laws">\n{figures}</div>\n```'
        yield "Between two clusterings that are matched at random; the dashed line is the mean."


def _example(index: Index, found: Computed) -> Iterator[str]:
    assert index.example is not None
    counts, value = index.example
    typed = [list(row) for row in counts]
    yield (
        f"By hand, the value of the table {code(repr(typed))} is {value:.6g}. The same, and a table with its"
        " adjusted score:"
    )
    lines = [
        ">>> import chancecorr as cc",
        f'>>> cc.score_table({typed}, "{index.name}")',
        found.value,
        f'>>> cc.adjust_table({TABLE}, index="{index.name}")',
        found.adjusted,
    ]
    yield "```{code-block} pycon\n" + "\n".join(lines) + "\n```"


def as_data(found: Computed) -> dict[str, Any]:
    """What was computed, as it is kept."""
    drawn = [{"svg": picture.svg, "caption": picture.caption} for picture in found.pictures]
    return {"value": found.value, "adjusted": found.adjusted, "pictures": drawn}


def from_data(data: Mapping[str, Any]) -> Computed:
    """What was kept."""
    pictures = tuple(Picture(each["svg"], each["caption"]) for each in data["pictures"])
    return Computed(data["value"], data["adjusted"], pictures)
