"""The catalogue of indices in short: ``python docs/_ext/catalogue_markdown.py`` writes ``CATALOGUE.md``."""

import functools
from collections.abc import Iterator
from pathlib import Path

from catalogue_text import CATALOGUED, NAMES, SYMBOLS, TITLES, inline_math

from chancecorr.catalogue import describe_kind, list_classes
from chancecorr.indices.registry import get_index, list_indices


def write_page() -> str:
    """The whole catalogue in Markdown."""
    return "\n".join(_list_lines()) + "\n"


def _list_lines() -> Iterator[str]:
    yield "# The catalogue"
    yield ""
    yield (
        f"{len(NAMES)} indices, each by its canonical name; generated from the entries in the code by `make"
        " catalogue`. The documentation has a table of them that can be searched, and a page for each, with"
        " its names in the literature, what is known of it by chance, and its source. `chancecorr indices"
        " NAME` shows the same in a terminal. Where a formula is 0/0, identical clusterings have the best"
        " value and others nan, unless said otherwise. A name with numbers, as in `f_beta(0.5)`, picks a"
        " member of a family."
    )
    for family in CATALOGUED:
        names = list_indices(family)
        yield ""
        yield f"## {TITLES[family]} ({len(names)})"
        yield ""
        yield SYMBOLS[family]
        yield ""
        yield "| index | formula | kind |"
        yield "| --- | --- | --- |"
        for index in map(get_index, names):
            yield f"| {index.name} | {inline_math(index.formula)} | {describe_kind(index)} |"
    yield ""
    yield "## The same once corrected for chance"
    yield ""
    yield explain_classes()


def explain_classes() -> str:
    """What it means that indices are the same once corrected for chance, and how many are."""
    classes = list_classes(CATALOGUED)
    never = [name for name in NAMES if not get_index(name).can_be_adjusted]
    return (
        "With the cluster sizes fixed, an index that is an affine function of another one, and best where"
        " that is best, has the same adjusted score. Indices that are affine in T differ still where their"
        f" best values stand for different values of T. The {sum(map(len, classes.values()))} indices that"
        f" can be adjusted have {len(classes)} different adjusted scores; {len(list_shared_classes())} of"
        ' these belong to several indices. With `best="mean"`, which names the value of T that stands for 1,'
        " all indices that are affine in T are the same. Never adjusted, as they are constant or have no"
        f" finite best value, are {', '.join(f'`{name}`' for name in never)}."
    )


@functools.cache
def list_shared_classes() -> dict[str, tuple[str, ...]]:
    """Classes of several indices of the catalogue by the one that stands for them, the largest first."""
    classes = list_classes(CATALOGUED)
    shared = {name: members for name, members in classes.items() if len(members) > 1}
    return dict(sorted(shared.items(), key=lambda item: -len(item[1])))


if __name__ == "__main__":
    Path("CATALOGUE.md").write_text(write_page(), encoding="utf-8")
