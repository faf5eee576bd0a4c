"""Consensus matrices, soft and overlapping clusterings: comparisons by pairs of objects, without a table."""

from chancecorr.ensembles.consensus import arimm, arimp, consensus_matrix
from chancecorr.ensembles.matrix_similarities import (
    frobenius_similarity,
    kernel_alignment,
    scaled_mantel_statistic,
)
from chancecorr.ensembles.similarity import adjust_similarity

__all__ = [
    "adjust_similarity",
    "arimm",
    "arimp",
    "consensus_matrix",
    "frobenius_similarity",
    "kernel_alignment",
    "scaled_mantel_statistic",
]
