"""600 clusterings of a data set: consensus functions on samples of them, and diversity; figures 4 and 5."""

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from experiments.common.units import Clock, Inputs, Record, generator
from experiments.zhang_wong_shen_2012.consensus_functions import FUNCTIONS, cluster_by_spectrum
from experiments.zhang_wong_shen_2012.datasets import load, scaled
from experiments.zhang_wong_shen_2012.ensembles import Partitions, kmeans_partitions
from experiments.zhang_wong_shen_2012.sums import compute_nmi, lay_out_clusters

RECIPES = ("K", "2 to 2 K")
"""How many clusters the clusterings have, of which the paper says nothing: as many as there are classes, or
any number up to twice as many."""

PRINTED = {
    "CSPA": "cspa", "MCLA": "mcla", "HGPA": "hgpa", "HBGF": "hbgf", "NCUT": "ncut", "AL": "average-linkage",
}  # fmt: skip
"""Consensus functions by the paper's names."""

PARTS = 4
"""Into how many each of the two larger groups of clusterings is divided, section 5.2.2."""


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A set of clusterings of a data set.

    Returns ``trials``: by consensus function, lists of ``ARImp`` between consensus matrix and consensus and
    ``ARI`` between classes and consensus. ``diversity``: see `diversity_of`. ``single``, the mean ARI of a
    clustering.
    """
    name = inputs["data set"]
    about = name, inputs["clusters"], replicate
    with clock("data"):
        objects = load(name, seed)
        X = scaled(objects.X, "z-score")
    with clock("k-means"):
        K = objects.n_classes
        least, most = (K, K) if inputs["clusters"] == "K" else (2, 2 * K)
        rng = generator(seed, "clusterings", *about)
        partitions = kmeans_partitions(X, least, most, inputs["clusterings"], rng)
    record: Record = {
        "single": float(
            np.mean([cc.score(objects.classes, each, index="adjusted_rand") for each in partitions])
        ),
        "trials": {each: {"ARImp": [], "ARI": []} for each in PRINTED},
    }
    for trial in range(inputs["trials"]):
        rng = generator(seed, "trial", *about, trial)
        sample = partitions[rng.choice(len(partitions), inputs["sampled"], replace=False)]
        consensus = cc.ensembles.consensus_matrix(sample)
        for each, method in PRINTED.items():
            with clock(each):
                labels = FUNCTIONS[method](lay_out_clusters(sample), K, generator(seed, each, *about, trial))
            with clock("measures"):
                found = record["trials"][each]
                found["ARImp"].append(cc.ensembles.arimp(consensus, labels))
                found["ARI"].append(cc.score(objects.classes, labels, index="adjusted_rand"))
    with clock("diversity"):
        record["diversity"] = diversity_of(partitions, generator(seed, "diversity", *about))
    return record


def diversity_of(partitions: Partitions, rng: np.random.Generator) -> list[Record]:
    """ARImm(M, M) and PNMI of growing groups of clusterings.

    Spectral clustering of the matrix of NMI gives three groups. The smallest is the first condition; a
    quarter of the second smallest at a time, then a quarter of the largest at a time, are the other eight.

    Returns for each condition ``clusterings``, how many; ``ARImm``; ``PNMI``, the mean over pairs, and
    ``sum``, the sum over ordered pairs of eq. 7.
    """
    nmi = compute_nmi(partitions, partitions)
    nmi = (nmi + nmi.T) / 2
    records = []
    n = partitions.shape[1]
    counts = np.zeros((n, n))
    members = np.zeros(0, dtype=np.intp)
    for group in growing_groups(cluster_by_spectrum(np.clip(nmi, 0.0, 1.0), 3, rng), rng):
        counts += group.size * cc.ensembles.consensus_matrix(partitions[group])
        members = np.concatenate([members, group])
        if members.size < 2:
            continue
        M = counts / members.size
        mean, total = pairwise_nmi(nmi, members)
        records.append(
            {"clusterings": int(members.size), "ARImm": cc.ensembles.arimm(M, M), "PNMI": mean, "sum": total}
        )
    return records


def pairwise_nmi(nmi: npt.NDArray[np.float64], members: npt.NDArray[np.intp]) -> tuple[float, float]:
    """PNMI of some of the partitions: the mean over i != j, and the sum that eq. 7 has."""
    chosen = nmi[np.ix_(members, members)]
    total = float(chosen.sum() - chosen.trace())
    return total / (members.size * (members.size - 1)), total


def growing_groups(labels: npt.NDArray[np.int64], rng: np.random.Generator) -> list[npt.NDArray[np.intp]]:
    """What is added at each condition: the smallest group, then quarters of the next and of the largest."""
    sizes = np.bincount(labels, minlength=3)
    first, second, third = (rng.permutation(np.flatnonzero(labels == each)) for each in np.argsort(sizes))
    added = [first, *np.array_split(second, PARTS), *np.array_split(third, PARTS)]
    return [each for each in added if each.size]
