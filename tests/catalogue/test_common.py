"""Which index for which question: each reason is proved, each name exists, and common indices come first."""

import pytest

import chancecorr as cc
from chancecorr.catalogue import CHOICES, list_choices, properties
from chancecorr.indices.names import COMMON, is_found, put_common_first
from chancecorr.indices.registry import find_named

RESTS_ON = {
    "rand": (("constant_baseline", "symmetric", "monotone"), ()),
    "ami": (("constant_baseline", "symmetric"), ()),
    "bcubed_f": (("constant_baseline", "symmetric"), ()),
    "purity": (("constant_baseline",), ("symmetric", "maximal_agreement")),
    "clustering_accuracy": (("constant_baseline", "symmetric"), ()),
    "vi": (("metric", "symmetric", "monotone"), ("constant_baseline",)),
}
"""Properties that the reason of a choice rests on: proved ones, and refuted ones."""

TRUE, PRED = [0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 2, 2, 0]


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.call)
class TestAChoice:
    def test_is_proved(self, choice):
        known = properties(choice.index, adjusted=choice.adjusted)
        proved, refuted = RESTS_ON[choice.call]
        assert {known[name].status for name in proved} == {"proved"}
        assert {known[name].status for name in refuted} <= {"refuted"}
        assert ("0 by chance" in choice.why) <= ("constant_baseline" in proved)

    def test_its_name_is_one_in_the_call(self, choice):
        if choice.adjusted:
            assert cc.adjust(TRUE, PRED, index=choice.call, method="exact").index == choice.index
        else:
            raw = cc.score(TRUE, PRED, choice.call)
            assert raw == cc.score(TRUE, PRED, choice.index)
        assert choice.index in COMMON

    def test_fits_a_terminal(self, choice):
        shown = [line for line in list_choices() if choice.question in line or choice.why in line]
        assert len(shown) == 2
        assert max(map(len, shown)) <= 82


def test_what_the_distance_is_said_to_lose():
    """Corrected for chance it is no metric."""
    assert properties("variation_of_information", adjusted=True)["metric"].status == "refuted"


def test_the_pure_clusters_of_a_split_class_score_1():
    assert cc.adjusted_score([0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2], "purity") == 1.0


def test_common_indices_are_a_dozen_and_first():
    assert 10 <= len(COMMON) <= 14
    names = cc.list_indices()
    ordered = put_common_first(names)
    assert ordered[: len(COMMON)] == list(COMMON)
    assert sorted(ordered) == names
    assert ordered[len(COMMON) :] == [name for name in names if name not in COMMON]


@pytest.mark.parametrize(
    ("typed", "index"),
    [
        ("Rand index", "rand"),
        ("ARI", "rand"),
        ("adjusted rand index", "rand"),
        ("nmi", "nmi_sum"),
        ("normalized mutual information", "nmi_sum"),
        ("ami", "mutual_information"),
        ("Adjusted Mutual Information", "mutual_information"),
        ("accuracy", "maximum_matching_accuracy"),
        ("Fowlkes-Mallows", "fowlkes_mallows"),
    ],
)
def test_what_is_typed_finds(typed, index):
    assert is_found(cc.get_index(index), typed)


@pytest.mark.parametrize(("typed", "index"), [("ami", "bcubed_f"), ("ari", "nmi_sum"), ("nmi", "rand")])
def test_a_short_word_is_no_part_of_another(typed, index):
    assert not is_found(cc.get_index(index), typed)


def test_what_names_one():
    assert find_named("ami") == "mutual_information"
    assert find_named("Rand Index") == "rand"
    assert find_named("tanimoto") == "jaccard"
    assert find_named("") is find_named("of pairs") is None
