"""Which indices are the same once corrected for chance, on random margins of many kinds.

``python -m experiments.checks.equivalents`` takes half a minute. With the margins fixed, an index that is an
affine function of another one, ``y = alpha + beta x`` with alpha and beta from the cluster sizes, has the
same adjusted score, provided that the best values correspond. Here the adjusted scores of all indices, by the
default correction, are computed on some hundred margins: small ones, sparse tables, one huge cluster beside
small ones, the same sizes on both sides so that the best value is attained, two clusters of up to a thousand
objects, and dense tables too many to be listed. Printed are the classes of indices that agree on all tables,
and for each the class that is nearest to it, with the table on which the two differ most.

Expected values are sums over all tables. Where these are too many, they come from the law of T, which leaves
out at most 1e-12 of its mass, and in closed form for sums over cells; other indices are left out there. An
index that is infinite or undefined on a table, however improbable, has no adjusted score with these margins,
as in `adjust`. Two indices are compared on the tables where both have one; that one of two has none on some
table does not make them different.

Adjusted scores are taken for equal when they differ by less than `TOLERANCE`, relative to the larger of the
two or to 1. The last lines say how far the differences within classes stay below it, and those between
classes above, and whether the classes are those that the entries of the catalogue claim.
"""

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

import chancecorr as cc
from chancecorr.catalogue.equivalences import corrected_classes, reason
from chancecorr.correction.against import rounding
from chancecorr.correction.best import best_value
from chancecorr.exact.laws.enumeration import pair_sum_law, table_law
from chancecorr.exact.moments.summary import law_moments
from chancecorr.indices import Index
from chancecorr.indices.evaluation import values_of_pair_sums
from chancecorr.indices.registry import FAMILIES
from chancecorr.kinds import kind_of
from chancecorr.kinds.methods import MEAN_ONLY
from chancecorr.machine.arrays import Floats, Integers

TOLERANCE = 1e-9

MOST_LISTED = 3_000
"""Tables that are listed for an expected value."""

COMPARED = 40
"""Tables with the same margins on which indices are compared."""

KINDS = ("small", "sparse", "one huge", "same sizes", "two clusters", "dense")


class Seen(NamedTuple):
    """Adjusted scores of all indices, shape (indices, tables), nan where there is none, and the tables."""

    scores: Floats
    tables: list[Integers]


class Apart(NamedTuple):
    """Where two indices differ most: by how much, relative to the larger score or 1, and on which table."""

    difference: float
    table: int


def catalogue() -> list[Index]:
    """Indices of the catalogue, in the order of their names."""
    names = (name for family in FAMILIES[:-1] for name in cc.list_indices(family))
    return [cc.get_index(name) for name in sorted(names)]


def random_margins(kind: str, rng: np.random.Generator) -> cc.Margins:
    """Cluster sizes of a kind."""
    K, Q = (int(k) for k in rng.integers(2, 5, size=2))
    if kind == "small":
        n = int(rng.integers(5, 14))
        return cc.Margins(sizes(n, K, 3.0, rng), sizes(n, Q, 3.0, rng))
    if kind == "sparse":
        n = int(rng.integers(6, 9))
        return cc.Margins(sizes(n, n // 2 + 1, 3.0, rng), sizes(n, n // 2, 3.0, rng))
    if kind == "one huge":
        small = [int(x) for x in rng.integers(1, 3, size=K)]
        n = sum(small) + int(rng.integers(10, 40))
        return cc.Margins([n - sum(small), *small], sizes(n, 2, 0.5, rng))
    if kind == "same sizes":
        both = sizes(int(rng.integers(5, 14)), min(K, 3), 3.0, rng)
        return cc.Margins(both, both)
    if kind == "two clusters":
        n = int(rng.integers(20, 1000))
        return cc.Margins(sizes(n, 2, 1.0, rng), sizes(n, 2 + int(n < 100), 1.0, rng))
    n = int(rng.integers(40, 70))
    return cc.Margins(sizes(n, 3, 5.0, rng), sizes(n, 1 + Q, 5.0, rng))


def sizes(n: int, k: int, evenness: float, rng: np.random.Generator) -> list[int]:
    """K cluster sizes above 0 with sum n, the more even the larger `evenness`."""
    found: list[int] = (1 + rng.multinomial(n - k, rng.dirichlet([evenness] * k))).tolist()
    return found


def adjusted_scores(entries: Sequence[Index], margins: cc.Margins, rng: np.random.Generator) -> Seen:
    """Adjusted scores of indices on tables with these margins, a sample of them where they are many."""
    try:
        tables, probabilities = table_law(margins, MOST_LISTED)
    except ValueError:
        tables = cc.sample_tables(margins, COMPARED, rng=rng)
        means = list(means_without_tables(entries, margins))
    else:
        means = [mean_over_tables(entry, margins, tables, probabilities) for entry in entries]
        if len(tables) > COMPARED:
            tables = tables[rng.choice(len(tables), size=COMPARED, replace=False)]
    scores = np.full((len(entries), len(tables)), math.nan)
    for entry, mean, row in zip(entries, means, scores, strict=True):
        best = math.nan if entry.constant else best_value(entry, margins, None)
        room = best - mean
        if math.isfinite(room) and abs(room) > rounding(best, mean):
            row[:] = (kind_of(entry).values(entry, tables, margins) - mean) / room
    return Seen(scores, list(tables))


def mean_over_tables(entry: Index, margins: cc.Margins, tables: Integers, probabilities: Floats) -> float:
    """Expected value from all tables; nan where the index is constant, or not finite on one of them."""
    values = kind_of(entry).values(entry, tables, margins)
    if not np.isfinite(values).all() or np.ptp(values) <= rounding(float(np.abs(values).max())):
        return math.nan
    return math.fsum(probabilities * values)


def means_without_tables(entries: Sequence[Index], margins: cc.Margins) -> Iterator[float]:
    """Expected values from the law of T, and in closed form; nan for other indices."""
    law = pair_sum_law(margins)
    for entry in entries:
        kind = kind_of(entry)
        if kind.goes_by_pair_sum:
            yield law_moments(values_of_pair_sums(entry, law.values, margins), law.probabilities).mean
        else:
            known = kind.moments(entry, margins, MEAN_ONLY)
            yield known.moments.mean if known is not None else math.nan


def all_scores(entries: Sequence[Index], every: Iterable[cc.Margins], seed: int) -> Seen:
    """Adjusted scores on all margins, one after another."""
    rng = np.random.default_rng(seed)
    seen = [adjusted_scores(entries, margins, rng) for margins in every]
    return Seen(np.hstack([each.scores for each in seen]), [t for each in seen for t in each.tables])


def differences(scores: Floats) -> list[list[Apart | None]]:
    """Where each two indices differ most; None for two that have no table in common."""
    found: list[list[Apart | None]] = []
    for row in scores:
        with np.errstate(invalid="ignore"):
            apart = np.abs(scores - row) / np.maximum(1.0, np.maximum(np.abs(scores), np.abs(row)))
        apart[np.isnan(apart)] = -1.0
        places = apart.argmax(axis=1)
        most = apart[np.arange(len(scores)), places]
        pairs = zip(most.tolist(), places.tolist(), strict=True)
        found.append([Apart(most, place) if most >= 0.0 else None for most, place in pairs])
    return found


def classes(scores: Floats, apart: list[list[Apart | None]]) -> list[list[int]]:
    """Indices that agree on all tables, by their places; those that are never adjusted are left out."""
    found: list[list[int]] = []
    for i in np.flatnonzero(~np.isnan(scores).all(axis=1)).tolist():
        for members in found:
            agree = {
                each is not None and each.difference < TOLERANCE for each in (apart[i][j] for j in members)
            }
            if len(agree) > 1:
                raise ValueError(f"Index {i} agrees with some of the indices {members} only.")
            if agree == {True}:
                members.append(i)
                break
        else:
            found.append([i])
    return sorted(found, key=len, reverse=True)


def nearest_class(
    members: list[int], found: list[list[int]], apart: list[list[Apart | None]]
) -> tuple[int, Apart]:
    """First index of the class that differs least from this one, and where the two differ most."""
    others = [(other[0], apart[members[0]][other[0]]) for other in found if other is not members]
    known = [(other, each) for other, each in others if each is not None]
    if len(known) < len(others):
        raise ValueError(f"Index {members[0]} has no table in common with that of some other class.")
    return min(known, key=lambda pair: pair[1].difference)


def main() -> None:
    """Print the classes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--margins", type=int, default=300)
    parser.add_argument("--seed", type=int, default=2014)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    entries = catalogue()
    names = [entry.name for entry in entries]
    every = [random_margins(KINDS[number % len(KINDS)], rng) for number in range(options.margins)]
    seen = all_scores(entries, every, options.seed)
    apart = differences(seen.scores)
    found = classes(seen.scores, apart)
    why = {frozenset(members): reason(name) for name, members in corrected_classes(FAMILIES[:-1]).items()}
    within, between = 0.0, math.inf
    for members in found:
        shared = [apart[i][j] for i in members for j in members]
        within = max(within, *(each.difference for each in shared if each is not None))
        other, nearest = nearest_class(members, found, apart)
        between = min(between, nearest.difference)
        one, two = seen.scores[[members[0], other], nearest.table].tolist()
        claim = why.get(frozenset(names[i] for i in members), "NOT as the entries say")
        print(f"{len(members):2}  {', '.join(names[i] for i in members)}")
        if len(members) > 1:
            print(f"      {claim}")
        print(f"      nearest: {names[other]}, {one:.6g} against {two:.6g}", end="")
        print(f" on {seen.tables[nearest.table].tolist()}")
    never = [name for name, row in zip(names, seen.scores, strict=True) if np.isnan(row).all()]
    shared_by = [len(members) for members in found if len(members) > 1]
    as_claimed = {frozenset(names[i] for i in members) for members in found} == why.keys()
    print(f"{len(every)} margins, {len(seen.tables)} tables, seed {options.seed}")
    print(f"never adjusted: {', '.join(never)}")
    print(f"{sum(map(len, found))} indices in {len(found)} classes: {len(shared_by)} of two or more indices,")
    print(f"  {sum(shared_by)} in all, and {len(found) - len(shared_by)} of one")
    print(f"largest difference within a class: {within:.1e}; tolerance {TOLERANCE:.0e}")
    print(f"least difference of two classes, each on the table where it is largest: {between:.1e}")
    print(f"these are{'' if as_claimed else ' NOT'} the classes that the entries claim")


if __name__ == "__main__":
    main()
