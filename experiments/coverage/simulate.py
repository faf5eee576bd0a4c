"""Populations, samples from them, their intervals, and how often these hold the population's score.

A population is the share of objects in every cell. Its adjusted score is the limit of that of a sample as the
sample grows. With shares ``p_ij``, ``r_i`` and ``c_j`` in place of counts, ``T / n**2`` has the limit ``tau =
sum p_ij**2``, and by chance ``sum r_i**2 sum c_j**2`` with a standard deviation that vanishes. So the limit
of an index of pair counts that depends on their ratios alone is its function of ``tau / 2`` and so on, and
the limit of its expected value is the same function at independence. Other continuous functions of the shares
go the same way.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

import chancecorr as cc
from chancecorr import get_index
from chancecorr.chance.engines import get_engine
from chancecorr.chance.models import make_model_of_table
from chancecorr.chance.options import Options
from chancecorr.correction.interval import Interval, compute_difference, make_interval
from chancecorr.correction.jackknife import LeaveOneOut, leave_one_out
from chancecorr.correction.nulls import find_nulls
from chancecorr.correction.options import read_options
from chancecorr.machine.arrays import Floats, Integers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """Shares of the objects by reference (first axis) and one candidate, or two (second and third)."""

    name: str
    shares: Floats

    def of_candidate(self, number: int) -> Floats:
        """Shares by reference and this candidate alone, 0 or 1."""
        return self.shares if self.shares.ndim == 2 else self.shares.sum(axis=2 - number)


def blurred(sizes: Floats, mixed: float, parts: int = 1) -> Floats:
    """A candidate that splits each reference cluster into `parts`, and draws some objects' clusters anew.

    Of the objects, the share `mixed` is in a cluster of the candidate that does not go by the reference.
    """
    K = sizes.size
    split = np.kron(np.diag(sizes), np.full(parts, 1.0 / parts))
    columns = split.sum(axis=0)
    independent = np.outer(sizes, columns).reshape(K, -1)
    return (1.0 - mixed) * split + mixed * independent


def together(first: Floats, second: Floats) -> Floats:
    """Two candidates that are independent given the reference; shape (K, Q1, Q2)."""
    found: Floats = np.einsum("ij,ik,i->ijk", first, second, 1.0 / first.sum(axis=1))
    return found


def adjusted_limit(name: str, shares: Floats) -> float:
    """Adjusted score of a population, by the index's name."""
    independent = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    limit = LIMITS.get(name) or _of_pairs(name)
    observed, expected = limit(shares), limit(independent)
    return (observed - expected) / (1.0 - expected)


def _of_pairs(name: str) -> Callable[[Floats], float]:
    function = get_index(name).function

    def limit(shares: Floats) -> float:
        T, A, B = (float((each**2).sum()) for each in (shares, shares.sum(axis=1), shares.sum(axis=0)))
        counts = (T / 2, (A - T) / 2, (B - T) / 2, (1.0 - A - B + T) / 2)
        return float(function(*map(np.array, counts)))

    return limit


def _entropy(shares: Floats) -> float:
    kept = shares[shares > 0.0]
    return -math.fsum(kept * np.log(kept))


def _nmi_sum(shares: Floats) -> float:
    rows, columns = _entropy(shares.sum(axis=1)), _entropy(shares.sum(axis=0))
    return 2.0 * (rows + columns - _entropy(shares)) / (rows + columns)


def _purity(shares: Floats) -> float:
    return float(shares.max(axis=0).sum())


def _inverse_purity(shares: Floats) -> float:
    return _purity(shares.T)


def _van_dongen(shares: Floats) -> float:
    return (_purity(shares) + _inverse_purity(shares)) / 2.0


def _matching(shares: Floats) -> float:
    from scipy.optimize import linear_sum_assignment

    return float(shares[linear_sum_assignment(shares, maximize=True)].sum())


LIMITS: dict[str, Callable[[Floats], float]] = {
    "nmi_sum": _nmi_sum,
    "mutual_information": _nmi_sum,
    "purity": _purity,
    "inverse_purity": _inverse_purity,
    "van_dongen": _van_dongen,
    "maximum_matching_accuracy": _matching,
}
"""Limits of indices that are not functions of pair counts, up to a factor and a term that the margins fix."""

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

    def intervals() -> list[Interval]:
        found = _scores_of(indices, sampled(population.shares, n, rng), rng, at_fixed_expectation=fixed)
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
        first, second = (_scores_of(indices, table, rng) for table in tables)
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


def _scores_of(
    indices: tuple[cc.indices.Index, ...],
    table: cc.ContingencyTable,
    rng: np.random.Generator,
    *,
    at_fixed_expectation: bool = False,
) -> Scores:
    scores: dict[str, LeaveOneOut] = {}
    for index in indices:
        model = make_model_of_table(table, _options(index, rng))
        null = find_nulls(model, (index,))[index.name]
        found = leave_one_out(model, index, null)
        if at_fixed_expectation:
            room = model.best(index) - null.mean
            without = (get_engine(index).evaluate_less_one(index, table) - null.mean) / room
            found = replace(found, without=without, estimate=found.whole)
        scores[index.name] = found
    return scores


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
