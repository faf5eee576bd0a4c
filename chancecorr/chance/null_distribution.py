"""The null distribution of an index: values with weights, moments from the margins, or both."""

import dataclasses
import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.chance.engines import Known, Law
from chancecorr.exact.index_of_pair_sum import bound_pair_sum
from chancecorr.exact.summary import (
    EPSILON,
    UNKNOWN,
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
from chancecorr.machine.printing import format_rounded
from chancecorr.machine.text_table import Pictured, Tabulated, TextTable
from chancecorr.sampling.precision import ControlledMean
from chancecorr.sampling.task import Joint
from chancecorr.tables.contingency import Margins


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NullDistribution(Tabulated, Pictured):
    """Null distribution of an index: its values when the objects are matched at random.

    Attributes
    ----------
    index : str
        Name of the index.
    margins : Margins or None
        The fixed row and column totals; None for clusterings that are no partition.
    mean_from, values_from : {"exact", "cumulants", "analytic", "monte-carlo", None}
        Where `mean` comes from, and `values`, with quantiles and p-values: the enumerated law, that of the
        factorial cumulants of the number of pairs together in both if clusters are many and small, the
        margins alone, or simulated tables; None if moments alone are known.
    moments : Moments
        Mean, variance, skewness, kurtosis. If the margins determine the mean and not all of the others, these
        are those of the simulated tables.
    error, relative_error_of_variance : float
        Bound or estimate of the error of `mean` that is not of chance, of the quadrature or from the lost
        mass of an enumeration, and of that of `variance` as a share of it; 0 for a closed form or a
        simulation. inf, and the mean nan, where it is not known whether the index is infinite on a table that
        the enumeration left out.
    n_tables : int
        Number of simulated tables; 0 when nothing was simulated.
    values : ndarray of float64, shape (v,)
        Distinct values in ascending order, nan last; empty when `values_from` is None. Equal ones recur if
        `pair_sums` differ.
    weights : ndarray of float64, shape (v,)
        Their probabilities, or shares of the simulated tables; they sum to 1, or to 1 - `lost_mass`.
    counts : ndarray of int64, shape (v,), or None
        How many simulated tables gave each value.
    lost_mass : float
        Probability that an enumeration left out, or the error of a sum of probabilities from cumulants: it
        bounds the error of every probability.
    pair_sums : ndarray of int64, shape (v,), or None
        ``T = sum n_ij**2`` of each value, for an index that rises or falls strictly with T. Ties are decided
        by T then: with 10**8 objects neighbouring values of an index round to the same float.
    analytic, simulated : Moments or None
        Moments from the margins alone, where the index has them, and of the simulated values, if any.
    model : str
        What chance means, as in `adjust`.
    variance_reduction : float
        Squared standard error of the plain mean of the simulated values over that of `mean`: above 1 where
        control variates made `mean`, else 1.
    note : str
        That fewer tables were drawn than were wanted, or none, to keep within the budget, or that
        chance hardly ever changes the index; else empty.
    objects : int
        Number of objects if there are no margins.
    mean, variance, std, skewness, kurtosis : float
        The `moments`: the expected value of the index under chance, its variance and standard deviation, its
        skewness and excess kurtosis; these two are nan when it is constant.
    monte_carlo_error : float
        Standard error of `mean`: ``std / sqrt(n_tables * variance_reduction)`` if simulated, else 0. `error`
        bounds what a mean that is not simulated may be off.

    Notes
    -----
    Null model: both margins fixed, unless `model` says otherwise.

    Examples
    --------
    >>> from chancecorr import null_distribution
    >>> null = null_distribution(Margins([3, 3], [2, 2, 2]), "rand")
    >>> null.values.round(6).tolist(), null.weights.round(6).tolist()  # 288 and 432 of 720 orders
    ([0.4, 0.666667], [0.4, 0.6])
    >>> round(null.mean, 12), null.mean_from, null.values_from
    (0.56, 'analytic', 'exact')
    """

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
    analytic: Moments | None = None
    simulated: Moments | None = None
    model: str = "permutation"
    variance_reduction: float = 1.0
    note: str = ""
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
        """Simulated mean less analytic mean, in standard errors, by the analytic variance where it is known.

        A check of the sampler: standard normal when it is right. nan unless both are there and vary.
        """
        if self.simulated is None or self.analytic is None or math.isinf(self.analytic.mean):
            return math.nan
        std = self.simulated.std if math.isnan(self.analytic.variance) else self.analytic.std
        difference = self.simulated.mean - self.analytic.mean
        return difference / (std / math.sqrt(self.n_tables)) if std > 0 else math.nan

    def confidence_interval(self, confidence_level: float = 0.99) -> tuple[float, float]:
        """Interval for the expected value, from the normal law of a mean of `n_tables` draws.

        Parameters
        ----------
        confidence_level : float
            In (0, 1).

        Returns
        -------
        (float, float)
            Both equal to the mean when that is not simulated.
        """
        from statistics import NormalDist

        level = as_level("confidence_level", confidence_level)
        half_width = NormalDist().inv_cdf(0.5 + level / 2.0) * self.monte_carlo_error
        return self.mean - half_width, self.mean + half_width

    def quantile(self, q: npt.ArrayLike) -> Any:
        """Smallest value that the index does not exceed with probability `q` or more.

        Parameters
        ----------
        q : float or array-like
            In [0, 1].

        Returns
        -------
        float or ndarray
            Shaped as `q`; nan when the index is undefined on some table.
        """
        if self.values_from is None:
            self._refuse("quantile")
        try:
            shares = np.asarray(q, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):  # of words, lists, huge integers
            raise ArgumentTypeError("q", f"must be a number, or an array of numbers; got {q!r}.") from None
        if not ((shares >= 0.0) & (shares <= 1.0)).all():
            raise ArgumentValueError("q", f"must lie in [0, 1]; got {q!r}.")
        if np.isnan(self.values[-1]):
            return np.full(shares.shape, math.nan)[()]
        if self.counts is None:
            reached, wanted = np.cumsum(self.weights), shares * (1.0 - 1e-12)
        else:
            # Whole tables, not summed weights: no rounding decides a quantile; nor does that of q = k / m.
            reached = np.cumsum(self.counts)
            wanted = np.maximum(np.ceil(shares * self.n_tables * (1.0 - 4.0 * EPSILON)), 1.0)
        places = np.searchsorted(reached, wanted)
        return self.values[np.minimum(places, self.values.size - 1)][()]

    def p_value(self, observed: float, alternative: Alternative | None = None) -> float:
        """Probability that chance alone does as well as `observed`.

        Parameters
        ----------
        observed : float
            Value of the index on the observed table.
        alternative : {"greater", "less", "two-sided"}, optional
            Which values count as extreme; two-sided doubles the smaller side, to at most 1. If left out,
            ``"less"`` for a registered index of which smaller values agree better, else ``"greater"``.

        Returns
        -------
        float
            Of an exact law, the sum of probabilities and `lost_mass`: an upper bound. Of m simulated
            tables, ``(b + 1) / (m + 1)`` where b are at least as extreme. nan when `observed` is nan or the
            index is undefined on some table.

        Notes
        -----
        Ties count, and values within 100 roundings of `observed` are ties. A simulated p-value is never 0,
        because the observed table is itself one of the possible ones: Phipson & Smyth (2010),
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
        """Attributes and properties by name; `to_json` writes nan as null."""
        names = (
            "model", "mean_from", "values_from", "n_tables", "error", "relative_error_of_variance",
            "lost_mass", "mean", "variance", "std", "skewness", "kurtosis", "monte_carlo_error",
            "variance_reduction", "z_of_difference", "note",
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
        }

    def _tables(self, wide: bool = False) -> list[TextTable]:
        """The moments, below a headline."""
        numbers = (self.mean, self.std, self.skewness, self.kurtosis)
        names = ["index", "mean", "std", "skewness", "kurtosis"]
        row = [self.index, *(format_rounded(x) for x in numbers)]
        return [
            TextTable(columns=names, rows=[row], caption=repr(self), notes=[self.note] if self.note else [])
        ]

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
        """Raise, because moments alone are known."""
        rest = "`compute_null()` of a score, or method='exact' or 'monte-carlo', finds the rest"
        why = f"needs a full distribution, but only moments are known: {self.note or rest}."
        raise ArgumentValueError(question, why)


def make_simulated_null(
    index: str, margins: Margins | None, joint: Joint, known: Known | None, *, mean_is_known: bool,
    controlled: ControlledMean | None = None, note: str = "", what: str = "simulated tables",
) -> NullDistribution:  # fmt: skip
    """Null distribution of simulated values; if the mean is known, known moments take precedence."""
    if joint.pair_sums is None:
        values, counts, pair_sums = *merge_equal(joint.values, joint.counts), None
    else:  # equal values may differ in T
        order = np.argsort(joint.values, kind="stable")
        values, counts, pair_sums = joint.values[order] + 0.0, joint.counts[order], joint.pair_sums[order]
    n_tables = int(counts.sum())
    varies = margins is None or len(set(bound_pair_sum(margins))) == 2  # as far as the sizes tell
    # all tables have one value, so that they show no error of the mean
    if not mean_is_known and varies and (values == values[0]).all():
        percent = -100.0 * math.expm1(math.log(0.05) / n_tables)
        share = f"others have at most {percent:.2g} % of all, with 95 % confidence"
        note = "; ".join(filter(None, (note, f"all {n_tables:,} {what} have one value; {share}")))
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
        analytic=known.moments if known else None, simulated=simulated, variance_reduction=reduction,
        note=note,
    )  # fmt: skip


def make_exact_null(index: str, margins: Margins | None, law: Law, known: Known | None) -> NullDistribution:
    """Null distribution by enumeration; moments from the margins if their error is smaller."""
    values, probabilities, lost_mass, finite, pair_sums, source, _ = law
    order = np.argsort(values, kind="stable")
    values, probabilities = values[order] + 0.0, probabilities[order]
    first = np.append(True, values[1:] != values[:-1]) if values.size else np.empty(0, dtype=bool)
    if pair_sums is not None:
        pair_sums, first = pair_sums[order], np.ones(order.size, dtype=bool)
    distinct, weights = values[first], np.add.reduceat(probabilities, np.flatnonzero(first))
    moments = compute_law_moments(distinct, weights)
    reach = 0.0  # if the index is infinite on some table, so is the mean, whatever was lost
    if not finite:
        moments, reach = UNKNOWN, math.inf
    elif math.isfinite(moments.mean):
        reach = float(np.abs(distinct - moments.mean).max(initial=0.0))
    of_law = lost_mass * reach * (reach / moments.variance) if lost_mass and moments.variance > 0.0 else 0.0
    note = ""
    if distinct.size > 1 and moments.std <= bound_rounding(moments.mean):
        others = math.fsum(np.delete(weights, weights.argmax()))
        note = f"chance changes the index with probability {others:.1g} only"
    of_values = Known(moments, lost_mass * reach, of_law)
    taken = of_values
    if known is not None and known.error <= of_values.error:
        is_whole = not (math.isfinite(known.moments.mean) and math.isnan(known.moments.variance))
        taken = known if is_whole else of_values
    return NullDistribution(
        index=index, margins=margins, mean_from=source if taken is of_values else "analytic",
        values_from=source, **taken._asdict(), values=distinct, weights=weights, lost_mass=lost_mass,
        pair_sums=pair_sums, analytic=known.moments if known else None, note=note,
    )  # fmt: skip
