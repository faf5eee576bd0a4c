"""Strata, such as batches or images: the cluster sizes in each, where chance exchanges objects within them.

Kept are the clusters that occur in a stratum, with their places among all clusters, since most strata of many
have few of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.machine.arrays import AnyArray, Booleans, Integers
from chancecorr.machine.cached import cached_property
from chancecorr.tables.contingency import Margins
from chancecorr.tables.crosstab import numbered
from chancecorr.tables.grouping import read_partition

if TYPE_CHECKING:
    from scipy.sparse import csr_array


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


def read_strata(strata: Any, codes: tuple[AnyArray, AnyArray], given: int, kept: Booleans | None) -> Strata:
    """Strata from the stratum of each object, and the codes of the clusters of those that are kept."""
    from scipy.sparse import csr_array

    numbers, n_strata = read_partition("strata", strata, given, kept)
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
