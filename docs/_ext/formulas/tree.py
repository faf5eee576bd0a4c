"""The tree of a formula: symbols, functions, sums, fractions; and words between them."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A letter of Latin or Greek, what stands below it, and its primes: ``n_ij``, ``P'``, ``theta``."""

    base: str
    below: str = ""
    primes: int = 0

    @property
    def text(self) -> str:
        """The symbol as it is written."""
        return self.base + (f"_{self.below}" if self.below else "") + "'" * self.primes


@dataclass(frozen=True, slots=True)
class Name:
    """The value of another index."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function of arguments: one of `FUNCTIONS`, or a letter as in ``H(U)``."""

    function: str | Symbol
    arguments: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Given:
    """``U|V``, the one given the other."""

    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True)
class Over:
    """Sum, product, largest or least over clusters i or j, matchings sigma, or all there is, ``""``."""

    operation: str
    index: str
    body: "Node"


@dataclass(frozen=True, slots=True)
class Product:
    """Factors side by side."""

    factors: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Quotient:
    """One node over another."""

    above: "Node"
    below: "Node"


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms, each with its sign, 1 or -1."""

    terms: tuple[tuple[int, "Node"], ...]


@dataclass(frozen=True, slots=True)
class Power:
    """A node to the power of another."""

    base: "Node"
    exponent: "Node"


@dataclass(frozen=True, slots=True)
class Factorial:
    """The factorial of a node."""

    of: "Node"


@dataclass(frozen=True, slots=True)
class Relation:
    """Nodes with relations between them: ``I = H(U) - H(U|V)``."""

    sides: tuple["Node", ...]
    signs: tuple[str, ...]


Node: TypeAlias = (
    Number | Symbol | Name | Call | Given | Over | Product | Quotient | Sum | Power | Factorial | Relation
)
Piece: TypeAlias = tuple[Node | str, ...]
"""Mathematics and words in turn."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula.

    Attributes
    ----------
    cases : tuple of pieces
        What the index is: one piece, or one for each case.
    remarks : tuple of pieces
        Definitions and words behind it.
    """

    cases: tuple[Piece, ...]
    remarks: tuple[Piece, ...] = ()

    @property
    def definitions(self) -> dict[Symbol, Node]:
        """What the remarks define by an equation."""
        equations = [node for piece in self.remarks for node in piece if isinstance(node, Relation)]
        return {
            each.sides[0]: each.sides[1]
            for each in equations
            if isinstance(each.sides[0], Symbol) and each.signs == ("=",)
        }


def nodes_of(node: Node | str) -> list[Node]:
    """A node and all nodes below it, from the left; nothing for words."""
    match node:
        case str():
            return []
        case Call(_, below) | Product(below) | Relation(below, _):
            parts = below
        case Given(left, right) | Quotient(left, right) | Power(left, right):
            parts = (left, right)
        case Over(_, _, part) | Factorial(part):
            parts = (part,)
        case Sum(terms):
            parts = tuple(term for _, term in terms)
        case _:
            parts = ()
    return [node, *(inner for part in parts for inner in nodes_of(part))]
