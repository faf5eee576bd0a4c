"""Describe the indices: their properties, proved or refuted, and indices that are equal after adjustment.

``properties.json`` has the proved properties, and counterexamples, which ``python -m experiments.properties``
in the repository searches for. Let an index y be an affine function of an index x for fixed margins,
``y = alpha + beta x`` with alpha and beta from the cluster sizes, and let this function map the best value of
x to the best value of y. It then also maps the mean of x to the mean of y. In ``(y - mean) / (best - mean)``
alpha and beta cancel: y and x have the same adjusted score. `Index.corrected_as` of y names x.
"""

import dataclasses
import functools
import json
import math
from collections.abc import Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from chancecorr.catalogue.claims import check_index
from chancecorr.chance.engines import PROBES, get_engine
from chancecorr.correction.citations import Citation, cite
from chancecorr.exact.maxima import compute_mean_of_maxima
from chancecorr.indices.formulas import LETTERS, write_plain
from chancecorr.indices.registry import FAMILIES, Index, get_index, list_indices
from chancecorr.machine.arguments import explain_call

__all__ = [
    "Citation",
    "Property",
    "check_index",
    "cite",
    "equivalents",
    "properties",
]


def __dir__() -> list[str]:
    return __all__


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """One property of one index, with its status; see the example of `properties`.

    Attributes
    ----------
    name : str
        Key of the property, such as ``"monotone"``; `property_definitions` has the exact definition.
    status : {"proved", "refuted", "open", "not applicable"}
        Proved: for the reason given, and without a counterexample among clusterings of up to `n_max` objects.
        Refuted: by a counterexample. Open: neither proved nor refuted. Not applicable: the property has no
        meaning for this index.
    reason : str
        Reason why the property is proved or not applicable, or a remark; may be empty.
    counterexample : mapping or None
        ``clusterings``, label texts such as ``"0012"``, and ``scores``, tuples ``(i, j, value)`` with the
        score, or mean, of clustering i as reference and j as candidate. For a property of pair counts:
        ``counts``, tuples ``(a, b, c, d)``, and ``values``.
    n_max : int
        Number of objects, or pairs, up to which all cases were searched; 0 without a search.
    """

    name: str
    status: str
    reason: str
    counterexample: Mapping[str, Any] | None
    n_max: int

    def __bool__(self) -> bool:
        return self.status == "proved"


STATUSES = ("proved", "refuted", "open", "not applicable")  # possible values of `Property.status`


@explain_call
def properties(index: str | Index, *, adjusted: bool = False) -> Mapping[str, Property]:
    """Return the properties of an index, raw or adjusted for chance; others are open.

    Parameters
    ----------
    index : str or Index
        See `list_indices`. Of a parametric family, only the member with the plain name was examined.
    adjusted : bool
        True: properties of the adjusted score, with both margins fixed. False: properties of the raw index.

    Returns
    -------
    mapping of str to Property
        Properties by key, in the order of `property_definitions`.

    Raises
    ------
    TypeError, ValueError
        If the index is unknown.

    Examples
    --------
    >>> [properties("jaccard", adjusted=form)["constant_baseline"].status for form in (False, True)]
    ['refuted', 'proved']
    """
    entry = get_index(index)
    return _read_properties(None if entry.family == "user" else entry.name, "adjusted" if adjusted else "raw")


def property_definitions() -> Mapping[str, Mapping[str, str]]:
    """Return the title, exact statement and source of each property, by key."""
    return {
        key: {part: about[part] for part in ("title", "statement", "source")}
        for key, about in _read_data()["properties"].items()
    }


@functools.cache
def _read_data() -> dict[str, Any]:
    return dict(json.loads(files("chancecorr.catalogue").joinpath("properties.json").read_text("utf-8")))


DIRECTIONS = {
    "more": "The mean score grows with the number of clusters, for every reference of n_max objects.",
    "fewer": "The mean score falls with the number of clusters, for every reference of n_max objects.",
    "mixed": "The mean score turns as the number of clusters grows, for every reference of n_max objects.",
    "by reference": "The mean score grows or falls with the number of clusters, depending on the reference.",
}
"""Sentences on the effect of the number of clusters on the mean; larger scores mean more agreement here."""


@functools.cache
def _read_properties(name: str | None, form: str) -> Mapping[str, Property]:
    """Read the properties of an index, raw or adjusted; all are open if the data do not have the index."""
    data = _read_data()
    nothing = {"status": "open", "reason": "This index was not examined.", "n_max": 0}
    unknown = {form: dict.fromkeys(data["properties"], nothing)}
    known = {}
    for key, cell in data["indices"].get(name, unknown)[form].items():
        reason = data["reasons"].get(cell.get("reason"), cell.get("reason", ""))  # many cells share a reason
        if cell.get("only_trivial"):
            reason = "Every counterexample found has a trivial clustering."
        elif cell["status"] == "refuted" and "direction" in cell:
            reason = DIRECTIONS[cell["direction"]]
        example = cell.get("counterexample")
        if example is not None:
            example = {part: _freeze(value) for part, value in example.items()}
            if "clusterings" in example:
                example["clusterings"] = tuple(example["clusterings"].split("|"))
            example = MappingProxyType(example)
        n_max = cell.get("n_max", data["properties"][key]["n_max"])
        known[key] = Property(
            name=key, status=cell["status"], reason=reason, counterexample=example, n_max=n_max
        )
    return MappingProxyType(known)


def _freeze(value: Any) -> Any:
    """Convert lists to tuples, and texts of infinite numbers (which JSON does not have) to floats."""
    if isinstance(value, list):
        return tuple(map(_freeze, value))
    return float(value) if value in ("inf", "-inf") else value


@explain_call
def equivalents(index: str | Index) -> tuple[str, ...]:
    """Return other indices that have the same adjusted score, for all clusterings.

    Parameters
    ----------
    index : str or Index
        See `list_indices`; a member of a family can be given with numbers, as in ``"f_beta(1)"``.

    Returns
    -------
    tuple of str
        Names from `list_indices`, sorted; empty if no other index is the same, or without an adjusted score.

    Raises
    ------
    TypeError, ValueError
        If the index is unknown.

    Notes
    -----
    The indices are the same for fixed margins and the default `best`. An index that is 0/0 on some table has
    no adjusted score there, while another index of its class may have one. With ``best="mean"`` all indices
    affine in T have the same adjusted score.

    Examples
    --------
    >>> equivalents("purity")
    ('goodman_kruskal_lambda_1', 'split_join_2')
    >>> equivalents("gower_legendre")
    ()
    """
    entry = get_index(index)
    members = list_classes().get(_find_class(entry), ()) if entry.can_be_adjusted else ()
    return tuple(name for name in members if name != entry.name)


def list_classes(families: Sequence[str] = FAMILIES) -> dict[str, tuple[str, ...]]:
    """Return classes of indices with the same adjusted score, sorted, by their representative."""
    classes: dict[str, list[str]] = {}
    for entry in map(get_index, list_indices()):
        if entry.can_be_adjusted and entry.family in families:
            classes.setdefault(_find_class(entry), []).append(entry.name)
    return {name: tuple(members) for name, members in sorted(classes.items())}


def _find_class(entry: Index) -> str:
    """Return the name of the representative of an entry; for a default member, the family's plain name."""
    plain = entry.name.partition("(")[0]
    if not entry.corrected_as and plain != entry.name and plain in list_indices():
        return plain if get_index(plain).formula == entry.formula else entry.name
    return entry.corrected_as or entry.name


ONE_AT = {
    "adjusted_fowlkes_mallows": "a = sqrt(P Q)",
    "adjusted_rand": "a = (P + Q) / 2",
    "adjusted_wallace_1": "a = P",
    "adjusted_wallace_2": "a = Q",
    "dennis": "D = sqrt(P Q) (P' + Q') / 2",
    "kulczynski_2": "a = 2 P Q / (P + Q)",
    "loevinger": "a = min(P, Q)",
    "maxwell_pilliner": "D = (P P' + Q Q') / 2",
    "completeness": "I = H(V)",
    "homogeneity": "I = H(U)",
    "nmi_max": "I = max(H(U), H(V))",
    "nmi_sum": "I = (H(U) + H(V)) / 2",
}
"""Condition for an adjusted score of 1, for classes of indices affine in T, or in the mutual information I.

These classes differ only by this condition. It is possible that no table satisfies it. Letters as in the
catalogue.
"""


def explain_class(name: str) -> str:
    """Return the reason why the indices of a class are the same; `name` is their representative."""
    if name not in ONE_AT:
        return "affine in each other"
    return f"affine in {'T' if get_engine(get_index(name)).goes_by_pair_sum else 'I'}, 1 where {ONE_AT[name]}"


def describe_index(index: Index) -> list[tuple[str, str]]:
    """Return everything known about an index, as pairs of a heading and a text."""
    others = equivalents(index)
    same = f"the same as {', '.join(others)}; {explain_class(_find_class(index))}" if others else ""
    lines = [
        ("formula", write_plain(index.formula)),
        ("letters", LETTERS.get(index.family, "") if index.formula else ""),
        ("aliases", ", ".join(index.aliases)),
        ("names elsewhere", index.known_as),
        ("takes", ", ".join(index.takes)),
        ("kind", describe_kind(index)),
        ("exact", describe_exact(index)),
        ("corrected for chance", same),
        ("source", index.source),
        ("notes", index.notes),
    ]
    return [(heading, text) for heading, text in lines if text]


def describe_exact(index: Index) -> str:
    """Describe what is known of the null distribution without simulation."""
    if index.constant:
        return "constant: the cluster sizes determine the value, so that it cannot be adjusted for chance"
    if index.needs == "clusterings":
        return "the distribution, for up to eight objects; otherwise simulated, except for some means"
    if index.needs == "pairs":
        moments = "in closed form" if index.affine else "by quadrature where smooth"
        return f"mean, variance, skewness and kurtosis {moments}; the distribution by enumeration"
    if all(get_engine(index).is_linear(index, margins) for margins in PROBES):
        return "mean and variance by sums over cells; the distribution, for small tables"
    if any(compute_mean_of_maxima(index, margins) is not None for margins in PROBES):
        return "mean, by the largest cells of rows and columns; the distribution, for small tables"
    return "the distribution, for small tables; simulated otherwise"


def describe_kind(index: Index) -> str:
    """Describe similarity or distance, range, best value and symmetry."""
    low, high, best, undefined = (
        "nan" if number is None else {math.inf: "infinity", -math.inf: "-infinity"}.get(number, f"{number:g}")
        for number in (*index.range, index.best, index.undefined)
    )
    parts = ["similarity" if index.larger_is_better else "distance", f"{low} to {high}"]
    if index.best is None:
        parts.append("best value depends on the cluster sizes")
    elif math.isnan(index.best):
        parts = ["neither similarity nor distance", parts[1], "no best value"]
    else:
        parts.append(f"best {best}")
        parts += [] if index.attained else ["not reached by all identical clusterings"]
    parts.append("symmetric" if index.symmetric else "not symmetric")
    return ", ".join([*parts, *([] if math.isnan(index.undefined) else [f"{undefined} at 0/0"])])
