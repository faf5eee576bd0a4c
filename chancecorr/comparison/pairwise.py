"""Compare every two of many clusterings: matrices of adjusted scores, agreement, medoid, linkage."""

import dataclasses
import itertools
import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

import numpy as np

from chancecorr.chance.engines import get_engine
from chancecorr.chance.fixed_margins import PERMUTATION, TableModel, check_best, compute_exact_score
from chancecorr.chance.models import (
    ORDER_OF_LABELS,
    choose_model,
    make_model_of_draws,
    make_model_of_margins,
    name_labels,
    place_model,
)
from chancecorr.chance.options import MethodName, Options
from chancecorr.chance.random_labels import UNIFORM
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.comparison.clusterings import Clusterings, Drop, lay_out_pair, look_at_many, read_many
from chancecorr.correction.adjust import compute_scores, score_by_mean
from chancecorr.correction.nulls import find_mean, find_nulls
from chancecorr.correction.options import MonteCarlo, read_options, refuse_checkpoint
from chancecorr.correction.score_table import explain_no_score
from chancecorr.correction.scores import describe_unknown_name
from chancecorr.exact.additive import score_sums_of_pairs
from chancecorr.exact.index_of_pair_sum import compute_affine_mean
from chancecorr.exact.quadrature import compute_means_of_pairs
from chancecorr.exact.summary import score_index
from chancecorr.indices.evaluation import evaluate_varying_sums
from chancecorr.indices.index import NAMED_NEEDS
from chancecorr.indices.registry import (
    AnyIndex,
    Index,
    LabelledIndex,
    find_index,
    find_twice_best_pair_sum,
    is_one,
)
from chancecorr.machine.arguments import (
    Alternative,
    ArgumentTypeError,
    ArgumentValueError,
    explain_call,
    name_kind,
)
from chancecorr.machine.arrays import Booleans, Floats, Integers, read_only
from chancecorr.machine.budget import Budget
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_fixed
from chancecorr.machine.text_table import TextTable, write_paragraphs
from chancecorr.result import Result
from chancecorr.sampling.own_draws import Draws
from chancecorr.sampling.seeding import RNG
from chancecorr.sampling.workers import show_progress
from chancecorr.tables.contingency import Margins
from chancecorr.tables.crosstab import note_spelling
from chancecorr.tables.reading import Missing, NoiseOfSides, note_left_out

MAX_CLUSTERINGS_IN_TEXT, MAX_CLUSTERINGS_IN_HTML = 12, 40  # larger matrices are not printed
MAX_LINE = 80  # characters of a line with names above the columns; longer lines have numbers there
PAIRS_AT_A_TIME = 65_536  # pairs whose observed values are computed together

MATRICES = ("objects", "adjusted", "observed", "expected", "best", "p_value", "p_is_bound")
"""Names of the matrices with one number per pair; the last two only if p-values are requested."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairwiseScores(Result):
    """Adjusted scores of every two of m clusterings: row i is the reference, column j the candidate.

    Attributes
    ----------
    index, asked_as, names, n : str, str, tuple of length m, int
        Name of the index, the name that the user gave for it, names of the clusterings, and number of
        objects.
    adjusted : ndarray of float64, shape (m, m)
        As `AdjustedScore.adjusted`; nan if undefined (`notes` say why). Each row is a reference, each
        column a candidate; symmetric if the index and the model are symmetric.
    observed, expected, best, objects : ndarray of shape (m, m)
        The raw index, its mean under chance, its value at perfect agreement, and the number of objects that
        both clusterings have.
    p_value, p_is_bound : ndarray of shape (m, m), or None
        As in `AdjustedScore`; None if not requested.
    agreement : ndarray of float64, shape (m,)
        Mean adjusted score of each clustering with the others, over both directions if these differ. Pairs
        without a score are left out; nan if all are.
    medoid : hashable
        Name of the clustering with the highest `agreement`, the first if several are equal; None if all are
        nan.
    is_symmetric : bool
        True if exchanging two clusterings changes nothing.
    notes : tuple of Note
        Notes on objects that are left out and on missing scores, and the `AdjustedScore.notes` of pairs, each
        once; usually empty.

    Examples
    --------
    >>> from chancecorr import pairwise
    >>> scores = pairwise({"a": [0, 0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 2, 2]})
    >>> scores.names, scores.adjusted.round(6).tolist()
    (('a', 'b'), [[1.0, 0.242424], [0.242424, 1.0]])
    """

    _picture = "plot_pairwise"

    index: str
    asked_as: str
    names: tuple[Hashable, ...]
    n: int
    adjusted: Floats
    observed: Floats
    expected: Floats
    best: Floats
    objects: Integers
    p_value: Floats | None = None
    p_is_bound: Booleans | None = None
    agreement: Floats
    medoid: Hashable
    is_symmetric: bool
    notes: Notes = ()

    def __getitem__(self, key: Any) -> Any:
        """Return the score of a pair of names, or a dictionary of all scores with one reference."""
        is_pair = isinstance(key, tuple) and len(key) == 2 and key not in self.names
        for name in key if is_pair else (key,):
            if name not in self.names:
                raise KeyError(describe_unknown_name(name, self.names, "clustering"))
        if is_pair:
            return float(self.adjusted[self.names.index(key[0]), self.names.index(key[1])])
        return dict(zip(self.names, self.adjusted[self.names.index(key)].tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.names)

    def distances(self) -> Floats:
        """Return ``1 - adjusted`` of all pairs as a condensed matrix for SciPy, shape (m (m - 1) / 2,).

        If the two directions differ, their mean is used. The distance is 0 if `adjusted` is above 1. A pair
        without an adjusted score has the distance 1, the same as a pair that agrees as expected by chance.
        """
        rows, columns = np.triu_indices(len(self), 1)
        adjusted = (self.adjusted[rows, columns] + self.adjusted[columns, rows]) / 2.0
        distances: Floats = np.where(np.isfinite(adjusted), np.maximum(1.0 - adjusted, 0.0), 1.0)
        return distances

    def linkage(self) -> Floats:
        """Return the average linkage of the clusterings by `distances`, shape (m - 1, 4), as in SciPy."""
        from scipy.cluster.hierarchy import linkage

        tree: Floats = linkage(self.distances(), "average")
        return tree

    def _list_columns(self) -> dict[str, list[Any]]:
        return self.pairs()

    def pairs(self) -> dict[str, list[Any]]:
        """Return a table of all pairs as a dictionary of columns; symmetric pairs are listed once."""
        apart = np.triu if self.is_symmetric else np.asarray
        rows, columns = np.nonzero(apart(~np.eye(len(self), dtype=np.bool_)))
        sides = {"reference": rows.tolist(), "candidate": columns.tolist()}
        matrices = {name: getattr(self, name) for name in MATRICES[:-1]}
        return {side: [self.names[k] for k in places] for side, places in sides.items()} | {
            name: matrix[rows, columns].tolist() for name, matrix in matrices.items() if matrix is not None
        }

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and notes as a dictionary of plain numbers, strings and lists."""
        about = {
            "asked_as": self.asked_as,
            "index": self.index,
            "names": list(self.names),
            "n": self.n,
            "medoid": self.medoid,
        }
        matrices = {name: getattr(self, name) for name in MATRICES}
        plain = {name: None if matrix is None else matrix.tolist() for name, matrix in matrices.items()}
        return about | plain | {"notes": [note.to_dict() for note in self.notes]}

    def __repr__(self) -> str:
        (table,) = self._tables()
        shown = len(self) <= MAX_CLUSTERINGS_IN_TEXT
        return table.to_text() if shown else "\n".join([table.caption, *map(str, table.notes)])

    def _repr_html_(self) -> str:
        """Return HTML for a notebook; cells are darker blue the closer they are to 1."""
        (table,) = self._tables()
        if len(self) > MAX_CLUSTERINGS_IN_HTML:
            return write_paragraphs([table.caption, *map(str, table.notes)])
        return table.to_html(shades=self.adjusted.tolist())

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the printed matrix, with a headline and notes."""
        others = self.adjusted[~np.eye(len(self), dtype=np.bool_)]
        finite = others[np.isfinite(others)]
        line = f"PairwiseScores({self.asked_as!r}, {len(self)} clusterings of {self.n} objects"
        if finite.size:
            line += f", adjusted from {format_fixed(finite.min(), 3)} to {format_fixed(finite.max(), 3)}"
            line += f", medoid {self.medoid!r}"
        cells = [[format_fixed(score, 3) for score in row] for row in self.adjusted.tolist()]
        names = heads = [*map(str, self.names)]
        longest, widest = max(map(len, names)), max(len(text) for row in cells for text in row)
        if longest > widest and longest + sum(2 + max(len(name), widest) for name in names) > MAX_LINE:
            heads = [str(k) for k in range(1, len(names) + 1)]
            names = [f"{head:>{len(heads[-1])}} {name}" for head, name in zip(heads, names, strict=True)]
        rows = [[name, *row] for name, row in zip(names, cells, strict=True)]
        return [TextTable(columns=["", *heads], rows=rows, caption=line + ")", notes=self.notes)]


@explain_call
def pairwise(
    clusterings: Any,
    index: AnyIndex | None = None,
    *,
    p_values: bool = False,
    drop: Drop = "each",
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str | Draws = "permutation",
    best: float | Literal["mean"] | None = None,
    alternative: Alternative | None = None,
    budget: float | Budget | None = None,
    progress: bool | None = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> PairwiseScores:
    """Compute the agreement of every two of many clusterings of the same objects, adjusted for chance.

    Parameters
    ----------
    clusterings : dict, list, array-like of shape (m, n), or data frame
        At least two clusterings: a dictionary by name, a list, an array with the labels of one clustering in
        each row, or a data frame with one in each column (pandas, polars, Arrow). They are labels, or any
        other clusterings that `adjust` takes.
    index : str or Index, optional
        The index of agreement, by default as in `adjust`.
    p_values : bool
        True to compute p-values. They take as long as `adjust` for each different pair of cluster sizes, up
        to seconds; the adjusted scores alone often take a fraction of a millisecond.
    method, n_tables, rng, n_jobs, model, best, alternative, budget, progress, noise, missing
        As in `adjust`, but `noise` may not be a pair. All pairs have the same seed, and share the seconds of
        a budget. Without `p_values`, only the mean of the index is computed if the cluster sizes determine
        it. `Draws` replace the candidate of each pair: they are permutations, or labels that a function
        draws.
    drop : {"each", "common"}
        As in `compare`: each pair uses all objects that both clusterings have, or the objects that no
        clustering leaves out.

    Returns
    -------
    PairwiseScores
        Matrices of shape (m, m), names, `medoid`, `linkage`, `plot`.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError
        As in `compare`.

    See Also
    --------
    compare : Compare candidates with a reference.
    chancecorr.comparison.stability : Compare many runs of one method.
    chancecorr.comparison.agreement : Measure the agreement of all clusterings in one number.

    Notes
    -----
    Entry (i, j) is ``adjust(clusterings[i], clusterings[j])``, with the row as reference. Without `p_values`
    it can differ by rounding: a mean that follows from the cluster sizes is not taken from an enumerated null
    distribution, and may come from a shorter quadrature. Pairs with the same cluster sizes share their null
    distribution. Clusterings with a single cluster, or with one object in each cluster, cannot be adjusted:
    their scores are nan.

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
        method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model, best=best,
        alternative=alternative, budget=budget, progress=progress,
    )  # fmt: skip
    is_name = isinstance(index, list | tuple) and all(isinstance(x, str) for x in index)
    if not (index is None or is_one(index) or is_name):
        rule = f"must be one index; got {name_kind(index)}. Pass all clusterings in one list, as [a, b]."
        raise ArgumentTypeError("index", rule)
    reading: dict[str, Any] = {"noise": noise, "missing": missing}
    named, index_of_kind = look_at_many("clusterings", clusterings, index, drop=drop)
    if index_of_kind is not None:
        return _score_other_kinds(named, index_of_kind, options, p_values, **reading)
    entry, keywords = "rand" if index is None else index, {"drop": drop, "p_values": p_values, **reading}
    *_, scores = score_pairs("clusterings", dict(named), entry, options, **keywords)
    return scores


def _score_other_kinds(
    named: list[tuple[Hashable, Any]], index: Any, options: Options, p_values: bool, **reading: Any
) -> PairwiseScores:
    """Return the scores of every two clusterings of any kind; each pair is scored as by `adjust`."""
    refuse_checkpoint(options)
    rows, columns = np.indices((len(named),) * 2).reshape(2, -1)
    values = {name: np.full(rows.size, math.nan) for name in MATRICES[: 7 if p_values else 5]}
    quiet, notes = dataclasses.replace(options, progress=False).split_budget(rows.size), dict[Note, None]()
    entry: Any = None
    labelled: Any = None
    with show_progress("pairs", rows.size, options.progress) as show:
        for place, sides in enumerate(itertools.product(named, repeat=2)):
            i, j = int(rows[place]), int(columns[place])
            if i > j and entry.symmetric and options.draws is None:
                for of_pairs in values.values():
                    of_pairs[place] = of_pairs[j * len(named) + i]
                continue
            names, both = zip(*((f"clusterings[{name!r}]", side) for name, side in sides), strict=True)
            pair = read_clusterings(*both, names=names, **reading)
            model, (labelled,), _ = choose_model(pair, index, quiet)
            entry = labelled.entry
            found: list[float] = [model.n]
            if p_values:
                (score,) = compute_scores(model, (labelled,))
                notes |= dict.fromkeys(score.notes)
                found += [getattr(score, name) for name in MATRICES[1:]]
            else:
                found += score_by_mean(model, entry)
            for of_pairs, value in zip(values.values(), found, strict=True):
                of_pairs[place] = value
            show(place + 1)
    listed = [name for name, _ in named]
    return _lay_out(labelled, listed, (rows, columns), values, _note_some_pairs(notes))


def _note_some_pairs(notes: Iterable[Note]) -> list[Note]:
    """Return notes on scores as notes on some of the pairs."""
    return [note if note.subject else dataclasses.replace(note, subject="some pairs") for note in notes]


def score_pairs(
    argument: str, clusterings: Any, index: AnyIndex, options: Options, *, noise: NoiseOfSides,
    missing: Missing, drop: Drop, p_values: bool = False,
) -> tuple[Clusterings, Index, PairwiseScores]:  # fmt: skip
    """Read the clusterings and the index, and return them with the scores of every two clusterings."""
    labelled = find_index(index, to_adjust=True)
    entry = labelled.entry
    refuse_checkpoint(options)
    draws = options.draws
    if draws is not None and draws.n_draws and draws.kind == "labels":
        raise ArgumentValueError(
            "model",
            "must hold permutations or a function to compare every two clusterings; drawn labels replace one"
            " clustering only. Pass that clustering to `adjust` or `compare` as the candidate.",
        )
    check_best((entry,), options.best)
    read = read_many(argument, clusterings, least=2, noise=noise, missing=missing, drop=drop)
    if entry.depends_on_labels or options.model == UNIFORM:
        read = read.share_labels()
    entry, by_name = _name_labels(argument, entry, read)
    options = place_model(options, read.objects)
    left_out = note_left_out(read.given, read.n, read.left_out) if drop == "common" else []
    symmetric = entry.symmetric and not isinstance(options.model, Draws) and options.model.treats_sides_alike
    rows, columns = np.triu_indices(len(read)) if symmetric else np.indices((len(read),) * 2).reshape(2, -1)
    values = {name: np.full(rows.size, math.nan) for name in MATRICES[1 : 7 if p_values else 5]}
    spelling = [
        note
        for name, labels in zip(read.names, read.labels, strict=True)
        for note in note_spelling(str(name), labels)
    ]
    left, notes = np.arange(rows.size), [*read.notes, *left_out, *by_name, *spelling, *labelled.notes]
    if not p_values and _has_joint_scores(entry, options) and not any(item is not None for item in read.kept):
        left = np.flatnonzero(~_fill_together(values, (rows, columns), entry, read, options))
    notes += _fill_one_by_one(values, (rows, columns), left, entry, read, options) if left.size else []
    both = (read.in_both(i, j) for i, j in zip(rows.tolist(), columns.tolist(), strict=True))
    values["objects"] = np.array([read.n if some is None else some.sum() for some in both])
    return read, entry, _lay_out(labelled, read.names, (rows, columns), values, notes, read.n)


def _name_labels(argument: str, index: Index, read: Clusterings) -> tuple[Index, list[Note]]:
    """Return the index, `named` if it compares labels by name, and a note if it does or if it is random."""
    if index.needs not in NAMED_NEEDS:
        return index, []
    refused: ArgumentValueError | None = None
    notes: list[Note] | None = None
    for i, j in itertools.combinations(range(len(read)), 2):
        sides = f"{argument}[{read.names[i]!r}]", f"{argument}[{read.names[j]!r}]"
        try:
            index, notes = name_labels(index, read.table(i, j), sides)
        except ArgumentValueError as error:  # such as two raters without a common label: others may have one
            refused = refused or error
            continue
        if not index.named:
            return index, notes
    if notes is None and refused is not None:
        raise refused
    text = "labels are compared by name: the two clusterings of a pair share one numbering of labels"
    return index, [
        Note("compared by name", text),
        *(note for note in notes or () if note.code == ORDER_OF_LABELS),
    ]


def _lay_out(
    index: LabelledIndex, names: Sequence[Hashable], pairs: tuple[Integers, Integers],
    values: dict[str, Floats], notes: list[Note], n: int | None = None,
) -> PairwiseScores:  # fmt: skip
    """Build the result from the values of the pairs; by default n is the largest number of objects."""
    rows, columns = pairs
    m = len(names)
    matrices: dict[str, Any] = {name: np.empty((m, m)) for name in values}
    for name, of_pairs in values.items():  # copied below the diagonal if not computed there
        matrices[name][columns, rows] = of_pairs
        matrices[name][rows, columns] = of_pairs
    matrices["objects"] = matrices["objects"].astype(np.int64)
    if "p_is_bound" in matrices:
        matrices["p_is_bound"] = matrices["p_is_bound"].astype(np.bool_)
    adjusted, observed = matrices["adjusted"], matrices["observed"]
    directions = np.where(np.eye(m, dtype=np.bool_), math.nan, np.stack([adjusted, adjusted.T]))
    counted = np.isfinite(directions)
    with np.errstate(invalid="ignore"):
        agreement = np.where(counted, directions, 0.0).sum(axis=(0, 1)) / counted.sum(axis=(0, 1))
    scores = PairwiseScores(
        index=index.entry.name,
        asked_as=index.label,
        names=tuple(names),
        n=int(matrices["objects"].max()) if n is None else n,
        agreement=read_only(agreement),
        medoid=names[int(np.nanargmax(agreement))] if np.isfinite(agreement).any() else None,
        is_symmetric=all(np.array_equal(item, item.T, equal_nan=True) for item in (adjusted, observed)),
        **{name: read_only(matrix) for name, matrix in matrices.items()},
    )
    return dataclasses.replace(scores, notes=(*notes, *_note_missing(scores)))


def _note_missing(scores: PairwiseScores) -> Iterator[Note]:
    """Yield notes on objects that only some clusterings have, and on pairs without an adjusted score."""
    objects, adjusted, m = scores.objects, scores.adjusted, len(scores)
    if objects.min() < scores.n:
        fewest = f"{objects.min():,} to {objects.max():,} of {scores.n:,}"
        yield Note("objects of pairs", f"each pair uses the objects that both clusterings have ({fewest})")
    reasons: dict[str, list[tuple[int, int]]] = {}
    for i, j in np.argwhere(~np.isfinite(adjusted)).tolist():
        if i <= j or not scores.is_symmetric:
            why = explain_no_score(scores.observed[i, j], scores.expected[i, j], scores.best[i, j])
            reasons.setdefault(why, []).append((i, j))
    n_pairs = m * (m + 1) // 2 if scores.is_symmetric else m**2
    for why, pairs in reasons.items():
        a, b = (scores.names[k] for k in pairs[0])
        text = f"{len(pairs)} of {n_pairs} pairs not adjusted, {a!r} with {b!r} the first; {why}"
        yield Note("not adjusted", text)


def _has_joint_scores(index: Index, options: Options) -> bool:
    """Return True if the means of many pairs can be computed together: for T, or sums over cells."""
    return (
        index.needs in ("pairs", "cells")
        and not index.with_totals
        and options.model == PERMUTATION
        and not (options.method.needs_law or options.method.only_tables)
        and (options.best is None or isinstance(options.best, Real))
    )


def _fill_together(
    matrices: dict[str, Floats], pairs: tuple[Integers, Integers], index: Index, read: Clusterings,
    options: Options,
) -> Booleans:  # fmt: skip
    """Fill in the scores of all pairs whose means are computed together; return the mask of these pairs."""
    n, (rows, columns) = read.n, pairs
    squares = np.array([np.dot(size, size) for size in read.sizes], dtype=np.int64)
    alone = (squares == n) | (squares == n * n)  # a single cluster, or only single objects: T is constant
    constant = alone[rows] | alone[columns]
    exactly: Iterable[float | None] = itertools.repeat(None)
    if get_engine(index).goes_by_pair_sum:
        T = read.pair_sums()[rows, columns]
        if index.affine:  # checked on one pair
            compute_affine_mean(index, Margins(read.sizes[0], read.sizes[1]))
        observed = np.empty(rows.size)
        for start in range(0, rows.size, PAIRS_AT_A_TIME):
            block = slice(start, start + PAIRS_AT_A_TIME)
            A, B = squares[rows[block]], squares[columns[block]]
            observed[block] = evaluate_varying_sums(index, T[block], A, B, n)
        expected, is_known = compute_means_of_pairs(index, read.sizes, rows, columns)
        sums = (item[is_known].tolist() for item in (T, squares[rows], squares[columns]))
        twice = find_twice_best_pair_sum(index) if options.best is None else None
        if twice is not None:  # `_has_joint_scores` leaves out other models
            exactly = [compute_exact_score(twice, t, A, B, n) for t, A, B in zip(*sums, strict=True)]
    else:
        scores = score_sums_of_pairs(index, read.codes, read.sizes, pairs, options.limits.mean_seconds)
        if scores is None:
            return np.zeros(rows.size, dtype=np.bool_)
        observed, expected, is_known = scores
        is_known &= ~constant
    if options.best is not None or index.best is not None:
        best = np.full(rows.size, float(index.best if options.best is None else options.best))  # type: ignore[arg-type]
    else:
        own = observed[rows == columns]
        best = (own[rows] + own[columns]) / 2
    for name, values in (("observed", observed), ("expected", expected), ("best", best)):
        matrices[name][is_known] = values[is_known]
    numbers = (values[is_known].tolist() for values in (observed, best, expected, constant))
    matrices["adjusted"][is_known] = [
        score_index(index, *values, constant=is_constant, exactly=of_pair)
        for *values, is_constant, of_pair in zip(*numbers, exactly, strict=False)
    ]
    return is_known


def _fill_one_by_one(
    matrices: dict[str, Floats], pairs: tuple[Integers, Integers], left: Integers, index: Index,
    read: Clusterings, options: Options,
) -> list[Note]:  # fmt: skip
    """Fill in the remaining scores, grouped by equal cluster sizes; return notes on them."""
    rows, columns = (side.tolist() for side in pairs)
    groups: dict[tuple[Hashable, int], list[int]] = {}
    sizes = [size.tobytes() for size in read.sizes]
    for place in left.tolist():
        i, j = rows[place], columns[place]
        alone = options.draws is not None or read.in_both(i, j) is not None  # has its own null
        alike = lay_out_pair(index, read.pair(i, j))[0].margins if index.named else (sizes[i], sizes[j])
        groups.setdefault((alike, place if alone else -1), []).append(place)
    quiet, done = dataclasses.replace(options, progress=False).split_budget(len(groups)), 0
    notes: dict[Note, None] = {}
    with show_progress("pairs", left.size, options.progress) as show:
        for places in groups.values():
            table, codes = lay_out_pair(index, read.pair(rows[places[0]], columns[places[0]]))
            model: TableModel
            if options.draws is None:
                model = make_model_of_margins(table.margins, quiet)
            else:
                model = make_model_of_draws(table, quiet, codes)
                model.check((index,))
            nulls = find_nulls(model, (index,)) if "p_value" in matrices else None
            mean, best = (math.nan,) * 2 if nulls else (find_mean(model, index), model.best(index))
            for place in places:
                of_pair = model.of(lay_out_pair(index, read.pair(rows[place], columns[place]))[0])
                if nulls:
                    (score,) = compute_scores(of_pair, (LabelledIndex(index, index.name),), nulls)
                    notes |= dict.fromkeys(score.notes)
                    values = [getattr(score, name) for name in matrices]
                else:
                    values = [of_pair.score_by_mean(index, mean), of_pair.observed(index), mean, best]
                for name, value in zip(matrices, values, strict=True):
                    matrices[name][place] = value
                show(done := done + 1)
    return _note_some_pairs(notes)
