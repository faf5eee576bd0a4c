"""What is easily taken for something else: noise labels, labels that are all dropped, tables with totals."""

import math

import numpy as np
import pandas as pd
import pytest

import chancecorr as cc
from chancecorr.tables import contingency_table_from

TRUE, PRED = [0, 0, 1, 1, 1, 2], [0, 0, -1, 1, 1, -1]


def test_a_noise_label_that_cannot_occur_is_refused():
    texts = [str(label) for label in PRED]
    for call in (
        lambda: cc.compare(list("aabbbc"), {"texts": texts}, noise="singletons"),
        lambda: cc.adjust(TRUE, texts, noise="drop"),  # integers, which might hold the number
    ):
        with pytest.raises(ValueError, match=r"`noise` must have the label '-1', a text as the labels are;"):
            call()
    with pytest.raises(ValueError, match=r"`noise` must have the label -1, a number as the labels are;"):
        cc.adjust(list("aabbbc"), np.array(PRED, dtype=float), noise={"-1": "drop"})
    with pytest.raises(ValueError, match=r"got -1\. Pass noise={'-1': 'drop'}\.$"):
        cc.adjust(texts, PRED, noise=("drop", "keep"))
    assert cc.adjust(list("aabbbc"), texts, noise={"-1": "drop"}).n == 4


SIDES = ["a", "b", "?", "a", "b"], ["x", "x", "y", "?", "y"]

READERS = [
    lambda sides, **options: cc.contingency_table(*sides, **options).counts,
    lambda sides, **options: cc.tables.contingency_table_from([sides], **options).counts,
    lambda sides, **options: (
        contingency_table_from(pd.DataFrame({"t": sides[0], "p": sides[1]}), "t", "p", **options).counts
    ),
    lambda sides, **options: cc.score(*sides, **options),
    lambda sides, **options: cc.adjusted_score(*sides, **options),
    lambda sides, **options: cc.adjust(*sides, **options).adjusted,
    lambda sides, **options: cc.compare(sides[0], {"p": sides[1]}, **options)["p"].adjusted,
    lambda sides, **options: float(cc.pairwise(sides, **options).adjusted[0, 1]),
    lambda sides, **options: cc.comparison.stability(sides, **options).mean_adjusted,
    lambda sides, **options: cc.comparison.agreement(sides, rng=1, drop="each", **options).mean_adjusted,
    lambda sides, **options: cc.comparison.agreement_by_cluster(*sides, **options).value,
    lambda sides, **options: cc.comparison.agreement_by_object(*sides, **options).value,
]


@pytest.mark.parametrize("read", [*READERS, lambda sides, **options: cc.make_scorer(**options)])
def test_another_noise_label(read):
    assert repr(read(SIDES)) != repr(read(SIDES, noise={"?": "drop"}))
    with pytest.raises(ValueError, match=r"`noise` must have a label in a mapping; got {}\."):
        read(SIDES, noise={})


SEVERAL = [
    ["a", "b", "?", "b", "a", "!", "!", "b", None, "a", "b", "a"],
    ["x", "x", "y", "?", "y", "y", "x", None, "x", "?", "!", "y"],
]
AS_SINGLETONS = [
    ["a", "b", "b", "a", "1", "2", "b", "3", "a", "a"],
    ["x", "x", "4", "y", "y", "x", "5", "x", "6", "y"],
]
"""The same without objects that are "?" in the reference or "!" in the candidate."""


@pytest.mark.parametrize("read", READERS)
def test_several_noise_labels_and_objects_without_a_label_that_are_clusters_of_their_own(read):
    if read in READERS[7:10]:  # without a reference
        noise = {"?": "singletons", "!": "singletons"}
        others = [[f"{k}{i}" if x in ("?", "!", None) else x for i, x in enumerate(side)]
                  for k, side in enumerate(SEVERAL)]  # fmt: skip
    else:
        noise, others = ({"?": "drop", "!": "singletons"}, {"?": "singletons", "!": "drop"}), AS_SINGLETONS
    alone, named = read(SEVERAL, noise=noise, missing="singletons"), read(others)
    if np.ndim(alone):  # rows and columns in another order
        assert sorted(map(sorted, alone.tolist())) == sorted(map(sorted, named.tolist()))
    else:
        assert alone == pytest.approx(named, rel=1e-14)


def test_objects_without_a_label_are_counted():
    score = cc.adjust([1, 1, None, 2, None], ["a", "b", "b", "c", "c"], missing="singletons")
    assert score.n == 5
    assert [*map(str, score.notes)] == [
        "`labels_true`: 2 objects without a label, each in a separate cluster"
    ]
    table = cc.contingency_table([1, 1, None, -1], [0, 0, 1, 1], noise="singletons", missing="singletons")
    assert table.row_labels.tolist() == [1, (None, 2), (-1, 3)]


def test_noise_that_does_not_occur_is_said():
    for noise in ("drop", "singletons", ("keep", "drop")):
        assert [*map(str, cc.adjust([0, 0, 1], [0, 1, 1], noise=noise).notes)] == [
            "no object has the noise label, -1"
        ]
    (note,) = cc.adjust(TRUE, PRED, noise=({"noise": "drop"}, {7: "singletons"})).notes
    assert str(note) == "no object has the noise label, 'noise' or 7"
    assert [*map(str, cc.compare([0, 0, 1], {"a": [0, 1, 1]}, noise="drop").notes)] == [
        "no object has the noise label"
    ]
    assert not cc.compare(TRUE, {"a": TRUE, "b": PRED}, noise="drop").notes[1:]


def test_minus_one_as_a_cluster_is_said():
    score = cc.adjust(TRUE, PRED)
    said = "label -1 occurs 2 times in `labels_pred` and counts as a cluster; `noise=` changes that"
    assert [*map(str, score.notes)] == [said]
    assert said in repr(score)
    assert [note["text"] for note in score.to_dict()["notes"]] == [said]
    for noise in ("keep", "singletons"):
        assert not cc.adjust(TRUE, PRED, noise=noise).notes
    assert not cc.adjust(TRUE, [0, 0, 1, 1, 1, 2]).notes


def test_objects_that_are_left_out_are_counted():
    score = cc.adjust(TRUE, PRED, noise="drop")
    assert [*map(str, score.notes)] == ["2 of 6 objects are left out: 2 as noise in `labels_pred`"]
    assert (score.n, score.to_dict()["n"]) == (4, 4)
    score = cc.adjust([None, *TRUE], [0, *PRED], noise="drop", missing="drop")
    left_out = "1 without a label in `labels_true`, 2 as noise in `labels_pred`"
    assert [*map(str, score.notes)] == [f"3 of 7 objects are left out: {left_out}"]


def test_one_policy_a_side_needs_a_reference():
    with pytest.raises(TypeError, match="`noise` must not be a pair without a reference"):
        cc.pairwise([TRUE, PRED], noise=("drop", "keep"))


def test_measurements_are_warned_of():
    lengths = [0.5 + k / 7 for k in range(30)]
    with pytest.warns(UserWarning, match="`labels_pred` looks like measurements: 30 of 30 labels"):
        score = cc.adjust([0, 1, 2] * 10, lengths)
    assert "30 of 30 labels in `labels_pred` occur once: is it a clustering?" in map(str, score.notes)
    numbers = cc.adjust([0, 1, 2] * 10, range(30))  # row numbers, or objects that are all alone
    assert [*map(str, numbers.notes)] == ["30 of 30 labels in `labels_pred` occur once: is it a clustering?"]
    assert not cc.adjust([0.5, 1.5] * 15, [0, 1, 2] * 10).notes


def test_complex_labels_have_a_note():
    (note,) = cc.adjust([0, 1, 2] * 10, [1j, 2.0, 1 + 1j] * 10).notes
    assert str(note) == "labels in `labels_pred` are complex numbers, as 1j: each number counts as a cluster"


def test_totals_are_no_counts():
    pandas = pytest.importorskip("pandas")
    frame = pandas.crosstab(pandas.Series(TRUE), pandas.Series(PRED), margins=True)
    with pytest.raises(ValueError, match=r"`counts` must not hold totals; got .* in row and column 'All'"):
        cc.adjust_table(frame)
    assert cc.ContingencyTable(frame.iloc[:-1, :-1]).n == 6


def test_a_number_and_its_text_are_two_labels_with_a_remark():
    scores = cc.adjust([0, "0", 1, 1], ["a", "a", "b", "b"])
    assert [*map(str, scores.notes)] == ["0 and '0' in `labels_true` are different labels"]
    assert not cc.adjust([0, "1", 2, 2], [0, 0, 1, 1]).notes


BY_NAME = {"v": 1, "w": 1, "x": 2, "y": 2, "z": 2}, {"z": "c", "x": "c", "w": "b", "v": "b", "u": "b"}
COMMON = [1, 1, 2, 2], ["b", "b", "c", "c"]  # v, w, x, z
ALL = ["1", "1", "2", "2", "2", "u"], ["b", "b", "c", "y", "c", "b"]  # v to z, u: alone where it is not


def as_sets(labels):
    return [{name for name in labels if labels[name] == label} for label in dict.fromkeys(labels.values())]


@pytest.mark.parametrize("read", READERS[:1] + READERS[3:])
@pytest.mark.parametrize("as_given", [dict, as_sets])
def test_objects_of_one_side_only_are_left_out_or_alone(read, as_given):
    sides = [as_given(side) for side in BY_NAME]
    for missing, others in (("drop", COMMON), ("singletons", ALL)):
        found, expected = read(sides, missing=missing), read(list(others))
        if np.ndim(found):
            assert sorted(map(sorted, found.tolist())) == sorted(map(sorted, expected.tolist()))
        else:
            assert found == pytest.approx(expected, rel=1e-14)
    with pytest.raises(ValueError, match=r"1 more, as 'u', and 1 fewer, as 'y'\. Pass missing="):
        cc.adjust(*BY_NAME)


def test_mentions_that_the_key_or_the_response_lacks():
    """CoNLL's example of a response without one mention and with another: MUC 2 / 3 both ways."""
    key, response = [{"a", "b", "c", "d"}], [{"a", "b", "c", "e"}]
    for index in ("muc_recall", "muc_precision"):
        assert cc.score(key, response, index, missing="singletons") == pytest.approx(2 / 3)


def test_noise_labels_that_are_equal_as_floats_are_not():
    """The candidate's 2**63 - 1 is no noise, although both are the float 2**63."""
    reference, candidate = np.array([2**63 + 1, 7, 7], dtype=np.uint64), np.array([5, 2**63 - 1, 5])
    assert cc.contingency_table(reference, candidate, noise={2**63 + 1: "drop"}).n == 2
    table = cc.contingency_table(reference, candidate, noise={2**63 + 1: "singletons"})
    assert table.row_labels.tolist() == [7, (2**63 + 1, 0)]
    assert table.column_labels.tolist() == [5, 2**63 - 1]


@pytest.mark.parametrize("kind", ["int32", "int64", "float64"])
def test_the_missing_value_of_r_is_noticed(kind):
    labels = np.array([1, 1, -(2**31), 2, -(2**31), -1]).astype(kind)
    label = "label -2147483648 (NA of R) occurs 2 times in"
    changes = "and counts as a cluster; `noise=` changes that"
    other = [0, 0, 1, 1, 1, 1]
    said = [note for note in map(str, cc.adjust(labels, other).notes) if "NA of R" in note]
    assert said == [f"{label} `labels_true` {changes}"]
    (left,) = map(str, cc.adjust(labels, other, noise={-(2**31): "drop", -1: "drop"}).notes)
    assert left == "3 of 6 objects are left out: 3 as noise in `labels_true`"
    assert any(
        "NA of R" in note for note in map(str, cc.adjust(labels, other, noise="drop").notes)
    )  # about -1
    assert not cc.adjust(np.array([1, 1, -(2**31) + 1, 2]), [0, 0, 1, 1]).notes
    assert any(note.startswith(f"{label} x") for note in map(str, cc.compare(other, {"x": labels}).notes))


@pytest.mark.parametrize("text", ["nan", "NaN", "NA", "None", "<NA>"])
@pytest.mark.parametrize(
    "make", [list, np.array, pd.Series, lambda x: np.array(x, dtype=object), pd.Categorical]
)
def test_texts_of_missing_labels_are_noticed(text, make):
    labels = ["a", text, "b", text, "a"]
    notes = [*map(str, cc.adjust(make(labels), [0, 0, 1, 1, 1]).notes)]
    changes = "and counts as a cluster; `noise=` changes that"
    assert notes == [f"label {text!r} occurs 2 times in `labels_true` {changes}"]
    (left,) = map(str, cc.adjust(make(labels), [0, 0, 1, 1, 1], noise={text: "drop"}).notes)
    assert left.startswith("2 of 5 objects are left out")
    assert not cc.adjust(make(["a", f"{text}s", "b"]), [0, 0, 1]).notes


@pytest.mark.parametrize("first", [1.0, np.float64(1.0)])
def test_numbers_of_numpy_are_no_texts(first):
    for others in ([2.0, 2.0], ["a", "a"], [2.5, 2.5]):
        assert not cc.adjust([first, *others], [0, 1, 1]).notes


@pytest.mark.parametrize("missing", [math.nan, np.float64("nan"), None, pd.NA, pd.NaT])
def test_missing_labels_are_no_noise(missing):
    for policy in ("drop", "singletons"):
        with pytest.raises(ValueError, match=r"`noise` must not name missing labels; .* missing='drop' or"):
            cc.adjust([1, 1, 2], [1, 2, 2], noise={missing: policy})


@pytest.mark.parametrize("answer", [cc.adjust, cc.score, cc.adjusted_score])
def test_nothing_has_no_score(answer):
    with pytest.raises(ValueError, match="`labels_true` must hold at least one label; got none"):
        answer([], [])
    for sides, options in (
        (([None, 1], [1, None]), {"missing": "drop"}),
        (([0, 1], [-1, -1]), {"noise": "drop"}),
    ):
        with pytest.raises(
            ValueError, match="`labels_true` must share an object with `labels_pred` that has"
        ):
            answer(*sides, **options)
