"""Robinson-Foulds distance: share of the clades of two rooted trees that only one of the trees has.

A clade is the set of the leaves below an inner node other than the root. Clusters that are joined at one
height form one node, so that a node may have more than two children. Clades of a tree are intervals of its
leaves from left to right: a permuted tree is compared in a time that is linear in the number of leaves (Day
1985, doi:10.1007/BF01908061, has the same idea).
"""

import numpy as np

from chancecorr.clusterings.clustering import Agreement, Clustering, index_of_clusterings, leave_undefined
from chancecorr.clusterings.tree import Tree
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers

MAX_NESTED_PAIRS = 2_000_000  # pairs of nested clades that the exact variance lists; a list takes 32 MB


def agree_by_clades(P: Clustering, Q: Clustering) -> Agreement:
    """Compute the agreement of two trees, with its exact mean and variance over permutations of the leaves.

    Of s different numbers with a given sum, consecutive numbers have the smallest sum of squares. Therefore
    the sums of a clade's positions in the other tree, and of their squares, tell exactly if the positions are
    an interval; these sums are differences of cumulative sums, and fit into int64 for a million leaves.
    """
    if not (isinstance(P, Tree) and isinstance(Q, Tree)):
        raise ArgumentValueError(
            "index", f"must take {P.word} and {Q.word}; 'robinson_foulds' takes two trees."
        )
    n, (start, stop), (first, last) = P.n, find_clades(P), find_clades(Q)
    sizes, others = stop - start, last - first
    total = sizes.size + others.size
    if not total:
        return leave_undefined()
    place = np.empty(n, dtype=np.int64)  # of each leaf in Q, from left to right
    place[Q.order] = np.arange(n)
    clades_of_Q = first * n + others

    def sums(permutations: Integers) -> Floats:
        m, places = len(permutations), place[permutations[:, P.order]]
        before = np.zeros((2, m, n + 1), dtype=np.int64)
        np.cumsum(places, axis=1, out=before[0, :, 1:])
        np.cumsum(places**2, axis=1, out=before[1, :, 1:])
        of_places, of_squares = before[:, :, stop] - before[:, :, start]
        low, rest = np.divmod(of_places - sizes * (sizes - 1) // 2, sizes)
        squares = add_squares(low + sizes - 1) - add_squares(low - 1)
        draw, clade = np.nonzero((rest == 0) & (of_squares == squares))
        is_shared = np.isin(low[draw, clade] * n + sizes[clade], clades_of_Q)
        return (total - 2.0 * np.bincount(draw[is_shared], minlength=m)) / total

    shared, variance = find_moments(n, (start, sizes), (first, others))
    return Agreement(
        observed=float(sums(np.arange(n)[np.newaxis])[0]),
        expected=(total - 2.0 * shared) / total,
        variance=4.0 * variance / total**2,
        sums=sums,
        nanoseconds=150.0 * n,
    )


def find_clades(tree: Tree) -> tuple[Integers, Integers]:
    """Return the clades of a tree: begin and end of each in the order of its leaves."""
    start, _, stop = tree.spans
    merges = np.arange(tree.n - 1)
    is_clade = (tree.nodes == merges) & (merges < tree.n - 2)  # the last merge makes the root
    return start[is_clade], stop[is_clade]


def add_squares(last: Integers) -> Integers:
    """Return ``1 + 4 + 9 + ... + last**2``."""
    return last * (last + 1) * (2 * last + 1) // 6


def find_moments(n: int, *trees: tuple[Integers, Integers]) -> tuple[float, float]:
    """Find mean and variance of the number of shared clades; the variance is nan if it takes too many pairs.

    A random permutation takes a clade of s leaves to a given clade of s leaves with probability ``1 / C(n,
    s)``. Two clades of s and t leaves are nested or disjoint. The permutation takes them to two given clades
    that are nested with probability ``1 / (C(n, s) C(s, t))``, and to two given clades that are disjoint with
    probability ``1 / (C(n, s) C(n - s, t))``.
    """
    from scipy.special import gammaln

    log_factorials = gammaln(np.arange(n + 1) + 1.0)
    s = np.intersect1d(trees[0][1], trees[1][1])  # sizes that both trees have
    t = s[:, np.newaxis]
    counts = [np.bincount(sizes, minlength=n)[s].astype(np.float64) for _, sizes in trees]
    chances = np.exp(log_factorials[s] + log_factorials[n - s] - log_factorials[n])
    mean = float((counts[0] * counts[1] * chances).sum())
    counted = (count_nested(start, sizes, s) for start, sizes in trees)
    nested = [pairs for pairs in counted if pairs is not None]
    if len(nested) < 2:
        return mean, np.nan
    logs = log_factorials[t] - log_factorials[n]
    log_nested = logs + log_factorials[np.maximum(s - t, 0)] + log_factorials[n - s]
    log_disjoint = logs + log_factorials[s] + log_factorials[np.maximum(n - s - t, 0)]
    disjoint = [
        np.outer(count, count) - np.diag(count) - within - within.T
        for count, within in zip(counts, nested, strict=True)
    ]
    of_pairs = 2.0 * nested[0] * nested[1] * np.exp(np.where(s > t, log_nested, -np.inf))
    of_pairs += disjoint[0] * disjoint[1] * np.exp(np.where(s + t <= n, log_disjoint, -np.inf))
    return mean, max(mean + float(of_pairs.sum()) - mean**2, 0.0)


def count_nested(start: Integers, sizes: Integers, common: Integers) -> Floats | None:
    """Count nested pairs of clades by the sizes of the inner (row) and outer clade; None if too many."""
    order = np.lexsort((-sizes, start))
    start, sizes = start[order], sizes[order]
    within = (
        np.searchsorted(start, start + sizes) - np.arange(start.size) - 1
    )  # they follow their outer clade
    n_pairs = int(within.sum())
    if n_pairs > MAX_NESTED_PAIRS:
        return None
    outer = np.repeat(np.arange(start.size), within)
    inner = np.arange(n_pairs) - np.repeat(np.cumsum(within) - within, within) + outer + 1
    counts = np.zeros((common.size, common.size))
    is_common = np.isin(sizes, common)
    kept = is_common[inner] & is_common[outer]
    rows, columns = (np.searchsorted(common, sizes[each[kept]]) for each in (inner, outer))
    np.add.at(counts, (rows, columns), 1.0)
    return counts


ROBINSON_FOULDS = index_of_clusterings(
    name="robinson_foulds",
    aliases=("rf_distance", "normalized_robinson_foulds"),
    about="Share of the clades of two rooted trees that only one of them has.",
    formula=r"\frac{c_1 + c_2 - 2 s}{c_1 + c_2}, \quad c_1, c_2 \text{ the numbers of clades other than"
    r" single leaves and all leaves}, \quad s \text{ the number of clades that both trees have}",
    best=0.0,
    source="Robinson & Foulds (1981), doi:10.1016/0025-5564(81)90043-2",
    notes="Normalized; the number of clades is the value times c_1 + c_2. Trees are rooted: a linkage has"
    " a root, and the outermost brackets of a Newick text are one. Branch lengths only tell which clusters"
    " are joined at one height. Programs that compare bipartitions of unrooted trees give other values.",
    takes=("tree",),
    function=agree_by_clades,
)
