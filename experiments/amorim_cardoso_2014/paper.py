"""What Amorim & Cardoso (2014) print for three groups: parameters, overlaps, expected and adjusted values.

Source: Amorim & Cardoso (2014), doi:10.5220/0004868301640170, tables 2 to 7, digit for digit, errors
included, such as the heading Weel for Well; see `ARITHMETIC`. Every cell is a mean over `DATASETS` data sets.
The paper's names of the indices, top to bottom in each table: R, RR, GL, J, C, GK, SoS, SS2, FM.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from experiments.common.mixtures import Mixture
from experiments.common.printed import Printed

Clusterer = Literal["em", "km"]
Design = Literal["balanced", "unbalanced"]
Separation = Literal["poor", "moderate", "well"]
FloatArray = npt.NDArray[np.float64]

CLUSTERERS: tuple[Clusterer, ...] = ("em", "km")
DESIGNS: tuple[Design, ...] = ("balanced", "unbalanced")
SEPARATIONS: tuple[Separation, ...] = ("poor", "moderate", "well")

DATASETS = 30
"""Data sets in each scenario."""

N_TABLES = 17_000
"""Tables simulated for each data set."""

WEIGHTS: dict[Design, tuple[float, float, float]] = {
    "balanced": (0.3, 0.3, 0.4), "unbalanced": (0.6, 0.3, 0.1),
}  # fmt: skip
"""Shares of the objects in the three groups; tables 2 and 3."""

SHORT = {
    "rand": "R", "russell_rao": "RR", "gower_legendre": "GL", "jaccard": "J", "czekanowski": "C",
    "goodman_kruskal": "GK", "sokal_sneath_5": "SoS", "sokal_sneath_1": "SS2", "fowlkes_mallows": "FM",
}  # fmt: skip
"""The paper's abbreviations."""

QUANTITIES = (
    "simulated",
    "distributional",
    "approximate",
    "observed",
    "observed cv",
    "adjusted",
    "adjusted cv",
)
"""Columns of tables 4 and 5, then of tables 6 and 7."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number stands in tables 4 to 7."""

    clusterer: Clusterer
    design: Design
    separation: Separation
    index: str
    quantity: str


# Tables 2 and 3: a line is a variable of a group; columns are mean and variance for poor, moderate, well.
_PARAMETERS: dict[Design, str] = {
    "balanced": """
        10.5 3.5   11.9 1.1   10.5 1.0
         2.3 0.5    2.5 0.3    2.5 1.3
         7.8 2.0    8.0 0.9    4.3 1.8

        10.0 3.0    9.8 1.2   15.0 2.2
         2.5 0.3    1.5 0.3    4.0 1.2
         7.0 1.0    6.8 0.7    7.0 1.5

         9.5 2.0   11.8 1.4    7.0 2.3
         2.0 0.4    2.0 0.4    6.2 1.6
         7.5 1.2    8.9 0.7    2.5 1.7
    """,
    "unbalanced": """
        11.0 2.2   12.3 1.1   14.3 0.7
         5.3 0.8    6.4 0.6    7.0 0.2
         7.8 1.8    8.8 1.1    9.2 0.3

        10.0 2.0   11.0 1.0   12.7 0.5
         4.5 0.5    5.0 0.5    5.0 0.4
         7.2 1.4    7.5 0.8    7.6 0.3

         9.4 1.8    9.5 0.9   11.0 0.5
         4.0 0.4    3.7 0.4    3.5 0.3
         7.0 1.5    6.6 0.7    6.0 0.2
    """,
}

# Tables 4 and 5: an index; then simulated, distributional, approximate for poor, moderate, well.
_EXPECTATIONS: dict[tuple[Clusterer, Design], str] = {
    ("em", "balanced"): """
        rand             0.464 0.464 -      0.521 0.521 -      0.552 0.552 -
        russell_rao      0.209 0.209 -      0.148 0.148 -      0.115 0.115 -
        gower_legendre   0.632 - 0.631      0.684 - 0.687      0.711 - 0.716
        jaccard          0.275 - 0.270      0.232 - 0.224      0.204 - 0.195
        czekanowski      0.431 0.431 -      0.376 0.376 -      0.339 0.339 -
        goodman_kruskal  0.000 - -          0.000 - -          0.000 - -
        sokal_sneath_5   0.212 - -          0.228 - -          0.224 - -
        sokal_sneath_1   0.160 - 0.140      0.132 - 0.106      0.114 - 0.086
        fowlkes_mallows  0.453 0.453 -      0.381 0.381 -      0.339 0.339 -
    """,
    ("em", "unbalanced"): """
        rand             0.500 0.500 -      0.505 0.505 -      0.504 0.504 -
        russell_rao      0.229 0.229 -      0.206 0.206 -      0.209 0.209 -
        gower_legendre   0.666 - 0.668      0.671 - 0.673      0.670 - 0.672
        jaccard          0.313 - 0.309      0.293 - 0.289      0.296 - 0.292
        czekanowski      0.476 0.476 -      0.453 0.453 -      0.457 0.457 -
        goodman_kruskal  0.000 - -          0.000 - -          0.000 - -
        sokal_sneath_5   0.246 - -          0.248 - -          0.248 - -
        sokal_sneath_1   0.186 - 0.172      0.172 - 0.155      0.174 - 0.157
        fowlkes_mallows  0.477 0.477 -      0.454 0.454 -      0.457 0.457 -
    """,
    ("km", "balanced"): """
        rand             0.552 0.552 -      0.551 0.551 -      0.552 0.552 -
        russell_rao      0.115 0.115 -      0.116 0.116 -      0.115 0.115 -
        gower_legendre   0.711 - 0.716      0.710 - 0.715      0.711 - 0.716
        jaccard          0.204 - 0.195      0.205 - 0.196      0.204 - 0.195
        czekanowski      0.339 0.339 -      0.341 0.341 -      0.339 0.339 -
        goodman_kruskal  0.000 - -          0.000 - -          0.000 - -
        sokal_sneath_5   0.224 - -          0.225 - -          0.224 - -
        sokal_sneath_1   0.114 - 0.086      0.114 - 0.087      0.114 - 0.086
        fowlkes_mallows  0.339 0.339 -      0.341 0.341 -      0.339 0.339 -
    """,
    ("km", "unbalanced"): """
        rand             0.515 0.515 -      0.514 0.514 -      0.506 0.506 -
        russell_rao      0.152 0.152 -      0.158 0.158 -      0.198 0.198 -
        gower_legendre   0.680 - 0.683      0.679 - 0.681      0.672 - 0.674
        jaccard          0.239 - 0.231      0.246 - 0.238      0.285 - 0.280
        czekanowski      0.386 0.386 -      0.394 0.394 -      0.443 0.443 -
        goodman_kruskal  0.000 - -          0.000 - -          0.000 - -
        sokal_sneath_5   0.235 - -          0.237 - -          0.246 - -
        sokal_sneath_1   0.136 - 0.110      0.140 - 0.115      0.166 - 0.148
        fowlkes_mallows  0.390 0.390 -      0.398 0.398 -      0.444 0.444 -
    """,
}

# Tables 6 and 7: an index; then observed mean, cv, adjusted mean, cv for poor, moderate, well.
_AGREEMENT: dict[tuple[Clusterer, Design], str] = {
    ("em", "balanced"): """
        rand             0.483 0.131 0.038 0.655   0.710 0.102 0.400 0.236   0.974 0.006 0.943 0.014
        russell_rao      0.219 0.262 0.012 0.629   0.242 0.124 0.110 0.205   0.327 0.015 0.239 0.018
        gower_legendre   0.649 0.091 0.050 0.642   0.828 0.068 0.464 0.219   0.987 0.003 0.955 0.011
        jaccard          0.293 0.108 0.024 0.658   0.459 0.085 0.293 0.249   0.927 0.018 0.908 0.022
        czekanowski      0.453 0.084 0.038 0.655   0.628 0.060 0.400 0.236   0.962 0.009 0.943 0.014
        goodman_kruskal  0.101 0.555 0.101 0.554   0.724 0.175 0.724 0.175   0.998 0.001 0.998 0.001
        sokal_sneath_5   0.234 0.199 0.028 0.636   0.485 0.146 0.333 0.257   0.943 0.014 0.927 0.018
        sokal_sneath_1   0.172 0.126 0.014 0.661   0.299 0.107 0.191 0.262   0.864 0.033 0.847 0.038
        fowlkes_mallows  0.476 0.121 0.040 0.637   0.636 0.051 0.406 0.225   0.962 0.009 0.943 0.014
    """,
    ("em", "unbalanced"): """
        rand             0.605 0.062 0.211 0.362   0.847 0.025 0.690 0.064   0.990 0.004 0.980 0.009
        russell_rao      0.282 0.152 0.069 0.373   0.377 0.056 0.215 0.072   0.452 0.029 0.307 0.021
        gower_legendre   0.753 0.039 0.260 0.348   0.917 0.014 0.747 0.053   0.995 0.002 0.985 0.006
        jaccard          0.416 0.126 0.151 0.384   0.711 0.053 0.591 0.083   0.979 0.009 0.970 0.013
        czekanowski      0.585 0.091 0.211 0.362   0.830 0.032 0.690 0.064   0.989 0.005 0.980 0.009
        goodman_kruskal  0.409 0.338 0.409 0.338   0.934 0.025 0.934 0.025   1.000 0.000 1.000 0.000
        sokal_sneath_5   0.366 0.128 0.158 0.381   0.715 0.051 0.621 0.077   0.981 0.008 0.974 0.011
        sokal_sneath_1   0.264 0.156 0.096 0.403   0.553 0.078 0.460 0.107   0.959 0.018 0.950 0.021
        fowlkes_mallows  0.587 0.093 0.212 0.362   0.831 0.032 0.690 0.063   0.989 0.005 0.980 0.09
    """,
    ("km", "balanced"): """
        rand             0.567 0.007 0.035 0.272   0.704 0.019 0.341 0.083   0.968 0.008 0.929 0.017
        russell_rao      0.123 0.024 0.009 0.273   0.193 0.037 0.087 0.080   0.323 0.014 0.235 0.018
        gower_legendre   0.724 0.005 0.044 0.269   0.826 0.011 0.400 0.075   0.984 0.004 0.944 0.014
        jaccard          0.221 0.024 0.021 0.275   0.394 0.044 0.238 0.095   0.910 0.021 0.888 0.028
        czekanowski      0.362 0.020 0.035 0.272   0.565 0.032 0.341 0.083   0.953 0.011 0.929 0.017
        goodman_kruskal  0.077 0.269 0.077 0.268   0.635 0.062 0.635 0.062   0.997 0.001 0.997 0.001
        sokal_sneath_5   0.243 0.023 0.025 0.275   0.438 0.045 0.276 0.093   0.930 0.017 0.910 0.022
        sokal_sneath_1   0.124 0.027 0.012 0.278   0.246 0.055 0.148 0.106   0.836 0.039 0.815 0.045
        fowlkes_mallows  0.362 0.020 0.035 0.272   0.565 0.032 0.341 0.082   0.953 0.011 0.929 0.017
    """,
    ("km", "unbalanced"): """
        rand             0.550 0.018 0.072 0.223   0.695 0.048 0.373 0.182   0.943 0.100 0.883 0.218
        russell_rao      0.170 0.032 0.020 0.219   0.249 0.089 0.108 0.189   0.416 0.162 0.274 0.234
        gower_legendre   0.710 0.011 0.092 0.217   0.820 0.028 0.439 0.161   0.968 0.057 0.901 0.188
        jaccard          0.274 0.029 0.046 0.228   0.450 0.108 0.272 0.219   0.889 0.196 0.850 0.270
        czekanowski      0.430 0.022 0.072 0.223   0.620 0.073 0.373 0.182   0.930 0.127 0.883 0.218
        goodman_kruskal  0.155 0.218 0.155 0.218   0.682 0.114 0.682 0.114   0.967 0.075 0.967 0.075
        sokal_sneath_5   0.274 0.032 0.051 0.231   0.469 0.105 0.304 0.207   0.895 0.184 0.862 0.250
        sokal_sneath_1   0.159 0.033 0.026 0.232   0.292 0.143 0.177 0.256   0.834 0.271 0.804 0.325
        fowlkes_mallows  0.435 0.023 0.073 0.222   0.625 0.070 0.378 0.177   0.932 0.123 0.884 0.214
    """,
}

_OVERLAPS: dict[tuple[Design, Separation], tuple[str, str]] = {
    ("balanced", "poor"): ("0.633", "0.653"),
    ("balanced", "moderate"): ("0.140", "0.516"),
    ("balanced", "well"): ("0.019", "0.029"),
    ("unbalanced", "poor"): ("0.632", "0.868"),
    ("unbalanced", "moderate"): ("0.143", "0.215"),
    ("unbalanced", "well"): ("0.021", "0.115"),
}

_OVERLAPS_ARITHMETIC: dict[tuple[Design, Separation, str], str] = {
    ("balanced", "moderate", "average"): (
        "The average over three pairs is at least a third of the maximum, 0.516 / 3 = 0.172; the printed"
        " parameters give 0.254 and 0.516."
    ),
    ("unbalanced", "well", "average"): (
        "The average over three pairs is at least a third of the maximum, 0.115 / 3 = 0.038; the printed"
        " parameters give 0.010 and 0.021, so that this is the maximum."
    ),
    ("unbalanced", "well", "maximum"): "The printed parameters give 0.021, which is printed as the average.",
}

OVERLAPS: Mapping[tuple[Design, Separation, str], Printed] = {
    (design, separation, row): Printed.read(
        text,
        table="2" if design == "balanced" else "3",
        row=f"{row} overlap",
        column=separation,
        arithmetic=_OVERLAPS_ARITHMETIC.get((design, separation, row), ""),
    )
    for (design, separation), texts in _OVERLAPS.items()
    for row, text in zip(("average", "maximum"), texts, strict=True)
}
"""Average and largest overlap of two groups, the sum of both probabilities of misclassification."""


def _parameters(design: Design) -> dict[Separation, tuple[FloatArray, FloatArray]]:
    """Means and variances by separation, each of shape (3 groups, 3 variables)."""
    printed = np.array(_PARAMETERS[design].split(), dtype=np.float64).reshape(3, 3, 3, 2)
    return {name: (printed[:, :, k, 0], printed[:, :, k, 1]) for k, name in enumerate(SEPARATIONS)}


def _numbers() -> Mapping[Place, Printed]:
    """Tables 4 to 7, number by number."""
    found: dict[Place, Printed] = {}
    for first, blocks, quantities in ((4, _EXPECTATIONS, QUANTITIES[:3]), (6, _AGREEMENT, QUANTITIES[3:])):
        for (clusterer, design), block in blocks.items():
            table = str(first + CLUSTERERS.index(clusterer))
            for line in block.strip().splitlines():
                index, *words = line.split()
                for k, word in enumerate(words):
                    separation, quantity = SEPARATIONS[k // len(quantities)], quantities[k % len(quantities)]
                    place = Place(clusterer, design, separation, index, quantity)
                    if word != "-":
                        found[place] = Printed.read(
                            word,
                            table=table,
                            row=f"{design} {index}",
                            column=f"{separation} {quantity}",
                            arithmetic=ARITHMETIC.get(place, ""),
                        )
    return found


ARITHMETIC: Mapping[Place, str] = {
    Place("em", "unbalanced", "well", "fowlkes_mallows", "adjusted cv"): (
        "With sd(adjusted) = sd(observed) / (1 - expected) it is 0.005 * 0.989 / (1 - 0.457) / 0.980 = 0.009,"
        " as for R and C."
    )
}
"""What shows that a number is a misprint, by its place."""

PRINTED = _numbers()
"""Tables 4 and 5 (EM and k-means, expected values), 6 and 7 (observed and adjusted): 624 numbers."""

INDICES = tuple(dict.fromkeys(place.index for place in PRINTED))

THREE_GROUPS: Mapping[tuple[Design, Separation], Mixture] = {
    (design, separation): Mixture(
        weights=np.array(WEIGHTS[design]),
        means=means,
        covariances=np.array([np.diag(row) for row in variances]),
    )
    for design in DESIGNS
    for separation, (means, variances) in _parameters(design).items()
}
"""Mixtures of tables 2 (balanced) and 3 (unbalanced), by design and separation."""
