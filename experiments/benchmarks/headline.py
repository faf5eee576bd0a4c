"""The few figures that the project's README quotes, from what the benchmarks wrote."""

from collections.abc import Mapping, Sequence
from typing import Any

Results = Mapping[str, Sequence[Mapping[str, Any]]]
"""Rows by script; which columns are numbers is known to the script alone."""

BEGIN, END = "<!-- benchmarks: begin -->\n", "<!-- benchmarks: end -->\n"


def headline(results: Results, surroundings: Mapping[str, float | str]) -> str:
    """Markdown list of the figures, each with its peer from the same run."""
    of_all = {row["use"]: row for row in results["worst_shapes"] if "margins" in row}
    nine = next(row for row in results["end_to_end"] if row["adjusted indices"] == 9)
    by_type = {row["labels"]: row for row in results["labels"]}
    labels = by_type["int64"]
    steps = {row["step"]: row for row in results["startup"]}
    imported, of_numpy = (steps[step]["statement, ms"] for step in ("import chancecorr", "import numpy"))
    analytic, first, very_first = (
        steps[step]["from the start, ms"]
        for step in ("analytic, Rand index", "Monte Carlo, filled cache", "Monte Carlo, empty cache")
    )
    most = max(results["memory"], key=lambda row: row["tables"])
    lines = [
        f"random tables, {of_all['tables']['margins']} margins of 2 to 200 clusters and up to 10^7 objects:"
        f" {of_all['tables']['ratio, median']:.1f}× as fast as the faster method of"
        f" `scipy.stats.random_table` in the median, {of_all['tables']['ratio, worst']:.1f}× at worst;",
        f"two label vectors of 800 objects to nine adjusted indices, {nine['tables']:,} tables:"
        f" {nine['chancecorr, ms']:.1f} ms; a loop of scikit-learn's `rand_score` over as many permutations"
        f" takes {nine['ratio']:,.0f}× as long, for one index;",
        f"{labels['n']:,} labels of type {labels['labels']} to a table:"
        f" {labels['chancecorr, s'] * 1000:.0f} ms; scikit-learn's `contingency_matrix` takes"
        f" {labels['ratio']:.0f}× as long in the same run"
        f" ({by_type['int32']['ratio']:.0f}× with int32, {by_type['float64']['ratio']:.1f}× with float64);",
        f"{most['tables']:,} tables: {most['seconds']:.1f} s and a peak of {most['peak, MiB']:.0f} MiB;",
        f"`import chancecorr`: {imported:.0f} ms, {of_numpy:.0f} of them NumPy's; from the start of a process"
        f" to its first answer: {analytic:.0f} ms by the analytic method, {first:.0f} ms by Monte Carlo for"
        f" two indices, and {very_first / 1000:.1f} s for the same with an empty cache, when it is compiled.",
    ]
    where = f"One thread of {surroundings['CPU']}, {surroundings['date']}:"
    return "\n\n".join([where, "\n".join(f"- {line}" for line in lines)]) + "\n"


def with_headline(readme: str, results: Results, surroundings: Mapping[str, float | str]) -> str:
    """The README with its figures between the two marks replaced."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + headline(results, surroundings) + END + after
