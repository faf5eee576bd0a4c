"""Agreement of two or more raters, who gave labels with the same meaning to the same items.

Every two labels have a weight, such as 1 for equal labels and else 0. The agreement is the mean weight, and
the coefficient is ``(observed - expected) / (best - expected)``. Its name depends on the model of chance:

- ``"permutation"``, the ratings of each rater are permuted: the coefficient of Conger (1980),
  doi:10.1037/0033-2909.88.2.322; for two raters Cohen's kappa. Observed and expected agreement are means
  over the pairs of raters, each on the items that both rated.
- ``"pooled"``, all ratings are put together and dealt anew: Krippendorff's alpha,
  doi:10.1080/19312450709336664. Each pair of the m ratings of an item has the weight ``1 / (m - 1)``, and an
  item with one rating does not count.
- ``"uniform"``, all categories are equally probable: the coefficient of Brennan & Prediger (1981),
  doi:10.1177/001316448104100307, of the mean agreement over the pairs of raters.
"""

import itertools
from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from chancecorr.comparison.clusterings import Clusterings
from chancecorr.exact.agreement import compute_moments_of_weights
from chancecorr.exact.summary import compute_adjusted_score
from chancecorr.indices.agreement import find_fixed_weights
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.sampling.seeding import make_generator
from chancecorr.tables.union import join_labels

MAX_CATEGORIES = 4_096  # different labels that an index of agreement has weights for, 128 MB


class Ratings(NamedTuple):
    """Ratings of n items by m raters, and the weights of every two of K labels."""

    names: tuple[Hashable, ...]  # the K labels
    labels: Integers  # shape (m, n): numbers of labels below K; any of them where an item is not rated
    rated: Booleans  # shape (m, n)
    weights: Floats  # shape (K, K), symmetric

    def keep_raters(self, raters: Integers) -> "Ratings":
        """Return the ratings by some of the raters."""
        return self._replace(labels=self.labels[raters], rated=self.rated[raters])

    def tell_from_rest(self, label: int) -> "Ratings":
        """Return the ratings with two categories: all other labels, and one label."""
        is_it = (self.labels == label).astype(np.int64)
        return self._replace(names=("other", self.names[label]), labels=is_it, weights=np.eye(2))

    def count_labels(self) -> Floats:
        """Count the ratings of each item with each label: shape (n, K)."""
        n, size = self.labels.shape[1], len(self.weights)
        cells = np.nonzero(self.rated)[1] * size + self.labels[self.rated]
        return np.bincount(cells, minlength=n * size).reshape(n, size).astype(np.float64)


def read_ratings(read: Clusterings, index: Index) -> Ratings | None:
    """Return the ratings for an index of agreement; None if its weights depend on the numbers of labels."""
    sides = tuple(zip(read.labels, read.categories, strict=True))
    labels = list(join_labels(sides).labels)
    if len(labels) > MAX_CATEGORIES:
        rule = f"must have up to {MAX_CATEGORIES:,} different labels for an index of agreement"
        raise ArgumentValueError("clusterings", f"{rule}; got {len(labels):,}.")
    weights = find_fixed_weights(index, len(labels))
    if weights is None:
        return None
    number = {label: k for k, label in enumerate(labels)}
    numbered = [
        np.array([number[label] for label in of_rater.tolist()])[codes]
        for of_rater, codes in zip(read.labels, read.codes, strict=True)
    ]
    rated = [np.ones(read.n, dtype=np.bool_) if kept is None else kept for kept in read.kept]
    return Ratings(tuple(labels), np.array(numbered), np.array(rated), (weights + weights.T) / 2.0)


def average_within_items(ratings: Ratings) -> Floats:
    """Return the mean weight of the pairs of ratings of each item; nan with fewer than two ratings."""
    counts = ratings.count_labels()
    m = counts.sum(axis=1)
    pairs = (counts @ ratings.weights * counts).sum(axis=1) - counts @ ratings.weights.diagonal()
    means: Floats = np.divide(pairs, m * (m - 1.0), out=np.full(m.size, np.nan), where=m > 1.0)
    return means


def measure_agreement(ratings: Ratings, model: str, groups: Integers | None = None) -> tuple[Floats, Floats]:
    """Compute observed and expected agreement: of all items, then without each group of items.

    `groups` are the numbers of the groups of the items, from 0 on. A value is nan if no item with two ratings
    is left.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        if model == "pooled":
            return _measure_pooled(ratings, groups)
        return _measure_pairs(ratings, groups, is_uniform=model == "uniform")


def _measure_pairs(ratings: Ratings, groups: Integers | None, *, is_uniform: bool) -> tuple[Floats, Floats]:
    """Compute means over the pairs of raters that have a common item, as `measure_agreement`."""
    weights, size = ratings.weights, len(ratings.weights)
    n_groups = 0 if groups is None else int(groups.max()) + 1
    sums, n_pairs = np.zeros((2, 1 + n_groups)), np.zeros(1 + n_groups)
    for first, second in itertools.combinations(range(len(ratings.labels)), 2):
        both = ratings.rated[first] & ratings.rated[second]
        if not both.any():
            continue
        x, y = ratings.labels[first, both], ratings.labels[second, both]
        of_both = None if groups is None else groups[both]
        n = _leave_out(np.ones(x.size), of_both, n_groups)
        left = n > 0
        n_pairs += left
        sums[0] += np.where(left, _leave_out(weights[x, y], of_both, n_groups) / n, 0.0)
        if is_uniform:
            sums[1] += left * weights.mean()
            continue
        of_first, of_second = (np.bincount(side, minlength=size) for side in (x, y))
        with_first, with_second = of_first @ weights, weights @ of_second
        # without a group, its items leave both sides; a pair of items of the group would be subtracted twice
        all_pairs = _leave_out(with_second[x] + with_first[y], of_both, n_groups) - of_first @ with_second
        if of_both is not None:
            all_pairs[1:] += _weigh_within_groups(weights, x, y, of_both, n_groups)
        sums[1] += np.where(left, all_pairs / n**2, 0.0)
    observed, expected = sums / n_pairs
    return observed, expected


def _leave_out(values: Floats, groups: Integers | None, n_groups: int) -> Floats:
    """Return the sum of the values of items, then the sum without each group."""
    total = values.sum()
    if groups is None:
        return np.array([total])
    return np.append(total, total - np.bincount(groups, weights=values, minlength=n_groups))


def _weigh_within_groups(
    weights: Floats, x: Integers, y: Integers, groups: Integers, n_groups: int
) -> Floats:
    """Return the sum of the weights of the labels of every two items of a group, one from each rater."""
    if groups.size == np.unique(groups).size:  # each item is a group
        return np.bincount(groups, weights=weights[x, y], minlength=n_groups).astype(np.float64)
    first, second = (
        np.bincount(groups * len(weights) + side, minlength=n_groups * len(weights)).reshape(n_groups, -1)
        for side in (x, y)
    )
    return np.asarray((first @ weights * second).sum(axis=1), dtype=np.float64)


def _measure_pooled(ratings: Ratings, groups: Integers | None) -> tuple[Floats, Floats]:
    """Compute the agreement within items, and of every two of all ratings, as `measure_agreement`."""
    counts, within = ratings.count_labels(), average_within_items(ratings)
    counts[np.isnan(within)] = 0.0
    agreeing = np.column_stack([np.nan_to_num(within) * counts.sum(axis=1), counts])
    sums = agreeing.sum(axis=0)[np.newaxis]
    if groups is not None:
        of_groups = np.zeros((int(groups.max()) + 1, sums.size))
        np.add.at(of_groups, groups, agreeing)
        sums = np.concatenate([sums, sums - of_groups])
    totals, n = sums[:, 1:], sums[:, 1:].sum(axis=1)
    pairs = (totals @ ratings.weights * totals).sum(axis=1) - totals @ ratings.weights.diagonal()
    return sums[:, 0] / n, pairs / (n * (n - 1.0))


def measure_categories(ratings: Ratings, model: str) -> dict[Hashable, tuple[float, float]]:
    """Return the share of the ratings with each label, and the adjusted agreement on this label."""
    totals, found = ratings.count_labels().sum(axis=0), dict[Hashable, tuple[float, float]]()
    for k, name in enumerate(ratings.names):
        observed, expected = measure_agreement(ratings.tell_from_rest(k), model)
        adjusted = compute_adjusted_score(float(observed[0]), 1.0, float(expected[0]))
        found[name] = float(totals[k] / totals.sum()), adjusted
    return found


def simulate_agreement(ratings: Ratings, model: str, n_draws: int, seed: int) -> Floats:
    """Simulate the observed agreement by chance, for the number of draws.

    If some ratings are missing, permutations change the numbers of labels on the items that two raters share,
    and so the expected agreement: the value is the difference from it, plus the expected agreement of the
    ratings.
    """
    dealt, rated = ratings.labels.copy(), ratings.rated
    if model == "pooled":
        rated = rated & (rated.sum(axis=0) > 1)
    is_whole, values, (expected,) = bool(rated.all()), np.empty(n_draws), measure_agreement(ratings, model)[1]
    for k in range(n_draws):
        generator = make_generator(seed, k)
        if model == "pooled":
            dealt[rated] = generator.permutation(ratings.labels[rated])
        elif model == "uniform":
            dealt[rated] = generator.integers(len(ratings.weights), size=int(rated.sum()))
        elif is_whole:
            dealt[1:] = generator.permuted(ratings.labels[1:], axis=1)
        else:
            for labels, given, here in zip(dealt, ratings.labels, rated, strict=True):
                labels[here] = generator.permutation(given[here])
        by_chance = ratings._replace(labels=dealt)
        if is_whole:  # then the mean over items is the mean over pairs of raters
            values[k] = average_within_items(by_chance).mean()
        else:
            (observed,), (expected_here,) = measure_agreement(by_chance, model)
            values[k] = observed - expected_here + expected
    return values


def compute_variance(ratings: Ratings) -> float:
    """Return the variance of the observed agreement if each rater's ratings of all items are permuted.

    The tables of two pairs of raters are independent, so that it is a sum over the pairs.
    """
    size = len(ratings.weights)
    counts = [np.bincount(labels, minlength=size) for labels in ratings.labels]
    pairs = [compute_moments_of_weights(ratings.weights, *pair) for pair in itertools.combinations(counts, 2)]
    return sum(moments.variance for moments in pairs) / len(pairs) ** 2
