"""Errata of software for images, text, networks, databases: run once at a version, or read.

None of it is installed with the tests. `numbers` evaluates what it computes, as its source has it.
"""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import chancecorr as cc
from chancecorr.exact.enumeration import table_law
from experiments.errata.erratum import Erratum, Numbers
from experiments.errata.read_sources import _eyraud_as_read, _lambda_r_as_read, _of_pairs, _read

HERE = "tests/experiments/test_errata.py::"
OTHERS = "tests/indices/test_other_software.py::"
ELKI = "ELKI, commit 003dca9c94f4"
UEF = "ClusterEvaluation, commit ca8d05f17b71, src/evi.c"


def of_other_fields() -> Iterator[Erratum]:
    """All of them."""
    yield from _of_images_and_text()
    yield from _of_networks_and_strings()
    yield from _of_elki()
    yield from _of_uef()
    yield _of_fpc()


def _once(where: str, version: str, **about: Any) -> Erratum:
    return Erratum(where=where, version=version, status="once", **about)


def _of_fpc() -> Erratum:
    table = cc.ContingencyTable([[4, 0], [2, 6]])
    T, A, B = (sum(k * k for k in each) for each in (table.counts.ravel().tolist(), (0, 8), (6, 6)))
    together, first, second, pairs = (T - 12) / 2, (A - 8) / 2, (B - 12) / 2, 66
    mean = first * second / pairs
    return _once(
        "`cluster.stats`, corrected.rand, clusters called 0 and 2",
        "fpc 2.2-10 for R",
        printed="{} for 4 objects called 0 and 8 called 2, against 6 and 6; vi is minus infinity",
        arithmetic="Its help asks for clusters 1, 2, ...; others are numbered anew, with a warning, unless"
        " the largest number is how many there are, as here. The sizes of clusters 1 and 2 are then 0 and 8,"
        " and the 6 pairs of the first cluster are left out.",
        right="{}",
        test=OTHERS + "TestFpc::test_clusters_called_0_and_2",
        numbers=lambda: Numbers(
            (together - mean) / ((first + second) / 2 - mean), cc.score_table(table, "adjusted_rand")
        ),
        index="adjusted_rand",
    )


def _of_images_and_text() -> Iterator[Erratum]:
    yield _once(
        "`skimage.metrics.adapted_rand_error`, precision",
        "scikit-image 0.26.0; its issue 6485",
        printed="{} for pixels (1, 1, 1, 1, 2, 2) all in one segment of the test image",
        arithmetic="Of the 15 pairs that are together in the test image 7 are so in the true one. The rows of"
        " the table are the true segments, and their pairs are taken for those of the test image: precision"
        " and recall are exchanged. The error itself is symmetric.",
        right="{}; 1 is the recall",
        test=OTHERS + "TestScikitImage::test_its_precision_is_recall",
        numbers=lambda: Numbers(*(cc.score_table([[4], [2]], f"wallace_{side}") for side in (1, 2))),
        index="wallace_2",
    )
    yield _read(
        "`_evaluate_clustering_bootstrapped`, on which the clustering scores rest",
        "MTEB 2.26.24, mteb/abstasks/clustering.py",
        printed="documented as sampling without replacement; {} of 16,384 documents are in a sample as large",
        arithmetic="The code draws by `random.choices`, with replacement: each document is left out with"
        " probability (1 - 1/n)^n. A document that is drawn twice agrees with itself in both clusterings.",
        right="{} without replacement",
        test=HERE + "test_a_sample_with_replacement_leaves_documents_out",
        numbers=lambda: Numbers(1.0 - (1.0 - 1.0 / 16_384) ** 16_384, 1.0),
        index="v_measure",
    )


def _of_networks_and_strings() -> Iterator[Erratum]:
    yield _once(
        '`mutual_information(variation="reduced_flat")`, singletons against singletons',
        "clustering-mi 0.2.2",
        printed="{} bits for four objects",
        arithmetic="4! = 24 tables have these cluster sizes, and the labels without it cost log2(24) bits,"
        " 4.585: nothing is saved. If the second clustering has singletons, log(5! / 2^4) nats are taken"
        " off in place of log2(4!) bits: another unit, and each factorial of one more.",
        right="{}",
        test=HERE + "test_tables_of_singletons_are_permutations",
        numbers=lambda: Numbers(math.log2(24) - math.log(math.factorial(5) / 2**4), 0.0),
        index="reduced_mutual_information",
    )
    yield _once(
        "`Eyraud().sim_score`",
        "abydos 0.5.0",
        printed="{} for sets of which a = 5 elements are common, b = c = 0, and d = 7 in neither",
        arithmetic="N is missing, as in pycm: a is compared with P Q, and not with P Q / N.",
        right="{}",
        test="tests/indices/test_pair_agreement.py::TestWhatOthersCompute"
        "::test_eyraud_of_pycm_is_negative_at_perfect_agreement",
        numbers=_of_pairs(_eyraud_as_read, (5, 0, 0, 7), "eyraud"),
        index="eyraud",
    )
    yield _once(
        "`GoodmanKruskalLambdaR().corr`",
        "abydos 0.5.0",
        printed="{} for a = 3, b = 9, c = 1, d = 4",
        arithmetic="As in pycm the larger kind of each side is taken for the best guess by itself.",
        right="{}, which is at least -1",
        test="tests/indices/test_pair_agreement.py::TestWhatOthersCompute"
        "::test_lambda_r_of_pycm_is_below_minus_1",
        numbers=_of_pairs(_lambda_r_as_read, (3, 9, 1, 4), "goodman_kruskal_lambda_r"),
        index="goodman_kruskal_lambda_r",
    )


def _of_elki() -> Iterator[Erratum]:
    for sizes in ((4, 3, 2), (2, 2, 2, 2)):
        yield _read(
            f"`adjustedRandIndex` as `EvaluateClustering` has it, mean by chance, sizes {sizes} twice",
            f"{ELKI}, PairCounting.java and EvaluateClustering.java",
            printed="{}",
            arithmetic="By default each object is a pair with itself: T is adjusted by A B / n^2, the mean if"
            " labels were drawn anew, and not by that over permutations, which n objects never leave.",
            right="{}, without self-pairs",
            test=HERE + "test_self_pairs_raise_the_adjusted_rand_index_of_elki",
            numbers=partial(_with_self_pairs, sizes),
            digits=3,
            index="adjusted_rand",
        )
    yield _read(
        "the flag `-paircounting.selfpair`",
        f"{ELKI}, EvaluateClustering.java",
        printed='described as "Enable self-pairing for cluster comparison"; pairs of an object with itself'
        " are counted without the flag, and are not with it",
        arithmetic="The flag's value is negated where the evaluator is made.",
        right="the description says disable, as a comment beside it does",
        test=HERE + "test_self_pairs_raise_the_adjusted_rand_index_of_elki",
    )


def _with_self_pairs(sizes: tuple[int, ...]) -> Numbers:
    """Mean of the adjusted Rand index over all tables with these sizes, with self-pairs and without."""
    tables, p = table_law(cc.Margins(list(sizes), list(sizes)), 1_000_000)
    T, A, n = (tables.astype(float) ** 2).sum(axis=(1, 2)), float(sum(x * x for x in sizes)), sum(sizes)
    without = [cc.score_table(table, "adjusted_rand") for table in tables]
    by_chance = A * A / n**2
    return Numbers(float(p @ ((T - by_chance) / (A - by_chance))), round(float(p @ without), 12) + 0.0)


def _of_uef() -> Iterator[Erratum]:
    yield _read(
        "`getMutualInformation`, in MI, NMI, VI and NVI",
        UEF,
        printed="{} bits for two clusters of 50,000 objects against themselves, where an int wraps around",
        arithmetic="50,000 x 100,000, a cell by the number of objects, is a product of two ints of 32 bits:"
        " 5,000,000,000 becomes 705,032,704, or another number where a compiler relies on no overflow.",
        right="{} bit",
        test=HERE + "test_a_product_of_two_ints_wraps_around",
        numbers=lambda: Numbers(
            math.log2((50_000 * 100_000) % 2**32 / 50_000**2),
            cc.score_table(np.diag([50_000, 50_000]), "mutual_information") / math.log(2),
        ),
        index="mutual_information",
    )
    yield _read(
        "`EVI_CISTAR`",
        UEF,
        printed="an array of n1 ints is set at the places 0 to n2 - 1",
        arithmetic="For n2 > n1 clusters, the loop over those of the second clustering writes behind the"
        " array of the first one.",
        right="the array `mapTemp1` has a place for each cluster of the first clustering, and ends there",
        test="tests/indices/test_cluster_level.py::TestCentroidSimilarity::test_of_the_tied_the_largest_cell",
        index="centroid_similarity",
    )
    for where, version in (
        ("`EVI_ARI` of one cluster against itself", UEF),
        ("`randIndex` of one cluster against itself, AR", "tclust for R, commit aa70472c0562, R/randIndex.R"),
    ):
        yield _read(
            where,
            version,
            printed="{}",
            arithmetic="If the largest value is the mean, the index is set to 0. They are identical.",
            right="{}",
            test=HERE + "test_identical_trivial_clusterings_by_arithmetic",
            numbers=lambda: Numbers(0.0, cc.score_table([[6]], "adjusted_rand")),
            index="adjusted_rand",
        )
