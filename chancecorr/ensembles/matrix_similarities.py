"""Similarities of two consensus matrices without a correction for chance."""

import math
from typing import Any

import numpy as np

from chancecorr.ensembles.consensus import paired_matrices


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
