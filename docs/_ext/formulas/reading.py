"""Formulas of indices as text, read into trees: ``sum_i max_j n_ij / n``, ``a / sqrt(P Q), P = a + b``.

A space between two factors multiplies. A fraction has one factor below its ``/``: ``a / b c`` is refused, as
two readers may read it in two ways. What `sum_i`, `max_j` and their like apply to goes on to the next plus,
minus or comma. After the formula come its definitions and remarks, behind commas; cases stand behind
semicolons, ``D / x if D >= 0; D / y otherwise``. Words that are not mathematics stay words. `as_latex` writes
a formula for a page.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

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
)

GREEK = frozenset({"alpha", "beta", "theta", "phi", "sigma", "pi", "Omega"})
FUNCTIONS = frozenset({"sqrt", "log", "log10", "exp", "cos", "arccos", "arcsin", "abs", "max", "min"})
RELATIONS = frozenset({"=", "<", ">", "<=", ">="})
OVER = re.compile(r"(sum|prod|max|min)(?:_(sigma|[ij]))?")

_TOKEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?(?:e[-+]?\d+)?)"
    r"|(?P<word>[A-Za-z]_(?:(?:i,)?sigma\(i\)|\(i\)|[ij]\.|\.[ij])|[A-Za-z]\w*'*)"
    r"|(?P<sign>[<>]=|[-+/^()=<>,;|!])"
)
_SYMBOL = re.compile(r"(?P<base>[A-Za-z]|[A-Z]{2})(?:_(?P<below>.+?))?(?P<primes>'*)")


def read_formula(text: str, names: Collection[str] = ()) -> Formula:
    """The tree of a formula.

    Parameters
    ----------
    text : str
        See the head of this file.
    names : collection of str
        Names of indices, which may stand in a formula for their values.

    Returns
    -------
    Formula
        Its cases and remarks.

    Raises
    ------
    ValueError
        If the text cannot be read.

    Examples
    --------
    >>> read_formula("2 / P, P the larger").cases
    ((Quotient(above=Number(text='2'), below=Symbol(base='P', below='', primes=0)),),)
    >>> read_formula("a / b c")
    Traceback (most recent call last):
        ...
    ValueError: `formula` must be regular; got 'a / b c': what a / divides by must be one factor, before 'c'.
    """
    return _Reader(text, names).formula()


class _Token(NamedTuple):
    """A number, a sign, or a word, its text, where it begins, and whether it follows without a space."""

    kind: str
    text: str
    start: int
    close: bool


_END = _Token("end", "", 0, False)


class _Reader:
    """Reads one formula by descent, a method a rule of the grammar."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        self.text, self.names = text.rstrip(), names
        self.tokens: list[_Token] = []
        place = 0
        while place < len(self.text):
            gap = len(text[place:]) - len(text[place:].lstrip())
            found = _TOKEN.match(text, place + gap)
            if found is None:
                self.place = len(self.tokens)
                raise self.refusal(f"no formula has {text[place + gap]!r}")
            kind = found.lastgroup or ""
            self.tokens.append(_Token(kind, found[0], found.start(), gap == 0))
            place = found.end()
        self.place = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.place] if self.place < len(self.tokens) else _END

    def take(self, text: str | None = None) -> _Token:
        token = self.next
        if token is _END or (text is not None and token.text != text):
            raise self.refusal(f"{text or 'more'} is missing")
        self.place += 1
        return token

    def refusal(self, fault: str) -> ValueError:
        token = self.next
        where = f"before {self.text[token.start :]!r}" if token is not _END else "at the end"
        return ValueError(f"`formula` must be regular; got {self.text!r}: {fault}, {where}.")

    def formula(self) -> Formula:
        cases = [self.piece()]
        while self.next.text == ";":
            self.take()
            cases.append(self.piece())
        remarks = []
        while self.next.text == ",":
            self.take()
            remarks.append(self.piece())
        if self.next is not _END:
            raise self.refusal(f"{self.next.text!r} is out of place")
        return Formula(tuple(cases), tuple(remarks))

    def piece(self) -> Piece:
        parts: list[Node | str] = []
        while self.next is not _END and self.next.text not in (",", ";"):
            if not self.is_word():
                parts.append(self.relation())
            elif parts and isinstance(parts[-1], str):
                parts[-1] += f" {self.take().text}"
            else:
                parts.append(self.take().text)
        if not parts:
            raise self.refusal("something is missing")
        return tuple(parts)

    def is_word(self) -> bool:
        """Whether the next token is a word of prose, as "sum" is behind "the"."""
        kind, text, _, _ = self.next
        if kind != "word":
            return False
        if OVER.fullmatch(text) and self.place and self.tokens[self.place - 1].text == "the":
            return True
        known = text in FUNCTIONS or text in GREEK or text in self.names
        return not (known or OVER.fullmatch(text) or _SYMBOL.fullmatch(text))

    def relation(self) -> Node:
        sides, signs = [self.sum()], []
        while self.next.text in RELATIONS:
            signs.append(self.take().text)
            sides.append(self.sum())
        return Relation(tuple(sides), tuple(signs)) if signs else sides[0]

    def sum(self) -> Node:
        sign = 1
        if self.next.text == "-":
            self.take()
            sign = -1
        terms = [(sign, self.term())]
        while self.next.text in ("+", "-"):
            sign = 1 if self.take().text == "+" else -1
            terms.append((sign, self.term()))
        return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else Sum(tuple(terms))

    def term(self) -> Node:
        factors = [self.factor()]
        while self.next.text == "/" or self.starts_a_factor():
            if self.next.text != "/":
                factors.append(self.factor())
                continue
            self.take()
            factors = [Quotient(_product(factors), self.factor())]
            if self.starts_a_factor():
                raise self.refusal("what a / divides by must be one factor")
        return _product(factors)

    def starts_a_factor(self) -> bool:
        kind, text, _, _ = self.next
        return kind == "number" or text == "(" or (kind == "word" and not self.is_word())

    def factor(self) -> Node:
        node = self.atom()
        while self.next.text in ("!", "^"):
            node = Factorial(node) if self.take().text == "!" else Power(node, self.atom())
        return node

    def atom(self) -> Node:
        kind, text, _, _ = self.next
        if text == "(":
            return self.in_parentheses()[0]
        if kind == "number":
            return Number(self.take().text)
        if kind != "word" or self.is_word():
            raise self.refusal("a number, a symbol or a function is missing")
        self.take()
        over = OVER.fullmatch(text)
        if over and not (text in FUNCTIONS and self.next.text == "("):
            return Over(over[1], over[2] or "", self.term())
        if text in FUNCTIONS:
            return Call(text, self.in_parentheses() if self.next.text == "(" else (self.factor(),))
        if text in self.names and len(text) > 1 and text not in GREEK:
            return Name(text)
        found = _SYMBOL.fullmatch(text)
        symbol = Symbol(found["base"], found["below"] or "", len(found["primes"])) if found else Symbol(text)
        if self.next.text == "(" and self.next.close:
            return Call(symbol, self.in_parentheses())
        return symbol

    def in_parentheses(self) -> tuple[Node, ...]:
        self.take("(")
        found = [self.argument()]
        while self.next.text == ",":
            self.take()
            found.append(self.argument())
        self.take(")")
        return tuple(found)

    def argument(self) -> Node:
        node = self.sum()
        if self.next.text != "|":
            return node
        self.take()
        return Given(node, self.sum())


def _product(factors: list[Node]) -> Node:
    return factors[0] if len(factors) == 1 else Product(tuple(factors))
