"""Pictures of results and of null distributions. They need matplotlib: ``pip install 'chancecorr[plot]'``."""

from chancecorr.plotting.comparison import plot_comparison
from chancecorr.plotting.datasets import plot_datasets
from chancecorr.plotting.pairwise import plot_pairwise
from chancecorr.plotting.score import plot_null, plot_scores
from chancecorr.plotting.stability import plot_stability
from chancecorr.plotting.table import plot_table
from chancecorr.plotting.trees import plot_trees

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
