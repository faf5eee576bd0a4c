"""Simulated values of several indices on the same tables: a given number, or as many as a precision takes."""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.correction.affordable import Clock, Plan
from chancecorr.correction.request import Request
from chancecorr.exact.moments.summary import sample_moments
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index
from chancecorr.kinds import kind_of
from chancecorr.kinds.tables import check_size
from chancecorr.machine.arrays import Floats
from chancecorr.null.partitions import forecast_shape
from chancecorr.null.permutation import plan_sampler
from chancecorr.simulation.checkpoint import Checkpoint, open_checkpoint
from chancecorr.simulation.controls import ControlledMean, PowerControls, controlled_mean
from chancecorr.simulation.sequential import (
    BATCH_TABLES,
    PUBLISHED_TABLES,
    cautious,
    next_look,
    tables_for,
    tables_needed,
)
from chancecorr.simulation.tally import BYTES_A_VALUE, MOST_VALUES, Tally, Values
from chancecorr.simulation.task import Joint, Reduction, Task, first_table_with
from chancecorr.simulation.workers import count_tables
from chancecorr.tables.contingency import Margins

LEAST_VALUES = 1024
"""Distinct values that are always held as they are: 400 kB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Simulated values of an index, and their mean where that was wanted."""

    joint: Joint
    mean: ControlledMean | None


def sample_values(
    margins: Margins,
    indices: tuple[Index, ...],
    asked: Request,
    *,
    controls: Mapping[str, PowerControls] = {},
    settled: set[str],
    stds: Mapping[str, float] = {},
    centre: int = 0,
    plan: Plan,
) -> dict[str, Sample]:
    """Simulate the indices on the same tables; samples by index name.

    Also by name: the `controls` by which a mean is to be corrected, T being counted from `centre`; the
    indices that are `settled`, their mean being known, so that no precision has to be reached for them; and
    the `stds` that are known, which tell beforehand how many tables a precision takes. The tables are
    those of the `plan`, and fewer where the budget's seconds are over before. Those of a checkpoint are
    counted already.
    """
    task = Task(
        sampler=plan_sampler(margins),
        seed=asked.seed,
        reductions=reductions_of(indices, with_controls=bool(controls)),
        model=asked.model,
        pair_sum_centre=centre,
        most_values=_most_values(asked),
    )
    for index in indices:
        if not asked.model.keeps_margins and kind_of(index).lays_out(index):
            check_size(index, forecast_shape(margins, asked.model))
    for index in indices:
        kind_of(index).prepare(index)
    n_tables = plan.n_tables
    first_look = _first_look(indices, asked, settled, stds)
    if asked.checkpoint is None:
        return _sample(
            task, indices, asked, controls, settled, stds, min(first_look, n_tables), n_tables, plan, None
        )
    with open_checkpoint(asked.checkpoint, task, _rule(asked)) as checkpoint:
        begun = checkpoint.n_tables
        if asked.budget.seconds is not None:
            n_tables = min(begun + n_tables, asked.n_tables)  # those that were counted before cost nothing
        if begun > n_tables:
            raise ArgumentValueError(
                "n_tables",
                f"must be at least {begun}, the number of tables in `checkpoint`; got {n_tables}. Ask for as"
                " many, or delete the file.",
                "checkpoint",
            )
        looked = checkpoint.wanted if asked.precision is not None else 0
        wanted = looked or min(first_look, n_tables)
        return _sample(task, indices, asked, controls, settled, stds, wanted, n_tables, plan, checkpoint)


def _sample(
    task: Task,
    indices: tuple[Index, ...],
    asked: Request,
    controls: Mapping[str, PowerControls],
    settled: set[str],
    stds: Mapping[str, float],
    wanted: int,
    n_tables: int,
    plan: Plan,
    checkpoint: Checkpoint | None,
) -> dict[str, Sample]:
    """The same, of `wanted` tables at first; those in the checkpoint are there already."""
    tallies: dict[str, Tally] = {} if checkpoint is None else checkpoint.tallies
    m = 0 if checkpoint is None else checkpoint.n_tables
    count = functools.partial(
        count_tables, task, tallies, n_jobs=asked.n_jobs, progress=asked.progress, checkpoint=checkpoint
    )
    clock = Clock(asked.budget.seconds, plan.seconds, m)
    while True:
        if checkpoint is not None:
            checkpoint.wanted = wanted
        while m < wanted and (look := clock.next_look(m, wanted)) > m:
            count(m, look - m)
            m = look
        found = joint_values(task, tallies, m)
        means = {
            index.name: _mean(index, found[index.name], controls.get(index.name))
            for index in indices
            if index.name not in settled
        }
        needed = _tables_needed(indices, found, means, stds, m, asked.precision)
        if needed <= m or m >= n_tables or m < wanted:
            return {
                index.name: Sample(joint=found[index.name], mean=means.get(index.name)) for index in indices
            }
        wanted = min(next_look(m, needed), n_tables)


def joint_values(task: Task, tallies: Mapping[str, Tally], n_tables: int) -> dict[str, Joint]:
    """From the tallies of a run to the values of each index beside its control variate, with counts."""
    found = {}
    for each in task.reductions:
        index = each.index
        if not task.model.keeps_margins:
            values, counts = tallies[index.name].result()
            found[index.name] = Joint(values, None, counts)
            if step := tallies[index.name].step:
                found[index.name] = Joint(_within_range(index, values + 0.5 * step), None, counts, 0.5 * step)
            continue
        tally = tallies[each.key]
        seen, counts = tally.result()
        joint = functools.partial(
            kind_of(index).joint,
            index,
            counts=counts,
            margins=task.sampler.margins,
            centre=task.pair_sum_centre,
        )
        try:
            found[index.name] = _of_rounded(index, joint, seen, tally.step) if tally.step else joint(seen)
        except IndexEvaluationError as error:
            table = error.pair_sum is not None and first_table_with(task, error.pair_sum, n_tables)
            if not table:
                raise
            raise IndexEvaluationError(f"{error} The table: {table}.") from error
    return found


def _of_rounded(index: Index, joint: Callable[[Values], Joint], seen: Values, step: float) -> Joint:
    """Values of the middles of steps, and how far those of their ends are from them."""
    middle, low, high = joint(seen + 0.5 * step), joint(seen).values, joint(seen + step).values
    values = _within_range(index, middle.values)
    with np.errstate(invalid="ignore"):
        distances = [np.abs(_within_range(index, end) - values) for end in (low, high)]
    farthest = [float(each[~np.isnan(each)].max(initial=0.0)) for each in distances]
    return Joint(values, middle.beside, middle.counts, max(farthest))


def _within_range(index: Index, values: Floats) -> Floats:
    """Values, none of them beyond the bounds of the index, which the middle of a step may be."""
    return np.clip(values, *index.range)


def _most_values(asked: Request) -> int:
    """Distinct values of an index that are held as they are: fewer where a budget of bytes says so."""
    if asked.budget.bytes is None:
        return MOST_VALUES
    return int(max(min(MOST_VALUES, asked.budget.bytes // BYTES_A_VALUE), LEAST_VALUES))


def reductions_of(indices: tuple[Index, ...], *, with_controls: bool) -> tuple[Reduction, ...]:
    """What a block keeps for each index; those that can share a tally do, under the name of the first."""
    reductions = []
    for place, index in enumerate(indices):
        kind = kind_of(index)
        sharing = (
            other.name
            for other in indices[:place]
            if other.needs == index.needs and kind.shares_tally(index, other)
        )
        reductions.append(kind.reduction(index, next(sharing, index.name), with_controls=with_controls))
    return tuple(reductions)


def _rule(asked: Request) -> str:
    """What decides how many tables are drawn, as text, where a precision is wanted."""
    if asked.precision is None:
        return "a number of tables"
    most = f"at most {asked.n_tables} tables, method {asked.method.name}, controls {asked.controls}"
    return f"precision {asked.precision}, {most}"


def _first_look(
    indices: tuple[Index, ...], asked: Request, settled: set[str], stds: Mapping[str, float]
) -> int:
    """Tables after which to look for the first time: all of them, unless a precision may need fewer."""
    if asked.precision is None:
        return asked.n_tables
    starts = [tables_for(std, asked.precision) for std in stds.values()]
    starts += [PUBLISHED_TABLES] if settled else []
    starts += [BATCH_TABLES] if len(indices) > len(settled) + len(stds) else []
    return min(max(starts), asked.n_tables)


def _tables_needed(
    indices: tuple[Index, ...],
    found: Mapping[str, Joint],
    means: Mapping[str, ControlledMean],
    stds: Mapping[str, float],
    m: int,
    precision: float | None,
) -> float:
    """Tables at which all means that are not known beforehand would be precise enough."""
    needed = 0.0
    for index in indices:
        if precision is None or index.name not in means or index.name in stds:
            continue
        mean, width = means[index.name], index.range[1] - index.range[0]
        joint = found[index.name]
        kurtosis = sample_moments(joint.values, joint.counts).kurtosis
        variance = cautious(mean.standard_error**2 * mean.variance_reduction * m, kurtosis, m)
        unit = width if math.isfinite(width) else 1.0
        needed = max(needed, tables_needed(variance, unit, mean.variance_reduction, precision))
    return needed


def _mean(index: Index, found: Joint, control: PowerControls | None) -> ControlledMean:
    columns = control.columns(found.beside) if control and found.beside is not None else []
    return controlled_mean(found.values, found.counts, columns, determined=kind_of(index).determined)
