"""Trees: hierarchical clusterings from SciPy's linkages or Newick texts."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.pair_kernels import MATRIX, Gathered
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers, refuse_masked
from chancecorr.tables.names import sort_objects

TOKEN = re.compile(r"'(?:[^']|'')*'?|\[[^]]*\]?|[^\s()\[\],:;']+|[]:(),;]")
"""A name in quotes, a comment, a word or a mark of a Newick text; names and comments may be unfinished."""

MAX_DIGITS_OF_A_NUMBER = 20  # of a leaf name that counts as a whole number; 2**64 has 20 digits
FALLING_HEIGHT = "a height below the height of the row before"


@dataclass(frozen=True, eq=False)
class Tree(Clustering):
    """A hierarchical clustering; two objects are together to a higher degree if they are joined lower.

    Parameters
    ----------
    linkage : array-like of shape (n - 1, 4), a fitted ``AgglomerativeClustering`` of scikit-learn, or str
        A linkage as in `scipy.cluster.hierarchy.linkage`: each row has the two clusters that are joined, the
        height, and their number of objects. Heights must not fall; clusters that are joined at one height
        form one node. An estimator needs its ``distances_``.
        A text is a tree in Newick format: the height of a node is the length of the longest path down to a
        leaf, and a branch without a length has length 1. The leaves are matched with the other side by their
        names; if the other side has no names, the leaves must be its positions, 0 to n - 1.
    name : str
        Name in messages.

    Raises
    ------
    ValueError, TypeError
        If `linkage` is not such a linkage or text, or an estimator without distances.

    Examples
    --------
    >>> tree = Tree([[0, 1, 0.5, 2], [2, 3, 1.0, 3]])
    >>> tree.n, tree.labels(2).tolist()
    (3, [1, 1, 0])
    >>> Tree("((a:1,b:1):0.5,c:1.5);").linkage.tolist()
    [[0.0, 1.0, 1.0, 2.0], [2.0, 3.0, 1.5, 3.0]]
    """

    linkage: Any  # converted to an array of float64
    name: str = "linkage"  # of the argument, for messages
    order: Integers = field(init=False, repr=False)  # leaves from left to right
    times: Integers = field(init=False, repr=False)  # number of the merge that closes the gap after a leaf
    objects: Any = field(default=None, init=False, repr=False)  # names of the leaves, or None
    word: ClassVar[str] = "tree"

    def __post_init__(self) -> None:
        """Check the linkage, and find the order of the leaves."""
        given: Any = self.linkage
        if isinstance(given, str):
            given, objects = _read_newick(self.name, given)
            object.__setattr__(self, "objects", objects)
        elif hasattr(given, "children_"):
            given = _read_estimator(self.name, given)
        refuse_masked(self.name, given)
        try:
            linkage = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            rule = "must be a linkage, as scipy.cluster.hierarchy.linkage makes it"
            raise ArgumentTypeError(self.name, f"{rule}; got {type(given).__name__}.") from None
        wrong = explain_no_linkage(linkage)
        if wrong:
            rule = "must be a linkage as SciPy makes it, shape (n - 1, 4)"
            way = ""
            if wrong.startswith(FALLING_HEIGHT):
                rule = "must have heights that do not fall"
                way = " Methods 'centroid' and 'median' give such trees: use another method, as 'average'."
            raise ArgumentValueError(self.name, f"{rule}; got {wrong}.{way}")
        order, times = _order_leaves(linkage[:, :2].astype(np.int64))
        for name, value in (("linkage", linkage), ("order", order), ("times", times)):
            object.__setattr__(self, name, value)

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.order.size

    @property
    def nodes(self) -> Integers:
        """Number of the last merge in the node of each merge, shape (n - 1,)."""
        heights, last = self.linkage[:, 2], np.arange(self.n - 1)
        for merge in range(self.n - 2, -1, -1):
            joined = self.linkage[merge, :2].astype(np.int64) - self.n
            joined = joined[joined >= 0]
            joined = joined[heights[joined] == heights[merge]]
            last[joined] = last[merge]
        return last

    @property
    def spans(self) -> tuple[Integers, Integers, Integers]:
        """Positions in the order of the leaves: begin of each merge, of its second cluster, and its end."""
        sizes = np.concatenate([np.ones(self.n), self.linkage[:, 3]]).astype(np.int64)
        left, right = sizes[self.linkage[:, :2].astype(np.int64)].T
        middle = np.argsort(self.times) + 1
        return middle - left, middle, middle + right

    def labels(self, n_clusters: int) -> Integers:
        """Cut the tree into clusters, and return the cluster of each object.

        Parameters
        ----------
        n_clusters : int
            Number of clusters, from 1 to n. Merges with the same height are made in the order of their rows.

        Returns
        -------
        ndarray of int64, shape (n,)
            Numbers from 0 on.
        """
        labels = np.empty(self.n, dtype=np.int64)
        labels[self.order] = np.concatenate([[0], np.cumsum(self.times >= self.n - n_clusters)])
        return labels

    def gather(self) -> Gathered:
        """Return the negative heights at which pairs are joined."""
        from scipy.cluster.hierarchy import cophenet
        from scipy.spatial.distance import squareform

        return Gathered(MATRIX, matrix=-squareform(cophenet(self.linkage)))

    def part(self, objects: Integers) -> "Tree":
        """Return the tree of these objects, in this order, without the other objects."""
        number = np.full(self.n, -1, dtype=np.int64)
        number[objects] = np.arange(len(objects))
        kept = np.flatnonzero(number[self.order] >= 0)
        if kept.size < 2:
            raise ArgumentValueError(self.name, f"must keep two objects; got {kept.size}.")
        times = np.maximum.reduceat(self.times[: kept[-1]], kept[:-1])
        return Tree(_make_linkage(number[self.order[kept]], times, self.linkage[times, 2]), self.name)


def _read_estimator(name: str, estimator: Any) -> Floats:
    """Make the linkage of an estimator that joins two clusters at a time."""
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


def _read_newick(name: str, text: str) -> tuple[Floats, tuple[Any, ...]]:
    """Read a tree in Newick format as a linkage and the sorted names of its leaves."""
    leaves: list[Any] = []
    merges: list[tuple[float, list[int]]] = []
    # children of each open node: number, height, and height of the branch
    levels: list[list[list[Any]]] = [[]]
    before = ""
    try:
        for token in TOKEN.findall(text):
            is_quoted = token[0] == "'"
            if token.startswith("[") != (token.endswith("]") and not is_quoted):
                raise ValueError(token)  # the end or the beginning of a comment is missing
            if is_quoted and token.count("'") % 2:
                raise ValueError(token)
            if token[0] == "[":  # a comment
                continue
            if token in ",)" and before in ("", "(", ","):  # a name is missing
                raise ValueError(token)
            if token == "(":
                levels.append([])
            elif token == ")":
                children = levels.pop()
                node, height = children[0][0], max(reach for _, _, reach in children)
                for child, _, _ in children[1:]:
                    merges.append((height, [node, child]))
                    node = -len(merges)
                levels[-1].append([node, height, height + 1.0])
            elif before == ":" and float(token) >= 0.0:
                levels[-1][-1][2] = levels[-1][-1][1] + float(token)
            elif before in ("", "(", ",") and token not in ",;":
                levels[-1].append([len(leaves), 0.0, 1.0])
                leaves.append(token[1:-1].replace("''", "'") if is_quoted else token)
            elif token not in ",:;" and before != ")":  # after ")" comes the name of an inner node
                raise ValueError(token)
            before = token
        ((_, _, _),) = levels.pop()
    except (ValueError, IndexError):
        levels.append([])
    if levels or not merges:
        rule = "must be a tree in Newick format, as '((a:1,b:1):0.5,c:1.5);', if it is a text"
        raise ArgumentValueError(name, f"{rule}; got {text[:40]!r}. Lengths must not be negative.")
    if all(map(_writes_whole_number, leaves)):
        leaves = [*map(int, leaves)]
    objects = sort_objects(leaves)
    if len(objects) < len(leaves):
        twice, _ = Counter(leaves).most_common(1)[0]
        raise ArgumentValueError(name, f"must name each leaf once; got {twice!r} twice.")
    place = {leaf: k for k, leaf in enumerate(objects)}
    number: dict[int, int] = {k: place[leaf] for k, leaf in enumerate(leaves)}
    sizes, rows = [1] * len(leaves), []
    for k in sorted(range(len(merges)), key=lambda k: (merges[k][0], k)):  # children come before their node
        height, pair = merges[k]
        first, second = sorted(number[child] for child in pair)
        number[-1 - k] = len(sizes)
        sizes.append(sizes[first] + sizes[second])
        rows.append((first, second, height, sizes[-1]))
    return np.array(rows, dtype=np.float64), tuple(objects)


def _writes_whole_number(leaf: str) -> bool:
    """Return True if a leaf name is a non-negative whole number, written as Python writes it."""
    return len(leaf) <= MAX_DIGITS_OF_A_NUMBER and leaf.isdecimal() and leaf == str(int(leaf))


def explain_no_linkage(linkage: Floats) -> str:
    """Explain why an array is not a linkage; empty text if each row joins two existing clusters."""
    if linkage.ndim != 2 or linkage.shape[1] != 4 or not len(linkage):
        return f"shape {linkage.shape}"
    are_infinite = ~np.isfinite(linkage).all(axis=1)
    if are_infinite.any():
        return f"numbers that are not finite, in row {int(are_infinite.argmax())}"
    n, pairs = len(linkage) + 1, linkage[:, :2]
    made = np.arange(n, 2 * n - 1)
    are_clusters = np.isin(pairs, np.arange(2 * n - 1))
    _, inverse, times = np.unique(pairs, return_inverse=True, return_counts=True)
    reasons = (
        (~are_clusters.all(axis=1), f"numbers of clusters other than 0 to {2 * n - 2}"),
        (pairs[:, 0] == pairs[:, 1], "a cluster that is joined with itself"),
        ((pairs >= made[:, np.newaxis]).any(axis=1), "a cluster that is joined before it is made"),
        ((times[inverse.reshape(pairs.shape)] > 1).any(axis=1), "a cluster that is joined twice"),
        (linkage[:, 2] < 0.0, "a height below 0"),
        (np.diff(linkage[:, 2], prepend=linkage[0, 2]) < 0.0, FALLING_HEIGHT),
    )
    for rows, reason in reasons:
        if rows.any():
            return f"{reason}, in row {int(rows.argmax())}"
    sizes = [1] * n
    for row, (left, right) in enumerate(pairs.astype(np.int64).tolist()):
        sizes.append(sizes[left] + sizes[right])
        if linkage[row, 3] != sizes[-1]:
            return f"a cluster of {linkage[row, 3]:g} objects instead of the {sizes[-1]} joined, in row {row}"
    return ""


def _order_leaves(pairs: Integers) -> tuple[Integers, Integers]:
    """Return the leaves from left to right, and the number of the merge that joins each leaf and the next."""
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
    """Make a linkage from ordered leaves, and from the time and height at which each joins the next."""
    n = order.size
    cluster, end, start = order.tolist(), [*range(n)], [*range(n)]  # of the run of leaves at a position
    size, rows = [1] * (2 * n - 1), []
    for made, gap in enumerate(np.argsort(times).tolist(), n):
        left, right = start[gap], gap + 1
        pair = sorted((cluster[left], cluster[right]))
        size[made] = size[pair[0]] + size[pair[1]]
        rows.append((*pair, heights[gap], size[made]))
        cluster[left], end[left], start[end[right]] = made, end[right], left
    return np.array(rows, dtype=np.float64)
