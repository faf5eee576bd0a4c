"""Weighted objects behind an adjusted score, from which its interval is made."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut, is_perfect
from chancecorr.correction.request import Request
from chancecorr.exact.moments.weighted import WeightedObjects, scores_without_each
from chancecorr.indices.registry import Index


@dataclass(frozen=True, kw_only=True, eq=False)
class WeightedSource:
    """The index, linear in the pair counts, the objects, the request, and what was found."""

    index: Index
    objects: WeightedObjects
    asked: Request
    null: NullDistribution
    whole: float

    @property
    def cells(self) -> int:
        """Non-empty cells that scores are computed for, one by one: none, as all come at once."""
        return 0

    def without_one(self, known: NullDistribution, groups: Any) -> LeaveOneOut:
        """Adjusted scores without one object each: objects with their weights are the independent draws."""
        if groups is not None:
            raise ArgumentValueError("groups", "must be None for a score with `weights`.", "weights")
        rows, columns, weights = self.objects
        best = self.index.best if self.asked.best is None else float(self.asked.best)
        without = scores_without_each(self.index, self.objects, best)
        return LeaveOneOut(
            whole=self.whole,
            rows=rows,
            columns=columns,
            counts=np.ones(rows.size, dtype=np.int64),
            without=without,
            estimate=self.whole,
            cost=float(weights.max() / weights.sum()),
            perfect=is_perfect(self.whole, without),
            grouped=True,
        )
