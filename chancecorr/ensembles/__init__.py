"""Consensus matrices, soft and overlapping clusterings: comparisons by pairs of objects, without a table."""

from chancecorr.ensembles.consensus import arimm, arimp, consensus_matrix
from chancecorr.ensembles.partition import consensus_partition
from chancecorr.ensembles.similarities import (
    average_nmi,
    frobenius_similarity,
    kernel_alignment,
    pairwise_nmi,
    scaled_mantel_statistic,
)

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
