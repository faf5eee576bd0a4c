"""Pictures of results and of null laws. They need matplotlib: ``pip install 'chancecorr[plot]'``."""

from chancecorr.plotting.comparison import plot_comparison
from chancecorr.plotting.laws import plot_convergence, plot_law_and_sample, plot_survival
from chancecorr.plotting.pairwise import plot_pairwise
from chancecorr.plotting.score import plot_null
from chancecorr.plotting.table import plot_table

__all__ = [
    "plot_comparison",
    "plot_convergence",
    "plot_law_and_sample",
    "plot_null",
    "plot_pairwise",
    "plot_survival",
    "plot_table",
]
