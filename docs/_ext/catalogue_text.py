"""Texts of the catalogue as Markdown: names of indices become links, formulas mathematics, DOIs addresses."""

import re
from collections.abc import Collection
from urllib.parse import quote

from formulas.latex import as_latex, cases_latex, node_latex
from formulas.reading import read_formula
from formulas.tree import Formula, Piece

from chancecorr.indices.registry import FAMILIES, list_indices

NAMES = tuple(name for family in FAMILIES[:-1] for name in list_indices(family))
"""All indices of the catalogue, family by family."""

PAGES = "/reference/indices"
"""Where the pages are, from the root of the documentation."""

_CODE = re.compile(r"``(.+?)``|`(.+?)`|\b([a-z]\w*_\w+)\b")
_WORK = re.compile(r"doi:(10\.\S+?)(?=[;,.]?(?:\s|$))|arXiv:(\d{4}\.\d{4,5})")


def escaped(text: str) -> str:
    r"""Text without what Markdown takes for markup.

    Examples
    --------
    >>> print(escaped("a * b < n_ij [1]"))
    a \* b \< n\_ij \[1\]
    """
    return re.sub(r"([\\*_<>$\[\]`{}~#])", r"\\\1", text)


def with_code(text: str) -> str:
    r"""Text in which code stands between backquotes.

    Examples
    --------
    >>> print(with_code("with `best=1`, [1]"))
    with `best=1`, \[1\]
    """
    parts = text.split("`")
    return "".join(f"`{part}`" if place % 2 else escaped(part) for place, part in enumerate(parts))


def code(text: str) -> str:
    """Text as it would be typed."""
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"


def link(name: str) -> str:
    """A link to the page of an index."""
    return f"[{code(name)}]({PAGES}/{name}.md)"


def mathematics(latex: str) -> str:
    """Mathematics within a line."""
    return f"{{math}}`{latex}`"


def displayed(latex: str) -> str:
    """Mathematics in lines of its own."""
    return f"```{{math}}\n{latex}\n```"


def paragraph(text: str, *, but: str = "") -> str:
    """Text of an entry in which names of indices become links, and what else stands between backquotes code.

    Parameters
    ----------
    text : str
        Plain text. A name is one between backquotes, or by its underscores.
    but : str
        The index whose page it is for: no link leads there.
    """
    parts, end = [], 0
    for found in _CODE.finditer(text):
        inside = found[1] or found[2] or found[3]
        if inside in NAMES and inside != but:
            shown = link(inside)
        elif found[3]:  # a symbol such as n_ij, or the name of another function
            continue
        else:
            shown = code(inside)
        parts += [with_works(text[end : found.start()]), shown]
        end = found.end()
    return "".join([*parts, with_works(text[end:])])


def with_works(text: str) -> str:
    """Escaped text in which a DOI or an arXiv number is a link.

    Examples
    --------
    >>> with_works("Hubert & Arabie (1985), doi:10.1007/BF01908075, equation 4")
    'Hubert & Arabie (1985), [doi:10.1007/BF01908075](https://doi.org/10.1007/BF01908075), equation 4'
    """
    parts, end = [], 0
    for found in _WORK.finditer(text):
        address = f"https://doi.org/{quote(found[1])}" if found[1] else f"https://arxiv.org/abs/{found[2]}"
        parts += [escaped(text[end : found.start()]), f"[{escaped(found[0])}]({address})"]
        end = found.end()
    return "".join([*parts, escaped(text[end:])])


def with_formulas(text: str) -> str:
    """Text in which a formula stands between backquotes."""
    parts = text.split("`")
    return "".join(
        mathematics(as_latex(part, NAMES)) if place % 2 else escaped(part) for place, part in enumerate(parts)
    )


def piece_as_text(piece: Piece) -> str:
    """Words as words, and mathematics between them."""
    return " ".join(
        escaped(part) if isinstance(part, str) else mathematics(rf"\displaystyle {node_latex(part)}")
        for part in piece
    )


def formula_as_text(formula: Formula) -> str:
    """What the index is: mathematics in a line of its own, or a sentence where it is said in words."""
    if any(isinstance(case[0], str) for case in formula.cases):
        said = "; ".join(map(piece_as_text, formula.cases))
        return f"{said[0].upper()}{said[1:]}."
    return displayed(cases_latex(formula))


def read(formula: str) -> Formula:
    """The tree of a formula of the catalogue."""
    return read_formula(formula, NAMES)


def list_of(names: Collection[str]) -> str:
    """Links to the pages of several indices."""
    return ", ".join(map(link, names))
