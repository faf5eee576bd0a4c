"""The name by which an index was asked for finds its score again."""

import csv
import io

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
    assert [row[0] for row in scores.cells()[1:]] == ["ari", "ami", "dice: ARI", "Rand Index: ARI"]
    latex = scores.to_latex()
    names = [
        "Adjusted Rand index",
        "Adjusted mutual information",
        "Czekanowski (pair F1): ARI",
        "Rand index: ARI",
    ]
    for name in names:
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


def test_rows_and_exports_say_which_scores_are_the_ari_and_the_ami():
    def list_names(index, **options):
        scores = cc.adjust(A, B, index, **options)
        exported = [line["adjusted_name"] for line in csv.DictReader(io.StringIO(scores.to_csv()))]
        assert exported == [score.adjusted_name for score in scores.values()]
        return [row[0] for row in scores.cells()[1:]], exported

    asked = ["rand", "jaccard", "dice", "v_measure"]
    rows, exported = list_names(asked)
    assert rows == ["rand: ARI", "jaccard", "dice: ARI", "v_measure: AMI"]
    assert exported == ["ARI", "", "ARI", "AMI"]
    (*_, last) = str(cc.adjust(A, B, asked)).splitlines()
    assert last == "ARI (adjusted Rand index) and AMI (adjusted mutual information): column adjusted"
    assert str(cc.adjust(A, B, ["nmi"])).endswith(
        "mutual information): column adjusted; NMI: column observed"
    )
    assert list_names(["ari", "ami"]) == (["ari", "ami"], ["ARI", "AMI"])
    assert list_names(["rand"], model="fixed-k") == (["rand"], [""])
    assert repr(cc.compare(A, {"b": B}, "rand")).startswith("rand: ARI of 1 candidate, n")
    adjusted = {name: cc.adjust(A, B, name).adjusted for name in ("rand", "dice", "ari", "v_measure", "ami")}
    assert adjusted["rand"] == pytest.approx(adjusted["ari"]) == pytest.approx(adjusted["dice"])
    assert adjusted["v_measure"] == pytest.approx(adjusted["ami"])
