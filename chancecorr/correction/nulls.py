"""How a null distribution is found: by enumeration, from the margins alone, or from simulated tables."""

import dataclasses
from collections.abc import Sequence

from chancecorr.chance.null_distribution import NullDistribution, analytic_null, exact_null, simulated_null
from chancecorr.correction.affordable import (
    check_room,
    is_worth_it,
    note_of_fewer,
    note_of_rounding,
    plan_tables,
    require_tables,
)
from chancecorr.correction.against import adjusted_pair_sum, set_against
from chancecorr.correction.question import Question
from chancecorr.correction.sampling import Sample, sample_values
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.tables.contingency import ContingencyTable

Nulls = dict[str, NullDistribution]
"""Null distributions by index name."""


def null_distributions(questions: Sequence[Question]) -> Nulls:
    """Null distributions of several indices on the same margins; the simulated ones share their tables."""
    asked = questions[0].asked
    if asked.method.needs_moments:
        for question in questions:
            question.require_known()
    found = {each.name: null for each in questions if (null := _without_tables(each)) is not None}
    left = tuple(each for each in questions if each.name not in found)
    nulls = found | (_simulated(left) if left else {})
    if asked.model.is_permutation:
        return nulls
    return {name: dataclasses.replace(null, model=asked.model.name) for name, null in nulls.items()}


def expected_value(question: Question) -> float:
    """Mean of one index under chance, if nothing else of the null distribution is wanted."""
    if question.mean is not None:
        return question.mean
    return null_distributions((question,))[question.name].mean


def score_by_mean(question: Question, table: ContingencyTable, mean: float) -> float:
    """Adjusted score of a table by an expected value alone."""
    T, (low, high) = table.sum_of_squares, pair_sum_range(table.margins)
    exactly = adjusted_pair_sum(question.index, T, *table.margins.squares, table.n, question.asked)
    return set_against(question.index, question.value(table), question.best, mean, low == high, exactly)


def _without_tables(question: Question) -> NullDistribution | None:
    """Null distribution by enumeration, or from the margins if moments are all that is asked; else None."""
    if question.asked.method.needs_moments:
        return analytic_null(question.name, question.margins, question.require_known())
    if question.law is None:
        return None
    return exact_null(question.name, question.margins, question.law, question.known)


def _simulated(questions: tuple[Question, ...]) -> Nulls:
    """Null distributions from simulated tables; none of known means if there is time for few tables only."""
    asked, plan = questions[0].asked, plan_tables(questions)
    undrawn: Nulls = {}
    if not is_worth_it(plan, asked):
        note = note_of_fewer(0, asked.n_tables, plan.seconds)
        undrawn = {
            each.name: analytic_null(each.name, each.margins, each.require_known(), note=note)
            for each in questions
            if each.settled
        }
        questions = tuple(each for each in questions if not each.settled)
        plan = plan_tables(questions) if questions else plan
    if not questions:
        return undrawn
    require_tables(questions[0], plan)
    check_room(questions)
    samples = sample_values(questions, plan)
    return undrawn | {
        each.name: simulated_null(
            each.name,
            each.margins,
            samples[each.name].joint,
            each.known,
            settled=each.settled,
            controlled=samples[each.name].mean,
            note="; ".join(_notes(each, samples[each.name])),
        )
        for each in questions
    }


def _notes(question: Question, sample: Sample) -> list[str]:
    """Remarks on simulated values: that they are fewer, or rounded."""
    joint, asked, notes = sample.joint, question.asked, []
    n_tables = int(joint.counts.sum())
    if n_tables < asked.n_tables and asked.precision is None:
        notes.append(note_of_fewer(n_tables, asked.n_tables))
    if joint.rounding:
        notes.append(note_of_rounding(joint.rounding))
    return notes
