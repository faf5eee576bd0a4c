"""Measures of association in a cross-classification, as old as the chi-square test, used on two clusterings.

``phi^2 = sum n_ij^2 / (n_i m_j) - 1``, the mean squared contingency, carries chi-square and its relatives.
The worked example is the table ``((2, 1), (0, 3))``: phi^2 = 4/6 + 1/12 + 9/12 - 1 = 1/2.
"""

import functools
import math

import numpy as np

from chancecorr.indices.clusters import excess_over_independence, largest
from chancecorr.indices.entry import by_maxima, entry
from chancecorr.indices.information import information_index, share
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel

GOODMAN = "Goodman & Kruskal (1954), doi:10.1080/01621459.1954.10501231"
CRAMER = "Cramér (1946), Mathematical Methods of Statistics"
PEARSON = "Pearson (1904), Drapers' Company Research Memoirs, Biometric Series I"


def contingency_of_cell(x: float, row: float, column: float, n: float) -> float:
    """Share of a cell in phi^2: ``x/n (n x / (row column) - 1)``."""
    return x / n * excess_over_independence(x, row, column, n) / (row * column)


def reference_gain_of_cell(x: float, row: float, column: float, n: float) -> float:
    """Share of a cell in ``sum n_ij^2 / (n m_j) - sum n_i^2 / n^2``: ``x/n (x/column - row/n)``."""
    return x / n * excess_over_independence(x, row, column, n) / (n * column)


def candidate_gain_of_cell(x: float, row: float, column: float, n: float) -> float:
    """Share of a cell in ``sum n_ij^2 / (n n_i) - sum m_j^2 / n^2``: ``x/n (x/row - column/n)``."""
    return x / n * excess_over_independence(x, row, column, n) / (n * row)


contingency_index = functools.partial(information_index, cell=contingency_of_cell, exchange=None)
"""Entry of a symmetric function of phi^2 and the cluster sizes."""

guessing_index = functools.partial(entry, needs="table", family="information", source=GOODMAN)
"""Entry of a lambda of Goodman & Kruskal."""


def _clusters(totals: Integers) -> float:
    """Number of clusters, nan without objects."""
    return float(np.count_nonzero(totals)) or math.nan


@contingency_index(
    r"\phi^2 = \sum_{i,j} \frac{n_{ij}^2}{n_i m_j} - 1",
    range=(0.0, math.inf),
    best=None,
    example=1 / 2,
    source=PEARSON,
    known_as="mean squared contingency, inertia of correspondence analysis; not phi of the pair counts",
    notes="K - 1 for identical clusterings, min(K, K') - 1 at most.",
)
def phi_square(contingency: Floats, rows: Integers, columns: Integers) -> Floats:
    """Chi-square per object."""
    return contingency if rows.any() else np.full_like(contingency, math.nan)


@contingency_index(
    r"n \left(\sum_{i,j} \frac{n_{ij}^2}{n_i m_j} - 1\right)",
    aliases=("chi2", "chi_squared"),
    range=(0.0, math.inf),
    best=None,
    corrected_as="phi_square",
    example=3.0,
    source="Pearson (1900), Philosophical Magazine 50, 157-175",
    notes="Of the table of objects, without Yates' correction; not the chi-square of the pair counts. Its"
    " mean by chance is (K - 1) (K' - 1) n / (n - 1).",
)
def chi_square(contingency: Floats, rows: Integers, columns: Integers) -> Floats:
    """Squared deviation from independence, relative to the expected counts."""
    return float(rows.sum()) * phi_square(contingency, rows, columns)


@contingency_index(
    r"\sqrt{\frac{\phi^2}{\min(K - 1, K' - 1)}}",
    aliases=("cramers_v",),
    example=math.sqrt(1 / 2),
    source=CRAMER,
    notes="1 wherever one clustering refines the other. nan where one of two different clusterings is a"
    " single cluster.",
)
def cramer_v(contingency: Floats, rows: Integers, columns: Integers) -> Floats:
    """Root of phi^2 relative to its largest value for so many clusters."""
    squared = share(contingency, min(_clusters(rows), _clusters(columns)) - 1.0)
    return np.sqrt(np.maximum(squared, 0.0))


@contingency_index(
    r"\sqrt{\frac{\phi^2}{\sqrt{(K - 1) (K' - 1)}}}",
    aliases=("tschuprows_t",),
    example=math.sqrt(1 / 2),
    source="Tschuprow (1925), Grundbegriffe und Grundprobleme der Korrelationstheorie",
    notes="Below 1 where K and K' differ. nan where one of two different clusterings is a single cluster.",
)
def tschuprow_t(contingency: Floats, rows: Integers, columns: Integers) -> Floats:
    """Root of phi^2 relative to the geometric mean of K - 1 and K' - 1."""
    squared = share(contingency, math.sqrt((_clusters(rows) - 1.0) * (_clusters(columns) - 1.0)))
    return np.sqrt(np.maximum(squared, 0.0))


@contingency_index(
    r"\sqrt{\frac{\phi^2}{1 + \phi^2}}",
    aliases=("pearson_contingency_coefficient",),
    best=None,
    example=math.sqrt(1 / 3),
    source=PEARSON,
    known_as="Pearson's C",
    notes="sqrt((K - 1) / K) for identical clusterings, so below 1.",
)
def contingency_coefficient(contingency: Floats, rows: Integers, columns: Integers) -> Floats:
    """Phi^2 brought below 1."""
    squared = np.maximum(phi_square(contingency, rows, columns), 0.0)
    return np.sqrt(squared / (1.0 + squared))


@contingency_index(
    r"\frac{\sum_{i,j} \frac{n_{ij}^2}{n_i m_j} - 1}{\sqrt{K K'} - 1}",
    aliases=("measure_of_concordance",),
    example=1 / 2,
    source="Pfitzner, Leibbrandt & Powers (2009), doi:10.1007/s10115-008-0150-6",
)
def moc(contingency: Floats, rows: Integers, columns: Integers) -> Floats:
    """Phi^2 relative to the geometric mean of K and K', less 1."""
    return share(contingency, math.sqrt(_clusters(rows) * _clusters(columns)) - 1.0)


@contingency_index(
    r"K + K' - 2 \sum_{i,j} \frac{n_{ij}^2}{n_i m_j}",
    aliases=("projector_distance",),
    range=(0.0, math.inf),
    best=0.0,
    corrected_as="phi_square",
    example=2 + 2 - 2 * 3 / 2,
    source="Lajugie, Bach & Arlot (2014), Proceedings of Machine Learning Research 32 (1), 297-305",
    known_as="Frobenius in aricode; not the distance of co-membership matrices, the root of 2 (b + c)",
    notes="Squared Frobenius distance of the projectors onto the clusters' indicators.",
)
def frobenius_distance(contingency: Floats, rows: Integers, columns: Integers) -> Floats:
    """Squared distance of the two projections that replace values by cluster means."""
    return _clusters(rows) + _clusters(columns) - 2.0 - 2.0 * contingency


def _impurity(totals: Integers) -> float:
    """``1 - sum n_i^2 / n^2``, chance that two draws with replacement fall in different clusters."""
    n = float(totals.sum()) or 1.0
    return float((totals / n * ((n - totals) / n)).sum())


@information_index(
    r"\frac{\sum_{i,j} \frac{n_{ij}^2}{n m_j} - \sum_i \frac{n_i^2}{n^2}}{1 - \sum_i \frac{n_i^2}{n^2}}",
    cell=reference_gain_of_cell,
    exchange=None,
    symmetric=False,
    corrected_as="bcubed_precision",
    example=(3 / 4 - 1 / 2) / (1 / 2),
    source=GOODMAN,
    known_as="tau of the reference given the candidate; Light & Margolin's R^2",
)
def goodman_kruskal_tau_1(gain: Floats, rows: Integers, columns: Integers) -> Floats:
    """Share of the wrong guesses of the reference, drawn in proportion, that the candidate spares."""
    return share(gain, _impurity(rows))


@information_index(
    r"\frac{\sum_{i,j} \frac{n_{ij}^2}{n n_i} - \sum_j \frac{m_j^2}{n^2}}{1 - \sum_j \frac{m_j^2}{n^2}}",
    cell=candidate_gain_of_cell,
    exchange=None,
    symmetric=False,
    corrected_as="bcubed_recall",
    example=(7 / 9 - 5 / 9) / (4 / 9),
    source=GOODMAN,
    known_as="tau of the candidate given the reference; Light & Margolin's R^2",
)
def goodman_kruskal_tau_2(gain: Floats, rows: Integers, columns: Integers) -> Floats:
    """Share of the wrong guesses of the candidate, drawn in proportion, that the reference spares."""
    return share(gain, _impurity(columns))


@kernel
def _spared(right: float, blindly: float, totals: Integers) -> float:
    """Share of the wrong blind guesses that are right."""
    n = float(totals.sum())
    return (right - blindly) / (n - blindly) if n > blindly else math.nan


@kernel
def _spared_by_both(right: float, blindly: float, totals: Integers) -> float:
    """Share of the wrong blind guesses of both clusterings that are right."""
    twice = 2.0 * totals.sum()
    return 1.0 - (twice - right) / (twice - blindly) if twice > blindly else math.nan


@guessing_index(
    r"\frac{\sum_j \max_i n_{ij} - \max_i n_i}{n - \max_i n_i}",
    corrected_as="purity",
    example=(5 - 3) / (6 - 3),
    known_as="lambda of the reference given the candidate; Guttman's lambda",
    summary=by_maxima(of_rows=False),
)
def goodman_kruskal_lambda_1(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Share of the wrong best guesses of the reference that the candidate spares."""
    return _spared(C, largest(rows), rows)


@guessing_index(
    r"\frac{\sum_i \max_j n_{ij} - \max_j m_j}{n - \max_j m_j}",
    corrected_as="inverse_purity",
    example=(5 - 4) / (6 - 4),
    known_as="lambda of the candidate given the reference; Guttman's lambda",
    summary=by_maxima(of_columns=False),
)
def goodman_kruskal_lambda_2(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Share of the wrong best guesses of the candidate that the reference spares."""
    return _spared(R, largest(columns), rows)


@guessing_index(
    r"\frac{\sum_j \max_i n_{ij} + \sum_i \max_j n_{ij} - \max_i n_i - \max_j m_j}"
    r"{2 n - \max_i n_i - \max_j m_j}",
    symmetric=True,
    corrected_as="van_dongen",
    example=(5 + 5 - 3 - 4) / (12 - 3 - 4),
    known_as="symmetric lambda; of the table of objects, not of the pair counts",
    summary=by_maxima(),
)
def goodman_kruskal_lambda(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Share of the wrong best guesses that the other clustering spares, in both directions together."""
    return _spared_by_both(R + C, largest(rows) + largest(columns), rows)
