"""``T = sum(n_ij**2)`` of every two of many clusterings: all that pair-counting indices need of a table."""

from collections.abc import Iterator

import numpy as np

from chancecorr.comparison.clusterings import Clusterings
from chancecorr.comparison.kernels.pair_sums import fill_pair_sums
from chancecorr.machine.arrays import Integers
from chancecorr.simulation.workers import map_in_threads

FEW_LABELS = 100_000_000
"""Up to this many labels in all pairs NumPy counts, in half a second, and a new process needs no Numba."""

LABELS_OF_A_CALL = 1_000
"""Labels that NumPy counts in the time that its calls for a pair take, however few labels that has."""

DIRECT_CELLS = 65_536
"""A table of up to this many cells, or of up to four per object, is counted in an array of all its cells."""


def pair_sums(clusterings: Clusterings, n_jobs: int | None = None) -> Integers:
    """T of the tables of all pairs, symmetric, shape (m, m); on the diagonal sums of squared cluster sizes.

    Examples
    --------
    >>> from chancecorr.comparison.clusterings import read_clusterings
    >>> pair_sums(read_clusterings("clusterings", [[0, 0, 1, 1], [0, 0, 0, 1]])).tolist()
    [[8, 6], [6, 10]]
    """
    m = len(clusterings)
    n_clusters = np.array([sizes.size for sizes in clusterings.sizes], dtype=np.int64)
    sums = np.empty((m, m), dtype=np.int64)
    by_kernel = m * (m - 1) // 2 * max(clusterings.n, LABELS_OF_A_CALL) > FEW_LABELS

    def fill(row: int) -> None:
        sums[row, row] = np.dot(clusterings.sizes[row], clusterings.sizes[row])
        columns = np.arange(row + 1, m)
        most = max(DIRECT_CELLS, 4 * clusterings.n)
        direct = n_clusters[row] * n_clusters[columns] <= most
        found = np.empty(columns.size, dtype=np.int64)
        if by_kernel:
            plain = columns[direct]
            cells = np.empty(int(n_clusters[row] * n_clusters[plain].max(initial=0)), dtype=np.int64)
            part = np.empty(plain.size, dtype=np.int64)
            fill_pair_sums(clusterings.codes, n_clusters, row, plain, cells, part)
            found[direct] = part
        else:
            found[direct] = list(_by_numpy(clusterings, n_clusters, row, columns[direct]))
        found[~direct] = [clusterings.table(row, column).sum_of_squares for column in columns[~direct]]
        sums[row, row + 1 :] = sums[row + 1 :, row] = found

    list(map_in_threads(n_jobs)(fill, range(m)))
    return sums


def _by_numpy(clusterings: Clusterings, n_clusters: Integers, row: int, columns: Integers) -> Iterator[int]:
    """T of one clustering with some others."""
    own = clusterings.codes[row].astype(np.int64)
    places = np.empty_like(own)
    for column in columns.tolist():
        np.multiply(own, n_clusters[column], out=places)
        places += clusterings.codes[column]
        cells = np.bincount(places)
        yield int(np.dot(cells, cells))
