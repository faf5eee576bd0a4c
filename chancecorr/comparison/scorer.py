"""Make a scorer for scikit-learn's model selection: it takes an estimator and data, and returns a score."""

import copy
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from chancecorr.correction.adjust import adjusted_score
from chancecorr.correction.options import read_options
from chancecorr.exact.summary import Undefined
from chancecorr.indices.registry import Index, find_index
from chancecorr.machine.arguments import (
    ArgumentTypeError,
    ArgumentValueError,
    check_choice,
    count_levels_to_caller,
    explain_call,
)
from chancecorr.machine.budget import Budget
from chancecorr.sampling.seeding import RNG
from chancecorr.tables.reading import Missing, NoiseOfSides, check_reading

Labels = Literal["predict", "labels_", "fit_predict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """The scorer that `make_scorer` returns: called as ``scorer(estimator, X, y)``; it can be pickled."""

    index: str | Index
    labels: Labels
    undefined: Undefined
    options: Mapping[str, Any]

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:
        """Return the adjusted score of the estimator's clustering of X, with y as the reference."""
        if y is None:
            raise ArgumentValueError(
                "y", "must hold the reference labels; got None. Pass them with X, as in `fit(X, y)`."
            )
        clustering = _find_labels(estimator, X, self.labels)
        if self.labels == "labels_" and len(clustering) != len(y):
            raise ArgumentValueError(
                "labels",
                "must be 'predict' or 'fit_predict' if an estimator is scored on other objects than it was"
                f" fitted to; got 'labels_' with {len(clustering)} labels, and {len(y)} objects.",
            )
        return adjusted_score(y, clustering, self.index, undefined=self.undefined, **self.options)


@explain_call
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
    """Make a scorer for scikit-learn: ``GridSearchCV(..., scoring=make_scorer("jaccard"))``.

    Parameters
    ----------
    index : str or Index
        The index of agreement; see `list_indices`. Larger adjusted scores are better for all indices,
        distances included.
    labels : str, default "predict"
        Where the estimator's clustering comes from. ``"predict"``: ``estimator.predict(X)``; for an estimator
        without `predict`, such as DBSCAN, ``"fit_predict"`` is used with a warning. ``"labels_"``: the labels
        of the objects that the estimator was fitted to; only for scores on the same objects, as with
        ``cv=[(every, every)]`` where ``every = numpy.arange(n)``. ``"fit_predict"``: an unfitted copy
        clusters X again.
    undefined, best, n_tables, rng, n_jobs, budget, noise, missing
        As in `adjusted_score`. A search ranks nan last. If the mean of the index is simulated, pass an
        integer as `rng` to repeat the scores.

    Returns
    -------
    Scorer
        Called as ``scorer(estimator, X, y)``.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid. When the scorer is called: if `y` or the clustering is missing.

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
    entry = find_index(index, to_adjust=True).entry
    check_reading(noise, missing)
    # check the other options now, without drawing from a Generator
    read_options(best=best, n_tables=n_tables, n_jobs=n_jobs, budget=budget)
    options = dict(
        best=best, n_tables=n_tables, rng=rng, n_jobs=n_jobs, budget=budget, noise=noise, missing=missing
    )
    # another process has the catalogue, but not the indices that this process registered
    kept = index if isinstance(index, str) and entry.family != "user" else entry
    return Scorer(index=kept, labels=labels, undefined=undefined, options=options)


def _find_labels(estimator: Any, X: Any, labels: Labels) -> Any:
    """Return the estimator's clustering of X."""
    name = type(estimator).__name__
    if labels == "predict" and not hasattr(estimator, labels) and hasattr(estimator, "fit_predict"):
        warnings.warn(
            f"{name} has no `predict`, and clusters each test fold again: pass labels='fit_predict' to"
            " `make_scorer` if you want this, or labels='labels_' to score the objects it was fitted to.",
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
