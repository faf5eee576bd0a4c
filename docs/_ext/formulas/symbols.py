"""What the symbols in the formulas of the catalogue mean, and which of them a formula does not explain."""

from collections.abc import Mapping
from types import MappingProxyType

from formulas.tree import Call, Formula, Node, Over, Relation, Symbol, nodes_of

_CLUSTERS = {
    "n": "number of objects",
    "n_ij": "objects in cluster i of the reference and cluster j of the candidate",
    "n_i": "objects in cluster i of the reference",
    "m_j": "objects in cluster j of the candidate",
}

_COUNTED = _CLUSTERS | {
    "K": "number of clusters of the reference",
    "Q": "number of clusters of the candidate",
}

_MATCHED = {
    "sigma": "a matching: cluster i of the reference has the cluster `sigma(i)` of the candidate to itself",
    "n_i,sigma(i)": "objects that cluster i shares with its match, 0 without one",
    "m_sigma(i)": "objects in the match of cluster i",
    "n_(i)": "the sizes of the reference's clusters from the largest down, 0 behind the last",
    "m_(i)": "the sizes of the candidate's clusters from the largest down, 0 behind the last",
}

SYMBOLS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "pair_counting": {
            "a": "pairs of objects that are together in both clusterings",
            "b": "pairs together in the reference only",
            "c": "pairs together in the candidate only",
            "d": "pairs together in neither",
            "N": "all pairs, `n (n - 1) / 2 = a + b + c + d`",
            "P": "pairs together in the reference, `a + b`",
            "Q": "pairs together in the candidate, `a + c`",
            "P'": "pairs apart in the reference, `c + d`",
            "Q'": "pairs apart in the candidate, `b + d`",
            "D": "`a d - b c`, which is `N a - P Q`",
            "n": "number of objects",
            "n_ij": "objects in cluster i of the reference and cluster j of the candidate",
            "n_i.": "objects in cluster i of the reference",
            "n_.j": "objects in cluster j of the candidate",
            "T": "`sum n_ij^2`, which is `2 a + n`",
            "S_x": "`sum n_i.^2`, which is `2 P + n`",
            "S_y": "`sum n_.j^2`, which is `2 Q + n`",
            "U": "the reference",
            "V": "the candidate",
        },
        "information": _CLUSTERS
        | {
            "U": "the reference",
            "V": "the candidate",
            "I": "mutual information, `sum (n_ij / n) log(n n_ij / (n_i m_j))`",
            "H": "entropy: `H(U) = -sum (n_i / n) log(n_i / n)`, `H(V)` alike, `H(U,V)` over the cells, and"
            " `H(U|V) = H(U,V) - H(V)`",
            "p": "the shares of the objects: `n_i / n` in U, `m_j / n` in V, `n_ij / n` in both",
            "C": "a binomial coefficient, in the text",
            "K": "number of clusters of the reference",
            "K'": "number of clusters of the candidate",
            "phi": "`phi^2 = sum n_ij^2 / (n_i m_j) - 1`, chi square by the number of objects",
        },
        "set_matching": _COUNTED | _MATCHED,
        "cluster_level": _COUNTED
        | {"J_ij": "Jaccard similarity of two clusters, `n_ij / (n_i + m_j - n_ij)`"},
        "user": {},
    }
)
"""Meanings by family and symbol; what stands between backquotes is a formula. Logarithms are natural."""


def explained_in(formula: Formula) -> set[str]:
    """Symbols that the remarks of a formula explain: those at the head of one, as in ``x and y the sides``.

    Examples
    --------
    >>> from formulas.reading import read_formula
    >>> sorted(explained_in(read_formula("E / x, x and y the sides of U, E = x y")))
    ['E', 'x', 'y']
    """
    found = set()
    for piece in formula.remarks:
        for place, part in enumerate(piece):
            head = part.sides[0] if isinstance(part, Relation) else part
            if isinstance(head, Symbol) and (place == 0 or piece[place - 1] == "and"):
                found.add(head.text)
            elif part != "and":
                break
    return found


def left_to_explain(formula: Formula) -> list[str]:
    """Symbols that a formula and its remarks have and do not explain, in the order of their appearance.

    A function such as the entropy counts as a symbol, ``H``; i and j, which number clusters, do not.

    Examples
    --------
    >>> from formulas.reading import read_formula
    >>> left_to_explain(read_formula("sum_i n_ij / x + H_q(U), x the larger"))
    ['n_ij', 'H_q', 'U']
    """
    explained = explained_in(formula) | {"i", "j", "pi"}
    texts: dict[str, None] = {}
    for piece in (*formula.cases, *formula.remarks):
        for node in (inner for part in piece for inner in nodes_of(part)):
            texts.update(dict.fromkeys(_symbols_of(node)))
    return [text for text in texts if text not in explained]


def _symbols_of(node: Node) -> list[str]:
    match node:
        case Symbol():
            return [node.text]
        case Call(Symbol() as function, _):
            return [function.text]
        case Over(_, "sigma", _):
            return ["sigma"]
        case _:
            return []
