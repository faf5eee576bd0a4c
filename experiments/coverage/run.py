"""``python -m experiments.coverage.run`` measures coverage and writes `results.md`: a quarter of an hour."""

import argparse
import sys
import zlib
from pathlib import Path

import numpy as np

from experiments.coverage.populations import Population, blurred, together
from experiments.coverage.report import page
from experiments.coverage.simulate import Coverage, coverage_of_differences, coverage_of_scores

SIZES = (50, 200, 1_000, 5_000)
NAMES = ("rand", "jaccard", "fowlkes_mallows", "nmi_sum")
EQUAL, UNEQUAL = np.array([0.5, 0.5]), np.array([0.6, 0.3, 0.1])
FOUR, TEN = np.array([0.4, 0.3, 0.2, 0.1]), np.full(10, 0.1)


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
        shares = together(*(blurred(sizes, mixed) for mixed in mixtures))
        name = f"{kind}, {100 * mixtures[0]:g} % and {100 * mixtures[1]:g} % mixed"
        found.append(Population(name=name, shares=shares))
    return found


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=2014)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("results.md"))
    options = parser.parse_args()

    def stream(population: Population, n: int) -> np.random.Generator:
        return np.random.default_rng([options.seed, n, zlib.crc32(population.name.encode())])

    scores: list[Coverage] = []
    differences: list[Coverage] = []
    for n in options.sizes:
        for population in populations():
            scores += coverage_of_scores(population, n, options.samples, NAMES, stream(population, n))
            print(*scores[-len(NAMES) :], sep="\n", file=sys.stderr, flush=True)
        for population in pairs_of_candidates():
            differences += coverage_of_differences(
                population, n, options.samples, NAMES, stream(population, n)
            )
            print(*differences[-len(NAMES) :], sep="\n", file=sys.stderr, flush=True)
    for population in populations():
        if "10 %" in population.name or "30 %" in population.name:
            for n in set(options.sizes) & {200, 1_000}:
                samples = max(options.samples // 2, 2)
                scores += coverage_of_scores(population, n, samples, ("purity",), stream(population, n))
                print(scores[-1], file=sys.stderr, flush=True)
    options.out.write_text(page(scores, differences, options.seed), encoding="utf-8")


if __name__ == "__main__":
    main()
