"""Measures of association in a contingency table, from the time of the chi-square test.

Chi-square and its relatives are functions of the mean squared contingency ``phi^2 = sum n_ij^2 / (n_i m_j) -
1``.
"""

import functools
import math

import numpy as np

from chancecorr.indices.clusters import add_up, compute_excess, find_largest
from chancecorr.indices.entry import register_kernel, use_maxima
from chancecorr.indices.information import information_index, share
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel

GOODMAN = "Goodman & Kruskal (1954), doi:10.1080/01621459.1954.10501231"
PEARSON = "Pearson (1904), Drapers' Company Research Memoirs, Biometric Series I"


def contingency_of_cell(x: float, row: float, column: float, n: float) -> float:
    """Share of a cell in phi^2: ``x/n (n x / (row column) - 1)``."""
    return x / n * compute_excess(x, row, column, n) / (row * column)


def reference_gain_of_cell(x: float, row: float, column: float, n: float) -> float:
    """Share of a cell in ``sum n_ij^2 / (n m_j) - sum n_i^2 / n^2``: ``x/n (x/column - row/n)``."""
    return x / n * compute_excess(x, row, column, n) / (n * column)


def candidate_gain_of_cell(x: float, row: float, column: float, n: float) -> float:
    """Share of a cell in ``sum n_ij^2 / (n n_i) - sum m_j^2 / n^2``: ``x/n (x/row - column/n)``."""
    return x / n * compute_excess(x, row, column, n) / (n * row)


contingency_index = functools.partial(information_index, cell=contingency_of_cell, exchange=None)
"""Register a symmetric function of phi^2 and the cluster sizes."""

guessing_index = functools.partial(register_kernel, needs="table", family="information", source=GOODMAN)
"""Decorator for a lambda of Goodman & Kruskal."""


def _clusters(totals: Integers) -> float:
    """Return the number of clusters, nan without objects."""
    return float(np.count_nonzero(totals)) or math.nan


def _root(squared: Floats) -> Floats:
    """Return the square root, and 0 for numbers below 0 due to rounding."""
    return np.sqrt(np.maximum(squared, 0.0))


def phi_square(contingency: Floats, rows: Integers, columns: Integers) -> Floats:
    """Chi-square per object."""
    return contingency if rows.any() else np.full_like(contingency, math.nan)


# fmt: off

contingency_index("phi_square", r"\phi^2 = \sum_{i,j} \frac{n_{ij}^2}{n_i m_j} - 1", phi_square,
    "Chi-square per object.",
    range=(0.0, math.inf), best=None,
    source=PEARSON,
    known_as="mean squared contingency, inertia of correspondence analysis; not phi of the pair counts",
    notes="K - 1 for identical clusterings, min(K, K') - 1 at most.")

contingency_index("chi_square", r"n \left(\sum_{i,j} \frac{n_{ij}^2}{n_i m_j} - 1\right)",
    lambda contingency, rows, columns: float(rows.sum()) * phi_square(contingency, rows, columns),
    "Squared deviation from independence, relative to the expected counts.",
    aliases=("chi2", "chi_squared"), range=(0.0, math.inf), best=None, corrected_as="phi_square",
    source="Pearson (1900), Philosophical Magazine 50, 157-175",
    notes="Of the table of objects, without Yates' correction; not the chi-square of the pair counts. Its"
    " mean by chance is (K - 1) (K' - 1) n / (n - 1).")

contingency_index("cramer_v", r"\sqrt{\frac{\phi^2}{\min(K - 1, K' - 1)}}",
    lambda contingency, rows, columns:
        _root(share(contingency, min(_clusters(rows), _clusters(columns)) - 1.0)),
    "Root of phi^2 relative to its largest value for these numbers of clusters.",
    aliases=("cramers_v",),
    title="Cramér's V",
    source="Cramér (1946), Mathematical Methods of Statistics",
    notes="1 wherever one clustering refines the other. nan where one of two different clusterings is a"
    " single cluster.")

contingency_index("tschuprow_t", r"\sqrt{\frac{\phi^2}{\sqrt{(K - 1) (K' - 1)}}}",
    lambda contingency, rows, columns:
        _root(share(contingency, math.sqrt((_clusters(rows) - 1.0) * (_clusters(columns) - 1.0)))),
    "Root of phi^2 relative to the geometric mean of K - 1 and K' - 1.",
    aliases=("tschuprows_t",),
    source="Tschuprow (1925), Grundbegriffe und Grundprobleme der Korrelationstheorie",
    notes="Below 1 where K and K' differ. nan where one of two different clusterings is a single cluster.")

contingency_index("contingency_coefficient", r"\sqrt{\frac{\phi^2}{1 + \phi^2}}",
    lambda contingency, rows, columns: np.sqrt(np.maximum(phi_square(contingency, rows, columns), 0.0)
        / (1.0 + np.maximum(phi_square(contingency, rows, columns), 0.0))),
    "Phi^2 brought below 1.",
    aliases=("pearson_contingency_coefficient",), best=None,
    source=PEARSON,
    known_as="Pearson's C",
    notes="sqrt((K - 1) / K) for identical clusterings, so below 1.")

contingency_index("moc", r"\frac{\sum_{i,j} \frac{n_{ij}^2}{n_i m_j} - 1}{\sqrt{K K'} - 1}",
    lambda contingency, rows, columns:
        share(contingency, math.sqrt(_clusters(rows) * _clusters(columns)) - 1.0),
    "Phi^2 relative to the geometric mean of K and K', less 1.",
    aliases=("measure_of_concordance",),
    source="Pfitzner, Leibbrandt & Powers (2009), doi:10.1007/s10115-008-0150-6")

contingency_index("frobenius_distance", r"K + K' - 2 \sum_{i,j} \frac{n_{ij}^2}{n_i m_j}",
    lambda contingency, rows, columns: _clusters(rows) + _clusters(columns) - 2.0 - 2.0 * contingency,
    "Squared distance of the two projections that replace values by cluster means.",
    aliases=("projector_distance",), range=(0.0, math.inf), best=0.0, corrected_as="phi_square",
    source="Lajugie, Bach & Arlot (2014), Proceedings of Machine Learning Research 32 (1), 297-305",
    known_as="Frobenius in aricode; not the distance of co-membership matrices, the root of 2 (b + c)",
    notes="Squared Frobenius distance of the projectors onto the clusters' indicators.")


def _impurity(totals: Integers) -> float:
    """Return ``1 - sum n_i^2 / n^2``: chance that two draws with replacement differ in cluster."""
    n = float(totals.sum()) or 1.0
    return float((totals / n * ((n - totals) / n)).sum())


information_index("goodman_kruskal_tau_1",
    r"\frac{\sum_{i,j} \frac{n_{ij}^2}{n m_j} - \sum_i \frac{n_i^2}{n^2}}{1 - \sum_i \frac{n_i^2}{n^2}}",
    lambda gain, rows, columns: share(gain, _impurity(rows)),
    "Share of the wrong guesses of the reference, drawn in proportion, that the candidate spares.",
    cell=reference_gain_of_cell, exchange=None, symmetric=False, corrected_as="bcubed_precision",
    source=GOODMAN,
    known_as="tau of the reference given the candidate; Light & Margolin's R^2")

information_index("goodman_kruskal_tau_2",
    r"\frac{\sum_{i,j} \frac{n_{ij}^2}{n n_i} - \sum_j \frac{m_j^2}{n^2}}{1 - \sum_j \frac{m_j^2}{n^2}}",
    lambda gain, rows, columns: share(gain, _impurity(columns)),
    "Share of the wrong guesses of the candidate, drawn in proportion, that the reference spares.",
    cell=candidate_gain_of_cell, exchange=None, symmetric=False, corrected_as="bcubed_recall",
    source=GOODMAN,
    known_as="tau of the candidate given the reference; Light & Margolin's R^2")


@kernel
def _spared(right: float, blindly: float, totals: Integers) -> float:
    """Return the share of wrong blind guesses that become right."""
    n = add_up(totals)
    return (right - blindly) / (n - blindly) if n > blindly else math.nan


@guessing_index(r"\frac{\sum_j \max_i n_{ij} - \max_i n_i}{n - \max_i n_i}",
    corrected_as="purity", summary=use_maxima(of_rows=False),
    known_as="lambda of the reference given the candidate; Guttman's lambda")
def goodman_kruskal_lambda_1(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Share of the wrong best guesses of the reference that the candidate spares."""
    return _spared(C, find_largest(rows), rows)


@guessing_index(r"\frac{\sum_i \max_j n_{ij} - \max_j m_j}{n - \max_j m_j}",
    corrected_as="inverse_purity", summary=use_maxima(of_columns=False),
    known_as="lambda of the candidate given the reference; Guttman's lambda")
def goodman_kruskal_lambda_2(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Share of the wrong best guesses of the candidate that the reference spares."""
    return _spared(R, find_largest(columns), rows)


@guessing_index(
    r"\frac{\sum_j \max_i n_{ij} + \sum_i \max_j n_{ij} - \max_i n_i - \max_j m_j}{2 n - \max_i n_i -"
    r" \max_j m_j}",
    symmetric=True, corrected_as="van_dongen", summary=use_maxima(),
    known_as="symmetric lambda; of the table of objects, not of the pair counts")
def goodman_kruskal_lambda(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Share of the wrong best guesses that the other clustering spares, in both directions together."""
    twice, blindly = 2.0 * add_up(rows), find_largest(rows) + find_largest(columns)
    return 1.0 - (twice - (R + C)) / (twice - blindly) if twice > blindly else math.nan
