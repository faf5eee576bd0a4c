"""Many clusterings of the same objects, read once: their names, the cluster of each object, cluster sizes."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.correction.request import READING_DEFAULTS
from chancecorr.machine.arrays import Booleans, Integers
from chancecorr.tables.contingency import ContingencyTable, labelled_table
from chancecorr.tables.crosstab import cross_classify, relabel
from chancecorr.tables.dataframes import columns_of
from chancecorr.tables.labels import EncodedLabels, as_objects, encode, singled_out, with_article
from chancecorr.tables.reading import check_indexes, check_reading, masks_left_out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Clusterings:
    """Clusterings of the same objects.

    Attributes
    ----------
    names : tuple of hashable, length m
        What the clusterings are called, all different: keys, column names, or places 0, 1, ... in a list.
    codes : ndarray of uint8, uint16, uint32 or uint64, shape (m, n)
        Cluster number of each object, 0 to K - 1 for K clusters, in the order of the rows and columns of
        `contingency_table`; read-only, and of the smallest type that holds all of them.
    sizes : tuple of ndarray of int64, length m
        Cluster sizes, each of shape (K,); all are above zero.
    cluster_labels : tuple of ndarray, length m
        What the clusters are called, each of shape (K,), as by the tables of `contingency_table`.
    labels : tuple, length m
        The labels as they were given, by the position of the object, those left out included.
    kept : ndarray of bool, or None
        Which objects were kept; None where all were.
    """

    names: tuple[Hashable, ...]
    codes: npt.NDArray[Any]
    sizes: tuple[Integers, ...]
    cluster_labels: tuple[npt.NDArray[Any], ...]
    labels: tuple[Any, ...]
    kept: Booleans | None

    def __len__(self) -> int:
        """Number of clusterings m."""
        return len(self.names)

    @property
    def n(self) -> int:
        """Number of objects."""
        return int(self.codes.shape[1])

    def table(self, row: int, column: int) -> ContingencyTable:
        """Contingency table of two of the clusterings, by their places: the one that their labels have."""
        return labelled_table(
            cross_classify(self.codes[row], self.codes[column]),
            self.cluster_labels[row],
            self.cluster_labels[column],
        )

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
    """Many clusterings of the same objects, as cluster numbers of one length.

    Parameters
    ----------
    argument : str
        What the caller's user calls the clusterings, for errors.
    clusterings : dict, list, array-like of shape (m, n), or data frame
        Names and label vectors; label vectors; one clustering a row; or one clustering a column (pandas,
        polars, Arrow). A label vector is whatever `contingency_table` takes.
    reference : (str, label vector), optional
        One more clustering with its name, that of the caller's argument. It comes first in the result.
    least : int
        How many clusterings there must be at least, the reference not counted.
    reading : mapping
        ``noise``, ``noise_label``, ``missing`` and ``align`` as in `contingency_table`; those left out have
        their defaults.

    Returns
    -------
    Clusterings
        With ``missing="drop"`` or ``noise="drop"`` an object that is missing, or noise, in any of the
        clusterings is left out of all, so that all numbers made of the result are about the same objects.

    Raises
    ------
    TypeError, ValueError
        If there are too few clusterings, two have the same name, lengths or pandas indexes differ, labels are
        missing or unhashable, or no object remains where some are left out.

    Examples
    --------
    >>> read = read_clusterings("clusterings", {"a": ["x", "x", "y"], "b": [7, 5, 5]})
    >>> read.names, read.codes.tolist(), [sizes.tolist() for sizes in read.sizes]
    (('a', 'b'), [[0, 0, 1], [1, 0, 0]], [[2, 1], [2, 1]])
    >>> read_clusterings("clusterings", {"a": [0, 0, 1], "b": [0, 1]})
    Traceback (most recent call last):
        ...
    chancecorr.arguments.ArgumentValueError: `clusterings['b']` must have the same length as
    `clusterings['a']`; got 2 and 3.
    """
    given = {**READING_DEFAULTS, **reading}
    check_reading(**given)
    named = _named(argument, clusterings)
    if len(named) < least:
        wanted = "two clusterings" if least == 2 else f"{least} clustering" + "s" * (least > 1)
        raise ArgumentValueError(argument, f"must hold at least {wanted}; got {len(named) or 'none'}.")
    sides = [(f"{argument}[{name!r}]", name, labels) for name, labels in named]
    if reference is not None:
        sides.insert(0, (reference[0], *reference))
    if not sides:
        raise ArgumentValueError(argument, "must hold at least one clustering; got none.")
    return _read(argument, sides, given)


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


def _read(argument: str, sides: list[tuple[str, Hashable, Any]], given: Mapping[str, Any]) -> Clusterings:
    """The clusterings, each with what errors call it, its name and its labels."""
    first_called, _, first_labels = sides[0]
    codes: list[npt.NDArray[Any]] = []
    read = []
    noise_codes: list[int | None] = []
    left_out: Booleans | None = None
    for called, _, labels in sides:
        side = encode(called, labels, given["noise_label"])
        if codes and side.codes.size != codes[0].size:
            raise ArgumentValueError(
                called,
                f"must have the same length as `{first_called}`; got {side.codes.size} and {codes[0].size}.",
                first_called,
            )
        if codes and given["align"] == "raise":
            check_indexes(first_called, first_labels, called, labels)
        for mask in masks_left_out(called, side, noise=given["noise"], missing=given["missing"]):
            left_out = mask.copy() if left_out is None else left_out | mask
        numbered, n_clusters = relabel(side.codes)
        noise_code = None
        if given["noise"] == "singletons" and side.noise_code is not None:
            is_noise = side.codes == side.noise_code
            noise_code = int(numbered[is_noise.argmax()]) if is_noise.any() else None
        codes.append(numbered.astype(_narrowest(n_clusters)))
        read.append(side)
        noise_codes.append(noise_code)
    kept = None if left_out is None else ~left_out
    if kept is not None:
        if kept.size and not kept.any():
            raise ArgumentValueError(
                argument,
                "must share an object that has a label, and is not dropped as noise, in every clustering; got"
                f" none among {kept.size}.",
            )
        codes = [each[kept] for each in codes]
    for k, noise_code in enumerate(noise_codes):
        if noise_code is not None:
            codes[k] = singled_out(codes[k], noise_code)
        if kept is not None or noise_code is not None:
            numbered, n_clusters = relabel(codes[k])
            codes[k] = numbered.astype(_narrowest(n_clusters))
    cluster_labels = tuple(
        _cluster_labels(side, each, kept, noise_code is not None, given["noise_label"])
        for side, each, noise_code in zip(read, codes, noise_codes, strict=True)
    )
    together = np.stack(codes)
    together.flags.writeable = False
    sizes = tuple(np.bincount(each).astype(np.int64) for each in together)
    for each in sizes:
        each.flags.writeable = False
    names = tuple(name for _, name, _ in sides)
    return Clusterings(
        names=names,
        codes=together,
        sizes=sizes,
        cluster_labels=cluster_labels,
        labels=tuple(side.labels for side in read),
        kept=kept,
    )


def _cluster_labels(
    side: EncodedLabels,
    codes: npt.NDArray[Any],
    kept: Booleans | None,
    noise_is_single: bool,
    noise_label: Hashable,
) -> npt.NDArray[Any]:
    """What each cluster is called: by one of its objects, and its position if that is noise on its own."""
    first = np.zeros(int(codes.max()) + 1 if codes.size else 0, dtype=np.int64)
    first[codes[::-1]] = np.arange(codes.size)[::-1]
    positions = first if kept is None else np.flatnonzero(kept)[first]
    of_first = side.codes[positions]
    found = side.names(of_first)
    alone = of_first == side.noise_code if noise_is_single else np.zeros(first.size, dtype=np.bool_)
    if alone.any():
        names = found.tolist()
        for k in np.flatnonzero(alone).tolist():
            names[k] = (noise_label, int(positions[k]))
        found = as_objects(names)
    found.flags.writeable = False
    return found


def _narrowest(n_clusters: int) -> np.dtype[Any]:
    """Smallest unsigned type for cluster numbers below this."""
    return np.min_scalar_type(max(n_clusters - 1, 0))
