"""Formulas as the catalogue prints them, evaluated as they stand: ``2 a / (2 a + b + c)``."""

import math
import re

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|([A-Za-z_]\w*'?)|(.))")
FUNCTIONS = {
    "sqrt": math.sqrt,
    "log": math.log,
    "log10": math.log10,
    "exp": math.exp,
    "cos": math.cos,
    "arccos": math.acos,
    "arcsin": math.asin,
    "abs": abs,
    "min": min,
    "max": max,
}


def evaluate(formula: str, values: dict[str, float]) -> float:
    """Value of a formula; a space between two factors multiplies, ``^`` raises to a power.

    What follows a comma outside parentheses is a remark, such as the value of a parameter: ``..., beta = 2``
    defines beta, ``..., D = a d - b c`` defines D.
    """
    head, *definitions = re.split(r",\s*(?![^(]*\))", formula)
    names = {"pi": math.pi, **values}
    for definition in reversed(definitions):
        name, meaning = definition.split("=")
        names[name.strip()] = _value(meaning, names)
    return _value(head, names)


def _value(text: str, names: dict[str, float]) -> float:
    python, ends_a_factor = [], False
    for number, name, sign in TOKEN.findall(text.strip()):
        starts_a_factor = bool(number or name or sign == "(")
        if starts_a_factor and ends_a_factor:
            python.append("*")
        if name in FUNCTIONS:
            python.append(name)
            ends_a_factor = False
        elif name:
            python.append(repr(float(names[name])) if names[name] >= 0 else f"({float(names[name])!r})")
            ends_a_factor = True
        else:
            python.append(number or {"^": "**"}.get(sign, sign))
            ends_a_factor = bool(number) or sign == ")"
    return float(eval("".join(python), {"__builtins__": {}}, FUNCTIONS))


def of_pairs(formula: str, a: float, b: float, c: float, d: float) -> float:
    """Value of a formula of a, b, c, d, ``P = a + b``, ``Q = a + c``, ``P' = c + d``, ``Q' = b + d``, their
    sum N and ``D = a d - b c``.
    """
    values = {"a": a, "b": b, "c": c, "d": d, "P": a + b, "Q": a + c, "P'": c + d, "Q'": b + d}
    return evaluate(formula, values | {"N": a + b + c + d, "D": a * d - b * c})
