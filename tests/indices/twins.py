"""The twins of all indices of the catalogue: from the definitions, over objects, pairs and sets.

The twin of an ordinary pair formula is the formula as printed, in 60 digits.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

import chancecorr as cc
from tests.indices import (
    twins_cluster_level,
    twins_coreference,
    twins_information,
    twins_pair_counting,
    twins_set_matching,
)
from tests.indices.formulas import DECIMALS, FUNCTIONS, of_exact_pairs
from tests.naive import PAIR_INDICES, pair_counts

Twin = Callable[[Sequence[int], Sequence[int]], Fraction | float]

FORMULAS = {
    entry.name: entry.formula
    for entry in map(cc.get_index, cc.list_indices("pair_counting"))
    if entry.needs == "pairs" and not entry.with_totals and "cases" not in entry.formula
}
"""Formulas of a, b, c, d alone, in one piece."""


def _of_labels(formula: Callable[[int, int, int, int], Fraction | float]) -> Twin:
    return lambda labels_true, labels_pred: formula(*pair_counts(labels_true, labels_pred))


def _as_printed(formula: str) -> Twin:
    return _of_labels(lambda a, b, c, d: of_exact_pairs(formula, a, b, c, d, digits=60))


TWINS: dict[str, Twin] = {
    **{
        name: _as_printed(formula)
        for name, formula in FORMULAS.items()
        if not any(f"\\{angle}" in formula for angle in FUNCTIONS.keys() - DECIMALS.keys())
    },
    **{name: _of_labels(formula) for name, formula in PAIR_INDICES.items()},
    **twins_pair_counting.TWINS,
    **twins_information.TWINS,
    **twins_set_matching.TWINS,
    **twins_cluster_level.TWINS,
    **twins_coreference.TWINS,
}
