"""Test if neighbours share a label more often than by chance; free permutations are then the wrong model."""

import math
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from chancecorr.clusterings.indices.graphs_and_maps import place_edges, read_edges
from chancecorr.machine.arguments import ArgumentValueError, as_count, explain_call
from chancecorr.machine.arrays import Integers
from chancecorr.machine.notes import Note
from chancecorr.tables.crosstab import number_labels
from chancecorr.tables.names import ObjectNames
from chancecorr.tables.objects import number_parts
from chancecorr.tables.reading import read_side

LEAST_Z = 3.0  # standard deviations from which on a note says that neighbours are alike


class NeighbourAgreement(NamedTuple):
    """Share of neighbouring pairs with the same label, its expected value, and the standardized difference.

    Parameters
    ----------
    observed, expected : float
        Observed and expected share of the pairs of neighbours with the same label, in [0, 1].
    z : float
        Difference in standard deviations; nan if the share is constant.

    Examples
    --------
    >>> neighbour_agreement([0, 0, 1, 1], [(0, 1), (2, 3)]).observed
    1.0
    """

    observed: float
    expected: float
    z: float


@explain_call
def neighbour_agreement(labels: Any, neighbours: Any) -> NeighbourAgreement:
    """Compare how often neighbours share a label with the expected share under permuted labels.

    Parameters
    ----------
    labels : array-like of shape (n,), {object: label}, or sets of objects
        Labels of the objects, matched with the nodes of a graph by name if both have names.
    neighbours : tuple of int, array-like of shape (pairs, 2), sparse array, or graph of networkx or igraph
        Shape of a grid whose cells are the objects, in the order of ``image.ravel()``; or the pairs of
        neighbours, as edges between the objects 0 to n - 1.

    Returns
    -------
    NeighbourAgreement
        ``(observed, expected, z)``: the share of pairs of neighbours with the same label; its exact expected
        value under permutations; and their difference in exact standard deviations (nan if the share is
        constant). If z exceeds about 3 for both clusterings, p-values from free permutations are too small.

    Raises
    ------
    ValueError
        If the pairs are empty, or contain other objects.

    References
    ----------
    .. [1] Moran (1948), The interpretation of statistical maps, J. R. Stat. Soc. B 10, 243-251.

    Examples
    --------
    >>> neighbour_agreement([0, 0, 0, 1, 1, 1], (6,))
    NeighbourAgreement(observed=0.8, expected=0.4, z=1.825741858350554)
    """
    side, objects = read_side("labels", labels)
    codes, _ = number_parts("labels", side)
    pairs = list_neighbours(neighbours, objects)
    if not len(pairs) or pairs.max() >= codes.size:
        raise ArgumentValueError(
            "neighbours", f"must be pairs of the {codes.size} objects; got {len(pairs)} pairs."
        )
    return compare_neighbours(codes, pairs)


def list_neighbours(neighbours: Any, objects: ObjectNames | None = None) -> Integers:
    """Return the pairs of neighbours as positions of objects, shape (pairs, 2), each pair once."""
    if isinstance(neighbours, tuple) and all(isinstance(length, Integral) for length in neighbours):
        grid = np.arange(math.prod(as_count("neighbours", length) for length in neighbours)).reshape(
            neighbours
        )
        if objects is not None and not objects.has_order:
            raise ArgumentValueError(
                "neighbours",
                "must name the objects as `labels` does; got the shape of a grid. Pass labels as an array in"
                " the order of the cells, or a graph whose nodes are the objects.",
                "labels",
            )
        sides = (np.moveaxis(grid, axis, 0) for axis in range(grid.ndim))
        return np.concatenate([np.column_stack([x[:-1].ravel(), x[1:].ravel()]) for x in sides])
    edges = read_edges("neighbours", neighbours)
    if objects is not None:
        edges = place_edges("neighbours", edges, objects)
    return np.column_stack([edges.first, edges.second])


def compare_neighbours(codes: Integers, pairs: Integers) -> NeighbourAgreement:
    """Return the share of pairs with equal codes, its mean under permutations, and the z-score."""
    n, m, sizes = codes.size, len(pairs), np.bincount(codes).astype(np.float64)
    same = float(np.mean(codes[pairs[:, 0]] == codes[pairs[:, 1]]))
    two, three = sizes * (sizes - 1), sizes * (sizes - 1) * (sizes - 2)
    of_two, of_three = two.sum() / (n * (n - 1)), three.sum() / max(n * (n - 1) * (n - 2), 1)
    # two pairs with a common object are a draw of three objects, other two pairs a draw of four
    of_four = (two.sum() ** 2 - (two**2).sum() + (three * (sizes - 3)).sum()) / max(
        n * (n - 1) * (n - 2) * (n - 3), 1
    )
    degrees = np.bincount(pairs.ravel(), minlength=n).astype(np.float64)
    touching = (degrees * (degrees - 1)).sum()
    apart = m * (m - 1.0) - touching
    variance = (m * of_two + touching * of_three + apart * of_four) / m**2 - of_two**2
    z = float(same - of_two) / math.sqrt(variance) if variance > 1e-15 else math.nan
    return NeighbourAgreement(same, float(of_two), z)


def note_neighbours(pairs: Integers, first: Integers, second: Integers) -> list[Note]:
    """List the note that neighbours are alike in both clusterings; empty if they are not."""
    if not len(pairs) or pairs.max() >= first.size:
        return []
    z = [compare_neighbours(number_labels(codes)[0], pairs).z for codes in (first, second)]
    if not min(z) >= LEAST_Z:
        return []
    text = (
        "neighbours share a label more often than by chance in both clusterings"
        f" (z = {z[0]:.1f} and {z[1]:.1f}): p-values from permutations of all objects are too small; pass"
        " `model=`, such as chancecorr.chance.torus, spins, or Draws"
    )
    return [Note("alike neighbours", text)]
