"""The door for clusterings that are no labels: which scores they have, and which keywords mean nothing."""

from typing import Any

from chancecorr.arguments import ArgumentValueError
from chancecorr.chance.options import READING_DEFAULTS, request
from chancecorr.clusterings.biclusters import Biclusters
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.correction.of_biclusters import scores_of_biclusters
from chancecorr.correction.of_clusterings import scores_of_clusterings
from chancecorr.correction.of_memberships import is_dirichlet, scores_under_dirichlet
from chancecorr.correction.scores import AdjustedScore


def read_sides(labels_true: Any, labels_pred: Any) -> tuple[Any, Any]:
    """Clusterings of any kind of the same objects; biclusterings as they are."""
    given = labels_true, labels_pred
    if any(isinstance(side, Biclusters) for side in given):
        return given
    return read_clusterings(("labels_true", "labels_pred"), given)


def scores_of_other_kinds(
    first: Any, second: Any, index: Any, options: dict[str, Any]
) -> list[AdjustedScore]:
    """Scores of two clusterings, one of which at least is no partition, or whose index is none of a table."""
    for name in (*READING_DEFAULTS, "strata", "weights"):
        given, default = options.pop(name, None), READING_DEFAULTS.get(name)
        if given is not None and not (isinstance(given, str) and given == default):
            raise ArgumentValueError(name, "must be left out for clusterings that are no labels.")
    if isinstance(first, Biclusters) or isinstance(second, Biclusters):
        return scores_of_biclusters(first, second, "rand" if index is None else index, request(options))
    if is_dirichlet(options.get("model")):
        model = options.pop("model")
        return scores_under_dirichlet(first, second, index, model, request(options))
    return scores_of_clusterings(first, second, index, request(options))
