"""What Rajasekhara & Pujari (2010) print: partitions, Table 1, Table 2; nothing computed.

The curves of Figures 2 to 5 are pictures without numbers and are not here.
"""

from typing import Literal

from experiments.common.printed import Printed

Column = Literal["irm", "rand", "jaccard", "adjusted_rand", "wallace", "nmi"]
COLUMNS: tuple[Column, ...] = ("irm", "rand", "jaccard", "adjusted_rand", "wallace", "nmi")
"""The six indices, in the order of Table 2."""

SHORT: dict[Column, str] = {
    "irm": "IRM",
    "rand": "Rand",
    "jaccard": "Jaccard",
    "adjusted_rand": "AR",
    "wallace": "Wallace",
    "nmi": "NMI",
}
"""What the paper calls them."""

REGISTERED: dict[Column, str] = {
    "irm": "irm",
    "rand": "rand",
    "jaccard": "jaccard",
    "adjusted_rand": "adjusted_rand",
    "wallace": "fowlkes_mallows",
    "nmi": "nmi_sum",
}
"""Their names in chancecorr, as their sources define them where the paper prints a formula with errors."""

RUNS = 50
"""Runs of k-means for each number of clusters."""

LAST_STATED = 50
"""The last number of clusters, as the text and the title of Table 2 say."""

PARTITIONS: dict[str, tuple[tuple[int, ...], ...]] = {
    "P1": ((1, 2), (3,), (4,), (5,), (6,), (7, 8)),
    "P2": ((1, 2), (3,), (4,), (5,), (6,), (7,), (8,)),
    "P3": ((1, 2), (3, 6), (4, 5), (7, 8)),
}
"""The three partitions of eight objects."""

Pair = Literal["P1, P2", "P1, P3"]
PAIRS: tuple[Pair, ...] = ("P1, P2", "P1, P3")

_TABLE_1: dict[Column, tuple[str, str]] = {
    "jaccard": ("0.50", "0.50"),
    "wallace": ("0.70721", "0.70721"),
    "adjusted_rand": ("0.65", "0.63157"),
    "rand": ("0.9642", "0.8571"),
    "irm": ("0.875", "0.75"),
    "nmi": ("0.0757575", "0.05555"),
}

_ROOT = "1/sqrt(2) = 0.70711."
_MISPRINTS: dict[tuple[Column, Pair], str] = {
    ("wallace", "P1, P2"): f"v11 = 1, t1 = 2, t2 = 1: {_ROOT}",
    ("wallace", "P1, P3"): f"v11 = 2, t1 = 2, t2 = 4: 2/sqrt(8) = {_ROOT}",
    ("rand", "P1, P3"): "v00 = 24, v11 = 2 of 28: 26/28 = 0.9286; the printed 0.8571 is 24/28, without v11.",
    ("nmi", "P1, P2"): (
        "In bits MI = H(P1) = 2.5 and H(P2) = 2.75, so that the printed formula gives"
        " 2.5 / (8 x 5.25) = 2.5/42 = 0.0595; the printed 0.0757575 is 2.5/33."
    ),
}  # fmt: skip


TABLE_1: dict[tuple[Column, Pair], Printed] = {
    (column, pair): Printed.read(
        text, table="1", row=SHORT[column], column=pair, arithmetic=_MISPRINTS.get((column, pair), "")
    )
    for column, texts in _TABLE_1.items()
    for pair, text in zip(PAIRS, texts, strict=True)
}

OBJECTS = {
    "australian": 690, "german": 1000, "glass": 214, "heart": 270, "iris": 150,
    "lenses": 24, "liver": 345, "spect": 267, "thyroid": 215, "wine": 178,
}  # fmt: skip
"""N of Table 2."""

CLASSES = {
    "australian": 2, "german": 2, "glass": 7, "heart": 2, "iris": 3,
    "lenses": 3, "liver": 2, "spect": 2, "thyroid": 3, "wine": 3,
}  # fmt: skip
"""k of Table 2, "the true number of clusters"."""

FIRST = {
    "australian": 2, "german": 15, "glass": 7, "heart": 11, "iris": 33,
    "lenses": 4, "liver": 14, "spect": 2, "thyroid": 29, "wine": 26,
}  # fmt: skip
"""k1 of Table 2, "the cluster number for which the IRM-index is better"; the sums begin here."""

_TABLE_2 = {
    "australian": ("1.337249", "10.125183", "1.597784", "4.358551", "2.044201", "4.027432"),
    "german": ("1.048532", "4.645780", "1.225258", "2.174214", "1.090978", "1.565228"),
    "glass": ("1.215728", "15.853014", "1.272213", "3.865350", "1.513213", "2.288114"),
    "heart": ("0.967244", "7.024978", "1.297638", "2.455763", "0.972834", "1.803880"),
    "iris": ("0.452911", "10.527431", "2.835106", "0.493838", "2.767596", "5.541363"),
    "lenses": ("2.382998", "7.329707", "5.475070", "7.945702", "2.410549", "3.225222"),
    "liver": ("0.880220", "6.211665", "1.128411", "2.150390", "0.933740", "1.504367"),
    "spect": ("1.896824", "5.477993", "2.144411", "5.882934", "2.235649", "4.993913"),
    "thyroid": ("0.086105", "0.723668", "0.144460", "0.212707", "0.116261", "0.140647"),
    "wine": ("0.177859", "1.533105", "0.246755", "0.282415", "0.182751", "0.431561"),
}

TABLE_2: dict[tuple[str, Column], Printed] = {
    (dataset, column): Printed.read(text, table="2", row=dataset, column=SHORT[column])
    for dataset, row in _TABLE_2.items()
    for column, text in zip(COLUMNS, row, strict=True)
}
"""Sums over the numbers of clusters of the mean deviation, accuracy less index."""

DATASETS = tuple(_TABLE_2)
FIGURES = {"australian": "2", "iris": "3", "spect": "4", "liver": "5"}
"""Data sets whose curves are pictures in the paper, with the number of the figure."""
