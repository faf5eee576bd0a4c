"""Eq. 29 on worker processes of Dask: each makes its blocks of rows, and gives back three whole numbers."""

import resource
import sys

import numpy as np

import chancecorr as cc
from experiments.common.units import Clock, Inputs, Record, generator
from experiments.zhang_wong_shen_2012.ensembles import numbers_of_clusters, random_partitions
from experiments.zhang_wong_shen_2012.sums import (
    Partitions,
    added,
    blocks_of_rows,
    sums_of_rows,
    sums_of_tables,
)

WORKERS = 2
SHARED = 0.3
"""Share of the objects that the partitions of both ensembles put where a common partition does."""

ONE_MATRIX = 5_000
"""Up to so many objects whole matrices are compared, too."""


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """ARImm and ARImp in blocks on Dask workers, from contingency tables, and for few objects from matrices.

    Returns by measure: ``blocks`` and ``tables``, its value, ``equal``, whether the two fractions are equal,
    and ``matrix``, the value from whole matrices, for few objects. ``megabytes``, the most memory
    that one of the worker processes held, and ``matrix gigabytes``, what one matrix would take.
    """
    n, L = inputs["n"], inputs["L"]
    rng = generator(seed, "distributed", n, replicate)
    with clock("partitions"):
        truth, P, Q = two_ensembles(n, L, inputs["largest"], rng)
    record: Record = {"matrix gigabytes": 8.0 * n * n / 1e9, "workers": WORKERS}
    with clock("blocks"):
        parts, megabytes = on_dask([(P, Q), (P, truth)])
    record["megabytes"] = megabytes
    for measure, second, part in (("ARImm", Q, parts[0]), ("ARImp", truth, parts[1])):
        with clock("blocks"):
            blocks = added(part, len(P), len(second)).adjusted(n)
        with clock("tables"):
            tables = sums_of_tables(P, second).adjusted(n)
        record[measure] = {"blocks": float(blocks), "tables": float(tables), "equal": blocks == tables}
        if n <= ONE_MATRIX:
            with clock("matrices"):
                record[measure]["matrix"] = by_matrix(measure, P, second)
    return record


def two_ensembles(
    n: int, L: int, largest: int, rng: np.random.Generator
) -> tuple[Partitions, Partitions, Partitions]:
    """A partition of shape (1, n), and two ensembles of shape (L, n) that have something of it."""
    truth = rng.integers(0, largest, (1, n))
    found = []
    for _ in range(2):
        partitions = random_partitions(n, numbers_of_clusters(largest, L, rng), rng)
        kept = rng.random((L, n)) < SHARED
        found.append(np.where(kept, truth, partitions))
    return truth, found[0], found[1]


def by_matrix(measure: str, P: Partitions, Q: Partitions) -> float:
    """From whole consensus matrices."""
    consensus = cc.ensembles.consensus_matrix(P)
    if measure == "ARImp":
        return cc.ensembles.arimp(consensus, Q[0])
    return cc.ensembles.arimm(consensus, cc.ensembles.consensus_matrix(Q))


def on_dask(questions: list[tuple[Partitions, Partitions]]) -> tuple[list[list[tuple[int, int, int]]], float]:
    """Sums of each block of rows of each two ensembles, and the most megabytes that a worker held."""
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        waiting = []
        for P, Q in questions:
            small = client.scatter([_narrow(P), _narrow(Q)], broadcast=True)
            blocks = list(blocks_of_rows(P.shape[1]))
            waiting.append(client.map(_sums, *zip(*blocks, strict=True), P=small[0], Q=small[1], pure=False))
        parts = [client.gather(each) for each in waiting]
        megabytes = max(client.run(peak_megabytes).values())
    return parts, megabytes


def _narrow(partitions: Partitions) -> Partitions:
    """Labels in as few bytes as hold them: they are compared, and nothing else."""
    return partitions.astype(np.min_scalar_type(int(partitions.max())))


def _sums(start: int, stop: int, P: Partitions, Q: Partitions) -> tuple[int, int, int]:
    return sums_of_rows(P, Q, start, stop)


def peak_megabytes() -> float:
    """The most memory that this process has held."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
