"""Samples from a population, their intervals, and how often these hold the population's score."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

import chancecorr as cc
from chancecorr.chance.engine import get_engine
from chancecorr.chance.jackknife import LeaveOneOut, leave_one_out
from chancecorr.chance.models import make_model_of_table
from chancecorr.chance.options import Options, read_options
from chancecorr.correction.interval import Interval, compute_difference, make_interval
from chancecorr.correction.nulls import find_nulls
from chancecorr.machine.arrays import Floats, Integers
from experiments.coverage.populations import Population, adjusted_limit

LEVEL = 0.95

Scores = Mapping[str, LeaveOneOut]
"""Scores and what they are without one object, by index name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How the intervals of one index did in samples of one size from one population.

    Attributes
    ----------
    population, index : str
        What was sampled, and what was adjusted.
    n, samples : int
        Objects of a sample, and samples.
    truth : float
        The population's adjusted score, or the difference of two.
    held : float
        Share of the intervals that hold it; nan where no sample has one.
    too_high, too_low : float
        Shares of the intervals that lie above it and below it.
    unknown : float
        Share of the samples that have no interval.
    width : float
        Median width of the intervals.
    """

    population: str
    index: str
    n: int
    samples: int
    truth: float
    held: float
    too_high: float
    too_low: float
    unknown: float
    width: float


def coverage_of_scores(
    population: Population,
    n: int,
    samples: int,
    names: tuple[str, ...],
    rng: np.random.Generator,
    *,
    fixed: bool = False,
) -> list[Coverage]:
    """Coverage of intervals of adjusted scores, for several indices on the same samples.

    The negative control: with `fixed` the expected value stays what it is when an object is left out.
    """
    indices = tuple(map(cc.get_index, names))
    scores_of = _scores_at_fixed_expectation if fixed else _scores_without

    def intervals() -> list[Interval]:
        found = scores_of(indices, sampled(population.shares, n, rng), rng)
        return [make_interval(found[name], LEVEL) for name in names]

    truths = [adjusted_limit(name, population.shares) for name in names]
    return _coverages(population, names, n, samples, truths, intervals)


def coverage_of_differences(
    population: Population, n: int, samples: int, names: tuple[str, ...], rng: np.random.Generator
) -> list[Coverage]:
    """Coverage of intervals of the difference of two candidates' adjusted scores."""
    indices = tuple(map(cc.get_index, names))

    def intervals() -> list[Interval]:
        counts = rng.multinomial(n, population.shares.ravel()).reshape(population.shares.shape)
        cells = np.nonzero(counts)
        tables = [cc.ContingencyTable(counts.sum(axis=axis)) for axis in (2, 1)]
        first, second = (_scores_without(indices, table, rng) for table in tables)
        places = [_places(table, cells[0], cells[side]) for side, table in enumerate(tables, start=1)]
        return [
            compute_difference(first[name], second[name], places[0], places[1], counts[cells], LEVEL).interval
            for name in names
        ]

    limits = [[adjusted_limit(name, population.of_candidate(k)) for name in names] for k in (0, 1)]
    truths = [first - second for first, second in zip(*limits, strict=True)]
    return _coverages(population, names, n, samples, truths, intervals)


def sampled(shares: Floats, n: int, rng: np.random.Generator) -> cc.ContingencyTable:
    """Table of n objects, without the clusters that have none."""
    counts = rng.multinomial(n, shares.ravel()).reshape(shares.shape)
    return cc.ContingencyTable(counts[counts.any(axis=1)][:, counts.any(axis=0)])


def _scores_without(
    indices: tuple[cc.indices.Index, ...], table: cc.ContingencyTable, rng: np.random.Generator
) -> Scores:
    found: dict[str, LeaveOneOut] = {}
    for index in indices:
        model = make_model_of_table(table, _options(index, rng))
        found[index.name] = leave_one_out(model, index, find_nulls(model, (index,))[index.name])
    return found


def _scores_at_fixed_expectation(
    indices: tuple[cc.indices.Index, ...], table: cc.ContingencyTable, rng: np.random.Generator
) -> Scores:
    fixed = {}
    for index in indices:
        model = make_model_of_table(table, _options(index, rng))
        null = find_nulls(model, (index,))[index.name]
        found = leave_one_out(model, index, null)
        mean, best = null.mean, model.best(index)
        without = (get_engine(index).evaluate_less_one(index, table) - mean) / (best - mean)
        fixed[index.name] = replace(found, without=without, estimate=found.whole)
    return fixed


def _options(index: cc.indices.Index, rng: np.random.Generator) -> Options:
    if index.needs == "table":
        return read_options(method="monte-carlo", n_tables=500, rng=rng)
    return read_options(method="analytic")


def _places(table: cc.ContingencyTable, rows: Integers, columns: Integers) -> Integers:
    """Places of these cells among the non-empty cells of a table."""
    filled = table.dense_counts() > 0
    number = np.cumsum(filled.ravel()).reshape(filled.shape) - 1
    return np.asarray(number[rows, columns])


def _coverages(
    population: Population,
    names: tuple[str, ...],
    n: int,
    samples: int,
    truths: list[float],
    intervals: Callable[[], list[Interval]],
) -> list[Coverage]:
    """Coverage of each index's intervals, all drawn `samples` times."""
    ends = np.array([[(each.low, each.high) for each in intervals()] for _ in range(samples)])
    found = []
    for k, (name, truth) in enumerate(zip(names, truths, strict=True)):
        low, high = ends[:, k, 0] - 1e-12, ends[:, k, 1] + 1e-12
        known = np.isfinite(low) & np.isfinite(high)
        shown = max(int(known.sum()), 1)
        above, below = (known & (low > truth)).sum() / shown, (known & (high < truth)).sum() / shown
        found.append(
            Coverage(
                population=population.name,
                index=name,
                n=n,
                samples=samples,
                truth=truth,
                held=float(1.0 - above - below) if known.any() else math.nan,
                too_high=float(above),
                too_low=float(below),
                unknown=float((~known).mean()),
                width=float(np.median((high - low)[known])) if known.any() else math.nan,
            )
        )
    return found
