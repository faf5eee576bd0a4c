"""Biclusterings: rows and columns of a matrix are clustered, and each block of cells is a cluster."""

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from chancecorr.clusterings.clustering import Kind
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Integers
from chancecorr.tables.contingency import MAX_OBJECTS, ContingencyTable
from chancecorr.tables.names import ObjectNames, match_entries
from chancecorr.tables.objects import number_parts
from chancecorr.tables.reading import contingency_table, read_side

Tables = tuple[ContingencyTable, ContingencyTable]  # of the row clusters, and of the column clusters


@dataclass(frozen=True, slots=True, eq=False)
class Biclusters(Kind):
    """Clusters of the rows and clusters of the columns of a matrix: each block of cells is a cluster.

    Parameters
    ----------
    rows, columns : array-like of shape (rows,), (columns,), Series, or {name: cluster}
        Cluster of each row, and of each column. Rows and columns with names are matched with the other
        biclustering by name.

    Raises
    ------
    ValueError, TypeError
        If a label is missing, or an input does not hold labels.

    See Also
    --------
    chancecorr.adjust : Compare two biclusterings; chance permutes the rows and the columns independently.

    Notes
    -----
    Index ``"rand"`` is corrected by the exact mean under permutations of rows and columns. The index of
    Robert, Vasseur & Brault (2021), doi:10.1007/s00357-020-09379-w (CARI), corrects as if cells were
    permuted: it is the observed value of ``"adjusted_rand"``, whose expected value is above 0.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> first, second = Biclusters([0, 0, 1, 1], [0, 0, 1]), Biclusters([0, 0, 0, 1], [0, 1, 1])
    >>> score = adjust(first, second)
    >>> round(score.expected, 6), score.p_value_from
    (0.651515, 'exact')
    """

    rows: Integers
    columns: Integers
    word: ClassVar[str] = "biclusters"
    default_indices: ClassVar[tuple[str, ...]] = ("rand",)
    has_objects: ClassVar[bool] = False
    names: tuple[ObjectNames, ObjectNames] = field(init=False, repr=False)  # of the rows and of the columns

    def __post_init__(self) -> None:
        """Number both kinds of labels from 0, and keep the names of the rows and of the columns."""
        objects = []
        for name in ("rows", "columns"):
            given, kind = getattr(self, name), name.removesuffix("s")
            if getattr(given, "dtype", None) == np.bool_ and given.ndim == 2:
                raise ArgumentValueError(
                    name,
                    f"must hold one label for each {kind}; got booleans of shape {given.shape}, a row for"
                    f" each bicluster. Pass `{kind}_labels_` of the estimator.",
                )
            labels, names = read_side(name, given)
            objects.append(names)
            object.__setattr__(self, name, number_parts(name, labels)[0])
        object.__setattr__(self, "names", tuple(objects))

    def tables_with(self, other: "Biclusters", names: tuple[str, str]) -> "Tables":
        """Return the tables of the row clusters and of the column clusters; errors use `names`."""
        shapes = [(side.rows.size, side.columns.size) for side in (self, other)]
        if shapes[0] != shapes[1]:
            raise ArgumentValueError(
                names[1], f"must be of a matrix of shape {shapes[0]}; got {shapes[1]}.", names[0]
            )
        if math.prod(shapes[0]) > MAX_OBJECTS:
            raise ArgumentValueError(
                names[0], f"must be of a matrix of at most {MAX_OBJECTS:,} cells; got shape {shapes[0]}."
            )
        sides = zip(
            (self.rows, self.columns), (other.rows, other.columns), self.names, other.names, strict=True
        )
        tables = []
        for first, second, objects, own in sides:
            known = replace(objects, reference=names[0])
            places = match_entries(names[1], own.own, known, "labels")
            tables.append(contingency_table(first, second if places is None else second[places]))
        return tables[0], tables[1]
