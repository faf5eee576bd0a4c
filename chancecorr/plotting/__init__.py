"""Pictures of results and of null distributions. They need matplotlib: ``pip install 'chancecorr[plot]'``."""

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
