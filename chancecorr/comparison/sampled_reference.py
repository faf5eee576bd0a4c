"""Precision, recall and F where only a sample of the true clusters is known, each of them whole.

Each measure is a ratio of two sums over all true clusters, both estimated from the sample with weights that
are inverse to the probability that a cluster was sampled. For a true cluster of size s, whose n_j objects in
predicted cluster j are among the P_j there ::

    pairwise    precision  sum C(n_j, 2) / sum n_j (P_j - 1) / 2        recall  sum C(n_j, 2) / C(s, 2)
    cluster     precision  [found] / (s predicted clusters / objects)   recall  [found] / 1
    B-cubed     precision  sum n_j**2 / P_j / s                         recall  sum n_j**2 / s / s

with [found] 1 if it is a predicted cluster, whole and alone; B-cubed is a mean over objects (Bagga & Baldwin
1998). Estimators: Binette et al. (2022), arXiv:2210.01230; ratios with the correction of their bias of Tin
(1965), doi:10.1080/01621459.1965.10480792; F of B-cubed by the delta method.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from chancecorr import display
from chancecorr.arguments import ArgumentValueError, as_level
from chancecorr.correction.intervals.interval import cut, quantile
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.printing import rounded
from chancecorr.tables.crosstab import numbered
from chancecorr.tables.given import label_vectors
from chancecorr.tables.labels import encode, refuse_missing

Estimate = tuple[float, Floats]
"""A ratio and what each sampled cluster adds to its error: its standard error is that of their mean."""


class SampledMeasure(NamedTuple):
    """A measure of all objects, from the sampled clusters; see the example of `SampledMeasures`.

    Attributes
    ----------
    name : str
        "pairwise", "cluster" or "b_cubed", and "precision", "recall" or "f".
    value, standard_error : float
        The standard error is nan for a single sampled cluster, and where nothing was found.
    low, high : float
        Ends of the interval by Student's t, cut to [0, 1].
    """

    name: str
    value: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SampledMeasures(Mapping[str, SampledMeasure]):
    """Nine measures by name, and how many true clusters and objects were sampled.

    Attributes
    ----------
    measures : tuple of SampledMeasure
        Precision, recall and F: pairwise, of whole clusters, and B-cubed.
    n_clusters, n_sampled, n : int
        Sampled true clusters, their objects, and all objects.

    Examples
    --------
    >>> found = from_sampled_clusters(["a", "a", "b", None], [0, 0, 1, 1])
    >>> found.n_clusters, found.n_sampled, found.n, len(found)
    (2, 3, 4, 9)
    >>> found["cluster_recall"].value, found["cluster_recall"].standard_error
    (0.5, 0.5)
    """

    measures: tuple[SampledMeasure, ...]
    n_clusters: int
    n_sampled: int
    n: int

    def __getitem__(self, name: str) -> SampledMeasure:
        """The measure of this name."""
        return {each.name: each for each in self.measures}[name]

    def __iter__(self) -> Any:
        """Names of the measures."""
        return iter([each.name for each in self.measures])

    def __len__(self) -> int:
        """Number of measures."""
        return len(self.measures)

    def to_text(self) -> str:
        """A line for each measure.

        Returns
        -------
        str
            Name, value and interval in columns.
        """
        return "\n".join(display.text_rows(self._cells()))

    def _cells(self) -> list[list[str]]:
        rows = [["measure", "value", "from", "to"]]
        for name, value, error, low, high in self.measures:
            rows.append([name.replace("_", " "), *(rounded(x, error) for x in (value, low, high))])
        return rows

    def __repr__(self) -> str:
        """How much was sampled, and the measures."""
        what = f"{self.n_clusters:,} sampled clusters, {self.n_sampled:,} of {self.n:,} objects"
        return f"{what}\n{self.to_text()}"

    def _repr_html_(self) -> str:
        """The measures, for a notebook."""
        return display.table(self._cells())


def from_sampled_clusters(
    labels_true: Any,
    labels_pred: Any,
    *,
    sampling_weights: Mapping[Any, float] | Literal["size"] | None = None,
    confidence: float = 0.95,
) -> SampledMeasures:
    """Precision, recall and F of a clustering of all objects, from a sample of the true clusters.

    Of large data one can often settle some true clusters, such as all records of some persons, and no others.
    Measures of those objects alone are too good, for what others do to their predicted clusters is not seen.

    Parameters
    ----------
    labels_true : array-like of shape (n,)
        True cluster of each object; missing (None, NaN) if it was not sampled. A sampled cluster is whole.
    labels_pred : array-like of shape (n,)
        Predicted cluster of each of all objects.
    sampling_weights : mapping from label to number, or "size", optional
        Inverse of the probability that a true cluster was sampled, up to a factor. ``"size"``: one over the
        size, of clusters that were found by drawing objects. Left out: all the same.
    confidence : float
        Level of the intervals, in (0, 1).

    Returns
    -------
    SampledMeasures
        Nine measures with standard errors and intervals.

    Raises
    ------
    ValueError, TypeError
        If labels differ in length, none is sampled, or a weight is missing or not above 0.

    Examples
    --------
    >>> true = ["a", "a", "a", "b", "b", None, None, "c"]
    >>> found = from_sampled_clusters(true, [1, 1, 2, 3, 2, 4, 4, 4])
    >>> round(found["pairwise_precision"].value, 3), round(found["pairwise_recall"].value, 3)
    (0.389, 0.297)
    """
    level = as_level("confidence", confidence)
    names = "labels_true", "labels_pred"
    given = label_vectors(list(zip(names, (labels_true, labels_pred), strict=True)))
    true, predicted = (encode(name, each) for name, each in zip(names, given, strict=True))
    if true.codes.size != predicted.codes.size:
        raise ArgumentValueError(
            "labels_pred",
            f"must have the same length as `labels_true`; got {predicted.codes.size} and {true.codes.size}.",
        )
    refuse_missing("labels_pred", predicted)
    sampled = np.ones(true.codes.size, dtype=bool) if true.missing is None else ~true.missing
    if not sampled.any():
        raise ArgumentValueError("labels_true", "must have a sampled cluster; got missing labels alone.")
    columns, n_predicted, _ = numbered(predicted.codes)
    rows, n_clusters, found = numbered(true.codes[sampled])
    sizes = np.bincount(rows)
    weights = _weights(sampling_weights, true.names(found()), sizes)
    cells, counts = np.unique(rows * n_predicted + columns[sampled], return_counts=True)
    listed = (*np.divmod(cells, n_predicted), counts.astype(np.float64))
    estimates = _estimates(listed, sizes.astype(np.float64), np.bincount(columns), weights)
    return SampledMeasures(
        measures=tuple(_measure(name, estimate, level) for name, estimate in estimates.items()),
        n_clusters=n_clusters,
        n_sampled=int(sampled.sum()),
        n=sampled.size,
    )


def _weights(given: Any, labels: Iterable[Any], sizes: Integers) -> Floats:
    """Weight of each sampled cluster."""
    if given is None:
        return np.ones(sizes.size)
    if isinstance(given, str) and given == "size":
        return 1.0 / sizes
    if not isinstance(given, Mapping):
        raise ArgumentValueError(
            "sampling_weights", f"must be a mapping from label to number, 'size' or None; got {given!r}."
        )
    labels = list(labels)
    without = [label for label in labels if label not in given]
    if without:
        raise ArgumentValueError(
            "sampling_weights", f"must have a weight for each sampled cluster; got none for {without[0]!r}."
        )
    weights = np.array([given[label] for label in labels], dtype=np.float64)
    if not (np.isfinite(weights) & (weights > 0.0)).all():
        raise ArgumentValueError("sampling_weights", f"must be numbers above 0; got {weights.min()}.")
    return weights


def _estimates(
    cells: tuple[Integers, Integers, Floats], s: Floats, predicted_sizes: Integers, w: Floats
) -> dict[str, Estimate]:
    """Measures by name, from cells (rows, columns, counts), sizes s and weights w of true clusters."""
    row, column, counts = cells
    P = predicted_sizes[column].astype(np.float64)

    def sums(values: Floats) -> Floats:
        return w * np.bincount(row, values, minlength=s.size)

    pairs, found = sums(counts * (counts - 1) / 2), sums((counts == P) & (counts == s[row]))
    in_predicted, in_true = sums(counts * (P - 1) / 2), w * s * (s - 1) / 2
    objects, share = w * s, predicted_sizes.size / predicted_sizes.sum()
    precision, recall = _ratio(sums(counts**2 / P), objects), _ratio(sums(counts**2) / s, objects)
    return {
        "pairwise_precision": _ratio(pairs, in_predicted),
        "pairwise_recall": _ratio(pairs, in_true),
        "pairwise_f": _ratio(pairs, (in_predicted + in_true) / 2),
        "cluster_precision": _ratio(found, share * objects),
        "cluster_recall": _ratio(found, w),
        "cluster_f": _ratio(found, (share * objects + w) / 2),
        "b_cubed_precision": precision,
        "b_cubed_recall": recall,
        "b_cubed_f": _harmonic(precision, recall),
    }


def _ratio(N: Floats, D: Floats) -> Estimate:
    """Ratio of the means of N and D, less its bias to the first order, and its parts of the error."""
    n, mean_n, mean_d = N.size, float(N.mean()), float(D.mean())
    if mean_d == 0.0 or mean_n == 0.0:
        return (math.nan if mean_d == 0.0 else 0.0), np.full(n, math.nan)
    ratio = mean_n / mean_d
    relative = N / mean_n - D / mean_d
    bias = float((D * relative).mean()) / ((n - 1) * mean_d) if n > 1 else 0.0
    return ratio * (1.0 + bias), ratio * relative


def _harmonic(p: Estimate, r: Estimate) -> Estimate:
    """Harmonic mean of two ratios."""
    total = p[0] + r[0]
    if not total > 0.0:
        return total, p[1]
    return 2.0 * p[0] * r[0] / total, 2.0 * (r[0] ** 2 * p[1] + p[0] ** 2 * r[1]) / total**2


def _measure(name: str, estimate: Estimate, level: float) -> SampledMeasure:
    """The measure with its interval."""
    value, parts = estimate
    n = parts.size
    if n < 2 or np.isnan(parts).any():
        return SampledMeasure(name, value, math.nan, math.nan, math.nan)
    error = math.sqrt(float((parts**2).sum()) / (n * (n - 1)))
    reach = quantile(level, n) * error
    low, high = cut((value - reach, value + reach), 0.0, 1.0)
    return SampledMeasure(name, value, error, low, high)
