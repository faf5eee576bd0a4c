"""Soft clusterings: each object has a share in every cluster."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from chancecorr.clusterings.clustering import MAX_FLOAT32_ROUNDING, Clustering, Partition, require_everywhere
from chancecorr.clusterings.pair_kernels import DISTANCE, PRODUCT, Gathered
from chancecorr.exact.summary import bound_rounding
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.machine.arrays import Booleans, Floats, Integers, refuse_masked
from chancecorr.machine.budget import HALF_OF_MEMORY
from chancecorr.machine.notes import Note
from chancecorr.machine.printing import format_bytes
from chancecorr.tables.inputs import read_input
from chancecorr.tables.mistakes import sum_to_one
from chancecorr.tables.names import sort_objects

BYTES_OF_A_SHARE = 24.0  # per object and cluster: for both sides, and a copy while one side is reordered
ROUNDING_OF_SHARES: float = bound_rounding(1.0)  # largest rounding of differences of shares


@dataclass(frozen=True, slots=True, eq=False)
class Membership(Clustering):
    """A soft clustering: shares of each object in the clusters.

    Parameters
    ----------
    rows : array-like of shape (n, K)
        Non-negative numbers; each row sums to 1. Two objects are together to the degree of the inner product
        of their rows.
    name : str
        Name in messages.
    by_distance : bool
        If True, the degree is instead 1 minus half the sum of absolute differences of the two rows.

    Raises
    ------
    ValueError, TypeError
        If the rows are not such numbers.

    Examples
    --------
    >>> Membership([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]]).n
    3
    """

    rows: Any  # converted to an array of float64
    name: str = "rows"  # of the argument, for messages
    by_distance: bool = False
    objects: Any = field(default=None, init=False, repr=False)  # index of a data frame
    word: ClassVar[str] = "membership"
    default_indices: ClassVar[tuple[str, ...]] = ("rand", "correlation")
    has_degrees: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the shares."""
        self._hold_rows(self.rows)
        sums = self.rows.sum(axis=1)
        bad = np.abs(sums - 1.0) > MAX_FLOAT32_ROUNDING
        if bad.any():
            i = int(bad.argmax())
            turned = f" Its columns sum to 1: pass `np.transpose({self.name})`." * sum_to_one(self.rows, 0)
            got = f"got a sum of {sums[i]} in row {i}"
            raise ArgumentValueError(self.name, f"must have rows that sum to 1; {got}.{turned}")
        if (np.abs(sums - 1.0) > ROUNDING_OF_SHARES).any():  # so that degrees are at most 1
            object.__setattr__(self, "rows", self.rows / sums[:, np.newaxis])

    def _hold_rows(self, rows: Any) -> None:
        """Check and store non-negative numbers, a row for each object, and the index of a data frame."""
        if hasattr(rows, "columns"):
            object.__setattr__(self, "objects", rows.index)
        refuse_masked(self.name, rows)
        if hasattr(rows, "toarray"):  # sparse matrices of SciPy
            is_table = rows.ndim == 2 and rows.dtype.kind in "biuf"
            out = allocate_rows(self.name, *rows.shape) if is_table else None
            rows = rows.toarray() if out is None else rows.astype(np.float64).toarray(out=out)
        try:
            rows = np.asarray(rows)
        except ValueError:
            rule = "must have rows of one length; got rows of different lengths."
            raise ArgumentValueError(self.name, rule) from None
        if rows.ndim != 2:
            rule = f"must have shape (objects, clusters); got shape {rows.shape}."
            raise ArgumentValueError(self.name, rule)
        if rows.dtype.kind not in "biuf":
            raise ArgumentTypeError(self.name, f"must be an array of real numbers; got dtype {rows.dtype}.")
        rows = np.ascontiguousarray(rows, dtype=np.float64)
        object.__setattr__(self, "rows", rows)
        require_everywhere(self.name, "numbers from 0 on", (rows >= 0.0) & (rows < np.inf), rows)

    def gather(self) -> Gathered:
        """Return the memberships."""
        return Gathered(DISTANCE if self.by_distance else PRODUCT, rows=self.rows)

    def part(self, objects: Integers) -> "Membership":
        """Return the memberships of these objects, in this order."""
        return replace(self, rows=np.ascontiguousarray(self.rows[objects]))

    def explain_size(self, n: int) -> str:
        """Ask if the rows are clusters, if there are n clusters."""
        is_turned = bool(self.rows.shape[1] == n)
        return "Is `{name}` transposed? It must have a row for each object." * is_turned


def as_memberships(side: Any) -> Any:
    """Return a partition as memberships of 0 and 1, or memberships unchanged."""
    if not isinstance(side, Partition):
        return side
    rows = allocate_rows("labels", side.n, int(side.codes.max(initial=-1)) + 1)
    rows[np.arange(side.n), side.codes] = 1.0
    return Membership(rows)


def allocate_rows(name: str, n: int, clusters: int) -> Floats:
    """Return zeros of shape (n, clusters); raise if memory cannot hold them for both sides."""
    wanted = BYTES_OF_A_SHARE * n * clusters
    sides = f"two sides of {n:,} objects in {clusters:,} clusters take {format_bytes(wanted)}"
    rule, advice = f"must have fewer objects or clusters: {sides}", "Leave out the smallest clusters"
    if wanted > HALF_OF_MEMORY:
        given = f"half of this machine's memory is {format_bytes(HALF_OF_MEMORY)}"
        raise ArgumentValueError(name, f"{rule}; {given}. {advice}.")
    try:
        return np.zeros((n, clusters))
    except MemoryError:
        raise ArgumentValueError(name, f"{rule}; this is more than the free memory. {advice}.") from None


@dataclass(frozen=True, slots=True, eq=False)
class Cover(Membership):
    """Clusters that may overlap, and that may leave out objects.

    Parameters
    ----------
    rows : list or set of sets, or array-like of shape (n, K)
        Objects of each cluster; or 1 if an object is in a cluster, else 0. Sets are matched with the other
        side by their objects; if the other side has no names, the objects must be its positions, 0 to n - 1.
    name, by_distance
        As in `Membership`.
    origin : str
        Name of the container of the sets, for the note of a result.

    Raises
    ------
    ValueError, TypeError
        If a number is not 0 or 1.

    Examples
    --------
    >>> Cover([{"ann", "bob"}, {"bob", "cy"}]).rows.tolist()
    [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    """

    origin: str = field(default="", repr=False)
    about_missing: str = field(default="", init=False, repr=False)  # what was done with objects in no cluster
    word: ClassVar[str] = "cover"
    default_indices: ClassVar[tuple[str, ...]] = ("omega", "correlation")
    may_lack_objects: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check that each number is 0 or 1."""
        rows: Any = self.rows
        if isinstance(rows, AbstractSet):
            rows = read_input(self.name, rows).communities or []
        if isinstance(rows, list | tuple) and rows and all(isinstance(row, AbstractSet) for row in rows):
            objects = sort_objects(member for members in rows for member in members)
            object.__setattr__(self, "objects", tuple(objects))
            place, sets = {item: k for k, item in enumerate(objects)}, rows
            rows = allocate_rows(self.name, len(objects), len(sets))
            for k, members in enumerate(sets):
                rows[[place[member] for member in members], k] = 1.0
        self._hold_rows(rows)
        require_everywhere(self.name, "0 or 1", (self.rows == 0.0) | (self.rows == 1.0), self.rows)

    def part(self, objects: Integers) -> "Cover":
        """Return the cover of these objects, in this order; object -1 is in no cluster."""
        rows = np.ascontiguousarray(self.rows[objects])
        rows[objects < 0] = 0.0
        return replace(self, rows=rows)

    def find_clustered(self) -> Booleans:
        """Return the mask of the objects that are in a cluster."""
        return np.asarray(self.rows.any(axis=1))

    def place_missing(self, missing: str, kept: Booleans) -> "Cover":
        """Return the cover of the kept objects, or with a separate cluster for each object in none."""
        alone, how = np.flatnonzero(~self.find_clustered()), "left out"
        if missing == "singletons":
            how = "each in a separate cluster"
            rows = allocate_rows(self.name, self.n, self.rows.shape[1] + alone.size)
            rows[:, : self.rows.shape[1]] = self.rows
            rows[alone, self.rows.shape[1] + np.arange(alone.size)] = 1.0
            placed = replace(self, rows=rows)
        else:
            placed = self.part(np.flatnonzero(kept))
        about = f"{alone.size:,} of {self.n:,} objects in no cluster, {how}" * (alone.size > 0)
        object.__setattr__(placed, "about_missing", about)
        return placed

    def list_notes(self) -> list[Note]:
        """Note the container of the sets, and how many objects are in none."""
        notes = [Note("missing", self.about_missing)] if self.about_missing else []
        if not self.origin:
            return notes
        alone = self.n - int(self.find_clustered().sum())
        text = f"{self.rows.shape[1]:,} communities from {self.origin}"
        text += f", {alone:,} of {self.n:,} objects in none" * (alone > 0)
        return [Note("origin", text), *notes]
