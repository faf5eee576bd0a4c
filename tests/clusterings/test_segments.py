"""Change points and segments with times as labels: against one label for each instant, made by hand."""

import re
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import chancecorr as cc
from chancecorr.clusterings import segments


def label_samples(points):
    return [sum(point <= sample for point in points) for sample in range(points[-1])]


@pytest.mark.parametrize("make", [list, tuple, np.array, pd.Series])
def test_change_points_are_the_labels_of_their_samples(make):
    rng = np.random.default_rng(0)
    for _ in range(20):
        sides = [[*sorted(rng.choice(np.arange(1, 20), k, replace=False)), 20] for k in rng.integers(0, 9, 2)]
        *labels, durations = segments(*map(make, sides))
        assert durations is None
        for of_side, points in zip(labels, sides, strict=True):
            assert cc.contingency_table(of_side, label_samples(points)).n == 20
            assert cc.score(of_side, label_samples(points)) == 1.0
    score = cc.adjust(*segments(make([4, 10]), make([5, 10]))[:2])  # 36 of 45 pairs, by hand
    assert (score.observed, round(score.adjusted, 5)) == (0.8, 0.59701)


def make_rows(rng, steps=16):
    """Segments in steps of 1/8 of a second with gaps, not in order."""
    ends = np.sort(rng.choice(steps + 1, 8, replace=False)) / 8
    rows = [(start, end, "abc"[rng.integers(3)]) for start, end in zip(ends[::2], ends[1::2], strict=True)]
    return [rows[k] for k in rng.permutation(len(rows))]


FORMS = {
    "lists": lambda rows: [list(row) for row in rows],
    "pandas": lambda rows: pd.DataFrame(rows, columns=["start", "end", "who"]),
    "polars": lambda rows: pytest.importorskip("polars").DataFrame(
        rows, schema=["start", "end", "who"], orient="row"
    ),
    "Arrow": lambda rows: pa.table(pd.DataFrame(rows, columns=["start", "end", "who"])),
    "objects": lambda rows: np.array(rows, dtype=object),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_segments_have_the_label_of_each_instant_and_durations_that_add_up(form):
    rng = np.random.default_rng(1)
    for _ in range(20):
        sides = make_rows(rng), make_rows(rng)
        first, second, durations = segments(*map(form, sides))
        start = min(row[0] for rows in sides for row in rows)
        assert durations.sum() == max(row[1] for rows in sides for row in rows) - start
        begins = start + np.cumsum(durations) - durations
        for labels, rows in zip((first, second), sides, strict=True):
            for instant in np.arange(start, start + durations.sum(), 1 / 16) + 1 / 32:
                here = [label for low, high, label in rows if low < instant < high]
                assert [labels[np.searchsorted(begins, instant) - 1]] == (here or [None])


def test_the_share_of_time_in_which_two_segmentations_agree():
    """With weights an index of matched clusters is the share of seconds, from the definition."""
    first, second, durations = segments([(0, 4, "a"), (4, 10, "b")], [(0, 5, 1), (5, 10, 2)])
    assert cc.adjust(first, second, "purity", weights=durations).observed == pytest.approx(0.9)
    first, second, durations = segments([(0, 4, "a"), (4, 10, "b")], [(0, 5, 1), (6, 10, 2)])
    without_gap = cc.adjust(first, second, "purity", weights=durations, missing="drop")
    assert without_gap.observed == pytest.approx(8 / 9)


def test_ends_that_differ_by_rounding_do_not_overlap():
    rows = [(0.0, 0.1 + 0.2, "a"), (0.3, 0.5, "b")]
    assert segments(rows, rows)[2].tolist() == [0.3, 0.2]


ONE = [(0, 1, "a")]

REFUSED = {
    "other ends": ([4, 10], [5, 11], r"`pred` must end with the number of samples, as `true`; got 11 and 10"),
    "two forms": (
        [4, 10],
        [(0, 1, 2)],
        "`pred` must hold change points if `true` holds change points, else rows",
    ),
    "nothing": ([], [4], r"`true` must hold whole numbers, or rows of .*; got none"),
    "falling": ([4], [3, 2, 4], "`pred` must rise from above 0; got 2 after 3"),
    "zero": ([4], [0, 4], "`pred` must rise from above 0; got 0 after 0"),
    "overlap": (
        ONE,
        [(0.5, 3, "b"), (0, 1, "a")],
        "one label at a time; got several for 0.5 of 3 units of time, first 'a' and 'b' at 0.5",
    ),
    "no length": ([(1, 1, "a")], ONE, r"end after they start; got 1 to 1 for 'a'\."),
    "no number": ([(0, float("nan"), "a")], ONE, "end after they start"),
    "one number": (7, [4], r"`true` must hold whole numbers, or rows of \(start, end, label\)"),
    "floats": ([4], [1.5, 4.0], "`pred` must hold whole numbers.*; got 1.5 first"),
}


@pytest.mark.parametrize(("true", "pred", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_segmentation_is_refused(true, pred, message):
    with pytest.raises((TypeError, ValueError), match=message):
        segments(true, pred)


def test_change_points_in_place_of_labels_are_noticed():
    (note,) = cc.adjust([4, 10], [5, 10]).notes
    assert str(note).endswith("`chancecorr.clusterings.segments` makes labels of change points")
    with pytest.raises(ValueError, match="got 2 and 3; both sides rise to one number: `chancecorr"):
        cc.adjust([4, 5, 10], [5, 10])
    for labels in ([0, 1, 2], [1, 2, 3], ["a", "b", "c"], [4, 10, 10], np.array([10, 4, 12], dtype=np.uint8)):
        assert not cc.adjust(labels, labels).notes
    for labels, sizes in (([], "2 and 0"), ([4, 5, 11], "2 and 3")):
        with pytest.raises(ValueError, match=rf"got {sizes}\.$"):
            cc.adjust(labels, [5, 10])


def choose(text, names):
    """The keyword that the advice of a message names, with its value."""
    (found,) = re.findall(r"Pass (\w+)=\"(\w+)\" to", text)
    assert found[0] in names
    return dict([found])


def read_at(rows, instant):
    """The labels of all segments at an instant."""
    return {label for start, end, label in rows if start < instant < end}


def test_overlapped_time_is_left_out_as_the_advice_says():
    """Against one label for each sixteenth of a second: kept where both sides have exactly one."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        sides = [
            [(start, start + rng.integers(1, 9) / 8, "abc"[rng.integers(3)]) for start in starts / 8]
            for starts in rng.integers(0, 24, (2, 9))
        ]
        with pytest.raises(ValueError, match="must have one label at a time; got several for") as error:
            segments(*sides)
        first, second, durations = segments(*sides, **choose(str(error.value), ["overlapped"]))
        instants = np.arange(0, 4, 1 / 16) + 1 / 32
        labels = [[read_at(rows, instant) for instant in instants] for rows in sides]
        pairs = [(x, y) for x, y in zip(*labels, strict=True) if len(x) == len(y) == 1]
        with pytest.raises(ValueError, match="must have a label at each time; it has none for") as error:
            cc.adjust(first, second, "purity", weights=durations)
        score = cc.adjust(first, second, "purity", weights=durations, **choose(str(error.value), ["missing"]))
        ours = [[sorted(x)[0] for x, _ in pairs], [sorted(y)[0] for _, y in pairs]]
        assert score.observed == pytest.approx(cc.score(*ours, "purity"), rel=1e-12)
        (note,) = [str(note) for note in score.notes if note.code == "left out"]
        left_out, whole = (float(number) for number in re.match(r"([\d.]+) of ([\d.]+) units", note).groups())
        assert whole - left_out == pytest.approx(len(pairs) / 16)


DOORS = {
    "adjust": lambda first, second, **options: cc.adjust(first, second, "rand", **options).adjusted,
    "adjusted_score": lambda first, second, **options: cc.adjusted_score(first, second, "rand", **options),
    "score": lambda first, second, **options: cc.score(first, second, "adjusted_rand", **options),
    "compare": lambda first, second, **options: cc.compare(first, {"a": second}, **options)["a"].adjusted,
}


@pytest.mark.parametrize("door", DOORS)
def test_each_door_says_for_how_much_time_a_label_is_missing(door):
    """Each side has a gap of 0.5; on the other 4 of 5 units of time both sides agree."""
    first, second, durations = segments(
        [(0, 2, "a"), (2.5, 5, "b")], [(0, 2, 1), (2, 2.5, 2), (2.5, 4, 2), (4.5, 5, 2)]
    )
    with pytest.raises(
        ValueError, match=r"has none for 0.5 of 5 units of time, and `[^ ]+` for 0.5"
    ) as error:
        DOORS[door](first, second, weights=durations)
    assert DOORS[door](first, second, weights=durations, **choose(str(error.value), ["missing"])) == 1.0


def test_segments_of_one_label_may_overlap():
    apart, joined = [(0, 3, "a"), (2, 5, "a"), (5, 6, "b")], [(0, 5, "a"), (5, 6, "b")]
    assert [side.tolist() for side in segments(apart, HEARD)] == [
        side.tolist() for side in segments(joined, HEARD)
    ]


def cut(rows, step):
    """The same segments in pieces of this length."""
    pieces = []
    for start, end, label in rows:
        ends = [*np.arange(start, end, step)[1:].tolist(), end]
        pieces += [(low, high, label) for low, high in zip([start, *ends], ends, strict=False)]
    return pieces


SAID, HEARD = [(0, 4, "a"), (4, 10, "b")], [(0, 5, 1), (5, 10, 2)]
CUTS = {
    "whole": (SAID, HEARD),
    "one cut": ([(0, 2, "a"), (2, 4, "a"), (4, 10, "b")], HEARD),
    "half seconds": (cut(SAID, 0.5), cut(HEARD, 0.5)),
    "uneven": (cut(SAID, 0.7), cut(HEARD, 3.0)),
}


@pytest.mark.parametrize(("true", "pred"), CUTS.values(), ids=CUTS)
def test_needless_boundaries_change_nothing(true, pred):
    first, second, durations = segments(true, pred)
    assert (first.tolist(), second.tolist()) == (["a", "b", "b"], [1, 1, 2])
    assert durations.tolist() == pytest.approx([4.0, 1.0, 5.0])
    score = cc.adjust(first, second, weights=durations)
    assert (score.observed, score.expected) == pytest.approx((0.82, 0.5))
    assert score.adjusted == pytest.approx(0.64)
    assert cc.adjusted_score(first, second, weights=durations) == score.adjusted
    assert np.isnan(score.p_value)
    assert any(
        "no p-value: neighbouring moments of a time line are alike" in note for note in map(str, score.notes)
    )
    pieces = [np.repeat(side, 4) for side in (first, second)]  # each interval in four, not joined again
    assert cc.adjust(*pieces, weights=np.repeat(durations, 4) / 4).adjusted == pytest.approx(0.64)


@pytest.mark.parametrize(
    "index", ["rand", "jaccard", "adjusted_rand", "purity", "nmi_sum", "mirkin", "vi", "bcubed_f"]
)
def test_the_answer_is_the_limit_of_ever_more_samples(index):
    said, heard = [(0, 4, "a"), (4, 7, "b"), (7, 10, "a")], [(0, 5, 1), (5, 6, 3), (6, 10, 2)]
    score = cc.adjust(*segments(said, heard)[:2], index, weights=segments(said, heard)[2])
    samples = [
        np.repeat([row[2] for row in side], [1000 * (row[1] - row[0]) for row in side])
        for side in (said, heard)
    ]
    many = cc.adjust(*samples, index, rng=1, n_tables=500)
    assert score.adjusted == pytest.approx(many.adjusted, abs=2e-3)
    if index != "mirkin":
        assert (score.observed, score.expected) == pytest.approx((many.observed, many.expected), abs=5e-3)


def test_a_label_that_is_everywhere_and_the_same_labels_twice():
    first, second, durations = segments([(0, 10, "a")], HEARD)
    assert cc.adjust(first, second, weights=durations).adjusted == 0.0
    first, second, durations = segments(SAID, SAID)
    scores = cc.adjust(first, second, ["rand", "purity", "vi", "nmi_sum"], weights=durations)
    assert [score.adjusted for score in scores.values()] == pytest.approx([1.0] * 4)
    first, second, durations = segments([(0, 10, "a")], [(0, 10, "b")])
    assert np.isnan(cc.adjust(first, second, weights=durations).adjusted)


def test_what_goes_beyond_the_mean_is_refused_and_the_advice_works():
    first, second, durations = segments(SAID, HEARD)
    with pytest.raises(ValueError, match="`method` must be 'auto' or 'analytic' for durations of segments"):
        cc.adjust(first, second, weights=durations, method="monte-carlo")
    with pytest.raises(ValueError, match="`score` must not be of durations of segments: no interval"):
        cc.adjust(first, second, weights=durations).interval()
    samples = [np.repeat(side, (10 * durations).astype(int)) for side in (first, second)]
    assert cc.adjust(*samples, model=cc.chance.shifts(100)).p_value == pytest.approx(0.22)


class Span(NamedTuple):
    """A time as pyannote.core has it."""

    start: float
    end: float


class Annotation:
    """Speakers as pyannote.core has them: segments with a track and a label."""

    def __init__(self, rows):
        self.rows = rows

    def itertracks(self, yield_label=False):
        return (
            (Span(start, end), str(k), *[label] * yield_label)
            for k, (start, end, label) in enumerate(self.rows)
        )


def test_an_annotation_of_pyannote_is_read():
    read, right = (segments(*map(kind, (SAID, HEARD))) for kind in (Annotation, list))
    assert [side.tolist() for side in read] == [side.tolist() for side in right]


OTHER_ROWS = {
    "a label first": lambda rows: [(label, start, end) for start, end, label in rows],
    "mappings": lambda rows: [{"start": start, "end": end, "speaker": label} for start, end, label in rows],
    "durations": lambda rows: [
        {"onset": start, "Duration": end - start, "who": label} for start, end, label in rows
    ],
    "itertracks": lambda rows: list(Annotation(rows).itertracks(yield_label=True)),
}


@pytest.mark.parametrize("form", OTHER_ROWS)
def test_rows_in_another_form_are_answered_by_an_expression(form):
    sides = {"true": OTHER_ROWS[form]([(0, 4, "a"), (4, 10, "b")]), "pred": OTHER_ROWS[form]([(0, 10, "x")])}
    for name in sides:
        with pytest.raises(TypeError, match=f"`{name}` must hold whole numbers, or rows of") as error:
            segments(**sides)
        (way,) = re.findall(r" Pass `(\[.*\])`\.$", str(error.value))
        sides[name] = eval(way, {}, dict(sides))
    assert [side.tolist() for side in segments(**sides)] == [["a", "b"], ["x", "x"], [4.0, 6.0]]


@pytest.mark.parametrize("kind", [list, Annotation, lambda rows: [list(row) for row in rows]])
@pytest.mark.parametrize("rows", [SAID, [(0.5, 2, 0), (2, 3, 1)]])
def test_segments_are_no_labels(kind, rows):
    with pytest.raises(
        (TypeError, ValueError), match=r"Pass both sides to `chancecorr\.clusterings\.segments`"
    ):
        cc.adjust(kind(rows), kind(rows))
    first, second, durations = segments(kind(rows), kind(rows))
    assert cc.adjust(first, second, weights=durations).adjusted == 1.0
    with pytest.raises(ValueError, match="Pass the third value of `segments` as `weights`"):
        cc.adjust(*segments(kind(rows), kind(rows)))


def test_tuples_of_three_that_repeat_stay_labels():
    labels = [(0, 1, "a"), (0, 1, "a"), (1, 2, "b")]
    assert cc.score(labels, [0, 0, 1]) == 1.0


@pytest.mark.parametrize(
    "compare",
    [
        cc.adjust,
        cc.score,
        cc.adjusted_score,
        lambda *sides: cc.adjust(sides[0].tolist(), sides[1]),
        lambda first, second: cc.compare(first, {"a": second}),
        lambda first, second: cc.compare(first.tolist(), {"a": second}),
        lambda *sides: cc.pairwise(sides),
        cc.comparison.overlaps,
        cc.comparison.match_labels,
    ],
)
def test_labels_of_intervals_need_their_durations(compare):
    """Without the durations each interval would silently count as one object."""
    first, second, durations = segments(SAID, HEARD)
    with pytest.raises(ValueError, match="must not be labels of intervals without their durations"):
        compare(first, second)
    assert cc.score(first, second, weights=durations) < 1.0
    assert cc.compare(first, {"a": second}, weights=durations)["a"]["rand"].observed < 1.0
    samples = [np.repeat(side, durations.astype(int)) for side in (first, second)]
    assert cc.score(*samples) == cc.score(["a"] * 4 + ["b"] * 6, [1] * 5 + [2] * 5)
