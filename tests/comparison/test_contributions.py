"""What clusters and objects add to an index, against sums by hand, and which clusters match."""

import csv
import dataclasses
import itertools
import json
import math
import re
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import chancecorr as cc
from chancecorr.comparison import agreement_by_cluster, agreement_by_object, match_labels
from chancecorr.comparison import pairwise as module
from chancecorr.exact import additive as sums_over_cells
from tests.naive import all_tables
from tests.shares import small_and_full

OF_CELLS = [
    "bcubed_precision", "bcubed_recall", "chi_square", "clusterwise_wallace_1", "clusterwise_wallace_2",
    "completeness", "element_centric_similarity", "homogeneity", "moc", "mutual_information", "nmi_max",
    "nmi_min", "nmi_sqrt", "nmi_sum", "phi_square", "v_measure",
]  # fmt: skip
RATIOS = {name: each.linear for name in cc.list_indices() if (each := cc.get_index(name)).linear}
INDICES = [*RATIOS, *OF_CELLS]
WITH_MEAN = [name for name in INDICES if name in OF_CELLS or cc.get_index(name).affine]

TABLES = {
    "varied": [[5, 1, 0], [2, 4, 3], [0, 0, 6]],
    "wide": [[3, 1, 1, 1, 2], [0, 4, 0, 1, 1]],
    "with an empty row": [[4, 1], [0, 0], [2, 5]],
    "a singleton": [[1, 0, 0], [0, 3, 4], [2, 2, 0]],
}


def labels_of(counts):
    rows, columns = np.indices(np.shape(counts))
    return (np.repeat(side.ravel(), np.ravel(counts)).tolist() for side in (rows, columns))


def sums_to(parts, whole):
    assert math.fsum(parts[np.isfinite(parts)].tolist()) == pytest.approx(whole, rel=1e-12, abs=1e-14)


class TestSums:
    def test_contributions_sum_to_the_index_and_to_the_adjusted_one(self):
        for name in INDICES:
            for counts in TABLES.values():
                self.check(name, counts)

    def check(self, name, counts):
        value = cc.score_table(counts, name)
        known = cc.adjust_table(counts, index=name, method="analytic")
        found = [agreement_by_cluster(counts, index=name, side=side) for side in ("true", "pred")]
        found.append(agreement_by_object(*labels_of(counts), index=name))
        for agreement in found:
            assert agreement.index == name
            assert agreement.value == value
            sums_to(agreement.contributions, value)
            if name in WITH_MEAN:
                sums_to(agreement.expected, known.expected)
                sums_to(agreement.adjusted_contributions, known.adjusted)
                assert agreement.adjusted == pytest.approx(known.adjusted, rel=1e-12)
            else:
                assert agreement.expected is agreement.adjusted_contributions is None
                assert math.isnan(agreement.adjusted)

    def test_clusters_add_what_their_objects_add(self):
        for name in INDICES:
            labels = [*map(np.array, labels_of(TABLES["varied"]))]
            objects = agreement_by_object(*labels, index=name)
            for side, own in zip(("true", "pred"), labels, strict=True):
                clusters = agreement_by_cluster(*labels, index=name, side=side)
                expected = [objects.contributions[own == k].sum() for k in range(3)]
                np.testing.assert_allclose(clusters.contributions, expected, rtol=1e-12)
                assert clusters.sizes.tolist() == np.bincount(own).tolist(), name
                if name in OF_CELLS or name == "rand":
                    scores = [objects.scores[own == k].mean() for k in range(3)]
                    np.testing.assert_allclose(clusters.scores, scores, rtol=1e-12)

    def test_the_rand_index_adjusted_is_the_adjusted_rand_index(self):
        labels = [*labels_of(TABLES["varied"])]
        ari = pytest.importorskip("sklearn.metrics").adjusted_rand_score(*labels)
        for name in ("rand", "hamann", "czekanowski"):
            sums_to(agreement_by_object(*labels, index=name).adjusted_contributions, ari)


class TestTwins:
    @pytest.mark.parametrize("name", RATIOS)
    def test_a_loop_over_all_pairs(self, name):
        """Pairs of each object by where it is together with the other one, as fractions."""
        labels = [*zip(*labels_of(TABLES["a singleton"]), strict=True)]
        upper, lower = RATIOS[name]
        pairs = []
        for i, (row, column) in enumerate(labels):
            counts = [0, 0, 0, 0]
            for j, (other_row, other_column) in enumerate(labels):
                if i != j:
                    counts[2 * (row != other_row) + (column != other_column)] += 1
            pairs.append(counts)
        whole = sum(int(np.dot(lower, counts)) for counts in pairs)
        found = agreement_by_object(*zip(*labels, strict=True), index=name)
        for counts, contribution, score in zip(pairs, found.contributions, found.scores, strict=True):
            above, below = int(np.dot(upper, counts)), int(np.dot(lower, counts))
            assert contribution == pytest.approx(float(Fraction(above, whole)), rel=1e-12)
            assert score == pytest.approx(above / below, rel=1e-12) if below else math.isnan(score)

    @pytest.mark.parametrize(
        "counts",
        [
            *np.random.default_rng(0).integers(0, 4, size=(5, 9, 8)),
            np.array([[2, 0, 0], [0, 1, 3], [0, 4, 0]]),
        ],
    )
    def test_cells_that_are_much_alike(self, counts):
        rows, columns = counts.sum(axis=1), counts.sum(axis=0)
        expected = [counts[i, j] / max(rows[i], columns[j]) for i, j in zip(*labels_of(counts), strict=True)]
        found = agreement_by_object(*labels_of(counts), index="element_centric_similarity").scores
        np.testing.assert_allclose(found, expected, rtol=1e-12)

    def test_a_wallace_score_is_the_share_of_a_cluster_s_pairs_that_stay_together(self):
        found = agreement_by_cluster(TABLES["varied"], index="wallace_1").scores
        np.testing.assert_allclose(found, [10 / 15, (1 + 6 + 3) / 36, 1.0], rtol=1e-12)
        found = agreement_by_cluster(TABLES["varied"], index="wallace_2", side="pred").scores
        np.testing.assert_allclose(found, [(10 + 1) / 21, 6 / 10, (3 + 15) / 36], rtol=1e-12)


class TestMeansOverClusters:
    """Indices of pairs are weighted means over clusters: Warrens & van der Hoef (2022)."""

    @pytest.mark.parametrize("margins", [((4, 3, 2), (5, 4)), ((4, 2, 1), (3, 2, 1, 1))])
    def test_on_all_tables(self, margins):
        for table in all_tables(*margins):
            rows, columns = (
                agreement_by_cluster(table, index=name, side=side)
                for name, side in (("wallace_1", "true"), ("wallace_2", "pred"))
            )
            pairs = math.comb(sum(margins[0]), 2)
            together = [[math.comb(int(size), 2) for size in each.sizes] for each in (rows, columns)]
            by_chance = [sum(each) / pairs for each in together[::-1]]  # from the sizes of the other side
            above = weights = 0.0
            for found, each, chance in zip((rows, columns), together, by_chance, strict=True):
                scores = np.nan_to_num(found.scores)  # of single objects, without a pair
                assert np.average(scores, weights=each) == pytest.approx(found.value, rel=1e-12)
                above += sum(weight * (score - chance) for weight, score in zip(each, scores, strict=True))
                weights += sum(each) * (1.0 - chance)
            assert cc.score_table(table, "adjusted_rand") == pytest.approx(
                above / weights, rel=1e-9, abs=1e-12
            )


class TestEnumeration:
    """Expected contributions against the mean over all ways to deal the objects to the other clusters."""

    LABELS = (0, 0, 0, 0, 1, 1, 2), (0, 0, 1, 1, 1, 2, 2)
    FEWER = (0, 0, 0, 1, 1, 2), (0, 1, 1, 1, 2, 2)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", WITH_MEAN)
    @pytest.mark.parametrize("labels", small_and_full(FEWER, LABELS), ids=["6", "7"])
    def test_by_object(self, name, labels):
        labels_true, labels_pred = labels
        arrangements = sorted(set(permutations(labels_pred)))
        assert len(arrangements) == (210 if labels is self.LABELS else 60)
        every = [agreement_by_object(labels_true, each, index=name).contributions for each in arrangements]
        found = agreement_by_object(*labels, index=name).expected
        np.testing.assert_allclose(found, np.mean(every, axis=0), rtol=1e-12, atol=1e-15)

    @pytest.mark.parametrize("name", WITH_MEAN)
    @pytest.mark.parametrize("labels", small_and_full(FEWER, LABELS), ids=["6", "7"])
    def test_by_cluster_of_the_candidate(self, name, labels):
        labels_true, labels_pred = labels
        every = [
            agreement_by_cluster(each, labels_pred, index=name, side="pred").contributions
            for each in sorted(set(permutations(labels_true)))
        ]
        found = agreement_by_cluster(*labels, index=name, side="pred").expected
        np.testing.assert_allclose(found, np.mean(every, axis=0), rtol=1e-12, atol=1e-15)

    @pytest.mark.parametrize("side", ["true", "pred"])
    def test_each_kind_of_pair_has_its_own_mean(self, side):
        """The indices of the catalogue weigh b and c alike, if at all; this one no two kinds of pair."""
        index = dataclasses.replace(
            cc.get_index("rand"),
            name="weighted",
            family="user",
            linear=((1, 20, 300, 4000), (1, 1, 1, 1)),
            function=lambda a, b, c, d: (a + 20 * b + 300 * c + 4000 * d) / (a + b + c + d),
            range=(0.0, 4000.0),
        )
        labels = {"true": self.LABELS[0], "pred": self.LABELS[1]}
        dealt = "pred" if side == "true" else "true"
        every = [
            agreement_by_cluster(*(labels | {dealt: each}).values(), index=index, side=side).contributions
            for each in sorted(set(permutations(labels[dealt])))
        ]
        found = agreement_by_cluster(*labels.values(), index=index, side=side).expected
        np.testing.assert_allclose(found, np.mean(every, axis=0), rtol=1e-12)


class TestObjects:
    def test_they_are_in_the_order_given_whatever_the_labels(self):
        labels_true, labels_pred = (list(side) for side in labels_of(TABLES["varied"]))
        order = np.random.default_rng(2).permutation(len(labels_true))
        plain = agreement_by_object(labels_true, labels_pred)
        shuffled = agreement_by_object(
            pd.Series([f"c{labels_true[i]}" for i in order]), [labels_pred[i] / 2 for i in order]
        )
        np.testing.assert_array_equal(shuffled.scores, plain.scores[order])
        np.testing.assert_array_equal(shuffled.expected, plain.expected[order])

    def test_those_left_out_have_nan(self):
        labels_true, labels_pred = [0, 0, None, 1, 1, -1], [0, 0, 0, 0, 1, 1]
        found = agreement_by_object(labels_true, labels_pred, missing="drop", noise="drop")
        kept = agreement_by_object([0, 0, 1, 1], [0, 0, 0, 1])
        for name in ("contributions", "scores", "expected", "adjusted_contributions"):
            values = getattr(found, name)
            assert np.isnan(values[[2, 5]]).all()
            assert values[[0, 1, 3, 4]].tolist() == getattr(kept, name).tolist()
        assert (found.value, found.adjusted) == (kept.value, kept.adjusted)

    def test_sparse_tables(self):
        side = np.arange(3000)
        assert scipy.sparse.issparse(cc.contingency_table(side, side // 2 + side % 2).counts)
        found = agreement_by_object(side, side // 2 + side % 2)
        sums_to(found.contributions, found.value)
        by_cluster = agreement_by_cluster(side, side // 2 + side % 2)
        np.testing.assert_allclose(by_cluster.contributions, found.contributions, rtol=1e-12)


class TestDegenerate:
    @pytest.mark.parametrize("labels", [[], [0], [0, 0, 0], [0, 1, 2]])
    def test_nothing_fails_and_what_is_undefined_is_nan(self, labels):
        for name, agreement_by in itertools.product(INDICES, (agreement_by_object, agreement_by_cluster)):
            agreement = agreement_by(labels, labels, name)
            parts = agreement.contributions
            assert np.isnan(parts).all() or math.fsum(parts) == pytest.approx(agreement.value), name
            if name in WITH_MEAN and labels:
                np.testing.assert_equal(agreement.adjusted, cc.adjusted_score(labels, labels, name))
            assert repr(agreement)


class TestErrors:
    def test_every_other_index_is_refused_with_advice(self):
        others = {"adjusted_rand": "rand", "adjusted_wallace_1": "wallace_1"}
        for name, advice in others.items():
            sums = "its adjusted contributions sum to that index."
            message = f"`index` must be a sum over objects; got {name!r}. Take {advice!r}: {sums}"
            with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
                agreement_by_object([0, 1], [0, 1], index=name)
        for name in ("variation_of_information", "fowlkes_mallows", "purity", "nmi_joint", "bcubed_f"):
            with pytest.raises(
                ValueError, match=f"must be a sum over objects; got '{name}'. Take 'rand', 'jacc"
            ):
                agreement_by_cluster([[1, 2]], index=name)

    def test_arguments(self):
        with pytest.raises(ValueError, match="`side` must be one of 'true', 'pred'; got 'rows'"):
            agreement_by_cluster([[1, 2]], side="rows")
        with pytest.raises(TypeError, match="`labels_pred` must be given with `noise`; got None"):
            agreement_by_cluster([[1, 2]], noise="drop")
        with pytest.raises(TypeError, match="'nois'"):
            agreement_by_object([0, 1], [0, 1], nois="drop")
        with pytest.raises(ValueError, match="`labels_pred` must have the same length as `labels_true`"):
            agreement_by_object([0, 1], [0, 1, 1])


class TestShown:
    def test_frames(self):
        labels_true, labels_pred = ["owl", "owl", "cat"], [4, 4, 5]
        clusters = agreement_by_cluster(labels_true, labels_pred)
        frame = clusters.to_frame()
        assert frame.index.tolist() == ["cat", "owl"]
        assert frame.index.name == "labels_true"
        assert frame["size"].tolist() == [1, 2]
        assert frame["contributions"].tolist() == clusters.contributions.tolist()
        objects = agreement_by_object(labels_true, labels_pred, "jaccard").to_frame()
        assert list(objects.columns) == ["contributions", "scores"]
        assert len(objects) == 3


# Scores of sums over cells of many pairs at once, against those of one pair after the other


NAMES = [
    name
    for name in cc.indices.list_indices()
    if cc.indices.get_index(name).needs == "cells" and cc.indices.get_index(name).can_be_adjusted
]

NOT_AFFINE = {"contingency_coefficient", "cramer_v", "dom_q2", "nmi_joint", "nvi_joint", "tschuprow_t"}
"""Roots, quotients and the like of a sum."""


def clusterings(n=60):
    rng = np.random.default_rng(5)
    found = {"one": np.zeros(n, dtype=int), "alone": np.arange(n)}
    return found | {f"c{k}": rng.integers(0, k, n) for k in (2, 5, 9)} | {"equal": np.arange(n) % 3}


@pytest.mark.parametrize("name", NAMES)
def test_all_at_once_equal_one_by_one(name, monkeypatch):
    asked = {"index": name, "n_tables": 20, "rng": 1}
    shares = []

    def at_once(*arguments):
        found = sums_over_cells.score_sums_of_pairs(*arguments)
        shares.append(found[2].mean())
        return found

    monkeypatch.setattr(module, "score_sums_of_pairs", at_once)
    found = cc.pairwise(clusterings(), **asked)
    monkeypatch.setattr(module, "score_sums_of_pairs", lambda *_: None)
    expected = cc.pairwise(clusterings(), **asked)
    assert bool(shares[0] == 1.0) is (name not in NOT_AFFINE)
    for field in ("observed", "expected", "best", "adjusted"):
        one_by_one = getattr(expected, field)
        # scores near 0 are differences of numbers of the size of the best value, each rounded
        np.testing.assert_allclose(getattr(found, field), one_by_one, rtol=1e-13, atol=1e-13, err_msg=field)


# Relabelling to a reference: as many objects as any matching has, and nothing lost on the way


def test_labels_that_both_sides_have():
    """Candidate 2 is left over; its own label is that of another cluster in the reference."""
    found = match_labels([0, 0, 0, 2, 2], [2, 0, 0, 1, 1])
    assert found.labels.tolist() == [3, 0, 0, 2, 2]
    assert dict(found.matches) == {0: 0, 1: 2, 2: 3}
    assert (found.left_over, found.not_found) == ((2,), ())


def test_clusters_that_share_no_object_are_no_match():
    found = match_labels(["a", "a", "b"], [1, 1, 1])
    assert found.labels.tolist() == ["a"] * 3
    assert found.not_found == ("b",)


def test_errors():
    with pytest.raises(
        ValueError, match="`labels_pred` must have the same length as `labels_true`; got 3 and 2"
    ):
        match_labels([0, 1], [0, 1, 1])


def test_tables_for_papers_and_programs():
    rows, columns = ["x", "x", "y", "y", "z", "z", "z"], [1, 1, 1, 2, 2, 3, 3]
    clusters, objects = agreement_by_cluster(rows, columns), agreement_by_object(rows * 4, columns * 4)
    read = [*csv.DictReader(clusters.to_csv().splitlines())]
    assert [row["labels_true"] for row in read] == ["x", "y", "z"]
    assert sum(float(row["contributions"]) for row in read) == pytest.approx(cc.score(rows, columns, "rand"))
    assert json.loads(objects.to_json())["scores"] == objects.scores.tolist()
    assert str(objects).endswith("... and 8 more objects")
    assert clusters.to_latex().count("\\\\") == 4
    assert "<table" in objects.to_html()
