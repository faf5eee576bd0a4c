"""Measure the stability of a clustering over many runs of a method on the same objects.

The mean U of the adjusted scores over all pairs of m runs is a U-statistic of degree 2, whose jackknife has
the variance ``(m - 1) / m sum_i (U_without_i - U)**2``. It errs upwards: Efron & Stein (1981),
doi:10.1214/aos/1176345462.
"""

import itertools
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.chance.options import MethodName
from chancecorr.comparison.clusterings import Clusterings, Drop, read_many
from chancecorr.comparison.pairwise import PairwiseScores, score_pairs
from chancecorr.correction.interval import MIN_GROUPS, Interval, cut, find_t_quantile, make_unknown_interval
from chancecorr.correction.jackknife import SCORE_ROUNDING, find_least_score
from chancecorr.correction.options import MonteCarlo, read_options
from chancecorr.indices.registry import AnyIndex
from chancecorr.machine.arguments import as_level, explain_call
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import Budget
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_fixed
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.sampling.seeding import RNG
from chancecorr.tables.crosstab import number_labels
from chancecorr.tables.names import write_names
from chancecorr.tables.reading import Missing, NoiseOfSides

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
    interval = Interval(
        low=low, high=high, confidence=level, standard_error=error, remark=remark, n_units=m, units="runs"
    )
    return mean, interval


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
