"""How much an index changes at most if two objects exchange their clusters: `exchange` of an entry.

Two cells lose an object, and two others, in the same rows and columns, get one.
"""

import math

from chancecorr.machine.arrays import Integers


def two_objects(row_totals: Integers, column_totals: Integers) -> float:
    """A number of objects that are largest in their row, or column, or matched."""
    return 2.0


def four_objects(row_totals: Integers, column_totals: Integers) -> float:
    """Such a number of rows and of columns together."""
    return 4.0


def two_shares(row_totals: Integers, column_totals: Integers) -> float:
    """Such a number as a share of all objects."""
    return 2.0 / max(int(row_totals.sum()), 1)


def information(row_totals: Integers, column_totals: Integers) -> float:
    """Mutual information in nats: ``x log x`` rises by ``m log m - (m - 1) log(m - 1)`` at most."""
    n, m = int(row_totals.sum()), min(int(row_totals.max(initial=0)), int(column_totals.max(initial=0)))
    if m < 2:
        return 0.0
    return 2.0 * (m * math.log(m) - (m - 1) * math.log(m - 1)) / n
