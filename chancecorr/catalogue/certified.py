"""Properties of each index: proved, refuted by a counterexample, or open.

The data are made by ``python -m experiments.properties.run`` in the repository, from all pairs of clusterings
of up to 8 objects; they are read when they are first asked for.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from chancecorr.indices.registry import Index, get_index

STATUSES = ("proved", "refuted", "open", "not applicable")
"""States of a property."""


DIRECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "more": "The mean score grows with the number of clusters, for every reference of n_max objects.",
        "fewer": "The mean score falls with the number of clusters, for every reference of n_max objects.",
        "by reference": "Whether the mean score grows or falls with the number of clusters depends on the"
        " reference.",
        "mixed": "The mean score turns as the number of clusters grows, for every reference of n_max"
        " objects.",
    }
)
"""What the number of clusters does to the mean, in words; a score is larger here where agreement is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """The state of one property of one index.

    Attributes
    ----------
    name : str
        Key of the property, such as ``"monotone"``; `property_definitions` has the exact words.
    status : {"proved", "refuted", "open", "not applicable"}
        Proved: there is a reason, and no counterexample among the clusterings of up to `n_max` objects.
        Refuted: there is a counterexample. Open: neither. Not applicable: the reason says why it means
        nothing for this index.
    reason : str
        Why it is proved or not applicable, or what else is known; may be empty.
    counterexample : mapping or None
        The smallest one, or one of more than `n_max` objects that was found by trying: ``clusterings``,
        a tuple of label texts such as ``"0012"``, and ``scores``, a tuple of ``(i, j, value)`` with the
        score of clustering i as reference and j as candidate (for a property of means, the mean that the
        definition speaks of); or, where the property is one of the pair counts, ``counts``, tuples ``(a,
        b, c, d)``, and ``values``. For the triangle
        inequality also the score of a clustering with itself.
    n_max : int
        Objects up to which all clusterings were searched, or pairs, for a property of the pair counts; 0
        where nothing is searched: the limit for many pairs, and the number of steps.

    Examples
    --------
    >>> from chancecorr.catalogue import properties
    >>> found = properties("jaccard")["constant_baseline"]
    >>> found.status, bool(found), found.counterexample["clusterings"]
    ('refuted', False, ('0001', '0001', '0011'))
    """

    name: str
    status: str
    reason: str
    counterexample: Mapping[str, Any] | None
    n_max: int

    def __bool__(self) -> bool:
        """Whether the property is proved."""
        return self.status == "proved"


def properties(index: str | Index, *, adjusted: bool = False) -> Mapping[str, Property]:
    """Properties of an index, raw or corrected for chance; all are open unless examined.

    Parameters
    ----------
    index : str or Index
        See `list_indices`. Of a parametric family the plain name, its member that the formula gives, was
        examined.
    adjusted : bool
        Whether the score corrected for chance is meant, ``(observed - expected) / (best - expected)`` with
        both margins fixed, rather than the index itself.

    Returns
    -------
    mapping of str to Property
        By key, in the order of `property_definitions`.

    Raises
    ------
    ValueError
        If there is no such index.

    Examples
    --------
    >>> properties("jaccard")["constant_baseline"].status
    'refuted'
    >>> properties("jaccard", adjusted=True)["constant_baseline"].status
    'proved'
    """
    entry = get_index(index)
    known = None if entry.family == "user" else _by_index().get(entry.name)
    return _not_examined() if known is None else known[adjusted]


def property_definitions() -> Mapping[str, Mapping[str, str]]:
    """Title, exact statement and source of each property, by key."""
    return {
        key: {name: each[name] for name in ("title", "statement", "source")}
        for key, each in _data()["properties"].items()
    }


@functools.cache
def _data() -> dict[str, Any]:
    import json  # the first question pays for these, not the import of the package
    from importlib.resources import files

    text = files("chancecorr.catalogue").joinpath("properties.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@functools.cache
def _by_index() -> dict[str, tuple[Mapping[str, Property], Mapping[str, Property]]]:
    data = _data()
    return {
        name: (_read(each["raw"], data), _read(each["adjusted"], data))
        for name, each in data["indices"].items()
    }


@functools.cache
def _not_examined() -> Mapping[str, Property]:
    """Properties of an index of which the data say nothing."""
    nothing = {"status": "open", "reason": "This index was not examined.", "n_max": 0}
    return _read(dict.fromkeys(_data()["properties"], nothing), _data())


def _read(cells: Mapping[str, Mapping[str, Any]], data: Mapping[str, Any]) -> Mapping[str, Property]:
    return MappingProxyType(
        {
            key: Property(
                name=key,
                status=cell["status"],
                reason=_reason(cell, data["reasons"]),
                counterexample=_counterexample(cell.get("counterexample")),
                n_max=cell.get("n_max", data["properties"][key]["n_max"]),
            )
            for key, cell in cells.items()
        }
    )


def _reason(cell: Mapping[str, Any], reasons: Mapping[str, str]) -> str:
    """Texts that many cells share are kept once; what is known besides a counterexample is put in words."""
    if cell.get("only_trivial"):
        return "Every counterexample found has a trivial clustering."
    if cell["status"] == "refuted" and "direction" in cell:
        return DIRECTIONS[cell["direction"]]
    key = cell.get("reason", "")
    return reasons.get(key, key)


def _counterexample(cell: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if cell is None:
        return None
    found = {key: _frozen(value) for key, value in cell.items()}
    if "clusterings" in found:
        found["clusterings"] = tuple(found["clusterings"].split("|"))
    return MappingProxyType(found)


def _frozen(value: Any) -> Any:
    """Lists as tuples, and the infinite numbers, which JSON has not, from their text."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return float(value) if value in ("inf", "-inf") else value
