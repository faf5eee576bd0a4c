"""Dendrogram purity: mean purity of the smallest clusters of a tree with two objects of one class."""

import math
from functools import partial

import numpy as np

from chancecorr.clusterings.clustering import (
    Agreement,
    Clustering,
    Partition,
    index_of_clusterings,
    leave_undefined,
)
from chancecorr.clusterings.tree import Tree
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers


def agree_by_purity(P: Clustering, Q: Clustering) -> Agreement:
    """Compute the agreement of a tree and labels, in either order, with its exact mean over permutations.

    A merge of clusters with l and r objects of a class joins l r pairs of them; c / size is their share in
    its node, which joins more clusters where heights are equal. Under permutations ``E[l r c]`` follows from
    the factorial moments of l, r and c - l - r.
    """
    tree, labels = (P, Q) if isinstance(P, Tree) else (Q, P)
    if not (isinstance(tree, Tree) and isinstance(labels, Partition)):
        raise ArgumentValueError(
            "index",
            f"must take {P.word} and {Q.word}; 'dendrogram_purity' takes a tree and labels.",
        )
    n, sizes = labels.n, np.bincount(labels.codes).astype(np.float64)
    pairs = float((sizes * (sizes - 1.0)).sum()) / 2.0
    if not pairs:
        return leave_undefined()
    start, middle, stop = tree.spans
    joined = (middle - start).astype(np.float64) * (stop - middle)
    begin, end = start[tree.nodes], stop[tree.nodes]
    node_sizes = (end - begin).astype(np.float64)

    def sums(permutations: Integers) -> Floats:
        if tree is Q:  # an object of P is the leaf that its permutation names
            permutations = np.argsort(permutations, axis=1)
        codes, total = labels.codes[permutations][:, tree.order], np.zeros(len(permutations))
        before = np.zeros((len(permutations), n + 1))
        for label in np.flatnonzero(sizes > 1.0):
            np.cumsum(codes == label, axis=1, out=before[:, 1:])
            at = partial(np.take, before, axis=1)
            pairs_joined = (at(middle) - at(start)) * (at(stop) - at(middle))
            total += (pairs_joined * (at(end) - at(begin)) / node_sizes).sum(axis=1)
        return total / pairs

    two = float((sizes * (sizes - 1.0)).sum()) / (n * (n - 1.0))
    three = float((sizes * (sizes - 1.0) * (sizes - 2.0)).sum()) / (n * (n - 1.0) * max(n - 2.0, 1.0))
    means = joined * ((node_sizes - 2.0) * three + 2.0 * two) / node_sizes
    return Agreement(
        observed=float(sums(np.arange(n)[np.newaxis])[0]),
        expected=math.fsum(means) / pairs,
        sums=sums,
        nanoseconds=20.0 * n * sizes.size,
    )


DENDROGRAM_PURITY = index_of_clusterings(
    name="dendrogram_purity",
    about="Mean share of their class in the smallest cluster of a tree that holds two objects of one class.",
    formula=r"\frac{1}{\sum_k \binom{n_k}{2}} \sum_k \sum_{i<j \in k} \frac{n_{k, C(i, j)}}{|C(i, j)|}",
    source="Heller & Ghahramani (2005), doi:10.1145/1102351.1102389",
    takes=("labels", "tree"),
    function=agree_by_purity,
)
