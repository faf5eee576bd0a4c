"""Write a comparison, or means over many data sets, as one HTML page that loads no other file."""

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
from chancecorr.comparison.paragraphs import WESTFALL_YOUNG, describe_comparison
from chancecorr.correction.citations import AFFINE
from chancecorr.correction.paragraphs import describe_index, join_words, write_count
from chancecorr.indices.formulas import write_plain
from chancecorr.indices.registry import Index, display_adjusted, display_name
from chancecorr.machine.arguments import ArgumentTypeError, explain_call, name_kind
from chancecorr.machine.axes import ON_LIGHT, shorten
from chancecorr.machine.printing import (
    escape_hidden,
    format_count,
    format_fixed,
    format_p_value,
    open_replacement,
)
from chancecorr.plotting.comparison import Row, draw_forest
from chancecorr.plotting.score import plot_null
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.picture import take_largest_clusters

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["to_html"]


def __dir__() -> list[str]:
    return __all__


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
"""CSS value for each colour of a picture, because a page may be light or dark."""

MAX_CHARACTERS_OF_A_NAME = 28  # longest name of a candidate in a picture; tables have the whole name
MAX_PICTURES = 40  # most pictures of null distributions for each index; the best candidates come first
PIXELS_OF_WIDTH, PIXELS_BELOW_AXES = 460, 46  # width of pictures, and height of the part below the axes
LEAST_PIXELS_OF_LETTERS = 12


@explain_call
def to_html(
    comparison: Comparison | DatasetScores,
    path: str | os.PathLike[str] | None = None,
    *,
    reference: str = "the reference",
    seed: int | None = None,
    command: str = "",
) -> str | None:
    """Write a report as one HTML page that loads no other file (needs Jinja2 and Matplotlib).

    The report has the best candidates with their intervals, forest plots, null distributions, tables,
    differences, and paragraphs on the method for a paper. For many data sets it has means, tests, and the
    scores on each data set.

    Parameters
    ----------
    comparison : Comparison or DatasetScores
        From `chancecorr.compare` or `chancecorr.comparison.compare_datasets`.
    path : str or path-like, optional
        File to write; by default the page is returned.
    reference : str
        Name of the reference.
    seed : int, optional
        The seed that was passed as `rng`; it is shown if random numbers were drawn.
    command : str
        The command that made the report; it is shown.

    Returns
    -------
    str or None
        The page, or None if it was written to `path`.

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
    if not isinstance(comparison, Comparison | DatasetScores):
        rule = f"must be a result of `compare` or `compare_datasets`; got {name_kind(comparison)}."
        raise ArgumentTypeError("comparison", f"{rule} `to_html()` of other results writes a table.")
    _require_packages()
    about: Any = {"reference": reference, "seed": seed, "command": command}
    if isinstance(comparison, DatasetScores):
        html = render_datasets(comparison, **about)
    else:
        html = render_comparison(collect_contents(comparison, **about))
    if path is None:
        return html
    with open_replacement(path) as file:
        file.write(html.encode())
    return None


def _require_packages() -> None:
    """Raise, before anything is computed, if a package is missing that the page needs."""
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError("A report needs Jinja2 and matplotlib: pip install 'chancecorr[report]'") from None


def render_comparison(contents: SimpleNamespace) -> str:
    """Return the HTML of the report on a comparison."""
    scores = [score for index in contents.indices for score in index.scores]
    return render(
        "report.html.j2",
        contents=contents,
        most_pictures=MAX_PICTURES,
        has_intervals=any(score.among_best is not None for score in scores),
        has_outside=any(is_outside(score.adjusted, score.low, score.high) for score in scores),
    )


def collect_contents(
    comparison: Comparison, *, reference: str = "the reference", seed: int | None = None, command: str = ""
) -> SimpleNamespace:
    """Return everything that a report shows, by the names used in the template."""
    names = tell_names_apart(comparison.candidates)
    tables = comparison.tables  # empty for clusterings other than labels
    sizes = [table.row_totals.tolist() for table in sorted(tables.values(), key=lambda table: table.n)]
    scores = [comparison[item][index] for item in comparison.candidates for index in comparison.indices]
    n_tables = max(score.score.n_tables for score in scores)
    method, references = describe_comparison(comparison)
    return SimpleNamespace(
        reference=SimpleNamespace(name=escape_hidden(reference), sizes=sizes[-1] if tables else []),
        candidates=[
            SimpleNamespace(name=name, sizes=tables[item].column_totals.tolist() if tables else [])
            for item, name in names.items()
        ],
        n=comparison.n,
        level=comparison.confidence,
        indices=[_score_by(score.entry, comparison, names) for score in scores[: len(comparison.indices)]],
        tables=[lay_out_table(names[candidate], table) for candidate, table in tables.items()],
        method=method,
        references=references,
        origin=describe_origin(seed if n_tables else None, command),
        correction=CORRECTIONS[comparison.correction] if comparison.correction else "",
        notes=[escape_hidden(str(note)) for note in comparison.notes],
    )


def _score_by(entry: Index, comparison: Comparison, names: dict[Hashable, str]) -> SimpleNamespace:
    """Return the candidates by one index in order of rank, with the lead of the best over each other."""
    scores = [replace(comparison[item][entry.name], candidate=names[item]) for item in comparison.candidates]
    ranked = [score.candidate for score in comparison.ranked(entry.name) if score.rank is not None]
    differences = []
    for other in ranked[1:] if comparison.with_intervals else []:
        ahead = comparison.difference(ranked[0], other, index=entry.name)
        differences.append(
            SimpleNamespace(
                best=names[ranked[0]],
                other=names[other],
                difference=ahead.difference,
                low=ahead.interval.low,
                high=ahead.interval.high,
                p_value=format_p_value(ahead.p_value),
                remark=ahead.interval.remark if ahead.is_same else "",
            )
        )
    label = scores[0].asked_as
    about = {"index": entry.name, "formula": write_plain(entry.formula), "source": entry.source}
    about |= {"named": display_name(entry.name, label), "title": display_adjusted(entry.name, label)}
    return SimpleNamespace(**about, scores=scores, differences=differences)


def rank(scores: Iterable[CandidateScore]) -> list[CandidateScore]:
    """Sort the scores: the best first, undefined scores last."""
    return sorted(scores, key=lambda score: (score.rank is None, score.rank or 0))


def describe_origin(seed: int | None, command: str) -> SimpleNamespace:
    """Return what is needed to reproduce the numbers: software versions, seed, and command."""
    packages = (("chancecorr", "chancecorr"), ("NumPy", "numpy"), ("Matplotlib", "matplotlib"))
    versions = [(name, version(package)) for name, package in packages]
    versions.append(("Python", platform.python_version()))
    return SimpleNamespace(versions=versions, seed=seed, command=escape_hidden(command))


def tell_names_apart(candidates: Sequence[Hashable]) -> dict[Hashable, str]:
    """Return the name of each candidate as text, or its repr if two names have the same text."""
    texts = {candidate: escape_hidden(str(candidate)) for candidate in candidates}
    occurrences = Counter(texts.values())
    return {item: text if occurrences[text] == 1 else repr(item) for item, text in texts.items()}


def lay_out_table(name: str, table: ContingencyTable) -> SimpleNamespace:
    """Return the largest clusters of a table; columns are in the order of the rows that they match."""
    part = take_largest_clusters(table.counts, table.row_labels, table.column_labels)
    rows, columns = (
        [escape_hidden(str(label)) for label in labels] for labels in (part.row_labels, part.column_labels)
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


def render(template: str, **contents: Any) -> str:
    """Return the HTML of a template; it loads nothing from the network or from other files."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    templates = resources.files("chancecorr") / "templates"  # wherever the package is installed
    # Escaping is on for all templates: `select_autoescape` looks at the last suffix and would skip .j2.
    environment = Environment(
        loader=FunctionLoader(lambda name: (templates / name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "p": format_p_value, "number": write_number, "percent": write_percent, "counted": format_count,
        "headline": write_headline, "rank": rank,
    }  # fmt: skip
    environment.globals |= {
        "forest": draw_scores, "law": draw_null, "mark_of": choose_mark, "rows_of": list_rows,
        "spread": write_sizes,
    }  # fmt: skip
    return environment.get_template(template).render(contents)


def draw_svg(
    draw: Callable[["Axes"], Any], name: str, title: str, about: str, height: float, left: float, top: float
) -> str:
    """Return a Matplotlib picture as reproducible SVG; each `name` is used once; sizes are in pixels."""
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that only the reader's font has
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {"font.size": LEAST_PIXELS_OF_LETTERS, "svg.fonttype": "none", "svg.hashsalt": name}
        )
        figure, file = Figure(figsize=(PIXELS_OF_WIDTH / 72, height / 72)), io.StringIO()
        inner = (PIXELS_OF_WIDTH - left - 14) / PIXELS_OF_WIDTH, (height - top - PIXELS_BELOW_AXES) / height
        draw(figure.add_axes((left / PIXELS_OF_WIDTH, PIXELS_BELOW_AXES / height, *inner)))
        for axes in figure.findobj(Axes):  # includes insets
            axes.tick_params(labelsize=LEAST_PIXELS_OF_LETTERS)
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    drawn = file.getvalue()
    drawn = drawn[drawn.index('<g id="figure_1">') : drawn.rindex("</svg>")]
    drawn = re.sub('<g id="[^"]*"', "<g", drawn)  # the same in all pictures
    for colour, variable in COLOURS.items():
        drawn = drawn.replace(f": {colour}", f": {variable}")
    size = f'width="{PIXELS_OF_WIDTH}" height="{height:g}" viewBox="0 0 {PIXELS_OF_WIDTH} {height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"'
        f' aria-labelledby="{name}-title {name}-about"><title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-about">{escape(about)}</desc>{drawn}</svg>'
    )


def draw_scores(rows: Sequence[Row], name: str, title: str, level: float) -> str:
    """Draw a forest plot of scores and their intervals, the best first."""
    texts = []
    for row in rows:
        low, score, high = map(write_number, (row.low, row.score, row.high))
        ends = f" ({low} to {high})" if math.isfinite(row.low + row.high) else ""
        texts.append(f" {row.name}: {score + ends if math.isfinite(row.score) else 'no score'}.")
    about = f"Adjusted score and {write_percent(level)} interval of each candidate, best first; 0 is chance."
    about += "".join(texts)
    short = [row._replace(name=shorten(row.name, MAX_CHARACTERS_OF_A_NAME)) for row in rows]
    left = 20.0 + 7.5 * max(len(str(row.name)) for row in short)
    height = 20.0 * len(rows) + PIXELS_BELOW_AXES + 10.0
    return draw_svg(
        lambda ax: draw_forest(ax, short, title, ON_LIGHT.blue), name, title, about, height, left, 6.0
    )


def list_rows(scores: SimpleNamespace) -> list[Row]:
    """Return the rows of the forest plot of an index."""
    ranked = rank(scores.scores)
    return [Row(item.candidate, item.adjusted, item.low, item.high, item.among_best) for item in ranked]


def draw_null(score: CandidateScore, name: str, title: str, about: str) -> str:
    """Draw the null distribution of a score; empty if only moments are known."""
    if score.score.compute_null().values_from is None:
        return ""
    return draw_svg(
        lambda ax: plot_null(score.score, ax=ax, color=ON_LIGHT.blue), name, title, about, 220.0, 14.0, 50.0
    )


def choose_mark(score: CandidateScore) -> str:
    """Return the mark of a candidate: best, not significantly worse, worse, not tested, or no score."""
    if score.rank is None:
        return "none"
    return "best" if score.rank == 1 else {True: "level", False: "other", None: "untested"}[score.among_best]


def write_number(value: float, digits: int = 3) -> str:
    """Write a number with `digits` decimals and a typographic minus sign; a dash for nan."""
    return format_fixed(value, digits).replace("inf", "∞").replace("-", "−")


def write_headline(contents: SimpleNamespace) -> str:
    """Write a headline: the best candidate, or the best candidates by different indices."""
    winners: dict[tuple[str, ...], list[str]] = {}  # indices, by their best candidates
    for item in contents.indices:
        best = tuple(str(score.candidate) for score in item.scores if score.rank == 1)
        winners.setdefault(best, []).append(item.named)
    winners.pop((), None)  # indices without a score
    (best, indices), *others = winners.items()
    text = f"{join_words(best)} {'agrees' if len(best) == 1 else 'agree'} best with {contents.reference.name}"
    if not others:
        return text
    text += f" by {join_words(indices)}"
    for other, by in others[:2]:
        text += f"; by {join_words(by)} {join_words(other)} {'does' if len(other) == 1 else 'do'}"
    return text + ("; and others by other indices" if others[2:] else "")


def write_percent(share: float) -> str:
    """Write a share as per cent, with decimals only if necessary."""
    return f"{100.0 * share:.6g} %"


def write_sizes(sizes: tuple[int, ...]) -> list[str]:
    """Write the largest, the median and the smallest size."""
    if not sizes:
        return ["–"] * 3
    middle = f"{statistics.median(sizes):,.1f}".removesuffix(".0")
    return [f"{max(sizes):,}", middle, f"{min(sizes):,}"]


def render_datasets(scores: DatasetScores, *, reference: str, seed: int | None, command: str) -> str:
    """Return the HTML of the report on means over data sets."""
    names, ranked = tell_names_apart(scores.candidates), scores.ranked()
    marks = {
        item.candidate: "other" if item.p_value < 1.0 - scores.confidence else "level" for item in ranked
    }
    marks |= {item.candidate: "none" for item in ranked if math.isnan(item.mean)}
    marks[ranked[0].candidate] = "none" if math.isnan(ranked[0].mean) else "best"
    rows = [
        Row(names[item.candidate], item.mean, item.low, item.high, marks[item.candidate] in ("best", "level"))
        for item in ranked
    ]
    apart = {item: scores.difference(ranked[0].candidate, item.candidate) for item in ranked[1:]}
    method, references = describe_datasets(scores)
    return render(
        "datasets.html.j2",
        found=scores,
        title_of_index=display_adjusted(scores.index, scores.asked_as),
        reference=escape_hidden(reference),
        title=f"{escape_hidden(reference)} on {len(scores.comparisons):,} data sets",
        ranked=ranked,
        names=names,
        marks=marks,
        p_of={item.candidate: format_p_value(item.p_value) for item in ranked},
        plot=rows,
        differences=[
            (other.candidate, item.difference, item.low, item.high, format_p_value(item.p_value_of_ranks))
            for other, item in apart.items()
        ],
        ranks=scores.rank_test(),
        rows=list(zip(map(escape_hidden, map(str, scores.comparisons)), scores.scores.tolist(), strict=True)),
        method=method,
        references=references,
        origin=describe_origin(seed, command),
        p_text=format_p_value,
    )


def describe_datasets(scores: DatasetScores) -> tuple[list[str], list[str]]:
    """Return a paragraph that can be copied into a paper, and the sources it cites."""
    first = next(iter(scores.comparisons.values()))
    measure, sources = describe_index(next(iter(first.values()))[scores.index].entry)
    ranks = scores.rank_test()
    text = (
        f"Agreement of {write_count(len(scores), 'candidate clustering')} with the reference was measured"
        f" on {write_count(len(scores.comparisons), 'data set')} by {measure}, corrected for chance as"
        " (observed - expected) / (best - expected) (Hubert & Arabie, 1985): 0 is agreement by chance, 1 is"
        f" perfect agreement. Mean scores have {100.0 * scores.confidence:g} % confidence intervals from"
        " Student's t over data sets, treated as a sample with equal weights. The candidate with the best"
        " mean was compared with the others by paired t tests. Their p-values hold jointly for all pairs,"
        " because each difference was compared with the largest difference of any two candidates (Westfall &"
        " Young, 1993)."
    )
    if not math.isnan(ranks.p_value):
        text += (
            f" Friedman's test of the ranks on {write_count(ranks.n_datasets, 'data set')} gave p ="
            f" {format_p_value(ranks.p_value)}; by Nemenyi's test, mean ranks differ significantly if they"
            f" are more than {ranks.critical_difference:.2f} apart (Demšar, 2006)."
        )
    text += f" Computed with chancecorr {version('chancecorr')}."
    cited = [AFFINE, *sources, WESTFALL_YOUNG, *([] if math.isnan(ranks.p_value) else [DEMSAR])]
    return [text], list(dict.fromkeys(cited))
