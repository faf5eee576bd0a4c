"""Names of objects, or their positions: labels, weights and groups are matched by these.

Mappings, sets of objects, the index of a Series or a frame, and coordinates of xarray name objects; arrays,
lists and polars Series have objects by position. A Series has names and an order; mappings and sets have only
names. `match_sides` finds the objects of several clusterings; `match_entries` finds these objects in weights,
strata, groups, draws and coordinates.
"""

import itertools
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, find_imported
from chancecorr.machine.arrays import Integers, refuse_masked

MIN_SHARED = 0.05  # share of the smaller side's objects; with fewer the sides do not have the same objects

Named = Sequence[Hashable]  # names of objects; also an index of pandas
Merge = Callable[[Iterable[Any]], Iterable[Any]]  # from the names of several sides to distinct names


@dataclass(frozen=True, eq=False)
class ObjectNames:
    """Names of the objects of clusterings, in the order of the stored labels.

    `names` is a range if objects have no names, an index of pandas for a Series with an index, else a tuple.
    """

    names: Named
    reference: str = ""  # name of the argument with these names
    has_order: bool = True  # True if an entry of a plain list or array belongs to the object at its position

    def __len__(self) -> int:
        return len(self.names)

    @property
    def has_names(self) -> bool:
        """True if objects have names, and not only positions."""
        return not is_counting(self.names)

    @property
    def own(self) -> Named | None:
        """The names; None if objects are only numbered in the order of the entries."""
        return None if isinstance(self.names, range) else self.names

    def list_names(self) -> tuple[Hashable, ...] | None:
        """List the names for a result by object; None if objects have only positions."""
        if not self.has_names:
            return None
        names: Any = self.names
        return tuple(names.tolist() if is_index(names) else names)


def find_index(source: Any) -> Any:
    """Return the index of a pandas Series or frame, or of an xarray array's first dimension; else None."""
    pandas = find_imported("pandas")
    if pandas is not None and isinstance(source, pandas.Series | pandas.DataFrame):
        return source.index
    if is_of_xarray(source) and source.dims:
        return source.indexes.get(source.dims[0])
    return None


def is_of_xarray(source: Any) -> bool:
    """Return True for an array of xarray, which may have coordinates."""
    return type(source).__module__.partition(".")[0] == "xarray" and hasattr(source, "indexes")


def write_names(names: Iterable[Hashable]) -> list[Any]:
    """Convert names of objects for JSON: texts and numbers stay, other names become text."""
    plain = (name.item() if isinstance(name, np.generic) else name for name in names)
    return [name if isinstance(name, str | int | float) else str(name) for name in plain]


def is_counting(names: Named) -> bool:
    """Return True if names are 0 to n - 1 in this order, and so are positions."""
    if isinstance(names, range):
        return names == range(len(names))
    if isinstance(names, tuple | list):
        return all(
            isinstance(name, int | np.integer) and name == k and not isinstance(name, bool)
            for k, name in enumerate(names)
        )
    kind = getattr(names.dtype, "kind", "")  # type: ignore[attr-defined]
    return kind in "iu" and bool(np.array_equal(np.asarray(names), np.arange(len(names))))


def is_index(names: Named) -> bool:
    """Return True if names are an index of pandas."""
    return not isinstance(names, range | tuple | list)


def match_sides(
    called: Sequence[str], own: Sequence[Named | None], n_plain: int, *, merge: Merge | None = None,
    may_lack: Sequence[bool] = (),
) -> tuple[ObjectNames, list[Integers | None]]:  # fmt: skip
    """Return the objects of several sides, and the position of each object in each side.

    The names of a side are an index, a tuple if they have no order, or None; `n_plain` is the number of
    objects of the first side without names. Positions are None if the objects are in order, and -1 for an
    object that the side lacks. With `merge`, which lists the objects of all sides, sides that have only names
    may have different objects; `may_lack` says which sides may lack some of them.
    """
    names, places = list(own), list[Integers | None]([None] * len(own))
    plain = [k for k, own_names in enumerate(names) if own_names is None]
    if merge is not None and not plain and any(isinstance(own_names, tuple) for own_names in names):
        names = [_forget_order(own_names) for own_names in names]
    unordered = [k for k, own_names in enumerate(names) if isinstance(own_names, tuple)]
    indexed = [k for k in range(len(names)) if k not in plain and k not in unordered]
    if not indexed and not plain:
        return _match_unordered(called, names, merge, may_lack)  # type: ignore[arg-type]
    if not indexed:
        objects = ObjectNames(range(n_plain), called[plain[0]])
    else:
        objects = ObjectNames(names[indexed[0]], called[indexed[0]])  # type: ignore[arg-type]
        for k in indexed[1:]:
            if len(names[k]) == len(objects):  # type: ignore[arg-type]  # the reader raises for other lengths
                places[k] = match_entries(called[k], names[k], objects, "labels")
                objects = replace(objects, has_order=objects.has_order and places[k] is None)
        if plain:
            match_entries(called[plain[0]], None, objects, "labels")  # raises without an order
    if not unordered:
        return objects, places
    if is_counting(objects.names):  # their names are positions
        objects = ObjectNames(range(len(objects)), objects.reference)
    for k in unordered:
        places[k] = match_entries(called[k], names[k], objects, "labels")
    return replace(objects, names=tuple(objects.names)), places


def _forget_order(own: Any) -> Any:
    """Return the names of an index without their order, if each of them is an object's name."""
    return tuple(own) if is_index(own) and own.is_unique and not is_counting(own) else own


def _match_unordered(
    called: Sequence[str], own: Sequence[tuple[Hashable, ...]], merge: Merge | None, may_lack: Sequence[bool]
) -> tuple[ObjectNames, list[Integers | None]]:
    """Match sides that have only names, as `match_sides`."""
    objects = own[0] if merge is None else tuple(merge(itertools.chain.from_iterable(own)))
    if {*objects} == {*range(len(objects))}:
        objects = tuple(range(len(objects)))
    known, places = ObjectNames(objects, called[0], has_order=is_counting(objects)), list[Integers | None]()
    if merge is not None:
        for k in range(1, len(own)):
            refuse_few_shared(called[k], own[k], called[0], own[0])
    for k, names in enumerate(own):
        if names == objects:
            places.append(None)
            continue
        if merge is None:
            refuse_other_names(called[k], names, known, ("missing", "drop", "leave such objects out"))
        elif not may_lack[k]:
            refuse_other_names(called[k], names, replace(known, reference=called[not k]))
        place = {name: position for position, name in enumerate(names)}
        listed = (place.get(name, -1) for name in objects)
        places.append(np.fromiter(listed, dtype=np.int64, count=len(objects)))
    return known, places


def read_entries(argument: str, source: Any) -> tuple[Any, Named | None]:
    """Return the entries of a mapping, Series, frame, list or array, and the names of their objects."""
    refuse_masked(argument, source)
    if isinstance(source, Mapping):
        return list(source.values()), tuple(source)
    return source, find_index(source)


def match_entries(
    argument: str, own: Named | None, objects: ObjectNames, what: str, *, has_order: bool = False
) -> Integers | None:
    """Return the position of each object among entries; None if they are in the order of the objects.

    Entries are matched by name if both have names. If only one of them has names, entries are matched by
    position; this needs an order. An index has an order, a tuple of names has one if `has_order` is True.
    """
    if own is None or (is_index(own) and is_counting(own) and not is_index(objects.names)):
        if not objects.has_order:
            raise ArgumentTypeError(
                argument,
                f"must name the objects as `{objects.reference}` does; got {what} without names."
                f" {advise_names(objects)}",
            )
        return None
    has_positions = isinstance(objects.names, range)
    if has_order and is_index(objects.names):
        has_positions = is_counting(objects.names)
    has_order = has_order or is_index(own)
    return None if has_positions and has_order else _match_names(argument, own, objects, has_order=has_order)


def advise_names(objects: ObjectNames) -> str:
    """Describe how to give names to a vector."""
    return f"Pass {{object: value}}, or a Series whose index holds the names, such as {objects.names[0]!r}."


def _match_names(argument: str, own: Named, objects: ObjectNames, *, has_order: bool) -> Integers | None:
    """Return each object's position among names; None if in order; raise if the names differ.

    Entries without an order are looked up by name, so that objects of one name share an entry.
    """
    names = objects.names
    if is_index(own) and is_index(names):
        if own.equals(names):  # type: ignore[attr-defined]
            return None
        if is_counting(own) or is_counting(names) or not own.is_unique:  # type: ignore[attr-defined]
            refuse_index(argument, own, objects)
    place = {name: k for k, name in enumerate(own)}
    for twice, all_names in ((argument, own), (objects.reference, names))[: 1 + has_order]:
        if len(all_names) > len(set(all_names)):
            seen = set[Hashable]()
            name = next(name for name in all_names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            rule = f"must name each object once, to be matched by name; got {name!r} twice"
            raise ArgumentValueError(twice, f"{rule}. Pass arrays, as by `.to_numpy()`, in one order.")
    refuse_other_names(argument, place, objects)
    places = np.fromiter((place[name] for name in names), dtype=np.int64, count=len(names))
    return None if np.array_equal(places, np.arange(places.size)) else places


def refuse_index(argument: str, own: Named, objects: ObjectNames) -> None:
    """Raise because one index is 0 to n - 1, which means positions, and the other index has names."""
    pairs = enumerate(zip(own, objects.names, strict=False))
    different = (f"{a!r}, not {b!r}, at position {k}" for k, (a, b) in pairs if a != b)
    got = next(different, f"{len(own)} entries, not {len(objects)}")
    others = [objects.reference] if objects.reference else []
    way = "Match the objects"
    if set(own) == set(objects.names):
        way = "Pass `.to_dict()` of both to match the objects by their index"
    raise ArgumentValueError(
        argument,
        f"must have the index of `{objects.reference}`; got {got}. {way}, or pass arrays, as by"
        " `.to_numpy()`, if they are in the same order.",
        *others,
    )


def refuse_other_names(
    argument: str, own: Iterable[Hashable], objects: ObjectNames, remedy: tuple[str, str, str] | None = None
) -> None:
    """Raise if names are not the names of the objects, in any order."""
    here, among = dict.fromkeys(own), set(objects.names)
    more, fewer = [name for name in here if name not in among], [x for x in objects.names if x not in here]
    if not (more or fewer):
        return
    got = [f"{len(more):,} more, as {more[0]!r}"] if more else []
    got += [f"{len(fewer):,} fewer, as {fewer[0]!r}"] if fewer else []
    reference, text = objects.reference, ", and ".join(got)
    rule = f"must name the objects of `{reference}`" if reference else "must name the objects"
    unlike = explain_unlike_names(here, among)
    if isinstance(objects.names, range):
        rule += f", which are 0 to {len(objects) - 1} by their positions"
        text += ". Where they have names, pass both sides as {object: label} or as sets"
    elif unlike:
        text, remedy = f"{text}. {unlike}", None
    elif remedy is None:
        text += ". Pass one entry for each of the objects"
    others = [reference] if reference else []
    raise ArgumentValueError(argument, f"{rule}; got {text}.", *others, remedy=remedy)


def refuse_few_shared(
    argument: str, own: Collection[Hashable], reference: str, names: Collection[Hashable]
) -> None:
    """Raise if two sides share too few objects; each side may have objects that the other does not have."""
    unlike = explain_unlike_names(own, names)
    if unlike:
        there = {*names}
        some = next((x for x in own if x not in there), None)
        rule = f"must name objects as `{reference}` does, such as {next(iter(names))!r}"
        raise ArgumentValueError(argument, f"{rule}; got {some!r}. {unlike}.", reference)


def explain_unlike_names(own: Collection[Hashable], names: Collection[Hashable]) -> str:
    """Explain why the names of two sides do not match; empty text if they share enough names."""
    here, there = {*own}, {*names}
    if not here or not there:
        return ""
    kinds = [{isinstance(name, str) for name in some} for some in (here, there)]
    if not kinds[0] & kinds[1] and {*map(str, here)} & {*map(str, there)}:
        return "They are texts on one side and not on the other: name them alike, as by `str`"
    numbers = [{*range(len(here))}, {*range(1, len(here) + 1)}]
    if [here, there] in (numbers, numbers[::-1]):
        return "One side counts them from 0, the other from 1: number them alike"
    shared = len(here & there)
    if shared < MIN_SHARED * min(len(here), len(there)):
        few = "no object" if shared == 0 else f"only {shared:,} of {min(len(here), len(there)):,} objects"
        return f"The sides share {few}: give the same object the same name on both"
    return ""


def sort_objects(objects: Iterable[Any]) -> list[Any]:
    """Return the distinct objects, sorted; by their type and text if they cannot be compared."""
    distinct = list(dict.fromkeys(objects))
    try:
        return sorted(distinct)
    except TypeError:
        return sorted(distinct, key=lambda x: (type(x).__name__, repr(x)))
