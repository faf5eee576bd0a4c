"""Candidates on many data sets: mean scores with intervals, differences, and ranks."""

import dataclasses
import math
from collections.abc import Hashable, Mapping
from typing import Any, Literal

import numpy as np

from chancecorr.arguments import Alternative, ArgumentTypeError, ArgumentValueError, as_level
from chancecorr.budget import Budget
from chancecorr.chance.methods import MethodName
from chancecorr.chance.options import MonteCarlo
from chancecorr.comparison.compare import compare
from chancecorr.comparison.comparison import Comparison
from chancecorr.comparison.dataset_scores import NO_SPREAD, DatasetScores
from chancecorr.indices.registry import AnyIndex, is_one
from chancecorr.null.seeding import RNG
from chancecorr.tables.reading import Missing, NoiseOfSides

FEW_DATA_SETS = 5
"""With fewer, a remark says that intervals are wide."""


def compare_datasets(
    datasets: Mapping[Any, tuple[Any, Any]],
    index: AnyIndex = "rand",
    *,
    confidence: float = 0.95,
    method: MethodName | MonteCarlo = "auto",
    n_tables: int | None = None,
    rng: RNG = None,
    n_jobs: int | None = None,
    model: str = "permutation",
    best: float | Literal["mean", "model"] | None = None,
    alternative: Alternative | None = None,
    budget: float | Budget | None = None,
    progress: bool | None = None,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> DatasetScores:
    """Which of several candidates agrees best with the reference over many data sets.

    Parameters
    ----------
    datasets : mapping from name to (labels_true, candidates)
        The reference and the candidates of each data set, as `compare` takes them; the same candidates for
        each, by name.
    index : str or Index
        What measures agreement; see `list_indices`.
    confidence : float
        Level of the intervals and of the tests, in (0, 1).
    method, n_tables, rng, n_jobs, model, best, alternative, budget, progress
        As in `compare`, for each data set.
    noise, missing
        As in `contingency_table`.

    Returns
    -------
    DatasetScores
        Adjusted scores by data set, the mean of each candidate with an interval, differences, tests and
        ranks. It is printed as a table.

    Raises
    ------
    ValueError, TypeError
        If an argument breaks its rule; also for fewer than two data sets or candidates, and if they differ in
        their candidates.
    IndexEvaluationError
        As in `compare`.

    Notes
    -----
    Data sets are taken for independent draws from a population of data sets, each with a score of its own
    (random effects), and every one counts the same. Then the mean of the scores and Student's t over data
    sets are right however large the data sets are and whatever their scores' own errors.

    Examples
    --------
    >>> truth = [0, 0, 0, 1, 1, 1]
    >>> of_one = {"halves": truth, "thirds": [0, 0, 1, 1, 2, 2]}
    >>> found = compare_datasets({"a": (truth, of_one), "b": (truth[::-1], of_one)})
    >>> found["halves"].mean, round(found["thirds"].mean, 6)
    (1.0, 0.242424)
    """
    level = as_level("confidence", confidence)
    if not is_one(index):
        raise ArgumentTypeError("index", f"must be one index; got {index!r}.")
    if not isinstance(datasets, Mapping):
        raise ArgumentTypeError(
            "datasets",
            f"must be a mapping from name to (labels_true, candidates); got {type(datasets).__name__}.",
        )
    if len(datasets) < 2:
        raise ArgumentValueError("datasets", f"must be two at least; got {len(datasets)}.")
    comparisons: dict[Hashable, Comparison] = {}
    for name, given in datasets.items():
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise ArgumentValueError("datasets", f"must have a pair (labels_true, candidates) for {name!r}.")
        try:
            comparisons[name] = compare(
                *given,
                index,
                confidence=level,
                correction=None,
                method=method,
                n_tables=n_tables,
                rng=rng,
                n_jobs=n_jobs,
                model=model,
                best=best,
                alternative=alternative,
                budget=budget,
                progress=progress,
                noise=noise,
                missing=missing,
            )
        except (ValueError, TypeError) as error:
            error.add_note(f"In data set {name!r}.")
            raise
    return _scores(comparisons, level)


def _scores(comparisons: Mapping[Hashable, Comparison], level: float) -> DatasetScores:
    """Scores and their errors in arrays, with remarks."""
    (first, one), *others = comparisons.items()
    for name, other in others:
        if set(other) != set(one):
            odd = sorted(map(str, set(other) ^ set(one)))
            raise ArgumentValueError(
                "datasets", f"must have the same candidates; {first!r} and {name!r} differ in {odd[0]!r}."
            )
    if len(one) < 2:
        raise ArgumentValueError("datasets", f"must have two candidates at least; got {len(one)}.")
    cells = [[of[candidate][of.indices[0]] for candidate in one] for of in comparisons.values()]
    scores = np.array([[each.adjusted for each in row] for row in cells])
    errors = [[each.interval.standard_error if each.interval else np.nan for each in row] for row in cells]
    notes = [f"{name}: {note}" for name, each in comparisons.items() for note in each.notes]
    if len(comparisons) < FEW_DATA_SETS:
        notes.insert(0, f"{len(comparisons)} data sets only: intervals are wide and ranks uncertain")
    without = [str(name) for name, row in zip(comparisons, scores, strict=True) if np.isnan(row).any()]
    if without:
        notes.append(f"not every candidate has a score on {', '.join(without)}: left out of ranks and tests")
    result = DatasetScores(
        index=one.indices[0],
        comparisons=dict(comparisons),
        candidates=tuple(one),
        scores=scores,
        errors=np.array(errors),
        confidence=level,
        notes=tuple(notes),
    )
    return dataclasses.replace(result, notes=(*notes, *_notes_without_spread(result)))


def _notes_without_spread(result: DatasetScores) -> list[str]:
    """Which means, and which differences from the best, are the same on every data set."""
    notes, ranked = [], [each for each in result.ranked() if math.isfinite(each.mean)]
    means = [str(each.candidate) for each in ranked if math.isnan(each.low)]
    tests = [str(each.candidate) for each in ranked[1:] if math.isnan(each.p_value)]
    if means:
        notes.append(f"no interval of {', '.join(means)}: {NO_SPREAD}")
    if tests:
        notes.append(
            f"no test of the difference of {ranked[0].candidate} and {', '.join(tests)}: {NO_SPREAD}"
        )
    return notes
