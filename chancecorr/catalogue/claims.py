"""Check the claims of an entry: on random tables, and on all tables of small cluster sizes."""

import dataclasses
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chancecorr.chance.engines import get_engine
from chancecorr.chance.fixed_margins import find_best_value
from chancecorr.correction.adjust import null_distribution
from chancecorr.exact.enumeration import list_table_law
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index, get_index
from chancecorr.machine.arguments import ArgumentValueError, explain_call
from chancecorr.machine.arrays import Integers
from chancecorr.sampling.permutation import sample_tables
from chancecorr.sampling.seeding import make_generator
from chancecorr.tables.contingency import Margins, count_table
from chancecorr.tables.union import square_margins


@explain_call
def check_index(index: str | Index | Callable[..., Any]) -> list[str]:
    """Check what the entry of an index claims, on random tables and on all tables of small cluster sizes.

    Parameters
    ----------
    index : str, Index or callable
        A registered index, an entry that is not registered, or a function of two label vectors.

    Returns
    -------
    list of str
        One line for each claim that a table refutes, with the table. The claims are range, symmetry, value at
        perfect agreement and at 0/0, `constant`, `affine`, `corrected_as`, and mean and variance over all
        tables. An empty list is not a proof: other tables may refute a claim.

    Raises
    ------
    TypeError, ValueError
        If the index is unknown.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from chancecorr import get_index
    >>> check_index("jaccard")
    []
    >>> check_index(replace(get_index("jaccard"), range=(0.5, 1.0)))
    ['range=(0.5, 1.0), but [[2, 1], [0, 3]] gives 0.4444444444444444']
    """
    entry, refuted = get_index(index), list[str]()
    if entry.of_labels is not None:
        rule = "must not weigh labels of your own, because the tables of the checks do not have them"
        raise ArgumentValueError("index", f"{rule}; got {entry.name!r}.")
    for check in CHECKS:
        try:
            refuted += check(entry)
        except (ValueError, IndexEvaluationError) as error:  # errors of the package itself about the entry
            refuted.append(str(error))
    return refuted


MARGINS = (
    Margins([8, 9, 7], [10, 6, 8]),
    Margins([5, 5, 5], [5, 5, 5]),
    Margins([12, 4, 3, 1], [7, 13]),
    Margins([30, 1, 1], [16, 15, 1]),
)
ENUMERATED = (Margins([3, 2], [3, 2]), Margins([4, 3, 1], [4, 2, 2]), Margins([3, 3, 2], [5, 3]))
SIZES = ((4, 3, 5), (6, 2), (1, 3, 2, 2))
"""Cluster sizes of drawn tables, of enumerated tables, and of clusterings compared with themselves."""

ONE, SINGLE, TWO = (5,), (1,) * 5, (3, 2)
TRIVIAL = (
    ((1,), (1,)),
    *((x, y) for x in (ONE, SINGLE, TWO) for y in (ONE, SINGLE, TWO) if (x, y) != (TWO, TWO)),
)
"""Cluster sizes with a single table, or with the same T for all tables."""

TOLERANCE = 1e-9


def _check_each_table(entry: Index) -> Iterator[str]:
    """Check claims about each single table; yield the first table that refutes a claim."""
    (low, high), rng = entry.range, make_generator(1)
    refuted = dict[str, str]()
    for table in _list_tables():
        table = _lay_out(entry, table)
        K, Q = table.shape
        value, swapped, shown = _evaluate(entry, table), _evaluate(entry, table.T), table.tolist()
        slack = TOLERANCE * max(1.0, abs(value)) if math.isfinite(value) else 0.0
        if value < low - slack or value > high + slack:
            refuted.setdefault("range", f"range={entry.range}, but {shown} gives {value!r}")
        if not _are_same(value, swapped):
            text = f"symmetric=True, but {shown} gives {value!r}, and its transpose {swapped!r}"
            refuted.setdefault("symmetry", text)
        rows = rng.permutation(K)
        renumbered = table[rows][:, rows if entry.named else rng.permutation(Q)]
        padded = np.zeros((K + 1, Q + 1), dtype=np.int64)
        padded[(slice(1, None),) * 2 if entry.named else (slice(1, None), slice(-1))] = renumbered
        if entry.ordered:  # the numbers of the labels are their order
            continue
        for other, what in ((renumbered, "renumbered"), (padded, "with an empty cluster on each side")):
            if not _are_same(value, _evaluate(entry, other)):
                text = f"{shown} gives {value!r}, and {what} {_evaluate(entry, other)!r}"
                refuted.setdefault("numbering", text)
    if not entry.symmetric and refuted.pop("symmetry", None) is None:
        yield "symmetric=False, but no table and its transpose differ"
    yield from refuted.values()


def _check_perfect_agreement(entry: Index) -> Iterator[str]:
    """Check that clusterings compared with themselves have the best value, and that no table is better."""
    best = entry.best
    attained = []
    for sizes in SIZES:
        value = _evaluate(entry, np.diag(sizes))
        margins = Margins(sizes, sizes)
        others = get_engine(entry).values(entry, sample_tables(margins, 50, rng=2), margins)
        sign = 1.0 if entry.larger_is_better else -1.0
        beaten = [x for x in others.tolist() if sign * x > sign * value + TOLERANCE * max(1.0, abs(value))]
        if beaten and not (best is not None and math.isnan(best)):
            yield f"best={best}, but clusters of {sizes} with themselves give {value!r}, others {beaten[0]!r}"
            return
        attained.append(best is not None and _are_same(value, best))
    if best is not None and not math.isnan(best) and all(attained) != entry.attained:
        yield f"attained={entry.attained}, but of 3 clusterings with themselves {sum(attained)} give {best}"


def _check_zero_over_zero(entry: Index) -> Iterator[str]:
    """Check that the value at 0/0 is the value in the entry."""
    bare = dataclasses.replace(entry, undefined=math.nan, best=math.nan)
    for rows, columns in TRIVIAL:
        table = sample_tables(Margins(rows, columns), 1, rng=3)[0]
        if math.isnan(_evaluate(bare, table)):
            identical = rows == columns and (len(rows) == 1 or max(rows) == 1) and entry.best is not None
            identical = identical and not entry.named
            wanted = entry.best if identical else entry.undefined
            value = _evaluate(entry, table)
            if not _are_same(value, wanted or 0.0):
                yield f"0/0 on clusters of {rows} and {columns} gives {value!r}, not {wanted!r}"


def _check_shape(entry: Index) -> Iterator[str]:
    """Check that the index is constant, and affine in T, if and only if the entry says so."""
    straight, constant = True, True
    for margins in MARGINS:
        margins = _lay_out_margins(entry, margins)
        tables = sample_tables(margins, 60, rng=4)
        values = get_engine(entry).values(entry, tables, margins)
        if not np.isfinite(values).all():
            straight = constant = False
            continue
        size = TOLERANCE * max(np.abs(values).max(), 1e-300)
        constant &= bool(np.ptp(values) <= size)
        T = (tables**2).sum(axis=(1, 2)).astype(np.float64)
        low, high = int(T.argmin()), int(T.argmax())
        slope = (values[high] - values[low]) / (T[high] - T[low])
        straight &= bool(np.abs(values - values[low] - slope * (T - T[low])).max() <= size)
    if constant != entry.constant:
        does = "does not vary" if constant else "varies"
        yield f"constant={entry.constant}, but on fixed cluster sizes it {does}"
    if get_engine(entry).goes_by_pair_sum and straight != entry.affine:
        yield f"affine={entry.affine}, but in T = sum n_ij**2 it is {'' if straight else 'not '}on a line"


def _check_class(entry: Index) -> Iterator[str]:
    """Check that the adjusted score equals the adjusted score of the index named by `corrected_as`."""
    if not entry.corrected_as:
        return
    other = get_index(entry.corrected_as)
    if other.name != entry.corrected_as or other.corrected_as:
        stands = other.corrected_as or other.name
        yield f"corrected_as={entry.corrected_as!r}, but the index that stands for it is {stands!r}"
    for margins in MARGINS:
        tables = sample_tables(margins, 60, rng=5)
        x, y = (get_engine(index).values(index, tables, margins) for index in (other, entry))
        best_x, best_y = (find_best_value(index, margins, None) for index in (other, entry))
        if not np.isfinite([*x, *y, best_x, best_y]).all():
            continue
        # (y - y_0) / (best_y - y_0) = (x - x_0) / (best_x - x_0), for any expected values
        apart = np.abs((y - y[0]) * (best_x - x[0]) - (x - x[0]) * (best_y - y[0]))
        size = max(np.abs(y).max(), abs(best_y)) * max(np.abs(x).max(), abs(best_x))
        if apart.max() > TOLERANCE * size:
            table = tables[int(apart.argmax())].tolist()
            yield f"corrected_as={entry.corrected_as!r}, but {table} has another adjusted score"
            return


def _check_moments(entry: Index) -> Iterator[str]:
    """Check that mean and variance equal the mean and variance over all tables."""
    for margins in ENUMERATED:
        margins = _lay_out_margins(entry, margins)
        tables, probabilities = list_table_law(margins, limit=10_000)
        values = np.array([_evaluate(entry, table) for table in tables])
        if not np.isfinite(values).all():
            continue
        mean = math.fsum(probabilities * values)
        variance = math.fsum(probabilities * (values - mean) ** 2)
        linear = get_engine(entry).is_linear(entry, margins)
        for method in ("exact", "analytic") if linear else ("exact",):
            null = null_distribution(margins, entry, method=method)
            size = max(float(np.abs(values).max()), 1e-300)
            if abs(null.mean - mean) > TOLERANCE * size:
                yield f"mean by method={method!r} is {null.mean!r}, not {mean!r}, on {margins}"
            if abs(null.variance - variance) > TOLERANCE * size**2:
                yield f"variance by method={method!r} is {null.variance!r}, not {variance!r}, on {margins}"


def _list_tables() -> list[Integers]:
    """Return random tables, and tables near perfect agreement."""
    near = [np.diag(sizes) for sizes in SIZES]
    for table in near:
        table[0, :2] += (-1, 1)
    drawn = [table for margins in MARGINS for table in sample_tables(margins, 12, rng=0)]
    return [np.array([[2, 1], [0, 3]]), *drawn, *near]


def _evaluate(entry: Index, table: Any) -> float:
    """Return the value of the index on a table."""
    return get_engine(entry).value(entry, count_table(_lay_out(entry, table)))


def _lay_out(entry: Index, table: Integers) -> Integers:
    """Return the table; for an index that compares labels by name, with empty clusters to make it square."""
    most = max(table.shape)
    return np.pad(table, [(0, most - size) for size in table.shape]) if entry.named else table


def _lay_out_margins(entry: Index, margins: Margins) -> Margins:
    """Return the margins, with empty clusters as `_lay_out`."""
    return square_margins(margins) if entry.named else margins


def _are_same(x: float, y: float) -> bool:
    """Return True if two values are equal up to a relative `TOLERANCE`, or both nan."""
    return math.isclose(x, y, rel_tol=TOLERANCE, abs_tol=TOLERANCE) or (math.isnan(x) and math.isnan(y))


CHECKS = (
    _check_each_table, _check_perfect_agreement, _check_zero_over_zero, _check_shape, _check_class,
    _check_moments,
)  # fmt: skip
