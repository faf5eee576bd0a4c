"""The page: contents put into a template."""

import statistics
from importlib import resources
from typing import Any

from chancecorr.comparison.leaderboard import is_outside
from chancecorr.report.contents import Contents, Difference, IndexScores, Table
from chancecorr.report.drawing import forest, law_picture, mark_of, number
from chancecorr.report.maps import count_map, difference_map, told_apart

TEMPLATE = "report.html.j2"


def page(contents: Contents) -> str:
    """HTML of a report, whole: it loads nothing, neither from the network nor from other files."""
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError:
        raise ImportError("A report needs Jinja2: pip install 'chancecorr[report]'") from None

    # Escaping is on for every template: `select_autoescape` goes by the last suffix, and would leave .j2 out.
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=number, percent=percent, counted=counted)
    environment.globals.update(
        forest=forest,
        law_picture=law_picture,
        count_map=count_map,
        difference_map=difference_map,
        mark_of=mark_of,
        told_apart=told_apart,
        against_best=against_best,
        described=described,
        spread=spread,
    )
    scores = [score for each in contents.indices for score in each.scores]
    has_outside = any(is_outside(score.adjusted, score.low, score.high) for score in scores)
    return environment.get_template(TEMPLATE).render(contents=contents, has_outside=has_outside)


def percent(share: float) -> str:
    """A share as per cent, with decimals only where it has them."""
    return f"{100.0 * share:.6g} %"


def counted(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def against_best(scores: IndexScores) -> list[Difference]:
    """Differences of the best candidate from the others, those of the others' order, best less other."""
    ranked = [score.candidate for score in scores.ranked]
    best = ranked[0]
    found = {}
    for each in scores.differences:
        if each.first == best:
            found[each.second] = each
        elif each.second == best:
            found[each.first] = Difference(
                first=best, second=each.first, difference=-each.difference, low=-each.high, high=-each.low,
                p_value=each.p_value,
            )  # fmt: skip
    return [found[name] for name in ranked if name in found]


def described(table: Table) -> str:
    """Where the objects of each row are, in words, for those who cannot see the map."""
    parts = []
    for name, row, total in zip(table.row_names, table.counts, table.row_totals.tolist(), strict=True):
        if total:
            most = int(row.argmax())
            parts.append(f"{name}: {int(row[most]):,} of {total:,} in {table.column_names[most]}")
    return "; ".join(parts) + "."


def spread(sizes: tuple[int, ...]) -> list[str]:
    """The largest, the median and the least size, as text."""
    if not sizes:
        return ["–"] * 3
    middle = f"{statistics.median(sizes):,.1f}".removesuffix(".0")
    return [f"{max(sizes):,}", middle, f"{min(sizes):,}"]


def _source(name: str) -> Any:
    """Text of a template, from the package, wherever that is installed."""
    return (resources.files("chancecorr.report") / "templates" / name).read_text(encoding="utf-8")
