"""Models with random partitions: with a fixed number of clusters, any number, or multinomial.

Gates & Ahn (2017), arXiv:1701.06508; Sundqvist, Chiquet & Rigaill (2023), doi:10.1007/s00180-022-01230-7.
`sampling.sides` says what is random on each side. Means are exact for linear functions of the pair counts
and for plain sums over cells; everything else is sampled. Let p and q be the probabilities that two objects
are together on each side. Then ``N p q`` of the N pairs of objects are together in both clusterings on
average. The cell of a row of size s and a column of size r is hypergeometric (Vinh, Epps & Bailey 2010).
"""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from chancecorr.chance.engines import check_size, get_engine
from chancecorr.chance.fixed_margins import SampledTables
from chancecorr.chance.null_model import Sampling
from chancecorr.chance.options import NamedModel
from chancecorr.exact.additive import compute_means_in_cells
from chancecorr.exact.index_of_pair_sum import evaluate_linear, find_infinite_mean
from chancecorr.exact.means_without_object import Sides, remove_object
from chancecorr.exact.summary import UNKNOWN, Known
from chancecorr.indices.evaluation import link_totals
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import TooCostlyError
from chancecorr.sampling.permutation import Sampler, plan_sampler
from chancecorr.sampling.sides import (
    ANY,
    FIXED,
    FIXED_K,
    MOST_OBJECTS,
    SHARES,
    RandomSide,
    RandomSides,
    forecast_laid_out,
    forecast_shape,
    forecast_table,
)
from chancecorr.tables.contingency import Margins

NANOSECONDS_OF_A_SHAPE, NANOSECONDS_OF_A_LINK = 15_000.0, 30_000.0
"""Time of an index on a table whose shape few tables share, and of its link for the sizes of one table."""

MOST_PAIRS_OF_SIZES = 10_000_000  # most pairs of row and column sizes in an exact mean of a cell


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RandomPartitions(SampledTables):
    """A model whose draws have random cluster sizes; the data give the number or shares of clusters."""

    rows: RandomSide
    columns: RandomSide

    @property
    def sides(self) -> RandomSides:
        return RandomSides(self.rows, self.columns)

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if an index compares labels by name, because drawn clusters have no names."""
        for index in indices:
            if index.named:
                raise ArgumentValueError(
                    "model",
                    f"must be 'permutation', 'uniform', 'pooled' or Draws for index {index.name!r}, which"
                    f" compares labels by name: clusters under {self.name!r} have no names.",
                )
        super().check(indices)

    def find_moments(self, index: Index) -> Known | None:
        try:
            mean = compute_mean(index, self.margins, self.sides)
        except TooCostlyError:
            if self.options.method.needs_moments:
                raise
            return None
        return None if mean is None else Known(dataclasses.replace(UNKNOWN, mean=mean), 0.0)

    def find_sampler(self) -> Sampler:
        """Return the sampler of tables with the margins of the data."""
        return self.compute_once("sampler", None, lambda: plan_sampler(self.margins))

    def forecast(self, indices: Sequence[Index]) -> float:
        """Return the forecast seconds of one table, with the indices that need more than T."""
        evaluated = [index for index in indices if not get_engine(index).goes_by_pair_sum]
        shape = forecast_shape(self.margins, self.sides)
        of_indices = sum(get_engine(index).nanoseconds(index, shape, self.n) for index in evaluated)
        varies = self.rows.varies_in_number or self.columns.varies_in_number
        of_shapes = len(evaluated) * NANOSECONDS_OF_A_SHAPE if varies else 0.0
        of_shapes += NANOSECONDS_OF_A_LINK * sum(index.link is not None for index in evaluated)
        drawn = forecast_table(self.margins, self.sides) + of_shapes + of_indices
        return 1e-9 * (drawn + (forecast_laid_out(shape, self.n) if evaluated else 0.0))

    def open_draws(self, indices: Sequence[Index]) -> Sampling:
        """Open a simulation; raise if an index needs dense tables and these may be too large."""
        for index in indices:
            if index.needs_whole_table:
                check_size(index, forecast_shape(self.margins, self.sides))
        return super().open_draws(indices)

    def mean_changes(self, index: Index, sides: Sides) -> Floats:
        margins = (self.margins, *(remove_object(self.margins, *pair) for pair in sides))
        means = [compute_mean(index, smaller, self.sides) for smaller in margins]
        if None in means:
            raise ArgumentValueError(
                "model",
                f"must be 'permutation' for an interval of index {index.name!r}: the mean of the index is not"
                f" known under other models; got {self.name!r}.",
            )
        return np.array(means[1:], dtype=np.float64) - np.float64(means[0])


def compute_mean(index: Index, margins: Margins, sides: RandomSides) -> float | None:
    """Return the exact mean of an index under the model; None if it is not known."""
    if index.needs == "cells":
        return compute_sum_mean(index, margins, sides)
    if index.needs != "pairs" or index.with_totals:
        return None
    mean = compute_linear_mean(index, margins, sides)
    return find_undefined_mean(index, margins, sides) if mean is None else mean


def compute_linear_mean(index: Index, margins: Margins, sides: RandomSides) -> float | None:
    """Return the mean of an index linear in the pair counts; None for others, or below 2 objects."""
    n = margins.n
    if n < 2:
        return None
    N = n * (n - 1) // 2
    if evaluate_linear(index, np.empty((0, 4)), N) is None:
        return None
    p, q = (side.compute_chance_together(totals, n) for side, totals in _pair_sides(margins, sides))
    expected = [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]
    value = evaluate_linear(index, np.array([[float(N * share) for share in expected]]), N)
    return None if value is None else float(value[0])


def find_undefined_mean(index: Index, margins: Margins, sides: RandomSides) -> float | None:
    """Return nan if an index is infinite on the most or the least even sizes of a model, else None."""
    n = margins.n
    if not 2 <= n <= MOST_OBJECTS:
        return None
    for rows in sides.rows.list_extreme_sizes(margins.row_totals, n):
        for columns in sides.columns.list_extreme_sizes(margins.column_totals, n):
            mean = find_infinite_mean(index, Margins(rows, columns))
            if mean is not None and math.isinf(mean):
                return math.nan
    return None


def compute_sum_mean(index: Index, margins: Margins, sides: RandomSides) -> float | None:
    """Return the mean of a sum over cells whose `link` is a line that depends only on n; else None."""
    n = margins.n
    line = _find_line_of_link(index, n)
    if line is None:
        return None
    laws = (side.compute_law_of_cluster(totals, n) for side, totals in _pair_sides(margins, sides))
    (row_sizes, p), (column_sizes, q) = laws
    if row_sizes.size * column_sizes.size > MOST_PAIRS_OF_SIZES:
        raise TooCostlyError(
            "margins", f"must have fewer sizes under the model {name_sides(sides)!r}. Sample instead."
        )
    means = compute_means_in_cells(index, row_sizes, column_sizes, n)
    return line[0] + line[1] * float((n * p / row_sizes) @ means @ (n * q / column_sizes))


def _find_line_of_link(index: Index, n: int) -> tuple[float, float] | None:
    """Return intercept and slope of a link that is the same line at several cluster sizes, else None."""
    if n < 2:
        return None
    sizes = ([n], [n - 1, 1], [(n + 1) // 2, n // 2], [1] * min(n, 7) + [n - 7] * (n > 7))
    totals = np.array([0.0, 0.31, 1.0])
    lines = np.array(
        [link_totals(index, totals, Margins(rows, columns)) for rows in sizes for columns in sizes]
    )
    first, _, last = lines[0].tolist()
    wanted = first + totals * (last - first)
    if not (np.abs(lines - wanted) <= 1e-12 * np.abs(wanted).max()).all():
        return None
    return first, last - first


def _pair_sides(
    margins: Margins, sides: RandomSides
) -> tuple[tuple[RandomSide, Integers], tuple[RandomSide, Integers]]:
    """Return both sides with their totals; raise if there are too many objects for exact recursions."""
    paired = (sides.rows, margins.row_totals), (sides.columns, margins.column_totals)
    for side, totals in paired:
        most = side.find_most_objects(totals)
        if most is not None and margins.n > most:
            raise TooCostlyError(
                "margins",
                f"must hold at most {most} objects for exact expectations under the model"
                f" {name_sides(sides)!r}; got {margins.n}. Sample instead.",
            )
    return paired


def name_sides(sides: RandomSides) -> str:
    """Return the user's name of the model with these sides."""
    rows, columns = sides
    if rows.varies and rows.name != columns.name:
        return f"{rows.name} and {columns.name}"
    return columns.name if rows.varies else f"one-sided-{columns.name}"


EITHER, HELD = "both clusterings are", "the reference stays as it is and the candidate is"
OF_SO_MANY = "uniform over the partitions of the objects with the observed number of clusters"
OF_ALL = "uniform over all partitions of the objects"
BY_SHARES = "independently, with each cluster's share as probability"


def name_model(sides: RandomSides, about: str) -> NamedModel:
    """Return the model of these sides by its name."""
    make = partial(RandomPartitions, **sides._asdict())
    return NamedModel(name_sides(sides), about, make, sides.rows.name == sides.columns.name)


MODELS_OF_PARTITIONS = (
    name_model(RandomSides(FIXED_K, FIXED_K), f"{EITHER} {OF_SO_MANY}"),
    name_model(RandomSides(ANY, ANY), f"{EITHER} {OF_ALL}"),
    name_model(RandomSides(FIXED, FIXED_K), f"{HELD} {OF_SO_MANY}"),
    name_model(RandomSides(FIXED, ANY), f"{HELD} {OF_ALL}"),
    name_model(RandomSides(SHARES, SHARES), f"each object is in a cluster of either clustering {BY_SHARES}"),
    name_model(
        RandomSides(FIXED, SHARES),
        f"the reference stays as it is and each object is in a cluster of the candidate {BY_SHARES}",
    ),
)
"""One-sided: the reference stays as it is and only the candidate is random."""
