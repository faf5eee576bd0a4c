"""How a null distribution is found: the exact law, moments from the margins, or simulated tables.

Of each index two things are asked: its moments, and its law (for quantiles and p-values). ``"auto"`` answers
each by the most exact way that is affordable.
"""

import math
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from chancecorr.correction.distribution import NullDistribution, analytic_null, exact_null, simulated_null
from chancecorr.exact.laws.enumeration import forecast_pair_sum_law, table_law
from chancecorr.exact.laws.tails import shared_pair_sum_law
from chancecorr.exact.moments.additive import additive_moments, forecast_variance_work, is_additive
from chancecorr.exact.moments.affine import affine_moments
from chancecorr.exact.moments.models import expected_value
from chancecorr.exact.moments.pair_sum import pair_sum_moments
from chancecorr.exact.moments.quadrature import smooth_moments
from chancecorr.exact.moments.summary import Moments
from chancecorr.indices.evaluation import values_of_pair_sums, values_of_tables, warn_if_not_compiled
from chancecorr.indices.registry import Index
from chancecorr.null.permutation import plan_sampler
from chancecorr.simulation.controls import (
    ControlledMean,
    PowerControls,
    cell_sum_controls,
    controlled_mean,
    pair_sum_controls,
)
from chancecorr.simulation.engine import Joint, Task, count_tables, joint, map_in_threads
from chancecorr.simulation.sequential import (
    BATCH_TABLES,
    PUBLISHED_TABLES,
    next_look,
    tables_for,
    tables_needed,
)
from chancecorr.simulation.tally import Tally, merged
from chancecorr.tables.contingency import Margins

Method = Literal["auto", "analytic", "exact", "monte-carlo"]
METHODS = ("auto", "analytic", "exact", "monte-carlo")

AUTO_SECONDS = 0.3
"""Forecast up to which ``"auto"`` enumerates the law of T."""

AUTO_TABLES, EXACT_TABLES = 17_000, 2_000_000
"""Numbers of possible tables up to which ``"auto"`` and ``"exact"`` list them all."""

ADDITIVE_WORK = 1e8
"""Steps up to which ``"auto"`` computes the exact variance of a sum over cells: about a second."""

MEAN_ERROR, VARIANCE_ERROR = 1e-3, 5e-3
"""Errors that quadrature may have, of the mean in standard deviations, of the variance relative to it: less
than 17,000 tables leave (8e-3 and about 1e-2)."""

Analytic = tuple[Moments, float]
"""Moments from the margins alone, and the error of the mean."""


def null_distributions(
    margins: Margins,
    entries: tuple[Index, ...],
    *,
    method: Method,
    n_tables: int,
    seed: np.uint64,
    n_jobs: int | None,
    model: str,
    progress: bool | None,
    precision: float | None = None,
    controls: bool | None = None,
) -> dict[str, NullDistribution]:
    """Null distributions of several indices; those that are simulated share their tables.

    With a `precision`, as many tables as all their means need, and at most `n_tables`.

    Raises
    ------
    ValueError
        If a method that was asked for has no answer for an index, or costs more than its budget.
    """
    if model != "permutation":
        return _model_nulls(
            margins, entries, method=method, n_tables=n_tables, seed=seed, n_jobs=n_jobs, model=model,
            progress=progress, precision=precision,
        )  # fmt: skip
    analytic = {entry.name: found for entry in entries if (found := analytic_moments(entry, margins, method))}
    if method == "analytic":
        for entry in entries:
            if entry.name not in analytic:
                raise ValueError(
                    f"`method` must be 'auto', 'exact' or 'monte-carlo' for index {entry.name!r} on these"
                    " margins: its moments do not follow from them; got 'analytic'."
                )
        return {name: analytic_null(name, margins, *found) for name, found in analytic.items()}
    nulls: dict[str, NullDistribution] = {}
    if method != "monte-carlo":
        for entry in entries:
            moments, error = analytic.get(entry.name, (None, 0.0))
            law = _exact_law(entry, margins, method, n_jobs)
            if law is not None:
                nulls[entry.name] = exact_null(entry.name, margins, *law, moments, error)
    left = tuple(entry for entry in entries if entry.name not in nulls)
    if left:
        # An index with exact moments is simulated for its law alone.
        settled = {
            entry.name
            for entry in left
            if method == "auto"
            and entry.name in analytic
            and not analytic[entry.name][1] > (precision or math.inf)
        }
        control = (
            _controls(left, margins, settled) if controls or (controls is None and method == "auto") else {}
        )
        centre = math.floor(pair_sum_moments(margins).mean) if control else None
        task = Task(sampler=plan_sampler(margins), seed=seed, indices=left, pair_sum_centre=centre)
        stds = {} if precision is None else _known_stds(left, margins, settled | control.keys())
        sampled, means = _sample(
            task,
            control,
            settled,
            stds,
            n_tables=n_tables,
            precision=precision,
            n_jobs=n_jobs,
            progress=progress,
        )
        for entry in left:
            moments, error = analytic.get(entry.name, (None, 0.0))
            nulls[entry.name] = simulated_null(
                entry.name,
                margins,
                merged(sampled[entry.name].values, sampled[entry.name].counts),
                moments,
                error=error if entry.name in settled else None,
                controlled=means.get(entry.name),
            )
    return nulls


def _model_nulls(
    margins: Margins,
    entries: tuple[Index, ...],
    *,
    method: Method,
    n_tables: int,
    seed: np.uint64,
    n_jobs: int | None,
    model: str,
    progress: bool | None,
    precision: float | None,
) -> dict[str, NullDistribution]:
    """Under another model than the permutation of objects: exact means where they are known, and sampling."""
    if method == "exact":
        raise ValueError(
            f"`method` must be 'auto', 'analytic' or 'monte-carlo' under model {model!r}, the laws of which"
            " are not enumerated; got 'exact'."
        )
    means = (
        {}
        if method == "monte-carlo"
        else _model_means(margins, entries, model, required=method == "analytic")
    )
    if method == "analytic":
        return {
            name: replace(analytic_null(name, margins, moments, 0.0), model=model)
            for name, moments in means.items()
        }
    task = Task(sampler=plan_sampler(margins), seed=seed, indices=entries, model=model)
    sampled, _ = _sample(
        task, {}, set(means), {}, n_tables=n_tables, precision=precision, n_jobs=n_jobs, progress=progress
    )
    nulls = {}
    for entry in entries:
        counted = merged(sampled[entry.name].values, sampled[entry.name].counts)
        error = 0.0 if entry.name in means else None
        null = simulated_null(entry.name, margins, counted, means.get(entry.name), error=error)
        nulls[entry.name] = replace(null, model=model)
    return nulls


def _model_means(
    margins: Margins, entries: tuple[Index, ...], model: str, *, required: bool
) -> dict[str, Moments]:
    """Exact means under a model, of the indices that have one."""
    means = {}
    for entry in entries:
        try:
            mean = expected_value(entry, margins, model)
        except ValueError:  # too large for the exact recursions
            if required:
                raise
            mean = None
        if mean is not None:
            means[entry.name] = Moments(mean=mean, variance=math.nan, skewness=math.nan, kurtosis=math.nan)
        elif required:
            raise ValueError(
                f"`method` must be 'auto' or 'monte-carlo' for index {entry.name!r} under model {model!r}:"
                " its mean is not known there; got 'analytic'."
            )
    return means


def _sample(
    task: Task,
    control: dict[str, PowerControls],
    settled: set[str],
    stds: dict[str, float],
    *,
    n_tables: int,
    precision: float | None,
    n_jobs: int | None,
    progress: bool | None,
) -> tuple[dict[str, Joint], dict[str, ControlledMean]]:
    """Simulated values, and the means of those that are not settled: `n_tables`, or till they are precise."""
    open_entries = [entry for entry in task.indices if entry.name not in settled]
    look = n_tables
    if precision is not None:
        starts = [tables_for(std, precision) for std in stds.values()]
        starts += [PUBLISHED_TABLES] if settled else []
        starts += [BATCH_TABLES] if len(open_entries) > len(stds) else []
        look = min(max(starts), n_tables)
    tallies: dict[str, Tally] = {}
    m = 0
    while True:
        count_tables(task, tallies, m, look - m, n_jobs=n_jobs, progress=progress)
        m, found = look, joint(task, tallies, look)
        means = {
            entry.name: _mean(entry, found[entry.name], control.get(entry.name)) for entry in open_entries
        }
        if precision is None or m >= n_tables:
            return found, means
        needed = 0.0
        for entry in open_entries:
            if entry.name not in stds:
                mean, width = means[entry.name], entry.range[1] - entry.range[0]
                variance = mean.standard_error**2 * mean.variance_reduction * m
                unit = width if math.isfinite(width) else 1.0
                needed = max(needed, tables_needed(variance, unit, mean.variance_reduction, precision))
        if needed <= m:
            return found, means
        look = min(next_look(m, needed), n_tables)


def _mean(entry: Index, found: Joint, control: PowerControls | None) -> ControlledMean:
    columns = control.columns(found.beside) if control and found.beside is not None else []
    determined = entry.needs in ("pairs", "cells")
    return controlled_mean(found.values, found.counts, columns, determined=determined)


def _controls(entries: tuple[Index, ...], margins: Margins, settled: set[str]) -> dict[str, PowerControls]:
    """Control variates of the indices whose mean is not settled, where there are any."""
    moments = pair_sum_moments(margins)
    found = {}
    for entry in entries:
        if entry.name in settled:
            continue
        if entry.needs == "cells":
            affordable = forecast_variance_work(margins) <= ADDITIVE_WORK
            control = cell_sum_controls(entry, margins, with_variance=affordable)
        else:
            control = pair_sum_controls(entry, moments)
        if control:
            found[entry.name] = control
    return found


def _known_stds(entries: tuple[Index, ...], margins: Margins, without: set[str]) -> dict[str, float]:
    """Standard deviations that follow from the margins: those of affine and smooth functions of T."""
    stds = {}
    for entry in entries:
        if entry.needs == "pairs" and entry.name not in without:
            found = analytic_moments(entry, margins, "auto")
            if found and math.isfinite(found[0].std):
                stds[entry.name] = found[0].std
    return stds


def analytic_moments(entry: Index, margins: Margins, method: Method) -> Analytic | None:
    """Moments from the margins alone, with the error of the mean, or None where the index has none."""
    if entry.needs == "pairs":
        if entry.affine:
            return affine_moments(entry, margins, pair_sum_moments(margins)), 0.0
        if method == "monte-carlo":
            return None
        try:
            found = smooth_moments(entry, margins)
        except ValueError:
            if method == "analytic":
                raise
            return None
        good = (
            found.error <= MEAN_ERROR * found.moments.std
            and found.relative_error_of_variance <= VARIANCE_ERROR
        )
        # Constant or undefined: nothing to be unsure of.
        return (found.moments, found.error) if good or not found.moments.std > 0 else None
    affordable = method == "analytic" or forecast_variance_work(margins) <= ADDITIVE_WORK
    if entry.needs == "cells" and method != "monte-carlo" and affordable and is_additive(entry, margins):
        return additive_moments(entry, margins), 0.0
    return None


def _exact_law(
    entry: Index, margins: Margins, method: Method, n_jobs: int | None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], float] | None:
    """Values, probabilities and lost mass by enumeration; None where ``"auto"`` does not afford it."""
    if entry.needs == "pairs":
        if method == "auto" and forecast_pair_sum_law(margins).seconds > AUTO_SECONDS:
            return None
        law = shared_pair_sum_law(margins, map_in_threads(n_jobs))
        return values_of_pair_sums(entry, law.values, margins), law.probabilities, law.lost_mass
    warn_if_not_compiled(entry)
    try:
        tables, probabilities = table_law(margins, AUTO_TABLES if method == "auto" else EXACT_TABLES)
    except ValueError:
        if method == "exact":
            raise
        return None
    return values_of_tables(entry, tables, margins), probabilities, 0.0
