"""Scores of weighted objects: chance exchanges the candidate's labels, weights stay with their objects."""

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.budget import DEFAULT_SECONDS
from chancecorr.chance.engine import Known
from chancecorr.chance.engines import engine_of
from chancecorr.chance.null_distribution import NullDistribution, analytic_null, simulated_null
from chancecorr.chance.options import Request
from chancecorr.correction.affordable import FEWEST_TABLES, draw_in_time, note_of_fewer, require_draws
from chancecorr.correction.intervals.source import WeightedSource
from chancecorr.correction.scores import AdjustedScore, score_of
from chancecorr.correction.tails import tail_of_values
from chancecorr.exact.laws.ties import rounding
from chancecorr.exact.moments.summary import Moments
from chancecorr.exact.moments.weighted import WeightedObjects, weighted_moments
from chancecorr.indices.registry import Index
from chancecorr.indices.weighted import check_weightable, weighted_values
from chancecorr.machine.arrays import Booleans, Floats
from chancecorr.null.kernels.weighted import fill_weighted
from chancecorr.simulation.task import Joint
from chancecorr.simulation.workers import map_in_threads
from chancecorr.tables.contingency import Margins
from chancecorr.tables.crosstab import numbered
from chancecorr.tables.grouping import in_few_bytes
from chancecorr.tables.reading import LabelPair

Weights = Any | Literal["reference"]

NANOSECONDS_OF_AN_OBJECT, NANOSECONDS_OF_A_CELL, NANOSECONDS_OF_A_TABLE = 8.0, 25.0, 20_000.0
"""Of a simulated table and of an index on it."""

NUMBERS_AT_ONCE = 1 << 20
"""Cells of the tables of a block, and objects shuffled in it: about ten milliseconds."""


def weighted_objects(weights: Weights, pair: LabelPair) -> WeightedObjects:
    """Objects that are kept, their weights with mean 1; "reference" gives each of its clusters the same."""
    (rows, _, _), (columns, _, _) = (numbered(codes) for codes in pair.codes)
    if isinstance(weights, str):
        if weights != "reference":
            raise ArgumentValueError("weights", f"must be numbers, 'reference' or None; got {weights!r}.")
        found = 1.0 / np.bincount(rows)[rows]
    else:
        found = _as_weights(weights, pair.objects, pair.kept)
    return WeightedObjects(rows, columns, found / found.mean())


def _as_weights(weights: Any, n: int, kept: Booleans | None) -> Floats:
    """Finite numbers from 0 on, one for each object, not all 0."""
    try:
        numbers = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentTypeError(
            "weights", f"must be numbers, 'reference' or None; got {type(weights).__name__}."
        ) from None
    if numbers.shape != (n,):
        raise ArgumentValueError(
            "weights", f"must have shape ({n},), one for each object; got {numbers.shape}."
        )
    if not (np.isfinite(numbers).all() and (numbers >= 0.0).all()):
        bad = numbers[~(np.isfinite(numbers) & (numbers >= 0.0))][0]
        raise ArgumentValueError("weights", f"must be finite numbers from 0 on; got {bad}.")
    numbers = numbers if kept is None else numbers[kept]
    if not numbers.any():
        raise ArgumentValueError("weights", "must have one above 0; got none.")
    return np.ldexp(numbers, -math.frexp(float(numbers.max()))[1])  # in a unit of which no sum overflows


def weighted_scores(
    objects: WeightedObjects,
    indices: Sequence[Index],
    asked: Request,
    note: str = "",
    *,
    mean_only: bool = False,
) -> list[AdjustedScore]:
    """Adjusted scores of several indices on the same tables; no tables if all means are known and enough."""
    for index in indices:
        check_weightable(index)
    _check_request(asked)
    sizes = np.bincount(objects.rows), np.bincount(objects.columns)
    observed = np.zeros((1, *map(len, sizes)))
    np.add.at(observed[0], (objects.rows, objects.columns), objects.weights)
    known = {index.name: weighted_moments(index, objects) for index in indices}
    enough = asked.method.needs_moments or (mean_only and None not in known.values())
    drawn = {} if enough else _simulated(objects, indices, known, asked)
    return [_score(index, objects, observed, known[index.name], drawn, asked, note) for index in indices]


def _check_request(asked: Request) -> None:
    """Raise where something is asked for that weights do not go with."""
    if not asked.model.is_permutation:
        raise ArgumentValueError(
            "weights", f"must be None under model {asked.model.name!r}: weights go with 'permutation' alone."
        )
    if asked.method.needs_law:
        raise ArgumentValueError(
            "method", "must be 'auto', 'analytic' or 'monte-carlo' with `weights`; got 'exact'.", "weights"
        )
    if asked.checkpoint is not None or asked.precision is not None:
        raise ArgumentValueError(
            "method", "must have no checkpoint and no precision with `weights`.", "weights"
        )
    asked.best_or(0.0)  # raises, before the work


def _simulated(
    objects: WeightedObjects,
    indices: Sequence[Index],
    known: dict[str, Moments | None],
    asked: Request,
) -> dict[str, Floats]:
    """Values of indices on as many tables as there is time for; none of known moments if these are few."""
    n, shape = objects.rows.size, (int(objects.rows.max()) + 1, int(objects.columns.max()) + 1)
    cells = math.prod(shape)
    square = math.fsum(objects.weights**2)
    nanoseconds = NANOSECONDS_OF_AN_OBJECT * n + len(indices) * (
        NANOSECONDS_OF_A_TABLE + NANOSECONDS_OF_A_CELL * cells
    )
    of_tables = (each for each in indices if each.needs == "table")
    nanoseconds += sum(engine_of(each).nanoseconds(each, shape, n) for each in of_tables)
    seconds = DEFAULT_SECONDS if asked.budget.seconds is None else asked.budget.seconds
    n_tables = asked.n_tables
    if asked.n_tables_is_limit:
        n_tables = int(min(n_tables, 1e9 * seconds / nanoseconds))
    size = max(1, NUMBERS_AT_ONCE // max(cells, n))
    columns = in_few_bytes(objects.columns)  # shuffled in the cache: six times as fast for a million objects

    def draw(start: int, count: int) -> list[Floats]:
        def of_block(first: int) -> list[Floats]:
            tables = np.empty((min(size, start + count - first), *shape))
            fill_weighted(asked.seed, first, objects.rows, columns, objects.weights, columns.copy(), tables)
            return [weighted_values(index, tables, square) for index in indices]

        blocks = list(map_in_threads(asked.n_jobs)(of_block, range(start, start + count, size)))
        return [np.concatenate(of_index) for of_index in zip(*blocks, strict=True)]

    parts = draw_in_time(draw, n_tables, asked, 1e-9 * nanoseconds)
    values_of = {}
    for k, index in enumerate(indices):
        values = np.concatenate([part[k] for part in parts] or [np.empty(0)])
        if known[index.name] is None or asked.method.only_tables:
            require_draws(index.name, values.size, asked, 1e-9 * nanoseconds, "table")
        if values.size >= min(FEWEST_TABLES, asked.n_tables):
            values_of[index.name] = values
    return values_of


def _score(
    index: Index,
    objects: WeightedObjects,
    observed_table: Floats,
    moments: Moments | None,
    drawn: dict[str, Floats],
    asked: Request,
    note: str,
) -> AdjustedScore:
    """Score of one index from its moments, if known, and its simulated values, if any."""
    square = math.fsum(objects.weights**2)

    def value_of(table: Floats) -> float:
        return float(weighted_values(index, table, square)[0])

    observed, best = value_of(observed_table), index.best
    if best is None:
        own = [observed_table.sum(axis=axis)[0] for axis in (2, 1)]
        best = sum(value_of(np.diag(totals)[np.newaxis]) for totals in own) / 2.0
    best = asked.best_or(best)
    known = None if moments is None or asked.method.only_tables else Known(moments, 0.0)
    values = drawn.get(index.name)
    if values is not None:  # shares of the whole weight, which the index is of, have the size of 1
        largest = max(abs(observed), 0.0 if index.needs == "pairs" else 1.0)
        with np.errstate(invalid="ignore"):  # infinite less infinite
            values = np.where(np.abs(values - observed) <= rounding(largest), observed, values)
    null = _null(index, objects, known, values, asked)
    tail = tail_of_values(
        null, observed, asked.alternative or ("greater" if index.larger_is_better else "less")
    )
    score = dataclasses.replace(score_of(index, (observed, best), null, tail, asked), reading_note=note)
    if moments is None:
        return score
    source = WeightedSource(index=index, objects=objects, asked=asked, null=null, whole=score.adjusted)
    return dataclasses.replace(score, source=source)


def _null(
    index: Index, objects: WeightedObjects, known: Known | None, values: Floats | None, asked: Request
) -> NullDistribution:
    """Null distribution from the moments, the simulated values, or both."""
    margins = Margins(np.bincount(objects.rows), np.bincount(objects.columns))
    if values is None:
        if known is None:
            raise ArgumentValueError(
                "method",
                f"must be 'auto' or 'monte-carlo' for index {index.name!r} with `weights`: it is not linear"
                f" in the pair counts; got {asked.method.name!r}.",
                "weights",
            )
        note = (
            "" if asked.method.needs_moments or asked.method.mean_alone else note_of_fewer(0, asked.n_tables)
        )
        return analytic_null(index.name, margins, known, note=note)
    joint = Joint(values, None, np.ones(values.size, dtype=np.int64))
    note = note_of_fewer(values.size, asked.n_tables) if values.size < asked.n_tables else ""
    return simulated_null(index.name, margins, joint, known, settled=known is not None, note=note)
