"""The paragraphs of a report that a paper may take over, and what they cite."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.metadata import version

from chancecorr.comparison.comparison import CandidateScore, Comparison
from chancecorr.comparison.datasets import DatasetScores
from chancecorr.correction.p_value_methods import ORIGINS
from chancecorr.indices.display_names import display_name
from chancecorr.indices.registry import MEANT_BY_DEFAULT, get_index
from chancecorr.machine.printing import counted, p_text, visible
from chancecorr.sampling.models import get_model

WORDS = {**ORIGINS, "monte-carlo": "from {tables} simulated tables (Amorim & Cardoso, 2014)"}
"""Origins of expected values and p-values."""

HUBERT_ARABIE = (
    "Hubert & Arabie (1985), Comparing partitions, Journal of Classification 2, 193-218,"
    " doi:10.1007/BF01908075"
)
AMORIM_CARDOSO = "Amorim & Cardoso (2014), doi:10.5220/0004868301640170"
EFRON_STEIN = (
    "Efron & Stein (1981), The jackknife estimate of variance, Annals of Statistics 9, 586-596,"
    " doi:10.1214/aos/1176345462"
)
FAY_FEUER = "Fay & Feuer (1997), Statistics in Medicine 16, 791-801"
HOLM = (
    "Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of"
    " Statistics 6, 65-70"
)
WESTFALL_YOUNG = "Westfall & Young (1993), Resampling-based multiple testing, Wiley"
BENJAMINI_HOCHBERG = (
    "Benjamini & Hochberg (1995), Controlling the false discovery rate, Journal of the Royal Statistical"
    " Society B 57, 289-300, doi:10.1111/j.2517-6161.1995.tb02031.x"
)
DEMSAR = (
    "Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine"
    " Learning Research 7, 1-30"
)


def describe_chance(
    comparison: Comparison, scores: Sequence[CandidateScore], n_tables: int
) -> tuple[str, list[str]]:
    """Paragraph on the indices, the null distributions and the p-values, and what it cites."""
    cited, measures = [HUBERT_ARABIE], []
    for name in comparison.indices:
        measure, sources = measure_of(name)
        measures.append(measure)
        cited += sources
    cited += [AMORIM_CARDOSO] if n_tables else []
    models = dict.fromkeys(each.score.null.model for each in scores)
    text = (
        f"Agreement of {count_in_words(len(comparison), 'candidate clustering')} of"
        f" {count_in_words(comparison.n, 'object')} with the reference was measured by"
        f" {'one index' if len(measures) == 1 else f'{len(measures)} indices'}, {listed(measures)},"
        " corrected for chance as (observed - expected) / (best - expected) (Hubert & Arabie, 1985): 0 is"
        " agreement by chance, 1 is perfect agreement. Expected values are those where"
        f" {listed([get_model(name).about for name in models])};"
        f" they were found {_origins((each.score.null.mean_from for each in scores), n_tables)}."
    )
    tails = _origins((each.score.p_value_from for each in scores), n_tables)
    if tails:
        text += f" P-values against chance were found {tails}"
        if comparison.correction and len(comparison) > 1:
            by = {"holm": HOLM, "fdr_bh": BENJAMINI_HOCHBERG}[comparison.correction]
            cited.append(by)
            text += f" and corrected over the candidates ({_in_text(by)})"
        text += "."
    known = [remark for _, remark, _ in MEANT_BY_DEFAULT.values()]
    notes = [visible(note) for note in comparison.notes if not note.endswith(("groups", *known))]
    return text + "".join(f" Note: {note}." for note in notes), cited


def describe_intervals(comparison: Comparison) -> tuple[str, list[str]]:
    """Paragraph on the intervals and the differences from the best, and what it cites; empty without them."""
    if not comparison.with_intervals:
        return "", []
    units, cited = "objects", [EFRON_STEIN, FAY_FEUER]
    how = (
        " with a gamma distribution for 1 - score (Fay & Feuer, 1997), near 0 with the variance under chance"
    )
    groups = next((each.groups for each in comparison.evaluations.values() if each.groups is not None), None)
    if groups is not None:
        units, cited = f"{int(groups.max()) + 1:,} groups of objects", [EFRON_STEIN]
        how = " by Student's t, for the lower end on the scale of the square root of 1 - score"
    text = (
        f"Confidence intervals of the adjusted scores, at the level of {100.0 * comparison.confidence:g} %,"
        f" were made from jackknife estimates of the variance over the {units} (Efron & Stein, 1981),{how}."
        f" They take the {units} for a sample and the clusterings as given."
    )
    if len(comparison) == 1:
        return text, cited
    text += (
        " Candidates were compared with the best one by the jackknife of the difference of their scores on"
        " the objects that both have. These p-values hold for all comparisons at once, with the best one"
        " picked from the same data: each difference was set against the largest of any two scores, simulated"
        " from their joint jackknife covariance, step by step (Westfall & Young, 1993); at a p-value above"
        f" {1.0 - comparison.confidence:.3g} a candidate was not significantly worse than the best."
    )
    return text, [*cited, WESTFALL_YOUNG]


def describe_datasets(found: DatasetScores) -> tuple[list[str], list[str]]:
    """Paragraph that a paper may take over, and what it cites."""
    measure, sources = measure_of(found.index)
    ranks = found.rank_test()
    text = (
        f"Agreement of {count_in_words(len(found), 'candidate clustering')} with the reference was measured"
        f" on {count_in_words(len(found.comparisons), 'data set')} by {measure}, corrected for chance as"
        " (observed - expected) / (best - expected) (Hubert & Arabie, 1985): 0 is agreement by chance, 1 is"
        f" perfect agreement. Mean scores have {100.0 * found.confidence:g} % confidence intervals by"
        " Student's t over data sets, which are taken for a sample and count the same. The candidate with the"
        " best mean was compared with the others by paired t tests, corrected by Holm's method (Holm, 1979)."
    )
    if not math.isnan(ranks.p_value):
        text += (
            f" Friedman's test of the ranks on {count_in_words(ranks.n_datasets, 'data set')} gave p ="
            f" {p_text(ranks.p_value)}; by Nemenyi's test mean ranks differ that are more than"
            f" {ranks.critical_difference:.2f} apart (Demšar, 2006)."
        )
    text += f" Computed with chancecorr {version('chancecorr')}."
    cited = [HUBERT_ARABIE, *sources, HOLM, *([] if math.isnan(ranks.p_value) else [DEMSAR])]
    return [text], list(dict.fromkeys(cited))


def measure_of(index: str) -> tuple[str, list[str]]:
    """An index as a text names it, with its authors, and what to cite."""
    source = get_index(index).source.split("; ")[0]  # the first publication
    authors = _in_text(source)
    return display_name(index) + (f" ({authors})" if authors else ""), [source] if source else []


def _origins(found: Iterable[str | None], n_tables: int) -> str:
    """Origins of numbers, the most frequent first; empty if there are none."""
    times = Counter(each for each in found if each is not None).most_common()
    return listed([WORDS[each].format(tables=f"{n_tables:,}") for each, _ in times], "or")


def _in_text(source: str) -> str:
    """Citation in a text, for parentheses; empty without authors and year."""
    authors, _, rest = source.partition(" (")
    return f"{authors}, {rest[:4]}" if rest[:4].isdigit() and rest[4:5] == ")" else ""


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words with commas, and an "and" before the last."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def count_in_words(count: int, noun: str) -> str:
    """A count with its noun, in a text."""
    return f"one {noun}" if count == 1 else counted(count, noun)
