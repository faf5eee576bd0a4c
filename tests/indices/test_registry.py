"""The register: names, aliases, entries from outside, and what it refuses."""

import dataclasses
import math
import pickle
import pkgutil
import subprocess
import sys

import numpy as np
import pytest

import chancecorr as cc
import chancecorr.indices
from chancecorr.indices.registry import FIELDS_OF_KIND


@pytest.mark.slow
def test_no_file_of_entries_is_left_out():
    """A new file of entries has to be imported by `entries`; the rest of the room is imported anyway."""
    files = pkgutil.walk_packages(chancecorr.indices.__path__, "chancecorr.indices.")
    names = {file.name for file in files} - {"chancecorr.indices.formulas"}  # loaded to print a formula
    missing = f"print([name for name in {sorted(names)} if name not in sys.modules])"
    command = [sys.executable, "-c", f"import chancecorr, sys; {missing}"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "[]"


class TestRegister:
    def test_call_decorator_and_entry(self, forget):
        assert cc.register_index("one", lambda a, b, c, d: a, needs="pairs") is cc.get_index("one")
        entry = cc.indices.Index(name="two", function=lambda a, b, c, d: b, needs="pairs", aliases=("deux",))
        assert cc.register_index(entry) is entry
        assert cc.get_index("deux") is entry

        @cc.register_index("three", needs="labels", formula="share of equal numbers")
        def three(labels_true, labels_pred):
            return np.mean(labels_true == labels_pred)

        assert cc.score_table([[3, 1], [2, 4]], "three") == 0.7
        assert "three" in cc.list_indices("user")
        cc.indices.unregister_index("deux")
        with pytest.raises(ValueError, match="got 'two'"):
            cc.get_index("two")

    def test_replace(self, forget):
        cc.register_index("mine", lambda a, b, c, d: a, needs="pairs", aliases=("old_alias",))
        with pytest.raises(ValueError, match=r"'mine' already stands for 'mine'\. Pass replace=True"):
            cc.register_index("mine", lambda a, b, c, d: b, needs="pairs")
        cc.register_index("mine", lambda a, b, c, d: b, needs="pairs", replace=True)
        assert cc.score_table([[1, 1]], "mine") == 1.0  # b, where a is 0
        with pytest.raises(ValueError, match="old_alias"):
            cc.get_index("old_alias")

    def test_taken_names(self, forget):
        with pytest.raises(ValueError, match="'dice' already stands for 'czekanowski'"):
            cc.register_index("dice", lambda a, b, c, d: a, needs="pairs", replace=True)
        assert cc.get_index("dice").name == "czekanowski"

    @pytest.mark.parametrize(
        ("keywords", "text"),
        [
            ({"needs": "pair"}, r"`needs` must be one of 'pairs', .*; got 'pair'\. Did you mean 'pairs'\?"),
            ({"needs": "pairs", "family": "set"}, "`family` must be one of"),
            ({"needs": "table", "affine": True}, "`affine` must be False if `needs` is not 'pairs'"),
            ({"needs": "pairs", "link": abs}, "`link` must be None if `needs` is not 'cells'"),
            ({"needs": "pairs", "aliases": ("Two Words",)}, "must be named in snake_case; got 'Two Words'"),
        ],
    )
    def test_fields_that_do_not_fit(self, keywords, text):
        with pytest.raises(ValueError, match=text):
            cc.register_index("mine", lambda a, b, c, d: a, **keywords)
        assert "mine" not in cc.list_indices()

    @pytest.mark.parametrize(
        ("keywords", "error", "text"),
        [
            ({"best": "x"}, TypeError, r"`best` must be a number or None; got 'x'\."),
            ({"best": True}, TypeError, r"`best` must be a number or None; got True\."),
            ({"best": 2.0, "range": (0, 1)}, ValueError, r"`best` must be within .*, \(0, 1\); got 2\.0\."),
            ({"range": (0.0, 0.5)}, ValueError, r"`best` must be within `range`, \(0\.0, 0\.5\); got 1\.0\."),
            ({"range": (1, 0)}, ValueError, r"`range` must be two numbers, the lower .*; got \(1, 0\)\."),
            ({"range": (0, math.nan)}, ValueError, r"`range` must be two numbers, .*; got \(0, nan\)\."),
            ({"range": 1.0}, TypeError, r"`range` must be two numbers, .*; got 1\.0\."),
            ({"range": (0, 10**400)}, TypeError, r"`range` must be two numbers, .*; got \(0, 1000"),
            ({"best": 10**400, "range": (0, math.inf)}, TypeError, r"`best` must be a number or None; got 1"),
            ({"undefined": max}, TypeError, r"`undefined` must be a number; got <built-in function max>\."),
        ],
    )
    def test_range_and_best_that_are_none(self, keywords, error, text):
        with pytest.raises(error, match=text) as raised:
            cc.register_index("mine", lambda a, b, c, d: a, needs="pairs", **keywords)
        assert raised.value.argument in keywords | {"best": None}
        assert "\n" not in str(raised.value)
        assert "mine" not in cc.list_indices()

    @pytest.mark.parametrize("name", [None, 3, np.array([1, 2]), {"a": 1}, np.True_, b"a"])
    def test_names_that_are_no_text(self, name):
        with pytest.raises(TypeError, match="`index` must be a name or an Index; got"):
            cc.register_index(name, max, needs="labels")

    def test_frozen_and_repr(self):
        entry = cc.get_index("jaccard")
        assert repr(entry) == "Index('jaccard': a / (a + b + c))"
        with pytest.raises(AttributeError):
            entry.best = 2.0
        assert set(FIELDS_OF_KIND) == {"pairs", "cells", "table", "labels", "agreement", "clusterings"}


@pytest.mark.parametrize("field", ["attained", "affine", "symmetric", "constant", "with_totals"])
def test_flags_are_true_or_false(field):
    with pytest.raises(TypeError, match=f"^`{field}` must be True or False; got array"):
        cc.register_index("flagged", lambda a, b, c, d: a, needs="pairs", **{field: np.array([1, 2])})


NO_INDEX_HAS = {
    "name": 3, "needs": "rows", "function": 3, "affine": np.zeros(2), "constant": np.zeros(2), "best": "x",
    "range": (1, 0), "link": abs, "from_cells": abs, "aliases": "x", "family": "mine", "formula": None,
}  # fmt: skip


@pytest.mark.parametrize("field", NO_INDEX_HAS)
def test_an_index_that_was_not_registered_is_checked_too(field):
    about = {"name": "mine", "needs": "pairs", "function": lambda a, b, c, d: a, field: NO_INDEX_HAS[field]}
    with pytest.raises((TypeError, ValueError), match="must"):
        cc.adjust([0, 0, 1], [0, 1, 1], index=cc.indices.Index(**about))


def test_the_catalogue_can_be_pickled():
    for name in [*cc.list_indices(), "f_beta(0.5)"]:
        index = cc.get_index(name)
        assert pickle.loads(pickle.dumps(index)).name == index.name, name
        if "(" not in name:
            assert pickle.loads(pickle.dumps(index)) is index, name


@pytest.mark.parametrize(
    "name", ["adjusted_rand", "rand", "loevinger", "adjusted_wallace_1", "braun_blanquet"]
)
def test_an_index_under_another_name_keeps_the_last_digits_of_its_score(name):
    """They are of whole numbers, which an index says of itself, or the one that it is corrected as."""
    table, entry = [[50_000_000, 49_999_999], [49_999_998, 50_000_001]], cc.get_index(name)
    renamed = dataclasses.replace(entry, name="renamed")
    without = dataclasses.replace(renamed, corrected_as="", twice_best_pair_sum=None)
    scores = [cc.adjust_table(table, index).adjusted for index in (entry, renamed, without)]
    assert scores[0] == scores[1] != scores[2]
    assert scores[0] == pytest.approx(scores[2], rel=1e-6)


@pytest.mark.parametrize("name", ["purity", "inverse_purity", "maximum_matching_accuracy"])
def test_an_index_under_another_name_keeps_the_bound_of_its_p_value(name):
    entry = dataclasses.replace(cc.get_index(name), name="renamed", family="user")
    others = cc.get_index(name), entry, dataclasses.replace(entry, shares=())
    scores = [cc.adjust_table(np.diag([60] * 6) + 2, index, n_tables=50, rng=1) for index in others]
    assert [score.p_value_from for score in scores] == ["bound"] * 3
    assert scores[0].p_value == scores[1].p_value < scores[2].p_value
