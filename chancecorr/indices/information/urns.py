"""Information of the reference's labels in an encoding that learns: reduced mutual information of 2024.

In the clusters of the candidate the labels of the reference are drawn from urns of K colours: the next object
of cluster j has label i with probability ``(n_ij + alpha) / (m_j + K alpha)``, counting the objects before.
The nats are those of the best alpha; without the candidate there is one urn, and the difference is saved.
"""

import functools
import math

import numpy as np

from chancecorr.indices.entry import entry
from chancecorr.indices.kernels.clusters import clusters
from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel

LEAST_LOG, LARGEST_LOG = math.log(1e-4), math.log(1e4)
"""Logarithms of alpha between which the best is looked for; beyond are the limits 0 and infinity."""

TOLERANCE = 1e-7
"""Distance of two logarithms of alpha that ends the search; the nats are off by its square."""

FEW_FACTORS = 16
NANOSECONDS_PER_CELL = 150.0
JERDEE_2024 = "Jerdee, Kirkley & Newman (2024), doi:10.1103/PhysRevE.110.064306"
JERDEE_2025 = "Jerdee, Kirkley & Newman (2025), doi:10.1038/s41467-025-66150-8"
BEST_ALPHA = "alpha is the best of all; clustering-mi has one from 1e-4 to 1e4."

urn_index = functools.partial(
    entry,
    needs="table",
    family="information",
    table=((2, 0), (0, 2)),
    range=(-math.inf, math.inf),
    nanoseconds=lambda K, Q: NANOSECONDS_PER_CELL * K * Q,
)
"""Entry of an index of labels drawn from urns."""


@kernel
def _log_rising(a: float, count: int) -> float:
    """``log(a (a + 1) ... (a + count - 1))``; Gamma functions of large numbers cancel."""
    if count > FEW_FACTORS:
        return math.lgamma(a + count) - math.lgamma(a)
    product = 1.0
    for k in range(count):
        product *= a + k
    return math.log(product)


@kernel
def _distinct(counts: Integers) -> tuple[Integers, Integers]:
    """Counts that differ, in ascending order, and how often each occurs."""
    ordered = np.sort(counts)
    values, times = np.empty_like(ordered), np.zeros_like(ordered)
    k = -1
    for count in ordered:
        if k < 0 or count != values[k]:
            k += 1
            values[k] = count
        times[k] += 1
    return values[: k + 1], times[: k + 1]


@kernel
def _sum_of_log_rising(a: float, values: Integers, times: Integers) -> float:
    """Sum of `_log_rising` over counts."""
    total = 0.0
    for k in range(values.size):
        total += times[k] * _log_rising(a, values[k])
    return total


@kernel
def _nats_in_the_limits(counts: Integers, urns: Integers, colours: int) -> float:
    """The fewer of the nats with an alpha of infinity, and of 0 if each urn has one colour."""
    least: float = urns.sum() * math.log(colours)
    if clusters(counts) == clusters(urns):
        least = min(least, clusters(urns) * math.log(colours))
    return least


@kernel
def least_nats(counts: Integers, urns: Integers, colours: int) -> float:
    """Nats of labels that fill urns with these counts, by the best alpha: sections of its logarithm."""
    cells, times = _distinct(counts)
    sizes, times_of_size = _distinct(urns)
    low, high, section = LEAST_LOG, LARGEST_LOG, (3.0 - math.sqrt(5.0)) / 2.0
    at = np.array([low + section * (high - low), high - section * (high - low)])
    nats = np.empty(2)
    least = _nats_in_the_limits(counts, urns, colours)
    anew = 2  # both at first, then the one that moved
    while at[1] - at[0] > TOLERANCE:
        for side in range(2):
            if anew in (side, 2):
                alpha = math.exp(at[side])
                nats[side] = _sum_of_log_rising(colours * alpha, sizes, times_of_size)
                nats[side] -= _sum_of_log_rising(alpha, cells, times)
                least = min(least, nats[side])
        if nats[0] < nats[1]:
            high, at[1], nats[1], anew = at[1], at[0], nats[0], 0
            at[0] = low + section * (high - low)
        else:
            low, at[0], nats[0], anew = at[0], at[1], nats[1], 1
            at[1] = high - section * (high - low)
    return least


@kernel
def _saved(counts: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Nats per object that the candidate saves; nan without objects."""
    n, colours = row_totals.sum(), clusters(row_totals)
    if n == 0:
        return math.nan
    alone = least_nats(row_totals.copy(), np.full(1, n), colours)  # read-only it would be compiled once more
    return (alone - least_nats(counts, column_totals.copy(), colours)) / float(n)


@kernel
def _share_saved(counts: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Nats saved as a share of those that the reference itself would save; nan if it saves none."""
    most = _saved(row_totals.copy(), row_totals, row_totals)
    return _saved(counts, row_totals, column_totals) / most if most > 0.0 else math.nan


@urn_index(
    "(x - y) / n, x the nats of all labels of U, y those given the clusters of V, in an urn for each",
    aliases=("rmi_dirichlet",),
    best=None,
    example=(4 - 2) * math.log(2) / 4,  # alone an alpha of infinity, 2**-4; with V one of 0, 2**-2
    source=JERDEE_2024,
    known_as='mutual_information(variation="reduced") in clustering-mi, in bits and times n.',
    notes=f"In nats. {BEST_ALPHA} With all tables equally likely: reduced_mutual_information.",
    from_cells=lambda rows, columns, counts, *totals: _saved(counts, *totals),
)
def dirichlet_reduced_information(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Nats per object that the candidate saves in telling the labels of the reference, tables included."""
    return _saved(table.flatten(), row_totals, column_totals)


@urn_index(
    "x / y, x the value of dirichlet_reduced_information, y that of the reference with itself",
    aliases=("nrmi", "asymmetric_rmi"),
    undefined=0.0,
    table=((2, 0), (0, 2)),
    example=1.0,
    source=f"{JERDEE_2025}; encoding: {JERDEE_2024}",
    known_as='normalized_mutual_information of clustering-mi, by default (variation="reduced",'
    ' normalization="second").',
    notes=f"0 for a reference of one cluster, or of singletons. {BEST_ALPHA}",
    from_cells=lambda rows, columns, counts, *totals: _share_saved(counts, *totals),
)
def reduced_nmi(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """What the candidate tells of the reference, as a share of all there is to tell."""
    return _share_saved(table.flatten(), row_totals, column_totals)
