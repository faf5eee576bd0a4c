"""Candidates with random cluster sizes: each object in any of k clusters, as in the papers' scripts.

What chance gives then differs from candidate to candidate, and is found for each from its own cluster
sizes, exactly: of sums over cells by `chancecorr`, and of T for all candidates at once, by counting pairs of
pairs of objects.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

import chancecorr as cc
from chancecorr.chance.fixed_margins import find_best_value
from chancecorr.exact.additive import compute_cell_sum_mean, compute_cell_sum_variance
from chancecorr.indices.evaluation import (
    evaluate_varying_pairs,
    evaluate_varying_sums,
    link_totals,
    sum_listed_cells,
)
from chancecorr.machine.arrays import Floats, Integers
from experiments.selection_bias.wins import Contest


def contests_of_sums(
    names: Sequence[str],
    *,
    reference_clusters: int,
    clusters: Sequence[int],
    objects: Sequence[int],
    trials: int,
    seed: int,
) -> dict[str, dict[str, Integers]]:
    """Wins with indices whose moments are exact; the reference is random, too, in each trial.

    Every object is in each of `reference_clusters`, and of the clusters of a candidate, with equal chances;
    empty clusters are left out. Candidates differ in their number of clusters, or in how many objects they
    have, and are then compared with as many objects of the reference: one of the two sequences has length 1,
    and the wins are those of the members of the other. By what picks: ``"raw"``, ``"adjusted"``,
    ``"standardized"``.
    """
    indices = [cc.get_index(name) for name in names]
    ties = np.random.default_rng([seed, 2])
    all_of: dict[str, dict[str, Contest]] = {name: {} for name in names}
    stream = np.random.default_rng([seed, 1])
    references = stream.integers(reference_clusters, size=(trials, max(objects)))
    entrants = [(n if len(objects) > 1 else k, k, n) for k in clusters for n in objects]
    for entrant, k, n in entrants:
        tables = [
            cc.contingency_table(references[trial, :n], stream.integers(k, size=n)) for trial in range(trials)
        ]
        for index in indices:
            found = scores_on_tables(index, tables)
            for key, values in found.items():
                all_of[index.name].setdefault(key, Contest(trials, ties)).enter(entrant, values)
    labels = [label for label, _, _ in entrants]
    return {
        name: {key: contest.wins(labels) for key, contest in each.items()} for name, each in all_of.items()
    }


def scores_on_tables(index: cc.indices.Index, tables: Sequence[cc.ContingencyTable]) -> Mapping[str, Floats]:
    """What picks, larger being better, on tables of as many objects, each against its own cluster sizes."""
    if index.needs == "pairs":
        margins = [table.margins for table in tables]
        T = np.array([int((table.nonzero_cells[2] ** 2).sum()) for table in tables])
        A, B = np.array([each.squares for each in margins]).T
        std = [std_of_pair_sum(each.row_totals, each.column_totals) for each in margins]
        return scores_of_pairs(index, T, A, B, np.array(std), tables[0].n)
    found = np.array([_scores_of_sum(index, table) for table in tables])
    return dict(zip(("raw", "adjusted", "standardized"), found.T, strict=True))


def _scores_of_sum(index: cc.indices.Index, table: cc.ContingencyTable) -> tuple[float, float, float]:
    """Raw, adjusted and standardised value of an index that is affine in a sum over cells.

    The last two are nan where the cluster sizes alone give the value.
    """
    margins = table.margins
    total, mean = (
        sum_listed_cells(index, *table.nonzero_cells, margins),
        compute_cell_sum_mean(index, margins),
    )
    std = math.sqrt(compute_cell_sum_variance(index, margins))
    value, expected, above = link_totals(index, np.array([total, mean, mean + std]), margins)
    sign = 1.0 if index.larger_is_better else -1.0
    if not std:
        return sign * value, math.nan, math.nan
    adjusted = (value - expected) / (find_best_value(index, margins, None) - expected)
    return sign * value, adjusted, sign * (value - expected) / abs(above - expected)


def std_of_pair_sum(rows: Integers, columns: Integers) -> Floats:
    """Standard deviation of ``T = sum n_ij**2``, rows of shape (K,) and columns of shape (m, Q), shape (m,).

    T is n + 2a, a the number of pairs of objects together in both. The square of a is a sum over two pairs,
    which are the same, share an object, or share none; with both margins fixed each sort of two pairs is
    equally likely to be any of its sort, so that ``E a**2`` is the sum over the three sorts of how many of
    these two pairs are together in the one clustering, times how many in the other, over how many there are.
    """
    n = float(rows.sum())
    sides = []
    for sizes in (rows.astype(float), columns.astype(float)):
        pairs = (sizes * (sizes - 1.0)).sum(axis=-1) / 2.0
        sharing = (sizes * (sizes - 1.0) * (sizes - 2.0)).sum(axis=-1)
        sides.append((pairs, sharing, pairs**2 - pairs - sharing))
    of_all = n * (n - 1.0) / 2.0
    there_are = (of_all, n * (n - 1.0) * (n - 2.0), of_all * (n - 2.0) * (n - 3.0) / 2.0)
    second = sum(first * other / all_ for first, other, all_ in zip(*sides, there_are, strict=True))
    mean = sides[0][0] * sides[1][0] / of_all
    return np.asarray(2.0 * np.sqrt(np.maximum(second - mean**2, 0.0)))


def scores_of_pairs(
    index: cc.indices.Index, T: Integers, A: Integers, B: Integers, std: Floats, n: int
) -> Mapping[str, Floats]:
    """What picks, larger being better, from T and the sums of squared totals of each candidate."""
    sign = 1.0 if index.larger_is_better else -1.0
    values = evaluate_varying_sums(index, T, A, B, n)
    found = {"raw": sign * values}
    if not index.affine or not index.can_be_adjusted:
        return found
    P, Q, N = (A - n) / 2.0, (B - n) / 2.0, n * (n - 1) / 2.0
    a = P * Q / N
    mean = evaluate_varying_pairs(index, (a, P - a, Q - a, N - P - Q + a), (A, B), n)
    best = index.best
    top = (
        np.full(T.size, best)
        if best is not None
        else (evaluate_varying_sums(index, A, A, A, n) + evaluate_varying_sums(index, B, B, B, n)) / 2.0
    )
    up = np.sign(evaluate_varying_sums(index, T + 2, A, B, n) - values)  # whether it grows with T
    with np.errstate(invalid="ignore", divide="ignore"):
        found["adjusted"] = (values - mean) / (top - mean)
        found["standardized"] = sign * up * (T - (n + 2.0 * a)) / std
    return found
