"""Set-matching indices in which clusters may share a partner: purity, F, van Dongen and their relatives.

Rows are the reference of K clusters (classes) of sizes ``n_i``, columns the candidate of Q clusters of sizes
``m_j``; empty rows and columns do not count. Where classes have to be matched one to one: `one_to_one`. The
worked example of most entries is the table ``((3, 1, 0), (0, 1, 1))``, its row maxima 3, 1, its column maxima
3, 1, 1. The pieces a value is made of are maxima, so that equal counts leave no choice.
"""

import functools
import math

from chancecorr.indices.entry import entry, four_objects, two_objects, two_shares
from chancecorr.indices.from_cells import (
    by_best_matches,
    by_maxima,
    f1_of_cell,
    mean_over_clusters,
    total_in_order,
)
from chancecorr.indices.kernels.clusters import (
    clusters,
    objects,
    sum_of_column_maxima,
    sum_of_row_maxima,
)
from chancecorr.machine.arrays import Floats, Integers

_AMIGO = "Amigó, Gonzalo, Artiles & Verdejo (2009), doi:10.1007/s10791-008-9066-8"
_VAN_DONGEN = "van Dongen (2000), Performance criteria for graph clustering, CWI report INS-R0012"

matching_index = functools.partial(entry, needs="table", family="set_matching", table=((3, 1, 0), (0, 1, 1)))
"""Entry of a set-matching index."""

moves_index = functools.partial(matching_index, range=(0.0, math.inf), best=0.0, source=_VAN_DONGEN)
"""Entry of a number of objects to be moved, after van Dongen."""


@matching_index(
    "sum_j max_i n_ij / n",
    example=5 / 6,
    known_as="Not the accuracy of a one-to-one matching, which some authors call purity as well.",
    source="Zhao & Karypis (2001), University of Minnesota, technical report 01-40",
    notes="1 for singletons, whatever the reference. clusim's purity_index is this only for Q <= K; for Q > K"
    " it is inverse_purity: 1 / n and not 1 for singletons against one class.",
    exchange=two_shares,
    shares=(0,),
    from_cells=by_maxima(lambda R, C, rows, columns: C / objects(rows)),
)
def purity(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Share of the objects that belong to the most frequent class of their cluster."""
    return sum_of_column_maxima(table) / objects(row_totals)


@matching_index(
    "sum_i max_j n_ij / n",
    example=4 / 6,
    source=_AMIGO,
    known_as="Sensitivity in Brohée & van Helden (2006).",
    notes="1 for a single cluster, whatever the reference. mclustcomp gives this value as the Meila-Heckerman"
    " measure (mhm), which lets several classes share a cluster; see meila_heckerman.",
    exchange=two_shares,
    shares=(1,),
    from_cells=by_maxima(lambda R, C, rows, columns: R / objects(rows)),
)
def inverse_purity(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Share of the objects that lie in the largest part of their class; purity with the roles exchanged."""
    return sum_of_row_maxima(table) / objects(row_totals)


@matching_index(
    "2 purity inverse_purity / (purity + inverse_purity)",
    example=2 * 5 * 4 / (6 * (5 + 4)),
    symmetric=True,
    source="Artiles, Gonzalo & Sekine (2007), SemEval-2007, 64-69",
    known_as='One of several named "F-measure"; others are van_rijsbergen_f, larsen_aone_f, czekanowski.',
    from_cells=by_maxima(lambda R, C, rows, columns: 2.0 * C * R / ((C + R) * objects(rows))),
)
def purity_f(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Harmonic mean of purity and inverse purity."""
    by_columns, by_rows = float(sum_of_column_maxima(table)), float(sum_of_row_maxima(table))
    return 2.0 * by_columns * by_rows / ((by_columns + by_rows) * objects(row_totals))


@matching_index(
    "sqrt(purity inverse_purity)",
    example=math.sqrt(5 * 4) / 6,
    symmetric=True,
    source="Brohée & van Helden (2006), doi:10.1186/1471-2105-7-488",
    known_as="Accuracy in Brohée & van Helden (2006), where inverse_purity is called sensitivity and purity"
    " positive predictive value.",
    from_cells=by_maxima(lambda R, C, rows, columns: math.sqrt(C * R) / objects(rows)),
)
def geometric_accuracy(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Geometric mean of purity and inverse purity."""
    product = float(sum_of_column_maxima(table)) * float(sum_of_row_maxima(table))
    return math.sqrt(product) / objects(row_totals)


@matching_index(
    "sum_i (n_i / n) max_j 2 n_ij / (n_i + m_j)",
    example=(4 * 6 / 7 + 2 * 2 / 3) / 6,
    source="F: van Rijsbergen (1979), Information Retrieval; weighted over classes: Larsen & Aone (1999),"
    " doi:10.1145/312129.312186",
    known_as='"F-measure" or "FScore" in document clustering; "F" in Amigó et al. (2009).',
    notes="mclustcomp's single08_f has n_i m_j in the place of n_ij: the cluster sizes alone give its value.",
    summary=by_best_matches(f1_of_cell),
)
def van_rijsbergen_f(of_rows: Floats, of_columns: Floats, rows: Integers, columns: Integers) -> float:
    """Mean over the objects of the largest F that any cluster reaches for their class."""
    return total_in_order(rows * of_rows) / objects(rows)


@matching_index(
    "(1 / K) sum_i max_j 2 n_ij / (n_i + m_j)",
    example=(6 / 7 + 2 / 3) / 2,
    source="Meilă (2007), doi:10.1016/j.jmva.2006.11.013, with reference to Larsen & Aone (1999)",
    known_as="larsenAone in partitionComparison. Larsen & Aone weight by class size: van_rijsbergen_f.",
    summary=by_best_matches(f1_of_cell),
)
def larsen_aone_f(of_rows: Floats, of_columns: Floats, rows: Integers, columns: Integers) -> float:
    """Mean over the classes, large or small, of the largest F that any cluster reaches."""
    return mean_over_clusters(of_rows, rows)


@moves_index(
    "2 n - sum_i max_j n_ij - sum_j max_i n_ij",
    example=12 - 4 - 5,
    symmetric=True,
    notes="The same value as split_join.",
    exchange=four_objects,
    from_cells=by_maxima(lambda R, C, rows, columns: 2.0 * objects(rows) - R - C),
)
def van_dongen(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Objects to be moved on the way from one clustering to the other by way of their intersection."""
    return 2.0 * objects(row_totals) - sum_of_row_maxima(table) - sum_of_column_maxima(table)


@matching_index(
    "1 - (sum_i max_j n_ij + sum_j max_i n_ij) / (2 n)",
    corrected_as="van_dongen",
    example=3 / 12,
    aliases=("nvd",),
    best=0.0,
    symmetric=True,
    source=f"{_VAN_DONGEN}; divided by 2 n",
    exchange=two_shares,
    from_cells=by_maxima(lambda R, C, rows, columns: (2.0 * objects(rows) - R - C) / (2.0 * objects(rows))),
)
def normalized_van_dongen(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Van Dongen's distance per object and clustering; 1 less the mean of purity and inverse purity."""
    n = objects(row_totals)
    return (2.0 * n - sum_of_row_maxima(table) - sum_of_column_maxima(table)) / (2.0 * n)


@moves_index(
    "split_join_1 + split_join_2",
    corrected_as="van_dongen",
    example=2 + 1,
    symmetric=True,
    known_as='"split-join" in igraph\'s compare_communities.',
    notes="The same value as van_dongen.",
    exchange=four_objects,
    from_cells=by_maxima(lambda R, C, rows, columns: (objects(rows) - R) + (objects(rows) - C)),
)
def split_join(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Sum of the two projection distances."""
    n = objects(row_totals)
    return (n - sum_of_row_maxima(table)) + (n - sum_of_column_maxima(table))


@moves_index(
    "n - sum_i max_j n_ij",
    corrected_as="inverse_purity",
    example=6 - 4,
    known_as="First of the two numbers of igraph's split_join_distance(reference, candidate).",
    notes="0 where every class lies within one cluster; n (1 - inverse_purity).",
    exchange=two_objects,
    from_cells=by_maxima(lambda R, C, rows, columns: objects(rows) - R),
)
def split_join_1(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Projection distance of the reference: objects outside the largest part of their class."""
    return objects(row_totals) - sum_of_row_maxima(table)


@moves_index(
    "n - sum_j max_i n_ij",
    corrected_as="purity",
    example=6 - 5,
    known_as="Second of the two numbers of igraph's split_join_distance(reference, candidate).",
    notes="0 where every cluster lies within one class; n (1 - purity).",
    exchange=two_objects,
    from_cells=by_maxima(lambda R, C, rows, columns: objects(rows) - C),
)
def split_join_2(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Projection distance of the candidate: objects outside the most frequent class of their cluster."""
    return objects(row_totals) - sum_of_column_maxima(table)


@matching_index(
    "1 - (Q + n - sum_j max_i n_ij) / n",
    example=1 - (3 + 6 - 5) / 6,
    best=None,
    source="Pantel & Lin (2002), doi:10.1145/564376.564412",
    known_as="Edit distance in ELKI, which has it in both directions.",
    notes="Purity less Q / n. Identical clusterings have 1 - K / n, since each cluster takes one merge.",
    from_cells=by_maxima(lambda R, C, rows, columns: (C - clusters(columns)) / objects(rows)),
)
def edit_distance_quality(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Share of n operations saved: one merge per cluster into a class, one move per object then misplaced."""
    return (sum_of_column_maxima(table) - clusters(column_totals)) / objects(row_totals)
