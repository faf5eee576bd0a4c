"""One unit of the study: a clustering against the truth, or one of the other experiments of the paper."""

import math
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial import KDTree

import chancecorr as cc
from chancecorr.prototypes import GaussianComponents, centroid_index, map_prototypes
from experiments.clusterers.library import kmeans, linkage_labels
from experiments.clusterers.random_swap import random_swap
from experiments.clusterers.split_and_merge import SIZES, forms
from experiments.clusterers.split_merge_em import rsem, smem
from experiments.common.mixtures import draw
from experiments.common.random_mixtures import random_mixture
from experiments.common.units import Clock, Inputs, Record, generator
from experiments.franti_rezaei_2016.clusterings import (
    NOISE,
    SWAPS_ELSEWHERE,
    cluster,
    dbscan,
    means_of,
    truth,
)

Labels = npt.NDArray[np.int64]

INDICES = (
    "rand",
    "nmi_sum",
    "purity",
    "normalized_van_dongen",
    "criterion_h",
    "centroid_similarity",
    "centroid_index",
)
"""The indices of the paper, from the partitions; Rand corrected is ARI."""

EPS = tuple(round(0.5 + 0.1 * k, 1) for k in range(21))
MIN_SAMPLES = (3, 4, 5, 6, 8, 10)
POWERS = (1, 2, 3)
"""Of the closeness, in the criterion of split and merge."""

TIMED = 20
"""How often CI is found either way, so that its time can be told."""

LEVELS = tuple(round(0.05 * k, 2) for k in range(21))
"""Shares of the objects that get a random label."""


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A unit of the kind ``inputs["kind"]``; what it holds is said by the function of that kind."""
    return KINDS[inputs["kind"]](inputs, replicate, seed, clock)


def clustering(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A data set, clustered and held against its classes.

    Inputs: ``data`` and ``clusterer``, names; ``tables``, random tables that the correction draws; ``pair``,
    whether the clusterer runs a second time and the two are compared; ``labels``, of how many of the first
    replicates the labels are kept.

    Returns ``k`` clusters; ``outliers``; ``centroids``; ``prototypes``, CI by centroids; ``map_ab`` and
    ``map_ba``, the nearest classes of the clusters and clusters of the classes, by centroids; ``partition``,
    CI by partitions, classes that are all outliers counted as not found; ``observed``, ``expected`` and
    ``adjusted``, by index, the objects without outliers; ``p``, the probability by chance of a CI as
    small; where asked for, ``pair`` and ``labels``.
    """
    data = truth(inputs["data"])
    name, clusterer = inputs["data"], inputs["clusterer"]
    stream = generator(seed, "clustering", name, clusterer, replicate)
    record: Record = {}
    with clock("clustering"):
        if clusterer == "dbscan":
            labels, record["grid"] = _dbscan_of_grid(name)
        else:
            labels = cluster(clusterer, name, stream)
    if clusterer == "sam":
        with clock("other criteria"):
            record["forms"] = _forms_of_sam(name)
    kept = labels != NOISE
    centroids = means_of(data.X, labels)
    _warmed()
    with clock("CI by centroids"):
        for _ in range(TIMED):
            maps = map_prototypes(centroids, data.centroids)
            record["prototypes"] = maps.centroid_index
    with clock("CI by partitions"):
        for _ in range(TIMED):
            table = cc.contingency_table(data.labels[kept], labels[kept])
            by_partitions = int(cc.score_table(table, "centroid_index"))
    record |= {
        "k": len(centroids),
        "outliers": int(np.count_nonzero(~kept)),
        "sizes": np.unique(labels[kept], return_counts=True)[1].tolist(),
        "centroids": centroids.tolist(),
        "map_ab": maps.map_ab.tolist(),
        "map_ba": maps.map_ba.tolist(),
        "partition": with_lost_classes(table, by_partitions, data.n_clusters),
        **orphans_of(data.labels, labels, data.n_clusters),
    }
    if replicate < inputs["labels"]:
        record["labels"] = labels.tolist()
    if inputs["pair"]:
        with clock("clustering"):
            other = cluster(clusterer, name, generator(seed, "second", name, clusterer, replicate))
        record["pair"] = {
            "prototypes": centroid_index(centroids, means_of(data.X, other)),
            "partition": int(cc.score(labels, other, "centroid_index")),
        }
    with clock("correction"):
        record |= corrected(table, inputs["tables"], generator(seed, "tables", name, clusterer, replicate))
    return record


@cache
def _warmed() -> None:
    """Compile what is timed, once a process."""
    cc.score([0, 1], [0, 1], "centroid_index")
    map_prototypes([[0.0]], [[1.0]])


def with_lost_classes(table: cc.ContingencyTable, by_partitions: int, classes: int) -> int:
    """CI where some classes have no object left: no cluster finds these."""
    lost = classes - int(np.count_nonzero(table.margins.row_totals))
    missed = int(cc.score_table(table, "centroid_index_2")) + lost
    return max(by_partitions, missed)


def orphans_of(classes: Labels, labels: Labels, n_classes: int) -> Record:
    """Classes that are nearest to no cluster, clusters that are to no class, by partitions; ties: the first.

    Clusters are numbered as they stand in the sorted labels, outliers left out.
    """
    clusters = np.unique(labels[labels != NOISE])
    counts = np.zeros((n_classes, len(clusters)))
    for j, label in enumerate(clusters):
        counts[:, j] = np.bincount(classes[labels == label], minlength=n_classes)
    sizes = np.bincount(classes[labels != NOISE], minlength=n_classes)
    jaccard = counts / np.maximum(sizes[:, np.newaxis] + counts.sum(axis=0) - counts, 1)
    found = sizes > 0
    missed = np.setdiff1d(np.arange(n_classes), jaccard.argmax(axis=0))
    superfluous = np.setdiff1d(np.arange(len(clusters)), jaccard[found].argmax(axis=1))
    return {"missed": missed.tolist(), "superfluous": superfluous.tolist()}


def corrected(table: cc.ContingencyTable, n_tables: int, stream: np.random.Generator) -> Record:
    """The indices, and what they are by chance on tables with these margins: Rand's exactly, else drawn."""
    drawn = cc.adjust_table(table, index=INDICES, method="monte-carlo", n_tables=n_tables, rng=stream)
    scores = {**drawn, "rand": cc.adjust_table(table, index="rand", method="analytic")}
    return {
        "observed": {name: score.observed for name, score in scores.items()},
        "expected": {name: score.expected for name, score in scores.items()},
        "adjusted": {name: score.adjusted for name, score in scores.items()},
        "p": scores["centroid_index"].p_value,
    }


def _dbscan_of_grid(name: str) -> tuple[Labels, list[list[Any]]]:
    """Labels for the chosen parameters; for all: eps, least neighbours, clusters, outliers, CI."""
    data = truth(name)
    found: list[tuple[int, int, int, Labels]] = []
    grid: list[list[Any]] = []
    for eps, min_samples in product(EPS, MIN_SAMPLES):
        labels = dbscan(data.X, eps, min_samples)
        kept = labels != NOISE
        k, outliers = np.unique(labels[kept]).size, int(np.count_nonzero(~kept))
        if k == 0:
            continue
        table = cc.contingency_table(data.labels[kept], labels[kept])
        by_partitions = int(cc.score_table(table, "centroid_index"))
        grid.append([eps, min_samples, k, outliers, with_lost_classes(table, by_partitions, data.n_clusters)])
        found.append((abs(k - data.n_clusters), outliers, len(found), labels))
    return min(found, key=lambda each: each[:3])[3], grid


def _forms_of_sam(name: str) -> list[list[Any]]:
    """CI of split and merge with every form of its criterion: by what sizes divide, and by the power."""
    data = truth(name)
    criteria = list(product(SIZES, POWERS))
    return [
        [*criterion, int(cc.score(data.labels, labels, "centroid_index"))]
        for criterion, labels in zip(criteria, forms(data.X, data.n_clusters, criteria), strict=True)
    ]


PAIRS = ("RS-AC", "RS-KM", "AC-KM")
WARD = ("merge labels", "nearest centroid")
"""The partition of Ward's method: as it merged, or its centroids with every object at the nearest."""


def three_clusterings(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """Random swap, Ward's method and k-means on a data set, each against each, as in figure 2.

    Inputs: ``data``. Gives, for each partition of `WARD` and each pair of `PAIRS`, what `scores_of` does.
    """
    name = inputs["data"]
    data = truth(name)
    with clock("clustering"):
        swaps = generator(seed, "figure 2 swaps", name, replicate)
        labels = {
            "RS": random_swap(data.X, data.n_clusters, swaps, swaps=SWAPS_ELSEWHERE).labels,
            "KM": kmeans(data.X, data.n_clusters, generator(seed, "figure 2 k-means", name, replicate)),
        }
    record: Record = {}
    with clock("indices"):
        for partition, ward in zip(WARD, _ward(name), strict=True):
            both = {**labels, "AC": ward}
            tables = {pair: cc.contingency_table(*(both[each] for each in pair.split("-"))) for pair in PAIRS}
            record[partition] = {pair: scores_of(table) for pair, table in tables.items()}
    return record


@cache
def _ward(name: str) -> tuple[Labels, Labels]:
    """Both partitions of Ward's method, which draws nothing."""
    X = truth(name).X
    merged = linkage_labels(X, truth(name).n_clusters, "ward")
    return merged, np.asarray(KDTree(means_of(X, merged)).query(X)[1], dtype=np.int64)


def scores_of(table: cc.ContingencyTable) -> Record:
    """The indices, ARI and mutual information in bits."""
    found = {name: cc.score_table(table, name) for name in INDICES}
    bits = float(cc.score_table(table, "mutual_information")) / math.log(2.0)
    return found | {"adjusted_rand": cc.score_table(table, "adjusted_rand"), "mutual_information": bits}


def mixtures(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """Two Gaussian mixtures, by SMEM and by RSEM, compared by the three ways of figure 5.

    Inputs: ``data``, a name, or else ``overlap``, ``groups`` and ``n`` of mixtures that are drawn anew.

    Returns ``prototypes``, ``partition`` and ``model``: CI by means, by hard partitions, by Bhattacharyya
    distances; ``same``, whether means and distances map every component alike, both ways; ``smem``
    and ``rsem``: log- likelihood and CI of the means with the true ones.
    """
    with clock("data"):
        if "data" in inputs:
            data = truth(inputs["data"])
            name, X, centroids = inputs["data"], data.X, data.centroids
        else:
            name = f"overlap {inputs['overlap']}"
            stream = generator(seed, "mixture", name, replicate)
            mixture = random_mixture(inputs["groups"], 2, average=inputs["overlap"], rng=stream)
            X, centroids = draw(mixture, inputs["n"], stream)[0], mixture.means
    fits = {}
    for algorithm in (smem, rsem):
        with clock(algorithm.__name__):
            stream = generator(seed, algorithm.__name__, name, replicate)
            fits[algorithm.__name__] = algorithm(X, len(centroids), stream)
    a, b = (fits[each] for each in ("smem", "rsem"))
    components = [
        GaussianComponents(fit.parameters.means, fit.parameters.variances, "diag") for fit in (a, b)
    ]
    by_means = map_prototypes(a.parameters.means, b.parameters.means)
    by_model = map_prototypes(*components)
    record: Record = {
        "prototypes": by_means.centroid_index,
        "partition": int(cc.score(a.labels, b.labels, "centroid_index")),
        "model": by_model.centroid_index,
        "same": bool(
            np.array_equal(by_means.map_ab, by_model.map_ab)
            and np.array_equal(by_means.map_ba, by_model.map_ba)
        ),
        "scores": scores_of(cc.contingency_table(a.labels, b.labels)),
    }
    for algorithm_name, fit in fits.items():
        record[algorithm_name] = {
            "log_likelihood": fit.log_likelihood,
            "centroid_index": centroid_index(fit.parameters.means, centroids),
        }
    return record


def randomness(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """An artificial partition, and the same with a growing share of random labels, as in figure 8.

    Inputs: ``sizes`` of the clusters. A random label is any, the old one among them.

    Returns a list over `LEVELS` for each index, ``adjusted_rand``, and ``majority``, the least share of a
    cluster's objects that still have their label.
    """
    sizes = inputs["sizes"]
    stream = generator(seed, "randomness", str(sizes), replicate)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    order = stream.permutation(labels.size)
    random_labels = stream.integers(len(sizes), size=labels.size)
    record: Record = {}
    with clock("indices"):
        for level in LEVELS:
            changed = labels.copy()
            chosen = order[: round(level * labels.size)]
            changed[chosen] = random_labels[chosen]
            table = cc.contingency_table(labels, changed)
            same = np.bincount(labels[changed == labels], minlength=len(sizes)) / sizes
            for name, value in [*scores_of(table).items(), ("majority", float(same.min()))]:
                record.setdefault(name, []).append(value)
    return record


KINDS: dict[str, Callable[[Inputs, int, int, Clock], Record]] = {
    function.__name__: function for function in (clustering, three_clusterings, mixtures, randomness)
}
