"""What the study writes: a page that begins with question and answer, pictures, CSV for machines."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from experiments.common import report
from experiments.common.kept import write_whole
from experiments.common.report import number
from experiments.common.runs import Outcome
from experiments.common.summary import write_summary
from experiments.common.verdict import Verdict
from experiments.zhang_wong_shen_2012 import (
    claims_of_chance,
    claims_of_data,
    claims_of_theory,
    pictures,
    tables,
)
from experiments.zhang_wong_shen_2012.datasets import GENERATED, MISSING
from experiments.zhang_wong_shen_2012.ensembles import WAYS
from experiments.zhang_wong_shen_2012.held import Finding, finding
from experiments.zhang_wong_shen_2012.paper import COLUMNS, DATA_SETS
from experiments.zhang_wong_shen_2012.tables import Row

QUESTION = (
    "Do adjusted Rand indices of a consensus matrix and a partition (ARImp), and of two matrices (ARImm),"
    " find good and diverse clusterings, without the bias that other measures have by chance?"
)


PICTURES = {
    "Propositions 2 and 3": ["limits.png"],
    "Figure 2: six measures by chance": ["figure_2.png"],
    "Figure 3: eq. 35": ["figure_3.png"],
    "Figure 4: consensus functions": ["figure_4a.png", "figure_4b.png"],
    "Figure 5: diversity": ["figure_5a.png", "figure_5b.png"],
    "Figure 6: similarity matrices and classes": ["figure_6.png"],
    **{f"Figure {number}": [f"figure_{number}.png"] for number in range(7, 11)},
}
"""Files with the pictures of each figure, by the heading that they stand under."""


def write(outcome: Outcome, folder: Path) -> None:
    """All files of the results."""
    findings = findings_of(outcome)
    claims = [each.claim for each in findings]
    sizes, example = tables.size_verdicts(outcome.seed), tables.example_verdicts(outcome)
    numbers = {"table 2, sizes of the data sets": list(sizes.values()), "worked example": list(example)}
    numbers = {name: verdicts for name, verdicts in numbers.items() if verdicts}
    found = [bound_that_is_none(findings), near_0_by_chance(findings)]
    files: dict[str, Sequence[report.Row]] = {
        "limits.csv": tables.limit_rows(outcome),
        "curves.csv": tables.curve_rows(outcome),
        "distributed.csv": tables.distributed_rows(outcome),
        "trials.csv": tables.trial_rows(outcome),
        "consensus.csv": tables.consensus_rows(outcome),
        "diversity.csv": tables.diversity_rows(outcome),
        "replaced.csv": tables.replaced_rows(outcome),
        "similarities.csv": tables.similarity_rows(outcome),
        "claims.csv": claim_rows(findings),
        "verdicts.csv": [report.verdict_row(each) for each in (*sizes.values(), *example)],
    }
    for name, rows in files.items():
        if rows:
            write_whole(folder / name, report.as_csv(rows))
    drawn = pictures.write(outcome, findings, folder)
    placed = [replace(each.claim, text=f"{each.claim.text} ({each.where})") for each in findings]
    page = (
        report.opening("Zhang, Wong & Shen (2012), reproduced", QUESTION, found, _about(outcome)),
        report.pictures("Verdicts", ["map.png"], drawn),
        report.claims_in_short(placed),
        *(report.pictures(title, names, drawn) for title, names in PICTURES.items()),
    )
    appendix = (
        report.section("## What the text says", report.claims_table(placed)),
        _printed(sizes, example),
        _limits(tables.limit_rows(outcome)),
        _consensus(tables.consensus_rows(outcome)),
        _diversity(tables.correlation_rows(outcome)),
        _chosen(outcome),
        _blocks(tables.distributed_rows(outcome)),
    )
    report.write_pages(folder, page, appendix)
    write_summary(folder, title="Zhang, Wong & Shen (2012)", verdicts=numbers, claims=claims, answer=found)


def near_0_by_chance(findings: Sequence[Finding]) -> str:
    """How near to 0 the two measures are by chance, in a sentence; empty if either is not."""
    near = [each.claim for each in findings if each.name in ("ARImp near 0", "ARImm near 0")]
    shown = "; ".join(f"{each.text}, {each.evidence}" for each in near)
    return f"By chance {shown}." if {each.word for each in near} == {"agrees"} else ""


def bound_that_is_none(findings: Sequence[Finding]) -> str:
    """What the cells say of eq. 35 as a lower bound of ARImm, in a sentence; empty if they do not."""
    for each in findings:
        if "lower bound" in each.claim.text and each.claim.word != "not reachable":
            return f"Eq. 35 is said to be a lower bound of ARImm: {each.claim.evidence}."
    return ""


def claim_rows(findings: Sequence[Finding]) -> list[Row]:
    """Claims as rows, a column for each data set."""
    return [
        {
            "where": each.where, "name": each.name, "claim": each.claim.text, "verdict": each.claim.word,
            "evidence": each.claim.evidence,
            **{name: each.by_set.get(name, "") for name in DATA_SETS},
        }
        for each in findings
    ]  # fmt: skip


def _about(outcome: Outcome) -> str:
    units = sum(cell.replicates for cell in outcome.cells)
    return (
        f"{len(outcome.cells)} cells, {units:,} units, seed {outcome.seed}. Single and complete link and"
        f" k-means"
        " on the consensus matrix are named in the paper's introduction only, and are not run. For machines:"
        " `claims.csv`, `verdicts.csv`, and a file for each figure. [Times](times.md). Written by"
        " `python -m experiments zhang_wong_shen_2012`."
    )


def _printed(sizes: Mapping[tuple[str, str], Verdict], example: Sequence[Verdict]) -> list[str]:
    groups = {"table 2": list(sizes.values())}
    if example:
        groups["worked example, section 4.3"] = list(example)
    rows = [[name, *(_size(sizes[name, column]) for column in COLUMNS)] for name in DATA_SETS]
    left = [f"- {name} is left out: {reason}." for name, reason in MISSING.items()]
    left.append(
        f"- {GENERATED} is drawn from the published equations of its curves, not the file of the repository."
    )
    wrong = report.misprints(example)
    return report.section(
        "## Printed numbers",
        "The text and table 2 print few numbers; the results are curves and grey levels.",
        report.counts(groups),
        "Table 2, ours / printed:",
        report.markdown_table(["data set", *COLUMNS], rows),
        left,
        *(("Misprints:", wrong) if wrong else ()),
    )


def _size(verdict: Verdict) -> str:
    """A whole number of ours beside the printed one; bold where they differ."""
    text = f"{number(verdict.ours, 0) or 'none'} / {verdict.printed.text}"
    return f"**{text}**" if verdict.word == "differs" else text


def _chosen(outcome: Outcome) -> list[str]:
    """What the text leaves open, where the run has it."""
    lines = []
    inputs = {cell.inputs["experiment"]: cell.inputs for cell in outcome.cells}
    if "curves" in inputs:
        grid = {
            key: sorted({cell.inputs[key] for cell, _ in tables.units_of(outcome, "curves")}) for key in "NL"
        }
        K = inputs["curves"]["K"]
        lines.append(
            f"- Figures 2 and 3: N of {_listed(grid['N'])}, L of {_listed(grid['L'])}, K from {min(K)} to"
            f" {max(K)}; both ensembles of figure 2 have L partitions. The figures' own are not in the text."
        )
    if "clusterings" in inputs:
        chosen = inputs["clusterings"]
        lines.append(
            f"- {chosen['clusterings']} clusterings of a data set, of which {chosen['sampled']} are sampled"
            f' in each of {chosen["trials"]} trials: the paper has "K-means with three different methods, as'
            ' performed in" Fern & Lin (2008). Here variables are brought to mean 0 and standard deviation'
            f" 1; k-means sees by turns {', '.join(WAYS)}, and starts from random objects. Clusterings have"
        )
        lines.append(
            "- CSPA and MCLA partition by METIS, HGPA by Mt-KaHyPar in place of hMETIS, HBGF by its spectral"
            " method, NCUT by scikit-learn's spectral clustering, AL by SciPy's average linkage."
        )
    if "similarities" in inputs:
        lines.append(
            "- Figures 6 to 10: the pairs that are replaced are the first ones of a random order that all"
            " matrices of a data set share; beside it each matrix has its own. The pictures show means over"
            " the draws of the shared order."
        )
    return report.section("## What was chosen", lines) if lines else []


def _listed(values: Sequence[int]) -> str:
    return ", ".join(f"{value:,}" for value in values)


def _limits(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    table = [
        [
            row["measure"], f"{row['N']:,}", str(row["ensembles"]), f"{row['mean']:.1e}",
            f"{row['z of the mean']:.1f}", f"{row['deviation']:.1e}",
        ]
        for row in rows
    ]  # fmt: skip
    header = ["", "N", "ensembles", "mean", "z", "deviation"]
    return report.section("## Propositions 2 and 3", report.markdown_table(header, table))


def _blocks(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    table = [
        [
            f"{row['n']:,}", row["measure"], f"{row['blocks']:.15f}", "yes" if row["equal"] else "no",
            number(row["whole matrices"], 15), f"{row['gigabytes of a matrix']:.3g}",
            f"{row['gigabytes of a worker']:.1f}",
        ]
        for row in rows
    ]  # fmt: skip
    return report.section(
        "## Eq. 29 on Dask workers",
        "Each worker makes the rows it is given, tile by tile, and gives back whole numbers. Their fraction"
        " is compared with that from contingency tables, for which there is no matrix at all.",
        report.markdown_table(
            ["n", "", "in blocks", "equal to tables", "whole matrices", "GB of a matrix", "GB of a worker"],
            table,
        ),
    )


def _consensus(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    table = []
    for clusters, name in dict.fromkeys((row["clusters"], row["data set"]) for row in rows):
        mine = [row for row in rows if (row["clusters"], row["data set"]) == (clusters, name)]
        cells = [f"{row['ARI']:.2f} / {row['ARImp']:.2f} ({row['ARImp deviation']:.3f})" for row in mine]
        table.append([clusters, name, f"{mine[0]['ARI of a clustering']:.2f}", *cells])
    functions = list(dict.fromkeys(row["function"] for row in rows))
    return report.section(
        "## Figure 4: consensus functions",
        "Mean ARI with the classes / mean ARImp with the consensus matrix (standard deviation of ARImp over"
        f" the trials of a set of clusterings); {rows[0]['trials']} trials.",
        report.markdown_table(["clusters", "data set", "ARI of a clustering", *functions], table),
    )


def _diversity(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    table = []
    for clusters, name in dict.fromkeys((row["clusters"], row["data set"]) for row in rows):
        mine = [row for row in rows if (row["clusters"], row["data set"]) == (clusters, name)]
        columns = (", ".join(number(row[f"with the {each}"]) for row in mine) for each in ("mean", "sum"))
        table.append([clusters, name, *columns])
    return report.section(
        "## Figure 5: diversity",
        "Correlation over the conditions of ARImm with PNMI as a mean, and as the sum of eq. 7, for each set"
        " of clusterings:",
        report.markdown_table(["clusters", "data set", "with the mean", "with the sum"], table),
    )


CLAIMS = (*claims_of_theory.CLAIMS, *claims_of_chance.CLAIMS, *claims_of_data.CLAIMS)
"""In the order of the paper."""


def findings_of(outcome: Outcome) -> list[Finding]:
    """A verdict on each claim; "not reachable" where the run lacks cells that it needs."""
    return [finding(each, outcome) for each in CLAIMS]
