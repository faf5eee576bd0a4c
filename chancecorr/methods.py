"""How a null distribution is found: the exact law, moments from the margins, or simulated tables.

Of each index two things are asked: its moments, and its law (for quantiles and p-values). ``"auto"`` answers
each by the most exact way that is affordable.
"""

from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from chancecorr.contingency import Margins
from chancecorr.distribution import NullDistribution, analytic_null, exact_null, simulated_null
from chancecorr.engine import Task, simulate
from chancecorr.exact.additive import additive_moments, forecast_variance_work, is_additive
from chancecorr.exact.affine import affine_moments
from chancecorr.exact.enumeration import forecast_pair_sum_law, table_law
from chancecorr.exact.pair_sum import pair_sum_moments
from chancecorr.exact.quadrature import smooth_moments
from chancecorr.exact.tails import shared_pair_sum_law
from chancecorr.indices.evaluation import values_of_pair_sums, values_of_tables, warn_if_not_compiled
from chancecorr.indices.registry import Index
from chancecorr.moments import Moments
from chancecorr.null.permutation import plan_sampler

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
) -> dict[str, NullDistribution]:
    """Null distributions of several indices; those that are simulated share their tables.

    Raises
    ------
    ValueError
        If a method that was asked for has no answer for an index, or costs more than its budget.
    """
    if model != "permutation":
        if method not in ("auto", "monte-carlo"):
            raise ValueError(
                f"`method` must be 'auto' or 'monte-carlo' under model {model!r}, which is sampled;"
                f" got {method!r}."
            )
        task = Task(sampler=plan_sampler(margins), seed=seed, indices=entries, model=model)
        counted = simulate(task, n_tables, n_jobs=n_jobs, progress=progress)
        return {
            entry.name: replace(simulated_null(entry.name, margins, counted[entry.name], None), model=model)
            for entry in entries
        }
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
            law = _exact_law(entry, margins, method)
            if law is not None:
                nulls[entry.name] = exact_null(entry.name, margins, *law, moments, error)
    left = tuple(entry for entry in entries if entry.name not in nulls)
    if left:
        task = Task(sampler=plan_sampler(margins), seed=seed, indices=left)
        counted = simulate(task, n_tables, n_jobs=n_jobs, progress=progress)
        for entry in left:
            moments, error = analytic.get(entry.name, (None, 0.0))
            nulls[entry.name] = simulated_null(
                entry.name, margins, counted[entry.name], moments, error=error if method == "auto" else None
            )
    return nulls


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
    entry: Index, margins: Margins, method: Method
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], float] | None:
    """Values, probabilities and lost mass by enumeration; None where ``"auto"`` does not afford it."""
    if entry.needs == "pairs":
        if method == "auto" and forecast_pair_sum_law(margins).seconds > AUTO_SECONDS:
            return None
        law = shared_pair_sum_law(margins)
        return values_of_pair_sums(entry, law.values, margins), law.probabilities, law.lost_mass
    warn_if_not_compiled(entry)
    try:
        tables, probabilities = table_law(margins, AUTO_TABLES if method == "auto" else EXACT_TABLES)
    except ValueError:
        if method == "exact":
            raise
        return None
    return values_of_tables(entry, tables, margins), probabilities, 0.0
