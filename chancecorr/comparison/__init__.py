"""Many clusterings at once, and what each cluster and object contributes."""

from chancecorr.comparison.agreement_of_many import Agreement, RaterAgreement, agreement
from chancecorr.comparison.baseline import Baseline, baseline
from chancecorr.comparison.choice import Choice
from chancecorr.comparison.comparison import CandidateScore, Comparison
from chancecorr.comparison.contributions import (
    Contributions,
    MatchedLabels,
    agreement_by_cluster,
    agreement_by_object,
    match_labels,
)
from chancecorr.comparison.datasets import (
    CandidateMean,
    DatasetScores,
    MeanDifference,
    RankTest,
    compare_datasets,
)
from chancecorr.comparison.hard_scores import HardScores, hard_scores
from chancecorr.comparison.overlaps import Overlaps, overlaps
from chancecorr.comparison.pairwise import PairwiseScores
from chancecorr.comparison.stability import Stability, stability
from chancecorr.comparison.trees import TreeComparison, compare_trees
from chancecorr.correction.interval import plan

__all__ = [
    "Agreement", "Baseline", "CandidateMean", "CandidateScore", "Choice", "Comparison", "Contributions",
    "DatasetScores", "HardScores", "MatchedLabels", "MeanDifference", "Overlaps", "PairwiseScores",
    "RankTest", "RaterAgreement", "Stability", "TreeComparison", "agreement", "agreement_by_cluster",
    "agreement_by_object", "baseline", "compare_datasets", "compare_trees", "hard_scores", "match_labels",
    "overlaps", "plan", "stability",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
