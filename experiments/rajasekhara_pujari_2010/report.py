"""What the study writes: a page that begins with question and answer, pictures, CSV for machines."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from experiments.common import protocol, report
from experiments.common.data import load_dataset
from experiments.common.kept import write_whole
from experiments.common.protocol import Claim
from experiments.common.report import number
from experiments.common.runs import Outcome
from experiments.common.summary import write_summary
from experiments.common.verdict import Verdict
from experiments.rajasekhara_pujari_2010 import pictures
from experiments.rajasekhara_pujari_2010.claims import OF_CURVES, Curves, claims_of
from experiments.rajasekhara_pujari_2010.correction import Corrected, corrected_curves
from experiments.rajasekhara_pujari_2010.correction_section import correction_section, does_it_survive
from experiments.rajasekhara_pujari_2010.printed import (
    CLASSES,
    COLUMNS,
    FIRST,
    RUNS,
    SHORT,
    TABLE_1,
    Column,
    Pair,
)
from experiments.rajasekhara_pujari_2010.readings import CLOSE, best_readings, is_close, verdicts_of
from experiments.rajasekhara_pujari_2010.readings_section import readings_section, rows_in_words
from experiments.rajasekhara_pujari_2010.sweep import evaluated, tables_of
from experiments.rajasekhara_pujari_2010.tables import by_dataset, labels_of, log_error, table_1, table_2

Verdicts = Mapping[tuple[str, Column], Verdict]


QUESTION = (
    "Is the IRM index, which credits the most similar clusters to each other first, nearer to the accuracy of"
    " k-means clusterings than five other indices?"
)


def write(outcome: Outcome, folder: Path) -> None:
    """All files of the results."""
    first, stated = table_1(), table_2(outcome)
    found, at_random = best_readings(outcome), best_readings(outcome, at_random=True)
    by_reading = {
        (dataset, column): verdict
        for dataset, reading in found.items()
        for column, verdict in verdicts_of(outcome, reading).items()
    }
    tables = {"as stated": stated} | ({"nearest readings": by_reading} if by_reading else {})
    curves, corrected = Curves(outcome), corrected_curves(outcome)
    claims = claims_of(outcome)
    answer = [*rows_in_words(found, at_random), does_it_survive(corrected), same_by_chance(claims, corrected)]
    write_whole(folder / "verdicts.csv", report.as_csv(_verdict_rows(first, tables)))
    write_whole(folder / "curves.csv", report.as_csv(_curve_rows(curves, corrected)))
    drawn = pictures.write(tables, curves, corrected, folder)
    page = (
        report.opening("Rajasekhara & Pujari (2010), reproduced", QUESTION, answer, _about(outcome)),
        _counts(first, tables, drawn),
        report.claims_in_short(claims),
        _deviations(drawn),
    )
    appendix = (
        ["## How printed numbers are judged", "", *report.how_judged(f"{RUNS} runs for each k"), ""],
        ["## What the text says", "", "Deviations are those of the procedure as stated.", ""],
        [*report.claims_table(claims), ""],
        readings_section(outcome, found, at_random),
        _misprints(first),
        _table_1(first),
        _table_2(tables),
        correction_section(corrected, drawn),
    )
    report.write_pages(folder, page, appendix)
    write_summary(
        folder,
        title="Rajasekhara & Pujari (2010)",
        verdicts={"table 1": list(first.values()), "table 2, as stated": list(stated.values())},
        claims=claims,
        answer=answer,
    )


def same_by_chance(claims: Sequence[Claim], corrected: Sequence[Corrected]) -> str:
    """How many sentences on curves have the same verdict on those by chance; empty if there are none."""
    if not corrected:
        return ""
    by_chance = protocol.claims_of(OF_CURVES, Curves.by_chance(corrected))
    observed = {each.text: each.word for each in claims}
    agree = [each for each in by_chance if observed[each.text] == "agrees"]
    still = sum(each.word == "agrees" for each in agree)
    return (
        f"Of {len(by_chance)} sentences about curves {len(agree)} agree; {still} of these agree as well for"
        " clusterings that know nothing of the classes (mean accuracy less mean index over random tables)."
    )


def _about(outcome: Outcome) -> str:
    stated = [cell for cell in outcome.cells if "expected" in cell.inputs]
    return (
        f"{len(outcome.cells)} cells, seed {outcome.seed}: {len(stated)} data sets with"
        f" {stated[0].replicates} runs of k-means for each number of clusters as the paper states it, which"
        f" has"
        f" {RUNS}; the others are other readings. UCI's file of german with 24 numeric variables, the usual"
        f" one"
        " for k-means, is left out: it is not among the data. For machines: `verdicts.csv`, `curves.csv`."
        " [Times](times.md). Written by `python -m experiments rajasekhara_pujari_2010`."
    )


def _counts(
    first: Mapping[tuple[Column, Pair], Verdict], tables: Mapping[str, Verdicts], drawn: set[str]
) -> list[str]:
    groups = {"Table 1": list(first.values())}
    groups |= {f"Table 2, {name}": list(verdicts.values()) for name, verdicts in tables.items()}
    close = [
        f"{name}: {sum(is_close(each) for each in verdicts.values())} of {len(verdicts)}"
        for name, verdicts in tables.items()
    ]
    lines = [
        "## Printed numbers",
        "",
        *report.counts(groups),
        "",
        "A sum over k of means of 50 runs varies by about a hundredth of itself, so that z is large where the"
        f" reading is off by little. Within {100 * CLOSE:.0f} % of the print are, of Table 2,"
        f" {'; '.join(close)}.",
        "",
    ]
    return [*lines, "![Ours over the print](map.png)", ""] if "map.png" in drawn else lines


def _table_1(first: Mapping[tuple[Column, Pair], Verdict]) -> list[str]:
    rows = [
        [
            SHORT[column], pair, verdict.printed.text, f"{verdict.ours:.6f}", verdict.word,
            verdict.reason or "",
        ]
        for (column, pair), verdict in first.items()
    ]  # fmt: skip
    return [
        "## Table 1",
        "",
        "Exact values on the printed partitions; NMI by the printed formula, without a factor 2 n.",
        "",
        *report.markdown_table(["index", "partitions", "printed", "exact", "verdict", ""], rows),
        "",
    ]


def _table_2(tables: Mapping[str, Verdicts]) -> list[str]:
    lines: list[str] = []
    for name, verdicts in tables.items():
        lines += [
            f"## Table 2, {name}",
            "",
            f"Ours [where 95 of 100 studies of {RUNS} runs fall] / the paper's; **bold** where they differ."
            f" The error of a row is the root mean square of log(ours / printed).",
            "",
        ]
        rows = [
            [dataset, *(_beside(each) for each in row), number(log_error(row), 2)]
            for dataset, row in by_dataset(verdicts).items()
        ]
        header = ["data set", *(SHORT[column] for column in COLUMNS), "error"]
        lines += [*report.markdown_table(header, rows), ""]
    return lines


def _beside(verdict: Verdict) -> str:
    """As `report.beside`, with three digits: more of a simulated sum mean nothing."""
    text = f"{number(verdict.ours)} [{number(verdict.low)}, {number(verdict.high)}]"
    if verdict.word == "not reachable":
        return f"{number(verdict.ours)} / {number(verdict.printed.value)} (not reachable)"
    text = f"{text} / {number(verdict.printed.value)}"
    return f"**{text}**" if verdict.word == "differs" else text


def _deviations(drawn: set[str]) -> list[str]:
    if "deviations.png" not in drawn:
        return []
    return [
        "## Figures 2 to 5",
        "",
        "The paper's figures carry no numbers that could be held against ours. A dotted line stands at the"
        " true number of clusters.",
        "",
        "![Deviations](deviations.png)",
        "",
    ]


def _misprints(first: Mapping[tuple[Column, Pair], Verdict]) -> list[str]:
    sentences = (f"- {sentence}" for sentence in errors_in_words().values())
    return ["## Misprints", "", *report.misprints(first.values()), *sentences, ""]


def errors_in_words() -> dict[str, str]:
    """Where formulas and sentences of the paper contradict its numbers or the data, by where they stand."""
    table = tables_of(np.array([labels_of("P1")]), np.array(labels_of("P2")))
    values = {name: float(value[0]) for name, value in evaluated(table).items()}
    classes = np.unique(load_dataset("glass").labels).size
    return {
        "Jaccard": "Jaccard's formula, v11 / (v00 + v01 + v10), would give"
        f" {values['jaccard as printed']:.3f} for P1, P2; printed is {TABLE_1['jaccard', 'P1, P2'].text}, and"
        f" v11 / (v11 + v01 + v10) is {values['jaccard']:.2f}.",
        "NMI": "NMI's formula lacks a factor 2 n: it is I / (n (H + H')) and cannot exceed 1 / (2 n).",
        "algorithm": "The algorithm's loop runs while no pair is unlabelled; it must run while one is.",
        "spect": "Spect: the text has 187 objects in training and 80 in testing; the repository has it the"
        " other way round.",
        "glass": f"Glass: k = {CLASSES['glass']} in Table 2; {classes} classes have objects.",
        "iris": f"Iris: k1 = {FIRST['iris']} in Table 2; in the text k is in [3, 50].",
    }


def _verdict_rows(
    first: Mapping[tuple[Column, Pair], Verdict], tables: Mapping[str, Verdicts]
) -> list[report.Row]:
    rows: list[report.Row] = [{"recipe": "", **report.verdict_row(verdict)} for verdict in first.values()]
    rows += [
        {"recipe": name, **report.verdict_row(verdict)}
        for name, verdicts in tables.items()
        for verdict in verdicts.values()
    ]
    return rows


def _curve_rows(curves: Curves, corrected: Sequence[Corrected]) -> list[report.Row]:
    """A row for each data set and number of clusters: deviations, and means by chance."""
    by_chance = {each.dataset: each for each in corrected}
    rows: list[report.Row] = []
    for dataset, numbers in curves.numbers.items():
        for at, k in enumerate(numbers.tolist()):
            row: dict[str, float | int | str] = {"data set": dataset, "k": k}
            for column in COLUMNS:
                row[f"accuracy - {column}"] = float(curves.signed[dataset][column][at])
            for name in ("accuracy", *COLUMNS):
                each = by_chance.get(dataset)
                row[f"{name} by chance"] = float(each.by_chance[name][at]) if each else math.nan
                row[f"{name} corrected"] = float(each.corrected[name][at]) if each else math.nan
            rows.append(row)
    return rows
