"""The study: data sets drawn, clustered, and their agreement with the true groups corrected for chance.

A unit is one data set of one scenario with one clusterer. Units are independent, their random numbers come
from the seed and from what they are, and each finished one is kept on disk: a run that was killed goes on
where it stopped, and ends with the same bits, whatever the number of workers.
"""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np

import chancecorr as cc
from experiments.amorim_cardoso_2014.clusterers import cluster
from experiments.amorim_cardoso_2014.scenarios import SCENARIOS, Scenario, data_of

VERSION = 2
"""Part of what a kept unit goes by; raise it when a change of this folder changes its numbers."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One data set of one scenario, clustered once.

    Attributes
    ----------
    scenario : str
        Name of the scenario.
    clusterer : str
        Name of the clusterer.
    dataset : int
        Number of the data set, from 0.
    table : tuple of tuples of int
        Objects by true group (rows) and cluster (columns).
    observed, simulated, adjusted, exact : dict
        By index: its value, its mean over 17,000 simulated tables, the value adjusted by that mean, and the
        mean from the margins alone.
    """

    scenario: str
    clusterer: str
    dataset: int
    table: tuple[tuple[int, ...], ...]
    observed: dict[str, float]
    simulated: dict[str, float]
    adjusted: dict[str, float]
    exact: dict[str, float]


@dataclass(frozen=True, slots=True)
class Seconds:
    """How long the parts of a unit took; not part of the results, since no two runs agree on it."""

    drawing: float
    clustering: float
    correction: float


def evaluate(
    scenario_name: str, clusterer: str, dataset: int, seed: int, version: int
) -> tuple[Unit, Seconds]:
    """One unit from nothing; `version` only tells results of different code apart."""
    scenario = next(each for each in SCENARIOS if each.name == scenario_name)
    began = time.perf_counter()
    objects, groups = data_of(scenario, dataset, seed)
    drawn = time.perf_counter()
    key = [seed, *scenario.key, dataset, *clusterer.encode()]
    labels = cluster(clusterer, objects, scenario.groups, np.random.default_rng(key))
    clustered = time.perf_counter()
    table = cc.contingency_table(groups, labels)
    scores = cc.adjust_table(
        table, index=cc.PUBLISHED_INDICES, method="monte-carlo", rng=np.random.default_rng([*key, 17_000])
    )
    corrected = time.perf_counter()
    unit = Unit(
        scenario=scenario_name,
        clusterer=clusterer,
        dataset=dataset,
        table=tuple(tuple(row) for row in table.dense_counts().tolist()),
        observed={name: score.observed for name, score in scores.items()},
        simulated={name: score.expected for name, score in scores.items()},
        adjusted={name: score.adjusted for name, score in scores.items()},
        exact={name: _exact_mean(table.margins, name) for name in scores},
    )
    return unit, Seconds(drawn - began, clustered - drawn, corrected - clustered)


def _exact_mean(margins: cc.Margins, name: str) -> float:
    """Mean by quadrature or in closed form; by the exact law where an index is not smooth enough."""
    try:
        return cc.null_distribution(margins, name, method="analytic").mean
    except ValueError:
        return cc.null_distribution(margins, name, method="exact").mean


def run(
    scenarios: Sequence[Scenario],
    clusterers: Sequence[str],
    *,
    datasets: int,
    seed: int,
    jobs: int,
    cache: Path,
) -> Iterator[tuple[Unit, Seconds]]:
    """All units in order, from as many worker processes, those that are kept from disk."""
    kept = joblib.Memory(cache, verbose=0).cache(evaluate)
    units = [
        (scenario.name, clusterer, dataset)
        for scenario in scenarios
        for clusterer in clusterers
        for dataset in range(datasets)
    ]
    if jobs == 1:
        yield from (kept(*unit, seed, VERSION) for unit in units)
        return
    # One thread in each worker: sums of BLAS must not go by the number of processors.
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator")
    yield from parallel(joblib.delayed(kept)(*unit, seed, VERSION) for unit in units)


def seconds_of_correction(units: Iterable[Unit]) -> float:
    """Time to correct nine indices with 17,000 tables for each unit, one after another, in one thread."""
    tables = [cc.ContingencyTable(unit.table) for unit in units]
    if not tables:
        return 0.0
    cc.adjust_table(tables[0], index=cc.PUBLISHED_INDICES, method="monte-carlo", rng=0)  # compile first
    began = time.perf_counter()
    for number, table in enumerate(tables):
        cc.adjust_table(table, index=cc.PUBLISHED_INDICES, method="monte-carlo", rng=number)
    return time.perf_counter() - began


def as_row(unit: Unit) -> dict[str, Any]:
    """A unit as a row of a table in plain text: what it is, and its cross-classification."""
    table = ";".join(" ".join(map(str, row)) for row in unit.table)
    return {
        "scenario": unit.scenario,
        "clusterer": unit.clusterer,
        "dataset": unit.dataset,
        "table": table,
    }
