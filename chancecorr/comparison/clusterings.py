"""Many clusterings of the same objects, read once: their names, the cluster of each object, cluster sizes."""

import numbers
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.clusterings.clustering import Kind, Partition
from chancecorr.clusterings.indices import find_default_index
from chancecorr.clusterings.membership import Cover
from chancecorr.indices.registry import Index, find_indices
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, check_choice, name_kind
from chancecorr.machine.arrays import Booleans, Integers, read_only
from chancecorr.machine.notes import Note, Notes
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.crosstab import number_labels
from chancecorr.tables.dataframes import list_columns
from chancecorr.tables.inputs import Input, read_inputs
from chancecorr.tables.labels import Categories
from chancecorr.tables.names import ObjectNames
from chancecorr.tables.reading import (
    LeftOut,
    Missing,
    NoiseOfSides,
    Pair,
    Side,
    check_reading,
    join_masks,
    number_sides,
)
from chancecorr.tables.union import join_labels, number_over_union, spread_table

Drop = Literal["each", "common"]

MAX_CELLS_OF_AN_ARRAY = 65_536  # a table is counted in an array of up to this size, or 4 n if that is more


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Clusterings:
    """Clusterings of the same objects; their arrays are read-only."""

    names: tuple[Hashable, ...]  # all different: keys, column names, or positions 0, 1, ... in a list
    codes: npt.NDArray[Any]  # cluster numbers, shape (m, n), unsigned; any number if the object is left out
    kept: tuple[Booleans | None, ...]  # mask of the objects of each clustering; None: all objects
    sizes: tuple[Integers, ...]  # cluster sizes, all above zero, in the order of `contingency_table`
    labels: tuple[npt.NDArray[Any], ...]  # label of each cluster
    categories: tuple[Categories | None, ...]  # all labels of each clustering, if the user declared them
    left_out: tuple[LeftOut, ...]  # for each clustering its name and the number of objects it leaves out
    given: int  # number of objects before any is left out
    objects: ObjectNames  # names of these objects
    notes: Notes = ()  # how label images were read
    here: Integers | None = None  # positions of the `n` objects among the `given`; None: all objects

    def __len__(self) -> int:
        return len(self.names)

    @property
    def n(self) -> int:
        """Number of objects that at least one clustering may contain."""
        return int(self.codes.shape[1])

    def in_both(self, row: int, column: int) -> Booleans | None:
        """Return the mask of the objects that two of the clusterings share; None if they share all."""
        first, second = self.kept[row], self.kept[column]
        if first is None or second is None or first is second:
            return second if first is None else first
        return first & second

    def pair(self, row: int, column: int) -> Pair:
        """Return the clusterings at two positions, restricted to the objects that both have."""
        both, sides = self.in_both(row, column), []
        for k in (row, column):
            codes, labels = self.codes[k], self.labels[k]
            if both is not None:
                codes, _, distinct = number_labels(codes[both])
                labels = labels[distinct]
            categories = self.categories[k]
            sides.append(Side(codes, labels.__getitem__, self.left_out[k], categories=categories))
        return Pair((sides[0], sides[1]), self.objects, both)

    def share_labels(self) -> "Clusterings":
        """Return the same clusterings; each of them may have all labels that one of them has or declares.

        Then the tables of all pairs are over the same labels, for an index that depends on them.
        """
        together = join_labels(tuple(zip(self.labels, self.categories, strict=True)))
        return replace(self, categories=(together,) * len(self))

    def table(self, row: int, column: int) -> ContingencyTable:
        """Return the contingency table of the clusterings at two positions."""
        return self.pair(row, column).table()

    def pair_sums(self) -> Integers:
        """Return ``T = sum(n_ij**2)`` of all tables, shape (m, m); the diagonal has sums of squared sizes."""
        m, most = len(self), max(MAX_CELLS_OF_AN_ARRAY, 4 * self.n)
        sums = np.diag([int(np.dot(sizes, sizes)) for sizes in self.sizes]).astype(np.int64)
        for row in range(m):
            own = self.codes[row].astype(np.int64)
            for column in range(row + 1, m):
                width = self.sizes[column].size
                if self.sizes[row].size * width <= most:
                    cells = np.bincount(own * width + self.codes[column])
                    T = int(np.dot(cells, cells))
                else:
                    T = self.table(row, column).sum_of_squares
                sums[row, column] = sums[column, row] = T
        return sums


def share_labels(pairs: Sequence[Pair]) -> list[Pair]:
    """Return pairs whose sides may have all labels of all pairs, as `Clusterings.share_labels`."""
    sides = [side for pair in pairs if pair.has_table for side in pair.sides]
    together = join_labels([(side.names(np.unique(side.codes)), side.categories) for side in sides])
    return [
        pair._replace(sides=tuple(side._replace(categories=together) for side in pair.sides))
        if pair.has_table
        else pair
        for pair in pairs
    ]


def lay_out_pair(index: Index, pair: Pair) -> tuple[ContingencyTable, tuple[Any, Any]]:
    """Return the table of two clusterings and the object codes; the table is square for a named index."""
    table, (rows, columns) = pair.table(), (side.codes for side in pair.sides)
    if not index.named:
        return table, (rows, columns)
    union = number_over_union(table)
    return spread_table(table, union), (union.rows[rows], union.columns[columns])


def read_many(
    argument: str, clusterings: Any, *, reference: tuple[str, Any] | None = None, least: int = 1,
    noise: NoiseOfSides = None, missing: Missing = "raise", drop: Drop = "each",
) -> Clusterings:  # fmt: skip
    """Read at least `least` clusterings as integer codes; `reference`, if given, comes first."""
    of_reference, of_others = check_reading(noise, missing)
    check_choice("drop", drop, ["each", "common"])
    if reference is None and isinstance(noise, tuple):
        raise ArgumentTypeError("noise", f"must not be a pair without a reference; got {noise!r}.")
    named = list_clusterings(argument, clusterings)
    if len(named) < least:
        wanted = "two clusterings" if least == 2 else "1 clustering"
        raise ArgumentValueError(argument, f"must hold at least {wanted}; got {len(named) or 'none'}.")
    sides = [(f"{argument}[{name!r}]", labels) for name, labels in named]
    policies = [of_others] * len(named)
    if reference is not None:
        sides, named, policies = [reference, *sides], [reference, *named], [of_reference, *policies]
    for side in sides:
        _refuse_other_kinds(*side)
    inputs = read_inputs(sides)
    read, objects = number_sides([called for called, _ in sides], inputs, policies, missing)
    dropped = [side.dropped for side in read]
    from_all = join_masks(dropped if drop == "common" else dropped[:1] if reference is not None else [])
    places = None if from_all is None else np.flatnonzero(~from_all)
    if drop == "common":
        dropped = [from_all] * len(read)
    kept = _keep_some(argument, sides, dropped, places)
    numbered_sides = (_number_clusters(*side, places) for side in zip(read, kept, strict=True))
    codes, sizes, labels = zip(*numbered_sides, strict=True)
    names, given = tuple(name for name, _ in named), read[0].codes.size
    text = f"labels of {given:,} objects from {read[0].origin}"
    return Clusterings(
        names=names,
        codes=read_only(np.stack(codes)),
        kept=tuple(kept),
        sizes=sizes,
        labels=labels,
        categories=tuple(side.categories for side in read),
        left_out=tuple(
            side.left_out._replace(side=str(name)) for side, name in zip(read, names, strict=True)
        ),
        given=given,
        objects=objects,
        notes=(Note("origin", text),) if inputs[0].shape else (),
        here=places,
    )


def look_at_many(
    argument: str, clusterings: Any, index: Any, *, reference: tuple[str, Any] | None = None, drop: Drop,
    groups: Any = None, weighted: bool = False,
) -> tuple[list[tuple[Hashable, Any]], Any]:  # fmt: skip
    """Return names and clusterings, each read once, the reference first; and an index.

    The index is None if all clusterings are labels, which have tables, and the indices of a call use these.
    """
    named: list[tuple[Hashable, Any]] = [] if reference is None else [reference]
    named += list_clusterings(argument, clusterings)
    sides = [
        (str(name) if k == 0 and reference is not None else f"{argument}[{name!r}]", clustering)
        for k, (name, clustering) in enumerate(named)
    ]
    read = read_inputs(sides, (Kind,), weighted=weighted)
    indices = find_indices("rand" if index is None else index)
    kinds = [
        (Cover if side.has_overlap else Partition) if isinstance(side, Input) else type(side) for side in read
    ]
    all_labels = all(kind is Partition for kind in kinds)
    by_name = [(name, side) for (name, _), side in zip(named, read, strict=True)]
    if len(named) < 2 or (all_labels and all(item.entry.needs != "clusterings" for item in indices)):
        return by_name, None
    if groups is not None or drop != "each":
        keyword = "drop" if groups is None else "groups"
        rule = "is only available for labels, and not for indices of pairs of objects."
        raise ArgumentValueError(keyword, rule)
    return by_name, find_default_index(kinds) if index is None else index


def _refuse_other_kinds(called: str, labels: Any) -> None:
    """Raise if a clustering is not a partition: many clusterings are compared by their tables."""
    if isinstance(labels, Kind):
        raise ArgumentTypeError(
            called,
            f"must hold labels, which have a table; got {name_kind(labels)}. `adjust` compares it with"
            " one other clustering.",
        )


def list_clusterings(argument: str, clusterings: Any) -> list[tuple[Hashable, Any]]:
    """Return names and clusterings from a dictionary, data frame, array or list."""
    _refuse_other_kinds(argument, clusterings)
    way_out = " Pass {'name': labels}" + ("; the reference comes first." if argument == "candidates" else ".")
    columns = list_columns(clusterings)
    if columns is not None:
        names = [name for name, _ in columns]
        for k, name in enumerate(names):
            if name in names[:k]:
                rule = f"must have a different name for each column; got {name!r} twice."
                raise ArgumentValueError(argument, rule)
        return columns
    if isinstance(clusterings, Mapping):
        return list(clusterings.items())
    if isinstance(clusterings, np.ndarray):
        if clusterings.ndim < 2:
            raise ArgumentValueError(
                argument,
                f"must have two dimensions, one clustering a row; got shape {clusterings.shape}.{way_out}",
            )
        return list(enumerate(clusterings))
    if isinstance(clusterings, Sequence) and not isinstance(clusterings, str | bytes | bytearray):
        for k, labels in enumerate(clusterings):
            if labels is None or isinstance(labels, str | bytes | bytearray | numbers.Number | np.generic):
                raise ArgumentTypeError(
                    argument, f"must hold label vectors; got {name_kind(labels)} at position {k}.{way_out}"
                )
        return list(enumerate(clusterings))
    raise ArgumentTypeError(
        argument,
        "must be a dictionary of names and label vectors, a list of label vectors, an array of one clustering"
        f" a row, or a data frame of one a column; got {name_kind(clusterings)}.{way_out}",
    )


def _keep_some(
    argument: str,
    sides: Sequence[tuple[str, Any]],
    dropped: Sequence[Booleans | None],
    places: Integers | None,
) -> list[Booleans | None]:
    """Return the mask of kept objects of each clustering, None for all; raise if a clustering keeps none."""
    rule, kept = "must have an object that has a label and is not dropped as noise", list[Booleans | None]()
    for (called, _), mask in zip(sides, dropped, strict=True):
        if mask is None:
            kept.append(None)
            continue
        if places is not None and not places.size:
            raise ArgumentValueError(argument, f"{rule} in every clustering; got none among {mask.size}.")
        some = ~mask if places is None else ~mask[places]
        if not some.any():
            raise ArgumentValueError(called, f"{rule}; got none among {mask.size}.")
        kept.append(None if some.all() else some)
    return kept


def _number_clusters(
    side: Side, kept: Booleans | None, places: Integers | None
) -> tuple[npt.NDArray[Any], Integers, npt.NDArray[Any]]:
    """Return the cluster numbers of the kept objects, the cluster sizes and the labels."""
    objects = places if kept is None else np.flatnonzero(kept) if places is None else places[kept]
    side = side.keep(objects)
    codes, n_clusters, distinct = number_labels(side.codes)
    narrow = codes.astype(np.min_scalar_type(max(n_clusters - 1, 0)))
    sizes = read_only(np.bincount(narrow, minlength=n_clusters).astype(np.int64))
    if kept is not None:
        of_kept, narrow = narrow, np.zeros(kept.size, dtype=narrow.dtype)
        narrow[kept] = of_kept
    return narrow, sizes, side.names(distinct)
