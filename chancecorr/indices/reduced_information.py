"""Information minus the cost of the table or of the model, and information of Tsallis entropies.

Dom's measures are functions of I. The reduced mutual information of 2020 and each order q of the Tsallis
indices have separate sums over cells. In the reduced mutual information of 2024, each cluster of the
candidate is an urn with K colours, and the labels of the reference are drawn from the urns. The next object
of cluster j has label i with probability ``(n_ij + alpha) / (m_j + K alpha)``, where n_ij and m_j count the
objects before. The nats are computed for the best alpha. Without the candidate there is one urn; the
difference of the nats is saved.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.indices.clusters import count_clusters
from chancecorr.indices.entry import check_positive, make_member, register_family, register_kernel
from chancecorr.indices.information import entropy, information_index, share, subtract_nats
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel, shared_with_kernels

DOM = "Dom (2001), IBM Research Report RJ 10219; as in Rosenberg & Hirschberg (2007), EMNLP-CoNLL, 410-420"
STIRLING_FROM, HALF_LOG_2_PI = 10.0, 0.5 * math.log(2.0 * math.pi)  # from 10 on, the series is off by 3e-17
# binomial coefficients with at most this number of factors: sum the logarithms of the factors
FEW_FACTORS = 10_000


def log_number_of_tables(rows: Integers, columns: Integers) -> float:
    """Approximate the logarithm of the number of tables with these margins; exact for one row or column.

    The number is approximated by the product of the numbers of compositions of the columns and a Dirichlet
    density of equal variance at the row totals. The result is the geometric mean of this and of the same with
    rows and columns exchanged.
    """
    rows, columns = rows[rows > 0], columns[columns > 0]
    K, Q, n = rows.size, columns.size, int(rows.sum())
    if K <= 1 or Q <= 1:
        return 0.0 if n else math.nan
    x, y = (rows + Q / 2) / (n + K * Q / 2), (columns + K / 2) / (n + K * Q / 2)
    mu = (K + 1) / (K * float((y * y).sum())) - 1 / K
    nu = (Q + 1) / (Q * float((x * x).sum())) - 1 / Q
    gammas = math.lgamma(mu * K) - K * math.lgamma(mu) - Q * math.lgamma(K)
    gammas += math.lgamma(nu * Q) - Q * math.lgamma(nu) - K * math.lgamma(Q)
    logs = (K + nu - 2) * float(np.log(y).sum()) + (Q + mu - 2) * float(np.log(x).sum())
    return (K - 1) * (Q - 1) * math.log(n + K * Q / 2) + (logs + gammas) / 2


@shared_with_kernels
def log_gamma(x: float) -> float:
    """Return ``log Gamma(x)``, x > 0, by Stirling's series; `math.lgamma` differs when compiled."""
    below = 1.0
    while x < STIRLING_FROM:
        below *= x
        x += 1.0
    w = 1.0 / (x * x)
    series = 1 / 1260 - w * (1 / 1680 - w * (1 / 1188 - w * (691 / 360360 - w / 156)))
    series = (1 / 12 - w * (1 / 360 - w * series)) / x
    return (x - 0.5) * math.log(x) - x + HALF_LOG_2_PI + series - math.log(below)


def log_factorial_of_cell(x: float, row: float, column: float, n: float) -> float:
    """Share of a cell in ``sum log(n_ij!) / n``."""
    return log_gamma(x + 1.0) / n


def _log_factorials(totals: Integers) -> float:
    """Return ``sum log(n_i!)``."""
    return sum(math.lgamma(size + 1.0) for size in totals.tolist())


def _reduced_mutual_information(factorials: Floats, rows: Integers, columns: Integers) -> Floats:
    n = int(rows.sum()) or math.nan
    known = math.lgamma(n + 1.0) - _log_factorials(rows) - _log_factorials(columns)
    return subtract_nats(factorials, (log_number_of_tables(rows, columns) - known) / n)


# fmt: off

information_index("reduced_mutual_information",
    r"\frac{\log n! + \sum_{i,j} \log n_{ij}! - \sum_i \log n_i! - \sum_j \log m_j! - \log \Omega}{n},"
    r" \quad \Omega \text{ the number of tables with these cluster sizes}", _reduced_mutual_information,
    "Mutual information minus the nats that are needed to transmit the table.",
    cell=log_factorial_of_cell, exchange=None, aliases=("rmi",), range=(-math.inf, math.inf), best=None,
    source="Newman, Cantwell & Young (2020), doi:10.1103/PhysRevE.101.042304",
    known_as="I - log(Omega) / n; the flat reduction of clustering-mi",
    notes="In nats; Omega by the approximation of Diaconis & Efron (1985), symmetrised. Shannon's I in the"
    " place of the factorials, by Stirling's formula, is off by the order of log(Omega) / n.")


def _log_binomial(x: int, y: int) -> float:
    """Return ``log C(x + y, y)``; if factors are few, from them, because large log-factorials cancel."""
    fewer, more = sorted((x, y))
    if fewer <= FEW_FACTORS:
        return float(np.log1p(more / np.arange(1.0, fewer + 1.0)).sum())
    return math.lgamma(x + y + 1) - math.lgamma(x + 1) - math.lgamma(y + 1)


def _model_cost(sizes: Integers, classes: int) -> float:
    """Return the nats per object that describe how each cluster divides into `classes` classes."""
    n, m = int(sizes.sum()), classes - 1
    values, repeats = (x.tolist() for x in np.unique(sizes[sizes > 0], return_counts=True))
    cost = sum(times * _log_binomial(size, m) for size, times in zip(values, repeats, strict=True))
    return cost / n if n and m else 0.0 if n else math.nan


information_index("dom_q0",
    r"H(U \mid V) + \sum_j \frac{\log \binom{m_j + K - 1}{K - 1}}{n}, \quad K \text{ the number of"
    r" clusters of } U",
    lambda mi, rows, columns: entropy(rows) - mi + _model_cost(columns, int(np.count_nonzero(rows))),
    "Nats to describe the reference's labels, given the candidate and each cluster's class counts.",
    range=(0.0, math.inf), best=0.0, attained=False, symmetric=False,
    source=DOM,
    notes="0 only where the reference is a single cluster. In nats; the report has bits.")


def _dom_q2(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    classes = int(np.count_nonzero(rows))
    if classes <= 1:
        return np.full_like(mi, math.nan)
    # an entropy is not below 0, except for rounding
    cost = np.maximum(entropy(rows) - mi, 0.0) + _model_cost(columns, classes)
    return _model_cost(rows, classes) / cost


information_index("dom_q2",
    r"\sum_i \frac{\log \binom{n_i + K - 1}{K - 1}}{n \mathtt{dom\_q0}}, \quad K \text{ the number of"
    r" clusters of } U", _dom_q2,
    "Dom's measure normalised: what a perfect candidate costs, relative to this one.",
    symmetric=False,
    source=DOM,
    notes="The cost of a perfect candidate divided by the cost of this one; not linear in I.")


@functools.lru_cache(maxsize=64)
def _tsallis_share(q: float) -> Callable[..., float]:
    """Return a cell's share in a Tsallis entropy of order q, one function for all indices of this q."""

    def tsallis_share_of_cell(x: float, row: float, column: float, n: float) -> float:
        """Share of a cell in the joint Tsallis entropy: ``x/n (1 - (x/n)^(q - 1)) / (q - 1)``."""
        surprise = math.log1p((n - x) / x)
        if q == 1.0:
            return x / n * surprise
        return x / n * math.expm1((1.0 - q) * surprise) / (1.0 - q)

    # Numba links machine code by this name. If different processes stored the code for two orders under one
    # name, the code loaded last would be used for both.
    tsallis_share_of_cell.__qualname__ += f"({q!r})"
    return tsallis_share_of_cell


def tsallis_entropy(totals: Integers, q: float) -> float:
    """Return ``(1 - sum (n_i/n)^q) / (q - 1)``, Shannon's entropy for q = 1; nan without objects."""
    if q == 1.0 or not totals.any():
        return entropy(totals)
    sizes = totals[totals > 0]
    n = sizes.sum()
    return abs(float((sizes / n * np.expm1((1.0 - q) * np.log1p((n - sizes) / sizes))).sum()) / (1.0 - q))


def _make_tsallis(name: str, formula: str, link: Callable[..., Floats], q: float, **about: Any) -> Index:
    """Make an index of Tsallis entropies: ``link(joint, H(U), H(V))`` of order q."""

    def link_joint(joint: Floats, rows: Integers, columns: Integers) -> Floats:
        return link(joint, tsallis_entropy(rows, q), tsallis_entropy(columns, q))

    return make_member(name, {"q": check_positive("q", q)},
        rf"{formula}, \quad H_q = \frac{{1 - \sum p^q}}{{q - 1}}",
        function=_tsallis_share(q), link=link_joint, needs="cells", family="information", symmetric=True,
        source="Romano, Vinh, Bailey & Verspoor (2016), Journal of Machine Learning Research 17 (134), 1-32",
        corrected_as={1.0: "nmi_sum", 2.0: "adjusted_rand"}.get(q, ""), **about)


@register_family(2.0,
    aliases=("mi_q",))
def tsallis_mutual_information(q: float) -> Index:
    """Mutual information of Tsallis entropies of order q."""
    return _make_tsallis("tsallis_mutual_information", "H_q(U) + H_q(V) - H_q(U, V)",
        lambda joint, row_entropy, column_entropy: subtract_nats(row_entropy + column_entropy, joint), q,
        range=(0.0 if q >= 1.0 else -math.inf, 1.0 / (q - 1.0) if q > 1.0 else math.inf), best=None,
        notes="q = 1 is Shannon's. Independent clusterings have (q - 1) H_q(U) H_q(V), which is not 0."
        " validation_indices squares the shares whatever q.")


@register_family(2.0)
def nmi_q(q: float) -> Index:
    """NMI of Tsallis entropies of order q."""
    return _make_tsallis("nmi_q", r"\frac{2 (H_q(U) + H_q(V) - H_q(U, V))}{H_q(U) + H_q(V)}",
        lambda joint, row_entropy, column_entropy:
            share(2.0 * (row_entropy + column_entropy - joint), row_entropy + column_entropy), q,
        range=(0.0 if q >= 1.0 else -math.inf, 1.0),
        notes="Corrected for chance: AMI_q, which is AMI for q = 1 and the adjusted Rand index for q = 2.")


@register_family(2.0)
def vi_q(q: float) -> Index:
    """Variation of information of Tsallis entropies of order q."""
    return _make_tsallis("vi_q", "2 H_q(U, V) - H_q(U) - H_q(V)",
        lambda joint, row_entropy, column_entropy: 2.0 * joint - row_entropy - column_entropy, q,
        range=(0.0, 1.0 / (q - 1.0) if q > 1.0 else math.inf), best=0.0,
        notes="q = 1 is the variation of information; q = 2 is (n - 1) / n of the share of pairs on which the"
        " clusterings differ, 2 (b + c) / n^2.")


LEAST_LOG, LARGEST_LOG = math.log(1e-4), math.log(1e4)
"""Logarithms of alpha between which the best alpha is searched; 0 and infinity are tried separately."""

# the search ends at this distance of two logarithms of alpha; the nats have the error of its square
TOLERANCE = 1e-7
FEW_URN_FACTORS = 16  # for at most this number of factors, take the logarithm of their product

JERDEE_2024 = "Jerdee, Kirkley & Newman (2024), doi:10.1103/PhysRevE.110.064306"
JERDEE_2025 = "Jerdee, Kirkley & Newman (2025), doi:10.1038/s41467-025-66150-8"
BEST_ALPHA = "alpha is the best of all; clustering-mi has one from 1e-4 to 1e4."

urn_index = functools.partial(
    register_kernel, needs="table", family="information", range=(-math.inf, math.inf),
    nanoseconds=lambda K, Q: 30_000.0 + 45.0 * K * Q)
"""Decorator for an index of labels drawn from urns."""


@kernel
def _log_rising(a: float, count: int) -> float:
    """Return ``log(a (a + 1) ... (a + count - 1))``, without large log-gammas, which would cancel."""
    if count > FEW_URN_FACTORS:
        return log_gamma(a + count) - log_gamma(a)
    product = 1.0
    for k in range(count):
        product *= a + k
    return math.log(product)


@kernel
def _fill_distinct(counts: Integers, values: Integers, times: Integers) -> int:
    """Write the distinct counts above 0, ascending, and how often each occurs; return their number."""
    size = 0
    for count in counts:
        if count > 0:
            low, high = 0, size  # its position is between these
            while low < high:
                middle = (low + high) // 2
                if values[middle] < count:
                    low = middle + 1
                else:
                    high = middle
            if low == size or values[low] != count:
                for k in range(size, low, -1):
                    values[k], times[k] = values[k - 1], times[k - 1]
                values[low], times[low] = count, 0
                size += 1
            times[low] += 1
    return size


@kernel
def _sum_of_log_rising(a: float, values: Integers, times: Integers, size: int) -> float:
    """Return the sum of `_log_rising` over counts."""
    total = 0.0
    for k in range(size):
        total += times[k] * _log_rising(a, values[k])
    return total


@kernel
def least_nats(counts: Integers, urns: Integers, colours: int) -> float:
    """Return the nats of labels that fill urns with these counts, for the best alpha (golden section)."""
    cells, times = np.empty_like(counts), np.empty_like(counts)
    sizes, times_of_size = np.empty_like(urns), np.empty_like(urns)
    n_cells = _fill_distinct(counts, cells, times)
    n_sizes = _fill_distinct(urns, sizes, times_of_size)
    filled = n = 0
    for urn in urns:
        filled += urn > 0
        n += urn
    least = n * math.log(colours)  # nats for alpha = infinity
    if count_clusters(counts) == filled:  # each urn has one colour: nats for alpha = 0
        least = min(least, filled * math.log(colours))
    low, high, section = LEAST_LOG, LARGEST_LOG, (3.0 - math.sqrt(5.0)) / 2.0
    left, right = low + section * (high - low), high - section * (high - low)
    of_left = of_right = 0.0
    anew = 2  # both points at first, then the point that moved
    while right - left > TOLERANCE:
        for side in range(2):
            if anew in (side, 2):
                alpha = math.exp(left if side == 0 else right)
                nats = _sum_of_log_rising(colours * alpha, sizes, times_of_size, n_sizes)
                nats -= _sum_of_log_rising(alpha, cells, times, n_cells)
                least = min(least, nats)
                if side == 0:
                    of_left = nats
                else:
                    of_right = nats
        if of_left < of_right:
            high, right, of_right, anew = right, left, of_left, 0
            left = low + section * (high - low)
        else:
            low, left, of_left, anew = left, right, of_right, 1
            right = high - section * (high - low)
    return least


@kernel
def _saved(counts: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Return the nats per object that the candidate saves; nan without objects."""
    n, colours = 0, count_clusters(row_totals)
    for total in row_totals:
        n += total
    if n == 0:
        return math.nan
    whole = np.empty(1, np.int64)
    whole[0] = n
    alone = least_nats(row_totals.copy(), whole, colours)  # a read-only array would be compiled again
    return (alone - least_nats(counts, column_totals.copy(), colours)) / float(n)


@kernel
def _share_saved(counts: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Return the saved nats as a share of the nats that the reference itself would save; nan if 0."""
    most = _saved(row_totals.copy(), row_totals, row_totals)
    return _saved(counts, row_totals, column_totals) / most if most > 0.0 else math.nan


@urn_index(
    r"\frac{x - y}{n}, \quad x \text{ the nats of all labels of } U, \quad y \text{ those given the"
    r" clusters of } V, \quad \text{in an urn for each}",
    aliases=("rmi_dirichlet",), best=None,
    from_cells=lambda rows, columns, counts, *totals: _saved(counts, *totals),
    source=JERDEE_2024,
    known_as='mutual_information(variation="reduced") in clustering-mi, in bits and times n.',
    notes=f"In nats. {BEST_ALPHA} With all tables equally likely: reduced_mutual_information.")
def dirichlet_reduced_information(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Nats per object that the candidate saves in transmitting the labels of the reference, with tables."""
    return _saved(table.flatten(), row_totals, column_totals)


@urn_index(
    r"\frac{x}{y}, \quad x \text{ the value of } \mathtt{dirichlet\_reduced\_information}, \quad y \text{"
    r" that of the reference with itself}",
    aliases=("nrmi", "asymmetric_rmi"), undefined=0.0,
    from_cells=lambda rows, columns, counts, *totals: _share_saved(counts, *totals),
    source=f"{JERDEE_2025}; encoding: {JERDEE_2024}",
    known_as='normalized_mutual_information of clustering-mi, by default (variation="reduced",'
    ' normalization="second").',
    notes=f"0 for a reference of one cluster, or of singletons. {BEST_ALPHA}")
def reduced_nmi(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Information of the candidate about the reference, as a share of all information in the reference."""
    return _share_saved(table.flatten(), row_totals, column_totals)
