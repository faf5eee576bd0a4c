"""Indices: their definition, evaluation and catalogue."""

from chancecorr.indices.agreement import weigh_labels
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index, get_index, list_indices, register_index, unregister_index

__all__ = [
    "Index",
    "IndexEvaluationError",
    "get_index",
    "list_indices",
    "register_index",
    "unregister_index",
    "weigh_labels",
]


def __dir__() -> list[str]:
    return __all__
