"""The score that chance gives if only cluster sizes are known, and a published score corrected by it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from chancecorr.chance.fixed_margins import PERMUTATION
from chancecorr.chance.models import make_model_of_margins, name_margins
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.options import MethodName
from chancecorr.correction.nulls import find_nulls
from chancecorr.correction.options import MonteCarlo, read_options
from chancecorr.exact.summary import compute_adjusted_score
from chancecorr.indices.registry import AnyIndex, find_index
from chancecorr.machine.arguments import ArgumentValueError, as_number, explain_call
from chancecorr.machine.budget import Budget
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_p_value, format_rounded
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.sampling.seeding import RNG
from chancecorr.tables.contingency import Margins

FIELDS_OF_A_BASELINE = (
    "index", "asked_as", "model", "n", "expected", "std", "upper", "best", "observed", "adjusted", "p_value",
    "monte_carlo_error", "notes",
)  # fmt: skip
"""Fields of a `Baseline` in JSON."""

MODEL_OF_A_NUMBER = "one-sided-fixed-k"
"""The model if only the number of the candidate's clusters is known."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Baseline(Result):
    """An index by chance, from cluster sizes alone, and an observed value; see the example of `baseline`.

    Attributes
    ----------
    index, asked_as, model : str
        Name of the index, the name that the user gave for it, and the name of the model of chance.
    n : int
        Number of objects.
    expected, std, upper : float
        Mean and standard deviation by chance, and the value that chance exceeds in up to 1 % of the cases,
        or falls below if smaller values are better; nan if not known.
    best : float
        Value of the index at which the adjusted score is 1.
    observed, adjusted, p_value : float
        Observed value, ``(observed - expected) / (best - expected)``, and the probability that chance gives a
        value at least as good; nan without an observed value.
    monte_carlo_error : float
        Standard error of `adjusted`, because the mean is simulated; 0 for an exact mean.
    null : NullDistribution
        The null distribution, which the picture shows.
    notes : tuple of Note
        Notes on the name of the index.
    """

    _picture = "plot_null"

    index: str
    asked_as: str
    model: str
    n: int
    expected: float
    std: float
    upper: float
    best: float
    observed: float
    adjusted: float
    p_value: float
    monte_carlo_error: float
    null: NullDistribution
    notes: Notes

    @property
    def _drawn(self) -> NullDistribution:
        """The null distribution, which the picture shows."""
        return self.null

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and notes as a dictionary of plain numbers, strings and lists."""
        values = {name: getattr(self, name) for name in FIELDS_OF_A_BASELINE}
        return values | {"notes": [note.to_dict() for note in self.notes]}

    def _list_columns(self) -> dict[str, list[Any]]:
        return {name: [value] for name, value in self.to_dict().items() if name != "notes"}

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the printed table: the index by chance, and the observed value if there is one."""
        error = self.monte_carlo_error
        cells = {
            "expected": format_rounded(self.expected), "std": format_rounded(self.std),
            "99 % point": format_rounded(self.upper), "best": format_rounded(self.best),
        }  # fmt: skip
        if math.isfinite(self.observed):
            cells |= {
                "observed": format_rounded(self.observed),
                "adjusted": format_rounded(self.adjusted, error),
                "p": format_p_value(self.p_value),
            }
        return [
            TextTable(
                columns=["index", *cells], rows=[[self.asked_as, *cells.values()]],
                caption=f"Baseline of {self.n:,} objects, model {self.model}", notes=self.notes,
            )
        ]  # fmt: skip


@explain_call
def baseline(
    sizes_true: Sequence[int],
    sizes_pred: Sequence[int] | int,
    index: AnyIndex = "rand",
    *,
    observed: float | None = None,
    model: str | None = None,
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    budget: float | Budget | None = None,
) -> Baseline:
    """Compute what chance gives if only cluster sizes are known, and correct a published value by it.

    Parameters
    ----------
    sizes_true : array-like of shape (K,)
        Cluster sizes of the reference.
    sizes_pred : array-like of shape (Q,) or int
        Cluster sizes of the candidate, or only the number of its clusters.
    index : str, Index or callable
        The index of agreement, not one of the adjusted names such as ``"ami"``.
    observed : float, optional
        A raw value of the index, such as a published one; not an adjusted score.
    model : str, optional
        Model of chance, as in `adjust`: by default ``"permutation"``, or with a number of clusters
        ``"one-sided-fixed-k"``: the candidate is any partition with this number of clusters.
    method, n_tables, rng, n_jobs, budget
        As in `adjust`.

    Returns
    -------
    Baseline
        Mean, standard deviation and 99 % point by chance; adjusted value and p-value of `observed`.

    Raises
    ------
    ValueError, TypeError
        If sizes do not fit each other, or as in `adjust`.

    Examples
    --------
    >>> found = baseline([50, 30, 20], [40, 40, 20], observed=0.8)
    >>> round(found.expected, 3), round(found.adjusted, 3), round((0.8 - 0.537) / (1 - 0.537), 3)
    (0.537, 0.568, 0.568)
    """
    labelled = find_index(index, to_adjust=False)
    is_number = isinstance(sizes_pred, Integral)
    name = model or (MODEL_OF_A_NUMBER if is_number else PERMUTATION.name)
    options = read_options(
        method=method, n_tables=n_tables, rng=rng, n_jobs=n_jobs, model=name, budget=budget
    )
    margins = _read_sizes(sizes_true, sizes_pred)
    if is_number and name == PERMUTATION.name:
        rule = "must be cluster sizes with model 'permutation', which keeps them"
        raise ArgumentValueError("sizes_pred", f"{rule}; got the number {sizes_pred!r}.", "model")
    entry, sizes = name_margins(labelled.entry, margins)
    chance = make_model_of_margins(sizes, options)
    chance.check((entry,))
    null = find_nulls(chance, (entry,))[entry.name]
    seen = math.nan if observed is None else as_number("observed", observed)
    best, notes = chance.best(entry), labelled.notes
    if is_number and entry.best is None:
        best, text = math.nan, "the best value depends on the candidate's cluster sizes, which are not known"
        notes = *notes, Note("best value", text)
    has_values = null.values_from is not None
    room = best - null.mean
    return Baseline(
        index=entry.name, asked_as=labelled.label, model=name, n=sizes.n, expected=null.mean, std=null.std,
        upper=float(null.quantile(0.99 if entry.larger_is_better else 0.01)) if has_values else math.nan,
        best=best, observed=seen, adjusted=compute_adjusted_score(seen, best, null.mean),
        p_value=float(null.p_value(seen)) if has_values and math.isfinite(seen) else math.nan,
        monte_carlo_error=abs(best - seen) / room**2 * null.monte_carlo_error if room else math.nan,
        null=null, notes=tuple(notes),
    )  # fmt: skip


def _read_sizes(sizes_true: Any, sizes_pred: Any) -> Margins:
    """Return the margins; of a number of clusters, sizes that are as equal as possible."""
    if not isinstance(sizes_pred, Integral):
        return Margins(sizes_true, sizes_pred)
    n, number = Margins(sizes_true, sizes_true).n, int(sizes_pred)
    if not 1 <= number <= n:
        raise ArgumentValueError("sizes_pred", f"must be from 1 to {n:,} clusters; got {number}.")
    return Margins(sizes_true, np.diff(np.arange(number + 1) * n // number))
