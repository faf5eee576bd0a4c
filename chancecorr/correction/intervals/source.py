"""What an adjusted score was made from, and its intervals, which are made from the same."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from chancecorr.arguments import ArgumentValueError, as_count, one_of
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.intervals.bootstrap import bootstrap_interval
from chancecorr.correction.intervals.infinitesimal import infinitesimal
from chancecorr.correction.intervals.interval import (
    Interval,
    check_level,
    interval_of,
    jackknife_interval,
    jackknife_variance,
    unknown_interval,
    why_unknown,
)
from chancecorr.correction.intervals.leave_one_out import leave_one_out
from chancecorr.correction.request import Request
from chancecorr.indices.registry import Index
from chancecorr.null.seeding import RNG, seed_from
from chancecorr.tables.contingency import ContingencyTable

IntervalMethod = Literal["jackknife", "infinitesimal", "bootstrap"]

N_RESAMPLES = 2_000
"""Resamples of a bootstrap, unless it is told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """The index, the table and the request behind a score.

    Attributes
    ----------
    index : Index or None
        None where it was lost: a copy from another process, of an index that cannot be pickled.
    table : ContingencyTable
    asked : Request
    """

    index: Index | None
    table: ContingencyTable
    asked: Request

    def __reduce__(self) -> tuple[Callable[..., "Source"], tuple[Any, ...]]:
        """Pickle functions by value where they have no module; where that fails, leave the index out."""
        import cloudpickle

        try:
            index = cloudpickle.dumps(self.index)
        except Exception:
            index = cloudpickle.dumps(None)
        return _load_source, (index, self.table, cloudpickle.dumps(self.asked))

    def interval(
        self,
        null: NullDistribution,
        level: float,
        method: IntervalMethod,
        rng: RNG,
        n_resamples: int,
    ) -> Interval:
        """Interval as in `AdjustedScore.interval`."""
        check_level(level)
        one_of("method", method, ("jackknife", "infinitesimal", "bootstrap"))
        n_resamples = as_count("n_resamples", n_resamples)
        if self.index is None:
            raise ArgumentValueError(
                "score", "must hold its index for an interval; it was lost where the score was pickled."
            )
        index, table, asked = self.index, self.table, self.asked
        found = leave_one_out((index,), table, asked, {index.name: null})[index.name]
        if method == "jackknife":
            return jackknife_interval(found, level)
        remark = why_unknown(found)
        if remark:
            return unknown_interval(level, method, remark)
        if method == "infinitesimal":
            found = infinitesimal(index, table, asked, null, found)
            variance = jackknife_variance(found.without, found.counts) + found.error**2
            return interval_of(found, found.whole, variance, level, method)
        asked = replace(asked, seed=seed_from(rng))
        return bootstrap_interval(index, table, asked, null, found, level, n_resamples)


def _load_source(index: bytes, table: ContingencyTable, asked: bytes) -> Source:
    import cloudpickle

    return Source(index=cloudpickle.loads(index), table=table, asked=cloudpickle.loads(asked))
