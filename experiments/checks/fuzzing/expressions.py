"""What is asked for: names of indices with and without numbers, registered functions, all keywords."""

import math
from typing import Any

import numpy as np

import chancecorr as cc
from experiments.checks.fuzzing.tables import any_index
from experiments.checks.fuzzing.trial import Trial

WRONG: tuple[Any, ...] = (
    None, 0, 1, -1, 2.5, True, float("nan"), float("inf"), "", "x", "rand ", b"rand", [], ["rand"], (), {},
    {"a": 1},
    object(), np.array([1, 2]), np.array("rand"), np.float64(0.5), np.int64(3), np.bool_(True), 10**400,
    1j, int, len,
    "\ud800", "\x00", "auto", "mean", "exact", ["rand", None], "rand\n", Ellipsis, lambda: 1, 1e400,
    "0.5",
)  # fmt: skip
OPTIONS = {
    "method": [
        "auto",
        "search",
        "exact",
        "analytic",
        "monte-carlo",
        cc.MonteCarlo(precision=0.5),
        cc.MonteCarlo(precision=0.1, controls=True, only=False),
        cc.MonteCarlo(progress=False),
    ],
    "n_tables": [1, 2, 50, np.int64(7)],
    "rng": [0, None, np.random.SeedSequence(1), 2**64, 2**200],
    "n_jobs": [None, 1, 2],
    "model": ["permutation", "fixed-k", "all-partitions"],
    "best": [None, "mean", 1.0, 0.5, 0],
    "alternative": ["greater", "less", "two-sided"],
}
FIELDS = (
    "name", "family", "formula", "aliases", "source", "range", "best", "attained", "affine", "symmetric",
    "constant",
    "corrected_as", "undefined", "with_totals", "link", "make", "example", "known_as", "notes", "needs",
    "nonsense",
)  # fmt: skip
RESULTS: tuple[Any, ...] = (
    0.5, 1, 0, -1e308, float("nan"), float("inf"), None, "a", [], [0.5], np.array(0.5), np.zeros(2),
    np.zeros((2, 2)),
    1j, True, np.float32(0.5), {}, object(), 10**400, np.bool_(True), b"a", np.str_("1"),
)  # fmt: skip
RAISED = (ValueError, KeyError, ZeroDivisionError, IndexError, OverflowError, RuntimeError, StopIteration)


def attempt(rng: np.random.Generator, trial: Trial) -> None:
    """One question, put in one of many ways."""
    what = int(rng.integers(10))
    if what < 4:
        _named(rng, trial)
    elif what < 7:
        _with_options(rng, trial)
    else:
        _registered(rng, trial)


def _named(rng: np.random.Generator, trial: Trial) -> None:
    """A name of an index, spelt in some way."""
    name: Any = any_index(rng)
    for _ in range(int(rng.integers(0, 4))):
        name = _misspelt(rng, name)
    if rng.random() < 0.1:
        name = _one(rng, WRONG)
    entry = trial.call(cc.get_index, name)
    if entry is None or not isinstance(entry, cc.indices.Index):
        return
    table = _table(rng)
    value = trial.call(cc.score_table, table, name)
    if value is not None:
        trial.check_value(entry, value)
    score = trial.call(cc.adjust_table, table, index=name, n_tables=30, rng=1, method="monte-carlo")
    if score is not None:
        trial.check_score(score)


def _misspelt(rng: np.random.Generator, name: str) -> str:
    k = int(rng.integers(0, len(name) + 1))
    ways = [
        name.upper(), name.replace("_", " "), name.replace("_", "-"), name + " index", name + "_score",
        "adjusted " + name,
        "standardized " + name, name + "(0.5)", name + "(1, 2)", name + "(nan)", name + "(inf)",
        name + "(1e400)",
        name + "(", name + "()", name + "(0)", name + "(-1)", name + "(1e-320)", name + "(0.5", name + ")",
        name[:k],
        name[:k] + name[k + 1 :], name[:k] + str(_one(rng, ["x", "(", ")", ",", "é", "\x00", "\ud800",
        "\n", " "])) + name[k:],
        name + "(1_0)", name + "(٣)", name + "(0x1)", " " + name + " ", name + "((1))", name + "(1)(2)",
        name + "(1e308)",
        "".join(reversed(name)), name + "coefficient", name + "\u202e", name + "(1,)", name + "( 0.5 )",
        name * 40,
    ]  # fmt: skip
    return str(_one(rng, ways))


def _with_options(rng: np.random.Generator, trial: Trial) -> None:
    """A small table with keywords, some of them wrong."""
    options: dict[str, Any] = {"n_tables": 30, "rng": 0}
    for name, right in OPTIONS.items():
        if rng.random() < 0.25:
            options[name] = _one(rng, right)
    if rng.random() < 0.6:
        options[str(_one(rng, [*OPTIONS, "nonsense", "indx"]))] = _one(rng, WRONG)
    if isinstance(options.get("method"), cc.MonteCarlo) and options.get("n_tables") is None:
        options["n_tables"] = 1000
    if not (isinstance(options["n_tables"], int) and options["n_tables"] > 10**6):
        index: Any = any_index(rng) if rng.random() < 0.8 else _one(rng, WRONG)
        score = trial.call(cc.adjust_table, _table(rng), index=index, **options)
        if isinstance(score, cc.correction.AdjustedScore):
            trial.check_score(score)
            if rng.random() < 0.2:
                trial.call(score.interval, _one(rng, [0.9, *WRONG]))


def _registered(rng: np.random.Generator, trial: Trial) -> None:
    """An index of one's own, which may do anything, with fields of which some are wrong."""
    needs: Any = str(_one(rng, ["labels", "labels", "labels", "pairs"]))
    result = _one(rng, RESULTS)
    raised = _one(rng, RAISED)
    form = int(rng.integers(6))

    def function(*arguments: Any) -> Any:
        if form == 0:
            raise raised("of its own")
        if form == 1:
            return arguments[0]
        if form == 2:
            return float(np.sum(arguments[0] == arguments[-1]))
        if form == 3:
            arguments[0][:] = 0
        return result

    fields: dict[str, Any] = {"range": (-math.inf, math.inf)}
    for _ in range(int(rng.integers(0, 3))):
        fields[str(_one(rng, FIELDS))] = _one(
            rng, [*WRONG, (0, 1), (1, 0), (0, float("nan")), ("a",), ("rand",)]
        )
    name = fields.pop("name", "fuzzed")
    given = {"needs": needs} | fields
    entry = trial.call(cc.register_index, name, _one(rng, [function] * 8 + [*WRONG]), **given)
    if not isinstance(entry, cc.indices.Index):
        return
    try:
        value = trial.call(cc.score_table, _table(rng), entry)
        if value is not None and not isinstance(value, float):
            trial.find(f"the value is {value!r}")
        score = trial.call(cc.adjust_table, _table(rng), index=entry, n_tables=20, rng=0)
        if score is not None:
            trial.check_score(score)
    finally:
        cc.indices.unregister_index(entry.name)


def _table(rng: np.random.Generator) -> cc.ContingencyTable:
    return cc.ContingencyTable(rng.integers(0, 4, size=tuple(rng.integers(1, 4, size=2))))


def _one(rng: np.random.Generator, among: Any) -> Any:
    return among[int(rng.integers(len(among)))]
