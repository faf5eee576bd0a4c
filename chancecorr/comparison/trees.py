"""Compare two trees at every number of clusters: B_k of Fowlkes & Mallows, and its values by chance.

Permuting the leaves of one tree changes neither tree. So a single simulation gives an index at all levels
together, and its largest deviation over the levels: the band that holds jointly for all levels, and its
p-value.
"""

import dataclasses
import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from chancecorr.chance.engines import get_engine
from chancecorr.chance.fixed_margins import TableModel
from chancecorr.chance.models import make_model_of_table
from chancecorr.chance.permuted_objects import (
    MOST_ENUMERATED,
    count_permutations_in_block,
    sum_all_permuted,
    sum_permuted,
)
from chancecorr.clusterings.pair_kernels import fill_permuted_tables
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.clusterings.tree import Tree
from chancecorr.correction.interval import cut
from chancecorr.correction.jackknife import bound_values
from chancecorr.correction.options import read_options
from chancecorr.exact.summary import bound_rounding, compute_adjusted_scores
from chancecorr.indices.naming import decide_on_names
from chancecorr.indices.registry import AnyIndex, Index, get_index
from chancecorr.machine.arguments import ArgumentValueError, as_count, as_level, explain_call
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.printing import format_fixed, format_p_value
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.sampling.seeding import RNG
from chancecorr.sampling.workers import map_in_threads
from chancecorr.tables.reading import contingency_table

MAX_LEVELS = 50  # by default this many numbers of clusters, from 2 on
MAX_ROUNDING_IN_STANDARD_DEVIATIONS = 1e-9  # two values that differ by less count as equal
CELLS_AT_ONCE = 1 << 21  # table cells held in memory together: 16 MB


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TreeComparison(Result):
    """An index of two trees at each number of clusters; see the example of `compare_trees`.

    Attributes
    ----------
    index, n_clusters : str, ndarray of int64 of shape (levels,)
        Name of the index, and the number of clusters into which both trees are cut, for each level.
    observed, expected, std : ndarray of float64, shape (levels,)
        The raw index, and its mean and standard deviation under permutations of the leaves: exact if they are
        known for the index, otherwise from the simulated permutations.
    low, high : ndarray of float64, shape (levels,)
        Limits of a band that contains the share `confidence` of all permutations, jointly at all levels;
        within the range of the index. nan at a level where no permutation changes the index.
    adjusted, p_value : ndarray of float64, shape (levels,)
        ``(observed - expected) / (best - expected)``, and the share of permutations whose index is at least
        as large at this level, the observed order included.
    p_simultaneous : float
        Share of permutations whose largest deviation above the mean over all levels, in standard deviations,
        is at least as large as the observed largest deviation.
    confidence, n_permutations : float, int
        Level of the band, and number of permutations drawn.
    trees : tuple of Tree
        The two trees, which the picture shows.
    """

    _picture = "plot_trees"

    index: str
    n_clusters: Integers
    observed: Floats
    expected: Floats
    std: Floats
    low: Floats
    high: Floats
    adjusted: Floats
    p_value: Floats
    p_simultaneous: float
    confidence: float
    n_permutations: int
    trees: tuple[Tree, Tree]

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and notes as a dictionary of plain numbers, strings and lists."""
        names = [field.name for field in dataclasses.fields(self) if field.name != "trees"]
        plain = {name: getattr(self, name) for name in names}
        return plain | {name: values.tolist() for name, values in self._list_columns().items()}

    def _list_columns(self) -> dict[str, Any]:
        """Return arrays with a number for each level, by name."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the printed table: a row for each level, and the joint p-value of all levels."""
        rows = [
            [
                *(str(k), format_fixed(observed, 4), format_fixed(expected, 4)),
                *(f"{format_fixed(low, 3)} to {format_fixed(high, 3)}", format_fixed(adjusted, 4)),
                format_p_value(p),
            ]
            for k, observed, expected, _, low, high, adjusted, p in zip(
                *self._list_columns().values(), strict=True
            )
        ]
        band = f"{100 * self.confidence:g} % band"
        table = TextTable(
            columns=("clusters", "observed", "expected", band, "adjusted", "p"),
            rows=rows,
            caption=f"TreeComparison({self.index!r}, {self.trees[0].n} leaves,"
            f" p = {format_p_value(self.p_simultaneous)} at all levels together)",
        )
        return [table]


@explain_call
def compare_trees(
    tree_true: Any,
    tree_pred: Any,
    index: AnyIndex = "fowlkes_mallows",
    *,
    n_clusters: Iterable[int] | None = None,
    n_permutations: int = 999,
    confidence: float = 0.95,
    rng: RNG = None,
    n_jobs: int | None = None,
) -> TreeComparison:
    """Cut two trees into 2, 3, 4, ... clusters each, and compare an index at each level with chance.

    Parameters
    ----------
    tree_true, tree_pred : Tree, or array-like of shape (n - 1, 4)
        Linkages of the same objects, as `scipy.cluster.hierarchy.linkage` gives them.
    index : str or Index
        The index of agreement at each level; see `list_indices`. By default B_k.
    n_clusters : iterable of int, optional
        Numbers of clusters (levels), from 2 to n - 1; by default all levels up to 51.
    n_permutations : int
        Number of random permutations of the leaves. With up to 8 leaves, all permutations are used.
    confidence : float
        Share of the permutations that the band contains, in (0, 1).
    rng, n_jobs
        As in `chancecorr.adjust`.

    Returns
    -------
    TreeComparison
        Observed and expected value, band, adjusted score and p-value at each level, and a joint p-value.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid; the message says which one.

    Notes
    -----
    Null model: the leaves of one tree are permuted, so that both trees keep their shapes. `p_simultaneous`
    uses the largest ``(value - expected) / std`` of each permutation over the levels [2]_, and the band the
    largest deviation to either side.

    References
    ----------
    .. [1] ``B_k``: Fowlkes & Mallows (1983), doi:10.1080/01621459.1983.10478008.
    .. [2] Westfall & Young (1993), Resampling-based multiple testing, Wiley.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.cluster.hierarchy import linkage
    >>> points = np.random.default_rng(0).normal(size=(30, 2))
    >>> found = compare_trees(linkage(points, "average"), linkage(points, "complete"), rng=0)
    >>> found.p_simultaneous < 0.01
    True
    """
    level, count = as_level("confidence", confidence), as_count("n_permutations", n_permutations)
    P = tree_true if isinstance(tree_true, Tree) else Tree(tree_true, "tree_true")
    Q = tree_pred if isinstance(tree_pred, Tree) else Tree(tree_pred, "tree_pred")
    trees = cast(tuple[Tree, Tree], read_clusterings(P, Q, names=("tree_true", "tree_pred")).sides)
    options, (entry, _) = read_options(rng=rng, n_jobs=n_jobs), decide_on_names(get_index(index))
    if entry.named:
        rule = "must not compare labels by name, because clusters of trees have no names"
        raise ArgumentValueError("index", f"{rule}; got {entry.name!r}.")
    levels = _read_levels(n_clusters, trees[0].n)
    cuts = [(trees[0].labels(k), trees[1].labels(k)) for k in levels.tolist()]
    models = [make_model_of_table(contingency_table(*pair), options) for pair in cuts]
    evaluate = functools.partial(_evaluate_levels, entry, models, cuts)
    are_all = trees[0].n <= MOST_ENUMERATED
    if are_all:
        values = sum_all_permuted(evaluate, trees[0].n)
    else:
        sum_block = functools.partial(sum_permuted, evaluate, trees[0].n, options.seed)
        step = count_permutations_in_block(trees[0].n)
        blocks = map_in_threads(
            lambda first: sum_block(first, min(step, count - first)), range(0, count, step), n_jobs
        )
        values = np.concatenate(blocks)
    observed, best = np.array([(model.observed(entry), model.best(entry)) for model in models]).T
    mean, std = np.array([(column.mean(), column.std()) for column in values.T]).T
    for k, model in enumerate(models):
        exact = model.moments(entry)
        if exact is not None and math.isfinite(exact.moments.mean):
            mean[k] = exact.moments.mean
            std[k] = exact.moments.std if math.isfinite(exact.moments.std) else std[k]
        slack = bound_rounding(mean[k], observed[k], best[k])
        if std[k] <= slack:  # no permutation changes the index
            values[:, k], std[k] = mean[k], 0.0
            observed[k] = mean[k] if abs(observed[k] - mean[k]) <= slack else observed[k]
    low, high, p_value, p_simultaneous = _make_band(values, observed, mean, std, level, 0 if are_all else 1)
    for k, model in enumerate(models):
        ends = bound_values(entry, model.margins, is_monotone=bool(model.direction(entry)))
        low[k], high[k] = cut((low[k], high[k]), *ends)
    return TreeComparison(
        index=entry.name, n_clusters=levels, observed=observed, expected=mean, std=std, low=low, high=high,
        adjusted=compute_adjusted_scores(observed, best, mean), p_value=p_value,
        p_simultaneous=p_simultaneous, confidence=level, n_permutations=len(values), trees=trees,
    )  # fmt: skip


def _make_band(
    values: Floats, observed: Floats, mean: Floats, std: Floats, level: float, own: int
) -> tuple[Floats, Floats, Floats, float]:
    """Return the joint band, the p-value of each level, and the joint p-value.

    The observed order counts as one more permutation if `own` is 1.
    """
    varies = std > 0.0
    z, above = np.full_like(values, -math.inf), np.where(observed > mean, math.inf, -math.inf)
    np.divide(values - mean, std, out=z, where=varies)
    np.divide(observed - mean, std, out=above, where=varies)
    largest = np.quantile(np.abs(z[:, varies]).max(axis=1, initial=0.0), level, method="inverted_cdf")
    ends = np.where(varies, largest * std, math.nan)
    reached = (values >= observed - MAX_ROUNDING_IN_STANDARD_DEVIATIONS * np.maximum(std, 1.0)).sum(axis=0)
    beyond = int((z.max(axis=1) >= above.max() - MAX_ROUNDING_IN_STANDARD_DEVIATIONS).sum())
    n_values = len(values) + own
    return mean - ends, mean + ends, (reached + own) / n_values, (beyond + own) / n_values


def _read_levels(n_clusters: Iterable[int] | None, n: int) -> Integers:
    """Return the levels as integers; raise if one is not from 2 to n - 1."""
    if n < 4:
        raise ArgumentValueError("tree_true", f"must have at least four leaves; got {n}.")
    levels = np.arange(2, min(n, MAX_LEVELS + 2)) if n_clusters is None else np.array(list(n_clusters))
    bad = [level for level in levels.tolist() if not (isinstance(level, int) and 2 <= level < n)]
    if bad or not levels.size:
        raise ArgumentValueError(
            "n_clusters", f"must be whole numbers from 2 to {n - 1}; got {bad[0] if bad else 'none'}."
        )
    return levels.astype(np.int64)


def _evaluate_levels(
    index: Index, models: list[TableModel], cuts: list[tuple[Integers, Integers]], permutations: Integers
) -> Floats:
    """Return the index at each level under each permutation, shape (m, levels)."""
    out = np.empty((len(permutations), len(cuts)))
    for level, (model, (rows, columns)) in enumerate(zip(models, cuts, strict=True)):
        margins = model.margins
        shape = margins.row_totals.size, margins.column_totals.size
        step = max(1, CELLS_AT_ONCE // math.prod(shape))
        for first in range(0, len(permutations), step):
            some = permutations[first : first + step]
            tables = np.empty((len(some), *shape), dtype=np.int64)
            fill_permuted_tables(rows, columns, some, tables)
            out[first : first + step, level] = get_engine(index).values(index, tables, margins)
    return out
