"""Who wins how often among candidates with different numbers of clusters, and what shape the bias has."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import chisquare

from chancecorr.machine.arrays import Floats, Integers

FAIR = 1e-4
"""Chance at which a fair picker is called biased: the level of the chi-square test against equal shares."""

ROUNDING = 1e-12
"""Scores that are nearer than this share of their size are the same."""


class Contest:
    """Trials in which one candidate of each number of clusters enters, and the largest score wins.

    Candidates enter one number of clusters after the other, so that no more than the leaders are kept. Equal
    scores share a win: each of those in the lead is as likely to have it. A nan never wins.
    """

    def __init__(self, trials: int, rng: np.random.Generator) -> None:
        self.best = np.full(trials, np.nan)
        self.winners = np.zeros(trials, dtype=np.int64)
        self.equals = np.zeros(trials, dtype=np.int64)
        self.rng = rng

    def enter(self, clusters: int, scores: Floats) -> None:
        """Set one more candidate of each trial, with so many clusters, against those in the lead."""
        with np.errstate(invalid="ignore"):  # inf - inf
            near = np.abs(scores - self.best) <= ROUNDING * np.abs(self.best)
        same = (scores == self.best) | (near & np.isfinite(scores) & np.isfinite(self.best))
        ahead = ~same & ((scores > self.best) | (np.isnan(self.best) & ~np.isnan(scores)))
        self.equals = np.where(ahead, 1, self.equals + same)
        takes = ahead | (same & (self.rng.random(scores.size) * self.equals < 1.0))
        self.winners = np.where(takes, clusters, self.winners)
        self.best = np.where(ahead, scores, self.best)

    def wins(self, clusters: Sequence[int]) -> Integers:
        """Trials won with each number of clusters; those in which nobody had a score count for none."""
        return np.array([int((self.winners == k).sum()) for k in clusters])


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """Which numbers of clusters are preferred, and how much.

    Attributes
    ----------
    prefers : {"few", "many", "middle", "ends", "none"}
        ``"none"`` where the chi-square test against equal shares does not reject at `FAIR`. Else the third
        of the numbers of clusters, in their order, that wins most; ``"ends"`` where the first and the last
        third both win more than their share.
    distance : float
        Total variation distance between the shares of the wins and equal shares, in [0, 1 - 1/candidates]:
        the share of the trials that a fair picker would decide otherwise.
    mean : float
        Mean number of clusters of the winners; nan where nobody won.
    p_value : float
        Of the chi-square test; nan where nobody won.
    """

    prefers: str
    distance: float
    mean: float
    p_value: float


def preference(clusters: Sequence[int], wins: Sequence[int] | Integers) -> Preference:
    """What the wins show."""
    counts = np.asarray(wins, dtype=float)
    total = float(counts.sum())
    if not total:
        return Preference(prefers="none", distance=math.nan, mean=math.nan, p_value=math.nan)
    p_value = float(chisquare(counts).pvalue)
    shares = counts / total
    return Preference(
        prefers="none" if p_value >= FAIR else shape(shares),
        distance=float(np.abs(shares - 1.0 / shares.size).sum() / 2.0),
        mean=float(counts @ np.asarray(clusters, dtype=float)) / total,
        p_value=p_value,
    )


def shape(shares: Floats) -> str:
    """Which third of the candidates has most of the wins, or both ends."""
    few, middle, many = (float(part.sum()) for part in np.array_split(shares, 3))
    equal = [part.size / shares.size for part in np.array_split(shares, 3)]
    if few > equal[0] and many > equal[2]:
        return "ends"
    return max((few, "few"), (middle, "middle"), (many, "many"))[1]
