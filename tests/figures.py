"""Figures that are kept, rounded, against those that are computed anew."""

import re
from decimal import Decimal

FIGURE = re.compile(r"(?<![\d.])\d+\.\d+(?:e[-+]?\d+)?(?!\.?\d)")
"""A number with decimals; the version of a package is none."""


def same_figures(kept, computed):
    """Whether two texts are the same, spaces aside, but for one unit of the last digit of each figure.

    A sum of floats is rounded otherwise on another processor, and a figure in the middle of two may then be
    the other one.
    """
    if FIGURE.sub("#", kept).split() != FIGURE.sub("#", computed).split():
        return False
    pairs = zip(*(map(Decimal, FIGURE.findall(text)) for text in (kept, computed)), strict=True)
    digits = ((x, y, min(x.as_tuple().exponent, y.as_tuple().exponent)) for x, y in pairs)
    return all(abs(x - y) <= Decimal(1).scaleb(last) for x, y, last in digits)
