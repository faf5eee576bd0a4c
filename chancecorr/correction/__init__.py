"""From a request to adjusted scores: the method for each question, the null distribution, the score."""

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.correction.p_value_methods import Tail
from chancecorr.correction.scores import AdjustedScore, AdjustedScores

__all__ = ["AdjustedScore", "AdjustedScores", "NullDistribution", "Tail"]
