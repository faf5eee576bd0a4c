"""The page of results: tables of coverage, and what fails the nominal level."""

from collections.abc import Iterable, Sequence

from experiments.coverage.simulate import Coverage

GOAL = (0.93, 0.97)
"""Where the coverage of intervals of 95 % is to lie, for 200 objects or more."""

HEADER = "| population | index | truth | n | coverage | s.e. | above | below | none | width |"


def page(scores: Sequence[Coverage], differences: Sequence[Coverage], seed: int) -> str:
    """The page as Markdown."""
    parts = [
        "# Coverage of intervals of adjusted scores",
        "",
        f"Made by `python -m experiments.coverage.run --seed {seed}`. Intervals of 95 % by the jackknife,"
        " from samples of n objects. Coverage: the share of the samples whose interval holds the score of"
        " the population, in percent, with its standard error. Above and below: the shares whose interval"
        " lies above or below it. None: the share without an interval. Width: the median.",
        "",
        "## Scores",
        "",
        f"{HEADER} control |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
        *(f"{_row(each)} {100 * each.held_by_control:.1f} |" for each in scores),
        "",
        "Control: intervals made alike but for an expected value that stays as it is when an object is left"
        " out, and without correction of the bias.",
        "",
        "## Differences of two candidates",
        "",
        HEADER,
        "|---|---|---|---|---|---|---|---|---|---|",
        *map(_row, differences),
        "",
        "## Summary",
        "",
        *_summary("scores", scores),
        *_summary("differences", differences),
        "",
    ]
    return "\n".join(parts)


def _row(each: Coverage) -> str:
    numbers = (
        f"{each.truth:.3f}",
        f"{each.n:,}",
        f"{100 * each.held:.1f}",
        f"{100 * each.standard_error:.1f}",
        f"{100 * each.too_high:.1f}",
        f"{100 * each.too_low:.1f}",
        f"{100 * each.unknown:.1f}",
        f"{each.width:.3f}",
    )
    return f"| {each.population} | {each.index} | {' | '.join(numbers)} |"


def _summary(name: str, found: Iterable[Coverage]) -> list[str]:
    """How many reach the goal, and which do not."""
    large = [each for each in found if each.n >= 200]
    low, high = GOAL
    inside = sum(low <= each.held <= high for each in large)
    lines = [
        f"Of {len(large)} cells of {name} with 200 objects or more, {inside} have a coverage of"
        f" {100 * low:.0f} to {100 * high:.0f} %,"
        f" {sum(each.held > high for each in large)} more than that, and these less:",
        "",
    ]
    lines += [
        f"- {each.population}, {each.index}, n = {each.n:,}: {100 * each.held:.1f} %"
        for each in large
        if each.held < low
    ]
    return [*lines, ""]
