"""What the study writes: a page that leads with a map of all verdicts, pictures, CSV for machines."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import chancecorr as cc
from experiments.common import report
from experiments.common.kept import write_whole
from experiments.common.report import markdown_table, number
from experiments.common.runs import Outcome
from experiments.common.summary import write_summary
from experiments.common.verdict import Verdict
from experiments.franti_rezaei_2016 import paper, pictures
from experiments.franti_rezaei_2016.chance import by_chance, rankings, solutions_of
from experiments.franti_rezaei_2016.claims import WAYS, claims_of
from experiments.franti_rezaei_2016.clusterings import DESCRIPTIONS
from experiments.franti_rezaei_2016.pictures import SHORT
from experiments.franti_rezaei_2016.tables import (
    LARGEST_EXAMPLE,
    Row,
    example_of_figure_1,
    rows_of,
    verdicts_of,
)

Verdicts = Mapping[str, Sequence[Verdict]]


def write(outcome: Outcome, folder: Path) -> None:
    """All files of the results."""
    verdicts, rows = verdicts_of(outcome), rows_of(outcome)
    solutions = solutions_of(outcome)
    ranked, chance = rankings(solutions), by_chance(outcome)
    write_whole(folder / "cells.csv", report.as_csv(rows))
    write_whole(folder / "verdicts.csv", report.as_csv(_verdict_rows(verdicts)))
    write_whole(folder / "chance.csv", report.as_csv(chance))
    write_whole(folder / "rankings.csv", report.as_csv(ranked))
    drawn = pictures.write(outcome, rows, verdicts, solutions, folder)
    write_whole(folder / "README.md", page(outcome, rows, verdicts, ranked, chance, drawn))
    write_summary(
        folder,
        title="Fränti & Rezaei (2016)",
        verdicts=[one for found in verdicts.values() for one in found],
        claims=claims_of(outcome),
        finding=chance_of_ci(chance),
    )


def chance_of_ci(chance: Sequence[Row]) -> str:
    """How often a centroid index is no better than chance, in a sentence; empty without clusterings."""
    if not chance:
        return ""
    total, above = (sum(int(row[name]) for row in chance) for name in ("clusterings", "p above 0.05"))
    sentence = (
        f"Of {total:,} clusterings {above:,} have a CI that chance alone attains in more than 5 of 100 cases."
    )
    if above:
        worst = max(chance, key=lambda row: row["largest p"])
        sentence += (
            f" The largest p-value, {worst['largest p']:.2f}, is that of CI = {worst['its CI']} on"
            f" {worst['data']} with {worst['clusters']} clusters."
        )
    return sentence


def page(
    outcome: Outcome,
    rows: Sequence[Row],
    verdicts: Verdicts,
    ranked: Sequence[Row],
    chance: Sequence[Row],
    drawn: set[str],
) -> str:
    """The page that stands for the study."""
    sections = (
        _head(outcome, drawn),
        _agreement(verdicts),
        ["## What the text says", "", *report.claims_table(claims_of(outcome)), ""],
        _picture("clusterings.png", "Clusterings and the truth", drawn),
        _clusterings(rows),
        _chance(rows, ranked, chance, drawn),
        _figure_2(verdicts),
        _mixtures(outcome),
        _picture("randomness.png", "Randomness", drawn),
        _figure_1(),
        _misprints(verdicts),
    )
    return "\n".join(line for section in sections for line in section).rstrip() + "\n"


KINDS = {
    "clustering": "a clusterer on a data set",
    "three_clusterings": "three clusterings of a data set (figure 2)",
    "mixtures": "pairs of Gaussian mixtures (figure 5)",
    "randomness": "a partition with random labels (figure 8)",
}


def _head(outcome: Outcome, drawn: set[str]) -> list[str]:
    kinds = [cell.inputs["kind"] for cell in outcome.cells]
    units = sum(cell.replicates for cell in outcome.cells)
    counted = "; ".join(f"{kinds.count(kind)} of {text}" for kind, text in KINDS.items() if kind in kinds)
    lines = [
        "# Fränti & Rezaei (2016), reproduced",
        "",
        f"{len(outcome.cells)} cells of {units:,} units, seed {outcome.seed}: {counted}. Of the paper the"
        " text was at hand; the bodies of its tables and its figures were not, so that printed numbers are"
        " those in the text and the captions.",
        "",
        "For machines: `cells.csv`, `verdicts.csv`, `chance.csv`, `rankings.csv`. [Times](times.md). Written"
        " by `python -m experiments franti_rezaei_2016`.",
        "",
    ]
    return [*lines, "![Map of z](map.png)", ""] if "map.png" in drawn else lines


def _picture(name: str, title: str, drawn: set[str]) -> list[str]:
    return [f"## {title}", "", f"![{title}]({name})", ""] if name in drawn else []


def _agreement(verdicts: Verdicts) -> list[str]:
    unnamed = (
        " Of figures 2 and 5 the data are not named: a number is held against every data set that was run."
    )
    return [
        "## Printed numbers",
        "",
        "A printed number is about one clustering. It *agrees* if it lies within the range of ours, the"
        " rounding of the print allowed for, and, where nothing is drawn, if it is ours; z is its distance"
        " from our mean in standard deviations of single clusterings. A *misprint* contradicts the paper"
        " itself." + unnamed * any(", " in name for name in verdicts),
        "",
        *report.counts({name: list(each) for name, each in verdicts.items()}),
        "",
    ]


def _clusterings(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    table = [
        [
            row["data"], row["clusterer"], f"{row['clusterings']:,}", number(row["CI by centroids"], 2),
            number(row["CI by partitions"], 2), f"{row['least CI']} to {row['largest CI']}",
            number(100 * row["share of CI = 0"], 0), str(row["different"]),
            number(row["rand adjusted"], 3), number(row["nmi_sum observed"], 3),
            number(row["normalized_van_dongen observed"], 3), number(row["criterion_h observed"], 3),
            number(row["centroid_similarity observed"], 3), number(row["centroid_index expected"], 1),
            number(row["centroid_index adjusted"], 2), number(row["largest p of CI"], 3),
        ]
        for row in rows
    ]  # fmt: skip
    header = [
        "data", "clusterer", "runs", "CI by centroids", "by partitions", "range", "CI = 0, %", "different",
        "ARI", "NMI", "NVD", "CH", "CSI", "CI by chance", "CI corrected", "largest p",
    ]  # fmt: skip
    used = dict.fromkeys(row["clusterer"] for row in rows)
    return [
        "## Clusterings against the truth (as table 3, and table 2's third row)",
        "",
        "Means over the runs. *Different*: in how many the two ways to CI differ. By chance: over tables with"
        " the same cluster sizes; corrected is 1 less CI over its mean by chance, p the probability by chance"
        " of a CI as small.",
        "",
        *markdown_table(header, table),
        "",
        *(f"- {name}: {DESCRIPTIONS[name]}." for name in used),
        "",
    ]


def _chance(rows: Sequence[Row], ranked: Sequence[Row], chance: Sequence[Row], drawn: set[str]) -> list[str]:
    """Whether a corrected index says more than CI, in numbers."""
    if not rows:
        return []
    lines = ["## Does a corrected index say more than CI?", ""]
    if ranked:
        lines += _rankings(ranked)
        if "indices.png" in drawn:
            lines += ["![Indices beside CI](indices.png)", ""]
    above = [row for row in chance if row["p above 0.05"]]
    lines += [
        "CI itself, by chance: its mean over tables with the same cluster sizes, and in how many clusterings"
        " a CI as small has a probability above 0.05.",
        "",
        *markdown_table(
            ["data", "clusters", "runs", "CI > 0", "mean by chance", "p > 0.05", "largest p", "its CI"],
            [
                [
                    row["data"], str(row["clusters"]), f"{row['clusterings']:,}", f"{row['CI > 0']:,}",
                    f"{number(row['least expected'], 1)} to {number(row['largest expected'], 1)}",
                    f"{row['p above 0.05']:,}", number(row["largest p"], 3), str(row["its CI"]),
                ]
                for row in chance
            ],
        ),
        "",
    ]  # fmt: skip
    total = sum(row["clusterings"] for row in chance)
    weak = sum(row["p above 0.05"] for row in chance)
    lines.append(
        f"In {weak:,} of {total:,} clusterings the CI is not distinguished from chance at 0.05"
        + (f", all of {_and([row['data'] for row in above])}." if above else ".")
        + " This a correction tells and the number alone does not." * (weak > 0)
    )
    lines.append("")
    return [*lines, "![CI by chance](chance.png)", ""] if "chance.png" in drawn else lines


def _rankings(ranked: Sequence[Row]) -> list[str]:
    others = [row for row in ranked if row["index"] != "centroid_index"]
    best = max(others, key=lambda row: row["adjusted pooled"])
    gains = [row["adjusted pooled"] - row["observed pooled"] for row in others]
    perfect = sum(row["adjusted within"] >= 1.0 - 1e-12 for row in others)
    least = min(row["least correlation"] for row in others)
    table = [
        [
            SHORT[row["index"]], number(row["observed within"]), number(row["adjusted within"]),
            number(row["observed pooled"]), number(row["adjusted pooled"]), number(row["least correlation"]),
        ]
        for row in ranked
    ]  # fmt: skip
    header = [
        "",
        "observed, within",
        "corrected, within",
        "observed, pooled",
        "corrected, pooled",
        "correlation",
    ]
    return [
        "How often an index puts a solution of k-means with CI = 0 above one with CI > 0: within the data"
        " sets, and over all of them pooled; and the least rank correlation of observed and corrected values"
        " within a data set.",
        "",
        *markdown_table(header, table),
        "",
        f"Within data sets {perfect} of {len(others)} corrected indices rank all such pairs rightly. Pooled,"
        f" the best is {SHORT[best['index']]} with {number(best['adjusted pooled'])}; the correction changes"
        f" that share by {min(gains):+.3f} to {max(gains):+.3f}, and the order within a data set little (rank"
        f" correlation at least {number(least)}).",
        "",
    ]


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def _figure_2(verdicts: Verdicts) -> list[str]:
    groups = {name.partition(", ")[2]: each for name, each in verdicts.items() if name.startswith("figure 2")}
    if not groups:
        return []
    table, distances = [], {}
    for printed, row in zip(paper.FIGURE_2, zip(*groups.values(), strict=True), strict=True):
        table.append(
            [printed.row, SHORT[printed.column], printed.text, *(number(each.ours, 3) for each in row)]
        )
    for name, each in groups.items():
        offs = [abs(v.ours - v.printed.value) for v in each if v.printed.column != "centroid_index"]
        if not any(math.isnan(off) for off in offs):
            distances[name] = max(offs)
    lines = [
        "## Figure 2: random swap, Ward, k-means",
        "",
        "Means over the runs in which k-means differs from random swap in one cluster, as in the figure.",
        "",
        *markdown_table(["pair", "index", "printed", *groups], table),
        "",
    ]
    if distances:
        near = min(distances, key=distances.__getitem__)
        lines += [
            "Largest distance of ARI, NVD and CH from the print: "
            + ", ".join(f"{number(off)} ({name})" for name, off in distances.items())
            + f". The nearest is {near}, found by looking.",
            "",
        ]
    return lines


def _mixtures(outcome: Outcome) -> list[str]:
    names = [cell.name for cell in outcome.cells if cell.inputs["kind"] == "mixtures"]
    if not names:
        return []
    table = []
    for name in names:
        records = outcome.records[name]
        likelier = sum(r["rsem"]["log_likelihood"] > r["smem"]["log_likelihood"] for r in records)
        table.append(
            [
                name.split("/")[1], str(len(records)),
                *(number(float(outcome.values(name, way).mean()), 2) for way in WAYS),
                str(sum(r["prototypes"] == r["partition"] == r["model"] for r in records)),
                str(sum(r["same"] for r in records)),
                number(float(outcome.values(name, "smem", "centroid_index").mean()), 2),
                number(float(outcome.values(name, "rsem", "centroid_index").mean()), 2),
                str(likelier),
            ]
        )  # fmt: skip
    header = [
        "data", "pairs", "CI by means", "by partitions", "by Bhattacharyya", "all equal", "same map",
        "SMEM, truth", "RSEM, truth", "RSEM likelier",
    ]  # fmt: skip
    return [
        "## Mixtures (figure 5)",
        "",
        "SMEM against RSEM, mean CI by the three ways; in how many pairs all three are equal, and means and"
        " distances map every component alike; CI of the means of each with the true ones; and in how many"
        " the likelihood of RSEM is larger.",
        "",
        *markdown_table(header, table),
        "",
    ]


def _figure_1() -> list[str]:
    table = example_of_figure_1()
    if table is None:
        return []
    values = ", ".join(
        f"{SHORT[each.column]} {number(cc.score_table(table, each.column), 3)} ({each.text})"
        for each in paper.FIGURE_1
    )
    return [
        "## Figure 1",
        "",
        f"The smallest table of two clusters by two, up to {LARGEST_EXAMPLE} objects, that has the four"
        f" printed values is {table.dense_counts().tolist()}: {values}.",
        "",
    ]


def _misprints(verdicts: Verdicts) -> list[str]:
    found = report.misprints([verdict for each in verdicts.values() for verdict in each])
    found = [line.replace("- Table section", "- Section") for line in found]
    return ["## Misprints", "", *found, *(f"- {error}" for error in paper.ERRORS), ""]


def _verdict_rows(verdicts: Verdicts) -> list[report.Row]:
    return [
        {"group": group, **report.verdict_row(verdict)}
        for group, each in verdicts.items()
        for verdict in each
    ]
