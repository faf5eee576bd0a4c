"""Draw a contingency table as a heat map."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.machine.arguments import explain_call
from chancecorr.machine.arrays import AnyArray, Floats, Integers
from chancecorr.machine.axes import (
    ON_LIGHT,
    WIDTH_OF_A_CHARACTER,
    choose_ink,
    choose_palette,
    find_place,
    shorten,
    take_axes,
    wrap,
)
from chancecorr.tables.contingency import ContingencyTable, as_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_LINES_OF_A_TABLE = 20  # most rows, and most columns, of a table that is shown whole
MAX_CHARACTERS_OF_A_LABEL = 16  # characters of a label that are shown
SHADE = "Shade: Jaccard similarity of row and column."


@explain_call
def plot_table(
    table: Any, *, ax: "Axes | None" = None, color: Any = None,
    figsize: tuple[float, float] | None = None,
) -> "Axes":  # fmt: skip
    """Draw a heat map of a contingency table: it shows equal, split and merged clusters.

    Parameters
    ----------
    table : ContingencyTable or array-like of shape (K, Q)
        Counts: reference clusters in rows, candidate clusters in columns.
    ax, color, figsize
        As in `plot_comparison`.

    Returns
    -------
    matplotlib Axes
        The axes. Numbers are counts of objects; the shade is the Jaccard similarity of row and column,
        darkest if two clusters are the same. With more than 20 rows, or columns, the 20 largest are shown,
        and the title says so. If two Series with names were compared, the names are the labels of the axes.

    Raises
    ------
    ImportError, TypeError, ValueError
        As in `plot_comparison`.
    """
    return draw_table(as_table(table), SHADE, ax, color, figsize)[0]


def draw_table(
    table: ContingencyTable, about: str, ax: "Axes | None", color: Any, figsize: tuple[float, float] | None
) -> "tuple[Axes, Excerpt]":
    """Draw a heat map of a table with a title about its cells; return the axes and the part that is shown."""
    part = take_largest_clusters(table.counts, table.row_labels, table.column_labels)
    ax = take_axes(ax, figsize)
    from matplotlib import rcParams
    from matplotlib.colors import to_rgb

    background = np.array(to_rgb("white" if choose_palette(ax).mark == ON_LIGHT.mark else "#1c1e21"))
    full = np.array(to_rgb(choose_palette(ax, color).blue))
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
        ax.text(
            j, i, f"{count:,}", ha="center", va="center", fontsize=letters, color=choose_ink(colours[i, j])
        )
    names = [shorten(label, MAX_CHARACTERS_OF_A_LABEL) for label in part.column_labels]
    # Vertical if neighbouring names would overlap.
    upright = sum(map(len, names)) * 0.65 * letters > box.width * points
    if upright:  # names, rows, title and axis label are stacked
        lines = WIDTH_OF_A_CHARACTER * max(map(len, names)) + 1.6 * n_rows + 5.0
        letters = min(letters, find_place(ax)[1] / lines)
    ax.set_xticks(range(n_columns), names, fontsize=letters, rotation=90 if upright else 0, parse_math=False)
    rows = [shorten(label, MAX_CHARACTERS_OF_A_LABEL) for label in part.row_labels]
    ax.set_yticks(range(n_rows), rows, fontsize=letters, parse_math=False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    reference, candidate = (
        shorten(name or default, 2 * MAX_CHARACTERS_OF_A_LABEL)
        for name, default in zip(table.side_names, ("reference", "candidate"), strict=True)
    )
    ax.set_xlabel(candidate, parse_math=False)
    ax.set_ylabel(reference, parse_math=False)
    title = f"{part.remark} {about}".strip()
    ax.set_title(wrap(title, 0.9 * find_place(ax)[0], letters), fontsize=letters, loc="right")
    return ax, part


class Excerpt(NamedTuple):
    """Rows and columns of a table, their labels and totals, and a remark if some are left out."""

    counts: Integers
    row_labels: list[object]
    column_labels: list[object]
    row_totals: Integers
    column_totals: Integers
    remark: str
    places: tuple[Integers, Integers]  # of these rows and columns in the whole table

    @property
    def overlaps(self) -> Floats:
        """Return the Jaccard similarity of each row and column: objects in both, over objects in either."""
        either = self.row_totals[:, None] + self.column_totals - self.counts
        shares: Floats = self.counts / np.maximum(either, 1)
        return shares


def take_largest_clusters(counts: Any, row_labels: AnyArray, column_labels: AnyArray) -> Excerpt:
    """Return the counts, dense or sparse of shape (K, Q), of the largest rows and columns, or of all."""
    totals = counts.sum(axis=1), counts.sum(axis=0)
    rows, columns = (
        np.arange(sizes.size)
        if sizes.size <= MAX_LINES_OF_A_TABLE
        else np.argsort(-sizes, kind="stable")[:MAX_LINES_OF_A_TABLE]
        for sizes in totals
    )
    part = counts[rows][:, columns]
    part = part if isinstance(part, np.ndarray) else part.toarray()
    remark = ""
    if part.shape != counts.shape:
        parts = [
            f"the {shown} largest of {size:,} {name}" if shown < size else f"all {size} {name}"
            for shown, size, name in zip(part.shape, counts.shape, ("rows", "columns"), strict=True)
        ]
        shown, whole = int(part.sum()), int(counts.sum())
        percent = round(100.0 * shown / whole) if whole else 0
        if 0 < shown < whole and percent in (0, 100):  # write 0 % only for none, and 100 % only for all
            share = "< 1 %" if percent == 0 else "> 99 %"
        else:
            share = f"{percent} %"
        remark = f"Shown: {', and '.join(parts)}, with {share} of the objects."
    labels = row_labels[rows].tolist(), column_labels[columns].tolist()
    return Excerpt(part, *labels, totals[0][rows], totals[1][columns], remark, (rows, columns))
