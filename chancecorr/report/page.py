"""The page: a comparison, or means over data sets, and pictures of both, put into a template."""

import io
import math
import os
import platform
import re
import statistics
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from html import escape
from importlib import resources
from importlib.metadata import version
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from chancecorr.comparison.comparison import CORRECTIONS, CandidateScore, Comparison, is_outside
from chancecorr.comparison.datasets import DatasetScores
from chancecorr.correction.interval import SAME
from chancecorr.indices.display_names import display_name
from chancecorr.indices.registry import Index, get_index
from chancecorr.machine.printing import counted, fixed, p_text, replacing, visible
from chancecorr.plotting.comparison import Row, draw_forest
from chancecorr.plotting.score import plot_null
from chancecorr.plotting.theme import ON_LIGHT
from chancecorr.report.method import describe_chance, describe_datasets, describe_intervals, listed
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.excerpt import excerpt, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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

MOST_PICTURES = 40  # null distributions by an index that have a picture, of the best candidates
WIDTH, BOTTOM = 460, 46
"""Width of pictures, and height of what stands below their axes, in pixels."""


def to_html(
    comparison: Comparison | DatasetScores,
    path: str | os.PathLike[str] | None = None,
    *,
    reference: str = "the reference",
    seed: int | None = None,
    command: str = "",
) -> str | None:
    """A report as one page of HTML that loads no other file (needs Jinja2 and Matplotlib).

    The best candidates with their intervals, forest plots, null distributions, tables, differences, and
    paragraphs on the method for a paper. Of many data sets: means, tests, and the score on each.

    Parameters
    ----------
    comparison : Comparison or DatasetScores
        From `chancecorr.compare` or `chancecorr.comparison.compare_datasets`.
    path : str or path-like, optional
        Where to write the page; left out, it is returned.
    reference : str
        What the reference is called.
    seed : int, optional
        The seed that was given as `rng`, shown if random numbers were drawn.
    command : str
        The command that made the report, to be shown.

    Returns
    -------
    str or None
        The page, or None where it was written to `path`.

    Raises
    ------
    ImportError
        If Jinja2 or Matplotlib is missing: ``pip install 'chancecorr[report]'``.

    Examples
    --------
    >>> from chancecorr import compare
    >>> to_html(compare([0, 0, 1, 1], {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]}), reference="species")[:15]
    '<!DOCTYPE html>'
    """
    if isinstance(comparison, DatasetScores):
        html = page_of_datasets(comparison, reference=reference, seed=seed, command=command)
    else:
        html = page(contents_of(comparison, reference=reference, seed=seed, command=command))
    if path is None:
        return html
    with replacing(path) as file:
        file.write(html.encode())
    return None


def page(contents: SimpleNamespace) -> str:
    """HTML of the report on a comparison, whole."""
    scores = [score for each in contents.indices for score in each.scores]
    return rendered(
        "report.html.j2",
        contents=contents,
        most_pictures=MOST_PICTURES,
        has_intervals=any(score.among_best is not None for score in scores),
        has_outside=any(is_outside(score.adjusted, score.low, score.high) for score in scores),
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
    of_chance, cited = describe_chance(comparison, scores, n_tables)
    of_intervals, also_cited = describe_intervals(comparison)
    method = list(filter(None, [of_chance, of_intervals]))  # paragraphs that a paper may take over
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
    marks = {each.candidate: "other" if each.p_value < 1.0 - found.confidence else "level" for each in ranked}
    marks |= {each.candidate: "none" for each in ranked if math.isnan(each.mean)}
    marks[ranked[0].candidate] = "none" if math.isnan(ranked[0].mean) else "best"
    rows = [
        Row(names[each.candidate], each.mean, each.low, each.high, marks[each.candidate] in ("best", "level"))
        for each in ranked
    ]
    apart = {each: found.difference(ranked[0].candidate, each.candidate) for each in ranked[1:]}
    method, references = describe_datasets(found)
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
