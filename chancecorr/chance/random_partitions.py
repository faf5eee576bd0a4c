"""Two partitions, one or both random: of a fixed number of clusters, of any number, or multinomial.

Gates & Ahn (2017), arXiv:1701.06508; Sundqvist, Chiquet & Rigaill (2023), doi:10.1007/s00180-022-01230-7.
What is random on each side stands in `null.models`. Means are exact for linear functions of the pair counts
and for plain sums over cells; everything else is sampled.
"""

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from chancecorr.chance.engine import Known, engine_of
from chancecorr.chance.null_model import Draws
from chancecorr.chance.tables import check_size
from chancecorr.chance.within_strata import MeansAlone
from chancecorr.exact.less_one import Sides, less_one
from chancecorr.exact.summary import UNKNOWN
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats
from chancecorr.machine.budget import TooCostlyError
from chancecorr.sampling.partitions import forecast_laid_out, forecast_shape, forecast_table

OVERHEAD_PER_TABLE_NS = 1e5
"""Nanoseconds more that an index takes on a table whose margins are its own."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RandomPartitions(MeansAlone):
    """Cluster sizes of the data, which tell numbers or shares of the clusters; sizes of draws vary."""

    def moments(self, index: Index) -> Known | None:
        """Mean under the model, and nothing else."""
        method = self.options.method
        if method.only_tables:
            return None
        task = index, self.margins, self.options.model
        try:
            mean = self._once("moments", index, lambda: engine_of(index).mean_under(*task))
        except TooCostlyError:
            if method.needs_moments:
                raise
            return None
        return None if mean is None else Known(dataclasses.replace(UNKNOWN, mean=mean), 0.0)

    def forecast_nanoseconds(self, evaluated: Sequence[Index]) -> float:
        """Nanoseconds of one table and of those indices on it that need more than T."""
        model = self.options.model
        shape = forecast_shape(self.margins, model)
        of_indices = sum(engine_of(index).nanoseconds(index, shape, self.n) for index in evaluated)
        drawn = forecast_table(self.margins, model) + len(evaluated) * OVERHEAD_PER_TABLE_NS + of_indices
        return drawn + (forecast_laid_out(shape, self.n) if evaluated else 0.0)

    @contextlib.contextmanager
    def open_draws(self, indices: Sequence[Index]) -> Iterator[Draws]:
        """Simulated tables, unless an index needs them laid out and they may be too large for that."""
        for index in indices:
            if index.needs_whole_table:
                check_size(index, forecast_shape(self.margins, self.options.model))
        with super().open_draws(indices) as draws:
            yield draws

    def evaluate_less_one(self, index: Index, sides: Sides) -> tuple[Floats, Floats] | None:
        """Values without an object of each non-empty cell, and what the mean changes by."""
        engine, model = engine_of(index), self.options.model
        margins = (self.margins, *(less_one(self.margins, *pair) for pair in sides))
        means = [engine.mean_under(index, smaller, model) for smaller in margins]
        if None in means:
            raise ArgumentValueError(
                "model",
                f"must be 'permutation' for an interval of index {index.name!r}, the mean of which is not"
                f" known under others; got {model.name!r}.",
            )
        changes = np.array(means[1:], dtype=np.float64) - np.float64(means[0])
        return None if self.table is None else (engine.values_less_one(index, self.table), changes)
