"""The part of the page on IRM and its rivals corrected for chance."""

from collections.abc import Sequence

import numpy as np

from experiments.common import report
from experiments.common.report import number
from experiments.rajasekhara_pujari_2010 import correction
from experiments.rajasekhara_pujari_2010.correction import Corrected
from experiments.rajasekhara_pujari_2010.printed import COLUMNS, LAST_STATED, SHORT, Column


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
    lines = [
        "## Corrected for chance",
        "",
        "The classes stay, the objects are dealt to the clusters at random: E is the mean of an index then,"
        " and (index - E) / (1 - E) its corrected value. Accuracy is corrected alike.",
        "",
        f"- Nearest to accuracy, in the sum over k from the true number to {LAST_STATED}, is IRM on"
        f" {wins['observed'].count('irm')} of {size} data sets. Clusterings that know nothing of the classes"
        f" have IRM nearest on {wins['by_chance'].count('irm')}, and the same index as is observed on {same}."
        f" Corrected, when Rand is AR, IRM is nearest on {wins['corrected'].count('irm')}"
        f"{_others(wins['corrected'])}.",
        _share_sentence(corrected),
        "",
    ]
    for name, title in (("correction.png", "Corrected"), ("irm_by_chance.png", "IRM by chance")):
        if name in drawn:
            lines += [f"![{title}]({name})", ""]
    header = ["data set", "deviation", *(SHORT[column] for column in COLUMNS), "least"]
    rows = [
        [dataset, kind.replace("_", " "), *(number(row[column], 2) for column in COLUMNS),
         SHORT[correction.least(row)]]
        for dataset, kinds in sums.items()
        for kind, row in kinds.items()
    ]  # fmt: skip
    lines += [f"Sums over k from the true number to {LAST_STATED} (lenses: 24):", ""]
    lines += [*report.markdown_table(header, rows), ""]
    return lines


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
