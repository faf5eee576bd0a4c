"""Pair-counting coefficients that also use the cluster sizes or the table.

Most are ``(T - e) / s`` with ``T = sum n_ij**2``, where e and s follow from the cluster sizes and are exact
until they are combined with T. If s is 0, the value is nan.
"""

import functools
import math
from fractions import Fraction

import numpy as np

from chancecorr.indices.clusters import add_up
from chancecorr.indices.entry import affine_index, pair_index, register_kernel
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import compute_raw_moments

of_sizes = functools.partial(affine_index, with_totals=True, range=(-math.inf, math.inf))
"""Register an index of the pair counts and the cluster sizes, by default affine in T."""


def _squares(totals: Integers) -> int:
    return int((totals**2).sum())


def moments_of_a(row_totals: Integers, column_totals: Integers) -> tuple[Fraction, Fraction]:
    """Return mean and variance of a over the tables with these totals, by random orders of the objects."""
    first, second = compute_raw_moments(Margins(row_totals, column_totals), 2)
    return first / 2, (second - first**2) / 4


def lerman(a: Floats, b: Floats, c: Floats, d: Floats, rows: Integers, columns: Integers) -> Floats:
    """Pairs together in both, in standard deviations above the mean by chance."""
    _, variance = moments_of_a(rows, columns)
    # a minus its mean P Q / N, without a difference of large numbers
    return (a * d - b * c) / (a + b + c + d) / (math.sqrt(variance) or math.nan)


# fmt: off

of_sizes("lerman",
    r"\frac{a - \frac{P Q}{N}}{s}, \quad s \text{ the standard deviation of } a \text{ when the cluster"
    r" sizes are fixed}", lerman,
    "Pairs together in both, in standard deviations above the mean by chance.",
    aliases=("z_rand", "standardized_rand"), best=None,
    source="Lerman (1988), Applied Stochastic Models and Data Analysis 4; variance in Hubert & Arabie (1985)",
    known_as="z-Rand (Traud et al. 2011); standardised Rand index (SRI), since Rand is affine in a;"
    " normalised adjusted Rand index (NARI) of Qannari, Courcoux & Faye (2014)",
    notes="Expected value 0, variance 1. nan, as in partitionComparison, where the cluster sizes give a."
    " zrand of netneurotools 0.3.0 adds n / 2 to a, P and Q, since it counts each object as half a pair"
    " with itself, and not to N.")


def _normalized_lerman(
    a: Floats, b: Floats, c: Floats, d: Floats, rows: Integers, columns: Integers
) -> Floats:
    selves = []
    for totals in (rows, columns):
        pairs = Fraction(_squares(totals) - int(totals.sum()), 2)
        mean, variance = moments_of_a(totals, totals)
        selves.append(float(pairs - mean) / (math.sqrt(variance) or math.nan))
    return lerman(a, b, c, d, rows, columns) / math.sqrt(selves[0] * selves[1])


of_sizes("normalized_lerman",
    r"\frac{L(U, V)}{\sqrt{L(U, U) L(V, V)}}, \quad L \text{ the } \mathtt{lerman} \text{ index}",
    _normalized_lerman,
    "`lerman` relative to its geometric mean over each clustering against itself.",
    best=1.0,
    source="Lerman (1988), Applied Stochastic Models and Data Analysis 4; partitionComparison for R",
    notes="1 for identical clusterings, the maximum where both have the same cluster sizes. With others it"
    " can be larger: sizes (2, 3) against (3, 1, 1) reach 1.166, and no bound holds for all n.")


def _standardize(a: Floats, b: Floats, c: Floats, d: Floats, left: Floats) -> Floats:
    """Return ``(a - P Q / N) / sqrt(left P Q / N**2)``."""
    N = a + b + c + d
    return (a * d - b * c) / N / np.sqrt((a + b) / N * ((a + c) / N) * left)


affine_index("standardized_binomial_1",
    r"\frac{a - \frac{P Q}{N}}{\sqrt{\frac{P Q}{N} \left(1 - \frac{P Q}{N^2}\right)}}",
    lambda a, b, c, d: _standardize(a, b, c, d, c + d + (a + b) / (a + b + c + d) * (b + d)),
    "Standardised a, as if binomial with N trials of probability ``P Q / N**2``.",
    range=(-math.inf, math.inf), best=None,
    source="Gösgens, Tikhonov & Prokhorenkova (2021), arXiv:1911.04773, and their code",
    known_as="StandardizedRandIndex1 in validation_indices",
    notes="Treats the N pairs as independent, so that its variance by chance is not 1; see `lerman`.")

affine_index("standardized_binomial_2",
    r"\frac{a - \frac{P Q}{N}}{\sqrt{\frac{P Q}{N} \left(1 - \frac{\max(P, Q)}{N}\right)}}",
    lambda a, b, c, d: _standardize(a, b, c, d, np.minimum(c + d, b + d)),
    "Standardised a, as if binomial with ``min(P, Q)`` trials of probability ``max(P, Q) / N``.",
    range=(-math.inf, math.inf), best=None,
    source="Gösgens, Tikhonov & Prokhorenkova (2021), arXiv:1911.04773, and their code",
    known_as="StandardizedRandIndex2 in validation_indices",
    notes="Treats the pairs as independent, so that its variance by chance is not 1; see `lerman`.")


def _rv(a: Floats, b: Floats, c: Floats, d: Floats, rows: Integers, columns: Integers) -> Floats:
    squares = float(_squares(rows)) * float(_squares(columns))
    return (2.0 * a + float(rows.sum())) / (math.sqrt(squares) or math.nan)


of_sizes("rv", r"\frac{T}{\sqrt{S_x S_y}}", _rv,
    "Cosine of the 0/1 vectors over all ordered pairs, self-pairs included.",
    range=(0.0, 1.0),
    source="Robert & Escoufier (1976), doi:10.2307/2347233; for clusterings: Youness & Saporta (2004)",
    notes="Cosine of the co-membership matrices, their diagonals included; the variables are not centred.")


def _katz_powell(a: Floats, b: Floats, c: Floats, d: Floats, rows: Integers, columns: Integers) -> Floats:
    n, S_x, S_y = int(rows.sum()), _squares(rows), _squares(columns)
    variances = float(S_x * (n**2 - S_x)) * float(S_y * (n**2 - S_y))
    # n^2 T - S_x S_y in pair counts: 4 (a N - P Q) + 2 n (N + a - P - Q)
    return (4.0 * (a * d - b * c) + 2.0 * n * d) / (math.sqrt(variances) or math.nan)


of_sizes("katz_powell", r"\frac{n^2 T - S_x S_y}{\sqrt{S_x (n^2 - S_x) S_y (n^2 - S_y)}}", _katz_powell,
    "Correlation of the 0/1 vectors over all ordered pairs, self-pairs included.",
    range=(-1.0, 1.0),
    source="Katz & Powell (1953), Psychometrika 18, 249-256; for clusterings: Messatfa (1992)",
    known_as="KP in clue",
    notes="`phi` over all n^2 ordered pairs; the n self-pairs among them make its expected value positive.")


def _janson_vegelius(a: Floats, b: Floats, c: Floats, d: Floats, rows: Integers, columns: Integers) -> Floats:
    n, S_x, S_y = int(rows.sum()), _squares(rows), _squares(columns)
    K, Q = (int(np.count_nonzero(totals)) for totals in (rows, columns))
    lengths = float(K * (K - 2) * S_x + n**2) * float(Q * (Q - 2) * S_y + n**2)
    # K Q T - K S_x - Q S_y + n^2 in pair counts
    product = (K - 1) * (Q - 1) * (2.0 * a + n) - 2.0 * (K - 1) * b - 2.0 * (Q - 1) * c + 2.0 * d
    return product / (math.sqrt(lengths) or math.nan)


of_sizes("janson_vegelius",
    r"\frac{K Q T - K S_x - Q S_y + n^2}{\sqrt{(K (K - 2) S_x + n^2) (Q (Q - 2) S_y + n^2)}}, \quad K"
    r" \text{ rows and } Q \text{ columns}", _janson_vegelius,
    "Cosine of the clusterings, each pair counting ``K - 1`` if together and -1 if apart.",
    range=(0.0, 1.0),
    source="Janson & Vegelius (1982), Applied Psychological Measurement 6, 111-121; Youness & Saporta (2004)",
    known_as="JV or J index",
    notes="Cosine of the matrices of dot products of the objects, each put at its cluster's corner of a"
    " regular simplex. Never negative: the numerator is K Q times the sum of squares of the doubly centred"
    " table.")


def _morey_agresti(a: Floats, b: Floats, c: Floats, d: Floats, rows: Integers, columns: Integers) -> Floats:
    n, S_x, S_y = int(rows.sum()), _squares(rows), _squares(columns)
    room = Fraction(S_x + S_y, 2) - Fraction(S_x * S_y, n**2) if n else Fraction(0)
    return 1.0 - (b + c) / (float(room) or math.nan)


of_sizes("morey_agresti", r"\frac{T - \frac{S_x S_y}{n^2}}{\frac{S_x + S_y}{2} - \frac{S_x S_y}{n^2}}",
    _morey_agresti,
    "Rand corrected by its large-sample value under independence.",
    corrected_as="adjusted_rand", range=(-0.5, 1.0),
    source="Morey & Agresti (1984), Educational and Psychological Measurement 44, 33-37",
    known_as="MA in clues and Milligan & Cooper (1986)",
    notes="(R - E) / (1 - E) with R the share of agreement over all n^2 ordered pairs, self-pairs"
    " included, and E = 1 + 2 S_x S_y / n^4 - (S_x + S_y) / n^2. The mean of its numerator by chance is"
    " not 0 but (n^2 - S_x)(n^2 - S_y) / (n^2 (n - 1)).")

pair_index("comembership", r"\sqrt{2 (b + c)}", lambda a, b, c, d: np.sqrt(2.0 * (b + c)),
    "Euclidean distance of the co-membership matrices.",
    corrected_as="euclid", range=(0.0, math.inf), best=0.0,
    source="Hornik (2005), clue: A CLUE for CLUster Ensembles, doi:10.18637/jss.v014.i12",
    known_as="comemberships in clue; Frobenius norm of U U' - V V', sqrt(S_x - 2 T + S_y)")


@register_kernel(
    r"\frac{a - E}{\frac{P + Q}{2} - E}, \quad E = \frac{2 G}{(n - 2) (n - 3)}, \quad G = P Q - a -"
    r" \sum_{i,j} n_{ij} (n_{i\cdot} - 1) (n_{\cdot j} - 1) + T - n",
    needs="table", family="pair_counting", symmetric=True, range=(-math.inf, 1.0),
    source="Sundqvist, Chiquet & Rigaill (2023), Computational Statistics 38, 327-347",
    known_as="MARI in aricode",
    notes="E estimates the mean without bias for objects drawn independently: G counts the pairs of pairs,"
    " one in a row cluster and one in a column cluster, without a common object. 1 where b + c = 0; else"
    " nan below n = 4, where there are none to count.")
def mari(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Adjusted Rand index with the mean under a multinomial model in place of the permutation model."""
    # The numerator (a - E) choices counts pairs of pairs without a common object: one pair of a with one of
    # d, minus one pair of b with one of c, as D = (a - P Q / N) N does. All counts are sums of nonnegative
    # numbers.
    n = add_up(row_totals)
    a = b = c = d = common_ad = common_bc = 0.0
    for i in range(row_totals.size):
        for j in range(column_totals.size):
            # for an object of this cell: number of other objects in the cell, in its row, in its column, and
            # elsewhere
            x = float(table[i, j])
            if x > 0.0:
                together = x - 1.0
                in_row, in_column = float(row_totals[i] - table[i, j]), float(column_totals[j] - table[i, j])
                elsewhere = n - float(row_totals[i]) - in_column
                a += 0.5 * x * together
                b += 0.5 * x * in_row
                c += 0.5 * x * in_column
                d += 0.5 * x * elsewhere
                common_ad += x * together * elsewhere
                common_bc += x * in_row * in_column
    if n == 0.0:
        return math.nan
    if b + c == 0.0:
        return 1.0
    if n < 4.0:
        return math.nan
    excess = (a * d - common_ad) - (b * c - common_bc)
    room = excess + 0.25 * (b + c) * (n - 2.0) * (n - 3.0)
    return excess / room if room != 0.0 else -math.inf


@register_kernel(
    r"\min_i \sum_j \frac{n_{ij} (n_{ij} - 1)}{n_{i\cdot} (n_{i\cdot} - 1)}, \quad \text{over the clusters"
    r" } i \text{ with } n_{i\cdot} > 1",
    needs="table", family="pair_counting", symmetric=False,
    source="Tibshirani & Walther (2005), Journal of Computational and Graphical Statistics 14, 511-528",
    known_as="PS in clue",
    notes="In the paper the reference is the clustering of the test set itself. A singleton has no pair"
    " and is left out, as in clue. fpc counts it as 1, which differs only if all are singletons; kamila"
    " counts it as 0, against the definition.")
def prediction_strength(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Least share, over the reference's clusters, of its pairs that are together in the candidate."""
    least = math.nan
    for i in range(row_totals.size):
        size = float(row_totals[i])
        if size > 1.0:
            together = 0.0
            for j in range(column_totals.size):
                together += float(table[i, j]) * (float(table[i, j]) - 1.0)
            share = together / (size * (size - 1.0))
            if not share >= least:
                least = share
    return least
