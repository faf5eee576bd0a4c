"""What is easily taken for something else: noise labels, labels that are all dropped, tables with totals."""

import pytest

import chancecorr as cc

TRUE, PRED = [0, 0, 1, 1, 1, 2], [0, 0, -1, 1, 1, -1]


def test_a_noise_label_that_cannot_occur_is_refused():
    texts = [str(label) for label in PRED]
    for call in (
        lambda: cc.adjust(list("aabbbc"), texts, noise="drop"),
        lambda: cc.compare(list("aabbbc"), {"texts": texts}, noise="singletons"),
    ):
        with pytest.raises(ValueError, match=r"`noise_label` must be '-1', a text as the labels are;"):
            call()
    with pytest.raises(ValueError, match=r"`noise_label` must be one label; got \(0, -1\), which none is"):
        cc.adjust(list("aab"), list("aab"), noise="drop", noise_label=(0, -1))
    cc.adjust(list("aabbbc"), texts, noise="drop", noise_label="-1")
    cc.adjust([0, 0, 1], [0, 1, 1], noise="drop")  # integers without noise


def test_nothing_left_is_an_error():
    with pytest.raises(ValueError, match=r"`labels_true` must share an object with `labels_pred`"):
        cc.adjust([0, 0, 1], [-1, -1, -1], noise="drop")


def test_minus_one_as_a_cluster_is_said():
    score = cc.adjust(TRUE, PRED)
    assert score.notes == [
        "label -1 occurs 2 times in `labels_pred` and counts as a cluster; `noise=` changes that"
    ]
    assert score.notes[0] in repr(score)
    assert score.notes[0] in score.to_dict()["note"]
    both = cc.adjust(PRED, TRUE, index=["rand", "jaccard"])
    assert "rand, jaccard: label -1 occurs 2 times in `labels_true`" in repr(both)
    for noise in ("keep", "drop", "singletons"):
        assert cc.adjust(TRUE, PRED, noise=noise).notes == []
    assert cc.adjust(TRUE, [0, 0, 1, 1, 1, 2]).notes == []


def test_totals_are_no_counts():
    pandas = pytest.importorskip("pandas")
    frame = pandas.crosstab(pandas.Series(TRUE), pandas.Series(PRED), margins=True)
    with pytest.raises(ValueError, match=r"`counts` must not hold totals; got .* in row and column 'All'"):
        cc.adjust_table(frame)
    assert cc.ContingencyTable(frame.iloc[:-1, :-1]).n == 6
