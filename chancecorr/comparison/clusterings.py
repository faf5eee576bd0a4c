"""Many clusterings of the same objects, read once: their names, the cluster of each object, cluster sizes."""

import functools
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.correction.request import READING_DEFAULTS
from chancecorr.machine.arrays import Booleans, Integers
from chancecorr.tables.contingency import ContingencyTable, as_table, labelled_table
from chancecorr.tables.crosstab import FoundLabels, cross_classify, numbered
from chancecorr.tables.dataframes import columns_of
from chancecorr.tables.labels import (
    EncodedLabels,
    Names,
    encode,
    names_with_singletons,
    with_article,
    with_singletons,
)
from chancecorr.tables.reading import (
    check_indexes,
    check_noise,
    check_reading,
    contingency_table,
    masks_left_out,
)

DIRECT_CELLS = 65_536
"""A table of up to this many cells, or of up to four per object, is counted in an array of all its cells."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Clusterings:
    """Clusterings of the same objects; their arrays are read-only."""

    names: tuple[Hashable, ...]  # all different: keys, column names, or places 0, 1, ... in a list
    codes: npt.NDArray[
        Any
    ]  # cluster numbers, shape (m, n), unsigned and of the smallest type that holds them
    sizes: tuple[Integers, ...]  # cluster sizes, all above zero, in the order of `contingency_table`
    labels: tuple[Callable[[], npt.NDArray[Any]], ...]  # find the labels of the clusters

    def __len__(self) -> int:
        """Number of clusterings m."""
        return len(self.names)

    @property
    def n(self) -> int:
        """Number of objects."""
        return int(self.codes.shape[1])

    def table(self, row: int, column: int) -> ContingencyTable:
        """Contingency table of two of the clusterings, by their places."""
        counts = cross_classify(self.codes[row], self.codes[column])
        return labelled_table(counts, self.labels[row], self.labels[column])

    def pair_sums(self) -> Integers:
        """``T = sum(n_ij**2)`` of all tables, shape (m, m); on the diagonal sums of squared cluster sizes."""
        m, most = len(self), max(DIRECT_CELLS, 4 * self.n)
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

    def __repr__(self) -> str:
        """Numbers of clusterings and objects, and the names, the first few of many."""
        shown = ", ".join(repr(name) for name in self.names[:4]) + (", ..." if len(self) > 4 else "")
        return f"<Clusterings of {self.n} objects: {len(self)} ({shown})>"


def read_clusterings(
    argument: str,
    clusterings: Any,
    *,
    reference: tuple[str, Any] | None = None,
    least: int = 1,
    reading: Mapping[str, Any] = READING_DEFAULTS,
) -> Clusterings:
    """Many clusterings of the same objects, `least` or more, as cluster numbers of one length.

    Errors name them by `argument`. `reference` is the name of another argument with its labels, which come
    first. `reading` has ``noise``, ``noise_label``, ``missing`` and ``align`` as in `contingency_table`; an
    object that is dropped from one clustering is left out of all, so that all numbers are about the same
    objects.
    """
    given = {**READING_DEFAULTS, **reading}
    check_reading(**given)
    named = _named(argument, clusterings)
    if len(named) < least:
        wanted = "two clusterings" if least == 2 else f"{least} clustering" + "s" * (least > 1)
        raise ArgumentValueError(argument, f"must hold at least {wanted}; got {len(named) or 'none'}.")
    sides = [(f"{argument}[{name!r}]", labels) for name, labels in named]
    if reference is not None:
        sides.insert(0, reference)
        named.insert(0, reference)
    codes, labels = _codes_and_labels(argument, sides, given)
    together = np.stack(codes)
    sizes = tuple(np.bincount(each).astype(np.int64) for each in together)
    for each in (together, *sizes):
        each.flags.writeable = False
    return Clusterings(
        names=tuple(name for name, _ in named), codes=together, sizes=sizes, labels=tuple(labels)
    )


def table_or_labels(labels_true: Any, labels_pred: Any, reading: Mapping[str, Any]) -> ContingencyTable:
    """Table of two label vectors, read by these keywords; or the first argument as one, without a second."""
    if labels_pred is not None:
        return contingency_table(labels_true, labels_pred, **reading)
    if reading:
        given = ", ".join(f"`{name}`" for name in reading)
        raise ArgumentTypeError("labels_pred", f"must be given beside {given}; got None.")
    return as_table(labels_true)


def _named(argument: str, clusterings: Any) -> list[tuple[Hashable, Any]]:
    """Names and label vectors, from whatever holds them."""
    columns = columns_of(clusterings)
    if columns is not None:
        names = [name for name, _ in columns]
        twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
        if len(set(names)) < len(names):
            raise ArgumentValueError(
                argument, f"must have a different name for each column; got {twice!r} twice."
            )
        return columns
    if isinstance(clusterings, Mapping):
        return list(clusterings.items())
    if isinstance(clusterings, np.ndarray):
        if clusterings.ndim != 2:
            raise ArgumentValueError(
                argument, f"must have two dimensions, one clustering a row; got shape {clusterings.shape}."
            )
        return list(enumerate(clusterings))
    if isinstance(clusterings, Sequence) and not isinstance(clusterings, str | bytes | bytearray):
        for k, labels in enumerate(clusterings):
            if not hasattr(labels, "__len__") or isinstance(labels, str | bytes | bytearray):
                raise ArgumentTypeError(
                    argument, f"must hold label vectors; got {with_article(labels)} at position {k}."
                )
        return list(enumerate(clusterings))
    raise ArgumentTypeError(
        argument,
        "must be a dictionary of names and label vectors, a list of label vectors, an array of one clustering"
        f" a row, or a data frame of one a column; got {with_article(clusterings)}.",
    )


def _codes_and_labels(
    argument: str, sides: Sequence[tuple[str, Any]], given: Mapping[str, Any]
) -> tuple[list[npt.NDArray[Any]], list[Callable[[], npt.NDArray[Any]]]]:
    """Cluster numbers of the objects that are kept, and what finds the labels of the clusters."""
    first, labels_of_first = sides[0]
    read: list[EncodedLabels] = []
    left_out: list[Booleans] = []
    for called, labels in sides:
        side = encode(called, labels, given["noise_label"])
        if read and side.codes.size != read[0].codes.size:
            sizes = f"{side.codes.size} and {read[0].codes.size}"
            raise ArgumentValueError(called, f"must have the same length as `{first}`; got {sizes}.", first)
        if read and given["align"] == "raise":
            check_indexes(first, labels_of_first, called, labels)
        left_out += masks_left_out(called, side, noise=given["noise"], missing=given["missing"])
        read.append(side)
    check_noise(read, given["noise"], given["noise_label"])
    kept = np.flatnonzero(~functools.reduce(np.logical_or, left_out)) if left_out else None
    if kept is not None and not kept.size and read[0].codes.size:
        raise ArgumentValueError(
            argument,
            "must share an object that has a label, and is not dropped as noise, in every clustering; got"
            f" none among {read[0].codes.size}.",
        )
    found = []
    for side in read:
        codes, names = side.codes if kept is None else side.codes[kept], side.names
        if given["noise"] == "singletons":
            codes, known, objects = with_singletons(codes, side.noise_code)
            objects = objects if kept is None else kept[objects]
            names = names_with_singletons(names, known, objects, given["noise_label"])
        codes, n_clusters, distinct = numbered(codes)
        narrow = codes.astype(np.min_scalar_type(max(n_clusters - 1, 0)))
        found.append((narrow, functools.partial(_labels, names, distinct)))
    return [codes for codes, _ in found], [labels for _, labels in found]


def _labels(names: Names, distinct: FoundLabels) -> npt.NDArray[Any]:
    """Labels of the clusters, read-only."""
    labels = names(distinct())
    labels.flags.writeable = False
    return labels
