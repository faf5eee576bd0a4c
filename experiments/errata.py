"""Numbers of `docs/errata.md` that can be computed: of software or a wrong formula, and the right ones.

``python -m experiments.errata`` prints them; a test compares them with the page.
"""

import importlib
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

import chancecorr as cc

ONE_CLUSTER, SINGLETONS = (0,) * 6, tuple(range(6))
PUBLISHED_SIZES = (240, 240, 320)  # the balanced three groups of Amorim & Cardoso (2014)


class Claim(NamedTuple):
    """An entry of the page: its heading, what computes the wrong and the right number, and their digits."""

    heading: str
    compute: Callable[[], tuple[float, float]]
    digits: int = 5


def list_claims() -> Iterator[Claim]:
    """All claims in the order of the page."""
    for name, what, labels_true, labels_pred, index in CALLS:
        yield Claim(f"`{name}`{what}", partial(call_package, name, labels_true, labels_pred, index))
    yield Claim("`expected_mutual_information`", compute_expected_information, 10)
    for size in (0.01, 0.0001):
        yield Claim(f"read as normal, where p is {size:g}", partial(compare_normal_tail, size), 3)
    for rows, columns in (((4, 2, 1), (3, 2, 2)), ((4, 3), (3, 2, 2))):
        heading = f"`p_2` for `PERM`, sizes {rows} against {columns}"
        yield Claim(heading, partial(compare_variances, rows, columns), 3)
    yield Claim("cata, `ARI(signif = TRUE)`", compare_strict_p_value)
    for method, index in EGANET_METHODS.items():
        heading = f'EGAnet, `community.compare(method = "{method}")`'
        yield Claim(heading, partial(compare_strict_p_value, index))
    yield Claim("AdjustedRandCI, `ari_ci`, interval of 95 %", measure_coverage, 2)
    for population, digits in ((((80, 10), (5, 5)), 2), (((45, 5), (5, 45)), 3)):
        heading = f"standard error by chance (a common practice), shares {population}"
        yield Claim(heading, partial(measure_coverage, population, "cohen_kappa"), digits)
    for row_sizes, column_sizes in (((4, 4, 4), (3, 3, 3)), ((6, 6), (5, 4))):
        heading = f"CARI, mean by chance, rows in clusters of {row_sizes}, columns of {column_sizes}"
        yield Claim(heading, partial(compare_cari, row_sizes, column_sizes), 3)


EGANET_METHODS = {"vi": "variation_of_information", "split.join": "split_join", "rand": "rand"}
TWO_AND_THREE = (0, 0, 0, 1, 1)
ONE, EACH = " of one cluster against itself", " of singletons against themselves"
CALLS = [
    ("sklearn.metrics.fowlkes_mallows_score", EACH, SINGLETONS, SINGLETONS, "fowlkes_mallows"),
    ("clusim.sim.adjrand_index", ONE, ONE_CLUSTER, ONE_CLUSTER, "adjusted_rand"),
    ("clusim.sim.adjrand_index", EACH, SINGLETONS, SINGLETONS, "adjusted_rand"),
    ("clusim.sim.fowlkes_mallows_index", EACH, SINGLETONS, SINGLETONS, "fowlkes_mallows"),
    ("clusim.sim.jaccard_index", EACH, SINGLETONS, SINGLETONS, "jaccard"),
    ("clusim.sim.pearson_correlation", "", TWO_AND_THREE, TWO_AND_THREE, "phi"),
    ("clusim.sim.southwood_index", "", TWO_AND_THREE, TWO_AND_THREE, "kulczynski_1"),
    ("clusim.sim.purity_index", "", (0, 0, 0, 0), (0, 0, 0, 1), "purity"),
    ("clusim.sim.classification_error", "", (0, 0, 0, 0, 1), (0, 0, 1, 1, 0), "classification_error"),
    ("genieclust.compare_partitions.adjusted_rand_score", ONE, ONE_CLUSTER, ONE_CLUSTER, "adjusted_rand"),
    ("genieclust.compare_partitions.adjusted_rand_score", EACH, SINGLETONS, SINGLETONS, "adjusted_rand"),
    ("genieclust.compare_partitions.fm_score", EACH, SINGLETONS, SINGLETONS, "fowlkes_mallows"),
    ("genieclust.compare_partitions.pair_sets_index", ONE, ONE_CLUSTER, ONE_CLUSTER, "pair_sets_index"),
]
"""Function, what it compares, labels of both sides, and the index that it should be."""


def call_package(
    name: str, labels_true: Sequence[int], labels_pred: Sequence[int], index: str
) -> tuple[float, float]:
    """What a function of a package gives for two clusterings, and the index of the catalogue."""
    module, _, function_name = name.rpartition(".")
    function = getattr(importlib.import_module(module), function_name)
    sides: list[Any] = [np.array(labels_true), np.array(labels_pred)]
    if module == "clusim.sim":
        from clusim.clustering import Clustering

        sides = [Clustering().from_membership_list(side.tolist()) for side in sides]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return float(function(*sides)), cc.score(labels_true, labels_pred, index)


def compute_expected_information(n: int = 1_000_000, a: int = 300, b: int = 400) -> tuple[float, float]:
    """Mean mutual information in nats of clusters of a and of b objects against the others, by 40 digits."""
    from scipy.sparse import csr_matrix
    from sklearn.metrics.cluster import expected_mutual_information

    table = csr_matrix(np.array([[0, a], [b, n - a - b]], dtype=np.int64))
    with localcontext() as context:
        context.prec = 40
        ways, total = Decimal(math.comb(n, a)), Decimal(0)
        for x in range(60):  # beyond, less than 1e-80 in all
            p = Decimal(math.comb(b, x) * math.comb(n - b, a - x)) / ways
            cells = (x, a, b), (a - x, a, n - b), (b - x, n - a, b), (n - a - b + x, n - a, n - b)
            for count, row, column in cells:
                if count:
                    total += p * Decimal(count) / n * (Decimal(n) * count / (Decimal(row) * column)).ln()
    return float(expected_mutual_information(table, n)), float(total)


def compare_normal_tail(size: float) -> tuple[float, float]:
    """P-value of the Rand index by a normal law, and by the law over all tables."""
    null = cc.null_distribution(cc.Margins(PUBLISHED_SIZES, PUBLISHED_SIZES), "rand", method="exact")
    observed = null.quantile(1.0 - size)
    return NormalDist(null.mean, null.std).cdf(2 * null.mean - observed), null.p_value(observed)


def compare_variances(rows: Sequence[int], columns: Sequence[int]) -> tuple[float, float]:
    """Variance of the Rand index by products of averages over pairs of pairs, and the right one."""
    N = Fraction(math.comb(sum(rows), 2))
    sides = []
    for sizes in (rows, columns):
        q = Fraction(sum(x * (x - 1) for x in sizes), 2)
        both = q * (q - 1) / (N * (N - 1))
        sides.append((q / N, both, q / N - both, 1 - both - 2 * (q / N - both)))
    (p, both, one, none), (P, Both, One, None_) = sides
    same = p * P + (1 - p) * (1 - P)
    other = both * Both + 2 * one * One + none * None_
    right = cc.null_distribution(cc.Margins(list(rows), list(columns)), "rand", method="analytic").variance
    return float(same / N + (1 - 1 / N) * other - same**2), float(right)


def compare_strict_p_value(index: str = "adjusted_rand") -> tuple[float, float]:
    """Chance of a larger value than that of equal clusterings of 3 and 3 objects, and of one as good."""
    null = cc.null_distribution(cc.Margins([3, 3], [3, 3]), index, method="exact")
    observed = cc.score([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], index)
    return float(null.weights[null.values > observed].sum()), null.p_value(observed)


def measure_coverage(
    population: Sequence[Sequence[int]] = ((50, 0, 0), (0, 49, 1), (0, 15, 35)), index: str = "rand",
    n_samples: int = 2_000,
) -> tuple[float, float]:  # fmt: skip
    """Share of samples whose score is within 1.96 standard deviations by chance of the population's."""
    table = np.array(population)
    wanted, covered = cc.adjust_table(10_000 * table, index, method="analytic").adjusted, 0
    shares = table.ravel() / table.sum()
    for counts in np.random.default_rng(1).multinomial(table.sum(), shares, size=n_samples):
        score = cc.adjust_table(counts.reshape(table.shape), index, method="analytic")
        half_width = NormalDist().inv_cdf(0.975) * score.std / (score.best - score.expected)
        covered += abs(score.adjusted - wanted) < half_width
    return covered / n_samples, 0.95


def compare_cari(rows: Sequence[int], columns: Sequence[int]) -> tuple[float, float]:
    """Exact mean of the published index of biclusters if rows and columns are permuted, and 0."""
    side = cc.clusterings.Biclusters(*(np.repeat(range(len(sizes)), sizes) for sizes in (rows, columns)))
    return cc.adjust(side, side, "adjusted_rand", method="analytic").expected, 0.0


def show_number(number: float, digits: int) -> str:
    """A number as the page shows it."""
    return "infinite" if math.isinf(number) else f"{number:.{digits}g}"


if __name__ == "__main__":
    for claim in list_claims():
        wrong, right = (show_number(number, claim.digits) for number in claim.compute())
        print(f"{claim.heading}: {wrong}; right: {right}")
