"""Texts of the catalogue's pages: families and their symbols, names as links, sources with addresses."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

from chancecorr.indices.index import OF_AGREEMENT
from chancecorr.indices.registry import FAMILIES, get_index, list_indices

CATALOGUED = FAMILIES[:-1]
NAMES = tuple(name for family in CATALOGUED for name in list_indices(family))
"""All indices of the catalogue, family by family."""

CHOICES = json.loads(
    Path(__file__).with_name("choices.json").read_text("utf-8"),
    object_hook=lambda choice: SimpleNamespace(**choice),
)
"""Six questions and their answers; tests check the properties in the reason of each answer."""

TITLES = {
    "pair_counting": "Pair counting",
    "information": "Information and association",
    "set_matching": "Set matching",
    "cluster_level": "Cluster level",
}

TITLE_OF_AGREEMENT = "Labels that mean the same on both sides"

_COUNTS = (
    "$n_{ij}$ of the $n$ objects are in cluster $i$ of the reference $U$ and cluster $j$ of the candidate"
    " $V$, $n_i$ and $m_j$ in each of the two"
)

SYMBOLS = {
    "pair_counting": (
        "Of the $N = n (n - 1) / 2$ pairs of objects, $a$ are together in both clusterings, $b$ in the"
        " reference only, $c$ in the candidate only, $d$ in neither; $P = a + b$ and $Q = a + c$ are together"
        " in the reference and in the candidate, $P' = c + d$ and $Q' = b + d$ apart; $D = a d - b c$."
        r" $T = \sum n_{ij}^2 = 2 a + n$ of the table, $S_x = 2 P + n$ and $S_y = 2 Q + n$. With the cluster"
        " sizes fixed, nearly all of these indices are functions of one integer, $T$."
    ),
    "information": (
        f"{_COUNTS}; $K$ and $K'$ are the numbers of clusters. $H$ is the entropy, $I$ the mutual"
        r" information, $\phi^2 = \sum n_{ij}^2 / (n_i m_j) - 1$, and $p$ a share of the objects; logarithms"
        " are natural."
    ),
    "set_matching": (
        rf"{_COUNTS}; $K$ and $Q$ are the numbers of clusters. A matching $\sigma$ gives each cluster of one"
        r" clustering at most one of the other, $\sigma(i)$ to cluster $i$. $n_{(i)}$ and $m_{(i)}$ are the"
        " sizes from the largest down."
    ),
    "cluster_level": (
        rf"{_COUNTS}; $K$ and $Q$ are the numbers of clusters, and"
        r" $J_{ij} = n_{ij} / (n_i + m_j - n_{ij})$ is the Jaccard similarity of two clusters."
    ),
}
"""Meanings of the letters in formulas, by family, in Markdown with formulas between dollar signs."""

_CODE = re.compile(r"``(.+?)``|`(.+?)`|\b([a-z]\w*_\w+)\b")
_WORK = re.compile(r"doi:(10\.\S+?)(?=[;,.]?(?:\s|$))|arXiv:(\d{4}\.\d{4,5})")


def escape_markdown(text: str) -> str:
    """Escape the characters of a text that are markup in Markdown."""
    return re.sub(r"([\\*_<>$\[\]`{}~#|])", r"\\\1", text)


def link_to_index(name: str) -> str:
    """Return a link to the page of an index."""
    return f"[`{name}`](/reference/indices/{name}.md)"


def link_to_indices(names: Iterable[str]) -> str:
    """Return links to the pages of several indices."""
    return ", ".join(map(link_to_index, names))


def link_names(text: str, *, but: str = "") -> str:
    """Make names of indices in the text of an entry links, except the name `but`.

    A name is between backquotes, or contains underscores; other text between backquotes is code.
    """
    parts, end = [], 0
    for match in _CODE.finditer(text):
        name = match[1] or match[2] or match[3]
        if name in NAMES and name != but:
            shown = link_to_index(name)
        elif match[3]:  # a symbol such as n_ij, or the name of another function
            continue
        else:
            shown = f"``{name}``" if "`" in name else f"`{name}`"
        parts += [link_works(text[end : match.start()]), shown]
        end = match.end()
    return "".join([*parts, link_works(text[end:])])


def link_works(text: str) -> str:
    """Escape markup in a text, and make a DOI or an arXiv number a link."""
    parts, end = [], 0
    for match in _WORK.finditer(text):
        address = f"https://doi.org/{match[1]}" if match[1] else f"https://arxiv.org/abs/{match[2]}"
        parts += [escape_markdown(text[end : match.start()]), f"[{escape_markdown(match[0])}]({address})"]
        end = match.end()
    return "".join([*parts, escape_markdown(text[end:])])


def inline_math(formula: str) -> str:
    """Return a formula within a line, without bars, which would end a cell of a table."""
    return f"${formula}$".replace("|", r"\vert ")


def write_choices(*, with_links: bool) -> str:
    """Return the six questions and their indices as a table in Markdown, with links in the site."""
    lines = ["| your question | index, and its name in the call | why |", "| --- | --- | --- |"]
    for choice in CHOICES:
        title = f"[{choice.title}](/reference/indices/{choice.index}.md)" if with_links else choice.title
        call = f'{"adjust" if choice.adjusted else "score"}(..., index="{choice.call}")'
        lines.append(f"| {choice.question} | {title} `{call}` | {choice.why} |")
    return "\n".join(lines)


def write_agreement() -> str:
    """Return the indices of labels that mean the same on both sides, as a table in Markdown."""
    lines = [
        "Raters, judges and classifiers give labels that mean the same on both sides. These indices compare"
        r" such labels by name. $n_{ij}$ of the $n$ objects have label $i$ in the reference and label $j$ in"
        " the candidate; $n_i$ and $m_i$ have label $i$ in each of the two. They are not indices of"
        " clusterings, so that they do not have pages and are not in the table of all indices.",
        "",
        "| index | formula | what it is |",
        "| --- | --- | --- |",
    ]
    for index in map(get_index, list_indices(OF_AGREEMENT)):
        about = " ".join(filter(None, (index.about, index.known_as, f"Source: {index.source}.")))
        lines.append(f"| {index.name} | {inline_math(index.formula)} | {link_works(about)} |")
    return "\n".join(lines)
