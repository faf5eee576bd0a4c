"""Small errors in `correction` and `exact`, and which of them the tests find: mutation testing.

``make mutation`` takes places of the two rooms in an order that a seed and the text of their lines decide,
changes each as Cosmic Ray does (a number by one, an operator for another of its kind, a condition negated),
and runs tests that execute the changed line until one fails. Coverage.py measures first which these are. A
run goes on after the mutants that `mutation.json` has; ``--again`` tries those that survived once more, after
tests were added, and may be given more seconds.

No file changes: a forked process compiles the changed text in place of the file. Processes that a test starts
have the package as it is. Kernels run as Python for their mutants: all others would be compiled anew.
"""

import argparse
import importlib
import itertools
import math
import multiprocessing
import os
import resource
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

from experiments.checks.mutants import ROOMS, Mutant, mutants
from experiments.common.kept import ROOT, read_json, write_json

KEPT = Path(__file__).with_name("mutation.json")
MARKS = "not long and not browser and not dist and not chaos"
OPTIONS = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--hypothesis-seed=0", "-m", MARKS]
FOLDERS = ("cli", "clusterings", "comparison", "contracts", "correction", "ensembles", "exact", "kinds")
OF_SIMULATION = ("checkpoint", "controls", "tally")
UNCOMPILED = ("additive", "convolution", "less_one")
TESTS = {
    False: [
        *ROOMS,
        *(f"tests/{each}" for each in FOLDERS),
        *(f"tests/sampling/test_{each}.py" for each in OF_SIMULATION),
        *("tests/golden", "tests/catalogue/test_citations.py", "tests/test_against_enumeration.py"),
    ],
    True: [f"tests/exact/moments/test_{each}.py" for each in UNCOMPILED],
}
"""Tests that are taken for mutants, by whether kernels run as Python."""

PRELOADED = ("scipy.stats", "scipy.optimize", "hypothesis", "sklearn.metrics")
"""What the tests import, once for all mutants."""

FOUND = (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR)
"""How a run ends that finds a mutant: not because a test cannot be selected by its name."""

MOST_BYTES = 8 << 30
"""Memory of a mutant."""


def in_child(work: Callable[..., Any], *arguments: Any, as_python: bool, seconds: int) -> Any:
    """What a call in a forked process returns, or how that process ended."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)

    def call() -> None:
        os.setsid()
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        os.environ["NUMBA_DISABLE_JIT"] = str(int(as_python))  # Numba is not yet imported
        sender.send(work(*arguments))

    child = fork.Process(target=call)
    child.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(10 * seconds) else "time"
    except EOFError:
        return "crash, or processor time"
    finally:
        child.kill()
        child.join()


def record(tests: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Tests that execute each line of each file, and their seconds, infinite for those that do not pass."""
    import coverage

    measured = coverage.Coverage(source=list(ROOMS), data_file=None, config_file=False)
    seconds: defaultdict[str, float] = defaultdict(float)

    class Recorder:
        def pytest_runtest_logstart(self, nodeid: str) -> None:
            measured.switch_context(nodeid)

        def pytest_runtest_logreport(self, report: Any) -> None:
            seconds[report.nodeid] += report.duration if report.passed else math.inf

    with measured.collect():
        pytest.main([*OPTIONS, *tests], plugins=[Recorder()])
    data, lines = measured.get_data(), {}
    for file in data.measured_files():
        found = data.contexts_by_lineno(file)
        lines[Path(file).relative_to(ROOT).as_posix()] = {
            line: [context for context in contexts if context in seconds] for line, contexts in found.items()
        }
    return {"seconds": seconds, "lines": lines}


def tests_of(mutant: Mutant, recorded: Mapping[str, Any], most: float) -> list[str]:
    """Tests that execute the changed line, the quickest first, up to so many seconds.

    If nothing executes it, those of the last executed line before; if only its import does, all tests of the
    file.
    """
    lines, seconds = recorded["lines"].get(mutant.file, {}), recorded["seconds"]
    found = lines.get(max((line for line in lines if line <= mutant.line), default=0), ())
    quickest = sorted(found or set(itertools.chain(*lines.values())), key=seconds.__getitem__)
    totals = itertools.accumulate(seconds[test] for test in quickest)
    return [test for test, total in zip(quickest, totals, strict=True) if total < most]


def first_failure(mutant: Mutant, tests: Sequence[str]) -> str:
    """The first test that fails, empty if none does."""
    code_of = SourceFileLoader.get_code
    failed: list[str] = []

    def changed(loader: SourceFileLoader, name: str) -> Any:
        if loader.path == str(ROOT / mutant.file):
            return compile(mutant.text, loader.path, "exec", dont_inherit=True)
        return code_of(loader, name)

    class Listener:
        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.failed:
                failed.append(report.nodeid)

    SourceFileLoader.get_code = changed  # type: ignore[assignment,method-assign]
    for part in (tests[:10], tests[10:]):  # most are found before more tests are collected
        if part and pytest.main([*OPTIONS, "-x", *part], plugins=[Listener()]) in FOUND:
            return failed[0] if failed else "collection of tests"
    return ""


def main() -> None:
    """Judge mutants and write them, one after another."""
    parser = argparse.ArgumentParser(description="Which small errors the tests find.")
    parser.add_argument("--mutants", type=int, default=500)
    parser.add_argument("--again", action="store_true", help="try those that survived, too")
    parser.add_argument("--seconds", type=float, default=7.0, help="of the tests of a mutant, without it")
    options = parser.parse_args()
    for name in PRELOADED:
        importlib.import_module(name)
    before = read_json(KEPT)["mutants"]
    wanted = list(itertools.islice(mutants(ROOT), options.mutants))
    kept = {mutant.key: before[mutant.key] for mutant in wanted if mutant.key in before}
    found = {key for key, each in kept.items() if each["found_by"]}
    left = [mutant for mutant in wanted if mutant.key not in (found if options.again else kept)]
    recorded = {
        as_python: in_child(record, tests, as_python=as_python, seconds=7_200)
        for as_python, tests in TESTS.items()
        if left
    }
    for mutant in left:
        as_python = "/kernels/" in mutant.file
        tests = tests_of(mutant, recorded[as_python], options.seconds)
        most = int(3 * options.seconds) + 20
        found_by = in_child(first_failure, mutant, tests, as_python=as_python, seconds=most)
        place = {"file": mutant.file, "line": mutant.line, "change": mutant.change}
        kept[mutant.key] = place | {"found_by": found_by, "why": before.get(mutant.key, {}).get("why", "")}
        print(found_by or "SURVIVED", *place.values(), sep="  ", flush=True)
        write_json(KEPT, {"mutants": kept})
    print(f"{sum(bool(each['found_by']) for each in kept.values())} of {len(kept)} found")


if __name__ == "__main__":
    main()
