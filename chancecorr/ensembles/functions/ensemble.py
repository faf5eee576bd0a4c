"""What consensus functions are given: partitions of the same objects, and their clusters side by side."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

ConsensusFunction = Callable[[npt.ArrayLike, int, "np.random.Generator"], Integers]
"""Labels of the objects, int64 of shape (n,) in 0, ..., K - 1, from partitions of shape (L, n), the number of
clusters K and a generator; the same generator gives the same labels."""


def memberships(partitions: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Which object is in which cluster of which partition: the hypergraph of an ensemble.

    Parameters
    ----------
    partitions : array-like of shape (L, n)
        A row a partition, its labels whole numbers.

    Returns
    -------
    numpy.ndarray
        Shape (n, C), a column for each of the C clusters of all partitions, in the order of the partitions
        and, within each, of its labels.

    Notes
    -----
    H of Strehl & Ghosh (2002), section 3.1, and A of Fern & Brodley (2004), section 4.

    Examples
    --------
    >>> memberships([[0, 0, 1], [5, 7, 5]]).astype(int)
    array([[1, 0, 1, 0],
           [1, 0, 0, 1],
           [0, 1, 1, 0]])
    """
    return np.concatenate(
        [labels[:, np.newaxis] == np.unique(labels) for labels in np.asarray(partitions)], axis=1
    )


def number_by_appearance(labels: npt.ArrayLike) -> Integers:
    """Labels numbered from 0 in the order in which they appear, so that equal partitions look equal.

    Examples
    --------
    >>> number_by_appearance([7, 7, 2, 7, 5])
    array([0, 0, 1, 0, 2])
    """
    _, first, codes = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes].astype(np.int64)
