"""Measure the agreement of many clusterings of the same objects: several raters, or many runs of a method.

Raters: under chance the labels of every clustering are permuted. The tables of two pairs are then
independent, also if they share a clustering, so that the variance of a sum over pairs is the sum of their
variances. Three pairs are dependent: if i equals j and k, j equals k. The p-value is therefore simulated.

Runs: the mean U of the adjusted scores over all pairs of m runs is a U-statistic of degree 2, whose jackknife
has the variance ``(m - 1) / m sum_i (U_without_i - U)**2``. It errs upwards: Efron & Stein (1981),
doi:10.1214/aos/1176345462.
"""

import dataclasses
import itertools
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.chance.engines import get_engine
from chancecorr.chance.options import MethodName
from chancecorr.comparison.clusterings import Clusterings, Drop, lay_out_pair, read_many
from chancecorr.comparison.pairwise import PairwiseScores, score_pairs
from chancecorr.correction.interval import MIN_GROUPS, Interval, cut, find_t_quantile, make_unknown_interval
from chancecorr.correction.jackknife import SCORE_ROUNDING, find_least_score
from chancecorr.correction.options import MonteCarlo, read_options
from chancecorr.exact.index_of_pair_sum import compute_affine_moments
from chancecorr.indices.evaluation import evaluate_varying_sums
from chancecorr.indices.registry import AnyIndex, Index
from chancecorr.machine.arguments import as_count, as_level, explain_call
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import Budget
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_fixed, format_p_value
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.sampling.seeding import RNG, make_generator
from chancecorr.tables.contingency import Margins
from chancecorr.tables.crosstab import number_labels
from chancecorr.tables.names import write_names
from chancecorr.tables.pair_sum import compute_pair_sum_moments
from chancecorr.tables.reading import Missing, NoiseOfSides

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


@explain_call
def agreement(
    clusterings: Any,
    index: AnyIndex = "rand",
    *,
    n_permutations: int = 1000,
    drop: Drop = "common",
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
    n_permutations : int
        Number of random permutations of all clusterings, from which the p-value is simulated; 0: no p-value.
        Each permutation takes m - 1 permutations of n labels, and ``m (m - 1) / 2`` tables.
    drop : {"common", "each"}
        Which objects are left out if ``noise="drop"`` or ``missing="drop"``. ``"common"``: an object that one
        clustering leaves out is left out of all clusterings. ``"each"``: it is left out of the pairs of that
        clustering only, and the agreement is not tested.
    index, method, n_tables, rng, n_jobs, best, budget, progress, noise, missing
        As in `pairwise`; they say how each pair is adjusted.

    Returns
    -------
    Agreement
        Mean adjusted score, z and p-value, and the mean of each clustering with the others.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError
        As in `chancecorr.compare`.

    Notes
    -----
    The null hypothesis of the p-value is that all clusterings are matched at random. The alternative is that
    their mean agreement is better; a single clustering may still be unrelated to the others. With few
    clusters the mean is not normally distributed, even if the mean and the variance in `z_score` are exact.

    Examples
    --------
    >>> raters = {"ann": [0, 0, 0, 1, 1, 1], "bob": [0, 0, 1, 1, 2, 2], "cy": [0, 0, 0, 1, 1, 2]}
    >>> of_raters = agreement(raters, rng=0)
    >>> round(of_raters.mean_adjusted, 6), round(of_raters.z_score, 6)
    (0.340794, 2.213211)
    """
    n_permutations = as_count("n_permutations", n_permutations, 0)
    options = read_options(
        method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, best=best, budget=budget,
        progress=progress,
    )  # fmt: skip
    read, entry, scores = score_pairs(
        "clusterings", clusterings, index, options, noise=noise, missing=missing, drop=drop
    )
    apart = ~np.eye(len(read), dtype=np.bool_)
    adjusted = scores.adjusted[apart & np.isfinite(scores.adjusted)]
    observed = float(scores.observed[apart].mean())
    if any(item is not None for item in read.kept):
        n_permutations = 0
    simulated = _simulate_means(read, entry, n_permutations, int(options.seed))
    source, variance = _find_variance(read, entry, simulated)
    p_value = math.nan
    if simulated.size and math.isfinite(observed):
        ahead = simulated - observed if entry.larger_is_better else observed - simulated
        slack = MAX_RELATIVE_ROUNDING * max(abs(observed), float(np.ptp(simulated)))
        p_value = (1 + np.count_nonzero(ahead >= -slack)) / (1 + simulated.size)
    expected = float(scores.expected[apart].mean())
    return Agreement(
        mean_adjusted=float(adjusted.mean()) if adjusted.size else math.nan, observed=observed,
        expected=expected, variance=variance, variance_from=source, p_value=p_value,
        n_permutations=n_permutations, seed=options.whole_seed,
        z_score=(observed - expected) / math.sqrt(variance) if variance > 0.0 else math.nan, scores=scores,
    )  # fmt: skip


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


MAX_CLUSTERS_SHOWN = 30


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Stability(Result):
    """Agreement of m runs, and the stability of each cluster and object; see the example of `stability`.

    Attributes
    ----------
    mean_adjusted, interval : float, Interval
        Mean of the adjusted scores of the pairs of runs: 0 by chance, 1 if all runs are the same. Its
        jackknife interval is about all runs that could have been made. Pairs without an adjusted score are
        left out.
    reference : hashable
        Name of the run whose clusters are in `clusters`; None if reference labels were given.
    clusters : dict
        For each cluster of the reference its mean Jaccard coefficient with the most similar cluster of each
        run, in (0, 1]; nan if no run contains an object of the cluster.
    consistency : ndarray of float64, shape (n,)
        For each object the mean over pairs of runs of the Jaccard coefficient of its two clusters, in (0, 1]:
        1 if the object shares its cluster with the same objects in all runs; nan if fewer than two runs have
        it.
    scores, runs : PairwiseScores, Clusterings
        Adjusted scores of every two runs; the cluster numbers of the runs, which the picture shows.
    objects : tuple of length n, or None
        Names of the objects, in the order of `consistency`; None if the runs do not name them.
    """

    _picture = "plot_stability"

    mean_adjusted: float
    interval: Interval
    reference: Hashable
    clusters: Mapping[Hashable, float]
    consistency: Floats
    scores: PairwiseScores
    runs: Clusterings

    @property
    def objects(self) -> tuple[Hashable, ...] | None:
        """Names of the objects, in the order of `consistency`; None if the runs do not name them."""
        return self.runs.objects.list_names()

    @property
    def notes(self) -> Notes:
        """Notes on the interval and on the scores of the pairs; usually empty."""
        about = Note("interval", f"interval: {self.interval.remark}")
        return (about, *self.scores.notes) if self.interval.remark else self.scores.notes

    def share_together(self, objects: Integers) -> Floats:
        """Compute the share of runs that put two objects together.

        Parameters
        ----------
        objects : ndarray of int64, shape (k,)
            Positions of objects.

        Returns
        -------
        ndarray of float64, shape (k, k)
            Shares of the runs that have both objects; nan if no run has both.
        """
        together, both = np.zeros((2, objects.size, objects.size))
        for codes, kept in zip(self.runs.codes[:, objects], self.runs.kept, strict=True):
            has = np.ones(objects.size, dtype=np.bool_) if kept is None else kept[objects]
            pairs = has[:, None] & has
            both += pairs
            together += pairs & (codes[:, None] == codes)
        shares = np.full(both.shape, np.nan)
        np.divide(together, both, out=shares, where=both > 0.0)
        shares[np.diag_indices_from(shares)] = 1.0
        return shares

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and notes as a dictionary of plain numbers, strings and lists."""
        of_interval = {name: getattr(self.interval, name) for name in ("low", "high", "confidence")}
        return {
            "index": self.scores.index,
            "runs": len(self.scores),
            "n": self.scores.n,
            "mean_adjusted": self.mean_adjusted,
            **of_interval,
            "standard_error": self.interval.standard_error,
            "reference": self.reference,
            "clusters": [list(item) for item in self.clusters.items()],
            "consistency": self.consistency.tolist(),
            **({} if self.objects is None else {"objects": write_names(self.objects)}),
            "notes": [note.to_dict() for note in self.notes],
        }

    def _list_columns(self) -> dict[str, Any]:
        return {"cluster": list(self.clusters), "jaccard": list(self.clusters.values())}

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the printed table: the mean with its interval, the Jaccard coefficients, and notes."""
        low, high = (format_fixed(end, 3) for end in self.interval)
        headline = (
            f"Stability({self.scores.index!r}, {len(self.scores)} runs of {self.scores.n} objects,"
            f" mean adjusted {format_fixed(self.mean_adjusted, 3)} [{low}, {high}])"
        )
        of = "the reference" if self.reference is None else f"run {self.reference!r}"
        listed = list(itertools.islice(self.clusters.items(), MAX_CLUSTERS_SHOWN))
        more = len(self.clusters) - len(listed)
        table = TextTable(
            columns=[f"cluster of {of}", "Jaccard"],
            rows=[[str(name), format_fixed(jaccard, 3)] for name, jaccard in listed], caption=headline,
            notes=(*([Note("more", f"and {more:,} more")] if more else []), *self.notes),
        )  # fmt: skip
        return [table]


@explain_call
def stability(
    runs: Any,
    index: AnyIndex = "rand",
    *,
    reference: Any = None,
    confidence: float = 0.95,
    drop: Drop = "each",
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str = "permutation",
    best: float | Literal["mean"] | None = None,
    budget: float | Budget | None = None,
    progress: bool | None = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> Stability:
    """Measure how stable a clustering is over many runs on the same objects: bootstrap samples, seeds, folds.

    Parameters
    ----------
    runs : dict, list, array-like of shape (m, n), or data frame
        Labels of at least two runs, as in `pairwise`. An object that a run does not contain has the label
        None or nan; pass ``missing="drop"``. ``noise="drop"`` leaves noise out. Two runs are compared on the
        objects that both contain.
    reference : array-like of shape (n,), optional
        The clustering whose clusters are looked for in the runs, such as a clustering of all objects, or a
        consensus. By default the run that agrees best with the others; it is not compared with itself.
    confidence : float
        Level of the interval, in (0, 1).
    index, drop, method, n_tables, rng, n_jobs, model, best, budget, progress, noise, missing
        As in `pairwise`; they say how each pair is adjusted.

    Returns
    -------
    Stability
        Mean adjusted score with its interval, Jaccard coefficients of clusters, consistency of objects,
        `plot`.

    Raises
    ------
    ValueError, TypeError, IndexEvaluationError
        As in `chancecorr.compare`.

    Notes
    -----
    The interval treats the runs as independent draws, given the data: it says what more seeds, or more
    bootstrap samples of these objects, would give. For folds that share objects the interval is too short. It
    uses Student's t with m - 1 degrees of freedom and needs three runs.

    The Jaccard coefficients of clusters are defined in [1]_. The documentation of the R function
    `clusterboot` calls a cluster stable from 0.75 on, and dissolved up to 0.5. They are not corrected for
    chance. The consistency of an object counts the object itself as a member of both clusters.

    References
    ----------
    .. [1] Hennig (2007), Cluster-wise assessment of cluster stability, doi:10.1016/j.csda.2006.11.025.

    Examples
    --------
    >>> runs = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 1, 2, 2, 2]]
    >>> found = stability(runs)
    >>> found.reference, found.consistency.round(6).tolist()
    (0, [0.777778, 0.777778, 0.555556, 1.0, 1.0, 1.0])
    >>> of_reference = stability(runs, reference=["a", "a", "a", "b", "b", "b"]).clusters
    >>> {name: round(jaccard, 6) for name, jaccard in of_reference.items()}
    {'a': 0.888889, 'b': 1.0}
    """
    level = as_level("confidence", confidence)
    options = read_options(
        method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=model, best=best, budget=budget,
        progress=progress,
    )  # fmt: skip
    read, entry, scores = score_pairs("runs", runs, index, options, noise=noise, missing=missing, drop=drop)
    least = np.vectorize(partial(find_least_score, entry, options, entry.range), otypes=[float])(
        scores.best, scores.expected
    )
    mean, interval = average_over_pairs(scores, level, (least + least.T) / 2.0)

    medoid = 0 if scores.medoid is None else read.names.index(scores.medoid)
    if reference is None:
        clusters = _find_again(read, medoid)
    else:
        both = ("reference", reference)
        with_reference = read_many("runs", runs, reference=both, noise=noise, missing=missing, drop=drop)
        clusters = _find_again(with_reference, 0)
    return Stability(
        mean_adjusted=mean, interval=interval, clusters=clusters, consistency=_average_consistency(read),
        reference=read.names[medoid] if reference is None else None, scores=scores, runs=read,
    )  # fmt: skip


def average_over_pairs(scores: PairwiseScores, level: float, leasts: Floats) -> tuple[float, Interval]:
    """Return the mean adjusted score of the pairs, and its interval by the jackknife over clusterings."""
    m = len(scores)
    values = (scores.adjusted + scores.adjusted.T) / 2.0
    counted = np.isfinite(values) & ~np.eye(m, dtype=np.bool_)
    values = np.where(counted, values, 0.0)
    pairs, total = int(counted.sum()) // 2, values.sum() / 2.0
    mean = float(total / pairs) if pairs else math.nan
    pairs_without = pairs - counted.sum(axis=1)
    if not pairs_without.all():
        why = "it takes three runs" if m < 3 else "without one of the runs no pair has an adjusted score"
        return mean, make_unknown_interval(level, why)
    if np.ptp(values[counted]) <= SCORE_ROUNDING:
        return mean, make_unknown_interval(
            level, "all pairs of runs have the same score, so that its variance is not known"
        )
    without = (total - values.sum(axis=1)) / pairs_without
    error = math.sqrt((m - 1) / m * float(((without - without.mean()) ** 2).sum()))
    reach = find_t_quantile(level, m) * error
    remark = f"only {m} runs, so that the level is approximate" if m < MIN_GROUPS else ""
    least = min(float(leasts[counted].mean()), mean)
    low, high = cut((mean - reach, mean + reach), least, max(1.0, mean))
    return mean, Interval(low=low, high=high, confidence=level, standard_error=error, remark=remark)


def compare_clusters(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> tuple[Integers, Floats, Integers]:
    """Return the first cluster and the Jaccard coefficient of each non-empty cell, and each object's cell."""
    width = int(second.max()) + 1
    cell, n_cells, distinct = number_labels(first.astype(np.int64) * width + second)
    rows, columns = np.divmod(distinct, width)
    common = np.bincount(cell, minlength=n_cells)
    either = np.bincount(first)[rows] + np.bincount(second)[columns] - common
    return rows, common / either, cell


def _find_again(read: Clusterings, reference: int) -> dict[Hashable, float]:
    """Return, for each cluster of `reference`, its mean best Jaccard coefficient in the other clusterings."""
    largest = np.full((len(read), read.sizes[reference].size), math.nan)
    for k in range(len(read)):
        both = read.in_both(reference, k)
        places = slice(None) if both is None else np.flatnonzero(both)
        first, second = read.codes[reference][places], read.codes[k][places]
        if k != reference and first.size:
            rows, coefficients, _ = compare_clusters(first, second)
            np.fmax.at(largest[k], rows, coefficients)
    runs = np.isfinite(largest).sum(axis=0)
    with np.errstate(invalid="ignore"):
        means = np.nansum(largest, axis=0) / runs
    return dict(zip(read.labels[reference].tolist(), means.tolist(), strict=True))


def _average_consistency(read: Clusterings) -> Floats:
    """Return the mean Jaccard coefficient of each object's two clusters, over the pairs that contain it."""
    total, pairs = np.zeros(read.n), np.zeros(read.n, dtype=np.int64)
    for i, j in itertools.combinations(range(len(read)), 2):
        both = read.in_both(i, j)
        places = slice(None) if both is None else np.flatnonzero(both)
        first, second = read.codes[i][places], read.codes[j][places]
        if first.size:
            _, coefficients, cell = compare_clusters(first, second)
            total[places] += coefficients[cell]
            pairs[places] += 1
    means = np.full(read.given, math.nan)
    with np.errstate(invalid="ignore"):
        means[slice(None) if read.here is None else read.here] = total / pairs
    means.flags.writeable = False
    return means
