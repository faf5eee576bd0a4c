"""A picture of how the mean of an index settles as more tables are simulated."""

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from chancecorr.arguments import as_count
from chancecorr.correction.adjust import null_distribution
from chancecorr.indices.registry import Index, get_index
from chancecorr.kinds import kind_of
from chancecorr.null.permutation import sample_tables
from chancecorr.null.seeding import RNG, seed_from
from chancecorr.plotting.laws import finished, require_finite
from chancecorr.plotting.theme import axes_or_new, palette
from chancecorr.simulation.sequential import PUBLISHED_TABLES
from chancecorr.tables.contingency import Margins, as_margins

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CONTROLLED_MEANS = 12
"""Means with control variates that are shown, about."""

FIRST_MEAN = 10
"""Tables from which a running mean is shown; with fewer, its band says nothing."""


def plot_convergence(
    margins: Margins,
    index: str | Index = "jaccard",
    *,
    n_tables: int = PUBLISHED_TABLES,
    rng: RNG = 0,
    ax: "Axes | None" = None,
) -> "Axes":
    """Mean of an index over the first m simulated tables, plain with its 99 % band and controlled, against m.

    Parameters
    ----------
    margins : Margins
        Row totals of shape (K,) and column totals of shape (Q,).
    index, n_tables, rng
        As in `null_distribution`: what that finds by ``method="monte-carlo"`` with m tables is shown at m.
    ax : matplotlib Axes, optional
        Left out, a new figure is made.

    Returns
    -------
    matplotlib Axes
        The band is 2.576 standard errors to either side, by the variance among the same m tables. Dots are
        the means of the same tables with control variates. The exact mean is shown where there is one at
        little cost.

    Raises
    ------
    ImportError, TypeError, ValueError
        If matplotlib is missing, or an argument breaks its rule.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = plot_convergence(Margins([30, 30, 40], [30, 30, 40]), "jaccard", ax=Figure().subplots())
    >>> [line.get_label() for line in ax.lines]
    ['mean of the first m tables', 'with control variates', 'exact mean']
    """
    entry, margins = get_index(index), as_margins(margins)
    n_tables = as_count("n_tables", n_tables, minimum=FIRST_MEAN)
    if not isinstance(rng, int | np.random.SeedSequence):  # all means below are of the same tables
        rng = int(seed_from(rng))
    ax = axes_or_new(ax)
    colours = palette(ax)
    values = kind_of(entry).values(entry, sample_tables(margins, n_tables, rng=rng), margins)
    require_finite(entry, values)
    m = np.unique(np.geomspace(FIRST_MEAN, n_tables, 300).round().astype(np.int64))
    # Deviations from the final mean: sums of squares of the values themselves would cancel.
    deviations = values - values.mean()
    first, second = np.cumsum(deviations)[m - 1], np.cumsum(deviations**2)[m - 1]
    means = values.mean() + first / m
    variances = np.maximum(second - first**2 / m, 0.0) / (m - 1)
    half_widths = NormalDist().inv_cdf(0.995) * np.sqrt(variances / m)
    ax.fill_between(m, means - half_widths, means + half_widths, color=colours.chance, alpha=0.6, linewidth=0,
                    label="99 % band")  # fmt: skip
    ax.plot(m, means, color=colours.mark, linewidth=1.2, label="mean of the first m tables")
    dots = m[:: max(1, m.size // CONTROLLED_MEANS)]
    controlled = [
        null_distribution(
            margins, entry, method="monte-carlo", controls=True, n_tables=k, rng=rng, progress=False
        ).mean
        for k in dots.tolist()
    ]
    ax.plot(dots, controlled, "o", markersize=3.5, color=colours.vermilion, label="with control variates")
    known = null_distribution(margins, entry, n_tables=1, rng=0)
    if known.mean_from != "monte-carlo" and math.isfinite(known.mean):
        ax.axhline(known.mean, color=colours.blue, linewidth=1.4, label="exact mean")
    ax.set(xscale="log", xlim=(m[0], max(m[-1], m[0] + 1)), xlabel="tables, m", ylabel=entry.name)
    ax.ticklabel_format(axis="y", useOffset=False)
    return finished(ax)
