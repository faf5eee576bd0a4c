"""Simulated values of several indices on the same tables: a given number, or as many as a precision takes."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.chance.engines import engine_of
from chancecorr.chance.options import Request
from chancecorr.chance.tables import check_size
from chancecorr.correction.affordable import Clock, Plan, seconds_allowed
from chancecorr.correction.question import Question
from chancecorr.exact.moments.summary import sample_moments
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats
from chancecorr.null.partitions import forecast_shape
from chancecorr.simulation.controls import ControlledMean, controlled_mean, pair_sum_centre
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
from chancecorr.tables.pair_sum import pair_sum_moments

if TYPE_CHECKING:
    from chancecorr.simulation.checkpoint import Checkpoint

LEAST_VALUES = 1024
"""Distinct values that are always held as they are: 400 kB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Simulated values of an index, and their mean where that was wanted."""

    joint: Joint
    mean: ControlledMean | None


def sample_values(questions: Sequence[Question], plan: Plan) -> dict[str, Sample]:
    """Samples by index name on the same tables: those of the plan, or fewer if the seconds are over."""
    asked, margins = questions[0].asked, questions[0].margins
    controlled = any(each.controls is not None for each in questions)
    most_values = MOST_VALUES
    if asked.budget.bytes is not None:
        most_values = int(max(min(MOST_VALUES, asked.budget.bytes // BYTES_A_VALUE), LEAST_VALUES))
    task = Task(
        sampler=questions[0].sampler,
        seed=asked.seed,
        reductions=reductions_of(questions, with_controls=controlled),
        model=asked.model,
        pair_sum_centre=pair_sum_centre(pair_sum_moments(margins)) if controlled else 0,
        most_values=most_values,
    )
    for each in questions:
        if not asked.model.keeps_margins and each.kind.lays_out(each.index):
            check_size(each.index, forecast_shape(margins, asked.model))
        each.kind.prepare(each.index)
    if asked.checkpoint is None:
        return _sample(task, questions, plan, None)
    from chancecorr.simulation.checkpoint import open_checkpoint

    with open_checkpoint(asked.checkpoint, task, _rule(asked)) as checkpoint:
        return _sample(task, questions, plan, checkpoint)


def _most_tables(asked: Request, plan: Plan, checkpoint: "Checkpoint") -> int:
    """Tables in all: those of a checkpoint count for a number of tables, and not for a budget."""
    begun, n_tables = checkpoint.n_tables, plan.n_tables
    if asked.budget.seconds is not None:
        n_tables = min(begun + n_tables, asked.n_tables)
    if begun > n_tables:
        raise ArgumentValueError(
            "n_tables",
            f"must be at least {begun}, the number of tables in `checkpoint`; got {n_tables}. Ask for as"
            " many, or delete the file.",
            "checkpoint",
        )
    return n_tables


def _sample(
    task: Task, questions: Sequence[Question], plan: Plan, checkpoint: "Checkpoint | None"
) -> dict[str, Sample]:
    """Draw tables up to the first look, then more until all means are precise enough."""
    asked = questions[0].asked
    tallies: dict[str, Tally] = {} if checkpoint is None else checkpoint.tallies
    m = 0 if checkpoint is None else checkpoint.n_tables
    n_tables = plan.n_tables if checkpoint is None else _most_tables(asked, plan, checkpoint)
    wanted = min(_first_look(questions), n_tables)
    if checkpoint is not None and asked.precision is not None:
        wanted = checkpoint.wanted or wanted
    clock = Clock(seconds_allowed(questions), plan.seconds, m)
    while True:
        if checkpoint is not None:
            checkpoint.wanted = wanted
        while m < wanted and (look := clock.next_look(m, wanted)) > m:
            count_tables(
                task,
                tallies,
                m,
                look - m,
                n_jobs=asked.n_jobs,
                progress=asked.progress,
                checkpoint=checkpoint,
            )
            m = look
        found = joint_values(task, tallies, m)
        samples = {each.name: _sample_of(each, found[each.name]) for each in questions}
        needed = _tables_needed(questions, samples, m)
        if needed <= m or m >= n_tables or m < wanted:
            return samples
        wanted = min(next_look(m, needed), n_tables)


def joint_values(task: Task, tallies: Mapping[str, Tally], n_tables: int) -> dict[str, Joint]:
    """Values of each index with their control variates and counts, from the tallies of a run."""
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
            engine_of(index).joint,
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
    return Joint(values, middle.covariate, middle.counts, max(farthest))


def _within_range(index: Index, values: Floats) -> Floats:
    """Values, none of them beyond the bounds of the index, which the middle of a step may be."""
    return np.clip(values, *index.range)


def reductions_of(questions: Sequence[Question], *, with_controls: bool) -> tuple[Reduction, ...]:
    """Reduction of a block for each index; those that can share a tally do, under the name of the first."""
    reductions = []
    for place, each in enumerate(questions):
        kind = each.kind
        sharing = (
            other.name
            for other in questions[:place]
            if other.kind is kind and kind.shares_tally(each.index, other.index)
        )
        key = next(sharing, each.name)
        reductions.append(kind.reduction(each.index, key, with_controls=with_controls))
    return tuple(reductions)


def _rule(asked: Request) -> str:
    """Rule for the number of tables, as text, if a precision is wanted."""
    if asked.precision is None:
        return "a number of tables"
    most = f"at most {asked.n_tables} tables, method {asked.method.name}, controls {asked.controls}"
    return f"precision {asked.precision}, {most}"


def _first_look(questions: Sequence[Question]) -> int:
    """Tables after which to look for the first time: all of them, unless a precision may need fewer."""
    asked = questions[0].asked
    if asked.precision is None:
        return asked.n_tables
    starts = [tables_for(each.std, asked.precision) for each in questions if each.std is not None]
    starts += [PUBLISHED_TABLES for each in questions if each.settled]
    starts += [BATCH_TABLES for each in questions if not each.settled and each.std is None]
    return min(max(starts), asked.n_tables)


def _tables_needed(questions: Sequence[Question], samples: Mapping[str, Sample], m: int) -> float:
    """Tables at which all means that are not known beforehand would be precise enough."""
    needed, precision = 0.0, questions[0].asked.precision
    for each in questions:
        joint, mean = samples[each.name].joint, samples[each.name].mean
        if precision is None or mean is None or each.std is not None:
            continue
        width = each.index.range[1] - each.index.range[0]
        kurtosis = sample_moments(joint.values, joint.counts).kurtosis
        variance = cautious(mean.standard_error**2 * mean.variance_reduction * m, kurtosis, m)
        unit = width if math.isfinite(width) else 1.0
        needed = max(needed, tables_needed(variance, unit, mean.variance_reduction, precision))
    return needed


def _sample_of(question: Question, found: Joint) -> Sample:
    """Values, and their mean by control variates unless it is settled."""
    found = found if question.direction else found._replace(pair_sums=None)
    if question.settled:
        return Sample(joint=found, mean=None)
    control = question.controls
    columns = control.columns(found.covariate) if control and found.covariate is not None else []
    mean = controlled_mean(found.values, found.counts, columns, determined=question.kind.determined)
    return Sample(joint=found, mean=mean)
