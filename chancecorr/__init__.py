"""How much of the agreement between two clusterings is chance, for any index."""

from typing import TYPE_CHECKING

from chancecorr import clusterings as clusterings
from chancecorr import comparison as comparison
from chancecorr import correction as correction
from chancecorr import ensembles as ensembles
from chancecorr import indices as indices
from chancecorr import tables as tables
from chancecorr.chance.options import MonteCarlo
from chancecorr.clusterings.clustering import Similarity
from chancecorr.clusterings.membership import Cover, Membership
from chancecorr.clusterings.tree import Tree
from chancecorr.comparison.compare import compare
from chancecorr.comparison.pairwise import pairwise
from chancecorr.comparison.scorer import make_scorer
from chancecorr.correction.adjust import (
    adjust,
    adjust_table,
    adjusted_score,
    null_distribution,
    tail_probability,
)
from chancecorr.correction.raw import score, score_table
from chancecorr.indices import entries as _entries  # noqa: F401  the catalogue is there from the start
from chancecorr.indices.pair_counting.similarities import PUBLISHED_INDICES
from chancecorr.indices.registry import get_index, list_indices, register_index
from chancecorr.machine.budget import Budget
from chancecorr.plotting import plot_comparison as _plots  # noqa: F401  results get their method `plot`
from chancecorr.sampling.permutation import sample_tables
from chancecorr.tables.contingency import ContingencyTable, Margins
from chancecorr.tables.reading import contingency_table

if TYPE_CHECKING:
    from chancecorr import catalogue as catalogue
    from chancecorr import prototypes as prototypes

    __version__: str
else:
    _LATER = ("catalogue", "prototypes", "report")

    def __getattr__(name: str) -> object:
        """The version, and modules that are imported when they are asked for."""
        from importlib import import_module, metadata

        if name == "__version__":
            return metadata.version("chancecorr")
        if name in _LATER:
            return import_module(f"chancecorr.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """Public names and rooms, those that are imported later among them."""
        rooms = "clusterings", "comparison", "correction", "ensembles", "indices", "plotting", "tables"
        return sorted({*__all__, *_LATER, *rooms, "__version__"})


__all__ = [
    "PUBLISHED_INDICES",
    "Budget",
    "ContingencyTable",
    "Cover",
    "Margins",
    "Membership",
    "MonteCarlo",
    "Similarity",
    "Tree",
    "adjust",
    "adjust_table",
    "adjusted_score",
    "compare",
    "contingency_table",
    "get_index",
    "list_indices",
    "make_scorer",
    "null_distribution",
    "pairwise",
    "register_index",
    "sample_tables",
    "score",
    "score_table",
    "tail_probability",
]
