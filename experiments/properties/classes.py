"""All clusterings of a few objects, and all pairs of them up to the numbering of the objects.

What an index sees of two clusterings is their contingency table, up to the order of its rows and columns.
Two pairs of clusterings with the same table, so understood, are of one class. There are 1, 4, 10, 33, 91,
298, 910 and 3017 classes of pairs of clusterings of 1 to 8 objects (OEIS A007716), where the pairs are 1, 4,
25, 225, 2704, 41209, 769129 and 17139600. An index is evaluated once for each class; all properties are
looked up in these values.

A clustering is written as its labels in order of first appearance, ``"0012"``; clusterings are in the
lexicographic order of these texts. The first clustering of a class is one of `Clusterings.references`: for
each set of cluster sizes the first clustering that has them, largest cluster first.
"""

import functools
import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Table = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clusterings:
    """The clusterings of n objects and the classes of their pairs.

    Attributes
    ----------
    n : int
        Number of objects.
    labels : ndarray of int64, shape (B, n)
        All clusterings, B the Bell number.
    sizes : tuple of tuple of int
        Cluster sizes of each, largest first.
    references : ndarray of int64, shape (R,)
        The first clustering of each set of sizes.
    classes : ndarray of int64, shape (R, B)
        Class of each reference with each clustering.
    tables : tuple of Table
        A contingency table of each class, that of its first pair.
    first : ndarray of int64, shape (C, 2)
        The first pair of each class: places in `references` and in `labels`.
    swapped : ndarray of int64, shape (C,)
        Class of the pair in the other order.
    row_sizes, column_sizes : ndarray of int64, shape (C,)
        Number of the set of sizes, as in `references`, of the first and the second clustering.
    """

    n: int
    labels: Ints
    sizes: tuple[tuple[int, ...], ...]
    references: Ints
    classes: Ints
    tables: tuple[Table, ...]
    first: Ints
    swapped: Ints
    row_sizes: Ints
    column_sizes: Ints

    def text(self, clustering: int) -> str:
        """Labels of a clustering as text."""
        return "".join(map(str, self.labels[clustering].tolist()))

    @property
    def identical(self) -> Ints:
        """Class of each reference with itself, shape (R,)."""
        return self.classes[np.arange(self.references.size), self.references]

    @property
    def trivial_sizes(self) -> npt.NDArray[np.bool_]:
        """Which sets of sizes are one cluster, or singletons only, shape (R,)."""
        lengths = [len(self.sizes[r]) for r in self.references]
        return np.array([k in (1, self.n) for k in lengths])

    @property
    def with_trivial(self) -> npt.NDArray[np.bool_]:
        """Which classes have a clustering that is trivial, shape (C,)."""
        trivial = self.trivial_sizes
        return np.asarray(trivial[self.row_sizes] | trivial[self.column_sizes])

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """Clusterings with the sizes of the second one that make this class with the first, shape (C,).

        With both margins fixed, that is the law of the table: these weights over their sum.
        """
        counts = np.zeros(len(self.tables))
        for row in self.classes:
            counts += np.bincount(row, minlength=counts.size)
        return counts


@functools.cache
def clusterings(n: int) -> Clusterings:
    """The clusterings of n objects; n = 8 takes about three seconds."""
    labels = np.array(list(_growing(n)), dtype=np.int64)
    sizes = tuple(tuple(sorted(np.bincount(row).tolist(), reverse=True)) for row in labels)
    first_of: dict[tuple[int, ...], int] = {}
    for v, each in enumerate(sizes):
        first_of.setdefault(each, v)
    references = np.array(sorted(first_of.values()), dtype=np.int64)
    number = {sizes[r]: place for place, r in enumerate(references.tolist())}

    keys: dict[Table, int] = {}
    tables: list[Table] = []
    first: list[tuple[int, int]] = []
    classes = np.empty((references.size, labels.shape[0]), dtype=np.int64)
    for place, r in enumerate(references.tolist()):
        for v in range(labels.shape[0]):
            table = table_of(labels[r], labels[v])
            key = canonical(table)
            if key not in keys:
                keys[key] = len(tables)
                tables.append(table)
                first.append((place, v))
            classes[place, v] = keys[key]
    swapped = [keys[canonical(tuple(zip(*table, strict=True)))] for table in tables]
    return Clusterings(
        n=n,
        labels=labels,
        sizes=sizes,
        references=references,
        classes=classes,
        tables=tuple(tables),
        first=np.array(first, dtype=np.int64),
        swapped=np.array(swapped, dtype=np.int64),
        row_sizes=np.array([place for place, _ in first], dtype=np.int64),
        column_sizes=np.array([number[sizes[v]] for _, v in first], dtype=np.int64),
    )


def _growing(n: int) -> list[tuple[int, ...]]:
    """Label vectors in order of first appearance, lexicographic: the restricted growth strings."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(n):
        found = [(*row, k) for row in found for k in range(max(row, default=-1) + 2)]
    return found


def table_of(u: Ints, v: Ints) -> Table:
    """Contingency table of two label vectors without gaps."""
    columns = int(v.max()) + 1
    counts = np.bincount(u * columns + v, minlength=(int(u.max()) + 1) * columns)
    return tuple(map(tuple, counts.reshape(-1, columns).tolist()))


def canonical(table: Table) -> Table:
    """The same for tables that differ by the order of rows and columns only, and for no others.

    Rows of one object are told apart by their column alone, so that their number in each column is enough;
    rows of equal totals are tried in all orders.
    """
    rows = sorted(((sum(row), row) for row in table), reverse=True)
    large = [(total, row) for total, row in rows if total > 1]
    singles = [sum(row[j] for total, row in rows if total == 1) for j in range(len(table[0]))]
    groups = [[row for _, row in group] for _, group in itertools.groupby(large, key=lambda each: each[0])]
    best: Table | None = None
    for orders in itertools.product(*(itertools.permutations(group) for group in groups)):
        ordered = [row for order in orders for row in order]
        columns = tuple(sorted(zip(*ordered, singles, strict=True), reverse=True))
        if best is None or columns < best:
            best = columns
    assert best is not None
    return ((*(total for total, _ in large), -1), *best)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moves:
    """Perfect merges and perfect splits, as pairs of classes before and after, each of shape (m, 2).

    The reference is not trivial. A perfect merge unites two clusters of the candidate that lie in the same
    cluster of the reference. A perfect split parts a cluster of the candidate in two so that objects
    which are together in the reference stay together.
    """

    merges: Ints
    splits: Ints


@functools.cache
def moves(n: int) -> Moves:
    """The moves that improve a clustering of n objects."""
    every = clusterings(n)
    keys = {canonical(table): k for k, table in enumerate(every.tables)}
    trivial = every.trivial_sizes
    merges, splits = set(), set()
    for k, table in enumerate(every.tables):
        if trivial[every.row_sizes[k]]:
            continue
        columns = list(zip(*table, strict=True))
        for i, j in itertools.combinations(range(len(columns)), 2):
            kind = move_between(columns[i], columns[j])
            if not kind:
                continue
            rest = [column for x, column in enumerate(columns) if x not in (i, j)]
            united = [*rest, tuple(x + y for x, y in zip(columns[i], columns[j], strict=True))]
            merged = keys[canonical(tuple(zip(*united, strict=True)))]
            if kind == "merge":
                merges.add((k, merged))
            else:
                splits.add((merged, k))
    return Moves(
        merges=np.array(sorted(merges), dtype=np.int64).reshape(-1, 2),
        splits=np.array(sorted(splits), dtype=np.int64).reshape(-1, 2),
    )


def move_between(one: tuple[int, ...], other: tuple[int, ...]) -> str:
    """Whether two clusters should be united ("merge"), are rightly apart ("split"), or neither ("").

    Given as how many of their objects lie in each cluster of the reference.
    """
    rows = [{i for i, x in enumerate(column) if x} for column in (one, other)]
    if rows[0] == rows[1] and len(rows[0]) == 1:
        return "merge"
    return "" if rows[0] & rows[1] else "split"


@functools.cache
def all_pairs(n: int) -> npt.NDArray[np.int16]:
    """Class of every clustering with every other, shape (B, B); n = 8 takes about ten seconds and 34 MB."""
    every = clusterings(n)
    number = {every.sizes[r]: place for place, r in enumerate(every.references.tolist())}
    powers = (n + 1) ** np.arange(n - 1, -1, -1)
    codes = every.labels @ powers  # ascending, as the clusterings are in lexicographic order
    found = np.empty((codes.size, codes.size), dtype=np.int16)
    for v, labels in enumerate(every.labels):
        counts = np.bincount(labels)
        rank = np.argsort(-counts, kind="stable")
        order = np.concatenate([np.flatnonzero(labels == k) for k in rank])
        renumbered = _in_order_of_appearance(every.labels[:, order])
        places = np.searchsorted(codes, renumbered @ powers)
        found[v] = every.classes[number[every.sizes[v]], places]
    return found


def _in_order_of_appearance(labels: Ints) -> Ints:
    """The same clusterings, clusters numbered as they appear, shape (m, n)."""
    m, n = labels.shape
    new = np.full((m, n), -1, dtype=np.int64)
    out = np.empty_like(labels)
    following = np.zeros(m, dtype=np.int64)
    every = np.arange(m)
    for k in range(n):
        old = labels[:, k]
        unseen = new[every, old] < 0
        new[every[unseen], old[unseen]] = following[unseen]
        following += unseen
        out[:, k] = new[every, old]
    return out
