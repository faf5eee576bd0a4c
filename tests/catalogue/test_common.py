"""Which index for which question: each reason is proved, each name exists, and common indices come first."""

import pytest
from catalogue_text import CHOICES

import chancecorr as cc
from chancecorr.catalogue import properties
from chancecorr.indices.names import COMMON, is_found
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
            assert cc.score(TRUE, PRED, choice.call) == cc.score(TRUE, PRED, choice.index)
        assert choice.index in COMMON


FOUND = {
    "Rand index": "rand", "ARI": "rand", "adjusted rand index": "rand", "nmi": "nmi_sum",
    "normalized mutual information": "nmi_sum", "ami": "mutual_information",
    "Adjusted Mutual Information": "mutual_information", "accuracy": "maximum_matching_accuracy",
    "Fowlkes-Mallows": "fowlkes_mallows",
}  # fmt: skip


@pytest.mark.parametrize(("typed", "index"), FOUND.items())
def test_what_is_typed_finds(typed, index):
    assert is_found(cc.get_index(index), typed)


def test_what_names_one():
    assert find_named("ami") == "mutual_information"
    assert find_named("Rand Index") == "rand"
    assert find_named("tanimoto") == "jaccard"
    assert find_named("") is find_named("of pairs") is None
