"""Mistakes that people make are answered with what they should write."""

import copy
import inspect
import pickle
import re
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

import chancecorr as cc

T, P = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3], [0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3]
COUNTS = [[4, 1], [1, 4]]


BY_TWO = cc.compare(T, {"a": P, "b": T}, ["rand", "jaccard"])

MISTAKES = {
    "counts alone": (lambda: cc.adjust(COUNTS), "one. A table of counts: `adjust_table`"),
    "counts and an index": (lambda: cc.adjust(COUNTS, "rand"), "counts to `adjust_table`"),
    "counts for a raw value": (lambda: cc.score(COUNTS), "one. A table of counts: `score_table`"),
    "misspelt with an ending": (lambda: cc.adjust(T, P, "Jacard index"), "Did you mean 'jaccard'?"),
    "half of a name": (lambda: cc.get_index("Mallows"), "Did you mean 'fowlkes_mallows'?"),
    "one candidate": (lambda: cc.compare(T, P), "Pass {'name': labels}; the reference comes first."),
    "an array": (lambda: cc.compare(T, np.array(P)), "Pass {'name': labels}; the reference comes first."),
    "swapped": (lambda: cc.compare({"a": P}, T), "the reference comes first."),
    "several to score": (lambda: cc.score(T, P, ["rand", "jaccard"]), "`adjust` and `compare` take several."),
    "several to adjusted_score": (lambda: cc.adjusted_score(T, P, ["rand"]), "take several."),
    "two to pairwise": (lambda: cc.pairwise(T, P), "Pass all clusterings in one list, as [a, b]."),
    "two arrays to pairwise": (lambda: cc.pairwise(np.array(T), np.array(P)), "in one list, as [a, b]."),
    "several to pairwise": (lambda: cc.pairwise([T, P], ["rand", "ami"]), "take several."),
    "one group": (lambda: cc.adjust(T, P).interval(groups=[0] * 12), "must name two groups at least; got 1."),
    "which index": (lambda: BY_TWO.difference("a", "b"), "Pass index='rand', for instance."),
    "groups": (lambda: cc.adjust(T, P, groups=T), "an argument of `compare`, and of `interval` of a score."),
    "permutations": (lambda: cc.adjust(T, P, n_perm=9), "no keyword 'n_perm'. Did you mean 'n_tables'?"),
    "seed": (lambda: cc.compare(T, [P], seed=9), "`compare` has no keyword 'seed'. Did you mean 'rng'?"),
    "weights": (lambda: cc.pairwise([T, P], weights=T), "of `adjust`, `adjusted_score`, `compare` and"),
    "undefined": (lambda: cc.adjust(T, P, undefined="one"), "It is an argument of `adjusted_score`."),
    "a slip": (lambda: cc.adjust_table(COUNTS, alternativ="less"), "Did you mean 'alternative'?"),
    "half a count": (lambda: cc.adjust(T, P, n_tables=1.5), "`n_tables` must be a whole number; got 1.5."),
    "an infinite count": (lambda: cc.adjust(T, P, n_tables=np.inf), "must be a whole number; got inf."),
    "an index as a function": (lambda: cc.ari, "`chancecorr.adjust(labels_true, labels_pred, 'ari')`"),
    "that of scikit-learn": (lambda: cc.adjusted_rand_score, "'adjusted_rand_score')`."),
    "what a score has": (lambda: cc.p_value, "`chancecorr.adjust(labels_true, labels_pred).p_value`"),
    "a reference alone": (lambda: cc.compare(T), "`compare` must have `candidates`; got a reference alone."),
    "a column alone": (lambda: cc.compare(pd.DataFrame({"t": T, "p": P}), "t"), "of the frame: 't', 'p'."),
    "two sides' sizes": (
        lambda: cc.null_distribution([10, 20], [15, 15]), "`null_distribution(([10, 20], [15, 15]), ...)`.",
    ),
    "a part": (lambda: cc.stability, "It is `chancecorr.comparison.stability`."),
    "a picture": (lambda: cc.plot, "`chancecorr.adjust(labels_true, labels_pred).plot`"),
    "a function as model": (lambda: cc.adjust(T, P, model=lambda k: P), "Pass `chancecorr.Draws(function)`."),
    "another model": (lambda: cc.adjust(T, P, model="bootstrap"), "are passed as `chancecorr.Draws`."),
    "an old generator": (
        lambda: cc.adjust(T, P, rng=np.random.RandomState(1)), "Pass `numpy.random.default_rng(seed)`.",
    ),
    "a short name": (lambda: cc.adjust(T, P, method="mc"), "Did you mean 'monte-carlo'?"),
    "Bonferroni": (lambda: cc.compare(T, [P], correction="bonferroni"), "'holm' controls the same error"),
    "labels as a table": (lambda: cc.adjust_table(T), "`adjust` compares two label vectors."),
    "too many tables": (
        lambda: cc.adjust(T * 300, P[::-1] * 300, "purity", method="exact"),
        "tables of 4 x 4 cells to be listed; they have more. Use method='auto' or 'monte-carlo'.",
    ),
    "a report of one score": (lambda: cc.report.to_html(cc.adjust(T, P)), "must be a result of `compare`"),
}  # fmt: skip


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_is_answered_with_what_to_write(kind):
    call, text = MISTAKES[kind]
    with pytest.raises((ValueError, TypeError, AttributeError), match=re.escape(text)):
        call()


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda one, other: one.nothing, "'Partition' object has no attribute 'nothing'"),
        (lambda one, other: 0.5, "expected an Agreement, got 0.5"),
    ],
)
def test_a_function_of_clusterings_that_fails_is_named(function, reason):
    cc.register_index("of_sides", function, needs="clusterings")
    try:
        with pytest.raises(cc.indices.IndexEvaluationError, match=f"Index 'of_sides' failed on .*{reason}"):
            cc.adjust(T, P, "of_sides")
    finally:
        cc.indices.unregister_index("of_sides")


OF_THE_REGISTER = {"get_index", "list_indices", "register_index", "unregister_index"}  # one argument


ROOMS = (
    "chance",
    "clusterings",
    "tables",
    "catalogue",
    "comparison",
    "ensembles",
    "plotting",
    "prototypes",
    "report",
)
PUBLIC = [
    getattr(room, name)
    for room in (cc, *(import_module(f"chancecorr.{name}") for name in ROOMS))
    for name in room.__all__
    if inspect.isfunction(getattr(room, name)) and name not in OF_THE_REGISTER
]


@pytest.mark.parametrize("function", PUBLIC, ids=lambda function: function.__name__)
def test_every_function_names_a_misspelt_keyword(function):
    with pytest.raises(TypeError, match=f"`{function.__name__}` has no keyword 'labls_true'"):
        function(labls_true=T)


SCORE, SCORES = cc.adjust(T, P), cc.adjust(T, P, ["rand", "purity"])


@pytest.mark.parametrize(
    ("result", "name", "advice"),
    [
        (SCORE, "pvalue", "Did you mean 'p_value'?"),
        (SCORE, "p", "Did you mean 'p_value'?"),
        (SCORE, "to_df", "Did you mean 'to_frame'?"),
        (SCORE, "expectd", "Did you mean 'expected'?"),
        (SCORE, "xyzzy", ""),
        (SCORES, "adjusted", "Each score has one: `result['rand'].adjusted`."),
        (BY_TWO, "pvalue", "Each score has one: `result['a']['rand'].p_value`."),
        (cc.null_distribution(cc.Margins([3, 3], [2, 4])), "sd", "Did you mean 'std'?"),
    ],
)
def test_an_attribute_that_is_called_otherwise_is_named(result, name, advice):
    assert not hasattr(result, name)
    with pytest.raises(AttributeError) as error:
        getattr(result, name)
    text = f"{type(result).__name__!r} has no attribute {name!r}. {advice}".strip()
    assert str(error.value) == str(pickle.loads(pickle.dumps(error.value))) == text
    assert float(pickle.loads(pickle.dumps(SCORE))) == float(copy.deepcopy(SCORE)) == float(SCORE)


def test_one_simulated_table_says_nothing_of_the_spread():
    score = cc.adjust(T, P, "purity", method="monte-carlo", n_tables=1, rng=1)
    assert any("1 of the simulated tables cannot show how the index varies" in str(x) for x in score.notes)


def test_a_function_that_takes_other_arguments_is_refused_when_it_is_registered():
    wrong = {"pairs": lambda a, b: a, "cells": abs, "table": lambda t: 0.0, "labels": lambda *, x: x}
    for needs, function in wrong.items():
        with pytest.raises(
            TypeError, match=rf"`function` must take \d arguments(, .*,)? for needs='{needs}'"
        ):
            cc.register_index("never", function, needs=needs)
    assert "never" not in cc.list_indices()
    entry = cc.register_index("of_any", lambda *counts: counts[0], needs="pairs")
    assert cc.score(T, P, entry) > 0.0
    cc.indices.unregister_index("of_any")


def test_whole_numbers_may_be_floats():
    for count in (1e2, np.float32(100), np.int64(100)):
        assert cc.adjust(T, P, "jaccard", method="monte-carlo", n_tables=count, rng=1).n_tables == 100
    assert len(cc.sample_tables(cc.Margins([2, 2], [1, 3]), 1e1, rng=1)) == 10


def test_a_checkpoint_of_another_seed_names_both(tmp_path):
    method = cc.MonteCarlo(n_tables=50, checkpoint=str(tmp_path / "run"))
    cc.adjust(T, P, "jaccard", method=method, rng=7)
    with pytest.raises(ValueError, match=r"seed \(7; now 8\)"):
        cc.adjust(T, P, "jaccard", method=method, rng=8)


def test_functions_keep_their_signatures_and_texts():
    names = "adjust", "adjust_table", "adjusted_score", "score", "compare", "pairwise", "contingency_table"
    for name in names:
        function = getattr(cc, name)
        kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
        assert inspect.Parameter.VAR_KEYWORD not in kinds
        assert (function.__name__, inspect.unwrap(function).__doc__) == (name, function.__doc__)
    for name in cc.__all__:  # no name that is there is taken for a mistake
        assert getattr(cc, name) is not None


def test_the_representation_calls_notes_what_the_attribute_is_called():
    score = cc.adjust(T, P, "ari")
    assert repr(score).endswith(f", notes={[*map(str, score.notes)]})")
    assert [*map(str, score.notes)] == ["ari is 'adjusted_rand'"]
