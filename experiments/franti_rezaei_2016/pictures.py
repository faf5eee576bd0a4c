"""Pictures of the study: the map of z, clusterings with unmapped centroids, indices beside CI, randomness."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import chancecorr as cc
from experiments.common.report import COLOURS, map_of_z, save_picture
from experiments.common.runs import Outcome
from experiments.common.units import Record
from experiments.common.verdict import Verdict
from experiments.franti_rezaei_2016.chance import Solutions
from experiments.franti_rezaei_2016.clusterings import truth
from experiments.franti_rezaei_2016.tables import Row
from experiments.franti_rezaei_2016.unit import LEVELS

SHORT = {
    "rand": "RI / ARI",
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


def write(
    outcome: Outcome,
    rows: Sequence[Row],
    verdicts: Mapping[str, Sequence[Verdict]],
    solutions: Sequence[Solutions],
    folder: Path,
) -> set[str]:
    """The pictures for which there are cells; returns their names."""
    names, columns, cells = map_axes(verdicts)
    figures = {"map.png": map_of_z(cells, rows=names, columns=columns, title="Printed numbers")}
    width, height = figures["map.png"].get_size_inches()
    figures["map.png"].set_size_inches(width + 2.5, height)  # for the names of the rows, which are long
    shown = [name for name in SHOWN if name in outcome.records]
    if shown:
        figures["clusterings.png"] = clusterings(outcome, shown)
    if solutions:
        figures["indices.png"] = indices(solutions)
    if rows:
        figures["chance.png"] = expected_by_chance(rows)
    random = [cell.name for cell in outcome.cells if cell.inputs["kind"] == "randomness"]
    if random:
        figures["randomness.png"] = randomness(outcome, random)
    for name, figure in figures.items():
        save_picture(figure, folder / name)
    return set(figures)


def map_axes(
    verdicts: Mapping[str, Sequence[Verdict]],
) -> tuple[list[str], list[str], dict[tuple[str, str], Verdict]]:
    """Rows, a printed number each but the sizes of the data sets; columns, the data; and the verdicts."""
    cells = {}
    for group, each in verdicts.items():
        where, _, data = group.partition(", ")
        if group == "data sets":
            continue
        for verdict in each:
            column = SHORT.get(verdict.printed.column, verdict.printed.column)
            row = " ".join(filter(None, (f"{where}:", verdict.printed.row, column)))
            cells[row, data or "as named"] = verdict
    rows, columns = (list(dict.fromkeys(key[axis] for key in cells)) for axis in (0, 1))
    return rows, sorted(columns), cells


def clusterings(outcome: Outcome, names: Sequence[str]) -> Figure:
    """Data with both sets of centroids; those to which none is mapped are ringed."""
    across = min(3, len(names))
    down = -(-len(names) // across)
    figure = Figure(figsize=(4.6 * across, 4.4 * down), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for ax, name in zip(panels, names, strict=False):
        _clustering(ax, name, _typical(outcome.records[name]))
    for ax in panels[len(names) :]:
        ax.set_axis_off()
    panels[0].legend(fontsize=7, loc="best")
    return figure


def _typical(records: Sequence[Record]) -> Record:
    """The first clustering with the most frequent CI."""
    usual = Counter(record["prototypes"] for record in records).most_common(1)[0][0]
    return next(record for record in records if record["prototypes"] == usual)


def _clustering(ax: Axes, name: str, record: Record) -> None:
    data = truth(name.split("/")[0])
    step = -(-len(data.X) // MOST_POINTS)
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
            *places.T, "s", color=COLOURS[colour], markersize=13, fillstyle="none", markeredgewidth=2,
            label=label,
        )  # fmt: skip
    ax.set_title(f"{name}: CI = {record['prototypes']}", fontsize=10)
    ax.set_xticks([])
    ax.set_yticks([])


def indices(solutions: Sequence[Solutions]) -> Figure:
    """A panel for each index: its values beside CI, observed hollow and corrected full, by data set."""
    names = [name for name in SHORT if name not in ("centroid_index", "adjusted_rand")]
    figure = Figure(figsize=(12, 7), layout="constrained")
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
        ax.set_title(SHORT[index], fontsize=10)
        ax.set_xlabel("CI")
    figure.axes[0].legend(fontsize=7)
    figure.suptitle(
        "k-means against the truth: hollow observed (1 less a distance), full corrected for chance"
    )
    return figure


def expected_by_chance(rows: Sequence[Row]) -> Figure:
    """CI over the number of clusters, and its mean by chance given the cluster sizes, a line a cell."""
    figure = Figure(figsize=(8, 1.2 + 0.2 * len(rows)), layout="constrained")
    ax = figure.subplots()
    for place, row in enumerate(rows):
        K = row["clusters"]
        ax.plot([row["least CI"] / K, row["largest CI"] / K], [place, place], "-", color=COLOURS["blue"])
        ax.plot(row["centroid_index observed"] / K, place, "o", color=COLOURS["blue"])
        ax.plot(row["centroid_index expected"] / K, place, "x", color=COLOURS["orange"])
    ax.set_yticks(range(len(rows)), [f"{row['data']} {row['clusterer']}" for row in rows], fontsize=7)
    ax.invert_yaxis()
    ax.set_xlabel("CI / number of clusters: mean and range (blue), mean by chance (cross)")
    return figure


def randomness(outcome: Outcome, names: Sequence[str]) -> Figure:
    """Means of the indices over the share of random labels, a panel a partition; CI over its own axis."""
    figure = Figure(figsize=(4.6 * len(names), 4.2), layout="constrained")
    for ax, name in zip(figure.subplots(1, len(names), squeeze=False)[0], names, strict=True):
        records = outcome.records[name]
        for index, colour, dash in (
            ("adjusted_rand", "black", "-"), ("nmi_sum", COLOURS["grey"], "-"),
            ("purity", COLOURS["green"], "-"), ("centroid_similarity", COLOURS["blue"], "-"),
            ("normalized_van_dongen", COLOURS["blue"], "--"), ("criterion_h", COLOURS["green"], "--"),
        ):  # fmt: skip
            values = np.mean([record[index] for record in records], axis=0)
            ax.plot(LEVELS, values, dash, color=colour, label=SHORT[index])
        ci = np.mean([record["centroid_index"] for record in records], axis=0)
        other = ax.twinx()
        other.plot(LEVELS, ci, "o-", color=COLOURS["orange"], markersize=3, label="CI (right)")
        other.set_ylim(-0.05, max(1.0, 1.05 * float(ci.max())))
        ax.set_title(name.split("/")[1], fontsize=10)
        ax.set_xlabel("share of random labels")
        lines = [*ax.get_lines(), *other.get_lines()]
    labels = [str(line.get_label()) for line in lines]
    figure.legend(lines, labels, fontsize=8, loc="outside right center")
    return figure
