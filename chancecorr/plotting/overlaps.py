"""Draw the cells of a table that hold more objects, or fewer, than expected by chance."""

from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.machine.arguments import as_level, explain_call
from chancecorr.machine.axes import check_result, find_place, wrap
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.picture import plot_table, take_largest_clusters

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from chancecorr.comparison.overlaps import Overlaps


@explain_call
def plot_overlaps(
    result: "Overlaps", *, level: float = 0.05, ax: "Axes | None" = None, color: Any = None,
    figsize: tuple[float, float] | None = None,
) -> "Axes":  # fmt: skip
    """Draw the table as `plot_table` does, with an asterisk at each cell with a small corrected p-value.

    Parameters
    ----------
    result : Overlaps
        The result of `overlaps`.
    level : float
        Largest corrected p-value with an asterisk, in (0, 1).
    ax, color, figsize
        As in `plot_comparison`.

    Returns
    -------
    matplotlib Axes
        The axes, as from `plot_table`; the title says what the asterisk means.

    Raises
    ------
    ImportError, TypeError, ValueError
        As in `plot_comparison`.
    """
    check_result("result", result, "Overlaps", "p_corrected")
    level = as_level("level", level)
    table = ContingencyTable(result.observed, row_labels=result.labels_true, column_labels=result.labels_pred)
    ax = plot_table(table, ax=ax, color=color, figsize=figsize)
    part = take_largest_clusters(table.counts, table.row_labels, table.column_labels)
    marked = result.p_corrected[np.ix_(*part.places)] <= level
    for text, is_marked in zip(ax.texts, marked.ravel().tolist(), strict=True):
        if is_marked:
            text.set_text(f"{text.get_text()}*")
    what = "more" if result.alternative == "greater" else "fewer"
    corrected = "" if result.correction is None else "corrected "
    title = f"{part.remark} * {what} than by chance, {corrected}p <= {level:g}".strip()
    letters = float(ax.title.get_fontsize())
    ax.set_title("", loc="right")
    ax.set_title(wrap(title, 0.9 * find_place(ax)[0], letters), fontsize=letters, loc="left")
    return ax
