"""``python -m experiments.coverage.candidates``: tests between candidates, their level and their power.

Two questions, each asked of many samples. Marks: of m equally good candidates, how often does one or another
lose the mark of those that are not significantly worse than the best? It should be 5 %. Differences by
groups: of two equally good candidates, how often is the difference significant at 5 %, and how often is a
perfect candidate significantly better than another? Candidates may be perfect in all groups of a sample.
Writes `candidates.json` and `candidates.md`, in half an hour on one processor.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np

import chancecorr as cc
from chancecorr.machine.arrays import Floats, Integers
from experiments.common.kept import write_json
from experiments.coverage.grouped import Quality, good_or_bad, normal

HERE = Path(__file__).parent
CLUSTERS, OBJECTS = 4, 40
"""Clusters of the reference, and objects of a group."""


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
NUMBERS_OF_GROUPS = (6, 12, 30)


def labelled(right: Floats, reference: Integers, rng: np.random.Generator) -> Integers:
    """A candidate that has each object right with its probability, and else in any cluster."""
    anew = rng.integers(0, CLUSTERS, reference.size)
    return np.where(rng.random(reference.size) < right, reference, anew)


def lost_marks(case: Marks, samples: int, seed: int) -> dict[str, Any]:
    """How often one or another of equal candidates loses its mark, and how often the first of them does."""
    rng, lost = np.random.default_rng([seed, case.candidates, case.objects, case.groups]), np.zeros(2)
    for _ in range(samples):
        reference = rng.integers(0, CLUSTERS, case.objects)
        groups = np.arange(case.objects) % case.groups if case.groups else None
        right = [_right(case, groups, rng) for _ in range(case.candidates)]
        candidates = [labelled(each, reference, rng) for each in right]
        found = cc.compare(reference, candidates, groups=groups, correction=None)
        lost += [not all(found[k].among_best for k in found), not found[0].among_best]
    return {
        **case._asdict(),
        "samples": samples,
        "lost": lost[0] / samples,
        "lost_by_first": lost[1] / samples,
    }


def _right(case: Marks, groups: Integers | None, rng: np.random.Generator) -> Floats:
    if groups is None:
        return np.full(case.objects, case.right)
    return normal(case.right, 0.15)(case.groups, rng)[groups]


def significant(pair: Pair, groups: int, samples: int, seed: int) -> dict[str, Any]:
    """How often the difference of two candidates is significant at 5 %, by groups; an unknown one is not."""
    rng, found = np.random.default_rng([seed, groups, len(pair.name)]), 0
    of_object = np.repeat(np.arange(groups), OBJECTS)
    for _ in range(samples):
        reference = rng.integers(0, CLUSTERS, of_object.size)
        candidates = [
            labelled(quality(groups, rng)[of_object], reference, rng) for quality in (pair.first, pair.second)
        ]
        comparison = cc.compare(reference, candidates, groups=of_object, correction=None)
        found += comparison.difference(0, 1).p_value <= 0.05
    return {
        "pair": pair.name,
        "equal": pair.equal,
        "groups": groups,
        "samples": samples,
        "p": found / samples,
    }


def page(marks: Sequence[Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]]) -> str:
    """The results as a page of Markdown."""
    lines = [
        "# Tests between candidates",
        "",
        "Written by `python -m experiments.coverage.candidates`. Candidates have a share of the objects right"
        " and the others in any of four clusters; the index is the adjusted Rand index.",
        "",
        "## Marks of equally good candidates",
        "",
        "Share of the samples in which one or another of them is significantly worse than the best at 5 %,"
        " and in which the first of them is.",
        "",
        "| candidates | objects | groups | right | samples | one or another | the first |",
        "| --: | --: | --: | --: | --: | --: | --: |",
    ]
    for row in marks:
        shares = " | ".join(f"{100 * row[name]:.1f} %" for name in ("lost", "lost_by_first"))
        groups = row["groups"] or "–"
        about = f"{row['candidates']} | {row['objects']} | {groups} | {row['right']} | {row['samples']:,}"
        lines.append(f"| {about} | {shares} |")
    lines += [
        "",
        "## Differences by groups",
        "",
        f"Share of {pairs[0]['samples']:,} samples in which the difference of two candidates is significant"
        f" at 5 %, by groups of {OBJECTS} objects: the level for equal candidates, the power for others.",
        "",
        f"| candidates | {' | '.join(f'{groups} groups' for groups in NUMBERS_OF_GROUPS)} |",
        "| :-- " + "| --: " * len(NUMBERS_OF_GROUPS) + "|",
    ]
    for pair in PAIRS:
        shares = " | ".join(f"{100 * row['p']:.1f} %" for row in pairs if row["pair"] == pair.name)
        lines.append(f"| {pair.name}{', equal' if pair.equal else ''} | {shares} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, and write the two files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=2014)
    parser.add_argument("--jobs", type=int, default=-1)
    given = parser.parse_args()
    share_out = joblib.Parallel(n_jobs=given.jobs, verbose=10)
    few = max(given.samples // 4, 1)
    marks = share_out(
        joblib.delayed(lost_marks)(each, few if k else given.samples, given.seed)
        for k, each in enumerate(MARKS)
    )
    pairs = share_out(
        joblib.delayed(significant)(pair, groups, few, given.seed)
        for pair in PAIRS
        for groups in NUMBERS_OF_GROUPS
    )
    write_json(HERE / "candidates.json", {"marks": marks, "pairs": pairs})
    (HERE / "candidates.md").write_text(page(marks, pairs), encoding="utf-8")


if __name__ == "__main__":
    main()
