"""Pictures of the study: the map of z, the curves of Figures 2 to 5, and what is left of them by chance."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.common.report import map_of_z, save_picture
from experiments.common.verdict import Verdict
from experiments.rajasekhara_pujari_2010.claims import Curves
from experiments.rajasekhara_pujari_2010.correction import Corrected
from experiments.rajasekhara_pujari_2010.printed import (
    CLASSES,
    COLUMNS,
    DATASETS,
    FIGURES,
    SHORT,
    Column,
)

Verdicts = Mapping[tuple[str, Column], Verdict]

OF_INDEX: dict[str, str] = {
    "accuracy": "#000000",
    "irm": "#d55e00",
    "rand": "#999999",
    "jaccard": "#0072b2",
    "adjusted_rand": "#009e73",
    "wallace": "#cc79a7",
    "nmi": "#e69f00",
}
"""Colours that stay apart for colour-blind readers."""

NAMES: dict[str, str] = {"accuracy": "accuracy"} | {str(column): name for column, name in SHORT.items()}


def write(
    tables: Mapping[str, Verdicts], curves: Curves, corrected: Sequence[Corrected], folder: Path
) -> set[str]:
    """The pictures for which there are cells; returns their names."""
    figures: dict[str, Figure] = {}
    cells = {
        (dataset, f"{SHORT[column]}, {name}"): verdict
        for name, verdicts in tables.items()
        for (dataset, column), verdict in verdicts.items()
    }
    if cells:
        figures["map.png"] = map_of_z(
            cells,
            rows=[each for each in DATASETS if any(row == each for row, _ in cells)],
            columns=[f"{SHORT[column]}, {name}" for name in tables for column in COLUMNS],
            title="Table 2",
        )
        figures["ratios.png"] = ratios(tables)
    shown = [dataset for dataset in FIGURES if dataset in curves.numbers]
    if shown:
        figures["deviations.png"] = deviations(curves, shown)
    by_chance = [each for each in corrected if each.dataset in FIGURES] or list(corrected)[:4]
    if by_chance:
        figures["correction.png"] = correction(by_chance)
        figures["irm_by_chance.png"] = irm_by_chance(corrected)
    for name, figure in figures.items():
        save_picture(figure, folder / name)
    return set(figures)


def ratios(tables: Mapping[str, Verdicts]) -> Figure:
    """Ours over the print, a panel a recipe, a row a data set, a dot an index; the band holds 10 %."""
    figure = Figure(figsize=(4.2 * len(tables) + 0.8, 3.6), layout="constrained")
    grid = figure.subplots(1, len(tables), sharex=True, sharey=True, squeeze=False)[0]
    for ax, (name, verdicts) in zip(grid, tables.items(), strict=True):
        for (dataset, column), verdict in verdicts.items():
            at = DATASETS.index(dataset) + 0.11 * (COLUMNS.index(column) - 2.5)
            ax.plot(verdict.ours / verdict.printed.value, at, "o", ms=4, color=OF_INDEX[column])
        ax.axvspan(1.0 / 1.1, 1.1, color="#dddddd", zorder=0)
        ax.set_xscale("log")
        ax.set_title(f"Table 2, {name}", fontsize=9)
        ax.set_xlabel("ours / printed", fontsize=8)
    grid[0].set_yticks(range(len(DATASETS)), DATASETS, fontsize=8)
    grid[0].invert_yaxis()
    marks = [Line2D([], [], ls="", marker="o", color=OF_INDEX[each], label=SHORT[each]) for each in COLUMNS]
    grid[-1].legend(handles=marks, fontsize=7)
    return figure


def deviations(curves: Curves, datasets: Sequence[str]) -> Figure:
    """Figures 2 to 5: mean of accuracy less index against the number of clusters."""
    figure, grid = _panels(len(datasets), rows=1)
    for ax, dataset in zip(grid[0], datasets, strict=True):
        for column in COLUMNS:
            ax.plot(
                curves.numbers[dataset], curves.signed[dataset][column], color=OF_INDEX[column], lw=1.2,
                label=SHORT[column],
            )  # fmt: skip
        ax.axhline(0.0, color="black", lw=0.6)
        _finish(ax, f"Figure {FIGURES[dataset]}: {dataset}", CLASSES[dataset])
    grid[0][0].set_ylabel("accuracy less index")
    grid[0][0].legend(fontsize=7)
    return figure


def correction(corrected: Sequence[Corrected]) -> Figure:
    """Above, the indices and (dashed) their means by chance; below, corrected; a column a data set."""
    figure, grid = _panels(len(corrected), rows=2)
    for at, each in enumerate(corrected):
        for name in ("accuracy", *COLUMNS):
            colour = OF_INDEX[name]
            grid[0][at].plot(each.numbers, each.observed[name], color=colour, lw=1.2, label=NAMES[name])
            grid[0][at].plot(each.numbers, each.by_chance[name], color=colour, lw=1.0, ls=(0, (2, 2)))
            grid[1][at].plot(each.numbers, each.corrected[name], color=colour, lw=1.2)
        _finish(grid[0][at], each.dataset, each.true)
        _finish(grid[1][at], "", each.true)
        grid[1][at].axhline(0.0, color="black", lw=0.6)
    grid[0][0].set_ylabel("mean; dashed: by chance")
    grid[1][0].set_ylabel("corrected for chance")
    grid[0][0].legend(fontsize=7)
    return figure


def irm_by_chance(corrected: Sequence[Corrected]) -> Figure:
    """The share of IRM that clusterings without any relation to the classes have, a line a data set."""
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    ax = figure.subplots()
    for number, each in enumerate(corrected):
        share = each.by_chance["irm"] / each.observed["irm"]
        ax.plot(each.numbers, share, lw=1.2, color=f"C{number}", label=each.dataset)
    ax.set_ylim(0.0, 1.1)
    ax.axhline(1.0, color="black", lw=0.6)
    ax.set_xlabel("clusters")
    ax.set_ylabel("IRM by chance / IRM")
    ax.legend(fontsize=7, ncols=2)
    return figure


def _panels(columns: int, *, rows: int) -> tuple[Figure, np.ndarray]:
    figure = Figure(figsize=(3.2 * columns + 0.6, 2.9 * rows), layout="constrained")
    return figure, figure.subplots(rows, columns, sharex=True, sharey="row", squeeze=False)


def _finish(ax: Axes, title: str, true: int) -> None:
    """Title, the true number of clusters as a line, and the axis."""
    ax.axvline(true, color="black", lw=0.6, ls=":")
    ax.set_title(title, fontsize=9)
    ax.set_xlabel("clusters", fontsize=8)
