"""Matrices of adjusted scores as HTML, for notebooks."""

import math
from collections.abc import Sequence
from html import escape

from chancecorr.correction.html import LEFT, RIGHT
from chancecorr.machine.arrays import Floats


def matrix_table(rows: Sequence[Sequence[str]], values: Floats) -> str:
    """Cells as text, the first row and column names; a cell is the bluer the nearer its value is to 1.

    Examples
    --------
    >>> import numpy as np
    >>> "background:rgba(31,136,201,0.25)" in matrix_table([["", "a"], ["a", "0.500"]], np.array([[0.5]]))
    True
    """
    header, *others = rows
    cells = ["".join(f"<th{RIGHT}>{escape(name)}</th>" for name in header)]
    for (name, *numbers), row in zip(others, values.tolist(), strict=True):
        shaded = (
            f"<td{_shaded(value)}>{escape(text)}</td>" for text, value in zip(numbers, row, strict=True)
        )
        cells.append(f"<th{LEFT}>{escape(name)}</th>" + "".join(shaded))
    head, *body = (f"<tr>{row}</tr>" for row in cells)
    return f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"


def _shaded(value: float) -> str:
    """Style of a cell: text stays legible, on light and on dark pages, as the blue is half transparent."""
    depth = 0.0 if math.isnan(value) else 0.5 * min(max(value, 0.0), 1.0)
    return RIGHT.replace('style="', f'style="background:rgba(31,136,201,{depth:.2f});')
