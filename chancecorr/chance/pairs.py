"""Indices that need pairs: ``f(a, b, c, d)``, a function of ``T = sum n_ij**2`` where margins are fixed."""

import functools
from dataclasses import replace

import numpy as np

from chancecorr.budget import TooCostlyError
from chancecorr.chance.engine import Engine, Known, Law, totals_of_cells
from chancecorr.chance.methods import AUTO, Method
from chancecorr.exact.closed_laws import LEAST_LOST_MASS, LOST_MASS, PairSumLaw, sparse_law
from chancecorr.exact.enumeration import forecast_pair_sum_law, shared_pair_sum_law
from chancecorr.exact.index_of_pair_sum import (
    affine_mean,
    affine_moments,
    direction_in_pair_sum,
    infinite_mean,
    not_listed,
    undefined_mean_under,
)
from chancecorr.exact.less_one import Sides, affine_changes, less_one, smooth_changes
from chancecorr.exact.other_models import affine_moments_in_strata, expected_linear, linear_with_itself
from chancecorr.exact.quadrature import NotSmoothError, smooth_moments
from chancecorr.exact.summary import UNKNOWN
from chancecorr.indices.evaluation import values_of_pair_sums, values_of_varying_sums
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.models import Model
from chancecorr.simulation.precision import PowerControls, pair_sum_controls
from chancecorr.simulation.task import PAIR_SUM, Joint, Reduction, Values
from chancecorr.tables.contingency import ContingencyTable, Margins
from chancecorr.tables.objects import Strata
from chancecorr.tables.pair_sum import pair_sum_moments

MEAN_ERROR, VARIANCE_ERROR = 1e-3, 5e-3
"""Errors that quadrature may have, of the mean in standard deviations, of the variance relative to it: less
than 17,000 tables leave (8e-3 and about 1e-2)."""


class Pairs(Engine):
    """Everything follows from T: sampled or enumerated once, it serves all indices of this kind."""

    name, goes_by_pair_sum, determined = "pairs", True, True

    def evaluations(self, index: Index) -> int:
        return 4_000_000

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        return 0.0

    def value(self, index: Index, table: ContingencyTable) -> float:
        return float(values_of_pair_sums(index, np.array([table.sum_of_squares]), table.margins)[0])

    def values(self, index: Index, tables: Integers, margins: Margins) -> Floats:
        return values_of_pair_sums(index, np.einsum("tij,tij->t", tables, tables), margins)

    def values_less_one(self, index: Index, table: ContingencyTable) -> Floats:
        rows, columns, counts = table.nonzero_cells
        A, B = table.margins.squares
        T = table.sum_of_squares - 2 * counts + 1
        if index.with_totals:
            smaller = (less_one(table.margins, *pair) for pair in totals_of_cells(table))
            return np.array(
                [values_of_pair_sums(index, T[k : k + 1], margins)[0] for k, margins in enumerate(smaller)]
            )
        sums = (A - 2 * table.row_totals[rows] + 1, B - 2 * table.column_totals[columns] + 1)
        return values_of_varying_sums(index, T, *sums, table.n - 1)

    def exactly(self, index: Index) -> str:
        moments = "in closed form" if index.affine else "by quadrature where smooth"
        return f"mean, variance, skewness and kurtosis {moments}; the distribution by enumeration"

    def direction(self, index: Index, margins: Margins) -> int:
        return direction_in_pair_sum(index, margins)

    def is_linear(self, index: Index, margins: Margins) -> bool:
        return index.affine

    def moments(self, index: Index, margins: Margins, method: Method) -> Known | None:
        if index.affine and method.mean_alone:
            return Known(replace(UNKNOWN, mean=affine_mean(index, margins)), 0.0)
        if index.affine:
            return Known(affine_moments(index, margins, pair_sum_moments(margins)), 0.0)
        if not method.quadrature:
            return None
        try:
            found = smooth_moments(index, margins)
        except NotSmoothError:
            infinite = infinite_mean(index, margins)
            if infinite is not None:
                return Known(replace(UNKNOWN, mean=infinite), 0.0)
            if method.needs_moments:
                raise
            return None
        good = (
            found.error <= MEAN_ERROR * found.moments.std
            and found.relative_error_of_variance <= VARIANCE_ERROR
        )
        # A standard deviation of 0 or nan: the index is constant or undefined, and nothing to be unsure of.
        if not good and found.moments.std > 0:
            return None
        return Known(found.moments, found.error, found.relative_error_of_variance)

    def moments_within(self, index: Index, margins: Margins, strata: Strata, method: Method) -> Known | None:
        if not index.affine:
            return None
        return Known(affine_moments_in_strata(index, margins, strata, method.cell_steps), 0.0)

    def mean_under(self, index: Index, margins: Margins, model: Model) -> float | None:
        if index.with_totals:
            return None
        mean = expected_linear(index, margins, model)
        return undefined_mean_under(index, margins, model) if mean is None else mean

    def mean_with_itself(self, index: Index, margins: Margins, model: Model) -> float | None:
        return None if index.with_totals else linear_with_itself(index, margins, model)

    def mean_changes(self, index: Index, margins: Margins, sides: Sides) -> Floats | None:
        if index.affine:
            return affine_changes(index, margins, sides)
        return smooth_changes(index, margins, sides) if self.moments(index, margins, AUTO) else None

    def law(self, index: Index, margins: Margins, method: Method) -> Law | None:
        law = _law_of_pair_sum(margins, method)
        if law is None:
            return None
        at, infinite, finite = not_listed(index, margins, law)
        T = np.append(law.values, at)
        values = np.append(values_of_pair_sums(index, law.values, margins), infinite)
        p = np.append(law.probabilities, np.full(at.size, LEAST_LOST_MASS))
        return Law(values, p, law.lost_mass, finite, T, "cumulants" if law.method == "cumulants" else "exact")

    def law_ends(self, margins: Margins, method: Method) -> float:
        if not method.law_seconds:
            return 0.0
        plan = forecast_pair_sum_law(margins)
        return LOST_MASS if plan.method == "enumeration" and plan.seconds <= method.law_seconds else 0.0

    def reduction(self, index: Index, key: str, *, with_controls: bool) -> Reduction:
        return Reduction(index=index, key=PAIR_SUM, finalize=functools.partial(values_of_pair_sums, index))

    def shares_tally(self, index: Index, other: Index) -> bool:
        return True

    def joint(self, index: Index, seen: Values, counts: Integers, margins: Margins, centre: int) -> Joint:
        sums = seen.astype(np.int64, copy=False)
        values, covariate = values_of_pair_sums(index, sums, margins), (sums - centre).astype(np.float64)
        return Joint(values, covariate, counts, pair_sums=sums)

    def controls(self, index: Index, margins: Margins) -> PowerControls | None:
        return pair_sum_controls(pair_sum_moments(margins), powers=4)


def _law_of_pair_sum(margins: Margins, method: Method) -> PairSumLaw | None:
    """Law of T by enumeration, else by cumulants if clusters are many and small, else None."""
    if method.needs_law:
        return shared_pair_sum_law(margins, method.law_seconds)
    if not method.law_seconds:
        return None
    if forecast_pair_sum_law(margins).seconds <= method.law_seconds:
        try:
            return shared_pair_sum_law(margins, method.law_seconds)
        except TooCostlyError:  # the forecast was too low
            pass
    found = sparse_law(margins)
    return None if found is None else found.law


PAIRS = Pairs()
