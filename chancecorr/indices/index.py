"""The entry of an index, and checks of its fields."""

import math
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from numbers import Real
from types import MappingProxyType
from typing import Any, Literal

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, check_choice

FIELDS_OF_KIND: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "pairs": frozenset({"affine", "linear", "with_totals"}),
        "cells": frozenset({"link"}),
        "table": frozenset({"from_cells", "nanoseconds", "of_maxima", "named"}),
        "labels": frozenset({"named"}),
        "clusterings": frozenset({"takes", "part", "cost", "place"}),
    }
)
"""The kinds that `needs` names, and the fields that only this kind uses; see `chancecorr.chance.engines`."""

NAMED_NEEDS = ("table", "labels")
"""Needs of functions that may compare labels by name."""

FAMILIES = ("pair_counting", "information", "set_matching", "cluster_level", "user")
"""The families of the catalogue, and ``"user"`` for an index registered without one."""

OF_CLUSTERINGS = "clusterings"
"""Family of the indices of clusterings of any kind, which are not in the catalogue."""

TYPES_OF_FIELDS: tuple[tuple[tuple[str, ...], type | tuple[type, ...], str], ...] = (
    (("formula", "about", "source", "corrected_as", "known_as", "notes"), str, "text"),
    (("attained", "affine", "symmetric", "constant", "with_totals"), bool, "True or False"),
    (("aliases", "takes"), (tuple, list), "a tuple of names"),
    (("is_distance", "named"), (bool, type(None)), "True, False or None"),
    (("shares",), tuple, "a tuple of 0, 1 or both"),
)
"""Fields, their type, and its name in an error."""


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class Index:
    r"""An index of agreement between two clusterings, and what is known of it.

    Attributes
    ----------
    name : str
        Key of the unadjusted index, in snake_case; of a member of a family as ``"f_beta(0.5)"``.
    function : callable
        With the signature that `needs` names.
    needs : {"pairs", "cells", "table", "labels", "clusterings"}
        What the function is called with:

        - ``"pairs"``: ``f(a, b, c, d)``, elementwise on float64 arrays of pair counts: objects together in
          both clusterings, in the reference only, in the candidate only, in neither;
        - ``"cells"``: ``phi(n_ij, row_i, column_j, n)`` on single numbers, summed over the non-empty cells;
          `link` then takes the sum to the index;
        - ``"table"``: ``f(table, row_totals, column_totals)`` on int64 arrays of shape (K, Q), (K,), (Q,);
        - ``"labels"``: ``f(labels_true, labels_pred)`` on two int64 arrays of cluster numbers, the objects in
          the order of the table's cells. Each side is numbered from 0 on by itself, or both over the union of
          their labels; see `named`.
    family : str
        One of `FAMILIES`.
    formula : str
        In LaTeX, as it would be written in a paper; what its letters mean stands behind it.
    about, source, notes : str
        What it measures, in a line; where it was defined; what published software does otherwise.
    aliases, known_as : tuple of str, str
        Other names that `get_index` understands; whose they are, and which mean something else here.
    range : (float, float)
        Bounds of its values.
    best : float or None
        Value at perfect agreement, towards which the score is adjusted; nan if there is none. None if it
        depends on the cluster sizes: then the mean of the values at ``(U, U)`` and ``(V, V)``.
    attained : bool
        Whether every two identical clusterings, none of them trivial, have the value `best`.
    affine : bool
        Whether it is ``alpha + beta T`` once the margins are fixed, ``T = sum n_ij**2`` (the L family).
    symmetric, constant : bool
        Whether exchanging the two clusterings leaves the value unchanged, and whether the cluster sizes alone
        determine it, so that there is nothing to correct for chance.
    corrected_as : str
        Name of the index with the same adjusted score on every table: with the margins fixed, this one is an
        affine function of it that takes its best value to its own. Empty if there is none; see `equivalents`.
    undefined : float
        Value at 0/0, unless both clusterings are one cluster or both singletons: then `best`.
    with_totals : bool
        For ``"pairs"``: whether the function takes ``row_totals, column_totals`` as well, int64 arrays.
    linear : ((int, int, int, int), (int, int, int, int)) or None
        For ``"pairs"``: coefficients of a, b, c, d in numerator and denominator of a ratio of linear forms.
    link : callable or None
        For ``"cells"``: ``link(total, row_totals, column_totals)``, elementwise; None leaves the sum.
    from_cells : callable or None
        For ``"table"``: ``f(rows, columns, counts, row_totals, column_totals)`` in plain Python, on the
        non-empty cells of a table too large for an array.
    nanoseconds : callable or None
        For ``"table"``: ``nanoseconds(K, Q)``, about how long a table of K by Q takes; 3 ns a cell if None.
    of_maxima : callable or None
        For ``"table"``: the index as ``f(R, C, row_totals, column_totals)`` of ``R = sum_i max_j n_ij`` and
        ``C = sum_j max_i n_ij``, if these say all. Where it is a straight line in both, its mean is exact.
    exchange : callable or None
        ``exchange(row_totals, column_totals)``: how much the index, or the sum of a ``"cells"`` index,
        changes at most if two objects exchange their clusters. It gives p-values a proven bound.
    shares : tuple of int
        Sides, 0 for columns and 1 for rows, of which the index is at most the share of objects in the largest
        cells. It gives p-values another proven bound.
    twice_best_pair_sum : callable or None
        Of an index with the adjusted score of one that is `affine`: from ``sum r_i**2`` and ``sum c_j**2`` of
        the row and column totals to twice the T at which that is best. It gives scores their last digits.
    takes : tuple of str
        For ``"clusterings"``: "labels", "membership", "cover", "tree", "similarity"; all if empty.
    part, cost : callable or None
        For ``"clusterings"``: from objects to the index of these alone, if it knows objects; ``cost(P, Q)``,
        about how many nanoseconds its value and its mean take, and bytes of arrays that they need.
    neighbours, place : callable or None
        For ``"clusterings"`` of objects with places: gives pairs of neighbours, shape (pairs, 2); from the
        names of all objects, and which of them are kept, to the index of these.
    named : bool or None
        For ``"table"`` and ``"labels"``: whether the function compares labels by name, as accuracy and kappa
        do: its value changes if the clusters of one side are numbered in another order. It is then given the
        numbers of both sides over the union of their labels, or a square table over that union. None: it is
        tried on small tables.
    make : callable or None
        For an entry that stands for a family: what makes the member with given numbers.
    is_distance : bool or None
        True if smaller values agree better. None if `best` and `range` tell it: a distance is best at the
        lower end of its range.
    better_side : {"greater", "less"}
        Which values agree better, and so count as extreme unless other ones are asked for.
    needs_whole_table : bool
        Whether a table has to be laid out for a value, and its non-empty cells do not do.

    Raises
    ------
    TypeError, ValueError
        If a field is of another type, or has no meaning for what the function is called with.

    Examples
    --------
    >>> import chancecorr
    >>> entry = chancecorr.get_index("jaccard")
    >>> print(entry.needs, entry.formula, entry.best, entry.affine)
    pairs \frac{a}{a + b + c} 1.0 False
    """

    name: str
    function: Callable[..., Any]
    needs: str
    family: str = "user"
    formula: str = ""
    about: str = ""
    aliases: tuple[str, ...] = ()
    source: str = ""
    range: tuple[float, float] = (-math.inf, math.inf)
    best: float | None = 1.0
    attained: bool = True
    affine: bool = False
    symmetric: bool = False
    constant: bool = False
    corrected_as: str = ""
    undefined: float = math.nan
    with_totals: bool = False
    linear: tuple[tuple[int, int, int, int], tuple[int, int, int, int]] | None = None
    link: Callable[..., Any] | None = None
    from_cells: Callable[..., Any] | None = None
    nanoseconds: Callable[[int, int], float] | None = None
    of_maxima: Callable[..., float] | None = None
    exchange: Callable[..., float] | None = None
    twice_best_pair_sum: Callable[[int, int], int] | None = None
    shares: tuple[int, ...] = ()
    takes: tuple[str, ...] = ()
    part: Callable[[Any], "Index"] | None = None
    cost: Callable[[Any, Any], tuple[float, float]] | None = None
    neighbours: Callable[[], Any] | None = None
    place: Callable[[Any, Any], "Index"] | None = None
    named: bool | None = None
    make: Callable[..., "Index"] | None = None
    known_as: str = ""
    notes: str = ""
    is_distance: bool | None = None
    better_side: Literal["greater", "less"] = field(init=False)
    needs_whole_table: bool = field(init=False)

    def __post_init__(self) -> None:
        """Check the fields, and find which values agree better."""
        check_fields(self)
        for one in fields(self):  # so that the entry has a hash
            value = getattr(self, one.name, None)
            if isinstance(value, list):
                object.__setattr__(self, one.name, tuple(value))
            elif callable(value):
                object.__setattr__(self, one.name, make_hashable(value))
        is_distance = self.is_distance
        if is_distance is None:
            is_distance = self.best is not None and self.best <= self.range[0]
        object.__setattr__(self, "better_side", "less" if is_distance else "greater")
        object.__setattr__(self, "needs_whole_table", self.needs == "table" and self.from_cells is None)

    @property
    def can_be_adjusted(self) -> bool:
        """Whether it varies by chance and its best value is a number."""
        return not self.constant and (self.best is None or math.isfinite(self.best))

    @property
    def larger_is_better(self) -> bool:
        """True for a similarity, False for a distance."""
        return self.better_side == "greater"

    def __repr__(self) -> str:
        return f"Index({self.name!r}: {self.formula})" if self.formula else f"Index({self.name!r})"


class Identified:
    """A callable that is called as another one, and compared and hashed by the identity of that."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__wrapped__ = function  # where `inspect.signature` looks

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return self.__wrapped__(*arguments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identified) and self.__wrapped__ is other.__wrapped__

    def __hash__(self) -> int:
        return id(self.__wrapped__)


def make_hashable(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, or what calls it if it has no hash, as an object of a class with ``__eq__`` alone."""
    try:
        hash(function)
        weakref.ref(function)
    except TypeError:
        return Identified(function)
    return function


def check_fields(entry: Index) -> None:
    """Raise unless each field is of its type, in its range, and has a meaning for an index of this kind."""
    if not isinstance(entry.name, str):
        raise ArgumentTypeError("index", f"must be a name or an Index; got {entry.name!r}.")
    check_choice("needs", entry.needs, FIELDS_OF_KIND)
    check_choice("family", entry.family, (*FAMILIES, OF_CLUSTERINGS))
    if not callable(entry.function):
        raise ArgumentTypeError("function", f"must be callable; got {entry.function!r}.")
    for names, of_type, wanted in TYPES_OF_FIELDS:
        for name in names:
            if not isinstance(getattr(entry, name), of_type):
                raise ArgumentTypeError(name, f"must be {wanted}; got {getattr(entry, name)!r}.")
    for needs, fields_of_kind in FIELDS_OF_KIND.items():
        for name in fields_of_kind - FIELDS_OF_KIND[entry.needs]:
            default = Index.__dataclass_fields__[name].default
            if getattr(entry, name) is not default:
                raise ArgumentValueError(
                    name, f"must be {default} unless `needs` is {needs!r}; got needs={entry.needs!r}."
                )
    bounds, best = entry.range, entry.best
    rule = f"must be two numbers, the lower and the upper bound of the values; got {bounds!r}."
    if not (isinstance(bounds, tuple | list) and len(bounds) == 2 and all(map(_is_number, bounds))):
        raise ArgumentTypeError("range", rule)
    if not bounds[0] <= bounds[1]:  # also rejects nan
        raise ArgumentValueError("range", rule)
    if not _is_number(entry.undefined):
        raise ArgumentTypeError("undefined", f"must be a number; got {entry.undefined!r}.")
    if best is None:
        return
    if not _is_number(best):
        raise ArgumentTypeError("best", f"must be a number or None; got {best!r}.")
    if best < bounds[0] or best > bounds[1]:
        raise ArgumentValueError("best", f"must be within `range`, {bounds}; got {best!r}.", "range")


def _is_number(value: object) -> bool:
    """Whether it is a real number within float64."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True
