"""Which clusters, and which objects, an index owes its value to.

Some indices are sums over objects. An object i of a row of R objects, a column of C and their cell of x is in
``a_i = x - 1`` pairs that are together in both clusterings, ``b_i = R - x`` in the rows' only,
``c_i = C - x`` in the columns' only and ``d_i = n - R - C + x`` in neither. Each pair is counted by both of
its objects, so these sum to ``2 a, 2 b, 2 c, 2 d``. A ratio of two linear forms in the pair counts,
``p(a, b, c, d) / q(a, b, c, d)``, is then the sum of ``p(a_i, b_i, c_i, d_i) / (2 q(a, b, c, d))``. A sum of
phi over cells, times what the cluster sizes tell, is a sum of ``phi / x`` over the objects of each cell.

Adjusted for chance: an object keeps its row, and all objects are dealt to the columns at random. Any other
object is then in its column with probability ``q = sum_j C_j (C_j - 1) / (n (n - 1))``, so that
``E a_i = (R - 1) q``, ``E b_i = (R - 1)(1 - q)``, ``E c_i = (n - R) q``, ``E d_i = (n - R)(1 - q)``. Of a sum
over cells, the objects of a row expect ``sum_j E phi(n_ij)``, n_ij being hypergeometric.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, one_of
from chancecorr.correction.against import rounding
from chancecorr.correction.best import best_value
from chancecorr.correction.request import READING_DEFAULTS, ReadingOptions, keywords
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.moments.additive import expected_in_cells, is_additive
from chancecorr.indices.registry import Index, get_index
from chancecorr.kinds import kind_of
from chancecorr.kinds.cells import PROBES
from chancecorr.kinds.kind import python_function
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.printing import rounded
from chancecorr.tables.contingency import ContingencyTable, as_table
from chancecorr.tables.crosstab import relabel
from chancecorr.tables.reading import contingency_table, read_labels

if TYPE_CHECKING:
    import pandas

Form = tuple[int, int, int, int]
"""Coefficients of the pair counts a, b, c, d."""

RATIOS: dict[str, tuple[Form, Form]] = {
    "arabie_boorman": ((0, 1, 1, 0), (1, 1, 1, 1)),
    "bray_curtis": ((0, 1, 1, 0), (2, 1, 1, 0)),
    "czekanowski": ((2, 0, 0, 0), (2, 1, 1, 0)),
    "faith": ((2, 0, 0, 1), (2, 2, 2, 2)),
    "fleiss": ((0, 0, 0, 2), (0, 1, 1, 2)),
    "gower_legendre": ((2, 0, 0, 2), (2, 1, 1, 2)),
    "hamann": ((1, -1, -1, 1), (1, 1, 1, 1)),
    "jaccard": ((1, 0, 0, 0), (1, 1, 1, 0)),
    "marczewski_steinhaus": ((0, 1, 1, 0), (1, 1, 1, 0)),
    "rand": ((1, 0, 0, 1), (1, 1, 1, 1)),
    "rogers_tanimoto": ((1, 0, 0, 1), (1, 2, 2, 1)),
    "russell_rao": ((1, 0, 0, 0), (1, 1, 1, 1)),
    "sokal_sneath_1": ((1, 0, 0, 0), (1, 2, 2, 0)),
    "three_w_jaccard": ((3, 0, 0, 0), (3, 1, 1, 0)),
    "van_der_maarel": ((2, -1, -1, 0), (2, 1, 1, 0)),
    "vari": ((0, 1, 1, 0), (4, 4, 4, 4)),
    "wallace_1": ((1, 0, 0, 0), (1, 1, 0, 0)),
    "wallace_2": ((1, 0, 0, 0), (1, 0, 1, 0)),
}
"""Indices that are a ratio of two linear forms in the pair counts: numerator and denominator."""

MOST_SHOWN = 20
"""Clusters that a plain text shows."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ClusterAgreement:
    """What each cluster of one clustering adds to an index.

    Attributes
    ----------
    index : str
        Name of the index.
    side : {"true", "pred"}
        Whose clusters these are.
    labels : ndarray of shape (K,)
        What they are called.
    sizes : ndarray of shape (K,)
        Numbers of their objects.
    value, adjusted : float
        The index, and the index adjusted for chance: the sums of what follows.
    contributions : ndarray of shape (K,)
        What the objects of each cluster add to the index; they sum to `value`. nan where the formula of the
        index is 0/0.
    scores : ndarray of shape (K,)
        The index of each cluster by itself, whatever its size: the same ratio over the pairs of its objects
        alone, or ``n / size`` times the contribution; nan where that is 0/0.
    expected : ndarray of shape (K,), or None
        What the contributions are on average if the objects of the other clustering are dealt at random.
    adjusted_contributions : ndarray of shape (K,), or None
        ``(contributions - expected) / (best - sum of expected)``: they sum to `adjusted`, and one below 0 is
        less than what chance gives. None, as `expected`, for an index whose mean is no sum over objects.

    Examples
    --------
    >>> found = agreement_by_cluster([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2], "rand")
    >>> round(found.value, 12), round(float(found.contributions.sum()), 12)  # 10 of 15 pairs
    (0.666666666667, 0.666666666667)
    >>> round(float(found.adjusted_contributions.sum()), 12)
    0.242424242424
    """

    index: str
    side: Literal["true", "pred"]
    labels: npt.NDArray[Any]
    sizes: Integers
    value: float
    adjusted: float
    contributions: Floats
    scores: Floats
    expected: Floats | None
    adjusted_contributions: Floats | None

    def to_frame(self) -> "pandas.DataFrame":
        """One row a cluster (needs pandas).

        Returns
        -------
        pandas.DataFrame
            Sizes, contributions and scores; where the mean is known, expected and adjusted contributions.
        """
        import pandas

        labels = pandas.Index(self.labels.tolist(), name=f"labels_{self.side}", tupleize_cols=False)
        return pandas.DataFrame({"size": self.sizes, **_columns(self)}, index=labels)

    def __repr__(self) -> str:
        """The clusters as a table in plain text, the first ones of many."""
        shown = min(self.sizes.size, MOST_SHOWN)
        columns = _columns(self)
        rows = [["cluster", "size", *(name.replace("_", " ") for name in columns)]]
        for k, (label, size) in enumerate(
            zip(self.labels[:shown].tolist(), self.sizes[:shown].tolist(), strict=True)
        ):
            rows.append([repr(label), f"{size:,}", *(rounded(float(each[k])) for each in columns.values())])
        first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
        lines = [f"{_headline(self)}, by cluster of labels_{self.side}"]
        for name, *numbers in rows:
            padded = (number.rjust(width) for number, width in zip(numbers, others, strict=True))
            lines.append("  ".join((name.ljust(first), *padded)))
        if shown < self.sizes.size:
            lines.append(f"... and {self.sizes.size - shown:,} more clusters")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ObjectAgreement:
    """What each object adds to an index.

    Attributes
    ----------
    index : str
        Name of the index.
    value, adjusted : float
        The index, and the index adjusted for chance: the sums of what follows.
    contributions : ndarray of shape (n,)
        What each object adds to the index; they sum to `value`. nan where the formula of the index is 0/0;
        here and below, nan also for an object that is left out for its noise or missing label.
    scores : ndarray of shape (n,)
        The index of each object by itself: the same ratio over its own pairs, or n times its contribution;
        nan where that is 0/0.
    expected : ndarray of shape (n,), or None
        What the contributions are on average if the object keeps its cluster in `labels_true`, and all
        objects are dealt to the clusters of `labels_pred` at random.
    adjusted_contributions : ndarray of shape (n,), or None
        ``(contributions - expected) / (best - sum of expected)``: they sum to `adjusted`, and one below 0 is
        less than what chance gives. None, as `expected`, for an index whose mean is no sum over objects.

    Examples
    --------
    >>> found = agreement_by_object([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2], "rand")
    >>> round(found.value, 12), round(float(found.contributions.sum()), 12)  # 10 of 15 pairs
    (0.666666666667, 0.666666666667)
    >>> round(float(found.adjusted_contributions.sum()), 12)
    0.242424242424
    """

    index: str
    value: float
    adjusted: float
    contributions: Floats
    scores: Floats
    expected: Floats | None
    adjusted_contributions: Floats | None

    def to_frame(self) -> "pandas.DataFrame":
        """One row an object, in their order (needs pandas).

        Returns
        -------
        pandas.DataFrame
            Contributions and scores; where the mean is known, expected and adjusted contributions.
        """
        import pandas

        return pandas.DataFrame(_columns(self))

    def __repr__(self) -> str:
        """The index, and how many objects there are."""
        scores = self.scores[np.isfinite(self.scores)]
        ends = f", scores {rounded(scores.min())} to {rounded(scores.max())}" if scores.size else ""
        return f"<{_headline(self)}, by object; {self.scores.size:,} objects{ends}>"


@keywords(READING_DEFAULTS)
def agreement_by_cluster(
    labels_true: Any,
    labels_pred: Any = None,
    index: str | Index = "rand",
    side: Literal["true", "pred"] = "true",
    **options: Unpack[ReadingOptions],
) -> ClusterAgreement:
    """What each cluster adds to the agreement of two clusterings: which ones are found, and which are not.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Cluster of each object in the reference and in the candidate. Or, for `labels_true`, a
        `ContingencyTable` or counts of shape (K, Q), and no `labels_pred`.
    index : str or Index
        An index that is a sum over objects: a ratio of pair counts, ``"rand"``, ``"jaccard"``,
        ``"czekanowski"``, ``"wallace_1"``, ...; or one that needs cells and is their sum times a number that
        the cluster sizes tell, ``"element_centric_similarity"``, ``"bcubed_precision"``, ``"nmi_sum"``, ...
    side : {"true", "pred"}, default "true"
        Whose clusters: those of the reference, or of the candidate.
    noise, noise_label, missing, align
        As in `contingency_table`.

    Returns
    -------
    ClusterAgreement
        Contributions, which sum to the index; scores of single clusters; contributions adjusted for chance,
        which sum to the adjusted index, such as the adjusted Rand index.

    Raises
    ------
    TypeError, ValueError
        If an argument breaks its rule, or the index is no sum over objects.

    Notes
    -----
    A contribution grows with the cluster, a score does not. The score of a cluster of the reference under
    ``"wallace_1"`` is the share of its pairs that stay together: Warrens & van der Hoef (2019),
    arXiv:1901.01777. The random model is the permutation model, both margins fixed.

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
    one_of("side", side, ["true", "pred"])
    entry = _decomposed(index)
    if labels_pred is None:
        table = as_table(labels_true)
        given = ", ".join(f"`{name}`" for name in options)
        if given:
            raise ArgumentTypeError("labels_pred", f"must be given beside {given}; got None.")
    else:
        table = contingency_table(labels_true, labels_pred, **options)
    parts = _contributions(entry, table, flipped=side == "pred")
    sizes = table.row_totals if side == "true" else table.column_totals
    own = parts.rows if side == "true" else parts.columns

    def summed(per_object: Floats) -> Floats:
        sums = np.zeros(sizes.size)
        np.add.at(sums, own, parts.counts * per_object)
        return sums

    contributions = summed(parts.contributions)
    with np.errstate(invalid="ignore", divide="ignore"):
        scores = summed(parts.numerators) / summed(parts.denominators)
    expected = None if parts.expected is None else sizes * parts.expected
    return ClusterAgreement(
        index=entry.name,
        side=side,
        labels=table.row_labels if side == "true" else table.column_labels,
        sizes=sizes,
        value=parts.value,
        adjusted=parts.adjusted,
        contributions=contributions,
        scores=scores,
        expected=expected,
        adjusted_contributions=parts.corrected(contributions, expected),
    )


@keywords(READING_DEFAULTS)
def agreement_by_object(
    labels_true: Any, labels_pred: Any, index: str | Index = "rand", **options: Unpack[ReadingOptions]
) -> ObjectAgreement:
    """What each object adds to the agreement of two clusterings: which ones are out of place.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Cluster of each object in the reference and in the candidate.
    index : str or Index
        An index that is a sum over objects; see `agreement_by_cluster`.
    noise, noise_label, missing, align
        As in `contingency_table`.

    Returns
    -------
    ObjectAgreement
        Contributions, which sum to the index; scores of single objects; contributions adjusted for chance,
        which sum to the adjusted index. All are in the order of the objects as given.

    Raises
    ------
    TypeError, ValueError
        If an argument breaks its rule, or the index is no sum over objects.

    Notes
    -----
    The average score is the index itself where all objects have the same denominator: for ``"rand"``, where a
    score is the share of the object's n - 1 pairs that agree, and for the indices that need cells, as the
    element-centric similarity of Gates, Wood, Hetrick & Ahn (2019), doi:10.1038/s41598-019-44892-y. For
    others, as ``"jaccard"``, it is not; their contributions sum to the index all the same.

    Examples
    --------
    >>> agreement = agreement_by_object([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    >>> agreement.scores
    array([0.75, 0.75, 0.  , 0.75, 0.75])
    >>> agreement
    <rand 0.60000, adjusted 0.16667, by object; 5 objects, scores 0 to 0.75000>
    """
    entry = _decomposed(index)
    pair = read_labels(labels_true, labels_pred, **{**READING_DEFAULTS, **options})
    table = pair.table()
    parts = _contributions(entry, table, flipped=False)
    rows, columns = (relabel(codes)[0] for codes in pair.codes)
    # Cells are listed row by row, so their numbers ascend; K Q is below 2**63 since n**2 is.
    n_columns = max(table.shape[1], 1)
    cells = np.searchsorted(parts.rows * n_columns + parts.columns, rows * n_columns + columns)

    def of_all(of_kept: Floats) -> Floats:
        if pair.kept is None:
            return of_kept
        found = np.full(pair.kept.size, math.nan)
        found[pair.kept] = of_kept
        return found

    with np.errstate(invalid="ignore", divide="ignore"):
        scores = parts.numerators / parts.denominators
    contributions = of_all(parts.contributions[cells])
    expected = None if parts.expected is None else of_all(parts.expected[rows])
    return ObjectAgreement(
        index=entry.name,
        value=parts.value,
        adjusted=parts.adjusted,
        contributions=contributions,
        scores=of_all(scores[cells]),
        expected=expected,
        adjusted_contributions=parts.corrected(contributions, expected),
    )


class _Parts(NamedTuple):
    """What an object adds, by its cell: arrays of shape (cells,), but for `expected`, one for each cluster.

    A score is a numerator over a denominator, both summed over the objects that it is of.
    """

    rows: Integers
    columns: Integers
    counts: Integers
    value: float
    room: float  # from the expected to the best value, nan where nothing can be adjusted
    contributions: Floats
    numerators: Floats
    denominators: Floats
    expected: Floats | None
    expected_value: float

    @property
    def adjusted(self) -> float:
        return (self.value - self.expected_value) / self.room

    def corrected(self, contributions: Floats, expected: Floats | None) -> Floats | None:
        return None if expected is None else (contributions - expected) / self.room


def _decomposed(index: str | Index) -> Index:
    """The entry of an index that is a sum over objects."""
    entry = get_index(index)
    if entry.name in RATIOS or (entry.needs == "cells" and _is_sum(entry)):
        return entry
    same = [name for name in RATIOS if get_index(name).corrected_as == entry.name]
    advice = (
        f" Take {same[-1] if 'rand' not in same else 'rand'!r}: its adjusted contributions sum to that."
        if same
        else " Take 'rand', 'jaccard', 'element_centric_similarity' or 'nmi_sum'."
    )
    raise ArgumentValueError("index", f"must be a sum over objects; got {entry.name!r}.{advice}")


def _is_sum(index: Index) -> bool:
    """Whether the value is the sum over cells, times a number that the cluster sizes tell."""
    if index.link is None:
        return True
    at_zero = (index.link(np.zeros(1), each.row_totals, each.column_totals) for each in PROBES)
    return all(abs(float(value[0])) < 1e-12 for value in at_zero) and all(
        is_additive(index, each) for each in PROBES
    )


def _contributions(index: Index, table: ContingencyTable, *, flipped: bool) -> _Parts:
    """What objects add; `flipped` says that expected contributions are those of the columns."""
    rows, columns, counts = table.nonzero_cells
    n, value = table.n, kind_of(index).value(index, table)
    R, C, x = (
        each.astype(np.float64) for each in (table.row_totals[rows], table.column_totals[columns], counts)
    )
    own, other = table.row_totals, table.column_totals
    if flipped:
        own, other = other, own
    expected: Floats | None
    if index.name in RATIOS:
        upper, lower = RATIOS[index.name]
        whole = 2 * sum(k * count for k, count in zip(lower, table.pair_counts, strict=True)) or math.nan
        pairs = (x - 1.0, R - x, C - x, n - R - C + x)
        numerators, denominators = _combined(upper, pairs), _combined(lower, pairs)
        contributions = numerators / whole
        expected = _combined(upper, _expected_pairs(own, other, n, flipped)) / whole if index.affine else None
    else:
        slope = _slope(index, table)
        phi = python_function(index)
        one, which = _different_cells(counts, table.row_totals[rows], table.column_totals[columns])
        cells = zip(x[one].tolist(), R[one].tolist(), C[one].tolist(), strict=True)
        of_different = np.array([phi(*cell, float(n)) / cell[0] for cell in cells], dtype=np.float64)
        contributions = slope * of_different[which]
        numerators, denominators = n * contributions, np.ones(x.size)
        expected = slope * _expected_cells(index, own, other, n, flipped)
    if index.constant or n == 0:
        expected = None
    mean = math.nan if expected is None else math.fsum((own * expected).tolist())
    low, high = pair_sum_range(table.margins)
    best = best_value(index, table.margins, None)
    room = best - mean
    if not math.isfinite(room) or abs(room) <= rounding(best, mean, constant=low == high):
        room = math.nan
    return _Parts(
        rows=rows, columns=columns, counts=counts, value=value, room=room, contributions=contributions,
        numerators=numerators, denominators=denominators, expected=expected, expected_value=mean,
    )  # fmt: skip


def _different_cells(counts: Integers, R: Integers, C: Integers) -> tuple[Integers, Integers]:
    """Where one of each kind of cell is, equal in its count and totals, and of which kind each cell is."""
    rows, columns = (np.unique(totals, return_inverse=True)[1] for totals in (R, C))
    pairs = np.unique(rows * (columns.max(initial=0) + 1) + columns, return_inverse=True)[1]
    _, one, which = np.unique(
        counts * (pairs.max(initial=0) + 1) + pairs, return_index=True, return_inverse=True
    )
    return one, which


def _combined(form: Form, pairs: Iterable[Floats]) -> Floats:
    """Value of a linear form in the pair counts."""
    terms = [k * count for k, count in zip(form, pairs, strict=True) if k]
    total: Floats = sum(terms[1:], start=terms[0])
    return total


def _expected_pairs(own: Integers, other: Integers, n: int, flipped: bool) -> tuple[Floats, ...]:
    """Means of a_i, b_i, c_i, d_i for an object of each cluster; the other objects are dealt at random."""
    together = sum(size * (size - 1) for size in other.tolist()) / (n * (n - 1)) if n > 1 else math.nan
    mates, strangers = (own - 1).astype(np.float64), (n - own).astype(np.float64)
    a, d = mates * together, strangers * (1.0 - together)
    torn_apart, brought_together = mates * (1.0 - together), strangers * together
    return (a, brought_together, torn_apart, d) if flipped else (a, torn_apart, brought_together, d)


def _slope(index: Index, table: ContingencyTable) -> float:
    """Factor from the sum over cells to the index."""
    if index.link is None:
        return 1.0
    with np.errstate(all="ignore"):
        linked = index.link(np.ones(1), table.row_totals, table.column_totals)
    slope = float(np.ravel(linked)[0])
    return slope if math.isfinite(slope) else math.nan


def _expected_cells(index: Index, own: Integers, other: Integers, n: int, flipped: bool) -> Floats:
    """Mean of the sum over the cells of each cluster, before any `link`, divided by its size."""
    sizes, which = np.unique(own, return_inverse=True)
    others, counts = np.unique(other[other > 0], return_counts=True)
    means = np.zeros(sizes.size)
    for k in np.flatnonzero(sizes):
        sides = (others, sizes[k : k + 1]) if flipped else (sizes[k : k + 1], others)
        means[k] = float(expected_in_cells(index, *sides, n).ravel() @ counts) / float(sizes[k])
    return means[which]


def _headline(agreement: ClusterAgreement | ObjectAgreement) -> str:
    """Name and value, and the adjusted one if there is one."""
    adjusted = f", adjusted {rounded(agreement.adjusted)}" if math.isfinite(agreement.adjusted) else ""
    return f"{agreement.index} {rounded(agreement.value)}{adjusted}"


def _columns(agreement: ClusterAgreement | ObjectAgreement) -> dict[str, Floats]:
    """The arrays that there are, by name."""
    names = ("contributions", "scores", "expected", "adjusted_contributions")
    return {name: found for name in names if (found := getattr(agreement, name)) is not None}
