"""Disagreements of two clusterings in words: clusters that are split, merged or found."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from chancecorr.arguments import ArgumentValueError, as_number
from chancecorr.comparison.clusterings import table_or_labels
from chancecorr.machine.arrays import Integers
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.excerpt import percent
from chancecorr.tables.reading import Missing, NoiseOfSides

SideName = Literal["true", "pred"]

Kind = Literal["split", "scattered", "merged", "mixed", "found", "swallowed", "fragment"]

PARTS_NAMED = 4
"""Parts that a sentence names."""


class Part(NamedTuple):
    """A cluster of the other clustering, and how many objects it shares with the one that is spoken of."""

    label: Any
    objects: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """The fate of one cluster: kept, split or merged; `str` says it in words.

    Attributes
    ----------
    kind : {"split", "scattered", "merged", "mixed", "found", "swallowed", "fragment"}
        See `disagreements`.
    side : {"true", "pred"}
        Whose cluster it is: one of `labels_true`, or, for ``"merged"``, ``"mixed"`` and ``"fragment"``, of
        `labels_pred`.
    label : object
        What the cluster is called.
    size : int
        Number of its objects.
    parts : tuple of Part
        The clusters of the other side that hold a good part of it, with the numbers of common objects,
        largest first; all that it meets, for ``"scattered"`` and ``"mixed"``.
    other_size : int or None
        Number of objects of the one part, for ``"found"``, ``"swallowed"`` and ``"fragment"``.
    share : float
        Objects in the parts, as a share of the cluster's.
    pairs : int
        Pairs of objects that this costs: together in one of the clusterings and apart in the other.

    Examples
    --------
    >>> (found,) = disagreements(["a", "a", "a", "b", "b", "b"], [0, 0, 0, 0, 0, 0])
    >>> found.kind, found.side, found.size, found.pairs  # 3 x 3 pairs are together that were apart
    ('merged', 'pred', 6, 9)
    >>> print(found)
    cluster 0 merges 'a' and 'b'
    """

    kind: Kind
    side: SideName
    label: Any
    size: int
    parts: tuple[Part, ...]
    other_size: int | None
    share: float
    pairs: int

    def __str__(self) -> str:
        """One sentence, without a full stop."""
        name, first = f"cluster {self.label!r}", self.parts[0]
        if self.kind == "split":
            return f"{name} is split between {self._listed(with_shares=True)}"
        if self.kind == "merged":
            return f"{name} merges {self._listed(with_shares=False)}"
        most = f"{first.label!r} has most of it, {percent(first.objects, self.size)}"
        if self.kind == "scattered":
            return f"{name} is scattered over {len(self.parts):,} clusters, of which {most}"
        if self.kind == "mixed":
            return f"{name} mixes {len(self.parts):,} clusters, of which {most}"
        of_other = percent(first.objects, self.other_size or 0)
        if self.kind == "swallowed":
            return f"{name} is swallowed by {first.label!r}, of which it is {of_other}"
        if self.kind == "fragment":
            return f"{name} is a fragment of {first.label!r}, {of_other} of it"
        if not self.pairs:
            return f"{name} is found whole as {first.label!r}"
        of_it = percent(first.objects, self.size)
        return f"{name} is found as {first.label!r}: {of_it} of it, which are {of_other} of {first.label!r}"

    def _listed(self, *, with_shares: bool) -> str:
        """Names of the parts, the first ones of many."""
        names = [
            f"{part.label!r} ({percent(part.objects, self.size)})" if with_shares else repr(part.label)
            for part in self.parts
        ]
        if len(names) > PARTS_NAMED:
            names[PARTS_NAMED - 1 :] = [f"{len(names) - PARTS_NAMED + 1} more"]
        return f"{', '.join(names[:-1])} and {names[-1]}"


def disagreements(
    labels_true: Any,
    labels_pred: Any = None,
    least_share: float = 0.1,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> tuple[Disagreement, ...]:
    r"""Disagreements of two clusterings: clusters that are split, merged or found, the costliest first.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Cluster of each object in the reference and in the candidate. Or, for `labels_true`, a
        `ContingencyTable` or counts of shape (K, Q), and no `labels_pred`.
    least_share : float, default 0.1
        The share of a cluster's objects from which on they are a part of it, and not stragglers; above 0, at
        most 0.5. A larger one names fewer and larger parts.
    noise, missing
        As in `contingency_table`.

    Returns
    -------
    tuple of Disagreement
        By the pairs that they cost, most first; of equal ones rows before columns, in their order. Every
        cluster that is not empty is named, as the cluster or as a part.

    Raises
    ------
    TypeError, ValueError
        If an argument breaks its rule.

    Notes
    -----
    A column is a *part* of a row if it holds `least_share` of the row's objects or more, and a row is a part
    of a column likewise. A cluster with two parts or more is ``"split"`` (a row) or ``"merged"`` (a column),
    one without any ``"scattered"`` or ``"mixed"``; it costs the pairs of its objects that are apart in the
    other clustering. With one part,

    - a row is ``"found"`` if it is the one part of that; it costs the pairs that are together in one of the
      two and apart in the other;
    - a row is ``"swallowed"`` if it is no part of that; it costs the pairs of its objects there with all
      others there;
    - a column is a ``"fragment"`` if it is no part of that; it costs the pairs of that row's objects in it
      with those elsewhere.

    Any other cluster is named where its part is. The same pairs may be in the cost of a row and of a column:
    costs are for putting in order, and not for adding up.

    Examples
    --------
    >>> labels_true = ["cat"] * 20 + ["dog"] * 20 + ["owl"] * 31 + ["eel"] * 9
    >>> labels_pred = [4] * 40 + [2] * 19 + [3] * 12 + [7] * 9
    >>> print(*disagreements(labels_true, labels_pred), sep="\n")
    cluster 4 merges 'cat' and 'dog'
    cluster 'owl' is split between 2 (61 %) and 3 (39 %)
    cluster 'eel' is found whole as 7
    """
    if not 0.0 < as_number("least_share", least_share) <= 0.5:
        raise ArgumentValueError("least_share", f"must be above 0 and at most 0.5; got {least_share!r}.")
    table = table_or_labels(labels_true, labels_pred, {"noise": noise, "missing": missing})
    rows, columns = (_side(name, table, float(least_share)) for name in get_args(SideName))
    found = [*_by_parts(rows, columns), *_by_parts(columns, rows)]
    return tuple(sorted(found, key=lambda each: -each.pairs))


class _Side(NamedTuple):
    """Clusters of one side, and their cells: cluster by cluster, largest first."""

    name: SideName
    labels: list[Any]
    sizes: Integers
    starts: Integers  # of cluster k: cells starts[k] to starts[k + 1]
    other: Integers  # by cell, the cluster of the other side
    counts: Integers  # by cell
    n_parts: Integers  # number of cells of a cluster, from the first one, that are parts of it
    apart: Integers  # pairs of objects of a cluster that are apart on the other side
    least_share: float


def _side(name: SideName, table: ContingencyTable, least_share: float) -> _Side:
    own, other, counts = table.nonzero_cells
    labels, sizes = table.row_labels, table.row_totals
    if name == "pred":
        own, other, labels, sizes = other, own, table.column_labels, table.column_totals
    order = np.lexsort((other, -counts, own))
    own, other, counts = own[order], other[order], counts[order]
    apart = sizes * (sizes - 1) // 2
    np.subtract.at(apart, own, counts * (counts - 1) // 2)
    return _Side(
        name=name,
        labels=labels.tolist(),
        sizes=sizes,
        starts=np.searchsorted(own, np.arange(sizes.size + 1)),
        other=other,
        counts=counts,
        n_parts=np.bincount(own[counts / sizes[own] >= least_share], minlength=sizes.size),
        apart=apart,
        least_share=least_share,
    )


def _by_parts(side: _Side, others: _Side) -> Iterator[Disagreement]:
    """The fate of each cluster of one side, unless it is named as a part of another one."""
    in_rows = side.name == "true"
    several: Kind = "split" if in_rows else "merged"
    none: Kind = "scattered" if in_rows else "mixed"
    no_part: Kind = "swallowed" if in_rows else "fragment"
    starts, other_of, counts = side.starts.tolist(), side.other.tolist(), side.counts.tolist()
    clusters = zip(side.sizes.tolist(), side.n_parts.tolist(), side.apart.tolist(), strict=True)
    for k, (size, n_parts, pairs) in enumerate(clusters):
        if size == 0:
            continue
        start = starts[k]
        kind, n_named, other_size = several, n_parts, None
        if n_parts == 0:
            kind, n_named = none, starts[k + 1] - start
        elif n_parts == 1:
            other, count = other_of[start], counts[start]
            other_size = int(others.sizes[other])
            if count / other_size < side.least_share:
                kind, pairs = no_part, count * (other_size - count)
            elif in_rows and others.n_parts[other] == 1:
                kind, pairs = "found", pairs + int(others.apart[other])
            else:
                continue
        named = slice(start, start + n_named)
        yield Disagreement(
            kind=kind,
            side=side.name,
            label=side.labels[k],
            size=size,
            parts=tuple(
                Part(others.labels[j], count) for j, count in zip(other_of[named], counts[named], strict=True)
            ),
            other_size=other_size,
            share=sum(counts[named]) / size,
            pairs=pairs,
        )
