"""Candidates with equal cluster sizes: for each number of clusters one law, and all indices on its tables.

With the sizes fixed, what chance gives is the same in all trials: moments from the cluster sizes where these
are known, those of a sample of tables elsewhere, and p-values from that sample, which is independent of the
trials.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import chancecorr as cc
from chancecorr.chance.engines import get_engine
from chancecorr.chance.fixed_margins import find_best_value
from chancecorr.chance.options import AUTO
from chancecorr.indices import Index
from chancecorr.indices.evaluation import evaluate_pair_sums, link_totals, sum_over_tables
from chancecorr.machine.arrays import Floats, Integers
from experiments.selection_bias.wins import ROUNDING, Contest

SCORES = ("raw", "adjusted", "standardized", "p_value")
"""What picks the best candidate; of the p-value the smallest, of all others the largest agreement."""

TIED = 1e-9
"""Values that are nearer than this share of their standard deviation are equal, but for rounding."""

TOGETHER = 5_000
"""Tables that are drawn and evaluated at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Null:
    """What an index takes by chance, for one number of clusters.

    Attributes
    ----------
    mean, std : float
        Exact, or of the sample.
    values : ndarray of shape (n_tables,)
        Of the sample, sorted, and with a minus where smaller is better; without nan.
    """

    mean: float
    std: float
    values: Floats

    @property
    def slack(self) -> float:
        """By how much values may differ that are equal but for rounding."""
        finite = self.values[np.isfinite(self.values)]
        rounding = ROUNDING * float(np.abs(finite).max(initial=0.0))
        return max(rounding, TIED * self.std) if math.isfinite(self.std) else rounding


def equal_sizes(n: int, clusters: int) -> list[int]:
    """Cluster sizes of n objects, as equal as they can be."""
    size, more = divmod(n, clusters)
    return [size + 1] * more + [size] * (clusters - more)


def contests(
    reference: Sequence[int],
    clusters: Sequence[int],
    names: Sequence[str],
    *,
    trials: int,
    n_tables: int,
    seed: int,
) -> dict[str, dict[str, Integers]]:
    """Wins of each number of clusters, by index and by what picks.

    Returns for each index arrays of shape (len(clusters),) by the names in `SCORES`; those that there are no
    scores for are left out.
    """
    indices = [cc.get_index(name) for name in names]
    ties = {key: np.random.default_rng([seed, 3, k]) for k, key in enumerate(SCORES)}
    all_of = {name: {key: Contest(trials, ties[key]) for key in SCORES} for name in names}
    for k in clusters:
        margins = cc.Margins(reference, equal_sizes(sum(reference), k))
        observed = sampled_values(indices, margins, trials, np.random.default_rng([seed, 1, k]))
        by_chance = sampled_values(indices, margins, n_tables, np.random.default_rng([seed, 2, k]))
        for index in indices:
            null = null_of(index, margins, by_chance.pop(index.name))
            found = scores(index, margins, observed.pop(index.name), null)
            for key, values in found.items():
                all_of[index.name][key].enter(k, values)
    return {
        name: {key: contest.wins(clusters) for key, contest in each.items() if contest.winners.any()}
        for name, each in all_of.items()
    }


def scores(index: Index, margins: cc.Margins, observed: Floats, null: Null) -> Mapping[str, Floats]:
    """What picks, from the values of an index on candidates with these cluster sizes; larger is better."""
    sign = 1.0 if index.larger_is_better else -1.0
    found: dict[str, Floats] = {}
    if index.best is None or not math.isnan(index.best):
        found["raw"] = sign * observed
        below = np.searchsorted(null.values, sign * observed - null.slack)
        as_extreme = null.values.size - below + 1.0
        found["p_value"] = np.where(np.isnan(observed), np.nan, -as_extreme / (null.values.size + 1.0))
    else:
        return found
    room = find_best_value(index, margins, None) - null.mean
    if index.can_be_adjusted and abs(room) > ROUNDING * abs(null.mean) and math.isfinite(room):
        found["adjusted"] = (observed - null.mean) / room
    if math.isfinite(null.mean) and null.std > null.slack:
        found["standardized"] = sign * (observed - null.mean) / null.std
    return found


def null_of(index: Index, margins: cc.Margins, sample: Floats) -> Null:
    """Mean and standard deviation, exact where they can be, and the sample for p-values."""
    compute = get_engine(index).moments
    known = compute and compute(index, margins, AUTO)
    if known is not None and not math.isnan(known.moments.std):
        mean, std = known.moments.mean, known.moments.std
    else:
        with np.errstate(invalid="ignore"):  # infinite values
            mean, std = float(sample.mean()), float(sample.std(ddof=1))
    signed = sample if index.larger_is_better else -sample
    return Null(mean=mean, std=std, values=np.sort(signed[~np.isnan(signed)]))


def sampled_values(
    indices: Sequence[Index], margins: cc.Margins, n_tables: int, rng: np.random.Generator
) -> dict[str, Floats]:
    """Values of all indices on the same random tables, arrays of shape (n_tables,)."""
    parts: dict[str, list[Floats]] = {index.name: [] for index in indices}
    for start in range(0, n_tables, TOGETHER):
        tables = cc.sample_tables(margins, min(TOGETHER, n_tables - start), rng=rng)
        for name, values in values_on(indices, tables, margins).items():
            parts[name].append(values)
    return {name: np.concatenate(values) for name, values in parts.items()}


def values_on(indices: Sequence[Index], tables: Integers, margins: cc.Margins) -> dict[str, Floats]:
    """Values of all indices on tables of shape (m, K, Q); what several have in common is found once."""
    T, place = np.unique((tables * tables).sum(axis=(1, 2)), return_inverse=True)
    totals: dict[object, Floats] = {}
    found = {}
    for index in indices:
        if index.needs == "pairs":
            found[index.name] = evaluate_pair_sums(index, T, margins)[place]
        elif index.needs == "cells":
            if index.function not in totals:
                totals[index.function] = sum_over_tables(index, tables, margins)
            found[index.name] = link_totals(index, totals[index.function], margins)
        else:
            found[index.name] = get_engine(index).values(index, tables, margins)
    return found
