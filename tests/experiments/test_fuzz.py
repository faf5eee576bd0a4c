"""The search for inputs that do harm: a small one, what it must find, and how it goes on where it stopped."""

import json
import sys
import time
import warnings

import pytest

import chancecorr as cc
from chancecorr.arguments import ArgumentValueError
from experiments.checks import fuzz
from experiments.checks.fuzz import KINDS, Outcome
from experiments.checks.fuzzing.printed import complaints
from experiments.checks.fuzzing.trial import Trial, complaint_about

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


def raising(error):
    def function():
        raise error

    return function


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("a"), "KeyError"),
        (IndexError("list index out of range"), "IndexError"),
        (ValueError("operands could not be broadcast together"), "no argument is named"),
        (UnicodeDecodeError("utf-8", b"a", 0, 1, "bad"), "UnicodeDecodeError"),
        (TypeError("`index` must be\na name"), "more than one line"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError"),
        (RuntimeWarning("overflow encountered"), "RuntimeWarning"),
        (MemoryError(), "MemoryError"),
        (ArgumentValueError("index", "must be a name; got 3."), ""),
        (TypeError("`adjust` has no keyword 'indx'."), ""),
        (cc.IndexEvaluationError("Index 'a' failed on a table"), ""),
    ],
)
def test_which_errors_are_findings(error, said):
    trial = Trial()
    trial.call(raising(error))
    assert [each.startswith(said) for each in trial.found] == [True] * bool(said)
    assert bool(complaint_about(error)) == bool(said)
    assert trial.refusals == (not said)


def test_a_warning_is_a_finding():
    trial = Trial()
    trial.call(warnings.warn, "overflow encountered in cast", RuntimeWarning)
    assert trial.found[0].startswith("RuntimeWarning: overflow encountered in cast")


def test_a_value_outside_its_range_is_a_finding():
    trial = Trial()
    for value in (0.5, 1.0 + 1e-12, float("nan"), 1.1, -0.1, 1):
        trial.check_value(cc.get_index("rand"), value)
    assert [each.split(" -- ")[0] for each in trial.found] == [
        "rand is 1.1, outside (0.0, 1.0)",
        "rand is -0.1, outside (0.0, 1.0)",
        "rand is 1, which is no float",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "printed", "said", "found"),
    [
        (["adjust"], 0, "a  b\n", "", 0),
        (["adjust"], 0, "a  \x1b[31mb\n", "", 1),
        (["adjust"], 0, "a\n", "warning\n", 1),
        (["adjust"], 2, "", "Two\nlines\n", 1),
        (["adjust"], 2, "", "", 2),
        (["adjust"], 2, "", "bare message\n", 1),
        (["adjust"], 3, "", "Out of words.\n", 1),
        (["adjust", "--json"], 0, '{"a": Infinity}', "", 1),
        (["adjust", "--json"], 0, '{"a": null}', "", 0),
        (["adjust", "--csv"], 0, "a,b\n-1.5,'-1\n", "", 0),
        (["adjust", "--csv"], 0, "a,b\n=1,2\n", "", 1),
        (["adjust", "--csv"], 0, "a,b\n1\n", "", 1),
    ],
)
def test_which_outputs_are_findings(arguments, code, printed, said, found):
    assert len(complaints(arguments, code, printed, said)) == found


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch, capsys):
    tried = []

    def outcomes(numbered, seed, seconds, gibibytes):
        for kind, number in numbered:
            tried.append((kind, number))
            if len(tried) == 8:
                raise KeyboardInterrupt
            yield Outcome(kind, number, ["bad -- call"] if number == 2 else [], 1, 0, 0.1)

    log = tmp_path / "log"
    monkeypatch.setattr(fuzz, "outcomes", outcomes)
    arguments = [
        "fuzz",
        "--inputs",
        "10",
        "--seed",
        "3",
        "--kind",
        "labels",
        "--kind",
        "bytes",
        "--log",
        str(log),
    ]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(KeyboardInterrupt):
        fuzz.main()
    assert fuzz.main() == 0  # what was found before is in the log
    everything = [(kind, number) for number in range(5) for kind in ("labels", "bytes")]
    assert tried[:8] == everything[:8]
    assert tried[8:] == everything[6:]  # from the last line of the log on
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(each["done"], each["kind"], each["found"]) for each in records] == [
        (5, "labels", ["bad -- call"]),
        (6, "bytes", ["bad -- call"]),
        (10, "bytes", []),
    ]
    assert "labels 2: bad -- call" in capsys.readouterr().out


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
