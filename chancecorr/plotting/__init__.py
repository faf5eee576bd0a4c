"""Pictures of results and of null distributions. They need matplotlib: ``pip install 'chancecorr[plot]'``.

Results do not know their pictures: six of them get their function from here as the method ``plot``.
"""

from typing import Any

from chancecorr.comparison.comparison import Comparison
from chancecorr.comparison.dataset_scores import DatasetScores
from chancecorr.comparison.pairwise_scores import PairwiseScores
from chancecorr.comparison.stability_of_runs import Stability
from chancecorr.comparison.trees import TreeComparison
from chancecorr.plotting.comparison import plot_comparison
from chancecorr.plotting.datasets import plot_datasets
from chancecorr.plotting.pairwise import plot_pairwise
from chancecorr.plotting.score import plot_null
from chancecorr.plotting.stability import plot_stability
from chancecorr.plotting.table import plot_table
from chancecorr.plotting.trees import plot_trees
from chancecorr.tables.contingency import ContingencyTable

_PICTURES: tuple[tuple[Any, Any], ...] = (
    (Comparison, plot_comparison),
    (DatasetScores, plot_datasets),
    (PairwiseScores, plot_pairwise),
    (Stability, plot_stability),
    (TreeComparison, plot_trees),
    (ContingencyTable, plot_table),
)
for _result, _plot in _PICTURES:
    _result.plot = _plot

__all__ = [
    "plot_comparison",
    "plot_datasets",
    "plot_null",
    "plot_pairwise",
    "plot_stability",
    "plot_table",
    "plot_trees",
]
