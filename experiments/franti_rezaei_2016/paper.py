"""What Fränti & Rezaei (2016) print in the text, and where the paper contradicts itself.

Source: Fränti & Rezaei (2016), Generalizing centroid index to different clustering models, S+SSPR 2016,
LNCS 10029, 285-296, doi:10.1007/978-3-319-49055-7_26. The bodies of tables 1 to 3 and the figures themselves
were not at hand; this is what the text and the captions say.
"""

from experiments.common.printed import Printed


def _printed(table: str, values: dict[tuple[str, str], str]) -> list[Printed]:
    return [Printed.read(text, table=table, row=row, column=column) for (row, column), text in values.items()]


SIZES = _printed(
    "section 4",
    {
        (name, column): text
        for name, texts in {
            **dict.fromkeys(("s1", "s2", "s3", "s4"), ("5000", "15")),
            "unbalance": ("6500", "8"),
            "birch2": ("100000", "100"),
            "aggregation": ("788", "7"),
            "compound": ("399", "6"),
        }.items()
        for column, text in zip(("points", "clusters"), texts, strict=True)
    },
)
"""Points and clusters of the data sets."""

OPERATIONS = [
    Printed.read("450", table="section 3.1", row="s1 to s4", column="distances, prototypes"),
    Printed.read(
        "4352",
        table="section 3.1",
        row="s1 to s4",
        column="additions, partitions",
        remark="contradictory",
        arithmetic="With the cost O(N) + O(k^2) and constants of 1, 5000 points in 15 clusters take"
        " 5000 + 15^2 = 5225; the paper gives no constants. 4352 = 4096 + 16^2 is a guess.",
    ),
]
"""Estimated operations of the two ways to the index on S1 to S4."""

FIGURE_1 = _printed(
    "figure 1",
    {("", "nmi_sum"): "0.42", ("", "normalized_van_dongen"): "0.20", ("", "criterion_h"): "0.20",
     ("", "centroid_index"): "0"},
)  # fmt: skip
"""Indices of one table of two clusters by two, the cells of which are in the figure alone."""

FIGURE_2 = _printed(
    "figure 2",
    {
        ("RS-AC", "adjusted_rand"): "0.91",
        ("RS-AC", "normalized_van_dongen"): "0.05",
        ("RS-AC", "criterion_h"): "0.05",
        ("RS-AC", "centroid_index"): "0",
        ("RS-KM", "adjusted_rand"): "0.88",
        ("RS-KM", "normalized_van_dongen"): "0.07",
        ("RS-KM", "criterion_h"): "0.10",
        ("RS-KM", "centroid_index"): "1",
        ("AC-KM", "adjusted_rand"): "0.82",
        ("AC-KM", "normalized_van_dongen"): "0.10",
        ("AC-KM", "criterion_h"): "0.14",
    },
)
"""Random swap, agglomerative clustering and k-means on data that are not named."""

FIGURE_5 = _printed("figure 5", {("SMEM-RSEM", way): "2" for way in ("prototypes", "partition", "model")})
"""CI of two Gaussian mixtures by the three ways, on data that are not named."""

FIGURE_3 = _printed("table 1", {("A1", "B1"): "5", ("A1", "B2"): "1", ("A1", "B3"): "2"})
"""A row of the contingency table of figure 3, the objects of which are in the figure alone."""

SAMPLES = _printed(
    "sections 3.3 and 4",
    {
        ("unbalance kmeans", "centroid_index"): "4",
        ("aggregation kmeans", "centroid_index"): "2",
        ("aggregation dbscan", "centroid_index"): "0",
        ("aggregation sam", "centroid_index"): "0",
        ("compound single_link", "centroid_index"): "3",
        ("compound single_link", "clusters of size one"): "3",
    },
)
"""Single clusterings against the truth, as the text has them: row, data set and clusterer."""

ERRORS = (
    "Equation 5 has the indegree of A where it is that of B which makes an orphan of B: Orphan(B) is 1 if no"
    " cluster of A is mapped to B.",
    "Section 2: pairs of clusters are found by *maximising* the sum of the similarities; it says minimising.",
    "Section 3.1 gives O(N k^2) for the contingency table, and two sentences later O(N) + O(k^2): one pass"
    " through the labels adds N counts.",
    "Section 3.2 calls equation 8 a similarity; it is 0 for equal clusters and grows with the distance. That"
    " the covariances are the same 'is the case in GMM' holds for tied covariances only, which the paper does"
    " not use.",
    "Contradictory, which of the two is not known: section 4 has NVD and CH *decrease* with randomness; as"
    " figures 1 and 2 use them (0.05 for similar, 0.14 for less similar clusterings) they increase. Figure 8"
    " may plot 1 - NVD, a similarity as in equation 2.",
)
"""Where the paper contradicts itself or its sources, in words."""
