"""The result of `pairwise`: matrices of adjusted scores, and what follows from them."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.arguments import one_of
from chancecorr.correction.score_table import Exported, why_not_adjusted
from chancecorr.correction.scores import none_of
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.printing import fixed
from chancecorr.show import TextTable, paragraphs
from chancecorr.tables.dataframes import import_pandas

if TYPE_CHECKING:
    import pandas

CLUSTERINGS_SHOWN = 12
"""Clusterings up to which the matrix is written out in plain text."""

CLUSTERINGS_SHOWN_IN_HTML = 40
"""Clusterings up to which it is in a notebook."""

LINKAGES = ("single", "complete", "average", "weighted", "centroid", "median", "ward")
"""Methods of SciPy's hierarchical clustering."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairwiseScores(Exported):
    """Adjusted scores of every two of m clusterings, row i against column j.

    Attributes
    ----------
    index : str
        Name of the index.
    names : tuple, length m
        Names of the clusterings.
    n : int
        Number of objects.
    objects : ndarray of int64, shape (m, m)
        How many of them both clusterings have.
    adjusted : ndarray of float64, shape (m, m)
        ``(observed - expected) / (best - expected)``: 0 when no better than chance, 1 at best; nan where
        `expected` equals `best` or anything is undefined, and `remarks` says why. Each row is a reference,
        each column a candidate; symmetric where the index and the model are.
    observed, expected, best : ndarray of float64, shape (m, m)
        The raw index, its mean under chance, and its value at perfect agreement.
    p_value : ndarray of float64, shape (m, m), or None
        Probability that chance agrees at least as well; None unless it was asked for.
    p_is_bound : ndarray of bool, shape (m, m), or None
        Whether `p_value` is a proven bound of the probability.
    notes : tuple of str
        As `AdjustedScore.notes`, each once.
    reading_note : str
        How many objects are left out of all pairs; mostly empty.

    Examples
    --------
    >>> from chancecorr import pairwise
    >>> scores = pairwise({"a": [0, 0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 2, 2]})
    >>> scores.names, scores.adjusted.round(6).tolist()
    (('a', 'b'), [[1.0, 0.242424], [0.242424, 1.0]])
    """

    index: str
    names: tuple[Hashable, ...]
    n: int
    adjusted: Floats
    observed: Floats
    expected: Floats
    best: Floats
    objects: Integers
    p_value: Floats | None = None
    p_is_bound: Booleans | None = None
    notes: tuple[str, ...] = ()
    reading_note: str = ""

    def __getitem__(self, pair: tuple[Hashable, Hashable]) -> float:
        """Adjusted score of two clusterings by their names, the reference first."""
        for name in pair:
            if name not in self.names:
                raise KeyError(none_of(name, self.names, "clustering"))
        row, column = (self.names.index(name) for name in pair)
        return float(self.adjusted[row, column])

    def __len__(self) -> int:
        """Number of clusterings m."""
        return len(self.names)

    @property
    def is_symmetric(self) -> bool:
        """Whether exchanging two clusterings changes nothing."""
        return all(
            np.array_equal(matrix, matrix.T, equal_nan=True) for matrix in (self.adjusted, self.observed)
        )

    @property
    def agreement(self) -> Floats:
        """Mean adjusted score of each clustering with the others, shape (m,).

        Of both directions where these differ. Pairs without an adjusted score do not count; nan where there
        is no other.
        """
        both = np.stack([self.adjusted, self.adjusted.T])
        both[:, np.arange(len(self)), np.arange(len(self))] = math.nan
        counted = np.isfinite(both)
        with np.errstate(invalid="ignore"):
            means: Floats = np.where(counted, both, 0.0).sum(axis=(0, 1)) / counted.sum(axis=(0, 1))
        return means

    @property
    def medoid(self) -> Hashable:
        """Name of the clustering with the highest `agreement`, the first of several; None if all are nan."""
        agreement = self.agreement
        return self.names[int(np.nanargmax(agreement))] if np.isfinite(agreement).any() else None

    @property
    def remarks(self) -> list[str]:
        """Objects that are left out; why pairs have no adjusted score, a line a reason; the `notes`."""
        left_out = [self.reading_note] if self.reading_note else []
        if self.objects.min() < self.n:
            fewest = f"{self.objects.min():,} to {self.objects.max():,} of {self.n:,} objects"
            left_out.append(f"pairs are about the {fewest} that both clusterings have")
        m, symmetric = len(self), self.is_symmetric
        found: dict[str, list[tuple[int, int]]] = {}
        for i, j in np.argwhere(~np.isfinite(self.adjusted)).tolist():
            if i <= j or not symmetric:
                why = why_not_adjusted(self.observed[i, j], self.expected[i, j], self.best[i, j])
                found.setdefault(why, []).append((i, j))
        of = m * (m + 1) // 2 if symmetric else m * m
        for why, pairs in found.items():
            a, b = (self.names[k] for k in pairs[0])
            left_out.append(f"{len(pairs)} of {of} pairs not adjusted, {a!r} with {b!r} the first; {why}")
        return left_out + [f"of some pairs {note}" for note in self.notes]

    def distances(self) -> Floats:
        """``1 - adjusted`` of all pairs of different clusterings, as SciPy's clustering takes it.

        Returns
        -------
        ndarray of float64, shape (m (m - 1) / 2,)
            From 0 on: the mean of both directions where these differ, 0 where `adjusted` is above 1, and 1,
            the distance of a pair that agrees no better than chance, where there is no adjusted score.
        """
        rows, columns = np.triu_indices(len(self), 1)
        adjusted = (self.adjusted[rows, columns] + self.adjusted[columns, rows]) / 2.0
        distances: Floats = np.where(np.isfinite(adjusted), np.maximum(1.0 - adjusted, 0.0), 1.0)
        return distances

    def linkage(self, method: str = "average") -> Floats:
        """Hierarchical clustering of the clusterings by their `distances`.

        Parameters
        ----------
        method : str
            As in ``scipy.cluster.hierarchy.linkage``.

        Returns
        -------
        ndarray of float64, shape (m - 1, 4)
            Linkage matrix, for ``scipy.cluster.hierarchy.dendrogram`` or ``fcluster``.

        Examples
        --------
        >>> from chancecorr import pairwise
        >>> scores = pairwise({"a": [0, 0, 1, 1], "b": [5, 5, 7, 7], "c": [0, 1, 0, 1]})
        >>> scores.linkage()[:, :2].tolist()  # first "a" with "b", at distance 0, then "c" with both
        [[0.0, 1.0], [2.0, 3.0]]
        """
        one_of("method", method, LINKAGES)
        from scipy.cluster.hierarchy import linkage

        found: Floats = linkage(self.distances(), method)
        return found

    def to_frame(self) -> "pandas.DataFrame":
        """One row a pair, as a data frame (needs pandas).

        Returns
        -------
        pandas.DataFrame
            `reference`, `candidate`, and the numbers of the pair; pairs of different clusterings, each once
            where the order does not matter.
        """
        pandas = import_pandas()

        return pandas.DataFrame(self.pairs())

    def pairs(self) -> dict[str, list[Any]]:
        """Columns of a table of pairs of different clusterings, each once if the order does not matter.

        Returns
        -------
        dict of list
            `reference`, `candidate`, and the numbers of the pair.
        """
        apart = np.triu if self.is_symmetric else np.asarray
        rows, columns = np.nonzero(apart(~np.eye(len(self), dtype=np.bool_)))
        named = {"reference": rows, "candidate": columns}
        found = {name: [self.names[k] for k in places.tolist()] for name, places in named.items()}
        numbers = ("objects", "adjusted", "observed", "expected", "best", "p_value")
        known = {name: each for name in numbers if (each := getattr(self, name)) is not None}
        return found | {name: each[rows, columns].tolist() for name, each in known.items()}

    def plot(self, **options: Any) -> Any:
        """Draw the matrix of scores (needs matplotlib).

        Parameters
        ----------
        **options
            Keywords of `chancecorr.plotting.plot_pairwise`.

        Returns
        -------
        matplotlib Axes
            What that function returns.
        """
        from chancecorr.plotting.pairwise import plot_pairwise

        return plot_pairwise(self, **options)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists.

        Returns
        -------
        dict
            Names, matrices as lists of rows, `medoid` and `remarks`.
        """
        matrices = {
            name: None if getattr(self, name) is None else getattr(self, name).tolist()
            for name in ("adjusted", "observed", "expected", "best", "objects", "p_value", "p_is_bound")
        }
        about = {"index": self.index, "names": list(self.names), "n": self.n, "medoid": self.medoid}
        return about | matrices | {"remarks": self.remarks}

    def cells(self) -> list[list[str]]:
        """Adjusted scores to three digits, a header and a row for each clustering; a dash for nan.

        Returns
        -------
        list of list of str
            The names in the first row and the first column.
        """
        header = ["", *map(str, self.names)]
        return [header] + [
            [str(name), *(fixed(x, 3) for x in row)]
            for name, row in zip(self.names, self.adjusted.tolist(), strict=True)
        ]

    def __repr__(self) -> str:
        """The clusterings compared, the adjusted scores where they are not too many, and remarks."""
        if len(self) > CLUSTERINGS_SHOWN:
            return "\n".join([self._headline(), *self.remarks])
        return self._table().to_text()

    def _repr_html_(self) -> str:
        """As `repr`, for a notebook, with more clusterings, and cells as blue as they are near 1."""
        if len(self) > CLUSTERINGS_SHOWN_IN_HTML:
            return paragraphs([self._headline(), *self.remarks])
        return self._table().to_html(shades=self.adjusted.tolist())

    def _table(self) -> TextTable:
        """The cells between headline and remarks."""
        columns, *rows = self.cells()
        return TextTable(columns=columns, rows=rows, caption=self._headline(), notes=self.remarks)

    def _headline(self) -> str:
        others = self.adjusted[~np.eye(len(self), dtype=np.bool_)]
        finite = others[np.isfinite(others)]
        line = f"PairwiseScores({self.index!r}, {len(self)} clusterings of {self.n} objects"
        if finite.size:
            line += f", adjusted from {fixed(finite.min(), 3)} to {fixed(finite.max(), 3)}"
            line += f", medoid {self.medoid!r}"
        return line + ")"
