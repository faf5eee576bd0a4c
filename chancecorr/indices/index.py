"""The class `Index`, and checks of its fields."""

import math
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from numbers import Real
from types import MappingProxyType
from typing import Any, Literal

from chancecorr.indices.formulas import write_plain
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, check_choice

FIELDS_OF_KIND: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "pairs": frozenset({"affine", "linear", "with_totals"}),
        "cells": frozenset({"link"}),
        "table": frozenset({"from_cells", "nanoseconds", "of_maxima", "named"}),
        "labels": frozenset({"named"}),
        "agreement": frozenset({"named", "ordered", "of_labels"}),
        "clusterings": frozenset({"takes", "part", "cost", "place"}),
    }
)
"""The values of `needs`, each with the fields that only this kind uses; see `chancecorr.chance.engines`."""

NAMED_NEEDS = ("table", "labels", "agreement")
"""Values of `needs` for functions that may compare labels by name."""

FAMILIES = ("pair_counting", "information", "set_matching", "cluster_level", "user")
"""The families of the catalogue, and ``"user"`` for an index registered without a family."""

OF_AGREEMENT = "agreement"
"""Family of the indices that compare labels by name, which are not in the catalogue of partitions."""

OF_CLUSTERINGS = "clusterings"
"""Family of the indices of clusterings of any kind, which are not in the catalogue."""

TYPES_OF_FIELDS: tuple[tuple[tuple[str, ...], type | tuple[type, ...], str], ...] = (
    (("formula", "about", "title", "source", "corrected_as", "known_as", "notes"), str, "text"),
    (("attained", "affine", "symmetric", "constant", "with_totals", "ordered"), bool, "True or False"),
    (("aliases", "takes"), (tuple, list), "a tuple of names"),
    (("is_distance", "named"), (bool, type(None)), "True, False or None"),
    (("shares",), tuple, "a tuple of 0, 1 or both"),
)
"""Names of fields, their type, and the type's name in an error."""


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class Index:
    r"""An index of agreement between two clusterings, with its properties.

    Attributes
    ----------
    name : str
        Key of the unadjusted index, in snake_case; of a member of a family with its numbers,
        ``"f_beta(0.5)"``.
    function : callable
        The function, with the signature for `needs`.
    needs : {"pairs", "cells", "table", "labels", "agreement", "clusterings"}
        The arguments of the function:

        - ``"pairs"``: ``f(a, b, c, d)``, elementwise on float64 arrays of pair counts: objects together in
          both clusterings, in the reference only, in the candidate only, in neither;
        - ``"cells"``: ``phi(n_ij, row_i, column_j, n)`` on single numbers, summed over the non-empty cells;
          `link` turns the sum into the index;
        - ``"table"``: ``f(table, row_totals, column_totals)`` on int64 arrays of shape (K, Q), (K,), (Q,);
        - ``"labels"``: ``f(labels_true, labels_pred)`` on two int64 arrays of cluster numbers, the objects in
          the order of the table's cells. Each side is numbered from 0 on separately, or both are numbered
          over the union of their labels; see `named`;
        - ``"agreement"``: ``f(rows, columns, row_totals, column_totals)``, elementwise on the row numbers and
          column numbers of cells of a square table over the union of both sides' labels. It returns a weight
          for each cell; the index is the mean of the weights over the objects.
    family : str
        One of `FAMILIES`, ``"agreement"`` or ``"clusterings"``.
    formula : str
        Formula in LaTeX, as in a paper, followed by the meaning of its letters.
    about, title, source, notes : str
        One line about the index; its name in headings and pictures, by default made from `name`; where it was
        defined; differences in published software.
    aliases, known_as : tuple of str, str
        Other names for `get_index`; names in publications, including names that mean another index here.
    range : (float, float)
        Bounds of the values.
    best : float or None
        Value at perfect agreement, where the adjusted score is 1; nan if there is none. None if it
        depends on the cluster sizes: then it is the mean of the values at ``(U, U)`` and ``(V, V)``.
    attained : bool
        True if any two identical clusterings that are not trivial have the value `best`.
    affine : bool
        True if the index is ``alpha + beta T`` for fixed margins, ``T = sum n_ij**2`` (the L family).
    symmetric, constant : bool
        True if exchanging the two clusterings does not change the value; True if the cluster sizes alone
        determine the value, so that it cannot be corrected for chance.
    corrected_as : str
        Name of the index with the same adjusted score on every table. For fixed margins, this index is an
        affine function of it that maps its best value to the best value of this index. Empty if there is
        none; see `equivalents`.
    undefined : float
        Value at 0/0, except if both clusterings are one cluster or both singletons: then it is `best`.
    with_totals : bool
        For ``"pairs"``: True if the function also takes ``row_totals, column_totals``, int64 arrays.
    linear : ((int, int, int, int), (int, int, int, int)) or None
        For ``"pairs"``: coefficients of a, b, c, d in numerator and denominator of a ratio of linear forms.
    link : callable or None
        For ``"cells"``: ``link(total, row_totals, column_totals)``, elementwise; if None, the index is the
        sum.
    from_cells : callable or None
        For ``"table"``: ``f(rows, columns, counts, row_totals, column_totals)`` in plain Python, on the
        non-empty cells of a table too large for an array.
    nanoseconds : callable or None
        For ``"table"``: ``nanoseconds(K, Q)``, approximate time for a table of K by Q; by default 3 ns per
        cell.
    of_maxima : callable or None
        For ``"table"``: the index as ``f(R, C, row_totals, column_totals)`` of ``R = sum_i max_j n_ij`` and
        ``C = sum_j max_i n_ij``, if it depends only on these. If it is linear in both, its mean is exact.
    exchange : callable or None
        ``exchange(row_totals, column_totals)``: largest change of the index, or of the sum of a ``"cells"``
        index, if two objects exchange their clusters. It gives a proven bound of p-values.
    shares : tuple of int
        Sides, 0 for columns and 1 for rows, such that the index is at most the share of objects in the
        largest cells. They give another proven bound of p-values.
    twice_best_pair_sum : callable or None
        For an index with the adjusted score of an `affine` one: function of ``sum r_i**2`` and ``sum c_j**2``
        of the row and column totals that returns twice the best T of the affine index. It gives scores their
        last digits.
    takes : tuple of str
        For ``"clusterings"``: "labels", "membership", "cover", "tree", "similarity"; empty for all kinds.
    part, cost : callable or None
        For ``"clusterings"``: function of objects that returns the index of these objects alone, for an index
        that depends on particular objects; ``cost(P, Q)``, approximate nanoseconds for value and mean, and
        bytes of the arrays.
    neighbours, place : callable or None
        For ``"clusterings"`` of objects with places: function that returns pairs of neighbours, shape (pairs,
        2); function of the names of all objects and the mask of kept objects that returns the index of these.
    named : bool or None
        For ``"table"`` and ``"labels"``: True if the function compares labels by name, like accuracy and
        kappa: its value changes if the clusters of one side are numbered in another order. It is then called
        with numbers of both sides over the union of their labels, or with a square table over that union.
        None: the function is tried on small tables. Always True for ``"agreement"``.
    ordered : bool
        For ``"agreement"``: True if the weights depend on the order of the labels, so that labels without an
        order are refused.
    of_labels : callable or None
        For ``"agreement"``: ``of_labels(labels)`` returns the function for these labels, which are numbered
        from 0 on in this order; `function` is not called then.
    make : callable or None
        For an entry that stands for a family: function of the numbers that makes the member.
    is_distance : bool or None
        True if smaller values are better. None: derived from `best` and `range`; the best value of a distance
        is the lower end of its range.
    better_side : {"greater", "less"}
        The side of better values, which count as extreme by default.
    needs_whole_table : bool
        True if a value needs the whole table and cannot be computed from its non-empty cells.

    Raises
    ------
    TypeError, ValueError
        If a field has the wrong type, or cannot be used with this `needs`.

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
    title: str = ""
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
    ordered: bool = False
    of_labels: Callable[[list[Any]], Callable[..., Any]] | None = None
    make: Callable[..., "Index"] | None = None
    known_as: str = ""
    notes: str = ""
    is_distance: bool | None = None
    better_side: Literal["greater", "less"] = field(init=False)
    needs_whole_table: bool = field(init=False)

    def __post_init__(self) -> None:
        """Check the fields, and find which values are better."""
        check_fields(self)
        if self.needs == "agreement":
            object.__setattr__(self, "named", True)
        for one in fields(self):  # so that the entry can be hashed
            value = getattr(self, one.name, None)
            if isinstance(value, list):
                object.__setattr__(self, one.name, tuple(value))
            elif callable(value):
                try:
                    hash(value)
                    weakref.ref(value)
                except TypeError:  # a function without a hash, of a class with only `__eq__`
                    object.__setattr__(self, one.name, Identified(value))
        is_distance = self.is_distance
        if is_distance is None:
            is_distance = self.best is not None and self.best <= self.range[0]
        object.__setattr__(self, "better_side", "less" if is_distance else "greater")
        object.__setattr__(
            self, "needs_whole_table", self.needs in ("table", "agreement") and not self.from_cells
        )

    @property
    def can_be_adjusted(self) -> bool:
        """True if the index varies by chance and has a number as best value."""
        return not self.constant and (self.best is None or math.isfinite(self.best))

    @property
    def depends_on_labels(self) -> bool:
        """True if a weight depends on the list of all labels; then many clusterings share one list."""
        return self.ordered or self.of_labels is not None

    @property
    def larger_is_better(self) -> bool:
        """True for a similarity, False for a distance."""
        return self.better_side == "greater"

    def __repr__(self) -> str:
        formula = f": {write_plain(self.formula)}" if self.formula else ""
        return f"Index({self.name!r}{formula})"


class Identified:
    """A wrapper that calls a function and is compared and hashed by the function's identity."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__wrapped__ = function  # `inspect.signature` looks here

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return self.__wrapped__(*arguments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identified) and self.__wrapped__ is other.__wrapped__

    def __hash__(self) -> int:
        return id(self.__wrapped__)


def check_fields(entry: Index) -> None:
    """Raise if a field has a wrong type, is out of range, or cannot be used with the index's `needs`."""
    if not isinstance(entry.name, str):
        raise ArgumentTypeError("index", f"must be a name or an Index; got {entry.name!r}.")
    check_choice("needs", entry.needs, FIELDS_OF_KIND)
    check_choice("family", entry.family, (*FAMILIES, OF_AGREEMENT, OF_CLUSTERINGS))
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
                    name, f"must be {default} if `needs` is not {needs!r}; got needs={entry.needs!r}."
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
    """Return True if the value is a real number that float64 can hold."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True
