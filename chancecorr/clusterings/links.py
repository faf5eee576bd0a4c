"""Convert links between objects, such as pairs of records that match, to clusters: connected components."""

from collections.abc import Hashable, Iterable
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, explain_call
from chancecorr.tables.dataframes import list_columns
from chancecorr.tables.labels import is_hashable
from chancecorr.tables.mistakes import find_link_columns


@explain_call
def join_links(links: Any, objects: Iterable[Hashable] | None = None) -> dict[Any, int]:
    """Join linked objects into clusters, for `adjust` and its relatives.

    Parameters
    ----------
    links : iterable of pairs, array-like of shape (m, 2), or data frame with two columns
        Two linked objects in each pair, such as two records that match. Order and repetition of pairs do not
        matter.
    objects : iterable, optional
        All objects, including objects without a link, each of which is a cluster of one. By default the
        objects of the links.

    Returns
    -------
    dict
        Number of the cluster of each object. Two objects are in one cluster if a chain of links joins them.

    Raises
    ------
    TypeError, ValueError
        If a link is not a pair of hashable objects, or links an object that is not in `objects`.

    See Also
    --------
    chancecorr.adjust : Takes the clusters of both sides, and matches them by object.

    Notes
    -----
    Pass all objects if some of them have no link: the score expected by chance depends on their number.
    Objects that only the links of one side have are clusters of one with ``missing="singletons"``.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> true = join_links([("r1", "r2"), ("r2", "r3")], ["r1", "r2", "r3", "r4"])
    >>> true
    {'r1': 0, 'r2': 0, 'r3': 0, 'r4': 1}
    >>> pred = join_links([("r1", "r2"), ("r3", "r4")], true)
    >>> adjust(true, pred, "pairwise_f1").observed
    0.4
    """
    parent: dict[Any, Any] = {one: one for one in (() if objects is None else objects)}

    def find_root(one: Any) -> Any:
        while parent[one] != one:
            parent[one] = one = parent[parent[one]]
        return one

    for link in _list_links(links):
        is_pair = isinstance(link, list | tuple | AbstractSet) and len(link) == 2 and is_hashable(tuple(link))
        if not is_pair:
            raise ArgumentTypeError("links", f"must be pairs of two objects; got {link!r}.")
        for one in link:
            if objects is not None and one not in parent:
                raise ArgumentValueError("links", f"must link objects in `objects`; got {one!r}.", "objects")
            parent.setdefault(one, one)
        first, second = map(find_root, link)
        parent[second] = first
    number: dict[Any, int] = {}
    return {one: number.setdefault(find_root(one), len(number)) for one in parent}


def _list_links(links: Any) -> Iterable[Any]:
    """Return the rows of a frame with two columns, or of an array; other iterables are returned unchanged."""
    columns = list_columns(links)
    if columns is None:
        return links.tolist() if hasattr(links, "tolist") else links  # type: ignore[no-any-return]
    if len(columns) < 2:
        raise ArgumentValueError("links", f"must have two columns; got {len(columns)}.")
    if len(columns) > 2:
        names = ", ".join(repr(name) for name, _ in columns)
        first, second = find_link_columns(name for name, _ in columns) or (columns[0][0], columns[1][0])
        way = f"Select two of them, as `links[[{first!r}, {second!r}]]`."
        rule = f"must have two columns, with the two objects of each link; got {names}. {way}"
        raise ArgumentValueError("links", rule)
    return zip(*(np.asarray(column).tolist() for _, column in columns), strict=True)
