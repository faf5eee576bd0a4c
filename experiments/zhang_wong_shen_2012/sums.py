"""ARImp and ARImm from sums over pairs, eq. 12 to 15 and 29, in whole numbers and fractions.

A consensus matrix of L partitions holds multiples of 1 / L, so that its sums are fractions with a known
denominator. They come out of the partitions in three ways here: from contingency tables, without any matrix;
from blocks of rows of a matrix that is never whole; and from a whole matrix.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

Partitions = npt.NDArray[np.int64]
Matrix = Sequence[Sequence[float | Fraction]]

ROWS = 1_000
COLUMNS = 2_000
"""Sides of a tile of what is never whole: 2 MB of counts a matrix."""


@dataclass(frozen=True, slots=True)
class PairSums:
    """t0, t1 and t2 of eq. 14: sums over pairs i < j of P Q, of P and of Q."""

    t0: Fraction
    t1: Fraction
    t2: Fraction

    def __add__(self, other: "PairSums") -> "PairSums":
        """The sums of two sets of pairs together, eq. 29."""
        return PairSums(self.t0 + other.t0, self.t1 + other.t1, self.t2 + other.t2)

    def adjusted(self, n: int) -> Fraction:
        """ARImm of eq. 15; ARImp of eq. 13 if Q is a partition. Without a value where it is 0/0."""
        t3 = 2 * self.t1 * self.t2 / (n * (n - 1))
        return (self.t0 - t3) / ((self.t1 + self.t2) / 2 - t3)

    @classmethod
    def scaled(cls, counts: Iterable[int], n_p: int, n_q: int) -> Self:
        """Sums of P Q, P and Q from those of counts of `n_p` and `n_q` partitions."""
        both, first, second = counts
        return cls(Fraction(both, n_p * n_q), Fraction(first, n_p), Fraction(second, n_q))


def sums_of_matrices(P: Matrix, Q: Matrix, rows: Sequence[int], columns: Sequence[int]) -> PairSums:
    """Sums over the pairs i != j of a sub-matrix, halved as in eq. 14; i and j are objects, not positions."""
    t0 = t1 = t2 = Fraction(0)
    for i in rows:
        for j in columns:
            if i != j:
                p, q = Fraction(P[i][j]), Fraction(Q[i][j])
                t0, t1, t2 = t0 + p * q / 2, t1 + p / 2, t2 + q / 2
    return PairSums(t0, t1, t2)


def sums_of_tables(P: Partitions, Q: Partitions) -> PairSums:
    """From the contingency tables of each two partitions by lemmas 1 and 2 of the paper, without a matrix."""
    H_P, H_Q = (lay_out_clusters(each).astype(np.float64) for each in (P, Q))
    n = P.shape[1]
    tables = np.rint(H_P.T @ H_Q).astype(np.int64)

    def pairs(counts: npt.NDArray[np.int64], objects: int) -> int:
        return (int((counts * counts).sum()) - objects) // 2

    return PairSums.scaled(
        (
            pairs(tables, n * len(P) * len(Q)),
            pairs(H_P.sum(axis=0).astype(np.int64), n * len(P)),
            pairs(H_Q.sum(axis=0).astype(np.int64), n * len(Q)),
        ),
        len(P),
        len(Q),
    )


def sums_of_rows(P: Partitions, Q: Partitions, start: int, stop: int) -> tuple[int, int, int]:
    """Sums over the pairs i < j with i from `start` to `stop`, of counts of partitions; made tile by tile.

    Of ``p q``, ``p`` and ``q``, with p and q the numbers of partitions that put i and j together.
    """
    n = P.shape[1]
    total = [0, 0, 0]
    for first in range(start, n, COLUMNS):
        last = min(first + COLUMNS, n)
        p, q = (_together(each, slice(start, stop), slice(first, last)) for each in (P, Q))
        if first < stop:  # the tile crosses the diagonal: what is on and below it goes
            below = np.arange(first, last) <= np.arange(start, stop)[:, np.newaxis]
            p[below] = q[below] = 0
        products = np.multiply(p, q, dtype=np.uint16)
        for number, each in enumerate((products, p, q)):
            total[number] += int(each.sum(dtype=np.int64))
    return total[0], total[1], total[2]


def _together(partitions: Partitions, rows: slice, columns: slice) -> npt.NDArray[np.uint8]:
    """How many partitions put two objects together."""
    counts = np.zeros((rows.stop - rows.start, columns.stop - columns.start), dtype=np.uint8)
    for labels in partitions:
        counts += labels[rows, np.newaxis] == labels[columns]
    return counts


def blocks_of_rows(n: int, rows: int = ROWS) -> Iterator[tuple[int, int]]:
    """Where blocks of rows start and stop."""
    return ((start, min(start + rows, n)) for start in range(0, n, rows))


def added(parts: Iterable[tuple[int, int, int]], n_p: int, n_q: int) -> PairSums:
    """Eq. 29: the sums of all blocks."""
    return PairSums.scaled(map(sum, zip(*parts, strict=True)), n_p, n_q)


def compute_nmi(P: Partitions, Q: Partitions) -> npt.NDArray[np.float64]:
    """NMI of each partition of P with each of Q, by the geometric mean; from one matrix of clusters."""
    H_P, H_Q = (lay_out_clusters(side).astype(np.float64) for side in (P, Q))
    n = P.shape[1]
    starts = [np.cumsum([0, *(np.unique(labels).size for labels in side)])[:-1] for side in (P, Q)]
    cells = xlogy(*[H_P.T @ H_Q] * 2)
    joint = np.add.reduceat(np.add.reduceat(cells, starts[0], axis=0), starts[1], axis=1)
    sides = zip((H_P, H_Q), starts, strict=True)
    own = [np.add.reduceat(xlogy(*[H.sum(axis=0)] * 2), start) for H, start in sides]
    entropies = [n * np.log(n) - item for item in own]  # n times the entropy
    information = n * np.log(n) - own[0][:, np.newaxis] - own[1] + joint
    scale = np.sqrt(np.outer(*entropies))
    return np.asarray(np.where(scale > 0.0, information / np.where(scale > 0.0, scale, 1.0), 0.0))


def lay_out_clusters(partitions: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Which object is in which cluster of which partition, shape (n, C): the hypergraph of an ensemble."""
    sides = [labels[:, np.newaxis] == np.unique(labels) for labels in np.asarray(partitions)]
    return np.concatenate(sides, axis=1)
