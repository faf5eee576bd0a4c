"""By how much an expected value changes without one object, on tables that are simulated or listed.

Take a uniformly random object of row i from a random table N with margins (r, c). It lies in column j with
the probability ``n_ij / r_i``, which is ``c_j / n`` on average; given that, what is left is exactly a random
table with the margins less one in row i and column j. Hence, with ``e_ij`` the table of this one object ::

    E' f = E  n / (r_i c_j) N_ij f(N - e_ij)

where E' is over tables with the smaller margins. The tables that gave the expected value so give it without
any object, and the noise that both have cancels in the difference ``E' f - E f``. Where all tables are
listed, this is exact.

On simulated tables the weight ``n N_ij / (r_i c_j)`` is most of the noise. It is 1 on average over the
columns of a row, whatever the table: the change averaged over the columns, ``sum_j c_j / n (E' f - E f)``, is
the mean of ``f(N - e_ij) - f(N)`` over tables and objects of the row, a small number with a small variance.
So are the changes averaged over the rows of a column. A change is then the sum of the two, less the average
of all. What this neglects is that part of the change which goes by row and column together: a second
difference of the expected value in the margins, of order ``1 / n**2`` where that is smooth, while the change
itself is of order ``1 / n``.
"""

import numpy as np

from chancecorr.compiled import Floats, Integers
from chancecorr.correction.request import Request
from chancecorr.exact.laws.enumeration import table_law
from chancecorr.exact.moments.less_one import margins_less_one
from chancecorr.indices.registry import Index
from chancecorr.kinds import kind_of
from chancecorr.kinds.methods import AUTO
from chancecorr.null.permutation import fill_tables, plan_sampler
from chancecorr.tables.contingency import ContingencyTable, Margins

FEWEST_TABLES = 100
"""Simulated tables that objects are taken from, at least: else the noise of the change is not known."""

MOST_CELLS = 4_000_000
"""Cells of all these tables together, 32 MB; a single table may have more."""


def simulated_changes(index: Index, table: ContingencyTable, asked: Request) -> tuple[Floats, Floats]:
    """By how much the mean of any index changes without an object of each non-empty cell; shape (cells,).

    Also the variances of these numbers: 0 where all tables were listed. As many tables have objects taken
    from them as makes about as many values as `n_tables`.
    """
    margins = table.margins
    rows, columns, counts = table.nonzero_cells
    if not asked.method.only_tables:
        try:
            tables, probabilities = table_law(margins, AUTO.law_tables)
        except ValueError:
            pass
        else:
            if tables.shape[0] * counts.size <= max(kind_of(index).evaluations(index), asked.n_tables):
                return changes_by_law(index, margins, (rows, columns), tables, probabilities), np.zeros(
                    counts.size
                )
    return _sampled_changes(index, margins, rows, columns, asked)


def changes_by_law(
    index: Index, margins: Margins, cells: tuple[Integers, Integers], tables: Integers, weights: Floats
) -> Floats:
    """``sum w n / (r_i c_j) N_ij f(N - e_ij) - sum w f(N)`` for each cell (i, j), from tables with weights.

    Examples
    --------
    >>> corner = Index(name="corner", function=lambda u, v: float(sum((u == 0) & (v == 0))), needs="labels")
    >>> margins = Margins([2, 1], [2, 1])
    >>> cells = (np.array([0]), np.array([0]))
    >>> changes_by_law(corner, margins, cells, *table_law(margins, 10)).round(12)  # 1/2 instead of 4/3
    array([-0.83333333])
    """
    kind, n = kind_of(index), margins.n
    mean = float(weights @ kind.values(index, tables, margins))
    changes = []
    for i, j in zip(*(each.tolist() for each in cells), strict=True):
        there = np.flatnonzero(tables[:, i, j])
        smaller = tables[there]
        smaller[:, i, j] -= 1
        share = weights[there] * tables[there, i, j]
        share *= n / (int(margins.row_totals[i]) * int(margins.column_totals[j]))
        changes.append(float(share @ kind.values(index, smaller, margins_less_one(margins, i, j))) - mean)
    return np.array(changes)


def _sampled_changes(
    index: Index, margins: Margins, rows: Integers, columns: Integers, asked: Request
) -> tuple[Floats, Floats]:
    """The same from simulated tables, one object taken from each row and from each column of each of them."""
    sampler = plan_sampler(margins)
    K, Q = sampler.shape
    n_tables = min(asked.n_tables // (K + Q), MOST_CELLS // (K * Q))
    n_tables = max(min(FEWEST_TABLES, asked.n_tables), n_tables)
    tables = np.empty((n_tables, K, Q), dtype=np.int64)
    fill_tables(sampler, asked.seed, 0, tables)
    rng = np.random.default_rng(int(asked.seed))
    means, variances = zip(*(_by_line(index, margins, tables, axis, rng) for axis in (0, 1)), strict=True)
    sizes = (margins.row_totals, margins.column_totals)
    with np.errstate(invalid="ignore"):  # infinite means
        overall = sum(
            float(size @ np.where(size > 0, mean, 0.0)) for size, mean in zip(sizes, means, strict=True)
        )
        changes = means[0][rows] + means[1][columns] - overall / (2 * margins.n)
    return changes, variances[0][rows] + variances[1][columns]


def _by_line(
    index: Index, margins: Margins, tables: Integers, axis: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Mean change without an object of each row (axis 0) or column (1), and its variance.

    Both are nan of empty lines; the variance also where values are infinite.
    """
    kind, m = kind_of(index), tables.shape[0]
    totals = (margins.row_totals, margins.column_totals)[axis]
    lines = np.flatnonzero(totals)
    by_line = tables if axis == 0 else tables.transpose(0, 2, 1)
    before = kind.values(index, tables, margins)
    chosen = np.empty((m, lines.size), dtype=np.int64)
    for k, line in enumerate(lines.tolist()):
        taken = rng.integers(totals[line], size=m)
        chosen[:, k] = (np.cumsum(by_line[:, line], axis=1) > taken[:, np.newaxis]).argmax(axis=1)
    changes = np.empty((m, lines.size))
    for k, line in enumerate(lines.tolist()):
        for other in np.unique(chosen[:, k]).tolist():
            here = np.flatnonzero(chosen[:, k] == other)
            i, j = (line, other) if axis == 0 else (other, line)
            smaller = tables[here]
            smaller[:, i, j] -= 1
            changes[here, k] = kind.values(index, smaller, margins_less_one(margins, i, j))
    mean, variance = np.full(totals.size, np.nan), np.full(totals.size, np.nan)
    with np.errstate(invalid="ignore"):  # infinite values less infinite ones
        changes -= before[:, np.newaxis]
        mean[lines] = changes.mean(axis=0)
        variance[lines] = changes.var(axis=0, ddof=1) / m if m > 1 else np.nan
    return mean, variance
