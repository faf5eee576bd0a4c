"""Intervals and tests if objects come in groups alike within: ``python -m experiments.coverage.groups``.

Donors of cells, documents of mentions: a clusterer is good in some and bad in others. Groups are drawn from a
population of groups, and objects within each. Counted is how often intervals of 95 % hold the population's
score, by groups and, of 12 groups, by objects taken for independent as the control; how often one or another
of equally good candidates loses the mark of those that are not significantly worse than the best; and how
often the difference of two candidates is significant at 5 %. Writes `groups.csv`, in three quarters of an
hour.
"""

import argparse
import math
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np

import chancecorr as cc
from chancecorr.machine.arrays import Floats, Integers
from experiments.common.kept import write_whole
from experiments.common.report import as_csv
from experiments.coverage.simulate import adjusted_limit

HERE = Path(__file__).parent
CLUSTERS = 4
GROUPS_OF_THE_POPULATION = 400_000
NUMBERS_OF_GROUPS = (5, 12, 30)
CONTROL = 12
"""Groups of the samples of which intervals are also made by objects."""

OF_MANY_GROUPS = ("rand", "purity")
"""Indices that are measured with more groups: their expected values take no time."""

NAMES = {"rand": "ARI", "mutual_information": "AMI", "jaccard": "Jaccard", "purity": "purity"}

Quality = Callable[[int, np.random.Generator], Floats]


class Design(NamedTuple):
    """How good the candidates are in each group, and how many objects a group has."""

    first: Quality
    second: Quality
    sizes: Callable[[int, np.random.Generator], Integers]


def forty(n: int, rng: np.random.Generator) -> Integers:
    """Groups of 40 objects."""
    return np.full(n, 40)


def lognormal(n: int, rng: np.random.Generator) -> Integers:
    """Groups of 5 objects and more, mostly 15 to 75, some of 300."""
    return np.maximum(5, np.rint(rng.lognormal(3.5, 0.8, n))).astype(np.int64)


def normal(mean: float, std: float) -> Quality:
    """Shares of objects that go by the reference: normal, cut at 0 and 1."""
    return lambda n, rng: np.clip(rng.normal(mean, std, n), 0.0, 1.0)


def heavy_tailed(n: int, rng: np.random.Generator) -> Floats:
    """Mostly about 0.75, and far less in a few groups: Student's t with two degrees of freedom."""
    found: Floats = np.clip(0.8 - 0.08 * np.abs(rng.standard_t(2, n)), 0.0, 1.0)
    return found


def good_or_bad(n: int, rng: np.random.Generator) -> Floats:
    """0.95 in half of the groups, 0.35 in the others."""
    return np.where(rng.random(n) < 0.5, 0.95, 0.35)


DESIGNS = {
    "normal": Design(normal(0.7, 0.15), normal(0.6, 0.15), forty),
    "heavy tails": Design(heavy_tailed, normal(0.6, 0.15), forty),
    "good or bad": Design(good_or_bad, normal(0.6, 0.15), forty),
    "unequal sizes": Design(normal(0.7, 0.15), normal(0.6, 0.15), lognormal),
}


def shares_of(design: Design, n: int, rng: np.random.Generator) -> tuple[Floats, Integers]:
    """Shares of the cells of reference, first and second candidate in n groups, and their sizes."""
    reference = rng.dirichlet(np.full(CLUSTERS, 3.0), size=n)
    joint = reference[:, :, None, None]
    for axis, quality in enumerate((design.first, design.second)):
        q = quality(n, rng)[:, None, None]
        elsewhere = rng.dirichlet(np.full(CLUSTERS, 2.0), size=n)[:, None, :]
        given = q * np.eye(CLUSTERS) + (1.0 - q) * elsewhere
        joint = joint * (given[:, :, :, None] if axis == 0 else given[:, :, None, :])
    return joint, design.sizes(n, rng)


def truths_of(design: Design, rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """Adjusted scores of both candidates in the population, by index."""
    total = np.zeros((CLUSTERS,) * 3)
    for _ in range(40):
        joint, sizes = shares_of(design, GROUPS_OF_THE_POPULATION // 40, rng)
        total += np.einsum("gijk,g->ijk", joint, sizes.astype(np.float64))
    total /= total.sum()
    return {
        name: (adjusted_limit(name, total.sum(axis=2)), adjusted_limit(name, total.sum(axis=1)))
        for name in NAMES
    }


def sampled(
    design: Design, n: int, rng: np.random.Generator
) -> tuple[Integers, Integers, Integers, Integers]:
    """Reference, both candidates and group of each object, in a sample of n groups."""
    joint, sizes = shares_of(design, n, rng)
    cells = [
        rng.multinomial(1, each.ravel(), size=size).argmax(axis=1)
        for each, size in zip(joint, sizes, strict=True)
    ]
    labels = np.unravel_index(np.concatenate(cells), (CLUSTERS,) * 3)
    return labels[0], labels[1], labels[2], np.repeat(np.arange(n), sizes)


def coverage(name: str, n: int, samples: int) -> list[dict[str, Any]]:
    """How often intervals hold the scores and the difference of a design's population, index by index."""
    design = DESIGNS[name]
    truths = truths_of(design, np.random.default_rng(1))
    rng = np.random.default_rng([n, zlib.crc32(name.encode())])
    held: dict[tuple[str, str], list[float]] = {}
    names = list(NAMES) if n <= CONTROL else list(OF_MANY_GROUPS)
    ways = ("groups", "objects") if n == CONTROL else ("groups",)
    for _ in range(samples):
        reference, first, second, groups = sampled(design, n, rng)
        candidates = {"first": first, "second": second}
        for way in ways:
            by = groups if way == "groups" else None
            found = cc.compare(reference, candidates, names, groups=by, correction=None, rng=0, n_tables=100)
            for index in names:
                truth, other = truths[index]
                interval = found["first"][index].interval
                held.setdefault((index, way), []).append(_holds(interval, truth))
                difference = found.difference("first", "second", index=index).interval
                held.setdefault((index, way + ", difference"), []).append(_holds(difference, truth - other))
    return [
        write_row("held", name, n, NAMES[index], way, samples, average_known(each))
        for (index, way), each in held.items()
    ]


def average_known(held: list[float]) -> float:
    """Mean of what is not nan."""
    return math.nan if np.isnan(held).all() else float(np.nanmean(held))


def _holds(interval: Any, truth: float) -> float:
    """1 or 0; nan without an interval."""
    return math.nan if math.isnan(interval.low) else float(interval.low <= truth <= interval.high)


class Marks(NamedTuple):
    """So many candidates that have a share of the objects right, in samples of objects or of groups."""

    candidates: int
    objects: int
    right: float = 0.7
    groups: int = 0


class Pair(NamedTuple):
    """Two candidates, by the share of a group's objects that each has right."""

    name: str
    first: Quality
    second: Quality
    equal: bool


def perfect(n: int, rng: np.random.Generator) -> Floats:
    """All objects right in all groups."""
    return np.ones(n)


def mostly_perfect(n: int, rng: np.random.Generator) -> Floats:
    """All right in nine of ten groups, 60 % in the others, of which half of the samples of 6 have none."""
    return np.where(rng.random(n) < 0.9, 1.0, 0.6)


OBJECTS = 40  # of a group
MARKS = (
    Marks(8, 300),
    Marks(2, 300),
    Marks(8, 60),
    Marks(8, 300, 0.95),
    Marks(8, 300, 0.0),
    *(Marks(8, OBJECTS * groups, 0.7, groups) for groups in (6, 12, 30)),
)
PAIRS = (
    Pair("normal", normal(0.7, 0.15), normal(0.7, 0.15), True),
    Pair("good or bad", good_or_bad, good_or_bad, True),
    Pair("mostly perfect", mostly_perfect, mostly_perfect, True),
    Pair("perfect and 0.73", perfect, normal(0.73, 0.03), False),
    Pair("perfect and 0.9", perfect, normal(0.9, 0.05), False),
    Pair("0.8 and 0.7", normal(0.8, 0.1), normal(0.7, 0.1), False),
)
GROUPS_OF_PAIRS = (6, 12, 30)


def draw_candidate(right: Floats, reference: Integers, rng: np.random.Generator) -> Integers:
    """A candidate that has each object right with its probability, and else in any cluster."""
    anew = rng.integers(0, CLUSTERS, reference.size)
    return np.where(rng.random(reference.size) < right, reference, anew)


def count_lost_marks(case: Marks, samples: int, seed: int) -> dict[str, Any]:
    """How often one or another of equally good candidates loses its mark."""
    rng, lost = np.random.default_rng([seed, case.candidates, case.objects, case.groups]), 0
    for _ in range(samples):
        reference = rng.integers(0, CLUSTERS, case.objects)
        groups = np.arange(case.objects) % case.groups if case.groups else None
        right = [
            np.full(case.objects, case.right)
            if groups is None
            else normal(case.right, 0.15)(case.groups, rng)[groups]
            for _ in range(case.candidates)
        ]
        candidates = [draw_candidate(share, reference, rng) for share in right]
        found = cc.compare(reference, candidates, groups=groups, correction=None)
        lost += not all(found[k].among_best for k in found)
    name = f"{case.candidates} with {case.right:g} right, {case.objects} objects"
    by = "groups" if case.groups else "objects"
    return write_row("lost mark", name, case.groups, "ARI", by, samples, lost / samples)


def count_significant(pair: Pair, groups: int, samples: int, seed: int) -> dict[str, Any]:
    """How often the difference of two candidates is significant at 5 %, by groups; an unknown one is not."""
    rng, found = np.random.default_rng([seed, groups, len(pair.name)]), 0
    of_object = np.repeat(np.arange(groups), OBJECTS)
    for _ in range(samples):
        reference = rng.integers(0, CLUSTERS, of_object.size)
        candidates = [
            draw_candidate(quality(groups, rng)[of_object], reference, rng)
            for quality in (pair.first, pair.second)
        ]
        comparison = cc.compare(reference, candidates, groups=of_object, correction=None)
        found += comparison.difference(0, 1).p_value <= 0.05
    name = pair.name + ", equal" * pair.equal
    return write_row("significant", name, groups, "ARI", "groups", samples, found / samples)


def write_row(*values: Any) -> dict[str, Any]:
    """A row of the results."""
    names = ("measure", "candidates", "groups", "index", "by", "samples", "share")
    return dict(zip(names, values, strict=True))


def main() -> None:
    """Measure, and write the file."""
    parser = argparse.ArgumentParser(description="Intervals and tests by groups.")
    parser.add_argument("--samples", type=int, default=400, help="of intervals; 250 of tests")
    samples = parser.parse_args().samples
    tests = max(1, samples * 5 // 8)
    work = [joblib.delayed(coverage)(name, n, samples) for n in NUMBERS_OF_GROUPS for name in DESIGNS]
    work += [
        joblib.delayed(count_lost_marks)(case, tests * (1 if k else 4), 2014) for k, case in enumerate(MARKS)
    ]
    work += [
        joblib.delayed(count_significant)(pair, n, tests, 2014) for pair in PAIRS for n in GROUPS_OF_PAIRS
    ]
    found = joblib.Parallel(n_jobs=-1, verbose=10)(work)
    rows = [row for part in found for row in (part if isinstance(part, list) else [part])]
    write_whole(HERE / "groups.csv", as_csv(rows))


if __name__ == "__main__":
    main()
