"""Indices of labels with the same names on both sides: raters, judges, classifiers.

An index of agreement is the mean over the objects of a weight of their two labels. Rows and columns of its
table are the same labels in one order, with totals ``n_i`` and ``m_i``. The function of an index takes row
numbers and column numbers of cells and the totals, and returns the weights of these cells. The adjusted score
of accuracy is Cohen's kappa.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.indices.calling import name_failures
from chancecorr.indices.entry import add_index, check_positive, make_member, register_family
from chancecorr.indices.index import OF_AGREEMENT, Index
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, name_kind
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import ManyMargins, Margins


def weigh_cells(index: Index, rows: Integers, columns: Integers, margins: Margins | ManyMargins) -> Floats:
    """Return the weights of cells under an ``"agreement"`` index; nan where they are 0/0."""
    totals = margins.row_totals, margins.column_totals
    with name_failures(index, f"cells of a table of shape ({totals[0].size}, {totals[1].size})"):
        weights = np.asarray(index.function(rows, columns, *totals), dtype=np.float64)
        return np.broadcast_to(weights, np.broadcast_shapes(rows.shape, columns.shape))


def find_fixed_weights(index: Index, n_labels: int) -> Floats | None:
    """Return the weights of all cells, shape (K, K), if they are the same for all totals; else None.

    The weights are compared for three pairs of totals. They are None if one of them is nan, or if the index
    is not a mean of weights.
    """
    if index.needs != "agreement":
        return None
    labels, sizes, ones = np.arange(n_labels), np.arange(2, n_labels + 2), np.ones(n_labels, dtype=np.int64)
    first, *others = (
        weigh_cells(index, labels[:, np.newaxis], labels[np.newaxis], Margins(rows, columns))
        for rows, columns in ((sizes, sizes), (sizes, sizes[::-1]), (ones, ones))
    )
    return first if all(np.array_equal(first, weights) for weights in others) else None


def weigh_matches(index: Index, margins: Margins) -> tuple[float, float] | None:
    """Return the weights of equal and of unequal labels with these totals; None if there are more weights."""
    rows, columns = np.flatnonzero(margins.row_totals), np.flatnonzero(margins.column_totals)
    if not (rows.size and columns.size):
        return None
    weights = weigh_cells(index, rows[:, np.newaxis], columns[np.newaxis], margins)
    are_equal = rows[:, np.newaxis] == columns
    found = [np.unique(weights[cells]) for cells in (are_equal, ~are_equal)]
    if any(of_cells.size > 1 or np.isnan(of_cells).any() for of_cells in found):
        return None
    (equal, unequal) = (float(of_cells[0]) if of_cells.size else 0.0 for of_cells in found)
    return equal, unequal


def evaluate_agreement(index: Index, tables: Integers | Floats, margins: Margins | ManyMargins) -> Floats:
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


def weigh_positions(power: float, rows: Integers, columns: Integers, n: Integers, m: Integers) -> Floats:
    """Return 1 for equal labels, down to 0 for labels at the two ends of the scale."""
    distances = np.abs(rows - columns) / max(n.size - 1, 1)
    return np.asarray(1.0 - distances**power, dtype=np.float64)


def weigh_labels(weights: Any, *, name: str = "own_weights") -> Index:
    """Make an index of agreement from a weight for every two labels; its adjusted score is a weighted kappa.

    Parameters
    ----------
    weights : callable or DataFrame
        Function of a label of the reference and a label of the candidate, or a DataFrame with the labels of
        the reference as its index and the labels of the candidate as its columns. The weight is 1 for equal
        labels, and at most 1 for other labels. For costs, which are 0 for equal labels, pass
        ``1 - cost / largest_cost``; the adjusted score does not depend on the largest cost.
    name : str, default "own_weights"
        Name of the index in results.

    Returns
    -------
    Index
        An index for `adjust`, `compare`, `pairwise` and all other functions that know the labels.

    Raises
    ------
    TypeError
        If `weights` has another type.
    ValueError
        In a call with the index: if two labels have no weight, or a weight that is not allowed.

    Examples
    --------
    Light and deep sleep are half a mistake, and every other mistake is a whole one.

    >>> import chancecorr
    >>> asleep = {"light", "deep"}
    >>> index = weigh_labels(lambda a, b: 1.0 if a == b else 0.5 if {a, b} == asleep else 0.0)
    >>> first, second = ["awake", "light", "deep", "deep"], ["awake", "deep", "deep", "awake"]
    >>> chancecorr.score(first, second, index)
    0.625
    """
    look_up = weights.at if hasattr(weights, "at") else None
    if look_up is None and not callable(weights):
        raise ArgumentTypeError(
            "weights", f"must be a function of two labels or a DataFrame; got {name_kind(weights)}."
        )

    def weigh(a: Any, b: Any) -> Any:
        return weights(a, b) if look_up is None else look_up[a, b]

    return Index(
        name=name, function=weigh, needs="agreement", of_labels=functools.partial(tabulate_weights, weigh),
        about="Mean weight of the two labels of an object.",
        formula=r"\frac{1}{n} \sum_{ij} w_{ij} n_{ij}, \quad w_{ij} \text{ the weight of two labels}",
    )  # fmt: skip


def tabulate_weights(weigh: Callable[[Any, Any], Any], labels: list[Any]) -> Callable[..., Floats]:
    """Return the function of an index whose weights are a function of two labels."""
    table = np.empty((len(labels), len(labels)))
    for i, a in enumerate(labels):
        for j, b in enumerate(labels):
            try:
                table[i, j] = weigh(a, b)
            except (KeyError, TypeError, ValueError) as error:
                rule = f"must have a number as weight of every two labels; got none for {a!r} and {b!r}"
                raise ArgumentValueError("index", f"{rule} ({type(error).__name__}: {error}).") from error
            if not (table[i, j] == 1.0 if i == j else table[i, j] <= 1.0 and math.isfinite(table[i, j])):
                raise ArgumentValueError(
                    "index",
                    "must have weight 1 for equal labels, and finite weights up to 1 for other labels; got"
                    f" {table[i, j]:g} for {a!r} and {b!r}. For costs, pass 1 - cost / largest_cost.",
                )
    return functools.partial(look_up_weights, table)


def look_up_weights(weights: Floats, rows: Integers, columns: Integers, n: Integers, m: Integers) -> Floats:
    """Return the weights of cells from their table."""
    return np.asarray(weights[rows, columns])


agreement_index = functools.partial(add_index, needs="agreement", family=OF_AGREEMENT)
"""Register an index of agreement, from 0 to 1 by default."""

# fmt: off
agreement_index("label_accuracy", r"\frac{1}{n} \sum_i n_{ii}", weigh_accuracy,
    "Share of the objects with the same label on both sides.",
    symmetric=True, aliases=("percent_agreement",),
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
# fmt: on


@register_family(1.0)
def weighted_agreement(power: float) -> Index:
    """Mean agreement of ordered labels, which falls with the distance of their positions on the scale."""
    power = check_positive("power", power)
    return make_member(
        "weighted_agreement", {"p": power},
        r"\frac{1}{n} \sum_{ij} n_{ij} \left(1 - \left(\frac{|i - j|}{K - 1}\right)^p\right), \quad K \text{"
        r" the number of labels of the scale}",
        function=functools.partial(weigh_positions, power), needs="agreement", family=OF_AGREEMENT,
        ordered=True, symmetric=True,
        source="Cohen (1968), doi:10.1037/h0026256; power 1: Cicchetti & Allison (1971),"
        " doi:10.1080/00029238.1971.11080840; power 2: Fleiss & Cohen (1973), doi:10.1177/001316447303300309",
        known_as="Its adjusted score is weighted kappa; power 1, the default, has linear weights, and power 2"
        " has quadratic weights.",
        notes="The weights depend on the positions of the labels, as in scikit-learn and irrCAC: numbers 1,"
        " 2, 4 have the positions 0, 1, 2. For weights by value, see `weigh_labels`. Categories of an ordered"
        " categorical have positions, also if they have no objects.",
    )  # fmt: skip
