"""Pictures of contingency tables."""

from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.plotting.theme import ON_LIGHT, axes_or_new, ink, palette
from chancecorr.tables.contingency import as_table
from chancecorr.tables.excerpt import excerpt, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CHARACTERS_SHOWN = 16
"""Characters of a label that are shown."""


def plot_table(table: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Heat map of a contingency table: which clusters are the same, which are split, which are merged.

    Parameters
    ----------
    table : ContingencyTable or array-like of shape (K, Q)
        Counts: reference clusters in rows, candidate clusters in columns.
    ax : matplotlib Axes, optional
        Where to draw; left out, a new figure is made.

    Returns
    -------
    matplotlib Axes
        With the names of the two Series that were compared, if they have some. Of more than 20 rows, or
        columns, the 20 largest are shown, largest first, and the title says so.

    Raises
    ------
    ImportError, TypeError, ValueError
        If matplotlib is missing, or an argument breaks its rule.

    Notes
    -----
    Numbers are objects. The shade is the Jaccard similarity of row and column, objects in both as a share of
    those in either, from none to a full one where two clusters are the same.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = plot_table([[50, 0, 0], [0, 39, 11], [0, 14, 36]], ax=Figure().subplots())
    >>> [text.get_text() for text in ax.texts][:3]
    ['50', '0', '0']
    """
    table = as_table(table)
    part = excerpt(table.counts, table.row_labels, table.column_labels)
    ax = axes_or_new(ax)
    from matplotlib import rcParams
    from matplotlib.colors import to_rgb

    background = np.array(to_rgb("white" if palette(ax) is ON_LIGHT else "#1c1e21"))
    full = np.array(to_rgb(palette(ax).blue))
    colours = background + part.overlaps[..., None] * (full - background)
    n_rows, n_columns = part.counts.shape
    if part.counts.size:
        ax.imshow(colours, aspect="auto", interpolation="nearest")
    box, points = ax.get_window_extent(), 72.0 / ax.figure.dpi
    widest = max((len(f"{count:,}") for count in part.counts.ravel().tolist()), default=1)
    room = min(
        box.width * points / max(n_columns, 1) / (0.7 * widest + 0.5),
        box.height * points / max(n_rows, 1) / 1.4,
    )
    letters = min(max(room, 4.0), float(rcParams["font.size"]))
    for (i, j), count in np.ndenumerate(part.counts):
        ax.text(j, i, f"{count:,}", ha="center", va="center", fontsize=letters, color=ink(colours[i, j]))
    names = [shortened(label, CHARACTERS_SHOWN) for label in part.column_labels]
    # Upright where the names of neighbours would run into each other.
    upright = sum(map(len, names)) * 0.65 * letters > box.width * points
    ax.set_xticks(range(n_columns), names, fontsize=letters, rotation=90 if upright else 0, parse_math=False)
    rows = [shortened(label, CHARACTERS_SHOWN) for label in part.row_labels]
    ax.set_yticks(range(n_rows), rows, fontsize=letters, parse_math=False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    reference, candidate = (
        shortened(name or default, 2 * CHARACTERS_SHOWN)
        for name, default in zip(table.side_names, ("reference", "candidate"), strict=True)
    )
    ax.set_xlabel(candidate, parse_math=False)
    ax.set_ylabel(reference, parse_math=False)
    if part.remark:
        ax.set_title(part.remark.replace(", with ", ",\nwith "), fontsize=letters, loc="left")
    return ax
