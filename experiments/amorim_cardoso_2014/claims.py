"""What the text of Amorim & Cardoso (2014) says of its results, held against the cells of three groups.

Words such as "similar" have no number in the paper. Where one had to be chosen it is among the constants
below and in the rule.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import chancecorr as cc
from chancecorr.tables.pair_sum import compute_pair_sum_moments
from experiments.amorim_cardoso_2014.clusterers import THE_EM, THE_KMEANS
from experiments.amorim_cardoso_2014.paper import DESIGNS, N_TABLES, PRINTED, SEPARATIONS, SHORT
from experiments.amorim_cardoso_2014.tables import APPROXIMATED, L_FAMILY, Row, by_place
from experiments.common import protocol
from experiments.common.protocol import Check, Claim, Held, at_most, everywhere, fact, mostly

SIMILAR = 0.01
"""Values that differ by at most this are taken to be similar, and clusterers to perform alike."""

MINOR = 0.2
"""A correction that takes at most this share of the observed value is taken to be minor."""

INSIGNIFICANT = 0.05
"""Likewise, almost insignificant."""

CORRECTED = tuple(index for index in cc.PUBLISHED_INDICES if index != "goodman_kruskal")
"""The indices whose mean by chance is not nearly 0."""

BOTH = (THE_EM, THE_KMEANS)
QUANTILE_99 = 2.5758293035489004  # of the standard normal law, two-sided

Cells = Mapping[tuple[int, str, str, str, str], Row]


def claims_of(rows: list[Row]) -> list[Claim]:
    """A verdict on each sentence of the paper; "not reachable" where the run lacks cells of three groups."""
    return protocol.claims_of(CLAIMS, by_place(rows))


def _three(cells: Cells, clusterer: str, index: str) -> list[Row]:
    """Rows of the six scenarios of three groups."""
    return [
        cells[3, design, separation, clusterer, index] for design in DESIGNS for separation in SEPARATIONS
    ]


def _simulated_is_analytic(cells: Cells) -> Held:
    rows = [row for clusterer in BOTH for index in L_FAMILY for row in _three(cells, clusterer, index)]
    mean = _largest(row["mean simulated - expected"] for row in rows)
    single = _largest(row["largest abs(simulated - expected)"] for row in rows)
    count = min(row["simulated data sets"] for row in rows)
    return at_most(
        mean, 1e-4, f"averages over {count} data sets: at most {mean:.1e}; single data sets: {single:.1e}"
    )


def _approximate_is_similar(cells: Cells) -> Held:
    theirs = _largest(
        PRINTED[place].value - PRINTED[replace(place, quantity="simulated")].value
        for place in PRINTED
        if place.quantity == "approximate"
    )
    rows = [row for clusterer in BOTH for index in APPROXIMATED for row in _three(cells, clusterer, index)]
    ours = _largest(row["approximate"] - row["expected"] for row in rows)
    return at_most(
        ours,
        SIMILAR,
        f"off by up to {ours:.4f} here and {theirs:.3f} in print, where {N_TABLES:,} tables are off by"
        f" {_largest(row['mean simulated - expected'] for row in rows):.0e}",
    )


def _gl_is_most_affected(cells: Cells) -> Held:
    most = [
        max(cc.PUBLISHED_INDICES, key=lambda index: _change(cells[3, design, separation, clusterer, index]))
        for clusterer in BOTH
        for design in DESIGNS
        for separation in SEPARATIONS
    ]
    count = most.count("gower_legendre")
    others = sorted(set(most) - {"gower_legendre"})
    return everywhere(
        [each == "gower_legendre" for each in most],
        f"largest change, observed less adjusted, in {count} of {len(most)} cells"
        + (f"; elsewhere {', '.join(others)}" if others else ""),
    )


def _change(row: Row) -> float:
    return float(row["observed"] - row["adjusted"])


def _most_for_poor(cells: Cells) -> Held:
    worst, falling = [], 0
    for clusterer in BOTH:
        for design in DESIGNS:
            for index in CORRECTED:
                poor, moderate, well = (
                    _change(cells[3, design, separation, clusterer, index]) for separation in SEPARATIONS
                )
                worst.append(poor > max(moderate, well))
                falling += poor > moderate > well
    return everywhere(
        worst,
        "cells of a clusterer, design and index (all but GK) in which the change is largest for poor"
        f" separation; that it falls from moderate to well as well, in {falling}, is not what the text says",
    )


def _takes_at_most(limit: float, separation: str) -> Check:
    """Whether the correction takes a small share of the observed value, the largest by index."""

    def check(cells: Cells) -> Held:
        shares = {
            index: max(
                _change(row) / row["observed"]
                for clusterer in BOTH
                for row in _three(cells, clusterer, index)
                if row["separation"] == separation
            )
            for index in CORRECTED
        }
        least, most = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
        within = sum(share <= limit for share in shares.values())
        return at_most(
            shares[most],
            limit,
            f"it takes at most {100 * limit:.0f} % of the observed value for {within} of {len(shares)}"
            f" indices; from {100 * shares[least]:.0f} % ({least}) to {100 * shares[most]:.0f} % ({most})",
        )

    return check


def _gk_is_null(cells: Cells) -> Held:
    means = [row["expected"] for clusterer in BOTH for row in _three(cells, clusterer, "goodman_kruskal")]
    furthest = max(means, key=abs)
    nearest = min(means, key=abs)
    return at_most(
        abs(furthest),
        5e-4,
        f"to the three printed digits; exactly never: averages from {nearest:.1e} to {furthest:.1e}",
    )


def _is_near_r(index: str, limit: float, digits: str) -> Check:
    """Whether the adjusted averages of an index are those of R."""

    def check(cells: Cells) -> Held:
        off = _largest(
            r["adjusted"] - other["adjusted"]
            for clusterer in BOTH
            for r, other in zip(
                _three(cells, clusterer, "rand"), _three(cells, clusterer, index), strict=True
            )
        )
        return at_most(off, limit, f"averages differ by at most {off:{digits}}")

    return check


def _gaps(cells: Cells, index: str) -> dict[tuple[str, str], tuple[float, float]]:
    """EM less k-means, adjusted, by design and separation, with the standard error."""
    return {
        (em["design"], em["separation"]): (
            em["adjusted"] - km["adjusted"],
            math.hypot(em["adjusted standard error"], km["adjusted standard error"]),
        )
        for em, km in zip(_three(cells, THE_EM, index), _three(cells, THE_KMEANS, index), strict=True)
    }


def _em_is_better(cells: Cells) -> Held:
    gaps = [gap for index in cc.PUBLISHED_INDICES for gap in _gaps(cells, index).values()]
    better = sum(gap > 0 for gap, _ in gaps)
    clearly = sum(gap > 3 * error for gap, error in gaps)
    looks = [gap > 0 for gap, _ in _gaps(cells, "rand").values()]
    return mostly(
        looks,
        f"scenarios by R, adjusted; of all {len(gaps)} cells, which are no more looks, EM is above k-means in"
        f" {better}, by more than three standard errors in {clearly}",
    )


def _gap_is_clearer_unbalanced(cells: Cells) -> Held:
    gaps = _gaps(cells, "rand")
    wider = [gaps["unbalanced", each][0] > gaps["balanced", each][0] for each in SEPARATIONS]
    shown = "; ".join(
        f"{each}: {gaps['unbalanced', each][0]:.3f} against {gaps['balanced', each][0]:.3f}"
        for each in SEPARATIONS
    )
    return everywhere(wider, f"EM less k-means, R adjusted, unbalanced against balanced, {shown}")


def _alike_where_easy(cells: Cells) -> Held:
    gaps = _gaps(cells, "rand")
    well = {design: gaps[design, "well"][0] for design in DESIGNS}
    shown = ", ".join(f"{design} {gap:.3f}" for design, gap in well.items())
    furthest = max(abs(gap) for gap in well.values())
    return at_most(furthest, SIMILAR, f"EM less k-means, well separated, R adjusted: {shown}")


def _confidence(cells: Cells) -> Held:
    needed = math.ceil((QUANTILE_99 * 0.5 / 0.01) ** 2)
    rows = [
        row for clusterer in BOTH for index in cc.PUBLISHED_INDICES for row in _three(cells, clusterer, index)
    ]
    width = max(QUANTILE_99 * row["deviation"] / math.sqrt(N_TABLES) for row in rows)
    return fact(
        needed <= N_TABLES,
        f"a proportion is within 0.01 with 99 % from {needed:,} draws; the mean of an index is within"
        f" {width:.1e} with 99 %, in the worst of the cells",
    )


def _family_l(cells: Cells) -> Held:
    """Table 1: a mean is linear in that of the pair counts if it is the index at their means."""
    off = {index: max(_nonlinearity(index, margins) for margins in SMALL) for index in cc.PUBLISHED_INDICES}
    linear = {index for index, value in off.items() if value < 1e-12}
    shown = ", ".join(f"{SHORT[index]} {value:.0e}" for index, value in off.items())
    return fact(
        linear == set(L_FAMILY), f"exact mean less the index at the mean pair counts, largest: {shown}"
    )


SMALL = (cc.Margins([4, 6], [3, 7]), cc.Margins([2, 3, 5], [3, 3, 4]))


def _nonlinearity(index: str, margins: cc.Margins) -> float:
    n, (A, B), T = margins.n, margins.squares, float(compute_pair_sum_moments(margins).mean)
    a, b, c = (T - n) / 2, (A - T) / 2, (B - T) / 2
    at_the_mean = cc.get_index(index).function(a, b, c, n * (n - 1) / 2 - a - b - c)
    return abs(float(at_the_mean) - cc.null_distribution(margins, index, method="exact").mean)


CLAIMS: dict[str, Check] = {
    "table 1: R, RR, C and FM, and no other of the nine, have a mean that is linear in that of the pair"
    " counts (the L family)": _family_l,
    "simulated and analytic averages differ by at most 0.0001": _simulated_is_analytic,
    "17,000 tables ensure averages with 99 % confidence": _confidence,
    "simulated averages are similar to the approximated ones": _approximate_is_similar,
    "GL is the most affected by correction": _gl_is_most_affected,
    "correction is particularly essential for poorly separated clusters": _most_for_poor,
    "for moderately separated clusters correction is minor": _takes_at_most(MINOR, "moderate"),
    "for well separated clusters correction is almost insignificant": _takes_at_most(INSIGNIFICANT, "well"),
    "the mean of GK by chance is null": _gk_is_null,
    "R and C are equal after adjustment": _is_near_r("czekanowski", 1e-12, ".0e"),
    "FM is very similar to R and C after adjustment": _is_near_r("fowlkes_mallows", SIMILAR, ".4f"),
    "EM is generally better than k-means": _em_is_better,
    "the gap between EM and k-means is clearer for unbalanced clusters": _gap_is_clearer_unbalanced,
    "for easy tasks EM and k-means perform alike": _alike_where_easy,
}
"""What the paper says, in our words, and what it is held against."""


def _largest(values: Iterable[Any]) -> float:
    """Largest size of those that are defined; nan if none is."""
    return max((abs(value) for value in values if not math.isnan(value)), default=math.nan)
