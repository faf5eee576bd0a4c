"""One partition from several of the same objects, by the consensus functions that the field compares."""

import importlib.util
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError, as_count, one_of
from chancecorr.ensembles.consensus import partition_codes
from chancecorr.ensembles.functions.table import FUNCTIONS, NEEDED
from chancecorr.machine.arrays import Integers
from chancecorr.null.seeding import RNG, make_generator, seed_from


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
