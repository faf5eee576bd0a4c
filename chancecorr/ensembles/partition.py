"""One partition from several of the same objects, by the consensus functions that the field compares.

Each function takes partitions of shape (L, n), the number of clusters K and a generator, and gives the labels
of the objects in 0, ..., K - 1, numbered in the order in which they appear.
"""

import importlib.util
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.ensembles.consensus import consensus_matrix, memberships, partition_codes
from chancecorr.machine.arguments import ArgumentValueError, as_count, one_of
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.sampling.seeding import RNG, make_generator, seed_from

IMBALANCE = 0.05
"""By how much the largest part of HGPA may exceed n / K: Strehl & Ghosh (2002), section 3.3."""

RESOLUTION = 10_000
"""METIS takes whole weights: a Jaccard index of 1 becomes this number."""


def consensus_partition(
    partitions: Any, n_clusters: int, method: str = "average-linkage", *, rng: RNG = None
) -> Integers:
    """One partition that stands for several of the same objects.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n), or iterable of label vectors of shape (n,)
        As for `consensus_matrix`; no label may be missing.
    n_clusters : int
        Clusters wanted, from 1 to n.
    method : {"average-linkage", "ncut", "hbgf", "cspa", "mcla", "hgpa"}
        Average linkage or normalised cut of the consensus matrix; spectral clustering of objects and clusters
        together; graph and hypergraph partitioning by METIS and Mt-KaHyPar.
    rng : None, int, SeedSequence or Generator
        As in SciPy; average linkage is not random.

    Returns
    -------
    ndarray of int64, shape (n,)
        Cluster numbers, in the order in which they appear; `arimp` says how well they stand for the ensemble.

    Raises
    ------
    ImportError
        If a library that the method stands on is missing; all are in the extra ``consensus``.
    TypeError, ValueError
        If an argument breaks its rule.

    Notes
    -----
    Average linkage: Fred & Jain (2005), doi:10.1109/TPAMI.2005.113. NCUT: Yu, Wong & Wang (2007),
    doi:10.1093/bioinformatics/btm463. HBGF: Fern & Brodley (2004). CSPA, MCLA, HGPA: Strehl & Ghosh (2002),
    Journal of Machine Learning Research 3, 583-617.

    Examples
    --------
    >>> consensus_partition([[0, 0, 1, 1], [0, 0, 0, 1], [5, 5, 7, 7]], 2)
    array([0, 0, 1, 1])
    """
    one_of("method", method, FUNCTIONS)
    codes = partition_codes(partitions).astype(np.int64)
    count = as_count("n_clusters", n_clusters)
    if count > codes.shape[1]:
        raise ArgumentValueError("n_clusters", f"must be at most {codes.shape[1]}, the objects; got {count}.")
    for module in NEEDED.get(method, ()):
        if importlib.util.find_spec(module) is None:
            raise ImportError(f"method={method!r} needs {module}: pip install 'chancecorr[consensus]'")
    return FUNCTIONS[method](codes, count, make_generator(seed_from(rng)))


def number_by_appearance(labels: npt.ArrayLike) -> Integers:
    """Labels numbered from 0 in the order in which they appear, so that equal partitions look equal."""
    _, first, codes = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes].astype(np.int64)


def average_linkage(partitions: npt.ArrayLike, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Average linkage on one less the consensus matrix, Fred & Jain (2005); nothing is random."""
    from scipy.cluster.hierarchy import cut_tree, linkage
    from scipy.spatial.distance import squareform

    distances = 1.0 - consensus_matrix(partitions)
    return number_by_appearance(cut_tree(linkage(squareform(distances), "average"), n_clusters)[:, 0])


def ncut(partitions: npt.ArrayLike, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Normalised cut of the consensus matrix, read as similarities: Yu, Wong & Wang (2007)."""
    return spectral(consensus_matrix(partitions), n_clusters, rng)


def spectral(similarities: Floats, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Spectral clustering of similarities, shape (n, n): Ng, Jordan & Weiss (2001), by scikit-learn."""
    from sklearn.cluster import spectral_clustering
    from threadpoolctl import threadpool_limits

    seed = int(rng.integers(2**31))
    with threadpool_limits(limits=1), warnings.catch_warnings():
        # A consensus matrix may well fall apart into components; the embedding then tells them apart.
        warnings.filterwarnings("ignore", message="Graph is not fully connected")
        labels = spectral_clustering(similarities, n_clusters=n_clusters, random_state=seed)
    return number_by_appearance(labels)


def hbgf(partitions: npt.ArrayLike, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Spectral clustering of the graph of objects and clusters: Fern & Brodley (2004), section 4."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    objects, clusters = embedding(memberships(partitions), n_clusters)
    model = KMeans(n_clusters, n_init=10, random_state=int(rng.integers(2**31)))
    with threadpool_limits(limits=1):  # several threads add up in any order
        labels = model.fit_predict(np.concatenate([objects, clusters]))
    return number_by_appearance(labels[: objects.shape[0]])


def embedding(clusters: Booleans, n_dimensions: int) -> tuple[Floats, Floats]:
    """Coordinates of objects and of clusters, rows of length 1.

    Eigenvectors of the normalised ``[[0, A], [A', 0]]`` are the left singular vectors above the right ones.
    """
    from threadpoolctl import threadpool_limits

    edges = clusters.astype(np.float64)
    scaled = edges / np.sqrt(np.outer(edges.sum(axis=1), edges.sum(axis=0)))
    with threadpool_limits(limits=1):  # several threads add up in any order
        left, _, right = np.linalg.svd(scaled, full_matrices=False)
    return _of_length_1(left[:, :n_dimensions]), _of_length_1(right[:n_dimensions].T)


def _of_length_1(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0.0, lengths, 1.0))


def cspa(partitions: npt.ArrayLike, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """METIS on the graph of objects, whose edges weigh as many partitions as join two: section 3.2."""
    together = memberships(partitions).astype(np.float64)
    return number_by_appearance(cut_graph(np.rint(together @ together.T).astype(np.int64), n_clusters, rng))


def hgpa(partitions: npt.ArrayLike, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Parts of about equal size that cut few clusters, each counted once, by Mt-KaHyPar: section 3.3."""
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
    """METIS groups alike clusters, and each object joins the group it is most in: section 3.4.

    A group that no object joins is lost, so that there may be fewer clusters than asked for.
    """
    clusters = memberships(partitions)
    groups = cut_graph(
        np.rint(RESOLUTION * jaccard(clusters)).astype(np.int64),
        n_clusters,
        rng,
        vertex_weights=clusters.sum(axis=0),
    )
    return number_by_appearance(strongest(association(clusters, groups, n_clusters), rng))


def jaccard(clusters: Booleans) -> Floats:
    """Jaccard index of each two clusters, 0 for two of the same partition; shape (C, C)."""
    members = clusters.astype(np.float64)
    both = members.T @ members
    sizes = both.diagonal()
    return np.asarray(both / (sizes[:, np.newaxis] + sizes - both))


def association(clusters: Booleans, groups: Integers, n_groups: int) -> Floats:
    """Share of the clusters of each group that an object is in; shape (n, groups)."""
    in_group = groups[:, np.newaxis] == np.arange(n_groups)
    return np.asarray(clusters.astype(np.float64) @ in_group / np.maximum(in_group.sum(axis=0), 1))


def strongest(shares: Floats, rng: "np.random.Generator") -> Integers:
    """Column of the largest share of each row; a tie is broken at random."""
    largest = shares >= shares.max(axis=1, keepdims=True) - 1e-12
    return np.asarray(np.argmax(largest * (1.0 + rng.random(shares.shape)), axis=1), dtype=np.int64)


def cut_graph(
    weights: npt.NDArray[np.integer],
    n_parts: int,
    rng: "np.random.Generator",
    *,
    vertex_weights: npt.NDArray[np.integer] | None = None,
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


FUNCTIONS: Mapping[str, Callable[[npt.ArrayLike, int, "np.random.Generator"], Integers]] = MappingProxyType(
    {"cspa": cspa, "mcla": mcla, "hgpa": hgpa, "hbgf": hbgf, "ncut": ncut, "average-linkage": average_linkage}
)
"""By the names of `consensus_partition`; sections are those of Strehl & Ghosh (2002)."""

NEEDED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "cspa": ("pymetis",),
        "mcla": ("pymetis",),
        "hgpa": ("mtkahypar",),
        "hbgf": ("sklearn",),
        "ncut": ("sklearn",),
    }
)
"""Modules that a function stands on."""
