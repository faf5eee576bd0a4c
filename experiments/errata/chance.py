"""What goes wrong with chance itself: p-values, variances and random tables."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from statistics import NormalDist

import numpy as np

import chancecorr as cc
from chancecorr.exact.enumeration import table_law
from experiments.errata.erratum import Erratum, Numbers

HERE = "tests/experiments/test_errata.py::"
STRICT = HERE + "test_a_strict_inequality_leaves_the_observed_value_out"

PUBLISHED = (240, 240, 320)
"""Cluster sizes of the balanced three groups of Amorim & Cardoso (2014), on both sides."""

SECONDS = 10.0
"""How long SciPy is given for a table that takes it less than a millisecond for smaller clusters."""


def of_laws() -> Iterator[Erratum]:
    """P-values and variances."""
    for share, test in (
        (0.01, "tests/correction/test_methods.py::test_normal_approximation_fails_where_the_law_does_not"),
        (0.0001, HERE + "test_far_out_the_normal_law_is_worse"),
    ):
        yield Erratum(
            where=f"the z-score of the Rand index read as normal, where p is {share:g}",
            version="a common practice; cluster sizes (240, 240, 320) on both sides",
            printed="{}",
            arithmetic="For clusters of similar sizes T is nearly a sum of squares of normal numbers, whose"
            " law is skewed: its upper tail is {ratio:.3g} times as heavy here as that of the normal law with"
            " the same mean and variance. The same holds for every index that is affine in T.",
            right="{}, from the law over all tables",
            test=test,
            status="run",
            numbers=_normal_tail(share),
            digits=3,
            index="rand",
        )
    for rows, columns in (((4, 2, 1), (3, 2, 2)), ((4, 3), (3, 2, 2))):
        yield Erratum(
            where=f"standardized-clustering-comparison, `p_2` for `PERM`, sizes {rows} against {columns}",
            version="commit 22c43dbb2b28, rand_index.py",
            printed="a variance of the Rand index of {}",
            arithmetic="The chance that two random pairs are both together is averaged over pairs of pairs"
            " that share an object and pairs that do not, and the averages of the two sides are multiplied."
            " The mean of products is not the product of means: the two kinds have to be kept apart.",
            right="{}, over all tables",
            test=HERE + "test_variance_of_averaged_pairs_of_pairs",
            status="read",
            numbers=partial(variances, rows, columns),
            digits=3,
            index="rand",
        )
    yield Erratum(
        where="netneurotools, `zrand`",
        version="netneurotools 0.3.0, netneurotools/modularity/modules.py",
        printed="each object counts as half a pair with itself in a, P and Q, and not in N",
        arithmetic=sentence("lerman", "netneurotools"),
        right="the sums run over pairs of different objects",
        test="tests/indices/test_pair_sizes.py::TestLerman::test_z_rand_of_netneurotools_counts_self_pairs",
        status="read",
        index="lerman",
    )
    for package, version in (
        ("GeometricMorphometricsMix, `adjRand_test`", "commit 24df32e2832a, R/adjRand_test.R"),
        ("cata, `ARI(signif = TRUE)`", "cata 0.1.0.27, R/evalClusterQuality.R"),
    ):
        yield Erratum(
            where=package,
            version=version,
            printed="{} in the limit of many permutations, for two equal clusterings of 3 and 3 objects",
            arithmetic="Permutations with an index above the observed one are counted, and those with"
            " the same one are not. The law is discrete: 2 of the 20 orders have the observed one.",
            right="{}",
            test=STRICT,
            status="read",
            numbers=_strict_and_not,
            index="adjusted_rand",
        )


def of_balance() -> Iterator[Erratum]:
    """Clusters of the reference that are to have the same weight."""
    for rows, columns in (((60, 20, 10), (45, 45)), ((30, 6, 3), (20, 19))):
        yield Erratum(
            where=f"balanced-clustering, `balanced_adjusted_rand_index`, mean by chance, sizes {rows} against"
            f" {columns}",
            version="commit 3df995d5cd07, imbalanced_clustering/ari.py and utils/contingency.py",
            printed="{}",
            arithmetic="The rows of the table are scaled to their mean, cut to whole numbers, and put into"
            " the formula of the adjusted Rand index as if they were counts. Chance does not exchange objects"
            " of scaled numbers but those that were there, so that the mean that the formula takes off is not"
            " theirs; and cells that were cut no longer sum to the number of objects that it takes.",
            right='{}, by `adjust(..., weights="reference")`, which takes off the mean of weighted pairs',
            test=HERE + "test_the_balanced_index_is_not_0_by_chance",
            status="read",
            numbers=partial(balanced_means, rows, columns),
            digits=3,
            index="adjusted_rand",
        )


def of_other_kinds() -> Iterator[Erratum]:
    """Adjusted indices of biclusters, and of objects on a graph or on a map."""
    tests = "tests/clusterings/"
    for rows, columns in (((4, 4, 4), (3, 3, 3)), ((6, 6), (5, 4))):
        yield Erratum(
            where=f"CARI, mean by chance, rows in clusters of {rows}, columns of {columns}, on both sides",
            version="Robert, Vasseur & Brault (2021), doi:10.1007/s00357-020-09379-w",
            printed="{}, where 0 is meant",
            arithmetic="Cells are corrected as if any of them could exchange its cluster with any other. Rows"
            " and columns are permuted, and all cells of a row stay together: T of the cells is the product"
            " of those of rows and columns, and so is its mean.",
            right="{}, by `adjust` of two `Biclusters`, which takes off the mean of that product",
            test=tests + "test_biclusters.py::test_published_cari_is_not_0_by_chance",
            status="run",
            numbers=partial(cari_means, rows, columns),
            digits=3,
            index="adjusted_rand",
        )
    yield Erratum(
        where="spARI, p-value by permutations",
        version="the package spARI for R, from version 0.99.1 on (NEWS)",
        printed="p = 0 where none of 100 permutations is larger",
        arithmetic="Permutations with a score as large as the observed one are not counted, nor is the"
        " observed order itself, which is one of all: Phipson & Smyth (2010), doi:10.2202/1544-6115.1585.",
        right="1 / 101 at least; and pairs of objects at distance 0 count as f(0), not as 0",
        test=tests + "test_spatial_rand.py::test_objects_in_one_place_keep_their_weight",
        status="read",
    )


def cari_means(rows: Sequence[int], columns: Sequence[int]) -> Numbers:
    """Exact mean of the published index for permuted rows and columns, and that of ours."""
    side = cc.clusterings.Biclusters(*(np.repeat(range(len(sizes)), sizes) for sizes in (rows, columns)))
    return Numbers(cc.adjust(side, side, "adjusted_rand", method="analytic").expected, 0.0)


def balanced(table: np.ndarray, n: int) -> float:
    """The adjusted Rand index of a table the rows of which are scaled to their mean, and cut."""
    totals = table.sum(axis=1)
    scaled = (table * (1.0 / (totals / round(totals.mean())))[:, np.newaxis]).astype(np.int64)
    T, A, B = (int((x**2).sum()) for x in (scaled, scaled.sum(axis=1), scaled.sum(axis=0)))
    a, b, c, d = T - n, A - T, B - T, n * n - A - B + T
    return 2.0 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d)) if b or c else 1.0


def balanced_means(rows: Sequence[int], columns: Sequence[int]) -> Numbers:
    """Means over all tables of the balanced index, and of ours for reference clusters of equal weights."""
    tables, p = table_law(cc.Margins(list(rows), list(columns)), 100_000)
    found = p @ [balanced(table, sum(rows)) for table in tables]
    ours = [
        cc.adjusted_score(
            np.repeat(np.arange(len(rows)), rows),
            np.concatenate([np.repeat(np.arange(len(columns)), row) for row in table]),
            weights="reference",
        )
        for table in tables
    ]
    return Numbers(float(found), round(float(p @ ours), 12) + 0.0)


def sentence(index: str, word: str) -> str:
    """The sentence of an index's notes that has a word."""
    found = [each for each in cc.get_index(index).notes.replace(". ", ".\n").split("\n") if word in each]
    if len(found) != 1:
        raise ValueError(f"The notes of {index!r} must have one sentence with {word!r}; got {len(found)}.")
    return found[0]


@cache
def _law() -> cc.correction.NullDistribution:
    return cc.null_distribution(cc.Margins(PUBLISHED, PUBLISHED), "rand", method="exact")


def _normal_tail(share: float) -> Callable[[], Numbers]:
    def numbers() -> Numbers:
        law = _law()
        observed = law.quantile(1.0 - share)
        return Numbers(NormalDist(law.mean, law.std).cdf(2 * law.mean - observed), law.p_value(observed))

    return numbers


def variances(rows: Sequence[int], columns: Sequence[int]) -> Numbers:
    """Variance of the Rand index by products of averages over pairs of pairs, and the right one."""
    n = sum(rows)
    N = Fraction(n * (n - 1), 2)
    sides = []
    for sizes in (rows, columns):
        q = Fraction(sum(x * (x - 1) for x in sizes), 2)
        both = q * (q - 1) / (N * (N - 1))
        sides.append((q / N, both, q / N - both, 1 - both - 2 * (q / N - both)))
    (p, both, one, none), (P, Both, One, None_) = sides
    same = p * P + (1 - p) * (1 - P)
    other = both * Both + 2 * one * One + none * None_
    found = same / N + (1 - 1 / N) * other - same**2
    right = cc.null_distribution(cc.Margins(list(rows), list(columns)), "rand", method="analytic").variance
    return Numbers(float(found), float(right))


def _strict_and_not() -> Numbers:
    """Chance of a larger index than that of equal clusterings of 3 and 3 objects, and of one as large."""
    law = cc.null_distribution(cc.Margins([3, 3], [3, 3]), "adjusted_rand", method="exact")
    largest = float(np.max(law.values))
    return Numbers(float(law.weights[law.values > largest].sum()), law.p_value(largest))


def of_scipy() -> Iterator[Erratum]:
    """Random tables with fixed margins for very many objects."""
    for k, tables, what in (
        (2, 20, f"{{}} tables within {SECONDS:g} s, after which its process is ended from outside"),
        (3, 1, "{} tables: its process ends by a segmentation fault"),
    ):
        yield Erratum(
            where=f'`scipy.stats.random_table(...).rvs({tables}, method="patefield", random_state=1)`,'
            f" {k} x {k}, n = 10^10",
            version="SciPy {scipy}",
            printed=what,
            arithmetic="With 6e9 objects in clusters of equal sizes it draws 20 tables in a few milliseconds."
            " It is called in a process of its own, since nothing stops the call from inside.",
            right="{}, as many as were asked for, or an error that says that there are too many objects."
            " chancecorr refuses more than 3,037,000,499.",
            test=HERE + "TestSciPy",
            status="run",
            numbers=partial(_tables_by_scipy, k, tables),
        )


def _tables_by_scipy(k: int, tables: int) -> Numbers:
    return Numbers(scipy_tables(k, 10**10, tables)[0], tables)


@cache
def scipy_tables(k: int, n: int, tables: int, seconds: float = SECONDS) -> tuple[int, str]:
    """How many tables of k equal clusters on both sides SciPy gives when asked for some, and how it ended."""
    code = (
        "import contextlib\n"
        "with contextlib.suppress(ImportError):\n"
        "    import resource\n"
        "    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "from scipy.stats import random_table\n"
        f"sizes = {[n // k] * (k - 1) + [n - (k - 1) * (n // k)]}\n"
        f"print(len(random_table(sizes, sizes).rvs({tables}, method='patefield', random_state=1)))\n"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return 0, "no answer"
    return (int(done.stdout), "done") if done.returncode == 0 else (0, f"ended by {done.returncode}")
