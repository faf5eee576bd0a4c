"""What an index is, and the register of all of them."""

import functools
import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, overload

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, did_you_mean, one_of
from chancecorr.indices.other_names import (
    ADJUSTED,
    ENDINGS,
    STANDARDIZED,
    adjusted_score,
    advice,
    squeezed,
    standardized_score,
)
from chancecorr.machine.locks import Lock

F = TypeVar("F", bound=Callable[..., Any])

FIELDS_OF_KIND: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "pairs": frozenset({"affine", "linear", "with_totals"}),
        "cells": frozenset({"link"}),
        "table": frozenset({"from_cells"}),
        "labels": frozenset(),
    }
)
"""What an index may need, and the fields that mean something for it alone; see `chancecorr.kinds`."""

FAMILIES = ("pair_counting", "information", "set_matching", "cluster_level", "user")
"""The families of the catalogue, and ``"user"`` for what is registered without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """An index of agreement between two clusterings, and what is known of it.

    Attributes
    ----------
    name : str
        Key of the unadjusted index, in snake_case; a member of a parametric family has its numbers behind it,
        as in ``"f_beta(0.5)"``.
    function : callable
        What `needs` says it is.
    needs : {"pairs", "cells", "table", "labels"}
        What the function is called with:

        - ``"pairs"``: ``f(a, b, c, d)``, elementwise on float64 arrays of pair counts: objects together in
          both clusterings, in the reference only, in the candidate only, in neither;
        - ``"cells"``: ``phi(n_ij, row_i, column_j, n)`` on single numbers, summed over the non-empty cells
          (an empty cell counts 0); `link` then takes the sum to the index;
        - ``"table"``: ``f(table, row_totals, column_totals)`` on int64 arrays of shape (K, Q), (K,), (Q,);
        - ``"labels"``: ``f(labels_true, labels_pred)`` on two int64 arrays of cluster numbers, the objects in
          the order of the table's cells.
    family : str
        One of `FAMILIES`.
    formula : str
        As it would be written in a paper.
    aliases : tuple of str
        Other names that `get_index` understands.
    known_as : str
        Whose names these are, and names elsewhere that mean something else here.
    source : str
        Where the index was defined.
    range : (float, float)
        Bounds of its values.
    best : float or None
        Value at perfect agreement, towards which the score is adjusted. None where it goes by the cluster
        sizes: the score is then adjusted towards the mean of the two values at ``(U, U)`` and ``(V, V)``.
        nan where no value stands for perfect agreement.
    attained : bool
        Whether every two identical clusterings, none of them trivial, have the value `best`.
    affine : bool
        Whether the index is ``alpha + beta T`` once the margins are fixed, with ``T = sum n_ij**2`` (the L
        family). Its moments then have closed forms.
    symmetric : bool
        Whether exchanging the clusterings leaves the value as it is.
    constant : bool
        Whether the cluster sizes alone give the value, so that there is nothing to correct for chance.
    corrected_as : str
        The index that has the same adjusted score on every table, the margins being fixed, by its canonical
        name: this one is then an affine function of that one, with numbers from the cluster sizes, which
        takes the best value to the best value. Empty for an index that stands for itself; see `equivalents`.
    undefined : float
        Value where the formula is 0/0.
    with_totals : bool
        For ``"pairs"``: whether the function takes ``row_totals, column_totals`` as well, int64 arrays.
    linear : ((int, int, int, int), (int, int, int, int)) or None
        For ``"pairs"``: coefficients of a, b, c, d in numerator and denominator, of an index that is a ratio
        of two linear forms in the pair counts.
    link : callable or None
        For ``"cells"``: ``link(total, row_totals, column_totals)``, elementwise on the array of sums; None
        leaves the sum as it is.
    from_cells : callable or None
        For ``"table"``: the same value from the non-empty cells of a table that is too large to be laid out,
        ``f(rows, columns, counts, row_totals, column_totals)`` on int64 arrays, as plain Python. None where
        there is no such function.
    make : callable or None
        For an entry that stands for a family: what makes the member with given numbers.
    example : tuple or None
        ``(counts, value)``, a worked example.
    notes : str
        What published software does otherwise, and what else a user should know.

    Notes
    -----
    Where the formula is 0/0 and the clusterings are known to be identical, because both have one cluster
    or both have singletons only, the value is `best`; elsewhere `undefined`, which is nan but for indices
    whose definition, or whose use, has settled it.

    Examples
    --------
    >>> import chancecorr
    >>> entry = get_index("jaccard")
    >>> entry.needs, entry.formula, entry.best, entry.affine
    ('pairs', 'a / (a + b + c)', 1.0, False)
    """

    name: str
    function: Callable[..., Any]
    needs: str
    family: str = "user"
    formula: str = ""
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
    make: Callable[..., "Index"] | None = None
    example: tuple[tuple[tuple[int, ...], ...], float] | None = None
    known_as: str = ""
    notes: str = ""

    @property
    def can_be_adjusted(self) -> bool:
        """Whether there are adjusted scores at all: it varies by chance, and its best value is a number."""
        return not self.constant and (self.best is None or math.isfinite(self.best))

    @property
    def larger_is_better(self) -> bool:
        """Whether agreement grows with the value: True unless the best value is the smallest one."""
        return self.best is None or not self.best <= self.range[0]

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle an entry of the catalogue by its name: it is in every process, with all its functions."""
        entry = _register.indices.get(self.name.partition("(")[0])
        if self.family != "user" and entry is not None and entry is not self and entry.make is not None:
            entry = get_index(self.name)  # a member; its name may have fewer digits than its number
        if self.family != "user" and entry is self:
            return get_index, (self.name,)
        return object.__reduce_ex__(self, protocol)

    def __repr__(self) -> str:
        """Name and formula, which always go together."""
        return f"Index({self.name!r}: {self.formula})" if self.formula else f"Index({self.name!r})"


class _Register(NamedTuple):
    """All indices at one moment. A change makes another register, so that a thread reads one and the same."""

    indices: Mapping[str, Index]
    """By canonical name, in the order of registration."""

    names: Mapping[str, str]
    """Canonical names by name and alias."""


_register = _Register({}, {})
_lock = Lock()
"""Held while `_register` is replaced."""


@overload
def register_index(index: Index, *, replace: bool = False) -> Index: ...
@overload
def register_index(
    index: str, function: None = None, *, needs: str, replace: bool = False, **about: Any
) -> Callable[[F], F]: ...
@overload
def register_index(
    index: str, function: Callable[..., Any], *, needs: str, replace: bool = False, **about: Any
) -> Index: ...
def register_index(
    index: Index | str,
    function: Callable[..., Any] | None = None,
    *,
    needs: str = "table",
    replace: bool = False,
    **about: Any,
) -> Any:
    """Make an index known by its name, from inside or outside the package.

    Parameters
    ----------
    index : str or Index
        The name, or a whole entry.
    function : callable, optional
        What computes it. Left out, the call is a decorator.
    needs : {"pairs", "cells", "table", "labels"}
        What the function is called with; see `Index`.
    replace : bool
        Whether an index of this name may be replaced.
    **about
        Further fields of `Index`: ``formula``, ``best``, ``range``, ``aliases``, ``affine``, ``link``, ...

    Returns
    -------
    Index, or the function when used as a decorator
        The entry.

    Raises
    ------
    ValueError
        If the name or an alias is taken, or a field does not fit.

    Examples
    --------
    >>> @register_index("together", needs="pairs", formula="a", range=(0, float("inf")))
    ... def together(a, b, c, d):
    ...     return a
    >>> get_index("together")
    Index('together': a)
    >>> unregister_index("together")
    """
    if isinstance(index, Index):
        return _add(index, replace)
    if function is not None:
        return _add(_entry(index, function, needs, about), replace)

    def decorate(decorated: F) -> F:
        _add(_entry(index, decorated, needs, about), replace)
        return decorated

    return decorate


def unregister_index(name: str) -> None:
    """Forget an index and its aliases.

    Parameters
    ----------
    name : str
        Name or alias of a registered index.

    Raises
    ------
    ValueError
        If no index has this name.

    Examples
    --------
    >>> entry = register_index("alone", lambda a, b, c, d: d, needs="pairs", formula="d")
    >>> unregister_index("alone")
    >>> "alone" in list_indices()
    False
    """
    global _register
    entry = get_index(name)
    with _lock:
        if entry.name not in _register.indices:  # as where another thread was first
            raise _unknown(entry.name, entry.name, _register)
        indices, names = dict(_register.indices), dict(_register.names)
        for key in (entry.name, *indices.pop(entry.name).aliases):
            names.pop(key, None)
        _register = _Register(indices, names)


def get_index(name: str | Index) -> Index:
    """Entry of an index, by its name or an alias, whatever the case, spaces, hyphens and underscores.

    A name may end in "index", "score" or "coefficient"; "similarity" and "distance" where that is what it is.

    Parameters
    ----------
    name : str or Index
        Name, alias, or a family with numbers, as in ``"f_beta(0.5)"``; an entry is returned as it is.

    Returns
    -------
    Index
        The entry.

    Raises
    ------
    ValueError, TypeError
        If no index has this name, or several that differ are called so; the message has the nearest ones.

    Examples
    --------
    >>> import chancecorr
    >>> get_index("dice").name, get_index("Rand Index").name, get_index("fowlkes_mallows_score").name
    ('czekanowski', 'rand', 'fowlkes_mallows')
    >>> get_index("f_beta(0.5)")
    Index('f_beta(0.5)': (1 + beta^2) a / ((1 + beta^2) a + beta^2 b + c), beta = 0.5)
    >>> get_index("jacard")
    Traceback (most recent call last):
        ...
    chancecorr.arguments.ArgumentValueError: `index` must be a registered index; got 'jacard'.
    Did you mean 'jaccard'?
    >>> get_index("nmi")
    Traceback (most recent call last):
        ...
    chancecorr.arguments.ArgumentValueError: `index` must be a registered index; got 'nmi'.
    Choose 'nmi_sum' (scikit-learn's default), 'nmi_max', 'nmi_min' or 'nmi_sqrt'.
    """
    if isinstance(name, Index):
        if not isinstance(name.name, str) or _register.indices.get(name.name) is not name:
            _check_fields(name)
        return name
    if not isinstance(name, str):
        raise ArgumentTypeError("index", f"must be a name or an Index; got {name!r}.")
    key, numbers = _parsed(name)
    register = _register
    owner = register.names.get(key) or _otherwise_spelt(key, register)
    if owner is None:
        raise _unknown(name, key, register)
    entry = register.indices[owner]
    return entry if numbers is None else _member(entry, numbers, name)


def get_indices(names: str | Index | Sequence[str | Index]) -> tuple[Index, ...]:
    """Entries of one or several indices, each once, in the order given."""
    if isinstance(names, str | Index):
        return (get_index(names),)
    try:
        listed = list(names)
    except TypeError:  # an array of no dimension has a method to iterate, too
        raise ArgumentTypeError(
            "index", f"must be a name, an Index, or a list of them; got {names!r}."
        ) from None
    entries = {entry.name: entry for entry in map(get_index, listed)}
    if not entries:
        raise ArgumentValueError("index", "must name at least one index; got none.")
    return tuple(entries.values())


def list_indices(family: str | None = None) -> list[str]:
    """Sorted names of the registered indices, of all families or one.

    Parameters
    ----------
    family : {"pair_counting", "information", "set_matching", "cluster_level", "user"}, optional
        Left out, all families.

    Returns
    -------
    list of str
        Canonical names, without aliases.

    Raises
    ------
    ValueError
        If there is no such family.

    Examples
    --------
    >>> import chancecorr
    >>> "jaccard" in list_indices("pair_counting")
    True
    """
    if family is not None:
        one_of("family", family, FAMILIES)
    return sorted(name for name, entry in _register.indices.items() if family in (None, entry.family))


def _parsed(name: str) -> tuple[str, tuple[float, ...] | None]:
    """Key of a name, and the numbers in parentheses behind it, if any."""
    family, parenthesis, inside = name.partition("(")
    key = re.sub(r"[-\s]", "_", family.strip().lower())
    if not parenthesis:
        return key, None
    try:
        return key, tuple(float(number) for number in inside.rstrip().removesuffix(")").split(","))
    except ValueError:
        raise ArgumentValueError(
            "index", f"must have numbers only between its parentheses; got {name!r}."
        ) from None


def _otherwise_spelt(key: str, register: _Register) -> str | None:
    """Name of the index meant by another spelling, or by a name with an ending; None if there is none.

    ``"RandIndex"`` is `rand`, ``"adjusted Rand index"`` is `adjusted_rand`. The names come in the order of
    registration: a user's name never takes the place of one in the catalogue.
    """
    owners: dict[str, str] = {}
    for known, owner in register.names.items():
        owners.setdefault(squeezed(known), owner)
    stem = squeezed(key)
    if stem in owners:
        return owners[stem]
    for ending, larger_is_better in ENDINGS.items():
        found = _otherwise_spelt(stem.removesuffix(ending), register) if stem.endswith(ending) else None
        if found and larger_is_better in (None, register.indices[found].larger_is_better):
            return found
    adjusted = _score_of(key, ADJUSTED, register)
    return f"adjusted_{adjusted}" if f"adjusted_{adjusted}" in register.indices else None


def _score_of(key: str, beginnings: Sequence[str], register: _Register) -> str | None:
    """Name of the index of which a name with one of these beginnings is a score; None if there is none."""
    stem = squeezed(key)
    for beginning in beginnings:
        rest = stem.removeprefix(beginning)
        if rest and rest != stem:
            return register.names.get(rest) or _otherwise_spelt(rest, register)
    return None


def _unknown(name: str, key: str, register: _Register) -> ArgumentValueError:
    """The error for a name that no index has: advice where the name is known elsewhere, else the nearest."""
    sentence, remedy = advice(key)
    if not sentence and (index := _score_of(key, ADJUSTED, register)):
        sentence, remedy = adjusted_score(index)
    if not sentence and (index := _score_of(key, STANDARDIZED, register)):
        sentence, remedy = standardized_score(index)
    # Among short names one other letter makes another: "smi" is no slip for "rmi", nor "ci" for "csi".
    cutoff = 0.6 if len(key) > 4 else 0.75 if len(key) > 2 else 0.9
    said = f" {sentence}" if sentence else did_you_mean(key, register.names, cutoff)
    return ArgumentValueError("index", f"must be a registered index; got {name!r}.{said}", remedy=remedy)


@functools.lru_cache(maxsize=512)
def _member(entry: Index, numbers: tuple[float, ...], name: str) -> Index:
    """The member of a family with these numbers; always the same one, so that it is compiled once."""
    if entry.make is None:
        raise ArgumentValueError(
            "index", f"must be a name without numbers: {entry.name!r} has none; got {name!r}."
        )
    wanted = len(inspect.signature(entry.make).parameters)
    if len(numbers) != wanted:
        raise ArgumentValueError(
            "index", f"must have {wanted} number(s) behind {entry.name!r}; got {name!r}."
        )
    return entry.make(*numbers)


def _entry(name: str, function: Callable[..., Any], needs: str, about: dict[str, Any]) -> Index:
    allowed = [field for field in Index.__dataclass_fields__ if field not in ("name", "function", "needs")]
    for field in about:
        if field not in allowed:
            raise TypeError(f"`register_index` has no field {field!r}.{did_you_mean(field, allowed)}")
    return Index(name=name, function=function, needs=needs, **about)


def _check_flags(entry: Index) -> None:
    for name in ("attained", "affine", "symmetric", "constant", "with_totals"):
        if not isinstance(getattr(entry, name), bool):
            raise ArgumentTypeError(name, f"must be True or False; got {getattr(entry, name)!r}.")


def _check_numbers(entry: Index) -> None:
    """Raise unless `range` is two numbers, the smaller one first, and `best` one in it, nan or None."""
    bounds, best = entry.range, entry.best
    rule = f"must be two numbers, the lower and the upper bound of the values; got {bounds!r}."
    if not (isinstance(bounds, tuple | list) and len(bounds) == 2 and all(map(_is_number, bounds))):
        raise ArgumentTypeError("range", rule)
    if not bounds[0] <= bounds[1]:  # nor is nan
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
    """Whether it is a real number, and none that float64 cannot hold."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _check_fields(entry: Index) -> None:
    """Raise unless each field is of its type, and means something for an index of this kind."""
    if not isinstance(entry.name, str):
        raise ArgumentTypeError("index", f"must be a name or an Index; got {entry.name!r}.")
    for field in ("formula", "source", "corrected_as", "known_as", "notes"):
        if not isinstance(getattr(entry, field), str):
            raise ArgumentTypeError(field, f"must be text; got {getattr(entry, field)!r}.")
    one_of("needs", entry.needs, FIELDS_OF_KIND)
    one_of("family", entry.family, FAMILIES)
    if not callable(entry.function):
        raise ArgumentTypeError("function", f"must be callable; got {entry.function!r}.")
    _check_flags(entry)
    for field in frozenset().union(*FIELDS_OF_KIND.values()) - FIELDS_OF_KIND[entry.needs]:
        default = Index.__dataclass_fields__[field].default
        if getattr(entry, field) is not default:
            kinds = " or ".join(repr(needs) for needs, fields in FIELDS_OF_KIND.items() if field in fields)
            raise ArgumentValueError(
                field, f"must be {default} unless `needs` is {kinds}; got needs={entry.needs!r}."
            )
    _check_numbers(entry)
    if not isinstance(entry.aliases, tuple | list):
        raise ArgumentTypeError("aliases", f"must be a tuple of names; got {entry.aliases!r}.")


def _add(entry: Index, replace: bool) -> Index:
    _check_fields(entry)
    keys = (entry.name, *entry.aliases)
    for key in keys:
        if not isinstance(key, str):
            raise ArgumentTypeError("index", f"must be a name or an Index; got {key!r}.")
        if not key.isidentifier() or key != key.lower():
            raise ArgumentValueError("index", f"must be named in snake_case; got {key!r}.")
    global _register
    with _lock:
        for key in keys:
            owner = _register.names.get(key)
            if owner is not None and not (replace and owner == entry.name):
                raise ArgumentValueError(
                    "index",
                    f"must have a name of its own; {key!r} already stands for {owner!r}."
                    " Pass replace=True to replace that entry.",
                )
        indices, names = dict(_register.indices), dict(_register.names)
        for key in indices.get(entry.name, entry).aliases:
            names.pop(key, None)  # of the entry that is replaced
        indices[entry.name] = entry
        names.update(dict.fromkeys(keys, entry.name))
        _register = _Register(indices, names)
    return entry
