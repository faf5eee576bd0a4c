"""What an adjusted score was made from, and its intervals, which are made from the same."""

from dataclasses import dataclass, replace
from typing import Literal

from chancecorr.arguments import as_count, one_of
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.intervals.bootstrap import bootstrap_interval
from chancecorr.correction.intervals.interval import (
    Interval,
    check_level,
    jackknife_interval,
    unknown_interval,
    why_unknown,
)
from chancecorr.correction.intervals.leave_one_out import leave_one_out
from chancecorr.correction.request import Request
from chancecorr.indices.registry import Index
from chancecorr.null.seeding import RNG, seed_from
from chancecorr.tables.contingency import ContingencyTable

IntervalMethod = Literal["jackknife", "bootstrap"]

N_RESAMPLES = 2_000
"""Resamples of a bootstrap unless a number is given."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """The index, the table and the request behind a score."""

    index: Index
    table: ContingencyTable
    asked: Request

    def interval(
        self, null: NullDistribution, level: float, method: IntervalMethod, rng: RNG, n_resamples: int
    ) -> Interval:
        """Interval as in `AdjustedScore.interval`."""
        check_level(level)
        one_of("method", method, ("jackknife", "bootstrap"))
        n_resamples = as_count("n_resamples", n_resamples)
        index, table, asked = self.index, self.table, self.asked
        found = leave_one_out((index,), table, asked, {index.name: null})[index.name]
        if method == "jackknife":
            return jackknife_interval(found, level)
        remark = why_unknown(found)
        if remark:
            return unknown_interval(level, method, remark)
        asked = replace(asked, seed=seed_from(rng))
        return bootstrap_interval(index, table, asked, null, found, level, n_resamples)
