"""Measure the agreement of many clusterings of the same objects, such as labels by several raters.

Under chance the labels of every clustering are permuted. The tables of two pairs are then independent, also
if they share a clustering, so that the variance of a sum over pairs is the sum of their variances. Three
pairs are dependent: if i equals j and k, j equals k. The p-value is therefore simulated.

With an index of agreement the clusterings are ratings: labels have the same meaning for all raters. `raters`
then computes the coefficient, also for other models of chance.
"""

import dataclasses
import itertools
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from chancecorr.chance.engines import get_engine
from chancecorr.chance.fixed_margins import PERMUTATION
from chancecorr.chance.options import MethodName, Options
from chancecorr.comparison.clusterings import Clusterings, Drop, lay_out_pair
from chancecorr.comparison.pairwise import PairwiseScores, score_pairs
from chancecorr.comparison.raters import (
    Ratings,
    average_within_items,
    compute_variance,
    measure_agreement,
    measure_categories,
    read_ratings,
    simulate_agreement,
)
from chancecorr.correction.interval import Interval, make_interval, make_unknown_interval
from chancecorr.correction.jackknife import LeaveOneOut, is_perfect
from chancecorr.correction.options import MonteCarlo, read_options
from chancecorr.exact.index_of_pair_sum import compute_affine_moments
from chancecorr.exact.summary import compute_adjusted_score, compute_adjusted_scores
from chancecorr.indices.evaluation import evaluate_varying_sums
from chancecorr.indices.registry import AnyIndex, Index, find_index
from chancecorr.machine.arguments import ArgumentValueError, as_count, as_level, explain_call
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import Budget
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_fixed, format_p_value
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.sampling.seeding import RNG, make_generator
from chancecorr.tables.contingency import Margins
from chancecorr.tables.names import write_names
from chancecorr.tables.objects import read_groups
from chancecorr.tables.pair_sum import compute_pair_sum_moments
from chancecorr.tables.reading import Missing, NoiseOfSides

MAX_CATEGORIES_SHOWN, MAX_ITEMS_SHOWN = 30, 5

MIN_RATERS = 5  # with fewer raters no interval over raters is given

MAX_RELATIVE_ROUNDING = 1e-12  # of simulated means that count as equal to the observed one


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Agreement(Result):
    """Agreement of m clusterings, with its mean by chance; see the example of `agreement`.

    Attributes
    ----------
    mean_adjusted : float
        Mean of the adjusted scores of the pairs: 0 by chance, 1 if all agree. Pairs without an adjusted score
        are left out; nan if no pair has one.
    observed, expected, variance : float
        Mean of the raw index over the pairs, and its mean and variance if the labels of each clustering are
        permuted at random; nan if not known.
    variance_from : {"exact", "simulated", "unknown"}
        Exact for symmetric indices that are affine in ``sum n_ij**2``, such as the Rand index.
    z_score, p_value : float
        ``(observed - expected) / sqrt(variance)``, and the share of the permutations, the observed labels
        among them, that agree at least as well; nan if not known.
    n_permutations, seed : int
        Number of simulated permutations of all clusterings, and the seed; pass it as `rng` to repeat them.
    scores : PairwiseScores
        Scores of the pairs; its `agreement` is the mean of each clustering with the others.
    """

    _picture = "plot_pairwise"

    mean_adjusted: float
    observed: float
    expected: float
    variance: float
    variance_from: Literal["exact", "simulated", "unknown"]
    p_value: float
    n_permutations: int
    seed: int | None
    z_score: float
    scores: PairwiseScores

    @property
    def _drawn(self) -> PairwiseScores:
        """The scores, which the picture shows."""
        return self.scores

    @property
    def notes(self) -> Notes:
        """Notes on the scores, and why a test is missing; usually empty."""
        no_test = self.variance_from == "unknown" and bool(self.scores.objects.min() < self.scores.n)
        text = "no test: the clusterings have different objects"
        return (*self.scores.notes, Note("no test", text)) if no_test else self.scores.notes

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and notes as a dictionary of plain numbers, strings and lists."""
        names = [field.name for field in dataclasses.fields(self) if field.name != "scores"]
        about = {"index": self.scores.index, "n": self.scores.n, "by_clustering": self._list_means()}
        values = {name: getattr(self, name) for name in names}
        return about | values | {"notes": [note.to_dict() for note in self.notes]}

    def _list_columns(self) -> dict[str, Any]:
        return dict(
            zip(("clustering", "with_the_others"), zip(*self._list_means(), strict=True), strict=True)
        )

    def _list_means(self) -> list[tuple[Hashable, float]]:
        """Return the name of each clustering and its mean adjusted score with the others."""
        return list(zip(self.scores.names, self.scores.agreement.tolist(), strict=True))

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the printed table: the mean, the test, the mean of each clustering, and notes."""
        m, p = len(self.scores), format_p_value(self.p_value)
        table = TextTable(
            columns=["", "with the others"],
            rows=[[str(name), format_fixed(mean, 3)] for name, mean in self._list_means()],
            caption=f"Agreement({self.scores.index!r}, {m} clusterings of {self.scores.n} objects, mean"
            f" adjusted {format_fixed(self.mean_adjusted, 3)}, z {format_fixed(self.z_score, 2)}, p {p})",
            notes=self.notes,
        )
        return [table]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RaterAgreement(Agreement):
    """Agreement of m raters of n items, with its mean by chance; see the example of `agreement`.

    Attributes
    ----------
    mean_adjusted, observed, expected, variance, z_score, p_value : float
        As in `Agreement`, by `model`. With ``"pooled"``, observed agreement is a mean over the items.
    variance_from, n_permutations, seed : str, int, int
        As in `Agreement`.
    scores : PairwiseScores
        As in `Agreement`.
    adjusted : float
        ``(observed - expected) / (best - expected)``: 0 by chance, 1 if all raters agree on all items. By
        `model` it is Conger's coefficient (Cohen's kappa of two raters), Krippendorff's alpha, or the
        coefficient of Brennan & Prediger.
    interval, interval_over_raters : Interval
        Jackknife intervals of `adjusted`: for many items such as these, or groups of items, by these raters;
        and for many raters such as these, of these items, which needs five raters.
    best, model : float, str
        Best value of the index, and what chance is; see `agreement`.
    of_items : ndarray of float64, shape (n,)
        Observed agreement on each item: the mean weight of the pairs of its ratings, 1 if all raters agree;
        nan if fewer than two raters rated the item.
    of_categories : dict
        For each label its share of the ratings, and the adjusted agreement on this label against all others;
        nan if all ratings or none have the label.
    items : tuple of length n, or None
        Names of the items, in the order of `of_items`; None if the ratings do not name them.
    """

    adjusted: float
    interval: Interval
    interval_over_raters: Interval
    best: float
    model: str
    of_items: Floats
    of_categories: Mapping[Hashable, tuple[float, float]]
    items: tuple[Hashable, ...] | None

    @property
    def notes(self) -> Notes:
        """Notes on the interval and the scores of the pairs; usually empty."""
        about = [Note("interval", f"interval: {self.interval.remark}")] if self.interval.remark else []
        return (*about, *self.scores.notes)

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and notes as a dictionary of plain numbers, strings and lists."""
        intervals = {
            name: {end: getattr(interval, end) for end in ("low", "high", "confidence", "standard_error")}
            for name, interval in (
                ("interval", self.interval),
                ("interval_over_raters", self.interval_over_raters),
            )
        }
        listed = [[label, *numbers] for label, numbers in self.of_categories.items()]
        items = {"items": None if self.items is None else write_names(self.items)}
        more = {"of_items": self.of_items.tolist(), "of_categories": listed}
        return Agreement.to_dict(self) | intervals | more | items

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the printed tables: the raters, the categories, the items of least agreement, and notes."""
        low, high = (format_fixed(end, 3) for end in self.interval)
        of_raters = dataclasses.replace(
            Agreement._tables(self)[0],
            caption=f"RaterAgreement({self.scores.asked_as!r}, {len(self.scores)} raters of {self.scores.n}"
            f" items, adjusted {format_fixed(self.adjusted, 3)} [{low}, {high}],"
            f" z {format_fixed(self.z_score, 2)}, p {format_p_value(self.p_value)}, model={self.model!r})",
        )
        categories = list(self.of_categories.items())
        more = len(categories) - MAX_CATEGORIES_SHOWN
        of_categories = TextTable(
            columns=["category", "share of ratings", "adjusted, against all others"],
            rows=[
                [str(label), *(format_fixed(number, 3) for number in numbers)]
                for label, numbers in categories[:MAX_CATEGORIES_SHOWN]
            ],
            notes=[Note("more", f"and {more:,} more")] if more > 0 else [],
        )
        order = np.argsort(self.of_items, kind="stable")[:MAX_ITEMS_SHOWN]
        of_items = TextTable(
            columns=["items of least agreement", "agreement"],
            rows=[
                [str(k if self.items is None else self.items[k]), format_fixed(float(self.of_items[k]), 3)]
                for k in order.tolist()
                if self.of_items[k] < 1.0
            ],
        )
        return [of_raters, of_categories, *([of_items] if of_items.rows else [])]


@explain_call
def agreement(
    clusterings: Any,
    index: AnyIndex = "rand",
    *,
    model: str = PERMUTATION.name,
    groups: Any = None,
    confidence: float = 0.95,
    n_permutations: int = 1000,
    drop: Drop | None = None,
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    best: float | Literal["mean"] | None = None,
    budget: float | Budget | None = None,
    progress: bool | None = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> Agreement:
    """Measure how much two or more clusterings of the same objects agree, such as labels by several raters.

    Parameters
    ----------
    clusterings : dict, list, array-like of shape (m, n), or data frame
        At least two, as in `pairwise`.
    model : {"permutation", "pooled", "uniform"}
        Model of chance. ``"permutation"``: the labels of each clustering are permuted. Only for an index of
        agreement: ``"pooled"``, the labels of all raters are put together and dealt anew; ``"uniform"``, all
        categories are equally probable.
    groups : array-like of shape (n,), optional
        Name of the group of each item, such as its document, for an index of agreement: the intervals are for
        many groups.
    confidence : float
        Level of the intervals, in (0, 1), for an index of agreement.
    n_permutations : int
        Number of random permutations of all clusterings, or draws by another model, for the p-value; 0: no
        p-value. Each permutation takes m - 1 permutations of n labels, and
        ``m (m - 1) / 2`` tables.
    drop : {"common", "each"}, optional
        Which objects are left out if ``noise="drop"`` or ``missing="drop"``. ``"common"``: an object that one
        clustering leaves out is left out of all clusterings. ``"each"``: it is left out of the pairs of that
        clustering only, and the agreement is not tested. By default ``"each"`` for an index of agreement,
        which is tested nevertheless, and else ``"common"``.
    index, method, n_tables, rng, n_jobs, best, budget, progress, noise, missing
        As in `pairwise`; they say how each pair is adjusted.

    Returns
    -------
    Agreement or RaterAgreement
        Mean adjusted score, z and p-value, and the mean of each clustering with the others. For an index of
        agreement such as ``"cohen_kappa"`` also the coefficient of all raters with its intervals, and the
        agreement on each item and category.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError
        As in `chancecorr.compare`.

    Notes
    -----
    The null hypothesis of the p-value is that all clusterings are matched at random. The alternative is that
    their mean agreement is better; a single clustering may still be unrelated to the others. With few
    clusters the mean is not normally distributed, even if the mean and the variance in `z_score` are exact.

    For an index of agreement, labels have the same meaning for all raters. The coefficient is Conger's [1]_
    with ``model="permutation"``, Krippendorff's alpha [2]_ with ``"pooled"``, and the coefficient of
    Brennan & Prediger [3]_ with ``"uniform"``. If some raters did not rate some items (``missing="drop"``),
    observed and expected agreement are means over the pairs of raters, each on the items that both rated;
    alpha weighs each pair of the m ratings of an item by ``1 / (m - 1)``. The weights of an asymmetric
    index are averaged over the two directions.

    References
    ----------
    .. [1] Conger (1980), Integration and generalization of kappas for multiple raters,
       doi:10.1037/0033-2909.88.2.322.
    .. [2] Hayes & Krippendorff (2007), Answering the call for a standard reliability measure for coding data,
       doi:10.1080/19312450709336664.
    .. [3] Brennan & Prediger (1981), Coefficient kappa: some uses, misuses, and alternatives,
       doi:10.1177/001316448104100307.

    Examples
    --------
    >>> raters = {"ann": [0, 0, 0, 1, 1, 1], "bob": [0, 0, 1, 1, 2, 2], "cy": [0, 0, 0, 1, 1, 2]}
    >>> of_raters = agreement(raters, rng=0)
    >>> round(of_raters.mean_adjusted, 6), round(of_raters.z_score, 6)
    (0.340794, 2.213211)

    If the labels mean the same for all raters, the index is one of agreement.

    >>> of_raters = agreement(raters, "cohen_kappa", rng=0)
    >>> round(of_raters.adjusted, 6), round(11 / 23, 6)
    (0.478261, 0.478261)
    """
    n_permutations, level = as_count("n_permutations", n_permutations, 0), as_level("confidence", confidence)
    asked = find_index(index, to_adjust=True).entry
    is_of_agreement = asked.needs == "agreement"
    if not is_of_agreement and (groups is not None or model != PERMUTATION.name):
        name = "model" if groups is None else "groups"
        rule = (
            f"is only available for an index of agreement, such as 'cohen_kappa'; got index {asked.name!r}."
        )
        raise ArgumentValueError(name, rule)
    options = read_options(
        method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, best=best, budget=budget, model=model,
        progress=progress,
    )  # fmt: skip
    read, entry, scores = score_pairs(
        "clusterings", clusterings, index, options, noise=noise, missing=missing,
        drop=drop or ("each" if is_of_agreement else "common"),
    )  # fmt: skip
    if is_of_agreement and (ratings := read_ratings(read, entry)) is not None:
        is_here = None if read.here is None else np.isin(np.arange(read.given), read.here)
        members = None if groups is None else read_groups(groups, read.objects, is_here)
        return _measure_raters(
            ratings, read, entry, scores, options, members=members, level=level, n_draws=n_permutations
        )
    apart = ~np.eye(len(read), dtype=np.bool_)
    if any(item is not None for item in read.kept):
        n_permutations = 0
    simulated = _simulate_means(read, entry, n_permutations, int(options.seed))
    source, variance = _find_variance(read, entry, simulated)
    return Agreement(**_test(
        scores, entry, simulated, variance, seed=options.whole_seed, variance_from=source,
        observed=float(scores.observed[apart].mean()), expected=float(scores.expected[apart].mean()),
    ))  # fmt: skip


def _test(
    scores: PairwiseScores, index: Index, simulated: Floats, variance: float, *, observed: float,
    expected: float, **others: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return the numbers that `Agreement` holds, with z and p-value."""
    adjusted = scores.adjusted[~np.eye(len(scores), dtype=np.bool_) & np.isfinite(scores.adjusted)]
    p_value = math.nan
    if simulated.size and math.isfinite(observed):
        ahead = simulated - observed if index.larger_is_better else observed - simulated
        slack = MAX_RELATIVE_ROUNDING * max(abs(observed), float(np.ptp(simulated)))
        p_value = (1 + np.count_nonzero(ahead >= -slack)) / (1 + simulated.size)
    return others | dict(
        mean_adjusted=float(adjusted.mean()) if adjusted.size else math.nan, observed=observed,
        expected=expected, variance=variance, p_value=p_value, n_permutations=simulated.size,
        z_score=(observed - expected) / math.sqrt(variance) if variance > 0.0 else math.nan, scores=scores,
    )  # fmt: skip


def _measure_raters(
    ratings: Ratings, read: Clusterings, index: Index, scores: PairwiseScores, options: Options, *,
    members: Integers | None, level: float, n_draws: int,
) -> RaterAgreement:  # fmt: skip
    """Return the coefficient of all raters, its intervals, and the agreement on items and categories."""
    model, (m, n) = options.model.name, ratings.labels.shape
    observed, expected = measure_agreement(ratings, model, np.arange(n) if members is None else members)
    best, mean = float(np.nanmean(scores.best[~np.eye(m, dtype=np.bool_)])), float(expected[0])
    whole, *rest = compute_adjusted_scores(observed, best, expected)
    without = np.array(rest, dtype=np.float64)
    simulated = simulate_agreement(ratings, model, n_draws, int(options.seed))
    is_exact = model == PERMUTATION.name and bool(ratings.rated.all())
    if is_exact:
        variance = compute_variance(ratings)
    else:
        variance = float(simulated.var(ddof=1)) if n_draws > 1 else math.nan

    worst, room = float(ratings.weights.min()), best - mean
    # what the score loses if one of the raters disagrees as much as possible with the others, on all items
    loss = 2.0 / m * (best - worst) / room if room > 0.0 else math.nan
    least = compute_adjusted_score(worst, best, mean)
    if members is None:
        of_items = LeaveOneOut(
            whole=whole, counts=np.ones(n, dtype=np.int64), without=without, least=least,
            estimate=whole + (n - 1) / n * float((whole - without).sum()),
            cost=max(float(without.max()) - whole, loss / n), perfect=is_perfect(whole, without),
            null_variance=variance / room**2 if room > 0.0 else math.nan, squares=math.inf,
        )  # fmt: skip
    else:
        share = float(np.bincount(members).max()) / n
        of_items = LeaveOneOut.of_parts(whole, without, cost=loss * share, least=least, what="groups")
    interval_over_raters = make_unknown_interval(level, f"it takes {MIN_RATERS} raters")
    if m >= MIN_RATERS:
        others = (measure_agreement(ratings.keep_raters(np.delete(np.arange(m), k)), model) for k in range(m))
        without_rater = [float(compute_adjusted_scores(o, best, e)[0]) for o, e in others]
        of_raters = LeaveOneOut.of_parts(
            whole, np.array(without_rater), cost=loss, least=least, what="raters"
        )
        interval_over_raters = make_interval(of_raters, level)

    on_items = np.full(read.given, np.nan)
    on_items[slice(None) if read.here is None else read.here] = average_within_items(ratings)
    on_items.flags.writeable = False
    return RaterAgreement(**_test(
        scores, index, simulated, variance, seed=options.whole_seed, observed=float(observed[0]),
        expected=mean, best=best, adjusted=float(whole), model=model,
        variance_from="exact" if is_exact else "simulated" if n_draws > 1 else "unknown",
        interval=make_interval(of_items, level), interval_over_raters=interval_over_raters,
        of_items=on_items, of_categories=measure_categories(ratings, model),
        items=read.objects.list_names(),
    ))  # fmt: skip


def _find_variance(
    read: Clusterings, index: Index, simulated: Floats
) -> tuple[Literal["exact", "simulated", "unknown"], float]:
    """Return the variance of the mean over pairs: the sum of their variances over their squared number."""
    if any(item is not None for item in read.kept):
        return "unknown", math.nan
    if index.affine and index.symmetric:
        pairs = list(itertools.combinations(read.sizes, 2))
        margins = itertools.starmap(Margins, pairs)
        of_pairs = (compute_affine_moments(index, item, compute_pair_sum_moments(item)) for item in margins)
        return "exact", math.fsum(moments.variance for moments in of_pairs) / len(pairs) ** 2
    if simulated.size > 1:
        return "simulated", float(simulated.var(ddof=1))
    return "unknown", math.nan


def _simulate_means(read: Clusterings, index: Index, n_permutations: int, seed: int) -> Floats:
    """Return the mean of the index over the pairs, for permutations of all clusterings except the first."""
    codes = read.codes.copy()
    permuted = dataclasses.replace(read, codes=codes)
    means, engine = np.empty(n_permutations), get_engine(index)
    rows, columns = np.triu_indices(len(read), 1)
    if not index.symmetric:  # in both directions
        rows, columns = np.concatenate([rows, columns]), np.concatenate([columns, rows])
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    for k in range(n_permutations):
        codes[1:] = make_generator(seed, k).permuted(read.codes[1:], axis=1)
        if engine.goes_by_pair_sum and not index.with_totals:
            sums = permuted.pair_sums()
            A, B = (np.diagonal(sums)[side] for side in (rows, columns))
            means[k] = evaluate_varying_sums(index, sums[rows, columns], A, B, read.n).mean()
        else:
            values = (engine.value(index, lay_out_pair(index, permuted.pair(i, j))[0]) for i, j in pairs)
            means[k] = math.fsum(values) / rows.size
    return means
