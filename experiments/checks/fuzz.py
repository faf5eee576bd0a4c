"""Hostile inputs, given to the library by child processes: what crashes, hangs, or says what is not so.

``python -m experiments.checks.fuzz --inputs 100000 --seed 1`` tries so many inputs of all kinds in turn, or
of those named by ``--kind``. Input number k of a kind depends on the seed and k alone, so that a run that was
stopped goes on where its ``--log`` ends, and ``--only k`` tries one again, with the traceback.

A child process makes the inputs and judges the answers (`experiments.checks.fuzzing`). It may use so much
memory; it is killed where one input takes too long, and another one goes on with the next. Findings go to the
log, a line of JSON each, and the first ones of each sort to the screen. Exit code 1 if there are any.
"""

import argparse
import contextlib
import json
import os
import re
import resource
import select
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

KINDS = ("labels", "tables", "margins", "expressions", "bytes", "commands")
STARTS_WITHIN = 600.0
"""Seconds that a child process may take to import, and to compile what its first answers need."""

FIRST = 6
"""Inputs of each kind that a child process tries before it is timed: they compile what most others call."""

OFTEN = 500
"""Inputs after which the log says how far the run has come."""

SHOWN = 3
"""Findings of a sort that are printed."""


class Outcome(NamedTuple):
    """What came of an input: its findings, and how many calls were answered and refused."""

    kind: str
    number: int
    found: list[str]
    answers: int
    refusals: int
    seconds: float


def main() -> int:
    """Print the findings."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answer", action="store_true", help="be the child process")
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--seconds", type=float, default=20.0, help="for one input")
    parser.add_argument("--gibibytes", type=float, default=3.0)
    parser.add_argument("--log", type=Path, help="where a run goes on that was stopped")
    parser.add_argument("--only", type=int, help="the number of one input, which is tried in this process")
    options = parser.parse_args()
    if options.answer:
        answer_inputs()
        return 0
    kinds = options.kind or list(KINDS)
    if options.only is not None:
        return sum(tell_of_one(kind, options.seed, options.only) for kind in kinds)
    log = options.log
    first = done_before(log, options.seed, kinds) if log else 0
    sorts: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for k, outcome in enumerate(
        outcomes(inputs(kinds, first, options.inputs), options.seed, options.seconds, options.gibibytes),
        first + 1,
    ):
        totals.update(inputs=1, answers=outcome.answers, refusals=outcome.refusals)
        for finding in outcome.found:
            sort = sort_of(finding)
            sorts[sort] += 1
            if sorts[sort] <= SHOWN:
                print(f"{outcome.kind} {outcome.number}: {finding}", flush=True)
        if log and (outcome.found or k % OFTEN == 0 or k == options.inputs):
            record = {
                "seed": options.seed,
                "kinds": kinds,
                "done": k,
                "input": outcome.number,
                "found": outcome.found,
            }
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record | {"kind": outcome.kind}) + "\n")
    print(", ".join(f"{count:,} {what}" for what, count in totals.items()))
    for sort, count in sorts.most_common():
        print(f"{count:6} x {sort}")
    return 1 if sorts else 0


def inputs(kinds: list[str], first: int, last: int) -> Iterator[tuple[str, int]]:
    """Kinds in turn, each with the number of its input."""
    return ((kinds[k % len(kinds)], k // len(kinds)) for k in range(first, last))


def done_before(log: Path, seed: int, kinds: list[str]) -> int:
    """How many inputs of this run the log has."""
    if not log.exists():
        return 0
    records = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    return max(
        (each["done"] for each in records if (each["seed"], each["kinds"]) == (seed, kinds)), default=0
    )


def sort_of(finding: str) -> str:
    """Finding without what differs from input to input.

    Examples
    --------
    >>> sort_of("the p-value of rand is 1.5 -- adjust([0, 1])")
    'the p-value of rand is #'
    """
    said = finding.partition(" -- ")[0]
    return re.sub(r"'[^']*'|\d[\d.e+-]*", "#", said)[:120]


def outcomes(
    numbered: Iterable[tuple[str, int]], seed: int, seconds: float, gibibytes: float
) -> Iterator[Outcome]:
    """What comes of the inputs, by a child process, and by a new one after each that was killed or ended."""
    child = None
    try:
        for kind, number in numbered:
            if child is None:
                child = _start(gibibytes)
            assert child.stdin is not None
            began = time.monotonic()
            with contextlib.suppress(BrokenPipeError):
                child.stdin.write(json.dumps([kind, seed, number]) + "\n")
                child.stdin.flush()
            line = _line_within(child, seconds)
            took = time.monotonic() - began
            if line:
                found, answers, refusals = json.loads(line)
                yield Outcome(kind, number, found, answers, refusals, took)
                continue
            said = f"no answer in {seconds:g} s"
            if line is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(5.0)
                said = f"the process ended by {child.returncode}"
            child.kill()
            child.communicate()
            child = None
            yield Outcome(kind, number, [said], 0, 0, took)
    finally:
        if child is not None:
            child.kill()
            child.communicate()


def try_input(kind: str, seed: int, number: int) -> Any:
    """The trial of one input."""
    from experiments.checks.fuzzing import commands, expressions, files, labels, margins, tables
    from experiments.checks.fuzzing.trial import Trial

    modules = (labels, tables, margins, expressions, files, commands)
    trial = Trial()
    rng = np.random.default_rng([seed, KINDS.index(kind), number])
    try:
        modules[KINDS.index(kind)].attempt(rng, trial)
    except Exception as error:  # where an answer is looked at, and not where it is made
        trial.error = error
        trial.find(f"an answer cannot be judged: {type(error).__name__}: {error}")
    return trial


def tell_of_one(kind: str, seed: int, number: int) -> int:
    """Print what is tried with one input, and what is found; the number of findings."""
    trial = try_input(kind, seed, number)
    print(*trial.tried, sep="\n")
    if trial.error is not None:
        traceback.print_exception(trial.error)
    print(*trial.found, sep="\n")
    return len(trial.found)


def answer_inputs() -> None:
    """Try the inputs on standard input, one a line, each by a line with what was found."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the library prints is no answer
    for kind in KINDS:
        for number in range(FIRST):
            try_input(kind, 0, number)
    limit = int(float(os.environ["GIBIBYTES"]) * 2**30)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        kind, seed, number = json.loads(line)
        trial = try_input(kind, seed, number)
        print(json.dumps([trial.found, trial.answers, trial.refusals]), file=answers, flush=True)


def _start(gibibytes: float) -> "subprocess.Popen[str]":
    child = subprocess.Popen(
        [sys.executable, "-m", "experiments.checks.fuzz", "--answer"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "GIBIBYTES": str(gibibytes)},
    )
    if _line_within(child, STARTS_WITHIN) != "ready\n":
        child.kill()
        child.communicate()
        raise RuntimeError("the child process did not start.")
    return child


def _line_within(child: "subprocess.Popen[str]", seconds: float) -> str | None:
    """Next line of the child, which prints one at a time; empty where it ended, None where none came."""
    assert child.stdout is not None
    ready, _, _ = select.select([child.stdout], [], [], seconds)
    return child.stdout.readline() if ready else None


if __name__ == "__main__":
    sys.exit(main())
