"""The part of the page on IRM and its rivals corrected for chance."""

from collections.abc import Sequence

import numpy as np

from experiments.common import report
from experiments.common.report import number
from experiments.rajasekhara_pujari_2010 import correction, pictures
from experiments.rajasekhara_pujari_2010.correction import Corrected
from experiments.rajasekhara_pujari_2010.printed import COLUMNS, LAST_STATED, SHORT, Column

RELATED = 0.1
"""Least corrected IRM at the true number of clusters where clusters and classes are taken to be related."""


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
        "### Corrected for chance",
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
        _peak_sentence(corrected),
        _fall_sentence(corrected),
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
    columns = ("irm", "jaccard", "adjusted_rand", "wallace", "nmi", "accuracy")
    peaks = [
        [
            each.dataset, str(each.true),
            *(f"{each.peak(name, 'observed')} / {each.peak(name, 'corrected')}" for name in columns),
            *(
                f"{_left(each, name, 'observed'):.2f} / {_left(each, name, 'corrected'):.2f}"
                for name in ("irm", "adjusted_rand")
            ),
        ]
        for each in corrected
    ]  # fmt: skip
    names = [pictures.NAMES[name] for name in columns]
    lines += [
        "Where the mean is highest, over k from 2, observed / corrected; and what is left at the last k of"
        " IRM and AR at the true number, which says something only where that is well above 0:",
        "",
        *report.markdown_table(["data set", "classes", *names, "left of IRM", "left of AR"], peaks),
        "",
    ]
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


def _peak_sentence(corrected: Sequence[Corrected]) -> str:
    more = [each for each in corrected if each.true > 2]
    counts = {
        kind: (
            sum(each.peak("irm", kind) == each.true for each in corrected),
            sum(each.peak("irm", kind) == each.true for each in more),
        )
        for kind in ("observed", "corrected")
    }
    highest = sum(each.peak("irm", "by_chance") == int(each.numbers[0]) for each in corrected)
    return (
        f"- IRM is highest at the true number of clusters on {counts['observed'][0]} of {len(corrected)} data"
        f" sets; but its mean by chance is highest at the least k on {highest}, so that two classes are"
        f" found by default: of the {len(more)} with more than two it is on {counts['observed'][1]}."
        f" Corrected, it is on {counts['corrected'][0]} of all, on {counts['corrected'][1]} of the"
        f" {len(more)}."
    )


def _left(each: Corrected, index: str, kind: str) -> float:
    """An index at the last number of clusters over that at the true one."""
    return each.at(index, kind, int(each.numbers[-1])) / each.at(index, kind, each.true)


def _fall_sentence(corrected: Sequence[Corrected]) -> str:
    related = [each for each in corrected if each.at("irm", "corrected", each.true) >= RELATED]
    sentence = (
        "- Behind the true number of clusters IRM falls, at the last k, to"
        f" {_range([_left(each, 'irm', 'observed') for each in corrected])} of its value; by chance alone to"
        f" {_range([_left(each, 'irm', 'by_chance') for each in corrected])}."
    )
    if not related:
        return sentence
    names = ", ".join(each.dataset for each in related)
    return sentence + (
        f" Where clusters and classes are related, corrected IRM being at least {RELATED:g} at the true"
        f" number ({names}), the corrected IRM falls to"
        f" {_range([_left(each, 'irm', 'corrected') for each in related])}, as do the corrected Jaccard"
        f" index to {_range([_left(each, 'jaccard', 'corrected') for each in related])} and AR to"
        f" {_range([_left(each, 'adjusted_rand', 'corrected') for each in related])}."
    )


def _range(values: Sequence[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}"
