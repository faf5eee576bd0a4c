"""Every two of many clusterings compared: matrices of adjusted scores, and what follows from them."""

import dataclasses
import itertools
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chancecorr.arguments import Alternative, ArgumentTypeError, one_of
from chancecorr.budget import Budget
from chancecorr.chance.engine import engine_of
from chancecorr.chance.fixed_margins import check_best, find_best_pair_sum, score_pair_sum
from chancecorr.chance.methods import MethodName
from chancecorr.chance.models import model_of_margins
from chancecorr.chance.options import MonteCarlo, Options, read_options, refuse_checkpoint
from chancecorr.comparison.clusterings import Clusterings, Drop, read_many
from chancecorr.correction.adjust import compute_score
from chancecorr.correction.nulls import find_mean, find_nulls
from chancecorr.correction.score_table import Exported, why_not_adjusted
from chancecorr.correction.scores import none_of
from chancecorr.exact.additive import score_sums_of_pairs
from chancecorr.exact.index_of_pair_sum import affine_mean
from chancecorr.exact.quadrature import compute_means_of_pairs
from chancecorr.exact.summary import score_index
from chancecorr.indices.evaluation import values_of_varying_sums
from chancecorr.indices.registry import AnyIndex, Index, find_index
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.null.seeding import RNG
from chancecorr.printing import fixed
from chancecorr.show import Pictured, TextTable, paragraphs
from chancecorr.simulation.workers import progress_over
from chancecorr.tables.contingency import ContingencyTable, Margins
from chancecorr.tables.dataframes import import_pandas
from chancecorr.tables.reading import Missing, NoiseOfSides, note_of_left_out

if TYPE_CHECKING:
    import pandas

CLUSTERINGS_SHOWN = 12
"""Clusterings up to which the matrix is written out in plain text."""

CLUSTERINGS_SHOWN_IN_HTML = 40
"""Clusterings up to which it is in a notebook."""

LINKAGES = ("single", "complete", "average", "weighted", "centroid", "median", "ward")
"""Methods of SciPy's hierarchical clustering."""


PAIRS_AT_A_TIME = 65_536
"""Pairs of which the observed values are computed at a time."""

FIELDS = ("adjusted", "observed", "expected", "best", "p_value", "p_is_bound")
"""Numbers of a pair; the last two if p-values are options for."""

Found = dict[str, Floats]
"""Numbers of all pairs, by field."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairwiseScores(Exported, Pictured):
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
        places: dict[str, list[tuple[int, int]]] = {}
        for i, j in np.argwhere(~np.isfinite(self.adjusted)).tolist():
            if i <= j or not symmetric:
                why = why_not_adjusted(self.observed[i, j], self.expected[i, j], self.best[i, j])
                places.setdefault(why, []).append((i, j))
        of = m * (m + 1) // 2 if symmetric else m * m
        for why, pairs in places.items():
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

        tree: Floats = linkage(self.distances(), method)
        return tree

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
        columns_of_names = {name: [self.names[k] for k in places.tolist()] for name, places in named.items()}
        numbers = ("objects", "adjusted", "observed", "expected", "best", "p_value")
        known = {name: each for name in numbers if (each := getattr(self, name)) is not None}
        return columns_of_names | {name: each[rows, columns].tolist() for name, each in known.items()}

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


def pairwise(
    clusterings: Any,
    index: AnyIndex = "rand",
    *,
    p_values: bool = False,
    drop: Drop = "each",
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str = "permutation",
    best: float | Literal["mean", "model"] | None = None,
    alternative: Alternative | None = None,
    budget: float | Budget | None = None,
    progress: bool | None = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
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
    method, n_tables, rng, n_jobs, model, best, alternative, budget
        As in `adjust`. All pairs have the same seed, and share the seconds of a budget. Without `p_values`
        only the mean of the index is computed if the cluster sizes determine it.
    progress : bool, optional
        Progress bar on stderr over the pairs; None shows it on a terminal when the work takes longer than a
        second.
    drop : {"each", "common"}
        What is left out if ``noise="drop"`` or ``missing="drop"``. ``"each"``: a pair is about all objects
        that both have. ``"common"``: all pairs are about the objects that no clustering leaves out; one that
        takes more than 5 % of the objects from the others is warned of.
    noise, missing
        As in `contingency_table`, without a pair for noise.

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
    Entry (i, j) is ``adjust(clusterings[i], clusterings[j])``, the row as reference; if both the index and
    the model are symmetric, entries below the diagonal are those above it. The numbers are the same to the
    last bit, with two exceptions that are both right to rounding: without `p_values` and with
    ``method="auto"``, a mean that follows from the cluster sizes is not taken from an enumerated law; and the
    mean of a pair-counting index that is not affine in ``sum n_ij**2`` may come from a shorter quadrature,
    within 1e-12 of the index's standard deviation.

    Pairs with the same cluster sizes share their null distribution. Pair-counting indices with both margins
    fixed take 0.1 ms or less, and the counting of a table, for each pair; others take what their mean takes.
    Clusterings with one cluster, or with one object in each, leave nothing to correct: their scores are nan,
    and `PairwiseScores.remarks` says so.

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
    if not isinstance(p_values, bool):
        raise ArgumentTypeError("p_values", f"must be True or False; got {p_values!r}.")
    options = read_options(
        method=method,
        n_tables=n_tables,
        rng=rng,
        n_jobs=n_jobs,
        model=model,
        best=best,
        alternative=alternative,
        budget=budget,
        progress=progress,
    )
    *_, scores = score_pairs(
        "clusterings", clusterings, index, options, noise=noise, missing=missing, drop=drop, p_values=p_values
    )
    return scores


def score_pairs(
    argument: str,
    clusterings: Any,
    index: AnyIndex,
    options: Options,
    *,
    noise: NoiseOfSides,
    missing: Missing,
    drop: Drop,
    p_values: bool = False,
) -> tuple[Clusterings, Index, PairwiseScores]:
    """Clusterings and the index of a function of every two clusterings, and the scores of the pairs."""
    entry, remark = find_index(index, to_adjust=True)
    refuse_checkpoint(options)
    check_best((entry,), options.best)
    read = read_many(argument, clusterings, least=2, noise=noise, missing=missing, drop=drop)
    left_out = note_of_left_out(read.given, read.n, read.left_out) if drop == "common" else ""
    symmetric = entry.symmetric and options.model.rows.name == options.model.columns.name
    rows, columns = np.triu_indices(len(read)) if symmetric else np.indices((len(read),) * 2).reshape(2, -1)
    names = FIELDS if p_values else FIELDS[:4]
    found = {name: np.full(rows.size, math.nan) for name in names}
    notes: dict[str, None] = {}
    left = np.arange(rows.size)
    if not p_values and _at_once(entry, options) and not any(each is not None for each in read.kept):
        left = np.flatnonzero(~_fill_at_once(found, (rows, columns), entry, read, options))
    if left.size:
        notes = _fill_one_by_one(found, (rows, columns), left, entry, read, options)
    matrices = {name: _matrix(values, rows, columns, len(read)) for name, values in found.items()}
    if p_values:
        matrices["p_is_bound"] = matrices["p_is_bound"].astype(np.bool_)
    scores = PairwiseScores(
        index=entry.name,
        names=read.names,
        n=read.n,
        objects=_objects(read),
        notes=tuple(notes),
        reading_note="; ".join(note for note in (left_out, remark) if note),
        **matrices,
    )
    return read, entry, scores


def _objects(read: Clusterings) -> Integers:
    """Number of objects that both clusterings of each pair have, shape (m, m)."""
    m = len(read)
    found = np.full((m, m), read.n, dtype=np.int64)
    for i, j in zip(*(each.tolist() for each in np.triu_indices(m)), strict=True):
        both = read.in_both(i, j)
        if both is not None:
            found[i, j] = found[j, i] = int(both.sum())
    found.flags.writeable = False
    return found


def _at_once(index: Index, options: Options) -> bool:
    """Whether the means of many pairs can be computed at once: of functions of T or of sums over cells."""
    return (
        engine_of(index).determined
        and not index.with_totals
        and options.model.is_permutation
        and not (options.method.needs_law or options.method.only_tables)
        and (options.best is None or isinstance(options.best, Real))
    )


def _fill_at_once(
    found: Found, pairs: tuple[Integers, Integers], index: Index, read: Clusterings, options: Options
) -> Booleans:
    """Fill in the scores of all pairs whose means are known at once, and return which these are."""
    n, (rows, columns) = read.n, pairs
    squares = np.array([np.dot(each, each) for each in read.sizes], dtype=np.int64)
    alone = (squares == n) | (squares == n * n)  # with one cluster, or one object in each: T is constant
    constant = alone[rows] | alone[columns]
    exactly: Iterable[float | None] = itertools.repeat(None)
    if engine_of(index).goes_by_pair_sum:
        T = read.pair_sums()[rows, columns]
        observed, expected, known = _by_pair_sums(index, T, read.sizes, squares, pairs, options)
        sums = (each[known].tolist() for each in (T, squares[rows], squares[columns]))
        twice = find_best_pair_sum(index) if options.best is None else None
        if twice is not None:  # `_at_once` leaves out other models
            exactly = [score_pair_sum(twice, t, A, B, n) for t, A, B in zip(*sums, strict=True)]
    else:
        scores = score_sums_of_pairs(index, read.codes, read.sizes, pairs, options.method.mean_seconds)
        if scores is None:
            return np.zeros(rows.size, dtype=np.bool_)
        observed, expected, known = scores
        known &= ~constant
    if options.best is not None or index.best is not None:
        best = np.full(rows.size, float(index.best if options.best is None else options.best))  # type: ignore[arg-type]
    else:
        own = observed[rows == columns]
        best = (own[rows] + own[columns]) / 2
    for name, values in (("observed", observed), ("expected", expected), ("best", best)):
        found[name][known] = values[known]
    numbers = (values[known].tolist() for values in (observed, best, expected, constant))
    found["adjusted"][known] = [
        score_index(index, *values, constant=is_constant, exactly=of_pair)
        for *values, is_constant, of_pair in zip(*numbers, exactly, strict=False)
    ]
    return known


def _by_pair_sums(
    index: Index, T: Integers, sizes: Sequence[Integers], squares: Integers,
    pairs: tuple[Integers, Integers], options: Options,
) -> tuple[Floats, Floats, Booleans]:  # fmt: skip
    """Values and means of a function of T for all pairs, and of which the mean is known."""
    rows, columns = pairs
    if index.affine:  # tried on one pair
        affine_mean(index, Margins(sizes[0], sizes[1]))
    observed, n = np.empty(rows.size), int(sizes[0].sum())
    for start in range(0, rows.size, PAIRS_AT_A_TIME):
        block = slice(start, start + PAIRS_AT_A_TIME)
        A, B = squares[rows[block]], squares[columns[block]]
        observed[block] = values_of_varying_sums(index, T[block], A, B, n)
    return observed, *compute_means_of_pairs(index, sizes, rows, columns)


def _fill_one_by_one(
    found: Found,
    pairs: tuple[Integers, Integers],
    left: Integers,
    index: Index,
    read: Clusterings,
    options: Options,
) -> dict[str, None]:
    """Fill in the scores of the pairs that are left, those with equal cluster sizes together; their notes."""
    rows, columns = pairs
    groups: dict[tuple[bytes, bytes, int], list[int]] = {}
    sizes = [each.tobytes() for each in read.sizes]
    for place in left.tolist():
        i, j = int(rows[place]), int(columns[place])
        alone = read.in_both(i, j) is not None  # with cluster sizes of its own
        groups.setdefault((sizes[i], sizes[j], place if alone else -1), []).append(place)
    quiet, done = dataclasses.replace(options, progress=False).split_budget(len(groups)), 0
    notes: dict[str, None] = {}
    with progress_over("pairs", left.size, options.progress) as show:
        for places in groups.values():
            tables = (read.table(int(rows[place]), int(columns[place])) for place in places)
            scores = _with_p_values if "p_value" in found else _without_p_values
            for place, score in zip(places, scores(index, tables, quiet, notes), strict=True):
                for name in found:
                    found[name][place] = score[name]
                show(done := done + 1)
    return notes


def _with_p_values(
    index: Index, tables: Iterable[ContingencyTable], options: Options, notes: dict[str, None]
) -> Iterator[Mapping[str, float]]:
    """Scores of tables with equal margins, by one null distribution."""
    model = null = None
    for table in tables:
        if model is None or null is None:
            model = model_of_margins(table.margins, options)
            null = find_nulls(model, (index,))[index.name]
        score = compute_score(model.of(table), index, null)
        notes |= dict.fromkeys(score.notes)
        yield {name: getattr(score, name) for name in FIELDS}


def _without_p_values(
    index: Index, tables: Iterable[ContingencyTable], options: Options, _notes: dict[str, None]
) -> Iterator[Mapping[str, float]]:
    """Scores of tables with equal margins, by one mean."""
    model = None
    for table in tables:
        if model is None:
            model = model_of_margins(table.margins, options)
            mean, best = find_mean(model, index), model.best(index)
        of_table = model.of(table)
        adjusted = of_table.score_by_mean(index, mean)
        yield {"adjusted": adjusted, "observed": of_table.observed(index), "expected": mean, "best": best}


def _matrix(values: Floats, rows: Integers, columns: Integers, m: int) -> Any:
    """Values of the pairs as a matrix that cannot be changed, the upper triangle mirrored."""
    matrix = np.empty((m, m))
    matrix[columns, rows] = values
    matrix[rows, columns] = values
    matrix.flags.writeable = False
    return matrix
