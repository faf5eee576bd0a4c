"""Write the page of an index in Markdown: its entry, its proved properties, and an example."""

import functools
import math
import re
from collections.abc import Iterator
from pathlib import Path

from catalogue_text import CHOICES, SYMBOLS, TITLES, escape_markdown, link_names, link_to_indices, link_works

import chancecorr
from chancecorr.catalogue import (
    Property,
    describe_exact,
    describe_kind,
    equivalents,
    explain_class,
    properties,
    property_definitions,
)
from chancecorr.indices.names import ADVICE, COMMON, MEANT_BY_DEFAULT
from chancecorr.indices.registry import Index

TABLE = [[9, 2, 1], [1, 7, 0], [0, 3, 8]]
"""The contingency table of the example on each page."""

NEEDS = {
    "pairs": "the four pair counts",
    "cells": "a sum over the cells of the table, and the cluster sizes",
    "table": "the whole table",
    "labels": "the labels of the objects",
}
OTHER_PACKAGES = Path(__file__).resolve().parents[1] / "howto" / "scikit_learn.md"
"""The page with a table of functions of other packages and the corresponding indices."""


def write_index_page(index: Index) -> str:
    """Return the page of an index."""
    parts = [
        "---\norphan: true\n---",
        f"# {escape_markdown(index.name)}",
        f"[All indices](/reference/catalogue.md) · {TITLES[index.family]}",
        f"{escape_markdown(index.about)} {_say_when(index)}",
        *_show_formula(index),
    ]
    sections = {
        "What it is": _list_facts(index),
        "Names": _list_names(index),
        "By chance": _describe_chance(index),
        "Properties": _tabulate_properties(index),
        "Example": _show_example(index),
        "Source": _name_source(index),
        "Notes": link_names(index.notes, but=index.name),
    }
    parts += [f"## {title}\n\n{text}" for title, text in sections.items() if text]
    return "\n\n".join(parts) + "\n"


def _say_when(index: Index) -> str:
    """Advise when to use an index, from the six questions or from indices with the same adjusted score."""
    for choice in CHOICES:
        if choice.index == index.name:
            return f"**{choice.question}{'' if choice.question.endswith('?') else ':'}** {choice.why}"
    common = [name for name in equivalents(index) if name in COMMON]
    if common:
        return f"Adjusted, it is the same as {link_to_indices(common)}."
    return "[Which index?](/explanation/which_index.md) has six others."


def _show_formula(index: Index) -> Iterator[str]:
    """Yield the formula, the meanings of its letters, and the letters of the family."""
    formula, *remarks = index.formula.split(r", \quad ")
    yield f"$$\n{formula}\n$$"
    if remarks:
        yield "\n".join(["where", "", *(f"- ${remark}$" for remark in remarks)])
    yield SYMBOLS[index.family]


def _list_facts(index: Index) -> str:
    lines = [
        f"- **Kind**: {describe_kind(index)}",
        f"- **Needs**: {NEEDS[index.needs]} (`needs={index.needs!r}`)",
    ]
    if index.make is not None:
        numbers = re.findall(r"\\quad \S+ = ([\d.]+)(?=,|$)", index.formula)
        lines.append(
            f"- **Family**: a name with numbers, as in `{index.name}({', '.join(numbers)})`, picks a member;"
            " the plain name stands for the member whose numbers the formula shows"
        )
    if math.isnan(index.undefined):
        values = "nan" if index.best is None else "identical clusterings have the best value, others nan"
        lines.append(f"- **Where the formula is 0/0**: {values}")
    return "\n".join(lines)


def _list_names(index: Index) -> str:
    lines = []
    if index.aliases:
        lines.append(f"- **Also understood**: {', '.join(f'`{alias}`' for alias in index.aliases)}")
    for names, (meant, remark, _) in MEANT_BY_DEFAULT.items():
        if meant == index.name:
            lines.append(f"- **Also understood**: `{names.split()[0]}`, which {escape_markdown(remark)}")
    calls = [
        f"`{name}` in {package}" for package, name, here, _ in list_names_elsewhere() if here == index.name
    ]
    if calls:
        lines.append(f"- **In other packages**: {', '.join(calls)}")
    if index.known_as:
        lines.append(f"- **Elsewhere**: {link_names(index.known_as, but=index.name)}")
    clashes: dict[str, list[str]] = {}
    for name, (advice, _) in ADVICE.items():
        if repr(index.name) in advice:
            clashes.setdefault(advice, []).append(f"`{name}`")
    for advice, names_of_several in clashes.items():
        meant = f"{', '.join(names_of_several)}. {escape_markdown(advice)}"
        lines.append(f"- **Not understood, as it means several things**: {meant}")
    return "\n".join(lines)


@functools.cache
def list_names_elsewhere() -> tuple[tuple[str, str, str, str], ...]:
    """List package, name there, index here and call, from the page on other packages."""
    package, rows = "", []
    for line in OTHER_PACKAGES.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or len(cells) != 4 or cells[0] in ("package", "---"):
            continue
        package = cells[0].partition(",")[0] or package
        there, here, calls = (re.findall(r"`([^`]+)`", cell) for cell in cells[1:])
        for k, name in enumerate(there):
            row = name.strip('"'), here[min(k, len(here) - 1)], calls[min(k, len(calls) - 1)]
            rows.append((package, *row))
    return tuple(rows)


def _describe_chance(index: Index) -> str:
    lines = [f"Known without simulation: {escape_markdown(describe_exact(index))}."]
    others = equivalents(index)
    if others:
        reason = explain_class(index.corrected_as or index.name)
        lines.append(
            f"[The same once corrected](/reference/same_once_corrected.md) as {link_to_indices(others)}:"
            f" {escape_markdown(reason)}."
        )
    elif index.can_be_adjusted:
        lines.append("No other index of the catalogue has the same adjusted score on all tables.")
    return "\n\n".join(lines)


def _tabulate_properties(index: Index) -> str:
    """Tabulate the properties of the raw and the adjusted index that are proved, refuted or open."""
    raw, adjusted = properties(index), properties(index, adjusted=True)
    rows = []
    for key, definition in property_definitions().items():
        both = (raw.get(key), adjusted.get(key))
        cells = ["" if one is None else _describe_property(one) for one in both]
        if any(cells):
            rows.append(f"| {escape_markdown(definition['title'])} | {' | '.join(cells)} |")
    if not rows:
        return ""
    head = (
        "The properties are defined on [the catalogue page](/reference/catalogue.md). In a counterexample"
        " s(U, V) is the score, or the mean, of two clusterings given by the labels of their objects, and"
        " s(a, b, c, d) is the score of pair counts."
    )
    return "\n".join([head, "", "| property | as it is | adjusted |", "| --- | --- | --- |", *rows])


def _describe_property(one: Property) -> str:
    parts = [link_names(one.reason).removesuffix(".")] if one.reason else []
    example = one.counterexample or {}
    if "clusterings" in example:
        texts = example["clusterings"]
        scores = [f"`s({texts[i]}, {texts[j]}) = {value:.4g}`" for i, j, value in example.get("scores", ())]
        parts += scores or [f"`{text}`" for text in texts]
    elif "counts" in example:
        values = example.get("values", [math.nan] * len(example["counts"]))
        for counts, value in zip(example["counts"], values, strict=True):
            parts.append(f"`s{tuple(counts)}`" if value != value else f"`s{tuple(counts)} = {value:.4g}`")
    elif one.status == "open" and one.n_max:
        parts.append(f"no counterexample with up to {one.n_max} objects")
    why = "; ".join(parts)
    return f"**{one.status}**" + (f": {why}" if why else "")


def _show_example(index: Index) -> str:
    adjusted = f", and `cc.adjust_table({TABLE}, {index.name!r})` corrects it for chance"
    value = chancecorr.score_table(TABLE, index)
    return f"`cc.score_table({TABLE}, {index.name!r})` is {value:.6g}{adjusted * index.can_be_adjusted}."


def _name_source(index: Index) -> str:
    stop = "" if index.source.endswith(".") else "."
    return (
        f"{link_works(index.source)}{stop} [How to cite it](/howto/reporting.md):"
        f' `cc.catalogue.cite("{index.name}")`, or `chancecorr cite {index.name}` in a terminal.'
    )
