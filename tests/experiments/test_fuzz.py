"""The search for inputs that do harm: a small one, what it must find, and how it goes on where it stopped."""

import sys
import time

import pytest

import chancecorr as cc
from experiments.checks import fuzz
from experiments.checks.fuzz import KINDS
from experiments.checks.fuzzing.trial import Trial

NUMBERS = {"labels": 60, "tables": 12, "margins": 8, "expressions": 40, "bytes": 60, "commands": 40}
"""Inputs of each kind that a test tries, some seconds of each."""


@pytest.mark.heavy
@pytest.mark.parametrize("kind", KINDS)
def test_first_inputs_of_each_kind(kind, record_property):
    found, calls = [], 0
    for number in range(NUMBERS[kind]):
        trial = fuzz.try_input(kind, 0, number)
        found += [f"{kind} {number}: {each}" for each in trial.found]
        calls += trial.answers + trial.refusals
    record_property("inputs", NUMBERS[kind])
    record_property("calls", calls)
    assert found == []
    assert calls >= NUMBERS[kind] // 2


def test_an_input_depends_on_its_number_alone():
    first, again, other = (fuzz.try_input("labels", 5, number).tried for number in (7, 7, 8))
    assert first == again
    assert first != other


def test_a_value_outside_its_range_is_a_finding():
    trial = Trial()
    for value in (0.5, 1.0 + 1e-12, float("nan"), 1.1, -0.1, 1):
        trial.check_value(cc.get_index("rand"), value)
    assert [each.split(" -- ")[0] for each in trial.found] == [
        "rand is 1.1, outside (0.0, 1.0)",
        "rand is -0.1, outside (0.0, 1.0)",
        "rand is 1, which is no float",
    ]


@pytest.mark.heavy
def test_a_child_that_hangs_or_ends_is_replaced(monkeypatch):
    """Of three inputs the second takes for ever, and the process of the third ends."""
    program = (
        "import sys, time, json\n"
        "print('ready', flush=True)\n"
        "for line in sys.stdin:\n"
        "    number = json.loads(line)[2]\n"
        "    time.sleep(60 if number == 1 else 0)\n"
        "    if number == 2: sys.exit(3)\n"
        "    print(json.dumps([[], 1, 0]), flush=True)\n"
    )
    popen = fuzz.subprocess.Popen
    monkeypatch.setattr(
        fuzz.subprocess, "Popen", lambda _, **options: popen([sys.executable, "-c", program], **options)
    )
    began = time.monotonic()
    found = list(fuzz.outcomes([("labels", number) for number in range(4)], 0, 2.0, 1.0))
    assert [each.found for each in found] == [[], ["no answer in 2 s"], ["the process ended by 3"], []]
    assert time.monotonic() - began < 30.0
