"""How often intervals of several raters hold the coefficient: ``python -m experiments.coverage.raters``.

An item has a true category. A rater repeats it with a probability, else the rater draws a category
from the shares of all items; given the true category, the raters are independent. Two raters then
have the kappa ``r s``, the product of the two probabilities, so that the coefficient of Conger and
Krippendorff's alpha are the mean of these products. The intervals come from `comparison.agreement`,
and from the percentile bootstrap over items or groups. It writes `raters.csv`, and takes 15 minutes
on one processor.
"""

import argparse
import itertools
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import chancecorr as cc
from chancecorr.comparison import RaterAgreement
from chancecorr.machine.arrays import Booleans, Floats, Integers
from experiments.common.kept import write_whole
from experiments.common.report import as_csv
from experiments.coverage.kappa import FIFTHS, HALVES, LEVEL, RESAMPLES, THIRDS, count_intervals

HERE = Path(__file__).parent
MODELS = ("permutation", "pooled", "uniform")


class Design(NamedTuple):
    """Shares of the categories, the probabilities that the raters repeat the true category, and items.

    In groups of items the shares of the true categories vary by a Dirichlet distribution with this mean.
    """

    name: str
    shares: tuple[float, ...]
    repeated: tuple[float, ...]
    n: int
    missing: float = 0.0  # probability that a rater does not rate an item
    groups: int = 0


DESIGNS = (
    Design("2 equal categories", HALVES, (0.7,) * 3, 30),
    Design("3 equal categories", THIRDS, (0.0,) * 3, 30),
    Design("3 categories, 6:3:1", (0.6, 0.3, 0.1), (0.9, 0.8, 0.7), 50),
    Design("3 equal categories", THIRDS, (0.5,) * 10, 50),
    Design("2 categories, 9:1", (0.9, 0.1), (0.7,) * 5, 100),
    Design("5 equal categories", FIFTHS, (0.95,) * 5, 100),
    Design("3 categories, 6:3:1", (0.6, 0.3, 0.1), (0.8,) * 4, 100, 0.3),
    Design("5 categories, 5:2:1:1:1", (0.5, 0.2, 0.1, 0.1, 0.1), (0.95, 0.9, 0.9), 300),
    Design("3 equal categories", THIRDS, (0.8, 0.6, 0.6, 0.4), 200, 0.0, 20),
)
SPREAD = 4.0
"""Sum of the parameters of the Dirichlet distribution; groups vary more if it is smaller."""


def draw_ratings(design: Design, rng: np.random.Generator) -> tuple[Integers, Booleans, Integers]:
    """Return categories of shape (raters, n), whether they are given, and the group of each item."""
    shares, m, n = np.array(design.shares), len(design.repeated), design.n
    n_groups = max(design.groups, 1)
    groups = np.arange(n) % n_groups
    of_groups = rng.dirichlet(SPREAD * shares, n_groups) if design.groups else shares[np.newaxis]
    true = (rng.random(n)[:, None] > np.cumsum(of_groups, axis=1)[groups, :-1]).sum(axis=1)
    repeats = rng.random((m, n)) < np.array(design.repeated)[:, None]
    labels = np.where(repeats, true, rng.choice(shares.size, (m, n), p=shares))
    return labels, rng.random((m, n)) >= design.missing, groups


def compute_truths(design: Design) -> dict[str, float]:
    """Return the coefficients of the population; groups and missing ratings do not change them."""
    kappa = float(np.mean([r * s for r, s in itertools.combinations(design.repeated, 2)]))
    equal, K = float(np.square(design.shares).sum()), len(design.shares)
    uniform = (kappa * (1.0 - equal) + equal - 1.0 / K) / (1.0 - 1.0 / K)
    return {"permutation": kappa, "pooled": kappa, "uniform": uniform}


def list_sums(labels: Integers, rated: Booleans, K: int) -> Floats:
    """Return what the coefficients need of each item, to be added up: shape (n, numbers).

    For each pair of raters: 1 if both rated the item, 1 if they agree, and the categories of both; then the
    pairs of equal ratings of the item over its ratings less 1, and how often it has each category, both 0
    with fewer than two ratings.
    """
    one_hot = np.eye(K)[labels] * rated[:, :, np.newaxis]
    parts = []
    for first, second in itertools.combinations(range(len(labels)), 2):
        both = rated[first] & rated[second]
        equal = both & (labels[first] == labels[second])
        sides = [one_hot[rater] * both[:, None] for rater in (first, second)]
        parts += [both[:, None], equal[:, None], *sides]
    counts = one_hot.sum(axis=0)
    m = counts.sum(axis=1, keepdims=True)
    counts = np.where(m > 1, counts, 0.0)
    within = (counts * (counts - 1.0)).sum(axis=1, keepdims=True) / np.maximum(m - 1.0, 1.0)
    return np.hstack([*parts, within, counts]).astype(np.float64)


def compute_coefficients(sums: Floats, m: int, K: int) -> dict[str, Floats]:
    """Return the coefficients by sums over items, shape (samples, numbers); nan if undefined."""
    n_pairs, width = m * (m - 1) // 2, 2 + 2 * K
    of_pairs = sums[:, : n_pairs * width].reshape(len(sums), n_pairs, width)
    n = of_pairs[:, :, 0]
    first, second = of_pairs[:, :, 2 : 2 + K], of_pairs[:, :, 2 + K :]
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.nanmean(of_pairs[:, :, 1] / n, axis=1)
        expected = np.nanmean((first * second).sum(axis=2) / n**2, axis=1)
        within, counts = sums[:, -1 - K], sums[:, -K:]
        total = counts.sum(axis=1)
        of_all = (counts * (counts - 1.0)).sum(axis=1) / (total * (total - 1.0))
        return {
            "permutation": (observed - expected) / (1.0 - expected),
            "pooled": (within / total - of_all) / (1.0 - of_all),
            "uniform": (observed - 1.0 / K) / (1.0 - 1.0 / K),
        }


def resample(sums: Floats, groups: Integers, m: int, K: int, rng: np.random.Generator) -> dict[str, Floats]:
    """Return the coefficients in resamples of the groups of items."""
    of_groups = np.zeros((int(groups.max()) + 1, sums.shape[1]))
    np.add.at(of_groups, groups, sums)
    G = len(of_groups)
    times = rng.multinomial(G, np.full(G, 1.0 / G), RESAMPLES)
    return compute_coefficients(times @ of_groups, m, K)


Ends = dict[tuple[str, str], tuple[float, float]]
"""Ends of intervals, by the model of chance and the method."""


def make_intervals(design: Design, rng: np.random.Generator) -> Ends:
    """Return the intervals of one sample, by both methods."""
    labels, rated, groups = draw_ratings(design, rng)
    m, K, found = len(labels), len(design.shares), Ends()
    given = labels.astype(object)
    given[~rated] = None
    by = groups if design.groups else np.arange(design.n)
    values = resample(list_sums(labels, rated, K), by, m, K, rng)
    tails = [(1.0 - LEVEL) / 2, (1.0 + LEVEL) / 2]
    for model in MODELS:
        low, high = np.nanquantile(values[model], tails)
        found[model, "bootstrap"] = float(low), float(high)
        agreement = cc.comparison.agreement(
            list(given), "cohen_kappa", model=model, missing="drop" if design.missing else "raise",
            groups=groups if design.groups else None, rng=int(rng.integers(1 << 32)),
        )  # fmt: skip
        assert isinstance(agreement, RaterAgreement)
        found[model, "chancecorr"] = agreement.interval.low, agreement.interval.high
    return found


def measure_coverage(design: Design, samples: int) -> list[dict[str, Any]]:
    """Return a row for each model of chance and method."""
    rng = np.random.default_rng([design.n, design.groups, zlib.crc32(repr(design).encode())])
    truths, drawn = compute_truths(design), [make_intervals(design, rng) for _ in range(samples)]
    rows = []
    for model, method in sorted(drawn[0]):
        about = {
            "categories": design.name, "raters": len(design.repeated), "n": design.n,
            "missing": design.missing, "groups": design.groups, "model": model,
            "truth": round(truths[model], 6), "method": method, "samples": samples,
        }  # fmt: skip
        rows.append(about | count_intervals([of_sample[model, method] for of_sample in drawn], truths[model]))
    return rows


def main(arguments: list[str] | None = None) -> None:
    """Measure all designs, and write the file."""
    parser = argparse.ArgumentParser(description="Coverage of intervals of the agreement of several raters.")
    parser.add_argument("--samples", type=int, default=600, help="of each design")
    parser.add_argument("--folder", type=Path, default=HERE)
    options = parser.parse_args(arguments)
    rows = []
    for design in DESIGNS:
        rows += measure_coverage(design, options.samples)
        print(f"{design}: done", flush=True)
    write_whole(options.folder / "raters.csv", as_csv(rows))


if __name__ == "__main__":
    main()
