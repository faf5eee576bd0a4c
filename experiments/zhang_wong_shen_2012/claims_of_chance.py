"""Claims about random ensembles: figures 2 and 3."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import spearmanr

from experiments.common.protocol import Held, at_least, at_most, everywhere, fact
from experiments.common.runs import Outcome
from experiments.zhang_wong_shen_2012.held import Asked, LackingError, some
from experiments.zhang_wong_shen_2012.tables import Row, curve_rows

ENSEMBLES = 8
"""How many there must be for each point of a curve: with few, standard errors are known badly themselves."""

CLOSE = 0.02
"""A mean within this of 0 is close to zero."""

NEAR = 0.1
"""A value within this of 1 is near it."""

SIMILAR = 0.1
"""Curves that differ by at most this share of the value, on average over K, are similar."""

SIGMAS = 4.5
"""A mean that is 0 is found further from it, in standard errors, with a probability of 7e-6."""


def grid(outcome: Outcome) -> Sequence[Row]:
    """Rows of figures 2 and 3, if there are several N, several L and several ensembles."""
    rows = some(curve_rows(outcome))
    few = min(row["ensembles"] for row in rows) < ENSEMBLES
    if few or len({row["N"] for row in rows}) < 3 or len({row["L"] for row in rows}) < 2:
        raise LackingError
    return rows


def _curves_of(rows: Sequence[Row], column: str) -> dict[tuple[int, int], npt.NDArray[np.float64]]:
    """A column as curves over K."""
    found: dict[tuple[int, int], list[float]] = {}
    for row in rows:
        found.setdefault((row["N"], row["L"]), []).append(row[column])
    return {key: np.array(values) for key, values in found.items()}


def _anmi_grows(outcome: Outcome) -> Held:
    ranks = [
        float(spearmanr(np.arange(curve.size), curve).statistic)
        for curve in _curves_of(grid(outcome), "ANMI").values()
    ]
    return at_least(min(ranks), 0.9, f"rank correlations with K from {min(ranks):.3f} to {max(ranks):.3f}")


def _anmi_where_few_objects(outcome: Outcome) -> Held:
    curves = _curves_of(grid(outcome), "ANMI")
    rises = {key: curve[-1] - curve[0] for key, curve in curves.items()}
    steps = _steps_with_objects(rises)
    least, most = min(curves), max(curves)
    return everywhere(
        [step < 0.0 for step in steps],
        f"from the smallest K to the largest it rises by {rises[least]:.3f} at N = {least[0]} and by"
        f" {rises[most]:.3f} at N = {most[0]:,}",
    )


def _steps_with_objects(values: Mapping[tuple[int, int], float]) -> list[float]:
    """What a number changes by from each N to the next, L alike."""
    steps: list[float] = []
    for L in {L for _, L in values}:
        line = [values[key] for key in sorted(values) if key[1] == L]
        steps += list(np.diff(line))
    return steps


def _lines_of(rows: Sequence[Row], measure: str) -> list[npt.NDArray[np.float64]]:
    """For each N and L the means over K in their standard errors."""
    found: dict[tuple[int, int], list[float]] = {}
    for row in rows:
        error = row[f"{measure} deviation"] / row["ensembles"] ** 0.5
        found.setdefault((row["N"], row["L"]), []).append(row[measure] / error)
    return [np.array(line) for line in found.values()]


def slope_of(z: npt.NDArray[np.float64]) -> float:
    """Slope of independent numbers of deviation 1, in its standard errors."""
    steps = np.arange(z.size) - (z.size - 1) / 2
    return float(steps @ z / np.sqrt(steps @ steps))


def _close_to_zero(measure: str) -> Callable[[Outcome], Held]:
    def check(outcome: Outcome) -> Held:
        rows = grid(outcome)
        largest = max(abs(row[measure]) for row in rows)
        slopes = [abs(slope_of(line)) for line in _lines_of(rows, measure)]
        evidence = f"means within {largest:.4f} of 0; slopes over K within {max(slopes):.1f} standard errors"
        if max(slopes) >= SIGMAS:
            return fact(False, evidence)
        return at_most(largest, CLOSE, evidence)

    return check


def _smoother(outcome: Outcome) -> Held:
    curves = _curves_of(grid(outcome), "ARImp deviation")
    means = {key: float(curve.mean()) for key, curve in curves.items()}
    by_N = {N: np.mean([means[key] for key in means if key[0] == N]) for N, _ in means}
    shown = ", ".join(f"{value:.1e} at N = {N:,}" for N, value in sorted(by_N.items()))
    return everywhere(
        [step < 0.0 for step in _steps_with_objects(means)], f"standard deviation of ensembles: {shown}"
    )


def _others_are_positive(outcome: Outcome) -> Held:
    rows = grid(outcome)
    least = {measure: min(row[measure] for row in rows) for measure in ("NSF", "KAS", "sSMS")}
    shown = ", ".join(f"{measure} {value:.3f}" for measure, value in least.items())
    return everywhere(
        [value > 0.0 for value in least.values()],
        f"least means: {shown}; NSF of any two matrices is at least 1 - 1/N, that is"
        f" {1 - 1 / min(row['N'] for row in rows):g} and more here",
    )


def _near_1(outcome: Outcome) -> Held:
    rows = grid(outcome)
    N, L = max(row["N"] for row in rows), max(row["L"] for row in rows)
    chosen = [row for row in rows if (row["N"], row["L"]) == (N, L)]
    far = [row["K"] for row in chosen if row["KAS"] < 1.0 - NEAR]
    low, high = min(row["KAS"] for row in chosen), max(row["KAS"] for row in chosen)
    evidence = (
        f"N = {N:,}, L = {L}: NSF at least {min(row['NSF'] for row in chosen):.4f}, KAS from {low:.3f} to"
        f" {high:.3f}"
    )
    if far:
        evidence += f", below {1 - NEAR:g} from K = {min(far)} on"
    means = {key: float(curve.mean()) for key, curve in _curves_of(rows, "KAS").items()}
    few, short = min(N for N, _ in means), min(L for _, L in means)
    evidence += (
        f"; from N = {few} to {N:,} KAS goes from {means[few, L]:.3f} to {means[N, L]:.3f} at L = {L}, from"
        f" L = {short} to {L} from {means[N, short]:.3f} to {means[N, L]:.3f} at N = {N:,} (means over K)"
    )
    return at_least(min(low, min(row["NSF"] for row in chosen)), 1.0 - NEAR, evidence)


def _half(outcome: Outcome) -> Held:
    curves = _curves_of(grid(outcome), "sSMS")
    off = {key: float(np.abs(curve - 0.5).mean()) for key, curve in curves.items()}
    least, most = min(off), max(off)
    return at_most(
        off[most],
        CLOSE,
        f"off 0.5 by {off[least]:.4f} on average at N = {least[0]}, L = {least[1]}, by {off[most]:.4f} at"
        f" N = {most[0]:,}, L = {most[1]}",
    )


def _off_equation_35(outcome: Outcome) -> dict[tuple[int, int], float]:
    """Mean distance from eq. 35 over K, as a share of it, by N and L."""
    off: dict[tuple[int, int], float] = {}
    rows = grid(outcome)
    for key in {(row["N"], row["L"]) for row in rows}:
        chosen = [row for row in rows if (row["N"], row["L"]) == key]
        off[key] = float(np.mean([abs(row["self"] / row["equation 35"] - 1.0) for row in chosen]))
    return off


def _like_equation_35(outcome: Outcome) -> Held:
    off = _off_equation_35(outcome)
    worst = max(off, key=off.__getitem__)
    return at_most(
        off[worst],
        SIMILAR,
        f"off by at most {100 * off[worst]:.1f} % on average over K (N = {worst[0]:,}, L = {worst[1]})",
    )


def _only_for_few_objects(outcome: Outcome) -> Held:
    """The exception: the gap would have to close with N at the smallest L."""
    off = _off_equation_35(outcome)
    few = min(L for _, L in off)
    line = {N: value for (N, L), value in sorted(off.items()) if few == L}
    first, last = line[min(line)], line[max(line)]
    by_L = {L: off[max(line), L] for L in sorted({L for _, L in off})}
    shown = ", ".join(f"{100 * value:.1f} % at N = {N:,}" for N, value in line.items())
    with_L = ", ".join(f"{100 * value:.1f} % at L = {L}" for L, value in by_L.items())
    return at_most(last / first, CLOSED, f"off by, L = {few}: {shown}; N = {max(line):,}: {with_L}").because(
        "the limit is the mean of a ratio, and eq. 35 the ratio of means, which differ if L is small"
    )


CLOSED = 0.5
"""A gap goes with N if at the largest N at most this share of it is left."""

CLAIMS = (
    Asked("ANMI grows", "fig. 2", "ANMI in general increases with K", _anmi_grows),
    Asked("most if N/K small", "fig. 2", "especially when N/K is small", _anmi_where_few_objects),
    Asked("ARImp near 0", "fig. 2", "ARImp is close to zero, whatever K", _close_to_zero("ARImp")),
    Asked("ARImp smoother", "fig. 2", "the variation of ARImp becomes smoother for N > 500", _smoother),
    Asked("others above 0", "fig. 2", "NSF, KAS and sSMS are all greater than 0", _others_are_positive),
    Asked("NSF, KAS near 1", "fig. 2", "NSF and KAS tend to values near 1 with N and L", _near_1),
    Asked("sSMS to 0.5", "fig. 2", "sSMS tends to 0.5 with N and L", _half),
    Asked("ARImm near 0", "fig. 2", "ARImm is close to zero, whatever K", _close_to_zero("ARImm")),
    Asked("eq. 35 simulated", "fig. 3", "simulated ARImm(M, M) is similar to eq. 35", _like_equation_35),
    Asked(
        "eq. 35, exception", "fig. 3", "the difference from eq. 35 is that of small N with small L",
        _only_for_few_objects,
    ),
)  # fmt: skip
"""In the order of the paper."""
