"""Every pair-counting index: its formula as printed, and pair counts of any size."""

import math

import numpy as np
import pytest

import chancecorr as cc
from tests.indices.formulas import of_pairs
from tests.indices.twins import FORMULAS

ENTRIES = [cc.get_index(name) for name in cc.list_indices("pair_counting")]
OF_PAIRS = [entry for entry in ENTRIES if entry.needs == "pairs" and not entry.with_totals]
BILLION = (3.0 * 10**16 + 1, 10.0**16 + 7, 2.0 * 10**16 + 3, 4.0 * 10**17 + 9)
"""Pair counts near 10**17, products of four of which are near 10**68."""


def value(entry, counts):
    """Value at pair counts, whether or not clusterings have them."""
    with np.errstate(all="ignore"):
        return float(entry.function(*(np.array([x]) for x in counts))[0])


@pytest.mark.parametrize(
    "counts", [(4.0, 2.0, 3.0, 6.0), (9.0, 5.0, 2.0, 20.0), (31.5, 12.25, 7.5, 80.75), BILLION]
)
def test_the_printed_formula_also_between_whole_numbers(counts):
    """Quadrature evaluates the indices there."""
    for name, formula in FORMULAS.items():
        expected, tolerance = of_pairs(formula, *counts), 1e-12 if counts is BILLION else 1e-13
        assert value(cc.get_index(name), counts) == pytest.approx(expected, rel=tolerance), name
    assert all(math.isfinite(value(entry, counts)) for entry in OF_PAIRS)
