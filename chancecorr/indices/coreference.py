"""Indices of coreference and entity resolution: an entity is a cluster of mentions, or of records.

Rows are the key, columns the response; both hold the same n mentions. BCubed is in `cluster_level`; CEAF-m is
`maximum_matching_accuracy`, BLANC is `rogot_goldberg`, and the closest-cluster precision and recall are
`clusterwise_jaccard_2` and `clusterwise_jaccard_1`.
"""

import functools
import math
from typing import Any

import numpy as np

from chancecorr.indices.cluster_level import (
    bcubed_f,
    by_bcubed_sums,
    cluster_index,
    harmonic_share,
    per_object,
)
from chancecorr.indices.clusters import add_up, compute_f1, compute_jaccard, count_clusters
from chancecorr.indices.entry import (
    average_clusters,
    count_two_objects,
    use_assignment,
    use_best_matches,
    use_two_sums,
)
from chancecorr.indices.set_matching import average_over_both, forecast_matching, one_to_one_index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel, shared_with_kernels

VILAIN = "Vilain, Burger, Aberdeen, Connolly & Hirschman (1995), MUC-6, 45-52, doi:10.3115/1072399.1072405"
MOOSAVI = "Moosavi & Strube (2016), ACL, 632-642, doi:10.18653/v1/P16-1060"
DENIS = "Denis & Baldridge (2009), Procesamiento del Lenguaje Natural 42, 87-96"
HUANG = "Huang, Ertekin & Giles (2006), PKDD, doi:10.1007/11871637_53"
LAPIDOT = "Lapidot (2002), Self-organizing maps with BIC for speaker clustering, IDIAP research report 02-60"
CELLS = r", \quad C \text{ the number of cells that are not empty}"
SINGLETONS_OF_ONE_SIDE = "0 if its entities are all singletons and the others not, as in the CoNLL scorer."
CONLL_SINGLETONS = "1 for singletons against singletons (identical); the CoNLL scorer gives 0."


def one_for_each_cell(x: float, row: float, column: float, n: float) -> float:
    """Return 1, so that the sum is the number of non-empty cells."""
    return 1.0


def identical_clusters(x: float, row: float, column: float, n: float) -> float:
    """Return 1 for a cluster that is in both clusterings, else 0."""
    return 1.0 if row == x and column == x else 0.0


linked_index = functools.partial(cluster_index, needs="cells", exchange=count_two_objects)
"""Decorator for a function of a sum over cells that an exchange of two objects changes by at most 2."""

links_index = functools.partial(linked_index, cell=one_for_each_cell)
"""Decorator for a function of the number of non-empty cells."""

identical_index = functools.partial(linked_index, cell=identical_clusters)
"""Decorator for a function of the number of clusters that are in both clusterings."""


def _links(cells: Floats, sizes: Integers, clusterings: int, n_clusters: int) -> Floats:
    """Return the kept links, ``n - C`` in each clustering, as a share of all links of the clusterings."""
    n = int(sizes.sum())
    return clusterings * (n - cells) / ((clusterings * n - n_clusters) or math.nan)


# fmt: off

@links_index(r"\frac{n - C}{n - K}" + CELLS,
    undefined=0.0,
    source=VILAIN,
    notes=SINGLETONS_OF_ONE_SIDE)
def muc_recall(cells: Floats, rows: Integers, columns: Integers) -> Floats:
    """Of the fewest links that hold the key's entities together, the share that the response has."""
    return _links(cells, rows, 1, count_clusters(rows))


@links_index(r"\frac{n - C}{n - Q}" + CELLS,
    undefined=0.0,
    source=VILAIN,
    notes=SINGLETONS_OF_ONE_SIDE)
def muc_precision(cells: Floats, rows: Integers, columns: Integers) -> Floats:
    """Of the fewest links that hold the response's entities together, the share that the key has."""
    return _links(cells, rows, 1, count_clusters(columns))


@links_index(r"\frac{2 (n - C)}{2 n - K - Q}" + CELLS,
    aliases=("muc_f", "muc_f1"), symmetric=True,
    source=VILAIN,
    notes=f"Harmonic mean of muc_precision and muc_recall. {CONLL_SINGLETONS}")
def muc(cells: Floats, rows: Integers, columns: Integers) -> Floats:
    """Links in both clusterings, relative to the mean number of links of the two."""
    return _links(cells, rows, 2, count_clusters(rows) + count_clusters(columns))


@links_index("2 C - K - Q" + CELLS,
    aliases=("generalized_merge_distance", "basic_merge_distance"), symmetric=True, range=(0.0, math.inf),
    best=0.0, corrected_as="muc",
    source="Menestrina, Whang & Garcia-Molina (2010), doi:10.14778/1920841.1920871",
    known_as="Generalized merge distance with a cost of 1 for each split and merge.",
    notes="With a cost of x y for merging, or splitting into, clusters of x and y objects the distance is"
    " mirkin, b + c; with h(x + y) - h(x) - h(y), h(x) = (x / n) log(x / n), variation_of_information.")
def merge_distance(cells: Floats, rows: Integers, columns: Integers) -> Floats:
    """Smallest number of splits, and of merges of pure parts, that turn one clustering into the other."""
    if not rows.any():
        return np.full_like(cells, math.nan)
    return 2.0 * cells - count_clusters(rows) - count_clusters(columns)


by_f1 = use_assignment(compute_f1)


@one_to_one_index(
    r"\frac{2 S}{K + Q}, \quad S = \max_{\sigma} \sum_i \frac{2 n_{i\,\sigma(i)}}{n_i + m_{\sigma(i)}}",
    aliases=("ceafe", "ceaf"), summary=by_f1,
    title="CEAF-e",
    source="Luo (2005), HLT/EMNLP, 25-32, doi:10.3115/1220575.1220579",
    notes="Harmonic mean of the precision S / Q and the recall S / K. CEAF-m is maximum_matching_accuracy.")
def ceaf_e(matched: float, rows: Integers, columns: Integers) -> float:
    """Mean F1 score of entities in the best one-to-one matching; 0 for an entity without a partner."""
    count = count_clusters(rows) + count_clusters(columns)
    return 2.0 * matched / count if count > 0 else math.nan


@cluster_index(
    r"\sum_{i,j} \frac{n_{ij} (n_{ij} - 1)}{n (n_i - 1)}, \quad \text{a cluster of one object adds }"
    r" \frac{1}{n} \text{ if it is one in both}",
    needs="cells", link=per_object,
    source=MOOSAVI)
def lea_recall(x: float, row: float, column: float, n: float) -> float:
    """Share of an entity's links that the response has, averaged over the mentions of the key."""
    if row > 1.0:
        return x * (x - 1.0) / (row - 1.0)
    return 1.0 if column == 1.0 else 0.0


@cluster_index(
    r"\sum_{i,j} \frac{n_{ij} (n_{ij} - 1)}{n (m_j - 1)}, \quad \text{a cluster of one object adds }"
    r" \frac{1}{n} \text{ if it is one in both}",
    needs="cells", link=per_object,
    source=MOOSAVI)
def lea_precision(x: float, row: float, column: float, n: float) -> float:
    """Share of an entity's links that the key has, averaged over the mentions of the response."""
    if column > 1.0:
        return x * (x - 1.0) / (column - 1.0)
    return 1.0 if row == 1.0 else 0.0


@shared_with_kernels
def _lea_part(x: Any, own: Any, other: Any) -> Any:
    """Return a cell's part of LEA from the totals of its row and column, `own` the side's total."""
    single = (own == 1.0) * 1.0
    return x * (x - 1.0) / (own - 1.0 + single) + single * (other == 1.0)


@cluster_index(r"\frac{2 p r}{p + r}, \quad p = \mathtt{lea\_precision}, \quad r = \mathtt{lea\_recall}",
    aliases=("lea_f", "lea_f1"), symmetric=True, undefined=0.0, summary=use_two_sums(_lea_part),
    source=MOOSAVI)
def lea(precision: float, recall: float, n: float) -> float:
    """Harmonic mean of LEA precision and recall."""
    return harmonic_share(precision, recall, n)


@kernel
def _count_cells(table: Integers) -> int:
    """Count the non-empty cells."""
    count = 0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            count += table[i, j] != 0
    return count


@kernel
def _muc_of(cells: float, row_totals: Integers, column_totals: Integers) -> float:
    """Return MUC from the number of non-empty cells; nan for singletons on both sides."""
    n = add_up(row_totals)
    links = 2.0 * n - count_clusters(row_totals) - count_clusters(column_totals)
    return 2.0 * (n - cells) / links if links > 0.0 else math.nan


_by_both = by_bcubed_sums(bcubed_f), by_f1(ceaf_e)
_bcubed_of_table, _ceaf_of_table = (kernel(fields["function"]) for fields in _by_both)


def _conll_of_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
    """Return the CoNLL score from the non-empty cells."""
    parts = (fields["from_cells"](rows, columns, counts, *totals) for fields in _by_both)
    return (_muc_of(float(counts.size), *totals) + sum(parts)) / 3.0


@cluster_index(r"\frac{\mathtt{muc} + \mathtt{bcubed\_f} + \mathtt{ceaf\_e}}{3}",
    aliases=("mela", "conll_f1"), symmetric=True, nanoseconds=forecast_matching, from_cells=_conll_of_cells,
    title="CoNLL score",
    source=f"{DENIS}; Pradhan et al. (2012), CoNLL shared task, 1-40",
    notes=f"MUC: {CONLL_SINGLETONS[0].lower()}{CONLL_SINGLETONS[1:]}")
def conll(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Mean of the F scores of MUC, BCubed and CEAF-e, by which coreference systems are ranked."""
    b_cubed = _bcubed_of_table(table, row_totals, column_totals)
    muc_f = _muc_of(1.0 * _count_cells(table), row_totals, column_totals)
    return (muc_f + b_cubed + _ceaf_of_table(table, row_totals, column_totals)) / 3.0


@identical_index(r"\frac{E}{K}, \quad E \text{ the number of clusters that are in both}",
    source=HUANG)
def cluster_recall(identical: Floats, rows: Integers, columns: Integers) -> Floats:
    """Share of the key's entities that the response has, complete and pure."""
    return identical / (count_clusters(rows) or math.nan)


@identical_index(r"\frac{E}{Q}, \quad E \text{ the number of clusters that are in both}",
    source=HUANG)
def cluster_precision(identical: Floats, rows: Integers, columns: Integers) -> Floats:
    """Share of the response's entities that the key has, complete and pure."""
    return identical / (count_clusters(columns) or math.nan)


@identical_index(r"\frac{2 E}{K + Q}, \quad E \text{ the number of clusters that are in both}",
    aliases=("cluster_f1",), symmetric=True,
    source=HUANG)
def cluster_f(identical: Floats, rows: Integers, columns: Integers) -> Floats:
    """Entities that both clusterings have, relative to their mean number of entities."""
    return average_over_both(identical, rows, columns)


@cluster_index(r"\frac{1}{n} \sum_{i,j} n_{ij} \text{ over the cells with } n_{ij} = n_i = m_j",
    needs="cells", link=per_object, aliases=("grouping_accuracy", "parsing_accuracy", "ga"), symmetric=True,
    source="Zhu et al. (2019), ICSE-SEIP, doi:10.1109/ICSE-SEIP.2019.00021",
    known_as="GA in log parsing, and parsing accuracy (PA) in Zhu et al.; its F1 over groups, FGA, is"
    " cluster_f.")
def group_accuracy(x: float, row: float, column: float, n: float) -> float:
    """Share of the objects in clusters that both clusterings have, complete and pure."""
    return x if row == x and column == x else 0.0


@cluster_index(
    r"\frac{2 p r}{p + r}, \quad p = \sum_j \max_i \frac{J_{ij}}{Q}, \quad r = \sum_i \max_j"
    r" \frac{J_{ij}}{K}",
    aliases=("closest_cluster_f1",), symmetric=True, summary=use_best_matches(compute_jaccard),
    source="Benjelloun et al. (2009), doi:10.1007/s00778-008-0098-x",
    notes="p is clusterwise_jaccard_2, r is clusterwise_jaccard_1.")
def closest_cluster_f(of_rows: Floats, of_columns: Floats, rows: Integers, columns: Integers) -> float:
    """Harmonic mean of the closest-cluster precision and recall."""
    return harmonic_share(average_clusters(of_columns, columns), average_clusters(of_rows, rows), 1.0)


@cluster_index(
    r"\sqrt{p r}, \quad p = \sum_{i,j} \frac{n_{ij}^2}{n m_j}, \quad r = \sum_{i,j} \frac{n_{ij}^2}{n n_i}",
    aliases=("k_metric",), symmetric=True, summary=by_bcubed_sums,
    source=LAPIDOT,
    known_as="K in author name disambiguation: p is the average cluster purity (ACP), r the average author"
    " purity (AAP); they are bcubed_precision and bcubed_recall.")
def k_measure(precision: float, recall: float, n: float) -> float:
    """Geometric mean of BCubed precision and recall."""
    return math.sqrt(precision * recall) / n if n > 0.0 else math.nan
