"""Find totals in a table of counts: a last row or column with the sums of all others is not a cluster.

If a margin is counted as a cluster, the number of objects doubles. Arrays, frames and files are checked by
`find_totals`.
"""

import re
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from chancecorr.machine.arrays import Integers

TOTAL_WORDS = frozenset(
    """
    total totals sum sums subtotal all overall margin margins
    gesamt gesamtsumme gesamtergebnis summe summen insgesamt alle
    somme sommes totaux ensemble suma sumas soma somas somma totale totali totais totales
    totaal som summa totalt yhteensä sammanlagt toplam razem ogółem łącznie celkem összesen σύνολο
    итого всего сумма разом σ ∑ 合计 总计 總計 合計 総計 小計 합계 총계 المجموع jumlah tổng
    """.split()  # noqa: SIM905
)
"""Names of the margin of a table, in lower case."""

Names = Sequence[Hashable] | None  # of rows or of columns; None if they have none


def find_totals(
    counts: Any, totals: tuple[Integers, Integers], names: tuple[Names, Names]
) -> tuple[tuple[bool, bool], str]:
    """Find whether the last row and the last column are totals, and describe them; empty text if not.

    A sum is a total if its name says so. If both the last row and the last column are sums, they are totals,
    except if both have names and the names differ.
    """
    rows, columns = totals
    if not rows.size or not columns.size or not rows[-1] or not columns[-1]:
        return (False, False), ""
    are_sums = _is_sum(counts[[-1], :], columns), _is_sum(counts[:, [-1]], rows)
    lasts = [None if own is None else own[-1] for own in names]
    row, column = map(is_total_name, lasts)
    if all(are_sums):
        occupied = min(np.count_nonzero(side[:-1]) for side in totals)  # a single row is also its sum
        if row or column or (lasts[0] == lasts[1] and isinstance(lasts[0], str)):
            called = "" if lasts[0] == lasts[1] else f" {lasts[0]!r}"
            return are_sums, f"sums of all others in row{called} and column {lasts[1]!r}"
        if None in names and occupied > 1:
            return are_sums, "sums in the last row and column"
    elif are_sums[0] and row:
        return are_sums, f"sums of all others in row {lasts[0]!r}"
    elif are_sums[1] and column:
        return are_sums, f"sums of all others in column {lasts[1]!r}"
    return (False, False), ""


def is_total_name(name: Hashable) -> bool:
    """Return True if a name holds a word for totals: "All", "Grand total:", ("All", "")."""
    texts = name if isinstance(name, tuple) else (name,)
    words = (word for text in texts if isinstance(text, str) for word in re.findall(r"[^\W\d_]+|∑", text))
    return any(word.casefold() in TOTAL_WORDS for word in words)


def _is_sum(line: Any, sums: Integers) -> bool:
    """Return True if a line, which may be sparse, is half of the sums over all lines."""
    dense = line if isinstance(line, np.ndarray) else line.toarray()
    return bool(np.array_equal(2 * dense.ravel(), sums))
