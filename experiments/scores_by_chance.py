"""``python -m experiments.scores_by_chance``: adjusted scores of random clusterings under each model.

A model takes something from the two clusterings that are compared: their sizes, their numbers of clusters or
their shares. Of clusterings drawn from a model it takes what these have, so that the expected value differs
from pair to pair, and the score need not be 0 on average (Lippitt, Bedrick & Carlson 2026, arXiv:2601.10641).
Pairs are drawn from each model for three clusters of equal sizes and scored under the same model: all pairs
of few objects, each with its probability. Prints a row for each index and model.
"""

import argparse
import itertools
import math
from collections import Counter, defaultdict
from functools import cache
from typing import NamedTuple

import numpy as np

import chancecorr as cc
from chancecorr.chance.engine import engine_of
from chancecorr.chance.fixed_margins import best_value
from chancecorr.exact.summary import score_index
from chancecorr.machine.arrays import Floats
from chancecorr.sampling.models import MODELS
from chancecorr.tables.contingency import Margins

INDICES = ("rand", "jaccard", "mutual_information", "nmi_sum", "purity")
WITH_EXACT_MEANS = ("rand", "mutual_information")

Sizes = tuple[int, ...]


class Law(NamedTuple):
    """Scores of pairs of clusterings by chance, with their probabilities; nan where there is none."""

    scores: Floats
    p: Floats

    def row(self) -> dict[str, str]:
        """Mean, standard deviation and 99 % point of the scores that there are, and how many are none."""
        known = np.isfinite(self.scores)
        scores, p = self.scores[known], self.p[known] / self.p[known].sum()
        mean = float(p @ scores)
        order = np.argsort(scores)
        at = min(int(np.searchsorted(np.cumsum(p[order]), 0.99 - 1e-12)), scores.size - 1)
        numbers = mean, math.sqrt(float(p @ (scores - mean) ** 2)), float(scores[order][at])
        names = "mean", "standard deviation", "99 % point"
        shown = {name: f"{round(number, 3) + 0.0:.3f}" for name, number in zip(names, numbers, strict=True)}
        return shown | {"none, %": f"{100 * float(self.p[~known].sum()):.1f}"}


@cache
def partitions(n: int) -> dict[Sizes, list[tuple[int, ...]]]:
    """Partitions of n objects by their sizes, the clusters of each numbered from the largest."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(n):
        found = [(*labels, new) for labels in found for new in range(max(labels, default=-1) + 2)]
    by_sizes: dict[Sizes, list[tuple[int, ...]]] = defaultdict(list)
    for labels in found:
        counts = Counter(labels)
        number = {label: k for k, label in enumerate(sorted(counts, key=lambda each: (-counts[each], each)))}
        by_sizes[tuple(sorted(counts.values(), reverse=True))].append(tuple(number[x] for x in labels))
    return by_sizes


@cache
def law_of_side(kind: str, sizes: Sizes) -> dict[Sizes, float]:
    """Sizes that a side of a model, by its name, can have, and their probabilities."""
    n, every = sum(sizes), partitions(sum(sizes))
    if kind == "fixed":
        return {sizes: 1.0}
    if kind == "multinomial":
        found: dict[Sizes, float] = defaultdict(float)
        for drawn in itertools.product(range(n + 1), repeat=len(sizes)):
            if sum(drawn) == n:
                ways = math.factorial(n) // math.prod(map(math.factorial, drawn))
                p = ways * math.prod((s / n) ** x for s, x in zip(sizes, drawn, strict=True))
                found[tuple(sorted((x for x in drawn if x), reverse=True))] += p
        return dict(found)
    kept = {each: len(rows) for each, rows in every.items() if kind != "fixed-k" or len(each) == len(sizes)}
    return {each: count / sum(kept.values()) for each, count in kept.items()}


@cache
def values(name: str, rows: Sizes, columns: Sizes) -> Floats:
    """Values of an index for one partition with the row sizes, and all with the column sizes."""
    first = np.array(partitions(sum(rows))[rows][0])
    second = np.array(partitions(sum(rows))[columns])
    tables = np.zeros((len(second), len(rows), len(columns)), dtype=np.int64)
    np.add.at(tables, (np.arange(len(second))[:, None], first, second), 1)
    index = cc.get_index(name)
    return engine_of(index).values(index, tables, Margins(rows, columns))


def listed(name: str, model_name: str, base: Sizes, *, without_rule: bool = False) -> Law:
    """Scores of all pairs; without the rule that there is none where the best value is below the mean."""
    index, model = cc.get_index(name), MODELS[model_name]
    scores, p = [], []
    for rows, p_rows in law_of_side(model.rows.name, base).items():
        for columns, p_columns in law_of_side(model.columns.name, base).items():
            mean = expected(name, model_name, rows, columns)
            best = best_value(index, Margins(rows, columns), None)
            drawn = values(name, rows, columns)
            if without_rule:
                scores.append((drawn - mean) / (best - mean))
            else:
                constant = model.keeps_margins and bool(np.ptp(drawn) == 0.0)
                scores.append(
                    np.array([score_index(index, x, best, mean, constant=constant) for x in drawn.tolist()])
                )
            p.append(np.full(drawn.size, p_rows * p_columns / drawn.size))
    return Law(np.concatenate(scores), np.concatenate(p))


@cache
def expected(name: str, model_name: str, rows: Sizes, columns: Sizes) -> float:
    """Mean of an index under the model that two clusterings of these sizes give."""
    model, n = MODELS[model_name], sum(rows)
    if engine_of(cc.get_index(name)).name in ("pairs", "cells") and name in WITH_EXACT_MEANS and n > 1:
        mean = engine_of(cc.get_index(name)).mean_under(cc.get_index(name), Margins(rows, columns), model)
        return math.nan if mean is None else mean
    sides = law_of_side(model.rows.name, rows), law_of_side(model.columns.name, columns)
    return math.fsum(
        p * q * float(values(name, a, b).mean()) for a, p in sides[0].items() for b, q in sides[1].items()
    )


def equal(n: int) -> Sizes:
    """Three clusters, as equal as can be."""
    return tuple(sorted(((n + k) // 3 for k in range(3)), reverse=True))


def main(arguments: list[str] | None = None) -> None:
    """Print mean, standard deviation and 99 % point of the scores."""
    parser = argparse.ArgumentParser(description="Adjusted scores of random clusterings under each model.")
    parser.add_argument("--objects", type=int, default=9)
    options = parser.parse_args(arguments)
    for name, model in itertools.product(INDICES, MODELS):
        row = listed(name, model, equal(options.objects)).row()
        print(f"{name}, {model}: " + ", ".join(f"{what} {number}" for what, number in row.items()))


if __name__ == "__main__":
    main()
