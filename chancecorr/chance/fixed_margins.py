"""The permutation model of two partitions: fixed margins, and objects that are matched at random.

The model is due to Hubert & Arabie (1985), doi:10.1007/BF01908075. The cost of an answer depends on what the
index needs: see `chance.engines`. `chance.within_strata` and `chance.random_partitions` change the moments
that are known, and the way tables are drawn. Simulated tables are counted in tallies, which give the values
of all indices.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from chancecorr.chance.engines import ENGINES, PAIRS, Law
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import Side
from chancecorr.chance.options import AUTO, MEAN_ONLY, NamedModel
from chancecorr.chance.table_model import SampledTables
from chancecorr.exact.closed_laws import LOST_MASS
from chancecorr.exact.enumeration import forecast_pair_sum_law
from chancecorr.exact.means_without_object import Sides
from chancecorr.exact.summary import ROUNDING_OF_SUMS, Known
from chancecorr.exact.tail_bounds import (
    bound_log_tail,
    bound_log_tail_by_exchanges,
    bound_log_tail_of_information,
    bound_log_tail_of_share,
)
from chancecorr.indices.evaluation import link_totals, sum_listed_cells
from chancecorr.indices.information import information_of_cell
from chancecorr.indices.registry import Index, find_twice_best_pair_sum
from chancecorr.machine.arrays import Floats
from chancecorr.machine.budget import TooCostlyError
from chancecorr.sampling.permutation import Sampler, plan_sampler
from chancecorr.sampling.precision import ControlledMean, PowerControls, compute_controlled_mean
from chancecorr.sampling.task import Joint
from chancecorr.tables.contingency import ContingencyTable


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FixedMargins(SampledTables):
    """The permutation model: objects are matched at random, and both sides keep their cluster sizes."""

    methods_with_values: ClassVar[str] = "'auto', 'exact' or 'monte-carlo'"

    @property
    def kept_table(self) -> ContingencyTable | None:
        return self.table

    @property
    def place(self) -> str:
        return " on these margins"

    def find_moments(self, index: Index) -> Known | None:
        compute = ENGINES[index.needs].moments
        return compute and compute(index, self.margins, self.options.limits)

    def moments_beside_draws(self, index: Index) -> Known | None:
        return self.known_moments(index)

    def mean(self, index: Index) -> float | None:
        compute, method = ENGINES[index.needs].moments, self.options.method
        if compute is None or method.needs_moments or method.needs_law or method.only_tables:
            return None
        quick = replace(self.options, method=MEAN_ONLY).limits
        known = self.compute_once("mean", index, lambda: compute(index, self.margins, quick))
        return None if known is None else known.moments.mean

    def law(self, index: Index) -> Law | None:
        """Return all values with their probabilities, and T if the index is strictly monotone in T."""
        rises, method = self.direction(index), self.options.method
        engine = ENGINES[index.needs]
        try:
            law = self.compute_once(
                "law", index, lambda: engine.law(index, self.margins, self.options.limits)
            )
        except TooCostlyError as error:
            if self.table is None:
                raise  # the message of `null_distribution` names `margins`
            text = f"must not be {method.name!r} without a larger `budget`: {error}"
            raise TooCostlyError("method", text, "budget") from error
        return law if law is None or rises else law._replace(pair_sums=None)

    def forecast_lost_mass(self, index: Index) -> float:
        most_seconds = self.options.limits.law_seconds
        if index.needs != "pairs" or not most_seconds:
            return 0.0
        plan = forecast_pair_sum_law(self.margins)
        return LOST_MASS if plan.method == "enumeration" and plan.seconds <= most_seconds else 0.0

    def find_sampler(self) -> Sampler:
        """Return the sampler of tables with these margins; it is made once."""
        return self.compute_once("sampler", None, lambda: plan_sampler(self.margins))

    def find_controls(self, index: Index) -> PowerControls | None:
        """Return the control variates of a simulated mean, or None."""
        options = self.options
        wanted = not options.method.only_tables if options.controls is None else options.controls
        if not wanted or self.knows_mean(index):
            return None
        engine = ENGINES[index.needs]
        return self.compute_once("controls", index, lambda: engine.controls(index, self.margins))

    def controlled_mean(self, index: Index, values: Joint) -> ControlledMean | None:
        """Return the mean of simulated values by control variates; None if the plain mean is used."""
        control = self.find_controls(index)
        if control is None and (self.options.precision is None or self.knows_mean(index)):
            return None
        columns = control.columns(values.covariate) if control and values.covariate is not None else []
        is_determined = index.needs in ("pairs", "cells")  # by the number whose powers are the controls
        return compute_controlled_mean(values.values, values.counts, columns, determined=is_determined)

    def std(self, index: Index) -> float | None:
        if index.needs != "pairs" or self.find_controls(index) is not None:
            return None
        known = PAIRS.moments(index, self.margins, AUTO)
        return known.moments.std if known is not None and math.isfinite(known.moments.std) else None

    def find_exact_score(self, index: Index) -> float | None:
        """Return ``(T - E T) / (T' - E T)``, rounded once, for an index affine in T; None for others.

        T' is the value of T where the index is best; 2 T' must be an integer. The ratio is the adjusted score
        under fixed margins. It keeps digits that the index itself loses if its expected value is near its
        best value: ``E T - n = (A - n) (B - n) / (n (n - 1))``, Hubert & Arabie (1985).
        """
        twice = None if self.table is None else find_twice_best_pair_sum(index)
        if self.table is None or twice is None:
            return None
        return compute_exact_score(twice, self.table.sum_of_squares, *self.margins.squares, self.margins.n)

    def side_of_pair_sum(self, index: Index, side: Side) -> Side | None:
        direction = self.direction(index)
        if direction == 0:
            return None
        return "greater" if (side == "greater") == (direction > 0) else "less"

    def bound_tail(self, index: Index, side: Side, null: NullDistribution | None = None) -> float | None:
        """Return the log of a bound of the p-value; it is computed once without a simulated mean."""
        key = "bound", index.name, side
        if null is not None and null.simulated is not None:
            return self._compute_bound(index, side, null)
        if key not in self._of_table:
            self._of_table[key] = self._compute_bound(index, side, None)
        bound: float | None = self._of_table[key]
        return bound

    def _compute_bound(self, index: Index, side: Side, null: NullDistribution | None) -> float | None:
        """Compute a bound from moments of T if the index is monotone in T, else from exchanges."""
        assert self.table is not None
        side_of_pair_sum, table, margins = self.side_of_pair_sum(index, side), self.table, self.margins
        if side_of_pair_sum is not None:
            return bound_log_tail(margins, table.sum_of_squares, side_of_pair_sum)
        change = ENGINES[index.needs].bound_change(index, margins)
        if change is None:
            return None
        known = self.moments(index) if self.knows_mean(index) else None
        if known is not None:
            mean, slack, n_tables = known.moments.mean, known.error, 0
        elif null is not None and null.simulated is not None:
            mean, slack, n_tables = null.simulated.mean, 0.0, null.n_tables
        else:
            return None
        observed, rises = self.observed(index), side == "greater"
        distance = (observed - mean if rises else mean - observed) - slack
        log_p = bound_log_tail_by_exchanges(distance, table.n, change, n_tables)
        for shares in index.shares if rises else ():
            log_p = min(log_p, bound_log_tail_of_share(margins, observed - ROUNDING_OF_SUMS, shares))
        if index.function is information_of_cell and distance > 0.0:  # it is linear in the information
            information = sum_listed_cells(index, *table.nonzero_cells, margins)
            slope = float(np.diff(link_totals(index, np.array([0.0, 1.0]), margins))[0])
            if (slope > 0.0) == rises:
                log_p = min(log_p, bound_log_tail_of_information(margins, information - ROUNDING_OF_SUMS))
        return log_p

    def approaches_independence(self, index: Index) -> bool:
        return index.needs != "pairs"

    def mean_changes(self, index: Index, sides: Sides) -> Floats | None:
        """Return the change of the mean when an object is removed, by cluster sizes; None if unknown."""
        compute = ENGINES[index.needs].mean_changes
        return compute and compute(index, self.margins, sides)


PERMUTATION = NamedModel(
    "permutation",
    "both clusterings keep their cluster sizes and the objects are matched at random",
    FixedMargins,
)


def compute_exact_score(twice: Callable[[int, int], int], T: int, A: int, B: int, n: int) -> float | None:
    """Return the score of an index affine in T and best at 2 T' = twice(A, B), rounded once; None for 0/0."""
    pairs, by_chance = n * (n - 1), 2 * (A - n) * (B - n)
    room = (twice(A, B) - 2 * n) * pairs - by_chance
    return (2 * (T - n) * pairs - by_chance) / room if room else None
