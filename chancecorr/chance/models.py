"""The model of chance of two clusterings: by their kinds, `model`, strata, weights, and the indices.

To add a model, write its file beside the others and name it here.
"""

from dataclasses import replace
from typing import Any

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.chance.dirichlet_draws import DirichletDraws
from chancecorr.chance.fixed_margins import FixedMargins
from chancecorr.chance.null_model import NullModel
from chancecorr.chance.options import Options
from chancecorr.chance.permuted_objects import PermutedObjects
from chancecorr.chance.permuted_rows_and_columns import PermutedRowsAndColumns
from chancecorr.chance.random_partitions import RandomPartitions
from chancecorr.chance.weighted_objects import WeightedLabels, weigh_objects
from chancecorr.chance.within_strata import WithinStrata
from chancecorr.clusterings.biclusters import Biclusters
from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index_register import compares_clusterings
from chancecorr.clusterings.membership import Membership
from chancecorr.clusterings.reading import LabelPair
from chancecorr.null.models import within
from chancecorr.tables.contingency import ContingencyTable, Margins
from chancecorr.tables.objects import Objects, in_few_bytes, read_strata

Pair = LabelPair | tuple[Clustering, Clustering] | tuple[Biclusters, Biclusters]


def choose_model(
    pair: Pair, index: Any, options: Options, *, strata: Any = None, weights: Any = None
) -> tuple[NullModel, str]:
    """Model of two clusterings that were read, for these indices, and a note on the labels, mostly empty."""
    if isinstance(pair, LabelPair):
        pair.require_objects()
        if not compares_clusterings(index) and not options.model.of_memberships:
            return _model_of_labels(pair, options, strata, weights)
        note, pair = pair.describe_labels(pair.table()), pair.as_partitions()
    else:
        note = ""
    for name, value in (("strata", strata), ("weights", weights)):
        if value is not None:
            raise ArgumentValueError(name, "must be left out for clusterings that are no labels.")
    P, Q = pair
    if isinstance(P, Biclusters) or isinstance(Q, Biclusters):
        return _model_of_biclusters(P, Q, options), note
    if options.model.of_memberships:
        if not (type(P) is Membership and type(Q) is Membership):  # a cover is one, too, of 0 and 1
            raise ArgumentValueError(
                "model",
                "must be 'permutation', or another one of labels, unless both clusterings are memberships;"
                f" got {options.model.name!r}.",
            )
        return DirichletDraws(P=P, Q=Q, options=options), note
    if not options.model.is_permutation:
        raise ArgumentValueError(
            "model",
            f"must be 'permutation' for clusterings that are no labels; got {options.model.name!r}.",
        )
    return PermutedObjects(P=P, Q=Q, options=options), note


def _model_of_labels(pair: LabelPair, options: Options, strata: Any, weights: Any) -> tuple[NullModel, str]:
    """Model of two partitions, and a note on their labels."""
    table = pair.table()
    note = pair.describe_labels(table)
    if strata is not None:
        if not options.model.is_permutation:
            raise ArgumentValueError(
                "model", f"must be 'permutation' with `strata`; got {options.model.name!r}.", "strata"
            )
        parts = read_strata(strata, pair.codes, pair.objects, pair.kept)
        options = replace(options, model=within(parts))
    if weights is not None:
        objects = weigh_objects(weights, pair)
        return WeightedLabels(objects=objects, margins=table.margins, options=options), note
    rows, columns = map(in_few_bytes, pair.codes)
    members = Objects(rows, columns, pair.kept, pair.objects)
    return model_of_margins(table.margins, options, table=table, objects=members), note


def model_of_table(table: ContingencyTable, options: Options, objects: Objects | None = None) -> FixedMargins:
    """Model of a table; `objects` are those that it was counted from, if they are known."""
    return model_of_margins(table.margins, options, table=table, objects=objects)


def model_of_margins(margins: Margins, options: Options, **data: Any) -> FixedMargins:
    """Model of cluster sizes; `data` are the table and its objects, if there are any."""
    model = options.model
    if model.of_memberships:
        raise ArgumentValueError(
            "model", f"must be one of labels for a table; got {model.name!r}, which is of memberships."
        )
    if model.strata is not None:
        return WithinStrata(margins=margins, options=options, strata=model.strata, **data)
    kind = FixedMargins if model.keeps_margins else RandomPartitions
    return kind(margins=margins, options=options, **data)


def _model_of_biclusters(first: Any, second: Any, options: Options) -> PermutedRowsAndColumns:
    """Model of two biclusterings of a matrix."""
    names = "labels_true", "labels_pred"
    for name, side in zip(names, (first, second), strict=True):
        if not isinstance(side, Biclusters):
            raise ArgumentTypeError(name, f"must be Biclusters as the other side; got {type(side).__name__}.")
    return PermutedRowsAndColumns(tables=first.tables_with(second, names), options=options)
