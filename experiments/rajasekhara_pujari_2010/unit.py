"""One unit of the study: a run of k-means for every number of clusters from 2 to 50, and its agreement.

The classes are taken twice: as each object has them, and in sorted order, the first class to the first
objects, as happens to a program that knows only how many objects each class has. In files that are sorted by
class (glass, iris, thyroid, wine) that is the same.
"""

import numpy as np

import chancecorr as cc
from experiments.common.data import load_dataset
from experiments.common.units import Clock, Inputs, Record, generator
from experiments.rajasekhara_pujari_2010.sweep import Integers, clusterings, evaluated, scaled, tables_of

SIMULATED = {"accuracy": "maximum_matching_accuracy", "irm": "irm"}
"""Whose mean by chance is that over random tables, with their names in chancecorr."""

ANALYTIC = {"rand": "rand", "jaccard": "jaccard", "wallace": "fowlkes_mallows", "nmi": "nmi_sum"}
"""Whose mean by chance is known from the margins, exactly or to a stated error far below what is printed."""


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A sweep over the numbers of clusters.

    Parameters
    ----------
    inputs : mapping
        ``dataset``, a name; ``scaling`` and ``start``, as in `sweep`; ``first`` and ``last`` number of
        clusters; ``expected``, how many of the first replicates get means by chance, and ``tables``, from
        how many random tables.
    replicate : int
    seed : int
    clock : Clock

    Returns
    -------
    dict
        ``given`` and ``sorted``, by order of the classes: values by index, a list with one value for each
        number of clusters. ``expected``: means by chance likewise, the same for both orders since these have
        the same margins.
    """
    dataset = load_dataset(inputs["dataset"])
    counts = range(inputs["first"], inputs["last"] + 1)
    key = inputs["dataset"], inputs["scaling"], inputs["start"], replicate
    with clock("clustering"):
        X = scaled(dataset.X, inputs["scaling"])
        if inputs["start"] == "distinct":
            counts = range(counts.start, min(counts.stop, len(X) + 1))
        clusters = clusterings(X, counts, inputs["start"], generator(seed, "clustering", *key))
    with clock("indices"):
        classes = np.unique(dataset.labels, return_inverse=True)[1].astype(np.int64)
        tables = tables_of(clusters, classes)
        record: Record = {
            order: {name: values.tolist() for name, values in evaluated(each).items()}
            for order, each in (("given", tables), ("sorted", tables_of(clusters, np.sort(classes))))
        }
    if replicate < inputs["expected"]:
        with clock("correction"):
            stream = generator(seed, "tables", *key)
            means = [expected(cc.ContingencyTable(_used(each)), inputs["tables"], stream) for each in tables]
            record["expected"] = {name: [each[name] for each in means] for name in means[0]}
    return record


def _used(table: Integers) -> Integers:
    """The rows that objects are in."""
    return table[table.any(axis=1)]


def expected(table: cc.ContingencyTable, n_tables: int, stream: np.random.Generator) -> dict[str, float]:
    """Means by chance over all tables with the same margins; that of the adjusted Rand index is 0."""
    scores = cc.adjust_table(
        table, index=tuple(SIMULATED.values()), method="monte-carlo", n_tables=n_tables, rng=stream
    )
    means = {name: float(scores[index].expected) for name, index in SIMULATED.items()}
    for name, index in ANALYTIC.items():
        means[name] = _mean(table.margins, index)
    return means | {"adjusted_rand": 0.0}


def _mean(margins: cc.Margins, index: str) -> float:
    """Of an index by chance; nan where it is 0/0 on every table."""
    try:
        return float(cc.null_distribution(margins, index, method="analytic").mean)
    except ValueError:
        return float(cc.null_distribution(margins, index, method="exact").mean)
