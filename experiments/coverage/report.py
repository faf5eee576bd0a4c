"""The page of results: tables of coverage, and what fails the nominal level."""

from collections.abc import Mapping, Sequence

from experiments.coverage.simulate import Coverage

GOAL = (0.93, 0.97)
"""Where the coverage of intervals of 95 % is to lie, for 200 objects or more."""

ROUNDING = 1e-9
"""What a share of samples may be off by."""

LEAST = 0.92
"""Least coverage of intervals of 95 % that leave out no more bias than they may."""

HEADER = (
    "| population | index | truth | n | coverage | s.e. | above | below | none | width |",
    "|---|---|---|---|---|---|---|---|---|---|",
)

TITLES = {
    "scores": "Scores",
    "classes": "Many classes, or few objects",
    "purity": "Purity, whose expected value is simulated",
    "differences": "Differences of two candidates",
    "control": "Negative control",
}

ABOUT_CONTROL = (
    "Each population twice: intervals as they are, and intervals for which the expected value stays as it is"
    " when an object is left out. These miss what the cluster sizes do to the expected value, or take what"
    " they do to the index for a variation of the score, and are too narrow or too wide."
)


def page(found: Mapping[str, Sequence[Coverage]], seed: int) -> str:
    """The page as Markdown."""
    samples = sorted({each.samples for rows in found.values() for each in rows})
    lines = [
        "# Coverage of intervals of adjusted scores",
        "",
        f"Made by `python -m experiments.coverage.run --seed {seed}`, from"
        f" {' or '.join(f'{each:,}' for each in samples)} samples of n objects each. Intervals of 95 % by the"
        " jackknife. Coverage: the share of the intervals that hold the score of the population, in percent,"
        " with its standard error. Above and below: the shares that lie above or below it. None: the share of"
        " the samples without an interval. Width: the median.",
        "",
        "## Summary",
        "",
    ]
    for part in ("scores", "purity", "differences"):
        lines += _summary(part, found.get(part, []))
    lines += _by_index(found.get("classes", []))
    for part, title in TITLES.items():
        if found.get(part):
            about = [ABOUT_CONTROL, ""] if part == "control" else []
            lines += [f"## {title}", "", *about, *HEADER, *map(_row, found[part]), ""]
    return "\n".join(lines)


def _row(each: Coverage) -> str:
    numbers = (
        f"{each.truth + 0.0:.3f}".replace("-0.000", "0.000"),
        f"{each.n:,}",
        f"{100 * each.held:.1f}",
        f"{100 * each.standard_error:.1f}",
        f"{100 * each.too_high:.1f}",
        f"{100 * each.too_low:.1f}",
        f"{100 * each.unknown:.1f}",
        f"{each.width:.3f}",
    )
    listed = " | ".join(numbers).replace("nan", "–")
    return f"| {each.population} | {each.index} | {listed} |"


def _summary(part: str, found: Sequence[Coverage]) -> list[str]:
    """How many reach the goal, and which do not."""
    large = [each for each in found if each.n >= 200 and each.unknown <= 0.5]
    low, high = GOAL
    failing = [each for each in large if each.held + 2.0 * each.standard_error < low]
    less = sum(each.held < low - ROUNDING for each in large)
    more = sum(each.held > high + ROUNDING for each in large)
    return [
        f"{part.capitalize()}: of {len(large)} cells with 200 objects or more, and an interval for half of"
        f" the samples or more, {len(large) - less - more} have a coverage of {100 * low:.0f} to"
        f" {100 * high:.0f} %, {more} more than that, and {less} less, {len(failing)} of these by more than"
        f" two standard errors{':' if failing else '.'}",
        "",
        *(f"- {each.population}, {each.index}, n = {each.n:,}: {100 * each.held:.1f} %" for each in failing),
        *([""] if failing else []),
        *_too_often([each for each in large if each.held > high + ROUNDING], high),
    ]


def _by_index(found: Sequence[Coverage]) -> list[str]:
    """Coverage of each index over all populations and sizes, and where it is below the goal."""
    if not found:
        return []
    lines = [
        "Many classes, or few objects, by index: samples with an interval, coverage of these intervals, and"
        f" cells in which it is below {100 * LEAST:.0f} % by more than three standard errors, of those in"
        " which half of the samples or more have an interval.",
        "",
        "| index | with interval | coverage | below |",
        "|---|---|---|---|",
    ]
    for index in dict.fromkeys(each.index for each in found):
        cells = [each for each in found if each.index == index]
        shown = sum(each.samples * (1.0 - each.unknown) for each in cells)
        held = sum(each.samples * (1.0 - each.unknown) * each.held for each in cells if each.unknown < 1.0)
        failing = [
            f"{each.population}, n = {each.n:,}: {100 * each.held:.1f} %"
            for each in cells
            if each.unknown <= 0.5 and each.held + 3.0 * each.standard_error < LEAST
        ]
        share = shown / sum(each.samples for each in cells)
        lines.append(
            f"| {index} | {100 * share:.0f} % | {100 * held / shown:.1f} % | {'; '.join(failing) or '–'} |"
        )
    return [*lines, ""]


def _too_often(found: Sequence[Coverage], high: float) -> list[str]:
    """Populations whose intervals are wider than they need be, with the largest coverage of each."""
    if not found:
        return []
    by_population: dict[str, list[Coverage]] = {}
    for each in found:
        by_population.setdefault(each.population, []).append(each)
    listed = "; ".join(
        f"{population}: {len(cells)}, up to {100 * max(each.held for each in cells):.1f} %"
        for population, cells in by_population.items()
    )
    return [f"Cells above {100 * high:.0f} % by population: {listed}.", ""]
