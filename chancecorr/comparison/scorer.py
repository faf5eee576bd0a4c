"""A scorer as scikit-learn's model selection calls it: an estimator and data in, an adjusted score out."""

import copy
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from chancecorr.chance.options import read_options
from chancecorr.correction.adjust import adjusted_score
from chancecorr.exact.summary import Undefined
from chancecorr.indices.registry import Index, find_index
from chancecorr.machine.arguments import (
    ArgumentTypeError,
    ArgumentValueError,
    check_choice,
    count_levels_to_caller,
)
from chancecorr.machine.budget import Budget
from chancecorr.sampling.seeding import RNG
from chancecorr.tables.reading import Missing, NoiseOfSides, check_reading

Labels = Literal["predict", "labels_", "fit_predict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """Scorer that `make_scorer` returns: called as ``scorer(estimator, X, y)``; it can be pickled."""

    index: str | Index
    labels: Labels
    undefined: Undefined
    options: Mapping[str, Any]

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:
        """Adjusted score of the estimator's clustering of X against the reference y."""
        if y is None:
            raise ArgumentValueError(
                "y", "must hold the reference labels; got None. Pass them with X, as in `fit(X, y)`."
            )
        clustering = _find_labels(estimator, X, self.labels)
        if self.labels == "labels_" and len(clustering) != len(y):
            raise ArgumentValueError(
                "labels",
                "must be 'predict' or 'fit_predict' where an estimator is scored on other objects than it was"
                f" fitted to; got 'labels_' with {len(clustering)} labels, and {len(y)} objects.",
            )
        return adjusted_score(y, clustering, self.index, undefined=self.undefined, **self.options)


def make_scorer(
    index: str | Index = "rand",
    *,
    labels: Labels = "predict",
    undefined: Undefined = "nan",
    best: float | Literal["mean"] | None = None,
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    budget: float | Budget | None = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> Scorer:
    """Scorer for scikit-learn's model selection: ``GridSearchCV(..., scoring=make_scorer("jaccard"))``.

    Parameters
    ----------
    index : str or Index
        What measures agreement; see `list_indices`. Larger scores are better for all, distances included.
    labels : str, default "predict"
        Where the estimator's clustering comes from. ``"predict"``: ``estimator.predict(X)``; an estimator
        without it, such as DBSCAN, is taken as by ``"fit_predict"``, with a warning. ``"labels_"``: those of
        the objects it was fitted to; only for scores on these very objects, as with ``cv=[(every, every)]``
        where ``every = numpy.arange(n)``. ``"fit_predict"``: an unfitted copy clusters X anew.
    undefined, best, n_tables, rng, n_jobs, budget, noise, missing
        As in `adjusted_score`. A search ranks nan last. Of indices whose mean is simulated, a whole number as
        `rng` gives the same scores again.

    Returns
    -------
    Scorer
        Called as ``scorer(estimator, X, y)``.

    Raises
    ------
    ValueError, TypeError
        If an argument breaks its rule; from the call, if there is no `y` or no clustering.

    Examples
    --------
    >>> scorer = make_scorer("jaccard", undefined="one")
    >>> class Halves:
    ...     def predict(self, X):
    ...         return [x > 2 for x in X]
    >>> round(scorer(Halves(), [1, 2, 3, 4], ["a", "a", "b", "b"]), 12)
    1.0
    """
    check_choice("labels", labels, get_args(Labels))
    check_choice("undefined", undefined, get_args(Undefined))
    entry, _ = find_index(index, to_adjust=True)
    check_reading(noise, missing)
    # what is left is checked now, without a draw from a Generator
    read_options(best=best, n_tables=n_tables, n_jobs=n_jobs, budget=budget)
    options = dict(
        best=best, n_tables=n_tables, rng=rng, n_jobs=n_jobs, budget=budget, noise=noise, missing=missing
    )
    # in another process the catalogue is there, and what was registered in this one is not
    kept = index if isinstance(index, str) and entry.family != "user" else entry
    return Scorer(index=kept, labels=labels, undefined=undefined, options=options)


def _find_labels(estimator: Any, X: Any, labels: Labels) -> Any:
    """The estimator's clustering of X."""
    name = type(estimator).__name__
    if labels == "predict" and not hasattr(estimator, labels) and hasattr(estimator, "fit_predict"):
        warnings.warn(
            f"{name} has no `predict`, and clusters each test fold anew: pass labels='fit_predict' to"
            " `make_scorer` if this is what you want, or labels='labels_' to score it on the objects that it"
            " was fitted to.",
            stacklevel=count_levels_to_caller(),
        )
        labels = "fit_predict"
    if not hasattr(estimator, labels):
        remedy = " Call `fit` first." if labels == "labels_" else ""
        raise ArgumentTypeError("estimator", f"must have `{labels}`, which {name} has not.{remedy}")
    if labels == "labels_":
        return estimator.labels_
    if labels == "predict":
        return estimator.predict(X)
    return copy.deepcopy(estimator).fit_predict(X)
