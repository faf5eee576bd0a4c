"""Margins of all kinds, right ones and wrong ones."""

from typing import Any

import numpy as np

import chancecorr as cc
from experiments.checks.fuzzing.tables import HOSTILE, any_index
from experiments.checks.fuzzing.trial import Trial

MODELS = ("permutation",) * 6 + (
    "fixed-k", "all-partitions", "one-sided-fixed-k", "one-sided-all-partitions", "multinomial",
)  # fmt: skip
SHARES: tuple[Any, ...] = (0.5, 0.0, 1.0, [0.01, 0.99], -0.1, 1.5, float("nan"), "a", None, [], [[0.5]], True)


def attempt(rng: np.random.Generator, trial: Trial) -> None:
    """Margins through the functions that take such."""
    rows, columns = _totals(rng)
    margins = trial.call(cc.Margins, rows, columns)
    if margins is None:
        return
    if margins.n != int(margins.column_totals.sum()):
        trial.find("the totals have different sums")
    what = int(rng.integers(4))
    if what == 0:
        number = _one(rng, [0, 1, 3, -1, 2.5, "3", None, True])
        tables = trial.call(cc.sample_tables, margins, number, rng=int(rng.integers(9)))
        if tables is not None:
            if not np.all(tables.sum(axis=2) == margins.row_totals):
                trial.find("a sampled table has other row totals")
            if not np.all(tables.sum(axis=1) == margins.column_totals):
                trial.find("a sampled table has other column totals")
        return
    index = any_index(rng)
    cells = margins.row_totals.size * margins.column_totals.size
    method = "monte-carlo"
    if margins.n <= 40 and cells <= 25:
        method = str(_one(rng, ["auto", "exact", "analytic", "monte-carlo"]))
    model = str(_one(rng, MODELS)) if margins.n <= 200 else "permutation"
    law = trial.call(
        cc.null_distribution, margins, index, n_tables=int(rng.integers(1, 60)), method=method,
        model=model,
        rng=int(rng.integers(9)),
    )  # fmt: skip
    if law is None:
        return
    trial.check_law(law)
    if law.variance < 0.0:
        trial.find(f"the variance of {index} is {law.variance!r}")
    low, high = cc.get_index(index).range
    slack = 1e-9 * max(1.0, abs(law.mean))
    if law.mean < low - slack or law.mean > high + slack:
        trial.find(f"the mean of {index} is {law.mean!r}, outside {(low, high)}")
    trial.call(repr, law)
    trial.call(law.to_dict)
    trial.call(law.quantile, _one(rng, SHARES))
    trial.call(law.confidence_interval, _one(rng, [0.99, 0.0, 1.0, -1, "a", None, float("nan")]))
    observed = _one(rng, [law.mean, 0.0, 1.0, float("inf"), float("nan"), -1e308, 3, "a", None])
    p_value = trial.call(law.p_value, observed)
    if p_value is not None and not (np.isnan(p_value) or 0.0 <= p_value <= 1.0):
        trial.find(f"the p-value of {observed!r} is {p_value!r}")
    if rng.random() < 0.3:
        table = cc.sample_tables(margins, 1, rng=1)[0]
        tail = trial.call(cc.tail_probability, table, index, rng=0, budget=0.1, n_tables=30)
        if tail is not None and not (np.isnan(tail.p_value) or 0.0 <= tail.p_value <= 1.0):
            trial.find(f"the tail of {index} is {tail.p_value!r}")


def _totals(rng: np.random.Generator) -> tuple[Any, Any]:
    """Totals of two sides, mostly of one sum."""
    n = int(_one(rng, [0, 1, 2, 3, 6, 12, 30, 100, 1000, 10**6, 3_037_000_499, 10**9]))
    rows, columns = (_split(rng, n, int(rng.integers(1, 7))) for _ in range(2))
    what = int(rng.integers(12))
    if what == 0:
        columns[int(rng.integers(len(columns)))] += int(rng.choice([-1, 1]))
    elif what == 1:
        rows[int(rng.integers(len(rows)))] = _one(rng, HOSTILE)
    elif what == 2:
        return _one(rng, [None, 3, "ab", [], [[1]], {1: 2}, iter([1]), object(), np.array(2), b"ab"]), columns
    elif what == 3:
        return np.array(rows, dtype=str(_one(rng, ["f8", "f4", "u8", "g", "O", ">i8"]))), tuple(columns)
    elif what == 4:
        huge = [2**62, 2**62, 2**62, 2**62][: int(rng.integers(1, 5))]
        return huge, huge
    return rows, columns


def _split(rng: np.random.Generator, n: int, parts: int) -> list[Any]:
    ends = np.sort(rng.integers(0, n + 1, size=parts - 1)).tolist()
    return [int(b - a) for a, b in zip([0, *ends], [*ends, n], strict=True)]


def _one(rng: np.random.Generator, among: Any) -> Any:
    return among[int(rng.integers(len(among)))]
