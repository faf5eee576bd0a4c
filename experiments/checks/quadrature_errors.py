"""Errors that quadrature states against its true errors, on random small margins of many kinds.

``python -m experiments.checks.quadrature_errors`` takes a quarter of an hour for its 10,000 margins. They are
of four kinds: dense tables, sparse ones, one huge cluster beside small ones on both sides, clusters of equal
sizes. On each, every pair-counting index that is smooth and not affine in T has its mean and its variance by
quadrature; the truth is the whole law of T. Printed are, by kind, how many stated errors there were, how many
do not cover the true one, and the largest and the median of the true errors in units of the stated ones.
"""

import argparse
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

import chancecorr as cc
from chancecorr.exact.laws.enumeration import pair_sum_law
from chancecorr.exact.moments.quadrature import smooth_moments
from chancecorr.exact.moments.summary import law_moments
from chancecorr.indices.evaluation import values_of_pair_sums

KINDS = ("dense", "sparse", "one huge", "equal sizes")

ROUNDING = 1e-15
"""What the truth may be off itself: of its largest value, or of 1, which many formulas subtract from."""

SECONDS = 0.5
"""The law of T is found where this suffices."""


class Claim(NamedTuple):
    """Stated and true errors of the mean, absolute, and of the variance, relative."""

    name: str
    margins: cc.Margins
    mean: tuple[float, float]
    variance: tuple[float, float]


def smooth_indices() -> list[cc.Index]:
    """Indices that have their moments from quadrature, if at all."""
    entries = map(cc.get_index, cc.list_indices("pair_counting"))
    return [entry for entry in entries if entry.needs == "pairs" and not entry.affine]


def random_margins(kind: str, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Row and column totals of a kind."""
    if kind == "dense":
        n = int(rng.integers(8, 60))
        return sizes(n, int(rng.integers(2, 5)), 5.0, rng), sizes(n, int(rng.integers(2, 5)), 5.0, rng)
    if kind == "sparse":
        n = int(rng.integers(8, 26))
        return sizes(n, max(2, n // 3), 3.0, rng), sizes(n, max(2, n // 2), 3.0, rng)
    if kind == "one huge":
        n = int(rng.integers(20, 60))
        small = [1 + rng.multinomial(int(rng.integers(3)), [1 / k] * k) for k in rng.integers(2, 8, size=2)]
        rows, columns = ([n - int(side.sum()), *side.tolist()] for side in small)
        return rows, columns
    k, q, m = int(rng.integers(2, 6)), int(rng.integers(2, 5)), int(rng.integers(1, 5))
    return [q * m] * k, [k * m] * q


def sizes(n: int, k: int, evenness: float, rng: np.random.Generator) -> list[int]:
    """K cluster sizes above 0 with sum n, the more even the larger `evenness`."""
    found: list[int] = (1 + rng.multinomial(n - k, rng.dirichlet([evenness] * k))).tolist()
    return found


def claims(margins: cc.Margins, indices: Iterable[cc.Index]) -> Iterator[Claim]:
    """Claims on one set of margins, of those of the indices that quadrature answers for."""
    try:
        law = pair_sum_law(margins, lost_mass=0.0, budget=SECONDS)
    except ValueError:
        return
    for index in indices:
        try:
            found = smooth_moments(index, margins)
        except ValueError:  # not smooth
            continue
        values = values_of_pair_sums(index, law.values, margins)
        true = law_moments(values, law.probabilities)
        if not (true.variance > 0.0 and found.moments.variance > 0.0):
            continue
        rounding = ROUNDING * max(1.0, float(np.abs(values).max()))
        error = abs(found.moments.mean - true.mean) - rounding
        relative = abs(found.moments.variance / true.variance - 1.0) - 4.0 * rounding / true.std - 1e-12
        yield Claim(
            name=index.name,
            margins=margins,
            mean=(found.error, max(error, 0.0)),
            variance=(found.relative_error_of_variance, max(relative, 0.0)),
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--margins", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=2014)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    indices = smooth_indices()
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for number in range(options.margins):
        kind = KINDS[number % len(KINDS)]
        for claim in claims(cc.Margins(*random_margins(kind, rng)), indices):
            for moment, (stated, true) in (("mean", claim.mean), ("variance", claim.variance)):
                shares[kind, moment].append(true / stated if stated > 0.0 else math.inf if true else 0.0)
                if shares[kind, moment][-1] > 1.0:
                    print(f"missed: {moment} of {claim.name}, {claim.margins}: {true:.3g}, not {stated:.3g}")
    print(f"{'kind':12} {'moment':9} {'claims':>8} {'missed':>7} {'largest':>8} {'median':>8}")
    for (kind, moment), found in sorted(shares.items()):
        seen = np.array(found)
        middle = float(np.median(seen[seen > 0.0])) if (seen > 0.0).any() else 0.0
        missed = int((seen > 1.0).sum())
        print(f"{kind:12} {moment:9} {seen.size:8} {missed:7} {seen.max():8.3g} {middle:8.2g}")


if __name__ == "__main__":
    main()
