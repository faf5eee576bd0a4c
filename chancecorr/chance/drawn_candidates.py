"""Models whose candidate is drawn by the user: under chance, only the values on the draws are known."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chancecorr.chance.engines import ENGINES, Law
from chancecorr.chance.null_model import NullModel
from chancecorr.chance.permuted_objects import PermutedObjects
from chancecorr.chance.within_strata import MeansAlone
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
    find_codes,
    find_kind,
    is_permutation,
    order_places,
    take_draw,
)
from chancecorr.sampling.precision import MIN_DRAWS_OF_A_MEAN
from chancecorr.tables.contingency import ContingencyTable, Margins, count_table
from chancecorr.tables.crosstab import add_cells, cross_tabulate

NUMBERS_AT_ONCE = 1 << 20  # labels and cells of the draws that are evaluated together: 8 MB


class OwnDraws(NullModel):
    """Base class of models with the user's own draws: nothing but the values on the draws is known."""

    draw_word: ClassVar[str] = "draw"
    moments, exact_score, is_constant = NullModel.moments, NullModel.exact_score, NullModel.is_constant
    leave_out, forecast_interval = NullModel.leave_out, NullModel.forecast_interval

    @property
    def place(self) -> str:
        return f" under model {self.options.model.name!r}"

    @property
    def draws(self) -> Draws:
        """The `Draws` object that the user passed."""
        assert self.options.model.draws is not None
        return self.options.model.draws

    def law(self, index: Index) -> Law | None:
        """Return the values under all permutations of a group."""
        budget, m = self.options.budget.seconds, self.draws.n_draws
        if not self.draws.complete or (budget is not None and m * self.forecast((index,)) > budget):
            return None

        def list_values() -> Law:
            parts: list[Floats] = []
            self.draw_blocks([index], parts.append, range(m), in_order=True)
            values = self.read_values([index], np.concatenate(parts))[:, 0]
            return Law(values, np.full(values.size, 1.0 / values.size), 0.0)

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
        allowed, sharers = options.budget.seconds, options.sharers
        if allowed is None and cost.seconds <= DEFAULT_SECONDS:
            return
        if fewest * cost.seconds > (allowed or 0.0):
            given = "none" if allowed is None else format_seconds(allowed * sharers)
            shared = f" by {sharers:,} answers that share the budget" if sharers > 1 else ""
            needed = round_seconds_up(fewest * cost.seconds * sharers)
            raise ArgumentValueError(
                "budget",
                f"must be at least {needed} (seconds) for {fewest} draws of {cost.what}{shared}; got {given}."
                f" Each draw takes about {format_seconds(cost.seconds)}. {cost.advice}.",
            )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DrawnPartitions(OwnDraws, MeansAlone):
    """Two partitions; the labels of the candidate are drawn."""

    codes: tuple[Integers, Integers]

    open_draws, direction = NullModel.open_draws, NullModel.direction

    def forecast(self, indices: Sequence[Index]) -> float:
        """Return the time of the first draw in seconds; 0 without a budget, because all draws are made."""
        if self.options.budget.seconds is None:
            return 0.0

        def time_one() -> float:
            start = read_clock()
            self.draw_values(indices, 0, 1)
            return read_clock() - start

        return self.compute_once("seconds", None, time_one)

    def draw_values(
        self, indices: Sequence[Index], first: int, count: int, *, in_order: bool = False
    ) -> Floats:
        """Evaluate tables with equal cluster sizes together; with `in_order`, all elements of a group."""
        values = np.empty((count, len(indices)))
        alike: dict[Margins, list[tuple[int, ContingencyTable]]] = {}
        seed = self.options.seed
        kind = self.compute_once("kind", None, lambda: find_kind(self.draws, self.n, seed))
        assert self.table is not None
        labels = self.table.column_labels if any(index.named for index in indices) else None
        for t in range(count):
            drawn = take_draw(self.draws, first + t, self.n, seed, in_order=in_order)
            codes = find_codes(self.draws, kind, drawn, self.codes[1], labels)
            if labels is None:
                counts = cross_tabulate(self.codes[0], codes).counts
            else:
                is_dense = isinstance(self.table.counts, np.ndarray)
                counts = add_cells(self.codes[0], codes, None, self.table.shape, is_dense)
            table = count_table(counts)
            if isinstance(table.counts, np.ndarray):
                alike.setdefault(table.margins, []).append((t, table))
            else:
                values[t] = [ENGINES[index.needs].value(index, table) for index in indices]
        for margins, numbered in alike.items():
            numbers, tables = zip(*numbered, strict=True)
            laid_out = np.stack([table.counts for table in tables])
            for column, index in enumerate(indices):
                values[list(numbers), column] = ENGINES[index.needs].values(index, laid_out, margins)
        return values

    def find_block_size(self, indices: Sequence[Index]) -> int:
        cells = math.prod(int(codes.max()) + 1 for codes in self.codes)
        return max(1, NUMBERS_AT_ONCE // (cells + self.n))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DrawnObjects(OwnDraws, PermutedObjects):
    """Two clusterings of any kind; the user's permutations match their objects."""

    def draw_values(
        self, indices: Sequence[Index], first: int, count: int, *, in_order: bool = False
    ) -> Floats:
        """Return sums over pairs under the user's permutations; with `in_order`, all elements of a group."""
        numbers, seed = range(first, first + count), self.options.seed
        drawn = np.array([take_draw(self.draws, t, self.n, seed, in_order=in_order) for t in numbers])
        if not is_permutation(drawn):
            raise ArgumentTypeError(
                "model", "must draw permutations for clusterings other than labels; got other numbers."
            )
        places = order_places(self.draws, drawn.astype(np.int64))
        return np.array([self.agree(index).sums(places) for index in indices]).T

    def find_block_size(self, indices: Sequence[Index]) -> int:
        return max(1, NUMBERS_AT_ONCE // self.n)
