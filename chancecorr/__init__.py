"""How much of the agreement between two clusterings is chance, for any index."""

from chancecorr.adjust import adjust, adjust_table, null_distribution, score, score_table
from chancecorr.contingency import ContingencyTable, Margins, PairCounts, contingency_table
from chancecorr.distribution import NullDistribution
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.pair_counting import PUBLISHED_INDICES
from chancecorr.indices.registry import Index, get_index, list_indices, register_index, unregister_index
from chancecorr.null.permutation import sample_tables
from chancecorr.scores import AdjustedScore, AdjustedScores

__version__ = "0.1.0"

__all__ = [
    "PUBLISHED_INDICES",
    "AdjustedScore",
    "AdjustedScores",
    "ContingencyTable",
    "Index",
    "IndexEvaluationError",
    "Margins",
    "NullDistribution",
    "PairCounts",
    "adjust",
    "adjust_table",
    "contingency_table",
    "get_index",
    "list_indices",
    "null_distribution",
    "register_index",
    "sample_tables",
    "score",
    "score_table",
    "unregister_index",
]
