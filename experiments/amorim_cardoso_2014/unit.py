"""One unit of the study: a data set of a scenario, clustered, its agreement with the true groups corrected.

The paper corrects by the mean over 17,000 simulated tables; here the mean over all tables with the same
margins is known, exactly or to a stated error far below the print. Units that are asked to draw the 17,000
tables as well.
"""

import numpy as np

import chancecorr as cc
from experiments.amorim_cardoso_2014.clusterers import cluster
from experiments.amorim_cardoso_2014.em_unit import corrected, fits_of
from experiments.amorim_cardoso_2014.paper import N_TABLES
from experiments.amorim_cardoso_2014.scenarios import data_of
from experiments.common.mixtures import Mixture
from experiments.common.units import Clock, Inputs, Record, generator


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A data set with the clusterer that is named, or without one with all fits of `em_unit`."""
    return (clustering if "clusterer" in inputs else fits_of)(inputs, replicate, seed, clock)


def clustering(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A data set of a scenario from nothing.

    Returns ``table``, objects by true group (rows) and cluster (columns), and by index: ``observed``, its
    value; ``expected`` and ``deviation``, mean and standard deviation by chance; ``adjusted``, the
    value corrected by that mean; ``approximate``, the mean as the paper approximates it, of three indices;
    ``simulated``, the mean over 17,000 tables. ``p``, the probability by chance of at least the observed
    agreement, the same for all nine indices since they grow together.
    """
    scenario, clusterer = inputs["scenario"], inputs["clusterer"]
    with clock("data"):
        mixture = Mixture.from_dict(inputs["mixture"])
        objects, groups = data_of(mixture, inputs["n"], scenario, replicate, seed)
    with clock("clustering"):
        stream = generator(seed, "clustering", scenario, clusterer, replicate)
        table = cc.contingency_table(groups, cluster(clusterer, objects, len(mixture.weights), stream))
    record: Record = {"table": table.dense_counts().tolist()}
    with clock("correction"):
        record |= corrected(table)
        if replicate < inputs["p"]:
            record["p"] = p_value(table, generator(seed, "p", scenario, clusterer, replicate))
    if replicate < inputs["simulate"]:
        with clock("drawing"):
            stream = generator(seed, "tables", scenario, clusterer, replicate)
            scores = cc.adjust_table(
                table, index=cc.PUBLISHED_INDICES, method="monte-carlo", n_tables=N_TABLES, rng=stream
            )
            record["simulated"] = {name: score.expected for name, score in scores.items()}
    return record


def p_value(table: cc.ContingencyTable, stream: np.random.Generator) -> float:
    """Probability by chance of at least the observed agreement: of the sum of the squared cells."""
    return float(cc.adjust_table(table, index="rand", rng=stream).log_p_value)
