"""Measure the agreement of many clusterings of the same objects, such as labels by several raters.

Under chance the labels of every clustering are permuted. The tables of two pairs are then independent, also
if they share a clustering, so that the variance of a sum over pairs is the sum of their variances. Three
pairs are dependent: if i equals j and k, j equals k. The p-value is therefore simulated.
"""

import dataclasses
import itertools
import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from chancecorr.chance.engines import get_engine
from chancecorr.chance.options import MethodName
from chancecorr.comparison.clusterings import Clusterings, Drop, lay_out_pair
from chancecorr.comparison.pairwise import PairwiseScores, score_pairs
from chancecorr.correction.options import MonteCarlo, read_options
from chancecorr.exact.index_of_pair_sum import compute_affine_moments
from chancecorr.indices.evaluation import evaluate_varying_sums
from chancecorr.indices.registry import AnyIndex, Index
from chancecorr.machine.arguments import as_count, explain_call
from chancecorr.machine.arrays import Floats
from chancecorr.machine.budget import Budget
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_fixed, format_p_value
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.sampling.seeding import RNG, make_generator
from chancecorr.tables.contingency import Margins
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
