"""One unit of the study: a run of k-means for every number of clusters from 2 to 50, and its agreement.

The classes are taken twice: as each object has them, and in sorted order, the first class to the first
objects, as happens to a program that knows only how many objects each class has. In files that are sorted by
class (glass, iris, thyroid, wine) that is the same.
"""

import math
from itertools import permutations

import numpy as np

import chancecorr as cc
from experiments.common.data import load_dataset
from experiments.common.units import Clock, Inputs, Record, generator
from experiments.rajasekhara_pujari_2010.printed import COLUMNS
from experiments.rajasekhara_pujari_2010.sweep import Integers, clusterings, evaluated, scaled, tables_of

SIMULATED = {"accuracy": "maximum_matching_accuracy", "irm": "irm"}
"""Whose mean by chance is that over random tables, with their names in chancecorr."""

ANALYTIC = {"rand": "rand", "jaccard": "jaccard", "wallace": "fowlkes_mallows", "nmi": "nmi_sum"}
"""Whose mean by chance is known from the margins, exactly or to a stated error far below what is printed."""


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A unit of a reading where ``inputs`` names one, else of the ways that were fitted."""
    return (reading if "empty" in inputs else sweep)(inputs, replicate, seed, clock)


def reading(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A sweep over the numbers of clusters, with the classes lined up with the objects in many ways.

    Inputs: ``dataset``, ``scaling``, ``start``, ``empty``, ``first`` and ``last`` as below and in `sweep`.
    Gives accuracy and indices as below, by the name of the order: ``given``; ``blocks 1 0`` and others, the
    classes of that order to the first objects; and as many of ``permuted 0``, ..., classes that were dealt to
    the objects at random once, for all runs alike.
    """
    dataset = load_dataset(inputs["dataset"])
    key = inputs["dataset"], inputs["scaling"], inputs["start"], inputs["empty"], replicate
    with clock("clustering"):
        X = scaled(dataset.X, inputs["scaling"])
        more = inputs["start"] == "replacement" or (inputs["start"], inputs["empty"]) == ("box", "stay")
        counts = range(inputs["first"], (inputs["last"] if more else min(inputs["last"], len(X))) + 1)
        stream = generator(seed, "readings", *key)
        clusters = clusterings(X, counts, inputs["start"], stream, inputs["empty"])
    with clock("indices"):
        return {
            name: {index: found[index].tolist() for index in ("accuracy", *COLUMNS)}
            for name, classes in orders_of(inputs["dataset"], seed).items()
            for found in [evaluated(tables_of(clusters, classes))]
        }


MOST_ORDERS = 6
"""Orders of blocks that are tried: all of up to three classes; of more, that of the file."""


def orders_of(name: str, seed: int) -> dict[str, Integers]:
    """Classes of the objects by the ways to line them up, and as many at random."""
    classes = np.unique(load_dataset(name).labels, return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(classes)
    orders = {"given": classes}
    if math.factorial(sizes.size) <= MOST_ORDERS:
        for order in permutations(range(sizes.size)):
            orders[f"blocks {' '.join(map(str, order))}"] = np.repeat(order, sizes[list(order)])
    shuffled = {
        f"permuted {k}": generator(seed, "permuted", name, k).permutation(classes) for k in range(len(orders))
    }
    return orders | shuffled


def sweep(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A sweep over the numbers of clusters.

    Returns ``given`` and ``sorted``, by order of the classes: values by index, a list with one value for each
    number of clusters. ``expected``: means by chance likewise, the same for both orders since these have the
    same margins.
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
