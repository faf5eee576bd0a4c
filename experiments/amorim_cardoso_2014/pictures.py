"""Pictures of the study: observed against adjusted, nine null laws, and how far approximations are off."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import chancecorr as cc
from experiments.amorim_cardoso_2014.paper import DESIGNS, SEPARATIONS
from experiments.amorim_cardoso_2014.report import SHORT
from experiments.amorim_cardoso_2014.study import Unit
from experiments.amorim_cardoso_2014.tables import APPROXIMATED, Row

COLOURS = {"em_mixmod": "#0072b2", "kmeans_spss": "#d55e00"}
NAMES = {"em_mixmod": "EM", "kmeans_spss": "k-means"}
GREY = "#777777"


def write(units: Sequence[Unit], expected: list[Row], agreed: list[Row], folder: Path) -> None:
    """The pictures, of three groups, if there are units of them."""
    three = [unit for unit in units if unit.scenario.startswith("3-")]
    if not three:
        return
    _save(
        observed_against_adjusted([row for row in agreed if row["groups"] == 3]),
        folder / "observed_adjusted.png",
    )
    _save(null_laws(cc.ContingencyTable(three[0].table).margins), folder / "null_laws.png")
    _save(approximations([row for row in expected if row["groups"] == 3]), folder / "approximations.png")


def observed_against_adjusted(rows: list[Row]) -> Figure:
    """A panel an index: observed (hollow) and adjusted (full) means by separation, EM and k-means."""
    figure = Figure(figsize=(10, 9), layout="constrained")
    panels = figure.subplots(3, 3, sharex=True, sharey=True)
    for ax, index in zip(panels.flat, cc.PUBLISHED_INDICES, strict=True):
        for clusterer, colour in COLOURS.items():
            for design, dashes in zip(DESIGNS, ("-", "--"), strict=True):
                chosen = [
                    row
                    for row in rows
                    if (row["index"], row["clusterer"], row["design"]) == (index, clusterer, design)
                ]
                if len(chosen) != len(SEPARATIONS):
                    continue
                for kind, face in (("observed", "white"), ("adjusted", colour)):
                    ax.plot(
                        range(3), [row[kind] for row in chosen], dashes, color=colour, marker="o",
                        markerfacecolor=face, linewidth=1.0 if kind == "observed" else 2.0, markersize=5,
                        label=f"{NAMES[clusterer]}, {design}, {kind}",
                    )  # fmt: skip
        ax.set_title(f"{SHORT[index]}  ({index})", fontsize=10)
        ax.set_xticks(range(3), SEPARATIONS)
        ax.axhline(0.0, color=GREY, linewidth=0.5)
    handles, labels = panels.flat[0].get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=8)
    figure.suptitle("Agreement with the true groups: observed, and adjusted for chance (three groups)")
    return figure


def null_laws(margins: cc.Margins) -> Figure:
    """The law of each index by chance, on given cluster sizes."""
    figure = Figure(figsize=(10, 8), layout="constrained")
    for ax, index in zip(figure.subplots(3, 3).flat, cc.PUBLISHED_INDICES, strict=True):
        null = cc.null_distribution(margins, index, rng=1)
        sample = cc.null_distribution(margins, index, method="monte-carlo", rng=1)
        low, high = null.quantile([0.0005, 0.9995])
        edges = np.linspace(low, high, 60)
        shown, _ = np.histogram(sample.values, edges, weights=sample.weights)
        known, _ = np.histogram(null.values, edges, weights=null.weights)
        ax.stairs(shown, edges, fill=True, color="#bbd4e8", label="17,000 tables")
        ax.stairs(known, edges, color=COLOURS["em_mixmod"], label=f"{null.law} law")
        ax.axvline(null.mean, color=COLOURS["kmeans_spss"], linewidth=1.0, label=f"mean {null.mean:.4g}")
        ax.set_title(f"{SHORT[index]}  ({index})", fontsize=10)
        ax.set_yticks([])
        ax.legend(fontsize=7)
    sizes = f"{margins.row_totals.tolist()} x {margins.column_totals.tolist()}"
    figure.suptitle(f"Nine indices by chance, cluster sizes {sizes}")
    return figure


def approximations(rows: list[Row]) -> Figure:
    """How far approximate and simulated expectations are off: printed ones, and ours.

    The printed approximations are held against the printed simulated means, ours against exact means.
    """
    figure = Figure(figsize=(10, 4), layout="constrained")
    for ax, index in zip(figure.subplots(1, 3, sharey=True).flat, APPROXIMATED, strict=True):
        chosen = [row for row in rows if row["index"] == index]
        for about, against, marker, colour, label in (
            ("paper approximate", "paper simulated", "x", COLOURS["kmeans_spss"], "printed approximation"),
            ("approximate", "exact", "o", COLOURS["em_mixmod"], "same rule, our data sets"),
            ("simulated", "exact", ".", "#009e73", "17,000 tables"),
        ):
            off = [row[about] - row[against] for row in chosen]
            ax.plot([row[against] for row in chosen], off, marker, color=colour, label=label,
                    markersize=6, markerfacecolor="none", linestyle="none")  # fmt: skip
        ax.axhline(0.0, color=GREY, linewidth=0.5)
        ax.set_xlabel("expected value")
        ax.set_title(f"{SHORT[index]}  ({index})", fontsize=10)
        ax.legend(fontsize=7)
    figure.suptitle("Expected values by chance: how far the approximations are off")
    return figure


def _save(figure: Figure, path: Path) -> None:
    """Write a PNG without a date or a version in it, and move it to its place when it is whole."""
    beside = path.with_name(path.name + ".new")
    FigureCanvasAgg(figure)
    figure.savefig(beside, dpi=90, format="png", metadata={"Software": None})
    os.replace(beside, path)
