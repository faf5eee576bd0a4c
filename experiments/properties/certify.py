"""The status of each property of an index, raw and corrected."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chancecorr.indices.registry import Index
from experiments.properties import counts
from experiments.properties.applicable import directions, not_applicable
from experiments.properties.complexity import linear_complexity
from experiments.properties.definitions import DEFINITIONS, Definition
from experiments.properties.larger import known_detour
from experiments.properties.reasons import reason_for
from experiments.properties.searches import Counterexample
from experiments.properties.values import View, adjusted_values, raw_values, scale_of, view

N_MAX = 8
"""Objects up to which all clusterings are searched."""

FURTHER = 9
"""Objects up to which clusterings are searched for what is still open, the triangle inequality apart."""

Cell = dict[str, Any]


def certify(index: Index, n_max: int = N_MAX) -> dict[str, Any]:
    """All cells of an index, as `properties.json` has them."""
    raw = {n: raw_values(index, n) for n in range(2, n_max + 1)}
    corrected = {n: adjusted_values(index, n, raw[n]) for n in raw}
    sign = 1 if index.larger_is_better else -1
    scales = scale_of(*raw.values()), scale_of(*corrected.values())
    before = {n: view(raw[n], n, larger_is_better=sign > 0, scale=scales[0]) for n in raw}
    after = {n: view(corrected[n], n, larger_is_better=True, scale=scales[1]) for n in raw}
    found: dict[str, Any] = {
        "raw": cells(index, before, adjusted=False),
        "adjusted": cells(index, after, adjusted=True),
    }
    found["raw"]["free_of_cluster_number"] |= directions(before[n_max], sign)
    if index.can_be_adjusted:
        found["adjusted"]["free_of_cluster_number"] |= directions(after[n_max], 1)
    if n_max == N_MAX:
        searched_further(index, found)
    return found


def searched_further(index: Index, found: Mapping[str, dict[str, Cell]], n: int = FURTHER) -> None:
    """Search the clusterings of n objects as well for what is open in the cells of an index, and note it."""
    left = {
        side: [
            definition
            for definition in DEFINITIONS
            if definition.search
            and definition.key != "metric"
            and found[side][definition.key]["status"] == "open"
            and found[side][definition.key].get("n_max", 0) < n
        ]
        for side in ("raw", "adjusted")
    }
    if not any(left.values()):
        return
    raw = raw_values(index, n)
    for side, definitions in left.items():
        if not definitions:
            continue
        adjusted = side == "adjusted"
        values = adjusted_values(index, n, raw) if adjusted else raw
        seen = view(values, n, larger_is_better=adjusted or index.larger_is_better)
        for definition in definitions:
            assert definition.search is not None
            example = definition.search(seen)
            found[side][definition.key] = (_refuted(example) if example else {"status": "open"}) | {
                "n_max": n
            }


def cells(index: Index, views: Mapping[int, View], *, adjusted: bool) -> dict[str, Cell]:
    """Status of each property, given the values for each number of objects."""

    def searched(definition: Definition) -> Cell:
        return _searched(index, definition, views, adjusted=adjusted)

    return judged(index, searched, adjusted=adjusted)


def with_new_reasons(index: Index, found: Mapping[str, Mapping[str, Cell]]) -> dict[str, dict[str, Cell]]:
    """The cells of an index where the searches are done and only the reasons have changed."""

    def searched(definition: Definition) -> Cell:
        old = {key: x for key, x in found[side][definition.key].items() if key != "reason"}
        return old if old["status"] == "refuted" else old | {"status": "open"}

    renewed = {}
    for side in ("raw", "adjusted"):
        renewed[side] = judged(index, searched, adjusted=side == "adjusted")
    return renewed


def judged(index: Index, searched: Callable[[Definition], Cell], *, adjusted: bool) -> dict[str, Cell]:
    """Status of each property: what the search finds, or else what a reason proves."""
    found: dict[str, Cell] = {}
    for definition in DEFINITIONS:
        why_not = not_applicable(index, definition, adjusted=adjusted)
        if why_not:
            found[definition.key] = {"status": "not applicable", "reason": why_not}
            continue
        if definition.key == "linear_complexity":
            found[definition.key] = linear_complexity(index, adjusted=adjusted)
            continue
        cell = searched(definition)
        if definition.key == "metric" and cell["status"] == "open":
            larger = known_detour(index, adjusted=adjusted)
            cell = _refuted(larger) if larger else cell
        reason = reason_for(index, definition.key, adjusted=adjusted)
        if cell["status"] == "open" and reason:
            cell |= {"status": "proved", "reason": reason}
        elif reason:
            raise AssertionError(f"{index.name}, {definition.key}: proved by {reason}, and yet {cell}")
        found[definition.key] = cell
    return found


def _searched(index: Index, definition: Definition, views: Mapping[int, View], *, adjusted: bool) -> Cell:
    """The smallest counterexample, if there is one."""
    if definition.search is not None:
        return search_clusterings(definition.search, views)
    function = counts.function_of_counts(index, adjusted=adjusted)
    example = None
    if definition.key in counts.SEARCHES:
        assert function is not None
        better = adjusted or index.larger_is_better
        example = counts.SEARCHES[definition.key](counts.count_view(function, larger_is_better=better))
    elif definition.key == "asymptotic_constant_baseline":
        assert function is not None
        example = counts.asymptotic_constant_baseline(function)
    return _refuted(example) if example else {"status": "open"}


def _refuted(example: Counterexample | counts.CountsCounterexample) -> Cell:
    return {"status": "refuted", "counterexample": plain(example.to_dict())}


def search_clusterings(search: Callable[[View], Counterexample | None], views: Mapping[int, View]) -> Cell:
    """The smallest counterexample, and whether all of them have a trivial clustering."""
    for n, each in views.items():
        example = search(each)
        if example is None:
            continue
        cell = _refuted(example)
        if any(_is_trivial(text) for text in example.clusterings) and all(
            search(views[m].without_trivial()) is None for m in views if m >= n
        ):
            cell["only_trivial"] = True
        return cell
    return {"status": "open"}


def _is_trivial(text: str) -> bool:
    return len(set(text)) in (1, len(text))


def plain(value: Any) -> Any:
    """For JSON: floats by 12 digits, infinite ones as text."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return float(f"{value:.12g}") if math.isfinite(value) else str(value)
    return value
