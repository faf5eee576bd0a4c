"""Small errors in `correction` and `exact.moments`, and which of them the tests find: mutation testing.

``make mutation`` takes places of the two rooms in an order that a seed and the text of their lines decide,
changes each as Cosmic Ray does (a number by one, an operator for another of its kind, a condition negated),
and runs tests that execute the changed line until one fails. Coverage.py measures first which these are. A
run goes on after the mutants that `mutation.json` has; ``--again`` tries those that survived once more, after
tests were added, and may be given more seconds.

No file changes: a forked process compiles the changed text in place of the file. Processes that a test starts
have the package as it is. Kernels run as Python for their mutants: all others would be compiled anew.
"""

import argparse
import ast
import hashlib
import importlib
import itertools
import math
import multiprocessing
import os
import resource
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from experiments.common.kept import ROOT, read_json, write_json

KEPT = Path(__file__).with_name("mutation.json")
ROOMS = ("chancecorr/correction", "chancecorr/exact/moments")
SEED = 35
MARKS = "not long and not browser and not dist and not chaos"
OPTIONS = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--hypothesis-seed=0", "-m", MARKS]
FOLDERS = ("cli", "clusterings", "comparison", "contracts", "correction", "ensembles", "exact", "kinds")
UNCOMPILED = ("additive", "convolution", "less_one")
TESTS = {
    False: [*ROOMS, *(f"tests/{each}" for each in (*FOLDERS, "golden", "test_against_enumeration.py"))],
    True: [f"tests/exact/moments/test_{each}.py" for each in UNCOMPILED],
}
"""Tests that are taken for mutants, by whether kernels run as Python."""

PRELOADED = ("scipy.stats", "scipy.optimize", "hypothesis", "sklearn.metrics")
"""What the tests import, once for all mutants."""

MOST_BYTES = 8 << 30
"""Memory of a mutant."""

ALIKE = (
    {"Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Pow"},
    {"BitAnd", "BitOr", "BitXor"},
    {"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE"},
    {"Is", "IsNot"},
)
"""Operators that replace each other."""


class Mutant(NamedTuple):
    """A changed file, and where it is changed; the key stays when other lines change."""

    key: str
    file: str
    line: int
    change: str
    text: str


def is_used(operator: str) -> bool:
    """Whether an operator of Cosmic Ray makes an error that somebody may make."""
    family, *ends = operator.removeprefix("core/").split("_")
    if ends:
        return ends[0] == "Delete" or any(set(ends) <= kind for kind in ALIKE)
    return not family.startswith(("Variable", "RemoveDecorator"))


def left_out(node: ast.AST) -> Iterator[ast.expr | None]:
    """Parts of a node in which no change can change a result.

    Type hints, and the condition of imports that serve them, are read by type checkers. A decorator decides
    how a class stores its fields, or how many results are kept. `strict` of `zip` asks for an error if
    lengths differ, which they do in no right program.
    """
    yield from (getattr(node, "annotation", None), getattr(node, "returns", None))
    yield from getattr(node, "decorator_list", ())
    if isinstance(node, ast.keyword) and node.arg == "strict":
        yield node.value
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        yield node.test


def mutants(root: Path) -> Iterator[Mutant]:
    """One mutant of each place, in the order of the seed."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    found = []
    for path in sorted(path for room in ROOMS for path in (root / room).rglob("*.py")):
        file, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        seen: Counter[str] = Counter()
        for (line, column, family), options in sorted(_places(text).items()):
            place = f"{SEED} {file} {family} {column} {text.splitlines()[line - 1].strip()}"
            key = hashlib.sha256(f"{place} {seen[place]}".encode()).hexdigest()
            seen[place] += 1
            found.append((key, file, line, options[int(key, 16) % len(options)], text))
    for key, file, line, (operator, occurrence), text in sorted(found):
        changed = mutate_code(text, get_operator(operator)(), occurrence)
        with suppress(SyntaxError):
            if ast.dump(ast.parse(changed)) != ast.dump(ast.parse(text)):
                pairs = zip(text.splitlines(), changed.splitlines(), strict=False)
                change = next(f"{old.strip()}  ->  {new.strip()}" for old, new in pairs if old != new)
                yield Mutant(key[:16], file, line, change, changed)


def _places(text: str) -> dict[tuple[int, int, str], list[tuple[str, int]]]:
    """Operators and their occurrences by line, column and family, except for what is left out."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    out = [part for node in ast.walk(ast.parse(text)) for part in left_out(node) if part is not None]
    nodes, places = list(ast_nodes(get_ast(text))), defaultdict(list)
    for name in filter(is_used, operator_names()):
        operator = get_operator(name)()
        positions = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, at in enumerate(positions):
            if not any((e.lineno, e.col_offset) <= at < (e.end_lineno, e.end_col_offset) for e in out):
                places[*at, name.partition("_")[0]].append((name, occurrence))
    return places


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
        if part and pytest.main([*OPTIONS, "-x", *part], plugins=[Listener()]) != 0:
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
    recorded = {
        as_python: in_child(record, tests, as_python=as_python, seconds=7_200)
        for as_python, tests in TESTS.items()
    }
    before = read_json(KEPT)["mutants"]
    wanted = list(itertools.islice(mutants(ROOT), options.mutants))
    kept = {mutant.key: before[mutant.key] for mutant in wanted if mutant.key in before}
    for mutant in wanted:
        known = kept.get(mutant.key, {"found_by": "", "why": ""})
        if known["found_by"] or (mutant.key in kept and not options.again):
            continue
        as_python = "/kernels/" in mutant.file
        tests = tests_of(mutant, recorded[as_python], options.seconds)
        most = int(3 * options.seconds) + 20
        found_by = in_child(first_failure, mutant, tests, as_python=as_python, seconds=most)
        place = {"file": mutant.file, "line": mutant.line, "change": mutant.change}
        kept[mutant.key] = place | {"found_by": found_by, "why": known["why"]}
        print(found_by or "SURVIVED", *place.values(), sep="  ", flush=True)
        write_json(KEPT, {"mutants": kept})
    print(f"{sum(bool(each['found_by']) for each in kept.values())} of {len(kept)} found")


if __name__ == "__main__":
    main()
