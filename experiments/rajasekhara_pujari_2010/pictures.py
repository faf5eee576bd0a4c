"""Pictures of the study: ours over the print, the curves of Figures 2 to 5, and these by chance."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.common.report import page_figure, page_style, save_picture
from experiments.common.verdict import Verdict
from experiments.rajasekhara_pujari_2010.claims import Curves
from experiments.rajasekhara_pujari_2010.correction import Corrected
from experiments.rajasekhara_pujari_2010.printed import CLASSES, COLUMNS, DATASETS, FIGURES, SHORT, Column

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


@page_style
def write(
    tables: Mapping[str, Verdicts], curves: Curves, corrected: Sequence[Corrected], folder: Path
) -> set[str]:
    """The pictures for which there are cells; returns their names."""
    figures: dict[str, Figure] = {}
    tables = {name: verdicts for name, verdicts in tables.items() if verdicts}
    if tables:
        figures["map.png"] = map_of_ratios(tables)
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


def map_of_ratios(tables: Mapping[str, Verdicts]) -> Figure:
    """Ours over the print, a panel for each way to the sums: the colour is its logarithm."""
    datasets = [each for each in DATASETS if any(each == row for row, _ in next(iter(tables.values())))]
    figure = page_figure(1.2 + 0.33 * len(datasets))
    panels = figure.subplots(1, len(tables), sharey=True, squeeze=False)[0]
    for ax, (name, verdicts) in zip(panels, tables.items(), strict=True):
        ratios = np.full((len(datasets), len(COLUMNS)), np.nan)
        for (dataset, column), verdict in verdicts.items():
            at = datasets.index(dataset), COLUMNS.index(column)
            ratios[at] = verdict.ours / verdict.printed.value
            ink = "white" if abs(np.log2(ratios[at])) > 1.2 else "black"
            ax.text(at[1], at[0], f"{ratios[at]:.2f}", ha="center", va="center", color=ink)
        image = ax.imshow(np.log2(ratios), cmap="PuOr", vmin=-2.0, vmax=2.0, aspect="auto")
        ax.set_xticks(range(len(COLUMNS)), [SHORT[column] for column in COLUMNS])
        ax.set_title(f"Table 2, {name}")
    panels[0].set_yticks(range(len(datasets)), datasets)
    bar = figure.colorbar(image, ax=list(panels), extend="both", ticks=[-2, -1, 0, 1, 2])
    bar.ax.set_yticklabels(["1/4", "1/2", "1", "2", "4"])
    bar.set_label("ours / printed")
    return figure


def deviations(curves: Curves, datasets: Sequence[str]) -> Figure:
    """Figures 2 to 5: mean of accuracy less index against the number of clusters."""
    figure, grid = _panels(-(-len(datasets) // 2))
    for ax, dataset in zip(grid.flat, datasets, strict=False):
        for column in COLUMNS:
            ax.plot(
                curves.numbers[dataset], curves.signed[dataset][column], color=OF_INDEX[column], lw=1.2,
                label=SHORT[column],
            )  # fmt: skip
        ax.axhline(0.0, color="black", lw=0.6)
        _finish(ax, f"Figure {FIGURES[dataset]}: {dataset}", CLASSES[dataset])
    for ax in grid.flat[len(datasets) :]:
        ax.set_axis_off()
    figure.supylabel("accuracy less index")
    _legend(figure, grid[0][0])
    return figure


def correction(corrected: Sequence[Corrected]) -> Figure:
    """A row a data set: the indices and (dashed) their means by chance, then corrected."""
    figure, grid = _panels(len(corrected))
    for (left, right), each in zip(grid, corrected, strict=True):
        for name in ("accuracy", *COLUMNS):
            colour = OF_INDEX[name]
            left.plot(each.numbers, each.observed[name], color=colour, lw=1.2, label=NAMES[name])
            left.plot(each.numbers, each.by_chance[name], color=colour, lw=1.0, ls=(0, (2, 2)))
            right.plot(each.numbers, each.corrected[name], color=colour, lw=1.2)
        _finish(left, f"{each.dataset}: observed, and by chance (dashed)", each.true)
        _finish(right, f"{each.dataset}: corrected for chance", each.true)
        right.axhline(0.0, color="black", lw=0.6)
    _legend(figure, grid[0][0])
    return figure


def irm_by_chance(corrected: Sequence[Corrected]) -> Figure:
    """The share of IRM that clusterings without any relation to the classes have, a line a data set."""
    figure = page_figure(3.8)
    ax = figure.subplots()
    for number, each in enumerate(corrected):
        share = each.by_chance["irm"] / each.observed["irm"]
        ax.plot(each.numbers, share, lw=1.2, color=f"C{number}", label=each.dataset)
    ax.set_ylim(0.0, 1.1)
    ax.axhline(1.0, color="black", lw=0.6)
    ax.set_xlabel("clusters")
    ax.set_ylabel("IRM by chance / IRM")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside right center")
    return figure


def _panels(rows: int) -> tuple[Figure, np.ndarray]:
    """Two panels a row."""
    figure = page_figure(0.6 + 2.1 * rows)
    grid = figure.subplots(rows, 2, sharex=True, sharey=True, squeeze=False)
    for ax in grid[-1]:
        ax.set_xlabel("clusters; dotted: the number of classes")
    return figure, grid


def _legend(figure: Figure, ax: Axes) -> None:
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=7)


def _finish(ax: Axes, title: str, true: int) -> None:
    """Title, and the true number of clusters as a line."""
    ax.axvline(true, color="black", lw=0.6, ls=":")
    ax.set_title(title)
