"""The candidate in the labels of the reference: for a plot in the same colours, or a table of errors.

Clusters are matched one to one so that as many objects as possible get the label that they have in the
reference, as `maximum_matching_accuracy` counts them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.indices.entry import match_cells
from chancecorr.tables.crosstab import relabel
from chancecorr.tables.reading import read_label_pair


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MatchedLabels:
    """A clustering in the labels of another one; see `match_labels`.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        Label of each object: that of the reference's cluster with which its own is matched, or a new one.
    matches : mapping
        By label of the candidate, the new label of each cluster.
    left_over : tuple
        Labels, in the candidate, of the clusters that have no match.
    not_found : tuple
        Labels of the reference's clusters that have no match.
    n_matched : int
        Objects whose label is now that of the reference.

    Examples
    --------
    >>> found = match_labels([0, 0, 1, 1], [1, 1, 0, 2])
    >>> dict(found.matches), found.labels
    ({0: 1, 1: 0, 2: 2}, array([0, 0, 1, 2]))
    """

    labels: npt.NDArray[Any]
    matches: Mapping[Any, Any]
    left_over: tuple[Any, ...]
    not_found: tuple[Any, ...]
    n_matched: int

    def __repr__(self) -> str:
        """Counts of objects and clusters."""
        clusters = f"clusters left over: {len(self.left_over):,}, not found: {len(self.not_found):,}"
        return f"<{self.n_matched:,} of {self.labels.size:,} objects matched; {clusters}>"


def match_labels(labels_true: Any, labels_pred: Any) -> MatchedLabels:
    """Candidate relabelled to the reference, clusters matched one to one as well as possible.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Cluster of each object in the reference and in the candidate.

    Returns
    -------
    MatchedLabels
        New labels, which cluster became which, and the clusters without a match. Clusters that share no
        object are no match. Those left over are numbered on after the largest label of the reference if its
        labels are whole numbers, and called ``"unmatched 1"``, ``"unmatched 2"``, ... if they are not.

    Raises
    ------
    TypeError, ValueError
        If the labels differ in length, or one is missing.

    Examples
    --------
    >>> found = match_labels(["cat", "cat", "dog", "dog", "dog"], [7, 3, 3, 3, 5])
    >>> found.labels.tolist()
    ['cat', 'dog', 'dog', 'dog', 'unmatched 1']
    >>> found.left_over, found
    ((5,), <3 of 5 objects matched; clusters left over: 1, not found: 0>)
    """
    pair = read_label_pair(labels_true, labels_pred)
    table = pair.table()
    names, own = table.row_labels, table.column_labels.tolist()
    rows, columns, counts = table.nonzero_cells
    cells = match_cells(rows, columns, counts, (names.size, len(own)))
    left = np.setdiff1d(np.arange(len(own)), columns[cells])
    missing = np.setdiff1d(np.arange(names.size), rows[cells])
    whole = names.dtype.kind in "iu"
    first = int(names.max()) + 1 if whole and names.size else 1
    new = np.empty(len(own), dtype=names.dtype if whole else object)
    new[columns[cells]] = names[rows[cells]]
    new[left] = [first + k if whole else f"unmatched {first + k}" for k in range(left.size)]
    return MatchedLabels(
        labels=new[relabel(pair.codes[1])[0]],
        matches=MappingProxyType(dict(zip(own, new.tolist(), strict=True))),
        left_over=tuple(own[k] for k in left),
        not_found=tuple(names[missing].tolist()),
        n_matched=int(counts[cells].sum()),
    )
