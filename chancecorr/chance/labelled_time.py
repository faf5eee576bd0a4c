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
from chancecorr.sampling.own_draws import count_draws, describe_draws
from chancecorr.sampling.seeding import make_generator
from chancecorr.sampling.segment_draws import Reference, SegmentDraws, cross_segments, find_references

NOTE_ON_TIME = Note(
    "no p-value",
    "no p-value: neighbouring moments of a time line are alike; for a p-value, pass"
    " `model=chancecorr.chance.segments()`",
)

NANOSECONDS_OF_A_DRAW, NANOSECONDS_OF_A_SEGMENT = 50_000.0, 30.0  # of each recording, and of both sides


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LabelledTime(WeightedLabels):
    """Intervals with their clusters on both sides and their durations."""

    has_moments_alone: ClassVar[bool] = True

    @functools.cached_property
    def sums(self) -> tuple[float, float]:
        """Sum of the durations, and 0 for the sum of squares, because a moment has no duration."""
        return math.fsum(self.objects.weights), 0.0

    def check_options(self) -> None:
        """Raise if samples would be drawn, or if a distribution is requested."""
        method = self.options.method
        if self.options.draws is not None:
            got = f"got {self.name!r}. For other draws, sample both sides at equal steps"
            rule = "must be 'permutation' or chancecorr.chance.segments(...) for durations of segments"
            raise ArgumentValueError("model", f"{rule}; {got}.", "weights")
        super().check_options()
        if method.needs_law or method.only_tables:
            raise ArgumentValueError(
                "method", f"must be 'auto' or 'analytic' for durations of segments; got {method.name!r}."
            )

    def evaluate(self, index: Index, tables: Floats) -> Floats:
        """Return the values on tables of durations."""
        return evaluate_weighted(index, tables, *self.sums, is_trivial=self.shape == (1, 1))

    def find_moments(self, index: Index) -> Known | None:
        """Return the mean: the value on the table of two independent labellings."""
        if 1 in self.shape:  # with one label, permutations change nothing
            return Known(replace(UNKNOWN, mean=self.observed(index), variance=0.0), 0.0)
        rows, columns = (np.bincount(side, self.objects.weights) for side in self.objects[:2])
        table = np.outer(rows, columns) / self.sums[0]
        return Known(replace(UNKNOWN, mean=float(self.evaluate(index, table[np.newaxis])[0])), 0.0)

    def score_parts(self, index: Index, null: NullDistribution, groups: Any) -> NoReturn:
        raise ArgumentValueError("score", "must not be of durations of segments: no interval is available.")

    def forecast_parts(self, index: Index, *, is_simulated: bool) -> float:
        return math.inf


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DrawnTime(LabelledTime):
    """Two labellings of a time line; the segments of the candidate are put elsewhere."""

    has_moments_alone: ClassVar[bool] = False
    draw_word: ClassVar[str] = "draw"

    draws: SegmentDraws

    @property
    def about(self) -> str:
        return describe_draws(self.draws)

    def check_options(self) -> None:
        """Accept the draws; a method without draws is refused for want of moments."""

    def most_draws(self, indices: Sequence[Index]) -> int:
        return count_draws(self.draws, self.options.n_tables, self.options.n_tables_is_limit)

    def find_moments(self, index: Index) -> None:
        """Return None: nothing but the draws is known."""

    @functools.cached_property
    def references(self) -> list[Reference]:
        """The segments of the reference, for each recording."""
        return find_references(self.draws, self.objects.rows, self.objects.weights)

    def forecast(self, indices: Sequence[Index]) -> float:
        segments = sum(each.lengths.size for each in self.draws.recordings)
        segments += sum(starts.size for starts, _ in self.references)
        return super().forecast(indices) + 1e-9 * (
            NANOSECONDS_OF_A_DRAW * len(self.references) + NANOSECONDS_OF_A_SEGMENT * segments
        )

    def draw_values(self, indices: Sequence[Index], first: int, count: int) -> Floats:
        """Return the values on the tables of durations of draws."""
        tables = np.zeros((count, *self.shape))
        for number in range(count):
            rng = make_generator(self.options.seed, first + number)
            rows, columns, lengths = cross_segments(self.draws, self.references, rng)
            np.add.at(tables[number], (rows, columns), lengths)
        return np.array([self.evaluate(index, tables) for index in indices]).T
