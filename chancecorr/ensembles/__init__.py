"""Consensus matrices, soft and overlapping clusterings: comparisons by pairs of objects, without a table."""

from chancecorr.ensembles.consensus import (
    arimm,
    arimp,
    average_nmi,
    consensus_matrix,
    frobenius_similarity,
    kernel_alignment,
    pairwise_nmi,
    scaled_mantel_statistic,
)
from chancecorr.ensembles.partition import consensus_partition

__all__ = [
    "arimm",
    "arimp",
    "average_nmi",
    "consensus_matrix",
    "consensus_partition",
    "frobenius_similarity",
    "kernel_alignment",
    "pairwise_nmi",
    "scaled_mantel_statistic",
]
