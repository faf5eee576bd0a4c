"""Indices: their definition, evaluation and catalogue."""

from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index, get_index, list_indices, register_index, unregister_index

__all__ = ["Index", "IndexEvaluationError", "get_index", "list_indices", "register_index", "unregister_index"]


def __dir__() -> list[str]:
    return __all__
