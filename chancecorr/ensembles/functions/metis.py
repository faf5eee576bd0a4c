"""Partitions of weighted graphs by METIS, through pymetis."""

import numpy as np
import numpy.typing as npt

from chancecorr.ensembles.functions.ensemble import Integers


def cut_graph(
    weights: npt.NDArray[np.integer],
    n_parts: int,
    rng: "np.random.Generator",
    *,
    vertex_weights: npt.NDArray[np.integer] | None = None,
) -> Integers:
    """Parts of about the same weight, the edges between them as light as METIS finds.

    Parameters
    ----------
    weights : numpy.ndarray of int, shape (n, n)
        Symmetric, at least 0; where 0, there is no edge. The diagonal does not count.
    n_parts : int
    rng : numpy.random.Generator
        Gives METIS its seed.
    vertex_weights : numpy.ndarray of int, optional
        Shape (n,), above 0; all alike without.

    Returns
    -------
    numpy.ndarray
        int64, shape (n,).

    Notes
    -----
    Karypis & Kumar (1998), doi:10.1137/S1064827595287997. As its manual advises, METIS bisects recursively
    for up to 8 parts, and goes by k-way partitioning beyond.
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
