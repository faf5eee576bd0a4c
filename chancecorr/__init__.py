"""Adjust any index of agreement between two clusterings for chance."""

from typing import TYPE_CHECKING

from chancecorr import chance as chance
from chancecorr import clusterings as clusterings
from chancecorr import correction as correction
from chancecorr import indices as indices
from chancecorr import tables as tables
from chancecorr.clusterings.clustering import Similarity
from chancecorr.clusterings.membership import Cover, Membership
from chancecorr.clusterings.tree import Tree
from chancecorr.correction.adjust import (
    adjust,
    adjust_table,
    adjusted_score,
    null_distribution,
    tail_probability,
)
from chancecorr.correction.observed import score, score_table
from chancecorr.correction.options import MonteCarlo
from chancecorr.indices import entries as _entries  # noqa: F401  registers the catalogue
from chancecorr.indices.pair_similarities import PUBLISHED_INDICES
from chancecorr.indices.registry import get_index, list_indices, register_index
from chancecorr.machine.arguments import UnknownNameError as _UnknownNameError
from chancecorr.machine.arguments import suggest_name as _suggest_name
from chancecorr.machine.budget import Budget
from chancecorr.sampling.own_draws import Draws
from chancecorr.sampling.permutation import sample_tables
from chancecorr.tables.contingency import ContingencyTable, Margins
from chancecorr.tables.reading import contingency_table

if TYPE_CHECKING:
    from chancecorr import catalogue as catalogue
    from chancecorr import comparison as comparison
    from chancecorr import ensembles as ensembles
    from chancecorr import plotting as plotting
    from chancecorr import prototypes as prototypes
    from chancecorr import report as report
    from chancecorr.comparison.compare import compare
    from chancecorr.comparison.pairwise import pairwise
    from chancecorr.comparison.scorer import make_scorer

    __version__: str
else:
    _ROOMS = ("catalogue", "comparison", "ensembles", "plotting", "prototypes", "report")
    _FIRST_ROOMS = ("chance", "clusterings", "correction", "indices", "tables")  # imported with the package
    _FUNCTIONS = {"compare": "compare", "pairwise": "pairwise", "make_scorer": "scorer"}

    def __getattr__(name: str) -> object:
        """Return the version, or import a name when it is first used."""
        from importlib import import_module

        if name == "__version__":
            from importlib.metadata import version

            return version("chancecorr")
        if name in _ROOMS:
            return import_module(f"chancecorr.{name}")
        if name in _FUNCTIONS:
            return getattr(import_module(f"chancecorr.comparison.{_FUNCTIONS[name]}"), name)
        raise _UnknownNameError(f"module {__name__!r} has no attribute {name!r}.", name, _find_way_out)

    def _find_way_out(name: str) -> str:
        """Return advice on what to write instead of an unknown name."""
        from importlib import import_module

        if name.startswith("_"):
            return ""
        if indices.registry.find_named(name):
            return f" It is an index: `chancecorr.adjust(labels_true, labels_pred, {name!r})`."
        if name in dir(correction.AdjustedScore):
            return f" It belongs to a score: `chancecorr.adjust(labels_true, labels_pred).{name}`."
        rooms = [
            room for room in (*_ROOMS, *_FIRST_ROOMS) if name in import_module(f"chancecorr.{room}").__all__
        ]
        return f" It is `chancecorr.{rooms[0]}.{name}`." if rooms else _suggest_name(name, __dir__())

    def __dir__() -> list[str]:
        return sorted({*__all__, *_ROOMS, *_FIRST_ROOMS, "__version__"})


__all__ = [
    "PUBLISHED_INDICES", "Budget", "ContingencyTable", "Cover", "Draws", "Margins", "Membership",
    "MonteCarlo", "Similarity", "Tree", "adjust", "adjust_table", "adjusted_score", "compare",
    "contingency_table", "get_index", "list_indices", "make_scorer", "null_distribution", "pairwise",
    "register_index", "sample_tables", "score", "score_table", "tail_probability",
]  # fmt: skip
