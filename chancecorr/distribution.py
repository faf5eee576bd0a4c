"""The null distribution of an index: values with weights, or closed-form moments, or both."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import one_of
from chancecorr.contingency import Margins
from chancecorr.moments import Moments, sample_moments

Alternative = Literal["greater", "less", "two-sided"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NullDistribution:
    """What an index takes when the objects of the two clusterings are matched at random.

    Attributes
    ----------
    index : str
        Name of the index.
    margins : Margins
        The fixed row and column totals.
    method : {"monte-carlo", "analytic"}
        Where `mean`, `variance`, `skewness` and `kurtosis` come from.
    n_tables : int
        Number of simulated tables; 0 when nothing was simulated.
    values : ndarray of float64, shape (v,)
        Distinct simulated values in ascending order, nan last; empty when nothing was simulated.
    counts : ndarray of int64, shape (v,)
        How many tables gave each value.
    simulated : Moments or None
        Moments of the simulated values.
    analytic : Moments or None
        Closed-form moments, of an index that is affine in T.

    Notes
    -----
    Null model: both margins fixed. Quantiles and p-values always come from the simulated values.
    """

    index: str
    margins: Margins
    method: Literal["monte-carlo", "analytic"]
    n_tables: int
    values: npt.NDArray[np.float64]
    counts: npt.NDArray[np.int64]
    simulated: Moments | None
    analytic: Moments | None

    @property
    def moments(self) -> Moments:
        """Moments by `method`."""
        moments = self.analytic if self.method == "analytic" else self.simulated
        assert moments is not None
        return moments

    @property
    def mean(self) -> float:
        """Expected value of the index under chance."""
        return self.moments.mean

    @property
    def variance(self) -> float:
        """Variance of the index under chance."""
        return self.moments.variance

    @property
    def std(self) -> float:
        """Standard deviation of the index under chance."""
        return self.moments.std

    @property
    def skewness(self) -> float:
        """Skewness of the index under chance; nan when it is constant."""
        return self.moments.skewness

    @property
    def kurtosis(self) -> float:
        """Excess kurtosis of the index under chance; nan when it is constant."""
        return self.moments.kurtosis

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """Share of the tables that gave each value; they sum to 1."""
        return self.counts / max(self.n_tables, 1)

    @property
    def standard_error(self) -> float:
        """Standard error of `mean`: ``std / sqrt(n_tables)``, and 0 for a closed form."""
        if self.method == "analytic":
            return 0.0 if not math.isnan(self.mean) else math.nan
        return self.std / math.sqrt(self.n_tables)

    @property
    def z_of_difference(self) -> float:
        """Simulated mean less analytic mean, in standard errors from the analytic variance.

        A check of the sampler: standard normal when it is right. nan unless both are there and vary.
        """
        if self.simulated is None or self.analytic is None or not self.analytic.variance > 0:
            return math.nan
        return (self.simulated.mean - self.analytic.mean) / (self.analytic.std / math.sqrt(self.n_tables))

    def confidence_interval(self, confidence_level: float = 0.99) -> tuple[float, float]:
        """Interval for the expected value, from the normal law of a mean of `n_tables` draws.

        Parameters
        ----------
        confidence_level : float
            In (0, 1).

        Returns
        -------
        (float, float)
            Both equal to the mean when that is a closed form.
        """
        if not 0.0 < confidence_level < 1.0:
            raise ValueError(f"`confidence_level` must lie between 0 and 1; got {confidence_level}.")
        half_width = NormalDist().inv_cdf(0.5 + confidence_level / 2.0) * self.standard_error
        return self.mean - half_width, self.mean + half_width

    def quantile(self, q: npt.ArrayLike) -> Any:
        """Smallest simulated value that at least a share `q` of the tables does not exceed.

        Parameters
        ----------
        q : float or array-like
            In [0, 1].

        Returns
        -------
        float or ndarray
            Shaped as `q`; nan when the index was undefined on some table.
        """
        self._require_law("quantile")
        shares = np.asarray(q, dtype=np.float64)
        if not ((shares >= 0.0) & (shares <= 1.0)).all():
            raise ValueError(f"`q` must lie in [0, 1]; got {q!r}.")
        if np.isnan(self.values[-1]):
            return np.full(shares.shape, math.nan)[()]
        # Whole tables, not summed weights: no rounding decides a quantile; nor does that of q = k / m itself.
        wanted = np.ceil(shares * self.n_tables * (1.0 - 4.0 * np.finfo(np.float64).eps))
        places = np.searchsorted(np.cumsum(self.counts), np.maximum(wanted, 1.0))
        return self.values[np.minimum(places, self.values.size - 1)][()]

    def p_value(self, observed: float, alternative: Alternative = "greater") -> float:
        """Probability that chance alone does as well as `observed`, by ``(b + 1) / (m + 1)``.

        Parameters
        ----------
        observed : float
            Value of the index on the table in hand.
        alternative : {"greater", "less", "two-sided"}
            Which values count as extreme; two-sided doubles the smaller side, to at most 1.

        Returns
        -------
        float
            In [1 / (m + 1), 1] for m tables, b of which are at least as extreme; nan when `observed` is nan
            or the index was undefined on some table.

        Notes
        -----
        Ties count, and values within 100 roundings of `observed` are ties. Never 0, since the observed table
        is itself one of the possible ones: Phipson & Smyth (2010), doi:10.2202/1544-6115.1585.
        """
        one_of("alternative", alternative, ("greater", "less", "two-sided"))
        self._require_law("p_value")
        if math.isnan(observed) or np.isnan(self.values[-1]):
            return math.nan
        finite = self.values[np.isfinite(self.values)]
        scale = max(abs(observed) if math.isfinite(observed) else 0.0, np.abs(finite).max(initial=0.0))
        slack = 100.0 * np.finfo(np.float64).eps * scale
        shares = {
            "greater": (int(self.counts[self.values >= observed - slack].sum()) + 1) / (self.n_tables + 1),
            "less": (int(self.counts[self.values <= observed + slack].sum()) + 1) / (self.n_tables + 1),
        }
        if alternative == "two-sided":
            return min(1.0, 2.0 * min(shares.values()))
        return shares[alternative]

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, for JSON."""
        return {
            "index": self.index,
            "row_totals": self.margins.row_totals.tolist(),
            "column_totals": self.margins.column_totals.tolist(),
            "method": self.method,
            "n_tables": self.n_tables,
            "mean": self.mean,
            "variance": self.variance,
            "std": self.std,
            "skewness": self.skewness,
            "kurtosis": self.kurtosis,
            "standard_error": self.standard_error,
            "analytic_mean": self.analytic.mean if self.analytic else math.nan,
            "simulated_mean": self.simulated.mean if self.simulated else math.nan,
            "z_of_difference": self.z_of_difference,
            "values": self.values.tolist(),
            "weights": self.weights.tolist(),
        }

    def __repr__(self) -> str:
        """Name, moments, method."""
        tables = f", n_tables={self.n_tables}" if self.n_tables else ""
        return (
            f"NullDistribution({self.index!r}, mean={self.mean:.6g}, std={self.std:.6g},"
            f" method={self.method!r}{tables})"
        )

    def _require_law(self, question: str) -> None:
        if self.n_tables == 0:
            raise ValueError(
                f"`{question}` must have simulated values to go by; got method='analytic', which gives"
                " moments only. Use method='auto' or 'monte-carlo'."
            )


def null_from_counts(
    index: str,
    margins: Margins,
    method: Literal["monte-carlo", "analytic"],
    counted: tuple[npt.NDArray[Any], npt.NDArray[np.int64]] | None,
    analytic: Moments | None,
) -> NullDistribution:
    """Null distribution from distinct values with counts (or None) and closed-form moments (or None)."""
    values, counts = counted if counted is not None else (np.empty(0), np.empty(0, dtype=np.int64))
    values = np.asarray(values, dtype=np.float64)
    for array in (values, counts):
        array.flags.writeable = False
    return NullDistribution(
        index=index,
        margins=margins,
        method=method,
        n_tables=int(counts.sum()),
        values=values,
        counts=counts,
        simulated=sample_moments(values, counts) if counted is not None else None,
        analytic=analytic,
    )
