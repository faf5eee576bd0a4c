"""IRM, the index of Rajasekhara & Pujari (2010): clusters credited to each other, the most similar first.

With ``d_ij = n_ij / (n_i + m_j - n_ij)``, the Jaccard similarity of two clusters, pairs of clusters are taken
from the largest d_ij down. Each gets as credit what is left of the smaller of its clusters, ``s_ij =
min(left of n_i, left of m_j)``, until all objects are spent. ``IRM = sum d_ij s_ij / n``. Clusters without a
common object share out the rest, at d_ij = 0.

**Ties.** The paper does not say which of several pairs with the same d_ij comes first, and it matters: the
table ``((0, 1, 1), (1, 0, 0), (1, 0, 1))`` has 1/3 or 2/5 by the order, and of the 910 tables of 7 objects
(up to the numbering) 45 have several values. Here the pair with the most common objects comes first; of
several, that with the largest credit; of several, that which shares its clusters with the fewest others, then
that with the least left in both, then one by their surroundings in the table, see `kernels.credits`.

- The value is always one that the paper's algorithm has for some order of the ties.
- It depends neither on the numbering of the clusters nor on the order of the clusterings, as far as tables
  were tried: pairs that are alike in all this nearly always lie alike in the table. Where they do not, which
  takes highly regular tables, the first in the table is taken.

Equal ratios are equal floats, being correctly rounded. Different ones with denominators below ``2**26`` are
different floats: they lie more than ``2**-52`` apart, and rounding moves each by at most ``2**-54``.
"""

from chancecorr.indices.cluster_level import cluster_index
from chancecorr.indices.kernels.credits import mean_credited
from chancecorr.machine.arrays import Integers


@cluster_index(
    "sum d_ij s_ij / n, d_ij = n_ij / (n_i + m_j - n_ij), s_ij the credits, for the largest d_ij first",
    aliases=("irm_index", "rajasekhara_pujari"),
    known_as="IRM-index, after the integrated region matching of images",
    source="Rajasekhara & Pujari (2010), ICVGIP, Chennai",
    symmetric=True,
    nanoseconds=lambda K, Q: K * Q * (60.0 + 0.3 * (K + Q) + 10.0 * abs(K - Q)),
    example=(3 * 3 / 4 + 2 * 2 / 3 + 1 * 1 / 6) / 6,
    notes="Of pairs tied in d_ij the one with the most common objects comes first, then that with the largest"
    " credit; the paper leaves their order open, and the value may depend on it. In Table 1 of the paper the"
    " Rand index 0.8571 should be 26/28 = 0.9286, the Wallace index 0.70721 should be 0.70711, and the NMI is"
    " I / (n (H + H')), as its formula says, without a factor 2 n: 2/36 = 0.0556 as printed, but 2.5/42 ="
    " 0.0595 for the printed 0.0757575. The formula of the Jaccard index has v00 for v11 in the denominator.",
)
def irm(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Mean similarity of the clusters credited to each other, the most similar ones first."""
    return mean_credited(table, row_totals, column_totals)
