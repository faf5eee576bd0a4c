"""From a request to adjusted scores: the method for each question, the null distribution, the score."""

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.correction.scores import AdjustedScore
from chancecorr.correction.several_scores import AdjustedScores
from chancecorr.correction.tail import Tail

__all__ = ["AdjustedScore", "AdjustedScores", "NullDistribution", "Tail"]
