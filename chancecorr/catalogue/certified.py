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
        direction: f"{what}, for every reference of n_max objects."
        for direction, what in (
            ("more", "The mean score grows with the number of clusters"),
            ("fewer", "The mean score falls with the number of clusters"),
            ("mixed", "The mean score turns as the number of clusters grows"),
        )
    }
    | {
        "by reference": "Whether the mean score grows or falls with the number of clusters depends on the"
        " reference."
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
        Refuted: there is a counterexample. Open: neither. Not applicable: it means nothing for this index.
    reason : str
        Why it is proved or not applicable, or what else is known; may be empty.
    counterexample : mapping or None
        The smallest one, or a larger one that was found by trying: ``clusterings``, label texts such as
        ``"0012"``, and ``scores``, ``(i, j, value)`` with the score, or mean, of clustering i as reference
        and j as candidate; of a property of pair counts ``counts``, tuples ``(a, b, c, d)``, and ``values``.
    n_max : int
        Objects, or pairs, up to which all was searched; 0 where nothing is searched.

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
    return _properties_of(None if entry.family == "user" else entry.name, "adjusted" if adjusted else "raw")


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
def _properties_of(name: str | None, form: str) -> Mapping[str, Property]:
    """Properties of an index by the data, raw or adjusted; all are open if these say nothing of it."""
    data = _data()
    nothing = {"status": "open", "reason": "This index was not examined.", "n_max": 0}
    unknown = {form: dict.fromkeys(data["properties"], nothing)}
    found = {}
    for key, cell in data["indices"].get(name, unknown)[form].items():
        reason = data["reasons"].get(cell.get("reason"), cell.get("reason", ""))  # many cells share one
        if cell.get("only_trivial"):
            reason = "Every counterexample found has a trivial clustering."
        elif cell["status"] == "refuted" and "direction" in cell:
            reason = DIRECTIONS[cell["direction"]]
        example = cell.get("counterexample")
        if example is not None:
            example = {part: _frozen(value) for part, value in example.items()}
            if "clusterings" in example:
                example["clusterings"] = tuple(example["clusterings"].split("|"))
            example = MappingProxyType(example)
        n_max = cell.get("n_max", data["properties"][key]["n_max"])
        found[key] = Property(
            name=key, status=cell["status"], reason=reason, counterexample=example, n_max=n_max
        )
    return MappingProxyType(found)


def _frozen(value: Any) -> Any:
    """Lists as tuples, and the infinite numbers, which JSON has not, from their text."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return float(value) if value in ("inf", "-inf") else value
