"""Read and count the labels of two clusterings: noise, missing labels, and the contingency table."""

import math
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from chancecorr.machine.arguments import ArgumentValueError, check_choice, explain_call
from chancecorr.machine.arrays import AnyArray, Booleans, Integers
from chancecorr.machine.notes import Note
from chancecorr.machine.printing import format_count
from chancecorr.tables.contingency import ContingencyTable, make_table
from chancecorr.tables.crosstab import cross_tabulate, narrow_codes, note_clusters, note_points, number_labels
from chancecorr.tables.dataframes import find_name
from chancecorr.tables.inputs import Input, number_communities, read_input, read_inputs
from chancecorr.tables.labels import Categories, EncodedLabels, Names, as_objects, encode, refuse_missing
from chancecorr.tables.names import ObjectNames, find_index, match_sides

Policy = Literal["keep", "drop", "singletons"] | None
NoiseOfSide = Policy | Mapping[Any, Policy]
NoiseOfSides: TypeAlias = "NoiseOfSide | tuple[NoiseOfSide, NoiseOfSide]"  # the keyword `noise`
Missing = Literal["raise", "drop", "singletons"]

LEFT_OUT = "left out"  # code of a note

Noise = Mapping[Hashable, Policy]
"""Noise labels of one side, and the policy for their objects."""

NO_NOISE: Noise = {}


class Alone(NamedTuple):
    """Objects of one side that are separate clusters, as noise or because their label is missing."""

    positions: Integers
    labels: list[Hashable]  # None for a missing label


NO_OBJECTS = Alone(np.zeros(0, dtype=np.int64), [])


class LeftOut(NamedTuple):
    """Numbers of objects that a side leaves out, by reason."""

    side: str
    missing: int
    noise: int


class Side(NamedTuple):
    """One clustering as whole numbers: equal for equal labels, and in the labels' order."""

    codes: AnyArray
    names: Names  # from codes to labels
    left_out: LeftOut
    noise: Noise = NO_NOISE
    origin: str = ""  # container of the labels, as "a mapping"; empty for a vector
    title: str | None = None  # name of the clustering
    dropped: Booleans | None = None  # mask of the objects that this side leaves out; None if there are none
    unlabelled: Booleans | None = None  # mask of the objects that are separate clusters without a label
    single: Mapping[int, Hashable] = {}  # noise labels whose objects are separate clusters, by their codes
    alone: Alone = NO_OBJECTS  # objects of a pair that are separate clusters; their codes come last
    categories: Categories | None = None  # all labels that the user declared

    def keep(self, kept: AnyArray | None) -> "Side":
        """Return the codes of the kept objects, a mask or positions; separate clusters come last."""
        some: Any = slice(None) if kept is None else kept
        codes = self.codes[some]
        if not self.single and self.unlabelled is None:
            return self._replace(codes=codes)
        has_none = None if self.unlabelled is None else self.unlabelled[some]
        is_alone = join_masks((np.isin(codes, list(self.single)) if self.single else None, has_none))
        if is_alone is None:
            return self._replace(codes=codes)
        others, size, before = number_labels(codes[~is_alone])
        places = np.flatnonzero(is_alone)
        ranks = np.empty(codes.size, dtype=np.int64)
        ranks[~is_alone], ranks[places] = others, size + np.arange(places.size)
        positions = places
        if kept is not None:
            positions = (np.flatnonzero(kept) if kept.dtype == np.bool_ else kept)[places]
        unlabelled = np.zeros(places.size, dtype=np.bool_) if has_none is None else has_none[places]
        of_places = zip(codes[places].tolist(), unlabelled.tolist(), strict=True)
        labels = [None if is_none else self.single[code] for code, is_none in of_places]
        named = as_objects([*self.names(before).tolist(), *zip(labels, positions.tolist(), strict=True)])
        return self._replace(codes=ranks, names=named.__getitem__, alone=Alone(positions, labels))


class Objects(NamedTuple):
    """Cluster codes of each kept object, in the smallest integer type, and the mask of kept objects."""

    rows: AnyArray
    columns: AnyArray
    kept: Booleans | None  # None if all are kept
    names: ObjectNames  # of all objects, also of objects left out
    places: tuple[Integers, Integers] | None = None  # row and column of each cluster; None if in order

    def number(self) -> tuple[Integers, Integers]:
        """Return the row and the column of each object in the table."""
        rows, columns = number_labels(self.rows)[0], number_labels(self.columns)[0]
        return (rows, columns) if self.places is None else (self.places[0][rows], self.places[1][columns])

    def cells(self) -> Integers:
        """Return the number of each object's cell, in the order of ``nonzero_cells``."""
        rows, columns = self.number()
        return number_labels(rows * (columns.max(initial=0) + 1) + columns)[0]


class Pair(NamedTuple):
    """Two clusterings of the same objects, in one order."""

    sides: tuple[Any, Any]  # `Side` if both are labels, else clusterings that know their kind
    objects: ObjectNames  # names of all objects, also of objects left out
    kept: Booleans | None = None  # mask of the kept objects among all objects; None if all are kept

    @property
    def has_table(self) -> bool:
        """True if both clusterings are labels, which can be counted."""
        return isinstance(self.sides[0], Side)

    def table(self) -> ContingencyTable:
        """Return the contingency table alone."""
        first, second = self.sides
        counted = cross_tabulate(first.codes, second.codes)
        labels = first.names(counted.rows), second.names(counted.columns)
        titles, categories = (first.title, second.title), (first.categories, second.categories)
        return make_table(counted.counts, *labels, titles, counted.totals, categories)

    def tabulate(self) -> tuple[ContingencyTable, Objects, list[Note]]:
        """Return the contingency table, the clusters of its objects, and notes on the labels."""
        first, second = self.sides
        members = Objects(narrow_codes(first.codes), narrow_codes(second.codes), self.kept, self.objects)
        counted = cross_tabulate(first.codes, second.codes)
        labels = first.names(counted.rows), second.names(counted.columns)
        called = [f"`{side.left_out.side}`" for side in self.sides]
        notes = [
            Note("origin", f"labels of {len(self.objects):,} objects from {side.origin}", name)
            for name, side in zip(called, self.sides, strict=True)
            if side.origin
        ]
        notes += note_points(first.codes, second.codes)
        if self.kept is not None:
            left_out = [
                side.left_out._replace(side=name) for name, side in zip(called, self.sides, strict=True)
            ]
            notes += note_left_out(len(self.objects), first.codes.size, left_out)
        n_noise, of_noise = 0, dict[str, None]()
        for name, side, *clusters in zip(called, self.sides, labels, counted.totals, strict=True):
            notes += note_clusters(name, *clusters, has_policy=bool(side.noise))
            if unlabelled := side.alone.labels.count(None):
                who = format_count(unlabelled, "object")
                notes.append(Note("no label", f"{who} without a label, each in a separate cluster", name))
            n_noise += side.left_out.noise + len(side.alone.labels) - unlabelled
            of_noise |= {repr(label): None for label, policy in side.noise.items() if policy != "keep"}
        if of_noise and not n_noise:
            notes.append(Note("no noise", f"no object has the noise label, {' or '.join(of_noise)}"))
        titles, categories = (first.title, second.title), (first.categories, second.categories)
        table = make_table(counted.counts, *labels, titles, counted.totals, categories)
        return table, members, notes


@explain_call
def contingency_table(
    labels_true: Any,
    labels_pred: Any,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> ContingencyTable:
    """Count two clusterings of the same objects into a contingency table.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        One hashable label per object: the reference (rows) and the candidate (columns). Vectors of any
        library, two label images of one shape, frames of one column, fitted estimators of scikit-learn and
        clusterings of igraph are matched by position. Communities of networkx, cdlib and clusim, mappings
        from object to label, and Series with an index other than 0 to n - 1 are matched by object.
    noise : {None, "keep", "drop", "singletons"}, {label: one of these}, or a pair, default None
        Policy for objects with the noise label -1. None or "keep": they are a cluster like any other. "drop":
        they are left out on both sides. "singletons": each of them is a separate cluster, after the other
        clusters. A mapping names other noise labels, as ``{"background": "drop", "unsure": "singletons"}``. A
        pair is for the reference and the candidate: ``({"background": "drop"}, "keep")`` leaves out the
        background of the reference, as FG-ARI does.
    missing : {"raise", "drop", "singletons"}, default "raise"
        Policy for missing labels: None, NaN, NaT and pandas.NA. "raise": they raise an error. "drop": the
        object is left out on both sides. "singletons": each object is a separate cluster on the side of the
        missing label, e.g. a record that was not merged with any other record. The policy also applies to
        objects that only one side has, in its sets or in the keys of its mapping.

    Returns
    -------
    ContingencyTable
        Rows and columns are the labels that occur, sorted (Categoricals: in category order), or in order of
        first appearance if they cannot be. Counts are sparse if ``K Q > max(4_000_000, 4 n)``.

    Raises
    ------
    TypeError, ValueError
        If a side is not one-dimensional, holds missing or unhashable labels, or the two differ in length or
        in the names of their objects.

    See Also
    --------
    chancecorr.tables.contingency_table_from : Columns of files that need not fit into memory.
    ContingencyTable : A table of counts.

    Examples
    --------
    >>> contingency_table(["a", "a", "b", "b"], [0, 0, 0, 1])
    ContingencyTable([[2, 0], [1, 1]], row_labels=['a', 'b'])
    >>> contingency_table([0, 0, 1, 1], [0, -1, 1, -1], noise="singletons")
    ContingencyTable([[1, 0, 1, 0], [0, 1, 0, 1]], column_labels=[0, 1, (-1, 1), (-1, 3)])
    """
    return read_labels(labels_true, labels_pred, noise=noise, missing=missing).table()


def read_labels(
    labels_true: Any,
    labels_pred: Any,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
    is_part: bool = False,
) -> Pair:
    """Read two clusterings as labels; if they are a part, sets are labels and noise need not occur."""
    names, both = ("labels_true", "labels_pred"), (labels_true, labels_pred)
    if not is_part:
        return make_pair(names, read_inputs(list(zip(names, both, strict=True))), noise, missing)
    inputs = [
        Input(list(x.values()), tuple(x)) if isinstance(x, dict) else Input(x, find_index(x)) for x in both
    ]
    return make_pair(names, inputs, noise, missing, is_part=True)


def make_pair(
    called: tuple[str, str], inputs: Sequence[Input], noise: NoiseOfSides, missing: Missing, *,
    is_part: bool = False,
) -> Pair:  # fmt: skip
    """Number the labels of two inputs, on the objects that both keep."""
    of_sides = check_reading(noise, missing)
    (first, second), objects = number_sides(called, inputs, of_sides, missing, is_part=is_part)
    dropped = join_masks((first.dropped, second.dropped))
    kept = None if dropped is None else ~dropped
    return Pair((first.keep(kept), second.keep(kept)), objects, kept)


def number_sides(
    called: Sequence[str], inputs: Sequence[Input], noise: Sequence[Noise], missing: Missing, *,
    is_part: bool = False,
) -> tuple[list[Side], ObjectNames]:  # fmt: skip
    """Number the labels of several inputs, and mark the objects that each side leaves out."""
    encoded, objects = encode_inputs(called, inputs, missing)
    sides = list[Side]()
    for name, given, labels, of_side in zip(called, inputs, encoded, noise, strict=True):
        codes, unlabelled, is_noise = labels.codes, labels.missing, None
        if unlabelled is not None and missing == "raise":
            refuse_missing(name, labels, remedy=("missing", "drop", "leave such objects out"))
        of_policy: dict[Policy, dict[int, Hashable]] = {"keep": {}, "drop": {}, "singletons": {}}
        for label, policy in of_side.items():
            code = labels.code_of(label)
            if code is not None:
                of_policy[policy][code] = label
            elif not is_part and policy != "keep":
                _refuse_other_type(labels, label, policy)
        if of_policy["drop"]:
            is_noise = np.isin(codes, list(of_policy["drop"]))
            if unlabelled is not None:  # codes of missing labels have no meaning
                is_noise &= ~unlabelled
        masks = unlabelled if missing == "drop" else None, is_noise
        sides.append(
            Side(
                codes=codes,
                names=labels.names,
                left_out=LeftOut(name, *(0 if mask is None else int(mask.sum()) for mask in masks)),
                noise=of_side,
                origin=given.origin,
                title=None if isinstance(given.labels, np.ndarray) else find_name(given.labels),
                dropped=join_masks(masks),
                unlabelled=unlabelled if missing == "singletons" else None,
                single=of_policy["singletons"],
                categories=labels.categories
                and labels.categories.leave_out(
                    {*of_policy["drop"].values(), *of_policy["singletons"].values()}
                ),
            )
        )
    return sides, objects


def encode_inputs(
    called: Sequence[str], inputs: Sequence[Input], missing: str = "raise"
) -> tuple[list[EncodedLabels], ObjectNames]:
    """Number the labels of several clusterings, and return them with their objects, in one order.

    If sides have only names, an object that a side lacks has a missing label there; with ``missing="raise"``
    it is an error.
    """
    read = [
        side if side.communities is None else number_communities(name, side)
        for name, side in zip(called, inputs, strict=True)
    ]
    own = [side.names for side in read]
    encoded = [encode(name, side.labels) for name, side in zip(called, read, strict=True)]
    plain = next((k for k, names in enumerate(own) if names is None), 0)
    objects, n_plain = ObjectNames(range(encoded[0].codes.size)), encoded[plain].codes.size
    if any(names is not None for names in own):
        if not n_plain and own[plain] is None and any(isinstance(names, tuple) for names in own):
            raise ArgumentValueError(called[plain], "must hold at least one label; got none.")
        merge = None if missing == "raise" else dict.fromkeys
        objects, places = match_sides(called, own, n_plain, merge=merge, may_lack=[True] * len(own))
        encoded = list(map(place_labels, encoded, places))
    first = encoded[0].codes
    for name, labels in zip(called, encoded, strict=True):
        if labels.codes.size != first.size:
            got = f"got {labels.codes.size} and {first.size}"
            remarks = map(str, note_points(first, labels.codes))
            text = "; ".join([f"must have the same length as `{called[0]}`", got, *remarks])
            raise ArgumentValueError(name, f"{text}.", called[0])
    return encoded, objects


def read_side(name: str, source: Any) -> tuple[EncodedLabels, ObjectNames]:
    """Read and number the labels of a single argument, and return them with the names of their objects."""
    (labels,), objects = encode_inputs([name], [read_input(name, source)])
    return labels, objects


def place_labels(labels: EncodedLabels, places: Integers | None) -> EncodedLabels:
    """Return the labels at these positions, in this order; the label at position -1 is missing."""
    if places is None:
        return labels
    if not labels.codes.size:  # a side without objects lacks all
        nothing = np.zeros(places.size, dtype=np.int64), np.ones(places.size, dtype=np.bool_)
        return labels._replace(codes=nothing[0], missing=nothing[1], labels=[None] * places.size)
    placed = labels._replace(codes=labels.codes[places], missing=None)
    missing = places < 0 if labels.missing is None else labels.missing[places] | (places < 0)
    if not missing.any():
        return placed
    listed: Any = labels.labels  # by position, for an error message on a missing label
    listed = listed[places] if hasattr(listed, "dtype") else [listed[k] for k in places.tolist()]
    return placed._replace(missing=missing, labels=listed)


def check_reading(noise: NoiseOfSides, missing: object) -> tuple[Noise, Noise]:
    """Check `noise` and `missing`, and return the noise of the reference and of the candidate."""
    if missing != "raise":
        check_choice("missing", missing, ["raise", "drop", "singletons"])
    if noise is None:
        return NO_NOISE, NO_NOISE
    sides = list[Noise]()
    for of_side in noise if isinstance(noise, tuple) and len(noise) == 2 else (noise, noise):
        of_labels: Noise = of_side if isinstance(of_side, Mapping) else {-1: of_side}
        if not of_labels:
            raise ArgumentValueError("noise", f"must have a label in a mapping; got {of_side!r}.")
        for label, policy in of_labels.items():
            check_choice("noise", policy, [None, "keep", "drop", "singletons"])
            if label is None or type(label).__name__ == "NAType" or label != label:
                rule = f"must not name missing labels; got {label!r}. Pass missing='drop' or 'singletons'."
                raise ArgumentValueError("noise", rule)
        sides.append({label: policy for label, policy in of_labels.items() if policy is not None})
    return sides[0], sides[1]


def _refuse_other_type(side: EncodedLabels, label: Hashable, policy: Policy) -> None:
    """Raise if a noise label is a number but the labels hold it as text, or the other way round."""
    labels, text = side.labels, str(label)
    if isinstance(label, str):
        number = float(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else math.nan
        meant, kind = text, "a number"
        is_there = isinstance(labels, np.ndarray) and labels.dtype.kind in "iuf" and number in labels
    else:
        meant, kind = repr(text), "a text"
        is_there = any(isinstance(other, str) and other == text for other in labels)
    if is_there:
        rule = f"must have the label {meant}, {kind} as the labels are; got {label!r}."
        raise ArgumentValueError("noise", f"{rule} Pass noise={{{meant}: {policy!r}}}.")


def join_masks(masks: Iterable[Booleans | None]) -> Booleans | None:
    """Return the mask of objects that are in at least one mask; None if it is empty."""
    present = [mask for mask in masks if mask is not None]
    together = np.logical_or.reduce(present) if present else None
    return together if together is not None and together.any() else None


def note_left_out(n: int, kept: int, sides: Sequence[LeftOut], subject: str = "") -> list[Note]:
    """List the note on the number of objects left out, by side and reason; empty if all are kept."""
    if kept == n:
        return []
    reasons = []
    for side in sides:
        place = f" in {side.side}" if side.side else ""
        reasons += [f"{side.noise:,} as noise{place}"] if side.noise else []
        reasons += [f"{side.missing:,} without a label{place}"] if side.missing else []
    text = f"{n - kept:,} of {n:,} objects are left out: {', '.join(reasons)}"
    return [Note(LEFT_OUT, text, subject)]
