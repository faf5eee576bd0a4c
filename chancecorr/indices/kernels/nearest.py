"""The cluster of the other side that is nearest to a cluster, and how similar it is.

``J = x / (n_i + m_j - x)`` is the Jaccard similarity of clusters with x objects in common, ``F = 2 x / (n_i +
m_j)`` their F1 score; each grows with the other. Rows are compared with columns; for the other direction pass
the transposed table. Equal ratios of integers are equal floats, so that ties are found by ``==``:
`best_match` needs the similarity alone, `shared_with_nearest` takes the column with most common objects, and
`orphans` is a maximum matching of rows with their nearest columns.
"""

import math

import numpy as np

from chancecorr.indices.kernels.bipartite import matching_size
from chancecorr.indices.kernels.maxima import clusters
from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel


@kernel
def jaccard_similarity(x: int, source: int, target: int) -> float:
    """Of the objects in either of two clusters, the share in both."""
    return float(x) / float(source + target - x)


@kernel
def best_match(table: Integers, sources: Integers, targets: Integers, i: int, jaccard: bool) -> float:
    """Largest Jaccard similarity, or else F1 score, of row i with a column; 0 for an empty row."""
    best = 0.0
    for j in range(targets.size):
        x = table[i, j]
        if x > 0:
            if jaccard:
                best = max(best, jaccard_similarity(x, sources[i], targets[j]))
            else:
                best = max(best, 2.0 * float(x) / float(sources[i] + targets[j]))
    return best


@kernel
def mean_best_match(table: Integers, sources: Integers, targets: Integers, jaccard: bool) -> float:
    """Mean of `best_match` over the rows that are not empty; nan without any."""
    total = 0.0
    for i in range(sources.size):
        total += best_match(table, sources, targets, i, jaccard)
    count = clusters(sources)
    return total / float(count) if count > 0 else math.nan


@kernel
def shared_with_nearest(table: Integers, sources: Integers, targets: Integers) -> float:
    """Sum over rows of the cell in the nearest column; of several nearest, the largest cell."""
    total = 0.0
    for i in range(sources.size):
        nearest, shared = 0.0, 0
        for j in range(targets.size):
            x = table[i, j]
            if x > 0:
                similarity = jaccard_similarity(x, sources[i], targets[j])
                if similarity > nearest or (similarity == nearest and x > shared):
                    nearest, shared = similarity, x
        total += float(shared)
    return total


@kernel
def orphans(table: Integers, sources: Integers, targets: Integers) -> float:
    """Columns left over by a maximum matching of rows with their nearest columns; nan without objects."""
    if not table.any():
        return math.nan
    nearest = np.zeros(table.shape, np.bool_)
    for i in range(sources.size):
        nearness = best_match(table, sources, targets, i, True)
        for j in range(targets.size):
            x = table[i, j]
            nearest[i, j] = x > 0 and jaccard_similarity(x, sources[i], targets[j]) == nearness
    return float(clusters(targets) - matching_size(nearest))
