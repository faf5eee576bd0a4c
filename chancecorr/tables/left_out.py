"""Noise on each side, and remarks of a result on labels: objects left out, labels that occur once."""

import functools
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentValueError, levels_to_the_caller, one_of
from chancecorr.machine.arrays import AnyArray, Booleans, Integers
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.crosstab import numbered
from chancecorr.tables.labels import EncodedLabels, Names, as_objects, refuse_missing

F = TypeVar("F", bound=Callable[..., Any])

Policy = Literal["keep", "drop", "singletons"] | None
NoiseOfSide = Policy | Mapping[Any, Policy]
NoiseOfSides = NoiseOfSide | tuple[NoiseOfSide, NoiseOfSide]
"""The keyword `noise`: a policy for the label -1, ``{label: policy}``, or one for each side."""
Missing = Literal["raise", "drop"]

LARGEST_SHARE_ALONE = 0.8
"""Share of objects alone in their clusters, beyond which a result asks whether it is a clustering."""

FEWEST_OBJECTS_ASKED = 20
"""Objects from which on it does."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Label of noise on one side, and what becomes of its objects."""

    policy: Policy
    label: Hashable


class LeftOut(NamedTuple):
    """How many objects a side leaves out, and why."""

    side: str
    missing: int
    noise: int


def as_noise(noise: NoiseOfSides) -> tuple[Noise, Noise]:
    """Noise in the reference and in the candidate, from what the keyword `noise` was given."""
    found = []
    for given in noise if isinstance(noise, tuple) and len(noise) == 2 else (noise, noise):
        of_labels = given if isinstance(given, Mapping) else {-1: given}
        if len(of_labels) != 1:
            raise ArgumentValueError("noise", f"must have one label in a mapping; got {given!r}.")
        ((label, policy),) = of_labels.items()
        one_of("noise", policy, [None, "keep", "drop", "singletons"])
        found.append(Noise(policy, label))
    return found[0], found[1]


def with_label(noise: Any, label: Hashable) -> Any:
    """The keyword `noise` for another label than -1, from a policy or two."""
    return tuple({label: each} for each in noise) if isinstance(noise, tuple) else {label: noise}


def masks_left_out(
    name: str, side: EncodedLabels, noise: Noise, missing: Missing
) -> tuple[Booleans | None, LeftOut]:
    """Which objects a side leaves out, None if none, and how many for which reason."""
    if missing == "raise":
        refuse_missing(name, side, remedy=("missing", "drop", "leave such objects out"))
    code = side.code_of(noise.label) if noise.policy == "drop" else None
    dropped = None if code is None else np.asarray(side.codes == code)
    if dropped is not None and side.missing is not None:  # their codes mean nothing
        dropped &= ~side.missing
    masks = side.missing, dropped
    return either(masks), LeftOut(name, *(0 if mask is None else int(mask.sum()) for mask in masks))


def codes_and_names(
    side: EncodedLabels, kept: AnyArray | None, noise: Noise
) -> tuple[AnyArray, Names, Integers]:
    """Codes of the objects that are kept, their names, and the places of noise objects that are clusters."""
    codes, names, label = side.codes if kept is None else side.codes[kept], side.names, noise.label
    code = side.code_of(label) if noise.policy == "singletons" else None
    if code is None:
        return codes, names, np.zeros(0, dtype=np.int64)
    alone = np.flatnonzero(codes == code)
    ranks, size, known = numbered(codes)
    ranks[alone] = size + np.arange(alone.size)
    if kept is not None:
        alone = (np.flatnonzero(kept) if kept.dtype == np.bool_ else kept)[alone]

    def with_singletons(codes: AnyArray) -> AnyArray:
        before = known()
        single = codes >= before.size
        others = names(before[codes[~single]])
        if not single.any():
            return others
        found = np.empty(codes.size, dtype=object)
        found[~single] = as_objects(others.tolist())
        found[single] = as_objects((label, k) for k in alone[codes[single] - before.size].tolist())
        return found

    return ranks, with_singletons, alone


def either(masks: Iterable[Booleans | None]) -> Booleans | None:
    """Objects that are in one of the masks or more; None if there are none."""
    found = [mask for mask in masks if mask is not None]
    together = functools.reduce(np.logical_or, found) if found else None
    return together if together is not None and together.any() else None


def note_of_left_out(n: int, kept: int, sides: Sequence[LeftOut]) -> str:
    """How many of n objects are left out and because of which sides; empty if all are kept."""
    if kept == n:
        return ""
    reasons = []
    for side in sides:
        place = f" in {side.side}" if side.side else ""
        reasons += [f"{side.noise:,} as noise{place}"] if side.noise else []
        reasons += [f"{side.missing:,} without a label{place}"] if side.missing else []
    return f"{n - kept:,} of {n:,} objects are left out: {', '.join(reasons)}"


def notes_on_clusters(
    table: ContingencyTable, names: tuple[str, str], noise: tuple[Noise, Noise]
) -> list[str]:
    """Remarks on the clusters of a table: -1 among them, or nearly every object in one of its own."""
    sides = ((table.row_labels, table.row_totals), (table.column_labels, table.column_totals))
    found = []
    for name, each, (labels, totals) in zip(names, noise, sides, strict=True):
        found += [] if each.policy else _note_of_noise(name, labels, totals)
        found += [*_note_of_texts(name, labels), *_note_of_objects_alone(name, labels, totals)]
    return found


def _note_of_noise(name: str, labels: npt.NDArray[Any], totals: Integers) -> list[str]:
    """That -1, by which many clusterers mean noise, counts as a cluster."""
    times = int(totals[labels == -1].sum()) if labels.dtype.kind in "if" else 0
    if not times:
        return []
    return [f"label -1 occurs {times:,} times in {name} and counts as a cluster; `noise=` changes that"]


def _note_of_texts(name: str, labels: npt.NDArray[Any]) -> list[str]:
    """That a number and its text are both among the labels."""
    if labels.dtype.kind != "O":
        return []
    texts = {label for label in labels.tolist() if isinstance(label, str)}
    numbers = (label for label in labels.tolist() if not isinstance(label, str))
    twice = next((label for label in numbers if str(label) in texts), None)
    return [] if twice is None else [f"{twice!r} and {str(twice)!r} in {name} are different labels"]


def _note_of_objects_alone(name: str, labels: npt.NDArray[Any], totals: Integers) -> list[str]:
    """That nearly all labels occur once, as measurements do; a warning if they are no whole numbers."""
    n, alone = int(totals.sum()), np.count_nonzero(totals == 1)
    if n < FEWEST_OBJECTS_ASKED:
        return []
    measured = labels.dtype.kind == "f" and alone > n / 2 and bool((labels != np.floor(labels)).any())
    if measured:
        warnings.warn(
            f"{name} looks like measurements: {alone:,} of {n:,} labels are numbers that occur once."
            " Labels of clusters are expected.",
            UserWarning,
            stacklevel=levels_to_the_caller(),
        )
    if alone <= LARGEST_SHARE_ALONE * n and not measured:
        return []
    return [f"{alone:,} of {n:,} labels in {name} occur once: is it a clustering?"]
