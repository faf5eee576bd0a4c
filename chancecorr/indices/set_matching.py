"""Set-matching indices: purity, F, van Dongen, and one-to-one matchings of classes and clusters.

Rows are the reference of K clusters (classes) with sizes ``n_i``, columns the candidate of Q clusters with
sizes ``m_j``; empty rows and columns do not count. If clusters may share a partner, an index is made of
maxima, so that equal counts leave no choice. Otherwise sigma runs over the one-to-one matchings of ``min(K,
Q)`` rows with columns.
"""

import functools
import math
from typing import Any

from chancecorr.indices.clusters import (
    add_up,
    compute_f1,
    compute_jaccard,
    count_clusters,
    count_objects,
    expect_pair_sets,
)
from chancecorr.indices.entry import (
    average_clusters,
    count_two_objects,
    register_kernel,
    share_two_objects,
    sum_in_order,
    use_assignment,
    use_best_matches,
    use_maxima,
)
from chancecorr.indices.matchings import find_greedy_value
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import shared_with_kernels

_VAN_DONGEN = "van Dongen (2000), Performance criteria for graph clustering, CWI report INS-R0012"

matching_index = functools.partial(register_kernel, needs="table", family="set_matching")
"""Decorator for a set-matching index."""

moves_index = functools.partial(matching_index, range=(0.0, math.inf), best=0.0, source=_VAN_DONGEN)
"""Decorator for a number of objects to be moved, after van Dongen."""


def average_over_both(total: Floats, row_totals: Integers, column_totals: Integers) -> Floats:
    """Divide a sum over matched clusters by the mean number of clusters of the two clusterings."""
    return 2.0 * total / ((count_clusters(row_totals) + count_clusters(column_totals)) or math.nan)


# fmt: off

@matching_index(r"\sum_j \max_i \frac{n_{ij}}{n}",
    exchange=share_two_objects, shares=(0,), summary=use_maxima(of_rows=False),
    source="Zhao & Karypis (2001), University of Minnesota, technical report 01-40",
    known_as="Not the accuracy of a one-to-one matching, which some authors call purity as well.",
    notes="1 for singletons, whatever the reference. clusim's purity_index is this only for Q <= K; for Q"
    " > K it is inverse_purity: 1 / n and not 1 for singletons against one class.")
def purity(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Share of the objects that belong to the most frequent class of their cluster."""
    return C / count_objects(rows)


@matching_index(r"\sum_i \max_j \frac{n_{ij}}{n}",
    exchange=share_two_objects, shares=(1,), summary=use_maxima(of_columns=False),
    source="Amigó, Gonzalo, Artiles & Verdejo (2009), doi:10.1007/s10791-008-9066-8",
    known_as="Sensitivity in Brohée & van Helden (2006).",
    notes="1 for a single cluster, whatever the reference. mclustcomp gives this value as the"
    " Meila-Heckerman measure (mhm), which lets several classes share a cluster; see meila_heckerman.")
def inverse_purity(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Share of the objects that are in the largest part of their class; purity with exchanged roles."""
    return R / count_objects(rows)


@matching_index(
    r"\frac{2 \mathtt{purity} \cdot \mathtt{inverse\_purity}}{\mathtt{purity} + \mathtt{inverse\_purity}}",
    symmetric=True, summary=use_maxima(),
    source="Artiles, Gonzalo & Sekine (2007), SemEval-2007, 64-69",
    known_as='One of several named "F-measure"; others are van_rijsbergen_f, larsen_aone_f, czekanowski.')
def purity_f(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Harmonic mean of purity and inverse purity."""
    return 2.0 * C * R / ((C + R) * count_objects(rows))


@matching_index(r"\sqrt{\mathtt{purity} \cdot \mathtt{inverse\_purity}}",
    symmetric=True, summary=use_maxima(),
    source="Brohée & van Helden (2006), doi:10.1186/1471-2105-7-488",
    known_as="Accuracy in Brohée & van Helden (2006), where inverse_purity is called sensitivity and"
    " purity positive predictive value.")
def geometric_accuracy(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Geometric mean of purity and inverse purity."""
    return math.sqrt(C * R) / count_objects(rows)


@matching_index(r"\sum_i \frac{n_i}{n} \max_j \frac{2 n_{ij}}{n_i + m_j}",
    summary=use_best_matches(compute_f1),
    source="F: van Rijsbergen (1979), Information Retrieval; weighted over classes: Larsen & Aone (1999),"
    " doi:10.1145/312129.312186",
    known_as='"F-measure" or "FScore" in document clustering; "F" in Amigó et al. (2009).',
    notes="mclustcomp's single08_f has n_i m_j in the place of n_ij: the cluster sizes alone give its value.")
def van_rijsbergen_f(of_rows: Floats, of_columns: Floats, rows: Integers, columns: Integers) -> float:
    """Mean over the objects of the largest F that any cluster reaches for their class."""
    return sum_in_order(rows * of_rows) / count_objects(rows)


@matching_index(r"\sum_i \frac{n_i}{n} \max_j \frac{n_{ij}}{n_i + m_j - n_{ij}}",
    aliases=("segmentation_covering",), summary=use_best_matches(compute_jaccard),
    source="Arbeláez, Maire, Fowlkes & Malik (2011), doi:10.1109/TPAMI.2010.161; of change points: van den"
    " Burg & Williams (2020), arXiv:2003.06222",
    known_as="Covering of the reference by the candidate, in image segmentation and for change points.",
    notes="clusterwise_jaccard_1 is the mean over clusters, large or small. With several references, authors"
    " average the values.")
def covering(of_rows: Floats, of_columns: Floats, rows: Integers, columns: Integers) -> float:
    """Mean over the objects of the largest Jaccard similarity that any cluster reaches for their class."""
    return sum_in_order(rows * of_rows) / count_objects(rows)


@matching_index(r"\frac{1}{K} \sum_i \max_j \frac{2 n_{ij}}{n_i + m_j}",
    summary=use_best_matches(compute_f1),
    source="Meilă (2007), doi:10.1016/j.jmva.2006.11.013, with reference to Larsen & Aone (1999)",
    known_as="larsenAone in partitionComparison. Larsen & Aone weight by class size: van_rijsbergen_f.")
def larsen_aone_f(of_rows: Floats, of_columns: Floats, rows: Integers, columns: Integers) -> float:
    """Mean over the classes, large or small, of the largest F that any cluster reaches."""
    return average_clusters(of_rows, rows)


@moves_index(r"2 n - \sum_i \max_j n_{ij} - \sum_j \max_i n_{ij}",
    symmetric=True, exchange=lambda rows, columns: 4.0, summary=use_maxima(),
    title="van Dongen distance",
    notes="The same value as split_join.")
def van_dongen(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Number of objects to be moved from each clustering to the intersection of both clusterings."""
    return 2.0 * count_objects(rows) - R - C


@matching_index(r"1 - \frac{\sum_i \max_j n_{ij} + \sum_j \max_i n_{ij}}{2 n}",
    corrected_as="van_dongen", aliases=("nvd",), best=0.0, symmetric=True, exchange=share_two_objects,
    summary=use_maxima(),
    source=f"{_VAN_DONGEN}; divided by 2 n")
def normalized_van_dongen(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Van Dongen's distance per object and clustering; 1 less the mean of purity and inverse purity."""
    return (2.0 * count_objects(rows) - R - C) / (2.0 * count_objects(rows))


@moves_index(r"\mathtt{split\_join\_1} + \mathtt{split\_join\_2}",
    corrected_as="van_dongen", symmetric=True, exchange=lambda rows, columns: 4.0, summary=use_maxima(),
    known_as="\"split-join\" in igraph's compare_communities.",
    notes="The same value as van_dongen.")
def split_join(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Sum of the two projection distances."""
    return (count_objects(rows) - R) + (count_objects(rows) - C)


@moves_index(r"n - \sum_i \max_j n_{ij}",
    corrected_as="inverse_purity", exchange=count_two_objects, summary=use_maxima(of_columns=False),
    known_as="First of the two numbers of igraph's split_join_distance(reference, candidate).",
    notes="0 where every class lies within one cluster; n (1 - inverse_purity).")
def split_join_1(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Projection distance of the reference: objects outside the largest part of their class."""
    return count_objects(rows) - R


@moves_index(r"n - \sum_j \max_i n_{ij}",
    corrected_as="purity", exchange=count_two_objects, summary=use_maxima(of_rows=False),
    known_as="Second of the two numbers of igraph's split_join_distance(reference, candidate).",
    notes="0 where every cluster lies within one class; n (1 - purity).")
def split_join_2(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Projection distance of the candidate: objects outside the most frequent class of their cluster."""
    return count_objects(rows) - C


@matching_index(r"1 - \frac{Q + n - \sum_j \max_i n_{ij}}{n}",
    best=None, summary=use_maxima(of_rows=False),
    source="Pantel & Lin (2002), doi:10.1145/564376.564412",
    known_as="Edit distance in ELKI, which has it in both directions.",
    notes="Purity less Q / n. Identical clusterings have 1 - K / n, since each cluster takes one merge.")
def edit_distance_quality(R: float, C: float, rows: Integers, columns: Integers) -> float:
    """Share of n operations saved: one merge per cluster into a class, one move per object then misplaced."""
    return (C - count_clusters(columns)) / count_objects(rows)


_MEILA_HECKERMAN = "Meilă & Heckerman (2001), doi:10.1023/A:1007648401407"
_GAGOLEWSKI = "Gagolewski (2025), doi:10.1007/s00357-024-09482-2"
_REZAEI_FRANTI = "Rezaei & Fränti (2016), doi:10.1109/TKDE.2016.2551240"
_TIES = (
    "The sum of greedy matching depends on its choice among equal counts. Here the counts it takes, largest"
    " first, are the largest in lexicographic order, which no numbering of the clusters changes."
)


def forecast_matching(K: int, Q: int) -> float:
    """Forecast the nanoseconds of a matching of K rows with Q columns, which ties can make much longer."""
    return 12.0 * K * Q


one_to_one_index = functools.partial(matching_index, symmetric=True, nanoseconds=forecast_matching)
"""Decorator for an index of a one-to-one matching, symmetric by default."""


@shared_with_kernels
def count(x: Any, row: Any, column: Any) -> Any:
    """Return the count of a cell as its weight."""
    return x * 1.0


@shared_with_kernels
def share_of_row(x: Any, row: Any, column: Any) -> Any:
    """Return the share of a cell in its row as its weight."""
    return x / row


@shared_with_kernels
def share_of_larger(x: Any, row: Any, column: Any) -> Any:
    """Return the share of a cell in the larger of its two clusters as its weight."""
    return 2.0 * x / (row + column + abs(row - column))


@one_to_one_index(r"\max_{\sigma} \sum_i \frac{n_{i\,\sigma(i)}}{n}",
    aliases=("pivoted_accuracy", "hungarian_accuracy", "clustering_accuracy", "cluster_accuracy", "ceaf_m"),
    exchange=share_two_objects, shares=(0, 1), summary=use_assignment(count),
    title="Matching accuracy",
    source=_MEILA_HECKERMAN,
    known_as="Clustering accuracy (ACC) in deep clustering; purity to some authors; CEAF-m of Luo (2005)"
    " in coreference, as precision, recall and F.",
    notes="mclustcomp's single10_mmm adds the maxima of the first min(K, Q) rows, with clusters used twice.")
def maximum_matching_accuracy(matched: float, rows: Integers, columns: Integers) -> float:
    """Share of the objects in matched cells, classes and clusters matched one to one as well as possible."""
    return matched / count_objects(rows)


@one_to_one_index(r"1 - \max_{\sigma} \sum_i \frac{n_{i\,\sigma(i)}}{n}",
    corrected_as="maximum_matching_accuracy", best=0.0, summary=use_assignment(count),
    source="Meilă (2007), doi:10.1016/j.jmva.2006.11.013",
    known_as="classificationErrorDistance in partitionComparison, which stops when K > Q; diarization"
    " error rate (DER) where all is speech of one speaker at a time.",
    notes="clusim's classification_error is 1 less its purity: clusters may share a class there.")
def classification_error(matched: float, rows: Integers, columns: Integers) -> float:
    """Share of the objects outside the matched cells."""
    return (count_objects(rows) - matched) / count_objects(rows)


@one_to_one_index(r"n - \max_{\sigma} \sum_i n_{i\,\sigma(i)}",
    corrected_as="maximum_matching_accuracy", aliases=("partition_distance",), range=(0.0, math.inf),
    best=0.0, summary=use_assignment(count),
    source="Almudevar & Field (1999), Journal of Agricultural, Biological and Environmental Statistics 4,"
    " 136-165; Charon, Denœud, Guénoche & Hudry (2006), Journal of Classification 23, 103-121")
def transfer_distance(matched: float, rows: Integers, columns: Integers) -> float:
    """Fewest objects to be moved, each to another cluster or a new one, that make the clusterings equal."""
    return count_objects(rows) - matched


@one_to_one_index(r"\frac{M}{n}, \quad M \text{ the sum of the counts that greedy matching takes}",
    aliases=("greedy_matching_accuracy",),
    source=_MEILA_HECKERMAN,
    known_as="The Meila-Heckerman measure of mclustcomp is inverse_purity.",
    notes=_TIES)
def meila_heckerman(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Share of the objects in the cells that greedy matching takes, each the largest still allowed."""
    return find_greedy_value(table) / count_objects(row_totals)


@one_to_one_index(r"1 - \frac{M}{n}, \quad M \text{ the sum of the counts that greedy matching takes}",
    corrected_as="meila_heckerman", best=0.0,
    source=_MEILA_HECKERMAN,
    known_as="CH in Rezaei & Fränti (2016).",
    notes=_TIES)
def criterion_h(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Share of the objects outside the cells that greedy matching takes."""
    n = count_objects(row_totals)
    return (n - find_greedy_value(table)) / n


@one_to_one_index(
    r"\frac{A - \frac{1}{L}}{1 - \frac{1}{L}}, \quad A = \mathtt{maximum\_matching\_accuracy}, \quad L ="
    r" \max(K, Q)",
    corrected_as="maximum_matching_accuracy", aliases=("npa",), summary=use_assignment(count),
    source=_GAGOLEWSKI,
    notes="A >= 1 / L: the table, padded with zeros to L x L, splits into L one-to-one matchings; at"
    " least one has n / L objects or more. Early releases of genieclust refuse K != Q.")
def normalized_pivoted_accuracy(matched: float, rows: Integers, columns: Integers) -> float:
    """Maximum matching accuracy, rescaled to 0 at its smallest value for these numbers of clusters."""
    n, most = add_up(rows), max(count_clusters(rows), count_clusters(columns))
    if most < 2:
        return math.nan
    return (most * matched - n) / (n * (most - 1.0))


@one_to_one_index(r"\frac{\max_{\sigma} \sum_i \frac{n_{i\,\sigma(i)}}{n_i} - 1}{K - 1}",
    aliases=("nca",), range=(-math.inf, 1.0), symmetric=False, summary=use_assignment(share_of_row),
    source=_GAGOLEWSKI,
    notes="At least 0 for Q <= K, above -1 for Q > K >= 2; -infinity for one class cut into several"
    " clusters. Early releases of genieclust refuse K != Q.")
def normalized_clustering_accuracy(matched: float, rows: Integers, columns: Integers) -> float:
    """Mean share of a class in its matched cluster, rescaled: 0 for classes spread evenly over clusters."""
    classes, above = count_clusters(rows), matched - 1.0
    if classes > 1:
        return above / (classes - 1.0)
    return -math.inf if classes == 1 and above < 0.0 else math.nan


@one_to_one_index(r"\frac{S - E}{L - E}, \quad S, L \text{ and } E \text{ of } \mathtt{pair\_sets\_index}",
    range=(-1 / 3, 1.0), summary=use_assignment(share_of_larger),
    source=_REZAEI_FRANTI,
    known_as="pair_sets_index(clipped=False) in genieclust.",
    notes="Least value -1/3, as at ((2, 1), (1, 0)): S = 2/3, E = 1.")
def unclipped_pair_sets_index(matched: float, rows: Integers, columns: Integers) -> float:
    """Pair sets index with its negative values."""
    most = max(count_clusters(rows), count_clusters(columns))
    if most < 2:
        return math.nan
    chance = expect_pair_sets(rows, columns)
    return (matched - chance) / (most - chance)


@one_to_one_index(
    r"\max\left(0, \frac{S - E}{L - E}\right), \quad S = \max_{\sigma} \sum_i"
    r" \frac{n_{i\,\sigma(i)}}{\max(n_i, m_{\sigma(i)})}, \quad L = \max(K, Q), \quad E = \sum_i"
    r" \frac{\min(n_{(i)}, m_{(i)})}{n}",
    aliases=("psi",), summary=use_assignment(share_of_larger),
    source=_REZAEI_FRANTI,
    known_as="PSI, clipped as by its authors, in genieclust by default. See unclipped_pair_sets_index.",
    notes="The authors write E as the sum of n_(i) m_(i) / (n max(n_(i), m_(i))), sizes in descending"
    " order. genieclust has nan for one cluster against one.")
def pair_sets_index(matched: float, rows: Integers, columns: Integers) -> float:
    """Similarity of the best matched pairs of clusters, minus its value for these cluster sizes by chance."""
    value = unclipped_pair_sets_index(matched, rows, columns)
    return 0.0 if value < 0.0 else value


@one_to_one_index(
    r"\max\left(0, \frac{S - 1}{L - 1}\right), \quad S \text{ and } L \text{ of } \mathtt{pair\_sets\_index}",
    aliases=("spsi",), summary=use_assignment(share_of_larger),
    source=_REZAEI_FRANTI)
def simplified_pair_sets_index(matched: float, rows: Integers, columns: Integers) -> float:
    """Pair sets index with E = 1, its value for clusterings of equal sizes."""
    most = max(count_clusters(rows), count_clusters(columns))
    if most < 2:
        return math.nan
    return max(0.0, (matched - 1.0) / (most - 1.0))


@one_to_one_index(
    r"1 - \frac{S}{K}, \quad S = \max_{\sigma} \sum_i \frac{n_{i\,\sigma(i)}}{n_i + m_{\sigma(i)} -"
    r" n_{i\,\sigma(i)}}",
    symmetric=False, best=0.0, aliases=("jer",), summary=use_assignment(compute_jaccard),
    source="Ryant et al. (2019), doi:10.21437/Interspeech.2019-1268",
    known_as="JER in speaker diarization, as dscore computes it.",
    notes="pyannote.metrics matches speakers by the time that they share, not by similarity, and then has"
    " at least this value. Clusters of the candidate that are left over cost nothing.")
def jaccard_error_rate(matched: float, rows: Integers, columns: Integers) -> float:
    """Mean Jaccard distance of the reference's clusters and their partners; 1 without a partner."""
    count = count_clusters(rows)
    return 1.0 - matched / count if count > 0 else math.nan


@matching_index(
    r"\frac{2}{K + Q} \sum_{i,j} J_{ij} \text{ over the cells with } J_{ij} > 1/2, \quad J_{ij} ="
    r" \frac{n_{ij}}{n_i + m_j - n_{ij}}",
    needs="cells", link=average_over_both, aliases=("pq",), symmetric=True, exchange=count_two_objects,
    source="Kirillov, He, Girshick, Rother & Dollár (2019), doi:10.1109/CVPR.2019.00963",
    known_as="PQ if all segments have one class; in panoptic segmentation PQ is a mean over classes. Here"
    " each cluster counts, also a background.",
    notes="A cluster has at most one partner with J > 1/2. With TP pairs of partners, and FP and FN clusters"
    " of the candidate and the reference without a partner, (K + Q) / 2 = TP + FP / 2 + FN / 2.")
def panoptic_quality(x: float, row: float, column: float, n: float) -> float:
    """Jaccard similarities of clusters that overlap by more than half, per cluster of a clustering."""
    # with weights, sums that are equal may differ in the last digits
    return x / (row + column - x) if 3.0 * x - (row + column) > 1e-12 * n else 0.0
