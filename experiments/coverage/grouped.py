"""``python -m experiments.coverage.grouped``: coverage where objects come in groups that are alike within.

Donors of cells, documents of mentions: a clusterer is good in some and bad in others. Groups are drawn from a
population of groups, and objects within each; the population's score is that of the mean cell shares, from
400,000 groups. Counted is how often intervals of 95 % hold it, by groups and, of 12 groups, by objects taken
for independent as the control. Writes `grouped.json` and `grouped.md`, in a quarter of an hour.
"""

import argparse
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np

import chancecorr as cc
from chancecorr.machine.arrays import Floats, Integers
from experiments.common.kept import write_json
from experiments.coverage.populations import adjusted_limit

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
        {
            "design": name,
            "groups": n,
            "index": NAMES[index],
            "by": way,
            "held": float(np.nanmean(each)) if not np.isnan(each).all() else math.nan,
            "none": float(np.isnan(each).mean()),
            "samples": samples,
        }
        for (index, way), each in held.items()
    ]


def _holds(interval: Any, truth: float) -> float:
    """1 or 0; nan without an interval."""
    return math.nan if math.isnan(interval.low) else float(interval.low <= truth <= interval.high)


def page(rows: Sequence[Mapping[str, Any]]) -> str:
    """The results as a page of Markdown: one table a way."""
    lines = [
        "# Coverage where objects come in groups",
        "",
        f"Share of {rows[0]['samples']} intervals of 95 % that hold the population's score or difference.",
        "Written by `python -m experiments.coverage.grouped`.",
        "",
        f"By groups, 12 and more of them: {_range(rows, 'groups', 12)}; of 5 groups:"
        f" {_range(rows, 'groups', 5, 5)}."
        f" By objects, of {CONTROL} groups: {_range(rows, 'objects', CONTROL)}.",
    ]
    for way in ("groups", "groups, difference", "objects", "objects, difference"):
        title = f"By {way}" if "difference" not in way else f"Differences, by {way.split(',')[0]}"
        lines += ["", f"## {title}", "", f"| design | groups | {' | '.join(NAMES.values())} |"]
        lines.append("| :-- | --: " + "| --: " * len(NAMES) + "|")
        for design in DESIGNS:
            for n in NUMBERS_OF_GROUPS:
                found = {
                    r["index"]: r for r in rows if (r["design"], r["groups"], r["by"]) == (design, n, way)
                }
                if found:
                    held = [f"{100 * found[x]['held']:.1f}" if x in found else "" for x in NAMES.values()]
                    cells = " | ".join(held)
                    lines.append(f"| {design} | {n} | {cells} |")
    return "\n".join(lines) + "\n"


def _range(rows: Sequence[Mapping[str, Any]], way: str, fewest: int, most: float = math.inf) -> str:
    """Lowest and highest share of scores and of differences, in percent."""
    held = [
        100 * row["held"]
        for row in rows
        if row["by"].startswith(way) and fewest <= row["groups"] <= most and not math.isnan(row["held"])
    ]
    return f"{min(held):.1f} to {max(held):.1f} %"


def main() -> None:
    """Measure, and write the two files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=400)
    samples = parser.parse_args().samples
    cases = [(name, n) for n in NUMBERS_OF_GROUPS for name in DESIGNS]
    found = joblib.Parallel(n_jobs=-1, verbose=10)(joblib.delayed(coverage)(*each, samples) for each in cases)
    rows = [row for each in found for row in each]
    write_json(HERE / "grouped.json", {"samples": samples, "rows": rows})
    (HERE / "grouped.md").write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
