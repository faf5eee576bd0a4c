"""Memory is given back: what is kept for later calls is small in all, and no user's object is among it."""

import dataclasses
import gc
import itertools
import warnings
import weakref

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.chance import engines
from chancecorr.chance.fixed_margins import FixedMargins
from chancecorr.exact import enumeration
from chancecorr.machine import kept
from chancecorr.machine.kept import count_bytes, forget, keep_recent

X, Y = [0, 0, 1, 1, 2, 2, 2], [0, 1, 1, 1, 2, 0, 2]

OF_KINDS = {
    "labels": lambda a, b: float((a == b).mean()),
    "table": lambda table, rows, columns: float(table.max() / rows.sum()),
    "cells": lambda x, row, column, n: x * x / (n * n),
    "pairs": lambda a, b, c, d: a / (a + b + c),
}


def make_closure(function):
    """A function with an array of its own, and a weak reference to the array."""
    held = np.zeros(1000)

    def user(*arguments):
        assert held.size == 1000
        return function(*arguments)

    return user, weakref.ref(held)


def score(index, way):
    sides = (cc.Membership(np.eye(3)[X]), cc.Membership(np.eye(3)[Y])) if way == "memberships" else (X, Y)
    options = {
        "auto": {},
        "simulated": {"method": "monte-carlo"},
        "memberships": {},
        "weights": {"weights": [1, 2, 1, 1, 1, 2, 1]},
    }[way]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a function of a cell is not compiled
        return cc.adjust(*sides, index, n_tables=20, rng=1, **options)


CASES = set(itertools.product(OF_KINDS, ("auto", "simulated", "memberships", "weights")))
CASES.remove(("labels", "weights"))  # which functions of labels do not take


@pytest.mark.parametrize(("needs", "way"), sorted(CASES))
class TestUsersFunctions:
    def test_a_closure_is_given_back(self, needs, way):
        user, held = make_closure(OF_KINDS[needs])
        index = user if needs == "labels" else cc.indices.index.Index(name="user", function=user, needs=needs)
        function = weakref.ref(user)
        score(index, way)
        del user, index
        gc.collect()
        assert function() is None
        assert held() is None

    def test_a_callable_without_a_hash_is_an_index(self, needs, way):
        """A plain dataclass has ``__eq__``, and so no hash."""

        @dataclasses.dataclass
        class Callable:
            function: object

            def __call__(self, *arguments):
                return self.function(*arguments)

        one, other = Callable(OF_KINDS[needs]), OF_KINDS[needs]
        if needs != "labels":
            one, other = (
                cc.indices.index.Index(name="user", function=function, needs=needs)
                for function in (one, other)
            )
        assert score(one, way).to_dict()["adjusted"] == score(other, way).to_dict()["adjusted"]


def test_a_function_that_is_asked_for_twice_is_one_index():
    function = OF_KINDS["labels"]
    assert cc.get_index(function) is cc.get_index(function)
    assert list(cc.adjust(X, Y, [function, function], rng=1)) == ["lambda"]


class TestKeepRecent:
    def test_the_latest_results_stay_within_their_room(self, monkeypatch):
        monkeypatch.setattr(kept, "MOST_BYTES_KEPT", kept._bytes_kept[0] + 10_000)
        monkeypatch.setattr(kept, "MOST_BYTES_OF_ONE", 5_000)
        computed = []

        @keep_recent
        def compute(size):
            computed.append(size)
            return np.zeros(size)

        for size in (400, 401, 400, 402, 400, 403, 400):
            assert compute(size).size == size
            assert kept._bytes_kept[0] <= kept.MOST_BYTES_KEPT
            assert kept._bytes_kept[0] == sum(size for _, size in kept._kept.values())
        assert computed == [400, 401, 402, 403]
        assert [compute(1000).size for _ in range(2)] == [1000, 1000]
        assert computed[4:] == [1000, 1000]
        compute.cache_clear()
        assert not [key for key in kept._kept if key[0] is compute.__wrapped__]

    def test_a_lock_that_nobody_lets_go_stops_nothing(self):
        @keep_recent
        def double(x):
            return 2 * x

        with kept._lock:
            assert (double(3), double(3)) == (6, 6)
        forget(double.__wrapped__)

    def test_bytes_of_what_holds_arrays(self):
        rows = np.ones(1000, dtype=np.int64)
        assert count_bytes(rows) >= 8000
        assert count_bytes(rows[:500]) >= 4000
        assert count_bytes({"a": [(rows, rows)]}) >= 16_000
        assert count_bytes(cc.Margins(rows, rows)) >= 32_000  # the arrays, and the bytes by which it compares


def test_listed_tables_are_given_back(monkeypatch):
    """They may fill a gigabyte."""
    references = []

    def list_tables(*arguments):
        tables, probabilities = enumeration.list_table_law(*arguments)
        references.append(weakref.ref(tables))
        return tables, probabilities

    monkeypatch.setattr(engines, "list_table_law", list_tables)
    monkeypatch.setattr(kept, "MOST_BYTES_OF_ONE", 1_000)
    monkeypatch.setattr(kept, "_kept", {})  # nothing of earlier tests
    monkeypatch.setattr(kept, "_bytes_kept", [0])
    scores = cc.adjust([0, 0, 1, 1, 2, 2] * 2, [0, 1, 2, 0, 1, 2] * 2, ["purity", "purity_f"])
    assert scores["purity"].null.values_from == "exact"
    gc.collect()
    assert references
    assert not [reference for reference in references if reference() is not None]


def test_a_large_law_is_shared_as_long_as_it_is_used(monkeypatch):
    computed, compute_law = [], enumeration.compute_pair_sum_law

    def compute(*arguments, **named):
        law = compute_law(*arguments, **named)
        computed.append(weakref.ref(law))
        return law

    monkeypatch.setattr(enumeration, "compute_pair_sum_law", compute)
    monkeypatch.setattr(kept, "MOST_BYTES_OF_ONE", 1_000)
    monkeypatch.setattr(kept, "_kept", {})  # nothing of earlier tests
    monkeypatch.setattr(kept, "_bytes_kept", [0])
    scores = cc.adjust([0] * 20 + [1] * 21 + [2] * 23, [0, 1, 2, 3] * 16, ["rand", "jaccard"], method="exact")
    assert len(computed) == 1
    del scores
    gc.collect()
    assert computed[0]() is None


def test_a_refusal_holds_no_data():
    """An error that is kept and raised again would hold the frames of each call, and so its model."""
    gc.collect()
    before = [one for one in gc.get_objects() if type(one) is FixedMargins]
    for _ in range(2):
        with pytest.raises(ValueError, match="law of T within the budget"):
            cc.adjust(np.arange(5_000) % 40, np.arange(5_000) // 100, "jaccard", method="exact")
    gc.collect()
    assert sum(type(one) is FixedMargins for one in gc.get_objects()) == len(before)
