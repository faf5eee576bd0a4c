"""Draw results and null distributions. This needs matplotlib: ``pip install 'chancecorr[plot]'``."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.comparison import (
    Agreement,
    Comparison,
    Contributions,
    DatasetScores,
    PairwiseScores,
    Stability,
    TreeComparison,
)
from chancecorr.correction.scores import AdjustedScore, AdjustedScores
from chancecorr.plotting.comparison import (
    plot_comparison,
    plot_contributions,
    plot_datasets,
    plot_pairwise,
    plot_stability,
    plot_trees,
)
from chancecorr.plotting.score import plot_null, plot_scores
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.picture import plot_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "plot_comparison", "plot_contributions", "plot_datasets", "plot_null", "plot_pairwise", "plot_scores",
    "plot_stability", "plot_table", "plot_trees",
]  # fmt: skip


PICTURES: dict[type, Callable[..., "Axes"]] = {
    AdjustedScore: plot_null,
    AdjustedScores: plot_scores,
    Agreement: lambda result, **options: plot_pairwise(result.scores, **options),
    Comparison: plot_comparison,
    Contributions: plot_contributions,
    ContingencyTable: plot_table,
    DatasetScores: plot_datasets,
    NullDistribution: plot_null,
    PairwiseScores: plot_pairwise,
    Stability: plot_stability,
    TreeComparison: plot_trees,
}
"""The function that draws a result, by its class."""
