"""Claims of sections 2 to 4: propositions, the example, eq. 7 to 35."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy.stats import linregress

from experiments.common.protocol import Held, at_most, everywhere, fact
from experiments.common.runs import Outcome
from experiments.zhang_wong_shen_2012.chance import equation_35, second_line_of_equation_35
from experiments.zhang_wong_shen_2012.claims_of_chance import grid
from experiments.zhang_wong_shen_2012.datasets import AVAILABLE
from experiments.zhang_wong_shen_2012.held import Asked, LackingError, only, some
from experiments.zhang_wong_shen_2012.paper import MATRIX_1, MATRIX_2_MEANT
from experiments.zhang_wong_shen_2012.tables import (
    correlation_rows,
    curve_rows,
    distributed_rows,
    limit_rows,
    size_verdicts,
)

SIGMAS = 4.5
"""A mean that is 0 is found further from it, in standard errors, with a probability of 7e-6."""

ROUNDING = 1e-12

SAME = 0.01
"""Values whose standard deviation is at most this share of them are taken to be constant."""


def _sizes(outcome: Outcome) -> Held:
    verdicts = size_verdicts(outcome.seed)
    by_set = {
        name: all(verdict.word == "agrees" for place, verdict in verdicts.items() if place[0] == name)
        for name in AVAILABLE
    }
    right = sum(verdict.word == "agrees" for verdict in verdicts.values())
    return everywhere(by_set, f"{right} of {len(verdicts)} printed numbers")


def _proposition_1(outcome: Outcome) -> Held:
    found = only(outcome, "exact")["proposition 1"]
    return fact(
        found["equal"] + found["undefined"] == found["pairs"] and found["largest difference"] < ROUNDING,
        f"equal as fractions for {found['equal']:,} of the {found['pairs']:,} pairs of partitions of"
        f" {found['objects']} objects, 0/0 for the other {found['undefined']}; {found['random pairs']} random"
        f" pairs differ by at most {found['largest difference']:.0e}",
    )


def _limit(measure: str) -> Callable[[Outcome], Held]:
    def check(outcome: Outcome) -> Held:
        rows = [row for row in some(limit_rows(outcome)) if row["measure"] == measure]
        if len(rows) < 3:
            raise LackingError
        furthest = max(abs(row["z of the mean"]) for row in rows)
        power = linregress(
            np.log([row["N"] for row in rows]), np.log([row["deviation"] for row in rows])
        ).slope
        return fact(
            furthest < SIGMAS and power < -0.5,
            f"from N = {rows[0]['N']:,} to {rows[-1]['N']:,} the standard deviation falls from"
            f" {rows[0]['deviation']:.1e} to {rows[-1]['deviation']:.1e}, as N to the power {power:.2f};"
            f" means are within {furthest:.1f} standard errors of 0 at every N, not in the limit only",
        )

    return check


def _blocks(outcome: Outcome) -> Held:
    rows = some(distributed_rows(outcome))
    off = [
        abs(row["blocks"] - row["whole matrices"]) for row in rows if not math.isnan(row["whole matrices"])
    ]
    largest = rows[-1]
    evidence = (
        f"n = {largest['n']:,}: on Dask workers, in blocks of rows, {largest['measure']} ="
        f" {largest['blocks']:.12f}; the fractions are equal to those from contingency tables in"
        f" {sum(row['equal'] for row in rows)} of {len(rows)} cases; a worker held"
        f" {largest['gigabytes of a worker']:.1f} GB at most, where one matrix takes"
        f" {largest['gigabytes of a matrix']:.3g} GB"
    )
    if off:
        evidence += f"; off whole matrices of chancecorr by at most {max(off):.0e}"
    return fact(all(row["equal"] for row in rows) and max(off, default=0.0) <= ROUNDING, evidence)


def _sub_matrices(outcome: Outcome) -> Held:
    found = only(outcome, "exact")["blocks"]
    return fact(
        found["equal"],
        f"two 6 x 6 matrices in four blocks: {found['by objects']:.4f}, as whole, where i ≠ j of eq. 14 means"
        f" objects; {found['by positions']:.4f} where it means positions within a block",
    )


def _example(outcome: Outcome) -> Held:
    found = only(outcome, "exact")["example"]["ARImm"]
    return fact(
        found["M1"] > found["M2"],
        f"{found['M1']:g} against {found['M2']:g}; {found['M2 as printed']:.4f} with the second matrix as"
        " it is printed, not symmetric",
    )


def _others_do_not(outcome: Outcome) -> Held:
    """Any other measure: the three of the paper, and Jaccard and Rand with products of entries for pairs."""
    found = dict(only(outcome, "exact")["example"]["others"])
    for name, measure in {"fuzzy Jaccard": _fuzzy_jaccard, "fuzzy Rand": _fuzzy_rand}.items():
        found[name] = [measure(each) for each in (MATRIX_1, MATRIX_2_MEANT)]
    shown = ", ".join(f"{name} {values[0]:g} and {values[1]:.3g}" for name, values in found.items())
    return everywhere(
        [values[0] == values[1] for values in found.values()], f"M1 and M2 with themselves: {shown}"
    )


def _pairs(M: Sequence[Sequence[float]]) -> list[float]:
    return [M[i][j] for i in range(len(M)) for j in range(i)]


def _fuzzy_jaccard(M: Sequence[Sequence[float]]) -> float:
    both = math.fsum(x * x for x in _pairs(M))
    return both / (2.0 * math.fsum(_pairs(M)) - both)


def _fuzzy_rand(M: Sequence[Sequence[float]]) -> float:
    return math.fsum(x * x + (1.0 - x) ** 2 for x in _pairs(M)) / len(_pairs(M))


def _upper_bound(outcome: Outcome) -> Held:
    found = only(outcome, "exact")["self"]
    return fact(
        found["most"] == 1.0 and found["ones of different partitions"] == 0,
        f"all {found['ensembles']} ensembles of three partitions of {found['objects']} objects: at most"
        f" {found['most']:g}, reached by different partitions in {found['ones of different partitions']}",
    )


def _lower_bound(outcome: Outcome) -> Held:
    rows = some(curve_rows(outcome))
    plane = only(outcome, "exact")["planes"][-1]
    below = sum(row["below equation 35"] for row in rows)
    total = sum(row["ensembles"] for row in rows)
    lowest = min(rows, key=lambda row: row["least self"] / row["equation 35"])
    return fact(
        below == 0 and plane["ARImm"] >= equation_35(plane["K"], plane["L"]),
        f"{below:,} of {total:,} random ensembles are below eq. 35, one at {lowest['least self']:.4f} against"
        f" {lowest['equation 35']:.4f} (N = {lowest['N']}, L = {lowest['L']}, K_max = {2 * lowest['K']}); the"
        f" lines of an affine plane, L = {plane['L']} partitions of {plane['n']} objects into {plane['K']},"
        f" have {plane['ARImm']:g} against {equation_35(plane['K'], plane['L']):.4f}",
    )


def _constant(outcome: Outcome) -> Held:
    """Eq. 35 does not depend on N; whether the values of ensembles do, for fixed K_max and L."""
    rows = grid(outcome)
    N = max(row["N"] for row in rows)
    spread = [row["self deviation"] / row["self"] for row in rows if row["N"] == N]
    return at_most(
        max(spread),
        SAME,
        f"at N = {N:,} ensembles of the same L and K_max still differ, by {100 * min(spread):.1f} to"
        f" {100 * max(spread):.1f} % (standard deviation): the limit goes by the numbers of clusters drawn",
    )


def _second_line(outcome: Outcome) -> Held:
    rows = [row for row in some(curve_rows(outcome)) if row["K"] == 2]
    if not rows:
        raise LackingError
    row = rows[-1]
    printed, last = second_line_of_equation_35(4, row["L"]), equation_35(4, row["L"])
    return fact(
        abs(printed - row["self"]) > abs(last - row["self"]),
        f"K_max = 4, L = {row['L']}: {printed:.4f} by the second line as printed, {last:.4f} by the third,"
        f" {row['self']:.4f} simulated (N = {row['N']:,}): the numerator needs eq. 33's sum of squares",
        "misprint",
    )


def _equation_30(outcome: Outcome) -> Held:
    only(outcome, "exact")
    total = sum(MATRIX_1[i][j] ** 2 for i in range(3) for j in range(3) if i != j)
    return fact(
        total / 2 == 1.0,
        f"for M1 of section 4.3, of one pair, eq. 14 gives {total / 2:g} and eq. 30, first line, {total:g}",
        "misprint",
    )


def _equation_7(outcome: Outcome) -> Held:
    largest = max(row["largest sum"] for row in some(correlation_rows(outcome)))
    return fact(
        largest > 1.0,
        f"as printed, a sum over all i ≠ j that reaches {largest:,.0f}; section 4.3 says its upper"
        " bound is 1, which a mean has",
        "misprint",
    )


def _equation_21(_: Outcome) -> Held:
    """The first sum of eq. 21 against eq. 9 on M1 and the partition {x1}, {x2, x3}."""
    labels, N = (0, 1, 1), range(3)
    printed = sum(MATRIX_1[i][j] for i in N for j in N if i != j) / 2
    meant = sum(MATRIX_1[i][j] for i in N for j in N if i != j and labels[i] == labels[j]) / 2
    return fact(
        printed != meant,
        f"i in Q_k alone leaves j free: for M1 and {{x1}}, {{x2, x3}} it gives {printed:g}, and {meant:g}"
        f" with i and j in Q_k",
        "misprint",
    )


def _end_of_proof_3(_: Outcome) -> Held:
    return fact(
        True, "ARImp takes a matrix and a partition; eq. 27 and 28 are of ARImm, which takes two", "misprint"
    )


CLAIMS = (
    Asked("sizes of the data sets", "table 2", "classes, instances and dimensions of the data sets", _sizes),
    Asked("proposition 1", "3.2", "ARI, ARImp and ARImm of two partitions are equal", _proposition_1),
    Asked("proposition 2", "4.1", "ARImp of uncorrelated partitions tends to 0 with N", _limit("ARImp")),
    Asked("proposition 3", "4.1", "ARImm of uncorrelated ensembles tends to 0 with N", _limit("ARImm")),
    Asked(
        "overlapping subsets", "4.2", "ARImp and ARImm serve clusterings of overlapping subsets of the data",
        "the paper does not say what M is for two objects that no subset holds, and has no experiment",
    ),
    Asked("eq. 29", "4.2", "ARImp and ARImm are computed in a distributed manner", _blocks),
    Asked("sub-matrices", "4.2", "t0, t1, t2 of sub-matrices by eq. 14 add up", _sub_matrices),
    Asked("uncertainty", "4.3", "ARImm(M1, M1) > ARImm(M2, M2) in the example", _example),
    Asked("only ARImm", "4.3", "no other general measure has this property", _others_do_not),
    Asked(
        "upper bound", "4.3", "ARImm(M, M) is at most 1, when all clusterings are identical", _upper_bound
    ),
    Asked("lower bound", "4.3", "eq. 35 is a lower bound of ARImm(M, M)", _lower_bound),
    Asked(
        "a constant", "4.3", "for fixed K_max and L, ARImm(M, M) of random partitions tends to a constant",
        _constant,
    ),
    Asked("eq. 7", "2.2", "PNMI, eq. 7, is the sum of NMI over i ≠ j", _equation_7),
    Asked("eq. 21", "4.1", "s0 is the sum over i in Q_k, i ≠ j", _equation_21),
    Asked("proof 3", "4.1", "the proof of proposition 3 ends with ARImp(M, M) = 0", _end_of_proof_3),
    Asked("eq. 30", "4.3", "t0 of eq. 30, first line", _equation_30),
    Asked("eq. 35, second line", "4.3", "ARImm(M, M) by the second line of eq. 35", _second_line),
)  # fmt: skip
"""In the order of the paper."""
