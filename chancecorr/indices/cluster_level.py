"""Cluster-level indices: averages over clusters, or over objects and their clusters.

In the formulas n_ij is a cell, n_i and m_j are the totals of its row and column, K and Q are the numbers of
non-empty rows and columns, and ``J_ij = n_ij / (n_i + m_j - n_ij)`` is the Jaccard similarity of two
clusters. By default, values are in (0, 1] and 1 is best.

The nearest cluster is the cluster with the largest J_ij. If it is not unique, a rule makes the value
independent of the numbering of clusters. The rule is in the notes of the entry, and for `irm` in `clusters`.
Equal J_ij are equal floats; different J_ij are different floats as long as the two clusters together have
fewer than ``2**26`` objects.
"""

import functools
import math
from typing import Any

from chancecorr.indices.clusters import (
    add_up,
    average_credited,
    compute_f1,
    compute_jaccard,
    count_orphans,
    count_shared_with_nearest,
)
from chancecorr.indices.entry import average_clusters, register_kernel, use_best_matches, use_two_sums
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import shared_with_kernels

BCUBED = (
    "Bagga & Baldwin (1998), COLING, doi:10.3115/980451.980859;"
    " for clusterings: Amigó, Gonzalo, Artiles & Verdejo (2009), doi:10.1007/s10791-008-9066-8"
)
SELF_PAIRS = (
    "An object is compared with itself too. ELKI can leave such pairs out: a factor n_ij becomes n_ij - 1 and"
    " the totals lose 1, so that a singleton adds nothing, and ((1, 0), (0, 2)) has 2/3."
)
FRANTI_REZAEI = "Fränti & Rezaei (2016), S+SSPR, doi:10.1007/978-3-319-49055-7_26"
ORPHAN_TIES = (
    "Of several nearest clusters any may be chosen; the choices are made so that as few as possible are"
    " orphans: the clusters less a maximum matching of clusters to nearest ones, a number that no numbering"
    " changes. In ((1, 1), (1, 1)) all are equally near: if each takes the first there is an orphan, here"
    " none. To count all that are tied as chosen would not do: ((2, 2),), a cluster cut in two, would have 0."
)
HENNIG = "mean over clusters of the clusterwise Jaccard of Hennig (2007), doi:10.1016/j.csda.2006.11.025"
CLOSEST = "Closest-cluster precision (2) and recall (1) of Benjelloun et al. (2009) in entity resolution."
MARTIN = "Martin, Fowlkes, Tal & Malik (2001), doi:10.1109/ICCV.2001.937655"
WARRENS = "plain mean of the indices of single clusters in Warrens & van der Hoef (2019), arXiv:1901.01777"

cluster_index = functools.partial(register_kernel, needs="table", family="cluster_level")
"""Decorator for a cluster-level index."""

consistency_error = functools.partial(cluster_index, best=0.0, symmetric=True, source=MARTIN)
"""Decorator for an error that forgives refinements of clusters."""

orphan_index = functools.partial(cluster_index, range=(0.0, math.inf), best=0.0)
"""Decorator for an index that counts orphans."""


def per_object(total: Floats, row_totals: Integers, column_totals: Integers) -> Floats:
    """Turn a sum over objects into a mean over objects."""
    return total / float(row_totals.sum())


# fmt: off

@cluster_index(r"\sum_{i,j} \frac{n_{ij}^2}{n m_j}",
    aliases=("b3_precision",), needs="cells", link=per_object,
    title="B-cubed precision",
    source=BCUBED,
    notes=SELF_PAIRS)
def bcubed_precision(x: float, row: float, column: float, n: float) -> float:
    """Share of an object's cluster in the candidate that is of its reference cluster, on average."""
    return x * x / column


@cluster_index(r"\sum_{i,j} \frac{n_{ij}^2}{n n_i}",
    aliases=("b3_recall",), needs="cells", link=per_object,
    title="B-cubed recall",
    source=BCUBED,
    notes=SELF_PAIRS)
def bcubed_recall(x: float, row: float, column: float, n: float) -> float:
    """Share of an object's reference cluster that is of its cluster in the candidate, on average."""
    return x * x / row


@shared_with_kernels
def harmonic_share(precision: float, recall: float, n: float) -> float:
    """Return the harmonic mean of two sums over objects, as a share of n; nan if both are 0."""
    return 2.0 * precision * recall / (precision + recall) / n if precision + recall > 0.0 else math.nan


@shared_with_kernels
def _square_share(x: Any, own: Any, other: Any) -> Any:
    """Return the squared count of a cell divided by the total of the cell's row or column."""
    return x * x / own


by_bcubed_sums = use_two_sums(_square_share)


@cluster_index(
    r"\frac{2 p r}{p + r}, \quad p = \sum_{i,j} \frac{n_{ij}^2}{n m_j}, \quad r = \sum_{i,j}"
    r" \frac{n_{ij}^2}{n n_i}",
    aliases=("bcubed_f1", "b3_f1"), symmetric=True, summary=by_bcubed_sums,
    title="B-cubed F",
    source=BCUBED,
    notes="Harmonic mean of the two averages, not average of the objects' harmonic means. " + SELF_PAIRS)
def bcubed_f(precision: float, recall: float, n: float) -> float:
    """Harmonic mean of BCubed precision and recall."""
    return harmonic_share(precision, recall, n)


@cluster_index(r"\sum_{i,j} \frac{n_{ij}^2}{n \max(n_i, m_j)}",
    needs="cells", link=per_object, aliases=("ecs", "element_centric", "element_sim"), symmetric=True,
    source="Gates, Wood, Hetrick & Ahn (2019), doi:10.1038/s41598-019-44892-y",
    notes="Without overlaps alpha cancels: the page-rank vectors of an object, alpha / n_i and alpha / m_j"
    " on its two clusters, differ in sum by 2 alpha (1 - n_ij / max(n_i, m_j)), which is divided by 2"
    " alpha.")
def element_centric_similarity(x: float, row: float, column: float, n: float) -> float:
    """Share of the larger of an object's two clusters that is in the smaller one too, on average."""
    return x * x / max(row, column)


@consistency_error(r"1 - \frac{\max(\sum_{i,j} n_{ij}^2 / m_j, \sum_{i,j} n_{ij}^2 / n_i)}{n}",
    aliases=("gce",), summary=by_bcubed_sums,
    notes="0 if one of the clusterings refines the other, so that singletons are without error."
    " It is 1 less the larger of bcubed_precision and bcubed_recall.")
def global_consistency_error(precision: float, recall: float, n: float) -> float:
    """Share of an object's cluster that is not in its other cluster, on average, in the better direction."""
    return 1.0 - max(precision, recall) / n if n > 0.0 else math.nan


@consistency_error(r"\sum_{i,j} \frac{n_{ij}}{n} \left(1 - \frac{n_{ij}}{\min(n_i, m_j)}\right)",
    needs="cells", link=per_object, aliases=("lce",),
    notes="0 if of any two clusters that overlap one contains the other."
    " With max in place of min it is the bidirectional error, 1 less element_centric_similarity.")
def local_consistency_error(x: float, row: float, column: float, n: float) -> float:
    """Share of the smaller of an object's two clusters that is not in the larger one, on average."""
    return x * (1.0 - x / min(row, column))


@orphan_index(
    r"\max(\mathrm{CI}_1, \mathrm{CI}_2), \quad \mathrm{CI}_1 \text{ and } \mathrm{CI}_2 \text{ the"
    r" numbers of clusters that are nearest to none by } J_{ij}",
    symmetric=True, aliases=("generalized_centroid_index",),
    title="Centroid index",
    source=FRANTI_REZAEI + ", equation 6",
    known_as="Generalised CI of Fränti & Rezaei (2016); with centroids, the function centroid_index.",
    notes="From |K - Q| to max(K, Q) - 1. 0 says that the clusters correspond, not that they are identical."
    " In equation 5 the indegree of A is printed for the indegree of B. " + ORPHAN_TIES)
def centroid_index(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Number of clusters allocated differently: the larger of `centroid_index_1` and `centroid_index_2`."""
    of_candidate = count_orphans(table, row_totals, column_totals, False)
    return max(of_candidate, count_orphans(table, row_totals, column_totals, True))


@orphan_index(
    r"\text{number of clusters } j \text{ that are nearest to no cluster } i, \quad \text{nearest by }"
    r" J_{ij}",
    source=FRANTI_REZAEI + ", equation 4",
    notes="CI_1(A -> B) of the paper, A being the reference. " + ORPHAN_TIES)
def centroid_index_1(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Orphans of the candidate: clusters that are nearest to no cluster of the reference."""
    return count_orphans(table, row_totals, column_totals, False)


@orphan_index(
    r"\text{number of clusters } i \text{ that are nearest to no cluster } j, \quad \text{nearest by }"
    r" J_{ij}",
    source=FRANTI_REZAEI + ", equation 4",
    notes="CI_1(B -> A) of the paper, A being the reference. " + ORPHAN_TIES)
def centroid_index_2(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Orphans of the reference: clusters that are nearest to no cluster of the candidate."""
    return count_orphans(table, row_totals, column_totals, True)


@cluster_index(
    r"\frac{S_{12} + S_{21}}{2}, \quad S_{12} = \sum_i \frac{n_{ij}}{n} \text{ with } j \text{ nearest to"
    r" } i, \quad S_{21} = \sum_j \frac{n_{ij}}{n} \text{ with } i \text{ nearest to } j",
    aliases=("csi", "centroid_similarity_index"), symmetric=True,
    source="Fränti, Rezaei & Zhao (2014), doi:10.1016/j.patcog.2014.03.017; nearest by J_ij: "
    + FRANTI_REZAEI,
    notes="Of several nearest clusters one with the most common objects is taken. Several clusters may"
    " share their nearest one: each counts, as equation 2 says, but in the authors' program only the"
    " largest cell.")
def centroid_similarity(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Share of the objects that are in clusters nearest to each other, both directions averaged."""
    shared = count_shared_with_nearest(table, row_totals, column_totals)
    shared += count_shared_with_nearest(table.T, column_totals, row_totals)
    return shared / (2.0 * add_up(row_totals)) if shared > 0.0 else math.nan


@cluster_index(r"\sum_i \max_j \frac{J_{ij}}{K}",
    aliases=("closest_cluster_recall",), summary=use_best_matches(compute_jaccard),
    source=HENNIG,
    known_as=CLOSEST)
def clusterwise_jaccard_1(of_rows: Floats, of_columns: Floats, rows: Integers, columns: Integers) -> float:
    """Similarity of a cluster of the reference and its best match, averaged over clusters."""
    return average_clusters(of_rows, rows)


@cluster_index(r"\sum_j \max_i \frac{J_{ij}}{Q}",
    aliases=("closest_cluster_precision",), summary=use_best_matches(compute_jaccard),
    source=HENNIG,
    known_as=CLOSEST)
def clusterwise_jaccard_2(of_rows: Floats, of_columns: Floats, rows: Integers, columns: Integers) -> float:
    """Similarity of a cluster of the candidate and its best match, averaged over clusters."""
    return average_clusters(of_columns, columns)


@cluster_index(r"\frac{\sum_i \max_j \frac{J_{ij}}{K} + \sum_j \max_i \frac{J_{ij}}{Q}}{2}",
    symmetric=True, summary=use_best_matches(compute_jaccard),
    source="Yang, McAuley & Leskovec (2013), ICDM, doi:10.1109/ICDM.2013.167")
def average_jaccard(of_rows: Floats, of_columns: Floats, rows: Integers, columns: Integers) -> float:
    """Similarity of a cluster and its best match, averaged over clusters, then over both clusterings."""
    return (average_clusters(of_rows, rows) + average_clusters(of_columns, columns)) / 2.0


@cluster_index(
    r"\frac{\sum_i \max_j \frac{F_{ij}}{K} + \sum_j \max_i \frac{F_{ij}}{Q}}{2}, \quad F_{ij} = \frac{2"
    r" n_{ij}}{n_i + m_j}",
    symmetric=True, summary=use_best_matches(compute_f1),
    source="Yang & Leskovec (2013), WSDM, doi:10.1145/2433396.2433471",
    notes="NetworKit's CoverF1Similarity is one of the two directions.")
def average_f1(of_rows: Floats, of_columns: Floats, rows: Integers, columns: Integers) -> float:
    """F1 score of a cluster and its best match, averaged over clusters, then over both clusterings."""
    return (average_clusters(of_rows, rows) + average_clusters(of_columns, columns)) / 2.0


@cluster_index(
    r"\sum_{i,j} \frac{n_{ij} (n_{ij} - 1)}{K' n_i (n_i - 1)}, \quad K' \text{ the number of clusters with"
    r" } n_i > 1, \quad \text{the sum over these}",
    needs="cells", link=lambda total, rows, columns: total / ((rows > 1).sum() or math.nan),
    source=WARRENS,
    notes="With the weights n_i (n_i - 1) in place of equal ones this is Wallace's a / (a + b).")
def clusterwise_wallace_1(x: float, row: float, column: float, n: float) -> float:
    """Share of a reference cluster's pairs that are together in the candidate, averaged over clusters."""
    return x * (x - 1.0) / (row * (row - 1.0)) if row > 1.0 else 0.0


@cluster_index(
    r"\sum_{i,j} \frac{n_{ij} (n_{ij} - 1)}{Q' m_j (m_j - 1)}, \quad Q' \text{ the number of clusters with"
    r" } m_j > 1, \quad \text{the sum over these}",
    needs="cells", link=lambda total, rows, columns: total / ((columns > 1).sum() or math.nan),
    source=WARRENS,
    notes="With the weights m_j (m_j - 1) in place of equal ones this is Wallace's a / (a + c).")
def clusterwise_wallace_2(x: float, row: float, column: float, n: float) -> float:
    """Share of a candidate cluster's pairs that are together in the reference, averaged over clusters."""
    return x * (x - 1.0) / (column * (column - 1.0)) if column > 1.0 else 0.0


@cluster_index(
    r"\sum_{i,j} \frac{d_{ij} s_{ij}}{n}, \quad d_{ij} = \frac{n_{ij}}{n_i + m_j - n_{ij}}, \quad s_{ij}"
    r" \text{ the credits}, \quad \text{for the largest } d_{ij} \text{ first}",
    aliases=("irm_index", "rajasekhara_pujari"), symmetric=True,
    # twice the time for a table of equal cluster sizes
    nanoseconds=lambda K, Q: K * Q * (60.0 + 0.8 * (K + Q) + 6.0 * abs(K - Q)),
    source="Rajasekhara & Pujari (2010), ICVGIP, Chennai",
    known_as="IRM-index, after the integrated region matching of images",
    notes="Of pairs tied in d_ij the one with the most common objects comes first, then the pair with the"
    " largest credit; the paper leaves their order open, and the value may depend on it.")
def irm(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Mean similarity of the clusters credited to each other, the most similar ones first."""
    return average_credited(table, row_totals, column_totals)
