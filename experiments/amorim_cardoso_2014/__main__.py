"""Run the study: ``python -m experiments.amorim_cardoso_2014``."""

import argparse
import json
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from experiments.amorim_cardoso_2014 import pictures, report
from experiments.amorim_cardoso_2014.clusterers import DESCRIPTIONS
from experiments.amorim_cardoso_2014.scenarios import SCENARIOS
from experiments.amorim_cardoso_2014.study import Seconds, Unit, run, seconds_of_correction
from experiments.amorim_cardoso_2014.tables import Row, agreement, claims, expectations

HERE = Path(__file__).resolve().parent
CACHE = HERE.parents[1] / ".cache" / "amorim_cardoso_2014"


def main(arguments: list[str] | None = None) -> None:
    """Run what is asked for, or what is left of it, and write the results."""
    options = _parser().parse_args(arguments)
    scenarios = [scenario for scenario in SCENARIOS if scenario.name in options.scenario]
    if unknown := set(options.scenario) - {scenario.name for scenario in SCENARIOS}:
        known = ", ".join(scenario.name for scenario in SCENARIOS)
        sys.exit(f"`--scenario` must be one of {known}; got {sorted(unknown)[0]!r}.")
    began = time.perf_counter()
    total = len(scenarios) * len(options.clusterer) * options.datasets
    units: list[Unit] = []
    parts: list[Seconds] = []
    results = run(
        scenarios,
        options.clusterer,
        datasets=options.datasets,
        seed=options.seed,
        jobs=options.jobs,
        cache=options.cache,
    )
    with _progress() as bar:
        task = bar.add_task("data sets", total=total)
        for unit, seconds in results:
            units.append(unit)
            parts.append(seconds)
            bar.update(task, completed=len(units))
    expected, agreed = expectations(units), agreement(units)
    report.write(units, expected, agreed, scenarios, options.folder, seed=options.seed)
    pictures.write(units, expected, agreed, options.folder)
    whole = time.perf_counter() - began
    _say(units, expected, parts, whole)


def _say(units: list[Unit], expected: list[Row], parts: list[Seconds], whole: float) -> None:
    """Times, and what the paper claims of its method, on stdout as JSON."""
    figures = {
        "data sets": len(units),
        "this run, s": whole,
        "drawing the data, s of work": sum(part.drawing for part in parts),
        "clustering, s of work": sum(part.clustering for part in parts),
        "correction when first done, s of work": sum(part.correction for part in parts),
        "correction of all units again, one thread, s": seconds_of_correction(units),
        **claims(units, expected),
    }
    print(json.dumps(figures, indent=1))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m experiments.amorim_cardoso_2014", description=__doc__)
    names = [scenario.name for scenario in SCENARIOS]
    parser.add_argument("--scenario", nargs="+", default=names, metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--clusterer", nargs="+", choices=sorted(DESCRIPTIONS), default=list(DESCRIPTIONS))
    parser.add_argument("--datasets", type=int, default=30, help="data sets a scenario (30)")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes (2)")
    parser.add_argument("--seed", type=int, default=2014)
    parser.add_argument("--folder", type=Path, default=HERE / "results", help="where the results go")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where finished units are kept")
    return parser


def _progress() -> Progress:
    return Progress(
        TextColumn("data sets"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


if __name__ == "__main__":
    main()
