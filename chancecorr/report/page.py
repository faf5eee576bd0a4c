"""The page: contents, or means over data sets, and pictures of both, put into a template."""

import io
import math
import re
import statistics
import warnings
from collections.abc import Callable, Sequence
from html import escape
from importlib import resources
from importlib.metadata import version
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from chancecorr.comparison.candidate import CandidateScore, is_outside
from chancecorr.comparison.datasets import CandidateMean, DatasetScores
from chancecorr.indices.display_names import display_name
from chancecorr.plotting.comparison import Row, draw_forest
from chancecorr.plotting.score import plot_null
from chancecorr.plotting.theme import ON_LIGHT
from chancecorr.printing import counted, fixed, p_text, visible
from chancecorr.report.contents import (
    HOLM,
    HUBERT_ARABIE,
    count_in_words,
    distinct_names,
    listed,
    measure_of,
    origin_of,
    rank,
)
from chancecorr.tables.excerpt import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEMSAR = (
    "Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine"
    " Learning Research 7, 1-30"
)

COLOURS = {
    "#000000": "currentColor",
    "#ffffff": "var(--paper, transparent)",
    ON_LIGHT.mark: "var(--ink, currentColor)",
    ON_LIGHT.faint: f"var(--soft, {ON_LIGHT.faint})",
    ON_LIGHT.chance: f"var(--rule, {ON_LIGHT.chance})",
    ON_LIGHT.track: f"var(--grid, {ON_LIGHT.track})",
    ON_LIGHT.blue: f"var(--accent, {ON_LIGHT.blue})",
}
"""What stands for the colours of a picture in a page, which may be light or dark."""

CHARACTERS_OF_A_NAME = 28  # characters of a candidate's name in a picture; the tables have all

WIDTH, BOTTOM = 460, 46
"""Width of pictures, and height of what stands below their axes, in pixels."""


def page(contents: SimpleNamespace) -> str:
    """HTML of the report on a comparison, whole."""
    scores = [score for each in contents.indices for score in each.scores]
    return rendered(
        "report.html.j2",
        contents=contents,
        has_intervals=any(score.among_best is not None for score in scores),
        has_outside=any(is_outside(score.adjusted, score.low, score.high) for score in scores),
    )


def rendered(template: str, **given: Any) -> str:
    """HTML of a template, which loads nothing, neither from the network nor from other files."""
    try:
        import matplotlib  # noqa: F401  the pictures need it
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError:
        raise ImportError("A report needs Jinja2 and matplotlib: pip install 'chancecorr[report]'") from None

    templates = resources.files("chancecorr.report") / "templates"  # wherever the package is installed
    # Escaping is on for every template: `select_autoescape` goes by the last suffix, and would leave .j2 out.
    environment = Environment(
        loader=FunctionLoader(lambda name: (templates / name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(p=p_text, number=number, percent=percent, counted=counted, named=display_name)
    environment.filters.update(headline=headline, rank=rank)
    environment.globals.update(forest=forest, law=law, mark_of=mark_of, rows_of=rows_of, spread=spread)
    return environment.get_template(template).render(given)


def svg_of(
    draw: Callable[["Axes"], Any], name: str, title: str, about: str, height: float, left: float, top: float
) -> str:
    """Picture of Matplotlib as SVG in a page, `WIDTH` wide, the same each time; no two share a `name`.

    Sizes are in pixels; the margins `left` and `top` have room for names and for a legend.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that Matplotlib's font lacks: the reader's may have them
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"font.size": 12, "svg.fonttype": "none", "svg.hashsalt": name})
        figure, file = Figure(figsize=(WIDTH / 72, height / 72)), io.StringIO()
        inner = (WIDTH - left - 14) / WIDTH, (height - top - BOTTOM) / height
        draw(figure.add_axes((left / WIDTH, BOTTOM / height, *inner)))
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    drawn = file.getvalue()
    drawn = drawn[drawn.index('<g id="figure_1">') : drawn.rindex("</svg>")]
    drawn = re.sub('<g id="[^"]*"', "<g", drawn)  # the same in all pictures
    for colour, variable in COLOURS.items():
        drawn = drawn.replace(f": {colour}", f": {variable}")
    size = f'width="{WIDTH}" height="{height:g}" viewBox="0 0 {WIDTH} {height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"'
        f' aria-labelledby="{name}-title {name}-about"><title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-about">{escape(about)}</desc>{drawn}</svg>'
    )


def forest(rows: Sequence[Row], name: str, title: str, level: float) -> str:
    """Forest plot of scores and their intervals, the best first."""
    scores = ""
    for row in rows:
        ends = f" ({number(row.low)} to {number(row.high)})" if math.isfinite(row.low + row.high) else ""
        scores += f" {row.name}: {number(row.score) + ends if math.isfinite(row.score) else 'no score'}."
    about = f"Adjusted score and {percent(level)} interval of each candidate, the best first; 0 is chance."
    short = [row._replace(name=shortened(row.name, CHARACTERS_OF_A_NAME)) for row in rows]
    left = 20.0 + 7.5 * max(len(str(row.name)) for row in short)
    height = 20.0 * len(rows) + BOTTOM + 10.0
    return svg_of(lambda ax: draw_forest(ax, short, title), name, title, about + scores, height, left, 6.0)


def rows_of(scores: SimpleNamespace) -> list[Row]:
    """Lines of the forest plot of an index."""
    ranked = rank(scores.scores)
    return [Row(each.candidate, each.adjusted, each.low, each.high, each.among_best) for each in ranked]


def law(score: CandidateScore, name: str, title: str, about: str) -> str:
    """Picture of the null distribution of a score; empty if only moments are known."""
    if score.score.compute_null().values_from is None:
        return ""
    return svg_of(lambda ax: plot_null(score.score, ax=ax), name, title, about, 220.0, 14.0, 50.0)


def mark_of(score: CandidateScore) -> str:
    """How a candidate is marked: the best, not significantly worse, another, or without a score."""
    if score.rank is None:
        return "none"
    return "best" if score.rank == 1 else "level" if score.among_best else "other"


def number(value: float, digits: int = 3) -> str:
    """So many decimals, with a true minus sign; a dash for nan."""
    return fixed(value, digits).replace("inf", "∞").replace("-", "−")


def headline(contents: SimpleNamespace) -> str:
    """The best candidate, or those that are best by different indices."""
    winners: dict[tuple[str, ...], list[str]] = {}  # indices by the candidates that are best by them
    for each in contents.indices:
        best = tuple(str(score.candidate) for score in each.scores if score.rank == 1)
        winners.setdefault(best, []).append(each.index)
    winners.pop((), None)  # indices by which no candidate has a score
    (best, indices), *others = winners.items()
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
    rows = [
        Row(names[each.candidate], each.mean, each.low, each.high, marks[each.candidate] in ("best", "level"))
        for each in ranked
    ]
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
        plot=rows,
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


def _mark_of(each: CandidateMean, best: CandidateMean, least: float) -> str:
    """Whether a candidate is the best, not significantly worse, or worse."""
    if math.isnan(each.mean):
        return "none"
    if each is best:
        return "best"
    return "other" if each.p_value < least else "level"


def _method(found: DatasetScores) -> tuple[list[str], list[str]]:
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
