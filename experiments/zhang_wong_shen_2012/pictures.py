"""Pictures of the study: the map of verdicts, and figures 2 to 10 as the cells have them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from experiments.common.report import COLOURS, save_picture
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
    ("#0072b2", "o"),
    ("#d55e00", "s"),
    ("#009e73", "^"),
    ("#cc79a7", "D"),
    ("#56b4e9", "v"),
    ("#e69f00", "P"),
)
"""Colours and marks of the six consensus functions, that stay apart for colour-blind readers."""


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
    """A row a claim; the first column is the verdict, the others are data sets where it is about them."""
    columns = ["verdict", *DATA_SETS]
    shown = list(OF_WORD)
    words = np.full((len(findings), len(columns)), np.nan)
    figure = Figure(figsize=(7.2, 1.6 + 0.19 * len(findings)), layout="constrained")
    ax = figure.subplots()
    for row, finding in enumerate(findings):
        for column, word in {"verdict": finding.claim.word, **finding.by_set}.items():
            at = columns.index(column)
            words[row, at] = shown.index(word)
            ax.text(at, row, SIGNS.get(word, ""), ha="center", va="center", fontsize=8)
    colours = ListedColormap(list(OF_WORD.values()))
    ax.imshow(words, cmap=colours, vmin=-0.5, vmax=len(shown) - 0.5, aspect="auto")
    ax.axvline(0.5, color="white", linewidth=4.0)
    ax.set_xticks(range(len(columns)), columns, rotation=90, fontsize=8)
    ax.set_yticks(range(len(findings)), [f"{each.name}  ({each.where})" for each in findings], fontsize=8)
    ax.set_title("What the paper says, by data set where it is about them", fontsize=9)
    marks = [Patch(color=OF_WORD[word], label=f"{word} {SIGNS.get(word, '')}".strip()) for word in shown]
    figure.legend(handles=marks, loc="outside lower center", ncols=3, fontsize=8)
    return figure


def limit_lines(rows: Sequence[Row]) -> Figure:
    """Propositions 2 and 3: standard deviation and absolute mean by N."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
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
        ax.set_title(f"{measure} of uncorrelated ensembles", fontsize=10)
        ax.set_xlabel("objects N")
        ax.legend(fontsize=8)
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
    figure = Figure(figsize=(11, 6.4), layout="constrained")
    for ax, measure in zip(figure.subplots(2, 3).flat, MEASURES, strict=True):
        for (N, L), line in lines.items():
            ax.plot(
                [row["K"] for row in line], [row[measure] for row in line], dashes[L], color=colours[N],
                linewidth=1.2, label=f"N = {N:,}, L = {L}",
            )  # fmt: skip
        ax.set_title(measure, fontsize=10)
        ax.set_xlabel("clusters K")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=8)
    figure.suptitle("Random partitions: means of six measures (figure 2)")
    return figure


def self_agreement(rows: Sequence[Row]) -> Figure:
    """Figure 3: ARImm of an ensemble with itself, mean, deviation and least, beside eq. 35."""
    lines = _lines_of(rows)
    objects, sizes = sorted({N for N, _ in lines}), sorted({L for _, L in lines})
    figure = Figure(figsize=(2.6 * len(objects) + 1, 2.2 * len(sizes) + 1), layout="constrained")
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
        ax.set_title(f"N = {N:,}, L = {L}", fontsize=9)
    for ax in panels[-1]:
        ax.set_xlabel("K, up to 2K clusters")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8)
    figure.suptitle("ARImm of random ensembles with themselves (figure 3)")
    return figure


def _panels(names: Sequence[str], *, size: float = 2.9) -> tuple[Figure, dict[str, Axes]]:
    """A panel for each data set, in rows of four."""
    columns = min(4, len(names))
    lines = -(-len(names) // columns)
    figure = Figure(figsize=(max(size * columns, 5.5), size * lines + 0.8), layout="constrained")
    panels = figure.subplots(lines, columns, squeeze=False)
    for ax in panels.flat[len(names) :]:
        ax.set_axis_off()
    return figure, dict(zip(names, panels.flat, strict=False))


def _names(rows: Sequence[Row]) -> list[str]:
    present = {row["data set"] for row in rows}
    return [name for name in DATA_SETS if name in present]


def consensus_medians(rows: Sequence[Row], clusters: str) -> Figure:
    """Figure 4: the median of each consensus function over the trials, with its quartiles as bars."""
    figure, panels = _panels(_names(rows))
    functions = list(dict.fromkeys(row["function"] for row in rows))
    for name, ax in panels.items():
        for function, (colour, mark) in zip(functions, SIX, strict=False):
            mine = [
                row for row in rows if (row["data set"], row["function"], row["set"]) == (name, function, 0)
            ]
            (x, dx), (y, dy) = (_median_and_bars([row[each] for row in mine]) for each in ("ARImp", "ARI"))
            ax.errorbar(
                x, y, xerr=dx, yerr=dy, fmt=mark, color=colour, markersize=7, elinewidth=1.0, label=function
            )
        ax.set_title(name, fontsize=10)
        ax.set_xlabel("ARImp", fontsize=9)
        ax.set_ylabel("ARI", fontsize=9)
    handles, labels = next(iter(panels.values())).get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6, fontsize=9)
    figure.suptitle(
        f"Consensus functions, median and quartiles; clusterings of {clusters} clusters (figure 4)"
    )
    return figure


def _median_and_bars(values: Sequence[float]) -> tuple[float, list[list[float]]]:
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
    return float(middle), [[float(middle - low)], [float(high - middle)]]


def diversity_lines(rows: Sequence[Row], clusters: str) -> Figure:
    """Figure 5: ARImm and PNMI of growing groups of the first set of clusterings."""
    figure, panels = _panels(_names(rows))
    for name, ax in panels.items():
        mine = [row for row in rows if (row["data set"], row["set"]) == (name, 0)]
        conditions = [row["condition"] for row in mine]
        for column, colour, mark in (("PNMI", "orange", "s-"), ("ARImm", "blue", "o-")):
            ax.plot(conditions, [row[column] for row in mine], mark, color=COLOURS[colour], label=column)
        ax.set_title(f"{name}, r = {correlation(mine, 'PNMI'):.3f}", fontsize=10)
        ax.set_xlabel("condition", fontsize=8)
    handles, labels = next(iter(panels.values())).get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=8)
    figure.suptitle(f"Agreement within growing groups of clusterings of {clusters} clusters (figure 5)")
    return figure


def replaced_lines(rows: Sequence[Row]) -> Figure:
    """Figure 6: ARImp between classes and similarity matrix by the proportion from the classes."""
    figure, panels = _panels(_names(rows))
    for name, ax in panels.items():
        for scale, colour, mark in zip(SCALES, ("blue", "orange"), ("o-", "s-"), strict=True):
            mine = [row for row in rows if (row["data set"], row["scale"]) == (name, scale)]
            ax.plot(
                [row["proportion"] for row in mine], [row["ARImp"] for row in mine], mark,
                color=COLOURS[colour], markersize=4, label=scale,
            )  # fmt: skip
        ax.set_title(name, fontsize=10)
        ax.set_xlabel("proportion from the classes", fontsize=8)
        ax.set_ylim(0.0, 1.0)
    handles, labels = next(iter(panels.values())).get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=8)
    figure.suptitle("ARImp of similarity matrices with the classes (figure 6)")
    return figure


def grey_levels(measure: str, matrices: Mapping[str, npt.NDArray[np.float64]]) -> Figure:
    """Figures 7 to 10: darker is more similar, on one scale; min-max in the first half, then z-score."""
    figure, panels = _panels(list(matrices), size=2.6)
    least = min(float(matrix.min()) for matrix in matrices.values())
    for name, ax in panels.items():
        matrix = matrices[name]
        image = ax.imshow(matrix, cmap="Greys", vmin=least, vmax=1.0)
        half = matrix.shape[0] // 2
        ax.axvline(half - 0.5, color=COLOURS["orange"], linewidth=0.7)
        ax.axhline(half - 0.5, color=COLOURS["orange"], linewidth=0.7)
        ax.set_title(name, fontsize=10)
        places = [0, half // 2, half, half + half // 2]
        ax.set_xticks(places, ["0.1", "0.5", "0.1", "0.5"], fontsize=8)
        ax.set_yticks(places, ["0.1", "0.5", "0.1", "0.5"], fontsize=8)
    figure.colorbar(image, ax=list(panels.values()), shrink=0.6, format="%.4g")
    number = 7 + BETWEEN.index(measure)
    halves = " and ".join(SCALES)
    figure.suptitle(f"{measure} by the proportions from the classes; {halves} (figure {number})")
    return figure
