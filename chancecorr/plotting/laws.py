"""The tail of a null distribution: exact, sampled, and approximated."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentValueError, as_count
from chancecorr.chance.engines import engine_of
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.correction.adjust import adjust_table, null_distribution
from chancecorr.correction.scores import AdjustedScore
from chancecorr.exact.laws.enumeration import shared_pair_sum_law
from chancecorr.exact.laws.pearson import pearson_p_value
from chancecorr.exact.laws.ties import tie_slack
from chancecorr.indices.display_names import display_name
from chancecorr.indices.evaluation import values_of_pair_sums
from chancecorr.indices.registry import Index, get_index
from chancecorr.machine.arrays import Floats
from chancecorr.null.seeding import RNG
from chancecorr.plotting.theme import Palette, axes_or_new, p_of, palette
from chancecorr.simulation.precision import PUBLISHED_TABLES
from chancecorr.tables.contingency import ContingencyTable, Margins, as_margins
from chancecorr.tables.pair_sum import pair_sum_moments

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FOOT = 1e-300
"""Least probability that a logarithmic axis shows."""

SMALLEST_P = 1e-10
"""Foot of the axis of probabilities: an enumeration may have lost 1e-12."""


def plot_survival(
    table_or_margins: Margins | ContingencyTable | npt.ArrayLike,
    index: str | Index = "rand",
    *,
    n_tables: int = PUBLISHED_TABLES,
    rng: RNG = 0,
    ax: "Axes | None" = None,
) -> "Axes":
    """Probability that chance reaches a value or more: exact, by approximations, and in simulated tables.

    Parameters
    ----------
    table_or_margins : Margins, ContingencyTable or array-like of shape (K, Q)
        The cluster sizes; of a table the observed value is marked too.
    index, n_tables, rng
        As in `null_distribution`; 0 simulates nothing.
    ax : matplotlib Axes, optional
        Left out, a new figure is made.

    Returns
    -------
    matplotlib Axes
        The normal distribution has the exact mean and variance of the index, Pearson's curve the exact four
        moments of ``T = sum(n_ij**2)``; it is shown if the index ascends with T. The axes reach the observed
        value of a table and its p-value, which is found beyond the mass that an enumeration leaves out.

    Raises
    ------
    ImportError, TypeError, ValueError
        If matplotlib is missing, an argument breaks its rule, or the enumeration takes too long.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = plot_survival(Margins([30, 30, 40], [30, 30, 40]), "jaccard", ax=Figure().subplots())
    >>> [line.get_label() for line in ax.lines]
    ['17,000 tables', 'exact', 'normal', 'Pearson curve']
    """
    entry = get_index(index)
    n_tables = as_count("n_tables", n_tables, minimum=0)
    given: Any = table_or_margins
    table = given if isinstance(given, Margins | ContingencyTable) else ContingencyTable(given)
    margins = as_margins(table)
    ax = axes_or_new(ax)
    colours = palette(ax)
    null = null_distribution(margins, entry, method="exact")
    if missing := int((~np.isfinite(null.values)).sum()):
        rule = f"must be finite on every table; got {entry.name!r}, which is not for {missing:,} of"
        raise ArgumentValueError("index", f"{rule} {null.values.size:,} values.")
    reached = _survival(null)
    if n_tables:
        sampled = null_distribution(margins, entry, method="monte-carlo", n_tables=n_tables, rng=rng)
        ax.plot(sampled.values, _survival(sampled), ".", color=colours.faint, markersize=4, markeredgewidth=0,
                label=f"{n_tables:,} tables")  # fmt: skip
    # Between two values, the next one decides: the line steps before its points.
    ax.plot(null.values, reached, color=colours.blue, linewidth=1.6, drawstyle="steps-pre", label="exact")
    if null.std > 0.0:
        from scipy.special import ndtr

        normal = ndtr((null.mean - null.values) / null.std)
        ax.plot(null.values, normal, color=colours.vermilion, linewidth=1.4, label="normal")
    right = float(null.values[max(int((reached >= SMALLEST_P).sum()), 1) - 1])
    left, foot = float(null.quantile(0.001)), max(SMALLEST_P, 0.3 * float(reached[-1]))
    if isinstance(table, ContingencyTable):
        score = adjust_table(table, index=entry, method="exact", alternative="greater", rng=rng)
        left, right = min(left, score.observed), max(right, score.observed)
        foot = min(foot, _mark_observed(ax, score, colours))
    curve = _pearson_curve(entry, margins, right)
    if curve is not None:
        ax.plot(*curve, color=colours.mark, linewidth=1.2, linestyle=(0, (4, 2)), label="Pearson curve")
    room = 0.03 * (right - left) or 0.1 * max(abs(left), 1.0)
    ax.set(yscale="log", xlim=(left - room, right + room), ylim=(foot, 2.0))
    ax.set(xlabel=f"{display_name(entry.name)}, x", ylabel="P(index ≥ x)")
    ax.spines[["right", "top"]].set_visible(False)
    ax.legend(frameon=False)
    return ax


def _survival(null: NullDistribution) -> Floats:
    """``null.p_value`` at each of its values, in one pass and with the same slack for ties."""
    first = np.searchsorted(null.values, null.values - tie_slack(0.0, null.values))
    found: Floats
    if null.counts is not None:
        found = (np.cumsum(null.counts[::-1])[::-1][first] + 1) / (null.n_tables + 1)
    else:
        found = np.minimum(np.cumsum(null.weights[::-1])[::-1][first] + null.lost_mass, 1.0)
    return found


def _mark_observed(ax: "Axes", score: AdjustedScore, colours: Palette) -> float:
    """Mark the observed value and its p-value; return the foot that an axis of probabilities needs for it."""
    ax.axvline(score.observed, color=colours.mark, linewidth=1.0, label=f"observed: {p_of(score)}")
    p = max(score.p_value, FOOT)
    ax.plot([score.observed], [p], "o", color=colours.blue, markersize=4.5, zorder=3, label="_observed")
    values = score.null.values
    if score.observed > values[-1]:
        last = float(_survival(score.null)[-1])
        ends = [values[-1], score.observed], [last, p]
        ax.plot(*ends, color=colours.blue, linewidth=1.2, linestyle=":", label="_beyond")
    return 0.3 * p


def _pearson_curve(index: Index, margins: Margins, right: float) -> tuple[Floats, Floats] | None:
    """Values up to `right` and their p-values by Pearson's curve; None unless the index ascends with T."""
    if not engine_of(index).goes_by_pair_sum:
        return None
    pair_sums = shared_pair_sum_law(margins).values
    values = values_of_pair_sums(index, pair_sums, margins)
    if values.size < 2 or not (np.diff(values) > 0).all():
        return None
    shown = int(np.searchsorted(values, right, side="right"))
    chosen = np.unique(np.linspace(0, shown - 1, 200).astype(np.int64))
    moments = pair_sum_moments(margins)
    return values[chosen], np.array([pearson_p_value(moments, T) for T in pair_sums[chosen].tolist()])
