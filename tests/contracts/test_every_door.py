"""Every door takes the same clusterings and indices; others say in one line which one takes them."""

import json

import numpy as np
import pytest

import chancecorr as cc
from tests.contracts.kinds import DRAWS, KIND, KINDS, MODELS, NO_ANSWER, indices_of, pair_of, require_none

DOORS = {
    "score": lambda first, second, index: cc.score(first, second, index),
    "adjusted_score": lambda first, second, index: cc.adjusted_score(first, second, index, rng=1),
    "compare": lambda first, second, index: cc.compare(first, {"one": second}, index, rng=1, n_tables=DRAWS),
    "pairwise": lambda first, second, index: cc.pairwise({"one": first, "two": second}, index, rng=1),
}


class Clusterer:
    """An estimator that predicts what it was made with."""

    def __init__(self, clustering):
        self.clustering = clustering

    def predict(self, X):
        return self.clustering


DOORS["make_scorer"] = lambda first, second, index: cc.make_scorer(index, rng=1)(
    Clusterer(second), [0], first
)
PLAIN = [name for name, _, keywords in KINDS if not keywords and name not in NO_ANSWER]


@pytest.mark.parametrize("kind", PLAIN)
def test_each_door_takes_what_adjust_takes(kind):
    first, second = pair_of(kind)
    broken = []
    for door, answer in DOORS.items():
        for index in dict.fromkeys(indices_of(kind)[name] for name in ("one", "another")):
            try:
                answer(first, second, index)
            except (ValueError, TypeError) as error:
                broken.append(f"{kind} | {door} | index {index!r} | {type(error).__name__}: {error}")
    require_none(broken)


OTHER_KINDS = [name for name in PLAIN if KIND[name][0][0].__name__ != "labels"]
OF_MANY = {
    "compare, no list": lambda kind, labels: cc.compare(labels, kind),
    "pairwise, no list": lambda kind, labels: cc.pairwise(kind),
    "stability": lambda kind, labels: cc.comparison.stability([labels, kind]),
    "agreement": lambda kind, labels: cc.comparison.agreement([labels, kind]),
}
"""Functions of many clusterings, with one of another kind in each place."""


@pytest.mark.parametrize("door", OF_MANY)
@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_one_clustering_of_another_kind_is_refused_with_the_way_out(kind, door):
    labels, other = pair_of("labels")[0], pair_of(kind)[0]
    with pytest.raises(TypeError, match=r"must hold labels, which have a table; got .* `adjust`") as no:
        OF_MANY[door](other, labels)
    assert "\n" not in str(no.value)


@pytest.mark.parametrize("door", ["score", "adjusted_score", "pairwise"])
@pytest.mark.parametrize("kind", ["labels", "covers"])
def test_one_index_is_no_list(kind, door):
    with pytest.raises(TypeError, match="`index` must be "):
        DOORS[door](*pair_of(kind), ["omega", "average_f1"])


@pytest.mark.parametrize("index", ["rand", "omega"])
def test_data_sets_need_intervals(index):
    labels, other = pair_of("labels")[0], pair_of("covers" if index == "rand" else "labels")[0]
    with pytest.raises(TypeError, match=r"`datasets` must hold labels, and `index` .*'a'\. `compare` and"):
        cc.comparison.compare_datasets(
            {name: (labels, {"one": labels, "two": other}) for name in "ab"}, index
        )


@pytest.mark.parametrize("kind", PLAIN)
def test_candidates_have_the_scores_of_adjust(kind):
    """Those of a leaderboard and of every two, whatever they are; a test of tables has intervals, too."""
    first, second = pair_of(kind)
    third = pair_of(kind, seed=1)[1]
    options = {"rng": 3, "n_tables": DRAWS, "model": "permutation"}
    indices = [indices_of(kind)["one"], indices_of(kind)["another"]]
    if kind == "labels":
        indices = ["omega", "average_f1"]
    board = cc.compare(first, {"a": second, "b": third}, indices, **options)
    assert not board.with_intervals
    assert "no tests between candidates" in str(board.notes[0])
    for name, candidate in (("a", second), ("b", third)):
        for index, score in cc.adjust(first, candidate, indices, **options).items():
            found = board[name][index]
            assert found.score.to_dict() == score.to_dict()
            assert (found.interval, found.among_best) == (None, None)
    for index in board.indices:
        values = {name: board[name][index].adjusted for name in board}
        if values["a"] != values["b"]:
            assert board.best(index).candidate == max(values, key=values.get)
        smaller, larger = sorted(board[name][index].p_value for name in board)
        assert min(board[name][index].p_corrected for name in board) == pytest.approx(min(2 * smaller, 1.0))
        assert larger <= max(board[name][index].p_corrected for name in board)
    of_pairs = {"first": first, "second": second}
    for p_values in (False, True):
        if type(first) is not type(second) and kind != "a cover and labels":
            break  # of two kinds that no one index takes twice
        scores = cc.pairwise(of_pairs, indices[0], p_values=p_values, **options)
        for i, row in enumerate(of_pairs.values()):
            for j, column in enumerate(of_pairs.values()):
                mirrored = i > j and cc.get_index(indices[0]).symmetric
                score = cc.adjust(*((column, row) if mirrored else (row, column)), indices[0], **options)
                assert scores.objects[i, j] == score.n
                for what in ("observed", "expected", "best", "adjusted", *(["p_value"] if p_values else [])):
                    value = getattr(score, what)
                    assert getattr(scores, what)[i, j] == pytest.approx(
                        value, rel=1e-9, abs=1e-12, nan_ok=True
                    )


COVERS = {
    "a": [{0, 1, 2}, {2, 3, 4, 5}, {6, 7}],
    "b": [{0, 1}, {1, 2, 3}, {4, 5, 6, 7}],
    "c": [{0, 1, 2, 3}, {3, 4}],
}


MIXED = {
    "omega": lambda: ([0, 0, 0, 1, 1, 1, 2, 2], {"labels": [0, 0, 1, 1, 1, 1, 2, 2], "cover": COVERS["b"]}),
    "rand": lambda: (np.arange(10) % 3, {"labels": np.arange(10) % 2, "shares": pair_of("memberships")[0]}),
    "correlation": lambda: (np.arange(10) % 3, {"labels": np.arange(10) % 2, "tree": pair_of("trees")[0]}),
}


@pytest.mark.parametrize("index", MIXED)
def test_one_index_for_all_if_none_is_named(index):
    """That of all kinds together, although two of the clusterings alone may have another one."""
    reference, candidates = MIXED[index]()
    board = cc.compare(reference, candidates, rng=1, n_tables=DRAWS)
    assert board.indices == (index,)
    pairs = cc.pairwise({"reference": reference, **candidates}, rng=1, n_tables=DRAWS)
    assert pairs.index == index
    for name, candidate in candidates.items():
        adjusted = cc.adjust(reference, candidate, index, rng=1, n_tables=DRAWS).adjusted
        assert board[name].adjusted == adjusted
        assert pairs["reference", name] == pytest.approx(adjusted, rel=1e-9)


def test_keywords_of_many_of_any_kind():
    first, *_ = COVERS.values()
    board = cc.compare(
        first, COVERS, ["onmi_max", "omega"], rng=1, n_jobs=2, budget=30, alternative="two-sided"
    )
    assert board.best("omega").candidate == "a"
    for index, score in board["b"].items():
        wanted = cc.adjust(first, COVERS["b"], index, rng=1, alternative="two-sided")
        assert (score.adjusted, score.p_value) == (wanted.adjusted, wanted.p_value)
    assert cc.compare(first, COVERS).indices == (cc.pairwise(COVERS).index,) == ("omega",)
    model = cc.chance.shifts(8)
    shifted = cc.compare(first, {"b": COVERS["b"]}, model=model)["b"]["omega"]
    assert shifted.p_value == cc.adjust(first, COVERS["b"], model=model).p_value
    assert cc.pairwise(list(COVERS.values())[:2], model=model).objects.tolist() == [[8, 8], [8, 8]]
    checkpoint = {"method": cc.MonteCarlo(checkpoint="x.npz"), "rng": 1}
    left_out = "` is only available for labels"
    of_both = (
        ({"drop": "common"}, "`drop` is only available for labels, and"),
        ({"missing": "leave"}, "`missing` must be one of"),
        ({"noise": "drop"}, f"`noise{left_out}"),
        ({"model": "fixed-k"}, "`model` must be 'permutation', or Draws"),
        ({"best": "mean"}, "`best` must be a number or None"),
        (checkpoint, "`checkpoint` must be None for many"),
    )
    of_compare = (
        ({"groups": [0, 1] * 4}, "`groups` is only available for labels, and"),
        ({"candidates": {}}, "`candidates` must hold at least 1 clustering; got none"),
        ({"candidates": {"z": [0, 1]}}, r"objects of `candidates\['z'\]`, which are 0 to 1"),
    )
    for keywords, message in (*of_both, *of_compare):
        with pytest.raises((ValueError, TypeError), match=message):
            cc.compare(**{"labels_true": first, "candidates": COVERS} | keywords)
    few = ({"clusterings": [first]}, "`clusterings` must hold at least two clusterings; got 1")
    for keywords, message in (*of_both, few):
        with pytest.raises((ValueError, TypeError), match=message):
            cc.pairwise(**{"clusterings": COVERS} | keywords)
    labels, gaps = [0, 0, 1, 1, 2, 2, 2], [0, 0, None, 1, 2, 0, 0]
    dropped = cc.compare(labels, {"gaps": gaps, "none": labels}, "omega", missing="drop")
    assert [dropped[name].n for name in dropped] == [6, 7]
    assert dropped["gaps"].adjusted == cc.adjust(labels, gaps, "omega", missing="drop").adjusted


def test_a_comparison_of_covers_is_shown_as_others_are():
    board, pairs = cc.compare(COVERS["a"], COVERS, ["omega", "onmi_max"], rng=1), cc.pairwise(COVERS, rng=1)
    assert board.to_frame().shape[0] == 6
    assert [row["low"] for row in json.loads(board.to_json())["scores"]] == [None] * 6
    assert json.loads(pairs.to_json())["names"] == ["a", "b", "c"]
    assert "no intervals" in board.to_markdown()
    assert "no intervals" in board._repr_html_()
    for picture in (board.plot(index="omega"), pairs.plot()):
        assert picture.get_figure() is not None
    with pytest.raises(ValueError, match="`interval` must be 'jackknife'"):
        board.difference("a", "b", index="omega")


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_a_clustering_in_place_of_another_argument_is_refused_in_one_line(kind):
    """A repr of several lines, as that of an array, becomes one."""
    labels, other = pair_of("labels")[0], pair_of(kind)[0]
    for call in (
        lambda: cc.make_scorer(other),
        lambda: cc.compare(labels, [labels], other),
        lambda: cc.pairwise([labels, labels], other),
        lambda: cc.compare(labels, [labels], groups=other),
        lambda: cc.compare(labels, [labels], method=other),
        lambda: cc.compare(labels, [labels], n_tables=other),
        lambda: cc.make_scorer("rand", budget=other),
    ):
        with pytest.raises((TypeError, ValueError), match=r"^`") as no:
            call()
        assert "\n" not in str(no.value)


@pytest.mark.parametrize(
    "answer",
    [
        lambda index: cc.adjust_table([[3, 1], [0, 4]], index),
        lambda index: cc.score_table([[3, 1], [0, 4]], index),
        lambda index: cc.null_distribution(([4, 4], [3, 5]), index),
        lambda index: cc.tail_probability([[3, 1], [0, 4]], index),
    ],
)
def test_an_index_of_covers_is_refused_where_a_table_is_given(answer):
    with pytest.raises(ValueError, match=r"`index` must be an index of contingency .*'omega'.*`adjust`"):
        answer("omega")


def test_an_unknown_model_is_refused_with_all_models():
    for kind in ("labels", "memberships"):
        with pytest.raises(ValueError, match="`model`") as refused:
            cc.adjust(*pair_of(kind), model="fixed")
        for model in ("permutation", *MODELS):
            assert repr(model) in str(refused.value)


def test_keywords_of_before_are_refused():
    for keywords in ({"tail": "search"}, {"seed": 1}, {"n_samples": 5}, {"precision": 0.1}):
        with pytest.raises(TypeError, match=f"'{next(iter(keywords))}'"):
            cc.adjust(*pair_of("labels"), **keywords)


def test_scores_are_no_numbers_by_halves():
    """Either all comparisons and sums work, or none."""
    one, other = (cc.adjust(*pair_of("labels", seed)) for seed in (0, 1))
    works = []
    for act in (
        *(lambda: one < other, lambda: one <= other, lambda: one > 0.1, lambda: one >= 0.1),
        *(
            lambda: one - other,
            lambda: one + other,
            lambda: sum([one, other]),
            lambda: one * 2,
            lambda: one / 2,
        ),
    ):
        try:
            act()
        except TypeError:
            works.append(False)
        else:
            works.append(True)
    assert len(set(works)) == 1, works
