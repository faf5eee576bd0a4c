"""Pictures of the study: clusterings with unmapped centroids, indices beside CI, randomness."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

import chancecorr as cc
from experiments.common.report import COLOURS, page_figure, page_style, save_picture
from experiments.common.runs import Outcome
from experiments.common.units import Record
from experiments.franti_rezaei_2016.chance import Solutions
from experiments.franti_rezaei_2016.clusterings import truth
from experiments.franti_rezaei_2016.tables import Row
from experiments.franti_rezaei_2016.unit import INDICES, LEVELS

SHORT = {
    "rand": "RI / ARI",
    "mutual_information": "MI",
    "nmi_sum": "NMI",
    "purity": "purity",
    "normalized_van_dongen": "NVD",
    "criterion_h": "CH",
    "centroid_similarity": "CSI",
    "centroid_index": "CI",
    "adjusted_rand": "ARI",
}
"""The paper's abbreviations."""

SHOWN = (
    "unbalance/kmeans",
    "unbalance/random_swap",
    "birch2/kmeans",
    "s2/kmeans",
    "aggregation/kmeans",
    "compound/single_link",
)
MOST_POINTS = 4_000
OF_DATA = {"s1": "blue", "s2": "green", "s3": "orange", "s4": "grey"}


@page_style
def write(outcome: Outcome, rows: Sequence[Row], solutions: Sequence[Solutions], folder: Path) -> set[str]:
    """The pictures for which there are cells; returns their names."""
    figures: dict[str, Figure] = {}
    shown = [name for name in SHOWN if name in outcome.records]
    if shown:
        figures["clusterings.png"] = clusterings(outcome, shown)
    if solutions:
        figures["indices.png"] = indices(solutions)
    if rows:
        figures["chance.png"] = expected_by_chance(outcome, rows)
    random = [cell.name for cell in outcome.cells if cell.inputs["kind"] == "randomness"]
    if random:
        figures["randomness.png"] = randomness(outcome, random)
    for name, figure in figures.items():
        save_picture(figure, folder / name)
    return set(figures)


def clusterings(outcome: Outcome, names: Sequence[str]) -> Figure:
    """Data with both sets of centroids; those to which none is mapped are ringed."""
    across = min(2, len(names))
    down = -(-len(names) // across)
    figure = page_figure(0.4 + 2.9 * down)
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for ax, name in zip(panels, names, strict=False):
        _clustering(ax, name, _typical(outcome.records[name], PRINTED_CI.get(name)))
    for ax in panels[len(names) :]:
        ax.set_axis_off()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, columnspacing=1.0)
    return figure


PRINTED_CI = {"aggregation/kmeans": 2}
"""CI of a clustering that the paper shows, where ours mostly have another one."""


def _typical(records: Sequence[Record], wanted: int | None) -> Record:
    """The first clustering with that CI by partitions, or with the most frequent CI."""
    usual = Counter(record["partition"] for record in records).most_common(1)[0][0]
    there = [record for record in records if record["partition"] == (usual if wanted is None else wanted)]
    return there[0] if there else records[0]


def _clustering(ax: Axes, name: str, record: Record) -> None:
    data = truth(name.split("/")[0])
    step = -(-len(data.X) // MOST_POINTS)
    if "labels" in record:
        colours = np.array(PALE)[np.array(record["labels"]) % len(PALE)]
        ax.scatter(data.X[:, 0], data.X[:, 1], c=colours, s=7, zorder=0)
    else:
        ax.plot(*data.X[::step].T, ".", color="#cccccc", markersize=1.5, zorder=0)
    ours = np.array(record["centroids"])
    ax.plot(*data.centroids.T, "o", color=COLOURS["orange"], markersize=5, fillstyle="none", label="truth")
    ax.plot(*ours.T, "+", color=COLOURS["blue"], markersize=7, label="found")
    missed = np.setdiff1d(np.arange(len(data.centroids)), record["map_ab"])
    superfluous = np.setdiff1d(np.arange(len(ours)), record["map_ba"])
    for places, colour, label in (
        (data.centroids[missed], "orange", "no found one is mapped to it"),
        (ours[superfluous], "blue", "no true one is mapped to it"),
    ):
        ax.plot(
            *places.T, "s", color=COLOURS[colour], markersize=10, fillstyle="none", markeredgewidth=1.5,
            label=label,
        )  # fmt: skip
    ax.set_title(f"{name.replace('/', ', ')}: CI = {record['partition']}")
    ax.set_xticks([])
    ax.set_yticks([])


PALE = ("#a6cee3", "#b2df8a", "#fb9a99", "#fdbf6f", "#cab2d6", "#e5d8bd", "#b3b3b3")
"""Colours of clusters."""


def indices(solutions: Sequence[Solutions]) -> Figure:
    """A panel for each index: its values beside CI, observed hollow and corrected full, by data set."""
    names = [index for index in INDICES if index != "centroid_index"]
    figure = page_figure(5.0)
    for ax, index in zip(figure.subplots(2, 3, sharex=True).flat, names, strict=True):
        for k, each in enumerate(solutions):
            colour = COLOURS[OF_DATA[each.data]] if each.data in OF_DATA else "black"
            shift = 0.12 * (k - (len(solutions) - 1) / 2)
            for form, fill in (("observed", "none"), ("adjusted", "full")):
                values = each.values[index, form]
                # a distance is held as its negative, so that the larger is the better
                distance = form == "observed" and cc.get_index(index).best == 0.0
                shown = 1.0 + values if distance else values
                ax.plot(
                    each.ci + shift, shown, "o", color=colour, fillstyle=fill, markersize=4, alpha=0.6,
                    label=each.data if form == "adjusted" else None,
                )  # fmt: skip
        ax.set_title(SHORT[index])
        ax.set_xlabel("CI")
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    figure.suptitle(
        "k-means against the truth: hollow observed (1 less a distance), full corrected for chance"
    )
    return figure


def expected_by_chance(outcome: Outcome, rows: Sequence[Row]) -> Figure:
    """CI over the number of clusters, and its null distribution given the cluster sizes, a line a cell."""
    rows = [row for row in rows if row["largest CI"] > 0]
    figure = page_figure(1.0 + 0.23 * len(rows))
    ax = figure.subplots()
    for place, row in enumerate(rows):
        K = row["clusters"]
        chance = spread_by_chance(row["data"], outcome.records[f"{row['data']}/{row['clusterer']}"][0])
        ci = row["least CI"], row["largest CI"]
        for values, form, mark, colour, off in (
            (ci, "observed", "o", "blue", -0.15), (chance, "expected", "x", "orange", 0.15),
        ):  # fmt: skip
            ax.plot(np.array(values) / K, [place + off] * len(values), "-", color=COLOURS[colour])
            ax.plot(row[f"centroid_index {form}"] / K, place + off, mark, color=COLOURS[colour])
    ax.set_yticks(range(len(rows)), [f"{row['data']}, {row['clusterer']}" for row in rows])
    ax.invert_yaxis()
    ax.set_xlim(left=-0.01)
    ax.set_xlabel("CI / number of clusters; clusterers with CI > 0 only")
    marks = [
        Line2D([], [], color=COLOURS["blue"], marker="o", label="mean and range of CI"),
        Line2D(
            [], [], color=COLOURS["orange"], marker="x", label="by chance: mean; 95 of 100 for the first run"
        ),
    ]
    figure.legend(handles=marks, loc="outside lower center", ncols=2)
    return figure


def spread_by_chance(name: str, record: Record) -> tuple[float, ...]:
    """Where 95 of 100 values of CI fall by chance for the sizes of a clustering; empty if it has outliers."""
    if record["outliers"]:
        return ()
    margins = cc.Margins(np.bincount(truth(name).labels), record["sizes"])
    null = cc.null_distribution(margins, "centroid_index", method="monte-carlo", n_tables=1_000, rng=1)
    return tuple(null.quantile([0.025, 0.975]))


CURVES = (
    ("adjusted_rand", "black", "-", 1.2), ("nmi_sum", COLOURS["grey"], "-", 1.2),
    ("purity", "#8fc9b0", "-", 5.0), ("centroid_similarity", COLOURS["green"], "--", 1.2),
    ("normalized_van_dongen", "#f2b48c", "-", 5.0), ("criterion_h", COLOURS["orange"], "--", 1.2),
)  # fmt: skip
"""Index, colour, line and its width; of two that coincide the wide one lies beneath the other."""


def randomness(outcome: Outcome, names: Sequence[str]) -> Figure:
    """Means of the indices over the share of random labels, a column a partition; CI in a row of its own."""
    figure = page_figure(4.6)
    grid = figure.subplots(2, len(names), squeeze=False, sharex=True, sharey="row", height_ratios=(2, 1))
    for (ax, below), name in zip(grid.T, names, strict=True):
        records = outcome.records[name]
        for index, colour, dash, width in CURVES:
            values = np.mean([record[index] for record in records], axis=0)
            ax.plot(LEVELS, values, dash, color=colour, linewidth=width, label=SHORT[index])
        ci = np.mean([record["centroid_index"] for record in records], axis=0)
        below.plot(LEVELS, ci, "o-", color="black", markersize=3)
        below.yaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_title(name.split("/")[1])
        below.set_xlabel("share of random labels")
    grid[0][0].set_ylim(bottom=0.0)
    grid[1][0].set_ylim(bottom=0.0)
    grid[0][0].set_ylabel("index")
    grid[1][0].set_ylabel("CI")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(CURVES))
    return figure
