"""Remarks of a result on labels: objects that are left out, noise as a cluster, labels that occur once."""

import functools
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import levels_to_the_caller
from chancecorr.machine.arrays import Booleans, Integers
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.labels import EncodedLabels, noise_mask, refuse_missing

Noise = Literal["keep", "drop", "singletons"] | None
NoiseOfSides = Noise | tuple[Noise, Noise]
Missing = Literal["raise", "drop"]

LARGEST_SHARE_ALONE = 0.8
"""Share of objects alone in their clusters, beyond which a result asks whether it is a clustering."""

FEWEST_OBJECTS_ASKED = 20
"""Objects from which on it does."""


class LeftOut(NamedTuple):
    """How many objects a side leaves out, and why."""

    side: str
    missing: int
    noise: int


def noise_of_sides(noise: NoiseOfSides) -> tuple[Noise, Noise]:
    """Policy for noise in the reference and in the candidate."""
    return noise if isinstance(noise, tuple) else (noise, noise)


def masks_left_out(
    name: str, side: EncodedLabels, *, noise: Noise, missing: Missing
) -> tuple[Booleans | None, LeftOut]:
    """Which objects a side leaves out, None if none, and how many for which reason."""
    masks = []
    counts = {"missing": 0, "noise": 0}
    if side.missing is not None:
        if missing == "raise":
            refuse_missing(name, side, remedy=("missing", "drop", "leave such objects out"))
        masks.append(side.missing)
        counts["missing"] = int(side.missing.sum())
    if noise == "drop" and side.noise_code is not None:
        dropped = noise_mask(side.codes, side.noise_code)
        if side.missing is not None:  # their codes mean nothing
            dropped = dropped & ~side.missing
        masks.append(dropped)
        counts["noise"] = int(dropped.sum())
    return either(masks), LeftOut(name, **counts)


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


def notes_on_clusters(table: ContingencyTable, names: tuple[str, str], noise: NoiseOfSides) -> list[str]:
    """Remarks on the clusters of a table: -1 among them, or nearly every object in one of its own."""
    sides = ((table.row_labels, table.row_totals), (table.column_labels, table.column_totals))
    found = []
    for name, policy, (labels, totals) in zip(names, noise_of_sides(noise), sides, strict=True):
        found += [] if policy else _note_of_noise(name, labels, totals)
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
    n, alone = int(totals.sum()), int((totals == 1).sum())
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
