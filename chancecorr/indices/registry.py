"""The register of indices: find an index by its name, an alias, or another spelling."""

import copyreg
import dataclasses
import functools
import inspect
import threading
import weakref
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar, overload

from chancecorr.indices.index import FAMILIES as FAMILIES
from chancecorr.indices.index import FIELDS_OF_KIND as FIELDS_OF_KIND
from chancecorr.indices.index import OF_AGREEMENT, OF_CLUSTERINGS
from chancecorr.indices.index import Index as Index
from chancecorr.indices.names import (
    explain_unknown_name,
    find_canonical_name,
    find_default_meaning,
    split_name,
    squeeze_name,
    write_title,
)
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, check_choice, suggest_name
from chancecorr.machine.notes import NAME_OF_INDEX, Note

F = TypeVar("F", bound=Callable[..., Any])

AnyIndex = str | Index | Callable[..., float]  # a name, an index, or a function of two label vectors


class LabelledIndex(NamedTuple):
    """An index of a call, with its label and notes on it."""

    entry: Index
    label: str  # the name that the user gave
    notes: tuple[Note, ...] = ()


class _Register(NamedTuple):
    """All indices. A change makes a new register, so that a reading thread never sees a half-made one."""

    indices: Mapping[str, Index]
    """Indices by canonical name, in the order of registration."""

    names: Mapping[str, str]
    """Canonical names, by name and by alias."""


_register = _Register({}, {})
_lock = threading.Lock()  # held while `_register` is replaced

_of_functions: weakref.WeakValueDictionary[int, Index] = weakref.WeakValueDictionary()
"""Indices of functions of two label vectors, by `id`; an index keeps its function alive."""


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
    """Register an index by its name, from inside or outside the package.

    Parameters
    ----------
    index : str or Index
        The name, or a complete `Index`.
    function : callable, optional
        The function of the index. If it is left out, the call is a decorator.
    needs : {"pairs", "cells", "table", "labels", "agreement"}
        The arguments of the function; see `Index`. A function of labels is called with two arrays of numbers
        from 0 on. Each side is numbered separately; for a function that compares labels by name, as accuracy
        does, both sides are numbered over the union of their labels. A function of a table that compares by
        name is called with a square table.
    replace : bool
        If True, an index with this name may be replaced.
    **about
        Further fields of `Index`: ``formula``, ``best``, ``range``, ``aliases``, ``affine``, ``link``, ...

    Returns
    -------
    Index, or the function when used as a decorator
        The entry.

    Raises
    ------
    ValueError
        If the name or an alias is taken, or a field does not fit the others.

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
    """Remove an index and its aliases from the register.

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
        if entry.name not in _register.indices:  # another thread has removed it
            raise explain_unknown_name(entry.name, entry.name, *_register)
        indices, names = dict(_register.indices), dict(_register.names)
        for key in (entry.name, *indices.pop(entry.name).aliases):
            names.pop(key, None)
        _register = _Register(indices, names)


def get_index(name: AnyIndex) -> Index:
    r"""Return an index by its name or an alias; case, spaces, hyphens and underscores do not matter.

    A name may end in "index", "score" or "coefficient"; in "similarity" or "distance" if the index is one.

    Parameters
    ----------
    name : str, Index or callable
        Name, alias, or a family with numbers, as in ``"f_beta(0.5)"``; an `Index` is returned unchanged. A
        function ``f(labels_true, labels_pred)`` of two arrays of cluster numbers becomes an index that needs
        labels; see `Index` for these numbers.

    Returns
    -------
    Index
        The index.

    Raises
    ------
    ValueError, TypeError
        If no index has this name, or several different indices have it; the message names the nearest.

    Examples
    --------
    >>> import chancecorr
    >>> get_index("dice").name, get_index("Rand Index").name, get_index("fowlkes_mallows_score").name
    ('czekanowski', 'rand', 'fowlkes_mallows')
    >>> get_index("f_beta(0.5)")
    Index('f_beta(0.5)': (1 + β^2) a / ((1 + β^2) a + β^2 b + c); β = 0.5)
    >>> get_index("jacard")
    Traceback (most recent call last):
        ...
    chancecorr.machine.arguments.ArgumentValueError: `index` must be a registered index; got 'jacard'.
    Did you mean 'jaccard'?
    >>> get_index("nmi").name  # as scikit-learn has it
    'nmi_sum'
    """
    return find_index(name, to_adjust=False).entry


def find_index(name: AnyIndex | LabelledIndex, *, to_adjust: bool) -> LabelledIndex:
    """Find an index as `get_index`, and if `to_adjust` also by the name of its adjusted score."""
    if isinstance(name, LabelledIndex):
        return name
    if isinstance(name, Index):
        return LabelledIndex(name, name.name)
    if callable(name) and not isinstance(name, type):
        entry = _of_functions.get(id(name))
        if entry is None:
            called = getattr(name, "__name__", type(name).__name__).strip("<>")
            about = {"family": "user", "formula": f"{called}(U, V)", "best": None}
            entry = _of_functions[id(name)] = _entry(called, name, "labels", about)
        return LabelledIndex(entry, entry.name)
    if not isinstance(name, str):
        several = " `adjust` and `compare` take several." if isinstance(name, list | tuple) else ""
        several = " Pass weights of objects as `weights`." if isinstance(name, float) else several
        rule = f"must be a name, an Index or a function of labels; got {name!r}.{several}"
        raise ArgumentTypeError("index", rule)
    register, notes = _register, tuple[Note, ...]()
    if name in register.indices:
        return LabelledIndex(register.indices[name], name)
    key, numbers = split_name(name)
    owner = find_canonical_name(key, *register)
    meaning = find_default_meaning(name) if owner is None else None
    if meaning is not None and (to_adjust or not meaning.is_score):
        (owner, own), notes = split_name(meaning.owner), (Note(NAME_OF_INDEX, f"{name} {meaning.remark}"),)
        numbers = numbers or own
    if owner is None:
        raise explain_unknown_name(name, key, *register)
    entry = register.indices[owner]
    return LabelledIndex(entry if numbers is None else _member(entry, numbers, name), name, notes)


def display_name(name: str, label: str = "") -> str:
    """Return the name of an index for readers, or of its adjusted score if `label` means the score."""
    title = write_title(name, _register.indices.get(name))
    meaning = find_default_meaning(label)
    is_score = meaning is not None and meaning.is_score
    return f"Adjusted {title[:1].lower()}{title[1:]}" if is_score else title


def display_adjusted(name: str, label: str = "") -> str:
    """Return the name of an index's adjusted score for readers."""
    text = display_name(name, label)
    return text if text.startswith("Adjusted") else f"{text}, adjusted"


def find_named(text: str) -> str | None:
    """Return the name of the index that a text names in any spelling, or None."""
    try:
        return find_index(text, to_adjust=True).entry.name
    except ValueError:
        return None


def is_one(names: Any) -> bool:
    """Return True if `names` is one index and not a list."""
    return isinstance(names, str | Index) or callable(names)


def find_registered(name: str) -> Index | None:
    """Return the index with this name or alias, or None."""
    owner = find_canonical_name(split_name(name)[0], *(register := _register))
    return None if owner is None else register.indices[owner]


def find_twice_best_pair_sum(index: Index) -> Callable[[int, int], int] | None:
    """Return `Index.twice_best_pair_sum` of an index, or of the index that has the same adjusted score."""
    return index.twice_best_pair_sum or _register.indices.get(index.corrected_as, index).twice_best_pair_sum


def find_indices(
    names: Any, read_function: Callable[[Callable[..., float]], Index] | None = None
) -> list[LabelledIndex]:
    """Find indices in the given order, each once, with notes on names that are not of the index itself.

    `read_function` makes the index of a function; by default, functions take two label vectors.
    """
    try:
        listed = [names] if is_one(names) else list(names)
    except TypeError:  # an array without dimensions also has a method to iterate
        raise ArgumentTypeError(
            "index", f"must be a name, an Index, or a list of them; got {names!r}."
        ) from None
    if not listed:
        raise ArgumentValueError("index", "must name at least one index; got none.")
    indices: dict[str, LabelledIndex] = {}
    for name in listed:
        is_function = callable(name) and not isinstance(name, Index)
        index = find_index(read_function(name) if read_function and is_function else name, to_adjust=True)
        entry = index.entry
        if isinstance(name, str) and not squeeze_name(name).startswith(squeeze_name(entry.name)):
            index = index._replace(notes=index.notes or (Note(NAME_OF_INDEX, f"{name} is {entry.name!r}"),))
        # a member of a family may occur twice in different spellings, as different objects
        first = indices.setdefault(entry.name, index)
        if first.entry is not entry and entry.family in ("user", OF_CLUSTERINGS):
            raise ArgumentValueError("index", f"must have different names; got two called {entry.name!r}.")
        if first.label == entry.name:
            indices[entry.name] = index
    return list(indices.values())


def list_indices(family: str | None = None) -> list[str]:
    """Return the sorted names of the registered indices of partitions, or of one family.

    Parameters
    ----------
    family : str, optional
        ``"pair_counting"``, ``"information"``, ``"set_matching"``, ``"cluster_level"``, ``"user"``;
        ``"agreement"``: indices that compare labels by name; or ``"clusterings"``: indices of other kinds of
        clusterings, whose entries name the kinds. By default all families except the last two.

    Returns
    -------
    list of str
        Canonical names, without aliases.

    Raises
    ------
    ValueError
        If the family does not exist.

    Examples
    --------
    >>> import chancecorr
    >>> "jaccard" in list_indices("pair_counting")
    True
    """
    if family is not None:
        check_choice("family", family, (*FAMILIES, OF_AGREEMENT, OF_CLUSTERINGS))
    families = FAMILIES if family is None else (family,)
    return sorted(name for name, entry in _register.indices.items() if entry.family in families)


@functools.lru_cache(maxsize=512)
def _member(entry: Index, numbers: tuple[float, ...], name: str) -> Index:
    """Return the member of a family with these numbers; always the same object, so that it compiles once."""
    if entry.make is None:
        raise ArgumentValueError(
            "index", f"must be a name without numbers, because {entry.name!r} has none; got {name!r}."
        )
    wanted = len(inspect.signature(entry.make).parameters)
    if len(numbers) != wanted:
        raise ArgumentValueError("index", f"must have {wanted} number(s) after {entry.name!r}; got {name!r}.")
    return dataclasses.replace(entry.make(*numbers), about=entry.about)


def _entry(name: str, function: Callable[..., Any], needs: str, about: dict[str, Any]) -> Index:
    """Make an index with further fields; raise if `Index` does not have a field."""
    of_init = [field.name for field in dataclasses.fields(Index) if field.init]
    allowed = [field for field in of_init if field not in ("name", "function", "needs")]
    for field in about:
        if field not in allowed:
            raise TypeError(f"`register_index` has no field {field!r}.{suggest_name(field, allowed)}")
    entry = Index(name=name, function=function, needs=needs, **about)
    given = {"pairs": 4 + 2 * entry.with_totals, "cells": 4, "table": 3, "labels": 2, "agreement": 4}.get(
        needs, 0
    )
    signature = None
    try:
        signature = inspect.signature(getattr(function, "py_func", function))
        signature.bind(*range(given))
    except (TypeError, ValueError):  # a function of C has no signature
        if signature is not None and given:
            names = f"{given} arguments, {ARGUMENTS[needs]}," if needs in ARGUMENTS else f"{given} arguments"
            rule = f"must take {names} for needs={needs!r}; got one that takes {signature}."
            raise ArgumentTypeError("function", rule) from None
    return entry


ARGUMENTS = {
    "cells": "n_ij, row_i, column_j, n",
    "table": "table, row_totals, column_totals",
    "labels": "labels_true, labels_pred",
    "agreement": "rows, columns, row_totals, column_totals",
}
"""What a function gets, by what it needs."""


def _add(entry: Index, replace: bool) -> Index:
    """Add an index to the register, if its names are free."""
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
                    f"must have a new name; {key!r} already stands for {owner!r}."
                    " Pass replace=True to replace that entry.",
                )
        indices, names = dict(_register.indices), dict(_register.names)
        for key in indices.get(entry.name, entry).aliases:
            names.pop(key, None)  # names of the index that is replaced
        indices[entry.name] = entry
        names.update(dict.fromkeys(keys, entry.name))
        _register = _Register(indices, names)
    return entry


def _by_name_if_of_the_catalogue(index: Index) -> Any:
    """Pickle catalogue indices by name, because every process has them; other indices by value."""
    entry = _register.indices.get(index.name.partition("(")[0])
    if index.family != "user" and entry is not None:
        if entry is not index and entry.make is not None:
            # a member of a family; its name may have fewer digits than its number
            entry = get_index(index.name)
        if entry is index:
            return get_index, (index.name,)
    return object.__reduce_ex__(index, 2)


copyreg.pickle(Index, _by_name_if_of_the_catalogue)
