"""``python -m experiments.reliability.run``: runs the tests of all promises, writes `docs/reliability.md`.

The tests run by pytest in groups: the usual ones, with ``--long`` those that take long, with ``--chaos``
those that kill and damage, with ``--dist`` those of the wheel and the source archive, once these are made.
The page says how many cases were left out. Exit code 1 where a test of a promise failed or is missing, or
did not record its figure.
"""

import argparse
import datetime
import os
import platform
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from experiments.benchmarks.run import cpu_model
from experiments.reliability.groups import GROUPS
from experiments.reliability.outcomes import ROOT, Case, collected, exists, run_group
from experiments.reliability.page import problems_of, render
from experiments.reliability.promises import ROOMS, Rooms
from experiments.reliability.verdicts import Verdict, judge

PAGE = ROOT / "docs" / "reliability.md"
PACKAGES = ("chancecorr", "numpy", "numba", "scipy", "joblib", "distributed", "pytest")


def main(arguments: Sequence[str] | None = None, rooms: Rooms = ROOMS, root: Path = ROOT) -> int:
    """Run the tests and write the page; 0 where all promises are held."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    further = [group for group in GROUPS if group != "normal"]
    for group in further:
        parser.add_argument(f"--{group}", action="store_true", help=f"run also tests marked `{group}`")
    parser.add_argument("--page", type=Path, default=PAGE, help="where the page goes")
    options = parser.parse_args(arguments)
    groups = ["normal", *(group for group in further if getattr(options, group))]
    began = time.perf_counter()
    verdicts = verdicts_of(rooms, groups, root)
    surroundings = environment() | {
        "seconds": f"{time.perf_counter() - began:.0f}",
        "groups of tests": ", ".join(groups),
    }
    problems = [line for several in verdicts.values() for verdict in several for line in problems_of(verdict)]
    options.page.write_text(render(verdicts, surroundings, problems), encoding="utf-8")
    for line in problems:
        print(f"Not held: {line}.", file=sys.stderr)
    return 1 if problems else 0


def verdicts_of(rooms: Rooms, groups: Sequence[str], root: Path = ROOT) -> dict[str, list[Verdict]]:
    """Verdicts by room, from one run of each group."""
    tests = [test for room in rooms.values() for promise in room for test in promise.tests]
    there = [test for test in dict.fromkeys(tests) if exists(test, root)]
    cases: dict[tuple[str, str], Case] = {}
    for group in groups:
        cases |= {(case.test, case.parameters): case for case in run_group(group, there, root)}
    left_out = {group: collected(group, there, root) for group in GROUPS if group not in groups}
    return {
        room: [judge(promise, cases.values(), left_out, root) for promise in promises]
        for room, promises in rooms.items()
    }


def environment() -> dict[str, float | str]:
    """Date, processor, and versions; nothing that names the machine."""
    found: dict[str, float | str] = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "CPU": cpu_model(),
        "processors": os.cpu_count() or 0,
        "system": platform.system(),
        "Python": platform.python_version(),
    }
    return found | {package: version(package) for package in PACKAGES}


if __name__ == "__main__":
    sys.exit(main())
