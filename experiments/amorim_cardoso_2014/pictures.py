"""Pictures of the study: the map of z, observed and adjusted beside the print, families, a null law."""

import itertools
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import chancecorr as cc
from experiments.amorim_cardoso_2014.clusterers import EM_FAMILIES, THE_EM, THE_KMEANS
from experiments.amorim_cardoso_2014.paper import (
    DESIGNS,
    PRINTED,
    QUANTITIES,
    SEPARATIONS,
    SHORT,
    Clusterer,
    Design,
    Place,
)
from experiments.amorim_cardoso_2014.tables import APPROXIMATED, Row
from experiments.clusterers.gaussian_families import FAMILIES
from experiments.common.report import COLOURS, LARGEST_Z, page_figure, page_style, save_picture
from experiments.common.verdict import Verdict

Verdicts = Mapping[str, Mapping[Place, Verdict]]
SHOWN: dict[str, tuple[Clusterer, str]] = {THE_KMEANS: ("km", "k-means"), THE_EM: ("em", "EM")}
OF_SEPARATION = dict(zip(SEPARATIONS, ("orange", "blue", "green"), strict=True))


@page_style
def write(rows: list[Row], verdicts: Verdicts, folder: Path) -> set[str]:
    """The pictures for which there are cells; returns their names."""
    figures: dict[str, Figure] = {}
    if verdicts:
        figures["map.png"] = map_by_clusterer(verdicts)
    if any(name in verdicts for name in SHOWN):
        figures["observed_adjusted.png"] = observed_and_adjusted(verdicts)
        figures["approximations.png"] = approximations(rows)
    if sum(name in verdicts for name in EM_FAMILIES) > 1:
        figures["families.png"] = families(verdicts)
        figures["null_law.png"] = null_law(cc.Margins([240, 240, 320], [240, 240, 320]))
    for name, figure in figures.items():
        save_picture(figure, folder / name)
    return set(figures)


def map_by_clusterer(verdicts: Verdicts) -> Figure:
    """The z of every printed number, a panel for each clusterer but further families of EM.

    A cross stands at a number that differs, m at a misprint.
    """
    shown = [name for name in verdicts if name not in EM_FAMILIES or name == THE_EM]
    columns = list(itertools.product(DESIGNS, SEPARATIONS))
    rows = [
        (index, quantity)
        for quantity in QUANTITIES
        for index in cc.PUBLISHED_INDICES
        if Place("em", "balanced", "poor", index, quantity) in PRINTED
    ]
    figure = page_figure(9.5)
    panels = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0]
    for ax, name in zip(panels, shown, strict=True):
        z = np.full((len(rows), len(columns)), np.nan)
        for place, verdict in verdicts[name].items():
            at = rows.index((place.index, place.quantity)), columns.index((place.design, place.separation))
            z[at] = verdict.z
            mark = {"differs": "×", "misprint": "m"}.get(verdict.word)
            if mark:
                colour = "white" if abs(verdict.z) > LARGEST_Z / 2 else "black"
                ax.text(at[1], at[0], mark, ha="center", va="center", color=colour)
        shown_z = np.clip(z, -LARGEST_Z, LARGEST_Z)
        image = ax.imshow(shown_z, cmap="RdBu_r", vmin=-LARGEST_Z, vmax=LARGEST_Z, aspect="auto")
        ax.set_title(TITLES[name])
        names = [f"{a.removesuffix('balanced')}bal. {b}" for a, b in columns]
        ax.set_xticks(range(len(columns)), names, rotation=90)
        ax.axvline(len(SEPARATIONS) - 0.5, color="white", linewidth=2)
        for line in [k for k in range(1, len(rows)) if rows[k][1] != rows[k - 1][1]]:
            ax.axhline(line - 0.5, color="white", linewidth=2)
    panels[0].set_yticks(range(len(rows)), [f"{SHORT[a]} {b}" for a, b in rows])
    bar = figure.colorbar(image, ax=list(panels), shrink=0.5, extend="both", location="bottom", pad=0.01)
    bar.set_label("distance of the printed number, in standard deviations")
    return figure


TITLES = {
    THE_KMEANS: "k-means\n(one start)",
    THE_EM: "EM\n(chosen family)",
    "kmeans_best_of_10": "k-means\n(best of ten)",
    "gmm_full": "EM, free\ncovariances",
    "gmm_diag": "EM, diagonal\ncovariances",
}
"""Of the panels."""


def observed_and_adjusted(verdicts: Verdicts) -> Figure:
    """A panel for each clusterer and design: a line an index and separation, from adjusted to observed.

    Hollow marks are observed means, full ones adjusted; bars are where 95 of 100 studies of the paper's size
    fall, upright strokes the printed numbers.
    """
    figure = page_figure(8.6)
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for ax, (name, design) in zip(panels.flat, itertools.product(SHOWN, DESIGNS), strict=True):
        _panel(ax, verdicts.get(name, {}), SHOWN[name][0], design)
        ax.set_title(f"{SHOWN[name][1]}, {design}")
    for ax in panels[-1]:
        ax.set_xlabel("agreement with the true groups")
    marks = [
        *(
            Line2D([], [], color=COLOURS[colour], marker="o", linestyle="-", label=f"{separation} separation")
            for separation, colour in OF_SEPARATION.items()
        ),
        Line2D(
            [], [], color="black", marker="o", markerfacecolor="white", linestyle="none", label="observed"
        ),
        Line2D([], [], color="black", marker="o", linestyle="none", label="adjusted"),
        Line2D([], [], color="black", marker="|", markersize=11, linestyle="none", label="printed"),
    ]
    figure.legend(handles=marks, loc="outside lower center", ncols=3)
    figure.suptitle(
        "Observed and adjusted means, three groups; bars hold 95 of 100 studies of the paper's size"
    )
    return figure


def _panel(ax: Axes, verdicts: Mapping[Place, Verdict], clusterer: Clusterer, design: Design) -> None:
    for line, index in enumerate(cc.PUBLISHED_INDICES):
        for step, separation in enumerate(SEPARATIONS):
            y = line + 0.27 * (step - 1)
            colour = COLOURS[OF_SEPARATION[separation]]
            means = []
            for quantity in ("observed", "adjusted"):
                verdict = verdicts.get(Place(clusterer, design, separation, index, quantity))
                if verdict is None:
                    continue
                means.append(verdict.ours)
                face = "white" if quantity == "observed" else colour
                off = [[max(verdict.ours - verdict.low, 0.0)], [max(verdict.high - verdict.ours, 0.0)]]
                ax.errorbar(
                    verdict.ours, y, xerr=off, fmt="o", color=colour, markerfacecolor=face, markersize=5
                )
                ax.plot(verdict.printed.value, y, "|", color="black", markersize=11, zorder=5)
            if len(means) == 2:
                ax.plot(means, [y, y], color=colour, linewidth=0.8, alpha=0.6)
    ax.set_yticks(range(len(cc.PUBLISHED_INDICES)), [SHORT[index] for index in cc.PUBLISHED_INDICES])
    ax.set_ylim(len(cc.PUBLISHED_INDICES) - 0.4, -0.6)
    ax.set_xlim(-0.03, 1.03)
    ax.grid(axis="x", color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)


def families(verdicts: Verdicts) -> Figure:
    """How many printed numbers agree with each family of Gaussian mixtures, by column of the paper."""
    names = [name for name in EM_FAMILIES if name in verdicts]
    agreeing = {
        name: [
            sum(each.word == "agrees" for place, each in verdicts[name].items() if place.quantity == quantity)
            for quantity in QUANTITIES
        ]
        for name in names
    }
    names.sort(key=lambda name: sum(agreeing[name]))
    figure = page_figure(1.2 + 0.27 * len(names))
    ax = figure.subplots()
    labels = [FAMILIES[EM_FAMILIES[name]].name for name in names]
    left = np.zeros(len(names))
    shades = np.linspace(0.25, 0.9, len(QUANTITIES))
    for k, quantity in enumerate(QUANTITIES):
        width = np.array([agreeing[name][k] for name in names], dtype=np.float64)
        ax.barh(labels, width, left=left, color=(0.0, 0.447, 0.698, float(shades[k])), label=quantity)
        left += width
    for y, total in enumerate(left):
        ax.text(total + 2, y, f"{total:.0f}", va="center")
    ax.axvline(len(verdicts[names[0]]), color=COLOURS["grey"], linewidth=0.8)
    ax.set_xlabel("printed numbers of EM that agree; the line is all of them")
    figure.legend(loc="outside lower center", ncols=4)
    return figure


def null_law(margins: cc.Margins) -> Figure:
    """The law of R by chance on given cluster sizes; the other eight are functions of the same sum."""
    figure = page_figure(3.4)
    ax = figure.subplots()
    null = cc.null_distribution(margins, "rand", rng=1)
    sample = cc.null_distribution(margins, "rand", method="monte-carlo", rng=1)
    low, high = null.quantile([0.0005, 0.9995])
    edges = np.linspace(low, high, 60)
    shown, _ = np.histogram(sample.values, edges, weights=sample.weights)
    known, _ = np.histogram(null.values, edges, weights=null.weights)
    ax.stairs(shown, edges, fill=True, color="#bbd4e8", label="17,000 tables")
    ax.stairs(known, edges, color=COLOURS["blue"], label=f"{null.values_from} law")
    ax.axvline(null.mean, color=COLOURS["orange"], linewidth=1.2, label=f"mean {null.mean:.4f}")
    ax.set_yticks([])
    ax.set_ylabel("probability")
    ax.set_xlabel(f"R by chance, cluster sizes {margins.row_totals.tolist()} in both clusterings")
    ax.legend()
    return figure


def approximations(rows: list[Row]) -> Figure:
    """How far approximate expectations are off, printed ones and those of the same rule on our data sets.

    The printed approximations are held against the printed simulated means, ours against exact means.
    """
    figure = page_figure(3.2)
    for ax, index in zip(figure.subplots(1, 3, sharey=True).flat, APPROXIMATED, strict=True):
        places = [place for place in PRINTED if (place.index, place.quantity) == (index, "approximate")]
        simulated = [
            PRINTED[Place(each.clusterer, each.design, each.separation, index, "simulated")].value
            for each in places
        ]
        off = [PRINTED[place].value - mean for place, mean in zip(places, simulated, strict=True)]
        ax.plot(simulated, off, "x", color=COLOURS["orange"], label="printed approximation")
        mine = [
            row for row in rows if row["index"] == index and row["groups"] == 3 and row["clusterer"] in SHOWN
        ]
        expected = [row["expected"] for row in mine]
        ax.plot(
            expected, [row["approximate"] - row["expected"] for row in mine], "o", color=COLOURS["blue"],
            markerfacecolor="none", label="same rule, our data sets",
        )  # fmt: skip
        ax.plot(
            expected, [row["mean simulated - expected"] for row in mine], ".", color=COLOURS["green"],
            label="17,000 tables",
        )  # fmt: skip
        ax.axhline(0.0, color=COLOURS["grey"], linewidth=0.5)
        ax.set_xlabel("expected value")
        ax.set_title(f"{SHORT[index]}  ({index})")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.suptitle("Expected values by chance: how far the approximations are off")
    return figure
