"""Formulas in LaTeX, as far as MathJax and KaTeX both know it."""

import re
from collections.abc import Collection

from formulas.reading import read_formula
from formulas.tree import (
    Call,
    Factorial,
    Formula,
    Given,
    Name,
    Node,
    Number,
    Over,
    Piece,
    Power,
    Product,
    Quotient,
    Relation,
    Sum,
    Symbol,
    nodes_of,
)

SIGNS = {"<=": r"\le", ">=": r"\ge"}
COMMANDS = {"log10": r"\log_{10}"}
"""LaTeX of what is not its own name behind a backslash."""

TALL = re.compile(r"\\(?:frac|sqrt|sum|prod|max_|min_|binom|left)")
"""What parentheses grow with."""

IN_SUM, IN_PRODUCT, IN_POWER = 1, 2, 3
"""Where a node stands: a sum needs parentheses in a product, a product in a power."""


def as_latex(formula: str | Formula, names: Collection[str] = ()) -> str:
    r"""A whole formula in LaTeX, remarks behind it.

    Examples
    --------
    >>> as_latex("a / sqrt(P Q')")
    "\\frac{a}{\\sqrt{P Q'}}"
    >>> as_latex("sum n_ij^2 / (n m_j) - 1")
    '\\sum_{i,j} \\frac{n_{ij}^{2}}{n m_{j}} - 1'
    >>> as_latex("x if D > 0; y otherwise")
    '\\begin{cases} x & \\text{if } D > 0 \\\\ y & \\text{otherwise} \\end{cases}'
    """
    read = read_formula(formula, names) if isinstance(formula, str) else formula
    return r", \quad ".join([cases_latex(read), *map(piece_latex, read.remarks)])


def cases_latex(formula: Formula) -> str:
    """What the index is, without remarks."""
    if len(formula.cases) == 1:
        return piece_latex(formula.cases[0])
    rows = []
    for value, *when in formula.cases:
        if isinstance(value, str):
            raise ValueError(f"`formula` must have cases that begin with a value; got {value!r}.")
        rows.append(f"{node_latex(value)} & {piece_latex(when)}")
    return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"


def piece_latex(piece: Piece | list[Node | str]) -> str:
    """Mathematics and words in turn."""
    parts = []
    for place, part in enumerate(piece):
        if isinstance(part, str):
            before, after = " " if place else "", " " if place + 1 < len(piece) else ""
            words = part.replace("_", r"\_")
            parts.append(rf"\text{{{before}{words}{after}}}")
        else:
            parts.append(node_latex(part))
    return " ".join(parts)


def node_latex(node: Node, place: int = IN_SUM) -> str:
    """LaTeX of a node, in parentheses where it would else be taken apart."""
    match node:
        case Number(text):
            return text
        case Symbol():
            return symbol_latex(node)
        case Name(text):
            return r"\mathtt{" + text.replace("_", r"\_") + "}"
        case Call(function, arguments):
            return _bracketed_if(place == IN_POWER and function != "abs", _call(function, arguments))
        case Given(left, right):
            return rf"{node_latex(left)} \mid {node_latex(right)}"
        case Over():
            return _bracketed_if(place != IN_SUM, _over(node))
        case Product(factors):
            return _bracketed_if(place == IN_POWER, _product(factors))
        case Quotient(above, below):
            return _bracketed_if(place == IN_POWER, rf"\frac{{{node_latex(above)}}}{{{node_latex(below)}}}")
        case Sum(terms):
            return _bracketed_if(place != IN_SUM, _sum(terms))
        case Power(base, exponent):
            return f"{node_latex(base, IN_POWER)}^{{{node_latex(exponent)}}}"
        case Factorial(of):
            return f"{node_latex(of, IN_POWER)}!"
        case Relation(sides, signs):
            parts = [node_latex(sides[0])]
            for sign, side in zip(signs, sides[1:], strict=True):
                parts += [SIGNS.get(sign, sign), node_latex(side)]
            return " ".join(parts)


def symbol_latex(symbol: Symbol) -> str:
    r"""LaTeX of a symbol.

    Examples
    --------
    >>> symbol_latex(Symbol("n", "i,sigma(i)")), symbol_latex(Symbol("K", "", 1))
    ('n_{i\\,\\sigma(i)}', "K'")
    """
    base, below = symbol.base, symbol.below
    if len(base) > 1:
        base = rf"\mathrm{{{base}}}" if base.isupper() else rf"\{base}"
    below = below.replace(",", r"\,").replace("sigma", r"\sigma")
    below = re.sub(r"^\.", r"\\cdot ", re.sub(r"\.$", r"\\cdot", below))
    return base + (f"_{{{below}}}" if below else "") + "'" * symbol.primes


def clusters_of(node: Node) -> str:
    """Which of i and j a sum over all there is runs over: those of its terms that no inner sum binds.

    Examples
    --------
    >>> clusters_of(Product((Symbol("n", "ij"), Symbol("m", "j")))), clusters_of(Symbol("n", "i"))
    ('ij', 'i')
    """
    if isinstance(node, Over):
        bound = node.index or clusters_of(node.body)
        return "".join(index for index in clusters_of(node.body) if index not in bound)
    if isinstance(node, Symbol):
        return "".join(index for index in "ij" if index in re.sub(r"sigma|\(i\)", "", node.below))
    below = "".join(clusters_of(part) for part in _parts(node))
    return "".join(index for index in "ij" if index in below)


def _parts(node: Node) -> list[Node]:
    """Nodes right below a node."""
    below, parts = nodes_of(node)[1:], []
    while below:
        parts.append(below[0])
        below = below[len(nodes_of(below[0])) :]
    return parts


def _call(function: str | Symbol, arguments: tuple[Node, ...]) -> str:
    inside = [node_latex(argument) for argument in arguments]
    if function == "sqrt":
        return rf"\sqrt{{{inside[0]}}}"
    if function == "abs":
        return rf"\left\lvert {inside[0]} \right\rvert"
    if function == Symbol("C") and len(inside) == 2:
        return rf"\binom{{{inside[0]}}}{{{inside[1]}}}"
    if isinstance(function, Symbol):
        return symbol_latex(function) + _bracketed(", ".join(inside))
    command = COMMANDS.get(function, rf"\{function}")
    if len(arguments) == 1 and (
        isinstance(arguments[0], Symbol | Factorial) or inside[0].startswith(r"\binom")
    ):
        return f"{command} {inside[0]}"
    return command + _bracketed(", ".join(inside))


def _over(node: Over) -> str:
    index = r"\sigma" if node.index == "sigma" else node.index or ",".join(clusters_of(node.body))
    return rf"\{node.operation}" + (f"_{{{index}}}" if index else "") + f" {node_latex(node.body)}"


def _product(factors: tuple[Node, ...]) -> str:
    parts = []
    for place, factor in enumerate(factors):
        last = place == len(factors) - 1
        text = node_latex(factor, IN_SUM if last and isinstance(factor, Over) else IN_PRODUCT)
        if place and (isinstance(factor, Number) or isinstance(factors[place - 1], Name)):
            parts.append(r"\cdot")
        parts.append(text)
    return " ".join(parts)


def _sum(terms: tuple[tuple[int, Node], ...]) -> str:
    parts = []
    for place, (sign, term) in enumerate(terms):
        if place or sign < 0:
            parts.append("+" if sign > 0 else "-")
        parts.append(node_latex(term, IN_PRODUCT if isinstance(term, Sum) else IN_SUM))
    return " ".join(parts)


def _bracketed(text: str) -> str:
    return rf"\left({text}\right)" if TALL.search(text) else f"({text})"


def _bracketed_if(wanted: bool, text: str) -> str:
    return _bracketed(text) if wanted else text
