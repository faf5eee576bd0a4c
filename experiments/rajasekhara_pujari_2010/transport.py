"""IRM by other solutions of its transportation problem, and as an objective of consensus.

``python -m experiments.rajasekhara_pujari_2010.transport`` writes `results/transport.md` in two minutes.

The credits ``s_ij`` of two clusterings are a transport of the objects from the clusters of one to those of
the other, and IRM is the mean of their similarities ``d_ij``. The paper names two ways to a feasible
transport: the matrix minimum method, which on the costs ``1 - d_ij`` takes the most similar clusters first
and is IRM; and the north-west corner rule, which takes the clusters as they are numbered. The best transport
is found here by linear programming.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from experiments.common.data import load_dataset
from experiments.common.units import generator
from experiments.rajasekhara_pujari_2010.sweep import clusterings, scaled

RESULTS = Path(__file__).parent / "results" / "transport.md"
DATASETS = ("iris", "wine", "glass", "thyroid")
N_RUNS, N_TABLES, SEED = 20, 200, 1

Table = npt.NDArray[np.int64]


def similarities(table: Table) -> npt.NDArray[np.float64]:
    """Jaccard similarity of each two clusters."""
    rows, columns = table.sum(axis=1, keepdims=True), table.sum(axis=0)
    return np.asarray(table / (rows + columns - table))


def north_west(table: Table, rows: Table, columns: Table) -> float:
    """Mean similarity by the north-west corner rule: clusters are spent in the order of their numbers.

    Examples
    --------
    >>> table = np.array([[2, 0], [1, 3]])
    >>> north_west(table, table.sum(axis=1), table.sum(axis=0))  # (2 (2/3) + 1/6 + 3 (3/4)) / 6
    0.625
    """
    d, left, right = similarities(table), rows.astype(float), columns.astype(float)
    i = j = 0
    total = 0.0
    while i < left.size and j < right.size:
        step = min(left[i], right[j])
        total += d[i, j] * step
        left[i] -= step
        right[j] -= step
        i, j = (i + 1, j) if left[i] == 0.0 else (i, j + 1)
    return float(total / rows.sum())


def best_transport(table: Table, rows: Table, columns: Table) -> float:
    """Largest mean similarity of any transport, by SciPy's HiGHS.

    Examples
    --------
    >>> table = np.array([[2, 0], [1, 3]])
    >>> best_transport(table, table.sum(axis=1), table.sum(axis=0))
    0.625
    """
    from scipy.optimize import linprog

    K, Q = table.shape
    of_rows, of_columns = np.kron(np.eye(K), np.ones(Q)), np.kron(np.ones(K), np.eye(Q))
    found = linprog(
        -similarities(table).ravel(),
        A_eq=np.vstack([of_rows, of_columns]),
        b_eq=np.concatenate([rows, columns]),
        method="highs",
    )
    return float(-found.fun / rows.sum())


SOLUTIONS: Mapping[str, str | Callable[..., float]] = {
    "most similar first": "irm",
    "north-west corner": north_west,
    "best": best_transport,
}
"""Ways to the credits, and what `adjust_table` takes for them."""


def entry(name: str) -> str | cc.indices.Index:
    """The index of a way; those that are not in the catalogue run as Python."""
    given = SOLUTIONS[name]
    if isinstance(given, str):
        return given
    return cc.indices.Index(name=name, function=partial(on_labels, given), needs="labels", best=1.0)


def on_labels(way: Callable[..., float], first: Table, second: Table) -> float:
    """A way on two label vectors."""
    table = np.zeros((first.max() + 1, second.max() + 1), dtype=np.int64)
    np.add.at(table, (first, second), 1)
    return way(table, table.sum(axis=1), table.sum(axis=0))


def of_transports(name: str) -> list[list[str]]:
    """Rows for a data set: each way with as many clusters as classes, and with three times as many."""
    data = load_dataset(name)
    classes = np.unique(data.labels, return_inverse=True)[1]
    k = int(classes.max()) + 1
    rows = []
    for n_clusters in (k, 3 * k):
        runs = _runs(name, n_clusters)[:3]
        tables = [cc.contingency_table(each, classes) for each in runs]
        for way in SOLUTIONS:
            scores = [
                cc.adjust_table(each, entry(way), method="monte-carlo", n_tables=N_TABLES, rng=SEED)
                for each in tables
            ]
            parts = ("observed", "expected", "adjusted")
            numbers = [np.mean([getattr(each, part) for each in scores]) for part in parts]
            rows.append([name, str(n_clusters), way, *(f"{number:.3f}" for number in numbers)])
    return rows


def of_consensus(name: str) -> list[str]:
    """Agreement with the classes: of the mean run, of those that agree best with all runs, of a consensus."""
    classes = np.unique(load_dataset(name).labels, return_inverse=True)[1]
    k = int(classes.max()) + 1
    runs = [each for n_clusters in range(2, 2 * k + 1) for each in _runs(name, n_clusters)[:10]]
    found = [float(np.mean([cc.score(classes, each, "adjusted_rand") for each in runs]))]
    for index in ("irm", "rand", "nmi_sum"):
        scores = cc.pairwise(runs, index, rng=SEED, n_tables=N_TABLES, method="auto")
        found.append(cc.score(classes, runs[scores.names.index(scores.medoid)], "adjusted_rand"))
    raw = np.array([[cc.score(one, other, "irm") for other in runs] for one in runs])
    found.append(cc.score(classes, runs[int(raw.mean(axis=1).argmax())], "adjusted_rand"))
    found.append(cc.score(classes, cc.ensembles.consensus_partition(runs, k), "adjusted_rand"))
    return [name, *(f"{number:.3f}" for number in found)]


def _runs(name: str, n_clusters: int) -> list[npt.NDArray[np.int64]]:
    """Runs of k-means on raw variables, as in the study."""
    X, counts = scaled(load_dataset(name).X, "raw"), range(n_clusters, n_clusters + 1)
    streams = (generator(SEED, "transport", name, run) for run in range(N_RUNS))
    return [np.asarray(clusterings(X, counts, "distinct", stream)[0]) for stream in streams]


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table in Markdown."""
    return [f"| {' | '.join(line)} |" for line in (header, ["---"] * len(header), *rows)]


def write(path: Path = RESULTS, names: Sequence[str] = DATASETS) -> None:
    """Both tables."""
    transports = [row for name in names for row in of_transports(name)]
    lines = [
        "# IRM by other transports, and as an objective of consensus",
        "",
        "Written by `python -m experiments.rajasekhara_pujari_2010.transport`. K-means on raw variables.",
        "",
        "Means over three runs; by chance over 200 tables with the same margins each:",
        "",
        *markdown(("data", "clusters", "credits", "observed", "by chance", "corrected"), transports),
        "",
        "Adjusted Rand index with the classes, of ten runs for each number of clusters from 2 to twice that",
        "of the classes: mean of the runs; the run with the largest mean score with all runs, by corrected",
        "IRM, adjusted Rand, corrected NMI, and raw IRM; average linkage of the consensus matrix into as",
        "many clusters as there are classes:",
        "",
        *markdown(
            ("data", "mean run", "IRM, corrected", "ARI", "NMI, corrected", "IRM, raw", "average linkage"),
            [of_consensus(name) for name in names],
        ),
        "",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write()
