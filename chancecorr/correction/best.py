"""What an adjusted score of 1 stands for: the best value, by definition or by the cluster sizes."""

from fractions import Fraction
from numbers import Real
from typing import Literal

import numpy as np

from chancecorr.arguments import one_of
from chancecorr.exact.laws.largest import largest_pair_sum
from chancecorr.exact.moments.smoothness import values_at
from chancecorr.indices.evaluation import value_of_table
from chancecorr.indices.registry import Index
from chancecorr.tables.contingency import ContingencyTable, Margins

Best = float | Literal["mean", "exact"] | None

MOST_DENSE_CLUSTERS = 1_000
"""Clusters up to which a table of a clustering against itself is laid out in full."""


def best_value(entry: Index, margins: Margins, best: Best) -> float:
    """What `best` means for an index on these margins.

    Examples
    --------
    >>> from chancecorr.indices.registry import get_index
    >>> best_value(get_index("rand"), Margins([2, 6], [1, 3, 4]), "mean")
    1.0
    """
    if best is None:
        return self_agreement(entry, margins) if entry.best is None else entry.best
    if isinstance(best, Real):
        return float(best)
    one_of("best", best, ("mean", "exact"))
    if entry.needs != "pairs":
        raise ValueError(
            f"`best` must be a number for index {entry.name!r}, which needs {entry.needs!r} and not pairs;"
            f" got {best!r}."
        )
    if best == "exact":
        return float(values_at(entry, margins, [largest_pair_sum(margins)])[0])
    squares = [int((totals**2).sum()) for totals in (margins.row_totals, margins.column_totals)]
    return float(values_at(entry, margins, [Fraction(sum(squares), 2)])[0])


def self_agreement(entry: Index, margins: Margins) -> float:
    """Mean of the values of an index at ``(U, U)`` and ``(V, V)``, U and V with these cluster sizes.

    Examples
    --------
    >>> pairs_together = Index(name="pairs_together", function=lambda a, b, c, d: a, needs="pairs", best=None)
    >>> self_agreement(pairs_together, Margins([2, 4], [3, 3]))  # (1 + 6) pairs, and (3 + 3)
    6.5
    """
    values = []
    for totals in (margins.row_totals, margins.column_totals):
        sizes = totals[totals > 0]
        if sizes.size <= MOST_DENSE_CLUSTERS:
            values.append(value_of_table(entry, ContingencyTable(np.diag(sizes))))
        else:
            from scipy.sparse import diags_array

            values.append(value_of_table(entry, ContingencyTable(diags_array(sizes, format="csr"))))
    return sum(values) / 2
