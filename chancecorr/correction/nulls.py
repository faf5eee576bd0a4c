"""How a null distribution is found: the exact law, moments from the margins, or simulated tables.

Of each index two things are asked: its moments, and its law (for quantiles and p-values). The method says
what may be spent on each, the index's kind how each is had.
"""

import dataclasses
import math

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.budget import TooCostlyError
from chancecorr.correction.affordable import (
    Plan,
    check_room,
    is_worth_it,
    note_of_a_constant,
    note_of_fewer,
    note_of_rounding,
    plan_tables,
    require_tables,
)
from chancecorr.correction.distribution import NullDistribution, analytic_null, exact_null, simulated_null
from chancecorr.correction.request import Request
from chancecorr.correction.sampling import Sample, sample_values
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.moments.summary import UNKNOWN
from chancecorr.indices.registry import Index
from chancecorr.kinds import kind_of
from chancecorr.kinds.kind import Known
from chancecorr.kinds.methods import AUTO, MEAN_ONLY
from chancecorr.simulation.controls import PowerControls, pair_sum_centre
from chancecorr.simulation.tally import merged
from chancecorr.simulation.workers import map_in_threads
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import pair_sum_moments

Nulls = dict[str, NullDistribution]
"""Null distributions by index name."""


def null_distributions(margins: Margins, indices: tuple[Index, ...], asked: Request) -> Nulls:
    """Null distributions of several indices; those that are simulated share their tables.

    A method that was asked for and has no answer for an index, or costs more than its budget, raises.
    """
    if not asked.model.keeps_margins:
        return _under_varying_margins(margins, indices, asked)
    known = {}
    for index in indices:
        found = kind_of(index).moments(index, margins, asked.method)
        if found is not None:
            known[index.name] = found
        elif asked.method.needs_moments:
            raise ArgumentValueError(
                "method",
                f"must be 'auto', 'exact' or 'monte-carlo' for index {index.name!r} on these margins: its"
                f" moments do not follow from them; got {asked.method.name!r}.",
            )
    if asked.method.needs_moments:
        return {name: analytic_null(name, margins, *found) for name, found in known.items()}
    nulls: Nulls = {}
    if not asked.method.only_tables:
        for index in indices:
            law = kind_of(index).law(index, margins, asked.method, map_in_threads(asked.n_jobs))
            if law is not None:
                moments, *errors = known.get(index.name, (None, 0.0, 0.0))
                nulls[index.name] = exact_null(index.name, margins, law, moments, *errors)
    left = tuple(index for index in indices if index.name not in nulls)
    return nulls | (_simulated(margins, left, known, asked) if left else {})


def expected_value(margins: Margins, index: Index, asked: Request) -> float:
    """Mean of one index under chance, where nothing else of the null distribution is wanted.

    With ``method="auto"`` the null distribution is looked for only where the margins do not tell the mean.
    """
    if not asked.model.keeps_margins and not asked.method.only_tables:
        known = _known_means(margins, (index,), asked)
        if known:
            return known[index.name].moments.mean
    elif asked.method.name == "auto":
        found = kind_of(index).moments(index, margins, MEAN_ONLY.within(asked.budget))
        if found is not None:
            return found.moments.mean
    return null_distributions(margins, (index,), asked)[index.name].mean


def _simulated(
    margins: Margins, indices: tuple[Index, ...], known: dict[str, Known], asked: Request
) -> Nulls:
    """Null distributions from simulated tables; those with known moments are simulated for the law alone."""
    settled = set()
    if not asked.method.only_tables:
        settled = {
            index.name
            for index in indices
            if index.name in known and not known[index.name].error > (asked.precision or math.inf)
        }
    wanted = asked.controls or (asked.controls is None and not asked.method.only_tables)
    controls = _controls(indices, margins, settled) if wanted else {}
    centre = pair_sum_centre(pair_sum_moments(margins)) if controls else 0
    stds = {} if asked.precision is None else _known_stds(indices, margins, settled | controls.keys())
    undrawn, indices, plan = _within_budget(margins, indices, known, settled, asked)
    if not indices:
        return undrawn
    samples = sample_values(
        margins,
        indices,
        asked,
        controls={name: each for name, each in controls.items() if name not in undrawn},
        settled=settled,
        stds=stds,
        centre=centre,
        plan=plan,
    )
    return undrawn | {
        name: _null_of_sample(name, margins, sample, known.get(name), settled, asked)
        for name, sample in samples.items()
    }


def _within_budget(
    margins: Margins,
    indices: tuple[Index, ...],
    known: dict[str, Known],
    settled: set[str],
    asked: Request,
) -> tuple[Nulls, tuple[Index, ...], Plan]:
    """Null distributions for which no tables are drawn, the indices left, and how many tables these get.

    Where the budget has room for few tables only, those of which the mean is known go without a law.
    """
    plan = plan_tables(margins, indices, asked)
    undrawn: Nulls = {}
    without = set() if is_worth_it(plan, asked) else {x.name for x in indices if x.name in settled}
    if without:
        note = note_of_fewer(0, asked.n_tables, plan.seconds)
        undrawn = {name: analytic_null(name, margins, *known[name], note=note) for name in without}
        indices = tuple(index for index in indices if index.name not in without)
        plan = plan_tables(margins, indices, asked)
    if indices:
        require_tables(indices[0], plan, asked)
        check_room(margins, asked, indices)
    return undrawn, indices, plan


def _under_varying_margins(margins: Margins, indices: tuple[Index, ...], asked: Request) -> Nulls:
    """Under a model in which cluster sizes vary: exact means where they are known, and sampling."""
    if asked.method.needs_law:
        raise ArgumentValueError(
            "method",
            f"must be 'auto', 'analytic' or 'monte-carlo' under model {asked.model.name!r}, the laws of which"
            f" are not enumerated; got {asked.method.name!r}.",
        )
    known = {} if asked.method.only_tables else _known_means(margins, indices, asked)
    if asked.method.needs_moments:
        nulls = {name: analytic_null(name, margins, *found) for name, found in known.items()}
    else:
        nulls, indices, plan = _within_budget(margins, indices, known, set(known), asked)
        samples = {}
        if indices:
            samples = sample_values(margins, indices, asked, settled=set(known), plan=plan)
        for name, sample in samples.items():
            nulls[name] = _null_of_sample(name, margins, sample, known.get(name), set(known), asked)
    return {name: dataclasses.replace(null, model=asked.model.name) for name, null in nulls.items()}


def _known_means(margins: Margins, indices: tuple[Index, ...], asked: Request) -> dict[str, Known]:
    """Exact means under a model, of the indices that have one."""
    known = {}
    for index in indices:
        try:
            mean = kind_of(index).mean_under(index, margins, asked.model)
        except TooCostlyError:
            if asked.method.needs_moments:
                raise
            mean = None
        if mean is not None:
            known[index.name] = Known(dataclasses.replace(UNKNOWN, mean=mean), 0.0)
        elif asked.method.needs_moments:
            raise ArgumentValueError(
                "method",
                f"must be 'auto' or 'monte-carlo' for index {index.name!r} under model {asked.model.name!r}:"
                f" its mean is not known there; got {asked.method.name!r}.",
            )
    return known


def _null_of_sample(
    name: str, margins: Margins, sample: Sample, known: Known | None, settled: set[str], asked: Request
) -> NullDistribution:
    n_tables = int(sample.joint.counts.sum())
    notes = []
    if n_tables < asked.n_tables and asked.precision is None:
        notes.append(note_of_fewer(n_tables, asked.n_tables))
    if sample.joint.rounding:
        notes.append(note_of_rounding(sample.joint.rounding))
    low, high = pair_sum_range(margins)
    is_constant = bool((sample.joint.values == sample.joint.values[0]).all())
    if is_constant and low < high and name not in settled:
        notes.append(note_of_a_constant(n_tables))
    values, counts, T = sample.joint.values, sample.joint.counts, sample.joint.pair_sums
    if T is None:
        values, counts = merged(values, counts)
    else:
        order = np.argsort(values, kind="stable")
        values, counts, T = values[order] + 0.0, counts[order], T[order]
    return simulated_null(
        name,
        margins,
        (values, counts),
        known.moments if known else None,
        error=known.error if known and name in settled else None,
        relative_error_of_variance=known.relative_error_of_variance if known else 0.0,
        controlled=sample.mean,
        rounding=sample.joint.rounding,
        pair_sums=T,
        note="; ".join(notes),
    )


def _controls(indices: tuple[Index, ...], margins: Margins, settled: set[str]) -> dict[str, PowerControls]:
    """Control variates of the indices whose mean is not settled, where there are any."""
    found = {
        index.name: kind_of(index).controls(index, margins) for index in indices if index.name not in settled
    }
    return {name: control for name, control in found.items() if control is not None}


def _known_stds(indices: tuple[Index, ...], margins: Margins, without: set[str]) -> dict[str, float]:
    """Standard deviations that follow from the margins: those of affine and smooth functions of T."""
    stds = {}
    for index in indices:
        if kind_of(index).goes_by_pair_sum and index.name not in without:
            found = kind_of(index).moments(index, margins, AUTO)
            if found is not None and math.isfinite(found.moments.std):
                stds[index.name] = found.moments.std
    return stds
