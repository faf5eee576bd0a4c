"""Pictures of null distributions: exact and sampled, tails and their approximations, running means."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, as_count
from chancecorr.correction.adjust import adjust_table, null_distribution
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.scores import AdjustedScore
from chancecorr.exact.laws.pearson import pearson_p_value
from chancecorr.exact.laws.shared import shared_pair_sum_law
from chancecorr.exact.laws.ties import tie_slack
from chancecorr.indices.evaluation import values_of_pair_sums
from chancecorr.indices.registry import Index, get_index
from chancecorr.kinds import kind_of
from chancecorr.machine.arrays import Floats
from chancecorr.null.seeding import RNG
from chancecorr.plotting.theme import Palette, axes_or_new, edges_between, likely, p_of, palette
from chancecorr.simulation.sequential import PUBLISHED_TABLES
from chancecorr.tables.contingency import ContingencyTable, Margins, as_margins
from chancecorr.tables.pair_sum import pair_sum_moments

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FOOT = 1e-300
"""Least probability that a logarithmic axis shows."""

SMALLEST_P = 1e-10
"""Foot of the axis of probabilities: an enumeration may have lost 1e-12."""
UNSEEN = 1e-6
"""Probability on either side of the law that is left beyond the axis of a histogram."""


def plot_law_and_sample(
    exact: NullDistribution, sampled: NullDistribution, *, ax: "Axes | None" = None
) -> "Axes":
    """Exact law of an index, as a line, over the histogram of its simulated values, in the same bins.

    Parameters
    ----------
    exact : NullDistribution
        With an enumerated law: from `null_distribution` with ``method="exact"``.
    sampled : NullDistribution
        Of the same index and margins, with ``method="monte-carlo"``.
    ax : matplotlib Axes, optional
        Left out, a new figure is made.

    Returns
    -------
    matplotlib Axes
        Heights are densities: areas sum to 1, or to the share of tables on which the index is defined.

    Raises
    ------
    ImportError, TypeError, ValueError
        If matplotlib is missing, or an argument breaks its rule.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> margins = Margins([30, 30, 40], [30, 30, 40])
    >>> nulls = [null_distribution(margins, "rand", method=m, rng=0) for m in ("exact", "monte-carlo")]
    >>> ax = plot_law_and_sample(*nulls, ax=Figure().subplots())
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['exact law', '17,000 tables']
    """
    _require_law("exact", exact, "exact")
    _require_law("sampled", sampled, "monte-carlo")
    of, got = ((null.index, null.margins) for null in (exact, sampled))
    if of != got:
        raise ArgumentValueError("sampled", f"must be of the index and margins of `exact`, {of}; got {got}.")
    ax = axes_or_new(ax)
    colours = palette(ax)
    edges, limits = _shared_edges(exact, sampled)
    widths = np.diff(edges)
    line, bars = (np.histogram(v, edges, weights=w)[0] / widths for v, w in map(_defined, (exact, sampled)))
    ax.bar(edges[:-1], bars, widths, align="edge", color=colours.chance, edgecolor=colours.chance,
           linewidth=0.3, label=f"{sampled.n_tables:,} tables")  # fmt: skip
    ax.stairs(line, edges, color=colours.blue, linewidth=1.4, label="exact law")
    ax.set(xlim=limits, ylim=(0.0, None), xlabel=exact.index, ylabel="density", yticks=[])
    return finished(ax)


def plot_survival(
    table_or_margins: Margins | ContingencyTable | npt.ArrayLike,
    index: str | Index = "rand",
    *,
    n_tables: int = PUBLISHED_TABLES,
    rng: RNG = 0,
    ax: "Axes | None" = None,
) -> "Axes":
    """Probability that chance reaches a value or more: the exact law, its approximations, simulated tables.

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
        The normal law has the exact mean and variance of the index, Pearson's curve the four exact moments of
        ``T = sum(n_ij**2)``; it is shown where the index ascends with T. The axes reach the observed value
        of a table and its p-value, which is found beyond the mass that an enumeration leaves out.

    Raises
    ------
    ImportError, TypeError, ValueError
        If matplotlib is missing, an argument breaks its rule, or the law takes too long to enumerate.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = plot_survival(Margins([30, 30, 40], [30, 30, 40]), "jaccard", ax=Figure().subplots())
    >>> [line.get_label() for line in ax.lines]
    ['17,000 tables', 'exact law', 'normal law', 'Pearson curve']
    """
    entry = get_index(index)
    n_tables = as_count("n_tables", n_tables, minimum=0)
    given: Any = table_or_margins
    table = given if isinstance(given, Margins | ContingencyTable) else ContingencyTable(given)
    margins = as_margins(table)
    ax = axes_or_new(ax)
    colours = palette(ax)
    null = null_distribution(margins, entry, method="exact")
    require_finite(entry, null.values)
    reached = _survival(null)
    if n_tables:
        sampled = null_distribution(margins, entry, method="monte-carlo", n_tables=n_tables, rng=rng)
        ax.plot(sampled.values, _survival(sampled), ".", color=colours.faint, markersize=4, markeredgewidth=0,
                label=f"{n_tables:,} tables")  # fmt: skip
    # Between two values, the next one decides: the line steps before its points.
    ax.plot(null.values, reached, color=colours.blue, linewidth=1.6, drawstyle="steps-pre", label="exact law")
    if null.std > 0.0:
        from scipy.special import ndtr

        normal = ndtr((null.mean - null.values) / null.std)
        ax.plot(null.values, normal, color=colours.vermilion, linewidth=1.4, label="normal law")
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
    ax.set(yscale="log", xlim=(left - room, right + room), ylim=(foot, 2.0), xlabel=f"{entry.name}, x",
           ylabel="P(index ≥ x)")  # fmt: skip
    return finished(ax)


def _require_law(name: str, null: NullDistribution, law: str) -> None:
    if not isinstance(null, NullDistribution):
        raise ArgumentTypeError(name, f"must be a NullDistribution; got {type(null).__name__}.")
    if null.values_from != law:
        raise ArgumentValueError(
            name, f"must have law={law!r}; got {null.values_from!r}. Use method={law!r}."
        )


def require_finite(index: Index, values: Floats) -> None:
    """Raise if an index is not finite on some table."""
    missing = int((~np.isfinite(values)).sum())
    if missing:
        raise ArgumentValueError(
            "index",
            f"must be finite on every table; got {index.name!r}, which is not for {missing:,} of"
            f" {values.size:,} values.",
        )


def _shared_edges(exact: NullDistribution, sampled: NullDistribution) -> tuple[Floats, tuple[float, float]]:
    """Edges of the bins, from end to end of both laws, and between which of them there is much to see."""
    (values, weights), seen = _defined(exact), _defined(sampled)[0]
    if not (values.size and seen.size):
        raise ValueError("`exact` and `sampled` must have values that are finite; got none.")
    shown = likely(values, weights, UNSEEN) | ((values >= seen[0]) & (values <= seen[-1]))
    if shown.sum() > 1:
        edges = edges_between(values[shown], weights[shown])
    else:
        edges = values[shown].mean() + np.array([-0.5, 0.5])
    ends = min(values[0], seen[0], edges[0]), max(values[-1], seen[-1], edges[-1])
    return np.unique([*edges, *ends]), (float(edges[0]), float(edges[-1]))


def _defined(null: NullDistribution) -> tuple[Floats, Floats]:
    finite = np.isfinite(null.values)
    return null.values[finite], null.weights[finite]


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
    """The observed value and its p-value, and where the axis of probabilities has to begin to show it.

    A dotted line leads to it from the last value that was enumerated.
    """
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
    if not kind_of(index).goes_by_pair_sum:
        return None
    pair_sums = shared_pair_sum_law(margins).values
    values = values_of_pair_sums(index, pair_sums, margins)
    if values.size < 2 or not (np.diff(values) > 0).all():
        return None
    shown = int(np.searchsorted(values, right, side="right"))
    chosen = np.unique(np.linspace(0, shown - 1, 200).astype(np.int64))
    moments = pair_sum_moments(margins)
    return values[chosen], np.array([pearson_p_value(moments, T) for T in pair_sums[chosen].tolist()])


def finished(ax: "Axes") -> "Axes":
    """The axes with a legend, and without the spines that bound nothing."""
    ax.spines[["right", "top"]].set_visible(False)
    ax.legend(frameon=False)
    return ax
