"""Evaluate candidates together: they share null distributions (equal sizes) or all numbers (equal tables)."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.chance.engines import get_engine
from chancecorr.chance.fixed_margins import TableModel
from chancecorr.chance.models import make_model_of_draws, make_model_of_margins
from chancecorr.chance.options import Options
from chancecorr.correction.adjust import compute_scores
from chancecorr.correction.interval import (
    Difference,
    compute_difference,
    make_difference_of_same,
    make_unknown_interval,
)
from chancecorr.correction.jackknife import (
    LeaveOneOut,
    forecast_leaving_out,
    leave_groups_out,
    leave_one_out,
    leave_out,
)
from chancecorr.correction.nulls import find_nulls
from chancecorr.correction.scores import AdjustedScore
from chancecorr.correction.simulation import Nulls
from chancecorr.indices.registry import Index, LabelledIndex
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.sampling.workers import map_in_threads, show_progress
from chancecorr.tables.contingency import ContingencyTable, Margins, count_table
from chancecorr.tables.crosstab import add_cells, cross_tabulate, number_labels
from chancecorr.tables.objects import leave_out_groups

MICROSECONDS_BY_FORMULA, MICROSECONDS_BY_QUADRATURE, MICROSECONDS_OF_OTHERS = 300.0, 15_000.0, 2_000.0
"""Time per score after removing one group, by the way its mean is computed."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluation:
    """Adjusted scores of a table by index name, and the jackknife scores for intervals and differences."""

    scores: Mapping[str, AdjustedScore]
    without_one: Mapping[str, LeaveOneOut]  # empty if no intervals were requested
    cells: npt.NDArray[Any]  # the number of the non-empty cell of each object; below 0 if it is left out
    groups: Integers | None = None  # the group of each object; None if objects are independent
    named_cells: npt.NDArray[Any] | None = None  # as `cells`, for indices that compare labels by name

    def difference(self, other: "Evaluation", index: str, level: float) -> Difference:
        """Return the adjusted score less another candidate's, on the objects that both have."""
        both = None
        if "i" in (self.cells.dtype.kind, other.cells.dtype.kind):
            both = (self.cells >= 0) & (other.cells >= 0)
            if not both.any():
                interval = make_unknown_interval(level, "the candidates have no object in common")
                return Difference(difference=math.nan, interval=interval, p_value=math.nan)
        has_score = not math.isnan(self.scores[index].adjusted)
        if has_score and self._is_same(other, both, index):
            return make_difference_of_same(level)
        first, first_cells = self._restrict(both, index)
        second, second_cells = other._restrict(both, index)
        if self.groups is None:  # non-empty cells of the table reference x first x second
            both_cells = count_table(cross_tabulate(first_cells, second_cells).counts).nonzero_cells
            return compute_difference(first, second, *both_cells, level)
        groups = np.arange(first.counts.size)
        return compute_difference(first, second, groups, groups, first.counts, level)

    def influences(self, index: str, objects: slice) -> Floats:
        """Return the influence of some objects, or of each group, on a score; squares sum to its variance."""
        left_out = self.without_one[index]
        centred = left_out.without - left_out.counts @ left_out.without / left_out.draws
        scaled = math.sqrt((left_out.draws - 1) / left_out.draws) * centred
        if self.groups is None:
            cells = self._cells(index)[objects]
            return np.where(cells >= 0, scaled[cells], 0.0)
        parts = np.zeros(int(self.groups.max()) + 1)
        parts[np.unique(self.groups[self.cells >= 0])] = scaled
        return parts

    def _is_same(self, other: "Evaluation", objects: Booleans | None, index: str) -> bool:
        """Return True if two candidates cluster `objects` alike; for named indices, with the same labels."""
        columns = [side._columns(objects, index) for side in (self, other)]
        if self.scores[index].entry.named:
            labels = (side._model(index).table.column_labels for side in (self, other))
            return np.array_equal(*(names[of_side] for names, of_side in zip(labels, columns, strict=True)))
        pair = count_table(cross_tabulate(*columns).counts)
        return pair.shape == (pair.nonzero_cells[0].size,) * 2

    def _columns(self, objects: Booleans | None, index: str) -> npt.NDArray[Any]:
        """Return the candidate's cluster of each of the objects."""
        columns, cells = self._model(index).table.nonzero_cells[1], self._cells(index)
        return np.asarray(columns[cells if objects is None else cells[objects]])

    def _cells(self, index: str) -> npt.NDArray[Any]:
        """Return each object's cell in the table that the index uses."""
        is_named = self.scores[index].entry.named
        return self.cells if self.named_cells is None or not is_named else self.named_cells

    def _restrict(self, objects: Booleans | None, index: str) -> tuple[LeaveOneOut, npt.NDArray[Any]]:
        """Return the jackknife scores and the cells of the objects in `objects`."""
        cells = self._cells(index) if objects is None else self._cells(index)[objects]
        model, entry = self._model(index), self.scores[index].entry
        if cells.size == model.n:
            return self.without_one[index], cells
        rows, columns, _ = model.table.nonzero_cells
        in_row, in_column = rows[cells], columns[cells]
        if entry.named:
            table = count_table(add_cells(in_row, in_column, None, model.table.shape, is_dense=True))
        else:
            in_row, in_column = (number_labels(side)[0] for side in (in_row, in_column))
            table = count_table(cross_tabulate(in_row, in_column).counts)
        cells = number_cells_of_objects(in_row, in_column, table.shape[1])
        model = model.on(table.margins).of(table)
        null = find_nulls(model, (entry,))[index]
        if self.groups is None:
            return leave_one_out(model, entry, null), cells
        numbers = number_labels(self.groups[objects])[0]
        parts = leave_out_groups(table, cells, numbers, keep_empty=bool(entry.named))
        return leave_groups_out(model, entry, parts, null), cells

    def _model(self, index: str) -> Any:
        """Return the model of the table; named indices have a model of their own."""
        return self.scores[index].model


def join_evaluations(
    first: Sequence[Evaluation], named: Sequence[Evaluation], order: Sequence[str]
) -> list[Evaluation]:
    """Join two evaluations of each candidate: by plain indices, and by indices that compare names."""
    if not (first and named):
        return list(first or named)
    return [
        replace(
            one,
            scores={name: (one if name in one.scores else other).scores[name] for name in order},
            without_one={**one.without_one, **other.without_one},
            named_cells=other.cells,
        )
        for one, other in zip(first, named, strict=True)
    ]


def evaluate(
    tables: Sequence[ContingencyTable], cells: Sequence[npt.NDArray[Any]], indices: tuple[Index, ...],
    options: Options, *, with_intervals: bool, groups: Integers | None = None,
) -> list[Evaluation]:  # fmt: skip
    """Evaluate each table, given the cell of each object; equal tables are evaluated once."""
    by_group = groups if with_intervals else None
    if by_group is not None:
        _check_seconds_of_groups(indices, options, int(by_group.max()) + 1, len(tables))
    labelled = [LabelledIndex(index, index.name) for index in indices]
    for index in indices:  # here, because threads would do it at the same time
        get_engine(index).prepare(index)
    if options.draws is not None:

        def score_drawn(k: int, alone: Options) -> list[AdjustedScore]:
            rows, columns, _ = tables[k].nonzero_cells
            kept = cells[k][cells[k] >= 0]
            model = make_model_of_draws(tables[k], alone, (rows[kept], columns[kept]))
            return compute_scores(model, labelled)

        return evaluate_one_by_one(score_drawn, cells, options)
    if with_intervals and by_group is None and options.budget.seconds is not None:
        given = [make_model_of_margins(table.margins, options).of(table) for table in dict.fromkeys(tables)]
        seconds = sum(forecast_leaving_out(model, index) for model in given for index in indices)
        options.budget.check_seconds("intervals, which `interval=None` leaves out", seconds)
    margins = list(dict.fromkeys(table.margins for table in tables))
    alone = replace(options, n_jobs=1, progress=False).split_budget(len(margins))

    def find_laws(of: Margins) -> tuple[TableModel, Nulls]:
        model = make_model_of_margins(of, options if len(margins) == 1 else alone)
        alike = [model.of(table) for table in dict.fromkeys(tables) if table.margins == of]
        return model, find_nulls(model, indices, alike)

    def evaluate_table(k: int) -> Evaluation:
        model, nulls = laws_of[tables[k].margins]
        model = replace(model.of(tables[k]), options=alone)
        scores = {score.index: score for score in compute_scores(model, labelled, nulls)}
        without_one: dict[str, LeaveOneOut] = {}
        if by_group is not None:
            kept = cells[k] >= 0
            numbers, keep_empty = number_labels(by_group[kept])[0], bool(indices[0].named)
            parts = leave_out_groups(tables[k], cells[k][kept], numbers, keep_empty=keep_empty)
            without_one = {x.name: leave_groups_out(model, x, parts, nulls[x.name]) for x in indices}
        elif with_intervals:
            without_one = {x.name: leave_out(model, x, nulls[x.name], None) for x in indices}
        return Evaluation(scores=scores, without_one=without_one, cells=cells[k], groups=groups)

    share_out = functools.partial(map_in_threads, n_jobs=options.n_jobs, progress=options.progress)
    laws_of = dict(zip(margins, share_out(find_laws, margins, unit="null distributions"), strict=True))
    first_of = {table: k for k, table in reversed(list(enumerate(tables)))}
    places = [first_of[table] if by_group is None else k for k, table in enumerate(tables)]
    wanted = sorted(set(places))
    evaluations = dict(zip(wanted, share_out(evaluate_table, wanted, unit="candidates"), strict=True))
    return [
        replace(evaluations[place], cells=of_objects) for place, of_objects in zip(places, cells, strict=True)
    ]


def evaluate_one_by_one(
    score_one: Callable[[int, Options], list[AdjustedScore]], cells: Sequence[npt.NDArray[Any]],
    options: Options,
) -> list[Evaluation]:  # fmt: skip
    """Evaluate the candidates without intervals, one after the other, each on all workers."""
    alone, evaluations = replace(options, progress=False).split_budget(len(cells)), list[Evaluation]()
    with show_progress("candidates", len(cells), options.progress) as show:
        for k, of_objects in enumerate(cells):
            scores = {score.index: score for score in score_one(k, alone)}
            evaluations.append(Evaluation(scores=scores, without_one={}, cells=of_objects))
            show(k + 1)
    return evaluations


def _check_seconds_of_groups(
    indices: tuple[Index, ...], options: Options, n_groups: int, n_tables: int
) -> None:
    """Raise if the jackknife over groups, for all tables, takes longer than the budget allows."""
    others = (
        MICROSECONDS_BY_QUADRATURE if get_engine(index).goes_by_pair_sum else MICROSECONDS_OF_OTHERS
        for index in indices
        if not index.affine
    )
    seconds = 1e-6 * (MICROSECONDS_BY_FORMULA * sum(index.affine for index in indices) + sum(others))
    what = f"intervals by {n_groups:,} groups, which `interval=None` leaves out"
    options.budget.check_seconds(what, seconds * n_groups * n_tables)


def align_columns(tables: Sequence[ContingencyTable]) -> list[tuple[ContingencyTable, Integers]]:
    """Return tables whose columns are ordered alike if their totals are equal, and each column's position."""
    first_orders: dict[bytes, Integers] = {}
    ordered = []
    for table in tables:
        places = np.arange(table.shape[1])
        if isinstance(table.counts, np.ndarray):
            # order by total, then by the counts from the first row on
            order = np.lexsort((*table.counts[::-1], table.column_totals))
            first = first_orders.setdefault(table.column_totals[order].tobytes(), order)
            places[order] = first
            if not np.array_equal(order, first):
                counts = np.empty_like(table.counts)
                counts[:, places] = table.counts
                table = count_table(counts)
        ordered.append((table, places))
    return ordered


def number_cells_of_objects(
    rows: npt.NDArray[Any], columns: npt.NDArray[Any], n_columns: int, kept: Booleans | None = None
) -> npt.NDArray[Any]:
    """Return each object's cell as its position in ``nonzero_cells``; -1 if the object is not kept."""
    cells, n_cells, _ = number_labels(rows.astype(np.int64) * n_columns + columns)
    if kept is None:
        return cells.astype(np.min_scalar_type(max(n_cells - 1, 0)))
    of_given = np.full(kept.size, -1, dtype=np.min_scalar_type(-max(n_cells, 1)))
    of_given[kept] = cells
    return of_given
