"""CSPA, HGPA and MCLA: consensus by partitioning graphs and hypergraphs.

Source: Strehl & Ghosh (2002), Journal of Machine Learning Research 3, 583-617, sections 3.2 to 3.4. Where the
source uses hMETIS, which is not free software, HGPA uses Mt-KaHyPar.
"""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.ensembles.functions.ensemble import Floats, Integers, memberships, number_by_appearance
from chancecorr.ensembles.functions.metis import cut_graph

IMBALANCE = 0.05
"""By how much the largest part of HGPA may exceed n / K, section 3.3 of the source."""

RESOLUTION = 10_000
"""METIS takes whole weights: a Jaccard index of 1 becomes this number."""


def cspa(partitions: npt.ArrayLike, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Cluster-based similarity partitioning: METIS on the graph of objects.

    An edge weighs as many partitions as put its two objects together. Clusters come out of about the same
    size.

    Examples
    --------
    >>> cspa([[0, 0, 1, 1], [1, 1, 0, 0]], 2, np.random.default_rng(1))
    array([0, 0, 1, 1])
    """
    together = memberships(partitions).astype(np.float64)
    return number_by_appearance(cut_graph(np.rint(together @ together.T).astype(np.int64), n_clusters, rng))


def hgpa(partitions: npt.ArrayLike, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Hypergraph partitioning: parts of about equal size that cut few clusters of the ensemble.

    Every cluster of every partition is a hyperedge of the same weight, and one that is cut counts once,
    whatever is left of it.
    """
    import mtkahypar

    clusters = memberships(partitions)
    engine = _engine()
    context = engine.context_from_preset(mtkahypar.PresetType.DETERMINISTIC)
    context.set_partitioning_parameters(n_clusters, IMBALANCE, mtkahypar.Objective.CUT)
    context.logging = False
    mtkahypar.set_seed(int(rng.integers(2**31)))
    edges = [np.flatnonzero(members).tolist() for members in clusters.T]
    hypergraph = engine.create_hypergraph(context, clusters.shape[0], len(edges), edges)
    return number_by_appearance(hypergraph.partition(context).get_partition())


@cache
def _engine() -> Any:
    """Mt-KaHyPar with one thread; a process has one."""
    import mtkahypar

    return mtkahypar.initialize(1, False)


def mcla(partitions: npt.ArrayLike, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Meta-clustering: METIS groups the clusters, and each object joins the group it is most in.

    Clusters are alike by their Jaccard index, and weigh as many objects as they hold. An object that is in
    two groups to the same degree joins one of them at random. A group that no object joins is lost, so that
    there may be fewer clusters than asked for.
    """
    clusters = memberships(partitions)
    groups = cut_graph(
        np.rint(RESOLUTION * jaccard(clusters)).astype(np.int64),
        n_clusters,
        rng,
        vertex_weights=clusters.sum(axis=0),
    )
    return number_by_appearance(strongest(association(clusters, groups, n_clusters), rng))


def jaccard(clusters: npt.NDArray[np.bool_]) -> Floats:
    """Jaccard index of each two clusters, 0 for two of the same partition; shape (C, C)."""
    members = clusters.astype(np.float64)
    both = members.T @ members
    sizes = both.diagonal()
    return np.asarray(both / (sizes[:, np.newaxis] + sizes - both))


def association(clusters: npt.NDArray[np.bool_], groups: Integers, n_groups: int) -> Floats:
    """Share of the clusters of each group that an object is in; shape (n, groups)."""
    in_group = groups[:, np.newaxis] == np.arange(n_groups)
    return np.asarray(clusters.astype(np.float64) @ in_group / np.maximum(in_group.sum(axis=0), 1))


def strongest(shares: Floats, rng: "np.random.Generator") -> Integers:
    """Column of the largest share of each row; a tie is broken at random."""
    largest = shares >= shares.max(axis=1, keepdims=True) - 1e-12
    return np.asarray(np.argmax(largest * (1.0 + rng.random(shares.shape)), axis=1), dtype=np.int64)
