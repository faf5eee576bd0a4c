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
        with pytest.raises(KeyError, match="index must be one of 'rand', 'mutual_information'; got"):
            scores[name]
    comparison = cc.compare(A, {"b": B}, index=["rand", "ami"])
    with pytest.raises(ValueError, match="`index` must be one of 'rand', 'mutual_information'; got 'nmi'"):
        comparison.best("nmi")
