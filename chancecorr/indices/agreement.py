"""Indices of labels with the same names on both sides: raters, judges, classifiers.

An index of agreement is the mean over the objects of a weight of their two labels. Rows and columns of its
table are the same labels in one order, with totals ``n_i`` and ``m_i``. The function of an index takes row
numbers and column numbers of cells and the totals, and returns the weights of these cells. The adjusted score
of accuracy is Cohen's kappa.
"""

import functools
import math

import numpy as np

from chancecorr.indices.calling import name_failures
from chancecorr.indices.entry import add_index
from chancecorr.indices.index import OF_AGREEMENT, Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import ManyMargins, Margins


def weigh_cells(index: Index, rows: Integers, columns: Integers, margins: Margins | ManyMargins) -> Floats:
    """Return the weights of cells under an ``"agreement"`` index; nan where they are 0/0."""
    totals = margins.row_totals, margins.column_totals
    with name_failures(index, f"cells of a table of shape ({totals[0].size}, {totals[1].size})"):
        weights = np.asarray(index.function(rows, columns, *totals), dtype=np.float64)
        return np.broadcast_to(weights, np.broadcast_shapes(rows.shape, columns.shape))


def evaluate_agreement(index: Index, tables: Integers, margins: Margins | ManyMargins) -> Floats:
    """Return the values of an ``"agreement"`` index on square tables of shape (m, K, K)."""
    if isinstance(margins, ManyMargins) and margins.row_totals.ndim > 1:
        values = [evaluate_agreement(index, tables[t : t + 1], margins.select(t)) for t in range(len(tables))]
        return np.concatenate(values or [np.empty(0)])
    if not margins.n:
        return np.full(len(tables), np.nan)
    weights = weigh_cells(
        index, np.arange(tables.shape[1])[:, np.newaxis], np.arange(tables.shape[2])[np.newaxis], margins
    )
    return np.asarray(np.einsum("tij,ij->t", tables, weights) / margins.n, dtype=np.float64)


def weigh_accuracy(rows: Integers, columns: Integers, n: Integers, m: Integers) -> Floats:
    """Return 1 for equal labels, else 0."""
    return np.asarray(rows == columns, dtype=np.float64)


def weigh_recalls(rows: Integers, columns: Integers, n: Integers, m: Integers) -> Floats:
    """Return weights that add up to the mean recall over the labels of the reference."""
    sizes = np.maximum(n[rows], 1) * np.count_nonzero(n)
    return np.asarray((rows == columns) * (n.sum() / sizes))


def weigh_f1(rows: Integers, columns: Integers, n: Integers, m: Integers) -> Floats:
    """Return weights that add up to the mean F1 over the labels that at least one side has."""
    sizes = np.maximum(n[rows] + m[rows], 1) * np.count_nonzero(n + m)
    return np.asarray((rows == columns) * (2.0 * n.sum() / sizes))


def weigh_matthews(rows: Integers, columns: Integers, n: Integers, m: Integers) -> Floats:
    """Return weights that add up to the correlation of two sets of 0/1 variables, one for each label."""
    p, q = n / n.sum(), m / m.sum()
    divisor = math.sqrt((1.0 - p @ p) * (1.0 - q @ q)) if min(map(np.count_nonzero, (n, m))) > 1 else math.nan
    return np.asarray(((rows == columns) - p @ q) / divisor)


agreement_index = functools.partial(add_index, needs="agreement", family=OF_AGREEMENT)
"""Register an index of agreement, from 0 to 1 by default."""

# fmt: off
agreement_index("label_accuracy", r"\frac{1}{n} \sum_i n_{ii}", weigh_accuracy,
    "Share of the objects with the same label on both sides.",
    symmetric=True,
    source="Cohen (1960), doi:10.1177/001316446002000104, as the observed agreement",
    known_as="Accuracy in classification, percent agreement of raters; its adjusted score is Cohen's kappa.")
agreement_index("balanced_accuracy", r"\frac{1}{K} \sum_{i:\, n_i > 0} \frac{n_{ii}}{n_i}, \quad K \text{ the"
    r" number of labels of the reference}", weigh_recalls,
    "Mean share of the objects of a label of the reference that have the same label in the candidate.",
    source="Brodersen, Ong, Stephan & Buhmann (2010), doi:10.1109/ICPR.2010.764",
    known_as="Macro-averaged recall. If the candidate has no other labels than the reference, its adjusted"
    " score is scikit-learn's with adjusted=True, and for two labels it is informedness, Youden's J.",
    notes="A label that only the candidate has does not count, as in scikit-learn, which warns.")
agreement_index("macro_f1", r"\frac{1}{L} \sum_i \frac{2 n_{ii}}{n_i + m_i}, \quad L \text{ the number of"
    r" labels that at least one side has}", weigh_f1,
    "Mean of the F1 of the labels.",
    symmetric=True,
    source="Opitz & Burst (2019), arXiv:1911.03347, the mean of F1 values",
    notes="A label that only one side has counts with F1 = 0, as in scikit-learn. A label that neither side"
    " has does not count; scikit-learn counts it if it is in its argument `labels`, with `zero_division`.")
agreement_index("label_matthews", r"\frac{n \sum_i n_{ii} - \sum_i n_i m_i}{\sqrt{(n^2 - \sum_i n_i^2) (n^2"
    r" - \sum_i m_i^2)}}", weigh_matthews,
    "Correlation of the labels, as 0/1 variables of each label; for two labels Matthews' coefficient.",
    symmetric=True, range=(-1.0, 1.0),
    source="Gorodkin (2004), doi:10.1016/j.compbiolchem.2004.09.006",
    known_as="R_K; matthews_corrcoef in scikit-learn.",
    notes="nan if one side has a single label; scikit-learn gives 0 there. Its expected value is 0.")
