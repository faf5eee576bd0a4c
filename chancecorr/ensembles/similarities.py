"""Similarities of consensus matrices, and of many partitions, without a correction for chance."""

import math
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.ensembles.consensus import paired_matrices, partition_codes
from chancecorr.ensembles.partition import memberships
from chancecorr.machine.arrays import Floats
from chancecorr.tables.objects import read_partition


def frobenius_similarity(consensus_p: Any, consensus_q: Any) -> float:
    """Normalised similarity by the Frobenius norm of the difference of two matrices (NSF).

    Parameters
    ----------
    consensus_p, consensus_q : array-like of shape (n, n)
        As for `arimm`; here the diagonal counts.

    Returns
    -------
    float
        In [1 - 1/n, 1]: the norm is at most n, and the source divides it by n**2. Not adjusted for chance.
        For ``n < 2`` nan.

    Raises
    ------
    TypeError, ValueError
        As `arimm`.

    Notes
    -----
    ``1 - ||P - Q||_F / n**2``. Source: Zhang, Wong & Shen (2012), eq. 8, doi 10.1016/j.patcog.2011.11.017.

    Examples
    --------
    >>> frobenius_similarity([[1, 1], [1, 1]], [[0, 0], [0, 0]])
    0.5
    """
    n, (_, _, _, squares) = _cell_sums(consensus_p, consensus_q)
    return 1.0 - math.sqrt(squares) / n**2 if n > 1 else math.nan


def kernel_alignment(consensus_p: Any, consensus_q: Any) -> float:
    """Kernel alignment, the cosine between two matrices read as vectors (KAS).

    Parameters
    ----------
    consensus_p, consensus_q : array-like of shape (n, n)
        As for `arimm`; here the diagonal counts.

    Returns
    -------
    float
        In [0, 1], 1 for proportional matrices. Not adjusted for chance. Where it is 0/0, 1.0 if both matrices
        are zero and nan if one is; for ``n < 2`` nan.

    Raises
    ------
    TypeError, ValueError
        As `arimm`.

    Notes
    -----
    ``tr(P Q') / sqrt(tr(P P') tr(Q Q'))``. Source: Zhang, Wong & Shen (2012), eq. 9, doi
    10.1016/j.patcog.2011.11.017.

    Examples
    --------
    >>> round(kernel_alignment([[1, 0], [0, 1]], [[1, 1], [1, 1]]), 12)
    0.707106781187
    """
    n, (both, own_p, own_q, _) = _cell_sums(consensus_p, consensus_q)
    return _cosine(both, own_p, own_q, at_zero=1.0) if n > 1 else math.nan


def scaled_mantel_statistic(consensus_p: Any, consensus_q: Any) -> float:
    """Mantel statistic of two matrices, the correlation over their pairs, moved to [0, 1] (sSMS).

    Parameters
    ----------
    consensus_p, consensus_q : array-like of shape (n, n)
        As for `arimm`; the diagonal does not count.

    Returns
    -------
    float
        In [0, 1]; 0.5 is no correlation. Where it is 0/0, 1.0 if both matrices are constant and equal, nan if
        one alone is constant or the constants differ; for ``n < 2`` nan.

    Raises
    ------
    TypeError, ValueError
        As `arimm`.

    Notes
    -----
    ``(1 + r) / 2`` with Pearson's r over i < j: the divisor ``d - 1`` asks for the standard deviations of a
    sample. Source: Zhang, Wong & Shen (2012), eq. 10-11, doi 10.1016/j.patcog.2011.11.017.

    Examples
    --------
    >>> P, Q = [[1, 1, 0], [1, 1, 0.5], [0, 0.5, 1]], [[1, 0, 1], [0, 1, 0.5], [1, 0.5, 1]]
    >>> scaled_mantel_statistic(P, P), scaled_mantel_statistic(P, Q)
    (1.0, 0.0)
    """
    origin: tuple[float, float] | None = None
    parts = []
    for p, q in paired_matrices(consensus_p, consensus_q):
        if p.pairs.size == 0:
            continue
        origin = origin or (float(p.pairs[0]), float(q.pairs[0]))  # a constant matrix becomes exactly 0
        x, y = p.pairs - origin[0], q.pairs - origin[1]
        parts.append((x.size, np.sum(x), np.sum(y), np.sum(x * y), np.sum(x * x), np.sum(y * y)))
    if origin is None:
        return math.nan
    size, x_sum, y_sum, both, own_x, own_y = map(math.fsum, zip(*parts, strict=True))
    products = both - x_sum * y_sum / size, own_x - x_sum**2 / size, own_y - y_sum**2 / size
    return (1.0 + _cosine(*products, at_zero=1.0 if origin[0] == origin[1] else math.nan)) / 2.0


def _cosine(both: float, own_p: float, own_q: float, *, at_zero: float) -> float:
    """Cosine of two vectors from their products with each other and themselves; `at_zero` if both are 0."""
    if own_p == 0.0 or own_q == 0.0:
        return at_zero if own_p == own_q else math.nan
    return max(-1.0, min(1.0, both / math.sqrt(own_p * own_q)))


def _cell_sums(consensus_p: Any, consensus_q: Any) -> tuple[int, list[float]]:
    """Number of objects, and sums of ``P Q``, ``P P``, ``Q Q`` and ``(P - Q)**2`` over all cells."""
    n, sums = 0, []
    for p, q in paired_matrices(consensus_p, consensus_q):
        n += p.diagonal.size
        for weight, x, y in ((2.0, p.pairs, q.pairs), (1.0, p.diagonal, q.diagonal)):
            sums.append([weight * np.sum(cells) for cells in (x * y, x * x, y * y, (x - y) ** 2)])
    return n, [math.fsum(column) for column in np.array(sums).reshape(-1, 4).T]


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
    """NMI of each partition of P with each of Q, by the geometric mean; from one matrix of clusters."""
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
