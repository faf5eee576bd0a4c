"""Adjusted scores: the null distribution, the p-value, the interval, and how scores are shown."""

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.correction.scores import AdjustedScore, AdjustedScores
from chancecorr.correction.tails import Tail

__all__ = ["AdjustedScore", "AdjustedScores", "NullDistribution", "Tail"]


def __dir__() -> list[str]:
    return __all__
