"""What the study writes: a page that begins with question and answer, pictures, CSV for machines."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from experiments.common import protocol, report
from experiments.common.data import load_dataset
from experiments.common.kept import write_whole
from experiments.common.protocol import Claim
from experiments.common.report import markdown_table, number
from experiments.common.runs import Outcome
from experiments.common.summary import write_summary
from experiments.common.verdict import Verdict
from experiments.rajasekhara_pujari_2010 import correction, pictures
from experiments.rajasekhara_pujari_2010.claims import OF_CURVES, Curves, claims_of
from experiments.rajasekhara_pujari_2010.correction import Corrected, corrected_curves
from experiments.rajasekhara_pujari_2010.printed import (
    CLASSES,
    COLUMNS,
    FIRST,
    LAST_STATED,
    RUNS,
    SHORT,
    TABLE_1,
    Column,
    Pair,
)
from experiments.rajasekhara_pujari_2010.readings import (
    CLOSE,
    ENDS,
    Reading,
    best_readings,
    implied_last,
    is_close,
    is_explained,
    verdicts_of,
)
from experiments.rajasekhara_pujari_2010.sweep import evaluated, tables_of
from experiments.rajasekhara_pujari_2010.tables import (
    by_dataset,
    datasets_of,
    labels_of,
    log_error,
    table_1,
    table_2,
)

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
        report.section("## How printed numbers are judged", report.how_judged(f"{RUNS} runs for each k")),
        report.section(
            "## What the text says",
            "Deviations are those of the procedure as stated.",
            report.claims_table(claims),
        ),
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
        " one for k-means, is left out: it is not among the data. For machines: `verdicts.csv`, `curves.csv`."
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
    return report.section(
        "## Printed numbers",
        report.counts(groups),
        "A sum over k of means of 50 runs varies by about a hundredth of itself, so that z is large where the"
        f" reading is off by little. Within {100 * CLOSE:.0f} % of the print are, of Table 2,"
        f" {'; '.join(close)}.",
        report.image("Ours over the print", "map.png", drawn),
    )


def _table_1(first: Mapping[tuple[Column, Pair], Verdict]) -> list[str]:
    rows = [
        [
            SHORT[column], pair, verdict.printed.text, f"{verdict.ours:.6f}", verdict.word,
            verdict.reason or "",
        ]
        for (column, pair), verdict in first.items()
    ]  # fmt: skip
    return report.section(
        "## Table 1",
        "Exact values on the printed partitions; NMI by the printed formula, without a factor 2 n.",
        report.markdown_table(["index", "partitions", "printed", "exact", "verdict", ""], rows),
    )


def _table_2(tables: Mapping[str, Verdicts]) -> list[str]:
    lines: list[str] = []
    for name, verdicts in tables.items():
        lines += report.section(
            f"## Table 2, {name}",
            f"Ours [where 95 of 100 studies of {RUNS} runs fall] / the paper's; **bold** where they differ."
            f" The error of a row is the root mean square of log(ours / printed).",
        )
        rows = [
            [dataset, *(_beside(each) for each in row), number(log_error(row), 2)]
            for dataset, row in by_dataset(verdicts).items()
        ]
        header = ["data set", *(SHORT[column] for column in COLUMNS), "error"]
        lines += report.section(report.markdown_table(header, rows))
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
    return report.section(
        "## Figures 2 to 5",
        "The paper's figures carry no numbers that could be held against ours. A dotted line stands at the"
        " true number of clusters.",
        "![Deviations](deviations.png)",
    )


def _misprints(first: Mapping[tuple[Column, Pair], Verdict]) -> list[str]:
    sentences = (f"- {sentence}" for sentence in errors_in_words().values())
    return report.section("## Misprints", [*report.misprints(first.values()), *sentences])


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


Readings = Mapping[str, Reading]


def readings_section(outcome: Outcome, found: Readings, at_random: Readings) -> list[str]:
    """The nearest reading of each row, and how near the search comes on classes at random."""
    if not found:
        return []
    rows = []
    for dataset, reading in found.items():
        verdicts = verdicts_of(outcome, reading).values()
        rows.append(
            [
                dataset, number(reading.error, 2), number(at_random[dataset].error, 2),
                "explained" if is_explained(reading, at_random[dataset]) else "open",
                f"{sum(map(is_close, verdicts))} of {len(COLUMNS)}",
                f"{sum(each.word == 'agrees' for each in verdicts)} of {len(COLUMNS)}",
                f"{reading.tried:,}", reading.text,
            ]
        )  # fmt: skip
    header = [
        "data set", "error", "classes at random", "", f"within {100 * CLOSE:.0f} %", "agree", "tried",
        "reading",
    ]  # fmt: skip
    return report.section(
        "## How the sums were made",
        "The paper leaves unsaid how variables are scaled, seed points drawn, what happens to clusters that"
        " become empty, and how classes are lined up with objects. All combinations were tried on each row,"
        f" and sums that end at {ENDS[0]} to {ENDS[-1]}; the nearest is chosen with the row in view. The"
        f" error"
        " is the root mean square of log(ours / printed). *Classes at random*: the least error of the same"
        " search on classes that were dealt to the objects at random, in as many orders. A row is explained"
        " if"
        f" its error is at most that of {100 * CLOSE:.0f} % and the error at random is larger; where both are"
        " small the fit is no evidence about the classes.",
        markdown_table(header, rows),
        _implied(outcome),
    )


def rows_in_words(found: Readings, at_random: Readings) -> list[str]:
    """The headline on Table 2, in sentences; none if nothing was fitted."""
    if not found:
        return []
    near = [each for each, reading in found.items() if reading.error <= math.log1p(CLOSE)]
    if not near:
        return []
    by_chance = [each for each in near if at_random[each].error <= math.log1p(CLOSE)]
    ends = [found[each].last for each in near]
    apart = [each for each in near if found[each].order.startswith("blocks")]
    tried = max(each.tried for each in found.values())
    others = ", ".join(each for each in found if each not in near) or "none"
    return [
        f"Table 2: {len(near)} of {len(found)} rows are within {100 * CLOSE:.0f} % by some reading, chosen"
        f" with the row in view among up to {tried:,}, with sums that end at {min(ends)} to {max(ends)},"
        f" not at {LAST_STATED}; in {len(apart)} ({', '.join(apart) or 'none'}) the classes are in blocks,"
        f" not lined up with the objects. Open: {others}.",
        f"The same search comes as near on classes dealt to the objects at random in {len(by_chance)} of the"
        f" {len(near)} ({', '.join(by_chance) or 'none'}): there the fit is no evidence about classes.",
    ]


def _implied(outcome: Outcome) -> str:
    """Where each row ends, from two columns in which accuracy cancels."""
    ends = {dataset: implied_last(outcome, dataset) for dataset in datasets_of(outcome)}
    shown = ", ".join(
        f"{dataset} {f'beyond {LAST_STATED}' if math.isnan(end) else f'{end:.1f}'} (from {FIRST[dataset]})"
        for dataset, end in ends.items()
    )
    return (
        "Accuracy cancels in the sum of the columns Rand and IRM, which are (Rand - accuracy) and (accuracy -"
        f" IRM). So these two show where a row ends, by the procedure as stated otherwise: {shown}. A row"
        f" that begins at 26 or 29 would end near 30 by any small sum, so that it shows little."
    )


def correction_section(corrected: Sequence[Corrected], drawn: set[str]) -> list[str]:
    """Whether IRM's advantage survives a correction for chance."""
    if not corrected:
        return []
    sums = {
        each.dataset: {
            kind: each.deviations(kind, each.true, LAST_STATED)
            for kind in ("observed", "by_chance", "corrected")
        }
        for each in corrected
    }
    wins = {
        kind: [correction.least(sums[dataset][kind]) for dataset in sums]
        for kind in ("observed", "by_chance", "corrected")
    }
    size = len(sums)
    same = sum(one == two for one, two in zip(wins["observed"], wins["by_chance"], strict=True))
    nearest = (
        f"- Nearest to accuracy, in the sum over k from the true number to {LAST_STATED}, is IRM on"
        f" {wins['observed'].count('irm')} of {size} data sets. Clusterings that know nothing of the classes"
        f" have IRM nearest on {wins['by_chance'].count('irm')}, and the same index as is observed on {same}."
        f" Corrected, when Rand is AR, IRM is nearest on {wins['corrected'].count('irm')}"
        f"{_others(wins['corrected'])}."
    )
    header = ["data set", "deviation", *(SHORT[column] for column in COLUMNS), "least"]
    rows = [
        [dataset, kind.replace("_", " "), *(number(row[column], 2) for column in COLUMNS),
         SHORT[correction.least(row)]]
        for dataset, kinds in sums.items()
        for kind, row in kinds.items()
    ]  # fmt: skip
    return report.section(
        "## Corrected for chance",
        "The classes stay, the objects are dealt to the clusters at random: E is the mean of an index then,"
        " and (index - E) / (1 - E) its corrected value. Accuracy is corrected alike.",
        [nearest, _share_sentence(corrected)],
        report.image("Corrected", "correction.png", drawn),
        report.image("IRM by chance", "irm_by_chance.png", drawn),
        f"Sums over k from the true number to {LAST_STATED} (lenses: 24):",
        report.markdown_table(header, rows),
    )


def does_it_survive(corrected: Sequence[Corrected]) -> str:
    """Where IRM is nearest to accuracy, in a sentence; empty if nothing was corrected."""
    if not corrected:
        return ""
    counts = {
        kind: sum(
            correction.least(each.deviations(kind, each.true, LAST_STATED)) == "irm" for each in corrected
        )
        for kind in ("observed", "by_chance", "corrected")
    }
    shares = [100 * _share(each, each.true) for each in corrected]
    return (
        f"IRM, said to be the nearest to accuracy, is so on {counts['observed']} of {len(corrected)} data"
        f" sets, on {counts['by_chance']} for clusterings by chance alone and on {counts['corrected']} once"
        f" corrected; at the true number of clusters a median of {float(np.median(shares)):.0f} % of it is"
        " chance."
    )


def _others(winners: Sequence[Column]) -> str:
    others = {each: winners.count(each) for each in COLUMNS if each != "irm" and each in winners}
    return "".join(f", {SHORT[each]} on {count}" for each, count in others.items())


def _share_sentence(corrected: Sequence[Corrected]) -> str:
    true = [100 * _share(each, each.true) for each in corrected]
    last = [100 * _share(each, int(each.numbers[-1])) for each in corrected]
    return (
        f"- Of IRM, {min(true):.0f} to {max(true):.0f} % is there by chance at the true number of clusters"
        f" (median {float(np.median(true)):.0f} %), {min(last):.0f} to {max(last):.0f} % at the last (median"
        f" {float(np.median(last)):.0f} %). The curve of IRM by chance has a correlation of"
        f" {min(_likeness(each) for each in corrected):.2f} to"
        f" {max(_likeness(each) for each in corrected):.2f} with the observed one."
    )


def _share(each: Corrected, k: int) -> float:
    """Mean by chance over the observed mean of IRM."""
    return each.at("irm", "by_chance", k) / each.at("irm", "observed", k)


def _likeness(each: Corrected) -> float:
    """Correlation over k of IRM and its mean by chance, from the true number of clusters on."""
    behind = each.numbers >= each.true
    return float(np.corrcoef(each.observed["irm"][behind], each.by_chance["irm"][behind])[0, 1])
