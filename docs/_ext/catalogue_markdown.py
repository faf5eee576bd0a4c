"""The catalogue of indices in short: ``python docs/_ext/catalogue_markdown.py`` writes it where it is called.

That is ``CATALOGUE.md``, and the number of indices in the two pages of `COUNTED`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from chancecorr.catalogue.details import corrected_classes, kind
from chancecorr.indices.registry import FAMILIES, get_index, list_indices

TITLES = {
    "pair_counting": "Pair counting",
    "information": "Information and association",
    "set_matching": "Set matching",
    "cluster_level": "Cluster level",
    "user": "Others",
}

ABOUT = {
    "pair_counting": (
        "Of the N = n(n-1)/2 pairs of objects, a are together in both clusterings, b in the reference only, c"
        " in the candidate only, d in neither; P = a + b, Q = a + c, P' = c + d, Q' = b + d, D = a d - b c."
        " With the cluster sizes fixed, nearly all of them are functions of one integer, T = sum n_ij^2."
    ),
    "information": (
        "n_ij objects are in cluster i of the reference and cluster j of the candidate, n_i and m_j in each."
        " U is the reference, V the candidate, H the entropy, I the mutual information; logarithms are"
        " natural."
    ),
    "set_matching": (
        "Each cluster of one clustering is matched with one of the other. K and Q are the numbers of clusters"
        " of the reference and the candidate; n_ij, n_i and m_j as above."
    ),
    "cluster_level": (
        "Each cluster is compared with those of the other clustering, and the results are averaged. K, Q,"
        " n_ij, n_i and m_j as above."
    ),
    "user": "",
}


COUNTED = {
    "README.md": "lists {} indices",
    "docs/project/other_software.md": "| chancecorr | {} |",
}
"""Pages that say how many indices there are, and how."""


def page() -> str:
    """The whole catalogue in Markdown."""
    return "\n".join(_lines()) + "\n"


def write(folder: Path) -> None:
    """Write the page, and the number of indices on those that say it."""
    (folder / "CATALOGUE.md").write_text(page(), encoding="utf-8")
    for name, words in COUNTED.items():
        path, pattern = folder / name, re.escape(words).replace(r"\{\}", r"\d+")
        text = re.sub(pattern, words.format(_total()), path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")


def _total() -> int:
    return sum(len(list_indices(family)) for family in FAMILIES[:-1])


def _lines() -> Iterator[str]:
    families = [family for family in FAMILIES[:-1] if list_indices(family)]
    yield "# The catalogue"
    yield ""
    yield (
        f"{_total()} indices, each by its canonical name; generated from the entries in the code by `make"
        " catalogue`. The documentation, which `make docs` builds in `docs/_build/html`, has a table of them"
        " that can be searched, filtered and sorted (`reference/catalogue.html`) and a page for each, with"
        " its names in the literature, what is known of it by chance, its source, and what other software"
        " computes. `chancecorr indices NAME` shows the same in a terminal. Where a formula is 0/0, identical"
        " clusterings have the best value and others nan, unless said otherwise. A name with numbers, as in"
        " `f_beta(0.5)`, picks a member of a family."
    )
    for family in families:
        names = list_indices(family)
        yield ""
        yield f"## {TITLES[family]} ({len(names)})"
        yield ""
        yield _escaped(ABOUT[family])
        yield ""
        yield "| index | formula | kind |"
        yield "| --- | --- | --- |"
        for name in names:
            index = get_index(name)
            formula = index.formula.replace("|", r"\|")
            yield f"| {name} | `{formula}` | {kind(index)} |"
    yield ""
    yield "## The same once corrected for chance"
    yield ""
    yield about_classes()
    yield ""
    yield "`reference/same_once_corrected.html` lists them."


def about_classes() -> str:
    """What it means that indices are the same once corrected for chance, and how many are."""
    classes = corrected_classes(FAMILIES[:-1])
    adjusted = sum(map(len, classes.values()))
    entries = [get_index(name) for family in FAMILIES[:-1] for name in list_indices(family)]
    never = [entry.name for entry in entries if not entry.can_be_adjusted]
    return (
        "With the cluster sizes fixed, an index that is an affine function of another one, and best where"
        " that is best, has the same adjusted score. Indices that are affine in T differ still where their"
        f" best values stand for different values of T. The {adjusted} indices that can be adjusted have"
        f" {len(classes)} different adjusted scores; {len(shared_classes())} of these belong to several"
        ' indices. With `best="mean"`, which names the value of T that stands for 1, all'
        " indices that are affine in T are the same. Never adjusted, as they are constant or have no finite"
        f" best value, are {', '.join(never)}."
    )


def shared_classes() -> dict[str, tuple[str, ...]]:
    """Classes of several indices of the catalogue by the one that stands for them, the largest first."""
    classes = corrected_classes(FAMILIES[:-1])
    shared = {name: members for name, members in classes.items() if len(members) > 1}
    return dict(sorted(shared.items(), key=lambda each: -len(each[1])))


def _escaped(text: str) -> str:
    """Text without what Markdown takes for markup."""
    return re.sub(r"([*<\\])", r"\\\1", text) if "`" not in text else text


if __name__ == "__main__":
    write(Path())
