"""One input that is tried, and the judge of what the library makes of it."""

import json
import math
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import chancecorr as cc
from chancecorr.machine.arguments import ArgumentError
from chancecorr.machine.printing import for_json

LONGEST = 300
"""Characters of an input or an error that are shown."""

SLACK = 1e-9
"""How far a value may leave its range, or two that should be the same may differ, by rounding."""

Answer = Any


class Trial:
    """What was tried with one input, and what was found.

    Attributes
    ----------
    tried : list of str
        Calls with their arguments, in order.
    found : list of str
        Findings: errors that no rule allows, and values that cannot be.
    answers, refusals : int
        Calls that gave a value, and calls that were refused as documented.
    error : BaseException or None
        The last error that no rule allows, for its traceback.
    """

    def __init__(self) -> None:
        self.tried: list[str] = []
        self.found: list[str] = []
        self.answers = self.refusals = 0
        self.error: BaseException | None = None

    def call(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Answer:
        """Value of a call, or None where it was refused; an error that no rule allows is a finding."""
        named = [f"{name}={shown(value)}" for name, value in options.items()]
        name = getattr(function, "__qualname__", type(function).__name__)
        self.tried.append(f"{name}({', '.join([*map(shown, arguments), *named])})")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                value = function(*arguments, **options)
        except Exception as error:  # whatever it is, it is what the check is for
            complaint = complaint_about(error)
            if complaint:
                self.error = error
                self.find(complaint)
            else:
                self.refusals += 1
            return None
        self.answers += 1
        return value

    def find(self, complaint: str) -> None:
        """Note a finding, with the call that it is about."""
        self.found.append(f"{complaint} -- {self.tried[-1] if self.tried else ''}")

    def check_value(self, index: cc.indices.Index, value: Any) -> None:
        """The value of an index is a float within its range, or nan."""
        if not isinstance(value, float):
            self.find(f"{index.name} is {shown(value)}, which is no float")
            return
        low, high = index.range
        slack = SLACK * max(1.0, abs(value)) if math.isfinite(value) else 0.0
        if value < low - slack or value > high + slack:
            self.find(f"{index.name} is {value!r}, outside {index.range}")

    def check_score(self, score: cc.correction.AdjustedScore) -> None:
        """An adjusted score has numbers that can be, a remark where it is none, and texts of all forms."""
        if math.isnan(score.adjusted) and not score.remark:
            self.find(f"{score.index} is nan without a remark")
        if not (math.isnan(score.p_value) or 0.0 <= score.p_value <= 1.0):
            self.find(f"the p-value of {score.index} is {score.p_value!r}")
        if score.variance < 0.0:
            self.find(f"the variance of {score.index} is {score.variance!r}")
        self.check_law(score.null)
        record = self.call(score.to_dict)
        self.call(json.dumps, for_json(record), allow_nan=False)
        self.call(repr, score)
        self.call(score._repr_html_)

    def check_law(self, law: cc.correction.NullDistribution) -> None:
        """A null distribution that has values has weights above zero that sum to 1."""
        if law.values_from is None:
            return
        total = float(np.sum(law.weights))
        if abs(total - 1.0) > SLACK and law.values.size:
            self.find(f"the weights of {law.index} sum to {total!r}")
        if law.values.size and not np.all(law.weights >= 0.0):
            self.find(f"a weight of {law.index} is below zero")
        values = law.values[~np.isnan(law.values)]
        if not np.all(values[1:] >= values[:-1]):
            self.find(f"the values of {law.index} are not sorted")


def complaint_about(error: BaseException) -> str:
    """What is wrong with an error, or an empty text where it is one of those that are documented.

    Examples
    --------
    >>> complaint_about(ValueError("`index` must be a name; got 3."))
    ''
    >>> complaint_about(KeyError("a"))
    "KeyError: 'a'"
    >>> complaint_about(ValueError("operands could not be broadcast together"))
    'no argument is named: ValueError: operands could not be broadcast together'
    """
    text = str(error)
    said = f"{type(error).__name__}: {text[:LONGEST]}"
    if not isinstance(error, ValueError | TypeError | cc.indices.IndexEvaluationError | ImportError):
        return said
    if isinstance(error, UnicodeError):
        return said
    names_argument = text.startswith("`") or "unexpected keyword argument '" in text
    if not (isinstance(error, ArgumentError | cc.indices.IndexEvaluationError) or names_argument):
        return f"no argument is named: {said}"
    if "\n" in text and not isinstance(error, cc.indices.IndexEvaluationError):
        return f"more than one line: {said}"
    return ""


def shown(value: Any) -> str:
    """A value in short, whatever it is."""
    try:
        text = repr(value)
    except Exception as error:  # a foreign class may fail here, and that is no finding
        text = f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    if not isinstance(value, str | int | float | list | tuple | dict | bytes | type(None)):
        text = f"{type(value).__name__}: {text}"
    text = re.sub(" at 0x[0-9a-f]+", "", " ".join(text.split()))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
