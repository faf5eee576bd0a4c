"""A scorer as scikit-learn's model selection calls it: an estimator and data in, an adjusted score out."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, one_of
from chancecorr.correction.adjust import adjusted_score
from chancecorr.correction.against import Undefined
from chancecorr.correction.request import MEAN_DEFAULTS, READING_DEFAULTS, keywords, request
from chancecorr.indices.registry import Index, get_index
from chancecorr.tables.reading import check_reading

Labels = Literal["predict", "fit_predict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """What `make_scorer` returns: called as ``scorer(estimator, X, y)``, it gives the adjusted score.

    It can be pickled and copied, and so serves in other processes.

    Attributes
    ----------
    index : str or Index
        What measures agreement: a name of the catalogue, or an entry.
    labels : {"predict", "fit_predict"}
        Where the estimator's clustering comes from.
    undefined : {"nan", "one", "zero"}
        What stands for a score that is not defined.
    options : mapping
        Further keywords of `adjusted_score`.
    """

    index: str | Index
    labels: Labels
    undefined: Undefined
    options: Mapping[str, Any]

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:
        """Adjusted score of the estimator's clustering of X against the reference y."""
        if y is None:
            raise ArgumentValueError(
                "y", "must hold the reference labels; got None. Pass them beside X, as in `fit(X, y)`."
            )
        clustering = _clustering(estimator, X, self.labels)
        return adjusted_score(y, clustering, self.index, undefined=self.undefined, **self.options)


@keywords({**MEAN_DEFAULTS, **READING_DEFAULTS})
def make_scorer(
    index: str | Index = "rand",
    *,
    labels: Labels = "predict",
    undefined: Undefined = "nan",
    **options: Any,
) -> Scorer:
    """Scorer for scikit-learn's model selection: ``GridSearchCV(..., scoring=make_scorer("jaccard"))``.

    Parameters
    ----------
    index : str or Index
        What measures agreement; see `list_indices`. Larger scores are better for all, distances included.
    labels : str, default "predict"
        Where the estimator's clustering comes from: one of the following. ``"predict"``:
        ``estimator.predict(X)``, as for the scorers of scikit-learn; an estimator without it, such as DBSCAN,
        is refused, because it says nothing of objects that it was not fitted to. ``"fit_predict"``: an
        unfitted copy clusters X, the test fold alone, anew; with ``cv=[(every, every)]``, where ``every =
        numpy.arange(n)``, that is all objects.
    undefined : {"nan", "one", "zero"}, default "nan"
        What the score is where there is none, as for a single cluster; see `adjusted_score`. A search ranks
        nan last.
    best, n_tables, rng, n_jobs, budget, noise, noise_label, missing, align
        As in `adjusted_score`. Of indices whose mean is simulated, a whole number as `rng` gives the same
        scores again.

    Returns
    -------
    Scorer
        Called as ``scorer(estimator, X, y)``.

    Raises
    ------
    ValueError, TypeError
        If an argument breaks its rule; from the call, if there is no `y` or no clustering.

    Notes
    -----
    Nothing of scikit-learn is imported. Any object with the method that `labels` names can be scored.

    Examples
    --------
    >>> scorer = make_scorer("jaccard", undefined="one")
    >>> class Halves:
    ...     def predict(self, X):
    ...         return [x > 2 for x in X]
    >>> round(scorer(Halves(), [1, 2, 3, 4], ["a", "a", "b", "b"]), 12)
    1.0
    """
    one_of("labels", labels, get_args(Labels))
    one_of("undefined", undefined, get_args(Undefined))
    entry = get_index(index)
    check_reading(**{name: options.get(name, default) for name, default in READING_DEFAULTS.items()})
    # what is left is checked now, without a draw from a Generator
    request({name: value for name, value in options.items() if name in MEAN_DEFAULTS and name != "rng"})
    # in another process the catalogue is there, and what was registered in this one is not
    kept = index if isinstance(index, str) and entry.family != "user" else entry
    return Scorer(index=kept, labels=labels, undefined=undefined, options=options)


def _clustering(estimator: Any, X: Any, labels: Labels) -> Any:
    """The estimator's clustering of X."""
    if not hasattr(estimator, labels):
        remedy = ' Pass labels="fit_predict" to cluster each test fold anew.' if labels == "predict" else ""
        name = type(estimator).__name__
        raise ArgumentTypeError("estimator", f"must have `{labels}`, which {name} has not.{remedy}")
    if labels == "predict":
        return estimator.predict(X)
    return copy.deepcopy(estimator).fit_predict(X)
