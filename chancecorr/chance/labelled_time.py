"""Two labellings of a time line: moments take the place of objects, and needless boundaries change nothing.

The weights of this model are durations from `chancecorr.clusterings.segments`. Values and expected values are
the limits for more and more samples of the time line, whose labels are matched at random.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NoReturn

import numpy as np

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.weighted_objects import WeightedLabels
from chancecorr.exact.summary import UNKNOWN, Known
from chancecorr.indices.evaluation import evaluate_weighted
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats
from chancecorr.machine.notes import Note

NOTE_ON_TIME = Note(
    "no p-value",
    "no p-value: neighbouring moments of a time line are alike; for a p-value, sample both sides and pass"
    " model=chancecorr.chance.shifts(n)",
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LabelledTime(WeightedLabels):
    """Intervals with their clusters on both sides and their durations."""

    has_moments_alone: ClassVar[bool] = True

    @functools.cached_property
    def sums(self) -> tuple[float, float]:
        """Sum of the durations, and 0 for the sum of squares, because a moment has no duration."""
        return math.fsum(self.objects.weights), 0.0

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if an index does not take weights, or if a distribution is requested."""
        super().check(indices)
        method = self.options.method
        if method.needs_law or method.only_tables:
            raise ArgumentValueError(
                "method", f"must be 'auto' or 'analytic' for durations of segments; got {method.name!r}."
            )

    def _evaluate(self, index: Index, tables: Floats) -> Floats:
        """Return the values on tables of durations."""
        return evaluate_weighted(index, tables, *self.sums, is_trivial=self.shape == (1, 1))

    def find_moments(self, index: Index) -> Known:
        """Return the mean: the value on the table of two independent labellings."""
        if 1 in self.shape:  # with one label, permutations change nothing
            return Known(replace(UNKNOWN, mean=self.observed(index), variance=0.0), 0.0)
        rows, columns = (np.bincount(side, self.objects.weights) for side in self.objects[:2])
        table = np.outer(rows, columns) / self.sums[0]
        return Known(replace(UNKNOWN, mean=float(self._evaluate(index, table[np.newaxis])[0])), 0.0)

    def score_parts(self, index: Index, null: NullDistribution, groups: Any) -> NoReturn:
        raise ArgumentValueError("score", "must not be of durations of segments: no interval is available.")

    def forecast_parts(self, index: Index, *, is_simulated: bool) -> float:
        return math.inf
