"""Set-matching indices straight from their definitions, over Python sets of objects, in fractions."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

Clusters = list[frozenset[int]]
Number = Fraction | float


def clusters_of(labels: Sequence[int]) -> Clusters:
    return [
        frozenset(x for x, label in enumerate(labels) if label == wanted) for wanted in sorted(set(labels))
    ]


def largest_overlaps(clusters: Clusters, others: Clusters) -> int:
    return sum(max(len(cluster & other) for other in others) for cluster in clusters)


def one_to_one(
    classes: Clusters, clusters: Clusters, weight: Callable[[frozenset[int], frozenset[int]], Number]
) -> list[Number]:
    """Weights of the matching of the largest total, by trying for each class every cluster still free."""
    return max(_all_matchings(classes, clusters, weight, sum), key=sum)


def one_to_one_in_order(classes: Clusters, clusters: Clusters) -> list[Number]:
    """Overlaps of the matching whose overlaps, largest first, come last in the dictionary."""
    return max(_all_matchings(classes, clusters, lambda x, y: len(x & y), _largest_first), key=_largest_first)


def _largest_first(weights: Sequence[Number]) -> list[Number]:
    return sorted(weights, reverse=True)


def _all_matchings(classes, clusters, weight, key):
    """Every matching of the first class, each with the best one of the rest; a class may stay alone."""

    @cache
    def best(i: int, free: frozenset[int]) -> tuple[Number, ...]:
        return max(candidates(i, free), key=key)

    def candidates(i: int, free: frozenset[int]) -> list[tuple[Number, ...]]:
        if i == len(classes):
            return [()]
        alone = [(0, *best(i + 1, free))]
        return alone + [(weight(classes[i], clusters[j]), *best(i + 1, free - {j})) for j in free]

    return candidates(0, frozenset(range(len(clusters))))


def matched(labels_true: Sequence[int], labels_pred: Sequence[int]) -> Number:
    return sum(one_to_one(clusters_of(labels_true), clusters_of(labels_pred), lambda x, y: len(x & y)))


def taken_by_greed(labels_true: Sequence[int], labels_pred: Sequence[int]) -> Number:
    return sum(one_to_one_in_order(clusters_of(labels_true), clusters_of(labels_pred)))


def f_of_sets(x: frozenset[int], y: frozenset[int]) -> Fraction:
    precision, recall = Fraction(len(x & y), len(y)), Fraction(len(x & y), len(x))
    return 2 * precision * recall / (precision + recall) if precision else Fraction(0)


def purity(labels_true: Sequence[int], labels_pred: Sequence[int]) -> Fraction:
    return Fraction(largest_overlaps(clusters_of(labels_pred), clusters_of(labels_true)), len(labels_true))


def van_rijsbergen_f(labels_true: Sequence[int], labels_pred: Sequence[int]) -> Fraction:
    clusters = clusters_of(labels_pred)
    by_object = [
        max(f_of_sets(one, y) for y in clusters)
        for x in range(len(labels_true))
        for one in clusters_of(labels_true)
        if x in one
    ]
    return sum(by_object) / len(labels_true)


def larsen_aone_f(labels_true: Sequence[int], labels_pred: Sequence[int]) -> Fraction:
    classes = clusters_of(labels_true)
    return sum(max(f_of_sets(x, y) for y in clusters_of(labels_pred)) for x in classes) / len(classes)


def misplaced(labels: Sequence[int], others: Sequence[int]) -> int:
    """Objects outside the largest part that their cluster has in common with one of the others."""
    return len(labels) - largest_overlaps(clusters_of(labels), clusters_of(others))


def edit_distance_quality(labels_true: Sequence[int], labels_pred: Sequence[int]) -> Fraction:
    """Start with an empty set for each class, merge every cluster into one, move what is wrong."""
    classes = clusters_of(labels_true)
    operations = 0
    for cluster in clusters_of(labels_pred):
        operations += 1
        chosen = max(classes, key=lambda one: len(one & cluster))
        operations += sum(1 for x in cluster if x not in chosen)
    return 1 - Fraction(operations, len(labels_true))


def most_clusters(labels_true: Sequence[int], labels_pred: Sequence[int]) -> int:
    return max(len(set(labels_true)), len(set(labels_pred)))


def normalized_pivoted_accuracy(labels_true: Sequence[int], labels_pred: Sequence[int]) -> Number:
    least = Fraction(1, most_clusters(labels_true, labels_pred))
    if least == 1:
        return math.nan
    return (Fraction(matched(labels_true, labels_pred), len(labels_true)) - least) / (1 - least)


def normalized_clustering_accuracy(labels_true: Sequence[int], labels_pred: Sequence[int]) -> Number:
    classes = clusters_of(labels_true)
    shares = one_to_one(classes, clusters_of(labels_pred), lambda x, y: Fraction(len(x & y), len(x)))
    if len(classes) == 1:
        return math.nan if sum(shares) == 1 else -math.inf
    least = Fraction(1, len(classes))
    return sum((share - least) / (1 - least) for share in shares) / len(classes)


def pair_sets(labels_true: Sequence[int], labels_pred: Sequence[int], chance: Number | None = None) -> Number:
    classes, clusters = clusters_of(labels_true), clusters_of(labels_pred)
    similarity = sum(one_to_one(classes, clusters, lambda x, y: Fraction(len(x & y), max(len(x), len(y)))))
    if chance is None:
        sizes = zip(
            sorted(map(len, classes), reverse=True), sorted(map(len, clusters), reverse=True), strict=False
        )
        chance = sum(Fraction(x * y, len(labels_true) * max(x, y)) for x, y in sizes)
    most = max(len(classes), len(clusters))
    return math.nan if most == 1 else (similarity - chance) / (most - chance)


def clipped(value: Number) -> Number:
    return max(value, Fraction(0)) if not math.isnan(value) else value


def purity_f(labels_true: Sequence[int], labels_pred: Sequence[int]) -> Fraction:
    return 2 / (1 / purity(labels_true, labels_pred) + 1 / purity(labels_pred, labels_true))


def _defined(twin: Callable[[list[int], list[int]], Number]) -> Callable[[list[int], list[int]], Number]:
    """nan without objects."""
    return lambda x, y: twin(x, y) if x else math.nan


TWINS: dict[str, Callable[[list[int], list[int]], Number]] = {
    name: _defined(twin)
    for name, twin in {
        "purity": purity,
        "inverse_purity": lambda x, y: purity(y, x),
        "purity_f": purity_f,
        "geometric_accuracy": lambda x, y: math.sqrt(purity(x, y) * purity(y, x)),
        "van_rijsbergen_f": van_rijsbergen_f,
        "larsen_aone_f": larsen_aone_f,
        "van_dongen": lambda x, y: misplaced(x, y) + misplaced(y, x),
        "normalized_van_dongen": lambda x, y: Fraction(misplaced(x, y) + misplaced(y, x), 2 * len(x)),
        "split_join": lambda x, y: misplaced(x, y) + misplaced(y, x),
        "split_join_1": misplaced,
        "split_join_2": lambda x, y: misplaced(y, x),
        "edit_distance_quality": edit_distance_quality,
        "maximum_matching_accuracy": lambda x, y: Fraction(matched(x, y), len(x)),
        "classification_error": lambda x, y: 1 - Fraction(matched(x, y), len(x)),
        "transfer_distance": lambda x, y: len(x) - matched(x, y),
        "meila_heckerman": lambda x, y: Fraction(taken_by_greed(x, y), len(x)),
        "criterion_h": lambda x, y: 1 - Fraction(taken_by_greed(x, y), len(x)),
        "normalized_pivoted_accuracy": normalized_pivoted_accuracy,
        "normalized_clustering_accuracy": normalized_clustering_accuracy,
        "pair_sets_index": lambda x, y: clipped(pair_sets(x, y)),
        "unclipped_pair_sets_index": pair_sets,
        "simplified_pair_sets_index": lambda x, y: clipped(pair_sets(x, y, Fraction(1))),
    }.items()
}
