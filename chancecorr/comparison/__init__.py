"""Many clusterings at once, and what each cluster and object contributes."""

from chancecorr.comparison.candidate import CandidateScore
from chancecorr.comparison.comparison import Comparison
from chancecorr.comparison.contributions import Contributions, agreement_by_cluster, agreement_by_object
from chancecorr.comparison.disagreement import Disagreement
from chancecorr.comparison.pairwise_scores import PairwiseScores

__all__ = [
    "CandidateScore",
    "Comparison",
    "Contributions",
    "Disagreement",
    "PairwiseScores",
    "agreement_by_cluster",
    "agreement_by_object",
]
