"""What is checked in fractions: proposition 1, the worked example, sub-matrices, bounds of ARImm(M, M)."""

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

import chancecorr as cc
from experiments.common.units import Clock, Inputs, Record, generator
from experiments.zhang_wong_shen_2012.chance import compare_matrices
from experiments.zhang_wong_shen_2012.paper import MATRIX_1, MATRIX_2, MATRIX_2_MEANT
from experiments.zhang_wong_shen_2012.sums import Matrix, PairSums, sums_of_matrices, sums_of_tables

ORDERS = (2, 3, 5, 7)
"""Of the affine planes: prime, so that arithmetic modulo the order is a field."""

RANDOM_PAIRS = 200


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """The checks that are small enough to be exact.

    Returns ``proposition 1``, ``example``, ``blocks``, ``self`` and ``planes``; see the functions here.
    """
    with clock("fractions"):
        return {
            "proposition 1": equal_indices(inputs["objects"], generator(seed, "proposition 1", replicate)),
            "example": worked_example(),
            "blocks": four_blocks(generator(seed, "blocks", replicate)),
            "self": self_agreement(min(inputs["objects"], 4)),
            "planes": [affine_plane(order) for order in ORDERS],
        }


def set_partitions(n: int) -> Iterator[tuple[int, ...]]:
    """All partitions of n objects, as labels."""
    if n == 0:
        yield ()
        return
    for rest in set_partitions(n - 1):
        for label in range(max(rest, default=-1) + 2):
            yield (*rest, label)


def co_membership(labels: Sequence[int]) -> list[list[Fraction]]:
    """Eq. 1."""
    return [[Fraction(one == other) for other in labels] for one in labels]


def equal_indices(objects: int, rng: np.random.Generator) -> Record:
    """Proposition 1: ARI from the contingency table, ARImp and ARImm by sums over matrices.

    All pairs of partitions of some objects in fractions, then random pairs with the functions of chancecorr.
    """
    equal = undefined = 0
    everyone = range(objects)
    for p, q in itertools.product(set_partitions(objects), repeat=2):
        tables = sums_of_tables(np.array([p]), np.array([q]))
        P, Q = co_membership(p), co_membership(q)
        matrices = sums_of_matrices(P, Q, everyone, everyone)
        try:
            ari = tables.adjusted(objects)
        except ZeroDivisionError:  # all apart twice, or all together twice
            undefined += 1
            continue
        indices = (matrices.adjusted(objects), arimp(P, q).adjusted(objects), arimp(Q, p).adjusted(objects))
        equal += all(index == ari for index in indices)
    largest = 0.0
    for _ in range(RANDOM_PAIRS):
        n = int(rng.integers(5, 200))
        one, other = (rng.integers(0, rng.integers(2, 10), n) for _ in range(2))
        expected = cc.score(one, other, index="adjusted_rand")
        M, N = cc.ensembles.consensus_matrix([one]), cc.ensembles.consensus_matrix([other])
        for value in (cc.ensembles.arimp(M, other), cc.ensembles.arimp(N, one), cc.ensembles.arimm(M, N)):
            largest = max(largest, abs(value - expected))
    pairs = sum(1 for _ in set_partitions(objects)) ** 2
    return {
        "objects": objects, "pairs": pairs, "equal": equal, "undefined": undefined,
        "random pairs": RANDOM_PAIRS, "largest difference": largest,
    }  # fmt: skip


def arimp(M: Matrix, labels: Sequence[int]) -> PairSums:
    """Sums of eq. 12, cluster by cluster."""
    n = len(labels)
    s0 = s2 = Fraction(0)
    for cluster in set(labels):
        members = [i for i in range(n) if labels[i] == cluster]
        s0 += sum((Fraction(M[i][j]) / 2 for i in members for j in members if i != j), Fraction(0))
        s2 += Fraction(len(members) * (len(members) - 1), 2)
    s1 = sum((Fraction(M[i][j]) / 2 for i in range(n) for j in range(n) if i != j), Fraction(0))
    return PairSums(s0, s1, s2)


def self_of(M: Matrix) -> Fraction:
    """ARImm of a matrix with itself."""
    everyone = range(len(M))
    return sums_of_matrices(M, M, everyone, everyone).adjusted(len(M))


def worked_example() -> Record:
    """Section 4.3, the second matrix as printed and as described; also the other three measures."""
    others = [compare_matrices(*[np.array(each, dtype=float)] * 2) for each in (MATRIX_1, MATRIX_2_MEANT)]
    return {
        "ARImm": {
            "M1": float(self_of(MATRIX_1)),
            "M2": float(self_of(MATRIX_2_MEANT)),
            "M2 as printed": float(self_of(MATRIX_2)),
        },
        "others": {name: [each[name] for each in others] for name in ("NSF", "KAS", "sSMS")},
    }


def four_blocks(rng: np.random.Generator) -> Record:
    """Section 4.2: two 6 x 6 consensus matrices in four blocks of 3 x 3.

    Eq. 14 on a block leaves out i = j. Read as objects, the blocks add up; read as positions within the
    block, pairs of the blocks off the diagonal are lost.
    """
    P, Q = (
        [[Fraction(int(count), 4) for count in row] for row in 4 * cc.ensembles.consensus_matrix(partitions)]
        for partitions in (rng.integers(0, 3, (4, 6)), rng.integers(0, 3, (4, 6)))
    )
    everyone = range(6)
    halves = range(3), range(3, 6)
    whole = sums_of_matrices(P, Q, everyone, everyone)
    parts = [sums_of_matrices(P, Q, rows, columns) for rows in halves for columns in halves]
    by_position = []
    for rows, columns in itertools.product(halves, repeat=2):
        p, q = ([[M[i][j] for j in columns] for i in rows] for M in (P, Q))
        by_position.append(sums_of_matrices(p, q, range(3), range(3)))
    return {
        "equal": _sum(parts) == whole,
        "whole": float(whole.adjusted(6)),
        "by objects": float(_sum(parts).adjusted(6)),
        "by positions": float(_sum(by_position).adjusted(6)),
    }


def _sum(parts: Sequence[PairSums]) -> PairSums:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def self_agreement(objects: int) -> Record:
    """ARImm(M, M) of all ensembles of three partitions of some objects: its range, and where it is 1."""
    values = []
    ones_differ = 0
    for ensemble in itertools.combinations_with_replacement(set_partitions(objects), 3):
        partitions = np.array(ensemble)
        try:
            value = sums_of_tables(partitions, partitions).adjusted(objects)
        except ZeroDivisionError:
            continue
        values.append(value)
        ones_differ += value == 1 and len(set(ensemble)) > 1
    return {
        "objects": objects, "ensembles": len(values), "least": float(min(values)), "most": float(max(values)),
        "ones of different partitions": ones_differ,
    }  # fmt: skip


def affine_plane(order: int) -> Record:
    """ARImm(M, M) of the lines of an affine plane, sorted by direction: each two objects together just once.

    The order**2 objects are points; the lines of a direction are one partition into as many clusters of as
    many points as the order, and there are order + 1 directions. So M is constant, and ARImm(M, M) is 0.
    """
    points = np.arange(order**2)
    x, y = points // order, points % order
    partitions = np.array([x, *((y - slope * x) % order for slope in range(order))])
    sums = sums_of_tables(partitions, partitions)
    return {
        "order": order, "n": int(points.size), "L": len(partitions), "K": order,
        "ARImm": float(sums.adjusted(points.size)),
        "chancecorr": cc.ensembles.arimm(*[cc.ensembles.consensus_matrix(partitions)] * 2),
    }  # fmt: skip
