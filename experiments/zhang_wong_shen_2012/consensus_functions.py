"""Consensus functions: one partition that stands for several of the same objects.

Each takes the clusters of all partitions side by side, as `sums.lay_out_clusters` gives
them, the number of clusters wanted and a generator. It gives the labels of the objects in 0, ..., K - 1,
numbered in the order in which they appear. Sections named below are those of Strehl & Ghosh (2002).
"""

import warnings
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Booleans, Floats, Integers

if TYPE_CHECKING:
    from numpy.random import Generator

MAX_IMBALANCE = 0.05  # share by which the largest part of HGPA may exceed n / K, as in section 3.3
WEIGHT_OF_A_JACCARD_INDEX_OF_1 = 10_000  # METIS takes whole weights


def number_by_appearance(labels: npt.ArrayLike) -> Integers:
    """Labels numbered from 0 in the order in which they appear, so that equal partitions look equal."""
    _, first, codes = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes].astype(np.int64)


def count_together(clusters: Booleans) -> Floats:
    """Number of partitions that put two objects together."""
    members = clusters.astype(np.float64)
    return members @ members.T


def merge_by_average_linkage(clusters: Booleans, n_clusters: int, rng: "Generator") -> Integers:
    """Average linkage on one less the consensus matrix, Fred & Jain (2005); nothing is random."""
    from scipy.cluster.hierarchy import cut_tree, linkage
    from scipy.spatial.distance import squareform

    distances = 1.0 - count_together(clusters) / clusters[:1].sum()
    return number_by_appearance(cut_tree(linkage(squareform(distances), "average"), n_clusters)[:, 0])


def cut_consensus_matrix(clusters: Booleans, n_clusters: int, rng: "Generator") -> Integers:
    """Normalised cut of the consensus matrix, read as similarities: Yu, Wong & Wang (2007)."""
    return cluster_by_spectrum(count_together(clusters) / clusters[:1].sum(), n_clusters, rng)


def cluster_by_spectrum(similarities: Floats, n_clusters: int, rng: "Generator") -> Integers:
    """Spectral clustering of similarities, shape (n, n): Ng, Jordan & Weiss (2001), by scikit-learn."""
    from sklearn.cluster import spectral_clustering
    from threadpoolctl import threadpool_limits

    seed = int(rng.integers(2**31))
    with threadpool_limits(limits=1), warnings.catch_warnings():
        # A consensus matrix may well fall apart into components; the embedding then tells them apart.
        warnings.filterwarnings("ignore", message="Graph is not fully connected")
        labels = spectral_clustering(similarities, n_clusters=n_clusters, random_state=seed)
    return number_by_appearance(labels)


def cut_graph_of_clusters(clusters: Booleans, n_clusters: int, rng: "Generator") -> Integers:
    """Spectral clustering of the graph of objects and clusters: Fern & Brodley (2004), section 4."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    model = KMeans(n_clusters, n_init=10, random_state=int(rng.integers(2**31)))
    with threadpool_limits(limits=1):  # several threads add up in any order
        labels = model.fit_predict(np.concatenate(embed(clusters, n_clusters)))
    return number_by_appearance(labels[: clusters.shape[0]])


def embed(clusters: Booleans, n_dimensions: int) -> tuple[Floats, Floats]:
    """Coordinates of objects and of clusters, rows of length 1.

    Eigenvectors of the normalised ``[[0, A], [A', 0]]`` are the left singular vectors above the right ones.
    """
    from threadpoolctl import threadpool_limits

    edges = clusters.astype(np.float64)
    scaled = edges / np.sqrt(np.outer(edges.sum(axis=1), edges.sum(axis=0)))
    with threadpool_limits(limits=1):  # several threads add up in any order
        left, _, right = np.linalg.svd(scaled, full_matrices=False)
    sides = left[:, :n_dimensions], right[:n_dimensions].T
    lengths = [np.linalg.norm(rows, axis=1, keepdims=True) for rows in sides]
    objects, others = (x / np.where(size > 0.0, size, 1.0) for x, size in zip(sides, lengths, strict=True))
    return objects, others


def cut_co_memberships(clusters: Booleans, n_clusters: int, rng: "Generator") -> Integers:
    """METIS on the graph of objects, whose edges weigh as many partitions as join two: section 3.2."""
    together = np.rint(count_together(clusters)).astype(np.int64)
    return number_by_appearance(cut_graph(together, n_clusters, rng))


def cut_hypergraph(clusters: Booleans, n_clusters: int, rng: "Generator") -> Integers:
    """Parts of about equal size that cut few clusters, each counted once, by Mt-KaHyPar: section 3.3."""
    import mtkahypar

    engine = _start_mtkahypar()
    context = engine.context_from_preset(mtkahypar.PresetType.DETERMINISTIC)
    context.set_partitioning_parameters(n_clusters, MAX_IMBALANCE, mtkahypar.Objective.CUT)
    context.logging = False
    mtkahypar.set_seed(int(rng.integers(2**31)))
    edges = [np.flatnonzero(members).tolist() for members in clusters.T]
    hypergraph = engine.create_hypergraph(context, clusters.shape[0], len(edges), edges)
    return number_by_appearance(hypergraph.partition(context).get_partition())


@cache
def _start_mtkahypar() -> Any:
    """Mt-KaHyPar with one thread; a process has one."""
    import mtkahypar

    return mtkahypar.initialize(1, False)


def group_clusters(clusters: Booleans, n_clusters: int, rng: "Generator") -> Integers:
    """METIS groups alike clusters, and each object joins the group it is most in: section 3.4.

    A group that no object joins is lost, so that there may be fewer clusters than asked for.
    """
    members = clusters.astype(np.float64)
    both = members.T @ members
    sizes = both.diagonal()
    jaccard = both / (sizes[:, np.newaxis] + sizes - both)  # 0 for two clusters of one partition
    weights = np.rint(WEIGHT_OF_A_JACCARD_INDEX_OF_1 * jaccard).astype(np.int64)
    groups = cut_graph(weights, n_clusters, rng, clusters.sum(axis=0))
    in_group = groups[:, np.newaxis] == np.arange(n_clusters)
    shares = members @ in_group / np.maximum(in_group.sum(axis=0), 1)
    strongest = shares >= shares.max(axis=1, keepdims=True) - 1e-12
    return number_by_appearance(np.argmax(strongest * (1.0 + rng.random(shares.shape)), axis=1))


def cut_graph(
    weights: Integers, n_parts: int, rng: "Generator", vertex_weights: Integers | None = None
) -> Integers:
    """Parts of a graph of about the same weight, the edges between them as light as METIS finds.

    Karypis & Kumar (1998), doi:10.1137/S1064827595287997: bisected for up to 8 parts, as METIS's manual
    advises.
    """
    import pymetis

    edges = weights > 0
    np.fill_diagonal(edges, False)
    rows, columns = np.nonzero(edges)
    options = pymetis.Options()
    options.seed = int(rng.integers(2**31))
    _, parts = pymetis.part_graph(
        n_parts,
        pymetis.CSRAdjacency(np.searchsorted(rows, np.arange(edges.shape[0] + 1)), columns),
        eweights=weights[rows, columns],
        vweights=vertex_weights,
        recursive=n_parts <= 8,
        options=options,
    )
    return np.asarray(parts, dtype=np.int64)


FUNCTIONS: Mapping[str, Callable[[Booleans, int, "Generator"], Integers]] = MappingProxyType(
    {
        "cspa": cut_co_memberships,
        "mcla": group_clusters,
        "hgpa": cut_hypergraph,
        "hbgf": cut_graph_of_clusters,
        "ncut": cut_consensus_matrix,
        "average-linkage": merge_by_average_linkage,
    }
)
"""By their names in lower case."""
