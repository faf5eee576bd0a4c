"""Counts of instructions: what is compared, and that each call is one that runs."""

import pytest

from experiments.benchmarks import instructions
from experiments.benchmarks.instructions import KEPT, calls, grown
from experiments.common.kept import read_json


def test_a_call_that_grows_by_more_than_a_tenth_is_named():
    kept = {"a": 1_000, "b": 1_000, "gone": 5}
    assert grown({"a": 1_100, "b": 1_101, "new": 9}, kept) == ["b"]


def test_what_is_kept_is_what_is_counted():
    *_, last = read_json(KEPT).values()
    assert set(last) == set(calls())
    assert all(count > 100_000 for count in last.values())


def test_each_call_runs():
    for call in calls().values():
        call()


@pytest.mark.parametrize(("factor", "code"), [(0.9, 0), (1.09, 0), (1.11, 1)])
def test_the_command_fails_if_a_call_has_grown(factor, code, monkeypatch, capsys):
    *_, last = read_json(KEPT).values()
    first = next(iter(last))
    monkeypatch.setattr(instructions, "counted", lambda: last | {first: int(factor * last[first])})
    assert instructions.main([]) == code
    assert f"{factor:.3f}" in capsys.readouterr().out
