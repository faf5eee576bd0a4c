"""One entry for each object, by its position or its name: groups, strata and weights."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, check_choice, name_kind
from chancecorr.machine.arrays import AnyArray, Booleans, Floats, Integers, cached_property, refuse_masked
from chancecorr.tables.contingency import ContingencyTable, Margins, count_table
from chancecorr.tables.crosstab import add_cells, cross_tabulate, number_labels
from chancecorr.tables.dataframes import list_columns
from chancecorr.tables.labels import EncodedLabels, refuse_missing
from chancecorr.tables.names import ObjectNames, match_entries, read_entries
from chancecorr.tables.reading import Missing, Objects, place_labels, read_side

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def read_partition(
    name: str, labels: Any, objects: ObjectNames, kept: Booleans | None = None
) -> tuple[Integers, int]:
    """Number the parts of the kept objects from 0 on, and count them; raise if a label is missing."""
    refuse_masked(name, labels)
    side, own = read_side(name, labels)
    places = match_entries(name, own.own, objects, name_kind(labels))
    require_entries(name, side.codes, objects)
    return number_parts(name, place_labels(side, places), kept)


def require_entries(name: str, entries: AnyArray, objects: ObjectNames) -> None:
    """Raise if the number of entries differs from the number of objects."""
    if entries.shape != (len(objects),):
        got = entries.size if entries.ndim == 1 else f"shape {entries.shape}"
        raise ArgumentValueError(name, f"must have one entry for each object; got {got} for {len(objects)}.")


def number_parts(
    name: str, side: EncodedLabels, kept: Booleans | None = None, *, missing: Missing = "raise"
) -> tuple[Integers, int]:
    """Number the parts of encoded labels, as `read_partition`; the part of a dropped missing label is -1."""
    check_choice("missing", missing, ["raise", "drop"])
    if missing == "raise":
        refuse_missing(name, side)
    present = np.ones(side.codes.size, dtype=np.bool_) if side.missing is None else ~side.missing
    codes, present = (side.codes, present) if kept is None else (side.codes[kept], present[kept])
    numbers = np.full(codes.size, -1, dtype=np.int64)
    numbers[present], n_parts, _ = number_labels(codes[present])
    return numbers, n_parts


def read_groups(groups: Any, objects: ObjectNames, kept: Booleans | None = None) -> Integers:
    """Return the number of each kept object's group; raise if there are fewer than two groups."""
    numbers, n_groups = read_partition("groups", groups, objects, kept)
    if n_groups < 2:
        raise ArgumentValueError("groups", f"must name two groups at least; got {n_groups}.")
    return numbers


def leave_out_groups(
    table: ContingencyTable, cells: npt.NDArray[Any], groups: Integers, *, keep_empty: bool = False
) -> list[ContingencyTable]:
    """Yield, for each group, the table without its objects, from the cell and the group of each object.

    Clusters that lose all objects are left out, or kept if their places say which label they have.
    """
    rows, columns, counts = table.nonzero_cells
    parts = cross_tabulate(groups, cells).counts  # groups and cells all occur: shape (groups, cells)
    tables = []
    for k in range(parts.shape[0]):
        left = counts - (parts[k] if isinstance(parts, np.ndarray) else parts[[k]].toarray()[0])
        i, j, (n_rows, n_columns) = rows[left > 0], columns[left > 0], table.shape
        if not keep_empty:
            (i, n_rows, _), (j, n_columns, _) = number_labels(i), number_labels(j)
        is_dense = isinstance(table.counts, np.ndarray)
        tables.append(count_table(add_cells(i, j, left[left > 0], (n_rows, n_columns), is_dense)))
    return tables


class Stratum(NamedTuple):
    """Sizes of the clusters that occur in a stratum, and their numbers among all rows and columns."""

    margins: Margins
    rows: Integers
    columns: Integers


@dataclass(frozen=True, eq=False)
class Strata:
    """Cluster sizes in each stratum: shape (S, K) for the reference, (S, Q) for the candidate."""

    rows: "csr_array"
    columns: "csr_array"

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    @cached_property
    def sizes(self) -> Integers:
        """Number of objects of each stratum, shape (S,)."""
        return np.asarray(self.rows.sum(axis=1)).ravel()

    def __iter__(self) -> Iterator[Stratum]:
        sides = [(side.indptr, side.indices, side.data) for side in (self.rows, self.columns)]
        for s in range(len(self)):
            (rows, row_totals), (columns, column_totals) = (
                (places[starts[s] : starts[s + 1]], counts[starts[s] : starts[s + 1]])
                for starts, places, counts in sides
            )
            yield Stratum(Margins(row_totals, column_totals), rows, columns)


def read_strata(strata: Any, objects: Objects, shape: tuple[int, int]) -> Strata:
    """Make the strata from the stratum of each object, for a table of this shape."""
    from scipy.sparse import csr_array

    numbers, n_strata = read_partition("strata", strata, objects.names, objects.kept)
    if n_strata == numbers.size > 1:
        raise ArgumentValueError(
            "strata", f"must have two objects somewhere; got {n_strata:,} strata of one object each."
        )
    sides = []
    for codes, size in zip(objects.number(), shape, strict=True):
        crossed = cross_tabulate(numbers, codes)
        part, clusters = csr_array(crossed.counts), crossed.columns  # some clusters may be empty
        sides.append(csr_array((part.data, clusters[part.indices], part.indptr), shape=(n_strata, size)))
    return Strata(*sides)


MAX_WEIGHT_OVER_OTHERS = 1e8  # rounding changes sums of squares by about 1e-16 of this


def read_weights(weights: Any, reference: Integers, objects: ObjectNames, kept: Booleans | None) -> Floats:
    """Return the weights of the kept objects, with mean 1; "reference" gives its clusters equal weights."""
    if isinstance(weights, str):
        if weights != "reference":
            raise ArgumentValueError("weights", f"must be numbers, 'reference' or None; got {weights!r}.")
        shares = 1.0 / np.bincount(reference)[reference]
        return np.asarray(shares / shares.mean())
    (source, own), columns = read_entries("weights", weights), list_columns(weights)
    if columns and len(columns) == 1:
        source = columns[0][1]
    try:
        entries = np.asarray(source)
        if entries.dtype.kind in "USmM":
            raise TypeError
        numbers = entries.astype(np.float64)
    except (TypeError, ValueError):
        first = next(iter(source), source) if isinstance(source, Iterable) else source
        raise ArgumentTypeError(
            "weights", f"must be numbers, 'reference' or None; got {name_kind(first)}."
        ) from None
    if numbers.ndim == 2 and numbers.shape[1] == 1:
        numbers = numbers[:, 0]
    places = match_entries("weights", own, objects, name_kind(weights))
    require_entries("weights", numbers, objects)
    numbers = numbers if places is None else numbers[places]
    bad = numbers[~(np.isfinite(numbers) & (numbers >= 0.0))]
    if bad.size:
        raise ArgumentValueError("weights", f"must be finite numbers from 0 on; got {bad[0]}.")
    numbers = numbers if kept is None else numbers[kept]
    if not numbers.any():
        raise ArgumentValueError("weights", "must have one above 0; got none.")
    scaled = np.ldexp(numbers, -math.frexp(float(numbers.max()))[1])  # so that sums do not overflow
    others = float(np.sort(scaled)[:-1].sum())
    if 0.0 < others * MAX_WEIGHT_OVER_OTHERS < float(scaled.max()):
        raise ArgumentValueError(
            "weights",
            f"must have no weight above {MAX_WEIGHT_OVER_OTHERS:.0e} times all others together, which would"
            f" be lost to rounding; got {numbers.max():g} beside {others / scaled.max() * numbers.max():g}.",
        )
    return np.asarray(scaled / scaled.mean())
