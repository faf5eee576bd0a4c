"""The catalogue of indices in short: ``python docs/_ext/catalogue_markdown.py`` writes ``CATALOGUE.md``."""

import functools
from collections.abc import Iterator
from pathlib import Path

from catalogue_text import (
    CATALOGUED,
    NAMES,
    SYMBOLS,
    TITLE_OF_AGREEMENT,
    TITLES,
    inline_math,
    write_agreement,
    write_choices,
)

from chancecorr.catalogue import describe_kind, list_classes
from chancecorr.indices.index import OF_AGREEMENT
from chancecorr.indices.registry import get_index, list_indices


def write_page() -> str:
    """Return the whole catalogue in Markdown."""
    return "\n".join(_list_lines()) + "\n"


def _list_lines() -> Iterator[str]:
    yield "# The catalogue"
    yield ""
    yield (
        f"{len(NAMES)} indices by canonical name, generated from the entries in the code by `make catalogue`."
        " The documentation has a table that can be searched, and a page for each index, with its names in"
        " the literature, exact results by chance, and its source. `chancecorr indices NAME` shows the same"
        " in a terminal. If a formula is 0/0, identical clusterings have the best value and others have nan,"
        " if its entry does not state another value. A name with numbers, as in `f_beta(0.5)`, selects a"
        " member of a family."
    )
    yield ""
    yield "## Which index?"
    yield ""
    yield write_choices(with_links=False)
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
    yield f"## {TITLE_OF_AGREEMENT} ({len(list_indices(OF_AGREEMENT))})"
    yield ""
    yield write_agreement()
    yield ""
    yield "## The same once corrected for chance"
    yield ""
    yield explain_classes()


def explain_classes() -> str:
    """Explain why indices are the same once corrected for chance, and count them."""
    classes = list_classes(CATALOGUED)
    never = [name for name in NAMES if not get_index(name).can_be_adjusted]
    return (
        "With the cluster sizes fixed, an index has the same adjusted score as another index if it is an"
        " affine function of the other, and both are best for the same tables. Indices that are affine in T"
        " still differ if their best values belong to different values of T. The"
        f" {sum(map(len, classes.values()))} indices that can be adjusted have {len(classes)} different"
        f" adjusted scores; {len(list_shared_classes())} of"
        ' these belong to several indices. With `best="mean"`, which sets the value of T for a score of 1,'
        " all indices that are affine in T are the same. Some indices are never adjusted, because they are"
        f" constant or have no finite best value: {', '.join(f'`{name}`' for name in never)}."
    )


@functools.cache
def list_shared_classes() -> dict[str, tuple[str, ...]]:
    """List classes of several indices with the same adjusted score, by representative, the largest first."""
    classes = list_classes(CATALOGUED)
    shared = {name: members for name, members in classes.items() if len(members) > 1}
    return dict(sorted(shared.items(), key=lambda item: -len(item[1])))


if __name__ == "__main__":
    Path("CATALOGUE.md").write_text(write_page(), encoding="utf-8")
