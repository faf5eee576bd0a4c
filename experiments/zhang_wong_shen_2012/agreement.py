"""Normalised mutual information between many partitions at once, eq. 5 to 7."""

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

from experiments.consensus.ensemble import memberships

Floats = npt.NDArray[np.float64]


def nmi_matrix(P: npt.NDArray[np.int64], Q: npt.NDArray[np.int64]) -> Floats:
    """NMI of each partition of P with each of Q, normalised by the geometric mean; shape (len(P), len(Q)).

    All contingency tables are the blocks of one matrix of clusters by clusters. 0 where a partition is a
    single cluster.

    Examples
    --------
    >>> nmi_matrix(np.array([[0, 0, 1, 1], [0, 1, 0, 1]]), np.array([[5, 5, 7, 7]])).tolist()
    [[1.0], [0.0]]
    """
    H_P, H_Q = (memberships(each).astype(np.float64) for each in (P, Q))
    n = P.shape[1]
    starts = [np.cumsum([0, *(np.unique(labels).size for labels in each)])[:-1] for each in (P, Q)]
    cells = xlogy(*[H_P.T @ H_Q] * 2)
    joint = np.add.reduceat(np.add.reduceat(cells, starts[0], axis=0), starts[1], axis=1)
    own = [
        np.add.reduceat(xlogy(*[H.sum(axis=0)] * 2), start)
        for H, start in ((H_P, starts[0]), (H_Q, starts[1]))
    ]
    entropies = [n * np.log(n) - each for each in own]  # n times the entropy
    information = n * np.log(n) - own[0][:, np.newaxis] - own[1] + joint
    scale = np.sqrt(np.outer(*entropies))
    return np.asarray(np.where(scale > 0.0, information / np.where(scale > 0.0, scale, 1.0), 0.0))


def average_nmi(partitions: npt.NDArray[np.int64], labels: npt.NDArray[np.int64]) -> float:
    """ANMI, eq. 6."""
    return float(nmi_matrix(partitions, labels[np.newaxis]).mean())


def pairwise_nmi(nmi: Floats, members: npt.NDArray[np.intp]) -> tuple[float, float]:
    """PNMI of some of the partitions: the mean over i != j, and the sum that eq. 7 has."""
    chosen = nmi[np.ix_(members, members)]
    total = float(chosen.sum() - chosen.trace())
    return total / (members.size * (members.size - 1)), total
