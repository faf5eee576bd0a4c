"""What an index is, how it is evaluated, and the catalogue."""

from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index, get_index, list_indices, register_index, unregister_index

__all__ = [
    "Index",
    "IndexEvaluationError",
    "get_index",
    "list_indices",
    "register_index",
    "unregister_index",
]
