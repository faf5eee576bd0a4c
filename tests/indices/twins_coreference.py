"""Naive twins of the indices of coreference: links, mentions and entities as Python sets, in fractions."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

from tests.indices.twins_cluster_level import (
    Cluster,
    Labels,
    Number,
    bcubed_f,
    bcubed_precision,
    clusters,
    f1,
    jaccard,
    mean,
    mean_best,
)
from tests.indices.twins_set_matching import one_to_one


def harmonic(p: Number, r: Number) -> Number:
    return 2 * p * r / (p + r) if p + r else math.nan


def muc_recall(key: Labels, response: Labels) -> Number:
    """Links of a chain through each entity, less one for each part but the first that the response has."""
    links = sum(len(entity) - 1 for entity in clusters(key))
    cuts = sum(len({response[k] for k in entity}) - 1 for entity in clusters(key))
    if not links:
        return math.nan if len(set(response)) == len(response) else Fraction(0)
    return Fraction(links - cuts, links)


def muc(key: Labels, response: Labels) -> Number:
    """Links in both over the mean number of links, so that singletons on one side have 0."""
    links = [sum(len(entity) - 1 for entity in clusters(side)) for side in (key, response)]
    both = sum(len(one & other) - 1 for one in clusters(key) for other in clusters(response) if one & other)
    return Fraction(2 * both, sum(links)) if any(links) else math.nan


def merge_distance(key: Labels, response: Labels) -> Number:
    """Split each entity into its parts, then merge the parts of each entity of the response."""
    if not key:
        return math.nan
    parts = {entity & other for entity in clusters(key) for other in clusters(response)} - {frozenset()}
    splits = sum(sum(part <= entity for part in parts) - 1 for entity in clusters(key))
    return float(splits + sum(sum(part <= entity for part in parts) - 1 for entity in clusters(response)))


def ceaf_e(key: Labels, response: Labels) -> Number:
    matched = sum(one_to_one(clusters(key), clusters(response), f1))
    return harmonic(matched / len(clusters(response)), matched / len(clusters(key))) if key else math.nan


def jaccard_error_rate(key: Labels, response: Labels) -> Number:
    return (
        1 - sum(one_to_one(clusters(key), clusters(response), jaccard)) / len(set(key)) if key else math.nan
    )


def links_of(entity: Cluster) -> set[Cluster]:
    """Pairs of its mentions; a single mention has a link to itself."""
    return {frozenset(pair) for pair in combinations(entity, 2)} if len(entity) > 1 else {entity}


def lea_recall(key: Labels, response: Labels) -> Number:
    resolved = Fraction(0)
    for entity in clusters(key):
        found = sum(len(links_of(entity) & links_of(other)) for other in clusters(response))
        resolved += Fraction(len(entity) * found, len(links_of(entity)))
    return resolved / len(key) if key else math.nan


def cluster_recall(key: Labels, response: Labels) -> Number:
    return mean([Fraction(entity in clusters(response)) for entity in clusters(key)])


def cluster_f(key: Labels, response: Labels) -> Number:
    both = len({*clusters(key)} & {*clusters(response)})
    return Fraction(2 * both, len(clusters(key)) + len(clusters(response))) if key else math.nan


TWINS: dict[str, Callable[[Labels, Labels], Number]] = {
    "muc_recall": muc_recall,
    "muc_precision": lambda key, response: muc_recall(response, key),
    "muc": muc,
    "merge_distance": merge_distance,
    "ceaf_e": ceaf_e,
    "jaccard_error_rate": jaccard_error_rate,
    "lea_recall": lea_recall,
    "lea_precision": lambda key, response: lea_recall(response, key),
    "lea": lambda key, response: harmonic(lea_recall(response, key), lea_recall(key, response)),
    "conll": lambda key, response: (muc(key, response) + bcubed_f(key, response) + ceaf_e(key, response)) / 3,
    "cluster_recall": cluster_recall,
    "cluster_precision": lambda key, response: cluster_recall(response, key),
    "cluster_f": cluster_f,
    "closest_cluster_f": lambda key, response: harmonic(
        mean_best(jaccard, response, key), mean_best(jaccard, key, response)
    ),
    "k_measure": lambda key, response: (
        math.sqrt(bcubed_precision(key, response) * bcubed_precision(response, key)) if key else math.nan
    ),
}
