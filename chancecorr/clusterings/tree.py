"""Trees: hierarchical clusterings, as SciPy's linkages give them."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.pair_kernels import MATRIX, Gathered
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers


@dataclass(frozen=True, eq=False)
class Tree(Clustering):
    """A hierarchical clustering: the lower a tree joins two objects, the more are they together.

    Parameters
    ----------
    linkage : array-like of shape (n - 1, 4), or a fitted ``AgglomerativeClustering`` of scikit-learn
        As `scipy.cluster.hierarchy.linkage` gives it: in each row the two clusters that are joined, the
        height, and how many objects they have. Heights must not fall. An estimator needs its ``distances_``.
    name : str
        What messages call it.

    Raises
    ------
    ValueError, TypeError
        If it is no such linkage, or an estimator that has not computed its distances.

    Examples
    --------
    >>> tree = Tree([[0, 1, 0.5, 2], [2, 3, 1.0, 3]])
    >>> tree.n, tree.labels(2).tolist()
    (3, [1, 1, 0])
    """

    linkage: Floats
    name: str = "linkage"  # of the argument, for messages
    order: Integers = field(init=False, repr=False)  # leaves from left to right
    times: Integers = field(init=False, repr=False)  # number of the merge that closes the gap after a leaf
    word: ClassVar[str] = "tree"

    if TYPE_CHECKING:  # what is given becomes an array

        def __init__(self, linkage: Any, name: str = "linkage") -> None: ...

    def __post_init__(self) -> None:
        """Check the linkage, and find the order of the leaves."""
        given: Any = self.linkage
        if hasattr(given, "children_"):
            given = _read_estimator(self.name, given)
        try:
            linkage = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            kind = type(self.linkage).__name__
            if isinstance(given, str):
                kind += ". For Newick pass `linkage(heights, 'average')`: heights that join each two leaves"
            raise ArgumentTypeError(
                self.name, f"must be a linkage, as scipy.cluster.hierarchy.linkage makes it; got {kind}."
            ) from None
        wrong = explain_no_linkage(linkage)
        if wrong:
            raise ArgumentValueError(
                self.name, f"must be a linkage as SciPy makes it, shape (n - 1, 4); got {wrong}."
            )
        order, times = _order_leaves(linkage[:, :2].astype(np.int64))
        for name, value in (("linkage", linkage), ("order", order), ("times", times)):
            object.__setattr__(self, name, value)

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.order.size

    @property
    def gaps(self) -> Floats:
        """Height at which a leaf and the next one are joined, shape (n - 1,)."""
        return np.asarray(self.linkage[self.times, 2])

    def labels(self, n_clusters: int) -> Integers:
        """Cluster of each object before the last merges.

        Parameters
        ----------
        n_clusters : int
            How many clusters these merges leave, from 1 to n.

        Returns
        -------
        ndarray of int64, shape (n,)
            Numbers from 0 on.
        """
        labels = np.empty(self.n, dtype=np.int64)
        labels[self.order] = np.concatenate([[0], np.cumsum(self.times >= self.n - n_clusters)])
        return labels

    def gather(self) -> Gathered:
        """Heights at which pairs are joined, each taken from 0."""
        from scipy.cluster.hierarchy import cophenet
        from scipy.spatial.distance import squareform

        return Gathered(MATRIX, matrix=-squareform(cophenet(self.linkage)))

    def part(self, objects: Integers) -> "Tree":
        """The tree of these objects, in this order: others are left out of it."""
        number = np.full(self.n, -1, dtype=np.int64)
        number[objects] = np.arange(len(objects))
        kept = np.flatnonzero(number[self.order] >= 0)
        if kept.size < 2:
            raise ArgumentValueError(self.name, f"must keep two objects; got {kept.size}.")
        times = np.maximum.reduceat(self.times[: kept[-1]], kept[:-1])
        return Tree(_make_linkage(number[self.order[kept]], times, self.linkage[times, 2]), self.name)


def _read_estimator(name: str, estimator: Any) -> Floats:
    """Linkage of an estimator that joins two clusters at a time."""
    if getattr(estimator, "distances_", None) is None:
        raise ArgumentValueError(
            name,
            "must have `distances_` if it is an estimator; got none. Fit it with compute_distances=True.",
        )
    children, n = np.asarray(estimator.children_), len(estimator.children_) + 1
    sizes = np.ones(2 * n - 1)
    for k, pair in enumerate(children):
        sizes[n + k] = sizes[pair].sum()
    return np.column_stack([children, estimator.distances_, sizes[n:]])


def explain_no_linkage(linkage: Floats) -> str:
    """What is wrong with an array that is no linkage; empty if each row joins two clusters that are there."""
    if linkage.ndim != 2 or linkage.shape[1] != 4 or not len(linkage):
        return f"shape {linkage.shape}"
    n, pairs = len(linkage) + 1, linkage[:, :2]
    made = np.arange(n, 2 * n - 1)
    are_clusters = np.isin(pairs, np.arange(2 * n - 1))
    _, inverse, times = np.unique(pairs, return_inverse=True, return_counts=True)
    reasons = (
        (~np.isfinite(linkage).all(axis=1), "numbers that are not finite"),
        (~are_clusters.all(axis=1), f"numbers of clusters other than 0 to {2 * n - 2}"),
        (pairs[:, 0] == pairs[:, 1], "a cluster that is joined with itself"),
        ((pairs >= made[:, np.newaxis]).any(axis=1), "a cluster that is joined before it is made"),
        ((times[inverse.reshape(pairs.shape)] > 1).any(axis=1), "a cluster that is joined twice"),
        (linkage[:, 2] < 0.0, "a height below 0"),
        (np.diff(linkage[:, 2], prepend=linkage[0, 2]) < 0.0, "a height below that of the row before"),
    )
    for rows, reason in reasons:
        if rows.any():
            return f"{reason}, in row {int(rows.argmax())}"
    sizes = [1] * n
    for row, (left, right) in enumerate(pairs.astype(np.int64).tolist()):
        sizes.append(sizes[left] + sizes[right])
        if linkage[row, 3] != sizes[-1]:
            return f"a cluster of {linkage[row, 3]:g} objects where {sizes[-1]} are joined, in row {row}"
    return ""


def _order_leaves(pairs: Integers) -> tuple[Integers, Integers]:
    """Leaves from left to right, and the number of the merge that joins each and the next."""
    n = len(pairs) + 1
    first, last = [*range(n)], [*range(n)]
    after, joined = [-1] * n, [0] * n
    for time, (left, right) in enumerate(pairs.tolist()):
        after[last[left]], joined[last[left]] = first[right], time
        first.append(first[left])
        last.append(last[right])
    order = [first[-1]]
    while after[order[-1]] >= 0:
        order.append(after[order[-1]])
    return np.array(order), np.array(joined)[order[:-1]]


def _make_linkage(order: Integers, times: Integers, heights: Floats) -> Floats:
    """Linkage of a tree from its leaves, and when and at which height each and the next are joined."""
    n = order.size
    cluster, end, start = order.tolist(), [*range(n)], [*range(n)]  # of the run of leaves at a place
    size, rows = [1] * (2 * n - 1), []
    for made, gap in enumerate(np.argsort(times).tolist(), n):
        left, right = start[gap], gap + 1
        pair = sorted((cluster[left], cluster[right]))
        size[made] = size[pair[0]] + size[pair[1]]
        rows.append((*pair, heights[gap], size[made]))
        cluster[left], end[left], start[end[right]] = made, end[right], left
    return np.array(rows, dtype=np.float64)
