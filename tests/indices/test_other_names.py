"""Names as people type them lead to the index that they mean, or to an error that names it."""

import contextlib
import re

import numpy as np
import pytest
import sklearn.metrics as sklearn

import chancecorr as cc
from chancecorr.indices.names import ADVICE

TRUE = np.repeat([0, 1, 2, 3], [9, 14, 6, 11])
PRED = np.where(np.arange(40) % 3 > 0, TRUE, np.arange(40) % 5)


def error(name):
    with pytest.raises(ValueError, match=r"`index` must be a registered index; got ") as caught:
        cc.get_index(name)
    return str(caught.value)


ELSEWHERE = {
    "sklearn.metrics": "adjusted_rand completeness fowlkes_mallows homogeneity mutual_info rand v_measure",
    "genieclust.compare_partitions": "adjusted_fm adjusted_rand fm rand",
}


@pytest.mark.parametrize("package", ELSEWHERE)
def test_a_name_of_another_package_gives_what_its_function_returns(package):
    module = pytest.importorskip(package)
    for name in ELSEWHERE[package].split():
        expected = getattr(module, f"{name}_score")(TRUE, PRED)
        assert cc.score(TRUE, PRED, f"{name}_score") == pytest.approx(expected, rel=1e-9)


def test_a_name_of_igraph_gives_what_it_returns():
    igraph = pytest.importorskip("igraph")
    for name in ("vi", "split-join", "rand", "adjusted_rand"):
        expected = igraph.compare_communities(TRUE.tolist(), PRED.tolist(), method=name)
        assert cc.score(TRUE, PRED, name) == pytest.approx(expected, rel=1e-9)


class TestSpelling:
    @pytest.mark.parametrize(
        ("typed", "name"),
        [
            ("Rand Index", "rand"),
            ("RI", "rand"),
            ("adjustedRandIndex", "adjusted_rand"),
            ("corrected.rand", "adjusted_rand"),
            ("ARI", "adjusted_rand"),
            ("Fowlkes–Mallows", "fowlkes_mallows"),
            ("VMeasureScore", "v_measure"),
            ("purity_score", "purity"),
            ("variation of information", "variation_of_information"),
            ("Jaccard similarity coefficient", "jaccard"),
            ("Jaccard distance", "marczewski_steinhaus"),
            ("van Dongen distance", "van_dongen"),
            ("Cramér's V", "cramer_v"),
            ("F-beta(0.5)", "f_beta(0.5)"),
            ("NID", "nid"),
            ("chi-squared", "chi_square"),
            ("cluster_accuracy", "maximum_matching_accuracy"),
            ("BLANC", "rogot_goldberg"),
            ("CoNLL score", "conll"),
            ("closest cluster recall", "clusterwise_jaccard_1"),
            ("adapted_rand_error", "bray_curtis"),
            ("asymmetric NMI", "homogeneity"),
        ],
    )
    def test_what_is_meant(self, typed, name):
        assert cc.get_index(typed).name == name

    def test_a_distance_is_not_its_similarity(self):
        for typed in ("rand_distance", "van_dongen_similarity"):
            assert typed in error(typed)

    def test_a_name_of_the_user_goes_before_advice_and_spelling(self, forget):
        for name in ("nmi", "f_mi"):
            cc.register_index(name, lambda a, b, c, d: a, needs="pairs")
        typed = "nmi", "f_mi", "F-MI", "fmi"
        assert [cc.get_index(each).name for each in typed] == ["nmi", "f_mi", "f_mi", "fowlkes_mallows"]


class TestAdvice:
    def test_all_that_is_named_is_registered(self):
        for name, (sentence, remedy) in ADVICE.items():
            named = re.findall(r"'(\w+)'", sentence)
            assert [cc.get_index(index).name for index in named] == named, name
            assert remedy is None or remedy[1] in named
            assert sentence.endswith(".")

    def test_no_advice_hides_an_index(self):
        for name in ADVICE:
            assert name in error(name)

    def test_normalized_mutual_information(self):
        for name in ("nmi", "NMI", "normalized_mutual_info", "normalized_mutual_info_score",
                     "NormalizedMutualInfoScore", "normalized-mutual-information"):  # fmt: skip
            assert cc.get_index(name).name == "nmi_sum"
            assert f"{name} is 'nmi_sum', with scikit-learn's default" in str(
                cc.adjust(TRUE, PRED, name).notes[0]
            )
        expected = sklearn.normalized_mutual_info_score(TRUE, PRED)
        assert cc.score(TRUE, PRED, "nmi") == pytest.approx(expected, rel=1e-9)

    def test_b_cubed_is_its_f1(self):
        """Amigo et al. (2009) and the scorers of coreference report the F1 as B-cubed."""
        shares = [np.mean((t == TRUE)[p == PRED]) for t, p in zip(TRUE, PRED, strict=True)]
        found = [np.mean((p == PRED)[t == TRUE]) for t, p in zip(TRUE, PRED, strict=True)]
        expected = 2 / (1 / np.mean(shares) + 1 / np.mean(found))
        for name in ("b3", "B-cubed", "bcubed score"):
            assert cc.score(TRUE, PRED, name) == pytest.approx(expected, rel=1e-12)
            assert "is 'bcubed_f', the harmonic mean" in str(cc.adjust(TRUE, PRED, name, rng=1).notes[0])

    def test_names_of_fields(self):
        """Image segmentation, log parsing and statistics."""
        rows = [set(np.flatnonzero(label == TRUE)) for label in np.unique(TRUE)]
        columns = [set(np.flatnonzero(label == PRED)) for label in np.unique(PRED)]
        overlaps = [max(len(row & column) / len(row | column) for column in columns) for row in rows]
        for name in ("mbo", "mean best overlap"):
            assert cc.score(TRUE, PRED, name) == pytest.approx(np.mean(overlaps), rel=1e-12)
        expected = sklearn.homogeneity_score(TRUE, PRED)
        for name in ("theil_u", "Theil's U", "uncertainty coefficient"):
            assert cc.score(TRUE, PRED, name) == pytest.approx(expected, rel=1e-9)
        for typed, entry in (("Robinson-Foulds distance", "robinson_foulds"), ("PQ", "panoptic_quality")):
            assert cc.get_index(typed).name == entry
        for typed, entry in (("GCE", "global_consistency_error"), ("parsing accuracy", "group_accuracy")):
            assert cc.get_index(typed).name == entry
        groups = ["a", "a", "b", "b", "c"], ["x", "x", "y", "z", "c"]  # 2 of 3 and of 4 groups are in both
        assert cc.score(*groups, "fga") == pytest.approx(2 * 2 / (3 + 4), rel=1e-12)

    def test_adjusted_mutual_information(self):
        for name in ("ami", "adjusted_mutual_info", "adjusted_mutual_info_score", "AdjustedMutualInfoScore"):
            assert "is the adjusted score of 'mutual_information'" in error(name)
            advice = 'Pass index="mutual_information" to get it from `adjust`, as the adjusted score.'
            assert error(name).endswith(advice)
            score = cc.adjust(TRUE, PRED, name)
            assert score.adjusted == pytest.approx(sklearn.adjusted_mutual_info_score(TRUE, PRED), rel=1e-9)
            assert f"{name} is the adjusted score of 'mutual_information'" in str(score.notes[0])
            assert cc.adjusted_score(TRUE, PRED, name) == pytest.approx(score.adjusted, rel=1e-12)
            comparison = cc.compare(TRUE, {"only": PRED}, name)
            assert comparison.best().adjusted == pytest.approx(score.adjusted, rel=1e-12)
            assert comparison.notes == (score.notes[0],)
            matrix = cc.pairwise([TRUE, PRED], name)
            assert matrix.adjusted[0, 1] == pytest.approx(score.adjusted, rel=1e-12)
            assert score.notes[0] in matrix.notes

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("pmi", "share of the null distribution of 'mutual_information' below"),
            ("mri", "compare those of both times by 'rand'"),
            ("cari", "Pass two `chancecorr.clusterings.Biclusters`"),
            ("AGRI", "Pass `chancecorr.clusterings.graph_rand(edges)`"),
            ("spARI", "Pass `chancecorr.clusterings.spatial_rand(coordinates)`"),
            ("balanced_ari", 'With weights="reference" each class'),
            ("ARI.F", "take 'fuzzy_rand', or pass Campello's as a function"),
            ("FG-ARI", 'noise=({background: "drop"}, "keep")'),
            ("coverage", "'inverse_purity'"),
            ("DER", "it is 'classification_error'"),
            ("speaker confusion", "it is 'classification_error'"),
            ("GMD", "'mirkin' (costs by pairs)"),
        ],
    )
    def test_scores_that_are_another_call(self, name, words):
        assert words in error(name)
        assert "Did you mean" not in error(name)

    @pytest.mark.parametrize("name", ["ami", "smi", "ci", "xmi", "gmd", "f1", "mcx", "V"])
    def test_no_guess_from_other_letters(self, name):
        """Of short names, one other letter makes another index."""
        assert "Did you mean" not in error(name)

    def test_slips_of_the_keyboard(self):
        for name, index in (("jacard", "jaccard"), ("rnad", "rand"), ("purty", "purity")):
            assert error(name).endswith(f"Did you mean {index!r}?")

    def test_in_the_words_of_the_command_line(self):
        with pytest.raises(ValueError, match="got 'ami'") as caught:
            cc.get_index("ami")
        said = caught.value.in_words_of({"index": "--index"}, option="{name} {value}")
        assert "Pass --index mutual_information to get it from `adjust`" in said


def test_a_function_of_labels_is_an_index():
    drawn = {"method": "monte-carlo", "n_tables": 300, "rng": 1}
    found, ours = (cc.adjust(TRUE, PRED, index, **drawn) for index in (sklearn.rand_score, "rand"))
    assert (found.index, found.observed, found.best) == ("rand_score", ours.observed, 1.0)
    assert found.adjusted == pytest.approx(ours.adjusted, rel=1e-12)  # on the same tables
    assert cc.score(TRUE, PRED, sklearn.rand_score) == ours.observed
    with pytest.raises(ValueError, match="`index` must have different names; got two called 'lambda'"):
        cc.adjust(TRUE, PRED, [lambda u, v: 0.5, lambda u, v: 0.25])


def test_every_name_of_scikit_learn_leads_somewhere():
    """All functions of scikit-learn's supervised clustering metrics, but for those that return tables."""
    tables = {"contingency_matrix", "pair_confusion_matrix", "homogeneity_completeness_v_measure", "entropy",
              "expected_mutual_information", "consensus_score"}  # fmt: skip
    names = [name for name in sklearn.cluster.__all__ if name not in tables]
    assert len(names) >= 10
    known = set()
    for name in names:
        with contextlib.suppress(ValueError):
            known.add(cc.get_index(name) and name)
    for name in set(names) - known:
        text = error(name)
        assert "Did you mean" not in text  # advice, not a guess
        assert not text.endswith(f"got {name!r}.")
