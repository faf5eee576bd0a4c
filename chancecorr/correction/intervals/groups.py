"""Intervals of objects that come in groups, such as donors or documents: one group is left out at a time.

Groups are independent draws from a population of groups; the objects of one may be alike.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from chancecorr.chance.methods import AUTO
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.options import Request
from chancecorr.correction.against import set_against
from chancecorr.correction.intervals.least import least_of, least_with
from chancecorr.correction.intervals.leave_one_out import (
    LeaveOneOut,
    by_resampling,
    is_perfect,
    may_be_lower,
    with_error_of_least,
)
from chancecorr.correction.intervals.limits import plug_in_score, too_many_cells
from chancecorr.correction.nulls import null_distributions, score_by_mean
from chancecorr.correction.question import Question, questions_about
from chancecorr.indices.registry import Index
from chancecorr.tables.contingency import ContingencyTable


def leave_groups_out(
    indices: tuple[Index, ...],
    table: ContingencyTable,
    without: Sequence[ContingencyTable],
    asked: Request,
    nulls: Mapping[str, NullDistribution] | None = None,
) -> dict[str, LeaveOneOut]:
    """Adjusted scores of several indices without one group each, by index name: `without` has the tables.

    Where the expected value does not follow from the margins, it is taken by its limit, see `limits`.
    """
    questions = questions_about(table.margins, indices, asked)
    nulls = null_distributions(questions) if nulls is None else nulls
    return {each.name: _of_index(each, table, without, nulls[each.name]) for each in questions}


def _of_index(
    question: Question, table: ContingencyTable, without: Sequence[ContingencyTable], null: NullDistribution
) -> LeaveOneOut:
    index, best = question.index, question.asked.best
    whole = set_against(index, question.value(table), question.best, null.mean, null.std == 0.0)
    jackknife = LeaveOneOut(
        whole=whole,
        counts=np.ones(len(without), dtype=np.int64),
        without=np.full(len(without), math.nan),
        estimate=whole,
        cost=1.0 - min(each.n for each in without) / table.n,
        grouped=True,
        what="groups",
    )
    if not math.isfinite(whole):
        return jackknife
    jackknife = replace(jackknife, least=least_of(question, null))
    if _by_mean(question, table) is not None:
        scores = np.array([_by_mean(question, each) for each in without], dtype=np.float64)
        jackknife = replace(jackknife, without=scores, perfect=is_perfect(whole, scores))
        if may_be_lower(jackknife):
            return with_error_of_least(
                jackknife, question, [least_with(question, each.margins) for each in without]
            )
        return jackknife
    if too_many_cells(table.margins):
        return replace(jackknife, without=np.zeros(len(without)), bias_left=math.inf)
    scores = np.array([plug_in_score(index, each, best) for each in without])
    jackknife = replace(jackknife, without=scores, by_limit=True, perfect=is_perfect(whole, scores))
    if jackknife.perfect or not np.isfinite(scores).all():
        return jackknife
    return by_resampling(jackknife, question, table)


def _by_mean(question: Question, table: ContingencyTable) -> float | None:
    """Adjusted score by a mean from the margins, whatever the method; None where there is none."""
    asked = replace(question.asked, method=AUTO.within(question.asked.budget))
    question = Question(index=question.index, margins=table.margins, asked=asked)
    return None if question.mean is None else score_by_mean(question, table, question.mean)
