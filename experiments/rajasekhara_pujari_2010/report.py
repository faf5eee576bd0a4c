"""What the study writes: a page that leads with a map of all verdicts, pictures, CSV for machines."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from experiments.common import report
from experiments.common.data import load_dataset
from experiments.common.kept import write_whole
from experiments.common.report import number
from experiments.common.runs import Outcome
from experiments.common.summary import write_summary
from experiments.common.verdict import Verdict
from experiments.rajasekhara_pujari_2010 import pictures
from experiments.rajasekhara_pujari_2010.claims import Curves, claims_of
from experiments.rajasekhara_pujari_2010.correction import Corrected, corrected_curves
from experiments.rajasekhara_pujari_2010.correction_section import correction_section, does_it_survive
from experiments.rajasekhara_pujari_2010.fit import (
    can_fit,
    fits,
)
from experiments.rajasekhara_pujari_2010.fit_section import CLOSE, fit_section, is_close, where_sums_end
from experiments.rajasekhara_pujari_2010.printed import (
    CLASSES,
    COLUMNS,
    FIRST,
    OBJECTS,
    RUNS,
    SHORT,
    TABLE_1,
    Column,
    Pair,
)
from experiments.rajasekhara_pujari_2010.sweep import evaluated, tables_of
from experiments.rajasekhara_pujari_2010.tables import (
    STATED,
    Recipe,
    by_dataset,
    labels_of,
    log_error,
    summed,
    table_1,
    table_2,
)

Verdicts = Mapping[tuple[str, Column], Verdict]


def write(outcome: Outcome, folder: Path) -> None:
    """All files of the results."""
    found = fits(outcome) if can_fit(outcome) else []
    recipes = {"as stated": STATED} | ({"fitted": found[0].recipe} if found else {})
    tables = {name: table_2(outcome, recipe) for name, recipe in recipes.items()}
    tables = {name: verdicts for name, verdicts in tables.items() if verdicts}
    first, curves, corrected = table_1(), Curves(outcome), corrected_curves(outcome)
    write_whole(folder / "verdicts.csv", report.as_csv(_verdict_rows(first, tables)))
    write_whole(folder / "curves.csv", report.as_csv(_curve_rows(curves, corrected)))
    drawn = pictures.write(tables, curves, corrected, folder)
    sections = (
        _head(outcome, drawn),
        _counts(first, tables, drawn),
        _table_1(first),
        _table_2(tables, recipes),
        fit_section(outcome, found, corrected),
        _claims(outcome),
        _deviations(drawn),
        correction_section(corrected, drawn),
        _misprints(first),
    )
    page = "\n".join(line for section in sections for line in section).rstrip() + "\n"
    write_whole(folder / "README.md", page)
    write_summary(
        folder,
        title="Rajasekhara & Pujari (2010)",
        verdicts=[*first.values(), *tables.get("as stated", {}).values()],
        claims=claims_of(outcome),
        finding=f"{where_sums_end(outcome, found)} {does_it_survive(corrected)}".strip(),
    )


def _head(outcome: Outcome, drawn: set[str]) -> list[str]:
    sizes = sorted({cell.replicates for cell in outcome.cells})
    simulated = max(min(cell.inputs["expected"], cell.replicates) for cell in outcome.cells)
    tables = max(cell.inputs["tables"] for cell in outcome.cells)
    lines = [
        "# Rajasekhara & Pujari (2010), reproduced",
        "",
        f"{len(outcome.cells)} cells, a data set with its variables raw or standardised and a way to draw"
        f" seed points, of {sizes[0]:,} to {sizes[-1]:,} runs of k-means for each number of clusters k, seed"
        f" {outcome.seed}; the paper has {RUNS} runs. Means by chance are of {simulated} runs a data set:"
        f" over {tables:,} random tables for IRM and accuracy, by analysis for the others.",
        "",
        "For machines: `verdicts.csv`, `curves.csv`. [Times](times.md). Written by"
        " `python -m experiments rajasekhara_pujari_2010`.",
        "",
    ]
    return [*lines, "![Map of z](map.png)", ""] if "map.png" in drawn else lines


def _counts(
    first: Mapping[tuple[Column, Pair], Verdict], tables: Mapping[str, Verdicts], drawn: set[str]
) -> list[str]:
    groups = {"Table 1": list(first.values())}
    groups |= {f"Table 2, {name}": list(verdicts.values()) for name, verdicts in tables.items()}
    lines = ["## Printed numbers", "", *report.how_judged(f"{RUNS} runs for each k"), ""]
    lines += report.counts(groups)
    close = [
        f"{name}: {sum(is_close(each) for each in verdicts.values())} of {len(verdicts)}"
        for name, verdicts in tables.items()
    ]
    lines += [
        "",
        "A sum over k of means of 50 runs varies by about a hundredth of itself, so that z is large where the"
        f" recipe is off by little. Within {100 * CLOSE:.0f} % of the print are, of Table 2,"
        f" {'; '.join(close)}.",
        "",
    ]
    return [*lines, "![Ours over the print](ratios.png)", ""] if "ratios.png" in drawn else lines


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


def _table_2(tables: Mapping[str, Verdicts], recipes: Mapping[str, Recipe]) -> list[str]:
    lines: list[str] = []
    for name, verdicts in tables.items():
        recipe = recipes[name]
        lines += [
            f"## Table 2, {name}",
            "",
            f"{recipe.text}. Ours [where 95 of 100 studies of {RUNS} runs fall] / the paper's; **bold** where"
            " they differ. The error of a row is the root mean square of log(ours / printed).",
            "",
        ]
        rows = []
        for dataset, row in by_dataset(verdicts).items():
            start, last = summed(dataset, recipe)
            shown = [_beside(each) for each in row]
            if recipe.start == "distinct":
                last = min(last, OBJECTS[dataset])
            rows.append([dataset, f"{start} to {last}", *shown, number(log_error(row), 2)])
        header = ["data set", "k", *(SHORT[column] for column in COLUMNS), "error"]
        lines += [*report.markdown_table(header, rows), ""]
    return lines


def _beside(verdict: Verdict) -> str:
    """As `report.beside`, with three digits: more of a simulated sum mean nothing."""
    text = f"{number(verdict.ours)} [{number(verdict.low)}, {number(verdict.high)}]"
    if verdict.word == "not reachable":
        return f"{number(verdict.ours)} / {number(verdict.printed.value)} (not reachable)"
    text = f"{text} / {number(verdict.printed.value)}"
    return f"**{text}**" if verdict.word == "differs" else text


def _claims(outcome: Outcome) -> list[str]:
    return [
        "## What the text says",
        "",
        "Deviations are those of the recipe as stated.",
        "",
        *report.claims_table(claims_of(outcome)),
        "",
    ]


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
