"""A trial of a user's compiled function of a table: its machine code stays within 64 bits.

The function runs on a table of few clusters also as Python, on floats, because whole numbers beyond 64 bits
wrap around in machine code. The catalogue is tested, and has no trial.
"""

import functools
import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.indices.calling import IndexEvaluationError, as_python, calling, shown
from chancecorr.indices.index import Index
from chancecorr.machine.arrays import Integers
from chancecorr.tables.contingency import Margins

FEW_CLUSTERS = 4
"""Rows and columns of the table on which a function runs as Python."""

TRIAL_TOLERANCE = 1e-6
"""Largest relative difference: far above that of sums in another order, far below that of a wrap-around."""

_passed: set[tuple[Callable[..., Any], int, int, int]] = set()
"""Functions that passed their trial, with the classes of margins."""


@functools.lru_cache(maxsize=512)
def is_of_the_catalogue(function: Callable[..., Any]) -> bool:
    """Whether a file of this room defines the function."""
    file = getattr(getattr(as_python(function), "__code__", None), "co_filename", "")
    return file.startswith(os.path.join(os.path.dirname(__file__), ""))


def needs_trial(index: Index, margins: Margins) -> bool:
    """Whether an index is a user's, and had no trial on margins of this class."""
    return not is_of_the_catalogue(index.function) and _class_of(index, margins) not in _passed


def try_on_table(index: Index, compiled: Callable[..., Any], table: Integers, margins: Margins) -> None:
    """Raise if the compiled function fails on a table, or differs from Python."""
    few, plain = table, as_python(index.function)
    for axis, size in enumerate(table.shape):  # the last of the few clusters hold the objects of all others
        few = np.add.reduceat(few, np.arange(min(size, FEW_CLUSTERS)), axis=axis) if size else few
    with calling(index, lambda: f"the table {shown(table)}"):
        compiled(*_with_totals(table))
    with calling(index, lambda: f"the table {shown(few)}"):
        found = float(compiled(*_with_totals(few)))
    for counts in (few.astype(np.float64), few):
        try:
            with np.errstate(all="ignore"):
                wanted = float(plain(*_with_totals(counts)))
        except OverflowError:  # a whole number beyond all floats
            wanted = math.inf
        except Exception:  # no function of floats, or one that fails as Python only
            continue
        slack = TRIAL_TOLERANCE * max(1.0, abs(found), abs(wanted))
        if not (found == wanted or math.isnan(wanted) or abs(found - wanted) <= slack < math.inf):
            raise IndexEvaluationError(
                f"Index {index.name!r} failed on the table {shown(few)}: it gave {found:.9g} compiled,"
                f" and {wanted:.9g} as Python on floats; whole numbers beyond 64 bits wrap around,"
                " so take floats."
            )
        break
    _passed.add(_class_of(index, margins))


def _class_of(index: Index, margins: Margins) -> tuple[Callable[..., Any], int, int, int]:
    """Function and class of margins: out-of-bounds access depends on the shape, int64 overflow on n."""
    return index.function, margins.row_totals.size, margins.column_totals.size, margins.n.bit_length()


def _with_totals(counts: Any) -> tuple[Any, Any, Any]:
    """A table, its row totals and its column totals, as read-only arrays."""
    arrays = np.ascontiguousarray(counts), counts.sum(axis=1), counts.sum(axis=0)
    for array in arrays:
        array.flags.writeable = False
    return arrays
