"""Draw the cells of a table that hold more objects, or fewer, than expected by chance."""

from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.machine.arguments import as_level, explain_call
from chancecorr.machine.axes import check_result
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.picture import draw_table

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
    what = "more" if result.alternative == "greater" else "fewer"
    corrected = "" if result.correction is None else "corrected "
    ax, part = draw_table(table, f"* {what} than by chance, {corrected}p ≤ {level:g}.", ax, color, figsize)
    marked = result.p_corrected[np.ix_(*part.places)] <= level
    for text, is_marked in zip(ax.texts, marked.ravel().tolist(), strict=True):
        if is_marked:
            text.set_text(f"{text.get_text()}*")
    return ax
