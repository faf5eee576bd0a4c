"""Choose the model of chance for two clusterings and for each index.

To add a model of two partitions, write its file beside the others, with its name and its meaning, and add it
to `MODELS`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from chancecorr.chance.drawn_candidates import DrawnObjects, DrawnPartitions, DrawnSegments
from chancecorr.chance.fixed_margins import PERMUTATION, TableModel
from chancecorr.chance.labelled_time import NOTE_ON_TIME, DrawnTime, LabelledTime
from chancecorr.chance.neighbours import note_neighbours
from chancecorr.chance.null_model import NullModel
from chancecorr.chance.options import NamedModel, Options
from chancecorr.chance.permuted_objects import PermutedObjects
from chancecorr.chance.permuted_rows_and_columns import PermutedRowsAndColumns
from chancecorr.chance.random_labels import MODELS_OF_LABELS
from chancecorr.chance.random_partitions import MODELS_OF_PARTITIONS
from chancecorr.chance.weighted_objects import WeightedLabels, weigh_objects
from chancecorr.chance.within_strata import WithinStrata
from chancecorr.clusterings.indices import find_pair_indices
from chancecorr.clusterings.reading import as_partitions
from chancecorr.clusterings.segments_of_time import Durations, note_time_left_out
from chancecorr.indices.evaluation import loosen_range
from chancecorr.indices.naming import decide_on_names
from chancecorr.indices.registry import Index, LabelledIndex, find_indices, is_one
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.machine.arrays import Integers
from chancecorr.machine.notes import Note
from chancecorr.sampling.own_draws import Draws, note_draws, place_draws
from chancecorr.sampling.segment_draws import SegmentDraws, bind_segments
from chancecorr.tables.contingency import ContingencyTable, Margins, as_margins
from chancecorr.tables.names import ObjectNames
from chancecorr.tables.objects import read_strata
from chancecorr.tables.reading import LEFT_OUT, Objects, Pair
from chancecorr.tables.union import MOST_LABELS_SHOWN, number_over_union, spread_table, square_margins

MODELS: Mapping[str, NamedModel] = MappingProxyType(
    {model.name: model for model in (PERMUTATION, *MODELS_OF_PARTITIONS, *MODELS_OF_LABELS)}
)
"""The models of two partitions by the names that users pass."""


class ModelPart(NamedTuple):
    """A model of chance, and the indices of a call that it answers."""

    model: NullModel
    indices: tuple[LabelledIndex, ...]
    places: tuple[int, ...]  # positions of the indices among all that were requested


def choose_models(
    pair: Pair, index: Any, options: Options, *, strata: Any = None, weights: Any = None
) -> list[ModelPart]:
    """Return the models for a pair of clusterings; several if a list has indices of several sorts.

    The sorts are indices of a table, of a table over the union of the labels, and of pairs of objects.
    """
    if options.draws is not None and len(pair.objects):
        options = place_model(options, pair.objects)
    if not pair.has_table:
        if isinstance(options.draws, SegmentDraws):
            rule = "must not be segments for clusterings other than labels, which have no order of time"
            raise ArgumentValueError("model", f"{rule}.")
        return [_choose_model_of_others(pair, index, options, [], strata, weights)]
    table, members, of_labels = pair.tabulate()
    if options.draws is not None:
        of_labels += note_draws(options.draws, table, members.number()[1])
    if isinstance(weights, Durations):
        of_labels = [note for note in of_labels if note.code != LEFT_OUT]
        of_labels += note_time_left_out(pair, weights)
        of_labels += [] if isinstance(options.draws, SegmentDraws) else [NOTE_ON_TIME]
    indices = []
    for found in find_indices("rand" if index is None else index):
        entry, of_clusters = name_labels(found.entry, table)
        entry = entry if weights is None else loosen_range(entry)
        indices.append(LabelledIndex(entry, found.label, (*of_clusters, *found.notes)))
    parts = []
    for sort, places in sort_indices([index.entry for index in indices], options).items():
        listed = tuple(indices[k] for k in places)
        if sort == PAIRS_OF_OBJECTS:
            if isinstance(options.draws, SegmentDraws):
                options = replace(options, model=bind_segments(options.draws, table, members.number()[1]))
            part = _choose_model_of_others(as_partitions(pair), listed, options, of_labels, strata, weights)
        else:
            laid_out, placed = table, members
            if sort == LABELS_BY_NAME:
                union = number_over_union(table)
                laid_out = spread_table(table, union)
                placed = members._replace(places=(union.rows, union.columns))
            model = _choose_model_of_labels(laid_out, placed, options, strata, weights)
            listed = tuple(index._replace(notes=(*of_labels, *index.notes)) for index in listed)
            part = ModelPart(model, listed, ())
        parts.append(part._replace(places=tuple(places)))
    return parts


def choose_models_of_table(table: ContingencyTable, index: Any, options: Options) -> list[ModelPart]:
    """Return the models of a table without objects; two if only some indices compare labels by name."""
    indices, tables = [], []
    for found in find_indices(index):
        entry, laid_out, of_labels = name_clusters(found.entry, table)
        indices.append(LabelledIndex(entry, found.label, (*of_labels, *found.notes)))
        tables.append(laid_out)
    parts = []
    for places in sort_indices([index.entry for index in indices], options).values():
        laid_out = next((tables[k] for k in places if indices[k].entry.named), table)
        model = make_model_of_table(laid_out, options)
        parts.append(ModelPart(model, tuple(indices[k] for k in places), tuple(places)))
    return parts


ORDER_OF_LABELS = "order of labels"  # code of the note on an index whose weights depend on it

TABLES, LABELS_BY_NAME, PAIRS_OF_OBJECTS = "tables", "labels by name", "pairs of objects"
"""Sorts of indices; indices of one sort share a model."""


def sort_indices(indices: Sequence[Index], options: Options) -> dict[str, list[int]]:
    """Group the positions of indices that share a model; raise if a checkpoint would need two simulations.

    With a checkpoint, all indices of tables use the table over the union of the labels if one of them needs
    it.
    """
    sorts: dict[str, list[int]] = {}
    for k, index in enumerate(indices):
        sort = LABELS_BY_NAME if index.named else TABLES
        sorts.setdefault(PAIRS_OF_OBJECTS if index.needs == "clusterings" else sort, []).append(k)
    if options.checkpoint is not None and LABELS_BY_NAME in sorts:
        sorts[LABELS_BY_NAME] = sorted(sorts[LABELS_BY_NAME] + sorts.pop(TABLES, []))
    if len(sorts) > 1 and options.checkpoint is not None:
        both = f"indices of {' and of '.join(sorts)} in one call"
        raise ArgumentValueError("checkpoint", f"must be None for {both}: it keeps one simulation.")
    return sorts


def name_margins(index: Index, margins: Any) -> tuple[Index, Margins]:
    """Decide whether the index compares labels by name; if so, extend the margins over all labels."""
    if isinstance(margins, ContingencyTable):
        index, table, _ = name_clusters(index, margins)
        return index, table.margins
    (index, _), sizes = decide_on_names(index), as_margins(margins)
    if index.needs == "agreement" and sizes.row_totals.size != sizes.column_totals.size:
        raise ArgumentValueError(
            "margins",
            f"must have one row total and one column total for each label, in one order, for index"
            f" {index.name!r}, which compares labels by name; got {sizes!r}. Put 0 for a label that a side"
            " lacks.",
        )
    if index.of_labels is not None:
        rule = f"must be a table with labels for index {index.name!r}, which weighs labels; got {sizes!r}."
        raise ArgumentValueError("margins", rule)
    return index, square_margins(sizes) if index.named else sizes


def name_labels(
    index: Index, table: ContingencyTable, sides: tuple[str, str] = ("labels_true", "labels_pred")
) -> tuple[Index, list[Note]]:
    """Return the index, `named` if it compares labels by name, and a note that says so."""
    index, notes = decide_on_names(index, table)
    if not index.named:
        return index, notes
    union = number_over_union(table)
    if not union.is_shared and table.n:
        labels = f"{table.row_labels.tolist()[0]!r} and {table.column_labels.tolist()[0]!r}"
        raise ArgumentValueError(
            "index",
            f"must not compare labels by name if `{sides[0]}` and `{sides[1]}` share no label, such as"
            f" {labels}; got {index.name!r}. Give both sides the same labels, as `match_labels` does, or pass"
            " an Index with named=False to number the labels of each side separately.",
            *sides,
        )
    if index.ordered and not union.is_ordered and union.labels.size > 2:
        shown = ", ".join(map(repr, union.labels[:MOST_LABELS_SHOWN].tolist()))
        raise ArgumentValueError(
            "index",
            f"must not depend on the order of labels that have no order; got {index.name!r}, and labels such"
            f" as {shown}. Pass numbers, or `pd.Categorical(labels, categories=[...], ordered=True)` with all"
            " labels in order, or a `ContingencyTable` with row_labels and column_labels in one order.",
            *sides,
        )
    if index.of_labels is not None:
        index = replace(index, function=index.of_labels(union.labels.tolist()), of_labels=None)
    of_order = [Note(ORDER_OF_LABELS, union.describe_order())] if index.ordered else []
    return index, [Note("compared by name", f"labels are compared by name: {union.describe()}"), *of_order]


def name_clusters(
    index: Index, table: ContingencyTable, sides: tuple[str, str] = ("rows", "columns")
) -> tuple[Index, ContingencyTable, list[Note]]:
    """Return the index, its table (square if it compares labels by name), and notes on the labels."""
    index, notes = name_labels(index, table, sides)
    if index.named:
        table = spread_table(table, number_over_union(table))
    return index, table, notes


def place_model(options: Options, objects: ObjectNames) -> Options:
    """Return the options, with any `Draws` arranged in the order of these objects."""
    draws = options.draws
    if draws is None:
        return options
    return replace(options, model=place_draws(draws, objects))


def choose_model(pair: Pair, index: Any, options: Options, **weighting: Any) -> ModelPart:
    """Return the model for a pair of clusterings and one index."""
    if not (index is None or is_one(index)):
        raise ArgumentTypeError("index", f"must be one index; got {index!r}.")
    (part,) = choose_models(pair, index, options, **weighting)
    return part


def _choose_model_of_others(
    pair: Pair, index: Any, options: Options, of_labels: Sequence[Note], strata: Any, weights: Any
) -> ModelPart:
    """Build the model for clusterings other than partitions."""
    for name, value in (("strata", strata), ("weights", weights)):
        if value is not None:
            raise ArgumentValueError(name, "is only available for labels.")
    model: NullModel
    (P, Q), of_sides = pair.sides, list(of_labels)
    if not P.has_objects:
        tables = P.tables_with(Q, ("labels_true", "labels_pred"))
        model = PermutedRowsAndColumns(tables=tables, options=options)
        indices = find_indices("rand" if index is None else index)
    else:
        if options.model != PERMUTATION and options.draws is None:
            raise ArgumentValueError(
                "model",
                "must be 'permutation', or Draws, for clusterings other than labels;"
                f" got {options.model.name!r}.",
            )
        of_pair = {"P": P, "Q": Q, "options": options, "objects": pair.objects, "kept": pair.kept}
        draws = options.draws
        model = PermutedObjects(**of_pair) if draws is None else DrawnObjects(draws=draws, **of_pair)
        indices = find_pair_indices(index, P, Q)
        for k, (entry, label, notes) in enumerate(indices):
            placed = entry.place(pair.objects, pair.kept) if entry.place else entry
            if options.draws is None and placed.neighbours is not None:
                notes = (*notes, *note_neighbours(placed.neighbours(), P.codes, Q.codes))
            indices[k] = LabelledIndex(placed, label, notes)
        for name, side in zip(("labels_true", "labels_pred"), pair.sides, strict=True):
            of_sides += [replace(note, subject=f"`{name}`") for note in side.list_notes()]
    listed = tuple(index._replace(notes=(*of_sides, *index.notes)) for index in indices)
    return ModelPart(model, listed, tuple(range(len(listed))))


def _choose_model_of_labels(
    table: ContingencyTable, members: Objects, options: Options, strata: Any, weights: Any
) -> TableModel | WeightedLabels:
    """Build the model for two partitions."""
    if strata is not None:
        if options.model != PERMUTATION:
            raise ArgumentValueError(
                "model", f"must be 'permutation' with `strata`; got {options.model.name!r}.", "strata"
            )
        parts = read_strata(strata, members, table.shape)
        model = WithinStrata(
            margins=table.margins, options=options, strata=parts, table=table, objects=members
        )
        if weights is not None:
            rule = f"must be None under model {model.name!r}: weights need {options.model.name!r}."
            raise ArgumentValueError("weights", rule)
        return model
    if weights is not None:
        objects = weigh_objects(weights, members)
        if isinstance(weights, Durations) and isinstance(options.draws, SegmentDraws):
            draws = bind_segments(options.draws, table, objects.columns, objects.weights)
            return DrawnTime(objects=objects, margins=table.margins, options=options, draws=draws)
        of_weights = LabelledTime if isinstance(weights, Durations) else WeightedLabels
        return of_weights(objects=objects, margins=table.margins, options=options)
    if options.draws is not None:
        return make_model_of_draws(table, options, members.number())
    return make_model_of_margins(table.margins, options, table=table, objects=members)


def make_model_of_draws(
    table: ContingencyTable, options: Options, codes: tuple[Integers, Integers]
) -> DrawnPartitions:
    """Build the model for two vectors of codes from 0 on; the user draws the second vector."""
    assert options.draws is not None
    of_pair: dict[str, Any] = {"margins": table.margins, "options": options, "table": table, "codes": codes}
    if isinstance(options.draws, SegmentDraws):
        return DrawnSegments(draws=bind_segments(options.draws, table, codes[1]), **of_pair)
    return DrawnPartitions(draws=options.draws, **of_pair)


def make_model_of_table(table: ContingencyTable, options: Options) -> TableModel:
    """Build the model for a table without objects."""
    return make_model_of_margins(table.margins, options, table=table)


def make_model_of_margins(margins: Margins, options: Options, **data: Any) -> TableModel:
    """Build the model for cluster sizes; `data` are the table and its objects, if given."""
    if isinstance(options.model, Draws):
        raise ArgumentValueError(
            "model",
            "must be a name if labels of objects are not given; `adjust` and `compare` take Draws.",
        )
    model: TableModel = options.model.make(margins=margins, options=options, **data)
    return model
