"""The null distribution of an index: values with weights, moments, or both."""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.chance.engines import Law
from chancecorr.exact.index_of_pair_sum import bound_pair_sum
from chancecorr.exact.summary import (
    EPSILON,
    UNKNOWN,
    Known,
    Moments,
    bound_rounding,
    compute_law_moments,
    compute_sample_moments,
    find_extreme,
    merge_equal,
    sum_probabilities,
)
from chancecorr.indices.registry import find_registered
from chancecorr.machine.arguments import (
    Alternative,
    ArgumentTypeError,
    ArgumentValueError,
    as_level,
    check_choice,
)
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.notes import Note, Notes
from chancecorr.machine.printing import format_rounded
from chancecorr.machine.text_table import TextTable
from chancecorr.result import Result
from chancecorr.sampling.precision import ControlledMean
from chancecorr.sampling.task import Joint
from chancecorr.tables.contingency import Margins


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NullDistribution(Result):
    """Null distribution of an index: its values if the objects are matched at random.

    Attributes
    ----------
    index : str
        Name of the index.
    margins : Margins or None
        The fixed row and column totals; None for clusterings other than partitions.
    mean_from, values_from : {"exact", "cumulants", "analytic", "monte-carlo", None}
        Origin of `mean`, and origin of `values`, quantiles and p-values. ``"exact"``: enumeration.
        ``"cumulants"``: factorial cumulants of the number of pairs together in both clusterings, for many
        small clusters. ``"analytic"``: formulas from the margins. ``"monte-carlo"``: simulated tables. None:
        only moments are known.
    moments : Moments
        Mean, variance, skewness, kurtosis. Moments that the margins do not determine are computed from the
        simulated tables.
    error, relative_error_of_variance : float
        Bound or estimate of the numerical error of `mean`, and of the relative error of `variance`: from
        quadrature, or from the lost mass of an enumeration; 0 for a closed form or a simulation. inf, with a
        mean of nan, if the index may be infinite on a table that the enumeration left out.
    n_tables : int
        Number of simulated tables; 0 if nothing was simulated.
    values : ndarray of float64, shape (v,)
        Distinct values in ascending order, nan last; empty if `values_from` is None. A value is repeated if
        its `pair_sums` differ.
    weights : ndarray of float64, shape (v,)
        Probabilities of the values, or shares of the simulated tables; they sum to 1, or to 1 - `lost_mass`.
    counts : ndarray of int64, shape (v,), or None
        Number of simulated tables with each value.
    lost_mass : float
        Probability of the tables that an enumeration left out, or the error of a sum of probabilities from
        cumulants. It bounds the error of every probability.
    pair_sums : ndarray of int64, shape (v,), or None
        ``T = sum n_ij**2`` of each value, for an index that is strictly monotone in T. Ties are then decided
        by T, because with 10**8 objects neighbouring values of an index round to the same float.
    shares_reached : (float, float) or None
        Shares of the values that are at least, and at most, the value of the data, for clusterings other than
        partitions. They are counted before values are rounded, and p-values use them.
    analytic, simulated : Moments or None
        Moments from the margins, if they are known, and moments of the simulated values, if any.
    model : str
        The model of chance, as in `adjust`.
    variance_reduction : float
        Squared standard error of the plain mean of the simulated values, divided by the squared standard
        error of `mean`: above 1 if `mean` uses control variates, else 1.
    notes : tuple of Note
        Notes if the budget limited the number of tables, or if chance hardly ever changes the index;
        usually empty.
    objects : int
        Number of objects if `margins` is None.
    mean, variance, std, skewness, kurtosis : float
        The `moments`: the expected value of the index under chance, its variance and standard deviation, its
        skewness and excess kurtosis; skewness and kurtosis are nan if the index is constant.
    monte_carlo_error : float
        Standard error of `mean`: ``std / sqrt(n_tables * variance_reduction)`` if simulated, else 0. `error`
        bounds the error of a mean that is not simulated.

    Notes
    -----
    Null model: given by `model`; by default both margins are fixed.

    Examples
    --------
    >>> from chancecorr import null_distribution
    >>> null = null_distribution(Margins([3, 3], [2, 2, 2]), "rand")
    >>> null.values.round(6).tolist(), null.weights.round(6).tolist()  # 288 and 432 of 720 orders
    ([0.4, 0.666667], [0.4, 0.6])
    >>> round(null.mean, 12), null.mean_from, null.values_from
    (0.56, 'analytic', 'exact')
    """

    _picture = "plot_null"

    index: str
    margins: Margins | None
    mean_from: Literal["exact", "cumulants", "analytic", "monte-carlo"] = "analytic"
    values_from: Literal["exact", "cumulants", "monte-carlo"] | None = None
    moments: Moments
    error: float
    relative_error_of_variance: float = 0.0
    n_tables: int = 0
    values: Floats = field(default_factory=partial(np.empty, 0))
    weights: Floats = field(default_factory=partial(np.empty, 0))
    counts: Integers | None = None
    lost_mass: float = 0.0
    pair_sums: Integers | None = None
    shares_reached: tuple[float, float] | None = None
    analytic: Moments | None = None
    simulated: Moments | None = None
    model: str = "permutation"
    variance_reduction: float = 1.0
    notes: Notes = ()
    objects: int = 0
    mean: float = field(init=False)
    variance: float = field(init=False)
    std: float = field(init=False)
    skewness: float = field(init=False)
    kurtosis: float = field(init=False)
    monte_carlo_error: float = field(init=False)

    def __post_init__(self) -> None:
        for name in ("values", "weights", "counts"):
            array = getattr(self, name)
            if array is not None:
                array = array.view()
                array.flags.writeable = False
                object.__setattr__(self, name, array)
        error = 0.0 if math.isfinite(self.moments.mean) else math.nan
        if self.mean_from == "monte-carlo":
            error = self.moments.std / math.sqrt(self.n_tables) / math.sqrt(self.variance_reduction)
        object.__setattr__(self, "monte_carlo_error", error)
        for name in ("mean", "variance", "std", "skewness", "kurtosis"):
            object.__setattr__(self, name, getattr(self.moments, name))

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.objects if self.margins is None else self.margins.n

    @property
    def z_of_difference(self) -> float:
        """Simulated mean less analytic mean, in standard errors (from the analytic variance, if known).

        A check of the sampler: standard normal if the sampler is right. nan if one of the means is missing,
        or if the index is constant.
        """
        if self.simulated is None or self.analytic is None or math.isinf(self.analytic.mean):
            return math.nan
        std = self.simulated.std if math.isnan(self.analytic.variance) else self.analytic.std
        difference = self.simulated.mean - self.analytic.mean
        return difference / (std / math.sqrt(self.n_tables)) if std > 0 else math.nan

    def confidence_interval(self, confidence_level: float = 0.99) -> tuple[float, float]:
        """Compute an interval for the expected value: a mean of `n_tables` draws is nearly normal.

        Parameters
        ----------
        confidence_level : float
            Level, in (0, 1).

        Returns
        -------
        (float, float)
            Limits of the interval; both are equal to the mean if the mean is not simulated.
        """
        from statistics import NormalDist

        level = as_level("confidence_level", confidence_level)
        half_width = NormalDist().inv_cdf(0.5 + level / 2.0) * self.monte_carlo_error
        return self.mean - half_width, self.mean + half_width

    def quantile(self, q: npt.ArrayLike) -> Any:
        """Return the q-quantile: the smallest value that the index does not exceed with probability >= q.

        Parameters
        ----------
        q : float or array-like
            Probability, in [0, 1].

        Returns
        -------
        float or ndarray
            Quantiles in the shape of `q`; nan if the index is undefined on some table.
        """
        if self.values_from is None:
            self._refuse("quantile")
        try:
            shares = np.asarray(q, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):  # words, lists, huge integers
            raise ArgumentTypeError("q", f"must be a number, or an array of numbers; got {q!r}.") from None
        if not ((shares >= 0.0) & (shares <= 1.0)).all():
            raise ArgumentValueError("q", f"must be in [0, 1]; got {q!r}.")
        if np.isnan(self.values[-1]):
            return np.full(shares.shape, math.nan)[()]
        if self.counts is None:
            reached, wanted = np.cumsum(self.weights), shares * (1.0 - 1e-12)
        else:
            # Count tables instead of summing weights, so that rounding (also of q = k / m) has no effect.
            reached = np.cumsum(self.counts)
            wanted = np.maximum(np.ceil(shares * self.n_tables * (1.0 - 4.0 * EPSILON)), 1.0)
        places = np.searchsorted(reached, wanted)
        return self.values[np.minimum(places, self.values.size - 1)][()]

    def p_value(self, observed: float, alternative: Alternative | None = None) -> float:
        """Return the probability that chance gives a value at least as extreme as `observed`.

        Parameters
        ----------
        observed : float
            Value of the index on the observed table.
        alternative : {"greater", "less", "two-sided"}, optional
            The values that count as extreme. ``"two-sided"`` doubles the smaller p-value of the two sides, up
            to 1. Default: ``"less"`` for a registered index whose smaller values mean more agreement, else
            ``"greater"``.

        Returns
        -------
        float
            For an enumerated distribution, the sum of probabilities and `lost_mass`: an upper bound. For m
            simulated tables, ``(b + 1) / (m + 1)`` if b of them are at least as extreme. nan if `observed` is
            nan or the index is undefined on some table.

        Notes
        -----
        Ties count as extreme; values within 100 roundings of `observed` are ties. A simulated p-value is
        never 0, because the observed table is itself a possible table: Phipson & Smyth (2010),
        doi:10.2202/1544-6115.1585.
        """
        check_choice("alternative", alternative, (None, "greater", "less", "two-sided"))
        if alternative is None:
            entry = find_registered(self.index)
            alternative = "greater" if entry is None else entry.better_side
        if self.values_from is None:
            self._refuse("p_value")
        try:
            is_undefined = math.isnan(observed)
        except (TypeError, OverflowError):
            raise ArgumentTypeError("observed", f"must be a number; got {observed!r}.") from None
        if is_undefined or np.isnan(self.values[-1]):
            return math.nan
        if alternative == "two-sided":
            return min(1.0, 2.0 * min(self.p_value(observed, "greater"), self.p_value(observed, "less")))
        reached = find_extreme(self.values, observed, alternative)
        if self.counts is None:
            return min(1.0, sum_probabilities(self.weights[reached]) + self.lost_mass)
        return (int(self.counts[reached].sum()) + 1) / (self.n_tables + 1)

    def to_dict(self) -> dict[str, Any]:
        """Return attributes and properties as a dictionary; `to_json` writes nan as null."""
        names = (
            "model", "mean_from", "values_from", "n_tables", "error", "relative_error_of_variance",
            "lost_mass", "mean", "variance", "std", "skewness", "kurtosis", "monte_carlo_error",
            "variance_reduction", "z_of_difference",
        )  # fmt: skip
        return {
            "index": self.index,
            "row_totals": None if self.margins is None else self.margins.row_totals.tolist(),
            "column_totals": None if self.margins is None else self.margins.column_totals.tolist(),
            **{name: getattr(self, name) for name in names},
            "analytic_mean": self.analytic.mean if self.analytic else math.nan,
            "simulated_mean": self.simulated.mean if self.simulated else math.nan,
            "values": self.values.tolist(),
            "weights": self.weights.tolist(),
            "notes": [note.to_dict() for note in self.notes],
        }

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """Return the printed table: the moments, with a headline."""
        numbers = (self.mean, self.std, self.skewness, self.kurtosis)
        names = ["index", "mean", "std", "skewness", "kurtosis"]
        row = [self.index, *(format_rounded(x) for x in numbers)]
        return [TextTable(columns=names, rows=[row], caption=repr(self), notes=self.notes)]

    def _list_columns(self) -> dict[str, Any]:
        return {"value": self.values.tolist(), "weight": self.weights.tolist()}

    def __repr__(self) -> str:
        tables = f", n_tables={self.n_tables}" if self.n_tables else ""
        mean = format_rounded(self.mean, self.monte_carlo_error, undefined="nan")
        std = format_rounded(self.std, undefined="nan")
        return (
            f"NullDistribution({self.index!r}, mean={mean}, std={std}, mean_from={self.mean_from!r}{tables})"
        )

    def _refuse(self, question: str) -> None:
        """Raise because only moments are known."""
        remedy = "use `compute_null()` of a score, or method='exact' or 'monte-carlo'"
        reason = "; ".join(map(str, self.notes)) or remedy
        why = f"needs a full distribution, but only moments are known: {reason}."
        raise ArgumentValueError(question, why)


def make_simulated_null(
    index: str, margins: Margins | None, joint: Joint, known: Known | None, *, mean_is_known: bool,
    controlled: ControlledMean | None = None, notes: Sequence[Note] = (), what: str = "simulated tables",
) -> NullDistribution:  # fmt: skip
    """Return the null distribution of simulated values; if the mean is known, known moments are used."""
    if joint.pair_sums is None:
        values, counts, pair_sums = *merge_equal(joint.values, joint.counts), None
    else:  # equal values may differ in T
        order = np.argsort(joint.values, kind="stable")
        values, counts, pair_sums = joint.values[order] + 0.0, joint.counts[order], joint.pair_sums[order]
    n_tables = int(counts.sum())
    varies = margins is None or len(set(bound_pair_sum(margins))) == 2  # as far as the sizes show
    # all drawn tables have the same value, so that the error of the mean cannot be estimated
    if not mean_is_known and varies and (values == values[0]).all():
        percent = -100.0 * math.expm1(math.log(0.05) / n_tables)
        share = f"other values have a probability of at most {percent:.2g} %, with 95 % confidence"
        few = f"{n_tables} of the {what} cannot show how the index varies"
        same = few if n_tables == 1 else f"all {n_tables:,} {what} have the same value; {share}"
        notes = [*notes, Note("constant draws", same)]
    simulated, reduction = compute_sample_moments(values, counts), 1.0
    taken = Known(simulated, 0.0)
    if mean_is_known and known:
        taken, moments = known, known.moments
        if math.isfinite(moments.mean) and moments.variance != 0.0:
            names = "variance", "skewness", "kurtosis"
            unknown = {name: getattr(simulated, name) for name in names if math.isnan(getattr(moments, name))}
            taken = known._replace(moments=dataclasses.replace(moments, **unknown))
    elif controlled is not None and controlled.variance_reduction > 1.0:
        taken = Known(dataclasses.replace(simulated, mean=controlled.mean), 0.0)
        reduction = controlled.variance_reduction
    return NullDistribution(
        index=index, margins=margins, mean_from="analytic" if mean_is_known else "monte-carlo",
        values_from="monte-carlo", **taken._asdict(), n_tables=n_tables, values=values,
        weights=counts / n_tables, counts=counts, pair_sums=pair_sums,
        shares_reached=None if joint.excess is None else count_shares(joint.excess),
        analytic=known.moments if known else None, simulated=simulated, variance_reduction=reduction,
        notes=tuple(notes),
    )  # fmt: skip


def make_exact_null(index: str, margins: Margins | None, law: Law, known: Known | None) -> NullDistribution:
    """Return an enumerated null distribution, with moments from the margins if their error is smaller."""
    values, probabilities, lost_mass, finite, pair_sums, source, _, excess = law
    order = np.argsort(values, kind="stable")
    values, probabilities = values[order] + 0.0, probabilities[order]
    first = np.append(True, values[1:] != values[:-1]) if values.size else np.empty(0, dtype=bool)
    if pair_sums is not None:
        pair_sums, first = pair_sums[order], np.ones(order.size, dtype=bool)
    distinct, weights = values[first], np.add.reduceat(probabilities, np.flatnonzero(first))
    moments = compute_law_moments(distinct, weights)
    reach = 0.0  # if the index is infinite on a table, the mean is infinite, whatever the lost mass
    if not finite:
        moments, reach = UNKNOWN, math.inf
    elif math.isfinite(moments.mean):
        reach = float(np.abs(distinct - moments.mean).max(initial=0.0))
    of_law = lost_mass * reach * (reach / moments.variance) if lost_mass and moments.variance > 0.0 else 0.0
    notes: Notes = ()
    if distinct.size > 1 and moments.std <= bound_rounding(moments.mean):
        others = math.fsum(np.delete(weights, weights.argmax()))
        text = f"by chance the index is almost constant: other values have a probability of {others:.1g}"
        notes = (Note("almost constant", text),)
    of_values = Known(moments, lost_mass * reach, of_law)
    taken = of_values
    if known is not None and known.error <= of_values.error:
        is_whole = not (math.isfinite(known.moments.mean) and math.isnan(known.moments.variance))
        taken = known if is_whole else of_values
    return NullDistribution(
        index=index, margins=margins, mean_from=source if taken is of_values else "analytic",
        values_from=source, **taken._asdict(), values=distinct, weights=weights, lost_mass=lost_mass,
        pair_sums=pair_sums, shares_reached=None if excess is None else count_shares(excess),
        analytic=known.moments if known else None, notes=notes,
    )  # fmt: skip


def count_shares(excess: Floats) -> tuple[float, float]:
    """Return the shares of the values at least, and at most, as large as the value of the data."""
    return np.count_nonzero(excess >= 0.0) / excess.size, np.count_nonzero(excess <= 0.0) / excess.size
