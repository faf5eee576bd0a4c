"""How much of the agreement between two clusterings is chance, for any index."""

from chancecorr.adjust import adjust, adjust_table, null_distribution, score, score_table
from chancecorr.contingency import ContingencyTable, Margins, PairCounts, contingency_table
from chancecorr.distribution import NullDistribution
from chancecorr.indices import pair_counting  # noqa: F401  fills the register
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index, get_index, list_indices, register_index, unregister_index
from chancecorr.null.permutation import sample_tables
from chancecorr.scores import AdjustedScore, AdjustedScores

__version__ = "0.1.0"

__all__ = [
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
