"""Claims about data sets: figures 4 to 10."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.stats import spearmanr

from experiments.common.protocol import Held, everywhere, mostly
from experiments.common.runs import Outcome
from experiments.zhang_wong_shen_2012.clusterings import RECIPES
from experiments.zhang_wong_shen_2012.datasets import SCALES
from experiments.zhang_wong_shen_2012.held import Asked, LackingError
from experiments.zhang_wong_shen_2012.paper import CORRELATION
from experiments.zhang_wong_shen_2012.similarities import BETWEEN, CHOICES
from experiments.zhang_wong_shen_2012.tables import (
    Row,
    consensus_rows,
    correlation_rows,
    replaced_rows,
    similarity_matrices,
)

UP = 0.95
"""A figure grows darker to the bottom right where at least this share of the steps go up."""


def _by_set(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["data set"], []).append(row)
    if not found:
        raise LackingError
    return found


def _by_recipe(rows: Sequence[Row], held: Callable[[Sequence[Row]], Held]) -> Held:
    """What a claim comes to if all clusterings have K clusters, and if they have 2 to 2 K.

    The paper does not say which. The verdict is that of both if they have the same, otherwise "undecided".
    """
    found = [held([row for row in rows if row["clusters"] == clusters]) for clusters in RECIPES]
    parts = zip(RECIPES, found, strict=True)
    evidence = ". ".join(f"{clusters} clusters ({each.word}): {each.evidence}" for clusters, each in parts)
    rules = "; ".join(f"{clusters}: {each.rule}" for clusters, each in zip(RECIPES, found, strict=True))
    same = len({each.word for each in found}) == 1
    return Held(
        word=found[0].word if same else "undecided", evidence=evidence, rule=rules, by_set=found[0].by_set
    )


def _ranks(rows: Sequence[Row], column: str) -> dict[str, float]:
    """Rank correlation over the consensus functions of a column with the mean ARI, by data set."""
    return {
        name: float(spearmanr([row[column] for row in mine], [row["ARI"] for row in mine]).statistic)
        for name, mine in _by_set(rows).items()
    }


def _high_goes_with_high(outcome: Outcome) -> Held:
    def held(rows: Sequence[Row]) -> Held:
        ranks = _ranks(rows, "ARImp")
        by_set = {name: rank > 0.0 for name, rank in ranks.items()}
        return mostly(by_set, f"rank correlations of ARImp with ARI {_listed(ranks, 2)}")

    return _by_recipe(consensus_rows(outcome), held)


def _spread_goes_with_low(outcome: Outcome) -> Held:
    def held(rows: Sequence[Row]) -> Held:
        ranks = _ranks(rows, "ARImp deviation")
        by_set = {name: rank < 0.0 for name, rank in ranks.items()}
        return mostly(by_set, f"rank correlations of the deviation of ARImp with ARI {_listed(ranks, 2)}")

    return _by_recipe(consensus_rows(outcome), held)


def _lowest_is_weak(outcome: Outcome) -> Held:
    def held(rows: Sequence[Row]) -> Held:
        by_set, shown = {}, []
        for name, mine in _by_set(rows).items():
            lowest = min(mine, key=lambda row: float(row["ARImp"]))
            place = sorted((row["ARI"] for row in mine), reverse=True).index(lowest["ARI"]) + 1
            by_set[name] = place > len(mine) / 2
            shown.append(f"{name} {lowest['function']} {place}")
        return mostly(by_set, f"lowest ARImp, and its place by ARI: {', '.join(shown)}")

    return _by_recipe(consensus_rows(outcome), held)


def _correlated(outcome: Outcome) -> Held:
    def held(rows: Sequence[Row]) -> Held:
        medians = {
            name: float(np.median([row["with the mean"] for row in mine]))
            for name, mine in _by_set(rows).items()
        }
        sums = [row["with the sum"] for row in rows]
        return mostly(
            {name: value > CORRELATION for name, value in medians.items()},
            f"medians over sets of clusterings {_listed(medians, 3)}; with the sum of eq. 7 from"
            f" {min(sums):.2f} to {max(sums):.2f}",
        )

    return _by_recipe(correlation_rows(outcome), held)


def _listed(values: Mapping[str, float], digits: int) -> str:
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in values.items())


def _arimp_grows(outcome: Outcome) -> Held:
    steps = {
        name: float(np.nanmin([row["least step"] for row in rows]))
        for name, rows in _by_set(replaced_rows(outcome)).items()
    }
    return everywhere(
        {name: step > 0.0 for name, step in steps.items()},
        f"least step from one proportion to the next, any draw: {_listed(steps, 3)}",
    )


def _matrices(outcome: Outcome, choice: str) -> dict[str, dict[str, npt.NDArray[np.float64]]]:
    found = similarity_matrices(outcome, choice)
    if not found:
        raise LackingError
    return found


def _by_choice(held: Callable[[str], Held]) -> Held:
    """What a claim comes to if the pairs that are replaced are shared, with the figures if they are not."""
    shared, own = held(CHOICES[0]), held(CHOICES[1])
    figures = own.evidence.partition(": ")[2] or own.evidence
    return replace(
        shared, evidence=f"{shared.evidence}; if each matrix has its own pairs replaced: {figures}"
    )


def _darker(measure: str) -> Callable[[Outcome], Held]:
    def check(outcome: Outcome) -> Held:
        def held(choice: str) -> Held:
            matrices = _matrices(outcome, choice)
            shares = {name: steps_up(found[measure]) for name, found in matrices.items()}
            return everywhere(
                {name: share >= UP for name, share in shares.items()},
                f"share of steps to the bottom right, in a block and off its diagonal, that go up, at least"
                f" {UP:g} of them: {_listed(shares, 2)}",
            )

        return _by_choice(held)

    return check


def steps_up(matrix: npt.NDArray[np.float64]) -> float:
    """Share of the steps from (i, j) to (i + 1, j + 1) that go up, within each block of two scales.

    Matrices with themselves are left out: most measures give 1 there.
    """
    half = matrix.shape[0] // 2
    count = up = 0
    for rows in (0, half):
        for columns in (0, half):
            block = matrix[rows : rows + half, columns : columns + half]
            steps = np.diff(np.stack([block[:-1, :-1], block[1:, 1:]]), axis=0)[0]
            counted = ~np.eye(half - 1, dtype=bool) if rows == columns else np.ones_like(steps, dtype=bool)
            count += int(counted.sum())
            up += int(((steps > 0.0) & counted).sum())
    return up / count


def contrast(matrix: npt.NDArray[np.float64]) -> float:
    """How much darker the blocks of one scale are than those of two, as a share of the range."""
    half = matrix.shape[0] // 2
    scales = np.arange(matrix.shape[0]) < half
    within = (scales[:, np.newaxis] == scales) & ~np.eye(matrix.shape[0], dtype=bool)
    between = scales[:, np.newaxis] != scales
    return float((matrix[within].mean() - matrix[between].mean()) / np.ptp(matrix))


def _blocks_stand_out(outcome: Outcome) -> Held:
    def held(choice: str) -> Held:
        by_set: dict[str, bool] = {}
        contrasts: dict[str, list[float]] = {measure: [] for measure in BETWEEN}
        for name, matrices in _matrices(outcome, choice).items():
            found = {measure: contrast(matrices[measure]) for measure in BETWEEN}
            by_set[name] = found["ARImm"] < min(found[each] for each in BETWEEN if each != "ARImm")
            for measure, value in found.items():
                contrasts[measure].append(value)
        shown = ", ".join(
            f"{measure} {min(values):.2f} to {max(values):.2f}" for measure, values in contrasts.items()
        )
        return everywhere(by_set, f"blocks of one scale above those of two, as a share of the range: {shown}")

    return _by_choice(held)


def _diagonals(outcome: Outcome) -> Held:
    by_set: dict[str, bool] = {}
    ones = 0.0
    ends: list[float] = []
    for name, matrices in _matrices(outcome, CHOICES[0]).items():
        own = matrices["ARImm"].diagonal().reshape(len(SCALES), -1)
        by_set[name] = bool((np.diff(own, axis=1) > 0.0).all())
        ends += [float(own.min()), float(own.max())]
        for measure in BETWEEN:
            if measure != "ARImm":
                ones = max(ones, float(np.abs(matrices[measure].diagonal() - 1.0).max()))
    return everywhere(
        {name: holds and ones < 1e-6 for name, holds in by_set.items()},
        f"ARImm of a matrix with itself grows with the proportion, from {min(ends):.3f} to {max(ends):.3f};"
        f" the others are within {ones:.0e} of 1",
    )


CLAIMS = (
    Asked(
        "ARImp with ARI", "fig. 4", "in most cases, approaches with large ARImp have large ARI",
        _high_goes_with_high,
    ),
    Asked(
        "variance with ARI", "fig. 4", "in most cases, approaches with large variances of ARImp have low ARI",
        _spread_goes_with_low,
    ),
    Asked(
        "filtering", "fig. 4", "ARImp identifies less effective approaches: the lowest is in the weaker half",
        _lowest_is_weak,
    ),
    Asked("PNMI and ARImm", "fig. 5", "most correlations of ARImm and PNMI are above 0.95", _correlated),
    Asked("ARImp by truth", "fig. 6", "ARImp increases with the proportion, all data sets", _arimp_grows),
    *(
        Asked(
            f"{measure} darker", f"fig. {number}",
            f"{measure} increases to the bottom right, for all data sets", _darker(measure),
        )
        for number, measure in enumerate(BETWEEN, start=7)
    ),
    Asked(
        "diagonals", "fig. 7", "on the diagonal ARImm grades the certainty of a matrix, the others do not",
        _diagonals,
    ),
    Asked(
        "gradual ARImm", "figs. 7-10", "diagonal blocks stand out in NSF, KAS and sSMS, less in ARImm",
        _blocks_stand_out,
    ),
)  # fmt: skip
"""In the order of the paper."""
