"""The study: clusterers on eight data sets, three clusterings of one, mixtures, random partitions."""

from collections.abc import Sequence
from functools import partial

from experiments.common.runs import Cell, Study
from experiments.franti_rezaei_2016.clusterings import SHAPES
from experiments.franti_rezaei_2016.report import write
from experiments.franti_rezaei_2016.unit import evaluate

S_SETS = ("s1", "s2", "s3", "s4")
TABLES = 1_000
TABLES_BIRCH2 = 200
TABLES_QUICK = 100
"""So few that the kernel that draws many side by side does not pay, which takes ten seconds to compile."""

RANDOMNESS = {"three equal": (1_000,) * 3, "three unequal": (2_000, 700, 300), "fifteen": (333,) * 15}


def clustering(data: str, clusterer: str, replicates: int, *, tables: int = TABLES) -> Cell:
    """A clusterer on a data set."""
    few = data in SHAPES
    return Cell(
        name=f"{data}/{clusterer}",
        inputs={
            "kind": "clustering",
            "data": data,
            "clusterer": clusterer,
            "tables": tables,
            "pair": clusterer == "kmeans" and data in S_SETS,
            "labels": replicates if few else 0,
        },
        replicates=replicates,
    )


def three_clusterings(data: str, replicates: int) -> Cell:
    """Figure 2 on a data set."""
    return Cell(
        name=f"figure 2/{data}", inputs={"kind": "three_clusterings", "data": data}, replicates=replicates
    )


def mixtures(data: str, replicates: int) -> Cell:
    """Figure 5 on a data set."""
    return Cell(name=f"mixtures/{data}", inputs={"kind": "mixtures", "data": data}, replicates=replicates)


def drawn_mixtures(overlap: float, replicates: int) -> Cell:
    """Figure 5 on mixtures drawn anew."""
    return Cell(
        name=f"mixtures/overlap {overlap}",
        inputs={"kind": "mixtures", "overlap": overlap, "groups": 12, "n": 1_000},
        replicates=replicates,
    )


def randomness(name: str, sizes: Sequence[int], replicates: int) -> Cell:
    """Figure 8 on a partition."""
    return Cell(
        name=f"randomness/{name}", inputs={"kind": "randomness", "sizes": list(sizes)}, replicates=replicates
    )


def full_cells() -> tuple[Cell, ...]:
    """Long ones first."""
    cells = [clustering("birch2", name, n, tables=TABLES_BIRCH2) for name, n in BIRCH2.items()]
    cells += [mixtures(data, 6) for data in S_SETS]
    cells += [drawn_mixtures(overlap, 15) for overlap in (0.05, 0.1, 0.2)]
    cells += [three_clusterings(data, 60 if data == "s3" else 20) for data in S_SETS]
    for data in (*S_SETS, "unbalance"):
        cells += [clustering(data, name, n) for name, n in SPHERICAL_CLUSTERERS.items()]
    for data in SHAPES:
        cells += [clustering(data, name, n) for name, n in SHAPE_CLUSTERERS.items()]
    cells += [randomness(name, sizes, 20) for name, sizes in RANDOMNESS.items()]
    return tuple(cells)


BIRCH2 = {"random_swap": 3, "ward": 3, "kmeans": 10, "kmeans++": 10, "genetic": 2}
SPHERICAL_CLUSTERERS = {
    "kmeans": 300,
    "kmeans++": 100,
    "repeated_kmeans": 4,
    "random_swap": 10,
    "genetic": 10,
    "ward": 1,
}
SHAPE_CLUSTERERS = {"kmeans": 100, "single_link": 1, "dbscan": 1, "sam": 1, "ward": 1}
"""Replicates of each clusterer; those that draw nothing need one."""


def quick_cells() -> tuple[Cell, ...]:
    """A few of each kind; one after another such that compile different kernels."""
    few = partial(clustering, tables=TABLES_QUICK)
    cells = [few("unbalance", "kmeans", 10), drawn_mixtures(0.2, 3), few("unbalance", "random_swap", 2)]
    cells += [few("s2", "kmeans", 10), few("s2", "kmeans++", 10)]
    cells += [few(data, name, 1) for data in SHAPES for name in ("single_link", "dbscan", "sam")]
    cells += [few(data, "kmeans", 10) for data in SHAPES]
    cells += [randomness("three equal", RANDOMNESS["three equal"], 4)]
    return tuple(cells)


STUDY = Study(
    name="franti_rezaei_2016",
    title="Fränti & Rezaei (2016): the centroid index for centroids, partitions and mixtures",
    evaluate=evaluate,
    full=full_cells(),
    quick=quick_cells(),
    write=write,
    seed=2016,
)
