"""Normalised mutual information of many partitions at once: ANMI and PNMI."""

from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.ensembles.consensus import partition_codes
from chancecorr.ensembles.partition import memberships
from chancecorr.machine.arrays import Floats
from chancecorr.tables.objects import read_partition


def average_nmi(partitions: Any, labels: Any) -> float:
    """Mean normalised mutual information of several partitions with one (ANMI).

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n), or iterable of label vectors of shape (n,)
        As for `consensus_matrix`.
    labels : array-like of shape (n,)
        The partition that they are compared with.

    Returns
    -------
    float
        In [0, 1]. Not adjusted for chance: the more clusters, the larger.

    Raises
    ------
    TypeError, ValueError
        As `consensus_matrix`; also if `labels` has another length.

    Notes
    -----
    Normalised by the geometric mean of the entropies; 0 where a partition is a single cluster. Strehl & Ghosh
    (2002); Zhang, Wong & Shen (2012), eq. 6, doi 10.1016/j.patcog.2011.11.017.

    Examples
    --------
    >>> average_nmi([[0, 0, 1, 1], [0, 1, 0, 1]], [5, 5, 7, 7])
    0.5
    """
    codes = partition_codes(partitions).astype(np.int64)
    one = read_partition("labels", labels)[0]
    if one.size != codes.shape[1]:
        raise ArgumentValueError(
            "labels", f"must have the {codes.shape[1]} objects of `partitions`; got {one.size}."
        )
    return float(nmi_matrix(codes, one[np.newaxis]).mean())


def pairwise_nmi(partitions: Any) -> float:
    """Mean normalised mutual information of every two of several partitions (PNMI): their diversity.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n), or iterable of label vectors of shape (n,)
        Two at least; as for `consensus_matrix`.

    Returns
    -------
    float
        In [0, 1], 1 if all are the same; not adjusted for chance.

    Raises
    ------
    TypeError, ValueError
        As `consensus_matrix`; also if there is one partition.

    Notes
    -----
    Fern & Lin (2008), doi:10.1002/sam.10008; Zhang, Wong & Shen (2012), eq. 7, which has the sum over i and
    j in place of the mean.

    Examples
    --------
    >>> round(pairwise_nmi([[0, 0, 1, 1], [0, 1, 0, 1], [3, 3, 2, 2]]), 12)
    0.333333333333
    """
    codes = partition_codes(partitions).astype(np.int64)
    m = len(codes)
    if m < 2:
        raise ArgumentValueError("partitions", f"must hold two partitions at least; got {m}.")
    nmi = nmi_matrix(codes, codes)
    return float((nmi.sum() - nmi.trace()) / (m * (m - 1)))


def nmi_matrix(P: Any, Q: Any) -> Floats:
    """NMI of each partition of P with each of Q, by the geometric mean; shape (len(P), len(Q)).

    All contingency tables are the blocks of one matrix of clusters by clusters.
    """
    from scipy.special import xlogy

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
