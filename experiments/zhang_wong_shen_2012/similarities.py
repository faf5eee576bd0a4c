"""Gaussian similarities that are replaced by the classes, more and more: figures 6 to 10."""

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

from chancecorr.ensembles import arimp
from experiments.common.units import Clock, Inputs, Record, generator
from experiments.zhang_wong_shen_2012.datasets import SCALES, load, scaled

Floats = npt.NDArray[np.float64]

CHOICES = ("shared", "own")
"""Which pairs are replaced, of which the paper says nothing: the first ones of a random order that all
matrices of a data set share, or a random choice for each matrix."""

BETWEEN = ("ARImm", "NSF", "KAS", "sSMS")
"""Measures between two matrices, figures 7 to 10."""


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """The similarity matrices of a data set: two scales, each with growing proportions from the classes.

    Returns by choice ``ARImp``: by scale, a list over the proportions; and each of `BETWEEN`: a matrix over
    all matrices, those of the first scale first.
    """
    name = inputs["data set"]
    with clock("data"):
        objects = load(name, seed)
        truth = pairs_of((objects.classes[:, np.newaxis] == objects.classes).astype(np.float64))
        order = generator(seed, "order", name, replicate).permutation(truth.size)
    found: Record = {}
    for choice in CHOICES:
        found[choice] = {"ARImp": {}}
        rows = []
        for scale in SCALES:
            with clock("similarities"):
                pairs = pairs_of(gaussian(scaled(objects.X, scale)))
            found[choice]["ARImp"][scale] = []
            for proportion in inputs["proportions"]:
                with clock("similarities"):
                    if choice == "own":
                        rng = generator(seed, "replaced", name, scale, str(proportion), replicate)
                        order = rng.permutation(truth.size)
                    rows.append(replaced(pairs, truth, order[: round(proportion * truth.size)]))
                with clock("measures"):
                    value = arimp(square(rows[-1]), objects.classes)
                    found[choice]["ARImp"][scale].append(value)
        with clock("measures"):
            measures = between(np.array(rows))
            found[choice] |= {measure: values.tolist() for measure, values in measures.items()}
    return found


def gaussian(X: Floats) -> Floats:
    """exp(-|x - y|**2 / 2) of each two objects."""
    return np.asarray(np.exp(-cdist(X, X, "sqeuclidean") / 2.0))


def pairs_of(matrix: Floats) -> Floats:
    """Entries i < j, row by row."""
    return np.asarray(matrix[np.triu_indices(matrix.shape[0], 1)])


def square(pairs: Floats) -> Floats:
    """The symmetric matrix of some entries i < j, ones on the diagonal."""
    n = round((1 + (1 + 8 * pairs.size) ** 0.5) / 2)
    matrix = np.eye(n)
    rows, columns = np.triu_indices(n, 1)
    matrix[rows, columns] = matrix[columns, rows] = pairs
    return matrix


def replaced(pairs: Floats, truth: Floats, chosen: npt.NDArray[np.int64]) -> Floats:
    """The entries with those that are chosen, by their numbers, taken from `truth`."""
    found = pairs.copy()
    found[chosen] = truth[chosen]
    return found


def between(rows: Floats) -> dict[str, Floats]:
    """ARImm, NSF, KAS and sSMS of each two of many matrices at once, from products of their entries i < j.

    Returns matrices over the matrices. The same as `arimm` and its relatives on each two, which read every
    matrix anew.
    """
    n_pairs = rows.shape[1]
    n = round((1 + (1 + 8 * n_pairs) ** 0.5) / 2)
    products = rows @ rows.T
    sums = rows.sum(axis=1)
    squares = products.diagonal()
    t3 = np.outer(sums, sums) / n_pairs
    cells = 2.0 * products + n  # over all cells, the diagonal included
    own = cells.diagonal()
    centred = rows - rows.mean(axis=1, keepdims=True)
    covariances = centred @ centred.T
    deviations = np.sqrt(covariances.diagonal())
    apart = np.maximum(2.0 * (squares[:, np.newaxis] + squares - 2.0 * products), 0.0)
    return {
        "ARImm": (products - t3) / ((sums[:, np.newaxis] + sums) / 2.0 - t3),
        "NSF": 1.0 - np.sqrt(apart) / n**2,
        "KAS": cells / np.sqrt(np.outer(own, own)),
        "sSMS": (1.0 + covariances / np.outer(deviations, deviations)) / 2.0,
    }
