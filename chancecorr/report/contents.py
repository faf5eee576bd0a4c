"""Contents of a report: names and numbers alone, so that a page can be made without a comparison."""

import math
import platform
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from chancecorr.comparison.comparison import CORRECTIONS, CandidateScore, Comparison
from chancecorr.correction.interval import SAME
from chancecorr.correction.p_value_methods import ORIGINS
from chancecorr.correction.scores import AdjustedScore
from chancecorr.indices.display_names import display_name
from chancecorr.indices.registry import MEANT_BY_DEFAULT, get_index
from chancecorr.machine.arrays import Integers
from chancecorr.null.models import get_model
from chancecorr.printing import p_text, visible
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.excerpt import excerpt

WORDS = {**ORIGINS, "monte-carlo": "from {tables} simulated tables (Amorim & Cardoso, 2014)"}
"""Origins of expected values and p-values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustering:
    """A clustering by name, and the numbers of objects of its clusters, in any order."""

    name: str
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Score:
    """How well a candidate agrees with the reference by one index, as `CandidateScore`, p-values as text."""

    candidate: str
    observed: float
    expected: float
    adjusted: float
    low: float
    high: float
    z_score: float
    p_value: str
    p_corrected: str
    rank: int | None
    p_of_difference: str
    among_best: bool | None
    result: AdjustedScore
    remark: str = ""
    interval_remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Adjusted score of the best candidate less that of another one, its interval and p-value."""

    best: str
    other: str
    difference: float
    low: float
    high: float
    p_value: str
    remark: str = ""  # that both are the same clustering


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndexScores:
    """All candidates by one index, in the order in which they were given, and how far the best is ahead."""

    index: str
    formula: str
    source: str
    scores: tuple[Score, ...]
    differences: tuple[Difference, ...] = ()

    @property
    def ranked(self) -> tuple[Score, ...]:
        """The scores, the best first and those that are undefined last."""
        return tuple(sorted(self.scores, key=lambda score: (score.rank is None, score.rank or 0)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Objects counted by their largest clusters in the reference (rows) and in a candidate (columns)."""

    candidate: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    counts: Integers
    row_totals: Integers
    column_totals: Integers
    n_clusters: int  # all of the candidate
    n: int  # all objects in both
    remark: str = ""  # that clusters are left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A publication: authors, year and place, and its DOI without the resolver, if it has one."""

    text: str
    doi: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """How the numbers can be reproduced: versions of the software, the seed, if any, and what was typed."""

    versions: tuple[tuple[str, str], ...]
    seed: int | None = None
    command: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contents:
    """All that a report shows."""

    reference: Clustering
    candidates: tuple[Clustering, ...]
    n: int
    level: float
    indices: tuple[IndexScores, ...]  # the first decides which candidate is called the best
    tables: tuple[Table, ...]
    method: tuple[str, ...]  # paragraphs that a paper may take over
    references: tuple[Reference, ...]
    origin: Origin
    correction: str = ""  # how p-values were corrected over the candidates
    notes: tuple[str, ...] = ()

    @property
    def winners(self) -> dict[tuple[str, ...], list[str]]:
        """Indices by the candidates that are best by them, in order; those without any score are left out."""
        found: dict[tuple[str, ...], list[str]] = {}
        for each in self.indices:
            best = tuple(score.candidate for score in each.scores if score.rank == 1)
            found.setdefault(best, []).append(each.index)
        found.pop((), None)
        return found

    @property
    def has_intervals(self) -> bool:
        """Whether it is known which candidates are significantly worse than the best."""
        return any(score.among_best is not None for each in self.indices for score in each.scores)


HUBERT_ARABIE = Reference(
    text="Hubert & Arabie (1985), Comparing partitions, Journal of Classification 2, 193-218",
    doi="10.1007/BF01908075",
)
AMORIM_CARDOSO = Reference(text="Amorim & Cardoso (2014)", doi="10.5220/0004868301640170")
EFRON_STEIN = Reference(
    text="Efron & Stein (1981), The jackknife estimate of variance, Annals of Statistics 9, 586-596",
    doi="10.1214/aos/1176345462",
)
FAY_FEUER = Reference(text="Fay & Feuer (1997), Statistics in Medicine 16, 791-801")
HOLM = Reference(
    text="Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of"
    " Statistics 6, 65-70"
)
WESTFALL_YOUNG = Reference(text="Westfall & Young (1993), Resampling-based multiple testing, Wiley")
BENJAMINI_HOCHBERG = Reference(
    text="Benjamini & Hochberg (1995), Controlling the false discovery rate, Journal of the Royal Statistical"
    " Society B 57, 289-300",
    doi="10.1111/j.2517-6161.1995.tb02031.x",
)


def contents_of(
    comparison: Comparison, *, reference: str = "the reference", seed: int | None = None, command: str = ""
) -> Contents:
    """All that a report shows of a comparison."""
    names = distinct_names(comparison.candidates)
    tables = {candidate: comparison.tables[candidate] for candidate in comparison.candidates}
    first = max(tables.values(), key=lambda table: table.n)
    indices = tuple(
        IndexScores(
            index=entry.name,
            formula=entry.formula,
            source=entry.source,
            scores=tuple(_score(comparison[each][entry.name], names[each]) for each in comparison.candidates),
            differences=_differences(comparison, entry.name, names),
        )
        for entry in map(get_index, comparison.indices)
    )
    scores = [comparison[each][index] for each in comparison.candidates for index in comparison.indices]
    n_tables = max(score.score.n_tables for score in scores)
    method, references = _method(comparison, scores, n_tables)
    return Contents(
        reference=Clustering(name=visible(reference), sizes=tuple(first.row_totals.tolist())),
        candidates=tuple(
            Clustering(name=names[candidate], sizes=tuple(table.column_totals.tolist()))
            for candidate, table in tables.items()
        ),
        n=comparison.n,
        level=comparison.confidence,
        indices=indices,
        tables=tuple(table_of(names[candidate], table) for candidate, table in tables.items()),
        method=method,
        references=references,
        origin=origin_of(seed if n_tables else None, command),
        correction=CORRECTIONS[comparison.correction] if comparison.correction else "",
        notes=tuple(map(visible, comparison.notes)),
    )


def origin_of(seed: int | None, command: str) -> Origin:
    """Versions of the software here, the seed and the command."""
    software = (("chancecorr", "chancecorr"), ("NumPy", "numpy"), ("Matplotlib", "matplotlib"))
    versions = [(name, version(package)) for name, package in software]
    versions.insert(1, ("Python", platform.python_version()))
    return Origin(versions=tuple(versions), seed=seed, command=visible(command))


def distinct_names(candidates: Sequence[Hashable]) -> dict[Hashable, str]:
    """Name of each candidate as text, or its repr if two have the same text."""
    texts = {each: visible(str(each)) for each in candidates}
    occurrences = Counter(texts.values())
    return {each: text if occurrences[text] == 1 else repr(each) for each, text in texts.items()}


def _score(found: CandidateScore, name: str) -> Score:
    score, interval = found.score, found.interval
    return Score(
        candidate=name,
        observed=score.observed,
        expected=score.expected,
        adjusted=score.adjusted,
        low=found.low,
        high=found.high,
        z_score=score.z_score,
        p_value=p_text(score.p_value, score.p_is_bound, score.log_p_value),
        p_corrected=p_text(found.p_corrected, score.p_is_bound, found.log_p_corrected),
        p_of_difference="" if math.isnan(found.p_of_difference) else p_text(found.p_of_difference),
        rank=found.rank,
        among_best=found.among_best,
        result=score,
        remark=score.remark,
        interval_remark=interval.remark if interval else "",
    )


def _differences(comparison: Comparison, index: str, names: dict[Hashable, str]) -> tuple[Difference, ...]:
    """The best candidate less each other one, in the order of their ranks; empty without intervals."""
    if not comparison.with_intervals:
        return ()
    ranked = [score.candidate for score in comparison.ranked(index) if score.rank is not None]
    found = {other: comparison.difference(ranked[0], other, index=index) for other in ranked[1:]}
    return tuple(
        Difference(
            best=names[ranked[0]],
            other=names[other],
            difference=each.difference,
            low=each.interval.low,
            high=each.interval.high,
            p_value=p_text(each.p_value),
            remark=SAME if each.interval.remark == SAME else "",
        )
        for other, each in found.items()
    )


def table_of(name: str, table: ContingencyTable) -> Table:
    """Largest clusters of a contingency table, the columns in the order of the rows that they agree with."""
    part = excerpt(table.counts, table.row_labels, table.column_labels)
    rows, columns = (
        tuple(visible(str(label)) for label in labels) for labels in (part.row_labels, part.column_labels)
    )
    most = part.counts.argmax(axis=0) if part.counts.size else []
    order = sorted(range(len(columns)), key=lambda j: (most[j], -part.counts[most[j], j]))
    return Table(
        candidate=name,
        row_names=rows,
        column_names=tuple(columns[j] for j in order),
        counts=part.counts[:, order],
        row_totals=part.row_totals,
        column_totals=part.column_totals[order],
        n_clusters=table.shape[1],
        n=table.n,
        remark=part.remark,
    )


def _method(
    comparison: Comparison, scores: Sequence[CandidateScore], n_tables: int
) -> tuple[tuple[str, ...], tuple[Reference, ...]]:
    """Paragraphs that a paper may take over, and what they cite."""
    paragraphs, cited = [], []
    for text, sources in (_on_chance(comparison, scores, n_tables), _on_intervals(comparison)):
        paragraphs += [text] if text else []
        cited += sources
    paragraphs[-1] += f" Computed with chancecorr {version('chancecorr')}."
    return tuple(paragraphs), tuple(dict.fromkeys(cited))


def _on_chance(
    comparison: Comparison, scores: Sequence[CandidateScore], n_tables: int
) -> tuple[str, list[Reference]]:
    cited, measures = [HUBERT_ARABIE], []
    for name in comparison.indices:
        measure, sources = measure_of(name)
        measures.append(measure)
        cited += sources
    cited += [AMORIM_CARDOSO] if n_tables else []
    models = dict.fromkeys(each.score.null.model for each in scores)
    text = (
        f"Agreement of {counted(len(comparison), 'candidate clustering')} of"
        f" {counted(comparison.n, 'object')} with the reference was measured by"
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


def measure_of(index: str) -> tuple[str, list[Reference]]:
    """An index as a text names it, with its authors, and what to cite."""
    text, _, doi = get_index(index).source.split("; ")[0].partition(", doi:")  # the first publication
    source = Reference(text=text, doi=doi)
    authors = _in_text(source)
    return display_name(index) + (f" ({authors})" if authors else ""), [source] if source.text else []


def _on_intervals(comparison: Comparison) -> tuple[str, list[Reference]]:
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
    counted = Counter(each for each in found if each is not None)
    texts = [WORDS[each].format(tables=f"{n_tables:,}") for each, _ in counted.most_common()]
    return " or ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)


def _in_text(reference: Reference) -> str:
    """Citation in a text, for parentheses; empty without authors and year."""
    found = re.match(r"(.+?) \((\d{4})\)", reference.text)
    return f"{found[1]}, {found[2]}" if found else ""


def listed(words: Sequence[str]) -> str:
    """Words with commas, and an "and" before the last."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def counted(count: int, noun: str) -> str:
    """A count with its noun, in a text."""
    return f"one {noun}" if count == 1 else f"{count:,} {noun}s"
