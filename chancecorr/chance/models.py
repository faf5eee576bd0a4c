"""The models of chance of two clusterings, and the indices that each answers.

To add a model, write its file beside the others and name it here.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from chancecorr.chance.drawn_candidates import DrawnObjects, DrawnPartitions
from chancecorr.chance.fixed_margins import FixedMargins
from chancecorr.chance.labelled_time import NOTE_ON_TIME, LabelledTime
from chancecorr.chance.neighbours import warn_of_neighbours
from chancecorr.chance.null_model import NullModel
from chancecorr.chance.options import Options
from chancecorr.chance.permuted_objects import PermutedObjects
from chancecorr.chance.permuted_rows_and_columns import PermutedRowsAndColumns
from chancecorr.chance.random_partitions import RandomPartitions
from chancecorr.chance.weighted_objects import WeightedLabels, weigh_objects
from chancecorr.chance.within_strata import WithinStrata
from chancecorr.clusterings.biclusters import Biclusters
from chancecorr.clusterings.indices import find_pair_indices
from chancecorr.clusterings.membership import Cover
from chancecorr.clusterings.reading import MatchedClusterings, as_partitions
from chancecorr.clusterings.time_line import Durations
from chancecorr.indices.evaluation import loosen_range
from chancecorr.indices.registry import Index, find_indices, is_one
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.machine.arrays import Integers
from chancecorr.sampling.models import WITHIN_STRATA
from chancecorr.sampling.own_draws import describe_draws, place_draws
from chancecorr.tables.contingency import ContingencyTable, Margins
from chancecorr.tables.crosstab import number_labels
from chancecorr.tables.names import ObjectNames
from chancecorr.tables.objects import Objects, read_strata
from chancecorr.tables.reading import LabelPair

ReadPair = LabelPair | MatchedClusterings | tuple[Biclusters, Biclusters]


class ModelPart(NamedTuple):
    """A model of chance, and the indices of a call that it answers."""

    model: NullModel
    indices: tuple[Index, ...]
    notes: dict[str, str]  # by index: what a result says of the labels and of the name, mostly nothing
    places: tuple[int, ...]  # of the indices among all that were asked for


def choose_models(
    pair: ReadPair, index: Any, options: Options, *, strata: Any = None, weights: Any = None
) -> list[ModelPart]:
    """Models of two clusterings that were read; two for labels and a list of indices of both sorts."""
    if isinstance(pair, LabelPair | MatchedClusterings):
        options = place_model(options, pair.objects)
    if not isinstance(pair, LabelPair):
        return [_choose_model_of_others(pair, index, options, "", strata, weights)]
    table, members, note = pair.tabulate()
    if options.model.draws is not None:
        candidate = number_labels(pair.codes[1])[0]
        note = f"{note}\n{describe_draws(options.model.draws, table, candidate)}".strip()
    if isinstance(weights, Durations):
        note = f"{note}\n{NOTE_ON_TIME}".strip()
    model = _choose_model_of_labels(pair, table, members, options, strata, weights)
    entries, remarks = find_indices("rand" if index is None else index)
    entries = entries if weights is None else tuple(map(loosen_range, entries))
    notes = {entry.name: note for entry in entries} | {
        name: f"{note}\n{remark}".lstrip() for name, remark in remarks.items()
    }
    parts = []
    places = tuple(k for k, entry in enumerate(entries) if entry.needs != "clusterings")
    if places:
        parts = [ModelPart(model, tuple(entries[k] for k in places), notes, places)]
    if len(places) < len(entries):
        if places and options.checkpoint is not None:
            both = "indices of tables and of pairs of objects in one call"
            raise ArgumentValueError("checkpoint", f"must be None for {both}: it is of one simulation.")
        others = tuple(k for k in range(len(entries)) if k not in places)
        listed = [entries[k] for k in others]
        part = _choose_model_of_others(as_partitions(pair), listed, options, note, strata, weights)
        parts.append(part._replace(places=others))
    return parts


def place_model(options: Options, objects: ObjectNames) -> Options:
    """Options whose draws, if there are any, are of the objects in this order."""
    draws = options.model.draws
    if draws is None:
        return options
    return replace(options, model=replace(options.model, draws=place_draws(draws, objects)))


def choose_model(pair: ReadPair, index: Any, options: Options, **weighting: Any) -> ModelPart:
    """Model of two clusterings that were read, for one index."""
    if not (index is None or is_one(index)):
        raise ArgumentTypeError("index", f"must be one index; got {index!r}.")
    (part,) = choose_models(pair, index, options, **weighting)
    return part


def _choose_model_of_others(
    sides: tuple[Any, Any], index: Any, options: Options, note: str, strata: Any, weights: Any
) -> ModelPart:
    """Model of two clusterings of which one at least is compared as more than labels."""
    for name, value in (("strata", strata), ("weights", weights)):
        if value is not None:
            raise ArgumentValueError(name, "must be left out for clusterings that are no labels.")
    model: NullModel
    (P, Q), remarks = sides, dict[str, str]()
    if isinstance(P, Biclusters) or isinstance(Q, Biclusters):
        names = "labels_true", "labels_pred"
        for name, side in zip(names, sides, strict=True):
            if not isinstance(side, Biclusters):
                raise ArgumentTypeError(
                    name, f"must be Biclusters as the other side; got {type(side).__name__}."
                )
        model = PermutedRowsAndColumns(tables=P.tables_with(Q, names), options=options)
        entries, remarks = find_indices("rand" if index is None else index)
    else:
        if not options.model.is_permutation and options.model.draws is None:
            raise ArgumentValueError(
                "model",
                "must be 'permutation', or Draws, for clusterings that are no labels;"
                f" got {options.model.name!r}.",
            )
        kind = PermutedObjects if options.model.draws is None else DrawnObjects
        objects = sides.objects if isinstance(sides, MatchedClusterings) else ObjectNames(range(P.n))
        kept = getattr(sides, "kept", None)
        model = kind(P=P, Q=Q, options=options, objects=objects, kept=kept)
        entries, remarks = find_pair_indices(index, P, Q)
        entries = tuple(entry.place(objects, kept) if entry.place else entry for entry in entries)
        if options.model.draws is None:
            remarks |= {
                entry.name: warn_of_neighbours(entry.neighbours(), P.codes, Q.codes)
                for entry in entries
                if entry.neighbours is not None
            }
        for name, side in zip(("labels_true", "labels_pred"), sides, strict=True):
            if isinstance(side, Cover) and side.origin:
                alone = side.n - int(side.rows.any(axis=1).sum())
                note += f"\n`{name}`: {side.rows.shape[1]:,} communities from {side.origin}"
                note += f", {alone:,} of {side.n:,} objects in none" * (alone > 0)
    notes = {entry.name: f"{note}\n{remarks.get(entry.name, '')}".strip() for entry in entries}
    return ModelPart(model, entries, notes, tuple(range(len(entries))))


def _choose_model_of_labels(
    pair: LabelPair, table: ContingencyTable, members: Objects, options: Options, strata: Any, weights: Any
) -> FixedMargins | WeightedLabels:
    """Model of two partitions."""
    if strata is not None:
        if not options.model.is_permutation:
            raise ArgumentValueError(
                "model", f"must be 'permutation' with `strata`; got {options.model.name!r}.", "strata"
            )
        parts = read_strata(strata, pair.codes, pair.objects, pair.kept)
        options = replace(options, model=replace(WITHIN_STRATA, strata=parts))
    if weights is not None:
        of_weights = LabelledTime if isinstance(weights, Durations) else WeightedLabels
        return of_weights(objects=weigh_objects(weights, pair), margins=table.margins, options=options)
    if options.model.draws is not None:
        return make_model_of_draws(
            table, options, (number_labels(pair.codes[0])[0], number_labels(pair.codes[1])[0])
        )
    return make_model_of_margins(table.margins, options, table=table, objects=members)


def make_model_of_draws(
    table: ContingencyTable, options: Options, codes: tuple[Integers, Integers]
) -> DrawnPartitions:
    """Model of two vectors of codes from 0 on, of which the second is drawn by the user."""
    return DrawnPartitions(margins=table.margins, options=options, table=table, codes=codes)


def make_model_of_table(table: ContingencyTable, options: Options) -> FixedMargins:
    """Model of a table of unknown objects."""
    return make_model_of_margins(table.margins, options, table=table)


def make_model_of_margins(margins: Margins, options: Options, **data: Any) -> FixedMargins:
    """Model of cluster sizes; `data` are the table and its objects, if there are any."""
    model = options.model
    if model.draws is not None:
        raise ArgumentValueError(
            "model",
            "must be a name where there are no labels of objects; `adjust` and `compare` take Draws.",
        )
    if model.strata is not None:
        return WithinStrata(margins=margins, options=options, strata=model.strata, **data)
    kind = FixedMargins if model.keeps_margins else RandomPartitions
    return kind(margins=margins, options=options, **data)
