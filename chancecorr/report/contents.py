"""Contents of a report: names and numbers alone, so that a page can be made without a comparison."""

import platform
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from importlib.metadata import version
from types import SimpleNamespace

from chancecorr.comparison.candidate import CORRECTIONS, CandidateScore
from chancecorr.comparison.comparison import Comparison
from chancecorr.correction.interval import SAME
from chancecorr.correction.p_value_methods import ORIGINS
from chancecorr.indices.display_names import display_name
from chancecorr.indices.registry import MEANT_BY_DEFAULT, Index, get_index
from chancecorr.null.models import get_model
from chancecorr.printing import counted, p_text, visible
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.excerpt import excerpt

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


def contents_of(
    comparison: Comparison, *, reference: str = "the reference", seed: int | None = None, command: str = ""
) -> SimpleNamespace:
    """All that a report shows of a comparison, by the names that the template has for it."""
    names = distinct_names(comparison.candidates)
    tables = {candidate: comparison.tables[candidate] for candidate in comparison.candidates}
    first = max(tables.values(), key=lambda table: table.n)
    scores = [comparison[each][index] for each in comparison.candidates for index in comparison.indices]
    n_tables = max(score.score.n_tables for score in scores)
    on_chance, cited = _on_chance(comparison, scores, n_tables)
    on_intervals, also_cited = _on_intervals(comparison)
    method = list(filter(None, [on_chance, on_intervals]))  # paragraphs that a paper may take over
    method[-1] += f" Computed with chancecorr {version('chancecorr')}."
    return SimpleNamespace(
        reference=SimpleNamespace(name=visible(reference), sizes=first.row_totals.tolist()),
        candidates=[
            SimpleNamespace(name=names[candidate], sizes=table.column_totals.tolist())
            for candidate, table in tables.items()
        ],
        n=comparison.n,
        level=comparison.confidence,
        indices=[_scores_by(get_index(name), comparison, names) for name in comparison.indices],
        tables=[table_of(names[candidate], table) for candidate, table in tables.items()],
        method=method,
        references=list(dict.fromkeys(cited + also_cited)),
        origin=origin_of(seed if n_tables else None, command),
        correction=CORRECTIONS[comparison.correction] if comparison.correction else "",
        notes=[visible(note) for note in comparison.notes],
    )


def _scores_by(entry: Index, comparison: Comparison, names: dict[Hashable, str]) -> SimpleNamespace:
    """All candidates by one index, and how far the best is ahead of each other one, by their ranks."""
    scores = [replace(comparison[each][entry.name], candidate=names[each]) for each in comparison.candidates]
    ranked = [score.candidate for score in comparison.ranked(entry.name) if score.rank is not None]
    differences = []
    for other in ranked[1:] if comparison.with_intervals else []:
        each = comparison.difference(ranked[0], other, index=entry.name)
        differences.append(
            SimpleNamespace(
                best=names[ranked[0]],
                other=names[other],
                difference=each.difference,
                low=each.interval.low,
                high=each.interval.high,
                p_value=p_text(each.p_value),
                remark=SAME if each.interval.remark == SAME else "",
            )
        )
    return SimpleNamespace(
        index=entry.name, formula=entry.formula, source=entry.source, scores=scores, differences=differences
    )


def rank(scores: Iterable[CandidateScore]) -> list[CandidateScore]:
    """The scores, the best first and those that are undefined last."""
    return sorted(scores, key=lambda score: (score.rank is None, score.rank or 0))


def origin_of(seed: int | None, command: str) -> SimpleNamespace:
    """How the numbers can be reproduced: versions of the software, the seed, if any, and what was typed."""
    packages = (("chancecorr", "chancecorr"), ("NumPy", "numpy"), ("Matplotlib", "matplotlib"))
    versions = [(name, version(package)) for name, package in packages]
    versions.append(("Python", platform.python_version()))
    return SimpleNamespace(versions=versions, seed=seed, command=visible(command))


def distinct_names(candidates: Sequence[Hashable]) -> dict[Hashable, str]:
    """Name of each candidate as text, or its repr if two have the same text."""
    texts = {each: visible(str(each)) for each in candidates}
    occurrences = Counter(texts.values())
    return {each: text if occurrences[text] == 1 else repr(each) for each, text in texts.items()}


def table_of(name: str, table: ContingencyTable) -> SimpleNamespace:
    """Largest clusters of a contingency table, the columns in the order of the rows that they agree with."""
    part = excerpt(table.counts, table.row_labels, table.column_labels)
    rows, columns = (
        [visible(str(label)) for label in labels] for labels in (part.row_labels, part.column_labels)
    )
    most = part.counts.argmax(axis=0) if part.counts.size else []
    order = sorted(range(len(columns)), key=lambda j: (most[j], -part.counts[most[j], j]))
    return SimpleNamespace(
        candidate=name,
        row_names=rows,
        column_names=[columns[j] for j in order],
        counts=part.counts[:, order],
        row_totals=part.row_totals,
        column_totals=part.column_totals[order],
        n_clusters=table.shape[1],
        n=table.n,
        remark=part.remark,
    )


def _on_chance(
    comparison: Comparison, scores: Sequence[CandidateScore], n_tables: int
) -> tuple[str, list[str]]:
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


def measure_of(index: str) -> tuple[str, list[str]]:
    """An index as a text names it, with its authors, and what to cite."""
    source = get_index(index).source.split("; ")[0]  # the first publication
    authors = _in_text(source)
    return display_name(index) + (f" ({authors})" if authors else ""), [source] if source else []


def _on_intervals(comparison: Comparison) -> tuple[str, list[str]]:
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
