"""What the study writes: a page that begins with question and answer, pictures, CSV for machines."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import chancecorr as cc
from experiments.common import report
from experiments.common.kept import write_whole
from experiments.common.printed import Printed
from experiments.common.report import markdown_table, number
from experiments.common.runs import Outcome
from experiments.common.summary import write_summary
from experiments.common.verdict import LEVEL_OF_ONE, Verdict, judge_one
from experiments.franti_rezaei_2016 import paper, pictures
from experiments.franti_rezaei_2016.chance import by_chance, rankings, solutions_of
from experiments.franti_rezaei_2016.claims import WAYS, claims_of
from experiments.franti_rezaei_2016.clusterings import DESCRIPTIONS
from experiments.franti_rezaei_2016.paper import SAMPLES
from experiments.franti_rezaei_2016.pictures import SHORT
from experiments.franti_rezaei_2016.tables import (
    LARGEST_EXAMPLE,
    Row,
    agreeing,
    cell_of,
    chosen_reading,
    examples_of_figure_1,
    figure_2_values,
    readings_of_figure_2,
    rows_of,
    sample_values,
    starts_with_all,
    verdicts_of,
    worst,
)
from experiments.franti_rezaei_2016.unit import PAIRS

Verdicts = Mapping[str, Sequence[Verdict]]

QUESTION = (
    "Does an index that counts clusters in the wrong place tell structural errors of a clustering better than"
    " indices that compare objects, and for which models of clusters can it be found?"
)


def write(outcome: Outcome, folder: Path) -> None:
    """All files of the results."""
    verdicts, rows, claims = verdicts_of(outcome), rows_of(outcome), claims_of(outcome)
    solutions = solutions_of(outcome)
    ranked, chance = rankings(solutions), by_chance(outcome)
    found = [which_data(outcome), chance_of_ci(chance)]
    write_whole(folder / "cells.csv", report.as_csv(rows))
    write_whole(folder / "verdicts.csv", report.as_csv(_verdict_rows(verdicts)))
    write_whole(folder / "chance.csv", report.as_csv(chance))
    write_whole(folder / "rankings.csv", report.as_csv(ranked))
    drawn = pictures.write(outcome, rows, solutions, folder)
    sections = (
        report.opening("Fränti & Rezaei (2016), reproduced", QUESTION, found, _about(outcome)),
        _agreement(verdicts),
        _other_clusterers(outcome),
        report.section("## What the text says", report.claims_table(claims)),
        _figure_2(outcome),
        report.pictures("Clusterings and the truth", ["clusterings.png"], drawn),
        _chance(rows, ranked, chance, drawn),
        report.pictures("Randomness", ["randomness.png"], drawn),
        _misprints(verdicts),
        report.section("## Appendix"),
        _clusterings(rows),
        _mixtures(outcome),
        _figure_1(),
    )
    page = "\n".join(line for section in sections for line in section).rstrip() + "\n"
    write_whole(folder / "README.md", page)
    write_summary(folder, title="Fränti & Rezaei (2016)", verdicts=verdicts, claims=claims, answer=found)


def which_data(outcome: Outcome) -> str:
    """Which data and partition figure 2 is of, in a sentence; empty if it was not run."""
    readings = readings_of_figure_2(outcome)
    if not readings:
        return ""
    data, partition = best = chosen_reading(readings)
    others = max((agreeing(each) for reading, each in readings.items() if reading != best), default=0)
    right, of = starts_with_all(outcome, f"figure 2/{data}", partition)
    return (
        f"Figure 2, whose data are not named, is {data.upper()} with Ward's method as {partition}:"
        f" {agreeing(readings[best])} of {len(readings[best])} printed numbers, by the next best of"
        f" {len(readings)} readings {others}; {right} of {of} starts of k-means have all its numbers to the"
        " digit."
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


KINDS = {
    "clustering": "a clusterer on a data set",
    "three_clusterings": "three clusterings of a data set (figure 2)",
    "mixtures": "pairs of Gaussian mixtures (figure 5)",
    "randomness": "a partition with random labels (figure 8)",
}


def _about(outcome: Outcome) -> str:
    kinds = [cell.inputs["kind"] for cell in outcome.cells]
    units = sum(cell.replicates for cell in outcome.cells)
    counted = "; ".join(f"{kinds.count(kind)} of {text}" for kind, text in KINDS.items() if kind in kinds)
    return (
        f"{len(outcome.cells)} cells of {units:,} units, seed {outcome.seed}: {counted}. Of the paper the"
        f" text"
        " was at hand; the bodies of its tables and its figures were not. Of table 2 there is no number, so"
        " that its times are compared by one ratio of this package; k-medoids and k-modes are named and not"
        " run by the paper: `chancecorr.prototypes.centroid_index` takes them, as it does centroids. For"
        " machines: `cells.csv`, `verdicts.csv`, `chance.csv`, `rankings.csv`. [Times](times.md). Written by"
        " `python -m experiments franti_rezaei_2016`."
    )


def _agreement(verdicts: Verdicts) -> list[str]:
    return report.section(
        "## Printed numbers",
        "A printed number is about one clustering, and is judged as one draw of ours (p of at least"
        f" {LEVEL_OF_ONE:g}): whole numbers by their rank, others by Student's law of a further value. Each"
        f" is counted once.",
        report.counts(verdicts),
    )


def _other_clusterers(outcome: Outcome) -> list[str]:
    """What a printed clustering can reject: the other clusterers on its data, by the same rule."""
    table = []
    for printed in SAMPLES:
        data, named = printed.row.split()
        there = [cell.inputs["clusterer"] for cell in outcome.cells if cell.inputs.get("data") == data]
        words = {
            clusterer: judge_one(other, sample_values(outcome, other)).word
            for clusterer in there
            for other in [replace(printed, row=f"{data} {clusterer}")]
            if clusterer != named and cell_of(other) in outcome.records
        }
        rejected, kept = (
            [each for each in words if (words[each] == "differs") == it] for it in (True, False)
        )
        table.append([printed.row, printed.column, printed.text, ", ".join(rejected), ", ".join(kept)])
    header = ["", "", "printed", "clusterers that it rejects", "that it does not"]
    return report.section(
        "What such a number can reject, of the other clusterers:", markdown_table(header, table)
    )


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
    return report.section(
        "### Clusterings against the truth (as table 3, and table 2's third row)",
        "Means over the runs. *Different*: in how many the two ways to CI differ. By chance: over tables with"
        " the same cluster sizes; corrected is 1 less CI over its mean by chance, p the probability by chance"
        " of a CI as small.",
        markdown_table(header, table),
        [f"- {name}: {DESCRIPTIONS[name]}." for name in used],
    )


def _chance(rows: Sequence[Row], ranked: Sequence[Row], chance: Sequence[Row], drawn: set[str]) -> list[str]:
    """Whether a corrected index says more than CI, in numbers."""
    if not rows:
        return []
    above = [row for row in chance if row["p above 0.05"]]
    table = [
        [
            row["data"], str(row["clusters"]), f"{row['clusterings']:,}", f"{row['CI > 0']:,}",
            f"{number(row['least expected'], 1)} to {number(row['largest expected'], 1)}",
            f"{row['p above 0.05']:,}", number(row["largest p"], 3), str(row["its CI"]),
        ]
        for row in chance
    ]  # fmt: skip
    header = ["data", "clusters", "runs", "CI > 0", "mean by chance", "p > 0.05", "largest p", "its CI"]
    total = sum(row["clusterings"] for row in chance)
    weak = sum(row["p above 0.05"] for row in chance)
    return report.section(
        "## Does a corrected index say more than CI?",
        *(_rankings(ranked) if ranked else ()),
        report.image("Indices beside CI", "indices.png", drawn) if ranked else "",
        "CI itself, by chance: its mean over tables with the same cluster sizes, and in how many clusterings"
        " a CI as small has a probability above 0.05.",
        markdown_table(header, table),
        f"In {weak:,} of {total:,} clusterings the CI is not distinguished from chance at 0.05"
        + (f", all of {_and([row['data'] for row in above])}." if above else ".")
        + " This a correction tells and the number alone does not." * (weak > 0),
        report.image("CI by chance", "chance.png", drawn),
    )


def _rankings(ranked: Sequence[Row]) -> tuple[str, list[str], str]:
    """How often an index ranks a right solution above a wrong one: a sentence, a table, and the best."""
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
        *("observed, within", "corrected, within", "observed, pooled", "corrected, pooled"),
        "correlation",
    ]
    return (
        "How often an index puts a solution of k-means with CI = 0 above one with CI > 0: within the data"
        " sets, and over all of them pooled; and the least rank correlation of observed and corrected values"
        " within a data set.",
        markdown_table(header, table),
        f"Within data sets {perfect} of {len(others)} corrected indices rank all such pairs rightly. Pooled,"
        f" the best is {SHORT[best['index']]} with {number(best['adjusted pooled'])}; the correction changes"
        f" that share by {min(gains):+.3f} to {max(gains):+.3f}, and the order within a data set little (rank"
        f" correlation at least {number(least)}).",
    )


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


OF_FIGURE_2 = (
    "rand", "adjusted_rand", "mutual_information", "nmi_sum", "normalized_van_dongen", "criterion_h",
    "centroid_similarity", "centroid_index",
)  # fmt: skip
"""The eight measures; the text has four of them."""


def _figure_2(outcome: Outcome) -> list[str]:
    readings = readings_of_figure_2(outcome)
    if not readings:
        return []
    data, partition = best = chosen_reading(readings)
    tried = [
        [
            name,
            ward,
            f"{agreeing(each)} of {len(each)}",
            number(worst(each)),
            "chosen" * ((name, ward) == best),
        ]
        for (name, ward), each in readings.items()
    ]
    printed = {(each.row, each.column): each for each in paper.FIGURE_2}
    table = []
    for pair in PAIRS:
        cells = []
        for index in OF_FIGURE_2:
            place = Printed.read("0", table="figure 2", row=pair, column=index)
            values = figure_2_values(outcome, f"figure 2/{data}", partition, place)
            theirs = f" / {printed[pair, index].text}" if (pair, index) in printed else ""
            digits = 0 if index == "centroid_index" else 3
            cells.append(f"{number(float(values.mean()), digits)}{theirs}" if values.size else "")
        table.append([pair, *cells])
    return report.section(
        "## Figure 2: random swap, agglomerative clustering (Ward, that is PNN), k-means",
        "Means over the starts in which k-means differs from random swap in one cluster, as in the figure."
        " Ward's method is its merge labels, or its centroids with every object at the nearest. The data and"
        " the partition were chosen with the print in view:",
        markdown_table(["data", "Ward by", "agree", "worst of ARI, NVD, CH", ""], tried),
        f"All eight measures on {data}, ours / printed; MI in bits:",
        markdown_table(["pair", "RI", *(SHORT[index] for index in OF_FIGURE_2[1:])], table),
    )


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
    return report.section(
        "### Mixtures (figure 5)",
        "SMEM against RSEM, mean CI by the three ways; in how many pairs all three are equal, and means and"
        " distances map every component alike; CI of the means of each with the true ones; and in how many"
        " the likelihood of RSEM is larger.",
        markdown_table(header, table),
    )


def _figure_1() -> list[str]:
    tables = examples_of_figure_1()
    if not tables:
        return []
    table = tables[0]
    values = ", ".join(
        f"{SHORT[each.column]} {number(cc.score_table(table, each.column), 3)} ({each.text})"
        for each in paper.FIGURE_1
    )
    return report.section(
        "### Figure 1",
        f"The smallest table of two clusters by two, up to {LARGEST_EXAMPLE} objects, that has the four"
        f" printed values is {table.dense_counts().tolist()}: {values}.",
    )


def _misprints(verdicts: Verdicts) -> list[str]:
    found = report.misprints([verdict for each in verdicts.values() for verdict in each])
    found += [
        f"- {each.printed.table}, {each.printed.column}: printed {each.printed.text}, contradictory."
        f" {each.reason}"
        for group in verdicts.values()
        for each in group
        if each.word == "contradictory"
    ]
    found = [line.replace("- Table section", "- Section") for line in found]
    return report.section(
        "## Misprints and contradictions", [*found, *(f"- {error}" for error in paper.ERRORS)]
    )


def _verdict_rows(verdicts: Verdicts) -> list[report.Row]:
    return [
        {"group": group, **report.verdict_row(verdict)}
        for group, each in verdicts.items()
        for verdict in each
    ]
