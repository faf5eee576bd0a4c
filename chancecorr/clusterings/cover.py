"""Covers: clusters that overlap, or leave objects out."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.clusterings.membership import Membership, as_rows


@dataclass(frozen=True, slots=True, eq=False)
class Cover(Membership):
    """Clusters that may overlap, and need not hold every object.

    Parameters
    ----------
    rows : list of sets, or array-like of shape (n, K)
        Objects of each cluster; or 1 where an object is in a cluster, else 0. Sets are matched with those of
        the other side by their objects; 0 to n - 1 are positions if that side names none.
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

    word: ClassVar[str] = "cover"

    def __post_init__(self) -> None:
        """Check that each number is 0 or 1."""
        rows: Any = self.rows
        if is_sets(rows):
            rows = rows_of_sets(rows, objects_of(rows))
        object.__setattr__(self, "rows", as_rows(self.name, rows))
        bad = (self.rows != 0.0) & (self.rows != 1.0)
        if bad.any():
            i, k = map(int, np.unravel_index(int(bad.argmax()), self.rows.shape))
            raise ArgumentValueError(
                self.name, f"must hold 0 or 1; got {self.rows[i, k]} at position {(i, k)}."
            )


def is_sets(given: Any) -> bool:
    """Whether clusters are given by the sets of their objects."""
    return (
        isinstance(given, list | tuple)
        and bool(given)
        and all(isinstance(each, AbstractSet) for each in given)
    )


def objects_of(sets: Sequence[AbstractSet[Any]]) -> list[Any]:
    """Objects of the sets, sorted if they can be, else in order of appearance."""
    found = list(dict.fromkeys(each for members in sets for each in members))
    try:
        return sorted(found)
    except TypeError:
        return found


def rows_of_sets(sets: Sequence[AbstractSet[Any]], objects: Sequence[Any]) -> Any:
    """1 where an object is in a set, else 0, shape (objects, sets)."""
    place = {each: k for k, each in enumerate(objects)}
    rows = np.zeros((len(objects), len(sets)))
    for k, members in enumerate(sets):
        rows[[place[each] for each in members], k] = 1.0
    return rows
