r"""Formulas of pair counts as the catalogue prints them, evaluated: ``\frac{2 a}{2 a + b + c}``."""

import decimal
import math
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|([A-Za-z_]\w*'?)|(.))")
Functions = Mapping[str, Callable[..., Any]]
Count = int | Fraction

FUNCTIONS = {
    "sqrt": math.sqrt, "log": math.log, "log10": math.log10, "exp": math.exp, "abs": abs, "min": min,
    "max": max, "cos": math.cos, "arccos": math.acos, "arcsin": math.asin,
}  # fmt: skip
DECIMALS = {
    "sqrt": Decimal.sqrt, "log": Decimal.ln, "log10": Decimal.log10, "exp": Decimal.exp, "abs": abs,
    "min": min, "max": max, "Decimal": Decimal,
}  # fmt: skip
"""Functions of decimals of any length; angles are not among them."""


def evaluate(formula: str, values: Mapping[str, Any], functions: Functions = FUNCTIONS) -> Any:
    r"""Value of a formula in LaTeX; a space between two factors multiplies.

    What follows ``, \quad`` is the value of a letter: ``\beta = 2`` or ``D = a d - b c``. The numbers are
    floats, or decimals with `DECIMALS`.
    """
    number = Decimal if functions is DECIMALS else float
    head, *definitions = map(to_plain, formula.split(r", \quad "))
    names = {"pi": number(math.pi), "infty": number("inf"), **values}
    for definition in reversed(definitions):
        name, meaning = definition.split("=")
        names[name.strip()] = _value(meaning, names, functions)
    return _value(head, names, functions)


def to_plain(latex: str) -> str:
    r"""A formula of one line: ``\frac{a}{\sqrt{P Q}}`` becomes ``((a) / (sqrt(P Q)))``."""
    text = re.sub(r"\\left|\\right(?!arrow)|\\,", "", latex).replace(r"\log_{10}", "log10")
    text = text.replace(r"\lvert", "abs(").replace(r"\rvert", ")")
    inside = r"\{([^{}]*)\}"
    rules = {
        rf"\\frac{inside}{inside}": r"((\1) / (\2))",
        rf"\\sqrt{inside}": r"sqrt(\1)",
        rf"\^{inside}": r"^(\1)",
    }
    while "{" in text:
        before = text
        for pattern, plain in rules.items():
            text = re.sub(pattern, plain, text)
        if text == before:
            raise ValueError(f"no formula of numbers: {latex}")
    return text.replace("\\", "")


def _value(text: str, names: Mapping[str, Any], functions: Functions) -> Any:
    number = Decimal if functions is DECIMALS else float
    python, ends_a_factor = [], False
    for digits, name, sign in TOKEN.findall(text.strip()):
        starts_a_factor = bool(digits or name or sign == "(")
        if starts_a_factor and ends_a_factor:
            python.append("*")
        if name in functions:
            python.append(name)
            ends_a_factor = False
        elif name:
            value = number(names[name])
            python.append(repr(value) if value >= 0 else f"({value!r})")
            ends_a_factor = True
        else:
            plain = f"Decimal('{digits}')" if digits and number is Decimal else digits
            python.append(plain or {"^": "**"}.get(sign, sign))
            ends_a_factor = bool(digits) or sign == ")"
    return number(eval("".join(python), {"__builtins__": {}}, {**functions, "inf": number("inf")}))


def of_pairs(formula: str, a: float, b: float, c: float, d: float) -> float:
    """Value of a formula of the four, sums of two of them, the sum N of all, and ``D = a d - b c``."""
    return float(evaluate(formula, _names(a, b, c, d)))


def of_exact_pairs(formula: str, a: Count, b: Count, c: Count, d: Count, digits: int = 120) -> float:
    """Value of a formula in so many digits, rounded once; an infinity at x/0 and nan at 0/0.

    Also nan if a logarithm or root is not defined, and for formulas with angles.
    """
    with decimal.localcontext(prec=digits) as context:
        context.clear_traps()
        counts = (Decimal(x.numerator) / Decimal(x.denominator) for x in (a, b, c, d))
        try:
            return float(evaluate(formula, _names(*counts), DECIMALS))
        except KeyError:
            return math.nan


def _names(a: Any, b: Any, c: Any, d: Any) -> dict[str, Any]:
    values = {"a": a, "b": b, "c": c, "d": d, "P": a + b, "Q": a + c, "P'": c + d, "Q'": b + d}
    return values | {"N": a + b + c + d, "D": a * d - b * c}


def value(entry, a: float, b: float, c: float, d: float) -> float:
    """Value of an entry at pair counts, whether or not clusterings have them."""
    with np.errstate(all="ignore"):
        return float(entry.function(*(np.array([float(x)]) for x in (a, b, c, d)))[0])
