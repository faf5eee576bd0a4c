"""Small errors in `correction` and `exact.moments`, and which of them the tests find: mutation testing.

``make mutation`` takes places of the two rooms in an order that a seed and the text of their lines decide,
changes each in a copy of the repository as Cosmic Ray does (a number by one, an operator for another of its
kind, a condition negated, ...), and runs tests that execute the changed statement until one fails. Changes of
type hints and of decorators are left out. ``--again`` tries those that survived once more, after tests were
added, with slow tests and for longer (``--seconds``).

Coverage.py measures first which test executes which line. Kernels run as Python for that and for their
mutants: a kernel that changes would have all others compiled anew.
"""

import argparse
import ast
import hashlib
import importlib
import itertools
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numba
import pytest

from experiments.common.kept import ROOT, read_json, write_json

KEPT = Path(__file__).with_name("mutation.json")
ROOMS = ("chancecorr/correction", "chancecorr/exact/moments")
SEED = 35
OPTIONS = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
MARKS = "not long and not browser and not dist and not chaos"
RUNS = {
    "compiled": (
        *ROOMS,
        *(
            f"tests/{room}"
            for room in ("cli", "clusterings", "comparison", "contracts", "correction", "ensembles")
        ),
        *(f"tests/{room}" for room in ("exact", "golden", "kinds", "test_against_enumeration.py")),
        *(
            f"tests/{file}.py"
            for file in ("catalogue/test_citations", "simulation/test_controls", "simulation/test_tally")
        ),
    ),
    "as_python": tuple(
        f"tests/exact/moments/test_{each}.py" for each in ("additive", "convolution", "less_one")
    ),
}
"""Tests that are taken for mutants, by how kernels run."""

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


Key: TypeAlias = tuple[str, int, str]
"""File, line and change of a mutant."""


class Mutant(NamedTuple):
    """A changed file, and where it is changed."""

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


def mutants(root: Path, seed: int) -> Iterator[Mutant]:
    """One mutant of each place, in the order of the seed."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    found = []
    for path in sorted(path for room in ROOMS for path in (root / room).rglob("*.py")):
        file, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        seen: Counter[str] = Counter()
        for (line, column, family), options in sorted(_places(text).items()):
            place = f"{seed} {file} {family} {column} {text.splitlines()[line - 1].strip()}"
            key = hashlib.sha256(f"{place} {seen[place]}".encode()).hexdigest()
            seen[place] += 1
            found.append((key, file, line, options[int(key, 16) % len(options)], text))
    for _, file, line, (operator, occurrence), text in sorted(found):
        changed = mutate_code(text, get_operator(operator)(), occurrence)
        try:
            if ast.dump(ast.parse(changed)) != ast.dump(ast.parse(text)):
                yield Mutant(file, line, _change(text, changed), changed)
        except SyntaxError:
            continue


def _places(text: str) -> dict[tuple[int, int, str], list[tuple[str, int]]]:
    """Operators and their occurrences by line, column and family, outside of type hints."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    nodes, hints, places = list(ast_nodes(get_ast(text))), list(_hints(text)), defaultdict(list)
    for name in filter(is_used, operator_names()):
        operator = get_operator(name)()
        positions = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, (line, column) in enumerate(positions):
            if not any(first <= (line, column) < last for first, last in hints):
                places[line, column, name.partition("_")[0]].append((name, occurrence))
    return places


def _hints(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Begin and end of each type hint."""
    for node in ast.walk(ast.parse(text)):
        for hint in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if hint is not None:
                yield (hint.lineno, hint.col_offset), (hint.end_lineno, hint.end_col_offset)


def _change(before: str, after: str) -> str:
    """The lines that differ."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next(f"{old.strip()}  ->  {new.strip()}" for old, new in pairs if old != new)


def record(tree: Path, name: str, *, slow: bool) -> None:
    """Write the passing tests that execute each line, and their processor seconds."""
    import coverage

    measured = coverage.Coverage(source=list(ROOMS), data_file=None, config_file=False)
    seconds: dict[str, float] = {}
    not_passed: set[str] = set()

    class Recorder:
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_protocol(self, item: Any) -> Any:
            measured.switch_context(item.nodeid)
            begin = time.process_time()
            outcome = yield
            seconds[item.nodeid] = time.process_time() - begin
            measured.switch_context("")
            return outcome

        def pytest_runtest_logreport(self, report: Any) -> None:
            if not report.passed:
                not_passed.add(report.nodeid)

    measured.start()
    pytest.main(
        [*OPTIONS, "-m", MARKS if slow else f"not heavy and {MARKS}", *RUNS[name]], plugins=[Recorder()]
    )
    measured.stop()
    data = measured.get_data()
    lines = {
        Path(file).relative_to(tree).as_posix(): {
            line: sorted(set(contexts) - not_passed - {""})
            for line, contexts in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    write_json(tree.parent / f"{name}.json", {"seconds": seconds, "lines": lines})


def tests_of(mutant: Mutant, recorded: Mapping[str, Any], most: float) -> list[str]:
    """Tests that execute the changed statement, or its file if no test does, up to so many seconds.

    Of each test function they have the quickest case, then the second, and so on.
    """
    lines, seconds = recorded["lines"].get(mutant.file, {}), recorded["seconds"]
    first, last = _statement(mutant)
    found = {test for line in range(first, last + 1) for test in lines.get(str(line), ())}
    cases: Counter[str] = Counter()
    ranked = []
    for test in sorted(found or {test for each in lines.values() for test in each}, key=seconds.__getitem__):
        function = test.partition("[")[0]
        ranked.append((cases[function], seconds[test], test))
        cases[function] += 1
    ranked.sort()
    total = itertools.accumulate(each[1] for each in ranked)
    return [test for (*_, test), sum_so_far in zip(ranked, total, strict=True) if sum_so_far < most]


HEADED = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.ClassDef)
"""Statements of which a test may execute the head alone."""


def _statement(mutant: Mutant) -> tuple[int, int]:
    """First and last line of the innermost statement; of a condition or a loop those of its head."""
    spans = [
        (node.lineno, node.body[0].lineno - 1 if isinstance(node, HEADED) else node.end_lineno or 0)
        for node in ast.walk(ast.parse(mutant.text))
        if isinstance(node, ast.stmt)
    ]
    around = [(first, max(first, last)) for first, last in spans if first <= mutant.line <= max(first, last)]
    return max(around, default=(mutant.line, mutant.line))


def outcome(tests: Sequence[str], as_python: bool, most: float) -> str:
    """The first test that fails in a child process, empty if none does."""
    if not tests:
        return ""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _run(tests, as_python, int(3 * most) + 20, write)
    os.close(write)
    ready, _, _ = select.select([read], [], [], 10 * (3 * most + 20))
    found = os.read(read, 1_000).decode() if ready else "time"
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(read)
    return {"": "crash, or processor time", "passed": ""}.get(found, found)


def _run(tests: Sequence[str], as_python: bool, most: int, write: int) -> NoReturn:
    """Write the first test that fails to a pipe, the quickest tests first."""
    os.setsid()
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    if as_python:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        numba.config.reload_config()  # type: ignore[no-untyped-call]
    failed: list[str] = []

    class Listener:
        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.failed:
                failed.append(report.nodeid)

    for part in (tests[:10], tests[10:]):  # most are found before more tests are collected
        if part and pytest.main([*OPTIONS, "-x", *part], plugins=[Listener()]) != 0:
            os.write(write, (failed[0] if failed else "collection of tests").encode())
            break
    else:
        os.write(write, b"passed")
    os._exit(0)


def judged(tree: Path, number: int, most: float, again: Collection[Key] | None) -> Iterator[dict[str, Any]]:
    """Each mutant with the test that found it."""
    recorded = {name: read_json(tree.parent / f"{name}.json") for name in ("compiled", "as_python")}
    for mutant in itertools.islice(mutants(tree, SEED), number):
        judgement = {"file": mutant.file, "line": mutant.line, "change": mutant.change}
        if again is not None and _key(judgement) not in again:
            continue
        as_python = "/kernels/" in mutant.file
        tests = tests_of(mutant, recorded["as_python" if as_python else "compiled"], most)
        path = tree / mutant.file
        before, times = path.read_bytes(), path.stat()
        try:
            path.write_text(mutant.text, encoding="utf-8")
            yield judgement | {"found_by": outcome(tests, as_python, most)}
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def main() -> None:
    """Judge mutants and write them, one after another."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mutants", type=int, default=500)
    parser.add_argument("--again", action="store_true", help="try those that survived, with slow tests, too")
    parser.add_argument("--seconds", type=float, default=7.0, help="of the tests of a mutant, without it")
    parser.add_argument("--work", type=Path, default=ROOT / ".cache" / "mutation", help="folder of the copy")
    parser.add_argument("--record", choices=RUNS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    tree = options.work.resolve() / "tree"
    os.environ.update(NUMBA_CACHE_DIR=str(tree.parent / "numba"), PYTHONDONTWRITEBYTECODE="1")
    if options.record:
        record(tree, options.record, slow=options.again)
        return
    prepare(tree, options.again)
    enter(tree)
    kept = {_key(each): each for each in read_json(KEPT)["mutants"]} if options.again else {}
    again = {key for key, each in kept.items() if not each["found_by"]} if options.again else None
    for each in judged(tree, options.mutants, options.seconds, again):
        kept[_key(each)] = each | {"why": kept.get(_key(each), {}).get("why", "")}
        print(each["found_by"] or "SURVIVED", *_key(each), sep="  ", flush=True)
        write_json(KEPT, {"seed": SEED, "mutants": list(kept.values())})
    print(f"{sum(bool(each['found_by']) for each in kept.values())} of {len(kept)} found")


def _key(mutant: Mapping[str, Any]) -> Key:
    """Place and change."""
    return mutant["file"], mutant["line"], mutant["change"]


def enter(tree: Path) -> None:
    """Let this process and its children import the copy; what tests import else is there once for all."""
    os.chdir(tree)
    os.environ["PYTHONPATH"] = sys.path[0] = str(tree)
    sys.dont_write_bytecode = True
    for name in PRELOADED:
        importlib.import_module(name)
    for name in [name for name in sys.modules if name.partition(".")[0] == "experiments"]:
        del sys.modules[name]


def prepare(tree: Path, again: bool) -> None:
    """The copy, as the repository is now, and which of its tests execute which lines."""
    names = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    for name in RUNS:
        environment = os.environ | {
            "PYTHONPATH": str(tree),
            "PYTHONDONTWRITEBYTECODE": "",  # rewritten tests are kept for the mutants
            "NUMBA_DISABLE_JIT": str(int(name == "as_python")),
        }
        command = [sys.executable, "-m", "experiments.checks.mutation", "--work", str(tree.parent)]
        command += ["--record", name, *["--again"] * again]
        subprocess.run(command, cwd=tree, env=environment, check=True)


if __name__ == "__main__":
    main()
