"""Simulate tables of two partitions and count them in tallies, which give the values of all indices."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chancecorr.chance.engines import ENGINES
from chancecorr.chance.options import Options
from chancecorr.indices.calling import IndexEvaluationError
from chancecorr.indices.index import Index
from chancecorr.sampling.permutation import Sampler
from chancecorr.sampling.precision import find_pair_sum_centre
from chancecorr.sampling.sides import RandomSides
from chancecorr.sampling.task import (
    BYTES_PER_VALUE,
    MAX_VALUES,
    Joint,
    Reduction,
    Tally,
    Task,
    find_first_table,
)
from chancecorr.sampling.workers import count_tables, count_tables_in_block
from chancecorr.tables.objects import Strata
from chancecorr.tables.pair_sum import compute_pair_sum_moments

if TYPE_CHECKING:
    from chancecorr.sampling.checkpoint import Checkpoint

MIN_VALUES = 1024  # this many distinct values are always kept: 400 kB


@dataclass(slots=True, eq=False, repr=False)
class TableDraws:
    """Tallies of the simulated tables number 0, 1, ..., including tables from a checkpoint."""

    task: Task
    options: Options
    tallies: dict[str, Tally]
    block_size: int
    checkpoint: "Checkpoint | None" = None
    n_draws: int = 0  # number of tables in the checkpoint
    wanted: int = 0  # number of tables at the next check of the precision, from the checkpoint

    @classmethod
    def open(
        cls, options: Options, sampler: Sampler, indices: Sequence[Index], *, with_controls: bool,
        nanoseconds: float, sides: RandomSides | None, model: str, strata: Strata | None,
    ) -> "TableDraws":  # fmt: skip
        """Return empty tallies, or the tallies of the checkpoint; a table takes about `nanoseconds`."""
        block_size = count_tables_in_block(nanoseconds)
        most_values, limit = MAX_VALUES, options.budget.bytes
        if limit is not None:
            most_values = int(max(min(MAX_VALUES, limit // BYTES_PER_VALUE), MIN_VALUES))
        moments = compute_pair_sum_moments(sampler.margins) if with_controls else None
        task = Task(
            sampler=sampler, seed=options.seed,
            reductions=plan_reductions(indices, with_controls=with_controls), sides=sides,
            pair_sum_centre=0 if moments is None else find_pair_sum_centre(moments),
            most_values=most_values,
        )  # fmt: skip
        if options.checkpoint is None:
            return cls(task, options, {}, block_size)
        from chancecorr.sampling.checkpoint import describe_tables, open_checkpoint

        about = {**describe_tables(task, model, strata), "rule": options.rule}
        make = functools.partial(Tally, most=most_values)
        keys = {x.key if task.sides is None else x.index.name for x in task.reductions}
        checkpoint = open_checkpoint(options.checkpoint, options.named_seed, indices, about, make, keys)
        return cls(
            task, options, checkpoint.tallies, block_size, checkpoint, checkpoint.n_tables, checkpoint.wanted
        )

    def add(self, first: int, count: int) -> None:
        if self.checkpoint is not None:
            self.checkpoint.wanted = self.wanted
        count_tables(
            self.task, self.tallies, first, count, block_size=self.block_size,
            n_jobs=self.options.n_jobs, progress=self.options.progress, checkpoint=self.checkpoint,
            runs_alike=self.options.sharers,
        )  # fmt: skip

    def read(self, n_draws: int) -> dict[str, Joint]:
        values_of = {}
        for reduction in self.task.reductions:
            index = reduction.index
            if self.task.sides is not None:
                values, counts = self.tallies[index.name].result()
                values_of[index.name] = Joint(values, None, counts)
                continue
            seen, counts = self.tallies[reduction.key].result()
            margins, centre = self.task.sampler.margins, self.task.pair_sum_centre
            try:
                values_of[index.name] = ENGINES[index.needs].joint(index, seen, counts, margins, centre)
            except IndexEvaluationError as error:
                table = error.pair_sum is not None and find_first_table(self.task, error.pair_sum, n_draws)
                if not table:
                    raise
                raise IndexEvaluationError(f"{error} The table: {table}.") from error
        return values_of


def plan_reductions(indices: Sequence[Index], *, with_controls: bool) -> tuple[Reduction, ...]:
    """Return one `Reduction` per index. Indices that use the same cell sum share a tally."""
    reductions = []
    for place, index in enumerate(indices):
        engine = ENGINES[index.needs]
        alike = (x.name for x in indices[:place] if x.needs == "cells" and x.function is index.function)
        reductions.append(engine.reduction(index, next(alike, index.name), with_controls=with_controls))
        engine.prepare(index)
    return tuple(reductions)
