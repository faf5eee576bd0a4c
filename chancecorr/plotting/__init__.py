"""Draw results and null distributions. This needs matplotlib: ``pip install 'chancecorr[plot]'``."""

from chancecorr.plotting.comparison import (
    plot_comparison,
    plot_contributions,
    plot_datasets,
    plot_pairwise,
    plot_stability,
    plot_trees,
)
from chancecorr.plotting.hard_scores import plot_hard_scores
from chancecorr.plotting.overlaps import plot_overlaps
from chancecorr.plotting.score import plot_null, plot_scores
from chancecorr.tables.picture import plot_table

__all__ = [
    "plot_comparison", "plot_contributions", "plot_datasets", "plot_hard_scores", "plot_null",
    "plot_overlaps", "plot_pairwise", "plot_scores", "plot_stability", "plot_table", "plot_trees",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
