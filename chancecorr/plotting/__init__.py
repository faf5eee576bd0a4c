"""Pictures of results and of null distributions. They need matplotlib: ``pip install 'chancecorr[plot]'``."""

from collections.abc import Callable
from typing import Any

from chancecorr.comparison import DatasetScores, PairwiseScores, Stability, TreeComparison
from chancecorr.plotting.comparison import plot_comparison, plot_datasets, plot_trees
from chancecorr.plotting.heat_maps import plot_pairwise, plot_stability, plot_table
from chancecorr.plotting.score import plot_null, plot_scores

__all__ = [
    "plot_comparison",
    "plot_datasets",
    "plot_null",
    "plot_pairwise",
    "plot_scores",
    "plot_stability",
    "plot_table",
    "plot_trees",
]


def draw(result: Any, **options: Any) -> Any:
    """Picture of a result by the function for its class, whose keywords the options are."""
    pictures: dict[type, Callable[..., Any]] = {
        DatasetScores: plot_datasets,
        PairwiseScores: plot_pairwise,
        Stability: plot_stability,
        TreeComparison: plot_trees,
    }
    return pictures[type(result)](result, **options)
