"""Whether a printed number is one draw of what is simulated.

A paper reports a mean, a coefficient of variation or a count over few replicates, 30 data sets for instance.
The study here has many more. Resampling as few from them as the paper had gives the law of its statistic, and
the question is whether the printed number is a draw from that law. Only the printed number is rounded, so
that rounding is allowed for on its side alone.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.stats import t as student_t

from experiments.common.printed import Printed

FloatArray = npt.NDArray[np.float64]
Statistic = Literal["mean", "cv", "sum"]
Word = Literal[
    "agrees", "differs", "undecided", "possible", "consistent", "contradictory", "misprint", "left out",
    "not reachable",
]  # fmt: skip
WORDS: tuple[Word, ...] = get_args(Word)
"""What each of them means is in `experiments.common.protocol`."""

LEVEL = 0.0027
"""A printed number differs when its p-value is below this, that of three standard deviations."""

RESAMPLES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A printed number beside what is simulated.

    Attributes
    ----------
    printed : Printed
    ours : float
        The statistic over all replicates.
    low, high : float
        Where the paper's statistic falls in 95 of 100 repetitions of its study.
    z : float
        Distance of the printed number from the mean of that law, less its rounding, in standard deviations.
    p : float
        Probability that such a draw is at least as far out on either side; two-sided.
    word : Word
    reason : str
        Why it is not reachable, or the arithmetic of the misprint.
    """

    printed: Printed
    ours: float
    low: float
    high: float
    z: float
    p: float
    word: Word
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Resamples:
    """Which replicates each repetition of the paper's study consists of, shape (resamples, size).

    One object serves all numbers that come from the same replicates.
    """

    chosen: npt.NDArray[np.int64]
    replicates: int

    @classmethod
    def draw(
        cls, replicates: int, size: int, rng: np.random.Generator, count: int = RESAMPLES
    ) -> "Resamples":
        """Repetitions of a study of `size` replicates, drawn with replacement from those at hand."""
        return cls(rng.integers(replicates, size=(count, size)), replicates)

    def law(self, values: FloatArray, statistic: Statistic) -> FloatArray:
        """The statistic of each repetition, shape (resamples,); values that are nan are left out.

        The deviations are stretched by ``sqrt(1 + size / replicates)``, since the replicates at hand are a
        sample themselves.
        """
        found = statistic_of(values[self.chosen], statistic)
        return stretched(found, self.chosen.shape[1] / self.replicates)


def stretched(found: FloatArray, share: float) -> FloatArray:
    """A law by resampling, wider by ``sqrt(1 + share)``; `share` is its size over that of its sample."""
    centre = np.nanmean(found) if np.isfinite(found).any() else math.nan
    return np.asarray(centre + math.sqrt(1.0 + share) * (found - centre))


def statistic_of(values: FloatArray, statistic: Statistic) -> FloatArray:
    """Mean, coefficient of variation (divisor m - 1) or sum over the last axis, without what is nan."""
    known = ~np.isnan(values)
    count = known.sum(axis=-1)
    total = np.where(known, values, 0.0).sum(axis=-1)
    if statistic == "sum":
        return np.asarray(total)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / count
        if statistic == "mean":
            return np.asarray(mean)
        deviations = np.where(known, values - mean[..., np.newaxis], 0.0)
        variance = (deviations**2).sum(axis=-1) / (count - 1)
        return np.asarray(np.sqrt(variance) / np.abs(mean))


def judge(printed: Printed, ours: float, law: FloatArray) -> Verdict:
    """The verdict on a printed number from the law of what it is a draw of.

    Returns "misprint" where the paper contradicts itself, whatever is simulated; "not reachable" where the
    number cannot be read or nothing is simulated.
    """
    law = law[~np.isnan(law)]
    if printed.remark == "unreadable" or law.size == 0:
        why = "cannot be read" if printed.remark == "unreadable" else "not defined on what is simulated"
        return unreachable(printed, why, ours=ours)
    low, high = np.quantile(law, [0.025, 0.975])
    p = p_by_rank(printed, law)
    return Verdict(
        printed=printed,
        ours=ours,
        low=float(low),
        high=float(high),
        z=distance(printed, float(law.mean()), float(law.std())),
        p=p,
        word=_word(printed, p >= LEVEL),
        reason=printed.arithmetic,
    )


def p_by_rank(printed: Printed, law: FloatArray) -> float:
    """Two-sided p of a printed number by its rank among draws, one added."""
    above = (1 + np.count_nonzero(law >= printed.value - printed.half_unit)) / (law.size + 1)
    below = (1 + np.count_nonzero(law <= printed.value + printed.half_unit)) / (law.size + 1)
    return min(1.0, 2.0 * min(above, below))


def _word(printed: Printed, holds: bool) -> Word:
    """That of the remark, if the paper contradicts itself, whatever is simulated."""
    if printed.remark == "misprint" or printed.remark == "contradictory":
        return printed.remark
    return "agrees" if holds else "differs"


LEVEL_OF_ONE = 0.05
"""Likewise of a number about one clustering, which can reject little."""


def judge_one(printed: Printed, values: FloatArray) -> Verdict:
    """The verdict on a number about one clustering of the paper from those of ours, each a draw like it.

    Whole numbers are ranked among ours, one added, so that fewer than 39 of ours can reject nothing: Returns
    "undecided". Others are predicted by Student's law from our mean and deviation. If all of ours are equal,
    "agrees" or "differs" as `exact`.
    """
    values = values[~np.isnan(values)]
    if values.size == 0:
        return unreachable(printed, "no clustering of this kind here")
    if np.ptp(values) == 0.0:
        return exact(printed, float(values[0]))
    mean, deviation, m = float(values.mean()), float(values.std(ddof=1)), values.size
    z = distance(printed, mean, deviation)
    reason = printed.arithmetic
    if (values == np.round(values)).all():
        p = p_by_rank(printed, values)
    else:
        p = 2.0 * float(student_t.sf(abs(z) / math.sqrt(1.0 + 1.0 / m), m - 1))
    word = _word(printed, p >= LEVEL_OF_ONE)
    if word == "agrees" and 2.0 / (m + 1) >= LEVEL_OF_ONE and (values == np.round(values)).all():
        word, reason = "undecided", f"{m} of ours can reject nothing"
    low, high = np.quantile(values, [0.025, 0.975])
    return Verdict(
        printed=printed, ours=mean, low=float(low), high=float(high), z=z, p=p, word=word, reason=reason
    )


def distance(printed: Printed, mean: float, deviation: float) -> float:
    """The z of a printed number: 0 where its rounding reaches the mean, else how far beyond."""
    off = printed.value - mean
    beyond = max(abs(off) - printed.half_unit, 0.0)
    if beyond == 0.0:
        return 0.0
    return math.copysign(beyond / deviation if deviation > 0.0 else math.inf, off)


def exact(printed: Printed, ours: float) -> Verdict:
    """The verdict on a printed number that has one right value: it agrees if it is that value, rounded."""
    beyond = abs(printed.value - ours) - printed.half_unit
    right = beyond <= 1e-12
    return Verdict(
        printed=printed, ours=ours, low=ours, high=ours, z=distance(printed, ours, 0.0) if not right else 0.0,
        p=1.0 if right else 0.0, word=_word(printed, right), reason=printed.arithmetic,
    )  # fmt: skip


def exact_or_cut(printed: Printed, ours: float) -> Verdict:
    """As `exact`; a number that is cut off behind its last digit agrees as well, with the reason."""
    verdict = exact(printed, ours)
    unit = 10.0**-printed.digits
    if verdict.word == "differs" and abs(math.floor(ours / unit) * unit - printed.value) < unit / 1e3:
        reason = f"cut off, not rounded: {ours:.{printed.digits + 2}f}"
        return replace(verdict, word="agrees", reason=reason, z=0.0, p=1.0)
    return verdict


def unreachable(printed: Printed, reason: str, *, ours: float = math.nan) -> Verdict:
    """The verdict on a number that cannot be held against anything, and why."""
    nan = math.nan
    return Verdict(
        printed=printed, ours=ours, low=nan, high=nan, z=nan, p=nan, word="not reachable", reason=reason
    )
