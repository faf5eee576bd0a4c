"""How often intervals hold the score: ``python -m experiments.coverage.run`` writes `results.csv`.

It takes about half an hour on one processor; of many classes, fewer samples are drawn. With ``--only`` some
of the parts are measured again, and the others stay as they are.
"""

import argparse
import csv
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common.kept import write_whole
from experiments.common.report import as_csv
from experiments.coverage.simulate import (
    Coverage,
    Population,
    blurred,
    coverage_of_differences,
    coverage_of_scores,
    together,
)

HERE = Path(__file__).parent
SIZES = (50, 200, 1_000, 5_000)
NAMES = ("rand", "jaccard", "fowlkes_mallows", "nmi_sum")
FEW_OBJECTS = (30, 100, 300, 1_000)
SMOOTH = (*NAMES, "wallace_1", "mutual_information")
OF_MAXIMA = ("purity", "van_dongen", "maximum_matching_accuracy")
EQUAL, UNEQUAL = np.array([0.5, 0.5]), np.array([0.6, 0.3, 0.1])
HUGE = np.array([0.9, 0.05, 0.05])
FOUR, TEN = np.array([0.4, 0.3, 0.2, 0.1]), np.full(10, 0.1)

Stream = Callable[[Population, int], np.random.Generator]


def populations() -> list[Population]:
    """Reference and one candidate, from independence to one object in a hundred that is mixed."""
    found = []
    for kind, sizes, parts, mixtures in (
        ("2 x 2, equal sizes", EQUAL, 1, (1.0, 0.7, 0.3, 0.1, 0.01)),
        ("3 x 3, sizes 6:3:1", UNEQUAL, 1, (1.0, 0.7, 0.3, 0.1, 0.01)),
        ("4 x 8, clusters split", FOUR, 2, (0.7, 0.1)),
        ("10 x 10, equal sizes", TEN, 1, (0.7, 0.3, 0.1, 0.01)),
    ):
        for mixed in mixtures:
            name = f"{kind}, {100 * mixed:g} % mixed"
            found.append(Population(name=name, shares=blurred(sizes, mixed, parts)))
    return found


def pairs_of_candidates() -> list[Population]:
    """Reference and two candidates."""
    found = []
    for kind, sizes, mixtures in (
        ("3 x 3", UNEQUAL, (0.1, 0.3)),
        ("3 x 3", UNEQUAL, (0.1, 0.1)),
        ("10 x 10", TEN, (0.3, 0.4)),
        ("3 x 3", UNEQUAL, (0.01, 0.05)),
    ):
        shares = together(blurred(sizes, mixtures[0]), blurred(sizes, mixtures[1]))
        name = f"{kind}, {100 * mixtures[0]:g} % and {100 * mixtures[1]:g} % mixed"
        found.append(Population(name=name, shares=shares))
    return found


def _scores(samples: int, stream: Stream) -> Iterator[Coverage]:
    for n in SIZES:
        for population in populations():
            yield from coverage_of_scores(population, n, samples, NAMES, stream(population, n))


def _differences(samples: int, stream: Stream) -> Iterator[Coverage]:
    for n in SIZES:
        for population in pairs_of_candidates():
            yield from coverage_of_differences(population, n, samples, NAMES, stream(population, n))
    name, TWENTY = "20 x 20, 40 % and 60 % mixed", np.full(20, 0.05)
    many = Population(name=name, shares=together(blurred(TWENTY, 0.4), blurred(TWENTY, 0.6)))
    for n in (300, 1_000):
        few = max(samples // 5, 1)
        yield from coverage_of_differences(many, n, few, ("nmi_sum", *OF_MAXIMA), stream(many, n))


def _purity(samples: int, stream: Stream) -> Iterator[Coverage]:
    for n in (200, 1_000):
        for population in populations():
            if "10 %" in population.name or "30 %" in population.name:
                yield from coverage_of_scores(population, n, samples, ("purity",), stream(population, n))


def many_classes() -> list[Population]:
    """Equal classes, from a few of them to more than a sample holds, and one class of nine tenths."""
    designs = [(np.full(K, 1.0 / K), mixed) for K in (5, 10, 20) for mixed in (0.2, 0.5, 0.8)]
    designs += [(np.full(50, 0.02), 0.5), (HUGE, 0.2), (HUGE, 0.5)]
    return [
        Population(
            name=f"{sizes.size} x {sizes.size}, {'sizes 18:1:1' if sizes is HUGE else 'equal sizes'},"
            f" {100 * mixed:g} % mixed",
            shares=blurred(sizes, mixed),
        )
        for sizes, mixed in designs
    ]


def _classes(samples: int, stream: Stream) -> Iterator[Coverage]:
    for n in FEW_OBJECTS:
        for population in many_classes():
            for names, share in ((SMOOTH, 2), (OF_MAXIMA, 5)):
                few = max(samples // share, 1)
                yield from coverage_of_scores(population, n, few, names, stream(population, n))


def _control(samples: int, stream: Stream) -> Iterator[Coverage]:
    split = Population(
        name="3 x 3, a large class split",
        shares=np.array([[0.02, 0.04, 0.0], [0.0, 0.0, 0.15], [0.42, 0.37, 0.0]]),
    )
    for population in (split, *(each for each in populations() if each.name.startswith("4 x 8"))):
        for fixed in (False, True):
            yield from coverage_of_scores(
                population, 1_000, samples, ("rand", "jaccard"), stream(population, 1_000), fixed=fixed
            )


PARTS = {
    "scores": _scores,
    "classes": _classes,
    "differences": _differences,
    "purity": _purity,
    "control": _control,
}
"""Parts of the study; in the last, each population has intervals as they are, and those of the control."""


def main(arguments: list[str] | None = None) -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--seed", type=int, default=2014)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=tuple(PARTS))
    parser.add_argument("--folder", type=Path, default=HERE)
    options = parser.parse_args(arguments)

    def stream(population: Population, n: int) -> np.random.Generator:
        return np.random.default_rng([options.seed, n, zlib.crc32(population.name.encode())])

    kept = options.folder / "results.csv"
    text = kept.read_text(encoding="utf-8") if kept.exists() else ""
    rows = csv.DictReader(text.splitlines())
    found: list[dict[str, Any]] = [row for row in rows if row["part"] not in options.only]
    for part in options.only:
        for coverage in PARTS[part](options.samples, stream):
            found.append({"part": part} | asdict(coverage))
            print(coverage, file=sys.stderr, flush=True)
    write_whole(kept, as_csv(found))


if __name__ == "__main__":
    main()
