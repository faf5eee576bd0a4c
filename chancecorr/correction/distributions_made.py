"""Null distributions made of simulated values, of an enumerated law, or of moments alone."""

import dataclasses
import math

import numpy as np

from chancecorr.correction.affordable import note_of_a_constant
from chancecorr.correction.distribution import NullDistribution
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.ties import rounding
from chancecorr.exact.moments.summary import UNKNOWN, Moments, law_moments, sample_moments
from chancecorr.kinds.kind import Known, Law
from chancecorr.machine.arrays import Floats, Integers, read_only
from chancecorr.simulation.controls import ControlledMean
from chancecorr.simulation.tally import merged
from chancecorr.simulation.task import Joint
from chancecorr.tables.contingency import Margins


def simulated_null(
    index: str,
    margins: Margins | None,
    joint: Joint,
    known: Known | None,
    *,
    settled: bool,
    controlled: ControlledMean | None = None,
    note: str = "",
    what: str = "simulated tables",
) -> NullDistribution:
    """Null distribution of simulated values; if the mean is `settled`, known moments take precedence."""
    values, counts, pair_sums = _in_order(joint)
    n_tables, rounding = int(counts.sum()), joint.rounding
    if (
        not settled
        and (values == values[0]).all()
        and (margins is None or len(set(pair_sum_range(margins))) == 2)
    ):
        note = "; ".join(filter(None, (note, note_of_a_constant(n_tables, what))))
    moments, reduction = sample_moments(values, counts), 1.0
    if settled and known:
        moments = _completed(known.moments, moments)
    elif controlled is not None and controlled.variance_reduction > 1.0:
        moments = dataclasses.replace(moments, mean=controlled.mean)
        reduction = controlled.variance_reduction
    return NullDistribution(
        index=index,
        margins=margins,
        mean_from="analytic" if settled else "monte-carlo",
        values_from="monte-carlo",
        moments=moments,
        error=known.error if settled and known else rounding,
        relative_error_of_variance=known.relative_error_of_variance if settled and known else 0.0,
        n_tables=n_tables,
        values=read_only(values),
        weights=read_only(counts / n_tables),
        counts=read_only(counts),
        pair_sums=pair_sums,
        analytic=known.moments if known else None,
        variance_reduction=reduction,
        rounding=rounding,
        note=note,
    )


def _in_order(joint: Joint) -> tuple[Floats, Integers, Integers | None]:
    """Values in ascending order with their counts; equal ones are merged unless they differ in T."""
    if joint.pair_sums is None:
        return *merged(joint.values, joint.counts), None
    order = np.argsort(joint.values, kind="stable")
    return joint.values[order] + 0.0, joint.counts[order], joint.pair_sums[order]


def exact_null(index: str, margins: Margins | None, law: Law, known: Known | None) -> NullDistribution:
    """Null distribution by enumeration; moments from the margins if their error is smaller."""
    values, probabilities, lost_mass, finite, pair_sums, source = law
    order = np.argsort(values, kind="stable")
    values, probabilities = values[order] + 0.0, probabilities[order]
    first = np.append(True, values[1:] != values[:-1]) if values.size else np.empty(0, dtype=bool)
    if pair_sums is not None:
        pair_sums, first = pair_sums[order], np.ones(order.size, dtype=bool)
    distinct, weights = values[first], np.add.reduceat(probabilities, np.flatnonzero(first))
    moments = law_moments(distinct, weights)
    reach = 0.0  # if the index is infinite on some table, so is the mean, whatever was lost
    if not finite:
        moments, reach = UNKNOWN, math.inf
    elif math.isfinite(moments.mean):
        reach = float(np.abs(distinct - moments.mean).max(initial=0.0))
    of_law = lost_mass * reach * (reach / moments.variance) if lost_mass and moments.variance > 0.0 else 0.0
    found = Known(moments, lost_mass * reach, of_law)
    use_known = known is not None and known.error <= found.error
    return NullDistribution(
        index=index,
        margins=margins,
        mean_from="analytic" if use_known else source,
        values_from=source,
        **(known if use_known and known else found)._asdict(),
        values=read_only(distinct),
        weights=read_only(weights),
        lost_mass=lost_mass,
        pair_sums=pair_sums,
        analytic=known.moments if known else None,
        note=_note_of_little_chance(moments, distinct, weights),
    )


def _note_of_little_chance(moments: Moments, values: Floats, weights: Floats) -> str:
    """Remark of a result if the index varies by no more than rounding."""
    if values.size < 2 or not moments.std <= rounding(moments.mean):
        return ""
    others = math.fsum(np.delete(weights, weights.argmax()))
    return f"chance changes the index with probability {others:.1g} only"


def analytic_null(index: str, margins: Margins | None, known: Known, *, note: str = "") -> NullDistribution:
    """Null distribution of which the moments alone are known."""
    nothing = np.empty(0)
    return NullDistribution(
        index=index,
        margins=margins,
        mean_from="analytic",
        values_from=None,
        **known._asdict(),
        values=read_only(nothing),
        weights=read_only(nothing),
        analytic=known.moments,
        note=note,
    )


def _completed(known: Moments, sampled: Moments) -> Moments:
    """Known moments, and the sampled ones in place of those that are not known."""
    if not math.isfinite(known.mean) or known.variance == 0.0:
        return known
    names = [field.name for field in dataclasses.fields(Moments)]
    return Moments(
        **{name: getattr(sampled if math.isnan(getattr(known, name)) else known, name) for name in names}
    )
