"""Laws of ``T = sum n_ij**2`` in closed form, for two kinds of margins whose T follows from one number.

- Two clusters against two: the number x of objects in the first of both is hypergeometric.
- One cluster and singletons against one cluster and singletons: so is the number x of objects that the two
  clusters share, and ``T = n + x (x - 1)``, because no other cell holds more than one object.

These are the margins where T takes few values, or values far apart, whatever the number of objects: of noise
counted as singletons, of very uneven classes.
"""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import Margins

REACH_IN_STDS = 40.0
"""Standard deviations beyond which, and 200 values beyond that, no probability is above the least float64."""

LEAST_LOST_MASS = 1e-300
"""Lost mass stated for such a law, so that none of its tails is exactly 0."""

LOST_MASS = 1e-12
"""Probability that an enumeration may leave out."""


Method: TypeAlias = Literal["closed-form", "dynamic-programming", "enumeration", "cumulants"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairSumLaw:
    """Null law of ``T = sum(n_ij**2)``, wrong by no more than its lost mass and a relative 1e-12."""

    values: Integers  # shape (v,): distinct values of T, ascending
    probabilities: Floats  # shape (v,): above 0
    lost_mass: float  # left out by an enumeration; else 1e-300, so that a tail is never exactly 0
    method: Method  # the first two lose nothing; for the last see `chancecorr.exact.laws.sparse`


def closed_pair_sums(margins: Margins) -> tuple[Integers, Floats] | None:
    """Values that T can take, ascending, and their probabilities to 1e-12; None if no closed form."""
    if not has_closed_form(margins):
        return None
    rows, columns = (totals[totals > 0] for totals in (margins.row_totals, margins.column_totals))
    n = margins.n
    if rows.size == columns.size == 2:
        r, c = int(rows[0]), int(columns[0])
        x, p = hypergeometric_law(n, r, c)
        return distinct_values(x**2 + (r - x) ** 2 + (c - x) ** 2 + (n - r - c + x) ** 2, p)
    x, p = hypergeometric_law(n, int(rows.max()), int(columns.max()))
    return distinct_values(n + x * (x - 1), p)


def has_closed_form(margins: Margins) -> bool:
    """Whether the margins are of one of the two kinds; those that fix T count as none."""
    rows, columns = (totals[totals > 0] for totals in (margins.row_totals, margins.column_totals))
    if min(rows.size, columns.size) < 2 or 1 in (rows.max(), columns.max()):
        return False
    one_cluster = all((totals > 1).sum() == 1 for totals in (rows, columns))
    return rows.size == columns.size == 2 or one_cluster


def hypergeometric_law(population: int, good: int, draws: int) -> tuple[Integers, Floats]:
    """Values and probabilities of a hypergeometric law, all above the least float64."""
    low, high = max(0, draws - (population - good)), min(good, draws)
    # by the ratios of neighbouring probabilities, from the mode on
    mode = min(max((good + 1) * (draws + 1) // (population + 2), low), high)
    mean = good * (draws / population)
    variance = mean * ((population - good) / population) * (population - draws) / max(population - 1, 1)
    reach = 200 + int(REACH_IN_STDS * math.sqrt(variance))
    x = np.arange(max(low, mode - reach), min(high, mode + reach) + 1)
    at = mode - int(x[0])
    below = x[:-1].astype(np.float64)
    ratios = (good - below) * (draws - below) / ((below + 1.0) * (population - good - draws + below + 1.0))
    up, down = np.cumprod(ratios[at:]), np.cumprod(1.0 / ratios[:at][::-1])[::-1]
    weights = np.concatenate([down, [1.0], up])
    return x, weights / total_probability(weights)


def total_probability(p: Floats) -> float:
    """Sum of probabilities, rounded once; those below 1e-40 of the largest count for nothing in it."""
    # of numbers of all sizes from 1e-300 on `math.fsum` takes ten times as long
    return math.fsum(p[p > 1e-40 * p.max(initial=0.0)])


def distinct_values(T: Integers, p: Floats) -> tuple[Integers, Floats]:
    """Distinct values ascending, the probabilities of equal ones added up, none of them 0."""
    values, where = np.unique(T, return_inverse=True)
    total = np.bincount(where, weights=p, minlength=values.size).astype(np.float64)
    return values[total > 0], total[total > 0]
