"""Every door takes the same clusterings and indices, or says in one line which one takes them."""

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
def test_each_door_takes_what_adjust_takes_or_leads_to_it(kind):
    first, second = pair_of(kind)
    broken = []
    for door, answer in DOORS.items():
        for index in dict.fromkeys(indices_of(kind)[name] for name in ("one", "another")):
            try:
                answer(first, second, index)
            except (ValueError, TypeError) as error:
                # many clusterings are compared by their tables: what has none is refused with the way out
                leads = door in ("compare", "pairwise") and "`adjust`" in str(error)
                if not leads or "\n" in str(error):
                    broken.append(f"{kind} | {door} | index {index!r} | {type(error).__name__}: {error}")
    require_none(broken)


OTHER_KINDS = [name for name in PLAIN if KIND[name][0][0].__name__ != "labels"]
OF_MANY = {
    "compare, a reference": lambda kind, labels: cc.compare(kind, {"one": labels, "two": labels}),
    "compare, a candidate": lambda kind, labels: cc.compare(labels, [labels, kind]),
    "compare, no list": lambda kind, labels: cc.compare(labels, kind),
    "pairwise, one of a dictionary": lambda kind, labels: cc.pairwise({"one": labels, "two": kind}),
    "pairwise, one of a list": lambda kind, labels: cc.pairwise([kind, labels]),
    "pairwise, no list": lambda kind, labels: cc.pairwise(kind),
    "stability": lambda kind, labels: cc.comparison.stability([labels, kind]),
    "agreement": lambda kind, labels: cc.comparison.agreement([labels, kind]),
    "compare_datasets": lambda kind, labels: cc.comparison.compare_datasets(
        {name: (labels, {"one": labels, "two": kind}) for name in "ab"}
    ),
}
"""Functions of many clusterings, with one of another kind in each place."""


@pytest.mark.parametrize("door", OF_MANY)
@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_one_clustering_of_another_kind_is_refused_with_the_way_out(kind, door):
    labels, other = pair_of("labels")[0], pair_of(kind)[0]
    with pytest.raises(
        TypeError, match=r"must hold labels, which have a table; got .* `adjust` compares"
    ) as no:
        OF_MANY[door](other, labels)
    assert "\n" not in str(no.value)


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
    with pytest.raises(
        ValueError, match=r"`index` must be one of a contingency table here; got 'omega'.*`adjust`"
    ):
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
