"""Scores of many tables, with what intervals are made of: null distributions once for the same margins."""

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chancecorr.correction.adjust import score_against
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut, leave_one_out
from chancecorr.correction.nulls import Nulls, null_distributions
from chancecorr.correction.question import Question, questions_about
from chancecorr.correction.request import Request
from chancecorr.correction.scores import AdjustedScore
from chancecorr.indices.registry import Index
from chancecorr.kinds import kind_of
from chancecorr.simulation.workers import map_with_progress
from chancecorr.tables.contingency import ContingencyTable, Margins


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluation:
    """Adjusted scores of a table by index name, and without one object each, where that was wanted."""

    scores: Mapping[str, AdjustedScore]
    without_one: Mapping[str, LeaveOneOut]


def evaluate(
    tables: Sequence[ContingencyTable], indices: tuple[Index, ...], asked: Request, *, with_intervals: bool
) -> list[Evaluation]:
    """An evaluation of each table; equal ones have the same, and equal margins share null distributions.

    The threads that are asked for share the margins, and then the tables; all have the same seed, so that who
    finds what never shows.
    """
    for index in indices:  # once, before threads come to it together
        kind_of(index).prepare(index)
    distinct = list(dict.fromkeys(tables))
    margins = list(dict.fromkeys(table.margins for table in distinct))
    alone = dataclasses.replace(asked, n_jobs=1, progress=False).split_budget(len(margins))

    def null_laws(of: Margins) -> tuple[tuple[Question, ...], Nulls]:
        questions = questions_about(of, indices, asked if len(margins) == 1 else alone)
        return questions, null_distributions(questions)

    def evaluation(table: ContingencyTable) -> Evaluation:
        questions, nulls = nulls_of[table.margins]
        return Evaluation(
            scores={
                each.name: score_against(each, table, nulls[each.name], len(indices)) for each in questions
            },
            without_one=leave_one_out(indices, table, alone, nulls) if with_intervals else {},
        )

    share_out = functools.partial(map_with_progress, n_jobs=asked.n_jobs, progress=asked.progress)
    laws = share_out(null_laws, margins, unit="null distributions")
    nulls_of = dict(zip(margins, laws, strict=True))
    evaluations = share_out(evaluation, distinct, unit="candidates")
    evaluation_of = dict(zip(distinct, evaluations, strict=True))
    return [evaluation_of[table] for table in tables]
