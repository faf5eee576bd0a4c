"""The page: contents put into a template."""

import statistics
from importlib import resources
from typing import Any

from chancecorr.comparison.leaderboard import is_outside
from chancecorr.indices.display_names import display_name
from chancecorr.report.contents import Contents
from chancecorr.report.drawing import forest, law_picture, mark_of, number
from chancecorr.report.from_comparison import listed


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
        number=number, percent=percent, counted=counted, named=display_name, headline=headline
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


def counted(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def spread(sizes: tuple[int, ...]) -> list[str]:
    """The largest, the median and the least size, as text."""
    if not sizes:
        return ["–"] * 3
    middle = f"{statistics.median(sizes):,.1f}".removesuffix(".0")
    return [f"{max(sizes):,}", middle, f"{min(sizes):,}"]
