"""Write paragraphs on a comparison that can be copied into a paper."""

from collections.abc import Sequence
from typing import Any

from chancecorr.correction.paragraphs import (
    cite_in_text,
    describe_adjusted,
    describe_chance,
    describe_intervals,
    describe_notes,
    describe_origin,
    join_words,
    write_count,
    write_groups,
)
from chancecorr.indices.registry import display_adjusted
from chancecorr.machine.notes import GROUPS
from chancecorr.machine.printing import escape_hidden, write_p_value

HOLM = (
    "Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of"
    " Statistics 6, 65-70"
)
WESTFALL_YOUNG = "Westfall & Young (1993), Resampling-based multiple testing, Wiley"
BENJAMINI_HOCHBERG = (
    "Benjamini & Hochberg (1995), Controlling the false discovery rate, Journal of the Royal Statistical"
    " Society B 57, 289-300, doi:10.1111/j.2517-6161.1995.tb02031.x"
)
MAX_CANDIDATES_IN_TEXT = 10  # most candidates whose numbers are written, for each index


def describe_comparison(comparison: Any) -> tuple[list[str], list[str]]:
    """Return paragraphs on the method and the numbers of a comparison, and the sources they cite."""
    scores = [candidate[index] for candidate in comparison.values() for index in comparison.indices]
    corrected, cited = "", []
    if comparison.correction and len(comparison) > 1:
        by = {"holm": HOLM, "fdr_bh": BENJAMINI_HOCHBERG}[comparison.correction]
        corrected, cited = f" and corrected over the candidates ({cite_in_text(by)})", [by]
    what = f"{write_count(len(comparison), 'candidate clustering')} of {write_count(comparison.n, 'object')}"
    text, of_chance = describe_chance(f"{what} with the reference", scores, corrected)
    of_intervals, also_cited = _describe_intervals(comparison) if comparison.with_intervals else ("", [])
    of_choice = ""
    if comparison.choice:
        of_choice = _describe_choice(next(iter(comparison.choice.values())).maxima.size)
        also_cited = [*also_cited, WESTFALL_YOUNG]
    method = list(filter(None, [text, of_intervals, of_choice]))
    method[-1] += describe_origin(scores)
    numbers = [_describe_ranking(comparison.ranked(index)) for index in comparison.indices]
    # groups are described with the intervals
    numbers += describe_notes(note for note in comparison.notes if note.code != GROUPS)
    paragraphs = [*map(escape_hidden, [*method, " ".join(numbers)])]
    return paragraphs, list(dict.fromkeys([*of_chance, *cited, *also_cited]))


def _describe_choice(n_permutations: int) -> str:
    """Return a paragraph on the correction for the choice of the best candidate."""
    return (
        "The best candidate was chosen by its score. To correct for this choice,"
        f" {write_count(n_permutations, 'permutation')} of the reference, the same for all candidates, gave"
        " the distribution of the largest adjusted score by chance (Westfall & Young, 1993). The mean of this"
        " distribution was subtracted from the score of the best candidate, and the difference was divided by"
        " 1 minus this mean; the p-value compares the score with this distribution."
    )


def _describe_ranking(scores: Sequence[Any]) -> str:
    """Write the candidates' scores by one index, best first, and name those not significantly worse."""
    named = [(str(score.candidate), score) for score in scores]
    scored = [(name, score) for name, score in named if score.rank is not None]
    items = [
        f"{name} {describe_adjusted(score.adjusted, score.interval)},"
        f" {write_p_value(score.p_corrected, score.p_corrected_is_bound)}"
        for name, score in scored[:MAX_CANDIDATES_IN_TEXT]
    ]
    items += [f"and {len(scored) - len(items)} others"] if len(scored) > len(items) else []
    items += [f"{name} not adjusted ({score.remark})" for name, score in named if score.rank is None]
    alike = [name for name, score in scored[1:] if score.among_best]
    text = f"{display_adjusted(scores[0].index, scores[0].asked_as)}, best first: {'; '.join(items)}."
    return text + (f" Not significantly worse than the best: {join_words(alike)}." if alike else "")


def _describe_intervals(comparison: Any) -> tuple[str, list[str]]:
    """Return a paragraph on the intervals and the differences from the best, and the sources it cites."""
    groups = next(iter(comparison.evaluations.values())).groups  # the same for all
    n_groups = None if groups is None else int(groups.max()) + 1
    text, cited = describe_intervals(comparison.confidence, write_groups(n_groups, comparison.grouped_by))
    if len(comparison) == 1:
        return text, cited
    text += (
        " Candidates were compared with the best one by the jackknife of the difference of their scores on"
        " the objects that both have. These p-values hold jointly for all comparisons, with the best one"
        " picked from the same data: each difference was compared with the largest difference of any two"
        " scores, simulated from their joint jackknife covariance, step by step (Westfall & Young, 1993);"
        f" at a p-value above {1.0 - comparison.confidence:.3g} a candidate was not significantly worse than"
        " the best."
    )
    return text, [*cited, WESTFALL_YOUNG]
