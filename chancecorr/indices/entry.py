"""Functions that register an index in the catalogue: `add_index`, `register_kernel`, families.

Helper functions made with `functools.partial` fill in the fields that related entries share; an entry may
override them. `exchange` bounds the change of the index when two objects exchange their clusters. `summary`
names the numbers in the formula of the index: a heaviest matching, two sums, maxima or best matches. From
the formula it makes two functions: a kernel for a table that is laid out, and a function of the non-empty
cells of a table that is too large for an array. A pair-counting index is a function of the ``N = n(n-1)/2``
pairs of objects: a are together in both clusterings, b in the reference only, c in the candidate only, d in
neither; ``P = a + b``, ``Q = a + c``, ``P' = c + d``, ``Q' = b + d``, ``D = a d - b c``.
"""

import dataclasses
import functools
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from chancecorr.indices.clusters import add_up, count_clusters, sum_row_maxima
from chancecorr.indices.matchings import find_assignment_value, find_listed_matching
from chancecorr.indices.registry import F, Index, register_index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel, run_in_background, shared_with_kernels

Make = TypeVar("Make", bound=Callable[..., Index])

FromCells = Callable[[Integers, Integers, Integers, Integers, Integers], float]
"""Type of `Index.from_cells`: ``f(rows, columns, counts, row_totals, column_totals)``."""

Summary = Callable[[Callable[..., float]], dict[str, Callable[..., float]]]
"""Type of `summary`: from a formula to the functions of a table and of its non-empty cells."""

MANY_CELLS = 50_000
"""Number of non-empty cells above which a matching of rows with columns may take seconds."""


def add_index(
    name: str,
    formula: str,
    function: Callable[..., Any],
    about: str,
    *,
    cell: Callable[..., float] | None = None,
    **fields: Any,
) -> None:
    """Register an index; if `cell` is given, the function is the `link` of the sum of `cell`."""
    fields = {
        "range": (0.0, 1.0),
        "link": function if cell else None,
    } | fields
    register_index(name, cell or function, formula=formula, about=about, **fields)


def register_kernel(formula: str, *, summary: Summary | None = None, **fields: Any) -> Callable[[F], F]:
    """Register the decorated kernel as an index, with its name and the first line of its docstring."""

    def decorate(function: F) -> F:
        evaluated: Callable[..., Any] = function
        if summary is not None:
            function = shared_with_kernels(function)
            fields.update(summary(function))
            evaluated = fields.pop("function")
            # Numba links machine code by this name, and stores it under this name
            evaluated.__name__ = evaluated.__qualname__ = function.__name__
        add_index(function.__name__, formula, evaluated, str(function.__doc__), **fields)
        return function

    return decorate


def register_family(*numbers: float, **about: Any) -> Callable[[Make], Make]:
    """Register a family by the function that makes its members; its plain name is the member at `numbers`."""

    def decorate(make: Make) -> Make:
        fields: dict[str, Any] = {
            "name": make.__name__,
            "about": str(make.__doc__).partition("\n")[0],
            "make": make,
        } | about
        register_index(dataclasses.replace(make(*numbers), **fields))
        return make

    return decorate


def make_member(name: str, numbers: Mapping[str, float], formula: str, **about: Any) -> Index:
    """Make a member of a family, with a name such as ``"f_beta(0.5)"`` and a range from 0 to 1 by default.

    `numbers` maps the LaTeX symbols of its parameters to their values, which are added to the formula.
    """
    shown = ", ".join(f"{number:.12g}" for number in numbers.values())
    values = (f"{symbol} = {number:.12g}".replace("inf", r"\infty") for symbol, number in numbers.items())
    formula = r", \quad ".join([formula, *values])
    return Index(name=f"{name}({shown})", formula=formula, **({"range": (0.0, 1.0)} | about))


def check_number(name: str, number: float, rule: str, good: bool) -> float:
    """Return a member's parameter as a float; raise if `good` is False."""
    if not good:
        raise ValueError(f"`{name}` must be {rule}; got {number!r}.")
    return float(number)


def check_positive(name: str, number: float) -> float:
    """Return a member's parameter if it is above 0 and finite; else raise."""
    return check_number(name, number, "above 0 and finite", 0.0 < number < math.inf)


Linear = tuple[tuple[int, int, int, int], tuple[int, int, int, int]]
"""Coefficients of a, b, c, d in the numerator and in the denominator of a ratio."""


def pair_index(
    name: str, formula: str, function: Callable[..., Floats] | Linear, about: str, **fields: Any
) -> None:
    """Register a similarity of pair counts: a function, or the coefficients of a ratio of linear forms."""
    fields = {"symmetric": True} | fields
    if isinstance(function, tuple):
        upper, lower = fields["linear"] = function
        # if T increases by 1, a and d increase by 1/2, and b and c decrease by 1/2
        fields["affine"] = lower[0] + lower[3] == lower[1] + lower[2]
        fields["symmetric"] = upper[1] == upper[2] and lower[1] == lower[2]

        def divide(*counts: Floats) -> Floats:
            return add_terms(upper, counts) / add_terms(lower, counts)

        function = divide
    add_index(name, formula, function, about, needs="pairs", family="pair_counting", **fields)


def add_terms(coefficients: Sequence[int], counts: Sequence[Floats]) -> Floats:
    """Return the sum of coefficients times counts."""
    return np.asarray(sum(map(operator.mul, coefficients, counts)))


affine_index = functools.partial(pair_index, affine=True)
"""Register an index of the L family, which is affine in T for fixed cluster sizes."""

coefficient = functools.partial(affine_index, range=(-1.0, 1.0))
"""Register a coefficient from -1 to 1 that is affine in T."""

count_index = functools.partial(affine_index, range=(0.0, math.inf), best=None)
"""Register a number of pairs, affine in T, whose best value depends on the cluster sizes."""

signed_index = functools.partial(pair_index, range=(-1.0, 1.0))  # register a similarity from -1 to 1

odds_index = functools.partial(pair_index, range=(0.0, math.inf), best=math.inf)
"""Register a ratio that is infinite for equal clusterings."""

distance = functools.partial(pair_index, best=0.0)  # register a pair-counting distance

pair_member = functools.partial(make_member, needs="pairs", family="pair_counting", symmetric=True)
"""Make a member of a family of pair-counting indices, symmetric by default."""

CHOI = "Choi, Cha & Tappert (2010), Journal of Systemics, Cybernetics and Informatics 8(1), 43-48"


def count_two_objects(row_totals: Integers, column_totals: Integers) -> float:
    """Bound the change of a sum of maxima or of a matching when two objects are exchanged: 2 objects."""
    return 2.0


def share_two_objects(row_totals: Integers, column_totals: Integers) -> float:
    """Bound the same change as a share of all objects."""
    return 2.0 / max(int(row_totals.sum()), 1)


def bound_information_change(row_totals: Integers, column_totals: Integers) -> float:
    """Bound the change of mutual information: ``x log x`` rises by up to ``m log m - (m - 1) log(m - 1)``."""
    n, m = int(row_totals.sum()), min(int(row_totals.max(initial=0)), int(column_totals.max(initial=0)))
    if m < 2:
        return 0.0
    return 2.0 * (m * math.log(m) - (m - 1) * math.log(m - 1)) / n


def use_maxima(*, of_rows: bool = True, of_columns: bool = True) -> Summary:
    """Make an index from ``formula(R, C, row_totals, column_totals)``, ``R = sum_i max_j n_ij``.

    ``C = sum_j max_i n_ij``. A sum that is not needed is 0.
    """

    def make(formula: Callable[..., float]) -> dict[str, Callable[..., float]]:
        def of_table(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
            R = float(sum_row_maxima(table)) if of_rows else 0.0
            C = float(sum_row_maxima(table.T)) if of_columns else 0.0
            return formula(R, C, row_totals, column_totals)

        def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
            most_of_rows, most_of_columns = (np.zeros(sizes.size, dtype=np.int64) for sizes in totals)
            np.maximum.at(most_of_rows, rows, counts)
            np.maximum.at(most_of_columns, columns, counts)
            return formula(float(most_of_rows.sum()), float(most_of_columns.sum()), *totals)

        return {"function": of_table, "from_cells": from_cells, "of_maxima": formula}

    return make


def use_assignment(weigh: Callable[..., Any]) -> Summary:
    """Make an index from ``formula(W, row_totals, column_totals)``, W the weight of the heaviest matching."""

    def make(formula: Callable[..., float]) -> dict[str, Callable[..., float]]:
        def of_table(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
            K, Q = table.shape[0], table.shape[1]
            short, long = (K, Q) if K <= Q else (Q, K)
            costs = np.zeros((short, long))
            for i in range(K):
                for j in range(Q):
                    # an empty cluster has no partner; with another empty cluster it might give 0/0
                    if table[i, j] > 0:
                        x, row, column = float(table[i, j]), float(row_totals[i]), float(column_totals[j])
                        weight = weigh(x, row, column)
                        if K <= Q:
                            costs[i, j] = -weight
                        else:
                            costs[j, i] = -weight
            return formula(find_assignment_value(costs), row_totals, column_totals)

        def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
            weights = weigh(counts, totals[0][rows], totals[1][columns])
            heaviest = find_heaviest_matching(rows, columns, weights, totals[0].size, totals[1].size)
            return float(formula(heaviest, *totals))

        return {"function": of_table, "from_cells": from_cells}

    return make


def find_heaviest_matching(
    rows: Integers, columns: Integers, weights: Any, n_rows: int, n_columns: int
) -> float:
    """Return the largest sum of cell weights such that no two cells share a row or a column."""
    if (np.diff(rows) < 0).any():  # cells of drawn tables come in the sampler's order
        order = rows.argsort(kind="stable")
        rows, columns, weights = rows[order], columns[order], weights[order]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_rows))]).astype(np.int64)
    listed = starts, rows, columns, weights.astype(np.float64), n_columns
    heaviest = functools.partial(find_listed_matching, *listed)
    cells = run_in_background(heaviest) if rows.size > MANY_CELLS else heaviest()
    return float(sum_in_order(listed[3][cells[cells >= 0]]))


def use_two_sums(weigh: Callable[..., Any]) -> Summary:
    """Make an index from ``formula(p, r, n)``, p the sum of ``weigh(n_ij, m_j, n_i)``, r with n_i first."""

    def make(formula: Callable[..., float]) -> dict[str, Callable[..., float]]:
        def of_table(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
            p = r = 0.0
            for i in range(table.shape[0]):
                for j in range(table.shape[1]):
                    if table[i, j] > 0:
                        x, row, column = float(table[i, j]), float(row_totals[i]), float(column_totals[j])
                        p += weigh(x, column, row)
                        r += weigh(x, row, column)
            return formula(p, r, add_up(row_totals))

        def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
            row, column = totals[0][rows].astype(np.float64), totals[1][columns].astype(np.float64)
            x = counts.astype(np.float64)
            p, r = (sum_in_order(weigh(x, *sizes)) for sizes in ((column, row), (row, column)))
            return formula(p, r, float(totals[0].sum()))

        return {"function": of_table, "from_cells": from_cells}

    return make


def use_best_matches(similarity: Callable[..., Any]) -> Summary:
    """Make an index from ``formula(of_rows, of_columns, *totals)``: each cluster's largest similarity."""

    def make(formula: Callable[..., float]) -> dict[str, Callable[..., float]]:
        def of_table(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
            of_rows, of_columns = np.zeros(row_totals.size), np.zeros(column_totals.size)
            for i in range(table.shape[0]):
                for j in range(table.shape[1]):
                    if table[i, j] > 0:
                        x, row, column = float(table[i, j]), float(row_totals[i]), float(column_totals[j])
                        similar = similarity(x, row, column)
                        of_rows[i] = max(of_rows[i], similar)
                        of_columns[j] = max(of_columns[j], similar)
            return formula(of_rows, of_columns, row_totals, column_totals)

        def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
            similar = similarity(counts, totals[0][rows], totals[1][columns])
            of_rows, of_columns = np.zeros(totals[0].size), np.zeros(totals[1].size)
            np.maximum.at(of_rows, rows, similar)
            np.maximum.at(of_columns, columns, similar)
            return formula(of_rows, of_columns, *totals)

        return {"function": of_table, "from_cells": from_cells}

    return make


@kernel
def sum_in_order(numbers: Floats) -> float:
    """Return the sum of the numbers, added in order."""
    total = 0.0
    for number in numbers:
        total += number
    return total


@kernel
def average_clusters(of_clusters: Floats, totals: Integers) -> float:
    """Return the mean over the non-empty clusters; nan without any."""
    count = count_clusters(totals)
    return sum_in_order(of_clusters) / count if count > 0 else math.nan
