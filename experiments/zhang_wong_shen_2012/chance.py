"""Random ensembles: figures 2 and 3, propositions 2 to 4."""

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from experiments.common.units import Clock, Inputs, Record, generator
from experiments.zhang_wong_shen_2012.ensembles import numbers_of_clusters, random_partitions
from experiments.zhang_wong_shen_2012.sums import compute_nmi, sums_of_tables

MEASURES = ("ANMI", "ARImp", "ARImm", "NSF", "KAS", "sSMS")
"""Those of figure 2, in its order."""


def curves(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A curve of each measure over the number of clusters K, of random partitions.

    Returns each measure of figure 2 as a list over K; ``self``, ARImm of an ensemble with itself, figure 3;
    ``given``, the limit of `of_ensemble` for its numbers of clusters.
    """
    N, L = inputs["N"], inputs["L"]
    rng = generator(seed, "curves", N, L, replicate)
    found: dict[str, list[float]] = {name: [] for name in (*MEASURES, "self", "given")}
    for K in inputs["K"]:
        with clock("partitions"):
            truth = rng.integers(0, K, N)
            sizes = numbers_of_clusters(2 * K, L, rng)
            partitions = random_partitions(N, sizes, rng)
            others = random_partitions(N, numbers_of_clusters(2 * K, L, rng), rng)
        with clock("consensus matrices"):
            P, Q = cc.ensembles.consensus_matrix(partitions), cc.ensembles.consensus_matrix(others)
        with clock("measures"):
            found["ANMI"].append(float(compute_nmi(partitions, truth[np.newaxis]).mean()))
            found["ARImp"].append(cc.ensembles.arimp(P, truth))
            found["ARImm"].append(cc.ensembles.arimm(P, Q))
            for name, value in compare_matrices(P, Q).items():
                found[name].append(value)
            found["self"].append(cc.ensembles.arimm(P, P))
        found["given"].append(of_ensemble(sizes))
    return found


def compare_matrices(P: npt.NDArray[np.float64], Q: npt.NDArray[np.float64]) -> dict[str, float]:
    """Measures of two consensus matrices that are not adjusted: eq. 8, 9, and 10 to 11."""
    pairs = np.triu_indices(len(P), 1)
    deviations = (side[pairs] - side[pairs].mean() for side in (P, Q))
    return {
        "NSF": 1.0 - float(np.linalg.norm(P - Q)) / len(P) ** 2,
        "KAS": find_cosine(P, Q),
        "sSMS": (1.0 + find_cosine(*deviations)) / 2.0,
    }


def find_cosine(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> float:
    """Cosine of two arrays that are read as vectors."""
    return float((x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()))


def limits(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """ARImp and ARImm of uncorrelated ensembles, exact, of many objects: propositions 2 and 3.

    Returns ``ARImp`` and ``ARImm``.
    """
    N, L, largest = inputs["N"], inputs["L"], inputs["largest"]
    rng = generator(seed, "limits", N, replicate)
    with clock("partitions"):
        P, Q, truth = (
            random_partitions(N, numbers_of_clusters(largest, count, rng), rng) for count in (L, L, 1)
        )
    with clock("tables"):
        return {
            "ARImp": float(sums_of_tables(P, truth).adjusted(N)),
            "ARImm": float(sums_of_tables(P, Q).adjusted(N)),
        }


def equation_35(largest: int, L: int) -> float:
    """The paper's value of ARImm(M, M) for L random partitions into 2 to `largest` clusters."""
    alpha, beta = means_of_powers(range(2, largest + 1))
    return (alpha - beta) / (L * (alpha - alpha**2))


def second_line_of_equation_35(largest: int, L: int) -> float:
    """Its second line as printed, with the square of a sum where eq. 33 has a sum of squares."""
    alpha, _ = means_of_powers(range(2, largest + 1))
    return (alpha / L - alpha**2) / (alpha - alpha**2)


def of_ensemble(sizes: list[int]) -> float:
    """The limit of ARImm(M, M) for many objects, given the numbers of clusters: eq. 33 over eq. 34."""
    alpha, beta = means_of_powers(sizes)
    return (alpha - beta) / (len(sizes) * (alpha - alpha**2))


def means_of_powers(sizes: list[int] | range) -> tuple[float, float]:
    """Alpha and beta of eq. 36 and 37: means of 1 / k and of 1 / k**2."""
    reciprocals = 1.0 / np.array(sizes)
    return float(reciprocals.mean()), float((reciprocals**2).mean())
