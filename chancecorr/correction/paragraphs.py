"""Write paragraphs on scores that can be copied into a paper: what was measured, how, and the results."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from chancecorr.chance.models import MODELS
from chancecorr.correction.citations import AFFINE, SIMULATION
from chancecorr.correction.interval import Interval
from chancecorr.correction.score_table import name_draws
from chancecorr.correction.tails import ORIGINS
from chancecorr.indices.index import Index
from chancecorr.indices.registry import display_name
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.notes import NAME_OF_INDEX, Note
from chancecorr.machine.printing import escape_hidden, format_count, format_rounded, write_p_value

EFRON_STEIN = (
    "Efron & Stein (1981), The jackknife estimate of variance, Annals of Statistics 9, 586-596,"
    " doi:10.1214/aos/1176345462"
)
SIDES_IN_TEXT = {"labels_true": "the reference", "labels_pred": "the candidate"}
"""What a text for a paper calls the arguments of `adjust`."""

FAY_FEUER = "Fay & Feuer (1997), Statistics in Medicine 16, 791-801"


def report_scores(scores: Sequence[Any], confidence: float, groups: Any) -> str:
    """Write paragraphs on the scores of two clusterings: the method, and the numbers."""
    null, intervals = scores[0].null, [find_interval(score, confidence, groups) for score in scores]
    what = f"two clusterings of {write_count(null.n, 'object')}"
    if null.margins is not None:
        sides = null.margins.row_totals, null.margins.column_totals
        sizes = [int(np.count_nonzero(totals)) for totals in sides]  # a square table may have empty rows
        what += f" ({sizes[0]} and {sizes[1]} clusters)"
    text, _ = describe_chance(what, scores)
    known = [interval for interval in intervals if interval is not None and math.isfinite(interval.low)]
    if known:
        n_groups = known[0].n_units if known[0].units == "groups" else None
        text += " " + describe_intervals(confidence, write_groups(n_groups, find_label(groups)))[0]
    results = [describe_result(*pair) for pair in zip(scores, intervals, strict=True)]
    notes = describe_notes(note for score in scores for note in score.notes)
    paragraphs = text + describe_origin(scores), " ".join([*results, *notes])
    return "\n\n".join(map(escape_hidden, paragraphs))


def find_interval(score: Any, confidence: float = 0.95, groups: Any = None) -> Interval | None:
    """Return the interval of a score; None if the score has no interval."""
    try:
        interval: Interval = score.interval(confidence, groups=groups)
    except ArgumentValueError as error:
        if error.argument in ("confidence", "groups"):
            raise
        return None
    return interval


def describe_result(score: Any, interval: Interval | None, of_objects: str = "") -> str:
    """Write the observed, expected and adjusted score with interval and p-value, in APA style."""
    name, numbers = f"{display_name(score.index)}{of_objects}", dict(zip(*score.cells(), strict=True))
    is_adjusted = display_name(score.index, score.asked_as).startswith("Adjusted ")
    label = f" ({score.asked_as})" if is_adjusted else ""
    if score.remark:
        return f"{name}: not adjusted; {score.remark}."
    adjusted = describe_adjusted(score.adjusted, interval)
    return (
        f"{name}: {numbers['observed']}, where {numbers['expected']} is expected by chance;"
        f" adjusted{label} {adjusted}, {write_p_value(score.p_value, score.p_is_bound)}."
    )


def describe_adjusted(adjusted: float, interval: Interval | None) -> str:
    """Write an adjusted score with its interval in brackets."""
    if interval is None or not math.isfinite(interval.low):
        return format_rounded(adjusted)
    mean, low, high = (format_rounded(x, interval.standard_error) for x in (adjusted, *interval))
    return f"{mean}, {100.0 * interval.confidence:g} % CI [{low}, {high}]"


def describe_chance(what: str, scores: Sequence[Any], corrected: str = "") -> tuple[str, list[str]]:
    """Return sentences on the indices, null distributions and p-values, and the sources they cite."""
    cited, measures = [AFFINE], []
    for entry in {score.index: score.entry for score in scores}.values():
        measure, sources = describe_index(entry)
        measures.append(measure)
        cited += sources
    drawn = max((score.null for score in scores), key=lambda null: null.n_tables)
    is_of_tables = drawn.n_tables > 0 and drawn.margins is not None
    cited += [SIMULATION] if is_of_tables else []
    simulated = f"from {drawn.n_tables:,} {name_draws(drawn)}" + " (Amorim & Cardoso, 2014)" * is_of_tables
    models = {score.null.model: score.model.about for score in scores}
    text = (
        f"Agreement of {what} was measured by"
        f" {'one index' if len(measures) == 1 else f'{len(measures)} indices'}, {join_words(measures)},"
        " corrected for chance as (observed - expected) / (best - expected) (Hubert & Arabie, 1985): 0 is"
        " agreement by chance, 1 is perfect agreement. Expected values are computed under a model in which"
        f" {join_words(list(models.values()))};"
        f" they were found {_list_origins((score.null.mean_from for score in scores), simulated)}."
    )
    tails = _list_origins((score.p_value_from for score in scores), simulated)
    if tails:
        alike = "" if any(name not in MODELS for name in models) else ", which take objects as exchangeable,"
        text += (
            f" P-values against chance{alike} were found {tails}{corrected}. A p-value is the probability"
            " that chance gives a value at least as extreme; it does not measure how strong the agreement is."
        )
    return text, cited


def describe_intervals(confidence: float, groups: str = "") -> tuple[str, list[str]]:
    """Return sentences on intervals by objects, or by `groups`, and the sources they cite."""
    units, cited = groups or "objects", [EFRON_STEIN] if groups else [EFRON_STEIN, FAY_FEUER]
    how = "with a gamma distribution for 1 - score (Fay & Feuer, 1997), near 0 with the variance under chance"
    if groups:
        how = "with t quantiles, and the lower limit on the scale of the square root of 1 - score"
    text = (
        f"Confidence intervals of the adjusted scores, at the level of {100.0 * confidence:g} %,"
        f" were made from jackknife estimates of the variance over the {units} (Efron & Stein, 1981), {how}."
        f" They are about the population from which the {units} are a sample, given the clusterings; they can"
        " include 0 although p is small, because p is about these objects, matched at random."
    )
    return text, cited


def write_groups(n_groups: int | None, label: str) -> str:
    """Write how many groups of objects there are and what the user calls them; empty without groups."""
    if n_groups is None:
        return ""
    return f"{n_groups:,} groups of objects" + (f" ({label})" if label else "")


def find_label(column: Any) -> str:
    """Return the name of a column of a data frame; empty if it has none."""
    name = getattr(column, "name", None)
    return name if isinstance(name, str) else ""


def describe_origin(scores: Iterable[Any]) -> str:
    """Write a sentence on the version that computed the scores, and on the seed if it is known."""
    seed = next((score.seed for score in scores if score.seed is not None), None)
    seeded = "" if seed is None else f", seed {seed}"
    return f" Computed with chancecorr {version('chancecorr')}{seeded}."


def describe_notes(notes: Iterable[Note]) -> list[str]:
    """Write notes as sentences, each once, without the notes on the meaning of an index's label."""
    sentences = []
    for note in dict.fromkeys(notes):
        if note.code == NAME_OF_INDEX:
            continue
        named = note.name_sides(SIDES_IN_TEXT)
        if named.subject:
            sentences.append(f"For {named.subject}, {named.text}.")
        else:
            sentences.append(f"{named.text[:1].upper()}{named.text[1:]}.")
    return sentences


def describe_index(index: Index) -> tuple[str, list[str]]:
    """Return the name of an index with its authors, as written in a text, and the sources to cite."""
    source = index.source.split("; ")[0]  # the first publication
    authors = cite_in_text(source)
    return display_name(index.name) + (f" ({authors})" if authors else ""), [source] if source else []


def _list_origins(origins: Iterable[str | None], simulated: str) -> str:
    """List the origins of numbers, the most frequent first; empty without origins."""
    words = {**ORIGINS, "monte-carlo": simulated}
    times = Counter(item for item in origins if item is not None).most_common()
    return join_words([words[item] for item, _ in times], "or")


def cite_in_text(source: str) -> str:
    """Return a citation for parentheses, such as "Holm, 1979"; empty without authors and year."""
    authors, _, rest = source.partition(" (")
    return f"{authors}, {rest[:4]}" if rest[:4].isdigit() and rest[4:5] == ")" else ""


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Join words with commas, and with "and" before the last word."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def write_count(count: int, noun: str) -> str:
    """Write a count with its noun, such as "3 objects"."""
    return f"one {noun}" if count == 1 else format_count(count, noun)
