"""Contributions of single clusters and objects to an index, their means by chance, and matched labels.

Some indices are sums over objects. Let object i be in a row of R objects, a column of C objects and a cell of
x objects. It is then in ``a_i = x - 1`` pairs that are together in both clusterings, ``b_i = R - x`` pairs
that are together in the row clustering only, ``c_i = C - x`` in the column clustering only and ``d_i = n - R
- C + x`` in neither clustering. Over all objects these numbers sum to ``2 a, 2 b, 2 c, 2 d``. A ratio ``p(a,
b, c, d) / q(a, b, c, d)`` of linear forms is then the sum of ``p(a_i, b_i, c_i, d_i) / (2 q(a, b, c, d))``,
and a sum of phi over cells, times a factor from the cluster sizes, is a sum of ``phi / x`` over the objects
of each cell.

Under chance an object keeps its row, and all objects are dealt to the columns at random. Any other object is
then in the same column with probability ``q = sum_j C_j (C_j - 1) / (n (n - 1))``. So ``E a_i = (R - 1) q``,
``E b_i = (R - 1)(1 - q)``, ``E c_i = (n - R) q``, ``E d_i = (n - R)(1 - q)``. For a sum over cells, the
expected contribution of the objects of a row is ``sum_j E phi(n_ij)``, where n_ij is hypergeometric.
"""

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.chance.engines import get_engine
from chancecorr.chance.fixed_margins import find_best_value
from chancecorr.exact.additive import compute_means_in_cells
from chancecorr.exact.index_of_pair_sum import bound_pair_sum
from chancecorr.exact.summary import bound_rounding
from chancecorr.indices.calling import get_python_function
from chancecorr.indices.entry import add_terms
from chancecorr.indices.matchings import find_listed_matching
from chancecorr.indices.registry import Index, get_index, list_indices
from chancecorr.machine.arguments import (
    ArgumentTypeError,
    ArgumentValueError,
    check_choice,
    explain_call,
    import_pandas,
)
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.notes import Note
from chancecorr.machine.printing import format_rounded
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.tables.contingency import ContingencyTable, as_table
from chancecorr.tables.crosstab import number_labels
from chancecorr.tables.names import write_names
from chancecorr.tables.reading import Missing, NoiseOfSides, contingency_table, read_labels

if TYPE_CHECKING:
    import pandas

MAX_ROWS_SHOWN = 20  # clusters or objects that a table shows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Contributions(Result):
    """Contributions of objects, or of clusters, to an index; see the example of `agreement_by_cluster`.

    Attributes
    ----------
    index, value, adjusted : str, float, float
        Name of the index; its value, the sum of `contributions`; its adjusted value, the sum of
        `adjusted_contributions`.
    contributions : ndarray of shape (n,) or (K,)
        Contribution of each object, or of the objects of each cluster, to the index; they sum to `value`. nan
        if the index is 0/0. In all arrays, nan for an object that is left out.
    scores : ndarray of shape (n,) or (K,)
        The index of each single object or cluster, independent of its size: the same ratio over the pairs of
        this object or cluster only, or ``n / size`` times the contribution; nan if the ratio is 0/0.
    expected, adjusted_contributions : ndarray of shape (n,) or (K,), or None
        Means of the contributions if the objects of the other clustering are dealt at random, and
        ``(contributions - expected) / (best - sum of expected)``, which sum to `adjusted`. Values below 0 are
        less than expected by chance. None if the mean of the index is not a sum over objects.
    side, labels, sizes : {"true", "pred"}, ndarray, ndarray
        Clustering whose clusters are listed, their labels and their sizes; None for objects.
    objects : tuple of length n, or None
        Names of the objects, in the order of the arrays; None for clusters, and for objects without names.
    """

    _picture = "plot_contributions"

    index: str
    value: float
    adjusted: float
    contributions: Floats
    scores: Floats
    expected: Floats | None
    adjusted_contributions: Floats | None
    side: Literal["true", "pred"] | None = None
    labels: npt.NDArray[Any] | None = None
    sizes: Integers | None = None
    objects: tuple[Hashable, ...] | None = None

    def to_frame(self) -> "pandas.DataFrame":
        """Return the arrays as a pandas DataFrame with a row for each object, in order, or each cluster."""
        columns, pandas = self._list_columns(), import_pandas()
        name = "object" if self.side is None else f"labels_{self.side}"
        labels = columns.pop(name, None) and (self.labels if self.objects is None else self.objects)
        if labels is None:
            return pandas.DataFrame(columns)
        return pandas.DataFrame(columns, index=pandas.Index([*labels], name=name, tupleize_cols=False))

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and notes as a dictionary of plain numbers, strings and lists."""
        head = {name: getattr(self, name) for name in ("index", "value", "adjusted", "side")}
        return head | self._list_columns()

    def _list_columns(self) -> dict[str, list[Any]]:
        names = ("contributions", "scores", "expected", "adjusted_contributions")
        columns = {name: values.tolist() for name in names if (values := getattr(self, name)) is not None}
        if self.objects is not None:
            return {"object": write_names(self.objects)} | columns
        if self.labels is None or self.sizes is None:
            return columns
        return {f"labels_{self.side}": self.labels.tolist(), "size": self.sizes.tolist()} | columns

    def _tables(self, wide: bool = False) -> list[TextTable]:
        columns, what = self._list_columns(), "cluster"
        if self.labels is None:
            columns, what = {"object": [*range(self.scores.size)]} | columns, "object"
            columns["object"] = [*(self.objects or columns["object"])]
        (_, first), *others = columns.items()
        rows = [
            [repr(name), *(f"{x:,}" if isinstance(x, int) else format_rounded(x) for x in numbers)]
            for name, *numbers in zip(first, *(values for _, values in others), strict=True)
        ]
        adjusted = f", adjusted {format_rounded(self.adjusted)}" if math.isfinite(self.adjusted) else ""
        side = f" of labels_{self.side}" * (self.side is not None)
        more = len(rows) - MAX_ROWS_SHOWN
        return [
            TextTable(
                columns=[what, *(name.replace("_", " ") for name, _ in others)],
                rows=rows[:MAX_ROWS_SHOWN],
                caption=f"{self.index} {format_rounded(self.value)}{adjusted}, by {what}{side}",
                notes=[Note("more", f"... and {more:,} more {what}s")] if more > 0 else [],
            )
        ]


@explain_call
def agreement_by_cluster(
    labels_true: Any,
    labels_pred: Any = None,
    index: str | Index = "rand",
    side: Literal["true", "pred"] = "true",
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> Contributions:
    """Compute each cluster's contribution to the agreement of two clusterings: which clusters are found.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Cluster of each object in the reference and in the candidate. Alternatively, `labels_true` is a
        `ContingencyTable` or counts of shape (K, Q), and `labels_pred` is left out.
    index : str or Index
        An index that is a sum over objects: a ratio of pair counts, such as ``"rand"``, or a sum over cells
        times a factor from the cluster sizes, such as ``"element_centric_similarity"`` or ``"nmi_sum"``.
    side : {"true", "pred"}, default "true"
        The clustering whose clusters are listed: the reference or the candidate.
    noise, missing
        As in `contingency_table`.

    Returns
    -------
    Contributions
        Contributions, which sum to the index; scores of single clusters; contributions adjusted for chance,
        which sum to the adjusted index, such as the adjusted Rand index.

    Raises
    ------
    TypeError, ValueError
        If an argument is invalid, or the index is not a sum over objects.

    Notes
    -----
    A contribution grows with the size of the cluster, a score does not. With ``"wallace_1"``, the score of a
    reference cluster is the share of its pairs that stay together [1]_. The null model is the permutation
    model, both margins fixed.

    References
    ----------
    .. [1] Warrens & van der Hoef (2019), Understanding partition comparison indices based on counting
       object pairs, arXiv:1901.01777.

    Examples
    --------
    >>> labels_true = ["cat"] * 4 + ["dog"] * 4 + ["owl"] * 4
    >>> labels_pred = [1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3]
    >>> agreement_by_cluster(labels_true, labels_pred)
    rand 0.81818, adjusted 0.57143, by cluster of labels_true
    cluster  size  contributions   scores  expected  adjusted contributions
    'cat'       4        0.33333   1.0000   0.19192                 0.33333
    'dog'       4        0.21212  0.63636   0.19192                0.047619
    'owl'       4        0.27273  0.81818   0.19192                 0.19048
    """
    check_choice("side", side, ["true", "pred"])
    entry = _find_sum_over_objects(index)
    if labels_pred is None:
        reading = {"noise": noise, "missing": missing}
        unused = [f"`{name}`" for name, value in reading.items() if value not in (None, "raise")]
        if unused:
            raise ArgumentTypeError("labels_pred", f"must be given with {', '.join(unused)}; got None.")
        table = as_table(labels_true)
    else:
        table = contingency_table(labels_true, labels_pred, noise=noise, missing=missing)
    rows, columns, counts = table.nonzero_cells
    own, sizes = (rows, table.row_totals) if side == "true" else (columns, table.column_totals)
    return _make_result(
        entry,
        table,
        add_cells=lambda of_object: np.bincount(own, counts * of_object, sizes.size).astype(np.float64),
        add_means=lambda means: sizes * means,
        side=side,
        labels=table.row_labels if side == "true" else table.column_labels,
        sizes=sizes,
    )


@explain_call
def agreement_by_object(
    labels_true: Any,
    labels_pred: Any,
    index: str | Index = "rand",
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> Contributions:
    """Compute each object's contribution to the agreement of two clusterings: which objects are misplaced.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Cluster of each object in the reference and in the candidate.
    index : str or Index
        An index that is a sum over objects; see `agreement_by_cluster`.
    noise, missing
        As in `contingency_table`.

    Returns
    -------
    Contributions
        As from `agreement_by_cluster`, in the order of the objects in `labels_true`; sorted if `labels_true`
        is a collection of sets. `objects` has the names of the objects, if the clusterings name them.

    Raises
    ------
    TypeError, ValueError
        If an argument is invalid, or the index is not a sum over objects.

    Notes
    -----
    If all objects have the same denominator, the average score is the index itself. This holds for sums over
    cells, and for ``"rand"``, where the score of an object is the share of its n - 1 pairs that agree.

    Examples
    --------
    >>> agreement = agreement_by_object([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    >>> agreement.scores
    array([0.75, 0.75, 0.  , 0.75, 0.75])
    >>> round(agreement.value, 12), round(float(agreement.contributions.sum()), 12)
    (0.6, 0.6)
    """
    entry = _find_sum_over_objects(index)
    pair = read_labels(labels_true, labels_pred, noise=noise, missing=missing)
    table = pair.table()
    rows, columns = (number_labels(codes)[0] for codes in (side.codes for side in pair.sides))
    # Cells are listed row by row, so their numbers ascend; K Q is below 2**63 because n**2 is.
    n_columns, listed = max(table.shape[1], 1), table.nonzero_cells
    cells = np.searchsorted(listed[0] * n_columns + listed[1], rows * n_columns + columns)

    def of_all(of_kept: Floats) -> Floats:
        if pair.kept is None:
            return of_kept
        of_given = np.full(pair.kept.size, math.nan)
        of_given[pair.kept] = of_kept
        return of_given

    return _make_result(
        entry, table, add_cells=lambda cell: of_all(cell[cells]), add_means=lambda means: of_all(means[rows]),
        objects=pair.objects.list_names(),
    )  # fmt: skip


def _find_sum_over_objects(index: str | Index) -> Index:
    """Return the entry of the index; raise if the index is not a sum over objects."""
    entry = get_index(index)
    if entry.linear or get_engine(entry).is_cell_sum(entry):
        return entry
    linear = [item for item in map(get_index, list_indices()) if item.linear]
    same = [item.name for item in linear if item.corrected_as == entry.name]
    advice = " Take 'rand', 'jaccard', 'element_centric_similarity' or 'nmi_sum'."
    if same:
        taken = "rand" if "rand" in same else same[-1]
        advice = f" Take {taken!r}: its adjusted contributions sum to that index."
    raise ArgumentValueError("index", f"must be a sum over objects; got {entry.name!r}.{advice}")


def _make_result(
    index: Index, table: ContingencyTable, *, add_cells: Callable[[Floats], Floats],
    add_means: Callable[[Floats], Floats], side: Literal["true", "pred"] | None = None, **about: Any,
) -> Contributions:  # fmt: skip
    """Build the result from observed contributions by cell and expected contributions by cluster."""
    own, other = (table.row_totals, table.column_totals)[:: -1 if side == "pred" else 1]
    add_up = _sum_pairs if index.linear else _sum_cells
    cells, means = add_up(index, table, own, other, side == "pred")
    if index.constant or table.n == 0:
        means = None
    mean = math.nan if means is None else math.fsum((own * means).tolist())
    low, high = bound_pair_sum(table.margins)
    best = find_best_value(index, table.margins, None)
    room = best - mean
    if not math.isfinite(room) or abs(room) <= bound_rounding(best, mean, constant=low == high):
        room = math.nan
    value = get_engine(index).value(index, table)
    contributions, numerators, denominators = map(add_cells, cells)
    expected = None if means is None else add_means(means)
    with np.errstate(invalid="ignore", divide="ignore"):
        scores = numerators / denominators
    return Contributions(
        index=index.name, value=value, adjusted=(value - mean) / room, contributions=contributions,
        scores=scores, expected=expected,
        adjusted_contributions=None if expected is None else (contributions - expected) / room, side=side,
        **about,
    )  # fmt: skip


def _sum_pairs(
    index: Index, table: ContingencyTable, own: Integers, other: Integers, flipped: bool
) -> tuple[Floats, Floats | None]:
    """Return what an object of each cell adds to a ratio of pair counts, and its mean by chance if known."""
    assert index.linear is not None
    rows, columns, counts = table.nonzero_cells
    (upper, lower), n = index.linear, table.n
    R, C, x = (
        item.astype(np.float64) for item in (table.row_totals[rows], table.column_totals[columns], counts)
    )
    whole = 2 * sum(k * count for k, count in zip(lower, table.pair_counts, strict=True)) or math.nan
    pairs = (x - 1.0, R - x, C - x, n - R - C + x)
    numerators, denominators = add_terms(upper, pairs), add_terms(lower, pairs)
    cells = np.stack([numerators / whole, numerators, denominators])
    if not index.affine:
        return cells, None
    together = sum(size * (size - 1) for size in other.tolist()) / (n * (n - 1)) if n > 1 else math.nan
    mates, strangers = (own - 1).astype(np.float64), (n - own).astype(np.float64)
    torn_apart, brought_together = mates * (1.0 - together), strangers * together
    apart = (brought_together, torn_apart) if flipped else (torn_apart, brought_together)
    means = (mates * together, *apart, strangers * (1.0 - together))
    return cells, add_terms(upper, means) / whole


def _sum_cells(
    index: Index, table: ContingencyTable, own: Integers, other: Integers, flipped: bool
) -> tuple[Floats, Floats | None]:
    """Return what an object of each cell adds to a sum over cells, and its mean by chance if known."""
    rows, columns, counts = table.nonzero_cells
    slope = 1.0
    if index.link is not None:
        with np.errstate(all="ignore"):
            slope = float(np.ravel(index.link(np.ones(1), table.row_totals, table.column_totals))[0])
        slope = slope if math.isfinite(slope) else math.nan
    cells = np.stack([counts, table.row_totals[rows], table.column_totals[columns]], axis=1)
    different, which = np.unique(cells, axis=0, return_inverse=True)
    phi, n = get_python_function(index.function), float(table.n)
    of_each = [phi(x, R, C, n) / x for x, R, C in different.astype(np.float64).tolist()]
    contributions = slope * np.array(of_each, dtype=np.float64)[which.ravel()]
    sizes, which = np.unique(own, return_inverse=True)
    others, times = np.unique(other[other > 0], return_counts=True)
    means = np.zeros(sizes.size)
    for k in np.flatnonzero(sizes):
        sides = (others, sizes[k : k + 1]) if flipped else (sizes[k : k + 1], others)
        means[k] = float(compute_means_in_cells(index, *sides, table.n).ravel() @ times) / float(sizes[k])
    return np.stack([contributions, table.n * contributions, np.ones(counts.size)]), slope * means[which]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MatchedLabels:
    """A clustering renamed with the labels of another one; see the example of `match_labels`.

    Attributes
    ----------
    labels, n_matched : ndarray of shape (n,), int
        New label of each object: the label of the matched cluster in the reference, or an unused label if the
        cluster has no match. And the number of objects whose new label equals their label in the reference.
    matches : mapping
        New label of each cluster, by its label in the candidate.
    left_over, not_found : tuple
        Labels of the clusters without a match in the candidate, and in the reference.
    objects : tuple of length n, or None
        Names of the objects, in the order of `labels`; None if the clusterings do not name them.
    """

    labels: npt.NDArray[Any]
    matches: Mapping[Any, Any]
    left_over: tuple[Any, ...]
    not_found: tuple[Any, ...]
    n_matched: int
    objects: tuple[Hashable, ...] | None = None

    def __repr__(self) -> str:
        clusters = f"clusters left over: {len(self.left_over):,}, not found: {len(self.not_found):,}"
        return f"<{self.n_matched:,} of {self.labels.size:,} objects matched; {clusters}>"


@explain_call
def match_labels(labels_true: Any, labels_pred: Any) -> MatchedLabels:
    """Rename the candidate's clusters after the reference, using the best one-to-one matching.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Cluster of each object in the reference and in the candidate.

    Returns
    -------
    MatchedLabels
        New labels, the matches, and the clusters without a match. Clusters without a common object are never
        matched. If the labels of the reference are integers, unmatched clusters get the next integers after
        its largest label; otherwise they are called ``"unmatched 1"``, ``"unmatched 2"``, ...

    Raises
    ------
    TypeError, ValueError
        If the labels differ in length, or one is missing.

    Examples
    --------
    >>> matched = match_labels(["cat", "cat", "dog", "dog", "dog"], [7, 3, 3, 3, 5])
    >>> matched.labels.tolist()
    ['cat', 'dog', 'dog', 'dog', 'unmatched 1']
    >>> matched.left_over, matched
    ((5,), <3 of 5 objects matched; clusters left over: 1, not found: 0>)
    """
    pair = read_labels(labels_true, labels_pred)
    table = pair.table()
    names, own = table.row_labels, table.column_labels.tolist()
    rows, columns, counts = table.nonzero_cells
    starts = np.searchsorted(rows, np.arange(names.size + 1))
    cells = find_listed_matching(starts, rows, columns, counts.astype(np.float64), len(own))
    cells = cells[cells >= 0]
    left = np.setdiff1d(np.arange(len(own)), columns[cells])
    missing = np.setdiff1d(np.arange(names.size), rows[cells])
    whole = names.dtype.kind in "iu"
    first = int(names.max()) + 1 if whole and names.size else 1
    new = np.empty(len(own), dtype=names.dtype if whole else object)
    new[columns[cells]] = names[rows[cells]]
    new[left] = [first + k if whole else f"unmatched {first + k}" for k in range(left.size)]
    return MatchedLabels(
        labels=new[number_labels(pair.sides[1].codes)[0]],
        matches=MappingProxyType(dict(zip(own, new.tolist(), strict=True))),
        left_over=tuple(own[k] for k in left),
        not_found=tuple(names[missing].tolist()),
        n_matched=int(counts[cells].sum()),
        objects=pair.objects.list_names(),
    )
