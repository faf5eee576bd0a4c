"""The catalogue's formulas of pair counts as exact algebra: a rational function times a square root of one.

A formula is read as the catalogue prints it; what is not of this form (a logarithm, an angle, a sum with
a root in it, a maximum that the region does not settle) raises `OtherFormError`.
"""

import ast
import re
from dataclasses import dataclass
from fractions import Fraction

from experiments.properties.polynomials import VARIABLES, Polynomial
from experiments.properties.regions import WHOLE, Region

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|([A-Za-z_]\w*'?)|(.))")
ONE = Polynomial.number(1)


class OtherFormError(ValueError):
    """A formula is no rational function times a square root of one."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """``above / below``."""

    above: Polynomial
    below: Polynomial = ONE

    def __add__(self, other: "Ratio") -> "Ratio":
        """Sum."""
        if self.below.terms == other.below.terms:
            return Ratio(self.above + other.above, self.below)
        return Ratio(self.above * other.below + other.above * self.below, self.below * other.below)

    def __neg__(self) -> "Ratio":
        """Negative."""
        return Ratio(-self.above, self.below)

    def __mul__(self, other: "Ratio") -> "Ratio":
        """Product."""
        return Ratio(self.above * other.above, self.below * other.below)

    def inverse(self) -> "Ratio":
        """Upside down."""
        return Ratio(self.below, self.above)

    def derivative(self, place: int) -> Polynomial:
        """Numerator of the derivative; the denominator is ``below**2``."""
        return self.above.derivative(place) * self.below - self.above * self.below.derivative(place)

    def exchanged(self) -> "Ratio":
        """With b and c in each other's place."""
        return Ratio(self.above.exchanged(), self.below.exchanged())

    def equals(self, other: "Ratio") -> bool:
        """Whether they are the same function."""
        return (self.above * other.below - other.above * self.below).is_zero


@dataclass(frozen=True, slots=True)
class Form:
    """``factor sqrt(root)``; without a root where that is 1."""

    factor: Ratio
    root: Ratio = Ratio(ONE)

    @property
    def is_rational(self) -> bool:
        """Whether there is no root."""
        return self.root.equals(Ratio(ONE))

    def times(self, other: "Form") -> "Form":
        """Product."""
        return Form(self.factor * other.factor, self.root * other.root)

    def plus(self, other: "Form") -> "Form":
        """Sum; of forms without a root only."""
        if not (self.is_rational and other.is_rational):
            raise OtherFormError("a sum with a root in it")
        return Form(self.factor + other.factor)

    def inverse(self) -> "Form":
        """Upside down."""
        return Form(self.factor.inverse(), self.root.inverse())

    def power(self, exponent: Fraction) -> "Form":
        """A whole power, or half of one."""
        if exponent.denominator == 2 and self.is_rational:
            whole = self.power(Fraction(exponent.numerator))
            return Form(Ratio(ONE), whole.factor)
        if exponent.denominator != 1:
            raise OtherFormError(f"the power {exponent}")
        found, base = Form(Ratio(ONE)), self if exponent > 0 else self.inverse()
        for _ in range(abs(exponent.numerator)):
            found = found.times(base)
        return found

    def square(self) -> Ratio:
        """Its square, a rational function."""
        return self.factor * self.factor * self.root


def number(value: Fraction | int) -> Form:
    """A constant."""
    return Form(Ratio(Polynomial.number(value)))


def form_of(formula: str, region: Region = WHOLE) -> Form:
    """The form of a formula of a, b, c, d, P, Q, P', Q', N and D, with its parameters behind commas.

    In the variables of the region.

    Examples
    --------
    >>> form_of("2 a / (2 a + b + c)").factor.above.value((3, 0, 0, 1))
    Fraction(6, 1)
    """
    head, *definitions = re.split(r",\s*(?![^(]*\))", formula)
    a, b, c, d = (Form(Ratio(count)) for count in region.counts())
    names = dict(zip(VARIABLES, (a, b, c, d), strict=True))
    names |= {"P": a.plus(b), "Q": a.plus(c), "P_": c.plus(d), "Q_": b.plus(d)}
    minus = number(-1)
    names |= {"N": names["P"].plus(names["P_"]), "D": a.times(d).plus(minus.times(b).times(c))}
    for definition in reversed(definitions):
        name, _, meaning = definition.partition("=")
        names[name.strip()] = _read(meaning, names)
    return _read(head, names)


def _read(text: str, names: dict[str, Form]) -> Form:
    python, ends_a_factor = [], False
    for digits, name, sign in TOKEN.findall(text.strip()):
        if ends_a_factor and (digits or name or sign == "("):
            python.append("*")
        python.append(digits or name.replace("'", "_") or {"^": "**"}.get(sign, sign))
        ends_a_factor = bool(
            digits or sign == ")" or (name and name not in ("sqrt", "abs", "min", "max", "log"))
        )
    try:
        return _evaluate(ast.parse("".join(python), mode="eval").body, names)
    except (SyntaxError, KeyError) as error:
        raise OtherFormError(text) from error


def _evaluate(node: ast.expr, names: dict[str, Form]) -> Form:
    if isinstance(node, ast.Constant):
        return number(Fraction(str(node.value)))
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return number(-1).times(_evaluate(node.operand, names))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sqrt":
        return _evaluate(node.args[0], names).power(Fraction(1, 2))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        return _extreme(node.func.id, *(_evaluate(each, names) for each in node.args))
    if not isinstance(node, ast.BinOp):
        raise OtherFormError(ast.unparse(node))
    left, right = _evaluate(node.left, names), _evaluate(node.right, names)
    if isinstance(node.op, ast.Add):
        return left.plus(right)
    if isinstance(node.op, ast.Sub):
        return left.plus(number(-1).times(right))
    if isinstance(node.op, ast.Mult):
        return left.times(right)
    if isinstance(node.op, ast.Div):
        return left.times(right.inverse())
    if isinstance(node.op, ast.Pow):
        above, below = right.factor.above.terms, right.factor.below.terms
        if set(above) | set(below) > {(0, 0, 0, 0)} or not right.is_rational:
            raise OtherFormError(ast.unparse(node))
        return left.power(above.get((0, 0, 0, 0), Fraction(0)) / below[(0, 0, 0, 0)])
    raise OtherFormError(ast.unparse(node))


def _extreme(which: str, one: Form, other: Form) -> Form:
    """The larger or the smaller of two polynomials, where one is at least the other by its coefficients."""
    if not (one.is_rational and other.is_rational):
        raise OtherFormError(f"{which} of roots")
    difference = one.factor + -other.factor
    if not difference.below.never_negative:
        raise OtherFormError(f"{which} of ratios")
    if difference.above.never_negative:
        return one if which == "max" else other
    if (-difference.above).never_negative:
        return other if which == "max" else one
    raise OtherFormError(f"{which} is not settled")
