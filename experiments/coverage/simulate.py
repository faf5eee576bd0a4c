"""Samples from a population, their intervals, and how often these hold the population's score."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

import chancecorr as cc
from chancecorr.compiled import Floats, Integers
from chancecorr.correction.best import best_value
from chancecorr.correction.intervals.differences import difference_of
from chancecorr.correction.intervals.interval import interval_of, jackknife_interval, jackknife_variance
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut, leave_one_out
from chancecorr.correction.nulls import null_distributions
from chancecorr.correction.request import Request, request
from chancecorr.kinds import kind_of
from experiments.coverage.populations import Population, adjusted_limit

LEVEL = 0.95


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
        Share of the samples whose interval holds it.
    too_high, too_low : float
        Shares of the samples whose interval lies above it and below it.
    unknown : float
        Share of the samples that have no interval.
    width : float
        Median width of the intervals.
    held_by_control : float
        Share that holds it of intervals for which the expected value is not changed with an object; nan where
        that was not asked.
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
    held_by_control: float

    @property
    def standard_error(self) -> float:
        """Of `held`."""
        return math.sqrt(self.held * (1.0 - self.held) / self.samples)


def coverage_of_scores(
    population: Population, n: int, samples: int, names: tuple[str, ...], rng: np.random.Generator
) -> list[Coverage]:
    """Coverage of intervals of adjusted scores, for several indices on the same samples."""
    indices = tuple(map(cc.get_index, names))
    ends: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    control: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for _ in range(samples):
        table = sampled(population.shares, n, rng)
        found, fixed = scores_without(indices, table, rng)
        for name in names:
            interval = jackknife_interval(found[name], LEVEL)
            ends[name].append((interval.low, interval.high))
            variance = jackknife_variance(fixed[name].without, fixed[name].counts)
            interval = interval_of(fixed[name], found[name].whole, variance, LEVEL, "jackknife")
            control[name].append((interval.low, interval.high))
    return [
        _coverage(
            population.name, name, n, adjusted_limit(name, population.shares), ends[name], control[name]
        )
        for name in names
    ]


def coverage_of_differences(
    population: Population, n: int, samples: int, names: tuple[str, ...], rng: np.random.Generator
) -> list[Coverage]:
    """Coverage of intervals of the difference of two candidates' adjusted scores."""
    indices = tuple(map(cc.get_index, names))
    ends: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for _ in range(samples):
        counts = rng.multinomial(n, population.shares.ravel()).reshape(population.shares.shape)
        cells = np.nonzero(counts)
        tables = [cc.ContingencyTable(counts.sum(axis=axis)) for axis in (2, 1)]
        scores = [scores_without(indices, table, rng)[0] for table in tables]
        places = [_places(table, cells[0], cells[side]) for side, table in enumerate(tables, start=1)]
        for name in names:
            both = (scores[0][name], scores[1][name])
            found = difference_of(*both, places[0], places[1], counts[cells], LEVEL).interval
            ends[name].append((found.low, found.high))
    truths = {
        name: adjusted_limit(name, population.of_candidate(0))
        - adjusted_limit(name, population.of_candidate(1))
        for name in names
    }
    return [_coverage(population.name, name, n, truths[name], ends[name], []) for name in names]


def sampled(shares: Floats, n: int, rng: np.random.Generator) -> cc.ContingencyTable:
    """Table of n objects, without the clusters that have none."""
    counts = rng.multinomial(n, shares.ravel()).reshape(shares.shape)
    return cc.ContingencyTable(counts[counts.any(axis=1)][:, counts.any(axis=0)])


def scores_without(
    indices: tuple[cc.Index, ...], table: cc.ContingencyTable, rng: np.random.Generator
) -> tuple[Mapping[str, LeaveOneOut], Mapping[str, LeaveOneOut]]:
    """Scores without one object, and the same where the expected value stays as it is."""
    found: dict[str, LeaveOneOut] = {}
    fixed: dict[str, LeaveOneOut] = {}
    for index in indices:
        asked = _asked(index, rng)
        null = null_distributions(table.margins, (index,), asked)[index.name]
        found |= leave_one_out((index,), table, asked, {index.name: null})
        best = best_value(index, table.margins, None)
        values = kind_of(index).values_less_one(index, table)
        without = (values - null.mean) / (best - null.mean)
        fixed[index.name] = replace(found[index.name], without=without)
    return found, fixed


def _asked(index: cc.Index, rng: np.random.Generator) -> Request:
    if index.needs == "table":
        return request({"method": "monte-carlo", "n_tables": 2_000, "rng": rng})
    return request({"method": "analytic"})


def _places(table: cc.ContingencyTable, rows: Integers, columns: Integers) -> Integers:
    """Places of these cells among the non-empty cells of a table."""
    filled = table.dense_counts() > 0
    number = np.cumsum(filled.ravel()).reshape(filled.shape) - 1
    return np.asarray(number[rows, columns])


def _coverage(
    population: str,
    index: str,
    n: int,
    truth: float,
    ends: list[tuple[float, float]],
    control: list[tuple[float, float]],
) -> Coverage:
    low, high = np.array(ends).T
    known = np.isfinite(low) & np.isfinite(high)
    held = (low <= truth + 1e-12) & (high >= truth - 1e-12)
    by_control = math.nan
    if control:
        fixed_low, fixed_high = np.array(control).T
        by_control = float(((fixed_low <= truth + 1e-12) & (fixed_high >= truth - 1e-12)).mean())
    return Coverage(
        population=population,
        index=index,
        n=n,
        samples=len(ends),
        truth=truth,
        held=float(held.mean()),
        too_high=float((known & (low > truth + 1e-12)).mean()),
        too_low=float((known & (high < truth - 1e-12)).mean()),
        unknown=float((~known).mean()),
        width=float(np.median((high - low)[known])) if known.any() else math.nan,
        held_by_control=by_control,
    )
