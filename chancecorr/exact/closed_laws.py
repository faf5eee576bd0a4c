"""Null distributions of ``T = sum n_ij**2`` without enumeration: closed forms, and sparse tables.

- Two clusters on each side: the number x of objects in the first cluster of both sides is hypergeometric and
  determines the table.
- One cluster and singletons on each side: the number x of objects that the two clusters share is
  hypergeometric too.
- Many small clusters: ``T = n + 2 a``, where a is a sum of rare indicators. Let c_r be the factorial
  cumulants of a, divided by r!. Then ``E z**a = exp(sum_r c_r (z - 1)**r)``; cut after c_R, this is a signed
  compound Poisson law: Kornya (1983), Transactions of the Society of Actuaries 35, 823-858.

See "Few values of T, and many small clusters" in docs/explanation/derivations.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from chancecorr.exact.kernels.hypergeometric import NO_TABLE, log_scale, log_weight
from chancecorr.exact.summary import EPSILON, sum_probabilities
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kept import keep_recent
from chancecorr.tables.contingency import ContingencyTable, Margins, count_table
from chancecorr.tables.crosstab import cross_tabulate
from chancecorr.tables.pair_sum import compute_raw_moments

REACH_IN_STDS = 40.0  # beyond this, and 200 values further, all probabilities are below the smallest float64
LEAST_LOST_MASS = 1e-300  # stated as lost mass of such a law, so that no tail probability is exactly 0
LOST_MASS = 1e-12  # probability that an enumeration may leave out
LawMethod: TypeAlias = Literal["closed-form", "dynamic-programming", "enumeration", "cumulants"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class PairSumLaw:
    """Null distribution of ``T = sum(n_ij**2)``, right up to its lost mass and a relative error of 1e-12."""

    values: Integers  # shape (v,): distinct values of T in ascending order
    probabilities: Floats  # shape (v,): probabilities above 0
    # probability left out by an enumeration; else 1e-300, so that no tail probability is exactly 0
    lost_mass: float
    method: LawMethod  # the first two methods lose no mass; for the last see `chancecorr.exact.closed_laws`


def list_closed_pair_sums(margins: Margins) -> tuple[Integers, Floats] | None:
    """List the values of T in ascending order and their probabilities to 1e-12; None without closed form."""
    if not has_closed_form(margins):
        return None
    rows, columns = (totals[totals > 0] for totals in (margins.row_totals, margins.column_totals))
    n = margins.n
    if rows.size == columns.size == 2:
        r, c = int(rows[0]), int(columns[0])
        x, p = compute_hypergeometric_law(n, r, c)
        return distinct_values(x**2 + (r - x) ** 2 + (c - x) ** 2 + (n - r - c + x) ** 2, p)
    x, p = compute_hypergeometric_law(n, int(rows.max()), int(columns.max()))
    return distinct_values(n + x * (x - 1), p)


def has_closed_form(margins: Margins) -> bool:
    """Return True if the margins have a closed form; False if T is constant."""
    rows, columns = (totals[totals > 0] for totals in (margins.row_totals, margins.column_totals))
    if min(rows.size, columns.size) < 2 or 1 in (rows.max(), columns.max()):
        return False
    one_cluster = all((totals > 1).sum() == 1 for totals in (rows, columns))
    return rows.size == columns.size == 2 or one_cluster


def compute_hypergeometric_law(population: int, good: int, draws: int) -> tuple[Integers, Floats]:
    """Return the values and probabilities of a hypergeometric law that are above the smallest float64."""
    low, high = max(0, draws - (population - good)), min(good, draws)
    # by ratios of neighbouring probabilities, starting from the mode
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
    return x, weights / sum_probabilities(weights)


def compute_binomial_law(trials: int, successes: int, of: int) -> tuple[Integers, Floats]:
    """Return the binomial law with p = ``successes / of``, 12 standard deviations about the mode."""
    if successes == of:
        return np.array([trials]), np.ones(1)
    p = successes / of
    mode = min(int((trials + 1) * p), trials)
    reach = 60 + int(12 * math.sqrt(trials * p * (1 - p)))
    x = np.arange(max(0, mode - reach), min(trials, mode + reach) + 1)
    steps = (trials - x[:-1]) / x[1:] * (successes / (of - successes))
    above, below = np.cumprod(steps[mode - x[0] :]), np.cumprod(1.0 / steps[: mode - x[0]][::-1])[::-1]
    law = np.concatenate([below, [1.0], above])
    return x, law / law.sum()


def distinct_values(T: Integers, p: Floats) -> tuple[Integers, Floats]:
    """Return the distinct values in ascending order with their summed probabilities above 0."""
    values, where = np.unique(T, return_inverse=True)
    total = np.bincount(where, weights=p, minlength=values.size).astype(np.float64)
    return values[total > 0], total[total > 0]


class FreeCell(NamedTuple):
    """The first cell of the two non-empty clusters of each side; x at the head of this module."""

    n: int  # number of objects
    r: int  # total of the cell's row
    c: int  # total of the cell's column
    rows: tuple[int, int]  # positions of the two non-empty row clusters
    columns: tuple[int, int]
    shape: tuple[int, int]  # numbers of rows and of columns, including empty ones
    low: int  # smallest x
    high: int  # largest x
    mode: int  # most probable x


def find_free_cell(margins: Margins) -> FreeCell | None:
    """Return the free cell if both sides have two non-empty clusters, else None."""
    rows, columns = (np.flatnonzero(totals) for totals in (margins.row_totals, margins.column_totals))
    if not rows.size == columns.size == 2:
        return None
    n, r, c = margins.n, int(margins.row_totals[rows[0]]), int(margins.column_totals[columns[0]])
    low, high = max(0, r + c - n), min(r, c)
    return FreeCell(
        n, r, c, (int(rows[0]), int(rows[1])), (int(columns[0]), int(columns[1])),
        (margins.row_totals.size, margins.column_totals.size),
        low, high, min(max((r + 1) * (c + 1) // (n + 2), low), high),
    )  # fmt: skip


def make_tables_with(cell: FreeCell, x: Integers) -> Integers:
    """Return the tables with these values of the free cell, shape (m, K, Q)."""
    tables = np.zeros((x.size, *cell.shape), dtype=np.int64)
    (i, k), (j, m) = cell.rows, cell.columns
    tables[:, i, j], tables[:, i, m] = x, cell.r - x
    tables[:, k, j], tables[:, k, m] = cell.c - x, cell.n - cell.r - cell.c + x
    return tables


def compute_law_of_free_cell(cell: FreeCell, limit: int) -> tuple[Integers, Floats, float]:
    """Return at most `limit` values of x about the mode, their probabilities, and a bound of the rest."""
    x, p = compute_hypergeometric_law(cell.n, cell.r, cell.c)
    x, p = x[p > 0.0], p[p > 0.0]
    if x.size <= limit:
        return x, p, LEAST_LOST_MASS
    half = 0.5 * LOST_MASS * (1.0 - 1e-6)  # slightly smaller, because the sums are rounded
    first = int(np.searchsorted(np.cumsum(p), half))
    end = p.size - int(np.searchsorted(np.cumsum(p[::-1]), half))
    return x[first:end], p[first:end], LOST_MASS


def list_values_at_risk(cell: FreeCell) -> Integers:
    """List the x at which a function of the table may be infinite or undefined although others are not."""
    n, r, c = cell.n, cell.r, cell.c
    # a cell is empty, two cells of a row or a column are equal, the diagonals are equal, or the sides are
    # independent
    special = [cell.low, cell.high, r // 2, c // 2, (2 * r + c - n) // 2, (r + 2 * c - n) // 2]
    special += [(2 * (r + c) - n) // 4, r * c // n]
    near = (np.array(special, dtype=np.int64)[:, None] + np.arange(-2, 3)).ravel()
    even = np.linspace(cell.low, cell.high, 1025).astype(np.int64)
    return np.unique(np.concatenate([near, even]).clip(cell.low, cell.high))


def log_tail_of_pair_sum(cell: FreeCell, x: int, side: str) -> float:
    """Return ``log P(T >= T of x)``, or ``<=`` for "less"; ``T = 4 (x - (r + c - n/2) / 2)**2`` + const."""
    twice_image = 2 * (cell.r + cell.c - x) - cell.n
    first, last = min(x, -(-twice_image // 2)), max(x, twice_image // 2)
    if side == "less":
        return _sum_run(cell, first, last)
    below, above = min(x, twice_image // 2), max(x, -(-twice_image // 2))
    upper = _sum_run(cell, max(above, below + 1), cell.high)
    return float(np.logaddexp(_sum_run(cell, cell.low, below), upper))


def log_probabilities(cell: FreeCell, x: Integers) -> Floats:
    """Return ``log P(X = x)`` of each x."""
    from scipy.special import betaln

    def log_binomial(n: int, k: Any) -> Any:
        return -betaln(n - k + 1.0, k + 1.0) - math.log(n + 1.0)

    ways = log_binomial(cell.r, x) + log_binomial(cell.n - cell.r, cell.c - x)
    return np.asarray(ways - log_binomial(cell.n, cell.c))


def _sum_run(cell: FreeCell, first: int, last: int) -> float:
    """Return ``log P(first <= X <= last)``, summed outward from the mode."""
    first, last = max(first, cell.low), min(last, cell.high)
    if first > last:
        return -math.inf
    start = min(max(cell.mode, first), last)
    log_p = log_probability(cell, start, last)
    return float(np.logaddexp(log_p, log_probability(cell, start - 1, first))) if start > first else log_p


def log_probability(cell: FreeCell, first: int, last: int) -> float:
    """Return ``log P(first <= X <= last)`` if the probabilities do not increase from first to last."""
    n, r, c = cell.n, cell.r, cell.c
    total, product, at, terms = 1.0, 1.0, first, 1024  # number of ratios at first; it is doubled each time
    while at != last and product > 0.01 * EPSILON * total:
        left = min(terms, abs(last - at))
        k = np.arange(left, dtype=np.float64)
        if last > first:
            x = at + k
            ratios = (r - x) * (c - x) / ((x + 1.0) * (n - r - c + x + 1.0))
        else:
            x = at - k
            ratios = x * (n - r - c + x) / ((r - x + 1.0) * (c - x + 1.0))
        products = product * np.cumprod(ratios)
        total += float(products.sum())
        product, terms = float(products[-1]), 2 * terms
        at += left if last > first else -left
    log_first = float(log_weight(first, n, r, c, NO_TABLE)) + float(log_scale(n, r, c))
    return log_first + math.log(total)


CUMULANTS = 12  # number of factorial cumulants: they take about 5 ms
SUM_ROUNDING = 1e-12  # relative error of a sum of probabilities
# angles on a half circle; the other half has the complex conjugates
ANGLES = np.pi * (np.arange(256) + 0.5) / 256
RADII_TRIED = 24  # radii that are tried for a tail


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SparseLaw:
    """Null distribution of the number of pairs together in both clusterings, from factorial cumulants."""

    n: int  # number of objects; ``T = n + 2 a``
    c: Floats  # shape (CUMULANTS,): factorial cumulants of a, divided by r!, r = 1, 2, ...
    growth: float  # estimated ratio of successive cumulants beyond the last
    probabilities: Floats  # shape (k,): probabilities of a = 0, 1, ...
    rounding: Floats  # shape (k,): bounds of the rounding errors of the probabilities
    error: float  # estimated bound of the error of every tail probability

    @property
    def law(self) -> PairSumLaw:
        """The law of T; its lost mass is the error bound of a tail probability."""
        T = self.n + 2 * np.arange(self.probabilities.size, dtype=np.int64)
        return PairSumLaw(
            values=T, probabilities=self.probabilities, lost_mass=self.error, method="cumulants"
        )

    def tail(self, pair_sum: int, side: str) -> tuple[float, float]:
        """Return P(T >= pair_sum), or P(T <= pair_sum) for the side "less", and its relative error."""
        k = (pair_sum - self.n) // 2
        reached = slice(k, None) if side == "greater" else slice(0, k + 1)
        p = math.fsum(self.probabilities[reached])
        if not (0 <= k < self.probabilities.size and p > 0.0):
            return p, math.inf
        # beyond the last, probabilities fall by at least half each
        beyond = self.probabilities[-1] if side == "greater" else 0.0
        # use the smallest bound over some circles
        ends, power = (1.0 + 1.0 / (k + 1.0), max(4.0 * k / self.c[0], 2.0)), 1 - k
        if side == "less":
            ends, power = (min(0.25 * (k + 1.0) / self.c[0], 0.5), 1.0 - 1.0 / (k + 2.0)), -k
        radii = np.geomspace(*ends, RADII_TRIED).tolist()
        cut_off = min(self.error, *(_bound_error_on_circle(self.c, self.growth, s, power) for s in radii))
        return p, float(cut_off + math.fsum(self.rounding[reached]) + beyond) / p + SUM_ROUNDING


@keep_recent
def compute_sparse_law(margins: Margins) -> SparseLaw | None:
    """Compute the law of a from factorial cumulants; None if the mean exceeds 600 or the error 1e-5."""
    n, (A, B) = margins.n, margins.squares
    mean = (A - n) * (B - n) / (2 * n * (n - 1)) if n > 1 else 0.0
    if not 0.0 < mean <= 600.0:  # up to 600, exp(-mean) is a float of full precision
        return None
    c = np.array([float(x) for x in compute_factorial_cumulants(compute_binomial_moments(margins))[1:]])
    sizes = np.abs(c[-5:])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = sizes[1:] / sizes[:-1]
    # largest of the last four ratios that is finite
    growth = float(ratios[np.isfinite(ratios)].max(initial=0.0))
    error = _bound_error_on_circle(c, growth, 1.0)
    if not error <= 1e-5:  # error of a tail probability; by comparison, simulating 17,000 tables leaves 4e-3
        return None
    p, rounding = _compute_probabilities(c)
    error = max(error, SUM_ROUNDING)
    return SparseLaw(n=margins.n, c=c, growth=growth, probabilities=p, rounding=rounding, error=error)


def compute_binomial_moments(margins: Margins, order: int = CUMULANTS) -> list[Fraction]:
    """Return ``E C(a, r)``, r = 0, ..., order, from the moments of ``T - n = 2 a``."""
    powers = [Fraction(1), *(x / 2**m for m, x in enumerate(compute_raw_moments(margins, order), start=1))]
    # signed Stirling numbers of the first kind: x (x - 1) ... in powers of x
    cumulants, stirling = [Fraction(1)], [1]
    for r in range(1, order + 1):
        stirling = [shifted - (r - 1) * x for shifted, x in zip([0, *stirling], [*stirling, 0], strict=True)]
        moment = sum((s * x for s, x in zip(stirling, powers, strict=False)), Fraction(0))
        cumulants.append(moment / math.factorial(r))
    return cumulants


def compute_factorial_cumulants(moments: list[Fraction]) -> list[Fraction]:
    """Return ``c_r`` with ``log sum_r b_r u**r = sum_r c_r u**r``, from ``r b_r = sum_j j c_j b_(r-j)``."""
    c = [Fraction(0)]
    for r in range(1, len(moments)):
        known = sum((j * c[j] * moments[r - j] for j in range(1, r)), Fraction(0))
        c.append(moments[r] - known / r)
    return c


def _compute_probabilities(c: Floats) -> tuple[Floats, Floats]:
    """Return the probabilities of a = 0, 1, ... with these cumulants, and bounds of their rounding errors."""
    exact = [Fraction(x) for x in c.tolist()]
    d = [
        float(sum(math.comb(r, j) * (-1) ** (r - j) * x for r, x in enumerate(exact, start=1)))
        for j in range(c.size + 1)
    ]
    mode = max(c[0], 0.0)
    p, error = [math.exp(d[0])], [math.exp(d[0]) * EPSILON * (abs(d[0]) + 2.0)]
    while p[-1] > 1e-60 or len(p) <= mode:
        k = len(p)
        orders = range(1, min(c.size, k) + 1)
        terms = [j * d[j] * p[k - j] / k for j in orders]
        error.append(
            sum(j * abs(d[j]) * error[k - j] / k for j in orders) + 8.0 * EPSILON * sum(map(abs, terms))
        )
        p.append(math.fsum(terms))
    if p[-1] <= 0.0:
        p, error = p[:-1], error[:-1]
    return np.array(p), np.array(error)


def _bound_error_on_circle(c: Floats, growth: float, s: float, power: int = 0) -> float:
    """Mean of ``abs(G_R) (exp(abs(delta)) - 1) s**power / abs(z - 1)`` over the circle of radius s."""
    w = s * np.exp(1j * ANGLES) - 1.0
    size = np.abs(w)
    log_G = np.polynomial.polynomial.polyval(w, np.append(0.0, c)).real + power * math.log(s)
    ratio = growth * size
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        delta = 2.0 * abs(c[-1]) * size**c.size * ratio / (1.0 - ratio)  # twice the estimate, for safety
        # where the terms do not decrease, the generating function is taken as 100 times its cut form
        factor = np.where(ratio < 1.0, np.expm1(delta), 100.0)
        return float(np.mean(np.exp(log_G) * factor / size))


def find_only_table(margins: Margins) -> ContingencyTable | None:
    """Return the only possible table, up to the order of rows or columns; None if there are several."""
    sides = margins.row_totals, margins.column_totals
    if not margins.n or not all(totals.all() for totals in sides):
        return None
    if sides[0].size == 1:
        return count_table(sides[1][np.newaxis])
    if sides[1].size == 1:
        return count_table(sides[0][:, np.newaxis])
    if margins.n not in (sides[0].size, sides[1].size):
        return None
    return count_table(
        cross_tabulate(*(np.repeat(np.arange(totals.size), totals) for totals in sides)).counts
    )
