"""Errata of software that is not installed here, from its published source: read, not run.

`numbers` evaluates the formula as it was read beside the index of the catalogue, on the same pair counts.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import chancecorr as cc
from experiments.errata.erratum import Erratum, Numbers

PairFormula = Callable[[float, float, float, float], float]

AGREEMENT = "tests/indices/test_pair_agreement.py::TestWhatOthersCompute::"
MATCHING = "tests/indices/test_set_matching.py::TestOtherSoftwareByArithmetic::"
HERE = "tests/experiments/test_errata.py::"


def _eyraud_as_read(a: float, b: float, c: float, d: float) -> float:
    """Eyraud's index without N, as pycm and abydos compute it."""
    return (a - (a + b) * (a + c)) / math.prod((a + b, a + c, c + d, b + d))


def of_pycm() -> Iterator[Erratum]:
    """Functions of pycm/distance.py."""

    def erratum(name: str, **about: Any) -> Erratum:
        return _read(f"`{name}`", "pycm, commit ff54fedaf1da, pycm/distance.py", **about)

    yield erratum(
        "Eyraud_calc",
        printed="(a - P Q) / (P Q P' Q'): {} for equal clusterings with P = 4 and P' = 6",
        arithmetic="N is missing: a is compared with P Q, and not with P Q / N, so that even equal"
        " clusterings are negative.",
        right="N^2 (N a - P Q) / (P Q P' Q') is {}",
        test=AGREEMENT + "test_eyraud_of_pycm_is_negative_at_perfect_agreement",
        numbers=_of_pairs(_eyraud_as_read, (4, 0, 0, 6), "eyraud"),
        index="eyraud",
    )
    yield erratum(
        "GoodmanKruskalLambdaR_calc",
        printed="{} for a = 0, b = 1, c = 10, d = 4",
        arithmetic="The best guess that knows neither clustering is one kind of pair for both; the larger"
        " kind of each by itself is taken, and the value has no lower bound.",
        right="{}, the least value that there is",
        test=AGREEMENT + "test_lambda_r_of_pycm_is_below_minus_1",
        numbers=_of_pairs(_lambda_r_as_read, (0, 1, 10, 4), "goodman_kruskal_lambda_r"),
        index="goodman_kruskal_lambda_r",
    )
    yield erratum(
        "Anderberg_calc",
        printed="{} for a = 4, b = 1, c = 6, d = 3",
        arithmetic="What is known of each clustering alone is max(P, P') + max(Q, Q'); the first of the two"
        " has max(a + b, b + d), the sum of the pairs of one clustering beside one of the other.",
        right="{}",
        test=AGREEMENT + "test_anderberg_of_pycm_mixes_margins",
        numbers=_of_pairs(_anderberg_as_read, (4, 1, 6, 3), "anderberg_d"),
        index="anderberg_d",
    )
    yield erratum(
        "KoppenI_calc",
        printed="{} for a = 40, b = 20, c = 30, d = 60, and nearer to 1 the more pairs there are",
        arithmetic="The formula is one of shares of the pairs, and is given counts: its two terms are of the"
        " orders N and N^2.",
        right="{}, as for 4, 2, 3, 6",
        test="tests/indices/test_pair_distances.py::test_the_first_of_koppen_is_scotts_pi",
        numbers=_of_pairs(
            lambda a, b, c, d: 1.0 - 2.0 * (b + c) / ((2 * a + b + c) * (2 * d + b + c)),
            (40, 20, 30, 60), "scott_pi",
        ),
        index="scott_pi",
    )  # fmt: skip


def _lambda_r_as_read(a: float, b: float, c: float, d: float) -> float:
    blind = (max(a + b, c + d) + max(a + c, b + d)) / 2
    return (a + d - blind) / (a + b + c + d - blind)


def _anderberg_as_read(a: float, b: float, c: float, d: float) -> float:
    told = max(a, b) + max(c, d) + max(a, c) + max(b, d)
    return (told - max(a + b, b + d) - max(a + b, c + d)) / (2 * (a + b + c + d))


def of_r_packages() -> Iterator[Erratum]:
    """Packages for R."""
    yield _read(
        "partitionComparison, `baulieu1`",
        "commit d737366e804b, R/pair_counting.R",
        printed="{} for a = b = c = 2, d = 4, the example of its manual",
        arithmetic="The manual has (b - c)^2, the code (b + c)^2.",
        right="{}, by the formula of the manual",
        test=AGREEMENT + "test_baulieu_1_of_partition_comparison_squares_the_sum",
        numbers=_of_pairs(
            lambda a, b, c, d: 1.0 - (b + c) / (a + b + c + d) + ((b + c) / (a + b + c + d)) ** 2,
            (2, 2, 2, 4), "baulieu_1",
        ),
        index="baulieu_1",
    )  # fmt: skip
    yield _read(
        "partitionComparison, `classificationErrorDistance`",
        "commit 66f0cabc2c86, R/set_based.R",
        printed="an error where the first clustering has more clusters than the second",
        arithmetic="Rows of zeros are added where rows are lacking, and no columns where columns are; a"
        " check that the table is square then stops.",
        right="the same value with the clusterings exchanged: a matching leaves what is too many out",
        test=MATCHING + "test_more_classes_than_clusters_and_the_reverse",
        index="classification_error",
    )
    yield _read(
        "mclustcomp, `f`",
        "commit 4981390b52c5, R/cat2_SetOverlap.R, `single08_f`",
        printed="{} for two equal clusterings of 3 and 3 objects",
        arithmetic="n_i m_j stands where the number of common objects n_ij belongs, so that the cluster"
        " sizes alone give the value.",
        right="{}",
        test=MATCHING + "test_mclustcomp_f_knows_the_sizes_only",
        numbers=lambda: Numbers(
            sum(n / 6 * max(2 * n * m / (n + m) for m in (3, 3)) for n in (3, 3)),
            cc.score_table([[3, 0], [0, 3]], "van_rijsbergen_f"),
        ),
        index="van_rijsbergen_f",
    )
    yield _read(
        "mclustcomp, `mmm`",
        "commit 4981390b52c5, R/cat2_SetOverlap.R, `single10_mmm`",
        printed="{} for the table ((4, 3), (3, 0))",
        arithmetic="The maxima of the first min(K, Q) rows are added: two rows may have theirs in the same"
        " column, as here, (4 + 3) / 10, and which rows come first goes by the order of the labels.",
        right="{} at most, of all one-to-one matchings",
        test=MATCHING + "test_mclustcomp_meila_heckerman_and_maximum_match_use_a_cluster_twice",
        numbers=lambda: Numbers(
            float(np.array([[4, 3], [3, 0]]).max(axis=1)[:2].sum() / 10),
            cc.score_table([[4, 3], [3, 0]], "maximum_matching_accuracy"),
        ),
        index="maximum_matching_accuracy",
    )
    yield _read(
        "clusterCrit, `McNemar`",
        "commit b37a5e361d0a, src/indices.f95, `cluc_crit_mcnemar`",
        printed="{} for a = 4, b = 2, c = 3, d = 6",
        arithmetic="(d - c) / sqrt(d + c). McNemar (1947) compares the two discordant counts, b and c.",
        right="(b - c) / sqrt(b + c) is {}",
        test="tests/indices/test_pair_distances.py::TestMcNemar"
        "::test_its_square_is_the_chi_square_of_the_discordant_pairs",
        numbers=_of_pairs(lambda a, b, c, d: (d - c) / math.sqrt(d + c), (4, 2, 3, 6), "mcnemar"),
        index="mcnemar",
    )
    yield _read(
        "clusterCrit, `Rogers_Tanimoto`, `Sokal_Sneath1` and `Sokal_Sneath2`, early releases",
        "commit 0c93876681fc (2012), src/indices.f95; repaired by commit b37a5e361d0a",
        printed="{} by `Rogers_Tanimoto` for a = 4, b = 2, c = 3, d = 6",
        arithmetic="b is added twice, and c not at all: (a + d) / (a + d + 4 b), so that exchanging the"
        " clusterings changes the value.",
        right="(a + d) / (a + d + 2 (b + c)) is {}",
        test=HERE + "test_rogers_tanimoto_is_symmetric",
        numbers=_of_pairs(lambda a, b, c, d: (a + d) / (a + d + 4 * b), (4, 2, 3, 6), "rogers_tanimoto"),
        index="rogers_tanimoto",
    )
    yield _read(
        "kamila, `prediction.strength`",
        "commit 8183ec9cf2aa, R/prediction_strength.R",
        printed="{} for clusters of two objects and of one, against themselves",
        arithmetic="A cluster of one object has no pairs, 0/0, which is taken for 0; the minimum over the"
        " clusters is then 0, however strong the others are. The share of pairs of Tibshirani & Walther"
        " (2005) does not exist for such a cluster.",
        right="{}, over the clusters that have pairs",
        test="tests/indices/test_pair_sizes.py::TestPredictionStrength"
        "::test_clusters_of_one_object_have_no_pair",
        numbers=lambda: Numbers(
            min(1 / math.comb(2, 2), 0.0), cc.score((0, 0, 1), (0, 0, 1), "prediction_strength")
        ),
        index="prediction_strength",
    )
    yield _read(
        "cata, `ARI`, labels of the second clustering that the first has not",
        "cata 0.1.0.27, R/evalClusterQuality.R",
        printed="{} for (1, 1, 2, 2) against (3, 3, 4, 4)",
        arithmetic="The second argument of `unique(ux, uy)` in R does not add labels, it says which cannot be"
        " compared: the table has rows and columns for the labels of the first clustering alone, here four"
        " empty cells.",
        right="{}: the clusterings are identical",
        test=HERE + "test_labels_that_one_side_has_not",
        numbers=lambda: Numbers(
            rand_of_common_labels((1, 1, 2, 2), (3, 3, 4, 4)),
            cc.score((1, 1, 2, 2), (3, 3, 4, 4), "adjusted_rand"),
        ),
        index="adjusted_rand",
    )
    yield _read(
        "`cor_FM_index`",
        "dendextend, R/cor.dendlist.R, and its test of five rows of `mtcars`, average linkage and Ward's",
        printed="clusters of each tree in the order of its own leaves, compared place by place: {} for two"
        " trees cut into two clusters",
        arithmetic="Leaves 5 4 3 1 2 and 3 1 2 4 5 are cut into 5 | 4 3 1 2 and 3 1 2 | 4 5. Place by place"
        " two pairs are together in both, leaf by leaf three, of 6 and of 4.",
        right="leaf by leaf {}, as by `Bk`",
        test=HERE + "test_clusters_in_the_order_of_the_leaves",
        numbers=lambda: Numbers(
            cc.score([0, 1, 1, 1, 1], [0, 0, 0, 1, 1], "fowlkes_mallows"),
            cc.score([1, 1, 1, 1, 0], [0, 0, 0, 1, 1], "fowlkes_mallows"),
        ),
        index="fowlkes_mallows",
    )


def rand_of_common_labels(first: tuple[int, ...], second: tuple[int, ...]) -> float:
    """Adjusted Rand index over the labels of the first clustering, all other objects left out of the table.

    Examples
    --------
    >>> rand_of_common_labels((1, 1, 2, 2), (2, 2, 1, 1))
    1.0
    """
    labels = dict.fromkeys(first)
    table = [
        [sum((x, y) == (i, j) for x, y in zip(first, second, strict=True)) for j in labels] for i in labels
    ]
    a = sum(math.comb(x, 2) for row in table for x in row)
    P, Q = (sum(math.comb(sum(x), 2) for x in side) for side in (table, zip(*table, strict=True)))
    expected = P * Q / math.comb(len(first), 2)
    return (a - expected) / ((P + Q) / 2 - expected) if 2 * expected < P + Q else math.nan


def of_other_python() -> Iterator[Erratum]:
    """Python code that is no package, or not installed with the tests."""
    yield _read(
        "validation_indices, `YuleIndex`",
        "commit 08af4bdefdf6, PairCountingIndices.py",
        printed="{} for a = d = 10, b = c = 1",
        arithmetic="The denominator is a b + c d, which is no bound of the numerator a d - b c.",
        right="Yule's Q, (a d - b c) / (a d + b c), is {}",
        test=AGREEMENT + "test_yule_index_of_validation_indices_is_not_bounded_by_1",
        numbers=_of_pairs(
            lambda a, b, c, d: (a * d - b * c) / (a * b + c * d), (10, 1, 1, 10), "goodman_kruskal"
        ),
        index="goodman_kruskal",
    )
    yield _read(
        "validation_indices, `Entropy(dist, q)`",
        "commit 439964d62275, InformationTheoreticIndices.py",
        printed="{} for q = 3 and shares of 1/2 and 1/2",
        arithmetic="The shares are squared whatever q is: (1 - sum p^2) / (q - 1).",
        right="(1 - sum p^q) / (q - 1) is {}",
        test="tests/indices/test_information.py::TestIdentities::test_tsallis_of_other_orders",
        numbers=lambda: Numbers(
            (1 - 2 * 0.5**2) / (3 - 1), cc.score((0, 0, 1, 1), (0, 0, 1, 1), "tsallis_mutual_information(3)")
        ),
        index="tsallis_mutual_information",
    )


def of_choi() -> Iterator[Erratum]:
    """Formulas of the table of Choi, Cha & Tappert (2010), which much software follows."""

    def erratum(name: str, **about: Any) -> Erratum:
        version = "Journal of Systemics, Cybernetics and Informatics 8(1), 43-48"
        return _read(name, version, **about)

    yield erratum(
        "Peirce",
        printed="(a b + b c) / (a b + 2 b c + c d): {} for equal clusterings, where b = c = 0",
        arithmetic="It is 0/0 there. The measure of Peirce (1884) is a difference of two rates.",
        right="(a d - b c) / ((a + c)(b + d)) is {}",
        test=AGREEMENT + "test_choi_peirce_is_undefined_at_perfect_agreement",
        numbers=_of_pairs(
            lambda a, b, c, d: (a * b + b * c) / ((a * b + 2 * b * c + c * d) or math.nan),
            (4, 0, 0, 6), "peirce_2",
        ),
        index="peirce_2",
    )  # fmt: skip
    for name, index, words in (
        ("AMPLE", "ample", "Dallmeier, Lindig & Zeller (2005) take the difference of the two rates"),
        ("Tarantula", "tarantula", "Jones & Harrold (2005) take the first rate over the sum of both"),
    ):
        yield erratum(
            name,
            printed="the ratio of the rates a / P and c / P', {} for a = 4, b = 2, c = 3, d = 6",
            arithmetic=f"Two measures have the same formula, 4/6 over 3/9. {words}.",
            right="{}",
            test=HERE + "test_two_measures_of_two_rates",
            numbers=_of_pairs(lambda a, b, c, d: (a / (a + b)) / (c / (c + d)), (4, 2, 3, 6), index),
            index=index,
        )
    yield erratum(
        "size difference",
        printed="(b + c)^2 / N^2: {} for a = 4, b = 2, c = 3, d = 6",
        arithmetic="Penrose's size and shape are to add to (b + c) / N, here 75/225. The shape is 74/225, the"
        " printed size 25/225, that with (b - c)^2 1/225.",
        right="(b - c)^2 / N^2 is {}",
        test="tests/indices/test_pair_distances.py::TestSizeAndShape::test_the_printed_size_does_not",
        numbers=_of_pairs(
            lambda a, b, c, d: ((b + c) / (a + b + c + d)) ** 2, (4, 2, 3, 6), "baulieu_distance_8"
        ),
        index="size_difference",
    )
    yield erratum(
        "Cole",
        printed="a minus sign under the root: D^2 - P Q P' Q' is {} for a = 4, b = 2, c = 3, d = 6",
        arithmetic="phi^2 = D^2 / (P Q P' Q') is at most 1, so that the root is of a number below 0.",
        right="D^2 + P Q P' Q' is {}",
        test=HERE + "test_the_root_of_cole_is_of_a_positive_number",
        numbers=lambda: Numbers(*(
            (4 * 6 - 2 * 3) ** 2 + sign * math.prod((4 + 2, 4 + 3, 3 + 6, 2 + 6)) for sign in (-1, 1)
        )),
        index="cole_5",
    )  # fmt: skip


def _read(where: str, version: str, **about: Any) -> Erratum:
    return Erratum(where=where, version=version, status="read", **about)


def _of_pairs(formula: PairFormula, counts: tuple[int, int, int, int], index: str) -> Callable[[], Numbers]:
    """A formula as it was read, and the index of the catalogue, at four pair counts."""
    function = cc.get_index(index).function
    return lambda: Numbers(
        float(formula(*counts)), float(function(*(np.array([float(count)]) for count in counts))[0])
    )
