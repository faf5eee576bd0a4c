"""The part of the page on how the sums of Table 2 were made."""

import math
from collections.abc import Mapping

from experiments.common.report import markdown_table, number
from experiments.common.runs import Outcome
from experiments.rajasekhara_pujari_2010.printed import COLUMNS, FIRST, LAST_STATED
from experiments.rajasekhara_pujari_2010.readings import (
    CLOSE,
    ENDS,
    Reading,
    implied_last,
    is_close,
    is_explained,
    verdicts_of,
)
from experiments.rajasekhara_pujari_2010.tables import datasets_of

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
    return [
        "## How the sums were made",
        "",
        "The paper leaves unsaid how variables are scaled, seed points drawn, what happens to clusters that"
        " become empty, and how classes are lined up with objects. All combinations were tried on each row,"
        f" and sums that end at {ENDS[0]} to {ENDS[-1]}; the nearest is chosen with the row in view. The"
        f" error"
        " is the root mean square of log(ours / printed). *Classes at random*: the least error of the same"
        " search on classes that were dealt to the objects at random, in as many orders. A row is explained"
        " if"
        f" its error is at most that of {100 * CLOSE:.0f} % and the error at random is larger; where both are"
        " small the fit is no evidence about the classes.",
        "",
        *markdown_table(header, rows),
        "",
        *_implied(outcome),
    ]


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


def _implied(outcome: Outcome) -> list[str]:
    """Where each row ends, from two columns in which accuracy cancels."""
    ends = {dataset: implied_last(outcome, dataset) for dataset in datasets_of(outcome)}
    shown = ", ".join(
        f"{dataset} {f'beyond {LAST_STATED}' if math.isnan(end) else f'{end:.1f}'} (from {FIRST[dataset]})"
        for dataset, end in ends.items()
    )
    return [
        "Accuracy cancels in the sum of the columns Rand and IRM, which are (Rand - accuracy) and (accuracy -"
        f" IRM). So these two show where a row ends, by the procedure as stated otherwise: {shown}. A row"
        f" that begins at 26 or 29 would end near 30 by any small sum, so that it shows little.",
        "",
    ]
