"""Soft and overlapping clusterings, and similarities of any origin, corrected for chance."""

import math
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

import numpy as np

from chancecorr.arguments import Alternative, as_count, one_of
from chancecorr.clusterings.agreement import MEASURES
from chancecorr.clusterings.permuted import permuted_sums
from chancecorr.clusterings.sides import Kind, read_sides
from chancecorr.clusterings.tiles import OBJECTS_A_TILE, tiling
from chancecorr.correction.p_value import relative_error_of_count, tail_from_count
from chancecorr.exact.laws.ties import EPSILON
from chancecorr.machine.arrays import Floats
from chancecorr.null.seeding import RNG, seed_from
from chancecorr.printing import p_text, rounded
from chancecorr.simulation.workers import as_jobs

_LISTED = (
    "index", "n_objects", "observed", "expected", "variance", "std", "adjusted", "remark", "best", "z_score",
    "alternative", "p_value", "p_upper", "p_relative_error", "p_value_from", "expected_error",
    "variance_from", "n_permutations",
)  # fmt: skip
"""Attributes and properties in the plain form of a result."""

Source = Literal["exact", "monte-carlo"]
"""Whether a number comes from all permutations, or from sampled ones."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AdjustedSimilarity:
    """How well two clusterings of any kind agree, against what permutations of the objects give.

    Attributes
    ----------
    index : {"rand", "fuzzy_rand", "omega"}
        What measures agreement.
    n_objects : int
        Number of objects.
    observed : float
        The raw index.
    expected, variance : float
        Its mean and its variance over all permutations of the objects of one side.
    expected_error : float
        Bound of the error of `expected`; 0 except for the fuzzy Rand index of thousands of objects, below
        1e-6 there.
    variance_from : {"exact", "monte-carlo", None}
        Whether the variance is exact or from sampled permutations; None if it is nan.
    adjusted : float
        ``(observed - expected) / (1 - expected)``: 0 when no better than chance, 1 at best.
    alternative : {"greater", "less", "two-sided"}
        Which values count as extreme.
    p_value : float
        Probability that a random permutation agrees as well; nan if none was drawn.
    p_value_from : {"exact", "monte-carlo", None}
        From all permutations, or ``(reached + 1) / (n_permutations + 1)`` from sampled ones.
    p_upper : float
        The probability is at most this, with 95 % confidence; about ``3 / n_permutations`` if none was as
        extreme.
    p_relative_error : float
        How far `p_value` may be off in 95 of 100 cases, as a share of it; 0 if exact, inf if none was as
        extreme.
    n_permutations : int
        Number of permutations that were evaluated.
    values : ndarray of float64, shape (n_permutations,)
        The index under each of them, in the order of their numbers.

    Examples
    --------
    >>> from chancecorr import adjust_similarity
    >>> score = adjust_similarity([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2])  # two partitions: ARI
    >>> round(score.expected, 12), round(score.adjusted, 12), score.p_value_from
    (0.56, 0.242424242424, 'exact')
    """

    index: str
    n_objects: int
    observed: float
    expected: float
    variance: float
    expected_error: float
    variance_from: Source | None
    adjusted: float
    alternative: Alternative
    p_value: float
    p_value_from: Source | None
    p_upper: float
    p_relative_error: float
    n_permutations: int
    values: Floats

    @property
    def best(self) -> float:
        """Value of the index at perfect agreement."""
        return 1.0

    @property
    def std(self) -> float:
        """Standard deviation of the index under chance."""
        return math.sqrt(self.variance)

    @property
    def z_score(self) -> float:
        """``(observed - expected) / std``; nan if the index is constant under chance, rounding aside."""
        if not self.std > 1000.0 * EPSILON * abs(self.expected):
            return math.nan
        return (self.observed - self.expected) / self.std

    @property
    def remark(self) -> str:
        """Remarks on the numbers; mostly empty."""
        if self.n_objects < 2:
            return "there is no pair of objects"
        if 1.0 - self.expected <= 1000.0 * EPSILON:
            return "chance alone always attains the best value: there is nothing to correct"
        if self.variance <= 0.0:
            return "all permutations of the objects give the same value"
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings, without the values under each permutation.

        Returns
        -------
        dict
            The attributes and properties by their names.
        """
        return {name: getattr(self, name) for name in _LISTED}

    def __float__(self) -> float:
        """`adjusted`."""
        return float(self.adjusted)

    def __format__(self, form: str) -> str:
        """`adjusted` in this form, as in ``f"{score:.3f}"``; without a form the same as `str`."""
        return format(self.adjusted, form) if form else str(self)

    def __repr__(self) -> str:
        """Name, adjusted score and the numbers behind it."""
        shown = {
            name: rounded(getattr(self, name), undefined="nan")
            for name in ("adjusted", "observed", "expected")
        }
        shown |= {"z": rounded(self.z_score, 0.05, undefined="nan"), "p_value": p_text(self.p_value)}
        listed = ", ".join(f"{name}={number}" for name, number in shown.items())
        remark = f", remark={self.remark!r}" if self.remark else ""
        return f"AdjustedSimilarity({self.index!r}, {listed}{remark})"


def adjust_similarity(
    P: Any,
    Q: Any,
    *,
    index: Literal["rand", "fuzzy_rand", "omega"] = "rand",
    kind: Kind | tuple[Kind | None, Kind | None] | None = None,
    alternative: Alternative = "greater",
    n_permutations: int = 999,
    rng: RNG = None,
    n_jobs: int | None = None,
) -> AdjustedSimilarity:
    """Agreement of two soft, overlapping or hard clusterings, or similarity matrices, corrected for chance.

    Parameters
    ----------
    P, Q : array-like
        Of the same objects, in one of three forms: labels, shape (n,), as for `contingency_table`;
        memberships, shape (n, clusters), from 0 on, rows that sum to 1 for a soft clustering, 0 or 1 for
        clusters that overlap; similarities in [0, 1], shape (n, n), symmetric, in memory or not, such as a
        consensus matrix. The diagonal does not count.
    index : {"rand", "fuzzy_rand", "omega"}
        How the agreement over a pair of objects is measured; see Notes.
    kind : {"labels", "membership", "similarity"}, or a pair of them, optional
        What a two-dimensional `P` or `Q` holds, which its shape cannot tell: one word for both, or a pair.
        What is one-dimensional holds labels.
    alternative : {"greater", "less", "two-sided"}
        Which values the p-value counts as extreme; two-sided doubles the smaller side, to at most 1.
    n_permutations : int
        Number of random permutations for the p-value; 0 for none. Up to 8 objects, all permutations.
    rng : None, int, SeedSequence or Generator
        As in SciPy. The same seed gives the same bits for any number of workers.
    n_jobs : int, optional
        Threads, as in joblib.

    Returns
    -------
    AdjustedSimilarity
        Observed, expected, adjusted, variance, p-value, and the values under the permutations.

    Raises
    ------
    TypeError, ValueError
        If an argument breaks its rule; the message says which, and so does the error's ``argument``.

    Notes
    -----
    Null model: the objects of one side are permuted, so that each side keeps all that is its own, and every
    matching of the objects is as likely.

    ``"rand"``: the mean over pairs of ``P Q + (1 - P) (1 - Q)``, where two objects are together to the degree
    P, the inner product of their memberships. Adjusted, it is the adjusted Rand index of two partitions,
    `arimp` of a matrix and a partition, `arimm` of two matrices (Zhang, Wong & Shen 2012,
    doi:10.1016/j.patcog.2011.11.017). A soft clustering does not attain 1 against itself, the less the
    softer it is.

    ``"fuzzy_rand"``: one less the mean over pairs of ``|P - Q|`` (Hüllermeier, Rifqi, Henzgen & Senge 2012,
    doi:10.1109/TFUZZ.2011.2179303), where memberships are alike by one less half the sum of their absolute
    differences. Adjusted, it is the adjusted concordance index (D'Ambrosio, Amodio, Iorio, Pandolfo &
    Siciliano 2021, doi:10.1007/s00357-020-09367-0). Any clustering attains 1 against itself.

    ``"omega"``: the share of pairs that are together in as many clusters of P as of Q. Adjusted, it is the
    Omega index (Collins & Dent 1988, doi:10.1207/s15327906mbr2302_6).

    Of two partitions all three are the Rand index; `adjust` gives its whole law. The adjusted index is
    ``(observed - expected) / (1 - expected)``. Where that is 0/0, chance alone always attaining 1, it is nan,
    as by `adjust`, and a remark says so; `arimm` has 1.0 there.

    The mean is exact: every pair of one side meets every pair of the other in as many permutations. So is the
    variance of ``"rand"`` (Mantel 1967; Hubert & Schultz 1976, doi:10.1111/j.2044-8317.1976.tb00714.x); that
    of the others is found from the permutations that are drawn. The mean of ``"fuzzy_rand"`` is found by
    sorting all values; beyond four million distinct ones, those of 2,900 objects, they are rounded, and
    `expected_error` bounds what that may change.

    Cost: for ``"rand"`` of labels and memberships, objects times the clusters of one side times those of the
    other; if this is more than all pairs, and for all else, all pairs of objects, for the moments and again
    for each permutation. Of two matrices, `Q` is held in memory while permutations are drawn, not for
    ``n_permutations=0``.

    Examples
    --------
    >>> soft = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.2, 0.8], [0.1, 0.9], [0.3, 0.7]]
    >>> score = adjust_similarity([0, 0, 0, 1, 1, 1], soft, kind="membership")
    >>> round(score.adjusted, 6), round(score.expected, 6), round(score.p_value, 6)
    (0.344529, 0.507733, 0.1)
    >>> cover = [[1, 0], [1, 0], [1, 1], [1, 1], [0, 1], [0, 1]]  # two objects are in both clusters
    >>> adjust_similarity(cover, cover, index="omega", kind="membership")
    AdjustedSimilarity('omega', adjusted=1.0000, observed=1.0000, expected=0.52000, z=3.981, p_value=0.022)
    """
    one_of("index", index, MEASURES)
    one_of("alternative", alternative, get_args(Alternative))
    count = as_count("n_permutations", n_permutations, minimum=0)
    jobs = as_jobs(n_jobs)
    sides = read_sides(P, Q, kind)
    agreement = MEASURES[index](*sides, tiling(sides[0].n, OBJECTS_A_TILE))
    seed = seed_from(rng)  # last, because a Generator is advanced by it
    n = sides[0].n
    # the part that permutations change: as observed, for each permutation, and whether these are all
    here, moved, are_all = math.nan, np.empty(0), False
    if count and n > 1:
        here = agreement.slope * float(agreement.sums(np.arange(n)[None])[0])  # computed as the others are
        sums, are_all = permuted_sums(agreement.sums, n, count, seed, jobs)
        moved = agreement.slope * sums
    values = agreement.at_zero + moved
    values.flags.writeable = False
    source: Source = "exact" if are_all else "monte-carlo"
    variance, variance_from = agreement.variance, cast(Source | None, "exact")
    if math.isnan(variance):
        variance, variance_from = (float(np.var(values)), source) if values.size else (math.nan, None)
    p, reached = _p_value(here, moved, math.sqrt(variance), alternative, are_all)
    is_sampled = values.size > 0 and not are_all
    relative_error = relative_error_of_count(reached, values.size) if is_sampled else math.nan
    return AdjustedSimilarity(
        index=index,
        n_objects=n,
        observed=agreement.observed,
        expected=agreement.expected,
        variance=variance,
        expected_error=agreement.error,
        variance_from=variance_from,
        adjusted=agreement.score,
        alternative=alternative,
        p_value=p,
        p_value_from=source if values.size else None,
        p_upper=tail_from_count(reached, values.size).upper if is_sampled else p,
        p_relative_error=0.0 if are_all else relative_error,
        n_permutations=values.size,
        values=values,
    )


def _p_value(here: float, moved: Floats, std: float, alternative: str, are_all: bool) -> tuple[float, int]:
    """P-value (Phipson & Smyth 2010, doi:10.2202/1544-6115.1585) and how many permutations reached it."""
    if not moved.size:
        return math.nan, 0
    # sums of pairs round differently; if nothing varies, all are ties
    slack = 1e-9 * std if std > 0.0 else math.inf
    greater = int(np.count_nonzero(moved >= here - slack))
    less = int(np.count_nonzero(moved <= here + slack))
    reached = {"greater": greater, "less": less, "two-sided": min(greater, less)}[alternative]
    p = reached / moved.size if are_all else (reached + 1) / (moved.size + 1)
    return min(1.0, 2.0 * p) if alternative == "two-sided" else p, reached
