"""The name by which an index was asked for finds its score again."""

import numpy as np
import pytest

import chancecorr as cc

A = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
B = [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 0]
NAMES = ["ami", "AMI", "ari", "nmi", "adjusted_mutual_info_score", "Rand Index", "tversky(0.5, 1)"]


@pytest.mark.parametrize("name", NAMES)
def test_adjust_and_compare(name):
    scores = cc.adjust(A, B, [name, "jaccard"])
    assert scores[name] is next(iter(scores.values()))
    comparison = cc.compare(A, {"b": B, "a": A}, index=[name, "jaccard"])
    (index, _) = comparison.indices
    assert comparison["b"][name] is comparison["b"][index]
    assert comparison.best(name) is comparison["a"][index]
    assert [each.candidate for each in comparison.ranked(name)] == ["a", "b"]
    assert comparison.difference("a", "b", index=name).difference > 0.0


@pytest.mark.parametrize("name", ["onmi", "omega", "onmi_lfk"])
def test_indices_of_other_kinds(name):
    scores = cc.adjust(A, B, [name, "fuzzy_rand"], n_tables=20, rng=1)
    assert scores[name].index == cc.get_index(name).name


def test_another_name_is_refused():
    scores = cc.adjust(A, B, ["rand", "ami"])
    for name in ("jaccard", "omega", "nmi", 3, None, np.nan):
        with pytest.raises(KeyError, match="index must be one of 'rand', 'ami'; got"):
            scores[name]
    comparison = cc.compare(A, {"b": B}, index=["rand", "ami"])
    with pytest.raises(ValueError, match="`index` must be one of 'rand', 'ami'; got 'nmi'"):
        comparison.best("nmi")


def test_what_people_take_away_says_what_they_asked_for_and_a_note_says_which_index_that_is():
    asked = {"ari": "adjusted_rand", "ami": "mutual_information", "dice": "czekanowski", "Rand Index": "rand"}
    scores = cc.adjust(A, B, list(asked))
    assert list(scores) == list(asked.values())
    assert [(score.asked_as, score.index) for score in scores.values()] == list(asked.items())
    assert [row[0] for row in scores.cells()[1:]] == list(asked)
    latex = scores.to_latex()
    for name in ("Adjusted Rand index", "Adjusted mutual information", "Czekanowski (pair F1)", "Rand index"):
        assert f"\n{name} &" in latex
    of_ari, of_ami, of_dice, spelt = ([*map(str, scores[name].notes)] for name in (*list(asked)[:3], "rand"))
    assert (of_ari, of_dice, spelt) == (["ari is 'adjusted_rand'"], ["dice is 'czekanowski'"], [])
    assert "ami is the adjusted score of 'mutual_information'" in of_ami[0]
    assert "Mutual information: " in scores.report()  # the observed value is of the raw index
    assert "adjusted (ami) " in scores.report()
    assert not any(note in scores.report() for note in (*of_ari, *of_ami, *of_dice))
    comparison = cc.compare(A, {"b": B, "a": A}, ["ami", "nmi"])
    assert repr(comparison).splitlines()[0] == f"ami: 2 candidates, n = {len(A)}"
    assert comparison["b"]["ami"].asked_as == "ami"
    assert "Adjusted mutual information, best first: a 1" in comparison.report()
    assert cc.pairwise([A, B], "ami").asked_as == "ami"
    table = cc.contingency_table(A, B)
    assert cc.adjust_table(table, "ami").asked_as == "ami"
    assert cc.adjust_table(table, cc.get_index("dice")).asked_as == "czekanowski"


def test_a_note_says_which_rows_are_ari_and_ami():
    def said(index, **options):
        (*_, last) = str(cc.adjust(A, B, index, **options)).splitlines()
        return last.partition("adjusted: ")[2]

    assert said(["rand"]) == "rand = adjusted Rand index (ARI)"
    both = "rand and dice = adjusted Rand index (ARI), v_measure = adjusted mutual information (AMI)"
    assert said(["rand", "jaccard", "dice", "v_measure"]) == both
    for index in (["ari"], ["ami"], ["jaccard"]):
        assert said(index) == ""
    assert said(["rand"], model="fixed-k") == ""
    adjusted = {name: cc.adjust(A, B, name).adjusted for name in ("rand", "dice", "ari", "v_measure", "ami")}
    assert adjusted["rand"] == pytest.approx(adjusted["ari"]) == pytest.approx(adjusted["dice"])
    assert adjusted["v_measure"] == pytest.approx(adjusted["ami"])
