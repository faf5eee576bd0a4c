"""Objects in groups, such as donors or documents: which group each is in, and the tables of the groups."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentValueError, one_of
from chancecorr.machine.arrays import AnyArray, Booleans, Integers, cached_property
from chancecorr.tables.contingency import ContingencyTable, Margins
from chancecorr.tables.crosstab import cross_classify, numbered, relabel, sum_of_cells
from chancecorr.tables.labels import EncodedLabels, read_labels, refuse_missing
from chancecorr.tables.reading import Missing

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Objects(NamedTuple):
    """Where each object is: codes of its clusters, in few bytes, and which of the objects given these are."""

    rows: AnyArray
    columns: AnyArray
    kept: Booleans | None  # None for all

    def cells(self) -> Integers:
        """Number of the non-empty cell that each object is in, in the order of ``nonzero_cells``."""
        (rows, _, _), (columns, n_columns, _) = numbered(self.rows), numbered(self.columns)
        return numbered(rows * n_columns + columns)[0]

    @property
    def given(self) -> int:
        """Number of objects, those aside that are left out."""
        return int(self.rows.size if self.kept is None else self.kept.size)


def in_few_bytes(codes: AnyArray) -> AnyArray:
    """A copy of whole numbers in the smallest type that has them all."""
    if codes.dtype.kind == "b" or not codes.size:
        return codes.copy()
    low, high = (np.min_scalar_type(int(end)) for end in (codes.min(), codes.max()))
    wide = np.promote_types(low, high)
    return codes.astype(wide if wide.kind in "iu" else codes.dtype)


def read_partition(
    name: str,
    labels: Any,
    objects: Sequence[Hashable] | None = None,
    kept: Booleans | None = None,
    *,
    missing: Missing = "raise",
) -> tuple[Integers, int]:
    """Number of the part of each kept object, from 0 on, or -1 if missing; and the number of parts."""
    return number_parts(name, read_labels(name, labels, objects), kept, missing=missing)


def number_parts(
    name: str, side: EncodedLabels, kept: Booleans | None = None, *, missing: Missing = "raise"
) -> tuple[Integers, int]:
    """`read_partition` of labels that have been read."""
    one_of("missing", missing, ["raise", "drop"])
    if missing == "raise":
        refuse_missing(name, side)
    codes = side.codes if kept is None else side.codes[kept]
    if side.missing is None:
        return relabel(codes)
    present = ~side.missing if kept is None else ~side.missing[kept]
    numbers = np.full(codes.size, -1, dtype=np.int64)
    numbers[present], n_parts = relabel(codes[present])
    return numbers, n_parts


def read_groups(groups: Any, n: int, kept: Booleans | None = None) -> Integers:
    """Number of the group of each object that is kept, from 0 on; of n objects, in two groups or more."""
    numbers, n_groups = read_partition("groups", groups, range(n), kept)
    if n_groups < 2:
        raise ArgumentValueError("groups", f"must be two at least; got {n_groups}.")
    return numbers


def tables_without_each(
    table: ContingencyTable, cells: npt.NDArray[Any], groups: Integers
) -> list[ContingencyTable]:
    """Tables without the objects of each group in turn, from the cell and the group of each object."""
    rows, columns, counts = table.nonzero_cells
    parts = cross_classify(groups, cells)  # groups and cells all occur: shape (groups, cells)
    found = []
    for k in range(parts.shape[0]):
        part = parts[k] if isinstance(parts, np.ndarray) else parts[[k]].toarray()[0]
        left = counts - part
        some = left > 0
        i, n_rows, _ = numbered(rows[some])
        j, n_columns, _ = numbered(columns[some])
        is_dense = isinstance(table.counts, np.ndarray)
        found.append(ContingencyTable(sum_of_cells(i, j, left[some], (n_rows, n_columns), is_dense)))
    return found


class Stratum(NamedTuple):
    """Sizes of the clusters that occur in a stratum, and their places among all rows and columns."""

    margins: Margins
    rows: Integers
    columns: Integers


@dataclass(frozen=True, eq=False)
class Strata:
    """Objects of each cluster in each stratum: reference clusters of shape (S, K), candidate's (S, Q)."""

    rows: "csr_array"
    columns: "csr_array"

    def __len__(self) -> int:
        """Number of strata."""
        return int(self.rows.shape[0])

    @cached_property
    def sizes(self) -> Integers:
        """Number of objects of each stratum, shape (S,)."""
        return np.asarray(self.rows.sum(axis=1)).ravel()

    def __iter__(self) -> Iterator[Stratum]:
        """The strata, one after the other."""
        sides = [(side.indptr, side.indices, side.data) for side in (self.rows, self.columns)]
        for s in range(len(self)):
            (rows, row_totals), (columns, column_totals) = (
                (places[starts[s] : starts[s + 1]], counts[starts[s] : starts[s + 1]])
                for starts, places, counts in sides
            )
            yield Stratum(Margins(row_totals, column_totals), rows, columns)


def read_strata(
    strata: Any, codes: tuple[AnyArray, AnyArray], objects: Sequence[Hashable], kept: Booleans | None
) -> Strata:
    """Strata from the stratum of each object, and the codes of the clusters of those that are kept."""
    from scipy.sparse import csr_array

    numbers, n_strata = read_partition("strata", strata, objects, kept)
    if n_strata == numbers.size > 1:
        raise ArgumentValueError(
            "strata", f"must have two objects somewhere; got {n_strata:,} strata of one object each."
        )
    sides = []
    for side in codes:
        clusters, n_clusters, _ = numbered(side)
        counts = csr_array(
            (np.ones(clusters.size, dtype=np.int64), (numbers, clusters)), shape=(n_strata, n_clusters)
        )
        counts.sum_duplicates()
        sides.append(counts)
    return Strata(*sides)
