"""Models whose candidate is drawn by the user: under chance, only the values on the draws are known."""

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from chancecorr.chance.engines import Law
from chancecorr.chance.fixed_margins import NUMBERS_AT_ONCE, TableModel
from chancecorr.chance.null_model import NullModel
from chancecorr.chance.permuted_objects import ObjectModel
from chancecorr.exact.coverage_of_segments import compute_coverage, forecast_coverage
from chancecorr.exact.summary import UNKNOWN, Known
from chancecorr.indices.agreement import evaluate_agreement
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import DEFAULT_SECONDS, round_seconds_up
from chancecorr.machine.kernel import read_clock
from chancecorr.machine.printing import format_seconds
from chancecorr.sampling.own_draws import (
    Cost,
    Draws,
    count_draws,
    describe_draws,
    find_codes,
    find_kind,
    is_permutation,
    order_places,
    take_draw,
)
from chancecorr.sampling.precision import MIN_DRAWS_OF_A_MEAN
from chancecorr.sampling.seeding import make_generator
from chancecorr.sampling.segment_draws import Reference, SegmentDraws, cross_segments, find_references
from chancecorr.tables.contingency import ContingencyTable, count_table
from chancecorr.tables.crosstab import add_cells, cross_tabulate


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class OwnDraws(NullModel):
    """Base class of models with the user's own draws: nothing but the values on the draws is known."""

    draws: Draws  # the object that the user passed, in the order of the objects
    in_order: bool = False  # True: draw number t of a group is its element t; False: a random element

    draw_word: ClassVar[str] = "draw"

    @property
    def place(self) -> str:
        return f" under model {self.name!r}"

    @property
    def about(self) -> str:
        return describe_draws(self.draws)

    def law(self, index: Index) -> Law | None:
        """Return the values under all permutations of a group."""
        left, m = self.options.budget.find_seconds_left(), self.draws.n_draws
        if not self.draws.complete or m * self.forecast((index,)) > left:
            return None

        def list_values() -> Law:
            parts: list[Floats] = []
            replace(self, in_order=True).draw_blocks([index], parts.append, range(m))
            joint = self.read_values(index, np.concatenate(parts)[:, 0], np.ones(m, dtype=np.int64))
            return Law(joint.values, np.full(m, 1.0 / m), 0.0, excess=joint.excess)

        return self.compute_once("law", index, list_values)

    def most_draws(self, indices: Sequence[Index]) -> int:
        return count_draws(self.draws, self.options.n_tables, self.options.n_tables_is_limit)

    def calls_user(self, indices: Sequence[Index]) -> bool:
        return True

    def check(self, indices: Sequence[Index]) -> None:
        options = self.options
        if options.precision is not None and self.draws.n_draws and not self.draws.complete:
            raise ArgumentValueError("method", "must not have a precision if the number of draws is given.")
        wanted = count_draws(self.draws, options.n_tables, options.n_tables_is_limit)
        if self.draws.cost is not None:
            self._check_cost(self.draws.cost, min(MIN_DRAWS_OF_A_MEAN, wanted))
        super().check(indices)

    def _check_cost(self, cost: Cost, fewest: int) -> None:
        """Raise, before the first draw, if the draws would take more memory or time than allowed."""
        options = self.options
        options.budget.check_bytes("model", f"{cost.what} ({cost.advice})", cost.bytes)
        allowed = options.budget.find_seconds_left(
            default=math.inf if cost.seconds <= DEFAULT_SECONDS else 0.0
        )
        if fewest * cost.seconds > allowed:
            given, shared = options.describe_budget("none")
            needed = round_seconds_up(fewest * cost.seconds * options.sharers)
            raise ArgumentValueError(
                "budget",
                f"must be at least {needed} (seconds) for {fewest} draws of {cost.what}{shared}; got {given}."
                f" Each draw takes about {format_seconds(cost.seconds)}. {cost.advice}.",
            )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DrawnPartitions(OwnDraws, TableModel):
    """Two partitions; the labels of the candidate are drawn."""

    codes: tuple[Integers, Integers]

    def forecast(self, indices: Sequence[Index]) -> float:
        """Return the time of the first draw in seconds; 0 without a budget, because all draws are made."""
        if self.options.budget.seconds is None:
            return 0.0

        def time_one() -> float:
            start = read_clock()
            self.draw_values(indices, 0, 1)
            return read_clock() - start

        return self.compute_once("seconds", None, time_one)

    def find_cell_means(self) -> Floats | None:
        """Return the expected counts of the cells; None if they are unknown."""
        return None

    def draw_tables(self, indices: Sequence[Index], numbers: range) -> Iterable[ContingencyTable]:
        seed = self.options.seed
        kind = self.compute_once("kind", None, lambda: find_kind(self.draws, self.n, seed))
        assert self.table is not None
        labels = self.table.column_labels if any(index.named for index in indices) else None
        for number in numbers:
            drawn = take_draw(self.draws, number, self.n, seed, in_order=self.in_order)
            codes = find_codes(self.draws, kind, drawn, self.codes[1], labels)
            if labels is None:
                counts = cross_tabulate(self.codes[0], codes).counts
            else:
                is_dense = isinstance(self.table.counts, np.ndarray)
                counts = add_cells(self.codes[0], codes, None, self.table.shape, is_dense)
            yield count_table(counts)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DrawnSegments(DrawnPartitions):
    """Two partitions of samples; the segments of the candidate are put elsewhere."""

    draws: SegmentDraws

    @functools.cached_property
    def references(self) -> list[Reference]:
        """The segments of the reference, for each recording."""
        return find_references(self.draws, self.codes[0])

    def find_cell_means(self) -> Floats | None:
        """Return the expected counts of the cells; None if they are unknown or take too long."""
        return self.compute_once("cells", None, self._compute_cell_means)

    def _compute_cell_means(self) -> Floats | None:
        assert self.table is not None
        draws, (K, Q) = self.draws, self.table.shape
        in_order = draws.keep == "order"
        parts = [(each.lengths, int(each.free), Q) for each in draws.recordings]
        seconds = sum(forecast_coverage(*part, in_order=in_order) for part in parts)
        if draws.keep == "labels" or seconds > self.options.limits.mean_seconds:
            return None
        means = np.zeros((K, Q))
        for recording, (starts, rows) in zip(draws.recordings, self.references, strict=True):
            coverage = compute_coverage(
                recording.lengths, recording.labels, int(recording.free), Q, in_order=in_order
            )
            if recording.free:
                coverage[recording.gap] = 1.0 - coverage.sum(axis=0)
            np.add.at(means, rows, np.add.reduceat(coverage, starts, axis=1).T)
        return means

    def find_moments(self, index: Index) -> Known | None:
        """Return the exact mean of an index that is linear in the cells, else None."""
        means = self.find_cell_means() if index.needs == "agreement" else None
        if means is None or self.table is None:
            return None
        (mean,) = evaluate_agreement(index, means[np.newaxis], self.table.margins)
        return Known(replace(UNKNOWN, mean=float(mean)), 0.0)

    def draw_tables(self, indices: Sequence[Index], numbers: range) -> Iterable[ContingencyTable]:
        assert self.table is not None
        is_dense = isinstance(self.table.counts, np.ndarray)
        for number in numbers:
            rng = make_generator(self.options.seed, number)
            rows, columns, lengths = cross_segments(self.draws, self.references, rng)
            rows, columns, lengths = (part[lengths > 0] for part in (rows, columns, lengths))
            yield count_table(add_cells(rows, columns, lengths, self.table.shape, is_dense))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DrawnObjects(OwnDraws, ObjectModel):
    """Two clusterings of any kind; the user's permutations match their objects."""

    def draw_values(self, indices: Sequence[Index], first: int, count: int) -> Floats:
        """Return sums over pairs under the user's permutations."""
        numbers, seed = range(first, first + count), self.options.seed
        drawn = np.array([take_draw(self.draws, t, self.n, seed, in_order=self.in_order) for t in numbers])
        if not is_permutation(drawn):
            raise ArgumentTypeError(
                "model", "must draw permutations for clusterings other than labels; got other numbers."
            )
        places = order_places(self.draws, drawn.astype(np.int64))
        return np.array([self.agree(index).sums(places) for index in indices]).T

    def find_block_size(self, indices: Sequence[Index]) -> int:
        return max(1, NUMBERS_AT_ONCE // self.n)
