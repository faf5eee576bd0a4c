"""What the benchmarks share: sides timed in turn, fresh interpreters, and tables in Markdown."""

import argparse
import functools
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping

import chancecorr as cc

Row = dict[str, float | str]


def run(measure: Callable[[float], list[Row]]) -> None:
    """Measure and print: what every script does."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1.0, help="shrinks the work; 1 is the full size")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args()
    rows = measure(options.scale)
    print(json.dumps(rows) if options.json else format_markdown(rows))


def scale_count(count: int, scale: float, minimum: int = 1) -> int:
    """`count` at scale 1, less below, never under `minimum`."""
    return max(minimum, round(count * scale))


def time_in_turn(*sides: Callable[[], object], repeats: int, warm: float = 0.0) -> list[list[float]]:
    """Seconds of each side, timed in turn (first, second, first, second, ...).

    Before that each side is called once, and again for `warm` seconds, in which small work is compiled.
    """
    warm_up()
    for side in sides:
        began = time.perf_counter()
        side()
        while time.perf_counter() < began + warm:
            side()
    seconds: list[list[float]] = [[] for _ in sides]
    for _ in range(repeats):
        for side, taken in zip(sides, seconds, strict=True):
            began = time.perf_counter()
            side()
            taken.append(time.perf_counter() - began)
    return seconds


@functools.cache
def warm_up() -> None:
    """Draw so many tables that what draws them side by side is compiled."""
    margins = cc.Margins([5_000] * 20, [5_000] * 20)
    cc.null_distribution(margins, "rand", method="monte-carlo", n_tables=10_000, rng=1)


def compare_times(ours: list[float], peer: list[float], name: str, unit: float = 1.0) -> Row:
    """Median times of both sides, and the ratio peer / ours over the repeats: above 1, ours is faster."""
    ratios = [theirs / own for theirs, own in zip(peer, ours, strict=True)]
    return {
        "chancecorr": statistics.median(ours) * unit,
        name: statistics.median(peer) * unit,
        "ratio": statistics.median(ratios),
        "ratio min": min(ratios),
        "ratio max": max(ratios),
    }


def equal_sizes(n: int, clusters: int) -> list[int]:
    """`n` objects in clusters of sizes as near as can be."""
    return [n // clusters + (k < n % clusters) for k in range(clusters)]


def run_python(code: str, environment: Mapping[str, str] | None = None) -> tuple[float, str]:
    """Wall time of a fresh interpreter that runs `code`, and what it printed.

    Bytecode is written, as it is for a user, even where the calling shell says not to.
    """
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command, surroundings = [sys.executable, "-c", code], {**inherited, **(environment or {})}
    began = time.perf_counter()
    done = subprocess.run(command, env=surroundings, stdout=subprocess.PIPE, text=True, check=True)
    return time.perf_counter() - began, done.stdout


def format_markdown(rows: Iterable[Row]) -> str:
    """Rows as Markdown; where the keys change, a new table begins."""
    lines: list[str] = []
    keys: list[str] = []
    for row in rows:
        if list(row) != keys:
            keys = list(row)
            alignments = ["---" if isinstance(value, str) else "---:" for value in row.values()]
            lines += [""] if lines else []
            lines += [f"| {' | '.join(keys)} |", f"| {' | '.join(alignments)} |"]
        lines.append(f"| {' | '.join(map(format_number, row.values()))} |")
    return "\n".join(lines)


def format_number(value: float | str) -> str:
    """Text as it is, whole numbers in full, others to three significant digits."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else value
