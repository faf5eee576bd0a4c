"""The study: propositions, random ensembles, eq. 29 on workers, and seven data sets of table 2."""

from collections.abc import Sequence

from experiments.common.runs import Cell, Study
from experiments.zhang_wong_shen_2012.clusterings import RECIPES
from experiments.zhang_wong_shen_2012.datasets import AVAILABLE
from experiments.zhang_wong_shen_2012.paper import N_CLUSTERINGS, N_SAMPLED, N_TRIALS, PROPORTIONS
from experiments.zhang_wong_shen_2012.report import write
from experiments.zhang_wong_shen_2012.unit import evaluate

OBJECTS = (50, 100, 500, 1_000)
PARTITIONS = (5, 20, 50)
CLUSTERS = tuple(range(2, 21))
"""N, L and K of figures 2 and 3, whose own the text does not name."""

LIMITS = (100, 200, 400, 800, 1_600, 3_200, 6_400)
"""N of propositions 2 and 3."""

BLOCKS = (2_000, 50_000)
"""Objects of eq. 29: few enough for whole matrices, and too many."""


def exact_cell(objects: int) -> Cell:
    """What is checked in fractions."""
    return Cell(name="exact", inputs={"experiment": "exact", "objects": objects}, replicates=1)


def limit_cell(N: int, replicates: int) -> Cell:
    """Propositions 2 and 3."""
    inputs = {"experiment": "limits", "N": N, "L": 10, "largest": 10}
    return Cell(name=f"limits/N={N}", inputs=inputs, replicates=replicates)


def curve_cell(N: int, L: int, K: Sequence[int], replicates: int) -> Cell:
    """Figures 2 and 3."""
    inputs = {"experiment": "curves", "N": N, "L": L, "K": list(K)}
    return Cell(name=f"curves/N={N}/L={L}", inputs=inputs, replicates=replicates)


def block_cell(n: int) -> Cell:
    """Eq. 29."""
    inputs = {"experiment": "distributed", "n": n, "L": 10, "largest": 8}
    return Cell(name=f"distributed/n={n}", inputs=inputs, replicates=1)


def clustering_cell(name: str, clusters: str, *, sets: int, clusterings: int, trials: int) -> Cell:
    """Figures 4 and 5: independent sets of clusterings of a data set."""
    inputs = {
        "experiment": "clusterings", "data set": name, "clusters": clusters, "clusterings": clusterings,
        "trials": trials, "sampled": N_SAMPLED,
    }  # fmt: skip
    short = clusters.replace(" to ", "-").replace(" ", "")
    return Cell(name=f"clusterings/{short}/{name}", inputs=inputs, replicates=sets)


def similarity_cell(name: str, draws: int) -> Cell:
    """Figures 6 to 10: draws of what is replaced."""
    inputs = {"experiment": "similarities", "data set": name, "proportions": list(PROPORTIONS)}
    return Cell(name=f"similarities/{name}", inputs=inputs, replicates=draws)


def full_cells() -> tuple[Cell, ...]:
    """Everything; what takes longest comes first."""
    return (
        *(block_cell(n) for n in reversed(BLOCKS)),
        *(
            clustering_cell(name, clusters, sets=2, clusterings=N_CLUSTERINGS, trials=N_TRIALS)
            for name in sorted(AVAILABLE, key=lambda name: name != "UCI-vehicle")
            for clusters in RECIPES
        ),
        *(curve_cell(N, L, CLUSTERS, 10) for N in reversed(OBJECTS) for L in reversed(PARTITIONS)),
        *(similarity_cell(name, 5) for name in AVAILABLE),
        exact_cell(5),
        *(limit_cell(N, 200) for N in LIMITS),
    )


def quick_cells() -> tuple[Cell, ...]:
    """Each experiment in small."""
    return (
        block_cell(2_000),
        *(clustering_cell("UCI-iris", each, sets=1, clusterings=51, trials=2) for each in RECIPES),
        similarity_cell("UCI-iris", 2),
        exact_cell(4),
        *(limit_cell(N, 40) for N in LIMITS[:3]),
        *(curve_cell(N, 5, CLUSTERS, 2) for N in OBJECTS[:2]),
    )


STUDY = Study(
    name="zhang_wong_shen_2012",
    title="Zhang, Wong & Shen (2012): adjusted Rand indices of consensus matrices",
    evaluate=evaluate,
    full=full_cells(),
    quick=quick_cells(),
    write=write,
    seed=2012,
)
