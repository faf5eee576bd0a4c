"""The picture of a stability: which objects the runs put together, as a heat map."""

from typing import TYPE_CHECKING

import numpy as np

from chancecorr.arguments import ArgumentTypeError, as_count
from chancecorr.comparison.clusterings import Clusterings
from chancecorr.comparison.stability_of_runs import Stability
from chancecorr.ensembles.consensus import consensus_matrix
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.seeding import RNG, make_generator, seed_from
from chancecorr.plotting.pairwise import order_of_leaves
from chancecorr.plotting.theme import heat_map, palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_stability(
    found: Stability,
    *,
    method: str = "average",
    n_objects: int = 1000,
    rng: RNG = 0,
    ax: "Axes | None" = None,
) -> "Axes":
    """Heat map of the share of runs that put two objects together, similar objects side by side.

    Parameters
    ----------
    found : Stability
        What `stability` returned.
    method : str
        How objects are put together for their order; as in ``scipy.cluster.hierarchy.linkage``.
    n_objects : int
        Most objects that are drawn, at least 2; of more, a random sample is, and the title says so.
    rng : int, SeedSequence or Generator, optional
        What the sample is drawn by.
    ax : matplotlib Axes, optional
        Where to draw; left out, a new figure is made.

    Returns
    -------
    matplotlib Axes
        With the image in ``ax.images[0]``, from 0 to 1; empty where no run has both objects.

    Raises
    ------
    ImportError
        If matplotlib is missing.
    TypeError, ValueError
        If an argument breaks its rule.

    Notes
    -----
    The share is of the runs that have both objects. The order is found as in `plot_pairwise`, in 1 s for
    1,000 objects.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from chancecorr.comparison import stability
    >>> ax = plot_stability(stability([[0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 1, 1]]))
    >>> ax.images[0].get_array().shape
    (4, 4)
    >>> matplotlib.pyplot.close(ax.figure)
    """
    if not isinstance(found, Stability):
        raise ArgumentTypeError("found", f"must be a Stability; got {type(found).__name__}.")
    n, most = found.runs.n, as_count("n_objects", n_objects, 2)
    objects = np.arange(n)
    if n > most:
        objects = np.sort(make_generator(seed_from(rng)).choice(n, most, replace=False))
    shares = shares_together(found.runs, objects)
    if objects.size > 2:
        distances = 1.0 - shares[np.triu_indices(objects.size, 1)]
        order = order_of_leaves(np.where(np.isnan(distances), 1.0, distances), method)
        shares = shares[np.ix_(order, order)]
    ax, _ = heat_map(ax, shares, 0.0, "share of runs that put both objects together")
    ax.set(xticks=[], yticks=[])
    what = f"{objects.size:,} objects" + (f", a sample of {n:,}," if n > most else "")
    ax.set_title(f"{what} ordered by similarity", fontsize=9, loc="left", color=palette(ax).mark)
    return ax


def shares_together(runs: Clusterings, objects: Integers) -> Floats:
    """Share of the runs with both objects that put them together; nan if no run has both."""
    codes = runs.codes[:, objects].astype(np.int64)
    has = np.ones(codes.shape)
    for k, kept in enumerate(runs.kept):
        if kept is not None:
            out = ~kept[objects]
            codes[k, out] = codes[k].max() + 1 + np.arange(np.count_nonzero(out))
            has[k, out] = 0.0
    both = has.T @ has
    shares = np.full(both.shape, np.nan)
    np.divide(consensus_matrix(codes) * len(runs), both, out=shares, where=both > 0.0)
    shares[np.diag_indices_from(shares)] = 1.0
    return shares
