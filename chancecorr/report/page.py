"""The page: contents, or means over data sets, put into a template."""

import math
import statistics
from importlib import resources
from importlib.metadata import version
from typing import Any

from chancecorr.comparison.comparison import is_outside
from chancecorr.comparison.datasets import CandidateMean, DatasetScores
from chancecorr.indices.display_names import display_name
from chancecorr.printing import p_text, visible
from chancecorr.report.contents import (
    HOLM,
    HUBERT_ARABIE,
    Contents,
    Reference,
    counted,
    distinct_names,
    listed,
    measure_of,
    origin_of,
)
from chancecorr.report.drawing import Mark, forest, forest_of, law_picture, mark_of, number

DEMSAR = Reference(
    text="Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine"
    " Learning Research 7, 1-30"
)


def page(contents: Contents) -> str:
    """HTML of the report on a comparison, whole."""
    scores = [score for each in contents.indices for score in each.scores]
    has_outside = any(is_outside(score.adjusted, score.low, score.high) for score in scores)
    return rendered("report.html.j2", contents=contents, has_outside=has_outside)


def rendered(template: str, **given: Any) -> str:
    """HTML of a template, which loads nothing, neither from the network nor from other files."""
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError:
        raise ImportError("A report needs Jinja2: pip install 'chancecorr[report]'") from None

    templates = resources.files("chancecorr.report") / "templates"  # wherever the package is installed
    # Escaping is on for every template: `select_autoescape` goes by the last suffix, and would leave .j2 out.
    environment = Environment(
        loader=FunctionLoader(lambda name: (templates / name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        number=number, percent=percent, counted=count_in_digits, named=display_name, headline=headline
    )
    environment.globals.update(forest=forest, law_picture=law_picture, mark_of=mark_of, spread=spread)
    return environment.get_template(template).render(given)


def headline(contents: Contents) -> str:
    """The best candidate, or those that are best by different indices."""
    (best, indices), *others = contents.winners.items()
    text = f"{listed(best)} {'agrees' if len(best) == 1 else 'agree'} best with {contents.reference.name}"
    if not others:
        return text
    text += f" by {listed([display_name(index) for index in indices])}"
    for other, by in others[:2]:
        names = listed([display_name(index) for index in by])
        text += f"; by {names} {listed(other)} {'does' if len(other) == 1 else 'do'}"
    return text + ("; and others by other indices" if others[2:] else "")


def percent(share: float) -> str:
    """A share as per cent, with decimals only where it has them."""
    return f"{100.0 * share:.6g} %"


def count_in_digits(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def spread(sizes: tuple[int, ...]) -> list[str]:
    """The largest, the median and the least size, as text."""
    if not sizes:
        return ["–"] * 3
    middle = f"{statistics.median(sizes):,.1f}".removesuffix(".0")
    return [f"{max(sizes):,}", middle, f"{min(sizes):,}"]


def page_of_datasets(found: DatasetScores, *, reference: str, seed: int | None, command: str) -> str:
    """HTML of the report on means over data sets."""
    names, ranked = distinct_names(found.candidates), found.ranked()
    marks = {each.candidate: _mark_of(each, ranked[0], 1.0 - found.confidence) for each in ranked}
    rows = [(names[each.candidate], marks[each.candidate], each.mean, each.low, each.high) for each in ranked]
    apart = {each: found.difference(ranked[0].candidate, each.candidate) for each in ranked[1:]}
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
        plot=forest_of(rows),
        differences=[
            (other.candidate, each.difference, each.low, each.high, p_text(each.p_value_of_ranks))
            for other, each in apart.items()
        ],
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
