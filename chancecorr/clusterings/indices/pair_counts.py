"""Indices that compare, pair by pair, the degrees to which two objects are together.

Pair-counting indices of the catalogue take degrees in [0, 1], ``a = sum P Q`` and so on over the pairs. Two
objects that share at least one overlapping cluster have the degree 1 (Banerjee, Krumpelman, Ghosh, Basu &
Mooney 2005, doi:10.1145/1081870.1081932). The correlation is Mantel's; for two trees it is the cophenetic
correlation. Baker's gamma is the correlation of ranks. The fuzzy Rand index is 1 minus the mean of
``|P - Q|``, and unadjusted Omega is the share of pairs with ``P = Q``.
"""

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from chancecorr.clusterings.clustering import (
    Agreement,
    Clustering,
    Partition,
    Similarity,
    generalize_entry,
    index_of_clusterings,
    leave_undefined,
    select_pairs,
)
from chancecorr.clusterings.membership import Cover, Membership
from chancecorr.clusterings.pair_kernels import DIFFERENCES, EQUALITIES, SHARED, Gathered
from chancecorr.clusterings.sums_over_pairs import (
    forecast_pairs,
    forecast_products,
    forecast_tiles,
    pair_tiles,
    sum_over_tiles,
    sum_products,
)
from chancecorr.clusterings.tree import Tree
from chancecorr.exact.pair_space import compute_variance_of_equals
from chancecorr.exact.summary import bound_rounding
from chancecorr.indices.calling import name_failures
from chancecorr.indices.evaluation import evaluate_varying_pairs, loosen_range
from chancecorr.indices.registry import Index, get_index
from chancecorr.machine.arrays import Floats
from chancecorr.machine.notes import Note
from chancecorr.sampling.task import Counts, Tally, count_distinct
from chancecorr.tables.reading import contingency_table

SOURCE = "Zhang, Wong & Shen (2012), doi:10.1016/j.patcog.2011.11.017, as the adjusted Rand index of matrices"

NOTE_ON_COVERS = Note(
    "shared clusters", "objects are together if they share a cluster; 'omega' compares how many they share"
)

MAX_ROUNDING_OF_A_SUM = 1e-13  # share of all pairs below which a difference of sums over pairs is 0
MAX_EXACT_PAIRS, STEP_OF_A_SIMILARITY = 1 << 22, 2.0**-22  # with more pairs, values are rounded down to steps
MOST_VALUES_COUNTED = 32  # different numbers of shared clusters for which the variance is computed
NANOSECONDS_OF_FEW, NANOSECONDS_OF_MANY, NANOSECONDS_ROUNDED = 40.0, 250.0, 450.0
"""Nanoseconds to sort and count a similarity: whole numbers, other numbers, rounded numbers."""


index_of_products = partial(index_of_clusterings, cost=forecast_products)


def make_entry_of_pairs(index: Index) -> Index:
    """Make the entry of a pair-counting index for clusterings of other kinds."""
    kinds = "labels", "membership", "cover", "similarity"
    function = partial(agree_by_counts, index)
    entry = generalize_entry(loosen_range(index), takes=kinds, function=function, cost=forecast_counts)
    return replace(entry, source=SOURCE) if index.name == "rand" else entry


def forecast_counts(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Forecast nanoseconds and bytes of `agree_by_counts`."""
    return forecast_products(*map(_bound_similarities, (P, Q)))


def agree_by_counts(index: Index, P: Clustering, Q: Clustering) -> Agreement:
    """Compute the agreement by pair counts, from degrees of togetherness in [0, 1]."""
    P, Q = map(_bound_similarities, (P, Q))
    if P.n < 2:
        return leave_undefined()
    of_pairs = sum_products(P, Q)
    mean, above, a = of_pairs.mean, of_pairs.above, of_pairs.mean + of_pairs.above
    if isinstance(P, Partition) and isinstance(Q, Partition):  # whole numbers
        whole = contingency_table(P.codes, Q.codes).pair_counts
        exactly = Fraction((whole.a + whole.b) * (whole.a + whole.c), sum(whole))
        mean, above, a = float(exactly), float(whole.a - exactly), float(whole.a)
    pairs, totals = math.comb(P.n, 2), (of_pairs.spaces[0].total, of_pairs.spaces[1].total)
    squares = 2.0 * totals[0] + P.n, 2.0 * totals[1] + P.n

    def values(together: Floats) -> Floats:
        exact = together, totals[0] - together, totals[1] - together, pairs - sum(totals) + together
        counts = [np.where(np.abs(item) < MAX_ROUNDING_OF_A_SUM * pairs, 0.0, item) for item in exact]
        with name_failures(index, "sums over pairs"):
            return evaluate_varying_pairs(index, counts, squares, P.n)

    most = min(totals)
    observed, at_mean, at_none, at_most = values(np.array([a, mean, 0.0, most])).tolist()
    if abs(at_mean) < MAX_ROUNDING_OF_A_SUM * abs(at_most - at_none) < math.inf:
        at_mean = 0.0  # the index is corrected for chance
    agreement = Agreement(
        observed=observed,
        best=_find_best(index, totals, P.n) if index.best is None else math.nan,
        sums=of_pairs.sums,
        nanoseconds=of_pairs.nanoseconds,
    )
    if not index.affine:
        return replace(agreement, sums=lambda permutations: values(mean + of_pairs.sums(permutations)))
    slope = (at_most - at_none) / most if most > 0.0 else 0.0
    sizes = at_none, at_most, *filter(math.isfinite, index.range)
    if abs(at_most - at_none) <= bound_rounding(*sizes):
        slope = 0.0  # these totals alone determine the index
    room = sum(totals) / 2.0 - mean
    is_rand = (index.corrected_as or index.name) == "adjusted_rand" and room > MAX_ROUNDING_OF_A_SUM * pairs
    return replace(
        agreement,
        expected=at_mean,
        variance=slope**2 * of_pairs.variance,
        adjusted=above / room if is_rand else None,
        at_zero=at_mean,
        slope=slope,
    )


def _find_best(index: Index, totals: tuple[float, float], n: int) -> float:
    """Compute the mean value of both sides, each against itself."""
    pairs, values = math.comb(n, 2), []
    for total in totals:
        counts = [np.array([count]) for count in (total, 0.0, 0.0, pairs - total)]
        square = 2.0 * total + n
        values.append(float(evaluate_varying_pairs(index, counts, (square, square), n)[0]))
    return sum(values) / 2.0


def correlate(P: Clustering, Q: Clustering) -> Agreement:
    """Compute the correlation over pairs, with mean 0 and the variance of Mantel (1967)."""
    if P.n < 3:
        return leave_undefined()
    of_pairs = sum_products(P, Q)
    lengths = [space.of_objects + space.rest for space in of_pairs.spaces]
    scale = math.sqrt(lengths[0] * lengths[1])
    if scale == 0.0:
        return leave_undefined()
    return Agreement(
        observed=of_pairs.above / scale,
        expected=0.0,
        variance=of_pairs.variance / scale**2,
        sums=of_pairs.sums,
        slope=1.0 / scale,
        nanoseconds=of_pairs.nanoseconds,
    )


CORRELATION = index_of_products(
    name="correlation",
    about="Correlation, over pairs, of the degrees of being together.",
    formula=r"\operatorname{cor}_{i<j}(P_{ij}, Q_{ij})",
    aliases=("mantel", "cophenetic"),
    source="Mantel (1967), Cancer Research 27, 209-220; Sokal & Rohlf (1962), doi:10.2307/1217208",
    takes=(),
    range=(-1.0, 1.0),
    function=correlate,
)


def correlate_ranks(*trees: Tree) -> Agreement:
    """Compute the agreement of two trees by ranks: each height is replaced by the mean rank of its pairs."""
    ranked = []
    for tree in trees:
        sizes = np.append(np.ones(tree.n), tree.linkage[:, 3])
        pairs = sizes[tree.linkage[:, :2].astype(np.int64)].prod(axis=1)
        _, level = np.unique(tree.linkage[:, 2], return_inverse=True)
        joined = np.bincount(level, pairs)
        ranks = np.cumsum(joined) - (joined - 1.0) / 2.0
        columns = [tree.linkage[:, :2], ranks[level], tree.linkage[:, 3]]
        ranked.append(replace(tree, linkage=np.column_stack(columns)))
    return correlate(*ranked)


BAKERS_GAMMA = index_of_products(
    name="bakers_gamma",
    about="Rank correlation of the heights at which two trees join the pairs.",
    formula=r"\operatorname{cor}_{i<j}(\operatorname{rank} P_{ij}, \operatorname{rank} Q_{ij})",
    aliases=("baker",),
    source="Baker (1974), doi:10.1080/01621459.1974.10482971",
    takes=("tree",),
    range=(-1.0, 1.0),
    function=correlate_ranks,
)


def agree_by_values(P: Clustering, Q: Clustering, comparison: int) -> Agreement:
    """Compute 1 minus the mean difference of similarities, or the share of equal ones, in one pass.

    The variance is known for the share of equal ones among few values, and if it is 0. Two partitions agree
    by the Rand index.
    """
    if isinstance(P, Partition) and isinstance(Q, Partition):
        return agree_by_counts(get_index("rand"), P, Q)
    pairs = math.comb(P.n, 2)
    if not pairs:
        return leave_undefined()
    by_difference = comparison == DIFFERENCES
    at_zero, sign = (1.0, -1.0) if by_difference else (0.0, 1.0)
    find_mean = compute_mean_difference if by_difference else _share_of_equals
    tallies, sums, error = (Tally(), Tally()), [], 0.0
    of_values = None if by_difference else (CountsOfValues(P.n), CountsOfValues(Q.n))
    for rows, columns, p_tile, q_tile in pair_tiles(P, Q):
        for counts, tile in zip(of_values or (), (p_tile, q_tile), strict=bool(of_values)):
            counts.add(rows, columns, tile)
        p, q = select_pairs(rows, columns, p_tile), select_pairs(rows, columns, q_tile)
        sums.append(float(np.sum(np.abs(p - q) if by_difference else 1.0 * (p == q))))
        for tally, values in zip(tallies, (p, q), strict=True):
            held = values
            if pairs > MAX_EXACT_PAIRS:
                held = np.floor(values / STEP_OF_A_SIMILARITY) * STEP_OF_A_SIMILARITY
            error = error if np.array_equal(held, values) else STEP_OF_A_SIMILARITY
            tally.add(*count_distinct(held))
    levels = tallies[0].result(), tallies[1].result()
    is_constant = any(np.ptp(values) <= bound_rounding(values).max() for values, _ in levels)
    variance = 0.0 if is_constant else math.nan
    if of_values and not is_constant and all(counts.are_few for counts in of_values):
        shared = sorted({*of_values[0].of_objects} & {*of_values[1].of_objects})
        listed = (np.array([counts.of_objects[value] for value in shared]) for counts in of_values)
        variance = compute_variance_of_equals(P.n, *listed) / pairs**2 if shared else 0.0
    return Agreement(
        observed=at_zero + sign * (math.fsum(sums) / pairs),
        expected=at_zero + sign * find_mean(*levels),
        error=error,
        variance=variance,
        sums=sum_over_tiles(P, Q, comparison, (0.0, 0.0)),
        at_zero=at_zero,
        slope=sign / pairs,
        nanoseconds=forecast_pairs(P, Q),
    )


class CountsOfValues:
    """Numbers of pairs of each object by the value of the pair, from one pass over tiles."""

    def __init__(self, n: int) -> None:
        self._n = n
        self.of_objects = dict[float, Floats]()
        self.are_few = True  # False if there are more than `MOST_VALUES_COUNTED`; then nothing is counted

    def add(self, rows: slice, columns: slice, tile: Floats) -> None:
        """Add a tile on or above the diagonal."""
        values = np.unique(select_pairs(rows, columns, tile)) if self.are_few else np.zeros(0)
        self.are_few = self.are_few and len({*self.of_objects, *values.tolist()}) <= MOST_VALUES_COUNTED
        for value in values.tolist() if self.are_few else ():
            counts = self.of_objects.setdefault(value, np.zeros(self._n))
            is_here = np.triu(tile == value, 1) if rows == columns else tile == value
            counts[rows] += is_here.sum(axis=1)
            counts[columns] += is_here.sum(axis=0)


def forecast_values(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Forecast nanoseconds and bytes of `agree_by_values`, or of the Rand index of two partitions."""
    if isinstance(P, Partition) and isinstance(Q, Partition):
        return forecast_products(P, Q)
    if all(isinstance(side, Partition | Cover) for side in (P, Q)):
        return forecast_tiles(P, Q, NANOSECONDS_OF_FEW)
    many = math.comb(P.n, 2) > MAX_EXACT_PAIRS
    return forecast_tiles(P, Q, NANOSECONDS_ROUNDED if many else NANOSECONDS_OF_MANY)


def agree_by_differences(P: Clustering, Q: Clustering) -> Agreement:
    """Compute the agreement of memberships, with `by_distance` degrees."""
    P, Q = (
        replace(side, by_distance=True) if isinstance(side, Membership) else _bound_similarities(side)
        for side in (P, Q)
    )
    return agree_by_values(P, Q, DIFFERENCES)


def _bound_similarities(side: Clustering) -> Clustering:
    """Return the clustering with degrees in [0, 1]: bounded similarities, or 1 in a common cluster."""
    if isinstance(side, Cover) and side.rows.sum(axis=1).max(initial=0.0) > 1.0:
        return Shared(side.rows)
    return replace(side, bounded=True) if isinstance(side, Similarity) else side


class Shared(Cover):
    """Overlapping clusters, in which two objects are together if they share at least one cluster."""

    def gather(self) -> Gathered:
        """Return the memberships, whose products count as at most 1."""
        return Gathered(SHARED, rows=self.rows)


def compute_mean_difference(p_values: Counts, q_values: Counts) -> float:
    """Compute the mean of ``|x - y|`` over values of two sides: the integral of ``F (1 - G) + G (1 - F)``."""
    (p, p_counts), (q, q_counts) = p_values, q_values
    places = np.concatenate([p, q])
    order = np.argsort(places, kind="stable")
    below_p = np.cumsum(np.concatenate([p_counts, np.zeros_like(q_counts)])[order])[:-1]
    below_q = np.cumsum(np.concatenate([np.zeros_like(p_counts), q_counts])[order])[:-1]
    n_p, n_q = int(p_counts.sum()), int(q_counts.sum())
    apart = (below_p / n_p) * ((n_q - below_q) / n_q) + (below_q / n_q) * ((n_p - below_p) / n_p)
    return float(np.sum(np.diff(places[order]) * apart))


FUZZY_RAND = index_of_clusterings(
    name="fuzzy_rand",
    about="1 minus the mean difference, over pairs, of the degrees of being together.",
    formula=r"1 - \frac{1}{N} \sum_{i<j} |P_{ij} - Q_{ij}|",
    aliases=("ndc", "aci"),
    source="Hüllermeier, Rifqi, Henzgen & Senge (2012), doi:10.1109/TFUZZ.2011.2179303; adjusted: D'Ambrosio,"
    " Amodio, Iorio, Pandolfo & Siciliano (2021), doi:10.1007/s00357-020-09367-0",
    takes=("labels", "membership", "similarity"),
    function=agree_by_differences,
    cost=forecast_values,
)


def _share_of_equals(p: Counts, q: Counts) -> float:
    """Compute the probability that random values of the two sides are equal."""
    _, of_p, of_q = np.intersect1d(p[0], q[0], assume_unique=True, return_indices=True)
    equal = sum(int(x) * int(y) for x, y in zip(p[1][of_p], q[1][of_q], strict=True))
    return equal / (int(p[1].sum()) * int(q[1].sum()))


OMEGA = index_of_clusterings(
    name="omega",
    about="Share of pairs that are together in the same number of clusters on both sides; Omega is adjusted.",
    formula=r"\frac{1}{N} \sum_{i<j} [P_{ij} = Q_{ij}]",
    source="Collins & Dent (1988), doi:10.1207/s15327906mbr2302_6",
    takes=("labels", "cover"),
    function=partial(agree_by_values, comparison=EQUALITIES),
    cost=forecast_values,
)

PAIR_INDICES = FUZZY_RAND, OMEGA, CORRELATION, BAKERS_GAMMA
"""Entries of indices that compare pair by pair, without the catalogue's pair-counting indices."""
