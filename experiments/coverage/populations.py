"""Populations of objects in clusters of a reference and of candidates, and their adjusted scores.

A population is the share of objects in every cell. Its adjusted score is the limit of that of a sample as
the sample grows. With shares ``p_ij``, ``r_i`` and ``c_j`` in place of counts, ``T / n**2`` has the limit
``tau = sum p_ij**2``, and under chance, the clusters being independent, ``sum r_i**2 sum c_j**2``, with a
standard deviation that vanishes. So the limit of an index of pair counts that depends on their ratios alone
is its function of ``tau / 2`` and so on, and the limit of its expected value is the same function at
independence. Any other continuous function of the shares goes the same way: the limit of the expected value
is its value at ``p_ij = r_i c_j``, 0 for the mutual information, the largest ``r_i`` for purity.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from chancecorr import get_index
from chancecorr.machine.arrays import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """Shares of the objects by reference (first axis) and one candidate, or two (second and third)."""

    name: str
    shares: Floats

    def of_candidate(self, number: int) -> Floats:
        """Shares by reference and this candidate alone, 0 or 1."""
        return self.shares if self.shares.ndim == 2 else self.shares.sum(axis=2 - number)


def blurred(sizes: Floats, mixed: float, parts: int = 1) -> Floats:
    """A candidate that splits each reference cluster into `parts`, and draws some objects' clusters anew.

    Of the objects, the share `mixed` is in a cluster of the candidate that does not go by the reference.
    """
    K = sizes.size
    split = np.kron(np.diag(sizes), np.full(parts, 1.0 / parts))
    columns = split.sum(axis=0)
    independent = np.outer(sizes, columns).reshape(K, -1)
    return (1.0 - mixed) * split + mixed * independent


def together(first: Floats, second: Floats) -> Floats:
    """Two candidates that are independent given the reference; shape (K, Q1, Q2)."""
    found: Floats = np.einsum("ij,ik,i->ijk", first, second, 1.0 / first.sum(axis=1))
    return found


def adjusted_limit(name: str, shares: Floats) -> float:
    """Adjusted score of a population, by the index's name."""
    independent = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    limit = LIMITS.get(name) or _of_pairs(name)
    observed, expected = limit(shares), limit(independent)
    return (observed - expected) / (1.0 - expected)


def _of_pairs(name: str) -> Callable[[Floats], float]:
    function = get_index(name).function

    def limit(shares: Floats) -> float:
        T, A, B = (float((each**2).sum()) for each in (shares, shares.sum(axis=1), shares.sum(axis=0)))
        counts = (T / 2, (A - T) / 2, (B - T) / 2, (1.0 - A - B + T) / 2)
        return float(function(*map(np.array, counts)))

    return limit


def _entropy(shares: Floats) -> float:
    kept = shares[shares > 0.0]
    return -math.fsum(kept * np.log(kept))


def _nmi_sum(shares: Floats) -> float:
    rows, columns = _entropy(shares.sum(axis=1)), _entropy(shares.sum(axis=0))
    return 2.0 * (rows + columns - _entropy(shares)) / (rows + columns)


def _purity(shares: Floats) -> float:
    return float(shares.max(axis=0).sum())


def _inverse_purity(shares: Floats) -> float:
    return _purity(shares.T)


def _van_dongen(shares: Floats) -> float:
    return (_purity(shares) + _inverse_purity(shares)) / 2.0


def _matching(shares: Floats) -> float:
    from scipy.optimize import linear_sum_assignment

    return float(shares[linear_sum_assignment(shares, maximize=True)].sum())


LIMITS: dict[str, Callable[[Floats], float]] = {
    "nmi_sum": _nmi_sum,
    "mutual_information": _nmi_sum,
    "purity": _purity,
    "inverse_purity": _inverse_purity,
    "van_dongen": _van_dongen,
    "maximum_matching_accuracy": _matching,
}
"""Limits of indices that are not functions of pair counts, up to a factor and a term that the margins fix."""
