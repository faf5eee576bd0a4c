"""Covers: clusters that overlap, or leave objects out."""

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.budget import Budget
from chancecorr.clusterings.membership import Membership, as_rows
from chancecorr.machine.arrays import Floats
from chancecorr.tables.dataframes import index_of


@dataclass(frozen=True, slots=True, eq=False)
class Cover(Membership):
    """Clusters that may overlap, and need not hold every object.

    Parameters
    ----------
    rows : list of sets, or array-like of shape (n, K)
        Objects of each cluster; or 1 where an object is in a cluster, else 0. Sets are matched with the other
        side by their objects; if that side names none, they must be its positions, 0 to n - 1.
    name : str
        What messages call it.
    by_distance : bool
        As of a `Membership`.

    Raises
    ------
    ValueError, TypeError
        If a number is neither 0 nor 1.

    Examples
    --------
    >>> Cover([{"ann", "bob"}, {"bob", "cy"}]).rows.tolist()
    [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    """

    objects: Any = field(default=None, init=False, repr=False)  # a tuple of their names, if they have any
    word: ClassVar[str] = "cover"

    if TYPE_CHECKING:  # what is given becomes an array

        def __init__(self, rows: Any, name: str = "rows") -> None: ...

    def __post_init__(self) -> None:
        """Check that each number is 0 or 1."""
        rows: Any = self.rows
        object.__setattr__(self, "index", index_of(rows))
        if isinstance(rows, list | tuple) and rows and all(isinstance(each, AbstractSet) for each in rows):
            objects = sort_objects(each for members in rows for each in members)
            object.__setattr__(self, "objects", tuple(objects))
            rows = _rows_of_sets(self.name, rows, objects)
        object.__setattr__(self, "rows", as_rows(self.name, rows))
        bad = (self.rows != 0.0) & (self.rows != 1.0)
        if bad.any():
            i, k = map(int, np.unravel_index(int(bad.argmax()), self.rows.shape))
            raise ArgumentValueError(
                self.name, f"must hold 0 or 1; got {self.rows[i, k]} at position {(i, k)}."
            )


def sort_objects(objects: Iterable[Any]) -> list[Any]:
    """Distinct objects, sorted if they can be, else in order of appearance."""
    found = list(dict.fromkeys(objects))
    try:
        return sorted(found)
    except TypeError:
        return found


def _rows_of_sets(name: str, sets: Sequence[AbstractSet[Any]], objects: Sequence[Any]) -> Floats:
    """1 where an object is in a set, else 0, shape (objects, sets)."""
    shape = len(objects), len(sets)
    Budget().check_bytes(
        name, f"a cover of {shape[0]:,} objects by {shape[1]:,} sets", 8.0 * math.prod(shape)
    )
    place = {each: k for k, each in enumerate(objects)}
    rows = np.zeros(shape)
    for k, members in enumerate(sets):
        rows[[place[each] for each in members], k] = 1.0
    return rows
