"""Pictures of the study: the map of verdicts, and figures 2 to 10 as the cells have them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from experiments.common.report import COLOURS, page_figure, page_style, save_picture
from experiments.common.runs import Outcome
from experiments.common.verdict import Word
from experiments.zhang_wong_shen_2012.chance import MEASURES
from experiments.zhang_wong_shen_2012.clusterings import RECIPES
from experiments.zhang_wong_shen_2012.datasets import SCALES
from experiments.zhang_wong_shen_2012.held import Finding
from experiments.zhang_wong_shen_2012.paper import DATA_SETS
from experiments.zhang_wong_shen_2012.similarities import BETWEEN, CHOICES
from experiments.zhang_wong_shen_2012.tables import (
    Row,
    correlation,
    curve_rows,
    diversity_rows,
    limit_rows,
    replaced_rows,
    similarity_matrices,
    trial_rows,
)

OF_WORD: dict[Word, str] = {
    "agrees": "#8fc9b0", "differs": "#e07b39", "undecided": "#f3e2a9", "misprint": "#b9a3d0",
    "left out": "#eeeeee", "not reachable": "#d9d9d9",
}  # fmt: skip
SIGNS = {"differs": "×", "undecided": "~", "misprint": "m", "left out": "–", "not reachable": "?"}

SIX = (
    ("#0072b2", "o"), ("#d55e00", "s"), ("#009e73", "^"), ("#cc79a7", "D"), ("#56b4e9", "v"),
    ("#e69f00", "P"),
)  # fmt: skip
"""Colours and marks of the six consensus functions, that stay apart for colour-blind readers."""


@page_style
def write(outcome: Outcome, findings: Sequence[Finding], folder: Path) -> set[str]:
    """The pictures for which there are cells; returns their names."""
    figures: dict[str, Figure] = {"map.png": map_of_verdicts(findings)}
    limits, curves = limit_rows(outcome), curve_rows(outcome)
    if limits:
        figures["limits.png"] = limit_lines(limits)
    if curves:
        figures["figure_2.png"] = measures_by_clusters(curves)
        figures["figure_3.png"] = self_agreement(curves)
    for number, clusters in enumerate(RECIPES):
        trials, diversity = (
            [row for row in rows if row["clusters"] == clusters]
            for rows in (trial_rows(outcome), diversity_rows(outcome))
        )
        if trials:
            figures[f"figure_4{'ab'[number]}.png"] = consensus_medians(trials, clusters)
            figures[f"figure_5{'ab'[number]}.png"] = diversity_lines(diversity, clusters)
    replaced = [row for row in replaced_rows(outcome) if row["choice"] == CHOICES[0]]
    if replaced:
        figures["figure_6.png"] = replaced_lines(replaced)
    matrices = similarity_matrices(outcome, CHOICES[0])
    if matrices:
        for number, measure in enumerate(BETWEEN, start=7):
            figures[f"figure_{number}.png"] = grey_levels(
                measure, {name: found[measure] for name, found in matrices.items()}
            )
    for name, figure in figures.items():
        save_picture(figure, folder / name)
    return set(figures)


def map_of_verdicts(findings: Sequence[Finding]) -> Figure:
    """Above, a cell for each claim that is about no data set; below, a row for each of the others."""
    alone = [each for each in findings if not each.by_set]
    others = [each for each in findings if each.by_set]
    lines = -(-len(alone) // CLAIMS_A_LINE)
    figure = page_figure(2.2 + 0.2 * (lines + len(others)))
    above, below = figure.subplots(2, 1, height_ratios=(lines + 1, len(others) + 1))
    cells = {divmod(k, CLAIMS_A_LINE): each.claim.word for k, each in enumerate(alone)}
    names = {divmod(k, CLAIMS_A_LINE): f"{each.name}  ({each.where})" for k, each in enumerate(alone)}
    _coloured(above, cells, names)
    above.set_xticks([])
    above.set_yticks([])
    above.set_title("What the paper says of measures and of random partitions")
    columns = ["verdict", *DATA_SETS]
    cells = {
        (row, columns.index(column)): word
        for row, each in enumerate(others)
        for column, word in {"verdict": each.claim.word, **each.by_set}.items()
    }
    _coloured(below, cells, {})
    below.axvline(0.5, color="white", linewidth=4.0)
    below.set_xticks(range(len(columns)), [each.removeprefix("UCI-") for each in columns])
    below.set_yticks(range(len(others)), [f"{each.name}  ({each.where})" for each in others])
    below.set_title("What it says of data sets")
    marks = [Patch(color=OF_WORD[word], label=f"{word} {SIGNS.get(word, '')}".strip()) for word in OF_WORD]
    figure.legend(handles=marks, loc="outside lower center", ncols=6, columnspacing=1.0)
    return figure


CLAIMS_A_LINE = 3
"""In the upper part of the map."""


def _coloured(ax: Axes, cells: Mapping[tuple[int, int], Word], names: Mapping[tuple[int, int], str]) -> None:
    """Cells by row and column, coloured by their words, each with the sign of its word, after its name."""
    words = np.full((max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1), np.nan)
    for at, word in cells.items():
        words[at] = list(OF_WORD).index(word)
        text = f"{names.get(at, '')}  {SIGNS.get(word, '')}".strip()
        ax.text(at[1], at[0], text, ha="center", va="center", fontsize=8)
    ax.imshow(
        words, ListedColormap(list(OF_WORD.values())), vmin=-0.5, vmax=len(OF_WORD) - 0.5, aspect="auto"
    )
    for row in range(1, len(words)):
        ax.axhline(row - 0.5, color="white", linewidth=1.0)
    for column in range(1, words.shape[1]):
        ax.axvline(column - 0.5, color="white", linewidth=1.0)


def limit_lines(rows: Sequence[Row]) -> Figure:
    """Propositions 2 and 3: standard deviation and absolute mean by N."""
    figure = page_figure(3.0)
    for ax, measure in zip(figure.subplots(1, 2, sharey=True), ("ARImp", "ARImm"), strict=True):
        mine = [row for row in rows if row["measure"] == measure]
        N = [row["N"] for row in mine]
        ax.loglog(N, [row["deviation"] for row in mine], "o-", color=COLOURS["blue"], label="deviation")
        ax.loglog(N, [abs(row["mean"]) for row in mine], "s", color=COLOURS["orange"], label="abs(mean)")
        first = mine[0]
        ax.loglog(
            N, [first["deviation"] * first["N"] / each for each in N], ":", color=COLOURS["grey"],
            label="proportional to 1/N",
        )  # fmt: skip
        ax.set_title(f"{measure} of uncorrelated ensembles")
        ax.set_xlabel("objects N")
        ax.legend()
    return figure


def _lines_of(rows: Sequence[Row]) -> dict[tuple[int, int], list[Row]]:
    """Rows by N and L."""
    found: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        found.setdefault((row["N"], row["L"]), []).append(row)
    return found


def measures_by_clusters(rows: Sequence[Row]) -> Figure:
    """Figure 2: a panel a measure, a colour an N, a dash an L."""
    lines = _lines_of(rows)
    colours = dict(zip(sorted({N for N, _ in lines}), COLOURS.values(), strict=False))
    dashes = dict(zip(sorted({L for _, L in lines}, reverse=True), ("-", "--", ":"), strict=False))
    figure = page_figure(5.0)
    for ax, measure in zip(figure.subplots(2, 3).flat, MEASURES, strict=True):
        for (N, L), line in lines.items():
            ax.plot(
                [row["K"] for row in line], [row[measure] for row in line], dashes[L], color=colours[N],
                linewidth=1.2, label=f"N = {N:,}, L = {L}",
            )  # fmt: skip
        ax.set_title(measure)
        ax.set_xlabel("clusters K")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    figure.suptitle("Random partitions: means of six measures (figure 2)")
    return figure


def self_agreement(rows: Sequence[Row]) -> Figure:
    """Figure 3: ARImm of an ensemble with itself, mean, deviation and least, beside eq. 35."""
    lines = _lines_of(rows)
    objects, sizes = sorted({N for N, _ in lines}), sorted({L for _, L in lines})
    figure = page_figure(1.0 + 1.7 * len(sizes))
    panels = figure.subplots(len(sizes), len(objects), sharex=True, sharey="row", squeeze=False)
    for (N, L), line in lines.items():
        ax = panels[sizes.index(L), objects.index(N)]
        K = [row["K"] for row in line]
        ax.errorbar(
            K, [row["self"] for row in line], yerr=[row["self deviation"] for row in line], fmt="o-",
            color=COLOURS["blue"], markersize=3, linewidth=1.0, elinewidth=0.7, label="simulated, deviation",
        )  # fmt: skip
        ax.plot(
            K, [row["least self"] for row in line], "v", color=COLOURS["green"], markersize=3, label="least"
        )
        ax.plot(K, [row["equation 35"] for row in line], color=COLOURS["orange"], label="eq. 35")
        ax.set_title(f"N = {N:,}, L = {L}")
    for ax in panels[-1]:
        ax.set_xlabel("K, up to 2K clusters")
        ax.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    figure.suptitle("ARImm of random ensembles with themselves (figure 3)")
    return figure


def _panels(names: Sequence[str]) -> tuple[Figure, dict[str, Axes], Axes]:
    """A panel for each data set, in rows of four, and one more for the legend or the bar of colours."""
    columns = min(4, len(names) + 1)
    lines = -(-(len(names) + 1) // columns)
    figure = page_figure(0.6 + 1.9 * lines)
    panels = figure.subplots(lines, columns, squeeze=False).ravel()
    for ax in panels[len(names) :]:
        ax.set_axis_off()
    for ax in panels[: len(names)]:
        ax.xaxis.set_major_locator(MaxNLocator(3))
        ax.yaxis.set_major_locator(MaxNLocator(4))
    return figure, dict(zip(names, panels, strict=False)), panels[-1]


def _legend(panels: Mapping[str, Axes], ax: Axes) -> None:
    """The legend of the first panel, in a panel of its own."""
    ax.legend(*next(iter(panels.values())).get_legend_handles_labels(), loc="center", frameon=False)


def _names(rows: Sequence[Row]) -> list[str]:
    present = {row["data set"] for row in rows}
    return [name for name in DATA_SETS if name in present]


def consensus_medians(rows: Sequence[Row], clusters: str) -> Figure:
    """Figure 4: the median of each consensus function over the trials, with its quartiles as bars."""
    figure, panels, free = _panels(_names(rows))
    functions = list(dict.fromkeys(row["function"] for row in rows))
    for name, ax in panels.items():
        for function, (colour, mark) in zip(functions, SIX, strict=False):
            mine = [
                row for row in rows if (row["data set"], row["function"], row["set"]) == (name, function, 0)
            ]
            (x, dx), (y, dy) = (_median_and_bars([row[each] for row in mine]) for each in ("ARImp", "ARI"))
            ax.errorbar(
                x, y, xerr=dx, yerr=dy, fmt=mark, color=colour, markersize=5, elinewidth=1.0, label=function
            )
        ax.set_title(name)
    _legend(panels, free)
    figure.supxlabel("ARImp")
    figure.supylabel("ARI")
    figure.suptitle(
        f"Consensus functions, median and quartiles; clusterings of {clusters} clusters (figure 4)"
    )
    return figure


def _median_and_bars(values: Sequence[float]) -> tuple[float, list[list[float]]]:
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
    return float(middle), [[float(middle - low)], [float(high - middle)]]


def diversity_lines(rows: Sequence[Row], clusters: str) -> Figure:
    """Figure 5: ARImm and PNMI of growing groups of the first set of clusterings."""
    figure, panels, free = _panels(_names(rows))
    for name, ax in panels.items():
        mine = [row for row in rows if (row["data set"], row["set"]) == (name, 0)]
        conditions = [row["condition"] for row in mine]
        for column, colour, mark in (("PNMI", "orange", "s-"), ("ARImm", "blue", "o-")):
            ax.plot(conditions, [row[column] for row in mine], mark, color=COLOURS[colour], label=column)
        ax.set_title(f"{name}\nr = {correlation(mine, 'PNMI'):.3f}")
    _legend(panels, free)
    figure.supxlabel("condition")
    figure.suptitle(f"Agreement within growing groups of clusterings of {clusters} clusters (figure 5)")
    return figure


def replaced_lines(rows: Sequence[Row]) -> Figure:
    """Figure 6: ARImp between classes and similarity matrix by the proportion from the classes."""
    figure, panels, free = _panels(_names(rows))
    for name, ax in panels.items():
        for scale, colour, mark in zip(SCALES, ("blue", "orange"), ("o-", "s-"), strict=True):
            mine = [row for row in rows if (row["data set"], row["scale"]) == (name, scale)]
            ax.plot(
                [row["proportion"] for row in mine], [row["ARImp"] for row in mine], mark,
                color=COLOURS[colour], markersize=4, label=scale,
            )  # fmt: skip
        ax.set_title(name)
        ax.set_ylim(0.0, 1.0)
    _legend(panels, free)
    figure.supxlabel("proportion from the classes")
    figure.suptitle("ARImp of similarity matrices with the classes (figure 6)")
    return figure


def grey_levels(measure: str, matrices: Mapping[str, npt.NDArray[np.float64]]) -> Figure:
    """Figures 7 to 10: darker is more similar, on one scale; min-max in the first half, then z-score."""
    figure, panels, free = _panels(list(matrices))
    least = min(float(matrix.min()) for matrix in matrices.values())
    for name, ax in panels.items():
        matrix = matrices[name]
        image = ax.imshow(matrix, cmap="Greys", vmin=least, vmax=1.0)
        half = matrix.shape[0] // 2
        ax.axvline(half - 0.5, color=COLOURS["orange"], linewidth=0.7)
        ax.axhline(half - 0.5, color=COLOURS["orange"], linewidth=0.7)
        ax.set_title(name)
        places = [0, half // 2, half, half + half // 2]
        ax.set_xticks(places, ["0.1", "0.5", "0.1", "0.5"])
        ax.set_yticks(places, ["0.1", "0.5", "0.1", "0.5"])
    bar = figure.colorbar(image, cax=free.inset_axes((0.3, 0.05, 0.12, 0.9)), format="%.4g")
    bar.locator = MaxNLocator(4)
    number = 7 + BETWEEN.index(measure)
    figure.suptitle(
        f"{measure} by the proportions from the classes, {' and then '.join(SCALES)} (figure {number});"
        f" white is {least:.4g}"
    )
    return figure
