"""The report on the same candidates on many data sets, as one page of HTML."""

import math
from collections.abc import Hashable
from importlib.metadata import version

from chancecorr.comparison.dataset_scores import CandidateMean, DatasetScores
from chancecorr.printing import p_text, visible
from chancecorr.report.contents import Reference
from chancecorr.report.drawing import Forest, Mark, forest_of
from chancecorr.report.from_comparison import (
    HOLM,
    HUBERT_ARABIE,
    counted,
    distinct_names,
    measure_of,
    origin_of,
)
from chancecorr.report.page import rendered

DEMSAR = Reference(
    text="Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine"
    " Learning Research 7, 1-30"
)


def page_of_datasets(found: DatasetScores, *, reference: str, seed: int | None, command: str) -> str:
    """HTML of the report on means over data sets."""
    names, ranked = distinct_names(found.candidates), found.ranked()
    marks = {each.candidate: _mark_of(each, ranked[0], 1.0 - found.confidence) for each in ranked}
    method, references = _method(found)
    return rendered(
        "datasets.html.j2",
        found=found,
        reference=visible(reference),
        title=f"{visible(reference)} on {len(found.comparisons):,} data sets",
        ranked=ranked,
        names=names,
        marks=marks,
        p_of={each.candidate: p_text(each.p_value) for each in ranked},
        plot=_forest(ranked, names, marks),
        differences=[(each.candidate, *_difference(found, ranked[0], each)) for each in ranked[1:]],
        ranks=found.rank_test(),
        rows=list(zip(map(visible, map(str, found.comparisons)), found.scores.tolist(), strict=True)),
        method=method,
        references=references,
        origin=origin_of(seed, command),
        p_text=p_text,
    )


def _mark_of(each: CandidateMean, best: CandidateMean, least: float) -> Mark:
    """Whether a candidate is the best, not significantly worse, or worse."""
    if math.isnan(each.mean):
        return "none"
    if each is best:
        return "best"
    return "other" if each.p_value < least else "level"


def _forest(ranked: list[CandidateMean], names: dict[Hashable, str], marks: dict[Hashable, Mark]) -> Forest:
    return forest_of(
        [(names[each.candidate], marks[each.candidate], each.mean, each.low, each.high) for each in ranked]
    )


def _difference(found: DatasetScores, best: CandidateMean, other: CandidateMean) -> tuple[float | str, ...]:
    """Mean difference from the best, its interval, and the p-value of Wilcoxon's test."""
    apart = found.difference(best.candidate, other.candidate)
    return apart.difference, apart.low, apart.high, p_text(apart.p_value_of_ranks)


def _method(found: DatasetScores) -> tuple[list[str], list[Reference]]:
    """Paragraph that a paper may take over, and what it cites."""
    measure, sources = measure_of(found.index)
    ranks = found.rank_test()
    text = (
        f"Agreement of {counted(len(found), 'candidate clustering')} with the reference was measured on"
        f" {counted(len(found.comparisons), 'data set')} by {measure}, corrected for chance as (observed -"
        " expected) / (best - expected) (Hubert & Arabie, 1985): 0 is agreement by chance, 1 is perfect"
        f" agreement. Mean scores have {100.0 * found.confidence:g} % confidence intervals by Student's t"
        " over data sets, which are taken for a sample and count the same. The candidate with the best mean"
        " was compared with the others by paired t tests, corrected by Holm's method (Holm, 1979)."
    )
    if not math.isnan(ranks.p_value):
        text += (
            f" Friedman's test of the ranks on {counted(ranks.n_datasets, 'data set')} gave p ="
            f" {p_text(ranks.p_value)}; by Nemenyi's test mean ranks differ that are more than"
            f" {ranks.critical_difference:.2f} apart (Demšar, 2006)."
        )
    text += f" Computed with chancecorr {version('chancecorr')}."
    cited = [HUBERT_ARABIE, *sources, HOLM, *([] if math.isnan(ranks.p_value) else [DEMSAR])]
    return [text], list(dict.fromkeys(cited))
