"""Search small clusterings for what contradicts the stored properties of the indices.

``python -m experiments.properties [INDEX ...] [--objects 6]`` evaluates an index on all pairs of clusterings
of up to 6 objects and on all pair counts with a small sum. It fails if a property stored as proved has a
counterexample. Of an index without stored properties it prints what it refutes. Nothing is proved anew: the
reasons, and counterexamples among all clusterings of up to 8 objects, are kept in `properties.json`.
"""

import argparse
import functools
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from chancecorr.indices.registry import FAMILIES, Index

Matrix = npt.NDArray[np.float64]
Found = tuple[str, ...] | None

MAX_RELATIVE_ROUNDING = 1e-9  # values closer than this share of the largest one are equal
MAX_PAIRS = 7  # largest sum of the pair counts that are searched


def main(arguments: Sequence[str] | None = None) -> int:
    """Search the named indices, or all of them; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("index", nargs="*", help="names of indices; all without one")
    parser.add_argument("--objects", type=int, default=6, help="most objects of a clustering (6)")
    options = parser.parse_args(arguments)
    contradictions = 0
    for name in options.index or [name for family in FAMILIES[:-1] for name in cc.list_indices(family)]:
        for adjusted in (False, True):
            known = cc.catalogue.properties(name, adjusted=adjusted)
            for key, example in search_index(name, adjusted=adjusted, n_max=options.objects).items():
                form = "adjusted" if adjusted else "raw"
                if known[key].status == "proved":
                    contradictions += 1
                    print(f"{name}, {form}, {key}: stored as proved, refuted by {' | '.join(example)}")
                elif known[key].n_max == 0:
                    print(f"{name}, {form}, {key}: refuted by {' | '.join(example)}")
    print(f"{contradictions} contradictions", file=sys.stderr)
    return int(contradictions > 0)


def search_index(name: str, *, adjusted: bool, n_max: int) -> dict[str, tuple[str, ...]]:
    """Counterexamples to properties of an index, by property: clusterings, or pair counts."""
    index = cc.get_index(name)
    found: dict[str, tuple[str, ...]] = {}
    if adjusted and (index.constant or not index.can_be_adjusted):
        return found
    for n in range(3, n_max + 1):
        values = evaluate_pairs(index, n)
        scores = adjust_values(index, values, n) if adjusted else values
        view = View(n, scores if adjusted or index.larger_is_better else -scores)
        for key, search in SEARCHES.items():
            example = None if key in found else search(view)
            if example:
                found[key] = example
    if function := read_function_of_counts(index, adjusted=adjusted):
        found |= search_counts(function, larger_is_better=adjusted or index.larger_is_better)
    return found


class View(NamedTuple):
    """Scores ``values[u, v]`` of all pairs of clusterings of n objects, larger for more agreement."""

    n: int
    values: Matrix

    def differ(self, x: Matrix, y: Matrix) -> npt.NDArray[np.bool_]:
        """Where x and y are apart by more than rounding; False where one has no value."""
        scale = np.abs(self.values[np.isfinite(self.values)]).max(initial=1e-3)
        with np.errstate(invalid="ignore"):
            return np.asarray((np.abs(x - y) > MAX_RELATIVE_ROUNDING * scale) & ~np.isnan(x + y))

    def name(self, *places: int) -> tuple[str, ...]:
        """Clusterings as texts of labels."""
        return tuple("".join(map(str, list_clusterings(self.n)[place])) for place in places)


@functools.cache
def list_clusterings(n: int) -> list[tuple[int, ...]]:
    """All clusterings of n objects, as labels in order of first appearance."""
    if n == 1:
        return [(0,)]
    return [(*head, k) for head in list_clusterings(n - 1) for k in range(max(head) + 2)]


@functools.cache
def number_tables(n: int) -> tuple[npt.NDArray[np.int64], list[npt.NDArray[np.int64]]]:
    """Number of the contingency table of each pair, whatever the order of its lines, and the tables."""
    labels = list_clusterings(n)
    numbers = np.empty((len(labels), len(labels)), dtype=np.int64)
    places: dict[tuple[tuple[int, ...], ...], int] = {}
    tables: list[npt.NDArray[np.int64]] = []
    for u, v in itertools.product(range(len(labels)), repeat=2):
        table = np.zeros((max(labels[u]) + 1, max(labels[v]) + 1), dtype=np.int64)
        np.add.at(table, (labels[u], labels[v]), 1)
        by_column = table[:, np.lexsort(table)]
        key = tuple(sorted(map(tuple, by_column.tolist())))
        if key not in places:
            places[key] = len(tables)
            tables.append(table)
        numbers[u, v] = places[key]
    return numbers, tables


def evaluate_pairs(index: Index, n: int) -> Matrix:
    """Value of an index for each reference (row) and candidate (column)."""
    numbers, tables = number_tables(n)
    return np.array([cc.score_table(table, index) for table in tables])[numbers]


def adjust_values(index: Index, values: Matrix, n: int) -> Matrix:
    """``(value - mean) / (best - mean)``, the mean over all candidates with the sizes of this one."""
    means = average_by(values, list_sizes(n))
    best = np.full_like(values, np.nan if index.best is None else index.best)
    if index.best is None:
        best = (np.diag(values)[:, None] + np.diag(values)) / 2
        best[best < means] = np.nan
    with np.errstate(all="ignore"):
        room = best - means
        room[np.abs(room) <= MAX_RELATIVE_ROUNDING * np.maximum(np.abs(best), 1e-3)] = np.nan
        return np.asarray((values - means) / room)


def average_by(values: Matrix, groups: Sequence[Any]) -> Matrix:
    """Mean over the candidates of the same group, for each reference and candidate."""
    means = np.empty_like(values)
    for group in set(groups):
        members = [place for place, other in enumerate(groups) if other == group]
        with np.errstate(invalid="ignore"):
            means[:, members] = values[:, members].mean(axis=1, keepdims=True)
    return means


@functools.cache
def list_sizes(n: int) -> list[tuple[int, ...]]:
    """Cluster sizes of each clustering, largest first."""
    return [tuple(sorted(map(labels.count, set(labels)), reverse=True)) for labels in list_clusterings(n)]


def find_maximal_agreement(view: View) -> Found:
    """Two clusterings of which one is as good for the other as it is itself, or has another best value."""
    own = np.diag(view.values)
    as_good = (view.values >= own[:, None]) | ~view.differ(view.values, own[:, None])
    as_good &= ~np.isnan(view.values + own[:, None])
    np.fill_diagonal(as_good, False)
    return find_first(view, as_good | view.differ(own[:, None], own))


def find_asymmetry(view: View) -> Found:
    """Two clusterings of which the order matters."""
    return find_first(view, view.differ(view.values, view.values.T))


def find_detour(view: View) -> Found:
    """Clusterings that contradict a metric, last of all by a detour that is shorter than the direct way."""
    own = np.diag(view.values)
    if example := find_maximal_agreement(view) or find_asymmetry(view):
        return example
    distance = np.abs(own[np.isfinite(own)][0] - view.values) if np.isfinite(own).any() else view.values
    for u in range(len(distance)):
        detour = distance[:, u][:, None] + distance[u]
        if example := find_first(view, (distance > detour) & view.differ(distance, detour)):
            return (*view.name(u), *example)
    return None


def find_first(view: View, wrong: npt.NDArray[np.bool_]) -> Found:
    """The first pair of clusterings for which something is wrong."""
    places = np.argwhere(wrong)
    return view.name(*places[0]) if len(places) else None


def find_move(view: View, kinds: str, *, weakly: bool = False) -> Found:
    """A perfect merge or split towards a reference that does not raise the score; weakly: that lowers it."""
    for kind in kinds.split():
        u, before, after = list_moves(view.n)[kind]
        one, two = view.values[u, before], view.values[u, after]
        differ = view.differ(one, two) & ((two > one) if not weakly else (two < one))
        wrong = np.flatnonzero(differ if weakly else ~differ & ~np.isnan(one + two))
        if wrong.size:
            return view.name(u[wrong[0]], before[wrong[0]], after[wrong[0]])
    return None


@functools.cache
def list_moves(n: int) -> dict[str, npt.NDArray[np.int64]]:
    """Reference, candidate before and candidate after all perfect merges and splits."""
    labels = list_clusterings(n)
    places = {each: place for place, each in enumerate(labels)}
    moves: dict[str, list[tuple[int, int, int]]] = {"merge": [], "split": []}
    for fine, united in enumerate(labels):
        for one, two in itertools.combinations(sorted(set(united)), 2):
            parts = [one if label == two else label for label in united]
            coarse = places[tuple(sorted(set(parts), key=parts.index).index(label) for label in parts)]
            for u, reference in enumerate(labels):
                if max(reference) in (0, n - 1):
                    continue
                first, second = (
                    {reference[i] for i, label in enumerate(united) if label == part} for part in (one, two)
                )
                if len(first | second) == 1:
                    moves["merge"].append((u, fine, coarse))
                if not first & second:
                    moves["split"].append((u, coarse, fine))
    return {kind: np.array(each, dtype=np.int64).reshape(-1, 3).T for kind, each in moves.items()}


def find_baseline(view: View, groups: Callable[[int], Sequence[Any]], *, given_reference: bool) -> Found:
    """Clusterings of which the mean scores under chance differ; trivial clusterings are left out."""
    chosen = [place for place, sizes in enumerate(list_sizes(view.n)) if len(sizes) not in (1, view.n)]
    means = average_by(view.values, groups(view.n))[np.ix_(chosen, chosen)]
    means[~np.isfinite(means)] = np.nan
    for row in means if given_reference else means.reshape(1, -1):
        known = np.flatnonzero(~np.isnan(row))
        if known.size and (differ := view.differ(row[known], row[known[0]])).any():
            other = known[np.argmax(differ)]
            return view.name(chosen[known[0] % len(chosen)], chosen[other % len(chosen)])
    return None


def count_clusters(n: int) -> list[int]:
    """Number of clusters of each clustering."""
    return [len(sizes) for sizes in list_sizes(n)]


SEARCHES: dict[str, Callable[[View], Found]] = {
    "maximal_agreement": find_maximal_agreement,
    "symmetric": find_asymmetry,
    "metric": find_detour,
    "monotone": functools.partial(find_move, kinds="merge split"),
    "monotone_merging": functools.partial(find_move, kinds="merge"),
    "monotone_splitting": functools.partial(find_move, kinds="split"),
    "weakly_monotone": functools.partial(find_move, kinds="merge split", weakly=True),
    "constant_baseline": functools.partial(find_baseline, groups=list_sizes, given_reference=False),
    "constant_baseline_given_reference": functools.partial(
        find_baseline, groups=list_sizes, given_reference=True
    ),
    "free_of_cluster_number": functools.partial(find_baseline, groups=count_clusters, given_reference=True),
}

Function = Callable[..., Matrix]


def read_function_of_counts(index: Index, *, adjusted: bool) -> Function | None:
    """The index as a function of the pair counts, adjusted where it is affine in them; None if it is none."""
    index = cc.get_index(index.corrected_as) if adjusted and index.corrected_as else index
    if index.needs != "pairs" or index.with_totals or (adjusted and not index.affine):
        return None

    def evaluate(*counts: Matrix) -> Matrix:
        with np.errstate(all="ignore"):
            return np.asarray(index.function(*counts), dtype=np.float64) + 0.0 * counts[0]

    def evaluate_adjusted(a: Matrix, b: Matrix, c: Matrix, d: Matrix) -> Matrix:
        P, Q, N = a + b, a + c, a + b + c + d
        mean = evaluate(P * Q / N, P * (N - Q) / N, (N - P) * Q / N, (N - P) * (N - Q) / N)
        own = evaluate(P, 0.0 * P, 0.0 * P, N - P) + evaluate(Q, 0.0 * Q, 0.0 * Q, N - Q)
        best = own / 2 if index.best is None else index.best + 0.0 * P
        with np.errstate(all="ignore"):
            room = np.where(np.abs(best - mean) > 1e-12 * np.abs(best), best - mean, np.nan)
            return np.asarray((evaluate(a, b, c, d) - mean) / room)

    return evaluate_adjusted if adjusted else evaluate


def search_counts(function: Function, *, larger_is_better: bool) -> dict[str, tuple[str, ...]]:
    """Counterexamples among all pair counts (a, b, c, d) with a small sum."""
    every = [c for c in itertools.product(range(MAX_PAIRS + 1), repeat=4) if 0 < sum(c) <= MAX_PAIRS]
    values = function(*np.array(every, dtype=np.float64).T) * (1 if larger_is_better else -1)
    score = dict(zip(every, values.tolist(), strict=True))
    rounding = MAX_RELATIVE_ROUNDING * np.abs(values[np.isfinite(values)]).max(initial=1e-3)
    found: dict[str, tuple[str, ...]] = {}
    for key, steps in (("strongly_monotone", list_count_steps), ("monotone_in_counts", list_count_moves)):
        for worse, better in itertools.chain.from_iterable(map(steps, every)):
            if worse in score and better in score and score[better] - score[worse] <= rounding:
                found.setdefault(key, (str(worse), str(better)))
    for N in range(1, MAX_PAIRS + 1):
        apart = [c for c in every if sum(c) == N and c[0] == c[3] == 0 and not np.isnan(score[c])]
        for one, two in itertools.product(apart[:1], (c for c in every if sum(c) == N)):
            rise = score[two] - score[one]
            if abs(rise) > rounding if two in apart else rise <= rounding:
                found.setdefault("minimal_agreement", (str(one), str(two)))
    return found


def list_count_steps(counts: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Counts with one pair more in one of the four, the worse first."""
    a, b, c, d = counts
    for place, matters in enumerate((b + c, a + d, a + d, b + c)):
        more = tuple(count + (k == place) for k, count in enumerate(counts))
        if matters:
            yield (counts, more) if place in (0, 3) else (more, counts)


def list_count_moves(counts: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Counts before and after one pair passes from b or c to a or d."""
    for origin, target in itertools.product((1, 2), (0, 3)):
        if counts[origin]:
            yield counts, tuple(count + (k == target) - (k == origin) for k, count in enumerate(counts))


if __name__ == "__main__":
    sys.exit(main())
