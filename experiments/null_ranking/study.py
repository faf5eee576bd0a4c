"""The study: which adjusted scores have the null distribution that is easiest to read."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

import chancecorr as cc
from chancecorr.catalogue import list_classes
from experiments.common.report import COLOURS, Row, markdown_table, page_figure, page_style, section
from experiments.common.runs import Cell, Outcome, Study
from experiments.common.small import Judged, writer
from experiments.null_ranking.unit import QUANTITIES, evaluate

SHOWN = 15
KNOWN = (
    "adjusted_rand", "jaccard", "adjusted_fowlkes_mallows", "nmi_sum", "nmi_max", "purity", "irm",
    "van_dongen", "maximum_matching_accuracy", "goodman_kruskal", "russell_rao", "centroid_index",
)  # fmt: skip
"""Indices that are named in the picture, by those that stand for their classes: Rand's is `adjusted_rand`."""


def judge(outcome: Outcome) -> Judged:
    """A row for each different adjusted score, the best first."""
    rows = ranked(outcome)
    margins = len(outcome.records["margins"])
    best, worst = rows[0], rows[-1]
    place = {row["index"]: k for k, row in enumerate(rows, start=1)}
    named = ", ".join(f"{name} {place[name]}" for name in KNOWN if name in place)
    skewed = sum(row["skewness"] > 0.5 for row in rows)
    table = [
        [str(k), row["index"], str(row["same"]), *(f"{row[each]:.3g}" for each in QUANTITIES)]
        for k, row in enumerate(rows, start=1)
        if k <= SHOWN or k > len(rows) - SHOWN
    ]
    return Judged(
        answer=[
            f"Of {len(rows)} different adjusted scores, over {margins:,} margins, {best['index']} ranks first"
            f" and {worst['index']} last; {skewed} are skewed by more than 0.5: by chance most scores lie"
            " a little below 0, and a few far above.",
            f"Ranks of well-known indices: {named}.",
        ],
        sections=section(
            "## The ranking",
            "An adjusted score has the mean 0 by chance. Of its null distribution four quantities are"
            " compared,"
            " each the median over the margins: its median, which is off 0 if it is skewed; its standard"
            " deviation; its skewness; and the 99 % point, which chance exceeds once in a hundred. The rank"
            " is that of the mean of the four ranks by size. A score whose best value is hardly within reach"
            " ranks"
            " well, because all its values are small: the ranking is of null distributions, not of power."
            f" The first and last {SHOWN}; all in `ranking.csv`. *Same*: indices with this adjusted score.",
            markdown_table(["rank", "index", "same", *QUANTITIES], table),
            "![Spread and skewness](ranking.png)",
        ),
        pictures={"ranking.png": picture(rows)},
        rows={"ranking.csv": rows},
    )


def ranked(outcome: Outcome) -> list[Row]:
    """Medians over the margins, and the mean of the ranks."""
    records = outcome.records["margins"]
    classes = list_classes()
    found: dict[str, np.ndarray] = {}
    for name in classes:
        values = np.array([record["scores"][name] for record in records], dtype=float)
        known = ~np.isnan(values).any(axis=1)
        if known.mean() > 0.5:
            found[name] = np.median(values[known], axis=0)
    sizes = np.abs(np.array(list(found.values())))
    ranks = sizes.argsort(axis=0).argsort(axis=0).mean(axis=1)
    return [
        {
            "index": name, "family": cc.get_index(name).family, "same": len(classes[name]),
            **dict(zip(QUANTITIES, found[name].tolist(), strict=True)), "mean rank": float(rank) + 1.0,
        }
        for rank, name in sorted(zip(ranks, found, strict=True))
    ]  # fmt: skip


@page_style
def picture(rows: Sequence[Row]) -> Figure:
    """Skewness over spread, a dot a score, a colour a family; known indices are named above."""
    figure = page_figure(5.4)
    ax = figure.subplots()
    families = sorted({row["family"] for row in rows})
    for family, colour in zip(families, [*COLOURS.values(), "#cc79a7", "#e69f00", "#56b4e9"], strict=False):
        mine = [row for row in rows if row["family"] == family]
        ax.plot(
            [row["spread"] for row in mine], [row["skewness"] for row in mine], "o", color=colour, alpha=0.7,
            markersize=5, label=family.replace("_", " "),
        )  # fmt: skip
    known = sorted((row["spread"], row["skewness"], row["index"]) for row in rows if row["index"] in KNOWN)
    for place, (spread, skewness, name) in zip(np.linspace(0.2, 0.98, len(known)), known, strict=True):
        ax.annotate(
            name, (spread, skewness), (place, 1.03), textcoords="axes fraction", rotation=90, ha="center",
            arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": COLOURS["grey"], "relpos": (0.5, 0.0)},
        )  # fmt: skip
    ax.axhline(0.0, color="black", linewidth=0.6)
    ax.set_xscale("log")
    ax.set_xlabel("standard deviation of the adjusted score by chance")
    ax.set_ylabel("skewness")
    figure.legend(loc="outside lower center", ncols=4)
    return figure


def cells(margins: int, tables: int) -> tuple[Cell, ...]:
    """Margins, a unit each."""
    return (Cell(name="margins", inputs={"tables": tables}, replicates=margins),)


STUDY = Study(
    name="null_ranking",
    title="Which adjusted scores have the null distribution that is easiest to read",
    evaluate=evaluate,
    full=cells(1_000, 300),
    quick=cells(3, 100),
    write=writer(
        "Future work of Amorim & Cardoso (2014)",
        "Which corrected indices are the least biased and the easiest to interpret, by their distributions?",
        "The last section of Amorim & Cardoso (2014) leaves this to later work. Margins are drawn: 20 to"
        " 1,000 objects in 2 to 12 clusters a side; each null distribution has 300 tables. Written by"
        " `python -m experiments null_ranking`.",
        judge,
    ),
    seed=1,
)
