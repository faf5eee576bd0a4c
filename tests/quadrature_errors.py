"""Errors that quadrature states beside its true errors, on random margins of many kinds."""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from chancecorr.exact.enumeration import compute_pair_sum_law
from chancecorr.exact.quadrature import compute_smooth_moments
from chancecorr.tables.contingency import double_pair_counts

LAW_ROUNDING = 3e-14
"""What a probability of the law may be off, relative to it; 9e-15 were seen against fractions."""

SECONDS = 0.3
"""The law of T is found where this suffices."""

Extended = npt.NDArray[np.longdouble]


class Claim(NamedTuple):
    """Stated and true errors of the mean, absolute, and of the variance, relative."""

    name: str
    margins: cc.Margins
    mean: tuple[float, float]
    variance: tuple[float, float]


def smooth_indices() -> list[cc.indices.Index]:
    """Indices that have their moments from quadrature, if at all."""
    entries = map(cc.get_index, cc.list_indices("pair_counting"))
    return [entry for entry in entries if entry.needs == "pairs" and not entry.affine]


def sizes(n: int, k: int, evenness: float, rng: np.random.Generator) -> list[int]:
    """K cluster sizes above 0 with sum n, the more even the larger `evenness`."""
    return list(map(int, 1 + rng.multinomial(n - k, rng.dirichlet([evenness] * k))))


def beside_one_huge(n: int, rng: np.random.Generator) -> list[int]:
    """One cluster of most of the n objects beside one to seven of few."""
    k = int(rng.integers(1, 8))
    small = sizes(k + int(rng.integers(4)), k, 1.0, rng)
    return [n - sum(small), *small]


KINDS: dict[str, tuple[int, int, Callable[[int, np.random.Generator], list[int]]]] = {
    "dense": (8, 60, lambda n, rng: sizes(n, int(rng.integers(2, 5)), 5.0, rng)),
    "sparse": (8, 26, lambda n, rng: sizes(n, n // 2, 3.0, rng)),
    "tiny": (4, 13, lambda n, rng: sizes(n, int(rng.integers(2, n)), 1.0, rng)),
    "two by two": (4, 2000, lambda n, rng: sizes(n, 2, 0.3, rng)),
    "uneven": (8, 100, lambda n, rng: sizes(n, int(rng.integers(2, 7)), 0.5, rng)),
    "one huge": (40, 2000, beside_one_huge),
}
"""Fewest and most objects, their logarithm uniform, and what makes the sizes of a side."""


def random_margins(kind: str, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Row and column totals of a kind."""
    low, high, make_side = KINDS[kind]
    n = round(math.exp(rng.uniform(math.log(low), math.log(high))))
    return make_side(n, rng), make_side(n, rng)


def claims(margins: cc.Margins, indices: Iterable[cc.indices.Index]) -> Iterator[Claim]:
    """Claims on one set of margins, of those of the indices that quadrature answers for.

    The truth is computed in extended precision where the machine has it, since the errors that are stated go
    down to the rounding of float64. The probabilities may be off: what that makes of the moments is taken
    from the true errors, and so are two roundings of the index where its function works in float64 only.
    """
    try:
        law = compute_pair_sum_law(margins, lost_mass=0.0, budget=SECONDS)
    except ValueError:
        return
    probabilities = law.probabilities.astype(np.longdouble)
    probabilities /= probabilities.sum()
    for index in indices:
        try:
            found = compute_smooth_moments(index, margins)
        except ValueError:  # not smooth
            continue
        if not found.moments.variance > 0.0:
            continue
        values, extended = values_in_extended_precision(index, law.values, margins)
        mean = probabilities @ values
        variance = probabilities @ (values - mean) ** 2
        if not variance > 0.0:
            continue
        eps = 0.0 if extended else float(np.finfo(np.float64).eps)
        rounding = 2.0 * eps * max(1.0, float(np.abs(values).max()))
        std = math.sqrt(float(variance))
        error = abs(float(found.moments.mean - mean)) - rounding - LAW_ROUNDING * std
        relative = abs(float(found.moments.variance / variance - 1)) - 2.0 * (rounding / std + LAW_ROUNDING)
        variances = (found.relative_error_of_variance, max(relative, 0.0))
        yield Claim(index.name, margins, mean=(found.error, max(error, 0.0)), variance=variances)


def values_in_extended_precision(
    index: cc.indices.Index, pair_sums: npt.NDArray[np.int64], margins: cc.Margins
) -> tuple[Extended, bool]:
    """Values of an index that is defined there, and whether they are more precise than float64."""
    doubled = double_pair_counts(pair_sums, *margins.squares, margins.n)
    counts = [(twice // 2).astype(np.longdouble) for twice in doubled]
    totals: tuple[Any, ...] = (margins.row_totals, margins.column_totals) if index.with_totals else ()
    with np.errstate(all="ignore"):
        values = np.asarray(index.function(*counts, *totals))
    extended = values.dtype == np.longdouble and np.finfo(np.longdouble).eps < np.finfo(np.float64).eps
    return np.broadcast_to(values.astype(np.longdouble), pair_sums.shape), bool(extended)


def share(stated: float, true: float) -> float:
    """The true error in units of the stated one."""
    return true / stated if stated > 0.0 else math.inf if true else 0.0
