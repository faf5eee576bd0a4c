"""What is behind an adjusted score: the table, or weighted objects, from which its interval is made."""

import math
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.chance.engines import engine_of
from chancecorr.chance.methods import MEAN_ONLY
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.options import Request
from chancecorr.correction.against import set_against
from chancecorr.correction.intervals.groups import leave_groups_out
from chancecorr.correction.intervals.least import least_between
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut, is_perfect, leave_one_out
from chancecorr.correction.nulls import null_distributions
from chancecorr.correction.question import Question
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.moments.weighted import WeightedObjects, scores_without_each
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats
from chancecorr.machine.cached import cached_property
from chancecorr.null.partitions import model_tables
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.grouping import Objects, read_groups, tables_without_each

MOST_CELLS_OF_INTERVALS, MOST_CELLS_IF_SIMULATED = 10_000, 100
"""Non-empty cells of tables for which an interval is shown without being asked for."""


class AnySource(Protocol):
    """What a score of any kind can be asked for later."""

    @property
    def index(self) -> Any: ...  # noqa: D102

    @property
    def asked(self) -> Request: ...  # noqa: D102

    @property
    def null(self) -> NullDistribution:
        """Null distribution with its values."""

    def costs_little(self, simulated: bool) -> bool:
        """Whether an interval is shown without being asked for; by whether the mean is simulated."""

    def without_one(self, known: NullDistribution, groups: Any) -> LeaveOneOut:
        """Adjusted scores without one object each, or without one of the groups if there are any."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """The index, the table and the request behind a score."""

    index: Index
    table: ContingencyTable
    asked: Request
    objects: Objects | None = None  # None for a score of a table

    def costs_little(self, simulated: bool) -> bool:
        """Whether few cells are not empty: an object of each is left out in turn."""
        if engine_of(self.index).name == "labels":
            return False
        cells = self.table.nonzero_cells[0].size
        if simulated:
            return cells <= MOST_CELLS_IF_SIMULATED and self.asked.model.is_permutation
        return bool(cells <= MOST_CELLS_OF_INTERVALS)

    @cached_property
    def null(self) -> NullDistribution:
        """Null distribution with its values."""
        question = Question(index=self.index, margins=self.table.margins, asked=self.asked)
        return null_distributions((question,))[self.index.name]

    def scores_by_chance(self, n_tables: int) -> Floats:
        """Adjusted scores of tables drawn from the model, each under the model that its own sizes give."""
        asked, scores = replace(self.asked, method=MEAN_ONLY), np.empty(n_tables)
        drawn = model_tables(self.table.margins, asked.model, n_tables, asked.seed)
        for t, table in enumerate(drawn):
            question = Question(index=self.index, margins=table.margins, asked=asked)
            if question.mean is None:
                raise ArgumentValueError(
                    "index",
                    f"must have an expected value that is known under model {asked.model.name!r} without"
                    f" sampling, because each table has its own; got {self.index.name!r}.",
                )
            low, high = pair_sum_range(table.margins)
            constant = asked.model.keeps_margins and low == high
            value = question.value(table)
            scores[t] = set_against(self.index, value, question.best, question.mean, constant)
        return scores

    def without_one(self, known: NullDistribution, groups: Any) -> LeaveOneOut:
        """Adjusted scores without one object each, or without one of the groups if there are any."""
        nulls, name = {self.index.name: known}, self.index.name
        if groups is None:
            return leave_one_out((self.index,), self.table, self.asked, nulls)[name]
        if self.objects is None:
            raise ArgumentValueError(
                "groups",
                "must be None for a score of a table, which does not hold the groups of objects; `adjust`"
                " with labels and `compare` take them.",
            )
        numbers = read_groups(groups, self.objects.given, self.objects.kept)
        without = tables_without_each(self.table, self.objects.cells(), numbers)
        return leave_groups_out((self.index,), self.table, without, self.asked, nulls)[name]


@dataclass(frozen=True, kw_only=True, eq=False)
class WeightedSource:
    """The index, linear in the pair counts, the objects, the request, and what was found."""

    index: Index
    objects: WeightedObjects
    asked: Request
    null: NullDistribution
    whole: float

    def costs_little(self, simulated: bool) -> bool:
        """Always: all scores without one object come at once."""
        return True

    def without_one(self, known: NullDistribution, groups: Any) -> LeaveOneOut:
        """Adjusted scores without one object each: objects with their weights are the independent draws."""
        if groups is not None:
            raise ArgumentValueError("groups", "must be None for a score with `weights`.", "weights")
        weights = self.objects.weights
        best = self.asked.best_or(self.index.best)
        without = scores_without_each(self.index, self.objects, best)
        return LeaveOneOut(
            whole=self.whole,
            counts=np.ones(weights.size, dtype=np.int64),
            without=without,
            estimate=self.whole,
            cost=float(weights.max() / weights.sum()),
            perfect=is_perfect(self.whole, without),
            grouped=True,
            least=float(least_between(self.index.range, math.nan if best is None else best, self.null.mean)),
        )
