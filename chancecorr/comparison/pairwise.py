"""Every two of many clusterings compared, corrected for chance: matrices of adjusted scores."""

import dataclasses
import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from chancecorr.arguments import ArgumentTypeError, one_of
from chancecorr.comparison.clusterings import Clusterings, read_clusterings
from chancecorr.comparison.expected import expected_by_pairs
from chancecorr.comparison.matrix_html import matrix_table
from chancecorr.comparison.pair_sums import pair_sums
from chancecorr.correction import html
from chancecorr.correction.adjust import score_against
from chancecorr.correction.against import adjusted_pair_sum, set_against
from chancecorr.correction.best import best_value, check_best
from chancecorr.correction.nulls import expected_value, null_distributions
from chancecorr.correction.question import Question
from chancecorr.correction.request import (
    MANY_DEFAULTS,
    READING_DEFAULTS,
    LabelOptions,
    Request,
    keywords,
    request,
)
from chancecorr.correction.scores import why_not_adjusted
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.indices.evaluation import values_of_varying_sums
from chancecorr.indices.registry import Index, get_index
from chancecorr.kinds import kind_of
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.printing import fixed
from chancecorr.simulation.progress import progress_over
from chancecorr.tables.contingency import Margins

if TYPE_CHECKING:
    import pandas

BLOCK = 65_536
"""Pairs of which the observed values are computed at a time."""

SHOWN = 12
"""Clusterings up to which the matrix is written out in plain text."""

SHOWN_IN_HTML = 40
"""The same in a notebook."""

LINKAGES = ("single", "complete", "average", "weighted", "centroid", "median", "ward")
"""Methods of SciPy's hierarchical clustering."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairwiseScores:
    """Adjusted scores of every two of m clusterings, row i against column j.

    Attributes
    ----------
    index : str
        Name of the index.
    names : tuple, length m
        Names of the clusterings.
    n : int
        Number of objects.
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

    Examples
    --------
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
    p_value: Floats | None = None
    p_is_bound: Booleans | None = None
    notes: tuple[str, ...] = ()

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
        """Why pairs have no adjusted score, a line a reason with their number and the first; the `notes`."""
        m, symmetric = len(self), self.is_symmetric
        found: dict[str, list[tuple[int, int]]] = {}
        for i, j in np.argwhere(~np.isfinite(self.adjusted)).tolist():
            if i <= j or not symmetric:
                why = why_not_adjusted(self.observed[i, j], self.expected[i, j], self.best[i, j])
                found.setdefault(why, []).append((i, j))
        of = m * (m + 1) // 2 if symmetric else m * m
        return [
            f"{len(pairs)} of {of} pairs not adjusted, {self.names[pairs[0][0]]!r} with"
            f" {self.names[pairs[0][1]]!r} the first; {why}"
            for why, pairs in found.items()
        ] + [f"of some pairs {note}" for note in self.notes]

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
        >>> scores = pairwise({"a": [0, 0, 1, 1], "b": [5, 5, 7, 7], "c": [0, 1, 0, 1]})
        >>> scores.linkage()[:, :2].tolist()  # first "a" with "b", at distance 0, then "c" with both
        [[0.0, 1.0], [2.0, 3.0]]
        """
        one_of("method", method, LINKAGES)
        from scipy.cluster.hierarchy import linkage

        found: Floats = linkage(self.distances(), method)
        return found

    def to_frame(self, values: str | None = None) -> "pandas.DataFrame":
        """One row a pair, or one of the matrices, as a data frame (needs pandas).

        Parameters
        ----------
        values : {"adjusted", "observed", "expected", "best", "p_value"}, optional
            The matrix, with the names as rows and columns. Left out: the columns are `reference`,
            `candidate`, and these numbers; pairs of different clusterings, each once where the order does not
            matter.

        Returns
        -------
        pandas.DataFrame
            A row for each pair, or a matrix of shape (m, m).
        """
        import pandas

        matrices = {name: getattr(self, name) for name in ("adjusted", "observed", "expected", "best")}
        if self.p_value is not None:
            matrices["p_value"] = self.p_value
        names = pandas.Index(list(self.names), tupleize_cols=False)
        if values is not None:
            one_of("values", values, matrices)
            return pandas.DataFrame(matrices[values], index=names, columns=names)
        apart = np.triu if self.is_symmetric else np.asarray
        rows, columns = np.nonzero(apart(~np.eye(len(self), dtype=np.bool_)))
        pairs = {"reference": names[rows], "candidate": names[columns]}
        return pandas.DataFrame(pairs | {name: each[rows, columns] for name, each in matrices.items()})

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists.

        Returns
        -------
        dict
            Names, matrices as lists of rows, `medoid` and `remarks`.
        """
        matrices = {
            name: None if getattr(self, name) is None else getattr(self, name).tolist()
            for name in ("adjusted", "observed", "expected", "best", "p_value", "p_is_bound")
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
        """What was compared, the adjusted scores where they are not too many, and remarks."""
        lines = [self._headline()]
        if len(self) <= SHOWN:
            rows = self.cells()
            first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
            for name, *numbers in rows:
                padded = (number.rjust(width) for number, width in zip(numbers, others, strict=True))
                lines.append("  ".join((name.ljust(first), *padded)).rstrip())
        return "\n".join([*lines, *self.remarks])

    def _repr_html_(self) -> str:
        """The same for a notebook, cells as blue as they are near 1."""
        table = matrix_table(self.cells(), self.adjusted) if len(self) <= SHOWN_IN_HTML else ""
        return html.remarks([self._headline()]) + table + html.remarks(self.remarks)

    def _headline(self) -> str:
        others = self.adjusted[~np.eye(len(self), dtype=np.bool_)]
        finite = others[np.isfinite(others)]
        line = f"PairwiseScores({self.index!r}, {len(self)} clusterings of {self.n} objects"
        if finite.size:
            line += f", adjusted from {fixed(finite.min(), 3)} to {fixed(finite.max(), 3)}"
            line += f", medoid {self.medoid!r}"
        return line + ")"


@keywords({**MANY_DEFAULTS, **READING_DEFAULTS})
def pairwise(
    clusterings: Any,
    *,
    index: str | Index = "rand",
    p_values: bool = False,
    **options: Unpack[LabelOptions],
) -> PairwiseScores:
    """Agreement of every two of many clusterings of the same objects, corrected for chance.

    Each clustering is read once, whatever their number; see the notes for what the rest costs.

    Parameters
    ----------
    clusterings : dict, list, array-like of shape (m, n), or data frame
        At least two: names and label vectors; label vectors; one clustering a row; or one clustering a column
        (pandas, polars, Arrow).
    index : str or Index
        What measures agreement; see `list_indices`.
    p_values : bool
        Whether p-values are wanted. They take what `adjust` takes for each pair with cluster sizes of its
        own, up to seconds, where the adjusted scores alone often take a fraction of a millisecond.
    method, n_tables, rng, n_jobs, model, best, alternative, tail, precision, controls, budget
        As in `adjust`. All pairs have the same seed, and share the seconds of a budget. Without `p_values`
        nothing but the mean of the index is looked for where the cluster sizes tell that.
    progress : bool, optional
        Progress bar on stderr over the pairs; None shows it on a terminal when the work takes longer than a
        second.
    noise, noise_label, missing, align
        As in `contingency_table`, but that with ``missing="drop"`` or ``noise="drop"`` an object that is
        missing, or noise, in any clustering is left out of all: all scores are about the same objects. For
        scores of a pair about all objects that these two have, call `adjust` on the pair.

    Returns
    -------
    PairwiseScores
        Matrices of shape (m, m), names, `medoid`, `linkage`, `plot`.

    Raises
    ------
    ValueError, TypeError
        If an argument breaks its rule: fewer than two clusterings, two of one name, different lengths,
        missing labels, pandas indexes that differ; the message says which.
    IndexEvaluationError
        If a user's index raises, returns something other than a number, or fails its trial.

    Notes
    -----
    Entry (i, j) is ``adjust(clusterings[i], clusterings[j])``, the row as reference. Where both the index and
    the model are symmetric, entries below the diagonal are those above it. The numbers are the same to the
    last bit, with two exceptions where both are right to rounding. Without `p_values` and with
    ``method="auto"``, a mean that follows from the cluster sizes is not taken from an enumerated law. And the
    mean of a pair-counting index that is not affine in ``sum n_ij**2``, such as Jaccard, comes from a shorter
    quadrature where that is as good: within 1e-12 of the index's standard deviation.

    Pairs with the same cluster sizes share their null distribution. Pair-counting indices, the margins being
    fixed, take a table of counts and 0.1 ms or less for each pair of clusterings of many objects, in blocks
    of pairs, so that memory does not grow beyond the matrices; other indices take what their mean takes.

    Clusterings with one cluster, or with one object in each, leave nothing to correct: their scores are nan,
    and `PairwiseScores.remarks` says so. So it is for a single object. No object at all is refused where some
    were left out.

    Examples
    --------
    >>> scores = pairwise({"a": [0, 0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 2, 2], "c": [0, 0, 0, 1, 1, 2]})
    >>> scores
    PairwiseScores('rand', 3 clusterings of 6 objects, adjusted from 0.074 to 0.706, medoid 'a')
           a      b      c
    a  1.000  0.242  0.706
    b  0.242  1.000  0.074
    c  0.706  0.074  1.000
    """
    entry = get_index(index)
    if not isinstance(p_values, bool):
        raise ArgumentTypeError("p_values", f"must be True or False; got {p_values!r}.")
    given: dict[str, Any] = dict(options)
    reading = {name: given.pop(name) for name in READING_DEFAULTS if name in given}
    asked = request(given)
    check_best((entry,), asked.best)
    read = read_clusterings("clusterings", clusterings, least=2, reading=reading)
    symmetric = entry.symmetric and asked.model.rows.name == asked.model.columns.name
    rows, columns = np.triu_indices(len(read)) if symmetric else np.indices((len(read),) * 2).reshape(2, -1)
    found = _Pairs(rows=rows, columns=columns, p_values=p_values)
    left = np.ones(rows.size, dtype=np.bool_)
    if not p_values and _by_pair_sums(entry, asked):
        left = _fill_by_pair_sums(found, entry, read, asked)
    _fill_one_by_one(found, np.flatnonzero(left), entry, read, asked)
    return PairwiseScores(
        index=entry.name,
        names=read.names,
        n=read.n,
        adjusted=found.matrix(found.adjusted, len(read)),
        observed=found.matrix(found.observed, len(read)),
        expected=found.matrix(found.expected, len(read)),
        best=found.matrix(found.best, len(read)),
        p_value=found.matrix(found.p_value, len(read)) if p_values else None,
        p_is_bound=found.matrix(found.p_is_bound, len(read)).astype(np.bool_) if p_values else None,
        notes=tuple(found.notes),
    )


class _Pairs:
    """Numbers of pairs on their way into matrices."""

    def __init__(self, rows: Integers, columns: Integers, *, p_values: bool) -> None:
        self.rows, self.columns = rows, columns
        self.observed, self.expected, self.best, self.adjusted = np.full((4, rows.size), math.nan)
        self.p_value, self.p_is_bound = np.full((2, rows.size if p_values else 0), math.nan)
        self.notes: dict[str, None] = {}

    def matrix(self, values: Floats, m: int) -> Floats:
        """Values of the pairs as a matrix that cannot be changed, the upper triangle mirrored."""
        matrix = np.empty((m, m))
        matrix[self.columns, self.rows] = values
        matrix[self.rows, self.columns] = values
        matrix.flags.writeable = False
        return matrix


def _by_pair_sums(index: Index, asked: Request) -> bool:
    """Whether means of many pairs can be had at once: those of functions of T, the margins being fixed."""
    return (
        kind_of(index).goes_by_pair_sum
        and not index.with_totals
        and asked.model.keeps_margins
        and (asked.method.name == "auto" or asked.method.needs_moments)
        and (asked.best is None or isinstance(asked.best, Real))
    )


def _fill_by_pair_sums(found: _Pairs, index: Index, read: Clusterings, asked: Request) -> Booleans:
    """Scores of all pairs at once; returns which pairs are left."""
    n = read.n
    rows, columns = found.rows, found.columns
    if index.affine:  # it is tried on one pair whether it is
        kind_of(index).moments(index, Margins(read.sizes[0], read.sizes[1]), asked.method)
    sums = pair_sums(read, asked.n_jobs)
    squares = np.diagonal(sums)
    found.expected[:], known = expected_by_pairs(index, read.sizes, rows, columns)
    for start in range(0, rows.size, BLOCK):
        block = slice(start, start + BLOCK)
        i, j = rows[block], columns[block]
        found.observed[block] = values_of_varying_sums(index, sums[i, j], squares[i], squares[j], n)
    if asked.best is not None or index.best is not None:
        found.best[:] = float(index.best if asked.best is None else asked.best)  # type: ignore[arg-type]
    else:
        own = values_of_varying_sums(index, squares, squares, squares, n)
        found.best[:] = (own[rows] + own[columns]) / 2
    # T is constant beside a clustering of one cluster, or of one object in each
    alone = (squares == n) | (squares == n * n)
    constant = alone[rows] | alone[columns]
    i, j = rows[known], columns[known]
    found.adjusted[known] = [
        set_against(index, *numbers, adjusted_pair_sum(index, *sums_of_pair, n, asked))
        for numbers, sums_of_pair in zip(
            zip(
                found.observed[known].tolist(),
                found.best[known].tolist(),
                found.expected[known].tolist(),
                constant[known].tolist(),
                strict=True,
            ),
            zip(sums[i, j].tolist(), squares[i].tolist(), squares[j].tolist(), strict=True),
            strict=True,
        )
    ]
    return ~known


def _fill_one_by_one(found: _Pairs, left: Integers, index: Index, read: Clusterings, asked: Request) -> None:
    """Scores of the pairs that are left, those with the same cluster sizes one after another."""
    groups = list(_in_groups(found, left, read))
    quiet = dataclasses.replace(asked, progress=False).split_budget(sum(is_new for *_, is_new in groups))
    with progress_over("pairs", left.size, asked.progress) as show:
        for done, (place, margins, is_new) in enumerate(groups, start=1):
            table = read.table(int(found.rows[place]), int(found.columns[place]))
            if found.p_value.size:
                if is_new:
                    question = Question(index=index, margins=margins, asked=quiet)
                    null = null_distributions((question,))[index.name]
                score = score_against(question, table, null, 1)
                found.observed[place], found.expected[place] = score.observed, score.expected
                found.best[place], found.adjusted[place] = score.best, score.adjusted
                found.p_value[place], found.p_is_bound[place] = score.p_value, score.p_is_bound
                found.notes |= dict.fromkeys(score.notes)
            else:
                if is_new:
                    mean = expected_value(Question(index=index, margins=margins, asked=quiet))
                    best = best_value(index, margins, asked.best)
                    low, high = pair_sum_range(margins)
                observed = kind_of(index).value(index, table)
                found.observed[place], found.expected[place], found.best[place] = observed, mean, best
                exactly = adjusted_pair_sum(index, table.sum_of_squares, *margins.squares, read.n, quiet)
                found.adjusted[place] = set_against(index, observed, best, mean, low == high, exactly)
            show(done)


def _in_groups(found: _Pairs, left: Integers, read: Clusterings) -> Iterator[tuple[int, Margins, bool]]:
    """The pairs by their cluster sizes: place, margins, and whether these differ from those before."""
    numbers: dict[bytes, int] = {}
    group = np.array([numbers.setdefault(sizes.tobytes(), len(numbers)) for sizes in read.sizes])
    keys = group[found.rows[left]] * len(numbers) + group[found.columns[left]]
    before, margins = -1, Margins([], [])
    for position in np.argsort(keys, kind="stable").tolist():
        place, key = int(left[position]), int(keys[position])
        if key != before:
            margins = Margins(read.sizes[found.rows[place]], read.sizes[found.columns[place]])
        yield place, margins, key != before
        before = key
