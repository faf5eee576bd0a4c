"""Run all benchmarks: ``python -m experiments.benchmarks.run [--only NAME ...]``.

Every script runs in a process of its own, one after another, and all share one fresh folder for machine code.
What they find is written to results.json beside them and to the figures in the project's README.
"""

import argparse
import datetime
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from experiments.benchmarks.first_minutes import EXAMPLE
from experiments.benchmarks.timing import Row, format_markdown, format_number
from experiments.common.kept import ROOT, read_json, write_whole

KEPT = Path(__file__).with_name("results.json")
SCRIPTS = ("tables", "adjusting", "labels", "files", "startup", "workers", "compiling", "first_minutes")
PACKAGES = ("chancecorr", "numpy", "numba", "scipy", "scikit-learn", "clusim", "joblib")
PAGES = (ROOT / "README.md", ROOT / "docs" / "howto" / "large_data.md")


def main() -> None:
    """Run the scripts, print and write what they found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument(
        "--scale", type=float, default=1.0, help="shrinks the work; nothing is written below 1"
    )
    parser.add_argument(
        "--only", choices=SCRIPTS, nargs="+", default=SCRIPTS, help="the others stay as they are"
    )
    options = parser.parse_args()
    kept = read_json(KEPT)
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "chancecorr", "compile"]  # what a user may do, once
        subprocess.run(command, env=os.environ | {"NUMBA_CACHE_DIR": cache}, check=True)
        for name in options.only:
            kept["results"][name] = run_script(name, options.scale, cache)
            print(f"\n{name}\n\n{format_markdown(kept['results'][name])}", flush=True)
            if options.scale == 1.0:
                write(kept)


def write(kept: dict[str, Any]) -> None:
    """Write the results so far, and the pages that show them."""
    kept["environment"] = describe_environment()
    write_whole(KEPT, format_results(kept))
    for page in PAGES:
        page.write_text(fill_in(page.read_text(encoding="utf-8"), kept), encoding="utf-8")


def run_script(name: str, scale: float, cache: str) -> list[Row]:
    """What a script measures, in a fresh process."""
    command = [sys.executable, "-m", f"experiments.benchmarks.{name}", "--json", "--scale", str(scale)]
    environment = os.environ | {"NUMBA_CACHE_DIR": cache}
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    rows: list[Row] = json.loads(done.stdout, parse_float=lambda text: float(f"{float(text):.4g}"))
    return rows


def describe_environment() -> dict[str, float | str]:
    """Date, processor, and versions; nothing that names the machine."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    found: Row = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "CPU": names[0] if names else platform.processor() or platform.machine(),
        "cores": os.cpu_count() or 0,
        "system": platform.system(),
        "Python": platform.python_version(),
    }
    return found | {package: version(package) for package in PACKAGES}


def format_results(kept: Mapping[str, Any]) -> str:
    """The results as JSON, a row a line."""
    environment = json.dumps(kept["environment"], ensure_ascii=False)
    scripts = []
    for name, rows in kept["results"].items():
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        scripts.append(f'"{name}": [\n{lines}\n]')
    everything = ",\n".join(scripts)
    return f'{{\n"environment": {environment},\n"results": {{\n{everything}\n}}}}\n'


def fill_in(page: str, kept: Mapping[str, Any]) -> str:
    """A page with what stands between marks replaced: figures of all benchmarks, or the table of one."""
    texts = {name: format_markdown(rows) + "\n" for name, rows in kept["results"].items()}
    texts["benchmarks"] = write_figures(kept["results"], kept["environment"])

    def replace(found: re.Match[str]) -> str:
        return f"{found[1]}{texts[found[2]]}{found[3]}" if found[2] in texts else found[0]

    return re.sub(r"(<!-- (\w+): begin -->\n).*?(<!-- \2: end -->\n)", replace, page, flags=re.DOTALL)


def write_figures(results: Mapping[str, Sequence[Mapping[str, Any]]], environment: Mapping[str, Any]) -> str:
    """Markdown list of the figures, each with its peer from the same run."""
    margins = next(row for row in results["tables"] if "random margins" in row)
    nine, rand, purity = results["adjusting"][:3]
    labels = {(row["labels"], row["peer"]): row for row in results["labels"]}
    ratios = [f"{labels[kind, 'scikit-learn']['ratio']:.1f}× with {kind}" for kind in ("int32", "float64")]
    integers, by_numpy = (labels["int64", peer] for peer in ("scikit-learn", "np.bincount"))
    steps = {row["step"]: row for row in results["startup"]}
    imported, numpy_alone = (steps[f"import {name}"]["statement, ms"] for name in ("chancecorr", "numpy"))
    analytic, compiled, new = (
        steps[step]["from the start, ms"]
        for step in ("analytic, Rand index", "Monte Carlo, compiled", "Monte Carlo, nothing compiled")
    )
    lines = [
        f"random tables, {margins['random margins']} margins of 2 to 200 clusters and up to 10^7 objects:"
        f" {margins['ratio, median']:.1f}× as fast as the faster method of `scipy.stats.random_table` in the"
        f" median, {margins['ratio, worst']:.1f}× at worst;",
        "two label vectors of 800 objects to the Rand index, adjusted by 17,000 tables, after three seconds"
        f" of such calls: {rand['chancecorr']:.1f} ms; SciPy's tables and one line of NumPy take"
        f" {rand['ratio']:.1f}× as long. The nine published indices: {nine['chancecorr']:.1f} ms; the purity:"
        f" {purity['chancecorr']:.1f} ms (a line of NumPy {purity['ratio']:.1f}×);",
        f"{integers['n']:,} labels of type int64 to a table: {integers['chancecorr'] * 1000:.0f} ms,"
        f" {1 / by_numpy['ratio']:.1f}× as long as `np.bincount`; scikit-learn's `contingency_matrix` takes"
        f" {integers['ratio']:.0f}× as long ({', '.join(ratios)});",
        f"`import chancecorr`: {imported:.0f} ms, {numpy_alone:.0f} of them NumPy's; from the start of a"
        f" process to the first answer: {analytic:.0f} ms by the analytic method; by Monte Carlo for two"
        f" indices {new:.0f} ms if nothing is compiled yet, {compiled:.0f} ms if machine code is on disk.",
    ]
    if "first_minutes" in results:
        lines.insert(-1, write_first_minutes(results["first_minutes"]))
    where = f"One thread of {environment['CPU']}, {environment['date']}:"
    return "\n\n".join([where, "\n".join(f"- {line}" for line in lines)]) + "\n"


def write_first_minutes(states: Sequence[Mapping[str, Any]]) -> str:
    """Markdown of the seconds of a new installation, in the median and at worst."""
    first, later_first, later, peer = (
        f"{format_number(row['median, s'])} s ({format_number(row['worst, s'])} s)" for row in states
    )
    return (
        f"{states[0]['calls']} kinds of call in a new installation, processor time in the median (at worst):"
        f" slowest of the first three calls {first}; first call of the next process {later_first}, imports"
        f" included; its later calls {later}; SciPy, NumPy and scikit-learn for the same answers {peer};"
    ) + write_example([row.get(EXAMPLE) for row in states])


def write_example(seconds: Sequence[Any]) -> str:
    """Markdown of the seconds of README's first example, by state; empty if they were not measured."""
    if None in seconds:
        return ""
    first, later_first, later, peer = (f"{format_number(found)} s" for found in seconds)
    return (
        f" the first example of this README takes {first} in a new installation, {later_first} as the first"
        f" call of a later process and {later} in its later calls; SciPy and NumPy take {peer} for it;"
    )


if __name__ == "__main__":
    main()
