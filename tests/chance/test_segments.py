"""Segments of the candidate are put elsewhere: against lists of all placements, through the public doors."""

import itertools
import math

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

import chancecorr as cc
from chancecorr.chance import segments
from chancecorr.sampling import segment_draws

# three segments with lengths 1, 2 and 3, gaps "-"; the last two with one label
WITH_GAPS = list("-abb--bbb-")
NIGHT = list("aabbbabcc")
CODE = cc.indices.Index(
    name="code", needs="labels", named=False, function=lambda x, y: float(np.sum(y * 4**x))
)


def list_segments(labels, gap):
    runs = [(label, len(list(run))) for label, run in itertools.groupby(labels)]
    return [run for run in runs if run[0] != gap]


def list_placements(labels, keep, gap=None):
    """All label vectors that the model may draw, each as often as it is equally likely: a slow twin."""
    runs = list_segments(labels, gap)
    if keep == "labels":
        of_label = {label: [length for x, length in runs if x == label] for label, _ in runs}
        orders = []
        for lengths in itertools.product(*(itertools.permutations(own) for own in of_label.values())):
            left = {label: list(own) for label, own in zip(of_label, lengths, strict=True)}
            orders.append([(label, left[label].pop(0)) for label, _ in runs])
    else:
        orders = itertools.permutations(runs) if keep == "lengths" else [runs]
    free = len(labels) - sum(length for _, length in runs)
    placements = []
    for order in orders:
        for gaps in itertools.product(range(free + 1), repeat=len(runs) + 1):
            if sum(gaps) == free:
                parts = [gap] * gaps[0]
                for (label, length), after in zip(order, gaps[1:], strict=True):
                    parts += [label] * length + [gap] * after
                placements.append("".join(parts))
    return placements


def compare_with_all(labels, placements, model, n_tables=8_000):
    """p-value of the chi-square test that the drawn label vectors are as frequent as the listed ones."""
    names = sorted(set(labels))
    code = {text: sum(names.index(x) * 4**k for k, x in enumerate(text)) for text in set(placements)}
    null = cc.adjust(range(len(labels)), labels, CODE, model=model, n_tables=n_tables, rng=1).null
    expected = {code[text]: placements.count(text) / len(placements) for text in code}
    counted = dict(zip(null.values.tolist(), null.counts.tolist(), strict=True))
    assert set(counted) <= set(expected)
    drawn = [counted.get(value, 0) for value in expected]
    return chisquare(drawn, n_tables * np.array(list(expected.values()))).pvalue


CASES = {
    "lengths": (NIGHT, {"keep": "lengths"}),
    "labels": (NIGHT, {"keep": "labels"}),
    "gaps": (WITH_GAPS, {"gap": "-"}),
    "gaps, order": (WITH_GAPS, {"keep": "order", "gap": "-"}),
    "gaps as segments": (WITH_GAPS, {"keep": "labels"}),
    "a whole gap at the end": (list("aab----"), {"gap": "-"}),
}


@pytest.mark.parametrize("case", CASES)
def test_all_placements_are_equally_likely(case):
    labels, options = CASES[case]
    placements = list_placements(labels, options.get("keep", "lengths"), options.get("gap"))
    assert len(set(placements)) > 1
    assert compare_with_all(labels, placements, segments(**options)) > 1e-6


def test_gaps_by_sorted_positions_would_be_found_out(monkeypatch):
    class Repeating:
        """Draws slots with replacement: two segments in one slot are less likely than they should be."""

        def __init__(self, rng):
            self.permutation, self.integers = rng.permutation, rng.integers

        def choice(self, slots, m, **_):
            return np.sort(self.integers(slots - m + 1, size=m)) + np.arange(m)

    right = segment_draws.arrange_segments

    def arrange_wrongly(recording, keep, rng):
        return right(recording, keep, Repeating(rng))

    monkeypatch.setattr(segment_draws, "arrange_segments", arrange_wrongly)
    placements = list_placements(list("-a--b-"), "order", "-")
    p_value = compare_with_all(list("-a--b-"), placements, segments(keep="order", gap="-"))
    assert p_value < 1e-12


def test_segments_stay_in_their_recording():
    first, second = list("aabbb"), list("cd-d")
    mixed = [*first[:2], *second[:1], *first[2:], *second[1:]]  # recordings may be interleaved
    groups = [0, 0, 1, 0, 0, 0, 1, 1, 1]
    of_both = itertools.product(*(list_placements(labels, "lengths", "-") for labels in (first, second)))
    placements = [a[:2] + b[:1] + a[2:] + b[1:] for a, b in of_both]
    assert compare_with_all(mixed, placements, segments(gap="-", groups=groups)) > 1e-6
    named = pd.Series(groups, index=list("rstuvwxyz"))[::-1]
    labels = pd.Series(mixed, index=list("rstuvwxyz"))
    options = {"rng": 3, "n_tables": 99}
    plain = cc.adjust(NIGHT, mixed, "rand", model=segments(gap="-", groups=groups), **options)
    by_name = cc.adjust(
        pd.Series(NIGHT, index=labels.index),
        labels,
        "rand",
        model=segments(gap="-", groups=named),
        **options,
    )
    assert by_name.null.values.tolist() == plain.null.values.tolist()
    with pytest.raises(ValueError, match="which has no order; got 'segments'"):
        cc.adjust(dict(labels), dict(labels[::-1]), "rand", model=segments(groups=named))


def test_each_door_draws_for_the_candidate_that_it_has():
    first, second = NIGHT, list("aabbabbbc")
    models = {"lengths": segments(), "labels": segments(keep="labels")}
    for keep, model in models.items():
        options = {"model": model, "rng": 5, "n_tables": 2_000}
        exact = np.mean([cc.score(first, list(text), "rand") for text in list_placements(second, keep)])
        score = cc.adjust(first, second, ["rand", "omega", "label_accuracy"], **options)
        compared = cc.compare(first, {"one": second, "other": first}, "rand", interval=None, **options)
        pairs = cc.pairwise([first, second], "rand", **options)
        found = [score["rand"].expected, compared["one"]["rand"].score.expected, pairs.expected[0, 1]]
        assert found == [score["rand"].expected] * 3
        assert abs(found[0] - exact) < 4.5 * score["rand"].std / math.sqrt(2_000)
        equal = np.mean(np.array(list(map(list, list_placements(second, keep)))) == first)
        accuracy = score["label_accuracy"]
        assert abs(accuracy.expected - equal) < 4.5 * accuracy.std / math.sqrt(2_000)
        assert score["omega"].expected == pytest.approx(score["rand"].expected, rel=1e-12)
        cells = cc.comparison.overlaps(first, second, **options)
        assert np.trace(cells.expected) / len(first) == pytest.approx(accuracy.expected, abs=1e-12)


def test_a_seed_gives_the_same_draws_on_workers_and_after_an_interruption(tmp_path):
    first, second = NIGHT * 3, list("aabbabbbc") * 3
    options = {"model": segments(), "rng": 3}
    indices = ["rand", "omega"]  # tables, and permutations of objects
    known = cc.adjust(first, second, indices, n_tables=300, **options)
    with joblib.parallel_config(backend="loky"):
        workers = cc.adjust(first, second, indices, n_tables=300, n_jobs=2, **options)
    for name, score in known.items():
        assert workers[name].null.values.tolist() == score.null.values.tolist()
    for n_tables in (100, 300):
        method = cc.MonteCarlo(n_tables=n_tables, checkpoint=str(tmp_path / "kept"))
        continued = cc.adjust(first, second, "rand", method=method, **options)
    assert continued.null.values.tolist() == known["rand"].null.values.tolist()
    method = cc.MonteCarlo(n_tables=300, checkpoint=str(tmp_path / "kept"))
    with pytest.raises(ValueError, match="is of another run"):
        cc.adjust(first, second, "rand", method=method, model=segments(keep="labels"), rng=3)


SAID = [(0, 3, "a"), (3, 4.5, "b"), (4.5, 9, "a"), (9, 10, "c")]
HEARD = [(0, 2, "x"), (2, 3.5, "y"), (3.5, 7, "z"), (7, 10, "y")]


@pytest.mark.parametrize("keep", ["lengths", "labels"])
def test_in_continuous_time_all_orders_are_equally_likely(keep):
    """The orders are listed as segments, and scored by the road of segments."""
    values = []
    for text in list_placements(
        [label for start, end, label in HEARD for _ in range(int(2 * (end - start)))], keep
    ):
        ends = np.cumsum([len(list(run)) / 2 for _, run in itertools.groupby(text)])
        labels = [label for label, _ in itertools.groupby(text)]
        moved = list(zip(np.append(0, ends[:-1]), ends, labels, strict=True))
        first, second, durations = cc.clusterings.segments(SAID, moved)
        values.append(round(cc.score(first, second, "rand", weights=durations), 9))
    first, second, durations = cc.clusterings.segments(SAID, HEARD)
    options = {"weights": durations, "model": segments(keep=keep), "rng": 1, "n_tables": 8_000}
    null = cc.adjust(first, second, "rand", **options).null
    distinct, drawn = sorted(set(values)), null.values.round(9)
    assert {*drawn.tolist()} == {*distinct}
    assert len(distinct) > 1
    counted = [null.counts[drawn == value].sum() for value in distinct]  # some differ in the last digits
    expected = [8_000 * values.count(value) / len(values) for value in distinct]
    assert chisquare(counted, expected).pvalue > 1e-6


@pytest.mark.parametrize("keep", ["lengths", "order"])
@pytest.mark.parametrize("groups", [None, [0, 0, 0, 1, 1, 1, 1, 1, 1]])
def test_placements_in_continuous_time_are_the_limit_of_ever_more_samples(keep, groups):
    first, second, durations = cc.clusterings.segments(
        SAID, [*HEARD[:2], (3.5, 5, "-"), (5, 6.5, "z"), (6.5, 7, "-"), *HEARD[3:]]
    )
    lengths = (400 * durations).round().astype(int)
    of_samples = None if groups is None else np.repeat(groups, lengths)
    options = {"rng": 1, "n_tables": 4_000}
    model = segments(keep=keep, gap="-", groups=groups)
    scores = cc.adjust(first, second, ["purity", "rand"], weights=durations, model=model, **options)
    samples = [np.repeat(side, lengths) for side in (first, second)]
    model = segments(keep=keep, gap="-", groups=of_samples)
    limits = cc.adjust(*samples, ["purity", "rand"], model=model, **options)
    for score, limit in zip(scores.values(), limits.values(), strict=True):
        assert abs(score.expected - limit.expected) < 4.5 * score.std / math.sqrt(2_000) + 1e-3
        assert score.std == pytest.approx(limit.std, rel=0.1)
        assert abs(score.p_value - limit.p_value) < 4.5 * math.sqrt(0.25 / 2_000) + 1e-3
        assert score.std > 0.001
        assert score.null.model == limit.null.model == "segments"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda: segments(keep="length"), "Did you mean 'lengths'"),
        (lambda: segments(keep="labels", gap="-"), "must be None with keep='labels'"),
        (lambda: cc.adjust(NIGHT, NIGHT, model=segments(keep="order")), "nothing can move. Pass"),
        (lambda: cc.adjust(NIGHT, list("aabbbccdd"), model=segments(keep="labels")), "equal lengths"),
        (lambda: cc.adjust(NIGHT, NIGHT, model=segments(gap="silence")), "must have the label of a side"),
        (lambda: cc.adjust(NIGHT, NIGHT, model=segments(groups=[0, 1])), "must be for 9 objects"),
        (lambda: cc.adjust(*[[{0, 1}, {1, 2}]] * 2, model=segments()), "must not be segments for"),
        (lambda: cc.null_distribution(([3, 3], [2, 4]), model=segments()), "must be a name"),
    ],
)  # fmt: skip
def test_refused(answer, message):
    with pytest.raises((ValueError, TypeError), match=message):
        answer()
