"""How much of the agreement between two clusterings is chance, for any index."""

from typing import TYPE_CHECKING

from chancecorr.budget import Budget
from chancecorr.comparison.candidate import CandidateScore
from chancecorr.comparison.compare import compare
from chancecorr.comparison.comparison import Comparison
from chancecorr.comparison.contributions import (
    Contributions,
    agreement_by_cluster,
    agreement_by_object,
)
from chancecorr.comparison.disagreement import Disagreement, disagreements
from chancecorr.comparison.pairwise import pairwise
from chancecorr.comparison.pairwise_scores import PairwiseScores
from chancecorr.comparison.scorer import make_scorer
from chancecorr.correction.adjust import (
    adjust,
    adjust_table,
    adjusted_score,
    irm,
    null_distribution,
    score,
    score_table,
)
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.monte_carlo import MonteCarlo
from chancecorr.correction.p_value import Tail
from chancecorr.correction.scores import AdjustedScore, AdjustedScores
from chancecorr.correction.tails import tail_probability
from chancecorr.ensembles.consensus import arimm, arimp, consensus_matrix
from chancecorr.ensembles.matrix_similarities import (
    frobenius_similarity,
    kernel_alignment,
    scaled_mantel_statistic,
)
from chancecorr.ensembles.similarity import AdjustedSimilarity, adjust_similarity
from chancecorr.indices import entries as _entries  # noqa: F401  the catalogue is there from the start
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.pair_counting.published import PUBLISHED_INDICES
from chancecorr.indices.registry import Index, get_index, list_indices, register_index, unregister_index
from chancecorr.null.permutation import sample_tables
from chancecorr.plotting import plot_comparison as _plots  # noqa: F401  results get their method `plot`
from chancecorr.tables.contingency import ContingencyTable, Margins, PairCounts
from chancecorr.tables.reading import contingency_table
from chancecorr.tables.streaming import contingency_table_from

if TYPE_CHECKING:
    from chancecorr.catalogue.checks import IndexCheckError, check_index
    from chancecorr.catalogue.citations import Citation, cite
    from chancecorr.catalogue.equivalents import equivalents
    from chancecorr.catalogue.properties import Property, properties
    from chancecorr.catalogue.recommend import Recommendation, Recommended, recommend
    from chancecorr.prototypes.gaussian_components import GaussianComponents, bhattacharyya_distances
    from chancecorr.prototypes.prototypes import (
        PrototypeMaps,
        centroid_index,
        centroid_similarity_index,
        map_prototypes,
    )

    __version__: str
else:
    _LATER = {
        "catalogue.checks": ("IndexCheckError", "check_index"),
        "catalogue.citations": ("Citation", "cite"),
        "catalogue.equivalents": ("equivalents",),
        "catalogue.properties": ("Property", "properties"),
        "catalogue.recommend": ("Recommendation", "Recommended", "recommend"),
        "prototypes.gaussian_components": ("GaussianComponents", "bhattacharyya_distances"),
        "prototypes.prototypes": (
            "PrototypeMaps", "centroid_index", "centroid_similarity_index", "map_prototypes"
        ),
    }  # fmt: skip

    def __getattr__(name: str) -> object:
        """What is imported when it is asked for: the version, and rooms that no other room uses."""
        from importlib import import_module, metadata

        if name == "__version__":
            return metadata.version("chancecorr")
        for module, names in _LATER.items():
            if name in names:
                found = globals()[name] = getattr(import_module(f"chancecorr.{module}"), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """Names that a shell completes, those that are imported later among them."""
        return sorted({*globals(), *__all__})


__all__ = [
    "PUBLISHED_INDICES",
    "AdjustedScore",
    "AdjustedScores",
    "AdjustedSimilarity",
    "Budget",
    "CandidateScore",
    "Citation",
    "Comparison",
    "ContingencyTable",
    "Contributions",
    "Disagreement",
    "GaussianComponents",
    "Index",
    "IndexCheckError",
    "IndexEvaluationError",
    "Margins",
    "MonteCarlo",
    "NullDistribution",
    "PairCounts",
    "PairwiseScores",
    "Property",
    "PrototypeMaps",
    "Recommendation",
    "Recommended",
    "Tail",
    "adjust",
    "adjust_similarity",
    "adjust_table",
    "adjusted_score",
    "agreement_by_cluster",
    "agreement_by_object",
    "arimm",
    "arimp",
    "bhattacharyya_distances",
    "centroid_index",
    "centroid_similarity_index",
    "check_index",
    "cite",
    "compare",
    "consensus_matrix",
    "contingency_table",
    "contingency_table_from",
    "disagreements",
    "equivalents",
    "frobenius_similarity",
    "get_index",
    "irm",
    "kernel_alignment",
    "list_indices",
    "make_scorer",
    "map_prototypes",
    "null_distribution",
    "pairwise",
    "properties",
    "recommend",
    "register_index",
    "sample_tables",
    "scaled_mantel_statistic",
    "score",
    "score_table",
    "tail_probability",
    "unregister_index",
]
