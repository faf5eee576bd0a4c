"""Calls of an index's function, and the error that names the index and the table if a call fails."""

from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from chancecorr.indices.index import Index
from chancecorr.machine.arrays import Integers


class IndexEvaluationError(RuntimeError):
    """An index raised, returned something other than a number, or failed its trial; the message names it.

    It also names the table or the cell. In the trial a user's compiled function must stay within its arrays
    and give the same value as Python.

    Parameters
    ----------
    message : str
        What happened, on which table.
    pair_sum : int, optional
        ``T = sum n_ij**2`` of the table, if the index is a function of the pair counts.

    Attributes
    ----------
    pair_sum : int or None
        ``T`` of the table, or None.

    Examples
    --------
    >>> from chancecorr import score_table
    >>> broken = Index(name="broken", function=lambda table, rows, columns: "no number", needs="table")
    >>> try:
    ...     score_table([[2, 1], [0, 3]], broken)
    ... except IndexEvaluationError as error:
    ...     print("broken" in str(error))
    True
    """

    def __init__(self, message: str, pair_sum: int | None = None) -> None:
        super().__init__(message)
        self.pair_sum = pair_sum


class calling:  # noqa: N801  a name for `with`
    """Calls of the index's function: an error becomes an `IndexEvaluationError` that says where it was."""

    # a class, because a generator's context manager lets StopIteration through
    def __init__(
        self, index: Index | str, where: str | Callable[[], str], pair_sum: int | None = None
    ) -> None:
        self.name = index if isinstance(index, str) else index.name
        self.where, self.pair_sum = where, pair_sum
        self.quiet = np.errstate(all="ignore")

    def __enter__(self) -> None:
        """Without NumPy's warnings."""
        self.quiet.__enter__()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        """Name the index and the place."""
        self.quiet.__exit__(kind, error, trace)
        if not isinstance(error, Exception):
            return
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        place = self.where if isinstance(self.where, str) else self.where()
        message = f"Index {self.name!r} failed on {place}: {what}."
        raise IndexEvaluationError(message, self.pair_sum) from error


def returning_a_number(function: Callable[..., Any]) -> Callable[..., float]:
    """The function, with a TypeError if it returns something other than a number."""

    def checked(*arguments: Any) -> float:
        value = function(*arguments)
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        if not isinstance(value, Real | np.bool_):
            raise TypeError(f"expected a number, got {value!r}")
        return float(value)

    return checked


def as_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as it was written, if it is compiled."""
    plain: Callable[..., Any] = getattr(function, "py_func", function)
    return plain


def shown(table: Integers) -> str:
    """A table for a message: whole up to 100 cells, else its shape and first cells."""
    if table.size <= 100:
        return str(table.tolist())
    return f"of shape {table.shape} that begins {table[0, :5].tolist()}"


def shown_cells(rows: Integers, columns: Integers, counts: Integers) -> str:
    """The first cells of a table for a message."""
    cells = zip(rows[:9].tolist(), columns[:9].tolist(), counts[:9].tolist(), strict=True)
    return f"the table with cells (row, column, count) {list(cells)}"
