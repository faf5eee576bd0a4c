"""The nine indices of a table, corrected by their means over all tables with its margins."""

import math

import chancecorr as cc
from experiments.amorim_cardoso_2014.approximations import approximate
from experiments.common.units import Record


def corrected(table: cc.ContingencyTable) -> Record:
    """The nine indices, corrected by their means over all tables with these margins."""
    nulls = {name: null_of(table.margins, name) for name in cc.PUBLISHED_INDICES}
    observed = {name: cc.score_table(table, name) for name in cc.PUBLISHED_INDICES}
    return {
        "observed": observed,
        "expected": {name: null.mean for name, null in nulls.items()},
        "deviation": {name: null.std for name, null in nulls.items()},
        "adjusted": {name: adjusted(observed[name], null.mean) for name, null in nulls.items()},
        "approximate": approximate(table.margins),
    }


def null_of(margins: cc.Margins, name: str) -> cc.correction.NullDistribution:
    """Moments by quadrature or in closed form; by the exact law where an index is not smooth enough."""
    try:
        return cc.null_distribution(margins, name, method="analytic")
    except ValueError:
        return cc.null_distribution(margins, name, method="exact")


def adjusted(observed: float, expected: float) -> float:
    """Equation 7 of the paper, ``(observed - expected) / (1 - expected)``; nan where expected is 1."""
    return math.nan if expected == 1.0 else (observed - expected) / (1.0 - expected)
