"""Intervals of objects that come in groups, such as donors or documents: one group is left out at a time.

Groups are independent draws from a population of groups; the objects of one may be alike.
"""

import dataclasses
import math
from collections.abc import Mapping, Sequence

import numpy as np

from chancecorr.correction.against import adjusted_pair_sum, set_against
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut
from chancecorr.correction.intervals.limits import (
    ROUNDING,
    estimate_by_resampling,
    plug_in_score,
    too_many_cells,
)
from chancecorr.correction.nulls import null_distributions
from chancecorr.correction.question import Question, questions_about
from chancecorr.correction.request import Request
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.indices.registry import Index
from chancecorr.kinds.methods import AUTO
from chancecorr.tables.contingency import ContingencyTable


def leave_groups_out(
    indices: tuple[Index, ...],
    table: ContingencyTable,
    without: Sequence[ContingencyTable],
    asked: Request,
    nulls: Mapping[str, NullDistribution] | None = None,
) -> dict[str, LeaveOneOut]:
    """Adjusted scores of several indices without one group of objects, by index name.

    Parameters
    ----------
    indices : tuple of Index
        What measures agreement.
    table : ContingencyTable
        The two clusterings of the sample.
    without : sequence of ContingencyTable
        The same without the objects of each group in turn.
    asked : Request
        How the scores are corrected.
    nulls : mapping of str to NullDistribution, optional
        Null distributions of the table by index name, where they are there already.

    Returns
    -------
    dict of str to LeaveOneOut
        With a group in place of an object. Where the expected value does not follow from the margins, the
        scores are those by its limit, see `limits`.
    """
    questions = questions_about(table.margins, indices, asked)
    nulls = null_distributions(questions) if nulls is None else nulls
    return {each.name: _of_index(each, table, without, nulls[each.name]) for each in questions}


def _of_index(
    question: Question, table: ContingencyTable, without: Sequence[ContingencyTable], null: NullDistribution
) -> LeaveOneOut:
    index, best = question.index, question.asked.best
    whole = set_against(index, question.value(table), question.best, null.mean, null.std == 0.0)
    rows, columns, _ = table.nonzero_cells
    each_once = np.ones(len(without), dtype=np.int64)
    scores = np.full(len(without), math.nan)
    found = LeaveOneOut(
        whole=whole,
        rows=rows,
        columns=columns,
        counts=each_once,
        without=scores,
        estimate=whole,
        cost=1.0 - min(each.n for each in without) / table.n,
        grouped=True,
    )
    if not math.isfinite(whole):
        return found
    by_mean = _adjusted(question, table)
    if by_mean is not None:
        scores = np.array([_adjusted(_about(question, each), each) for each in without], dtype=np.float64)
        return _perfect_or_not(dataclasses.replace(found, without=scores))
    if too_many_cells(table.margins):
        return dataclasses.replace(found, without=np.zeros(len(without)), bias_left=math.inf)
    scores = np.array([plug_in_score(index, each, best) for each in without])
    found = _perfect_or_not(dataclasses.replace(found, without=scores, by_limit=True))
    if found.perfect or not np.isfinite(scores).all():
        return found
    rng = np.random.default_rng(int(question.asked.seed))
    estimate, bias = estimate_by_resampling(index, table, best, rng)
    return dataclasses.replace(found, estimate=estimate - bias / 2.0, bias_left=bias / 2.0)


def _about(question: Question, table: ContingencyTable) -> Question:
    return Question(index=question.index, margins=table.margins, asked=question.asked)


def _adjusted(question: Question, table: ContingencyTable) -> float | None:
    """Adjusted score by a mean from the margins, whatever the method; None where there is none."""
    asked = dataclasses.replace(question.asked, method=AUTO.within(question.asked.budget))
    mean = Question(index=question.index, margins=table.margins, asked=asked).mean
    if mean is None:
        return None
    low, high = pair_sum_range(table.margins)
    squares = table.margins.squares
    exactly = adjusted_pair_sum(question.index, table.sum_of_squares, *squares, table.n, asked)
    return set_against(question.index, question.value(table), question.best, mean, low == high, exactly)


def _perfect_or_not(found: LeaveOneOut) -> LeaveOneOut:
    perfect = abs(found.whole - 1.0) <= ROUNDING and bool((np.abs(found.without - 1.0) <= ROUNDING).all())
    return dataclasses.replace(found, perfect=perfect)
