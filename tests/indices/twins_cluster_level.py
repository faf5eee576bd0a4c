"""Naive twins of the cluster-level indices: Python sets of objects, exact fractions."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

Labels = list[int]
Cluster = frozenset[int]
Number = Fraction | float


def clusters(labels: Labels) -> list[Cluster]:
    """The clusters as sets of objects."""
    return [frozenset(k for k, label in enumerate(labels) if label == own) for own in sorted(set(labels))]


def jaccard(one: Cluster, other: Cluster) -> Fraction:
    return Fraction(len(one & other), len(one | other))


def f1(one: Cluster, other: Cluster) -> Fraction:
    if not one & other:
        return Fraction(0)
    precision, recall = Fraction(len(one & other), len(other)), Fraction(len(one & other), len(one))
    return 2 / (1 / precision + 1 / recall)


def mean(values: list[Fraction]) -> Number:
    return sum(values, Fraction(0)) / len(values) if values else math.nan


def home(k: int, labels: Labels) -> Cluster:
    """The cluster that object k is in."""
    return next(cluster for cluster in clusters(labels) if k in cluster)


def bcubed_precision(true: Labels, pred: Labels) -> Number:
    objects = range(len(true))
    return mean([Fraction(len(home(k, true) & home(k, pred)), len(home(k, pred))) for k in objects])


def bcubed_f(true: Labels, pred: Labels) -> Number:
    p, r = bcubed_precision(true, pred), bcubed_precision(pred, true)
    return 2 / (1 / p + 1 / r)


def element_centric_similarity(true: Labels, pred: Labels) -> Number:
    """From the personalised page-rank vectors of Gates et al. (2019), alpha = 9/10."""
    alpha, objects = Fraction(9, 10), range(len(true))

    def rank(k: int, labels: Labels) -> list[Fraction]:
        own = home(k, labels)
        return [(1 - alpha) * (m == k) + alpha * Fraction(m in own, len(own)) for m in objects]

    def similarity(k: int) -> Fraction:
        differences = zip(rank(k, true), rank(k, pred), strict=True)
        return 1 - sum((abs(one - other) for one, other in differences), Fraction(0)) / (2 * alpha)

    return mean([similarity(k) for k in objects])


def nearest(cluster: Cluster, others: list[Cluster]) -> list[int]:
    """Numbers of all the others that are nearest by Jaccard."""
    similarities = [jaccard(cluster, other) for other in others]
    return [k for k, similarity in enumerate(similarities) if similarity == max(similarities)]


def centroid_index_1(true: Labels, pred: Labels) -> float:
    """The fewest orphans that any choice among the nearest leaves."""
    if not true:
        return math.nan
    reached: set[Cluster] = {frozenset()}
    for cluster in clusters(true):
        reached = {done | {k} for done in reached for k in nearest(cluster, clusters(pred))}
    return float(len(clusters(pred)) - max(map(len, reached)))


def centroid_similarity(true: Labels, pred: Labels) -> Number:
    def shared(source: Labels, target: Labels) -> int:
        others = clusters(target)
        return sum(
            max(len(cluster & others[k]) for k in nearest(cluster, others)) for cluster in clusters(source)
        )

    return Fraction(shared(true, pred) + shared(pred, true), 2 * len(true)) if true else math.nan


def mean_best(similarity: Callable[[Cluster, Cluster], Fraction], source: Labels, target: Labels) -> Number:
    return mean([max(similarity(one, other) for other in clusters(target)) for one in clusters(source)])


def clusterwise_wallace(source: Labels, target: Labels) -> Number:
    def share(cluster: Cluster) -> Fraction:
        pairs = list(combinations(cluster, 2))
        return Fraction(sum(target[k] == target[m] for k, m in pairs), len(pairs))

    return mean([share(cluster) for cluster in clusters(source) if len(cluster) > 1])


PRIME = 2147483629


def irm(true: Labels, pred: Labels) -> Number:
    """Tied pairs by most common objects, largest credit, fewest shared, least left, least fingerprint."""
    if not true:
        return math.nan
    sides = (
        [("true", cluster) for cluster in clusters(true)],
        [("pred", cluster) for cluster in clusters(pred)],
    )
    left = {side: len(side[1]) for both in sides for side in both}
    pairs = [(one, other) for one in sides[0] for other in sides[1] if one[1] & other[1]]
    common = {pair: len(pair[0][1] & pair[1][1]) for pair in pairs}
    similarity = {pair: jaccard(pair[0][1], pair[1][1]) for pair in pairs}
    total = Fraction(0)
    while any(live := [pair for pair in pairs if all(left[side] for side in pair)]):
        level = max(similarity[pair] for pair in live)
        tied = [pair for pair in live if similarity[pair] == level]
        prints = _fingerprints(left, {pair: common[pair] for pair in live})

        def rank(pair: Any, prints: dict[Any, int] = prints, tied: list[Any] = tied) -> tuple[int, ...]:
            of_sides = [prints[side] for side in pair]
            fingerprint = _mixed(sum(of_sides) % PRIME, math.prod(of_sides) % PRIME)
            stocks = [left[side] for side in pair]
            shared = sum(side in other for side in pair for other in tied)
            return -common[pair], -min(stocks), shared, sum(stocks), fingerprint, pairs.index(pair)

        alone = [pair for pair in tied if not any(set(pair) & set(other) for other in tied if other != pair)]
        chosen = alone[0] if alone else min(tied, key=rank)
        credit = min(left[side] for side in chosen)
        total += level * credit
        for side in chosen:
            left[side] -= credit
    return total / len(true)


def _fingerprints(left: dict[Any, int], common: dict[Any, int]) -> dict[Any, int]:
    """Of each cluster: its size and what is left of it, then three times those of its neighbours."""
    prints = {side: _mixed(len(side[1]), stock) for side, stock in left.items()}
    for _ in range(3):
        sums = dict.fromkeys(left, 0)
        for (one, other), x in common.items():
            sums[one] += _mixed(x, prints[other])
            sums[other] += _mixed(x, prints[one])
        prints = {side: _mixed(prints[side], sums[side] % PRIME) for side in left}
    return prints


def _mixed(x: int, y: int) -> int:
    mixed = (x * 48271 + y * 69621 + 1013904223) % PRIME
    return (mixed**3 + mixed) % PRIME


TWINS: dict[str, Callable[[Labels, Labels], Number]] = {
    "bcubed_precision": bcubed_precision,
    "bcubed_recall": lambda true, pred: bcubed_precision(pred, true),
    "bcubed_f": bcubed_f,
    "element_centric_similarity": element_centric_similarity,
    "centroid_index": lambda true, pred: max(centroid_index_1(true, pred), centroid_index_1(pred, true)),
    "centroid_index_1": centroid_index_1,
    "centroid_index_2": lambda true, pred: centroid_index_1(pred, true),
    "centroid_similarity": centroid_similarity,
    "clusterwise_jaccard_1": lambda true, pred: mean_best(jaccard, true, pred),
    "clusterwise_jaccard_2": lambda true, pred: mean_best(jaccard, pred, true),
    "average_jaccard": lambda true, pred: (
        (mean_best(jaccard, true, pred) + mean_best(jaccard, pred, true)) / 2
    ),
    "average_f1": lambda true, pred: (mean_best(f1, true, pred) + mean_best(f1, pred, true)) / 2,
    "clusterwise_wallace_1": clusterwise_wallace,
    "clusterwise_wallace_2": lambda true, pred: clusterwise_wallace(pred, true),
    "irm": irm,
}
