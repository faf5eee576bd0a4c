"""Errata of Python packages that are installed with the tests: both numbers are computed here, now."""

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, localcontext
from typing import Any

import numpy as np

import chancecorr as cc
from experiments.errata.erratum import Erratum, Numbers

Labels = Sequence[int]

ONE = (0,) * 6
EACH = tuple(range(6))
"""Six objects in one cluster, and each for itself."""

HERE = "tests/experiments/test_errata.py::"
EDGES = HERE + "test_identical_trivial_clusterings_by_arithmetic"


def of_scikit_learn() -> Iterator[Erratum]:
    """What scikit-learn gives."""
    yield Erratum(
        where="`sklearn.metrics.fowlkes_mallows_score` of singletons against themselves",
        version="scikit-learn {scikit-learn}",
        printed="{}",
        arithmetic="a / sqrt(P Q) with a = P = Q = 0 is 0/0. The clusterings are identical, and"
        " `rand_score`, `adjusted_rand_score` and `v_measure_score` of the same package give 1.",
        right="{}",
        test="tests/catalogue/test_edges.py::test_trivial_clusterings",
        status="run",
        numbers=lambda: Numbers(
            _sklearn("fowlkes_mallows_score", EACH, EACH), cc.score(EACH, EACH, "fowlkes_mallows")
        ),
        index="fowlkes_mallows",
    )
    yield Erratum(
        where="`expected_mutual_information`, in the adjusted mutual information",
        version="scikit-learn {scikit-learn}",
        printed="{}, for a million objects and clusters of 300 and 400 in them",
        arithmetic="The mean is a sum over hypergeometric laws; here its probabilities are quotients of whole"
        " numbers and its logarithms have 40 digits. Log-factorials of a million objects are of the size of"
        " 10^7, so that their differences keep nine of sixteen digits.",
        right="{}",
        test="tests/exact/moments/test_additive.py"
        "::test_mean_of_mutual_information_keeps_its_digits_at_a_million_objects",
        status="run",
        numbers=_expected_information,
        digits=10,
        index="mutual_information",
    )


def _sklearn(name: str, first: Labels, second: Labels) -> float:
    import sklearn.metrics

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that singletons look like a regression
        return float(getattr(sklearn.metrics, name)(first, second))


def _expected_information(n: int = 1_000_000, a: int = 300, b: int = 400) -> Numbers:
    """Mean mutual information by chance in nats, clusters of a and of b against all other objects."""
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
    return Numbers(float(expected_mutual_information(table, n)), float(total))


def of_clusim() -> Iterator[Erratum]:
    """What clusim gives."""

    def erratum(where: str, **about: Any) -> Erratum:
        return Erratum(where=f"`clusim.sim.{where}", version="clusim {clusim}", status="run", **about)

    for name, labels, words in (
        ("adjrand_index", ONE, "one cluster against itself"),
        ("adjrand_index", EACH, "singletons against themselves"),
        ("fowlkes_mallows_index", EACH, "singletons against themselves"),
        ("jaccard_index", EACH, "singletons against themselves"),
    ):
        index = cc.get_index(name).name
        yield erratum(
            f"{name}` of {words}",
            printed="{}",
            arithmetic="The formula is 0/0, which is taken for 0. The clusterings are identical.",
            right="{}",
            test=EDGES,
            numbers=_pair_of("clusim", name, labels, labels, index),
            index=index,
        )
    yield erratum(
        "pearson_correlation`",
        printed="documented as lying between -1 and 1; equal clusterings of 3 and 2 objects have {}",
        arithmetic="P = 4 pairs are together, P' = 6 apart: 24 / (4 4 6 6). The denominator lacks its square"
        ' root; without it the formula is the "Pearson" of Albatineh et al. (2006), `pearson_a`.',
        right="the correlation over pairs, `phi`, is {}",
        test="tests/indices/test_pair_agreement.py::TestWhatOthersCompute"
        "::test_pearson_of_clusim_is_no_correlation",
        numbers=_pair_of("clusim", "pearson_correlation", (0, 0, 0, 1, 1), (0, 0, 0, 1, 1), "phi"),
        index="phi",
    )
    yield erratum(
        "southwood_index`",
        printed="documented as lying between 0 and 1; {} for equal clusterings, and more for unequal ones:"
        " 22/9 for clusters of 6, 4 and 4 objects of which one of the six is in a cluster of the four",
        arithmetic="a / (b + c) grows without bound; where b + c = 0 it is infinite, not 1.",
        right="{}",
        test=HERE + "test_southwood_is_above_1_for_unequal_clusterings",
        numbers=_pair_of("clusim", "southwood_index", (0, 0, 0, 1, 1), (0, 0, 0, 1, 1), "kulczynski_1"),
        index="kulczynski_1",
    )
    yield erratum(
        "purity_index`",
        printed="{} for one class of four objects in clusters of three and one",
        arithmetic="Each cluster has one class only, (3 + 1) / 4. clusim adds the maxima of the side with"
        " fewer clusters: the answer goes by which side that is, and not by which is the reference.",
        right="{}",
        test="tests/indices/test_set_matching.py::TestOtherSoftwareByArithmetic"
        "::test_clusim_purity_takes_the_side_with_fewer_clusters",
        numbers=_pair_of("clusim", "purity_index", (0, 0, 0, 0), (0, 0, 0, 1), "purity"),
        index="purity",
    )
    yield erratum(
        "classification_error`",
        printed="{} for the table ((2, 2), (1, 0))",
        arithmetic="It is 1 less the purity, 1 - (2 + 2) / 5, for which clusters may share a class. The"
        " classification error of Meilă (2007) matches them one to one: 1 - (2 + 1) / 5.",
        right="{}",
        test="tests/indices/test_set_matching.py::TestOtherSoftwareByArithmetic"
        "::test_clusim_classification_error_lets_clusters_share_a_class",
        numbers=_pair_of(
            "clusim", "classification_error", (0, 0, 0, 0, 1), (0, 0, 1, 1, 0), "classification_error"
        ),
        index="classification_error",
    )
    yield erratum(
        "overlap_quality`",
        printed="{} for a clustering against itself, one of two objects being in two clusters",
        arithmetic="The mutual information of the numbers of memberships is H + H' - H(joint); the joint"
        " entropy is added where it is to be taken away. All three are one bit here: 3 and not 1.",
        right="{}",
        test=HERE + "test_overlap_quality_is_a_mutual_information",
        numbers=_overlap_quality,
    )
    yield erratum(
        "onmi`",
        printed="{} for two covers of six objects by two clusters of four and five each",
        arithmetic="The probability that an object is in neither of two clusters is taken for one less that"
        " it is in both; those in one count twice. What is left of an entropy then exceeds the entropy.",
        right="{}: no cluster tells anything of another here",
        test="tests/clusterings/test_overlaps.py::test_onmi_of_clusim_is_below_0",
        numbers=_onmi,
    )


def _clusim(labels: Labels) -> Any:
    from clusim.clustering import Clustering

    return Clustering().from_membership_list(list(labels))


def _onmi() -> Numbers:
    """Of the covers in the test."""
    X, Y = [{0, 1, 2, 4, 5}, {0, 1, 2, 3, 5}], [{0, 1, 3, 4, 5}, {0, 2, 3, 4}]
    from clusim.clustering import Clustering
    from clusim.sim import onmi

    theirs = (Clustering(clu2elm_dict=dict(enumerate(map(list, each)))) for each in (X, Y))
    return Numbers(float(onmi(*theirs)), cc.adjust(cc.Cover(X), cc.Cover(Y), "onmi_lfk").observed)


def _overlap_quality() -> Numbers:
    from clusim.clustering import Clustering
    from clusim.sim import overlap_quality

    one = Clustering(elm2clu_dict={0: [0], 1: [0, 1]})
    entropy = -sum(share * math.log2(share) for share in (0.5, 0.5))
    return Numbers(float(overlap_quality(one, one)), entropy + entropy - entropy)


def of_genieclust() -> Iterator[Erratum]:
    """What genieclust gives."""
    for name, labels, words in (
        ("adjusted_rand_score", ONE, "one cluster against itself"),
        ("adjusted_rand_score", EACH, "singletons against themselves"),
        ("fm_score", EACH, "singletons against themselves"),
        ("pair_sets_index", ONE, "one cluster against itself"),
    ):
        index = cc.get_index(name).name
        yield Erratum(
            where=f"`genieclust.compare_partitions.{name}` of {words}",
            version="genieclust {genieclust}",
            printed="{}",
            arithmetic="The formula is 0/0, which is left as it is. The clusterings are identical.",
            right="{}",
            test=EDGES,
            status="run",
            numbers=_pair_of("genieclust", name, labels, labels, index),
            index=index,
        )


def of_igraph() -> Iterator[Erratum]:
    """What igraph gives."""
    for labels, words in ((ONE, "one cluster against itself"), (EACH, "singletons against themselves")):
        yield Erratum(
            where=f'`igraph.compare_communities(method="adjusted_rand")` of {words}',
            version="igraph {igraph}",
            printed="{}",
            arithmetic="The formula is 0/0, which is left as it is. The clusterings are identical.",
            right="{}",
            test=EDGES,
            status="run",
            numbers=_pair_of("igraph", "adjusted_rand", labels, labels, "adjusted_rand"),
            index="adjusted_rand",
        )


def _pair_of(package: str, name: str, first: Labels, second: Labels, index: str) -> Callable[[], Numbers]:
    """What a package gives for two clusterings beside the index of the catalogue."""

    def numbers() -> Numbers:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return Numbers(float(_given(package, name, first, second)), cc.score(first, second, index))

    return numbers


def _given(package: str, name: str, first: Labels, second: Labels) -> float:
    if package == "clusim":
        import clusim.sim

        return float(getattr(clusim.sim, name)(_clusim(first), _clusim(second)))
    if package == "genieclust":
        from genieclust import compare_partitions

        return float(getattr(compare_partitions, name)(np.array(first), np.array(second)))
    import igraph

    return float(igraph.compare_communities(list(first), list(second), method=name))
